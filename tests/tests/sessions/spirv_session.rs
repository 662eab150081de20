//! A session about one SPIR-V module: what an editor shows at each kind of place.

use expect_test::{Expect, expect};
use serde_json::{Value, json};
use wavelens_tests::client::{Client, at};

const URI: &str = "file:///t/shader.spvasm";

/// Decorations by group, as older compilers write them.
const MODULE: &str = include_str!("../../data/spirv/groups.spvasm");

/// The position of `$0` in `place`, a part of a line of the module.
fn position(place: &str) -> Value {
    let (before, after) = place.split_once("$0").expect("a cursor");
    let found = MODULE.find(&format!("{before}{after}")).expect("a place of the module") + before.len();
    let line = MODULE[..found].matches('\n').count();
    at(URI, line, found - MODULE[..found].rfind('\n').map_or(0, |n| n + 1))
}

async fn open() -> Client {
    let mut client = Client::start(&["utf-8"], json!({ "inlayHints.preset": "all" })).await;
    client.open(URI, "spirv", MODULE).await;
    let findings = client.published(URI, 1).await;
    assert_eq!(findings, json!([]));
    client
}

async fn hover(client: &mut Client, place: &str, expected: Expect) {
    let answer = client.ask("textDocument/hover", position(place)).await;
    expected.assert_eq(answer["contents"]["value"].as_str().unwrap_or_default());
}

/// The first labels of a completion list, with their details.
async fn completion(client: &mut Client, place: &str, expected: Expect) {
    let answer = client.ask("textDocument/completion", position(place)).await;
    let items = answer["items"].as_array().or(answer.as_array()).cloned().unwrap_or_default();
    let mut items: Vec<_> =
        items.iter().map(|i| (i["sortText"].as_str(), i["label"].as_str(), &i["detail"])).collect();
    items.sort_by_key(|(sort, label, _)| (*sort, *label));
    let text = |(_, label, detail): &(_, Option<&str>, &Value)| {
        format!("{} ({})\n", label.unwrap_or_default(), detail.as_str().unwrap_or_default())
    };
    expected.assert_eq(&items.iter().take(6).map(text).collect::<String>());
}

async fn signature(client: &mut Client, place: &str, expected: Expect) {
    let answer = client.ask("textDocument/signatureHelp", position(place)).await;
    let shown = &answer["signatures"][0];
    let active = answer["activeParameter"].as_u64().or(shown["activeParameter"].as_u64());
    expected.assert_eq(&format!("{} at {active:?}", shown["label"].as_str().unwrap_or_default()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hovers() {
    let mut client = open().await;
    hover(
        &mut client,
        "OpAccessChain %ptr_float %vi$0ew",
        expect![[r#"
            ```spirv
            %view = OpVariable %ptr_View Uniform
            ```

            `struct View { float scale; } in Uniform, set 1, binding 3`

            Decorations: `DescriptorSet 1`, `Binding 3`  

            Words: `0004003b 0000000c 00000007 00000002`
        "#]],
    )
    .await;
    hover(
        &mut client,
        "%V$0iew = OpTypeStruct",
        expect![[r#"
        ```spirv
        %View = OpTypeStruct %float
        ```

        `struct View { float scale; }`

        Decorations: `Block`  

        ```
        0: float scale; Offset 0
        ```

        Words: `0003001e 00000004 0000000a`
    "#]],
    )
    .await;
    hover(
        &mut client,
        "%bound$0 = OpDecorationGroup",
        expect![[r#"
        ```spirv
        %bound = OpDecorationGroup
        ```

        Decorations: `DescriptorSet 1`, `Binding 3`  

        Words: `00020049 00000005`
    "#]],
    )
    .await;
    hover(
        &mut client,
        "OpGroup$0Decorate",
        expect![[r#"
            **OpGroupDecorate** (opcode 74, Annotation)

            ```spirv
            OpGroupDecorate <Decoration Group> <Targets>*
            ```

            Applies the decorations of a group to ids. Deprecated. [Specification](https://registry.khronos.org/SPIR-V/specs/unified1/SPIRV.html#OpGroupDecorate)


            Words: `0003004a 00000005 00000007`
        "#]],
    )
    .await;
    hover(
        &mut client,
        "OpMemoryModel Logical GLSL$0450",
        expect![[r#"
            **GLSL450** (MemoryModel 1)

            The memory model of GLSL 4.50. [Specification](https://registry.khronos.org/SPIR-V/specs/unified1/SPIRV.html#Memory_Model)

            Capability: `Shader`

        "#]],
    )
    .await;
    assert!(client.stop().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn completions_and_signatures() {
    let mut client = open().await;
    completion(
        &mut client,
        "OpLoad %float $0%at",
        expect![[r#"
            %at (ptr Uniform float)
            %color (ptr Output float)
        "#]],
    )
    .await;
    completion(
        &mut client,
        "OpLoad $0%float",
        expect![[r#"
            %ptr_float (ptr Uniform float)
            %fn (void())
            %void (void)
            %float (float)
            %int (int)
            %ptr_Output_float (ptr Output float)
        "#]],
    )
    .await;
    completion(
        &mut client,
        "OpExecutionMode %main $0OriginUpperLeft",
        expect![[r#"
        DepthGreater (ExecutionMode)
        DepthLess (ExecutionMode)
        DepthReplacing (ExecutionMode)
        DepthUnchanged (ExecutionMode)
        EarlyAndLateFragmentTestsAMD (ExecutionMode)
        EarlyFragmentTests (ExecutionMode)
    "#]],
    )
    .await;
    completion(
        &mut client,
        "OpExtInst %float %glsl $0FMax",
        expect![[r#"
            Atan2 (y, x)
            Cross (x, y)
            Distance (p0, p1)
            FMax (x, y)
            FMin (x, y)
            Frexp (x, exp)
        "#]],
    )
    .await;
    signature(
        &mut client,
        "OpAccessChain %ptr_float $0%view",
        expect!["%result = OpAccessChain <Result Type> <Base> <Indexes>* at Some(1)"],
    )
    .await;
    signature(
        &mut client,
        "OpExtInst %float %glsl FMax %read $0%half",
        expect!["%result = OpExtInst <Result Type> <Set> FMax <x> <y> at Some(3)"],
    )
    .await;
    assert!(client.stop().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn outline_and_rename() {
    let mut client = open().await;
    let symbols = client.ask("textDocument/documentSymbol", json!({ "textDocument": { "uri": URI } })).await;
    let mut shown = String::new();
    let line = |s: &Value| {
        format!("{} ({})\n", s["name"].as_str().unwrap_or_default(), s["detail"].as_str().unwrap_or_default())
    };
    for symbol in symbols.as_array().expect("symbols") {
        shown += &line(symbol);
        symbol["children"].as_array().into_iter().flatten().for_each(|c| shown += &format!("  {}", line(c)));
    }
    expect![[r#"
        Types ()
          %void (void)
          %fn (void())
          %float (float)
          %int (int)
          View (struct View)
          %ptr_View (ptr Uniform struct View)
          %ptr_float (ptr Uniform float)
          %ptr_Output_float (ptr Output float)
        %view (ptr Uniform struct View)
        %color (ptr Output float)
        Constants ()
          %20 (0)
          %half (0.5)
        main (Fragment)
          %entry ()
    "#]]
    .assert_eq(&shown);
    let mut rename = position("%half$0 = OpConstant");
    rename["newName"] = json!("%middle");
    let edits = client.ask("textDocument/rename", rename).await;
    expect!["2"].assert_eq(&edits["documentChanges"][0]["edits"].as_array().map_or(0, Vec::len).to_string());
    let mut hints = json!({ "textDocument": { "uri": URI } });
    hints["range"] = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } });
    let hints = client.ask("textDocument/inlayHint", hints).await;
    let text = |h: &Value| {
        let line =
            MODULE.lines().nth(h["position"]["line"].as_u64().unwrap_or(0) as usize).unwrap_or_default();
        format!("{}: {}\n", line.trim(), h["label"].as_str().unwrap_or_default())
    };
    expect![[r#"
        %int = OpTypeInt 32 1: signed
        %at = OpAccessChain %ptr_float %view %20: 0
        %at = OpAccessChain %ptr_float %view %20:  %view.scale
    "#]]
    .assert_eq(&hints.as_array().into_iter().flatten().map(text).collect::<String>());
    assert!(client.stop().await);
}
