//! The variables of an entry point's interface (SPIR-V specification, OpEntryPoint; Vulkan specification, Shader Interfaces).

use crate::type_names::storage_class_name;
use rustc_hash::{FxHashMap, FxHashSet};
use wavelens_syntax::spirv::tables::{AddressingModel, Decoration, ExecutionModel, Op, StorageClass};

use super::decorations::{Found, ModuleFinding, held, variables};
use crate::code::{Id, Inst};
use crate::contents::Content;
use crate::context::{Definition, RuleContext};
use crate::scope::EntryPoint;
use wavelens_base::Severity;
use wavelens_base::cfg::sets::{self, Sets};

wavelens_syntax::rules! {
    INTERFACE {
        code: "interface",
        severity: Severity::Error,
        title: "an entry point lists the global variables that it uses, with valid locations",
        explain: "Since SPIR-V 1.4 the interface of an entry point contains all global variables that it and its callees use, before that those in Input and Output. In Vulkan, inputs and outputs have locations that do not overlap.",
        example: r#"OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
%void = OpTypeVoid
%float = OpTypeFloat 32
%ptr = OpTypePointer Private %float
%v = OpVariable %ptr Private
%fn = OpTypeFunction %void
%main = OpFunction %void None %fn
%entry = OpLabel
%x = OpLoad %float %v
OpReturn
OpFunctionEnd
"#,
        fixed: r#"OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %v
%void = OpTypeVoid
%float = OpTypeFloat 32
%ptr = OpTypePointer Private %float
%v = OpVariable %ptr Private
%fn = OpTypeFunction %void
%main = OpFunction %void None %fn
%entry = OpLabel
%x = OpLoad %float %v
OpReturn
OpFunctionEnd
"#,
        source: "SPIR-V specification, OpEntryPoint; Vulkan specification, Location and Component Assignment; SPIRV-Tools validate_interfaces.cpp: \"Interface variable id\", \"conflicting\"; VUID-StandaloneSpirv-HitAttributeKHR-04702, VUID-StandaloneSpirv-IncomingCallableDataKHR-04706, VUID-StandaloneSpirv-IncomingRayPayloadKHR-04700, VUID-StandaloneSpirv-Input-09557, VUID-StandaloneSpirv-Location-04918, VUID-StandaloneSpirv-Location-04919, VUID-StandaloneSpirv-OpEntryPoint-08721, VUID-StandaloneSpirv-OpEntryPoint-08722, VUID-StandaloneSpirv-OpTypeFloat-10370, VUID-StandaloneSpirv-OpVariable-06673, VUID-StandaloneSpirv-PerVertexKHR-06777",
    }
}

/// So many variables that the interface of an entry point lacks are named.
const NAMED: u32 = 8;

/// Variables that entry points use and do not list.
struct Missing<'a> {
    m: &'a RuleContext<'a>,
    /// How many there are, by entry point; no more than [`NAMED`] and one are counted.
    counts: Vec<u32>,
    /// The entry points for which no more are reported, as one row.
    full: Sets,
}

impl<'a> Missing<'a> {
    fn new(m: &'a RuleContext<'a>) -> Self {
        let count = m.scope.entry_points.len();
        Missing { m, counts: vec![0; count], full: Sets::new(1, count) }
    }

    fn look_for(&mut self, variable: Inst<'_>, is_interface: bool, found: &mut Found) {
        let (m, id) = (self.m, variable.id());
        let mut without = self.full.clone();
        for (index, _) in m.scope.listed_by(id) {
            without.add(0, *index);
        }
        let mut missing_in = Sets::new(1, self.counts.len());
        missing_in.add_without(0, m.scope.references_row(id), without.row(0));
        for index in sets::numbers(missing_in.row(0)) {
            let at = index as usize;
            let Some((entry, count)) = m.scope.entry_points.get(at).zip(self.counts.get_mut(at)) else {
                continue;
            };
            // What is listed and not defined may be meant.
            if entry.interface.iter().any(|listed| m.definition(*listed) == Definition::Missing) {
                continue;
            }
            *count += 1;
            if *count <= NAMED {
                let message = missing(m, id, is_interface);
                // The version may be the mistake if nothing states it.
                let is_certain = is_interface || states_version(m);
                let finding = ModuleFinding::new(entry.inst, &INTERFACE, message);
                let finding = finding.lacks(m.name(id), is_certain);
                found.add(finding.related(Some(variable.at), "the variable"));
                continue;
            }
            found.push(
                entry.inst,
                &INTERFACE,
                "more variables are used by this entry point but missing from its interface",
            );
            self.full.add(0, index);
        }
    }
}

fn states_version(m: &RuleContext<'_>) -> bool {
    let configuration = &m.scope.configuration;
    configuration.module_version.is_some() || configuration.environment.is_some()
}

fn missing(m: &RuleContext<'_>, variable: Id, is_interface: bool) -> String {
    let mut message =
        format!("`{}` is used by this entry point but missing from its interface", m.name(variable));
    if !is_interface {
        message += ", which since SPIR-V 1.4 lists all global variables; this module is read as version ";
        message += &super::instruction::version(m.scope.version);
        if !states_version(m) {
            message += ", because it does not state one";
        }
    }
    message
}

pub(crate) fn check(m: &RuleContext<'_>, found: &mut Found) {
    let mut missing = Missing::new(m);
    for variable in variables(m) {
        let class = variable.operand(2);
        let interface = matches!(class, StorageClass::Input | StorageClass::Output);
        if class == StorageClass::Function || m.scope.version < 0x10400 && !interface {
            continue;
        }
        missing.look_for(variable, interface, found);
        if m.scope.env.is_vulkan() && interface {
            let ty = held(m, variable);
            if m.contains(ty, Content::PhysicalPointer) {
                found.push(variable.at, &INTERFACE, "in Vulkan, a variable in Input or Output must not contain a PhysicalStorageBuffer pointer [VUID-StandaloneSpirv-Input-09557]");
            }
        }
    }
    if m.scope.env.is_vulkan() {
        for entry in &m.scope.entry_points {
            locations(m, entry, found);
            storage_classes(m, entry, found);
        }
    }
}

fn storage_classes(m: &RuleContext<'_>, entry: &EntryPoint, found: &mut Found) {
    let mut seen: FxHashMap<u32, u32> = FxHashMap::default();
    for variable in entry.interface.iter().filter_map(|id| m.def(*id)) {
        if !matches!(variable.op(), Op::Variable | Op::UntypedVariableKHR) {
            continue;
        }
        let class = variable.operand(2);
        let once = matches!(
            class,
            StorageClass::PushConstant
                | StorageClass::IncomingRayPayloadKHR
                | StorageClass::HitAttributeKHR
                | StorageClass::IncomingCallableDataKHR
        );
        let first = once.then(|| seen.insert(class, variable.at)).flatten();
        if first.is_some() {
            let name = storage_class_name(class);
            let vuid = match class {
                StorageClass::PushConstant => " [VUID-StandaloneSpirv-OpVariable-06673]",
                StorageClass::HitAttributeKHR => " [VUID-StandaloneSpirv-HitAttributeKHR-04702]",
                StorageClass::IncomingRayPayloadKHR => " [VUID-StandaloneSpirv-IncomingRayPayloadKHR-04700]",
                _ => " [VUID-StandaloneSpirv-IncomingCallableDataKHR-04706]",
            };
            let message = format!("an entry point must not list more than one variable in {name}{vuid}");
            let finding = ModuleFinding::in_interface(m, entry, variable.id(), &INTERFACE, message);
            found.add(finding.related(first, "the other variable"));
        }
        if matches!(class, StorageClass::Input | StorageClass::Output)
            && m.contains(held(m, variable), Content::SmallFloat)
        {
            found.push(variable.at, &INTERFACE, "a variable in Input or Output must not contain bfloat16 or 8-bit floats [VUID-StandaloneSpirv-OpTypeFloat-10370]");
        }
    }
}

/// Locations that a type takes; `None` for types without.
fn consumed(m: &RuleContext<'_>, ty: Id) -> Option<u32> {
    consumed_at(m, ty, 0, &mut FxHashMap::default())
}

/// `known` are structures that were looked into before.
fn consumed_at(
    m: &RuleContext<'_>,
    ty: Id,
    depth: u32,
    known: &mut FxHashMap<Id, Option<u32>>,
) -> Option<u32> {
    // By a type that is not known nothing is judged.
    let Some(def) = m.def(ty) else { return Some(0) };
    if depth >= 64 {
        return None;
    }
    match def.op() {
        Op::TypeInt | Op::TypeFloat => Some(1),
        Op::TypeVector | Op::TypeVectorIdEXT => {
            Some(if m.width(ty) == 64 && m.dimension(ty) > 2 { 2 } else { 1 })
        }
        Op::TypeMatrix => {
            Some(consumed_at(m, def.word(2), depth + 1, known).unwrap_or(0).wrapping_mul(def.word(3)))
        }
        Op::TypeArray => {
            let element = consumed_at(m, def.word(2), depth + 1, known).unwrap_or(0);
            Some(element.wrapping_mul(m.const_int32(def.word(3)).1.unwrap_or(1)))
        }
        Op::TypeStruct => {
            if m.is_decorated(ty, Decoration::Location) {
                return None;
            }
            if let Some(known) = known.get(&ty) {
                return *known;
            }
            let sum = m.members(ty).iter().try_fold(0u32, |sum, member| {
                Some(sum.wrapping_add(consumed_at(m, *member, depth + 1, known)?))
            });
            known.insert(ty, sum);
            sum
        }
        Op::TypePointer if is_physical(m, def) => Some(1),
        _ => None,
    }
}

fn is_physical(m: &RuleContext<'_>, pointer: Inst<'_>) -> bool {
    m.scope.addressing_model == Some(AddressingModel::PhysicalStorageBuffer64)
        && pointer.operand(1) == StorageClass::PhysicalStorageBuffer
}

fn components(m: &RuleContext<'_>, ty: Id, depth: u32) -> u32 {
    let Some(def) = m.def(ty).filter(|_| depth < 64) else { return 0 };
    match def.op() {
        Op::TypeInt | Op::TypeFloat => {
            if def.word(2) == 64 {
                2
            } else {
                1
            }
        }
        Op::TypeVector | Op::TypeVectorIdEXT => {
            components(m, def.word(2), depth + 1).saturating_mul(m.dimension(ty))
        }
        Op::TypeArray => components(m, def.word(2), depth + 1),
        Op::TypePointer if is_physical(m, def) => 2,
        _ => 0,
    }
}

/// Beyond this many components nothing is tracked.
const MAX: u32 = 4096 * 4;

/// Components of locations, and the variable that takes each.
#[derive(Default)]
struct Taken(FxHashMap<u32, u32>);

/// What is wrong with the locations of a variable, and the other variable of a conflict.
struct Misplaced {
    message: String,
    other: Option<u32>,
}

impl From<String> for Misplaced {
    fn from(message: String) -> Self {
        Misplaced { message, other: None }
    }
}

impl Taken {
    /// Takes components for a variable, an instruction of the scope's code.
    fn take(&mut self, mut range: std::ops::Range<u32>, variable: Inst<'_>) -> Result<(), Misplaced> {
        range.end = range.end.min(range.start.saturating_add(MAX));
        for at in range {
            if let Some(other) = self.0.insert(at, variable.at) {
                let vuid = if variable.operand(2) == StorageClass::Output { "08722" } else { "08721" };
                let message = format!(
                    "conflicting location assignment at location {}, component {} [VUID-StandaloneSpirv-OpEntryPoint-{vuid}]",
                    at / 4,
                    at % 4
                );
                return Err(Misplaced { message, other: Some(other).filter(|other| *other != variable.at) });
            }
        }
        Ok(())
    }
}

fn locations(m: &RuleContext<'_>, entry: &EntryPoint, found: &mut Found) {
    type X = ExecutionModel;
    if !matches!(
        entry.model,
        X::Vertex | X::TessellationControl | X::TessellationEvaluation | X::Geometry | X::Fragment
    ) {
        return;
    }
    let mut taken: [Taken; 2] = Default::default();
    // Each stream of vertices has its own locations.
    let mut outputs: FxHashMap<u32, Taken> = FxHashMap::default();
    let mut patches = Taken::default();
    let mut second = Taken::default();
    let mut seen: FxHashSet<Id> = FxHashSet::default();
    for variable in entry.interface.iter().filter_map(|id| m.def(*id)) {
        if variable.op() != Op::Variable || !seen.insert(variable.id()) {
            continue;
        }
        let class = variable.operand(2);
        if !matches!(class, StorageClass::Input | StorageClass::Output) {
            continue;
        }
        let patch = m.is_decorated(variable.id(), Decoration::Patch);
        let [inputs, patch_second] = &mut taken;
        let stream = m.decorations(variable.id()).iter().find(|d| d.kind == Decoration::Stream);
        let stream = stream.and_then(|d| m.scope.params(d).first().copied()).unwrap_or(0);
        let (first, second) = match (patch, class) {
            (true, _) => (&mut patches, patch_second),
            (_, StorageClass::Input) => (inputs, &mut second),
            _ => (outputs.entry(stream).or_default(), &mut second),
        };
        if let Err(misplaced) = variable_locations(m, entry.model, variable, first, second) {
            let message = format!("`{}`: {}", m.name(variable.id()), misplaced.message);
            let finding = ModuleFinding::in_interface(m, entry, variable.id(), &INTERFACE, message);
            found.add(finding.related(misplaced.other, "this variable has the same location"));
        }
    }
}

/// Whether inputs or outputs with some decorations have an element for each vertex.
pub(crate) fn is_arrayed(model: u32, output: bool, decorations: &[u32]) -> bool {
    type X = ExecutionModel;
    let patch = decorations.contains(&Decoration::Patch);
    match model {
        X::TessellationControl => !patch,
        X::TessellationEvaluation => !output && !patch,
        X::Geometry => !output,
        X::Fragment => !output && decorations.contains(&Decoration::PerVertexKHR),
        _ => false,
    }
}

fn variable_locations(
    m: &RuleContext<'_>,
    model: u32,
    variable: Inst<'_>,
    taken: &mut Taken,
    second: &mut Taken,
) -> Result<(), Misplaced> {
    type X = ExecutionModel;
    let output = variable.operand(2) == StorageClass::Output;
    let mut ty = held(m, variable);
    let word = |kind: u32| {
        let d = m.decorations(variable.id()).iter().rfind(|d| d.kind == kind)?;
        Some(m.scope.params(d).first().copied().unwrap_or(0))
    };
    let is_array = |ty: Id| matches!(m.op(ty), Op::TypeArray | Op::TypeRuntimeArray);
    if word(Decoration::BuiltIn).is_some() {
        return Ok(());
    }
    let index = word(Decoration::Index);
    if index.is_some() && (!output || model != X::Fragment) {
        return Err("Index can decorate only an output of a fragment shader".to_owned().into());
    }
    let per_vertex = word(Decoration::PerVertexKHR).is_some();
    if per_vertex && (model != X::Fragment || !is_array(ty)) {
        return Err("PerVertexKHR can decorate only an array in a fragment shader [VUID-StandaloneSpirv-PerVertexKHR-06777]".to_owned().into());
    }
    let kinds: Vec<u32> = m.decorations(variable.id()).iter().map(|d| d.kind).collect();
    let arrayed = is_arrayed(model, output, &kinds);
    if arrayed && is_array(ty) {
        ty = m.element(ty);
    }
    if m.op(ty) == Op::TypeStruct && m.is_decorated(ty, Decoration::BuiltIn) {
        return Ok(());
    }
    let component = word(Decoration::Component).unwrap_or(0);
    let Some(location) = word(Decoration::Location) else {
        if m.may_be_decorated(variable.id()) || m.may_be_decorated(ty) {
            return Ok(());
        }
        if !m.has_decoration(ty, Decoration::Block) {
            return Err("missing Location decoration".to_owned().into());
        }
        return member_locations(m, ty, variable, taken);
    };
    let (mut inner, mut length) = (ty, 1);
    if m.op(ty) == Op::TypeArray {
        length = m.def(ty).and_then(|d| m.const_int32(d.word(3)).1).unwrap_or(1);
        inner = m.element(ty);
    }
    let Some(count) = consumed(m, inner) else {
        return Err(format!(
            "{} cannot be assigned a location [VUID-StandaloneSpirv-Location-04918]",
            m.type_name(inner)
        )
        .into());
    };
    let parts = components(m, inner, 0);
    let taken = if index == Some(1) { second } else { taken };
    for i in 0..length {
        let at = location.saturating_add(count.saturating_mul(i));
        let start = at.saturating_mul(4);
        if start >= MAX {
            break;
        }
        let range = match parts {
            0 => start..at.saturating_add(count).saturating_mul(4),
            n => start + component..(start + component).saturating_add(n),
        };
        taken.take(range, variable)?;
    }
    Ok(())
}

fn member_locations(
    m: &RuleContext<'_>,
    ty: Id,
    variable: Inst<'_>,
    taken: &mut Taken,
) -> Result<(), Misplaced> {
    let mut places: FxHashMap<u32, u32> = FxHashMap::default();
    let mut parts: FxHashMap<u32, u32> = FxHashMap::default();
    for d in m.decorations(ty) {
        let map = match d.kind {
            Decoration::Location => &mut places,
            Decoration::Component => &mut parts,
            _ => continue,
        };
        let (Some(member), Some(value)) = (d.member, m.scope.params(d).first().copied()) else { continue };
        if *map.entry(member).or_insert(value) != value {
            return Err(format!("member {member} has two different Location or Component decorations").into());
        }
    }
    for (index, member) in m.members(ty).iter().enumerate() {
        let index = index as u32;
        let Some(location) = places.get(&index).copied() else {
            return Err(format!(
                "missing Location decoration on member {index} [VUID-StandaloneSpirv-Location-04919]"
            )
            .into());
        };
        let Some(count) = consumed(m, *member) else {
            return Err(format!(
                "{} cannot be assigned a location [VUID-StandaloneSpirv-Location-04918]",
                m.type_name(*member)
            )
            .into());
        };
        let n = components(m, *member, 0);
        let component = parts.get(&index).copied().unwrap_or(0);
        let start = location.saturating_mul(4);
        if start >= MAX {
            continue;
        }
        if m.op(*member) == Op::TypeArray && (1..4).contains(&n) {
            for l in location..location.saturating_add(count.min(MAX)) {
                let at = l.saturating_mul(4).saturating_add(component);
                if at >= MAX {
                    break;
                }
                taken.take(at..at.saturating_add(n), variable)?;
            }
            continue;
        }
        let range = match n {
            0 => start..location.saturating_add(count).saturating_mul(4),
            n => start + component..(start + component).saturating_add(n),
        };
        taken.take(range, variable)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::testing::{Shader, marks};

    #[test]
    fn what_is_listed_and_not_defined_may_be_what_is_missing() {
        marks(expect![[r#"
            OpCapability Shader
            OpMemoryModel Logical GLSL450
            OpEntryPoint Fragment %main "main" %jionts
            ;                                  ^^^^^^^ error[undefined-id]: use of undefined id `%jionts`; did you mean `%joints`?
            ;                                        = fix: OpEntryPoint Fragment %main "main" %joints
            OpExecutionMode %main OriginUpperLeft
            OpDecorate %joints Location 0
            %void = OpTypeVoid
            %fn = OpTypeFunction %void
            %float = OpTypeFloat 32
            %in = OpTypePointer Input %float
            %joints = OpVariable %in Input
            %main = OpFunction %void None %fn
            %entry = OpLabel
            %x = OpLoad %float %joints
            OpReturn
            OpFunctionEnd
        "#]]);
    }

    #[test]
    fn the_first_variables_that_an_interface_lacks_are_named() {
        let variables: String = (0..12).map(|i| format!("%g{i} = OpVariable %in Input\n")).collect();
        let loads: String = (0..12).map(|i| format!("%x{i} = OpLoad %float %g{i}\n")).collect();
        let shader = Shader {
            entry: r#"OpEntryPoint Fragment %main "main" %g1
OpExecutionMode %main OriginUpperLeft"#,
            types: &format!("%in = OpTypePointer Input %float\n{variables}"),
            body: &loads,
            ..Shader::NEW
        };
        let found = shader.findings();
        let named: Vec<&str> = found.lines().filter(|line| line.starts_with("error")).collect();
        expect![[r#"
            error[interface] `OpEntryPoint Fragment %main "main" %g1`: `%g0` is used by this entry point but missing from its interface
            error[interface] `OpEntryPoint Fragment %main "main" %g1`: `%g2` is used by this entry point but missing from its interface
            error[interface] `OpEntryPoint Fragment %main "main" %g1`: `%g3` is used by this entry point but missing from its interface
            error[interface] `OpEntryPoint Fragment %main "main" %g1`: `%g4` is used by this entry point but missing from its interface
            error[interface] `OpEntryPoint Fragment %main "main" %g1`: `%g5` is used by this entry point but missing from its interface
            error[interface] `OpEntryPoint Fragment %main "main" %g1`: `%g6` is used by this entry point but missing from its interface
            error[interface] `OpEntryPoint Fragment %main "main" %g1`: `%g7` is used by this entry point but missing from its interface
            error[interface] `OpEntryPoint Fragment %main "main" %g1`: `%g8` is used by this entry point but missing from its interface
            error[interface] `OpEntryPoint Fragment %main "main" %g1`: more variables are used by this entry point but missing from its interface"#]].assert_eq(&named.join("\n"));
    }

    #[test]
    fn variables_in_use_are_listed_and_do_not_share_locations() {
        let shader = Shader {
            head: "; target-env: vulkan1.2",
            entry: r#"OpEntryPoint Fragment %main "main" %a %b
OpExecutionMode %main OriginUpperLeft"#,
            annotations: "OpDecorate %a Location 0
OpDecorate %b Location 0
OpDecorate %c Location 1",
            types: "%in = OpTypePointer Input %float
%a = OpVariable %in Input
%b = OpVariable %in Input
%c = OpVariable %in Input",
            body: "%x = OpLoad %float %c",
        };
        expect![[r#"
            error[interface] `OpEntryPoint Fragment %main "main" %a %b`: `%c` is used by this entry point but missing from its interface
              34:1 `%c`: the variable
              fix: Add `%c`
              | OpEntryPoint Fragment %main "main" %a %b %c
            error[interface] `%b`: `%b`: conflicting location assignment at location 0, component 0 [VUID-StandaloneSpirv-OpEntryPoint-08721]
              32:1 `%a`: this variable has the same location
        "#]].assert_eq(&shader.findings());
    }

    #[test]
    fn locations_do_not_wrap_around() {
        let shader = Shader {
            head: "; target-env: vulkan1.2",
            entry: r#"OpEntryPoint Fragment %main "main" %block
OpExecutionMode %main OriginUpperLeft"#,
            annotations: "OpMemberDecorate %members 0 Location 0
OpMemberDecorate %members 1 Location 1073741824
OpDecorate %members Block",
            types: "%uvec2 = OpTypeVector %uint 2
%array = OpTypeArray %uvec2 %u1
%members = OpTypeStruct %uint %array
%out = OpTypePointer Output %members
%block = OpVariable %out Output",
            ..Shader::NEW
        };
        assert_eq!(shader.findings(), "");
    }

    #[test]
    fn streams_have_their_own_locations() {
        let shader = Shader {
            head: "; target-env: vulkan1.2\nOpCapability Geometry\nOpCapability GeometryStreams",
            entry: r#"OpEntryPoint Geometry %main "main" %a %b
OpExecutionMode %main Triangles
OpExecutionMode %main OutputPoints
OpExecutionMode %main OutputVertices 1"#,
            annotations: "OpDecorate %a Location 1
OpDecorate %b Location 1
OpDecorate %b Stream 1",
            types: "%out = OpTypePointer Output %float
%a = OpVariable %out Output
%b = OpVariable %out Output",
            ..Shader::NEW
        };
        assert_eq!(shader.findings(), "");
        let same = Shader { annotations: "OpDecorate %a Location 1\nOpDecorate %b Location 1", ..shader };
        expect![[r#"
            error[interface] `%b`: `%b`: conflicting location assignment at location 1, component 0 [VUID-StandaloneSpirv-OpEntryPoint-08722]
              34:1 `%a`: this variable has the same location
        "#]].assert_eq(&same.findings());
    }
}
