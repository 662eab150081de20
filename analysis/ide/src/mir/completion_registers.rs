//! Which names with a percent sign an operand may be: virtual registers of its type or class, whose definitions dominate it, and
//! blocks, stack objects and subregister indices where the opcode takes them.

use rustc_hash::FxHashMap;
use wavelens_base::{TextRange, TextSize};
use wavelens_isa::mir::{Class, CpuRows, Desc, OperandDesc, Register, SubIndex, Tables, flag, operand_kind};
use wavelens_mir::model::{Function, Type};

use super::Cx;
use super::flag_words;
use super::ide_support::{Virtual, block_index, register_index, virtuals};
use super::reaching::Reaching;

/// Registers that instructions use without naming them.
const SPECIAL: [&str; 8] = ["exec", "m0", "mode", "scc", "vcc", "vcc_lo", "flat_scr", "exec_lo"];

/// The instruction that is typed, up to the cursor.
pub(super) struct Typed<'a> {
    /// The registers that it defines.
    results: Vec<&'a str>,
    pub(super) opcode: &'a str,
    /// The operands written after the opcode.
    operands: Vec<&'a str>,
    /// The flags of a register before the cursor.
    flags: &'a str,
    pub(super) in_memory: bool,
}

impl<'a> Typed<'a> {
    /// Reads a line up to the word at the cursor.
    pub(super) fn new(line: &'a str) -> Typed<'a> {
        let (results, own) = line.split_once(" = ").unwrap_or(("", line));
        let is_flag = |word: &str| flag_words::INSTRUCTION.iter().any(|(flag, _)| *flag == word);
        let opcode = own.split_whitespace().find(|word| !is_flag(word)).unwrap_or("");
        let rest = own.split_once(opcode).map_or("", |(_, rest)| rest);
        let (rest, in_memory) = rest.split_once("::").map_or((rest, false), |(rest, _)| (rest, true));
        let mut operands = parts(rest);
        // The last one is being written.
        let flags = operands.pop().unwrap_or("");
        Typed { results: parts(results), opcode, operands, flags, in_memory }
    }

    /// Reads a line that is written whole.
    pub(super) fn whole(line: &'a str) -> Typed<'a> {
        let mut typed = Typed::new(line);
        typed.operands.push(std::mem::take(&mut typed.flags));
        typed
    }

    /// Whether results and operands that are written go with an opcode: as many as it has, or with no operand written at all, types
    /// only with generic ones, and the registers named that it uses without saying so.
    pub(super) fn fits(
        &self,
        tables: &Tables,
        rows: CpuRows,
        class: impl Fn(&str) -> Option<Class>,
        opcode: &str,
    ) -> bool {
        let Some(opcode) = tables.opcode(opcode) else { return true };
        let desc = tables.desc(opcode);
        let (implicit, explicit): (Vec<&str>, Vec<&str>) =
            self.operands.iter().filter(|o| !o.is_empty()).partition(|o| o.starts_with("implicit"));
        let (operands, results) = (explicit.len(), self.results.iter().filter(|r| !r.is_empty()).count());
        let is_bare = operands + implicit.len() == 0;
        let is_typed = self.results.iter().any(|result| result.ends_with(')') && result.contains(':'));
        let wanted = desc.operand_count().saturating_sub(desc.defs.into());
        let is_variadic = desc.is(flag::VARIADIC);
        let has_results = results == 0 && is_bare || results == usize::from(desc.defs) || is_variadic;
        let has_operands = is_bare || operands == wanted || is_variadic && operands >= wanted;
        let is_named = |register: Register, prefix: &str| {
            let name = format!("${}", tables.register_name(register));
            implicit.iter().any(|o| o.starts_with(prefix) && o.ends_with(&name))
        };
        let names_registers = desc.implicit_defs().all(|register| is_named(register, "implicit-def"))
            && desc.implicit_uses().all(|register| is_named(register, "implicit "));
        let has_class = |(index, operand): (usize, &str)| {
            // Values of generic opcodes are virtual registers.
            if desc.operand(index).is_some_and(|operand| operand.type_index().is_some()) {
                return operand.contains('%');
            }
            let wanted = desc.operand(index).and_then(|operand| tables.operand_class(&operand, rows));
            let (Some(wanted), Some(own)) = (wanted, class(operand)) else { return true };
            tables.is_subclass(wanted, own)
        };
        let results_at = usize::from(desc.defs).saturating_sub(results);
        let mut described = (results_at..).zip(self.results.iter().copied().filter(|r| !r.is_empty()));
        let mut operands_at = (usize::from(desc.defs)..).zip(explicit);
        let takes_blocks = desc.is(flag::BRANCH | flag::INDIRECT_BRANCH | flag::TERMINATOR) || is_variadic;
        has_results
            && has_operands
            && (is_bare || names_registers)
            && (takes_blocks || !self.operands.iter().any(|operand| operand.starts_with("%bb.")))
            && described.all(has_class)
            && operands_at.all(has_class)
            && (!is_typed || desc.is(flag::PRE_ISEL) || is_variadic || wanted < 2)
    }

    /// Whether an operand that is written names a register that the opcode does not use: one that a few instructions use, as others
    /// may be written for parts and copies.
    pub(super) fn names_others(&self, tables: &Tables, opcode: &str) -> bool {
        let Some(opcode) = tables.opcode(opcode) else { return false };
        let desc = tables.desc(opcode);
        let mut named = self.operands.iter().filter_map(|operand| {
            let (flags, name) = operand.split_once('$')?;
            let is_result = flags.starts_with("implicit-def");
            (flags.starts_with("implicit") && SPECIAL.contains(&name)).then_some((is_result, name))
        });
        named.any(|(is_result, name)| {
            let is_it = |register: Register| tables.register_name(register) == name;
            !if is_result { desc.implicit_defs().any(is_it) } else { desc.implicit_uses().any(is_it) }
        })
    }

    /// Whether all operands that the opcode names are written.
    pub(super) fn is_complete(&self, tables: &Tables) -> bool {
        self.desc(tables).is_some_and(|desc| !desc.is(flag::VARIADIC) && self.operand(&desc).is_none())
    }

    /// The registers that the opcode writes or reads without naming them, for the flag before the cursor, less those that are written.
    pub(super) fn unnamed(&self, tables: &Tables) -> Vec<String> {
        let Some(desc) = self.desc(tables) else { return Vec::new() };
        let registers: Vec<Register> = match self.flags.split_whitespace().next() {
            Some("implicit-def") => desc.implicit_defs().collect(),
            Some("implicit") => desc.implicit_uses().collect(),
            _ => Vec::new(),
        };
        let names = registers.into_iter().map(|register| tables.register_name(register));
        names
            .filter(|name| !self.operands.iter().any(|operand| operand.ends_with(&format!("${name}"))))
            .collect()
    }

    /// Whether the opcode says what the operand at the cursor is.
    pub(super) fn is_explicit(&self, tables: &Tables) -> bool {
        self.desc(tables).is_some_and(|desc| self.operand(&desc).is_some())
    }

    /// What is written for results and operands, in the order of the opcode's description.
    pub(super) fn all(&self) -> impl Iterator<Item = &'a str> {
        self.results.iter().chain(&self.operands).copied()
    }

    /// Whether it joins values from several blocks.
    pub(super) fn is_phi(&self) -> bool {
        matches!(self.opcode, "PHI" | "G_PHI")
    }

    /// Whether values and what belongs to each take turns, and this is the place of the second.
    pub(super) fn is_second(&self) -> bool {
        match self.opcode {
            "PHI" | "G_PHI" | "REG_SEQUENCE" => self.operands.len() % 2 == 1,
            "INSERT_SUBREG" => self.operands.len() == 2,
            "SUBREG_TO_REG" => self.operands.len() == 2,
            _ => false,
        }
    }

    /// Whether the operand is a subregister index.
    pub(super) fn is_part(&self) -> bool {
        self.is_second() && !self.is_phi()
    }

    /// The description of the opcode.
    pub(super) fn desc(&self, tables: &Tables) -> Option<Desc> {
        Some(tables.desc(tables.opcode(self.opcode)?))
    }

    /// What the operand at the cursor must be.
    fn operand(&self, desc: &Desc) -> Option<OperandDesc> {
        desc.operand(usize::from(desc.defs) + self.operands.len())
    }

    /// The class that the operand at the cursor must be of.
    pub(super) fn class(&self, tables: &Tables, rows: CpuRows) -> Option<Class> {
        tables.operand_class(&self.operand(&self.desc(tables)?)?, rows)
    }

    /// Whether the operand may be a block.
    pub(super) fn takes_block(&self, tables: &Tables) -> bool {
        let Some(desc) = self.desc(tables).filter(|_| self.flags.is_empty()) else { return false };
        if self.is_phi() {
            return self.is_second();
        }
        let ends = desc.is(flag::BRANCH | flag::INDIRECT_BRANCH | flag::TERMINATOR);
        match self.operand(&desc) {
            Some(operand) if operand.type_index().is_some() || !operand.has_no_class() => false,
            Some(operand) => ends || operand.kind == operand_kind::PC_RELATIVE,
            None => ends,
        }
    }

    /// Whether the operand may be a stack object or a constant.
    pub(super) fn takes_object(&self) -> bool {
        match self.opcode {
            "G_FRAME_INDEX" | "G_CONSTANT_POOL" => true,
            "PHI" | "COPY" | "REG_SEQUENCE" | "INSERT_SUBREG" => false,
            opcode => !opcode.starts_with("G_"),
        }
    }
}

/// The parts of a list, without those in brackets. An empty part follows the last comma.
fn parts(list: &str) -> Vec<&str> {
    let mut depth = 0;
    let separated = list.split(|c: char| {
        match c {
            '(' | '<' => depth += 1,
            ')' | '>' => depth -= 1,
            _ => {}
        }
        depth == 0 && c == ','
    });
    separated.map(str::trim).collect()
}

/// The name of the register in an operand: without flags, class and type.
pub(super) fn register(operand: &str) -> &str {
    let start = operand.find('%').unwrap_or(0);
    let name = operand.get(start..).unwrap_or("");
    name.split([':', '(', '.', ' ']).next().unwrap_or("")
}

/// Whether an opcode takes any operands.
pub(super) fn takes_any(tables: &Tables, opcode: &str) -> bool {
    tables.opcode(opcode).is_some_and(|opcode| tables.desc(opcode).is(flag::VARIADIC))
}

/// The class of a register that is written as an operand; `None` for a part of one and for what has no class.
pub(super) fn written_class(f: &Function, tables: &Tables, all: &[Virtual], operand: &str) -> Option<Class> {
    if let Some((_, name)) = operand.split_once('$') {
        return tables.minimal_class(tables.register(name)?);
    }
    let name = operand.get(operand.find('%')?..)?.split([':', '(', ' ']).next()?;
    if name.contains('.') {
        return None;
    }
    if let Some(class) = operand.split_once(':').and_then(|(_, class)| class.split('(').next()) {
        return tables.class(class);
    }
    tables.class(f.names.get(all.get(register_index(f, name)? as usize)?.class))
}

/// What a register at the cursor must be.
enum Wanted {
    Anything,
    /// A value of the type.
    Type(Type),
    /// A register of the size of a class, or a value of the type.
    CopyTo(Option<Type>, Option<Class>),
    /// A register or value of the size of a physical register.
    CopyToPhysical(Register),
    /// A value of a type that fits.
    Fits(fn(Type, Option<Type>) -> bool, Option<Type>),
    Class(Class),
}

/// The virtual registers that the operand at the cursor may be.
pub(super) struct Registers<'c> {
    f: &'c Function,
    tables: &'static Tables,
    pub(super) all: Vec<Virtual>,
    reaching: Reaching,
    wanted: Wanted,
    /// The type that is written after the cursor, and the class or bank.
    written: Option<String>,
    written_class: Option<String>,
    is_phi: bool,
    /// The block that is written after the value of a PHI.
    edge: Option<u32>,
    is_killed: bool,
    is_undefined: bool,
    /// Whether the name is written before the opcode.
    pub(super) is_result: bool,
    parts: FxHashMap<Class, Vec<String>>,
}

impl<'c> Registers<'c> {
    pub(super) fn new(
        cx: &Cx<'_>,
        f: &'c Function,
        tables: &'static Tables,
        typed: &Typed<'_>,
        word: TextRange,
    ) -> Self {
        let all = virtuals(f);
        let line = cx.text.get(..usize::from(word.start())).and_then(|text| text.rfind('\n')).unwrap_or(0);
        let reaching = Reaching::new(cx, f, TextSize::new(line as u32), word.start());
        let after = cx.text.get(usize::from(word.end())..).unwrap_or("");
        let written = after.strip_prefix('(').and_then(|after| after.split_once(')'));
        let class = after.strip_prefix(':').and_then(|after| after.split([' ', '(', ',', '\n']).next());
        let named = |operand: &str| all.get(register_index(f, register(operand))? as usize)?.ty;
        // Where only a part of a register is written, its class says nothing of the whole.
        let wanted = match after.starts_with('.') {
            true => Wanted::Anything,
            false => wanted(typed, tables, cx.scope.rows_of(Some(f), tables), named),
        };
        let is_flag = |word: &str| flag_words::REGISTER.iter().any(|(flag, _)| *flag == word);
        let has_flag = |flag: &str| typed.flags.split_whitespace().any(|word| word == flag);
        Registers {
            f,
            tables,
            reaching,
            wanted,
            written: written.map(|(ty, _)| ty.to_owned()),
            written_class: class.map(str::to_owned),
            is_phi: typed.is_phi(),
            edge: after.strip_prefix(", %bb.").and_then(|rest| {
                let number = rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()?;
                Some(block_index(f, number)? as u32)
            }),
            is_killed: has_flag("killed"),
            is_undefined: has_flag("undef"),
            is_result: typed.opcode.is_empty() || typed.opcode.starts_with('%') || is_flag(typed.opcode),
            all,
            parts: FxHashMap::default(),
        }
    }

    /// The order of a register in the list; `None` where it may not be the operand.
    pub(super) fn rank(&self, index: u32) -> Option<u8> {
        let own = *self.all.get(index as usize)?;
        let is_typed = |ty: &String| own.ty.is_none_or(|own| own.to_string() == *ty);
        let class = self.f.names.get(own.class);
        let has_class = own.class.is_some();
        if has_class && self.written_class.as_ref().is_some_and(|written| *written != class) {
            return None;
        }
        if self.is_result {
            // In SSA form there is one definition of each.
            // One that is used and has no definition is what is missing.
            let is_free = !self.reaching.has_definition(index);
            return (is_free || !self.reaching.is_ssa).then_some(u8::from(!is_free));
        }
        if !self.is_defined(index) || !self.written.as_ref().is_none_or(is_typed) {
            return None;
        }
        match &self.wanted {
            Wanted::Anything => Some(1),
            // A class or bank without a type is not generic.
            Wanted::Type(_) | Wanted::Fits(..) if own.ty.is_none() => (!own.class.is_some()).then_some(2),
            Wanted::Type(ty) => own.ty.is_none_or(|own| own == *ty).then_some(1),
            Wanted::Fits(fits, other) => own.ty.is_none_or(|own| fits(own, *other)).then_some(1),
            Wanted::CopyTo(ty, to) => {
                let bits = |class: &Class| self.tables.class_bits(*class);
                let is_typed = ty.is_none_or(|ty| own.ty.is_none_or(|own| own == ty));
                let from = self.tables.class(class);
                let has_size = own.ty.is_some()
                    || ty.is_some()
                    || to.is_none_or(|to| from.is_none_or(|from| bits(&from) == bits(&to)));
                (is_typed && has_size).then_some(1)
            }
            Wanted::CopyToPhysical(register) => self.fits_register(own, *register).then_some(1),
            Wanted::Class(class) => self.fits_class(own, *class),
        }
    }

    /// Whether a value may be copied to a physical register.
    fn fits_register(&self, own: Virtual, register: Register) -> bool {
        let tables = self.tables;
        let (lanes, is_scalable) = own.ty.map_or((1, false), Type::lanes);
        let (size, listed) = match own.ty {
            // A register has room for the types of its classes, whatever its size.
            Some(ty) => {
                let Some(each) = bits(ty) else { return true };
                let listed = if ty.is_vector() { lanes as u16 | u16::from(is_scalable) << 15 } else { 0 };
                (lanes as u32 * each, tables.is_for_type(register, listed, each as u16))
            }
            None => match tables.class(self.f.names.get(own.class)) {
                Some(class) => (tables.class_bits(class), tables.is_for_any_type(register)),
                None => return true,
            },
        };
        listed || tables.minimal_class(register).is_none_or(|class| tables.class_bits(class) == size)
    }

    fn fits_class(&self, own: Virtual, wanted: Class) -> Option<u8> {
        let (tables, name) = (self.tables, self.f.names.get(own.class));
        if name.is_empty() {
            return Some(2);
        }
        let class = tables.class(name)?;
        if tables.is_subclass(wanted, class) {
            return Some(1);
        }
        None
    }

    /// The parts of a register that may be the operand where the register may not.
    pub(super) fn parts(&mut self, index: u32) -> &[String] {
        let own = self.all.get(index as usize).map(|own| own.class);
        let class = own.and_then(|own| self.tables.class(self.f.names.get(own)));
        let (Wanted::Class(wanted), Some(class), true) = (&self.wanted, class, self.is_defined(index)) else {
            return &[];
        };
        let (wanted, tables) = (*wanted, self.tables);
        self.parts.entry(class).or_insert_with(|| {
            let indices = (0..tables.sub_index_count() as u16).map(SubIndex);
            let fits = |i: &SubIndex| {
                tables.part_class(class, *i).is_some_and(|part| tables.is_subclass(wanted, part))
            };
            indices.filter(fits).map(|i| tables.sub_index_name(i)).filter(|name| !name.is_empty()).collect()
        })
    }

    /// Whether the register has a value at the cursor, and may lose it there where the operand is killed.
    fn is_defined(&self, index: u32) -> bool {
        let reaching = &self.reaching;
        if self.is_undefined {
            return reaching.has_definition(index);
        }
        let has_value = match self.is_phi {
            true => reaching.has_value_on_edge(index, self.edge),
            false => reaching.has_value(index),
        };
        has_value && (!self.is_killed || reaching.is_last_use(index))
    }

    /// Whether the block may be the operand: of a PHI, one that control comes from.
    pub(super) fn is_target(&self, block: usize) -> bool {
        !self.is_phi || self.reaching.is_predecessor(block)
    }
}

/// What the operand's type or class must be, from the opcode and what is written before it.
fn wanted(
    typed: &Typed<'_>,
    tables: &Tables,
    rows: CpuRows,
    type_of: impl Fn(&str) -> Option<Type>,
) -> Wanted {
    let Some(desc) = typed.desc(tables) else { return Wanted::Anything };
    if typed.opcode == "COPY" {
        let result = typed.results.first().copied().unwrap_or("");
        let physical = result.split_once('$').and_then(|(_, name)| tables.register(name));
        if let Some(physical) = physical {
            return Wanted::CopyToPhysical(physical);
        }
        let class = result.split_once(':').map_or("", |(_, class)| class.split('(').next().unwrap_or(""));
        return Wanted::CopyTo(type_of(result), tables.class(class));
    }
    let Some(operand) = typed.operand(&desc) else { return Wanted::Anything };
    if let Some(class) = tables.operand_class(&operand, rows) {
        return Wanted::Class(class);
    }
    let Some(number) = operand.type_index() else { return Wanted::Anything };
    let result = typed.results.first().and_then(|result| type_of(result));
    // Another operand of the same number is written already.
    let before = typed.results.iter().chain(&typed.operands).enumerate();
    let same = before.filter(|(at, _)| desc.operand(*at).and_then(|o| o.type_index()) == Some(number));
    if let Some(ty) = same.filter_map(|(_, text)| type_of(text)).next() {
        return Wanted::Type(ty);
    }
    match (typed.opcode, typed.operands.len()) {
        ("G_TRUNC" | "G_FPTRUNC", 0) => Wanted::Fits(is_wider, result),
        ("G_ZEXT" | "G_SEXT" | "G_ANYEXT" | "G_FPEXT", 0) => Wanted::Fits(is_narrower, result),
        ("G_LOAD" | "G_SEXTLOAD" | "G_ZEXTLOAD" | "G_PTRTOINT", 0) | ("G_STORE", 1) => {
            Wanted::Fits(|ty, _| is_pointer(ty), None)
        }
        (opcode, 0) if opcode.starts_with("G_ATOMIC") => Wanted::Fits(|ty, _| is_pointer(ty), None),
        ("G_INTTOPTR", 0) | ("G_PTR_ADD", 1) => Wanted::Fits(|ty, _| !is_pointer(ty), None),
        ("G_BRCOND", 0) => Wanted::Fits(|ty, _| !is_pointer(ty) && !ty.is_vector(), None),
        _ => Wanted::Anything,
    }
}

fn is_pointer(ty: Type) -> bool {
    matches!(ty.element(), Type::Pointer(_))
}

/// The bits of a scalar or of the elements of a vector; `None` for pointers.
fn bits(ty: Type) -> Option<u32> {
    match ty.element() {
        Type::Scalar(bits) => Some(bits),
        _ => None,
    }
}

fn is_wider(ty: Type, other: Option<Type>) -> bool {
    other.is_none_or(|other| ty.lanes() == other.lanes() && bits(ty) > bits(other))
}

fn is_narrower(ty: Type, other: Option<Type>) -> bool {
    other.is_none_or(|other| ty.lanes() == other.lanes() && bits(ty).is_some() && bits(ty) < bits(other))
}
