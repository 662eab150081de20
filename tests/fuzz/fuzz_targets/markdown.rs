#![no_main]
//! Any text in Markdown is shown as it is, and does nothing.

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| wavelens_tests::fuzzing::shown(data));
