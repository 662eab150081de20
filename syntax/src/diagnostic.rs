//! What a rule says about a place in a file.

use rowan::TextRange;

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// The reference tools do not accept the text.
    Error,
    /// Accepted, and most likely not what was meant.
    Warning,
    /// Worth knowing; nothing has to be done.
    Info,
    /// Shown in place, without a mark in lists.
    Hint,
}

/// One kind of finding. The page of its code, `wavelens explain CODE` and the editor's link are made from these fields.
#[derive(Debug)]
pub struct Rule {
    /// Stable, kebab-case, unique over all dialects that mean different things by it.
    pub code: &'static str,
    /// Of its findings, unless the user sets another one.
    pub severity: Severity,
    /// One line, no full stop: what the rule requires.
    pub title: &'static str,
    /// Markdown: why the rule exists and when to switch it off. No example and no source.
    pub explain: &'static str,
    /// The smallest text for which exactly this code is reported.
    pub example: &'static str,
    /// The same text without the mistake: nothing is reported.
    pub fixed: &'static str,
    /// Manual and section, or the check's name in the reference tool with the key words of its message.
    pub source: &'static str,
}

/// Declares the rules of a file and `RULES`, the list of them: a rule is registered where it is written.
///
/// ```
/// use wavelens_syntax::{Rule, Severity};
///
/// wavelens_syntax::rules! {
///     /// Labels are defined once.
///     DUPLICATE_LABEL {
///         code: "duplicate-label",
///         severity: Severity::Error,
///         title: "a label is defined once",
///         explain: "A branch to a label that is defined twice has two targets.",
///         example: "a:\na:\n",
///         fixed: "a:\nb:\n",
///         source: "LLVM `AsmParser`: \"symbol is already defined\"",
///     }
/// }
/// assert_eq!(RULES[0].code, "duplicate-label");
/// ```
#[macro_export]
macro_rules! rules {
    ($($(#[$attribute:meta])* $name:ident { $($field:ident: $value:expr),* $(,)? })*) => {
        $($(#[$attribute])* #[allow(missing_docs)] pub static $name: $crate::Rule = $crate::Rule { $($field: $value),* };)*

        /// The rules of this file.
        pub static RULES: &[&$crate::Rule] = &[$(&$name),*];
    };
}

/// A rule is its static: dialects that mean the same share a code, and are not one rule.
impl PartialEq for Rule {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for Rule {}

/// Identity of a chunk within its file, stable while the file is edited; never an index or an offset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ChunkId(pub u32);

/// A place that a diagnostic points at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Place {
    /// In the same chunk, relative to its start.
    Here(TextRange),
    /// The `item`-th named entity of another chunk, as its lowered form numbers them. Resolved to a range when
    /// diagnostics are gathered, so that moving text elsewhere does not change a chunk's results.
    Item {
        /// The chunk that has it.
        chunk: ChunkId,
        /// Its number.
        item: u32,
    },
    /// In a file that this one includes, by its number among those.
    Included {
        /// The number of the file.
        file: u32,
        /// In that file.
        range: TextRange,
    },
}

/// The other end of a finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Related {
    /// Where it is.
    pub place: Place,
    /// What is there, as a phrase: `previous definition is here`.
    pub message: String,
}

/// One replacement of text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextEdit {
    /// What is replaced; empty to insert.
    pub range: TextRange,
    /// What is written instead.
    pub text: String,
}

impl TextEdit {
    /// Replaces a range by a text.
    pub fn new(range: TextRange, text: impl Into<String>) -> Self {
        TextEdit { range, text: text.into() }
    }

    /// The text after some edits, in any order; edits at one place keep theirs. `None` if two overlap or one is outside of the text.
    pub fn apply_all<'e>(text: &str, edits: impl IntoIterator<Item = &'e TextEdit>) -> Option<String> {
        let mut edits: Vec<&TextEdit> = edits.into_iter().collect();
        edits.sort_by_key(|e| (e.range.start(), e.range.end()));
        let mut out = String::with_capacity(text.len() + edits.len() * 4);
        let mut at = 0;
        for edit in edits {
            let range = std::ops::Range::<usize>::from(edit.range);
            out.push_str(text.get(at..range.start)?);
            out.push_str(&edit.text);
            at = range.end;
        }
        out.push_str(text.get(at..)?);
        Some(out)
    }
}

/// A change that fixes the finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// Imperative, shown in the editor's menu.
    pub title: String,
    /// Nothing else can be meant. What is only likely is offered at its place, never done everywhere at once.
    pub certain: bool,
    /// Ranges are relative to the chunk, like the diagnostic's.
    pub edits: Vec<TextEdit>,
}

/// How an editor may draw the range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Tag {
    /// Drawn faded: the text has no effect.
    Unnecessary,
    /// Drawn struck out.
    Deprecated,
}

/// What each of several findings lacks: a name that is not defined, a capability that is not declared. Those of one severity that
/// lack the same are shown as one, at the first place: there is one thing to correct, however often it is used.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Lack {
    /// From the chunk: a name of a function's.
    InChunk(Box<str>),
    /// From the file.
    InFile(Box<str>),
}

/// One finding. Ranges are relative to the chunk that was checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// The rule that is not met.
    pub rule: &'static Rule,
    /// That of the rule, unless the check knows better.
    pub severity: Severity,
    /// What the finding is about.
    pub range: TextRange,
    /// One sentence without a full stop, with the names and types involved.
    pub message: String,
    /// The other ends: the first definition, the declaration that does not match.
    pub related: Vec<Related>,
    /// A change after which the finding is gone.
    pub fix: Option<Fix>,
    /// How an editor may draw the range.
    pub tag: Option<Tag>,
    /// What is missing, where each use of it is a finding.
    pub lack: Option<Lack>,
}

/// Bytes of a message that are kept: a type can be as long as the text, and shown in each of many findings.
const LONGEST_MESSAGE: usize = 2000;

fn shortened(mut message: String) -> String {
    if message.len() > LONGEST_MESSAGE {
        message.truncate(message.floor_char_boundary(LONGEST_MESSAGE));
        message.push_str(" ...");
        message.shrink_to_fit();
    }
    message
}

impl Diagnostic {
    /// A finding with the severity of its rule. A message longer than 2000 bytes ends with `...` there.
    pub fn new(rule: &'static Rule, range: TextRange, message: impl Into<String>) -> Self {
        Diagnostic {
            rule,
            severity: rule.severity,
            range,
            message: shortened(message.into()),
            related: Vec::new(),
            fix: None,
            tag: None,
            lack: None,
        }
    }

    /// A warning of a rule whose other findings are errors: the reference accepts the text.
    pub fn warning(rule: &'static Rule, range: TextRange, message: impl Into<String>) -> Self {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::new(rule, range, message) }
    }

    /// Adds the other end.
    pub fn related(mut self, place: Place, message: impl Into<String>) -> Self {
        // Few findings have more than one.
        self.related.reserve_exact(1);
        self.related.push(Related { place, message: message.into() });
        self
    }

    /// Adds a fix of one edit.
    pub fn fix(mut self, title: impl Into<String>, range: TextRange, text: impl Into<String>) -> Self {
        self.set_fix(title, vec![TextEdit { range, text: text.into() }]);
        self
    }

    /// Adds a fix of one edit that is only likely to be meant.
    pub fn guess(mut self, title: impl Into<String>, range: TextRange, text: impl Into<String>) -> Self {
        self.set_guess(title, vec![TextEdit { range, text: text.into() }]);
        self
    }

    /// Adds a fix that corrects a word of the language to `near`. It is certain if the two are one slip apart.
    pub fn respell(mut self, title: impl Into<String>, edit: TextEdit, word: &str, near: &str) -> Self {
        let certain = crate::is_one_slip(word, near);
        self.fix = Some(Fix { title: title.into(), certain, edits: vec![edit] });
        self
    }

    /// Gives a finding that is already reported a fix.
    pub fn set_fix(&mut self, title: impl Into<String>, edits: Vec<TextEdit>) {
        self.fix = Some(Fix { title: title.into(), certain: true, edits });
    }

    /// Gives a finding that is already reported a fix that is only likely to be meant.
    pub fn set_guess(&mut self, title: impl Into<String>, edits: Vec<TextEdit>) {
        self.fix = Some(Fix { title: title.into(), certain: false, edits });
    }

    /// Says what the chunk or the file lacks.
    pub fn with_lack(mut self, lack: Lack) -> Self {
        self.lack = Some(lack);
        self
    }

    /// Says that the chunk lacks what the message names: each use of it has the same message.
    pub fn once(self) -> Self {
        let lack = Lack::InChunk(self.message.as_str().into());
        self.with_lack(lack)
    }

    /// Says how an editor may draw the range.
    pub fn tag(mut self, tag: Tag) -> Self {
        self.tag = Some(tag);
        self
    }
}

/// The part of an entity that a fault is about. The caller of a check turns it into a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Part {
    /// The instruction, attribute, directive or other entity that was checked.
    #[default]
    Whole,
    /// One of its operands, counted from 0.
    Operand(usize),
    /// A range, relative to the chunk.
    Range(TextRange),
}

/// What a check found wrong with one entity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The rule that is not met.
    pub rule: &'static Rule,
    /// What it is about.
    pub part: Part,
    /// As that of a [`Diagnostic`].
    pub message: String,
    /// The other ends.
    pub related: Vec<Related>,
    /// A change after which the fault is gone.
    pub fix: Option<Fix>,
    /// What is missing, where each use of it is a fault.
    pub lack: Option<Lack>,
}

/// What a check returns: nothing is wrong, or the first fault. Boxed because most checks succeed.
pub type Verdict = Result<(), Box<Fault>>;

impl Fault {
    /// About the whole entity.
    pub fn new(rule: &'static Rule, message: impl Into<String>) -> Box<Fault> {
        let (message, related) = (message.into(), Vec::new());
        Box::new(Fault { rule, part: Part::Whole, message, related, fix: None, lack: None })
    }

    /// Narrows the fault to a part.
    pub fn at(mut self: Box<Self>, part: Part) -> Box<Self> {
        self.part = part;
        self
    }

    /// Adds the other end.
    pub fn related(mut self: Box<Self>, place: Place, message: impl Into<String>) -> Box<Self> {
        self.related.push(Related { place, message: message.into() });
        self
    }

    /// Adds a fix.
    pub fn fix(mut self: Box<Self>, fix: Fix) -> Box<Self> {
        self.fix = Some(fix);
        self
    }

    /// As [`Diagnostic::once`].
    pub fn once(self: Box<Self>) -> Box<Self> {
        let lack = Lack::InChunk(self.message.as_str().into());
        self.with_lack(lack)
    }

    /// Says what the chunk or the file lacks.
    pub fn with_lack(mut self: Box<Self>, lack: Lack) -> Box<Self> {
        self.lack = Some(lack);
        self
    }

    /// The finding, at the range of its part.
    #[expect(clippy::boxed_local, reason = "checks return their faults in a box")]
    pub fn diagnostic(self: Box<Self>, range: impl FnOnce(Part) -> TextRange) -> Diagnostic {
        let Fault { rule, part, message, related, fix, lack } = *self;
        Diagnostic { related, fix, lack, ..Diagnostic::new(rule, range(part), message) }
    }
}

/// Fails a check.
pub fn fail(rule: &'static Rule, message: impl Into<String>) -> Verdict {
    Err(Fault::new(rule, message))
}

/// Fails a check at one operand, counted from 0.
pub fn fail_at(rule: &'static Rule, operand: usize, message: impl Into<String>) -> Verdict {
    Err(Fault::new(rule, message).at(Part::Operand(operand)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_messages_are_cut_between_characters() {
        assert_eq!(shortened("a".repeat(2000)).len(), 2000);
        let long = shortened(format!("a{}", "é".repeat(1000)));
        assert_eq!((long.len(), long.ends_with("é ...")), (1999 + 4, true));
    }

    #[test]
    fn edits_that_overlap_are_refused() {
        let edit = |start: u32, end: u32| TextEdit::new(TextRange::new(start.into(), end.into()), "x");
        assert_eq!(TextEdit::apply_all("abcd", &[edit(2, 3), edit(0, 1)]).as_deref(), Some("xbxd"));
        assert_eq!(TextEdit::apply_all("abcd", &[edit(0, 2), edit(1, 3)]), None);
        assert_eq!(TextEdit::apply_all("abcd", &[edit(3, 9)]), None);
    }
}
