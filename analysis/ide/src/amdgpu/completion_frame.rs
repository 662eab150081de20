//! Which directives come next in the frame that compilers write around functions and data, and where instructions are not expected.

use super::completion::List;

/// What follows the statement before, the most likely first. A label that ends a function is written `.Lfunc_end`.
const FOLLOWS: &[(&str, &[&str])] = &[
    (".amdgcn_target", &[".amdhsa_code_object_version", ".text"]),
    (".amdhsa_code_object_version", &[".text"]),
    (".text", &[".globl", ".p2align", ".protected", ".type", ".section", ".hidden", ".weak"]),
    (".protected", &[".globl", ".weak"]),
    (".globl", &[".p2align", ".type"]),
    (".weak", &[".p2align", ".type"]),
    (".p2align", &[".type", ".amdhsa_kernel", ".long"]),
    (".Lfunc_end", &[".size"]),
    (".end_amdhsa_kernel", &[".text"]),
    (".size", &[".section", ".set", ".text", ".globl", ".type"]),
    (".set", &[".set", ".section", ".text"]),
    (".section", &[".p2align", ".set", ".text", ".long", ".byte", ".asciz", ".globl"]),
    (".type", &[".section", ".globl", ".p2align"]),
    (".ident", &[".section", ".ident", ".addrsig", ".amdgpu_metadata"]),
    (".addrsig", &[".addrsig_sym", ".amdgpu_metadata"]),
    (".addrsig_sym", &[".addrsig_sym", ".amdgpu_metadata"]),
];
/// What defines data.
const DATA: [&str; 9] =
    [".long", ".byte", ".quad", ".asciz", ".short", ".uleb128", ".ascii", ".zero", ".fill"];
const AFTER_DATA: [&str; 5] = [".size", ".section", ".p2align", ".text", ".set"];
/// What chooses a section.
const SECTIONS: [&str; 4] = [".text", ".data", ".bss", ".section"];

/// The rank of what follows first, and how much later an instruction comes where none is expected.
const DUE: u8 = 20;
const LATER: u8 = 30;
/// Instructions after which control does not go on.
const ENDS: [&str; 4] = ["s_endpgm", "s_setpc", "s_branch", "s_code_end"];
/// Lines above the cursor that are looked at, and those within which line numbers are looked for.
const LINES: usize = 4000;
const NEAR: usize = 40;

/// The statements before the cursor.
pub(super) struct Frame {
    due: Vec<&'static str>,
    /// Whether functions have line numbers.
    has_lines: bool,
    /// Whether an instruction precedes after which control goes on.
    in_body: bool,
    takes_instructions: bool,
}

impl List<'_, '_> {
    /// The frame around the cursor, which is at the start of a statement.
    pub(super) fn frame(&self) -> Frame {
        let view = self.cx.view;
        let earlier = view.chunks().iter().take(self.cx.index).rev().map(|chunk| view.text(*chunk));
        let lines = std::iter::once(self.before()).chain(earlier).flat_map(|text| text.lines().rev());
        let statements =
            lines.take(LINES).map(str::trim).filter(|line| !line.is_empty() && !line.starts_with(';'));
        let mut frame = Frame { due: Vec::new(), has_lines: false, in_body: false, takes_instructions: true };
        let (mut is_first, mut is_known) = (true, false);
        for (count, statement) in statements.enumerate() {
            let word = statement.split([' ', '\t', ':']).next().unwrap_or("");
            let word = if word.starts_with(".Lfunc_end") { ".Lfunc_end" } else { word };
            if std::mem::take(&mut is_first) {
                let follows = FOLLOWS.iter().find(|(before, _)| *before == word).map(|(_, next)| *next);
                frame.due.extend(follows.unwrap_or_default());
                if DATA.contains(&word) {
                    frame.due.push(DATA.into_iter().find(|data| *data == word).unwrap_or(DATA[0]));
                    frame.due.extend(DATA.iter().chain(&AFTER_DATA).filter(|data| **data != word));
                }
            }
            frame.has_lines |= word == ".loc";
            let is_code = word.starts_with(|c: char| c.is_ascii_lowercase());
            let is_function = statement.ends_with(':') && !word.starts_with('.');
            if !is_known && (SECTIONS.contains(&word) || word == ".Lfunc_end" || is_code || is_function) {
                frame.takes_instructions = is_code || is_function;
                frame.in_body = is_code && !ENDS.iter().any(|end| word.starts_with(end));
                is_known = true;
            }
            if is_known && count > NEAR {
                break;
            }
        }
        frame
    }
}

impl Frame {
    /// The rank of a directive, if the frame decides about it.
    pub(super) fn rank(&self, directive: &str) -> Option<u8> {
        if directive == ".loc" && self.has_lines {
            return Some(DUE);
        }
        self.due.iter().position(|due| *due == directive).map(|at| DUE + at as u8)
    }

    /// How much later a directive is proposed where another instruction is expected.
    pub(super) fn directive_delay(&self) -> u8 {
        if self.in_body { 15 } else { 0 }
    }

    /// How much later an instruction is proposed.
    pub(super) fn delay(&self) -> u8 {
        if self.takes_instructions { 0 } else { LATER }
    }
}
