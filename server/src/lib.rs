//! The Wavelens language server and command line: the only place that knows protocol types, lines and columns.

mod advise;
mod allocator;
pub mod cli;
mod compile;
mod file_uri;
mod includes;
mod input;
mod line_index;
mod lit;
pub mod lsp;
mod picture;
mod project;
mod reduce;
mod rule_page;
mod shown;
mod source;
mod tables;
mod target;

pub use line_index::LineIndex;
