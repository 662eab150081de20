//! Code actions in Machine IR, beyond the fixes of findings.

use rustc_hash::FxHashMap;
use wavelens_base::{TextEdit, TextRange, TextSize};
use wavelens_isa::mir::flag;
use wavelens_mir::model::*;
use wavelens_syntax::mir::MirKind;

use super::Cx;
use super::ide_support::{function, ir, next_number, quoted_registers, successors, tables, virtuals};
use crate::answers::Action;

/// What can be changed in a range of the chunk, besides fixes of findings.
pub fn actions(cx: &Cx<'_>, range: TextRange) -> Vec<Action> {
    if let Some(inner) = ir(cx) {
        return crate::llvm::actions::actions(&inner, range);
    }
    let Some(f) = function(cx) else { return Vec::new() };
    let all = [
        tracks_liveness(f, range),
        old_types(cx, f, range),
        copy_operand(cx, f, range),
        write_successors(cx, f, range),
        renumber(cx, f, range),
    ];
    all.into_iter().flatten().collect()
}

fn insert(at: TextSize, text: String) -> TextEdit {
    TextEdit { range: TextRange::empty(at), text }
}

fn touches(a: TextRange, b: TextRange) -> bool {
    a.contains_range(b) || b.contains_range(a)
}

/// `tracksRegLiveness: true` after the name.
fn tracks_liveness(f: &Function, range: TextRange) -> Option<Action> {
    let p = &f.properties;
    if p.ranges.contains_key("tracksRegLiveness") || !touches(p.name.range, range) {
        return None;
    }
    let edit = insert(p.name.range.end(), "\ntracksRegLiveness: true".to_owned());
    Some(Action::rewrite("Add `tracksRegLiveness: true`", vec![edit]))
}

/// `%0(s32) = G_ADD ...` as `%0:_(s32) = G_ADD ...`.
fn old_types(cx: &Cx<'_>, f: &Function, range: TextRange) -> Option<Action> {
    let old = |o: &&Operand| {
        o.is_def()
            && o.register().is_some_and(|r| {
                matches!(r.name, RegisterName::Virtual(_))
                    && r.ty.is_some_and(|t| t != Type::Token)
                    && !r.class.is_some()
            })
    };
    if !f.operands.iter().filter(old).any(|o| touches(o.range, range)) {
        return None;
    }
    let edits = f.operands.iter().filter(old).filter_map(|o| {
        let paren = cx.slice(o.range).find('(')?;
        Some(insert(o.range.start() + TextSize::new(paren as u32), ":_".to_owned()))
    });
    Some(Action::rewrite("Add `:_` to the generic registers of this function", edits.collect()))
}

/// A COPY between the class or bank of a register and the one that the instruction requires: before the instruction, or after it for a result.
fn copy_operand(cx: &Cx<'_>, f: &Function, range: TextRange) -> Option<Action> {
    let inst = f.instructions.iter().find(|i| i.range.contains_range(range))?;
    let operands = f.operands_of(inst);
    let index = operands.iter().position(|o| o.range.contains_range(range))?;
    let operand = operands.get(index)?;
    let register = operand.register()?;
    let RegisterName::Virtual(v) = register.name else { return None };
    let opcode = f.opcode_text(inst);
    if matches!(opcode, "PHI" | "G_PHI" | "COPY") || inst.flags & instruction_flag::BUNDLED != 0 {
        return None;
    }
    let all = virtuals(f);
    let own = all.get(v as usize)?;
    let class = f.names.get(own.class);
    let tables = tables(cx)?;
    let is_bank = |name: &str| tables.facts().banks.iter().any(|b| b.name == name);
    let desc = tables.desc(tables.opcode(opcode)?);
    let wanted = desc
        .operand(index)
        .and_then(|o| tables.operand_class(&o, cx.scope.rows_of(cx.lowered.function.as_ref(), tables)));
    let (into, ty) = match wanted {
        Some(wanted) => {
            let mut have = tables.class(class)?;
            if register.sub.is_some() {
                have = tables.part_class(have, tables.sub_index(f.names.get(register.sub))?)?;
            }
            if tables.is_subclass(wanted, have) || tables.class_bits(wanted) != tables.class_bits(have) {
                return None;
            }
            (tables.class_name(wanted), String::new())
        }
        None => {
            // GlobalISel: operands live where the result lives.
            let result = operands.iter().find(|o| o.is_def())?.register()?;
            let RegisterName::Virtual(result) = result.name else { return None };
            let bank = f.names.get(all.get(result as usize)?.class);
            if bank == class || !is_bank(bank) || !is_bank(class) {
                return None;
            }
            (bank.to_owned(), format!("({})", own.ty?))
        }
    };
    let number = next_number(f);
    let line = cx.text.get(..usize::from(inst.range.start()))?.rfind('\n')? + 1;
    let indent = cx.text.get(line..usize::from(inst.range.start()))?;
    let (written, text) = (f.register_text(v), cx.slice(operand.range));
    let at = text.find(written.as_str())?;
    let start = operand.range.start() + TextSize::new(at as u32);
    let rest = text.get(at..)?;
    if operand.is_def() {
        if register.sub.is_some() || desc.is(flag::TERMINATOR) || rest.contains(char::is_whitespace) {
            return None;
        }
        let behind = cx.text.get(usize::from(inst.range.end())..)?.lines().next()?;
        let end = inst.range.end() + TextSize::of(behind);
        let edits = vec![
            TextEdit { range: TextRange::at(start, TextSize::of(rest)), text: format!("%{number}:{into}") },
            insert(end, format!("\n{indent}{rest} = COPY %{number}")),
        ];
        return Some(Action::rewrite(
            format!("Define a new `{into}` register and copy it to `{written}`"),
            edits,
        ));
    }
    let name = match register.sub.is_some() {
        true => format!("{written}.{}", f.names.get(register.sub)),
        false => written,
    };
    if !rest.starts_with(name.as_str()) {
        return None;
    }
    let edits = vec![
        insert(inst.range.start(), format!("%{number}:{into}{ty} = COPY {name}\n{indent}")),
        TextEdit { range: TextRange::at(start, TextSize::of(name.as_str())), text: format!("%{number}") },
    ];
    Some(Action::rewrite(format!("Copy `{name}` to a new `{into}` register"), edits))
}

/// `successors:` as the branches imply them, where a block leaves them out.
fn write_successors(cx: &Cx<'_>, f: &Function, range: TextRange) -> Option<Action> {
    let (place, block) = f.blocks.iter().enumerate().find(|(_, b)| touches(b.range, range))?;
    if block.successors.is_some() {
        return None;
    }
    let blocks = successors(cx, f, place).into_iter().filter_map(|b| f.blocks.get(b));
    let names: Vec<String> = blocks.map(|b| format!("%bb.{}", b.number)).collect();
    if names.is_empty() {
        return None;
    }
    let rest = cx.text.get(usize::from(block.range.end())..)?.lines().next()?;
    let at = block.range.end() + TextSize::of(rest);
    let edit = insert(at, format!("\n    successors: {}", names.join(", ")));
    Some(Action::rewrite("Add the successors of this block", vec![edit]))
}

/// Numbers virtual registers in the order of their first place in the body.
fn renumber(cx: &Cx<'_>, f: &Function, range: TextRange) -> Option<Action> {
    let here = f.operands.iter().any(|o| {
        touches(o.range, range) && o.register().is_some_and(|r| matches!(r.name, RegisterName::Virtual(_)))
    });
    if !here && !touches(f.properties.name.range, range) {
        return None;
    }
    let parse = wavelens_syntax::mir::parse(cx.text);
    let lexed = parse.lexed();
    let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
    let mut edits = Vec::new();
    let mut replace = |range: TextRange, old: u32, sigil: &str| {
        let next = numbers.len() as u32;
        let new = *numbers.entry(old).or_insert(next);
        if new != old {
            edits.push(TextEdit { range, text: format!("{sigil}{new}") });
        }
    };
    for index in (0..lexed.len()).filter(|i| lexed.kind(*i) == MirKind::VREG) {
        if let Some(old) = lexed.text(cx.text, index).get(1..).and_then(|n| n.parse().ok()) {
            replace(lexed.range(index), old, "%");
        }
    }
    for decl in &f.register_decls {
        replace(decl.id_range, decl.id, "");
    }
    for text in quoted_registers(f) {
        if let Some(old) = text.text.strip_prefix('%').and_then(|n| n.parse().ok()) {
            replace(text.range, old, "%");
        }
    }
    if edits.is_empty() {
        return None;
    }
    edits.sort_by_key(|e| e.range.start());
    Some(Action::rewrite("Renumber the virtual registers in order", edits))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use wavelens_base::{Dialect, TextRange};

    use crate::features;
    use crate::features::tests::{at_cursor, edited};

    /// The function after each action at the cursor, without the lines that stay.
    fn actions(keys: &str, body: &str) -> String {
        let fixture = format!("---\nname: f\n{keys}body: |\n{body}...\n");
        at_cursor(Dialect::Mir, &fixture, |view, at| {
            let before = view.whole_text();
            let mut out = String::new();
            for action in features::actions(view, TextRange::empty(at)) {
                out += &format!("{}\n", action.title);
                let text = edited(view, action.edits);
                let new = text.lines().filter(|l| !before.lines().any(|b| b == *l));
                new.for_each(|l| out += &format!("{l}\n"));
            }
            out
        })
    }

    #[test]
    fn types_and_banks() {
        expect![[r#"
            Add `:_` to the generic registers of this function
                %0:_(s32) = G_IMPLICIT_DEF
                %1:_(s32) = G_ADD %0, %0
        "#]]
        .assert_eq(&actions("", "  bb.0:\n    $0%0(s32) = G_IMPLICIT_DEF\n    %1(s32) = G_ADD %0, %0\n"));
        expect![[r#"
            Copy `%0` to a new `vgpr` register
                %2:vgpr(s32) = COPY %0
                %1:vgpr(s32) = G_ADD %0, %2
        "#]]
        .assert_eq(&actions(
            "legalized: true\nregBankSelected: true\n",
            "  bb.0:\n    %0:sgpr(s32) = G_IMPLICIT_DEF\n    %1:vgpr(s32) = G_ADD %0, $0%0\n",
        ));
        expect![[r#"
            Copy `%0` to a new `sreg_32` register
                %2:sreg_32 = COPY %0
                %1:sreg_32 = S_ADD_I32 %2, 3, implicit-def $scc
        "#]]
        .assert_eq(&actions(
            "",
            "  bb.0:\n    %0:vgpr_32 = IMPLICIT_DEF\n    %1:sreg_32 = S_ADD_I32 $0%0, 3, implicit-def $scc\n",
        ));
        expect![[r#"
            Copy `%0.sub1` to a new `sreg_32` register
                %2:sreg_32 = COPY %0.sub1
                %1:sreg_32 = S_ADD_I32 %2, 3, implicit-def $scc
        "#]]
        .assert_eq(&actions(
            "",
            "  bb.0:\n    %0:vreg_64 = IMPLICIT_DEF\n    %1:sreg_32 = S_ADD_I32 $0%0.sub1, 3, implicit-def $scc\n",
        ));
        expect![[r#"
            Define a new `vgpr_32` register and copy it to `%1`
                %2:vgpr_32 = V_MOV_B32_e32 3, implicit $exec ; three
                %1:sreg_32 = COPY %2
            Renumber the virtual registers in order
                %0:sreg_32 = V_MOV_B32_e32 3, implicit $exec ; three
        "#]]
        .assert_eq(&actions(
            "",
            "  bb.0:\n    $0%1:sreg_32 = V_MOV_B32_e32 3, implicit $exec ; three\n    S_ENDPGM 0\n",
        ));
    }

    #[test]
    fn keys_and_numbers() {
        expect![[r#"
            Renumber the virtual registers in order
              - { id: 0, class: sreg_32 }
                %0 = S_MOV_B32 0
                %1:sreg_32 = COPY %0
        "#]]
        .assert_eq(&actions(
            "registers:\n  - { id: 7, class: sreg_32 }\n",
            "  bb.0:\n    $0%7 = S_MOV_B32 0\n    %3:sreg_32 = COPY %7\n",
        ));
        let text = "---\nname: $0f\nbody: |\n  bb.0:\n    S_ENDPGM 0\n...\n";
        let titles = at_cursor(Dialect::Mir, text, |view, at| {
            features::actions(view, TextRange::empty(at))
                .into_iter()
                .map(|a| a.title + "\n")
                .collect::<String>()
        });
        expect![[r#"
            Add `tracksRegLiveness: true`
        "#]]
        .assert_eq(&titles);
    }

    #[test]
    fn blocks() {
        expect![[r#"
            Add the successors of this block
                successors: %bb.2, %bb.1
        "#]].assert_eq(&actions(
            "",
            "  $0bb.0:\n    S_CBRANCH_SCC1 %bb.2, implicit undef $scc\n  bb.1:\n    S_ENDPGM 0\n  bb.2:\n    S_ENDPGM 0\n",
        ));
        expect![[r#"
            Add `%bb.2` to the successors
                successors: %bb.1, %bb.2
        "#]].assert_eq(&actions(
            "",
            "  bb.0:\n    successors: %bb.1\n    S_CBRANCH_SCC1 $0%bb.2, implicit undef $scc\n  bb.1:\n    S_ENDPGM 0\n  bb.2:\n    S_ENDPGM 0\n",
        ));
        expect![[r#"
            Add `$vgpr0` to the live-ins
                liveins: $vgpr0
        "#]]
        .assert_eq(&actions(
            "tracksRegLiveness: true\n",
            "  bb.0:\n    %0:vgpr_32 = COPY $0$vgpr0\n    S_ENDPGM 0\n",
        ));
    }
}
