//! What can be done about findings: their own fixes, and what the editor offers at their place.

use std::collections::HashSet;

use wavelens_base::{Finding, Fix, Options, Severity, TextEdit};
use wavelens_ide::Document;
use wavelens_ide::db::{Database, View};
use wavelens_ide::features::{self, ActionKind, Difference, Trial};

use crate::source::Source;

/// Findings of one file for which the editor's actions are asked.
const ASKED: usize = 100;

/// The largest file for which they are (bytes).
const SIZE: usize = 4 << 20;

/// How much text is read for one file in all (bytes): of chunks, to find its actions, and of the file, to try them.
const READ: usize = 1 << 20;

/// For each finding its suggestions, its own fix first.
pub(crate) fn suggestions(source: &Source, findings: &[Finding], options: &Options) -> Vec<Vec<Fix>> {
    let mut all: Vec<Vec<Fix>> = findings.iter().map(|f| f.fix.iter().cloned().collect()).collect();
    let is_error = |f: &Finding| f.rule.severity == Severity::Error;
    if source.text.len() > SIZE || !findings.iter().any(is_error) {
        return all;
    }
    add_offered(source, findings, options, &mut all);
    leave_open(source, findings, &mut all);
    all
}

/// A line with a mistake that has no certain fix may mean something else: what is certain about the rest of it is likely only.
fn leave_open(source: &Source, findings: &[Finding], all: &mut [Vec<Fix>]) {
    let line = |finding: &Finding| {
        let before = source.text.get(..finding.range.start().into()).unwrap_or_default();
        before.rfind('\n')
    };
    let is_open = |(finding, own): &(&Finding, &Vec<Fix>)| {
        finding.rule.severity == Severity::Error && !own.iter().any(|fix| fix.certain)
    };
    let open: HashSet<_> =
        findings.iter().zip(&*all).filter(is_open).map(|(finding, _)| line(finding)).collect();
    for (finding, own) in findings.iter().zip(all) {
        if open.contains(&line(finding)) {
            own.iter_mut().for_each(|fix| fix.certain = false);
        }
    }
}

/// Adds what the editor offers.
fn add_offered(source: &Source, findings: &[Finding], options: &Options, all: &mut [Vec<Fix>]) {
    let is_error = |f: &Finding| f.rule.severity == Severity::Error;
    let mut db = Database::default();
    let document = Document::new(&mut db, source.dialect, &source.text, options.clone());
    let view = View::new(&db, document.file());
    let trial = Trial::new(view);
    let mut left = READ;
    let repairs = |finding: &Finding, edits: &[TextEdit]| {
        let Some(Difference { before, after }) = trial.try_edits(edits) else { return false };
        let same = |f: &&Finding| f.rule == finding.rule && f.message == finding.message;
        after.len() < before.len() && after.iter().filter(same).count() < before.iter().filter(same).count()
    };
    for (own, finding) in all.iter_mut().zip(findings).filter(|(_, f)| is_error(f)).take(ASKED) {
        let offered = offered(view, source, finding, &mut left, repairs);
        let offered = offered.into_iter().filter(|o| !own.iter().any(|fix| fix.edits == o.edits));
        let offered: Vec<Fix> = offered.collect();
        // One of several is a choice.
        let is_only = own.is_empty() && offered.len() == 1;
        own.extend(offered.into_iter().map(|fix| Fix { certain: fix.certain && is_only, ..fix }));
        if own.is_empty() {
            let respelt = features::respellings(view, finding, &trial, &mut left);
            own.extend(respelt.into_iter().map(|a| Fix { title: a.title, certain: false, edits: a.edits }));
        }
    }
}

/// The editor's actions that fix a finding.
fn offered(
    view: View<'_>,
    source: &Source,
    finding: &Finding,
    left: &mut usize,
    repairs: impl Fn(&Finding, &[TextEdit]) -> bool,
) -> Vec<Fix> {
    let mut found = Vec::new();
    let chunk = view.chunk_at(finding.range.start()).map_or(0, |(_, chunk, _)| view.text(chunk).len());
    if !spend(left, chunk) {
        return found;
    }
    // The finding's own fix is known.
    for action in features::offers(view, finding.range) {
        let certain = action.is_certain();
        let fixes = match (&action.finding, action.kind) {
            (Some(other), _) => other.rule == finding.rule && other.range == finding.range,
            // What is offered at a place is a fix where the finding is gone with it and no error is new.
            (None, ActionKind::Rewrite | ActionKind::QuickFix)
                if finding.fix.is_none() && touches(finding, &action.edits) =>
            {
                spend(left, source.text.len()) && repairs(finding, &action.edits)
            }
            _ => false,
        };
        if fixes {
            found.push(Fix { title: action.title, certain, edits: action.edits });
        }
    }
    found
}

/// Takes an amount from a budget, if it is there.
fn spend(left: &mut usize, amount: usize) -> bool {
    let rest = left.checked_sub(amount);
    *left = rest.unwrap_or(*left);
    rest.is_some()
}

/// Changes what the finding is about, and does not just remove it.
fn touches(finding: &Finding, edits: &[TextEdit]) -> bool {
    let removes = edits.iter().all(|e| e.text.trim().is_empty());
    !removes && edits.iter().any(|e| e.range.intersect(finding.range).is_some())
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use wavelens_base::Dialect;
    use wavelens_check::check_text;

    use super::*;

    fn shown(dialect: Dialect, text: &str) -> String {
        let source = Source { dialect, text: text.to_owned(), is_exact: true };
        let options = Options::default();
        let findings = check_text(dialect, text, &options);
        let mut lines = Vec::new();
        for (finding, suggestions) in findings.iter().zip(suggestions(&source, &findings, &options)) {
            lines.push(finding.message.clone());
            let certain = |fix: &Fix| if fix.certain { " (certain)" } else { "" };
            lines.extend(suggestions.iter().map(|fix| format!("  {}{}", fix.title, certain(fix))));
        }
        lines.join("\n")
    }

    #[test]
    fn alignment_and_mnemonics_are_suggested_as_in_the_editor() {
        let text = ".amdgcn_target \"amdgcn-amd-amdhsa--gfx1100\"\ns_load_b128 s[1:4], s[4:5], 0x8\nv_add_co_u32_e32 v0, vcc, v0, v1\ns_load_dword s0, s[4:5], 0x0\ns_endpgm\n";
        expect![[r#"
            `s[1:4]` must start at a multiple of 4
              Align the registers: `s_load_b128 s[0:3], s[4:5], 0x8`
              Align the registers: `s_load_b128 s[4:7], s[4:5], 0x8`
            `v_add_co_u32` has no e32 encoding on gfx1100"#]]
        .assert_eq(&shown(Dialect::Amdgpu, text));
    }

    #[test]
    fn a_line_with_another_mistake_is_left_open() {
        let text = "define i1 @f(i32 %b, ptr %p) {\n  %c = icmp eq ptr %b, 0\n  %d = icmp eq ptr %p, 0\n  ret i1 %c\n}\n";
        expect![[r#"
            expected `ptr`, found `%b` of type `i32`
            expected a constant of type `ptr`, found an integer
              Replace with `null`
            expected a constant of type `ptr`, found an integer
              Replace with `null` (certain)"#]]
        .assert_eq(&shown(Dialect::Llvm, text));
    }

    #[test]
    fn a_missing_capability_is_suggested() {
        let text = "OpCapability Shader\nOpMemoryModel Logical GLSL450\n%1 = OpTypeFloat 64\n";
        expect![[r#"
            missing OpEntryPoint in a module without the Linkage capability
            64-bit floats require the Float64 capability
              Declare the capability Float64 (certain)"#]]
        .assert_eq(&shown(Dialect::Spirv, text));
    }
}
