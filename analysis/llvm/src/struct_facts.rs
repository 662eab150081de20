//! What follows for named structs from the structs that they hold, found once for all of them: structs of structs of ... share their parts,
//! and many instructions name the same types.

use super::scope::Scope;
use super::target_types::{self, Shape};
use super::types::{Type, TypeId, Types};

/// What instructions ask of a struct.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct StructFact {
    /// Whether its values have a size: `None` where a type is not known.
    pub(crate) sized: Option<bool>,
    /// Whether some part of it has a size that is known at run time only.
    pub(crate) scalable: bool,
}

#[derive(Debug, Default)]
pub(crate) struct StructFacts {
    facts: Vec<StructFact>,
    backward: Vec<bool>,
}

impl StructFacts {
    pub(crate) fn new(scope: &Scope) -> StructFacts {
        let types = &scope.types;
        let parts: Vec<Vec<u32>> = scope
            .structs
            .iter()
            .map(|def| {
                let mut parts = Vec::new();
                held(types, def.fields.map_or(&[], |fields| types.list(fields)), &mut parts);
                parts
            })
            .collect();
        let mut facts = StructFacts { facts: vec![StructFact::default(); parts.len()], backward: Vec::new() };
        for (index, parts) in parts.iter().enumerate() {
            let is_backward = |part: &u32| facts.backward.get(*part as usize) == Some(&true);
            let backward = parts.iter().all(|part| (*part as usize) < index && is_backward(part));
            facts.backward.push(backward);
        }
        // A struct within itself is another rule's: it does not speak against the size of those that hold it.
        let mut is_known = vec![false; parts.len()];
        for index in in_order(&parts) {
            let fields = scope.structs.get(index).map(|def| def.fields);
            let of = |part: u32| match is_known.get(part as usize) {
                Some(true) => facts.of(part),
                _ => StructFact { sized: Some(true), scalable: false },
            };
            let fact = match fields {
                Some(Some(fields)) => fact(types, types.list(fields), &of),
                Some(None) => StructFact { sized: Some(false), scalable: false },
                None => StructFact::default(),
            };
            facts.facts[index] = fact;
            is_known[index] = true;
        }
        facts
    }

    pub(crate) fn of(&self, index: u32) -> StructFact {
        self.facts.get(index as usize).copied().unwrap_or_default()
    }

    /// Whether all that it holds, directly or within others, is defined before it.
    pub(crate) fn is_backward(&self, index: u32) -> bool {
        self.backward.get(index as usize) == Some(&true)
    }
}

/// The named structs that some types hold by value.
fn held(types: &Types, fields: &[TypeId], parts: &mut Vec<u32>) {
    for field in fields {
        match types.get(*field) {
            Type::Array { element, .. } | Type::Vector { element, .. } => held(types, &[element], parts),
            Type::Struct { fields, .. } => held(types, types.list(fields), parts),
            Type::NamedStruct(index) if parts.last() != Some(&index) => parts.push(index),
            _ => {}
        }
    }
}

/// All structs, each after those that it holds, as far as they do not hold each other.
fn in_order(parts: &[Vec<u32>]) -> Vec<usize> {
    let mut order = Vec::with_capacity(parts.len());
    let mut is_seen = vec![false; parts.len()];
    for start in 0..parts.len() {
        // A struct and how many of its parts were looked at.
        let mut stack = vec![(start, 0)];
        while let Some((index, next)) = stack.pop() {
            if next == 0 && std::mem::replace(&mut is_seen[index], true) {
                continue;
            }
            match parts[index].get(next) {
                Some(part) => {
                    stack.push((index, next + 1));
                    if is_seen.get(*part as usize) == Some(&false) {
                        stack.push((*part as usize, 0));
                    }
                }
                None => order.push(index),
            }
        }
    }
    order
}

/// Whether a type has a size, if `named` tells it of named structs: `None` where a type is not known.
pub(crate) fn is_sized(types: &Types, ty: TypeId, named: &impl Fn(u32) -> StructFact) -> Option<bool> {
    match types.get(ty) {
        Type::Error | Type::Named(_) => None,
        Type::Void | Type::Label | Type::Token | Type::Metadata | Type::Function { .. } => Some(false),
        Type::Array { element, .. } | Type::Vector { element, .. } => is_sized(types, element, named),
        Type::Struct { fields, .. } => fact(types, types.list(fields), named).sized,
        Type::NamedStruct(index) => named(index).sized,
        Type::Target(index) => {
            Some(target_types::properties(&types.target(index)?.name).shape != Shape::Unsized)
        }
        _ => Some(true),
    }
}

/// Whether some part of a type has a size that is known at run time only.
pub(crate) fn is_scalable(types: &Types, ty: TypeId, named: &impl Fn(u32) -> StructFact) -> bool {
    match types.get(ty) {
        Type::Vector { scalable, .. } => scalable,
        Type::Array { element, .. } => is_scalable(types, element, named),
        Type::Struct { fields, .. } => types.list(fields).iter().any(|f| is_scalable(types, *f, named)),
        Type::NamedStruct(index) => named(index).scalable,
        Type::Target(index) => {
            types.target(index).is_some_and(|t| target_types::properties(&t.name).shape == Shape::Scalable)
        }
        _ => false,
    }
}

fn fact(types: &Types, fields: &[TypeId], named: &impl Fn(u32) -> StructFact) -> StructFact {
    // Of fields whose size is known only at run time, only equal vectors make a struct with a size.
    let is_vector = |ty: &TypeId| matches!(types.get(*ty), Type::Vector { scalable: true, .. });
    let are_equal = fields.first().is_some_and(|first| is_vector(first) && fields.iter().all(|f| f == first));
    let scalable = fields.iter().any(|f| is_scalable(types, *f, named));
    if scalable && !are_equal {
        return StructFact { sized: Some(false), scalable };
    }
    let mut sized = Some(true);
    for field in fields {
        match is_sized(types, *field, named) {
            Some(true) => {}
            Some(false) => return StructFact { sized: Some(false), scalable },
            None => sized = None,
        }
    }
    StructFact { sized, scalable }
}

#[cfg(test)]
mod tests {
    use super::in_order;

    #[test]
    fn parts_come_before_what_holds_them() {
        assert_eq!(in_order(&[vec![1, 2], vec![2], vec![]]), [2, 1, 0]);
        assert_eq!(in_order(&[vec![], vec![0, 0], vec![1, 0]]), [0, 1, 2]);
        // Two that hold each other.
        assert_eq!(in_order(&[vec![1], vec![0]]), [1, 0]);
    }
}
