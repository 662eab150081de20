//! Where two versions of a text differ.

use crate::{TextRange, TextSize};

/// How many bytes two texts have in common at their starts, and how many more at their ends.
pub(crate) fn common_ends(a: &[u8], b: &[u8]) -> (usize, usize) {
    const BLOCK: usize = 256;
    let blocks = a.chunks_exact(BLOCK).zip(b.chunks_exact(BLOCK)).take_while(|(a, b)| a == b).count();
    let front = blocks * BLOCK;
    let same = |(a, b): &(&u8, &u8)| a == b;
    let front = front + a[front..].iter().zip(&b[front..]).take_while(same).count();
    let (a, b) = (&a[front..], &b[front..]);
    let blocks = a.rchunks_exact(BLOCK).zip(b.rchunks_exact(BLOCK)).take_while(|(a, b)| a == b).count();
    let back = blocks * BLOCK;
    let (a, b) = (&a[..a.len() - back], &b[..b.len() - back]);
    (front, back + a.iter().rev().zip(b.iter().rev()).take_while(same).count())
}

/// The end of the line that covers an offset, its line end included.
pub(crate) fn line_end(text: &str, at: usize) -> usize {
    let rest = text.as_bytes().get(at..).unwrap_or_default();
    rest.iter().position(|b| *b == b'\n').map_or(text.len(), |n| at + n + 1)
}

/// The same range where what precedes it has `by` bytes more.
pub(crate) fn moved_range(range: TextRange, by: i64) -> TextRange {
    let moved = |at: TextSize| TextSize::new((i64::from(u32::from(at)) + by) as u32);
    TextRange::new(moved(range.start()), moved(range.end()))
}
