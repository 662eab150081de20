//! Registers as written: names, ranges and lists.

use wavelens_isa::{self as isa, Half, Line, Reg, RegError, RegFile, Term, Value};
use wavelens_syntax::amdgpu::AmdgpuKind::{self, *};
use wavelens_syntax::amdgpu::SYNTAX_ERROR;

use super::cursor::Cursor;
use super::expression::Expr;
use super::symbols::{Definition, SymbolId};
use crate::assembler::{Assembler, Parsed};
use crate::rules::instruction::no_such_register::NO_SUCH_REGISTER;
use crate::rules::instruction::register_alignment::{self, REGISTER_ALIGNMENT};
use crate::rules::symbol::not_absolute::NOT_ABSOLUTE;
use wavelens_base::TextRange;
use wavelens_base::configuration::Os;

/// The file prefix of `v12`, `s3.l`; `None` for every other word.
pub fn numbered_register(word: &str) -> Option<&'static str> {
    let rest = word.strip_suffix(".l").or_else(|| word.strip_suffix(".h")).unwrap_or(word);
    ["v", "s", "ttmp", "acc", "a"]
        .into_iter()
        .find(|prefix| rest.strip_prefix(prefix).is_some_and(isa::is_register_number))
}

pub(crate) fn is_register_file(word: &str) -> bool {
    matches!(word, "v" | "s" | "ttmp" | "acc" | "a")
}

pub(crate) fn at_register(c: &Cursor<'_>) -> bool {
    match c.kind() {
        L_BRACKET => true,
        IDENT => {
            let word = c.word();
            numbered_register(word).is_some()
                || (is_register_file(word) && c.nth(1) == L_BRACKET)
                || isa::named_register(word).is_some()
        }
        _ => false,
    }
}

/// Goes over a register with brackets whose file is unknown: `iv[0:1]`.
pub(super) fn tuple_of_unknown_file<'t>(c: &mut Cursor<'t>) -> Option<&'t str> {
    let (start, mut ahead) = (c.start(), *c);
    let parts: &[AmdgpuKind] = match ahead.nth(3) {
        COLON => &[IDENT, L_BRACKET, INT, COLON, INT, R_BRACKET],
        _ => &[IDENT, L_BRACKET, INT, R_BRACKET],
    };
    let is_whole = parts.iter().all(|part| ahead.eat(*part));
    let word = c.slice(ahead.since(start));
    (is_whole && !word.contains(char::is_whitespace)).then(|| *c = ahead).map(|()| word)
}

/// The registers of a kernel on processors with accumulation registers, for other systems than amdhsa: `.kernel.vgpr_count` is the
/// number of both.
#[derive(Debug, Clone, Copy)]
pub(crate) struct KernelRegisters {
    agpr_count: SymbolId,
    vgprs: i64,
    agprs: i64,
}

impl KernelRegisters {
    pub(crate) fn new(agpr_count: SymbolId) -> Self {
        KernelRegisters { agpr_count, vgprs: 0, agprs: 0 }
    }
}

/// The last register of the file in which a numbered register is missing.
fn last_register(word: &str) -> Option<String> {
    let prefix = word.trim_end_matches(|c: char| c.is_ascii_digit());
    if !is_register_file(prefix) || prefix.len() == word.len() {
        return None;
    }
    let names = (0..512).rev().map(|index| format!("{prefix}{index}"));
    names.into_iter().find(|name| isa::named_register(name).is_some()).filter(|last| last != word)
}

impl Assembler<'_> {
    pub(crate) fn register<'a>(
        &mut self,
        c: &mut Cursor<'a>,
        line: &mut Line<'a>,
        depth: u32,
    ) -> Parsed<Value<'a>> {
        let start = c.start();
        if c.at(L_BRACKET) {
            return self.register_list(c, line, depth);
        }
        let word = c.word();
        if is_register_file(word) && c.nth(1) == L_BRACKET {
            return self.register_range(c);
        }
        let range = c.range();
        c.bump();
        match isa::named_register(word) {
            Some(reg) => {
                self.count_register(c, reg, range);
                Ok(Value::Reg(reg))
            }
            None => {
                let limit = last_register(word).map(|last| format!("; the last is `{last}`"));
                let message = format!("unknown register `{word}`{}", limit.unwrap_or_default());
                Err(self.error(c, &NO_SUCH_REGISTER, TextRange::new(start, range.end()), message))
            }
        }
    }

    fn register_range<'a>(&mut self, c: &mut Cursor<'a>) -> Parsed<Value<'a>> {
        let rule = &NO_SUCH_REGISTER;
        let start = c.start();
        let prefix = c.word();
        c.bump();
        c.bump();
        let low = self.index(c, prefix, "first")?;
        let high = match c.eat(COLON) {
            true => self.index(c, prefix, "last")?,
            false => low,
        };
        if !c.eat(R_BRACKET) {
            let expected = if high == low { "`:` or `]`" } else { "`]`" };
            return Err(self.error(c, &SYNTAX_ERROR, c.range(), c.expected(expected)));
        }
        let (Some(low), Some(high)) = (low, high) else { return Ok(Value::Unknown) };
        let mut half = Half::Full;
        if low == high && c.at(IDENT) && matches!(c.word(), ".l" | ".h") {
            half = if c.word() == ".l" { Half::Lo } else { Half::Hi };
            c.bump();
        }
        let range = c.since(start);
        let message = match isa::register_range(prefix, low, high, half) {
            Some(Ok(reg)) => {
                self.count_register(c, reg, range);
                return Ok(Value::Reg(reg));
            }
            Some(Err(RegError::Alignment)) => {
                let message = register_alignment::scalar_range(prefix, low, high);
                return Err(self.error(c, &REGISTER_ALIGNMENT, range, message));
            }
            Some(Err(_)) if low < 0 || high < 0 => {
                format!("`{prefix}[{low}:{high}]` must not have a negative index")
            }
            Some(Err(RegError::Reversed)) => {
                format!(
                    "`{prefix}[{low}:{high}]` is reversed: the first index, {low}, is greater than the last, {high}"
                )
            }
            Some(Err(RegError::BadCount)) => {
                format!("tuples of {} registers do not exist", high.saturating_sub(low).saturating_add(1))
            }
            Some(Err(_)) => {
                let last = last_register(&format!("{prefix}{high}"));
                let last = last.map(|last| format!(", `{last}`")).unwrap_or_default();
                match low == high {
                    true => format!("`{prefix}[{high}]` goes beyond the last register{last}"),
                    false => format!("`{prefix}[{low}:{high}]` goes beyond the last register{last}"),
                }
            }
            None => format!("unknown register file `{prefix}`"),
        };
        Err(self.error(c, rule, range, message))
    }

    /// The number of one end of a range of registers.
    fn index(&mut self, c: &mut Cursor<'_>, prefix: &str, end: &str) -> Parsed<Option<i64>> {
        if c.kind() == COLON || c.kind() == R_BRACKET {
            let message = format!("missing number of the {end} register, as in `{prefix}[2:3]`");
            return Err(self.error(c, &SYNTAX_ERROR, c.range(), message));
        }
        self.absolute_term(c)
    }

    fn register_list<'a>(
        &mut self,
        c: &mut Cursor<'a>,
        line: &mut Line<'a>,
        depth: u32,
    ) -> Parsed<Value<'a>> {
        let Some(deeper) = depth.checked_sub(1) else {
            return Err(self.error(c, &SYNTAX_ERROR, c.range(), "the list nests too deeply"));
        };
        let start = c.start();
        c.bump();
        let mut regs: Vec<Reg> = Vec::new();
        let mut unknown = false;
        loop {
            if !at_register(c) {
                return Err(self.error(c, &SYNTAX_ERROR, c.range(), c.expected("a register")));
            }
            match self.register(c, line, deeper)? {
                Value::Reg(reg) => regs.push(reg),
                Value::Unknown => unknown = true,
                _ => {
                    let range = c.since(start);
                    return Err(self.error(c, &SYNTAX_ERROR, range, "a list holds single registers"));
                }
            }
            if c.eat(R_BRACKET) {
                break;
            }
            if !c.eat(COMMA) {
                return Err(self.error(c, &SYNTAX_ERROR, c.range(), "expected `,` or `]`"));
            }
        }
        if unknown {
            return Ok(Value::Unknown);
        }
        if let [reg] = regs[..] {
            return Ok(Value::Reg(reg));
        }
        // A tuple, or the addresses of an image instruction: the instruction tells.
        let terms: Vec<Term<'a>> = regs.iter().map(|r| Term::Reg(*r)).collect();
        Ok(Value::RegList(line.store(&terms)))
    }

    /// Keeps `.amdgcn.next_free_vgpr` and its sister.
    fn count_register(&mut self, c: &Cursor<'_>, reg: Reg, range: TextRange) {
        let next = i64::from(reg.index) + i64::from(reg.dwords);
        let (counter, number) = match (reg.file, self.kernel_registers) {
            (RegFile::Vgpr | RegFile::Agpr, Some(mut kernel)) => {
                let count = if reg.file == RegFile::Vgpr { &mut kernel.vgprs } else { &mut kernel.agprs };
                *count = next.max(*count);
                self.raise(kernel.agpr_count, kernel.agprs);
                self.kernel_registers = Some(kernel);
                (self.next_free_vgpr, self.total_vgprs(kernel.vgprs, kernel.agprs).unwrap_or(0))
            }
            (RegFile::Vgpr, None) => (self.next_free_vgpr, next),
            (RegFile::Sgpr, _) => (self.next_free_sgpr, next),
            _ => return,
        };
        if !self.raise(counter, number) && self.os == Os::Amdhsa {
            let name = self.symbols.name(counter);
            let message = format!("`{name}` must be a number, because this register is counted in it");
            self.error(c, &NOT_ABSOLUTE, range, message);
            // One report is enough.
            self.symbols.get_mut(counter).definition = Definition::Unknown;
        }
    }

    /// Sets a symbol to a number that is larger than its own; `false` if it has another value.
    fn raise(&mut self, id: SymbolId, number: i64) -> bool {
        match &mut self.symbols.get_mut(id).definition {
            Definition::Variable(Expr::Const(old)) => *old = number.max(*old),
            Definition::Variable(expr) => return matches!(expr, Expr::Unknown),
            _ => {}
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks;

    #[test]
    fn registers_are_counted_in_numbers() {
        marks(
            "gfx900",
            expect![[r#"
                .set .amdgcn.next_free_vgpr, "foo"
                s_mov_b32 s0, s1
                v_mov_b32 v0, s0
                ;         ^^ error[not-absolute]: `.amdgcn.next_free_vgpr` must be a number, because this register is counted in it
                v_mov_b32 v0, v1
                .set .amdgcn.next_free_vgpr, 4
                v_mov_b32 v0, v1
                .set .amdgcn.next_free_sgpr, end-start
                v_mov_b32 v[0:1], s0
                ;         ^^^^^^ error[invalid-operand]: `v_mov_b32`: expected a single vector register, found `v[0:1]`
                ;                 ^^ error[not-absolute]: `.amdgcn.next_free_sgpr` must be a number, because this register is counted in it
                v_mov_b32 v0, s[0:1]
                ;             ^^^^^^ error[invalid-operand]: `v_mov_b32`: expected a vector or scalar register or an immediate, found `s[0:1]`
                start:
                s_endpgm
                end:
            "#]],
        );
    }
}
