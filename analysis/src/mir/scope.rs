//! The module: target, embedded IR, machine functions.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;
use wavelens_isa::mir::Machine;
use wavelens_syntax::mir::ChunkKind;

use super::ir::{IrFunction, IrNames, Metadata};
use crate::{ChunkId, Options, llvm};

/// What other chunks see of a chunk.
#[derive(Debug, PartialEq)]
pub struct Summary {
    pub kind: ChunkKind,
    pub ir: Option<IrNames>,
    pub llvm: Option<Arc<llvm::Summary>>,
    /// Name of the machine function.
    pub function: Option<SmolStr>,
    /// Triple and processor of the first `llc` command in the comments at the top.
    pub run: Option<(SmolStr, Option<SmolStr>)>,
}

/// Everything that can be named across chunks.
#[derive(Debug, PartialEq)]
pub struct Scope {
    /// `None` for targets that have no tables: rules stay quiet.
    pub machine: Option<Machine>,
    /// Processor of the command line or the options; a function's own `target-cpu` goes first.
    pub cpu: Option<SmolStr>,
    pub data_layout: Option<SmolStr>,
    /// Whether there is an embedded IR module.
    pub has_ir: bool,
    pub functions: FxHashMap<SmolStr, IrFunction>,
    pub globals: FxHashSet<SmolStr>,
    pub metadata: FxHashMap<u32, Metadata>,
    pub group_cpus: FxHashMap<u32, SmolStr>,
    pub takes_block_addresses: bool,
    pub llvm: llvm::Scope,
    /// Machine functions in order.
    pub machine_functions: Vec<(SmolStr, ChunkId)>,
    /// IR that no `--- |` starts.
    pub stray_ir: Option<ChunkId>,
    /// IR that stands behind another document.
    pub late_ir: Option<ChunkId>,
}

/// The first `llc` command that names a triple, as a test's first lines have it.
pub(super) fn run_line(text: &str) -> Option<(SmolStr, Option<SmolStr>)> {
    let head: String = text.chars().take(4000).collect();
    for line in head.lines() {
        let Some((_, command)) = line.split_once("llc ") else { continue };
        let option = |text: &str, name: &str| -> Option<(SmolStr, usize)> {
            let at = text.find(name)?;
            let rest = text.get(at + name.len()..)?.strip_prefix(['=', ' '])?;
            let value = rest.split_whitespace().next()?;
            Some((value.into(), at))
        };
        if let Some((triple, at)) = option(command, "-mtriple") {
            let cpu = command.get(at..).and_then(|rest| option(rest, "-mcpu")).map(|c| c.0);
            return Some((triple, cpu));
        }
    }
    None
}

/// Builds the module scope.
pub fn scope(summaries: &[(ChunkId, Arc<Summary>)], options: &Options) -> Scope {
    let inner: Vec<_> = summaries.iter().filter_map(|(id, s)| Some((*id, s.llvm.clone()?))).collect();
    let mut scope = Scope {
        machine: None,
        cpu: None,
        data_layout: None,
        has_ir: false,
        functions: FxHashMap::default(),
        globals: FxHashSet::default(),
        metadata: FxHashMap::default(),
        group_cpus: FxHashMap::default(),
        takes_block_addresses: false,
        llvm: llvm::scope(&inner, options),
        machine_functions: Vec::new(),
        stray_ir: None,
        late_ir: None,
    };
    let mut triple = None;
    let mut first = true;
    for (id, summary) in summaries {
        match summary.kind {
            ChunkKind::IrStart if !first && scope.late_ir.is_none() => scope.late_ir = Some(*id),
            ChunkKind::IrStart => scope.has_ir = true,
            ChunkKind::IrMore if !scope.has_ir && scope.stray_ir.is_none() => scope.stray_ir = Some(*id),
            _ => {}
        }
        first &= summary.kind == ChunkKind::Empty;
        if let Some(name) = &summary.function {
            scope.machine_functions.push((name.clone(), *id));
        }
        let Some(ir) = &summary.ir else { continue };
        triple = triple.or_else(|| ir.triple.clone());
        scope.data_layout = scope.data_layout.or_else(|| ir.data_layout.clone());
        scope.functions.extend(ir.functions.iter().cloned());
        scope.globals.extend(ir.globals.iter().cloned());
        scope.metadata.extend(ir.metadata.iter().map(|(n, k)| (*n, *k)));
        scope.group_cpus.extend(ir.group_cpus.iter().map(|(n, c)| (*n, c.clone())));
        scope.takes_block_addresses |= ir.takes_block_addresses;
    }
    let short_pointers = |triple: &str| triple.ends_with("x32") || triple.starts_with("arm64_32");
    let run = summaries.iter().find_map(|(_, s)| s.run.clone());
    match (run, triple) {
        (Some((triple, cpu)), _) => {
            scope.machine = Machine::from_triple(&triple);
            scope.cpu = cpu;
            if short_pointers(&triple) {
                scope.data_layout = Some("p:32:32".into());
            }
        }
        (None, Some(triple)) => scope.machine = Machine::from_triple(&triple),
        (None, None) => {
            scope.machine = Some(Machine::Amdgpu);
            scope.cpu = options.target.as_deref().map(SmolStr::from);
        }
    }
    scope
}

impl Scope {
    /// The processor that a function is compiled for.
    pub fn cpu_of<'s>(&'s self, function: Option<&'s IrFunction>) -> Option<&'s str> {
        function
            .and_then(|f| {
                f.cpu
                    .as_deref()
                    .or_else(|| f.groups.iter().find_map(|g| self.group_cpus.get(g).map(SmolStr::as_str)))
            })
            .or(self.cpu.as_deref())
    }
}
