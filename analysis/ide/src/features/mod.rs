//! Answers for editors, in byte offsets of the file.
//!
//! A dialect answers for one chunk, with ranges relative to it, in the file of the same name in its folder
//! (`llvm/hover.rs`, ...). The drivers here find the chunk, choose the dialect with one `match` ([`ask!`]), and move the answer
//! into the file. Definition, references, highlights, rename and call hierarchy are shared code over
//! [`Occurrence`]s: a dialect only lists the names in a chunk.

mod actions;
mod assembled;
mod calls;
mod completion;
mod context;
mod flow;
mod folding;
mod hints;
mod hover;
mod navigation;
mod occurrence;
mod outline;
mod rename;
mod selection;
mod signature;
mod tokens;

#[cfg(test)]
pub(crate) mod tests;

pub use actions::{Action, ActionKind, actions};
pub use assembled::{Assembled, kernels, settle};
pub use calls::{Call, Callable, call_items, incoming_calls, outgoing_calls};
pub use completion::{Completion, CompletionKind, Completions, complete};
pub use context::ChunkCx;
pub use flow::{Flow, FlowEdge, FlowNode, flow, flows, nearest_flow};
pub use folding::{Fold, FoldKind, folds};
pub use hints::{Hint, HintKind, hints};
pub use hover::{Hover, hover};
pub use navigation::{Target, declaration, definition, highlights, occurrence_at, references};
pub use occurrence::{Occurrence, Role, Space, SymbolKey};
pub use outline::{Symbol, SymbolKind, enclosing_symbol, outline, workspace_symbols};
pub use rename::{prepare_rename, rename};
pub use selection::{selection_ranges, syntax_tree};
pub use signature::{Signature, signature};
pub use tokens::{TokenKind, TokenModifiers, TokenSpan, tokens};

/// Asks the chunk's dialect: `ask!(view, index, hover::hover(offset))` calls `crate::<dialect>::hover::hover(&cx, offset)`, and gives
/// `None` when there is no such chunk.
macro_rules! ask {
    ($view:expr, $index:expr, $file:ident :: $function:ident ( $($argument:expr),* )) => {{
        use wavelens_semantics::dialect::{Lowered, Scope};
        let view: crate::db::View<'_> = $view;
        let index: usize = $index;
        match view.chunks().get(index) {
            None => None,
            Some(chunk) => match (view.lowered(*chunk), view.scope()) {
                (Lowered::Llvm(l), Scope::Llvm(s)) => {
                    Some(crate::llvm::$file::$function(&crate::features::ChunkCx::new(view, index, *chunk, l, s) $(, $argument)*))
                }
                (Lowered::Mir(l), Scope::Mir(s)) => {
                    Some(crate::mir::$file::$function(&crate::features::ChunkCx::new(view, index, *chunk, l, s) $(, $argument)*))
                }
                (Lowered::Spirv(l), Scope::Spirv(s)) => {
                    Some(crate::spirv::$file::$function(&crate::features::ChunkCx::new(view, index, *chunk, l, s) $(, $argument)*))
                }
                (Lowered::Amdgpu(l), Scope::Amdgpu(s)) => {
                    Some(crate::amdgpu::$file::$function(&crate::features::ChunkCx::new(view, index, *chunk, l, s) $(, $argument)*))
                }
                _ => None,
            },
        }
    }};
}
pub(crate) use ask;
