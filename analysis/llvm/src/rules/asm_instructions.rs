//! Instructions of inline assembly, assembled for the function's processor with registers in place of operands.

use wavelens_isa::{Target, WaveSize};

use super::call_site::Site;
use super::target::target;
use crate::attribute_set::AttributeSet;
use crate::operand::{Const, Operand, Value};
use crate::types::{Type, TypeId};
use wavelens_base::{Diagnostic, Options, Severity, TextRange, Verdict};

wavelens_syntax::rules! {
    ASM_INSTRUCTION {
        code: "asm-instruction",
        severity: Severity::Warning,
        title: "the instructions of inline assembly assemble for the function's processor",
        explain: "The verifier does not read the string, and `llc` copies it into its assembly: only the assembler reports what is \
            wrong. Each operand (`$0`, `${1}`) is replaced by a register of the kind and size that its constraint and type ask for, \
            and the instructions are assembled for the processor of the function (`target-cpu`), the project or the command line; without one, names that no processor has are reported. \
            Strings with operands whose kind is not known, such as memory, are not checked. Waits and wait states that one instruction of a \
            string needs before another are reported as in assembly: the compiler inserts none into a string.",
        example: r#"target triple = "amdgcn-amd-amdhsa"
define i32 @f(i64 %x) "target-cpu"="gfx942" {
  %y = call i32 asm "v_mov_b32 $0, $1", "=v,v"(i64 %x)
  ret i32 %y
}
"#,
        fixed: r#"target triple = "amdgcn-amd-amdhsa"
define i32 @f(i32 %x) "target-cpu"="gfx942" {
  %y = call i32 asm "v_mov_b32 $0, $1", "=v,v"(i32 %x)
  ret i32 %y
}
"#,
        source: "LLVM AMDGPU assembler (`llc -filetype=obj`); LLVM Language Reference, \"Inline Assembler Expressions\"",
    }
}

/// Longer strings are not checked.
const MAX_LENGTH: usize = 1 << 16;

/// A character with its place in the file's text.
pub(super) type Placed = (u8, TextRange);

/// The characters of a string, with the places of their escapes.
fn characters(text: &str, start: u32) -> Vec<Placed> {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let escaped = text.get(at + 1..at + 3).and_then(|hex| u8::from_str_radix(hex, 16).ok());
        let (value, length) = match (byte, bytes.get(at + 1), escaped) {
            (b'\\', Some(b'\\'), _) => (b'\\', 2),
            (b'\\', _, Some(value)) => (value, 3),
            _ => (*byte, 1),
        };
        out.push((value, TextRange::at((start + at as u32).into(), (length as u32).into())));
        at += length;
    }
    out
}

/// The string of `asm ... "string", "constraints"`, with its place.
pub(super) fn template(callee: &str, start: u32) -> Option<Vec<Placed>> {
    let open = callee.find('"')? + 1;
    let length = callee.get(open..)?.find('"').filter(|length| *length <= MAX_LENGTH)?;
    Some(characters(callee.get(open..open + length)?, start + open as u32))
}

/// Hands out registers of each kind, aligned as every processor wants it.
struct Registers {
    next: [u32; 3],
    /// The same value may be in the same register: instructions read few different scalar registers.
    given: Vec<(Operand, String, String)>,
}

/// What each file of registers has besides those that the text names, if enough are left for operands.
fn beyond_named(text: &[Placed], constraints: &str) -> Option<[u32; 3]> {
    let bytes: Vec<u8> = text.iter().map(|(byte, _)| *byte).collect();
    let text = String::from_utf8_lossy(&bytes);
    let mut next = [0; 3];
    let words = |c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '[' | ':'));
    for word in text.split(words).chain(constraints.split(words)) {
        let Some(kind) = "vsa".find(word.get(..1).unwrap_or("none")) else { continue };
        let digits = |text: &str| {
            let text = text.trim_start_matches('[');
            text[..text.bytes().take_while(u8::is_ascii_digit).count()].parse::<u32>().ok()
        };
        let (first, last) = word[1..].split_once(':').unwrap_or((&word[1..], ""));
        next[kind] =
            next[kind].max(digits(last).or_else(|| digits(first)).map_or(0, |last| last.saturating_add(1)));
    }
    let is_enough = next.iter().zip([192, 64, 192]).all(|(next, limit)| *next <= limit);
    is_enough.then_some(next)
}

impl Registers {
    fn take(&mut self, prefix: &str, dwords: u32) -> String {
        let kind = match prefix {
            "v" => 0,
            "s" => 1,
            _ => 2,
        };
        let align = match (prefix, dwords) {
            (_, 1) => 1,
            ("s", 3..) => 4,
            _ => 2,
        };
        let first = self.next[kind].next_multiple_of(align);
        self.next[kind] = first + dwords;
        match dwords {
            1 => format!("{prefix}{first}"),
            _ => format!("{prefix}[{first}:{}]", first + dwords - 1),
        }
    }
}

/// Registers that a value of the type takes; `None` for those that depend on more than the type.
pub(super) fn dwords(site: &Site<'_, '_>, target: Target, ty: TypeId) -> Option<u32> {
    let types = &site.cx.types;
    if let Type::Ptr(space) = types.get(ty) {
        return match space {
            2 | 3 | 5 | 6 => Some(1),
            0 | 1 | 4 => Some(2),
            _ => None,
        };
    }
    if ty.is_error() || types.address_space(ty).is_some() {
        return None;
    }
    match site.cx.scope.layout.bits(site.cx.scope, types, ty)? {
        // With 16-bit registers, a half of one.
        16 if !target.facts().has_16_bit_registers => Some(1),
        bits @ 32..=1024 if bits % 32 == 0 => Some(bits as u32 / 32),
        _ => None,
    }
}

/// How an integer constant is printed: as a number with a sign if an instruction can hold it without a literal.
fn immediate(site: &Site<'_, '_>, operand: Operand) -> Option<String> {
    let value = match site.cx.constant(operand)? {
        Const::Int(value) => value,
        Const::Bool(value) => i64::from(value),
        _ => return None,
    };
    let bits = match site.cx.types.get(site.cx.ty(operand.ty)) {
        Type::Int(bits) if bits <= 64 => bits,
        _ => return None,
    };
    let mask = u64::MAX >> (64 - bits.max(1));
    Some(match value {
        -16..=64 => value.to_string(),
        _ => format!("{:#x}", value as u64 & mask),
    })
}

/// A result of the call, or an argument.
struct Carried {
    ty: TypeId,
    argument: Option<Operand>,
}

/// What is printed for an operand; `None` if that is not known.
fn place(
    site: &Site<'_, '_>,
    target: Target,
    constraint: &str,
    value: Carried,
    registers: &mut Registers,
) -> Option<String> {
    let Carried { ty, argument } = value;
    let code = constraint.trim_start_matches(['=', '&', '%']);
    if let Some(name) = code.strip_prefix('{').and_then(|c| c.strip_suffix('}')) {
        let single = |c: char| c.is_ascii_lowercase();
        let is_dword =
            name.starts_with(['v', 's', 'a']) && name.trim_start_matches(single).parse::<u32>().is_ok();
        let fits = !is_dword || dwords(site, target, ty) == Some(1);
        return fits.then(|| name.to_owned());
    }
    let prefix = match code.trim_start_matches('^') {
        "v" | "VA" => "v",
        "s" | "r" => "s",
        "a" => "a",
        "i" | "n" | "A" | "B" | "C" | "I" | "J" | "DA" | "DB" => return immediate(site, argument?),
        _ => return None,
    };
    let is_same = |(known, of, _): &&(Operand, String, String)| Some(*known) == argument && of == prefix;
    if let Some((.., name)) = registers.given.iter().find(is_same) {
        return Some(name.clone());
    }
    let name = registers.take(prefix, dwords(site, target, ty)?);
    registers.given.extend(argument.map(|a| (a, prefix.to_owned(), name.clone())));
    Some(name)
}

/// What is printed for a destination of `callbr`: a label that follows the text here.
const DESTINATION: &str = "callbr_destination";

/// What is printed for each operand, in the order of the constraints.
fn operands(site: &Site<'_, '_>, target: Target, constraints: &str, next: [u32; 3]) -> Vec<Option<String>> {
    let types = &site.cx.types;
    let results = match types.get(site.result) {
        Type::Struct { fields, .. } => types.list(fields),
        _ => &[site.result][..],
    };
    let mut results = results.iter().copied();
    let mut arguments = site.args().iter().copied();
    let mut registers = Registers { next, given: Vec::new() };
    let mut places: Vec<Option<String>> = Vec::new();
    let used = constraints.split(',').filter(|c| !c.is_empty() && !c.starts_with('~'));
    for constraint in used {
        if constraint.starts_with('!') {
            places.push(Some(DESTINATION.to_owned()));
            continue;
        }
        let is_indirect = constraint.trim_start_matches(['=', '&']).starts_with('*');
        let value = if constraint.starts_with('=') && !is_indirect {
            results.next().map(|ty| Carried { ty, argument: None })
        } else {
            arguments.next().map(|a| Carried { ty: site.cx.ty(a.ty), argument: Some(a) })
        };
        let shared = constraint.parse::<usize>().ok();
        places.push(match (shared, value) {
            (Some(output), _) => places.get(output).cloned().flatten(),
            (None, Some(value)) => place(site, target, constraint, value, &mut registers),
            (None, None) => None,
        });
    }
    places
}

/// The string as the assembler sees it, with the place of each byte; `None` if it names an operand that is not known.
fn substitute(text: &[Placed], places: &[Option<String>]) -> Option<(Vec<u8>, Vec<TextRange>)> {
    let (mut out, mut origin) = (Vec::new(), Vec::new());
    let mut at = 0;
    // Of alternatives for several dialects, `$(a|b$)`, the first one counts.
    let (mut in_alternatives, mut is_other) = (false, false);
    let byte = |at: usize| text.get(at).map(|(byte, _)| *byte);
    while let Some((value, range)) = text.get(at).copied() {
        at += 1;
        let mut add = |bytes: &[u8], range: TextRange| {
            if !is_other {
                out.extend_from_slice(bytes);
                origin.extend(std::iter::repeat_n(range, bytes.len()));
            }
        };
        match (value, byte(at)) {
            (b'|', _) if in_alternatives => is_other = true,
            (b'$', Some(b'$')) => {
                add(b"$", range);
                at += 1;
            }
            (b'$', Some(b'(')) => (in_alternatives, at) = (true, at + 1),
            (b'$', Some(b')')) => (in_alternatives, is_other, at) = (false, false, at + 1),
            (b'$', Some(b'{' | b'0'..=b'9')) => {
                let is_braced = byte(at) == Some(b'{');
                at += usize::from(is_braced);
                let digits: String =
                    (at..).map_while(byte).take_while(u8::is_ascii_digit).map(char::from).collect();
                at += digits.len();
                let place = places.get(digits.parse::<usize>().ok()?)?.as_deref()?;
                if is_braced {
                    // A modifier such as `:n` changes what is printed, but for `:l` of a label.
                    at += if place == DESTINATION && (byte(at), byte(at + 1)) == (Some(b':'), Some(b'l')) {
                        2
                    } else {
                        0
                    };
                    if byte(at) != Some(b'}') {
                        return None;
                    }
                    at += 1;
                }
                let end = text.get(at - 1).map_or(range, |(_, last)| *last);
                add(place.as_bytes(), range.cover(end));
            }
            (b'$', _) => return None,
            _ => add(&[value], range),
        }
    }
    Some((out, origin))
}

/// The processor of the function, if it is known.
pub(super) fn processor(site: &Site<'_, '_>) -> Option<Target> {
    let cx = site.cx;
    let attributes = AttributeSet::new(cx.scope, &cx.summary.tables, cx.function.attrs, |_| TypeId::ERROR);
    target(cx.scope, &attributes)
}

/// What a processor's assembler reports about a text; without a processor, what that of each one does.
pub(super) fn assembled_for(target: Option<Target>, text: &str) -> Vec<Diagnostic> {
    let id = target.map(|target| match Target::named(target.name()) {
        Some(own) if own == target => target.name().to_owned(),
        _ if target.wave_size() == WaveSize::W64 => format!("{}:wavefrontsize64+", target.name()),
        _ => format!("{}:wavefrontsize32+", target.name()),
    });
    let options = Options { target: id, ..Options::default() };
    wavelens_amdgpu::mistakes(text, &options)
}

/// The instructions that do not assemble.
pub(super) fn check(site: &Site<'_, '_>) -> Vec<Verdict> {
    find(site).unwrap_or_default()
}

fn find(site: &Site<'_, '_>) -> Option<Vec<Verdict>> {
    let cx = site.cx;
    let tables = &cx.body.tables;
    let Value::Asm(index) = tables.operand(site.call.callee).value else { return None };
    let amdgpu = cx.scope.triple.as_deref().is_some_and(wavelens_isa::is_amdgpu);
    let asm = tables.cold.asms.get(index as usize).filter(|_| amdgpu)?;
    let target = processor(site);
    let range = cx.operand_range(site.call.callee);
    let text = template(cx.text.get(std::ops::Range::<usize>::from(range))?, range.start().into())?;
    let constraints = tables.name(asm.constraints);
    let next = beyond_named(&text, constraints);
    // Without a processor only what none has is reported; the registers stand for any.
    let places =
        operands(site, target.or_else(|| Target::named("gfx900"))?, constraints, next.unwrap_or_default());
    let (mut bytes, origin) = substitute(&text, &places)?;
    if places.iter().flatten().any(|place| place == DESTINATION) {
        bytes.extend_from_slice(format!("\n{DESTINATION}:\n").as_bytes());
    }
    let found = assembled_for(target, &String::from_utf8(bytes).ok()?);
    let at = |offset: usize| origin.get(offset).copied();
    let wrong = |diagnostic: &Diagnostic| {
        let start = at(diagnostic.range.start().into()).or_else(|| origin.last().copied()).unwrap_or(range);
        let last = usize::from(diagnostic.range.end()).checked_sub(1).and_then(at);
        let end = last.filter(|last| last.end() >= start.end()).unwrap_or(start);
        site.wrong_at(start.cover(end), diagnostic.message.clone())
    };
    // Where the string names registers of its own, they may be those that stand for operands here.
    let is_reported = |d: &&Diagnostic| match target {
        None => d.rule.code == "unknown-instruction",
        Some(_) => d.severity == Severity::Error || next.is_some() && is_between_instructions(d.rule.code),
    };
    Some(found.iter().filter(is_reported).map(wrong).collect())
}

/// The compiler inserts neither waits nor `s_nop` into a string.
fn is_between_instructions(code: &str) -> bool {
    code == "missing-wait" || code.starts_with("hazard-")
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::{check, marks};

    #[test]
    fn instructions_are_checked_at_their_place() {
        marks(expect![[r#"
            target triple = "amdgcn-amd-amdhsa"
            define amdgpu_kernel void @k(float %x, i64 %y, half %h, ptr %p, ptr addrspace(3) %l) #0 {
              %a = call float asm "v_add_f32 $0, $1, $2", "=v,v,v"(float %x, float %x)
              %b = call float asm "v_foo_f32 $0, $1", "=v,v"(float %x)
            ;                      ^^^^^^^^^ warning[asm-instruction]: unknown instruction `v_foo_f32`; did you mean `v_cos_f32`, `v_floor_f32` or `v_log_f32`?
              call void asm sideeffect "; comment\0A  s_nop 0\0A\09v_mov_b32 v256, v0", ""()
            ;                                                                ^^^^ warning[asm-instruction]: unknown register `v256`; the last is `v255`
              call void asm sideeffect "s_mov_b64 s[1:2], 0\0As_foo", ""()
            ;                                     ^^^^^^ warning[asm-instruction]: `s[1:2]` must start at a multiple of 2
            ;                                                 ^^^^^ warning[asm-instruction]: unknown instruction `s_foo`
              call void asm sideeffect "s_mov_b64 s[0:1], $0", "{s[1:4]}"(i64 %y)
            ;                                                   ^^^^^^^^ warning[asm-constraint]: `s[1:4]` is not aligned: a pair starts at an even number, a larger tuple at a multiple of 4
              call void asm sideeffect "s_wait_loadcnt 0x0", ""()
            ;                           ^^^^^^^^^^^^^^ warning[asm-instruction]: `s_wait_loadcnt` is not supported on gfx942; use `s_waitcnt vmcnt(0)`
              call void asm sideeffect "s_mov_b32 s0, $0 ; literal", "i"(i32 1000)
              call void asm sideeffect "s_movk_i32 s0, $0", "n"(i32 100000)
            ;                                          ^^ warning[asm-instruction]: `s_movk_i32`: expected a 16-bit number, found 0x186a0
              %c = call i64 asm "s_mov_b64 $0, $1", "=s,s"(i64 %y)
              %d = call i32 asm "s_mov_b32 $0, $1", "=s,s"(i64 %y)
            ;                                  ^^ warning[asm-instruction]: `s_mov_b32`: expected a single scalar register or an immediate, found `s[2:3]`
              %e = call {i32, i64} asm "v_mad_u64_u32 $1, vcc, ${2}, $2, 0\0Av_mov_b32 $0, $2", "=&v,=&v,v"(i32 1)
              call void asm sideeffect "global_load_dword v0, $0, off\0Ads_read_b32 v1, $1", "v,v"(ptr %p, ptr addrspace(3) %l)
              call void asm sideeffect "v_foo $0", "=*m"(ptr elementtype(i32) %p)
            ;                                       ^^^ warning[asm-constraint]: AMDGPU has no memory operands such as `=*m`
              call void asm sideeffect "; $0", "r|m"(float %x)
            ;                                   ^^^ warning[asm-constraint]: LLVM chooses the memory operand `m` of `r|m`, which AMDGPU does not have
              call void asm sideeffect "; $0", "=*rm"(ptr elementtype(i32) %p)
            ;                                   ^^^^ warning[asm-constraint]: LLVM chooses the memory operand `m` of `=*rm`, which AMDGPU does not have
              call void asm sideeffect "v_add_f32 v0, $0, $1", "s,s"(float %x, float %x)
              %g = call i32 asm "v_mov_b32 $0, $1", "=v,0"(i32 1)
              ret void
            }
            attributes #0 = { "target-cpu"="gfx942" }
        "#]]);
    }

    #[test]
    fn destinations_are_labels() {
        check(
            "target triple = \"amdgpu12.00-amd-amdhsa\"\ndefine void @f(i32 %c) {\n  callbr void asm \"v_cmp_gt_i32 vcc, $0, 42; s_cbranch_vccnz \
             ${1:l}\", \"r,!i\"(i32 %c) to label %a [label %b]\na:\n  ret void\nb:\n  callbr void asm \"s_branch $1\", \"r,!i\"(i32 %c) to label \
             %a [label %d]\nd:\n  ret void\n}\n",
            expect![[r#"
                warning[asm-instruction] 3:33 `vcc`: expected `vcc_lo`, found `vcc`, because waves of gfx1200 have 32 lanes here
            "#]],
        );
    }

    #[test]
    fn nobody_waits_inside_a_string() {
        marks(expect![[r#"
            target triple = "amdgcn-amd-amdhsa"
            define amdgpu_kernel void @k(ptr addrspace(1) %p, i32 %x) "target-cpu"="gfx942" {
              %a = call i32 asm sideeffect "global_load_dword $0, $1, off\0Av_add_u32 $0, $0, $0", "=&v,v"(ptr addrspace(1) %p)
            ;                                                                             ^^ warning[asm-instruction]: missing `s_waitcnt vmcnt(0)` before this read of `v0`
              %b = call i32 asm sideeffect "global_load_dword $0, $1, off\0As_waitcnt vmcnt(0)\0Av_add_u32 $0, $0, $0", "=&v,v"(ptr addrspace(1) %p)
              call void asm sideeffect "v_cmp_eq_u32 vcc, 0, v0\0Av_readlane_b32 s0, v0, vcc_lo", "~{vcc},~{s0}"()
            ;                                                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[asm-instruction]: `vcc_lo` is read as the lane select before its new value is there; 4 more wait states are needed: `s_nop 3`
              %c = call i32 asm sideeffect "global_load_dword v0, v[2:3], off\0Av_mov_b32 $0, $1", "=v,v"(i32 %x)
              %d = call i32 asm sideeffect "global_load_dword $0, $1, off", "=v,v"(ptr addrspace(1) %p)
              ret void
            }
        "#]]);
    }

    #[test]
    fn without_a_processor_names_are_checked() {
        let text = |attribute: &str| {
            format!(
                "target triple = \"amdgcn-amd-amdhsa\"\ndefine void @f() {attribute} {{\n  call void asm sideeffect \"v_foo\", \"\"()\n  ret void\n}}\n"
            )
        };
        check(
            &text(""),
            expect![[r#"
            warning[asm-instruction] 3:29 `v_foo`: unknown instruction `v_foo`
        "#]],
        );
        check(&text("").replace("v_foo", "v_mov_b64 v5, s_x"), expect![""]);
        check(
            &text("\"target-cpu\"=\"gfx1100\""),
            expect![[r#"
            warning[asm-instruction] 3:29 `v_foo`: unknown instruction `v_foo`
        "#]],
        );
    }

    #[test]
    fn the_wave_size_counts() {
        marks(expect![[r#"
            target triple = "amdgcn-amd-amdhsa"
            define void @f() #0 {
              call void asm sideeffect "s_mov_b64 s[0:1], 0\0Av_cmp_eq_u32 s[0:1], v0, v1", ""()
              ret void
            }
            define void @g() #1 {
              call void asm sideeffect "v_cmp_eq_u32 s[0:1], v0, v1", ""()
            ;                                        ^^^^^^ warning[asm-instruction]: `v_cmp_eq_u32`: expected a lane mask (one scalar register in wave32), found `s[0:1]`
              ret void
            }
            attributes #0 = { "target-cpu"="gfx1030" "target-features"="+wavefrontsize64" }
            attributes #1 = { "target-cpu"="gfx1030" }
        "#]]);
    }
}
