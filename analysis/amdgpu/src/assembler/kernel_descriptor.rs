//! `.amdhsa_kernel` to `.end_amdhsa_kernel` (source of the rules: LLVM's AMDGPU usage guide, "Kernel Descriptor").

use wavelens_isa::processor::ProcessorFacts;
use wavelens_syntax::amdgpu::AmdgpuKind::*;
use wavelens_syntax::wording;

use super::cursor::Cursor;
use super::expression::When;
use super::symbols::SymbolId;
use crate::assembler::{Assembler, Parsed, Reported};
use crate::rules::directive::kernel_descriptor::{self, Fault, FaultPlace, KERNEL_DESCRIPTOR};
use wavelens_base::{Place, Related, TextRange, TextSize};

/// Which processors know a directive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum On {
    All,
    /// Major versions from and to.
    Gfx(u32, u32),
    /// gfx90a and the CDNA processors after it.
    Cdna2,
    Preload,
    ScratchByUser,
    ScratchByHardware,
    Gfx1250,
    /// gfx10 to gfx12 before gfx1250: workgroups can take one unit or two.
    CuMode,
}

/// A directive: its name, the bits its value has, which processors know it, whether the value must be known at once, and
/// how many user SGPRs it takes when it is not 0.
struct Field(&'static str, u8, On, bool, u8);

/// Values of these are checked in code.
const FREE: u8 = 64;

const FIELDS: &[Field] = &[
    Field("group_segment_fixed_size", 32, On::All, false, 0),
    Field("private_segment_fixed_size", 32, On::All, false, 0),
    Field("kernarg_size", 32, On::All, false, 0),
    Field("user_sgpr_count", FREE, On::All, true, 0),
    Field("user_sgpr_private_segment_buffer", 1, On::ScratchByUser, true, 4),
    Field("user_sgpr_kernarg_preload_length", 7, On::Preload, true, 0),
    Field("user_sgpr_kernarg_preload_offset", 9, On::Preload, true, 0),
    Field("user_sgpr_dispatch_ptr", 1, On::All, true, 2),
    Field("user_sgpr_queue_ptr", 1, On::All, true, 2),
    Field("user_sgpr_kernarg_segment_ptr", 1, On::All, true, 2),
    Field("user_sgpr_dispatch_id", 1, On::All, true, 2),
    Field("user_sgpr_flat_scratch_init", 1, On::ScratchByUser, true, 2),
    Field("user_sgpr_private_segment_size", 1, On::All, true, 1),
    Field("wavefront_size32", 1, On::Gfx(10, 99), true, 0),
    Field("uses_dynamic_stack", 1, On::All, false, 0),
    Field("system_sgpr_private_segment_wavefront_offset", 1, On::ScratchByUser, false, 0),
    Field("enable_private_segment", 1, On::ScratchByHardware, false, 0),
    Field("system_sgpr_workgroup_id_x", 1, On::All, false, 0),
    Field("system_sgpr_workgroup_id_y", 1, On::All, false, 0),
    Field("system_sgpr_workgroup_id_z", 1, On::All, false, 0),
    Field("system_sgpr_workgroup_info", 1, On::All, false, 0),
    Field("system_vgpr_workitem_id", 2, On::All, false, 0),
    Field("next_free_vgpr", FREE, On::All, false, 0),
    Field("next_free_sgpr", FREE, On::All, false, 0),
    Field("accum_offset", FREE, On::Cdna2, false, 0),
    Field("reserve_vcc", 1, On::All, false, 0),
    Field("reserve_flat_scratch", 1, On::Gfx(7, 99), false, 0),
    Field("reserve_xnack_mask", 1, On::Gfx(8, 99), false, 0),
    Field("float_round_mode_32", 2, On::All, false, 0),
    Field("float_round_mode_16_64", 2, On::All, false, 0),
    Field("float_denorm_mode_32", 2, On::All, false, 0),
    Field("float_denorm_mode_16_64", 2, On::All, false, 0),
    Field("dx10_clamp", 1, On::Gfx(0, 11), false, 0),
    Field("ieee_mode", 1, On::Gfx(0, 11), false, 0),
    Field("fp16_overflow", 1, On::Gfx(9, 99), false, 0),
    Field("tg_split", 1, On::Cdna2, false, 0),
    Field("workgroup_processor_mode", 1, On::CuMode, false, 0),
    Field("memory_ordered", 1, On::Gfx(10, 99), false, 0),
    Field("forward_progress", 1, On::Gfx(10, 99), false, 0),
    Field("shared_vgpr_count", 4, On::Gfx(10, 11), true, 0),
    Field("inst_pref_size", 8, On::Gfx(11, 99), false, 0),
    Field("exception_fp_ieee_invalid_op", 1, On::All, false, 0),
    Field("exception_fp_denorm_src", 1, On::All, false, 0),
    Field("exception_fp_ieee_div_zero", 1, On::All, false, 0),
    Field("exception_fp_ieee_overflow", 1, On::All, false, 0),
    Field("exception_fp_ieee_underflow", 1, On::All, false, 0),
    Field("exception_fp_ieee_inexact", 1, On::All, false, 0),
    Field("exception_int_div_zero", 1, On::All, false, 0),
    Field("round_robin_scheduling", 1, On::Gfx(12, 99), false, 0),
    // LLVM shifts the number by 14 bits and only then looks whether it fits the word.
    Field("named_barrier_count", 18, On::Gfx1250, false, 0),
];

/// Whether a processor knows a directive.
pub(crate) fn exists(machine: &ProcessorFacts, name: &str) -> bool {
    FIELDS.iter().any(|f| f.0 == name && f.2.refusal(machine).is_none())
}

/// Whether a processor knows a directive that is in [`directive_names`].
pub fn directive_exists(machine: &ProcessorFacts, directive: &str) -> bool {
    directive.strip_prefix(".amdhsa_").is_some_and(|name| exists(machine, name))
}

/// The names of all directives, for completion.
pub fn directive_names() -> impl Iterator<Item = String> {
    FIELDS.iter().map(|f| format!(".amdhsa_{}", f.0))
}

impl On {
    fn refusal(self, m: &ProcessorFacts) -> Option<String> {
        let missing = match self {
            On::All => return None,
            On::Gfx(from, to) if (from..=to).contains(&m.major) => return None,
            On::Gfx(from, 99) => format!("exists from gfx{from} on"),
            On::Gfx(0, to) => format!("exists up to gfx{to}"),
            On::Gfx(from, to) => format!("exists from gfx{from} to gfx{to}"),
            On::Cdna2 if m.facts().unified_agprs => return None,
            On::Cdna2 => "exists on gfx90a and later CDNA processors".into(),
            On::Preload if m.facts().kernarg_preload => return None,
            On::Preload => "exists where kernel arguments can be preloaded: gfx90a and later".into(),
            On::ScratchByUser if !m.facts().architected_flat_scratch => return None,
            On::ScratchByUser => "does not exist where the hardware sets scratch up".into(),
            On::ScratchByHardware if m.facts().architected_flat_scratch => return None,
            On::ScratchByHardware => "exists where the hardware sets scratch up".into(),
            On::Gfx1250 if m.facts().has_named_barriers => return None,
            On::Gfx1250 => "exists on gfx1250".into(),
            On::CuMode if m.facts().has_workgroup_processor_mode => return None,
            On::CuMode => "exists from gfx10 on, but not on gfx1250".into(),
        };
        Some(missing)
    }
}

/// What one descriptor says.
#[derive(Debug, Clone, PartialEq)]
pub struct Descriptor {
    /// The symbol after `.amdhsa_kernel`.
    pub kernel: SymbolId,
    /// Directive, its range, its value's range and value when known.
    pub(crate) fields: Vec<(&'static str, TextRange, TextRange, Option<i64>)>,
    /// Without mistakes.
    pub(crate) complete: bool,
}

impl Descriptor {
    /// Where a directive is written, without `.amdhsa_`, and its value where it is known.
    pub fn get(&self, name: &str) -> Option<(TextRange, Option<i64>)> {
        self.fields.iter().find(|f| f.0 == name).map(|f| (f.2, f.3))
    }

    /// The value of a directive, where it is written and known.
    pub(crate) fn value(&self, name: &str) -> Option<i64> {
        self.get(name).and_then(|(_, value)| value)
    }

    /// User SGPRs that the enabled directives take together.
    pub(crate) fn implied_user_sgprs(&self) -> i64 {
        let taken = |f: &Field| match f.0 {
            "user_sgpr_kernarg_preload_length" => self.value(f.0).unwrap_or(0),
            _ if self.value(f.0).unwrap_or(0) != 0 => i64::from(f.4),
            _ => 0,
        };
        FIELDS.iter().map(taken).sum()
    }

    /// User SGPRs before those of a directive that is on: they come in the order of the directives.
    pub(crate) fn user_sgprs_before(&self, name: &str) -> Option<i64> {
        if self.value(name)? == 0 {
            return None;
        }
        let before = FIELDS.iter().take_while(|field| field.0 != name);
        // What is not known may take some.
        before
            .map(|f| match self.get(f.0) {
                Some((_, None)) if f.4 > 0 => None,
                Some((_, Some(value))) if value != 0 => Some(i64::from(f.4)),
                _ => Some(0),
            })
            .sum()
    }

    /// Number of user SGPRs.
    pub(crate) fn user_sgprs(&self) -> i64 {
        self.value("user_sgpr_count").unwrap_or_else(|| self.implied_user_sgprs())
    }
}

/// Whether a directive is one of those between `.amdhsa_kernel` and `.end_amdhsa_kernel`.
pub(super) fn is_field(directive: &str) -> bool {
    directive.strip_prefix(".amdhsa_").is_some_and(|name| FIELDS.iter().any(|f| f.0 == name))
}

const END: &str = ".end_amdhsa_kernel";
const FIELD_OR_END: &str = "an `.amdhsa_` directive or `.end_amdhsa_kernel`";

/// Whether a descriptor can go on here.
fn is_in_descriptor(c: &Cursor<'_>) -> bool {
    c.at(IDENT) && (c.word() == END || c.word().starts_with(".amdhsa_") && c.word() != ".amdhsa_kernel")
}

/// Skips the lines of a descriptor up to its end, or to something else.
fn skip_descriptor(c: &mut Cursor<'_>) {
    loop {
        let mut next = *c;
        next.skip_line();
        while next.eat(EOL) {}
        let is_inside = is_in_descriptor(&next);
        if next.at(IDENT) && next.word() == END {
            next.bump();
            *c = next;
            return;
        }
        if !is_inside {
            return;
        }
        *c = next;
    }
}

impl Assembler<'_> {
    pub(crate) fn kernel_descriptor(&mut self, c: &mut Cursor<'_>, directive: TextRange) -> Parsed<()> {
        let Some((name, named)) = c.name() else {
            let reported = self.error(c, &KERNEL_DESCRIPTOR, c.range(), c.expected("the kernel's name"));
            if !self.follow_on {
                skip_descriptor(c);
            }
            return Err(reported);
        };
        let kernel = self.symbol(name);
        let mut descriptor = Descriptor { kernel, fields: Vec::new(), complete: true };
        let mut failed = false;
        loop {
            while c.eat(EOL) {}
            let range = c.range();
            if c.at(EOF) {
                if !failed {
                    let message = wording::missing("`.end_amdhsa_kernel` of this kernel descriptor");
                    return Err(self.error(c, &KERNEL_DESCRIPTOR, directive, message));
                }
                return Ok(());
            }
            if c.at(IDENT) && c.word() == END {
                c.bump();
                // LLVM writes a descriptor without errors, and defines its symbol.
                if !failed && self.whole_descriptor(c, &descriptor, range).is_ok() {
                    self.define_elsewhere(c, &format!("{name}.kd"), named);
                }
                break;
            }
            let is_field = is_in_descriptor(c);
            if self.descriptor_field(c, &mut descriptor).is_err() {
                if self.follow_on {
                    return Err(Reported);
                }
                failed = true;
                c.skip_line();
                while c.eat(EOL) {}
                // Two lines of something else: the descriptor's end is missing.
                if !is_field && !is_in_descriptor(c) && !c.at(EOF) {
                    break;
                }
            }
        }
        descriptor.complete = !failed;
        self.program.descriptors.push(descriptor);
        Ok(())
    }

    fn descriptor_field(&mut self, c: &mut Cursor<'_>, descriptor: &mut Descriptor) -> Parsed<()> {
        let rule = &KERNEL_DESCRIPTOR;
        let range = c.range();
        if !c.at(IDENT) {
            if c.at(BAD) {
                return Err(self.bad_token(c));
            }
            return Err(self.error(c, rule, range, c.expected(FIELD_OR_END)));
        }
        let word = c.word();
        if !word.starts_with('.') {
            return Err(self.error(
                c,
                rule,
                range,
                wording::expected(FIELD_OR_END, format_args!("`{word}`")),
            ));
        }
        c.bump();
        let field = word.strip_prefix(".amdhsa_").and_then(|name| FIELDS.iter().find(|f| f.0 == name));
        let first = descriptor.fields.iter().find(|f| Some(f.0) == field.map(|f| f.0));
        if let Some((_, first, ..)) = first {
            let place = self.place(*first);
            let stop = self.error(c, rule, range, kernel_descriptor::duplicate(word));
            if let Some(found) = self.last_finding() {
                found
                    .related
                    .push(wavelens_base::Related { place, message: "the first value is here".into() });
            }
            return Err(stop);
        }
        let start = c.start();
        let expr = self.expression(c)?;
        let value_range = c.since(start);
        let Some(Field(name, bits, on, resolve, _)) = field else {
            let known: Vec<String> = directive_names().chain([END.to_owned()]).collect();
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            return Err(self.unknown_word(c, rule, range, "directive", &known));
        };
        let known = match self.evaluate(&expr, When::Reading) {
            Ok(value) if value.is_number() => Some(value.constant),
            _ => None,
        };
        if let Some(value) = known.filter(|v| *v < 0) {
            let message = kernel_descriptor::negative(word, value);
            return Err(self.error(c, rule, value_range, message));
        }
        if (*resolve || *name == "kernarg_size") && known.is_none() {
            let _ = self.absolute_value(c, &expr, value_range, When::Reading)?;
        } else if known.is_none() && *bits != 32 {
            self.add_bits(expr, value_range);
        }
        let Some(machine) = self.machine() else {
            descriptor.fields.push((name, range, value_range, known));
            return Ok(());
        };
        if let Some(why) = on.refusal(&machine) {
            let message = kernel_descriptor::not_here(word, &why, machine.target);
            return Err(self.error(c, rule, range, message));
        }
        let value = known.unwrap_or(0) as u64;
        let bits = match *name {
            "inst_pref_size" => machine.facts().inst_pref_size_bits,
            _ => *bits,
        };
        let most = if bits >= 64 { u64::MAX } else { (1 << bits) - 1 };
        let most = match *name {
            "user_sgpr_kernarg_preload_length" => most.min(machine.max_user_sgprs()),
            _ => most,
        };
        if value > most {
            return Err(self.error(c, rule, value_range, wording::out_of_range(word, 0, most, value)));
        }
        if *name == "reserve_xnack_mask" && known.is_some() {
            let xnack = self.configuration().and_then(|c| c.feature("xnack"));
            if let Some(message) = kernel_descriptor::xnack_mask(value, &machine, xnack) {
                return Err(self.error(c, rule, range, message));
            }
        }
        descriptor.fields.push((name, range, value_range, known));
        Ok(())
    }

    /// What spans several directives. LLVM reports most of it at the end of the block.
    fn whole_descriptor(&mut self, c: &Cursor<'_>, descriptor: &Descriptor, end: TextRange) -> Parsed<()> {
        // LLVM points at what follows the block's last word.
        let end = TextRange::new(end.start(), end.end().max(end.start() + TextSize::new(1)));
        let Err(Fault { place, message }) = kernel_descriptor::check(descriptor, self.machine()) else {
            return Ok(());
        };
        let range = match place {
            FaultPlace::End => end,
            FaultPlace::Value(name) | FaultPlace::EarlierThanLlvm(name) => {
                descriptor.get(name).map_or(end, |(range, _)| range)
            }
        };
        let reported = self.error(c, &KERNEL_DESCRIPTOR, range, message);
        if matches!(place, FaultPlace::EarlierThanLlvm(_))
            && range != end
            && let Some(found) = self.last_finding()
        {
            found.related.push(Related { place: Place::Here(end), message: wording::REFERENCE.to_owned() });
        }
        Err(reported)
    }
}
