//! `sed s/this/that/g` of RUN lines, where `this` is plain text after any characters: tests are often templates.

use std::ops::Range;

use crate::configuration::Program;

/// What a `sed` does, and to which file.
#[derive(Debug, PartialEq, Eq)]
pub struct Substitution<'a> {
    /// What is replaced with what, and whether everywhere in a line.
    changes: Vec<(&'a str, &'a str, bool)>,
    /// The file that it reads, as the arguments name it.
    pub file: Option<&'a str>,
}

impl<'a> Substitution<'a> {
    /// Reads the arguments.
    ///
    /// # Errors
    /// One sentence: only plain `s/this/that/g` is known.
    pub fn of(arguments: impl IntoIterator<Item = &'a str>) -> Result<Self, String> {
        let mut found = Substitution { changes: Vec::new(), file: None };
        let mut words = arguments.into_iter();
        while let Some(word) = words.next() {
            let script = match word {
                "-e" => words.next().ok_or("expected an expression after `-e`")?,
                _ if word.starts_with('-') => return Err(format!("`sed {word}` is not supported")),
                _ if found.changes.is_empty() => word,
                _ => {
                    found.file = Some(word);
                    continue;
                }
            };
            found.changes.push(
                change(script)
                    .ok_or_else(|| format!("only plain `s/this/that/g` is supported, not `{script}`"))?,
            );
        }
        match found.changes.is_empty() {
            true => Err("expected an expression for `sed`".to_owned()),
            false => Ok(found),
        }
    }

    /// The text after the changes; `None` if it may get longer than so many bytes, or if `is_over` says so, which is asked often.
    pub fn apply(&self, text: &str, bytes: usize, is_over: &dyn Fn() -> bool) -> Option<String> {
        let mut out = String::new();
        for line in text.split_inclusive('\n') {
            let mut line = line.to_owned();
            for (from, to, all) in &self.changes {
                let places: Vec<_> = matches(&line, from).take(if *all { bytes } else { 1 }).collect();
                // Before it is done: one step can make a line thousands of times as long.
                let longest = places.len().saturating_mul(to.len()).saturating_add(line.len());
                if longest > bytes || is_over() {
                    return None;
                }
                let mut replaced = String::with_capacity(line.len());
                let mut end = 0;
                for place in places {
                    replaced.push_str(line.get(end..place.start).unwrap_or_default());
                    replaced.push_str(to);
                    end = place.end;
                }
                replaced.push_str(line.get(end..).unwrap_or_default());
                line = replaced;
            }
            out.push_str(&line);
            if out.len() > bytes {
                return None;
            }
        }
        Some(out)
    }
}

/// Where a line has a pattern, one after the other: as many characters as it begins with dots, and plain text.
fn matches<'l>(line: &'l str, pattern: &'l str) -> impl Iterator<Item = Range<usize>> + 'l {
    let text = pattern.trim_start_matches('.');
    let any = pattern.len() - text.len();
    let mut from = 0;
    std::iter::from_fn(move || {
        let first = from + line.get(from..)?.chars().take(any).map(char::len_utf8).sum::<usize>();
        let at = first + line.get(first..)?.find(text)?;
        let before = any.checked_sub(1).and_then(|n| line.get(..at)?.char_indices().rev().nth(n));
        from = at + text.len();
        Some(before.map_or(at, |(start, _)| start)..from)
    })
}

fn change(script: &str) -> Option<(&str, &str, bool)> {
    let rest = script.strip_prefix('s')?;
    let separator = rest.chars().next().filter(char::is_ascii_punctuation)?;
    let mut parts = rest.get(1..)?.split(separator);
    let (from, to, flags) = (parts.next()?, parts.next()?, parts.next()?);
    // Any characters at the beginning, as in `s/.T1://`, which removes a comment.
    let text = from.trim_start_matches('.');
    let is_plain = !text.is_empty()
        && !text.contains(['.', '*', '[', ']', '^', '$', '\\', '+', '?', '('])
        && !to.contains(['\\', '&', '\n']);
    let all = match flags {
        "g" => true,
        "" => false,
        _ => return None,
    };
    (is_plain && parts.next().is_none()).then_some((from, to, all))
}

/// Bytes that a text may have after a substitution.
const LONGEST: usize = 64 << 20;

/// Whether the programs of a RUN line change the text before one reads it.
pub fn is_edited(programs: &[Program]) -> bool {
    programs.first().is_some_and(|program| program.name == "sed")
}

/// The text as the first of the programs of a RUN line reads it that is not `sed`, with as many lines; `None` if it is as it was.
///
/// # Errors
/// One sentence, where the line changes the text in a way that is not known here.
pub fn edited(programs: &[Program], text: &str) -> Result<Option<String>, String> {
    let mut changed: Option<String> = None;
    for program in programs.iter().take_while(|program| program.name == "sed") {
        // The file is the test itself.
        let arguments = program.arguments.iter().map(|argument| argument.as_str());
        let substitution = Substitution::of(arguments.filter(|argument| !argument.starts_with('%')))?;
        let source = changed.as_deref().unwrap_or(text);
        let edited =
            substitution.apply(source, LONGEST, &|| false).ok_or("`sed` may make the text too long")?;
        if edited.matches('\n').count() != text.matches('\n').count() {
            return Err("`sed` changes the lines of the text".to_owned());
        }
        changed = Some(edited);
    }
    Ok(changed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::configuration::run_lines;

    /// What a `sed` with some arguments makes of `a.a` and `b` on two lines, and its file; or what is wrong.
    fn check(arguments: &[&str]) -> String {
        match Substitution::of(arguments.iter().copied()) {
            Ok(sed) => {
                format!("{:?} {:?}", sed.file, sed.apply("a.a\nb\n", 100, &|| false).unwrap_or_default())
            }
            Err(problem) => problem,
        }
    }

    #[test]
    fn plain_text_is_replaced() {
        for (arguments, expected) in [
            (&["s/a/x/", "%s"][..], r#"Some("%s") "x.a\nb\n""#),
            (&["s/a/x/g", "%s"], r#"Some("%s") "x.x\nb\n""#),
            (&["-e", "s,a,x,", "-e", "s/b//", "f"], r#"Some("f") "x.a\n\n""#),
            (&["-e", "s/a/b/g", "-e", "s/b/c/"], r#"None "c.b\nc\n""#),
            (&["s/.a/x/"], r#"None "ax\nb\n""#),
            (&["s/..a/x/g"], r#"None "x\nb\n""#),
            (&["s/.b/x/"], r#"None "a.a\nb\n""#),
            (&["s/a.a/x/"], "only plain `s/this/that/g` is supported, not `s/a.a/x/`"),
            (&["s/./x/"], "only plain `s/this/that/g` is supported, not `s/./x/`"),
            (&["s/a/x/", "f", "g"], r#"Some("g") "x.a\nb\n""#),
            (&[], "expected an expression for `sed`"),
            (&["-e"], "expected an expression after `-e`"),
            (&["-n", "s/a/b/"], "`sed -n` is not supported"),
            (&["s/a/x/", "-i"], "`sed -i` is not supported"),
            (&["y/a/b/"], "only plain `s/this/that/g` is supported, not `y/a/b/`"),
            (&["sxaxbx"], "only plain `s/this/that/g` is supported, not `sxaxbx`"),
            (&["s/a/b"], "only plain `s/this/that/g` is supported, not `s/a/b`"),
            (&["s/a/b/g/"], "only plain `s/this/that/g` is supported, not `s/a/b/g/`"),
            (&["s/a/b/i"], "only plain `s/this/that/g` is supported, not `s/a/b/i`"),
            (&["s//b/"], "only plain `s/this/that/g` is supported, not `s//b/`"),
            (&["s/a*/b/"], "only plain `s/this/that/g` is supported, not `s/a*/b/`"),
            (&["s/a/&&/"], "only plain `s/this/that/g` is supported, not `s/a/&&/`"),
        ] {
            assert_eq!(check(arguments), expected, "{arguments:?}");
        }
    }

    #[test]
    fn a_text_gets_only_so_long() {
        let sed = |script| Substitution::of([script]).expect("a substitution");
        let length =
            |script, text: &str, bytes| sed(script).apply(text, bytes, &|| false).map(|text| text.len());
        // The old length counts too: it is known before anything is replaced.
        assert_eq!(length("s/a/xxx/g", "aa", 8), Some(6));
        assert_eq!(length("s/a/xxx/g", "aa", 7), None);
        assert_eq!(length("s/a/xxx/", "aa", 5), Some(4));
        assert_eq!(length("s/a/xxx/", "aa", 4), None);
        // All lines together.
        assert_eq!(length("s/a/a/", "aa\naa\n", 6), Some(6));
        assert_eq!(length("s/a/a/", "aa\naa\n", 5), None);
        assert_eq!(sed("s/a/b/").apply("a", 100, &|| true), None);
    }

    #[test]
    fn the_first_programs_of_a_run_line_edit_its_text() {
        let of = |run: &str| {
            let runs = run_lines(&format!("; RUN: {run}\n"));
            let programs = &runs[0].programs;
            (is_edited(programs), edited(programs, "a b\n"))
        };
        assert_eq!(of("llc %s | sed s/a/b/"), (false, Ok(None)));
        assert_eq!(of("sed s/a/b/ %s | llc | sed s/b/c/"), (true, Ok(Some("b b\n".to_owned()))));
        assert_eq!(of("sed s/a/b/g %s | sed s/b/c/g | llc"), (true, Ok(Some("c c\n".to_owned()))));
        assert_eq!(of("sed 's/a//' %s | llc"), (true, Ok(Some(" b\n".to_owned()))));
        assert_eq!(of("sed -n p %s | llc").1, Err("`sed -n` is not supported".to_owned()));
    }
}
