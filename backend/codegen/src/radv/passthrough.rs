//! A vertex stage for fragment modules that come alone: every output is an input of the same shape, so that the driver
//! cannot fold the fragment's inputs away.

use super::reflect::{Scalar, Slot};

/// Name of the stage's entry point.
pub(super) const NAME: &str = "main";

/// The words of a SPIR-V 1.0 module that copies each slot from input to output and writes a constant position.
pub(super) fn vertex_stage(slots: &[Slot]) -> Vec<u32> {
    let mut m = Builder::default();
    let (void, function, float, vec4, position_pointer, position, entry) =
        (m.id(), m.id(), m.id(), m.id(), m.id(), m.id(), m.id());
    let mut types: Vec<((Scalar, u32), u32)> = vec![((Scalar::Float, 1), float), ((Scalar::Float, 4), vec4)];
    m.types(19, &[void]);
    m.types(33, &[function, void]);
    m.types(22, &[float, 32]);
    m.types(23, &[vec4, float, 4]);
    m.types(32, &[position_pointer, 3, vec4]);
    m.types(59, &[position_pointer, position, 3]);
    m.decorate(&[position, 11, 0]);
    let (zero, origin) = (m.id(), m.id());
    m.types(43, &[float, zero, 0]);
    m.types(44, &[vec4, origin, zero, zero, zero, zero]);
    let mut interface = vec![position];
    let mut copies = Vec::new();
    for slot in slots {
        let ty = m.slot_type(&mut types, slot.scalar, slot.components);
        let (in_pointer, out_pointer, input, output) = (m.id(), m.id(), m.id(), m.id());
        m.types(32, &[in_pointer, 1, ty]);
        m.types(32, &[out_pointer, 3, ty]);
        m.types(59, &[in_pointer, input, 1]);
        m.types(59, &[out_pointer, output, 3]);
        m.decorate(&[input, 30, slot.location]);
        m.decorate(&[output, 30, slot.location]);
        if slot.flat {
            m.decorate(&[output, 14]);
        }
        interface.extend([input, output]);
        copies.push((ty, input, output));
    }
    let label = m.id();
    m.code(54, &[void, entry, 0, function]);
    m.code(248, &[label]);
    m.code(62, &[position, origin]);
    for (ty, input, output) in copies {
        let value = m.id();
        m.code(61, &[ty, value, input]);
        m.code(62, &[output, value]);
    }
    m.code(253, &[]);
    m.code(56, &[]);
    m.finish(entry, &interface)
}

#[derive(Default)]
struct Builder {
    last_id: u32,
    decorations: Vec<u32>,
    types: Vec<u32>,
    code: Vec<u32>,
}

fn put(words: &mut Vec<u32>, opcode: u32, operands: &[u32]) {
    words.push((operands.len() as u32 + 1) << 16 | opcode);
    words.extend(operands);
}

impl Builder {
    fn id(&mut self) -> u32 {
        self.last_id += 1;
        self.last_id
    }

    fn types(&mut self, opcode: u32, operands: &[u32]) {
        put(&mut self.types, opcode, operands);
    }

    fn decorate(&mut self, operands: &[u32]) {
        put(&mut self.decorations, 71, operands);
    }

    fn code(&mut self, opcode: u32, operands: &[u32]) {
        put(&mut self.code, opcode, operands);
    }

    fn slot_type(&mut self, known: &mut Vec<((Scalar, u32), u32)>, scalar: Scalar, components: u32) -> u32 {
        if let Some((_, id)) = known.iter().find(|(k, _)| *k == (scalar, components)) {
            return *id;
        }
        let id = if components > 1 {
            let element = self.slot_type(known, scalar, 1);
            let id = self.id();
            self.types(23, &[id, element, components]);
            id
        } else {
            let id = self.id();
            self.types(21, &[id, 32, u32::from(scalar == Scalar::Int)]);
            id
        };
        known.push(((scalar, components), id));
        id
    }

    fn finish(self, entry: u32, interface: &[u32]) -> Vec<u32> {
        let mut words = vec![0x0723_0203, 0x0001_0000, 0, self.last_id + 1, 0];
        put(&mut words, 17, &[1]);
        put(&mut words, 14, &[0, 1]);
        let mut operands = vec![0, entry, u32::from_le_bytes(*b"main"), 0];
        operands.extend(interface);
        put(&mut words, 15, &operands);
        words.extend(self.decorations);
        words.extend(self.types);
        words.extend(self.code);
        words
    }
}

#[cfg(test)]
mod tests {
    use super::super::reflect::Module;
    use super::*;

    #[test]
    fn outputs_are_the_slots_asked_for() {
        let slot = |location, scalar, components| Slot {
            location,
            scalar,
            components,
            flat: scalar != Scalar::Float,
        };
        let slots = [slot(0, Scalar::Float, 4), slot(1, Scalar::Uint, 2), slot(4, Scalar::Int, 1)];
        let module = Module::read(&vertex_stage(&slots));
        let entry = &module.entry_points[0];
        assert_eq!(entry.name, NAME);
        assert_eq!(module.outputs(entry), slots);
    }
}
