//! Machine IR as older versions of LLVM read it.

use wavelens_llvm::older::{self, Older};

/// Keys that LLVM 23 added, each on a line of its own.
const KEYS: [&str; 3] = ["framePointerPolicy:", "minNumAGPRs:", "hasNoWWMPoolSGPRSpillFallback:"];

/// `None` for a text that LLVM 22 reads as it is.
pub(crate) fn in_older_form(text: &str) -> Option<Older> {
    // The embedded module comes first.
    let end = text.find("\n...").filter(|_| text.trim_start().starts_with("--- |")).unwrap_or(0);
    let (module, functions) = text.split_at_checked(end)?;
    let older = older::in_older_form(module);
    let is_newer = |line: &str| KEYS.iter().any(|key| line.trim_start().starts_with(key));
    let mut all = older.unwrap_or_else(|| Older { text: module.to_owned(), rewritten: Vec::new() });
    if functions.lines().any(is_newer) {
        all.rewritten.push("keys of machine functions");
    }
    for line in functions.split_inclusive('\n') {
        // Lines stay where they are.
        all.text.push_str(if is_newer(line) { "\n" } else { line });
    }
    (!all.rewritten.is_empty()).then_some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triple_and_keys() {
        let text = "--- |\n  target triple = \"amdgpu9.42-amd-amdhsa\"\n...\n---\nname: k\nmachineFunctionInfo:\n  minNumAGPRs: 0\nbody: |\n  bb.0:\n...\n";
        let older = in_older_form(text).expect("newer text");
        let expected = "--- |\n  target triple = \"amdgcn-amd-amdhsa\"\n...\n---\nname: k\nmachineFunctionInfo:\n\nbody: |\n  bb.0:\n...\n";
        assert_eq!(older.text, expected);
        assert_eq!(in_older_form("---\nname: k\n...\n"), None);
    }
}
