//! Machine IR for the history of a value or a line: finding it in the text, reading what `llc` prints after each pass.

use wavelens_base::Dialect;
use wavelens_codegen::asm::LINE_MARK;
use wavelens_mir::lower::function_name;
use wavelens_syntax::mir::{MirKind, ir_text, lex_fragment, parse};

use crate::answers::{Carrier, Item, State, Subject, TraceQuery, VARIABLE};

/// A machine function of the file: its name, the line of its first instruction, and its instructions.
struct Function {
    name: String,
    state: State,
}

/// Finds what is asked about in a text with line locations.
pub(crate) fn prepare(text: &str, asked: &TraceQuery, function: Option<&str>) -> Result<Subject, String> {
    let mut found: Vec<(Function, Option<String>, Option<u32>)> = Vec::new();
    let mut functions = functions(text);
    functions.retain(|f| function.is_none_or(|name| f.name == name));
    for function in functions {
        let item = function.state.items.iter().find(|item| match asked {
            TraceQuery::Line(line) => item.line == Some(*line),
            TraceQuery::Value(name) => {
                item.defines.iter().any(|d| d.trim_start_matches('%') == name.trim_start_matches('%'))
            }
        });
        if let Some(item) = item {
            let (value, line) = (item.defines.iter().find(|d| d.starts_with('%')).cloned(), item.line);
            found.push((function, value, line));
        }
    }
    let (function, value, line) = asked.only(found, |(f, ..)| f.name.clone())?;
    let value = match asked {
        TraceQuery::Value(name) => Some(format!("%{}", name.trim_start_matches('%'))),
        TraceQuery::Line(_) => value,
    };
    Ok(Subject {
        function: function.name,
        name: value.clone(),
        value,
        line,
        by_line: matches!(asked, TraceQuery::Line(_)),
        in_dump: false,
        text: text.to_owned(),
        start: Some(function.state),
    })
}

/// The machine functions of a file.
fn functions(text: &str) -> Vec<Function> {
    let mut found = Vec::new();
    for span in wavelens_syntax::split(Dialect::Mir, text) {
        let range = std::ops::Range::<usize>::from(span.range);
        let chunk = text.get(range.clone()).unwrap_or("");
        if ir_text(chunk).is_some() {
            continue;
        }
        let tree = parse(chunk);
        let Some(name) = function_name(tree.root(chunk)) else { continue };
        let mut state = State::default();
        let mut block = String::new();
        let mut in_body = false;
        for line in chunk.lines() {
            match line.trim_start() {
                word if word.starts_with("body:") => in_body = true,
                word if in_body => state.items.extend(instruction(word, &mut block)),
                _ => {}
            }
        }
        found.push(Function { name, state });
    }
    found
}

/// The state of a function as `llc` printed it.
pub(crate) fn state(text: &str) -> State {
    let mut state = State::default();
    let mut block = String::new();
    let mut in_body = false;
    for line in text.lines() {
        in_body |= line.starts_with("bb.");
        if !in_body {
            continue;
        }
        let line = line.trim_start();
        if line.starts_with("DBG_VALUE ") {
            let at = state.items.len();
            state.carriers.extend(carrier(line).map(|carrier| (at, carrier)));
        } else if !line.starts_with("DBG_") {
            state.items.extend(instruction(line, &mut block));
        }
    }
    state
}

/// The instruction of a line without its indentation; a line that starts a block changes `block`.
fn instruction(line: &str, block: &mut String) -> Option<Item> {
    if line.starts_with("bb.") {
        *block = line.split([' ', ':', '(']).next().unwrap_or(line).to_owned();
        return None;
    }
    let line = line.trim_start_matches("* ");
    let is_other = line.is_empty()
        || line.starts_with(['}', ';', '#', '.'])
        || line.starts_with("successors:")
        || line.starts_with("liveins:");
    if is_other {
        return None;
    }
    let text = plain(line);
    let key = words(&text).into_iter().filter(|w| !matches!(*w, "killed" | "dead" | "renamable")).collect();
    let (defines, uses) = registers(&text);
    Some(Item { block: block.clone(), key, defines, uses, line: source_line(line), text })
}

/// An instruction's tokens; those between which white space matters stay apart by their kinds.
fn words(text: &str) -> Vec<&str> {
    lex_fragment(text).into_iter().map(|(_, word)| word).collect()
}

/// The line of `debug-location !7 ...; a.c:12:65535`, or of `debug-location !DILocation(line: 12, column: 65535`, counted from 0.
fn source_line(line: &str) -> Option<u32> {
    let number = match printed_location(line) {
        Some((_, number, column)) if column == LINE_MARK.to_string() => number,
        Some(_) => return None,
        None => {
            let (number, rest) = line.split_once("!DILocation(line: ")?.1.split_once(", ")?;
            if !rest.starts_with(&format!("column: {LINE_MARK},")) {
                return None;
            }
            number
        }
    };
    number.parse::<u32>().ok()?.checked_sub(1)
}

/// What `llc` prints as a comment for a location: the text before it, line and column. The file is `-` if it has no debug information of
/// its own.
fn printed_location(line: &str) -> Option<(&str, &str, &str)> {
    let (before, comment) =
        line.rsplit_once("; ").filter(|(before, _)| before.contains("debug-location "))?;
    // Where the code was inlined, or the line of a variable, follows.
    let own = comment.split(" @[").next()?.split(" line no:").next()?.trim_end();
    let mut parts = own.rsplitn(3, ':');
    let (column, number) = (parts.next()?, parts.next()?);
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    (parts.next().is_some() && is_number(column) && is_number(number)).then_some((before, number, column))
}

/// An instruction without its location.
fn plain(line: &str) -> String {
    let line = printed_location(line).map_or(line, |(before, ..)| before).trim_end();
    let Some((before, location)) = line.split_once("debug-location ") else { return line.to_owned() };
    let before = before.trim_end().trim_end_matches(',');
    match location.split_once(" :: ") {
        Some((_, memory)) => format!("{before} :: {memory}"),
        None => before.to_owned(),
    }
}

/// The registers before the `=`, and those after it.
fn registers(text: &str) -> (Vec<String>, Vec<String>) {
    let (before, after) = text.split_once(" = ").unwrap_or(("", text));
    let of = |part: &str| {
        let registers = lex_fragment(part).into_iter().filter(|(kind, _)| is_register(*kind));
        registers.map(|(_, word)| word.to_owned()).collect()
    };
    (of(before), of(after.split(" :: ").next().unwrap_or(after)))
}

fn is_register(kind: MirKind) -> bool {
    matches!(kind, MirKind::VREG | MirKind::NAMED_VREG | MirKind::PHYSREG)
}

/// What a debug value says the traced value is: `DBG_VALUE %26:vgpr_32, $noreg, !"name", !DIExpression(), ...`.
fn carrier(line: &str) -> Option<Carrier> {
    if !line.contains(&format!("!\"{VARIABLE}\"")) {
        return None;
    }
    let operand = line.strip_prefix("DBG_VALUE ")?.split(',').next()?.trim();
    let words = lex_fragment(operand);
    let register = words.iter().find(|(kind, _)| is_register(*kind)).map(|(_, word)| (*word).to_owned());
    match register {
        Some(register) if register == "$noreg" => None,
        Some(register) if line.contains("!DIExpression(),") => Some(Carrier::Value(register)),
        Some(register) => Some(Carrier::Computed(register)),
        None => Some(Carrier::Constant(operand.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn a_printed_function_is_read() {
        let state = state(
            "# Machine code for function k: IsSSA\nFunction Live Ins: $vgpr0 in %3\n\nbb.0.entry:\n  successors: %bb.1(0x40000000)\n\
             \x20 liveins: $vgpr0\n  %3:vgpr_32(s32) = COPY $vgpr0\n\
             \x20 DBG_VALUE %3:vgpr_32(s32), $noreg, !\"wavelens.traced\", !DIExpression(), debug-location !0; -:10:65535 line no:10\n\
             \x20 %25:vgpr_32, dead %26:sreg_32 = GLOBAL_LOAD_DWORD killed %3:vgpr_32, 0, debug-location !7 :: (load (s32) from %ir.p, addrspace 1); -:12:65535\n\n\
             bb.1 (%ir-block.4):\n; predecessors: %bb.0\n  S_NOP 0, debug-location !7; /tmp/a b.cl:12:65535 @[ c.cl:3:4 ]\n\
             \x20 S_ENDPGM 0, debug-location !9; -:4:7\n",
        );
        expect![[r#"
            bb.0.entry | %3:vgpr_32(s32) = COPY $vgpr0 | %3:vgpr_32(s32)=COPY$vgpr0 | ["%3"] ["$vgpr0"] | None
            bb.0.entry | %25:vgpr_32, dead %26:sreg_32 = GLOBAL_LOAD_DWORD killed %3:vgpr_32, 0 :: (load (s32) from %ir.p, addrspace 1) | %25:vgpr_32,%26:sreg_32=GLOBAL_LOAD_DWORD%3:vgpr_32,0::(load(s32)from%ir.p,addrspace1) | ["%25", "%26"] ["%3"] | Some(11)
            bb.1 | S_NOP 0 | S_NOP0 | [] [] | Some(11)
            bb.1 | S_ENDPGM 0 | S_ENDPGM0 | [] [] | None
        "#]].assert_eq(&state.dump());
        assert_eq!(state.carriers, [(1, Carrier::Value("%3".to_owned()))]);
    }

    #[test]
    fn a_register_of_a_file_is_found() {
        let text = "---\nname: f\nbody: |\n  bb.0:\n    liveins: $vgpr0\n    %0:vgpr_32 = COPY $vgpr0, debug-location !DILocation(line: 6, column: 65535, scope: !3)\n\
            \x20   S_ENDPGM 0, debug-location !DILocation(line: 7, column: 65535, scope: !3)\n...\n";
        let found = |asked: TraceQuery| prepare(text, &asked, None).map(|s| (s.function, s.value, s.line));
        let copy = Ok(("f".to_owned(), Some("%0".to_owned()), Some(5)));
        assert_eq!(found(TraceQuery::Value("0".to_owned())), copy);
        assert_eq!(found(TraceQuery::Line(5)), copy);
        assert_eq!(found(TraceQuery::Line(6)), Ok(("f".to_owned(), None, Some(6))));
        assert_eq!(found(TraceQuery::Line(1)), Err("line 2 is not an instruction of a function".to_owned()));
        assert_eq!(
            found(TraceQuery::Value("%7".to_owned())),
            Err("no function defines the value `%7`".to_owned())
        );
    }
}
