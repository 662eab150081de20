//! What the user can set about checking.

use wavelens_isa::Target;
use wavelens_syntax::closest;

use super::removed::removed_processor;
use super::{DeviceFeature, Env, Known, Origin};
use crate::Severity;
use crate::includes::Includes;
use crate::lit::arguments::unknown_feature;

/// Settings that change what is right. Part of the module scope's input.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Options {
    /// Target triple that is asked for, whatever the file says.
    pub triple: Option<String>,
    /// AMDGPU processor (`gfx1100`) that is asked for, whatever the file says.
    pub target: Option<String>,
    /// Features (`+wavefrontsize64`) that are asked for in addition; a later one wins.
    pub features: Vec<String>,
    /// SPIR-V environment (`vulkan1.3`, `spv1.6`) that is asked for, whatever the file says.
    pub target_env: Option<String>,
    /// Features of the Vulkan device, by name: `scalar-block-layout`.
    pub device_features: Vec<String>,
    /// The processor and the environment are the user's choice for this file in an editor, not the command line's.
    pub is_chosen: bool,
    /// For files that say nothing themselves.
    pub fallback: Fallback,
    /// The RUN line that is used, by its number.
    pub run: Option<u32>,
    /// Assembly symbols that a build would define: name and value.
    pub defines: Vec<(String, String)>,
    /// LLVM major version (15 to 22) to be strict about; `None` is the newest.
    pub llvm_level: Option<u8>,
    /// Report also what only follows from an earlier mistake in a block, line by line, as the reference assembler does.
    pub follow_on: bool,
    /// Report also what no manual requires: hazards that only LLVM's hazard recognizer knows and
    /// waits that are stronger than needed, as hints.
    pub pedantic: bool,
    /// Codes that are switched off.
    pub disabled: Vec<String>,
    /// Severities in place of the rules' own, by code.
    pub severities: Vec<(String, Severity)>,
    /// Other files that an assembly file includes.
    pub includes: Includes,
}

/// What holds for files that say nothing themselves: from the project file or the editor's settings.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Fallback {
    /// AMDGPU processor.
    pub target: Option<Known<String>>,
    /// SPIR-V environment.
    pub target_env: Option<Known<String>>,
}

impl Options {
    /// For a file that can be for no other processor than the one it names: the processor that is asked for gives way.
    pub fn with_fixed_processor(&self) -> Options {
        let target = self.target.clone().map(|name| Known::new(name, Origin::CommandLine));
        let target = target.or_else(|| self.fallback.target.clone());
        Options { target: None, fallback: Fallback { target, ..self.fallback.clone() }, ..self.clone() }
    }

    /// Whether findings with a code are wanted.
    pub fn is_enabled(&self, code: &str) -> bool {
        !self.disabled.iter().any(|d| d == code)
    }

    /// One line for each name that nothing here knows. Checking goes on as if it were not set.
    pub fn complaints(&self) -> Vec<String> {
        let mut complaints = Vec::new();
        let known = |known: &Option<Known<String>>| known.as_ref().map(|k| k.value.clone());
        let is_amdgpu = self.triple.as_ref().is_none_or(|triple| wavelens_isa::is_amdgpu(triple));
        let targets = self.target.iter().cloned().chain(known(&self.fallback.target)).filter(|_| is_amdgpu);
        for name in targets.filter(|name| Target::of_id(name).is_none()) {
            complaints.push(match removed_processor(&name) {
                Some(removed) => format!("AMDGPU {removed}"),
                None => unknown("AMDGPU processor", &name, Target::names()),
            });
        }
        let environments = self.target_env.iter().cloned().chain(known(&self.fallback.target_env));
        for name in environments.filter(|name| Env::from_name(name).is_none()) {
            complaints.push(unknown("SPIR-V environment", &name, Env::names()));
        }
        let is_unknown = |name: &&String| DeviceFeature::from_name(name).is_none();
        for name in self.device_features.iter().filter(is_unknown) {
            complaints.push(unknown("device feature", name, DeviceFeature::names()));
        }
        for feature in self.features.iter().filter(|_| is_amdgpu) {
            complaints.extend(unknown_feature(feature));
        }
        complaints
    }
}

fn unknown<'n>(what: &str, name: &str, known: impl Iterator<Item = &'n str> + Clone) -> String {
    let advice = match closest(name, known.clone()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("known are {}", known.collect::<Vec<_>>().join(", ")),
    };
    format!("unknown {what} `{name}`; {advice}")
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    fn complaints(target: &str, target_env: &str) -> String {
        let options = Options {
            target: Some(target.to_owned()),
            target_env: Some(target_env.to_owned()),
            ..Options::default()
        };
        options.complaints().join("\n")
    }

    #[test]
    fn unknown_names_are_reported_with_a_suggestion() {
        expect![[r#""#]].assert_eq(&complaints("gfx90a:xnack+", "vulkan1.3"));
        expect![[r#"
            unknown AMDGPU processor `gfx9421`; did you mean `gfx942`?
            unknown SPIR-V environment `opencl3`; known are spv1.0, spv1.1, spv1.2, spv1.3, spv1.4, spv1.5, spv1.6, vulkan1.0, vulkan1.1, vulkan1.1spv1.4, vulkan1.2, vulkan1.3, vulkan1.4, opencl1.2, opencl2.0, opencl2.1, opencl2.2, opencl1.2embedded, opencl2.0embedded, opencl2.1embedded, opencl2.2embedded, opengl4.0, opengl4.2, opengl4.3, opengl4.5"#]].assert_eq(&complaints("gfx9421", "opencl3"));
    }
}
