//! Where chunks may start: functions are chunks of their own, the preamble is cut into runs.

use std::sync::LazyLock;

use memchr::memmem::Finder;

use crate::machine::split::{Line, Lines};

/// The line ended inside a string.
const IN_STRING: u32 = 1;
/// The line ended after `=`: the opcode follows.
const AFTER_EQ: u32 = 2;
/// The chunk is a function.
const IN_FUNCTION: u32 = 4;
/// After a NUL, which ends the text.
const ENDED: u32 = 8;

/// How lines make chunks.
pub(crate) const LINES: Lines = Lines { rule: line_rule, skip };

/// Bytes that [`skip`] looks at.
const WINDOW: usize = 1024;

/// In a function only the next one matters. See [`crate::machine::split::Skip`].
fn skip(state: u32, text: &str) -> usize {
    static FUNCTION: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("OpFunction"));
    if state != IN_FUNCTION {
        return 0;
    }
    let window = text.as_bytes().get(..WINDOW).unwrap_or(text.as_bytes());
    let window = window.get(..memchr::memchr3(b'\0', b'"', b';', window).unwrap_or(window.len()));
    let window = window.unwrap_or_default();
    let plain = window.get(..FUNCTION.find(window).unwrap_or(window.len())).unwrap_or_default();
    let whole_lines = |bytes: &[u8]| memchr::memrchr(b'\n', bytes).map_or(0, |end| end + 1);
    let end = whole_lines(plain);
    let code = text.get(..end).unwrap_or_default().trim_end();
    // An instruction that is not complete changes the state.
    if code.ends_with('=') { whole_lines(code.as_bytes()) } else { end }
}

/// See [`crate::machine::split::LineRule`].
pub(crate) fn line_rule(state: u32, line: &str) -> (Line, u32) {
    if state == ENDED {
        return (Line::Inside, ENDED);
    }
    // In a function only the next function matters.
    let wanted = if state & IN_FUNCTION == 0 { "Op" } else { "OpFunction" };
    let opcode = if state & (IN_STRING | AFTER_EQ) == 0 { opcode(line, wanted) } else { None };
    let class = match opcode {
        Some("OpFunction") => Line::Start,
        Some(_) if state & IN_FUNCTION == 0 => Line::Boundary,
        _ => Line::Inside,
    };
    let function = if class == Line::Start { IN_FUNCTION } else { state & IN_FUNCTION };
    // Most lines hold nothing that needs a closer look.
    let special = memchr::memchr3(b'\0', b'"', b';', line.as_bytes());
    if special.is_none() && state & IN_STRING == 0 {
        let pending = match line.as_bytes() {
            // An operand at the line's end.
            [.., b'0'..=b'9' | b'A'..=b'Z' | b'_' | b'a'..=b'z', b'\n'] => 0,
            _ => match line.trim_end() {
                "" => state & AFTER_EQ,
                code if code.ends_with('=') => AFTER_EQ,
                _ => 0,
            },
        };
        return (class, function | pending);
    }
    if line.contains('\0') {
        return (class, ENDED);
    }
    (class, function | ending(state, line))
}

/// The opcode of an instruction that starts at the line's start, if it starts with `wanted`.
fn opcode<'l>(line: &'l str, wanted: &str) -> Option<&'l str> {
    let (mut line, mut name) = (trim_start(line), None);
    if line.starts_with('%') {
        let (before, rest) = line.split_at_checked(memchr::memchr(b'=', line.as_bytes())?)?;
        line = trim_start(rest.get(1..)?.strip_prefix([' ', '\t'])?);
        name = Some(before);
    }
    if !line.starts_with(wanted) {
        return None;
    }
    let is_name = |name: &str| {
        name.ends_with([' ', '\t'])
            && !name.trim_end().contains(|c: char| c.is_whitespace() || matches!(c, '"' | ';'))
    };
    let end = line.find(|c: char| c.is_whitespace() || matches!(c, ';' | '(' | ',')).unwrap_or(line.len());
    line.get(..end).filter(|_| name.is_none_or(is_name))
}

/// [`str::trim_start`], faster where nothing is to be trimmed, as in most lines.
fn trim_start(line: &str) -> &str {
    match line.as_bytes() {
        [b'!'..=b'~', ..] => line,
        _ => line.trim_start(),
    }
}

fn ending(state: u32, line: &str) -> u32 {
    let bytes = line.as_bytes();
    let mut quoting = state & IN_STRING != 0;
    if !quoting && !bytes.contains(&b'"') {
        let comment = bytes.iter().position(|b| *b == b';').unwrap_or(bytes.len());
        let code = line.get(..comment).unwrap_or_default().trim_end();
        // A comment or an empty line changes nothing.
        return if code.is_empty() {
            state & AFTER_EQ
        } else if code.ends_with('=') {
            AFTER_EQ
        } else {
            0
        };
    }
    let mut escaping = false;
    for byte in bytes {
        match byte {
            b'\\' => {
                escaping = !escaping;
                continue;
            }
            b'"' if !escaping => quoting = !quoting,
            b';' if !quoting => break,
            _ => {}
        }
        escaping = false;
    }
    if quoting { IN_STRING } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::{IN_FUNCTION, LINES, WINDOW, line_rule};
    use crate::machine::split::{Lines, split};

    #[test]
    fn functions_are_chunks() {
        let text = "OpCapability Shader\nOpSource GLSL 450 %1 \"a\n%2 = OpFunction\n\"\n%3 = OpFunction %v None %4\nOpFunctionEnd\n%5 = OpFunction %v None %4\n";
        let starts: Vec<u32> = split(LINES, text).iter().map(|s| s.range.start().into()).collect();
        let at = |what: &str| text.find(what).map_or(0, |i| i as u32);
        assert_eq!(starts, [0, at("%3 ="), at("%5 =")]);
    }

    #[test]
    fn nothing_starts_after_a_nul() {
        let text =
            "OpCapability Shader\n%1 = OpFunction %v None %4\n\0 OpReturn\n%3 = OpFunction %v None %4\n";
        assert_eq!(split(LINES, text).len(), 2);
    }

    #[test]
    fn lines_that_are_passed_over_change_nothing() {
        let lines = [
            "%a = OpLabel\n",
            "OpBranch %a\n",
            "%b =\n",
            "%b = \u{a0}\n",
            "\n",
            "  \n",
            "OpFunctionEnd\n",
            "%f = OpFunction %v None %t\n",
            "OpFunction\n",
            "OpLine \"x\n",
            "; comment\n",
            "OpNop \0\n",
        ];
        let mut random = 1u32;
        for round in 0..3000 {
            let mut text = "%f = OpFunction %v None %t\n".to_owned();
            for _ in 0..1 + round % 90 {
                random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                // Most lines are plain.
                let kind = (random >> 16) as usize % 64;
                text.push_str(lines.get(kind).unwrap_or(&lines[kind % 2]));
            }
            assert_eq!(split(LINES, &text), split(Lines::each(line_rule), &text), "{text:?}");
        }
        let long = "OpNop\n".repeat(WINDOW);
        assert_eq!((LINES.skip)(IN_FUNCTION, &long), WINDOW - WINDOW % "OpNop\n".len());
        assert_eq!((LINES.skip)(0, &long), 0);
    }
}
