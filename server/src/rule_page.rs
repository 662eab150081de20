//! The page of a rule's code.

use wavelens_base::Rule;

/// Pages of codes, relative to the repository.
const PAGES: &str = "blob/main/docs/codes";

pub(crate) fn url(rule: &Rule) -> String {
    format!("{}/{PAGES}/{}.md", env!("CARGO_PKG_REPOSITORY"), rule.code)
}
