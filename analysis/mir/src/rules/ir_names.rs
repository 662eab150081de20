//! Functions, globals, blocks and intrinsics of LLVM IR that machine functions name.

use super::metadata;
use crate::context::RuleContext;
use crate::ir::Local;
use crate::model::*;
use crate::scope::Scope;
use wavelens_base::{Diagnostic, TextRange};

wavelens_syntax::rules! {
    UNDEFINED_FUNCTION {
        code: "undefined-ir-function",
        severity: wavelens_base::Severity::Error,
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
        severity: wavelens_base::Severity::Error,
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

    UNDEFINED_IR_BLOCK {
        code: "undefined-ir-block",
        severity: wavelens_base::Severity::Error,
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

    UNKNOWN_INTRINSIC {
        code: "unknown-intrinsic",
        severity: wavelens_base::Severity::Error,
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
}

/// The IR module has a function with the name of the machine function.
pub(super) fn check_function(f: &Function, scope: &Scope, diagnostics: &mut Vec<Diagnostic>) {
    let name = &f.properties.name;
    if scope.has_ir && !name.text.is_empty() && !scope.functions.contains_key(&name.text) {
        let mut message = format!("use of undefined function `{}` in the embedded IR module", name.text);
        if name.text.contains(' ') {
            message += "; the next line continues the name, because it is indented more";
        }
        diagnostics.push(Diagnostic::new(&UNDEFINED_FUNCTION, name.range, message));
    }
}

fn is_global(cx: &RuleContext<'_>, name: Symbol) -> bool {
    cx.scope.globals.contains(cx.f.names.get(name))
}

pub(super) fn check_global(cx: &mut RuleContext<'_>, name: Symbol, range: TextRange) -> bool {
    if is_global(cx, name) {
        return true;
    }
    let text = cx.f.names.get(name);
    let at = if text.starts_with('@') { "" } else { "@" };
    let name = format!("{at}{text}");
    cx.report_undefined(&UNDEFINED_GLOBAL, range, "global", &name);
    false
}

/// Whether a name is one of the function's locals; without IR, LLVM makes a function with one block `entry`.
pub(super) fn local(cx: &RuleContext<'_>, name: &str) -> Option<Local> {
    match cx.ir {
        Some(ir) => ir.locals.get(name).copied(),
        None if !cx.scope.has_ir && name == "entry" => Some(Local::Block),
        None => None,
    }
}

/// Whether the module does not have the function, which is reported: no name in it can be found.
pub(super) fn is_function_missing(cx: &RuleContext<'_>) -> bool {
    cx.ir.is_none() && cx.scope.has_ir
}

pub(super) fn check_block(cx: &mut RuleContext<'_>, name: Symbol, range: TextRange) -> bool {
    let text = cx.f.names.get(name).to_owned();
    if local(cx, &text) == Some(Local::Block) {
        return true;
    }
    if !is_function_missing(cx) {
        cx.report(&UNDEFINED_IR_BLOCK, range, format!("use of undefined IR block `{text}`"));
    }
    false
}

/// A block's address by the names of its function and of the block.
pub(super) fn check_block_address(
    cx: &mut RuleContext<'_>,
    function: &str,
    block: &str,
    range: TextRange,
) -> bool {
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

/// Names in the operands of an instruction and in what follows them.
pub(super) fn check_operands(cx: &mut RuleContext<'_>, source: &Instruction) -> bool {
    let f = cx.f;
    let mut ok = true;
    for operand in source.operands.of(&f.operands) {
        match operand.kind {
            OperandKind::Global(name) => ok &= check_global(cx, name, operand.range),
            OperandKind::BlockAddress(function, block) => {
                ok &= check_global(cx, function, operand.range)
                    && check_block_address(cx, f.names.get(function), f.names.get(block), operand.range);
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
        ok &= metadata::check_reference(cx, node);
    }
    ok
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use wavelens_base::Dialect;
    use wavelens_check::testing::findings;

    #[test]
    fn names_in_double_quotes() {
        let text = "--- |\n  target triple = \"x86_64-pc-windows-msvc\"\n  define void @\"\\01?f@@YAXXZ\"() { unreachable }\n...\n---\nname: \"\\x01?f@@YAXXZ\"\nbody: |\n  bb.0:\n...\n";
        expect![""].assert_eq(&findings(Dialect::Mir, text));
    }

    #[test]
    fn blocks_in_double_quotes_are_found_from_block_headers() {
        let of = |block: &str| {
            let text = format!(
                "--- |\n  target triple = \"amdgcn\"\n  define void @f() {{\n  \"a block\":\n    ret void\n  }}\n...\n---\nname: f\n\
                 body: |\n  bb.0 (%ir-block.\"{block}\"):\n    S_ENDPGM 0\n...\n"
            );
            findings(Dialect::Mir, &text)
        };
        expect![""].assert_eq(&of("a block"));
        assert!(of("b block").contains("use of undefined IR block `b block`"));
    }

    #[test]
    fn the_module_may_begin_below_the_dashes() {
        let of = |value: &str| {
            let text = format!(
                "---\n# The module\n|\n  target triple = \"amdgcn\"\n  define void @f(ptr %p) {{ ret void }}\n...\n---\nname: f\n\
                 body: |\n  bb.0:\n    %0:vreg_64 = IMPLICIT_DEF\n    %1:vgpr_32 = FLAT_LOAD_DWORD %0, 0, 0, implicit $exec, \
                 implicit $flat_scr :: (load (s32) from %ir.{value})\n    S_ENDPGM 0\n...\n"
            );
            findings(Dialect::Mir, &text)
        };
        expect![""].assert_eq(&of("p"));
        expect![[r#"
            error[undefined-ir-value] 12:99 `%ir.q`: use of undefined IR value `%q`
        "#]]
        .assert_eq(&of("q"));
    }
}
