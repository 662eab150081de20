//! Many texts, edits and messages. Each run takes a sample; `tests/run --exhaustive` takes all.

mod edits;
mod endurance;
mod generated;
mod ide_answers;
mod incremental;
mod isa_operands;
mod isa_samples;
mod isa_text;
mod rename;
mod soak;
mod vocabulary;
