#!/usr/bin/env python3
"""SPIR-V modules as text: the shaders and kernels beside this script through several compilers.

usage: spirv.py OUT [--clang clang-22] [--llc llc-22] [--naga naga] [--only PART,...]

glslangValidator with every target it knows, spirv-opt over that, clang + llc's SPIR-V backend, naga.
Equal texts are written once. Vulkan modules get a `; target-env:` comment, so that the environment's
own rules are applied too; for the rest the header that spirv-dis prints names the version.
"""
import argparse
import glob
import hashlib
import os
import random
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ENVS = ["vulkan1.0", "vulkan1.1", "vulkan1.2", "vulkan1.3", "opengl", "spirv1.0", "spirv1.3", "spirv1.4", "spirv1.5", "spirv1.6"]
GLSLANG = [[], ["-g"], ["-Od", "-gVS"], ["-Os"]]
OPT = [
    ["-O"], ["-Os"], ["--strip-debug"], ["--merge-return", "--inline-entry-points-exhaustive", "--eliminate-dead-functions"],
    ["--scalar-replacement=100", "--ssa-rewrite", "--ccp"], ["--convert-local-access-chains", "--loop-unroll", "--cfg-cleanup"],
    ["--freeze-spec-const", "--fold-spec-const-op-composite", "--unify-const"], ["--private-to-local", "--if-conversion", "--vector-dce"],
    ["--strip-debug", "--compact-ids", "--eliminate-dead-const"], ["--wrap-opkill", "--redundancy-elimination", "--code-sink"],
    ["--loop-peeling", "--loop-fusion=20", "--loop-invariant-code-motion"], ["--combine-access-chains", "--simplify-instructions", "--local-redundancy-elimination"],
    ["--graphics-robust-access"], ["--relax-float-ops", "--convert-relaxed-to-half"], ["--replace-invalid-opcode", "--upgrade-memory-model"], ["--descriptor-scalar-replacement"],
]
TRIPLES = [("spirv64", "spirv64-unknown-unknown", []), ("spirv32", "spirv32-unknown-unknown", []), ("spirv64v12", "spirv64v1.2-unknown-unknown", []),
           ("spirv64v15", "spirv64v1.5-unknown-unknown", []), ("spirv64ext", "spirv64-unknown-unknown", ["--spirv-ext=all"])]
seen = set()
count = {}


def run(cmd):
    try:
        return subprocess.run(cmd, stdin=subprocess.DEVNULL, capture_output=True, timeout=90).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def disassemble(spv, out, env=None, raw=False):
    cmd = ["spirv-dis", "--no-color"] + (["--raw-id"] if raw else []) + [spv]
    p = subprocess.run(cmd, stdin=subprocess.DEVNULL, capture_output=True)
    if p.returncode or not p.stdout:
        return
    text = p.stdout.decode("utf-8", "replace")
    if env:
        text = f"; target-env: {env}\n" + text
    save(text, out)


def save(text, out):
    digest = hashlib.sha1(text.encode()).digest()
    if digest in seen:
        return
    seen.add(digest)
    os.makedirs(os.path.dirname(out), exist_ok=True)
    with open(out, "w", encoding="utf-8") as f:
        f.write(text)
    kind = os.path.basename(os.path.dirname(out))
    count[kind] = count.get(kind, 0) + 1


def glsl(out, tmp, _):
    spv, opt = os.path.join(tmp, "a.spv"), os.path.join(tmp, "b.spv")
    for src in sorted(glob.glob(os.path.join(HERE, "shaders", "*"))):
        name, stage = os.path.basename(src), src.rsplit(".", 1)[1]
        hlsl = ["-D"] if ".hlsl." in name else []
        for env in ENVS:
            for flags in GLSLANG:
                client = ["-G"] if env == "opengl" else ["-V"]
                target = ["--target-env", env] + (["--aml", "--amb"] if env in ("opengl", "spirv1.0") else [])
                define = ["-DSCALE=2.5"] if hlsl and env == "vulkan1.1" else []
                if not run(["glslangValidator", *hlsl, *client, *target, *flags, *define, "-S", stage, "-e", "main", "-o", spv, src]):
                    continue
                tag = (env + "".join(flags)).replace("-", "_")
                vulkan = env if env.startswith("vulkan") else None
                rng = random.Random(name + tag)
                disassemble(spv, os.path.join(out, "glslang", f"{name}.{tag}.spvasm"), vulkan, raw=rng.random() < 0.3)
                for i in rng.sample(range(len(OPT)), 3 if not flags else 1):
                    if run(["spirv-opt", "--skip-validation", *OPT[i], spv, "-o", opt]):
                        disassemble(opt, os.path.join(out, "spirv-opt", f"{name}.{tag}.opt{i}.spvasm"), vulkan if rng.random() < 0.7 else None, raw=rng.random() < 0.3)


def clang_llc(out, tmp, a):
    ll, spv = os.path.join(tmp, "k.ll"), os.path.join(tmp, "k.spv")
    for src in sorted(glob.glob(os.path.join(HERE, "kernels", "*.cl"))):
        name = os.path.basename(src)
        for tag, triple, flags in TRIPLES:
            for level in ("-O0", "-O1", "-O2", "-Os"):
                for debug in ([], ["-g"]):
                    if debug and level != "-O0":
                        continue
                    if not run([a.clang, "-x", "cl", "-cl-std=CL2.0", "-Xclang", "-finclude-default-header", f"--target={triple}", level, *debug, "-w",
                                "-S", "-emit-llvm", "-o", ll, src]):
                        continue
                    if run([a.llc, f"-mtriple={triple}", *flags, "-O0" if level == "-O0" else "-O2", "-filetype=obj", "-o", spv, ll]):
                        disassemble(spv, os.path.join(out, "llc", f"{name}.{tag}{level}{''.join(debug)}.spvasm"))


def vulkan_ll(out, tmp, a):
    spv = os.path.join(tmp, "v.spv")
    for src in sorted(glob.glob(os.path.join(HERE, "ir", "spirv", "*.ll"))):
        for version in ("", "1.2", "1.3"):
            for level in ("-O0", "-O2"):
                if run([a.llc, f"-mtriple=spirv-unknown-vulkan{version}-compute", level, "-filetype=obj", "-o", spv, src]):
                    disassemble(spv, os.path.join(out, "llc-vulkan", f"{os.path.basename(src)[:-3]}.{version}{level}.spvasm"))


def programs(out, tmp, a):
    """C and C++ that asks for no headers, for the kernel flavour."""
    ll, spv = os.path.join(tmp, "p.ll"), os.path.join(tmp, "p.spv")
    for src in sorted(glob.glob(os.path.join(HERE, "programs", "*.c*"))):
        for level in ("-O0", "-O2"):
            clang = a.clang.replace("clang", "clang++", 1) if src.endswith(".cpp") else a.clang
            if run([clang, "--target=spirv64-unknown-unknown", level, "-w", "-ffreestanding", "-nostdinc", "-S", "-emit-llvm", "-o", ll, src]) and \
               run([a.llc, "-mtriple=spirv64-unknown-unknown", "--spirv-ext=all", "-filetype=obj", "-o", spv, ll]):
                disassemble(spv, os.path.join(out, "llc", f"{os.path.basename(src)}.{level}.spvasm"))


def naga(out, tmp, a):
    spv, opt = os.path.join(tmp, "n.spv"), os.path.join(tmp, "m.spv")
    sources = [(s, []) for s in sorted(glob.glob(os.path.join(HERE, "wgsl", "*.wgsl")))]
    sources += [(s, ["--input-kind", "glsl", "--shader-stage", os.path.splitext(s)[1][1:]]) for s in sorted(glob.glob(os.path.join(HERE, "shaders", "*")))
                if s.endswith((".vert", ".frag", ".comp")) and ".hlsl." not in s]
    for src, kind in sources:
        for i, flags in enumerate(([], ["-g"], ["--keep-coordinate-space"], ["--index-bounds-check-policy", "Restrict", "--buffer-bounds-check-policy", "ReadZeroSkipWrite"])):
            if run([a.naga, *kind, *flags, src, spv]):
                name = f"{os.path.basename(src)}.{i}"
                disassemble(spv, os.path.join(out, "naga", name + ".spvasm"), raw=i == 2)
                for n in random.Random(name).sample(range(len(OPT)), 3):
                    if run(["spirv-opt", "--skip-validation", *OPT[n], spv, "-o", opt]):
                        disassemble(opt, os.path.join(out, "naga", f"{name}.opt{n}.spvasm"), "vulkan1.2" if n % 2 else None)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("out")
    ap.add_argument("--clang", default="clang-22")
    ap.add_argument("--llc", default="llc-22")
    ap.add_argument("--naga", default="naga", help="cargo install naga-cli")
    ap.add_argument("--only", default="glsl,clang_llc,vulkan_ll,programs,naga", help="which parts to make (default all)")
    a = ap.parse_args()
    with tempfile.TemporaryDirectory() as tmp:
        for part in a.only.split(","):
            {"glsl": glsl, "clang_llc": clang_llc, "vulkan_ll": vulkan_ll, "programs": programs, "naga": naga}[part](a.out, tmp, a)
    print(count)


if __name__ == "__main__":
    sys.exit(main())
