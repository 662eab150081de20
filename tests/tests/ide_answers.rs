//! Every answer for editors at random places of good and damaged files: none panics, and all ranges lie in the file.

use wavelens_analysis::db::View;
use wavelens_analysis::ide;
use wavelens_analysis::{Database, Dialect, Document, Edit, Options, TextRange, TextSize};
use wavelens_tests::random::{self, Random};

fn ask_everything(view: View<'_>, text: &str, at: usize) {
    let offset = TextSize::new(at as u32);
    let inside = |range: TextRange, what: &str| {
        let slice = text.get(std::ops::Range::<usize>::from(range));
        assert!(
            slice.is_some(),
            "{what} at {at}: {range:?} is not in the text of {} bytes\n{text}",
            text.len()
        );
    };
    if let Some(hover) = ide::hover(view, offset) {
        inside(hover.range, "hover");
        assert!(!hover.markdown.is_empty());
    }
    for target in ide::definition(view, offset).into_iter().chain(ide::declaration(view, offset)) {
        inside(target.range, "definition");
        inside(target.origin, "origin of a definition");
    }
    ide::references(view, offset, true).into_iter().for_each(|r| inside(r, "reference"));
    ide::highlights(view, offset).into_iter().for_each(|(r, _)| inside(r, "highlight"));
    if let Some((range, _)) = ide::prepare_rename(view, offset) {
        inside(range, "rename");
        let edits = ide::rename(view, offset, "renamed_by_a_test").unwrap_or_default();
        assert!(edits.windows(2).all(|w| w[0].range.end() <= w[1].range.start()), "{edits:?}\n{text}");
        edits.into_iter().for_each(|e| inside(e.range, "rename edit"));
    }
    ide::complete(view, offset).items.into_iter().for_each(|c| inside(c.range, "completion"));
    if let Some(signature) = ide::signature(view, offset) {
        let parameters = signature.parameters.into_iter();
        parameters.for_each(|p| assert!(signature.label.get(p).is_some(), "{}", signature.label));
    }
    let selections = ide::selection_ranges(view, offset);
    assert!(selections.windows(2).all(|w| w[1].contains_range(w[0])), "{selections:?}");
    for action in ide::actions(view, TextRange::empty(offset)) {
        action.edits.into_iter().for_each(|e| inside(e.range, "action"));
    }
    for item in ide::call_items(view, offset) {
        inside(item.range, "call item");
        assert!(item.range.contains_range(item.selection), "{item:?}");
    }
    ide::incoming_calls(view, offset).into_iter().flat_map(|c| c.ranges).for_each(|r| inside(r, "call"));
    ide::outgoing_calls(view, offset).into_iter().flat_map(|c| c.ranges).for_each(|r| inside(r, "call"));
    if let Some(flow) = ide::flow(view, offset) {
        flow.nodes.iter().for_each(|n| inside(n.range, "block"));
        assert!(flow.edges.iter().all(|e| e.from < flow.nodes.len() && e.to < flow.nodes.len()));
    }
}

fn ask_for_all(view: View<'_>, text: &str) {
    let inside = |range: TextRange, what: &str| {
        assert!(text.get(std::ops::Range::<usize>::from(range)).is_some(), "{what}: {range:?}\n{text}");
    };
    fn symbols(list: &[ide::Symbol], inside: &dyn Fn(TextRange, &str)) {
        for symbol in list {
            inside(symbol.range, "symbol");
            assert!(symbol.range.contains_range(symbol.selection), "{symbol:?}");
            symbols(&symbol.children, inside);
        }
    }
    symbols(&ide::outline(view), &inside);
    ide::folds(view).into_iter().for_each(|f| inside(f.range, "fold"));
    let whole = TextRange::up_to(TextSize::of(text));
    ide::hints(view, whole).into_iter().for_each(|h| inside(TextRange::empty(h.offset), "hint"));
    let tokens = ide::tokens(view, whole);
    tokens.iter().for_each(|t| inside(t.range, "token"));
    let overlap = tokens.windows(2).find(|w| w[0].range.end() > w[1].range.start());
    assert!(overlap.is_none(), "tokens overlap: {overlap:?}\n{text}");
}

fn survive(dialect: Dialect) {
    let texts = wavelens_tests::examples(dialect);
    assert!(!texts.is_empty(), "no example of {dialect}");
    for (seed, original) in texts.iter().enumerate() {
        let mut random = Random::new(seed as u64 + 1);
        let mut db = Database::default();
        let mut document = Document::new(&mut db, dialect, original, Options::default());
        let mut text = original.clone();
        for round in 0..60 {
            let view = View::new(&db, document.file());
            ask_for_all(view, &text);
            (0..12).for_each(|_| ask_everything(view, &text, random.offset(&text)));
            if round % 12 == 11 {
                text.clone_from(original);
                document.set_text(&mut db, &text);
                continue;
            }
            let edit = random::edit(&mut random, &text);
            let range =
                TextRange::new(TextSize::new(edit.range.start as u32), TextSize::new(edit.range.end as u32));
            text.replace_range(edit.range, &edit.text);
            document.edit(&mut db, &Edit { range, text: edit.text });
        }
    }
}

#[test]
fn llvm() {
    survive(Dialect::Llvm);
}

#[test]
fn mir() {
    survive(Dialect::Mir);
}

#[test]
fn spirv() {
    survive(Dialect::Spirv);
}

#[test]
fn amdgpu() {
    survive(Dialect::Amdgpu);
}
