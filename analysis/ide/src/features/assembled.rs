//! What only the whole file shows: addresses, live registers and the resources of kernels.

use std::sync::Arc;

use wavelens_base::{Dialect, Finding, Options, TextRange, sizes};
use wavelens_check::{check_text, dialect};
use wavelens_codegen::KernelResources;
use wavelens_isa::Target;

use crate::assembly::{Assembled, Assembly, Listing};
use crate::db::View;

/// Checks a document as the command line does. The second value is what hovers and hints read until the next edit.
pub fn check_whole(dialect: Dialect, text: &str, options: &Options) -> (Vec<Finding>, Option<Assembled>) {
    let is_shown = dialect == Dialect::Amdgpu && text.len() < sizes::WITHOUT_REGISTERS;
    let assembled = || Assembled(Arc::new(Listing::new(&Assembly::of_file(text, options))));
    rayon::join(|| check_text(dialect, text, options), || is_shown.then(assembled))
}

/// The kernels of a document with the ranges of their labels, as far as the document was assembled as a whole.
pub fn kernels(view: View<'_>) -> Vec<(TextRange, KernelResources)> {
    if view.dialect() == Dialect::Amdgpu { crate::amdgpu::kernels(view.db, view.file) } else { Vec::new() }
}

/// The processor that a file of assembly is read for.
pub fn assembled_for(view: View<'_>) -> Option<&'static str> {
    match view.scope() {
        dialect::Scope::Amdgpu(scope) => scope.settings.target.map(Target::name),
        _ => None,
    }
}
