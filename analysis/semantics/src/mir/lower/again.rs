//! Lowering after an edit of a large function's body: what its YAML says, often thousands of registers, is taken over.

use std::sync::{Mutex, PoisonError};

use wavelens_isa::mir::Machine;
use wavelens_syntax::machine::Parse;
use wavelens_syntax::mir::MirKind;

use super::{Document, N, body, head};
use crate::mir::model::Function;
use crate::{Diagnostic, TextRange, TextSize};

/// From this size on (bytes) what the YAML before the body says is remembered.
pub(in crate::mir) const LARGE: usize = 32 << 10;

/// What is remembered of a function while it is edited.
#[derive(Debug, Default)]
pub struct LastLowered(Mutex<Option<Head>>);

/// What a function's text says up to its body.
#[derive(Debug)]
struct Head {
    /// Up to the line of the body's key.
    text: String,
    /// Where the first key is.
    start: TextSize,
    function: Function,
    diagnostics: Vec<Diagnostic>,
    target: Vec<(&'static [Machine], Diagnostic)>,
}

impl LastLowered {
    /// The text with blanks in place of what is known, if it starts with that.
    pub(in crate::mir) fn unknown(&self, text: &str) -> Option<String> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = known.as_ref()?.text.as_str();
        let rest = text.strip_prefix(known)?;
        // Offsets stay what they are.
        Some([&" ".repeat(known.len().checked_sub(1)?), "\n", rest].concat())
    }

    /// Lowers what [`LastLowered::unknown`] left. `None` if there is more to it than a body.
    pub(in crate::mir) fn lower(&self, root: N<'_>) -> Option<Document> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = known.as_ref()?;
        let (mapping, body) = only_body(root)?;
        if mapping.children().count() != 1 {
            return None;
        }
        let mut function = known.function.clone();
        function.properties.range = TextRange::new(known.start, mapping.range().end());
        body::lower(body, &mut function);
        let (diagnostics, target) = (known.diagnostics.clone(), known.target.clone());
        Some(Document { function: Some(function), diagnostics, target })
    }

    /// Remembers what precedes the body of a text that was lowered as a whole.
    pub(in crate::mir) fn remember(&self, parse: &Parse<MirKind>, text: &str, document: &Document) {
        let found = Head::of(parse, text, document);
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = found;
    }
}

impl Head {
    fn of(parse: &Parse<MirKind>, text: &str, document: &Document) -> Option<Head> {
        let (mapping, body) = only_body(parse.root(text))?;
        let end = key_start(mapping, body)?;
        let known = text.get(..end.into()).filter(|known| known.ends_with('\n'))?;
        let found = document.diagnostics.iter().chain(document.target.iter().map(|(_, d)| d));
        let is_before = |d: &Diagnostic| d.range.end() <= end;
        if !found.clone().all(is_before) || parse.errors.iter().any(|e| !body.range().contains_range(e.range))
        {
            return None;
        }
        Some(Head {
            text: known.to_owned(),
            start: mapping.range().start(),
            function: head(mapping),
            diagnostics: document.diagnostics.clone(),
            target: document.target.clone(),
        })
    }
}

/// The mapping of a text's only document, and the body that is its last value.
fn only_body(root: N<'_>) -> Option<(N<'_>, N<'_>)> {
    let mut documents = root.children();
    let document = documents.next().filter(|n| n.kind() == MirKind::DOCUMENT)?;
    let mut parts = document.children();
    let mapping = parts.next().filter(|n| n.kind() == MirKind::MAPPING)?;
    let body = mapping.children().last()?.children().last().filter(|n| n.kind() == MirKind::BODY)?;
    let is_all = documents.next().is_none() && parts.next().is_none();
    (is_all && document.token(MirKind::UNREAD).is_none()).then_some((mapping, body))
}

/// Where the entry of a body starts, if its key is `body`.
fn key_start(mapping: N<'_>, body: N<'_>) -> Option<TextSize> {
    let entry = mapping.children().last()?;
    let is_body = super::yaml::value(mapping, "body").is_some_and(|value| value.range() == body.range());
    is_body.then(|| entry.range().start())
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;
    use std::sync::Arc;

    use super::*;
    use crate::mir::{Lowered, lower, lower_again};

    fn text() -> String {
        let mut text = "# a comment\n---\nname: f\ntracksRegLiveness: true\nregisters:\n".to_owned();
        for number in 0..900 {
            let _ = writeln!(text, "  - {{ id: {number}, class: vgpr_32, preferred-register: '' }}");
        }
        text += "liveins:\n  - { reg: '$vgpr0', virtual-reg: '%0' }\nmachineFunctionInfo:\n  isEntryFunction: true\nbody:             |\n";
        text += "  bb.0:\n    liveins: $vgpr0\n\n    %0:vgpr_32 = COPY $vgpr0\n";
        for number in 1..300 {
            let _ = writeln!(text, "    %{number}:vgpr_32 = V_MOV_B32_e32 %0, implicit $exec");
        }
        text += "    S_ENDPGM 0\n\n...\n";
        text
    }

    fn shown(mut lowered: Lowered) -> String {
        // The order of a hash map depends on how it grew.
        let index = lowered.function.as_mut().map(|f| std::mem::take(&mut f.register_index));
        let mut index: Vec<_> = index.into_iter().flatten().map(|entry| format!("{entry:?}")).collect();
        index.sort();
        format!("{lowered:#?}\n{index:#?}")
    }

    #[test]
    fn edits_are_lowered_as_from_nothing() {
        let mut text = text();
        assert!(text.len() >= LARGE);
        let last = LastLowered::default();
        shown(lower_again(&Arc::from(text.as_str()), &last));
        let edits = [
            ("COPY $vgpr0", "COPY $vgpr1, %7"),
            ("    %5:vgpr_32 = V_MOV", "    %5:vgpr_32 = V_MUV"),
            ("    S_ENDPGM 0\n", "    S_ENDPGM 0, (\n"),
            ("    S_ENDPGM 0, (\n", "    S_ENDPGM 0\n"),
            ("id: 17,", "id: 18,"),
            ("%9:vgpr_32 =", "%9:vgpr_32 = \n =="),
            ("name: f", "name: g"),
            ("    S_ENDPGM 0\n\n...\n", "    S_ENDPGM 0\nname: again\n...\n"),
            ("name: again\n", ""),
            ("    S_ENDPGM 0\n", "    S_ENDPGM 0\n...\n---\nname: h\n"),
            ("...\n---\nname: h\n", ""),
            ("    %2:", "%2:"),
            ("\n%2:", "\n    %2:"),
            ("body:             |", "body: >"),
            ("body: >", "body: |"),
            ("  bb.0:\n", "\n bb.0:\n"),
            ("\n bb.0:\n", "  bb.0:\n"),
            ("...\n", "... \n# end\n"),
        ];
        let mut taken_over = 0;
        for (from, to) in edits {
            assert!(text.contains(from), "{from}");
            text = text.replacen(from, to, 1);
            taken_over += usize::from(last.unknown(&text).is_some());
            let again = lower_again(&Arc::from(text.as_str()), &last);
            assert!(shown(again) == shown(lower(&text)), "after {to:?}");
        }
        assert_eq!(taken_over, 6);
    }
}
