//! How often completion proposes what an author wrote: tokens of accepted files are hidden after their first character. And how
//! often it proposes a name that is an error there.

use wavelens_ide::answers::{Completion, CompletionKind};

use wavelens_base::{Dialect, Options, Severity, TextRange, TextSize};
use wavelens_check::check_text;
use wavelens_ide::db::View;
use wavelens_ide::{Database, Document, features};
use wavelens_syntax::machine::{Kind, Lexed};
use wavelens_test_support::random::Random;

/// A hidden token, and the place of what was written among the proposals, counted from 0.
#[derive(Debug)]
pub struct Probe {
    pub line: usize,
    /// The line up to the token.
    pub before: String,
    pub token: String,
    pub rank: Option<usize>,
}

/// How many proposals count: what a list shows at once.
pub const SHOWN: usize = 10;

/// Whether a file has no errors, not even such as its RUN lines expect.
pub fn is_accepted(dialect: Dialect, text: &str) -> bool {
    check_text(dialect, text, &Options::default())
        .iter()
        .all(|f| f.severity != Severity::Error && !f.expected)
}

/// A text with a token hidden after its first character, and what is proposed there.
struct Hidden<'t> {
    range: std::ops::Range<usize>,
    token: &'t str,
    /// The length of the first character.
    first: usize,
    typed: String,
    items: Vec<Completion>,
}

impl<'t> Hidden<'t> {
    fn new(dialect: Dialect, text: &'t str, range: std::ops::Range<usize>) -> Option<Hidden<'t>> {
        let token = text.get(range.clone())?;
        let first = token.chars().next()?.len_utf8();
        let at = range.start + first;
        let typed = format!("{}{}", text.get(..at)?, text.get(range.end..)?);
        let mut db = Database::default();
        let document = Document::new(&mut db, dialect, &typed, Options::default());
        let view = View::new(&db, document.file());
        let items = features::complete(view, TextSize::new(at as u32)).items;
        Some(Hidden { range, token, first, typed, items })
    }

    fn is_written(&self, item: &Completion) -> bool {
        let (token, first) = (self.token, self.first);
        let before = self.typed.get(usize::from(item.range.start())..self.range.start + first).unwrap_or("");
        let whole = token.get(..first).is_some_and(|typed| before.ends_with(typed));
        whole
            && (item.label == token
                || item.insert == token
                || before.len() > first && item.label.ends_with(token))
    }
}

/// Hides one random token of a text; `None` if there is none.
pub fn probe(dialect: Dialect, text: &str, random: &mut Random) -> Option<Probe> {
    let words = words(dialect, text);
    let hidden = Hidden::new(dialect, text, words.get(random.below(words.len()))?.clone())?;
    let rank = hidden.items.iter().position(|item| hidden.is_written(item));
    let before = text.get(..hidden.range.start)?;
    Some(Probe {
        line: before.matches('\n').count() + 1,
        before: before.get(before.rfind('\n').map_or(0, |n| n + 1)..)?.to_owned(),
        token: hidden.token.to_owned(),
        rank,
    })
}

/// The proposals of values at one place, each tried in the text.
#[derive(Debug, Default)]
pub struct Tried {
    pub line: usize,
    /// The line up to the token.
    pub before: String,
    /// How many were tried.
    pub proposals: usize,
    /// Those that leave an error, with its code and message.
    pub errors: Vec<(String, String)>,
}

/// Writes up to `most` proposals of values in place of one random value of an accepted text, one at a time.
pub fn try_proposals(dialect: Dialect, text: &str, most: usize, random: &mut Random) -> Option<Tried> {
    let words = match dialect {
        Dialect::Amdgpu => registers(text),
        _ => words(dialect, text).into_iter().filter(|word| text[word.clone()].starts_with('%')).collect(),
    };
    let hidden = Hidden::new(dialect, text, words.get(random.below(words.len()))?.clone())?;
    let written = hidden.items.iter().find(|item| hidden.is_written(item));
    // Types and labels are the start of what is written, and the rest of the line follows from them.
    let is_value = |kind| matches!(kind, CompletionKind::Local | CompletionKind::Register);
    if written.is_none_or(|written| !is_value(written.kind)) {
        return None;
    }
    let before = text.get(..hidden.range.start)?;
    let mut tried = Tried {
        line: before.matches('\n').count() + 1,
        before: before.get(before.rfind('\n').map_or(0, |n| n + 1)..)?.to_owned(),
        ..Tried::default()
    };
    for item in hidden.items.iter().take(most) {
        let replaced = std::ops::Range::<usize>::from(item.range);
        let typed = &hidden.typed;
        let edited = [typed.get(..replaced.start)?, &item.insert, typed.get(replaced.end..)?].concat();
        let found = check_text(dialect, &edited, &Options::default());
        tried.proposals += 1;
        if let Some(error) = found.iter().find(|f| f.severity == Severity::Error) {
            tried.errors.push((item.label.clone(), format!("{}: {}", error.rule.code, error.message)));
        }
    }
    Some(tried)
}

/// The registers of assembly, those with brackets too.
fn registers(text: &str) -> Vec<std::ops::Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let code = line.split([';', '/']).next().unwrap_or(line);
        for word in code.split([' ', '\t', ',', '|', '(', ')', '-', '\n']) {
            let at = start + (word.as_ptr() as usize - line.as_ptr() as usize);
            let is_register = wavelens_isa::named_register(word).is_some()
                || ["v[", "s[", "a["].iter().any(|file| word.starts_with(file) && word.ends_with(']'));
            found.extend(is_register.then_some(at..at + word.len()));
        }
        start += line.len();
    }
    found
}

/// The tokens that can be completed: words and names of two characters and more that are not defined where they are.
fn words(dialect: Dialect, text: &str) -> Vec<std::ops::Range<usize>> {
    use wavelens_syntax::{amdgpu, llvm, mir, spirv};
    let mut words = Vec::new();
    match dialect {
        Dialect::Llvm => collect(text, &llvm::lex(text), 0, is_llvm_definition, &mut words),
        Dialect::Spirv => collect(text, &spirv::lex(text), 0, |next, _| next == "=", &mut words),
        Dialect::Amdgpu => {
            collect(text, &amdgpu::lex(text), 0, |next, _| matches!(next, ":" | "="), &mut words);
        }
        Dialect::Mir => {
            for span in wavelens_syntax::split(dialect, text) {
                let start = usize::from(span.range.start());
                let chunk = &text[std::ops::Range::<usize>::from(span.range)];
                match mir::ir_text(chunk) {
                    Some(_) => {}
                    None => {
                        let parse = mir::parse(chunk);
                        collect(chunk, parse.lexed(), start, is_mir_definition, &mut words);
                    }
                }
            }
        }
    }
    words.retain(|range| {
        let token = &text[range.clone()];
        let line = text[..range.start].rfind('\n').map_or(0, |n| n + 1);
        let is_result = text[line..range.start].trim_start().is_empty() && token.starts_with('%');
        let after = text[range.end..].trim_start_matches([' ', '\t']);
        let defines = match dialect {
            Dialect::Llvm => {
                is_result && after.starts_with('=')
                    || text[line..].starts_with(['@', '!', '$']) && range.start == line
                    || text[line..].starts_with("define") && token.starts_with(['%', '@'])
                    || text[line..].starts_with("declare") && token.starts_with('@')
            }
            Dialect::Mir => {
                token.starts_with('%') && !token.starts_with("%bb") && after.starts_with([':', '='])
                    || token.starts_with("bb.")
            }
            // `.set NAME, VALUE`.
            Dialect::Amdgpu => [".set", ".equ", ".equiv", ".macro"].contains(&text[line..range.start].trim()),
            _ => false,
        };
        !defines && !token.contains(['"', '\n', '\''])
    });
    words
}

fn is_llvm_definition(next: &str, token: &str) -> bool {
    token.ends_with(':') && !next.is_empty() && token.len() > 1
}

fn is_mir_definition(_: &str, token: &str) -> bool {
    token == "---" || token == "..."
}

fn collect<K: Kind>(
    text: &str,
    lexed: &Lexed<K>,
    start: usize,
    defines: impl Fn(&str, &str) -> bool,
    words: &mut Vec<std::ops::Range<usize>>,
) {
    for index in (0..lexed.len()).filter(|i| !lexed.kind(*i).is_trivia()) {
        let (range, token): (TextRange, &str) = (lexed.range(index), lexed.text(text, index));
        let next = lexed.text(text, lexed.skip_trivia(index + 1));
        let mut chars = token.chars();
        let is_word = chars.next().is_some_and(|c| c.is_alphabetic() || "%@!#$._".contains(c))
            && chars.next().is_some_and(|c| c.is_alphanumeric() || "_.-$".contains(c));
        if is_word && !defines(next, token) {
            words.push(start + usize::from(range.start())..start + usize::from(range.end()));
        }
    }
}
