//! Members that lack the decorations of an explicit layout.

use wavelens_syntax::spirv::tables::{Decoration, Op};

use super::{DEPTH, UNKNOWN, member_offset};
use crate::code::Id;
use crate::contents::{Known, first_inside};
use crate::context::RuleContext;

/// Structures that lack something, themselves or in what they contain, with the structure and the member that does.
#[derive(Default)]
pub(in crate::rules) struct Missing {
    offsets: Known<(Id, u32)>,
    array_strides: Known<(Id, u32)>,
    matrix_strides: Known<(Id, u32)>,
    majors: Known<(Id, u32)>,
}

impl Missing {
    /// What a member of the structure, or of one in it, lacks.
    pub(in crate::rules) fn first(
        &mut self,
        m: &RuleContext<'_>,
        ty: Id,
    ) -> Option<((Id, u32), &'static str)> {
        let (array, matrix) = (Op::TypeArray, Op::TypeMatrix);
        let majors = [Decoration::RowMajor, Decoration::ColMajor];
        without_offset(&mut self.offsets, m, ty)
            .map(|at| (at, "Offset"))
            .or_else(|| {
                let at = undecorated(
                    &mut self.array_strides,
                    m,
                    ty,
                    array,
                    &[Decoration::ArrayStride, Decoration::ArrayStrideIdEXT],
                );
                Some((at?, "ArrayStride"))
            })
            .or_else(|| {
                let at = undecorated(&mut self.matrix_strides, m, ty, matrix, &[Decoration::MatrixStride]);
                Some((at?, "MatrixStride"))
            })
            .or_else(|| {
                Some((undecorated(&mut self.majors, m, ty, matrix, &majors)?, "RowMajor or ColMajor"))
            })
    }
}

/// A part of a structure, the last first, or of an array.
fn part(m: &RuleContext<'_>, ty: Id, number: usize, through_arrays: bool) -> Option<Id> {
    match m.op(ty) {
        Op::TypeArray | Op::TypeRuntimeArray if through_arrays => (number == 0).then(|| m.element(ty)),
        _ => m.members(ty).iter().rev().nth(number).copied(),
    }
}

/// The member of the type, or of a structure in it, that does not have an Offset.
fn without_offset(known: &mut Known<(Id, u32)>, m: &RuleContext<'_>, ty: Id) -> Option<(Id, u32)> {
    let lacks = |ty, index| match member_offset(m, ty, index) {
        None => true,
        // An offset that is written so large is one that is missing.
        Some(UNKNOWN) => m.has_member_decoration(ty, index, Decoration::Offset),
        Some(_) => false,
    };
    let own = |ty| (0..m.members(ty).len() as u32).find(|index| lacks(ty, *index)).map(|index| (ty, index));
    first_inside(known, ty, own, |ty, number| part(m, ty, number, true))
}

/// The member of a kind, in the structure or in inner ones, that does not have one of the decorations.
fn undecorated(
    known: &mut Known<(Id, u32)>,
    m: &RuleContext<'_>,
    ty: Id,
    op: Op,
    kinds: &[u32],
) -> Option<(Id, u32)> {
    let lacks = |structure: Id, index: u32, mut ty: Id| {
        if op == Op::TypeMatrix {
            for _ in 0..DEPTH {
                if !matches!(m.op(ty), Op::TypeArray | Op::TypeRuntimeArray) {
                    break;
                }
                ty = m.element(ty);
            }
        }
        m.op(ty) == op
            && !kinds.iter().any(|kind| m.is_decorated(ty, *kind))
            && !m.member_decorations(structure, index).any(|d| kinds.contains(&d.kind))
    };
    let own = |ty| {
        let mut members = (0..).zip(m.members(ty));
        members.find(|(index, member)| lacks(ty, *index, **member)).map(|(index, _)| (ty, index))
    };
    first_inside(known, ty, own, |ty, number| part(m, ty, number, false))
}
