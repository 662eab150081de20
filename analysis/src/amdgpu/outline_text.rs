//! The outline of a chunk: the statements that later chunks depend on, each on its line, without comments.

use wavelens_syntax::amdgpu::AmdgpuKind::{self, *};
use wavelens_syntax::machine::Lexed;

use super::cursor::{Cursor, unquote};
use crate::TextRange;

/// Mnemonics start with one of these. A macro with such a name is taken for an instruction here.
const INSTRUCTIONS: &[&str] = &[
    "s_", "v_", "ds_", "buffer_", "tbuffer_", "global_", "flat_", "scratch_", "image_", "exp", "cluster_",
    "tensor_",
];

/// Directives that change nothing but the bytes.
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
];

/// The outline, where each of its statements stands, and the processor named by `.amdgcn_target` or a `RUN:` line.
pub(super) fn outline(text: &str, lexed: &Lexed<AmdgpuKind>) -> (String, Vec<TextRange>, Option<String>) {
    let mut out = String::new();
    let mut items = Vec::new();
    let mut target = None;
    let mut c = Cursor::new(text, lexed);
    while !c.at(EOF) {
        if c.eat(EOL) {
            continue;
        }
        let range = c.range();
        if matches!(c.kind(), IDENT | STRING | INT) && c.nth(1) == COLON && c.nth(2) != COLON {
            out.push_str(c.word());
            out.push_str(":\n");
            items.push(range);
            c.bump();
            c.bump();
            continue;
        }
        let word = if c.at(IDENT) { c.word() } else { "" };
        if word == ".amdgcn_target" && c.nth(1) == STRING {
            target.get_or_insert_with(|| unquote(c.nth_word(1)).to_owned());
        }
        let assigns = c.nth(1) == EQUAL;
        let plain = INSTRUCTIONS.iter().any(|p| word.starts_with(p)) || DATA.contains(&word);
        if plain && !assigns {
            c.skip_line();
            continue;
        }
        let named = matches!(word, ".set" | ".equ" | ".equiv" | ".macro" | ".globl" | ".type");
        let mut name = c;
        if named {
            name.bump();
        }
        items.push(name.range());
        // A whole block belongs to one item.
        let end = block_end(word);
        let mut depth = 0u32;
        loop {
            let word = c.word();
            if !end.is_empty() && block_end(word) == end {
                depth += 1;
            } else if end.contains(&word) {
                depth = depth.saturating_sub(1);
            }
            statement(&mut c, &mut out);
            if depth == 0 || c.at(EOF) {
                break;
            }
            c.eat(EOL);
        }
    }
    if target.is_none() && text.contains("RUN:") {
        target = text.lines().filter(|l| l.contains("RUN:")).find_map(run_line_target);
    }
    (out, items, target)
}

fn block_end(word: &str) -> &'static [&'static str] {
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

fn run_line_target(line: &str) -> Option<String> {
    let at = line.find("-mcpu")?;
    let rest = line.get(at + 5..)?.strip_prefix(['=', ' '])?;
    let name = rest.split(|c: char| !c.is_ascii_alphanumeric() && c != '-').next()?;
    let wave = if line.contains("+wavefrontsize64") { ":wavefrontsize64" } else { "" };
    Some(format!("{name}{wave}"))
}
