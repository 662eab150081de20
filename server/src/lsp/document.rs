//! Open documents, as the thread that owns the database keeps them.

use std::sync::{Arc, Mutex};

use lsp_types::{
    Diagnostic, DiagnosticSeverity, NumberOrString, TextDocumentContentChangeEvent, TextDocumentItem, Uri,
};
use ropey::Rope;
use wavelens_base::configuration::Known;
use wavelens_base::includes::Includes;
use wavelens_base::{Dialect, Finding, Options, TextRange, TextSize};
use wavelens_check::dialect::includes_files;
use wavelens_codegen::{Message, SourceCosts};
use wavelens_ide::{Checked, Database, Document, Edit};

use super::config::Config;
use super::configuration::Choice;
use super::position::{Encoding, Positions};
use super::snapshot::DocumentView;
use super::uri;
use crate::clock::Instant;
use crate::project::Found;

/// Edits in one message that are made one by one. Each moves the places of all chunks after it: more are made as one edit from the first
/// place to the last, which reads what is between them once.
const FEW: usize = 32;

/// Bytes of a line that is taken to name a file to include without a look at it.
const LONG_LINE: usize = 64 << 10;

/// An open document: its text as a rope for positions, as chunks in the database for meaning.
pub(super) struct OpenDocument {
    pub(super) uri: Uri,
    pub(super) version: i32,
    pub(super) dialect: Dialect,
    pub(super) positions: Positions,
    pub(super) document: Document,
    /// Counts edits and changes of settings; findings of an older state are stale.
    pub(super) generation: u64,
    pub(super) diagnosis: Diagnosis,
    /// Nothing has been published yet.
    pub(super) is_new: bool,
    /// What the last check found, for the next.
    checked: Arc<Mutex<Checked>>,
    /// Where the last edit was.
    pub(super) edited_line: Option<u32>,
    /// The findings of the state that was last published.
    pub(super) findings: Vec<Diagnostic>,
    pub(super) complaints: Complaints,
    /// The files that it includes.
    pub(super) includes: Includes,
    /// How often they were read; an answer to an earlier question is not used.
    pub(super) includes_asked: u64,
    /// Until when requests and checks wait for them to be read.
    pub(super) awaits_includes: Option<Instant>,
    /// An edit may have changed which files those are.
    pub(super) names_files: bool,
    /// How often its work had to be abandoned since it was last edited.
    pub(super) strikes: u8,
    /// How often work on another document ended its check since that last came to an end.
    pub(super) interruptions: u8,
    /// Why it is not checked, and no request about it answered.
    pub(super) quarantine: Option<Quarantine>,
    /// Held by a thread that looks at it as a whole.
    pub(super) whole_check: Arc<()>,
    /// What a compiler made of it, when it is looked at; lines are the current ones as far as edits can be followed. No query reads
    /// it: setting it ends none.
    pub(super) costs: Option<Arc<SourceCosts>>,
    /// Until when requests and checks wait for its project file to be found.
    pub(super) awaits_project: Option<Instant>,
    /// What the user chose for it.
    pub(super) choice: Choice,
    /// The project file that it belongs to.
    pub(super) project: Option<Arc<Found>>,
    /// The processor that a compiler noted next to it.
    pub(super) noted: Option<Known<String>>,
    /// The last search for that.
    pub(super) search: u64,
}

/// What a compiler said against a document, and what running its RUN lines has found.
#[derive(Debug, Clone, Default)]
pub(super) struct Complaints {
    /// The state that it was given.
    pub(super) generation: u64,
    /// Changes with what was said.
    pub(super) revision: u64,
    pub(super) messages: Arc<[Message]>,
    /// They say that the compiler crashed.
    pub(super) crashed: bool,
    /// The state whose RUN lines were run.
    pub(super) tested: u64,
    pub(super) findings: Arc<[Finding]>,
}

/// Why a document is left alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Quarantine {
    /// Work on it did not end.
    Endless,
    /// All memory was in use.
    Memory,
}

impl Quarantine {
    /// What is said about a document.
    pub(super) fn sentence(self) -> &'static str {
        match self {
            Quarantine::Endless => {
                "this document is not checked: checking it takes too long; it is tried again after an edit"
            }
            Quarantine::Memory => {
                "this document is not checked: the memory limit is reached; it is tried again after an edit once other documents are closed"
            }
        }
    }
}

/// How far the findings of the current state are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Diagnosis {
    /// To be computed at this time.
    Due(Instant),
    Running,
    /// Running apart from the database: only an edit of this document makes it stale.
    Apart,
    Published,
    /// Published, and to be looked at as a whole at this time.
    WholeDue(Instant),
    /// Those around the edit are published, all of them are to be at this time.
    Completing(Instant),
}

impl OpenDocument {
    pub(super) fn new(
        db: &mut Database,
        opened: TextDocumentItem,
        dialect: Dialect,
        encoding: Encoding,
        options: Options,
    ) -> Self {
        let TextDocumentItem { uri, version, ref text, .. } = opened;
        OpenDocument {
            uri,
            version,
            dialect,
            positions: Positions { rope: Rope::from_str(text), encoding },
            document: Document::new(db, dialect, text, options),
            generation: 0,
            diagnosis: Diagnosis::Due(Instant::now()),
            is_new: true,
            checked: Arc::default(),
            edited_line: None,
            findings: Vec::new(),
            complaints: Complaints::default(),
            includes: Includes::default(),
            names_files: includes_files(dialect) && text.contains(".inc"),
            includes_asked: 0,
            awaits_includes: None,
            strikes: 0,
            interruptions: 0,
            quarantine: None,
            whole_check: Arc::default(),
            costs: None,
            awaits_project: None,
            choice: Choice::default(),
            project: None,
            noted: None,
            search: 0,
        }
    }

    /// The settings for this document, with those of its project and the user's choice.
    pub(super) fn options(&self, config: &Config) -> Options {
        let mut options = config.options.clone();
        let project = self.project.as_ref().and_then(|found| found.project.as_ref());
        if let (Some(project), Some(path)) = (project, uri::path(self.uri.as_str())) {
            options = project.apply(&path, &options);
        }
        if let Some(noted) = &self.noted {
            options.fallback.target = Some(noted.clone());
        }
        let Choice { target, target_env, run_line } = self.choice.clone();
        Options {
            target,
            target_env,
            run: run_line,
            is_chosen: true,
            includes: self.includes.clone(),
            ..options
        }
    }

    /// Whether it may name files to include.
    pub(super) fn may_include(&self) -> bool {
        includes_files(self.dialect)
    }

    /// When its files are known, or no longer waited for.
    pub(super) fn is_ready_at(&self) -> Option<Instant> {
        self.awaits_project.max(self.awaits_includes)
    }

    /// Puts the first check off until its files are known: without them it would report what is not so.
    pub(super) fn check_when_ready(&mut self) {
        if self.is_new && matches!(self.diagnosis, Diagnosis::Due(_)) {
            self.diagnosis = Diagnosis::Due(self.is_ready_at().unwrap_or_else(Instant::now));
        }
    }

    /// Moves into a new database. There it has no text while it is left alone.
    pub(super) fn rebuild(&mut self, db: &mut Database, options: Options) {
        let text = if self.quarantine.is_none() { self.positions.rope.to_string() } else { String::new() };
        self.document = Document::new(db, self.dialect, &text, options);
        self.checked = Arc::default();
    }

    /// Takes over changes. The text is complete before the database sees any of them: a panic there leaves the text as the client has it.
    pub(super) fn change(&mut self, db: &mut Database, mut changes: Vec<TextDocumentContentChangeEvent>) {
        // What is before a whole text is gone with it.
        if let Some(whole) = changes.iter().rposition(|change| change.range.is_none()) {
            changes.drain(..whole);
        }
        let mut edits: Vec<Edit> =
            changes.into_iter().filter_map(|change| self.change_text(change)).collect();
        if edits.len() > FEW {
            edits = self.as_one(&edits).into_iter().collect();
        }
        if self.quarantine.is_some() {
            return;
        }
        super::testing::panic_if_asked(&self.positions.rope);
        for edit in edits {
            self.document.edit(db, &edit);
        }
    }

    fn change_text(&mut self, change: TextDocumentContentChangeEvent) -> Option<Edit> {
        let edit = match change.range {
            Some(range) => Edit { range: self.positions.text_range(range), text: change.text },
            None => self.difference(&change.text),
        };
        if edit.range.is_empty() && edit.text.is_empty() {
            return None;
        }
        let rope = &self.positions.rope;
        let line = |at: TextSize| rope.byte_to_line(usize::from(at).min(rope.len_bytes())) as u32;
        let (first, last) = (line(edit.range.start()), line(edit.range.end()));
        let added = edit.text.bytes().filter(|b| *b == b'\n').count() as u32;
        self.edited_line = Some(first);
        self.names_files = self.names_files || self.name_files(first, last);
        // Most edits move no line: what others hold too is not copied for them.
        if let Some(costs) = self.costs.as_mut().filter(|_| added != last - first) {
            Arc::make_mut(costs).shift(first, last - first, added);
        }
        self.positions.replace(edit.range, &edit.text);
        self.names_files = self.names_files || self.name_files(first, first + added);
        Some(edit)
    }

    /// One edit that does what these did, one after another, to the text before them. The text is the one after them.
    fn as_one(&self, edits: &[Edit]) -> Option<Edit> {
        let first = edits.first()?;
        // From where to where the text is another one, in the text as it is after each edit, and how many bytes it has more than before.
        let (mut start, mut end) = (usize::from(first.range.start()), usize::from(first.range.start()));
        let mut grown = 0;
        for Edit { range, text } in edits {
            let (from, to) = (usize::from(range.start()), usize::from(range.end()));
            start = start.min(from);
            end = end.max(to) - to + from + text.len();
            grown += text.len() as isize - (to - from) as isize;
        }
        let range = TextRange::new(
            TextSize::new(start as u32),
            TextSize::new(end.saturating_add_signed(-grown).max(start) as u32),
        );
        Some(Edit { range, text: self.positions.rope.byte_slice(start..end).to_string() })
    }

    /// Whether some line may name a file to include. A long line is not searched at each edit.
    fn name_files(&self, first: u32, last: u32) -> bool {
        let rope = &self.positions.rope;
        self.may_include()
            && (first..=last).any(|line| {
                let line = rope.get_line(line as usize);
                line.is_some_and(|l| l.len_bytes() > LONG_LINE || l.to_string().contains(".inc"))
            })
    }

    /// The smallest edit that makes the text `new`: for clients that send whole texts.
    fn difference(&self, new: &str) -> Edit {
        let old = self.positions.rope.to_string();
        let mut front = old.bytes().zip(new.bytes()).take_while(|(a, b)| a == b).count();
        while !old.is_char_boundary(front) || !new.is_char_boundary(front) {
            front -= 1;
        }
        let (old_rest, new_rest) = (&old.as_bytes()[front..], &new.as_bytes()[front..]);
        let mut back = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(|(a, b)| a == b).count();
        while !old.is_char_boundary(old.len() - back) || !new.is_char_boundary(new.len() - back) {
            back -= 1;
        }
        let range = TextRange::new(TextSize::new(front as u32), TextSize::new((old.len() - back) as u32));
        Edit { range, text: new.get(front..new.len() - back).unwrap_or("").to_owned() }
    }

    /// What is published: our findings, and what a compiler said.
    pub(super) fn diagnostics(&self) -> Vec<Diagnostic> {
        if let Some(quarantine) = self.quarantine {
            return vec![Diagnostic {
                severity: Some(DiagnosticSeverity::WARNING),
                code: Some(NumberOrString::String("not-checked".to_owned())),
                source: Some("wavelens".to_owned()),
                message: quarantine.sentence().to_owned(),
                ..Diagnostic::default()
            }];
        }
        self.view().with_complaints(self.findings.clone())
    }

    pub(super) fn view(&self) -> DocumentView {
        DocumentView {
            uri: self.uri.clone(),
            version: self.version,
            generation: self.generation,
            positions: self.positions.clone(),
            file: self.document.file(),
            edited_line: self.edited_line.unwrap_or(0),
            checked: self.checked.clone(),
            complaints: self.complaints.clone(),
            costs: self.costs.clone(),
        }
    }
}
