#!/bin/sh
# Makes the tables of `wavelens_isa::mir`: regenerate.sh MIR-OPCODES.jsonl.xz OUT_DIR
# Needs clang++-22 and llvm-22-dev. The first argument is what reduce.py of the AMDGPU tables wrote; it gives operand names.
set -e
here=$(cd "$(dirname "$0")" && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
clang++-22 -O0 -std=c++17 -w $(llvm-config-22 --cxxflags) "$here/dump.cpp" -o "$tmp/dump" $(llvm-config-22 --ldflags --libs)
out=$2
tables=$out/tables
mkdir -p "$tables"
cpus=$(llc-22 -mtriple=amdgcn -mcpu=help 2>&1 </dev/null | awk '/Available CPUs/{p=1;next} /Available features/{exit} p&&NF{print $1}')
"$tmp/dump" amdgcn-amd-amdhsa $cpus >"$tmp/amdgpu.txt"
python3 "$here/pack.py" "$tmp/amdgpu.txt" "$tables/amdgpu.bin" "$1" "$out/opcode.rs"
while read -r name triple; do
	"$tmp/dump" "$triple" - >"$tmp/$name.txt"
	python3 "$here/pack.py" "$tmp/$name.txt" "$tables/$name.bin"
done <<EOF
x86 x86_64-unknown-linux-gnu
aarch64 aarch64-unknown-linux-gnu
arm armv8-linux-gnueabihf
avr avr
hexagon hexagon
loongarch64 loongarch64
m68k m68k
mips mips-linux-gnu
nvptx nvptx64
powerpc powerpc64le-linux-gnu
riscv32 riscv32
riscv64 riscv64-linux-gnu
systemz s390x-linux-gnu
wasm wasm32
EOF
