//! The part of the shell's language that lit's internal shell has: words, quotes, pipes, redirections and sequences. Variables,
//! command substitutions and groups do not exist in it, and nothing here is ever given to a shell.

use smol_str::SmolStr;

use crate::{TextRange, TextSize};

/// A command line: pipelines in sequence.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Script {
    /// In the order in which they run.
    pub steps: Vec<Step>,
    /// Why a part could not be understood.
    pub problem: Option<&'static str>,
}

/// A pipeline, and when it runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// How it depends on the step before.
    pub join: Join,
    /// Commands joined by `|`.
    pub pipeline: Vec<Command>,
}

/// When a pipeline runs, by the outcome of those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Join {
    /// The first one, and after `;`.
    Always,
    /// After `&&`.
    IfPassed,
    /// After `||`.
    IfFailed,
}

/// One program with its arguments.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Command {
    /// The program and its arguments.
    pub words: Vec<Word>,
    /// In the order written.
    pub redirects: Vec<Redirect>,
}

/// A word without its quotes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// Without quotes.
    pub text: SmolStr,
    /// In the command line, quotes included.
    pub range: TextRange,
}

/// Where a stream goes.
#[allow(missing_docs, reason = "the variants describe their fields")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Redirect {
    /// `< file`
    Input(Word),
    /// `> file`, `2>> file`
    File { stream: Stream, append: bool, file: Word },
    /// `2>&1`, `1>&2`
    Copy { stream: Stream, of: Stream },
}

/// A stream of a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stream {
    /// Standard output.
    Output,
    /// Standard error.
    Error,
    /// `&> file`
    Both,
}

impl Script {
    /// All commands, in order.
    pub fn commands(&self) -> impl Iterator<Item = &Command> {
        self.steps.iter().flat_map(|step| &step.pipeline)
    }
}

/// Reads a command line. What cannot be understood is left out and named.
pub fn parse(line: &str) -> Script {
    let mut reader = Reader { line, at: 0, problem: None };
    let mut steps = Vec::new();
    let (mut join, mut pipeline, mut command) = (Join::Always, Vec::new(), Command::default());
    while let Some(token) = reader.token() {
        match token {
            Token::Word(word) => command.words.push(word),
            Token::Redirect(redirect) => command.redirects.push(redirect),
            Token::Pipe => {
                if command.words.is_empty() {
                    reader.problem = Some("a command is missing before `|`");
                }
                pipeline.push(std::mem::take(&mut command));
            }
            Token::Join(next) => {
                push(&mut steps, join, &mut pipeline, &mut command);
                join = next;
            }
        }
    }
    if !pipeline.is_empty() && command.words.is_empty() {
        reader.problem = Some("a command is missing after `|`");
    }
    push(&mut steps, join, &mut pipeline, &mut command);
    Script { steps, problem: reader.problem }
}

fn push(steps: &mut Vec<Step>, join: Join, pipeline: &mut Vec<Command>, command: &mut Command) {
    if *command != Command::default() {
        pipeline.push(std::mem::take(command));
    }
    if !pipeline.is_empty() {
        steps.push(Step { join, pipeline: std::mem::take(pipeline) });
    }
}

enum Token {
    Word(Word),
    Redirect(Redirect),
    Pipe,
    Join(Join),
}

struct Reader<'l> {
    line: &'l str,
    at: usize,
    problem: Option<&'static str>,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        self.line.get(self.at..).unwrap_or("")
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    fn take(&mut self, text: &str) -> bool {
        let is_there = self.rest().starts_with(text);
        self.at += if is_there { text.len() } else { 0 };
        is_there
    }

    fn token(&mut self) -> Option<Token> {
        while self.peek().is_some_and(char::is_whitespace) {
            self.next();
        }
        self.peek()?;
        let joins = [("&&", Join::IfPassed), ("||", Join::IfFailed), (";", Join::Always)];
        for (operator, join) in joins {
            if self.take(operator) {
                return Some(Token::Join(join));
            }
        }
        if self.take("|") {
            return Some(Token::Pipe);
        }
        if let Some(redirect) = self.redirect() {
            return Some(Token::Redirect(redirect));
        }
        if self.take("&") {
            self.problem = Some("`&` is not supported");
            return Some(Token::Join(Join::Always));
        }
        self.word().map(Token::Word)
    }

    fn redirect(&mut self) -> Option<Redirect> {
        let operators = [
            ("<", None),
            ("&>>", Some((Stream::Both, true))),
            ("&>", Some((Stream::Both, false))),
            ("2>>", Some((Stream::Error, true))),
            ("2>", Some((Stream::Error, false))),
            ("1>>", Some((Stream::Output, true))),
            ("1>", Some((Stream::Output, false))),
            (">>", Some((Stream::Output, true))),
            (">", Some((Stream::Output, false))),
        ];
        let (_, target) = operators.into_iter().find(|(operator, _)| self.take(operator))?;
        let Some((mut stream, append)) = target else {
            if self.rest().starts_with(['<', '&']) {
                self.problem = Some("only `< file` is supported as input");
            }
            return self.file().map(Redirect::Input);
        };
        if !append && self.take("&") {
            let of = match self.peek() {
                Some('1') => Some(Stream::Output),
                Some('2') => Some(Stream::Error),
                _ => None,
            };
            if let Some(of) = of {
                self.next();
                return Some(Redirect::Copy { stream, of });
            }
            // `>& file`
            stream = Stream::Both;
        }
        self.file().map(|file| Redirect::File { stream, append, file })
    }

    fn file(&mut self) -> Option<Word> {
        while self.peek().is_some_and(char::is_whitespace) {
            self.next();
        }
        let file = self.word();
        if file.is_none() {
            self.problem = Some("a file name is missing after a redirection");
        }
        file
    }

    fn word(&mut self) -> Option<Word> {
        let start = self.at;
        let mut text = String::new();
        while let Some(c) = self.peek() {
            match c {
                '\'' | '"' => {
                    self.next();
                    self.quoted(c, &mut text);
                }
                '\\' => {
                    self.next();
                    text.extend(self.next());
                }
                '|' | ';' | '<' | '>' => break,
                '&' if self.at > start || self.rest().starts_with("&&") => break,
                c if c.is_whitespace() => break,
                c => {
                    self.next();
                    text.push(c);
                }
            }
        }
        let size = |n: usize| TextSize::new(u32::try_from(n).unwrap_or(u32::MAX));
        let range = TextRange::new(size(start), size(self.at));
        (!range.is_empty()).then(|| Word { text: text.into(), range })
    }

    fn quoted(&mut self, quote: char, text: &mut String) {
        while let Some(c) = self.next() {
            match c {
                c if c == quote => return,
                // A backslash protects only these two.
                '\\' if quote == '"' && self.rest().starts_with(['"', '\\']) => text.extend(self.next()),
                c => text.push(c),
            }
        }
        self.problem = Some("a quote is not closed");
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(line: &str, expected: Expect) {
        let script = parse(line);
        let mut shown = String::new();
        for step in &script.steps {
            let commands = step.pipeline.iter().map(|command| {
                let words = command.words.iter().map(|w| format!("[{}]", w.text)).collect::<String>();
                let redirects = command.redirects.iter().map(|redirect| match redirect {
                    Redirect::Input(file) => format!(" <{}", file.text),
                    Redirect::File { stream, append, file } => {
                        format!(" {stream:?}{}{}", if *append { ">>" } else { ">" }, file.text)
                    }
                    Redirect::Copy { stream, of } => format!(" {stream:?}={of:?}"),
                });
                words + &redirects.collect::<String>()
            });
            shown.push_str(&format!("{:?}: {}\n", step.join, commands.collect::<Vec<_>>().join(" | ")));
        }
        script.problem.iter().for_each(|problem| shown.push_str(&format!("{problem}\n")));
        expected.assert_eq(&shown);
    }

    #[test]
    fn pipes_sequences_and_redirections() {
        check(
            "not llc -o - < %s 2>&1 | FileCheck %s && opt %s >%t 2>> %t.err || count 0; llc &> %t",
            expect![[r#"
                Always: [not][llc][-o][-] <%s Error=Output | [FileCheck][%s]
                IfPassed: [opt][%s] Output>%t Error>>%t.err
                IfFailed: [count][0]
                Always: [llc] Both>%t
            "#]],
        );
    }

    #[test]
    fn quotes_protect_everything_but_themselves() {
        check(
            r#"opt '-passes=a<b>;c' "-x=\"y\" \n" a\ b a"b c"d a2>x"#,
            expect![[r#"
                Always: [opt][-passes=a<b>;c][-x="y" \n][a b][ab cd][a2] Output>x
            "#]],
        );
    }

    #[test]
    fn nothing_is_expanded() {
        check(
            "llc $(touch x) `touch y` $HOME ~ *.ll",
            expect![[r#"
                Always: [llc][$(touch][x)][`touch][y`][$HOME][~][*.ll]
            "#]],
        );
    }

    #[test]
    fn what_is_not_understood_is_named() {
        check("llc 'a", expect!["Always: [llc][a]\na quote is not closed\n"]);
        check("llc a & opt", expect!["Always: [llc][a]\nAlways: [opt]\n`&` is not supported\n"]);
        check("llc | | opt", expect!["Always: [llc] |  | [opt]\na command is missing before `|`\n"]);
        check("llc <<EOF", expect!["Always: [llc]\na file name is missing after a redirection\n"]);
        check("llc >", expect!["Always: [llc]\na file name is missing after a redirection\n"]);
    }
}
