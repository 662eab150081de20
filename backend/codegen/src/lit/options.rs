//! What the options of LLVM's and SPIR-V's programs take: nothing or plain words, text, a file that is read, one that is written.

use std::collections::HashMap;
use std::sync::OnceLock;

/// What an option may be given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Value {
    /// Nothing, a number, or one of several words.
    Plain,
    /// Words, patterns, names of things in the module: never a file.
    Text,
    /// A file or folder that is read.
    Read,
    /// A file or folder that is written, or the start of its name.
    Written,
    /// The option starts or loads something, or writes files whose names the document decides.
    Refused,
}

/// Sections `[program kind]`, then one name a line.
const TABLE: &str = include_str!("tables/options.txt");

type Table = HashMap<(&'static str, &'static str), Value>;

fn table() -> &'static Table {
    static FOUND: OnceLock<Table> = OnceLock::new();
    FOUND.get_or_init(|| {
        let mut found = Table::new();
        let mut section = ("", Value::Refused);
        for line in TABLE.lines().filter(|line| !line.starts_with('#')) {
            match line.strip_prefix('[').and_then(|line| line.strip_suffix(']')?.split_once(' ')) {
                Some((program, kind)) => section = (program, value(kind)),
                None => drop(found.insert((section.0, line), section.1)),
            }
        }
        found
    })
}

fn value(kind: &str) -> Value {
    match kind {
        "plain" => Value::Plain,
        "text" => Value::Text,
        "read" => Value::Read,
        "write" => Value::Written,
        _ => Value::Refused,
    }
}

/// Of SPIRV-Tools, whose options are compared as a whole.
const SPIRV: &[(&str, Value)] = &[
    ("-o", Value::Written),
    ("--target-env", Value::Plain),
    ("--preserve-numeric-ids", Value::Plain),
    ("--color", Value::Plain),
    ("--no-color", Value::Plain),
    ("--no-indent", Value::Plain),
    ("--no-header", Value::Plain),
    ("--raw-id", Value::Plain),
    ("--offsets", Value::Plain),
    ("--comment", Value::Plain),
    ("--nested-indent", Value::Plain),
    ("--reorder-blocks", Value::Plain),
    ("--max-struct-members", Value::Plain),
    ("--max-struct-depth", Value::Plain),
    ("--max-local-variables", Value::Plain),
    ("--max-global-variables", Value::Plain),
    ("--max-switch-branches", Value::Plain),
    ("--max-function-args", Value::Plain),
    ("--max-control-flow-nesting-depth", Value::Plain),
    ("--max-access-chain-indexes", Value::Plain),
    ("--max-id-bound", Value::Plain),
    ("--relax-logical-pointer", Value::Plain),
    ("--relax-block-layout", Value::Plain),
    ("--uniform-buffer-standard-layout", Value::Plain),
    ("--scalar-block-layout", Value::Plain),
    ("--workgroup-scalar-block-layout", Value::Plain),
    ("--skip-block-layout", Value::Plain),
    ("--relax-struct-store", Value::Plain),
    ("--allow-localsizeid", Value::Plain),
    ("--allow-offset-texture-operand", Value::Plain),
    ("--allow-vulkan-32-bit-bitwise", Value::Plain),
    ("--before-hlsl-legalization", Value::Plain),
    ("--version", Value::Plain),
    ("--help", Value::Plain),
];

/// An option of a command.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Option_<'w> {
    /// Without dashes and value.
    pub(super) name: &'w str,
    pub(super) takes: Value,
    /// What follows `=`, or the name of an option of one letter.
    pub(super) value: Option<&'w str>,
}

/// Reads a word that begins with a dash as the program would. `None` for an option that is not known.
pub(super) fn read<'w>(program: &str, word: &'w str) -> Option<Option_<'w>> {
    if program.starts_with("spirv-") {
        let (name, value) = match word.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (word, None),
        };
        let (_, takes) = SPIRV.iter().find(|(known, _)| *known == name)?;
        return Some(Option_ { name, takes: *takes, value });
    }
    let option = word.strip_prefix("--").or_else(|| word.strip_prefix('-'))?;
    let (name, value) = match option.split_once('=') {
        Some((name, value)) => (name, Some(value)),
        None => (option, None),
    };
    if let Some(takes) = of(program, name) {
        return Some(Option_ { name, takes, value });
    }
    // `-I/folder`, `-O2`, `-DX=1`
    let letter = option.get(..1).filter(|letter| matches!(*letter, "I" | "O" | "D" | "M"))?;
    Some(Option_ { name: letter, takes: of(program, letter)?, value: option.get(1..) })
}

fn of(program: &str, name: &str) -> Option<Value> {
    let get = |program: &str| {
        // The keys live as long as the table does.
        table().get(&(program, name)).copied()
    };
    // The programs accept the options of the libraries that they are linked with, which are all those of `llc`.
    get(program).or_else(|| get("llc").filter(|_| program != "FileCheck"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_as_the_programs_read_them() {
        let of = |program: &str, word: &'static str| {
            read(program, word).map(|found| (found.name, found.takes, found.value))
        };
        assert_eq!(of("llc", "-mcpu=gfx900"), Some(("mcpu", Value::Text, Some("gfx900"))));
        assert_eq!(of("llc", "--o"), Some(("o", Value::Written, None)));
        assert_eq!(of("llc", "-O3"), Some(("O", Value::Plain, Some("3"))));
        assert_eq!(of("llvm-mc", "-I/x"), Some(("I", Value::Read, Some("/x"))));
        assert_eq!(of("FileCheck", "-DX=1/2"), Some(("D", Value::Text, Some("X=1/2"))));
        assert_eq!(of("FileCheck", "-mcpu=x"), None);
        assert_eq!(
            of("opt", "-lowertypetests-write-summary"),
            Some(("lowertypetests-write-summary", Value::Written, None))
        );
        // Programs that are linked with the whole library have its options.
        let takes = |program: &str, word: &'static str| of(program, word).map(|found| found.1);
        assert_eq!(takes("llvm-mc", "-lowertypetests-write-summary=x"), Some(Value::Written));
        assert_eq!(takes("llvm-mc", "-split-dwarf-file=x"), Some(Value::Written));
        assert_eq!(takes("llc", "-split-dwarf-file=x"), Some(Value::Text));
        assert_eq!(
            takes("opt", "-view-cfg"),
            Some(Value::Refused).filter(|_| of("opt", "-view-cfg").is_some())
        );
        assert_eq!(takes("llc", "---o=x"), None);
        assert_eq!(takes("llc", "-no-such-option"), None);
        // SPIRV-Tools take anything that begins with `-o` for `-o`.
        assert_eq!(takes("spirv-as", "-output"), None);
        assert_eq!(takes("spirv-as", "-o"), Some(Value::Written));
    }
}
