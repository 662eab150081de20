//! Words that are operands or modifiers of instructions.

/// Words that mean something as an operand by themselves. A symbol of the same name is not looked at.
pub fn is_operand_word(word: &str) -> bool {
    const WORDS: &[&str] = &[
        "off",
        "glc",
        "slc",
        "dlc",
        "scc",
        "nv",
        "sc0",
        "sc1",
        "nt",
        "tfe",
        "lwe",
        "da",
        "unorm",
        "r128",
        "a16",
        "d16",
        "idxen",
        "offen",
        "addr64",
        "lds",
        "gds",
        "done",
        "vm",
        "compr",
        "clamp",
        "high",
        "row_mirror",
        "row_half_mirror",
        "prim",
        "mrtz",
        "p10",
        "p20",
        "p0",
        "scale_offset",
        "row_en",
        "matrix_a_reuse",
        "matrix_b_reuse",
        "noglc",
        "noslc",
        "nodlc",
        "noscc",
        "nosc0",
        "nosc1",
        "nont",
        "no_a16",
        "na16",
        "noa16",
        "wave_shl",
        "wave_rol",
        "wave_shr",
        "wave_ror",
        "notfe",
        "nolwe",
        "noda",
        "nounorm",
        "nor128",
        "nod16",
        "noidxen",
        "nooffen",
        "noaddr64",
        "nolds",
        "nogds",
        "norow_en",
        "noclamp",
        "nohigh",
        "nonv",
        "nodone",
        "novm",
        "nocompr",
        "g16",
    ];
    let numbered = |prefix: &str| {
        word.strip_prefix(prefix).is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
    };
    WORDS.contains(&word)
        || ["mrt", "pos", "param", "invalid_target_", "dual_src_blend"].iter().any(|p| numbered(p))
        || word.strip_prefix("attr").is_some_and(|rest| {
            let (number, channel) = rest.split_once('.').unwrap_or((rest, "x"));
            !number.is_empty()
                && number.bytes().all(|b| b.is_ascii_digit())
                && matches!(channel, "x" | "y" | "z" | "w")
        })
}
