//! Where code generation goes on from a file of Machine IR, as far as the functions' properties and bodies tell.

use wavelens_base::{ChunkId, Dialect, Options};
use wavelens_isa::mir::Machine;
use wavelens_mir::model::{Function, OperandKind, RegisterName};

/// How far code generation has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Generic instructions, as the IR translator makes them.
    Translated,
    /// Generic instructions that the target has.
    Legalized,
    /// Each virtual register has a bank.
    BanksSelected,
    /// Target instructions in SSA form.
    Selected,
    /// Virtual registers, no phis; tied operands may differ.
    NoPhis,
    /// Tied operands are equal.
    TiesRewritten,
    /// Physical registers, and frame objects.
    Allocated,
    /// No frame objects either.
    FrameLaidOut,
}

impl Stage {
    /// The pass that the compiler starts at, and whether it starts after that pass.
    pub fn pass(self) -> (&'static str, bool) {
        match self {
            Stage::Translated => ("irtranslator", true),
            Stage::Legalized => ("legalizer", true),
            Stage::BanksSelected => ("instruction-select", false),
            Stage::Selected => ("finalize-isel", false),
            Stage::NoPhis => ("phi-node-elimination", true),
            Stage::TiesRewritten => ("twoaddressinstruction", true),
            Stage::Allocated => ("prologepilog", false),
            Stage::FrameLaidOut => ("prologepilog", true),
        }
    }

    /// The flags that make `llc` start there. The passes of GlobalISel are only in its own pipeline.
    pub fn flags(self) -> Vec<String> {
        let (pass, behind) = self.pass();
        let start = format!("-start-{}={pass}", if behind { "after" } else { "before" });
        if self < Stage::Selected { vec!["-global-isel".to_owned(), start] } else { vec![start] }
    }

    /// What was seen, for a sentence that starts "starts at ...".
    pub fn reason(self) -> &'static str {
        match self {
            Stage::Translated => "the body holds generic instructions that are not `legalized`",
            Stage::Legalized => "the function is `legalized` and has no register banks yet",
            Stage::BanksSelected => "the function is `regBankSelected` and not `selected`",
            Stage::Selected => "the body holds target instructions in SSA form",
            Stage::NoPhis => "the body is not in SSA form",
            Stage::TiesRewritten => "the body is not in SSA form and its tied operands are equal",
            Stage::Allocated => "the body has no virtual registers and names frame objects",
            Stage::FrameLaidOut => "the body has neither virtual registers nor frame objects",
        }
    }
}

/// What a file says about how to compile it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    /// `None` for targets without tables.
    pub machine: Option<Machine>,
    /// Of the embedded IR or the RUN line.
    pub triple: Option<String>,
    /// The processor that the functions are for, where the file names one.
    pub processor: Option<String>,
    /// The stage of the least advanced function; `None` without machine functions.
    pub stage: Option<Stage>,
}

/// Reads the setting from a file.
pub fn setting(text: &str, options: &Options) -> Setting {
    let spans = wavelens_syntax::split(Dialect::Mir, text);
    let chunks = spans.iter().filter_map(|s| text.get(std::ops::Range::<usize>::from(s.range)));
    let lowered: Vec<_> = chunks.map(wavelens_mir::lower).collect();
    let summaries = lowered.iter().enumerate();
    let summaries: Vec<_> = summaries.map(|(i, l)| (ChunkId(i as u32), wavelens_mir::summarize(l))).collect();
    let scope = wavelens_mir::scope(&summaries, options);
    let functions = scope.machine_functions.iter().filter_map(|(name, _)| scope.functions.get(name));
    let processor = functions.filter_map(|f| scope.cpu_of(Some(f))).next().or(scope.cpu_of(None));
    Setting {
        machine: scope.machine,
        triple: scope.llvm.triple.clone(),
        processor: processor.map(str::to_owned),
        stage: lowered.iter().filter_map(|l| l.function.as_ref()).map(stage).min(),
    }
}

/// The stage of one function.
pub fn stage(f: &Function) -> Stage {
    let p = &f.properties;
    let generic = || f.instructions.iter().any(|i| is_generic(f.opcode_text(i)));
    if !p.selected && generic() {
        return match (p.legalized, p.reg_bank_selected) {
            (_, true) => Stage::BanksSelected,
            (true, false) => Stage::Legalized,
            (false, false) => Stage::Translated,
        };
    }
    if f.operands.iter().any(|o| o.register().is_some_and(|r| matches!(r.name, RegisterName::Virtual(_)))) {
        return if p.is_ssa != Some(false) && in_ssa_form(f) {
            Stage::Selected
        } else if ties_equal(f) {
            Stage::TiesRewritten
        } else {
            Stage::NoPhis
        };
    }
    let framed = f.operands.iter().any(|o| matches!(o.kind, OperandKind::Frame { .. }));
    if framed { Stage::Allocated } else { Stage::FrameLaidOut }
}

fn is_generic(opcode: &str) -> bool {
    opcode.starts_with("G_")
}

/// Each virtual register has one definition, and that of the whole register.
fn in_ssa_form(f: &Function) -> bool {
    let mut defined = vec![false; f.registers.len()];
    f.operands.iter().filter(|o| o.is_def()).filter_map(|o| o.register()).all(|r| match r.name {
        RegisterName::Virtual(v) => {
            let first = defined.get_mut(v as usize).is_some_and(|d| !std::mem::replace(d, true));
            first && !r.sub.is_some()
        }
        _ => true,
    })
}

/// Where an AMDGPU instruction ties a use to a definition, both are the same register.
fn ties_equal(f: &Function) -> bool {
    let tables = Machine::Amdgpu.tables();
    f.instructions.iter().all(|i| {
        let Some(desc) = tables.opcode(f.opcode_text(i)).map(|o| tables.desc(o)) else { return true };
        let operands = f.operands_of(i);
        let register = |index: usize| operands.get(index).and_then(|o| o.register()).map(|r| (r.name, r.sub));
        (0..desc.operand_count()).all(|index| {
            let tied = desc.operand(index).and_then(|o| o.tied);
            tied.is_none_or(|def| register(index) == register(def.into()))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stage(keys: &str, body: &str) -> Option<Stage> {
        setting(&format!("---\nname: f\n{keys}\nbody: |\n  bb.0:\n    {body}\n...\n"), &Options::default())
            .stage
    }

    #[test]
    fn properties_and_bodies_tell_the_stage() {
        let add = "%2:_(s32) = G_ADD %0, %1";
        let cases = [
            ("", add, Stage::Translated),
            ("legalized: true", add, Stage::Legalized),
            ("legalized: true\nregBankSelected: true", add, Stage::BanksSelected),
            ("", "%0:sreg_32 = S_MOV_B32 0", Stage::Selected),
            (
                "isSSA: false",
                "%0:vgpr_32 = V_MAC_F32_e32 %1, %2, %3, implicit $mode, implicit $exec",
                Stage::NoPhis,
            ),
            (
                "isSSA: false",
                "%0:vgpr_32 = V_MAC_F32_e32 %1, %2, %0, implicit $mode, implicit $exec",
                Stage::TiesRewritten,
            ),
            (
                "",
                "$sgpr0 = SI_SPILL_S32_RESTORE %stack.0, implicit $exec, implicit $sgpr32",
                Stage::Allocated,
            ),
            ("", "S_ENDPGM 0", Stage::FrameLaidOut),
        ];
        for (keys, body, wanted) in cases {
            assert_eq!(stage(keys, body), Some(wanted), "{keys} {body}");
        }
        assert_eq!(setting("# nothing", &Options::default()).stage, None);
        assert_eq!(Stage::Translated.flags(), ["-global-isel", "-start-after=irtranslator"]);
    }

    #[test]
    fn the_processor_is_the_functions_own() {
        let file = "--- |\n  define void @f() #0 { ret void }\n  attributes #0 = { \"target-cpu\"=\"gfx942\" }\n...\n---\nname: f\n...\n";
        assert_eq!(setting(file, &Options::default()).processor.as_deref(), Some("gfx942"));
        assert_eq!(setting("---\nname: f\n...", &Options::default()).processor, None);
    }
}
