//! Selects one mutant of a build that holds many.
//!
//! `MUTANT=N` makes mutant N take effect. `MUTANT_RECORD=FILE` leaves the program as it was and appends the number of each mutant
//! that is reached to a file, once for each process.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

const UNKNOWN: u32 = u32::MAX;
const RECORDING: u32 = u32::MAX - 1;
const NONE: u32 = u32::MAX - 2;

static ACTIVE: AtomicU32 = AtomicU32::new(UNKNOWN);
static REACHED: [AtomicU64; 1024] = [const { AtomicU64::new(0) }; 1024];
static RECORD: OnceLock<File> = OnceLock::new();

/// Whether this mutant takes effect.
#[inline]
pub fn on(number: u32) -> bool {
    let active = ACTIVE.load(Ordering::Relaxed);
    active == number || active >= RECORDING && prepare(number)
}

#[cold]
fn prepare(number: u32) -> bool {
    let mut active = ACTIVE.load(Ordering::Relaxed);
    if active == UNKNOWN {
        active = read();
        ACTIVE.store(active, Ordering::Relaxed);
    }
    if active == RECORDING {
        record(number);
    }
    active == number
}

fn read() -> u32 {
    if let Some(path) = std::env::var_os("MUTANT_RECORD") {
        let file =
            OpenOptions::new().create(true).append(true).open(path).expect("the record can be written");
        RECORD.get_or_init(|| file);
        return RECORDING;
    }
    std::env::var("MUTANT").ok().and_then(|number| number.parse().ok()).unwrap_or(NONE)
}

fn record(number: u32) {
    let bit = 1 << (number % 64);
    let is_known = REACHED[number as usize / 64].fetch_or(bit, Ordering::Relaxed) & bit != 0;
    if let (false, Some(mut file)) = (is_known, RECORD.get()) {
        // One write, so that lines of other processes do not come between.
        let _ = file.write_all(format!("{number}\n").as_bytes());
    }
}

/// Two iterators, where a function has to return one type.
#[derive(Clone)]
pub enum Either<A, B> {
    /// What a mutant returns.
    Left(A),
    /// What the function returns.
    Right(B),
}

impl<A: Iterator, B: Iterator<Item = A::Item>> Iterator for Either<A, B> {
    type Item = A::Item;

    fn next(&mut self) -> Option<A::Item> {
        match self {
            Either::Left(left) => left.next(),
            Either::Right(right) => right.next(),
        }
    }
}

impl<A: DoubleEndedIterator, B: DoubleEndedIterator<Item = A::Item>> DoubleEndedIterator for Either<A, B> {
    fn next_back(&mut self) -> Option<A::Item> {
        match self {
            Either::Left(left) => left.next_back(),
            Either::Right(right) => right.next_back(),
        }
    }
}

impl<A: ExactSizeIterator, B: ExactSizeIterator<Item = A::Item>> ExactSizeIterator for Either<A, B> {}
