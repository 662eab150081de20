//! Where a name that a file uses is defined, for the text of a hover.

use memchr::memmem;

use super::Cx;
use super::words::{Word, words};
use crate::markdown::code;

/// The directives whose first operand is defined by them.
const DEFINES: &[&str] = &[".set", ".equ", ".amdgpu_lds", ".comm", ".lcomm"];

/// A label with its line, or a symbol with its value.
pub(super) fn defined(cx: &Cx<'_>, name: &str) -> Option<String> {
    let mut found = None;
    for (index, chunk) in cx.view.chunks().iter().enumerate() {
        let text = cx.view.text(*chunk);
        if !may_define(text, name) {
            continue;
        }
        let wavelens_check::dialect::Lowered::Amdgpu(lowered) = cx.view.lowered(*chunk) else { continue };
        words(text, &lowered.lexed, |range, word, kind| {
            let line = || cx.view.line_of(index, range.start()).unwrap_or(0);
            let own = usize::from(range.start());
            match kind {
                Word::Label if word == name && found.is_none() => {
                    found = Some(format!("Label {} in line {}", code(name), line()));
                }
                Word::Symbol if word == name => {
                    let line = text.get(..own).unwrap_or("").lines().last().unwrap_or("").trim_start();
                    let is_declared = [".amdgpu_lds", ".comm", ".lcomm"].iter().any(|d| line.starts_with(d));
                    let rest = text.get(own..).unwrap_or("").lines().next().unwrap_or("");
                    let size = rest.split([',', ';']).nth(1).unwrap_or("").trim();
                    if is_declared && !size.is_empty() {
                        let memory = if line.starts_with(".amdgpu_lds") { "LDS" } else { "memory" };
                        let at = cx.view.line_of(index, range.start()).unwrap_or(0);
                        found = Some(format!(
                            "Symbol {}: {} bytes of {memory}, declared in line {at}",
                            code(name),
                            code(size)
                        ));
                    }
                }
                Word::Assigned if word == name => {
                    let statement = text.get(own..).unwrap_or("").lines().next().unwrap_or("");
                    let value =
                        statement.get(name.len()..).unwrap_or("").split(['#', ';']).next().unwrap_or("");
                    let value = value.trim_start_matches([' ', '\t', '=', ',']).trim_end();
                    found = Some(format!("Symbol {} = {} in line {}", code(name), code(value), line()));
                }
                _ => {}
            }
        });
    }
    found
}

/// Whether a text may define a name: for most names a large file has many texts that only use it, and to read each takes long.
fn may_define(text: &str, name: &str) -> bool {
    memmem::find_iter(text.as_bytes(), name).any(|at| {
        let (before, rest) = (text.get(..at).unwrap_or(""), text.get(at + name.len()..).unwrap_or(""));
        let next = rest.trim_start_matches([' ', '\t', '"']);
        // A comment may precede the colon or the sign.
        let is_followed = next.starts_with([':', '=', '/']);
        let line = before.rsplit('\n').next().unwrap_or("");
        is_followed || DEFINES.iter().any(|directive| line.contains(directive))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_define_a_name_are_read() {
        for text in
            ["f:", "x: f: s_nop 0", "f :", "f /* : */ : s_nop 0", "f = 1", "f=1", " .set f, 1", ".equiv f, 1"]
        {
            assert!(may_define(text, "f"), "{text}");
        }
        for text in [".globl f", ".amdgpu_lds f, 16", ".lcomm\tf, 4", "\"f\": s_nop 0"] {
            assert_eq!(may_define(text, "f"), !text.contains("globl"), "{text}");
        }
        assert!(!may_define(".section .AMDGPU.csdata,\"\",@progbits\n.type f,@function\n", "progbits"));
        assert!(!may_define("s_branch f\ns_nop 0\n", "f"));
    }
}
