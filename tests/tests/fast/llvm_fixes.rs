//! Fixes of findings in LLVM IR: llvm-as-22 accepts a text that has no error after them (when it is installed).

use std::path::Path;

use wavelens_base::{Dialect, Finding, Options, Severity};
use wavelens_check::check_text;
use wavelens_tests::reference::llvm_as;
use wavelens_tests::required;

/// Mistakes that the catalogue does not have, with a fix for each.
const MISTAKES: &[&str] = &[
    "define f32 @f(u8 %x, bool %y) {\n  %z = zext u8 %x to i64\n  ret f32 0.0\n}\n",
    "define void @f(ptr %p) {\n  %a = load atomic i32, ptr %p acquire\n  store atomic i64 1, ptr %p acquire, align 8\n  ret void\n}\n",
    "define void @f(ptr %p) {\n  %a = cmpxchg ptr %p, i32 0, i32 1 acq_rel release\n  %b = atomicrmw add ptr %p, i32 1 unordered\n  ret void\n}\n",
    "@a = global i32 0, !a !0\n!0 = !{i32 1}\n!0 = !{i32 2}\n!0 = !{i32 3}\n",
    "define i32 @f(i32 %value) {\n  %r = add i32 %valeu, 1\n  ret i32 %r\n}\n",
    "define i32 @f(i1 %c) {\n  br i1 %c, label %a, label %b\na:\n  br label %b\nb:\n  %x = add i32 1, 2\n  %p = phi i32 [ 0, %a ], [ 1, %0 ]\n  ret i32 %p\n}\n",
    "define i32 @f(i1 %c) {\n  br i1 %c, label %a, label %b\na:\n  br label %b\nb:\n  %p = phi i32 [ 0, %a ]\n  ret i32 %p\n}\n",
    "define void @f(i64 %x) {\n  %y = trunc i32 %x to i8\n  ret void\n}\n",
    "define void @f(i64 %x) {\n  %y = zext i64 %x to i8\n  ret void\n}\n",
    "define ptr* @f(void* %x) {\n  ret ptr* null\n}\n",
    "@g = global i64 mul (i64 4, i64 8)\n@h = global x86_mmx zeroinitializer\n",
    "define void @f() comdat {\n  ret void\n}\n",
    "define void @f() {\n  call void @g()\n}\ndeclare void @g()\n",
];

fn errors(text: &str) -> Vec<Finding> {
    let mut found = check_text(Dialect::Llvm, text, &Options::default());
    found.retain(|f| f.severity == Severity::Error);
    found
}

/// The text after the fixes of its errors, one after the other; `None` if an error remains.
fn fixed(text: &str) -> Option<String> {
    let mut text = text.to_owned();
    for _ in 0..16 {
        let found = errors(&text);
        if found.is_empty() {
            return Some(text);
        }
        let mut edits = found.into_iter().find_map(|f| f.fix)?.edits;
        edits.sort_by_key(|e| std::cmp::Reverse((e.range.start(), e.range.end())));
        for edit in edits {
            text.replace_range(std::ops::Range::<usize>::from(edit.range), &edit.text);
        }
    }
    None
}

#[test]
fn mistakes_are_fixed() {
    let installed = required::program("llvm-as-22");
    for text in MISTAKES {
        assert!(!errors(text).is_empty(), "{text}");
        let fixed = fixed(text).unwrap_or_else(|| panic!("{:#?} in\n{text}", errors(text)));
        if installed {
            let verdict = llvm_as(&fixed).expect("llvm-as-22 runs");
            assert!(verdict.accepts, "{}\n{fixed}", verdict.messages);
        }
    }
}

#[test]
fn fixed_cases_of_the_catalogue_are_accepted() {
    if !required::program("llvm-as-22") {
        return;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/llvm/verifier");
    let mut count = 0;
    let mut wrong = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the folder is there").flatten() {
        let path = entry.path();
        if path.extension().is_none_or(|e| e != "ll") {
            continue;
        }
        let content = std::fs::read_to_string(&path).expect("a readable file");
        for case in content.split("; ---- case: ").skip(1) {
            let text = case.split_once('\n').map_or("", |(_, text)| text);
            if errors(text).is_empty() {
                continue;
            }
            let Some(fixed) = fixed(text) else { continue };
            count += 1;
            let verdict = llvm_as(&fixed).expect("llvm-as-22 runs");
            if !verdict.accepts {
                wrong.push(format!("{}\n{fixed}", verdict.messages));
            }
        }
    }
    println!("{count} cases fixed, {} of them still refused", wrong.len());
    assert!(wrong.is_empty(), "{}", wrong.concat());
    assert!(count >= 50, "{count}");
}
