//! What editors say about each word of a language: its hover, and what completion proposes after it, word by word. Recorded in
//! `tests/data/recorded` as digests by the start of the word; `UPDATE_EXPECT=1` writes them again.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

use expect_test::expect_file;
use wavelens_ide::db::View;
use wavelens_ide::{Database, Document, features};
use wavelens_isa::Target;
use wavelens_semantics::{Dialect, Options, TextSize};
use wavelens_tests::recording::digest;

/// Words that completion adds to each word, at most.
const FURTHER: usize = 3;

/// A place in a text, and the starts of the words that it takes.
struct Place {
    before: &'static str,
    after: &'static str,
    starts: &'static [&'static str],
}

fn offset(text: &str) -> TextSize {
    TextSize::of(text)
}

/// The answers for a document by an editor.
fn asked<T>(dialect: Dialect, options: &Options, text: &str, answer: impl FnOnce(View<'_>) -> T) -> T {
    let mut db = Database::default();
    let document = Document::new(&mut db, dialect, text, options.clone());
    answer(View::new(&db, document.file()))
}

/// What completion proposes at the end of a text: the words that it writes.
fn proposed(dialect: Dialect, options: &Options, before: &str, after: &str) -> Vec<(String, String)> {
    asked(dialect, options, &format!("{before}{after}"), |view| {
        let items = features::complete(view, offset(before)).items;
        items.into_iter().map(|item| (item.label, item.detail)).collect()
    })
}

/// The hover on a word, then what completion proposes after it, where each first proposal is taken.
fn answers(dialect: Dialect, options: &Options, place: &Place, word: &str) -> String {
    let mut before = format!("{}{word}", place.before);
    let hover = asked(dialect, options, &format!("{before}{}", place.after), |view| {
        let at = offset(place.before);
        format!("{:?} {:?}", features::hover(view, at), features::signature(view, offset(&before)))
    });
    let mut out = format!("{word} {hover}\n");
    for _ in 0..FURTHER {
        before.push(' ');
        let proposals = proposed(dialect, options, &before, place.after);
        _ = writeln!(out, "{proposals:?}");
        match proposals.first() {
            Some((label, _)) => before += label,
            None => break,
        }
    }
    out
}

/// A line for the words that begin alike, with how many they are.
fn recorded(answers: impl IntoIterator<Item = (String, String)>) -> String {
    let mut groups: BTreeMap<String, (usize, String)> = BTreeMap::new();
    for (word, answer) in answers {
        let (count, text) = groups.entry(word.chars().take(5).collect()).or_default();
        *count += 1;
        *text += &answer;
    }
    groups.iter().map(|(start, (count, text))| format!("{start} {count} {}\n", digest(text))).collect()
}

fn compare(name: &str, found: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/recorded").join(name);
    expect_file![file].assert_eq(found);
}

fn compare_words(name: &str, dialect: Dialect, target: Option<&str>, places: &[Place]) {
    let options = Options { target: target.map(str::to_owned), ..Options::default() };
    let mut found = String::new();
    for place in places {
        let starts = place.starts.iter();
        let words: BTreeSet<String> = starts
            .flat_map(|start| proposed(dialect, &options, &format!("{}{start}", place.before), place.after))
            .map(|(label, _)| label)
            .collect();
        found += &recorded(words.into_iter().map(|word| {
            let answers = answers(dialect, &options, place, &word);
            (word, answers)
        }));
    }
    compare(name, &found);
}

const MODULE: &str = "OpCapability Shader
OpCapability Kernel
%std = OpExtInstImport \"GLSL.std.450\"
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main \"main\"
%void = OpTypeVoid
%bool = OpTypeBool
%int = OpTypeInt 32 1
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%v2float = OpTypeVector %float 2
%v4float = OpTypeVector %float 4
%mat = OpTypeMatrix %v4float 4
%image = OpTypeImage %float 2D 0 0 0 1 Unknown
%sampled = OpTypeSampledImage %image
%pair = OpTypeStruct %float %v4float
%pointer = OpTypePointer Function %pair
%pointer_int = OpTypePointer Function %int
%function = OpTypeFunction %void
%true = OpConstantTrue %bool
%c1 = OpConstant %int 1
%u2 = OpConstant %uint 2
%f3 = OpConstant %float 3
%v = OpConstantComposite %v4float %f3 %f3 %f3 %f3
";

const BODY: &str = "%main = OpFunction %void None %function
%start = OpLabel
%x = OpVariable %pointer Function
%y = OpVariable %pointer_int Function
%z = OpLoad %int %y
";

const END: &str = "\nOpReturn\nOpFunctionEnd\n";

fn in_body(line: &str) -> &'static str {
    Box::leak(format!("{MODULE}{BODY}{line}").into_boxed_str())
}

#[test]
fn results_of_spirv() {
    let letters = &[
        "OpA", "OpB", "OpC", "OpD", "OpE", "OpF", "OpG", "OpI", "OpL", "OpM", "OpN", "OpO", "OpP", "OpQ",
        "OpR", "OpS", "OpT", "OpU", "OpV", "OpW",
    ];
    let places = [Place { before: in_body("%r = "), after: END, starts: letters }];
    compare_words("words-spirv-results.txt", Dialect::Spirv, None, &places);
}

#[test]
fn words_of_spirv() {
    let places = [
        Place { before: in_body(""), after: END, starts: &["OpB", "OpEm", "OpM", "OpR", "OpS"] },
        Place {
            before: in_body("%r = OpExtInst %float %std "),
            after: END,
            starts: &["", "A", "F", "S", "U"],
        },
        Place { before: "OpCapability ", after: "\n", starts: &["", "A", "F", "I", "S", "U"] },
        Place { before: "OpDecorate %a ", after: "\n", starts: &["", "F", "R"] },
        Place { before: "OpDecorate %a BuiltIn ", after: "\n", starts: &["", "S"] },
        Place { before: "OpExecutionMode %a ", after: "\n", starts: &["", "S"] },
        Place { before: "%t = OpTypeImage %f ", after: "\n", starts: &[""] },
        Place { before: "%t = OpTypePointer ", after: "\n", starts: &[""] },
    ];
    compare_words("words-spirv.txt", Dialect::Spirv, None, &places);
}

#[test]
fn words_of_llvm() {
    let body = "declare void @g(ptr, i32)\n%pair = type { i32, ptr }\n@data = global i32 0\n\
        define i32 @f(ptr %p, i32 %a, float %b, <4 x i32> %v, i1 %c) {\nstart:\n  %x = load i32, ptr %p\n  ";
    let with = |line: &str| -> &'static str { Box::leak(format!("{body}{line}").into_boxed_str()) };
    let end = "\n  ret i32 0\n}\n";
    let places = [
        Place { before: with(""), after: end, starts: &["", "a", "c", "f", "i", "s", "u"] },
        Place { before: with("%r = "), after: end, starts: &["", "a", "c", "f", "i", "s", "u"] },
        Place {
            before: with("call void @"),
            after: end,
            starts: &["", "llvm.a", "llvm.c", "llvm.f", "llvm.m", "llvm.v", "llvm.amdgcn.s"],
        },
        Place { before: "define ", after: " void @f() {\n  ret void\n}\n", starts: &["", "a", "d", "p"] },
        Place {
            before: "define void @f() ",
            after: " {\n  ret void\n}\n",
            starts: &["", "a", "m", "n", "s"],
        },
        Place { before: "define void @f(ptr ", after: " %p) {\n  ret void\n}\n", starts: &["", "a", "n"] },
        Place { before: "@g = ", after: " global i32 0\n", starts: &[""] },
        Place { before: "!0 = !", after: "\n", starts: &["DI"] },
        Place { before: "!0 = !DIBasicType(", after: ")\n", starts: &[""] },
        Place { before: "!0 = !DICompositeType(tag: ", after: ")\n", starts: &["DW_"] },
    ];
    compare_words("words-llvm.txt", Dialect::Llvm, None, &places);
}

#[test]
fn words_of_mir() {
    let body = "name: f\ntracksRegLiveness: true\nregisters:\n  - { id: 0, class: vgpr_32 }\nbody: |\n  bb.0:\n    \
        liveins: $sgpr0, $vgpr0\n    %1:_(s32) = COPY $vgpr0\n    %2:_(p1) = G_IMPLICIT_DEF\n    ";
    let with = |line: &str| -> &'static str { Box::leak(format!("{body}{line}").into_boxed_str()) };
    let places = [
        Place {
            before: with("%3:_(s32) = "),
            after: "\n    S_ENDPGM 0\n",
            starts: &[
                "G_", "G_A", "G_F", "G_I", "G_S", "G_U", "G_V", "S_ADD", "V_ADD", "DS_", "BUFFER_", "PHI",
            ],
        },
        Place {
            before: with(""),
            after: "\n    S_ENDPGM 0\n",
            starts: &["", "S_C", "G_B", "G_M", "DBG", "INL"],
        },
        Place { before: with("%3:"), after: " = COPY $vgpr0\n", starts: &["", "s", "v", "a"] },
        Place {
            before: with("%3:vgpr_32 = COPY $"),
            after: "\n",
            starts: &["", "sgpr", "vgpr", "a", "v", "e"],
        },
        Place { before: "name: f\n", after: "\nbody: |\n", starts: &["", "s"] },
        Place { before: "name: f\nframeInfo:\n  ", after: "\nbody: |\n", starts: &[""] },
    ];
    compare_words("words-mir.txt", Dialect::Mir, Some("gfx90a"), &places);
}

/// Processors whose instructions are looked at, newest first.
const TARGETS: [&str; 4] = ["gfx1250", "gfx1100", "gfx950", "gfx600"];

/// Of so many mnemonics one is looked at word by word.
const PART: usize = 30;

#[test]
fn mnemonics_of_amdgpu() {
    let mut known: BTreeSet<String> = BTreeSet::new();
    let mut found = String::new();
    for name in TARGETS {
        let target = Target::named(name).expect("a processor");
        let options = Options { target: Some(name.to_owned()), ..Options::default() };
        let lines = (0..wavelens_isa::rows()).filter_map(|row| {
            let line = wavelens_isa::samples(target, row, 1).into_iter().next()?;
            known.insert(line.split(' ').next()?.to_owned()).then_some(line)
        });
        let lines: Vec<String> = lines.collect();
        let described = lines.iter().enumerate().map(|(number, line)| {
            let mut answer = asked(Dialect::Amdgpu, &options, line, |view| {
                let starts = line.match_indices(' ').map(|(at, _)| at + 1);
                let starts = starts.filter(|_| number % PART == 0);
                let hover = |at: usize| format!("{:?}\n", features::hover(view, offset(&line[..at])));
                std::iter::once(0).chain(starts).map(hover).collect::<String>()
            });
            let word = line.split(' ').next().unwrap_or_default();
            if number % PART == 0 {
                let place = Place { before: "", after: "\n", starts: &[] };
                answer += &answers(Dialect::Amdgpu, &options, &place, word);
            }
            (word.to_owned(), answer)
        });
        _ = write!(found, "{name}\n{}", recorded(described));
    }
    compare("words-amdgpu.txt", &found);
}
