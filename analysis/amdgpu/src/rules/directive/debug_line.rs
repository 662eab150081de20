//! `.file`, `.loc` and the line tables of CodeView.

wavelens_syntax::rules! {
    DEBUG_LINE {
        code: "debug-line",
        severity: wavelens_base::Severity::Error,
        title: "`.loc` must name a file that `.file` has declared",
        explain: "File numbers start at 1 (0 in DWARF 5), and a file must be declared above its lines.",
        example: ".loc 1 1\n",
        fixed: ".file 1 \"kernel.hip\"\n.loc 1 1\n",
        source: "LLVM AsmParser::parseDirectiveLoc: \"unassigned file number\"",
    }
}

/// What `.loc` may name.
pub(crate) struct Files<'a> {
    /// The numbers that `.file` gave.
    pub(crate) numbers: &'a [i64],
    /// File 0 exists.
    pub(crate) is_dwarf5: bool,
    /// A file that was not read may have declared more.
    pub(crate) is_open: bool,
}

/// The message about the number of a file that was not declared.
pub(crate) fn undeclared(number: i64, files: &Files<'_>) -> Option<String> {
    if number < 1 && !files.is_dwarf5 {
        return Some("file numbers start at 1".to_owned());
    }
    let is_known = files.numbers.contains(&number) || number == 0 && files.is_dwarf5 || files.is_open;
    (!is_known).then(|| format!("no `.file` gave the number {number}"))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks;

    #[test]
    fn files_are_declared_above_their_lines() {
        marks(
            "gfx900",
            expect![[r#"
                .loc 1 1
                ;    ^ error[debug-line]: no `.file` gave the number 1
                .loc 0 1
                ;    ^ error[debug-line]: file numbers start at 1
                .file 1 "a.hip"
                .loc 1 1
                .file 0 "b.hip"
                .loc 0 1
            "#]],
        );
    }
}
