//! Proposals of completion that are tried where they would be written.
//!
//! A dialect proposes what the text before the cursor allows. Operands after the cursor and other instructions may not go with it.

use wavelens_semantics::{Dialect, Severity, TextEdit, TextSize, check_text};

use super::trial::Trial;
use crate::answers::{Completion, CompletionKind};
use crate::db::View;

/// Text that is checked to try proposals, in bytes.
const TRIED: usize = 512 << 10;

/// Leaves out those of the first values that leave more errors than another one. In an instruction that is not complete all leave the
/// same.
pub(super) fn keep_harmless(view: View<'_>, at: TextSize, items: &mut Vec<Completion>) {
    let length: usize = view.chunks().iter().map(|chunk| view.text(*chunk).len()).sum();
    if length > TRIED || !items.iter().any(is_value) {
        return;
    }
    let added = match view.dialect() {
        Dialect::Amdgpu => in_statement(view, at, items),
        _ => in_chunks(view, at, items),
    };
    let Some(least) = added.iter().min() else { return };
    let mut added = added.iter();
    items.retain(|item| !is_tried(item) || added.next().is_none_or(|added| added == least));
}

/// Whether a proposal is a value, and not what others follow from.
fn is_value(item: &Completion) -> bool {
    match item.kind {
        CompletionKind::Register => true,
        CompletionKind::Constant | CompletionKind::Local | CompletionKind::Variable => is_name(item),
        _ => false,
    }
}

/// Types and functions among values are tried as these are.
fn is_tried(item: &Completion) -> bool {
    is_value(item) || matches!(item.kind, CompletionKind::Type | CompletionKind::Function) && is_name(item)
}

fn is_name(item: &Completion) -> bool {
    item.label.starts_with(['%', '@'])
}

/// How many errors each of the first proposals adds.
fn in_chunks(view: View<'_>, at: TextSize, items: &[Completion]) -> Vec<isize> {
    let trial = Trial::new(view);
    let added = |item: &Completion| {
        view.db.unwind_if_revision_cancelled();
        let found = trial.try_edits(&[TextEdit::new(item.range, item.insert.clone())]);
        found.map_or(isize::MAX, |found| found.after.len() as isize - found.before.len() as isize)
    };
    items.iter().filter(|item| is_tried(item)).take(TRIED / trial.cost(at).max(1)).map(added).collect()
}

/// How many errors there are with each of the first proposals in a text without the other instructions: in assembly an operand's
/// errors follow from its instruction and from directives.
fn in_statement(view: View<'_>, at: TextSize, items: &[Completion]) -> Vec<isize> {
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
    let errors = |item: &Completion| {
        view.db.unwind_if_revision_cancelled();
        let edit = TextEdit::new(item.range - TextSize::new(removed as u32), item.insert.clone());
        let edited = TextEdit::apply_all(&kept, &[edit]);
        let found = edited.map(|edited| check_text(Dialect::Amdgpu, &edited, options));
        found.map_or(isize::MAX, |found| {
            found.iter().filter(|finding| finding.severity == Severity::Error).count() as isize
        })
    };
    items.iter().filter(|item| is_tried(item)).take(TRIED / kept.len().max(1)).map(errors).collect()
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
    use wavelens_semantics::Dialect;

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
    fn a_value_of_another_line_loses_no_definition() {
        let text = "---\nname: f\ntracksRegLiveness: true\nbody: |\n  bb.0:\n    %0:sreg_32 = S_MOV_B32 0\n    \
            %1:sreg_32 = S_MOV_B32 0\n    S_NOP 0, implicit %$0\n    S_NOP 0, implicit killed %1\n    \
            S_NOP 0, implicit %0\n    S_ENDPGM 0\n...\n";
        assert_eq!(labels(Dialect::Mir, text), ["%0", "%1"]);
        let killed = text.replace("implicit %$0", "implicit killed %$0");
        assert!(labels(Dialect::Mir, &killed).is_empty());
    }
}
