//! Machine IR in whole sessions: what code actions, renames and "Run to" leave, `llc-22` accepts where it is installed.

use std::io::Write as _;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use wavelens_tests::client::{Client, at};
use wavelens_tests::required;

const URI: &str = "file:///t/a.mir";
const AMDGPU: &[&str] = &["-mtriple=amdgcn-amd-amdhsa", "-mcpu=gfx900"];

fn document() -> Value {
    json!({ "textDocument": { "uri": URI } })
}

/// What `llc-22` has against a file; `None` where it is not installed.
fn refused(target: &[&str], text: &str) -> Option<String> {
    let mut child = Command::new("llc-22")
        .args(["-disable-symbolication", "-run-pass=none", "-verify-machineinstrs", "-x", "mir", "-o"])
        .args(["/dev/null", "-"])
        .args(target)
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .ok()?;
    child.stdin.take()?.write_all(text.as_bytes()).ok()?;
    let output = child.wait_with_output().ok()?;
    Some(match output.status.success() {
        true => String::new(),
        false => String::from_utf8_lossy(&output.stderr).into_owned(),
    })
}

/// A text after edits of the protocol, columns in bytes.
fn edited(text: &str, edits: &Value) -> String {
    let offset = |p: &Value| {
        let line = p["line"].as_u64().unwrap_or(0) as usize;
        let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
        start + p["character"].as_u64().unwrap_or(0) as usize
    };
    let mut edits: Vec<_> = edits.as_array().into_iter().flatten().collect();
    edits.sort_by_key(|e| std::cmp::Reverse((offset(&e["range"]["start"]), offset(&e["range"]["end"]))));
    let mut text_after = text.to_owned();
    for edit in edits {
        let range = offset(&edit["range"]["start"])..offset(&edit["range"]["end"]);
        text_after.replace_range(range, edit["newText"].as_str().unwrap_or(""));
    }
    text_after
}

/// A session with one file that is edited as a whole.
struct Session {
    client: Client,
    text: String,
    version: i32,
}

impl Session {
    async fn open(text: &str) -> Session {
        let mut client = Client::start(&["utf-8"], json!({ "target": "gfx900" })).await;
        client.open(URI, "mir", text).await;
        Session { client, text: text.to_owned(), version: 1 }
    }

    async fn findings(&mut self) -> Vec<Value> {
        let found = self.client.published(URI, self.version).await;
        found.as_array().cloned().unwrap_or_default()
    }

    /// Takes an edit of the workspace over.
    async fn apply(&mut self, edit: &Value) {
        let edits = &edit["documentChanges"][0]["edits"];
        assert!(edits.is_array(), "{edit}");
        self.text = edited(&self.text, edits);
        self.version += 1;
        let params = json!({
            "textDocument": { "uri": URI, "version": self.version },
            "contentChanges": [{ "text": self.text }],
        });
        self.client.notify("textDocument/didChange", params).await;
    }

    /// The action with words in its title at a range.
    async fn action(&mut self, range: &Value, words: &str) -> Option<Value> {
        let mut params = document();
        params["range"] = range.clone();
        params["context"] = json!({ "diagnostics": [] });
        let actions = self.client.ask("textDocument/codeAction", params).await;
        let mut actions = actions.as_array()?.iter();
        actions.find(|a| a["title"].as_str().is_some_and(|t| t.contains(words))).cloned()
    }

    async fn offered(&mut self, range: &Value) -> String {
        let mut params = document();
        params["range"] = range.clone();
        params["context"] = json!({ "diagnostics": [] });
        self.client.ask("textDocument/codeAction", params).await.to_string()
    }
}

/// The range of the first place of some words.
fn range_of(text: &str, words: &str) -> Value {
    let place = text.find(words).unwrap_or_else(|| panic!("{words} in {text}"));
    let (start, end) = (position(text, place), position(text, place + words.len()));
    json!({ "start": start, "end": end })
}

fn position(text: &str, offset: usize) -> Value {
    let before = &text[..offset];
    let line = before.matches('\n').count();
    json!({ "line": line, "character": offset - before.rfind('\n').map_or(0, |n| n + 1) })
}

/// Checks that the action for a defect is offered where the defect is reported, and that neither we nor llc find one after it.
async fn check_fix(words: &str, target: &[&str], file: &str) {
    let before = refused(target, file);
    assert_ne!(before.as_deref(), Some(""), "llc accepts\n{file}");
    let mut session = Session::open(file).await;
    for round in 0.. {
        let findings = session.findings().await;
        let Some(first) = findings.first() else { break };
        assert!(round < 8, "{first}\n{}", session.text);
        let range = first["range"].clone();
        let Some(action) = session.action(&range, words).await else {
            panic!("{first}\n{}\n{}", session.offered(&range).await, session.text);
        };
        session.apply(&action["edit"]).await;
        assert!(session.version > 1);
    }
    assert_ne!(session.text, file, "nothing was found");
    if before.is_some() {
        assert_eq!(refused(target, &session.text).as_deref(), Some(""), "{}", session.text);
    }
    assert!(session.client.stop().await);
}

fn function(keys: &str, body: &str) -> String {
    format!("---\nname: f\n{keys}body: |\n{body}...\n")
}

const TRACKED: &str = "tracksRegLiveness: true\n";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn missing_successors_are_added() {
    let words = " the successors";
    for body in [
        "  bb.0:\n    successors: %bb.1\n\n    S_CBRANCH_SCC1 %bb.2, implicit undef $scc\n\n  bb.1:\n    S_ENDPGM 0\n\n  bb.2:\n    S_ENDPGM 0\n",
        // With probabilities, a comment, live-ins, and a name after the number.
        "  bb.0.entry:\n    successors: %bb.1(0x40000000) ; likely\n    liveins: $sgpr0\n\n    S_CMP_EQ_U32 $sgpr0, 0, implicit-def $scc\n    S_CBRANCH_SCC1 %bb.2, implicit $scc\n    S_BRANCH %bb.1\n\n  bb.1:\n    S_ENDPGM 0\n\n  bb.2:\n    S_ENDPGM 0\n",
        // A list that names none.
        "  bb.0:\n    successors:\n    S_BRANCH %bb.1\n  bb.1:\n    S_ENDPGM 0\n",
        // Falls through, and three blocks lack one each.
        "  bb.0:\n    successors: %bb.3\n    S_CBRANCH_SCC1 %bb.3, implicit undef $scc\n  bb.1:\n    successors: %bb.1\n    S_CBRANCH_VCCNZ %bb.1, implicit undef $vcc\n  bb.2:\n    successors: %bb.3\n    S_CBRANCH_EXECZ %bb.1, implicit $exec\n  bb.3:\n    S_ENDPGM 0\n",
    ] {
        check_fix(words, AMDGPU, &function(TRACKED, body)).await;
    }
    let x86 = "  bb.0:\n    successors: %bb.1\n    JMP_1 %bb.2\n  bb.1:\n    RET64\n  bb.2:\n    RET64\n";
    let file = format!(
        "--- |\n  target triple = \"x86_64-unknown-linux-gnu\"\n  define void @f() {{ ret void }}\n...\n{}",
        function(TRACKED, x86)
    );
    check_fix(words, &["-mtriple=x86_64"], &file).await;
    let aarch64 = "  bb.0:\n    successors: %bb.1\n    liveins: $w0\n    CBZW $w0, %bb.2\n    B %bb.1\n  bb.1:\n    RET undef $lr\n  bb.2:\n    RET undef $lr\n";
    let file = format!(
        "--- |\n  target triple = \"aarch64-unknown-linux-gnu\"\n  define void @f() {{ ret void }}\n...\n{}",
        function(TRACKED, aarch64)
    );
    check_fix(words, &["-mtriple=aarch64"], &file).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn missing_live_ins_are_added() {
    let words = "to the live-ins";
    for body in [
        "  bb.0:\n    %0:vgpr_32 = COPY $vgpr0\n    S_ENDPGM 0, implicit %0\n",
        // An existing list, a comment after the label, more than one missing.
        "  bb.0: ; entry\n    liveins: $sgpr0\n    %0:vgpr_32 = COPY $vgpr0\n    %1:sreg_64 = COPY $sgpr4_sgpr5\n    %2:sreg_32 = COPY $sgpr0\n    S_ENDPGM 0, implicit %0, implicit %1, implicit %2\n",
        // Parts of registers, and a block that only another one reaches.
        "  bb.0:\n    successors: %bb.1\n    liveins: $vgpr0_vgpr1, $sgpr0\n\n    $vgpr2 = V_MOV_B32_e32 $vgpr1, implicit $exec\n    S_BRANCH %bb.1\n\n  bb.1:\n    ; Uses what bb.0 left.\n    $vgpr3 = V_MOV_B32_e32 $vgpr2, implicit $exec\n    S_ENDPGM 0, implicit $vgpr3, implicit $vgpr0_vgpr1\n",
        "  bb.0:\n    successors: %bb.1\n\n    $scc = IMPLICIT_DEF\n    S_BRANCH %bb.1\n\n  bb.1 (align 64):\n    S_CBRANCH_SCC1 %bb.2, implicit $scc\n    S_BRANCH %bb.2\n\n  bb.2:\n    S_ENDPGM 0\n",
        // Successors come first in the header.
        "  bb.0:\n    successors: %bb.1\n    $sgpr4 = COPY $sgpr8\n    S_BRANCH %bb.1\n  bb.1:\n    liveins: $sgpr4\n    S_ENDPGM 0, implicit $sgpr4\n",
    ] {
        check_fix(words, AMDGPU, &function(TRACKED, body)).await;
    }
    let x86 = "  bb.0:\n    $eax = MOV32rr $edi\n    RET64 $eax\n";
    let file = format!(
        "--- |\n  target triple = \"x86_64-unknown-linux-gnu\"\n  define void @f() {{ ret void }}\n...\n{}",
        function(TRACKED, x86)
    );
    check_fix(words, &["-mtriple=x86_64"], &file).await;
    let aarch64 = "  bb.0:\n    $x0 = ADDXrr $x0, $x1\n    RET undef $lr, implicit $x0\n";
    let file = format!(
        "--- |\n  target triple = \"aarch64-unknown-linux-gnu\"\n  define void @f() {{ ret void }}\n...\n{}",
        function(TRACKED, aarch64)
    );
    check_fix(words, &["-mtriple=aarch64"], &file).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn old_types_become_new_ones() {
    let words = "to the generic registers";
    for body in [
        "  bb.0:\n    %0(s32) = G_IMPLICIT_DEF\n    %1(s32) = G_ADD %0, %0\n    S_ENDPGM 0, implicit %1(s32)\n",
        // Names, vectors, several results, a phi, comments.
        "  bb.0:\n    %a(<2 x s16>) = G_IMPLICIT_DEF ; old\n    %b(s16), %c(s16) = G_UNMERGE_VALUES %a(<2 x s16>)\n    S_BRANCH %bb.1\n  bb.1:\n    %d(s16) = G_PHI %b(s16), %bb.0, %e(s16), %bb.1\n    %e(s16) = G_ADD %d, %c\n    S_BRANCH %bb.1\n",
        // Some are new already; flags before the register.
        "  bb.0:\n    %0:_(p1) = G_IMPLICIT_DEF\n    dead %1(s32) = G_LOAD %0 :: (load (s32), addrspace 1)\n    %2:sgpr(s32) = G_CONSTANT i32 1\n    S_ENDPGM 0\n",
    ] {
        check_fix(words, AMDGPU, &function(TRACKED, body)).await;
    }
    // Declared registers have their class above.
    let declared = "registers:\n  - { id: 0, class: _ }\n";
    let body = "  bb.0:\n    %0(s32) = G_IMPLICIT_DEF\n    %1(s32) = G_ADD %0, %0\n    S_ENDPGM 0, implicit %1(s32)\n";
    check_fix(words, AMDGPU, &function(declared, body)).await;
    let file = format!(
        "--- |\n  target triple = \"aarch64-unknown-linux-gnu\"\n  define void @f() {{ ret void }}\n...\n{}",
        function(
            "",
            "  bb.0:\n    %0(s64) = G_CONSTANT i64 1\n    $x0 = COPY %0(s64)\n    RET undef $lr, implicit $x0\n"
        )
    );
    check_fix(words, &["-mtriple=aarch64"], &file).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn copies_go_between_banks() {
    let words = "opy ";
    for body in [
        "  bb.0:\n    %0:vgpr_32 = IMPLICIT_DEF\n    %1:sreg_32 = S_ADD_I32 %0, 3, implicit-def $scc\n    S_ENDPGM 0, implicit %1\n",
        // Killed, as the second operand, twice in one block, after a comment.
        "  bb.0:\n    %0:vgpr_32 = IMPLICIT_DEF\n    %1:sreg_32 = IMPLICIT_DEF\n    ; the sum\n    %2:sreg_32 = S_ADD_I32 %1, killed %0, implicit-def $scc\n    %3:sreg_32 = S_SUB_I32 %2, 3, implicit-def $scc\n    %4:agpr_32 = IMPLICIT_DEF\n    %5:sreg_32 = S_XOR_B32 %3, %4, implicit-def $scc\n    S_ENDPGM 0, implicit %5\n",
        // 64 bits, and an address.
        "  bb.0:\n    %0:sreg_64 = IMPLICIT_DEF\n    %1:vgpr_32 = GLOBAL_LOAD_DWORD %0, 0, 0, implicit $exec :: (load (s32), addrspace 1)\n    S_ENDPGM 0, implicit %1\n",
        // A subregister.
        "  bb.0:\n    %0:vreg_64 = IMPLICIT_DEF\n    %1:sreg_32 = S_ADD_I32 %0.sub1, 3, implicit-def $scc\n    S_ENDPGM 0, implicit %1\n",
        // A result; `Make ... a copy`.
        "  bb.0:\n    %0:sreg_32 = IMPLICIT_DEF\n    %1:sreg_32 = V_MOV_B32_e32 %0, implicit $exec\n    S_ENDPGM 0, implicit %1\n",
    ] {
        check_fix(words, AMDGPU, &function("", body)).await;
    }
    let x86 = "  bb.0:\n    %0:fr64 = IMPLICIT_DEF\n    %1:gr64 = ADD64ri32 %0, 1, implicit-def $eflags\n    RET64 implicit %1\n";
    let file = format!(
        "--- |\n  target triple = \"x86_64-unknown-linux-gnu\"\n  define void @f() {{ ret void }}\n...\n{}",
        function("", x86)
    );
    check_fix(words, &["-mtriple=x86_64"], &file).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn banks_and_liveness_are_offered_where_nothing_is_wrong() {
    for (words, place, keys, body) in [
        (
            "Add `tracksRegLiveness",
            "f\n",
            "",
            "  bb.0:\n    liveins: $vgpr0\n    S_ENDPGM 0, implicit $vgpr0\n",
        ),
        ("Add `tracksRegLiveness", "f # a name\n", "alignment: 4\n", "  bb.0:\n    S_ENDPGM 0\n"),
        (
            "Copy `%0` to a new `vgpr` register",
            "%0, %1",
            "legalized: true\nregBankSelected: true\n",
            "  bb.0:\n    %0:sgpr(s32) = G_IMPLICIT_DEF\n    %1:vgpr(s32) = G_IMPLICIT_DEF\n    %2:vgpr(s32) = G_ADD %0, %1\n    S_ENDPGM 0, implicit %2(s32)\n",
        ),
        (
            "Copy `%x` to a new `sgpr` register",
            "%x(<2 x s16>), %x",
            "legalized: true\nregBankSelected: true\n",
            "  bb.0:\n    %x:vgpr(<2 x s16>) = G_IMPLICIT_DEF\n    %2:sgpr(<2 x s16>) = G_ADD %x(<2 x s16>), %x\n    S_ENDPGM 0, implicit %2(<2 x s16>)\n",
        ),
    ] {
        let file = function(keys, body)
            .replace("name: f\n", if place.contains('#') { "name: f # a name\n" } else { "name: f\n" });
        let mut session = Session::open(&file).await;
        assert_eq!(session.findings().await, [] as [Value; 0], "{file}");
        let mut range = range_of(&file, place);
        range["end"] = range["start"].clone();
        let Some(action) = session.action(&range, words).await else {
            panic!("{}\n{file}", session.offered(&range).await);
        };
        session.apply(&action["edit"]).await;
        assert_eq!(session.findings().await, [] as [Value; 0], "{}", session.text);
        assert!(refused(AMDGPU, &session.text).is_none_or(|r| r.is_empty()), "{}", session.text);
        assert!(session.client.stop().await);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn renamed_and_renumbered_registers_stay_right() {
    let file = "---\nname: f\ntracksRegLiveness: true\nregisters:\n  - { id: 7, class: vgpr_32, preferred-register: '%9' }\n  - { id: 9, class: vgpr_32 }\nliveins:\n  - { reg: '$vgpr0', virtual-reg: '%7' }\nbody: |\n  bb.0:\n    successors: %bb.1\n    liveins: $vgpr0\n\n    %7 = COPY $vgpr0 ; %7 is the first\n    %named:vreg_64 = REG_SEQUENCE %7, %subreg.sub0, undef %30:vgpr_32, %subreg.sub1\n    S_BRANCH %bb.1\n\n  bb.1:\n    %9 = V_ADD_U32_e32 %named.sub0, killed %7, implicit $exec\n    S_ENDPGM 0, implicit %9, implicit %named\n...\n";
    assert!(refused(AMDGPU, file).is_none_or(|r| r.is_empty()), "{:?}", refused(AMDGPU, file));
    let mut session = Session::open(file).await;
    assert_eq!(session.findings().await, [] as [Value; 0]);
    for (place, new) in [("%named.sub0", "sum"), ("%sum:", "%40"), ("%7, %subreg", "12")] {
        let position = range_of(&session.text, place)["start"].clone();
        let mut params = document();
        params["position"] =
            json!({ "line": position["line"], "character": position["character"].as_u64().unwrap_or(0) + 1 });
        params["newName"] = json!(new);
        let edit = session.client.ask("textDocument/rename", params).await;
        session.apply(&edit).await;
        assert_eq!(session.findings().await, [] as [Value; 0], "{place} to {new}\n{}", session.text);
        let said = refused(AMDGPU, &session.text);
        assert!(said.as_ref().is_none_or(String::is_empty), "{place} to {new}: {said:?}\n{}", session.text);
    }
    // `registers:` has only numbers.
    let mut params = document();
    params["position"] = range_of(&session.text, "%9 =")["start"].clone();
    params["newName"] = json!("%last");
    let id = session.client.request("textDocument/rename", params).await;
    let answer = session.client.response(id).await;
    assert!(answer["error"]["message"].as_str().is_some_and(|m| m.contains("registers:")), "{answer}");
    // A name that is taken would make two registers one.
    let mut params = at(URI, 0, 0);
    params["position"] = range_of(&session.text, "%12 = COPY")["start"].clone();
    params["newName"] = json!("%40");
    let id = session.client.request("textDocument/rename", params).await;
    let answer = session.client.response(id).await;
    assert!(answer["error"]["message"].is_string(), "{answer}");
    let range = range_of(&session.text, "%12 = COPY");
    let action = session.action(&range, "Renumber the virtual registers").await.expect("an action");
    session.apply(&action["edit"]).await;
    assert_eq!(session.findings().await, [] as [Value; 0], "{}", session.text);
    let said = refused(AMDGPU, &session.text);
    assert!(said.as_ref().is_none_or(String::is_empty), "{said:?}\n{}", session.text);
    assert!(session.text.contains("%0 = COPY $vgpr0"), "{}", session.text);
    assert!(session.client.stop().await);
}

const GENERIC: &str = "---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    liveins: $vgpr0_vgpr1

    %0:_(s64) = COPY $vgpr0_vgpr1
    %1:_(s64) = G_MUL %0, %0
    %2:_(s64) = G_AND %0, %1
    %3:_(s8) = G_TRUNC %2(s64)
    %4:_(s8) = G_ADD %3, %3
    %5:_(s128) = G_ANYEXT %4(s8)
    %6:_(s128) = G_FADD %5, %5

  bb.1:
    %7:_(s8) = G_PHI %4, %bb.0, %7, %bb.1
    %8:_(s1) = G_TRUNC %7(s8)
    G_BRCOND %8(s1), %bb.1

  bb.2:
    S_ENDPGM 0, implicit %6(s128)
...
";

/// The hover at a word once it holds others; a compiler is asked for them meanwhile.
async fn hover_with(client: &mut Client, uri: &str, text: &str, word: &str, wanted: &str) -> String {
    let position = range_of(text, word)["start"].clone();
    let mut markdown = String::new();
    for _ in 0..400 {
        let params = json!({ "textDocument": { "uri": uri }, "position": position });
        let hover = client.ask("textDocument/hover", params).await;
        markdown = hover["contents"]["value"].as_str().unwrap_or("").to_owned();
        if markdown.contains(wanted) {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    markdown
}

fn has_llc() -> bool {
    let llc = wavelens_codegen::Tools::find(None).llc().cloned().filter(|tool| tool.major >= 22);
    required::some(llc, "llc of LLVM 22").is_some()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hovers_tell_how_generic_instructions_are_legalized() {
    if !has_llc() {
        return;
    }
    let mut client = Client::start(&["utf-8"], json!({ "target": "gfx900" })).await;
    client.open(URI, "mir", GENERIC).await;
    for (word, wanted) in [
        ("G_MUL", "Legalized for gfx900, it becomes `G_UNMERGE_VALUES (s32)` ×4, "),
        ("G_AND", "Legal on gfx900 with these types."),
        ("G_ADD", "Legalized for gfx900, it becomes `G_TRUNC (s16)` ×2, `G_ADD (s16)`."),
        ("G_PHI", "Legalized for gfx900, it becomes `G_TRUNC (s16)` ×2, `G_PHI (s16)`."),
        ("G_BRCOND", "Legal on gfx900 with these types."),
        ("G_FADD", "llc cannot legalize it for gfx900 with these types."),
    ] {
        let hover = hover_with(&mut client, URI, GENERIC, word, wanted).await;
        assert!(hover.contains(wanted), "{word}: {hover}");
        assert!(hover.starts_with("```mir\n"), "{hover}");
    }
    assert!(client.stop().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_compiled_for_hovers_where_the_user_does_not_want_it() {
    let mut client = Client::start(&["utf-8"], json!({ "isa.background": false })).await;
    client.open(URI, "mir", GENERIC).await;
    for _ in 0..2 {
        let hover = client.ask("textDocument/hover", at(URI, 8, 18)).await.to_string();
        assert!(hover.contains("G_MUL") && !hover.contains("egal"), "{hover}");
        tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    }
    assert!(client.stop().await);
}

const KERNEL: &str = "target triple = \"amdgcn\"
define amdgpu_kernel void @k(ptr addrspace(1) %p, i32 %n) #0 {
entry:
  %slot = alloca [4 x i32], addrspace(5)
  %c = icmp slt i32 %n, 4
  br i1 %c, label %then, label %done
then:
  %at = getelementptr [4 x i32], ptr addrspace(5) %slot, i32 0, i32 %n
  store volatile i32 7, ptr addrspace(5) %at
  %x = load volatile i32, ptr addrspace(5) %at
  %y = sdiv i32 %x, %n
  store i32 %y, ptr addrspace(1) %p
  br label %done
done:
  ret void
}
attributes #0 = { \"target-cpu\"=\"gfx803\" }
";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn code_generation_goes_on_from_wherever_a_file_stopped() {
    if !has_llc() {
        return;
    }
    let passes = [
        ("irtranslator", "-global-isel", "legalizer"),
        ("legalizer", "-global-isel", "regbankselect"),
        ("regbankselect", "-global-isel", "instruction-select"),
        ("instruction-select", "-global-isel", "machine-scheduler"),
        ("finalize-isel", "-global-isel=0", "machine-scheduler"),
        ("machine-scheduler", "-global-isel=0", "prologepilog"),
        ("greedy", "-global-isel=0", "postrapseudos"),
        ("prologepilog", "-global-isel=0", "si-insert-waitcnts"),
        ("postrapseudos", "-global-isel=0", "si-insert-waitcnts"),
        ("si-insert-waitcnts", "-global-isel=0", "branch-relaxation"),
    ];
    let mut client = Client::start(&["utf-8"], json!({})).await;
    for (pass, selector, later) in passes {
        let mut child = Command::new("llc-22")
            .args([&format!("-stop-after={pass}"), selector, "-o", "-", "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("llc starts");
        child.stdin.take().expect("piped").write_all(KERNEL.as_bytes()).expect("llc reads");
        let output = child.wait_with_output().expect("llc ends");
        let file = String::from_utf8_lossy(&output.stdout);
        let uri = format!("file:///t/{pass}.mir");
        client.open(&uri, "mir", &file).await;
        let of = json!({ "textDocument": { "uri": uri }, "pass": later });
        let isa = client.ask("wavelens/isa", of.clone()).await;
        assert_eq!(isa["problem"], Value::Null, "{pass}: {isa}");
        let text = isa["text"].as_str().unwrap_or("");
        assert!(text.contains("s_endpgm") && text.contains("buffer_store_dword"), "{pass}: {isa}");
        let made = client.ask("wavelens/runTo", of).await;
        assert_eq!(made["problem"], Value::Null, "{pass}: {made}");
        assert!(made["text"].as_str().is_some_and(|t| t.contains("name:            k")), "{pass}: {made}");
    }
    let id = client
        .request(
            "wavelens/runTo",
            json!({ "textDocument": { "uri": "file:///t/greedy.mir" }, "pass": "no-such" }),
        )
        .await;
    let answer = client.response(id).await;
    assert!(answer["result"]["problem"].as_str().is_some_and(|p| p.contains("no-such")), "{answer}");
    assert!(client.stop().await);
}
