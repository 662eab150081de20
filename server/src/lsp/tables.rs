//! Tables of Markdown as aligned text, for clients that show them as they are written.

/// Clients in terminals; they show Markdown with its pipes.
const TERMINALS: [&str; 5] = ["vim", "helix", "emacs", "eglot", "kak"];

/// Whether a client, by its name, shows a file as it first read it until the user says otherwise.
pub(super) fn keeps_files(client: &str) -> bool {
    client.to_ascii_lowercase().contains("helix")
}

/// Whether a client of this name shows tables as they are written.
pub(super) fn shows_pipes(client: &str) -> bool {
    let name = client.to_ascii_lowercase();
    TERMINALS.iter().any(|t| name.contains(t))
}

/// The text with each table as a block of aligned columns.
pub(super) fn as_text(markdown: &str) -> String {
    let mut out = String::with_capacity(markdown.len());
    let mut lines = markdown.lines().peekable();
    let mut in_code = false;
    while let Some(line) = lines.next() {
        in_code ^= line.trim_start().starts_with("```");
        let is_table = !in_code && line.starts_with('|') && lines.peek().is_some_and(|l| is_rule(l));
        if !is_table {
            out.push_str(line);
            out.push('\n');
            continue;
        }
        lines.next();
        let mut rows = vec![cells(line)];
        while let Some(row) = lines.next_if(|l| l.starts_with('|')) {
            rows.push(cells(row));
        }
        // A table may do without names of its columns.
        rows.retain(|row| row.iter().any(|cell| !cell.is_empty()));
        out.push_str("```text\n");
        out.push_str(&aligned(&rows));
        out.push_str("```\n");
    }
    out
}

/// The line between the names of the columns and the rows.
fn is_rule(line: &str) -> bool {
    line.starts_with('|') && line.contains('-') && line.chars().all(|c| matches!(c, '|' | '-' | ':' | ' '))
}

/// The cells of a row, without the marks of code and emphasis.
fn cells(row: &str) -> Vec<String> {
    // `\\|` is a pipe in a cell.
    let row = row.trim().trim_start_matches('|').replace("\\|", "\u{1}");
    let row = row.strip_suffix('|').unwrap_or(&row);
    let plain = |cell: &str| cell.replace('`', "").replace("**", "").replace('\u{1}', "|").trim().to_owned();
    row.split('|').map(plain).collect()
}

fn aligned(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut out = String::new();
    for row in rows {
        let padded: Vec<String> =
            row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
        out.push_str(padded.join("  ").trim_end());
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn tables_become_columns_and_the_rest_stays() {
        let markdown = "**v_add_f32**\n\n| field | bits |\n|---|--:|\n| `src0` | 8:0 |\n| a \\| b | 31 |\n\n```\n| code |\n|---|\n```\n";
        expect![[r#"
            **v_add_f32**

            ```text
            field  bits
            src0   8:0
            a | b  31
            ```

            ```
            | code |
            |---|
            ```
        "#]]
        .assert_eq(&as_text(markdown));
    }

    #[test]
    fn editors_in_terminals_are_known_by_name() {
        assert!(shows_pipes("Neovim") && shows_pipes("helix") && shows_pipes("Eglot"));
        assert!(!shows_pipes("Visual Studio Code") && !shows_pipes("Zed") && !shows_pipes(""));
    }
}
