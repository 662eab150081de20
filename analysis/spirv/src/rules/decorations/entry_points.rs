//! Decorations of the variables in entry points' interfaces.

use std::ops::ControlFlow;

use rustc_hash::{FxHashMap, FxHashSet};
use wavelens_syntax::spirv::tables::{Capability, Decoration, ExecutionModel, Kind, Op, StorageClass};

use super::{DECORATION, Found, ModuleFinding, held};
use crate::code::{Id, Inst};
use crate::contents::{Known, first_inside};
use crate::context::RuleContext;
use crate::flat::NONE;
use crate::rules::annotation::name;
use crate::rules::entry_points::ENTRY_POINT;
use crate::scope::EntryPoint;

/// Whether an id, or a structure in it, carries a decoration.
pub(super) fn has_inside(known: &mut Known<()>, m: &RuleContext<'_>, ty: Id, kind: u32) -> bool {
    let own = |ty| {
        let is_type = m.op(ty) == Op::TypeStruct;
        (is_type && m.is_decorated(ty, kind)).then_some(())
    };
    first_inside(known, ty, own, |ty, number| m.members(ty).get(number).copied()).is_some()
}

pub(super) fn check_entry_points(m: &RuleContext<'_>, found: &mut Found) {
    let mut models: FxHashMap<Id, FxHashSet<u32>> = FxHashMap::default();
    for entry in &m.scope.entry_points {
        models.entry(entry.function).or_default().insert(entry.model);
    }
    let mut blocks = Known::default();
    for entry in &m.scope.entry_points {
        let Some(models) = models.get(&entry.function) else { continue };
        let mut interface = Interface::new(m, entry, models);
        for id in entry.interface.iter().copied() {
            if interface.check_listed(id, &mut blocks, found).is_break() {
                break;
            }
        }
        interface.check_counts(found);
    }
}

/// The variables of an entry point's interface that were looked at so far.
struct Interface<'a> {
    m: &'a RuleContext<'a>,
    entry: &'a EntryPoint,
    /// Execution models of all entry points with this function.
    models: &'a FxHashSet<u32>,
    listed: FxHashSet<Id>,
    has_payload: bool,
    /// Built-ins by storage class.
    /// The last variable of each storage class and built-in.
    builtins: FxHashMap<(u32, u32), Id>,
    /// Blocks of built-ins.
    input_blocks: u32,
    output_blocks: u32,
    /// Variables in Workgroup, and how many of them are blocks or aliased.
    workgroup: u32,
    workgroup_blocks: u32,
    aliased: u32,
}

impl<'a> Interface<'a> {
    fn new(m: &'a RuleContext<'a>, entry: &'a EntryPoint, models: &'a FxHashSet<u32>) -> Self {
        Interface {
            m,
            entry,
            models,
            listed: FxHashSet::default(),
            has_payload: false,
            builtins: FxHashMap::default(),
            input_blocks: 0,
            output_blocks: 0,
            workgroup: 0,
            workgroup_blocks: 0,
            aliased: 0,
        }
    }

    fn finding(&self, id: Id, message: String) -> ModuleFinding {
        ModuleFinding::in_interface(self.m, self.entry, id, &ENTRY_POINT, message)
    }

    /// Checks one id of the interface; `blocks` are structures with a block in them. Breaks where the reference stops.
    fn check_listed(&mut self, id: Id, blocks: &mut Known<()>, found: &mut Found) -> ControlFlow<()> {
        let m = self.m;
        let Some(variable) = m.def(id) else {
            let message = match m.scope.bodies.get(&id).map(|inner| inner.op) {
                Some(Op::Variable) => format!("`{}` is not a global variable", m.name(id)),
                Some(op) => format!("`{}` is the result of {}, not a variable", m.name(id), op.name()),
                None => return ControlFlow::Continue(()),
            };
            found.add(self.finding(id, message));
            return ControlFlow::Continue(());
        };
        if !matches!(variable.op(), Op::Variable | Op::UntypedVariableKHR) {
            let message =
                format!("`{}` is the result of {}, not a variable", m.name(id), variable.op().name());
            found.add(self.finding(id, message));
            return ControlFlow::Continue(());
        }
        self.check_class(id, variable.operand(2), found);
        let ty = held(m, variable);
        self.check_builtins(variable, ty, found)?;
        if variable.operand(2) == StorageClass::Workgroup {
            self.count_workgroup(variable, ty, blocks, found);
        }
        if m.scope.env.is_vulkan() {
            check_interpolation(m, variable, ty, self.models, found);
        }
        ControlFlow::Continue(())
    }

    /// The storage classes that a version of SPIR-V allows, and that a variable is listed once.
    fn check_class(&mut self, id: Id, class: u32, found: &mut Found) {
        let m = self.m;
        if m.scope.version < 0x10400 {
            if !matches!(class, StorageClass::Input | StorageClass::Output) {
                let message = format!(
                    "before SPIR-V 1.4, an entry point must list only variables in Input and Output, `{}` is in neither",
                    m.name(id)
                );
                found.add(self.finding(id, message));
            }
            return;
        }
        if class == StorageClass::TaskPayloadWorkgroupEXT && std::mem::replace(&mut self.has_payload, true) {
            found.push(
                self.entry.inst,
                &ENTRY_POINT,
                "an entry point must not list more than one variable in TaskPayloadWorkgroupEXT",
            );
        }
        if class == StorageClass::Function {
            found.add(self.finding(id, format!("`{}` is not a global variable", m.name(id))));
        }
        if !self.listed.insert(id) {
            found.add(self.finding(id, format!("`{}` is listed twice", m.name(id))));
        }
    }

    /// Built-ins are listed once, without locations, in at most one block for input and one for output.
    fn check_builtins(&mut self, variable: Inst<'_>, ty: Id, found: &mut Found) -> ControlFlow<()> {
        let (m, id, class) = (self.m, variable.id(), variable.operand(2));
        let is_vulkan = m.scope.env.is_vulkan();
        let is_structure = m.op(ty) == Op::TypeStruct;
        let mut has_builtin = false;
        for d in m.decorations_of(if is_structure { ty } else { id }, Decoration::BuiltIn) {
            has_builtin = true;
            let builtin = m.scope.params(d).first().copied().unwrap_or(0);
            let (direction, vuid) = match class {
                StorageClass::Input => ("input", "09658"),
                StorageClass::Output => ("output", "09659"),
                _ => continue,
            };
            if !is_vulkan {
                continue;
            }
            if let Some(first) = self.builtins.insert((class, builtin), id) {
                let message = format!(
                    "duplicate built-in {} among the {direction} variables: `{}` [VUID-StandaloneSpirv-OpEntryPoint-{vuid}]",
                    Kind::BuiltIn.valued(builtin).map_or("?", |e| e.name),
                    m.name(id)
                );
                let first = m.def(first).map(|variable| variable.at);
                found.add(self.finding(id, message).related(first, "the other variable"));
            }
        }
        if !has_builtin {
            return ControlFlow::Continue(());
        }
        let has_location =
            [Decoration::Location, Decoration::Component].iter().any(|kind| m.is_decorated(id, *kind));
        if is_vulkan && has_location {
            found.push(variable.at, &DECORATION, "a built-in must not have a Location or Component decoration [VUID-StandaloneSpirv-Location-04915]");
        }
        if !is_structure {
            return ControlFlow::Continue(());
        }
        if !m.is_decorated(ty, Decoration::Block) && !m.may_be_decorated(ty) {
            found.push(
                self.entry.inst,
                &DECORATION,
                format!("missing Block decoration on `{}`, which has built-in members [VUID-StandaloneSpirv-Location-04919]", m.name(ty)),
            );
        }
        self.input_blocks += u32::from(class == StorageClass::Input);
        self.output_blocks += u32::from(class == StorageClass::Output);
        if self.has_several_builtin_blocks() {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    fn has_several_builtin_blocks(&self) -> bool {
        self.input_blocks > 1 || self.output_blocks > 1
    }

    fn count_workgroup(&mut self, variable: Inst<'_>, ty: Id, blocks: &mut Known<()>, found: &mut Found) {
        let m = self.m;
        let is_structure = m.op(ty) == Op::TypeStruct;
        self.workgroup += 1;
        let is_untyped = variable.op() == Op::UntypedVariableKHR && m.has_capability(Capability::Shader);
        if is_structure && has_inside(blocks, m, ty, Decoration::Block) {
            self.workgroup_blocks += 1;
        } else if is_untyped && ty != NONE {
            found.push(
                variable.at,
                &DECORATION,
                "Data Type of an untyped variable in Workgroup must be a Block",
            );
        }
        if is_structure && m.has_decoration(variable.id(), Decoration::Aliased) {
            self.aliased += 1;
        }
    }

    /// What depends on the whole interface.
    fn check_counts(&self, found: &mut Found) {
        let m = self.m;
        let mut wrong = |message: &str| found.push(self.entry.inst, &ENTRY_POINT, message);
        if self.has_several_builtin_blocks() {
            wrong(
                "an entry point must not have more than one block of built-ins for input and one for output",
            );
        }
        if m.is_decorated(self.entry.function, Decoration::LinkageAttributes) {
            wrong("an entry point must not be decorated with LinkageAttributes");
        }
        let blocks = self.workgroup_blocks;
        let is_explicit = m.has_capability(Capability::WorkgroupMemoryExplicitLayoutKHR);
        if blocks == 0 {
            return;
        }
        if !is_explicit {
            wrong("a Block in Workgroup requires the WorkgroupMemoryExplicitLayoutKHR capability");
        } else if !m.has_capability(Capability::UntypedPointersKHR) {
            if self.workgroup != blocks {
                wrong("either all variables in Workgroup or none must be blocks");
            } else if blocks > 1 && blocks != self.aliased && !m.scope.has_unread_decorations() {
                wrong("missing Aliased decoration: the entry point has more than one block in Workgroup");
            }
        }
    }
}

fn check_interpolation(
    m: &RuleContext<'_>,
    variable: Inst<'_>,
    ty: Id,
    models: &FxHashSet<u32>,
    found: &mut Found,
) {
    let class = variable.operand(2);
    let fragment = models.contains(&ExecutionModel::Fragment);
    let vertex = models.contains(&ExecutionModel::Vertex);
    let several = models.len() > 1;
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
    let flat = m.is_decorated(variable.id(), Decoration::Flat) || m.may_be_decorated(variable.id());
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

    use crate::rules::testing::Shader;

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
