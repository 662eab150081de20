//! Signatures of intrinsics.

use crate::Outcome;

/// Types that one code stands for.
const TYPES: [(u64, &str); 25] = [
    (0, "void"),
    (1, "i1"),
    (2, "i8"),
    (3, "i16"),
    (4, "i32"),
    (5, "i64"),
    (6, "half"),
    (7, "float"),
    (8, "double"),
    (14, "ptr"),
    (17, "<1 x i64>"),
    (18, "token"),
    (19, "metadata"),
    (20, "{}"),
    (26, "..."),
    (30, "i128"),
    (33, "fp128"),
    (40, "bfloat"),
    (42, "x86_amx"),
    (43, "ppc_fp128"),
    (45, "ptr(10)"),
    (46, "ptr(20)"),
    (47, "i2"),
    (48, "i4"),
    (49, "svcount"),
];

/// Codes of vectors, with their numbers of lanes. The code of an element follows.
const LANES: [(u64, u32); 16] = [
    (9, 2),
    (10, 4),
    (11, 8),
    (12, 16),
    (13, 32),
    (16, 64),
    (25, 1),
    (31, 512),
    (32, 1024),
    (39, 128),
    (41, 256),
    (44, 3),
    (50, 6),
    (51, 10),
    (52, 2048),
    (53, 4096),
];

// Codes that others follow, with LLVM's names.
const ARG: u64 = 15;
const STRUCT: u64 = 21;
const EXTEND_ARG: u64 = 22;
const TRUNC_ARG: u64 = 23;
const ANYPTR: u64 = 24;
const ONE_NTH_ELTS_VEC_ARG: u64 = 27;
const SAME_VEC_WIDTH_ARG: u64 = 28;
const VEC_OF_ANYPTRS_TO_ELT: u64 = 29;
const VEC_ELEMENT: u64 = 34;
const SCALABLE_VEC: u64 = 35;
const SUBDIVIDE2_ARG: u64 = 36;
const SUBDIVIDE4_ARG: u64 = 37;
const VEC_OF_BITCASTS_TO_INT: u64 = 38;

/// A cursor over LLVM's encoding of an intrinsic's type: see the `IIT_` records of Intrinsics.td.
pub(crate) struct Codes {
    codes: Vec<u64>,
    at: usize,
}

impl Codes {
    pub(crate) fn new(codes: Vec<u64>) -> Codes {
        Codes { codes, at: 0 }
    }

    fn next(&mut self) -> u64 {
        let code = self.codes.get(self.at).copied().unwrap_or(0);
        self.at += 1;
        code
    }

    /// `result(parameter,...)`
    pub(crate) fn signature(mut self) -> Outcome<String> {
        let result = self.ty("")?;
        let mut parameters = Vec::new();
        while self.at < self.codes.len() {
            parameters.push(self.ty("")?);
        }
        Ok(format!("{result}({})", parameters.join(",")))
    }

    /// The next type; `scale` is written before the lanes of a vector.
    fn ty(&mut self, scale: &str) -> Outcome<String> {
        let code = self.next();
        if let Some((_, ty)) = TYPES.iter().find(|(c, _)| *c == code) {
            return Ok((*ty).to_owned());
        }
        if let Some((_, lanes)) = LANES.iter().find(|(c, _)| *c == code) {
            return Ok(format!("<{scale}{lanes} x {}>", self.ty("")?));
        }
        Ok(match code {
            ARG => {
                let info = self.next();
                let kind = ["any", "int", "float*", "vec", "ptr*", "", "", ""][(info & 7) as usize];
                format!("{kind}@{}", info >> 3)
            }
            STRUCT => {
                let count = self.next() + 2;
                let fields: Vec<_> = (0..count).map(|_| self.ty("")).collect::<Outcome<_>>()?;
                format!("{{{}}}", fields.join(","))
            }
            EXTEND_ARG => self.derived("extend"),
            TRUNC_ARG => self.derived("truncate"),
            ANYPTR => format!("ptr({})", self.next()),
            ONE_NTH_ELTS_VEC_ARG => {
                let (of, n) = (self.next(), self.next());
                format!("part{n}@{of}")
            }
            SAME_VEC_WIDTH_ARG => {
                let of = self.next() >> 3;
                format!("like@{of}({})", self.ty("")?)
            }
            VEC_OF_ANYPTRS_TO_ELT => {
                let (slot, of) = (self.next(), self.next());
                format!("pointers{slot}@{of}")
            }
            VEC_ELEMENT => self.derived("element"),
            SCALABLE_VEC => self.ty("vscale x ")?,
            SUBDIVIDE2_ARG => self.derived("split2"),
            SUBDIVIDE4_ARG => self.derived("split4"),
            VEC_OF_BITCASTS_TO_INT => self.derived("bits"),
            other => return Err(format!("Intrinsics.td has the new type code {other}")),
        })
    }

    /// A type that is derived from that of a parameter.
    fn derived(&mut self, how: &str) -> String {
        format!("{how}@{}", self.next() >> 3)
    }
}
