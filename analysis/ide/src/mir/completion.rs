//! Completion in Machine IR.

use wavelens_isa::mir::{Class, Machine, SubIndex, Tables};
use wavelens_semantics::llvm::tables::intrinsics::Intrinsic;
use wavelens_semantics::mir::ir::Local;
use wavelens_semantics::mir::model::Function;
use wavelens_semantics::{TextRange, TextSize};
use wavelens_syntax::mir::{FLOAT_PREDICATES, INTEGER_PREDICATES};

use super::completion_yaml as yaml;
use super::flag_words;
use super::ide_support::{function, ir, is_written_class, next_number, tables, virtuals};
use super::{Cx, generic_docs, hover};
use crate::answers::{Completion, CompletionKind};

/// Names of opcodes and registers that are looked at; the driver keeps the best.
const MANY: usize = 20_000;
/// Opcodes whose operands are shown next to them.
const DETAILED: usize = 200;

const TYPES: &[&str] =
    &["s1", "s8", "s16", "s32", "s64", "p0", "p1", "p3", "p4", "p5", "<2 x s16>", "<2 x s32>", "<4 x s32>"];
const MEMORY: &[&str] = &["load", "store", "load store", "volatile load", "volatile store"];

/// The flags of AMDGPU's operands.
const TARGET_FLAGS: &[&str] = &[
    "amdgpu-gotprel",
    "amdgpu-gotprel32-lo",
    "amdgpu-gotprel32-hi",
    "amdgpu-rel32-lo",
    "amdgpu-rel32-hi",
    "amdgpu-rel64",
    "amdgpu-abs32-lo",
    "amdgpu-abs32-hi",
    "amdgpu-abs64",
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
    "blockaddress",
    "intrinsic",
];
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
    "custom",
    "stack",
    "got",
    "constant-pool",
    "jump-table",
];

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
    if f.blocks.first().is_none_or(|b| at < b.range.end()) {
        return Vec::new();
    }
    let place = Place::new(cx, at);
    let (before, typed) = (place.before, place.typed);
    let names = |names: &[&str], kind| names.iter().map(|n| place.item(*n, kind)).collect();
    if before.ends_with("intpred(") {
        return names(INTEGER_PREDICATES, CompletionKind::Constant);
    }
    if before.ends_with("floatpred(") {
        return names(FLOAT_PREDICATES, CompletionKind::Constant);
    }
    if before.ends_with("intrinsic(") {
        return intrinsics(&place);
    }
    if before.ends_with("target-flags(") {
        return names(TARGET_FLAGS, CompletionKind::Constant);
    }
    if typed.starts_with('@') {
        return globals(cx, &place);
    }
    if before.ends_with(":: (") {
        return names(MEMORY, CompletionKind::Keyword);
    }
    if before.ends_with('(') {
        return names(TYPES, CompletionKind::Type);
    }
    if before.ends_with(':') && !before.ends_with("::") && before.contains('%') {
        return classes(tables, &place);
    }
    let list = before.trim_start();
    if list.starts_with("successors:") || (typed.is_empty() && place.branches()) {
        return blocks(f, &place).collect();
    }
    if typed.starts_with('$') || list.starts_with("liveins:") {
        return registers(tables, &place);
    }
    if let Some((register, _)) = typed.split_once('.').filter(|_| typed.starts_with('%')) {
        let index = (0..f.registers.len() as u32).find(|i| f.register_text(*i) == register);
        if register == "%subreg" || index.is_some() {
            return parts(tables, f, index, &place);
        }
    }
    if typed.starts_with('%') {
        return operands(cx, f, &place);
    }
    if place.is_opcode() {
        opcodes(cx, tables, &place)
    } else if before.contains("::") {
        let open =
            before.rfind(['(', ')']).is_some_and(|at| before.get(at..).is_some_and(|b| b.starts_with('(')));
        let types = TYPES.iter().filter(|_| open && before.ends_with('(')).copied();
        types.chain(IN_MEMORY.iter().copied()).map(|w| place.item(w, CompletionKind::Keyword)).collect()
    } else {
        let trailing = TRAILING.iter().map(|w| place.item(*w, CompletionKind::Keyword).rank(4));
        flags(flag_words::REGISTER, &place).chain(trailing).collect()
    }
}

/// The text before the cursor.
struct Place<'a> {
    /// The line up to the word that is typed.
    before: &'a str,
    typed: &'a str,
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
        Place { before, typed, range: TextRange::new(start, at + TextSize::new(rest as u32)) }
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

fn classes(tables: &Tables, place: &Place<'_>) -> Vec<Completion> {
    let banks = tables.facts().banks.iter().map(|b| (b.name.clone(), b.size, 1));
    let classes = (0..tables.class_count() as u16).map(Class).map(|c| {
        let name = tables.class_name(c);
        let rank = if is_written_class(&name) { 1 } else { 9 };
        (name, tables.class_bits(c), rank)
    });
    let item = |(name, bits, rank): (String, u32, u8)| {
        place.item(name, CompletionKind::Type).detail(format!("{bits} bits")).rank(rank)
    };
    banks.chain(classes).map(item).collect()
}

/// What people name most first, then other single registers, tuples, halves.
fn registers(tables: &Tables, place: &Place<'_>) -> Vec<Completion> {
    let names = tables.registers_with_prefix(place.typed.trim_start_matches('$'), usize::MAX);
    let common = |n: &str| ["sgpr", "vgpr"].iter().any(|p| n.starts_with(p)) || !n.contains(char::is_numeric);
    let rank = |name: &str| match name {
        n if n.contains("_lo") || n.contains("_hi") => 4,
        n if n.contains('_') => 3,
        n => 2 - u8::from(common(n)),
    };
    let mut items: Vec<_> = names
        .into_iter()
        .map(|n| place.item(format!("${n}"), CompletionKind::Register).rank(rank(&n)))
        .collect();
    items.sort_by_key(|i| (i.rank, i.label.len()));
    items.truncate(MANY);
    items
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
fn operands(cx: &Cx<'_>, f: &Function, place: &Place<'_>) -> Vec<Completion> {
    let all = virtuals(f);
    // What the line defines is not known before it.
    let head = place.before.split_once('=').map_or("", |(head, _)| head);
    let is_own = |name: &str| head.split([':', ',', '(', ' ']).any(|word| word == name);
    let others = (0..f.registers.len() as u32).zip(&all).filter(|(i, _)| !is_own(&f.register_text(*i)));
    let registers = others.map(|(i, own)| {
        let ty = own.ty.map_or(String::new(), |t| format!("({t})"));
        let detail = format!("{}{ty}", f.names.get(own.class));
        let rank = if place.branches() || place.before.contains("::") { 60 } else { 1 };
        place.item(f.register_text(i), CompletionKind::Local).detail(detail).rank(rank)
    });
    let branches = place.branches();
    let blocks = blocks(f, place).map(|b| if branches { b.rank(0) } else { b });
    let frame = f.frame.iter().map(|o| {
        let kind = if o.fixed { "%fixed-stack" } else { "%stack" };
        let item = place.item(format!("{kind}.{}", o.id), CompletionKind::Variable);
        item.detail(format!("{} bytes", o.size)).rank(3)
    });
    let constants = f.constants.iter().map(|c| {
        let item = place.item(format!("%const.{}", c.id), CompletionKind::Constant);
        item.detail(c.value.text.as_str()).rank(3)
    });
    let in_memory = place.before.contains("::");
    let locals = cx.scope.functions.get(&f.properties.name.text).map(|f| &f.locals);
    let values = locals.into_iter().flatten().filter_map(|(name, local)| {
        let bare = name.trim_start_matches('%');
        let plain = bare.chars().all(|c| c.is_ascii_alphanumeric() || "_.-$".contains(c));
        let is_block = *local == Local::Block;
        let sigil = if is_block { "%ir-block" } else { "%ir" };
        let rank = if in_memory && !is_block { 0 } else { 4 };
        plain.then(|| place.item(format!("{sigil}.{bare}"), CompletionKind::Variable).rank(rank))
    });
    let fresh = place.before.trim().is_empty().then(|| format!("%{}", next_number(f)));
    let fresh = fresh.map(|n| place.item(n, CompletionKind::Local).detail("a new register").rank(0));
    registers.chain(blocks).chain(frame).chain(constants).chain(values).chain(fresh).collect()
}

fn intrinsics(place: &Place<'_>) -> Vec<Completion> {
    let all = Intrinsic::with_prefix("llvm.").take(20_000);
    all.map(|i| {
        let item = place.item(format!("@{}", i.name()), CompletionKind::Function);
        item.detail(i.readable_signature())
    })
    .collect()
}

fn opcodes(cx: &Cx<'_>, tables: &Tables, place: &Place<'_>) -> Vec<Completion> {
    let is_amdgpu = cx.scope.machine == Some(Machine::Amdgpu);
    let rank = |name: &str| match name {
        n if is_amdgpu && is_encoded(n) => 5,
        n if is_amdgpu && ["_dpp", "_sdwa", "_fake16", "_t16"].iter().any(|part| n.contains(part)) => 3,
        _ => 1,
    };
    let names = tables.opcodes_with_prefix(place.typed, usize::MAX).into_iter();
    let mut items: Vec<_> = names
        .map(|(_, n)| {
            let rank = rank(&n);
            place.item(n, CompletionKind::Opcode).rank(rank)
        })
        .collect();
    items.sort_by_key(|i| i.rank);
    items.truncate(MANY);
    for item in items.iter_mut().take(DETAILED) {
        item.detail = hover::signature_text(cx, &item.label).map_or(String::new(), |s| s.0);
        item.documentation = generic_docs::words(&item.label).unwrap_or_default().to_owned();
    }
    items.extend(flags(flag_words::INSTRUCTION, place));
    if place.before.trim().is_empty() {
        let lists = ["liveins", "successors"];
        items.extend(lists.map(|w| place.item(w, CompletionKind::Keyword).insert(format!("{w}: "))));
    }
    items
}

/// Opcodes of one encoding are for the last step of code generation; bodies hold those without a processor in the name.
fn is_encoded(opcode: &str) -> bool {
    ["_vi", "_si", "_ci"].iter().any(|end| opcode.ends_with(end)) || opcode.contains("_gfx")
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use wavelens_semantics::Dialect;

    use crate::features;
    use crate::features::tests::at_cursor;

    /// The first suggestions at the cursor.
    fn complete(line: &str) -> String {
        let fixture = format!(
            "---\nname: f\nstack:\n  - {{ id: 0, size: 4 }}\nbody: |\n  bb.0.entry:\n    %0:_(s32) = G_IMPLICIT_DEF\n    {line}\n...\n"
        );
        suggestions(&fixture)
    }

    fn suggestions(fixture: &str) -> String {
        at_cursor(Dialect::Mir, fixture, |view, at| {
            let all = features::complete(view, at).items.into_iter().take(5);
            all.map(|c| format!("{} {}\n", c.insert, c.detail)).collect()
        })
    }

    #[test]
    fn in_the_body() {
        expect![[r#"
            G_ADD dst:type0 = G_ADD src1:type0, src2:type0
            G_ADDRSPACE_CAST dst:type0 = G_ADDRSPACE_CAST src:type1
        "#]]
        .assert_eq(&complete("%1:_(s32) = G_ADD$0"));
        expect![[r#"
            %0 _(s32)
            %bb.0 entry
            %stack.0 4 bytes
        "#]]
        .assert_eq(&complete("%1:_(s32) = G_ADD %$0"));
        expect![[r#"
            %bb.0 entry
            %stack.0 4 bytes
            %0 _(s32)
        "#]]
        .assert_eq(&complete("S_BRANCH %$0"));
        expect![[r#"
            %bb.0 entry
        "#]]
        .assert_eq(&complete("S_BRANCH $0"));
        expect![[r#"
            sgpr 1024 bits
            sgpr_32 32 bits
            sgpr_64 64 bits
            sgpr_96 96 bits
            sgpr_128 128 bits
        "#]]
        .assert_eq(&complete("%1:sg$0"));
        expect![[r#"
            agpr 1024 bits
            agpr_32 32 bits
            aperture_class 64 bits
            areg_64 64 bits
            areg_64_align2 64 bits
        "#]]
        .assert_eq(&complete("%1:$0"));
        expect![[r#"
            <2 x s16> 
            <2 x s32> 
            <4 x s32> 
        "#]]
        .assert_eq(&complete("%1:_(<$0"));
        expect![[r#"
            s32 
            <2 x s16> 
            <2 x s32> 
            <4 x s32> 
            p0 
        "#]]
        .assert_eq(&complete("%1:_($0"));
        expect![[r#"
            $vgpr0 
            $vgpr1 
            $vgpr2 
            $vgpr3 
            $vgpr4 
        "#]]
        .assert_eq(&complete("$sgpr0 = COPY $vg$0"));
        expect![[r#"
            V_ADD_F16_e32 vdst:vgpr_32 = V_ADD_F16_e32 src0:vs_32, src1:vgpr_32
            V_ADD_F16_e64 vdst:vgpr_32 = V_ADD_F16_e64 src0_modifiers, src0:vs_32, src1_modifiers, src1:vs_32, clamp:imm, omod:imm
            V_ADD_F32_e32 vdst:vgpr_32 = V_ADD_F32_e32 src0:vs_32, src1:vgpr_32
            V_ADD_F32_e64 vdst:vgpr_32 = V_ADD_F32_e64 src0_modifiers, src0:vs_32, src1_modifiers, src1:vs_32, clamp:imm, omod:imm
            V_ADD_F64_e64 vdst:vreg_64 = V_ADD_F64_e64 src0_modifiers, src0:vs_64, src1_modifiers, src1:vs_64, clamp:imm, omod:imm
        "#]].assert_eq(&complete("%1:vgpr_32 = V_ADD_F$0"));
        expect![[r#"
            nofpexcept 
        "#]]
        .assert_eq(&complete("%1:vgpr_32 = nof$0"));
        expect![[r#"
            killed 
            blockaddress 
            shufflemask 
        "#]]
        .assert_eq(&complete("%1:vgpr_32 = COPY k$0"));
    }

    #[test]
    fn in_parentheses_and_parts() {
        expect![[r#"
            sge 
            sgt 
            sle 
            slt 
        "#]]
        .assert_eq(&complete("%1:_(s1) = G_ICMP intpred(s$0), %0, %0"));
        expect![[r#"
            @llvm.amdgcn.workitem.id.x i32 ()
            @llvm.amdgcn.workitem.id.y i32 ()
            @llvm.amdgcn.workitem.id.z i32 ()
        "#]]
        .assert_eq(&complete("%1:_(s32) = G_INTRINSIC intrinsic(@llvm.amdgcn.workitem$0"));
        expect![[r#"
            load 
            load store 
            store 
            volatile load 
            volatile store 
        "#]]
        .assert_eq(&complete("G_STORE %0, %1 :: ($0"));
        expect![[r#"
            hi16 bits 16 to 31
            lo16 bits 0 to 15
            sub0 bits 0 to 31
            sub1 bits 32 to 63
            sub1_hi16 bits 48 to 63
        "#]]
        .assert_eq(&complete("%1:vreg_64 = IMPLICIT_DEF\n    %2:vgpr_32 = COPY %1.$0"));
        expect![[r#"
            sub1 bits 32 to 63
            sub10 bits 320 to 351
            sub11 bits 352 to 383
            sub12 bits 384 to 415
            sub13 bits 416 to 447
        "#]]
        .assert_eq(&complete("%1:sgpr_64 = REG_SEQUENCE %0, %subreg.sub1$0"));
        expect![[r#"
            %ir.n 
            %ir.p 
            %bb.0 
            %ir-block.entry 
            %1 
        "#]].assert_eq(&suggestions(
            "--- |\n  define void @f(ptr %p, i32 %n) {\n  entry:\n    ret void\n  }\n...\n---\nname: f\nbody: |\n  bb.0:\n    G_STORE %0, %1 :: (store (s32) into %$0\n...\n",
        ));
    }

    #[test]
    fn lists_of_blocks() {
        expect![[r#"
            %bb.0 entry
        "#]]
        .assert_eq(&complete("successors: $0"));
        expect![[r#"
            $asynccnt 
            $exec 
            $mode 
            $noreg 
            $scc 
        "#]]
        .assert_eq(&complete("liveins: $0"));
    }

    #[test]
    fn keys() {
        expect![[r#"
            tracksDebugUserValues: true 
            tracksRegLiveness: true 
            entry_values: 
        "#]]
        .assert_eq(&suggestions("---\nname: f\ntra$0\nbody: |\n  bb.0:\n...\n"));
        expect![[r#"
            stack: 
            callSites: 
            calleeSavedRegisters: 
            callsEHReturn: true 
            callsUnwindInit: true 
        "#]]
        .assert_eq(&suggestions("---\nname: f\nst$0\n...\n"));
        expect![[""]].assert_eq(&suggestions("---\nname: f$0\nbody: |\n  bb.0:\n...\n"));
    }
}
