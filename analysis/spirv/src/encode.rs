//! The words of a module, with ids as the reference assembler gives them.

use std::sync::Arc;

use rustc_hash::FxHashSet;
use wavelens_syntax::spirv::tables::Op;
use wavelens_syntax::{ChunkSpan, Dialect};

use super::code::Inst;
use super::flat::{Flat, FlatInst, Form, HashedMap};
use super::literal::parse_u32;
use super::rules::assembler;
use super::{Lowered, Scope, lower, ops, scope, summarize};
use crate::context::RuleContext;
use wavelens_base::{ChunkId, Options, TextRange};

/// First word of every module.
pub(super) const MAGIC: u32 = 0x0723_0203;

/// The generator the reference assembler names: the Khronos SPIR-V Tools Assembler.
const GENERATOR: u32 = 7 << 16;

/// One instruction of a module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EncodedInst {
    /// Bytes of the text.
    pub range: TextRange,
    /// Its words, with the first that holds length and opcode.
    pub words: Vec<u32>,
}

impl EncodedInst {
    /// The opcode.
    pub fn opcode(&self) -> Op {
        Op(self.words.first().map_or(0, |w| *w as u16))
    }
}

/// A module as 32-bit words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Encoded {
    /// Magic number, version, generator, bound and schema.
    pub header: [u32; 5],
    /// In the order of the text.
    pub insts: Vec<EncodedInst>,
    /// Whether the reference assembler refuses the module. An instruction that has no words is left out.
    pub is_refused: bool,
}

impl Encoded {
    /// All words.
    pub fn words(&self) -> Vec<u32> {
        self.header.iter().chain(self.insts.iter().flat_map(|i| &i.words)).copied().collect()
    }
}

/// Numbers names as `spirv-as --preserve-numeric-ids` does.
#[derive(Debug, Default)]
struct Numbering {
    preserved: FxHashSet<u32>,
    ids: HashedMap<u32>,
    next: u32,
    bound: u32,
}

impl Numbering {
    fn new<'a>(lowered: impl Iterator<Item = &'a Lowered>) -> Self {
        let names = lowered.map(|lowered| &lowered.flat.names);
        let texts = names.flat_map(|names| (0..names.len() as u32).map(|name| names.text(name)));
        let preserved = texts.filter_map(parse_u32).collect();
        Numbering { preserved, bound: 1, ..Numbering::default() }
    }

    /// Numbers the ids of an instruction: `put` gets the place of each among the instruction's words, and its number.
    fn inst(&mut self, flat: &Flat, raw: &FlatInst, inst: Inst<'_>, mut put: impl FnMut(usize, u32)) {
        for (operand, code) in flat.operands_of(raw).iter().zip(inst.operands()) {
            let name = flat.names.get(operand.value as usize).filter(|_| operand.form == Form::Id);
            let offset = usize::from(code.offset);
            if let Some(name) = name.filter(|_| offset < inst.words().len()) {
                put(offset, self.id(name.hash, flat.name(operand.value)));
            }
        }
    }

    /// The words of an instruction.
    fn words(&mut self, flat: &Flat, raw: &FlatInst, inst: Inst<'_>) -> Vec<u32> {
        let mut words = inst.words().to_vec();
        self.inst(flat, raw, inst, |offset, id| words[offset] = id);
        words
    }

    fn id(&mut self, hash: u64, text: &str) -> u32 {
        if let Some(id) = self.ids.get(&hash) {
            return *id;
        }
        let id = match parse_u32(text).filter(|n| self.preserved.contains(n)) {
            Some(id) => id,
            None => loop {
                self.next += 1;
                if !self.preserved.contains(&self.next) {
                    break self.next;
                }
            },
        };
        self.bound = self.bound.max(id.saturating_add(1));
        self.ids.insert(hash, id);
        id
    }
}

/// The chunks of a text, and their scope.
fn module(text: &str, options: &Options) -> (Vec<ChunkSpan>, Vec<Lowered>, Scope) {
    let spans = wavelens_syntax::split(Dialect::Spirv, text);
    let slice = |range: TextRange| text.get(std::ops::Range::<usize>::from(range)).unwrap_or("");
    let lowered: Vec<_> = spans.iter().map(|s| lower(slice(s.range))).collect();
    let ids = (0..).map(ChunkId);
    let summaries: Vec<_> = ids.zip(&lowered).map(|(id, l)| (id, Arc::new(summarize(l)))).collect();
    let scope = scope(&summaries, options);
    (spans, lowered, scope)
}

/// Assembles a module.
pub fn encode(text: &str, options: &Options) -> Encoded {
    let (spans, lowered, scope) = module(text, options);
    let mut numbering = Numbering::new(lowered.iter());
    let mut insts = Vec::new();
    let mut is_refused = false;
    // Types and imports, the ids that the assembler itself looks up. Any other may have two definitions.
    let mut known = FxHashSet::default();
    for (chunk, (lowered, span)) in (0..).map(ChunkId).zip(lowered.iter().zip(&spans)) {
        is_refused |= lowered.diagnostics.iter().any(|(_, d)| d.severity == wavelens_base::Severity::Error);
        let module = RuleContext::new(&lowered.flat, &scope, chunk);
        for (at, inst) in module.insts().enumerate() {
            let Some(flat) = lowered.flat.insts.get(at) else { continue };
            let words = numbering.words(&lowered.flat, flat, inst);
            if inst.is_broken() {
                is_refused = true;
                continue;
            }
            let is_known_once = ops::generates_type(inst.op()) || inst.op() == Op::ExtInstImport;
            is_refused |=
                is_known_once && !known.insert((inst.op() == Op::ExtInstImport, words.get(1).copied()));
            is_refused |= assembler::check(&module, inst).is_err();
            let range = lowered.inst_ranges.get(at).copied().unwrap_or(TextRange::empty(0.into()));
            insts.push(EncodedInst { range: range + span.range.start(), words });
        }
    }
    let header = [MAGIC, scope.version, GENERATOR, numbering.bound, 0];
    Encoded { header, insts, is_refused }
}

/// The words of one instruction, as [`encode`] gives them for the whole module: the `at`-th of a chunk. Of the instructions before it only
/// the ids are looked at.
pub fn encode_inst(
    chunks: &[(ChunkId, &Lowered)],
    scope: &Scope,
    index: usize,
    at: usize,
) -> Option<Vec<u32>> {
    let mut numbering = Numbering::new(chunks.iter().map(|(_, lowered)| *lowered));
    for (place, (id, lowered)) in chunks.iter().enumerate().take(index + 1) {
        let module = RuleContext::new(&lowered.flat, scope, *id);
        for (here, (inst, raw)) in module.insts().zip(&lowered.flat.insts).enumerate() {
            if (place, here) == (index, at) {
                return Some(numbering.words(&lowered.flat, raw, inst)).filter(|_| !inst.is_broken());
            }
            numbering.inst(&lowered.flat, raw, inst, |_, _| {});
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instruction_has_the_words_that_it_has_in_the_module() {
        let text = "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\"\n\
            OpName %3 \"three\"\n%void = OpTypeVoid\n%int = OpTypeInt 32 0\n%fn = OpTypeFunction %void\n\
            %17 = OpConstant %int 17\n%x = OpConstant %int broken\n%main = OpFunction %void None %fn\n%l = OpLabel\n\
            %sum = OpIAdd %int %17 %later\n%later = OpIAdd %int %sum %sum\nOpReturn\nOpFunctionEnd\n\
            %other = OpFunction %void None %fn\n%2 = OpLabel\n%y = OpCopyObject %int %17\nOpReturn\nOpFunctionEnd\n";
        let whole = encode(text, &Options::default());
        let (spans, lowered, scope) = module(text, &Options::default());
        let chunks: Vec<_> = (0..).map(ChunkId).zip(&lowered).collect();
        let mut count = 0;
        for (index, lowered) in lowered.iter().enumerate() {
            for (at, range) in lowered.inst_ranges.iter().enumerate() {
                let range = *range + spans[index].range.start();
                let known = whole.insts.iter().find(|inst| inst.range == range).map(|inst| &inst.words);
                assert_eq!(encode_inst(&chunks, &scope, index, at).as_ref(), known, "{index}, {at}");
                count += 1;
            }
        }
        assert_eq!(count, text.lines().count());
    }
}
