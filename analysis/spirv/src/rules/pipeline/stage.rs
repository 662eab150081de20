//! What one stage declares: its inputs and outputs with the location components that they take.

use wavelens_syntax::spirv::tables::{Decoration, ExecutionModel, Op, StorageClass};

use super::Place;
use super::types::number;
use crate::code::{Id, Inst};
use crate::context::RuleContext;
use crate::rules::decorations::held;
use crate::rules::interfaces::is_arrayed;
use crate::scope::{EntryPoint, model_name};
use crate::type_names::{debug_name, member_name};

/// Variables that take more components are not compared.
const COMPONENTS: usize = 4096;
/// Types nested deeper are not looked into.
const DEPTH: u32 = 32;

/// An entry point of a module.
pub(super) struct Stage<'a> {
    /// Index of the module.
    pub(super) module: usize,
    pub(super) m: &'a RuleContext<'a>,
    pub(super) index: u32,
    pub(super) entry: &'a EntryPoint,
    pub(super) model: u32,
}

/// Something of a stage: a variable, a type, a place.
#[derive(Clone, Copy)]
pub(super) struct OfStage<'s, 'm, T> {
    pub(super) stage: &'s Stage<'m>,
    pub(super) item: T,
}

/// Where the components of a variable begin.
#[derive(Clone, Copy)]
struct Start {
    location: u32,
    component: u32,
}

/// A number in one component of a location.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Number {
    pub(super) op: Op,
    pub(super) width: u32,
    pub(super) signed: bool,
}

/// A user-defined variable of an interface, or a member of a block.
pub(super) struct Declared {
    pub(super) variable: Id,
    /// The block and the index of the member.
    pub(super) member: Option<(Id, u32)>,
    /// Without the array over vertices.
    pub(super) ty: Id,
    pub(super) location: u32,
    /// Components, four in each location, with what they hold; `None` if the type is unknown.
    pub(super) slots: Option<Vec<(u32, Number)>>,
    /// Decorations of the variable and of the member.
    pub(super) decorations: Vec<u32>,
}

/// A built-in of an interface.
pub(super) struct BuiltIn {
    pub(super) value: u32,
    pub(super) variable: Id,
    pub(super) member: Option<(Id, u32)>,
    pub(super) ty: Id,
}

impl BuiltIn {
    pub(super) fn place(&self, m: &RuleContext<'_>) -> Place {
        place(m, self.variable, self.member)
    }
}

impl Declared {
    pub(super) fn has(&self, decoration: u32) -> bool {
        self.decorations.contains(&decoration)
    }

    /// Where it is shown.
    pub(super) fn place(&self, m: &RuleContext<'_>) -> Place {
        place(m, self.variable, self.member)
    }

    /// "`%color`", "member `color` of `%vertex`".
    pub(super) fn name(&self, m: &RuleContext<'_>) -> String {
        match self.member {
            None => shown(m, self.variable),
            Some((block, member)) => {
                let name = member_name(m, block, member)
                    .map_or_else(|| member.to_string(), |name| format!("`{name}`"));
                format!("member {name} of {}", shown(m, self.variable))
            }
        }
    }

    /// The name in the source.
    pub(super) fn source_name(&self, m: &RuleContext<'_>) -> Option<String> {
        match self.member {
            None => debug_name(m, self.variable),
            Some((block, member)) => member_name(m, block, member),
        }
    }
}

fn place(m: &RuleContext<'_>, variable: Id, member: Option<(Id, u32)>) -> Place {
    match member {
        Some((block, member)) => Place::of_member(m, block, member),
        None => Place::of(m, variable),
    }
}

/// An id, with its name in the source if that is another one.
pub(super) fn shown(m: &RuleContext<'_>, id: Id) -> String {
    let own = m.name(id);
    match debug_name(m, id).filter(|name| own.strip_prefix('%') != Some(name)) {
        Some(name) => format!("`{own}` (`{name}`)"),
        None => format!("`{own}`"),
    }
}

impl<'a> Stage<'a> {
    pub(super) fn new(module: usize, m: &'a RuleContext<'a>, index: u32, entry: &'a EntryPoint) -> Self {
        Stage { module, m, index, entry, model: entry.model }
    }

    /// Something of this stage.
    pub(super) fn with<T>(&self, item: T) -> OfStage<'_, 'a, T> {
        OfStage { stage: self, item }
    }

    /// "the Vertex shader".
    pub(super) fn title(&self) -> String {
        format!("the {} shader", model_name(self.model))
    }

    /// The OpEntryPoint.
    pub(super) fn place(&self) -> Place {
        Place { inst: self.entry.inst, operand: None }
    }

    /// Whether the functions that it reaches use a variable.
    pub(super) fn uses(&self, variable: Id) -> bool {
        self.m.scope.is_reference(variable, self.index)
    }

    /// An execution mode, and its instruction.
    pub(super) fn mode(&self, mode: u32) -> Option<Inst<'a>> {
        self.m.scope.first_mode(self.entry.function, mode)
    }

    /// The variables of its interface in a storage class.
    fn variables(&self, class: u32) -> impl Iterator<Item = Inst<'a>> {
        let m = self.m;
        let mut seen: Vec<Id> = Vec::new();
        let interface = self.entry.interface.iter().filter_map(move |id| m.scope.def(*id));
        interface.filter(move |def| {
            let is_own = def.op() == Op::Variable && def.operand(2) == class && !seen.contains(&def.id());
            if is_own {
                seen.push(def.id());
            }
            is_own
        })
    }

    /// The type that a variable has for one vertex, and its decorations.
    fn element(&self, variable: Inst<'_>) -> (Id, Vec<u32>) {
        let m = self.m;
        let ty = held(m, variable);
        let own = m.decorations(variable.id()).iter().filter(|d| d.member.is_none());
        let decorations: Vec<u32> = own.map(|d| d.kind).collect();
        let is_output = variable.operand(2) == StorageClass::Output;
        let is_mesh = matches!(self.model, ExecutionModel::MeshEXT | ExecutionModel::MeshNV) && is_output;
        let is_array = matches!(m.op(ty), Op::TypeArray | Op::TypeRuntimeArray);
        // An array of blocks with built-ins is an array over vertices in any case.
        match is_array && (is_mesh || is_arrayed(self.model, is_output, &decorations)) {
            true => (m.element(ty), decorations),
            false => (ty, decorations),
        }
    }

    /// The user-defined inputs or outputs.
    pub(super) fn declared(&self, class: u32) -> Vec<Declared> {
        let mut all = Vec::new();
        for variable in self.variables(class) {
            let (ty, decorations) = self.element(variable);
            let block = self.block(ty);
            if decorations.contains(&Decoration::BuiltIn) || self.has_built_ins(block.unwrap_or(ty)) {
                continue;
            }
            match block {
                Some(block) => self.members(variable.id(), ty, block, &decorations, &mut all),
                None => {
                    let Some(location) = self.m.decoration_word(variable.id(), Decoration::Location) else {
                        continue;
                    };
                    let component = self.m.decoration_word(variable.id(), Decoration::Component).unwrap_or(0);
                    let slots = self.slots(ty, location, component);
                    let variable = variable.id();
                    all.push(Declared { variable, member: None, ty, location, slots, decorations });
                }
            }
        }
        all
    }

    /// A block, or the block in an array.
    fn block(&self, ty: Id) -> Option<Id> {
        let m = self.m;
        let inner = if m.op(ty) == Op::TypeArray { m.element(ty) } else { ty };
        Some(inner).filter(|id| m.op(*id) == Op::TypeStruct && m.has_decoration(*id, Decoration::Block))
    }

    fn has_built_ins(&self, ty: Id) -> bool {
        self.m.is_decorated(ty, Decoration::BuiltIn)
    }

    /// Adds the members of a block, or of each block in an array, one after the other.
    fn members(&self, variable: Id, ty: Id, block: Id, decorations: &[u32], all: &mut Vec<Declared>) {
        let m = self.m;
        let count = match m.op(ty) {
            Op::TypeArray => m.def(ty).and_then(|d| m.const_int32(d.word(3)).1).unwrap_or(1).min(64),
            _ => 1,
        };
        let mut next = self.m.decoration_word(variable, Decoration::Location);
        for _ in 0..count {
            for (index, member) in (0..).zip(m.members(block)) {
                let word = |kind: u32| m.member_decoration_word(block, index, kind);
                let own = if count == 1 { word(Decoration::Location) } else { None };
                let Some(location) = own.or(next) else { continue };
                let slots = self.slots(*member, location, word(Decoration::Component).unwrap_or(0));
                next = slots.as_ref().and_then(|s| s.iter().map(|(at, _)| at / 4).max()).map(|last| last + 1);
                let own = m.member_decorations(block, index).map(|d| d.kind);
                let decorations = decorations.iter().copied().chain(own).collect();
                let member_of = Some((block, index));
                all.push(Declared { variable, member: member_of, ty: *member, location, slots, decorations });
            }
        }
    }

    /// The components that a type takes; `None` if that is not known.
    fn slots(&self, ty: Id, location: u32, component: u32) -> Option<Vec<(u32, Number)>> {
        let mut slots = Vec::new();
        self.take(ty, Start { location, component }, DEPTH, &mut slots)?;
        Some(slots)
    }

    /// Takes the components of a type, and returns the next location.
    fn take(&self, ty: Id, start: Start, depth: u32, slots: &mut Vec<(u32, Number)>) -> Option<u32> {
        let m = self.m;
        let Start { location, component } = start;
        let def = m.def(ty).filter(|_| depth > 0 && slots.len() < COMPONENTS && location < 1 << 16)?;
        match def.op() {
            Op::TypeInt | Op::TypeFloat | Op::TypeVector => {
                let number = number(m, m.component(ty))?;
                let words = number.width.div_ceil(32).checked_mul(m.dimension(ty));
                let words = words.filter(|words| *words <= COMPONENTS as u32)?;
                slots.extend((0..words).map(|word| (location * 4 + component + word, number)));
                Some(location + (component + words).div_ceil(4).max(1))
            }
            Op::TypeMatrix => self.repeat(def.word(2), def.word(3), start, depth, slots),
            Op::TypeArray => {
                let length = m.const_int32(def.word(3)).1?;
                self.repeat(def.word(2), length, start, depth, slots)
            }
            Op::TypeStruct => m.members(ty).iter().try_fold(location, |location, member| {
                self.take(*member, Start { location, component: 0 }, depth - 1, slots)
            }),
            _ => None,
        }
    }

    fn repeat(
        &self,
        element: Id,
        count: u32,
        mut start: Start,
        depth: u32,
        slots: &mut Vec<(u32, Number)>,
    ) -> Option<u32> {
        for _ in 0..count {
            let before = slots.len();
            start.location = self.take(element, start, depth - 1, slots)?;
            // Structs without members take nothing, however many there are.
            if slots.len() == before {
                break;
            }
        }
        Some(start.location)
    }

    /// The built-ins of its inputs or outputs.
    pub(super) fn built_ins(&self, class: u32) -> Vec<BuiltIn> {
        let m = self.m;
        let mut all = Vec::new();
        for variable in self.variables(class) {
            let (ty, _) = self.element(variable);
            if let Some(value) = m.scope.builtin(variable.id()) {
                all.push(BuiltIn { value, variable: variable.id(), member: None, ty });
                continue;
            }
            for (index, member) in (0..).zip(m.members(ty)) {
                if let Some(value) = m.member_decoration_word(ty, index, Decoration::BuiltIn) {
                    let member_of = Some((ty, index));
                    all.push(BuiltIn { value, variable: variable.id(), member: member_of, ty: *member });
                }
            }
        }
        all
    }
}
