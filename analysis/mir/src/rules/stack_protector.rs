//! The stack protector guards the other objects from above.

use wavelens_isa::mir::Machine;

use crate::context::RuleContext;

wavelens_syntax::rules! {
    STACK_PROTECTOR {
        code: "stack-protector-place",
        severity: wavelens_base::Severity::Error,
        title: "the stack protector slot is between the other stack objects and the caller",
        explain: "Checked once objects have offsets (`stackSize`). An overflow of another object must overwrite the guard before the return address.",
        example: r#"---
name: f
frameInfo:
  stackSize: 16
  stackProtector: '%stack.0'
stack:
  - { id: 0, offset: 0, size: 4 }
  - { id: 1, offset: 2, size: 4 }
body: |
  bb.0:
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
frameInfo:
  stackSize: 16
stack:
  - { id: 0, offset: 0, size: 4 }
  - { id: 1, offset: 4, size: 4 }
body: |
  bb.0:
    S_ENDPGM 0
...
"#,
        source: "LLVM MachineVerifier::verifyStackProtector: \"Stack protector overlaps with another stack object\", \"Stack protector is not the top-most object on the stack\"",
    }
}

pub(super) fn function(cx: &mut RuleContext<'_>) {
    let f = cx.f;
    // Its key is the first of those that name stack objects.
    let Some(name) = f.properties.stack_refs.first().filter(|_| f.properties.stack_size > 0) else { return };
    let id = name.text.trim().strip_prefix("%stack.").map(|rest| rest.split('.').next().unwrap_or(rest));
    let id = id.and_then(|id| id.parse::<u32>().ok());
    let Some(guard) = f.frame.iter().find(|o| !o.fixed && Some(o.id) == id) else { return };
    let end = |object: &crate::model::FrameObject| object.offset.saturating_add_unsigned(object.size);
    for object in f.frame.iter().filter(|o| !o.fixed) {
        let same = object.id == guard.id;
        let counts = matches!(object.stack_id.text.as_str(), "" | "default")
            && !matches!(object.kind.text.as_str(), "variable-sized" | "spill-slot");
        if same || !counts {
            continue;
        }
        let other = format!("`%stack.{}`", object.id);
        if guard.offset < end(object) && object.offset < end(guard) {
            cx.report(&STACK_PROTECTOR, name.range, format!("the stack protector overlaps {other}"));
            return;
        }
        let grows_down = cx.machine != Machine::Amdgpu;
        let beyond = if grows_down { guard.offset > object.offset } else { guard.offset < object.offset };
        if !beyond {
            cx.report(
                &STACK_PROTECTOR,
                name.range,
                format!("the stack protector must be between the other stack objects and the caller, but {other} is beyond it"),
            );
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::{findings, marks};

    #[test]
    fn places() {
        let with = |offset: i32| {
            let keys = format!(
                "frameInfo:\n  stackSize: 16\n  stackProtector: '%stack.0'\nstack:\n  - {{ id: 0, offset: {offset}, size: 8 }}\n  - {{ id: 1, offset: 8, size: 8 }}\n"
            );
            findings(&keys, "  bb.0:\n    S_ENDPGM 0\n")
        };
        expect![""].assert_eq(&with(0));
        expect![[r#"
            error[stack-protector-place] 5:20 `%stack.0`: the stack protector overlaps `%stack.1`
        "#]]
        .assert_eq(&with(4));
        expect![[r#"
            error[stack-protector-place] 5:20 `%stack.0`: the stack protector must be between the other stack objects and the caller, but `%stack.1` is beyond it
        "#]]
        .assert_eq(&with(16));
        marks(expect![[r#"
            ---
            name: f
            frameInfo:
              stackSize: 16
              stackProtector: '%stack.0'
            fixedStack:
              - { id: 0, offset: -8, size: 8 }
            stack:
              - { id: 0, offset: 0, size: 8 }
            body: |
              bb.0:
                S_ENDPGM 0
            ...
        "#]]);
    }
}
