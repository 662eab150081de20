//! Operands of NonSemantic.ClspvReflection: what a kernel's launcher reads back (SPIR-V registry,
//! NonSemantic.ClspvReflection).

use wavelens_syntax::spirv::tables::{ClspvReflection as C, ExecutionModel, ExtSet, Op};

use crate::code::Inst;
use crate::context::RuleContext;
use wavelens_base::Severity;
use wavelens_base::{Verdict, fail, fail_at};

wavelens_syntax::rules! {
    REFLECTION {
        code: "reflection",
        severity: Severity::Error,
        title: "the operands of a clspv reflection instruction have the kinds that the instruction set requires",
        explain: "Instructions of `NonSemantic.ClspvReflection` describe to a launcher how to call kernels: strings come from OpString, numbers from 32-bit unsigned OpConstant, kernels from `Kernel` instructions of the same import. The version at the end of the import name decides which instructions exist.",
        example: r#"OpCapability Shader
%set = OpExtInstImport "NonSemantic.ClspvReflection.5"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
%name = OpString "other"
%void = OpTypeVoid
%fn = OpTypeFunction %void
%main = OpFunction %void None %fn
%entry = OpLabel
OpReturn
OpFunctionEnd
%kernel = OpExtInst %void %set Kernel %main %name
"#,
        fixed: r#"OpCapability Shader
%set = OpExtInstImport "NonSemantic.ClspvReflection.5"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
%name = OpString "main"
%void = OpTypeVoid
%fn = OpTypeFunction %void
%main = OpFunction %void None %fn
%entry = OpLabel
OpReturn
OpFunctionEnd
%kernel = OpExtInst %void %set Kernel %main %name
"#,
        source: "NonSemantic.ClspvReflection specification; SPIRV-Tools validate_extensions.cpp: \"Name must match an entry-point for Kernel\"",
    }
}

/// The newest version of the set that is known.
const NEWEST: u32 = 7;

/// What an operand must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Want {
    /// A 32-bit unsigned OpConstant.
    Number(&'static str),
    Text(&'static str),
    Kernel,
    /// An ArgumentInfo; may be missing.
    Info,
}

use Want::{Info, Kernel, Number, Text};

const ORDINAL: Want = Number("Ordinal");
const SET: Want = Number("DescriptorSet");
const BINDING: Want = Number("Binding");
const OFFSET: Want = Number("Offset");
const SIZE: Want = Number("Size");
const X: Want = Number("X");
const Y: Want = Number("Y");
const Z: Want = Number("Z");

/// The first version that has an instruction, and its operands; those that are not there are not looked at.
fn shape(number: u32) -> (u32, &'static [Want]) {
    match number {
        C::Kernel => (1, &[]),
        C::ArgumentInfo => (
            1,
            &[
                Text("Name"),
                Text("TypeName"),
                Number("AddressQualifier"),
                Number("AccessQualifier"),
                Number("TypeQualifier"),
            ],
        ),
        C::ArgumentStorageBuffer
        | C::ArgumentUniform
        | C::ArgumentSampledImage
        | C::ArgumentStorageImage
        | C::ArgumentSampler => (1, &[Kernel, ORDINAL, SET, BINDING, Info]),
        C::ArgumentStorageTexelBuffer | C::ArgumentUniformTexelBuffer => {
            (4, &[Kernel, ORDINAL, SET, BINDING, Info])
        }
        C::ArgumentPodStorageBuffer | C::ArgumentPodUniform => {
            (1, &[Kernel, ORDINAL, SET, BINDING, OFFSET, SIZE, Info])
        }
        C::ArgumentPointerUniform => (3, &[Kernel, ORDINAL, SET, BINDING, OFFSET, SIZE, Info]),
        C::ArgumentPodPushConstant => (1, &[Kernel, ORDINAL, OFFSET, SIZE, Info]),
        C::ArgumentPointerPushConstant => (3, &[Kernel, ORDINAL, OFFSET, SIZE, Info]),
        C::ArgumentWorkgroup => (1, &[Kernel, ORDINAL, Number("SpecId"), Number("ElemSize"), Info]),
        C::SpecConstantWorkgroupSize | C::SpecConstantGlobalOffset => (1, &[X, Y, Z]),
        C::SpecConstantWorkDim => (1, &[Number("Dim")]),
        C::PushConstantGlobalOffset
        | C::PushConstantEnqueuedLocalSize
        | C::PushConstantGlobalSize
        | C::PushConstantRegionOffset
        | C::PushConstantNumWorkgroups
        | C::PushConstantRegionGroupOffset => (1, &[OFFSET, SIZE]),
        C::ConstantDataStorageBuffer | C::ConstantDataUniform => (1, &[SET, BINDING, Text("Data")]),
        C::ProgramScopeVariablesStorageBuffer => (3, &[SET, BINDING, Text("Data")]),
        C::LiteralSampler => (1, &[SET, BINDING, Number("Mask")]),
        C::PropertyRequiredWorkgroupSize => (1, &[Kernel, X, Y, Z]),
        C::SpecConstantSubgroupMaxSize => (2, &[SIZE]),
        C::ProgramScopeVariablePointerRelocation => {
            (3, &[Number("ObjectOffset"), Number("PointerOffset"), Number("PointerSize")])
        }
        C::ImageArgumentInfoChannelOrderPushConstant | C::ImageArgumentInfoChannelDataTypePushConstant => {
            (3, &[Kernel, ORDINAL, OFFSET, SIZE])
        }
        C::ImageArgumentInfoChannelOrderUniform | C::ImageArgumentInfoChannelDataTypeUniform => {
            (3, &[Kernel, ORDINAL, SET, BINDING, OFFSET, SIZE])
        }
        C::ConstantDataPointerPushConstant | C::ProgramScopeVariablePointerPushConstant => {
            (5, &[OFFSET, SIZE, Text("Data")])
        }
        C::PrintfInfo => (5, &[Number("PrintfID"), Text("FormatString")]),
        C::PrintfBufferStorageBuffer => (5, &[SET, BINDING, SIZE]),
        C::PrintfBufferPointerPushConstant => (5, &[OFFSET, SIZE, Number("BufferSize")]),
        _ => (0, &[]),
    }
}

/// Operand index of an extended instruction's first own operand.
const FIRST: usize = 4;

pub(super) fn instruction(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    if inst.raw.set != Some(ExtSet::ClspvReflection) {
        return Ok(());
    }
    let Some(import) = m.def(inst.operand(2)) else { return Ok(()) };
    let name = import.string(1);
    let digits = name.strip_prefix("NonSemantic.ClspvReflection.").unwrap_or_default();
    let version = match digits.parse() {
        Ok(version @ 1..=NEWEST) => version,
        _ => {
            let message = format!("expected \"{name}\" to end with a version of the set, 1 to {NEWEST}");
            return fail_at(&REFLECTION, 2, message);
        }
    };
    if !m.is_void(inst.ty()) {
        let message = format!(
            "expected void as Result Type of a reflection instruction, found {}",
            m.type_name(inst.ty())
        );
        return fail_at(&REFLECTION, 0, message);
    }
    let number = inst.ext_number();
    let (since, wants) = shape(number);
    if version < since {
        let name = ExtSet::ClspvReflection.numbered(number).map_or("this", |i| i.name);
        let message = format!("{name} requires version {since} of the set, the import is version {version}");
        return fail_at(&REFLECTION, 3, message);
    }
    if number == C::Kernel {
        return kernel(m, inst, version);
    }
    for (index, want) in wants.iter().enumerate().take_while(|(i, _)| FIRST + i < inst.count()) {
        operand(m, inst, FIRST + index, *want)?;
    }
    if number == C::PrintfInfo {
        for index in FIRST + 2..inst.count() {
            operand(m, inst, index, Number("ArgumentSizes"))?;
        }
    }
    Ok(())
}

fn operand(m: &RuleContext<'_>, inst: Inst<'_>, index: usize, want: Want) -> Verdict {
    let id = inst.operand(index);
    let (fits, message) = match want {
        Number(what) => {
            let fits = m
                .def(id)
                .is_some_and(|d| d.op() == Op::Constant && m.is_unsigned(d.ty()) && m.width(d.ty()) == 32);
            (fits, format!("{what} must be a 32-bit unsigned OpConstant"))
        }
        Text(what) => (m.op(id) == Op::String, format!("{what} must be an OpString")),
        Kernel => (is_reflection(m, inst, id, C::Kernel), "must be a Kernel of the same import".to_owned()),
        Info => (
            is_reflection(m, inst, id, C::ArgumentInfo),
            "must be an ArgumentInfo of the same import".to_owned(),
        ),
    };
    match fits {
        true => Ok(()),
        false => fail_at(&REFLECTION, index, format!("`{}`: {message}", m.name(id))),
    }
}

/// Whether an id is an instruction of the same import with this number.
fn is_reflection(m: &RuleContext<'_>, inst: Inst<'_>, id: u32, number: u32) -> bool {
    m.def(id).is_some_and(|d| d.is_ext_inst() && d.operand(2) == inst.operand(2) && d.ext_number() == number)
}

fn kernel(m: &RuleContext<'_>, inst: Inst<'_>, version: u32) -> Verdict {
    let function = inst.operand(FIRST);
    if m.op(function) != Op::Function {
        return fail_at(&REFLECTION, FIRST, format!("`{}` is not a function", m.name(function)));
    }
    let entries = || m.scope.entry_points_of(m.global(function));
    if entries().next().is_none() {
        return fail_at(&REFLECTION, FIRST, format!("`{}` is not an entry point", m.name(function)));
    }
    if m.scope.models_of(m.global(function)).iter().any(|model| *model != ExecutionModel::GLCompute) {
        let message = format!("`{}` must be an entry point for GLCompute only", m.name(function));
        return fail_at(&REFLECTION, FIRST, message);
    }
    operand(m, inst, FIRST + 1, Text("Name"))?;
    let name = m.def(inst.operand(FIRST + 1)).map(|d| d.string(1)).unwrap_or_default();
    if !entries().any(|e| e.name == name) {
        let message =
            format!("Name is \"{name}\", but the entry point `{}` has another name", m.name(function));
        return fail_at(&REFLECTION, FIRST + 1, message);
    }
    if version < 5 && inst.count() > FIRST + 2 {
        return fail(&REFLECTION, format!("expected 2 operands for Kernel in version {version} of the set"));
    }
    let more = [Number("NumArguments"), Number("Flags"), Text("Attributes")];
    for (index, want) in (FIRST + 2..inst.count()).zip(more) {
        operand(m, inst, index, want)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::testing::{findings, marks};

    #[test]
    fn operands_are_what_a_launcher_reads() {
        marks(expect![[r#"
            ; target-env: spv1.6
            OpCapability Shader
            OpExtension "SPV_KHR_non_semantic_info"
            %set = OpExtInstImport "NonSemantic.ClspvReflection.1"
            OpMemoryModel Logical GLSL450
            OpEntryPoint GLCompute %main "main"
            OpExecutionMode %main LocalSize 1 1 1
            %name = OpString "main"
            %other = OpString "other"
            %void = OpTypeVoid
            %uint = OpTypeInt 32 0
            %int = OpTypeInt 32 1
            %one = OpConstant %uint 1
            %signed = OpConstant %int 1
            %fn = OpTypeFunction %void
            %main = OpFunction %void None %fn
            %entry = OpLabel
            OpReturn
            OpFunctionEnd
            %k = OpExtInst %void %set Kernel %main %name
            %bad = OpExtInst %void %set Kernel %main %other
            ;                                        ^^^^^^ error[reflection]: Name is "other", but the entry point `%main` has another name
            ;                                             = line 9:1: defined here
            %a = OpExtInst %void %set ArgumentStorageBuffer %k %one %one %signed
            ;                                                            ^^^^^^^ error[reflection]: `%signed`: Binding must be a 32-bit unsigned OpConstant
            ;                                                                  = line 14:1: defined here
            %b = OpExtInst %void %set ArgumentStorageBuffer %one %one %one %one
            ;                                               ^^^^ error[reflection]: `%one`: must be a Kernel of the same import
            ;                                                  = line 13:1: defined here
            %c = OpExtInst %void %set PrintfInfo %one %name
            ;                         ^^^^^^^^^^ error[reflection]: PrintfInfo requires version 5 of the set, the import is version 1
        "#]]);
    }

    fn reflected(version: u32, instructions: &str) -> String {
        findings(&format!(
            "; target-env: spv1.6\nOpCapability Shader\nOpCapability Int64\n%set = OpExtInstImport \"NonSemantic.ClspvReflection.{version}\"\n\
            OpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\"\nOpEntryPoint Fragment %other \"other\"\n\
            OpExecutionMode %main LocalSize 1 1 1\nOpExecutionMode %other OriginUpperLeft\n%text = OpString \"main\"\n\
            %void = OpTypeVoid\n%uint = OpTypeInt 32 0\n%long = OpTypeInt 64 0\n%number = OpConstant %uint 1\n\
            %long_number = OpConstant %long 1\n%spec = OpSpecConstant %uint 1\n%fn = OpTypeFunction %void\n\
            %main = OpFunction %void None %fn\n%m = OpLabel\nOpReturn\nOpFunctionEnd\n\
            %other = OpFunction %void None %fn\n%o = OpLabel\nOpReturn\nOpFunctionEnd\n\
            %helper = OpFunction %void None %fn\n%h = OpLabel\nOpReturn\nOpFunctionEnd\n\
            %kernel = OpExtInst %void %set Kernel %main %text\n\
            %info = OpExtInst %void %set ArgumentInfo %text\n{instructions}"
        ))
    }

    /// For each instruction, given with the right operands, the first version that has it, and what is said where an operand is
    /// replaced by a type.
    fn table(instructions: &str) -> String {
        let messages = |found: String| -> Vec<String> {
            found.lines().filter_map(|line| Some(line.split_once("`: ")?.1.replace("`%fn`: ", ""))).collect()
        };
        let mut shown = String::new();
        for instruction in instructions.lines() {
            let (name, operands) = instruction.split_once(' ').unwrap_or((instruction, ""));
            let with = |operands: &str| format!("%x = OpExtInst %void %set {name} {operands}\n");
            let is_known = |version: &u32| reflected(*version, &with(operands)).is_empty();
            shown += &format!("{name} {:?}:", (1..=7).find(is_known).unwrap_or_default());
            let operands: Vec<&str> = operands.split(' ').collect();
            for index in 0..operands.len() {
                let mut wrong = operands.clone();
                wrong[index] = "%fn";
                shown += &format!(" {};", messages(reflected(7, &with(&wrong.join(" ")))).join(", "));
            }
            shown += "\n";
        }
        shown
    }

    #[test]
    fn each_instruction_has_its_version_and_operands() {
        let found = table(
            "ArgumentInfo %text %text %number %number %number
ArgumentStorageBuffer %kernel %number %number %number %info
ArgumentUniform %kernel %number %number %number %info
ArgumentSampledImage %kernel %number %number %number %info
ArgumentStorageImage %kernel %number %number %number %info
ArgumentSampler %kernel %number %number %number %info
ArgumentStorageTexelBuffer %kernel %number %number %number %info
ArgumentUniformTexelBuffer %kernel %number %number %number %info
ArgumentPodStorageBuffer %kernel %number %number %number %number %number %info
ArgumentPodUniform %kernel %number %number %number %number %number %info
ArgumentPointerUniform %kernel %number %number %number %number %number %info
ArgumentPodPushConstant %kernel %number %number %number %info
ArgumentPointerPushConstant %kernel %number %number %number %info
ArgumentWorkgroup %kernel %number %number %number %info
SpecConstantWorkgroupSize %number %number %number
SpecConstantGlobalOffset %number %number %number
SpecConstantWorkDim %number
PushConstantGlobalOffset %number %number
PushConstantEnqueuedLocalSize %number %number
PushConstantGlobalSize %number %number
PushConstantRegionOffset %number %number
PushConstantNumWorkgroups %number %number
PushConstantRegionGroupOffset %number %number
ConstantDataStorageBuffer %number %number %text
ConstantDataUniform %number %number %text
ProgramScopeVariablesStorageBuffer %number %number %text
LiteralSampler %number %number %number
PropertyRequiredWorkgroupSize %kernel %number %number %number
SpecConstantSubgroupMaxSize %number
ProgramScopeVariablePointerRelocation %number %number %number
ImageArgumentInfoChannelOrderPushConstant %kernel %number %number %number
ImageArgumentInfoChannelDataTypePushConstant %kernel %number %number %number
ImageArgumentInfoChannelOrderUniform %kernel %number %number %number %number %number
ImageArgumentInfoChannelDataTypeUniform %kernel %number %number %number %number %number
ConstantDataPointerPushConstant %number %number %text
ProgramScopeVariablePointerPushConstant %number %number %text
PrintfInfo %number %text %number %number
PrintfBufferStorageBuffer %number %number %number
PrintfBufferPointerPushConstant %number %number %number",
        );
        expect![[r#"
            ArgumentInfo 1: Name must be an OpString, defined here; TypeName must be an OpString, defined here; AddressQualifier must be a 32-bit unsigned OpConstant, defined here; AccessQualifier must be a 32-bit unsigned OpConstant, defined here; TypeQualifier must be a 32-bit unsigned OpConstant, defined here;
            ArgumentStorageBuffer 1: must be a Kernel of the same import, defined here; Ordinal must be a 32-bit unsigned OpConstant, defined here; DescriptorSet must be a 32-bit unsigned OpConstant, defined here; Binding must be a 32-bit unsigned OpConstant, defined here; must be an ArgumentInfo of the same import, defined here;
            ArgumentUniform 1: must be a Kernel of the same import, defined here; Ordinal must be a 32-bit unsigned OpConstant, defined here; DescriptorSet must be a 32-bit unsigned OpConstant, defined here; Binding must be a 32-bit unsigned OpConstant, defined here; must be an ArgumentInfo of the same import, defined here;
            ArgumentSampledImage 1: must be a Kernel of the same import, defined here; Ordinal must be a 32-bit unsigned OpConstant, defined here; DescriptorSet must be a 32-bit unsigned OpConstant, defined here; Binding must be a 32-bit unsigned OpConstant, defined here; must be an ArgumentInfo of the same import, defined here;
            ArgumentStorageImage 1: must be a Kernel of the same import, defined here; Ordinal must be a 32-bit unsigned OpConstant, defined here; DescriptorSet must be a 32-bit unsigned OpConstant, defined here; Binding must be a 32-bit unsigned OpConstant, defined here; must be an ArgumentInfo of the same import, defined here;
            ArgumentSampler 1: must be a Kernel of the same import, defined here; Ordinal must be a 32-bit unsigned OpConstant, defined here; DescriptorSet must be a 32-bit unsigned OpConstant, defined here; Binding must be a 32-bit unsigned OpConstant, defined here; must be an ArgumentInfo of the same import, defined here;
            ArgumentStorageTexelBuffer 4: must be a Kernel of the same import, defined here; Ordinal must be a 32-bit unsigned OpConstant, defined here; DescriptorSet must be a 32-bit unsigned OpConstant, defined here; Binding must be a 32-bit unsigned OpConstant, defined here; must be an ArgumentInfo of the same import, defined here;
            ArgumentUniformTexelBuffer 4: must be a Kernel of the same import, defined here; Ordinal must be a 32-bit unsigned OpConstant, defined here; DescriptorSet must be a 32-bit unsigned OpConstant, defined here; Binding must be a 32-bit unsigned OpConstant, defined here; must be an ArgumentInfo of the same import, defined here;
            ArgumentPodStorageBuffer 1: must be a Kernel of the same import, defined here; Ordinal must be a 32-bit unsigned OpConstant, defined here; DescriptorSet must be a 32-bit unsigned OpConstant, defined here; Binding must be a 32-bit unsigned OpConstant, defined here; Offset must be a 32-bit unsigned OpConstant, defined here; Size must be a 32-bit unsigned OpConstant, defined here; must be an ArgumentInfo of the same import, defined here;
            ArgumentPodUniform 1: must be a Kernel of the same import, defined here; Ordinal must be a 32-bit unsigned OpConstant, defined here; DescriptorSet must be a 32-bit unsigned OpConstant, defined here; Binding must be a 32-bit unsigned OpConstant, defined here; Offset must be a 32-bit unsigned OpConstant, defined here; Size must be a 32-bit unsigned OpConstant, defined here; must be an ArgumentInfo of the same import, defined here;
            ArgumentPointerUniform 3: must be a Kernel of the same import, defined here; Ordinal must be a 32-bit unsigned OpConstant, defined here; DescriptorSet must be a 32-bit unsigned OpConstant, defined here; Binding must be a 32-bit unsigned OpConstant, defined here; Offset must be a 32-bit unsigned OpConstant, defined here; Size must be a 32-bit unsigned OpConstant, defined here; must be an ArgumentInfo of the same import, defined here;
            ArgumentPodPushConstant 1: must be a Kernel of the same import, defined here; Ordinal must be a 32-bit unsigned OpConstant, defined here; Offset must be a 32-bit unsigned OpConstant, defined here; Size must be a 32-bit unsigned OpConstant, defined here; must be an ArgumentInfo of the same import, defined here;
            ArgumentPointerPushConstant 3: must be a Kernel of the same import, defined here; Ordinal must be a 32-bit unsigned OpConstant, defined here; Offset must be a 32-bit unsigned OpConstant, defined here; Size must be a 32-bit unsigned OpConstant, defined here; must be an ArgumentInfo of the same import, defined here;
            ArgumentWorkgroup 1: must be a Kernel of the same import, defined here; Ordinal must be a 32-bit unsigned OpConstant, defined here; SpecId must be a 32-bit unsigned OpConstant, defined here; ElemSize must be a 32-bit unsigned OpConstant, defined here; must be an ArgumentInfo of the same import, defined here;
            SpecConstantWorkgroupSize 1: X must be a 32-bit unsigned OpConstant, defined here; Y must be a 32-bit unsigned OpConstant, defined here; Z must be a 32-bit unsigned OpConstant, defined here;
            SpecConstantGlobalOffset 1: X must be a 32-bit unsigned OpConstant, defined here; Y must be a 32-bit unsigned OpConstant, defined here; Z must be a 32-bit unsigned OpConstant, defined here;
            SpecConstantWorkDim 1: Dim must be a 32-bit unsigned OpConstant, defined here;
            PushConstantGlobalOffset 1: Offset must be a 32-bit unsigned OpConstant, defined here; Size must be a 32-bit unsigned OpConstant, defined here;
            PushConstantEnqueuedLocalSize 1: Offset must be a 32-bit unsigned OpConstant, defined here; Size must be a 32-bit unsigned OpConstant, defined here;
            PushConstantGlobalSize 1: Offset must be a 32-bit unsigned OpConstant, defined here; Size must be a 32-bit unsigned OpConstant, defined here;
            PushConstantRegionOffset 1: Offset must be a 32-bit unsigned OpConstant, defined here; Size must be a 32-bit unsigned OpConstant, defined here;
            PushConstantNumWorkgroups 1: Offset must be a 32-bit unsigned OpConstant, defined here; Size must be a 32-bit unsigned OpConstant, defined here;
            PushConstantRegionGroupOffset 1: Offset must be a 32-bit unsigned OpConstant, defined here; Size must be a 32-bit unsigned OpConstant, defined here;
            ConstantDataStorageBuffer 1: DescriptorSet must be a 32-bit unsigned OpConstant, defined here; Binding must be a 32-bit unsigned OpConstant, defined here; Data must be an OpString, defined here;
            ConstantDataUniform 1: DescriptorSet must be a 32-bit unsigned OpConstant, defined here; Binding must be a 32-bit unsigned OpConstant, defined here; Data must be an OpString, defined here;
            ProgramScopeVariablesStorageBuffer 3: DescriptorSet must be a 32-bit unsigned OpConstant, defined here; Binding must be a 32-bit unsigned OpConstant, defined here; Data must be an OpString, defined here;
            LiteralSampler 1: DescriptorSet must be a 32-bit unsigned OpConstant, defined here; Binding must be a 32-bit unsigned OpConstant, defined here; Mask must be a 32-bit unsigned OpConstant, defined here;
            PropertyRequiredWorkgroupSize 1: must be a Kernel of the same import, defined here; X must be a 32-bit unsigned OpConstant, defined here; Y must be a 32-bit unsigned OpConstant, defined here; Z must be a 32-bit unsigned OpConstant, defined here;
            SpecConstantSubgroupMaxSize 2: Size must be a 32-bit unsigned OpConstant, defined here;
            ProgramScopeVariablePointerRelocation 3: ObjectOffset must be a 32-bit unsigned OpConstant, defined here; PointerOffset must be a 32-bit unsigned OpConstant, defined here; PointerSize must be a 32-bit unsigned OpConstant, defined here;
            ImageArgumentInfoChannelOrderPushConstant 3: must be a Kernel of the same import, defined here; Ordinal must be a 32-bit unsigned OpConstant, defined here; Offset must be a 32-bit unsigned OpConstant, defined here; Size must be a 32-bit unsigned OpConstant, defined here;
            ImageArgumentInfoChannelDataTypePushConstant 3: must be a Kernel of the same import, defined here; Ordinal must be a 32-bit unsigned OpConstant, defined here; Offset must be a 32-bit unsigned OpConstant, defined here; Size must be a 32-bit unsigned OpConstant, defined here;
            ImageArgumentInfoChannelOrderUniform 3: must be a Kernel of the same import, defined here; Ordinal must be a 32-bit unsigned OpConstant, defined here; DescriptorSet must be a 32-bit unsigned OpConstant, defined here; Binding must be a 32-bit unsigned OpConstant, defined here; Offset must be a 32-bit unsigned OpConstant, defined here; Size must be a 32-bit unsigned OpConstant, defined here;
            ImageArgumentInfoChannelDataTypeUniform 3: must be a Kernel of the same import, defined here; Ordinal must be a 32-bit unsigned OpConstant, defined here; DescriptorSet must be a 32-bit unsigned OpConstant, defined here; Binding must be a 32-bit unsigned OpConstant, defined here; Offset must be a 32-bit unsigned OpConstant, defined here; Size must be a 32-bit unsigned OpConstant, defined here;
            ConstantDataPointerPushConstant 5: Offset must be a 32-bit unsigned OpConstant, defined here; Size must be a 32-bit unsigned OpConstant, defined here; Data must be an OpString, defined here;
            ProgramScopeVariablePointerPushConstant 5: Offset must be a 32-bit unsigned OpConstant, defined here; Size must be a 32-bit unsigned OpConstant, defined here; Data must be an OpString, defined here;
            PrintfInfo 5: PrintfID must be a 32-bit unsigned OpConstant, defined here; FormatString must be an OpString, defined here; ArgumentSizes must be a 32-bit unsigned OpConstant, defined here; ArgumentSizes must be a 32-bit unsigned OpConstant, defined here;
            PrintfBufferStorageBuffer 5: DescriptorSet must be a 32-bit unsigned OpConstant, defined here; Binding must be a 32-bit unsigned OpConstant, defined here; Size must be a 32-bit unsigned OpConstant, defined here;
            PrintfBufferPointerPushConstant 5: Offset must be a 32-bit unsigned OpConstant, defined here; Size must be a 32-bit unsigned OpConstant, defined here; BufferSize must be a 32-bit unsigned OpConstant, defined here;
        "#]].assert_eq(&found);
    }

    #[test]
    fn kernels_and_numbers() {
        let check =
            |version: u32, instruction: &str| reflected(version, &format!("%x = OpExtInst {instruction}\n"));
        expect![[r#"
            error[reflection] 32:34 `%helper`: `%helper` is not an entry point
              26:1 `%helper`: defined here
        "#]]
        .assert_eq(&check(1, "%void %set Kernel %helper %text"));
        expect![[r#"
            error[reflection] 32:34 `%other`: `%other` must be an entry point for GLCompute only
              22:1 `%other`: defined here
        "#]]
        .assert_eq(&check(1, "%void %set Kernel %other %text"));
        expect![[r#"
            error[reflection] 32:34 `%number`: `%number` is not a function
              14:1 `%number`: defined here
        "#]]
        .assert_eq(&check(1, "%void %set Kernel %number %text"));
        expect![[r#"
            error[reflection] 32:40 `%number`: `%number`: Name must be an OpString
              14:1 `%number`: defined here
        "#]]
        .assert_eq(&check(1, "%void %set Kernel %main %number"));
        expect![[r#"
            error[reflection] 32:1 `%x = OpExtInst %void %set Kernel %main %text %number`: expected 2 operands for Kernel in version 4 of the set
        "#]].assert_eq(&check(4, "%void %set Kernel %main %text %number"));
        expect![[""]].assert_eq(&check(5, "%void %set Kernel %main %text %number %number %text"));
        expect![[r#"
            error[reflection] 32:46 `%text`: `%text`: NumArguments must be a 32-bit unsigned OpConstant
              10:1 `%text`: defined here
        "#]]
        .assert_eq(&check(5, "%void %set Kernel %main %text %text"));
        expect![[r#"
            error[reflection] 32:54 `%text`: `%text`: Flags must be a 32-bit unsigned OpConstant
              10:1 `%text`: defined here
        "#]]
        .assert_eq(&check(5, "%void %set Kernel %main %text %number %text"));
        expect![[r#"
            error[reflection] 32:62 `%number`: `%number`: Attributes must be an OpString
              14:1 `%number`: defined here
        "#]]
        .assert_eq(&check(5, "%void %set Kernel %main %text %number %number %number"));
        expect![[r#"
            error[reflection] 32:16 `%uint`: expected void as Result Type of a reflection instruction, found uint
              12:1 `%uint`: defined here
        "#]].assert_eq(&check(1, "%uint %set SpecConstantWorkDim %number"));
        expect![[r#"
            error[reflection] 32:47 `%long_number`: `%long_number`: Dim must be a 32-bit unsigned OpConstant
              15:1 `%long_number`: defined here
        "#]]
        .assert_eq(&check(1, "%void %set SpecConstantWorkDim %long_number"));
        expect![[r#"
            error[reflection] 32:47 `%spec`: `%spec`: Dim must be a 32-bit unsigned OpConstant
              16:1 `%spec`: defined here
        "#]]
        .assert_eq(&check(1, "%void %set SpecConstantWorkDim %spec"));
        expect![[r#"
            error[reflection] 30:27 `%set`: expected "NonSemantic.ClspvReflection.0" to end with a version of the set, 1 to 7
              4:1 `%set`: defined here
            error[reflection] 31:25 `%set`: expected "NonSemantic.ClspvReflection.0" to end with a version of the set, 1 to 7
              4:1 `%set`: defined here
            error[reflection] 32:22 `%set`: expected "NonSemantic.ClspvReflection.0" to end with a version of the set, 1 to 7
              4:1 `%set`: defined here
        "#]].assert_eq(&check(0, "%void %set SpecConstantWorkDim %number"));
        expect![[r#"
            error[reflection] 30:27 `%set`: expected "NonSemantic.ClspvReflection.8" to end with a version of the set, 1 to 7
              4:1 `%set`: defined here
            error[reflection] 31:25 `%set`: expected "NonSemantic.ClspvReflection.8" to end with a version of the set, 1 to 7
              4:1 `%set`: defined here
            error[reflection] 32:22 `%set`: expected "NonSemantic.ClspvReflection.8" to end with a version of the set, 1 to 7
              4:1 `%set`: defined here
        "#]].assert_eq(&check(8, "%void %set SpecConstantWorkDim %number"));
    }
}
