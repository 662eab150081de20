//! What must hold for every text, good or damaged: shared by the tests with random edits and by the fuzz targets.

use wavelens_base::{Dialect, Finding, Options, TextRange, TextSize};
use wavelens_check::check_text;
use wavelens_ide::db::{View, checks_whole_later};
use wavelens_ide::features;
use wavelens_ide::{Checked, Database, Document};

/// The trees of a file's chunks give the file back, byte for byte.
pub fn lossless(dialect: Dialect, text: &str) {
    let mut db = Database::default();
    let document = Document::new(&mut db, dialect, text, Options::default());
    let view = View::new(&db, document.file());
    let trees: String = view.chunks().iter().map(|c| view.green(*c).to_string()).collect();
    assert_eq!(trees, text);
}

/// Checks a text from scratch; every finding and every edit of a fix is inside the text.
pub fn check(dialect: Dialect, text: &str, options: &Options) -> Vec<Finding> {
    let findings = check_text(dialect, text, options);
    for finding in &findings {
        inside(text, finding.range, "finding");
        finding.related.iter().for_each(|r| inside(text, r.range, "related place"));
        let fixes = finding.fix.iter().flat_map(|f| &f.edits);
        fixes.for_each(|e| inside(text, e.range, "edit of a fix"));
    }
    findings
}

/// A document that was edited to `text` has the chunks, the trees and the findings of one opened with `text`.
///
/// `checked` is what was found before its last edits.
pub fn equals_scratch(
    db: &mut Database,
    document: &mut Document,
    checked: &mut Checked,
    dialect: Dialect,
    text: &str,
) {
    let view = View::new(db, document.file());
    assert_eq!(view.whole_text(), text);
    let chunks: Vec<&str> = view.chunks().iter().map(|c| view.text(*c)).collect();
    let split = wavelens_syntax::split(dialect, text);
    let split: Vec<&str> = split.iter().map(|s| &text[std::ops::Range::<usize>::from(s.range)]).collect();
    assert_eq!(chunks, split);
    let trees: String = view.chunks().iter().map(|c| view.green(*c).to_string()).collect();
    assert_eq!(trees, text);
    let fresh = Document::new(db, dialect, text, Options::default());
    let chunks = Checked::default().chunk_findings(db, fresh.file());
    assert_eq!(checked.chunk_findings(db, document.file()), chunks, "{text}");
    // Until a large file of assembly has been looked at as a whole less is known.
    let scratch = match checks_whole_later(db, document.file()) {
        true => chunks,
        false => check_text(dialect, text, &Options::default()),
    };
    assert_eq!(checked.findings(db, document.file()), scratch, "{text}");
}

fn inside(text: &str, range: TextRange, what: &str) {
    assert!(
        text.get(std::ops::Range::<usize>::from(range)).is_some(),
        "{what}: {range:?} is not in the text of {} bytes\n{text}",
        text.len()
    );
}

/// Every answer about one place: none panics, and all ranges are inside the text.
pub fn answers_at(view: View<'_>, text: &str, at: usize) {
    let offset = TextSize::new(at as u32);
    let inside = |range: TextRange, what: &str| inside(text, range, what);
    if let Some(hover) = features::hover(view, offset) {
        inside(hover.range, "hover");
        assert!(!hover.markdown.is_empty());
    }
    for target in features::definition(view, offset).into_iter().chain(features::declaration(view, offset)) {
        inside(target.range, "definition");
        inside(target.origin, "origin of a definition");
    }
    features::references(view, offset, true).into_iter().for_each(|r| inside(r, "reference"));
    features::highlights(view, offset).into_iter().for_each(|(r, _)| inside(r, "highlight"));
    if let Some((range, _)) = features::prepare_rename(view, offset) {
        inside(range, "rename");
        let edits = features::rename(view, offset, "renamed_by_a_test").unwrap_or_default();
        assert!(edits.windows(2).all(|w| w[0].range.end() <= w[1].range.start()), "{edits:?}\n{text}");
        edits.into_iter().for_each(|e| inside(e.range, "rename edit"));
    }
    features::complete(view, offset).items.into_iter().for_each(|c| inside(c.range, "completion"));
    if let Some(signature) = features::signature(view, offset) {
        let parameters = signature.parameters.into_iter();
        parameters.for_each(|p| assert!(signature.label.get(p).is_some(), "{}", signature.label));
    }
    let selections = features::selection_ranges(view, offset);
    assert!(selections.windows(2).all(|w| w[1].contains_range(w[0])), "{selections:?}");
    for action in features::actions(view, TextRange::empty(offset)) {
        action.edits.into_iter().for_each(|e| inside(e.range, "action"));
    }
    for item in features::call_items(view, offset) {
        inside(item.range, "call item");
        assert!(item.range.contains_range(item.selection), "{item:?}");
    }
    features::incoming_calls(view, offset).into_iter().flat_map(|c| c.ranges).for_each(|r| inside(r, "call"));
    features::outgoing_calls(view, offset).into_iter().flat_map(|c| c.ranges).for_each(|r| inside(r, "call"));
    if let Some(flow) = features::flow(view, offset) {
        flow.nodes.iter().for_each(|n| inside(n.range, "block"));
        assert!(flow.edges.iter().all(|e| e.from < flow.nodes.len() && e.to < flow.nodes.len()));
    }
}

/// Every answer about the whole file, likewise.
pub fn answers(view: View<'_>, text: &str) {
    let inside = |range: TextRange, what: &str| inside(text, range, what);
    fn symbols(list: &[features::Symbol], inside: &dyn Fn(TextRange, &str)) {
        for symbol in list {
            inside(symbol.range, "symbol");
            assert!(symbol.range.contains_range(symbol.selection), "{symbol:?}");
            symbols(&symbol.children, inside);
        }
    }
    symbols(&features::outline(view), &inside);
    features::folds(view).into_iter().for_each(|f| inside(f.range, "fold"));
    let whole = TextRange::up_to(TextSize::of(text));
    features::hints(view, whole).into_iter().for_each(|h| inside(TextRange::empty(h.offset), "hint"));
    let tokens = features::tokens(view, whole);
    tokens.iter().for_each(|t| inside(t.range, "token"));
    let overlap = tokens.windows(2).find(|w| w[0].range.end() > w[1].range.start());
    assert!(overlap.is_none(), "tokens overlap: {overlap:?}\n{text}");
}
