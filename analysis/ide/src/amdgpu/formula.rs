//! What an instruction does, as a short formula.

/// The formula of a mnemonic without encoding suffix; `None` where the name says no more than itself.
pub(crate) fn formula(mnemonic: &str) -> Option<String> {
    let (unit, rest) = mnemonic.split_once('_')?;
    if !matches!(unit, "s" | "v") {
        return memory(mnemonic);
    }
    if let Some(name) = mnemonic.strip_prefix("s_cbranch_") {
        let when = match name {
            "scc0" => "`scc == 0`",
            "scc1" => "`scc == 1`",
            "vccz" => "`vcc == 0`",
            "vccnz" => "`vcc != 0`",
            "execz" => "`exec == 0`: no lane is active",
            "execnz" => "`exec != 0`",
            _ => return None,
        };
        return Some(format!("Branches when {when}"));
    }
    let compare = |name: &str| -> Option<&'static str> {
        Some(match name {
            "eq" => "==",
            "ne" | "lg" | "neq" => "!=",
            "lt" => "<",
            "le" => "<=",
            "gt" => ">",
            "ge" => ">=",
            _ => return None,
        })
    };
    let typed = |t: &str| t.trim_start_matches("co_").to_owned();
    for prefix in ["cmpx_", "cmp_"] {
        if let Some((operator, t)) = rest.strip_prefix(prefix).and_then(|r| r.split_once('_')) {
            let symbol = compare(operator)?;
            let to = match (unit, prefix) {
                ("s", _) => "scc",
                (_, "cmpx_") => "exec",
                _ => "D",
            };
            return Some(format!(
                "`{to} = S0 {symbol} S1` as {}, {}",
                typed(t),
                if unit == "v" { "one bit for each lane" } else { "one bit" }
            ));
        }
    }
    const FORMULAS: &[(&str, &str)] = &[
        ("mov_", "D = S0"),
        ("cmov_", "if scc: D = S0"),
        ("not_", "D = ~S0"),
        ("cndmask_", "D = mask[lane] ? S1 : S0"),
        ("cselect_", "D = scc ? S0 : S1"),
        ("add3_", "D = S0 + S1 + S2"),
        ("add_lshl_", "D = (S0 + S1) << S2"),
        ("lshl_add_", "D = (S0 << S1) + S2"),
        ("lshl_or_", "D = (S0 << S1) | S2"),
        ("and_or_", "D = (S0 & S1) | S2"),
        ("or3_", "D = S0 | S1 | S2"),
        ("xad_", "D = (S0 ^ S1) + S2"),
        ("addc_", "D = S0 + S1 + carry"),
        ("add_", "D = S0 + S1"),
        ("subrev_", "D = S1 - S0"),
        ("subb_", "D = S0 - S1 - carry"),
        ("sub_", "D = S0 - S1"),
        ("mul_hi_", "D = high half of S0 * S1"),
        ("mul_lo_", "D = low half of S0 * S1"),
        ("mul_", "D = S0 * S1"),
        ("fma_", "D = S0 * S1 + S2, rounded once"),
        ("fmac_", "D = S0 * S1 + D, rounded once"),
        ("fmaak_", "D = S0 * S1 + K, rounded once"),
        ("fmamk_", "D = S0 * K + S1, rounded once"),
        ("mad_", "D = S0 * S1 + S2"),
        ("mac_", "D = S0 * S1 + D"),
        ("pk_fma_", "both halves: D = S0 * S1 + S2, rounded once"),
        ("pk_add_", "both halves: D = S0 + S1"),
        ("pk_mul_", "both halves: D = S0 * S1"),
        ("min3_", "D = min(S0, S1, S2)"),
        ("max3_", "D = max(S0, S1, S2)"),
        ("med3_", "D = the middle of S0, S1, S2"),
        ("min_", "D = min(S0, S1)"),
        ("max_", "D = max(S0, S1)"),
        ("and_saveexec_", "D = exec; exec = S0 & exec"),
        ("or_saveexec_", "D = exec; exec = S0 | exec"),
        ("andn2_", "D = S0 & ~S1"),
        ("and_not1_", "D = S0 & ~S1"),
        ("orn2_", "D = S0 | ~S1"),
        ("and_", "D = S0 & S1"),
        ("or_", "D = S0 | S1"),
        ("xor3_", "D = S0 ^ S1 ^ S2"),
        ("xor_", "D = S0 ^ S1"),
        ("lshlrev_", "D = S1 << S0"),
        ("lshrrev_", "D = S1 >> S0, zeros from the left"),
        ("ashrrev_", "D = S1 >> S0, the sign from the left"),
        ("lshl_", "D = S0 << S1"),
        ("lshr_", "D = S0 >> S1, zeros from the left"),
        ("ashr_", "D = S0 >> S1, the sign from the left"),
        ("bfe_", "D = S2 bits of S0 from bit S1 on"),
        ("bfi_", "D = (S0 & S1) | (~S0 & S2)"),
        ("bfrev_", "D = the bits of S0 in reverse"),
        ("bcnt_", "D = number of ones in S0, plus S1"),
        ("rcp_", "D = 1 / S0, approximately"),
        ("rsq_", "D = 1 / sqrt(S0), approximately"),
        ("sqrt_", "D = sqrt(S0)"),
        ("exp_", "D = 2 to the S0"),
        ("log_", "D = log2(S0)"),
        ("sin_", "D = sin(2 pi S0)"),
        ("cos_", "D = cos(2 pi S0)"),
        ("floor_", "D = floor(S0)"),
        ("ceil_", "D = ceil(S0)"),
        ("trunc_", "D = trunc(S0)"),
        ("rndne_", "D = S0 rounded to the nearest even"),
        ("fract_", "D = S0 - floor(S0)"),
        ("ldexp_", "D = S0 * 2 to the S1"),
        ("perm_", "D = bytes of S0 and S1 chosen by S2"),
        ("alignbit_", "D = low dword of (S0, S1) >> S2 bits"),
        ("readfirstlane_", "D = S0 of the first active lane"),
        ("readlane_", "D = S0 of lane S1"),
        ("writelane_", "D of lane S1 = S0"),
        ("mbcnt_lo_", "D = S1 + ones of S0 below this lane, of lanes 0 to 31"),
        ("mbcnt_hi_", "D = S1 + ones of S0 below this lane, of lanes 32 to 63"),
        ("dot2", "D = sum of 2 products of S0 and S1, plus S2"),
        ("dot4", "D = sum of 4 products of S0 and S1, plus S2"),
        ("dot8", "D = sum of 8 products of S0 and S1, plus S2"),
        ("mfma_", "D = A * B + C, on matrices over the lanes"),
        ("wmma_", "D = A * B + C, on matrices over the lanes"),
    ];
    let plain = rest.strip_prefix("cvt_").and_then(|r| r.split_once('_'));
    if let Some((to, from)) = plain.filter(|(to, _)| to.len() <= 4) {
        return Some(format!("`D` = `S0` converted from {from} to {to}"));
    }
    let rest = rest.strip_prefix("dual_").unwrap_or(rest);
    let (start, text) = FORMULAS.iter().find(|(prefix, _)| rest.starts_with(prefix))?;
    let t = rest.get(start.len()..).unwrap_or("");
    Some(if t.is_empty() { format!("`{text}`") } else { format!("`{text}` as {t}") })
}

fn memory(mnemonic: &str) -> Option<String> {
    let (space, rest) = mnemonic.split_once('_')?;
    let place = match space {
        "global" => "global memory",
        "flat" => "memory at a flat address",
        "scratch" => "the lane's scratch memory",
        "buffer" | "tbuffer" => "a buffer",
        "image" => "an image",
        "ds" => "local memory (LDS)",
        _ => return None,
    };
    let does = match rest {
        r if r.starts_with("load") || r.starts_with("read") => "Loads from",
        r if r.starts_with("store") || r.starts_with("write") => "Stores to",
        r if r.starts_with("atomic") => "Changes in one step and perhaps returns the old value in",
        r if r.starts_with("sample") => "Samples",
        r if r.starts_with("gather") => "Gathers four texels of",
        _ => return None,
    };
    Some(format!("{does} {place}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas() {
        let show = |m| formula(m).unwrap_or_default();
        assert_eq!(show("v_add_f32"), "`D = S0 + S1` as f32");
        assert_eq!(show("v_cmp_lt_u32"), "`D = S0 < S1` as u32, one bit for each lane");
        assert_eq!(show("v_cvt_f32_u32"), "`D` = `S0` converted from u32 to f32");
        assert_eq!(show("global_load_b32"), "Loads from global memory");
    }
}
