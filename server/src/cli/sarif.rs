//! SARIF 2.1.0, one run for all files. Columns count in UTF-16 units, as the run declares.

use std::collections::{BTreeMap, HashMap};

use serde_json::{Value, json};
use wavelens_base::{Fix, Rule, Severity, TextRange};

use super::baseline::{fingerprint, line_of};
use crate::checked::positions::{Positions, Text};
use crate::checked::{Checked, Found};
use crate::file_uri::file_uri;
use crate::rule_page::url;
use crate::shown;

#[derive(Default)]
pub(super) struct Log {
    rules: BTreeMap<&'static str, &'static Rule>,
    results: Vec<Value>,
    /// Files that could not be checked, and why.
    failures: Vec<Value>,
}

impl Log {
    pub(super) fn add(&mut self, checked: &Checked) {
        let positions = Positions::new(checked);
        let mut seen: HashMap<(&str, &str), usize> = HashMap::new();
        for found in &checked.found {
            self.rules.insert(found.finding.rule.code, found.finding.rule);
            let (code, line) = (found.finding.rule.code, line_of(&checked.source.text, found.finding.range));
            let occurrence = seen.entry((code, line)).or_default();
            *occurrence += 1;
            let mut result = result(found, &positions);
            // GitHub and GitLab follow a finding through commits by it.
            let fingerprint = fingerprint(&checked.path, code, line, *occurrence);
            result["partialFingerprints"] = json!({"wavelens/v1": fingerprint});
            self.results.push(result);
        }
    }

    pub(super) fn failed(&mut self, message: &str) {
        self.failures.push(json!({"level": "error", "message": {"text": message}}));
    }

    pub(super) fn finish(mut self) -> String {
        let numbers: BTreeMap<&str, usize> = self.rules.keys().copied().zip(0..).collect();
        for result in &mut self.results {
            result["ruleIndex"] = json!(result["ruleId"].as_str().and_then(|id| numbers.get(id)));
        }
        let rules: Vec<Value> = self.rules.values().map(|r| rule(r)).collect();
        let log = json!({
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
            "version": "2.1.0",
            "runs": [{
                "tool": {"driver": {
                    "name": "wavelens",
                    "version": env!("CARGO_PKG_VERSION"),
                    "semanticVersion": env!("CARGO_PKG_VERSION"),
                    "informationUri": env!("CARGO_PKG_REPOSITORY"),
                    "rules": rules,
                }},
                "columnKind": "utf16CodeUnits",
                "invocations": [{
                    "executionSuccessful": self.failures.is_empty(),
                    "toolExecutionNotifications": self.failures,
                }],
                "results": self.results,
            }],
        });
        shown::json(&log) + "\n"
    }
}

fn rule(rule: &Rule) -> Value {
    json!({
        "id": rule.code,
        "shortDescription": {"text": rule.title},
        "fullDescription": {"text": rule.explain},
        "help": {"text": rule.explain, "markdown": rule.explain},
        "helpUri": url(rule),
        "defaultConfiguration": {"level": level(rule.severity)},
    })
}

fn result(found: &Found, positions: &Positions<'_>) -> Value {
    let finding = &found.finding;
    let related: Vec<Value> = finding
        .related
        .iter()
        .map(|r| {
            let mut place = location(positions.of_related(r.file.as_ref()), r.range);
            place["message"] = json!({"text": r.message});
            place
        })
        .collect();
    let mut result = json!({
        "ruleId": finding.rule.code,
        "level": level(finding.severity),
        "message": {"text": finding.message},
        "locations": [location(positions.own(), finding.range)],
    });
    if !related.is_empty() {
        result["relatedLocations"] = json!(related);
    }
    let fixes: Vec<Value> = found.suggestions.iter().map(|f| fix(f, positions.own())).collect();
    if !fixes.is_empty() {
        result["fixes"] = json!(fixes);
    }
    result
}

fn location(text: Text<'_>, range: TextRange) -> Value {
    json!({"physicalLocation": {
        "artifactLocation": {"uri": file_uri(text.path)},
        "region": region(text, range),
    }})
}

fn region(text: Text<'_>, range: TextRange) -> Value {
    let (start, end) = text.points(range);
    json!({"startLine": start.line, "startColumn": start.utf16, "endLine": end.line, "endColumn": end.utf16})
}

fn fix(fix: &Fix, text: Text<'_>) -> Value {
    let replacements: Vec<Value> = fix
        .edits
        .iter()
        .map(|e| json!({"deletedRegion": region(text, e.range), "insertedContent": {"text": e.text}}))
        .collect();
    json!({
        "description": {"text": fix.title},
        "artifactChanges": [{"artifactLocation": {"uri": file_uri(text.path)}, "replacements": replacements}],
    })
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info | Severity::Hint => "note",
    }
}
