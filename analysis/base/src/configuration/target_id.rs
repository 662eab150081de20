//! Triples and target ids: `amdgcn-amd-amdhsa--gfx90a:xnack+`.

use smol_str::{SmolStr, ToSmolStr};
use wavelens_isa::split_target_id;

/// The triple of AMDGPU code when nothing names one.
pub const AMDGPU_TRIPLE: &str = "amdgcn-amd-amdhsa";

/// Operating system of an AMDGPU triple: which directives and predefined symbols an assembler knows.
#[allow(missing_docs, reason = "names of operating systems in triples")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Os {
    #[default]
    Amdhsa,
    Amdpal,
    Mesa3d,
    Unknown,
}

impl Os {
    /// The operating system that a triple names.
    pub fn of(triple: &str) -> Os {
        match triple.split('-').nth(2) {
            Some(os) if os.starts_with("amdhsa") => Os::Amdhsa,
            Some(os) if os.starts_with("amdpal") => Os::Amdpal,
            Some(os) if os.starts_with("mesa3d") => Os::Mesa3d,
            _ => Os::Unknown,
        }
    }
}

/// `gfx90a` of `gfx90a:xnack+`, of `amdgcn-amd-amdhsa--gfx90a:xnack+` and of `amdgpu9.0a-amd-amdhsa`.
pub fn processor_name(target_id: &str) -> &str {
    let (_, name) = split_target_id(target_id);
    name.split(':').next().unwrap_or(name)
}

/// `+xnack` of `gfx90a:xnack+`; a feature without sign, as in `gfx1100:wavefrontsize64`, is switched on.
pub(super) fn id_features(target_id: &str) -> impl Iterator<Item = SmolStr> {
    target_id.split(':').skip(1).map(|feature| match feature.strip_suffix('-') {
        Some(name) => format!("-{name}").to_smolstr(),
        None => format!("+{}", feature.trim_end_matches('+')).to_smolstr(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_target_ids() {
        for (id, processor, features) in [
            ("gfx90a", "gfx90a", &[][..]),
            ("gfx90a:sramecc-:xnack+", "gfx90a", &["-sramecc", "+xnack"]),
            ("amdgcn-amd-amdhsa--gfx90a:xnack-", "gfx90a", &["-xnack"]),
            ("gfx1100:wavefrontsize64", "gfx1100", &["+wavefrontsize64"]),
        ] {
            assert_eq!(
                (processor_name(id), id_features(id).collect::<Vec<_>>().as_slice()),
                (processor, features.iter().map(|f| SmolStr::from(*f)).collect::<Vec<_>>().as_slice())
            );
        }
    }

    #[test]
    fn operating_systems_of_triples() {
        for (triple, os) in [
            ("amdgcn-amd-amdhsa", Os::Amdhsa),
            ("amdgcn--amdpal", Os::Amdpal),
            ("amdgcn-mesa-mesa3d", Os::Mesa3d),
            ("amdgcn-amd-unknown", Os::Unknown),
            ("amdgcn-amdhsa", Os::Unknown),
        ] {
            assert_eq!(Os::of(triple), os, "{triple}");
        }
    }
}
