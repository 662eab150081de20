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
    /// What pointers are.
    pub layout: llvm::layout::Layout,
    /// Whether there is an embedded IR module.
    pub has_ir: bool,
    /// Whether the file's first lines have a command that names the target.
    pub has_command: bool,
    /// Whether addresses have 32 bits on a machine of 64.
    pub has_short_pointers: bool,
    pub functions: FxHashMap<SmolStr, IrFunction>,
    /// Without an IR module, LLVM makes one with the machine functions.
    pub globals: FxHashSet<SmolStr>,
    pub metadata: FxHashMap<u32, Metadata>,
    pub group_cpus: FxHashMap<u32, SmolStr>,
    pub takes_block_addresses: bool,
    /// Its triple is that of the command line, where there is one.
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
    let head = text.get(..text.floor_char_boundary(4000)).unwrap_or(text);
    for (at, command) in head.match_indices("llc ") {
        let command = head.get(at + command.len()..).and_then(|rest| rest.lines().next()).unwrap_or("");
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
        layout: llvm::layout::Layout::default(),
        has_ir: false,
        has_command: false,
        has_short_pointers: false,
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
    let (mut triple, mut data_layout) = (None, None);
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
        data_layout = data_layout.or(ir.data_layout.as_deref());
        scope.functions.extend(ir.functions.iter().cloned());
        scope.globals.extend(ir.globals.iter().cloned());
        scope.metadata.extend(ir.metadata.iter().map(|(n, k)| (*n, *k)));
        scope.group_cpus.extend(ir.group_cpus.iter().map(|(n, c)| (*n, c.clone())));
        scope.takes_block_addresses |= ir.takes_block_addresses;
    }
    if !scope.has_ir {
        scope.globals.extend(scope.machine_functions.iter().map(|(name, _)| name.clone()));
    }
    let run = summaries.iter().find_map(|(_, s)| s.run.clone());
    scope.has_command = run.is_some();
    let (triple, cpu) = match (run, triple) {
        (Some(command), _) => command,
        (None, Some(triple)) => (triple, None),
        (None, None) => ("amdgcn-amd-amdhsa".into(), options.target.as_deref().map(SmolStr::from)),
    };
    scope.machine = Machine::from_triple(&triple);
    scope.cpu = cpu;
    scope.has_short_pointers = Machine::has_short_pointers(&triple);
    // llc puts its target's triple and layout in the place of those written.
    scope.llvm.triple = Some(triple.into());
    let of_machine = scope.machine.map(|m| m.tables().facts().data_layout.as_str());
    if scope.has_short_pointers {
        data_layout = Some("p:32:32");
    } else if let (Some(layout), Some(true)) = (of_machine, scope.machine.map(Machine::is_uniform)) {
        scope.llvm.data_layout = Some(layout.to_owned());
    }
    let addresses = scope.machine.and_then(|m| m.addresses(scope.llvm.triple.as_deref()?));
    scope.layout = llvm::layout::Layout::of(data_layout.or(addresses).or(of_machine));
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
