//! Operands of instructions.

use wavelens_syntax::machine::Element as Part;
use wavelens_syntax::mir::{MirKind, asm_words, sized_type, vector_elements};

use super::super::model::*;
use super::body::*;
use super::{N, T};

pub(super) fn register_flags(node: N<'_>, definition: bool) -> u16 {
    if node.kind() != MirKind::REGISTER {
        return 0;
    }
    let mut flags = if definition { operand_flag::DEF } else { 0 };
    for token in node.tokens() {
        if token.kind() != MirKind::REGISTER_FLAG {
            break;
        }
        flags |= match token.text() {
            "implicit" => operand_flag::IMPLICIT,
            "implicit-def" => operand_flag::IMPLICIT | operand_flag::DEF,
            "def" => operand_flag::DEF,
            "dead" => operand_flag::DEAD,
            "killed" => operand_flag::KILLED,
            "undef" => operand_flag::UNDEF,
            "internal" => operand_flag::INTERNAL,
            "early-clobber" => operand_flag::EARLY_CLOBBER,
            "debug-use" => operand_flag::DEBUG,
            _ => operand_flag::RENAMABLE,
        };
    }
    flags
}

fn register(node: N<'_>, f: &mut Function) -> Option<OperandKind> {
    let mut name = None;
    let (mut sub, mut class) = (Symbol::NONE, Symbol::NONE);
    let (mut ty, mut tied) = (None, None);
    let mut before = MirKind::EOF;
    for part in node.elements() {
        match part {
            Part::Node(inner) if inner.kind() == MirKind::TYPE => ty = low_level_type(inner),
            Part::Node(_) => {}
            Part::Token(token) => {
                let text = token.text();
                match (token.kind(), before) {
                    (MirKind::IDENT, MirKind::DOT) => sub = f.names.add(text),
                    (MirKind::IDENT | MirKind::UNDERSCORE, MirKind::COLON) => class = f.names.add(text),
                    (MirKind::INT, MirKind::TIED_DEF_KW) => tied = text.parse().ok(),
                    (MirKind::UNDERSCORE, _) => name = Some(RegisterName::None),
                    (MirKind::PHYSREG, _) => {
                        // LLVM finds no register by an empty name.
                        let register = text.get(1..).filter(|name| !name.is_empty()).unwrap_or("noreg");
                        name = Some(RegisterName::Physical(f.names.add(register)));
                    }
                    (MirKind::VREG, _) => {
                        let number = text.get(1..).and_then(|n| n.parse().ok()).unwrap_or(u32::MAX);
                        name = Some(RegisterName::Virtual(
                            f.register(VirtualName::Number(number), token.range()),
                        ));
                    }
                    (MirKind::NAMED_VREG, _) => {
                        let symbol = f.names.add(text.get(1..).unwrap_or(""));
                        name =
                            Some(RegisterName::Virtual(f.register(VirtualName::Name(symbol), token.range())));
                    }
                    _ => {}
                }
                before = token.kind();
            }
        }
    }
    name.map(|name| OperandKind::Register(RegisterOperand { name, sub, class, ty, tied }))
}

/// A `TYPE` node.
pub(super) fn low_level_type(node: N<'_>) -> Option<Type> {
    let (mut scalable, mut lanes, mut vector) = (false, 0u16, false);
    for token in node.tokens() {
        match (token.kind(), token.text()) {
            (MirKind::LESS, _) => vector = true,
            (MirKind::IDENT, "vscale") => scalable = true,
            (MirKind::IDENT, "x") => {}
            (MirKind::INT, text) => lanes = vector_elements(text)?,
            (MirKind::IDENT, text) => {
                let (letter, number) = sized_type(text)?;
                let number = u32::try_from(number).ok()?;
                return match (vector, letter) {
                    (false, b'p') => Some(Type::Pointer(number)),
                    (false, _) if number == 0 => Some(Type::Token),
                    (false, _) => Some(Type::Scalar(number)),
                    (true, b'p') => Some(Type::Vector { scalable, lanes, element: Element::Pointer(number) }),
                    (true, _) => Some(Type::Vector { scalable, lanes, element: Element::Scalar(number) }),
                };
            }
            _ => {}
        }
    }
    None
}

pub(super) fn operand(
    node: N<'_>,
    kind: MirKind,
    _definition: bool,
    f: &mut Function,
) -> Option<OperandKind> {
    let first = node.first_token();
    let text = first.map_or("", T::text);
    let listed = |f: &mut Function| {
        let start = f.listed_registers.len();
        for token in node.tokens().filter(|t| t.kind() == MirKind::PHYSREG) {
            let name = f.names.add(token.text().get(1..).unwrap_or(""));
            f.listed_registers.push((name, token.range()));
        }
        span(start, f.listed_registers.len())
    };
    Some(match kind {
        MirKind::REGISTER => return register(node, f),
        MirKind::IMMEDIATE if first?.kind() == MirKind::IDENT => OperandKind::Immediate(asm_words(
            node.tokens().filter(|token| token.kind() == MirKind::IDENT).map(T::text),
        )?),
        MirKind::IMMEDIATE => OperandKind::Immediate(
            text.parse::<i64>().ok().or_else(|| text.parse::<u64>().ok().map(|v| v as i64))?,
        ),
        MirKind::TYPED_IMMEDIATE => {
            let (letter, bits) = sized_type(text)?;
            let bits = u32::try_from(bits).ok()?;
            let value = node.tokens().nth(1).map_or("", T::text);
            let boolean = matches!(value, "true" | "false");
            let value = if boolean { Some(i128::from(value == "true")) } else { value.parse().ok() };
            OperandKind::TypedImmediate { letter, bits, value, boolean }
        }
        MirKind::FP_IMMEDIATE => fp_immediate(text, node.tokens().nth(1).map_or("", T::text)),
        MirKind::MNEMONIC_IMMEDIATE => OperandKind::Mnemonic,
        MirKind::BLOCK_REF => {
            let (number, name) = numbered(text, "%bb.");
            OperandKind::Block(number, f.names.add(name))
        }
        MirKind::FRAME_REF => {
            let (fixed, id, name) = frame(first?, f);
            OperandKind::Frame { fixed, id, name }
        }
        MirKind::CONSTANT_POOL_REF => OperandKind::ConstantPool(numbered(text, "%const.").0),
        MirKind::JUMP_TABLE_REF => OperandKind::JumpTable(numbered(text, "%jump-table.").0),
        MirKind::GLOBAL_REF => OperandKind::Global(global(first?, f)),
        MirKind::EXTERNAL_REF => OperandKind::External,
        MirKind::MCSYMBOL_REF => OperandKind::McSymbol,
        MirKind::SUBREG_REF => OperandKind::SubIndex(f.names.add(&bare(text, "%subreg."))),
        MirKind::METADATA_REF => {
            let before = f.metadata.len();
            metadata_numbers(node, f);
            match f.metadata.get(before) {
                Some(node) => OperandKind::Metadata(node.number),
                None => OperandKind::Expression,
            }
        }
        MirKind::CFI => {
            listed(f);
            OperandKind::Cfi(f.names.add(text))
        }
        MirKind::BLOCK_ADDRESS => {
            let function = node.token(MirKind::GLOBAL).map_or(Symbol::NONE, |t| global(t, f));
            let block = node.token(MirKind::IR_BLOCK).map_or("", T::text);
            OperandKind::BlockAddress(function, f.names.add(&bare(block, "%ir-block.")))
        }
        MirKind::INTRINSIC => OperandKind::Intrinsic(match node.token(MirKind::GLOBAL) {
            Some(token) => global(token, f),
            None => Symbol::NONE,
        }),
        MirKind::PREDICATE => OperandKind::Predicate(first?.kind() == MirKind::FLOATPRED_KW),
        MirKind::SHUFFLE_MASK => {
            let start = f.masks.len();
            for token in node.tokens() {
                match token.kind() {
                    MirKind::INT => f.masks.push(token.text().parse().unwrap_or(i32::MAX)),
                    MirKind::REGISTER_FLAG => f.masks.push(-1),
                    _ => {}
                }
            }
            OperandKind::ShuffleMask(span(start, f.masks.len()))
        }
        MirKind::LANE_MASK => OperandKind::LaneMask(lane_mask(node)),
        MirKind::REGISTER_MASK => OperandKind::Mask(f.names.add(text)),
        MirKind::CUSTOM_MASK => OperandKind::CustomMask(listed(f)),
        MirKind::LIVEOUT => OperandKind::LiveOut(listed(f)),
        MirKind::TARGET_INDEX => OperandKind::TargetIndex(symbol_of(node, MirKind::IDENT, 0, f)),
        MirKind::DBG_INSTR_REF => OperandKind::DebugRef,
        _ => return None,
    })
}

fn lane_mask(node: N<'_>) -> Option<u64> {
    match node.token(MirKind::HEX) {
        Some(hex) => u64::from_str_radix(hex.text().strip_prefix("0x")?, 16).ok(),
        None => node.token(MirKind::INT)?.text().parse().ok(),
    }
}

/// Width and exactness of `float 1.0`: LLVM rejects a decimal that the type cannot hold exactly.
fn fp_immediate(ty: &str, value: &str) -> OperandKind {
    let bits = match ty {
        "half" | "bfloat" => 16,
        "float" => 32,
        "double" => 64,
        "x86_fp80" => 80,
        _ => 128,
    };
    let hex_prefix = value.get(..3).unwrap_or("");
    let special = match hex_prefix {
        "0xH" => Some("half"),
        "0xR" => Some("bfloat"),
        "0xK" => Some("x86_fp80"),
        "0xL" => Some("fp128"),
        "0xM" => Some("ppc_fp128"),
        _ => None,
    };
    let exact = match special {
        Some(wanted) => wanted == ty,
        None => {
            let value = match value.strip_prefix("0x").or(value.strip_prefix("0X")) {
                Some(hex) => u64::from_str_radix(hex, 16).ok().map(f64::from_bits),
                None => value.parse::<f64>().ok(),
            };
            value.is_some_and(|v| match ty {
                "double" => true,
                "float" => v.is_nan() || f64::from(v as f32) == v,
                "half" => fits(v, 10, -24, 15),
                "bfloat" => fits(v, 7, -133, 127),
                _ => false,
            })
        }
    };
    OperandKind::FpImmediate { bits, exact }
}

/// Whether a value has at most `precision` bits after the first, none below 2^`lowest`, and a magnitude below 2^(`highest` + 1).
fn fits(value: f64, precision: i32, lowest: i32, highest: i32) -> bool {
    if value == 0.0 || !value.is_finite() {
        return true;
    }
    let bits = value.abs().to_bits();
    let exponent = (bits >> 52) as i32 - 1023;
    let mantissa = bits & ((1 << 52) - 1) | 1 << 52;
    let last = exponent - 52 + mantissa.trailing_zeros() as i32;
    exponent <= highest && exponent - last <= precision && last >= lowest
}

#[cfg(test)]
mod tests {
    use super::fits;

    /// The largest and the smallest number of a format, and the first ones that it does not hold.
    #[test]
    fn numbers_fit_a_format() {
        let half = |value| fits(value, 10, -24, 15);
        let bfloat = |value| fits(value, 7, -133, 127);
        let smallest = |exponent: i32| 2f64.powi(exponent);
        for value in
            [0.0, 1.0, -2.5, 65504.0, smallest(-24), smallest(-14) + smallest(-24), f64::INFINITY, f64::NAN]
        {
            assert!(half(value), "{value}");
        }
        for value in
            [0.1, 65520.0, 65536.0, 2049.0, smallest(-25), smallest(-14) + smallest(-25), 1.0 + smallest(-11)]
        {
            assert!(!half(value), "{value}");
        }
        for value in [256.0, 1.0 + smallest(-7), smallest(127), smallest(-133)] {
            assert!(bfloat(value), "{value}");
        }
        for value in [257.0, 1.0 + smallest(-8), smallest(128), smallest(-134)] {
            assert!(!bfloat(value), "{value}");
        }
    }
}
