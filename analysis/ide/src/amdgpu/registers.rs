//! Registers as names: which words of a text are about the same value, and moving a value to another register.

use std::fmt::Write as _;

use wavelens_amdgpu::flow::dwords;
use wavelens_base::{Options, TextEdit, TextRange, TextSize};
use wavelens_check::check_text;
use wavelens_isa::{Access, Half, Reg, RegFile};
use wavelens_syntax::amdgpu::AmdgpuKind::IDENT;

use super::Cx;
use super::hover::register_around;
use super::queries::{facts_at, whole_file};
use crate::answers::{Occurrence, Role, Space, SymbolKey};
use crate::assembly::{FunctionFacts, Line, Listing};
use crate::db::View;

/// A value of a function: index into [`Listing::functions`], and its number there.
pub(super) type Value = (usize, u32);

/// A register as written.
#[derive(Debug, Clone, Copy)]
pub(super) struct Named {
    /// In the chunk.
    pub(super) range: TextRange,
    pub(super) reg: Reg,
    pub(super) value: Value,
    pub(super) is_written: bool,
}

/// The accesses of a line with their values.
fn accesses(listing: &Listing, index: usize) -> impl Iterator<Item = (&Access, bool, Value)> {
    let found = listing.lines.get(index).and_then(|line| {
        let function = listing.functions.get(line.function)?;
        let values = function.webs.of(index.checked_sub(function.lines.start)?);
        let effects = &line.effects;
        let reads = effects.reads.iter().map(|a| (a, false));
        let all = reads.chain(effects.writes.iter().map(|a| (a, true)));
        let own = line.function;
        Some(all.zip(values).map(move |((access, written), value)| (access, written, (own, *value))))
    });
    found.into_iter().flatten()
}

/// The registers in a range of the chunk with their values. Registers of macro calls and lines in error are not among them.
pub(super) fn named(cx: &Cx<'_>, listing: &Listing, range: TextRange) -> Vec<Named> {
    let file = range + cx.start();
    let lexed = &cx.lowered.lexed;
    let first = listing.lines.partition_point(|l| l.instruction.range.end() < file.start());
    let mut found: Vec<Named> = Vec::new();
    for (index, line) in listing.lines.iter().enumerate().skip(first) {
        let own = line.instruction.range;
        if own.start() >= file.end() {
            break;
        }
        let Some(own) = own.checked_sub(cx.start()).filter(|_| !line.instruction.nested) else { continue };
        let before = found.len();
        let mut token = lexed.at_offset(own.start());
        while token < lexed.len() && lexed.range(token).start() < own.end() {
            if lexed.kind(token) == IDENT
                && let Some((range, reg)) = register_around(cx, token)
            {
                let earlier = found.get(before..).unwrap_or(&[]).iter().any(|n| n.reg == reg);
                found.extend(value_of(listing, index, reg, earlier).map(|(value, is_written)| Named {
                    range,
                    reg,
                    value,
                    is_written,
                }));
            }
            token += 1;
        }
    }
    found
}

/// The value of a register as it is written in a line: results come first in the text.
fn value_of(listing: &Listing, index: usize, reg: Reg, named_before: bool) -> Option<(Value, bool)> {
    let own: Vec<(bool, Value)> = accesses(listing, index)
        .filter(|(access, ..)| dwords(access.reg()) == dwords(reg))
        .map(|(_, written, value)| (written, value))
        .collect();
    let of = |written: bool| own.iter().find(|(w, _)| *w == written).map(|(w, value)| (*value, *w));
    match named_before {
        false => of(true).or_else(|| of(false)),
        true => of(false).or_else(|| of(true)),
    }
}

/// The registers of a chunk as names. None while a large file is not assembled as a whole.
pub(super) fn occurrences(cx: &Cx<'_>) -> Vec<Occurrence> {
    let Some(listing) = whole_file(cx) else { return Vec::new() };
    let all = named(cx, listing, TextRange::up_to(TextSize::of(cx.text)));
    let occurrence = |n: Named| {
        let start = listing.functions.get(n.value.0).map_or(0, |f| f.lines.start);
        let key = SymbolKey::module(Space::Register, format!("{start}/{}", n.value.1));
        Occurrence {
            key,
            range: n.range,
            role: if n.is_written { Role::Definition } else { Role::Reference },
        }
    };
    all.into_iter().map(occurrence).collect()
}

/// Lines (numbers in [`Listing::lines`]) in which a value is written, and in which it is read.
pub(super) fn lines_of(listing: &Listing, value: Value) -> (Vec<usize>, Vec<usize>) {
    let (mut writes, mut reads) = (Vec::new(), Vec::new());
    let Some(function) = listing.functions.get(value.0) else { return (writes, reads) };
    for index in function.lines.clone() {
        for (_, written, _) in accesses(listing, index).filter(|(.., own)| *own == value) {
            let list = if written { &mut writes } else { &mut reads };
            if list.last() != Some(&index) {
                list.push(index);
            }
        }
    }
    (writes, reads)
}

/// What a hover says about a register in a line.
pub(super) fn describe(cx: &Cx<'_>, listing: &Listing, named: Named) -> String {
    let name = named.reg.name();
    let (writes, reads) = lines_of(listing, named.value);
    let shown = |lines: &[usize]| {
        const MOST: usize = 6;
        let numbers: Vec<String> =
            lines.iter().take(MOST).map(|l| super::hover::line_number(cx, listing, *l).to_string()).collect();
        let more =
            if lines.len() > MOST { format!(" and {} more", lines.len() - MOST) } else { String::new() };
        format!("line{} {}{more}", if lines.len() == 1 { "" } else { "s" }, numbers.join(", "))
    };
    let mut text = match named.reg.dwords {
        1 => format!("`{name}`"),
        n => format!("`{name}`, {n} registers"),
    };
    text.push_str(if named.is_written { ", written here\n" } else { ", read here\n" });
    let function = listing.functions.get(named.value.0);
    let outside = function.is_some_and(|f| is_live_in(f, named));
    if outside {
        let initial = function.and_then(|f| f.initial.as_ref());
        let has_value = initial.is_none_or(|initial| {
            !is_general(named.reg) || dwords(named.reg).any(|dword| initial.contains(dword))
        });
        text.push_str(match has_value {
            true => "\n- has a value when the function starts",
            false => "\n- has no value when the kernel starts",
        });
    }
    match writes.is_empty() {
        true if !outside => text.push_str("\n- not written in this function"),
        true => {}
        false => {
            let _ = write!(text, "\n- written in {}", shown(&writes));
        }
    }
    match reads.is_empty() {
        true => text.push_str("\n- not read"),
        false => {
            let _ = write!(text, "\n- read in {}", shown(&reads));
        }
    }
    let ends = writes.iter().chain(&reads);
    if let (Some(first), Some(last)) = (ends.clone().min(), ends.max())
        && first != last
        && !outside
    {
        let line = |l: &usize| super::hover::line_number(cx, listing, *l);
        let _ = write!(text, "\n- live between lines {} and {}", line(first), line(last));
    }
    text
}

/// Whether a kernel's descriptor decides if the register has a value.
fn is_general(reg: Reg) -> bool {
    matches!(reg.file, RegFile::Vgpr | RegFile::Agpr | RegFile::Sgpr)
}

fn is_live_in(function: &FunctionFacts, named: Named) -> bool {
    let live = function.live_ins.first();
    live.is_some_and(|live| dwords(named.reg).any(|d| live.contains(d)))
        && function.webs.is_fixed(named.value.1)
}

/// The edits, in the file, that move the value at a place to another register.
///
/// # Errors
/// Why that would change what the program does, or why that is not known.
pub(super) fn move_value(cx: &Cx<'_>, range: TextRange, new_name: &str) -> Result<Vec<TextEdit>, String> {
    let listing = facts_at(cx, range.start());
    let all = named(cx, listing, TextRange::up_to(TextSize::of(cx.text)));
    let named =
        all.into_iter().find(|n| n.range == range).ok_or("the register is not part of an instruction")?;
    let wanted = parse(new_name).ok_or_else(|| format!("`{new_name}` is not a register"))?;
    let (old, function) =
        (named.reg, listing.functions.get(named.value.0).ok_or("the register is in no function")?);
    if !matches!(old.file, RegFile::Vgpr | RegFile::Agpr | RegFile::Sgpr) {
        return Err(format!("`{}` has a fixed meaning", old.name()));
    }
    if wanted.file != old.file || !matches!(wanted.dwords, d if d == old.dwords || d == 1) {
        return Err(format!("`{}` can only be moved to registers of its kind and size", old.name()));
    }
    let shift = i32::from(wanted.index) - i32::from(old.index);
    if function.webs.is_fixed(named.value.1) {
        return Err(format!(
            "`{}` has a value from outside of the function, or is used without being named",
            old.name()
        ));
    }
    let movable = |line: &Line| !line.effects.call && !line.effects.indexed && !line.instruction.nested;
    let lines = listing.lines.get(function.lines.clone()).unwrap_or(&[]);
    if !lines.iter().all(movable) {
        return Err("the function calls others, uses macros or selects registers by number".to_owned());
    }
    if let Some(taken) = conflict(listing, named.value, shift) {
        return Err(format!("`{}` holds another value in between", taken.name()));
    }
    let edits = edits_of(cx.view, listing, named.value, shift)?;
    prove(cx, &edits)?;
    Ok(edits)
}

/// `v7`, `v[2:3]`.
fn parse(name: &str) -> Option<Reg> {
    let name = name.trim();
    if let Some(reg) = wavelens_isa::named_register(name) {
        return Some(reg);
    }
    let (file, rest) = name.split_once('[')?;
    let (low, high) = rest.strip_suffix(']')?.split_once(':')?;
    let (low, high) = (low.trim().parse().ok()?, high.trim().parse().ok()?);
    wavelens_isa::register_range(file, low, high, Half::Full)?.ok()
}

fn moved(reg: Reg, shift: i32) -> Option<Reg> {
    let index = u16::try_from(i32::from(reg.index) + shift).ok()?;
    Some(Reg { index, ..reg })
}

/// A register of the new place that holds something else while the value is live.
fn conflict(listing: &Listing, value: Value, shift: i32) -> Option<Reg> {
    let function = listing.functions.get(value.0)?;
    let own: Vec<Reg> = function
        .lines
        .clone()
        .flat_map(|index| {
            accesses(listing, index).filter(|(.., v)| *v == value).map(|(a, ..)| a.reg()).collect::<Vec<_>>()
        })
        .collect();
    let goals: Vec<Reg> = own.iter().filter_map(|reg| moved(*reg, shift)).collect();
    // Any other access to the new place in the function: a rule that is too strict, but certain.
    let taken = |reg: Reg| goals.iter().any(|g| dwords(*g).any(|d| dwords(reg).contains(&d)));
    let entry = function.live_ins.first();
    if let Some(goal) = goals.iter().find(|g| entry.is_some_and(|e| dwords(**g).any(|d| e.contains(d)))) {
        return Some(*goal);
    }
    function.lines.clone().find_map(|index| {
        let mut other = accesses(listing, index).filter(|(.., v)| *v != value);
        other.find(|(access, ..)| taken(access.reg())).map(|(access, ..)| access.reg())
    })
}

/// The new text of each place of a value.
fn edits_of(view: View<'_>, listing: &Listing, value: Value, shift: i32) -> Result<Vec<TextEdit>, String> {
    let wavelens_check::dialect::Scope::Amdgpu(scope) = view.scope() else { return Ok(Vec::new()) };
    let mut edits = Vec::new();
    let mut places = 0;
    for (index, chunk) in view.chunks().iter().enumerate() {
        let wavelens_check::dialect::Lowered::Amdgpu(lowered) = view.lowered(*chunk) else { continue };
        let cx: Cx<'_> = crate::answers::ChunkCx::new(view, index, *chunk, &**lowered, &**scope);
        for own in named(&cx, listing, TextRange::up_to(TextSize::of(cx.text))) {
            if own.value == value {
                let reg = moved(own.reg, shift).ok_or("the register does not exist")?;
                edits.push(TextEdit { range: own.range + cx.start(), text: reg.name() });
                places += 1;
            }
        }
    }
    let (writes, reads) = lines_of(listing, value);
    if places < writes.len().max(reads.len()) {
        return Err("some uses of the register are not written in the text".to_owned());
    }
    Ok(edits)
}

/// Checks the new text: nothing may be wrong with it that was not wrong before.
fn prove(cx: &Cx<'_>, edits: &[TextEdit]) -> Result<(), String> {
    let text = cx.view.whole_text();
    let mut new = text.clone();
    for edit in edits.iter().rev() {
        new.replace_range(std::ops::Range::<usize>::from(edit.range), &edit.text);
    }
    let options: &Options = cx.view.file.options(cx.view.db);
    let before = check_text(wavelens_base::Dialect::Amdgpu, &text, options);
    let after = check_text(wavelens_base::Dialect::Amdgpu, &new, options);
    let count =
        |all: &[wavelens_base::Finding], code: &str| all.iter().filter(|f| f.rule.code == code).count();
    let worse = after.iter().find(|f| count(&after, f.rule.code) > count(&before, f.rule.code));
    match worse {
        Some(finding) => Err(finding.message.clone()),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use wavelens_base::{Dialect, TextSize};

    use crate::features;
    use crate::features::tests::{at_cursor, edited, places};

    const HEAD: &str = ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\n";

    fn highlights(body: &str, expected: Expect) {
        at_cursor(Dialect::Amdgpu, &format!("{HEAD}{body}"), |view, at| {
            let found = features::highlights(view, at);
            expected.assert_eq(&places(view, found.into_iter().map(|(range, _)| range)));
        });
    }

    fn renamed(body: &str, new_name: &str, expected: Expect) {
        at_cursor(Dialect::Amdgpu, &format!("{HEAD}{body}"), |view, at| {
            let shown = match features::rename(view, at, new_name) {
                Ok(edits) => edited(view, edits).lines().skip(1).map(|l| format!("{l}\n")).collect(),
                Err(reason) => format!("{reason}\n"),
            };
            expected.assert_eq(&shown);
        });
    }

    #[test]
    fn a_value_is_its_definitions_and_uses() {
        highlights(
            "k:\nv_mov_b32 $0v1, 0\nv_add_u32 v2, v1, v1\nv_mov_b32 v1, 1\nv_add_u32 v3, v1, v2\ns_endpgm\n",
            expect![[r#"
                3:11 v1
                4:15 v1
                4:19 v1
            "#]],
        );
        // Both branches write what is read after them.
        highlights(
            "k:\ns_cbranch_scc0 b\nv_mov_b32 v1, 0\ns_branch c\nb:\nv_mov_b32 v1, 1\nc:\nv_add_u32 v2, $0v1, v0\nv_mov_b32 v1, v2\ns_endpgm\n",
            expect![[r#"
                4:11 v1
                7:11 v1
                9:15 v1
            "#]],
        );
        // A loop carries the value around.
        highlights(
            "k:\ns_mov_b32 s4, 0\nl:\ns_add_u32 s4, $0s4, 1\ns_cmp_lt_u32 s4, 9\ns_cbranch_scc1 l\ns_mov_b32 s4, 7\ns_endpgm\n",
            expect![[r#"
                3:11 s4
                5:11 s4
                5:15 s4
                6:14 s4
            "#]],
        );
        // A pair and its halves.
        highlights(
            "k:\nv_mov_b32 v2, 0\nv_mov_b32 v3, 0\nglobal_load_dword v4, v[$02:3], off\nv_mov_b32 v2, 5\ns_endpgm\n",
            expect![[r#"
                3:11 v2
                4:11 v3
                5:23 v[2:3]
            "#]],
        );
        highlights(
            "k:\nv_mov_b32 v1, 0\nv_mac_f32 $0v1, v2, v3\nv_mov_b32 v4, v1\ns_endpgm\n",
            expect![[r#"
                3:11 v1
                4:11 v1
                5:15 v1
            "#]],
        );
    }

    #[test]
    fn definitions_lead_to_all_writes_that_reach() {
        let body = "k:\ns_cbranch_scc0 b\nv_mov_b32 v1, 0\ns_branch c\nb:\nv_mov_b32 v1, 1\nc:\nv_add_u32 v2, $0v1, v0\ns_endpgm\n";
        at_cursor(Dialect::Amdgpu, &format!("{HEAD}{body}"), |view, at| {
            let found = features::definition(view, at);
            expect![[r#"
                4:11 v1
                7:11 v1
            "#]]
            .assert_eq(&places(view, found.into_iter().map(|t| t.range)));
        });
    }

    #[test]
    fn a_value_moves_to_a_free_register() {
        let body =
            "k:\nv_mov_b32 $0v1, 0\nv_add_u32 v2, v1, v1\nv_mov_b32 v1, 1\nv_add_u32 v3, v1, v2\ns_endpgm\n";
        renamed(
            body,
            "v9",
            expect![[r#"
            k:
            v_mov_b32 v9, 0
            v_add_u32 v2, v9, v9
            v_mov_b32 v1, 1
            v_add_u32 v3, v1, v2
            s_endpgm
        "#]],
        );
        renamed(
            body,
            "v2",
            expect![[r#"
            `v2` holds another value in between
        "#]],
        );
        renamed(
            body,
            "s9",
            expect![[r#"
            `v1` can only be moved to registers of its kind and size
        "#]],
        );
        renamed(
            "k:\ns_mov_b64 $0s[4:5], 0\ns_mov_b32 s5, 1\ns_mov_b64 vcc, s[4:5]\ns_endpgm\n",
            "s[8:9]",
            expect![[r#"
                k:
                s_mov_b64 s[8:9], 0
                s_mov_b32 s9, 1
                s_mov_b64 vcc, s[8:9]
                s_endpgm
            "#]],
        );
        renamed(
            "k:\ns_mov_b64 $0s[4:5], 0\ns_mov_b64 vcc, s[4:5]\ns_endpgm\n",
            "s7",
            expect![[r#"
            `s[7:8]` must start at a multiple of 2
        "#]],
        );
        renamed(
            "k:\nv_mov_b32 v1, $0v0\ns_endpgm\n",
            "v9",
            expect![[r#"
            `v0` is not defined in this file
        "#]],
        );
        renamed(
            "k:\ns_mov_b32 $0exec_lo, 0\ns_endpgm\n",
            "s4",
            expect![[r#"
            `exec_lo` has a fixed meaning
        "#]],
        );
    }

    /// `s_mulk_i32` reads the register that it writes: the value is live from the start.
    #[test]
    fn an_accumulator_is_live_before_its_first_write() {
        let text = format!("{HEAD}k:\ns_nop 0\ns_mulk_i32 $0s7, 0xf8\ns_add_u32 s0, s3, s7\ns_endpgm\n");
        at_cursor(Dialect::Amdgpu, &text, |view, at| {
            let shown = features::hover(view, at).map_or_else(String::new, |h| h.markdown);
            expect![[r#"
                `s7`, written here

                - has a value when the function starts
                - written in line 4
                - read in lines 4, 5"#]]
            .assert_eq(&shown);
            let text = view.whole_text();
            let range = wavelens_base::TextRange::up_to(TextSize::of(text.as_str()));
            let counts: Vec<String> = features::hints(view, range)
                .into_iter()
                .filter(|h| h.kind == features::HintKind::LiveCount)
                .map(|h| h.label)
                .collect();
            expect!["0v 2s live; 0v 2s live; 0v 2s live; 0v 0s live"].assert_eq(&counts.join("; "));
        });
    }
}
