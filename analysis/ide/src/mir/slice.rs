//! Cutting a file down to some machine functions and those they mention, so that a compiler has little to do.
//!
//! Lines keep their numbers: line ends of what is left out stay. In the embedded IR, functions whose machine functions are left
//! out become declarations: `llc` would generate code for their bodies.

use rustc_hash::{FxHashMap, FxHashSet};
use wavelens_base::{Dialect, TextSize};
use wavelens_mir::lower::{bare, function_name};
use wavelens_syntax::llvm::LlvmKind;
use wavelens_syntax::mir::{ir_text, parse};

type Span = std::ops::Range<usize>;

/// The file with the named machine functions and what they reach; `None` when none of them is there.
pub fn slice(text: &str, functions: &[String]) -> Option<String> {
    let mut documents: FxHashMap<String, Span> = FxHashMap::default();
    // By name as it is written.
    let mut bodies: Vec<(String, Span)> = Vec::new();
    // An alias needs the definition of what it names.
    let mut roots: Vec<String> = Vec::new();
    for span in wavelens_syntax::split(Dialect::Mir, text) {
        let range = Span::from(span.range);
        let chunk = text.get(range.clone()).unwrap_or("");
        if let Some(ir) = ir_text(chunk) {
            let tree = wavelens_syntax::llvm::parse(&ir);
            for node in tree.root(&ir).children() {
                if node.kind() == LlvmKind::FUNCTION && node.child(LlvmKind::BODY).is_some() {
                    let body = Span::from(node.range() + TextSize::new(range.start as u32));
                    bodies.extend(node.token(LlvmKind::GLOBAL).map(|n| (n.text().to_owned(), body)));
                } else if [" alias ", " ifunc "].iter().any(|word| node.text().contains(word)) {
                    roots.extend(mentions(node.text()));
                }
            }
        } else if let Some(name) = function_name(parse(chunk).root(chunk)) {
            documents.insert(name, range);
        }
    }
    let wanted = functions.iter().map(|f| f.trim_start_matches('@').trim_matches('"'));
    let wanted: Vec<String> = wanted.filter(|f| documents.contains_key(*f)).map(str::to_owned).collect();
    if wanted.is_empty() {
        return None;
    }
    roots.extend(wanted);
    let mut kept: FxHashSet<String> = FxHashSet::default();
    while let Some(name) = roots.pop() {
        let Some(range) = documents.get(&name) else { continue };
        if kept.insert(name) {
            roots.extend(mentions(text.get(range.clone()).unwrap_or("")));
        }
    }
    let left = documents.into_iter().filter(|(name, _)| !kept.contains(name));
    let mut cuts: Vec<(Span, String)> = left.map(|(_, range)| (range, String::new())).collect();
    let left = bodies.into_iter().filter(|(name, _)| !kept.contains(&bare(name, "@")));
    cuts.extend(left.map(|(name, range)| (range, format!("declare void {name}()"))));
    cuts.sort_by_key(|(range, _)| range.start);
    let (mut out, mut copied) = (String::with_capacity(text.len() / 4), 0);
    for (range, instead) in cuts {
        out.push_str(text.get(copied..range.start).unwrap_or(""));
        out.push_str(&instead);
        let cut = text.get(range.clone()).unwrap_or("");
        out.extend(std::iter::repeat_n('\n', cut.matches('\n').count()));
        copied = range.end;
    }
    out.push_str(text.get(copied..).unwrap_or(""));
    Some(out)
}

/// Names after `@`.
fn mentions(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split('@').skip(1).map(|rest| {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$' | '-');
        let name = match rest.strip_prefix('"') {
            Some(quoted) => quoted.split('"').next(),
            None => rest.split(|c| !is_plain(c)).next(),
        };
        name.unwrap_or("").to_owned()
    })
}

/// The machine function that a line, counted from 0, belongs to.
pub fn function_at(text: &str, line: u32) -> Option<String> {
    let start = text.split_inclusive('\n').take(line as usize).map(str::len).sum::<usize>();
    let offset = TextSize::new(u32::try_from(start).ok()?);
    let spans = wavelens_syntax::split(Dialect::Mir, text);
    let range = spans.iter().map(|s| s.range).find(|r| r.contains(offset))?;
    let chunk = text.get(Span::from(range))?;
    if ir_text(chunk).is_some() { None } else { function_name(parse(chunk).root(chunk)) }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    const FILE: &str = "--- |
  @table = alias void (), ptr @c
  define void @a() {
    ret void
  }
  define void @b() {
    ret void
  }
  define void @c() {
    ret void
  }
  define amdgpu_kernel void @\"d e\"() {
    ret void
  }
...
---
name: a
body: |
  bb.0:
    S_ENDPGM 0
...
---
name: b
body: |
  bb.0:
    S_ENDPGM 0
...
---
name: c
body: |
  bb.0:
    S_ENDPGM 0
...
---
name: 'd e'
body: |
  bb.0:
    $sgpr4_sgpr5 = SI_PC_ADD_REL_OFFSET target-flags(amdgpu-rel32-lo) @b, 0, implicit-def dead $scc
    S_ENDPGM 0
...
";

    #[test]
    fn what_is_reached_stays_and_lines_keep_their_numbers() {
        let sliced = slice(FILE, &["d e".to_owned()]).expect("it is there");
        assert_eq!(sliced.lines().count(), FILE.lines().count());
        let shown: Vec<&str> = sliced.lines().filter(|l| !l.trim().is_empty()).collect();
        expect![[r#"
            --- |
              @table = alias void (), ptr @c
              declare void @a()
              define void @b() {
                ret void
              }
              define void @c() {
                ret void
              }
              define amdgpu_kernel void @"d e"() {
                ret void
              }
            ...
            ---
            name: b
            body: |
              bb.0:
                S_ENDPGM 0
            ...
            ---
            name: c
            body: |
              bb.0:
                S_ENDPGM 0
            ...
            ---
            name: 'd e'
            body: |
              bb.0:
                $sgpr4_sgpr5 = SI_PC_ADD_REL_OFFSET target-flags(amdgpu-rel32-lo) @b, 0, implicit-def dead $scc
                S_ENDPGM 0
            ..."#]].assert_eq(&shown.join("\n"));
        assert_eq!(slice(FILE, &["x".to_owned()]), None);
    }

    #[test]
    fn lines_belong_to_machine_functions() {
        let at = |line| function_at(FILE, line);
        assert_eq!((at(2), at(17).as_deref(), at(37).as_deref()), (None, Some("a"), Some("d e")));
    }
}
