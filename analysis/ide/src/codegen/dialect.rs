//! What compiling means for each dialect: one `match` a question.

use rustc_hash::FxHashSet;
use wavelens_base::configuration::{Configuration, Stated};
use wavelens_base::{Dialect, Options, TextSize};

use super::{DEFAULT_TARGET, Plan, Settings};
use crate::answers::Symbol;
use crate::db::{Database, View};
use crate::document::Document;
use crate::features;

/// Whether functions are compiled to machine code. Assembly only has to be assembled.
pub fn is_compiled(dialect: Dialect) -> bool {
    dialect != Dialect::Amdgpu
}

/// Whether `opt` and `llc` read the text itself, and their passes can be shown.
pub fn has_passes(dialect: Dialect) -> bool {
    matches!(dialect, Dialect::Llvm | Dialect::Mir)
}

/// Whether a compiler of the text may name no source lines, so that they have to be found by experiment, which takes a while.
pub fn may_need_experiments(dialect: Dialect) -> bool {
    dialect == Dialect::Spirv
}

/// Whether each line of the text is the source of its own machine code.
pub fn is_assembled(dialect: Dialect) -> bool {
    dialect == Dialect::Amdgpu
}

/// Whether the text is for one processor alone: its instructions are selected already.
pub fn is_for_one_processor(dialect: Dialect) -> bool {
    matches!(dialect, Dialect::Mir | Dialect::Amdgpu)
}

/// The options that a text is compiled with. Where it is for the processor that it names, that one is used.
pub fn compile_options(dialect: Dialect, text: &str, options: &Options) -> Options {
    let is_named = match dialect {
        Dialect::Amdgpu => text.contains(".amdgcn_target"),
        Dialect::Mir => text.contains("\"target-cpu\""),
        Dialect::Llvm | Dialect::Spirv => false,
    };
    if is_named { options.with_fixed_processor() } else { options.clone() }
}

/// Whether a name, without being that of a function, is what other programs call a function by: an entry point of SPIR-V.
pub fn is_entry_point(dialect: Dialect, text: &str, name: &str) -> bool {
    dialect == Dialect::Spirv && text.contains(&format!("\"{name}\""))
}

/// What a text is for, in a word: a processor or an environment.
pub fn target_name(dialect: Dialect, text: &str, options: &Options) -> String {
    let configuration = Configuration::decide(dialect, &Stated::of(dialect, text), options);
    match (dialect, &configuration.environment) {
        (Dialect::Spirv, Some(environment)) => environment.value.name().to_owned(),
        _ => configuration.name().to_string(),
    }
}

/// The processors that a document for a GPU is compiled for; the default where nothing names one.
pub fn compiled_for(dialect: Dialect, text: &str, options: &Options) -> Vec<String> {
    let plan = Plan::of(dialect, text, compile_options(dialect, text, options));
    if !plan.parts.is_empty() {
        return plan.parts.into_iter().map(|part| part.processor).collect();
    }
    let processor = plan.configuration.processor;
    vec![processor.map_or_else(|| DEFAULT_TARGET.to_owned(), |p| p.value.to_string())]
}

/// Whether the compiler of the RUN line that is used prints Machine IR, because it ends before assembly.
pub fn ends_before_assembly(dialect: Dialect, text: &str, options: &Options) -> bool {
    let plan = || Plan::of(dialect, text, compile_options(dialect, text, options));
    has_passes(dialect) && text.contains("RUN:") && plan().run_end(&Settings::default()).is_some()
}

/// The functions of a document that can be compiled, in the order of the text.
pub fn functions(view: View<'_>) -> Vec<Symbol> {
    if !is_compiled(view.dialect()) {
        return Vec::new();
    }
    let mut functions = features::outline(view);
    functions.retain(Symbol::is_function);
    // A machine function stands for the IR that it was made of.
    let machine: FxHashSet<String> = functions.iter().map(|f| f.name.clone()).collect();
    functions.retain(|f| f.name.strip_prefix('@').is_none_or(|bare| !machine.contains(bare)));
    functions
}

/// Where a function is defined that a compiler names: without sigil and quotes.
pub fn definition(dialect: Dialect, text: &str, function: &str) -> Option<TextSize> {
    let mut db = Database::default();
    let document = Document::new(&mut db, dialect, text, Options::default());
    let functions = functions(View::new(&db, document.file()));
    let is_named = |symbol: &&Symbol| symbol.name.trim_start_matches('@').trim_matches('"') == function;
    Some(functions.iter().find(is_named)?.selection.start())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_processor_the_default_is_compiled_for() {
        let of = |text: &str, target: Option<&str>| {
            let options = Options { target: target.map(str::to_owned), ..Options::default() };
            compiled_for(Dialect::Llvm, text, &options).join(", ")
        };
        let triple = "target triple = \"amdgcn-amd-amdhsa\"\n";
        assert_eq!(of(triple, None), "gfx1100");
        assert_eq!(of(triple, Some("gfx942")), "gfx942");
        let run = format!("; RUN: llc -mtriple=amdgcn -mcpu=gfx90a < %s\n{triple}");
        assert_eq!(of(&run, None), "gfx90a");
        let own = format!(
            "{triple}define void @f() #0 {{\n  ret void\n}}\nattributes #0 = {{ \"target-cpu\"=\"gfx1030\" }}\n"
        );
        assert_eq!(of(&own, None), "gfx1030");
    }

    #[test]
    fn a_function_is_found_by_the_name_that_compilers_print() {
        let at = |dialect, text: &str, name: &str| {
            definition(dialect, text, name)
                .and_then(|at| text.get(usize::from(at)..)?.split('(').next())
                .map(|name| name.lines().next().unwrap_or("").to_owned())
        };
        let ir = "declare void @f()\n; define void @g()\ndefine void @g() {\n  ret void\n}\ndefine void @\"a b\"() {\n  ret void\n}\n";
        assert_eq!(at(Dialect::Llvm, ir, "g").as_deref(), Some("@g"));
        assert_eq!(at(Dialect::Llvm, ir, "a b").as_deref(), Some("@\"a b\""));
        assert_eq!(at(Dialect::Llvm, ir, "f"), None);
        let mir =
            "--- |\n  define void @f() {\n    ret void\n  }\n...\n---\nname: f\nbody: |\n  bb.0:\n...\n";
        assert_eq!(at(Dialect::Mir, mir, "f").as_deref(), Some("f"));
        assert_eq!(at(Dialect::Amdgpu, "f:\ns_endpgm\n", "f"), None);
    }
}
