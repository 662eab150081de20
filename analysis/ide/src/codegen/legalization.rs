//! Asking `llc` how it legalizes the generic instruction at a place.

use wavelens_base::TextSize;
use wavelens_check::dialect::{Lowered, Scope};
use wavelens_codegen::{Failure, Input, MachineIr, Request, Source};
use wavelens_isa::mir::Machine;

use super::DEFAULT_TARGET;
use super::plan::older_triple;
use super::request::OPT_LEVEL;
use crate::answers::ChunkCx;
use crate::db::View;
use crate::mir::legalization::{outcome, probe, refused};

/// What asks how the compiler legalizes the generic instruction at an offset.
pub fn legalization(view: View<'_>, offset: TextSize) -> Option<Request> {
    let Scope::Mir(scope) = view.scope() else { return None };
    let (index, chunk, at) = view.chunk_at(offset)?;
    let Lowered::Mir(lowered) = view.lowered(chunk) else { return None };
    if scope.machine != Some(Machine::Amdgpu) {
        return None;
    }
    let probe = probe(&ChunkCx::new(view, index, chunk, lowered, scope), at)?;
    let name = &lowered.function.as_ref()?.properties.name.text;
    let target = scope.cpu_of(scope.functions.get(name));
    Some(Request {
        source: Source::Mir,
        input: Input::Text(probe),
        target: target.unwrap_or(DEFAULT_TARGET).to_owned(),
        features: scope.configuration.features.iter().map(|f| f.value.to_string()).collect(),
        triple: older_triple(&scope.configuration),
        opt_level: OPT_LEVEL,
        flags: vec!["-run-pass=legalizer".to_owned()],
        passes: String::new(),
        opt_flags: None,
    })
}

/// What the compiler's answer to [`legalization`] says, as Markdown; `None` where it says nothing about the instruction.
pub fn legalization_note(request: &Request, result: &Result<MachineIr, Failure>) -> Option<String> {
    let asked = request.input.bytes();
    match result {
        Ok(made) => outcome(&String::from_utf8_lossy(&asked), &made.text, &request.target),
        Err(failure) => failure.sentence().contains("unable to legalize").then(|| refused(&request.target)),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use wavelens_base::Dialect;

    use super::*;
    use crate::features::tests::at_cursor;

    /// The probe's body.
    fn probe(keys: &str, body: &str) -> String {
        let fixture = format!("---\nname: f\n{keys}body: |\n  bb.0:\n{body}...\n");
        at_cursor(Dialect::Mir, &fixture, |view, at| {
            legalization(view, at).map_or("nothing\n".to_owned(), |request| {
                let text = String::from_utf8_lossy(&request.input.bytes()).into_owned();
                let lines = text.lines().skip(5).take_while(|l| *l != "  bb.1:");
                let features = request.features.join(",");
                format!("{} {} [{features}]: {}\n", request.target, request.triple, request.flags.join(" "))
                    + &lines.map(|l| format!("{l}\n")).collect::<String>()
            })
        })
    }

    #[test]
    fn operands_come_from_nothing() {
        expect![[r#"
            gfx1100 amdgcn-amd-amdhsa []: -run-pass=legalizer
                %0:_(s64) = IMPLICIT_DEF
                %1:_(s64) = IMPLICIT_DEF
                %2:_(s64) = nsw G_MUL %0, %1
                KILL %2
        "#]]
        .assert_eq(&probe("", "    %0:_(s64) = G_IMPLICIT_DEF\n    %1:_(s64) = nsw G_M$0UL killed %0, %0\n"));
        expect![[r#"
            gfx1100 amdgcn-amd-amdhsa []: -run-pass=legalizer
                %0:_(s32) = IMPLICIT_DEF
                %1:_(s8) = G_TRUNC %0
                %2:_(s32) = IMPLICIT_DEF
                %3:_(s8) = G_TRUNC %2
                %4:_(s1) = G_ICMP intpred(eq), %1, %3
                %5:_(s32) = G_ANYEXT %4
                KILL %5
        "#]]
        .assert_eq(&probe(
            "",
            "    %0:_(s8) = G_IMPLICIT_DEF\n    %1:_(s1) = G_ICMP$0 intpred(eq), %0(s8), %0\n",
        ));
        expect![[r#"
            gfx1100 amdgcn-amd-amdhsa []: -run-pass=legalizer
                %0:_(s32) = IMPLICIT_DEF
                %1:_(s8) = G_TRUNC %0
                KILL %1
        "#]]
        .assert_eq(&probe("", "    %0:_(s32) = G_IMPLICIT_DEF\n    %1:_(s8) = G_TRUNC$0 %0\n"));
        expect![[r#"
            gfx1100 amdgcn-amd-amdhsa []: -run-pass=legalizer
                %0:_(<4 x s32>) = IMPLICIT_DEF
                %1:_(s32) = G_CONSTANT i32 1
                %2:_(s32) = G_EXTRACT_VECTOR_ELT %0, %1
                KILL %2
        "#]]
        .assert_eq(&probe(
            "",
            "    %0:_(<4 x s32>) = G_IMPLICIT_DEF\n    %1:_(s32) = G_CONSTANT i32 1\n    %2:_(s32) = $0G_EXTRACT_VECTOR_ELT %0, %1\n",
        ));
    }

    #[test]
    fn memory_operands_keep_what_matters() {
        expect![[r#"
            gfx1100 amdgcn-amd-amdhsa []: -run-pass=legalizer
                %0:_(p1) = IMPLICIT_DEF
                %1:_(s32) = G_LOAD %0 :: (volatile load syncscope("agent") acquire (s32), align 2, addrspace 1)
                KILL %1
        "#]]
        .assert_eq(&probe(
            "",
            "    %0:_(p1) = G_IMPLICIT_DEF\n    %1:_(s32) = G_L$0OAD %0 :: (volatile load syncscope(\"agent\") acquire (s32) from %ir.p + 4, align 2, !tbaa !3, addrspace 1)\n",
        ));
        expect![[r#"
            gfx1100 amdgcn-amd-amdhsa []: -run-pass=legalizer
                %0:_(s32) = IMPLICIT_DEF
                %1:_(p5) = IMPLICIT_DEF
                G_STORE %0, %1 :: (store (s32))
        "#]]
        .assert_eq(&probe(
            "",
            "    %0:_(p5) = G_IMPLICIT_DEF\n    %1:_(s32) = G_IMPLICIT_DEF\n    G_ST$0ORE %1, %0 :: (store (s32))\n",
        ));
    }

    #[test]
    fn phis_and_what_cannot_be_asked() {
        expect![[r#"
            gfx1100 amdgcn-amd-amdhsa []: -run-pass=legalizer
                successors: %bb.1
                %0:_(s64) = IMPLICIT_DEF
        "#]]
        .assert_eq(&probe("", "    %0:_(s64) = G_P$0HI %0, %bb.0\n"));
        for (keys, line) in [
            ("", "%0:_(p1) = G_GLOBAL$0_VALUE @g"),
            ("", "%0:_(s32) = G_INTRIN$0SIC intrinsic(@llvm.amdgcn.workitem.id.x)"),
            ("", "S_END$0PGM 0"),
            ("regBankSelected: true\n", "%0:sgpr(s32) = G_IM$0PLICIT_DEF"),
            ("", "%0:_(s32) = G_AD$0D %7, %8"),
        ] {
            assert_eq!(probe(keys, &format!("    {line}\n")), "nothing\n", "{line}");
        }
    }
}
