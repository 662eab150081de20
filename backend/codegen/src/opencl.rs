//! OpenCL SPIR-V to AMDGPU ISA: `llvm-spirv` makes LLVM IR of it, which is moved from SPIR's address spaces to AMDGPU's and goes
//! through `opt` and `llc`. Built-in functions that are an instruction or two are given bodies; calls to others stay calls.

use std::io;
use std::path::PathBuf;

use crate::builtins::definition;
use crate::llc;
use crate::process::{Cancel, Limits};
use crate::report::{Failure, Input, Message, Report, Request, Source};
use crate::tools::{Tool, Tools};
use crate::translator::readable;

/// Compiles a module of kernels. Blocks.
///
/// # Errors
/// When a program is missing, and as [`llc::compile`].
pub fn compile(
    request: &Request,
    tools: &Tools,
    limits: &Limits,
    cancel: &Cancel,
) -> Result<Report, Failure> {
    let missing = |name: &str| {
        Failure::NoTool(format!(
            "SPIR-V for OpenCL goes through `llvm-spirv`, `opt` and `llc`, and no `{name}` was found: install `llvm-spirv-15` and `llvm`"
        ))
    };
    let llvm_spirv = tools.llvm_spirv().ok_or_else(|| missing("llvm-spirv"))?;
    let opt = tools.opt().ok_or_else(|| missing("opt"))?;
    // The program reads files alone.
    let Input::Words(words) = &request.input else {
        return Err(Failure::NotCompiled("the translator takes words of SPIR-V".to_owned()));
    };
    let words = Input::Words(readable(words));
    let file = ModuleFile::new(&words.bytes()).map_err(|error| Failure::NotStarted {
        program: llvm_spirv.path.clone(),
        reason: error.to_string(),
    })?;
    let arguments = ["-r", "-o", "-"].map(str::to_owned).into_iter().chain([file.path.display().to_string()]);
    let bitcode = llc::run_tool(llvm_spirv, &arguments.collect::<Vec<_>>(), b"", limits, cancel)
        .map_err(|failure| not_translated(llvm_spirv, failure))?
        .stdout;
    let printed = ["-S", "-passes=verify", "-o", "-", "-"].map(str::to_owned);
    let text = llc::run_tool(opt, &printed, &bitcode, limits, cancel)?.stdout;
    let text = for_amdgpu(&String::from_utf8_lossy(&text), &request.target);
    let level = request.opt_level.min(3);
    let passes = match request.passes.as_str() {
        "" => format!("default<O{level}>"),
        own => own.to_owned(),
    };
    let request = Request { source: Source::LlvmIr, input: Input::Text(text), passes, ..request.clone() };
    let report = llc::compile(&request, tools, limits, cancel)?;
    let command = format!("{} -r | {}", llvm_spirv.path.display(), report.command);
    Ok(Report { command, ..report })
}

/// The translator gives up by dying, whatever it is that it does not know.
fn not_translated(llvm_spirv: &Tool, failure: Failure) -> Failure {
    let reason = match failure {
        Failure::Crashed { reason, .. } => reason,
        Failure::Rejected(messages) => match &messages[..] {
            [Message { line: None, text, .. }] => text.clone(),
            _ => return Failure::Rejected(messages),
        },
        failure => return failure,
    };
    let text = format!(
        "llvm-spirv {} cannot translate this module: {}; a newer release may",
        llvm_spirv.version,
        said(&reason)
    );
    Failure::Rejected(vec![Message { line: None, is_error: true, text }])
}

/// Of a failed assertion the words in it, or the condition; of an error its words without their kind; else all.
fn said(reason: &str) -> &str {
    let Some((_, assertion)) = reason.split_once("Assertion `") else {
        let kind = |word: &str| word.bytes().all(|b| b.is_ascii_alphabetic());
        return reason.split_once(": ").filter(|(word, _)| kind(word)).map_or(reason, |(_, words)| words);
    };
    let condition = assertion.trim_end_matches("' failed.");
    condition.split_once(" && \"").map_or(condition, |(_, words)| words.trim_end_matches('"'))
}

/// A file that other programs read, as long as this is alive: in memory on Linux, where it goes however this program ends.
struct ModuleFile {
    path: PathBuf,
    #[cfg(target_os = "linux")]
    _memory: std::fs::File,
}

impl ModuleFile {
    #[cfg(target_os = "linux")]
    fn new(bytes: &[u8]) -> io::Result<ModuleFile> {
        use std::io::Write;
        use std::os::fd::AsRawFd;

        use rustix::fs::{MemfdFlags, memfd_create};

        let mut memory = std::fs::File::from(memfd_create("module.spv", MemfdFlags::empty())?);
        memory.write_all(bytes)?;
        // The other program inherits it: landlock keeps it from looking into this process.
        let path = format!("/proc/self/fd/{}", memory.as_raw_fd());
        Ok(ModuleFile { path: PathBuf::from(path), _memory: memory })
    }

    #[cfg(not(target_os = "linux"))]
    fn new(bytes: &[u8]) -> io::Result<ModuleFile> {
        let folder = crate::private::new_folder(&std::env::temp_dir(), "wavelens-module-")?;
        let module = ModuleFile { path: folder.join("module.spv") };
        std::fs::write(&module.path, bytes)?;
        Ok(module)
    }
}

#[cfg(not(target_os = "linux"))]
impl Drop for ModuleFile {
    fn drop(&mut self) {
        let _ = self.path.parent().map(std::fs::remove_dir_all);
    }
}

/// LLVM IR as LLVM prints it, from SPIR to AMDGPU. Address spaces: private 0 to 5, constant 2 to 4, generic 4 to 0. Where the
/// target has waves of two sizes, a kernel gets that of its sub-groups.
fn for_amdgpu(text: &str, target: &str) -> String {
    let mut out = String::with_capacity(text.len() * 9 / 8);
    let mut bodies = String::new();
    for line in text.lines() {
        if line.starts_with("target datalayout") {
            continue;
        }
        if line.starts_with("target triple") {
            out.push_str("target triple = \"amdgcn-amd-amdhsa\"\n");
            continue;
        }
        if let Some(body) = line.strip_prefix("declare ").and_then(definition) {
            bodies.push_str(&body);
            continue;
        }
        // Names in quotes may hold anything.
        let parts: Vec<String> = line
            .split('"')
            .enumerate()
            .map(|(i, p)| if i % 2 == 0 { moved(p) } else { p.to_owned() })
            .collect();
        let mut line = parts.join("\"");
        if let Some(size) = sub_group_size(&line, text).filter(|_| has_both_wave_sizes(target)) {
            // Attributes go before metadata.
            let behind = line.rfind(')').unwrap_or(0);
            let at = line[behind..].find(" !").map_or(line.len(), |at| behind + at);
            line.insert_str(at, &format!(" \"target-features\"=\"+wavefrontsize{size}\""));
        }
        match line.split_once("= alloca ") {
            // The address space of a stack slot goes before its metadata.
            Some((name, slot)) => {
                let (slot, metadata) = slot.split_at(slot.find(", !").unwrap_or(slot.len()));
                out.push_str(&format!("{name}= alloca {slot}, addrspace(5){metadata}"));
            }
            None => out.push_str(&line),
        }
        out.push('\n');
    }
    out + &bodies
}

/// What the translator makes of a kernel's `SubgroupSize`; a number of metadata follows.
const SUB_GROUP_SIZE: &str = " !intel_reqd_sub_group_size ";

/// The size of sub-groups that a kernel's definition asks for, if it is that of a wave.
fn sub_group_size(line: &str, text: &str) -> Option<u32> {
    let (_, rest) = line.strip_prefix("define ")?.split_once(SUB_GROUP_SIZE)?;
    let node = format!("\n{} = !{{i32 ", rest.split_whitespace().next()?);
    let (_, value) = text.split_once(&node)?;
    let size = value.split('}').next()?.parse().ok()?;
    Some(size).filter(|size| [32, 64].contains(size))
}

fn has_both_wave_sizes(target: &str) -> bool {
    let both = ["gfx10", "gfx11", "gfx12"].iter().any(|family| target.starts_with(family));
    both && !target.starts_with("gfx125")
}

/// A piece of a line with its address spaces moved.
fn moved(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    let mut rest = text;
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$' | '-' | '%' | '@');
    while !rest.is_empty() {
        let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        if length == 0 {
            let next = rest.chars().next().map_or(1, char::len_utf8);
            out.push_str(rest.get(..next).unwrap_or(""));
            rest = rest.get(next..).unwrap_or("");
            continue;
        }
        let (word, after) = rest.split_at(length);
        rest = after;
        match word {
            "ptr" | "addrspace" => {
                let (start, space) = if word == "ptr" { (" addrspace(", Some(0)) } else { ("(", None) };
                let named = after.strip_prefix(start).and_then(|a| a.split_once(')'));
                let named = named.and_then(|(number, after)| Some((number.parse::<u32>().ok()?, after)));
                if let Some((_, after)) = named {
                    rest = after;
                }
                let prefix = if word == "ptr" { "ptr" } else { "" };
                out.push_str(prefix);
                match named.map(|(number, _)| number).or(space).map(amdgpu_space) {
                    Some(0) => {}
                    Some(space) if word == "ptr" => out.push_str(&format!(" addrspace({space})")),
                    Some(space) => out.push_str(&format!("addrspace({space})")),
                    None => out.push_str(word),
                }
            }
            "spir_kernel" => out.push_str("amdgpu_kernel"),
            // The calling convention of all functions but kernels; a blank follows.
            "spir_func" => rest = after.strip_prefix(' ').unwrap_or(after),
            _ if word.starts_with("@llvm.") => {
                let suffix = |part: &str| match part.strip_prefix('p').and_then(|n| n.parse::<u32>().ok()) {
                    Some(space) => format!("p{}", amdgpu_space(space)),
                    None => part.to_owned(),
                };
                out.push_str(&word.split('.').map(suffix).collect::<Vec<_>>().join("."));
            }
            _ => out.push_str(word),
        }
    }
    out
}

fn amdgpu_space(spir: u32) -> u32 {
    match spir {
        0 => 5,
        2 => 4,
        4 => 0,
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use wavelens_test_support::required;

    use super::*;

    #[test]
    fn address_spaces_move() {
        assert_eq!(moved("load i32, ptr %p"), "load i32, ptr addrspace(5) %p");
        assert_eq!(
            moved("addrspacecast ptr addrspace(1) %x to ptr addrspace(4)"),
            "addrspacecast ptr addrspace(1) %x to ptr"
        );
        assert_eq!(moved("@c = addrspace(2) constant i32 1"), "@c = addrspace(4) constant i32 1");
        assert_eq!(
            moved("call spir_func void @llvm.memcpy.p0.p2.i64(ptr %ptr, ptr addrspace(2) @c)"),
            "call void @llvm.memcpy.p5.p4.i64(ptr addrspace(5) %ptr, ptr addrspace(4) @c)"
        );
    }

    #[test]
    fn sub_groups_are_waves() {
        let kernel = "define spir_kernel void @k() #0 !dbg !1 !intel_reqd_sub_group_size !5 {\n  ret void\n}\n!5 = !{i32 64}\n";
        let first = |target: &str, text: &str| for_amdgpu(text, target).lines().next().map(str::to_owned);
        let plain = "define amdgpu_kernel void @k() #0 !dbg !1 !intel_reqd_sub_group_size !5 {";
        let wave64 = "define amdgpu_kernel void @k() #0 \"target-features\"=\"+wavefrontsize64\" \
                      !dbg !1 !intel_reqd_sub_group_size !5 {";
        assert_eq!(first("gfx1030", kernel).as_deref(), Some(wave64));
        assert_eq!(first("gfx900", kernel).as_deref(), Some(plain));
        assert_eq!(first("gfx1250", kernel).as_deref(), Some(plain));
        assert_eq!(first("gfx1030", &kernel.replace("i32 64", "i32 16")).as_deref(), Some(plain));
    }

    #[test]
    fn the_translator_s_reason_is_found() {
        let died = |condition| {
            format!(
                "llvm-spirv-15: ./lib/X.h:27: virtual void X::validate() const: Assertion `{condition}' failed."
            )
        };
        assert_eq!(said(&died("(a || b()) && \"Invalid type\"")), "Invalid type");
        assert_eq!(said(&died("a(1) == a(2)")), "a(1) == a(2)");
        assert_eq!(
            said("Fails to verify module: Invalid bitcast"),
            "Fails to verify module: Invalid bitcast"
        );
        assert_eq!(said("UnimplementedOpCode: Unimplemented opcode 68"), "Unimplemented opcode 68");
    }

    #[test]
    fn a_kernel_compiles_where_the_tools_are() {
        let tools = Tools::find(None);
        if tools.llc().is_none() || tools.opt().is_none() {
            required::skip("llc or opt is not installed");
            return;
        }
        let text = for_amdgpu(
            "target triple = \"spir64-unknown-unknown\"\n\
             define spir_kernel void @k(ptr addrspace(1) %p) {\n  %a = alloca i64, align 8, !mine !0\n\
             \x20 %i = call spir_func i64 @_Z13get_global_idj(i32 0)\n  store i64 %i, ptr %a\n\
             \x20 %q = getelementptr i32, ptr addrspace(1) %p, i64 %i\n  store i32 1, ptr addrspace(1) %q\n  ret void\n}\n\
             declare spir_func i64 @_Z13get_global_idj(i32)\n!0 = !{}\n",
            "gfx1030",
        );
        let request = Request {
            source: Source::LlvmIr,
            input: Input::Text(text),
            target: "gfx1030".to_owned(),
            features: Vec::new(),
            triple: "amdgcn-amd-amdhsa".to_owned(),
            opt_level: 2,
            flags: Vec::new(),
            passes: "default<O2>".to_owned(),
            opt_flags: None,
        };
        let report =
            llc::compile(&request, &tools, &Limits::default(), &Cancel::default()).expect("compiles");
        assert!(report.isa.contains("global_store_dword"), "{}", report.isa);
        assert!(!report.isa.contains("s_swappc"), "{}", report.isa);
    }
}
