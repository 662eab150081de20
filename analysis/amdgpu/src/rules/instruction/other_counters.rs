//! Waits for counters that the processor does not have: it counts the same operations together with others, or apart from them.

use wavelens_isa::{self as isa, Target, Term, Value};

use super::RejectedLine;
use super::instruction_not_on_target;
use super::invalid_operand::INVALID_OPERAND;
use crate::rules::inserted_line::indentation;
use wavelens_base::{Diagnostic, Fix, TextEdit, TextRange};

/// A counter, and how many of its operations may stay open.
#[derive(Clone, Copy, PartialEq)]
struct Wait {
    counter: &'static str,
    left: i64,
}

/// A counter of gfx12, and which one holds its operations on gfx10 and gfx11, and before.
struct Row {
    apart: &'static str,
    together: &'static str,
    oldest: &'static str,
}

const fn row(apart: &'static str, together: &'static str, oldest: &'static str) -> Row {
    Row { apart, together, oldest }
}

const COUNTERS: [Row; 7] = [
    row("loadcnt", "vmcnt", "vmcnt"),
    row("samplecnt", "vmcnt", "vmcnt"),
    row("bvhcnt", "vmcnt", "vmcnt"),
    row("storecnt", "vscnt", "vmcnt"),
    row("dscnt", "lgkmcnt", "lgkmcnt"),
    row("kmcnt", "lgkmcnt", "lgkmcnt"),
    row("expcnt", "expcnt", "expcnt"),
];

/// Waits for two counters, whose number has the first one's in its high byte.
const PAIRS: [(&str, [&str; 2]); 2] =
    [("s_wait_loadcnt_dscnt", ["loadcnt", "dscnt"]), ("s_wait_storecnt_dscnt", ["storecnt", "dscnt"])];

/// The waits of the processor that are as strong as the line's.
pub(super) struct Replacement {
    lines: Vec<String>,
    /// They wait for the same operations.
    is_exact: bool,
}

impl Replacement {
    /// The lines, in a sentence.
    pub(super) fn quoted(&self) -> String {
        let quoted: Vec<String> = self.lines.iter().map(|line| format!("`{line}`")).collect();
        match quoted.as_slice() {
            [head @ .., last] if !head.is_empty() => format!("{} and {last}", head.join(", ")),
            _ => quoted.concat(),
        }
    }

    /// Puts the lines in place of the one that is written.
    pub(super) fn fix(&self, line: &RejectedLine<'_>) -> Option<Fix> {
        let end = line.operands.last().unwrap_or(&line.mnemonic).end();
        let range = TextRange::new(line.mnemonic.start(), end);
        let new = self.lines.join(&format!("\n{}", indentation(line.text, range.start())));
        let title = format!("Replace with {}", self.quoted());
        line.is_in_file.then(|| Fix { title, certain: self.is_exact, edits: vec![TextEdit::new(range, new)] })
    }
}

/// The finding about a counter of another generation in `s_waitcnt`.
pub(super) fn report(line: &RejectedLine<'_>) -> Option<Diagnostic> {
    let names = line.line.operands.iter().map(|operand| match operand.value {
        Value::Call { name, .. } => name,
        _ => "",
    });
    let mut counters = names.zip(line.operands);
    let (counter, range) = counters.find(|(name, _)| isa::counter_limit(line.target, name).is_none())?;
    let replacement = replacement(line)?;
    let message = format!(
        "`s_waitcnt` does not have the counter `{counter}` on {}; use {}",
        line.target,
        replacement.quoted()
    );
    let mut found = Diagnostic::new(&INVALID_OPERAND, *range, message);
    found.fix = replacement.fix(line);
    Some(found)
}

/// What the processor has in place of the line, if all that is written is known. Where one counter took the place of several, fewer
/// operations may stay open; where several took the place of one, only one of them may have open operations, so that never more
/// do than before.
pub(super) fn replacement(line: &RejectedLine<'_>) -> Option<Replacement> {
    let target = line.target;
    let mut is_exact = true;
    let mut waits: Vec<Wait> = Vec::new();
    for written in written(line)? {
        let own = own_counters(target, written.counter);
        is_exact &=
            own.len() == 1 && (own == [written.counter] || is_store(written.counter) && is_store(own[0]));
        for (at, counter) in own.iter().enumerate() {
            let left = if at == 0 { written.left.min(most(target, counter)) } else { 0 };
            match waits.iter_mut().find(|wait| wait.counter == *counter) {
                Some(wait) => wait.left = wait.left.min(left),
                None => waits.push(Wait { counter, left }),
            }
        }
        if own.is_empty() {
            return None;
        }
    }
    let joined = |wait: &&Wait| isa::counter_limit(target, wait.counter).is_some() && !has_split(target);
    let fields: Vec<String> =
        waits.iter().filter(joined).map(|wait| format!("{}({})", wait.counter, wait.left)).collect();
    let mut lines = Vec::new();
    if !fields.is_empty() {
        lines.push(format!("s_waitcnt {}", fields.join(" ")));
    }
    lines.extend(waits.iter().filter(|wait| !joined(wait)).map(|wait| match wait.counter {
        "vscnt" => format!("s_waitcnt_vscnt null, {:#x}", wait.left),
        counter => format!("s_wait_{counter} {:#x}", wait.left),
    }));
    (!lines.is_empty()).then_some(Replacement { lines, is_exact })
}

fn has_split(target: Target) -> bool {
    target.facts().has_split_counters
}

fn is_store(counter: &str) -> bool {
    matches!(counter, "storecnt" | "vscnt")
}

fn most(target: Target, counter: &str) -> i64 {
    isa::counter_limit(target, counter).unwrap_or(63)
}

/// The counters of the processor that hold the operations of one of any generation.
fn own_counters(target: Target, counter: &str) -> Vec<&'static str> {
    let has_stores = instruction_not_on_target::exists(target, "s_waitcnt_vscnt");
    let is_meant = |row: &&Row| match counter {
        // Before gfx10 this counted stores too, but which generation a wait was written for is not known.
        "vmcnt" => row.together == "vmcnt",
        "vscnt" => row.together == "vscnt",
        "lgkmcnt" => row.together == "lgkmcnt",
        _ => row.apart == counter,
    };
    let own = COUNTERS.iter().filter(is_meant).map(|row| match (has_split(target), has_stores) {
        (true, _) => row.apart,
        (false, true) => row.together,
        (false, false) => row.oldest,
    });
    let exists = |counter: &&str| {
        !has_split(target) || instruction_not_on_target::exists(target, &format!("s_wait_{counter}"))
    };
    let mut own: Vec<&str> = own.filter(exists).collect();
    own.dedup();
    own
}

/// The counters that a line of any generation waits for.
fn written(line: &RejectedLine<'_>) -> Option<Vec<Wait>> {
    let named = |counter: &str, left: i64| {
        let all = COUNTERS.iter().flat_map(|row| [row.apart, row.together]);
        let counter = all.into_iter().find(|known| *known == counter)?;
        (left >= 0).then_some(Wait { counter, left })
    };
    let mnemonic = line.line.mnemonic;
    let operands = &line.line.operands;
    if mnemonic == "s_waitcnt" {
        let waits = operands.iter().map(|operand| match operand.value {
            Value::Call { name, args } => match line.line.terms(args) {
                [Term::Int(left)] => named(name, *left),
                _ => None,
            },
            _ => None,
        });
        return waits.collect();
    }
    let Value::Int(number) = operands.last()?.value else { return None };
    if let Some((_, counters)) = PAIRS.iter().find(|(name, _)| *name == mnemonic) {
        return [(counters[0], number >> 8 & 63), (counters[1], number & 63)]
            .into_iter()
            .map(|(counter, left)| named(counter, left))
            .collect();
    }
    let counter = match mnemonic {
        "s_waitcnt_vscnt" => {
            // With a register, what it holds is added to the number.
            let Value::Reg(register) = operands.first()?.value else { return None };
            (Some(register) == isa::named_register("null")).then_some("vscnt")?
        }
        _ => mnemonic.strip_prefix("s_wait_")?,
    };
    Some(vec![named(counter, number)?])
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks;

    #[test]
    fn waits_of_another_generation_have_the_counters_of_this_one() {
        marks(
            "gfx942",
            expect![[r#"
                s_wait_loadcnt 0x2
                ;^^^^^^^^^^^^^ error[instruction-not-on-target]: `s_wait_loadcnt` is not supported on gfx942; use `s_waitcnt vmcnt(2)`
                ;            = guess: s_waitcnt vmcnt(2)
                s_wait_storecnt 0x0
                ;^^^^^^^^^^^^^^ error[instruction-not-on-target]: `s_wait_storecnt` is not supported on gfx942; use `s_waitcnt vmcnt(0)`
                ;             = guess: s_waitcnt vmcnt(0)
                s_wait_loadcnt_dscnt 0x120
                ;^^^^^^^^^^^^^^^^^^^ error[instruction-not-on-target]: `s_wait_loadcnt_dscnt` is not supported on gfx942; use `s_waitcnt vmcnt(1) lgkmcnt(15)`
                ;                  = guess: s_waitcnt vmcnt(1) lgkmcnt(15)
                s_waitcnt_vscnt null, 0x0
                ;^^^^^^^^^^^^^^ error[instruction-not-on-target]: `s_waitcnt_vscnt` is not supported on gfx942; use `s_waitcnt vmcnt(0)`
                ;             = guess: s_waitcnt vmcnt(0)
                s_waitcnt_vscnt s0, 0x0
                ;^^^^^^^^^^^^^^ error[instruction-not-on-target]: `s_waitcnt_vscnt` is not supported on gfx942; use `s_waitcnt`
                s_waitcnt vmcnt(1) vscnt(0)
                ;                  ^^^^^^^^ error[invalid-operand]: `s_waitcnt` does not have the counter `vscnt` on gfx942; use `s_waitcnt vmcnt(0)`
                ;                         = guess: s_waitcnt vmcnt(0)
                s_wait_xcnt 0x0
                ;^^^^^^^^^^ error[instruction-not-on-target]: `s_wait_xcnt` is not supported on gfx942; it is supported on gfx1250 and gfx1251
            "#]],
        );
        marks(
            "gfx1030",
            expect![[r#"
                s_waitcnt vscnt(0)
                ;         ^^^^^^^^ error[invalid-operand]: `s_waitcnt` does not have the counter `vscnt` on gfx1030; use `s_waitcnt_vscnt null, 0x0`
                ;                = fix: s_waitcnt_vscnt null, 0x0
                s_waitcnt vmcnt(0) vscnt(1)
                ;                  ^^^^^^^^ error[invalid-operand]: `s_waitcnt` does not have the counter `vscnt` on gfx1030; use `s_waitcnt vmcnt(0)` and `s_waitcnt_vscnt null, 0x1`
                ;                         = fix: s_waitcnt vmcnt(0)
                ;                         = fix: s_waitcnt_vscnt null, 0x1
                s_waitcnt loadcnt(0)
                ;         ^^^^^^^^^^ error[invalid-operand]: `s_waitcnt` does not have the counter `loadcnt` on gfx1030; use `s_waitcnt vmcnt(0)`
                ;                  = guess: s_waitcnt vmcnt(0)
                s_wait_storecnt_dscnt 0x100
                ;^^^^^^^^^^^^^^^^^^^^ error[instruction-not-on-target]: `s_wait_storecnt_dscnt` is not supported on gfx1030; use `s_waitcnt lgkmcnt(0)` and `s_waitcnt_vscnt null, 0x1`
                ;                   = guess: s_waitcnt lgkmcnt(0)
                ;                   = guess: s_waitcnt_vscnt null, 0x1
            "#]],
        );
        marks(
            "gfx1201",
            expect![[r#"
                s_waitcnt_vscnt null, 0x3
                ;^^^^^^^^^^^^^^ error[instruction-not-on-target]: `s_waitcnt_vscnt` is not supported on gfx1201; use `s_wait_storecnt 0x3`
                ;             = fix: s_wait_storecnt 0x3
                s_waitcnt dscnt(0)
                ;         ^^^^^^^^ error[invalid-operand]: `s_waitcnt` does not have the counter `dscnt` on gfx1201; use `s_wait_dscnt 0x0`
                ;                = fix: s_wait_dscnt 0x0
            "#]],
        );
        marks(
            "gfx1250",
            expect![[r#"
                s_waitcnt vmcnt(1) lgkmcnt(0)
                ;^^^^^^^^ error[instruction-not-on-target]: `s_waitcnt` is not supported on gfx1250; use `s_wait_loadcnt 0x1`, `s_wait_dscnt 0x0` and `s_wait_kmcnt 0x0`
                ;       = guess: s_wait_loadcnt 0x1
                ;       = guess: s_wait_dscnt 0x0
                ;       = guess: s_wait_kmcnt 0x0
                s_waitcnt lgkmcnt(2)
                ;^^^^^^^^ error[instruction-not-on-target]: `s_waitcnt` is not supported on gfx1250; use `s_wait_dscnt 0x2` and `s_wait_kmcnt 0x0`
                ;       = guess: s_wait_dscnt 0x2
                ;       = guess: s_wait_kmcnt 0x0
                s_waitcnt expcnt(0)
                ;^^^^^^^^ error[instruction-not-on-target]: `s_waitcnt` is not supported on gfx1250; use `s_wait_loadcnt`
                s_waitcnt 0
                ;^^^^^^^^ error[instruction-not-on-target]: `s_waitcnt` is not supported on gfx1250; use `s_wait_loadcnt`
            "#]],
        );
    }
}
