//! What an instruction does: a line, a formula, and the processors that have it.

use wavelens_isa::Target;

use super::memory_operations::{matrix, memory, scalar_memory};
use super::operations::{Operation, SCALAR, SHARED, VECTOR};

/// What a mnemonic does.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Description {
    /// One line without a full stop.
    pub(crate) summary: String,
    /// May be empty.
    pub(crate) formula: String,
}

impl Description {
    pub(super) fn line(summary: impl Into<String>) -> Option<Description> {
        Some(Description { summary: summary.into(), formula: String::new() })
    }

    /// In Markdown.
    pub(crate) fn markdown(&self) -> String {
        match self.formula.is_empty() {
            true => self.summary.clone(),
            false => format!("{}: `{}`", self.summary, self.formula),
        }
    }
}

/// The line and the formula of a mnemonic in Markdown, encoding suffixes ignored.
pub(crate) fn formula(mnemonic: &str) -> Option<String> {
    Some(describe(mnemonic)?.markdown())
}

/// Additions and subtractions that write a carry before gfx9. From then on those with `_co` do.
const CARRY_BEFORE_GFX9: [&str; 6] =
    ["v_add_i32", "v_sub_i32", "v_subrev_i32", "v_add_u32", "v_sub_u32", "v_subrev_u32"];

/// What a mnemonic does on a target, or on all processors that have it.
pub(super) fn describe_on(mnemonic: &str, target: Option<Target>) -> Option<Description> {
    let (base, _) = wavelens_isa::split_mnemonic(mnemonic);
    let is_old = |target: Target| target.facts().plain_adds_carry;
    let carries = || match target {
        Some(target) => is_old(target),
        None => wavelens_isa::processors_with(mnemonic).into_iter().filter_map(Target::named).all(is_old),
    };
    match base.rsplit_once('_').filter(|_| CARRY_BEFORE_GFX9.contains(&base) && carries()) {
        Some((operation, ty)) => describe(&format!("{operation}_co_{ty}")),
        None => describe(mnemonic),
    }
}

/// What a mnemonic does, encoding suffixes ignored.
pub(crate) fn describe(mnemonic: &str) -> Option<Description> {
    let (mnemonic, _) = wavelens_isa::split_mnemonic(mnemonic);
    let (unit, rest) = mnemonic.split_once('_').unwrap_or((mnemonic, ""));
    if let Some(second) = rest.strip_prefix("dual_").filter(|_| unit == "v") {
        let one = describe(&format!("v_{second}"))?;
        return Some(Description { summary: format!("Half of a dual instruction. {}", one.summary), ..one });
    }
    match unit {
        "v" => compare(unit, rest)
            .or_else(|| convert(rest))
            .or_else(|| matrix(rest))
            .or_else(|| packed(rest))
            .or_else(|| operation(&[VECTOR, SHARED], rest)),
        "s" => compare(unit, rest)
            .or_else(|| convert(rest))
            .or_else(|| scalar_memory(rest))
            .or_else(|| operation(&[SCALAR, SHARED], rest)),
        _ => memory(mnemonic),
    }
}

/// The types at the end of a mnemonic: `add_f32` is `add` on `f32`.
fn split_types(rest: &str) -> (&str, Vec<&str>) {
    let is_type = |word: &str| {
        let digits = word.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        let letters = word.get(..word.len() - digits.len()).unwrap_or("");
        matches!(letters, "b" | "i" | "u" | "f" | "iu" | "bf" | "fp")
            && digits.bytes().all(|b| b.is_ascii_digit())
            && !digits.is_empty()
    };
    let (mut name, mut types) = (rest, Vec::new());
    while let Some((before, word)) = name.rsplit_once('_').filter(|(_, word)| is_type(word)) {
        types.insert(0, word);
        name = before;
    }
    (name, types)
}

/// ` (f32)`, or ` to u64 from u32` after a verb that says so.
fn typed(summary: &str, types: &[&str]) -> String {
    let bits = |t: &str| match t.strip_prefix('b').filter(|n| n.bytes().all(|b| b.is_ascii_digit())) {
        Some(number) => format!("{number} bits"),
        None => t.to_owned(),
    };
    match types {
        [] => String::new(),
        [one] => format!(" ({})", bits(one)),
        [to, from @ ..] => {
            let from: Vec<String> = from.iter().map(|t| bits(t)).collect();
            match summary.starts_with("Converts") {
                true => format!(" to {} from {}", bits(to), from.join(" and ")),
                false => format!(" ({} from {})", bits(to), from.join(" and ")),
            }
        }
    }
}

fn operation(tables: &[&[Operation]], rest: &str) -> Option<Description> {
    let (name, types) = split_types(rest);
    let find = |name: &str| tables.iter().find_map(|t| t.iter().find(|o| o.0 == name));
    // Words after the types: `v_sat_pk4_i4_i8`, `v_dot4_i32_iu8`, `s_get_pc_i64`.
    let (_, formula, summary) = find(name).or_else(|| find(rest))?;
    Some(Description {
        summary: format!("{summary}{}", typed(summary, &types)),
        formula: (*formula).to_owned(),
    })
}

fn packed(rest: &str) -> Option<Description> {
    let base = rest.strip_prefix("pk_")?;
    let own = |summary: &str, formula: &str| {
        Some(Description { summary: summary.to_owned(), formula: formula.to_owned() })
    };
    match split_types(base).0 {
        "mov" => return own("Copies two dwords, each from either half of its source", "D = {S1, S0}"),
        "mul_lo" => {
            return own("Low halves of the products of both elements", "D[i] = low half of S0[i] * S1[i]");
        }
        _ => {}
    }
    let one = operation(&[VECTOR, SHARED], base)?;
    Some(Description { summary: format!("{}, element by element", one.summary), ..one })
}

/// What a condition of a comparison means; `None` for a word that is not one.
fn condition(name: &str) -> Option<&'static str> {
    Some(match name {
        "f" => "false",
        "t" | "tru" => "true",
        "eq" => "S0 == S1",
        "ne" | "lg" => "S0 != S1",
        "lt" => "S0 < S1",
        "le" => "S0 <= S1",
        "gt" => "S0 > S1",
        "ge" => "S0 >= S1",
        "o" => "neither is NaN",
        "u" => "S0 or S1 is NaN",
        "neq" => "!(S0 == S1)",
        "nlt" => "!(S0 < S1)",
        "nle" => "!(S0 <= S1)",
        "ngt" => "!(S0 > S1)",
        "nge" => "!(S0 >= S1)",
        "nlg" => "!(S0 < S1 || S0 > S1)",
        "class" => "S0 is in one of the classes of the mask S1",
        _ => return None,
    })
}

fn compare(unit: &str, rest: &str) -> Option<Description> {
    let (kind, name) = ["cmpx_", "cmpsx_", "cmps_", "cmpk_", "cmp_"]
        .into_iter()
        .find_map(|kind| Some((kind, rest.strip_prefix(kind)?)))?;
    let (name, ty) = name.split_once('_')?;
    let mut what = condition(name)?.to_owned();
    if kind == "cmpk_" {
        what = what.replace("S1", "simm16");
    }
    let signals = if kind.starts_with("cmps") { ", signals on NaN" } else { "" };
    let (to, each) = match (unit, kind) {
        ("s", _) => ("scc", ""),
        (_, "cmpx_" | "cmpsx_") => ("exec", " for each lane"),
        _ => ("D[lane]", " for each lane"),
    };
    let ty = typed("", &[ty]);
    let summary = match (unit, kind) {
        ("s", "cmpk_") => format!("Compares with a 16-bit constant{ty}; the answer is in `scc`"),
        ("s", _) => format!("Compares{ty}; the answer is in `scc`"),
        (_, "cmpx_" | "cmpsx_") => format!("Compares{ty}{each} and writes `exec`{signals}"),
        _ => format!("Compares{ty}{each}{signals}"),
    };
    Some(Description { summary, formula: format!("{to} = {what}") })
}

fn convert(rest: &str) -> Option<Description> {
    let rest = rest.strip_prefix("cvt_").or_else(|| rest.strip_prefix("cvt_pk"))?;
    if let Some(byte) = rest.strip_prefix("f32_ubyte") {
        return Description::line(format!("Converts byte {byte} of S0 from u8 to f32"));
    }
    let formats = ["fp8", "bf8", "fp6", "bf6", "fp4", "bf16"];
    let is_type = |w: &&str| {
        formats.contains(w)
            || w.len() <= 3
                && w.starts_with(['f', 'i', 'u'])
                && w.get(1..).is_some_and(|d| d.bytes().all(|b| b.is_ascii_digit()))
                && w.len() > 1
    };
    let words: Vec<&str> = rest.split('_').collect();
    let types: Vec<&str> = words.iter().copied().filter(|w| is_type(w)).collect();
    let [to, from] = types.as_slice() else { return None };
    let mut how = Vec::new();
    for word in words.iter().filter(|w| !is_type(w)) {
        how.push(match *word {
            "pk" => "two values".to_owned(),
            "rtz" => "rounded toward zero".to_owned(),
            "rtz_f16" => "rounded toward zero".to_owned(),
            "norm" => "normalized".to_owned(),
            "sr" => "with stochastic rounding".to_owned(),
            "flr" | "floor" => "rounded down".to_owned(),
            "rpi" => "rounded to nearest, ties up".to_owned(),
            "nearest" => "rounded to nearest".to_owned(),
            "off" => "a 4-bit offset in units of 1/16".to_owned(),
            "scale" => "with a scale for each block".to_owned(),
            "scalef32" => "with an f32 scale".to_owned(),
            "hi" => "from the high half".to_owned(),
            "pkaccum" => "into one byte of the result".to_owned(),
            "pknorm" => "two values, normalized".to_owned(),
            "pkrtz" => "two values, rounded toward zero".to_owned(),
            "2xpk16" => "two groups of 16 values".to_owned(),
            other => format!("{} values", other.strip_prefix("pk")?),
        });
    }
    let how = if how.is_empty() { String::new() } else { format!(", {}", how.join(", ")) };
    Some(Description {
        summary: format!("Converts from {from} to {to}{how}"),
        formula: format!("D = {to}(S0)"),
    })
}

/// Where a mnemonic exists: whole generations, and processors of the others.
pub(crate) fn generations(mnemonic: &str) -> String {
    let with = wavelens_isa::processors_with(mnemonic);
    let plain = |name: &&str| name.starts_with("gfx") && !name.contains("generic");
    let major = |name: &str| Target::named(name).map_or(0, Target::major);
    let mut parts: Vec<String> = Vec::new();
    let mut run: Option<(u8, u8)> = None;
    let close = |run: &mut Option<(u8, u8)>, parts: &mut Vec<String>| {
        if let Some((first, last)) = run.take() {
            parts.push(if first == last {
                format!("gfx{first}")
            } else {
                format!("gfx{first} to gfx{last}")
            });
        }
    };
    for generation in 6..=13 {
        let all: Vec<&str> = Target::names().filter(plain).filter(|n| major(n) == generation).collect();
        let own: Vec<&str> = all.iter().copied().filter(|n| with.contains(n)).collect();
        if own.len() == all.len() && !all.is_empty() {
            run = Some((run.map_or(generation, |r| r.0), generation));
            continue;
        }
        close(&mut run, &mut parts);
        let missing: Vec<&str> = all.iter().copied().filter(|n| !own.contains(n)).collect();
        match (own.len(), missing.len()) {
            (0, _) => {}
            (_, 1..=3) => parts.push(format!("gfx{generation} except {}", missing.join(", "))),
            _ => parts.push(own.join(", ")),
        }
    }
    close(&mut run, &mut parts);
    parts.join("; ")
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn every_mnemonic_has_a_description() {
        let all = wavelens_isa::all_mnemonics();
        let missing: Vec<&str> = all.filter(|m| describe(m).is_none()).collect();
        assert_eq!(missing, Vec::<&str>::new());
    }

    #[test]
    fn descriptions() {
        let mnemonics = [
            "v_add_f32",
            "v_add_u32_e32",
            "v_cmp_lt_u32_e64",
            "v_cmpx_nge_f16",
            "s_cmpk_eq_u32",
            "v_cvt_f32_u32",
            "v_cvt_pk_fp8_f32",
            "v_cvt_pkrtz_f16_f32",
            "v_mad_u64_u32",
            "v_pk_fma_f16",
            "v_dual_mul_f32",
            "v_mfma_f32_32x32x8_f16",
            "v_wmma_f32_16x16x16_f16",
            "v_dot4_i32_iu8",
            "s_load_dwordx4",
            "s_buffer_load_b64",
            "global_load_dwordx4",
            "global_load_d16_hi_b16",
            "buffer_store_format_xyz",
            "buffer_atomic_cmpswap_x2",
            "ds_read2st64_b32",
            "ds_add_rtn_u32",
            "ds_bpermute_b32",
            "image_sample_c_lz_o",
            "tensor_load_to_lds",
        ];
        let shown: String = mnemonics
            .iter()
            .map(|m| format!("{m}: {}\n", describe(m).unwrap_or_default().markdown()))
            .collect();
        expect![[r#"
            v_add_f32: Adds (f32): `D = S0 + S1`
            v_add_u32_e32: Adds (u32): `D = S0 + S1`
            v_cmp_lt_u32_e64: Compares (u32) for each lane: `D[lane] = S0 < S1`
            v_cmpx_nge_f16: Compares (f16) for each lane and writes `exec`: `exec = !(S0 >= S1)`
            s_cmpk_eq_u32: Compares with a 16-bit constant (u32); the answer is in `scc`: `scc = S0 == simm16`
            v_cvt_f32_u32: Converts from u32 to f32: `D = f32(S0)`
            v_cvt_pk_fp8_f32: Converts from f32 to fp8, two values: `D = fp8(S0)`
            v_cvt_pkrtz_f16_f32: Converts from f32 to f16, two values, rounded toward zero: `D = f16(S0)`
            v_mad_u64_u32: Multiplies and adds (u64 from u32): `D = S0 * S1 + S2`
            v_pk_fma_f16: Multiplies and adds with one rounding (f16), element by element: `D = S0 * S1 + S2`
            v_dual_mul_f32: Half of a dual instruction. Multiplies (f32): `D = S0 * S1`
            v_mfma_f32_32x32x8_f16: Multiplies a 32x8 matrix by a 8x32 matrix and adds, over the lanes of a wave; the result is f32, the sources are f16: `D = A * B + C`
            v_wmma_f32_16x16x16_f16: Multiplies a 16x16 matrix by a 16x16 matrix and adds, over the lanes of a wave; the result is f32, the sources are f16: `D = A * B + C`
            v_dot4_i32_iu8: Dot product of 4 elements (i32 from iu8): `D = sum(S0[i] * S1[i]) + S2`
            s_load_dwordx4: Loads 16 bytes from memory into scalar registers
            s_buffer_load_b64: Loads 8 bytes from a buffer into scalar registers
            global_load_dwordx4: Loads 16 bytes from global memory
            global_load_d16_hi_b16: Loads 2 bytes in the high half of the register from global memory
            buffer_store_format_xyz: Stores three components converted by the format to a buffer
            buffer_atomic_cmpswap_x2: Exchanges if equal atomically in a buffer (64 bits): `if memory == compare: memory = data`
            ds_read2st64_b32: Loads two values at two offsets, counted in 64 elements (32 bits)
            ds_add_rtn_u32: Adds atomically in LDS (u32); returns the old value: `memory += data`
            ds_bpermute_b32: Reads a value from the lane whose number times 4 is the address
            image_sample_c_lz_o: Samples an image with depth compare, LOD 0, texel offsets
            tensor_load_to_lds: Loads a tile of a tensor into LDS
        "#]].assert_eq(&shown);
    }

    #[test]
    fn generations_of_a_mnemonic() {
        let mnemonics = [
            "v_add_f32",
            "s_wait_loadcnt",
            "v_addc_u32",
            "v_mfma_f32_32x32x8_f16",
            "v_pk_fma_f32",
            "v_add_nc_u32",
        ];
        let shown: String = mnemonics.iter().map(|m| format!("{m}: {}\n", generations(m))).collect();
        expect![[r#"
            v_add_f32: gfx6 to gfx13
            s_wait_loadcnt: gfx12 to gfx13
            v_addc_u32: gfx6 to gfx8
            v_mfma_f32_32x32x8_f16: gfx942, gfx950
            v_pk_fma_f32: gfx90a, gfx942, gfx950; gfx12 except gfx1200, gfx1201
            v_add_nc_u32: gfx10 to gfx13
        "#]]
        .assert_eq(&shown);
    }
}
