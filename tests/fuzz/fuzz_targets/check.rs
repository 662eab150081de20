#![no_main]
//! Any text of any dialect: its tree is lossless, and checking it ends with findings inside it.

use libfuzzer_sys::fuzz_target;
use wavelens_tests::fuzzing::Input;

fuzz_target!(|data: &[u8]| {
    if let Some(input) = Input::read(data) {
        input.check();
    }
});
