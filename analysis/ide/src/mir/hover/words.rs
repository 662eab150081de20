//! What a word says by its place: values of the YAML, types, predicates, flags of the target, masks, numbers.

use wavelens_base::{TextRange, TextSize};
use wavelens_isa::mir::Machine;
use wavelens_syntax::machine::{Kind, Lexed};
use wavelens_syntax::mir::MirKind::{self, *};

use super::super::ide_support::tables;
use super::super::{Cx, physical, yaml_words};
use super::{bits, class_or_part, low_level_type};
use crate::llvm;

/// A word and what is before it.
pub(super) struct Place<'a> {
    cx: &'a Cx<'a>,
    lexed: &'a Lexed<MirKind>,
    index: usize,
    kind: MirKind,
    text: &'a str,
}

impl<'a> Place<'a> {
    pub(super) fn of(cx: &'a Cx<'a>, lexed: &'a Lexed<MirKind>, range: TextRange) -> Self {
        let index = lexed.at_offset(range.start());
        Place { cx, lexed, index, kind: lexed.kind(index), text: cx.slice(range) }
    }

    /// What the word says here; `at` is the place in it.
    pub(super) fn describe(&self, at: TextSize) -> Option<String> {
        let own = |meaning: String| format!("`{}`: {meaning}", self.text);
        match (self.kind, self.before(1).0, self.before(2).0) {
            (PLAIN | SINGLE_QUOTED | DOUBLE_QUOTED, ..) => self.value(),
            (MD_TEXT, ..) => self.expression(at),
            (UNDERSCORE, ..) => {
                Some(own("a generic register, without a register class or bank yet".to_owned()))
            }
            (HEX | INT, LPAREN, BLOCK_NAME) => self.probability(),
            (HEX | INT, COLON, PHYSREG) | (HEX | INT, LPAREN, LANEMASK_KW) => self.lanes(),
            (FLOAT, FP_TYPE, _) => llvm::literal(self.text).map(own),
            (FP_TYPE, ..) => llvm::word(self.text).map(|meaning| own(meaning.to_owned())),
            (IDENT, LPAREN, INTPRED_KW | FLOATPRED_KW) => {
                llvm::word(self.text).map(|meaning| own(meaning.to_owned()))
            }
            (IDENT, LPAREN, TARGET_FLAGS_KW) => self.target_flag().map(own),
            // Of inline assembly: `regdef:VGPR_32`.
            (IDENT, COLON, IDENT) => class_or_part(self.cx, &self.text.to_ascii_lowercase()),
            (IDENT, DOT, IDENT) => self.target_immediate().map(own),
            (IDENT | INT, ..) if self.is_in_vector() => self.vector(),
            (IDENT, ..) => self.operand_word().map(own),
            _ => None,
        }
    }

    /// Kind and text of the word so many before, without blanks.
    fn before(&self, count: usize) -> (MirKind, &'a str) {
        let words = (0..self.index).rev().filter(|i| !self.lexed.kind(*i).is_trivia());
        words
            .skip(count - 1)
            .map(|i| (self.lexed.kind(i), self.cx.slice(self.lexed.range(i))))
            .next()
            .unwrap_or((EOF, ""))
    }

    /// A value before the body: what it is, or what its key says.
    fn value(&self) -> Option<String> {
        let key = self.key()?;
        let text = self.text.trim_matches(['\'', '"']);
        let is_register = text.starts_with('$');
        let own = match key {
            _ if is_register => physical::describe(self.cx, text),
            "class" if text != "_" => class_or_part(self.cx, text),
            _ => yaml_words::value(key, text).map(|meaning| format!("`{text}`: {meaning}")),
        };
        own.or_else(|| Some(format!("`{key}`: {}", yaml_words::key(key)?)))
    }

    /// The key of the value, also of one in a list.
    fn key(&self) -> Option<&'a str> {
        let mut words = (0..self.index).rev().filter(|i| !self.lexed.kind(*i).is_trivia());
        while let Some(index) = words.next() {
            match self.lexed.kind(index) {
                Y_COLON => return words.next().map(|key| self.cx.slice(self.lexed.range(key))),
                Y_LBRACKET | Y_COMMA | PLAIN | SINGLE_QUOTED | DOUBLE_QUOTED | DASH => {}
                _ => return None,
            }
        }
        None
    }

    /// A word of a `!DIExpression`.
    fn expression(&self, at: TextSize) -> Option<String> {
        let offset = usize::from(at - self.lexed.range(self.index).start());
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let (before, after) = self.text.split_at_checked(offset)?;
        let start = before.trim_end_matches(is_part).len();
        let end = offset + (after.len() - after.trim_start_matches(is_part).len());
        let word = self.text.get(start..end)?;
        Some(format!("`{word}`: {}", llvm::debug_word(word)?))
    }

    /// A probability, in parts of 2^31.
    fn probability(&self) -> Option<String> {
        let percent = self.number()? as f64 / f64::from(1u32 << 31) * 100.0;
        Some(format!("`{}`: a probability of {percent:.2} %, in parts of 2^31", self.text))
    }

    fn number(&self) -> Option<u64> {
        match self.text.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16).ok(),
            None => self.text.parse().ok(),
        }
    }

    /// Which lanes of a register a mask has.
    fn lanes(&self) -> Option<String> {
        let mask = self.number()?;
        let lanes = |bits: u64| (0..64).filter(move |n| bits >> n & 1 == 1);
        // AMDGPU has two lanes in 32 bits. Above 512 bits they are in another order.
        let is_known = self.cx.scope.machine == Some(Machine::Amdgpu) && mask <= u64::from(u32::MAX);
        let whole = (0..16).all(|n| matches!(mask >> (2 * n) & 3, 0 | 3));
        let names: Vec<String> = match (is_known, whole) {
            (true, true) => {
                (0..16).filter(|n| mask >> (2 * n) & 1 == 1).map(|n| format!("`sub{n}`")).collect()
            }
            (true, false) => lanes(mask).map(|n| format!("bits {} to {}", 16 * n, 16 * n + 15)).collect(),
            _ => lanes(mask).map(|n| format!("lane {n}")).collect(),
        };
        Some(format!("`{}`: {} of the register", self.text, names.join(", ")))
    }

    /// The relocation that a flag of AMDGPU asks for.
    fn target_flag(&self) -> Option<String> {
        let kind = self.text.strip_prefix("amdgpu-")?;
        let (kind, half) = match kind.rsplit_once('-') {
            Some((kind, "lo")) => (kind, "the low half of "),
            Some((kind, "hi")) => (kind, "the high half of "),
            _ => (kind, ""),
        };
        let what = match kind {
            "gotprel" | "gotprel32" | "gotprel64" => {
                "the distance from here to the symbol's entry in the global offset table"
            }
            "rel32" | "rel64" => "the distance from here to the symbol",
            "abs32" | "abs64" => "the address of the symbol",
            _ => return None,
        };
        Some(format!("{half}{what}"))
    }

    /// `.Vmcnt_0_Lgkmcnt_1`: the counters of a wait, by name.
    fn target_immediate(&self) -> Option<String> {
        let opcode = self.before(2).1;
        if !opcode.starts_with("S_WAIT") {
            return None;
        }
        if self.text.starts_with("AllOff") {
            return Some("waits for nothing".to_owned());
        }
        let mut parts = self.text.split('_');
        let mut shown = Vec::new();
        while let (Some(name), Some(left)) = (parts.next(), parts.next()) {
            shown.push(format!("at most {left} left in `{}`", name.to_ascii_lowercase()));
        }
        (!shown.is_empty()).then(|| format!("waits until there are {}", shown.join(" and ")))
    }

    /// Whether the word is inside `<4 x s32>`.
    fn is_in_vector(&self) -> bool {
        let words = (0..self.index).rev().map(|i| self.lexed.kind(i)).filter(|kind| !kind.is_trivia());
        words.take(4).take_while(|kind| matches!(kind, IDENT | INT | LESS)).any(|kind| kind == LESS)
    }

    fn vector(&self) -> Option<String> {
        let start = (0..self.index).rev().find(|i| self.lexed.kind(*i) == LESS)?;
        let end = (self.index..self.lexed.len()).take(8).find(|i| self.lexed.kind(*i) == GREATER)?;
        let text = self.cx.slice(self.lexed.range(start).cover(self.lexed.range(end)));
        let inner = text.trim_matches(['<', '>']);
        let (scale, fixed) = inner
            .strip_prefix("vscale x ")
            .map_or(("", inner), |rest| (" times `vscale`, which the processor decides", rest));
        let (count, element) = fixed.split_once(" x ")?;
        let count: u32 = count.trim().parse().ok()?;
        let own = low_level_type(self.cx, element.trim())?;
        let all = match scale {
            "" => element_bits(self.cx, element.trim())
                .and_then(|own| own.checked_mul(count))
                .map_or(String::new(), |all| format!(": {}", bits(all))),
            _ => String::new(),
        };
        Some(format!("`{text}`: a vector of {count}{scale}{all}\n\n{own}"))
    }

    /// A word of an operand that is written in no other place.
    fn operand_word(&self) -> Option<String> {
        let is_type = |text: &str| text.strip_prefix('i').is_some_and(|n| n.parse::<u32>().is_ok());
        if is_type(self.text) {
            return element_bits(self.cx, self.text).map(|width| format!("an integer of {}", bits(width)));
        }
        if is_type(self.before(1).1) && matches!(self.text, "true" | "false") {
            return llvm::word(self.text).map(str::to_owned);
        }
        if tables(self.cx)?.facts().masks.iter().any(|mask| *mask == self.text) {
            return Some(
                "the registers that the call leaves as they are, by the callee's calling convention"
                    .to_owned(),
            );
        }
        yaml_words::operand(self.text)
    }
}

/// The width of a low-level type.
fn element_bits(cx: &Cx<'_>, text: &str) -> Option<u32> {
    let number = text.trim_start_matches(|c: char| c.is_ascii_alphabetic()).parse().ok()?;
    Some(if text.starts_with('p') { cx.scope.layout.pointer_bits(number) } else { number })
}
