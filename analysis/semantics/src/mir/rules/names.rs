//! Names that must mean something: opcodes, registers, classes, blocks, frame objects, constants, flags.

use rustc_hash::FxHashMap;
use wavelens_isa::mir::flag;
use wavelens_syntax::spelling::closest;

use crate::llvm::tables::debug_words::is_debug_word;
use crate::mir::context::{Inst, RuleContext, VirtualKind};
use crate::mir::model::*;
use crate::{Diagnostic, Place, TextRange};

wavelens_syntax::rules! {
    UNKNOWN_OPCODE {
        code: "unknown-opcode",
        severity: crate::Severity::Error,
        title: "an instruction is one of the target",
        explain: "The names are those of the `.td` files of the target.",
        example: r#"---
name: f
body: |
  bb.0:
    $sgpr0 = S_MVO_B32 0
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
body: |
  bb.0:
    $sgpr0 = S_MOV_B32 0
    S_ENDPGM 0
...
"#,
        source: "LLVM MIParser::parseInstruction: \"unknown machine instruction name\"",
    }

    UNKNOWN_REGISTER {
        code: "unknown-register",
        severity: crate::Severity::Error,
        title: "a physical register is one of the target",
        explain: "Register names are written in lower case.",
        example: r#"---
name: f
body: |
  bb.0:
    $sgpr9999 = S_MOV_B32 0
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
body: |
  bb.0:
    $sgpr0 = S_MOV_B32 0
    S_ENDPGM 0
...
"#,
        source: "LLVM MIParser::parseRegister: \"unknown register name\"",
    }

    UNKNOWN_SUBREGISTER {
        code: "unknown-subregister",
        severity: crate::Severity::Error,
        title: "a subregister index is one of the target",
        explain: "The index selects a part of a virtual register.",
        example: r#"---
name: f
body: |
  bb.0:
    %0:vreg_64 = IMPLICIT_DEF
    %1:vgpr_32 = COPY %0.sub77
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
body: |
  bb.0:
    %0:vreg_64 = IMPLICIT_DEF
    %1:vgpr_32 = COPY %0.sub1
    S_ENDPGM 0
...
"#,
        source: "LLVM MIParser::parseSubRegisterIndex: \"use of unknown subregister index\"",
    }

    UNKNOWN_CLASS {
        code: "unknown-register-class",
        severity: crate::Severity::Error,
        title: "a register class or bank is one of the target",
        explain: "`_` is a generic register without a bank.",
        example: r#"---
name: f
body: |
  bb.0:
    %0:vgpr_23 = IMPLICIT_DEF
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
body: |
  bb.0:
    %0:vgpr_32 = IMPLICIT_DEF
    S_ENDPGM 0
...
"#,
        source: "LLVM MIParser::parseRegisterClassOrBank: \"use of undefined register class or register bank\"",
    }

    UNKNOWN_OPERAND {
        code: "unknown-operand",
        severity: crate::Severity::Error,
        title: "a bare word as operand is a register mask or the type of an immediate",
        explain: "Masks are written in lower case, immediates with a type as `i32 7`.",
        example: r#"---
name: f
body: |
  bb.0:
    S_NOP foo
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
body: |
  bb.0:
    S_NOP 0
    S_ENDPGM 0
...
"#,
        source: "LLVM MIParser::parseMachineOperand: \"expected a machine operand\"",
    }

    UNKNOWN_TARGET_NAME {
        code: "unknown-target-name",
        severity: crate::Severity::Error,
        title: "a target flag, index or pseudo source value is one of the target",
        explain: "The names are those that the target registers for serialization.",
        example: r#"---
name: f
body: |
  bb.0:
    $sgpr0 = S_MOV_B32 target-flags(foo) 0
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
body: |
  bb.0:
    $sgpr0 = S_MOV_B32 0
    S_ENDPGM 0
...
"#,
        source: "LLVM MIParser::parseMachineOperandAndTargetFlags: \"use of undefined target flag\"",
    }

    UNDEFINED_BLOCK {
        code: "undefined-machine-block",
        severity: crate::Severity::Error,
        title: "a `%bb.N` is a block of the function",
        explain: "If a name is given, it must be the name of the IR block.",
        example: r#"---
name: f
body: |
  bb.0:
    S_BRANCH %bb.7
...
"#,
        fixed: r#"---
name: f
body: |
  bb.0:
    S_ENDPGM 0
...
"#,
        source: "LLVM MIParser::parseMBBReference: \"use of undefined machine basic block\"",
    }

    DUPLICATE_BLOCK {
        code: "duplicate-machine-block",
        severity: crate::Severity::Error,
        title: "a block number is defined once",
        explain: "A branch to the number would have two targets.",
        example: r#"---
name: f
body: |
  bb.0:
    S_ENDPGM 0

  bb.0:
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
body: |
  bb.0:
    S_ENDPGM 0

  bb.1:
    S_ENDPGM 0
...
"#,
        source: "LLVM MIParser::parseBasicBlockDefinition: \"redefinition of machine basic block with id\"",
    }

    UNDEFINED_FRAME_OBJECT {
        code: "undefined-frame-object",
        severity: crate::Severity::Error,
        title: "a stack object is declared once in `stack:` or `fixedStack:`",
        explain: "Size, alignment and offset come from the declaration.",
        example: r#"---
name: f
body: |
  bb.0:
    S_NOP 0, implicit $sgpr0
    $vgpr0 = V_MOV_B32_e32 %stack.0, implicit $exec
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
stack:
  - { id: 0, size: 4, alignment: 4 }
body: |
  bb.0:
    $vgpr0 = V_MOV_B32_e32 %stack.0, implicit $exec
    S_ENDPGM 0
...
"#,
        source: "LLVM MIParser::parseStackFrameIndex: \"use of undefined stack object\"",
    }

    UNDEFINED_CONSTANT {
        code: "undefined-constant-pool-item",
        severity: crate::Severity::Error,
        title: "a constant pool item is declared once in `constants:`",
        explain: "The value comes from the declaration.",
        example: r#"---
name: f
body: |
  bb.0:
    $vgpr0 = V_MOV_B32_e32 %const.0, implicit $exec
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
constants:
  - { id: 0, value: 'i32 7', alignment: 4 }
body: |
  bb.0:
    $vgpr0 = V_MOV_B32_e32 %const.0, implicit $exec
    S_ENDPGM 0
...
"#,
        source: "LLVM MIParser::parseConstantPoolIndexOperand: \"use of undefined constant\"",
    }

    UNDEFINED_JUMP_TABLE {
        code: "undefined-jump-table",
        severity: crate::Severity::Error,
        title: "a jump table is declared once in `jumpTable:`",
        explain: "The targets come from the declaration.",
        example: r#"---
name: f
body: |
  bb.0:
    $vgpr0 = V_MOV_B32_e32 %jump-table.0, implicit $exec
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
jumpTable:
  kind: block-address
  entries:
    - { id: 0, blocks: [ '%bb.0' ] }
body: |
  bb.0:
    $vgpr0 = V_MOV_B32_e32 %jump-table.0, implicit $exec
    S_ENDPGM 0
...
"#,
        source: "LLVM MIParser::parseJumpTableIndexOperand: \"use of undefined jump table\"",
    }

    BAD_IMMEDIATE {
        code: "bad-ir-immediate",
        severity: crate::Severity::Error,
        title: "a typed immediate is an integer constant that fits its type",
        explain: "The type is written as `iN`.",
        example: r#"---
name: f
constants:
  - { id: 0, value: 'i32 x', alignment: 4 }
body: |
  bb.0:
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
constants:
  - { id: 0, value: 'i32 7', alignment: 4 }
body: |
  bb.0:
    S_ENDPGM 0
...
"#,
        source: "LLVM MIParser::parseTypedImmediateOperand: \"expected an integer\"",
    }

    BAD_EXPRESSION {
        code: "bad-debug-expression",
        severity: crate::Severity::Error,
        title: "the elements of `!DIExpression` are DWARF operations, encodings and unsigned numbers",
        explain: "Consumers evaluate the expression to find the value of a variable.",
        example: r#"--- |
  target triple = "amdgcn-amd-amdhsa"
  define void @f() !dbg !3 { ret void }
  !llvm.dbg.cu = !{!0}
  !llvm.module.flags = !{!2}
  !0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, emissionKind: FullDebug)
  !1 = !DIFile(filename: "a.c", directory: "/")
  !2 = !{i32 2, !"Debug Info Version", i32 3}
  !3 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, unit: !0)
  !4 = !DILocalVariable(name: "x", scope: !3, file: !1, line: 1)
  !5 = !DILocation(line: 1, column: 1, scope: !3)
...
---
name: f
body: |
  bb.0:
    DBG_VALUE $vgpr0, $noreg, !4, !DIExpression(DW_OP_plsu), debug-location !5
    S_ENDPGM 0
...
"#,
        fixed: r#"--- |
  target triple = "amdgcn-amd-amdhsa"
  define void @f() !dbg !3 { ret void }
  !llvm.dbg.cu = !{!0}
  !llvm.module.flags = !{!2}
  !0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, emissionKind: FullDebug)
  !1 = !DIFile(filename: "a.c", directory: "/")
  !2 = !{i32 2, !"Debug Info Version", i32 3}
  !3 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, unit: !0)
  !4 = !DILocalVariable(name: "x", scope: !3, file: !1, line: 1)
  !5 = !DILocation(line: 1, column: 1, scope: !3)
...
---
name: f
body: |
  bb.0:
    DBG_VALUE $vgpr0, $noreg, !4, !DIExpression(DW_OP_deref), debug-location !5
    S_ENDPGM 0
...
"#,
        source: "LLVM MIParser::parseDIExpression: \"invalid DWARF op\"",
    }

    MISSING_IMPLICIT {
        code: "missing-implicit-operand",
        severity: crate::Severity::Error,
        title: "an instruction has the implicit operands of its description",
        explain: "The parser does not add them. Calls and instructions with a variable number of operands are exempt.",
        example: r#"---
name: f
body: |
  bb.0:
    $vgpr0 = V_MOV_B32_e32 0
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
body: |
  bb.0:
    $vgpr0 = V_MOV_B32_e32 0, implicit $exec
    S_ENDPGM 0
...
"#,
        source: "LLVM MIParser::verifyImplicitOperands: \"missing implicit register operand\"",
    }
}

pub(in crate::mir) fn opcode(cx: &mut RuleContext<'_>, instruction: &Instruction) {
    let name = cx.f.opcode_text(instruction).to_owned();
    let mut d =
        Diagnostic::new(&UNKNOWN_OPCODE, instruction.opcode_range, format!("unknown instruction `{name}`"));
    // A file for another target has nothing but unknown opcodes: the first few are worth a search.
    let searched = cx.diagnostics.iter().filter(|d| d.rule == &UNKNOWN_OPCODE).take(5).count();
    if searched < 5 {
        let known = cx.t.opcodes_with_prefix(name.get(..2).unwrap_or(""), usize::MAX);
        d = nearest(d, &name, known.iter().map(|(_, n)| n.as_str()));
    }
    cx.diagnostics.push(d);
}

/// Adds the fix that writes the word that was meant, where one is close.
fn nearest<'n>(d: Diagnostic, name: &str, known: impl IntoIterator<Item = &'n str>) -> Diagnostic {
    match closest(name, known) {
        Some(near) => {
            let range = d.range;
            d.guess(format!("Replace with `{near}`"), range, near)
        }
        None => d,
    }
}

pub(in crate::mir) fn physical(cx: &mut RuleContext<'_>, name: Symbol, range: TextRange) -> bool {
    if cx.register(name).is_some() {
        return true;
    }
    let text = cx.f.names.get(name).to_owned();
    cx.report(&UNKNOWN_REGISTER, range, format!("unknown register `${text}`"));
    false
}

pub(in crate::mir) fn sub_index(cx: &mut RuleContext<'_>, name: Symbol, range: TextRange) -> bool {
    if cx.sub_index(name).is_some() {
        return true;
    }
    let text = cx.f.names.get(name).to_owned();
    cx.report(&UNKNOWN_SUBREGISTER, range, format!("unknown subregister index `{text}`"));
    false
}

pub(in crate::mir) fn class(cx: &mut RuleContext<'_>, name: Symbol, range: TextRange) -> VirtualKind {
    let kind = cx.class_or_bank(name);
    if kind == VirtualKind::Error {
        let text = cx.f.names.get(name).to_owned();
        cx.report(&UNKNOWN_CLASS, range, format!("unknown register class or register bank `{text}`"));
    }
    kind
}

/// The block that a number means.
pub(in crate::mir) fn block(
    cx: &mut RuleContext<'_>,
    number: u32,
    name: Symbol,
    range: TextRange,
) -> Option<u32> {
    let found = find_block(cx.f, &cx.blocks, number, name);
    found.map_err(|message| cx.report(&UNDEFINED_BLOCK, range, message)).ok()
}

fn find_block(f: &Function, blocks: &FxHashMap<u32, u32>, number: u32, name: Symbol) -> Result<u32, String> {
    let Some(place) = blocks.get(&number).copied() else {
        return Err(format!("use of undefined block `%bb.{number}`"));
    };
    let wanted = f.names.get(name);
    let own = f.blocks.get(place as usize).map_or("", |b| block_ir_name(f, b));
    if !wanted.is_empty() && wanted != own {
        return Err(format!("block `%bb.{number}` has the name `{own}`, found `{wanted}`"));
    }
    Ok(place)
}

fn block_ir_name<'a>(f: &'a Function, block: &'a Block) -> &'a str {
    if block.name.is_some() {
        return f.names.get(block.name);
    }
    block.ir_blocks.first().map_or("", |b| f.names.get(b.0))
}

/// Places of blocks by their numbers; reports numbers that stand twice.
pub(in crate::mir) fn blocks_by_number(
    f: &Function,
    diagnostics: &mut Vec<Diagnostic>,
) -> FxHashMap<u32, u32> {
    let mut blocks: FxHashMap<u32, u32> = FxHashMap::default();
    for (place, block) in f.blocks.iter().enumerate() {
        let first = *blocks.entry(block.number).or_insert(place as u32);
        if let Some(first) = f.blocks.get(first as usize).filter(|_| first as usize != place) {
            let message = format!("redefinition of `bb.{}`", block.number);
            let d = Diagnostic::new(&DUPLICATE_BLOCK, block.range, message);
            diagnostics.push(d.related(Place::Here(first.range), wavelens_syntax::wording::PREVIOUS));
        }
    }
    blocks
}

/// Blocks that are named and not there, whatever the target.
pub(in crate::mir) fn blocks_on_any_target(f: &Function, diagnostics: &mut Vec<Diagnostic>) {
    let blocks = blocks_by_number(f, diagnostics);
    let operands = f.operands.iter().filter_map(|o| match o.kind {
        OperandKind::Block(number, name) => Some((number, name, o.range)),
        _ => None,
    });
    let successors = f.successors.iter().map(|s| (s.block, s.name, s.range));
    for (number, name, range) in operands.chain(successors) {
        if let Err(message) = find_block(f, &blocks, number, name) {
            diagnostics.push(Diagnostic::new(&UNDEFINED_BLOCK, range, message));
        }
    }
}

pub(in crate::mir) fn frame(
    cx: &mut RuleContext<'_>,
    fixed: bool,
    id: u32,
    name: Symbol,
    range: TextRange,
) -> bool {
    let object = cx.f.frame.iter().find(|o| o.fixed == fixed && o.id == id);
    let kind = if fixed { "%fixed-stack" } else { "%stack" };
    let Some(object) = object else {
        cx.report(&UNDEFINED_FRAME_OBJECT, range, format!("use of undefined stack object `{kind}.{id}`"));
        return false;
    };
    let wanted = cx.f.names.get(name);
    if !wanted.is_empty() && wanted != object.name.text {
        let message = format!("`{kind}.{id}` has the name `{}`, found `{wanted}`", object.name.text);
        cx.report(&UNDEFINED_FRAME_OBJECT, range, message);
        return false;
    }
    true
}

/// Everything in an operand that is a name; false where something was reported.
pub(in crate::mir) fn operand(cx: &mut RuleContext<'_>, operand: &Operand) -> bool {
    let range = operand.range;
    let (message, rule) = match operand.kind {
        OperandKind::Block(number, name) => return block(cx, number, name, range).is_some(),
        OperandKind::Frame { fixed, id, name } => return frame(cx, fixed, id, name, range),
        OperandKind::ConstantPool(id) if !cx.f.constants.iter().any(|c| c.id == id) => {
            (format!("use of undefined constant `%const.{id}`"), &UNDEFINED_CONSTANT)
        }
        OperandKind::JumpTable(id) if !cx.f.jump_tables.iter().any(|t| t.id == id) => {
            (format!("use of undefined jump table `%jump-table.{id}`"), &UNDEFINED_JUMP_TABLE)
        }
        OperandKind::SubIndex(name) => return sub_index(cx, name, range),
        OperandKind::Mask(name) => {
            let text = cx.f.names.get(name);
            if cx.t.facts().masks.iter().any(|m| m == text) {
                return true;
            }
            (format!("unknown register mask or immediate type `{text}`"), &UNKNOWN_OPERAND)
        }
        OperandKind::TargetIndex(name) => {
            let text = cx.f.names.get(name);
            if cx.t.facts().target_indices.iter().any(|m| m == text) {
                return true;
            }
            (format!("unknown target index `{text}`"), &UNKNOWN_TARGET_NAME)
        }
        OperandKind::TypedImmediate { letter, bits, value, boolean } => {
            let fits = match value {
                _ if boolean => bits == 1,
                _ => true,
            };
            if letter == b'i' && bits > 0 && bits < 1 << 23 && fits {
                return true;
            }
            ("expected an integer constant such as `i32 7` or `i1 true`".to_owned(), &BAD_IMMEDIATE)
        }
        OperandKind::Expression => match expression_problem(text_of(cx, range)) {
            Some(message) => (message, &BAD_EXPRESSION),
            None => return true,
        },
        OperandKind::FpImmediate { exact: false, .. } => {
            ("the number is not exactly representable in its type".to_owned(), &BAD_IMMEDIATE)
        }
        _ => return true,
    };
    cx.report(rule, range, message);
    false
}

fn text_of<'a>(cx: &RuleContext<'a>, range: TextRange) -> &'a str {
    cx.text.get(std::ops::Range::<usize>::from(range)).unwrap_or("")
}

/// What is wrong with the elements of a `!DIExpression(...)`.
fn expression_problem(text: &str) -> Option<String> {
    let inside = text.split_once('(')?.1.trim_end().strip_suffix(')')?;
    if inside.trim().is_empty() {
        return None;
    }
    inside.split(',').map(str::trim).find_map(|element| {
        let known = if element.starts_with("DW_OP_") || element.starts_with("DW_ATE_") {
            is_debug_word(element)
        } else {
            element.bytes().all(|b| b.is_ascii_digit()) && element.parse::<u64>().is_ok()
        };
        (!known).then(|| {
            format!("expected a `DW_OP_` operation, a `DW_ATE_` encoding or an unsigned 64-bit number, found `{element}`")
        })
    })
}

/// Names of registers in CFI directives, custom masks and live-out lists.
pub(in crate::mir) fn listed(cx: &mut RuleContext<'_>) -> bool {
    let mut ok = true;
    let f = cx.f;
    for (name, range) in &f.listed_registers {
        ok &= physical(cx, *name, *range);
    }
    for (name, range, first) in &f.target_flags {
        let text = f.names.get(*name);
        let facts = cx.t.facts();
        let known = facts.bitmask_flags.iter().any(|n| n == text)
            || (*first && facts.direct_flags.iter().any(|n| n == text));
        if !known {
            ok = false;
            cx.report(&UNKNOWN_TARGET_NAME, *range, format!("unknown target flag `{text}`"));
        }
    }
    ok
}

/// CFI directives need registers that debuggers know.
pub(in crate::mir) fn cfi(cx: &mut RuleContext<'_>, range: TextRange) -> bool {
    let f = cx.f;
    for (name, at) in f.listed_registers.iter().filter(|(_, r)| range.contains_range(*r)) {
        if let Some(register) = cx.register(*name)
            && !cx.t.has_dwarf_number(register)
            // The tables number registers as 64-bit debuggers do.
            && !cx.scope.has_short_pointers
            && cx.machine.is_uniform()
        {
            let text = f.names.get(*name);
            cx.report(&UNKNOWN_REGISTER, *at, format!("`${text}` does not have a DWARF register number"));
            return false;
        }
    }
    true
}

pub(in crate::mir) fn memory(cx: &mut RuleContext<'_>, operand: &MemoryOperand) -> bool {
    let mut ok = true;
    for (name, range) in &operand.target_flags {
        let text = cx.f.names.get(*name);
        if !cx.t.facts().memory_flags.iter().any(|n| n == text) {
            ok = false;
            cx.report(&UNKNOWN_TARGET_NAME, *range, format!("unknown memory flag \"{text}\""));
        }
    }
    match operand.pointer {
        Pointer::Frame { fixed, id, name } => ok &= frame(cx, fixed, id, name, operand.pointer_range),
        Pointer::Custom(name) if cx.machine == wavelens_isa::mir::Machine::Amdgpu => {
            let text = cx.f.names.get(name);
            if text != "GWSResource" {
                ok = false;
                cx.report(
                    &UNKNOWN_TARGET_NAME,
                    operand.pointer_range,
                    format!("unknown pseudo source `{text}`"),
                );
            }
        }
        _ => {}
    }
    ok
}

/// The registers that the description uses and defines must stand in the text.
pub(in crate::mir) fn implicit_operands(cx: &mut RuleContext<'_>, inst: &Inst<'_>) -> bool {
    if inst.desc.is(flag::VARIADIC) || inst.desc.is(flag::CALL) {
        return true;
    }
    let defs = inst.desc.implicit_defs().map(|r| (r, true));
    let uses = inst.desc.implicit_uses().map(|r| (r, false));
    for (register, def) in defs.chain(uses) {
        let present = cx.operands(inst).any(|o| {
            o.is_def() == def && o.register().is_some_and(|r| {
                !r.sub.is_some()
                    && matches!(r.name, RegisterName::Physical(n) if cx.known_register(n) == Some(register))
            })
        });
        if present {
            continue;
        }
        let written =
            format!("{} ${}", if def { "implicit-def" } else { "implicit" }, cx.t.register_name(register));
        let operands = inst.source.operands.of(&cx.f.operands);
        let end = operands
            .last()
            .map_or(inst.source.opcode_range.end(), |o| o.range.end().max(inst.source.opcode_range.end()));
        let explicit = operands.iter().any(|o| o.range.start() > inst.source.opcode_range.end());
        let separator = if explicit { ", " } else { " " };
        let at = TextRange::empty(end);
        let name = cx.f.opcode_text(inst.source);
        let d = Diagnostic::new(
            &MISSING_IMPLICIT,
            inst.source.opcode_range,
            format!("missing implicit operand `{written}` of `{name}`"),
        );
        cx.diagnostics.push(d.fix(format!("Add `{written}`"), at, format!("{separator}{written}")));
        return false;
    }
    true
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::mir::rules::findings;

    #[test]
    fn unknown_names() {
        expect![[r#"
            error[unknown-opcode] 5:18 `V_MVO_B32_e32`: unknown instruction `V_MVO_B32_e32`
              fix: Replace with `V_MOV_B32_e32`
              |     %0:vgpr_32 = V_MOV_B32_e32 0, implicit $exec
        "#]]
        .assert_eq(&findings("", "  bb.0:\n    %0:vgpr_32 = V_MVO_B32_e32 0, implicit $exec\n"));
        expect![[r#"
            error[unknown-register] 5:5 `$vgpr9999`: unknown register `$vgpr9999`
        "#]]
        .assert_eq(&findings("", "  bb.0:\n    $vgpr9999 = IMPLICIT_DEF\n"));
        expect![[r#"
            error[unknown-register-class] 5:5 `%0:vgrp_32`: unknown register class or register bank `vgrp_32`
        "#]]
        .assert_eq(&findings("", "  bb.0:\n    %0:vgrp_32 = IMPLICIT_DEF\n"));
        expect![[r#"
            error[unknown-subregister] 6:23 `%0.sub77`: unknown subregister index `sub77`
        "#]]
        .assert_eq(&findings("", "  bb.0:\n    %0:vreg_64 = IMPLICIT_DEF\n    %1:vgpr_32 = COPY %0.sub77\n"));
    }

    #[test]
    fn undefined_numbers() {
        expect![[r#"
            error[undefined-machine-block] 5:14 `%bb.7`: use of undefined block `%bb.7`
        "#]]
        .assert_eq(&findings("", "  bb.0:\n    S_BRANCH %bb.7\n"));
        expect![[r#"
            error[undefined-frame-object] 5:35 `%stack.3`: use of undefined stack object `%stack.3`
        "#]]
        .assert_eq(&findings(
            "",
            "  bb.0:\n    $vgpr0 = SI_SPILL_V32_RESTORE %stack.3, $sgpr32, 0, implicit $exec\n",
        ));
        expect![[r#"
            error[undefined-metadata] 5:31 `!1`: use of undefined metadata `!1`
            error[bad-debug-expression] 5:35 `!DIExpression(DW_OP_plsu)`: expected a `DW_OP_` operation, a `DW_ATE_` encoding or an unsigned 64-bit number, found `DW_OP_plsu`
        "#]].assert_eq(&findings(
            "",
            "  bb.0:\n    DBG_VALUE $vgpr0, $noreg, !1, !DIExpression(DW_OP_plsu)\n",
        ));
    }
}
