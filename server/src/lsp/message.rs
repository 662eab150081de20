//! Messages of JSON-RPC: bytes to requests and responses. What cannot be decoded is answered with an error.

use lsp_types::PublishDiagnosticsParams;
use lsp_types::notification::{Notification as _, PublishDiagnostics};
use serde::Serialize;
use serde_json::{Value, json};
use tower_lsp::jsonrpc::{Id, Request, Response};

/// What a body holds.
pub(super) enum Message {
    Request(Request),
    Response(Response),
    /// It cannot be decoded: the answer.
    Refused(Value),
}

const PARSE_ERROR: i32 = -32700;
const INVALID_REQUEST: i32 = -32600;

/// A message without an answer.
#[derive(Serialize)]
pub(super) struct Notification<P> {
    jsonrpc: &'static str,
    method: &'static str,
    params: P,
}

/// The message that publishes findings.
pub(super) fn published(params: PublishDiagnosticsParams) -> Notification<PublishDiagnosticsParams> {
    Notification { jsonrpc: "2.0", method: PublishDiagnostics::METHOD, params }
}

/// The answer to bytes that are not a message.
#[cfg(not(target_family = "wasm"))]
pub(super) fn parse_error(reason: &str) -> Value {
    error(Value::Null, PARSE_ERROR, reason)
}

fn error(id: Value, code: i32, message: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } })
}

/// Reads a body.
pub(super) fn read(mut body: Vec<u8>) -> Message {
    replace_lone_surrogates(&mut body);
    let text = String::from_utf8_lossy(&body);
    let message: Value = match serde_json::from_str(&text) {
        Ok(message) => message,
        Err(problem) => {
            let id = id_of(&text).unwrap_or_default();
            return Message::Refused(error(id, PARSE_ERROR, &format!("invalid JSON: {problem}")));
        }
    };
    drop(text);
    drop(body);
    let Value::Object(mut message) = message else {
        return Message::Refused(error(Value::Null, INVALID_REQUEST, "expected an object"));
    };
    if !message.contains_key("method") && (message.contains_key("result") || message.contains_key("error")) {
        return match serde_json::from_value(Value::Object(message)) {
            Ok(response) => Message::Response(response),
            Err(problem) => {
                Message::Refused(error(Value::Null, INVALID_REQUEST, &format!("invalid response: {problem}")))
            }
        };
    }
    let id = match message.remove("id") {
        None => None,
        Some(Value::Null) => Some(Id::Null),
        Some(Value::String(id)) => Some(Id::String(id)),
        Some(Value::Number(id)) => match id.as_i64() {
            Some(id) => Some(Id::Number(id)),
            // The client finds its request by the value that it wrote.
            None => {
                let reason = "`id` must be an integer of 64 bits or a string";
                return Message::Refused(error(Value::Number(id), INVALID_REQUEST, reason));
            }
        },
        Some(_) => {
            return Message::Refused(error(
                Value::Null,
                INVALID_REQUEST,
                "`id` must be a number or a string",
            ));
        }
    };
    let refuse = |id: Option<Id>, reason: &str| {
        let id = serde_json::to_value(id).unwrap_or_default();
        Message::Refused(error(id, INVALID_REQUEST, reason))
    };
    let Some(Value::String(method)) = message.remove("method") else {
        return refuse(id, "missing `method`");
    };
    // A notification has no answer: an edit that is lost would make the text another one than the client's.
    if id.is_some() && message.get("jsonrpc") != Some(&json!("2.0")) {
        return refuse(id, "missing `\"jsonrpc\": \"2.0\"`");
    }
    let mut request = Request::build(method);
    if let Some(id) = id {
        request = request.id(id);
    }
    match message.remove("params") {
        None => {}
        Some(params @ (Value::Object(_) | Value::Array(_) | Value::Null)) => request = request.params(params),
        Some(_) => {
            let (_, id, _) = request.finish().into_parts();
            return refuse(id, "`params` must be an object or an array");
        }
    }
    Message::Request(request.finish())
}

/// The `id` of a message that is JSON but nested too deep to be read. What is between the fields is skipped without recursion.
fn id_of(text: &str) -> Option<Value> {
    #[derive(serde::Deserialize)]
    struct Envelope {
        id: Value,
    }
    let id = serde_json::from_str::<Envelope>(text).ok()?.id;
    (id.is_string() || id.is_i64()).then_some(id)
}

/// Replaces each half of a surrogate pair (`\ud83d`) whose other half is missing by U+FFFD. JavaScript writes them where an edit ends
/// within a character; a string of Rust cannot hold them.
fn replace_lone_surrogates(json: &mut [u8]) {
    let mut at = 0;
    while let Some(found) = json[at..].iter().position(|b| *b == b'\\') {
        at += found;
        match escaped(json, at) {
            Some(0xd800..0xdc00) if matches!(escaped(json, at + 6), Some(0xdc00..0xe000)) => at += 12,
            Some(0xd800..0xe000) => {
                json[at + 2..at + 6].copy_from_slice(b"fffd");
                at += 6;
            }
            // Also `\\`, whose second half begins nothing.
            _ => at = json.len().min(at + 2),
        }
    }
}

/// The code unit of `\u` and four digits at an offset.
fn escaped(json: &[u8], at: usize) -> Option<u16> {
    let digits = json.get(at..at + 6)?.strip_prefix(b"\\u")?;
    u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(body: &str, expected: Expect) {
        check_bytes(body.as_bytes(), expected);
    }

    fn check_bytes(body: &[u8], expected: Expect) {
        expected.assert_eq(&match read(body.to_vec()) {
            Message::Request(request) => format!("request {request}"),
            Message::Response(response) => format!("response {response:?}"),
            Message::Refused(answer) => format!("refused {answer}"),
        });
    }

    #[test]
    fn messages_are_read() {
        check(
            r#"{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":[1]}}"#,
            expect![[r#"request {"jsonrpc":"2.0","method":"m","params":{"a":[1]},"id":1}"#]],
        );
        check(r#"{"jsonrpc":"2.0","method":"m"}"#, expect![[r#"request {"jsonrpc":"2.0","method":"m"}"#]]);
        check(
            r#"{"jsonrpc":"2.0","id":"x","result":null}"#,
            expect![[r#"response Response { jsonrpc: Version, result: Null, id: String("x") }"#]],
        );
    }

    #[test]
    fn what_cannot_be_decoded_is_answered() {
        check(
            r#"{"jsonrpc":"2.0","id":1.5,"method":"m"}"#,
            expect![[
                r#"refused {"error":{"code":-32600,"message":"`id` must be an integer of 64 bits or a string"},"id":1.5,"jsonrpc":"2.0"}"#
            ]],
        );
        check(
            r#"{"id":7,"method":"m"}"#,
            expect![[
                r#"refused {"error":{"code":-32600,"message":"missing `\"jsonrpc\": \"2.0\"`"},"id":7,"jsonrpc":"2.0"}"#
            ]],
        );
        check(
            r#"{"jsonrpc":"2.0","id":7}"#,
            expect![[
                r#"refused {"error":{"code":-32600,"message":"missing `method`"},"id":7,"jsonrpc":"2.0"}"#
            ]],
        );
        check(
            r#"{"jsonrpc":"2.0","id":"a","method":"m","params":1}"#,
            expect![[
                r#"refused {"error":{"code":-32600,"message":"`params` must be an object or an array"},"id":"a","jsonrpc":"2.0"}"#
            ]],
        );
        check(
            r#"{"jsonrpc":"2.0","id":{},"method":"m"}"#,
            expect![[
                r#"refused {"error":{"code":-32600,"message":"`id` must be a number or a string"},"id":null,"jsonrpc":"2.0"}"#
            ]],
        );
        check(
            r#"{"jsonrpc":"2.0","id"#,
            expect![[
                r#"refused {"error":{"code":-32700,"message":"invalid JSON: EOF while parsing a string at line 1 column 20"},"id":null,"jsonrpc":"2.0"}"#
            ]],
        );
        check(
            "[]",
            expect![[
                r#"refused {"error":{"code":-32600,"message":"expected an object"},"id":null,"jsonrpc":"2.0"}"#
            ]],
        );
        check(
            &"[".repeat(100_000),
            expect![[
                r#"refused {"error":{"code":-32700,"message":"invalid JSON: recursion limit exceeded at line 1 column 128"},"id":null,"jsonrpc":"2.0"}"#
            ]],
        );
    }

    #[test]
    fn a_request_nested_too_deep_is_answered_by_its_id() {
        let nested = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        let refused = |body: String| match read(body.into_bytes()) {
            Message::Refused(answer) => answer["id"].clone(),
            _ => panic!("it was read"),
        };
        let before = format!(r#"{{"jsonrpc":"2.0","id":7,"method":"m","params":{nested}}}"#);
        let after = format!(r#"{{"jsonrpc":"2.0","method":"m","params":{{"a":{nested}}},"id":"x"}}"#);
        assert_eq!((refused(before), refused(after)), (json!(7), json!("x")));
        let inside = format!(r#"{{"jsonrpc":"2.0","method":"m","params":{{"id":7,"a":{nested}}}}}"#);
        let strange = format!(r#"{{"jsonrpc":"2.0","id":{nested},"method":"m"}}"#);
        assert_eq!((refused(inside), refused(strange)), (Value::Null, Value::Null));
    }

    #[test]
    fn a_notification_without_a_version_is_taken() {
        check(r#"{"method":"m"}"#, expect![[r#"request {"jsonrpc":"2.0","method":"m"}"#]]);
    }

    #[test]
    fn lone_surrogates_and_bytes_that_are_not_text_are_replaced() {
        let replaced = |text: &str| {
            let mut bytes = text.as_bytes().to_vec();
            replace_lone_surrogates(&mut bytes);
            String::from_utf8(bytes).expect("still text")
        };
        assert_eq!(replaced(r#""\ud83d""#), r#""\ufffd""#);
        assert_eq!(replaced(r#""\uDE00\ud83d\uD83D\ude00""#), r#""\ufffd\ufffd\uD83D\ude00""#);
        assert_eq!(replaced(r#""\\ud83d""#), r#""\\ud83d""#);
        assert_eq!(replaced(r#""\\\ud83dA\u00e9""#), r#""\\\ufffdA\u00e9""#);
        assert_eq!(replaced(r"\"), r"\");
        assert_eq!(replaced(r"\ud8"), r"\ud8");
        check_bytes(
            b"{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":[\"a\xff\",\"\\ud83d\"]}",
            expect![[r#"request {"jsonrpc":"2.0","method":"m","params":["a�","�"]}"#]],
        );
    }
}
