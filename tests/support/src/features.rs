//! What each editor can do with the server, and with which key: `tests/editors/features.json`. The book's table is made from it, and the
//! test of an editor prints a line `FEATURE id` for each row that works there.

use serde::Deserialize;

/// The file, from the top of the repository.
pub const FILE: &str = "tests/editors/features.json";

/// Features by editor.
#[derive(Debug, Deserialize)]
pub struct Features {
    /// The columns.
    pub editors: Vec<String>,
    /// Cells that no test confirms.
    pub untested: Vec<Untested>,
    /// The rows.
    pub features: Vec<Feature>,
}

/// Cells of an editor that no test confirms.
#[derive(Debug, Deserialize)]
pub struct Untested {
    /// The column.
    pub editor: String,
    /// The rows; all without this.
    pub features: Option<Vec<String>>,
    /// Why it is not tested.
    pub why: String,
}

/// A row.
#[derive(Debug, Deserialize)]
pub struct Feature {
    /// What tests call it.
    pub id: String,
    /// What the book calls it.
    pub name: String,
    /// The key in each editor; empty where the editor does not have the feature.
    pub keys: Vec<String>,
}

impl Features {
    /// Reads the file's text.
    pub fn read(text: &str) -> Result<Features, String> {
        let features: Features = serde_json::from_str(text).map_err(|e| e.to_string())?;
        match features.features.iter().find(|row| row.keys.len() != features.editors.len()) {
            Some(row) => Err(format!("{} does not have a key for each editor", row.id)),
            None => Ok(features),
        }
    }

    /// The table of the book and the sentence below it.
    pub fn table(&self) -> String {
        let mut out = format!("| feature | {} |\n", self.editors.join(" | "));
        out += &format!("|---|{}\n", "---|".repeat(self.editors.len()));
        for row in &self.features {
            let cells: Vec<&str> =
                row.keys.iter().map(|key| if key.is_empty() { "—" } else { key.as_str() }).collect();
            out += &format!("| {} | {} |\n", row.name, cells.join(" | "));
        }
        let exceptions: Vec<String> = self.untested.iter().map(|u| self.exception(u)).collect();
        out + &format!(
            "\nEach of these is tested in the editor itself, except {}.\n",
            exceptions.join(" and ")
        )
    }

    fn exception(&self, untested: &Untested) -> String {
        let Untested { editor, features, why } = untested;
        match features {
            None => format!("in {editor} ({why})"),
            Some(ids) => {
                let rows = self.features.iter().filter(|row| ids.contains(&row.id));
                let names: Vec<&str> = rows.map(|row| row.name.as_str()).collect();
                format!("{} in {editor} ({why})", names.join(", "))
            }
        }
    }

    /// The rows that the test of an editor must find working.
    pub fn required(&self, editor: &str) -> Vec<&str> {
        let Some(column) = self.editors.iter().position(|name| name == editor) else { return Vec::new() };
        let is_untested = |id: &String| {
            self.untested
                .iter()
                .any(|u| u.editor == editor && u.features.as_ref().is_none_or(|ids| ids.contains(id)))
        };
        let rows = self.features.iter().filter(|row| row.keys.get(column).is_some_and(|key| !key.is_empty()));
        rows.filter(|row| !is_untested(&row.id)).map(|row| row.id.as_str()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"{
        "editors": ["A", "B"],
        "untested": [{ "editor": "B", "features": ["hints"], "why": "too old" }],
        "features": [
            { "id": "hover", "name": "hover", "keys": ["mouse", ""] },
            { "id": "hints", "name": "inlay hints", "keys": ["yes", "newer"] }
        ]
    }"#;

    #[test]
    fn a_table_has_a_row_for_each_feature() {
        let features = Features::read(TEXT).expect("is valid");
        assert_eq!(
            features.table(),
            "| feature | A | B |\n|---|---|---|\n| hover | mouse | — |\n| inlay hints | yes | newer |\n\n\
             Each of these is tested in the editor itself, except inlay hints in B (too old).\n"
        );
        assert_eq!(features.required("A"), ["hover", "hints"]);
        assert!(features.required("B").is_empty());
    }

    #[test]
    fn every_row_has_a_cell_for_each_editor() {
        assert!(Features::read(&TEXT.replace(r#", "newer"]"#, "]")).is_err());
    }
}
