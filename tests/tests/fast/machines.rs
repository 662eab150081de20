//! What the tables answer about each processor and machine: limits in full, and how many answers there are of each kind.
//! `UPDATE_EXPECT=1` writes `tests/data/recorded/machines.txt` and `processors.txt` again.

use std::fmt::{Debug, Write};
use std::path::Path;

use expect_test::expect_file;
use wavelens_isa::mir::{Class, Machine, Opcode, Register, SubIndex, Tables};
use wavelens_isa::processor::{ProcessorFacts, version};
use wavelens_isa::{Target, WaveSize};

/// One processor of each kind: they have tens of thousands of sample lines.
const SAMPLED: [&str; 8] =
    ["gfx600", "gfx803", "gfx90a", "gfx950", "gfx1030", "gfx1100", "gfx1200", "gfx1250"];

/// How many answers a topic has.
fn line(out: &mut String, topic: &str, answers: impl IntoIterator<Item = impl Debug>) {
    let text: String = answers.into_iter().map(|answer| format!("{answer:?}\n")).collect();
    _ = writeln!(out, "  {topic} {}", text.lines().count());
}

/// Every processor with each wave size that it has.
fn targets() -> impl Iterator<Item = Target> {
    let both = |target: Target| {
        let sizes = [WaveSize::W32, WaveSize::W64].map(|wave| target.with_wave_size(wave));
        sizes.into_iter().flatten()
    };
    Target::names().filter_map(Target::named).flat_map(both)
}

fn processor(target: Target) -> String {
    let mut out = format!("{} {:?}\n", target.name(), target.wave_size());
    _ = writeln!(out, "  {:?}", target.limits());
    let sizes = [1, 31, 32, 33, 63, 64, 65, 127, 128, 256, 512, 768, 1024];
    let memory = [0, 1, 1024, 4096, 8191, 8192, 16384, 21845, 32768, 65536, 81920, 131_072, 163_840, 327_680];
    let pairs = || sizes.into_iter().flat_map(|a| sizes.map(|b| (a, b)));
    let waves = memory.into_iter().flat_map(|lds| pairs().map(move |s| target.waves_of_workgroups(lds, s)));
    line(&mut out, "waves of workgroups", waves);
    line(&mut out, "waves of scalar registers", (0..=128).map(|count| target.waves_of_sgprs(count)));
    let facts = ProcessorFacts::of(target);
    let on = [false, true];
    let extra = on.into_iter().flat_map(|v| on.into_iter().flat_map(move |f| on.map(|x| (v, f, x))));
    line(&mut out, "further scalar registers", extra.map(|(v, f, x)| facts.extra_sgprs(v, f, x)));
    let granules = [None, Some(false), Some(true)].map(|wave32| facts.vgpr_encoding_granule(wave32));
    _ = writeln!(
        out,
        "  {:?} {granules:?} {} {} {}",
        version(target.name()),
        facts.addressable_sgprs(),
        facts.max_user_sgprs(),
        facts.local_memory()
    );
    line(&mut out, "constants", facts.constants());
    line(&mut out, "features", target.features());
    let templates = target.mnemonics().map(|mnemonic| (mnemonic, wavelens_isa::templates(target, mnemonic)));
    line(&mut out, "operands", templates);
    let policies = |mnemonic| (mnemonic, wavelens_isa::cache_policies(target, mnemonic));
    line(&mut out, "cache policies", target.mnemonics().map(policies));
    line(&mut out, "export targets", wavelens_isa::export_targets(target));
    line(&mut out, "DPP controls", wavelens_isa::dpp_controls(target));
    line(&mut out, "inline registers", wavelens_isa::inline_registers(target));
    let words = ["dim", "th", "scope", "format", "op_sel", "row_mask", "dst_sel", "dst_unused", "src0_sel"];
    line(&mut out, "values", words.map(|word| (word, wavelens_isa::values(target, word))));
    let registers = wavelens_isa::arguments(target, "hwreg", 0, "");
    let numbers = registers.iter().map(|name| (name, wavelens_isa::hardware_register(target, name)));
    line(&mut out, "hardware registers", numbers);
    let messages = wavelens_isa::arguments(target, "sendmsg", 0, "");
    let operations = |name: &&'static str| {
        (*name, wavelens_isa::message(target, name), wavelens_isa::arguments(target, "sendmsg", 1, name))
    };
    line(&mut out, "messages", messages.iter().map(operations));
    let calls = ["instid0", "instskip", "gpr_idx", "swizzle"];
    line(&mut out, "arguments", calls.map(|call| wavelens_isa::arguments(target, call, 0, "")));
    let counters = ["vmcnt", "lgkmcnt", "expcnt", "vscnt", "loadcnt", "dscnt", "kmcnt", "depctr_va_vdst"];
    line(&mut out, "limits of counters", counters.map(|name| wavelens_isa::counter_limit(target, name)));
    if SAMPLED.contains(&target.name()) {
        let rows = (0..wavelens_isa::rows()).flat_map(|row| wavelens_isa::samples(target, row, 6));
        line(&mut out, "sample lines", rows);
    }
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
    line(&mut out, "opcodes", opcodes.iter().map(|(at, _)| opcode(tables, *at)));
    let numbers = |count: usize| (0..count).filter_map(|number| u16::try_from(number).ok());
    line(&mut out, "classes", numbers(tables.class_count()).map(|at| class(tables, Class(at))));
    line(&mut out, "registers", numbers(tables.register_count()).map(|at| register(tables, Register(at))));
    let indices = numbers(tables.sub_index_count()).map(SubIndex);
    let indices = indices.map(|at| (tables.sub_index_name(at), tables.sub_index_span(at)));
    line(&mut out, "parts of registers", indices);
    let prefixes = ["", "A", "G_ADD", "M", "V_ADD_", "Z", "_"];
    line(&mut out, "prefixes", prefixes.map(|prefix| tables.opcodes_with_prefix(prefix, 40)));
    out
}

#[test]
fn processors() {
    let found: String = targets().map(processor).collect();
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
