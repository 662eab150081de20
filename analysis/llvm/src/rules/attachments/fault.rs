//! The rule that every kind of attachment is reported under.

use wavelens_base::{Severity, Verdict, fail};

wavelens_syntax::rules! {
    ATTACHMENT {
        code: "metadata-attachment",
        severity: Severity::Error,
        title: "attached metadata suits its instruction and has the form of its kind",
        explain: "Optimizers rely on attached metadata without checking it again. Each kind is allowed on certain \
            instructions and types, and its node has a fixed form.",
        example: r"define i32 @f(ptr %p) {
  %x = load i32, ptr %p, !nonnull !0
  ret i32 %x
}
!0 = !{}
",
        fixed: r"define ptr @f(ptr %p) {
  %x = load ptr, ptr %p, !nonnull !0
  ret ptr %x
}
!0 = !{}
",
        source: "LLVM `Verifier::visitInstruction`: \"nonnull applies only to pointer types\" and the other checks \
            of attachments; LLVM Language Reference, \"Metadata\"",
    }
}

pub(in crate::rules) fn wrong(message: impl Into<String>) -> Verdict {
    fail(&ATTACHMENT, message)
}
