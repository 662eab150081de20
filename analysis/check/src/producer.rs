//! Files that a newer compiler wrote than the rules know: what they do not know is a warning there, and a note gives the reason.

use std::ops::Range;

use memchr::{memmem, memrchr};
use wavelens_base::{Dialect, Finding, LLVM_VERSIONS, Severity, TextRange, TextSize};
use wavelens_syntax::closest;
use wavelens_syntax::spirv::tables::{EXTENSIONS, extension};

wavelens_syntax::rules! {
    NEWER_PRODUCER {
        code: "newer-producer",
        severity: Severity::Info,
        title: "the compiler that wrote a file is not newer than the rules",
        explain: "The file names its producer: `!llvm.ident` or `.ident` a version of LLVM, the header of a SPIR-V module the version of \
            SPIR-V, and OpExtension its extensions. If one of these is newer than the rules, words, keys and instructions that they do not know are probably new, and \
            not mistakes: such findings are warnings. An update of Wavelens may know them.",
        example: "define void @f() brand_new {\n  ret void\n}\n!llvm.ident = !{!0}\n!0 = !{!\"clang version 99.0.0\"}\n",
        fixed: "define void @f() nounwind {\n  ret void\n}\n!llvm.ident = !{!0}\n!0 = !{!\"clang version 99.0.0\"}\n",
        source: "LLVM Language Reference, `llvm.ident`; SPIR-V specification, \"Physical Layout of a SPIR-V Module\"",
    }
}

/// The newest version of SPIR-V whose instructions are known.
const SPIRV: (u32, u32) = (1, 6);

/// Codes of what a newer version may have, besides all that begin with `unknown-`, `attribute-` and `intrinsic-`.
const MAY_BE_NEW: [&str; 6] =
    ["syntax-error", "invalid-attribute", "generic-intrinsic", "newer-syntax", "newer-key", "wrong-version"];

/// Codes of one language that are about such words alone, or about keys.
const MAY_BE_NEW_IN: [(Dialect, &str); 2] = [(Dialect::Spirv, "invalid-operand"), (Dialect::Mir, "mir-yaml")];

/// Codes about words that an extension of SPIR-V may bring; ids are not such words.
const OF_EXTENSIONS: [&str; 2] = ["unknown-opcode", "invalid-operand"];

/// Why a text is newer than the rules, and where it says so.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Producer {
    reason: String,
    range: TextRange,
    /// It is one extension: that brings words, but no other syntax.
    is_extension: bool,
}

/// Whether a text names a newer producer. A text of which these are the parts names it in one of them, if lines are not cut.
pub(crate) fn is_newer(text: &str) -> bool {
    newer(text).is_some()
}

/// Weakens findings about what a newer producer may have written rightly, and adds a note that names it.
pub(crate) fn apply(dialect: Dialect, text: &str, mut findings: Vec<Finding>) -> Vec<Finding> {
    let may_be_new = |f: &Finding, is_extension: bool| {
        let code = f.rule.code;
        let is_word =
            || text.get(Range::<usize>::from(f.range)).is_some_and(|word| !word.starts_with(['%', '!']));
        if is_extension && !(OF_EXTENSIONS.contains(&code) && is_word()) {
            return false;
        }
        let families = ["unknown-", "attribute-", "intrinsic-"];
        f.severity == Severity::Error
            && (MAY_BE_NEW.contains(&code)
                || MAY_BE_NEW_IN.contains(&(dialect, code))
                || families.iter().any(|family| code.starts_with(family)))
    };
    if !findings.iter().any(|f| may_be_new(f, false)) {
        return findings;
    }
    let Some(Producer { reason, range, is_extension }) = newer(text) else { return findings };
    let mut new = findings.iter_mut().filter(|f| may_be_new(f, is_extension)).peekable();
    if new.peek().is_none() {
        return findings;
    }
    new.for_each(|finding| finding.severity = Severity::Warning);
    findings.push(Finding::new(
        &NEWER_PRODUCER,
        range,
        format!("{reason}: what the rules do not know is a warning"),
    ));
    findings
}

/// A version is within so many bytes of the start of its line: longer lines are not read again for each word in them.
const REACH: usize = 256;

fn newer(text: &str) -> Option<Producer> {
    // Each of the forms has one of these words.
    let places = ["version ", "; Version: ", "OpExtension "]
        .iter()
        .flat_map(|word| memmem::find_iter(text.as_bytes(), word));
    places.into_iter().find_map(|at| {
        let from = at.saturating_sub(REACH);
        let start = match memrchr(b'\n', text.as_bytes().get(from..at)?) {
            Some(end) => from + end + 1,
            None if from == 0 => 0,
            None => return None,
        };
        let line = text.get(start..)?.lines().next()?;
        let extension = newer_extension(line);
        let is_extension = extension.is_some();
        let reason = extension.or_else(|| newer_llvm(line)).or_else(|| newer_spirv(line))?;
        let indent = line.len() - line.trim_start().len();
        let own = TextSize::new((start + indent) as u32);
        Some(Producer { reason, range: TextRange::at(own, TextSize::of(line.trim())), is_extension })
    })
}

/// `!0 = !{!"clang version 25.0.0 (...)"}` or `.ident "clang version 25.0.0"`.
fn newer_llvm(line: &str) -> Option<String> {
    let line = line.trim_start();
    let quoted = match line.strip_prefix(".ident") {
        Some(rest) => rest.trim_start().strip_prefix('"')?,
        None => line.strip_prefix('!')?.split_once("!{!\"")?.1,
    };
    let (compiler, version) = quoted.split('"').next()?.split_once("version ")?;
    if !["clang", "flang", "LLVM"].iter().any(|name| compiler.contains(name)) {
        return None;
    }
    let major: u8 = version.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()?;
    let newest = *LLVM_VERSIONS.end();
    (major > newest).then(|| format!("LLVM {major} is newer than the rules, which are for LLVM {newest}"))
}

/// `; Version: 1.7` in the header of a disassembled module.
fn newer_spirv(line: &str) -> Option<String> {
    let (major, minor) = line.strip_prefix("; Version: ")?.trim().split_once('.')?;
    let version: (u32, u32) = (major.parse().ok()?, minor.parse().ok()?);
    let shown = |(major, minor)| format!("SPIR-V {major}.{minor}");
    let (own, known) = (shown(version), shown(SPIRV));
    (version > SPIRV).then(|| format!("{own} is newer than the rules, which are for {known}"))
}

/// `OpExtension "SPV_EXT_new_thing"`; a misspelt name says nothing.
fn newer_extension(line: &str) -> Option<String> {
    let string = line.trim_start().strip_prefix("OpExtension ")?.trim_start().strip_prefix('"')?;
    let (name, _) = string.split_once('"')?;
    let is_word = name.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'_');
    let is_newer = name.starts_with("SPV_")
        && is_word
        && extension(name).is_none()
        && closest(name, EXTENSIONS.iter().copied()).is_none();
    is_newer.then(|| format!("the rules do not have the extension `{name}`"))
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use wavelens_base::Options;

    use super::{Dialect, MAY_BE_NEW, MAY_BE_NEW_IN};
    use crate::check_text;
    use crate::dialect::codes;

    fn check(dialect: Dialect, text: &str, expected: Expect) {
        let mut shown = String::new();
        for f in check_text(dialect, text, &Options::default()) {
            let line = text[..f.range.start().into()].matches('\n').count() + 1;
            shown.push_str(&format!("{line}: {:?}: {}\n", f.severity, f.message));
        }
        expected.assert_eq(&shown);
    }

    #[test]
    fn the_codes_exist() {
        let all =
            MAY_BE_NEW.into_iter().chain(MAY_BE_NEW_IN.map(|(_, code)| code)).chain(super::OF_EXTENSIONS);
        assert_eq!(all.filter(|code| !codes().contains(code)).collect::<Vec<_>>(), [""; 0]);
    }

    #[test]
    fn unknown_words_of_a_newer_producer_are_warnings() {
        check(
            Dialect::Llvm,
            "define void @f() brand_new {\n  ret void %x\n}\n!llvm.ident = !{!0}\n!0 = !{!\"clang version 25.0.0 (x)\"}\n",
            expect![[r#"
                1: Warning: expected `{` and the function's body, found `brand_new`
                2: Warning: expected `=` after the name of the result, found the end of the line
                5: Info: LLVM 25 is newer than the rules, which are for LLVM 24: what the rules do not know is a warning
            "#]],
        );
        check(
            Dialect::Mir,
            "--- |\n  define void @f() {\n    ret void\n  }\n  !llvm.ident = !{!0}\n  !0 = !{!\"AMD clang version 26.1\"}\n...\n---\n\
             name: f\nbrandNew: true\nbody: |\n  bb.0:\n    BRAND_NEW\n...\n",
            expect![[r#"
                6: Info: LLVM 26 is newer than the rules, which are for LLVM 24: what the rules do not know is a warning
                10: Warning: unknown key `brandNew`
                13: Warning: unknown instruction `BRAND_NEW`
            "#]],
        );
        check(
            Dialect::Amdgpu,
            "\t.amdgcn_target \"amdgcn-amd-amdhsa--gfx942\"\nv_brand_new v0\n.brandnew 3\ns_nop 0, 1\n\t.ident\t\"clang version 25.0.0\"\n",
            expect![[r#"
                2: Warning: unknown instruction `v_brand_new`
                3: Warning: unknown directive `.brandnew`
                4: Error: too many operands for `s_nop`
                5: Info: LLVM 25 is newer than the rules, which are for LLVM 24: what the rules do not know is a warning
            "#]],
        );
        check(
            Dialect::Spirv,
            "; SPIR-V\n; Version: 1.7\nOpCapability Linkage\nOpCapability NewThing\nOpMemoryModel Logical GLSL450\nOpBrandNew %1\n",
            expect![[r#"
                2: Info: SPIR-V 1.7 is newer than the rules, which are for SPIR-V 1.6: what the rules do not know is a warning
                4: Warning: unknown Capability `NewThing`
                6: Warning: unknown instruction `OpBrandNew`
            "#]],
        );
    }

    #[test]
    fn an_unknown_extension_makes_unknown_words_warnings() {
        let text = |name: &str| {
            format!(
                "OpCapability Shader\nOpCapability NewThingEXT\nOpExtension \"{name}\"\nOpMemoryModel Logical GLSL450\n"
            )
        };
        check(
            Dialect::Spirv,
            &text("SPV_EXT_new_thing"),
            expect![[r#"
            1: Error: missing OpEntryPoint in a module without the Linkage capability
            2: Warning: unknown Capability `NewThingEXT`
            3: Info: the rules do not have the extension `SPV_EXT_new_thing`: what the rules do not know is a warning
        "#]],
        );
        check(
            Dialect::Spirv,
            &text("SPV_KHR_16bit_storag"),
            expect![[r#"
            1: Error: missing OpEntryPoint in a module without the Linkage capability
            2: Error: unknown Capability `NewThingEXT`
            3: Warning: unknown extension "SPV_KHR_16bit_storag"; did you mean "SPV_KHR_16bit_storage"?
        "#]],
        );
    }

    #[test]
    fn a_line_is_not_read_again_for_each_word_in_it() {
        let text = format!("@x = global i32 {}", "version 99 ".repeat(100_000));
        assert!(!super::is_newer(&text));
    }

    #[test]
    fn producers_that_are_known_or_of_another_line_change_nothing() {
        for ident in ["clang version 24.1.0", "rustc version 1.99.0", "clang"] {
            let text = format!(
                "define void @f() brand_new {{\n  ret void\n}}\n!llvm.ident = !{{!0}}\n!0 = !{{!\"{ident}\"}}\n"
            );
            let found = check_text(Dialect::Llvm, &text, &Options::default());
            assert!(found.iter().all(|f| f.rule.code != "newer-producer"), "{ident}: {found:?}");
        }
    }
}
