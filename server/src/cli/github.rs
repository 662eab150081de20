//! Workflow commands of GitHub Actions: one annotation for each finding.

use std::path::Path;

use wavelens_base::Severity;

use crate::checked::positions::Positions;
use crate::checked::{Checked, Found};
use crate::shown;

/// The annotations of one file, each on its own line.
pub(super) fn file(checked: &Checked) -> String {
    if checked.found.is_empty() {
        return String::new();
    }
    let positions = Positions::new(checked);
    checked.found.iter().map(|found| annotation(&checked.path, &positions, found)).collect()
}

fn annotation(path: &Path, positions: &Positions<'_>, found: &Found) -> String {
    let finding = &found.finding;
    let (start, end) = positions.own().points(finding.range);
    let level = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info | Severity::Hint => "notice",
    };
    let mut properties = vec![
        ("title", format!("wavelens ({})", finding.rule.code)),
        ("file", path.to_string_lossy().into_owned()),
        ("line", start.line.to_string()),
        ("endLine", end.line.to_string()),
    ];
    // Columns are for ranges within one line.
    if start.line == end.line {
        properties.push(("col", start.utf16.to_string()));
        properties.push(("endColumn", end.utf16.to_string()));
    }
    let properties: Vec<String> =
        properties.iter().map(|(key, value)| format!("{key}={}", property(value))).collect();
    // The log shows the message alone.
    let message = format!(
        "{}:{}:{}: {} [{}]",
        shown::path(path),
        start.line,
        start.utf16,
        finding.message,
        finding.rule.code
    );
    format!("::{level} {}::{}\n", properties.join(","), data(&shown::text(&message)))
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
