//! Lowering after an edit of a large function's body: what did not change is taken over, the YAML before the body, often thousands of
//! registers, and if the edit is inside a block the instructions around it.

use std::sync::{Arc, Mutex, PoisonError};

use wavelens_isa::mir::Machine;
use wavelens_syntax::machine::Parse;
use wavelens_syntax::mir::MirKind;

use super::lines::{self, Lines};
use super::{Document, N, body, head};
use crate::mir::model::Function;
use crate::mir::{Lowered, finish, yaml_error};
use crate::{Diagnostic, TextRange, TextSize};

/// From this size on (bytes) the last lowered form is remembered.
pub(in crate::mir) const LARGE: usize = 32 << 10;

/// What is remembered of a function while it is edited.
#[derive(Debug, Default)]
pub struct LastLowered(Mutex<Option<Known>>);

/// The last text with what it was lowered to.
#[derive(Debug)]
struct Known {
    text: Arc<str>,
    lowered: Arc<Lowered>,
    /// What precedes the body, if that can be taken over.
    head: Option<Arc<Head>>,
    /// How to read lines of the body, if they can be read by themselves.
    lines: Option<Lines>,
}

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
    /// Lowers a text and remembers it.
    pub(in crate::mir) fn lower(&self, text: &Arc<str>) -> Arc<Lowered> {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = last.take();
        let again = known.and_then(|known| known.lines_again(text).or_else(|| known.body_again(text)));
        let known = again.unwrap_or_else(|| Known::whole(text));
        let lowered = known.lowered.clone();
        *last = Some(known);
        lowered
    }
}

impl Known {
    fn whole(text: &Arc<str>) -> Known {
        let parse = wavelens_syntax::mir::parse(text);
        let document = super::lower(parse.root(text), yaml_error(&parse, text));
        let head = Head::of(&parse, text, &document).map(Arc::new);
        Known::new(text, parse, document, head)
    }

    fn new(text: &Arc<str>, parse: Parse<MirKind>, document: Document, head: Option<Arc<Head>>) -> Known {
        let names = document.function.as_ref().map_or(0, |f| f.names.len());
        let lines = head.as_ref().and_then(|_| Lines::of(&parse, text, names));
        let lowered = Arc::new(finish(parse, document, text));
        Known { text: text.clone(), lowered, head, lines }
    }

    /// Reads the lines that differ. `None` if there is more to the edit.
    fn lines_again(&self, text: &Arc<str>) -> Option<Known> {
        let (lowered, lines) = lines::lower(text, &self.text, &self.lowered, self.lines?)?;
        Some(Known {
            text: text.clone(),
            lowered: Arc::new(lowered),
            head: self.head.clone(),
            lines: Some(lines),
        })
    }

    /// Reads the body. `None` if what precedes it has changed, or there is more to the text.
    fn body_again(&self, text: &Arc<str>) -> Option<Known> {
        let head = self.head.as_ref()?;
        let rest = text.strip_prefix(head.text.as_str())?;
        // Offsets stay what they are.
        let unknown = [&" ".repeat(head.text.len().checked_sub(1)?), "\n", rest].concat();
        let parse = wavelens_syntax::mir::parse(&unknown);
        let document = match yaml_error(&parse, &unknown) {
            Some(_) => return None,
            None => head.with_body(parse.root(&unknown))?,
        };
        Some(Known::new(text, parse, document, Some(head.clone())))
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

    /// A document of which only the body is still to be lowered. `None` if there is more to it.
    fn with_body(&self, root: N<'_>) -> Option<Document> {
        let (mapping, body) = only_body(root)?;
        if mapping.children().count() != 1 {
            return None;
        }
        let mut function = self.function.clone();
        function.properties.range = TextRange::new(self.start, mapping.range().end());
        body::lower(body, &mut function);
        let (diagnostics, target) = (self.diagnostics.clone(), self.target.clone());
        Some(Document { function: Some(function), diagnostics, target })
    }
}

/// The mapping of a text's only document, and the body that is its last value.
pub(super) fn only_body(root: N<'_>) -> Option<(N<'_>, N<'_>)> {
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

    use expect_test::expect;

    use super::*;
    use crate::mir::lower;
    use crate::mir::model::Symbol;

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
        text += "    %n:vgpr_32 = IMPLICIT_DEF ; named\n    S_BRANCH %bb.1\n\n";
        text += "  bb.1:\n    successors: %bb.2\n    liveins: $vgpr0, $sgpr0\n\n";
        text += "    %1000:vgpr_32 = COPY %n, debug-location !7 :: (load (s32) from %ir.p, align 4)\n";
        text += "    BUNDLE implicit-def $vgpr1 {\n      $vgpr1 = COPY $vgpr0\n      S_NOP 0\n    }\n";
        text += "    S_NOP 1 /* over two\n    lines */\n    S_NOP 2\n";
        text += "    %1001:_(<2 x s32>) = G_SHUFFLE_VECTOR %1002(<2 x s32>), %1002, shufflemask(1, 0)\n";
        text += "    STATEPOINT 0, CustomRegMask($vgpr0,$vgpr1), liveout($vgpr0)\n";
        text += "    S_NOP target-flags(amdgpu-gotprel) @g, 3 :: (volatile store (s32) into %stack.0)\n";
        text += "    S_BRANCH %bb.2\n\n  bb.2 (%ir-block.x):\n    liveins: $sgpr0\n\n    S_NOP 0\n";
        text += "    %1001:_(<2 x s32>) = G_SHUFFLE_VECTOR %1002(<2 x s32>), %1002, shufflemask(0, 1)\n";
        text += "    STATEPOINT 0, CustomRegMask($vgpr0,$vgpr1), liveout($vgpr0)\n";
        text += "    %1003:vgpr_32 = V_MOV_B32_e32 0, implicit $exec, debug-location !8 :: (load (s32))\n";
        text += "    S_ENDPGM 0\n\n...\n";
        text
    }

    /// All that a lowered form says. The numbers of names depend on what was read before.
    fn shown(lowered: &Lowered) -> String {
        let mut function = lowered.function.clone().unwrap_or_default();
        let names = std::mem::take(&mut function.names);
        let mut index: Vec<_> = std::mem::take(&mut function.register_index).into_iter().collect();
        index.sort_by_key(|(_, number)| *number);
        let all = format!(
            "{function:?}\n{index:?}\n{:?}\n{:?}\n{:?}\n{:?}\n",
            lowered.summary, lowered.unread, lowered.diagnostics, lowered.target_diagnostics
        );
        let mut parts = all.split("Symbol(");
        let mut text = parts.next().unwrap_or("").to_owned();
        for part in parts {
            let (number, rest) = part.split_once(')').expect("a symbol is a number");
            text += names.get(Symbol(number.parse().expect("a symbol is a number")));
            text += rest;
        }
        text.replace("}, ", "},\n")
    }

    fn assert_same(again: &Lowered, text: &str, edit: &str) {
        let (again, new) = (shown(again), shown(&lower(text)));
        let differs = again.lines().zip(new.lines()).find(|(a, b)| a != b);
        assert!(again == new, "after {edit:?}: {differs:#?}");
    }

    /// Makes edits one after the other. Says of each whether lines are read after it, the body, or all.
    fn parts_read(mut text: String, edits: &[(&str, &str)]) -> String {
        let last = LastLowered::default();
        last.lower(&Arc::from(text.as_str()));
        let mut parts = String::new();
        for (from, to) in edits {
            assert!(text.contains(from), "{from}");
            text = text.replacen(from, to, 1);
            let new: Arc<str> = Arc::from(text.as_str());
            let known = last.0.lock().expect("no test fails under it").take().expect("it is large");
            let (by_lines, by_body) = (known.lines_again(&new), known.body_again(&new));
            parts += match (&by_lines, &by_body) {
                (Some(_), _) => "lines ",
                (None, Some(_)) => "body ",
                (None, None) => "all ",
            };
            for known in [&by_lines, &by_body].into_iter().flatten() {
                assert_same(&known.lowered, &text, to);
            }
            *last.0.lock().expect("no test fails under it") = Some(known);
            assert_same(&last.lower(&new), &text, to);
        }
        parts
    }

    #[test]
    fn edits_are_lowered_as_from_nothing() {
        assert!(text().len() >= LARGE);
        let edits = [
            ("S_NOP 0\n    }\n", "S_NOP 0\n"),
            ("S_NOP 0\n", "S_NOP 0\n    }\n"),
            ("id: 17,", "id: 18,"),
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
            ("two\n    lines */", "two\n    lines * /"),
            ("two\n    lines * /", "two\n    lines */"),
            ("S_NOP 2\n", "S_NOP 2 ; \0\n"),
            ("    S_ENDPGM 0\n", "    S_ENDPGM 0 ; \0\n"),
            ("S_NOP 2 ; \0\n", "S_NOP 2\n"),
            ("    S_ENDPGM 0 ; \0\n", "    S_ENDPGM 0\n"),
            ("  bb.1:\n", "  bb.3:\n"),
            ("liveins: $vgpr0, $sgpr0", "liveins: $vgpr0"),
            ("    S_BRANCH %bb.1\n", "    S_BRANCH %bb.1\n  bb.7:\n    S_NOP 0\n"),
            ("    S_BRANCH %bb.2\n", "    S_BRANCH %bb.2 bb.8:\n"),
            ("%bb.2 bb.8:\n", "%bb.2\n"),
        ];
        expect!["body body all all all all all all all all all all body body body body body body body body body body body body lines lines "].assert_eq(&parts_read(text(), &edits));
    }

    #[test]
    fn lines_are_lowered_as_in_the_whole_text() {
        let edits = [
            ("    %5:vgpr_32 = V_MOV", "    %5:vgpr_32 = V_MUV"),
            ("%9:vgpr_32 =", "%9:vgpr_32 = \n       =="),
            ("\n       ==", ""),
            ("    S_ENDPGM 0\n", "    S_ENDPGM 0, (\n"),
            ("S_NOP 2\n", "S_NOP 2 ) S_NOP 3\n"),
            ("    S_ENDPGM 0, (\n", "    S_ENDPGM 0\n"),
            ("S_NOP 2 ) S_NOP 3\n", "liveins: $vgpr0\n"),
            ("    liveins: $vgpr0\n    %1001", "    %1001"),
            ("    %1000:vgpr_32 = COPY %n,", "    %m:vgpr_32 = COPY %2000, %k.sub0, dead %new,"),
            ("%50:vgpr_32 = V_MOV_B32_e32 %0, implicit", "%50:vgpr_32 = V_MOV_B32_e32 %0, implicitq"),
            ("%20:vgpr_32 =", "%2020:vgpr_32 ="),
            ("implicitq", "implicit"),
            ("IMPLICIT_DEF ; named", "IMPLICIT_DEF implicit %1003"),
            ("    S_BRANCH %bb.1\n", ""),
            ("      S_NOP 0\n    }\n", "      $vgpr2 = COPY $vgpr0\n      S_NOP 0\n    }\n"),
            ("STATEPOINT 0, CustomRegMask($vgpr0,$vgpr1)", "STATEPOINT 0, CustomRegMask($vgpr7)"),
            ("shufflemask(1, 0)", "shufflemask(1, 0, 1)"),
            ("target-flags(amdgpu-gotprel) @g", "target-flags(amdgpu-gotprel, amdgpu-abs) @h"),
            ("(volatile store (s32) into %stack.0)", "(store (s32)), (load (s64) from @x, !tbaa !9)"),
            ("    %8:vgpr_32 = V_MOV_B32_e32 %0, implicit $exec\n", "\n    \n"),
            ("shufflemask(0, 1)", "shufflemask(0, 1), debug-location !12"),
        ];
        expect!["lines lines lines lines body lines body body body lines lines lines lines lines lines lines body lines lines lines lines "].assert_eq(&parts_read(text(), &edits));
    }

    #[test]
    fn names_of_the_past_are_forgotten() {
        let text = text();
        let last = LastLowered::default();
        let new = |text: &str| last.lower(&Arc::from(text)).function.as_ref().map_or(0, |f| f.names.len());
        let count = new(&text);
        let grown = (0..1100).map(|n| new(&text.replacen("%n:", &format!("%n{n}:"), 1))).max();
        assert!(grown.is_some_and(|grown| (count + 900..count + 1100).contains(&grown)), "{count} {grown:?}");
    }
}
