//! What follows the control flow: live registers against a slow reference, and the rules about kernels.

use std::collections::{BTreeMap, BTreeSet};

use expect_test::{Expect, expect};
use wavelens_isa::{Access, RegFile, Target};

use super::flow::{Function, Graph, RegSet, dword_name, dwords, functions, label_places};
use super::program::Program;
use super::{assembled, lower, scope, summarize};
use crate::{ChunkId, Dialect, Options, check_text};

/// Live dwords before each instruction: sets, instruction by instruction, until nothing changes.
fn slow_liveness(target: Target, program: &Program, function: &Function) -> Vec<BTreeSet<usize>> {
    let places = label_places(program);
    let instructions = &program.instructions[function.start..function.end];
    let graph = Graph::new(target, program, &places, function.clone());
    let next_of = |index: usize| -> Vec<usize> {
        let effects = &graph.effects[index];
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
            for write in graph.effects[index].writes.iter().filter(|w| !w.partial) {
                dwords(write.reg).for_each(|d| {
                    set.remove(&d);
                });
            }
            set.extend(graph.effects[index].reads.iter().flat_map(|r| dwords(r.reg)));
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

fn check(text: &str, expected: Expect) {
    check_on("gfx900", text, expected);
}

const DESCRIPTOR: &str = ".amdhsa_kernel k\n.amdhsa_user_sgpr_kernarg_segment_ptr 1\n.amdhsa_next_free_vgpr 4\n\
.amdhsa_next_free_sgpr 8\n.end_amdhsa_kernel\n";

#[test]
fn kernels_read_what_they_wrote_or_were_given() {
    check(
        &format!(
            "k:\nv_add_u32 v1, s2, v0\nv_add_u32 v2, s3, v1\nv_xor_b32 v3, v3, v3\nv_mov_b32 v1, v2\nv_mov_b32 v0, v9\ns_endpgm\n{DESCRIPTOR}"
        ),
        expect![[r#"
            3: uninitialized-register: `s3` is read, but nothing has written it: it has no value when the kernel starts
            6: uninitialized-register: `v9` is read, but nothing has written it: it has no value when the kernel starts
            10: declared-resources: the kernel uses `v9`: this must be at least 10
        "#]],
    );
}

#[test]
fn kernels_use_what_they_asked_for() {
    check(
        &format!(
            "k:\nv_mov_b32 v8, v0\ns_mov_b32 s40, 0\nscratch_store_dword off, v8, s40\ns_endpgm\n{}",
            DESCRIPTOR.replacen('\n', "\n.amdhsa_private_segment_fixed_size 0\n", 1)
        ),
        expect![[r#"
            7: declared-resources: the kernel uses scratch memory, and this asks for none
            9: declared-resources: the kernel uses `v8`: this must be at least 9
            10: declared-resources: the kernel uses `s40`: this must be at least 41
        "#]],
    );
}

#[test]
fn waits_name_the_register_and_the_operation() {
    check(
        "flat_load_dword v0, v[2:3]\ns_waitcnt vmcnt(0)\nv_mov_b32 v1, v0\ns_load_dword s0, s[2:3], 0x0\ns_load_dword s1, s[2:3], 0x4\n\
s_waitcnt lgkmcnt(1)\ns_mov_b32 s4, s0\nds_read_b32 v5, v6\nv_mov_b32 v5, 0\n",
        expect![[r#"
            7: missing-wait: `s0` is read before it has arrived from memory: `s_waitcnt lgkmcnt(0)` is missing
            9: missing-wait: `v5` is written while a result from memory is still to come: `s_waitcnt lgkmcnt(0)` is missing
        "#]],
    );
}

fn check_on(target: &str, text: &str, expected: Expect) {
    let options = Options { target: Some(target.into()), ..Options::default() };
    let findings = check_text(Dialect::Amdgpu, text, &options);
    let line = |f: &crate::Finding| text[..usize::from(f.range.start())].matches('\n').count() + 1;
    let shown: String =
        findings.iter().map(|f| format!("{}: {}: {}\n", line(f), f.rule.code, f.message)).collect();
    expected.assert_eq(&shown);
}

#[test]
fn addresses_are_translated_before_registers_change() {
    check_on(
        "gfx1250",
        "global_store_b32 v0, v1, s[0:1]\nv_mov_b32 v1, 0\n\
global_store_b32 v0, v1, s[0:1]\ns_wait_xcnt 0x0\nv_mov_b32 v1, 0\n\
global_load_b32 v2, v0, s[0:1]\ns_wait_loadcnt 0x0\ns_mov_b32 s0, 0\n\
global_store_b32 v0, v1, s[2:3]\nglobal_load_b32 v1, v0, s[2:3]\ns_mov_b32 s2, 0\n\
s_load_b32 s4, s[6:7], 0x0\ns_mov_b32 s6, 0\n",
        expect![[r#"
            2: missing-wait: `v1` is overwritten while memory may have to read it again: `s_wait_xcnt 0x0` is missing
            11: missing-wait: `s2` is overwritten while memory may have to read it again: `s_wait_xcnt 0x0` is missing
            13: missing-wait: `s6` is overwritten while memory may have to read it again: `s_wait_xcnt 0x0` is missing
        "#]],
    );
}

#[test]
fn interpolation_waits_for_its_parameters() {
    check_on(
        "gfx1100",
        "lds_param_load v0, attr0.x wait_vdst:0\nlds_param_load v1, attr0.y wait_vdst:0\n\
v_interp_p10_f32 v2, v0, v3, v0 wait_exp:1\nv_interp_p10_f32 v4, v1, v3, v1 wait_exp:1\n",
        expect![[r#"
            4: missing-wait: `v1` is read before it has arrived from memory: `s_waitcnt expcnt(0)` is missing
        "#]],
    );
}

#[test]
fn exports_read_exec_late() {
    check(
        "exp mrt0 v0, v1, v2, v3\ns_mov_b64 exec, 0\nexp mrt0 v0, v1, v2, v3\ns_waitcnt expcnt(0)\ns_mov_b64 exec, 0\n",
        expect![[r#"
            2: missing-wait: `exec_lo` is overwritten before it has been read: `s_waitcnt expcnt(0)` is missing
        "#]],
    );
}

#[test]
fn counts_are_those_of_the_way_with_the_most() {
    check(
        "global_load_dword v0, v[2:3], off\ns_cbranch_scc1 few\nglobal_load_dword v1, v[2:3], off\nfew:\n\
s_cbranch_scc1 all\ns_waitcnt vmcnt(1)\ns_branch use\nall:\ns_waitcnt vmcnt(0)\nuse:\nv_mov_b32 v4, v0\nv_mov_b32 v4, v1\n",
        expect![[r#"
            12: missing-wait: `v1` is read before it has arrived from memory: `s_waitcnt vmcnt(0)` is missing
        "#]],
    );
}

#[test]
fn loops_start_with_the_fewest() {
    check(
        "global_load_dword v0, v[2:3], off\nagain:\nglobal_load_dword v1, v[2:3], off\ns_waitcnt vmcnt(2)\nv_mov_b32 v4, v0\n\
s_cbranch_scc1 again\n",
        expect![[r#"
            5: missing-wait: `v0` is read before it has arrived from memory: `s_waitcnt vmcnt(0)` is missing
        "#]],
    );
}

#[test]
fn an_address_waits_even_where_the_load_replaces_it() {
    check(
        "s_load_dwordx2 s[0:1], s[2:3], 0x0\ns_load_dwordx2 s[0:1], s[0:1], 0x0\n\
global_load_short_d16 v0, v[2:3], off\nglobal_load_short_d16_hi v0, v[4:5], off\n",
        expect![[r#"
            2: missing-wait: `s0` is read before it has arrived from memory: `s_waitcnt lgkmcnt(0)` is missing
        "#]],
    );
}

#[test]
fn parts_that_do_not_matter_need_no_value() {
    check(
        &format!(
            "k:\nv_writelane_b32 v3, s0, 0\nv_mov_b32 v1, v3\nv_mov_b32 v1, v2 ; 4-byte Reload\ns_endpgm\n{DESCRIPTOR}"
        ),
        expect![[r#""#]],
    );
    check(
        &format!("k:\n;;#ASMSTART\n; def v2\n;;#ASMEND\nv_mov_b32 v1, v2\ns_endpgm\n{DESCRIPTOR}"),
        expect![""],
    );
}

/// `.set kernel.num_vgpr, 12`, or the first of `max(12, callee.num_vgpr)`: what the function takes itself.
fn reported(text: &str, name: &str, what: &str) -> Option<u32> {
    let (_, rest) = text.split_once(&format!(".set {name}.{what}, "))?;
    let number = rest.strip_prefix("max(").unwrap_or(rest);
    number.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

/// Why a peak is below the reported count of a register file.
fn reason(lines: &[super::whole::Line], file: RegFile, reported: u32, used: u32, peak: u32) -> &'static str {
    let ends_at_top =
        |a: &&Access| a.reg.file == file && u32::from(a.reg.index + u16::from(a.reg.dwords)) == used;
    let of_line = |l: &super::whole::Line| {
        let reads = l.effects.reads.iter().filter(ends_at_top).map(|a| (false, a.reg.dwords));
        let writes = l.effects.writes.iter().filter(ends_at_top).map(|a| (true, a.reg.dwords));
        reads.chain(writes).collect::<Vec<_>>()
    };
    let accesses: Vec<(bool, u8)> = lines.iter().flat_map(of_line).collect();
    match () {
        () if peak == reported => "equal",
        () if used < reported => "no instruction names it: argument, clobber or reserved",
        () if lines.iter().any(|l| l.effects.call) => "calls have registers of their own",
        () if accesses.first().is_some_and(|(writes, _)| !writes) => "an argument or a part with no value",
        () if accesses.iter().all(|(_, dwords)| *dwords > 1) => "a tuple of neighbours, aligned",
        () => "the allocator left a gap",
    }
}

/// Compares peaks with what the compiler says, over the compiled files in the folders of a folder.
#[test]
fn peaks_are_within_what_the_compiler_reports() {
    let Ok(folder) = std::env::var("WAVELENS_AMDGPU_COMPILED") else { return };
    let (mut functions, mut same, mut above) = (0, 0, Vec::new());
    let mut reasons: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let folders = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let files = folders.flat_map(|f| std::fs::read_dir(f.path()).into_iter().flatten().flatten());
    for file in files {
        let Ok(text) = std::fs::read_to_string(file.path()) else { continue };
        let (_, whole) = super::settle(&text, &Options::default());
        for facts in &whole.functions {
            let report = |what| reported(&text, &facts.name, what);
            let (Some(v), Some(a), Some(s)) =
                (report("num_vgpr"), report("num_agpr"), report("numbered_sgpr"))
            else {
                continue;
            };
            functions += 1;
            let (used, peak) = (facts.used, facts.peak);
            same += usize::from((used.vgprs, used.agprs, used.sgprs) == (v, a, s));
            if peak.vgprs > v || peak.agprs > a || peak.sgprs > s {
                above.push(format!("{} {}: {peak:?} of {v} {a} {s}", file.path().display(), facts.name));
            }
            let lines = whole.lines.get(facts.lines.clone()).unwrap_or(&[]);
            for (name, file, reported, used, peak) in [
                ("vgprs", RegFile::Vgpr, v, used.vgprs, peak.vgprs),
                ("agprs", RegFile::Agpr, a, used.agprs, peak.agprs),
                ("sgprs", RegFile::Sgpr, s, used.sgprs, peak.sgprs),
            ] {
                *reasons.entry((name, reason(lines, file, reported, used, peak))).or_default() += 1;
            }
        }
    }
    eprintln!("{functions} functions: {same} use the same; {reasons:#?}");
    assert!(above.is_empty(), "{above:#?}");
}
