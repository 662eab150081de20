//! What the tables answer about each processor and machine: words and limits in full, and of large tables how many answers there are and some
//! of them.
//! `UPDATE_EXPECT=1` writes `tests/data/recorded/machines.txt` and `processors.txt` again.

use std::collections::BTreeMap;
use std::fmt::{Debug, Write};
use std::path::Path;

use expect_test::expect_file;
use wavelens_isa::mir::{Class, Machine, Opcode, Register, SubIndex, Tables};
use wavelens_isa::processor::{ProcessorFacts, version};
use wavelens_isa::{Target, WaveSize};

/// Characters of an answer about a machine.
const LONGEST: usize = 400;

/// How many answers a topic has, and eight of them.
fn some(out: &mut String, topic: &str, answers: impl IntoIterator<Item = impl Debug>) {
    let answers: Vec<String> = answers.into_iter().map(|answer| format!("{answer:?}")).collect();
    _ = writeln!(out, "  {topic} {}", answers.len());
    for answer in answers.iter().step_by(answers.len().div_ceil(8).max(1)) {
        // Some have hundreds of registers.
        _ = writeln!(out, "    {}", answer.get(..LONGEST).unwrap_or(answer));
    }
}

/// What was written last about each topic.
type Last = BTreeMap<&'static str, String>;

/// The answers of a topic, unless they are those of the processor before.
fn all(
    out: &mut String,
    last: &mut Last,
    topic: &'static str,
    answers: impl IntoIterator<Item = impl Debug>,
) {
    let answers: Vec<String> = answers.into_iter().map(|answer| format!("{answer:?}")).collect();
    // Of a run of equal answers the first one is enough, with its number.
    let runs = answers.chunk_by(|a, b| a == b).scan(0, |at, run| {
        let first = std::mem::replace(at, *at + run.len());
        Some(if run.len() > 1 { format!("{first}..: {}", run[0]) } else { run[0].clone() })
    });
    let text = runs.collect::<Vec<_>>().join(" ");
    if last.get(topic) == Some(&text) {
        _ = writeln!(out, "  {topic} as before");
    } else {
        _ = writeln!(out, "  {topic} {text}");
    }
    last.insert(topic, text);
}

/// Every processor with each wave size that it has.
fn targets() -> impl Iterator<Item = Target> {
    let both = |target: Target| {
        let sizes = [WaveSize::W32, WaveSize::W64].map(|wave| target.with_wave_size(wave));
        sizes.into_iter().flatten()
    };
    Target::names().filter_map(Target::named).flat_map(both)
}

fn processor(target: Target, last: &mut Last) -> String {
    let mut out = format!("{} {:?}\n", target.name(), target.wave_size());
    _ = writeln!(out, "  {:?}", target.limits());
    let sizes = [(1, 64), (64, 64), (64, 1), (65, 64), (256, 256), (512, 128), (1024, 1024)];
    let memory = [0, 1, 8191, 8192, 16384, 21845, 32768, 65536, 81920, 163_840, 327_680];
    let waves = memory
        .into_iter()
        .flat_map(|lds| sizes.map(|(smallest, largest)| target.waves_of_workgroups(lds, smallest, largest)));
    all(&mut out, last, "waves of workgroups", waves);
    let waves = (0..=128).map(|count| target.waves_of_sgprs(count));
    all(&mut out, last, "waves of scalar registers", waves);
    let facts = ProcessorFacts::of(target);
    let on = [false, true];
    let extra = on.into_iter().flat_map(|v| on.into_iter().flat_map(move |f| on.map(|x| (v, f, x))));
    all(&mut out, last, "further scalar registers", extra.map(|(v, f, x)| facts.extra_sgprs(v, f, x)));
    let granules = [None, Some(false), Some(true)].map(|wave32| facts.vgpr_encoding_granule(wave32));
    _ = writeln!(
        out,
        "  {:?} {granules:?} {} {} {}",
        version(target.name()),
        facts.addressable_sgprs(),
        facts.max_user_sgprs(),
        facts.local_memory()
    );
    all(&mut out, last, "constants", facts.constants());
    all(&mut out, last, "features", target.features());
    let templates = target.mnemonics().map(|mnemonic| (mnemonic, wavelens_isa::templates(target, mnemonic)));
    _ = writeln!(out, "  mnemonics {}", templates.filter(|(_, templates)| !templates.is_empty()).count());
    let policies = |mnemonic| (mnemonic, wavelens_isa::cache_policies(target, mnemonic));
    all(
        &mut out,
        last,
        "cache policies",
        ["s_load_dword", "global_load_dword", "global_load_b32"].map(policies),
    );
    all(&mut out, last, "export targets", wavelens_isa::export_targets(target));
    all(&mut out, last, "DPP controls", wavelens_isa::dpp_controls(target));
    let registers = wavelens_isa::inline_registers(target).map(|reg| reg.name());
    all(&mut out, last, "inline registers", registers);
    let words = ["dim", "th", "scope", "format", "op_sel", "row_mask", "dst_sel", "dst_unused", "src0_sel"];
    all(&mut out, last, "values", words.map(|word| (word, wavelens_isa::values(target, word))));
    let registers = wavelens_isa::arguments(target, "hwreg", 0, "");
    let numbers = registers.iter().map(|name| (name, wavelens_isa::hardware_register(target, name)));
    all(&mut out, last, "hardware registers", numbers);
    let messages = wavelens_isa::arguments(target, "sendmsg", 0, "");
    let operations = |name: &&'static str| {
        (*name, wavelens_isa::message(target, name), wavelens_isa::arguments(target, "sendmsg", 1, name))
    };
    all(&mut out, last, "messages", messages.iter().map(operations));
    let calls = ["instid0", "instskip", "gpr_idx", "swizzle"];
    all(&mut out, last, "arguments", calls.map(|call| wavelens_isa::arguments(target, call, 0, "")));
    let counters = ["vmcnt", "lgkmcnt", "expcnt", "vscnt", "loadcnt", "dscnt", "kmcnt", "depctr_va_vdst"];
    let limits = counters.map(|name| (name, wavelens_isa::counter_limit(target, name)));
    all(&mut out, last, "limits of counters", limits);
    out
}

fn opcode(tables: &Tables, opcode: Opcode) -> impl Debug + use<> {
    let (name, desc) = (tables.opcode_name(opcode), tables.desc(opcode));
    let rows = tables.cpu_rows(None, None);
    let operand = |index| {
        let operand = desc.operand(index)?;
        let class = tables.operand_class(&operand, rows).map(|class| tables.class_name(class));
        Some((tables.operand_name(&desc, index), operand.type_index(), operand.is_optional_def(), class))
    };
    let operands: Vec<_> = (0..=desc.operand_count()).map(operand).collect();
    let implicit: Vec<Register> = desc.implicit_defs().chain(desc.implicit_uses()).collect();
    let damaged = [format!("{name}_"), name[..name.len().saturating_sub(1)].to_owned()];
    let found = [tables.opcode(&name), tables.opcode(&damaged[0]), tables.opcode(&damaged[1])];
    (name, found, desc.target_flags, desc.defs, desc.generic, operands, implicit)
}

fn class(tables: &Tables, class: Class) -> impl Debug + use<> {
    let name = tables.class_name(class);
    let others = (0..tables.class_count()).filter_map(|other| u16::try_from(other).ok());
    let subclasses: Vec<u16> = others.filter(|other| tables.is_subclass(class, Class(*other))).collect();
    let indices = (0..tables.sub_index_count()).filter_map(|index| u16::try_from(index).ok());
    let parts: Vec<_> = indices.map(|index| tables.part_class(class, SubIndex(index))).collect();
    let members: Vec<Register> = tables.class_members(class).collect();
    let found = tables.class(&name);
    let facts = (tables.class_bits(class), tables.is_allocatable(class), tables.class_len(class));
    (name, found, subclasses, parts, members, facts)
}

fn register(tables: &Tables, register: Register) -> impl Debug + use<> {
    let name = tables.register_name(register);
    let units: Vec<u16> = tables.units(register).collect();
    let facts = (
        tables.encoding(register),
        tables.minimal_class(register),
        tables.has_dwarf_number(register),
        tables.in_allocatable_class(register),
    );
    let mut longer = tables.registers_with_prefix(&name, |_| true);
    longer.truncate(3);
    (tables.register(&name), longer, name, units, facts)
}

fn machine(machine: Machine) -> String {
    let tables = machine.tables();
    let mut out = format!("{machine:?}\n");
    let opcodes = tables.opcodes_with_prefix("", usize::MAX);
    some(&mut out, "opcodes", opcodes.iter().map(|(at, _)| opcode(tables, *at)));
    let numbers = |count: usize| (0..count).filter_map(|number| u16::try_from(number).ok());
    some(&mut out, "classes", numbers(tables.class_count()).map(|at| class(tables, Class(at))));
    some(&mut out, "registers", numbers(tables.register_count()).map(|at| register(tables, Register(at))));
    let indices = numbers(tables.sub_index_count()).map(SubIndex);
    let indices = indices.map(|at| (tables.sub_index_name(at), tables.sub_index_span(at)));
    some(&mut out, "parts of registers", indices);
    let prefixes = ["", "A", "G_ADD", "M", "V_ADD_", "Z", "_"];
    some(&mut out, "prefixes", prefixes.map(|prefix| tables.opcodes_with_prefix(prefix, 40)));
    out
}

#[test]
fn processors() {
    let mut last = Last::new();
    let found: String = targets().map(|target| processor(target, &mut last)).collect();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/recorded/processors.txt");
    expect_file![file].assert_eq(&found);
}

#[test]
fn machines() {
    let triples =
        ["i686-linux-gnux32", "x86_64-linux", "arm64_32-apple", "thumbv7", "ppc64", "mips", "avr", "none"];
    let found: String = Machine::ALL.into_iter().map(machine).collect();
    let of_triple = triples.map(|triple| {
        let machine = Machine::from_triple(triple);
        let addresses = Machine::ALL.map(|machine| machine.addresses(triple));
        format!("{triple} {machine:?} {addresses:?} {}\n", Machine::has_short_pointers(triple))
    });
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/recorded/machines.txt");
    expect_file![file].assert_eq(&(found + &of_triple.concat()));
}
