//! `.symver`: names with versions for symbols.

use wavelens_syntax::amdgpu::AmdgpuKind::COMMA;

use super::cursor::Cursor;
use super::symbols::{Definition, SymbolId};
use crate::assembler::{Assembler, Mode, Parsed};
use crate::rules::directive::directive_argument::DIRECTIVE_ARGUMENT;
use wavelens_base::{Diagnostic, TextRange};

/// A name that a symbol gets.
#[derive(Debug)]
pub(crate) struct SymbolVersion {
    symbol: SymbolId,
    /// With its version.
    name: String,
    /// The symbol keeps its old name too.
    keeps_name: bool,
    range: TextRange,
}

impl SymbolVersion {
    /// The version that programs link with when they name none, as in `name@@V1`; it is that of a symbol of this file.
    fn is_default(&self) -> bool {
        self.name.contains("@@") && !self.name.contains("@@@")
    }
}

impl Assembler<'_> {
    /// `.symver name, name@VERSION[, remove]`
    pub(crate) fn symbol_version(&mut self, c: &mut Cursor<'_>, directive: TextRange) -> Parsed<()> {
        let rule = &DIRECTIVE_ARGUMENT;
        let (symbol, _) = self.symbol_name(c)?;
        self.comma(c)?;
        let start = c.start();
        while !c.at_eol() && !c.at(COMMA) {
            c.bump();
        }
        let range = c.since(start);
        let name = c.slice(range).to_owned();
        if !name.contains('@') {
            return Err(self.error(c, rule, range, "expected a name with its version, as in `name@V1`"));
        }
        let mut keeps_name = !name.contains("@@@");
        if c.eat(COMMA) {
            if c.word() != "remove" {
                return Err(self.error(c, rule, c.range(), "expected `remove`"));
            }
            c.bump();
            keeps_name = false;
        }
        self.end_of_line(c)?;
        if self.mode == Mode::Whole {
            let (symbol, range) = (self.symbols.intern(symbol), self.outer_range(directive));
            self.versions.push(SymbolVersion { symbol, name, keeps_name, range });
        }
        Ok(())
    }

    /// Once all symbols are known.
    pub(crate) fn check_symbol_versions(&mut self) {
        let mut renamed: Vec<(SymbolId, String)> = Vec::new();
        for version in std::mem::take(&mut self.versions) {
            let undefined = self.symbols.get(version.symbol).definition == Definition::Undefined;
            if (version.keeps_name && !undefined) || (undefined && self.open) {
                continue;
            }
            let symbol = self.symbols.name(version.symbol);
            let message = if undefined && version.is_default() {
                format!("`{symbol}` must be defined here: `{}` makes this its default version", version.name)
            } else if let Some((_, first)) =
                renamed.iter().find(|(id, name)| *id == version.symbol && *name != version.name)
            {
                format!("`{symbol}` is called `{first}` already, and can have no second version")
            } else {
                renamed.push((version.symbol, version.name));
                continue;
            };
            self.diagnostics.push(Diagnostic::new(&DIRECTIVE_ARGUMENT, version.range, message));
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks;

    #[test]
    fn default_versions_are_of_symbols_defined_here() {
        marks(
            "gfx900",
            expect![[r#"
                .symver x, y@@V1
                ;^^^^^^ error[directive-argument]: `x` must be defined here: `y@@V1` makes this its default version
                .symver x, y@@V1
                ;^^^^^^ error[directive-argument]: `x` must be defined here: `y@@V1` makes this its default version
                .symver u, w@V1
                .symver l, m@@V1
                .symver l, m@V0
                .symver u, v@@@V2
                ;^^^^^^ error[directive-argument]: `u` is called `w@V1` already, and can have no second version
                l:
            "#]],
        );
    }
}
