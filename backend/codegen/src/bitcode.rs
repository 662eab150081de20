//! LLVM bitcode as text, through `llvm-dis`.

use std::path::Path;
use std::process::Command;

use crate::process::{Cancel, Limits, run};
use crate::reference::reason;
use crate::tools::{find_program, missing};

/// Bytes of the largest text.
const OUTPUT: usize = 1 << 30;

/// Whether a file starts as bitcode does: with its magic number, or with that of the wrapper that some systems put around it.
pub fn is_bitcode(bytes: &[u8]) -> bool {
    bytes.starts_with(b"BC\xc0\xde") || bytes.starts_with(&[0xde, 0xc0, 0x17, 0x0b])
}

/// The text of a module. `folder` is where to look for `llvm-dis` first.
///
/// # Errors
/// A sentence for the user: the program was not found, or it does not accept the file.
pub fn disassemble(bytes: &[u8], folder: Option<&Path>) -> Result<String, String> {
    let program = find_program("llvm-dis", folder).ok_or_else(|| missing("llvm-dis", "", folder))?;
    let limits = Limits { output: OUTPUT, ..Limits::default() };
    let ended = run(Command::new(program).args(["-o", "-", "-"]), bytes, &limits, &Cancel::default())
        .map_err(|stopped| format!("llvm-dis: {}", reason(stopped)))?;
    if !ended.status.success() {
        let problem = String::from_utf8_lossy(&ended.stderr);
        return Err(problem.lines().next().unwrap_or("llvm-dis does not accept the file").trim().to_owned());
    }
    Ok(String::from_utf8_lossy(&ended.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bitcode_is_known_by_its_first_bytes() {
        assert!(is_bitcode(b"BC\xc0\xde\x35\x14") && is_bitcode(b"\xde\xc0\x17\x0b\0\0\0\0"));
        assert!(!is_bitcode(b"BC") && !is_bitcode(b"; ModuleID = 'a'") && !is_bitcode(b""));
    }
}
