//! Memory: atomic sizes, `swifterror` values, and what a target asks of `alloca`.
//!
//! Source: LLVM Language Reference, "Memory Access and Addressing Operations"; User Guide for AMDGPU, "Address Spaces".

use super::super::attribute::AttrKind;
use super::super::attribute_set::AttributeSet;
use super::super::body::{Flags, Inst, InstId, Opcode, Ordering};
use super::super::layout::Layout;
use super::super::operand::{Const, LocalId, Value};
use super::super::types::TypeId;
use crate::context::{ModuleContext, RuleContext};
use wavelens_base::{Rule, Severity, TextEdit, TextRange};

wavelens_syntax::rules! {
    ATOMIC {
        code: "atomic-size",
        severity: Severity::Error,
        title: "an atomic access has a power-of-two size of at least one byte",
        explain: "Hardware accesses memory atomically only in units of a power of two bytes. `cmpxchg` compares \
            integers and pointers only.",
        example: r"define i24 @f(ptr %p) {
  %x = load atomic i24, ptr %p seq_cst, align 4
  ret i24 %x
}
",
        fixed: r"define i32 @f(ptr %p) {
  %x = load atomic i32, ptr %p seq_cst, align 4
  ret i32 %x
}
",
        source: "LLVM `Verifier::checkAtomicMemAccessSize`: \"atomic memory access' operand must have a \
            power-of-two size\"; LLVM Language Reference, \"Atomic Memory Ordering Constraints\"",
    }

    SWIFT_ERROR {
        code: "swifterror",
        severity: Severity::Error,
        title: "a `swifterror` value is only loaded, stored or passed as `swifterror`",
        explain: "A `swifterror` value is kept in a register, not in memory: it has no address that could be \
            computed with.",
        example: r"define void @f(ptr swifterror %error) {
  %next = getelementptr i8, ptr %error, i64 1
  ret void
}
",
        fixed: r"define void @f(ptr swifterror %error) {
  %value = load ptr, ptr %error
  ret void
}
",
        source: "LLVM `Verifier::verifySwiftErrorValue`: \"swifterror value can only be loaded and stored from, or \
            as a swifterror argument!\"; LLVM Language Reference, \"Parameter Attributes\", `swifterror`",
    }

    STACK {
        code: "stack-slot",
        severity: Severity::Error,
        title: "on AMDGPU an `alloca` is in address space 5",
        explain: "The stack of AMDGPU is in private memory, address space 5. `alloca` names it, or the data layout \
            does (`A5`).",
        example: r#"target triple = "amdgcn-amd-amdhsa"
define void @f() {
  %slot = alloca i32
  ret void
}
"#,
        fixed: r#"target triple = "amdgcn-amd-amdhsa"
define void @f() {
  %slot = alloca i32, addrspace(5)
  ret void
}
"#,
        source: "LLVM `Verifier::visitAllocaInst`: \"alloca on amdgpu must be in addrspace(5)\"; LLVM, \"User \
            Guide for AMDGPU Backend\", \"Address Spaces\"",
    }

    LAYOUT {
        code: "data-layout",
        severity: Severity::Error,
        title: "a data layout string consists of valid specifications",
        explain: "The data layout is a list of specifications separated by `-`: endianness, sizes and alignments in \
            bits. Sizes and offsets of all types follow from it.",
        example: r#"target datalayout = "e-i32:24"
"#,
        fixed: r#"target datalayout = "e-i32:32"
"#,
        source: "LLVM `DataLayout::parseLayoutString`: \"ABI alignment must be a power of two times the byte \
            width\"; LLVM Language Reference, \"Data Layout\"",
    }
}

pub(super) fn module(cx: &mut ModuleContext<'_>) {
    let Some(layout) = cx.summary.cold.data_layout else { return };
    if let Some(mistake) = Layout::mistake(cx.summary.tables.name(layout.value)) {
        let range = cx.item_range(layout.item);
        cx.report(&LAYOUT, range, mistake);
    }
}

pub(super) fn function(cx: &mut RuleContext<'_>) {
    let mut found: Vec<(&'static Rule, TextRange, String)> = Vec::new();
    let mut stack_slots: Vec<(TextRange, &str)> = Vec::new();
    let amdgpu =
        cx.scope.triple.as_deref().is_some_and(|t| wavelens_isa::is_amdgpu(t) || t.starts_with("r600"));
    let is_logical = cx.scope.follows(24) && cx.scope.is_module_flag_set("require-logical-pointer");
    for (id, inst) in cx.insts() {
        let range = || cx.body.inst_range(id);
        match inst.opcode {
            Opcode::Load | Opcode::Store | Opcode::CmpXchg | Opcode::AtomicRmw => {
                let message = atomic(cx, inst);
                found.extend(message.map(|m| (&ATOMIC, range(), m)));
            }
            Opcode::Alloca | Opcode::GetElementPtr if is_logical => {
                let word = inst.opcode.word();
                let message = format!("the module requires logical pointers, which `{word}` does not give");
                found.push((&super::operands::INVALID_OPERAND, range(), message));
            }
            Opcode::Alloca => {
                let space = cx.types.address_space(cx.result_ty(inst));
                // A type that could not be read ends the instruction: its address space is unknown.
                let is_read = !cx.ty(inst.ty).is_error();
                if amdgpu && is_read && space.is_some_and(|s| s != 5) {
                    let message = "`alloca` on AMDGPU must be in address space 5: add `addrspace(5)`";
                    stack_slots.push((range(), message));
                }
                if inst.flags.has(Flags::SWIFTERROR) {
                    let message = swift_alloca(cx, inst);
                    found.extend(message.map(|m| (&SWIFT_ERROR, range(), m)));
                    if let Some(result) = inst.result {
                        swift_uses(cx, result, &mut found);
                    }
                }
            }
            Opcode::Phi if cx.ty(inst.ty) == TypeId::TOKEN => {
                found.push((
                    &super::operands::INVALID_OPERAND,
                    range(),
                    "a token must not be an operand of `phi`".into(),
                ));
            }
            _ => {}
        }
    }
    for (n, param) in cx.summary.params(cx.function).iter().enumerate() {
        if !param.attrs.is_empty()
            && AttributeSet::new(cx.scope, &cx.summary.tables, param.attrs, |_| TypeId::ERROR)
                .has(AttrKind::SwiftError)
        {
            swift_uses(cx, LocalId(n as u32), &mut found);
        }
    }
    for (range, message) in stack_slots {
        let cast = cast_stack_slot(cx.text, range);
        let diagnostic = cx.report(&STACK, range, message);
        if let Some(text) = cast {
            let title = "Allocate in address space 5, and cast the pointer";
            diagnostic.set_guess(title, vec![TextEdit::new(range, text)]);
        }
    }
    for (rule, range, message) in found {
        cx.report(rule, range, message);
    }
}

/// An `alloca` of address space 0 as one of address space 5 and a cast, so that its uses stay as they are.
fn cast_stack_slot(text: &str, range: TextRange) -> Option<String> {
    let written = text.get(std::ops::Range::<usize>::from(range))?;
    let (name, _) = written.split_once('=')?;
    let name = name.trim_end();
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-');
    let own = name.strip_prefix('%').filter(|own| own.chars().all(is_plain))?;
    let slot = format!("{own}.stack");
    // Numbers would no longer be in order.
    if own.starts_with(|c: char| c.is_ascii_digit()) || written.contains("addrspace(") || text.contains(&slot)
    {
        return None;
    }
    let rest = written.get(name.len()..)?;
    let (slots, attached) = rest.split_at(rest.find(", !").unwrap_or(rest.len()));
    let before = text.get(..usize::from(range.start()))?.rsplit('\n').next()?;
    let indent = before.get(before.trim_end_matches([' ', '\t']).len()..)?;
    Some(format!(
        "%{slot}{slots}, addrspace(5){attached}\n{indent}{name} = addrspacecast ptr addrspace(5) %{slot} to ptr"
    ))
}

fn atomic(cx: &RuleContext<'_>, inst: &Inst) -> Option<String> {
    let ty = match inst.opcode {
        Opcode::Load => cx.ty(inst.ty),
        Opcode::Store => cx.operand_ty(inst, 0),
        _ => cx.operand_ty(inst, 1),
    };
    if cx.body.atomic(inst)?.ordering == Ordering::NotAtomic || ty.is_error() {
        return None;
    }
    let shown = || cx.display_ty(ty);
    if inst.opcode == Opcode::CmpXchg && !cx.types.is_int(ty) && !cx.types.is_ptr(ty) {
        return Some(format!("`cmpxchg` requires an integer or a pointer, found `{}`", shown()));
    }
    let scalar = cx.types.scalar(ty);
    if !cx.types.is_element(scalar) {
        return Some(format!("`{}` cannot be accessed atomically", shown()));
    }
    let bits = cx.scope.layout.bits(cx.scope, &cx.types, ty)?;
    if bits < 8 {
        return Some(format!("an atomic access must be at least one byte wide, found `{}`", shown()));
    }
    (!bits.is_power_of_two())
        .then(|| format!("the size of an atomic access must be a power of two, found `{}`", shown()))
}

fn swift_alloca(cx: &RuleContext<'_>, inst: &Inst) -> Option<String> {
    let ty = cx.ty(inst.ty);
    if !ty.is_error() && !cx.types.is_ptr(ty) {
        return Some(format!("a `swifterror` slot must hold a pointer, found `{}`", cx.display_ty(ty)));
    }
    let count = (!inst.operands.is_empty()).then(|| cx.constant(cx.body.operand(inst, 0)));
    match count {
        None | Some(Some(Const::Int(1) | Const::Error)) => None,
        _ => Some("a `swifterror` slot must not be an array".into()),
    }
}

/// A `swifterror` value is loaded from, stored to, or passed on as one.
fn swift_uses(cx: &RuleContext<'_>, local: LocalId, found: &mut Vec<(&'static Rule, TextRange, String)>) {
    let is_it = |value: Value| value == Value::Local(local);
    for (id, inst) in cx.insts() {
        if let Some(call) = cx.body.call(inst) {
            let callee = cx.callee(call);
            for (n, arg) in cx.body.operands(call.args).iter().enumerate() {
                if !is_it(arg.value) {
                    continue;
                }
                let span = call.arg_attrs.of(&cx.body.cold.arg_attrs).get(n).copied().unwrap_or_default();
                let own = AttributeSet::new(cx.scope, &cx.body.tables, span, |_| TypeId::ERROR);
                let theirs = callee.and_then(|(summary, f)| {
                    let param = summary.params(f).get(n)?;
                    Some(AttributeSet::new(cx.scope, &summary.tables, param.attrs, |_| TypeId::ERROR))
                });
                if !own.has(AttrKind::SwiftError) && theirs.is_none_or(|s| !s.has(AttrKind::SwiftError)) {
                    let message = "a `swifterror` value must be passed as a `swifterror` argument";
                    found.push((&SWIFT_ERROR, cx.body.operand_range(InstId(id.0), n as u32), message.into()));
                }
            }
            continue;
        }
        let uses = |n: u32| n < inst.operands.len && is_it(cx.body.operand(inst, n).value);
        let wrong = match inst.opcode {
            Opcode::Load => false,
            Opcode::Store => uses(0),
            _ => (0..inst.operands.len).any(uses),
        };
        if wrong {
            let message = "a `swifterror` value must only be loaded from, stored to or passed as a `swifterror` argument".to_owned();
            found.push((&SWIFT_ERROR, cx.body.inst_range(id), message));
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::marks;

    #[test]
    fn the_address_space_of_a_slot() {
        marks(expect![[r#"
            target triple = "amdgcn"
            define void @f() {
              %a = alloca i32
            ; ^^^^^^^^^^^^^^^ error[stack-slot]: `alloca` on AMDGPU must be in address space 5: add `addrspace(5)`
            ;               = guess:   %a.stack = alloca i32, addrspace(5)
            ;               = guess:   %a = addrspacecast ptr addrspace(5) %a.stack to ptr
              %b = alloca i32, addrspce(5)
            ;                  ^^^^^^^^ error[syntax-error]: expected metadata, `align` or `addrspace`, found `addrspce`; did you mean `addrspace`?
            ;                         = fix:   %b = alloca i32, addrspace(5)
              store i32 1, ptr addrspace(5) %b
              %c = alloca i32, algn 4, addrspace(5)
            ;                  ^^^^ error[syntax-error]: expected metadata, `align` or `addrspace`, found `algn`; did you mean `align`?
            ;                     = fix:   %c = alloca i32, align 4, addrspace(5)
              store i32 1, ptr addrspace(5) %c
              ret void
            }
        "#]]);
    }

    #[test]
    fn faults() {
        marks(expect![[r#"
            define void @f() {
              %a = alloca swifterror i32
            ; ^^^^^^^^^^^^^^^^^^^^^^^^^^ error[swifterror]: a `swifterror` slot must hold a pointer, found `i32`
            ret void
            }
        "#]]);
        marks(expect![[r#"
            define void @f() {
              %a = alloca swifterror ptr, i32 2
            ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[swifterror]: a `swifterror` slot must not be an array
            ret void
            }
        "#]]);
        marks(expect![[r#"
            define swiftcc void @f(ptr swifterror %e, ptr %p) {
              store ptr %e, ptr %p
            ; ^^^^^^^^^^^^^^^^^^^^ error[swifterror]: a `swifterror` value must only be loaded from, stored to or passed as a `swifterror` argument
            ret void
            }
        "#]]);
        marks(expect![[r#"
            declare void @g(ptr)
            define swiftcc void @f(ptr swifterror %e) {
              call void @g(ptr %e)
            ;                  ^^ error[swifterror]: a `swifterror` value must be passed as a `swifterror` argument
            ret void
            }
        "#]]);
    }
}
