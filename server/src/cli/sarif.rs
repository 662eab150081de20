//! SARIF 2.1.0, one run for all files.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use wavelens_semantics::{Rule, Severity, TextRange};

use super::check::Checked;
use super::json::lines_and_columns;
use crate::LineIndex;

#[derive(Default)]
pub(super) struct Log {
    rules: BTreeMap<&'static str, &'static Rule>,
    results: Vec<Value>,
}

impl Log {
    pub(super) fn add(&mut self, checked: &Checked) {
        let index = LineIndex::new(&checked.source.text);
        let location = |path: &str, index: &LineIndex, range: TextRange| {
            let ((line, column), (end_line, end_column)) = lines_and_columns(index, range);
            json!({"physicalLocation": {
                "artifactLocation": {"uri": path},
                "region": {"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column},
            }})
        };
        for finding in &checked.findings {
            self.rules.insert(finding.rule.code, finding.rule);
            let related: Vec<Value> = finding
                .related
                .iter()
                .map(|r| {
                    let mut place = match &r.file {
                        Some(f) => location(&f.path.to_string_lossy(), &LineIndex::new(&f.text), r.range),
                        None => location(&checked.path, &index, r.range),
                    };
                    place["message"] = json!({"text": r.message});
                    place
                })
                .collect();
            self.results.push(json!({
                "ruleId": finding.rule.code,
                "level": level(finding.severity),
                "message": {"text": finding.message},
                "locations": [location(&checked.path, &index, finding.range)],
                "relatedLocations": related,
            }));
        }
    }

    pub(super) fn finish(self) -> String {
        let rules: Vec<Value> = self
            .rules
            .values()
            .map(|r| json!({"id": r.code, "help": {"text": r.explain, "markdown": r.explain}}))
            .collect();
        let log = json!({
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
            "version": "2.1.0",
            "runs": [{
                "tool": {"driver": {"name": "wavelens", "version": env!("CARGO_PKG_VERSION"), "rules": rules}},
                "columnKind": "utf16CodeUnits",
                "results": self.results,
            }],
        });
        format!("{log:#}\n")
    }
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info | Severity::Hint => "note",
    }
}
