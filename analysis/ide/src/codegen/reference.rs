//! The programs whose verdict on a document counts.

use wavelens_base::configuration::{AMDGPU_TRIPLE, Configuration, Env};
use wavelens_base::{Dialect, Options};
use wavelens_codegen::reference::{FILE, OUTPUT, Step};

/// The reference tools for a document, and how they are called for what it is checked for.
pub fn reference(dialect: Dialect, text: &str, options: &Options) -> Vec<Step> {
    let configuration = super::Plan::of(dialect, text, options.clone()).configuration;
    match dialect {
        Dialect::Llvm => vec![step("llvm-as", ["-disable-output", FILE])],
        Dialect::Mir => {
            let own = ["-run-pass=none", "-verify-machineinstrs", "-o", OUTPUT, FILE];
            vec![step("llc", target(&configuration, "-mtriple").iter().map(String::as_str).chain(own))]
        }
        Dialect::Amdgpu => {
            let own = ["-filetype=obj", "-o", OUTPUT, FILE];
            vec![step("llvm-mc", target(&configuration, "-triple").iter().map(String::as_str).chain(own))]
        }
        Dialect::Spirv => {
            let environment = configuration.environment.as_ref().map_or(Env::Universal16, |e| e.value);
            let version = configuration.module_version.as_ref().map(|v| v.value >> 8 & 0xff);
            let module =
                version.map_or_else(|| environment.name().to_owned(), |minor| format!("spv1.{minor}"));
            vec![
                step("spirv-as", ["--preserve-numeric-ids", "--target-env", &module, "-o", OUTPUT, FILE]),
                step("spirv-val", ["--target-env", environment.name(), OUTPUT]),
            ]
        }
    }
}

fn step<'a>(program: &'static str, arguments: impl IntoIterator<Item = &'a str>) -> Step {
    Step { program, arguments: arguments.into_iter().map(str::to_owned).collect() }
}

/// The options that name triple, processor and features.
fn target(configuration: &Configuration, triple: &str) -> Vec<String> {
    let named = configuration.triple.as_ref().map_or(AMDGPU_TRIPLE, |t| t.value.as_str());
    let mut options = vec![format!("{triple}={named}")];
    options.extend(configuration.processor.iter().map(|p| format!("-mcpu={}", p.value)));
    let features: Vec<&str> = configuration.features.iter().map(|f| f.value.as_str()).collect();
    if !features.is_empty() {
        options.push(format!("-mattr={}", features.join(",")));
    }
    options
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(dialect: Dialect, text: &str, expected: Expect) {
        let steps = reference(dialect, text, &Options::default());
        let lines = steps.iter().map(|s| format!("{} {}\n", s.program, s.arguments.join(" ")));
        expected.assert_eq(&lines.collect::<String>());
    }

    #[test]
    fn programs_are_called_for_the_target_of_the_document() {
        check(
            Dialect::Llvm,
            "",
            expect![[r#"
            llvm-as -disable-output {file}
        "#]],
        );
        check(
            Dialect::Mir,
            "# RUN: llc -mtriple=amdgcn -mcpu=gfx942 -mattr=+xnack %s\n",
            expect![[r#"
            llc -mtriple=amdgcn -mcpu=gfx942 -mattr=+xnack -run-pass=none -verify-machineinstrs -o {output} {file}
        "#]],
        );
        check(
            Dialect::Amdgpu,
            "// RUN: llvm-mc -triple=amdgcn -mcpu=gfx900 %s\n",
            expect![[r#"
            llvm-mc -triple=amdgcn -mcpu=gfx900 -filetype=obj -o {output} {file}
        "#]],
        );
        check(
            Dialect::Spirv,
            "; Version: 1.3\n; target-env: vulkan1.2\n",
            expect![[r#"
            spirv-as --preserve-numeric-ids --target-env spv1.3 -o {output} {file}
            spirv-val --target-env vulkan1.2 {output}
        "#]],
        );
        check(
            Dialect::Spirv,
            "",
            expect![[r#"
            spirv-as --preserve-numeric-ids --target-env spv1.6 -o {output} {file}
            spirv-val --target-env spv1.6 {output}
        "#]],
        );
    }
}
