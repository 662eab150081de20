//! Live registers against a slow reference.

use std::collections::BTreeSet;

use expect_test::expect;
use wavelens_isa::{Half, Live, Reg, RegFile, Target};

use super::flow::{
    Function, Graph, RegSet, dword_name, dwords, functions, is_vector_dword, label_places, occupancy,
    total_vgprs,
};
use super::{assembled, lower, scope, summarize};
use crate::assembler::program::Program;
use wavelens_base::{ChunkId, Options};

/// Live dwords before each instruction: sets, instruction by instruction, until nothing changes.
fn slow_liveness(target: Target, program: &Program, function: &Function) -> Vec<BTreeSet<usize>> {
    let places = label_places(program);
    let instructions = &program.instructions[function.start..function.end];
    let graph = Graph::new(target, program, &places, function.clone());
    let next_of = |index: usize| -> Vec<usize> {
        let effects = graph.effects.get(index).unwrap();
        let mut next = Vec::new();
        if !effects.terminates {
            next.push(index + 1);
        }
        if effects.branch
            && let Some(goal) = instructions[index].symbol.and_then(|s| places.get(&s))
        {
            next.extend(goal.checked_sub(function.start));
        }
        next.retain(|n| *n < instructions.len());
        next
    };
    let mut live = vec![BTreeSet::new(); instructions.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for index in 0..instructions.len() {
            let mut set: BTreeSet<usize> = next_of(index)
                .into_iter()
                .flat_map(|n| live[n].iter().copied().collect::<Vec<_>>())
                .collect();
            for write in graph.effects.get(index).unwrap().writes.iter().filter(|w| !w.partial()) {
                dwords(write.reg()).for_each(|d| {
                    set.remove(&d);
                });
            }
            set.extend(graph.effects.get(index).unwrap().reads.iter().flat_map(|r| dwords(r.reg())));
            if set != live[index] {
                live[index] = set;
                changed = true;
            }
        }
    }
    live
}

fn members(set: &RegSet) -> BTreeSet<usize> {
    (0..2048).filter(|d| set.contains(*d)).collect()
}

/// The slow way looks at every instruction again and again.
const LONGEST: usize = 600;

/// Compares every live set of a text; the number of instructions. The text may name its target itself.
fn compare(text: &str, target: Option<&str>) -> usize {
    let lowered = lower(text);
    let options = Options { target: target.map(str::to_owned), ..Options::default() };
    let scope = scope(&[(ChunkId(0), std::sync::Arc::new(summarize(&lowered)))], &options);
    let assembler = assembled(&lowered, &scope, ChunkId(0), text);
    let program = &assembler.program;
    let Some(target) = scope.settings.target else { return 0 };
    let places = label_places(program);
    let mut count = 0;
    for function in functions(program).into_iter().filter(|f| f.end - f.start <= LONGEST) {
        let slow = slow_liveness(target, program, &function);
        let graph = Graph::new(target, program, &places, function);
        let ins = graph.live_ins();
        for (index, slow) in slow.iter().enumerate() {
            let quick = members(&graph.live_before(index, &ins));
            let names =
                |set: &BTreeSet<usize>| set.iter().map(|d| dword_name(*d)).collect::<Vec<_>>().join(" ");
            assert!(quick == *slow, "line {index}: {} but {}\n{text}", names(&quick), names(slow));
            count += 1;
        }
    }
    count
}

/// xorshift64*
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) % n
    }
}

/// A program of moves, tuples, partial writes, memory and branches all over the place.
fn random_program(random: &mut Random) -> String {
    let lines = 5 + random.below(40);
    let mut text = String::from("f:\n");
    for line in 0..lines {
        let mut v = || random.below(24);
        let (a, b, c) = (v(), v(), v());
        let pair = random.below(10) * 2;
        let instruction = match random.below(14) {
            0 => format!("v_add_f32 v{a}, v{b}, v{c}"),
            1 => format!("v_mov_b32 v{a}, s{b}"),
            2 => format!("v_mac_f32 v{a}, v{b}, v{c}"),
            3 => format!("global_load_dwordx4 v[{a}:{}], v{b}, s[{pair}:{}]", a + 3, pair + 1),
            4 => format!("global_store_dwordx2 v[{a}:{}], v[{b}:{}], off", a + 1, b + 1),
            5 => format!("v_cmp_eq_u32 s[{pair}:{}], v{a}, v{b}", pair + 1),
            6 => format!("v_mov_b32_dpp v{a}, v{b} quad_perm:[0,1,2,3] row_mask:0x3 bank_mask:0xf"),
            7 => {
                format!("v_mov_b32_sdwa v{a}, v{b} dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:DWORD")
            }
            8 => format!("s_add_u32 s{a}, s{b}, s{c}"),
            9 => format!("global_load_short_d16_hi v{a}, v[{b}:{}], off", b + 1),
            10 => format!("s_cbranch_scc1 l{}", random.below(lines)),
            11 => format!("s_branch l{}", random.below(lines)),
            12 => format!("v_writelane_b32 v{a}, s{b}, 1"),
            _ => "s_endpgm".to_owned(),
        };
        text.push_str(&format!("l{line}:\n{instruction}\n"));
    }
    text
}

#[test]
fn live_sets_are_those_of_the_slow_way() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let mut count = 0;
    for _ in 0..300 {
        count += compare(&random_program(&mut random), Some("gfx900"));
    }
    assert!(count > 3000);
    let Ok(folder) = std::env::var("WAVELENS_AMDGPU_CORPUS") else { return };
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        if let Ok(text) = std::fs::read_to_string(entry.path()) {
            count += compare(&text, None);
        }
    }
    eprintln!("{count} live sets compared");
}

fn reg(file: RegFile, index: u16, dwords: u8) -> Reg {
    Reg { file, index, dwords, half: Half::Full }
}

#[test]
fn dwords_are_named_by_their_file() {
    let files = [(RegFile::Vgpr, 1024), (RegFile::Agpr, 256), (RegFile::Sgpr, 112), (RegFile::Ttmp, 16)];
    let mut names = Vec::new();
    for (file, size) in files {
        for index in [0, size - 1] {
            let range = dwords(reg(file, index, 4));
            names.push(format!("{range:?} {} {}", dword_name(range.start), dword_name(range.end)));
        }
    }
    expect![[r#"
        0..4 v0 v4
        1023..1024 v1023 a0
        1024..1028 a0 a4
        1279..1280 a255 s0
        1280..1284 s0 s4
        1391..1392 s111 ttmp0
        1392..1396 ttmp0 ttmp4
        1407..1408 ttmp15 flat_scratch_lo"#]]
    .assert_eq(&names.join("\n"));
}

#[test]
fn live_registers_are_counted_by_file() {
    let mut set = RegSet::default();
    for (file, index, dwords) in [
        (RegFile::Vgpr, 0, 2),
        (RegFile::Vgpr, 1023, 1),
        (RegFile::Agpr, 0, 3),
        (RegFile::Agpr, 255, 1),
        (RegFile::Sgpr, 0, 1),
        (RegFile::Sgpr, 63, 2),
        (RegFile::Sgpr, 105, 2),
        (RegFile::Sgpr, 111, 1),
        (RegFile::Ttmp, 0, 2),
        (RegFile::Ttmp, 15, 1),
        (RegFile::Special, 0, 2),
    ] {
        set.insert(reg(file, index, dwords));
    }
    assert_eq!(set.live(), Live { vgprs: 3, agprs: 4, sgprs: 6 });
    let vectors: Vec<String> = set.vector_dwords().map(dword_name).collect();
    assert_eq!(vectors.join(" "), "v0 v1 v1023 a0 a1 a2 a255");
    let general: Vec<String> = set.general_dwords().skip(vectors.len()).map(dword_name).collect();
    assert_eq!(general.join(" "), "s0 s63 s64 s105");
    let all: Vec<String> = set.all_dwords().skip(vectors.len() + general.len()).map(dword_name).collect();
    expect!["s106 s111 ttmp0 ttmp1 ttmp15 flat_scratch_lo flat_scratch_hi"].assert_eq(&all.join(" "));
    assert!(is_vector_dword(1279) && !is_vector_dword(1280));
    let mut more = RegSet::default();
    more.insert_file(RegFile::Vgpr, 2, 4);
    assert!(set.union(&more) && !set.union(&more));
    more.fill();
    assert_eq!(more.live(), Live { vgprs: 1024, agprs: 256, sgprs: 112 });
}

/// Waves for so many registers, and how many fewer give how many more, where the waves change.
#[test]
fn fewer_registers_give_more_waves() {
    let mut out = String::new();
    for name in [
        "gfx600", "gfx900", "gfx908", "gfx90a", "gfx1010", "gfx1030", "gfx1100", "gfx1151", "gfx1200",
        "gfx1250",
    ] {
        let target = Target::named(name).expect("a processor");
        out += name;
        let mut last = 0;
        for vgprs in 0..=target.limits().total_vgprs.min(1025) {
            let (waves, gain) = occupancy(target, vgprs);
            if waves != last {
                out += &format!(
                    " {vgprs}:{waves}{}",
                    gain.map_or(String::new(), |gain| format!("-{}+{}", gain.fewer, gain.more))
                );
            }
            last = waves;
        }
        let totals = [(0, 0), (1, 0), (5, 1), (8, 3), (3, 9)].map(|(v, a)| total_vgprs(target, v, a));
        out += &format!(
            "; both files {totals:?}; of {}, 2000 leave {:?}\n",
            target.limits().total_vgprs,
            occupancy(target, 2000)
        );
    }
    expect![[r#"
        gfx600 0:10 25:9-1+1 29:8-1+1 33:7-1+1 37:6-1+1 41:5-1+1 49:4-1+1 65:3-1+1 85:2-1+1 129:1-1+1; both files [0, 1, 5, 8, 9]; of 256, 2000 leave (1, Some(Gain { fewer: 1872, more: 1 }))
        gfx900 0:10 25:9-1+1 29:8-1+1 33:7-1+1 37:6-1+1 41:5-1+1 49:4-1+1 65:3-1+1 85:2-1+1 129:1-1+1; both files [0, 1, 5, 8, 9]; of 256, 2000 leave (1, Some(Gain { fewer: 1872, more: 1 }))
        gfx908 0:10 25:9-1+1 29:8-1+1 33:7-1+1 37:6-1+1 41:5-1+1 49:4-1+1 65:3-1+1 85:2-1+1 129:1-1+1; both files [0, 1, 5, 8, 9]; of 256, 2000 leave (1, Some(Gain { fewer: 1872, more: 1 }))
        gfx90a 0:8 65:7-1+1 73:6-1+1 81:5-1+1 97:4-1+1 129:3-1+1 169:2-1+1 257:1-1+1; both files [0, 1, 9, 11, 13]; of 512, 2000 leave (1, Some(Gain { fewer: 1744, more: 1 }))
        gfx1010 0:20 49:18-1+2 57:16-1+2 65:14-1+2 73:12-1+2 81:11-1+1 89:10-1+1 97:9-1+1 113:8-1+1 129:7-1+1 145:6-1+1 169:5-1+1 201:4-1+1 257:3-1+1 337:2-1+1 513:1-1+1; both files [0, 1, 5, 8, 9]; of 1024, 2000 leave (1, Some(Gain { fewer: 1488, more: 1 }))
        gfx1030 0:16 65:12-1+4 81:10-1+2 97:9-1+1 113:8-1+1 129:7-1+1 145:6-1+1 161:5-1+1 193:4-1+1 257:3-1+1 337:2-1+1 513:1-1+1; both files [0, 1, 5, 8, 9]; of 1024, 2000 leave (1, Some(Gain { fewer: 1488, more: 1 }))
        gfx1100 0:16 97:12-1+4 121:10-1+2 145:9-1+1 169:8-1+1 193:7-1+1 217:6-1+1 241:5-1+1 289:4-1+1 385:3-1+1 505:2-1+1 769:1-1+1; both files [0, 1, 5, 8, 9]; of 1536, 2000 leave (1, Some(Gain { fewer: 1232, more: 1 }))
        gfx1151 0:16 97:12-1+4 121:10-1+2 145:9-1+1 169:8-1+1 193:7-1+1 217:6-1+1 241:5-1+1 289:4-1+1 385:3-1+1 505:2-1+1 769:1-1+1; both files [0, 1, 5, 8, 9]; of 1536, 2000 leave (1, Some(Gain { fewer: 1232, more: 1 }))
        gfx1200 0:16 97:12-1+4 121:10-1+2 145:9-1+1 169:8-1+1 193:7-1+1 217:6-1+1 241:5-1+1 289:4-1+1 385:3-1+1 505:2-1+1 769:1-1+1; both files [0, 1, 5, 8, 9]; of 1536, 2000 leave (1, Some(Gain { fewer: 1232, more: 1 }))
        gfx1250 0:16 65:12-1+4 81:10-1+2 97:9-1+1 113:8-1+1 129:7-1+1 145:6-1+1 161:5-1+1 193:4-1+1 257:3-1+1 337:2-1+1 513:1-1+1; both files [0, 1, 5, 8, 9]; of 1024, 2000 leave (1, Some(Gain { fewer: 1488, more: 1 }))
    "#]].assert_eq(&out);
}
