//! The library for C (`include/wavelens.h`) and for WebAssembly (`npm/wavelens.js`). Texts are UTF-8 and end with a zero byte, which JSON
//! never contains. WebAssembly needs nothing of its surroundings: the module has no imports.
#![allow(unsafe_code)] // Other languages give and take raw memory.

use std::ffi::{CStr, CString, c_char};
use std::panic::catch_unwind;

use serde_json::json;

#[cfg(target_family = "wasm")]
mod page;

/// An owned text for the caller, who gives it back to [`wavelens_free`].
fn given(text: String) -> *mut c_char {
    // JSON has no zero bytes, and other texts lose what follows one.
    let text = CString::new(text).unwrap_or_else(|error| {
        let end = error.nul_position();
        let mut bytes = error.into_vec();
        bytes.truncate(end);
        CString::new(bytes).unwrap_or_default()
    });
    text.into_raw()
}

/// # Safety
/// `text` is null or the address of bytes that end with a zero byte and stay as they are during `'t`.
unsafe fn taken<'t>(text: *const c_char) -> Result<&'t str, String> {
    if text.is_null() {
        return Err("a text is missing: the pointer is null".to_owned());
    }
    // SAFETY: the caller's promise.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_str().map_err(|_| "a text is not UTF-8".to_owned())
}

/// Calls a function (`check`, `format`, ...) with a JSON object; the answer is `{"value": ...}` or `{"error": "..."}`.
///
/// # Safety
/// Both are null or addresses of texts that end with a zero byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wavelens_call(function: *const c_char, question: *const c_char) -> *mut c_char {
    // SAFETY: the caller's promise.
    let texts = unsafe { taken(function).and_then(|function| Ok((function, taken(question)?))) };
    let answer = texts.and_then(|(function, question)| {
        let answer = catch_unwind(|| wavelens::embedded::call(function, question));
        answer.unwrap_or_else(|_| Err("wavelens hit a bug; please report it with the text".to_owned()))
    });
    let answer = answer.map_or_else(|error| json!({ "error": error }), |value| json!({ "value": value }));
    given(answer.to_string())
}

/// Gives back a text that a function of this library returned.
///
/// # Safety
/// `text` is null, or was returned and not yet given back.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wavelens_free(text: *mut c_char) {
    if !text.is_null() {
        // SAFETY: it comes from `CString::into_raw`.
        drop(unsafe { CString::from_raw(text) });
    }
}

/// The version, such as `1.2.3`. It is not given back.
#[unsafe(no_mangle)]
pub extern "C" fn wavelens_version() -> *const c_char {
    const VERSION: &CStr =
        match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
            Ok(version) => version,
            Err(_) => c"",
        };
    VERSION.as_ptr()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(function: &CStr, question: &CStr) -> String {
        // SAFETY: both are texts with a zero byte, and the answer is given back once.
        unsafe {
            let answer = wavelens_call(function.as_ptr(), question.as_ptr());
            let text = CStr::from_ptr(answer).to_str().expect("UTF-8").to_owned();
            wavelens_free(answer);
            text
        }
    }

    #[test]
    fn an_answer_is_a_value_or_an_error() {
        let answer = call(c"format", c"{\"text\":\"define void @f() {\\nret void\\n}\\n\"}");
        assert_eq!(answer, r#"{"value":{"text":"define void @f() {\n  ret void\n}\n"}}"#);
        assert_eq!(call(c"x", c"{}"), r#"{"error":"unknown function `x`"}"#);
        assert_eq!(call(c"check", c"\xff"), r#"{"error":"a text is not UTF-8"}"#);
    }

    #[test]
    fn null_is_an_error() {
        // SAFETY: null is allowed, and the answer is given back once.
        unsafe {
            let answer = wavelens_call(std::ptr::null(), std::ptr::null());
            assert!(CStr::from_ptr(answer).to_bytes().starts_with(b"{\"error\""));
            wavelens_free(answer);
            wavelens_free(std::ptr::null_mut());
        }
    }
}
