//! `.amdgcn_target` and the processor that the file is assembled for.

use wavelens_base::configuration::{Configuration, other_processor, processor_name, unknown_processor};
use wavelens_isa::{Target, agrees_with_triple, split_target_id};

wavelens_syntax::rules! {
    TARGET_MISMATCH {
        code: "target-mismatch",
        severity: wavelens_base::Severity::Error,
        title: "`.amdgcn_target` must agree with the processor that the file is assembled for",
        explain: "The directive names another processor, or other settings of XNACK or SRAM ECC, than the command line or the settings \
do.",
        example: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\n.amdgcn_target \"amdgcn-amd-amdhsa--gfx906\"\n",
        fixed: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\n.amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\n",
        source: "LLVM AMDGPUAsmParser::ParseDirectiveAMDGCNTarget: \"target id must match\"; for triples with a processor LLVM 24's \
AMDGPU::isSubArchCompatible",
    }
}

/// What is wrong with a target that a directive names, in a file for a processor.
pub(crate) fn message(configuration: &Configuration, name: &str) -> Option<String> {
    if let (Some(triple), _) = split_target_id(name)
        && !agrees_with_triple(triple, processor_name(name))
    {
        return Some(other_processor(processor_name(name), triple));
    }
    match (configuration.target(), Target::of_id(name)) {
        (None, _) if configuration.is_asked() => {
            Some("the processor of the command line or the settings is unknown".to_owned())
        }
        (None, None) => Some(unknown_processor(processor_name(name))),
        (None, Some(_)) => None,
        (Some(_), _) if configuration.is_target_id(name) => None,
        (Some(_), _) => {
            let expected = configuration.target_id();
            Some(format!("the file is assembled for `{expected}`, but this names `{name}`"))
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks;

    #[test]
    fn the_triple_names_its_processor() {
        marks(
            "",
            expect![[r#"
                .amdgcn_target "amdgpu9.42-amd-amdhsa-unknown-gfx1100"
                ;              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[target-mismatch]: processor `gfx1100` does not agree with the triple `amdgpu9.42-amd-amdhsa`
            "#]],
        );
    }

    #[test]
    fn the_file_names_its_processor() {
        marks(
            "gfx900",
            expect![[r#"
                .amdgcn_target "amdgcn-amd-amdhsa--gfx900"
                .amdgcn_target "amdgcn-amd-amdhsa--gfx906"
                ;              ^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[target-mismatch]: the file is assembled for `amdgcn-amd-amdhsa--gfx900`, but this names `amdgcn-amd-amdhsa--gfx906`
            "#]],
        );
    }
}
