//! Hints between the words of a text.

use wavelens_base::TextSize;

/// What a hint says; each kind can be switched off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HintKind {
    /// The type of a value.
    Type,
    /// The name of a parameter.
    Parameter,
    /// A decoded constant, a name for a number, fields of a wait.
    Note,
    /// Where in the source it comes from.
    Place,
    /// The name in the source of a mangled symbol.
    Demangled,
    /// The field or element that an address selects.
    Access,
    /// How often something is executed, from a profile.
    Profile,
    /// The values that an integer can have.
    Range,
    /// The type of an access, for alias analysis.
    AccessType,
    /// What metadata asks of a loop's transformations.
    LoopHints,
    /// Predecessors of a block, and its place in loops and selections.
    Block,
    /// Decorations of an id, and offsets of members.
    Decoration,
    /// Live registers.
    Live,
    /// Live registers of each line.
    LiveCount,
    /// Bytes of an instruction.
    Encoding,
    /// How far a branch goes.
    Distance,
}

/// A small text shown in the line that is not in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hint {
    /// Where it is shown: before the byte at this offset.
    pub offset: TextSize,
    /// The text that is shown.
    pub label: String,
    /// Markdown; may be empty.
    pub tooltip: String,
    /// What it says.
    pub kind: HintKind,
    /// It repeats what the text says, or is so frequent that it hides the text: left out unless all hints are wanted.
    pub is_minor: bool,
}

impl Hint {
    /// A hint that is shown unless its kind is switched off.
    pub(crate) fn new(offset: TextSize, label: impl Into<String>, kind: HintKind) -> Self {
        Hint { offset, label: label.into(), tooltip: String::new(), kind, is_minor: false }
    }

    /// Adds what is shown under the mouse.
    pub(crate) fn tooltip(self, markdown: impl Into<String>) -> Self {
        Hint { tooltip: markdown.into(), ..self }
    }

    /// One that is left out, under a condition, unless all hints are wanted.
    pub(crate) fn minor_if(self, is_minor: bool) -> Self {
        Hint { is_minor, ..self }
    }
}
