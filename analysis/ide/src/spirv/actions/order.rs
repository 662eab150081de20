//! Puts the parts of the module in front of the functions in their order.

use wavelens_base::{TextEdit, TextRange};
use wavelens_check::dialect::Lowered;
use wavelens_spirv::rules::layout;

use super::Here;
use crate::answers::Action;
use crate::db::findings_of;

/// Offered where an instruction is out of order. Instructions of one part keep their order, and comments stay in front of the
/// instruction that they precede.
pub(super) fn action(here: &Here<'_>) -> Option<Action> {
    let range = here.range() + here.cx.start();
    let found = findings_of(here.cx.view, here.cx.index);
    let finding = found.into_iter().find(|f| f.rule == &layout::LAYOUT && range.contains_range(f.range))?;
    let text = here.cx.view.whole_text();
    let mut ends = Vec::new();
    'chunks: for (index, chunk) in here.cx.view.chunks().iter().enumerate() {
        let Lowered::Spirv(lowered) = here.cx.view.lowered(*chunk) else { return None };
        for (inst, range) in lowered.flat.insts.iter().zip(&lowered.inst_ranges) {
            let Some(rank) = layout::rank(inst.op) else { break 'chunks };
            ends.push((rank, *range + here.cx.view.start(index)));
        }
    }
    let (first, last) = (ends.first()?.1, ends.last()?.1);
    let line_start = |at: usize| text.get(..at).and_then(|t| t.rfind('\n')).map_or(0, |n| n + 1);
    let start = line_start(usize::from(first.start()));
    let mut from = start;
    let mut pieces: Vec<(usize, &str)> = Vec::with_capacity(ends.len());
    for (rank, range) in &ends {
        let end = usize::from(super::line_end(&text, range.end()));
        pieces.push((*rank, text.get(from..end)?.trim_start_matches(['\n', '\r'])));
        from = end;
    }
    if pieces.is_sorted_by_key(|(rank, _)| *rank) {
        return None;
    }
    pieces.sort_by_key(|(rank, _)| *rank);
    let ordered: Vec<&str> = pieces.into_iter().map(|(_, piece)| piece).collect();
    let end = usize::from(super::line_end(&text, last.end()));
    let range = TextRange::new((start as u32).into(), (end as u32).into());
    let edit = TextEdit { range, text: ordered.join("\n") };
    Some(Action::in_file("Sort the instructions into the required order", vec![edit]).fixing(finding))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::super::tests::check;

    #[test]
    fn parts_are_sorted_and_keep_their_comments() {
        check(
            "order",
            "; header\n\n  OpCapability Shader\n  OpMemoryModel Logical GLSL450\n  ; why\n  Op$0Capability Linkage ; c\n%2 = OpTypeInt 32 0\n%1 = OpTypeVoid\n  OpName %1 \"v\"\n%3 = OpTypeFunction %1\n",
            expect![[r#"
                [QuickFix] Sort the instructions into the required order
                ---
                ; header

                  OpCapability Shader
                  ; why
                  OpCapability Linkage ; c
                  OpMemoryModel Logical GLSL450
                  OpName %1 "v"
                %2 = OpTypeInt 32 0
                %1 = OpTypeVoid
                %3 = OpTypeFunction %1
            "#]],
        );
    }
}
