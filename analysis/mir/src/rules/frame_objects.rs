//! Objects of the stack frame, and references to them.

use rustc_hash::FxHashMap;
use wavelens_syntax::mir::{MirKind, lex_fragment};

use super::{ir_names, memory_operands, metadata, names, register_declarations, yaml_references};
use crate::context::RuleContext;
use crate::ir::Local;
use crate::model::*;
use wavelens_base::TextRange;

wavelens_syntax::rules! {
    UNDEFINED_FRAME_OBJECT {
        code: "undefined-frame-object",
        severity: wavelens_base::Severity::Error,
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
}

pub(super) fn check_reference(
    cx: &mut RuleContext<'_>,
    fixed: bool,
    id: u32,
    name: Symbol,
    range: TextRange,
) -> bool {
    let object = cx.f.frame.iter().find(|o| o.fixed == fixed && o.id == id);
    let kind = if fixed { "%fixed-stack" } else { "%stack" };
    let Some(object) = object else {
        if cx.f.properties.has_unknown_key {
            return false;
        }
        cx.report_once(
            &UNDEFINED_FRAME_OBJECT,
            range,
            format!("use of undefined stack object `{kind}.{id}`"),
        );
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

/// `stack:` and `fixedStack:`.
pub(super) fn check(cx: &mut RuleContext<'_>) -> bool {
    let f = cx.f;
    let mut ok = true;
    let mut seen = FxHashMap::default();
    for object in &f.frame {
        if let Some(first) = seen.insert((object.fixed, object.id), object.id_range) {
            ok = false;
            let kind = if object.fixed { "%fixed-stack" } else { "%stack" };
            let name = format!("{kind}.{}", object.id);
            names::report_redefinition(cx, &UNDEFINED_FRAME_OBJECT, &name, first, object.id_range);
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
            ok &= register_declarations::physical_text(cx, &object.callee_saved).is_some();
        }
        if !object.name.text.is_empty() && ir_names::local(cx, &object.name.text) != Some(Local::Alloca) {
            ok = false;
            if !ir_names::is_function_missing(cx) {
                let message = format!("use of undefined alloca `%{}`", object.name.text);
                cx.report(&memory_operands::UNDEFINED_VALUE, object.name.range, message);
            }
        }
        ok &= metadata::check_debug_info(cx, &object.debug);
    }
    ok
}

pub(super) fn check_text(cx: &mut RuleContext<'_>, text: &Text) -> bool {
    match lex_fragment(&text.text).as_slice() {
        [(MirKind::STACK_OBJECT, name)] => {
            let rest = name.strip_prefix("%stack.").unwrap_or("");
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            let id = rest.get(..digits).and_then(|d| d.parse().ok()).unwrap_or(u32::MAX);
            check_reference(cx, false, id, Symbol::NONE, text.range)
        }
        _ => {
            cx.report(&yaml_references::BAD_REFERENCE, text.range, "expected a stack object (`%stack.N`)");
            false
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use wavelens_base::Dialect;
    use wavelens_check::testing::findings;

    #[test]
    fn a_second_definition_names_the_first() {
        let keys = "stack:\n  - { id: 0, size: 4 }\n  - { id: 0, size: 8 }\nconstants:\n  - { id: 1, value: 'i32 1' }\n  - { id: 1, value: 'i32 2' }\n";
        assert_eq!(
            crate::rules::related(keys, "  bb.0:\n    S_ENDPGM 0\n"),
            "undefined-frame-object `0`: previous definition is here `0`\n\
             undefined-constant-pool-item `1`: previous definition is here `1`\n"
        );
    }

    #[test]
    fn stack_ids() {
        let with = |triple: &str, id: &str| {
            let text = format!(
                "--- |\n  target triple = \"{triple}\"\n  define void @f() {{ unreachable }}\n...\n---\nname: f\nstack:\n  - {{ id: 0, size: 2, stack-id: {id} }}\nbody: |\n  bb.0:\n...\n"
            );
            findings(Dialect::Mir, &text)
        };
        expect![""].assert_eq(&with("aarch64-linux", "scalable-predicate-vector"));
        expect![""].assert_eq(&with("x86_64-linux", "default"));
        expect![[r#"
            error[unknown-target-name] 8:33 `wasm-local`: unknown stack id `wasm-local`
        "#]]
        .assert_eq(&with("aarch64-linux", "wasm-local"));
        expect![[r#"
            error[unknown-target-name] 8:33 `scalable-predicate-vector`: unknown stack id `scalable-predicate-vector`
        "#]]
        .assert_eq(&with("x86_64-linux", "scalable-predicate-vector"));
    }
}
