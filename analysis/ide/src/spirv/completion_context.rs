//! What the rest of a line and of the module tell about the word at the cursor.

use rustc_hash::FxHashSet;
use wavelens_check::dialect::Lowered;
use wavelens_spirv::flat::{NONE, hash_name};
use wavelens_spirv::type_names::debug_name;
use wavelens_syntax::spirv::tables::{Enumerant, ExtInst, Kind, Op, Quantifier};

use super::Cx;
use super::completion_types::find;
use super::place::{Typing, module};
use crate::answers::{Completion, CompletionKind};

/// The line after the word at the cursor, all of which is left out: some of it may follow the cursor.
pub(super) fn rest<'db>(cx: &Cx<'db>, typing: &Typing) -> &'db str {
    let after = cx.text.get(usize::from(typing.word.end())..).unwrap_or("");
    let line = after.lines().next().and_then(|line| line.split(';').next()).unwrap_or("");
    line.trim_start_matches(|c: char| !c.is_whitespace())
}

/// What an instruction of a set must go with: the operands that follow the cursor, and the result's type.
pub(super) struct Extended {
    operands: usize,
    is_float: bool,
}

impl Extended {
    pub(super) fn new(cx: &Cx<'_>, typing: &Typing) -> Extended {
        let m = module(cx);
        let ty = typing.written.first().map_or(NONE, |word| find(cx, &m, word));
        Extended {
            operands: rest(cx, typing).split_whitespace().count(),
            is_float: m.op(m.component(ty)) == Op::TypeFloat,
        }
    }

    /// How much later an instruction is proposed that does not go with them.
    pub(super) fn delay(&self, known: &ExtInst) -> u8 {
        let least = known.operands.iter().filter(|o| o.quantifier == Quantifier::One).count();
        let is_open = known.operands.last().is_some_and(|o| o.quantifier == Quantifier::Many);
        let has_count =
            (least..=known.operands.len()).contains(&self.operands) || is_open && self.operands >= least;
        let mut letters = known.name.chars();
        let of_integers =
            matches!(letters.next(), Some('S' | 'U')) && letters.next().is_some_and(char::is_uppercase);
        let misfits = self.operands > 0 && !has_count || self.is_float && of_integers;
        if misfits { 20 } else { 0 }
    }
}

/// The capabilities that the module's instructions and types need and the module does not declare.
pub(super) fn needed_capabilities(cx: &Cx<'_>) -> FxHashSet<u32> {
    let mut found = FxHashSet::default();
    let named = |name: &str| Kind::Capability.named(name).map(|known| known.value);
    for chunk in cx.view.chunks() {
        let Lowered::Spirv(lowered) = cx.view.lowered(*chunk) else { continue };
        let flat = &lowered.flat;
        for inst in flat.insts.iter().filter(|inst| inst.op != Op::Capability) {
            let mut add = |capabilities: &[u32]| {
                if !capabilities.iter().any(|capability| cx.scope.has_capability(*capability)) {
                    found.extend(capabilities.first());
                }
            };
            inst.op.info().into_iter().for_each(|info| add(info.capabilities));
            for operand in flat.operands_of(inst) {
                let value = operand.kind.valued(operand.value).filter(|_| !operand.kind.is_mask());
                value.into_iter().for_each(|value| add(value.capabilities));
            }
            let mut numbers = flat.operands_of(inst).iter().filter(|operand| !operand.kind.is_id());
            let width = numbers.next().map_or(0, |operand| operand.value);
            let sized = match (inst.op, width) {
                (Op::TypeInt, 8) => "Int8",
                (Op::TypeInt, 16) => "Int16",
                (Op::TypeInt, 64) => "Int64",
                (Op::TypeFloat, 16) => "Float16",
                (Op::TypeFloat, 64) => "Float64",
                _ => continue,
            };
            add(&named(sized).into_iter().collect::<Vec<_>>());
        }
    }
    found
}

/// Whether a module that declares a vendor's capability has this alias of the vendor: `AnyHitNV`.
pub(super) fn is_spelled(cx: &Cx<'_>, alias: &str, known: &Enumerant) -> bool {
    let Some(vendor) = VENDORS.iter().find(|vendor| alias.ends_with(**vendor)) else { return false };
    let declared = known.capabilities.iter().filter(|capability| cx.scope.has_capability(**capability));
    declared
        .filter_map(|capability| Kind::Capability.valued(*capability))
        .any(|capability| capability.name.ends_with(vendor))
}

/// Endings of the names of one vendor.
pub(super) const VENDORS: [&str; 9] =
    ["INTEL", "ALTERA", "NV", "AMD", "AMDX", "QCOM", "ARM", "HUAWEI", "IMG"];

/// Whether the name of a variable says which built-in it is: `gl_SubgroupID`.
pub(super) fn is_named_for(typing: &Typing, builtin: &str) -> bool {
    let plain = |name: &str| {
        let end = ["KHR", "EXT", "NV", "ARB", "AMD"].iter().find_map(|vendor| name.strip_suffix(vendor));
        end.unwrap_or(name).to_ascii_lowercase()
    };
    let target = typing.written.first().and_then(|word| word.strip_prefix("%gl_"));
    target.is_some_and(|target| plain(target) == plain(builtin))
}

/// Orders the ids that may be named or decorated by what the rest of the line says of them; compilers go through them by number.
pub(super) fn order_described(cx: &Cx<'_>, op: Op, typing: &Typing, found: &mut [Completion]) {
    let rest = rest(cx, typing);
    let kinds = match (op, rest.split_whitespace().next()) {
        (Op::Decorate, Some(decoration)) => kinds(decoration),
        (Op::Name, _) => &[
            CompletionKind::Function,
            CompletionKind::Variable,
            CompletionKind::Local,
            CompletionKind::Label,
        ][..],
        _ => &[],
    };
    let quoted = rest.split('"').nth(1);
    let m = module(cx);
    let id_of = |label: &str| cx.scope.names.get(&hash_name(label.trim_start_matches('%'))).copied();
    let named = |item: &Completion| {
        let label = item.label.trim_start_matches('%');
        quoted.is_some_and(|quoted| {
            label == quoted
                || op == Op::Decorate
                    && id_of(label).and_then(|id| debug_name(&m, id)).is_some_and(|name| name == quoted)
        })
    };
    let number = |label: &str| label.trim_start_matches('%').parse::<u32>().ok();
    let before = cx.text.get(..usize::from(typing.word.start())).unwrap_or("");
    let above = before.lines().rev().nth(1).unwrap_or("");
    let last = above.split_whitespace().nth(1).and_then(number).filter(|_| above.contains(op.name()));
    let is_struct = |item: &Completion| {
        item.kind == CompletionKind::Type && item.detail.contains("struct") && !item.detail.contains("ptr ")
    };
    let of_structures = op == Op::Decorate && ["Block", "BufferBlock"].contains(&rest.trim());
    let fits = |item: &Completion| {
        let is_kind = kinds.is_empty() || kinds.contains(&item.kind) || op == Op::Name && is_struct(item);
        is_kind && (!of_structures || is_struct(item))
    };
    let mut later: Vec<u32> = match last {
        Some(last) => found
            .iter()
            .filter(|item| fits(item) && item.rank < WRITTEN)
            .filter_map(|item| number(&item.label))
            .filter(|n| *n > last)
            .collect(),
        None => Vec::new(),
    };
    later.sort_unstable();
    for item in found {
        item.rank += match () {
            () if named(item) => 0,
            () if !fits(item) => 30,
            () => {
                let place = number(&item.label).and_then(|number| later.binary_search(&number).ok());
                place.map_or(if later.is_empty() { 2 } else { 20 }, |place| 2 + place.min(18) as u8)
            }
        };
    }
}

/// The rank from which an id is described already.
pub(super) const WRITTEN: u8 = 40;

/// What has a decoration; empty for those that many things have.
fn kinds(decoration: &str) -> &'static [CompletionKind] {
    match decoration {
        "Block" | "BufferBlock" | "ArrayStride" | "GLSLShared" | "GLSLPacked" | "CPacked" => {
            &[CompletionKind::Type]
        }
        "SpecId" => &[CompletionKind::Constant],
        "LinkageAttributes" => &[CompletionKind::Function, CompletionKind::Variable],
        "Binding"
        | "DescriptorSet"
        | "Location"
        | "Component"
        | "Index"
        | "BuiltIn"
        | "Flat"
        | "NoPerspective"
        | "Centroid"
        | "Sample"
        | "Patch"
        | "XfbBuffer"
        | "XfbStride"
        | "Stream"
        | "InputAttachmentIndex"
        | "Alignment"
        | "NonWritable"
        | "NonReadable"
        | "Restrict"
        | "Aliased"
        | "Constant" => &[CompletionKind::Variable, CompletionKind::Local],
        "NoContraction"
        | "NonUniform"
        | "FPFastMathMode"
        | "NoSignedWrap"
        | "NoUnsignedWrap"
        | "FPRoundingMode"
        | "SaturatedConversion"
        | "FuncParamAttr" => &[CompletionKind::Local],
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use wavelens_base::Dialect;

    use crate::features;
    use crate::features::tests::at_cursor;

    fn check(text: &str, expected: Expect) {
        let found = at_cursor(Dialect::Spirv, text, features::complete);
        let labels: Vec<&str> = found.items.iter().take(3).map(|item| item.label.as_str()).collect();
        expected.assert_eq(&labels.join(" "));
    }

    #[test]
    fn capabilities_that_the_module_needs_come_first() {
        check(
            "OpCapability Shader\nOpCapability $0\n%1 = OpTypeInt 64 0\n%2 = OpTypeFloat 16\n",
            expect!["Float16 Int64 AbortKHR"],
        );
    }

    #[test]
    fn the_rest_of_the_line_tells_what_fits() {
        let types =
            "%float = OpTypeFloat 32\n%set = OpExtInstImport \"GLSL.std.450\"\n%x = OpConstant %float 1\n";
        check(
            &format!("{types}%1 = OpExtInst %float %set $0 %x %x %x\n"),
            expect!["FClamp FMix FaceForward"],
        );
        check(&format!("{types}%1 = OpExtInst %float %set $0 %x\n"), expect!["Acos Acosh Asin"]);
        let decorated = "%1 = OpTypeVoid\n%2 = OpTypeFunction %1\n%3 = OpTypeStruct %1\n%4 = OpTypePointer Input %3\n%5 = OpVariable %4 Input\n";
        check(&format!("OpDecorate $0 Block\n{decorated}"), expect!["%3 %1 %4"]);
        check(&format!("OpDecorate $0 Location 0\n{decorated}"), expect!["%5 %1 %3"]);
        check(&format!("OpName $0 \"v\"\n{decorated}"), expect!["%3 %5 %1"]);
        check(&format!("{decorated}%6 = OpFunction $0 None %2\n"), expect!["%1"]);
        check(
            "OpDecorate %gl_SubgroupID BuiltIn $0\n",
            expect!["SubgroupId BaryCoordNoPerspAMD BaryCoordNoPerspCentroidAMD"],
        );
    }

    #[test]
    fn names_of_a_vendor_come_with_its_capability() {
        check("OpCapability RayTracingNV\nOpEntryPoint AnyHitN$0\n", expect!["AnyHitNV"]);
        check("OpCapability RayTracingKHR\nOpEntryPoint AnyHitN$0\n", expect![""]);
    }
}
