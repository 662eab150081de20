//! The words of a module, with ids as the reference assembler gives them.

use std::sync::Arc;

use rustc_hash::FxHashSet;
use wavelens_syntax::Dialect;
use wavelens_syntax::spirv::tables::Op;

use super::flat::{Form, HashedMap};
use super::literal::parse_u32;
use super::rules::assembler;
use super::{lower, ops, scope, summarize};
use crate::spirv::context::RuleContext;
use crate::{ChunkId, Options, TextRange};

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

/// Assembles a module.
pub fn encode(text: &str, options: &Options) -> Encoded {
    let spans = wavelens_syntax::split(Dialect::Spirv, text);
    let slice = |range: TextRange| text.get(std::ops::Range::<usize>::from(range)).unwrap_or("");
    let lowered: Vec<_> = spans.iter().map(|s| lower(slice(s.range))).collect();
    let ids = || (0..lowered.len() as u32).map(ChunkId);
    let summaries: Vec<_> = ids().zip(&lowered).map(|(id, l)| (id, Arc::new(summarize(l)))).collect();
    let scope = scope(&summaries, options);
    let mut numbering = Numbering { bound: 1, ..Numbering::default() };
    let names = lowered.iter().flat_map(|l| &l.flat.names);
    numbering.preserved = names.filter_map(|n| parse_u32(&n.text)).collect();
    let mut insts = Vec::new();
    let mut is_refused = false;
    // Types and imports, the ids that the assembler itself looks up. Any other may have two definitions.
    let mut known = FxHashSet::default();
    for (chunk, (lowered, span)) in ids().zip(lowered.iter().zip(&spans)) {
        is_refused |= lowered.diagnostics.iter().any(|(_, d)| d.severity == crate::Severity::Error);
        let place = scope.chunks.get(&chunk).copied().unwrap_or((0, 0));
        let module = RuleContext::new(&lowered.flat, &scope, place);
        for (at, inst) in module.insts().enumerate() {
            let Some(flat) = lowered.flat.insts.get(at) else { continue };
            let mut words = inst.words().to_vec();
            for (operand, code) in lowered.flat.operands_of(flat).iter().zip(inst.operands()) {
                let name =
                    lowered.flat.names.get(operand.value as usize).filter(|_| operand.form == Form::Id);
                if let (Some(name), Some(word)) = (name, words.get_mut(usize::from(code.offset))) {
                    *word = numbering.id(name.hash, &name.text);
                }
            }
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
