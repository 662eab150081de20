//! Meaning of Machine IR.
//!
//! [`lower`] turns a machine function into flat arrays without knowing its target ([`model::Function`]); embedded IR goes to the
//! LLVM dialect. [`scope::Scope`] knows the target and the names of the IR module; [`context::RuleContext`] joins the two, and rules read it.

#![warn(missing_docs)]

pub mod context;
pub mod ir;
pub mod lower;
pub mod model;
pub mod reduce;
pub mod rules;
pub mod scope;

use std::sync::Arc;

use wavelens_syntax::machine::Parse;
use wavelens_syntax::mir::{MirKind, ir_text};

pub use rules::ALL as RULES;
pub use scope::{Scope, Summary, scope};

use wavelens_base::{ChunkId, Diagnostic, ModuleDiagnostic, TextRange, TextSize};
use wavelens_llvm as llvm;

/// A lowered chunk.
#[derive(Debug)]
pub struct Lowered {
    summary: Arc<Summary>,
    /// A part of the embedded IR module.
    pub ir: Option<Box<llvm::Lowered>>,
    /// The machine function, where the chunk is one.
    pub function: Option<model::Function>,
    /// An unknown YAML directive, where LLVM stops reading.
    unread: Option<TextRange>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    target_diagnostics: Vec<(&'static [wavelens_isa::mir::Machine], Diagnostic)>,
}

/// Reads a chunk: a machine function, or a part of the IR module.
pub fn lower(text: &str) -> Lowered {
    let parse = wavelens_syntax::mir::parse(text);
    let document = lower::lower(parse.root(text), yaml_error(&parse, text));
    finish(parse, document, text)
}

fn finish(parse: Parse<MirKind>, document: lower::Document, text: &str) -> Lowered {
    let ir = ir_text(text).map(|ir| llvm::lower(&ir));
    let documents = parse.root(text).children().filter(|node| node.kind() == MirKind::DOCUMENT);
    let unread = { documents }.find_map(|document| document.token(MirKind::UNREAD)).map(|token| {
        let line = token.text().lines().next().unwrap_or("");
        TextRange::at(token.range().start(), TextSize::of(line))
    });
    let mut diagnostics = parse.errors;
    diagnostics.extend(document.diagnostics);
    let mut function = document.function;
    if let Some(function) = &mut function {
        function.shrink();
    }
    let summary = Summary::of(text, ir.as_ref(), function.as_ref(), unread.is_some());
    Lowered {
        summary: Arc::new(summary),
        ir: ir.map(Box::new),
        function,
        unread,
        diagnostics,
        target_diagnostics: document.target,
    }
}

/// The first syntax error outside the body: LLVM does not read the YAML after it.
fn yaml_error(parse: &Parse<MirKind>, text: &str) -> Option<TextSize> {
    let body = parse
        .root(text)
        .descendants()
        .find(|n| n.kind() == wavelens_syntax::mir::MirKind::BODY)
        .map(|n| n.range());
    let outside = parse.errors.iter().filter(|e| !body.is_some_and(|b| b.contains_range(e.range)));
    outside.map(|e| e.range.start()).min()
}

/// What other chunks can see.
pub fn summarize(lowered: &Lowered) -> Arc<Summary> {
    lowered.summary.clone()
}

/// All findings about one chunk.
pub fn check(lowered: &Lowered, scope: &Scope, chunk: ChunkId, text: &str) -> Vec<Diagnostic> {
    let mut diagnostics = check_document(lowered, scope, chunk, text);
    if let Some(function) = lowered.function.as_ref().filter(|_| !scope.unread.contains(&chunk)) {
        rules::check(function, scope, text, &mut diagnostics);
    }
    diagnostics
}

/// What the rules of LLVM IR find in the embedded module.
fn check_ir(lowered: &Lowered, scope: &Scope, chunk: ChunkId, text: &str) -> Vec<Diagnostic> {
    let Some((ir, source)) = lowered.ir.as_ref().zip(ir_text(text)) else { return Vec::new() };
    let mut found = llvm::check(ir, &scope.llvm, chunk, &source);
    found.retain(|d| !llvm::is_about_code_generation(d.rule) || llvm::is_about_attributes(d.rule));
    // The IR is compiled already: advice comes too late.
    found.retain(|d| d.severity != wavelens_base::Severity::Hint);
    for diagnostic in &mut found {
        // llc replaces the layout with that of its target.
        if std::ptr::eq(diagnostic.rule, &llvm::rules::memory::LAYOUT) {
            diagnostic.severity = wavelens_base::Severity::Warning;
        }
    }
    found
}

/// Starts the scheduler's graph, which Triton's `TRITON_DUMP_MIR` appends to the Machine IR as a document.
const SCHEDULE: &str = "========== SCHEDULING DAG";

fn is_schedule(text: &str) -> bool {
    text.trim_start_matches(['-', '\r', '\n']).starts_with(SCHEDULE)
}

/// A text as `llc` reads it: without the scheduler's graph at its end.
pub fn without_schedule(text: &str) -> &str {
    let start = text.find(SCHEDULE).and_then(|at| text.get(..at)?.trim_end().strip_suffix("---"));
    start.unwrap_or(text)
}

/// All rules but those on the machine function.
fn check_document(lowered: &Lowered, scope: &Scope, chunk: ChunkId, text: &str) -> Vec<Diagnostic> {
    if scope.unread.contains(&chunk) || is_schedule(text) {
        return Vec::new();
    }
    let mut diagnostics = lowered.diagnostics.clone();
    if let Some(range) = lowered.unread {
        diagnostics.push(unread_text(range, text, scope));
    }
    diagnostics.extend(rules::stray_ir(scope, chunk, text));
    diagnostics.extend(rules::ir_indentation::check(scope, text));
    diagnostics.extend(rules::document_end::check(text));
    diagnostics.extend(check_ir(lowered, scope, chunk, text));
    if let Some(ir) = &lowered.ir {
        rules::triple::check(ir, scope, &mut diagnostics);
    }
    let is_own = |machines: &[_]| scope.machine.is_some_and(|m| machines.contains(&m));
    let own = lowered.target_diagnostics.iter().filter(|(machines, _)| is_own(machines));
    diagnostics.extend(own.map(|(_, d)| d.clone()));
    let level = scope.configuration.llvm_level.value;
    diagnostics.retain(|found| {
        let since = || {
            let text = text.get(std::ops::Range::<usize>::from(found.range)).unwrap_or("");
            lower::key_since(text).unwrap_or_else(|| wavelens_syntax::mir::newer_since(text))
        };
        found.rule != &wavelens_syntax::mir::NEWER || level < since()
    });
    diagnostics
}

/// LLVM accepts what precedes the directive, and rejects a file in which nothing does.
fn unread_text(range: TextRange, text: &str, scope: &Scope) -> Diagnostic {
    let line = text.get(std::ops::Range::<usize>::from(range)).unwrap_or("");
    let name = line.split_whitespace().next().unwrap_or("");
    let message = format!(
        "`{name}` is an unknown YAML directive, because the line starts with `%`: LLVM does not read the rest of the file"
    );
    let mut diagnostic = Diagnostic::new(&lower::UNREAD, range, message);
    if !scope.has_ir && scope.machine_functions.is_empty() {
        diagnostic.severity = wavelens_base::Severity::Error;
    }
    diagnostic
}

/// Findings about names in several chunks.
pub fn check_module(scope: &Scope) -> Vec<ModuleDiagnostic> {
    rules::check_module(scope)
}

/// Item 0 is the machine function's name, or the chunk's start.
pub fn item_range(lowered: &Lowered, item: u32) -> TextRange {
    match &lowered.function {
        Some(f) if item == 0 => f.properties.name.range,
        _ => match &lowered.ir {
            Some(ir) => llvm::item_range(ir, item),
            None => TextRange::default(),
        },
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use wavelens_base::Dialect;

    #[test]
    fn llvm_does_not_read_past_an_unknown_directive() {
        let function = |name: &str| format!("---\nname: {name}\nbody: |\n  bb.0:\n    {name}\n...\n");
        let (first, second) = (function("S_NOP 0"), function("S_FOO"));
        expect![[r#"
            warning[unread-text] 7:1 `%0:_(s32) = G_ADD`: `%0:_(s32)` is an unknown YAML directive, because the line starts with `%`: LLVM does not read the rest of the file
        "#]]
        .assert_eq(&wavelens_check::testing::findings(Dialect::Mir, &format!("{first}%0:_(s32) = G_ADD\n{second}")));
        expect![[r#"
            error[unread-text] 1:1 `%foo`: `%foo` is an unknown YAML directive, because the line starts with `%`: LLVM does not read the rest of the file
        "#]]
        .assert_eq(&wavelens_check::testing::findings(Dialect::Mir, &format!("%foo\n{second}")));
        expect![[r#"
            error[unknown-opcode] 6:5 `S_FOO`: unknown instruction `S_FOO`
        "#]]
        .assert_eq(&wavelens_check::testing::findings(Dialect::Mir, &format!("%YAML 1.2\n{second}")));
    }

    #[test]
    fn attributes_of_the_ir_hold_for_the_machine_function() {
        let text = "--- |
  target triple = \"amdgcn-amd-amdhsa\"
  define void @f() \"target-cpu\"=\"gfx9000\" { ret void }
...
---
name: f
body: |
  bb.0:
    S_ENDPGM 0
...
";
        expect![[r#"
            warning[target-attribute] 3:20 `"target-cpu"="gfx9000"`: LLVM ignores this processor: unknown processor `gfx9000`; did you mean `gfx900`?
        "#]]
        .assert_eq(&wavelens_check::testing::findings(Dialect::Mir, text));
    }

    #[test]
    fn compiled_ir_gets_no_advice() {
        let text = "--- |
  define void @f() {
    br i1 true, label %a, label %b
  a:
    %x = alloca i32, addrspace(5)
    br label %b
  b:
    ret void
  }
...
---
name: f
body: |
  bb.0:
...
";
        assert_eq!(wavelens_check::testing::findings(Dialect::Mir, text), "");
    }
}
