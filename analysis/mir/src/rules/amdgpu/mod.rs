//! Rules of AMDGPU's instructions: the checks that LLVM leaves to the target (`SIInstrInfo::verifyInstruction`).
//!
//! Instructions that another rule reports are skipped; so are the rules that depend on the processor if it is unknown.

pub(super) mod constant_bus;
pub(super) mod immediates;
pub(super) mod lanes;
pub(super) mod memory;
pub(super) mod special;

use std::sync::{LazyLock, OnceLock};

use wavelens_isa::generation::GenerationFacts;
use wavelens_isa::mir::{Class, Machine, Tables, flag, opcode};
use wavelens_isa::{Feature, Generation, Target};

use crate::context::{Inst, Reg, RuleContext, VirtualKind, fail_in};
use crate::model::*;
use wavelens_base::{TextRange, Verdict};

wavelens_syntax::rules! {
    ILLEGAL_COPY {
        code: "vector-to-scalar-copy",
        severity: wavelens_base::Severity::Error,
        title: "COPY does not move a vector register to a scalar register",
        explain: "The lanes of a vector register may differ. Use V_READFIRSTLANE_B32 to read one lane.",
        example: r#"---
name: f
body: |
  bb.0:
    %0:vgpr_32 = IMPLICIT_DEF
    %0:vgpr_32 = IMPLICIT_DEF
    %1:sgpr_32 = COPY %0
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
body: |
  bb.0:
    %0:vgpr_32 = IMPLICIT_DEF
    %0:vgpr_32 = IMPLICIT_DEF
    %1:vgpr_32 = COPY %0
    S_ENDPGM 0
...
"#,
        source: "LLVM SIInstrInfo::verifyInstruction: \"illegal copy from vector register to SGPR\"",
    }
}

/// Bits of the target's own instruction flags, numbered as LLVM's `SIInstrFlags`.
mod target_flag {
    pub(super) const SALU: u64 = 1 << 0;
    pub(super) const VALU: u64 = 1 << 1;
    pub(super) const SOP2: u64 = 1 << 3;
    pub(super) const SOPC: u64 = 1 << 4;
    pub(super) const SOPK: u64 = 1 << 5;
    pub(super) const VOP3: u64 = 1 << 10;
    pub(super) const SDWA: u64 = 1 << 14;
    pub(super) const SMRD: u64 = 1 << 19;
    pub(super) const MIMG: u64 = 1 << 20;
    pub(super) const VIMAGE: u64 = 1 << 21;
    pub(super) const VSAMPLE: u64 = 1 << 22;
    pub(super) const FLAT: u64 = 1 << 24;
    pub(super) const DS: u64 = 1 << 25;
    pub(super) const SPILL: u64 = 1 << 26;
    pub(super) const GATHER4: u64 = 1 << 37;
    pub(super) const IMAGE: u64 = MIMG | VIMAGE | VSAMPLE;
}

/// Numbers of the operand names that rules ask for.
macro_rules! names {
    ($($name:ident $text:literal)*) => {
        struct NameIds { $($name: u16),* }

        fn names() -> &'static NameIds {
            static IDS: OnceLock<NameIds> = OnceLock::new();
            IDS.get_or_init(|| {
                let tables = Machine::Amdgpu.tables();
                NameIds { $($name: tables.operand_name_id($text).unwrap_or(u16::MAX)),* }
            })
        }
    };
}

names! {
    src0 "src0" src1 "src1" src2 "src2"
    src0_x "src0X" vsrc1_x "vsrc1X" src0_y "src0Y" vsrc1_y "vsrc1Y" imm "imm"
    src0_modifiers "src0_modifiers" src1_modifiers "src1_modifiers" src2_modifiers "src2_modifiers"
    src0_sel "src0_sel" src1_sel "src1_sel" dst_sel "dst_sel" dst_unused "dst_unused"
    omod "omod" clamp "clamp" dpp_ctrl "dpp_ctrl" simm16 "simm16"
    vdst "vdst" vdata "vdata" data0 "data0" data1 "data1"
    offset "offset" soffset "soffset" cpol "cpol" gds "gds"
    dim "dim" dmask "dmask" tfe "tfe" lwe "lwe" d16 "d16" r128 "r128" a16 "a16" vaddr "vaddr" vaddr0 "vaddr0" saddr "saddr" srsrc "srsrc" rsrc "rsrc"
}

/// Kinds of registers in a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Kind {
    vector: bool,
    accumulator: bool,
    scalar: bool,
}

impl Kind {
    fn is_scalar(self) -> bool {
        self.scalar && !self.vector && !self.accumulator
    }

    fn is_vector(self) -> bool {
        !self.scalar && (self.vector != self.accumulator)
    }

    fn is_accumulator(self) -> bool {
        self.accumulator && !self.vector && !self.scalar
    }
}

fn kind_of_class(class: Class) -> Kind {
    static KINDS: OnceLock<Vec<Kind>> = OnceLock::new();
    let kinds = KINDS.get_or_init(|| {
        let tables: &Tables = Machine::Amdgpu.tables();
        let mut registers = vec![Kind::default(); tables.register_count()];
        tables.for_each_register(|register, name| {
            let (vector, accumulator) = (name.starts_with("vgpr"), name.starts_with("agpr"));
            if let Some(kind) = registers.get_mut(usize::from(register.0)) {
                *kind = Kind { vector, accumulator, scalar: !vector && !accumulator };
            }
        });
        (0..tables.class_count() as u16)
            .map(|class| {
                // Lane masks before their lowering: the class has no registers.
                let is_mask = tables.class_name(Class(class)) == "vreg_1";
                let mut kind = Kind { vector: is_mask, ..Kind::default() };
                for register in tables.class_members(Class(class)) {
                    let Some(own) = registers.get(usize::from(register.0)) else { continue };
                    kind.vector |= own.vector;
                    kind.accumulator |= own.accumulator;
                    kind.scalar |= own.scalar;
                }
                kind
            })
            .collect()
    });
    kinds.get(usize::from(class.0)).copied().unwrap_or_default()
}

/// The processor that instructions are checked for.
#[derive(Debug, Clone, Copy)]
enum Processor {
    Known(Target),
    /// A name that LLVM does not know, such as one that it dropped: it assumes gfx7 without any feature.
    Unknown,
}

/// The features of processors that rules ask for.
macro_rules! features {
    ($($name:ident $text:literal)*) => {
        impl Processor {
            $(fn $name(self) -> bool {
                static FEATURE: LazyLock<Option<Feature>> = LazyLock::new(|| Feature::named($text));
                FEATURE.is_some_and(|feature| self.has(feature))
            })*
        }
    };
}

features! {
    gfx90a "gfx90a-insts"
    unpacked_d16 "unpacked-d16-vmem"
    r128_a16 "r128-a16"
    a16 "a16"
    g16 "g16"
    partial_nsa "partial-nsa-encoding"
    gds "gds"
    flat_offsets "flat-inst-offsets"
    sdwa_omod "sdwa-omod"
    dpp_src1_sgpr "dpp-src1-sgpr"
}

impl Processor {
    /// That of a function; `None` where rules about processors do not apply.
    fn of(cx: &RuleContext<'_>) -> Option<Processor> {
        match cx.target() {
            Some(target) => (target.generation() != Generation::Unnamed).then_some(Processor::Known(target)),
            None => cx.has_processor().then_some(Processor::Unknown),
        }
    }

    fn has(self, feature: Feature) -> bool {
        matches!(self, Processor::Known(target) if target.provides(feature))
    }

    /// What its generation has. An unknown processor has what the oldest one of amdhsa has.
    fn facts(self) -> &'static GenerationFacts {
        match self {
            Processor::Known(target) => target.facts(),
            Processor::Unknown => Generation::Gfx7.facts(),
        }
    }
}

/// An instruction with its operands by name.
struct Check<'a, 'i> {
    inst: &'i Inst<'a>,
    processor: Option<Processor>,
}

impl Check<'_, '_> {
    fn is(&self, flags: u64) -> bool {
        self.inst.desc.target_flags & flags != 0
    }

    fn processor_name<'c>(&self, cx: &RuleContext<'c>) -> &'c str {
        cx.processor_name().unwrap_or("this processor")
    }

    fn index(&self, cx: &RuleContext<'_>, name: u16) -> Option<usize> {
        cx.t.operand_named(&self.inst.desc, name).filter(|i| *i < self.inst.order.len())
    }

    fn operand<'o>(&self, cx: &RuleContext<'o>, name: u16) -> Option<&'o Operand> {
        cx.operand(self.inst, self.index(cx, name)?)
    }

    fn immediate(&self, cx: &RuleContext<'_>, name: u16) -> Option<i64> {
        self.operand(cx, name)?.immediate()
    }
}

/// What a register operand's register belongs to.
fn kind_of(cx: &RuleContext<'_>, operand: &Operand) -> Option<Kind> {
    match cx.reg(operand.register()?) {
        Reg::Virtual(v) => match cx.virtual_of(v).kind {
            VirtualKind::Class(class) => Some(kind_of_class(class)),
            _ => None,
        },
        Reg::Physical(register) => cx.t.minimal_class(register).map(kind_of_class),
        Reg::None => None,
    }
}

pub(super) fn instructions(cx: &mut RuleContext<'_>) {
    if cx.machine != Machine::Amdgpu {
        return;
    }
    let processor = Processor::of(cx);
    let mut reported: Vec<TextRange> = cx.diagnostics.iter().map(|d| d.range).collect();
    reported.sort_by_key(|r| r.start());
    let is_reported = |range: TextRange| {
        let from = reported.partition_point(|r| r.start() < range.start());
        reported.get(from).is_some_and(|r| r.start() <= range.end())
    };
    let instructions = std::mem::take(&mut cx.instructions);
    for inst in instructions.iter().flatten() {
        if is_reported(inst.source.range) {
            continue;
        }
        let check = Check { inst, processor };
        match check_instruction(cx, &check) {
            Ok(()) => cx.diagnostics.extend(immediates::misplaced_modifiers(cx, &check)),
            fault => cx.conclude(inst, fault),
        }
    }
    cx.instructions = instructions;
}

/// In LLVM's order: the first fault of an instruction is reported.
fn check_instruction(cx: &RuleContext<'_>, check: &Check<'_, '_>) -> Verdict {
    if check.inst.is(opcode::COPY) && !cx.is_ssa {
        return check_copy(cx, check.inst);
    }
    if check.inst.desc.generic != opcode::NONE {
        return Ok(());
    }
    immediates::check_immediates(cx, check)?;
    lanes::check_sdwa(cx, check)?;
    memory::check_image_data(cx, check)?;
    constant_bus::check_constant_bus(cx, check)?;
    special::check_special(cx, check)?;
    immediates::check_scalar_immediate(cx, check)?;
    immediates::check_exec(cx, check)?;
    memory::check_memory(cx, check)?;
    lanes::check_dpp(cx, check)
}

fn check_copy(cx: &RuleContext<'_>, inst: &Inst<'_>) -> Verdict {
    let (Some(to), Some(from)) = (cx.operand(inst, 0), cx.operand(inst, 1)) else { return Ok(()) };
    let (Some(into), Some(of)) = (kind_of(cx, to), kind_of(cx, from)) else { return Ok(()) };
    if of.is_vector() && into.is_scalar() {
        let text = |o: &Operand| o.register().map_or(String::new(), |r| cx.register_text(r));
        let message =
            format!("illegal copy of vector register `{}` to scalar register `{}`", text(from), text(to));
        return fail_in(&ILLEGAL_COPY, inst.source.range, message);
    }
    Ok(())
}

/// Memory instructions, except spills of vector registers.
fn accesses_memory(check: &Check<'_, '_>) -> bool {
    check.inst.desc.is(flag::MAY_LOAD | flag::MAY_STORE) && !check.is(target_flag::SPILL)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::findings;

    #[test]
    fn copies_to_scalar_registers() {
        let of = |class: &str, scalar: &str| {
            let copy = format!("    %1:{scalar} = COPY %0\n");
            let define = format!("    %0:{class} = IMPLICIT_DEF\n");
            let ssa = findings("", &format!("  bb.0:\n{define}{copy}    S_ENDPGM 0\n"));
            assert_eq!(ssa, "");
            findings("", &format!("  bb.0:\n{define}{define}{copy}    S_ENDPGM 0\n"))
        };
        expect![[r#"
            error[vector-to-scalar-copy] 7:5 `%1:sreg_32 = COPY %0`: illegal copy of vector register `%0` to scalar register `%1`
        "#]].assert_eq(&of("vgpr_32", "sreg_32"));
        expect![[r#"
            error[vector-to-scalar-copy] 7:5 `%1:sreg_64 = COPY %0`: illegal copy of vector register `%0` to scalar register `%1`
        "#]].assert_eq(&of("vreg_1", "sreg_64"));
        expect![[""]].assert_eq(&of("sreg_32", "sreg_32"));
    }
}
