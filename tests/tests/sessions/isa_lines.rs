//! The injected line locations: the machine code must not change, most instructions have a line, and it is the line that the line
//! table of the object file gives them.
//!
//! Runs on `examples/`, and on the modules of the folder that `WAVELENS_ISA_CORPUS` names.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use wavelens_base::{Dialect, Options};
use wavelens_codegen::asm::{LINE_MARK, is_instruction};
use wavelens_codegen::{Cancel, Input, Limits, Request, Tools, llc, opencl, process};
use wavelens_ide::codegen::{Plan, Settings};
use wavelens_tests::required;

fn modules() -> Vec<PathBuf> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples")];
    folders.extend(std::env::var_os("WAVELENS_ISA_CORPUS").map(PathBuf::from));
    let mut files: Vec<PathBuf> = folders
        .iter()
        .filter_map(|f| std::fs::read_dir(f).ok())
        .flat_map(|entries| entries.filter_map(|e| e.ok().map(|e| e.path())))
        .filter(|p| p.extension().is_some_and(|e| e == "ll"))
        .collect();
    files.sort();
    files
}

/// The object file of a module, compiled as it is or with line locations.
fn object(llc: &Path, text: &str, target: &str, level: u8) -> Option<PathBuf> {
    let object = std::env::temp_dir().join(format!("wavelens-lines-{}.o", std::process::id()));
    let mut command = Command::new(llc);
    command.args(["-mtriple=amdgcn-amd-amdhsa", "-use-unknown-locations=Enable", "-filetype=obj", "-o"]);
    command.arg(&object).args([format!("-mcpu={target}"), format!("-O{level}"), "-".to_owned()]);
    let output = process::run(&mut command, text.as_bytes(), &Limits::default(), &Cancel::default()).ok()?;
    output.status.success().then_some(object)
}

fn code(object: &Path) -> Option<Vec<u8>> {
    let section = object.with_extension("text");
    let copied = Command::new("llvm-objcopy-22")
        .args(["-O", "binary", "--only-section=.text"])
        .args([object, &section])
        .status()
        .is_ok_and(|s| s.success());
    copied.then(|| std::fs::read(&section).ok()).flatten()
}

fn output_of(program: &str, arguments: &[&str], file: &Path) -> String {
    let output = Command::new(program).args(arguments).arg(file).output().expect("starts");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The mnemonic of each instruction and the line, counted from 0, that the line table of the object file gives it.
fn line_table(object: &Path) -> Vec<(String, Option<u32>)> {
    let mut rows = BTreeMap::new();
    for row in output_of("llvm-dwarfdump-22", &["--debug-line"], object).lines() {
        let fields: Vec<&str> = row.split_whitespace().collect();
        if let [address, line, column, ..] = fields[..]
            && let Some(address) = address.strip_prefix("0x").and_then(|a| u64::from_str_radix(a, 16).ok())
            && let (Ok(line), Ok(column)) = (line.parse::<u32>(), column.parse::<u32>())
        {
            let line = if column == LINE_MARK { line.checked_sub(1) } else { None };
            rows.insert(address, line.filter(|_| !row.contains("end_sequence")));
        }
    }
    let disassembly = output_of("llvm-objdump-22", &["-d"], object);
    let instructions = disassembly.lines().filter_map(|l| l.strip_prefix('\t')?.split_once("// "));
    instructions
        .filter_map(|(text, comment)| {
            let address = u64::from_str_radix(comment.split(':').next()?, 16).ok()?;
            let line = rows.range(..=address).next_back().and_then(|(_, line)| *line);
            Some((text.split_whitespace().next()?.to_owned(), line))
        })
        .collect()
}

/// Function attributes that name a processor would beat the one asked for, in both texts alike.
fn without_target(text: &str) -> String {
    let mut out = text.to_owned();
    for name in ["\"target-cpu\"=\"", "\"target-features\"=\""] {
        while let Some(start) = out.find(name) {
            let end = out[start + name.len()..].find('"').map_or(out.len(), |n| start + name.len() + n + 1);
            out.replace_range(start..end, "");
        }
    }
    out
}

#[test]
fn lines_change_no_code_and_most_instructions_have_one() {
    let tools = Tools::find(None);
    let Some(tool) = required::some(tools.llc().cloned(), "llc") else { return };
    let (mut same, mut compared, mut failed, mut mapped, mut instructions) = (0, 0, 0, 0, 0);
    for path in modules() {
        let text = std::fs::read_to_string(&path).expect("readable");
        if !text.contains("amdgcn") {
            continue;
        }
        for (target, level) in [("gfx900", 2), ("gfx1030", 3), ("gfx1100", 0), ("gfx1200", 1)] {
            let options = Options { target: Some(target.to_owned()), ..Options::default() };
            let settings = Settings { opt_level: Some(level), ..Settings::default() };
            let request = Plan::of(Dialect::Llvm, &text, options.clone())
                .request(&settings)
                .expect("is compiled by llc");
            let plain = object(&tool.path, &without_target(&text), target, level).and_then(|o| code(&o));
            let Some(plain) = plain else { continue };
            let lined_text = String::from_utf8_lossy(&request.input.bytes()).into_owned();
            let lined_object = object(&tool.path, &lined_text, target, level);
            let lined = lined_object.as_deref().and_then(code);
            // A module's own debug info can change its code a little; then the scopes that we flatten can too.
            let own_debug_info = text.contains("!llvm.dbg.cu");
            compared += 1;
            if lined.as_ref() == Some(&plain) {
                same += 1;
            } else {
                let what = if lined.is_some() { "the code differs" } else { "refused with lines" };
                eprintln!("{}: {target} -O{level}: {what}", path.display());
                failed += usize::from(!own_debug_info);
            }
            let report = llc::compile(&request, &tools, &Limits::default(), &Cancel::default());
            let Ok(report) = report else { continue };
            instructions += report.isa.lines().filter(|l| is_instruction(l.trim_start())).count();
            mapped += report.lines.iter().filter(|l| l.source.is_some()).count();
            let Some(object) = lined_object else { continue };
            let assembly: Vec<&str> = report.isa.lines().collect();
            let mut table = line_table(&object).into_iter();
            for line in &report.lines {
                let text = assembly[line.line as usize].trim_start();
                let mnemonic = text.split_whitespace().next().unwrap_or("");
                // Between functions there is padding.
                let (_, expected) = table.find(|(m, _)| m == mnemonic).expect("is in the object file");
                assert_eq!(line.source, expected, "{}: {target} -O{level}: {text}", path.display());
            }
        }
    }
    println!(
        "{same} of {compared} modules have the same code; {mapped} of {instructions} instructions have a line"
    );
    assert_eq!(failed, 0);
    assert!(compared > 0);
    assert!(mapped * 100 >= instructions * 75, "{mapped} of {instructions}");
}

const OPEN_CL: &str = "OpCapability Addresses
OpCapability Kernel
OpCapability Int64
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k \"k\" %id
OpDecorate %id BuiltIn GlobalInvocationId
%ulong = OpTypeInt 64 0
%uint = OpTypeInt 32 0
%v3 = OpTypeVector %ulong 3
%v3_in = OpTypePointer Input %v3
%uint_ptr = OpTypePointer CrossWorkgroup %uint
%slot_ptr = OpTypePointer Function %uint
%void = OpTypeVoid
%bool = OpTypeBool
%fn = OpTypeFunction %void %uint_ptr
%id = OpVariable %v3_in Input
%three = OpConstant %uint 3
%k = OpFunction %void None %fn
%p = OpFunctionParameter %uint_ptr
%entry = OpLabel
%slot = OpVariable %slot_ptr Function
%all = OpLoad %v3 %id Aligned 32
%x = OpCompositeExtract %ulong %all 0
%at = OpInBoundsPtrAccessChain %uint_ptr %p %x
%old = OpLoad %uint %at Aligned 4
OpStore %slot %old Aligned 4
%small = OpULessThan %bool %old %three
OpSelectionMerge %done None
OpBranchConditional %small %then %done
%then = OpLabel
%new = OpIMul %uint %old %old
OpStore %at %new Aligned 4
OpBranch %done
%done = OpLabel
OpReturn
OpFunctionEnd
";

#[test]
fn lines_change_no_code_of_open_cl_kernels() {
    let tools = Tools::find(None);
    if tools.llvm_spirv().is_none() || tools.llc().is_none() || tools.opt().is_none() {
        required::skip("llvm-spirv, opt or llc is not installed");
        return;
    }
    let options = Options { target: Some("gfx1030".to_owned()), ..Options::default() };
    let lined = Plan::of(Dialect::Spirv, OPEN_CL, options.clone())
        .request(&Settings::default())
        .expect("is compiled");
    let words = wavelens_spirv::encode(OPEN_CL, &options).words();
    let plain = Request { input: Input::Words(words), ..lined.clone() };
    let [lined, plain] = [lined, plain].map(|request| {
        opencl::compile(&request, &tools, &Limits::default(), &Cancel::default()).expect("compiles")
    });
    assert_eq!(lined.isa, plain.isa);
    assert!(plain.lines.iter().all(|l| l.source.is_none()));
    let lines: Vec<&str> = OPEN_CL.lines().collect();
    let source = |mnemonic: &str| {
        let at = lined.isa.lines().position(|l| l.trim_start().starts_with(mnemonic)).expect("is there");
        let line = lined.lines.iter().find(|l| l.line as usize == at).and_then(|l| l.source);
        line.and_then(|l| lines.get(l as usize).copied())
    };
    assert_eq!(source("global_load_dword"), Some("%old = OpLoad %uint %at Aligned 4"));
    assert_eq!(source("global_store_dword"), Some("OpStore %at %new Aligned 4"));
    assert_eq!(source("s_endpgm"), Some("OpReturn"));
}
