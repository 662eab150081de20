//! Triples of AMDGPU and target ids: `amdgpu9.42-amd-amdhsa`, `amdgcn-amd-amdhsa--gfx90a:xnack+`.
//!
//! LLVM 24 names the processor in the first part of the triple, its subarchitecture. `amdgcn` and `amdgpu` leave it open. Source: LLVM's
//! `AMDGPUTargetParser` and `Triple` (Apache License v2.0 with LLVM Exceptions), llvm/llvm-project pull request 206480 and following.

use crate::processor::{PROCESSORS, Processor};

/// A processor with its family and its subarchitecture.
type Named = (&'static Processor, &'static str, &'static str);

fn named() -> impl Iterator<Item = Named> {
    PROCESSORS.iter().filter_map(|p| p.triple.map(|(family, own)| (p, family, own)))
}

fn of_processor(name: &str) -> Option<Named> {
    named().find(|(processor, ..)| processor.name == name)
}

/// The processor that a subarchitecture stands for. A family without a generic processor stands for its oldest.
fn of_subarchitecture(name: &str) -> Option<Named> {
    named().find(|(_, _, own)| *own == name).or_else(|| named().find(|(_, family, _)| *family == name))
}

fn architecture(triple: &str) -> &str {
    triple.split('-').next().unwrap_or(triple)
}

/// `9.42` of `amdgpu9.42-amd-amdhsa`, known or not; empty for `amdgcn` and `amdgpu`; `None` for another target's triple.
pub fn subarchitecture(triple: &str) -> Option<&str> {
    match architecture(triple) {
        "amdgcn" => Some(""),
        arch => arch.strip_prefix("amdgpu").filter(|s| s.chars().next().is_none_or(|c| c.is_ascii_digit())),
    }
}

/// Whether a triple is one of AMDGPU (GCN and later).
pub fn is_amdgpu(triple: &str) -> bool {
    subarchitecture(triple).is_some()
}

/// The processor that a triple names: `gfx942` of `amdgpu9.42-amd-amdhsa`, `gfx9-generic` of `amdgpu9`.
pub fn processor_of_triple(triple: &str) -> Option<&'static str> {
    let (processor, ..) = of_subarchitecture(subarchitecture(triple)?)?;
    Some(processor.name)
}

/// The triple in the form that names its processor: `amdgpu9.42-amd-amdhsa` for gfx942, whatever names the processor in it.
pub fn triple_with_processor(triple: &str, processor: &str) -> Option<String> {
    let (_, _, subarch) = of_processor(processor)?;
    let rest = triple.get(architecture(triple).len()..)?;
    is_amdgpu(triple).then(|| format!("amdgpu{subarch}{rest}"))
}

/// Whether code for a processor may be in a module with a triple, as LLVM defines it: the triple names the processor or its family. A
/// triple without a processor agrees with all, and so does an unknown name. Source: `AMDGPU::isCPUValidForSubArch`.
pub fn agrees_with_triple(triple: &str, processor: &str) -> bool {
    let Some(subarch) = subarchitecture(triple) else { return true };
    // Names that an old processor has, such as `tahiti`, are in no row.
    match (of_subarchitecture(subarch), of_processor(processor)) {
        (Some((_, family, _)), Some((_, own_family, own))) => {
            family == own_family && (subarch == own || subarch == family)
        }
        _ => true,
    }
}

/// The first part of an AMDGPU triple, if it names a subarchitecture that no processor here has.
pub fn unknown_architecture(triple: &str) -> Option<&str> {
    let subarch = subarchitecture(triple).filter(|name| !name.is_empty())?;
    of_subarchitecture(subarch).is_none().then(|| architecture(triple))
}

/// A triple in the form that all versions of LLVM read: `amdgcn-amd-amdhsa` of `amdgpu9.42-amd-amdhsa`; `None` if it has it.
pub fn older_triple(triple: &str) -> Option<String> {
    let arch = architecture(triple);
    (is_amdgpu(triple) && arch != "amdgcn")
        .then(|| format!("amdgcn{}", triple.get(arch.len()..).unwrap_or("")))
}

/// Triple and processor, the latter with its features, of a target id: `amdgcn-amd-amdhsa` and `gfx90a:xnack+`. A bare triple that names a
/// processor, and a bare processor, are target ids too.
pub fn split_target_id(id: &str) -> (Option<&str>, &str) {
    if !is_amdgpu(id) {
        return match id.rsplit_once("--") {
            Some((triple, processor)) => (Some(triple), processor),
            None => (None, id),
        };
    }
    let mut dashes = id.match_indices('-').map(|(at, _)| at).skip(2);
    let (third, fourth) = (dashes.next(), dashes.next());
    match fourth.and_then(|at| Some((id.get(..third?)?, id.get(..at)?, id.get(at + 1..)?))) {
        Some((triple, whole, processor)) => {
            let has_environment = !matches!(whole.get(triple.len()..), Some("-" | "-unknown"));
            (Some(if has_environment { whole } else { triple }), processor)
        }
        None => (Some(id.trim_end_matches('-')), processor_of_triple(id).unwrap_or("")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triples_name_processors() {
        assert_eq!(processor_of_triple("amdgpu9.42-amd-amdhsa"), Some("gfx942"));
        assert_eq!(processor_of_triple("amdgpu12.50s-amd-amdhsa"), Some("gfx1250-strict"));
        assert_eq!(processor_of_triple("amdgpu11"), Some("gfx11-generic"));
        assert_eq!(processor_of_triple("amdgpu8-amd-amdhsa"), Some("gfx801"));
        assert_eq!(processor_of_triple("amdgcn-amd-amdhsa"), None);
        assert_eq!(processor_of_triple("amdgpu9.43-amd-amdhsa"), None);
        let new = triple_with_processor("amdgcn-amd-amdhsa", "gfx900");
        assert_eq!(new.as_deref(), Some("amdgpu9.00-amd-amdhsa"));
        assert_eq!(older_triple("amdgpu9.00-amd-amdhsa").as_deref(), Some("amdgcn-amd-amdhsa"));
        assert_eq!(older_triple("amdgcn-amd-amdhsa"), None);
        assert!(is_amdgpu("amdgpu--") && !is_amdgpu("amdgpux") && !is_amdgpu("x86_64--linux"));
    }

    #[test]
    fn a_family_agrees_with_its_processors() {
        let triple =
            |subarch: &str, processor| agrees_with_triple(&format!("amdgpu{subarch}-amd-amdhsa"), processor);
        assert!(
            triple("9.42", "gfx942")
                && triple("9.4", "gfx942")
                && triple("9", "gfx906")
                && triple("", "gfx942")
        );
        assert!(triple("9.4", "gfx9-4-generic") && triple("6.00", "gfx600") && triple("7", "gfx701"));
        assert!(
            !triple("9.42", "gfx9-4-generic")
                && !triple("9.42", "gfx950")
                && !triple("9", "gfx942")
                && !triple("9", "gfx90a")
        );
        assert!(!triple("12", "gfx1250") && !triple("6.01", "gfx602"));
        assert!(triple("9.42", "gfx9999") && triple("14", "gfx942"));
    }

    #[test]
    fn target_ids_have_a_triple_and_a_processor() {
        let cases = [
            ("amdgcn-amd-amdhsa--gfx90a:xnack+", Some("amdgcn-amd-amdhsa"), "gfx90a:xnack+"),
            ("amdgpu9.42-amd-amdhsa-unknown-gfx942", Some("amdgpu9.42-amd-amdhsa"), "gfx942"),
            ("amdgcn-amd-amdhsa--gfx9-4-generic", Some("amdgcn-amd-amdhsa"), "gfx9-4-generic"),
            ("amdgcn-amd-amdhsa-llvm-gfx942", Some("amdgcn-amd-amdhsa-llvm"), "gfx942"),
            ("amdgpu9.42-amd-amdhsa", Some("amdgpu9.42-amd-amdhsa"), "gfx942"),
            ("amdgpu9.42", Some("amdgpu9.42"), "gfx942"),
            ("gfx90a:xnack+", None, "gfx90a:xnack+"),
            ("gfx9-4-generic", None, "gfx9-4-generic"),
        ];
        for (id, triple, processor) in cases {
            assert_eq!(split_target_id(id), (triple, processor), "{id}");
        }
    }
}
