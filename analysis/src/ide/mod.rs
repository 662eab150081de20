//! Answers for editors, in byte offsets.
