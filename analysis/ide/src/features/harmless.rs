//! Proposals of completion that are tried where they would be written.
//!
//! A dialect proposes what the text before the cursor allows. Operands after the cursor and other instructions may not go with it.

use rustc_hash::{FxHashMap, FxHashSet};
use wavelens_base::{Dialect, Severity, TextEdit, TextSize, sizes};
use wavelens_check::check_text;

use super::trial::Trial;
use crate::answers::{Completion, CompletionKind};
use crate::db::View;

/// Leaves out those of the first values that leave more errors than another one, and puts opcodes first that take what follows. In an
/// instruction that is not complete all leave the same.
pub(super) fn keep_harmless(view: View<'_>, at: TextSize, items: &mut Vec<Completion>) {
    let length: usize = view.chunks().iter().map(|chunk| view.text(*chunk).len()).sum();
    if length > sizes::TRIED_COMPLETIONS {
        return;
    }
    let dialect = view.dialect();
    if has_operands(view, at) {
        lead_with_fitting(view, at, items);
    }
    if !items.iter().any(is_value) {
        return;
    }
    let mut order = Vec::new();
    let mut counts: FxHashMap<String, usize> = FxHashMap::default();
    for (index, item) in items.iter().enumerate().filter(|(_, item)| is_tried(dialect, item)) {
        let count = counts.entry(sort_of(dialect, item)).or_default();
        *count += 1;
        order.push((*count > OF_A_SORT, index));
    }
    order.sort_unstable();
    let order: Vec<&Completion> = order.iter().map(|(_, index)| &items[*index]).collect();
    let added = added(view, at, &order);
    let Some(least) = added.iter().min() else { return };
    let mut harmful: FxHashMap<&str, bool> = FxHashMap::default();
    // Values that were not tried are like those of their sort that were.
    let mut fits: FxHashMap<String, bool> = FxHashMap::default();
    for (item, added) in order.iter().zip(&added) {
        harmful.insert(&item.label, added != least);
        *fits.entry(sort_of(dialect, item)).or_default() |= added == least;
    }
    let is_kept = |item: &Completion| match harmful.get(item.label.as_str()) {
        Some(is_harmful) => !is_harmful,
        None => !is_tried(dialect, item) || fits.get(&sort_of(dialect, item)) != Some(&false),
    };
    let kept: Vec<bool> = items.iter().map(is_kept).collect();
    let mut kept = kept.into_iter();
    items.retain(|_| kept.next().unwrap_or(true));
}

/// Values of each sort that are tried before others.
const OF_A_SORT: usize = 8;

/// What values have in common that are right or wrong for the same reasons: in assembly, registers of one file and size, and symbols.
fn sort_of(dialect: Dialect, item: &Completion) -> String {
    match item.kind {
        CompletionKind::Register if dialect == Dialect::Amdgpu => {
            item.label.chars().filter(|c| !c.is_ascii_digit()).collect()
        }
        kind if dialect == Dialect::Amdgpu => format!("{kind:?}"),
        _ => item.label.clone(),
    }
}

/// Whether operands follow on the line, so that an opcode can be tried with them.
fn has_operands(view: View<'_>, at: TextSize) -> bool {
    let Some((_, chunk, at)) = view.chunk_at(at) else { return false };
    let rest = view.text(chunk).get(usize::from(at)..).and_then(|rest| rest.lines().next()).unwrap_or("");
    rest.split("//").next().unwrap_or("").split(';').next().is_some_and(|rest| !rest.trim().is_empty())
}

/// Whether a proposal is a value, and not what others follow from.
fn is_value(item: &Completion) -> bool {
    match item.kind {
        CompletionKind::Register => true,
        CompletionKind::Constant | CompletionKind::Local | CompletionKind::Variable => is_name(item),
        _ => false,
    }
}

/// Types and functions among values are tried as these are, and symbols of assembly, whose names have no sign.
fn is_tried(dialect: Dialect, item: &Completion) -> bool {
    let is_symbol =
        matches!(item.kind, CompletionKind::Constant | CompletionKind::Variable | CompletionKind::Label);
    is_value(item)
        || dialect == Dialect::Amdgpu && is_symbol
        || matches!(item.kind, CompletionKind::Type | CompletionKind::Function) && is_name(item)
}

fn is_name(item: &Completion) -> bool {
    item.label.starts_with(['%', '@'])
}

/// Puts opcodes that repair the line before others. Where none does, the line is being written, or is another one.
fn lead_with_fitting(view: View<'_>, at: TextSize, items: &mut [Completion]) {
    let opcodes: Vec<&Completion> = items.iter().filter(|item| item.kind == CompletionKind::Opcode).collect();
    if opcodes.is_empty() {
        return;
    }
    let added = added(view, at, &opcodes);
    let Some(least) = added.iter().copied().min().filter(|least| *least < 0) else { return };
    let fits = opcodes.iter().zip(&added).filter(|(_, added)| **added == least);
    let fits: FxHashSet<String> = fits.map(|(item, _)| item.label.clone()).collect();
    items.sort_by_key(|item| item.kind == CompletionKind::Opcode && !fits.contains(&item.label));
}

/// How many errors each of the first proposals adds; negative where it repairs some.
fn added(view: View<'_>, at: TextSize, items: &[&Completion]) -> Vec<isize> {
    match view.dialect() {
        Dialect::Amdgpu => in_statement(view, at, items),
        _ => in_chunks(view, at, items),
    }
}

fn in_chunks(view: View<'_>, at: TextSize, items: &[&Completion]) -> Vec<isize> {
    let trial = Trial::new(view);
    let added = |item: &Completion| {
        view.db.unwind_if_revision_cancelled();
        let found = trial.try_edits(&[TextEdit::new(item.range, item.insert.clone())]);
        found.map_or(isize::MAX, |found| found.after.len() as isize - found.before.len() as isize)
    };
    items.iter().take(sizes::TRIED_COMPLETIONS / trial.cost(at).max(LEAST)).map(|item| added(item)).collect()
}

/// Bytes that a trial counts for at the least: in a text of 300 bytes 1,500 opcodes were tried, for 6 s.
const LEAST: usize = 512;

/// How many errors each of the first proposals adds in a text without the other instructions: in assembly an operand's
/// errors follow from its instruction and from directives.
fn in_statement(view: View<'_>, at: TextSize, items: &[&Completion]) -> Vec<isize> {
    let (text, options) = (view.whole_text(), view.file.options(view.db));
    let (mut kept, mut removed, mut start) = (String::new(), 0, 0);
    for line in text.split_inclusive('\n') {
        let is_here = (start..=start + line.len()).contains(&usize::from(at));
        if is_here || is_needed(line) {
            kept.push_str(line);
        } else if start < usize::from(at) {
            removed += line.len();
        }
        start += line.len();
    }
    let errors = |text: &str| {
        let found = check_text(Dialect::Amdgpu, text, options);
        found.iter().filter(|finding| finding.severity == Severity::Error).count() as isize
    };
    let before = errors(&kept);
    let added = |item: &Completion| {
        view.db.unwind_if_revision_cancelled();
        let edit = TextEdit::new(item.range - TextSize::new(removed as u32), item.insert.clone());
        TextEdit::apply_all(&kept, &[edit]).map_or(isize::MAX, |edited| errors(&edited) - before)
    };
    items.iter().take(sizes::TRIED_COMPLETIONS / kept.len().max(1)).map(|item| added(item)).collect()
}

/// Whether a line has what instructions elsewhere read: a directive, a symbol, a RUN line.
fn is_needed(line: &str) -> bool {
    let code = line.split("//").next().unwrap_or("").split(';').next().unwrap_or("").trim();
    let first = code.split_whitespace().next().unwrap_or("");
    first.starts_with('.') || first.ends_with(':') || code.contains('=') || line.contains("RUN:")
}

#[cfg(test)]
mod tests {
    use crate::features::complete;
    use crate::features::tests::at_cursor;
    use expect_test::expect;
    use wavelens_base::Dialect;

    fn labels(dialect: Dialect, fixture: &str) -> Vec<String> {
        at_cursor(dialect, fixture, |view, at| {
            complete(view, at).items.into_iter().map(|i| i.label).collect()
        })
    }

    const MODULE: &str = "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\"\n\
        OpExecutionMode %main LocalSize 1 1 1\n%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%float = OpTypeFloat 32\n\
        %uint = OpTypeInt 32 0\n%pf = OpTypePointer Function %float\n%pu = OpTypePointer Function %uint\n\
        %one = OpConstant %float 1\n%main = OpFunction %void None %fn\n%l = OpLabel\n%vf = OpVariable %pf Function\n\
        %vu = OpVariable %pu Function\n";

    #[test]
    fn the_pointer_fits_the_object_that_follows() {
        let with = |store: &str| {
            labels(Dialect::Spirv, &format!("{MODULE}OpStore {store}\nOpReturn\nOpFunctionEnd\n"))
        };
        assert_eq!(with("%v$0 %one"), ["%vf"]);
        // Nothing is known yet.
        assert_eq!(with("%v$0"), ["%vu", "%vf"]);
    }

    #[test]
    fn a_register_of_assembly_fits_the_words_that_follow() {
        let with = |line: &str| {
            labels(
                Dialect::Amdgpu,
                &format!(".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\nv_mov_b32 v7, v8\n{line}\n"),
            )
        };
        let has = |line: &str, register: &str| with(line).iter().any(|label| label == register);
        assert!(has("v_cubeid_f32 v0, v1, s$0, v2", "s5"));
        // One scalar value can be read.
        assert!(!has("v_cubeid_f32 v0, s1, s$0, v2", "s5"));
        assert!(has("v_cubeid_f32 v0, s1, s$0, v2", "s1"));
        // Comments take no time from the trials.
        let comments = "// ====\n".repeat(40_000);
        assert!(!has(&format!("{comments}v_cubeid_f32 v0, s1, s$0, v2"), "s5"));
    }

    #[test]
    fn opcodes_that_take_the_operands_that_follow_are_first() {
        let first = |line: &str| {
            let text = format!(".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\n{line}\n");
            labels(Dialect::Amdgpu, &text).swap_remove(0)
        };
        expect!["v_mov_b32"].assert_eq(&first("v_m$0"));
        expect!["v_mad_u64_u32"].assert_eq(&first("v_m$0 v[6:7], vcc, v14, v15, v[2:3]"));
        // Nobody knows which operands will stay.
        expect!["v_mov_b32"].assert_eq(&first("v_m$0ov_b32_e32 v6, v14"));
    }

    #[test]
    fn symbols_are_proposed_where_their_value_can_be_encoded() {
        let with = |line: &str| {
            let symbols = "f:\n.set s_small, 5\n.set s_large, 500\n";
            labels(
                Dialect::Amdgpu,
                &format!(".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\n{symbols}{line}\n"),
            )
        };
        let has = |line: &str, symbol: &str| with(line).iter().any(|label| label == symbol);
        assert!(has("s_mov_b32 s0, s_l$0", "s_large"));
        assert!(has("v_add_f32_e64 v0, v1, s_s$0", "s_small"));
        assert!(!has("v_add_f32_e64 v0, v1, s_l$0", "s_large"));
        assert!(!has("v_add_f32_e64 v0, v1, $0", "f"));
    }

    #[test]
    fn registers_that_are_not_tried_are_like_those_that_are() {
        let lines = "// ====\n.set a_b, 4\n".repeat(400);
        let text =
            format!(".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\n{lines}global_store_dword v$0, v1, off\n");
        let found = labels(Dialect::Amdgpu, &text);
        assert!(found.iter().any(|label| label == "v[0:1]") && !found.iter().any(|label| label == "v200"));
    }

    #[test]
    fn a_value_of_another_line_loses_no_definition() {
        let text = "---\nname: f\ntracksRegLiveness: true\nbody: |\n  bb.0:\n    %0:sreg_32 = S_MOV_B32 0\n    \
            %1:sreg_32 = S_MOV_B32 0\n    S_NOP 0, implicit %$0\n    S_NOP 0, implicit killed %1\n    \
            S_NOP 0, implicit %0\n    S_ENDPGM 0\n...\n";
        assert_eq!(labels(Dialect::Mir, text), ["%0", "%1"]);
        let killed = text.replace("implicit %$0", "implicit killed %$0");
        assert!(labels(Dialect::Mir, &killed).is_empty());
    }
}
