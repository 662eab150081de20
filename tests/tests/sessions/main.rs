//! The program as users have it: the command line, sessions with editors, and the tools that it starts.

mod agreement;
mod book;
mod cli;
mod editors;
mod framing;
#[cfg(unix)]
mod helix;
#[cfg(unix)]
mod history;
mod isa_costs;
mod isa_lines;
#[cfg(unix)]
mod isa_session;
mod lsp_session;
mod mir_codegen;
mod mir_session;
mod open_cl;
mod radv;
#[cfg(unix)]
mod reduce;
#[cfg(unix)]
mod reduction;
#[cfg(unix)]
mod report;
#[cfg(target_os = "linux")]
mod running;
mod sarif;
mod schemas;
mod sources;
mod spirv_session;
#[cfg(target_os = "linux")]
mod start;
mod tasks;
#[cfg(unix)]
mod terminal;
#[cfg(unix)]
mod tools;
mod web;
mod workspace;
mod written_code;
