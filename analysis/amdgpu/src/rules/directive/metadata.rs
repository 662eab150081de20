//! Code object metadata.

use wavelens_syntax::{closest, wording};

use crate::assembler::yaml::{Entry, Item, Node, Problem};

wavelens_syntax::rules! {
    METADATA {
        code: "metadata",
        severity: wavelens_base::Severity::Error,
        title: "code object metadata must have the fields that the runtime needs",
        explain: "The YAML between `.amdgpu_metadata` and `.end_amdgpu_metadata` describes kernels and their arguments to the runtime. A \
required field is missing, or a value has the wrong type.",
        example: ".amdgpu_metadata\n---\namdhsa.version: [ 1, 2 ]\namdhsa.kernels: 5\n...\n.end_amdgpu_metadata\n",
        fixed: ".amdgpu_metadata\n---\namdhsa.version: [ 1, 2 ]\namdhsa.kernels: []\n...\n.end_amdgpu_metadata\n",
        source: "LLVM AMDGPU::HSAMD::MetadataVerifier: \"invalid metadata\"; AMDGPU usage guide, \"Code Object Metadata\"",
    }
}

/// What a value must be.
#[derive(Debug, Clone, Copy)]
enum Kind {
    Integer,
    Boolean,
    Text,
    OneOf(&'static [&'static str]),
    /// A list of so many integers.
    Integers(usize),
    Texts,
    Args,
    Kernels,
}

/// A key, what its value must be, and whether it must be there.
struct Key(&'static str, Kind, bool);

/// In the order in which compilers write arguments.
const VALUE_KINDS: &[&str] = &[
    "by_value",
    "global_buffer",
    "dynamic_shared_pointer",
    "sampler",
    "image",
    "pipe",
    "queue",
    "hidden_block_count_x",
    "hidden_block_count_y",
    "hidden_block_count_z",
    "hidden_group_size_x",
    "hidden_group_size_y",
    "hidden_group_size_z",
    "hidden_remainder_x",
    "hidden_remainder_y",
    "hidden_remainder_z",
    "hidden_global_offset_x",
    "hidden_global_offset_y",
    "hidden_global_offset_z",
    "hidden_grid_dims",
    "hidden_printf_buffer",
    "hidden_hostcall_buffer",
    "hidden_multigrid_sync_arg",
    "hidden_heap_v1",
    "hidden_default_queue",
    "hidden_completion_action",
    "hidden_dynamic_lds_size",
    "hidden_private_base",
    "hidden_shared_base",
    "hidden_queue_ptr",
    "hidden_none",
];
const SPACES: &[&str] = &["global", "constant", "local", "generic", "private", "region"];
const ACCESS: &[&str] = &["read_only", "write_only", "read_write"];
const LANGUAGES: &[&str] = &["OpenCL C", "OpenCL C++", "HCC", "HIP", "OpenMP", "Assembler"];

const ROOT: &[Key] = &[
    Key("amdhsa.version", Kind::Integers(2), true),
    Key("amdhsa.printf", Kind::Texts, false),
    Key("amdhsa.kernels", Kind::Kernels, true),
];

const KERNEL: &[Key] = &[
    Key(".name", Kind::Text, true),
    Key(".symbol", Kind::Text, true),
    Key(".language", Kind::OneOf(LANGUAGES), false),
    Key(".language_version", Kind::Integers(2), false),
    Key(".args", Kind::Args, false),
    Key(".reqd_workgroup_size", Kind::Integers(3), false),
    Key(".workgroup_size_hint", Kind::Integers(3), false),
    Key(".vec_type_hint", Kind::Text, false),
    Key(".device_enqueue_symbol", Kind::Text, false),
    Key(".kernarg_segment_size", Kind::Integer, true),
    Key(".group_segment_fixed_size", Kind::Integer, true),
    Key(".private_segment_fixed_size", Kind::Integer, true),
    Key(".uses_dynamic_stack", Kind::Boolean, false),
    Key(".workgroup_processor_mode", Kind::Integer, false),
    Key(".kernarg_segment_align", Kind::Integer, true),
    Key(".wavefront_size", Kind::Integer, true),
    Key(".sgpr_count", Kind::Integer, true),
    Key(".vgpr_count", Kind::Integer, true),
    Key(".max_flat_workgroup_size", Kind::Integer, true),
    Key(".sgpr_spill_count", Kind::Integer, false),
    Key(".vgpr_spill_count", Kind::Integer, false),
    Key(".uniform_work_group_size", Kind::Integer, false),
];

const ARGUMENT: &[Key] = &[
    Key(".name", Kind::Text, false),
    Key(".type_name", Kind::Text, false),
    Key(".size", Kind::Integer, true),
    Key(".offset", Kind::Integer, true),
    Key(".value_kind", Kind::OneOf(VALUE_KINDS), true),
    Key(".pointee_align", Kind::Integer, false),
    Key(".address_space", Kind::OneOf(SPACES), false),
    Key(".access", Kind::OneOf(ACCESS), false),
    Key(".actual_access", Kind::OneOf(ACCESS), false),
    Key(".is_const", Kind::Boolean, false),
    Key(".is_restrict", Kind::Boolean, false),
    Key(".is_volatile", Kind::Boolean, false),
    Key(".is_pipe", Kind::Boolean, false),
];

/// The values of a key that has only some.
pub fn values_of_key(key: &str) -> &'static [&'static str] {
    let known = KERNEL.iter().chain(ARGUMENT).find(|known| known.0 == key);
    match known.map(|known| &known.1) {
        Some(Kind::OneOf(words)) => words,
        Some(Kind::Boolean) => &["false", "true"],
        // The assembler takes any.
        None if key == ".kind" => &["normal", "init", "fini"],
        _ => &[],
    }
}

/// Checks a document's structure, or says what is wrong first.
pub(crate) fn verify(root: &Node) -> Result<(), Problem> {
    map(root, ROOT, "the metadata", 0)
}

/// Keys of kernels that LLVM writes and does not check.
const UNCHECKED: [&str; 4] =
    [".agpr_count", ".cluster_dims", ".uniform_work_group_size", ".workgroup_processor_mode"];

fn map(node: &Node, keys: &[Key], what: &str, line: usize) -> Result<(), Problem> {
    let entries = match node {
        Node::Map(entries) => entries,
        Node::Opaque => return Ok(()),
        _ => return Err(Problem::new(line, format!("{what} must have keys and values"))),
    };
    for Key(key, kind, required) in keys {
        match entries.iter().find(|e| e.key == *key) {
            Some(entry) => value(entry, *kind)?,
            None if *required => {
                let is_known = |e: &&Entry| {
                    keys.iter().any(|known| known.0 == e.key) || UNCHECKED.contains(&e.key.as_str())
                };
                let is_like = |e: &&Entry| closest(&e.key, [*key]).is_some() && !is_known(e);
                if let Some(Entry { key: wrong, line, .. }) = entries.iter().find(is_like) {
                    let message = wording::unknown("key", wrong, [*key].into_iter());
                    return Err(Problem {
                        respell: Some((wrong.clone(), key)),
                        ..Problem::new(*line, message)
                    });
                }
                // What else it could have been comes first.
                let unknown = entries.iter().find(|e| !is_known(e));
                let line = unknown.or(entries.first()).map_or(line, |e| e.line);
                let instead = unknown.map(|e| format!(", which has an unknown key `{}`", e.key));
                let message = format!("missing key `{key}` in {what}{}", instead.unwrap_or_default());
                return Err(Problem::new(line, message));
            }
            None => {}
        }
    }
    Ok(())
}

fn value(entry: &Entry, kind: Kind) -> Result<(), Problem> {
    let key = &entry.key;
    let wrong_at = |line, what: &str| Err(Problem::new(line, format!("`{key}` must be {what}")));
    let wrong = |what: &str| wrong_at(entry.line, what);
    // Of a few words, the one that is near may be meant.
    let one_of = |what: &str, words: &'static [&'static str]| {
        let near = match &entry.value {
            Node::Text(text) => closest(text, words.iter().copied()).map(|near| (text.clone(), near)),
            _ => None,
        };
        wrong(what).map_err(|problem| Problem { respell: near, ..problem })
    };
    let list = |each: &dyn Fn(&Item) -> Result<(), Problem>, what: &str| match &entry.value {
        Node::List(items) => items.iter().try_for_each(each),
        _ => wrong(what),
    };
    match (kind, &entry.value) {
        (_, Node::Opaque) => Ok(()),
        (Kind::Integer, Node::Integer(_)) | (Kind::Boolean, Node::Boolean) | (Kind::Text, Node::Text(_)) => {
            Ok(())
        }
        (_, Node::Text(text)) if text.is_empty() => {
            Err(Problem::new(entry.line, format!("missing value of `{key}`")))
        }
        (Kind::Integer, _) => wrong("an integer"),
        (Kind::Boolean, _) => one_of("true or false", &["true", "false"]),
        (Kind::Text, _) => wrong("a text"),
        (Kind::OneOf(words), Node::Text(text)) if words.contains(&text.as_str()) => Ok(()),
        (Kind::OneOf(words), _) if words.len() < 8 => one_of(&format!("one of {}", words.join(", ")), words),
        (Kind::OneOf(words), _) => one_of("a known kind of argument", words),
        (Kind::Integers(count), value) => {
            let what = format!("a list of {count} integers");
            let Node::List(items) = value else { return wrong(&what) };
            let is_other = |item: &&Item| !matches!(item.value, Node::Integer(_) | Node::Opaque);
            match items.iter().find(is_other) {
                _ if items.len() != count => wrong(&what),
                Some(item) => wrong_at(item.line, &what),
                None => Ok(()),
            }
        }
        (Kind::Texts, _) => list(
            &|item| match item.value {
                Node::Text(_) | Node::Opaque => Ok(()),
                _ => wrong_at(item.line, "a list of texts"),
            },
            "a list of texts",
        ),
        (Kind::Args, _) => {
            list(&|item| map(&item.value, ARGUMENT, "an argument", item.line), "a list of arguments")
        }
        (Kind::Kernels, _) => {
            list(&|item| map(&item.value, KERNEL, "a kernel", item.line), "a list of kernels")
        }
    }
}

/// The document of a PAL pipeline: the keys of its registers are numbers, of which a name in parentheses may follow.
pub(crate) fn verify_pal(root: &Node) -> Result<(), Problem> {
    let Some(Node::List(pipelines)) = root.get("amdpal.pipelines") else { return Ok(()) };
    let registers = pipelines.first().and_then(|pipeline| pipeline.value.get(".registers"));
    let Some(Node::Map(registers)) = registers else { return Ok(()) };
    match registers.iter().find(|e| !starts_with_number(&e.key)) {
        Some(Entry { key, line, .. }) => {
            let message = format!("the key of a register is a number, such as `0x2c0a`, not `{key}`");
            Err(Problem::new(*line, message))
        }
        None => Ok(()),
    }
}

fn starts_with_number(key: &str) -> bool {
    let negative =
        key.strip_prefix('-').is_some_and(|k| !k.is_empty() && k.bytes().all(|b| b.is_ascii_digit()));
    let (digits, radix) = match key.get(..2) {
        Some("0x" | "0X") => (key.get(2..), 16),
        Some("0b" | "0B") => (key.get(2..), 2),
        Some("0o") => (key.get(2..), 8),
        _ => (Some(key), 10),
    };
    negative || digits.and_then(|d| d.chars().next()).is_some_and(|c| c.is_digit(radix))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;
    use crate::assembler::yaml;
    use crate::testing::marks;

    const GOOD: &str = "---\namdhsa.kernels:\n  - .args: []\n    .name: k\n    .symbol: k.kd\n    .kernarg_segment_size: 8\n    .group_segment_fixed_size: 0\n    .private_segment_fixed_size: 0\n    .kernarg_segment_align: 8\n    .wavefront_size: 64\n    .sgpr_count: 8\n    .vgpr_count: 3\n    .max_flat_workgroup_size: 256\namdhsa.version:\n  - 1\n  - 2\n...\n";

    fn verify(text: &str) -> Result<(), Problem> {
        super::verify(&yaml::parse(text)?)
    }

    fn verify_pal(text: &str) -> Result<(), Problem> {
        super::verify_pal(&yaml::parse(text)?)
    }

    #[test]
    fn structure() {
        assert_eq!(verify(GOOD), Ok(()));
        assert!(verify(&GOOD.replace(".symbol", ".symbl")).is_err());
        assert!(verify(&GOOD.replace("  - 2\n", "")).is_err());
        assert!(verify(&GOOD.replace("count: 8", "count: eight")).is_err());
    }

    #[test]
    fn registers_of_pal_are_numbers() {
        let with =
            |key: &str| format!("amdpal.pipelines:\n  - .registers:\n      0x2c0a: 0\n      {key}: 0\n");
        assert_eq!(verify_pal(&with("0xa191 (SPI_PS_INPUT_CNTL_0)")), Ok(()));
        assert_eq!(verify_pal(&with("41361")), Ok(()));
        let problem = verify_pal(&with("-1xa2f9")).expect_err("no number");
        assert_eq!(
            (problem.line, problem.message.as_str()),
            (3, "the key of a register is a number, such as `0x2c0a`, not `-1xa2f9`")
        );
    }

    #[test]
    fn a_wrong_element_of_a_list_is_reported_at_its_line() {
        marks(
            "gfx900",
            expect![[r#"
                .amdgpu_metadata
                ---
                amdhsa.kernels: []
                amdhsa.version:
                  - 1
                  - x
                ; ^^^ error[metadata]: `amdhsa.version` must be a list of 2 integers
                ;   = line 8:1: LLVM reports it here
                ...
                .end_amdgpu_metadata
                .amdgpu_metadata
                ---
                amdhsa.version: [ 1, 2 ]
                amdhsa.kernels:
                  - k
                ; ^^^ error[metadata]: a kernel must have keys and values
                ;   = line 15:1: LLVM reports it here
                ...
                .end_amdgpu_metadata
            "#]],
        );
    }

    #[test]
    fn a_misspelled_end_is_reported_at_its_line() {
        marks(
            "gfx900",
            expect![[r#"
                .amdgpu_metadata
                ---
                amdhsa.version: [ 1, 2 ]
                amdhsa.kernels: []
                ...
                .end_amdgpu_metdata
                ;^^^^^^^^^^^^^^^^^^ error[unknown-directive]: unknown directive `.end_amdgpu_metdata`; did you mean `.end_amdgpu_metadata`?
                ;                 = fix: .end_amdgpu_metadata
                s_endpgm
            "#]],
        );
    }

    #[test]
    fn a_document_has_its_keys() {
        marks(
            "gfx900",
            expect![[r#"
                .amdgpu_metadata
                ---
                amdhsa.version: [ 1, 2 ]
                amdhsa.kernels: []
                ...
                .end_amdgpu_metadata
                .amdgpu_metadata
                ---
                amdhsa.version: [ 1 ]
                ;^^^^^^^^^^^^^^^^^^^^ error[metadata]: `amdhsa.version` must be a list of 2 integers
                ;                   = line 11:1: LLVM reports it here
                ...
                .end_amdgpu_metadata
                .end_amdgpu_metadata
                ;^^^^^^^^^^^^^^^^^^^ error[unknown-directive]: `.end_amdgpu_metadata` without `.amdgpu_metadata`
            "#]],
        );
    }
}
