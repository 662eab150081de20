//! What a rule says about a place in a file.

use rowan::TextRange;

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    Error,
    Warning,
    Info,
    Hint,
}

/// One kind of finding: its stable code and what `wavelens explain CODE` says. Each rule's file holds its own.
#[derive(Debug)]
pub struct Rule {
    /// Stable, kebab-case, unique over all dialects that mean different things by it.
    pub code: &'static str,
    pub severity: Severity,
    /// Markdown: what is wrong, why the rule exists, a smallest example, the source of the rule.
    pub explain: &'static str,
}

impl PartialEq for Rule {
    fn eq(&self, other: &Self) -> bool {
        self.code == other.code
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
    Item { chunk: ChunkId, item: u32 },
    /// In a file that this one includes, by its number among those.
    Included { file: u32, range: TextRange },
}

/// The other end of a finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Related {
    pub place: Place,
    pub message: String,
}

/// One replacement of text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextEdit {
    pub range: TextRange,
    pub text: String,
}

impl TextEdit {
    pub fn new(range: TextRange, text: impl Into<String>) -> Self {
        TextEdit { range, text: text.into() }
    }
}

/// A change that mends the finding.
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
    Unnecessary,
    Deprecated,
}

/// One finding. Ranges are relative to the chunk that was checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    pub rule: &'static Rule,
    pub severity: Severity,
    pub range: TextRange,
    pub message: String,
    pub related: Vec<Related>,
    pub fix: Option<Fix>,
    pub tag: Option<Tag>,
}

impl Diagnostic {
    pub fn new(rule: &'static Rule, range: TextRange, message: impl Into<String>) -> Self {
        Diagnostic {
            rule,
            severity: rule.severity,
            range,
            message: message.into(),
            related: Vec::new(),
            fix: None,
            tag: None,
        }
    }

    /// Adds the other end.
    pub fn related(mut self, place: Place, message: impl Into<String>) -> Self {
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

    /// Gives a finding that is already reported a fix.
    pub fn set_fix(&mut self, title: impl Into<String>, edits: Vec<TextEdit>) {
        self.fix = Some(Fix { title: title.into(), certain: true, edits });
    }

    /// Gives a finding that is already reported a fix that is only likely to be meant.
    pub fn set_guess(&mut self, title: impl Into<String>, edits: Vec<TextEdit>) {
        self.fix = Some(Fix { title: title.into(), certain: false, edits });
    }

    pub fn tag(mut self, tag: Tag) -> Self {
        self.tag = Some(tag);
        self
    }
}
