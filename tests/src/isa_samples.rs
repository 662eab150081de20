//! Lines for each encoding of each instruction, made from what each operand takes: the registers, numbers and words at both ends.

use isa::{NamedValue, RegFile, RegisterSet, Slot, SourceModifiers, Takes, Target, Template};
use wavelens_isa as isa;

/// The mnemonics of the `(nth, parts)` part of the table.
pub(crate) fn mnemonics((nth, parts): (usize, usize)) -> impl Iterator<Item = &'static str> {
    isa::all_mnemonics().skip(nth - 1).step_by(parts)
}

/// Makes lines for a processor.
pub struct Samples {
    target: Target,
    has_accumulators: bool,
    /// Listing the registers of a set takes long.
    registers: Vec<(RegisterSet, Shown)>,
}

/// Registers of a set, six of those that sources take and of those that others take.
struct Shown {
    sources: [String; 6],
    others: [String; 6],
}

/// The first, the last and some between, those of the first file twice as often.
fn spread<'n>(names: impl Iterator<Item = &'n String>) -> [String; 6] {
    let names: Vec<&String> = names.collect();
    let file = |name: &str| name.trim_end_matches(|c| c != 'v' && c != 'a' && c != 's').len();
    let end = names.iter().take_while(|name| file(name) == file(names[0])).count();
    let last = names.len().saturating_sub(1);
    let places = [0, end.saturating_sub(1), end / 2, last, end / 2, (names.len() + end) / 2];
    places.map(|place| names.get(place).map_or_else(String::new, |name| (*name).clone()))
}

/// Where a word is taken from: the line's number among those of its encoding, and a number that differs for each operand.
#[derive(Clone, Copy)]
struct Turn {
    line: usize,
    operand: usize,
}

impl Turn {
    /// The first lines go through the values in order, the others mix them.
    fn number(self) -> usize {
        if self.line < 8 { self.line + self.operand } else { self.line * 7 + self.operand * 13 }
    }

    fn pick<'w>(self, words: &[&'w str]) -> &'w str {
        words.get(self.number() % words.len().max(1)).copied().unwrap_or_default()
    }
}

impl Samples {
    pub fn new(target: Target) -> Samples {
        let has_accumulators = isa::processors_with("v_accvgpr_read_b32").contains(&target.name());
        Samples { target, has_accumulators, registers: Vec::new() }
    }

    /// Some lines for each encoding of a mnemonic.
    pub fn lines(&mut self, mnemonic: &str, count: usize) -> Vec<String> {
        let mut lines = Vec::new();
        for template in isa::templates(self.target, mnemonic) {
            lines.extend((0..count).map(|line| self.line(mnemonic, &template, line)));
        }
        lines
    }

    fn line(&mut self, mnemonic: &str, template: &Template, line: usize) -> String {
        let mut text = mnemonic.to_owned();
        if line % 2 == 1 && !template.encoding.is_empty() {
            text = format!("{mnemonic}_{}", template.encoding);
        }
        let data = template.slots.iter().find(|slot| slot.name == "vdata");
        let data = data.map_or(1, |slot| self.size_of(slot));
        let is_image = mnemonic.starts_with("image_");
        let mut is_first = true;
        // The table has the format of a buffer before its offset.
        let is_format = |slot: &Slot| matches!(slot.takes, Takes::Named { value: NamedValue::Format, .. });
        let mut slots: Vec<&Slot> = template.slots.iter().collect();
        slots.sort_by_key(|slot| if is_format(slot) { 1 } else { 2 * u8::from(slot.is_optional) });
        for (operand, slot) in slots.into_iter().enumerate() {
            let turn = Turn { line, operand };
            let word = match slot.name {
                "dmask" if mnemonic.starts_with("image_gather4") => "dmask:0x1".to_owned(),
                "dmask" if is_image => format!("dmask:{:#x}", (1 << data.min(4)) - 1),
                "tfe" if is_image => if data == 5 { "tfe" } else { "" }.to_owned(),
                "a16" | "d16" | "lwe" | "r128" if is_image => String::new(),
                // A part of the attribute before it.
                "attrchan" => String::new(),
                "op_sel" | "op_sel_hi" | "neg_lo" | "neg_hi" | "neg" => bits(slot.name, template, turn),
                _ => self.operand(mnemonic, slot, turn),
            };
            let is_needed = is_image && matches!(slot.name, "dmask" | "dim" | "tfe");
            let returns = word.contains("_RETURN") || is_returning(mnemonic) && has_return(&word);
            if word.is_empty()
                || slot.is_optional && !is_needed && !returns && turn.number().is_multiple_of(3)
            {
                continue;
            }
            let is_word = matches!(slot.takes, Takes::Word(word) if word != "off" && word != "[");
            let is_separate = is_word || is_format(slot) || slot.takes == Takes::CachePolicy;
            if !(is_first || slot.is_optional || is_separate || text.ends_with('[')) {
                text += ",";
            }
            if word != "]" && !text.ends_with('[') {
                text += " ";
            }
            text += &word;
            // The second half of a dual instruction begins with a mnemonic.
            let is_mnemonic = text.rsplit_once(":: ").is_some_and(|(_, half)| half == word);
            is_first = is_mnemonic || word == "::" || slot.takes == Takes::ExportTarget;
        }
        text
    }

    /// The registers of a set that lines show.
    fn shown(&mut self, set: RegisterSet) -> &Shown {
        let place = match self.registers.iter().position(|(known, _)| *known == set) {
            Some(place) => place,
            None => {
                let all = set.all(self.target).into_iter();
                let all = all.filter(|reg| reg.file != RegFile::Agpr || self.has_accumulators);
                let all: Vec<String> = all.map(|reg| reg.name()).collect();
                // LLVM encodes the low bits of named values such as `src_scc` where a result's field has no room for them.
                let plain = all.iter().filter(|name| !name.starts_with("src_") && *name != "null");
                let shown = Shown { sources: spread(all.iter()), others: spread(plain) };
                self.registers.push((set, shown));
                self.registers.len() - 1
            }
        };
        &self.registers[place].1
    }

    /// How many registers an operand has.
    fn size_of(&mut self, slot: &Slot) -> usize {
        let (Takes::Register(set) | Takes::RegisterOrOff(set)) = slot.takes else { return 1 };
        let range = |name: &String| {
            let (first, last) = name.split_once('[')?.1.trim_end_matches(']').split_once(':')?;
            Some(last.parse::<usize>().ok()? + 1 - first.parse::<usize>().ok()?)
        };
        self.shown(set).sources.first().and_then(range).unwrap_or(1)
    }

    fn register(&mut self, set: RegisterSet, turn: Turn) -> String {
        self.shown(set).others[turn.number() % 6].clone()
    }

    fn source(&mut self, set: RegisterSet, turn: Turn) -> String {
        self.shown(set).sources[turn.number() % 6].clone()
    }

    fn operand(&mut self, mnemonic: &str, slot: &Slot, turn: Turn) -> String {
        let text = self.value(mnemonic, &slot.takes, turn);
        match (slot.modifiers, turn.number() % 5) {
            (SourceModifiers::Float, 1) if text.starts_with('-') => format!("neg({text})"),
            (SourceModifiers::Float, 1) => format!("-{text}"),
            (SourceModifiers::Float, 2) => format!("|{text}|"),
            (SourceModifiers::Float, 3) => format!("-|{text}|"),
            (SourceModifiers::Integer, 2) => format!("sext({text})"),
            _ => text,
        }
    }

    fn value(&mut self, mnemonic: &str, takes: &Takes, turn: Turn) -> String {
        let target = self.target;
        let pick = |words: &[&str]| turn.pick(words).to_owned();
        match takes {
            Takes::Word(word) | Takes::Flag(word) => (*word).to_owned(),
            Takes::Register(set) => self.register(*set, turn),
            Takes::RegisterOrOff(_) if turn.number() % 4 == 3 => "off".to_owned(),
            Takes::RegisterOrOff(set) => self.register(*set, turn),
            Takes::Source { registers, ty, literal } => match turn.number() % 4 {
                2 => pick(INLINE),
                // Some encodings have no room for one.
                3 if *literal && turn.line.is_multiple_of(2) => number(ty, turn),
                _ => self.source(*registers, turn),
            },
            Takes::Literal(_) => pick(&["0x1234", "1.0", "100", "-2.5"]),
            Takes::Number { min, max } => [*max, *min, 1, 0x34][turn.number() % 4].to_string(),
            Takes::Label => pick(&["4", "-1", "32767", "somewhere"]),
            Takes::Attribute => pick(&["attr0.x", "attr31.w", "attr32.y"]),
            Takes::CachePolicy => policy(target, mnemonic, turn),
            Takes::Named { name, value } => named(target, name, value, turn),
            Takes::DppControl => {
                let controls: Vec<String> = isa::dpp_controls(target).map(control).collect();
                controls.get(turn.number() % controls.len().max(1)).cloned().unwrap_or_default()
            }
            Takes::Message => pick(&[
                "sendmsg(MSG_INTERRUPT)",
                "sendmsg(MSG_SYSMSG, SYSMSG_OP_REG_RD)",
                "0x1234",
                "sendmsg(2, 3, 1)",
            ]),
            Takes::HardwareRegister => {
                pick(&["hwreg(HW_REG_MODE)", "hwreg(HW_REG_GPR_ALLOC, 1, 31)", "0xc1d1", "hwreg(51, 1, 31)"])
            }
            Takes::Counters => pick(&[
                "0",
                "vmcnt(0) & lgkmcnt(1)",
                "expcnt(2)",
                "vmcnt_sat(100)",
                "0xffff",
                "lgkmcnt(0), vmcnt(3)",
            ]),
            Takes::DependencyCounters => {
                pick(&["0", "depctr_sa_sdst(0) depctr_va_vdst(3)", "0xffff", "depctr_vm_vsrc(1)"])
            }
            Takes::Delay => pick(&[
                "0",
                "instid0(VALU_DEP_1) | instskip(NEXT) | instid1(TRANS32_DEP_1)",
                "instid0(SALU_CYCLE_1)",
            ]),
            Takes::Event => pick(&["0", "2", "{ }", "0xffff"]),
            Takes::IndexMode => pick(&["gpr_idx(SRC0,DST)", "gpr_idx()", "15"]),
            Takes::ExportTarget => {
                let targets = isa::export_targets(target);
                targets.get(turn.number() * 5 % targets.len().max(1)).cloned().unwrap_or_default()
            }
            Takes::InterpolationSlot => pick(&["p10", "p20", "p0"]),
        }
    }
}

const INLINE: &[&str] = &["0", "64", "-16", "1.0", "-4.0", "0.5", "-1", "2.0", "0.15915494", "-0.5", "17"];

/// A number that is not an inline constant, for a type such as `f16`.
fn number(ty: &str, turn: Turn) -> String {
    let turn = Turn { line: turn.line / 4, operand: turn.operand };
    turn.pick(match ty.trim_start_matches(|c: char| !c.is_ascii_digit()) {
        "16" => &["0x3456", "100", "-100", "1.5", "-17", "0xffff", "-32768", "0x8000", "0.1", "65504.0"],
        "64" => {
            &["0x12345678", "100", "-17", "0x7fffffff", "0xffffffff", "-2147483648", "1.5", "-0.1", "3.5"]
        }
        _ => &["0x12345678", "-17", "1.5", "0xffffffff", "65", "-2147483648", "0.1", "0x3f800000", "label"],
    })
    .to_owned()
}

/// Atomics that return the old value, by their names in the tests of LLVM.
fn is_returning(mnemonic: &str) -> bool {
    mnemonic.contains("_atomic_")
}

fn has_return(word: &str) -> bool {
    word.split(' ').any(|word| matches!(word, "glc" | "sc0"))
}

fn policy(target: Target, mnemonic: &str, turn: Turn) -> String {
    let words = isa::cache_policies(target, mnemonic);
    if words.contains(&"th:") {
        let kind = match mnemonic {
            _ if is_returning(mnemonic) => "ATOMIC_RETURN",
            _ if mnemonic.contains("store") => "STORE_NT",
            _ => "LOAD_NT",
        };
        let words =
            [format!("th:TH_{kind} scope:SCOPE_SE"), format!("th:TH_{kind}"), "scope:SCOPE_DEV".into()];
        return words[turn.number() % 3].clone();
    }
    // Atomics of buffers have no bit for `dlc`, and LLVM accepts it.
    let is_chosen = |place: usize, word: &str| {
        turn.number() >> place & 1 == 1 && !(word == "dlc" && is_returning(mnemonic))
    };
    let words =
        words.into_iter().enumerate().filter(|(place, word)| is_chosen(*place, word)).map(|(_, word)| word);
    words.collect::<Vec<_>>().join(" ")
}

fn named(target: Target, name: &str, value: &NamedValue, turn: Turn) -> String {
    let number = turn.number();
    match value {
        NamedValue::Number { .. } if name == "mul" => turn.pick(&["mul:2", "mul:4", "div:2"]).to_owned(),
        NamedValue::Number { min, max } => format!("{name}:{}", [*max, 1, *min, max / 2][number % 4]),
        NamedValue::Word => {
            let words = isa::values(target, name);
            words.get(number % words.len().max(1)).map_or_else(String::new, |word| format!("{name}:{word}"))
        }
        // See `bits`.
        NamedValue::Bits => String::new(),
        NamedValue::Lanes { .. } => {
            format!("{name}:{}", turn.pick(&["[7,6,5,4,3,2,1,0]", "[0,0,0,0,0,0,0,0]", "[1,2,3,4,5,6,7,0]"]))
        }
        NamedValue::Swizzle => turn
            .pick(&[
                "offset:swizzle(QUAD_PERM,0,1,2,3)",
                "offset:swizzle(BITMASK_PERM,\"01pip\")",
                "offset:65535",
                "offset:swizzle(SWAP,16)",
                "offset:swizzle(REVERSE,8)",
                "offset:swizzle(BROADCAST,32,31)",
            ])
            .to_owned(),
        NamedValue::Format => {
            let words = isa::values(target, name);
            words
                .get((number * 5 + 1) % words.len().max(1))
                .map_or_else(String::new, |w| format!("format:[{w}]"))
        }
    }
}

/// A bit for each source, and of `op_sel` one for the result.
fn bits(name: &str, template: &Template, turn: Turn) -> String {
    let is_source = |slot: &&Slot| slot.name.starts_with("src") && !matches!(slot.takes, Takes::Named { .. });
    let is_packed = template.slots.iter().any(|slot| slot.name == "op_sel_hi");
    let sources = template.slots.iter().filter(is_source).count();
    let count = sources + usize::from(name == "op_sel" && !is_packed);
    let is_set = |bit: usize| match turn.number() % 4 {
        0 => bit == 0,
        1 => bit + 1 == count,
        2 => true,
        _ => false,
    };
    let bits: Vec<&str> = (0..count).map(|bit| if is_set(bit) { "1" } else { "0" }).collect();
    format!("{name}:[{}]", bits.join(","))
}

/// A DPP control at its largest value.
fn control(name: &str) -> String {
    match name.trim_end_matches(':') {
        "quad_perm" => "quad_perm:[3,2,1,0]".to_owned(),
        "row_bcast" => "row_bcast:31".to_owned(),
        word @ ("row_shl" | "row_shr" | "row_ror" | "row_share" | "row_xmask" | "row_newbcast") => {
            format!("{word}:15")
        }
        word @ ("wave_shl" | "wave_shr" | "wave_rol" | "wave_ror") => format!("{word}:1"),
        word => word.to_owned(),
    }
}
