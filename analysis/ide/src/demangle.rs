//! Names of the source in symbols: C++ (Itanium) and Rust.

use std::fmt::{self, Write};

use cpp_demangle::{DemangleOptions, ParseOptions, Symbol};

/// Longer symbols are left alone, and longer names are cut off: names of templates can grow without bound.
const LONGEST: usize = 4096;
const SHOWN: usize = 400;
/// How deeply names may be nested.
const DEPTH: u32 = 96;

/// The name in the source with its parameters: `foo::bar(int)` for `_ZN3foo3barEi`. `None` for symbols that are not mangled.
pub fn demangle(symbol: &str) -> Option<String> {
    name_of(symbol, DemangleOptions::new())
}

/// The name in the source without parameters and result: `foo::bar`.
pub(crate) fn demangle_short(symbol: &str) -> Option<String> {
    name_of(symbol, DemangleOptions::new().no_params().no_return_type())
}

fn name_of(symbol: &str, options: DemangleOptions) -> Option<String> {
    // LLVM marks names that are not to be changed with \01, and what ThinLTO made global with a suffix.
    let symbol = symbol.trim_start_matches(['@', '"', '\u{1}']).trim_end_matches('"');
    let symbol = symbol.strip_prefix("\\01").unwrap_or(symbol);
    let symbol = symbol.split_once(".llvm.").map_or(symbol, |(name, _)| name);
    let plain = symbol.trim_start_matches('_');
    if symbol.len() == plain.len() || !plain.starts_with(['Z', 'R']) || symbol.len() > LONGEST {
        return None;
    }
    let mut out = Bounded(String::new());
    if plain.starts_with('R') || is_legacy_rust(plain) {
        let name = rustc_demangle::try_demangle(symbol).ok()?;
        let _ = write!(out, "{name:#}");
    } else {
        let limits = ParseOptions::default().recursion_limit(DEPTH);
        let name = Symbol::new_with_options(symbol, &limits).ok()?;
        let written = name.structured_demangle(&mut out, &options.recursion_limit(DEPTH));
        written.ok().or((out.0.len() >= SHOWN).then_some(()))?;
    }
    let name = out.0;
    // As `c++filt` writes them.
    for (start, words) in [("{vtable(", "vtable for "), ("{vtt(", "VTT for ")] {
        if let Some(class) = name.strip_prefix(start).and_then(|rest| rest.strip_suffix(")}")) {
            return Some(format!("{words}{class}"));
        }
    }
    // `{virtual override thunk({offset(-16)}, B::f())}`
    if let Some(thunk) =
        name.strip_prefix("{virtual override thunk(").and_then(|rest| rest.strip_suffix(")}"))
    {
        let kind = if thunk.starts_with("{offset(") { "non-virtual thunk" } else { "virtual thunk" };
        let function = thunk.rsplit("}, ").next().unwrap_or(thunk);
        return Some(format!("{kind} to {function}"));
    }
    Some(name).filter(|name| !name.is_empty())
}

/// `ZN4core3fmt17h0123456789abcdefE`: Rust's older scheme ends with a hash.
fn is_legacy_rust(plain: &str) -> bool {
    let hash = plain
        .split('.')
        .next()
        .and_then(|name| name.strip_suffix('E'))
        .and_then(|name| name.get(name.len().checked_sub(19)?..));
    hash.and_then(|hash| hash.strip_prefix("17h"))
        .is_some_and(|hash| hash.bytes().all(|b| b.is_ascii_hexdigit()))
}

/// Ends with an ellipsis, and an error, where it is full.
struct Bounded(String);

impl Write for Bounded {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if self.0.len() >= SHOWN {
            return Err(fmt::Error);
        }
        self.0.push_str(text);
        if self.0.len() < SHOWN {
            return Ok(());
        }
        let end = (0..=SHOWN).rev().find(|at| self.0.is_char_boundary(*at)).unwrap_or(0);
        self.0.truncate(end);
        self.0.push('…');
        Err(fmt::Error)
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn names_of_both_languages() {
        let symbols = [
            "_ZN3foo3barEi",
            "@_ZN3foo3barEi",
            "\"\\01_ZN3foo3barEi\"",
            "_Z6vecAddPKfS0_Pf.llvm.1234",
            "_ZN4core3fmt9Formatter3pad17h0123456789abcdefE",
            "_RNvNtCs1234_7mycrate3foo3bar",
            "_ZTV3Foo",
            "_ZTTN3foo3BarE",
            "_ZTSi",
            "_ZTIPKc",
            "_ZTI3Foo",
            "_ZTSN3foo3BarE",
            "_ZThn16_N1B1fEv",
            "_ZGVZ1fvE1x",
            "printf",
            "_Zwhat",
            "_R",
            "__ZN3foo3barEi",
        ];
        let mut shown = String::new();
        for symbol in symbols {
            let [long, short] =
                [demangle(symbol), demangle_short(symbol)].map(|n| n.unwrap_or("-".to_owned()));
            shown.push_str(&format!("{long} | {short}\n"));
        }
        expect![[r#"
            foo::bar(int) | foo::bar
            foo::bar(int) | foo::bar
            foo::bar(int) | foo::bar
            vecAdd(float const*, float const*, float*) | vecAdd
            core::fmt::Formatter::pad | core::fmt::Formatter::pad
            mycrate::foo::bar | mycrate::foo::bar
            vtable for Foo | vtable for Foo
            VTT for foo::Bar | VTT for foo::Bar
            typeinfo name for int | typeinfo name for int
            typeinfo for char const* | typeinfo for char const*
            typeinfo for Foo | typeinfo for Foo
            typeinfo name for foo::Bar | typeinfo name for foo::Bar
            non-virtual thunk to B::f() | non-virtual thunk to B::f
            guard variable for f()::x | guard variable for f()::x
            - | -
            - | -
            - | -
            foo::bar(int) | foo::bar
        "#]]
        .assert_eq(&shown);
    }

    #[test]
    fn endless_names_are_cut() {
        // Each template argument doubles the name.
        let mut symbol = "_Z1fI1A".to_owned();
        (0..40).for_each(|_| symbol.push_str("S0_"));
        symbol.push_str("EvT_");
        let _ = demangle(&symbol);
        let nested = format!("_Z1f{}i", "P".repeat(3000));
        assert!(demangle(&nested).is_none_or(|name| name.len() <= SHOWN + 4));
        let long = format!("_ZN{}E", "9abcdefghi".repeat(60));
        assert_eq!(demangle(&long).map(|name| name.len()), Some(SHOWN + '…'.len_utf8()));
    }
}
