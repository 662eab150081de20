//! Comparing the states of a function before and after each pass.

use wavelens_codegen::trace::{Change, History, PassState, Place, Step};

use super::matching::{
    aligned, definitions, gone_how, is_named, is_virtual, matched_or_alike, moved, renamed, sources,
    unselected, without,
};
use crate::answers::{Carrier, State, Subject};

pub(super) struct Follower<'s> {
    subject: &'s Subject,
    last: Option<(State, bool)>,
    /// What the value is called now.
    name: Option<String>,
    /// The lines of what uses the value, where selection made one machine instruction of both.
    users: Vec<u32>,
    /// The first pass after which no debug value said what the value is, with its tool.
    unknown: Option<Step>,
    history: History,
}

impl<'s> Follower<'s> {
    pub(super) fn new(subject: &'s Subject) -> Self {
        let mut follower = Follower {
            subject,
            last: None,
            name: subject.name.clone(),
            users: Vec::new(),
            unknown: None,
            history: History::default(),
        };
        if let Some(start) = &subject.start {
            follower.start(start.clone(), true, "");
        }
        follower
    }

    /// The instructions that compute the traced value, or have the traced line, by number.
    fn footprint(&self, state: &State) -> Vec<usize> {
        let line = self.subject.line;
        let has_line = |at: &usize| line.is_some() && state.items[*at].line == line;
        let all = || 0..state.items.len();
        if !self.users.is_empty() {
            return self.with_line(state);
        }
        let defining = self.defining(state);
        if self.subject.by_line || defining.is_empty() && self.subject.name.is_none() {
            return all().filter(|at| has_line(at) || defining.contains(at)).collect();
        }
        if defining.is_empty() && state.carriers.iter().all(is_computed) {
            // Neither a name nor a debug value that is the value: only the line is left.
            return all().filter(has_line).collect();
        }
        // What the value is computed from counts as far as it has the value's line: one instruction can be replaced by several.
        let mut found = defining.clone();
        let mut open = defining;
        while let Some(at) = open.pop() {
            for name in &state.items[at].uses {
                let from = sources(state, name, at);
                let new: Vec<usize> =
                    from.into_iter().filter(|n| has_line(n) && !found.contains(n)).collect();
                found.extend(&new);
                open.extend(new);
            }
        }
        found.sort_unstable();
        found
    }

    /// The instructions that have the line of the value, or those of what uses it.
    fn with_line(&self, state: &State) -> Vec<usize> {
        let lines = if self.users.is_empty() { self.subject.line.as_slice() } else { &self.users };
        let has_line = |at: &usize| {
            let item = &state.items[*at];
            item.line.is_some_and(|line| lines.contains(&line))
                && (self.users.is_empty() || !is_wait(&item.text))
        };
        (0..state.items.len()).filter(has_line).collect()
    }

    /// The lines of the instructions that use the value and have machine instructions, through those that have none.
    fn lines_of_users(&self, old: &State, new: &State) -> Vec<u32> {
        let (mut lines, mut seen) = (Vec::new(), self.footprint(old));
        let mut open = seen.clone();
        while let Some(at) = open.pop() {
            let names = &old.items[at].defines;
            let uses = |n: &usize| old.items[*n].uses.iter().any(|name| names.contains(name));
            let users: Vec<usize> = (0..old.items.len()).filter(uses).filter(|n| !seen.contains(n)).collect();
            for user in users {
                seen.push(user);
                match old.items[user].line {
                    Some(line) if new.items.iter().any(|item| item.line == Some(line)) => lines.push(line),
                    _ => open.push(user),
                }
            }
        }
        lines.sort_unstable();
        lines.dedup();
        lines
    }

    /// The instructions that define the value: by its name, and by what debug values say, which name the copies of it in loops that
    /// were unrolled too.
    fn defining(&self, state: &State) -> Vec<usize> {
        let by_name = self.name.iter().flat_map(|name| definitions(state, name, state.items.len()));
        let carried = state.carriers.iter().flat_map(|(at, carrier)| match carrier {
            Carrier::Value(value) => definitions(state, value, *at),
            Carrier::Item(at) => vec![*at],
            Carrier::Constant(_) | Carrier::Computed(_) => Vec::new(),
        });
        let mut found: Vec<usize> = by_name.chain(carried).collect();
        found.sort_unstable();
        found.dedup();
        // Where the register has no value on another path.
        let is_undefined = |at: &usize| state.items[*at].text.ends_with("IMPLICIT_DEF");
        if !found.iter().all(is_undefined) {
            found.retain(|at| !is_undefined(at));
        }
        found
    }

    fn places(state: &State, numbers: &[usize]) -> Vec<Place> {
        let place = |at: &usize| {
            let item = state.items.get(*at)?;
            Some(Place { block: item.block.clone(), number: at + 1, text: item.text.clone() })
        };
        numbers.iter().filter_map(place).collect()
    }

    fn start(&mut self, state: State, is_machine: bool, tool: &str) {
        let found = self.footprint(&state);
        let after = Self::places(&state, &found);
        if !after.is_empty() {
            let tool = tool.to_owned();
            self.history.steps.push(Step { tool, change: Change::Start, after, ..Step::default() });
        }
        self.last = Some((state, is_machine));
    }

    /// The first state of a dump that has what is traced.
    pub(super) fn start_at(&mut self, printed: &PassState, state: State) {
        self.start(state, printed.is_machine, printed.tool);
        if let Some(step) = self.history.steps.last_mut() {
            (step.pass, step.argument) = (printed.pass.clone(), printed.argument.clone());
        }
    }

    /// The function after a pass.
    pub(super) fn next(&mut self, printed: &PassState, mut state: State) {
        let Some((old, was_machine)) = self.last.take() else {
            return self.start(state, printed.is_machine, printed.tool);
        };
        let step = Step {
            tool: printed.tool.to_owned(),
            pass: printed.pass.clone(),
            argument: printed.argument.clone(),
            ..Step::default()
        };
        if self.subject.in_dump {
            let items = old.carriers.iter().filter_map(|(_, carrier)| match carrier {
                Carrier::Item(at) => aligned(&old, *at, &state),
                _ => None,
            });
            state.carriers = items.map(|at| (at + 1, Carrier::Item(at))).collect();
        }
        // The register allocator keeps debug values elsewhere while it works.
        let follows_debug_values =
            was_machine && printed.is_machine && !self.subject.by_line && !self.subject.in_dump;
        if follows_debug_values && state.carriers.is_empty() && !old.carriers.iter().all(is_computed) {
            let end = state.items.len();
            let is_there = |(_, carrier): &&(usize, Carrier)| match carrier {
                Carrier::Value(value) => is_virtual(value) && !definitions(&state, value, end).is_empty(),
                Carrier::Constant(_) | Carrier::Computed(_) | Carrier::Item(_) => false,
            };
            let kept: Vec<(usize, Carrier)> =
                old.carriers.iter().filter(is_there).map(|(_, c)| (end, c.clone())).collect();
            let kept = if kept.is_empty() { self.by_location(&old, &state) } else { kept };
            if kept.is_empty() {
                self.unknown.get_or_insert(step);
                self.last = Some((old, was_machine));
                return;
            }
            state.carriers = kept;
        }
        let was = self.footprint(&old);
        let renamed = self.name.as_deref().and_then(|name| renamed(name, &old, &state));
        if renamed.is_some() {
            self.name.clone_from(&renamed);
        }
        let is_selection = printed.is_machine != was_machine;
        if is_selection
            && !self.subject.by_line
            && state.carriers.iter().all(is_computed)
            && self.footprint(&state).is_empty()
        {
            self.users = self.lines_of_users(&old, &state);
        }
        let since = self.unknown.take();
        if let Some(mut found) = self.compare(&old, &was, &state, is_selection) {
            if self.subject.in_dump && found.change == Change::Lost {
                let note = match is_selection {
                    true => "machine instructions have other names: trace a register of them",
                    false => "no instruction of the same name or form is left",
                };
                found.note = Some(note.to_owned());
            }
            if let Some(name) = renamed {
                found.note = Some(format!("the value is `{name}` now"));
            }
            if let Some(since) = since {
                let from = since.argument.unwrap_or(since.pass);
                let doubt =
                    format!("debug values were missing since `{from}`, so this or an earlier pass did it");
                found.note =
                    Some(found.note.map_or_else(|| doubt.clone(), |note| format!("{note}; {doubt}")));
            }
            let Step { tool, pass, argument, .. } = step;
            self.history.steps.push(Step { tool, pass, argument, ..found });
        }
        self.last = Some((state, printed.is_machine));
    }

    /// The instructions of the value, where each of them can be recognized.
    fn by_location(&self, old: &State, new: &State) -> Vec<(usize, Carrier)> {
        let (before, after) = (self.with_line(old), self.with_line(new));
        let was = self.defining(old);
        let is = matched_or_alike(old, &was, &before, new, &after);
        is.into_iter().map(|at| (at + 1, Carrier::Item(at))).collect()
    }

    /// What happened to the traced instructions; the step has no pass yet.
    fn compare(&self, old: &State, was: &[usize], new: &State, is_selection: bool) -> Option<Step> {
        let is = self.footprint(new);
        let step = |change, note, before: &[usize], after: &[usize]| {
            let (before, after) = (Self::places(old, before), Self::places(new, after));
            Some(Step { change, note, before, after, ..Step::default() })
        };
        if is_selection {
            return match (was.is_empty(), is.is_empty()) {
                (true, true) => None,
                (_, false) => {
                    let note = "no machine instruction has its line; it may be part of these, which have the lines of its uses";
                    let note = (!self.users.is_empty()).then(|| note.to_owned());
                    step(Change::Selected, note, was, &is)
                }
                (false, true) if new.carriers.is_empty() => {
                    step(Change::Lost, Some(unselected(new)), was, &is)
                }
                (false, true) => step(Change::Selected, Some(unselected(new)), was, &is),
            };
        }
        let (gone, come) = (without(old, was, new, &is), without(new, &is, old, was));
        match (was.is_empty(), is.is_empty()) {
            (true, true) => None,
            (true, false) => step(Change::Found, None, was, &is),
            (false, true) => {
                let (change, note) = gone_how(old, new);
                step(change, note, was, &is)
            }
            (false, false) if gone.is_empty() && come.is_empty() => {
                let (from, to): (Vec<usize>, Vec<usize>) = moved(old, was, new, &is).into_iter().unzip();
                if from.is_empty() { None } else { step(Change::Moved, None, &from, &to) }
            }
            (false, false) => {
                let (change, note) = self.changed_how(old, new);
                step(change, note, &gone, &come)
            }
        }
    }

    /// How instructions were replaced by others.
    fn changed_how(&self, old: &State, new: &State) -> (Change, Option<String>) {
        let Some(name) = self.subject.name.as_deref() else { return (Change::Changed, None) };
        let defined =
            |state: &State, name: &str| state.items.iter().any(|i| i.defines.iter().any(|d| d == name));
        if !defined(old, name) || defined(new, name) {
            return (Change::Changed, None);
        }
        let carriers: Vec<&Carrier> = new.carriers.iter().map(|(_, carrier)| carrier).collect();
        match carriers.as_slice() {
            [Carrier::Value(other)] if other != name && is_virtual(other) => match defined(old, other)
                && is_named(other)
            {
                true => (Change::Merged, Some(format!("the value is `{other}` now, which was there before"))),
                false => (Change::Changed, Some(format!("the value is `{other}` now"))),
            },
            [Carrier::Constant(constant)] => {
                (Change::Constant, Some(format!("the value is the constant `{constant}`")))
            }
            [Carrier::Computed(from)] => (
                Change::Changed,
                Some(format!("no instruction computes the value itself; it follows from `{from}`")),
            ),
            _ => (Change::Changed, None),
        }
    }

    /// The assembly of the function.
    pub(super) fn emitted(&mut self, state: State) {
        self.forget();
        let Some((old, _)) = &self.last else { return };
        let was = self.footprint(old);
        let (before, after) = (self.with_line(old), self.with_line(&state));
        let same = matched_or_alike(old, &was, &before, &state, &after);
        let is_known = self.subject.by_line || same.len() == was.len();
        let mut found = if is_known && !self.subject.by_line { same } else { after };
        // The instruction right before a debug value is still there in the assembly.
        if let (true, [at], Some((own, _))) = (found.is_empty(), was.as_slice(), old.carriers.first())
            && at + 1 == *own
        {
            found.extend(state.carriers.first().and_then(|(next, _)| next.checked_sub(1)));
        }
        if found.is_empty() && was.is_empty() {
            return;
        }
        let note = if found.is_empty() {
            Some("no instruction of the assembly can be matched by its line")
        } else if !is_known {
            Some("all instructions with the line: those of the value are not known")
        } else {
            None
        };
        let step = Step {
            tool: "llc".to_owned(),
            pass: "assembly".to_owned(),
            change: Change::Emitted,
            note: note.map(str::to_owned),
            before: Self::places(old, &was),
            after: Self::places(&state, &found),
            ..Step::default()
        };
        self.history.steps.push(step);
    }

    /// Debug values did not come back.
    fn forget(&mut self) {
        let (Some(step), Some((old, _))) = (self.unknown.take(), &self.last) else { return };
        let was = self.footprint(old);
        let note =
            "no debug value names it any more, and its location does not tell it from other instructions";
        let (before, note) = (Self::places(old, &was), Some(note.to_owned()));
        self.history.steps.push(Step { change: Change::Lost, note, before, ..step });
        self.last = Some((State::default(), true));
    }

    pub(super) fn finish(mut self) -> History {
        self.forget();
        if self.last.is_none() {
            self.history.notes.push("the compiler printed no state of the function".to_owned());
        } else if self.history.steps.is_empty() {
            self.history.notes.push(
                "no state of the function has it; it may be gone before the first pass prints".to_owned(),
            );
        }
        self.history
    }
}

/// Waits have the line of the instruction that they are for.
fn is_wait(text: &str) -> bool {
    let name = text.to_ascii_lowercase();
    ["s_wait", "s_nop", "s_delay"].iter().any(|wait| name.starts_with(wait))
}

/// Whether the value follows from another one, and a debug value names no register that holds it.
fn is_computed((_, carrier): &(usize, Carrier)) -> bool {
    matches!(carrier, Carrier::Computed(_))
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use crate::trace::{Subject, history};
    use wavelens_codegen::trace::{PassState, PassStates};

    /// The history of `%x` of line 2, whose location is `!1` and whose variable is `!7`, through bodies of a function; those of
    /// machine code start with `bb.`, and line 3 has the location `!2`.
    fn check(by_line: bool, bodies: &[(&str, &str)], expected: Expect) {
        let metadata = "!0 = !DISubprogram()\n!1 = !DILocation(line: 2, column: 65535, scope: !0)\n\
            !2 = !DILocation(line: 3, column: 65535, scope: !0)\n!7 = !DILocalVariable(name: \"wavelens.traced\", scope: !0)\n";
        let state = |(pass, body): &(&str, &str)| PassState {
            tool: "opt",
            pass: (*pass).to_owned(),
            is_machine: body.starts_with("bb."),
            text: match body.starts_with("bb.") {
                true => (*body).to_owned(),
                false => format!("define void @f(i32 %a) !dbg !0 {{\n{body}"),
            },
            metadata: if pass.is_empty() { metadata.to_owned() } else { String::new() },
            ..PassState::default()
        };
        let printed = PassStates { states: bodies.iter().map(state).collect(), ..PassStates::default() };
        let subject = Subject { name: Some("%x".to_owned()), line: Some(1), by_line, ..Subject::default() };
        let mut shown = String::new();
        for step in history(&subject, &printed).steps {
            shown += &format!("{} {}", step.pass, step.change.name());
            shown += &step.note.map(|n| format!(": {n}")).unwrap_or_default();
            shown += "\n";
            for (mark, places) in [("-", step.before), ("+", step.after)] {
                for place in places {
                    shown += &format!("  {mark} {} {}: {}\n", place.block, place.number, place.text);
                }
            }
        }
        expected.assert_eq(shown.trim());
    }

    #[test]
    fn a_register_that_is_undefined_on_one_path_is_defined_on_the_other() {
        use crate::answers::{Item, State};
        let item =
            |text: &str| Item { text: text.to_owned(), defines: vec!["%1".to_owned()], ..Item::default() };
        let subject = Subject { name: Some("%1".to_owned()), ..Subject::default() };
        let found = |lines: &[&str]| {
            let state = State { items: lines.iter().map(|line| item(line)).collect(), ..State::default() };
            super::Follower::new(&subject).defining(&state)
        };
        assert_eq!(found(&["%1:sreg_32 = IMPLICIT_DEF", "%1:sreg_32 = S_NOT_B32 %0"]), [1]);
        assert_eq!(found(&["%1:sreg_32 = IMPLICIT_DEF"]), [0]);
    }

    const START: &str = "  %y = add i32 %a, 2\n  %x = add i32 %a, 1, !dbg !1\n    #dbg_value(i32 %x, !7, !DIExpression(), !1)\n\
        \x20 call void @g(i32 %x)\n  call void @g(i32 %y)\n  ret void\n";

    #[test]
    fn changes_of_others_are_not_in_the_history() {
        let other = START.replace("%a, 2", "%a, 3");
        check(
            false,
            &[("", START), ("A", &other)],
            expect![[r#"
            start
              + entry 2: %x = add i32 %a, 1"#]],
        );
    }

    #[test]
    fn a_move_is_relative_to_what_stayed() {
        let moved = "  %x = add i32 %a, 1, !dbg !1\n    #dbg_value(i32 %x, !7, !DIExpression(), !1)\n\
            \x20 call void @g(i32 %x)\n  %y = add i32 %a, 2\n  call void @g(i32 %y)\n  ret void\n";
        check(
            false,
            &[("", START), ("A", moved)],
            expect![[r#"
            start
              + entry 2: %x = add i32 %a, 1"#]],
        );
    }

    #[test]
    fn what_selection_makes_part_of_its_user_is_shown_there() {
        let fused = "  %x = xor i32 %a, 1, !dbg !1\n  %y = add i32 %x, %a, !dbg !2\n  call void @g(i32 %y)\n  ret void\n";
        let machine =
            "bb.0:\n  %5:vgpr_32 = V_XAD_U32_e64 %1, 1, %1, debug-location !9; -:3:65535\n  S_ENDPGM 0\n";
        check(
            false,
            &[("", fused), ("isel", machine), ("ra", &machine.replace("%1", "$vgpr0"))],
            expect![[r#"
                start
                  + entry 1: %x = xor i32 %a, 1
                isel selected: no machine instruction has its line; it may be part of these, which have the lines of its uses
                  - entry 1: %x = xor i32 %a, 1
                  + bb.0 1: %5:vgpr_32 = V_XAD_U32_e64 %1, 1, %1
                ra changed
                  - bb.0 1: %5:vgpr_32 = V_XAD_U32_e64 %1, 1, %1
                  + bb.0 1: %5:vgpr_32 = V_XAD_U32_e64 $vgpr0, 1, $vgpr0"#]],
        );
    }

    #[test]
    fn a_value_is_followed_by_the_name_that_a_pass_makes_of_its_own() {
        let sunk = "  %y = add i32 %a, 2\n  br label %b\nb:\n  %x.le = add i32 %a, 1\n  call void @g(i32 %x.le)\n\
            \x20 call void @g(i32 %y)\n  ret void\n";
        check(
            false,
            &[("", START), ("LICM", sunk)],
            expect![[r#"
            start
              + entry 2: %x = add i32 %a, 1
            LICM changed: the value is `%x.le` now
              - entry 2: %x = add i32 %a, 1
              + b 3: %x.le = add i32 %a, 1"#]],
        );
    }

    #[test]
    fn another_block_is_a_move() {
        let before = "  %x = add i32 %a, 1, !dbg !1\n  br label %b\nb:\n  call void @g(i32 %x)\n  ret void\n";
        let sunk = "  br label %b\nb:\n  %x = add i32 %a, 1, !dbg !1\n  call void @g(i32 %x)\n  ret void\n";
        check(
            false,
            &[("", before), ("Sink", sunk)],
            expect![[r#"
            start
              + entry 1: %x = add i32 %a, 1
            Sink moved
              - entry 1: %x = add i32 %a, 1
              + b 2: %x = add i32 %a, 1"#]],
        );
        // A new block may be the rest of the old one.
        let split = "  br label %c\nc:\n  %x = add i32 %a, 1, !dbg !1\n  br label %b\nb:\n  call void @g(i32 %x)\n  ret void\n";
        check(
            false,
            &[("", before), ("Split", split)],
            expect![[r#"
            start
              + entry 1: %x = add i32 %a, 1"#]],
        );
    }

    #[test]
    fn a_value_that_is_another_one_is_merged() {
        let merged = "  %y = add i32 %a, 2\n    #dbg_value(i32 %y, !7, !DIExpression(), !1)\n\
            \x20 call void @g(i32 %y)\n  call void @g(i32 %y)\n  ret void\n";
        check(
            false,
            &[("", START), ("CSE", merged)],
            expect![[r#"
            start
              + entry 2: %x = add i32 %a, 1
            CSE merged: the value is `%y` now, which was there before
              - entry 2: %x = add i32 %a, 1
              + entry 1: %y = add i32 %a, 2"#]],
        );
    }

    #[test]
    fn what_is_gone_is_deleted_or_lost() {
        let deleted = "  %y = add i32 %a, 2\n  call void @g(i32 %y)\n  ret void\n";
        check(
            false,
            &[("", START), ("DCE", deleted)],
            expect![[r#"
            start
              + entry 2: %x = add i32 %a, 1
            DCE deleted here: the pass only took instructions away
              - entry 2: %x = add i32 %a, 1"#]],
        );
        let lost = "  %y = add i32 %a, 2\n  call void @h()\n  call void @g(i32 %y)\n  ret void\n";
        check(
            false,
            &[("", START), ("A", lost), ("B", START)],
            expect![[r#"
            start
              + entry 2: %x = add i32 %a, 1
            A lost here: no instruction or debug value is left; it was deleted, or replaced by instructions without its line
              - entry 2: %x = add i32 %a, 1
            B found again
              + entry 2: %x = add i32 %a, 1"#]],
        );
        let constant = "    #dbg_value(i32 7, !7, !DIExpression(), !1)\n  call void @g(i32 7)\n  ret void\n";
        check(
            false,
            &[("", START), ("SCCP", constant)],
            expect![[r#"
            start
              + entry 2: %x = add i32 %a, 1
            SCCP constant: the value is the constant `7`
              - entry 2: %x = add i32 %a, 1"#]],
        );
    }

    #[test]
    fn copies_in_an_unrolled_loop_belong_to_the_value() {
        let copied = format!(
            "  %x.1 = add i32 %a, 1, !dbg !1\n    #dbg_value(i32 %x.1, !7, !DIExpression(), !1)\n{START}"
        );
        check(
            false,
            &[("", START), ("Unroll", &copied)],
            expect![[r#"
            start
              + entry 2: %x = add i32 %a, 1
            Unroll changed
              + entry 1: %x.1 = add i32 %a, 1"#]],
        );
    }

    #[test]
    fn what_only_has_the_location_belongs_to_the_line() {
        let more = format!("  %load = load i32, ptr null, !dbg !1\n{START}");
        check(
            false,
            &[("", START), ("A", &more)],
            expect![[r#"
            start
              + entry 2: %x = add i32 %a, 1"#]],
        );
        check(
            true,
            &[("", START), ("A", &more)],
            expect![[r#"
            start
              + entry 2: %x = add i32 %a, 1
            A changed
              + entry 1: %load = load i32, ptr null"#]],
        );
    }
}
