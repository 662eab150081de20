#!/usr/bin/env python3
"""Intrinsics that a newer LLVM has and our table does not, and signatures of ours that it no longer takes.

    V/bin/python newer_intrinsics.py LIBRARY   (V: an environment with the wheel triton; LIBRARY: a file that holds the names)

Names are the words of the library that begin with `llvm.`. Each is declared with an argument that no intrinsic takes: LLVM's verifier then
says what it expects, so a name that it knows is told from one that it does not. What is found goes into
`analysis/llvm/src/tables/newer_intrinsics.txt`, by hand where a signature is wanted.
"""
import os
import re
import sys

from triton._C.libtriton import llvm

TABLES = os.path.join(os.path.dirname(__file__), "../../analysis/llvm/src/tables/intrinsics.txt")
TRIPLE, CPU = "amdgpu12.50-amd-amdhsa", "gfx1250"


def verdict(text):
    """What LLVM prints about a module that a child compiles; empty if it accepts it."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.dup2(write, 2)
        try:
            llvm.translate_to_asm(text, TRIPLE, CPU, "", [], True, False, False)
        except Exception as error:
            os.write(2, str(error).encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as messages:
        said = messages.read().decode("utf-8", "replace")
    os.waitpid(child, 0)
    return said


def main():
    llvm.init_targets()
    known = {line.split()[0] for line in open(TABLES) if line.startswith("llvm.")}
    words = {word.decode().rstrip(".") for word in re.findall(rb"llvm\.[a-zA-Z0-9_.]+", open(sys.argv[1], "rb").read())}
    for name in sorted(words - known):
        said = verdict(f"declare void @{name}(i33)\ndefine void @f() {{\n  call void @{name}(i33 0)\n  ret void\n}}\n")
        expects = re.search(r"intrinsic [^;\n]*(?:expected|Expected)[^;\n]*", said)
        if expects:
            print(name, expects.group(0), sep="\t")


if __name__ == "__main__":
    main()
