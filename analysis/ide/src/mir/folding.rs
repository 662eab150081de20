//! Folding of Machine IR: blocks, and the lists of the YAML.

use wavelens_syntax::mir::MirKind;

use super::Cx;
use super::ide_support::{block_range, function, ir};
use crate::answers::{Fold, FoldKind};

/// What can be folded in the chunk.
pub(crate) fn folds(cx: &Cx<'_>) -> Vec<Fold> {
    if let Some(inner) = ir(cx) {
        return crate::llvm::folding::folds(&inner);
    }
    let Some(f) = function(cx) else { return Vec::new() };
    let blocks = (0..f.blocks.len()).map(|b| block_range(f, b));
    let parse = wavelens_syntax::mir::parse(cx.text);
    let lists = parse
        .root(cx.text)
        .descendants()
        .filter(|n| matches!(n.kind(), MirKind::ENTRY))
        .map(|n| n.range())
        .filter(|range| cx.slice(*range).trim_end().contains('\n'))
        .collect::<Vec<_>>();
    blocks.chain(lists).map(|range| Fold { range, kind: FoldKind::Region }).collect()
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use wavelens_base::Dialect;

    use crate::features;
    use crate::features::tests::at_cursor;

    #[test]
    fn lists_and_blocks() {
        let text = "---\nname: f\nregisters:\n  - { id: 0, class: sgpr_32 }\n  - { id: 1, class: sgpr_32 }\nbody: |\n  bb.0:\n    S_NOP 0\n    S_NOP 0\n  bb.1:\n    S_ENDPGM 0\n...\n";
        let shown = at_cursor(Dialect::Mir, text, |view, _| {
            let slice =
                |r: wavelens_base::TextRange| text.get(std::ops::Range::<usize>::from(r)).unwrap_or("");
            let ends = |t: &str| {
                format!(
                    "{} ... {}\n",
                    t.lines().next().unwrap_or(""),
                    t.trim_end().lines().last().unwrap_or("").trim()
                )
            };
            features::folds(view).into_iter().map(|f| ends(slice(f.range))).collect::<String>()
        });
        expect![[r#"
            registers: ... - { id: 1, class: sgpr_32 }
            body: | ... S_ENDPGM 0
            bb.0: ... S_NOP 0
            bb.1: ... S_ENDPGM 0
        "#]]
        .assert_eq(&shown);
    }
}
