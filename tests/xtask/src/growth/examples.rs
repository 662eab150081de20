//! The example of each code, repeated: as a whole, which makes a module of many functions, and the line that the finding is about, which
//! makes one long function. The examples come from the pages of the book.

use std::path::Path;

use crate::Outcome;
use crate::repository::{names, read_text};

/// The example of a code.
pub(super) struct Example {
    pub(super) code: String,
    pub(super) extension: String,
    text: String,
    /// The line that the finding is about, from 0.
    line: usize,
}

/// How often an example is repeated.
pub(super) const COUNTS: [usize; 3] = [1000, 4000, 16_000];

/// What of an example is repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Repeated {
    Module,
    Line,
}

impl Example {
    /// All examples of the pages in a folder.
    pub(super) fn all(folder: &Path) -> Outcome<Vec<Example>> {
        let mut found = Vec::new();
        for name in names(folder)?.iter().filter(|name| name.ends_with(".md")) {
            let code = name.trim_end_matches(".md");
            found.extend(Example::of_page(code, &read_text(&folder.join(name))?));
        }
        Ok(found)
    }

    /// The example of a page: a block of code and the finding below it, ` --> example.ll:2:13`.
    fn of_page(code: &str, page: &str) -> Option<Example> {
        let (_, rest) = page.split_once("\n## Example\n")?;
        let (_, rest) = rest.split_once("\n```")?;
        let (_, rest) = rest.split_once('\n')?;
        let (text, rest) = rest.split_once("\n```\n")?;
        let own = rest.split("\n## ").next()?;
        let (extension, place) = own.split_once("--> example.")?.1.split_once(':')?;
        let line: usize = place.split(':').next()?.parse().ok()?;
        Some(Example {
            code: code.to_owned(),
            extension: extension.to_owned(),
            text: format!("{text}\n"),
            line: line.checked_sub(1)?,
        })
    }

    /// The example with something in it repeated so many times.
    pub(super) fn repeated(&self, what: Repeated, count: usize) -> String {
        match what {
            Repeated::Module => self.text.repeat(count),
            Repeated::Line => {
                let times = |index| if index == self.line { count } else { 1 };
                let lines = self.text.split_inclusive('\n').enumerate();
                lines.map(|(index, line)| line.repeat(times(index))).collect()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repository::root;

    #[test]
    fn most_codes_have_an_example_that_grows() {
        let all = Example::all(&root().join("docs/codes")).expect("the pages are there");
        let pages = names(&root().join("docs/codes")).expect("the pages are there");
        assert!(all.len() * 20 >= pages.len() * 19, "{} of {} pages", all.len(), pages.len());
        for example in &all {
            let lines = |what, count| example.repeated(what, count).lines().count();
            let once = example.text.lines().count();
            assert_eq!(lines(Repeated::Module, 3), 3 * once, "{}", example.code);
            assert_eq!(lines(Repeated::Line, 3), once + 2, "{}", example.code);
        }
    }
}
