//! Which physical registers may come at a place, each with its rank: what people name most first.

use wavelens_isa::mir::{Class, Tables};

/// Registers of a class that are listed.
const OF_A_CLASS: usize = 128;

/// Those that begin like the typed word: single registers that people name most, other single ones, tuples, halves.
pub(super) fn all(tables: &Tables, typed: &str) -> Vec<(String, u8)> {
    let names = tables.registers_with_prefix(typed.trim_start_matches('$'), |_| true);
    let rank = |name: &str| match name {
        n if n.contains("_lo") || n.contains("_hi") => 4,
        n if n.contains('_') => 3,
        n => 2 - u8::from(is_common(n)),
    };
    let mut found: Vec<_> = names.into_iter().map(|n| (format!("${n}"), rank(&n))).collect();
    found.sort_by_key(|(name, rank)| (*rank, name.len()));
    found
}

/// Those of a class.
pub(super) fn of_class(tables: &Tables, class: Class) -> Vec<(String, u8)> {
    let members = tables.class_members(class).map(|register| tables.register_name(register));
    let mut found: Vec<_> = members.map(|n| (format!("${n}"), 3 - u8::from(is_common(&n)))).collect();
    found.sort_by_key(|(_, rank)| *rank);
    found.truncate(OF_A_CLASS);
    found
}

/// Those that a list of live-ins may go on with; the one that follows the last is the most likely.
pub(super) fn live_ins(tables: &Tables, list: &str, after: &str, typed: &str) -> Vec<(String, u8)> {
    let last = list.rsplit([' ', ',', ':']).find(|word| word.starts_with('$'));
    let next = after.split([' ', ',']).find(|word| word.starts_with('$'));
    let is_register = |name: &String| tables.register(name.trim_start_matches('$')).is_some();
    let near = [last.and_then(|last| shifted(last, 1)), next.and_then(|next| shifted(next, -1))];
    let near = near.into_iter().flatten().filter(is_register).map(|name| (name, 0));
    let is_listed =
        |name: &str| list.split([' ', ',', ':']).chain(after.split([' ', ','])).any(|own| own == name);
    near.chain(all(tables, typed)).filter(|(name, _)| !is_listed(name)).collect()
}

/// The register so many tuples after another: `$sgpr6_sgpr7` after `$sgpr4_sgpr5`.
fn shifted(tuple: &str, by: i32) -> Option<String> {
    let parts: Vec<&str> = tuple.strip_prefix('$')?.split('_').collect();
    let by = by.checked_mul(parts.len().try_into().ok()?)?;
    let shifted = parts.iter().map(|part| {
        let digits = part.trim_start_matches(|c: char| !c.is_ascii_digit());
        let number = digits.parse::<u32>().ok()?.checked_add_signed(by)?;
        Some(format!("{}{number}", part.strip_suffix(digits)?))
    });
    Some(format!("${}", shifted.collect::<Option<Vec<_>>>()?.join("_")))
}

/// General registers, and those whose names are words.
fn is_common(name: &str) -> bool {
    ["sgpr", "vgpr"].iter().any(|prefix| name.starts_with(prefix)) || !name.contains(char::is_numeric)
}
