//! Suggestions while typing.

use wavelens_base::{TextEdit, TextRange};

/// What a suggestion is, in the words editors have icons for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CompletionKind {
    /// The name of an instruction.
    Opcode,
    /// A word of the language.
    Keyword,
    /// A type.
    Type,
    /// A function of the module.
    Function,
    /// A global variable.
    Variable,
    /// A value of the function.
    Local,
    /// A basic block.
    Label,
    /// An attribute or decoration.
    Attribute,
    /// A metadata node.
    Metadata,
    /// A register of the machine.
    Register,
    /// A named constant.
    Constant,
    /// A piece of text with places to fill in.
    Snippet,
}

/// One suggestion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completion {
    /// What is listed.
    pub label: String,
    /// What it is.
    pub kind: CompletionKind,
    /// A short addition on the same line, such as the type.
    pub detail: String,
    /// Markdown; may be empty.
    pub documentation: String,
    /// What the suggestion replaces; holds the cursor.
    pub range: TextRange,
    /// What is written instead of the range.
    pub insert: String,
    /// Whether `insert` has `$1` and `${1:name}` places.
    pub snippet: bool,
    /// Order among suggestions, lowest first.
    pub rank: u8,
    /// What else changes in the file when the suggestion is accepted, in offsets of the file.
    pub also: Vec<TextEdit>,
}

impl Completion {
    /// A suggestion that inserts its label.
    pub fn new(kind: CompletionKind, range: TextRange, label: impl Into<String>) -> Self {
        let label = label.into();
        Completion {
            insert: label.clone(),
            label,
            kind,
            detail: String::new(),
            documentation: String::new(),
            range,
            snippet: false,
            rank: 50,
            also: Vec::new(),
        }
    }

    /// Adds to the line of the list.
    pub fn detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = detail.into();
        self
    }

    /// Adds what is shown next to the list.
    pub fn documentation(mut self, markdown: impl Into<String>) -> Self {
        self.documentation = markdown.into();
        self
    }

    /// Adds changes elsewhere in the file.
    pub fn also(mut self, edits: impl IntoIterator<Item = TextEdit>) -> Self {
        self.also.extend(edits);
        self
    }

    /// Sets the place in the list, lowest first.
    pub fn rank(mut self, rank: u8) -> Self {
        self.rank = rank;
        self
    }

    /// Inserts another text than the label.
    pub fn insert(mut self, text: impl Into<String>) -> Self {
        self.insert = text.into();
        self
    }

    /// Inserts a text with places to fill in.
    pub fn snippet(mut self, text: impl Into<String>) -> Self {
        self.insert = text.into();
        self.snippet = true;
        self
    }
}

/// Suggestions, best first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Completions {
    /// The suggestions.
    pub items: Vec<Completion>,
    /// There are more than [`LIMIT`]: ask again when more is typed.
    pub incomplete: bool,
}
