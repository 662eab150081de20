//! Limits on the work of one check, and cancellation.
//!
//! A few characters can ask for more work than any machine can do: `.rept 9223372036854775807`. Every loop whose length
//! the input chooses takes its work from a [`Budget`], which depends on nothing but the input, so that each run reports
//! the same. What exceeds it is reported once, at the outermost construct, under the code `limit`; what depends on the
//! part that was skipped is not reported.

use std::sync::OnceLock;

/// Work that one check may still do. Nested constructs share one budget.
#[derive(Debug, Clone)]
pub struct Budget {
    left: u64,
    until_cancellation_point: u64,
}

/// Units of work between two looks at whether the check is still wanted.
const INTERVAL: u64 = 4096;

impl Budget {
    /// A budget of so many steps.
    pub const fn new(limit: u64) -> Self {
        Budget { left: limit, until_cancellation_point: INTERVAL }
    }

    /// Takes some work. `false` if less than that is left: the budget is exhausted from now on.
    #[must_use]
    pub fn spend(&mut self, work: u64) -> bool {
        match self.until_cancellation_point.checked_sub(work) {
            Some(rest) => self.until_cancellation_point = rest,
            None => {
                self.until_cancellation_point = INTERVAL;
                cancellation_point();
            }
        }
        match self.left.checked_sub(work) {
            Some(left) => self.left = left,
            None => {
                self.left = 0;
                return false;
            }
        }
        true
    }

    /// Steps that can still be spent.
    pub fn left(&self) -> u64 {
        self.left
    }
}

static HOOK: OnceLock<fn()> = OnceLock::new();

/// Sets the function that [`cancellation_point`] calls; the first call counts. It unwinds when the result of the
/// running check is no longer wanted. `wavelens-ide` sets one that asks the database of the running query.
pub fn set_cancellation_hook(hook: fn()) {
    let _ = HOOK.set(hook);
}

/// Gives up the running check if its result is no longer wanted. Loops whose length the input chooses call it now and
/// then; [`Budget::spend`] does.
pub fn cancellation_point() {
    if let Some(hook) = HOOK.get() {
        hook();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exhausted_budget_stays_exhausted() {
        let mut budget = Budget::new(10);
        assert!(budget.spend(10));
        assert!(budget.spend(0));
        let mut budget = Budget::new(10);
        assert!(!budget.spend(11));
        assert!(!budget.spend(1));
        assert_eq!(budget.left(), 0);
    }
}
