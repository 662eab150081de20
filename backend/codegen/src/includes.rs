//! Assembly that makes an assembler open files. `.include` and `.incbin` name any file of this machine, and the document decides which:
//! text with them is not handed to outside tools, in assembly, `module asm` or inline assembly.
//!
//! Macros can put the words together, so what decides is whether a word could become one: each parameter counts as any text. Text that
//! is refused without need costs a second opinion.

use crate::report::{Failure, Message};

/// What opens files. Assemblers read them in any case.
const DIRECTIVES: [&[u8]; 2] = [b".include", b".incbin"];

/// Whether assembly could open files.
pub(crate) fn opens_files(assembly: &str) -> bool {
    let assembly = &without_parentheses(&plain_operands(assembly));
    // In this mode there are other ways to put words together.
    let is_special = |word: &str| word.eq_ignore_ascii_case(".altmacro");
    assembly.split(|c| !is_of_word(c)).any(|word| is_special(word) || could_open(word))
}

/// Fails if assembly within LLVM IR or Machine IR could open files.
pub(crate) fn check_ir(text: &str) -> Result<(), Failure> {
    let Some(at) = strings(text).find(|s| s.is_opening()).map(|s| s.start) else { return Ok(()) };
    let line = text.get(..at).map(|before| before.matches('\n').count());
    Err(Failure::Rejected(vec![Message {
        line: line.and_then(|line| u32::try_from(line).ok()),
        is_error: true,
        text: "assembly in this module could open files with `.include` or `.incbin`, so no compiler gets it"
            .to_owned(),
    }]))
}

/// Text with operands of inline assembly as `$` alone, in place of `${0:c}` and of the alternatives in `$(a$|b$)`.
fn plain_operands(assembly: &str) -> String {
    let mut plain = String::with_capacity(assembly.len());
    let mut rest = assembly;
    while let Some(at) = rest.find('$') {
        let (before, operand) = rest.split_at(at);
        plain.push_str(before);
        plain.push('$');
        let end = match operand.as_bytes().get(1) {
            Some(b'{') => operand.find('}').map(|end| end + 1),
            Some(b'(') => operand.find("$)").map(|end| end + 2),
            _ => None,
        };
        rest = operand.get(end.unwrap_or(1)..).unwrap_or_default();
    }
    plain + rest
}

/// Text without the parentheses that belong to no parameter: `(in bytes)` in a comment is not the end of `.incbin`.
fn without_parentheses(assembly: &str) -> String {
    let mut plain = String::with_capacity(assembly.len());
    for c in assembly.chars() {
        let is_of_parameter = match c {
            '(' => plain.ends_with(['\\', '$']),
            ')' => plain.ends_with("\\(") || plain.ends_with('$'),
            _ => true,
        };
        plain.push(if is_of_parameter { c } else { ' ' });
    }
    plain
}

/// Words and what macros and operands put into them: `\name`, `\()`, `\@`, `$0`.
fn is_of_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '$' | '\\' | '(' | ')' | '@' | '&')
}

/// Whether a word is a directive that opens files, for some text in place of its parameters.
fn could_open(word: &str) -> bool {
    let parts = literal_parts(word);
    // A parameter alone is a word that is there, or put together, elsewhere.
    let is_alone = parts.len() == 2 && parts.iter().all(|part| part.is_empty());
    !is_alone && DIRECTIVES.iter().any(|directive| fits(&parts, directive))
}

/// A word's text before, between and after its parameters.
fn literal_parts(word: &str) -> Vec<Vec<u8>> {
    let mut pieces = vec![Vec::new()];
    let mut rest = word.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        match first {
            b'\\' | b'$' | b'&' | b'(' | b')' | b'@' => {
                pieces.push(Vec::new());
                let is_of_name = |b: &&u8| match first {
                    b'\\' | b'&' => b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'$'),
                    b'$' => b.is_ascii_digit(),
                    _ => false,
                };
                rest = &rest[rest.iter().take_while(is_of_name).count()..];
            }
            letter => pieces.last_mut().into_iter().for_each(|piece| piece.push(letter.to_ascii_lowercase())),
        }
    }
    pieces
}

/// Whether a directive begins with the first piece, ends with the last, and has the others in between, in order.
fn fits(pieces: &[Vec<u8>], directive: &[u8]) -> bool {
    let [first, middle @ .., last] = pieces else {
        return pieces.first().is_some_and(|piece| piece == directive);
    };
    let Some(mut rest) = directive.strip_prefix(&first[..]).and_then(|rest| rest.strip_suffix(&last[..]))
    else {
        return false;
    };
    middle.iter().filter(|piece| !piece.is_empty()).all(|piece| {
        let found = rest.windows(piece.len()).position(|window| window == &piece[..]);
        found.inspect(|at| rest = &rest[at + piece.len()..]).is_some()
    })
}

/// A string of LLVM IR or Machine IR.
struct Quoted<'t> {
    start: usize,
    /// What is before it in its line.
    before: &'t str,
    text: &'t str,
}

impl Quoted<'_> {
    fn is_opening(&self) -> bool {
        let before = self.before.trim_end();
        // An operand of inline assembly may be the name of a global.
        if before.ends_with('@') {
            let name = unescaped(self.text).to_ascii_lowercase();
            return DIRECTIVES.contains(&name.as_bytes());
        }
        is_assembly(before) && opens_files(&unescaped(self.text))
    }
}

/// Whether a string after this is assembly: `module asm`, `call void asm sideeffect`, `INLINEASM &`.
fn is_assembly(before: &str) -> bool {
    const MODIFIERS: [&str; 5] = ["sideeffect", "alignstack", "inteldialect", "unwind", "asm"];
    if let Some(rest) = before.strip_suffix('&') {
        return rest.trim_end().ends_with("INLINEASM") || rest.trim_end().ends_with("INLINEASM_BR");
    }
    let mut words = before.split_whitespace().rev().take_while(|word| MODIFIERS.contains(word));
    // Also where the line begins with one of them.
    words.any(|word| word == "asm") || before.is_empty() || words_only(before, &MODIFIERS)
}

fn words_only(text: &str, words: &[&str]) -> bool {
    text.split_whitespace().all(|word| words.contains(&word))
}

/// All strings of a text, also where their line has comments.
fn strings(text: &str) -> impl Iterator<Item = Quoted<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + text.get(at..)?.find('"')? + 1;
        let end = start + text.get(start..)?.find('"').unwrap_or(text.len() - start);
        at = (end + 1).min(text.len());
        let line = text.get(..start - 1)?.rfind('\n').map_or(0, |n| n + 1);
        Some(Quoted { start, before: text.get(line..start - 1)?, text: text.get(start..end)? })
    })
}

/// A string's characters: `\5C` is a byte, `\\` a backslash.
fn unescaped(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        let code = after.get(..2).and_then(|d| u8::from_str_radix(std::str::from_utf8(d).ok()?, 16).ok());
        match code.filter(|_| *first == b'\\') {
            Some(code) => {
                bytes.push(code);
                rest = &after[2..];
            }
            None => {
                bytes.push(*first);
                if *first == b'\\' && after.first() == Some(&b'\\') {
                    rest = &after[1..];
                }
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_that_open_files_are_found() {
        for text in [
            ".include \"/etc/passwd\"",
            "\t.IncBin \"x\"",
            "label: .include \"x\"",
            ".macro m a\n.in\\a \"x\"\n.endm\nm clude",
            ".macro m a b\n\\a\\b \"x\"\n.endm",
            ".macro m a\n\\a\\()clude \"x\"\n.endm",
            ".irp x, bin\n.inc\\x \"x\"\n.endr",
            ".irpc x, d\n.inclu\\x\\()e \"x\"\n.endr",
            ".macro m a.b\n.in\\a.b \"x\"\n.endm\nm clude",
            ".altmacro",
        ] {
            assert!(opens_files(text), "{text}");
        }
    }

    #[test]
    fn other_words_are_not_found() {
        for text in [
            "s_include \"x\"",
            ".macro m op, t=1\n\\op v0, v1\nv_add_\\t v0\n\\op\\()_u32 v[\\t:\\t+1]\n.Llabel\\@:\n.endm",
            ".set include, 1\n.size f, .Lend-f",
            ".included",
            "; $0 $1",
            " .byte 8 ; Address Size (in bytes)",
            "v_mov_b32 v0, (in)",
        ] {
            assert!(!opens_files(text), "{text}");
        }
    }

    #[test]
    fn assembly_in_modules_is_found() {
        let line = |text: &str| match check_ir(text) {
            Err(Failure::Rejected(messages)) => messages.first().and_then(|m| m.line),
            _ => None,
        };
        for text in [
            "\nmodule asm \".include \\22/etc/passwd\\22\"",
            "\nmodule asm \"\\2Einclude \\22/etc/passwd\\22\"",
            "\nmodule  asm\t\".inc\\5Ca\"",
            "\n  call void asm sideeffect \".include \\22x\\22\", \"\"()",
            "\n  call void asm sideeffect \".inc$(lude$|x$) \\22x\\22\", \"\"()",
            "\n  call void asm sideeffect \".in${0:c}lude \\22x\\22\", \"i\"(ptr @f)",
            "\n  call void asm sideeffect \".in$0lude \\22x\\22\", \"i\"(ptr @f)",
            "\n  %x = call i32 asm \"$0$1\", \"=r,i\"(ptr @f)",
            "\n@\".include\" = global i32 0",
            "\n@\"\\2Eincbin\" = global i32 0",
            "\n    INLINEASM &\".incbin \\22x\\22\", 1",
        ] {
            assert_eq!(line(text), Some(1), "{text}");
        }
    }

    #[test]
    fn other_strings_in_modules_are_not_found() {
        for text in [
            "module asm \".globl x\"",
            "!1 = !DIFile(filename: \"a.include\", directory: \"C:\\\\x\\\\y\")",
            "attributes #0 = { \"target-cpu\"=\".include\" }",
            "  call void asm sideeffect \"v_mov_b32 $0, $1\", \"=v,v\"()",
            "  call void asm \"s_nop ${0:c}\", \"i\"(i32 1)",
            "@\".included\" = global i32 0",
            "c\".include\"",
        ] {
            assert!(check_ir(text).is_ok(), "{text}");
        }
    }
}
