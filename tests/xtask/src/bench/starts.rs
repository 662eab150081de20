//! Commands on small files, where starting takes longer than the work: next to the bare tool.

use std::fmt::Write as _;
use std::path::Path;

use super::{milliseconds, process};
use crate::Outcome;
use crate::repository::{Scratch, write};

/// The rows of the table.
pub(super) fn rows(program: &Path, runs: usize) -> Outcome<String> {
    let scratch = Scratch::new("starts")?;
    let cache = scratch.path().join("cache").to_string_lossy().into_owned();
    let program = program.to_string_lossy().into_owned();
    let mut rows = String::new();
    for lines in [30, 3000] {
        let file = scratch.path().join(format!("kernel{lines}.ll"));
        write(&file, kernel(lines))?;
        let name = file.to_string_lossy().into_owned();
        let check = format!("{program} check -q {name}");
        let isa = format!("XDG_CACHE_HOME={cache} {program} isa --mcpu gfx1100 {name}");
        let llc = format!("llc-22 -mtriple=amdgcn-amd-amdhsa -mcpu=gfx1100 {name} -o -");
        let cases = [
            ("check", check, format!("llvm-as-22 {name} -o /dev/null")),
            ("isa, empty cache", format!("rm -rf {cache}; {isa}"), llc.clone()),
            ("isa", isa, llc),
        ];
        for (what, ours, theirs) in cases {
            let time = |line: String| {
                let words = ["sh", "-c", &line].map(str::to_owned).to_vec();
                process::median(&[words], runs).map(|run| milliseconds(run.time))
            };
            let _ = writeln!(rows, "| {what} | {lines} | {} | {} |", time(ours)?, time(theirs)?);
        }
    }
    Ok(rows)
}

/// A kernel of so many lines.
fn kernel(lines: usize) -> String {
    let mut text = String::from(
        "target triple = \"amdgcn-amd-amdhsa\"\n\
         define amdgpu_kernel void @k(ptr addrspace(1) %p, float %a) {\n  %v0 = load float, ptr addrspace(1) %p\n",
    );
    for n in 1..lines.saturating_sub(5) {
        let opcode = if n % 2 == 0 { "fadd" } else { "fmul" };
        let _ = writeln!(text, "  %v{n} = {opcode} float %v{}, %a", n - 1);
    }
    let last = lines.saturating_sub(6);
    text + &format!("  store float %v{last}, ptr addrspace(1) %p\n  ret void\n}}\n")
}

#[cfg(test)]
mod tests {
    use wavelens_test_support::required;

    use super::*;

    #[test]
    fn kernels_are_accepted_and_have_their_lines() {
        assert_eq!([30, 3000].map(|lines| kernel(lines).lines().count()), [30, 3000]);
        if !required::program("llvm-as-22") {
            return;
        }
        let scratch = Scratch::new("starts-test").expect("a folder");
        let file = scratch.path().join("kernel.ll");
        write(&file, kernel(30)).expect("a file");
        let words = ["llvm-as-22", &file.to_string_lossy(), "-o", "/dev/null"].map(str::to_owned);
        assert!(process::median(&[words.to_vec()], 1).is_ok());
    }
}
