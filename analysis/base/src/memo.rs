//! What a check finds out once, and asks for many times.

use std::cell::{RefCell, RefMut};
use std::hash::Hash;

use rustc_hash::FxHashMap;

/// Answers by what they are about, while a chunk is checked.
#[derive(Debug)]
pub struct Memo<K, V>(RefCell<FxHashMap<K, V>>);

impl<K, V> Default for Memo<K, V> {
    fn default() -> Self {
        Memo(RefCell::default())
    }
}

impl<K: Hash + Eq, V: Clone> Memo<K, V> {
    /// The answer.
    pub fn get_or(&self, key: K, find: impl FnOnce() -> V) -> V {
        let known = self.known().get(&key).cloned();
        known.unwrap_or_else(|| {
            let found = find();
            self.known().insert(key, found.clone());
            found
        })
    }

    /// All answers, for what finds out several at once.
    pub fn known(&self) -> RefMut<'_, FxHashMap<K, V>> {
        self.0.borrow_mut()
    }
}

#[cfg(test)]
mod tests {
    use super::Memo;

    #[test]
    fn an_answer_is_found_out_once() {
        let memo = Memo::default();
        assert_eq!(memo.get_or(1, || "a"), "a");
        assert_eq!(memo.get_or(1, || "b"), "a");
        assert_eq!(memo.get_or(2, || "b"), "b");
    }
}
