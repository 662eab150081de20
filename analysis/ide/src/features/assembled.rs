//! What only the whole file shows: addresses, live registers and the resources of kernels.

use wavelens_codegen::KernelResources;
use wavelens_isa::Target;
use wavelens_semantics::{Dialect, Finding, Options, TextRange, check_text, dialect, is_plain};

use crate::assembly::{self, Assembled};
use crate::db::View;

/// Checks a document as the command line does. The second value is what hovers and hints read until the next edit.
pub fn settle(dialect: Dialect, text: &str, options: &Options) -> (Vec<Finding>, Option<Assembled>) {
    if dialect != Dialect::Amdgpu {
        return (check_text(dialect, text, options), None);
    }
    let (findings, whole) = assembly::settle(text, options);
    let findings = match is_plain(dialect, text, options) {
        true => findings,
        false => check_text(dialect, text, options),
    };
    (findings, Some(Assembled(whole)))
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
