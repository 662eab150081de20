#![no_main]
//! Any text of any dialect: its tree is lossless, and checking it ends with findings that lie in it.

use libfuzzer_sys::fuzz_target;
use wavelens_fuzz::Input;
use wavelens_tests::properties;

fuzz_target!(|data: &[u8]| {
    let Some(Input { dialect, text, .. }) = Input::read(data) else { return };
    properties::lossless(dialect, &text);
    properties::check(dialect, &text);
});
