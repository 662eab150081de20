//! Exception handling: landing pads, catch and cleanup pads, and the edges that lead to them.
//!
//! Source: LLVM, "Exception Handling in LLVM".

use rustc_hash::FxHashMap;

use super::super::body::{Body, Flags, Inst, InstId, LocalKind, Opcode};
use super::super::operand::{Const, Operand, Value};
use super::super::types::TypeId;
use crate::context::RuleContext;
use wavelens_base::{Fault, Part, Severity, Verdict, fail};

wavelens_syntax::rules! {
    EXCEPTION {
        code: "exception-handling",
        severity: Severity::Error,
        title: "exception handling pads are entered by unwinding, come first in their block and nest",
        explain: "The personality routine transfers control to a pad with the exception in registers. A pad must \
            therefore be the first instruction of its block, be reached only through unwind edges, and belong \
            to a function with a `personality`; funclets must nest, so that each unwind edge leaves a known \
            set of them.",
        example: r"declare i32 @__gxx_personality_v0(...)
define void @f() personality ptr @__gxx_personality_v0 {
  br label %pad
pad:
  %l = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %l
}
",
        fixed: r"declare i32 @__gxx_personality_v0(...)
declare void @g()
define void @f() personality ptr @__gxx_personality_v0 {
  invoke void @g() to label %done unwind label %pad
done:
  ret void
pad:
  %l = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %l
}
",
        source: "LLVM `Verifier::visitEHPadPredecessors`: \"Block containing LandingPadInst must be jumped to only \
            by the unwind edge of an invoke.\"; LLVM, \"Exception Handling in LLVM\"",
    }
}

/// The parent of a pad, or the destination of an unwind edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pad {
    /// No pad: the caller.
    Caller,
    Inst(InstId),
    /// A constant such as `undef`.
    Constant,
    Unknown,
}

pub(super) fn function(cx: &mut RuleContext<'_>) {
    let is_relevant =
        |op: Opcode| op.is_eh_pad() || matches!(op, Opcode::Resume | Opcode::CatchRet | Opcode::CleanupRet);
    if !cx.body.insts.iter().any(|i| is_relevant(i.opcode)) {
        return;
    }
    let mut found = Vec::new();
    let mut landing_type = None;
    let mut eh = Eh { cx: &*cx, body: cx.body, users: FxHashMap::default() };
    eh.find_users();
    let eh = eh;
    let mut add = |id, verdict: Verdict| {
        found.extend(verdict.err().map(|fault| fault.diagnostic(|part| eh.cx.part_range(id, part))));
    };
    for (id, inst) in eh.cx.insts() {
        if !is_relevant(inst.opcode) {
            continue;
        }
        add(id, eh.check(id, inst));
        if let Some(ty) = eh.landing_type(inst)
            && *landing_type.get_or_insert(ty) != ty
        {
            let message = "`landingpad` and `resume` instructions of a function must have the same type";
            add(id, fail(&EXCEPTION, message));
        }
    }
    cx.diagnostics.append(&mut found);
}

struct Eh<'a, 'c> {
    cx: &'c RuleContext<'a>,
    body: &'a Body,
    /// Instructions that name a pad as an operand or in a `funclet` bundle, in order.
    users: FxHashMap<InstId, Vec<InstId>>,
}

impl<'a> Eh<'a, '_> {
    fn find_users(&mut self) {
        for (id, inst) in self.cx.insts() {
            let funclet = if inst.opcode.is_call() { self.funclet(inst) } else { Pad::Unknown };
            let operands = self.body.operands(inst.operands).iter();
            let named = operands.filter_map(|o| self.body.defining_inst(*o)).map(Pad::Inst);
            for pad in named.chain([funclet]) {
                let Pad::Inst(pad) = pad else { continue };
                if self.cx.inst(pad).is_some_and(|i| i.opcode.is_eh_pad()) {
                    let users = self.users.entry(pad).or_default();
                    if users.last() != Some(&id) {
                        users.push(id);
                    }
                }
            }
        }
    }

    fn users(&self, pad: InstId) -> impl Iterator<Item = &'a Inst> {
        self.users.get(&pad).into_iter().flatten().filter_map(|id| self.cx.inst(*id))
    }

    fn wrong(&self, id: InstId, message: impl Into<String>) -> Verdict {
        Err(Fault::new(&EXCEPTION, message).at(Part::Range(self.body.inst_range(id))))
    }

    fn landing_type(&self, inst: &Inst) -> Option<TypeId> {
        let ty = match inst.opcode {
            Opcode::LandingPad => self.cx.ty(inst.ty),
            Opcode::Resume => self.cx.operand_ty(inst, 0),
            _ => return None,
        };
        (!ty.is_error()).then_some(ty)
    }

    /// The pad that an operand means.
    fn pad(&self, operand: Operand) -> Pad {
        match operand.value {
            Value::Local(_) => match self.body.local_of(operand).map(|l| l.kind) {
                Some(LocalKind::Inst(i)) => Pad::Inst(InstId(i)),
                _ => Pad::Unknown,
            },
            Value::Const(_) => match self.cx.constant(operand) {
                Some(Const::None) => Pad::Caller,
                Some(Const::Undef | Const::Poison | Const::ZeroInitializer) => Pad::Constant,
                _ => Pad::Unknown,
            },
            _ => Pad::Unknown,
        }
    }

    fn opcode(&self, pad: Pad) -> Option<Opcode> {
        match pad {
            Pad::Inst(id) => self.cx.inst(id).map(|i| i.opcode),
            _ => None,
        }
    }

    /// The parent of a pad.
    fn parent(&self, id: InstId) -> Pad {
        match self.cx.inst(id) {
            Some(inst)
                if matches!(inst.opcode, Opcode::CatchPad | Opcode::CleanupPad | Opcode::CatchSwitch) =>
            {
                self.pad(self.body.operand(inst, 0))
            }
            _ => Pad::Unknown,
        }
    }

    /// The first instruction of a block that is not a phi.
    fn first(&self, block: u32) -> Option<(InstId, &'a Inst)> {
        self.body.block_insts(block).find(|(_, i)| i.opcode != Opcode::Phi)
    }

    /// The block that an instruction unwinds to; `None`: the caller, or not known.
    fn unwind_block(&self, inst: &Inst) -> Option<u32> {
        match inst.opcode {
            Opcode::Invoke => {
                let call = self.body.call(inst)?;
                self.body.block_of(*self.body.operands(call.destinations).get(1)?)
            }
            Opcode::CatchSwitch | Opcode::CleanupRet if !inst.flags.has(Flags::UNWIND_TO_CALLER) => {
                self.body.block_of(self.body.operand(inst, inst.operands.len.checked_sub(1)?))
            }
            _ => None,
        }
    }

    /// Where an `invoke` goes when the call returns.
    fn normal_block(&self, inst: &Inst) -> Option<u32> {
        let call = self.body.call(inst)?;
        self.body.block_of(*self.body.operands(call.destinations).first()?)
    }

    fn handlers(&self, inst: &Inst) -> impl Iterator<Item = Option<u32>> {
        let end = if inst.flags.has(Flags::UNWIND_TO_CALLER) {
            inst.operands.len
        } else {
            inst.operands.len.saturating_sub(1)
        };
        (1..end).map(move |n| self.body.block_of(self.body.operand(inst, n)))
    }

    fn check(&self, id: InstId, inst: &'a Inst) -> Verdict {
        let cx = self.cx;
        let word = inst.opcode.word();
        let block = cx.block_of_inst(id);
        let needs_personality = inst.opcode.is_eh_pad() || inst.opcode == Opcode::Resume;
        if inst.opcode == Opcode::LandingPad && inst.operands.is_empty() && !inst.flags.has(Flags::CLEANUP) {
            return self.wrong(id, "a `landingpad` must have a clause or `cleanup`");
        }
        if needs_personality && cx.function.personality.is_none() {
            return self.wrong(id, format!("`{word}` requires a function with a `personality`"));
        }
        if inst.opcode.is_eh_pad() {
            if block == 0 {
                return self.wrong(id, format!("`{word}` in the entry block, which no edge unwinds to"));
            }
            if self.first(block).is_some_and(|(first, _)| first != id) {
                return self.wrong(id, format!("`{word}` must be the first instruction of its block"));
            }
        }
        let parent = self.pad(self.body.operand(inst, 0));
        match inst.opcode {
            Opcode::LandingPad => {
                self.landing(id, block)?;
                for (n, kind) in self.body.index_list(inst).iter().enumerate() {
                    let clause = self.body.operand(inst, n as u32);
                    let undefined = matches!(cx.constant(clause), Some(Const::Undef | Const::Poison));
                    if *kind == 1 && undefined {
                        return self.wrong(id, "a `filter` must be a constant array");
                    }
                }
                Ok(())
            }
            Opcode::CatchPad => {
                if parent != Pad::Unknown && self.opcode(parent) != Some(Opcode::CatchSwitch) {
                    return self.wrong(id, "a `catchpad` must be within a `catchswitch`");
                }
                let Pad::Inst(switch) = parent else { return Ok(()) };
                let from = cx.block_of_inst(switch);
                if cx.cfg().predecessors(block).iter().any(|p| *p != from) {
                    return self.wrong(id, "a `catchpad` must be reached only from its `catchswitch`");
                }
                if cx.inst(switch).and_then(|s| self.unwind_block(s)) == Some(block) {
                    return self.wrong(id, "a `catchswitch` must not unwind to its own `catchpad`");
                }
                self.agree(id)
            }
            Opcode::CleanupPad | Opcode::CatchSwitch => {
                let nests = matches!(
                    self.opcode(parent),
                    Some(Opcode::CatchPad | Opcode::CleanupPad | Opcode::Error)
                );
                if !matches!(parent, Pad::Caller | Pad::Unknown) && !nests {
                    return self.wrong(
                        id,
                        format!("`{word}` must be within a `catchpad`, a `cleanuppad` or `none`"),
                    );
                }
                if inst.opcode == Opcode::CatchSwitch {
                    self.switch(id, inst)?;
                }
                self.reached(id, block, parent)?;
                if inst.opcode == Opcode::CleanupPad {
                    self.agree(id)?;
                }
                self.siblings(id)
            }
            Opcode::CatchRet if parent != Pad::Unknown && self.opcode(parent) != Some(Opcode::CatchPad) => {
                self.wrong(id, "the operand of `catchret` must be a `catchpad`")
            }
            Opcode::CleanupRet => {
                if parent != Pad::Unknown && self.opcode(parent) != Some(Opcode::CleanupPad) {
                    return self.wrong(id, "the operand of `cleanupret` must be a `cleanuppad`");
                }
                self.unwinds(id, inst)
            }
            _ => Ok(()),
        }
    }

    /// Where a `cleanupret` or `catchswitch` unwinds to is a pad.
    fn unwinds(&self, id: InstId, inst: &Inst) -> Verdict {
        let Some(block) = self.unwind_block(inst) else { return Ok(()) };
        let right = self.first(block).is_none_or(|(_, first)| {
            first.opcode == Opcode::Error || first.opcode.is_eh_pad() && first.opcode != Opcode::LandingPad
        });
        if right {
            return Ok(());
        }
        self.wrong(id, format!("`{}` unwinds to a block that does not begin with a pad", inst.opcode.word()))
    }

    fn switch(&self, id: InstId, inst: &Inst) -> Verdict {
        self.unwinds(id, inst)?;
        for handler in self.handlers(inst).flatten() {
            let right =
                self.first(handler).is_none_or(|(_, i)| matches!(i.opcode, Opcode::CatchPad | Opcode::Error));
            if !right {
                return self.wrong(id, "a handler of a `catchswitch` must begin with a `catchpad`");
            }
        }
        Ok(())
    }

    fn landing(&self, id: InstId, block: u32) -> Verdict {
        for from in self.cx.cfg().predecessors(block) {
            let Some((_, last)) = self.body.terminator(*from) else { continue };
            let unwinds = last.opcode == Opcode::Invoke
                && self.unwind_block(last) == Some(block)
                && self.normal_block(last) != Some(block);
            if !unwinds && last.opcode != Opcode::Error {
                return self
                    .wrong(id, "a `landingpad` must be reached only through the unwind edge of an `invoke`");
            }
        }
        Ok(())
    }

    /// The edges that lead to a `cleanuppad` or `catchswitch` leave zero or more pads and enter this one.
    fn reached(&self, id: InstId, block: u32, parent: Pad) -> Verdict {
        for from in self.cx.cfg().predecessors(block) {
            let Some((last_id, last)) = self.body.terminator(*from) else { continue };
            let start = match last.opcode {
                Opcode::Error => continue,
                Opcode::Invoke => {
                    if self.unwind_block(last) != Some(block) || self.normal_block(last) == Some(block) {
                        return self.wrong(id, "a pad must be reached only through unwind edges");
                    }
                    if self.never_unwinds(last) {
                        continue;
                    }
                    self.funclet(last)
                }
                Opcode::CleanupRet => {
                    let pad = self.pad(self.body.operand(last, 0));
                    if pad == parent && pad != Pad::Unknown {
                        return self.wrong(last_id, "a `cleanupret` must not unwind to its own pad");
                    }
                    pad
                }
                Opcode::CatchSwitch => Pad::Inst(last_id),
                _ => return self.wrong(id, "a pad must be reached only through unwind edges"),
            };
            let mut at = start;
            for _ in 0..64 {
                if at == Pad::Inst(id) {
                    return self.wrong(last_id, "a pad must not handle exceptions from itself");
                }
                if at == parent {
                    break;
                }
                at = match at {
                    Pad::Caller => return self.wrong(last_id, "an unwind edge must enter only one pad"),
                    Pad::Constant | Pad::Unknown => break,
                    Pad::Inst(pad) => self.parent(pad),
                };
            }
        }
        Ok(())
    }

    /// Whether it invokes an intrinsic that does not become a call, so that its edge may enter any pad.
    fn never_unwinds(&self, invoke: &Inst) -> bool {
        let callee = self.body.call(invoke).and_then(|call| self.cx.callee_name(call)).unwrap_or("");
        callee.starts_with("llvm.seh.") || callee == "llvm.donothing"
    }

    /// The pad in the `funclet` bundle of a call.
    fn funclet(&self, inst: &Inst) -> Pad {
        let Some(call) = self.body.call(inst) else { return Pad::Unknown };
        let bundle = call
            .bundles
            .of(&self.body.cold.bundles)
            .iter()
            .find(|b| self.body.tables.name(b.tag) == "funclet");
        match bundle.and_then(|b| self.body.operands(b.operands).first()) {
            Some(operand) => self.pad(*operand),
            None => Pad::Caller,
        }
    }

    /// All that unwinds out of a pad unwinds to one place, for a catch that of its `catchswitch`.
    fn agree(&self, id: InstId) -> Verdict {
        let mut goal: Option<Pad> = None;
        for user in self.users(id) {
            let target = match user.opcode {
                Opcode::CleanupRet => match self.unwind_block(user) {
                    Some(block) => self.first(block).map_or(Pad::Unknown, |(pad, _)| Pad::Inst(pad)),
                    None if user.flags.has(Flags::UNWIND_TO_CALLER) => Pad::Caller,
                    None => Pad::Unknown,
                },
                Opcode::CatchSwitch | Opcode::Invoke => match self.unwind_block(user) {
                    Some(block) => self.first(block).map_or(Pad::Unknown, |(pad, _)| Pad::Inst(pad)),
                    None => continue,
                },
                Opcode::Call
                | Opcode::CallBr
                | Opcode::CleanupPad
                | Opcode::CatchPad
                | Opcode::CatchRet
                | Opcode::Error => {
                    continue;
                }
                _ => return self.wrong(id, format!("`{}` must not use a pad", user.opcode.word())),
            };
            // An edge to a pad within this one does not leave it.
            let leaves = match target {
                Pad::Constant | Pad::Unknown => false,
                Pad::Caller => true,
                Pad::Inst(to) => self.parent(to) != Pad::Inst(id) && self.parent(to) != Pad::Unknown,
            };
            if leaves && *goal.get_or_insert(target) != target {
                return self.wrong(id, "all unwind edges out of a pad must have the same destination");
            }
        }
        let (Some(goal), Pad::Inst(switch)) = (goal, self.parent(id)) else { return Ok(()) };
        let Some(switch) = self.cx.inst(switch).filter(|i| i.opcode == Opcode::CatchSwitch) else {
            return Ok(());
        };
        let theirs = match self.unwind_block(switch) {
            Some(block) => self.first(block).map_or(Pad::Unknown, |(pad, _)| Pad::Inst(pad)),
            None => Pad::Caller,
        };
        if theirs != Pad::Unknown && theirs != goal {
            return self.wrong(
                id,
                "unwind edges out of a `catchpad` must have the destination of its `catchswitch`",
            );
        }
        Ok(())
    }

    /// The unwind destination of a pad, if it is a sibling.
    fn next_sibling(&self, id: InstId) -> Option<InstId> {
        let inst = self.cx.inst(id)?;
        let block = match inst.opcode {
            Opcode::CatchSwitch => self.unwind_block(inst),
            Opcode::CleanupPad => self.users(id).find_map(|user| {
                let leaves = user.opcode == Opcode::CleanupRet
                    && self.pad(self.body.operand(user, 0)) == Pad::Inst(id);
                if leaves { self.unwind_block(user) } else { None }
            }),
            _ => None,
        }?;
        let (next, _) = self.first(block)?;
        (self.parent(next) == self.parent(id) && self.parent(id) != Pad::Unknown).then_some(next)
    }

    fn siblings(&self, id: InstId) -> Verdict {
        let mut at = id;
        for _ in 0..64 {
            match self.next_sibling(at) {
                // Reported once, at the first pad of the cycle.
                Some(next) if next == id => {
                    return self.wrong(id, "the unwind destinations of this pad lead back to it");
                }
                Some(next) if next < id => return Ok(()),
                Some(next) => at = next,
                None => return Ok(()),
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::marks;

    #[test]
    fn faults() {
        marks(expect![[r#"
            define void @f() {
              resume { ptr, i32 } undef
            ; ^^^^^^^^^^^^^^^^^^^^^^^^^ error[exception-handling]: `resume` requires a function with a `personality`
            }
        "#]]);
        marks(expect![[r#"
            declare i32 @p(...)
            define void @f() personality ptr @p {
              %q = cleanuppad within none []
            ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[exception-handling]: `cleanuppad` in the entry block, which no edge unwinds to
              unreachable
            }
        "#]]);
        marks(expect![[r#"
            declare i32 @p(...)
            define void @f() personality ptr @p {
              br label %a
            a:
              %q = cleanuppad within none []
            ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[exception-handling]: a pad must be reached only through unwind edges
              unreachable
            }
        "#]]);
        marks(expect![[r#"
            declare i32 @p(...)
            define void @f() personality ptr @p {
              br label %a
            a:
              %l = landingpad { ptr, i32 } cleanup
            ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[exception-handling]: a `landingpad` must be reached only through the unwind edge of an `invoke`
              ret void
            }
        "#]]);
    }
}
