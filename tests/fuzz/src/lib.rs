//! How the fuzz targets read their bytes.

use wavelens_analysis::Dialect;

/// The first byte names the dialect, the second seeds random choices, the rest is the text.
pub struct Input {
    pub dialect: Dialect,
    pub seed: u64,
    pub text: String,
}

impl Input {
    /// None when there are not even the first two bytes.
    pub fn read(data: &[u8]) -> Option<Input> {
        let [dialect, seed, text @ ..] = data else { return None };
        let dialect = Dialect::ALL[usize::from(*dialect) % Dialect::ALL.len()];
        Some(Input { dialect, seed: u64::from(*seed), text: String::from_utf8_lossy(text).into_owned() })
    }
}
