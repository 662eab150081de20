//! Registers that the YAML part of a function declares and lists.

use rustc_hash::FxHashSet;
use wavelens_isa::mir::Register;
use wavelens_syntax::mir::{MirKind, lex_fragment};

use super::names;
use super::registers::UNKNOWN_KIND;
use crate::context::{RuleContext, Virtual, VirtualKind};
use crate::model::*;
use wavelens_base::{Diagnostic, Place, Severity, TextRange};

wavelens_syntax::rules! {
    DUPLICATE_REGISTER {
        code: "duplicate-virtual-register",
        severity: wavelens_base::Severity::Error,
        title: "a register number is declared once in `registers:`",
        explain: "The second declaration could give another class.",
        example: r#"---
name: f
registers:
  - { id: 0, class: vgpr_32 }
  - { id: 0, class: vgpr_32 }
body: |
  bb.0:
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
registers:
  - { id: 0, class: vgpr_32 }
  - { id: 1, class: vgpr_32 }
body: |
  bb.0:
    S_ENDPGM 0
...
"#,
        source: "LLVM MIRParserImpl::parseRegisterInfo: \"redefinition of virtual register\"",
    }

    BAD_PREFERENCE {
        code: "preferred-register",
        severity: wavelens_base::Severity::Error,
        title: "only a register with a register class has a preferred register",
        explain: "The preference is a hint for the register allocator.",
        example: r#"---
name: f
registers:
  - { id: 0, class: _, preferred-register: '$vgpr0' }
body: |
  bb.0:
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
registers:
  - { id: 0, class: vgpr_32, preferred-register: '$vgpr0' }
body: |
  bb.0:
    S_ENDPGM 0
...
"#,
        source: "LLVM MIRParserImpl::parseRegisterInfo: \"preferred register can only be set for normal vregs\"",
    }

    UNKNOWN_FLAG {
        code: "unknown-register-flag",
        severity: wavelens_base::Severity::Error,
        title: "a register flag is one of the target",
        explain: "Flags are stored in the function info of the target.",
        example: r#"---
name: f
registers:
  - { id: 0, class: vgpr_32, flags: [ FOO ] }
body: |
  bb.0:
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
registers:
  - { id: 0, class: vgpr_32 }
body: |
  bb.0:
    S_ENDPGM 0
...
"#,
        source: "LLVM MIRParserImpl::parseRegisterInfo: \"use of undefined register flag\"",
    }

    BAD_REFERENCE {
        code: "bad-register-reference",
        severity: wavelens_base::Severity::Error,
        title: "a key of the YAML that names a register has one register as its value",
        explain: "Physical registers are written `$name`, virtual ones `%0`.",
        example: r#"---
name: f
liveins:
  - { reg: 'foo' }
body: |
  bb.0:
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
liveins:
  - { reg: '$sgpr0' }
body: |
  bb.0:
    S_ENDPGM 0
...
"#,
        source: "LLVM MIParser: parseStandaloneRegister, parseStandaloneNamedRegister: \"expected a named register\"",
    }
}

fn is_quoted(text: &str, range: TextRange) -> bool {
    let before = usize::from(range.start()).checked_sub(1).and_then(|at| text.as_bytes().get(at));
    matches!(before, Some(b'\'' | b'"'))
}

/// A value that must be one physical register (`'$sgpr0'`).
pub(crate) fn physical_text(cx: &mut RuleContext<'_>, text: &Text) -> Option<Register> {
    let tokens = lex_fragment(&text.text);
    match tokens.as_slice() {
        [(MirKind::PHYSREG, name)] => {
            let register = cx.t.register(name.get(1..).unwrap_or(""));
            if register.is_none() {
                cx.report(&names::UNKNOWN_REGISTER, text.range, format!("unknown register `{name}`"));
            }
            register
        }
        // The missing key or value is reported; `''` is a value.
        _ if text.range.is_empty() && !is_quoted(cx.text, text.range) => None,
        _ => {
            cx.report(&BAD_REFERENCE, text.range, "expected a physical register (`$name`)");
            None
        }
    }
}

/// A value that must be one virtual register (`'%0'`).
fn any_virtual(cx: &mut RuleContext<'_>, text: &Text) -> bool {
    match lex_fragment(&text.text).as_slice() {
        [(MirKind::VREG, name)] => virtual_text(cx, name, text.range),
        _ => {
            cx.report(&BAD_REFERENCE, text.range, "expected a virtual register (`%0`)");
            false
        }
    }
}

/// The register that another one was split from.
fn origin(cx: &mut RuleContext<'_>, decl: &RegisterDecl) -> bool {
    let text = &decl.split_from;
    if text.text.strip_prefix('%').and_then(|n| n.parse().ok()) == Some(decl.id) {
        let message = format!("`split-from` of `%{}` names the register itself", decl.id);
        cx.report(&BAD_REFERENCE, text.range, message);
        return false;
    }
    any_virtual(cx, text)
}

/// Numbers that `registers:` declares more than once.
pub(crate) fn duplicates(f: &Function) -> Vec<Diagnostic> {
    let mut seen: Vec<Option<TextRange>> = vec![None; f.registers.len()];
    let mut found = Vec::new();
    for decl in &f.register_decls {
        let Some(slot) = seen.get_mut(decl.register as usize) else { continue };
        match *slot {
            None => *slot = Some(decl.id_range),
            Some(first) => {
                let message = format!("redefinition of register `%{}`", decl.id);
                let d = Diagnostic::new(&DUPLICATE_REGISTER, decl.id_range, message);
                found.push(d.related(Place::Here(first), wavelens_syntax::wording::PREVIOUS));
            }
        }
    }
    found
}

/// `registers:` and `liveins:` and other lists of registers in the YAML.
pub(super) fn check_declarations(cx: &mut RuleContext<'_>) -> bool {
    let f = cx.f;
    let mut ok = true;
    let duplicates = duplicates(f);
    let repeated: FxHashSet<TextRange> = duplicates.iter().map(|d| d.range).collect();
    for decl in &f.register_decls {
        if repeated.contains(&decl.id_range) {
            continue;
        }
        let slot = decl.register as usize;
        let kind = cx.class_or_bank(decl.class);
        if kind == VirtualKind::Error && decl.class_range.is_empty() {
            // The missing key is reported.
            ok = false;
        } else if kind == VirtualKind::Error {
            ok = false;
            let class = f.names.get(decl.class);
            cx.report(
                &names::UNKNOWN_CLASS,
                decl.class_range,
                match class {
                    "" => format!("missing register class or register bank of `%{}`", decl.id),
                    _ => format!("unknown register class or register bank `{class}`"),
                },
            );
        }
        if let Some(info) = cx.virtuals.get_mut(slot) {
            *info = Virtual { kind, explicit: true, ..Virtual::default() };
        }
        if !decl.preferred.text.is_empty() {
            if !matches!(kind, VirtualKind::Class(_) | VirtualKind::Error) {
                ok = false;
                cx.report(
                    &BAD_PREFERENCE,
                    decl.class_range,
                    "only a register with a register class can have a preferred register",
                );
            } else {
                ok &= any_register(cx, &decl.preferred);
            }
        }
        if !decl.assigned.text.is_empty() {
            ok &= physical_text(cx, &decl.assigned).is_some();
        }
        if !decl.split_from.text.is_empty() {
            ok &= origin(cx, decl);
        }
        for flag in &decl.flags {
            if !cx.t.facts().register_flags.iter().any(|n| *n == flag.text) {
                ok = false;
                cx.report(&UNKNOWN_FLAG, flag.range, format!("unknown register flag `{}`", flag.text));
            }
        }
    }
    ok &= duplicates.is_empty();
    cx.diagnostics.extend(duplicates);
    for live_in in &f.live_ins {
        ok &= physical_text(cx, &live_in.register).is_some();
        if !live_in.virtual_register.text.is_empty() {
            ok &= any_virtual(cx, &live_in.virtual_register);
        }
    }
    let p = &f.properties;
    for text in p.callee_saved_registers.iter().chain(&p.entry_value_registers) {
        ok &= physical_text(cx, text).is_some();
    }
    for text in p.entry_value_registers.iter().filter(|t| t.text.trim() == "$noreg") {
        ok = false;
        cx.report(&BAD_REFERENCE, text.range, "missing register of an entry value");
    }
    ok
}

/// A virtual register in a YAML value. It counts as a register even if it occurs nowhere else.
fn virtual_text(cx: &mut RuleContext<'_>, name: &str, range: TextRange) -> bool {
    let number = name.get(1..).and_then(|n| n.parse().ok()).unwrap_or(u32::MAX);
    let known = cx.f.register_index.contains_key(&VirtualName::Number(number));
    // A body that was not read would say it.
    let is_unread = cx.f.blocks.is_empty() && cx.diagnostics.iter().any(|d| d.severity == Severity::Error);
    if !known && !is_unread {
        cx.report(&UNKNOWN_KIND, range, format!("cannot determine the register class or bank of `{name}`"));
    }
    known
}

/// A value that must be one register of either kind.
fn any_register(cx: &mut RuleContext<'_>, text: &Text) -> bool {
    match lex_fragment(&text.text).as_slice() {
        [(MirKind::VREG, name)] => virtual_text(cx, name, text.range),
        [(MirKind::PHYSREG, _)] => physical_text(cx, text).is_some(),
        _ => {
            cx.report(&BAD_REFERENCE, text.range, "expected a physical or virtual register");
            false
        }
    }
}
