//! The rules of Machine IR: what LLVM's MIR parser and machine verifier reject.
//!
//! A file holds one rule or one family of rules; the list of families is in the order in which they run.

mod addresses;
mod amdgpu;
mod block_headers;
mod block_names;
mod block_order;
mod branch_analysis;
mod branches;
mod copies;
mod debug_expression;
mod descriptor;
pub(super) mod document_end;
mod dominance;
mod flow;
mod frame;
mod frame_objects;
mod generic;
mod implicit_operands;
mod ir_constants;
pub(super) mod ir_indentation;
mod ir_names;
mod liveness;
mod memory_operands;
mod metadata;
mod names;
#[cfg(test)]
mod newer_tests;
mod phis;
mod physical_registers;
mod properties;
mod register_declarations;
mod register_operands;
mod registers;
mod reserved;
mod resolve;
mod riscv;
mod stack_protector;
mod statepoint;
pub mod target_info;
mod ties;
pub(super) mod triple;
mod yaml_references;

use super::context::RuleContext;
use super::model::Function;
use super::scope::Scope;
use wavelens_base::{ChunkId, Diagnostic, ModuleDiagnostic, Place, Rule, TextRange, TextSize};
use wavelens_syntax::wording;

wavelens_syntax::rules! {
    DUPLICATE_FUNCTION {
        code: "duplicate-machine-function",
        severity: wavelens_base::Severity::Error,
        title: "a machine function is defined once in a file",
        explain: "The second definition would replace the first.",
        example: r#"---
name: f
body: |
  bb.0:
    S_ENDPGM 0
...
---
name: f
body: |
  bb.0:
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
body: |
  bb.0:
    S_ENDPGM 0
...
---
name: g
body: |
  bb.0:
    S_ENDPGM 0
...
"#,
        source: "LLVM MIRParserImpl::parseMachineFunction: \"redefinition of machine function\"",
    }

    STRAY_IR {
        code: "stray-ir",
        severity: wavelens_base::Severity::Error,
        title: "LLVM IR is the first document of a file, after `--- |`",
        explain: "Elsewhere the text is read as YAML.",
        example: r#"  define void @f() { ret void }
"#,
        fixed: r#"--- |
  define void @f() { ret void }
...
"#,
        source: "LLVM MIRParserImpl::parseIRModule",
    }
}

/// A family of rules: those of one file, and the check that reports them.
struct Family {
    rules: &'static [&'static Rule],
    instructions: Option<fn(&mut RuleContext<'_>)>,
    function: Option<fn(&mut RuleContext<'_>)>,
}

impl Family {
    const fn of(rules: &'static [&'static Rule]) -> Family {
        Family { rules, instructions: None, function: None }
    }

    /// Looks at the instructions of each function, in the order of the list.
    const fn instructions(self, check: fn(&mut RuleContext<'_>)) -> Family {
        Family { instructions: Some(check), ..self }
    }

    /// Looks at each function all of whose instructions were understood, in the order of the list.
    const fn function(self, check: fn(&mut RuleContext<'_>)) -> Family {
        Family { function: Some(check), ..self }
    }
}

/// What the grammar reports.
const SYNTAX: &[&Rule] = &[&wavelens_syntax::mir::SYNTAX_ERROR, &wavelens_syntax::mir::NEWER];

/// The families. What has no check here is reported while names are looked up, over the module, or by another family.
const FAMILIES: &[Family] = &[
    Family::of(SYNTAX),
    Family::of(super::lower::rules::RULES),
    Family::of(RULES),
    Family::of(descriptor::RULES).instructions(descriptor::instructions),
    Family::of(ties::RULES).instructions(ties::instructions),
    Family::of(generic::RULES).instructions(generic::instructions),
    Family::of(&[]).instructions(generic::selection::instructions),
    Family::of(amdgpu::RULES).instructions(amdgpu::instructions),
    Family::of(addresses::RULES).instructions(addresses::instructions),
    Family::of(&[]).instructions(riscv::instructions),
    Family::of(properties::RULES).function(properties::function),
    Family::of(branches::RULES).function(branches::function),
    Family::of(liveness::RULES).function(liveness::function),
    Family::of(frame::RULES).function(frame::function),
    Family::of(stack_protector::RULES).function(stack_protector::function),
    Family::of(names::RULES),
    Family::of(block_names::RULES),
    Family::of(frame_objects::RULES),
    Family::of(debug_expression::RULES),
    Family::of(implicit_operands::RULES),
    Family::of(register_declarations::RULES),
    Family::of(registers::RULES),
    Family::of(ir_names::RULES),
    Family::of(memory_operands::RULES),
    Family::of(metadata::RULES),
    Family::of(yaml_references::RULES),
    Family::of(register_operands::RULES),
    Family::of(copies::RULES),
    Family::of(statepoint::RULES),
    Family::of(block_headers::RULES),
    Family::of(block_order::RULES),
    Family::of(phis::RULES),
    Family::of(dominance::RULES),
    Family::of(target_info::RULES),
    Family::of(triple::RULES),
    Family::of(amdgpu::constant_bus::RULES),
    Family::of(amdgpu::immediates::RULES),
    Family::of(amdgpu::lanes::RULES),
    Family::of(amdgpu::memory::RULES),
    Family::of(amdgpu::special::RULES),
];

/// Every rule of this dialect.
pub static ALL: std::sync::LazyLock<Vec<&'static Rule>> =
    std::sync::LazyLock::new(|| FAMILIES.iter().flat_map(|family| family.rules).copied().collect());

/// All rules on one machine function. `diagnostics` holds what was found before.
pub(super) fn check(f: &Function, scope: &Scope, text: &str, diagnostics: &mut Vec<Diagnostic>) {
    let before = diagnostics.len();
    check_families(f, scope, text, diagnostics);
    keep_first_at_each_place(diagnostics, before);
    implicit_operands::retract_explained(diagnostics, text);
}

fn check_families(f: &Function, scope: &Scope, text: &str, diagnostics: &mut Vec<Diagnostic>) {
    let before = diagnostics.len();
    ir_names::check_function(f, scope, diagnostics);
    let Some(machine) = scope.machine else {
        check_without_target(f, diagnostics);
        return;
    };
    let mut cx = RuleContext::new(f, scope, text, machine, diagnostics);
    let understood = resolve::resolve(&mut cx) && before == 0 && !f.broken;
    if f.properties.failed_isel {
        return;
    }
    for check in FAMILIES.iter().filter_map(|family| family.instructions) {
        check(&mut cx);
    }
    let is_misunderstood =
        |d: &Diagnostic| d.rule == &names::UNKNOWN_OPCODE || implicit_operands::RULES.contains(&d.rule);
    if !understood || cx.diagnostics.iter().any(is_misunderstood) {
        return;
    }
    for check in FAMILIES.iter().filter_map(|family| family.function) {
        check(&mut cx);
    }
    properties::unreadable(f, cx.diagnostics);
}

/// What LLVM's parser rejects for every target, for targets without tables.
fn check_without_target(f: &Function, diagnostics: &mut Vec<Diagnostic>) {
    diagnostics.extend(register_declarations::duplicates(f));
    if !f.broken {
        block_names::check_without_target(f, diagnostics);
        registers::check_without_target(f, diagnostics);
    }
    properties::unreadable(f, diagnostics);
}

/// One mistake, one diagnostic: of several at one place the first stays.
fn keep_first_at_each_place(diagnostics: &mut Vec<Diagnostic>, from: usize) {
    let mut seen = rustc_hash::FxHashSet::default();
    let mut index = 0;
    diagnostics.retain(|d| {
        index += 1;
        index <= from || seen.insert(d.range)
    });
}

/// LLVM IR in a place where LLVM reads YAML.
pub(super) fn stray_ir(scope: &Scope, chunk: ChunkId, text: &str) -> Option<Diagnostic> {
    let is_late = scope.late_ir == Some(chunk);
    if !is_late && scope.stray_ir != Some(chunk) {
        return None;
    }
    let first = first_line(text)?;
    let (message, reference) = if is_late {
        let message = "expected a machine function: LLVM IR must be the first document of the file";
        (message, Some(TextRange::empty(first.end() + TextSize::of('\n'))))
    } else {
        let message =
            "this text is outside a document: expected `---` and a machine function, or `--- |` and LLVM IR";
        (message, wavelens_syntax::mir::yaml_error(text))
    };
    let diagnostic = Diagnostic::new(&STRAY_IR, first, message);
    Some(match reference.filter(|range| range.start() > first.end()) {
        Some(range) => diagnostic.related(Place::Here(range), wording::REFERENCE),
        None => diagnostic,
    })
}

/// The first line that is neither blank nor a comment of YAML, without blanks around it.
fn first_line(text: &str) -> Option<TextRange> {
    let is_code = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
    let line = text.lines().find(is_code)?.trim();
    let start = line.as_ptr() as usize - text.as_ptr() as usize;
    Some(TextRange::at(TextSize::new(start as u32), TextSize::of(line)))
}

/// Rules over several chunks.
pub(super) fn check_module(scope: &Scope) -> Vec<ModuleDiagnostic> {
    let mut found = wavelens_llvm::check_module(&scope.llvm);
    let nowhere = TextRange::default();
    let mut names = rustc_hash::FxHashMap::default();
    // Functions without a name are numbered.
    for (name, chunk) in scope.machine_functions.iter().filter(|(name, _)| !name.is_empty()) {
        let first = *names.entry(name).or_insert(*chunk);
        if first != *chunk {
            let message = format!("redefinition of machine function `{name}`");
            let place = Place::Item { chunk: first, item: 0 };
            let diagnostic =
                Diagnostic::new(&DUPLICATE_FUNCTION, nowhere, message).related(place, wording::PREVIOUS);
            found.push(ModuleDiagnostic { chunk: *chunk, item: 0, diagnostic });
        }
    }
    found
}

/// Each finding in such a function with the other places it names.
#[cfg(test)]
fn related(keys: &str, body: &str) -> String {
    let text = format!("---\nname: f\n{keys}body: |\n{body}...\n");
    let found =
        wavelens_check::check_text(wavelens_base::Dialect::Mir, &text, &wavelens_base::Options::default());
    let places = found.iter().flat_map(|f| f.related.iter().map(move |r| (f, r)));
    let shown = |(f, r): (&wavelens_base::Finding, &wavelens_base::finding::RelatedFinding)| {
        format!("{} `{}`: {} `{}`\n", f.rule.code, &text[f.range], r.message, &text[r.range])
    };
    places.map(shown).collect()
}

/// Checks a file and compares its marks: the text is both input and expected value ([`wavelens_check::testing::marked`]).
#[cfg(test)]
#[track_caller]
fn marks(text: expect_test::Expect) {
    wavelens_check::testing::marks(wavelens_base::Dialect::Mir, text.data(), |marked| text.assert_eq(marked));
}

/// Findings in a machine function of AMDGPU with some keys and a body, lines counted from its first block; for tests.
#[cfg(test)]
fn findings(keys: &str, body: &str) -> String {
    let text = format!("---\nname: f\n{keys}body: |\n{body}...\n");
    wavelens_check::testing::findings(wavelens_base::Dialect::Mir, &text)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::marks;
    #[test]
    fn a_byte_order_mark_is_not_text() {
        let findings = |text: &str| wavelens_check::testing::findings(wavelens_base::Dialect::Mir, text);
        let function = "---\nname: f\nbody: |\n  bb.0:\n    S_ENDPGM 0\n...\n";
        let module = "--- |\n  define void @f() { ret void }\n...\n";
        for start in ["", "# x\n", module] {
            expect![""].assert_eq(&findings(&format!("\u{feff}{start}{function}")));
        }
    }

    #[test]
    fn numbers_of_32_bits_as_llvm_counts_them() {
        let offset = |number: &str| {
            let text = format!("  bb.0:\n    CFI_INSTRUCTION def_cfa_offset {number}\n    S_ENDPGM 0\n");
            super::findings("", &text).is_empty()
        };
        for number in ["0", "2147483648", "4294967295", "8589934591", "6442450944", "-2147483648"] {
            assert!(offset(number), "{number}");
        }
        for number in ["4294967296", "-2147483649", "5368709120"] {
            assert!(!offset(number), "{number}");
        }
    }

    #[test]
    fn a_store_may_say_so_twice() {
        let text = "  bb.0:\n    liveins: $vgpr0_vgpr1, $vgpr2\n    \
            FLAT_STORE_DWORD $vgpr0_vgpr1, $vgpr2, 0, 0, implicit $exec, implicit $flat_scr :: (store store (s32))\n    S_ENDPGM 0\n";
        expect![[""]].assert_eq(&super::findings("", text));
    }

    #[test]
    fn keys_may_be_indented() {
        marks(expect![[r#"
            ---
             name: f
             body: |
               bb.0:
                 S_FOO 0
            ;    ^^^^^ error[unknown-opcode]: unknown instruction `S_FOO`
            ...
        "#]]);
    }

    #[test]
    fn ir_that_yaml_cannot_read_has_the_place_where_llvm_stops() {
        let text = "# RUN: llc -mtriple=x86_64 %s\n  liveins: $x0\n\n    ; CHECK-LABEL: name: f\n    %0:_(s64) = COPY $x0\n";
        expect![[r#"
            error[stray-ir] 2:3 `liveins: $x0`: this text is outside a document: expected `---` and a machine function, or `--- |` and LLVM IR
              4:18 `:`: LLVM reports it here
        "#]]
        .assert_eq(&wavelens_check::testing::findings(wavelens_base::Dialect::Mir, text));
        marks(expect![[r#"
            ---
            name: f
            ...
            --- |
            ;^^^^ error[stray-ir]: expected a machine function: LLVM IR must be the first document of the file
            ;   = line 5:1: LLVM reports it here
              define void @f() { ret void }
            ...
        "#]]);
    }

    #[test]
    fn ir_without_its_document_is_reported_at_its_first_line() {
        let text = "# RUN: llc -mtriple=x86_64 %s\n\n  define void @f() { ret void }\n---\nname: f\n...\n";
        expect![[r#"
            error[stray-ir] 3:3 `define void @f() { ret void }`: this text is outside a document: expected `---` and a machine function, or `--- |` and LLVM IR
        "#]].assert_eq(&wavelens_check::testing::findings(wavelens_base::Dialect::Mir, text));
    }

    #[test]
    fn machine_function_info_of_each_machine() {
        let with =
            |triple: &str, entry: &str| findings(triple, &format!("machineFunctionInfo:\n  {entry}\n"), "");
        expect![""].assert_eq(&with("armv7", "isLRSpilled: true"));
        expect![""].assert_eq(&with("riscv32", "varArgsFrameIndex: -1"));
        expect![""].assert_eq(&with("wasm32", "params: [ i32 ]"));
        expect![""].assert_eq(&with("mips", "- a"));
        expect![[r#"
            error[mir-yaml] 9:3 `isLRSpilled`: unknown key `isLRSpilled`
        "#]]
        .assert_eq(&with("mips", "isLRSpilled: true"));
        expect![[r#"
            error[mir-yaml] 9:22 `x`: `varArgsFrameIndex` must be a number between -2147483648 and 2147483647, found `x`
        "#]]
        .assert_eq(&with("riscv64", "varArgsFrameIndex: x"));
    }

    fn findings(triple: &str, keys: &str, body: &str) -> String {
        let ir = format!("--- |\n  target triple = \"{triple}\"\n  define void @f() {{ ret void }}\n...\n");
        let text = format!("{ir}---\nname: f\ntracksRegLiveness: true\n{keys}body: |\n  bb.0:\n{body}...\n");
        wavelens_check::testing::findings(wavelens_base::Dialect::Mir, &text)
    }

    #[test]
    fn line_breaks_may_have_been_converted_twice() {
        let text = "---\r\r\nname: f\r\r\nbody: |\r\r\n  bb.0:\r\r\n    S_ENDPGM 0\r\r\n...\r\r\n";
        expect![""].assert_eq(&wavelens_check::testing::findings(wavelens_base::Dialect::Mir, text));
    }

    #[test]
    fn what_follows_the_end_of_the_module_is_no_ir() {
        marks(expect![[r#"
            --- |
              define void @f() { ret void }
            ...
              define void @g() { ret void }
            ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[mir-yaml]: the machine function must be a mapping of keys to values, found `define void @g() { ret void }`
            ---
            name: f
            body: |
              bb.0:
                S_ENDPGM 0
            ...
        "#]]);
    }

    #[test]
    fn registers_that_index_the_program_counter() {
        let with = |instruction: &str| {
            findings("m68k", "", &format!("    liveins: $a0, $a1\n    {instruction}\n    RTS\n"))
        };
        expect![""].assert_eq(&with("MOV32jk $a1, 0, $a0, implicit-def $ccr"));
        expect![""].assert_eq(&with("MOV32kj 0, $a1, $a0, implicit-def $ccr"));
        expect![[r#"
            error[operand-kind] 11:10 `$a0`: expected a branch target, found a register
        "#]]
        .assert_eq(&with("BRA8 $a0"));
    }

    #[test]
    fn addresses_of_powerpc() {
        let body = "    %1:g8rc = IMPLICIT_DEF
    %2:gprc = IMPLICIT_DEF
    %3:g8rc_nox0 = IMPLICIT_DEF
    %4:g8rc = LD 0, %3
    %5:g8rc = LD 0, %2
    %6:g8rc = LDX %1, %1
";
        let classes = |triple: &str| findings(triple, "", body).matches("operand-class").count();
        assert_eq!(classes("powerpc64le"), 2);
        assert_eq!(classes("powerpc"), 0);
    }

    #[test]
    fn instructions_of_other_machines() {
        let body = "    liveins: $x10
    $x11 = ADDI $x10, 5
    $x12 = ADDI $x99, 5
    $x12 = ADDQ $x10, $x11
    $x12 = ADD $x10
    $f10_d = FADD_D $x10, $x11, 7, implicit $frm
    PseudoRET implicit $x12
";
        expect![[r#"
            error[unknown-register] 12:17 `$x99`: unknown register `$x99`
            error[unknown-opcode] 13:12 `ADDQ`: unknown instruction `ADDQ`
            error[operand-count] 14:12 `ADD`: `ADD`: expected 3 operands, found 2
            error[operand-class] 15:21 `$x10`: `$x10` is not in register class `fpr64`
            error[operand-class] 15:27 `$x11`: `$x11` is not in register class `fpr64`
        "#]]
        .assert_eq(&findings("riscv64", "", body));
        let liveness = "    STRi12 $r11, $sp, 0, 14, $noreg
    STRi12 $r4, $sp, 4, 14, $noreg
";
        expect![[r#"
            error[undefined-physical-register] 11:12 `$r4`: use of undefined physical register `$r4`: it is neither defined before nor a live-in of the block
              fix: Add `$r4` to the live-ins
              |     liveins: $r4
        "#]]
        .assert_eq(&findings("armv7-linux-gnueabihf", "", liveness));
        let saved = "stack:\n  - { id: 0, size: 4, callee-saved-register: '$r5' }\n";
        expect![""].assert_eq(&findings("armv7-linux-gnueabihf", saved, liveness));
        expect![""].assert_eq(&findings(
            "s390x-linux-gnu",
            "",
            "    liveins: $r2d\n    $r1d = RISBGN $noreg, $r2d, 0, 189, 0\n    $r1d = AGR $r1d, $r2d, implicit-def dead $cc\n",
        ));
        // A call keeps the low half of a vector register.
        expect![""].assert_eq(&findings(
            "s390x-linux-gnu",
            "",
            "    liveins: $f8d\n    CallBRASL @f, csr_systemz_elf, implicit-def dead $r14d, implicit-def dead $cc, implicit $fpc\n    $f0d = LDR $f8d\n",
        ));
    }

    #[test]
    fn rules_for_all_targets_hold_without_tables() {
        marks(expect![[r#"
            --- |
              target triple = "sparcv9"
              define void @f() { ret void }
            ...
            ---
            name: f
            registers:
              - { id: 0, class: gprb }
              - { id: 0, class: gprb }
            ;         ^ error[duplicate-virtual-register]: redefinition of register `%0`
            ;         = line 8:11: previous definition is here
            body: |
              bb.0:
                successors: %bb.7
            ;               ^^^^^ error[undefined-machine-block]: use of undefined block `%bb.7`
                %0:gprb(s64) = COPY $x10
                %1:gprb(s64) = G_ADD %0(s32), %0
            ;                        ^^^^^^^ error[register-type-conflict]: conflicting types: `%0` has type `s64` elsewhere, found `s32`
                %2 = G_ADD %1, %1
            ;   ^^ error[unclassified-register]: cannot determine the register class or bank of `%2`
                PseudoBR %bb.2
            ;            ^^^^^ error[undefined-machine-block]: use of undefined block `%bb.2`
              bb.0:
            ; ^^^^ error[duplicate-machine-block]: redefinition of `bb.0`
            ;    = line 11:3: previous definition is here
            ...
        "#]]);
    }
}
