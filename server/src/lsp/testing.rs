//! For tests of what the server does about its own bugs: texts that make work hang or panic. Nothing else calls this.

use std::sync::OnceLock;

use ropey::Rope;

/// Work on documents that contain this word does not end and does not look for cancellation.
pub static HANG: OnceLock<&str> = OnceLock::new();
/// The owner of the database panics at an edit after which a document contains this word.
pub static PANIC: OnceLock<&str> = OnceLock::new();

fn contains(rope: &Rope, word: &OnceLock<&str>) -> bool {
    word.get().is_some_and(|word| rope.to_string().contains(word))
}

pub(super) fn hang_if_asked(rope: &Rope) {
    while contains(rope, &HANG) {
        std::thread::sleep(std::time::Duration::from_secs(1));
    }
}

pub(super) fn panic_if_asked(rope: &Rope) {
    assert!(!contains(rope, &PANIC), "a test asked for this");
}
