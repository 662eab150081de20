//! Cutting a module down to some functions and what they reach, so that a compiler has little to do.
//!
//! Lines keep their numbers: what is left out leaves its line ends. Nothing is needed of the rest of the module but the names:
//! a function that is only mentioned (in a table, in metadata) becomes a declaration.

use rustc_hash::{FxHashMap, FxHashSet};
use wavelens_base::{Dialect, TextSize};
use wavelens_syntax::llvm::{LlvmKind, lex};

/// A function's definition.
struct Definition<'t> {
    name: &'t str,
    range: std::ops::Range<usize>,
    mentions: Vec<&'t str>,
}

/// The module with the named functions and what they reach; `None` when none of them is defined.
pub fn slice(text: &str, functions: &[String]) -> Option<String> {
    let mut definitions: Vec<Definition<'_>> = Vec::new();
    let mut kept: FxHashSet<&str> = FxHashSet::default();
    let mut roots: Vec<&str> = Vec::new();
    for span in wavelens_syntax::split(Dialect::Llvm, text) {
        let chunk = text.get(std::ops::Range::<usize>::from(span.range)).unwrap_or("");
        let (mut names, is_alias) = mentions(chunk);
        if chunk.starts_with("define") && !names.is_empty() {
            let name = names.remove(0);
            let start = usize::from(span.range.start());
            let end = chunk.find("\n}").map_or(chunk.len(), |at| at + 2);
            definitions.push(Definition { name, range: start..start + end, mentions: names });
            // What follows the body in the same chunk stays.
            kept.extend(mentions(chunk.get(end..).unwrap_or("")).0);
        } else if is_alias {
            roots.extend(names);
        } else {
            kept.extend(names);
        }
    }
    let by_name: FxHashMap<&str, usize> =
        definitions.iter().enumerate().map(|(index, d)| (d.name, index)).collect();
    let wanted = definitions.iter().map(|d| d.name).filter(|n| functions.iter().any(|f| bare(f) == bare(n)));
    let wanted: Vec<&str> = wanted.collect();
    if wanted.is_empty() {
        return None;
    }
    roots.extend(wanted);
    let mut reached = vec![false; definitions.len()];
    while let Some(name) = roots.pop() {
        let Some(index) = by_name.get(name) else { continue };
        if !std::mem::replace(&mut reached[*index], true) {
            roots.extend(&definitions[*index].mentions);
        }
    }
    let mut out = String::with_capacity(text.len() / 4);
    let mut copied = 0;
    for (definition, reached) in definitions.iter().zip(reached) {
        if reached {
            continue;
        }
        out.push_str(text.get(copied..definition.range.start).unwrap_or(""));
        if kept.contains(definition.name) {
            out.push_str(&format!("declare void {}()", definition.name));
        }
        let body = text.get(definition.range.clone()).unwrap_or("");
        out.extend(std::iter::repeat_n('\n', body.matches('\n').count()));
        copied = definition.range.end;
    }
    out.push_str(text.get(copied..).unwrap_or(""));
    Some(out)
}

/// Global names in a text, and whether it holds what needs a definition of each: an alias, an ifunc, a block's address.
fn mentions(text: &str) -> (Vec<&str>, bool) {
    let lexed = lex(text);
    let (mut names, mut is_alias) = (Vec::new(), false);
    for index in 0..lexed.len() {
        match lexed.kind(index) {
            LlvmKind::GLOBAL | LlvmKind::GLOBAL_ID => names.push(lexed.text(text, index)),
            LlvmKind::ALIAS_KW | LlvmKind::IFUNC_KW | LlvmKind::BLOCKADDRESS_KW => is_alias = true,
            _ => {}
        }
    }
    (names, is_alias)
}

/// A name without `@` and quotes.
fn bare(name: &str) -> &str {
    name.trim_start_matches('@').trim_matches('"')
}

/// The function whose definition holds a line, counted from 0.
pub fn function_at(text: &str, line: u32) -> Option<String> {
    let ends = text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(at, _)| at + 1);
    let offset = TextSize::new(std::iter::once(0).chain(ends).nth(line as usize)? as u32);
    let spans = wavelens_syntax::split(Dialect::Llvm, text);
    let range = spans.iter().map(|s| s.range).find(|r| r.contains(offset))?;
    let chunk = text.get(std::ops::Range::<usize>::from(range)).filter(|c| c.starts_with("define"))?;
    let names = mentions(chunk.lines().next().unwrap_or("")).0;
    names.first().map(|n| bare(n).to_owned())
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    const MODULE: &str = "@table = global [2 x ptr] [ptr @a, ptr @c]
define void @a() {
  call void @b()
  ret void
}
define void @b() {
  ret void
}

define internal void @c() {
  ret void
}
define void @\"d e\"() {
  call void @c()
  ret void
}
!0 = !{ptr @a}
";

    #[test]
    fn what_is_reached_stays_and_lines_keep_their_numbers() {
        let sliced = slice(MODULE, &["d e".to_owned()]).expect("it is defined");
        assert_eq!(slice(MODULE, &["@\"d e\"".to_owned()]).as_ref(), Some(&sliced));
        assert_eq!(sliced.lines().count(), MODULE.lines().count());
        expect![[r#"
            @table = global [2 x ptr] [ptr @a, ptr @c]
            declare void @a()







            define internal void @c() {
              ret void
            }
            define void @"d e"() {
              call void @c()
              ret void
            }
            !0 = !{ptr @a}
        "#]]
        .assert_eq(&sliced);
        assert_eq!(slice(MODULE, &["x".to_owned()]), None);
    }

    #[test]
    fn lines_belong_to_functions() {
        let at = |line| function_at(MODULE, line);
        assert_eq!((at(0), at(1).as_deref(), at(4).as_deref()), (None, Some("a"), Some("a")));
        assert_eq!((at(6).as_deref(), at(14).as_deref(), at(16)), (Some("b"), Some("d e"), None));
    }
}
