//! What declarations and uses say about virtual registers.

use std::cell::LazyCell;

use wavelens_isa::mir::is_newly_allocatable;

use super::names;
use crate::context::{RuleContext, VirtualKind};
use crate::model::*;
use wavelens_base::{Diagnostic, Place, TextEdit, TextRange};

wavelens_syntax::rules! {
    CLASS_CONFLICT {
        code: "register-class-conflict",
        severity: wavelens_base::Severity::Error,
        title: "all uses of a virtual register name the same register class or bank",
        explain: "A register has either a class or a bank.",
        example: r#"---
name: f
body: |
  bb.0:
    %0:vgpr_32 = IMPLICIT_DEF
    S_NOP 0, implicit %0:sgpr_32
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
body: |
  bb.0:
    %0:vgpr_32 = IMPLICIT_DEF
    S_NOP 0, implicit %0:vgpr_32
    S_ENDPGM 0
...
"#,
        source: "LLVM MIParser::parseRegisterClassOrBank: \"conflicting register classes, previously\"",
    }

    TYPE_CONFLICT {
        code: "register-type-conflict",
        severity: wavelens_base::Severity::Error,
        title: "a generic virtual register has one type",
        explain: "The type is given at the definition and may be repeated.",
        example: r#"---
name: f
body: |
  bb.0:
    %0:_(s32) = G_IMPLICIT_DEF
    %1:_(s32) = G_ADD %0(s64), %0
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
body: |
  bb.0:
    %0:_(s32) = G_IMPLICIT_DEF
    %1:_(s32) = G_ADD %0(s32), %0
    S_ENDPGM 0
...
"#,
        source: "LLVM MIParser::parseRegisterOperand: \"inconsistent type for generic virtual register\"",
    }

    MISSING_TYPE {
        code: "missing-register-type",
        severity: wavelens_base::Severity::Error,
        title: "the definition of a generic virtual register gives its type",
        explain: "Uses take the type from the definition.",
        example: r#"---
name: f
body: |
  bb.0:
    %0:_ = G_IMPLICIT_DEF
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
body: |
  bb.0:
    %0:_(s32) = G_IMPLICIT_DEF
    S_ENDPGM 0
...
"#,
        source: "LLVM MIParser::parseRegisterOperand: \"generic virtual registers must have a type\"",
    }

    UNKNOWN_KIND {
        code: "unclassified-register",
        severity: wavelens_base::Severity::Error,
        title: "a virtual register has a register class, a bank or `_`",
        explain: "It is given in `registers:` or at a use.",
        example: r#"---
name: f
body: |
  bb.0:
    %0 = IMPLICIT_DEF
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
body: |
  bb.0:
    %0:vgpr_32 = IMPLICIT_DEF
    S_ENDPGM 0
...
"#,
        source: "LLVM MIRParserImpl::setupRegisterInfo: \"Cannot determine class/bank of virtual register\"",
    }

    NOT_ALLOCATABLE {
        code: "unallocatable-class",
        severity: wavelens_base::Severity::Error,
        title: "the register class of a virtual register is allocatable",
        explain: "The register allocator never assigns registers of other classes.",
        example: r#"---
name: f
body: |
  bb.0:
    %0:scc_class = IMPLICIT_DEF
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
body: |
  bb.0:
    %0:sreg_32 = IMPLICIT_DEF
    S_ENDPGM 0
...
"#,
        source: "LLVM MIRParserImpl::parseRegisterInfo: \"Cannot use non-allocatable class\"",
    }

}

/// Class, bank and type that an operand gives its register. Nothing is reported in broken instructions.
pub(super) fn check_operand(
    cx: &mut RuleContext<'_>,
    operand: &Operand,
    r: &RegisterOperand,
    broken: bool,
) -> bool {
    let RegisterName::Virtual(index) = r.name else { return true };
    if r.class.is_some() && !check_class(cx, operand, r, index, broken) {
        return false;
    }
    let mut ok = true;
    let info = cx.virtual_of(index);
    let rule_and_message = match r.ty {
        Some(ty) => match info.ty.filter(|old| *old != ty) {
            Some(old) => Some((&TYPE_CONFLICT, type_conflict(cx.f, index, old, ty))),
            None => {
                if let Some(info) = cx.virtuals.get_mut(index as usize) {
                    info.ty = Some(ty);
                }
                None
            }
        },
        None if operand.is_def() && matches!(info.kind, VirtualKind::Generic | VirtualKind::Bank(_)) => {
            Some((
                &MISSING_TYPE,
                format!("missing type on the definition of generic register `{}`", cx.f.register_text(index)),
            ))
        }
        None => None,
    };
    if let (Some((rule, message)), false) = (rule_and_message, broken) {
        let diagnostic = Diagnostic::new(rule, operand.range, message);
        let is_conflict = std::ptr::eq(rule, &raw const TYPE_CONFLICT);
        let other = is_conflict.then(|| elsewhere(cx, index, operand.range, |r| r.ty.is_some())).flatten();
        cx.diagnostics.push(with_conflict(diagnostic, other));
        ok = false;
    }
    ok
}

fn check_class(
    cx: &mut RuleContext<'_>,
    operand: &Operand,
    r: &RegisterOperand,
    index: u32,
    broken: bool,
) -> bool {
    let kind =
        if broken { cx.class_or_bank(r.class) } else { names::resolve_class(cx, r.class, operand.range) };
    let info = cx.virtual_of(index);
    let f = cx.f;
    let name = || f.register_text(index);
    let conflict = match (info.kind, kind) {
        (_, VirtualKind::Error) => {
            if let Some(info) = cx.virtuals.get_mut(index as usize)
                && info.kind == VirtualKind::Unknown
            {
                info.kind = VirtualKind::Error;
            }
            return false;
        }
        (VirtualKind::Error, _) => return true,
        (VirtualKind::Unknown, _) => None,
        (VirtualKind::Class(old), VirtualKind::Class(new)) if info.explicit && old != new => Some(format!(
            "conflicting register classes: `{}` has register class `{}` elsewhere, found `{}`",
            name(),
            cx.class_text(old),
            cx.class_text(new)
        )),
        (VirtualKind::Class(old), VirtualKind::Generic | VirtualKind::Bank(_)) => {
            let (name, old, new) = (name(), cx.class_text(old), bank_text(cx, kind));
            Some(format!("`{name}` has register class `{old}` elsewhere, found `{new}` (a generic register)"))
        }
        (VirtualKind::Generic | VirtualKind::Bank(_), VirtualKind::Class(new)) => {
            let (name, old, new) = (name(), bank_text(cx, info.kind), cx.class_text(new));
            Some(format!("`{name}` is a generic register (`{old}`) elsewhere, found register class `{new}`"))
        }
        (old @ (VirtualKind::Generic | VirtualKind::Bank(_)), new) if info.explicit && old != new => {
            let (old, new) = (bank_text(cx, old), bank_text(cx, new));
            Some(format!("conflicting register banks: `{}` has `{old}` elsewhere, found `{new}`", name()))
        }
        _ => None,
    };
    if let Some(message) = conflict {
        if !broken {
            let other = class_place(cx, index, operand.range);
            let diagnostic = Diagnostic::new(&CLASS_CONFLICT, operand.range, message);
            cx.diagnostics.push(with_conflict(diagnostic, other));
            // What depends on its class is unknown.
            if let Some(info) = cx.virtuals.get_mut(index as usize) {
                info.kind = VirtualKind::Error;
                info.ty = None;
            }
        }
        return false;
    }
    if let Some(info) = cx.virtuals.get_mut(index as usize) {
        info.kind = kind;
        info.explicit = true;
    }
    true
}

/// `vgpr` or `_`.
fn bank_text<'a>(cx: &RuleContext<'a>, kind: VirtualKind) -> &'a str {
    match kind {
        VirtualKind::Bank(n) => cx.t.facts().banks.get(usize::from(n)).map_or("", |bank| &bank.name),
        _ => "_",
    }
}

/// Where a register gets its class, unless the operand `own` gives it.
pub(super) fn class_place(cx: &RuleContext<'_>, register: u32, own: TextRange) -> Option<TextRange> {
    let declared = cx.f.register_decls.iter().find(|d| d.register == register).map(|d| d.id_range);
    declared.or_else(|| elsewhere(cx, register, own, |r| r.class.is_some()))
}

/// The first operand that names a register in the way that a test asks for.
fn elsewhere(
    cx: &RuleContext<'_>,
    register: u32,
    own: TextRange,
    is_named: impl Fn(&RegisterOperand) -> bool,
) -> Option<TextRange> {
    let is_wanted = |r: &RegisterOperand| r.name == RegisterName::Virtual(register) && is_named(r);
    cx.first_operand(own, |operand| operand.register().is_some_and(is_wanted))
}

fn with_conflict(diagnostic: Diagnostic, other: Option<TextRange>) -> Diagnostic {
    match other {
        Some(range) => diagnostic.related(Place::Here(range), "conflicts with this"),
        None => diagnostic,
    }
}

fn type_conflict(f: &Function, register: u32, old: Type, new: Type) -> String {
    format!("conflicting types: `{}` has type `{old}` elsewhere, found `{new}`", f.register_text(register))
}

/// Which virtual registers an operand defines.
fn defined(f: &Function) -> Vec<bool> {
    let mut defined = vec![false; f.registers.len()];
    for register in f.operands.iter().filter(|o| o.is_def()).filter_map(Operand::register) {
        if let RegisterName::Virtual(index) = register.name
            && let Some(own) = defined.get_mut(index as usize)
        {
            *own = true;
        }
    }
    defined
}

fn unclassified(f: &Function, register: u32, first: TextRange, defined: &[bool]) -> Diagnostic {
    let name = f.register_text(register);
    let message = match defined.get(register as usize) == Some(&true) {
        true => format!("cannot determine the register class or bank of `{name}`"),
        false => format!("use of undefined virtual register `{name}`, which has no class or bank"),
    };
    Diagnostic::new(&UNKNOWN_KIND, first, message)
}

/// Registers with two types and registers without class or bank, for targets without tables.
pub(super) fn check_without_target(f: &Function, diagnostics: &mut Vec<Diagnostic>) {
    let mut types: Vec<Option<Type>> = vec![None; f.registers.len()];
    let mut classified = vec![false; f.registers.len()];
    for decl in &f.register_decls {
        if let Some(known) = classified.get_mut(decl.register as usize) {
            *known = true;
        }
    }
    for operand in &f.operands {
        let Some(r) = operand.register() else { continue };
        let RegisterName::Virtual(index) = r.name else { continue };
        let (Some(ty), Some(known)) = (types.get_mut(index as usize), classified.get_mut(index as usize))
        else {
            continue;
        };
        *known |= r.class.is_some();
        match (*ty, r.ty) {
            (Some(old), Some(new)) if old != new => {
                let message = type_conflict(f, index, old, new);
                diagnostics.push(Diagnostic::new(&TYPE_CONFLICT, operand.range, message));
            }
            _ => *ty = ty.or(r.ty),
        }
    }
    let defined = LazyCell::new(|| defined(f));
    for (index, register) in f.registers.iter().enumerate() {
        if classified.get(index) == Some(&false) && !f.properties.has_unknown_key {
            diagnostics.push(unclassified(f, index as u32, register.first, &defined));
        }
    }
}

/// Every register has a class or bank, and its class is allocatable.
pub(super) fn check_kinds(cx: &mut RuleContext<'_>) -> bool {
    let f = cx.f;
    let mut ok = true;
    let defined = LazyCell::new(|| defined(f));
    for (index, register) in f.registers.iter().enumerate() {
        let name = || f.register_text(index as u32);
        match cx.virtual_of(index as u32).kind {
            VirtualKind::Unknown if !f.broken && !f.properties.has_unknown_key => {
                ok = false;
                let mut found = unclassified(f, index as u32, register.first, &defined);
                if let Some(physical) = name().strip_prefix('%').filter(|name| cx.t.register(name).is_some())
                {
                    found.message = format!(
                        "`%{physical}` is a virtual register; the physical register is `${physical}`"
                    );
                    found.set_guess(
                        format!("Replace with `${physical}`"),
                        vec![TextEdit::new(register.first, format!("${physical}"))],
                    );
                }
                cx.diagnostics.push(found);
            }
            VirtualKind::Class(class)
                if !(cx.t.is_allocatable(class)
                    || cx.reads_newer() && is_newly_allocatable(&cx.class_text(class))) =>
            {
                ok = false;
                let class = cx.class_text(class);
                cx.report(
                    &NOT_ALLOCATABLE,
                    register.first,
                    format!("`{}` has register class `{class}`, which is not allocatable", name()),
                );
            }
            _ => {}
        }
    }
    ok
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::{findings, marks, related};

    #[test]
    fn registers_that_nothing_defines() {
        let body = "  bb.0:\n    %0:_(s32) = G_IMPLICIT_DEF\n    S_NOP 0, implicit %1\n";
        expect![[r#"
            error[unclassified-register] 6:23 `%1`: use of undefined virtual register `%1`, which has no class or bank
        "#]].assert_eq(&findings("", body));
        // The instruction that gives the type cannot be read.
        marks(expect![[r#"
            ---
            name: f
            body: |
              bb.0:
                %0:_(s-3) = G_IMPLICIT_DEF
            ;        ^^^ error[syntax-error]: expected a number of bits after `s`, or an address space after `p`
                %1:_(s32) = G_TRUNC %0
            ...
        "#]]);
    }

    #[test]
    fn a_conflict_names_the_other_place() {
        let body = "  bb.0:\n    %0:vgpr_32 = IMPLICIT_DEF\n    %1:_(s32) = G_IMPLICIT_DEF\n    S_NOP 0, implicit %0:sgpr_32, implicit %1(s64)\n";
        assert_eq!(
            related("", body),
            "register-class-conflict `implicit %0:sgpr_32`: conflicts with this `%0:vgpr_32`\n\
             register-type-conflict `implicit %1(s64)`: conflicts with this `%1:_(s32)`\n"
        );
    }

    #[test]
    fn classes_and_types() {
        marks(expect![[r#"
            ---
            name: f
            body: |
              bb.0:
                %0:vgpr_32 = IMPLICIT_DEF
                %1:sgpr_32 = COPY %0:sgpr_32
            ;                     ^^^^^^^^^^ error[register-class-conflict]: conflicting register classes: `%0` has register class `vgpr_32` elsewhere, found `sgpr_32`
            ;                              = line 5:5: conflicts with this
            ...
        "#]]);
        marks(expect![[r#"
            ---
            name: f
            body: |
              bb.0:
                %0:_(s32) = G_IMPLICIT_DEF
                %1:_(s32) = COPY %0(s64)
            ;                    ^^^^^^^ error[register-type-conflict]: conflicting types: `%0` has type `s32` elsewhere, found `s64`
            ;                          = line 5:5: conflicts with this
            ...
        "#]]);
        marks(expect![[r#"
            ---
            name: f
            body: |
              bb.0:
                %0:_ = G_IMPLICIT_DEF
            ;   ^^^^ error[missing-register-type]: missing type on the definition of generic register `%0`
            ...
        "#]]);
        marks(expect![[r#"
            ---
            name: f
            body: |
              bb.0:
                %0 = IMPLICIT_DEF
            ;   ^^ error[unclassified-register]: cannot determine the register class or bank of `%0`
            ...
        "#]]);
    }

    #[test]
    fn preferences_name_registers_of_the_function() {
        let prefers = |other: &str| {
            let registers =
                format!("registers:\n  - {{ id: 0, class: sgpr_32, preferred-register: '{other}' }}\n");
            findings(&registers, "  bb.0:\n    %1:sgpr_32 = IMPLICIT_DEF\n")
        };
        assert_eq!(prefers("%1"), "");
        expect![[r#"
            error[unclassified-register] 4:51 `%7`: cannot determine the register class or bank of `%7`
        "#]]
        .assert_eq(&prefers("%7"));
    }

    #[test]
    fn declarations() {
        marks(expect![[r#"
            ---
            name: f
            registers:
              - { id: 0, class: _ }
              - { id: 0, class: _ }
            ;         ^ error[duplicate-virtual-register]: redefinition of register `%0`
            ;         = line 4:11: previous definition is here
            body: |
              bb.0:
                S_ENDPGM 0
            ...
        "#]]);
    }
}
