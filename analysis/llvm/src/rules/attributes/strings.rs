//! String attributes: those with known words for values, and those that name something.

use wavelens_syntax::wording;

use super::{CONFLICT, Site, conflict, value, vector_variant};
use crate::attribute::AttrKind;
use crate::attribute_set::AttributeSet;
use crate::scope::Scope;
use crate::tables::attributes::BOOLEAN_STRINGS;
use wavelens_base::{Fault, Part, Verdict};

impl Site<'_> {
    /// String attributes that are true or false.
    pub(super) fn words(&self, set: &AttributeSet<'_>) -> Verdict {
        for (entry, key, text) in set.strings() {
            if !matches!(text, "" | "true" | "false") && BOOLEAN_STRINGS.contains(&key) {
                return value(
                    entry,
                    format!("`\"{key}\"` must be `\"true\"` or `\"false\"`, is `\"{text}\"`"),
                );
            }
        }
        Ok(())
    }

    /// String attributes of functions.
    pub(super) fn strings(&self, set: &AttributeSet<'_>) -> Verdict {
        if !set.has(AttrKind::String) {
            return Ok(());
        }
        let has = |key: &str| set.string_entry(key).is_some();
        for (entry, key, text) in set.strings() {
            let allowed: &[&str] = match key {
                "frame-pointer" => &["all", "non-leaf", "none", "reserved", "non-leaf-no-reserve"],
                "sign-return-address" => &["none", "all", "non-leaf"],
                "sign-return-address-key" => &["a_key", "b_key"],
                "branch-target-enforcement" | "branch-protection-pauth-lr" | "guarded-control-stack" => {
                    &["", "true", "false"]
                }
                _ => &[],
            };
            if !allowed.is_empty() && !allowed.contains(&text) {
                let allowed = wording::one_of(allowed.iter().filter(|w| !w.is_empty()));
                return value(entry, format!("`\"{key}\"` must be {allowed}, is `{text}`"));
            }
            match key {
                "patchable-function-prefix" | "patchable-function-entry" | "warn-stack-size"
                    if text.parse::<u32>().is_err() =>
                {
                    return value(entry, format!("`\"{key}\"` must be an unsigned number, is `{text}`"));
                }
                "patchable-function-entry-section" | "alloc-variant-zeroed" if text.is_empty() => {
                    return value(entry, format!("`\"{key}\"` must not be empty"));
                }
                // LLVM 23 has `denormal_fpenv` in their place and does not read them.
                "denormal-fp-math" | "denormal-fp-math-f32"
                    if !self.scope.reads(23) && !is_denormal_mode(text) =>
                {
                    return value(entry, format!("unknown denormal mode `{text}`"));
                }
                "vector-function-abi-variant" => {
                    if let Err(why) = vector_variant::check(text, self.params.len()) {
                        let message = format!("`{text}` is not a vector variant of this function: {why}");
                        return value(entry, message);
                    }
                }
                "sign-return-address-key" if !has("sign-return-address") => {
                    return conflict(
                        Some(entry),
                        "`\"sign-return-address-key\"` requires `\"sign-return-address\"`",
                    );
                }
                "modular-format" if text.split(',').count() < 5 => {
                    return value(
                        entry,
                        "`\"modular-format\"` requires at least 5 fields, separated by commas",
                    );
                }
                "modular-format" => {
                    let Some(first) = text.split(',').nth(2).and_then(|t| t.parse::<u64>().ok()) else {
                        return value(entry, "the third field of `\"modular-format\"` must be a number");
                    };
                    // Parameters count from 1; variable arguments are one more.
                    if !(1..=self.params.len() as u64 + 1).contains(&first) {
                        return value(entry, format!("the function has no parameter {first}"));
                    }
                }
                "target-features" if !text.is_empty() && text.split(',').any(str::is_empty) => {
                    return value(entry, "`\"target-features\"` has an empty feature between two commas");
                }
                "target-features" if text.split(',').any(|f| !f.is_empty() && !f.starts_with(['+', '-'])) => {
                    return value(entry, "a feature of `\"target-features\"` must begin with `+` or `-`");
                }
                "aarch64_pstate_sm_enabled" if has("aarch64_pstate_sm_compatible") => {
                    return conflict(
                        Some(entry),
                        format!("`{key}` and `aarch64_pstate_sm_compatible` are mutually exclusive"),
                    );
                }
                _ => {}
            }
        }
        for state in ["za", "zt0"] {
            let keys = ["new", "in", "inout", "out", "preserves"].map(|w| format!("aarch64_{w}_{state}"));
            let mut found =
                keys.iter().map(String::as_str).chain(["aarch64_za_state_agnostic"]).filter(|k| has(k));
            if let (Some(a), Some(b)) = (found.next(), found.next()) {
                return conflict(
                    set.string_entry(b).map(|(e, _)| e),
                    format!("`{a}` and `{b}` are mutually exclusive"),
                );
            }
        }
        Ok(())
    }
}

fn is_denormal_mode(text: &str) -> bool {
    let one = |word: &str| matches!(word, "" | "ieee" | "preserve-sign" | "positive-zero" | "dynamic");
    let (out, input) = text.split_once(',').unwrap_or((text, ""));
    one(out) && one(input)
}

/// `alloc-variant-zeroed` names a function that must fit.
pub(super) fn variant(
    scope: &Scope,
    own: &AttributeSet<'_>,
    name: &str,
    item: u32,
    found: &mut Vec<(u32, Box<Fault>)>,
) {
    let Some((entry, target)) = own.string_entry("alloc-variant-zeroed") else { return };
    let Some(global) = scope.global_named(target) else { return };
    let Some((summary, function)) = scope.function(global) else { return };
    let at = global.summary;
    let theirs = AttributeSet::new(scope, &summary.tables, function.attrs, |ty| scope.canonical(at, ty));
    let family = own.string("alloc-family");
    let why = if family.is_some() && theirs.string("alloc-family") != family {
        "of the same `alloc-family`"
    } else if theirs.int(AttrKind::AllocKind).is_none_or(|k| k & 16 == 0) {
        "with `allockind(\"zeroed\")`"
    } else if scope.global_named(name).is_some_and(|g| g.value_type != global.value_type) {
        "of the same type"
    } else if scope.follows(24)
        && scope
            .global_named(name)
            .and_then(|own| scope.function(own))
            .is_some_and(|(_, f)| f.cc != function.cc)
    {
        "with the same calling convention"
    } else {
        return;
    };
    let message = format!("`alloc-variant-zeroed` must name a function {why}, which `@{target}` is not");
    found.push((item, Fault::new(&CONFLICT, message).at(Part::Operand(entry.index as usize))));
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::marks;

    #[test]
    fn a_zeroed_variant_has_the_family_of_its_function_if_that_has_one() {
        marks(expect![[r#"
            declare void @f() "alloc-variant-zeroed"="g"
            declare void @g() allockind("alloc,zeroed") "alloc-family"="b"
            declare void @h() "alloc-variant-zeroed"="i" "alloc-family"="b"
            ;                 ^^^^^^^^^^^^^^^^^^^^^^^^^^ error[attribute-conflict]: `alloc-variant-zeroed` must name a function of the same `alloc-family`, which `@i` is not
            declare void @i() allockind("alloc,zeroed")
        "#]]);
    }

    #[test]
    fn faults() {
        marks(expect![[r#"
            declare void @f(ptr inreg nest)
            ;                   ^^^^^ error[attribute-conflict]: `nest` and `inreg` are mutually exclusive
        "#]]);
        marks(expect![[r#"
            declare void @f() "modular-format"="x"
            ;                 ^^^^^^^^^^^^^^^^^^^^ error[attribute-value]: `"modular-format"` requires at least 5 fields, separated by commas
        "#]]);
        marks(expect![[r#"
            declare void @f() "no-jump-tables"="1"
            ;                 ^^^^^^^^^^^^^^^^^^^^ error[attribute-value]: `"no-jump-tables"` must be `"true"` or `"false"`, is `"1"`
        "#]]);
        marks(expect![[r#"
            declare void @f() "frame-pointer"="some"
            ;                 ^^^^^^^^^^^^^^^^^^^^^^ error[attribute-value]: `"frame-pointer"` must be `all`, `non-leaf`, `none`, `reserved` or `non-leaf-no-reserve`, is `some`
        "#]]);
    }
}
