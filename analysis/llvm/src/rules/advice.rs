//! Legal, but probably not intended: unreachable blocks, constant branches, `alloca` in loops, replaced
//! intrinsics. Each can be switched off by its code.

use super::super::body::{Flags, Opcode};
use super::super::fixes;
use super::super::intrinsic_match::is_upgraded;
use super::super::operand::{Const, OperandId, Value};
use super::super::tables::Intrinsic;
use crate::context::RuleContext;
use wavelens_base::{Diagnostic, Severity, Tag};

wavelens_syntax::rules! {
    UNREACHABLE {
        code: "unreachable-block",
        severity: Severity::Hint,
        title: "each block can be reached from the entry block",
        explain: "A block that no path from the entry block reaches is never executed, and optimizers delete it. It \
            is often left over from an edit, or the sign of a branch to a wrong label. A block that contains \
            only `unreachable` is not reported, nor one that LLVM printed with `; No predecessors!`.\n\n\
            Switch it off for files in which dead code is intended, such as tests of an optimizer.",
        example: r"define void @f() {
  ret void
dead:
  ret void
}
",
        fixed: r"define void @f() {
  ret void
}
",
        source: "No rule of the language: LLVM accepts unreachable blocks (pass `simplifycfg` removes them)",
    }

    CONSTANT_BRANCH {
        code: "constant-branch",
        severity: Severity::Hint,
        title: "a conditional branch can go both ways",
        explain: "A branch whose condition is a constant, or whose two destinations are the same block, always \
            takes the same edge. An unconditional `br label` says the same.\n\n\
            Switch it off for reduced test cases, which often contain such branches.",
        example: r"define void @f() {
  br i1 true, label %a, label %b
a:
  ret void
b:
  ret void
}
",
        fixed: r"define void @f(i1 %c) {
  br i1 %c, label %a, label %b
a:
  ret void
b:
  ret void
}
",
        source: "No rule of the language: LLVM accepts such branches (pass `simplifycfg` removes them)",
    }

    ALLOCA {
        code: "alloca-outside-entry",
        severity: Severity::Hint,
        title: "an `alloca` of fixed size is in the entry block",
        explain: "An `alloca` outside the entry block allocates stack memory each time it is executed, so that a \
            loop can overflow the stack. The passes `mem2reg` and `sroa` promote only slots of the entry \
            block to registers, and code generation treats others as dynamic allocations.\n\n\
            Switch it off if the allocation in a loop is intended.",
        example: r"define void @f() {
  br label %body
body:
  %slot = alloca i32
  ret void
}
",
        fixed: r"define void @f() {
  %slot = alloca i32
  br label %body
body:
  ret void
}
",
        source: "LLVM, \"Performance Tips for Frontend Authors\": \"Use of allocas\"",
    }

    DEPRECATED {
        code: "deprecated-intrinsic",
        severity: Severity::Hint,
        title: "an intrinsic exists in current LLVM",
        explain: "LLVM replaces this intrinsic by newer code when it reads the file. Tools that do not use LLVM's \
            upgrade reject the call or treat it as a call of an unknown function.\n\n\
            Switch it off for files that must remain readable by old versions of LLVM; better still, set \
            `llvm.level`.",
        example: r"declare <4 x i32> @llvm.experimental.vector.reverse.v4i32(<4 x i32>)
define <4 x i32> @f(<4 x i32> %v) {
  %r = call <4 x i32> @llvm.experimental.vector.reverse.v4i32(<4 x i32> %v)
  ret <4 x i32> %r
}
",
        fixed: r"declare <4 x i32> @llvm.vector.reverse.v4i32(<4 x i32>)
define <4 x i32> @f(<4 x i32> %v) {
  %r = call <4 x i32> @llvm.vector.reverse.v4i32(<4 x i32> %v)
  ret <4 x i32> %r
}
",
        source: "LLVM `UpgradeIntrinsicFunction` and `UpgradeIntrinsicCall` in lib/IR/AutoUpgrade.cpp",
    }
}

pub(super) fn function(cx: &mut RuleContext<'_>) {
    let mut found: Vec<Diagnostic> = Vec::new();
    unreachable(cx, &mut found);
    for (id, inst) in cx.insts() {
        match inst.opcode {
            Opcode::Br if inst.operands.len == 3 => {
                let body = cx.body;
                let condition = match cx.constant(body.operand(inst, 0)) {
                    Some(Const::Bool(value)) => Some(value),
                    Some(Const::Int(value)) => Some(value & 1 == 1),
                    _ => None,
                };
                let same = body.operand(inst, 1).value == body.operand(inst, 2).value;
                let way = if condition == Some(false) { 2 } else { 1 };
                let is_block = matches!(body.operand(inst, way).value, Value::Local(_));
                if is_block && (condition.is_some() || same) {
                    let target = cx.display_value(body.operand(inst, way));
                    let message = format!("this branch always goes to `{target}`");
                    found.push(Diagnostic::new(&CONSTANT_BRANCH, body.operand_range(id, 0), message));
                }
            }
            // Space for the arguments of one call is made where that call is.
            Opcode::Alloca if cx.block_of_inst(id) != 0 && !inst.flags.has(Flags::INALLOCA) => {
                let fixed = inst.operands.is_empty() || cx.constant(cx.body.operand(inst, 0)).is_some();
                if fixed {
                    let message = "`alloca` outside the entry block allocates each time it is executed";
                    found.push(Diagnostic::new(&ALLOCA, cx.body.inst_range(id), message));
                }
            }
            Opcode::Call => {
                let Some(call) = cx.body.call(inst) else { continue };
                let name = cx.callee_name(call).unwrap_or("");
                let arguments = call.args.len as usize;
                if name.starts_with("llvm.")
                    && (Intrinsic::lookup(name).is_none() && is_upgraded(name, arguments)
                        || has_old_signature(name, arguments))
                {
                    let range = cx.operand_range(OperandId(call.callee.0));
                    let (instead, rename) = replacement(name);
                    let message = format!("`@{name}` was replaced in newer versions of LLVM: {instead}");
                    let mut diagnostic = Diagnostic::new(&DEPRECATED, range, message).tag(Tag::Deprecated);
                    if let Some(rename) = rename {
                        diagnostic =
                            diagnostic.fix(format!("Replace with `@{rename}`"), range, format!("@{rename}"));
                    }
                    found.push(diagnostic);
                }
            }
            _ => {}
        }
    }
    cx.diagnostics.append(&mut found);
}

/// Signatures that went long ago. Younger ones are what compilers of today still write, and no news.
fn has_old_signature(name: &str, arguments: usize) -> bool {
    let old = |prefixes: &[&str], counts: &[usize]| {
        counts.contains(&arguments) && prefixes.iter().any(|p| name.starts_with(p))
    };
    old(&["llvm.memcpy.", "llvm.memmove.", "llvm.memset."], &[5])
        || old(&["llvm.ctlz.", "llvm.cttz."], &[1])
        || old(&["llvm.objectsize."], &[2, 3])
}

/// What newer LLVM has in place of an intrinsic; and its new name, where nothing else changes.
fn replacement(name: &str) -> (String, Option<String>) {
    /// Prefixes of names that only changed. Source: LLVM, lib/IR/AutoUpgrade.cpp.
    const RENAMED: &[(&str, &str)] = &[
        ("llvm.experimental.vector.extract.", "llvm.vector.extract."),
        ("llvm.experimental.vector.insert.", "llvm.vector.insert."),
        ("llvm.experimental.vector.reverse.", "llvm.vector.reverse."),
        ("llvm.experimental.vector.interleave", "llvm.vector.interleave"),
        ("llvm.experimental.vector.deinterleave", "llvm.vector.deinterleave"),
        ("llvm.experimental.vector.partial.reduce.", "llvm.vector.partial.reduce."),
        ("llvm.experimental.stepvector.", "llvm.stepvector."),
        ("llvm.invariant.group.barrier", "llvm.launder.invariant.group"),
        ("llvm.flt.rounds", "llvm.get.rounding"),
    ];
    /// Prefixes of names that gave way to something else.
    const REPLACED: &[(&str, &str)] = &[
        ("llvm.memcpy.", "the alignment is now an attribute of the pointers"),
        ("llvm.memmove.", "the alignment is now an attribute of the pointers"),
        ("llvm.memset.", "the alignment is now an attribute of the pointer"),
        ("llvm.objectsize.", "it now takes `i1` arguments for null and for evaluation at run time"),
        ("llvm.ctlz.", "it now takes a second argument: whether zero gives poison"),
        ("llvm.cttz.", "it now takes a second argument: whether zero gives poison"),
        ("llvm.vector.splice", "use `llvm.vector.splice.left` or `.right`"),
        ("llvm.experimental.vector.splice", "use `llvm.vector.splice.left` or `.right`"),
        ("llvm.amdgcn.ldexp", "use `llvm.ldexp`"),
        ("llvm.amdgcn.atomic.inc", "use the instruction `atomicrmw uinc_wrap`"),
        ("llvm.amdgcn.atomic.dec", "use the instruction `atomicrmw udec_wrap`"),
        ("llvm.amdgcn.ds.fadd", "use the instruction `atomicrmw fadd`"),
        ("llvm.amdgcn.ds.fmin", "use the instruction `atomicrmw fmin`"),
        ("llvm.amdgcn.ds.fmax", "use the instruction `atomicrmw fmax`"),
        ("llvm.amdgcn.global.atomic.fadd", "use the instruction `atomicrmw fadd`"),
        ("llvm.amdgcn.flat.atomic.fadd", "use the instruction `atomicrmw fadd`"),
        ("llvm.amdgcn.global.atomic.fmin", "use the instruction `atomicrmw fmin`"),
        ("llvm.amdgcn.flat.atomic.fmin", "use the instruction `atomicrmw fmin`"),
        ("llvm.amdgcn.global.atomic.fmax", "use the instruction `atomicrmw fmax`"),
        ("llvm.amdgcn.flat.atomic.fmax", "use the instruction `atomicrmw fmax`"),
        ("llvm.experimental.vector.reduce.", "use `llvm.vector.reduce...`"),
    ];
    if let Some((old, new)) = RENAMED.iter().find(|(old, _)| name.starts_with(old)) {
        let new = name.replacen(old, new, 1);
        return (format!("use `@{new}`"), Some(new));
    }
    let known = REPLACED.iter().find(|(old, _)| name.starts_with(old));
    (known.map_or("LLVM rewrites the call when it reads the file", |(_, instead)| instead).to_owned(), None)
}

fn unreachable(cx: &RuleContext<'_>, found: &mut Vec<Diagnostic>) {
    let body = cx.body;
    if !cx.are_edges_known() {
        return;
    }
    let mut reached = vec![false; body.blocks.len()];
    for block in cx.cfg().reverse_post_order() {
        if let Some(slot) = reached.get_mut(block as usize) {
            *slot = true;
        }
    }
    for (number, (block, reached)) in body.blocks.iter().zip(&reached).enumerate() {
        // A block that only says so is a common way to end a `switch`.
        let only_unreachable = block.insts.len == 1
            && block.insts.of(&body.insts).first().is_some_and(|i| i.opcode == Opcode::Unreachable);
        // What only such a block leads to is its consequence.
        let led_to = cx.cfg().predecessors(number as u32).iter().any(|from| *from != number as u32);
        if *reached || only_unreachable || led_to {
            continue;
        }
        let Some(local) = body.local(block.local) else { continue };
        // LLVM printed the comment: the block is known to be unreachable.
        let line = fixes::line(cx.text, local.range.start());
        if cx.text.get(std::ops::Range::<usize>::from(line)).is_some_and(|l| l.contains("; No predecessors!"))
        {
            continue;
        }
        let name = cx.display_local(local.name);
        let message = match local.range.is_empty() {
            true => format!(
                "unreachable code: an unnamed block, `{name}`, starts here, and nothing branches to it"
            ),
            false => format!("unreachable block `{name}`"),
        };
        found.push(Diagnostic::new(&UNREACHABLE, local.range, message).tag(Tag::Unnecessary));
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::marks;

    #[test]
    fn legal_and_not_meant() {
        marks(expect![[r#"
            @c = constant i32 1
            define void @f(i1 %b, <4 x i32> %v) {
              br i1 true, label %a, label %d
            ;       ^^^^ hint[constant-branch]: this branch always goes to `%a`
            a:
              %slot = alloca i32
            ; ^^^^^^^^^^^^^^^^^^ hint[alloca-outside-entry]: `alloca` outside the entry block allocates each time it is executed
              store i32 2, ptr @c
            ;                  ^^ warning[store-to-constant]: store to the constant `@c` is undefined behavior
            ;                   = line 1:1: declared here
              br i1 %b, label %d, label %d
            ;       ^^ hint[constant-branch]: this branch always goes to `%d`
            lost:
            ;^^^^ hint[unreachable-block]: unreachable block `%lost`
              br label %after
            after:
              br label %d
            printed:                                          ; No predecessors!
              br label %d
            impossible:
              unreachable
            d:
              %r = call <4 x i32> @llvm.experimental.vector.reverse.v4i32(<4 x i32> %v)
            ;                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[deprecated-intrinsic]: `@llvm.experimental.vector.reverse.v4i32` was replaced in newer versions of LLVM: use `@llvm.vector.reverse.v4i32`
            ;                                                           = fix:   %r = call <4 x i32> @llvm.vector.reverse.v4i32(<4 x i32> %v)
              %z = call i32 @llvm.ctlz.i32(i32 1)
            ;               ^^^^^^^^^^^^^^ hint[deprecated-intrinsic]: `@llvm.ctlz.i32` was replaced in newer versions of LLVM: it now takes a second argument: whether zero gives poison
              ret void
            }
            declare <4 x i32> @llvm.experimental.vector.reverse.v4i32(<4 x i32>)
            declare i32 @llvm.ctlz.i32(i32)
        "#]]);
    }

    #[test]
    fn intended_code_has_no_hint() {
        marks(expect![[r#"
            define void @f(i1 %c) {
              br i1 %c, label %a, label %b
            a:
              %slot = alloca inalloca i32
              br label %b
            b:
              ret void
            }
        "#]]);
    }

    #[test]
    fn replacements_of_old_intrinsics() {
        marks(expect![[r#"
            define void @f(ptr addrspace(1) %p, ptr addrspace(3) %l, float %x) {
              %a = call float @llvm.amdgcn.global.atomic.fadd.f32.p1.f32(ptr addrspace(1) %p, float %x)
            ;                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[deprecated-intrinsic]: `@llvm.amdgcn.global.atomic.fadd.f32.p1.f32` was replaced in newer versions of LLVM: use the instruction `atomicrmw fadd`
              %b = call i32 @llvm.amdgcn.atomic.inc.i32.p1(ptr addrspace(1) %p, i32 1, i32 0, i32 0, i1 false)
            ;               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[deprecated-intrinsic]: `@llvm.amdgcn.atomic.inc.i32.p1` was replaced in newer versions of LLVM: use the instruction `atomicrmw uinc_wrap`
              %c = call float @llvm.amdgcn.ldexp.f32(float %x, i32 2)
            ;                 ^^^^^^^^^^^^^^^^^^^^^^ hint[deprecated-intrinsic]: `@llvm.amdgcn.ldexp.f32` was replaced in newer versions of LLVM: use `llvm.ldexp`
              ret void
            }
        "#]]);
    }

    #[test]
    fn a_branch_that_is_not_understood_has_no_advice() {
        marks(expect![[r#"
            define void @f() {
              br void
            ;    ^^^^ error[invalid-type]: `void` is allowed only as the result of a function
            ;        ^ error[syntax-error]: expected a value, found the end of the line
            ;        = line 3:1: LLVM reports it here
            }
        "#]]);
    }
}
