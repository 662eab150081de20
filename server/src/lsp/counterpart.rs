//! From a line of a document to its instructions in the generated ISA that is shown, and back: *Go to Implementation* of every editor.

use lsp_types::{Location, Position, Range, Uri};
use tokio::sync::oneshot;
use tower_lsp::jsonrpc::{Error, Result};
use wavelens_codegen::IsaLine;

use super::compilers::Watched;
use super::state::State;
use super::uri;
use crate::file_uri::file_uri;

/// Where the answer goes.
pub(super) type Answer = oneshot::Sender<Result<Vec<Location>>>;

/// Answers at once: nothing is compiled for it.
pub(super) fn asked(state: &State, uri: &Uri, line: u32, answer: Answer) {
    let found = find(state, uri, line).ok_or_else(|| {
        Error::invalid_params("the generated ISA of this file is not shown: run Show Generated ISA first")
    });
    let _ = answer.send(found);
}

fn find(state: &State, uri: &Uri, line: u32) -> Option<Vec<Location>> {
    let path = uri::path(uri.as_str());
    // Links lead to the folder of views on some systems.
    let resolved = path.as_ref().and_then(|path| path.canonicalize().ok());
    state.compilers.watched.iter().find_map(|watched| {
        let file = watched.file.as_ref()?;
        let lines = &watched.report.as_ref()?.lines;
        let starts = watched.code_starts();
        if watched.uri == *uri {
            let view: Uri = file_uri(file).parse().ok()?;
            let runs = instructions(lines, line).into_iter();
            return Some(runs.map(|(first, last)| place(&view, first + starts, last + starts)).collect());
        }
        let is_view =
            path.as_ref() == Some(file) || resolved.is_some() && resolved == file.canonicalize().ok();
        is_view.then(|| {
            let source = line.checked_sub(starts).and_then(|line| source(lines, line));
            source.map(|line| place(&watched.uri, line, line)).into_iter().collect()
        })
    })
}

/// The first and last lines of the instructions of a line, or of the nearest line that has instructions.
fn instructions(lines: &[IsaLine], line: u32) -> Vec<(u32, u32)> {
    let Some(nearest) = lines.iter().filter_map(|l| l.source).min_by_key(|source| source.abs_diff(line))
    else {
        return Vec::new();
    };
    let runs = lines.chunk_by(|a, b| a.source == b.source).filter(|run| run[0].source == Some(nearest));
    runs.filter_map(|run| Some((run.first()?.line, run.last()?.line))).collect()
}

/// The line that an instruction comes from; that of the nearest instruction that has one.
fn source(lines: &[IsaLine], line: u32) -> Option<u32> {
    lines.iter().filter(|l| l.source.is_some()).min_by_key(|l| l.line.abs_diff(line))?.source
}

fn place(uri: &Uri, first: u32, last: u32) -> Location {
    let range = Range::new(Position::new(first, 0), Position::new(last, 0));
    Location { uri: uri.clone(), range }
}

impl Watched {
    /// The line of the view's file where the code starts, after what is said about it.
    pub(super) fn code_starts(&self) -> u32 {
        u32::try_from(self.head().lines().count()).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code() -> Vec<IsaLine> {
        let line = |line, source| IsaLine { line, source, ..IsaLine::default() };
        vec![line(3, Some(7)), line(4, Some(7)), line(5, None), line(6, Some(9)), line(8, Some(7))]
    }

    #[test]
    fn a_line_has_its_runs_of_instructions() {
        assert_eq!(instructions(&code(), 7), [(3, 4), (8, 8)]);
        assert_eq!(instructions(&code(), 20), [(6, 6)], "the nearest line that has some");
        assert_eq!(instructions(&[], 1), []);
    }

    #[test]
    fn an_instruction_has_its_line() {
        assert_eq!(source(&code(), 6), Some(9));
        assert_eq!(source(&code(), 0), Some(7), "the nearest instruction");
        assert_eq!(source(&[], 1), None);
    }
}
