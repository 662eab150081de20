//! Target environments.

/// The environment that a module is checked for.
#[allow(missing_docs, reason = "names of environments, see `Env::name`")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Env {
    Universal10,
    Universal11,
    Universal12,
    Universal13,
    Universal14,
    Universal15,
    Universal16,
    Vulkan10,
    Vulkan11,
    Vulkan11Spirv14,
    Vulkan12,
    Vulkan13,
    Vulkan14,
    OpenCl12,
    OpenCl20,
    OpenCl21,
    OpenCl22,
    OpenGl45,
}

use Env::*;

/// Names on the command line and in `; target-env:` comments.
const NAMES: [(&str, Env); 25] = [
    ("spv1.0", Universal10),
    ("spv1.1", Universal11),
    ("spv1.2", Universal12),
    ("spv1.3", Universal13),
    ("spv1.4", Universal14),
    ("spv1.5", Universal15),
    ("spv1.6", Universal16),
    ("vulkan1.0", Vulkan10),
    ("vulkan1.1", Vulkan11),
    ("vulkan1.1spv1.4", Vulkan11Spirv14),
    ("vulkan1.2", Vulkan12),
    ("vulkan1.3", Vulkan13),
    ("vulkan1.4", Vulkan14),
    ("opencl1.2", OpenCl12),
    ("opencl2.0", OpenCl20),
    ("opencl2.1", OpenCl21),
    ("opencl2.2", OpenCl22),
    ("opencl1.2embedded", OpenCl12),
    ("opencl2.0embedded", OpenCl20),
    ("opencl2.1embedded", OpenCl21),
    ("opencl2.2embedded", OpenCl22),
    ("opengl4.0", OpenGl45),
    ("opengl4.2", OpenGl45),
    ("opengl4.3", OpenGl45),
    ("opengl4.5", OpenGl45),
];

impl Env {
    /// The environment with a name; names of embedded profiles mean the full one.
    pub fn from_name(name: &str) -> Option<Env> {
        NAMES.iter().find(|(n, _)| *n == name).map(|(_, e)| *e)
    }

    /// All names, in the order in which they are listed.
    pub fn names() -> impl Iterator<Item = &'static str> + Clone {
        NAMES.iter().map(|(name, _)| *name)
    }

    /// The name that `spirv-val --target-env` takes.
    pub fn name(self) -> &'static str {
        NAMES.iter().find(|(_, e)| *e == self).map_or("spv1.6", |(n, _)| n)
    }

    /// What comments in the first lines of a file say: the environment of `; target-env: NAME`, and the universal environment of
    /// the disassembler's `; Version: 1.N`.
    pub fn from_comments(text: &str) -> (Option<Env>, Option<Env>) {
        let (mut environment, mut version) = (None, None);
        for line in text.lines().take(40).filter(|l| l.trim_start().starts_with(';')) {
            let mut words = line.trim_start_matches([';', ' ']).split_whitespace();
            match (words.next(), words.next()) {
                (Some("target-env:"), Some(name)) => environment = environment.or(Env::from_name(name)),
                (Some("Version:"), Some(name)) => version = version.or(Env::from_name(&format!("spv{name}"))),
                _ => {}
            }
        }
        (environment, version)
    }

    /// The newest version word that the environment takes: `0x00010300` is 1.3.
    pub fn version(self) -> u32 {
        let minor = match self {
            Universal10 | Vulkan10 | OpenCl12 | OpenCl20 | OpenCl21 | OpenGl45 => 0,
            Universal11 => 1,
            Universal12 | OpenCl22 => 2,
            Universal13 | Vulkan11 => 3,
            Universal14 | Vulkan11Spirv14 => 4,
            Universal15 | Vulkan12 => 5,
            Universal16 | Vulkan13 | Vulkan14 => 6,
        };
        1 << 16 | minor << 8
    }

    /// Whether it is a version of Vulkan.
    pub fn is_vulkan(self) -> bool {
        matches!(self, Vulkan10 | Vulkan11 | Vulkan11Spirv14 | Vulkan12 | Vulkan13 | Vulkan14)
    }

    /// The oldest Vulkan that takes modules of this environment's version; itself, if it is one.
    pub fn for_vulkan(self) -> Env {
        let takes = |vulkan: &Env| vulkan.version() >= self.version();
        let vulkans = [Vulkan10, Vulkan11, Vulkan11Spirv14, Vulkan12];
        if self.is_vulkan() { self } else { vulkans.into_iter().find(takes).unwrap_or(Vulkan13) }
    }

    /// Whether it is a version of OpenCL.
    pub fn is_opencl(self) -> bool {
        matches!(self, OpenCl12 | OpenCl20 | OpenCl21 | OpenCl22)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn environments_have_versions() {
        let mut shown = String::new();
        for name in Env::names() {
            let environment = Env::from_name(name).expect("an environment");
            let minor = environment.version() >> 8 & 0xff;
            let kind = match (environment.is_vulkan(), environment.is_opencl()) {
                (true, _) => " Vulkan",
                (_, true) => " OpenCL",
                _ => "",
            };
            let vulkan = environment.for_vulkan().name();
            shown += &format!("{name}: {} 1.{minor}{kind}, in {vulkan}\n", environment.name());
            assert_eq!(environment.version() & !0xff00, 0x10000);
        }
        expect_test::expect![[r#"
            spv1.0: spv1.0 1.0, in vulkan1.0
            spv1.1: spv1.1 1.1, in vulkan1.1
            spv1.2: spv1.2 1.2, in vulkan1.1
            spv1.3: spv1.3 1.3, in vulkan1.1
            spv1.4: spv1.4 1.4, in vulkan1.1spv1.4
            spv1.5: spv1.5 1.5, in vulkan1.2
            spv1.6: spv1.6 1.6, in vulkan1.3
            vulkan1.0: vulkan1.0 1.0 Vulkan, in vulkan1.0
            vulkan1.1: vulkan1.1 1.3 Vulkan, in vulkan1.1
            vulkan1.1spv1.4: vulkan1.1spv1.4 1.4 Vulkan, in vulkan1.1spv1.4
            vulkan1.2: vulkan1.2 1.5 Vulkan, in vulkan1.2
            vulkan1.3: vulkan1.3 1.6 Vulkan, in vulkan1.3
            vulkan1.4: vulkan1.4 1.6 Vulkan, in vulkan1.4
            opencl1.2: opencl1.2 1.0 OpenCL, in vulkan1.0
            opencl2.0: opencl2.0 1.0 OpenCL, in vulkan1.0
            opencl2.1: opencl2.1 1.0 OpenCL, in vulkan1.0
            opencl2.2: opencl2.2 1.2 OpenCL, in vulkan1.1
            opencl1.2embedded: opencl1.2 1.0 OpenCL, in vulkan1.0
            opencl2.0embedded: opencl2.0 1.0 OpenCL, in vulkan1.0
            opencl2.1embedded: opencl2.1 1.0 OpenCL, in vulkan1.0
            opencl2.2embedded: opencl2.2 1.2 OpenCL, in vulkan1.1
            opengl4.0: opengl4.0 1.0, in vulkan1.0
            opengl4.2: opengl4.0 1.0, in vulkan1.0
            opengl4.3: opengl4.0 1.0, in vulkan1.0
            opengl4.5: opengl4.0 1.0, in vulkan1.0
        "#]]
        .assert_eq(&shown);
        assert_eq!(Env::from_name("spv1.7"), None);
    }

    #[test]
    fn the_first_comments_count() {
        let of = Env::from_comments;
        assert_eq!(of("; SPIR-V\n; Version: 1.3\n; Version: 1.4\n"), (None, Some(Universal13)));
        assert_eq!(of(" ;; target-env: vulkan1.1 x\n;target-env: spv1.0\n"), (Some(Vulkan11), None));
        assert_eq!(of("target-env: vulkan1.1\n"), (None, None));
        let late = |lines| of(&("\n".repeat(lines) + "; Version: 1.0\n")).1;
        assert_eq!((late(39), late(40)), (Some(Universal10), None));
    }
}
