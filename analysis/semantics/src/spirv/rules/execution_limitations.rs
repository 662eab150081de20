//! Instructions that only some execution models have: judged by the entry points that reach the function.

use wavelens_syntax::spirv::tables::{Kind, Op};

use crate::spirv::code::{Id, Inst};
use crate::spirv::context::{Check, Module, fail};
use crate::spirv::flat::NONE;
use crate::spirv::scope::{EntryPoint, model_name};
use crate::{Rule, Severity};

pub static EXECUTION_MODEL: Rule = Rule {
    code: "execution-model",
    severity: Severity::Error,
    explain: "The instruction, built-in or storage class is for certain execution models, and the function is called from an entry point of another.\n\n\
        Source: SPIR-V specification, section 3.3 (Execution Model) and the instructions' own descriptions.",
    ..Rule::UNDOCUMENTED
};

/// The function that an instruction of the chunk stands in.
pub(super) fn function_of(m: &Module<'_>, inst: Inst<'_>) -> Id {
    if m.is_function() {
        return m.inst(m.first).map_or(NONE, Inst::id);
    }
    for at in (m.first..inst.at).rev() {
        match m.inst(at).map(|i| (i.op(), i.id())) {
            Some((Op::Function, id)) => return id,
            Some((Op::FunctionEnd, _)) => return NONE,
            _ => {}
        }
    }
    NONE
}

/// The entry points that reach the instruction.
pub(super) fn entry_points<'m>(m: &'m Module<'_>, inst: Inst<'_>) -> impl Iterator<Item = &'m EntryPoint> {
    let function = function_of(m, inst);
    let indexes = m.scope.functions.get(&function).map_or(&[][..], |f| f.entry_points.as_slice());
    indexes.iter().filter_map(|e| m.scope.entry_points.get(*e as usize))
}

/// Asks that every entry point which reaches the instruction is of one of these models.
pub(super) fn require_models(m: &Module<'_>, inst: Inst<'_>, models: &[u32]) -> Check {
    match entry_points(m, inst).find(|e| !models.contains(&e.model)) {
        None => Ok(()),
        Some(entry) => {
            let names: Vec<&str> = models.iter().map(|x| model_name(*x)).collect();
            fail(
                &EXECUTION_MODEL,
                format!(
                    "{} is for {} only, but the {} entry point \"{}\" reaches it",
                    inst.op().name(),
                    names.join(", "),
                    model_name(entry.model),
                    entry.name
                ),
            )
        }
    }
}

/// Asks that an entry point which reaches the instruction has one of these modes, where its model is concerned.
pub(super) fn require_modes(m: &Module<'_>, inst: Inst<'_>, models: &[u32], modes: &[u32]) -> Check {
    let lacks = |e: &&EntryPoint| {
        models.contains(&e.model)
            && !m.scope.modes_of(e.function).iter().any(|(mode, _)| modes.contains(mode))
    };
    match entry_points(m, inst).find(lacks) {
        None => Ok(()),
        Some(entry) => {
            let names: Vec<&str> =
                modes.iter().filter_map(|x| Kind::ExecutionMode.valued(*x)).map(|e| e.name).collect();
            fail(
                &EXECUTION_MODEL,
                format!(
                    "{} needs {} on the entry point \"{}\"",
                    inst.op().name(),
                    names.join(" or "),
                    entry.name
                ),
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::spirv::rules::testing::Shader;

    #[test]
    fn instructions_of_one_stage_stay_in_it() {
        let shader = Shader {
            body: "OpKill
%l2 = OpLabel
%d = OpDPdx %float %f1",
            ..Shader::NEW
        };
        expect![[r#"
            error[execution-model] `OpKill`: OpKill is for Fragment only, but the GLCompute entry point "main" reaches it
            error[execution-model] `%d = OpDPdx %float %f1`: OpDPdx needs DerivativeGroupLinearKHR or DerivativeGroupQuadsKHR on the entry point "main"
        "#]].assert_eq(&shader.findings());
    }
}
