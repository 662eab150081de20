//! Signatures of intrinsics.

/// LLVM's encoding of an intrinsic's type: see `IIT_Info` in Intrinsics.td.
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

    /// `result(parameter,...)`, or the code that is not known.
    pub(crate) fn signature(mut self) -> String {
        let mut out = self.ty(false);
        out.push('(');
        let mut first = true;
        while self.at < self.codes.len() {
            if !std::mem::take(&mut first) {
                out.push(',');
            }
            out += &self.ty(false);
        }
        out.push(')');
        out
    }

    fn ty(&mut self, scalable: bool) -> String {
        let code = self.next();
        let vector = |this: &mut Self, n: u32| {
            let element = this.ty(false);
            format!("<{}{n} x {element}>", if scalable { "vscale x " } else { "" })
        };
        match code {
            0 => "void".into(),
            1 => "i1".into(),
            2 => "i8".into(),
            3 => "i16".into(),
            4 => "i32".into(),
            5 => "i64".into(),
            6 => "half".into(),
            7 => "float".into(),
            8 => "double".into(),
            9 => vector(self, 2),
            10 => vector(self, 4),
            11 => vector(self, 8),
            12 => vector(self, 16),
            13 => vector(self, 32),
            14 => "ptr".into(),
            15 => {
                let info = self.next();
                let kind = ["any", "int", "float*", "vec", "ptr*", "", "", ""][(info & 7) as usize];
                format!("{kind}@{}", info >> 3)
            }
            16 => vector(self, 64),
            17 => "<1 x i64>".into(),
            18 => "token".into(),
            19 => "metadata".into(),
            20 => "{}".into(),
            21 => {
                let fields = self.next() + 2;
                let fields: Vec<_> = (0..fields).map(|_| self.ty(false)).collect();
                format!("{{{}}}", fields.join(","))
            }
            22 => self.of("extend"),
            23 => self.of("truncate"),
            24 => format!("ptr({})", self.next()),
            25 => vector(self, 1),
            26 => "...".into(),
            27 => {
                let (of, n) = (self.next(), self.next());
                format!("part{n}@{of}")
            }
            28 => {
                let of = self.next() >> 3;
                format!("like@{of}({})", self.ty(false))
            }
            29 => {
                let (slot, of) = (self.next(), self.next());
                format!("pointers{slot}@{of}")
            }
            30 => "i128".into(),
            31 => vector(self, 512),
            32 => vector(self, 1024),
            33 => "fp128".into(),
            34 => self.of("element"),
            35 => self.ty(true),
            36 => self.of("split2"),
            37 => self.of("split4"),
            38 => self.of("bits"),
            39 => vector(self, 128),
            40 => "bfloat".into(),
            41 => vector(self, 256),
            42 => "x86_amx".into(),
            43 => "ppc_fp128".into(),
            44 => vector(self, 3),
            45 => "ptr(10)".into(),
            46 => "ptr(20)".into(),
            47 => "i2".into(),
            48 => "i4".into(),
            49 => "svcount".into(),
            50 => vector(self, 6),
            51 => vector(self, 10),
            52 => vector(self, 2048),
            53 => vector(self, 4096),
            other => panic!("LLVM has a new type code: {other}"),
        }
    }

    fn of(&mut self, word: &str) -> String {
        format!("{word}@{}", self.next() >> 3)
    }
}
