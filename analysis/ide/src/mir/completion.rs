//! Completion in Machine IR.

use rustc_hash::{FxHashMap, FxHashSet};
use wavelens_base::{TextRange, TextSize};
use wavelens_isa::mir::{Class, Machine, SubIndex, Tables};
use wavelens_llvm::tables::intrinsics::Intrinsic;
use wavelens_mir::ir::Local;
use wavelens_mir::model::Function;
use wavelens_syntax::mir::{CFI_WORDS, FLOAT_PREDICATES, INTEGER_PREDICATES};

use super::completion_physical as physical;
use super::completion_registers::{Registers, Typed, takes_any, written_class};
use super::completion_types::{is_named, types};
use super::completion_yaml as yaml;
use super::flag_words;
use super::ide_support::{class_rank, function, ir, next_number, register_index, tables, virtuals};
use super::{Cx, generic_docs, hover};
use crate::answers::{Completion, CompletionKind};

/// Names of opcodes and registers that are looked at; the driver keeps the best.
const MANY: usize = 20_000;
/// Opcodes that are listed though the text does not have them: more than the driver keeps.
const ENOUGH: usize = 1000;
/// Opcodes whose operands are shown next to them.
const DETAILED: usize = 200;

/// The types of constants.
const INTEGERS: &[&str] = &["i32", "i64", "i1", "i8", "i16", "i128"];
const FLOATS: &[&str] = &["float", "double", "half", "bfloat", "fp128", "x86_fp80"];
const ELEMENTS: &[&str] = &["s8", "s16", "s32", "s64", "s128", "s1", "p0", "p1", "p3", "p4", "p5"];
/// Of vectors that tell integers from floating-point numbers.
const NAMED_ELEMENTS: &[&str] =
    &["f16", "i16", "i32", "f32", "i8", "bf16", "f64", "i64", "i1", "p0", "p1", "p3"];
const MEMORY: &[&str] = &["load", "store", "load store", "volatile load", "volatile store"];

/// The flags of AMDGPU's operands.
const TARGET_FLAGS: &[&str] = &[
    "amdgpu-gotprel",
    "amdgpu-gotprel32-lo",
    "amdgpu-gotprel32-hi",
    "amdgpu-gotprel64",
    "amdgpu-rel32-lo",
    "amdgpu-rel32-hi",
    "amdgpu-rel64",
    "amdgpu-abs32-lo",
    "amdgpu-abs32-hi",
    "amdgpu-abs64",
];

/// What bodies have most of, in this order, counted in LLVM 18's AMDGPU tests with at most 10 of a file.
#[rustfmt::skip]
const FREQUENT_OPCODES: &[&str] = &[
    "COPY", "S_ENDPGM", "G_TRUNC", "IMPLICIT_DEF", "G_CONSTANT", "V_MOV_B32_e32", "S_MOV_B32", "S_NOP", "S_BRANCH",
    "G_ANYEXT", "G_ICMP", "G_IMPLICIT_DEF", "G_LOAD", "S_LOAD_DWORDX2_IMM", "REG_SEQUENCE", "G_ZEXT",
    "G_BUILD_VECTOR", "G_STORE", "G_UNMERGE_VALUES", "G_INTRINSIC", "G_PTR_ADD", "G_MERGE_VALUES", "S_CBRANCH_SCC1",
    "S_LOAD_DWORD_IMM", "G_SHL", "S_AND_B64", "G_CONCAT_VECTORS", "G_ADD", "FLAT_STORE_DWORD", "S_CBRANCH_EXECZ",
    "G_AND", "S_MOV_B64", "G_SELECT", "FLAT_LOAD_DWORD", "V_ADD_U32_e32", "V_CNDMASK_B32_e64", "G_LSHR",
    "G_FCONSTANT", "PHI", "S_CBRANCH_VCCNZ", "G_BITCAST", "GLOBAL_LOAD_DWORD", "G_FNEG", "G_SEXT",
    "G_INTRINSIC_CONVERGENT", "V_ADD_F32_e32", "SI_RETURN_TO_EPILOG", "V_ADD_CO_U32_e64", "GLOBAL_STORE_DWORD",
    "G_EXTRACT", "S_SETPC_B64_return", "S_AND_B32", "G_BR", "V_AND_B32_e32", "V_MUL_F32_e32",
    "BUFFER_LOAD_DWORD_OFFSET", "SI_IF", "G_OR", "G_FMUL", "G_FADD", "DBG_VALUE", "BUFFER_LOAD_DWORD_OFFEN",
    "G_BRCOND", "G_PHI", "S_OR_B64", "S_MOV_B64_term", "S_WAITCNT", "G_ASHR", "S_CBRANCH_VCCZ", "G_XOR",
    "G_SEXT_INREG", "G_FABS", "V_ADD_F32_e64", "S_CBRANCH_SCC0", "INLINEASM", "S_ADD_U32", "SI_RETURN", "DS_READ_B32",
    "S_CMP_EQ_U32", "DS_WRITE_B32", "S_ADD_I32", "BUNDLE", "KILL",
];

/// What may follow an operand, or be in a memory operand.
const TRAILING: &[&str] = &[
    "debug-location",
    "debug-instr-number",
    "target-flags",
    "implicit",
    "intpred",
    "floatpred",
    "shufflemask",
    "lanemask",
    "blockaddress",
    "intrinsic",
];
const LOCATIONS: &[&str] = &["stack", "got", "constant-pool", "jump-table", "call-entry", "custom"];
const IN_MEMORY: &[&str] = &[
    "load",
    "store",
    "volatile",
    "non-temporal",
    "dereferenceable",
    "invariant",
    "from",
    "into",
    "on",
    "align",
    "basealign",
    "addrspace",
    "seq_cst",
    "acquire",
    "release",
    "acq_rel",
    "monotonic",
    "unordered",
    "syncscope",
    "unknown-size",
];

/// The flags of operations on floating-point numbers.
const FAST_MATH: &[&str] = &["nnan", "ninf", "nsz", "arcp", "contract", "afn", "reassoc", "nofpexcept"];

/// The functions and variables of the embedded module.
fn globals(cx: &Cx<'_>, place: &Place<'_>) -> Vec<Completion> {
    let scope = &cx.scope.llvm;
    let names = scope.globals.iter().map(|global| scope.global_name(global));
    names.map(|name| place.item(name, CompletionKind::Function)).collect()
}

/// Everything that is allowed at the cursor; the caller keeps what fits the typed characters, and sorts.
pub fn complete(cx: &Cx<'_>, at: TextSize) -> Vec<Completion> {
    if let Some(inner) = ir(cx) {
        return crate::llvm::completion::complete(&inner, at);
    }
    let (Some(f), Some(tables)) = (function(cx), tables(cx)) else { return Vec::new() };
    if let Some(items) = yaml::complete(cx, tables, at) {
        return items;
    }
    let place = Place::new(cx, at);
    if f.blocks.first().is_none_or(|b| at < b.range.end()) {
        // A body begins with a block.
        let is_first = place.before.trim().is_empty();
        return is_first.then(|| place.item("bb.0:", CompletionKind::Label)).into_iter().collect();
    }
    let (before, typed) = (place.before, place.typed);
    let names = |names: &[&str], kind| names.iter().map(|n| place.item(*n, kind)).collect();
    let predicates = |words: &[&str]| {
        let meaning = |word: &str| crate::llvm::word(word).unwrap_or_default();
        let item = |word: &&str| place.item(*word, CompletionKind::Constant).documentation(meaning(word));
        words.iter().map(item).collect()
    };
    if before.ends_with("intpred(") {
        return predicates(INTEGER_PREDICATES);
    }
    if before.ends_with("floatpred(") {
        return predicates(FLOAT_PREDICATES);
    }
    if before.ends_with("intrinsic(") {
        return intrinsics(&place);
    }
    if before.ends_with("target-flags(") {
        return names(TARGET_FLAGS, CompletionKind::Constant);
    }
    if typed.starts_with('@') || place.has_target_flags() {
        return globals(cx, &place);
    }
    if before.ends_with(":: (") {
        let has_access = ["load ", "store "].iter().any(|access| place.after.contains(access));
        return names(if has_access { IN_MEMORY } else { MEMORY }, CompletionKind::Keyword);
    }
    if before.ends_with('(') {
        let types = types(cx, f, tables, before, place.after).into_iter();
        return types.map(|(ty, rank)| place.item(ty, CompletionKind::Type).rank(rank)).collect();
    }
    if before.ends_with(" x ") {
        return names(if is_named(cx.text) { NAMED_ELEMENTS } else { ELEMENTS }, CompletionKind::Type);
    }
    match Typed::new(before).opcode {
        "G_CONSTANT" if before.ends_with("G_CONSTANT ") => return names(INTEGERS, CompletionKind::Type),
        "G_FCONSTANT" if before.ends_with("G_FCONSTANT ") => return names(FLOATS, CompletionKind::Type),
        _ => {}
    }
    if let Some(found) = described(cx, &place) {
        return found;
    }
    if before.ends_with("debug-location ") {
        return nodes(cx, &place, "DILocation");
    }
    let line = Typed::new(before);
    if line.opcode == "CFI_INSTRUCTION" && before.ends_with("CFI_INSTRUCTION ") {
        return names(&CFI_WORDS, CompletionKind::Keyword);
    }
    if before.ends_with(':') && !before.ends_with("::") && before.contains('%') {
        return classes(tables, &place);
    }
    if place.is_location() {
        return locations(cx, f, tables, &place);
    }
    let list = before.trim_start();
    if place.is_flag() {
        return flags(flag_words::REGISTER, &place).collect();
    }
    let takes_block = line.takes_block(tables) && !line.is_complete(tables);
    if list.starts_with("successors:")
        || typed.is_empty() && place.branches() && takes_block && !place.has_flags()
    {
        return blocks(f, &place).collect();
    }
    if typed.starts_with('$') || list.starts_with("liveins:") {
        let names = match list.starts_with("liveins:") {
            true => physical::live_ins(tables, list, place.after, typed),
            false => physical::all(tables, typed),
        };
        let item = |(name, rank)| place.item(name, CompletionKind::Register).rank(rank);
        return names.into_iter().take(MANY).map(item).collect();
    }
    if let Some((register, _)) = typed.split_once('.').filter(|_| typed.starts_with('%')) {
        let index = register_index(f, register);
        if register == "%subreg" || index.is_some() {
            return parts(tables, f, index, &place);
        }
    }
    if typed.starts_with('%') {
        return operands(cx, f, tables, &place);
    }
    if place.is_opcode() {
        let mut found = match () {
            () if place.is_result() => Vec::new(),
            () if place.has_opcode(tables) => {
                let is_float = place.after.contains("_F") || place.after.contains("F32");
                let likely = |word: &str| is_float == FAST_MATH.contains(&word);
                flags(flag_words::INSTRUCTION, &place)
                    .map(|item| if likely(&item.label) { item.rank(1) } else { item })
                    .collect()
            }
            () => opcodes(cx, f, tables, &place),
        };
        if place.is_result() || !before.contains(" = ") && place.after.trim().is_empty() {
            // A line may begin with its results.
            let results = values(cx, f, tables, &place).into_iter();
            found.extend(results.map(|item| Completion { rank: item.rank + 2, ..item }));
            let of_results = ["dead", "early-clobber", "renamable", "undef"];
            found.extend(
                flags(flag_words::REGISTER, &place).filter(|w| of_results.contains(&w.label.as_str())),
            );
        }
        found
    } else if before.contains("::") {
        names(IN_MEMORY, CompletionKind::Keyword)
    } else {
        let trailing = TRAILING.iter().map(|w| place.item(*w, CompletionKind::Keyword).rank(4));
        // What the opcode does not name comes after what it names.
        let is_explicit = Typed::new(before).is_explicit(tables);
        let added = ["implicit", "implicit-def", "def", "debug-use", "internal", "early-clobber"];
        let fits = move |item: &Completion| !is_explicit || !added.contains(&item.label.as_str());
        let words = flags(flag_words::REGISTER, &place).chain(trailing).filter(fits);
        words.chain(values(cx, f, tables, &place)).collect()
    }
}

/// What an operand may be whose sigil is not written yet: registers, of the physical ones those that the function names.
fn values(cx: &Cx<'_>, f: &Function, tables: &'static Tables, place: &Place<'_>) -> Vec<Completion> {
    let mut found = operands(cx, f, tables, place);
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let named = cx.text.split('$').skip(1).filter_map(|rest| rest.split(|c| !is_word(c)).next());
    let mut named: Vec<&str> = named.filter(|name| tables.register(name).is_some()).collect();
    named.sort_unstable();
    named.dedup();
    let typed = Typed::new(place.before);
    let class = typed.class(tables, cx.scope.rows_of(Some(f), tables));
    let others = class.map_or(Vec::new(), |class| physical::of_class(tables, class));
    // What the opcode uses without saying so follows `implicit` and `implicit-def`.
    let unnamed = typed.unnamed(tables).into_iter().map(|name| (format!("${name}"), 0));
    let named = unnamed.chain(named.into_iter().map(|name| (format!("${name}"), 2))).chain(others);
    found.extend(named.map(|(name, rank)| place.item(name, CompletionKind::Register).rank(rank)));
    found
}

/// The text before the cursor.
struct Place<'a> {
    /// The line up to the word that is typed.
    before: &'a str,
    typed: &'a str,
    /// The line after the word.
    after: &'a str,
    /// The whole word.
    range: TextRange,
}

impl<'a> Place<'a> {
    fn new(cx: &Cx<'a>, at: TextSize) -> Place<'a> {
        let is_word = |c: char| c.is_ascii_alphanumeric() || "_.$%@-".contains(c);
        let (before, after) = cx.text.split_at_checked(usize::from(at)).unwrap_or((cx.text, ""));
        let line = before.get(before.rfind('\n').map_or(0, |n| n + 1)..).unwrap_or("");
        let mut start = line.trim_end_matches(is_word).len();
        // `<2 x s16>` begins with the bracket alone.
        if line.ends_with('<') {
            start = line.len() - 1;
        }
        let (before, typed) = line.split_at_checked(start).unwrap_or((line, ""));
        let rest = after.find(|c| !is_word(c)).unwrap_or(after.len());
        let start = at - TextSize::of(typed);
        let range = TextRange::new(start, at + TextSize::new(rest as u32));
        let after = after.get(rest..).and_then(|after| after.lines().next()).unwrap_or("");
        Place { before, typed, after, range }
    }

    fn item(&self, label: impl Into<String>, kind: CompletionKind) -> Completion {
        Completion::new(kind, self.range, label).rank(1)
    }

    /// Whether only flags or results precede it.
    fn is_opcode(&self) -> bool {
        let own = self.before.rsplit_once(" = ").map_or(self.before, |(_, own)| own);
        let is_flag = |w: &str| flag_words::INSTRUCTION.iter().any(|(f, _)| *f == w);
        own.split_whitespace().all(is_flag)
    }

    /// Whether flags of a register precede it in the operand.
    fn has_flags(&self) -> bool {
        let own = self.before.rsplit(',').next().unwrap_or("");
        let is_flag = |w: &str| flag_words::REGISTER.iter().any(|(f, _)| *f == w);
        own.split_whitespace().any(is_flag)
    }

    /// Whether flags of the target precede it in the operand, so that a symbol comes next.
    fn has_target_flags(&self) -> bool {
        let flags = self.before.rsplit_once("target-flags(").and_then(|(_, flags)| flags.strip_suffix(") "));
        flags.is_some_and(|flags| !flags.contains(')'))
    }

    /// Whether a register follows without a comma, so that only a flag can be here.
    fn is_flag(&self) -> bool {
        self.typed.is_empty()
            && !self.is_opcode()
            && !self.before.contains("::")
            && self.after.strip_prefix(' ').is_some_and(|after| after.starts_with(['%', '$']))
    }

    /// Whether an instruction with results follows.
    fn is_result(&self) -> bool {
        !self.before.contains(" = ") && self.after.contains(" = ")
    }

    /// Whether the opcode follows, perhaps after further flags.
    fn has_opcode(&self, tables: &Tables) -> bool {
        let is_flag = |w: &str| flag_words::INSTRUCTION.iter().any(|(flag, _)| *flag == w);
        let next = self.after.split_whitespace().find(|word| !is_flag(word));
        next.is_some_and(|word| tables.opcode(word).is_some())
    }

    /// Whether the place in memory comes next in a memory operand.
    fn is_location(&self) -> bool {
        self.before.contains("::") && ["from ", "into ", "on "].iter().any(|word| self.before.ends_with(word))
    }

    /// Whether the line's opcode goes to blocks.
    fn branches(&self) -> bool {
        let mut words = self.before.split_whitespace();
        words.any(|w| w.contains("BRANCH") || w.contains("_BR") || w.starts_with('J') || w == "B")
    }
}

fn flags<'p>(
    words: &'static [(&'static str, &'static str)],
    place: &'p Place<'_>,
) -> impl Iterator<Item = Completion> + 'p {
    words.iter().map(|(w, meaning)| place.item(*w, CompletionKind::Keyword).documentation(*meaning).rank(2))
}

/// Classes and banks of a register; where a type follows it has no class.
fn classes(tables: &Tables, place: &Place<'_>) -> Vec<Completion> {
    let has_type = place.after.starts_with('(');
    let banks = tables.facts().banks.iter().map(|b| (b.name.clone(), b.size, 1));
    let classes = (0..tables.class_count() as u16).map(Class).filter(|_| !has_type).map(|c| {
        let name = tables.class_name(c);
        let rank = class_rank(&name);
        (name, tables.class_bits(c), rank)
    });
    let item = |(name, bits, rank): (String, u32, u8)| {
        place.item(name, CompletionKind::Type).detail(format!("{bits} bits")).rank(rank)
    };
    let generic = place.item("_", CompletionKind::Type).detail("a generic register: no bank yet");
    banks.chain(classes).map(item).chain([generic]).collect()
}

/// What memory operands name after `from`, `into` and `on`.
fn locations(cx: &Cx<'_>, f: &Function, tables: &'static Tables, place: &Place<'_>) -> Vec<Completion> {
    let words = LOCATIONS.iter().map(|word| place.item(*word, CompletionKind::Keyword).rank(2));
    operands(cx, f, tables, place).into_iter().chain(words).collect()
}

/// Subregister indices: those that a register's class has, or all.
fn parts(tables: &Tables, f: &Function, register: Option<u32>, place: &Place<'_>) -> Vec<Completion> {
    let class = register.and_then(|r| virtuals(f).get(r as usize).map(|v| v.class));
    let class = class.and_then(|c| tables.class(f.names.get(c)));
    let dot = place.typed.find('.').map_or(0, |d| d + 1);
    let range = TextRange::new(place.range.start() + TextSize::new(dot as u32), place.range.end());
    let indices = (0..tables.sub_index_count() as u16).map(SubIndex);
    let fits = |i: &SubIndex| match class {
        Some(class) => tables.part_class(class, *i).is_some(),
        None => register.is_none(),
    };
    let item = |i: SubIndex| {
        let name = tables.sub_index_name(i);
        // Those that put many together are long and seldom written.
        let rank = 1 + name.matches('_').count().min(5) as u8;
        Completion::new(CompletionKind::Constant, range, name).detail(hover::span(tables, i)).rank(rank)
    };
    indices.filter(fits).map(item).filter(|i| !i.label.is_empty()).collect()
}

fn blocks<'p>(f: &'p Function, place: &'p Place<'_>) -> impl Iterator<Item = Completion> + 'p {
    f.blocks.iter().map(|b| {
        place.item(format!("%bb.{}", b.number), CompletionKind::Label).detail(f.names.get(b.name)).rank(2)
    })
}

/// Everything that starts with a percent sign.
fn operands(cx: &Cx<'_>, f: &Function, tables: &'static Tables, place: &Place<'_>) -> Vec<Completion> {
    let typed = Typed::new(place.before);
    let mut registers = Registers::new(cx, f, tables, &typed, place.range);
    let mut found = Vec::new();
    if typed.is_part() {
        let indices =
            (0..tables.sub_index_count() as u16).map(|index| tables.sub_index_name(SubIndex(index)));
        let long = |name: &str| 1 + name.matches('_').count().min(5) as u8;
        let item =
            |name: String| place.item(format!("%subreg.{name}"), CompletionKind::Constant).rank(long(&name));
        return indices.filter(|name| !name.is_empty()).map(item).collect();
    }
    // What the line defines is not known before it.
    let head = place.before.split_once('=').map_or("", |(head, _)| head);
    let is_own = |name: &str| head.split([':', ',', '(', ' ']).any(|word| word == name);
    let takes_block = typed.takes_block(tables);
    let takes_register = !typed.in_memory && !typed.is_second();
    for index in (0..f.registers.len() as u32).filter(|_| takes_register) {
        let text = f.register_text(index);
        if is_own(&text) {
            continue;
        }
        let Some(rank) = registers.rank(index) else {
            let parts = registers.parts(index).iter();
            let item = |part: &String| place.item(format!("{text}.{part}"), CompletionKind::Local).rank(6);
            found.extend(parts.map(item));
            continue;
        };
        let Some(own) = registers.all.get(index as usize) else { continue };
        let ty = own.ty.map_or(String::new(), |t| format!("({t})"));
        let detail = format!("{}{ty}", f.names.get(own.class));
        let rank = if place.branches() && takes_block { 60 } else { rank };
        let item = place.item(text, CompletionKind::Local).detail(detail).rank(rank);
        // The part that a result is written to stays.
        found.push(match cx.slice(place.range).split_once('.') {
            Some((name, _)) if registers.is_result => {
                Completion { range: TextRange::at(place.range.start(), TextSize::of(name)), ..item }
            }
            _ => item,
        });
    }
    if takes_block && !typed.in_memory {
        let targets = blocks(f, place).enumerate().filter(|(index, _)| registers.is_target(*index));
        found.extend(targets.map(|(_, b)| if place.branches() { b.rank(0) } else { b }));
    }
    if typed.takes_object() || typed.in_memory {
        found.extend(f.frame.iter().map(|o| {
            let kind = if o.fixed { "%fixed-stack" } else { "%stack" };
            let item = place.item(format!("{kind}.{}", o.id), CompletionKind::Variable);
            item.detail(format!("{} bytes", o.size)).rank(3)
        }));
        found.extend(f.constants.iter().map(|c| {
            let item = place.item(format!("%const.{}", c.id), CompletionKind::Constant);
            item.detail(c.value.text.as_str()).rank(3)
        }));
    }
    let locals = cx.scope.functions.get(&f.properties.name.text).map(|f| &f.locals);
    let in_address = place.before.contains("blockaddress(");
    found.extend(locals.into_iter().flatten().filter_map(|(name, local)| {
        let bare = name.trim_start_matches('%');
        let plain = bare.chars().all(|c| c.is_ascii_alphanumeric() || "_.-$".contains(c));
        let is_block = *local == Local::Block;
        let fits = if is_block { in_address } else { typed.in_memory };
        let sigil = if is_block { "%ir-block" } else { "%ir" };
        (plain && fits).then(|| place.item(format!("{sigil}.{bare}"), CompletionKind::Variable).rank(0))
    }));
    let fresh = place.before.trim().is_empty().then(|| format!("%{}", next_number(f)));
    found.extend(fresh.map(|n| place.item(n, CompletionKind::Local).detail("a new register").rank(0)));
    found
}

/// The nodes of a kind of the embedded module.
fn nodes(cx: &Cx<'_>, place: &Place<'_>, kind: &str) -> Vec<Completion> {
    let all =
        cx.scope.llvm.summaries.iter().flat_map(|(_, s)| s.cold.metadata.iter().map(move |node| (s, node)));
    let items = all.filter_map(|(summary, node)| {
        let name = summary.tables.cold.md_nodes.get(node.node as usize)?.kind.name();
        let item = place.item(format!("!{}", node.number), CompletionKind::Metadata);
        name.ends_with(kind).then(|| item.detail(name).rank(1))
    });
    items.chain([place.item(format!("!{kind}("), CompletionKind::Metadata).rank(2)]).collect()
}

/// What a debug instruction names next where that is its variable or its expression.
fn described(cx: &Cx<'_>, place: &Place<'_>) -> Option<Vec<Completion>> {
    match (Typed::new(place.before).opcode, place.before.matches(',').count()) {
        ("DBG_VALUE", 2) | ("DBG_VALUE_LIST" | "DBG_INSTR_REF", 0) => {
            let mut found = nodes(cx, place, "DILocalVariable");
            found.retain(|item| !item.label.ends_with('('));
            Some(found)
        }
        ("DBG_VALUE", 3) | ("DBG_VALUE_LIST" | "DBG_INSTR_REF", 1) => {
            Some(vec![place.item("!DIExpression", CompletionKind::Metadata).insert("!DIExpression(")])
        }
        _ => None,
    }
}

fn intrinsics(place: &Place<'_>) -> Vec<Completion> {
    let all = Intrinsic::with_prefix("llvm.").take(20_000);
    all.map(|i| {
        let item = place.item(format!("@{}", i.name()), CompletionKind::Function);
        item.detail(i.readable_signature())
    })
    .collect()
}

fn opcodes(cx: &Cx<'_>, f: &Function, tables: &Tables, place: &Place<'_>) -> Vec<Completion> {
    let all = virtuals(f);
    let is_amdgpu = cx.scope.machine == Some(Machine::Amdgpu);
    let line = format!("{}X{}", place.before, place.after);
    let written = Typed::whole(&line);
    let is_written = !place.after.trim().is_empty();
    let frequent: FxHashMap<&str, usize> =
        FREQUENT_OPCODES.iter().enumerate().map(|(at, n)| (*n, at)).collect();
    let often = |name: &str| frequent.get(name).copied();
    let rows = cx.scope.rows_of(Some(f), tables);
    // Asked once: there are many opcodes.
    let named = written.all().map(|operand| (operand, written_class(f, tables, &all, operand)));
    let classes: FxHashMap<&str, Option<Class>> = named.collect();
    let class = |operand: &str| classes.get(operand).copied().flatten();
    let rank = |name: &str| match name {
        // More than use in the text can make up for.
        n if !written.fits(tables, rows, class, n) => 60,
        n if lacks_operand(n, place.after) || written.names_others(tables, n) => 60,
        // With operands written, an opcode that has just these comes before one that takes any.
        n if is_written && takes_any(tables, n) => 4 + 6 * u8::from(often(n).is_none()),
        n if often(n).is_some_and(|place| place < 20) => 1,
        n if often(n).is_some() => 3,
        n if is_amdgpu && is_encoded(n) => 9,
        n if is_amdgpu && ["_dpp", "_sdwa", "_fake16", "_t16"].iter().any(|part| n.contains(part)) => 7,
        _ => 5,
    };
    let names = tables.opcodes_with_prefix(place.typed, usize::MAX).into_iter();
    let mut items: Vec<_> = names
        .map(|(_, n)| {
            let rank = rank(&n);
            place.item(n, CompletionKind::Opcode).rank(rank)
        })
        .collect();
    items.sort_by_key(|i| i.rank);
    // Only what the text has can come before what precedes it here.
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let words: FxHashSet<&str> = cx.text.split(|c| !is_word(c)).collect();
    let mut count = 0;
    items.retain(|item| {
        count += 1;
        count <= ENOUGH || words.contains(item.label.as_str())
    });
    for item in items.iter_mut().take(DETAILED) {
        item.detail = hover::signature_text(cx, &item.label).map_or(String::new(), |s| s.0);
        item.documentation = generic_docs::words(&item.label).unwrap_or_default().to_owned();
    }
    // Flags come before an opcode, not before its operands.
    if place.after.trim().is_empty() {
        items.extend(flags(flag_words::INSTRUCTION, place));
    }
    if place.before.trim().is_empty() && !is_written {
        let lists = ["liveins", "successors"];
        items.extend(lists.map(|w| place.item(w, CompletionKind::Keyword).insert(format!("{w}: "))));
    }
    items
}

/// Whether the text after the place lacks an operand that an opcode always has, or has one that only other opcodes take.
fn lacks_operand(opcode: &str, after: &str) -> bool {
    if after.trim().is_empty() {
        return false;
    }
    let marks =
        [("DBG_", " !"), ("BUNDLE", "{"), ("G_INTRINSIC", "intrinsic("), ("INLINEASM", "&"), ("KILL", "$")];
    let mark = marks.iter().find(|(start, _)| opcode.starts_with(start) && opcode != "DBG_LABEL");
    match mark {
        Some((_, mark)) => !after.contains(mark),
        None => after.contains("intrinsic(") || after.starts_with(" &"),
    }
}

/// Opcodes of one encoding are for the last step of code generation; bodies hold those without a processor in the name.
fn is_encoded(opcode: &str) -> bool {
    ["_vi", "_si", "_ci"].iter().any(|end| opcode.ends_with(end)) || opcode.contains("_gfx")
}
