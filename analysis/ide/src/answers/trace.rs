//! The history of a value or a line: what is asked, and what a dialect reads of a function at one point.

use rustc_hash::FxHashMap;

/// What the user asks about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TraceQuery {
    /// A value by its name; `%` may be omitted.
    Value(String),
    /// A line, counted from 0.
    Line(u32),
}

/// How much is added to the text for the trace. The additions change no code, but that is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Additions {
    /// Names for values without one, a debug value, and locations.
    All,
    /// Locations alone.
    Locations,
}

/// What is traced, and the text that is compiled for it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Subject {
    /// The function, without sigil.
    pub function: String,
    /// The value, as the user's text names it.
    pub value: Option<String>,
    /// The value, as the compiled text names it.
    pub name: Option<String>,
    /// The line that defines it, counted from 0; none for an argument.
    pub line: Option<u32>,
    /// The line is asked about: all that has its location belongs to it, and not only what computes the value.
    pub(crate) by_line: bool,
    /// The states are a dump's: they have neither locations nor debug values of ours.
    pub(crate) in_dump: bool,
    /// The text to compile.
    pub text: String,
    /// The states before the first pass, where the compiler prints none.
    pub(crate) start: Option<State>,
}

/// What the compiler's output says about a function at one point.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct State {
    pub(crate) items: Vec<Item>,
    /// What the debug value says that the traced value is, with the number of the next instruction; several after its code is
    /// duplicated.
    pub(crate) carriers: Vec<(usize, Carrier)>,
}

/// An instruction.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Item {
    pub(crate) block: String,
    /// Without metadata.
    pub(crate) text: String,
    /// The text without what changes by itself: numbers of unnamed values, flags of liveness.
    pub(crate) key: String,
    /// Names and registers that it defines.
    pub(crate) defines: Vec<String>,
    /// Names and registers that it reads.
    pub(crate) uses: Vec<String>,
    /// Line of the user's text, counted from 0.
    pub(crate) line: Option<u32>,
}

/// The operand of a debug value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Carrier {
    /// It is this value or register.
    Value(String),
    Constant(String),
    /// It can be computed from this.
    Computed(String),
    /// It is what this instruction computes: found by its location, where debug values are missing.
    Item(usize),
}

/// Numbers of metadata in what a tool prints.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Numbers {
    /// Lines of locations, counted from 0.
    pub(crate) lines: FxHashMap<u32, u32>,
    /// The variable of the debug value.
    pub(crate) variable: Option<u32>,
    /// What the header of the function refers to, which shows whether the numbers still hold.
    pub(crate) subprogram: Option<String>,
}

/// Name of the variable whose debug value is the traced one.
pub(crate) const VARIABLE: &str = "wavelens.traced";

impl TraceQuery {
    /// The only one of what functions have of it.
    ///
    /// # Errors
    /// One sentence, when none or several have it.
    pub(crate) fn only<T>(&self, mut found: Vec<T>, name: impl Fn(&T) -> String) -> Result<T, String> {
        match (found.pop(), found.is_empty()) {
            (Some(only), true) => Ok(only),
            (Some(last), false) => {
                let names: Vec<String> =
                    found.iter().chain([&last]).map(|f| format!("`{}`", name(f))).collect();
                let names = names.join(", ");
                Err(format!("several functions define it: {names}; choose one with `--function`"))
            }
            (None, _) => Err(match self {
                TraceQuery::Value(name) => {
                    format!("no function defines the value `%{}`", name.trim_start_matches('%'))
                }
                TraceQuery::Line(line) => format!("line {} is not an instruction of a function", line + 1),
            }),
        }
    }
}

#[cfg(test)]
impl State {
    /// A line for each instruction.
    pub(crate) fn dump(&self) -> String {
        let line = |i: &Item| {
            format!("{} | {} | {} | {:?} {:?} | {:?}\n", i.block, i.text, i.key, i.defines, i.uses, i.line)
        };
        self.items.iter().map(line).collect()
    }
}
