//! Live registers against a slow reference.

use std::collections::BTreeSet;

use wavelens_isa::Target;

use super::flow::{Function, Graph, RegSet, dword_name, dwords, functions, label_places};
use super::{assembled, lower, scope, summarize};
use crate::amdgpu::assembler::program::Program;
use crate::{ChunkId, Options};

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
            for write in graph.effects.get(index).unwrap().writes.iter().filter(|w| !w.partial) {
                dwords(write.reg).for_each(|d| {
                    set.remove(&d);
                });
            }
            set.extend(graph.effects.get(index).unwrap().reads.iter().flat_map(|r| dwords(r.reg)));
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
