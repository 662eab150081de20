//! Names in strings: which language of its own a string is in, and what its words mean.

use wavelens_base::{TextRange, TextSize};
use wavelens_syntax::llvm::LlvmKind;
use wavelens_syntax::machine::Token;

use super::{Cx, help};
use crate::demangle::demangle;
use crate::markdown::code;

/// What the string is whose quote follows a text; `after` follows its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Context {
    /// `syncscope("agent")`
    Scope,
    /// `[ "deopt"(...) ]`
    Bundle,
    /// `gc "statepoint-example"`
    Collector,
    /// `!"PIC Level"`
    Metadata,
    /// The constraints of inline assembly.
    Constraints,
    /// `target triple = "..."`
    Triple,
}

impl Context {
    /// By the line before the string's quote and the text after its end.
    pub(super) fn of(before: &str, after: &str) -> Option<Context> {
        let before = before.trim_end();
        let last_word = before.rsplit(|c: char| !c.is_ascii_alphanumeric()).next();
        if before.ends_with("syncscope(") {
            Some(Context::Scope)
        } else if before.ends_with('!') {
            Some(Context::Metadata)
        } else if last_word == Some("gc") {
            Some(Context::Collector)
        } else if before.starts_with("target triple") {
            Some(Context::Triple)
        } else if before.ends_with("\",") && before.contains(" asm ") {
            Some(Context::Constraints)
        } else if before.ends_with(['[', ',']) && (after.starts_with('(') || after.is_empty()) {
            before.rfind('[').filter(|open| !before.get(*open..).is_some_and(|r| r.contains(']')))?;
            Some(Context::Bundle)
        } else {
            None
        }
    }

    /// The sections of the descriptions that name what may be there.
    pub(super) fn sections(self) -> &'static [&'static str] {
        match self {
            Context::Scope => &["Scopes"],
            Context::Bundle => &["Bundles"],
            Context::Collector => &["Collectors"],
            Context::Metadata => &["Flags", "Profile"],
            Context::Constraints | Context::Triple => &[],
        }
    }
}

/// What a word of a string means, and where it is.
pub(super) fn hover(cx: &Cx<'_>, token: Token<'_, LlvmKind>, at: TextSize) -> Option<(TextRange, String)> {
    let range = token.range();
    let before = cx.text.get(..usize::from(range.start()))?;
    let line = before.get(before.rfind('\n').map_or(0, |end| end + 1)..)?;
    let after = cx.text.get(usize::from(range.end())..)?;
    let name = token.text().trim_matches('"');
    if let Some(source) = demangled(name) {
        return Some((range, source));
    }
    let context = Context::of(line, after.get(..1).unwrap_or(" "))?;
    let text = match context {
        Context::Constraints => return constraint(name, range, at),
        Context::Triple => triple(name),
        Context::Metadata => match help::loop_hint(name) {
            Some(hint) => format!("Loop hint: {hint}."),
            None => match help::string("Flags", name) {
                Some(flag) => format!("{flag}{}", behaviour(line)),
                None => help::string("Profile", name)?,
            },
        },
        _ => context.sections().iter().find_map(|section| help::string(section, name))?,
    };
    Some((range, text))
}

/// The name in the source of a mangled one: of a type in TBAA and debug information, or of a symbol.
fn demangled(name: &str) -> Option<String> {
    let (what, symbol) = match name.strip_prefix("_ZTS") {
        // As the symbol of a function without parameters would be mangled.
        Some(ty) => ("Type", format!("_Z{ty}")),
        None => ("Symbol", name.to_owned()),
    };
    Some(format!("{what} of the source: {}.", code(&demangle(&symbol)?)))
}

/// How a module flag is merged, of the line before its name.
fn behaviour(line: &str) -> String {
    let number = line.trim_end_matches(['!', ' ', ',']).rsplit(' ').next();
    let text = match number {
        Some("1") => "an error if modules differ",
        Some("2") => "a warning if modules differ, the first one counts",
        Some("3") => "the linked module must have this value of the other flag",
        Some("4") => "this value overrides that of other modules",
        Some("5") => "the values of the modules are appended",
        Some("6") => "the values of the modules are appended, each once",
        Some("7") => "the largest value counts",
        Some("8") => "the smallest value counts",
        _ => return String::new(),
    };
    format!("\n\nWhen modules are linked: {text}.")
}

fn triple(name: &str) -> String {
    let mut parts = name.split('-');
    let mut part = || parts.next().filter(|part| !part.is_empty()).map(code);
    let (architecture, vendor, system) = (part(), part(), part());
    let known = [("architecture", architecture), ("vendor", vendor), ("system", system)];
    let known = known.into_iter().filter_map(|(what, name)| Some(format!("{what} {}", name?)));
    format!("What the module is for: {}.", known.collect::<Vec<_>>().join(", "))
}

/// The constraint of inline assembly at an offset.
fn constraint(all: &str, range: TextRange, at: TextSize) -> Option<(TextRange, String)> {
    let mut start = range.start() + TextSize::new(1);
    for one in all.split(',') {
        let own = TextRange::at(start, TextSize::of(one));
        if own.contains_inclusive(at) {
            return Some((own, described(one)?));
        }
        start = own.end() + TextSize::new(1);
    }
    None
}

/// What a constraint means.
pub(super) fn described(constraint: &str) -> Option<String> {
    if let Some(clobber) = constraint.strip_prefix("~{").and_then(|rest| rest.strip_suffix('}')) {
        return Some(match clobber {
            "memory" => "Clobber: the assembly may read and write any memory.".to_owned(),
            "cc" => "Clobber: the assembly changes condition codes.".to_owned(),
            register => format!("Clobber: the assembly changes {}.", code(register)),
        });
    }
    let (kind, rest) = match constraint.strip_prefix('=') {
        Some(rest) => ("Output", rest),
        None => match constraint.strip_prefix('+') {
            Some(rest) => ("Input and output", rest),
            None => ("Input", constraint),
        },
    };
    let (early, rest) = rest.strip_prefix('&').map_or(("", rest), |rest| {
        (", written before the inputs are read, so in registers of its own", rest)
    });
    let (indirect, rest) = rest.strip_prefix('*').map_or(("", rest), |rest| (", through a pointer", rest));
    let place = match rest {
        "v" => "a vector register".to_owned(),
        "s" => "a scalar register".to_owned(),
        "a" => "an accumulation register, or the constraint `a` of the target".to_owned(),
        "r" => "a register".to_owned(),
        "i" => "an integer or the address of a symbol, known when it is assembled".to_owned(),
        "n" => "an integer that is known when it is compiled".to_owned(),
        "I" => "an integer from -16 to 64 (AMDGPU: an inline constant), or the range `I` of the target"
            .to_owned(),
        "J" => "a signed 16-bit integer (AMDGPU), or the range `J` of the target".to_owned(),
        "A" => "an inline constant (AMDGPU), or the constraint `A` of the target".to_owned(),
        "m" => "a place in memory".to_owned(),
        "X" => "anything".to_owned(),
        "" => return None,
        number if number.chars().all(|c| c.is_ascii_digit()) => format!("the same place as operand {number}"),
        named if named.starts_with('{') => format!("the register {}", code(named.trim_matches(['{', '}']))),
        other => format!("the constraint {} of the target", code(other)),
    };
    Some(format!("{kind}: {place}{indirect}{early}."))
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use wavelens_base::Dialect;

    use crate::features;
    use crate::features::tests::at_cursor;

    fn check(fixture: &str, expected: Expect) {
        let shown = at_cursor(Dialect::Llvm, fixture, |view, at| {
            features::hover(view, at).map_or("none".to_owned(), |hover| hover.markdown)
        });
        expected.assert_eq(&shown);
    }

    #[test]
    fn strings_are_explained() {
        check(
            "define void @f() {\n  fence syncscope(\"ag$0ent\") acquire\n  ret void\n}\n",
            expect!["Orders with threads on the same device."],
        );
        check(
            "define void @f() gc \"shadow$0-stack\" {\n  ret void\n}\n",
            expect!["Roots are kept on a linked shadow stack; works on every target."],
        );
        check(
            "declare void @g()\ndefine void @f() {\n  call void @g() [ \"de$0opt\"(i32 1) ]\n  ret void\n}\n",
            expect!["The state from which an interpreter goes on when the compiled code is left."],
        );
        check(
            "!llvm.module.flags = !{!0}\n!0 = !{i32 8, !\"PIC$0 Level\", i32 2}\n",
            expect![[r#"
                Position-independent code: 0 none, 1 small, 2 large.

                When modules are linked: the smallest value counts."#]],
        );
        check("!0 = !{!\"llvm.loop.unroll.c$0ount\", i32 4}\n", expect!["Loop hint: unroll by."]);
        check(
            "target triple = \"amdgcn$0-amd-amdhsa\"\n",
            expect!["What the module is for: architecture `amdgcn`, vendor `amd`, system `amdhsa`."],
        );
        check("@x = global i32 0, section \"s$0\"\n", expect!["none"]);
        check("!0 = !{!\"_ZTS3$0Foo\", !1}\n!1 = !{}\n", expect!["Type of the source: `Foo`."]);
        check(
            "!0 = !{!\"_ZTSN2ns3B$0arIiEE\", !1}\n!1 = !{}\n",
            expect!["Type of the source: `ns::Bar<int>`."],
        );
        check("!0 = !{!\"_ZT$0Si\", !1}\n!1 = !{}\n", expect!["none"]);
        check(
            "!0 = distinct !DICompositeType(tag: DW_TAG_class_type, identifier: \"_ZTS3$0Foo\")\n",
            expect!["Type of the source: `Foo`."],
        );
        check(
            "!0 = distinct !DISubprogram(linkageName: \"_ZN3$0Foo3barEi\")\n",
            expect!["Symbol of the source: `Foo::bar(int)`."],
        );
    }

    #[test]
    fn constraints_are_explained_one_by_one() {
        let asm = |constraints: &str| {
            format!(
                "define void @f(i32 %x) {{\n  call void asm \"s_nop 0\", \"{constraints}\"(i32 %x)\n  ret void\n}}\n"
            )
        };
        check(&asm("v$0,~{vcc}"), expect!["Input: a vector register."]);
        check(&asm("v,~{v$0cc}"), expect!["Clobber: the assembly changes `vcc`."]);
        check(
            &asm("=&$0s,0"),
            expect![
                "Output: a scalar register, written before the inputs are read, so in registers of its own."
            ],
        );
    }
}
