//! gfx1250: LDS that an asynchronous load writes, read by the same lane before a wait for the load.
//!
//! Reported is a read whose address is the register that the load took its LDS address from, not written between, with offsets that
//! overlap: other addresses cannot be compared. Barriers in LDS that copies arrive at can replace the wait: functions that have them are
//! left alone.

use wavelens_isa::{Counter, IssueClass, RegFile};

use crate::context::RuleContext;
use crate::flow::{Graph, dwords};
use crate::rules::inserted_line::insert_before;
use wavelens_base::{Diagnostic, Place};

wavelens_syntax::rules! {
    ASYNC_COPY {
        code: "async-copy-wait",
        severity: wavelens_base::Severity::Warning,
        title: "LDS that an asynchronous load writes must not be read before a wait for the load",
        explain: "An asynchronous load (`global_load_async_to_lds_b128`) runs on while the wave goes on, also past reads of LDS: only \
`s_wait_asynccnt` waits for it. The compiler does not insert this wait, the program has to. The rule reports reads of LDS through the \
same address register as the load.",
        example: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx1250\"\nglobal_load_async_to_lds_b128 v1, v2, s[8:9]\n\
ds_load_b128 v[4:7], v1\ns_wait_dscnt 0x0\nv_mov_b32 v8, v4\n",
        fixed: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx1250\"\nglobal_load_async_to_lds_b128 v1, v2, s[8:9]\n\
s_wait_asynccnt 0x0\nds_load_b128 v[4:7], v1\ns_wait_dscnt 0x0\nv_mov_b32 v8, v4\n",
        source: "CDNA5 instruction set manual, ASYNCcnt; LLVM AMDGPU usage guide, \"Asynchronous operations\"",
    }
}

/// Bytes of LDS: where they start after the address in a register, and where they end.
type Bytes = (i64, i64);

/// An asynchronous load that no wait covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct OpenCopy {
    producer: u32,
    /// The register of the address.
    address: u32,
    bytes: Bytes,
    /// Asynchronous operations since, at least.
    newer: u32,
}

/// Copies that are followed at once.
const MOST: usize = 64;

/// Reports the reads of one function that come too early.
pub(crate) fn function(cx: &mut RuleContext<'_>) {
    let (graph, steps) = (cx.graph, cx.steps);
    let names = || graph.instructions.iter().map(|i| i.encoded.mnemonic());
    if !names().any(is_copy) || names().any(|name| name.contains("async_barrier")) {
        return;
    }
    let over = |index: usize, state: &mut Vec<OpenCopy>| {
        if !steps.spend(1 + state.len() as u64) || graph.follows_gap(index) {
            state.clear();
        }
        step(graph, index, state);
    };
    for (block, mut state) in graph.forward(Vec::new(), 16, over, join) {
        for index in graph.block(block) {
            if let Some(open) = read_too_early(graph, index, &state) {
                cx.diagnostics.push(report(cx, index, open));
            }
            over(index, &mut state);
        }
    }
}

fn report(cx: &RuleContext<'_>, index: usize, open: OpenCopy) -> Diagnostic {
    let graph = cx.graph;
    let (range, nested) =
        graph.instructions.get(index).map_or_else(Default::default, |i| (i.range, i.nested));
    let wait = format!("s_wait_asynccnt {:#x}", open.newer);
    let message = format!("missing `{wait}` before this read of LDS, which an asynchronous load writes");
    let mut diagnostic = Diagnostic::new(&ASYNC_COPY, range, message);
    if let Some(producer) = graph.instructions.get(open.producer as usize) {
        diagnostic = diagnostic.related(Place::Here(producer.range), "this operation writes it");
    }
    if !nested {
        diagnostic = insert_before(diagnostic, cx.text, range, &wait);
    }
    graph.show_nested(index, diagnostic)
}

fn is_copy(name: &str) -> bool {
    name.contains("load_async_to_lds")
}

/// The dword of a named operand that is one vector register, with its high bits.
fn address(graph: &Graph<'_>, index: usize, name: &str) -> Option<u32> {
    let (instruction, effect) = (graph.instructions.get(index)?, graph.effects.get(index)?);
    let is_it =
        |operand: Option<u8>| operand.is_some_and(|o| instruction.encoded.operand_name(o.into()) == name);
    let access = effect.reads.iter().chain(effect.writes).find(|a| is_it(a.operand()))?;
    (access.reg().file == RegFile::Vgpr).then(|| dwords(access.reg()).start as u32)
}

/// Bytes that the last part of a name stands for: `b128`, `u8`, `i16`.
fn width(name: &str) -> Option<i64> {
    let bits = name.rsplit('_').next()?.get(1..)?.parse::<i64>().ok()?;
    Some(bits / 8)
}

/// What a load from LDS reads.
fn read(graph: &Graph<'_>, index: usize) -> Vec<Bytes> {
    let Some(inst) = graph.instructions.get(index).map(|i| &i.encoded) else { return Vec::new() };
    let name = inst.mnemonic();
    let Some(width) = width(name).filter(|_| name.starts_with("ds_load_")) else { return Vec::new() };
    // An offset of 0 need not be written.
    let at = |name: &str, scale: i64| {
        let offset = inst.number(name).unwrap_or(0) * scale;
        (offset, offset + width)
    };
    if name.contains("2addr") {
        let scale = if name.contains("stride64") { width * 64 } else { width };
        return ["offset0", "offset1"].map(|name| at(name, scale)).to_vec();
    }
    vec![at("offset", 1)]
}

fn read_too_early(graph: &Graph<'_>, index: usize, state: &[OpenCopy]) -> Option<OpenCopy> {
    if state.is_empty() {
        return None;
    }
    let read = read(graph, index);
    let address = address(graph, index, "addr").filter(|_| !read.is_empty())?;
    let overlaps = |open: &&OpenCopy| {
        open.address == address && read.iter().any(|read| read.0 < open.bytes.1 && open.bytes.0 < read.1)
    };
    state.iter().filter(overlaps).min_by_key(|open| open.newer).copied()
}

fn step(graph: &Graph<'_>, index: usize, state: &mut Vec<OpenCopy>) {
    let (Some(instruction), Some(effect)) = (graph.instructions.get(index), graph.effects.get(index)) else {
        return;
    };
    let inst = &instruction.encoded;
    // After a finding its wait is taken to be there.
    if let Some(early) = read_too_early(graph, index, state) {
        state.retain(|open| open.newer < early.newer);
    }
    match inst.mnemonic() {
        _ if effect.call => state.clear(),
        "s_wait_idle" => state.clear(),
        "s_wait_asynccnt" => {
            let left = inst.number("simm16").unwrap_or(0);
            state.retain(|open| i64::from(open.newer) < left);
        }
        _ => {}
    }
    state.retain(|open| !effect.writes.iter().any(|w| dwords(w.reg()).contains(&(open.address as usize))));
    // The wait itself names the counter too.
    if !effect.counters.contains(&Counter::Async) || effect.class == IssueClass::Other {
        return;
    }
    state.iter_mut().for_each(|open| open.newer += 1);
    let name = inst.mnemonic();
    if let Some(address) = address(graph, index, "vdst").filter(|_| is_copy(name) && state.len() < MOST)
        && let Some(width) = width(name)
    {
        let offset = inst.number("offset").unwrap_or(0);
        let bytes = (offset, offset + width);
        state.push(OpenCopy { producer: index as u32, address, bytes, newer: 0 });
    }
}

/// What is open on either way, with the operations since on the shorter one.
fn join(own: &mut Vec<OpenCopy>, other: &Vec<OpenCopy>, _back: bool) -> bool {
    let mut changed = false;
    for open in other {
        if let Some(known) = own.iter_mut().find(|known| known.producer == open.producer) {
            changed |= open.newer < known.newer;
            known.newer = known.newer.min(open.newer);
        } else if own.len() < MOST {
            own.push(*open);
            changed = true;
        }
    }
    changed
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks;

    #[test]
    fn an_asynchronous_load_is_waited_for() {
        marks(
            "gfx1250",
            expect![[r#"
                global_load_async_to_lds_b128 v1, v2, s[8:9]
                ds_load_b128 v[4:7], v1
                ;^^^^^^^^^^^^^^^^^^^^^^ warning[async-copy-wait]: missing `s_wait_asynccnt 0x0` before this read of LDS, which an asynchronous load writes
                ;                     = line 1:1: this operation writes it
                ;                     = fix: s_wait_asynccnt 0x0
                global_load_async_to_lds_b32 v1, v2, s[8:9] offset:16
                global_load_async_to_lds_b32 v9, v2, s[8:9]
                s_wait_asynccnt 0x2
                ds_load_2addr_b32 v[4:5], v1 offset0:1 offset1:4
                ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[async-copy-wait]: missing `s_wait_asynccnt 0x1` before this read of LDS, which an asynchronous load writes
                ;                                              = line 3:1: this operation writes it
                ;                                              = fix: s_wait_asynccnt 0x1
                s_endpgm
            "#]],
        );
    }

    #[test]
    fn waits_other_bytes_and_other_addresses_are_left_alone() {
        marks(
            "gfx1250",
            expect![[r#"
                global_load_async_to_lds_b128 v1, v2, s[8:9]
                ds_load_b128 v[4:7], v1 offset:16
                ds_load_b128 v[4:7], v3
                s_wait_asynccnt 0x0
                ds_load_b128 v[4:7], v1
                global_load_async_to_lds_b128 v1, v2, s[8:9]
                global_load_async_to_lds_b128 v9, v2, s[8:9]
                s_wait_asynccnt 0x1
                ds_load_b128 v[4:7], v1
                global_load_async_to_lds_b128 v1, v2, s[8:9]
                v_add_nc_u32 v1, 16, v1
                ds_load_b128 v[4:7], v1
                s_endpgm
            "#]],
        );
        marks(
            "gfx1250",
            expect![[r#"
                global_load_async_to_lds_b128 v1, v2, s[8:9]
                ds_atomic_async_barrier_arrive_b64 v0
                ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[hazard-wait-idle]: the arrival overtakes memory; `s_wait_alu depctr_vm_vsrc(0)` is needed between them
                ;                                   = line 1:1: no wait
                ;                                   = fix: s_wait_alu depctr_vm_vsrc(0)
                ds_load_b128 v[4:7], v1
                ;^^^^^^^^^^^^^^^^^^^^^^ warning[hazard-wait-idle]: memory overtakes the arrival; `s_wait_alu depctr_vm_vsrc(0)` is needed between them
                ;                     = line 2:1: the arrival
                ;                     = fix: s_wait_alu depctr_vm_vsrc(0)
                s_endpgm
            "#]],
        );
    }
}
