//! Decorations of the whole module: repeated, contradicting, missing.

use rustc_hash::{FxHashMap, FxHashSet};
use wavelens_syntax::spirv::tables::{
    Capability, Decoration, ExecutionModel, FPRoundingMode, LinkageType, MemoryModel, Op, StorageClass,
};

use super::annotation::name;
use super::block_layout::{BLOCK_LAYOUT, Layout, all_decorated, lacks_offset};
use super::mode_setting::ENTRY_POINT;
use crate::spirv::code::{Id, Inst};
use crate::spirv::flat::NONE;
use crate::spirv::module::Module;
use crate::spirv::ops;
use crate::{Rule, Severity};

pub static DECORATION: Rule = Rule {
    code: "decoration",
    severity: Severity::Error,
    explain: "A decoration stands once on its target, does not contradict another one, and goes with what the target is; resources of a \
        shader say where they are bound.\n\n\
        Source: SPIR-V specification, section 2.16 and 3.20; Vulkan specification, Standalone SPIR-V Validation.",
};

/// Findings about instructions of the scope's code.
pub(super) struct Found(pub(super) Vec<(u32, &'static Rule, String)>);

impl Found {
    pub(super) fn push(&mut self, at: u32, rule: &'static Rule, message: impl Into<String>) {
        self.0.push((at, rule, message.into()));
    }
}

pub(super) fn check(m: &Module<'_>, found: &mut Found) {
    repeated(m, found);
    linkage(m, found);
    entry_points(m, found);
    buffers(m, found);
    each(m, found);
    if m.scope.env.is_vulkan() {
        forbidden_layout(m, found);
    }
}

/// Instructions of the preamble that define variables.
pub(super) fn variables<'m>(m: &'m Module<'_>) -> impl Iterator<Item = Inst<'m>> {
    m.scope.code.iter().filter(|i| i.is_whole() && matches!(i.op(), Op::Variable | Op::UntypedVariableKHR))
}

/// The type that a variable holds; [`NONE`] where an untyped one does not say.
pub(super) fn held(m: &Module<'_>, variable: Inst<'_>) -> Id {
    match variable.op() {
        Op::UntypedVariableKHR => variable.opt_operand(3).unwrap_or(NONE),
        _ => m.pointer(variable.ty()).map_or(NONE, |p| p.1),
    }
}

fn repeated(m: &Module<'_>, found: &mut Found) {
    let mut seen: FxHashSet<(Id, Option<u32>, u32)> = FxHashSet::default();
    const EXCLUSIVE: [(u32, u32); 3] = [
        (Decoration::Block, Decoration::BufferBlock),
        (Decoration::Restrict, Decoration::Aliased),
        (Decoration::RestrictPointer, Decoration::AliasedPointer),
    ];
    const MEMBER_EXCLUSIVE: [(u32, u32); 1] = [(Decoration::RowMajor, Decoration::ColMajor)];
    for inst in m.scope.code.iter().filter(|i| i.is_whole()) {
        let (member, kind, pairs): (Option<u32>, u32, &[(u32, u32)]) = match inst.op() {
            Op::Decorate => (None, inst.operand(1), &EXCLUSIVE),
            Op::MemberDecorate => (Some(inst.operand(1)), inst.operand(2), &MEMBER_EXCLUSIVE),
            _ => continue,
        };
        let target = inst.operand(0);
        let again = !seen.insert((target, member, kind));
        let repeatable =
            kind == Decoration::UserSemantic || kind == Decoration::FuncParamAttr && member.is_none();
        let what = match member {
            Some(n) => format!("member {n} of `{}`", m.name(target)),
            None => format!("`{}`", m.name(target)),
        };
        if again && !repeatable {
            found.push(inst.at, &DECORATION, format!("{what} is already decorated with {}", name(kind)));
            continue;
        }
        for (a, b) in pairs {
            let other = if kind == *a {
                *b
            } else if kind == *b {
                *a
            } else {
                continue;
            };
            if seen.contains(&(target, member, other)) {
                let message = format!("{what} cannot be both {} and {}", name(kind), name(other));
                found.push(inst.at, &DECORATION, message);
            }
        }
    }
}

fn is_imported(m: &Module<'_>, id: Id) -> bool {
    m.decorations(id).iter().any(|d| {
        d.kind == Decoration::LinkageAttributes
            && m.scope.params(d).len() >= 2
            && m.scope.params(d).last() == Some(&LinkageType::Import)
    })
}

fn linkage(m: &Module<'_>, found: &mut Found) {
    for inst in m.scope.code.iter().filter(|i| i.is_whole()) {
        match inst.op() {
            Op::Variable
                if inst.operand(2) != StorageClass::Function
                    && inst.words().len() == 5
                    && is_imported(m, inst.id()) =>
            {
                found.push(inst.at, &DECORATION, "an imported variable has no initializer");
            }
            Op::Function => {
                let has_body = m.scope.functions.get(&inst.id()).is_some_and(|f| f.has_body);
                match (has_body, is_imported(m, inst.id())) {
                    (false, false) => {
                        found.push(
                            inst.at,
                            &DECORATION,
                            "a function without body is decorated with LinkageAttributes and Import",
                        );
                    }
                    (true, true) => {
                        found.push(inst.at, &DECORATION, "a function with a body cannot be imported")
                    }
                    _ => {}
                }
            }
            _ => {}
        }
    }
}

/// Whether an id, or a structure in it, carries a decoration.
fn has_inside(m: &Module<'_>, id: Id, kind: u32, depth: u32) -> bool {
    m.decorations(id).iter().any(|d| d.kind == kind)
        || depth < 64
            && m.members(id).iter().any(|t| m.op(*t) == Op::TypeStruct && has_inside(m, *t, kind, depth + 1))
}

fn entry_points(m: &Module<'_>, found: &mut Found) {
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
            let Some(variable) = m.def(id) else { continue };
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
                if structure && has_inside(m, ty, Decoration::Block, 0) {
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

fn buffers(m: &Module<'_>, found: &mut Found) {
    let vulkan = m.scope.env.is_vulkan();
    let mut push_constants: FxHashSet<Id> = FxHashSet::default();
    for variable in variables(m) {
        let (id, class) = (variable.id(), variable.operand(2));
        let entries = m.scope.references(id);
        let decorated = |kind: u32| m.decorations(id).iter().any(|d| d.kind == kind);
        let bound = |found: &mut Found| {
            for kind in [Decoration::DescriptorSet, Decoration::Binding] {
                if !entries.is_empty() && !decorated(kind) {
                    found.push(variable.at, &DECORATION, format!("`{}` needs {}", m.name(id), name(kind)));
                    return;
                }
            }
        };
        if vulkan && class == StorageClass::PushConstant {
            for entry in entries {
                let function = m.scope.entry_points.get(*entry as usize).map_or(NONE, |e| e.function);
                if !push_constants.insert(function) {
                    found.push(variable.at, &DECORATION, "an entry point uses one push constant block");
                    break;
                }
            }
        }
        if vulkan && class == StorageClass::UniformConstant {
            bound(found);
        }
        let workgroup = class == StorageClass::Workgroup
            && m.has_capability(Capability::WorkgroupMemoryExplicitLayoutKHR);
        let laid_out = workgroup
            || matches!(
                class,
                StorageClass::Uniform
                    | StorageClass::PushConstant
                    | StorageClass::StorageBuffer
                    | StorageClass::PhysicalStorageBuffer
            );
        if !laid_out {
            continue;
        }
        let mut ty = held(m, variable);
        if !workgroup && matches!(m.op(ty), Op::TypeArray | Op::TypeRuntimeArray) {
            ty = m.element(ty);
        }
        if m.op(ty) != Op::TypeStruct {
            continue;
        }
        if vulkan {
            let block = has_inside(m, ty, Decoration::Block, 0);
            let buffer_block = has_inside(m, ty, Decoration::BufferBlock, 0);
            match class {
                StorageClass::StorageBuffer if buffer_block => {
                    found.push(variable.at, &DECORATION, "in Vulkan, BufferBlock is not for StorageBuffer");
                }
                StorageClass::PushConstant | StorageClass::StorageBuffer if !block => {
                    found.push(variable.at, &DECORATION, format!("`{}` needs Block", m.name(ty)));
                }
                StorageClass::Uniform if !block && !buffer_block => {
                    found.push(
                        variable.at,
                        &DECORATION,
                        format!("`{}` needs Block or BufferBlock", m.name(ty)),
                    );
                }
                _ => {}
            }
            if matches!(class, StorageClass::Uniform | StorageClass::StorageBuffer) {
                bound(found);
            }
        }
        for d in m.decorations(ty) {
            let block = d.kind == Decoration::Block;
            let buffer = d.kind == Decoration::BufferBlock;
            let uniform = class == StorageClass::Uniform;
            let uniform_rules = uniform && block;
            if uniform_rules || uniform && buffer || !uniform && block {
                if let Err((at, message)) = explicit(m, ty, class, uniform_rules) {
                    let place = m.scope.defs.get(at as usize).copied().unwrap_or(variable.at);
                    found.push(place, &BLOCK_LAYOUT, message);
                }
                break;
            }
        }
    }
    for pointer in m.scope.physical_pointers() {
        let Some((class, pointee)) = m.pointer(pointer) else { continue };
        if let Err((at, message)) = Layout::new(m, pointee, class, false).check(pointee, 0, 0) {
            let place = m.scope.defs.get(at as usize).copied().unwrap_or(0);
            found.push(place, &BLOCK_LAYOUT, message);
        }
    }
}

fn explicit(m: &Module<'_>, ty: Id, class: u32, uniform: bool) -> Result<(), (Id, String)> {
    let needs = |what: &str| Err((ty, format!("the block `{}` is laid out with {what}", m.name(ty))));
    if lacks_offset(m, ty, 0) {
        return needs("an Offset for every member");
    }
    if !all_decorated(m, ty, Op::TypeArray, &[Decoration::ArrayStride], 0) {
        return needs("ArrayStride for its arrays");
    }
    if !all_decorated(m, ty, Op::TypeMatrix, &[Decoration::MatrixStride], 0) {
        return needs("MatrixStride for its matrices");
    }
    if !all_decorated(m, ty, Op::TypeMatrix, &[Decoration::RowMajor, Decoration::ColMajor], 0) {
        return needs("RowMajor or ColMajor for its matrices");
    }
    if m.scope.env.is_vulkan() {
        return Layout::new(m, ty, class, uniform).check(ty, 0, 0);
    }
    Ok(())
}

/// Pointer types to uniform blocks and storage buffers, and to storage images.
fn writable_pointers(m: &Module<'_>) -> FxHashSet<Id> {
    let mut pointers = FxHashSet::default();
    for variable in variables(m) {
        let class = variable.operand(2);
        let mut ty = held(m, variable);
        if matches!(m.op(ty), Op::TypeArray | Op::TypeRuntimeArray) {
            ty = m.element(ty);
        }
        let decorated = |kind: u32| m.decorations(ty).iter().any(|d| d.kind == kind);
        let block = match class {
            StorageClass::Uniform => decorated(Decoration::Block) || decorated(Decoration::BufferBlock),
            StorageClass::StorageBuffer | StorageClass::PhysicalStorageBuffer => decorated(Decoration::Block),
            _ => false,
        };
        if block {
            pointers.insert(variable.ty());
        }
    }
    for inst in m
        .scope
        .code
        .iter()
        .filter(|i| i.op() == Op::TypePointer && i.operand(1) == StorageClass::UniformConstant)
    {
        let mut ty = inst.operand(2);
        if matches!(m.op(ty), Op::TypeArray | Op::TypeRuntimeArray) {
            ty = m.element(ty);
        }
        if m.def(ty).is_some_and(|d| d.op() == Op::TypeImage && d.operand(6) == 2) {
            pointers.insert(inst.id());
        }
    }
    pointers
}

fn each(m: &Module<'_>, found: &mut Found) {
    let writable = writable_pointers(m);
    let shader = m.has_capability(Capability::Shader);
    let vulkan_model = m.scope.memory_model == Some(MemoryModel::Vulkan);
    for id in 0..m.scope.texts.len() as u32 {
        let decorations = m.scope.decorations(id);
        if decorations.is_empty() || m.op(id) == Op::DecorationGroup || m.op(id) == Op::Nop {
            continue;
        }
        let (op, ty) = (m.op(id), m.type_of(id));
        for d in decorations {
            let mut wrong = |message: String| found.push(d.inst, &DECORATION, message);
            match d.kind {
                Decoration::Coherent | Decoration::Volatile if vulkan_model => {
                    wrong(format!("the Vulkan memory model has no {}", name(d.kind)));
                }
                Decoration::Component => {
                    if let Some(message) =
                        component(m, id, d.member, m.scope.params(d).first().copied().unwrap_or(0))
                    {
                        wrong(message);
                    }
                }
                Decoration::FPRoundingMode if shader => {
                    if op != Op::FConvert {
                        wrong("FPRoundingMode is for OpFConvert".to_owned());
                    } else if m.scope.env.is_vulkan()
                        && !matches!(
                            m.scope.params(d).first(),
                            Some(&FPRoundingMode::RTE) | Some(&FPRoundingMode::RTZ)
                        )
                    {
                        wrong("in Vulkan, the rounding mode is RTE or RTZ".to_owned());
                    }
                }
                Decoration::NonWritable if d.member.is_none() => {
                    let class = match op {
                        Op::Variable => m.def(id).map_or(NONE, |v| v.operand(2)),
                        Op::UntypedVariableKHR => m.def(id).map_or(NONE, |v| v.operand(3)),
                        Op::FunctionParameter | Op::RawAccessChainNV => NONE,
                        _ => {
                            wrong("NonWritable is for variables and parameters".to_owned());
                            continue;
                        }
                    };
                    let local = matches!(class, StorageClass::Function | StorageClass::Private)
                        && m.scope.version >= 0x10400;
                    // A variable inside a function says its class by its pointer type.
                    let elsewhere = op == Op::Variable && m.def(id).is_none() && m.scope.version >= 0x10400;
                    if !local
                        && !elsewhere
                        && class != StorageClass::TileAttachmentQCOM
                        && op != Op::RawAccessChainNV
                        && !writable.contains(&ty)
                    {
                        wrong(
                            "NonWritable is for storage images, uniform blocks and storage buffers"
                                .to_owned(),
                        );
                    }
                }
                Decoration::Uniform | Decoration::UniformId => {
                    if ty == NONE {
                        wrong(format!("{} is for objects", name(d.kind)));
                    } else if m.is_void(ty) {
                        wrong(format!("{} is not for void", name(d.kind)));
                    }
                }
                Decoration::NoSignedWrap | Decoration::NoUnsignedWrap
                    if !matches!(
                        op,
                        Op::IAdd
                            | Op::ISub
                            | Op::IMul
                            | Op::ShiftLeftLogical
                            | Op::SNegate
                            | Op::ExtInst
                            | Op::ExtInstWithForwardRefsKHR
                    ) =>
                {
                    wrong(format!("{} is not for {}", name(d.kind), op.name()));
                }
                Decoration::Block | Decoration::BufferBlock if op != Op::TypeStruct => {
                    wrong(format!("{} is for structures", name(d.kind)));
                }
                Decoration::Location => {
                    let member = d.member.is_some() && op == Op::TypeStruct;
                    if op != Op::Variable && !member {
                        wrong("Location is for variables and members".to_owned());
                    }
                }
                Decoration::RelaxedPrecision => {
                    let member = d.member.is_some() && op == Op::TypeStruct;
                    if ops::generates_type(op) && !member {
                        wrong("RelaxedPrecision is not for types".to_owned());
                    }
                }
                _ => {}
            }
        }
    }
}

fn component(m: &Module<'_>, id: Id, member: Option<u32>, component: u32) -> Option<String> {
    let mut ty = match member {
        None => {
            let op = m.op(id);
            if !matches!(op, Op::Variable | Op::FunctionParameter) {
                return Some("Component is for variables and parameters".to_owned());
            }
            let class = m.def(id).filter(|d| d.op() == Op::Variable).map(|d| d.operand(2));
            if class.is_some_and(|c| !matches!(c, StorageClass::Input | StorageClass::Output)) {
                return Some("Component is for Input and Output".to_owned());
            }
            let ty = m.type_of(id);
            m.pointer(ty).map_or(ty, |p| p.1)
        }
        Some(index) => *m.members(id).get(index as usize)?,
    };
    if !m.scope.env.is_vulkan() {
        return None;
    }
    while m.op(ty) == Op::TypeArray {
        ty = m.element(ty);
    }
    if !m.is_int_scalar_or_vector(ty) && !m.is_float_scalar_or_vector(ty) {
        return Some(format!("Component is for scalars and vectors, not {}", m.type_name(ty)));
    }
    let (n, width) = (m.dimension(ty), m.width(ty));
    let wide = width == 64;
    let end = component.saturating_add(if wide { 2 * n } else { n });
    let wrong = component > 3
        || matches!(width, 16 | 32) && end > 4
        || wide && (n > 2 || component == 1 || component == 3 || end > 4);
    wrong.then(|| format!("{} does not fit at component {component}", m.type_name(ty)))
}

fn allows_layout(m: &Module<'_>, class: u32) -> bool {
    match class {
        StorageClass::UniformConstant => false,
        StorageClass::Workgroup => m.has_capability(Capability::WorkgroupMemoryExplicitLayoutKHR),
        StorageClass::Function | StorageClass::Private => m.scope.version <= 0x10400,
        _ => true,
    }
}

fn uses_layout(m: &Module<'_>, ty: Id, cache: &mut FxHashMap<Id, bool>, depth: u32) -> bool {
    if let Some(known) = cache.get(&ty) {
        return *known;
    }
    let Some(def) = m.def(ty).filter(|_| depth < 64) else { return false };
    let pointer = def.op() == Op::TypePointer;
    if !matches!(
        def.op(),
        Op::TypeStruct | Op::TypeArray | Op::TypeRuntimeArray | Op::TypePointer | Op::TypeUntypedPointerKHR
    ) {
        return false;
    }
    let free = pointer && allows_layout(m, def.operand(1));
    let own = !free
        && m.decorations(ty).iter().any(|d| {
            matches!(
                d.kind,
                Decoration::Block
                    | Decoration::BufferBlock
                    | Decoration::Offset
                    | Decoration::ArrayStride
                    | Decoration::MatrixStride
            )
        });
    let result = own
        || match def.op() {
            Op::TypeStruct => m.members(ty).iter().any(|t| uses_layout(m, *t, cache, depth + 1)),
            Op::TypeArray | Op::TypeRuntimeArray => uses_layout(m, def.word(2), cache, depth + 1),
            Op::TypePointer if !free => uses_layout(m, def.word(3), cache, depth + 1),
            _ => false,
        };
    cache.insert(ty, result);
    result
}

fn forbidden_layout(m: &Module<'_>, found: &mut Found) {
    let mut cache = FxHashMap::default();
    for variable in variables(m) {
        let class = variable.operand(2);
        let ty = match variable.op() {
            Op::UntypedVariableKHR => variable.opt_operand(3).unwrap_or(variable.ty()),
            _ => variable.ty(),
        };
        if !allows_layout(m, class) && uses_layout(m, ty, &mut cache, 0) {
            let message = format!(
                "{} has an explicit layout, which this storage class does not allow",
                m.type_name(ty)
            );
            found.push(variable.at, &BLOCK_LAYOUT, message);
        }
    }
}

/// Variables in Function with an explicit layout: the part of the rule that stands in function bodies.
pub(super) fn local_variable(m: &Module<'_>, inst: Inst<'_>) -> crate::spirv::module::Check {
    if inst.op() == Op::Variable
        && m.scope.env.is_vulkan()
        && inst.operand(2) == StorageClass::Function
        && !allows_layout(m, inst.operand(2))
        && uses_layout(m, inst.ty(), &mut FxHashMap::default(), 0)
    {
        return crate::spirv::module::fail_at(
            &BLOCK_LAYOUT,
            0,
            format!("{} has an explicit layout, which Function does not allow", m.type_name(inst.ty())),
        );
    }
    Ok(())
}
