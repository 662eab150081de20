//! Barriers (SPIR-V specification, section 3.52.20).

use wavelens_syntax::spirv::tables::{ExecutionModel, Op};

use super::arithmetics::unfit;
use super::execution_limitations::require_models;
use super::{memory_semantics, scopes};
use crate::code::Inst;
use crate::context::RuleContext;
use wavelens_base::Verdict;

/// Whether instructions of an opcode are barriers.
pub(super) fn concerns(op: Op) -> bool {
    matches!(op, Op::ControlBarrier | Op::MemoryBarrier | Op::NamedBarrierInitialize | Op::MemoryNamedBarrier)
}

pub(super) fn instruction(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    match inst.op() {
        Op::ControlBarrier => {
            if m.scope.version < 0x10300 {
                let models = [
                    ExecutionModel::TessellationControl,
                    ExecutionModel::GLCompute,
                    ExecutionModel::Kernel,
                    ExecutionModel::TaskNV,
                    ExecutionModel::MeshNV,
                ];
                require_models(m, inst, &models)?;
            }
            scopes::execution(m, inst, 0)?;
            scopes::memory(m, inst, 1)?;
            memory_semantics::check(m, inst, 2, 1)
        }
        Op::MemoryBarrier => {
            scopes::memory(m, inst, 0)?;
            memory_semantics::check(m, inst, 1, 0)
        }
        Op::NamedBarrierInitialize => {
            if m.op(inst.ty()) != Op::TypeNamedBarrier {
                return unfit(m, inst, 0, "a named barrier as Result Type");
            }
            let count = m.operand_type(inst, 2);
            if !m.is_int(count) || m.width(count) != 32 {
                return unfit(m, inst, 2, "a 32-bit integer");
            }
            Ok(())
        }
        Op::MemoryNamedBarrier => {
            if m.op(m.operand_type(inst, 0)) != Op::TypeNamedBarrier {
                return unfit(m, inst, 0, "a named barrier");
            }
            scopes::memory(m, inst, 1)?;
            memory_semantics::check(m, inst, 2, 1)
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::testing::Shader;

    #[test]
    fn barriers_take_scopes_and_semantics() {
        let shader = Shader {
            body: "OpMemoryBarrier %u1 %f1
OpControlBarrier %u2 %u2 %u3
OpMemoryBarrier %u1 %u1",
            ..Shader::NEW
        };
        expect![[r#"
            error[memory-semantics] `%f1`: expected a 32-bit integer as memory semantics
              25:1 `%f1`: defined here
        "#]]
        .assert_eq(&shader.findings());
    }
}
