//! Text that is read in place of a statement: what macros, repetitions and included files expand to, its limits, and
//! where a mistake in it is reported.

use super::cursor::Cursor;
use crate::assembler::{Assembler, Expansion, ExpansionKind, Mode, Reported};
use crate::rules::limit::LIMIT;
use wavelens_base::budget::Budget;
use wavelens_base::{Diagnostic, Place, Rule, Severity, TextRange, TextSize};

/// Lines that all expansions of one run may have together. The largest kernels have a tenth of that. Builds without
/// optimization take seconds for as many.
pub(crate) const MAX_LINES: u64 = if cfg!(test) { 100_000 } else { 1_000_000 };
/// Bytes of text that all expansions of one run may have together.
pub(crate) const MAX_BYTES: u64 = 64 << 20;
/// What a report in an expansion costs, in lines: it is much larger than an instruction.
const REPORT: u64 = 50;

/// What the expansions of a run may still come to.
#[derive(Debug)]
pub(crate) struct ExpansionBudget {
    lines: Budget,
    pub(super) bytes: Budget,
    /// Nothing is expanded any more.
    pub(super) exceeded: bool,
}

impl Default for ExpansionBudget {
    fn default() -> Self {
        ExpansionBudget { lines: Budget::new(MAX_LINES), bytes: Budget::new(MAX_BYTES), exceeded: false }
    }
}

/// The line of an expansion that was reported last. Reports come in order, so that the lines before it are counted once.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ErrorLine {
    /// Start of the line in the expanded text.
    text: usize,
    /// Start of the same line in the macro's body.
    body: usize,
}

impl ErrorLine {
    fn advance(&mut self, to: usize, text: &str, body: Option<&str>) {
        if to < self.text {
            *self = ErrorLine::default();
        }
        while let Some(line) = text.get(self.text..to).and_then(|passed| passed.find('\n')) {
            self.text += line + 1;
            let next = body.and_then(|b| b.get(self.body..)).and_then(|rest| rest.find('\n'));
            self.body += next.map_or(0, |line| line + 1);
        }
    }
}

fn line_at(text: &str, start: usize) -> &str {
    text.get(start..).and_then(|rest| rest.lines().next()).unwrap_or("")
}

impl Assembler<'_> {
    /// Starts to read text in place of the current statement. [`Assembler::leave`] ends it.
    pub(super) fn enter(&mut self, expansion: Expansion) {
        if self.expansion_budget.exceeded {
            self.program.gap();
        }
        self.expansions.push(expansion);
    }

    pub(super) fn leave(&mut self) {
        let Some(left) = self.expansions.pop() else { return };
        if self.expansions.is_empty() && self.expansion_budget.exceeded {
            self.conditions.close_to(left.conditions);
        }
    }

    /// Starts the next round of a repetition. `false` when it ends. A round without lines counts as one.
    pub(super) fn next_round(&mut self, left: &mut u64) -> bool {
        let Some(repetition) = self.expansions.last_mut() else { return false };
        repetition.error_line = ErrorLine::default();
        let was_empty = *left == self.expansion_budget.lines.left();
        let goes_on = !repetition.exit && self.expand_lines(u64::from(was_empty));
        *left = self.expansion_budget.lines.left();
        goes_on
    }

    /// Takes lines from the budget of all expansions. `false` when nothing more is to be read.
    pub(super) fn expand_lines(&mut self, lines: u64) -> bool {
        if !self.expansion_budget.exceeded && !self.expansion_budget.lines.spend(lines) {
            self.exceed(format!("more than {MAX_LINES} lines"));
        }
        !self.expansion_budget.exceeded
    }

    pub(super) fn expand_bytes(&mut self, bytes: usize) -> bool {
        if !self.expansion_budget.exceeded && !self.expansion_budget.bytes.spend(bytes as u64) {
            self.exceed(format!("more than {} MiB of text", MAX_BYTES >> 20));
        }
        !self.expansion_budget.exceeded
    }

    /// Reports the outermost expansion as too large.
    fn exceed(&mut self, size: String) {
        let message = format!("expands to {size}; the rest is not checked");
        let range = self.expansions.first().map_or(self.statement, |e| e.call);
        self.stop_expanding();
        self.push(Diagnostic::new(&LIMIT, range, message));
    }

    /// Expands nothing any more: what the skipped text defines is unknown.
    pub(crate) fn stop_expanding(&mut self) {
        self.expansion_budget.exceeded = true;
        self.open = true;
        self.incomplete = true;
        self.program.gap();
    }

    /// Reports a mistake in the text that `c` reads.
    pub(crate) fn error(
        &mut self,
        c: &Cursor<'_>,
        rule: &'static Rule,
        range: TextRange,
        message: impl Into<String>,
    ) -> Reported {
        if self.mode != Mode::Outline && (self.expansions.is_empty() || self.expand_lines(REPORT)) {
            // What is missing at the end of a line is missing before the line break.
            let is_line_end = c.slice(range).trim_start_matches('\r').starts_with('\n');
            let range = if is_line_end { TextRange::empty(range.start()) } else { range };
            let diagnostic = self.located(c.text, rule, range, message.into());
            self.diagnostics.push(diagnostic);
        }
        Reported
    }

    /// As [`Assembler::error`], of what the assembler takes and only warns of.
    pub(crate) fn warning(
        &mut self,
        c: &Cursor<'_>,
        rule: &'static Rule,
        range: TextRange,
        message: impl Into<String>,
    ) {
        let before = self.diagnostics.len();
        self.error(c, rule, range, message);
        if let Some(diagnostic) = self.diagnostics.get_mut(before..).and_then(<[_]>::last_mut) {
            diagnostic.severity = Severity::Warning;
        }
    }

    /// A diagnostic at a range of the text being read, moved to the call if that text is an expansion.
    pub(crate) fn located(
        &mut self,
        text: &str,
        rule: &'static Rule,
        range: TextRange,
        message: String,
    ) -> Diagnostic {
        let Some(call) = self.expansions.first().map(|outer| outer.call) else {
            return Diagnostic::new(rule, range, message);
        };
        let diagnostic = Diagnostic::new(rule, call, message);
        let Some(inner) = self.expansions.last_mut() else { return diagnostic };
        let body = inner.body.as_ref().map(|(start, body)| (*start, &**body));
        inner.error_line.advance(range.start().into(), text, body.map(|(_, body)| body));
        let shown = line_at(text, inner.error_line.text).trim();
        let what = match inner.kind {
            ExpansionKind::Macro => format!("in the expansion of `{}`: `{shown}`", inner.name),
            ExpansionKind::Repetition => format!("in the repetition: `{shown}`"),
            ExpansionKind::Include(file) => {
                let place = Place::Included { file, range };
                return diagnostic.related(place, format!("in the included file: `{shown}`"));
            }
        };
        let place = match (body, inner.definition) {
            (Some((start, body)), _) => {
                let line = line_at(body, inner.error_line.body);
                let lead = line.len() - line.trim_start().len();
                let offset = TextSize::new((inner.error_line.body + lead) as u32);
                Place::Here(TextRange::at(start + offset, TextSize::of(line.trim())))
            }
            (None, Some(place)) => place,
            (None, None) => Place::Here(call),
        };
        diagnostic.related(place, what)
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use crate::testing::check_limits;

    fn check_limit(text: &str, expected: Expect) {
        check_limits("gfx942", text, &expected);
    }

    #[test]
    fn repetitions_of_nothing_are_limited() {
        check_limit(
            ".rept 9223372036854775807\n.endr\ns_nop 0\n",
            expect![[r#"
                1: limit: expands to more than 100000 lines; the rest is not checked
            "#]],
        );
    }

    #[test]
    fn nested_repetitions_share_one_limit() {
        for inner in
            [".rept 1000", ".irp x, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13", ".irpc x, 0123456789"]
        {
            let text = format!("{}s_nop 0\n{}", format!("{inner}\n").repeat(12), ".endr\n".repeat(12));
            check_limit(
                &text,
                expect![[r#"
                    1: limit: expands to more than 100000 lines; the rest is not checked
                "#]],
            );
        }
    }

    #[test]
    fn macros_that_call_others_are_limited() {
        let mut text = ".macro m0\ns_nop 0\n.endm\n".to_owned();
        for level in 1..17 {
            text += &format!(".macro m{level}\n{}.endm\n", format!("m{}\n", level - 1).repeat(10));
        }
        text += "m16\nm16\ns_branch unknown\n";
        check_limit(
            &text,
            expect![[r#"
                196: limit: expands to more than 100000 lines; the rest is not checked
            "#]],
        );
    }

    #[test]
    fn text_is_limited() {
        let argument = "x".repeat(100_000);
        let text = format!(".macro m a\n.ascii \"{}\"\n.endm\nm {argument}\n", "\\a".repeat(1000));
        check_limit(
            &text,
            expect![[r#"
                4: limit: expands to more than 64 MiB of text; the rest is not checked
            "#]],
        );
    }

    #[test]
    fn what_depends_on_the_rest_is_not_reported() {
        let many = ".rept 2000000\ns_nop 0\n.endr\n";
        let limit = expect![[r#"
            2: limit: expands to more than 100000 lines; the rest is not checked
        "#]];
        check_limit(&format!("s_branch far\n{many}far:\ns_branch unknown\nmacro_of_the_rest 1\n"), limit);
        check_limit(
            &format!("{many}ds_read_b32 v0, v1 offset:70000\n.if 1\n.endif\n.popsection\n"),
            expect![[r#"
                1: limit: expands to more than 100000 lines; the rest is not checked
                4: operand-out-of-range: the offset must be between 0 and 65535, is 70000
            "#]],
        );
    }

    #[test]
    fn reports_in_expansions_are_limited() {
        check_limit(
            ".rept 1000000\nv_foo\n.endr\n",
            expect![[r#"
                1: unknown-instruction: unknown instruction `v_foo`
                1: limit: expands to more than 100000 lines; the rest is not checked
            "#]],
        );
    }

    #[test]
    fn the_control_flow_of_large_functions_is_not_followed() {
        check_limit(
            &"s_nop 0\n".repeat(130_000),
            expect![[r#"
                1: limit: the control flow from here on needs too many steps; waits, hazards and registers are not checked completely
            "#]],
        );
    }

    #[test]
    fn encoding_refuses_what_exceeds_a_limit() {
        let options =
            wavelens_base::Options { target: Some("gfx942".into()), ..wavelens_base::Options::default() };
        let (_, found) = crate::encode("s_branch end\n.rept 200000\ns_nop 0\n.endr\nend:\n", &options);
        assert!(found.iter().any(|d| d.rule.code == "limit" && d.severity == wavelens_base::Severity::Error));
    }

    #[test]
    fn macros_with_many_parameters_are_expanded() {
        let list = |prefix: &str| (0..20_000).map(|n| format!("{prefix}{n}")).collect::<Vec<_>>().join(", ");
        let text = format!(".macro m {}\ns_nop \\p7\ns_nop \\p19999\n.endm\nm {}\n", list("p"), list(""));
        let options =
            wavelens_base::Options { target: Some("gfx942".into()), ..wavelens_base::Options::default() };
        let (lines, found) = crate::encode(&text, &options);
        assert_eq!((lines.len(), found.len()), (2, 0));
    }

    #[test]
    fn large_repetitions_are_assembled() {
        check_limit(
            "s_branch far\n.rept 40000\ns_nop 0\n.endr\nfar:\n",
            expect![[r#"
                1: branch-range: the label is 40000 dwords away, and a branch reaches -32768 to 32767
            "#]],
        );
    }
}
