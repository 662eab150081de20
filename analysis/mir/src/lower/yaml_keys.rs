//! A machine function's YAML against the tables of keys, as LLVM's `YAMLTraits` check it.

use rustc_hash::FxHashMap;
use std::borrow::Cow;

use wavelens_syntax::mir::MirKind;
use wavelens_syntax::mir::NEWER;
use wavelens_syntax::spelling::closest;
use wavelens_syntax::wording;

use super::keys::{self, Key, Shape};
use super::rules::MIR_YAML;
use super::yaml::{N, boolean, entries, items, place, scalar_text, signed, unescape, unsigned, value};
use wavelens_base::{Diagnostic, Place, TextEdit, TextRange, TextSize};

/// The distinct keys of a mapping. Most have a few, and there may be a thousand mappings: a few are compared one by one.
#[derive(Default)]
struct Keys<'t> {
    keys: Vec<(Cow<'t, str>, TextRange)>,
    index: FxHashMap<Cow<'t, str>, TextRange>,
}

impl<'t> Keys<'t> {
    const FEW: usize = 16;

    fn find(&self, key: &str) -> Option<TextRange> {
        if !self.index.is_empty() {
            return self.index.get(key).copied();
        }
        self.keys.iter().find(|(known, _)| known == key).map(|(_, range)| *range)
    }

    fn add(&mut self, key: Cow<'t, str>, range: TextRange) {
        if self.keys.len() == Self::FEW {
            self.index = self.keys.iter().cloned().collect();
        }
        if self.keys.len() >= Self::FEW {
            self.index.insert(key.clone(), range);
        }
        self.keys.push((key, range));
    }
}

/// Duplicate keys of a mapping, up to the first YAML error: LLVM parses a document that far before it interprets the keys.
pub(super) fn repeated_keys(node: N<'_>, end: Option<TextSize>, diagnostics: &mut Vec<Diagnostic>) {
    match node.kind() {
        MirKind::MAPPING | MirKind::FLOW_MAPPING => {
            let mut seen = Keys::default();
            for (key, value) in entries(node) {
                if end.is_some_and(|end| key.range().end() >= end) {
                    return;
                }
                repeated_keys(value, end, diagnostics);
                let Some(text) = scalar_text(key).filter(|_| key.kind() == MirKind::SCALAR) else { continue };
                // What follows belongs to another document.
                if damaged_mark(&text).is_some() {
                    return;
                }
                if let Some(first) = seen.find(&text) {
                    let d = Diagnostic::new(&MIR_YAML, key.range(), format!("duplicate key `{text}`"));
                    diagnostics.push(
                        d.related(wavelens_base::Place::Here(first), wavelens_syntax::wording::PREVIOUS),
                    );
                } else {
                    seen.add(text, key.range());
                }
            }
        }
        MirKind::SEQUENCE | MirKind::FLOW_SEQUENCE => {
            items(node).for_each(|item| repeated_keys(item, end, diagnostics));
        }
        _ => {}
    }
}

/// What a key may be meant for that begins with dots or dashes alone.
fn damaged_mark(key: &str) -> Option<&'static str> {
    let first = key.split_whitespace().next().filter(|first| first.len() > 1)?;
    match first.trim_matches('.') {
        "" => Some("`...` ends a document"),
        _ if first.trim_matches('-').is_empty() => Some("`---` begins a document"),
        _ => None,
    }
}

/// Checks a function's mapping.
pub(super) fn check(root: N<'_>, diagnostics: &mut Vec<Diagnostic>) {
    Checker { diagnostics }.value(root, &Shape::Map(keys::FUNCTION), "the machine function");
}

/// Checks `machineFunctionInfo` against the keys of one target or several. Of a section that is another target's the first key tells.
pub(super) fn check_target(fields: &[Key], node: N<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let mut checker = Checker { diagnostics };
    let text = |key| scalar_text(key).unwrap_or_default();
    let Some((first, value)) = entries(node).next() else {
        // Without keys LLVM does not even ask for a mapping.
        if !fields.is_empty() {
            checker.mapping(node, fields, "machineFunctionInfo");
        }
        return;
    };
    if entries(node).any(|(key, _)| fields.iter().any(|f| f.name == text(key))) {
        checker.mapping(node, fields, "machineFunctionInfo");
    } else {
        checker.unknown(node, first, value, fields, false);
    }
}

/// Whether a value of this shape is a scalar that must be there.
fn is_single(shape: &Shape) -> bool {
    !matches!(shape, Shape::Any | Shape::Map(_) | Shape::List(_))
}

struct Checker<'d> {
    diagnostics: &'d mut Vec<Diagnostic>,
}

impl Checker<'_> {
    fn error(&mut self, range: TextRange, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::new(&MIR_YAML, range, message));
    }

    fn value(&mut self, node: N<'_>, shape: &Shape, name: &str) {
        match shape {
            Shape::Any => {}
            Shape::Map(fields) => self.mapping(node, fields, name),
            Shape::List(inner) => match node.kind() {
                MirKind::SEQUENCE | MirKind::FLOW_SEQUENCE => {
                    for item in items(node) {
                        self.value(item, inner, name);
                    }
                }
                MirKind::NULL => {}
                MirKind::SCALAR if matches!(node.text(), "null" | "Null" | "NULL" | "~") => {}
                MirKind::BLOCK_SCALAR => {
                    self.unexpected_block(node, format!("`{name}` must be a list, found a block of text"))
                }
                _ => {
                    let message = wording::expected_token(&format!("a list as `{name}`"), Some(node.text()));
                    self.error(place(node), format!("{message}; an empty list is `[]`"));
                }
            },
            _ => match scalar_text(node) {
                Some(text) => self.scalar(node, shape, name, &text),
                None if node.kind() == MirKind::NULL => {
                    self.error(node.range(), format!("missing value of key `{name}`"));
                }
                None if name == "body" => {
                    self.error(node.range(), "`body` must be a block of text: write `body: |`".to_owned());
                }
                None => self.error(node.range(), format!("`{name}` must be a single value")),
            },
        }
    }

    fn scalar(&mut self, node: N<'_>, shape: &Shape, name: &str, text: &str) {
        let escaped = node.first_token().filter(|t| t.kind() == MirKind::DOUBLE_QUOTED);
        if let Some((_, Some(letter))) = escaped.map(|t| unescape(t.text())) {
            self.error(node.range(), format!("unknown escape sequence `\\{letter}`"));
            return;
        }
        let range;
        let problem = match shape {
            Shape::Bool if boolean(text).is_none() => "must be `true` or `false`",
            Shape::OptionalBool if boolean(text).is_none() && text != "<none>" => "must be `true` or `false`",
            Shape::Unsigned(max) if unsigned(text).is_none_or(|v| v > *max) => {
                range = format!("must be a number between 0 and {max}");
                &range
            }
            Shape::Signed(max) if !signed(text).is_some_and(|v| v <= *max && v >= -max - 1) => {
                range = format!("must be a number between {} and {max}", -max - 1);
                &range
            }
            Shape::OptionalUnsigned if unsigned(text).is_none() && text != "<none>" => {
                "must be an unsigned number"
            }
            Shape::OptionalSigned if signed(text).is_none() && text != "<none>" => "must be a number",
            Shape::Align(zero) => {
                let n = text.parse::<u64>().ok();
                if n.is_some_and(|n| n.is_power_of_two() || (*zero && n == 0)) {
                    return;
                }
                "must be a power of two"
            }
            Shape::OneOf(values) if !values.contains(&text) => "has an unknown value",
            Shape::FrameIndex => {
                let number = text.strip_prefix("%stack.").or(text.strip_prefix("%fixed-stack."));
                if number.is_some_and(|n| n.starts_with(|c: char| c.is_ascii_digit())) {
                    return;
                }
                "must be a frame index (`%stack.0`)"
            }
            _ => return,
        };
        let expected = match shape {
            Shape::OneOf(values) => format!(": one of `{}`", values.join("`, `")),
            _ => String::new(),
        };
        match node.kind() {
            MirKind::BLOCK_SCALAR => {
                self.unexpected_block(node, format!("`{name}` {problem}, found a block of text{expected}"));
            }
            _ => self.wrong_value(
                node.range(),
                shape,
                text,
                format!("`{name}` {problem}, found `{text}`{expected}"),
            ),
        }
    }

    /// Reports a value, and the word that is near where only some are possible.
    fn wrong_value(&mut self, range: TextRange, shape: &Shape, text: &str, message: String) {
        let possible: &[&str] = match shape {
            Shape::Bool | Shape::OptionalBool => &["true", "false"],
            Shape::OneOf(values) => values,
            _ => &[],
        };
        let wrong = Diagnostic::new(&MIR_YAML, range, message);
        self.diagnostics.push(match closest(text, possible.iter().copied()) {
            Some(near) => {
                wrong.respell(format!("Replace with `{near}`"), TextEdit::new(range, near), text, near)
            }
            None => wrong,
        });
    }

    /// At the `|` of a block, which LLVM reports at the block's text.
    fn unexpected_block(&mut self, node: N<'_>, message: String) {
        let indicator = node.first_token().map_or(node.range(), |t| t.range());
        let wrong = Diagnostic::new(&MIR_YAML, indicator, message);
        self.diagnostics.push(match node.token(MirKind::BLOCK_TEXT) {
            Some(text) => {
                let start = TextRange::empty(text.range().start());
                wrong.related(Place::Here(start), wording::REFERENCE)
            }
            None => wrong,
        });
    }

    fn mapping(&mut self, node: N<'_>, fields: &[Key], name: &str) {
        let is_map = matches!(node.kind(), MirKind::MAPPING | MirKind::FLOW_MAPPING);
        if !is_map {
            let empty = node.kind() == MirKind::NULL && fields.iter().all(|f| !f.required);
            if !empty {
                let subject = if name.contains(' ') { name.to_owned() } else { format!("`{name}`") };
                let found =
                    scalar_text(node).filter(|text| (1..40).contains(&text.len()) && !text.contains('\n'));
                let found = found.map(|text| format!(", found `{text}`")).unwrap_or_default();
                self.error(place(node), format!("{subject} must be a mapping of keys to values{found}"));
            }
            return;
        }
        let mut seen = Keys::default();
        for (key, value) in entries(node) {
            let Some(text) = scalar_text(key).filter(|_| key.kind() == MirKind::SCALAR) else {
                self.error(key.range(), "a key must be a plain word");
                continue;
            };
            // Reported already.
            if seen.find(&text).is_some() {
                continue;
            }
            match fields.iter().find(|f| f.name == text) {
                Some(field) if is_single(&field.shape) && value.kind() == MirKind::NULL => {
                    let missing =
                        Diagnostic::new(&MIR_YAML, key.range(), format!("missing value of key `{text}`"));
                    let empty = Place::Here(value.range());
                    self.diagnostics.push(missing.related(empty, wording::REFERENCE));
                }
                Some(field) => {
                    if let Some(since) = keys::key_since(field.name) {
                        let message = format!("key `{text}` requires LLVM {since}");
                        self.diagnostics.push(Diagnostic::new(&NEWER, key.range(), message));
                    }
                    self.value(value, &field.shape, &text);
                }
                None => {
                    let ends_body = seen.keys.last().is_some_and(|(last, _)| last == "body");
                    self.unknown(node, key, value, fields, ends_body);
                }
            }
            seen.add(text, key.range());
        }
        // One that is not known may be meant as the one that is missing.
        let is_whole = seen.keys.iter().all(|(key, _)| fields.iter().any(|f| f.name == &**key));
        for field in fields.iter().filter(|f| f.required && is_whole) {
            let optional_here = field.name == "size"
                && seen.find("type").is_some()
                && value(node, "type").and_then(scalar_text).as_deref() == Some("variable-sized");
            if !optional_here && seen.find(field.name).is_none() {
                let start = TextRange::empty(node.range().start());
                let place = if name.starts_with("the ") { name.to_owned() } else { format!("`{name}`") };
                self.error(start, format!("missing key `{}` in {place}", field.name));
            }
        }
        let is = |key: &str, text: &str| value(node, key).and_then(scalar_text).as_deref() == Some(text);
        if std::ptr::eq(fields, keys::FIXED_STACK) && is("type", "spill-slot") {
            for (text, key) in seen.keys.iter().filter(|(k, _)| k == "isImmutable" || k == "isAliased") {
                self.error(*key, format!("a spill slot must not have `{text}`"));
            }
        }
        if std::ptr::eq(fields, keys::STACK)
            && is("type", "variable-sized")
            && let Some(range) = seen.find("size")
        {
            self.error(range, "a variable-sized object must not have `size`");
        }
        if let Shape::Map(argument) = keys::ARGUMENT
            && std::ptr::eq(fields, argument)
        {
            let given: Vec<_> = seen.keys.iter().filter(|(k, _)| k == "reg" || k == "offset").collect();
            match given.as_slice() {
                [] => self.error(node.range(), format!("missing `reg` or `offset` in `{name}`")),
                [_, second] => {
                    let range = seen.find("offset").unwrap_or(second.1);
                    self.error(range, "an argument must not have both `reg` and `offset`");
                }
                _ => {}
            }
        }
    }

    /// `ends_body`: the key before is `body`.
    fn unknown(&mut self, mapping: N<'_>, key: N<'_>, value: N<'_>, fields: &[Key], ends_body: bool) {
        let text = scalar_text(key).unwrap_or_default();
        let text = text.as_ref();
        let first = text.split_whitespace().next().unwrap_or_default();
        if first != text && fields.iter().any(|f| f.name == first) {
            let range = TextRange::at(key.range().start(), (first.len() as u32).into());
            return self.error(range, format!("missing `:` after `{first}`"));
        }
        let is_opcode = text.starts_with(|c: char| c.is_ascii_uppercase()) && !text.contains(' ');
        let before = usize::from(key.range().start() - mapping.range().start());
        let is_after_tab = mapping.text().get(..before).is_some_and(|text| text.ends_with('\t'));
        let hint = match text {
            _ if is_after_tab => "YAML does not count the tabs before it as indentation",
            _ if is_opcode => "instructions must be indented below `body: |`",
            _ if text.starts_with("bb.") && value.kind() == MirKind::NULL => {
                "blocks must be indented below `body: |`"
            }
            _ if ends_body && text.contains(' ') => "this line ends `body: |`, because it is not indented",
            "hasEHCatchret" => "LLVM 22 calls it `hasEHContTarget`",
            _ if text.starts_with(';') => "a comment starts with `#` outside of IR and function bodies",
            _ => damaged_mark(text).unwrap_or_default(),
        };
        if !hint.is_empty() {
            // A key can go on for many lines.
            let source = key.text();
            let line = source.lines().next().unwrap_or(text);
            let range = TextRange::at(key.range().start(), TextSize::of(line));
            return self.error(range, format!("unknown key `{line}`; {hint}"));
        }
        let near = closest(text, fields.iter().map(|f| f.name));
        let mut d = Diagnostic::new(&MIR_YAML, key.range(), format!("unknown key `{text}`"));
        if let Some(near) = near {
            d = d.respell(format!("Replace with `{near}`"), TextEdit::new(key.range(), near), text, near);
        }
        self.diagnostics.push(d);
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn escapes_of_double_quotes() {
        assert_eq!(unescape(r#"\x01?f@@Y\u00e4 \"q\\"#), ("\x01?f@@Yä \"q\\".to_owned(), None));
        assert_eq!(unescape(r"a\q"), ("aq".to_owned(), Some("q")));
    }

    #[track_caller]
    fn marks(text: expect_test::Expect) {
        wavelens_check::testing::marks(wavelens_base::Dialect::Mir, text.data(), |marked| {
            text.assert_eq(marked)
        });
    }

    fn findings(text: &str) -> String {
        wavelens_check::testing::findings(wavelens_base::Dialect::Mir, text)
    }

    #[test]
    fn keys_and_instructions_in_the_wrong_place() {
        marks(expect![[r#"
            name: f
            legalized: true
              bb.0:
            ;     ^ error[syntax-error]: this block is not in a body: expected `body: |` above it
                S_NOP 0
        "#]]);
        marks(expect![[r#"
            name: f
            : alignment
            ;^ error[syntax-error]: missing key before `:`
        "#]]);
        marks(expect![[r#"
            name: f
            legalized true
            ;^^^^^^^^ error[mir-yaml]: missing `:` after `legalized`
            body: |
        "#]]);
        marks(expect![[r#"
            name: f
            body: |
              bb.0:
                S_NOP 0
            S_ENDPGM
            ;^^^^^^^ error[mir-yaml]: unknown key `S_ENDPGM`; instructions must be indented below `body: |`
        "#]]);
        marks(expect![[r#"
            ---
            name: f
            body: |
              bb.0:
                S_ENDPGM 0
            ..
            ;^ error[mir-yaml]: unknown key `..`; `...` ends a document
            ---
            name: g
            body: |
              bb.0:
                S_ENDPGM 0
            ...
        "#]]);
        marks(expect![[r#"
            ---
            name: f
            ...
            --
            ;^ error[mir-yaml]: unknown key `--`; `---` begins a document
            name: g
        "#]]);
        expect![[r#"
            error[mir-yaml] 5:3 `S_ENDPGM 0`: unknown key `S_ENDPGM 0`; YAML does not count the tabs before it as indentation
        "#]].assert_eq(&findings("name: f\nbody: |\n  bb.0:\n    S_NOP 0\n\t\tS_ENDPGM 0\n"));
        marks(expect![[r#"
            name: f
            body: |
              bb.0:
                S_NOP 0

            bb.1:
                liveins: $vgpr0
                %0:vgpr_32 = COPY $vgpr0
            ;   ^^^^^^^^^^^^^^^^^^^^^^^^ error[syntax-error]: this is outside of `body: |`, which ends at the label above: the label is not indented
        "#]]);
        marks(expect![[r#"
            name: f
            body: |
              bb.0:
                legalized: true
            ;   ^^^^^^^^^ error[syntax-error]: `legalized:` is not an instruction; the function's keys must not be in its body
        "#]]);
        marks(expect![[r#"
            name: f
            body: |
              bb.-1:
            ; ^^^^^^ error[syntax-error]: invalid block `bb.-1:`: expected a number after `bb.`
                S_NOP 0
              bb.x:
                S_NOP 0
        "#]]);
        assert!(findings("name: f\nbody: |\n  \0bb.0:\n").contains("unexpected invisible character U+0000"));
        marks(expect![[r#"
            name: f
            body: |
              bb.0:
                bb1:
            ;   ^^^ error[syntax-error]: invalid block `bb1`: expected `bb.1`
                S_NOP %0 = COPY %1
            ;   ^^^^^ error[syntax-error]: expected only definitions before `=`, found `S_NOP`
        "#]]);
    }

    #[test]
    fn errors_of_yaml_say_what_was_found() {
        let texts = [
            "name: f\nliveins:\n  - { reg: '$x0' }\n  x: 1\n",
            "name: f\nliveins: [ { reg: '$x0' } { reg: '$x1' } ]\n",
            "name: f\nmachineFunctionInfo:\n  attributes #0\n  isEntryFunction: true\n",
            "name: f\nframeInfo: { - }\n",
            "]\nname: f\n",
            "name: f\nstack: [ { id: 0 ]\n",
        ];
        let found: Vec<String> = texts.iter().map(|text| findings(text)).collect();
        expect![[r#"
            error[unknown-register] 3:13 `$x0`: unknown register `$x0`
            error[syntax-error] 4:3 `x`: expected a list item (`-`), or less indentation, found `x`
            error[unknown-register] 2:20 `$x0`: unknown register `$x0`
            error[syntax-error] 2:27 `{`: expected `,` or `]` after this entry of the list, found `{`
            error[syntax-error] 4:3 `isEntryFunction`: unexpected key `isEntryFunction`: the line above it has no `:`, or the other keys have another indentation
            error[syntax-error] 2:14 `-`: expected a key, `,` or `}`, found `-`
            error[syntax-error] 1:1 `]`: expected a key of the machine function such as `name:`, found `]`
            error[syntax-error] 2:18 `]`: expected a key, `,` or `}`, found `]`
        "#]].assert_eq(&found.concat());
    }

    #[test]
    fn keys_twice_before_the_yaml_breaks() {
        marks(expect![[r#"
            name: f
            alignment: 1
            alignment: 1
            ;^^^^^^^^ error[mir-yaml]: duplicate key `alignment`
            ;       = line 2:1: previous definition is here
              legalized: true
            ;          ^ error[syntax-error]: unexpected `:`: each key must be on its own line, with the indentation of the keys before
            name: g
        "#]]);
    }

    #[test]
    fn a_root_is_judged_whatever_follows_it() {
        marks(expect![[r#"
            ---
              alignment: 1
            ; ^ error[mir-yaml]: missing key `name` in the machine function
            name: f
            ;^^^ error[syntax-error]: `name` must be indented like the first key of the machine function
        "#]]);
        marks(expect![[r#"
            ---
              - { id: 0 }
            ; ^^^^^^^^^^^ error[mir-yaml]: the machine function must be a mapping of keys to values
            name: f
            ;^^^ error[syntax-error]: `name` must be indented like the first key of the machine function
        "#]]);
    }

    #[test]
    fn characters_that_yaml_does_not_allow() {
        let findings = |text: &str| findings(text).replace('\0', "NUL");
        expect![[r#"
            error[syntax-error] 2:4 `NUL`: unexpected invisible character U+0000 (NUL)
        "#]]
        .assert_eq(&findings("name: f\n# a\0b\n"));
        expect![[r#"
            error[syntax-error] 2:21 `NUL`: unexpected invisible character U+0000 (NUL)
        "#]]
        .assert_eq(&findings("--- |\n  define void @f() {\0\n    ret void ; \u{1}\n  }\n...\n"));
        assert!(!findings("---\nname: f\n%FOO\n# \0\n").contains("NUL"));
        expect![""].assert_eq(&findings("\u{feff}name: f\n# \u{85}\u{a0}\u{fffd}\n"));
    }

    #[test]
    fn tabs_do_not_indent() {
        expect![[r#"
            error[syntax-error] 4:3 `S_NOP 0`: this line is indented with a tab, which YAML does not count: use spaces
              5:7 `:`: LLVM reports it here
        "#]]
            .assert_eq(&findings("name: f\nbody: |\n  bb.0:\n\t\tS_NOP 0\n  bb.1:\n    S_ENDPGM 0\n"));
        expect![[r#"
            error[syntax-error] 4:1 `	maxAlignment: 4`: a tab must not indent a line of YAML
        "#]]
        .assert_eq(&findings("name: f\nframeInfo:\n  stackSize: 4\n\tmaxAlignment: 4\n"));
        expect![[r#"
            error[syntax-error] 4:3 `	maxAlignment: 4`: a tab must not indent a line of YAML
        "#]]
        .assert_eq(&findings("name: f\nframeInfo:\n  stackSize: 4\n  \tmaxAlignment: 4\n"));
    }

    #[test]
    fn blocks_where_values_belong() {
        marks(expect![[r#"
            name: f
            legalized: |
            ;          ^ error[mir-yaml]: `legalized` must be `true` or `false`, found a block of text
            ;          = line 3:1: LLVM reports it here
              bb.0:
                S_ENDPGM 0
        "#]]);
    }

    #[test]
    fn ir_ends_with_its_block() {
        marks(expect![[r#"
            --- |
              define void @f() {

            ;^ error[syntax-error]: missing `}` at the end of function `@f`
            ...
        "#]]);
    }

    #[test]
    fn numbers_as_llvm_reads_them() {
        assert_eq!(unsigned("0x10"), Some(16));
        assert_eq!(unsigned("010"), Some(8));
        assert_eq!(unsigned("09"), None);
        assert_eq!(unsigned("-1"), None);
        assert_eq!(signed("-5"), Some(-5));
        assert_eq!(boolean("maybe"), None);
    }
}
