//! `.cv_file`, `.cv_loc` and the other directives of CodeView. The words are those of LLVM's `AsmParser.cpp`.

use wavelens_syntax::amdgpu::AmdgpuKind::*;

use super::cursor::{Cursor, integer};
use crate::assembler::{Assembler, Mode, Parsed};
use crate::rules::directive::debug_line::DEBUG_LINE;
use crate::rules::directive::unknown_directive::UNKNOWN_DIRECTIVE;
use wavelens_base::TextRange;

/// Numbers that `.cv_file`, and `.cv_func_id` or `.cv_inline_site_id`, gave.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct CodeView {
    files: Vec<i64>,
    functions: Vec<i64>,
}

impl Assembler<'_> {
    pub(crate) fn codeview(&mut self, c: &mut Cursor<'_>, name: &str, directive: TextRange) -> Parsed<()> {
        match name {
            ".cv_file" => return self.codeview_file(c),
            ".cv_func_id" => {
                let (id, range) = self.codeview_id(c)?;
                self.end_of_line(c)?;
                return self.new_function(c, id, range);
            }
            ".cv_inline_site_id" => return self.inline_site(c),
            ".cv_loc" => return self.codeview_loc(c, directive),
            ".cv_linetable" => {
                self.codeview_id(c)?;
                self.comma(c)?;
                self.symbol_name(c)?;
                self.comma(c)?;
                self.symbol_name(c)?;
            }
            ".cv_inline_linetable" => {
                self.codeview_id(c)?;
                self.number_from(c, 1, "a file number")?;
                self.number_from(c, 0, "a line number")?;
                self.symbol_name(c)?;
                self.symbol_name(c)?;
            }
            ".cv_def_range" => return self.def_range(c),
            ".cv_string" => {
                self.string(c)?;
            }
            ".cv_stringtable" | ".cv_filechecksums" => {}
            ".cv_filechecksumoffset" => {
                self.number_from(c, 0, "a file number")?;
            }
            ".cv_fpo_data" => {
                self.symbol_name(c)?;
            }
            _ => {
                let message = format!("unknown directive `{name}`");
                return Err(self.error(c, &UNKNOWN_DIRECTIVE, directive, message));
            }
        }
        self.end_of_line(c)
    }

    /// A number token of at least `least`.
    fn number_from(&mut self, c: &mut Cursor<'_>, least: i64, what: &str) -> Parsed<(i64, TextRange)> {
        let range = c.range();
        if !c.at(INT) {
            return Err(self.error(c, &DEBUG_LINE, range, format!("expected {what}")));
        }
        let value = integer(c.word()).and_then(|n| i64::try_from(n).ok()).unwrap_or(i64::MAX);
        c.bump();
        if value < least {
            return Err(self.error(c, &DEBUG_LINE, range, format!("{what} is at least {least}")));
        }
        Ok((value, range))
    }

    fn codeview_id(&mut self, c: &mut Cursor<'_>) -> Parsed<(i64, TextRange)> {
        let (id, range) = self.number_from(c, 0, "the number of a function")?;
        if id >= i64::from(u32::MAX) {
            let message = "the number of a function has 32 bits";
            return Err(self.error(c, &DEBUG_LINE, range, message));
        }
        Ok((id, range))
    }

    fn new_function(&mut self, c: &Cursor<'_>, id: i64, range: TextRange) -> Parsed<()> {
        if self.debug.codeview.functions.contains(&id) && self.mode == Mode::Whole {
            let message = format!("function number {id} is already used");
            return Err(self.error(c, &DEBUG_LINE, range, message));
        }
        self.debug.codeview.functions.push(id);
        Ok(())
    }

    fn known_function(&mut self, c: &Cursor<'_>, id: i64, range: TextRange) -> Parsed<()> {
        if self.debug.codeview.functions.contains(&id) || self.mode != Mode::Whole || self.open {
            return Ok(());
        }
        let message = format!("no `.cv_func_id` or `.cv_inline_site_id` gave the number {id}");
        Err(self.error(c, &DEBUG_LINE, range, message))
    }

    /// The number of a file that `.cv_file` gave.
    fn known_file(&mut self, c: &mut Cursor<'_>) -> Parsed<()> {
        let (number, range) = self.number_from(c, 1, "a file number")?;
        if self.debug.codeview.files.contains(&number) || self.mode != Mode::Whole || self.open {
            return Ok(());
        }
        let message = format!("no `.cv_file` gave the number {number}");
        Err(self.error(c, &DEBUG_LINE, range, message))
    }

    /// `.cv_file number "name" ["checksum" kind]`
    fn codeview_file(&mut self, c: &mut Cursor<'_>) -> Parsed<()> {
        let (number, range) = self.number_from(c, 1, "a file number")?;
        self.string(c)?;
        if !c.at_eol() {
            self.string(c)?;
            self.number_from(c, 0, "the kind of the checksum")?;
            self.end_of_line(c)?;
        }
        if self.debug.codeview.files.contains(&number) && self.mode == Mode::Whole {
            let message = format!("file number {number} is already used");
            return Err(self.error(c, &DEBUG_LINE, range, message));
        }
        self.debug.codeview.files.push(number);
        Ok(())
    }

    /// `.cv_inline_site_id id within id inlined_at file line [column]`
    fn inline_site(&mut self, c: &mut Cursor<'_>) -> Parsed<()> {
        let (id, range) = self.codeview_id(c)?;
        self.codeview_word(c, "within")?;
        let (parent, parent_range) = self.codeview_id(c)?;
        self.codeview_word(c, "inlined_at")?;
        self.known_file(c)?;
        self.number_from(c, 0, "a line number")?;
        c.eat(INT);
        self.end_of_line(c)?;
        self.known_function(c, parent, parent_range)?;
        self.new_function(c, id, range)
    }

    fn codeview_word(&mut self, c: &mut Cursor<'_>, word: &str) -> Parsed<()> {
        if c.word() != word {
            return Err(self.error(c, &DEBUG_LINE, c.range(), format!("expected `{word}`")));
        }
        c.bump();
        Ok(())
    }

    /// `.cv_loc id file [line [column]] [prologue_end] [is_stmt 0|1]`
    fn codeview_loc(&mut self, c: &mut Cursor<'_>, directive: TextRange) -> Parsed<()> {
        let (id, _) = self.codeview_id(c)?;
        self.known_file(c)?;
        c.eat(INT);
        c.eat(INT);
        while !c.at_eol() {
            let range = c.range();
            match c.name() {
                Some(("prologue_end", _)) => {}
                Some(("is_stmt", _)) => self.is_stmt(c)?,
                _ => {
                    let message = format!("`{}` does not belong here", c.slice(range));
                    return Err(self.error(c, &DEBUG_LINE, range, message));
                }
            }
        }
        self.known_function(c, id, directive)
    }

    /// `.cv_def_range [from to]..., kind, number...`
    fn def_range(&mut self, c: &mut Cursor<'_>) -> Parsed<()> {
        while c.at(IDENT) {
            self.symbol_name(c)?;
            self.symbol_name(c)?;
        }
        self.comma(c)?;
        let (kind, range) = self.symbol_name(c)?;
        let numbers = match kind {
            "reg" | "frame_ptr_rel" => 1,
            "subfield_reg" => 2,
            "reg_rel" => 3,
            _ => {
                let message = format!("unknown kind `{kind}` of a variable's range");
                return Err(self.error(c, &DEBUG_LINE, range, message));
            }
        };
        for _ in 0..numbers {
            self.comma(c)?;
            self.absolute(c)?;
        }
        // what follows is not looked at
        c.skip_line();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks;

    #[test]
    fn numbers_are_given_before_they_are_named() {
        marks(
            "gfx900",
            expect![[r#"
                .cv_file 1 "a.c"
                .cv_file 1 "b.c"
                ;        ^ error[debug-line]: file number 1 is already used
                .cv_file 2 "b.c" "ab" 1
                .cv_func_id 0
                .cv_func_id 0
                ;           ^ error[debug-line]: function number 0 is already used
                .cv_loc 0 1 3 4 prologue_end is_stmt 0
                .cv_loc 7 1
                ;^^^^^^ error[debug-line]: no `.cv_func_id` or `.cv_inline_site_id` gave the number 7
                .cv_loc 0 9
                ;         ^ error[debug-line]: no `.cv_file` gave the number 9
                .cv_inline_site_id 1 within 0 inlined_at 1 1 1
                .cv_inline_site_id 2 within 5 inlined_at 1 1
                ;                           ^ error[debug-line]: no `.cv_func_id` or `.cv_inline_site_id` gave the number 5
            "#]],
        );
    }

    #[test]
    fn operands_are_of_their_kind() {
        marks(
            "gfx900",
            expect![[r#"
                .cv_loc x
                ;       ^ error[debug-line]: expected the number of a function
                .cv_file
                ;       ^ error[debug-line]: expected a file number
                .cv_file 1
                ;         ^ error[directive-argument]: expected a string, found the end of the line
                .cv_func_id x
                ;           ^ error[debug-line]: expected the number of a function
                .cv_linetable 0, a, b
                .cv_linetable 0 a
                ;               ^ error[syntax-error]: expected `,`, found `a`
                .cv_inline_linetable 0 1 1 a b
                .cv_inline_linetable 0 0
                ;                      ^ error[debug-line]: a file number is at least 1
                .cv_stringtable 3
                ;               ^ error[syntax-error]: expected the end of the line, found `3`
                .cv_string
                ;         ^ error[directive-argument]: expected a string, found the end of the line
                .cv_string "a"
                .cv_filechecksums
                .cv_filechecksumoffset
                ;                     ^ error[debug-line]: expected a file number
                .cv_fpo_data
                ;           ^ error[directive-argument]: expected a symbol, found the end of the line
                .cv_fpo_data a
                .cv_inline_site_id 1 2
                ;                    ^ error[debug-line]: expected `within`
                .cv_def_range
                ;            ^ error[syntax-error]: expected `,`, found the end of the line
                .cv_def_range a b, reg, 3
                .cv_def_range a b c d, reg_rel, 1, 2
                ;                                   ^ error[syntax-error]: expected `,`, found the end of the line
                .cv_def_range a b, what, 1
                ;                  ^^^^ error[debug-line]: unknown kind `what` of a variable's range
                .cv_nothing
                ;^^^^^^^^^^ error[unknown-directive]: unknown directive `.cv_nothing`
            "#]],
        );
    }
}
