//! The YAML that metadata is written in: the block style that compilers print, and flow lists. What is rarer is taken as it
//! is and not looked into.

use rustc_hash::FxHashSet;
use wavelens_syntax::wording;

/// What is wrong, and in which line of the document (from 0).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Problem {
    pub(crate) line: usize,
    pub(crate) message: String,
    /// A misspelt key at the start of the line, and the one that is meant.
    pub(crate) respell: Option<(String, &'static str)>,
}

impl Problem {
    pub(crate) fn new(line: usize, message: impl Into<String>) -> Problem {
        Problem { line, message: message.into(), respell: None }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Node {
    Map(Vec<Entry>),
    List(Vec<Item>),
    /// With its value, where that fits.
    Integer(Option<i64>),
    Boolean,
    Float,
    Text(String),
    /// Not looked into.
    Opaque,
}

impl Node {
    /// The value of a key.
    pub(crate) fn get(&self, key: &str) -> Option<&Node> {
        match self {
            Node::Map(entries) => entries.iter().find(|e| e.key == key).map(|e| &e.value),
            _ => None,
        }
    }
}

/// An element of a list.
#[derive(Clone, PartialEq)]
pub(crate) struct Item {
    pub(crate) line: usize,
    pub(crate) value: Node,
}

impl std::fmt::Debug for Item {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.value.fmt(f)
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Entry {
    pub(crate) key: String,
    pub(crate) line: usize,
    pub(crate) value: Node,
}

#[derive(Debug)]
struct Line<'t> {
    number: usize,
    indent: usize,
    text: &'t str,
}

/// Other white space belongs to a value.
const BLANKS: [char; 3] = [' ', '\t', '\r'];

/// Reads one document.
pub(crate) fn parse(text: &str) -> Result<Node, Problem> {
    let mut lines: Vec<Line<'_>> = Vec::new();
    // Where the block begins whose last value goes on if the next line is deep enough.
    let mut open = None;
    for (number, line) in text.lines().enumerate() {
        // Not even a comment may contain one.
        if let Some(control) = line.chars().find(|c| c.is_ascii_control() && !BLANKS.contains(c)) {
            return problem(number, wording::unexpected_character(control));
        }
        let code = strip_comment(line);
        let body = code.trim_end_matches(BLANKS);
        // Also of a line with nothing else, and in front of a comment.
        let blanks = &code[..code.len() - code.trim_start_matches([' ', '\t']).len()];
        if blanks.find('\t').is_some_and(|tab| open.is_some_and(|start| tab <= start)) {
            return problem(number, "tabs cannot indent below a value; use spaces");
        }
        let is_commented = code.len() != line.len();
        let indent = blanks.len().min(body.len());
        let text = &body[indent..];
        match text {
            "" if is_commented => open = None,
            "" => {}
            "---" if lines.is_empty() => {}
            "..." => break,
            _ => {
                lines.push(Line { number, indent, text });
                open = if is_commented { None } else { open_value(indent, text) };
            }
        }
    }
    let Some(first) = lines.first() else { return Ok(Node::Text(String::new())) };
    let indent = first.indent;
    let mut reader = Reader { lines, at: 0 };
    let node = reader.block(indent, 0, 0)?;
    match reader.lines.get(reader.at) {
        Some(line) => problem(line.number, "the indentation of this line matches no line above it"),
        None => Ok(node),
    }
}

/// Where the block of a line begins, if the line ends in a value without quotes or brackets.
fn open_value(mut indent: usize, mut text: &str) -> Option<usize> {
    let mut start = indent;
    while is_item(text) {
        let rest = text.get(1..)?.trim_start_matches(BLANKS);
        start = indent;
        indent += text.len() - rest.len();
        text = rest;
    }
    let (start, value) = key_of(text).map_or((start, text), |(_, value)| (indent, value));
    (!value.is_empty() && is_plain(value)).then_some(start)
}

fn problem<T>(line: usize, message: impl Into<String>) -> Result<T, Problem> {
    Err(Problem::new(line, message))
}

fn strip_comment(line: &str) -> &str {
    let (mut single, mut double, mut before) = (false, false, ' ');
    for (at, char) in line.char_indices() {
        match char {
            '\'' if !double => single = !single,
            '"' if !single => double = !double,
            '#' if !single && !double && before.is_whitespace() => return line.get(..at).unwrap_or(line),
            _ => {}
        }
        before = char;
    }
    line
}

/// Splits `key: value`; `None` without a key.
fn key_of(text: &str) -> Option<(&str, &str)> {
    let start = match text.chars().next()? {
        quote @ ('\'' | '"') => text.get(1..)?.find(quote)? + 2,
        // A list or map in one line.
        '[' | '{' => return None,
        _ => 0,
    };
    let rest = text.get(start..)?;
    let colon = rest.match_indices(':').map(|(i, _)| start + i).find(|i| {
        text.get(i + 1..).is_some_and(|after| after.is_empty() || after.starts_with([' ', '\t']))
    })?;
    let key = text.get(..colon)?.trim_end_matches(BLANKS).trim_matches(['\'', '"']);
    Some((key, text.get(colon + 1..)?.trim_matches(BLANKS)))
}

fn is_item(text: &str) -> bool {
    text == "-" || text.starts_with("- ") || text.starts_with("-\t")
}

const DEPTH: u32 = 40;

struct Reader<'t> {
    lines: Vec<Line<'t>>,
    at: usize,
}

impl Reader<'_> {
    /// A list, a map, or a scalar, which goes on in all lines that are indented by at least `least`.
    fn block(&mut self, indent: usize, least: usize, depth: u32) -> Result<Node, Problem> {
        let Some(line) = self.lines.get(self.at) else { return Ok(Node::Text(String::new())) };
        if depth > DEPTH {
            return problem(line.number, "nested too deeply");
        }
        if is_item(line.text) {
            return self.list(indent, depth);
        }
        if key_of(line.text).is_some() {
            return self.map(indent, depth);
        }
        let (number, text) = (line.number, line.text);
        self.at += 1;
        if self.lines.get(self.at).is_none_or(|l| l.indent < least) {
            return scalar(text, number);
        }
        let mut has_key = false;
        while let Some(line) = self.lines.get(self.at).filter(|l| l.indent >= least) {
            let is_key = is_plain(text) && key_of(line.text).is_some();
            if is_key && has_key && line.indent > indent {
                return problem(
                    line.number,
                    "the key before has a value: a key that is indented below it cannot belong to it",
                );
            }
            has_key |= is_key;
            self.at += 1;
        }
        if has_key { Ok(Node::Map(Vec::new())) } else { several_lines(text, number) }
    }

    fn list(&mut self, indent: usize, depth: u32) -> Result<Node, Problem> {
        let mut items = Vec::new();
        while let Some(line) = self.lines.get_mut(self.at) {
            if line.indent != indent || !is_item(line.text) {
                break;
            }
            let number = line.number;
            let rest = line.text.get(1..).unwrap_or("").trim_start_matches(BLANKS);
            if rest.is_empty() {
                self.at += 1;
                let deeper = self.lines.get(self.at).filter(|l| l.indent > indent).map(|l| l.indent);
                let value = match deeper {
                    Some(deeper) => self.block(deeper, indent + 1, depth + 1)?,
                    None => Node::Text(String::new()),
                };
                items.push(Item { line: number, value });
                continue;
            }
            // What follows the dash is a block of its own, indented to where it starts.
            line.indent += line.text.len() - rest.len();
            line.text = rest;
            let deeper = line.indent;
            items.push(Item { line: number, value: self.block(deeper, indent + 1, depth + 1)? });
        }
        self.no_deeper(indent)?;
        Ok(Node::List(items))
    }

    fn map(&mut self, indent: usize, depth: u32) -> Result<Node, Problem> {
        let mut entries: Vec<Entry> = Vec::new();
        let mut keys = FxHashSet::default();
        let mut lacks_value = false;
        while let Some(line) = self.lines.get(self.at) {
            if line.indent != indent || is_item(line.text) {
                break;
            }
            let number = line.number;
            // A line without a colon is a key without a value, or one that goes on in deeper lines.
            let entry = key_of(line.text);
            let (key, mut value) = entry.unwrap_or((line.text, ""));
            let is_quoted = line.text.starts_with(['\'', '"']);
            let has_colon = entry.is_some();
            if key.is_empty() && !is_quoted || lacks_value && !has_colon {
                return problem(number, "expected `key: value`");
            }
            if !has_colon {
                scalar(key, number)?;
            }
            if !keys.insert(key) {
                return problem(number, format!("duplicate key `{key}`"));
            }
            let key = key.to_owned();
            lacks_value = !has_colon;
            if !has_colon {
                let deeper = self.lines.iter().skip(self.at + 1).take_while(|l| l.indent > indent);
                let ends: Vec<&Line<'_>> = deeper.collect();
                let colon = ends.iter().position(|l| key_of(l.text).is_some());
                value = colon.and_then(|i| key_of(ends.get(i)?.text)).map_or("", |(_, value)| value);
                lacks_value = colon.is_none();
                self.at += colon.map_or(ends.len(), |i| i + 1);
            }
            let value = value.to_owned();
            self.at += 1;
            let next = self.lines.get(self.at).map(|l| (l.indent, is_item(l.text)));
            let value = match (value.is_empty(), next) {
                (true, Some((deeper, _))) if deeper > indent => self.block(deeper, indent + 1, depth + 1)?,
                (true, Some((same, true))) if same == indent => self.list(indent, depth + 1)?,
                // Nothing is an empty list.
                (true, _) => Node::List(Vec::new()),
                (false, Some((deeper, _))) if deeper > indent => self.continued(&value, indent, number)?,
                (false, _) => scalar(&value, number)?,
            };
            entries.push(Entry { key, line: number, value });
        }
        self.no_deeper(indent)?;
        Ok(Node::Map(entries))
    }

    /// A value that goes on in deeper lines.
    fn continued(&mut self, value: &str, indent: usize, number: usize) -> Result<Node, Problem> {
        while let Some(line) = self.lines.get(self.at).filter(|l| l.indent > indent) {
            if is_plain(value) && key_of(line.text).is_some() {
                return problem(
                    line.number,
                    "the key before has a value: a key that is indented below it cannot belong to it",
                );
            }
            self.at += 1;
        }
        several_lines(value, number)
    }

    /// After a block: the next line is not deeper, and not of another kind at the same depth.
    fn no_deeper(&self, indent: usize) -> Result<(), Problem> {
        match self.lines.get(self.at) {
            Some(line) if line.indent > indent => {
                problem(line.number, "this line must not be indented more than the line above it")
            }
            _ => Ok(()),
        }
    }
}

/// Is this the start of a scalar without quotes, marks or brackets?
fn is_plain(text: &str) -> bool {
    !text.starts_with(['\'', '"', '|', '>', '[', '{', '&', '!'])
}

/// A scalar of several lines, by its first.
fn several_lines(text: &str, number: usize) -> Result<Node, Problem> {
    if is_plain(text) || text.starts_with('\'') {
        scalar(text, number)?;
    }
    Ok(if is_plain(text) { Node::Text(text.to_owned()) } else { Node::Opaque })
}

fn scalar(text: &str, line: usize) -> Result<Node, Problem> {
    let Some(first) = text.chars().next() else { return Ok(Node::Text(String::new())) };
    match first {
        '\'' | '"' => {
            let inner = text.get(1..).unwrap_or("");
            let end = match first {
                '\'' => inner.replace("''", "  ").find('\''),
                _ => inner.replace("\\\\", "  ").replace("\\\"", "  ").find('"'),
            };
            match end {
                Some(end) if end + 1 == inner.len() => Ok(typed(inner.get(..end).unwrap_or(""))),
                Some(_) => problem(line, "something follows the quoted text"),
                // It may end lines further down, where what follows is no longer what it looks like.
                None => Ok(Node::Opaque),
            }
        }
        '[' => match text.strip_suffix(']') {
            Some(inner) => {
                let inner = inner.get(1..).unwrap_or("").trim();
                if inner.contains(['[', '{', '\'', '"']) {
                    return Ok(Node::Opaque);
                }
                let items = inner.split(',').map(str::trim).filter(|i| !i.is_empty());
                Ok(Node::List(items.map(|item| Item { line, value: typed(item) }).collect()))
            }
            None => problem(line, "`[` is not closed"),
        },
        '{' => match text.strip_suffix('}') {
            Some(inner) if inner.trim() == "{" => Ok(Node::Map(Vec::new())),
            Some(_) => Ok(Node::Opaque),
            None => problem(line, "`{` is not closed"),
        },
        '!' | '|' | '>' | '&' => Ok(Node::Opaque),
        '*' | '%' | '@' | '`' | ']' | '}' | ',' => {
            problem(line, format!("a value cannot start with `{first}`"))
        }
        _ if key_of(text).is_some() => problem(line, "a second `:` in one line"),
        _ => Ok(typed(text)),
    }
}

fn typed(text: &str) -> Node {
    let digits = text.strip_prefix('-').unwrap_or(text);
    if let Some(value) =
        super::cursor::integer(digits).filter(|_| digits.starts_with(|c: char| c.is_ascii_digit()))
    {
        let most = if digits == text { u128::from(u64::MAX) } else { 1 << 63 };
        if value > most {
            return Node::Float;
        }
        let value = i64::try_from(value).ok();
        return Node::Integer(if digits == text { value } else { value.map(|v| -v) });
    }
    // LLVM 22 takes `y`, `no`, `True` and their like for texts.
    if matches!(text, "true" | "false") {
        return Node::Boolean;
    }
    if text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.'))
        && text.parse::<f64>().is_ok()
    {
        return Node::Float;
    }
    Node::Text(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents() {
        let good = "---\na.b:\n  - .args:\n      - .x: 1\n        .y: 'f*'\n    .n: ok # c\n    .l: []\nv:\n  - 1\n  - 2\n...\n";
        assert!(matches!(parse(good), Ok(Node::Map(entries)) if entries.len() == 2));
        assert!(parse("a: 1\na: 2\n").is_err());
        assert!(parse("a:\n  b: 1\n c: 2\n").is_err());
        assert!(parse("a: 1\n  b: 2\n").is_err());
        assert!(parse("a:\n  - { b: 1, c: 'x' }\n  - [1, 2]\n").is_ok());
        assert!(parse("a: 1\nb 2\n").is_ok());
        let kind = |text: &str| std::mem::discriminant(&typed(text));
        assert_eq!(kind("y"), kind("name"));
        assert_ne!(kind("true"), kind("name"));
        assert!(parse("a: 1\n: 2\n").is_err());
        assert!(parse("a: 1\n\"\": 2\nb:\n  '': 3\n").is_ok());
        assert!(parse("a: 'x\nb: 2\n").is_ok());
        assert!(parse("a:\n  b: 1\n  :c 1\nd: 2\n").is_ok());
        assert!(parse("a: 1\n:: 2\n:x:\n").is_ok());
        assert!(parse("a: 1\nb\nc: 1\nd\n").is_ok());
        assert!(parse("a: 1\nb\n\"c\"\n").is_err());
        assert!(parse("a: 1\nb\n  x\nc\n").is_err());
        assert!(parse("a: 1\nb\n  x: 1\nc\n").is_ok());
        assert_eq!(
            parse("- 1\t\r\n- 1\u{a0}\n"),
            Ok(Node::List(vec![
                Item { line: 0, value: Node::Integer(Some(1)) },
                Item { line: 1, value: Node::Text("1\u{a0}".into()) }
            ]))
        );
    }

    #[test]
    fn tabs_indent_where_no_value_goes_on() {
        assert!(parse("a:\n\t- b:\t1\n\t  c: 2\n").is_err());
        assert!(parse("a:\n\t-\tb:\t1\n").is_ok());
        assert!(parse("a: x # y\nb:\n\tc: 1\n").is_ok());
        assert!(parse("a: x\n\ty\n").is_err());
        assert!(parse("a: x\n \ty\n").is_ok());
        assert!(parse("a: x\n\t").is_err() && parse("a: x\n\t\n").is_err() && parse("a: x\n \t\n").is_ok());
        assert!(parse("a: x\n\n\t# y\n").is_err() && parse("a: x\n# y\n\t# z\n").is_ok());
        assert!(parse("a: x\n...\n\t").is_ok() && parse("a:\n\t\n - x\n").is_ok());
    }

    #[test]
    fn control_characters_are_not_yaml() {
        assert!(parse("a: 1 # \0\n").is_err() && parse("a: '\u{7f}'\n").is_err());
        assert!(parse("a:\t1\r\n").is_ok());
    }

    #[test]
    fn integers_have_64_bits() {
        let kind = |text: &str| matches!(typed(text), Node::Integer(_));
        assert!(kind("18446744073709551615") && kind("-9223372036854775808"));
        assert!(!kind("18446744073709551616") && !kind("-9223372036854775809"));
    }

    #[test]
    fn scalars_go_on_in_deeper_lines() {
        let of = |text: &str| match parse(text) {
            Ok(Node::Map(entries)) => format!("{:?}", entries.first().map(|e| &e.value)),
            other => format!("{other:?}"),
        };
        assert_eq!(of("a:\n  - foo\n    bar\n"), r#"Some(List([Text("foo")]))"#);
        assert_eq!(of("a:\n  - foo\n      - bar\n  - 1\n"), r#"Some(List([Text("foo"), Integer(Some(1))]))"#);
        assert_eq!(of("a:\n  foo\n  bar\nb: 1\n"), r#"Some(Text("foo"))"#);
        assert_eq!(of("a: x\n  - 1\n"), r#"Some(Text("x"))"#);
        assert_eq!(of("a:\n  - |\n    b: 1\n"), "Some(List([Opaque]))");
        assert_eq!(of("a:\n  - foo\n    b: 1\n"), "Some(List([Map([])]))");
        assert!(parse("a:\n  - foo\n  bar\n").is_err());
        assert!(parse("a:\n  foo\n    b: 1\n    c: 1\n").is_err());
        // a key of several lines
        assert!(matches!(parse("x: 1\na\n  - b: c\n"), Ok(Node::Map(entries)) if entries.len() == 2));
        assert!(parse("x: 1\na\n  - b: c\n    d: e\n").is_err());
    }
}
