//! `cargo xtask web`: the library as WebAssembly, and the playground.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Outcome;
use crate::repository::{failed_at, output, read, root, show, target_folder};

const TARGET: &str = "wasm32-unknown-unknown";

/// Bytes of memory that the module may have. A text of 10 MB takes about a fifth of it.
const MEMORY: u64 = 2 << 30;

/// Bytes of stack: what the main thread of a program has.
const STACK: u64 = 8 << 20;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Only the module, without the playground
    #[arg(long)]
    module: bool,
    /// Compile faster, to a larger module: for tests
    #[arg(long)]
    quick: bool,
    /// Where the playground goes; target/playground by default
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let module = module(arguments.quick)?;
    println!("{}: {} KB", module.display(), read(&module)?.len() / 1000);
    if arguments.module {
        return Ok(());
    }
    let out = arguments.out.clone().unwrap_or_else(|| target_folder().join("playground"));
    let out = std::path::absolute(&out).map_err(failed_at(&out))?;
    playground(&out)
}

/// Builds the module, and puts it into the npm package.
pub(crate) fn module(quick: bool) -> Outcome<PathBuf> {
    let mut cargo = toolchain()?;
    let flags = format!(
        "-Clink-arg=--export=__wasm_call_ctors -Clink-arg=--max-memory={MEMORY} -Clink-arg=-zstack-size={STACK} -Ctarget-feature=+bulk-memory"
    );
    cargo.current_dir(root()).env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", flags);
    cargo.args([
        "build",
        "--locked",
        "--package",
        "wavelens-library",
        "--target",
        TARGET,
        "--profile",
        "web",
    ]);
    if quick {
        cargo.args(["--config", "profile.web.lto=false", "--config", "profile.web.codegen-units=16"]);
    }
    show(&mut cargo)?;
    let built = target_folder().join(TARGET).join("web/wavelens_library.wasm");
    let module = root().join("editors/web/npm/wavelens.wasm");
    std::fs::copy(&built, &module).map_err(failed_at(&built))?;
    Ok(module)
}

/// Cargo with a compiler that has the target: rustup's, or Debian's `rustc-web`, which builds the standard library itself.
fn toolchain() -> Outcome<Command> {
    let printed = output(Command::new("rustc").args(["--print", "sysroot"]))?;
    let sysroot = PathBuf::from(String::from_utf8_lossy(&printed).trim());
    let has_target = || sysroot.join("lib/rustlib").join(TARGET).is_dir();
    if !has_target() {
        let _ = Command::new("rustup").args(["target", "add", TARGET]).status();
    }
    if has_target() {
        return Ok(Command::new(env!("CARGO")));
    }
    let (rustc, linker) = (Path::new("/usr/bin/rustc"), Path::new("/usr/bin/wasm-ld-22"));
    if !rustc.exists() || !linker.exists() || !Path::new("/usr/bin/cargo").exists() {
        return Err(format!(
            "no compiler for {TARGET}: `rustup target add {TARGET}`, or on Debian `apt-get install rustc-web cargo-web rust-web-src lld-22`"
        ));
    }
    let mut cargo = Command::new("/usr/bin/cargo");
    cargo.env("RUSTC", rustc).env("RUSTC_BOOTSTRAP", "1");
    cargo.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker);
    cargo.arg("-Zbuild-std=std,panic_abort");
    Ok(cargo)
}

/// Makes the page.
pub(crate) fn playground(out: &Path) -> Outcome {
    let folder = root().join("editors/web/playground");
    if !folder.join("node_modules/esbuild").is_dir() {
        output(Command::new("npm").current_dir(&folder).args(["ci", "--no-audit", "--no-fund", "--silent"]))?;
    }
    show(Command::new("node").current_dir(&folder).arg("build.mjs").arg(out))
}
