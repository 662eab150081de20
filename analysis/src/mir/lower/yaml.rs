//! The keys of a machine function's YAML: what each must be, after LLVM's `MIRYamlMapping.h` and `YAMLTraits`.

use wavelens_isa::mir::Machine;
use wavelens_syntax::machine::{Element, Node};
use wavelens_syntax::mir::MirKind;

use crate::{Diagnostic, Rule, Severity, TextRange};

/// What is wrong with the YAML around a body.
pub(in crate::mir) static RULE: Rule = Rule {
    code: "mir-yaml",
    severity: Severity::Error,
    explain: "A key of a machine function's YAML is unknown, missing, given twice, or has a value of the wrong kind.\n\n\
              ```yaml\nname: f\ntracksRegLivenes: true   # unknown key\n```\n\nSource: LLVM `MIRYamlMapping.h`.",
};

type N<'t> = Node<'t, MirKind>;

/// What a value must be.
#[derive(Clone, Copy)]
pub(super) enum Shape {
    Text,
    Bool,
    OptionalBool,
    Unsigned(u64),
    Signed(i64),
    OptionalSigned,
    /// Whether 0 is allowed.
    Align(bool),
    OneOf(&'static [&'static str]),
    List(&'static Shape),
    Map(&'static [Field]),
    FrameIndex,
    /// A target's own section; checked where the target is known.
    Any,
}

pub(super) struct Field {
    key: &'static str,
    required: bool,
    shape: Shape,
}

const fn f(key: &'static str, shape: Shape) -> Field {
    Field { key, required: false, shape }
}

const fn r(key: &'static str, shape: Shape) -> Field {
    Field { key, required: true, shape }
}

const U32: Shape = Shape::Unsigned(u32::MAX as u64);
const U64: Shape = Shape::Unsigned(u64::MAX);
const I32: Shape = Shape::Signed(i32::MAX as i64);
const I64: Shape = Shape::Signed(i64::MAX);
const STACK_IDS: Shape = Shape::OneOf(&[
    "default",
    "sgpr-spill",
    "scalable-vector",
    "scalable-predicate-vector",
    "wasm-local",
    "noalloc",
]);
const SAVE_POINTS: Shape =
    Shape::List(&Shape::Map(&[r("point", Shape::Text), f("registers", Shape::List(&Shape::Text))]));

static FRAME_INFO: &[Field] = &[
    f("isFrameAddressTaken", Shape::Bool),
    f("isReturnAddressTaken", Shape::Bool),
    f("hasStackMap", Shape::Bool),
    f("hasPatchPoint", Shape::Bool),
    f("stackSize", U64),
    f("offsetAdjustment", I32),
    f("maxAlignment", U32),
    f("adjustsStack", Shape::Bool),
    f("hasCalls", Shape::Bool),
    f("stackProtector", Shape::Text),
    f("functionContext", Shape::Text),
    f("maxCallFrameSize", U32),
    f("cvBytesOfCalleeSavedRegisters", U32),
    f("hasOpaqueSPAdjustment", Shape::Bool),
    f("hasVAStart", Shape::Bool),
    f("hasMustTailInVarArgFunc", Shape::Bool),
    f("hasTailCall", Shape::Bool),
    f("isCalleeSavedInfoValid", Shape::Bool),
    f("localFrameSize", U32),
    f("savePoint", SAVE_POINTS),
    f("restorePoint", SAVE_POINTS),
];

static FUNCTION: &[Field] = &[
    r("name", Shape::Text),
    f("alignment", Shape::Align(true)),
    f("exposesReturnsTwice", Shape::Bool),
    f("legalized", Shape::Bool),
    f("regBankSelected", Shape::Bool),
    f("selected", Shape::Bool),
    f("failedISel", Shape::Bool),
    f("tracksRegLiveness", Shape::Bool),
    f("hasWinCFI", Shape::Bool),
    f("noPhis", Shape::OptionalBool),
    f("isSSA", Shape::OptionalBool),
    f("noVRegs", Shape::OptionalBool),
    f("hasFakeUses", Shape::OptionalBool),
    f("callsEHReturn", Shape::Bool),
    f("callsUnwindInit", Shape::Bool),
    f("hasEHContTarget", Shape::Bool),
    f("hasEHScopes", Shape::Bool),
    f("hasEHFunclets", Shape::Bool),
    f("isOutlined", Shape::Bool),
    f("debugInstrRef", Shape::Bool),
    f("failsVerification", Shape::Bool),
    f("tracksDebugUserValues", Shape::Bool),
    f(
        "registers",
        Shape::List(&Shape::Map(&[
            r("id", U32),
            r("class", Shape::Text),
            f("preferred-register", Shape::Text),
            f("flags", Shape::List(&Shape::Text)),
        ])),
    ),
    f("liveins", Shape::List(&Shape::Map(&[r("reg", Shape::Text), f("virtual-reg", Shape::Text)]))),
    f("calleeSavedRegisters", Shape::List(&Shape::Text)),
    f("frameInfo", Shape::Map(FRAME_INFO)),
    f(
        "fixedStack",
        Shape::List(&Shape::Map(&[
            r("id", U32),
            f("type", Shape::OneOf(&["default", "spill-slot"])),
            f("offset", I64),
            f("size", U64),
            f("alignment", Shape::Align(true)),
            f("stack-id", STACK_IDS),
            f("isImmutable", Shape::Bool),
            f("isAliased", Shape::Bool),
            f("callee-saved-register", Shape::Text),
            f("callee-saved-restored", Shape::Bool),
            f("debug-info-variable", Shape::Text),
            f("debug-info-expression", Shape::Text),
            f("debug-info-location", Shape::Text),
        ])),
    ),
    f(
        "stack",
        Shape::List(&Shape::Map(&[
            r("id", U32),
            f("name", Shape::Text),
            f("type", Shape::OneOf(&["default", "spill-slot", "variable-sized"])),
            f("offset", I64),
            r("size", U64),
            f("alignment", Shape::Align(true)),
            f("stack-id", STACK_IDS),
            f("callee-saved-register", Shape::Text),
            f("callee-saved-restored", Shape::Bool),
            f("local-offset", Shape::OptionalSigned),
            f("debug-info-variable", Shape::Text),
            f("debug-info-expression", Shape::Text),
            f("debug-info-location", Shape::Text),
        ])),
    ),
    f(
        "entry_values",
        Shape::List(&Shape::Map(&[
            r("entry-value-register", Shape::Text),
            r("debug-info-variable", Shape::Text),
            r("debug-info-expression", Shape::Text),
            r("debug-info-location", Shape::Text),
        ])),
    ),
    f(
        "callSites",
        Shape::List(&Shape::Map(&[
            r("bb", U32),
            r("offset", U32),
            f(
                "fwdArgRegs",
                Shape::List(&Shape::Map(&[
                    r("arg", Shape::Unsigned(u16::MAX as u64)),
                    r("reg", Shape::Text),
                ])),
            ),
            f("calleeTypeIds", Shape::List(&U64)),
        ])),
    ),
    f(
        "debugValueSubstitutions",
        Shape::List(&Shape::Map(&[
            r("srcinst", U32),
            r("srcop", U32),
            r("dstinst", U32),
            r("dstop", U32),
            r("subreg", U32),
        ])),
    ),
    f(
        "constants",
        Shape::List(&Shape::Map(&[
            r("id", U32),
            f("value", Shape::Text),
            f("alignment", Shape::Align(true)),
            f("isTargetSpecific", Shape::Bool),
        ])),
    ),
    f("machineFunctionInfo", Shape::Any),
    f(
        "jumpTable",
        Shape::Map(&[
            r(
                "kind",
                Shape::OneOf(&[
                    "block-address",
                    "gp-rel64-block-address",
                    "gp-rel32-block-address",
                    "label-difference32",
                    "label-difference64",
                    "inline",
                    "custom32",
                ]),
            ),
            f("entries", Shape::List(&Shape::Map(&[r("id", U32), f("blocks", Shape::List(&Shape::Text))]))),
        ]),
    ),
    f("machineMetadataNodes", Shape::List(&Shape::Text)),
    f(
        "calledGlobals",
        Shape::List(&Shape::Map(&[
            r("bb", U32),
            r("offset", U32),
            r("callee", Shape::Text),
            r("flags", U32),
        ])),
    ),
    f("body", Shape::Text),
];

static X86_INFO: &[Field] = &[f("amxProgModel", Shape::OneOf(&["None", "DirectReg", "ManagedRA"]))];

static AARCH64_INFO: &[Field] = &[
    f("hasRedZone", Shape::OptionalBool),
    f("stackSizeZPR", Shape::OptionalSigned),
    f("stackSizePPR", Shape::OptionalSigned),
    f("hasStackFrame", Shape::OptionalBool),
    f("hasStreamingModeChanges", Shape::OptionalBool),
];

static ARGUMENT: Shape = Shape::Map(&[f("reg", Shape::Text), f("offset", U32), f("mask", U32)]);

static AMDGPU_INFO: &[Field] = &[
    f("explicitKernArgSize", U64),
    f("maxKernArgAlign", Shape::Align(false)),
    f("ldsSize", U32),
    f("gdsSize", U32),
    f("dynLDSAlign", Shape::Align(false)),
    f("isEntryFunction", Shape::Bool),
    f("isChainFunction", Shape::Bool),
    f("noSignedZerosFPMath", Shape::Bool),
    f("memoryBound", Shape::Bool),
    f("waveLimiter", Shape::Bool),
    f("hasSpilledSGPRs", Shape::Bool),
    f("hasSpilledVGPRs", Shape::Bool),
    f("numWaveDispatchSGPRs", U32),
    f("numWaveDispatchVGPRs", U32),
    f("scratchRSrcReg", Shape::Text),
    f("frameOffsetReg", Shape::Text),
    f("stackPtrOffsetReg", Shape::Text),
    f("bytesInStackArgArea", U32),
    f("returnsVoid", Shape::Bool),
    f(
        "argumentInfo",
        Shape::Map(&[
            f("privateSegmentBuffer", ARGUMENT),
            f("dispatchPtr", ARGUMENT),
            f("queuePtr", ARGUMENT),
            f("kernargSegmentPtr", ARGUMENT),
            f("dispatchID", ARGUMENT),
            f("flatScratchInit", ARGUMENT),
            f("privateSegmentSize", ARGUMENT),
            f("workGroupIDX", ARGUMENT),
            f("workGroupIDY", ARGUMENT),
            f("workGroupIDZ", ARGUMENT),
            f("workGroupInfo", ARGUMENT),
            f("LDSKernelId", ARGUMENT),
            f("privateSegmentWaveByteOffset", ARGUMENT),
            f("implicitArgPtr", ARGUMENT),
            f("implicitBufferPtr", ARGUMENT),
            f("workItemIDX", ARGUMENT),
            f("workItemIDY", ARGUMENT),
            f("workItemIDZ", ARGUMENT),
            f("firstKernArgPreloadReg", ARGUMENT),
        ]),
    ),
    f("psInputAddr", U32),
    f("psInputEnable", U32),
    f("maxMemoryClusterDWords", U32),
    f(
        "mode",
        Shape::Map(&[
            f("ieee", Shape::Bool),
            f("dx10-clamp", Shape::Bool),
            f("fp32-input-denormals", Shape::Bool),
            f("fp32-output-denormals", Shape::Bool),
            f("fp64-fp16-input-denormals", Shape::Bool),
            f("fp64-fp16-output-denormals", Shape::Bool),
        ]),
    ),
    f("highBitsOf32BitAddress", U32),
    f("occupancy", U32),
    f("spillPhysVGPRs", Shape::List(&Shape::Text)),
    f("wwmReservedRegs", Shape::List(&Shape::Text)),
    f("scavengeFI", Shape::FrameIndex),
    f("vgprForAGPRCopy", Shape::Text),
    f("sgprForEXECCopy", Shape::Text),
    f("longBranchReservedReg", Shape::Text),
    f("hasInitWholeWave", Shape::Bool),
    f("dynamicVGPRBlockSize", U32),
    f("scratchReservedForDynamicVGPRs", U32),
    f("isWholeWaveFunction", Shape::Bool),
    f("numKernargPreloadSGPRs", U32),
];

/// The text that a scalar node means, quotes and escapes gone; `None` for other nodes.
pub(super) fn scalar_text(node: N<'_>) -> Option<String> {
    let token = match node.kind() {
        MirKind::SCALAR => node.first_token()?,
        MirKind::BLOCK_SCALAR | MirKind::BODY => return Some(String::new()),
        _ => return None,
    };
    let text = token.text();
    let inner = || text.get(1..text.len().saturating_sub(1)).unwrap_or("");
    Some(match token.kind() {
        MirKind::SINGLE_QUOTED => inner().replace("''", "'"),
        MirKind::DOUBLE_QUOTED => unescape(inner()),
        _ => text.to_owned(),
    })
}

fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (c, c == '\\') {
            (_, false) => out.push(c),
            _ => match chars.next() {
                Some('n') => out.push('\n'),
                Some('t') => out.push('\t'),
                Some('0') => out.push('\0'),
                Some(other) => out.push(other),
                None => {}
            },
        }
    }
    out
}

/// A scalar's place without quotes.
pub(super) fn inner_range(node: N<'_>) -> TextRange {
    let range = node.range();
    let quoted = node.first_token().is_some_and(|t| {
        matches!(t.kind(), MirKind::SINGLE_QUOTED | MirKind::DOUBLE_QUOTED) && t.text().len() >= 2
    });
    if quoted {
        TextRange::new(range.start() + crate::TextSize::new(1), range.end() - crate::TextSize::new(1))
    } else {
        range
    }
}

/// The key and value of a mapping's entries.
pub(super) fn entries<'t>(mapping: N<'t>) -> impl Iterator<Item = (N<'t>, N<'t>)> {
    mapping.children().filter(|n| n.kind() == MirKind::ENTRY).filter_map(|entry| {
        let mut parts = entry.elements().filter_map(|e| match e {
            Element::Node(n) => Some(n),
            Element::Token(_) => None,
        });
        Some((parts.next()?, parts.next()?))
    })
}

/// The elements of a sequence.
pub(super) fn items<'t>(sequence: N<'t>) -> impl Iterator<Item = N<'t>> {
    let is_list = matches!(sequence.kind(), MirKind::SEQUENCE | MirKind::FLOW_SEQUENCE);
    sequence.children().filter(move |_| is_list)
}

/// The value of a key.
pub(super) fn value<'t>(mapping: N<'t>, key: &str) -> Option<N<'t>> {
    entries(mapping).find(|(k, _)| scalar_text(*k).as_deref() == Some(key)).map(|(_, v)| v)
}

/// `0x10`, `017`, `0b1`, `12` as LLVM reads unsigned numbers.
pub(super) fn unsigned(text: &str) -> Option<u64> {
    let parse = |digits: &str, radix| {
        if digits.is_empty() || digits.starts_with('+') {
            None
        } else {
            u64::from_str_radix(digits, radix).ok()
        }
    };
    if let Some(hex) = text.strip_prefix("0x").or(text.strip_prefix("0X")) {
        return parse(hex, 16);
    }
    if let Some(binary) = text.strip_prefix("0b").or(text.strip_prefix("0B")) {
        return parse(binary, 2);
    }
    if let Some(octal) = text.strip_prefix("0o") {
        return parse(octal, 8);
    }
    match text.strip_prefix('0').filter(|t| t.starts_with(|c: char| c.is_ascii_digit())) {
        Some(octal) => parse(octal, 8),
        None => parse(text, 10),
    }
}

pub(super) fn signed(text: &str) -> Option<i64> {
    match text.strip_prefix('-') {
        Some(digits) => unsigned(digits).and_then(|v| 0i64.checked_sub_unsigned(v)),
        None => unsigned(text).and_then(|v| i64::try_from(v).ok()),
    }
}

pub(super) fn boolean(text: &str) -> Option<bool> {
    match text {
        "y" | "Y" | "yes" | "Yes" | "YES" | "on" | "On" | "ON" | "true" | "True" | "TRUE" => Some(true),
        "n" | "N" | "no" | "No" | "NO" | "off" | "Off" | "OFF" | "false" | "False" | "FALSE" => Some(false),
        _ => None,
    }
}

/// Checks a function's mapping.
pub(super) fn check(root: N<'_>, diagnostics: &mut Vec<Diagnostic>) {
    Checker { diagnostics }.value(root, &Shape::Map(FUNCTION), "the machine function");
}

/// Checks `machineFunctionInfo` of a target's function.
pub(super) fn check_target(machine: Machine, node: N<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let fields = match machine {
        Machine::Amdgpu => AMDGPU_INFO,
        Machine::X86 => X86_INFO,
        Machine::Aarch64 => AARCH64_INFO,
    };
    Checker { diagnostics }.value(node, &Shape::Map(fields), "machineFunctionInfo");
}

struct Checker<'d> {
    diagnostics: &'d mut Vec<Diagnostic>,
}

impl Checker<'_> {
    fn error(&mut self, range: TextRange, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::new(&RULE, range, message));
    }

    fn value(&mut self, node: N<'_>, shape: &Shape, name: &str) {
        match shape {
            Shape::Any => {}
            Shape::Map(fields) => self.mapping(node, fields, name),
            Shape::List(inner) => match node.kind() {
                MirKind::SEQUENCE | MirKind::FLOW_SEQUENCE => {
                    for item in items(node) {
                        self.value(item, inner, name);
                    }
                }
                MirKind::NULL => {}
                MirKind::SCALAR if matches!(node.text(), "null" | "Null" | "NULL" | "~") => {}
                _ => self.error(node.range(), format!("`{name}` must be a list")),
            },
            _ => match scalar_text(node) {
                Some(text) => self.scalar(node, shape, name, &text),
                None => self.error(node.range(), format!("`{name}` needs a single value")),
            },
        }
    }

    fn scalar(&mut self, node: N<'_>, shape: &Shape, name: &str, text: &str) {
        let problem = match shape {
            Shape::Bool if boolean(text).is_none() => "must be `true` or `false`",
            Shape::OptionalBool if boolean(text).is_none() && text != "<none>" => "must be `true` or `false`",
            Shape::Unsigned(max) if unsigned(text).is_none_or(|v| v > *max) => {
                "must be an unsigned number in its range"
            }
            Shape::Signed(max) if !signed(text).is_some_and(|v| v <= *max && v >= -max - 1) => {
                "must be a number in its range"
            }
            Shape::OptionalSigned if signed(text).is_none() && text != "<none>" => "must be a number",
            Shape::Align(zero) => {
                let n = text.parse::<u64>().ok();
                if n.is_some_and(|n| n.is_power_of_two() || (*zero && n == 0)) {
                    return;
                }
                "must be a power of two"
            }
            Shape::OneOf(values) if !values.contains(&text) => "has a value that it does not know",
            Shape::FrameIndex => {
                let number = text.strip_prefix("%stack.").or(text.strip_prefix("%fixed-stack."));
                if number.is_some_and(|n| n.starts_with(|c: char| c.is_ascii_digit())) {
                    return;
                }
                "must be a frame index (`%stack.0`)"
            }
            _ => return,
        };
        let expected = match shape {
            Shape::OneOf(values) => format!(": one of `{}`", values.join("`, `")),
            _ => String::new(),
        };
        self.error(node.range(), format!("`{name}` {problem}, not `{text}`{expected}"));
    }

    fn mapping(&mut self, node: N<'_>, fields: &[Field], name: &str) {
        let is_map = matches!(node.kind(), MirKind::MAPPING | MirKind::FLOW_MAPPING);
        if !is_map {
            let empty = node.kind() == MirKind::NULL && fields.iter().all(|f| !f.required);
            if !empty {
                self.error(node.range(), format!("`{name}` must be a mapping of keys to values"));
            }
            return;
        }
        let mut seen: Vec<(String, TextRange)> = Vec::new();
        for (key, value) in entries(node) {
            let Some(text) = scalar_text(key).filter(|_| key.kind() == MirKind::SCALAR) else {
                self.error(key.range(), "a key must be a plain word");
                continue;
            };
            if let Some((_, first)) = seen.iter().find(|(k, _)| *k == text) {
                let first = *first;
                let d = Diagnostic::new(&RULE, key.range(), format!("the key `{text}` stands twice"));
                self.diagnostics.push(d.related(crate::Place::Here(first), "first here"));
                continue;
            }
            match fields.iter().find(|f| f.key == text) {
                Some(field) => self.value(value, &field.shape, &text),
                None => self.unknown(key, &text, fields),
            }
            seen.push((text, key.range()));
        }
        for field in fields.iter().filter(|f| f.required) {
            let optional_here = field.key == "size"
                && seen.iter().any(|(k, _)| k == "type")
                && value(node, "type").and_then(scalar_text).as_deref() == Some("variable-sized");
            if !optional_here && !seen.iter().any(|(k, _)| k == field.key) {
                let start = TextRange::empty(node.range().start());
                self.error(start, format!("`{name}` needs the key `{}`", field.key));
            }
        }
        let is = |key: &str, text: &str| value(node, key).and_then(scalar_text).as_deref() == Some(text);
        if std::ptr::eq(fields, list_fields("fixedStack")) && is("type", "spill-slot") {
            for (key, text) in
                seen.iter().filter(|(k, _)| k == "isImmutable" || k == "isAliased").map(|(k, r)| (r, k))
            {
                self.error(*key, format!("a spill slot has no `{text}`"));
            }
        }
        if std::ptr::eq(fields, list_fields("stack"))
            && is("type", "variable-sized")
            && let Some((_, range)) = seen.iter().find(|(k, _)| k == "size")
        {
            self.error(*range, "a variable-sized object has no `size`");
        }
        if let Shape::Map(argument) = ARGUMENT
            && std::ptr::eq(fields, argument)
        {
            let given: Vec<_> = seen.iter().filter(|(k, _)| k == "reg" || k == "offset").collect();
            match given.as_slice() {
                [] => self.error(node.range(), format!("`{name}` needs `reg` or `offset`")),
                [_, second] => {
                    let range = seen.iter().find(|(k, _)| k == "offset").map_or(second.1, |s| s.1);
                    self.error(range, "an argument has `reg` or `offset`, not both");
                }
                _ => {}
            }
        }
    }

    fn unknown(&mut self, key: N<'_>, text: &str, fields: &[Field]) {
        let near =
            fields.iter().map(|f| f.key).min_by_key(|k| distance(k, text)).filter(|k| distance(k, text) <= 2);
        let mut d = Diagnostic::new(&RULE, key.range(), format!("unknown key `{text}`"));
        if let Some(near) = near {
            d = d.fix(format!("Change to `{near}`"), key.range(), near);
        }
        self.diagnostics.push(d);
    }
}

/// The fields of the elements of one of the function's lists.
fn list_fields(key: &str) -> &'static [Field] {
    FUNCTION
        .iter()
        .find(|f| f.key == key)
        .and_then(|f| match f.shape {
            Shape::List(Shape::Map(fields)) => Some(*fields),
            _ => None,
        })
        .unwrap_or(&[])
}

/// Edit distance between two short words.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = i;
        if let Some(first) = row.first_mut() {
            *first = i + 1;
        }
        for (j, y) in b.iter().enumerate() {
            let next = if x == *y { diagonal } else { 1 + diagonal.min(row[j]).min(row[j + 1]) };
            diagonal = row[j + 1];
            row[j + 1] = next;
        }
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_as_llvm_reads_them() {
        assert_eq!(unsigned("0x10"), Some(16));
        assert_eq!(unsigned("010"), Some(8));
        assert_eq!(unsigned("09"), None);
        assert_eq!(unsigned("-1"), None);
        assert_eq!(signed("-5"), Some(-5));
        assert_eq!(boolean("maybe"), None);
        assert_eq!(distance("name", "nme"), 1);
    }
}
