//! The `wavelens` program.

fn main() {}
