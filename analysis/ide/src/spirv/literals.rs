//! What literal numbers in instructions mean.

use wavelens_base::TextRange;
use wavelens_spirv::code::{Id, Inst};
use wavelens_spirv::context::RuleContext;
use wavelens_spirv::type_names::member_name;
use wavelens_syntax::spirv::tables::{Kind, Op};

use super::Cx;
use super::paths::component;
use super::place::decoration_text;
use crate::answers::{Hint, HintKind};

/// Members of structures with more decorations have no hints: each member looks at all of them.
const MANY: usize = 2048;

/// The operands of an instruction but its result, in the order of the text, each with its range.
fn written<'a>(cx: &'a Cx<'_>, index: usize, inst: Inst<'a>) -> impl Iterator<Item = (u32, TextRange)> + 'a {
    let raw = cx.lowered.flat.insts.get(index);
    let (first, count) = raw.map_or((0, 0), |raw| (raw.first as usize, raw.count as usize));
    let flat = cx.lowered.flat.operands.get(first..first + count).unwrap_or(&[]);
    let ranges = cx.lowered.operand_ranges.get(first..first + count).unwrap_or(&[]);
    let ranges = flat.iter().zip(ranges).filter(|(o, _)| o.kind != Kind::ResultId).map(|(_, range)| *range);
    let operands = inst.operands().iter().filter(|o| o.kind != Kind::ResultId);
    operands.map(move |o| inst.word(usize::from(o.offset))).zip(ranges)
}

/// The hints about literals of an instruction. `end` is where it ends.
pub(super) fn hints(cx: &Cx<'_>, m: &RuleContext<'_>, index: usize, inst: Inst<'_>, hints: &mut Vec<Hint>) {
    let Some(end) = cx.lowered.inst_ranges.get(index).map(|range| range.end()) else { return };
    let mut note = |label: String, is_minor| {
        hints.push(Hint::new(end, label, HintKind::Note).minor_if(is_minor));
    };
    match inst.op() {
        Op::TypeImage => note(image(inst), false),
        Op::TypeInt => note(if inst.word(3) == 0 { "unsigned" } else { "signed" }.to_owned(), true),
        Op::VectorShuffle => {
            if let Some(text) = shuffle(m, inst) {
                note(text, false);
            }
        }
        Op::MemberName | Op::MemberDecorate | Op::MemberDecorateString => {
            let name = member_name(m, inst.operand(0), inst.operand(1));
            // The name itself is written there.
            let name = name.filter(|_| inst.op() != Op::MemberName);
            let place = written(cx, index, inst).nth(1);
            if let (Some(name), Some((_, range))) = (name, place) {
                hints.push(Hint::new(range.end(), name, HintKind::Note).minor_if(true));
            }
        }
        Op::Switch => {
            for (n, (_, range)) in written(cx, index, inst).enumerate().skip(1) {
                let label = if n == 1 { "default:" } else { "case" };
                if n == 1 || n % 2 == 0 {
                    hints.push(Hint::new(range.start(), label, HintKind::Parameter).minor_if(true));
                }
            }
        }
        Op::TypeStruct if m.decorations(inst.id()).len() <= MANY => {
            for (member, (_, range)) in written(cx, index, inst).enumerate() {
                let member = member as u32;
                let all = m.decorations(inst.id());
                let own = all.iter().filter(|d| d.member == Some(member)).map(|d| decoration_text(m, d));
                let own: Vec<String> = member_name(m, inst.id(), member).into_iter().chain(own).collect();
                if !own.is_empty() {
                    hints.push(Hint::new(range.end(), own.join(", "), HintKind::Decoration));
                }
            }
        }
        _ => {}
    }
    decorations(m, inst.id(), |label| hints.push(Hint::new(end, label, HintKind::Decoration)));
}

/// Decorations of a result, without those of members.
fn decorations(m: &RuleContext<'_>, id: Id, mut add: impl FnMut(String)) {
    let own = m.decorations(id).iter().filter(|d| d.member.is_none()).map(|d| decoration_text(m, d));
    let own: Vec<String> = own.take(6).collect();
    if !own.is_empty() {
        add(own.join(", "));
    }
}

/// `not depth, arrayed, single-sampled, storage`.
fn image(inst: Inst<'_>) -> String {
    let choose = |offset: usize, words: [&'static str; 3]| {
        words.get(inst.word(offset) as usize).copied().unwrap_or("?")
    };
    let parts = [
        choose(4, ["not depth", "depth", "depth unknown"]),
        choose(5, ["not arrayed", "arrayed", "?"]),
        choose(6, ["single-sampled", "multisampled", "?"]),
        choose(7, ["use known at run time", "used with a sampler", "storage"]),
    ];
    parts.join(", ")
}

/// `a.x, a.y, b.x` of the components that a shuffle picks.
fn shuffle(m: &RuleContext<'_>, inst: Inst<'_>) -> Option<String> {
    let (first, second) = (inst.operand(2), inst.operand(3));
    let length = m.dimension(m.type_of(first));
    let parts = (4..inst.count()).map(|operand| {
        let index = inst.operand(operand);
        let (from, index) =
            if index < length { (first, index) } else { (second, index.checked_sub(length)?) };
        match inst.operand(operand) {
            u32::MAX => Some("undefined".to_owned()),
            _ => Some(format!("{}.{}", m.name(from), component(index)?)),
        }
    });
    parts.collect::<Option<Vec<String>>>().map(|parts| parts.join(", "))
}

/// The words for a constant that is used as a scope or as memory semantics.
pub(super) fn named_value(m: &RuleContext<'_>, kind: Kind, id: Id) -> Option<String> {
    let value = u32::try_from(m.uint(id)?).ok()?;
    match kind {
        Kind::ScopeId => Kind::Scope.valued(value).map(|e| e.name.to_owned()),
        Kind::MemorySemanticsId => {
            let bits = Kind::MemorySemantics.enumerants().iter();
            let names: Vec<&str> =
                bits.filter(|e| e.value != 0 && value & e.value == e.value).map(|e| e.name).collect();
            Some(if names.is_empty() { "Relaxed".to_owned() } else { names.join(" | ") })
        }
        _ => None,
    }
}
