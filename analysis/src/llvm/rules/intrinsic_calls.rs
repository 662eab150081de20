//! Rules of single intrinsics about their operands.
//!
//! Signature and immediates are right when these run.

use super::super::attribute::AttrKind;
use super::super::attribute_set::AttributeSet;
use super::super::body::Opcode;
use super::super::layout::Layout;
use super::super::metadata::MdValue;
use super::super::operand::{Const, Operand, Value};
use super::super::scope::GlobalKind;
use super::super::tables::Attribute;
use super::super::tables::attributes::Kind;
use super::super::types::{Type, TypeId};
use super::attachments;
use super::bundles::callee;
use super::calls::{Site, Verdict};
use super::conventions::{AMDGPU_CS, AMDGPU_CS_CHAIN, AMDGPU_CS_CHAIN_PRESERVE, AMDGPU_GFX_WHOLE_WAVE};
use super::{statepoint, vectors};

pub(super) fn check(site: &Site<'_, '_>, name: &str) -> Verdict {
    let short = name.strip_prefix("llvm.").unwrap_or(name);
    match short {
        "assume" => assume(site),
        "lifetime.start" | "lifetime.end" => lifetime(site, short),
        "is.fpclass" | "vp.is.fpclass" => match uint(site, 1) {
            Some(mask) if mask & !0x3ff != 0 => {
                at(site, 1, format!("`{short}` tests 10 classes, the mask is {mask:#x}"))
            }
            _ => Ok(()),
        },
        "fptrunc.round" => match text(site, 1) {
            Text::Unknown => Ok(()),
            Text::String(mode) if is_rounding(mode) && mode != "round.dynamic" => Ok(()),
            _ => at(site, 1, "the rounding mode is a string such as `round.tonearest`"),
        },
        "memcpy.element.unordered.atomic" | "memmove.element.unordered.atomic" => {
            element_atomic(site, &[0, 1])
        }
        "memset.element.unordered.atomic" => element_atomic(site, &[0]),
        "call.preallocated.setup" => preallocated_setup(site),
        "call.preallocated.arg" => {
            if !from(site, 0, "llvm.call.preallocated.setup") {
                return at(site, 0, "the token comes from `llvm.call.preallocated.setup`");
            }
            if !site.fn_attrs().has(AttrKind::Preallocated) {
                return site.wrong("`llvm.call.preallocated.arg` is called with `preallocated(T)`");
            }
            Ok(())
        }
        "call.preallocated.teardown" if !from(site, 0, "llvm.call.preallocated.setup") => {
            at(site, 0, "the token comes from `llvm.call.preallocated.setup`")
        }
        "gcroot" => gcroot(site).and_then(|()| uses_gc(site)),
        "gcread" | "gcwrite" => uses_gc(site),
        "init.trampoline" => match site.cx.global(arg(site, 1)) {
            Some(g) if matches!(g.kind, GlobalKind::Function(_)) => Ok(()),
            None if is_unknown(site, 1) => Ok(()),
            _ => at(site, 1, "the trampoline goes to a function"),
        },
        "prefetch" => {
            below(site, 1, 2, "read or write is 0 or 1")?;
            below(site, 2, 4, "the locality is 0 to 3")?;
            below(site, 3, 2, "the cache is 0 or 1")
        }
        "aarch64.range.prefetch" => {
            below(site, 1, 2, "read or write is 0 or 1")?;
            below(site, 2, 2, "streaming is 0 or 1")
        }
        "aarch64.prefetch" => {
            below(site, 1, 2, "read or write is 0 or 1")?;
            below(site, 2, 4, "the target is 0 to 3")?;
            below(site, 3, 2, "streaming is 0 or 1")?;
            below(site, 4, 2, "data or instructions is 0 or 1")
        }
        "stackprotector" if opcode(site, 1) != Some(Opcode::Alloca) => {
            at(site, 1, "the protected slot is an alloca")
        }
        "localescape" => local_escape(site),
        "localrecover" => match site.cx.global(arg(site, 0)).and_then(|g| site.cx.scope.function(g)) {
            Some((_, f)) if f.is_definition => Ok(()),
            None if is_unknown(site, 0) => Ok(()),
            _ => at(site, 0, "the first argument is a function that is defined in this module"),
        },
        "experimental.gc.statepoint" => uses_gc(site).and_then(|()| statepoint::check(site)),
        "experimental.gc.result" | "experimental.gc.relocate" => statepoint::follow(site, short),
        "eh.exceptioncode" | "eh.exceptionpointer" if opcode(site, 0) != Some(Opcode::CatchPad) => {
            at(site, 0, "the argument is a catchpad")
        }
        "experimental.get.vector.length" if uint(site, 1) == Some(0) => {
            at(site, 1, "the vector factor is positive")
        }
        "experimental.guard" => deopt(site),
        "experimental.deoptimize" => deoptimize(site),
        "va_start" if !site.cx.function.vararg => {
            site.wrong("`llvm.va_start` in a function without variable arguments")
        }
        "get.dynamic.area.offset" => {
            let layout = layout(site);
            let bits = layout.pointer_bits(layout.alloca_space);
            if site.cx.types.int_bits(site.result) == Some(bits) {
                return Ok(());
            }
            site.wrong(format!("the result is as wide as a pointer to the stack: i{bits}"))
        }
        "bswap" => match site.cx.types.int_bits(site.cx.types.scalar(site.result)) {
            Some(bits) if bits % 16 != 0 => {
                site.wrong(format!("i{bits} has no even number of bytes to swap"))
            }
            _ => Ok(()),
        },
        "invariant.start" => match site.cx.constant(arg(site, 0)) {
            Some(Const::Int(size)) if size >= -1 => Ok(()),
            Some(Const::ZeroInitializer | Const::Bool(_) | Const::Wide(_) | Const::Error) => Ok(()),
            _ => at(site, 0, "the size is a constant of at least -1"),
        },
        "coro.id" => coro_id(site),
        "experimental.noalias.scope.decl" => scope_decl(site),
        "preserve.array.access.index"
        | "preserve.struct.access.index"
        | "aarch64.ldaxr"
        | "aarch64.ldxr"
        | "arm.ldaex"
        | "arm.ldrex" => element_type(site, 0),
        "aarch64.stlxr" | "aarch64.stxr" | "arm.stlex" | "arm.strex" => element_type(site, 1),
        "callbr.landingpad" if opcode(site, 0).is_some_and(|o| o != Opcode::CallBr && o != Opcode::Error) => {
            at(site, 0, "the argument is the result of a `callbr`")
        }
        "callbr.landingpad" if opcode(site, 0).is_none() && !is_unknown(site, 0) => {
            at(site, 0, "the argument is the result of a `callbr`")
        }
        "reloc.none" => match text(site, 0) {
            Text::Other => at(site, 0, "the symbol is a string"),
            _ => Ok(()),
        },
        "amdgcn.cs.chain" => cs_chain(site),
        "amdgcn.call.whole.wave" => whole_wave(site),
        _ if short.starts_with("amdgcn.cooperative.atomic.") => cooperative(site),
        "amdgcn.init.exec.from.input" => {
            if is_unknown(site, 0) || parameter_has(site, 0, AttrKind::InReg) == Some(true) {
                return Ok(());
            }
            at(site, 0, "the input is an `inreg` parameter of the function")
        }
        "amdgcn.set.inactive.chain.arg" => inactive_chain(site),
        "amdgcn.s.prefetch.data" => match site.cx.types.address_space(site.params[0]) {
            Some(0 | 1 | 4 | 6) | None => Ok(()),
            Some(space) => {
                at(site, 0, format!("address space {space} is neither global nor constant memory"))
            }
        },
        "nvvm.setmaxnreg.inc.sync.aligned.u32" | "nvvm.setmaxnreg.dec.sync.aligned.u32" => {
            match uint(site, 0) {
                Some(count) if count % 8 != 0 => at(site, 0, format!("{count} is not a multiple of 8")),
                _ => Ok(()),
            }
        }
        "thread.pointer" => {
            let space = layout(site).globals_space;
            match site.cx.types.address_space(site.result) {
                Some(own) if own != space => site.wrong(format!("the result is in address space {space}")),
                _ => Ok(()),
            }
        }
        "threadlocal.address" => thread_local(site),
        "experimental.convergence.entry" => convergence_entry(site),
        "experimental.convergence.loop" if !has_bundle(site, "convergencectrl") => {
            site.wrong("the loop needs a `convergencectrl` bundle")
        }
        "experimental.convergence.anchor" if has_bundle(site, "convergencectrl") => {
            site.wrong("an anchor has no `convergencectrl` bundle")
        }
        _ => vectors::check(site, short),
    }
}

pub(super) fn at(site: &Site<'_, '_>, n: usize, message: impl Into<String>) -> Verdict {
    Err((site.arg_range(n), message.into()))
}

/// The n-th argument; an error past the end.
pub(super) fn arg(site: &Site<'_, '_>, n: usize) -> Operand {
    site.args().get(n).copied().unwrap_or(Operand { ty: TypeId::ERROR, value: Value::Error })
}

pub(super) fn is_unknown(site: &Site<'_, '_>, n: usize) -> bool {
    let arg = arg(site, n);
    arg.value == Value::Error
        || matches!(site.cx.constant(arg), Some(Const::Error | Const::Expr(_)))
        || site.cx.body.local_of(arg).is_some_and(|l| l.kind == super::super::body::LocalKind::Undefined)
        || matches!(arg.value, Value::Global(_)) && site.cx.global(arg).is_none()
}

/// The n-th argument as a constant, cut to its width.
pub(super) fn uint(site: &Site<'_, '_>, n: usize) -> Option<u64> {
    let arg = arg(site, n);
    let value = site.cx.body.tables.int_of(arg)?;
    let bits = site.cx.types.int_bits(site.cx.ty(arg.ty))?;
    Some(super::super::metadata_view::cut(value, bits))
}

/// As [`uint`], with its sign.
pub(super) fn int(site: &Site<'_, '_>, n: usize) -> Option<i64> {
    let arg = arg(site, n);
    let value = site.cx.body.tables.int_of(arg)?;
    match site.cx.types.int_bits(site.cx.ty(arg.ty))? {
        bits @ 1..=63 => Some((value << (64 - bits)) >> (64 - bits)),
        _ => Some(value),
    }
}

fn below(site: &Site<'_, '_>, n: usize, limit: u64, why: &str) -> Verdict {
    match uint(site, n) {
        Some(value) if value >= limit => at(site, n, format!("{why}, not {value}")),
        _ => Ok(()),
    }
}

/// A string that is passed as metadata.
pub(super) enum Text<'a> {
    String(&'a str),
    Other,
    Unknown,
}

pub(super) fn text<'a>(site: &Site<'a, '_>, n: usize) -> Text<'a> {
    let tables = &site.cx.body.tables;
    match arg(site, n).value {
        Value::Metadata(index) => match tables.md_values.get(index as usize) {
            Some(MdValue::String(name)) => Text::String(tables.name(*name)),
            Some(MdValue::Error) | None => Text::Unknown,
            Some(_) => Text::Other,
        },
        Value::Error => Text::Unknown,
        _ => Text::Other,
    }
}

pub(super) fn is_rounding(mode: &str) -> bool {
    matches!(
        mode,
        "round.dynamic"
            | "round.tonearest"
            | "round.tonearestaway"
            | "round.downward"
            | "round.upward"
            | "round.towardzero"
    )
}

/// The opcode of the instruction that an argument is the result of.
pub(super) fn opcode(site: &Site<'_, '_>, n: usize) -> Option<Opcode> {
    if is_unknown(site, n) {
        return Some(Opcode::Error);
    }
    site.cx.inst(site.cx.body.defining_inst(arg(site, n))?).map(|i| i.opcode)
}

/// Whether an argument is the result of a call of a function.
fn from(site: &Site<'_, '_>, n: usize, name: &str) -> bool {
    is_unknown(site, n) || callee(site, arg(site, n)) == Some(name)
}

fn layout(site: &Site<'_, '_>) -> Layout {
    Layout::of(site.cx.scope.data_layout.as_deref())
}

pub(super) fn has_bundle(site: &Site<'_, '_>, tag: &str) -> bool {
    let body = site.cx.body;
    site.call.bundles.of(&body.bundles).iter().any(|b| body.tables.name(b.tag) == tag)
}

fn uses_gc(site: &Site<'_, '_>) -> Verdict {
    if site.cx.function.gc.is_some() { Ok(()) } else { site.wrong("the function around it names no `gc`") }
}

fn lifetime(site: &Site<'_, '_>, short: &str) -> Verdict {
    if site.args().len() != 1 {
        return Ok(());
    }
    let poison = matches!(site.cx.constant(arg(site, 0)), Some(Const::Poison));
    if poison || matches!(opcode(site, 0), Some(Opcode::Alloca | Opcode::Error)) {
        return Ok(());
    }
    at(site, 0, format!("`{short}` is for an alloca (or poison)"))
}

fn assume(site: &Site<'_, '_>) -> Verdict {
    let cx = site.cx;
    let body = cx.body;
    if !site.call.bundles.is_empty() && !is_unknown(site, 0) && !matches!(uint(site, 0), Some(1)) {
        return at(site, 0, "the condition of an `assume` with bundles is `true`");
    }
    for bundle in site.call.bundles.of(&body.bundles) {
        let tag = body.tables.name(bundle.tag);
        let operands = body.operands(bundle.operands);
        let wrong = |message: String| Err((bundle.range, message));
        let ty = |n: usize| operands.get(n).map_or(TypeId::ERROR, |o| cx.ty(o.ty));
        let pointer = |n: usize| ty(n).is_error() || cx.types.is_ptr(ty(n));
        let integer = |n: usize| ty(n).is_error() || cx.types.is_int(ty(n));
        let count = operands.len();
        match tag {
            "separate_storage" => {
                if count != 2 || !pointer(0) || !pointer(1) {
                    return wrong("`separate_storage` is about two pointers".into());
                }
                continue;
            }
            "align" => {
                if !matches!(count, 2 | 3) || !pointer(0) || !integer(1) || count == 3 && !integer(2) {
                    return wrong("`align` takes a pointer, an alignment and perhaps an offset".into());
                }
                continue;
            }
            "dereferenceable" => {
                if count != 2 || !pointer(0) || !integer(1) {
                    return wrong("`dereferenceable` takes a pointer and a number of bytes".into());
                }
                continue;
            }
            "ignore" => {}
            _ => {}
        }
        let attribute = Attribute::find(tag);
        if attribute.is_none() && tag != "ignore" {
            return wrong(format!("`{tag}` is no attribute that could be assumed"));
        }
        if count > 2 {
            return wrong(format!("`{tag}` takes at most 2 operands"));
        }
        let Some(attribute) = attribute else { break };
        if attribute.kind == Kind::Int {
            if count != 2 {
                return wrong(format!("`{tag}` takes a value and a number"));
            }
            let constant = operands.get(1).and_then(|o| cx.constant(*o));
            if !matches!(
                constant,
                Some(Const::Int(_) | Const::Wide(_) | Const::Bool(_) | Const::ZeroInitializer | Const::Error)
            ) {
                return wrong(format!("the number of `{tag}` is a constant"));
            }
        } else if attribute.parameter && count != 1 {
            return wrong(format!("`{tag}` takes one operand"));
        } else if !attribute.parameter && attribute.function && count != 0 {
            return wrong(format!("`{tag}` takes no operand"));
        }
    }
    Ok(())
}

fn element_atomic(site: &Site<'_, '_>, pointers: &[usize]) -> Verdict {
    let Some(size) = uint(site, 3) else { return Ok(()) };
    if !size.is_power_of_two() {
        return at(site, 3, format!("the size of an element is a power of two, not {size}"));
    }
    for n in pointers {
        let align = site.arg_attrs(*n).int(AttrKind::Alignment);
        if align.is_none_or(|align| align < size) {
            return at(
                site,
                *n,
                format!("the pointer needs `align {size}` at least, as an element has that size"),
            );
        }
    }
    Ok(())
}

fn preallocated_setup(site: &Site<'_, '_>) -> Verdict {
    let cx = site.cx;
    let Some(count) = int(site, 0) else {
        return if is_unknown(site, 0) {
            Ok(())
        } else {
            at(site, 0, "the number of arguments is a constant")
        };
    };
    let Some(token) = site.inst.result else { return Ok(()) };
    let mut calls = 0;
    for (id, inst) in cx.insts() {
        let Some(call) = cx.body.call(inst) else { continue };
        let args = cx.body.operands(call.args);
        let name = cx.callee_name(call).unwrap_or("");
        let is_token = |o: &Operand| o.value == Value::Local(token);
        if name == "llvm.call.preallocated.arg" && args.first().is_some_and(is_token) {
            let index = args.get(1).and_then(|o| cx.body.tables.int_of(*o));
            match index {
                Some(index) if !(0..count).contains(&index) => {
                    return site.wrong(format!("argument {index} is asked for, but {count} are set up"));
                }
                None => return site.wrong("the index of a preallocated argument is a constant"),
                _ => {}
            }
            continue;
        }
        let bundle = call
            .bundles
            .of(&cx.body.bundles)
            .iter()
            .find(|b| cx.body.operands(b.operands).iter().any(is_token));
        if bundle.is_none() || name.starts_with("llvm.call.preallocated.") {
            continue;
        }
        calls += 1;
        if calls > 1 {
            return site.wrong("more than one call uses these arguments");
        }
        let Type::Function { params, .. } = cx.types.get(cx.call_ty(inst)) else { continue };
        let theirs = Site {
            cx,
            id,
            inst,
            call,
            name,
            result: TypeId::ERROR,
            params: cx.types.list(params),
            vararg: false,
        };
        let given = (0..args.len()).filter(|n| theirs.param_has(*n, AttrKind::Preallocated)).count() as i64;
        if given != count {
            return site.wrong(format!(
                "{count} arguments are set up, but the call has {given} `preallocated` ones"
            ));
        }
    }
    Ok(())
}

fn gcroot(site: &Site<'_, '_>) -> Verdict {
    let cx = site.cx;
    match opcode(site, 0) {
        Some(Opcode::Error) => return Ok(()),
        Some(Opcode::Alloca) => {}
        _ => return at(site, 0, "a root is an alloca"),
    }
    if !matches!(arg(site, 1).value, Value::Const(_) | Value::Global(_) | Value::Error) {
        return at(site, 1, "what is said about a root is a constant");
    }
    let inst = cx.body.defining_inst(arg(site, 0)).and_then(|id| cx.inst(id));
    let is_pointer = inst.is_none_or(|i| cx.ty(i.ty).is_error() || cx.types.is_ptr(cx.ty(i.ty)));
    if !is_pointer && matches!(cx.constant(arg(site, 1)), Some(Const::Null)) {
        return at(site, 1, "a root that is no pointer needs something said about it");
    }
    Ok(())
}

fn local_escape(site: &Site<'_, '_>) -> Verdict {
    let cx = site.cx;
    if cx.block_of_inst(site.id) != 0 {
        return site.wrong("`llvm.localescape` stands in the entry block");
    }
    let earlier = cx
        .insts()
        .take_while(|(id, _)| *id < site.id)
        .any(|(_, inst)| cx.body.call(inst).and_then(|c| cx.callee_name(c)) == Some("llvm.localescape"));
    if earlier {
        return site.wrong("`llvm.localescape` is called once in a function");
    }
    for n in 0..site.args().len() {
        let null = matches!(cx.constant(arg(site, n)), Some(Const::Null));
        if !null && !matches!(opcode(site, n), Some(Opcode::Alloca | Opcode::Error)) {
            return at(site, n, "only allocas of the entry block escape");
        }
    }
    Ok(())
}

fn deopt(site: &Site<'_, '_>) -> Verdict {
    if has_bundle(site, "deopt") { Ok(()) } else { site.wrong("the call needs a `deopt` bundle") }
}

fn deoptimize(site: &Site<'_, '_>) -> Verdict {
    let cx = site.cx;
    deopt(site)?;
    let result = cx.header_ty(cx.function.result);
    if result != site.result && !result.is_error() {
        return site.wrong(format!("the result is what the function returns, {}", cx.display_ty(result)));
    }
    let next = super::super::body::InstId(site.id.0 + 1);
    match cx.inst(next).filter(|_| cx.block_of_inst(next) == cx.block_of_inst(site.id)) {
        Some(ret) if ret.opcode == Opcode::Ret => {
            let returned = ret.operands.is_empty()
                || site.inst.result.map(Value::Local) == Some(cx.body.operand(ret, 0).value);
            if returned { Ok(()) } else { site.wrong("what it computes is returned right after it") }
        }
        Some(other) if other.opcode == Opcode::Error => Ok(()),
        _ => site.wrong("a `ret` stands right after it"),
    }
}

fn coro_id(site: &Site<'_, '_>) -> Verdict {
    let cx = site.cx;
    let info = arg(site, 3);
    if is_unknown(site, 3) || matches!(cx.constant(info), Some(Const::Null)) {
        return Ok(());
    }
    let Some((summary, variable)) = cx.global(info).and_then(|g| cx.scope.variable(g)) else {
        return at(site, 3, "the info of a coroutine is null or a constant global");
    };
    let Some(init) = variable.init.filter(|_| variable.is_constant) else {
        return at(site, 3, "the info of a coroutine is a constant global with an initializer");
    };
    match summary.tables.const_of(summary.operand(init)) {
        Some(Const::Aggregate { .. } | Const::Error) => Ok(()),
        _ => at(site, 3, "the info of a coroutine is a struct or an array"),
    }
}

fn scope_decl(site: &Site<'_, '_>) -> Verdict {
    let cx = site.cx;
    let Value::Metadata(index) = arg(site, 0).value else { return Ok(()) };
    let Some(list) = cx.body.tables.md_values.get(index as usize).and_then(|v| cx.node(*v)) else {
        return Ok(());
    };
    if list.is_tuple() && list.len() != 1 {
        return at(site, 0, format!("one scope is declared at a time, not {}", list.len()));
    }
    attachments::scope_list(cx.scope, list).map_err(|(_, message)| (site.arg_range(0), message))
}

fn element_type(site: &Site<'_, '_>, n: usize) -> Verdict {
    if site.arg_attrs(n).has(AttrKind::ElementType) {
        return Ok(());
    }
    at(site, n, "the pointer needs `elementtype(...)`")
}

/// Whether an argument is a parameter of the function with an attribute; `None` if it is no parameter.
fn parameter_has(site: &Site<'_, '_>, n: usize, kind: AttrKind) -> Option<bool> {
    let cx = site.cx;
    let Value::Local(local) = arg(site, n).value else { return None };
    if local.0 >= cx.body.arguments {
        return None;
    }
    let param = cx.summary.params(cx.function).get(local.0 as usize)?;
    let set = AttributeSet::new(cx.scope, &cx.summary.tables, param.attrs, |_| TypeId::ERROR);
    Some(set.has(kind))
}

fn cs_chain(site: &Site<'_, '_>) -> Verdict {
    let cx = site.cx;
    if !matches!(cx.function.cc, AMDGPU_CS | AMDGPU_CS_CHAIN | AMDGPU_CS_CHAIN_PRESERVE) {
        return site
            .wrong("only `amdgpu_cs`, `amdgpu_cs_chain` and `amdgpu_cs_chain_preserve` functions chain");
    }
    if !site.param_has(2, AttrKind::InReg) {
        return at(site, 2, "arguments for SGPRs are `inreg`");
    }
    if site.param_has(3, AttrKind::InReg) {
        return at(site, 3, "arguments for VGPRs are not `inreg`");
    }
    let next = super::super::body::InstId(site.id.0 + 1);
    let ends = cx.inst(next).is_some_and(|inst| {
        matches!(inst.opcode, Opcode::Unreachable | Opcode::Error)
            || cx.body.call(inst).and_then(|c| cx.callee_name(c)) == Some("llvm.amdgcn.unreachable")
    });
    if ends { Ok(()) } else { site.wrong("`unreachable` stands right after it") }
}

/// The pointer comes first, the scope last.
fn cooperative(site: &Site<'_, '_>) -> Verdict {
    let space = site.params.first().and_then(|ty| site.cx.types.address_space(*ty));
    if let Some(space) = space.filter(|s| !matches!(s, 0 | 1)) {
        return at(site, 0, format!("address space {space} is neither generic nor global"));
    }
    let last = site.args().len().saturating_sub(1);
    match text(site, last) {
        Text::Other => at(site, last, "the scope is a string"),
        _ => Ok(()),
    }
}

/// The callee, a whole wave function, gets all arguments but its first.
fn whole_wave(site: &Site<'_, '_>) -> Verdict {
    let cx = site.cx;
    if is_unknown(site, 0) {
        return Ok(());
    }
    let Some(global) = cx.global(arg(site, 0)) else {
        return at(site, 0, "the callee is named: whole wave functions are not called by pointers");
    };
    let Some((summary, function)) = cx.scope.function(global) else {
        return at(site, 0, "the callee is a function");
    };
    if function.cc != AMDGPU_GFX_WHOLE_WAVE {
        return at(site, 0, "the callee is an `amdgpu_gfx_whole_wave` function");
    }
    if function.vararg {
        return at(site, 0, "the callee takes no variable arguments");
    }
    let params = summary.params(function);
    if params.len() != site.args().len() {
        let (wanted, given) = (params.len().saturating_sub(1), site.args().len().saturating_sub(1));
        return site.wrong(format!("the callee takes {wanted} arguments after its first, not {given}"));
    }
    for (n, param) in params.iter().enumerate().skip(1) {
        let wanted = cx.scope.canonical(global.summary, param.ty);
        let given = cx.ty(arg(site, n).ty);
        if !wanted.is_error() && !given.is_error() && wanted != given {
            let (wanted, given) = (cx.display_ty(wanted), cx.display_ty(given));
            return at(site, n, format!("the callee takes {wanted} here, not {given}"));
        }
        let theirs = AttributeSet::new(cx.scope, &summary.tables, param.attrs, |_| TypeId::ERROR);
        if theirs.has(AttrKind::InReg) != site.arg_attrs(n).has(AttrKind::InReg) {
            return at(
                site,
                n,
                "`inreg` stands at the argument and at the callee's parameter, or at neither",
            );
        }
    }
    Ok(())
}

fn inactive_chain(site: &Site<'_, '_>) -> Verdict {
    if !matches!(site.cx.function.cc, AMDGPU_CS_CHAIN | AMDGPU_CS_CHAIN_PRESERVE) {
        return site.wrong(
            "only `amdgpu_cs_chain` and `amdgpu_cs_chain_preserve` functions have inactive lanes of a chain",
        );
    }
    if site.param_has(1, AttrKind::InReg) {
        return at(site, 1, "the value for inactive lanes is not `inreg`");
    }
    match parameter_has(site, 1, AttrKind::InReg) {
        Some(false) => Ok(()),
        _ if is_unknown(site, 1) => Ok(()),
        _ => at(site, 1, "the value for inactive lanes is a parameter in a VGPR"),
    }
}

fn thread_local(site: &Site<'_, '_>) -> Verdict {
    use super::super::summary::ThreadLocal;
    if is_unknown(site, 0) {
        return Ok(());
    }
    match site.cx.global(arg(site, 0)) {
        Some(global) if global.head.thread_local != ThreadLocal::No => Ok(()),
        Some(_) => at(site, 0, "the global is not `thread_local`"),
        None => at(site, 0, "the argument names a global"),
    }
}

fn convergence_entry(site: &Site<'_, '_>) -> Verdict {
    let cx = site.cx;
    let own = AttributeSet::new(cx.scope, &cx.summary.tables, cx.function.attrs, |_| TypeId::ERROR);
    if !own.has(AttrKind::Convergent) {
        return site.wrong("the entry of a function that is not `convergent`");
    }
    if cx.block_of_inst(site.id) != 0 {
        return site.wrong("the entry stands in the entry block");
    }
    if has_bundle(site, "convergencectrl") {
        return site.wrong("an entry has no `convergencectrl` bundle");
    }
    Ok(())
}

#[cfg(test)]
mod tests;
