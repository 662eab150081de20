//! Memory that stages share: the bytes of buffers and of push constants.

use wavelens_syntax::spirv::tables::{Decoration, Op, StorageClass};

use super::resources::{Resource, shared};
use super::stage::{Number, OfStage, Stage};
use super::types::number;
use super::{Found, Mismatch, Place};
use crate::code::Id;
use crate::context::RuleContext;
use crate::rules::decorations::{held, variables};
use crate::type_names::{debug_name, member_name};
use wavelens_base::Severity;

wavelens_syntax::rules! {
    SHARED_BUFFER {
        code: "shared-buffer",
        severity: Severity::Warning,
        title: "stages read the bytes of a buffer as the same members",
        explain: "Two stages that use one binding read the same memory. A member that overlaps another one of another type is most likely a change that was made in one shader only. Members at the end that one stage lacks are not reported, nor are storage buffers whose blocks have different names: memory is often reused for other types on purpose.",
        example: block_layout!("Uniform", "OpDecorate %first DescriptorSet 0\nOpDecorate %first Binding 0\nOpDecorate %second DescriptorSet 0\nOpDecorate %second Binding 0\n", "%vec4 %float"),
        fixed: block_layout!("Uniform", "OpDecorate %first DescriptorSet 0\nOpDecorate %first Binding 0\nOpDecorate %second DescriptorSet 0\nOpDecorate %second Binding 0\n", "%vec4 %int"),
        source: "Vulkan specification, Shader Resource Interface and Offset and Stride Assignment",
    }

    SHARED_PUSH_CONSTANT {
        code: "shared-push-constant",
        severity: Severity::Warning,
        title: "stages read the bytes of push constants as the same members",
        explain: "All stages of a pipeline share the memory of push constants. Blocks may use different ranges of it, with members that start at other offsets; where they overlap, the types should be the same.",
        example: block_layout!("PushConstant", "", "%vec4 %float"),
        fixed: block_layout!("PushConstant", "", "%vec4 %int"),
        source: "Vulkan specification, Push Constant Interface",
    }
}

/// Numbers of a block that are compared.
const NUMBERS: usize = 8192;
/// Structures nested deeper are not looked into.
const DEPTH: u32 = 32;

/// An element of a matrix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Element {
    columns: u32,
    rows: u32,
    column: u32,
    row: u32,
    by_rows: bool,
}

impl Element {
    /// Whether it is another element than that of a matrix of the same size.
    fn is_misplaced(self, other: Element) -> bool {
        (self.columns, self.rows) == (other.columns, other.rows)
            && (self.column, self.row) != (other.column, other.row)
    }
}

/// A number in a block, with the member that it is in.
#[derive(Debug, Clone)]
struct Leaf {
    /// In bytes, from the start of the block.
    offset: u32,
    number: Number,
    /// The matrix that it is an element of.
    matrix: Option<Element>,
    /// Index of the member of the block.
    member: u32,
}

impl Leaf {
    fn end(&self) -> u32 {
        self.offset + self.number.width / 8
    }

    /// Whether two overlapping numbers are the same one. Signs do not count.
    fn is_same(&self, other: &Leaf) -> bool {
        self.offset == other.offset
            && (self.number.op, self.number.width) == (other.number.op, other.number.width)
            && !self.matrix.zip(other.matrix).is_some_and(|(own, other)| own.is_misplaced(other))
    }
}

pub(super) fn check(
    others: OfStage<'_, '_, &[Resource]>,
    own: OfStage<'_, '_, &[Resource]>,
    found: &mut Found<'_>,
) {
    let (first, second) = (others.stage, own.stage);
    for (other, own) in shared(others.item, own.item) {
        let is_storage = |stage: &Stage<'_>, variable: Id, ty: Id| {
            stage.m.def(variable).is_some_and(|d| d.operand(2) != StorageClass::Uniform)
                || stage.m.has_decoration(ty, Decoration::BufferBlock)
        };
        let is_named_alike = debug_name(second.m, own.ty) == debug_name(first.m, other.ty);
        if is_storage(second, own.variable, own.ty) && !is_named_alike {
            continue;
        }
        let what = format!("set {}, binding {}", own.set, own.binding);
        compare(first.with(other.ty), second.with(own.ty), &what, &SHARED_BUFFER, found);
    }
    if let Some((other, own)) = push_constants(first).zip(push_constants(second)) {
        compare(first.with(other), second.with(own), "the push constants", &SHARED_PUSH_CONSTANT, found);
    }
}

/// The block of the push constants that a stage uses.
fn push_constants(stage: &Stage<'_>) -> Option<Id> {
    let m = stage.m;
    let mut used = variables(m)
        .filter(|v| v.operand(2) == StorageClass::PushConstant && stage.uses(v.id()))
        .map(|variable| held(m, variable));
    used.next()
}

/// Reports the first number that overlaps another one.
fn compare(
    other: OfStage<'_, '_, Id>,
    own: OfStage<'_, '_, Id>,
    what: &str,
    rule: &'static wavelens_base::Rule,
    found: &mut Found<'_>,
) {
    let (first, second, other, own) = (other.stage, own.stage, other.item, own.item);
    let (Some(mut theirs), Some(mut ours)) = (leaves(first.m, other), leaves(second.m, own)) else { return };
    theirs.sort_by_key(|leaf| leaf.offset);
    ours.sort_by_key(|leaf| leaf.offset);
    let overlap = ours.iter().find_map(|leaf| {
        let from = theirs.partition_point(|other| other.end() <= leaf.offset);
        let near =
            theirs.get(from..).unwrap_or_default().iter().take_while(|other| other.offset < leaf.end());
        let mut different = near.filter(|other| !leaf.is_same(other));
        different.next().map(|other| (leaf, other))
    });
    let Some((leaf, their)) = overlap else { return };
    let message = format!(
        "{} at byte {} of {what} overlaps {} at byte {} in {}",
        named(second.m, own, leaf),
        start(second.m, own, leaf),
        named(first.m, other, their),
        start(first.m, other, their),
        first.title()
    );
    let at = Place::of_member(second.m, own, leaf.member);
    let label = format!("the member in {}", first.title());
    let other = Place::of_member(first.m, other, their.member);
    found.add(second, first, Mismatch { rule, at, message, other, label, is_warning: false });
}

/// "`color` of type vec4"; with the order of a matrix, if that is what differs.
fn named(m: &RuleContext<'_>, block: Id, leaf: &Leaf) -> String {
    let name = member_name(m, block, leaf.member).unwrap_or_else(|| leaf.member.to_string());
    let ty = m.members(block).get(leaf.member as usize).map_or_else(String::new, |ty| m.type_name(*ty));
    let order = match leaf.matrix {
        Some(element) if element.by_rows => " (row-major)",
        _ => "",
    };
    format!("`{name}` of type {ty}{order}")
}

fn start(m: &RuleContext<'_>, block: Id, leaf: &Leaf) -> u32 {
    m.member_decoration_word(block, leaf.member, Decoration::Offset).unwrap_or(leaf.offset)
}

/// The numbers of a block; `None` if its layout is not known as a whole.
fn leaves(m: &RuleContext<'_>, block: Id) -> Option<Vec<Leaf>> {
    m.def(block).filter(|d| d.op() == Op::TypeStruct)?;
    let mut all = Vec::new();
    for (member, ty) in (0..).zip(m.members(block)) {
        let offset = m.member_decoration_word(block, member, Decoration::Offset)?;
        let matrix = matrix_layout(m, block, member);
        let mut walk = Walk { m, member, all: &mut all };
        walk.add(*ty, offset, matrix, DEPTH)?;
    }
    Some(all)
}

/// How a member's matrices are stored.
#[derive(Clone, Copy)]
struct MatrixLayout {
    by_rows: bool,
    /// Bytes from a row or column to the next.
    stride: u32,
}

fn matrix_layout(m: &RuleContext<'_>, structure: Id, member: u32) -> MatrixLayout {
    let stride = m.member_decoration_word(structure, member, Decoration::MatrixStride).unwrap_or(0);
    MatrixLayout { by_rows: m.has_member_decoration(structure, member, Decoration::RowMajor), stride }
}

/// Adds the numbers of one member.
struct Walk<'w, 'a> {
    m: &'w RuleContext<'a>,
    member: u32,
    all: &'w mut Vec<Leaf>,
}

impl Walk<'_, '_> {
    fn add(&mut self, ty: Id, offset: u32, matrix: MatrixLayout, depth: u32) -> Option<()> {
        let m = self.m;
        let def = m.def(ty).filter(|_| depth > 0 && self.all.len() < NUMBERS)?;
        match def.op() {
            Op::TypeInt | Op::TypeFloat => self.leaf(ty, offset, None),
            Op::TypeVector => {
                let size = m.width(ty) / 8;
                (0..def.word(3))
                    .try_for_each(|i| self.leaf(def.word(2), offset.checked_add(i.checked_mul(size)?)?, None))
            }
            Op::TypeMatrix => {
                let (rows, columns, _, component) = m.matrix(ty)?;
                let (MatrixLayout { by_rows, stride }, size) = (matrix, m.width(component) / 8);
                (0..columns).try_for_each(|column| {
                    (0..rows).try_for_each(|row| {
                        let (major, minor) = if by_rows { (row, column) } else { (column, row) };
                        let at = offset
                            .checked_add(major.checked_mul(stride)?)?
                            .checked_add(minor.checked_mul(size)?)?;
                        self.leaf(component, at, Some(Element { columns, rows, column, row, by_rows }))
                    })
                })
            }
            Op::TypeArray => {
                let (length, stride) =
                    (m.const_int32(def.word(3)).1?, m.decoration_word(ty, Decoration::ArrayStride)?);
                for i in 0..length {
                    let before = self.all.len();
                    let at = offset.checked_add(i.checked_mul(stride)?)?;
                    self.add(def.word(2), at, matrix, depth - 1)?;
                    // Structs without members hold nothing, however many there are.
                    if self.all.len() == before {
                        break;
                    }
                }
                Some(())
            }
            // The first element stands for all.
            Op::TypeRuntimeArray => self.add(def.word(2), offset, matrix, depth - 1),
            Op::TypeStruct => (0..).zip(m.members(ty)).try_for_each(|(member, inner)| {
                let at = offset.checked_add(m.member_decoration_word(ty, member, Decoration::Offset)?)?;
                self.add(*inner, at, matrix_layout(m, ty, member), depth - 1)
            }),
            // A pointer, as in buffers of addresses.
            _ => None,
        }
    }

    fn leaf(&mut self, ty: Id, offset: u32, matrix: Option<Element>) -> Option<()> {
        let number = number(self.m, ty).filter(|_| offset < 1 << 30 && self.all.len() < NUMBERS)?;
        self.all.push(Leaf { offset, number, matrix, member: self.member });
        Some(())
    }
}
