//! Decorations of the variables in entry points' interfaces.

use rustc_hash::FxHashSet;
use wavelens_syntax::spirv::tables::{Capability, Decoration, ExecutionModel, Kind, Op, StorageClass};

use super::{DECORATION, Found, ModuleFinding, held};
use crate::spirv::code::{Id, Inst};
use crate::spirv::context::RuleContext;
use crate::spirv::flat::NONE;
use crate::spirv::rules::annotation::name;
use crate::spirv::rules::entry_points::ENTRY_POINT;

/// Whether an id, or a structure in it, carries a decoration.
pub(super) fn has_inside(m: &RuleContext<'_>, id: Id, kind: u32) -> bool {
    let (mut work, mut seen) = (vec![id], FxHashSet::default());
    while let Some(id) = work.pop() {
        if m.decorations(id).iter().any(|d| d.kind == kind) {
            return true;
        }
        work.extend(m.members(id).iter().filter(|t| m.op(**t) == Op::TypeStruct && seen.insert(**t)));
    }
    false
}

pub(super) fn entry_points(m: &RuleContext<'_>, found: &mut Found) {
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
        let listed = |id: Id, message: String| ModuleFinding::in_interface(entry, id, &ENTRY_POINT, message);
        for id in entry.interface.iter().copied() {
            let Some(variable) = m.def(id) else {
                let message = match m.scope.bodies.get(&id).map(|inner| inner.op) {
                    Some(Op::Variable) => format!("`{}` is not a global variable", m.name(id)),
                    Some(op) => format!("`{}` is the result of {}, not a variable", m.name(id), op.name()),
                    None => continue,
                };
                found.add(listed(id, message));
                continue;
            };
            if !matches!(variable.op(), Op::Variable | Op::UntypedVariableKHR) {
                let message =
                    format!("`{}` is the result of {}, not a variable", m.name(id), variable.op().name());
                found.add(listed(id, message));
                continue;
            }
            let class = variable.operand(2);
            if newer {
                if class == StorageClass::TaskPayloadWorkgroupEXT && std::mem::replace(&mut payload, true) {
                    found.push(
                        at,
                        &ENTRY_POINT,
                        "an entry point must not list more than one variable in TaskPayloadWorkgroupEXT",
                    );
                }
                if class == StorageClass::Function {
                    found.add(listed(id, format!("`{}` is not a global variable", m.name(id))));
                }
                if !seen.insert(id) {
                    found.add(listed(id, format!("`{}` is listed twice", m.name(id))));
                }
            } else if !matches!(class, StorageClass::Input | StorageClass::Output) {
                let message = format!(
                    "before SPIR-V 1.4, an entry point must list only variables in Input and Output, `{}` is in neither",
                    m.name(id)
                );
                found.add(listed(id, message));
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
                    let (direction, vuid) = match class {
                        StorageClass::Input => ("input", "09658"),
                        _ => ("output", "09659"),
                    };
                    let message = format!(
                        "duplicate built-in {} among the {direction} variables: `{}` [VUID-StandaloneSpirv-OpEntryPoint-{vuid}]",
                        Kind::BuiltIn.valued(builtin).map_or("?", |e| e.name),
                        m.name(id)
                    );
                    found.add(listed(id, message));
                }
            }
            if has_builtin {
                let located = m
                    .decorations(id)
                    .iter()
                    .any(|d| matches!(d.kind, Decoration::Location | Decoration::Component));
                if vulkan && located {
                    found.push(variable.at, &DECORATION, "a built-in must not have a Location or Component decoration [VUID-StandaloneSpirv-Location-04915]");
                }
                if structure {
                    if !m.decorations(ty).iter().any(|d| d.kind == Decoration::Block) {
                        found.push(
                            at,
                            &DECORATION,
                            format!("missing Block decoration on `{}`, which has built-in members [VUID-StandaloneSpirv-Location-04919]", m.name(ty)),
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
                    found.push(
                        variable.at,
                        &DECORATION,
                        "Data Type of an untyped variable in Workgroup must be a Block",
                    );
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
                "an entry point must not have more than one block of built-ins for input and one for output",
            );
        }
        if m.decorations(entry.function).iter().any(|d| d.kind == Decoration::LinkageAttributes) {
            found.push(at, &ENTRY_POINT, "an entry point must not be decorated with LinkageAttributes");
        }
        let explicit = m.has_capability(Capability::WorkgroupMemoryExplicitLayoutKHR);
        if explicit && !m.has_capability(Capability::UntypedPointersKHR) && workgroup > 0 && blocks > 0 {
            if workgroup != blocks {
                found.push(at, &ENTRY_POINT, "either all variables in Workgroup or none must be blocks");
            } else if blocks > 1 && blocks != aliased {
                found.push(
                    at,
                    &ENTRY_POINT,
                    "missing Aliased decoration: the entry point has more than one block in Workgroup",
                );
            }
        } else if !explicit && blocks > 0 {
            found.push(
                at,
                &ENTRY_POINT,
                "a Block in Workgroup requires the WorkgroupMemoryExplicitLayoutKHR capability",
            );
        }
    }
}

fn interpolation(m: &RuleContext<'_>, variable: Inst<'_>, ty: Id, models: &[u32], found: &mut Found) {
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
                format!(
                    "{} must not decorate an input of a vertex shader [VUID-StandaloneSpirv-Flat-06202]",
                    name(d.kind)
                ),
            );
        } else if class == StorageClass::Output && (several || fragment) {
            found.push(
                variable.at,
                &DECORATION,
                format!(
                    "{} must not decorate an output of a fragment shader [VUID-StandaloneSpirv-Flat-06201]",
                    name(d.kind)
                ),
            );
        }
    }
    let flat = m.decorations(variable.id()).iter().any(|d| d.kind == Decoration::Flat);
    let whole = m.is_float(ty) && m.width(ty) == 64 || m.is_int_scalar_or_vector(ty);
    if fragment && class == StorageClass::Input && !flat && whole {
        let message = format!(
            "missing Flat decoration on an input of {} in a fragment shader [VUID-StandaloneSpirv-Flat-04744]",
            m.type_name(ty)
        );
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
            entry: r#"OpEntryPoint Fragment %main "main" %in %in %float %sum
OpExecutionMode %main OriginUpperLeft"#,
            types: "%p = OpTypePointer Input %float
%in = OpVariable %p Input",
            body: "%sum = OpFAdd %float %f1 %f1",
            ..Shader::NEW
        };
        expect![[r#"
            error[entry-point] `%in`: `%in` is listed twice
            error[entry-point] `%float`: `%float` is the result of OpTypeFloat, not a variable
            error[entry-point] `%sum`: `%sum` is the result of OpFAdd, not a variable
        "#]]
        .assert_eq(&shader.findings());
    }
}
