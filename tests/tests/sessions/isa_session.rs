//! Generated ISA through whole sessions, with the real compiler where it is installed and with compilers that misbehave.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use wavelens_tests::client::{Client, at};
use wavelens_tests::required;

const URI: &str = "file:///t/kernel.ll";
const KERNEL: &str = "define amdgpu_kernel void @k(ptr addrspace(1) %p) {
  store i32 1, ptr addrspace(1) %p
  ret void
}
";

fn document(uri: &str) -> Value {
    json!({ "textDocument": { "uri": uri } })
}

/// A folder with a program called `llc` that answers `--version` and else does what `script` says.
fn fake_llc(name: &str, script: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("wavelens-fake-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("llc");
    let text = format!(
        "#!/bin/sh\nif [ \"$1\" = --version ]; then\n  echo 'LLVM version 22.1.0'\n  exit 0\nfi\n{script}\n"
    );
    std::fs::write(&path, text).expect("a file");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("permissions");
    folder
}

async fn session(llvm: Option<&Path>) -> Client {
    let mut options = json!({ "target": "gfx1030" });
    if let Some(folder) = llvm {
        options["llvm.path"] = json!(folder);
    }
    let mut client = Client::start(&["utf-8"], options).await;
    client.open(URI, "llvm", KERNEL).await;
    client
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_isa_maps_to_the_source_and_follows_edits() {
    let mut client = session(None).await;
    let isa = client.ask("wavelens/isa", document(URI)).await;
    if isa["problem"].as_str().is_some_and(|p| p.contains("no `llc`")) {
        required::skip("llc is not installed");
        return;
    }
    let text = isa["text"].as_str().unwrap_or_default();
    assert!(text.contains("global_store_dword"), "{isa}");
    let line = text.lines().position(|l| l.contains("global_store_dword")).unwrap_or(0);
    assert!(isa["map"].as_array().is_some_and(|m| m.contains(&json!([line, 1]))), "{isa}");
    assert_eq!(isa["kernels"][0]["name"], "k");
    let costs = isa["lines"].as_array().is_some_and(|l| l.iter().all(|l| l["cost"]["latency"].is_u64()));
    assert_eq!(costs, wavelens_codegen::Tools::find(None).llvm_mca().is_some(), "{isa}");
    client.change(URI, 2, (1, 12, 1, 13), "7").await;
    client.wait(|m| m["method"] == json!("wavelens/isaChanged") && m["params"]["uri"] == json!(URI)).await;
    let isa = client.ask("wavelens/isa", document(URI)).await;
    assert!(isa["text"].as_str().unwrap_or_default().contains(", 7"), "{isa}");
    // Broken text keeps the last good code and says what is wrong.
    client.change(URI, 3, (2, 2, 2, 5), "rte").await;
    let isa = client.ask("wavelens/isa", document(URI)).await;
    assert!(isa["problem"].as_str().is_some_and(|p| p.contains("refused")), "{isa}");
    assert!(isa["text"].as_str().unwrap_or_default().contains("global_store_dword"));
    assert!(client.stop().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lines_of_vulkan_code_come_after_it() {
    const SHADER: &str = "file:///t/saxpy.spvasm";
    let text = include_str!("../../../examples/saxpy.spvasm");
    // The driver runs in a process of the program itself, which the server inside a test is not.
    let mut server = tokio::process::Command::new(wavelens_tests::server())
        .arg("lsp")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .expect("the program starts");
    let (to, from) = (server.stdin.take().expect("a pipe"), server.stdout.take().expect("a pipe"));
    let mut client = wavelens_test_support::client::Client::over(to, from);
    client.initialize(json!({}), json!({ "target": "gfx1030" })).await;
    client.open(SHADER, "spirv", text).await;
    let first = client.ask("wavelens/isa", document(SHADER)).await;
    if first["problem"].as_str().is_some_and(|p| p.contains("RADV")) {
        required::skip("RADV is not installed");
        return;
    }
    assert_eq!((&first["problem"], &first["map"]), (&Value::Null, &json!([])), "{first}");
    client.wait(|m| m["method"] == json!("wavelens/isaChanged") && m["params"]["uri"] == json!(SHADER)).await;
    let found = client.ask("wavelens/isa", document(SHADER)).await;
    let lines = |answer: &Value| answer["text"].as_str().map_or(0, |text| text.lines().count());
    let text_of = |line: &Value, text: &str| {
        text.lines().nth(line.as_u64().unwrap_or(0) as usize).unwrap_or("").trim().to_owned()
    };
    let isa = found["text"].as_str().unwrap_or_default();
    assert!(isa.contains("by experiment"), "{isa}");
    // The comment that says so.
    assert_eq!(lines(&found), lines(&first) + 2);
    let pairs: Vec<(String, String)> = found["map"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|pair| (text_of(&pair[0], isa), text_of(&pair[1], text)))
        .collect();
    let is_store = |(code, source): &(String, String)| code.contains("_store_") && source.contains("OpStore");
    assert!(pairs.iter().any(is_store), "{pairs:?}");
    // Experiments of an earlier text end with an edit.
    client.change(SHADER, 2, (0, 0, 0, 0), "; a line\n").await;
    client.ask("wavelens/isa", document(SHADER)).await;
    client.change(SHADER, 3, (0, 0, 0, 0), "; another\n").await;
    let edited = client.ask("wavelens/isa", document(SHADER)).await;
    assert_eq!((&edited["problem"], lines(&edited)), (&Value::Null, lines(&first)), "{edited}");
    client.shut_down().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_compiler_that_crashes_floods_or_forks_is_one_sentence() {
    for (name, script, sentence) in [
        ("crash", "echo \"LLVM ERROR: oh no on function '@k'\" >&2; kill -ABRT $$", "oh no"),
        ("flood of errors", "exec yes >&2", "wrote too much"),
        ("flood", "yes; yes", "wrote too much"),
        ("fork", "sleep 1000 & echo $! > \"$(dirname \"$0\")/pid\"; exit 3", "exit status: 3"),
        ("silent", "exit 0", ""),
    ] {
        let folder = fake_llc(name, script);
        let mut client = session(Some(&folder)).await;
        let isa = client.ask("wavelens/isa", document(URI)).await;
        assert!(isa["problem"].as_str().unwrap_or_default().contains(sentence), "{name}: {isa}");
        if let Ok(pid) = std::fs::read_to_string(folder.join("pid")) {
            // Its streams end a moment before it does.
            for _ in 0..500 {
                if is_alive(pid.trim()) {
                    tokio::time::sleep(std::time::Duration::from_millis(10)).await;
                }
            }
            assert!(!is_alive(pid.trim()), "a process that the compiler started outlived it");
        }
        client.ask("textDocument/hover", at(URI, 1, 3)).await;
        assert!(client.stop().await, "{name}");
        let _ = std::fs::remove_dir_all(folder);
    }
}

fn is_alive(pid: &str) -> bool {
    std::fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| !stat.contains(") Z"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_missing_compiler_is_one_sentence() {
    let folder = fake_llc("missing", "");
    let mut client = session(Some(&folder)).await;
    // Found at first, gone when it is needed.
    let found = client.ask("wavelens/isa", document(URI)).await;
    std::fs::remove_dir_all(&folder).expect("is removed");
    client.change(URI, 2, (1, 12, 1, 13), "7").await;
    let isa = client.ask("wavelens/isa", document(URI)).await;
    let problem = isa["problem"].as_str().unwrap_or_default();
    assert!(problem.contains("llc: No such file or directory"), "{found} {isa}");
    assert!(client.stop().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn edits_and_the_end_of_the_session_kill_a_hanging_compiler() {
    let folder = fake_llc("hang", "echo $$ >> \"$(dirname \"$0\")/pids\"; exec sleep 1000");
    let mut client = session(Some(&folder)).await;
    let asked = client.request("wavelens/isa", document(URI)).await;
    let pids = folder.join("pids");
    let started = |count: usize| {
        let pids = pids.clone();
        async move {
            for _ in 0..500 {
                let text = std::fs::read_to_string(&pids).unwrap_or_default();
                let found: Vec<String> = text.lines().map(str::to_owned).collect();
                if found.len() >= count {
                    return found;
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            panic!("the compiler was not started {count} times");
        }
    };
    started(1).await;
    client.change(URI, 2, (1, 12, 1, 13), "7").await;
    client.ask("textDocument/hover", at(URI, 1, 3)).await;
    let running = started(2).await;
    assert!(!is_alive(&running[0]), "the first run outlived the edit");
    assert!(is_alive(&running[1]));
    client.notify("textDocument/didClose", document(URI)).await;
    let answer = client.response(asked).await;
    assert!(answer["error"]["message"].as_str().is_some_and(|m| m.contains("closed")), "{answer}");
    assert!(client.stop().await);
    for _ in 0..100 {
        if !is_alive(&running[1]) {
            let _ = std::fs::remove_dir_all(folder);
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("the compiler outlived the session");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_kernels_at_once_leave_the_server_answering() {
    let folder = fake_llc("slow", "sleep 0.05; echo 's_endpgm'");
    let mut client = session(Some(&folder)).await;
    let uris: Vec<String> = (0..20).map(|n| format!("file:///t/many-{n}.ll")).collect();
    let mut asked = Vec::new();
    for uri in &uris {
        client.open(uri, "llvm", KERNEL).await;
        asked.push(client.request("wavelens/isa", document(uri)).await);
    }
    let mut hovers = Vec::new();
    for (version, uri) in (2..).zip(&uris) {
        client.change(uri, version, (1, 12, 1, 13), "7").await;
        let start = Instant::now();
        client.ask("textDocument/hover", at(uri, 1, 3)).await;
        hovers.push(start.elapsed());
    }
    // The one in the middle: other tests take their share of the machine.
    hovers.sort();
    assert!(hovers[10] < Duration::from_millis(50), "{hovers:?}");
    for id in asked {
        let answer = client.response(id).await;
        assert!(answer["result"]["text"].as_str().is_some_and(|t| t.contains("s_endpgm")), "{answer}");
    }
    assert!(client.stop().await);
    let _ = std::fs::remove_dir_all(folder);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lenses_and_hints_tell_what_lines_became_once_it_is_known() {
    const FOR_GPU: &str = "target triple = \"amdgcn-amd-amdhsa\"\n\ndefine amdgpu_kernel void @k(ptr addrspace(1) %p) {\n  store i32 5, ptr addrspace(1) %p\n  ret void\n}\n";
    if !has_llc() {
        return;
    }
    let options = json!({ "target": "gfx1030", "inlayHints": { "preset": "all" } });
    let mut client = Client::start(&["utf-8"], options).await;
    client.open(URI, "llvm", FOR_GPU).await;
    let whole = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 9, "character": 0 } });
    let lens = until(&mut client, "textDocument/codeLens", document(URI), "VGPR").await;
    assert!(lens.contains("gfx1030 · VGPR 2 · SGPR "), "{lens}");
    let mut of = document(URI);
    of["range"] = whole;
    let hints = client.ask("textDocument/inlayHint", of.clone()).await.to_string();
    assert!(hints.contains("→ ") && hints.contains(" B\"") && hints.contains("▲ VGPR 2/"), "{hints}");
    let mut at_name = document(URI);
    at_name["position"] = json!({ "line": 2, "character": 28 });
    let hover = client.ask("textDocument/hover", at_name).await["contents"]["value"].to_string();
    for figure in [
        "used: 2 VGPRs, ",
        "live at once: at most 2 VGPRs, ",
        "allocated: 16 VGPRs for each wave",
        "steps of 16",
    ] {
        assert!(hover.contains(figure), "{figure} in {hover}");
    }
    // Lines that move take their hints with them, before the compiler has run again.
    client.change(URI, 2, (1, 0, 1, 0), "\n\n").await;
    let hints = client.ask("textDocument/inlayHint", of.clone()).await;
    let first = hints.as_array().and_then(|h| h.first()).cloned().unwrap_or_default();
    assert_eq!(first["position"], json!({ "line": 5, "character": 34 }), "{hints}");
    // Settings count at once.
    client
        .notify(
            "workspace/didChangeConfiguration",
            json!({ "settings": { "wavelens": {
        "codeLens": { "resources": false }, "inlayHints": { "isa": false, "peak": false } } } }),
        )
        .await;
    let lenses = client.ask("textDocument/codeLens", document(URI)).await.to_string();
    assert!(lenses.contains("Show generated ISA") && !lenses.contains("VGPR"), "{lenses}");
    assert_eq!(client.ask("textDocument/inlayHint", of).await, json!([]));
    assert!(client.stop().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn remarks_and_advice_are_answered_with_text_and_figures() {
    if !has_llc() {
        return;
    }
    let mut client = session(None).await;
    let found = client.ask("wavelens/remarks", document(URI)).await;
    let remarks = found["remarks"].as_array().cloned().unwrap_or_default();
    assert!(remarks.iter().any(|r| r["pass"] == "kernel-resource-usage" && r["function"] == "k"), "{found}");
    assert!(found["commands"][0].as_str().is_some_and(|c| c.contains("-pass-remarks-output")), "{found}");
    let advice = client.ask("wavelens/advise", document(URI)).await;
    assert_eq!(
        (&advice["kernels"][0]["kernel"], &advice["kernels"][0]["limited"]),
        (&json!("k"), &json!(false))
    );
    // What is wrong is in the answer, next to empty lists.
    client.open("file:///t/a.spvasm", "spirv", "OpCapability Shader\n").await;
    let other = client.ask("wavelens/remarks", document("file:///t/a.spvasm")).await;
    assert!(other["problem"].as_str().is_some_and(|p| p.contains("LLVM IR and Machine IR")), "{other}");
    assert!(client.stop().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn missed_remarks_are_hints_where_they_are_wanted() {
    const COPIES: &str = include_str!("../../../examples/nbody.ll");
    if !has_llc() {
        return;
    }
    for wanted in [false, true] {
        let hints = json!({ "remarks": wanted, "preset": "all" });
        let options = json!({ "target": "gfx1030", "inlayHints": hints });
        let mut client = Client::start(&["utf-8"], options).await;
        client.open(URI, "llvm", COPIES).await;
        let mut of = document(URI);
        of["range"] =
            json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } });
        let hints = until(&mut client, "textDocument/inlayHint", of, "→ ").await;
        assert_eq!(hints.contains("\"missed: regalloc"), wanted, "{hints}");
        assert!(client.stop().await);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn assembly_has_a_map_of_live_registers_and_a_lens_that_draws_its_control_flow() {
    const CODE: &str = include_str!("../../../examples/saxpy.s");
    const ASSEMBLY: &str = "file:///t/saxpy.s";
    let mut client = Client::start(&["utf-8"], json!({})).await;
    client.open(ASSEMBLY, "amdgpu", CODE).await;
    let map = client.ask("wavelens/liveRegisters", at(ASSEMBLY, 20, 0)).await;
    assert_eq!(map["function"], "saxpy");
    let registers = map["registers"].as_array().cloned().unwrap_or_default();
    // Written by the load and read by the multiplication, which are instructions 18 and 22.
    let v2 = registers.iter().find(|r| r["name"] == "v2").cloned().unwrap_or_default();
    assert_eq!(v2["spans"], json!([[13, 22]]), "{map}");
    assert_eq!(map["lines"][18], 27, "{map}");
    let lenses = client.ask("textDocument/codeLens", document(ASSEMBLY)).await;
    let command = &lenses[0]["command"];
    assert!(command["title"].as_str().is_some_and(|t| t.starts_with("gfx1100 · VGPR 4 · SGPR ")), "{lenses}");
    assert_eq!(command["command"], "wavelens.cfg");
    let drawn = client.ask("workspace/executeCommand", command.clone()).await;
    assert!(drawn["file"].is_string(), "{drawn}");
    client.open(URI, "llvm", KERNEL).await;
    assert_eq!(client.ask("wavelens/liveRegisters", at(URI, 1, 0)).await, Value::Null);
    assert!(client.stop().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_a_large_graph_the_part_around_the_cursor_or_a_block_is_drawn() {
    let blocks: String = (0..800)
        .map(|n| format!("b{n}:\n  br i1 %c, label %t{n}, label %b{0}\nt{n}:\n  br label %b{0}\n", n + 1))
        .collect();
    let text = format!("define void @f(i1 %c) {{\nentry:\n  br label %b0\n{blocks}b800:\n  ret void\n}}\n");
    let mut client = Client::start(&["utf-8"], json!({})).await;
    client.open(URI, "llvm", &text).await;
    let names = |flow: &Value| {
        flow["nodes"].as_array().into_iter().flatten().map(|n| n["name"].to_string()).collect::<Vec<_>>()
    };
    let flow = client.ask("wavelens/controlFlow", at(URI, 1, 0)).await;
    assert_eq!((&flow["blocks"], names(&flow).len()), (&json!(1602), 60));
    assert!(names(&flow).contains(&"\"%entry\"".to_owned()), "{flow}");
    let mut of = at(URI, 1, 0);
    of["block"] = json!("t700");
    let flow = client.ask("wavelens/controlFlow", of.clone()).await;
    assert!(names(&flow).contains(&"\"%t700\"".to_owned()), "{flow}");
    assert_eq!(flow["found"]["start"]["line"], 3 + 700 * 4 + 2, "{flow}");
    of["block"] = json!("nowhere");
    assert_eq!(client.ask("wavelens/controlFlow", of).await["found"], Value::Null);
    assert!(client.stop().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn commands_write_files_for_clients_that_show_nothing_themselves() {
    let mut client = session(None).await;
    let mut commands = vec![("wavelens.cfg", "svg", "<svg")];
    if has_llc() {
        commands.extend([
            ("wavelens.showIsa", "s", "global_store"),
            ("wavelens.compare", "txt", "gfx942"),
            ("wavelens.passes", "diff", "llc "),
            ("wavelens.trace", "txt", "(amdgpu-isel): selected"),
            ("wavelens.remarks", "txt", "kernel.ll: in `k`: analysis: "),
            ("wavelens.advise", "txt", "nothing to gain"),
        ]);
    }
    let argument = json!({ "uri": URI, "position": { "line": 1, "character": 0 }, "format": "text" });
    let text_of = json!({ "command": "wavelens.cfg", "arguments": [argument] });
    let answer = client.ask("workspace/executeCommand", text_of).await;
    let text = std::fs::read_to_string(answer["file"].as_str().unwrap_or_default()).unwrap_or_default();
    assert!(text.contains(" block") && !text.contains("<svg"), "{answer}: {text}");
    let mut files = Vec::new();
    for (command, ending, content) in commands {
        let argument = json!({ "uri": URI, "position": { "line": 1, "character": 0 } });
        let answer = client
            .ask("workspace/executeCommand", json!({ "command": command, "arguments": [argument] }))
            .await;
        let file = answer["file"].as_str().unwrap_or_default().to_owned();
        assert!(file.ends_with(ending), "{answer}");
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        assert!(text.contains(content), "{command}: {text}");
        files.push(file);
    }
    assert!(client.stop().await);
    for file in files {
        gone(Path::new(&file)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn implementation_leads_to_the_instructions_of_a_line_and_back() {
    if !has_llc() {
        return;
    }
    let mut client = session(None).await;
    let (source, line) = (at(URI, 1, 2), KERNEL.lines().nth(1).unwrap_or_default());
    assert!(line.contains("store"), "{line}");
    let id = client.request("textDocument/implementation", source.clone()).await;
    let refused = client.response(id).await["error"]["message"].to_string();
    assert!(refused.contains("run Show Generated ISA first"), "{refused}");
    let show = json!({ "command": "wavelens.showIsa", "arguments": [{ "uri": URI }] });
    let shown = client.ask("workspace/executeCommand", show).await;
    let file = shown["file"].as_str().unwrap_or_default().to_owned();
    let view = std::fs::read_to_string(&file).unwrap_or_default();
    // Lines are found by experiments after the first answer.
    let mut places = Value::Null;
    for _ in 0..500 {
        places = client.ask("textDocument/implementation", source.clone()).await;
        if places[0].is_object() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let mut instructions = Vec::new();
    for place in places.as_array().into_iter().flatten() {
        let line = |end: &str| place["range"][end]["line"].as_u64().unwrap_or_default() as usize;
        instructions.extend(view.lines().take(line("end") + 1).skip(line("start")));
    }
    assert!(places[0]["uri"].as_str().is_some_and(|uri| uri.ends_with(".s")), "{places}");
    assert!(instructions.iter().any(|i| i.contains("global_store")), "{instructions:?}");
    let back =
        json!({ "textDocument": { "uri": places[0]["uri"] }, "position": places[0]["range"]["start"] });
    let back = client.ask("textDocument/implementation", back).await;
    assert_eq!((&back[0]["uri"], &back[0]["range"]["start"]["line"]), (&json!(URI), &json!(1)), "{back}");
    assert!(client.stop().await);
}

/// Waits until a file that belongs to a session went with it.
async fn gone(file: &Path) {
    for _ in 0..500 {
        if !file.exists() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("{} outlived the session", file.display());
}

/// Asks until the answer holds a text.
async fn until(client: &mut Client, method: &str, params: Value, text: &str) -> String {
    for _ in 0..500 {
        let answer = client.ask(method, params.clone()).await.to_string();
        if answer.contains(text) {
            return answer;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("{method} never answered with {text}");
}

fn has_llc() -> bool {
    required::some(wavelens_codegen::Tools::find(None).llc().cloned(), "llc").is_some()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_compiler_has_against_the_text_is_a_warning_until_an_edit_mends_it() {
    let script = "if grep -q 'i32 7'; then echo s_endpgm; else \
                  echo \"LLVM ERROR: oh no on function '@k'\" >&2; kill -ABRT $$; fi";
    let folder = fake_llc("complain", script);
    let mut client = session(Some(&folder)).await;
    client.ask("wavelens/isa", document(URI)).await;
    let published = |m: &Value| m["method"] == json!("textDocument/publishDiagnostics");
    let complaint = client
        .wait(|m| published(m) && m["params"]["diagnostics"].as_array().is_some_and(|d| !d.is_empty()))
        .await;
    let found = &complaint["params"]["diagnostics"][0];
    assert!(found["message"].as_str().is_some_and(|m| m.contains("fails in `k`: oh no")), "{found}");
    assert_eq!((&found["severity"], &found["range"]["start"]["line"]), (&json!(2), &json!(0)));
    client.change(URI, 2, (1, 12, 1, 13), "7").await;
    client
        .wait(|m| {
            published(m)
                && m["params"]["version"] == json!(2)
                && m["params"]["diagnostics"].as_array().is_some_and(|d| d.is_empty())
        })
        .await;
    assert!(client.stop().await);
    let _ = std::fs::remove_dir_all(folder);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_view_without_content_says_why() {
    let ask = async |text: &str, options: Value, command: &str| {
        let mut client = Client::start_with(json!({}), options).await;
        client.open(URI, "llvm", text).await;
        let id = client
            .request("workspace/executeCommand", json!({ "command": command, "arguments": [URI] }))
            .await;
        let said = client.response(id).await;
        assert!(client.stop().await);
        said["error"]["message"].as_str().unwrap_or_default().to_owned()
    };
    let wrong = ask(KERNEL, json!({ "llvm.path": "/no/such" }), "wavelens.compare").await;
    assert!(wrong.starts_with("`/no/such`, which `wavelens.llvm.path` names, is not a folder"), "{wrong}");
    if !has_llc() {
        required::skip("llc is not installed");
        return;
    }
    let declared = "declare void @f()\n";
    let said = ask(declared, json!({ "target": "gfx1030" }), "wavelens.compare").await;
    assert_eq!(said, "no kernel to compare");
    let said = ask(declared, json!({ "target": "gfx1030" }), "wavelens.advise").await;
    assert_eq!(said, "no kernel to advise on");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn clients_that_ask_for_findings_get_what_a_compiler_says_too() {
    let script = "if grep -q 'i32 7'; then echo s_endpgm; else echo 'error: oh no' >&2; exit 1; fi";
    let folder = fake_llc("asked", script);
    let capabilities = json!({
        "textDocument": { "diagnostic": {} },
        "workspace": { "diagnostics": { "refreshSupport": true } },
    });
    let options = json!({ "target": "gfx1030", "llvm.path": folder });
    let mut client = Client::start_with(capabilities, options).await;
    client.open(URI, "llvm", KERNEL).await;
    let first = client.ask("textDocument/diagnostic", document(URI)).await;
    assert_eq!(first["items"], json!([]));
    client.ask("wavelens/isa", document(URI)).await;
    client.serve("workspace/diagnostic/refresh", Value::Null).await;
    let mut again = document(URI);
    again["previousResultId"] = first["resultId"].clone();
    let second = client.ask("textDocument/diagnostic", again.clone()).await;
    assert!(second["items"][0]["message"].as_str().is_some_and(|m| m.contains("oh no")), "{second}");
    again["previousResultId"] = second["resultId"].clone();
    let third = client.ask("textDocument/diagnostic", again.clone()).await;
    assert_eq!(third["kind"], "unchanged", "{third}");
    client.change(URI, 2, (1, 12, 1, 13), "7").await;
    let fixed = client.ask("textDocument/diagnostic", again).await;
    assert_eq!(fixed["items"], json!([]), "{fixed}");
    assert!(client.stop().await);
    let _ = std::fs::remove_dir_all(folder);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn processors_are_compared_and_passes_shown() {
    let mut client = session(None).await;
    let about = |more: Value| {
        let mut params = document(URI);
        params.as_object_mut().expect("an object").extend(more.as_object().cloned().unwrap_or_default());
        params
    };
    let table = client.ask("wavelens/compare", about(json!({ "targets": ["gfx900", "gfx1100"] }))).await;
    if table["targets"][0]["problem"].as_str().is_some_and(|p| p.contains("no `llc`")) {
        required::skip("llc is not installed");
        return;
    }
    assert_eq!(table["rows"][0]["kernel"], "k");
    assert_eq!(table["rows"][0]["cells"].as_array().map(Vec::len), Some(2));
    assert!(table["rows"][0]["cells"][1]["resources"]["code_size"].as_u64() > Some(0), "{table}");
    let passes = client.ask("wavelens/passes", about(json!({ "pass": "isel", "function": "k" }))).await;
    let changes = passes["changes"].as_array().cloned().unwrap_or_default();
    assert!(changes.iter().any(|c| c["argument"] == json!("amdgpu-isel")), "{passes}");
    assert!(changes.iter().all(|c| c["function"] == json!("k")));
    let made = client.ask("wavelens/runTo", about(json!({ "pass": "finalize-isel" }))).await;
    assert!(made["text"].as_str().is_some_and(|t| t.contains("GLOBAL_STORE_DWORD")), "{made}");
    let made = client.ask("wavelens/runTo", about(json!({ "pass": "no such; pass" }))).await;
    assert!(made["problem"].as_str().is_some_and(|p| p.contains("unknown pass")), "{made}");
    let history =
        client.ask("wavelens/trace", about(json!({ "position": { "line": 1, "character": 0 } }))).await;
    assert_eq!((&history["function"], &history["line"]), (&json!("k"), &json!(1)), "{history}");
    let steps = history["steps"].as_array().cloned().unwrap_or_default();
    assert!(steps.iter().any(|s| s["change"] == json!("emitted")), "{history}");
    let nothing =
        client.ask("wavelens/trace", about(json!({ "position": { "line": 0, "character": 0 } }))).await;
    assert_eq!(nothing["problem"], json!("line 1 is not an instruction of a function"));
    assert!(client.stop().await);
}

/// Helix asks for hints once for each state of a text.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hints_wait_for_the_compiler_at_a_client_that_asks_once() {
    if !required::program("llc-22") {
        return;
    }
    let capabilities = json!({ "textDocument": { "inlayHint": { "dynamicRegistration": false } } });
    let options = json!({ "target": "gfx1030", "inlayHints": { "preset": "all" } });
    let mut client = Client::start_with(capabilities, options).await;
    client
        .open(URI, "llvm", &KERNEL.replace("define", "target triple = \"amdgcn-amd-amdhsa\"\ndefine"))
        .await;
    let range = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 9, "character": 0 } });
    let params = json!({ "textDocument": { "uri": URI }, "range": range });
    let asked = std::time::Instant::now();
    let hints = client.ask("textDocument/inlayHint", params).await;
    // The compiler may take longer than the server waits.
    let has_waited = asked.elapsed() >= std::time::Duration::from_secs(2);
    assert!(hints.to_string().contains("→") || has_waited, "{hints}");
    assert!(client.stop().await);
}
