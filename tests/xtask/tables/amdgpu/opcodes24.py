#!/usr/bin/env python3
"""Lists the opcodes of LLVM 24 that the facts lack, from the tables in a compiled LLVM: writes facts/llvm24.jsonl.xz.

    python3 -m venv V && V/bin/pip install triton==3.9.0
    python3 opcodes24.py V/lib/python3*/site-packages/triton/_C/libtriton.so && cargo xtask tables amdgpu

A line is `[opcode, mnemonic, assembler variant, constant bits]`. The tables are those that TableGen makes from LLVM's description of AMDGPU
(LLVM, Apache-2.0 WITH LLVM-exception): names of opcodes, the assembler's match tables, the encoder's bits. The library keeps its symbols, so no
source of LLVM 24 is needed. Python 3.9+ and binutils' `nm`, no packages.
"""
import json
import lzma
import os
import re
import struct
import subprocess
import sys

FACTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "facts")
VARIANTS = ["Default", "VOP3", "SDWA", "SDWA9", "DPP", "VOP3_DPP"]
# Generations that differ between LLVM 22 and 24; what is new elsewhere are names of opcodes only.
NEWER = re.compile(r"gfx1[123]\w*$")
# AMDGPUGenAsmMatcher.inc, `struct MatchEntry`: mnemonic, opcode, conversion, required features, classes of operands.
ENTRY, ENTRY_SIZE = "<II", 64
# Bytes of one encoding in AMDGPUGenMCCodeEmitter.inc.
BITS = 16


class Library:
    """The data of an ELF library by the names of its symbols."""

    def __init__(self, path):
        self.file = open(path, "rb")
        header = self.file.read(64)
        (at,), (size, count) = struct.unpack_from("<Q", header, 0x28), struct.unpack_from("<HH", header, 0x3A)
        self.file.seek(at)
        self.sections = [struct.unpack("<IIQQQQIIQQ", self.file.read(size)) for _ in range(count)]
        self.symbols = []
        for line in subprocess.run(["nm", "-S", path], capture_output=True, text=True, check=True).stdout.splitlines():
            words = line.split()
            if len(words) == 4:
                self.symbols.append((words[3], int(words[0], 16), int(words[1], 16)))

    def find(self, pattern):
        """Address and size of each symbol that a pattern matches, by address."""
        return sorted((at, size) for name, at, size in self.symbols if re.search(pattern, name))

    def data(self, place):
        at, size = place
        for _, kind, _, address, offset, length, *_ in self.sections:
            if address and kind != 8 and address <= at < address + length:  # 8: SHT_NOBITS
                self.file.seek(offset + at - address)
                return self.file.read(size)
        raise KeyError(hex(at))


def numbers(data, letter):
    return struct.unpack(f"<{len(data) // struct.calcsize(letter)}{letter}", data)


def opcodes(library):
    """Rows of the listing for every opcode that the assembler can make."""
    (names,), (indices,) = library.find("AMDGPUInstrNameDataE"), library.find("AMDGPUInstrNameIndicesE")
    text = library.data(names)
    names = [text[i:text.index(b"\0", i)].decode() for i in numbers(library.data(indices), "I")]
    (bits,), (which,) = library.find("AMDGPUMCCodeEmitter.*E8InstBits$"), library.find("AMDGPUMCCodeEmitter.*InstBitsIndices$")
    bits, which = library.data(bits), numbers(library.data(which), "H")
    first = len(names) - len(which)
    # Only AMDGPU has six variants of its assembler: its tables are the last ones up to the sixth.
    (sixth,) = library.find(r"^_ZL11MatchTable5$")
    own = lambda name: library.data(max(place for place in library.find(rf"^_ZL\d+{name}$") if place <= sixth))
    mnemonics = own("MnemonicTable")
    for number, variant in enumerate(VARIANTS):
        table = own(f"MatchTable{number}")
        for at in range(0, len(table), ENTRY_SIZE):
            start, opcode = struct.unpack_from(ENTRY, table, at)
            if opcode >= first:
                k = BITS * which[opcode - first]
                mnemonic = mnemonics[start + 1:start + 1 + mnemonics[start]].decode()
                yield names[opcode], mnemonic, variant, hex(int.from_bytes(bits[k:k + BITS], "little"))


def main():
    with lzma.open(os.path.join(FACTS, "instructions.jsonl.xz"), "rt") as file:
        known = {json.loads(line)["name"] for line in file}
    found = {}
    for row in opcodes(Library(sys.argv[1])):
        if row[0] not in known and NEWER.search(row[0]):
            found.setdefault(row[0], row)
    # gfx13 last: its rows are like those of the generations before
    order = lambda row: ("gfx13" in row[0].rsplit("_", 1)[1], row[0])
    with lzma.open(os.path.join(FACTS, "llvm24.jsonl.xz"), "wt") as file:
        for row in sorted(found.values(), key=order):
            file.write(json.dumps(row, separators=(",", ":")) + "\n")
    print(len(found), "opcodes")


if __name__ == "__main__":
    main()
