//! What is asked of a compiler, and what it answered: plain data.

use std::borrow::Cow;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use wavelens_isa::Live;

use crate::remarks::Remark;

/// What is wrong with a request to follow a text of another language through passes.
pub const NO_PASSES: &str = "only LLVM IR and Machine IR go through passes";

/// What language a request is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Source {
    /// `.ll`, as text.
    LlvmIr,
    /// `.mir`, as text.
    Mir,
    /// AMDGPU assembly, as text.
    Assembly,
    /// SPIR-V for Vulkan, as words.
    Vulkan,
    /// SPIR-V for OpenCL, as words.
    OpenCl,
}

/// What is compiled.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Input {
    /// Its debug locations carry the lines of the user's text, counted from 1.
    Text(String),
    /// A SPIR-V module that the checker has accepted, header first.
    Words(Vec<u32>),
}

impl Input {
    /// As bytes for a program's standard input.
    pub fn bytes(&self) -> Cow<'_, [u8]> {
        match self {
            Input::Text(text) => Cow::Borrowed(text.as_bytes()),
            Input::Words(words) => words.iter().flat_map(|w| w.to_le_bytes()).collect::<Vec<u8>>().into(),
        }
    }
}

/// One compilation. Equal requests give equal reports.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Request {
    /// The language of the input.
    pub source: Source,
    /// What is compiled.
    pub input: Input,
    /// `gfx1100` and the like; empty for the compiler's own choice.
    pub target: String,
    /// `+wavefrontsize64`, in order; a later one wins.
    pub features: Vec<String>,
    /// The target triple; empty for that of the text.
    pub triple: String,
    /// 0 to 3.
    pub opt_level: u8,
    /// Flags for `llc` beyond the usual, from a fixed list of harmless ones.
    pub flags: Vec<String>,
    /// A pipeline that `opt` runs first (`default<O2>`); empty: none.
    pub passes: String,
    /// Target and flags of `opt`, passes in the old syntax among them; `None`: the target of the request.
    pub opt_flags: Option<Vec<String>>,
}

impl Request {
    /// Whether `opt` changes the text first.
    pub(crate) fn runs_opt(&self) -> bool {
        let flags = self.opt_flags.as_ref().is_some_and(|flags| !flags.is_empty());
        self.source == Source::LlvmIr && (flags || !self.passes.is_empty())
    }
}

/// A compiler's answer. All lines count from 0.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Default)]
pub struct Report {
    /// The processor.
    pub target: String,
    /// The triple of code that is not for AMDGPU: only its lines are known. Empty otherwise.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub foreign: String,
    /// Assembly without line directives and debug sections; where `ends_at` is set, what the compiler prints then.
    pub isa: String,
    /// The option that ends compilation before assembly.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub ends_at: Option<String>,
    /// The instructions of `isa`, ascending by line.
    pub lines: Vec<IsaLine>,
    /// What the user's lines compiled to, ascending by line.
    pub sources: Vec<SourceLine>,
    /// In the order of the assembly.
    pub kernels: Vec<KernelResources>,
    /// From each of these lines of `isa` on, the lanes of a wave (32 or 64), where the assembly does not say.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub lanes: Vec<(u32, u32)>,
    /// The basic blocks of `isa`, ascending by line.
    #[serde(skip)]
    pub blocks: Vec<CodeBlock>,
    /// What the compiler said: warnings, remarks.
    pub messages: Vec<Message>,
    /// What passes did or could not do, if that was asked for.
    #[serde(skip)]
    pub remarks: Vec<Remark>,
    /// The command, as one could type it.
    pub command: String,
    /// Milliseconds that the compiler ran.
    pub milliseconds: u64,
    /// How the source lines were found, where the compiler names none.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub experiments: Option<Experiments>,
}

/// Compilations of a module with one operation replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Experiments {
    /// Operations for which there was time.
    pub tried: u32,
    /// Operations that can be replaced.
    pub possible: u32,
}

impl Report {
    /// Whether another run may find more.
    pub(crate) fn is_partial(&self) -> bool {
        self.experiments.is_some_and(|e| e.tried < e.possible)
    }

    /// Adds the report of the same text for another processor.
    pub fn append(&mut self, other: Report) {
        if self.isa.is_empty() {
            *self = other;
            return;
        }
        if self.lanes.is_empty() != other.lanes.is_empty() || other.target != self.target {
            self.target = format!("{}, {}", self.target, other.target);
        }
        let lines = u32::try_from(self.isa.lines().count()).unwrap_or(u32::MAX);
        let moved = |line: IsaLine| IsaLine { line: line.line + lines, ..line };
        self.isa.push_str(&other.isa);
        self.lines.extend(other.lines.into_iter().map(moved));
        self.lanes.extend(other.lanes.into_iter().map(|(line, lanes)| (line + lines, lanes)));
        let moved = |b: CodeBlock| CodeBlock { first: b.first + lines, last: b.last + lines, ..b };
        self.blocks.extend(other.blocks.into_iter().map(moved));
        self.kernels.extend(other.kernels);
        self.messages.extend(other.messages);
        self.milliseconds += other.milliseconds;
        self.command = format!("{}; {}", self.command, other.command);
        // A function that several others reach is compiled with each.
        for line in other.sources {
            if !self.sources.iter().any(|own| own.line == line.line) {
                self.sources.push(line);
            }
        }
        self.sources.sort_by_key(|line| line.line);
    }
}

/// The part of a report about the user's lines and kernels, which hints in the source need. Lines count from 0.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SourceCosts {
    /// The processor; empty if it is not known.
    pub target: String,
    /// Ascending by line.
    pub sources: Vec<SourceLine>,
    /// Lines in the assembly are those of the report.
    pub kernels: Vec<KernelResources>,
    /// Those with a line.
    pub remarks: Vec<Remark>,
}

impl SourceCosts {
    /// Follows an edit that put `added` lines in place of the `removed` lines after `line`. What was said about lines that the
    /// edit touched stays with the first of them.
    pub fn shift(&mut self, line: u32, removed: u32, added: u32) {
        if removed == added {
            return;
        }
        let moved = |at: u32| match at {
            at if at <= line => Some(at),
            at if at <= line + removed => None,
            at => Some(at - removed + added),
        };
        self.sources.retain_mut(|s| moved(s.line).map(|at| s.line = at).is_some());
        self.remarks.iter_mut().for_each(|r| r.line = r.line.and_then(moved));
        for peak in self.kernels.iter_mut().filter_map(|k| k.peak.as_mut()) {
            peak.source = peak.source.and_then(moved);
            for value in &mut peak.values {
                value.source = value.source.and_then(moved);
                value.last_source = value.last_source.and_then(moved);
            }
        }
        for added in self.kernels.iter_mut().flat_map(|k| &mut k.moves) {
            added.source = added.source.and_then(moved);
        }
    }
}

impl Report {
    /// What hints in the source need.
    pub fn source_costs(&self) -> SourceCosts {
        SourceCosts {
            target: self.target.clone(),
            sources: self.sources.clone(),
            kernels: self.kernels.clone(),
            remarks: self.remarks.iter().filter(|r| r.line.is_some()).cloned().collect(),
        }
    }

    /// The lines of `isa` that come from a line of the user's text.
    pub fn isa_lines_of(&self, source: u32) -> impl Iterator<Item = u32> + '_ {
        self.lines.iter().filter(move |l| l.source == Some(source)).map(|l| l.line)
    }
}

/// One instruction. Compilers say its line; encoding and live registers come from reading the assembly again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Default)]
pub struct IsaLine {
    /// Of the assembly, counted from 0.
    pub line: u32,
    /// Line of the user's text that it comes from.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub source: Option<u32>,
    /// Bytes in memory order, lower-case hex; bytes that a relocation fills are 0. Empty: not known.
    pub encoding: String,
    /// Registers that hold values when it starts.
    pub live: Live,
    /// Number of the instruction in the built-in table, the same whatever its operands; none where a macro made several.
    #[serde(skip)]
    pub opcode: Option<u16>,
    /// Where the scheduling model knows it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub cost: Option<Cost>,
}

impl IsaLine {
    /// Bytes.
    pub fn size(&self) -> u32 {
        (self.encoding.len() / 2) as u32
    }
}

/// What the scheduling model says of an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Cost {
    /// Cycles until its result can be used.
    pub latency: u32,
    /// Cycles before the next of its kind can start.
    pub throughput: f64,
}

/// What a line of the user's text compiled to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
pub struct SourceLine {
    /// Counted from 0.
    pub line: u32,
    /// How many came of it.
    pub instructions: u32,
    /// Their encodings, in bytes.
    pub bytes: u32,
    /// The most that is live at any of its instructions.
    pub live: Live,
}

/// What one kernel or function takes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
pub struct KernelResources {
    /// As the assembly has it.
    pub name: String,
    /// Vector registers.
    pub vgprs: u32,
    /// Accumulation registers.
    pub agprs: u32,
    /// Scalar registers.
    pub sgprs: u32,
    /// Vector registers that were spilled to memory.
    pub vgpr_spills: u32,
    /// Scalar registers that were spilled.
    pub sgpr_spills: u32,
    /// Bytes per lane.
    pub scratch: u32,
    /// Bytes per workgroup.
    pub lds: u32,
    /// Bytes.
    pub code_size: u32,
    /// Waves per SIMD; 0: not known.
    pub occupancy: u32,
    /// Lanes of a wave; 0: not known.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub wave_size: u32,
    /// What keeps it from more waves.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub limit: Option<Limit>,
    /// How much less of what limits it gives more waves.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub gain: Option<Gain>,
    /// What a wave takes out of the file of vector registers, where the processor is known.
    #[serde(skip)]
    pub allocated: Option<Allocated>,
    /// Where most vector registers are live.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub peak: Option<Peak>,
    /// Spills, reloads and copies of vector registers.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub moves: Vec<AddedMove>,
}

impl KernelResources {
    /// The registers that it uses: what lens, hints, hovers and views call used.
    pub fn registers(&self) -> Live {
        Live { vgprs: self.vgprs, agprs: self.agprs, sgprs: self.sgprs }
    }

    /// Registers that are kept in memory for a while.
    pub fn spills(&self) -> u32 {
        self.vgpr_spills + self.sgpr_spills
    }
}

/// Vector registers that a wave takes out of the register file: those that are used, of both kinds, rounded up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Allocated {
    /// How many registers of a lane.
    pub vgprs: u32,
    /// The number is a multiple of this.
    pub granule: u32,
}

pub(crate) fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// What limits the waves on a SIMD.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Limit {
    /// As many as the hardware takes.
    Hardware,
    /// Vector registers.
    Vgprs,
    /// Scalar registers.
    Sgprs,
    /// Local memory.
    Lds,
    /// The size of workgroups or an attribute.
    Workgroup,
}

impl Limit {
    /// As it is shown: `VGPRs`, `LDS`.
    pub fn name(self) -> &'static str {
        match self {
            Limit::Hardware => "hardware",
            Limit::Vgprs => "VGPRs",
            Limit::Sgprs => "SGPRs",
            Limit::Lds => "LDS",
            Limit::Workgroup => "workgroup",
        }
    }
}

/// How far away more waves are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gain {
    /// So much less of what limits them: registers, or bytes of LDS.
    pub fewer: u32,
    /// Gives so many more waves on each SIMD.
    pub more: u32,
}

impl Gain {
    /// As it is shown: `16 fewer give 4 more waves`, `512 fewer bytes give one more wave`.
    pub fn text(self, limit: Option<Limit>) -> String {
        let (of, verb) = match (limit, self.fewer) {
            (Some(Limit::Lds), 1) => (" byte", "gives"),
            (Some(Limit::Lds), _) => (" bytes", "give"),
            (_, 1) => ("", "gives"),
            _ => ("", "give"),
        };
        let more =
            if self.more == 1 { "one more wave".to_owned() } else { format!("{} more waves", self.more) };
        format!("{} fewer{of} {verb} {more}", self.fewer)
    }
}

/// The place of a kernel with the most live vector registers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
pub struct Peak {
    /// Line of the assembly.
    pub line: u32,
    /// Line of the user's text that the place comes from.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub source: Option<u32>,
    /// How many registers are live there.
    pub live: Live,
    /// The most of each file that are live at once: scalar registers may have theirs elsewhere.
    #[serde(default)]
    pub most: Live,
    /// The vector registers that are live there, in order.
    pub values: Vec<LiveValue>,
}

/// Registers that one instruction wrote and that are live later.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
pub struct LiveValue {
    /// `v3` or `v[4:7]`.
    pub registers: String,
    /// Line of the assembly whose instruction wrote it; none for what is live at the start.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub written: Option<u32>,
    /// Line of the user's text that this instruction comes from.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub source: Option<u32>,
    /// How many registers.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub size: u32,
    /// How many more instructions can have written it, on other paths.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub other_writers: u32,
    /// Line of the assembly with the last instruction that can read it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub last_used: Option<u32>,
    /// Line of the user's text that this instruction comes from.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub last_source: Option<u32>,
}

/// How a value is moved without being computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MoveKind {
    /// From a register to memory.
    Spill,
    /// From memory to a register.
    Reload,
    /// From register to register.
    Copy,
}

/// A spill, reload or copy that the compiler added: no line of the user's text asks for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AddedMove {
    /// Which of them.
    pub kind: MoveKind,
    /// Line of the assembly.
    pub line: u32,
    /// `v3` or `v[4:7]`.
    pub registers: String,
    /// Line of the user's text that computed the value, or for a reload, that first reads it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub source: Option<u32>,
}

/// Machine IR that `llc` has made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MachineIr {
    /// As `llc` prints it.
    pub text: String,
    /// What ran, as it could be typed.
    pub command: String,
    /// Why `llc` did not stop where it was told to; the text is what was there at its end.
    pub missing_stop: Option<String>,
}

/// A basic block of the assembly.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
pub struct CodeBlock {
    /// The function or kernel.
    pub function: String,
    /// Its label, or `entry`, or the line that it starts at.
    pub name: String,
    /// Line of the assembly with its first instruction.
    pub first: u32,
    /// Line of the assembly with its last instruction.
    pub last: u32,
    /// Names of the blocks at which the loops around it start, outermost first.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub loops: Vec<String>,
    /// It is all of a loop.
    pub repeats: bool,
}

/// Something the compiler said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// Line of the user's text, counted from 0, where the compiler named one.
    pub line: Option<u32>,
    /// An error, and not a warning or a remark.
    pub is_error: bool,
    /// Without position and severity.
    pub text: String,
}

/// Why the report is missing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Failure {
    /// No tool: the sentence says what to install.
    NoTool(String),
    /// No compiler is asked: the sentence says what the document or the configuration lacks.
    NotCompiled(String),
    /// A driver does not take the module: a sentence without a place in the text.
    Refused(String),
    /// The compiler does not accept the input.
    Rejected(Vec<Message>),
    /// The compiler died; the function it was at, if it said so.
    Crashed {
        /// The signal, or the cause that it wrote.
        reason: String,
        /// Without sigil.
        function: Option<String>,
        /// Line of the user's text, counted from 0, where the compiler named an instruction.
        line: Option<u32>,
    },
    /// It took longer than the limit.
    TimedOut,
    /// It wrote more than the limit.
    TooMuchOutput,
    /// The caller did not wait for it.
    Cancelled,
    /// The program could not be started.
    NotStarted {
        /// Its path.
        program: PathBuf,
        /// What the system says.
        reason: String,
    },
}

impl Failure {
    /// One sentence for the user.
    pub fn sentence(&self) -> String {
        match self {
            // Nothing can be installed there.
            Failure::NoTool(_) if cfg!(target_family = "wasm") => {
                "this needs a compiler, and a browser has none: use Wavelens on a desktop for it".to_owned()
            }
            Failure::NoTool(sentence) | Failure::NotCompiled(sentence) => sentence.clone(),
            Failure::Refused(problem) => format!("the driver refuses the module: {problem}"),
            Failure::Rejected(messages) => match messages.first() {
                Some(Message { line: Some(line), text, .. }) => {
                    format!("the compiler refused line {}: {text}", line + 1)
                }
                Some(m) => format!("the compiler refused the input: {}", m.text),
                None => "the compiler refused the input".to_owned(),
            },
            Failure::Crashed { reason, line: Some(line), .. } => {
                let reason = reason.strip_prefix("LLVM ERROR: ").unwrap_or(reason);
                format!("the compiler refused line {}: {reason}", line + 1)
            }
            Failure::Crashed { reason, function, line: None } => {
                // A cause that LLVM tells is not a crash, whatever it ends with.
                let (verb, words) = match reason.strip_prefix("LLVM ERROR: ") {
                    Some(words) => ("fails", words),
                    None if reason.starts_with("Bad machine code") => ("fails", reason.as_str()),
                    None => ("crashed", reason.as_str()),
                };
                let place = function.as_ref().map(|f| format!(" in `{f}`")).unwrap_or_default();
                format!("the compiler {verb}{place}: {words}")
            }
            Failure::TimedOut => "the compiler took too long and was stopped".to_owned(),
            Failure::TooMuchOutput => "the compiler wrote too much and was stopped".to_owned(),
            Failure::Cancelled => "cancelled".to_owned(),
            Failure::NotStarted { program, reason } => format!("{}: {reason}", program.display()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_follow_edits() {
        let line = |line| SourceLine { line, ..SourceLine::default() };
        let mut costs =
            SourceCosts { sources: vec![line(1), line(2), line(3), line(9)], ..Default::default() };
        costs.shift(2, 0, 2);
        let lines = |c: &SourceCosts| c.sources.iter().map(|s| s.line).collect::<Vec<_>>();
        assert_eq!(lines(&costs), [1, 2, 5, 11]);
        costs.shift(1, 4, 0);
        assert_eq!(lines(&costs), [1, 7]);
    }
}
