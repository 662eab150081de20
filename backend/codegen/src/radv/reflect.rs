//! What a pipeline needs to know of a module: entry points, descriptors, vertex inputs, colour outputs.

use std::collections::{BTreeMap, HashMap};

/// SPIR-V's execution models, as far as pipelines are made of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Model {
    Vertex,
    TessellationControl,
    TessellationEvaluation,
    Geometry,
    Fragment,
    Compute,
    Other(u32),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct EntryPoint {
    pub(super) model: Model,
    pub(super) name: String,
    interface: Vec<u32>,
}

/// What a descriptor binding holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Descriptor {
    UniformBuffer,
    StorageBuffer,
    CombinedImageSampler,
    Sampler,
    SampledImage,
    StorageImage,
    UniformTexelBuffer,
    StorageTexelBuffer,
    InputAttachment,
    AccelerationStructure,
}

/// A scalar type at a stage boundary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Scalar {
    Float,
    Int,
    Uint,
}

/// A variable at a stage boundary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Slot {
    pub(super) location: u32,
    pub(super) scalar: Scalar,
    /// 1 to 4.
    pub(super) components: u32,
    pub(super) flat: bool,
}

#[derive(Debug, Default)]
pub(super) struct Module {
    pub(super) capabilities: Vec<u32>,
    pub(super) entry_points: Vec<EntryPoint>,
    /// By set and binding: kind and array length.
    pub(super) descriptors: BTreeMap<(u32, u32), (Descriptor, u32)>,
    pub(super) has_push_constants: bool,
    variables: HashMap<u32, Variable>,
    types: HashMap<u32, Type>,
    decorations: HashMap<(u32, u32), u32>,
    member_locations: HashMap<(u32, u32), u32>,
    constants: HashMap<u32, u32>,
}

#[derive(Debug, Clone, Copy)]
struct Variable {
    pointer_type: u32,
    storage: u32,
}

#[derive(Debug, Clone)]
enum Type {
    Int { signed: bool },
    Float,
    Vector { element: u32, count: u32 },
    Matrix { column: u32, count: u32 },
    Image { dim: u32, sampled: u32 },
    Sampler,
    SampledImage,
    Array { element: u32, length: Option<u32> },
    Struct(Vec<u32>),
    Pointer { pointee: u32 },
    AccelerationStructure,
}

const BLOCK: u32 = 2;
const BUFFER_BLOCK: u32 = 3;
const BUILT_IN: u32 = 11;
const FLAT: u32 = 14;
const LOCATION: u32 = 30;
const BINDING: u32 = 33;
const DESCRIPTOR_SET: u32 = 34;

const INPUT: u32 = 1;
const UNIFORM: u32 = 2;
const OUTPUT: u32 = 3;
const PUSH_CONSTANT: u32 = 9;
const STORAGE_BUFFER: u32 = 12;

/// Length given to arrays of descriptors without one.
const RUNTIME_DESCRIPTORS: u32 = 16;

impl Module {
    /// Reads a module that the checker has accepted; what is out of shape all the same is passed over.
    pub(super) fn read(words: &[u32]) -> Module {
        let mut module = Module::default();
        let mut rest = words.get(5..).unwrap_or(&[]);
        while let Some(first) = rest.first() {
            let (opcode, count) = (first & 0xffff, (first >> 16) as usize);
            let Some(instruction) = rest.get(1..count).filter(|_| count > 0) else { break };
            module.instruction(opcode, instruction);
            rest = &rest[count..];
        }
        module.gather_descriptors();
        module
    }

    fn instruction(&mut self, opcode: u32, w: &[u32]) {
        let mut define = |id: u32, ty: Type| self.types.insert(id, ty);
        match (opcode, w) {
            (17, [capability]) => self.capabilities.push(*capability),
            (15, [model, _, rest @ ..]) => {
                let (name, interface) = string(rest);
                let model = match model {
                    0 => Model::Vertex,
                    1 => Model::TessellationControl,
                    2 => Model::TessellationEvaluation,
                    3 => Model::Geometry,
                    4 => Model::Fragment,
                    5 => Model::Compute,
                    other => Model::Other(*other),
                };
                self.entry_points.push(EntryPoint { model, name, interface: interface.to_vec() });
            }
            (21, [id, _, signed, ..]) => drop(define(*id, Type::Int { signed: *signed != 0 })),
            (22, [id, ..]) => drop(define(*id, Type::Float)),
            (23, [id, element, count]) => {
                drop(define(*id, Type::Vector { element: *element, count: *count }))
            }
            (24, [id, column, count]) => drop(define(*id, Type::Matrix { column: *column, count: *count })),
            (25, [id, _, dim, _, _, _, sampled, ..]) => {
                define(*id, Type::Image { dim: *dim, sampled: *sampled });
            }
            (26, [id]) => drop(define(*id, Type::Sampler)),
            (27, [id, _]) => drop(define(*id, Type::SampledImage)),
            (28, [id, element, length]) => {
                let length = self.constants.get(length).copied();
                self.types.insert(*id, Type::Array { element: *element, length });
            }
            (29, [id, element]) => drop(define(*id, Type::Array { element: *element, length: None })),
            (30, [id, members @ ..]) => drop(define(*id, Type::Struct(members.to_vec()))),
            (32, [id, _, pointee]) => drop(define(*id, Type::Pointer { pointee: *pointee })),
            (5341, [id]) => drop(define(*id, Type::AccelerationStructure)),
            (43 | 50, [_, id, value, ..]) => drop(self.constants.insert(*id, *value)),
            (59, [pointer_type, id, storage, ..]) => {
                self.variables.insert(*id, Variable { pointer_type: *pointer_type, storage: *storage });
            }
            (71, [id, decoration, rest @ ..]) => {
                self.decorations.insert((*id, *decoration), rest.first().copied().unwrap_or(1));
            }
            (72, [id, member, LOCATION, location]) => {
                self.member_locations.insert((*id, *member), *location);
            }
            _ => {}
        }
    }

    fn decoration(&self, id: u32, decoration: u32) -> Option<u32> {
        self.decorations.get(&(id, decoration)).copied()
    }

    fn pointee(&self, variable: Variable) -> Option<u32> {
        match self.types.get(&variable.pointer_type)? {
            Type::Pointer { pointee } => Some(*pointee),
            _ => None,
        }
    }

    fn gather_descriptors(&mut self) {
        let mut found = BTreeMap::new();
        for (id, variable) in &self.variables {
            self.has_push_constants |= variable.storage == PUSH_CONSTANT;
            let (Some(set), Some(binding)) =
                (self.decoration(*id, DESCRIPTOR_SET), self.decoration(*id, BINDING))
            else {
                continue;
            };
            if let Some(entry) = self.descriptor(*variable) {
                found.insert((set, binding), entry);
            }
        }
        self.descriptors = found;
    }

    fn descriptor(&self, variable: Variable) -> Option<(Descriptor, u32)> {
        let mut ty = self.pointee(variable)?;
        let mut count = 1u32;
        while let Some(Type::Array { element, length }) = self.types.get(&ty) {
            count = count.saturating_mul(length.unwrap_or(RUNTIME_DESCRIPTORS)).clamp(1, 4096);
            ty = *element;
        }
        let kind = match self.types.get(&ty)? {
            Type::Image { dim: 5, sampled: 2 } => Descriptor::StorageTexelBuffer,
            Type::Image { dim: 5, .. } => Descriptor::UniformTexelBuffer,
            Type::Image { dim: 6, .. } => Descriptor::InputAttachment,
            Type::Image { sampled: 2, .. } => Descriptor::StorageImage,
            Type::Image { .. } => Descriptor::SampledImage,
            Type::Sampler => Descriptor::Sampler,
            Type::SampledImage => Descriptor::CombinedImageSampler,
            Type::AccelerationStructure => Descriptor::AccelerationStructure,
            Type::Struct(_) if variable.storage == STORAGE_BUFFER => Descriptor::StorageBuffer,
            Type::Struct(_) if self.decoration(ty, BUFFER_BLOCK).is_some() => Descriptor::StorageBuffer,
            Type::Struct(_) if variable.storage == UNIFORM && self.decoration(ty, BLOCK).is_some() => {
                Descriptor::UniformBuffer
            }
            _ => return None,
        };
        Some((kind, count))
    }

    /// User variables of an entry point's interface, in or out, by location.
    fn slots(&self, entry: &EntryPoint, storage: u32) -> Vec<Slot> {
        let mut slots = Vec::new();
        for id in &entry.interface {
            let Some(variable) = self.variables.get(id).filter(|v| v.storage == storage) else { continue };
            if self.decoration(*id, BUILT_IN).is_some() {
                continue;
            }
            let (Some(ty), flat) = (self.pointee(*variable), self.decoration(*id, FLAT).is_some()) else {
                continue;
            };
            match (self.decoration(*id, LOCATION), self.types.get(&ty)) {
                (Some(location), _) => drop(self.add_slots(ty, location, flat, &mut slots)),
                (None, Some(Type::Struct(members))) => {
                    for (index, member) in members.iter().enumerate() {
                        if let Some(location) = self.member_locations.get(&(ty, index as u32)) {
                            self.add_slots(*member, *location, flat, &mut slots);
                        }
                    }
                }
                (None, _) => {}
            }
        }
        slots.sort_by_key(|s| s.location);
        slots.dedup_by_key(|s| s.location);
        slots
    }

    /// Appends a type's slots; returns the next free location.
    fn add_slots(&self, ty: u32, location: u32, flat: bool, slots: &mut Vec<Slot>) -> u32 {
        let repeat = |element: u32, count: u32, slots: &mut Vec<Slot>| {
            (0..count.min(32)).fold(location, |at, _| self.add_slots(element, at, flat, slots))
        };
        let (scalar, components) = match self.types.get(&ty) {
            Some(Type::Matrix { column, count }) => return repeat(*column, *count, slots),
            Some(Type::Array { element, length }) => return repeat(*element, length.unwrap_or(1), slots),
            Some(Type::Struct(members)) => {
                return members.iter().fold(location, |at, m| self.add_slots(*m, at, flat, slots));
            }
            Some(Type::Vector { element, count }) => (self.scalar(*element), *count),
            _ => (self.scalar(ty), 1),
        };
        slots.push(Slot { location, scalar, components: components.clamp(1, 4), flat });
        location + 1
    }

    fn scalar(&self, ty: u32) -> Scalar {
        match self.types.get(&ty) {
            Some(Type::Int { signed: true }) => Scalar::Int,
            Some(Type::Int { signed: false }) => Scalar::Uint,
            _ => Scalar::Float,
        }
    }

    pub(super) fn inputs(&self, entry: &EntryPoint) -> Vec<Slot> {
        self.slots(entry, INPUT)
    }

    pub(super) fn outputs(&self, entry: &EntryPoint) -> Vec<Slot> {
        self.slots(entry, OUTPUT)
    }
}

/// A nul-terminated string and the words after it.
fn string(words: &[u32]) -> (String, &[u32]) {
    let mut bytes = Vec::new();
    for (index, word) in words.iter().enumerate() {
        for byte in word.to_le_bytes() {
            if byte == 0 {
                return (String::from_utf8_lossy(&bytes).into_owned(), &words[index + 1..]);
            }
            bytes.push(byte);
        }
    }
    (String::from_utf8_lossy(&bytes).into_owned(), &[])
}
