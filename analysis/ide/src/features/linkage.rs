//! Names that a linker sees: what a module defines for others, and what it takes from them.

use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;
use wavelens_amdgpu as amdgpu;
use wavelens_base::{TextRange, TextSize};
use wavelens_check::dialect::Scope;
use wavelens_llvm as llvm;

use super::navigation::{occurrence_at, occurrences, places};
use crate::answers::{Occurrence, Role, Space, SymbolKey};
use crate::db::View;

/// A place of a name that other modules can mean too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkedName {
    /// As the linker sees it.
    pub name: SmolStr,
    /// What the module does with it there.
    pub role: Role,
    /// In the file.
    pub range: TextRange,
}

/// The names of the file that other modules can mean, in the order of the text.
pub fn linked_names(view: View<'_>) -> Vec<LinkedName> {
    let linkage = Linkage::new(view);
    let mut all = Vec::new();
    for index in 0..view.chunks().len() {
        view.db.unwind_if_revision_cancelled();
        let start = view.start(index);
        let found = occurrences(view, index).into_iter();
        all.extend(
            found.filter_map(|o| linkage.linked(&o)).map(|n| LinkedName { range: n.range + start, ..n }),
        );
    }
    all.sort_by_key(|n| n.range.start());
    all
}

/// The name at an offset, if other modules can mean it, and whether this one defines it.
pub fn linked_name_at(view: View<'_>, offset: TextSize) -> Option<(SmolStr, bool)> {
    let (index, occurrence) = occurrence_at(view, offset)?;
    let linkage = Linkage::new(view);
    let name = linkage.linked(&occurrence)?.name;
    let definition = linkage.role(&occurrence.key, Role::Definition);
    let places = places(view, index, &occurrence.key);
    Some((name, definition == Role::Definition && places.iter().any(|(_, role)| *role == Role::Definition)))
}

/// Every place of a name that other modules can mean, with what the file does with it there.
pub fn linked_places(view: View<'_>, name: &str) -> Vec<(TextRange, Role)> {
    let linkage = Linkage::new(view);
    let Some(key) = linkage.key(name) else { return Vec::new() };
    let found = places(view, 0, &key).into_iter();
    found.map(|(range, role)| (range, linkage.role(&key, role))).collect()
}

/// Which names of a file a linker sees.
enum Linkage<'d> {
    Llvm(&'d llvm::Scope),
    /// Symbols that are bound, and those that are defined.
    Assembly {
        bound: FxHashSet<&'d str>,
        defined: FxHashSet<SmolStr>,
    },
    /// The ids with a name, and whether it is imported.
    Spirv(FxHashMap<&'d str, (&'d str, bool)>),
}

impl<'d> Linkage<'d> {
    fn new(view: View<'d>) -> Self {
        let texts = || view.chunks().iter().map(|chunk| view.text(*chunk));
        match view.scope() {
            Scope::Llvm(scope) => Linkage::Llvm(scope),
            Scope::Mir(scope) => Linkage::Llvm(&scope.llvm),
            Scope::Amdgpu(scope) => Linkage::Assembly {
                bound: texts()
                    .filter(|text| binds(text))
                    .flat_map(str::lines)
                    .filter_map(bound)
                    .flatten()
                    .collect(),
                defined: defined(view, scope),
            },
            Scope::Spirv(_) => {
                let decorated = texts().filter(|text| text.contains(LINKAGE));
                Linkage::Spirv(decorated.flat_map(str::lines).filter_map(linkage_attributes).collect())
            }
        }
    }

    fn linked(&self, occurrence: &Occurrence) -> Option<LinkedName> {
        let name = self.name(&occurrence.key)?;
        let role = self.role(&occurrence.key, occurrence.role);
        Some(LinkedName { name, role, range: occurrence.range })
    }

    /// The name that the linker sees for a key.
    fn name(&self, key: &SymbolKey) -> Option<SmolStr> {
        let name = key.name.as_str();
        match self {
            Linkage::Llvm(scope) => {
                let is_local = || scope.global_named(name).is_some_and(|g| g.head.linkage.is_local());
                let is_numbered = name.bytes().all(|b| b.is_ascii_digit());
                let is_seen = key.space == Space::Global && !is_numbered && !name.starts_with("llvm.");
                (is_seen && !is_local()).then(|| key.name.clone())
            }
            Linkage::Assembly { bound, defined } => {
                let is_seen = key.space == Space::Global && (bound.contains(name) || !defined.contains(name));
                is_seen.then(|| key.name.clone())
            }
            Linkage::Spirv(ids) => {
                ids.get(name).filter(|_| key.space == Space::Id).map(|(name, _)| SmolStr::from(*name))
            }
        }
    }

    /// The key of a name that the linker sees.
    fn key(&self, name: &str) -> Option<SymbolKey> {
        match self {
            Linkage::Llvm(_) | Linkage::Assembly { .. } => {
                let key = SymbolKey::module(Space::Global, name);
                self.name(&key).map(|_| key)
            }
            Linkage::Spirv(ids) => {
                let (id, _) = ids.iter().find(|(_, (own, _))| *own == name)?;
                Some(SymbolKey::module(Space::Id, *id))
            }
        }
    }

    /// What an occurrence does for the linker: the id of an imported function is defined elsewhere.
    fn role(&self, key: &SymbolKey, role: Role) -> Role {
        match self {
            Linkage::Spirv(ids)
                if role == Role::Definition && ids.get(key.name.as_str()).is_some_and(|i| i.1) =>
            {
                Role::Declaration
            }
            _ => role,
        }
    }
}

const LINKAGE: &str = "LinkageAttributes";

/// Id, name and whether it is imported: `OpDecorate %id LinkageAttributes "name" Import`.
fn linkage_attributes(line: &str) -> Option<(&str, (&str, bool))> {
    let mut words = line.split_whitespace();
    let is_linkage = words.next() == Some("OpDecorate");
    let id = words.next()?.strip_prefix('%')?;
    let is_linkage = is_linkage && words.next() == Some(LINKAGE);
    let name = words.next()?.strip_prefix('"')?.strip_suffix('"')?;
    is_linkage.then_some((id, (name, words.next() == Some("Import"))))
}

/// The symbols that assembly defines. The scope does not have them if the file is assembled as a whole, or not at all.
fn defined(view: View<'_>, scope: &amdgpu::Scope) -> FxHashSet<SmolStr> {
    if view.chunks().len() > 1 && scope.settings.target.is_some() {
        return scope.symbols_with_kind().map(|(name, _)| name.into()).collect();
    }
    let all = (0..view.chunks().len()).flat_map(|index| occurrences(view, index));
    all.filter(|o| o.role == Role::Definition).map(|o| o.key.name).collect()
}

/// Directives that let other modules see a symbol.
const BINDINGS: [&str; 3] = [".globl", ".global", ".weak"];

fn binds(text: &str) -> bool {
    BINDINGS.iter().any(|directive| text.contains(directive))
}

/// The symbols of a `.globl` or the like.
fn bound(line: &str) -> Option<impl Iterator<Item = &str>> {
    let (directive, names) = line.trim_start().split_once([' ', '\t'])?;
    let names = names.split([';', '/', '#']).next().unwrap_or(names);
    BINDINGS.contains(&directive).then(|| names.split(',').map(str::trim))
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use wavelens_base::{Dialect, Options};

    use super::*;
    use crate::db::Database;
    use crate::document::Document;

    fn check(dialect: Dialect, text: &str, expected: Expect) {
        let mut db = Database::default();
        let document = Document::new(&mut db, dialect, text, Options::default());
        let view = View::new(&db, document.file());
        let names = linked_names(view);
        let line = |n: &LinkedName| {
            let number = text[..n.range.start().into()].matches('\n').count() + 1;
            assert!(linked_places(view, &n.name).contains(&(n.range, n.role)), "{n:?}");
            format!("{number}: {:?} {} {}\n", n.role, n.name, &text[n.range])
        };
        expected.assert_eq(&names.iter().map(line).collect::<String>());
        for name in &names {
            let defines = names.iter().any(|n| n.name == name.name && n.role == Role::Definition);
            assert_eq!(linked_name_at(view, name.range.start()), Some((name.name.clone(), defines)));
        }
    }

    #[test]
    fn llvm_names_but_private_ones_and_intrinsics() {
        check(
            Dialect::Llvm,
            "@g = external global i32\n@p = internal global i32 0\n@\"q r\" = global ptr @p\n@0 = global i32 0\ndeclare void @f()\ndeclare void @llvm.trap()\ndefine i32 @k() {\n  call void @f()\n  call void @llvm.trap()\n  %v = load i32, ptr @g\n  ret i32 %v\n}\n",
            expect![[r#"
                1: Declaration g @g
                3: Definition q r @"q r"
                5: Declaration f @f
                7: Definition k @k
                8: Call f @f
                10: Reference g @g
            "#]],
        );
    }

    #[test]
    fn machine_functions_define_names() {
        check(
            Dialect::Mir,
            "---\nname: k\nbody: |\n  bb.0:\n    %0:sreg_64 = SI_PC_ADD_REL_OFFSET @f, 0, implicit-def $scc\n    S_ENDPGM 0\n...\n",
            expect![[r#"
                2: Definition k k
                5: Reference f @f
            "#]],
        );
    }

    #[test]
    fn ids_with_linkage() {
        check(
            Dialect::Spirv,
            "OpCapability Linkage\nOpDecorate %f LinkageAttributes \"sin\" Import\nOpDecorate %g LinkageAttributes \"k\" Export\n%void = OpTypeVoid\n%t = OpTypeFunction %void\n%f = OpFunction %void None %t\nOpFunctionEnd\n%g = OpFunction %void None %t\n%l = OpLabel\n%r = OpFunctionCall %void %f\nOpReturn\nOpFunctionEnd\n",
            expect![[r#"
                2: Reference sin %f
                3: Reference k %g
                6: Declaration sin %f
                8: Definition k %g
                10: Call sin %f
            "#]],
        );
    }

    #[test]
    fn global_and_undefined_symbols() {
        check(
            Dialect::Amdgpu,
            ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\n.globl k ; a\n.weak w, v\nk:\n  s_getpc_b64 s[0:1]\n  s_add_u32 s0, s0, f@rel32@lo+4\n  s_branch local\nlocal:\n  s_endpgm\n",
            expect![[r#"
                2: Reference k k
                3: Reference w w
                3: Reference v v
                4: Definition k k
                6: Reference f f
            "#]],
        );
    }
}
