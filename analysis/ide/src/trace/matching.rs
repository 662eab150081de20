//! Instructions of two states of a function that are the same.

use std::collections::{HashMap, HashSet};

use similar::{Algorithm, DiffOp, capture_diff_slices};
use wavelens_codegen::trace::Change;

use crate::answers::{Carrier, Item, State};

/// Some instructions in another state: all instructions with the line are the same there, or the mnemonic tells one from the others.
/// Empty if one of them is not found.
fn matched(old: &State, wanted: &[usize], before: &[usize], new: &State, after: &[usize]) -> Vec<usize> {
    let name = |state: &State, at: usize| mnemonic(&state.items[at].text).to_ascii_lowercase();
    let olds: Vec<String> = before.iter().map(|at| name(old, *at)).collect();
    let news: Vec<String> = after.iter().map(|at| name(new, *at)).collect();
    let find = |at: &usize| {
        let position = before.iter().position(|b| b == at)?;
        if olds == news {
            return after.get(position).copied();
        }
        let own = olds.get(position)?;
        let is_single = |all: &[String]| all.iter().filter(|n| *n == own).count() == 1;
        if !is_single(&olds) || !is_single(&news) {
            return None;
        }
        after.get(news.iter().position(|n| n == own)?).copied()
    };
    wanted.iter().map(find).collect::<Option<Vec<usize>>>().unwrap_or_default()
}

/// [`matched`] among the instructions with the line, or among all with the mnemonics: passes drop locations, and as many instructions
/// of the kinds in the same order are the same ones.
pub(super) fn matched_or_alike(
    old: &State,
    wanted: &[usize],
    before: &[usize],
    new: &State,
    after: &[usize],
) -> Vec<usize> {
    let found = matched(old, wanted, before, new, after);
    if found.len() == wanted.len() {
        return found;
    }
    matched(old, wanted, &alike(wanted, old, old), new, &alike(wanted, old, new))
}

/// The instructions of a state that have the mnemonic of one of some instructions in another state.
fn alike(wanted: &[usize], of: &State, state: &State) -> Vec<usize> {
    let name = |state: &State, at: usize| mnemonic(&state.items[at].text).to_ascii_lowercase();
    // `COPY` and `PHI` tell nothing.
    let names = wanted.iter().map(|at| name(of, *at)).filter(|name| !name.is_empty());
    let names: HashSet<String> = names.collect();
    let is_alike = |at: &usize| names.contains(&name(state, *at));
    (0..state.items.len()).filter(is_alike).collect()
}

/// The machine instruction, without the encoding that `_e32` and `_e64` choose.
fn mnemonic(text: &str) -> &str {
    let after = text.split_once(" = ").map_or(text, |(_, after)| after);
    // Flags such as `nofpexcept` come before the name, and the assembly is in lower case.
    let is_name = |w: &&str| w.contains('_') && !w.starts_with(['$', '%']);
    let word = after.split(' ').find(is_name).unwrap_or("");
    word.trim_end_matches("_e32").trim_end_matches("_e64")
}

/// The new name of a value whose instruction a pass made again elsewhere: passes append to the name (`%x.le` after the loop of `%x`).
pub(super) fn renamed(name: &str, old: &State, new: &State) -> Option<String> {
    fn defined<'s>(state: &'s State, name: &str) -> Option<&'s Item> {
        state.items.iter().find(|i| i.defines.iter().any(|d| d == name))
    }
    let operation = |item: &Item| Some(item.text.split_once(" = ")?.1.split(' ').next()?.to_owned());
    let of = operation(defined(old, name).filter(|_| is_named(name) && defined(new, name).is_none())?)?;
    let is_it = |d: &&String| {
        d.strip_prefix(name).is_some_and(|rest| rest.starts_with('.')) && defined(old, d).is_none()
    };
    let again = new.items.iter().filter(|item| operation(item).as_ref() == Some(&of));
    let mut names = again.filter_map(|item| item.defines.iter().find(is_it));
    names.next().filter(|_| names.next().is_none()).cloned()
}

/// A value of LLVM IR or a virtual register: each has one definition, or all belong to it.
pub(super) fn is_virtual(name: &str) -> bool {
    name.starts_with('%')
}

/// Numbers of unnamed values in LLVM IR change from pass to pass.
pub(super) fn is_named(name: &str) -> bool {
    !name.trim_start_matches('%').bytes().all(|b| b.is_ascii_digit())
}

/// The instructions that define a name before an instruction: all of a virtual one, of each register of a tuple the last one in the block.
pub(super) fn definitions(state: &State, name: &str, before: usize) -> Vec<usize> {
    if is_virtual(name) {
        let defines = |at: &usize| state.items[*at].defines.iter().any(|d| d == name);
        return (0..state.items.len()).filter(defines).collect();
    }
    let Some(last) = before.checked_sub(1).and_then(|at| state.items.get(at)) else { return Vec::new() };
    last_definitions(state, name, before, &last.block)
}

fn last_definitions(state: &State, name: &str, before: usize, block: &str) -> Vec<usize> {
    let in_block = || (0..before).rev().take_while(|at| state.items[*at].block == block);
    let mut found: Vec<usize> =
        parts(name).filter_map(|part| in_block().find(|at| defines(&state.items[*at], part))).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// Whether an instruction defines a physical register.
fn defines(item: &Item, register: &str) -> bool {
    let names = item.defines.iter().filter(|d| !is_virtual(d));
    names.flat_map(|d| parts(d)).any(|other| other == register)
}

/// The instructions that an operand of an instruction may come from: of a register that its block does not define before it, all.
pub(super) fn sources(state: &State, name: &str, at: usize) -> Vec<usize> {
    let Some(item) = state.items.get(at).filter(|_| !is_virtual(name)) else {
        return definitions(state, name, at);
    };
    let found = last_definitions(state, name, at, &item.block);
    if !found.is_empty() {
        return found;
    }
    let defines_it = |at: &usize| parts(name).any(|part| defines(&state.items[*at], part));
    (0..state.items.len()).filter(defines_it).collect()
}

/// The registers of a tuple: `$vgpr1_vgpr2`. `$exec` and the like are not followed.
fn parts(name: &str) -> impl Iterator<Item = &str> {
    name.trim_start_matches('$').split('_').filter(|part| part.ends_with(|c: char| c.is_ascii_digit()))
}

/// Those of some instructions whose text others do not have, each counted once.
pub(super) fn without(state: &State, numbers: &[usize], other: &State, others: &[usize]) -> Vec<usize> {
    let mut there: HashMap<&str, usize> = HashMap::new();
    for item in others.iter().filter_map(|at| other.items.get(*at)) {
        *there.entry(&item.key).or_default() += 1;
    }
    let is_new = |at: &&usize| {
        let left = state.items.get(**at).and_then(|item| there.get_mut(item.key.as_str()));
        match left {
            Some(left) if *left > 0 => {
                *left -= 1;
                false
            }
            _ => true,
        }
    };
    let mut is_new = is_new;
    numbers.iter().filter(|at| is_new(at)).copied().collect()
}

/// Instructions that are in another block, or in another place among those that matches in their block: pairs of old and new number.
pub(super) fn moved(old: &State, was: &[usize], new: &State, is: &[usize]) -> Vec<(usize, usize)> {
    let names =
        |state: &State| state.items.iter().map(|i| block_name(&i.block).to_owned()).collect::<HashSet<_>>();
    // Where blocks were removed, others may have got their numbers: then the order of all instructions decides.
    let same_blocks = names(old) == names(new);
    let keys = |state: &State| {
        let block =
            |item: &Item| if same_blocks { block_name(&item.block).to_owned() } else { String::new() };
        state.items.iter().map(|i| (block(i), i.key.clone())).collect::<Vec<_>>()
    };
    let (old_keys, new_keys) = (keys(old), keys(new));
    if old_keys == new_keys {
        return Vec::new();
    }
    let mut matches = vec![None; old_keys.len()];
    for op in capture_diff_slices(Algorithm::Myers, &old_keys, &new_keys) {
        if let DiffOp::Equal { old_index, new_index, len } = op {
            (0..len).for_each(|n| matches[old_index + n] = Some(new_index + n));
        }
    }
    let matched = |at: usize| matches.get(at).copied().flatten();
    let mut free: Vec<usize> = is.to_vec();
    for to in was.iter().filter_map(|at| matched(*at)) {
        free.retain(|n| *n != to);
    }
    let mut found = Vec::new();
    for at in was.iter().filter(|at| matched(**at).is_none()) {
        let key = &old.items[*at].key;
        if let Some(index) = free.iter().position(|n| new.items[*n].key == *key) {
            found.push((*at, free.remove(index)));
        }
    }
    found
}

/// The same instruction in another state: in line with the others, or the only one that reads the same.
pub(super) fn aligned(old: &State, at: usize, new: &State) -> Option<usize> {
    let keys = |state: &State| state.items.iter().map(|item| item.key.clone()).collect::<Vec<_>>();
    let (old_keys, new_keys) = (keys(old), keys(new));
    for op in capture_diff_slices(Algorithm::Myers, &old_keys, &new_keys) {
        if let DiffOp::Equal { old_index, new_index, len } = op
            && (old_index..old_index + len).contains(&at)
        {
            return Some(new_index + at - old_index);
        }
    }
    let key = old_keys.get(at)?;
    let mut same = (0..new_keys.len()).filter(|n| new_keys.get(*n) == Some(key));
    same.next().filter(|_| same.next().is_none())
}

/// `then` of `bb.1.then`: its number changes when blocks are removed.
fn block_name(block: &str) -> &str {
    block.strip_prefix("bb.").and_then(|b| b.split_once('.')).map_or(block, |(_, name)| name)
}

/// How the last instruction went.
pub(super) fn gone_how(old: &State, new: &State) -> (Change, Option<String>) {
    match new.carriers.first().map(|(_, carrier)| carrier) {
        Some(Carrier::Constant(constant)) => {
            return (Change::Constant, Some(format!("the value is the constant `{constant}`")));
        }
        Some(Carrier::Computed(from)) => {
            let note = format!("no instruction is left; the value follows from `{from}`");
            return (Change::Lost, Some(note));
        }
        // A virtual register without a definition: the debug value is left over.
        Some(Carrier::Value(register)) if !is_virtual(register) || is_named(register) => {
            let note = format!("no instruction computes it any more; debug values say it is in `{register}`");
            return (Change::Changed, Some(note));
        }
        Some(Carrier::Value(_) | Carrier::Item(_)) | None => {}
    }
    let all: Vec<usize> = (0..new.items.len()).collect();
    let before: Vec<usize> = (0..old.items.len()).collect();
    match without(new, &all, old, &before).is_empty() {
        true => (Change::Deleted, Some("the pass only took instructions away".to_owned())),
        false => {
            let note = "no instruction or debug value is left; it was deleted, or replaced by instructions without its line";
            (Change::Lost, Some(note.to_owned()))
        }
    }
}

/// What is known where instruction selection left nothing.
pub(super) fn unselected(new: &State) -> String {
    match new.carriers.first().map(|(_, carrier)| carrier) {
        Some(Carrier::Value(register)) => {
            format!("no machine instruction has its line; the value is in `{register}`")
        }
        Some(Carrier::Constant(constant)) => {
            format!("no machine instruction has its line; the value is `{constant}`")
        }
        _ => {
            "no machine instruction has its line: it is part of other instructions, or not needed".to_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instruction_without_its_line_is_the_one_of_its_kind_in_the_same_place() {
        let state = |lines: &[&str]| State {
            items: lines.iter().map(|text| Item { text: (*text).to_owned(), ..Item::default() }).collect(),
            ..State::default()
        };
        let old = state(&["%1 = S_XOR_B32 %0, 1", "%2 = COPY %1", "%3 = S_XOR_B32 %2, 2", "S_ENDPGM 0"]);
        let new = state(&["s_xor_b32 s0, s0, 1", "s_nop 0", "s_xor_b32 s1, s0, 2", "s_endpgm"]);
        assert_eq!(matched_or_alike(&old, &[2], &[], &new, &[]), [2]);
        assert_eq!(matched_or_alike(&old, &[1], &[], &new, &[]), [0; 0]);
        let fewer = state(&["s_xor_b32 s0, s0, 1", "s_endpgm"]);
        assert_eq!(matched_or_alike(&old, &[2], &[], &fewer, &[]), [0; 0]);
    }

    #[test]
    fn each_register_of_a_tuple_has_its_own_definition() {
        let item = |name: &str| Item { defines: vec![name.to_owned()], ..Item::default() };
        let items = ["$vgpr1", "$vgpr0", "%1", "$vgpr1_vgpr2", "$vgpr3"].map(item).to_vec();
        let state = State { items, ..State::default() };
        assert_eq!(definitions(&state, "$vgpr0_vgpr1", 5), [1, 3]);
        assert_eq!(definitions(&state, "$vgpr0_vgpr1", 3), [0, 1]);
        assert_eq!(definitions(&state, "$exec", 5), [0; 0]);
        assert_eq!(sources(&state, "$vgpr3", 2), [4]);
    }
}
