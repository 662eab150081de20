//! Which registers hold values where.

use std::collections::BTreeMap;

use wavelens_base::TextSize;

/// The live registers of a function: those that hold a value that is needed later, and those that an instruction writes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LiveMap {
    /// Name of the function.
    pub function: String,
    /// Where each instruction starts, in the order of the text.
    pub instructions: Vec<TextSize>,
    /// Registers that are live somewhere.
    pub registers: Vec<LiveRegister>,
}

/// A register and where it is live.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LiveRegister {
    /// `v4` in assembly, `%4:vgpr_32` or `$vgpr4` in Machine IR.
    pub name: String,
    /// First and last of the instructions at which it is live, by number.
    pub spans: Vec<(u32, u32)>,
}

impl LiveMap {
    /// The map of a function whose registers `live` lists for each instruction; `name` is asked once for each register.
    pub(crate) fn new<R: Ord>(
        function: String,
        instructions: Vec<TextSize>,
        live: Vec<Vec<R>>,
        name: impl Fn(&R) -> String,
    ) -> LiveMap {
        let mut spans: BTreeMap<R, Vec<(u32, u32)>> = BTreeMap::new();
        for (number, registers) in (0u32..).zip(live) {
            for register in registers {
                let own = spans.entry(register).or_default();
                match own.last_mut() {
                    Some((_, last)) if *last + 1 >= number => *last = number,
                    _ => own.push((number, number)),
                }
            }
        }
        let registers =
            spans.into_iter().map(|(register, spans)| LiveRegister { name: name(&register), spans });
        LiveMap { function, instructions, registers: registers.collect() }
    }
}
