//! How many registers are live.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Numbers of live registers, in dwords.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
pub struct Live {
    /// Vector registers.
    pub vgprs: u32,
    /// Accumulator registers.
    pub agprs: u32,
    /// Scalar registers.
    pub sgprs: u32,
}

impl Live {
    /// The greater of each.
    pub fn max(self, other: Live) -> Live {
        Live {
            vgprs: self.vgprs.max(other.vgprs),
            agprs: self.agprs.max(other.agprs),
            sgprs: self.sgprs.max(other.sgprs),
        }
    }
}

/// `34 VGPRs, 8 AGPRs, 1 SGPR`, without those of which there are none.
impl fmt::Display for Live {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds = [(self.vgprs, "VGPR"), (self.agprs, "AGPR"), (self.sgprs, "SGPR")];
        let mut empty = true;
        for (n, name) in kinds.into_iter().filter(|(n, _)| *n > 0) {
            let separator = if std::mem::take(&mut empty) { "" } else { ", " };
            write!(f, "{separator}{n} {name}{}", if n == 1 { "" } else { "s" })?;
        }
        if empty { f.write_str("no registers") } else { Ok(()) }
    }
}
