//! Outside compilers as processes: a plain request in, a plain report out.
//!
//! Nothing here knows salsa or the protocol. Every process runs without a shell, in a temporary folder, with limits on
//! time, memory and output, and dies with its process group when it is cancelled.

#![warn(missing_docs)]

pub mod asm;
pub mod bitcode;
mod builtins;
pub mod cache;
pub mod compare;
pub mod compiler;
pub mod cycles;
mod diff;
pub mod failed_run;
mod folder;
mod includes;
pub mod lit;
pub mod llc;
pub mod mc;
pub mod opencl;
pub mod passes;
mod printed;
pub mod priority;
pub mod private;
pub mod process;
pub mod radv;
pub mod reason;
pub mod reference;
pub mod remarks;
pub mod report;
pub mod resources;
pub mod start;
pub mod tools;
pub mod trace;
mod translator;

pub use compiler::Compiler;
pub use process::{Cancel, Limits};
pub use report::{
    AddedMove, Allocated, CodeBlock, Cost, Experiments, Failure, Gain, Input, IsaLine, KernelResources,
    Limit, LiveValue, MachineIr, Message, MoveKind, NO_PASSES, Peak, Report, Request, Source, SourceCosts,
    SourceLine,
};
pub use tools::{Tool, Tools};
pub use wavelens_isa::Live;
