//! The Wavelens language server and command line: the only place that knows protocol types, lines and columns.

mod advise;
#[cfg(feature = "allocator")]
mod allocator;
mod checked;
#[cfg(not(target_family = "wasm"))]
pub mod cli;
mod clock;
mod compile;
pub mod embedded;
mod file_uri;
mod includes;
mod input;
mod left_alone;
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
mod written_code;

#[cfg(target_family = "wasm")]
pub use clock::set_now;
pub use line_index::LineIndex;
