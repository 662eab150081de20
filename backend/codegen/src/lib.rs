//! Part of Wavelens.
