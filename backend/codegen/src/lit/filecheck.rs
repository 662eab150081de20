//! What FileCheck says of a mismatch.

/// The first mismatch that FileCheck reports. Lines and columns count from 1.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Mismatch {
    /// Of the CHECK line, in the test.
    pub line: u32,
    /// Of the CHECK line, in the test.
    pub column: u32,
    /// `CHECK-NEXT: expected string not found in input`
    pub message: String,
    /// Where the search began, in the output.
    pub search: Option<Place>,
    /// The text that is closest to what is expected.
    pub closest: Option<Place>,
    /// The text that matches, and must not, or not there.
    pub found: Option<Place>,
    /// What else is said of it: values of variables, other places.
    pub notes: Vec<String>,
}

/// A place in the output that was checked.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Place {
    /// Counted from 1.
    pub line: u32,
    /// Counted from 1, in bytes.
    pub column: u32,
    /// The whole line.
    pub text: String,
}

/// Reads what FileCheck wrote about a test with some file name.
pub fn mismatch(error: &str, name: &str) -> Option<Mismatch> {
    let mut lines = error.lines();
    let mut found: Option<Mismatch> = None;
    while let Some(line) = lines.next() {
        let Some(said) = Said::read(line) else { continue };
        match (&mut found, said.kind) {
            (None, "error") if said.file.ends_with(name) => {
                let (line, column, message) = (said.line, said.column, said.message.to_owned());
                found = Some(Mismatch { line, column, message, ..Mismatch::default() });
            }
            // The next mismatch.
            (Some(_), "error") => break,
            (Some(mismatch), "note") => {
                let text = lines.next().unwrap_or("").to_owned();
                let place = Place { line: said.line, column: said.column, text };
                match said.message {
                    "scanning from here" => mismatch.search = Some(place),
                    "possible intended match here" => mismatch.closest = Some(place),
                    "found here" | "'next' match was here" => mismatch.found = Some(place),
                    message => mismatch.notes.push(message.to_owned()),
                }
            }
            _ => {}
        }
    }
    found
}

/// The line of the first error that a program reports in a file with some name, counted from 1.
pub fn error_line(text: &str, name: &str) -> Option<u32> {
    let said = text.lines().filter_map(Said::read).find(|said| said.kind == "error")?;
    (said.file.ends_with(name) && said.line > 0).then_some(said.line)
}

/// `file:1:2: error: text`
struct Said<'l> {
    file: &'l str,
    line: u32,
    column: u32,
    kind: &'l str,
    message: &'l str,
}

impl<'l> Said<'l> {
    /// A program may write its own name first: `llc: error: file:1:2: error: text`.
    fn read(line: &'l str) -> Option<Self> {
        let mut found = ["error", "note"].into_iter().flat_map(|kind| {
            let at = |word: &str| line.match_indices(word).map(|(at, _)| at).collect::<Vec<_>>();
            at(&format!(": {kind}: ")).into_iter().filter_map(move |at| Said::at(line, at, kind))
        });
        found.next()
    }

    fn at(line: &'l str, at: usize, kind: &'static str) -> Option<Self> {
        let mut place = line.get(..at)?.rsplitn(3, ':');
        let column = place.next()?.parse().ok()?;
        let number = place.next()?.parse().ok()?;
        let message = line.get(at + kind.len() + 4..)?;
        Some(Said { file: place.next()?, line: number, column, kind, message })
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn the_first_mismatch_is_read() {
        let error = "\
/tmp/x/test/a.ll:6:10: error: CHECK: expected string not found in input
; CHECK: s_endpgm2
         ^
<stdin>:3:1: note: scanning from here
s_nop 0
^
<stdin>:5:2: note: possible intended match here
 s_endpgm
 ^
/tmp/x/test/a.ll:9:10: error: CHECK: expected string not found in input
";
        let found = mismatch(error, "a.ll").expect("a mismatch");
        expect![[r#"
            Mismatch {
                line: 6,
                column: 10,
                message: "CHECK: expected string not found in input",
                search: Some(
                    Place {
                        line: 3,
                        column: 1,
                        text: "s_nop 0",
                    },
                ),
                closest: Some(
                    Place {
                        line: 5,
                        column: 2,
                        text: " s_endpgm",
                    },
                ),
                found: None,
                notes: [],
            }
        "#]]
        .assert_debug_eq(&found);
        assert_eq!(error_line("llc: error: /tmp/x/test/a.ll:7:2: error: expected type\n", "a.ll"), Some(7));
        assert_eq!(mismatch("error: no check strings found with prefix 'CHECK:'\n", "a.ll"), None);
    }
}
