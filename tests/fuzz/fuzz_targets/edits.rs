#![no_main]
//! Ten edits of any text leave the document equal to one opened with the result.

use libfuzzer_sys::fuzz_target;
use wavelens_tests::fuzzing::Input;

fuzz_target!(|data: &[u8]| {
    if let Some(input) = Input::read(data) {
        input.edits();
    }
});
