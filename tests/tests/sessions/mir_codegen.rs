//! Code generation that goes on from Machine IR: with line locations, and from the pass that the properties tell, `llc-22` makes the
//! same code as without them, and every line it names holds an instruction.

use std::io::Write as _;
use std::process::{Command, Stdio};

use wavelens_base::Options;
use wavelens_codegen::asm::{is_instruction, map_lines};
use wavelens_ide::mir::instrument::with_line_locations;
use wavelens_ide::mir::start::setting;
use wavelens_tests::required;

const KERNEL: &str = "target triple = \"amdgcn-amd-amdhsa\"
declare i32 @llvm.amdgcn.workitem.id.x()
define amdgpu_kernel void @k(ptr addrspace(1) %p, i32 %n) #0 {
entry:
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %c = icmp slt i32 %id, %n
  br i1 %c, label %then, label %done
then:
  %at = getelementptr i32, ptr addrspace(1) %p, i32 %id
  %x = load i32, ptr addrspace(1) %at
  %y = mul i32 %x, %n
  store i32 %y, ptr addrspace(1) %at
  br label %done
done:
  ret void
}
attributes #0 = { \"target-cpu\"=\"gfx900\" }
";

/// A file as people write them by hand: no IR.
const ALONE: &str = "# A comment.
---
name: copy
tracksRegLiveness: true
body: |
  bb.0:
    liveins: $vgpr0_vgpr1, $sgpr30_sgpr31
    %0:vreg_64 = COPY $vgpr0_vgpr1
    %1:vgpr_32 = GLOBAL_LOAD_DWORD %0, 0, 0, implicit $exec :: (load (s32), addrspace 1)
    %2:vgpr_32 = V_ADD_U32_e32 1, %1, implicit $exec

    GLOBAL_STORE_DWORD %0, %2, 0, 0, implicit $exec :: (store (s32), addrspace 1)
    SI_RETURN
...
";

fn llc(arguments: &[&str], input: &str) -> String {
    let mut child = Command::new("llc-22")
        .args(["-mtriple=amdgcn-amd-amdhsa", "-mcpu=gfx900", "-O2", "-o", "-"])
        .args(arguments)
        .arg("-")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("llc starts");
    child.stdin.take().expect("piped").write_all(input.as_bytes()).expect("llc reads");
    let output = child.wait_with_output().expect("llc ends");
    assert!(output.status.success(), "{arguments:?}\n{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Instructions and directives of the code, without comments.
fn code(assembly: &str) -> Vec<String> {
    let text = map_lines(assembly).text;
    let lines = text.lines().map(|l| l.split(';').next().unwrap_or("").trim().to_owned());
    lines.filter(|l| !l.is_empty() && !l.starts_with(".section")).collect()
}

#[test]
fn line_locations_change_no_code() {
    if !required::program("llc-22") {
        return;
    }
    let passes = [
        ("irtranslator", "-global-isel"),
        ("legalizer", "-global-isel"),
        ("regbankselect", "-global-isel"),
        ("instruction-select", "-global-isel"),
        ("amdgpu-isel", ""),
        ("phi-node-elimination", ""),
        ("twoaddressinstruction", ""),
        ("virtregrewriter", ""),
        ("prologepilog", ""),
        ("si-insert-waitcnts", ""),
    ];
    for (pass, selector) in passes {
        let stop = format!("-stop-after={pass}");
        let mut arguments = vec![stop.as_str()];
        arguments.extend(Some(selector).filter(|s| !s.is_empty()));
        let files = [llc(&arguments, KERNEL), ALONE.to_owned()];
        for mir in files {
            let found = setting(&mir, &Options::default());
            let flags = found.stage.expect("there is a function").flags();
            let mut arguments: Vec<&str> = flags.iter().map(String::as_str).collect();
            arguments.extend(["-x", "mir"]);
            let plain = code(&llc(&arguments, &mir));
            let mapped = map_lines(&llc(&arguments, &with_line_locations(&mir)));
            assert_eq!(code(&mapped.text), plain, "after {pass}, {flags:?}");
            let source: Vec<&str> = mir.lines().collect();
            assert!(!mapped.lines.is_empty());
            for line in mapped.lines.into_iter().filter_map(|l| l.source) {
                let line = source[line as usize].trim();
                assert!(
                    is_instruction(line.trim_start_matches(['%', '$'])) || line.contains(" = "),
                    "{line}"
                );
            }
        }
    }
}

#[test]
fn a_slice_makes_the_code_of_the_whole() {
    if !required::program("llc-22") {
        return;
    }
    let other = "declare void @llvm.amdgcn.s.barrier()
define amdgpu_kernel void @other() {
  call void @llvm.amdgcn.s.barrier()
  ret void
}
attributes";
    let mir = llc(&["-stop-after=amdgpu-isel"], &KERNEL.replace("attributes", other));
    let sliced = wavelens_ide::mir::slice::slice(&mir, &["k".to_owned()]).expect("is there");
    let setting = setting(&sliced, &Options::default());
    let flags = setting.stage.expect("there is a function").flags();
    let arguments: Vec<&str> = flags.iter().map(String::as_str).chain(["-x", "mir"]).collect();
    let of_k = |mir: &str| {
        let lines = code(&llc(&arguments, mir)).into_iter();
        lines
            .skip_while(|l| l != "k:")
            .take_while(|l| !l.starts_with(".end_amdhsa_kernel"))
            .collect::<Vec<_>>()
    };
    let (whole, part) = (of_k(&mir), of_k(&with_line_locations(&sliced)));
    assert!(whole.len() > 10);
    assert_eq!(whole, part);
    assert!(!sliced.contains("name:            other"));
}
