//! As the command line prints it.

use super::{Row, Target};

impl Target {
    pub(crate) fn human(&self) -> String {
        let width = |length: fn(&Row) -> usize| self.rows.iter().map(length).max().unwrap_or(0);
        // A command is long and comes last.
        let value = |row: &Row| if row.name == "command" { 0 } else { row.value.len() };
        let (name, value) = (width(|row| row.name.len()), width(value));
        let mut out = String::new();
        for row in &self.rows {
            let line = format!("{:<name$}  {:<value$}  {}", row.name, row.value, row.origin);
            out.push_str(line.trim_end());
            out.push('\n');
        }
        for (processor, functions) in &self.functions {
            out.push_str(&format!("{:<name$}  {processor} for {}\n", "functions", functions.join(", ")));
        }
        for (number, target) in &self.run_lines {
            out.push_str(&format!("{:<name$}  {target} (RUN line {number})\n", "also checked"));
        }
        out
    }
}
