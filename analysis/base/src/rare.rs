//! Tables that most functions and chunks leave empty.

use std::ops::{Deref, DerefMut};

/// A value that is allocated when it is first written, and reads as an empty one until then.
#[derive(Debug, Clone)]
pub struct Rare<T>(Option<Box<T>>);

/// What a [`Rare`] that was never written reads as.
pub trait Empty: Default + 'static {
    /// The same value as the default.
    fn empty() -> &'static Self;
}

/// Implements [`Empty`] for types whose default cannot be a constant.
#[macro_export]
macro_rules! empty {
    ($($name:ty),+ $(,)?) => {$(
        impl $crate::rare::Empty for $name {
            fn empty() -> &'static Self {
                static EMPTY: std::sync::LazyLock<$name> = std::sync::LazyLock::new(<$name>::default);
                &EMPTY
            }
        }
    )+};
}
pub use empty;

impl<T> Rare<T> {
    /// The value, if one was written.
    pub fn written(&mut self) -> Option<&mut T> {
        self.0.as_deref_mut()
    }
}

impl<T: Empty + PartialEq> From<T> for Rare<T> {
    fn from(value: T) -> Self {
        Rare((value != *T::empty()).then(|| Box::new(value)))
    }
}

impl<T> Default for Rare<T> {
    fn default() -> Self {
        Rare(None)
    }
}

impl<T: Empty> Deref for Rare<T> {
    type Target = T;

    fn deref(&self) -> &T {
        match &self.0 {
            Some(value) => value,
            None => T::empty(),
        }
    }
}

impl<T: Empty> DerefMut for Rare<T> {
    fn deref_mut(&mut self) -> &mut T {
        self.0.get_or_insert_default()
    }
}

impl<T: Empty + PartialEq> PartialEq for Rare<T> {
    fn eq(&self, other: &Self) -> bool {
        // Most were never written.
        matches!((&self.0, &other.0), (None, None)) || **self == **other
    }
}

impl<T: Empty + Eq> Eq for Rare<T> {}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Clone, Default, PartialEq)]
    struct Numbers {
        numbers: Vec<u32>,
    }
    empty!(Numbers);

    #[test]
    fn what_was_never_written_is_empty_and_takes_a_pointer() {
        let mut rare: Rare<Numbers> = Rare::default();
        assert_eq!((rare.numbers.len(), rare.written().is_some()), (0, false));
        assert_eq!(size_of::<Rare<Numbers>>(), size_of::<usize>());
        let empty = rare.clone();
        rare.numbers.push(7);
        assert_ne!(rare, empty);
        rare.numbers.pop();
        assert_eq!(rare, empty);
        assert!(Rare::from(Numbers::default()).written().is_none());
        assert_eq!(Rare::from(Numbers { numbers: vec![7] }).numbers, [7]);
    }
}
