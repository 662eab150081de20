//! Code that a compiler wrote next to a document, through a whole session.

use serde_json::json;
use wavelens_tests::client::Client;
use wavelens_tests::required;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_code_next_to_a_document_is_shown_until_an_edit() {
    const CODE: &str = "\t.amdgcn_target \"amdgcn-amd-amdhsa--gfx1030\"\n\t.text\n\t.file 1 \"/src\" \"k.py\"\nk:\n\
        \t.loc 1 7 3\n\ts_nop 7\n\t.loc 1 8 1\n\ts_endpgm\n";
    const IR: &str = "target triple = \"amdgcn-amd-amdhsa\"\ndefine amdgpu_kernel void @k(ptr addrspace(1) %p) !dbg !4 {\n\
        \x20 store i32 1, ptr addrspace(1) %p, !dbg !7\n  store i32 2, ptr addrspace(1) %p, !dbg !7\n  ret void, !dbg !8\n}\n\
        !llvm.dbg.cu = !{!1}\n!llvm.module.flags = !{!5}\n!0 = !DIFile(filename: \"k.py\", directory: \"/src\")\n\
        !1 = distinct !DICompileUnit(language: DW_LANG_C, file: !0, emissionKind: LineTablesOnly)\n!2 = !DISubroutineType(types: !{})\n\
        !4 = distinct !DISubprogram(name: \"k\", scope: !0, file: !0, line: 6, type: !2, unit: !1, spFlags: DISPFlagDefinition)\n\
        !5 = !{i32 2, !\"Debug Info Version\", i32 3}\n!7 = !DILocation(line: 7, column: 3, scope: !4)\n\
        !8 = !DILocation(line: 8, column: 1, scope: !4)\n";
    let has_llc = required::some(wavelens_codegen::Tools::find(None).llc().cloned(), "llc").is_some();
    let folder = std::env::temp_dir().join(format!("wavelens-written-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let ir = folder.join("k.llir");
    std::fs::write(&ir, IR).and_then(|()| std::fs::write(folder.join("k.amdgcn"), CODE)).expect("files");
    let uri = format!("file://{}", ir.display());
    let mut client = Client::start(&["utf-8"], json!({ "target": null })).await;
    let of = json!({ "textDocument": { "uri": uri } });
    client.open(&uri, "llvm", IR).await;
    let isa = client.ask("wavelens/isa", of.clone()).await;
    assert!(isa["text"].as_str().is_some_and(|text| text.contains("s_nop 7")), "{isa}");
    assert_eq!(isa["note"], "code of k.amdgcn, which was compiled from k.llir");
    // Of two lines with one place the first stands for both, and what they cost is not said of it.
    assert_eq!((&isa["map"], &isa["target"]), (&json!([[5, 2], [7, 4]]), &json!("gfx1030")), "{isa}");
    let costs = isa["sources"].as_array().into_iter().flatten();
    assert_eq!(costs.map(|cost| cost["line"].clone()).collect::<Vec<_>>(), [json!(4)], "{isa}");
    let opened = client.ask(
        "workspace/executeCommand",
        json!({ "command": "wavelens.showIsa", "arguments": [{ "uri": uri }] }),
    );
    let file = opened.await["file"].as_str().map(std::fs::read_to_string);
    let head = file.and_then(Result::ok).unwrap_or_default();
    assert!(head.starts_with("; code of k.amdgcn, which was compiled from k.llir\n"), "{head}");
    client.change(&uri, 2, (2, 12, 2, 13), "2").await;
    let isa = client.ask("wavelens/isa", of.clone()).await;
    assert!(!isa["text"].as_str().unwrap_or_default().contains("s_nop 7"), "{isa}");
    if has_llc {
        assert_eq!(
            isa["note"], "compiled again: k.llir was edited since k.amdgcn was compiled from it",
            "{isa}"
        );
    }
    assert!(client.stop().await);
    let _ = std::fs::remove_dir_all(folder);
}
