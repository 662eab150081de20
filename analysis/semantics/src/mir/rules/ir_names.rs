//! Names of the embedded IR module that machine functions use.

use rustc_hash::FxHashSet;
use wavelens_syntax::mir::{MirKind, lex_fragment};

use super::names;
use crate::mir::context::RuleContext;
use crate::mir::ir::{Local, Metadata};
use crate::mir::lower::bare;
use crate::mir::model::*;
use crate::mir::scope::Scope;
use crate::{Diagnostic, TextRange};

wavelens_syntax::rules! {
    UNDEFINED_FUNCTION {
        code: "undefined-ir-function",
        severity: crate::Severity::Error,
        title: "a machine function has the name of a function of the embedded IR module",
        explain: "Attributes, target features and values come from that function.",
        example: r#"--- |
  target triple = "amdgcn-amd-amdhsa"
  @g = external global i32
  define void @other(ptr %p, i32 %n) {
  entry:
    ret void
  }
...
---
name: f
body: |
  bb.0:
    S_ENDPGM 0
...
"#,
        fixed: r#"--- |
  target triple = "amdgcn-amd-amdhsa"
  @g = external global i32
  define void @f(ptr %p, i32 %n) {
  entry:
    ret void
  }
...
---
name: f
body: |
  bb.0:
    S_ENDPGM 0
...
"#,
        source: "LLVM MIRParserImpl::parseMachineFunction: \"isn't defined in the provided LLVM IR\"",
    }

    UNDEFINED_GLOBAL {
        code: "undefined-ir-global",
        severity: crate::Severity::Error,
        title: "a global is defined in the embedded IR module",
        explain: "Machine IR refers to the global by name only.",
        example: r#"--- |
  target triple = "amdgcn-amd-amdhsa"
  @g = external global i32
  define void @f(ptr %p, i32 %n) {
  entry:
    ret void
  }
...
---
name: f
body: |
  bb.0:
    $sgpr0 = S_MOV_B32 @nowhere
    S_ENDPGM 0
...
"#,
        fixed: r#"--- |
  target triple = "amdgcn-amd-amdhsa"
  @g = external global i32
  define void @f(ptr %p, i32 %n) {
  entry:
    ret void
  }
...
---
name: f
body: |
  bb.0:
    $sgpr0 = S_MOV_B32 @g
    S_ENDPGM 0
...
"#,
        source: "LLVM MIParser::parseGlobalValue: \"use of undefined global value\"",
    }

    UNDEFINED_VALUE {
        code: "undefined-ir-value",
        severity: crate::Severity::Error,
        title: "an IR value is defined in the IR function of the same name",
        explain: "Memory operands use IR values for alias analysis.",
        example: r#"--- |
  target triple = "amdgcn-amd-amdhsa"
  @g = external global i32
  define void @f(ptr %p, i32 %n) {
  entry:
    ret void
  }
...
---
name: f
body: |
  bb.0:
    $vgpr0 = IMPLICIT_DEF :: (load (s32) from %ir.q)
    S_ENDPGM 0
...
"#,
        fixed: r#"--- |
  target triple = "amdgcn-amd-amdhsa"
  @g = external global i32
  define void @f(ptr %p, i32 %n) {
  entry:
    ret void
  }
...
---
name: f
body: |
  bb.0:
    S_ENDPGM 0
...
"#,
        source: "LLVM MIParser::parseIRValue: \"use of undefined IR value\"",
    }

    WRONG_POINTER {
        code: "no-pointer",
        severity: crate::Severity::Error,
        title: "the IR value of a memory operand is a pointer",
        explain: "An integer does not identify memory.",
        example: r#"--- |
  target triple = "amdgcn-amd-amdhsa"
  @g = external global i32
  define void @f(ptr %p, i32 %n) {
  entry:
    ret void
  }
...
---
name: f
body: |
  bb.0:
    $vgpr0 = IMPLICIT_DEF :: (load (s32) from %ir.n)
    S_ENDPGM 0
...
"#,
        fixed: r#"--- |
  target triple = "amdgcn-amd-amdhsa"
  @g = external global i32
  define void @f(ptr %p, i32 %n) {
  entry:
    ret void
  }
...
---
name: f
body: |
  bb.0:
    S_ENDPGM 0
...
"#,
        source: "LLVM MIParser::parseMachinePointerInfo: \"expected a pointer IR value\"",
    }

    UNDEFINED_IR_BLOCK {
        code: "undefined-ir-block",
        severity: crate::Severity::Error,
        title: "an IR block is a block of the IR function of the same name",
        explain: "The name links the machine block to its IR block.",
        example: r#"--- |
  target triple = "amdgcn-amd-amdhsa"
  @g = external global i32
  define void @f(ptr %p, i32 %n) {
  entry:
    ret void
  }
...
---
name: f
body: |
  bb.0.start:
    S_ENDPGM 0
...
"#,
        fixed: r#"--- |
  target triple = "amdgcn-amd-amdhsa"
  @g = external global i32
  define void @f(ptr %p, i32 %n) {
  entry:
    ret void
  }
...
---
name: f
body: |
  bb.0.entry:
    S_ENDPGM 0
...
"#,
        source: "LLVM MIParser::parseBasicBlockDefinition: \"is not defined in the function\"",
    }

    UNDEFINED_METADATA {
        code: "undefined-metadata",
        severity: crate::Severity::Error,
        title: "a metadata node is defined in the IR module or in `machineMetadataNodes:`",
        explain: "The number refers to no node otherwise.",
        example: r#"--- |
  target triple = "amdgcn-amd-amdhsa"
  @g = external global i32
  define void @f(ptr %p, i32 %n) {
  entry:
    ret void
  }
...
---
name: f
body: |
  bb.0:
    S_NOP 0, debug-location !7
    S_ENDPGM 0
...
"#,
        fixed: r#"--- |
  target triple = "amdgcn-amd-amdhsa"
  @g = external global i32
  define void @f(ptr %p, i32 %n) {
  entry:
    ret void
  }
...
---
name: f
body: |
  bb.0:
    S_NOP 0
    S_ENDPGM 0
...
"#,
        source: "LLVM MIParser::parseMDNode: \"use of undefined metadata\"",
    }

    WRONG_METADATA {
        code: "wrong-metadata",
        severity: crate::Severity::Error,
        title: "a metadata node has the kind that its place requires",
        explain: "Debug information is read by kind: DILocation, DILocalVariable, DIExpression.",
        example: r#"--- |
  target triple = "amdgcn-amd-amdhsa"
  define void @f(ptr %p) {
  entry:
    ret void
  }
  !0 = !{}
...
---
name: f
body: |
  bb.0:
    S_NOP 0, debug-location !0
    S_ENDPGM 0
...
"#,
        fixed: r#"--- |
  target triple = "amdgcn-amd-amdhsa"
  define void @f(ptr %p) {
  entry:
    ret void
  }
  !0 = !{}
...
---
name: f
body: |
  bb.0:
    S_NOP 0
    S_ENDPGM 0
...
"#,
        source: "LLVM MIParser::parseDILocation: \"referenced metadata is not a DILocation\"",
    }

    UNKNOWN_INTRINSIC {
        code: "unknown-intrinsic",
        severity: crate::Severity::Error,
        title: "an intrinsic is one that LLVM knows",
        explain: "The name is written without the suffix of overloaded types.",
        example: r#"---
name: f
body: |
  bb.0:
    %0:_(s32) = G_INTRINSIC intrinsic(@llvm.nowhere)
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
body: |
  bb.0:
    %0:_(s32) = G_INTRINSIC intrinsic(@llvm.amdgcn.workitem.id.x)
    S_ENDPGM 0
...
"#,
        source: "LLVM MIParser::parseIntrinsicOperand: \"unknown intrinsic name\"",
    }

    BAD_ALIGNMENT {
        code: "bad-memory-alignment",
        severity: crate::Severity::Error,
        title: "the alignment of a memory operand is possible at its offset",
        explain: "`align` is the alignment of the access, `basealign` that of the base.",
        example: r#"--- |
  target triple = "amdgcn-amd-amdhsa"
  define void @f(ptr %p) {
  entry:
    ret void
  }
  !0 = !{}
...
---
name: f
body: |
  bb.0:
    %0:_(p0) = G_IMPLICIT_DEF
    %1:_(s32) = G_LOAD %0 :: (load (s32) from %ir.p + 2, align 4)
    S_ENDPGM 0
...
"#,
        fixed: r#"--- |
  target triple = "amdgcn-amd-amdhsa"
  define void @f(ptr %p) {
  entry:
    ret void
  }
  !0 = !{}
...
---
name: f
body: |
  bb.0:
    %0:_(p0) = G_IMPLICIT_DEF
    %1:_(s32) = G_LOAD %0 :: (load (s32) from %ir.p + 4, align 4)
    S_ENDPGM 0
...
"#,
        source: "LLVM MachineVerifier::visitMachineInstrBefore; MachineMemOperand::getAlign",
    }

    BAD_REFERENCE {
        code: "bad-reference",
        severity: crate::Severity::Error,
        title: "a reference in the YAML is written as its key requires",
        explain: "For example a frame index is `%stack.0` and a metadata node `!0`.",
        example: r#"---
name: f
jumpTable:
  kind: block-address
  entries:
    - { id: 0, blocks: [ 'foo' ] }
body: |
  bb.0:
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
    S_ENDPGM 0
...
"#,
        source: "LLVM MIRParser: parseMBBReference, parseStackObjectReference, parseMDNode",
    }
}

/// The function itself.
pub(super) fn function(f: &Function, scope: &Scope, diagnostics: &mut Vec<Diagnostic>) {
    let name = &f.properties.name;
    if scope.has_ir && !name.text.is_empty() && !scope.functions.contains_key(&name.text) {
        let message = format!("use of undefined function `{}` in the embedded IR module", name.text);
        diagnostics.push(Diagnostic::new(&UNDEFINED_FUNCTION, name.range, message));
    }
}

fn is_global(cx: &RuleContext<'_>, name: Symbol) -> bool {
    cx.scope.globals.contains(cx.f.names.get(name))
}

fn global(cx: &mut RuleContext<'_>, name: Symbol, range: TextRange) -> bool {
    if is_global(cx, name) {
        return true;
    }
    let text = cx.f.names.get(name);
    let at = if text.starts_with('@') { "" } else { "@" };
    cx.report(&UNDEFINED_GLOBAL, range, format!("use of undefined global `{at}{text}`"));
    false
}

/// Whether a name is one of the function's locals; without IR, LLVM makes a function with one block `entry`.
fn local(cx: &RuleContext<'_>, name: &str) -> Option<Local> {
    match cx.ir {
        Some(ir) => ir.locals.get(name).copied(),
        None if !cx.scope.has_ir && name == "entry" => Some(Local::Block),
        None => None,
    }
}

fn ir_block(cx: &mut RuleContext<'_>, name: Symbol, range: TextRange) -> bool {
    let text = cx.f.names.get(name).to_owned();
    if local(cx, &text) == Some(Local::Block) {
        return true;
    }
    cx.report(&UNDEFINED_IR_BLOCK, range, format!("use of undefined IR block `{text}`"));
    false
}

fn metadata_kind(cx: &RuleContext<'_>, number: u32) -> Option<Metadata> {
    if let Some(kind) = cx.scope.metadata.get(&number) {
        return Some(*kind);
    }
    let own = format!("!{number} ");
    cx.f.properties
        .machine_metadata
        .iter()
        .any(|m| m.text.starts_with(&own) || m.text.starts_with(own.trim_end()))
        .then_some(Metadata::Other)
}

fn metadata(cx: &mut RuleContext<'_>, number: u32, range: TextRange) -> bool {
    if metadata_kind(cx, number).is_some() {
        return true;
    }
    cx.report(&UNDEFINED_METADATA, range, format!("use of undefined metadata `!{number}`"));
    false
}

/// What stands outside instructions.
pub(super) fn check(cx: &mut RuleContext<'_>) -> bool {
    let f = cx.f;
    let mut ok = true;
    for block in &f.blocks {
        if block.name.is_some() {
            ok &= ir_block(cx, block.name, block.range);
        }
        for (name, range) in &block.ir_blocks {
            ok &= ir_block(cx, *name, *range);
        }
    }
    ok &= frame_objects(cx);
    let mut ids = FxHashSet::default();
    for constant in &f.constants {
        if !ids.insert(constant.id) {
            ok = false;
            cx.report(
                &names::UNDEFINED_CONSTANT,
                constant.id_range,
                format!("redefinition of `%const.{}`", constant.id),
            );
        }
        if !constant.target_specific {
            ok &= ir_constant(cx, &constant.value.text, constant.value.range);
        }
    }
    ids.clear();
    for table in &f.jump_tables {
        if !ids.insert(table.id) {
            ok = false;
            cx.report(
                &names::UNDEFINED_JUMP_TABLE,
                table.id_range,
                format!("redefinition of `%jump-table.{}`", table.id),
            );
        }
        for block in &table.blocks {
            ok &= block_text(cx, block);
        }
    }
    for text in f.properties.block_refs.iter().filter(|t| !t.text.is_empty()) {
        ok &= block_text(cx, text);
    }
    for text in f.properties.stack_refs.iter().filter(|t| !t.text.is_empty()) {
        ok &= stack_text(cx, text);
    }
    for debug in &f.properties.entry_value_debug {
        ok &= debug_info(cx, debug);
    }
    let mut defined: FxHashSet<&str> = FxHashSet::default();
    for node in &f.properties.machine_metadata {
        ok &= machine_metadata(cx, node);
        let id = node.text.split('=').next().unwrap_or("").trim_end();
        if !defined.insert(id) {
            ok = false;
            cx.report(&BAD_REFERENCE, node.range, format!("redefinition of `{id}`"));
        }
    }
    ok
}

/// An LLVM IR constant with its type. Names of globals inside an expression are not looked up: LLVM assumes that unknown ones
/// are defined later.
fn ir_constant(cx: &mut RuleContext<'_>, text: &str, range: TextRange) -> bool {
    let module = format!("@constant = global {text}\n");
    if text.contains(['@', '%']) {
        let syntax_error = crate::llvm::lower(&module)
            .diagnostics
            .into_iter()
            .find(|d| d.rule == &wavelens_syntax::llvm::SYNTAX_ERROR);
        if let Some(error) = syntax_error {
            cx.report(
                &names::BAD_IMMEDIATE,
                range,
                format!("expected an LLVM IR constant: {}", error.message),
            );
            return false;
        }
        let value = behind_type(text);
        if let Some(names) = value.strip_prefix("blockaddress").map(str::trim_start) {
            let names = names.strip_prefix('(').and_then(|n| n.trim_end().strip_suffix(')'));
            let Some((function, block)) = names.and_then(|n| n.split_once(',')) else { return true };
            let (function, block) = (function.trim(), bare(block.trim(), "%"));
            let is_unnamed = function.bytes().skip(1).all(|b| b.is_ascii_digit());
            let function = if is_unnamed { function.to_owned() } else { bare(function, "@") };
            return block_address(cx, &function, &block, range);
        }
        if !value.starts_with(['@', '%']) {
            return true;
        }
        let message = format!("expected a constant literal or expression, found `{value}`");
        cx.report(&names::BAD_IMMEDIATE, range, message);
        return false;
    }
    let found = crate::check_text(crate::Dialect::Llvm, &module, &crate::Options::default());
    let Some(problem) = found.iter().find(|d| d.severity == crate::Severity::Error) else { return true };
    let message = format!("expected an LLVM IR constant with its type (`float 1.0`): {}", problem.message);
    cx.report(&names::BAD_IMMEDIATE, range, message);
    false
}

/// What stands behind the type of a constant.
fn behind_type(text: &str) -> &str {
    let mut depth = 0u32;
    let end = text.find(|c: char| {
        match c {
            '<' | '[' | '{' | '(' => depth += 1,
            '>' | ']' | '}' | ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && c.is_whitespace()
    });
    let value = end.and_then(|end| text.get(end..)).unwrap_or("").trim();
    let space = value.strip_prefix("addrspace").filter(|rest| rest.trim_start().starts_with('('));
    match space {
        Some(space) => space.split_once(')').map_or("", |(_, value)| value.trim_start()),
        None => value,
    }
}

/// A block's address by the names of its function and of the block.
fn block_address(cx: &mut RuleContext<'_>, function: &str, block: &str, range: TextRange) -> bool {
    let is_block = match cx.scope.functions.get(function) {
        Some(known) => known.locals.get(block) == Some(&Local::Block),
        // Without IR, LLVM makes functions with one block `entry`.
        None if !cx.scope.has_ir && cx.scope.globals.contains(function) => block == "entry",
        None => {
            cx.report(&UNDEFINED_GLOBAL, range, format!("use of undefined function `@{function}`"));
            return false;
        }
    };
    if !is_block {
        cx.report(&UNDEFINED_IR_BLOCK, range, format!("use of undefined block `{block}` of `@{function}`"));
    }
    is_block
}

fn block_text(cx: &mut RuleContext<'_>, text: &Text) -> bool {
    match lex_fragment(&text.text).as_slice() {
        [(MirKind::BLOCK_NAME, name)] => {
            let rest = name.strip_prefix("%bb.").unwrap_or("");
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            let number = rest.get(..digits).and_then(|d| d.parse().ok()).unwrap_or(u32::MAX);
            names::block(cx, number, Symbol::NONE, text.range).is_some()
        }
        _ => {
            cx.report(&BAD_REFERENCE, text.range, "expected a basic block (`%bb.N`)");
            false
        }
    }
}

fn stack_text(cx: &mut RuleContext<'_>, text: &Text) -> bool {
    match lex_fragment(&text.text).as_slice() {
        [(MirKind::STACK_OBJECT, name)] => {
            let rest = name.strip_prefix("%stack.").unwrap_or("");
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            let id = rest.get(..digits).and_then(|d| d.parse().ok()).unwrap_or(u32::MAX);
            names::frame(cx, false, id, Symbol::NONE, text.range)
        }
        _ => {
            cx.report(&BAD_REFERENCE, text.range, "expected a stack object (`%stack.N`)");
            false
        }
    }
}

fn frame_objects(cx: &mut RuleContext<'_>) -> bool {
    let f = cx.f;
    let mut ok = true;
    let mut seen = FxHashSet::default();
    for object in &f.frame {
        if !seen.insert((object.fixed, object.id)) {
            ok = false;
            let kind = if object.fixed { "%fixed-stack" } else { "%stack" };
            cx.report(
                &names::UNDEFINED_FRAME_OBJECT,
                object.id_range,
                format!("redefinition of `{kind}.{}`", object.id),
            );
        }
        let number = match object.stack_id.text.as_str() {
            "sgpr-spill" => Some(1),
            // A target knows both or neither.
            "scalable-vector" | "scalable-predicate-vector" => Some(2),
            "wasm-local" => Some(3),
            _ => None,
        };
        if number.is_some_and(|n| !cx.t.facts().stack_ids.contains(&n)) {
            ok = false;
            cx.report(
                &names::UNKNOWN_TARGET_NAME,
                object.stack_id.range,
                format!("unknown stack id `{}`", object.stack_id.text),
            );
        }
        if !object.callee_saved.text.is_empty() {
            ok &= super::registers::physical_text(cx, &object.callee_saved).is_some();
        }
        if !object.name.text.is_empty() && local(cx, &object.name.text) != Some(Local::Alloca) {
            ok = false;
            let message = format!("use of undefined alloca `%{}`", object.name.text);
            cx.report(&UNDEFINED_VALUE, object.name.range, message);
        }
        ok &= debug_info(cx, &object.debug);
    }
    ok
}

fn debug_info(cx: &mut RuleContext<'_>, texts: &[Text; 3]) -> bool {
    let mut ok = true;
    let wanted = [
        (Metadata::Variable, "a `!DILocalVariable`"),
        (Metadata::Expression, "a `!DIExpression`"),
        (Metadata::Location, "a `!DILocation`"),
    ];
    for (text, (kind, name)) in texts.iter().zip(wanted) {
        if text.text.is_empty() {
            continue;
        }
        let tokens = lex_fragment(&text.text);
        let found = match tokens.as_slice() {
            [(MirKind::EXCLAIM, _), (MirKind::INT, number)] => {
                let number = number.parse().unwrap_or(u32::MAX);
                if !metadata(cx, number, text.range) {
                    ok = false;
                    continue;
                }
                metadata_kind(cx, number)
            }
            [(MirKind::DIEXPRESSION, _), (MirKind::MD_TEXT, _)] => Some(Metadata::Expression),
            [(MirKind::DILOCATION, _), ..] => Some(Metadata::Location),
            _ => None,
        };
        if found != Some(kind) {
            ok = false;
            cx.report(&WRONG_METADATA, text.range, format!("expected {name}"));
        }
    }
    ok
}

/// `!0 = distinct !{!1, !"x"}` in `machineMetadataNodes:`.
fn machine_metadata(cx: &mut RuleContext<'_>, text: &Text) -> bool {
    let tokens = lex_fragment(&text.text);
    let kinds: Vec<MirKind> = tokens.iter().map(|t| t.0).collect();
    let head = [MirKind::EXCLAIM, MirKind::INT, MirKind::EQUAL];
    let mut at = 3;
    if kinds.get(3) == Some(&MirKind::DISTINCT_KW) {
        at += 1;
    }
    let mut ok = kinds.starts_with(&head)
        && kinds.get(at) == Some(&MirKind::EXCLAIM)
        && kinds.get(at + 1) == Some(&MirKind::LBRACE);
    at += 2;
    while ok && kinds.get(at) != Some(&MirKind::RBRACE) {
        ok = kinds.get(at) == Some(&MirKind::EXCLAIM)
            && matches!(kinds.get(at + 1), Some(MirKind::INT | MirKind::STRING));
        at += 2;
        match kinds.get(at) {
            Some(MirKind::COMMA) if kinds.get(at + 1) == Some(&MirKind::EXCLAIM) => at += 1,
            Some(MirKind::RBRACE) => {}
            _ => ok = false,
        }
    }
    if !ok {
        cx.report(&BAD_REFERENCE, text.range, "expected a metadata node (`!0 = !{!1, !\"name\"}`)");
        return false;
    }
    for pair in tokens.windows(2).skip(2) {
        if let [(MirKind::EXCLAIM, _), (MirKind::INT, number)] = pair
            && !metadata(cx, number.parse().unwrap_or(u32::MAX), text.range)
        {
            return false;
        }
    }
    true
}

/// Names in an instruction's operands and behind them.
pub(super) fn operands(cx: &mut RuleContext<'_>, source: &Instruction) -> bool {
    let f = cx.f;
    let mut ok = true;
    for operand in source.operands.of(&f.operands) {
        match operand.kind {
            OperandKind::Global(name) => ok &= global(cx, name, operand.range),
            OperandKind::BlockAddress(function, block) => {
                ok &= global(cx, function, operand.range)
                    && block_address(cx, f.names.get(function), f.names.get(block), operand.range);
            }
            OperandKind::Intrinsic(name) => {
                let text = f.names.get(name);
                if !text.starts_with("llvm.") || super::generic::intrinsic(text).is_none() {
                    ok = false;
                    cx.report(&UNKNOWN_INTRINSIC, operand.range, format!("unknown intrinsic `@{text}`"));
                }
            }
            _ => {}
        }
    }
    for node in source.metadata.of(&f.metadata) {
        ok &= metadata(cx, node.number, node.range) && node.wanted.is_none_or(|w| metadata_is(cx, node, w));
    }
    ok
}

/// A node of a debug location must be of the kind that its place needs.
fn metadata_is(cx: &mut RuleContext<'_>, node: &MetadataRef, wanted: Metadata) -> bool {
    if metadata_kind(cx, node.number).is_none_or(|kind| kind == wanted) {
        return true;
    }
    let name = if wanted == Metadata::Scope {
        "scope (`!DISubprogram`, `!DILexicalBlock`)"
    } else {
        "`!DILocation`"
    };
    cx.report(&WRONG_METADATA, node.range, format!("`!{}` is not a {name}", node.number));
    false
}

/// Names in a memory operand.
pub(super) fn memory(cx: &mut RuleContext<'_>, m: &MemoryOperand) -> bool {
    let mut ok = true;
    match m.pointer {
        Pointer::Global(name) | Pointer::CallEntry(name) if name.is_some() => {
            ok &= match m.pointer {
                Pointer::CallEntry(_) if !m.pointer_range.is_empty() => global(cx, name, m.pointer_range),
                Pointer::CallEntry(_) => true,
                _ => global(cx, name, m.pointer_range),
            };
        }
        Pointer::Quoted => {
            let quoted = std::ops::Range::<usize>::from(m.pointer_range);
            let text = cx.text.get(quoted).unwrap_or("").trim_matches('`');
            ok &= ir_constant(cx, text, m.pointer_range);
        }
        Pointer::IrValue(name) => {
            let text = cx.f.names.get(name).to_owned();
            match local(cx, &text) {
                Some(Local::Value | Local::Alloca) => {}
                Some(Local::NoPointer) => {
                    ok = false;
                    cx.report(&WRONG_POINTER, m.pointer_range, format!("`{text}` is not a pointer"));
                }
                Some(Local::Block) => {
                    ok = false;
                    cx.report(
                        &UNDEFINED_VALUE,
                        m.pointer_range,
                        format!("`{text}` is an IR block, not a pointer"),
                    );
                }
                None => {
                    ok = false;
                    let name = text.strip_prefix('%').unwrap_or(&text);
                    cx.report(
                        &UNDEFINED_VALUE,
                        m.pointer_range,
                        format!("use of undefined IR value `%{name}`"),
                    );
                }
            }
        }
        _ => {}
    }
    if let Some(align) = m.align
        && (m.offset as u64) & (align.saturating_sub(1)) != 0
    {
        ok = false;
        let message = format!("an access at offset {} is not aligned to {align} bytes", m.offset);
        cx.report(&BAD_ALIGNMENT, m.align_range, message);
    }
    for (_, number, range) in &m.metadata {
        ok &= metadata(cx, *number, *range);
    }
    ok
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::Dialect;
    use crate::testing::findings;

    #[test]
    fn names_in_double_quotes() {
        let text = "--- |\n  target triple = \"x86_64-pc-windows-msvc\"\n  define void @\"\\01?f@@YAXXZ\"() { unreachable }\n...\n---\nname: \"\\x01?f@@YAXXZ\"\nbody: |\n  bb.0:\n...\n";
        expect![""].assert_eq(&findings(Dialect::Mir, text));
    }

    #[test]
    fn constants_that_name_the_module() {
        let with = |constant: &str| {
            let text = format!(
                "--- |\n  @g = global i32 0\n  define void @f() {{\n  a:\n    br label %b\n  b:\n    ret void\n  }}\n...\n---\nname: f\nconstants:\n  - {{ id: 0, value: '{constant}' }}\nbody: |\n  bb.0:\n    S_ENDPGM 0\n...\n"
            );
            findings(Dialect::Mir, &text)
        };
        for right in [
            "ptr blockaddress(@f, %b)",
            "ptr addrspacecast (ptr addrspace(1) @missing to ptr)",
            "<2 x ptr> <ptr @g, ptr @missing>",
            "ptr dso_local_equivalent @f",
        ] {
            assert_eq!(with(right), "");
        }
        expect![[r#"
            error[bad-ir-immediate] 13:22 `ptr addrspace(1) @g`: expected a constant literal or expression, found `@g`
        "#]]
        .assert_eq(&with("ptr addrspace(1) @g"));
        expect![[r#"
            error[undefined-ir-block] 13:22 `ptr blockaddress(@f, %c)`: use of undefined block `c` of `@f`
        "#]]
        .assert_eq(&with("ptr blockaddress(@f, %c)"));
        expect![[r#"
            error[undefined-ir-global] 13:22 `ptr blockaddress(@g, %b)`: use of undefined function `@g`
        "#]]
        .assert_eq(&with("ptr blockaddress(@g, %b)"));
    }

    #[test]
    fn stack_ids() {
        let with = |triple: &str| {
            let text = format!(
                "--- |\n  target triple = \"{triple}\"\n  define void @f() {{ unreachable }}\n...\n---\nname: f\nstack:\n  - {{ id: 0, size: 2, stack-id: scalable-predicate-vector }}\nbody: |\n  bb.0:\n...\n"
            );
            findings(Dialect::Mir, &text)
        };
        expect![""].assert_eq(&with("aarch64-linux"));
        expect![[r#"
            error[unknown-target-name] 8:33 `scalable-predicate-vector`: unknown stack id `scalable-predicate-vector`
        "#]]
        .assert_eq(&with("x86_64-linux"));
    }

    #[test]
    fn constants_are_checked_as_ir() {
        expect![[r#"
            error[bad-ir-immediate] 4:22 `<2 x float> <float 1.0, i32 undef>`: expected an LLVM IR constant with its type (`float 1.0`): expected `float` for element 1, as for the first, found `i32`
        "#]]
        .assert_eq(&crate::mir::rules::findings(
            "constants:\n  - { id: 0, value: '<2 x float> <float 1.0, i32 undef>' }\n",
            "  bb.0:\n    S_ENDPGM 0\n",
        ));
        let at = |constant: &str| {
            let body = format!(
                "  bb.0:\n    %0:_(p3) = G_IMPLICIT_DEF\n    %1:_(s32) = G_LOAD %0 :: (load (s32) from `{constant}`, addrspace 3)\n"
            );
            crate::mir::rules::findings("tracksRegLiveness: true\n", &body)
        };
        assert_eq!(at("ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @lds, i32 12)"), "");
        assert_eq!(at("ptr addrspace(3) getelementptr (%t, ptr addrspace(3) null, i32 0, i32 3)"), "");
        assert!(at("ptr addrspace(3) 4").contains("bad-ir-immediate"));
    }
}
