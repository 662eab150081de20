//! Storage classes that only some stages have.

use crate::type_names::storage_class_name;
use wavelens_syntax::spirv::tables::{Capability, ExecutionModel as E, Op, StorageClass};

use super::execution_limitations::{EXECUTION_MODEL, entry_points};
use crate::code::{Id, Inst};
use crate::context::RuleContext;
use crate::flat::NONE;
use crate::scope::model_name;
use wavelens_base::{Verdict, fail_at};

/// Whether a stage has a storage class.
fn has_class(model: u32, class: u32, vulkan: bool) -> bool {
    let rays = matches!(
        model,
        E::RayGenerationKHR
            | E::IntersectionKHR
            | E::AnyHitKHR
            | E::ClosestHitKHR
            | E::MissKHR
            | E::CallableKHR
    );
    match class {
        StorageClass::Output if vulkan => !rays && model != E::GLCompute,
        StorageClass::Workgroup if vulkan => {
            matches!(model, E::GLCompute | E::TaskNV | E::MeshNV | E::TaskEXT | E::MeshEXT)
        }
        StorageClass::CallableDataKHR => {
            matches!(model, E::RayGenerationKHR | E::ClosestHitKHR | E::CallableKHR | E::MissKHR)
        }
        StorageClass::IncomingCallableDataKHR => model == E::CallableKHR,
        StorageClass::RayPayloadKHR | StorageClass::HitObjectAttributeNV => {
            matches!(model, E::RayGenerationKHR | E::ClosestHitKHR | E::MissKHR)
        }
        StorageClass::HitAttributeKHR => {
            matches!(model, E::IntersectionKHR | E::AnyHitKHR | E::ClosestHitKHR)
        }
        StorageClass::IncomingRayPayloadKHR => matches!(model, E::AnyHitKHR | E::ClosestHitKHR | E::MissKHR),
        StorageClass::ShaderRecordBufferKHR => rays,
        StorageClass::TaskPayloadWorkgroupEXT => matches!(model, E::TaskEXT | E::MeshEXT),
        _ => true,
    }
}

/// The valid usage ID of the rule in Vulkan (SPIRV-Tools, validation_state.cpp).
fn vuid(class: u32) -> &'static str {
    match class {
        StorageClass::Output => " [VUID-StandaloneSpirv-None-04644]",
        StorageClass::Workgroup => " [VUID-StandaloneSpirv-None-04645]",
        StorageClass::CallableDataKHR => " [VUID-StandaloneSpirv-CallableDataKHR-04704]",
        StorageClass::IncomingCallableDataKHR => " [VUID-StandaloneSpirv-IncomingCallableDataKHR-04705]",
        StorageClass::RayPayloadKHR => " [VUID-StandaloneSpirv-RayPayloadKHR-04698]",
        StorageClass::HitAttributeKHR => " [VUID-StandaloneSpirv-HitAttributeKHR-04701]",
        StorageClass::IncomingRayPayloadKHR => " [VUID-StandaloneSpirv-IncomingRayPayloadKHR-04699]",
        StorageClass::ShaderRecordBufferKHR => " [VUID-StandaloneSpirv-ShaderRecordBufferKHR-07119]",
        _ => "",
    }
}

/// The storage class of an id: a pointer type's or a variable's.
fn class_of(m: &RuleContext<'_>, id: Id) -> Option<u32> {
    let def = m.def(id)?;
    match def.op() {
        Op::TypePointer => Some(def.word(2)),
        Op::Variable => Some(def.word(3)),
        _ => None,
    }
}

fn classes<'m>(m: &'m RuleContext<'_>, inst: Inst<'m>) -> impl Iterator<Item = (usize, u32)> {
    inst.ids().filter_map(move |(index, _, id)| Some((index, class_of(m, id)?)))
}

/// Whether some class is not allowed in some stage.
pub(super) fn concerns(m: &RuleContext<'_>) -> bool {
    let special = [Capability::RayTracingKHR, Capability::RayTracingNV, Capability::MeshShadingEXT];
    m.is_function() && (m.scope.env.is_vulkan() || special.iter().any(|c| m.has_capability(*c)))
}

pub(super) fn instruction(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let vulkan = m.scope.env.is_vulkan();
    for (index, class) in classes(m, inst) {
        // Most are in every stage.
        if has_class(NONE, class, vulkan) && class != StorageClass::Output {
            continue;
        }
        let Some(entry) = entry_points(m, inst).find(|e| !has_class(e.model, class, vulkan)) else {
            continue;
        };
        // Said once for a function.
        let mut earlier = (m.first..inst.at).filter_map(|at| m.inst(at));
        if earlier.any(|i| classes(m, i).any(|(_, c)| c == class)) {
            continue;
        }
        let name = storage_class_name(class);
        let message = format!(
            "storage class {name} is not allowed in the {} entry point \"{}\"{}",
            model_name(entry.model),
            entry.name,
            if vulkan { vuid(class) } else { "" }
        );
        return fail_at(&EXECUTION_MODEL, index, message);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::testing::Shader;

    #[test]
    fn compute_shaders_have_no_outputs() {
        let shader = Shader {
            head: "; target-env: vulkan1.3",
            entry: r#"OpEntryPoint GLCompute %main "main" %out
OpExecutionMode %main LocalSize 1 1 1"#,
            types: "%ptr = OpTypePointer Output %uint
%out = OpVariable %ptr Output",
            body: "OpStore %out %u1
OpStore %out %u1",
            ..Shader::NEW
        };
        expect![[r#"
            error[execution-model] `%out`: storage class Output is not allowed in the GLCompute entry point "main" [VUID-StandaloneSpirv-None-04644]
              30:1 `%out`: defined here
        "#]]
        .assert_eq(&shader.findings());
    }

    /// The stages that may not use each storage class, and the rule of Vulkan that says so.
    #[test]
    fn each_class_has_its_stages() {
        use wavelens_syntax::spirv::tables::{ExecutionModel as E, Kind, StorageClass as S};

        let models = [
            E::Vertex,
            E::Fragment,
            E::GLCompute,
            E::Kernel,
            E::TaskNV,
            E::MeshNV,
            E::RayGenerationKHR,
            E::IntersectionKHR,
            E::AnyHitKHR,
            E::ClosestHitKHR,
            E::MissKHR,
            E::CallableKHR,
            E::TaskEXT,
            E::MeshEXT,
        ];
        let classes = [
            S::Input,
            S::Output,
            S::Workgroup,
            S::CallableDataKHR,
            S::IncomingCallableDataKHR,
            S::RayPayloadKHR,
            S::HitObjectAttributeNV,
            S::HitAttributeKHR,
            S::IncomingRayPayloadKHR,
            S::ShaderRecordBufferKHR,
            S::TaskPayloadWorkgroupEXT,
        ];
        let mut found = String::new();
        for class in classes {
            let without = |vulkan| {
                let models = models.iter().filter(|model| !super::has_class(**model, class, vulkan));
                let names = models.map(|model| Kind::ExecutionModel.valued(*model).map_or("?", |e| e.name));
                names.collect::<Vec<_>>().join(" ")
            };
            let name = super::storage_class_name(class);
            found += &format!("{name}{}: not in {}\n", super::vuid(class), without(true));
            if without(false) != without(true) {
                found += &format!("  outside Vulkan: not in {}\n", without(false));
            }
        }
        expect![[r#"
            Input: not in 
            Output [VUID-StandaloneSpirv-None-04644]: not in GLCompute RayGenerationKHR IntersectionKHR AnyHitKHR ClosestHitKHR MissKHR CallableKHR
              outside Vulkan: not in 
            Workgroup [VUID-StandaloneSpirv-None-04645]: not in Vertex Fragment Kernel RayGenerationKHR IntersectionKHR AnyHitKHR ClosestHitKHR MissKHR CallableKHR
              outside Vulkan: not in 
            CallableDataKHR [VUID-StandaloneSpirv-CallableDataKHR-04704]: not in Vertex Fragment GLCompute Kernel TaskNV MeshNV IntersectionKHR AnyHitKHR TaskEXT MeshEXT
            IncomingCallableDataKHR [VUID-StandaloneSpirv-IncomingCallableDataKHR-04705]: not in Vertex Fragment GLCompute Kernel TaskNV MeshNV RayGenerationKHR IntersectionKHR AnyHitKHR ClosestHitKHR MissKHR TaskEXT MeshEXT
            RayPayloadKHR [VUID-StandaloneSpirv-RayPayloadKHR-04698]: not in Vertex Fragment GLCompute Kernel TaskNV MeshNV IntersectionKHR AnyHitKHR CallableKHR TaskEXT MeshEXT
            HitObjectAttributeNV: not in Vertex Fragment GLCompute Kernel TaskNV MeshNV IntersectionKHR AnyHitKHR CallableKHR TaskEXT MeshEXT
            HitAttributeKHR [VUID-StandaloneSpirv-HitAttributeKHR-04701]: not in Vertex Fragment GLCompute Kernel TaskNV MeshNV RayGenerationKHR MissKHR CallableKHR TaskEXT MeshEXT
            IncomingRayPayloadKHR [VUID-StandaloneSpirv-IncomingRayPayloadKHR-04699]: not in Vertex Fragment GLCompute Kernel TaskNV MeshNV RayGenerationKHR IntersectionKHR CallableKHR TaskEXT MeshEXT
            ShaderRecordBufferKHR [VUID-StandaloneSpirv-ShaderRecordBufferKHR-07119]: not in Vertex Fragment GLCompute Kernel TaskNV MeshNV TaskEXT MeshEXT
            TaskPayloadWorkgroupEXT: not in Vertex Fragment GLCompute Kernel TaskNV MeshNV RayGenerationKHR IntersectionKHR AnyHitKHR ClosestHitKHR MissKHR CallableKHR
        "#]].assert_eq(&found);
    }
}
