//! What a module says of its ids, and its words as they are written anew.

use std::collections::HashMap;

use super::op;

/// A type, as far as instructions are replaced by it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Type {
    Bool,
    /// Width in bits.
    Int(u32),
    Float(u32),
    Pointer {
        to: u32,
    },
    Vector {
        of: u32,
        count: u32,
    },
    Array {
        of: u32,
        /// Id of a constant.
        count: u32,
    },
    Struct(Vec<u32>),
    Other,
}

/// The module that is read, and the one that is written.
#[derive(Debug, Default)]
pub(super) struct Module {
    types: HashMap<u32, Type>,
    /// The types of values.
    of: HashMap<u32, u32>,
    constants: HashMap<u32, u64>,
    /// The images that sampled images were made of.
    images: HashMap<u32, u32>,
    /// Types by what declares them.
    declared: HashMap<Vec<u32>, u32>,
    /// Variables of the current function whose values are not stored yet, and these.
    pub(super) initial: Vec<(u32, u32)>,
    /// Bits of a pointer.
    pub(super) address: u32,
    /// One more than the greatest id.
    pub(super) bound: u32,
    /// Words before the first function, and from there on.
    before: Vec<u32>,
    functions: Vec<u32>,
    in_functions: bool,
}

impl Module {
    /// Reads what later instructions are replaced by.
    pub(super) fn read<'w>(bound: u32, instructions: impl Iterator<Item = &'w [u32]>) -> Module {
        let mut module = Module { bound, address: 64, ..Module::default() };
        for inst in instructions {
            module.read_one(inst);
        }
        module
    }

    fn read_one(&mut self, inst: &[u32]) {
        let [first, operands @ ..] = inst else { return };
        match (first & 0xffff, operands) {
            (op::MEMORY_MODEL, [op::PHYSICAL_32, _]) => self.address = 32,
            (opcode, [id, rest @ ..]) if op::TYPES.contains(&opcode) => self.declare(opcode, *id, rest),
            (opcode, [ty, id, rest @ ..]) if self.types.contains_key(ty) => {
                self.of.insert(*id, *ty);
                if let (op::SAMPLED_IMAGE, [image, ..]) = (opcode, rest) {
                    self.images.insert(*id, *image);
                }
                if let Some(value) = self.value(opcode, *ty, rest) {
                    self.constants.insert(*id, value);
                }
            }
            _ => {}
        }
    }

    fn declare(&mut self, opcode: u32, id: u32, operands: &[u32]) {
        let ty = match (opcode, operands) {
            (op::TYPE_BOOL, _) => Type::Bool,
            (op::TYPE_INT, [width, _]) => Type::Int(*width),
            (op::TYPE_FLOAT, [width, ..]) => Type::Float(*width),
            (op::TYPE_VECTOR, [of, count]) => Type::Vector { of: *of, count: *count },
            (op::TYPE_ARRAY, [of, count]) => Type::Array { of: *of, count: *count },
            (op::TYPE_STRUCT, members) => Type::Struct(members.to_vec()),
            (op::TYPE_POINTER, [_, to]) => Type::Pointer { to: *to },
            _ => Type::Other,
        };
        self.types.insert(id, ty);
        self.declared.entry([&[opcode], operands].concat()).or_insert(id);
    }

    /// The value of an integer constant; of a specialization constant, what it is by default.
    fn value(&self, opcode: u32, ty: u32, operands: &[u32]) -> Option<u64> {
        let Some(Type::Int(width)) = self.types.get(&ty) else { return None };
        let wide = match (opcode, operands) {
            (op::CONSTANT | op::SPEC_CONSTANT, [low, high @ ..]) => {
                u64::from(*low) | u64::from(high.first().copied().unwrap_or(0)) << 32
            }
            (op::CONSTANT_NULL, []) => 0,
            (op::SPEC_CONSTANT_OP, [operation, ids @ ..]) => {
                let values: Option<Vec<u64>> = ids.iter().map(|id| self.constant(*id)).collect();
                match (*operation, &values?[..]) {
                    (op::I_ADD, [a, b]) => a.wrapping_add(*b),
                    (op::I_SUB, [a, b]) => a.wrapping_sub(*b),
                    (op::I_MUL, [a, b]) => a.wrapping_mul(*b),
                    (op::U_DIV, [a, b]) => a.checked_div(*b)?,
                    (op::U_MOD, [a, b]) => a.checked_rem(*b)?,
                    (op::SHIFT_RIGHT_LOGICAL, [a, b]) => a.checked_shr(u32::try_from(*b).ok()?)?,
                    (op::SHIFT_LEFT_LOGICAL, [a, b]) => a.checked_shl(u32::try_from(*b).ok()?)?,
                    (op::BITWISE_OR, [a, b]) => a | b,
                    (op::BITWISE_AND, [a, b]) => a & b,
                    (op::U_CONVERT, [a]) => *a,
                    _ => return None,
                }
            }
            _ => return None,
        };
        Some(wide & (u64::MAX >> 64u32.saturating_sub(*width).min(63)))
    }

    pub(super) fn constant(&self, id: u32) -> Option<u64> {
        self.constants.get(&id).copied()
    }

    pub(super) fn ty(&self, id: u32) -> Type {
        self.types.get(&id).cloned().unwrap_or(Type::Other)
    }

    /// The id of a value's type; 0 without one.
    pub(super) fn type_of(&self, value: u32) -> u32 {
        self.of.get(&value).copied().unwrap_or(0)
    }

    /// What a value's pointer type points to.
    pub(super) fn pointee(&self, pointer: u32) -> Option<u32> {
        match self.ty(self.type_of(pointer)) {
            Type::Pointer { to } => Some(to),
            _ => None,
        }
    }

    /// The image that a sampled image was made of.
    pub(super) fn image_of(&self, sampled: u32) -> Option<u32> {
        self.images.get(&sampled).copied()
    }

    /// A new id.
    pub(super) fn id(&mut self) -> u32 {
        self.bound += 1;
        self.bound - 1
    }

    /// Writes words as they are.
    pub(super) fn copy(&mut self, inst: &[u32]) {
        self.in_functions |= inst.first().is_some_and(|first| first & 0xffff == op::FUNCTION);
        match self.in_functions {
            true => self.functions.extend(inst),
            false => self.before.extend(inst),
        }
    }

    pub(super) fn write(&mut self, opcode: u32, operands: &[u32]) {
        self.copy(&[&[instruction(opcode, operands)], operands].concat());
    }

    /// Writes an instruction with a type and a new id, and gives the id.
    pub(super) fn make(&mut self, opcode: u32, ty: u32, operands: &[u32]) -> u32 {
        let id = self.id();
        self.write(opcode, &[&[ty, id], operands].concat());
        id
    }

    /// A type that the module has, or that it gets before its functions.
    pub(super) fn declared(&mut self, opcode: u32, operands: &[u32]) -> u32 {
        if let Some(id) = self.declared.get(&[&[opcode], operands].concat()) {
            return *id;
        }
        let id = self.id();
        self.before.extend([&[instruction(opcode, operands) + (1 << 16), id], operands].concat());
        self.declare(opcode, id, operands);
        id
    }

    /// The type of unsigned numbers as wide as pointers.
    pub(super) fn size_type(&mut self) -> u32 {
        self.declared(op::TYPE_INT, &[self.address, 0])
    }

    /// A number, or a vector of it, before the functions.
    pub(super) fn number(&mut self, ty: u32, value: u32) -> u32 {
        let (opcode, operands) = match self.ty(ty) {
            Type::Vector { of, count } => {
                (op::CONSTANT_COMPOSITE, vec![self.number(of, value); count as usize])
            }
            Type::Int(64) => (op::CONSTANT, vec![value, 0]),
            _ => (op::CONSTANT, vec![value]),
        };
        let id = self.id();
        self.before.extend([&[instruction(opcode, &operands) + (2 << 16), ty, id], &operands[..]].concat());
        id
    }

    /// The words after the header.
    pub(super) fn words(self) -> impl Iterator<Item = u32> {
        self.before.into_iter().chain(self.functions)
    }
}

/// An instruction's first word.
fn instruction(opcode: u32, operands: &[u32]) -> u32 {
    (operands.len() as u32 + 1) << 16 | opcode
}
