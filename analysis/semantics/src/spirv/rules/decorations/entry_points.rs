//! Decorations of the variables in entry points' interfaces.

use rustc_hash::FxHashSet;
use wavelens_syntax::spirv::tables::{Capability, Decoration, ExecutionModel, Op, StorageClass};

use super::{DECORATION, Found, held};
use crate::spirv::code::{Id, Inst};
use crate::spirv::context::Module;
use crate::spirv::flat::NONE;
use crate::spirv::rules::annotation::name;
use crate::spirv::rules::mode_setting::ENTRY_POINT;

/// Whether an id, or a structure in it, carries a decoration.
pub(super) fn has_inside(m: &Module<'_>, id: Id, kind: u32) -> bool {
    let (mut work, mut seen) = (vec![id], FxHashSet::default());
    while let Some(id) = work.pop() {
        if m.decorations(id).iter().any(|d| d.kind == kind) {
            return true;
        }
        work.extend(m.members(id).iter().filter(|t| m.op(**t) == Op::TypeStruct && seen.insert(**t)));
    }
    false
}

pub(super) fn entry_points(m: &Module<'_>, found: &mut Found) {
    let vulkan = m.scope.env.is_vulkan();
    let newer = m.scope.version >= 0x10400;
    for entry in &m.scope.entry_points {
        let at = entry.inst;
        let (mut inputs, mut outputs) = (0, 0);
        let (mut workgroup, mut blocks, mut aliased) = (0, 0, 0);
        let mut payload = false;
        let mut seen: FxHashSet<Id> = FxHashSet::default();
        let mut builtins: FxHashSet<(u32, u32)> = FxHashSet::default();
        let models: Vec<u32> =
            m.scope.entry_points.iter().filter(|e| e.function == entry.function).map(|e| e.model).collect();
        for id in entry.interface.iter().copied() {
            let Some(variable) = m.def(id) else {
                if m.scope.bodies.get(&id).is_some_and(|d| d.op == Op::Variable) {
                    found.push(at, &ENTRY_POINT, format!("`{}` is no global variable", m.name(id)));
                }
                continue;
            };
            if !matches!(variable.op(), Op::Variable | Op::UntypedVariableKHR) {
                let message =
                    format!("`{}` is the result of {}, not a variable", m.name(id), variable.op().name());
                found.push(at, &ENTRY_POINT, message);
                continue;
            }
            let class = variable.operand(2);
            if newer {
                if class == StorageClass::TaskPayloadWorkgroupEXT && std::mem::replace(&mut payload, true) {
                    found.push(at, &ENTRY_POINT, "an entry point has one task payload");
                }
                if class == StorageClass::Function {
                    found.push(at, &ENTRY_POINT, format!("`{}` is no global variable", m.name(id)));
                }
                if !seen.insert(id) {
                    found.push(at, &ENTRY_POINT, format!("`{}` is listed twice", m.name(id)));
                }
            } else if !matches!(class, StorageClass::Input | StorageClass::Output) {
                let message = format!(
                    "before SPIR-V 1.4, only Input and Output are listed; `{}` is neither",
                    m.name(id)
                );
                found.push(at, &ENTRY_POINT, message);
            }
            let ty = held(m, variable);
            let structure = m.op(ty) == Op::TypeStruct;
            let mut has_builtin = false;
            for d in m
                .decorations(if structure { ty } else { id })
                .iter()
                .filter(|d| d.kind == Decoration::BuiltIn)
            {
                has_builtin = true;
                let builtin = m.scope.params(d).first().copied().unwrap_or(0);
                let interface = matches!(class, StorageClass::Input | StorageClass::Output);
                if vulkan && interface && !builtins.insert((class, builtin)) {
                    found.push(
                        at,
                        &ENTRY_POINT,
                        format!("`{}` brings a built-in that another variable brings too", m.name(id)),
                    );
                }
            }
            if has_builtin {
                let located = m
                    .decorations(id)
                    .iter()
                    .any(|d| matches!(d.kind, Decoration::Location | Decoration::Component));
                if vulkan && located {
                    found.push(variable.at, &DECORATION, "a built-in has no Location or Component");
                }
                if structure {
                    if !m.decorations(ty).iter().any(|d| d.kind == Decoration::Block) {
                        found.push(
                            at,
                            &DECORATION,
                            format!("`{}` has built-in members and needs Block", m.name(ty)),
                        );
                    }
                    inputs += u32::from(class == StorageClass::Input);
                    outputs += u32::from(class == StorageClass::Output);
                    if inputs > 1 || outputs > 1 {
                        break;
                    }
                }
            }
            if class == StorageClass::Workgroup {
                workgroup += 1;
                let untyped = variable.op() == Op::UntypedVariableKHR && m.has_capability(Capability::Shader);
                if structure && has_inside(m, ty, Decoration::Block) {
                    blocks += 1;
                } else if untyped && ty != NONE {
                    found.push(variable.at, &DECORATION, "an untyped variable in Workgroup holds a Block");
                }
                if structure && m.has_decoration(id, Decoration::Aliased) {
                    aliased += 1;
                }
            }
            if vulkan {
                interpolation(m, variable, ty, &models, found);
            }
        }
        if inputs > 1 || outputs > 1 {
            found.push(
                at,
                &ENTRY_POINT,
                "an entry point has one block of built-ins for input and one for output",
            );
        }
        if m.decorations(entry.function).iter().any(|d| d.kind == Decoration::LinkageAttributes) {
            found.push(at, &ENTRY_POINT, "an entry point has no LinkageAttributes");
        }
        let explicit = m.has_capability(Capability::WorkgroupMemoryExplicitLayoutKHR);
        if explicit && !m.has_capability(Capability::UntypedPointersKHR) && workgroup > 0 && blocks > 0 {
            if workgroup != blocks {
                found.push(at, &ENTRY_POINT, "all variables in Workgroup are blocks, or none");
            } else if blocks > 1 && blocks != aliased {
                found.push(at, &ENTRY_POINT, "several blocks in Workgroup are decorated with Aliased");
            }
        } else if !explicit && blocks > 0 {
            found.push(at, &ENTRY_POINT, "a Block in Workgroup needs WorkgroupMemoryExplicitLayoutKHR");
        }
    }
}

fn interpolation(m: &Module<'_>, variable: Inst<'_>, ty: Id, models: &[u32], found: &mut Found) {
    let class = variable.operand(2);
    let fragment = models.contains(&ExecutionModel::Fragment);
    let vertex = models.contains(&ExecutionModel::Vertex);
    let several = models.iter().collect::<FxHashSet<_>>().len() > 1;
    for d in m.decorations(variable.id()) {
        if !matches!(
            d.kind,
            Decoration::Flat | Decoration::NoPerspective | Decoration::Sample | Decoration::Centroid
        ) {
            continue;
        }
        if class == StorageClass::Input && (several || vertex) {
            found.push(
                variable.at,
                &DECORATION,
                format!("{} is not for inputs of vertex shaders", name(d.kind)),
            );
        } else if class == StorageClass::Output && (several || fragment) {
            found.push(
                variable.at,
                &DECORATION,
                format!("{} is not for outputs of fragment shaders", name(d.kind)),
            );
        }
    }
    let flat = m.decorations(variable.id()).iter().any(|d| d.kind == Decoration::Flat);
    let whole = m.is_float(ty) && m.width(ty) == 64 || m.is_int_scalar_or_vector(ty);
    if fragment && class == StorageClass::Input && !flat && whole {
        let message = format!("a fragment shader's input of {} needs Flat", m.type_name(ty));
        found.push(variable.at, &DECORATION, message);
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::spirv::rules::testing::Shader;

    #[test]
    fn interfaces_list_variables_once() {
        let shader = Shader {
            head: "; target-env: spv1.4",
            entry: r#"OpEntryPoint Fragment %main "main" %in %in %float
OpExecutionMode %main OriginUpperLeft"#,
            types: "%p = OpTypePointer Input %float
%in = OpVariable %p Input",
            ..Shader::NEW
        };
        expect![[r#"
            error[entry-point] `OpEntryPoint Fragment %main "main" %in %in %float`: `%in` is listed twice
            error[entry-point] `OpEntryPoint Fragment %main "main" %in %in %float`: `%float` is the result of OpTypeFloat, not a variable
        "#]].assert_eq(&shader.findings());
    }
}
