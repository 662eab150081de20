//! Verdicts of the reference tools on texts.

use std::io::{Result, Write as _};
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
/// # Errors
/// The program does not start or cannot be read.
pub fn llvm_as(module: &str) -> Result<Verdict> {
    let mut child = Command::new("llvm-as-22")
        .args(["-disable-output", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()?;
    let (stdin, module) = (child.stdin.take(), module.to_owned());
    // It may write before it has read all.
    let writer = std::thread::spawn(move || stdin.map(|mut stdin| stdin.write_all(module.as_bytes())));
    let output = child.wait_with_output()?;
    let _ = writer.join();
    Ok(Verdict {
        accepts: output.status.success(),
        messages: String::from_utf8_lossy(&output.stderr).into_owned(),
    })
}
