//! What a file is checked and compiled for, as both the command line and editors show it.

use serde::Serialize;
use wavelens_base::configuration::{Configuration, Stated};
use wavelens_base::{Dialect, Options};
use wavelens_check::runs::checked_runs;
use wavelens_ide::codegen::Plan;

#[cfg(not(target_family = "wasm"))]
mod human;

/// One value.
#[derive(Debug, Serialize)]
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) value: String,
    /// Empty where nothing else could be.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) origin: String,
}

/// The configuration of a file, for people and for programs.
#[derive(Debug, Serialize)]
pub(crate) struct Target {
    pub(crate) rows: Vec<Row>,
    /// Targets of functions that name their own: processor and functions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) functions: Vec<(String, Vec<String>)>,
    /// The targets of all RUN lines that the file is checked under: number and name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) run_lines: Vec<(u32, String)>,
}

/// The configuration of a text.
pub(crate) fn target(dialect: Dialect, text: &str, options: &Options) -> Target {
    let row = |(name, value, origin)| Row { name, value, origin };
    let plan = Plan::of(dialect, text, options.clone());
    let rows = plan.configuration.rows().into_iter().map(row).collect();
    let functions = plan.parts.into_iter().map(|part| (part.processor, part.functions)).collect();
    let stated = Stated::of(dialect, text);
    let name = |number: u32| {
        let options = Options { run: Some(number), ..options.clone() };
        Configuration::decide(dialect, &stated, &options).name().to_string()
    };
    let runs = checked_runs(dialect, text, options);
    let run_lines = runs.iter().map(|run| (run.number, name(run.number))).collect();
    Target { rows, functions, run_lines }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn the_target_is_shown_with_its_origins() {
        let text = "// RUN: llvm-mc -triple=amdgcn--amdpal -mcpu=gfx1030 %s\n// RUN: llvm-mc -triple=amdgcn -mcpu=gfx900 %s\n";
        expect![[r#"
            dialect       amdgpu
            triple        amdgcn--amdpal  RUN line 1
            processor     gfx1030         RUN line 1
            wave size     32              default
            LLVM version  24              default
            command       llvm-mc -triple=amdgcn--amdpal -mcpu=gfx1030 %s  RUN line 1
            also checked  gfx1030 (RUN line 1)
            also checked  gfx900 (RUN line 2)
        "#]]
        .assert_eq(&target(Dialect::Amdgpu, text, &Options::default()).human());
    }

    #[test]
    fn functions_with_a_processor_of_their_own_are_listed() {
        let text = "define void @f() \"target-cpu\"=\"gfx942\" {\n  ret void\n}\n";
        expect![[r#"
            dialect       llvm
            triple        amdgcn-amd-amdhsa  default of commands that compile
            processor     gfx942             function attribute
            LLVM version  24                 default
            functions     gfx942 for f
        "#]]
        .assert_eq(&target(Dialect::Llvm, text, &Options::default()).human());
    }
}
