#![no_main]
//! Every answer for editors about any text, at the place that the input names.

use libfuzzer_sys::fuzz_target;
use wavelens_tests::fuzzing::Input;

fuzz_target!(|data: &[u8]| {
    if let Some(input) = Input::read(data) {
        input.answers();
    }
});
