//! Tables that most functions and chunks leave empty.

use std::ops::{Deref, DerefMut};

/// A value that is allocated when it is first written, and reads as an empty one until then.
#[derive(Debug, Clone)]
pub struct LazyBox<T>(Option<Box<T>>);

/// What a [`LazyBox`] that was never written reads as.
pub trait Empty: Default + 'static {
    /// The same value as the default.
    fn empty() -> &'static Self;
}

/// Implements [`Empty`] for types whose default cannot be a constant.
#[macro_export]
macro_rules! empty {
    ($($name:ty),+ $(,)?) => {$(
        impl $crate::lazy_box::Empty for $name {
            fn empty() -> &'static Self {
                static EMPTY: std::sync::LazyLock<$name> = std::sync::LazyLock::new(<$name>::default);
                &EMPTY
            }
        }
    )+};
}
pub use empty;

impl<T> LazyBox<T> {
    /// The value, if one was written.
    pub fn written(&mut self) -> Option<&mut T> {
        self.0.as_deref_mut()
    }
}

impl<T: Empty + PartialEq> From<T> for LazyBox<T> {
    fn from(value: T) -> Self {
        LazyBox((value != *T::empty()).then(|| Box::new(value)))
    }
}

impl<T> Default for LazyBox<T> {
    fn default() -> Self {
        LazyBox(None)
    }
}

impl<T: Empty> Deref for LazyBox<T> {
    type Target = T;

    fn deref(&self) -> &T {
        match &self.0 {
            Some(value) => value,
            None => T::empty(),
        }
    }
}

impl<T: Empty> DerefMut for LazyBox<T> {
    fn deref_mut(&mut self) -> &mut T {
        self.0.get_or_insert_default()
    }
}

impl<T: Empty + PartialEq> PartialEq for LazyBox<T> {
    fn eq(&self, other: &Self) -> bool {
        // Most were never written.
        matches!((&self.0, &other.0), (None, None)) || **self == **other
    }
}

impl<T: Empty + Eq> Eq for LazyBox<T> {}

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
        let mut cold: LazyBox<Numbers> = LazyBox::default();
        assert_eq!((cold.numbers.len(), cold.written().is_some()), (0, false));
        assert_eq!(size_of::<LazyBox<Numbers>>(), size_of::<usize>());
        let empty = cold.clone();
        cold.numbers.push(7);
        assert_ne!(cold, empty);
        cold.numbers.pop();
        assert_eq!(cold, empty);
        assert!(LazyBox::from(Numbers::default()).written().is_none());
        assert_eq!(LazyBox::from(Numbers { numbers: vec![7] }).numbers, [7]);
    }
}
