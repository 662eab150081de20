//! What the matrix core's instructions take: passes and kinds (source: LLVM's SISchedule.td).

use super::Code;

/// How an instruction of the matrix core is timed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Matrix {
    /// Of 4 cycles each.
    pub(super) passes: u32,
    /// Double precision.
    pub(super) double: bool,
    /// On the XDL pipe; gfx942 and later compute single precision on another one.
    pub(super) xdl: bool,
}

impl Matrix {
    /// Whether one must do its passes before the other starts.
    pub(super) fn shares_pipe(self, other: Matrix) -> bool {
        (self.double, self.xdl) == (other.double, other.xdl)
    }
}

/// The last of the formats of 8 bits in `cbsz` and `blgp`.
const BF8: i64 = 1;

/// Rows and depth in `v_mfma_f32_16x16x4f16` or `v_mfma_f32_16x16x4_4b_f16`.
fn shape(name: &str) -> Option<(u32, u32, &str)> {
    let at = name.find('x')?;
    let start = name.get(..at)?.rfind('_')? + 1;
    let rows = name.get(start..at)?.parse().ok()?;
    let rest = name.get(at + 1..)?.split_once('x')?.1;
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let (depth, tail) = rest.split_at(digits);
    Some((rows, depth.parse().ok()?, tail))
}

impl Code<'_> {
    /// `None` for all but matrix multiplications.
    pub(super) fn matrix(&self, index: usize) -> Option<Matrix> {
        self.matrices.get(index).copied().flatten()
    }

    /// The same, from the instruction's name.
    pub(super) fn timing(&self, index: usize) -> Option<Matrix> {
        if !self.is_mfma(index) {
            return None;
        }
        let name = self.mnemonic(index);
        let (rows, depth, tail) = shape(name)?;
        let double = name.starts_with("v_mfma_f64");
        let (cdna3, cdna4) = (self.is_cdna3(), self.is_cdna4());
        let passes = match (rows, double) {
            (4, true) => 4,
            (_, true) if cdna4 => 16,
            (_, true) => 8,
            (4, false) => 2,
            (16, false) if cdna3 && (name.starts_with("v_smfmac") || depth >= 8) => 4,
            (16, false) => 8,
            (_, false) if cdna3 && (name.starts_with("v_smfmac") || depth >= 8 || tail.contains("xf32")) => 8,
            _ => 16,
        };
        // Matrices of 8-bit numbers take twice as long as those of 6-bit and 4-bit numbers.
        let takes_bytes = tail.contains("f8f6f4")
            && ["cbsz", "blgp"].iter().any(|format| self.number(index, format).unwrap_or(0) <= BF8);
        let passes = if takes_bytes { 2 * passes } else { passes };
        let single = tail.ends_with("f32") && !tail.ends_with("xf32");
        Some(Matrix { passes, double, xdl: !double && !(cdna3 && single) })
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn shapes_are_read_in_both_spellings() {
        assert_eq!(super::shape("v_mfma_f32_16x16x4f16"), Some((16, 4, "f16")));
        assert_eq!(super::shape("v_mfma_f32_32x32x4_2b_f16"), Some((32, 4, "_2b_f16")));
        assert_eq!(super::shape("v_smfmac_i32_16x16x64_i8"), Some((16, 64, "_i8")));
    }
}
