//! A barrier without a fence: it waits for waves, and not for what they stored to LDS.
//!
//! Followed is a store to LDS, a barrier, and a load of the same variable after it, with nothing between store and barrier that releases.

use wavelens_isa::Target;

use super::LDS;
use crate::attribute_set::AttributeSet;
use crate::body::{Inst, InstId, Opcode, Ordering};
use crate::context::RuleContext;
use crate::operand::Value;
use crate::types::{Type, TypeId};
use crate::underlying::{Root, Underlying};
use wavelens_base::{Diagnostic, Place, Severity};

wavelens_syntax::rules! {
    BARRIER_FENCE {
        code: "barrier-fence",
        severity: Severity::Warning,
        title: "a barrier that publishes LDS has a fence before it",
        explain: "`llvm.amdgcn.s.barrier` makes waves wait for each other and orders no memory. From gfx90a and gfx10 on code generation puts no \
            wait before it, so that a store to LDS may still be open when another wave loads what it wrote. A `fence syncscope(\"workgroup\") release` \
            before the barrier, and one with `acquire` after it, are what `__syncthreads()` becomes. Quiet for other processors, where code generation waits \
            at each barrier, and for workgroups of one wave.",
        example: r#"; RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx1100 < %s
target triple = "amdgcn-amd-amdhsa"
@tile = internal addrspace(3) global [256 x float] poison
declare void @llvm.amdgcn.s.barrier()
define amdgpu_kernel void @k(float %x, i32 %i, i32 %j, ptr addrspace(1) %out) {
  %own = getelementptr [256 x float], ptr addrspace(3) @tile, i32 0, i32 %i
  store float %x, ptr addrspace(3) %own
  call void @llvm.amdgcn.s.barrier()
  %other = getelementptr [256 x float], ptr addrspace(3) @tile, i32 0, i32 %j
  %y = load float, ptr addrspace(3) %other
  store float %y, ptr addrspace(1) %out
  ret void
}
"#,
        fixed: r#"; RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx1100 < %s
target triple = "amdgcn-amd-amdhsa"
@tile = internal addrspace(3) global [256 x float] poison
declare void @llvm.amdgcn.s.barrier()
define amdgpu_kernel void @k(float %x, i32 %i, i32 %j, ptr addrspace(1) %out) {
  %own = getelementptr [256 x float], ptr addrspace(3) @tile, i32 0, i32 %i
  store float %x, ptr addrspace(3) %own
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  %other = getelementptr [256 x float], ptr addrspace(3) @tile, i32 0, i32 %j
  %y = load float, ptr addrspace(3) %other
  store float %y, ptr addrspace(1) %out
  ret void
}
"#,
        source: "LLVM, AMDGPU usage guide, \"Memory Model\"; SIInsertWaitcnts waits at barriers of processors without `back-off-barrier`",
    }
}

/// Lanes of the largest wave: its workgroup needs no barrier.
const WAVE: u32 = 64;
/// Rounds through the blocks; what is not found by then is left.
const ROUNDS: usize = 4;

/// A store to LDS that nothing has released, and the barrier that it came to.
#[derive(Debug, Clone, Copy, PartialEq)]
struct OpenStore {
    store: InstId,
    barrier: Option<InstId>,
}

pub(super) fn function(cx: &RuleContext<'_>, target: Option<Target>, found: &mut Vec<Diagnostic>) {
    let has_barrier = || cx.body.named_calls().any(|(_, _, name)| is_barrier(name));
    // Of the two halves of a barrier, which gfx12 introduced, none waits.
    let leaves_open = |target: Target| target.has_feature("back-off-barrier") || target.facts().major >= 12;
    if !target.is_some_and(leaves_open) || !has_barrier() || is_one_wave(cx) {
        return;
    }
    let objects = Underlying::new(cx);
    let blocks = cx.body.blocks.len();
    let mut open: Vec<Option<OpenStore>> = vec![None; blocks];
    let mut reported: Vec<InstId> = Vec::new();
    for _ in 0..ROUNDS {
        let mut is_changed = false;
        for block in 0..blocks as u32 {
            let mut state = open[block as usize];
            for (id, inst) in cx.body.block_insts(block) {
                let Some(OpenStore { store, barrier: Some(barrier) }) =
                    step(cx, &objects, id, inst, &mut state)
                else {
                    continue;
                };
                if !reported.contains(&barrier) {
                    reported.push(barrier);
                    found.push(finding(cx, store, barrier, id));
                }
            }
            for next in cx.cfg().successors(block) {
                let Some(entry) = open.get_mut(*next as usize) else { continue };
                // Of two, the one that has passed a barrier.
                let joined = match (*entry, state) {
                    (Some(own), Some(other)) if own.barrier.is_none() && other.barrier.is_some() => {
                        Some(other)
                    }
                    (own, other) => own.or(other),
                };
                is_changed |= joined != *entry;
                *entry = joined;
            }
        }
        if !is_changed {
            return;
        }
    }
}

/// The state after an instruction, and the store and its barrier if it loads too early.
fn step(
    cx: &RuleContext<'_>,
    objects: &Underlying<'_, '_>,
    id: InstId,
    inst: &Inst,
    state: &mut Option<OpenStore>,
) -> Option<OpenStore> {
    let is_lds = |pointer: u32| cx.types.get(cx.operand_ty(inst, pointer)) == Type::Ptr(LDS);
    let releases = || cx.body.atomic(inst).is_some_and(|atomic| atomic.ordering >= Ordering::Release);
    match inst.opcode {
        Opcode::Store if is_lds(1) && !releases() => *state = Some(OpenStore { store: id, barrier: None }),
        Opcode::Load if is_lds(0) => {
            let open = (*state).filter(|open| open.barrier.is_some())?;
            *state = None;
            return may_be_same(cx, objects, open.store, id).then_some(open);
        }
        Opcode::Fence | Opcode::AtomicRmw | Opcode::CmpXchg if releases() => *state = None,
        _ => {
            let call = cx.body.call(inst)?;
            let name = cx.callee_name(call).unwrap_or("");
            match state {
                Some(open) if is_barrier(name) => {
                    open.barrier.get_or_insert(id);
                }
                // What a function, inline assembly or a wait does is not known here.
                _ if !name.starts_with("llvm.") || name.contains(".wait") => *state = None,
                _ => {}
            }
        }
    }
    None
}

/// Whether what is loaded may be what another wave stored: it is in the same variable, and not the own value.
fn may_be_same(cx: &RuleContext<'_>, objects: &Underlying<'_, '_>, store: InstId, load: InstId) -> bool {
    let pointer = |id: InstId, n: usize| cx.body.operands(cx.inst(id)?.operands).get(n).copied();
    let Some((stored, loaded)) = pointer(store, 1).zip(pointer(load, 0)) else { return false };
    let is_own = matches!((stored.value, loaded.value), (Value::Local(a), Value::Local(b)) if a == b);
    match (objects.source(stored).root, objects.source(loaded).root) {
        (Root::Global(a), Root::Global(b)) => std::ptr::eq(a, b) && !is_own,
        (Root::Argument(a), Root::Argument(b)) => a == b && !is_own,
        _ => false,
    }
}

fn finding(cx: &RuleContext<'_>, store: InstId, barrier: InstId, load: InstId) -> Diagnostic {
    let message = "this barrier does not wait for stores to LDS: write `fence syncscope(\"workgroup\") release` before it";
    Diagnostic::new(&BARRIER_FENCE, cx.body.inst_range(barrier), message)
        .related(Place::Here(cx.body.inst_range(store)), "this store may still be open")
        .related(Place::Here(cx.body.inst_range(load)), "what other waves stored is loaded here")
}

/// Of a split barrier the arrival counts.
fn is_barrier(name: &str) -> bool {
    matches!(name, "llvm.amdgcn.s.barrier" | "llvm.amdgcn.s.barrier.signal")
}

/// Whether a workgroup fits into a wave.
fn is_one_wave(cx: &RuleContext<'_>) -> bool {
    let own = AttributeSet::new(cx.scope, &cx.summary.tables, cx.function.attrs, |_| TypeId::ERROR);
    let range = own.string("amdgpu-flat-work-group-size");
    range
        .and_then(|range| range.split(',').next_back()?.trim().parse::<u32>().ok())
        .is_some_and(|most| most <= WAVE)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::marks;

    #[test]
    fn a_store_is_released_before_a_barrier() {
        marks(expect![[r#"
            ; RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx1100 < %s
            target triple = "amdgcn-amd-amdhsa"
            @a = internal addrspace(3) global [64 x float] poison
            @b = internal addrspace(3) global [64 x float] poison
            declare void @llvm.amdgcn.s.barrier()
            define amdgpu_kernel void @loop(float %x, i32 %i, i32 %j) {
            entry:
              br label %body
            body:
              %p = getelementptr float, ptr addrspace(3) @a, i32 %i
              store float %x, ptr addrspace(3) %p
              call void @llvm.amdgcn.s.barrier()
            ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[barrier-fence]: this barrier does not wait for stores to LDS: write `fence syncscope("workgroup") release` before it
            ;                                  = line 11:3: this store may still be open
            ;                                  = line 16:3: what other waves stored is loaded here
              br label %read
            read:
              %q = getelementptr float, ptr addrspace(3) @a, i32 %j
              %y = load volatile float, ptr addrspace(3) %q
              call void @llvm.amdgcn.s.barrier()
              %c = fcmp olt float %y, 0.0
              br i1 %c, label %body, label %done
            done:
              ret void
            }
            define amdgpu_kernel void @another(float %x) {
              store float %x, ptr addrspace(3) @a
              call void @llvm.amdgcn.s.barrier()
              %y = load volatile float, ptr addrspace(3) @b
              ret void
            }
            define amdgpu_kernel void @own(float %x, i32 %i) {
              %p = getelementptr float, ptr addrspace(3) @a, i32 %i
              store float %x, ptr addrspace(3) %p
              call void @llvm.amdgcn.s.barrier()
              %y = load volatile float, ptr addrspace(3) %p
              ret void
            }
            define amdgpu_kernel void @released(float %x) {
              store float %x, ptr addrspace(3) @a
              fence syncscope("workgroup") release
              call void @llvm.amdgcn.s.barrier()
              %y = load volatile float, ptr addrspace(3) @a
              ret void
            }
            define amdgpu_kernel void @one_wave(float %x) "amdgpu-flat-work-group-size"="1,64" {
              store float %x, ptr addrspace(3) @a
              call void @llvm.amdgcn.s.barrier()
              %y = load volatile float, ptr addrspace(3) @a
              ret void
            }
            define amdgpu_kernel void @waits(float %x) "target-cpu"="gfx906" {
              store float %x, ptr addrspace(3) @a
              call void @llvm.amdgcn.s.barrier()
              %y = load volatile float, ptr addrspace(3) @a
              ret void
            }
        "#]]);
    }
}
