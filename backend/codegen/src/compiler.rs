//! One function for all external compilers of this machine.

use std::path::{Path, PathBuf};

use crate::cache::Cache;
use crate::cycles::{BlockCycles, block_cycles};
use crate::failed_run::{FailedRun, failed_run};
use crate::llc;
use crate::mc::{self, KnownCosts, Prepared};
use crate::opencl;
use crate::passes::{PassChanges, PassFilter, pass_changes};
use crate::process::{Cancel, Limits};
use crate::radv;
use crate::radv::client::Workers;
use crate::radv::driver::find_driver;
use crate::remarks::{Remarks, remarks};
use crate::report::{Failure, MachineIr, Message, NO_PASSES, Report, Request, Source};
use crate::tools::Tools;
use crate::trace::{PassStates, pass_states};

/// What was found, and what is kept between compilations.
#[derive(Debug)]
pub struct Compiler {
    /// The programs that were found.
    pub tools: Tools,
    radv: Option<Workers>,
    cache: Option<Cache>,
    costs: KnownCosts,
}

impl Compiler {
    /// Searches the tools. `worker` is the program that becomes a driver's worker with the argument
    /// `radv-worker`; without one, no SPIR-V is compiled for Vulkan.
    pub fn find(folder: Option<&Path>, worker: Option<PathBuf>, cache: Option<Cache>) -> Compiler {
        let radv = worker
            .zip(find_driver(None))
            .map(|(program, driver)| Workers::new(program, vec!["radv-worker".to_owned()], driver));
        Compiler { tools: Tools::find(folder), radv, cache, costs: KnownCosts::default() }
    }

    /// What one pass of `llc` (`-run-pass` among the request's flags) makes of Machine IR. Blocks.
    ///
    /// # Errors
    /// As [`Compiler::compile`].
    pub fn run_pass(
        &self,
        request: &Request,
        limits: &Limits,
        cancel: &Cancel,
    ) -> Result<MachineIr, Failure> {
        llc::machine_ir(request, &self.tools, limits, cancel)
    }

    /// Compiles, or answers from the cache. Blocks until the compiler ends, is cancelled, or meets a limit.
    pub fn compile(&self, request: &Request, limits: &Limits, cancel: &Cancel) -> Result<Report, Failure> {
        let cached = self.cache.as_ref().zip(self.identity(request));
        if let Some(report) = cached.as_ref().and_then(|(cache, tools)| cache.get(request, tools)) {
            return Ok(report);
        }
        let report = self.run(request, limits, cancel)?;
        if let Some((cache, tools)) = cached.filter(|_| !report.is_partial()) {
            cache.put(request, &tools, &report);
        }
        Ok(report)
    }

    /// The Machine IR after a pass of `llc`. Blocks.
    pub fn run_to(
        &self,
        request: &Request,
        pass: &str,
        limits: &Limits,
        cancel: &Cancel,
    ) -> Result<MachineIr, Failure> {
        match request.source {
            Source::LlvmIr | Source::Mir => {
                let mut request = request.clone();
                request.flags.push(format!("-stop-after={pass}"));
                let made = llc::machine_ir(&request, &self.tools, limits, cancel)?;
                made.missing_stop.clone().map_or(Ok(made), |problem| Err(Failure::NotCompiled(problem)))
            }
            _ => Err(Failure::NotCompiled(NO_PASSES.to_owned())),
        }
    }

    /// What `llvm-mc`, where present, has against assembly whose encodings the report holds: a message for each that differs.
    ///
    /// # Errors
    /// Only when cancelled: what the program cannot read, it says nothing about.
    pub fn confirm(&self, report: &mut Report, limits: &Limits, cancel: &Cancel) -> Result<(), Failure> {
        let Some(llvm_mc) = self.tools.llvm_mc() else { return Ok(()) };
        match mc::confirm(report, llvm_mc, limits, cancel) {
            Ok(messages) => report.messages.extend(messages),
            Err(Failure::Cancelled) => return Err(Failure::Cancelled),
            Err(Failure::Rejected(messages)) => {
                report.messages.extend(messages.into_iter().map(|m| Message {
                    is_error: false,
                    text: format!("llvm-mc refuses this, the built-in assembler does not: {}", m.text),
                    ..m
                }))
            }
            Err(_) => {}
        }
        Ok(())
    }

    /// Starts `llvm-mca`, where present, for what a compilation will make: [`Compiler::add_costs`] gives it the assembly. Nothing is
    /// started for a target of which costs are known.
    pub fn prepare_costs(
        &self,
        target: &str,
        lanes: u32,
        limits: &Limits,
        cancel: &Cancel,
    ) -> Option<Prepared> {
        self.costs.prepare(target, lanes, self.tools.llvm_mca()?, limits, cancel)
    }

    /// Adds what `llvm-mca`, where present, says each line costs. It runs only for instructions that were not asked about before.
    ///
    /// # Errors
    /// Only when cancelled: what the program cannot read, it says nothing about.
    pub fn add_costs(
        &self,
        report: &mut Report,
        prepared: Option<Prepared>,
        limits: &Limits,
        cancel: &Cancel,
    ) -> Result<(), Failure> {
        let Some(llvm_mca) = self.tools.llvm_mca().filter(|_| report.foreign.is_empty()) else {
            return Ok(());
        };
        match self.costs.add(report, llvm_mca, prepared, limits, cancel) {
            Err(Failure::Cancelled) => Err(Failure::Cancelled),
            _ => Ok(()),
        }
    }

    /// What `llvm-mca` says of the blocks of a report, in their order.
    ///
    /// # Errors
    /// Without the program, and when it could not be run to its end or refuses the text.
    pub fn block_cycles(
        &self,
        report: &Report,
        limits: &Limits,
        cancel: &Cancel,
    ) -> Result<Vec<Option<BlockCycles>>, Failure> {
        let llvm_mca = self.tools.llvm_mca().ok_or_else(|| Failure::NoTool(self.tools.missing_llvm_mca()))?;
        block_cycles(report, llvm_mca, limits, cancel)
    }

    /// What each pass of a compilation changed.
    pub fn pass_changes(
        &self,
        request: &Request,
        filter: &PassFilter,
        limits: &Limits,
        cancel: &Cancel,
    ) -> Result<PassChanges, Failure> {
        match request.source {
            Source::LlvmIr | Source::Mir => pass_changes(request, &self.tools, filter, limits, cancel),
            _ => Err(Failure::NotCompiled(NO_PASSES.to_owned())),
        }
    }

    /// What the passes of a compilation report.
    ///
    /// # Errors
    /// As [`Compiler::compile`].
    pub fn remarks(&self, request: &Request, limits: &Limits, cancel: &Cancel) -> Result<Remarks, Failure> {
        match request.source {
            Source::LlvmIr | Source::Mir => remarks(request, &self.tools, limits, cancel),
            _ => Err(Failure::NotCompiled(NO_PASSES.to_owned())),
        }
    }

    /// A compilation that fails, run again for a report.
    ///
    /// # Errors
    /// Where LLVM's programs do not compile the request, or nothing fails.
    pub fn failed_run(&self, request: &Request, limits: &Limits) -> Result<FailedRun, Failure> {
        match request.source {
            Source::LlvmIr | Source::Mir => failed_run(request, &self.tools, limits),
            _ => Err(Failure::NotCompiled(NO_PASSES.to_owned())),
        }
    }

    /// One function as each pass of a compilation left it.
    ///
    /// # Errors
    /// As [`Compiler::pass_changes`].
    pub fn pass_states(
        &self,
        request: &Request,
        function: &str,
        limits: &Limits,
        cancel: &Cancel,
    ) -> Result<PassStates, Failure> {
        match request.source {
            Source::LlvmIr | Source::Mir => pass_states(request, &self.tools, function, limits, cancel),
            _ => Err(Failure::NotCompiled(NO_PASSES.to_owned())),
        }
    }

    fn run(&self, request: &Request, limits: &Limits, cancel: &Cancel) -> Result<Report, Failure> {
        match request.source {
            Source::LlvmIr | Source::Mir => llc::compile(request, &self.tools, limits, cancel),
            Source::Vulkan => {
                let workers = self.radv.as_ref().ok_or_else(|| Failure::NoTool(Tools::missing_radv()))?;
                radv::compile(request, workers, limits, cancel)
            }
            // It is the ISA itself; whoever reads the report encodes it.
            Source::Assembly => Ok(Report {
                target: request.target.clone(),
                isa: String::from_utf8_lossy(&request.input.bytes()).into_owned(),
                command: "the built-in assembler".to_owned(),
                ..Report::default()
            }),
            Source::OpenCl => opencl::compile(request, &self.tools, limits, cancel),
        }
    }

    /// What compiles a request, with its version; `None` where nothing is kept.
    fn identity(&self, request: &Request) -> Option<String> {
        match request.source {
            Source::LlvmIr | Source::Mir => self.tools.llc()?.identity(),
            Source::Vulkan => {
                let driver = self.radv.as_ref()?.driver();
                let modified = driver.metadata().and_then(|m| m.modified()).ok()?;
                Some(format!("{} {modified:?}", driver.display()))
            }
            Source::OpenCl => {
                let tools = [self.tools.llvm_spirv(), self.tools.opt(), self.tools.llc()];
                let names: Option<Vec<String>> = tools.iter().map(|tool| (*tool)?.identity()).collect();
                Some(names?.join(" "))
            }
            Source::Assembly => None,
        }
    }
}
