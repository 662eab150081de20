//! Kernels in SPIR-V for OpenCL through `llvm-spirv`, `opt` and `llc`, where these are installed.

use wavelens_base::{Dialect, Options};
use wavelens_codegen::{Cancel, Compiler, Failure, Limits, Report};
use wavelens_ide::codegen::{Detail, Plan, Settings, complete, named};
use wavelens_tests::required;

/// Compiles for gfx1030; `None` where a program is missing.
fn compile(text: &str) -> Option<Result<Report, Failure>> {
    let compiler = Compiler::find(None, None, None);
    let tools = &compiler.tools;
    if tools.llvm_spirv().is_none() || tools.llc().is_none() || tools.opt().is_none() {
        required::skip("llvm-spirv, opt or llc is not installed");
        return None;
    }
    let options = Options { target: Some("gfx1030".to_owned()), ..Options::default() };
    let request =
        Plan::of(Dialect::Spirv, text, options.clone()).request(&Settings::default()).expect("has no errors");
    let result = compiler.compile(&request, &Limits::default(), &Cancel::default());
    Some(result.map_err(|failure| named(failure, &request)).and_then(|mut report| {
        complete(&mut report, &options, Detail::Costs);
        compiler.add_costs(&mut report, None, &Limits::default(), &Cancel::default())?;
        Ok(report)
    }))
}

/// A kernel with a pointer `%p` and a number `%x`; types, constants and a body are put in.
fn kernel(head: &str, globals: &str, body: &str) -> String {
    format!(
        "; target-env: spv1.4\nOpCapability Addresses\nOpCapability Kernel\nOpCapability Int64\n\
         OpMemoryModel Physical64 OpenCL\nOpEntryPoint Kernel %k \"k\"\n{head}%void = OpTypeVoid\n\
         %bool = OpTypeBool\n%uint = OpTypeInt 32 0\n%ulong = OpTypeInt 64 0\n%uint2 = OpTypeVector %uint 2\n\
         %uint3 = OpTypeVector %uint 3\n%pair = OpTypeStruct %uint %uint\n%alike = OpTypeStruct %uint %uint\n\
         %ptr = OpTypePointer CrossWorkgroup %uint\n%slot = OpTypePointer Function %uint\n\
         %one = OpConstant %uint 1\n%two = OpConstant %uint 2\n%fn = OpTypeFunction %void %ptr %uint\n{globals}\
         %k = OpFunction %void None %fn\n%p = OpFunctionParameter %ptr\n%x = OpFunctionParameter %uint\n\
         %entry = OpLabel\n{body}OpReturn\nOpFunctionEnd\n"
    )
}

/// What older releases of the translator do not read is said to them in other words; the code shows that these mean the same.
#[test]
fn newer_instructions_compile() {
    let cases = [
        ("%sum = OpIAddCarry %pair %x %two\n%y = OpCompositeExtract %uint %sum 1\n", "v_cndmask_b32"),
        ("%sum = OpISubBorrow %pair %x %two\n%y = OpCompositeExtract %uint %sum 1\n", "v_cndmask_b32"),
        ("%all = OpUMulExtended %pair %x %x\n%y = OpCompositeExtract %uint %all 1\n", "s_mul_hi_u32"),
        ("%all = OpSMulExtended %pair %x %x\n%y = OpCompositeExtract %uint %all 1\n", "s_mul_hi_i32"),
        ("%null = OpPtrEqual %bool %p %p\n%y = OpSelect %uint %null %x %two\n", "s_load_dword "),
        (
            "%at = OpBitcast %ulong %p\n%back = OpBitcast %ptr %at\n%old = OpLoad %uint %back Aligned 4\n\
             %y = OpIMul %uint %old %x\n",
            "mul_",
        ),
        (
            "%ab = OpCompositeConstruct %pair %x %two\n%cd = OpCopyLogical %alike %ab\n\
             %y = OpCompositeExtract %uint %cd 0\n",
            "s_load_dword ",
        ),
        (
            "%a = OpCompositeConstruct %uint2 %x %two\n%b = OpCompositeConstruct %uint3 %a %one\n\
             %c = OpVectorShuffle %uint2 %a %b 4 2\n%y = OpCompositeExtract %uint %c 1\n",
            "s_load_dword ",
        ),
        (
            "%var = OpVariable %slot Function %two\nOpCopyMemory %p %var\n%y = OpIAdd %uint %x %zero\n",
            "v_mov_b32",
        ),
    ];
    for (body, code) in cases {
        let body = format!("{body}OpStore %p %y Aligned 4\n");
        let Some(result) = compile(&kernel("", "%zero = OpConstantNull %uint\n", &body)) else { return };
        let report = result.unwrap_or_else(|failure| panic!("{body}{}", failure.sentence()));
        assert!(report.isa.contains(code), "{body}{}", report.isa);
        assert!(report.isa.contains("global_store_dword"), "{}", report.isa);
    }
}

#[test]
fn barriers_and_arithmetic_are_instructions() {
    let head = "%cl = OpExtInstImport \"OpenCL.std\"\n";
    let module = kernel(
        "",
        "%float = OpTypeFloat 32\n%meet = OpConstant %uint 272\n",
        "\
        OpControlBarrier %two %two %meet\n%f = OpBitcast %float %x\n%g = OpExtInst %float %cl fma %f %f %f\n\
        %h = OpExtInst %float %cl sin %g\n%y = OpBitcast %uint %h\n%z = OpExtInst %uint %cl u_max %y %x\n\
        OpStore %p %z Aligned 4\n",
    );
    let Some(result) = compile(&module.replacen("OpMemoryModel", &format!("{head}OpMemoryModel"), 1)) else {
        return;
    };
    let isa = result.expect("compiles").isa;
    for code in ["s_barrier", "v_fma", "v_max_u32"] {
        assert!(isa.contains(code), "{code}: {isa}");
    }
    // A library's function stays a call.
    assert_eq!(isa.matches("\ts_swappc_b64").count(), 1, "{isa}");
}

#[test]
fn sizes_of_workgroups_may_be_sums_of_specialization_constants() {
    let head = "OpExecutionModeId %k LocalSizeId %size %one %one\n";
    let globals = "%spec = OpSpecConstant %uint 31\n%size = OpSpecConstantOp %uint IAdd %spec %two\n";
    let Some(result) = compile(&kernel(head, globals, "")) else { return };
    let report = result.expect("compiles");
    assert!(report.isa.contains(".reqd_workgroup_size:\n      - 33\n"), "{}", report.isa);
}

#[test]
fn what_the_translator_lacks_has_a_name() {
    let body = "%y = OpPtrDiff %ulong %p %p\n";
    let Some(result) = compile(&kernel("", "", body)) else { return };
    // A newer release takes it.
    if let Err(failure) = result {
        let sentence = failure.sentence();
        assert!(sentence.ends_with(": OpPtrDiff is not implemented; a newer release may"), "{sentence}");
    }
}

#[test]
fn kernels_of_one_module_have_waves_of_both_sizes() {
    let kernel = |name: &str| {
        format!(
            "%{name} = OpFunction %void None %fn\n%{name}_p = OpFunctionParameter %ptr\n%{name}_entry = OpLabel\n\
             %{name}_ids = OpLoad %ulong3 %id Aligned 32\n%{name}_x = OpCompositeExtract %ulong %{name}_ids 0\n\
             %{name}_at = OpInBoundsPtrAccessChain %ptr %{name}_p %{name}_x\n\
             %{name}_old = OpLoad %uint %{name}_at Aligned 4\n\
             %{name}_is = OpULessThan %bool %{name}_old %two\n%{name}_new = OpSelect %uint %{name}_is %one %two\n\
             OpStore %{name}_at %{name}_new Aligned 4\nOpReturn\nOpFunctionEnd\n"
        )
    };
    let text = format!(
        "OpCapability Addresses\nOpCapability Kernel\nOpCapability Int64\nOpCapability SubgroupDispatch\n\
         OpMemoryModel Physical64 OpenCL\nOpEntryPoint Kernel %narrow \"narrow\" %id\n\
         OpEntryPoint Kernel %wide \"wide\" %id\nOpExecutionMode %narrow SubgroupSize 32\n\
         OpExecutionMode %wide SubgroupSize 64\nOpDecorate %id BuiltIn GlobalInvocationId\n%void = OpTypeVoid\n\
         %bool = OpTypeBool\n%uint = OpTypeInt 32 0\n%ulong = OpTypeInt 64 0\n%ulong3 = OpTypeVector %ulong 3\n\
         %ptr = OpTypePointer CrossWorkgroup %uint\n%input = OpTypePointer Input %ulong3\n\
         %one = OpConstant %uint 1\n%two = OpConstant %uint 2\n%fn = OpTypeFunction %void %ptr\n\
         %id = OpVariable %input Input\n{}{}",
        kernel("narrow"),
        kernel("wide")
    );
    let Some(result) = compile(&text) else { return };
    let report = result.expect("compiles");
    assert_eq!(report.lanes.iter().map(|(_, lanes)| *lanes).collect::<Vec<_>>(), [32, 64]);
    let compares: Vec<&str> = report.isa.lines().map(str::trim).filter(|l| l.starts_with("v_cmp")).collect();
    assert!(compares[0].contains("vcc_lo") && !compares[1].contains("vcc_lo"), "{compares:?}");
    assert!(report.lines.iter().all(|l| !l.encoding.is_empty() && l.source.is_some()));
    let costs = report.lines.iter().filter(|l| l.cost.is_some()).count();
    let all = wavelens_codegen::Tools::find(None).llvm_mca().map_or(0, |_| report.lines.len());
    assert_eq!(costs, all);
    assert!(report.kernels.iter().all(|k| k.occupancy > 0 && k.vgprs > 0), "{:?}", report.kernels);
}
