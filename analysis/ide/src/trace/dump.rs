//! The history of a value in a dump of passes. Nothing was added to the text that was compiled: a value is followed by its name, and
//! an instruction without one, or with a number that changes, by what stays around it.

use wavelens_codegen::trace::{History, PassState, PassStates, states_in_dump};

use super::follow::Follower;
use super::matching::is_named;
use crate::answers::{Carrier, Item, Numbers, State, Subject, TraceQuery};

/// What is asked about: a state of a function and the number of the instruction in it.
struct Found {
    function: String,
    states: PassStates,
    first: usize,
    state: State,
    at: usize,
    /// In the dump.
    line: u32,
}

/// What the passes of a dump did to a value, or to the instruction in a line of the dump.
///
/// # Errors
/// One sentence, when no function has the value or line, or several have it.
pub fn history_in_dump(text: &str, asked: &TraceQuery, function: Option<&str>) -> Result<History, String> {
    let functions = states_in_dump(text).into_iter();
    let wanted = functions.filter(|(name, _)| function.is_none_or(|f| f.trim_start_matches('@') == name));
    let mut found: Vec<Found> =
        wanted.filter_map(|(function, states)| Found::first(function, states, asked)).collect();
    let compilations = found.len();
    // A function that was compiled several times: the first one.
    let mut seen = Vec::new();
    found.retain(|f| {
        let is_new = !seen.contains(&f.function);
        seen.push(f.function.clone());
        is_new
    });
    let is_again = found.len() == 1 && compilations > 1;
    let found = asked.only(found, |f| f.function.clone())?;
    let mut history = found.history();
    if is_again {
        let note =
            format!("the dump has {compilations} compilations with it: this is the first; `--line` chooses");
        history.notes.insert(0, note);
    }
    Ok(history)
}

fn read(state: &PassState) -> State {
    match state.is_machine {
        true => crate::mir::trace::state(&state.text),
        false => crate::llvm::trace::state(&state.text, &Numbers::default()),
    }
}

impl Found {
    /// The first state that has what is asked about.
    fn first(function: String, states: PassStates, asked: &TraceQuery) -> Option<Found> {
        let all = states.states.iter().enumerate();
        let (first, state, at, line) = match asked {
            TraceQuery::Value(name) => {
                all.filter(|(_, s)| s.text.contains(name.as_str())).find_map(|(n, s)| {
                    let (state, name) = (read(s), format!("%{}", name.trim_start_matches('%')));
                    let at = state.items.iter().position(|item| item.defines.contains(&name))?;
                    let line = s.text.lines().position(|line| defined_in(line).any(|word| word == name))?;
                    Some((n, state, at, *s.numbers.get(line)?))
                })?
            }
            TraceQuery::Line(line) => {
                let own = |s: &PassState| s.numbers.iter().position(|number| number == line);
                let (n, s, own) = all.rev().find_map(|(n, s)| Some((n, s, own(s)?)))?;
                (n, read(s), item_in_line(s, own)?, *line)
            }
        };
        Some(Found { function, states, first, state, at, line })
    }

    fn history(self) -> History {
        let Found { function, states, first, mut state, at, line } = self;
        let value = state.items.get(at).and_then(|item: &Item| item.defines.first()).cloned();
        let is_machine = states.states.get(first).is_some_and(|s| s.is_machine);
        let name = value.clone().filter(|name| is_machine || is_named(name));
        let name = name.filter(|name| name.starts_with('%'));
        if name.is_none() {
            state.carriers = vec![(at + 1, Carrier::Item(at))];
        }
        let subject = Subject { function: function.clone(), name, in_dump: true, ..Subject::default() };
        let mut follower = Follower::new(&subject);
        let mut rest = states.states.iter().skip(first);
        if let Some(start) = rest.next() {
            follower.start_at(start, state);
        }
        rest.for_each(|next| follower.next(next, read(next)));
        History { function, value, line: Some(line), passes: states.passes, ..follower.finish() }
    }
}

/// The names that a line defines.
fn defined_in(line: &str) -> impl Iterator<Item = &str> {
    let before = line.split_once(" = ").map_or("", |(before, _)| before);
    before.split([' ', ',', ':', '(']).filter(|word| word.starts_with('%'))
}

/// The number of the instruction that a line of a state starts.
fn item_in_line(state: &PassState, line: usize) -> Option<usize> {
    let items = |lines: usize| {
        let text: Vec<&str> = state.text.lines().take(lines).collect();
        read(&PassState { text: text.join("\n"), ..state.clone() }).items.len()
    };
    let before = items(line);
    (items(line + 1) > before).then_some(before)
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    const DUMP: &str = "; *** IR Dump After A on f ***
define i32 @f(i32 %a) {
  %x = add i32 %a, 1
  %1 = mul i32 %x, 3
  store i32 %1, ptr null
  ret i32 %1
}
; *** IR Dump After B on f ***
define i32 @f(i32 %a) {
  %1 = sub i32 %a, 7
  %x = add i32 1, %a
  %2 = mul i32 %x, 3
  store i32 %2, ptr null
  ret i32 %2
}
; *** IR Dump After C on f ***
define i32 @f(i32 %a) {
  ret i32 0
}
# *** IR Dump After I (i) ***:
# Machine code for function f: IsSSA
bb.0:
  %8:vgpr_32 = COPY $vgpr0
  S_ENDPGM 0
# End machine code for function f.
# *** IR Dump After J (j) ***:
# Machine code for function f: IsSSA
bb.0:
  S_NOP 0
  %8:vgpr_32 = V_MOV_B32_e32 0
# End machine code for function f.
";

    fn check(asked: TraceQuery, expected: Expect) {
        let found = history_in_dump(DUMP, &asked, None).map(|history| {
            let value = history.value.as_deref().unwrap_or("");
            let mut shown = format!("{value} in line {}\n", history.line.map_or(0, |line| line + 1));
            for step in &history.steps {
                let note = step.note.as_deref().map(|note| format!(": {note}")).unwrap_or_default();
                shown += &format!("{} {}{note}\n", step.pass, step.change.name());
                step.before.iter().for_each(|p| shown += &format!("- {}\n", p.text));
                step.after.iter().for_each(|p| shown += &format!("+ {}\n", p.text));
            }
            shown
        });
        expected.assert_eq(&found.unwrap_or_else(|problem| problem));
    }

    #[test]
    fn names_are_followed() {
        check(
            TraceQuery::Value("x".to_owned()),
            expect![[r#"
            %x in line 3
            A start
            + %x = add i32 %a, 1
            B changed
            - %x = add i32 %a, 1
            + %x = add i32 1, %a
            C lost here: no instruction of the same name or form is left
            - %x = add i32 1, %a
        "#]],
        );
        check(
            TraceQuery::Value("%8".to_owned()),
            expect![[r#"
            %8 in line 23
            I start
            + %8:vgpr_32 = COPY $vgpr0
            J changed
            - %8:vgpr_32 = COPY $vgpr0
            + %8:vgpr_32 = V_MOV_B32_e32 0
        "#]],
        );
        check(TraceQuery::Value("%q".to_owned()), expect!["no function defines the value `%q`"]);
    }

    #[test]
    fn instructions_without_a_lasting_name_are_followed_by_what_surrounds_them() {
        check(
            TraceQuery::Line(3),
            expect![[r#"
            %1 in line 4
            A start
            + %1 = mul i32 %x, 3
            C lost here: no instruction of the same name or form is left
            - %2 = mul i32 %x, 3
        "#]],
        );
        check(
            TraceQuery::Line(4),
            expect![[r#"
             in line 5
            A start
            + store i32 %1, ptr null
            C lost here: no instruction of the same name or form is left
            - store i32 %2, ptr null
        "#]],
        );
        check(TraceQuery::Line(1), expect!["line 2 is not an instruction of a function"]);
    }
}
