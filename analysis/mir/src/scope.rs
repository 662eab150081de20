//! The module: target, embedded IR, machine functions.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;
use wavelens_isa::WaveSize;
use wavelens_isa::mir::{CpuRows, Machine, Tables};
use wavelens_syntax::mir::{ChunkKind, chunk_kind};

use super::ir::{self, FunctionTarget, IrFunction, IrNames, Metadata};
use super::model::Function;
use super::rules;
use wavelens_base::configuration::{AMDGPU_TRIPLE, Configuration, Origin, Stated};
use wavelens_base::{ChunkId, Dialect, Options};
use wavelens_llvm as llvm;

/// What other chunks see of a chunk.
#[derive(Debug, PartialEq)]
pub struct Summary {
    pub(crate) kind: ChunkKind,
    pub(crate) ir: Option<Box<IrNames>>,
    pub(crate) llvm: Option<Arc<llvm::Summary>>,
    /// Name of the machine function.
    pub function: Option<SmolStr>,
    /// What the comments say.
    pub(crate) stated: Stated,
    /// Columns before the first line of embedded IR.
    pub(crate) ir_indentation: Option<u32>,
    /// Whether LLVM stops reading in this chunk.
    pub(crate) ends_input: bool,
}

impl Summary {
    /// Of a chunk's text and what it was lowered to. `ends_input` says whether LLVM stops reading in it.
    pub(super) fn of(
        text: &str,
        ir: Option<&llvm::Lowered>,
        function: Option<&Function>,
        ends_input: bool,
    ) -> Summary {
        Summary {
            kind: chunk_kind(text),
            ir: ir.map(|ir| Box::new(ir::names(ir))),
            llvm: ir.map(llvm::summarize),
            function: function.map(|f| f.properties.name.text.clone()),
            stated: Stated::in_comments(Dialect::Mir, text),
            ir_indentation: rules::ir_indentation::of_chunk(text),
            ends_input,
        }
    }
}

/// Everything that can be named across chunks.
#[derive(Debug, PartialEq)]
pub struct Scope {
    /// `None` for targets that have no tables: rules stay quiet.
    pub machine: Option<Machine>,
    /// A function's own `target-cpu` and `target-features` go first, unless the user asks for a processor.
    pub configuration: Configuration,
    /// What pointers are.
    pub layout: llvm::layout::Layout,
    /// Whether there is an embedded IR module.
    pub has_ir: bool,
    /// Whether the file's first lines have a command that names the target.
    pub(crate) has_command: bool,
    /// Whether addresses have 32 bits on a machine of 64.
    pub(crate) has_short_pointers: bool,
    /// Functions of the IR module, by name without `@`.
    pub functions: FxHashMap<SmolStr, IrFunction>,
    /// Without an IR module, LLVM makes one with the machine functions.
    pub globals: FxHashSet<SmolStr>,
    pub(crate) metadata: FxHashMap<u32, Metadata>,
    pub(crate) group_targets: FxHashMap<u32, FunctionTarget>,
    pub(crate) takes_block_addresses: bool,
    /// Its triple is that of the command line, where there is one.
    pub llvm: llvm::Scope,
    /// Machine functions in order.
    pub machine_functions: Vec<(SmolStr, ChunkId)>,
    /// Columns before the first line of the IR module.
    pub(crate) ir_indentation: Option<u32>,
    /// IR that no `--- |` starts.
    pub(crate) stray_ir: Option<ChunkId>,
    /// IR that follows another document.
    pub(crate) late_ir: Option<ChunkId>,
    /// Chunks after the end of what LLVM reads.
    pub unread: FxHashSet<ChunkId>,
}

/// Builds the module scope.
pub fn scope(summaries: &[(ChunkId, Arc<Summary>)], options: &Options) -> Scope {
    let inner: Vec<_> = summaries.iter().filter_map(|(id, s)| Some((*id, s.llvm.clone()?))).collect();
    let mut stated = Stated::join(summaries.iter().map(|(_, s)| &s.stated));
    stated.triple = summaries.iter().find_map(|(_, s)| s.ir.as_ref()?.triple.clone());
    let mut scope = Scope {
        machine: None,
        configuration: Configuration::decide(Dialect::Mir, &stated, options),
        layout: llvm::layout::Layout::default(),
        has_ir: false,
        has_command: false,
        has_short_pointers: false,
        functions: FxHashMap::default(),
        globals: FxHashSet::default(),
        metadata: FxHashMap::default(),
        group_targets: FxHashMap::default(),
        takes_block_addresses: false,
        llvm: llvm::scope(&inner, options),
        machine_functions: Vec::new(),
        ir_indentation: None,
        stray_ir: None,
        late_ir: None,
        unread: FxHashSet::default(),
    };
    let mut data_layout = None;
    let mut first = true;
    let mut is_unread = false;
    for (id, summary) in summaries {
        if is_unread {
            scope.unread.insert(*id);
            continue;
        }
        is_unread = summary.ends_input;
        match summary.kind {
            ChunkKind::IrStart if !first && scope.late_ir.is_none() => scope.late_ir = Some(*id),
            ChunkKind::IrStart => scope.has_ir = true,
            ChunkKind::IrMore if !scope.has_ir && scope.stray_ir.or(scope.late_ir).is_none() => {
                scope.stray_ir = Some(*id);
            }
            _ => {}
        }
        first &= summary.kind == ChunkKind::Empty;
        if scope.has_ir {
            scope.ir_indentation = scope.ir_indentation.or(summary.ir_indentation);
        }
        if let Some(name) = &summary.function {
            scope.machine_functions.push((name.clone(), *id));
        }
        let Some(ir) = &summary.ir else { continue };
        data_layout = data_layout.or(ir.data_layout.as_deref());
        scope.functions.extend(ir.functions.iter().cloned());
        scope.globals.extend(ir.globals.iter().cloned());
        scope.metadata.extend(ir.metadata.iter().map(|(n, k)| (*n, *k)));
        scope.group_targets.extend(ir.group_targets.iter().map(|(n, t)| (*n, t.clone())));
        scope.takes_block_addresses |= ir.takes_block_addresses;
    }
    if !scope.has_ir {
        scope.globals.extend(scope.machine_functions.iter().map(|(name, _)| name.clone()));
    }
    scope.has_command = scope.configuration.run.as_ref().is_some_and(|run| run.triple.is_some());
    let triple = scope.configuration.triple.as_ref().map_or(AMDGPU_TRIPLE, |t| t.value.as_str()).to_owned();
    scope.machine = Machine::from_triple(&triple);
    scope.has_short_pointers = Machine::has_short_pointers(&triple);
    // llc replaces the triple and the layout with those of its target. If nothing names one, it is that of the host.
    let is_of_host = scope.configuration.run.as_ref().is_some_and(|run| run.triple.is_none())
        && scope.configuration.triple.as_ref().is_none_or(|triple| triple.origin == Origin::Default);
    scope.llvm.triple = (!is_of_host).then(|| triple.clone());
    scope.llvm.configuration = Arc::new(scope.configuration.clone());
    let of_machine = scope.machine.map(|m| m.tables().facts().data_layout.as_str());
    if scope.has_short_pointers {
        data_layout = Some("p:32:32");
    } else if let (Some(layout), Some(true)) = (of_machine, scope.machine.map(Machine::is_uniform)) {
        (scope.llvm.layout, scope.llvm.has_layout) = (llvm::layout::Layout::of(Some(layout)), true);
    }
    let addresses = scope.machine.and_then(|m| m.addresses(&triple));
    scope.layout = llvm::layout::Layout::of(data_layout.or(addresses).or(of_machine));
    scope
}

impl Scope {
    /// What a function's attributes and those of its groups say.
    fn own<'s, T>(
        &'s self,
        function: Option<&'s IrFunction>,
        get: impl Fn(&'s FunctionTarget) -> Option<T>,
    ) -> Option<T> {
        let function = function?;
        let groups = function.groups.iter().filter_map(|group| self.group_targets.get(group));
        std::iter::once(&function.target).chain(groups).find_map(get)
    }

    /// The processor that a function is compiled for.
    pub fn cpu_of<'s>(&'s self, function: Option<&'s IrFunction>) -> Option<&'s str> {
        self.configuration.processor_of(self.own(function, |target| target.cpu.as_deref()))
    }

    /// The VGPRs that a function may use, if its attributes limit them.
    pub(crate) fn vgprs_of(&self, function: Option<&IrFunction>) -> Option<u32> {
        self.own(function, |target| target.vgprs)
    }

    /// The tables' rows for a function.
    pub(crate) fn cpu_rows(&self, machine: Machine, function: Option<&IrFunction>) -> CpuRows {
        let rows = machine.tables().cpu_rows(self.cpu_of(function), self.wave_size_of(function));
        let triple = self.llvm.triple.as_deref().unwrap_or("");
        if machine.has_pointer_classes(triple) { rows } else { rows.without_pointers() }
    }

    /// Whether neither the file nor the user says what the file is for.
    pub(crate) fn is_target_assumed(&self) -> bool {
        self.configuration.triple.is_none() && self.configuration.processor.is_none()
    }

    /// The tables' rows for a machine function.
    pub fn rows_of(&self, function: Option<&Function>, tables: &Tables) -> CpuRows {
        let function = function.and_then(|f| self.functions.get(&f.properties.name.text));
        match self.machine {
            Some(machine) => self.cpu_rows(machine, function),
            None => tables.cpu_rows(self.cpu_of(function), self.wave_size_of(function)),
        }
    }

    /// The wave size that a function is compiled for, where anything but its processor says so.
    pub(crate) fn wave_size_of(&self, function: Option<&IrFunction>) -> Option<WaveSize> {
        let features = self.own(function, |target| target.features.as_deref());
        self.configuration.wave_size_of(features.unwrap_or(""))
    }
}

#[cfg(test)]
mod tests {
    use wavelens_base::{Dialect, Options};
    use wavelens_check::check_text;

    /// The codes found in a function with a comparison that writes a mask of 64 lanes.
    fn codes(run: &str, attributes: &str, options: &Options) -> Vec<&'static str> {
        let text = format!(
            "# RUN: llc -mtriple=amdgcn {run} -run-pass=none -o - %s\n--- |\n  define void @f() {attributes} {{ ret void }}\n...\n\
            ---\nname: f\ntracksRegLiveness: true\nbody: |\n  bb.0:\n    liveins: $vgpr0\n    %0:vgpr_32 = COPY $vgpr0\n    \
            %1:sreg_64 = V_CMP_EQ_U32_e64 %0, %0, implicit $exec\n    S_ENDPGM 0, implicit %1\n...\n"
        );
        check_text(Dialect::Mir, &text, options).into_iter().map(|f| f.rule.code).collect()
    }

    #[test]
    fn the_wave_size_of_run_lines_and_attributes_decides_operand_classes() {
        let none = Options::default();
        let wave64 = "\"target-features\"=\"+wavefrontsize64\"";
        assert_eq!(codes("-mcpu=gfx900", "", &none), [""; 0]);
        assert_eq!(codes("-mcpu=gfx1030", "", &none), ["operand-class"]);
        assert_eq!(codes("-mcpu=gfx1030 -mattr=+wavefrontsize64", "", &none), [""; 0]);
        assert_eq!(codes("-mcpu=gfx1030", wave64, &none), [""; 0]);
        assert_eq!(codes("-mcpu=gfx1030 -mattr=+wavefrontsize32", wave64, &none), ["operand-class"]);
        assert_eq!(codes("", "\"target-cpu\"=\"gfx1100\"", &none), ["operand-class"]);
        // The user's choice is before all of it.
        let asked = Options { target: Some("gfx1030".to_owned()), ..Options::default() };
        assert_eq!(codes("-mcpu=gfx900", "", &asked), ["operand-class"]);
    }
}
