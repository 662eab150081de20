//! Order of the instructions in a block: PHIs first, terminators last.

use wavelens_isa::mir::{flag, opcode};

use super::branch_analysis::bundle_is;
use crate::context::{Inst, RuleContext};
use wavelens_base::{Diagnostic, Place};

wavelens_syntax::rules! {
    AFTER_TERMINATOR {
        code: "instruction-after-terminator",
        severity: wavelens_base::Severity::Error,
        title: "only terminators and debug instructions follow the first terminator",
        explain: "Passes insert code before the first terminator and assume that nothing else follows.",
        example: r#"---
name: f
body: |
  bb.0:
    S_ENDPGM 0
    S_NOP 0
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
        source: "LLVM MachineVerifier::visitMachineInstrBefore: \"Non-terminator instruction after the first terminator\"",
    }

    LATE_PHI {
        code: "phi-position",
        severity: wavelens_base::Severity::Error,
        title: "PHIs precede all other instructions of a block",
        explain: "PHIs take effect on the edges into the block. A function with `noPhis: true` must not contain PHIs.",
        example: r#"---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    successors: %bb.1

    %0:vgpr_32 = IMPLICIT_DEF
    S_BRANCH %bb.1

  bb.1:
    S_NOP 0
    %1:vgpr_32 = PHI %0, %bb.0
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    successors: %bb.1

    %0:vgpr_32 = IMPLICIT_DEF
    S_BRANCH %bb.1

  bb.1:
    %1:vgpr_32 = PHI %0, %bb.0
    S_NOP 0
    S_ENDPGM 0
...
"#,
        source: "LLVM MachineVerifier::visitMachineInstrBefore: \"Found PHI instruction after non-PHI\", \"Found PHI instruction with NoPHIs property set\"",
    }
}

pub(super) fn check(cx: &mut RuleContext<'_>, own: &[&Inst<'_>]) {
    let mut first_terminator: Option<&Inst<'_>> = None;
    let mut non_phi = false;
    let no_phis = cx.f.properties.no_phis == Some(true);
    for inst in own {
        if inst.is_phi() {
            if no_phis {
                cx.report(&LATE_PHI, inst.source.opcode_range, "PHI in a function with `noPhis: true`");
            } else if non_phi {
                cx.report(&LATE_PHI, inst.source.opcode_range, "PHI follows a non-PHI instruction");
            }
        } else {
            non_phi = true;
        }
        if inst.is_bundled() {
            continue;
        }
        if bundle_is(own, inst, flag::TERMINATOR) {
            first_terminator.get_or_insert(inst);
        } else if let Some(first) = first_terminator
            && !first.is(opcode::G_INVOKE_REGION_START)
        {
            let name = cx.f.opcode_text(inst.source);
            let message = format!("`{name}` follows a terminator");
            let d = Diagnostic::new(&AFTER_TERMINATOR, inst.source.opcode_range, message);
            let place = Place::Here(first.source.opcode_range);
            cx.diagnostics.push(d.related(place, "first terminator is here"));
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::marks;

    #[test]
    fn order() {
        marks(expect![[r#"
            ---
            name: f
            body: |
              bb.0:
                S_ENDPGM 0
                S_NOP 0
            ;   ^^^^^ error[instruction-after-terminator]: `S_NOP` follows a terminator
            ;       = line 5:5: first terminator is here
            ...
        "#]]);
        marks(expect![[r#"
            ---
            name: f
            body: |
              bb.0:
                successors: %bb.1
              bb.1:
                S_NOP 0
                %0:sgpr_32 = PHI undef %1:sgpr_32, %bb.0
            ;                ^^^ error[phi-position]: PHI follows a non-PHI instruction
                S_ENDPGM 0
            ...
        "#]]);
        marks(expect![[r#"
            ---
            name: f
            tracksRegLiveness: true
            body: |
              bb.0:
                liveins: $noreg
            ;            ^^^^^^ error[bad-live-in]: `$noreg` must not be a live-in
                S_ENDPGM 0
            ...
        "#]]);
    }
}
