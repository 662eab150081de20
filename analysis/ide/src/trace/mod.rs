//! The history of a value or a line: what each pass of the compiler did to it.
//!
//! The text that is compiled carries the user's lines as debug locations, names for values without a name, and one debug value for
//! what is traced. A dialect prepares its text and reads what the compiler prints (`trace.rs` in its folder); the comparison of two
//! states is the same for all. Names, debug values and locations are what passes keep up to date themselves. Nothing is guessed:
//! where all three are gone, the history says so.

mod dump;
mod follow;
mod matching;

use wavelens_base::Dialect;
use wavelens_codegen::asm::{LINE_MARK, map_lines};
use wavelens_codegen::trace::{History, PassStates};
use wavelens_codegen::{Input, NO_PASSES, Request};

pub use self::dump::history_in_dump;
pub use crate::answers::{Additions, Subject, TraceQuery};
use crate::answers::{Carrier, Item, Numbers, State, VARIABLE};

impl Numbers {
    /// Takes over the definitions that a tool printed with a module. A function that is printed alone has the same numbers, unless
    /// its header refers to another one: then they are unknown.
    fn read(&mut self, metadata: &str, function: &str) {
        let subprogram = subprogram(function);
        if metadata.is_empty() {
            if self.subprogram.as_deref() != subprogram {
                *self = Numbers::default();
            }
            return;
        }
        *self = Numbers { subprogram: subprogram.map(str::to_owned), ..Numbers::default() };
        for line in metadata.lines() {
            let Some((number, definition)) = line.strip_prefix('!').and_then(|l| l.split_once(" = ")) else {
                continue;
            };
            let Ok(number) = number.parse() else { continue };
            if let Some(fields) = definition.strip_prefix("!DILocation(line: ") {
                let (at, rest) = fields.split_once(", ").unwrap_or((fields, ""));
                let is_ours = rest.starts_with(&format!("column: {LINE_MARK},"));
                if let Some(at) = at.parse::<u32>().ok().filter(|_| is_ours) {
                    self.lines.insert(number, at.saturating_sub(1));
                }
            } else if definition.starts_with("!DILocalVariable") && definition.contains(VARIABLE) {
                self.variable = Some(number);
            }
        }
    }
}

/// The reference of `define void @f() !dbg !7 {`.
fn subprogram(function: &str) -> Option<&str> {
    let header = function.lines().next()?;
    header.rsplit_once("!dbg ")?.1.split([' ', ',']).next()
}

/// Finds what is asked about in the text of a request, and prepares the text for it.
///
/// # Errors
/// One sentence, when no function has the value or line, or several have it.
pub fn prepare(
    dialect: Dialect,
    request: &Request,
    asked: &TraceQuery,
    function: Option<&str>,
    additions: Additions,
) -> Result<Subject, String> {
    let Input::Text(text) = &request.input else {
        return Err(NO_PASSES.to_owned());
    };
    match dialect {
        Dialect::Llvm => crate::llvm::trace::prepare(text, asked, function, additions),
        Dialect::Mir => crate::mir::trace::prepare(text, asked, function),
        Dialect::Spirv | Dialect::Amdgpu => Err(NO_PASSES.to_owned()),
    }
}

/// What happened to the subject in the states that the compiler printed.
pub fn history(subject: &Subject, printed: &PassStates) -> History {
    let mut numbers = Numbers::default();
    let mut follower = follow::Follower::new(subject);
    for state in &printed.states {
        if !state.is_machine {
            numbers.read(&state.metadata, &state.text);
        }
        let read = match state.is_machine {
            true => crate::mir::trace::state(&state.text),
            false => crate::llvm::trace::state(&state.text, &numbers),
        };
        follower.next(state, read);
    }
    if !printed.assembly.is_empty() {
        follower.emitted(assembly(&printed.assembly, &subject.function));
    }
    History {
        function: subject.function.clone(),
        value: subject.value.clone(),
        line: subject.line,
        passes: printed.passes,
        commands: printed.commands.clone(),
        problem: printed.problem.clone(),
        ..follower.finish()
    }
}

/// The instructions of a function in assembly with line directives.
fn assembly(text: &str, function: &str) -> State {
    let mapped = map_lines(text);
    let lines: Vec<&str> = mapped.text.lines().collect();
    let start = lines
        .iter()
        .position(|l| l.split(';').next().is_some_and(|l| l.trim_end() == format!("{function}:")));
    let Some(start) = start else { return State::default() };
    let end = lines.iter().skip(start).position(|l| l.trim_start().starts_with(".size"));
    let end = end.map_or(lines.len(), |n| start + n);
    let mut block = String::new();
    let mut state = State::default();
    let mut located = mapped.lines.iter().peekable();
    for (number, line) in lines.iter().enumerate() {
        let source = located.next_if(|l| l.line as usize == number);
        if !(start..end).contains(&number) {
            continue;
        }
        let Some(instruction) = source else {
            if let Some((_, register)) =
                line.split_once(VARIABLE).and_then(|(_, rest)| rest.split_once("<- "))
                && line.trim_start().starts_with(";DEBUG_VALUE:")
            {
                state.carriers.push((state.items.len(), Carrier::Value(register.trim().to_owned())));
            }
            let label = line.trim_start_matches("; %").split([':', ';']).next().unwrap_or("").trim();
            if label.starts_with(".LBB") || label.starts_with("bb.") {
                block = label.to_owned();
            }
            continue;
        };
        let text = line.split(';').next().unwrap_or(line).trim().replace('\t', " ");
        state.items.push(Item {
            block: block.clone(),
            key: text.clone(),
            text,
            line: instruction.source,
            ..Item::default()
        });
    }
    state
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_our_locations_are_read() {
        let mut numbers = Numbers::default();
        numbers.read(
            "!0 = !DILocation(line: 10, column: 65535, scope: !1)\n!3 = !DILocation(line: 4, column: 2, scope: !1)\n\
             !4 = distinct !DISubprogram(name: \"f\")\n!7 = !DILocalVariable(name: \"wavelens.traced\", scope: !1)\n",
            "define void @f() !dbg !1 {\n",
        );
        assert_eq!(numbers.lines.iter().collect::<Vec<_>>(), [(&0, &9)]);
        assert_eq!(numbers.variable, Some(7));
        numbers.read("", "define void @f() #0 !dbg !1 {\n");
        assert_eq!(numbers.variable, Some(7));
        numbers.read("", "define void @f() #0 !dbg !2 {\n");
        assert_eq!((numbers.variable, numbers.lines.len()), (None, 0));
    }

    #[test]
    fn instructions_of_one_function_are_read_from_assembly() {
        let text = "f:\n\ts_nop 0\n\t.size f, 4\nk:                ; @k\n; %bb.0:     ; %entry\n\t.loc\t1 5 65535\n\
            \tv_mov_b32 v0, 0   ; x\n.LBB0_1:\n\ts_endpgm\n.Lfunc_end0:\n\t.size k, 8\n\ts_nop 1\n";
        let state = assembly(text, "k");
        let shown: Vec<_> = state.items.iter().map(|i| (i.block.as_str(), i.text.as_str(), i.line)).collect();
        assert_eq!(shown, [("bb.0", "v_mov_b32 v0, 0", Some(4)), (".LBB0_1", "s_endpgm", Some(4))]);
    }
}
