//! What follows from a module alone, found out once for all its functions, by whichever thread asks first.

use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHashMap;

/// Answers by what they are about.
#[derive(Debug)]
pub(crate) struct Memo<K, V>(Mutex<FxHashMap<K, V>>);

impl<K, V> Default for Memo<K, V> {
    fn default() -> Self {
        Memo(Mutex::default())
    }
}

impl<K, V> PartialEq for Memo<K, V> {
    /// What is known follows from the module.
    fn eq(&self, _: &Memo<K, V>) -> bool {
        true
    }
}

impl<K: Hash + Eq, V: Clone> Memo<K, V> {
    /// The answer; without a key it is found out each time. Two threads that ask at once may both find it out.
    pub(crate) fn get_or(&self, key: Option<K>, find: impl FnOnce() -> V) -> V {
        let Some(key) = key else { return find() };
        let known = self.known().get(&key).cloned();
        known.unwrap_or_else(|| {
            let found = find();
            self.known().insert(key, found.clone());
            found
        })
    }

    /// All answers, for what finds out several at once. Other threads wait until it is dropped.
    pub(crate) fn known(&self) -> MutexGuard<'_, FxHashMap<K, V>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::Memo;

    #[test]
    fn an_answer_is_found_out_once() {
        let memo = Memo::default();
        assert_eq!(memo.get_or(Some(1), || "a"), "a");
        assert_eq!(memo.get_or(Some(1), || "b"), "a");
        assert_eq!(memo.get_or(Some(2), || "b"), "b");
        assert_eq!((memo.get_or(None, || "c"), memo.get_or(None, || "d")), ("c", "d"));
    }
}
