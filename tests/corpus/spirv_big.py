#!/usr/bin/env python3
"""One valid SPIR-V compute module of about LINES lines, for measuring speed.

usage: spirv_big.py LINES > big.spvasm

Many functions of a few hundred instructions (loops, branches, loads, stores, arithmetic), so that
the module grows in functions, ids and blocks alike, as generated shader libraries do.
"""
import random
import sys


def main():
    lines = int(sys.argv[1])
    rng = random.Random(7)
    out = []
    w = out.append
    w("; SPIR-V\n; Version: 1.5\n; Generator: corpus; 0\n; Schema: 0")
    w("OpCapability Shader\n%glsl = OpExtInstImport \"GLSL.std.450\"\nOpMemoryModel Logical GLSL450")
    w('OpEntryPoint GLCompute %main "main" %buf\nOpExecutionMode %main LocalSize 64 1 1')
    w('OpName %main "main"\nOpName %Data "Data"\nOpMemberName %Data 0 "v"\nOpName %buf "buf"')
    w("OpDecorate %arr ArrayStride 4\nOpDecorate %Data Block\nOpMemberDecorate %Data 0 Offset 0\nOpDecorate %buf DescriptorSet 0\nOpDecorate %buf Binding 0")
    w("%void = OpTypeVoid\n%bool = OpTypeBool\n%float = OpTypeFloat 32\n%int = OpTypeInt 32 1\n%uint = OpTypeInt 32 0\n%v4 = OpTypeVector %float 4")
    w("%arr = OpTypeRuntimeArray %float\n%Data = OpTypeStruct %arr\n%pData = OpTypePointer StorageBuffer %Data\n%pf = OpTypePointer StorageBuffer %float\n%buf = OpVariable %pData StorageBuffer")
    w("%fnv = OpTypeFunction %void\n%fnf = OpTypeFunction %float %float %int\n%pfl = OpTypePointer Function %float\n%pin = OpTypePointer Function %int")
    for i in range(64):
        w(f"%i{i} = OpConstant %int {i}\n%f{i} = OpConstant %float {i * 0.25 + 0.5:g}")
    funcs = max(1, (lines - 160) // 204)
    for n in range(funcs):
        p = f"g{n}_"
        w(f"%fn{n} = OpFunction %float None %fnf\n%{p}a = OpFunctionParameter %float\n%{p}k = OpFunctionParameter %int\n%{p}l0 = OpLabel")
        w(f"%{p}acc = OpVariable %pfl Function\n%{p}i = OpVariable %pin Function\nOpStore %{p}acc %{p}a\nOpStore %{p}i %i0\nOpBranch %{p}head")
        w(f"%{p}head = OpLabel\nOpLoopMerge %{p}exit %{p}cont None\nOpBranch %{p}test")
        w(f"%{p}test = OpLabel\n%{p}iv = OpLoad %int %{p}i\n%{p}lt = OpSLessThan %bool %{p}iv %{p}k\nOpBranchConditional %{p}lt %{p}body %{p}exit")
        w(f"%{p}body = OpLabel\n%{p}x0 = OpLoad %float %{p}acc")
        last = f"%{p}x0"
        for j in range(1, 41):
            kind = rng.randrange(5)
            c = f"%f{rng.randrange(64)}"
            if kind == 0:
                w(f"%{p}x{j} = OpFAdd %float {last} {c}")
            elif kind == 1:
                w(f"%{p}x{j} = OpFMul %float {last} {c}")
            elif kind == 2:
                w(f"%{p}x{j} = OpExtInst %float %glsl Fma {last} {c} {c}")
            elif kind == 3:
                w(f"%{p}q{j} = OpAccessChain %pf %buf %i0 %i{rng.randrange(64)}\n%{p}y{j} = OpLoad %float %{p}q{j}\n%{p}x{j} = OpFSub %float {last} %{p}y{j}")
            else:
                w(f"%{p}v{j} = OpCompositeConstruct %v4 {last} {c} {last} {c}\n%{p}x{j} = OpCompositeExtract %float %{p}v{j} {rng.randrange(4)}")
            last = f"%{p}x{j}"
        for j in range(10):
            w(f"%{p}c{j} = OpFOrdLessThan %bool {last} %f{rng.randrange(64)}\nOpSelectionMerge %{p}m{j} None\nOpBranchConditional %{p}c{j} %{p}t{j} %{p}e{j}")
            w(f"%{p}t{j} = OpLabel\n%{p}tv{j} = OpFNegate %float {last}\nOpBranch %{p}m{j}")
            w(f"%{p}e{j} = OpLabel\n%{p}ev{j} = OpExtInst %float %glsl FAbs {last}\nOpBranch %{p}m{j}")
            w(f"%{p}m{j} = OpLabel\n%{p}p{j} = OpPhi %float %{p}tv{j} %{p}t{j} %{p}ev{j} %{p}e{j}")
            last = f"%{p}p{j}"
        if n:
            w(f"%{p}call = OpFunctionCall %float %fn{rng.randrange(max(0, n - 20), n)} {last} %i3")
            last = f"%{p}call"
        w(f"OpStore %{p}acc {last}\nOpBranch %{p}cont")
        w(f"%{p}cont = OpLabel\n%{p}i2 = OpLoad %int %{p}i\n%{p}i3 = OpIAdd %int %{p}i2 %i1\nOpStore %{p}i %{p}i3\nOpBranch %{p}head")
        w(f"%{p}exit = OpLabel\n%{p}r = OpLoad %float %{p}acc\nOpReturnValue %{p}r\nOpFunctionEnd")
        if n % 1000 == 999:
            sys.stdout.write("\n".join(out) + "\n")
            out.clear()
    w("%main = OpFunction %void None %fnv\n%ml = OpLabel")
    w(f"%mr = OpFunctionCall %float %fn{funcs - 1} %f1 %i5\n%mp = OpAccessChain %pf %buf %i0 %i0\nOpStore %mp %mr\nOpReturn\nOpFunctionEnd")
    sys.stdout.write("\n".join(out) + "\n")


if __name__ == "__main__":
    sys.exit(main())
