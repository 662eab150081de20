//! Instructions that other instructions say as well.

use super::module::{Module, Type};
use super::op;

/// Writes an instruction, or what stands for it.
pub(super) fn replace(module: &mut Module, inst: &[u32]) {
    let [first, operands @ ..] = inst else { return };
    let opcode = first & 0xffff;
    if ![op::VARIABLE, op::LINE, op::NO_LINE].contains(&opcode) {
        for (variable, value) in std::mem::take(&mut module.initial) {
            module.write(op::STORE, &[variable, value]);
        }
    }
    let written = match (opcode, operands) {
        (op::DECORATE_STRING, [_, op::USER_SEMANTIC, ..])
        | (op::MEMBER_DECORATE_STRING, [_, _, op::USER_SEMANTIC, ..]) => Some(()),
        (op::EXECUTION_MODE_ID, [entry, mode, ids @ ..]) => execution_mode(module, *entry, *mode, ids),
        (op::CONSTANT_NULL, [ty, id]) => null(module, *ty, *id),
        (op::VARIABLE, [ty, id, storage @ op::FUNCTION_STORAGE, value]) => {
            // Read as a variable of the whole program.
            module.initial.push((*id, *value));
            module.write(op::VARIABLE, &[*ty, *id, *storage]);
            Some(())
        }
        (op::COPY_MEMORY, [target, source, how @ ..]) => copy_memory(module, *target, *source, how),
        (op::VECTOR_SHUFFLE, [ty, id, a, b, components @ ..]) => {
            shuffle(module, *ty, *id, [*a, *b], components)
        }
        (op::COMPOSITE_CONSTRUCT, [ty, id, parts @ ..]) => construct(module, *ty, *id, parts),
        (op::IMAGE, [ty, id, sampled]) => image(module, *ty, *id, *sampled),
        (op::BITCAST, [ty, id, value]) => bitcast(module, *ty, *id, *value),
        (opcode @ (op::I_ADD_CARRY | op::I_SUB_BORROW), [ty, id, a, b]) => {
            with_carry(module, opcode, *ty, *id, [*a, *b])
        }
        (opcode @ (op::U_MUL_EXTENDED | op::S_MUL_EXTENDED), [ty, id, a, b]) => {
            extended_product(module, opcode, *ty, *id, [*a, *b])
        }
        (op::COPY_LOGICAL, [ty, id, value]) => {
            let parts = copied_parts(module, *ty, module.type_of(*value), *value);
            parts.map(|parts| compose(module, *ty, *id, &parts))
        }
        (opcode @ (op::PTR_EQUAL | op::PTR_NOT_EQUAL), [ty, id, a, b]) => {
            let size = module.size_type();
            let [a, b] = [*a, *b].map(|pointer| module.make(op::CONVERT_PTR_TO_U, size, &[pointer]));
            let comparison = if opcode == op::PTR_EQUAL { op::I_EQUAL } else { op::I_NOT_EQUAL };
            module.write(comparison, &[*ty, *id, a, b]);
            Some(())
        }
        _ => None,
    };
    if written.is_none() {
        module.copy(inst);
    }
}

/// With the numbers in place of the ids of constants.
fn execution_mode(module: &mut Module, entry: u32, mode: u32, ids: &[u32]) -> Option<()> {
    let (_, plain) = op::MODES.iter().find(|(by_id, _)| *by_id == mode)?;
    let values: Option<Vec<u32>> = ids.iter().map(|id| u32::try_from(module.constant(*id)?).ok()).collect();
    module.write(op::EXECUTION_MODE, &[&[entry, *plain], &values?[..]].concat());
    Some(())
}

/// Nulls of composites are read.
fn null(module: &mut Module, ty: u32, id: u32) -> Option<()> {
    match module.ty(ty) {
        Type::Bool => module.write(op::CONSTANT_FALSE, &[ty, id]),
        Type::Int(64) | Type::Float(64) => module.write(op::CONSTANT, &[ty, id, 0, 0]),
        Type::Int(_) | Type::Float(_) => module.write(op::CONSTANT, &[ty, id, 0]),
        _ => return None,
    }
    Some(())
}

/// A load and a store. The first operands are for both, or for the store if others follow.
fn copy_memory(module: &mut Module, target: u32, source: u32, how: &[u32]) -> Option<()> {
    let ty = module.pointee(source)?;
    let mask = how.first().copied().unwrap_or(0) & op::MEMORY_OPERANDS_WITH_WORD;
    let (store, load) = how.split_at_checked(how.len().min(1 + mask.count_ones() as usize))?;
    let load = if load.is_empty() { store } else { load };
    let value = module.make(op::LOAD, ty, &[&[source], load].concat());
    module.write(op::STORE, &[&[target, value], store].concat());
    Some(())
}

/// Of vectors that differ in length, component by component.
fn shuffle(module: &mut Module, ty: u32, id: u32, vectors: [u32; 2], components: &[u32]) -> Option<()> {
    let [a, b] = vectors.map(|vector| module.type_of(vector));
    let (Type::Vector { of, count }, true) = (module.ty(a), a != b) else { return None };
    let mut parts = Vec::with_capacity(components.len());
    for component in components {
        parts.push(match *component {
            op::NO_COMPONENT => module.make(op::UNDEF, of, &[]),
            at if at < count => module.make(op::COMPOSITE_EXTRACT, of, &[vectors[0], at]),
            at => module.make(op::COMPOSITE_EXTRACT, of, &[vectors[1], at - count]),
        });
    }
    compose(module, ty, id, &parts);
    Some(())
}

/// Of a vector the parts may be vectors.
fn construct(module: &mut Module, ty: u32, id: u32, parts: &[u32]) -> Option<()> {
    let mut single = Vec::with_capacity(parts.len());
    for part in parts {
        match (module.ty(ty), module.ty(module.type_of(*part))) {
            (Type::Vector { of, .. }, Type::Vector { count, .. }) => {
                single.extend((0..count).map(|at| module.make(op::COMPOSITE_EXTRACT, of, &[*part, at])));
            }
            _ => single.push(*part),
        }
    }
    compose(module, ty, id, &single);
    Some(())
}

/// Puts a composite together, one part after the other.
fn compose(module: &mut Module, ty: u32, id: u32, parts: &[u32]) {
    let Some((last, others)) = parts.split_last() else {
        module.write(op::UNDEF, &[ty, id]);
        return;
    };
    let mut whole = module.make(op::UNDEF, ty, &[]);
    for (at, part) in (0..).zip(others) {
        whole = module.make(op::COMPOSITE_INSERT, ty, &[*part, whole, at]);
    }
    module.write(op::COMPOSITE_INSERT, &[ty, id, *last, whole, others.len() as u32]);
}

fn image(module: &mut Module, ty: u32, id: u32, sampled: u32) -> Option<()> {
    let image = module.image_of(sampled)?;
    module.write(op::COPY_OBJECT, &[ty, id, image]);
    Some(())
}

/// Between a pointer and what is none.
fn bitcast(module: &mut Module, ty: u32, id: u32, value: u32) -> Option<()> {
    let pointer = |ty| matches!(ty, Type::Pointer { .. });
    let (to, from) = (module.ty(ty), module.ty(module.type_of(value)));
    if pointer(to.clone()) == pointer(from.clone()) {
        return None;
    }
    let size = module.size_type();
    match (to, from) {
        (Type::Pointer { .. }, Type::Int(_)) => module.write(op::CONVERT_U_TO_PTR, &[ty, id, value]),
        (Type::Pointer { .. }, _) => {
            let number = module.make(op::BITCAST, size, &[value]);
            module.write(op::CONVERT_U_TO_PTR, &[ty, id, number]);
        }
        (Type::Int(_), _) => module.write(op::CONVERT_PTR_TO_U, &[ty, id, value]),
        _ => {
            let number = module.make(op::CONVERT_PTR_TO_U, size, &[value]);
            module.write(op::BITCAST, &[ty, id, number]);
        }
    }
    Some(())
}

/// A sum is less than its parts, and a number less than what is taken from it, where there is a carry or a borrow.
fn with_carry(module: &mut Module, opcode: u32, ty: u32, id: u32, [a, b]: [u32; 2]) -> Option<()> {
    let part = module.type_of(a);
    let mut truth = module.declared(op::TYPE_BOOL, &[]);
    if let Type::Vector { count, .. } = module.ty(part) {
        truth = module.declared(op::TYPE_VECTOR, &[truth, count]);
    }
    let (value, is_less) = if opcode == op::I_ADD_CARRY {
        let sum = module.make(op::I_ADD, part, &[a, b]);
        (sum, module.make(op::U_LESS_THAN, truth, &[sum, a]))
    } else {
        let difference = module.make(op::I_SUB, part, &[a, b]);
        (difference, module.make(op::U_LESS_THAN, truth, &[a, b]))
    };
    let (one, zero) = (module.number(part, 1), module.number(part, 0));
    let carry = module.make(op::SELECT, part, &[is_less, one, zero]);
    compose(module, ty, id, &[value, carry]);
    Some(())
}

/// A product of twice the width has both halves; of 64 bits there is none.
fn extended_product(module: &mut Module, opcode: u32, ty: u32, id: u32, [a, b]: [u32; 2]) -> Option<()> {
    let part = module.type_of(a);
    let (number, count) = match module.ty(part) {
        Type::Vector { of, count } => (module.ty(of), Some(count)),
        number => (number, None),
    };
    let Type::Int(width @ 1..=32) = number else { return None };
    let mut wide = module.declared(op::TYPE_INT, &[2 * width, 0]);
    if let Some(count) = count {
        wide = module.declared(op::TYPE_VECTOR, &[wide, count]);
    }
    let widen = if opcode == op::U_MUL_EXTENDED { op::U_CONVERT } else { op::S_CONVERT };
    let [a, b] = [a, b].map(|factor| module.make(widen, wide, &[factor]));
    let product = module.make(op::I_MUL, wide, &[a, b]);
    let half = module.number(wide, width);
    let upper = module.make(op::SHIFT_RIGHT_LOGICAL, wide, &[product, half]);
    let halves = [product, upper].map(|half| module.make(op::U_CONVERT, part, &[half]));
    compose(module, ty, id, &halves);
    Some(())
}

/// The parts of a value, as those of a type that is put together alike.
fn copied_parts(module: &mut Module, to: u32, from: u32, value: u32) -> Option<Vec<u32>> {
    let (to, from) = (members(module, to)?, members(module, from)?);
    let mut parts = Vec::with_capacity(to.len());
    for (at, (to, from)) in (0..).zip(to.into_iter().zip(from)) {
        let part = module.make(op::COMPOSITE_EXTRACT, from, &[value, at]);
        parts.push(match to == from {
            true => part,
            false => {
                let inner = copied_parts(module, to, from, part)?;
                let id = module.id();
                compose(module, to, id, &inner);
                id
            }
        });
    }
    Some(parts)
}

/// The types of what a structure or an array holds.
fn members(module: &Module, ty: u32) -> Option<Vec<u32>> {
    const MOST: u64 = 1 << 12;
    match module.ty(ty) {
        Type::Struct(members) => Some(members),
        Type::Array { of, count } => {
            let count = module.constant(count).filter(|count| *count <= MOST)?;
            Some(vec![of; count as usize])
        }
        _ => None,
    }
}
