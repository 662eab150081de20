//! The outline of a chunk: the statements that later chunks depend on, each on its line, without comments.

use std::hash::BuildHasher;

use rustc_hash::{FxBuildHasher, FxHashMap};
use smol_str::SmolStr;
use wavelens_syntax::amdgpu::AmdgpuKind::{self, *};
use wavelens_syntax::amdgpu::lex;
use wavelens_syntax::machine::Lexed;

use super::cursor::{Cursor, unquote};
use wavelens_base::{TextRange, TextSize};

/// Mnemonics start with one of these. A macro with such a name counts as an instruction here.
const INSTRUCTIONS: &[&str] = &[
    "s_", "v_", "ds_", "buffer_", "tbuffer_", "global_", "flat_", "scratch_", "image_", "exp", "cluster_",
    "tensor_",
];

/// Directives that change nothing but the bytes and what is said.
const DATA: &[&str] = &[
    ".byte",
    ".short",
    ".long",
    ".int",
    ".quad",
    ".2byte",
    ".4byte",
    ".8byte",
    ".ascii",
    ".asciz",
    ".string",
    ".float",
    ".double",
    ".single",
    ".octa",
    ".value",
    ".hword",
    ".p2align",
    ".p2alignl",
    ".p2alignw",
    ".balign",
    ".balignl",
    ".align",
    ".zero",
    ".fill",
    ".space",
    ".skip",
    ".loc",
    ".ident",
    ".addrsig_sym",
    ".addrsig",
    ".size",
    ".uleb128",
    ".sleb128",
    ".amdgcn_target",
    ".cfi_offset",
    ".cfi_def_cfa",
    ".cfi_undefined",
    ".cfi_escape",
    ".error",
    ".err",
    ".warning",
    ".print",
];

/// Where the statements of an outline are. Calls are counted by their names: a mnemonic looks like one while it is typed, and must not
/// change the numbers of what others see.
#[derive(Debug, Default)]
pub(crate) struct Items {
    /// Labels, directives, assignments.
    statements: Vec<TextRange>,
    /// What may call a macro.
    calls: FxHashMap<u32, TextRange>,
}

/// Marks the number of a call.
const CALL: u32 = 1 << 31;

impl Items {
    fn add(&mut self, number: u32, range: TextRange) {
        match is_call_number(number) {
            true => _ = self.calls.insert(number, range),
            false => self.statements.push(range),
        }
    }

    /// Where the statement of a number is.
    pub(crate) fn range(&self, number: u32) -> Option<TextRange> {
        self.calls.get(&number).or_else(|| self.statements.get(number as usize)).copied()
    }

    /// How many that are not calls start before an offset, or at it.
    pub(crate) fn statements_up_to(&self, at: TextSize) -> u32 {
        self.statements.partition_point(|item| item.start() <= at) as u32
    }
}

/// Whether a statement is a call.
pub(crate) fn is_call_number(number: u32) -> bool {
    number & CALL != 0
}

/// Numbers the statements of an outline as [`Items`] does.
#[derive(Debug, Default)]
pub(crate) struct ItemCounter {
    statements: u32,
    /// By 15 bits of a hash of the name.
    calls: FxHashMap<u32, u16>,
}

impl ItemCounter {
    /// The number of the statement at a cursor.
    pub(super) fn next(&mut self, c: &Cursor<'_>) -> u32 {
        if !is_call(c) {
            self.statements += 1;
            return self.statements - 1;
        }
        let name = (FxBuildHasher.hash_one(c.word()) & 0x7fff) as u32;
        let count = self.calls.entry(name).or_default();
        *count = count.wrapping_add(1);
        CALL | name << 16 | u32::from(*count)
    }
}

fn is_label(c: &Cursor<'_>) -> bool {
    matches!(c.kind(), IDENT | STRING | INT) && c.nth(1) == COLON && c.nth(2) != COLON
}

fn is_call(c: &Cursor<'_>) -> bool {
    c.at(IDENT) && !c.word().starts_with('.') && c.nth(1) != EQUAL && !is_label(c)
}

/// What others see of a chunk.
#[derive(Debug, Default)]
pub(crate) struct Outline {
    pub(crate) text: String,
    /// Where each of its statements is.
    pub(crate) items: Items,
    /// The target id of `.amdgcn_target`.
    pub(crate) target: Option<SmolStr>,
    /// The last statement ends with the tokens, without an end of its line.
    pub(crate) is_open: bool,
}

/// The outline of a chunk.
pub(crate) fn outline(text: &str, lexed: &Lexed<AmdgpuKind>) -> Outline {
    let Outline { text: mut out, mut items, mut target, mut is_open } = Outline::default();
    let mut counter = ItemCounter::default();
    let mut c = Cursor::new(text, lexed);
    while !c.at(EOF) {
        if c.eat(EOL) {
            continue;
        }
        let range = c.range();
        if is_label(&c) {
            out.push_str(c.word());
            out.push_str(":\n");
            items.add(counter.next(&c), range);
            c.bump();
            c.bump();
            continue;
        }
        let word = if c.at(IDENT) { c.word() } else { "" };
        if word == ".amdgcn_target" && c.nth(1) == STRING {
            target.get_or_insert_with(|| unquote(c.nth_word(1)).into());
        }
        if is_plain(&c) {
            c.skip_line();
            continue;
        }
        let named = matches!(word, ".set" | ".equ" | ".equiv" | ".macro" | ".globl" | ".type");
        let mut name = c;
        if named {
            name.bump();
        }
        items.add(counter.next(&c), name.range());
        // A whole block belongs to one item.
        block(&mut c, &mut out);
        is_open = c.at(EOF);
    }
    Outline { text: out, items, target, is_open }
}

/// Whether a statement only makes bytes.
pub(super) fn is_plain(c: &Cursor<'_>) -> bool {
    let word = if c.at(IDENT) { c.word() } else { "" };
    let plain = INSTRUCTIONS.iter().any(|p| word.starts_with(p)) || DATA.contains(&word);
    plain && c.nth(1) != EQUAL && !(c.nth(1) == COLON && c.nth(2) != COLON)
}

/// Writes a statement, or all of the block that it opens.
fn block(c: &mut Cursor<'_>, out: &mut String) {
    let end = block_end(c.word());
    let mut depth = 0u32;
    loop {
        let word = c.word();
        if !end.is_empty() && block_end(word) == end {
            depth += 1;
        } else if end.contains(&word) {
            depth = depth.saturating_sub(1);
        }
        statement(c, out);
        if depth == 0 || c.at(EOF) {
            break;
        }
        c.eat(EOL);
    }
}

/// What of a macro's body more than bytes can come of: empty for most, so that their calls need no expansion here.
pub(crate) fn effect(body: &str) -> String {
    let lexed = lex(body);
    let mut c = Cursor::new(body, &lexed);
    let mut lines: Vec<String> = Vec::new();
    while !c.at(EOF) {
        if c.eat(EOL) {
            continue;
        }
        if is_plain(&c) && !names_by_parameter(c) {
            c.skip_line();
            continue;
        }
        let word = c.word();
        let is_repetition = block_end(word) == block_end(".rept");
        let mut line = String::new();
        match is_repetition {
            true => statement(&mut c, &mut line),
            false => block(&mut c, &mut line),
        }
        // Nothing depends on a condition or a repetition around nothing.
        let starts = |line: Option<&String>, words: &[&str]| {
            line.is_some_and(|line| words.iter().any(|word| line.starts_with(word)))
        };
        let parts =
            lines.iter().rev().take_while(|l| word == ".endif" && starts(Some(l), &[".else"])).count();
        let before = lines.len() - parts;
        let opening = before.checked_sub(1).and_then(|at| lines.get(at));
        let is_empty = match word {
            ".endif" => starts(opening, &[".if"]),
            ".endr" => starts(opening, &[".rep", ".irp"]),
            _ => false,
        };
        match is_empty {
            true => lines.truncate(before - 1),
            false => lines.push(line),
        }
    }
    lines.concat()
}

/// Whether a parameter makes the first word of a line longer, and what it becomes may be a symbol that gets a value.
fn names_by_parameter(mut c: Cursor<'_>) -> bool {
    if !(c.nth(1) == BACKSLASH && c.next_is_adjacent()) {
        return false;
    }
    while !c.at_eol() && !matches!(c.kind(), COLON | EQUAL) {
        c.bump();
    }
    !c.at_eol()
}

/// The directives that end the block which one begins; none for others.
pub(crate) fn block_end(word: &str) -> &'static [&'static str] {
    match word {
        ".macro" => &[".endm", ".endmacro"],
        ".rept" | ".rep" | ".irp" | ".irpc" => &[".endr"],
        ".amdhsa_kernel" => &[".end_amdhsa_kernel"],
        ".amdgpu_metadata" => &[".end_amdgpu_metadata"],
        ".amdgpu_pal_metadata" => &[".end_amdgpu_pal_metadata"],
        _ => &[],
    }
}

/// Writes the rest of the line with one space where there was any.
fn statement(c: &mut Cursor<'_>, out: &mut String) {
    let mut last = c.start();
    while !c.at_eol() {
        if c.start() != last {
            out.push(' ');
        }
        out.push_str(c.word());
        last = c.range().end();
        c.bump();
    }
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(body: &str, expected: Expect) {
        expected.assert_eq(&effect(body));
    }

    #[test]
    fn instructions_data_and_what_is_around_them_have_no_effect() {
        check(
            "v_nop\n  .long \\x ; words\n.if \\a\ns_nop 0\n.elseif \\b\n.rept 4\ns_nop 1\n.endr\n.else\n.error \"no\"\n.endif\n",
            expect![""],
        );
    }

    #[test]
    fn names_calls_and_their_conditions_have_an_effect() {
        check(
            "l: s_nop 0\n.if \\a\n.rept 2\nother \\a\nv_nop\n.endr\n.else\ns_nop 1\n.endif\nx = 1\ns_y=2\n\\op v0\nv_\\op v1\ns_\\name\\() = 3\n",
            expect![[r#"
                l: s_nop 0
                .if \a
                .rept 2
                other \a
                .endr
                .else
                .endif
                x = 1
                s_y=2
                \op v0
                s_\name\() = 3
            "#]],
        );
    }

    #[test]
    fn an_inner_macro_stays_as_it_is() {
        check(
            ".macro \\n\ns_nop 0\n.endm\n",
            expect![[r#"
            .macro \n
            s_nop 0
            .endm
        "#]],
        );
    }
}
