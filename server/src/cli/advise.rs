//! `wavelens advise`: changes that give a kernel more waves or fewer spills, each tried by compiling.

use wavelens_codegen::{Cancel, KernelResources, Limit};

use super::compiled_file::{CompiledFile, version};
use super::{Format, Outcome, complain, print};
use crate::advise::{Advice, Effect, Trial, advise, is_limited};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Output format.
    #[arg(long, value_enum, default_value = "human")]
    format: Format,
    /// AMDGPU processor; default: what the file names, else gfx1100.
    #[arg(long, value_name = "gfxNNN")]
    mcpu: Option<String>,
    /// Print the changes without effect too.
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    input: CompiledFile,
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let (compiler, job) = match arguments.input.open(arguments.mcpu.as_deref()) {
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
    print(&match arguments.format {
        Format::Json => serde_json::to_string(&advice).unwrap_or_default() + "\n",
        Format::Human => {
            let command = |trial: &Trial, kernel: &str| {
                arguments.input.command(arguments.mcpu.as_deref(), kernel, &trial.options)
            };
            let texts = advice.iter().map(|a| text(a, arguments.all, command));
            version(&compiler, &job) + "\n" + &texts.collect::<Vec<_>>().join("\n")
        }
    });
    Outcome::Clean
}

/// What was found for a kernel; `command` repeats a trial.
fn text(advice: &Advice, all: bool, command: impl Fn(&Trial, &str) -> String) -> String {
    let mut out = format!("{}: {}\n", advice.kernel, state(&advice.base));
    if !is_limited(&advice.base) {
        out.push_str("  nothing to gain: no spills, and as many waves as the hardware takes\n");
        return out;
    }
    let helpful: Vec<&Trial> = advice.trials.iter().filter(|t| t.effect == Effect::Gain).collect();
    if helpful.is_empty() {
        out.push_str(&format!(
            "  none of {} changes gives more waves or fewer spills for free\n",
            advice.trials.len()
        ));
    }
    for trial in &advice.trials {
        let Some(resources) = &trial.resources else { continue };
        let word = match trial.effect {
            Effect::Gain => "gain",
            Effect::Trade => "trade",
            Effect::None | Effect::Failed if !all => continue,
            Effect::None | Effect::Failed => "none",
        };
        let condition = trial.condition.as_ref().map(|c| format!(" ({c})")).unwrap_or_default();
        out.push_str(&format!("  {word:<6} {}{condition}\n         {}\n", trial.change, state(resources)));
        out.push_str(&format!("         {}\n", command(trial, &advice.kernel)));
    }
    for trial in advice.trials.iter().filter(|_| all) {
        if let Some(problem) = &trial.problem {
            out.push_str(&format!("  failed {}: {problem}\n", trial.change));
        }
    }
    out
}

/// `5 waves, 96 VGPRs, 40 SGPRs, 3 spills, limited by VGPRs`.
fn state(k: &KernelResources) -> String {
    let mut parts = vec![format!("{} waves", k.occupancy), format!("{} VGPRs", k.vgprs)];
    if k.agprs > 0 {
        parts.push(format!("{} AGPRs", k.agprs));
    }
    parts.push(format!("{} SGPRs", k.sgprs));
    if k.spills() > 0 {
        parts.push(format!("{} spills", k.spills()));
    }
    if k.scratch > 0 {
        parts.push(format!("{} bytes of scratch memory", k.scratch));
    }
    if let Some(limit) = k.limit.filter(|l| *l != Limit::Hardware) {
        parts.push(format!("limited by {}", limit.name()));
    }
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

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
        let shown = |advice: &Advice| text(advice, false, |trial, _| trial.options.join(" "));
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
              none of 1 changes gives more waves or fewer spills for free
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
