//! Folding of SPIR-V assembly.

use wavelens_base::{TextRange, TextSize};
use wavelens_spirv::ops;
use wavelens_syntax::spirv::tables::Op;

use super::Cx;
use crate::answers::{Fold, FoldKind};

/// What can be folded in the chunk.
pub(crate) fn folds(cx: &Cx<'_>) -> Vec<Fold> {
    let mut folds = Vec::new();
    let (mut function, mut label): (Option<TextRange>, Option<TextRange>) = (None, None);
    for (inst, range) in cx.lowered.flat.insts.iter().zip(&cx.lowered.inst_ranges) {
        match inst.op {
            Op::Function => function = Some(*range),
            Op::Label => label = Some(*range),
            Op::FunctionEnd => {
                label = None;
                if let Some(start) = function.take() {
                    folds.push(Fold { range: start.cover(*range), kind: FoldKind::Region });
                }
            }
            op if ops::is_terminator(op) => {
                if let Some(start) = label.take() {
                    folds.push(Fold { range: start.cover(*range), kind: FoldKind::Region });
                }
            }
            op if function.is_none() => {
                folds.push(Fold { range: line(cx.text, *range), kind: FoldKind::Run(class(op)) });
            }
            _ => {}
        }
    }
    folds
}

/// A range with the rest of its first and last line, so that ranges of neighbouring lines touch.
fn line(text: &str, range: TextRange) -> TextRange {
    let (start, end) = (usize::from(range.start()), usize::from(range.end()));
    let before = text.get(..start).and_then(|t| t.rfind('\n')).map_or(0, |n| n + 1);
    let after = text.get(end..).and_then(|t| t.find('\n')).map_or(text.len(), |n| end + n);
    TextRange::new(TextSize::new(before as u32), TextSize::new(after as u32))
}

/// Neighbours of one class fold together.
fn class(op: Op) -> char {
    match op {
        Op::Capability | Op::Extension | Op::ExtInstImport | Op::MemoryModel => 'h',
        Op::EntryPoint | Op::ExecutionMode | Op::ExecutionModeId => 'e',
        _ if ops::is_decoration(op) => 'a',
        _ => match op.info().map_or("", |i| i.class) {
            "Debug" => 'd',
            "Type-Declaration" | "Constant-Creation" => 't',
            _ => 'o',
        },
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use wavelens_base::Dialect;

    use crate::features;
    use crate::features::tests::at_cursor;

    #[test]
    fn parts_functions_and_blocks_fold() {
        let folds = at_cursor(Dialect::Spirv, include_str!("testdata/view.spvasm"), |view, _| {
            let text = view.whole_text();
            let line = |at| text.get(..usize::from(at)).unwrap_or("").matches('\n').count() + 1;
            let folds = features::folds(view).into_iter().map(|f| {
                let first = text.lines().nth(line(f.range.start()) - 1).unwrap_or("").trim();
                format!("{}-{} {first}\n", line(f.range.start()), line(f.range.end()))
            });
            folds.collect::<String>()
        });
        expect![[r#"
            3-5 OpCapability Shader
            7-11 OpName %4 "main"
            12-22 OpDecorate %5 BuiltIn Position
            23-32 %2 = OpTypeVoid
            38-44 %15 = OpTypeInt 32 1
            45-54 %4 = OpFunction %2 None %3
            46-53 %24 = OpLabel
        "#]]
        .assert_eq(&folds);
    }
}
