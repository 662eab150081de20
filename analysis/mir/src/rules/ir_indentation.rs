//! The indentation of the embedded IR: its first line decides where the block ends.

use wavelens_syntax::mir::{SYNTAX_ERROR, ir_text};

use crate::scope::Scope;
use wavelens_base::{Diagnostic, TextRange, TextSize};

/// The columns before the first line of embedded IR in a chunk.
pub(crate) fn of_chunk(text: &str) -> Option<u32> {
    let ir = ir_text(text)?;
    let first = ir.lines().find(|line| !line.trim().is_empty())?;
    Some(columns(first))
}

fn columns(line: &str) -> u32 {
    (line.len() - line.trim_start_matches(' ').len()) as u32
}

/// Reports the first line that is less indented than the block it is in: llc reads no further.
pub(crate) fn check(scope: &Scope, text: &str) -> Option<Diagnostic> {
    let needed = scope.ir_indentation?;
    let ir = ir_text(text)?;
    let mut start = 0;
    for line in ir.split_inclusive('\n') {
        let columns = columns(line);
        let code = line.trim();
        if columns < needed && !code.is_empty() && !code.starts_with('#') {
            let tabs = &line[columns as usize..line.len() - line.trim_start().len()];
            let (marked, message) = match tabs {
                "" => (code, "this line is less indented than the block it is in"),
                tabs => (tabs, "YAML does not count tabs as indentation: the block of LLVM IR ends here"),
            };
            let range = TextRange::at(TextSize::new(start + columns), TextSize::of(marked));
            return Some(Diagnostic::new(&SYNTAX_ERROR, range, message));
        }
        start += line.len() as u32;
    }
    None
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    #[test]
    fn lines_of_the_block_are_as_indented_as_its_first() {
        let findings = |text: &str| wavelens_check::testing::findings(wavelens_base::Dialect::Mir, text);
        let function = "---\nname: f\nbody: |\n  bb.0:\n    S_ENDPGM 0\n...\n";
        let with = |line: &str| {
            let ir = format!("--- |\n\n  define void @f() {{\n{line}ret void\n  }}\n\n  !0 = !{{}}\n...\n");
            findings(&(ir + function))
        };
        expect![""].assert_eq(&with("  "));
        expect![""].assert_eq(&with("    "));
        expect![[r#"
            error[syntax-error] 4:2 `ret void`: this line is less indented than the block it is in
        "#]]
        .assert_eq(&with(" "));
        expect![[r#"
            error[syntax-error] 4:1 `		`: YAML does not count tabs as indentation: the block of LLVM IR ends here
            error[mir-yaml] 4:3 `ret void`: the machine function must be a mapping of keys to values, found `ret void }`
        "#]].assert_eq(&with("\t\t"));
    }
}
