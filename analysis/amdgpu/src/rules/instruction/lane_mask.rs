//! Lane masks of the other size of waves: `vcc` where waves have 32 lanes, `vcc_lo` where they have 64.

use wavelens_isa::{self as isa, Line, Target, Value, WaveSize};
use wavelens_syntax::wording;

use super::RejectedLine;
use super::invalid_operand::INVALID_OPERAND;
use wavelens_base::{Diagnostic, Fix, TextEdit, TextRange};

/// Lane masks of waves of 32 lanes, and of 64.
const MASKS: [(&str, &str); 2] = [("vcc_lo", "vcc"), ("exec_lo", "exec")];

/// The mask of the processor's size of waves, where `word` is that of the other size.
pub(super) fn own(target: Target, word: &str) -> Option<&'static str> {
    MASKS.iter().find_map(|&(narrow, wide)| match target.wave_size() {
        WaveSize::W32 => (word == wide).then_some(narrow),
        WaveSize::W64 => (word == narrow).then_some(wide),
    })
}

/// The register of a processor that masks all lanes of a wave.
pub(super) fn whole(target: Target) -> &'static str {
    match target.wave_size() {
        WaveSize::W32 => "vcc_lo",
        WaveSize::W64 => "vcc",
    }
}

/// The mask of 32 lanes, where `word` is that of 64 and waves have 32. The other way round is not always wrong: half of a wide mask
/// is a scalar register as any other.
pub(super) fn narrow(target: Target, word: &str) -> Option<&'static str> {
    own(target, word).filter(|_| target.wave_size() == WaveSize::W32)
}

/// The message about a mask of the other size.
pub(super) fn message(target: Target, right: &str, word: &str) -> String {
    because_of_waves(target, &wording::expected(format!("`{right}`"), format!("`{word}`")))
}

/// A message whose cause is the number of lanes of a wave.
pub(super) fn because_of_waves(target: Target, message: &str) -> String {
    format!("{message}, because waves of {target} have {} lanes here", target.wave_size().lanes())
}

/// Whether the line is an instruction for waves of the other size, if the processor has both.
pub(super) fn fits_other_waves(line: &RejectedLine<'_>) -> bool {
    let other = match line.target.wave_size() {
        WaveSize::W32 => WaveSize::W64,
        WaveSize::W64 => WaveSize::W32,
    };
    line.target.with_wave_size(other).is_some_and(|other| isa::assemble(other, line.line).is_ok())
}

/// An operand that is a mask of the other size.
struct OtherMask {
    operand: usize,
    range: TextRange,
    right: &'static str,
}

impl OtherMask {
    fn edit(&self) -> TextEdit {
        TextEdit::new(self.range, self.right)
    }
}

/// The masks of the other size without which the line is an instruction, after a change: nothing, one, or all.
fn corrected<'a>(line: &RejectedLine<'a>, change: impl Fn(&mut Line<'a>)) -> Option<Vec<OtherMask>> {
    let operands = line.operands.iter().enumerate();
    let mut masks: Vec<OtherMask> = operands
        .filter_map(|(operand, range)| {
            let right = own(line.target, line.slice(*range))?;
            Some(OtherMask { operand, range: *range, right })
        })
        .collect();
    let fits = |masks: &[OtherMask]| {
        line.fits_with(|other| {
            change(other);
            for mask in masks {
                let register = isa::named_register(mask.right);
                if let Some((operand, register)) = other.operands.get_mut(mask.operand).zip(register) {
                    operand.value = Value::Reg(register);
                }
            }
        })
    };
    if fits(&[]) {
        return Some(Vec::new());
    }
    if let Some(only) = (0..masks.len()).find(|at| fits(&masks[*at..=*at])) {
        return Some(vec![masks.swap_remove(only)]);
    }
    fits(&masks).then_some(masks)
}

/// The fix that writes another name, and the masks of the processor's size of waves, if the line is an instruction then.
pub(super) fn renamed(line: &RejectedLine<'_>, name: &str) -> Option<Fix> {
    let masks = corrected(line, |other| other.mnemonic = name)?;
    let mut edits = vec![TextEdit::new(line.mnemonic, name)];
    edits.extend(masks.iter().map(OtherMask::edit));
    line.is_in_file.then(|| Fix { title: format!("Replace with `{name}`"), certain: true, edits })
}

/// The finding about masks of the other size, if the line is an instruction with those of its own.
pub(super) fn report(line: &RejectedLine<'_>) -> Option<Diagnostic> {
    let wrong = corrected(line, |_| {})?;
    let OtherMask { range, right, .. } = wrong.first()?;
    let message = message(line.target, right, line.slice(*range));
    let mut found = Diagnostic::new(&INVALID_OPERAND, *range, message);
    found.set_fix(format!("Replace with `{right}`"), wrong.iter().map(OtherMask::edit).collect());
    Some(found)
}
