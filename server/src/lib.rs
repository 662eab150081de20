//! The Wavelens language server and command line.
