//! What the assembler accepts and what it says, and that chunks say the same as the whole.

use expect_test::{Expect, expect};
use wavelens_base::{Dialect, Options, TextRange, TextSize};
use wavelens_check::check_text;

use crate::features;
use crate::features::tests::at_cursor;
use crate::{Database, Document, Edit, checked, db};

fn options(target: &str) -> Options {
    Options { target: Some(target.into()), ..Options::default() }
}

/// Several chunks, with macros, values, conditions and labels that reach from one into others.
fn long_text() -> String {
    let mut text =
        String::from(".macro add n\nv_add_u32 v\\n, v\\n, v0\n.endm\nN = 3\n.if N == 3\nkernel:\n");
    for i in 0..2000 {
        match i % 50 {
            0 => text.push_str(&format!("label_{i}:\ns_cbranch_scc0 label_{}\n", (i + 900) % 2000 / 50 * 50)),
            1 => text.push_str(&format!("M{i} = N + {i}\nv_mov_b32 v1, M{i}\n")),
            2 => text.push_str("add 5\n"),
            3 => text.push_str(".set N, N\n"),
            _ => text.push_str(&format!("v_mov_b32 v[N], {i}\n")),
        }
    }
    text.push_str("s_endpgm\n.endif\n");
    text
}

#[test]
fn chunks_say_what_the_whole_says() {
    let good = long_text();
    let bad = good.replacen("v_mov_b32 v[N], 1", "v_mov_b32 v[N], 2, 1", 60).replacen("add 5", "add s5", 9);
    for text in [good, bad] {
        assert_eq!(compare_chunks(&text, options("gfx900")), Vec::<String>::new());
    }
}

/// What the chunks and the whole say differently, but for what follows the control flow and addresses.
fn compare_chunks(text: &str, options: Options) -> Vec<String> {
    let whole = check_text(Dialect::Amdgpu, text, &options);
    let mut database = Database::default();
    let document = Document::new(&mut database, Dialect::Amdgpu, text, options.clone());
    let chunks = checked::chunk_findings(&database, document.file());
    let assembled = features::check_whole(Dialect::Amdgpu, text, &options).0;
    let show = |all: &[wavelens_base::Finding]| -> Vec<String> {
        let errors = all.iter().filter(|f| f.severity == wavelens_base::Severity::Error);
        errors.map(|f| format!("{:?} {} {}", f.range, f.rule.code, f.message)).collect()
    };
    assert_eq!(whole, assembled);
    let (whole, chunks) = (show(&whole), show(&chunks));
    let missing = whole.iter().filter(|f| !chunks.contains(f)).map(|f| format!("only the whole: {f}"));
    let more = chunks.iter().filter(|f| !whole.contains(f)).map(|f| format!("only chunks: {f}"));
    missing.chain(more).collect()
}

/// Over the files of a folder, each mutated a little.
#[test]
fn chunks_of_real_files_say_what_the_whole_says() {
    let Ok(folder) = std::env::var("WAVELENS_AMDGPU_PUBLIC") else { return };
    let mut differences = 0;
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let Ok(text) = std::fs::read_to_string(entry.path()) else { continue };
        if text.len() > 400_000 {
            continue;
        }
        let found = compare_chunks(&text, options("gfx906"));
        if !found.is_empty() {
            differences += found.len();
            eprintln!("{} {}: {}", entry.path().display(), found.len(), found.first().map_or("", |f| f));
        }
    }
    assert_eq!(differences, 0);
}

/// Of a large file that was just edited only the function around is looked at, which says the same but for addresses.
#[test]
fn hover_in_a_large_file_says_what_a_look_at_all_of_it_says() {
    let mut text = String::from(".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\n");
    for kernel in 0..20 {
        text.push_str(&format!("  .type k{kernel},@function\nk{kernel}:\n  v_mov_b32 v1, v0\n"));
        for line in 0..400 {
            text.push_str(&format!("  v_add_u32 v{}, {}, v1\n", line % 30 + 2, kernel * 400 + line));
        }
        text.push_str("  s_cbranch_scc0 k0\n  s_endpgm\n");
    }
    let at = TextSize::of(text.split_once("k7:\n").map_or("", |(before, _)| before)) + TextSize::new(9);
    let mut database = Database::default();
    let mut document = Document::new(&mut database, Dialect::Amdgpu, &text, Options::default());
    assert!(db::checks_whole_later(&database, document.file()));
    let shown = |database: &Database, document: &Document| {
        let hover = features::hover(db::View::new(database, document.file()), at);
        hover.map_or_else(String::new, |h| h.markdown)
    };
    let cheap = shown(&database, &document);
    let assembled = features::check_whole(Dialect::Amdgpu, &text, &Options::default()).1;
    document.set_assembled(&mut database, assembled);
    let exact = shown(&database, &document);
    assert!(cheap.contains("Live before it: 1 VGPR"), "{cheap}");
    let start = exact.find(" at 0x").unwrap_or(0);
    let end = start + exact[start..].find(';').unwrap_or(0);
    assert_eq!(cheap, format!("{}{}", &exact[..start], &exact[end..]));
    let edit = Edit { range: TextRange::empty(TextSize::new(0)), text: "\n".into() };
    document.edit(&mut database, &edit);
    assert!(document.file().assembled(&database).is_none());
}

const KERNEL: &str = ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\n.macro inc r\nv_add_u32 \\r, 1, \\r\n.endm\nk:\nv_mov_b32 v1, v0\ninc v1\ns_cbranch_scc0 done\nv_add_f32 v2, 1.0, v1\ndone:\ns_endpgm\n";

fn hover(mark: &str, skip: usize, expected: Expect) {
    let at = KERNEL.find(mark).unwrap_or(0) + skip;
    let fixture = format!("{}$0{}", &KERNEL[..at], &KERNEL[at..]);
    at_cursor(Dialect::Amdgpu, &fixture, |view, at| {
        expected.assert_eq(&(features::hover(view, at).map_or_else(String::new, |h| h.markdown) + "\n"));
    });
}

#[test]
fn hover_shows_bytes_registers_and_numbers() {
    hover(
        "v_add_f32",
        2,
        expect![[r#"
            ```amdgpu
            v_add_f32_e32 v2, 1.0, v1
            ```
            Adds (f32): `D = S0 + S1`

            On gfx6 to gfx13

            4 bytes `f2 02 04 02` at 0xc; vector unit

            | bits | field | value | meaning |
            |---|---|---|---|
            | 31:25 |  | 1 | encoding and opcode |
            | 24:17 | vdst | 2 | `v2` |
            | 16:9 | src1 | 1 | `v1` |
            | 8:0 | src0 | 0xf2 = 242 | inline constant, `1.0 = 0x3f800000` |

            Writes `v2`; reads `v1`, *exec*

            Live before it: 1 VGPR
        "#]],
    );
    hover(
        "v1\ndone",
        0,
        expect![[r#"
            `v1`, read here

            - written in line 7
            - read in line 9
            - live between lines 7 and 9
        "#]],
    );
    hover(
        "1.0",
        1,
        expect![[r#"
            `1.0` as `src0` (f32): inline constant 242, `1.0 = 0x3f800000`
        "#]],
    );
}

#[test]
fn a_word_of_data_belongs_to_the_instruction_that_its_line_starts_with() {
    let text = ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\n.long 0x924602ff, 0x$000000100\n";
    at_cursor(Dialect::Amdgpu, text, |view, at| {
        let shown = features::hover(view, at).map_or_else(String::new, |h| h.markdown) + "\n";
        expect![[r#"
            ```amdgpu
            s_mul_i32 s70, 0x100, s2
            ```
            These bytes belong to the 8 bytes of an instruction

            `0x00000100` = 256 = `0x100`

        "#]]
        .assert_eq(&shown);
    });
}

#[test]
fn hover_shows_expansions_words_and_halves() {
    hover(
        "inc v1\n",
        1,
        expect![[r#"
            ```amdgpu
            .macro inc r
            v_add_u32 \r, 1, \r
            .endm
            ```

            Here:
            ```amdgpu
            v_add_u32_e32 v1, 1, v1
            ```
        "#]],
    );
    let text =
        ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\n.long 0x$07e000301\nv_mul_f32 v0, 0x3c003c00, v0\n";
    at_cursor(Dialect::Amdgpu, text, |view, at| {
        let shown = features::hover(view, at).map_or_else(String::new, |h| h.markdown) + "\n";
        expect![[r#"
            ```amdgpu
            v_mov_b32_e32 v0, v1
            ```
            The 4 bytes from here as an instruction

            `0x7e000301` = 2113929985

            - f32 4.2539195e37
            - two f16: low 0.00004583597183227539, high NaN
        "#]]
        .assert_eq(&shown);
        let number = wavelens_base::TextSize::new(text.find("0x3c").unwrap_or(0) as u32);
        let shown = features::hover(view, number).map_or_else(String::new, |h| h.markdown) + "\n";
        expect![[r#"
            `0x3c003c00` as `src0` (f32): literal, a dword after the instruction, `0.007826805 = 0x3c003c00`
        "#]]
        .assert_eq(&shown);
    });
}

/// What an editor keeps in sight while one scrolls, and names in its breadcrumbs.
#[test]
fn a_function_reaches_to_its_end() {
    let text = ".type f,@function\nf:\ns_nop 0\n.LBB0_1:\ns_endpgm\n.Lfunc_end0:\n.set f.vgprs, 1\n\
        .type g,@function\ng:\ns_nop 0\n.set g.vgprs, 1\nh:\ns_endpgm\n";
    let line = |at: TextSize| text[..at.into()].matches('\n').count() + 1;
    let mut shown = String::new();
    at_cursor(Dialect::Amdgpu, text, |view, _| {
        for symbol in features::outline(view) {
            let range = (line(symbol.range.start()), line(symbol.range.end()));
            let children: Vec<&str> = symbol.children.iter().map(|c| c.name.as_str()).collect();
            shown.push_str(&format!("{} {range:?} {children:?}\n", symbol.name));
        }
    });
    expect![[r#"
        f (2, 6) [".LBB0_1", ".Lfunc_end0"]
        f.vgprs (7, 7) []
        g (9, 12) []
        g.vgprs (11, 11) []
        h (12, 14) []
    "#]]
    .assert_eq(&shown);
}

#[test]
fn editors_show_the_findings_under_all_run_lines() {
    let text = "// RUN: llvm-mc -triple=amdgcn -mcpu=gfx900 %s\n// RUN: llvm-mc -triple=amdgcn -mcpu=gfx1030 %s\n\
        v_add_u32 v0, v1, v2\n";
    let mut database = Database::default();
    let document = Document::new(&mut database, Dialect::Amdgpu, text, Options::default());
    let found = db::findings(db::View::new(&database, document.file()));
    assert_eq!(found.len(), 1);
    assert!(found[0].message.ends_with("; on gfx1030 (RUN line 2)"), "{}", found[0].message);
    assert_eq!(found, wavelens_check::check_text(Dialect::Amdgpu, text, &Options::default()));
}
