//! A bit of everything rustc lowers in its own way: enums, traits, closures, panics, slices, iterators, 128-bit, atomics, async.
use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicU64, Ordering};
pub enum Tree { Leaf(i32), Node(Box<Tree>, Box<Tree>), Text(String) }
pub fn depth(t: &Tree) -> usize { match t { Tree::Leaf(_) => 1, Tree::Node(a, b) => 1 + depth(a).max(depth(b)), Tree::Text(s) => s.len() } }
pub trait Shape { fn area(&self) -> f64; fn name(&self) -> String { "shape".into() } }
pub struct Circle(pub f64);
pub struct Rect { pub w: f32, pub h: f32 }
impl Shape for Circle { fn area(&self) -> f64 { self.0 * self.0 * std::f64::consts::PI } }
impl Shape for Rect { fn area(&self) -> f64 { (self.w * self.h) as f64 } fn name(&self) -> String { format!("{}x{}", self.w, self.h) } }
pub fn total(v: &[Box<dyn Shape>]) -> f64 { v.iter().map(|s| s.area()).sum() }
pub fn count(s: &str) -> HashMap<String, usize> { let mut m = HashMap::new(); for w in s.split_whitespace() { *m.entry(w.to_lowercase()).or_insert(0) += 1; } m }
pub fn sorted(m: &BTreeMap<u32, Vec<u8>>) -> Vec<(u32, u8)> { let mut v: Vec<_> = m.iter().flat_map(|(k, x)| x.iter().map(move |y| (*k, *y))).collect(); v.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0))); v }
pub fn wide(a: u128, b: i128) -> i128 { (a.rotate_left(7) as i128).checked_mul(b).unwrap_or(i128::MIN) % 1_000_007 }
pub fn parse(s: &str) -> Result<i64, Box<dyn std::error::Error>> { let (a, b) = s.split_once(',').ok_or("no comma")?; Ok(a.trim().parse::<i64>()? + b.trim().parse::<i64>()?) }
static N: AtomicU64 = AtomicU64::new(3);
thread_local! { static T: std::cell::RefCell<Vec<i32>> = const { std::cell::RefCell::new(Vec::new()) }; }
pub fn bump(k: u64) -> u64 { T.with(|t| t.borrow_mut().push(k as i32)); N.fetch_add(k, Ordering::AcqRel); N.compare_exchange(1, 2, Ordering::SeqCst, Ordering::Relaxed).unwrap_or_else(|x| x) }
pub async fn chain(a: u32) -> u32 { let x = step(a).await; if x > 3 { step(x).await } else { 0 } }
async fn step(a: u32) -> u32 { a.wrapping_mul(3) }
pub fn drive(a: u32) -> impl std::future::Future<Output = u32> { chain(a) }
pub fn f16s(x: &mut [f32; 16], y: &[f32; 16]) { for (a, b) in x.iter_mut().zip(y) { *a = a.mul_add(*b, 1.0).sqrt(); } }
pub unsafe extern "C" fn ext(p: *const u8, n: usize, cb: extern "C" fn(*const u8) -> i32) -> i32 { (0..n).map(|i| cb(unsafe { p.add(i) })).sum() }
pub fn catch(f: fn() -> i32) -> i32 { std::panic::catch_unwind(f).unwrap_or(-1) }
pub fn chars(s: &str) -> u32 { s.chars().rev().filter(|c| c.is_alphanumeric()).map(|c| c as u32).fold(0, |a, b| a.wrapping_mul(31) ^ b) }
