//! `wavelens isa --why`: what keeps each kernel from more waves, which values are in registers where most are, and which are moved.

use wavelens_codegen::{AddedMove, KernelResources, Limit, LiveValue, MoveKind, Report};

/// Values and moves that are listed for a kernel.
const SHOWN: usize = 48;

/// The explanation of each kernel; `source` is the user's text.
pub(super) fn why(report: &Report, source: &str) -> String {
    let texts = Texts { isa: report.isa.lines().collect(), source: source.lines().collect() };
    report.kernels.iter().map(|kernel| texts.kernel(kernel)).collect()
}

struct Texts<'a> {
    isa: Vec<&'a str>,
    source: Vec<&'a str>,
}

impl Texts<'_> {
    fn kernel(&self, k: &KernelResources) -> String {
        let mut out = format!("\n{}\n", waves(k));
        if let Some(peak) = &k.peak {
            let at = match peak.source {
                Some(line) => format!("line {}: `{}`", line + 1, self.source_text(line)),
                None => format!("`{}`, which has no source line", self.isa_text(peak.line)),
            };
            out.push_str(&format!("  most vector registers are live at {at}: {}\n", peak.live));
            if !peak.values.is_empty() {
                out.push_str(&self.values(&peak.values));
            }
        }
        out + &self.moves(&k.moves)
    }

    fn values(&self, values: &[LiveValue]) -> String {
        let mut out = format!("  {:<12} {:>4}  {:<52} last used\n", "registers", "size", "computed at");
        // What takes most registers first; the registers decide among equals.
        let mut order: Vec<&LiveValue> = values.iter().collect();
        order.sort_by_key(|v| std::cmp::Reverse(v.size));
        for value in order.iter().take(SHOWN) {
            let from = match (value.source, value.written) {
                (Some(line), _) => format!("line {}: {}", line + 1, self.source_text(line)),
                (None, Some(line)) => format!("no source line: {}", self.isa_text(line)),
                (None, None) => "the start of the function".to_owned(),
            };
            let from = match value.other_writers {
                0 => cut(&from, 52),
                n => cut(&from, 40) + &format!(" (and {n} more)"),
            };
            let used = match (value.last_source, value.last_used) {
                (Some(line), _) => format!("line {}", line + 1),
                (None, Some(line)) => format!("no source line: {}", self.isa_text(line)),
                (None, None) => "-".to_owned(),
            };
            out.push_str(&format!(
                "  {:<12} {:>4}  {from:<52} {}\n",
                value.registers,
                value.size,
                cut(&used, 40)
            ));
        }
        if order.len() > SHOWN {
            out.push_str(&format!("  and {} more\n", order.len() - SHOWN));
        }
        out
    }

    fn moves(&self, moves: &[AddedMove]) -> String {
        if moves.is_empty() {
            return String::new();
        }
        let count = |kind| moves.iter().filter(|m| m.kind == kind).count();
        let mut out = format!(
            "  added by the compiler: {} spills, {} reloads, {} copies of vector registers\n",
            count(MoveKind::Spill),
            count(MoveKind::Reload),
            count(MoveKind::Copy)
        );
        let mut rows: Vec<(String, usize)> = Vec::new();
        for m in moves {
            let (kind, link) = match m.kind {
                MoveKind::Spill => ("spill", "computed at"),
                MoveKind::Reload => ("reload", "read at"),
                MoveKind::Copy => ("copy", "computed at"),
            };
            let row = match m.source {
                Some(line) => {
                    format!("{kind} of the value {link} line {}: {}", line + 1, self.source_text(line))
                }
                None => format!("{kind} of a value without a source line"),
            };
            match rows.iter_mut().find(|(text, _)| *text == row) {
                Some((_, count)) => *count += 1,
                None => rows.push((row, 1)),
            }
        }
        for (row, count) in rows.iter().take(SHOWN) {
            out.push_str(&format!("  {count:>4} {}\n", cut(row, 110)));
        }
        if rows.len() > SHOWN {
            out.push_str(&format!("       and {} more\n", rows.len() - SHOWN));
        }
        out
    }

    fn source_text(&self, line: u32) -> String {
        self.source.get(line as usize).map_or_else(String::new, |l| l.trim().to_owned())
    }

    fn isa_text(&self, line: u32) -> String {
        let text = self.isa.get(line as usize).copied().unwrap_or("");
        text.split(';').next().unwrap_or(text).trim().replace('\t', " ")
    }
}

/// How many waves run, and why not more.
fn waves(k: &KernelResources) -> String {
    let size = if k.wave_size > 0 { format!(" of {} lanes", k.wave_size) } else { String::new() };
    let limit = match k.limit {
        None => String::new(),
        Some(Limit::Hardware) => ", as many as the hardware takes".to_owned(),
        Some(Limit::Workgroup) => ", limited by the size of workgroups or an attribute".to_owned(),
        Some(limit) => {
            let agprs = if limit == Limit::Vgprs && k.agprs > 0 { " and AGPRs" } else { "" };
            let gain = k.gain.map(|gain| format!(": {}", gain.text(k.limit))).unwrap_or_default();
            format!(", limited by {}{agprs}{gain}", limit.name())
        }
    };
    let agprs = if k.agprs > 0 { format!(" and {} AGPRs", k.agprs) } else { String::new() };
    format!(
        "`{}`: {} waves{size} on a SIMD{limit}; {} VGPRs{agprs}, {} SGPRs",
        k.name, k.occupancy, k.vgprs, k.sgprs
    )
}

fn cut(text: &str, limit: usize) -> String {
    if text.chars().count() <= limit {
        return text.to_owned();
    }
    text.chars().take(limit - 3).collect::<String>() + "..."
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use wavelens_codegen::{Gain, Peak};

    use super::*;

    #[test]
    fn values_and_moves_are_explained() {
        let value = |registers: &str, size, source, last_source| LiveValue {
            registers: registers.to_owned(),
            size,
            source,
            written: Some(1),
            last_used: Some(2),
            last_source,
            ..LiveValue::default()
        };
        let kernel = KernelResources {
            name: "k".to_owned(),
            vgprs: 80,
            sgprs: 20,
            occupancy: 12,
            wave_size: 32,
            limit: Some(Limit::Vgprs),
            gain: Some(Gain { fewer: 16, more: 4 }),
            peak: Some(Peak {
                line: 1,
                source: Some(0),
                values: vec![
                    value("v0", 1, None, None),
                    LiveValue { other_writers: 1, ..value("v[4:7]", 4, Some(1), Some(0)) },
                    LiveValue { written: None, ..value("v9", 1, None, Some(1)) },
                ],
                ..Peak::default()
            }),
            moves: [Some(1), Some(1), None]
                .map(|source| AddedMove { kind: MoveKind::Copy, line: 2, registers: "v0".to_owned(), source })
                .into(),
            ..KernelResources::default()
        };
        let report = Report {
            isa: "k:\n\tv_mov_b32 v0, 0 ; x\n\ts_endpgm\n".to_owned(),
            kernels: vec![kernel],
            ..Report::default()
        };
        expect![[r#"

            `k`: 12 waves of 32 lanes on a SIMD, limited by VGPRs: 16 fewer give 4 more waves; 80 VGPRs, 20 SGPRs
              most vector registers are live at line 1: `store i32 0, ptr %p`: no registers
              registers    size  computed at                                          last used
              v[4:7]          4  line 2: %a = load i32, ptr %p (and 1 more)           line 1
              v0              1  no source line: v_mov_b32 v0, 0                      no source line: s_endpgm
              v9              1  the start of the function                            line 2
              added by the compiler: 0 spills, 0 reloads, 3 copies of vector registers
                 2 copy of the value computed at line 2: %a = load i32, ptr %p
                 1 copy of a value without a source line
        "#]].assert_eq(&why(&report, "  store i32 0, ptr %p\n  %a = load i32, ptr %p\n"));
    }
}
