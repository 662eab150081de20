#!/usr/bin/env bash
# Download (never commit) the crates whose C and C++ sources feed the LLVM IR corpus.
# usage: fetch_crates.sh FOLDER      afterwards FOLDER/vendor/<crate> holds the sources
set -euo pipefail
out=$1
mkdir -p "$out/src"
cat > "$out/Cargo.toml" <<'TOML'
[package]
name = "corpus-sources"
version = "0.0.0"
edition = "2021"
[workspace]
[dependencies]
libsqlite3-sys = { version = "*", default-features = false }
zstd-sys = { version = "*", default-features = false }
libgit2-sys = { version = "*", default-features = false }
lz4-sys = "*"
bzip2-sys = "*"
libz-sys = "*"
libmimalloc-sys = "*"
secp256k1-sys = "*"
onig_sys = "*"
ring = "*"
blake3 = "*"
tree-sitter = "*"
tree-sitter-c = "*"
tree-sitter-python = "*"
tree-sitter-bash = "*"
snappy_src = "*"
lzma-sys = "*"
brotlic-sys = "*"
libdeflate-sys = "*"
jemalloc-sys = "*"
libssh2-sys = "*"
TOML
echo 'fn main() {}' > "$out/src/main.rs"
(cd "$out" && cargo vendor --quiet vendor > /dev/null)
