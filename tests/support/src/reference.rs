//! Verdicts of the reference tools on texts.

use std::io::Write as _;
use std::process::{Command, Stdio};

/// What a reference tool says about a text.
pub struct Verdict {
    /// Whether it accepts the text.
    pub accepts: bool,
    /// What it prints on standard error: errors and warnings.
    pub messages: String,
}

/// The verdict of llvm-as-22 on a module.
///
/// # Panics
///
/// Panics where the tool cannot run: see [`crate::required::program`].
pub fn llvm_as(module: &str) -> Verdict {
    let mut child = Command::new("llvm-as-22")
        .args(["-disable-output", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("llvm-as-22 starts");
    let mut stdin = child.stdin.take().expect("its input is piped");
    stdin.write_all(module.as_bytes()).expect("llvm-as-22 reads");
    drop(stdin);
    let output = child.wait_with_output().expect("llvm-as-22 ends");
    Verdict {
        accepts: output.status.success(),
        messages: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}
