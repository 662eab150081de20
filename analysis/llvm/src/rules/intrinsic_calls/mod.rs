//! Rules of single intrinsics about their operands.
//!
//! Signature and immediates are right when these run.

mod amdgpu;
mod arguments;
mod assume;
mod preallocated;
mod statepoint;

use self::arguments::{Text, arg, at, has_bundle, is_rounding, is_unknown, opcode, text, uint, uses_gc};
use super::super::attribute::AttrKind;
use super::super::attribute_set::AttributeSet;
use super::super::body::Opcode;
use super::super::layout::{Layout, is_sized};
use super::super::metadata_view::Md;
use super::super::operand::{Const, Operand, Value};
use super::super::scope::GlobalKind;
use super::super::types::TypeId;
use super::attachments;
use super::bundles::callee;
use super::call_site::Site;
use wavelens_base::Verdict;

pub(super) mod upgraded;
mod vectors;

/// Whether the first argument is a node with one string; `None` if that is not known.
fn names_register(site: &Site<'_, '_>) -> Option<bool> {
    let Value::Metadata(index) = arg(site, 0).value else { return None };
    let node = site.cx.node(site.cx.body.tables.cold.md_values.get(index as usize).copied()?)?;
    let mut operands = node.operands(site.cx.scope);
    Some(matches!((operands.next(), operands.next()), (Some(Md::String(_) | Md::Unknown), None)))
}

/// Whether the type that an intrinsic works on is given: at the pointer that it takes, or at the pointer that it returns.
fn has_element_type(site: &Site<'_, '_>) -> bool {
    match site.args().is_empty() {
        true => site.ret_attrs().has(AttrKind::ElementType),
        false => site.arg_attrs(0).has(AttrKind::ElementType),
    }
}

/// Formats of `llvm.convert.from.arbitrary.fp`, with their bits.
const FORMATS: [(&str, u32); 11] = [
    ("Float8E5M2", 8),
    ("Float8E5M2FNUZ", 8),
    ("Float8E4M3", 8),
    ("Float8E4M3FN", 8),
    ("Float8E4M3FNUZ", 8),
    ("Float8E4M3B11FNUZ", 8),
    ("Float8E3M4", 8),
    ("Float8E8M0FNU", 8),
    ("Float6E3M2FN", 6),
    ("Float6E2M3FN", 6),
    ("Float4E2M1FN", 4),
];

/// Conversions between a type and a format of few bits in an integer.
fn arbitrary_float(site: &Site<'_, '_>, short: &str) -> Verdict {
    let is_from = short == "convert.from.arbitrary.fp";
    let types = &site.cx.types;
    let integer = if is_from { site.params.first().copied().unwrap_or(TypeId::ERROR) } else { site.result };
    let format = match text(site, 1) {
        Text::Unknown => return Ok(()),
        Text::Other => return at(site, 1, "the format must be a string such as `Float8E5M2`"),
        Text::String(format) => format,
    };
    let Some((_, bits)) = FORMATS.iter().find(|(name, _)| *name == format) else {
        return at(site, 1, format!("unknown format `{format}`"));
    };
    if types.int_bits(types.scalar(integer)).is_some_and(|own| own != *bits) {
        return site.wrong(format!("`{format}` requires an integer of {bits} bits"));
    }
    match text(site, 2) {
        Text::String(mode) if !is_from && (!is_rounding(mode) || mode == "round.dynamic") => {
            at(site, 2, format!("unknown rounding mode `{mode}`"))
        }
        _ => Ok(()),
    }
}

pub(super) fn check(site: &Site<'_, '_>, name: &str) -> Verdict {
    let short = name.strip_prefix("llvm.").unwrap_or(name);
    tiles(site)?;
    match short {
        "assume" => assume::assume(site),
        "lifetime.start" | "lifetime.end" => lifetime(site, short),
        "is.fpclass" | "vp.is.fpclass" => match uint(site, 1) {
            Some(mask) if mask & !0x3ff != 0 => {
                at(site, 1, format!("the mask of `{short}` must be between 0 and 0x3ff, is {mask:#x}"))
            }
            _ => Ok(()),
        },
        "fptrunc.round" => match text(site, 1) {
            Text::Unknown => Ok(()),
            Text::String(mode) if is_rounding(mode) && mode != "round.dynamic" => Ok(()),
            _ => at(site, 1, "the rounding mode must be a string such as `round.tonearest`"),
        },
        "memcpy.element.unordered.atomic" | "memmove.element.unordered.atomic" => {
            element_atomic(site, &[0, 1])
        }
        "memset.element.unordered.atomic" => element_atomic(site, &[0]),
        "experimental.memset.pattern"
            if site.params.get(1).and_then(|ty| is_sized(site.cx.scope, &site.cx.types, *ty))
                == Some(false) =>
        {
            at(site, 1, "the type of the pattern must have a size")
        }
        _ if short.starts_with("call.preallocated.") => preallocated::check(site, short),
        "gcroot" => gcroot(site).and_then(|()| uses_gc(site)),
        "gcread" | "gcwrite" => uses_gc(site),
        "init.trampoline" => match site.cx.global(arg(site, 1)) {
            Some(g) if matches!(g.kind, GlobalKind::Function(_)) => Ok(()),
            None if is_unknown(site, 1) => Ok(()),
            _ => at(site, 1, "the second argument of `llvm.init.trampoline` must be a function"),
        },
        "prefetch" => {
            below(site, 1, 2, "the read/write argument must be 0 or 1")?;
            below(site, 2, 4, "the locality must be between 0 and 3")?;
            below(site, 3, 2, "the cache type must be 0 or 1")
        }
        "stackprotector" if opcode(site, 1) != Some(Opcode::Alloca) => {
            at(site, 1, "the protected slot must be an `alloca`")
        }
        "localescape" => local_escape(site),
        "localrecover" => local_recover(site),
        "experimental.gc.statepoint" => uses_gc(site).and_then(|()| statepoint::check(site)),
        "experimental.gc.result" | "experimental.gc.relocate" => statepoint::follow(site, short),
        "eh.exceptioncode" | "eh.exceptionpointer" if opcode(site, 0) != Some(Opcode::CatchPad) => {
            at(site, 0, "the argument must be a `catchpad`")
        }
        "experimental.get.vector.length" if uint(site, 1) == Some(0) => {
            at(site, 1, "the vector factor must be positive")
        }
        "experimental.guard" => deopt(site),
        "experimental.deoptimize" => deoptimize(site),
        "va_start" if !site.cx.function.vararg => {
            site.wrong("`llvm.va_start` requires a function with variable arguments")
        }
        "get.dynamic.area.offset" => dynamic_area_offset(site),
        "bswap" => match site.cx.types.int_bits(site.cx.types.scalar(site.result)) {
            Some(bits) if bits % 16 != 0 => {
                site.wrong(format!("`i{bits}` does not have an even number of bytes"))
            }
            _ => Ok(()),
        },
        "invariant.start" => match site.cx.constant(arg(site, 0)) {
            Some(Const::Int(size)) if size >= -1 => Ok(()),
            Some(Const::ZeroInitializer | Const::Bool(_) | Const::Wide(_) | Const::Error) => Ok(()),
            _ => at(site, 0, "the size must be a constant of at least -1"),
        },
        "coro.id" => coro_id(site),
        "experimental.noalias.scope.decl" => scope_decl(site),
        "preserve.array.access.index" | "preserve.struct.access.index" => element_type(site, 0),
        "callbr.landingpad" if opcode(site, 0).is_some_and(|o| o != Opcode::CallBr && o != Opcode::Error) => {
            at(site, 0, "the argument must be the result of a `callbr`")
        }
        "callbr.landingpad" if opcode(site, 0).is_none() && !is_unknown(site, 0) => {
            at(site, 0, "the argument must be the result of a `callbr`")
        }
        "reloc.none" => match text(site, 0) {
            Text::Other => at(site, 0, "the symbol must be a string"),
            _ => Ok(()),
        },
        _ if short.starts_with("amdgcn.") => amdgpu::check(site, short),
        _ if ["aarch64.", "arm.", "nvvm."].iter().any(|target| short.starts_with(target)) => {
            other_targets(site, short)
        }
        "thread.pointer" => {
            let space = layout(site).globals_space;
            match site.cx.types.address_space(site.result) {
                Some(own) if own != space => {
                    site.wrong(format!("the result must be in address space {space}"))
                }
                _ => Ok(()),
            }
        }
        "sponentry" if site.cx.scope.follows(24) => {
            let space = layout(site).alloca_space;
            match site.cx.types.address_space(site.result) {
                // Without a layout the stack is where the target has it: 5 on AMDGPU, 0 elsewhere.
                Some(own) if own == space || !site.cx.scope.has_layout && own == 5 => Ok(()),
                Some(_) => {
                    site.wrong(format!("the result must be in address space {space}, that of the stack"))
                }
                None => Ok(()),
            }
        }
        "read_volatile_register" | "write_volatile_register"
            if site.cx.scope.follows(24) && names_register(site) == Some(false) =>
        {
            at(site, 0, "the register must be a node with one string")
        }
        "structured.gep" | "structured.alloca" if !has_element_type(site) => {
            site.wrong(format!("`llvm.{short}` requires `elementtype`"))
        }
        "convert.from.arbitrary.fp" | "convert.to.arbitrary.fp" => arbitrary_float(site, short),
        "threadlocal.address" => thread_local(site),
        _ if short.starts_with("experimental.convergence.") => convergence(site, short),
        _ => vectors::check(site, short),
    }
}

/// Intrinsics of targets other than AMDGPU.
fn other_targets(site: &Site<'_, '_>, short: &str) -> Verdict {
    match short {
        "aarch64.range.prefetch" => {
            below(site, 1, 2, "the read/write argument must be 0 or 1")?;
            below(site, 2, 2, "the stream argument must be 0 or 1")
        }
        "aarch64.prefetch" => {
            below(site, 1, 2, "the read/write argument must be 0 or 1")?;
            below(site, 2, 4, "the target must be between 0 and 3")?;
            below(site, 3, 2, "the stream argument must be 0 or 1")?;
            below(site, 4, 2, "the data/instruction argument must be 0 or 1")
        }
        "aarch64.ldaxr" | "aarch64.ldxr" | "arm.ldaex" | "arm.ldrex" => element_type(site, 0),
        "aarch64.stlxr" | "aarch64.stxr" | "arm.stlex" | "arm.strex" => element_type(site, 1),
        "nvvm.setmaxnreg.inc.sync.aligned.u32" | "nvvm.setmaxnreg.dec.sync.aligned.u32" => {
            match uint(site, 0) {
                Some(count) if count % 8 != 0 => {
                    at(site, 0, format!("the number of registers must be a multiple of 8, is {count}"))
                }
                _ => Ok(()),
            }
        }
        _ if site.cx.scope.follows(24) && is_indexed_field(short) => {
            below(site, 1, 5, "the index of the field must be between 0 and 4")
        }
        _ => Ok(()),
    }
}

/// Whether an intrinsic replaces one of the five elements of a field of a tensor map.
fn is_indexed_field(short: &str) -> bool {
    short
        .strip_prefix("nvvm.tensormap.replace.")
        .is_some_and(|field| matches!(field, "box.dim" | "global.dim" | "element.stride" | "global.stride"))
}

fn convergence(site: &Site<'_, '_>, short: &str) -> Verdict {
    match short {
        "experimental.convergence.entry" => convergence_entry(site),
        "experimental.convergence.loop" if !has_bundle(site, "convergencectrl") => {
            site.wrong("`llvm.experimental.convergence.loop` requires a `convergencectrl` bundle with the token of an outer region")
        }
        "experimental.convergence.anchor" if has_bundle(site, "convergencectrl") => {
            site.wrong("`llvm.experimental.convergence.anchor` must not have a `convergencectrl` bundle")
        }
        _ => Ok(()),
    }
}

fn local_recover(site: &Site<'_, '_>) -> Verdict {
    match site.cx.global(arg(site, 0)).and_then(|g| site.cx.scope.function(g)) {
        Some((_, f)) if f.is_definition => match uint(site, 2) {
            Some(index) if index >= u64::from(f.escaped) => {
                let message = format!(
                    "the index must be less than {}, the number of values passed to `llvm.localescape`",
                    f.escaped
                );
                at(site, 2, message)
            }
            _ => Ok(()),
        },
        None if is_unknown(site, 0) => Ok(()),
        _ => at(site, 0, "the first argument must be a function that is defined in this module"),
    }
}

fn dynamic_area_offset(site: &Site<'_, '_>) -> Verdict {
    let layout = layout(site);
    let bits = layout.pointer_bits(layout.alloca_space);
    if site.cx.types.int_bits(site.result) == Some(bits) {
        return Ok(());
    }
    site.wrong(format!("the result must be as wide as a pointer to the stack, `i{bits}`"))
}

/// Tiles of AMX are in registers: no argument is a constant.
fn tiles(site: &Site<'_, '_>) -> Verdict {
    for (n, arg) in site.args().iter().enumerate() {
        let is_constant = !matches!(site.cx.constant(*arg), None | Some(Const::Error));
        if site.cx.ty(arg.ty) == TypeId::X86_AMX && is_constant {
            return at(site, n, "an argument of type `x86_amx` must not be a constant");
        }
    }
    Ok(())
}

fn below(site: &Site<'_, '_>, n: usize, limit: u64, why: &str) -> Verdict {
    match uint(site, n) {
        Some(value) if value >= limit => at(site, n, format!("{why}, is {value}")),
        _ => Ok(()),
    }
}

/// Whether an argument is the result of a call of a function.
fn from(site: &Site<'_, '_>, n: usize, name: &str) -> bool {
    is_unknown(site, n) || callee(site, arg(site, n)) == Some(name)
}

fn layout<'a>(site: &Site<'_, 'a>) -> &'a Layout {
    &site.cx.scope.layout
}

fn lifetime(site: &Site<'_, '_>, short: &str) -> Verdict {
    if site.args().len() != 1 {
        return Ok(());
    }
    let poison = matches!(site.cx.constant(arg(site, 0)), Some(Const::Poison));
    if poison || matches!(opcode(site, 0), Some(Opcode::Alloca | Opcode::Error)) {
        return Ok(());
    }
    at(site, 0, format!("the argument of `{short}` must be an `alloca` or `poison`"))
}

fn element_atomic(site: &Site<'_, '_>, pointers: &[usize]) -> Verdict {
    let Some(size) = uint(site, 3) else { return Ok(()) };
    if !size.is_power_of_two() {
        return at(site, 3, format!("the element size must be a power of two, is {size}"));
    }
    for n in pointers {
        let align = site.arg_attrs(*n).int(AttrKind::Alignment);
        if align.is_none_or(|align| align < size) {
            return at(site, *n, format!("the pointer requires `align {size}` or more, the element size"));
        }
    }
    Ok(())
}

/// What a pointer is without casts and offsets of zero, as LLVM's `stripPointerCasts` has it.
fn without_casts(site: &Site<'_, '_>, mut operand: Operand) -> Operand {
    let cx = site.cx;
    for _ in 0..16 {
        let Some(inst) = cx.body.defining_inst(operand).and_then(|id| cx.inst(id)) else { break };
        let inner = cx.body.operands(inst.operands);
        let is_zero = |o: &Operand| matches!(cx.constant(*o), Some(Const::Int(0)));
        match (inst.opcode, inner) {
            (Opcode::BitCast | Opcode::AddrSpaceCast, [pointer]) => operand = *pointer,
            (Opcode::GetElementPtr, [pointer, indices @ ..]) if indices.iter().all(is_zero) => {
                operand = *pointer;
            }
            _ => break,
        }
    }
    operand
}

fn gcroot(site: &Site<'_, '_>) -> Verdict {
    let cx = site.cx;
    if is_unknown(site, 0) {
        return Ok(());
    }
    let root = without_casts(site, arg(site, 0));
    let inst = cx.body.defining_inst(root).and_then(|id| cx.inst(id));
    match inst.map(|i| i.opcode) {
        Some(Opcode::Error) => return Ok(()),
        Some(Opcode::Alloca) => {}
        _ => return at(site, 0, "the root must be an `alloca`"),
    }
    if !matches!(arg(site, 1).value, Value::Const(_) | Value::Global(_) | Value::Error) {
        return at(site, 1, "the metadata of `llvm.gcroot`, its second argument, must be a constant");
    }
    let is_pointer = inst.is_none_or(|i| cx.ty(i.ty).is_error() || cx.types.is_ptr(cx.ty(i.ty)));
    if !is_pointer && matches!(cx.constant(arg(site, 1)), Some(Const::Null)) {
        return at(site, 1, "the metadata must not be `null`: the root is not a pointer");
    }
    Ok(())
}

fn local_escape(site: &Site<'_, '_>) -> Verdict {
    let cx = site.cx;
    if cx.block_of_inst(site.id) != 0 {
        return site.wrong("`llvm.localescape` must be in the entry block");
    }
    let earlier = cx
        .insts()
        .take_while(|(id, _)| *id < site.id)
        .any(|(_, inst)| cx.body.call(inst).and_then(|c| cx.callee_name(c)) == Some("llvm.localescape"));
    if earlier {
        return site.wrong("more than one call of `llvm.localescape` in this function");
    }
    for n in 0..site.args().len() {
        let null = matches!(cx.constant(arg(site, n)), Some(Const::Null));
        if !null && !matches!(opcode(site, n), Some(Opcode::Alloca | Opcode::Error)) {
            return at(site, n, "the arguments of `llvm.localescape` must be allocas of the entry block");
        }
    }
    Ok(())
}

fn deopt(site: &Site<'_, '_>) -> Verdict {
    if has_bundle(site, "deopt") { Ok(()) } else { site.wrong("the call requires a `deopt` bundle") }
}

fn deoptimize(site: &Site<'_, '_>) -> Verdict {
    let cx = site.cx;
    deopt(site)?;
    let result = cx.header_ty(cx.function.result);
    if result != site.result && !result.is_error() {
        return site
            .wrong(format!("the result must have the function's result type, `{}`", cx.display_ty(result)));
    }
    let next = super::super::body::InstId(site.id.0 + 1);
    match cx.inst(next).filter(|_| cx.block_of_inst(next) == cx.block_of_inst(site.id)) {
        Some(ret) if ret.opcode == Opcode::Ret => {
            let returned = ret.operands.is_empty()
                || site.inst.result.map(Value::Local) == Some(cx.body.operand(ret, 0).value);
            if returned { Ok(()) } else { site.wrong("the next instruction must return the result") }
        }
        Some(other) if other.opcode == Opcode::Error => Ok(()),
        _ => site.wrong("the next instruction must be `ret`"),
    }
}

fn coro_id(site: &Site<'_, '_>) -> Verdict {
    let cx = site.cx;
    let info = arg(site, 3);
    if is_unknown(site, 3) || matches!(cx.constant(info), Some(Const::Null)) {
        return Ok(());
    }
    let Some((summary, variable)) = cx.global(info).and_then(|g| cx.scope.variable(g)) else {
        return at(site, 3, "the info argument must be `null` or a constant global");
    };
    let Some(init) = variable.init.filter(|_| variable.is_constant) else {
        return at(site, 3, "the info argument must be a constant global with an initializer");
    };
    match summary.tables.const_of(summary.operand(init)) {
        Some(Const::Aggregate { .. } | Const::Error) => Ok(()),
        _ => at(site, 3, "the info argument must be a struct or an array"),
    }
}

fn scope_decl(site: &Site<'_, '_>) -> Verdict {
    let cx = site.cx;
    let Value::Metadata(index) = arg(site, 0).value else { return Ok(()) };
    let Some(list) = cx.body.tables.cold.md_values.get(index as usize).and_then(|v| cx.node(*v)) else {
        return Ok(());
    };
    if list.is_tuple() && list.len() != 1 {
        return at(site, 0, format!("expected 1 scope, found {}", list.len()));
    }
    attachments::scope_list(cx.scope, list).or_else(|fault| site.wrong_argument(0, fault.message))
}

fn element_type(site: &Site<'_, '_>, n: usize) -> Verdict {
    if site.arg_attrs(n).has(AttrKind::ElementType) {
        return Ok(());
    }
    at(site, n, "the pointer requires `elementtype(...)`")
}

fn thread_local(site: &Site<'_, '_>) -> Verdict {
    let cx = site.cx;
    let expr = match cx.constant(arg(site, 0)) {
        Some(Const::Expr(index)) => cx.body.tables.cold.exprs.get(index as usize).map(|e| e.opcode),
        _ => None,
    };
    // Others may be folded to the global.
    let is_cast = matches!(expr, Some(Opcode::AddrSpaceCast | Opcode::IntToPtr));
    if is_unknown(site, 0) && !is_cast {
        return Ok(());
    }
    match site.cx.global(arg(site, 0)) {
        Some(global) if global.head.is_thread_local => Ok(()),
        Some(_) => at(site, 0, "the global must be `thread_local`"),
        None => at(site, 0, "the argument must be a global"),
    }
}

fn convergence_entry(site: &Site<'_, '_>) -> Verdict {
    let cx = site.cx;
    let own = AttributeSet::new(cx.scope, &cx.summary.tables, cx.function.attrs, |_| TypeId::ERROR);
    if !own.has(AttrKind::Convergent) {
        return site.wrong("`llvm.experimental.convergence.entry` requires a `convergent` function");
    }
    if cx.block_of_inst(site.id) != 0 {
        return site.wrong("`llvm.experimental.convergence.entry` must be in the entry block");
    }
    if has_bundle(site, "convergencectrl") {
        return site.wrong("`llvm.experimental.convergence.entry` must not have a `convergencectrl` bundle");
    }
    Ok(())
}

#[cfg(test)]
mod tests;
