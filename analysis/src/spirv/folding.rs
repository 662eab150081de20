//! Folding of SPIR-V assembly.

use wavelens_syntax::spirv::tables::Op;

use super::{Cx, ops};
use crate::TextRange;
use crate::ide::{Fold, FoldKind};

pub fn folds(cx: &Cx<'_>) -> Vec<Fold> {
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
                folds.push(Fold { range: *range, kind: FoldKind::Run(class(op)) });
            }
            _ => {}
        }
    }
    folds
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
