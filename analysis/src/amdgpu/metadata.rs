//! `.amdgpu_metadata`: a YAML document between two directives.

use wavelens_syntax::amdgpu::AmdgpuKind::*;

use super::assembler::{Assembler, Parsed};
use super::cursor::Cursor;
use super::rules;
use crate::TextRange;

impl Assembler<'_> {
    /// Reads the lines up to the one that is `end`. Gives their text and range.
    pub(super) fn text_block<'t>(
        &mut self,
        c: &mut Cursor<'t>,
        directive: TextRange,
        end: &str,
    ) -> Parsed<(&'t str, TextRange)> {
        let start = c.start();
        loop {
            if c.at(EOF) {
                return Err(self.error(c, &rules::METADATA, directive, format!("`{end}` is missing")));
            }
            if c.at(IDENT) && c.word() == end {
                let range = TextRange::new(start, c.start());
                c.bump();
                return Ok((c.slice(range), range));
            }
            c.skip_line();
            c.eat(EOL);
        }
    }

    pub(super) fn hsa_metadata(&mut self, c: &mut Cursor<'_>, directive: TextRange) -> Parsed<()> {
        let (text, _) = self.text_block(c, directive, ".end_amdgpu_metadata")?;
        if let Err(problem) = super::yaml::verify(text) {
            let at = c.since(c.start());
            let place = TextRange::empty(at.end());
            let mut diagnostic = self.located(c.text, &rules::METADATA, place, problem);
            diagnostic.range = self.end_word(c, diagnostic.range);
            self.push(diagnostic);
        }
        Ok(())
    }

    /// LLVM reports a document as a whole, behind its last line.
    fn end_word(&self, c: &Cursor<'_>, fallback: TextRange) -> TextRange {
        match self.expansions.is_empty() {
            true => c.range(),
            false => fallback,
        }
    }
}
