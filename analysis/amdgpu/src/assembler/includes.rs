//! `.include` and `.incbin`: what they do with files that whoever may read files has read before.

use smol_str::SmolStr;
use wavelens_syntax::amdgpu::AmdgpuKind::{COMMA, STRING};
use wavelens_syntax::amdgpu::lex;

use super::cursor::{Cursor, unquote};
use super::outline_text;
use crate::assembler::expansion::ErrorLine;
use crate::assembler::{Assembler, Expansion, ExpansionKind, Mode, Parsed};
use crate::lower;
use crate::rules::directive::directive_argument::DIRECTIVE_ARGUMENT;
use crate::rules::directive::include::{self, DEPTH, INCLUDE};
use wavelens_base::includes::{Included, IncludedFile, IncludedName, Includes};
use wavelens_base::{Diagnostic, TextRange};

/// Whether some file defines a macro of the name.
pub fn define_macro(includes: &Includes, name: &str) -> bool {
    let defines = |file: &IncludedFile| {
        let heads = file.text.match_indices(".macro").filter_map(|(at, _)| file.text.get(at + 6..));
        let is_end = |c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$'));
        heads.map(str::trim_start).any(|h| h.strip_prefix(name).is_some_and(|rest| rest.starts_with(is_end)))
    };
    includes.files().any(|(_, file)| defines(file))
}

/// The processor that a file among them names.
pub(crate) fn target(includes: &Includes) -> Option<SmolStr> {
    includes
        .files()
        .filter(|(_, f)| f.text.contains(".amdgcn_target"))
        .find_map(|(_, f)| lower(&f.text).stated.target_id)
}

/// The names of files in a text, wherever they are.
pub fn included_names(text: &str) -> Vec<IncludedName> {
    let mut all = Vec::new();
    for (at, _) in text.match_indices(".inc") {
        let line = text.get(at..).and_then(|rest| rest.lines().next()).unwrap_or("");
        let word = line.find(|c: char| !(c.is_ascii_alphabetic() || c == '.')).unwrap_or(line.len());
        let (directive, rest) = line.split_at(word);
        let is_binary = match directive {
            ".include" => false,
            ".incbin" => true,
            _ => continue,
        };
        let name = rest.trim_start().strip_prefix('"').and_then(|r| r.split_once('"'));
        if let Some((name, _)) = name.filter(|(name, _)| is_plain(name)) {
            all.push(IncludedName { name: name.to_owned(), is_binary });
        }
    }
    all
}

/// Whether a name is written as it is: no escapes, and no arguments of a macro.
fn is_plain(name: &str) -> bool {
    !name.is_empty() && !name.contains('\\')
}

impl Assembler<'_> {
    /// Reads the name of a file, and gives the outcome.
    fn file_name<'t>(&mut self, c: &mut Cursor<'t>) -> Parsed<(&'t str, TextRange)> {
        let found = (if c.at(STRING) { unquote(c.word()) } else { "" }, c.range());
        self.string(c)?;
        Ok(found)
    }

    fn missing_file(&mut self, c: &Cursor<'_>, name: &str, range: TextRange) {
        self.open = true;
        self.program.gap();
        self.error(c, &INCLUDE, range, include::missing(name));
    }

    /// Only code that is encoded needs the bytes.
    fn unread_file(&mut self, name: &str, range: TextRange) {
        let message = include::unread(name);
        self.unread.push(Diagnostic::new(&INCLUDE, self.outer_range(range), message));
    }

    /// `.include`, after the word.
    pub(crate) fn include(&mut self, c: &mut Cursor<'_>) -> Parsed<()> {
        let (name, range) = self.file_name(c)?;
        self.end_of_line(c)?;
        let includes = self.includes.clone();
        let (number, file) = match includes.find(name) {
            Some((number, Included::File(file))) => (number, file),
            Some((_, Included::Missing)) => {
                self.missing_file(c, name, range);
                return Ok(());
            }
            // Whatever it defines is unknown from now on.
            Some((_, Included::Unread)) | None => {
                self.open = true;
                self.program.gap();
                self.unread_file(name, range);
                return Ok(());
            }
        };
        let is_include = |e: &&Expansion| matches!(e.kind, ExpansionKind::Include(_));
        if self.expansions.iter().filter(is_include).count() >= DEPTH {
            let reported = self.error(c, &INCLUDE, range, include::too_deep());
            self.stop_expanding();
            return Err(reported);
        }
        self.enter(Expansion {
            call: self.outer_range(range),
            name: name.into(),
            body: None,
            definition: None,
            conditions: self.conditions.depth(),
            exit: false,
            kind: ExpansionKind::Include(number),
            error_line: ErrorLine::default(),
        });
        if self.expand_lines(1) && self.expand_bytes(file.text.len()) {
            let lexed = lex(&file.text);
            match self.mode {
                Mode::Outline => {
                    let outline = outline_text::outline(&file.text, &lexed).text;
                    self.lines(&outline, &lex(&outline));
                }
                _ => _ = self.lines(&file.text, &lexed),
            }
        }
        self.leave();
        Ok(())
    }

    /// `.incbin`, after the word.
    pub(crate) fn incbin(&mut self, c: &mut Cursor<'_>) -> Parsed<()> {
        let rule = &DIRECTIVE_ARGUMENT;
        let (name, range) = self.file_name(c)?;
        let (mut skip, mut count) = (Some(0), None);
        if c.eat(COMMA) {
            if !c.at(COMMA) {
                skip = self.absolute(c)?;
                if skip.is_some_and(|skip| skip < 0) {
                    return Err(self.error(c, rule, c.range(), "the number to skip is negative"));
                }
            }
            if c.eat(COMMA) {
                count = Some(self.absolute(c)?);
            }
        }
        self.end_of_line(c)?;
        let includes = self.includes.clone();
        match includes.find(name) {
            Some((_, Included::File(file))) => {
                let rest = file.size.saturating_sub(skip.unwrap_or(0) as u64);
                let wanted = count.flatten().and_then(|n| u64::try_from(n).ok()).unwrap_or(rest);
                self.sections.advance(rest.min(wanted));
            }
            Some((_, Included::Missing)) => self.missing_file(c, name, range),
            Some((_, Included::Unread)) | None => self.unread_file(name, range),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::sync::Arc;

    use expect_test::{Expect, expect};

    use super::*;
    use wavelens_base::{Dialect, Options};
    use wavelens_check::check_text;

    fn options(files: &[(&str, &str)]) -> Options {
        let file = |(name, text): &(&str, &str)| {
            let (path, size) = (PathBuf::from(name), text.len() as u64);
            ((*name).to_owned(), Included::File(Arc::new(IncludedFile { path, text: (*text).into(), size })))
        };
        let mut includes: Vec<_> = files.iter().map(file).collect();
        includes.push(("missing.inc".into(), Included::Missing));
        includes.push(("/etc/outside.inc".into(), Included::Unread));
        let target = Some("gfx900".to_owned());
        Options { target, includes: includes.into_iter().collect(), ..Options::default() }
    }

    fn check(files: &[(&str, &str)], text: &str, expected: Expect) {
        let mut shown = String::new();
        for finding in check_text(Dialect::Amdgpu, text, &options(files)) {
            let line = text[..usize::from(finding.range.start())].matches('\n').count() + 1;
            shown.push_str(&format!("{line}: {}: {}\n", finding.rule.code, finding.message));
            for related in &finding.related {
                let (path, text) = related
                    .file
                    .as_ref()
                    .map_or(("here", text), |f| (f.path.to_str().unwrap_or(""), &*f.text));
                let place = &text[std::ops::Range::<usize>::from(related.range)];
                shown.push_str(&format!("    {path} `{place}`: {}\n", related.message));
            }
        }
        expected.assert_eq(&shown);
    }

    #[test]
    fn a_file_that_was_not_read_is_reported_where_code_is_encoded() {
        let text = "s_branch l\n.include \"/etc/outside.inc\"\nl:\ns_endpgm\n.incbin \"/etc/outside.inc\"\n";
        check(&[], text, expect![""]);
        let (lines, found) = crate::encode(text, &options(&[]));
        assert_eq!(lines.len(), 2);
        let found: Vec<_> = found.iter().map(|d| (d.severity, d.message.as_str())).collect();
        let message = "file `/etc/outside.inc` was not read: addresses and distances after it are not known";
        assert_eq!(found, [(wavelens_base::Severity::Error, message); 2]);
    }

    #[test]
    fn macros_and_symbols_of_included_files_are_known() {
        let macros = ".macro add r\nv_add_u32 v[\\r], 1, v0\n.endm\nN = 3\n";
        check(
            &[("a.inc", ".include \"b.inc\"\n"), ("b.inc", macros)],
            ".include \"a.inc\"\nadd N\nadd M\n",
            expect![[r#"
                3: undefined-symbol: use of undefined symbol `M`; if the build defines it, pass `-D M=...`
                    b.inc `add`: in the expansion of `add`: `v_add_u32 v[M], 1, v0`
            "#]],
        );
    }

    #[test]
    fn mistakes_in_an_included_file_are_at_its_name() {
        check(
            &[("a.inc", "s_nop 0\n  s_mov_b64 s[1:2], 0\n")],
            ".include \"a.inc\"\n",
            expect![[r#"
                1: register-alignment: `s[1:2]` must start at a multiple of 2
                    a.inc `s[1:2]`: in the included file: `s_mov_b64 s[1:2], 0`
            "#]],
        );
    }

    #[test]
    fn a_missing_file_is_an_error_and_an_unread_one_is_not() {
        check(
            &[],
            ".include \"missing.inc\"\nunknown_name = other + 1\n.if later\n.endif\n.incbin \"missing.inc\"\n",
            expect![[r#"
                1: include: file `missing.inc` not found
                5: include: file `missing.inc` not found
            "#]],
        );
        check(&[], ".include \"/etc/outside.inc\"\n.if later\n.endif\n.include \"\\\\x\"\n", expect![""]);
    }

    #[test]
    fn a_circle_ends() {
        check(
            &[("a.inc", ".include \"a.inc\"\n.include \"a.inc\"\n")],
            ".include \"a.inc\"\n",
            expect![[r#"
                1: include: files include each other more than 32 levels deep
                    a.inc `"a.inc"`: in the included file: `.include "a.inc"`
            "#]],
        );
        let guarded = ".ifndef SEEN\nSEEN = 1\n.include \"a.inc\"\n.endif\n";
        check(&[("a.inc", guarded)], ".include \"a.inc\"\n", expect![""]);
    }

    #[test]
    fn bytes_take_place() {
        check(
            &[("a.bin", "12345678")],
            "a:\n.incbin \"a.bin\", 4\nb:\n.incbin \"a.bin\", 1, 2\nc:\n.if b - a != 4 || c - b != 2\n.err\n.endif\n",
            expect![""],
        );
    }

    #[test]
    fn names_are_found_in_any_case_of_use() {
        let names = included_names(
            ".include \"a\"\n  .incbin \"b\",1\n.if X\n.include \"\\\\c\"\n.include d\n.included \"e\"",
        );
        let shown: Vec<_> = names.iter().map(|n| (n.name.as_str(), n.is_binary)).collect();
        assert_eq!(shown, [("a", false), ("b", true)]);
    }
}
