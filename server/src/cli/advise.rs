//! `wavelens advise`: changes that give a kernel more waves or fewer spills, each tried by compiling.

use wavelens_codegen::Cancel;

use super::compiled_file::{CodeArguments, CompiledFile, version};
use super::output::headed;
use super::{Format, Outcome, complain, print, shown};
use crate::advise::{Trial, advise};
use crate::tables;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    code: CodeArguments,
    /// Print the changes without effect too.
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    input: CompiledFile,
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let (compiler, job) = match arguments.input.open() {
        Ok(opened) => opened,
        Err(message) => return complain(message),
    };
    let advice = match advise(&compiler, &job, &Cancel::default()) {
        Ok(advice) => advice,
        Err(problem) => return arguments.input.complain(&job, &problem),
    };
    if advice.is_empty() {
        return arguments.input.complain(&job, "no kernel to advise on");
    }
    print(&match arguments.code.format {
        Format::Json => shown::json(&advice) + "\n",
        Format::Human => {
            let command = |trial: &Trial, kernel: &str| arguments.input.command(kernel, &trial.options);
            let texts = advice.iter().map(|a| tables::advice(a, arguments.all, command));
            version(&compiler, &job) + "\n" + &headed(texts.collect::<Vec<_>>().join("\n"))
        }
    });
    Outcome::Clean
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use wavelens_codegen::{KernelResources, Limit};

    use super::*;
    use crate::advise::{Advice, Effect};

    #[test]
    fn what_helps_comes_with_its_command() {
        let base = KernelResources {
            name: "k".to_owned(),
            vgprs: 96,
            sgprs: 40,
            occupancy: 5,
            limit: Some(Limit::Vgprs),
            ..KernelResources::default()
        };
        let trial = |effect, vgprs, occupancy| Trial {
            change: "schedule for few registers".to_owned(),
            condition: None,
            attribute: None,
            options: vec!["--llc-option=-misched=gcn-iterative-minreg".to_owned()],
            effect,
            resources: Some(KernelResources { vgprs, occupancy, ..base.clone() }),
            problem: None,
        };
        let mut advice = Advice {
            kernel: "k".to_owned(),
            base: base.clone(),
            trials: vec![trial(Effect::Gain, 80, 6), trial(Effect::None, 96, 5)],
        };
        let shown = |advice: &Advice| tables::advice(advice, false, |trial, _| trial.options.join(" "));
        expect![[r#"
            k: 5 waves, 96 VGPRs, 40 SGPRs, limited by VGPRs
              gain   schedule for few registers
                     6 waves, 80 VGPRs, 40 SGPRs, limited by VGPRs
                     --llc-option=-misched=gcn-iterative-minreg
        "#]]
        .assert_eq(&shown(&advice));
        advice.trials.remove(0);
        expect![[r#"
            k: 5 waves, 96 VGPRs, 40 SGPRs, limited by VGPRs
              none of 1 change tried gives more waves or fewer spills for free
        "#]]
        .assert_eq(&shown(&advice));
        advice.base.limit = Some(Limit::Hardware);
        expect![[r#"
            k: 5 waves, 96 VGPRs, 40 SGPRs
              nothing to gain: no spills, and as many waves as the hardware takes
        "#]]
        .assert_eq(&shown(&advice));
    }
}
