//! Modules whose functions name processors: each function is compiled for its own.

use wavelens_base::Dialect;
use wavelens_base::configuration::Configuration;
use wavelens_mir::ir::{FunctionTarget, names};

/// The functions of one processor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// As `"target-cpu"` names it.
    pub processor: String,
    /// Names without sigil.
    pub functions: Vec<String>,
}

/// The functions with bodies of LLVM IR by the processor that `"target-cpu"` names, in the order of the text. Empty if no function
/// names one, or if the user asks for a processor.
pub(super) fn parts(text: &str, configuration: &Configuration) -> Vec<Part> {
    if configuration.is_asked() || !text.contains("\"target-cpu\"") {
        return Vec::new();
    }
    let (mut functions, mut groups) = (Vec::new(), rustc_hash::FxHashMap::default());
    for span in wavelens_syntax::split(Dialect::Llvm, text) {
        let chunk = text.get(std::ops::Range::<usize>::from(span.range)).unwrap_or("");
        let names = names(&wavelens_llvm::lower(chunk));
        functions.extend(names.functions.into_iter().filter(|(_, f)| f.is_definition));
        groups.extend(names.group_targets);
    }
    let mut parts: Vec<Part> = Vec::new();
    for (name, function) in functions {
        let own =
            std::iter::once(&function.target).chain(function.groups.iter().filter_map(|g| groups.get(g)));
        let own = own.into_iter().find_map(|target: &FunctionTarget| target.cpu.as_deref());
        let processor = configuration.processor_of(own).unwrap_or(super::DEFAULT_TARGET);
        match parts.iter_mut().find(|part| part.processor == processor) {
            Some(part) => part.functions.push(name.to_string()),
            None => parts.push(Part { processor: processor.to_owned(), functions: vec![name.to_string()] }),
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use wavelens_base::{Dialect, Options};

    use crate::codegen::Plan;

    #[test]
    fn functions_are_compiled_for_the_processor_of_their_attributes() {
        let text = "define void @a() #0 { ret void }\ndefine void @b() \"target-cpu\"=\"gfx900\" { ret void }\n\
            define void @c() { ret void }\ndefine void @d() #0 { ret void }\n\
            attributes #0 = { \"target-cpu\"=\"gfx942\" }\n";
        let shown = |options: Options| {
            let parts = Plan::of(Dialect::Llvm, text, options).parts.into_iter();
            parts.map(|p| format!("{}: {}", p.processor, p.functions.join(" "))).collect::<Vec<_>>()
        };
        assert_eq!(shown(Options::default()), ["gfx942: a d", "gfx900: b", "gfx1100: c"]);
        let asked = Options { target: Some("gfx90a".to_owned()), ..Options::default() };
        assert_eq!(shown(asked), [""; 0]);
    }
}
