#!/usr/bin/env python3
"""LLVM IR of real C and C++ sources, in many flavours.

usage: llvm_crates.py VENDOR OUT [--per-file N] [--budget-mb MB] [--seed S]

Every C/C++ file below VENDOR is compiled with N flavours drawn at random (the draw depends only on
the seed and the file's name, so a run can be repeated). What does not compile is passed over in
silence: a missing configuration header says nothing about IR. Files over 2 MB are dropped, and large
ones are kept only until a share of the budget is used, so that the corpus stays quick to read.
"""
import argparse
import os
import random
import subprocess
import sys
import tempfile

HOST = ["--target=x86_64-linux-gnu"]
AARCH64 = ["--target=aarch64-linux-gnu", "-I/usr/include/x86_64-linux-gnu"]
AMDGCN = ["--target=amdgcn-amd-amdhsa", "-nogpulib", "-I/usr/include/x86_64-linux-gnu", "-I/usr/include"]

# (weight, name, flags)
FLAVOURS = [
    (4, "O0", HOST + ["-O0"]),
    (4, "O0-g", HOST + ["-O0", "-g"]),
    (4, "O1", HOST + ["-O1"]),
    (5, "O2", HOST + ["-O2"]),
    (4, "O2-g", HOST + ["-O2", "-g"]),
    (3, "O3-avx512", HOST + ["-O3", "-march=x86-64-v4"]),
    (3, "Os", HOST + ["-Os"]),
    (2, "Os-g", HOST + ["-Os", "-g"]),
    (1, "O1-gsplit", HOST + ["-O1", "-gsplit-dwarf", "-g"]),
    (1, "O2-gdwarf4-macro", HOST + ["-O2", "-gdwarf-4", "-fdebug-macro"]),
    (1, "O0-lines", HOST + ["-O0", "-gline-tables-only"]),
    (1, "asan", HOST + ["-O1", "-fsanitize=address"]),
    (1, "msan", HOST + ["-O1", "-fsanitize=memory"]),
    (1, "tsan", HOST + ["-O1", "-fsanitize=thread"]),
    (1, "ubsan", HOST + ["-O1", "-fsanitize=undefined"]),
    (1, "hwasan-aarch64", AARCH64 + ["-O1", "-fsanitize=hwaddress"]),
    (1, "cfi", HOST + ["-O1", "-fsanitize=cfi", "-flto", "-fvisibility=hidden"]),
    (1, "thinlto", HOST + ["-O1", "-flto=thin"]),
    (1, "profgen", HOST + ["-O1", "-fprofile-generate"]),
    (1, "coverage", HOST + ["-O0", "-fprofile-instr-generate", "-fcoverage-mapping"]),
    (1, "gcov", HOST + ["-O1", "--coverage"]),
    (1, "sancov", HOST + ["-O1", "-fsanitize-coverage=trace-pc-guard,trace-cmp,indirect-calls"]),
    (1, "mcmodel-large", HOST + ["-O1", "-mcmodel=large", "-fPIC"]),
    (1, "pic-tls", HOST + ["-O1", "-fPIC", "-ftls-model=local-dynamic"]),
    (1, "ssp", HOST + ["-O1", "-fstack-protector-strong", "-fstack-clash-protection", "-fcf-protection"]),
    (1, "trivial-init", HOST + ["-O0", "-ftrivial-auto-var-init=pattern", "-fstrict-flex-arrays=3"]),
    (1, "fastmath", HOST + ["-O3", "-ffast-math", "-fno-math-errno"]),
    (1, "strictfp", HOST + ["-O2", "-ffp-model=strict"]),
    (1, "optnone-names", HOST + ["-O0", "-Xclang", "-disable-O0-optnone", "-fno-discard-value-names"]),
    (1, "O2-names", HOST + ["-O2", "-fno-discard-value-names"]),
    (1, "O1-nopasses", HOST + ["-O2", "-Xclang", "-disable-llvm-passes"]),
    (1, "savestack", HOST + ["-O1", "-fsanitize=safe-stack"]),
    (1, "kcfi", HOST + ["-O1", "-fsanitize=kcfi"]),
    (1, "i686", ["--target=i686-linux-gnu", "-O1", "-I/usr/include/x86_64-linux-gnu"]),
    (3, "aarch64-O2", AARCH64 + ["-O2"]),
    (2, "aarch64-O0-g", AARCH64 + ["-O0", "-g"]),
    (2, "aarch64-sve", AARCH64 + ["-O3", "-march=armv9-a"]),
    (1, "riscv64-rvv", ["--target=riscv64-linux-gnu", "-O3", "-march=rv64gcv", "-I/usr/include/x86_64-linux-gnu"]),
    (1, "ppc64le", ["--target=powerpc64le-linux-gnu", "-O2", "-I/usr/include/x86_64-linux-gnu"]),
    (1, "s390x", ["--target=s390x-linux-gnu", "-O2", "-I/usr/include/x86_64-linux-gnu"]),
    (1, "armv7", ["--target=armv7-linux-gnueabihf", "-O2", "-I/usr/include/x86_64-linux-gnu"]),
    (1, "wasm32", ["--target=wasm32-unknown-unknown", "-O2", "-msimd128", "-I/usr/include/x86_64-linux-gnu", "-I/usr/include"]),
    (1, "arm64e", ["--target=arm64e-apple-ios", "-O1", "-fptrauth-calls", "-fptrauth-returns", "-I/usr/include/x86_64-linux-gnu", "-I/usr/include", "-D__linux__"]),
    (1, "msvc-codeview", ["--target=x86_64-pc-windows-gnu", "-O1", "-g", "-gcodeview", "-I/usr/include/x86_64-linux-gnu", "-I/usr/include"]),
    (2, "amdgcn-gfx942", AMDGCN + ["-mcpu=gfx942", "-O2"]),
    (2, "amdgcn-gfx1100-O0", AMDGCN + ["-mcpu=gfx1100", "-O0"]),
    (1, "amdgcn-gfx900-g", AMDGCN + ["-mcpu=gfx900", "-O1", "-g"]),
]
SKIP_DIRS = ("test", "tests", "benches", "contrib", "sample", "examples", "programs", "fuzz", "bench", "windows")
DEFINES = ["-DHAVE_CONFIG_H=0", "-DSTATIC=static", "-DNDEBUG", "-DHAVE_STDINT_H=1", "-DHAVE_STDLIB_H", "-DHAVE_INTTYPES_H",
           "-DHAVE_STDBOOL_H", "-DHAVE_STRING_H", "-DHAVE_MEMORY_H", "-DSIZEOF_SIZE_T=8", "-DSIZEOF_LONG=8", "-DSIZEOF_INT=4",
           "-DSIZEOF_VOIDP=8", "-DECMULT_WINDOW_SIZE=15", "-DECMULT_GEN_PREC_BITS=4", "-DMI_STATIC_LIB", "-DSHA1DC_NO_STANDARD_INCLUDES",
           "-DHAVE_VISIBILITY=0", "-DHAVE_ENCODER_LZMA2", "-DHAVE_DECODER_LZMA2", "-DHAVE_ENCODER_LZMA1", "-DHAVE_DECODER_LZMA1",
           "-DHAVE_CHECK_CRC32", "-DHAVE_CHECK_CRC64", "-DHAVE_MF_HC3", "-DHAVE_MF_BT4", "-DPACKAGE_NAME=\"p\"", "-DPACKAGE_VERSION=\"1\"",
           "-DZLIB_CONST", "-DHAVE_UNISTD_H", "-DLIBSSH2_OPENSSL=0", "-DGIT_SHA1_COLLISIONDETECT=1", "-D_GNU_SOURCE",
           "-DGIT_REGEX_BUILTIN=1", "-DGIT_ARCH_64=1", "-DTUKLIB_SYMBOL_PREFIX=lz_", "-DHAVE___BUILTIN_BSWAPXX=1"]


def stub_headers():
    """glibc's headers ask for files of other word sizes which an x86-64 machine lacks; empty ones do."""
    folder = tempfile.mkdtemp()
    os.makedirs(os.path.join(folder, "gnu"))
    for kind in ("32", "x32", "64", "soft", "hard", "64-v2", "lp64d", "lp64"):
        open(os.path.join(folder, "gnu", f"stubs-{kind}.h"), "w").close()
    return ["-idirafter", folder]


def sources(vendor):
    for crate in sorted(os.listdir(vendor)):
        for root, dirs, names in os.walk(os.path.join(vendor, crate)):
            dirs[:] = sorted(d for d in dirs if d.lower() not in SKIP_DIRS)
            for name in sorted(names):
                if name.endswith((".c", ".cc", ".cpp")):
                    yield crate, os.path.join(root, name)


def include_dirs(crate_dir):
    found = []
    for root, dirs, names in os.walk(crate_dir):
        dirs.sort()
        if any(n.endswith((".h", ".hpp")) for n in names):
            found.append(root)
            parent = os.path.dirname(root)
            if parent not in found and len(parent) >= len(crate_dir):
                found.append(parent)
    return found[:60]


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("vendor")
    ap.add_argument("out")
    ap.add_argument("--per-file", type=int, default=3)
    ap.add_argument("--budget-mb", type=int, default=250)
    ap.add_argument("--seed", default="1")
    ap.add_argument("--only", default="", help="only flavours whose name contains this")
    ap.add_argument("--clang", default="clang-22")
    a = ap.parse_args()
    os.makedirs(a.out, exist_ok=True)
    todo = list(sources(a.vendor))
    random.Random(a.seed).shuffle(todo)  # a run that is cut short is still diverse
    stubs = stub_headers()
    flavours = [f for f in FLAVOURS if a.only in f[1]]
    weights = [f[0] for f in flavours]
    includes, total, big, made = {}, 0, 0, 0
    for n in range(a.per_file):
        for crate, path in todo:
            base = os.path.join(a.vendor, crate)
            if crate not in includes:
                includes[crate] = include_dirs(base)
            rng = random.Random(f"{a.seed}:{n}:{os.path.relpath(path, a.vendor)}")
            _, flavour, flags = rng.choices(flavours, weights)[0]
            name = os.path.relpath(path, base).replace(os.sep, "_").rsplit(".", 1)[0]
            folder = os.path.join(a.out, crate)
            target = os.path.join(folder, f"{name[-60:]}.{flavour}.ll")
            if os.path.exists(target):
                continue
            os.makedirs(folder, exist_ok=True)
            clang = a.clang if path.endswith(".c") else a.clang.replace("clang", "clang++", 1)
            cmd = [clang, "-S", "-emit-llvm", "-w", "-Wno-everything", "-o", target] + flags + DEFINES + stubs
            cmd += [x for d in includes[crate] for x in ("-idirafter", d)] + [path]
            try:
                ok = subprocess.run(cmd, stdin=subprocess.DEVNULL, capture_output=True, timeout=60).returncode == 0
            except subprocess.TimeoutExpired:
                ok = False
            size = os.path.getsize(target) if os.path.exists(target) else 0
            keep = ok and 1500 < size < 2_000_000
            if keep and size > 250_000:
                keep = big + size < a.budget_mb * 400_000
                big += size if keep else 0
            if keep:
                total, made = total + size, made + 1
            elif os.path.exists(target):
                os.remove(target)
            if total > a.budget_mb * 1_000_000:
                print(made, "files,", total, "bytes: budget used")
                return
    print(made, "files,", total, "bytes")


if __name__ == "__main__":
    sys.exit(main())
