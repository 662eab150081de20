#!/usr/bin/env python3
"""LLVM IR of the small programs and kernels beside this script, and of passes and generators over it.

usage: llvm_programs.py OUT [--clang clang-22] [--suffix -22]

programs/  C, C++ and Objective-C: exceptions, coroutines, virtual bases, TLS, atomics, SIMD, matrices, OpenMP, funclets, Swift conventions ...
kernels/   OpenCL C for amdgcn and SPIR-V
passes/    opt pipelines over both, module summaries, thin LTO splits
stress/    llvm-stress at several sizes and seeds
"""
import argparse
import glob
import os
import random
import subprocess
import sys

from llvm_crates import stub_headers

HERE = os.path.dirname(os.path.abspath(__file__))
SPECIAL = {
    "simd_arm.c": [["--target=aarch64-none-elf", "-ffreestanding", "-march=armv9-a+sme"]],
    "rvv.c": [["--target=riscv64-unknown-elf", "-march=rv64gcv", "-ffreestanding"]],
    "matrixext.cpp": [["-fenable-matrix"], ["-fenable-matrix", "--target=aarch64-none-elf", "-ffreestanding"], ["-fenable-matrix", "--target=wasm32"]],
    "openmp.c": [["-fopenmp"], ["-fopenmp", "--target=aarch64-linux-gnu"], ["-fopenmp", "-fopenmp-enable-irbuilder"]],
    "blocks.m": [["-fblocks", "-fobjc-arc", "-fobjc-exceptions", "--target=x86_64-apple-macosx13"], ["-fblocks", "-fobjc-arc", "-fobjc-exceptions", "--target=arm64-apple-ios16"],
                 ["-fblocks", "-fobjc-exceptions", "--target=arm64e-apple-ios16", "-fptrauth-intrinsics"]],
    "seh.cpp": [["--target=x86_64-pc-windows-msvc", "-fms-extensions"], ["--target=aarch64-pc-windows-msvc", "-fms-extensions"]],
    "funclets.cpp": [[f"--target={t}", "-fms-extensions", "-fexceptions", "-fcxx-exceptions"] for t in ("x86_64-pc-windows-msvc", "i686-pc-windows-msvc", "aarch64-pc-windows-msvc")],
    "kernel.cpp": [["--target=amdgcn-amd-amdhsa", "-nogpulib", f"-mcpu={c}"] for c in ("gfx900", "gfx90a", "gfx942", "gfx1030", "gfx1100", "gfx1200", "gfx1250")],
    "simd_x86.c": [[]],
    "swiftcc.c": [["--target=x86_64-apple-macosx13"], []],
}
FREE = ["exceptions.cpp", "virtuals.cpp", "templates.cpp", "mixed.c", "coroutine.cpp", "threads.cpp", "stl.cpp"]
# The host's headers serve other hosted targets well enough to produce IR.
INC = [f"-I/usr/include{d}" for d in ("/c++/12", "/x86_64-linux-gnu/c++/12", "/x86_64-linux-gnu", "")]
TARGETS = [[]] + [[f"--target={t}", *INC] for t in ("aarch64-linux-gnu", "riscv64-linux-gnu", "s390x-linux-gnu", "powerpc64le-linux-gnu", "armv7-linux-gnueabihf", "loongarch64-linux-gnu",
                                                   "x86_64-linux-gnux32", "mips64el-linux-gnu", "nvptx64-nvidia-cuda", "x86_64-apple-macosx13")]
TARGETS += [["--target=arm64e-apple-ios16", "-fptrauth-calls", "-fptrauth-returns", "-fptrauth-intrinsics", "-fptrauth-vtable-pointer-address-discrimination", *INC],
            ["--target=x86_64-pc-windows-gnu", "-fexceptions", "-fcxx-exceptions", *INC], ["--target=x86_64-pc-windows-msvc", "-fms-extensions", "-fexceptions", "-fcxx-exceptions", *INC],
            ["--target=wasm32-unknown-unknown", "-fwasm-exceptions", "-mexception-handling", *INC]]
VARIANTS = [["-O0"], ["-O1"], ["-O2"], ["-O3"], ["-Os"], ["-Oz"], ["-O0", "-g"], ["-O2", "-g"], ["-O1", "-g", "-gsplit-dwarf"], ["-O1", "-g", "-gcodeview"], ["-O2", "-Xclang", "-disable-llvm-passes"],
            ["-O1", "-fsanitize=address"], ["-O1", "-fsanitize=memory"], ["-O1", "-fsanitize=thread"], ["-O1", "-fsanitize=hwaddress"], ["-O1", "-fsanitize=undefined"], ["-O1", "-fsanitize=cfi", "-flto", "-fvisibility=hidden"],
            ["-O1", "-flto=thin", "-fwhole-program-vtables", "-fvisibility=hidden"], ["-O2", "-fprofile-generate"], ["-O0", "-fprofile-instr-generate", "-fcoverage-mapping"], ["-O1", "-mcmodel=large"], ["-O2", "-fPIC", "-ftls-model=initial-exec"],
            ["-O1", "-fno-discard-value-names"], ["-O2", "-fexperimental-relative-c++-abi-vtables"], ["-O1", "-ffp-model=strict"], ["-O2", "-fstack-protector-all", "-fcf-protection"], ["-O2", "-fsplit-lto-unit", "-flto"],
            ["-O1", "-fxray-instrument", "-fpatchable-function-entry=3,1"], ["-O2", "-funroll-loops", "-march=native"], ["-O1", "-g", "-gsimple-template-names", "-gdwarf-5", "-fdebug-types-section", "-fstandalone-debug"], ["-O2", "-fcoroutines-ts"],
            ["-O1", "-fbasic-block-address-map"], ["-O1", "-fsanitize=kcfi"], ["-O1", "-fsanitize=realtime"], ["-O1", "-fsanitize=numerical"], ["-O1", "-fsanitize=type"], ["-O1", "-fsanitize-coverage=inline-8bit-counters,pc-table"], ["-O2", "-mllvm", "-enable-knowledge-retention"]]
HOST_PASSES = ["loop-vectorize,slp-vectorizer", "sroa", "mem2reg", "instcombine", "gvn,licm,indvars", "simplifycfg,jump-threading", "lower-switch,lower-invoke", "loop-rotate,loop-unroll-full", "reg2mem", "scalarizer", "strip-debug", "debugify", "lowerswitch",
               "coro-early,coro-split,coro-cleanup", "mergefunc,globalopt,deadargelim,argpromotion", "default<O3>", "attributor", "inferattrs,function-attrs", "structurizecfg", "loop-distribute,loop-load-elim", "partial-inliner,hotcoldsplit", "canonicalize-aliases,name-anon-globals",
               "rewrite-statepoints-for-gc", "lower-matrix-intrinsics", "expand-large-div-rem,expand-fp", "instnamer,metarenamer", "assume-builder", "loweratomic", "mergeicmps,expand-memcmp", "callsite-splitting,irce", "dfsan", "pgo-instr-gen", "instrprof", "break-crit-edges,unify-loop-exits,fix-irreducible", "partially-inline-libcalls,loop-idiom", "lower-constant-intrinsics,bounds-checking", "cross-dso-cfi,lowertypetests", "memprof", "extract-blocks", "iroutliner", "constraint-elimination", "vector-combine,interleaved-access", "add-discriminators"]
GPU_PASSES = ["amdgpu-attributor", "amdgpu-promote-alloca", "amdgpu-lower-kernel-arguments,amdgpu-lower-kernel-attributes", "amdgpu-codegenprepare", "amdgpu-atomic-optimizer", "structurizecfg", "amdgpu-unify-divergent-exit-nodes,structurizecfg,si-annotate-control-flow", "amdgpu-rewrite-undef-for-phi", "infer-address-spaces", "default<O3>", "amdgpu-lower-module-lds", "amdgpu-sw-lower-lds", "amdgpu-late-codegenprepare,amdgpu-image-intrinsic-opt", "amdgpu-lower-buffer-fat-pointers", "amdgpu-printf-runtime-binding,amdgpu-always-inline,always-inline", "load-store-vectorizer", "separate-const-offset-from-gep,slsr", "amdgpu-preload-kernel-arguments", "amdgpu-uniform-intrinsic-combine", "atomic-expand", "amdgpu-lower-exec-sync", "amdgpu-perf-hint"]


def run(cmd):
    try:
        return subprocess.run(cmd, stdin=subprocess.DEVNULL, capture_output=True, timeout=90).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def make(cmd, out):
    if os.path.exists(out):
        return True
    os.makedirs(os.path.dirname(out), exist_ok=True)
    if run([*cmd, "-o", out]) and os.path.getsize(out) < 2_000_000:
        return True
    if os.path.exists(out):
        os.remove(out)
    return False


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("out")
    ap.add_argument("--clang", default="clang-22")
    ap.add_argument("--suffix", default="-22")
    a = ap.parse_args()
    made, host, gpu, stubs = 0, [], [], stub_headers()
    for src in sorted(glob.glob(os.path.join(HERE, "programs", "*"))):
        name = os.path.basename(src)
        driver = a.clang.replace("clang", "clang++", 1) if name.endswith(".cpp") else a.clang
        std = ["-std=c++20"] if name.endswith(".cpp") else []
        for t, target in enumerate(TARGETS if name in FREE else SPECIAL[name]):
            for v, variant in enumerate(VARIANTS):
                if t and random.Random(f"{name}{t}{v}").random() < 0.55:
                    continue
                tag = "".join(c if c.isalnum() else "_" for c in ("".join(target[:1])[9:] + "".join(variant)))[:70]
                out = os.path.join(a.out, "programs", f"{name}.{t}.{tag}.ll")
                if make([driver, *std, "-w", *target, *stubs, *variant, "-S", "-emit-llvm", src], out):
                    made += 1
                    if v in (0, 2, 10, 7):
                        (gpu if name == "kernel.cpp" else host).append(out)
    for src in sorted(glob.glob(os.path.join(HERE, "kernels", "*.cl"))):
        name = os.path.basename(src)
        for cpu in ("gfx900", "gfx90a", "gfx942", "gfx1030", "gfx1100", "gfx1200", "gfx1250", "gfx700", "gfx9-4-generic", "r600:cayman", "spirv64"):
            base = ["--target=spirv64-unknown-unknown", "-Xclang", "-finclude-default-header"] if cpu == "spirv64" else ["--target=amdgcn-amd-amdhsa", "-nogpulib", f"-mcpu={cpu}"]
            for variant in (["-O0"], ["-O1"], ["-O2"], ["-O3"], ["-O0", "-g"], ["-O2", "-g"], ["-O2", "-Xclang", "-disable-llvm-passes"], ["-Os", "-fno-discard-value-names"], ["-O1", "-cl-fast-relaxed-math"], ["-O2", "-mcode-object-version=6"]):
                out = os.path.join(a.out, "kernels", f"{name}.{cpu}.{''.join(variant).replace('-', '_')}.ll".replace(":", "_"))
                if make([a.clang, "-x", "cl", "-cl-std=CL2.0", *base, "-w", *variant, "-S", "-emit-llvm", src], out):
                    made += 1
                    if variant in (["-O0"], ["-O2"], ["-O2", "-g"]) and cpu in ("gfx900", "gfx942", "gfx1100", "gfx1200"):
                        gpu.append(out)
    for files, passes, folder in ((gpu, GPU_PASSES, "amdgpu-passes"), (host, HOST_PASSES, "passes")):
        for f in files:
            rng = random.Random(os.path.basename(f))
            for p in rng.sample(passes, 3):
                out = os.path.join(a.out, folder, f"{os.path.basename(f)[:-3]}.{p.replace(',', '_').replace('<', '').replace('>', '')[:40]}.ll")
                made += make([f"opt{a.suffix}", "-S", f"-passes={p}", f], out)
            if rng.random() < 0.3:
                bc = os.path.join(a.out, "tmp.bc")
                if run([f"opt{a.suffix}", "-module-summary", f, "-o", bc]):
                    made += make([f"llvm-dis{a.suffix}", bc], os.path.join(a.out, "summary", os.path.basename(f)))
                    os.remove(bc)
            if rng.random() < 0.15:
                made += make([f"llvm-extract{a.suffix}", "-S", "--recursive", "--rfunc=.*[aeiou].*", f], os.path.join(a.out, "extract", os.path.basename(f)))
            if rng.random() < 0.1:
                made += make([f"opt{a.suffix}", "-S", "-preserve-ll-uselistorder", "-passes=sroa", f], os.path.join(a.out, "uselistorder", os.path.basename(f)))
    for size in (30, 100, 300, 900):
        for seed in range(1, 26):
            made += make([f"llvm-stress{a.suffix}", f"-size={size}", f"-seed={seed}"], os.path.join(a.out, "stress", f"s{size}-{seed}.ll"))
    print(made)


if __name__ == "__main__":
    sys.exit(main())
