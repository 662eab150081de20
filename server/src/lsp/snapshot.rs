//! What requests see: a database clone and the documents as they were when the request arrived.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use lsp_types::{Diagnostic, DiagnosticSeverity, NumberOrString, Uri};
use wavelens_base::{TextRange, TextSize};
use wavelens_codegen::{Message, SourceCosts};
use wavelens_ide::db::{File, View};
use wavelens_ide::{Checked, Database};

use super::config::Config;
use super::diagnostics;
use super::document::Complaints;
use super::position::Positions;
use super::runs::Ticket;
use super::tokens::Sent;
use crate::reduce::CRASH;

/// One document of a snapshot.
#[derive(Debug, Clone)]
pub(super) struct DocumentView {
    pub(super) uri: Uri,
    pub(super) version: i32,
    /// Changes with the text and with the settings.
    pub(super) generation: u64,
    pub(super) positions: Positions,
    pub(super) file: File,
    /// Where the last edit was.
    pub(super) edited_line: u32,
    /// What was found in the last state that was checked.
    pub(super) checked: Arc<Mutex<Checked>>,
    pub(super) complaints: Complaints,
    pub(super) costs: Option<Arc<SourceCosts>>,
}

impl DocumentView {
    /// Tells one set of findings and complaints from another.
    pub(super) fn findings_id(&self) -> String {
        format!("{}.{}", self.generation, self.complaints.revision)
    }

    /// Our findings, and a compiler's complaints about the same state where we found no error.
    pub(super) fn with_complaints(&self, mut findings: Vec<Diagnostic>) -> Vec<Diagnostic> {
        let is_wrong = findings.iter().any(|d| d.severity == Some(DiagnosticSeverity::ERROR));
        if self.complaints.generation == self.generation && !is_wrong {
            findings.extend(self.complaints.messages.iter().map(|m| self.complaint(m)));
        }
        if self.complaints.tested == self.generation {
            let found = self.complaints.findings.iter().cloned();
            findings.extend(found.map(|finding| diagnostics::diagnostic(self, finding)));
        }
        findings
    }

    /// A warning over the line that a compiler named, or over the first.
    fn complaint(&self, message: &Message) -> Diagnostic {
        let rope = &self.positions.rope;
        let line = message.line.map_or(0, |l| l as usize).min(rope.len_lines().saturating_sub(1));
        let start = rope.line_to_byte(line);
        let text = rope.line(line).to_string();
        let indent = text.len() - text.trim_start().len();
        let range =
            TextRange::at(TextSize::new((start + indent) as u32), TextSize::new(text.trim().len() as u32));
        Diagnostic {
            range: self.positions.range(range),
            severity: Some(DiagnosticSeverity::WARNING),
            // What a reduction of the file can keep.
            code: self.complaints.crashed.then(|| NumberOrString::String(CRASH.to_owned())),
            source: Some("compiler".to_owned()),
            message: message.text.clone(),
            ..Diagnostic::default()
        }
    }
}

/// While one lives, edits wait, for a moment: nothing that can block is done with one in hand.
pub(super) struct Snapshot {
    pub(super) db: Database,
    /// The one that the request is about, or all open documents.
    pub(super) documents: Vec<DocumentView>,
    /// The one that the request is about.
    current: usize,
    pub(super) config: Arc<Config>,
    pub(super) sent_tokens: Arc<Sent>,
    /// Of the workspace.
    pub(super) folders: Vec<PathBuf>,
    /// What is said about the document instead of findings, if it is left alone.
    pub(super) notice: Vec<Diagnostic>,
    // The last field: the run ends when the database is given back.
    ticket: Ticket,
}

impl Snapshot {
    pub(super) fn new(
        db: Database,
        documents: Vec<DocumentView>,
        current: usize,
        config: Arc<Config>,
        sent_tokens: Arc<Sent>,
        ticket: Ticket,
    ) -> Self {
        let (folders, notice) = (Vec::new(), Vec::new());
        Snapshot { db, documents, current, config, sent_tokens, folders, notice, ticket }
    }

    /// Work on it begins, in this thread.
    pub(super) fn start(&self) {
        self.ticket.start();
        if let Some(document) = self.document() {
            super::testing::hang_if_asked(&document.positions.rope);
        }
    }

    /// The document that the request is about; `None` for requests about all of them, and for a document that is not open.
    pub(super) fn document(&self) -> Option<&DocumentView> {
        self.documents.get(self.current)
    }

    pub(super) fn view(&self, document: &DocumentView) -> View<'_> {
        View::new(&self.db, document.file)
    }
}
