//! What is shown of rules: their titles and their pages.

use wavelens_semantics::Rule;

/// What the rule requires, in one line without Markdown's code marks' blocks: the first sentence of its explanation.
pub(super) fn title(rule: &Rule) -> &str {
    let text = rule.explain.trim_start();
    let line = text.split("\n\n").next().unwrap_or(text);
    let end = line.match_indices(". ").map(|(at, _)| at).find(|at| {
        let (head, tail) = line.split_at(*at);
        // Not within code, and not at "e.g.".
        head.matches('`').count() % 2 == 0
            && tail.get(2..).is_some_and(|t| t.starts_with(|c: char| !c.is_lowercase()))
    });
    line.get(..end.unwrap_or(line.len())).unwrap_or(line).trim_end_matches(['.', ':'])
}

/// Where the rule is documented.
pub(super) fn url(rule: &Rule) -> String {
    format!("{}/blob/main/docs/codes/{}.md", env!("CARGO_PKG_REPOSITORY"), rule.code)
}
