//! What is asked of a compiler, and what it answered: plain data.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// What language the text of a request is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Source {
    LlvmIr,
    Mir,
    Assembly,
}

/// One compilation. Equal requests give equal reports.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Request {
    pub source: Source,
    /// The text for the compiler. Its debug locations carry the lines of the user's text, counted from 1.
    pub text: String,
    /// `gfx1100` and the like.
    pub target: String,
    /// 0 to 3.
    pub opt_level: u8,
    /// Flags beyond the usual, from a fixed list of harmless ones.
    pub flags: Vec<String>,
}

/// A compiler's answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
pub struct Report {
    /// Assembly without line directives and debug sections.
    pub isa: String,
    /// Pairs of a line of `isa` and the line of the user's text it came from; both count from 0, ascending in the first.
    pub line_map: Vec<(u32, u32)>,
    /// In the order of the assembly.
    pub kernels: Vec<KernelResources>,
    pub messages: Vec<Message>,
    /// The command, as one could type it.
    pub command: String,
    /// Milliseconds that the compiler ran.
    pub milliseconds: u64,
}

/// What one kernel or function takes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
pub struct KernelResources {
    pub name: String,
    pub vgprs: u32,
    pub agprs: u32,
    pub sgprs: u32,
    pub vgpr_spills: u32,
    pub sgpr_spills: u32,
    /// Bytes per lane.
    pub scratch: u32,
    /// Bytes per workgroup.
    pub lds: u32,
    /// Bytes.
    pub code_size: u32,
    /// Waves per SIMD.
    pub occupancy: u32,
}

/// Something the compiler said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// Line of the user's text, counted from 0, where the compiler named one.
    pub line: Option<u32>,
    pub is_error: bool,
    pub text: String,
}

/// Why there is no report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Failure {
    /// No tool: the sentence says what to install.
    NoTool(String),
    /// The input was refused.
    Rejected(Vec<Message>),
    /// The compiler died; the function it was at, if it said so.
    Crashed {
        reason: String,
        function: Option<String>,
    },
    TimedOut,
    TooMuchOutput,
    Cancelled,
    NotStarted {
        program: PathBuf,
        reason: String,
    },
}

impl Failure {
    /// One sentence for the user.
    pub fn sentence(&self) -> String {
        match self {
            Failure::NoTool(what) => what.clone(),
            Failure::Rejected(messages) => match messages.first() {
                Some(m) => format!("the compiler refused the input: {}", m.text),
                None => "the compiler refused the input".to_owned(),
            },
            Failure::Crashed { reason, function: Some(f) } => {
                format!("the compiler crashed in `{f}`: {reason}")
            }
            Failure::Crashed { reason, function: None } => format!("the compiler crashed: {reason}"),
            Failure::TimedOut => "the compiler took too long and was stopped".to_owned(),
            Failure::TooMuchOutput => "the compiler wrote too much and was stopped".to_owned(),
            Failure::Cancelled => "cancelled".to_owned(),
            Failure::NotStarted { program, reason } => format!("{}: {reason}", program.display()),
        }
    }
}
