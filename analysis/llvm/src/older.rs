//! A module as older versions of LLVM read it: for the installed compiler, when a newer one wrote the text.
//!
//! LLVM 24 reads all of the older forms too, so which version is installed plays no part. Line numbers stay.

use rustc_apfloat::ieee::{BFloat, Double, Half, Single};
use rustc_apfloat::{Float, FloatConvert, Round, Status};
use wavelens_syntax::llvm::LlvmKind::{self, *};

use wavelens_base::{TextEdit, TextRange};

/// A text in the form of LLVM 22, and what was rewritten in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Older {
    /// With the same lines.
    pub text: String,
    /// `the triple`, `literals`, ...: each once, in the order of their first place.
    pub rewritten: Vec<&'static str>,
}

/// `None` for a text that LLVM 22 reads as it is.
pub fn in_older_form(text: &str) -> Option<Older> {
    let mut rewriter = Rewriter { text, tokens: tokens(text), edits: Vec::new(), rewritten: Vec::new() };
    rewriter.run();
    let Rewriter { edits, rewritten, .. } = rewriter;
    let text = TextEdit::apply_all(text, &edits).filter(|_| !edits.is_empty())?;
    Some(Older { text, rewritten })
}

fn tokens(text: &str) -> Vec<(LlvmKind, TextRange)> {
    let lexed = wavelens_syntax::llvm::lex(text);
    let all = (0..lexed.len()).map(|i| (lexed.kind(i), lexed.range(i)));
    all.filter(|(kind, _)| !matches!(kind, WHITESPACE | COMMENT)).collect()
}

struct Rewriter<'t> {
    text: &'t str,
    tokens: Vec<(LlvmKind, TextRange)>,
    edits: Vec<TextEdit>,
    rewritten: Vec<&'static str>,
}

impl Rewriter<'_> {
    fn word(&self, at: usize) -> &str {
        let range = self.tokens.get(at).map(|(_, range)| std::ops::Range::<usize>::from(*range));
        range.and_then(|range| self.text.get(range)).unwrap_or("")
    }

    fn replace(&mut self, what: &'static str, from: usize, to: usize, new: impl Into<String>) {
        let (Some((_, first)), Some((_, last))) = (self.tokens.get(from), self.tokens.get(to)) else {
            return;
        };
        self.edits.push(TextEdit::new(first.cover(*last), new.into()));
        if !self.rewritten.contains(&what) {
            self.rewritten.push(what);
        }
    }

    fn run(&mut self) {
        // The last type of a number decides what a literal after it is.
        let mut ty = String::new();
        let mut at = 0;
        while at < self.tokens.len() {
            let kind = self.tokens.get(at).map_or(BAD, |(kind, _)| *kind);
            match kind {
                FLOAT_TYPE_KW => ty = self.word(at).to_owned(),
                HEX_FLOAT | FLOAT => {
                    if let Some(old) = literal(self.word(at), &ty) {
                        self.replace("literals", at, at, old);
                    }
                }
                DENORMAL_FPENV_KW => at = self.denormal_fpenv(at),
                PREFALIGN_KW => {
                    let end = self.closing(at);
                    self.replace("attributes", at, end, "");
                    at = end;
                }
                ATTR_KW if matches!(self.word(at), "flatten" | "noipa" | "nofreeobj" | "nooutline") => {
                    self.replace("attributes", at, at, "");
                }
                NNEG_CAST_KW | CAST_KW if matches!(self.word(at), "uitofp" | "sitofp") => {
                    while self.tokens.get(at + 1).is_some_and(|(kind, _)| *kind == FAST_FLAG_KW) {
                        at += 1;
                        self.replace("fast-math flags", at, at, "");
                    }
                }
                STRING if at >= 3 && self.word(at - 3) == "target" && self.word(at - 2) == "triple" => {
                    let triple = self.word(at).trim_matches('"');
                    if let Some(old) = wavelens_isa::older_triple(triple) {
                        self.replace("the triple", at, at, format!("\"{old}\""));
                    }
                }
                GLOBAL if self.word(at).starts_with(BUFFER) => self.buffer_resource(at),
                _ => {}
            }
            at += 1;
        }
    }

    /// The `)` that ends the arguments after a token, and the commas between these.
    fn arguments(&self, at: usize) -> (usize, Vec<usize>) {
        let (mut depth, mut commas) = (0_usize, Vec::new());
        for (index, (kind, _)) in self.tokens.iter().enumerate().skip(at) {
            match kind {
                L_PAREN => depth += 1,
                R_PAREN if depth <= 1 => return (index, commas),
                R_PAREN => depth -= 1,
                COMMA if depth == 1 => commas.push(index),
                _ => {}
            }
        }
        (at, commas)
    }

    fn closing(&self, at: usize) -> usize {
        self.arguments(at).0
    }

    /// `denormal_fpenv(dynamic, float: preservesign)` as string attributes. Returns the last token that was read.
    fn denormal_fpenv(&mut self, at: usize) -> usize {
        let end = self.closing(at);
        let words: String = (at + 2..end).map(|i| self.word(i)).collect();
        let mut attributes = Vec::new();
        for part in words.split(',') {
            let (key, modes) = match part.strip_prefix("float:") {
                Some(modes) => ("denormal-fp-math-f32", modes),
                None => ("denormal-fp-math", part),
            };
            let (result, operand) = modes.split_once('|').unwrap_or((modes, modes));
            let name = |mode: &str| match mode {
                "preservesign" => "preserve-sign".to_owned(),
                "positivezero" => "positive-zero".to_owned(),
                mode => mode.to_owned(),
            };
            attributes.push(format!("\"{key}\"=\"{},{}\"", name(result), name(operand)));
        }
        self.replace("attributes", at, end, attributes.join(" "));
        end
    }

    /// The size of a buffer was an `i64` without a suffix in the name.
    fn buffer_resource(&mut self, at: usize) {
        let Some(name) = self.word(at).strip_suffix(".i32").map(str::to_owned) else { return };
        let (_, commas) = self.arguments(at);
        // Of a size that is not a constant LLVM 22 reports what it thinks of it.
        let size = commas.get(1).map(|comma| comma + 1).filter(|size| self.word(*size) == "i32");
        let Some(size) = size else { return };
        let is_declared = self.word(size + 1) == ",";
        if !is_declared && self.tokens.get(size + 1).is_none_or(|(kind, _)| *kind != NUMBER) {
            return;
        }
        self.replace("buffer resources", at, at, name);
        self.replace("buffer resources", size, size, "i64");
    }
}

const BUFFER: &str = "@llvm.amdgcn.make.buffer.rsrc.";

/// The literal as LLVM 22 writes it; `None` if it reads this one.
fn literal(text: &str, ty: &str) -> Option<String> {
    let bits = match text.strip_prefix("f0x") {
        Some(digits) => u128::from_str_radix(digits, 16).ok()?,
        None if text.contains('.') => match ty {
            "half" => rounded::<Half>(text)?,
            "bfloat" => rounded::<BFloat>(text)?,
            "float" => rounded::<Single>(text)?,
            "double" if text.starts_with("0x") => {
                Double::from_str_r(text, Round::NearestTiesToEven).ok()?.value.to_bits()
            }
            _ => return None,
        },
        None if text.starts_with("0x") => return None,
        None => special(text, ty)?,
    };
    Some(match ty {
        "half" => format!("0xH{bits:04X}"),
        "bfloat" => format!("0xR{bits:04X}"),
        "float" => {
            let bits = u32::try_from(bits).ok()?;
            let double = match bits >> 23 & 0xff {
                // Of a NaN all bits are kept.
                0xff => u64::from(bits >> 31) << 63 | 0x7ff << 52 | u64::from(bits & 0x7f_ffff) << 29,
                _ => {
                    let double: Double = Single::from_bits(bits.into()).convert(&mut false).value;
                    u64::try_from(double.to_bits()).ok()?
                }
            };
            format!("0x{double:016X}")
        }
        "double" => format!("0x{bits:016X}"),
        "x86_fp80" => format!("0xK{bits:020X}"),
        // Quad formats are written with their low half first.
        "fp128" => format!("0xL{:032X}", bits.rotate_right(64)),
        "ppc_fp128" => format!("0xM{:032X}", bits.rotate_right(64)),
        _ => return None,
    })
}

/// The bits of a number that a format must round, or that is written with a binary exponent; `None` of others.
fn rounded<F: Float>(text: &str) -> Option<u128> {
    let parsed = F::from_str_r(text, Round::NearestTiesToEven).ok()?;
    (parsed.status != Status::OK || text.starts_with("0x")).then(|| parsed.value.to_bits())
}

/// Bits of `+inf`, `-qnan`, `+nan(0x1)` and `+snan(0x1)` in a format.
fn special(text: &str, ty: &str) -> Option<u128> {
    let (exponent, fraction) = match ty {
        "half" => (5, 10),
        "bfloat" => (8, 7),
        "float" => (8, 23),
        "double" => (11, 52),
        _ => return None,
    };
    let sign = u128::from(text.starts_with('-')) << (exponent + fraction);
    let infinity = ((1_u128 << exponent) - 1) << fraction;
    let quiet = 1_u128 << (fraction - 1);
    let (word, payload) = text.get(1..)?.split_once("(0x").unwrap_or((text.get(1..)?, "0)"));
    let payload = u128::from_str_radix(payload.trim_end_matches(')'), 16).ok()? & (quiet - 1);
    Some(
        sign | infinity
            | match word {
                "inf" => 0,
                "snan" => payload.max(1),
                _ => quiet | payload,
            },
    )
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn newer_words_have_an_older_form() {
        let text = r#"target triple = "amdgpu9.42-amd-amdhsa"
define float @f(half %h, i32 %x) denormal_fpenv(dynamic, float: preservesign|ieee) noipa {
  %a = fmul half %h, f0x3C00
  %b = fadd half %a, 0.1
  %c = uitofp fast nneg i32 %x to float
  %d = fadd float %c, 0.1
  %e = fadd float %d, 1.5
  %f = fadd float %e, +inf
  %g = fadd float %f, f0x7FC00001
  %r = call ptr addrspace(7) @llvm.amdgcn.make.buffer.rsrc.p7.p1.i32(ptr addrspace(1) null, i16 0, i32 65536, i32 1)
  ret float %g
}
declare ptr addrspace(7) @llvm.amdgcn.make.buffer.rsrc.p7.p1.i32(ptr addrspace(1), i16, i32, i32)
"#;
        let older = in_older_form(text).expect("newer text");
        expect![[r#"
            target triple = "amdgcn-amd-amdhsa"
            define float @f(half %h, i32 %x) "denormal-fp-math"="dynamic,dynamic" "denormal-fp-math-f32"="preserve-sign,ieee"  {
              %a = fmul half %h, 0xH3C00
              %b = fadd half %a, 0xH2E66
              %c = uitofp  nneg i32 %x to float
              %d = fadd float %c, 0x3FB99999A0000000
              %e = fadd float %d, 1.5
              %f = fadd float %e, 0x7FF0000000000000
              %g = fadd float %f, 0x7FF8000020000000
              %r = call ptr addrspace(7) @llvm.amdgcn.make.buffer.rsrc.p7.p1(ptr addrspace(1) null, i16 0, i64 65536, i32 1)
              ret float %g
            }
            declare ptr addrspace(7) @llvm.amdgcn.make.buffer.rsrc.p7.p1(ptr addrspace(1), i16, i64, i32)
        "#]]
        .assert_eq(&older.text);
        assert_eq!(
            older.rewritten,
            ["the triple", "attributes", "literals", "fast-math flags", "buffer resources"]
        );
        assert_eq!(in_older_form("define float @f() {\n  ret float 1.5\n}\n"), None);
    }

    /// The bits of infinities and of values that are not numbers: sign, exponent, quiet bit, payload.
    #[test]
    fn special_values_have_the_bits_of_their_format() {
        let mut shown = String::new();
        for ty in ["half", "bfloat", "float", "double", "fp128"] {
            for text in
                ["+inf", "-inf", "+qnan", "-qnan", "+nan(0x1)", "-nan(0x3)", "+snan(0x1)", "+snan(0x0)"]
            {
                let bits = special(text, ty).map_or("unknown".to_owned(), |bits| format!("{bits:X}"));
                shown += &format!("{ty} {text} {bits}\n");
            }
        }
        expect![[r#"
            half +inf 7C00
            half -inf FC00
            half +qnan 7E00
            half -qnan FE00
            half +nan(0x1) 7E01
            half -nan(0x3) FE03
            half +snan(0x1) 7C01
            half +snan(0x0) 7C01
            bfloat +inf 7F80
            bfloat -inf FF80
            bfloat +qnan 7FC0
            bfloat -qnan FFC0
            bfloat +nan(0x1) 7FC1
            bfloat -nan(0x3) FFC3
            bfloat +snan(0x1) 7F81
            bfloat +snan(0x0) 7F81
            float +inf 7F800000
            float -inf FF800000
            float +qnan 7FC00000
            float -qnan FFC00000
            float +nan(0x1) 7FC00001
            float -nan(0x3) FFC00003
            float +snan(0x1) 7F800001
            float +snan(0x0) 7F800001
            double +inf 7FF0000000000000
            double -inf FFF0000000000000
            double +qnan 7FF8000000000000
            double -qnan FFF8000000000000
            double +nan(0x1) 7FF8000000000001
            double -nan(0x3) FFF8000000000003
            double +snan(0x1) 7FF0000000000001
            double +snan(0x0) 7FF0000000000001
            fp128 +inf unknown
            fp128 -inf unknown
            fp128 +qnan unknown
            fp128 -qnan unknown
            fp128 +nan(0x1) unknown
            fp128 -nan(0x3) unknown
            fp128 +snan(0x1) unknown
            fp128 +snan(0x0) unknown
        "#]]
        .assert_eq(&shown);
    }
}
