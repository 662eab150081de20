//! Everything that can happen to the thread that owns the database.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use lsp_types::{
    Diagnostic, DidChangeTextDocumentParams, DidOpenTextDocumentParams, ExecuteCommandParams, NumberOrString,
    Position, Uri,
};
use serde_json::Value;
use tokio::sync::oneshot;
use tower_lsp::jsonrpc::Result;
use wavelens_base::Finding;
use wavelens_base::includes::Includes;
use wavelens_codegen::passes::PassFilter;
use wavelens_codegen::{Failure, Message, Report, Request, SourceCosts};
use wavelens_ide::features::Assembled;

use super::configuration::Choice;
use super::job::{Job, Outcome};
use super::position::Encoding;
use super::{counterpart, legalization};
use crate::project::Found;
use wavelens_base::configuration::Known;

pub(super) enum Event {
    Initialized(Client),
    Opened(DidOpenTextDocumentParams),
    Changed(DidChangeTextDocumentParams),
    Closed(Uri),
    /// Files that the client watches for us have changed.
    FilesChanged(Vec<Uri>),
    ProjectsFound(ProjectsFound),
    Configured(Value),
    /// The user chose what a document is for.
    Chosen {
        uri: Uri,
        choice: Choice,
    },
    Requested(Question),
    Commanded {
        params: ExecuteCommandParams,
        answer: oneshot::Sender<Result<Option<Value>>>,
    },
    Diagnosed(Diagnosed),
    /// A request for what compilers generate from a document.
    CodeAsked {
        uri: Uri,
        question: CodeQuestion,
        answer: oneshot::Sender<Result<Option<Value>>>,
    },
    /// The other side of a line: its instructions in the ISA that is shown, or what an instruction comes from.
    CounterpartAsked {
        uri: Uri,
        line: u32,
        answer: counterpart::Answer,
    },
    /// The client no longer waits for an answer to such a question.
    CodeTakenBack(Uri),
    /// The user cancelled work whose progress has this token.
    ProgressCancelled(NumberOrString),
    /// A client shows hints or lenses of a document.
    LookedAt(Uri),
    /// A client that does not ask for hints again waits for what compilers make of the document; what is sent does not matter.
    CostsAwaited(Uri, oneshot::Sender<()>),
    Compiled(Compiled),
    LinesFound(LinesFound),
    Tested(Tested),
    IncludesRead(IncludesRead),
    /// A hover wants to say how an instruction is legalized.
    LegalizationAsked {
        request: Request,
        answer: legalization::Answer,
    },
    Legalized {
        request: Request,
        note: Option<String>,
    },
    /// Work on a snapshot ended while requests wait for a thread.
    Freed,
    /// Bytes of memory in use, when they are more than is good.
    Memory(u64),
    /// Nobody asks any more; what was asked is still answered, but no compiler is waited for.
    #[cfg(not(target_family = "wasm"))]
    InputEnded,
    #[cfg(not(target_family = "wasm"))]
    Stop,
}

impl Event {
    /// The document that the user works with, if the event names one.
    pub(super) fn document(&self) -> Option<&Uri> {
        match self {
            Event::Opened(p) => Some(&p.text_document.uri),
            Event::Changed(p) => Some(&p.text_document.uri),
            Event::LookedAt(uri) => Some(uri),
            Event::Requested(question) => question.uri.as_ref(),
            _ => None,
        }
    }
}

/// What `initialize` said.
pub(super) struct Client {
    pub(super) encoding: Encoding,
    pub(super) options: Option<Value>,
    /// The folders of the workspace.
    pub(super) folders: Vec<PathBuf>,
    /// Findings are sent without being asked for.
    pub(super) push: bool,
    /// The client shows progress that the server begins.
    pub(super) progress: bool,
    pub(super) show_document: bool,
    /// The client shows edits that ask for it before it makes them.
    pub(super) confirms_edits: bool,
    /// The client shows Markdown as it is written.
    pub(super) shows_pipes: bool,
    /// The client reports unknown settings and wrong values itself.
    pub(super) checks_settings: bool,
    /// The client does not read a file again that has changed.
    pub(super) keeps_files: bool,
    /// The client opens the files that commands answer with.
    pub(super) shows_files: bool,
    /// The client reports changes of files that the server registers for.
    pub(super) watches: bool,
    /// The client wants `wavelens/isaChanged`.
    pub(super) shows_code: bool,
    pub(super) refreshes: Refreshes,
}

/// What the client requests again when the server asks it to.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Refreshes {
    pub(super) hints: bool,
    pub(super) lenses: bool,
    pub(super) diagnostics: bool,
}

/// A request about a document, or about all of them.
pub(super) struct Question {
    pub(super) uri: Option<Uri>,
    /// It reads the other open documents too.
    pub(super) reads_all: bool,
    /// Version that the document had when the question first arrived.
    pub(super) version: Option<i32>,
    pub(super) job: Box<dyn Job>,
}

/// What a search for project files has found, of each document that it was about.
pub(super) struct ProjectsFound {
    /// The number of the search: a document follows its last one.
    pub(super) search: u64,
    pub(super) found: Vec<FoundFor>,
}

/// What a document's folder says about it.
pub(super) struct FoundFor {
    pub(super) uri: Uri,
    pub(super) project: Option<Arc<Found>>,
    /// The processor that a compiler noted next to the file.
    pub(super) noted: Option<Known<String>>,
}

/// What is to be compiled, and how it is looked at.
pub(super) enum CodeQuestion {
    /// The machine code; of a large module that of the function and what it reaches.
    Isa { function: Option<String> },
    /// What each kernel takes on several processors, at several optimization levels.
    Compare { targets: Vec<String>, levels: Vec<u8> },
    /// What each pass changed.
    Passes(PassFilter),
    /// The Machine IR after a pass.
    RunTo { pass: String },
    /// What each pass did to the value or line at a position.
    Trace { position: Position },
    /// What passes report that they did, or could not do.
    Remarks,
    /// Changes that give kernels more waves or fewer spills, each tried.
    Advise,
}

/// What came of compiling a document.
pub(super) struct Compiled {
    pub(super) uri: Uri,
    pub(super) generation: u64,
    pub(super) took: Duration,
    /// What compiled it, with its version, where that is known.
    pub(super) compiler: Option<String>,
    /// Where the code comes from, if another program compiled the document before.
    pub(super) note: Option<String>,
    /// What each line compiled to, and the whole report.
    pub(super) result: std::result::Result<(Arc<SourceCosts>, Arc<Report>), Failure>,
    /// What the compiler has against the text, by line.
    pub(super) complaints: Vec<Message>,
    /// Another report with source lines follows.
    pub(super) lines_follow: bool,
}

/// A report that says again what one before said, with the source lines that experiments found.
pub(super) struct LinesFound {
    pub(super) uri: Uri,
    pub(super) generation: u64,
    pub(super) result: (Arc<SourceCosts>, Arc<Report>),
}

/// What running a document's RUN lines has found.
pub(super) struct Tested {
    pub(super) uri: Uri,
    pub(super) generation: u64,
    pub(super) findings: Arc<[Finding]>,
}

/// The files that a document includes, where reading them took longer than an edit may wait.
pub(super) struct IncludesRead {
    pub(super) uri: Uri,
    /// Which of the document's questions this answers.
    pub(super) question: u64,
    pub(super) includes: Includes,
}

/// What came of computing a document's findings.
pub(super) struct Diagnosed {
    pub(super) uri: Uri,
    pub(super) generation: u64,
    /// A look at the whole finds more.
    pub(super) checks_whole_later: bool,
    /// They are all that the text's chunks show.
    pub(super) is_all: bool,
    /// With the assembled form of the document, if it was assembled as a whole.
    pub(super) outcome: Outcome<(Vec<Diagnostic>, Option<Assembled>)>,
}
