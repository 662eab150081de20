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
