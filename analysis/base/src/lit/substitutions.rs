//! `DEFINE:` lines, `%(line)` and `%if`.

use super::features::is_met;

/// Bytes of a line after substitution.
const MAX_LENGTH: usize = 1 << 16;
/// Substitutions inside each other, and parts of `%if`.
const MAX_DEPTH: u32 = 32;

/// The substitutions that a test defines, in order.
#[derive(Debug, Default)]
pub(super) struct Definitions(Vec<(String, String)>);

impl Definitions {
    /// Reads `%{name} = text`.
    pub(super) fn define(&mut self, line: &str) -> Result<(), String> {
        let wrong = || format!("expected `%{{name}} = text`, found `{line}`");
        let (name, text) = line.split_once('=').ok_or_else(wrong)?;
        let name = name.trim();
        if !(name.starts_with("%{") && name.ends_with('}')) {
            return Err(wrong());
        }
        match self.0.iter_mut().find(|(known, _)| known == name) {
            Some((_, known)) => text.trim().clone_into(known),
            None => self.0.push((name.to_owned(), text.trim().to_owned())),
        }
        Ok(())
    }

    /// A line with all that is defined in its place.
    pub(super) fn expand(&self, line: &str, number: u32, features: &[&str]) -> Result<String, String> {
        let mut text = line.to_owned();
        for _ in 0..MAX_DEPTH {
            let chosen = choose(&text, features, 0)?;
            let replaced = self.0.iter().fold(chosen, |text, (name, with)| match text.len() < MAX_LENGTH {
                true => text.replace(name.as_str(), with),
                false => text,
            });
            if replaced.len() >= MAX_LENGTH {
                break;
            }
            if replaced == text {
                return Ok(line_numbers(&text, number));
            }
            text = replaced;
        }
        Err("the substitutions of this line do not end".to_owned())
    }
}

/// `%(line)`, `%(line+1)`, `%(line-1)`
fn line_numbers(text: &str, number: u32) -> String {
    let mut found = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("%(line") {
        found.push_str(before);
        let offset = after.split(')').next().unwrap_or("");
        let value = if offset.is_empty() { Some(0) } else { offset.parse::<i64>().ok() };
        match value.filter(|_| after.len() > offset.len()) {
            Some(value) => {
                found.push_str(&i64::from(number).saturating_add(value).to_string());
                rest = after.get(offset.len() + 1..).unwrap_or("");
            }
            None => {
                found.push_str("%(line");
                rest = after;
            }
        }
    }
    found + rest
}

/// Replaces each `%if condition %{ a %} %else %{ b %}` by the part that holds.
fn choose(text: &str, features: &[&str], depth: u32) -> Result<String, String> {
    if depth > MAX_DEPTH {
        return Err("`%if` is nested too deeply".to_owned());
    }
    let Some((before, after)) = text.split_once("%if ") else { return Ok(text.to_owned()) };
    let (condition, rest) = after.split_once("%{").ok_or("expected `%{` after `%if`")?;
    let (then, rest) = part(rest)?;
    let (otherwise, rest) = match rest.trim_start().strip_prefix("%else") {
        Some(rest) => part(rest.trim_start().strip_prefix("%{").ok_or("expected `%{` after `%else`")?)?,
        None => ("", rest),
    };
    let chosen = if is_met(condition, features)? { then } else { otherwise };
    Ok(before.to_owned() + &choose(chosen, features, depth + 1)? + &choose(rest, features, depth + 1)?)
}

/// The text up to the `%}` that closes a part, and what follows it.
fn part(text: &str) -> Result<(&str, &str), String> {
    let mut depth = 0;
    let mut at = 0;
    while let Some(found) = text.get(at..).and_then(|rest| rest.find('%')) {
        at += found;
        let rest = text.get(at..).unwrap_or("");
        if rest.starts_with("%}") {
            if depth == 0 {
                return Ok((text.get(..at).unwrap_or(""), rest.get(2..).unwrap_or("")));
            }
            depth -= 1;
        } else if rest.starts_with("%{") && rest.get(2..).is_some_and(|rest| rest.starts_with(' ')) {
            depth += 1;
        }
        at += 1;
    }
    Err("`%{` is not closed by `%}`".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line of number 7 with the features `a` and `b`, where `%{x}` is `X` and `%{y}` contains it.
    fn expand(line: &str) -> String {
        let mut definitions = Definitions::default();
        definitions.define(" %{y} = <%{x}> ").expect("a definition");
        definitions.define("%{x} = first").expect("a definition");
        definitions.define("%{x} = X").expect("a definition");
        definitions.expand(line, 7, &["a", "b"]).unwrap_or_else(|problem| format!("problem: {problem}"))
    }

    #[test]
    fn lines_are_expanded() {
        for (line, expected) in [
            ("%{x}%{y} %{z}", "X<X> %{z}"),
            ("%(line) %(line+12) %(line-8)", "7 19 -1"),
            ("%(line+x) %(line", "%(line+x) %(line"),
            ("1 %if a %{ then %} 2", "1  then  2"),
            ("1 %if c %{ then %} 2", "1  2"),
            ("%if c %{ then %} %else %{ other %} 2", " other  2"),
            ("%if a %{ then %} %else %{ other %} 2", " then  2"),
            ("%if a && !b %{1%}%if b%{2%}", "2"),
            ("%if a %{ %if c %{ 1 %} %else %{ 2 %} %} 3", "  2   3"),
            ("%if a %{ %{x} 50% %} %{y}", " X 50%  <X>"),
            ("%if", "%if"),
            ("%if a b", "problem: expected `%{` after `%if`"),
            ("%if a %{ b", "problem: `%{` is not closed by `%}`"),
            ("%if a %{ %{ b %}", "problem: `%{` is not closed by `%}`"),
            ("%if a %{ b %} %else c", "problem: expected `%{` after `%else`"),
            ("%if ( %{ b %}", "problem: expected a feature in `( `"),
        ] {
            assert_eq!(expand(line), expected, "{line}");
        }
    }

    #[test]
    fn definitions_have_a_form() {
        for line in ["x = y", "%{x = y", "%x} = y", "%{x} y"] {
            let expected = format!("expected `%{{name}} = text`, found `{line}`");
            assert_eq!(Definitions::default().define(line), Err(expected));
        }
    }

    #[test]
    fn depth_and_length_have_limits() {
        let endless = Err("the substitutions of this line do not end".to_owned());
        let chain = |count: u32| {
            let mut definitions = Definitions::default();
            // The last one is defined first, so that each pass replaces only one.
            for number in (0..count).rev() {
                definitions.define(&format!("%{{{number}}} = %{{{}}}", number + 1)).expect("a definition");
            }
            definitions.expand("%{0}", 1, &[])
        };
        assert_eq!(chain(1), Ok("%{1}".to_owned()));
        let mut longer = Definitions::default();
        longer.define(&format!("%{{x}} = {}", "x".repeat(MAX_LENGTH - 1))).expect("a definition");
        assert_eq!(longer.expand("%{x}", 1, &[]).map(|text| text.len()), Ok(MAX_LENGTH - 1));
        assert_eq!(longer.expand("%{x} ", 1, &[]), endless);
        let nested = |count: usize| "%if a %{ ".repeat(count) + &"%}".repeat(count);
        let of = |line: &str| Definitions::default().expand(line, 1, &["a"]);
        assert_eq!(of(&nested(MAX_DEPTH as usize)), Ok(" ".repeat(MAX_DEPTH as usize)));
        assert_eq!(of(&nested(MAX_DEPTH as usize + 1)), Err("`%if` is nested too deeply".to_owned()));
    }
}
