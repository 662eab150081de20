//! Names in a chunk of Machine IR.

use rustc_hash::FxHashSet;
use smol_str::SmolStr;
use wavelens_base::{TextEdit, TextRange, TextSize};
use wavelens_mir::model::{OperandKind, RegisterName, VirtualName};
use wavelens_syntax::mir::MirKind;

use super::Cx;
use super::ide_support::{function, ir, quoted_registers};
use super::ir_refs;
use crate::answers::{Occurrence, Role, Space, SymbolKey};

/// The digits after a prefix.
fn number(text: &str, prefix: &str) -> SmolStr {
    let rest = text.strip_prefix(prefix).unwrap_or(text);
    rest.chars().take_while(char::is_ascii_digit).collect::<String>().into()
}

/// Every name in the chunk.
pub fn occurrences(cx: &Cx<'_>) -> Vec<Occurrence> {
    if let Some(inner) = ir(cx) {
        return ir_refs::of_ir(&inner);
    }
    let Some(f) = function(cx) else { return Vec::new() };
    let mut found = Vec::new();
    let mut defined = vec![false; f.registers.len()];
    let parse = wavelens_syntax::mir::parse(cx.text);
    let lexed = parse.lexed();
    let definitions: Vec<TextRange> = f
        .operands
        .iter()
        .filter(|o| o.is_def())
        .filter_map(|o| match o.kind {
            OperandKind::Register(r) => match r.name {
                RegisterName::Virtual(v) => Some((v, o.range)),
                _ => None,
            },
            _ => None,
        })
        .filter(|(v, _)| defined.get_mut(*v as usize).is_some_and(|d| !std::mem::replace(d, true)))
        .map(|(_, range)| range)
        .collect();
    // Live-ins define what a block begins with.
    let live_ins = f.block_live_ins.iter().map(|live_in| live_in.range.start());
    let physical = f.operands.iter().filter(|o| o.is_def());
    let physical =
        physical.filter(|o| o.register().is_some_and(|r| matches!(r.name, RegisterName::Physical(_))));
    // Flags precede the register's name.
    let name_start = |range: TextRange| {
        let at = cx.slice(range).find('$').unwrap_or(0);
        range.start() + TextSize::new(at as u32)
    };
    let written_physical: FxHashSet<TextSize> =
        physical.map(|o| name_start(o.range)).chain(live_ins).collect();
    for decl in &f.register_decls {
        let key = SymbolKey::local(Space::Register, 0, decl.id.to_string());
        found.push(Occurrence { key, range: decl.id_range, role: Role::Declaration });
    }
    for text in quoted_registers(f) {
        if let Some(name) = text.text.strip_prefix('%') {
            let key = SymbolKey::local(Space::Register, 0, name);
            found.push(Occurrence { key, range: text.range, role: Role::Reference });
        }
    }
    for object in &f.frame {
        let key = SymbolKey::local(Space::StackSlot, u32::from(object.fixed), object.id.to_string());
        found.push(Occurrence { key, range: object.id_range, role: Role::Definition });
    }
    for constant in &f.constants {
        let key = SymbolKey::local(Space::ConstantSlot, 0, constant.id.to_string());
        found.push(Occurrence { key, range: constant.id_range, role: Role::Definition });
    }
    for table in &f.jump_tables {
        let key = SymbolKey::local(Space::JumpTable, 0, table.id.to_string());
        found.push(Occurrence { key, range: table.id_range, role: Role::Definition });
    }
    for index in 0..lexed.len() {
        let (kind, text, range) = (lexed.kind(index), lexed.text(cx.text, index), lexed.range(index));
        let local = |space, owner, name: SmolStr| SymbolKey { space, owner: Some(owner), name };
        let (key, role) = match kind {
            MirKind::VREG | MirKind::NAMED_VREG => {
                let written = definitions.binary_search_by(|d| {
                    if d.contains_range(range) {
                        std::cmp::Ordering::Equal
                    } else {
                        d.start().cmp(&range.start())
                    }
                });
                let role = if written.is_ok() { Role::Definition } else { Role::Reference };
                (local(Space::Register, 0, text.get(1..).unwrap_or("").into()), role)
            }
            MirKind::PHYSREG if text != "$noreg" => {
                let role = if written_physical.contains(&range.start()) {
                    Role::Definition
                } else {
                    Role::Reference
                };
                (local(Space::PhysicalRegister, 0, text.get(1..).unwrap_or("").into()), role)
            }
            MirKind::LABEL => (local(Space::Block, 0, number(text, "bb.")), Role::Definition),
            MirKind::BLOCK_NAME => (local(Space::Block, 0, number(text, "%bb.")), Role::Reference),
            MirKind::STACK_OBJECT => (local(Space::StackSlot, 0, number(text, "%stack.")), Role::Reference),
            MirKind::FIXED_STACK_OBJECT => {
                (local(Space::StackSlot, 1, number(text, "%fixed-stack.")), Role::Reference)
            }
            MirKind::CONSTANT_POOL => {
                (local(Space::ConstantSlot, 0, number(text, "%const.")), Role::Reference)
            }
            MirKind::JUMP_TABLE => {
                (local(Space::JumpTable, 0, number(text, "%jump-table.")), Role::Reference)
            }
            _ => continue,
        };
        found.push(Occurrence { key, range, role });
    }
    ir_refs::of_function(cx, f, &mut found);
    found
}

/// The key that a name gets by renaming `key` to what the user typed.
///
/// # Errors
/// Why the language does not allow the name.
pub fn renamed(cx: &Cx<'_>, key: &SymbolKey, new_name: &str) -> Result<SymbolKey, String> {
    if let Some(inner) = ir(cx) {
        let new = crate::llvm::occurrences::renamed(&inner, &ir_refs::to_llvm(&inner, key), new_name)?;
        return if shared(key) { ir_refs::renamed(key, &new.name) } else { Ok(new) };
    }
    if shared(key) {
        return ir_refs::renamed(key, new_name.trim_start_matches(['%', '@']));
    }
    if key.space == Space::PhysicalRegister {
        return Err(format!("`${}` is a register of the machine", key.name));
    }
    let name = new_name.trim_start_matches(['%', '@']).trim_start_matches("bb.");
    let is_number = !name.is_empty() && name.bytes().all(|b| b.is_ascii_digit());
    let was_number = key.name.bytes().all(|b| b.is_ascii_digit());
    let word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '$');
    let is_word = name.starts_with(|c: char| !c.is_ascii_digit()) && name.chars().all(word);
    let declared = function(cx).into_iter().flat_map(|f| &f.register_decls);
    let is_declared = declared.filter(|_| key.space == Space::Register).any(|d| d.id.to_string() == key.name);
    match key.space {
        _ if was_number && is_number => {}
        Space::Register if is_number || (is_word && !is_declared) => {}
        Space::Register if is_word => {
            return Err(format!(
                "`%{}` is declared in `registers:`, where only numbers are allowed",
                key.name
            ));
        }
        _ if was_number => return Err("the new name must be a number, as the old name is".to_owned()),
        _ => {
            return Err(
                "the name of a register consists of letters, digits, `_`, `-` and `$`, and does not start with a digit"
                    .to_owned(),
            );
        }
    }
    if let (Some(f), Space::Register) = (function(cx), key.space) {
        let taken = f.registers.iter().any(|r| match r.name {
            VirtualName::Number(n) => n.to_string() == name,
            VirtualName::Name(s) => f.names.get(s) == name,
        });
        if taken && key.name != name {
            return Err(format!("`%{name}` already exists"));
        }
    }
    Ok(SymbolKey { name: name.into(), ..key.clone() })
}

/// How an occurrence is written once it has the new name, with sigil and quotes as they are needed there.
pub(crate) fn spell(cx: &Cx<'_>, occurrence: &Occurrence, new: &SymbolKey) -> String {
    if let Some(inner) = ir(cx) {
        let key = ir_refs::to_llvm(&inner, &occurrence.key);
        let new = ir_refs::to_llvm(&inner, new);
        return crate::llvm::occurrences::spell(&inner, &Occurrence { key, ..occurrence.clone() }, &new);
    }
    if shared(new) {
        return ir_refs::spell(cx.slice(occurrence.range), new);
    }
    let text = cx.slice(occurrence.range);
    if new.space == Space::Register && text.starts_with('%') {
        return format!("%{}", new.name);
    }
    let digits = text.find(|c: char| c.is_ascii_digit()).unwrap_or(text.len());
    if new.name.bytes().all(|b| b.is_ascii_digit()) {
        // What precedes and follows the number stays: `%stack.0.x`.
        let rest = text.get(digits..).unwrap_or("").trim_start_matches(|c: char| c.is_ascii_digit());
        return format!("{}{}{rest}", text.get(..digits).unwrap_or(""), new.name);
    }
    format!("%{}", new.name)
}

/// Names that the IR and machine functions share.
fn shared(key: &SymbolKey) -> bool {
    key.space == Space::Global || ir_refs::parts(key).is_some()
}

/// Takes a rename over from the shared code, when it changes more than the name's places. Edits are in the file.
pub fn rename(cx: &Cx<'_>, occurrence: &Occurrence, new_name: &str) -> Option<Result<Vec<TextEdit>, String>> {
    let numbered =
        ir_refs::parts(&occurrence.key).is_some_and(|(_, n)| n.bytes().all(|b| b.is_ascii_digit()));
    if numbered {
        // Naming it would give other numbers to what machine functions name by number.
        return Some(Err("a numbered value of the embedded IR cannot be named".to_owned()));
    }
    let inner = ir(cx)?;
    let key = ir_refs::to_llvm(&inner, &occurrence.key);
    crate::llvm::occurrences::rename(&inner, &Occurrence { key, ..occurrence.clone() }, new_name)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use wavelens_base::Dialect;

    use crate::features;
    use crate::features::tests::{at_cursor, edited, places};

    const FILE: &str = "--- |
  @g = external global i32
  define void @f(ptr %p) {
  entry:
    %x = alloca i32
    br label %next
  next:
    store i32 1, ptr %p
    ret void
  }
...
---
name: f
stack:
  - { id: 0, name: x, size: 4, alignment: 4 }
jumpTable:
  kind: block-address
  entries:
    - { id: 0, blocks: [ '%bb.1.next' ] }
body: |
  bb.0.entry:
    S_BRANCH %bb.1.next

  bb.1.next (ir-block-address-taken %ir-block.next):
    BUFFER_STORE_DWORD_OFFEN %0, %stack.0.x, $sgpr0_sgpr1_sgpr2_sgpr3, 0, 0, 0, 0, implicit $exec :: (store (s32) into %ir.p)
    %1:sreg_64 = SI_PC_ADD_REL_OFFSET @g, 0, implicit-def $scc
    S_ENDPGM 0
...
";

    fn rename(at: &str, new_name: &str) -> String {
        let fixture = FILE.replacen(at, &format!("$0{at}"), 1);
        at_cursor(Dialect::Mir, &fixture, |view, offset| match features::rename(view, offset, new_name) {
            Ok(edits) => {
                let text = edited(view, edits);
                let changed = text.lines().zip(FILE.lines()).filter(|(new, old)| new != old);
                changed.map(|(new, _)| format!("{}\n", new.trim())).collect()
            }
            Err(reason) => reason,
        })
    }

    #[test]
    fn names_of_the_ir_change_with_the_machine_function() {
        expect![[r#"
            define void @f(ptr %ptr) {
            store i32 1, ptr %ptr
            BUFFER_STORE_DWORD_OFFEN %0, %stack.0.x, $sgpr0_sgpr1_sgpr2_sgpr3, 0, 0, 0, 0, implicit $exec :: (store (s32) into %ir.ptr)
        "#]].assert_eq(&rename("%p) {", "ptr"));
        expect![[r#"
            define void @f(ptr %ptr) {
            store i32 1, ptr %ptr
            BUFFER_STORE_DWORD_OFFEN %0, %stack.0.x, $sgpr0_sgpr1_sgpr2_sgpr3, 0, 0, 0, 0, implicit $exec :: (store (s32) into %ir.ptr)
        "#]].assert_eq(&rename("%ir.p", "ptr"));
        expect![[r#"
            %slot = alloca i32
            - { id: 0, name: slot, size: 4, alignment: 4 }
            BUFFER_STORE_DWORD_OFFEN %0, %stack.0.slot, $sgpr0_sgpr1_sgpr2_sgpr3, 0, 0, 0, 0, implicit $exec :: (store (s32) into %ir.p)
        "#]].assert_eq(&rename("x = alloca", "slot"));
        expect![[r#"
            br label %after
            after:
            - { id: 0, blocks: [ '%bb.1.after' ] }
            S_BRANCH %bb.1.after
            bb.1.after (ir-block-address-taken %ir-block.after):
        "#]]
        .assert_eq(&rename("next:", "after"));
        expect![[r#"
            @h = external global i32
            %1:sreg_64 = SI_PC_ADD_REL_OFFSET @h, 0, implicit-def $scc
        "#]]
        .assert_eq(&rename("@g, 0", "h"));
        expect![[r#"
            define void @main(ptr %p) {
            name: main
        "#]]
        .assert_eq(&rename("f\nstack", "main"));
    }

    #[test]
    fn names_that_cannot_be_are_refused() {
        expect!["machine functions name it too: letters, digits, `_`, `.`, `-` and `$`, and no digit first"]
            .assert_eq(&rename("%p) {", "a b"));
        expect!["the name `x` is already in use"].assert_eq(&rename("%p) {", "x"));
    }

    #[test]
    fn a_reference_leads_into_the_ir() {
        let fixture = FILE.replace("%ir.p", "$0%ir.p");
        let found = at_cursor(Dialect::Mir, &fixture, |view, offset| {
            let targets = features::definition(view, offset).into_iter().map(|t| t.range);
            format!("{}{}", places(view, targets), places(view, features::references(view, offset, true)))
        });
        expect![[r#"
            3:22 %p
            3:22 %p
            8:22 %p
            25:120 %ir.p
        "#]]
        .assert_eq(&found);
    }

    /// `$sgpr0_sgpr1` holds `$sgpr1`, and `$sgpr2` is another register.
    #[test]
    fn references_of_a_register_are_those_of_its_parts_too() {
        let text = "--- |\n  target triple = \"amdgcn-amd-amdhsa\"\n...\n---\nname: f\nbody: |\n  bb.0:\n    $sgpr0_sgpr1 = S_MOV_B64 0\n    $sgpr2 = S_MOV_B32 $sgpr$01\n    S_ENDPGM 0, implicit $sgpr0, implicit $sgpr2\n...\n";
        at_cursor(Dialect::Mir, text, |view, at| {
            expect![[r#"
                8:5 $sgpr0_sgpr1
                9:24 $sgpr1
            "#]]
            .assert_eq(&places(view, features::references(view, at, true)));
            let marked = features::highlights(view, at).into_iter().map(|(range, _)| range);
            expect![[r#"
                8:5 $sgpr0_sgpr1
                9:24 $sgpr1
            "#]]
            .assert_eq(&places(view, marked));
        });
    }

    #[test]
    fn physical_registers_are_found_but_not_renamed() {
        let text = "---\nname: f\nbody: |\n  bb.0:\n    liveins: $sgpr4\n    $sgpr5 = S_MOV_B32 $sgpr4\n    S_NOP 0, implicit killed $sg$0pr5\n    $sgpr5 = COPY $sgpr4\n    S_ENDPGM 0\n...\n";
        at_cursor(Dialect::Mir, text, |view, at| {
            expect![[r#"
                6:5 $sgpr5
                7:30 $sgpr5
                8:5 $sgpr5
            "#]]
            .assert_eq(&places(view, features::references(view, at, true)));
            expect![[r#"
                6:5 $sgpr5
                8:5 $sgpr5
            "#]]
            .assert_eq(&places(view, features::definition(view, at).into_iter().map(|t| t.range)));
            assert_eq!(features::prepare_rename(view, at), None);
            assert!(features::rename(view, at, "$sgpr6").is_err());
        });
    }
}
