//! Fills the scope of a module with the types and globals that its chunks define, in the order of the file.

use super::{GlobalInfo, GlobalKind, Scope, StructDef, canonicalize};
use crate::summary::{AddressSpace, GlobalHead};
use crate::types::{Type, TypeId, Types};

pub(super) fn define_types(scope: &mut Scope, types: &mut Types) {
    let summaries = scope.summaries.clone();
    // Names first, so that structs may be recursive and used before they are defined.
    let mut aliases = Vec::new();
    for (index, (_, summary)) in summaries.iter().enumerate() {
        for def in &summary.cold.type_defs {
            let local = def.ty.map(|t| summary.tables.types.get(t));
            let names = &summary.tables.names;
            if scope.named_type(def.name, names).is_some() {
                continue;
            }
            let place = scope.place(index as u32, def.item);
            let ty = match local {
                None | Some(Type::Struct { .. }) => {
                    let ty = types.intern(Type::NamedStruct(scope.structs.len() as u32));
                    let name = def.name.display('%', names).into();
                    let order = (index as u32, def.item);
                    scope.structs.push(StructDef { name, fields: None, packed: false, place, order });
                    ty
                }
                Some(_) => {
                    aliases.push((index, def));
                    TypeId::ERROR
                }
            };
            match def.name.as_name() {
                Some(name) => scope.named_types.insert(names.get(name).into(), ty),
                None => scope.numbered_types.insert(def.name.as_number().unwrap_or(0), ty),
            };
        }
    }
    // Other types only refer to earlier ones: in the order of the file each is known when it is needed.
    for (index, def) in aliases {
        let Some((_, summary)) = summaries.get(index) else { continue };
        let tables = &summary.tables;
        let map = canonicalize(&tables.types, &tables.names, types, &|s, n| scope.named_type(s, n));
        let ty = def.ty.map_or(TypeId::ERROR, |ty| map.get(ty));
        match def.name.as_name() {
            Some(name) => scope.named_types.insert(tables.names.get(name).into(), ty),
            None => scope.numbered_types.insert(def.name.as_number().unwrap_or(0), ty),
        };
    }
    scope.type_maps = summaries
        .iter()
        .map(|(_, s)| {
            canonicalize(&s.tables.types, &s.tables.names, types, &|sym, n| scope.named_type(sym, n))
        })
        .collect();
    // Bodies of structs; a second definition of a name is left out.
    let mut defined = vec![false; scope.structs.len()];
    for (index, (_, summary)) in summaries.iter().enumerate() {
        for def in &summary.cold.type_defs {
            let Some(id) = scope.named_type(def.name, &summary.tables.names) else { continue };
            let Type::NamedStruct(at) = types.get(id) else { continue };
            let body = def.ty.map(|ty| types.get(scope.canonical(index as u32, ty)));
            let (Some(slot), Some(done)) = (scope.structs.get_mut(at as usize), defined.get_mut(at as usize))
            else {
                continue;
            };
            if std::mem::replace(done, true) {
                continue;
            }
            if let Some(Type::Struct { fields, packed }) = body {
                (slot.fields, slot.packed) = (Some(fields), packed);
            } else if body.is_some() {
                // A body with an unknown type in it: its fields are unknown, which is not the same as opaque.
                slot.fields = Some(types.intern_list(&[TypeId::ERROR]));
            }
        }
    }
}

pub(super) fn define_globals(scope: &mut Scope, types: &mut Types) {
    let summaries = scope.summaries.clone();
    // The number of the next global without a name.
    let mut next = 0;
    for (index, (_, summary)) in summaries.iter().enumerate() {
        let at = index as u32;
        let mut all: Vec<(GlobalHead, GlobalKind, TypeId)> = Vec::new();
        for (i, g) in summary.globals.iter().enumerate() {
            all.push((g.head, GlobalKind::Variable(i as u32), scope.canonical(at, g.ty)));
        }
        for (i, a) in summary.cold.aliases.iter().enumerate() {
            let kind = if a.is_ifunc { GlobalKind::Ifunc(i as u32) } else { GlobalKind::Alias(i as u32) };
            all.push((a.head, kind, scope.canonical(at, a.ty)));
        }
        for (i, f) in summary.functions.iter().enumerate() {
            let params: Vec<_> = summary.params(f).iter().map(|p| scope.canonical(at, p.ty)).collect();
            let result = scope.canonical(at, f.result);
            let broken = result.is_error() || params.contains(&TypeId::ERROR);
            let ty = if broken { TypeId::ERROR } else { types.function(result, &params, f.vararg) };
            all.push((f.head, GlobalKind::Function(i as u32), ty));
        }
        all.sort_by_key(|(head, ..)| head.item);
        for (head, kind, value_type) in all {
            let address_space = match head.address_space {
                Some(AddressSpace::Number(n)) => n,
                Some(AddressSpace::Symbolic(letter)) => scope.layout.named_space(letter),
                None => match kind {
                    // Without an `addrspace`, functions are in the program's address space, aliases in their target's.
                    GlobalKind::Function(_) => scope.layout.program_space,
                    GlobalKind::Variable(_) => 0,
                    GlobalKind::Alias(i) | GlobalKind::Ifunc(i) => summary
                        .cold
                        .aliases
                        .get(i as usize)
                        .map(|a| scope.canonical(at, summary.operand(a.target).ty))
                        .and_then(|ty| types.address_space(ty))
                        .unwrap_or(0),
                },
            };
            let number = scope.globals.len() as u32;
            scope.globals.push(GlobalInfo { summary: at, kind, value_type, address_space, head });
            let names = &summary.tables.names;
            match head.name.as_name() {
                Some(name) if !names.is_unnamed(head.name) => {
                    scope.named_globals.entry(names.get(name).into()).or_insert(number)
                }
                _ => {
                    let own = head.name.as_number().unwrap_or(next);
                    next = own.saturating_add(1).max(next);
                    scope.numbered_globals.entry(own).or_insert(number)
                }
            };
        }
    }
}
