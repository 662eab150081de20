//! Answers for editors, in byte offsets of the file.
//!
//! A dialect answers for one chunk, with ranges relative to it, in the file of the same name in its folder
//! (`llvm/hover.rs`, ...). The drivers here find the chunk, choose the dialect with one `match` ([`ask!`]), and move the answer
//! into the file. Definition, references, highlights, rename and call hierarchy are shared code over
//! [`Occurrence`](crate::answers::Occurrence)s: a dialect only lists the names in a chunk.

mod actions;
mod assembled;
mod calls;
mod check_lines;
mod completion;
mod flow;
mod folding;
mod followers;
mod formatting;
mod harmless;
mod hints;
mod hover;
mod linkage;
mod live;
mod navigation;
mod outline;
mod rename;
mod respellings;
mod selection;
mod signature;
mod source;
mod test_lines;
mod tokens;
mod trial;
mod unused;
mod usage;

#[cfg(test)]
mod hostile_names;
#[cfg(test)]
mod size_tests;
#[cfg(test)]
pub(crate) mod tests;

pub use crate::answers::*;
pub use crate::assembly::Assembled;
pub use actions::{actions, offers};
pub use assembled::{assembled_for, check_whole, kernels};
pub use calls::{Call, Callable, call_items, incoming_calls, outgoing_calls};
pub use completion::complete;
pub use flow::{flow, flows, nearest_flow};
pub use folding::folds;
pub use formatting::{LeftAlone, format, format_text, left_alone};
pub use hints::hints;
pub use hover::hover;
pub use linkage::{LinkedName, linked_name_at, linked_names, linked_places};
pub use live::live_map;
pub(crate) use navigation::occurrence_at;
pub use navigation::{Target, declaration, definition, highlights, references};
pub use outline::{document_outline, enclosing_symbol, is_meant, outline, workspace_symbols};
pub use rename::{prepare_rename, rename};
pub use respellings::respellings;
pub use selection::{selection_ranges, syntax_tree};
pub use signature::signature;
pub use source::{code_of_source, source_links, source_place};
pub use tokens::tokens;
pub use trial::{Difference, Trial};

/// Asks the chunk's dialect: `ask!(view, index, hover::hover(offset))` calls `crate::<dialect>::hover::hover(&cx, offset)`, and gives
/// `None` if the chunk does not exist.
macro_rules! ask {
    ($view:expr, $index:expr, $file:ident :: $function:ident ( $($argument:expr),* )) => {{
        use wavelens_check::dialect::{Lowered, Scope};
        let view: crate::db::View<'_> = $view;
        let index: usize = $index;
        match view.chunks().get(index) {
            None => None,
            Some(chunk) => match (view.lowered(*chunk), view.scope()) {
                (Lowered::Llvm(l), Scope::Llvm(s)) => {
                    Some(crate::llvm::$file::$function(&crate::answers::ChunkCx::new(view, index, *chunk, l, s) $(, $argument)*))
                }
                (Lowered::Mir(l), Scope::Mir(s)) => {
                    Some(crate::mir::$file::$function(&crate::answers::ChunkCx::new(view, index, *chunk, l, s) $(, $argument)*))
                }
                (Lowered::Spirv(l), Scope::Spirv(s)) => {
                    Some(crate::spirv::$file::$function(&crate::answers::ChunkCx::new(view, index, *chunk, l, s) $(, $argument)*))
                }
                (Lowered::Amdgpu(l), Scope::Amdgpu(s)) => {
                    Some(crate::amdgpu::$file::$function(&crate::answers::ChunkCx::new(view, index, *chunk, l, s) $(, $argument)*))
                }
                _ => None,
            },
        }
    }};
}
pub(crate) use ask;
