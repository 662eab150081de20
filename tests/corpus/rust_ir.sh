#!/usr/bin/env bash
# LLVM IR as rustc prints it. usage: rust_ir.sh VENDOR OUT   (VENDOR from fetch_crates.sh)
# Crates without dependencies of their own, several levels; what this LLVM's reader refuses goes to OUT/rejected.
set -u
vendor=$1 out=$2 here=$(dirname "$(readlink -f "$0")")
mkdir -p "$out/rejected"
compile() { # name source flags...
  local name=$1 src=$2 i=0; shift 2
  local flags
  for flags in "-Copt-level=0" "-Copt-level=0 -g" "-Copt-level=1" "-Copt-level=2 -g" "-Copt-level=3" "-Copt-level=s -Cpanic=abort" "-Copt-level=2 -Coverflow-checks -Cdebug-assertions" "-Copt-level=1 -Cinstrument-coverage" "-Copt-level=2 -Cno-prepopulate-passes"; do
    i=$((i + 1)); local dir; dir=$(mktemp -d)
    if rustc "$@" --cap-lints allow --edition 2021 --crate-type lib --crate-name "$name" --emit=llvm-ir -Ccodegen-units=8 -Csave-temps=no $flags --out-dir "$dir" "$src" 2> /dev/null; then
      local ll n=0
      for ll in "$dir"/*.ll; do
        [ -f "$ll" ] && [ "$(stat -c %s "$ll")" -lt 2000000 ] || continue
        n=$((n + 1))
        if llvm-as-22 -o /dev/null "$ll" 2> /dev/null; then mv "$ll" "$out/$name.$i.$n.ll"; else mv "$ll" "$out/rejected/$name.$i.$n.ll"; fi
      done
    fi
    rm -rf "$dir"
  done
}
compile mix "$here/rust/mix.rs"
for c in itoa memchr bitflags either shlex glob unicode_ident:unicode-ident arrayvec cfg_if:cfg-if constant_time_eq foldhash minimal_lexical:minimal-lexical regex_syntax:regex-syntax rustc_hash:rustc-hash equivalent untrusted zmij hashbrown streaming_iterator:streaming-iterator; do
  name=${c%%:*}; dir=${c##*:}
  [ -f "$vendor/$dir/src/lib.rs" ] && compile "$name" "$vendor/$dir/src/lib.rs" --cfg 'feature="std"' --cfg 'feature="alloc"'
done
