//! The database as its writer sees it. salsa lets a write wait until every snapshot is gone, however long that takes; here it waits a
//! moment, and then leaves the database to those who hold one.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use salsa::Database as _;
use wavelens_ide::Database;

pub(super) struct Store {
    db: Database,
    helper: Option<Helper>,
}

impl Default for Store {
    fn default() -> Self {
        Store { db: Database::default(), helper: Helper::start() }
    }
}

impl Store {
    pub(super) fn db(&self) -> &Database {
        &self.db
    }

    /// For writes. Waits for snapshots without end: [`Store::claim`] comes first.
    pub(super) fn db_mut(&mut self) -> &mut Database {
        &mut self.db
    }

    /// Cancels all work on snapshots and waits for it. False after a timeout: then the database is new and empty.
    pub(super) fn claim(&mut self, patience: Duration) -> bool {
        // Without a helper the next write waits.
        let Some(helper) = &self.helper else { return true };
        let db = std::mem::take(&mut self.db);
        if let Err(unsent) = helper.claim.send(db) {
            self.db = unsent.0;
            return true;
        }
        match helper.claimed.recv_timeout(patience) {
            Ok(db) => {
                self.db = db;
                true
            }
            Err(_) => {
                self.helper = Helper::start();
                false
            }
        }
    }

    /// Begins with an empty database. Nothing waits for those who hold the old one.
    pub(super) fn renew(&mut self) {
        self.db = Database::default();
    }
}

/// A thread that waits in the place of the writer. It ends, and with it the database that it waits for, once nobody wants that back.
struct Helper {
    claim: Sender<Database>,
    claimed: Receiver<Database>,
}

impl Helper {
    fn start() -> Option<Helper> {
        let (claim, wanted) = channel::<Database>();
        let (give, claimed) = channel();
        let wait = move || {
            for mut db in wanted {
                db.trigger_cancellation();
                if give.send(db).is_err() {
                    return;
                }
            }
        };
        std::thread::Builder::new().name("claim".to_owned()).spawn(wait).ok()?;
        Some(Helper { claim, claimed })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    #[test]
    fn a_database_whose_snapshots_stay_is_left_to_them() {
        let mut store = Store::default();
        assert!(store.claim(Duration::from_secs(60)));
        let (started, starts) = channel();
        let (release, released) = channel::<()>();
        let snapshot = store.db().clone();
        let reader = std::thread::spawn(move || {
            let _ = started.send(());
            let _ = released.recv();
            drop(snapshot);
        });
        starts.recv().expect("the reader starts");
        assert!(!store.claim(Duration::from_millis(10)));
        assert!(store.claim(Duration::from_secs(60)), "the new one has no readers");
        drop(release);
        reader.join().expect("no panic");
    }

    #[test]
    fn work_that_looks_for_cancellation_is_waited_for() {
        let mut store = Store::default();
        let snapshot = store.db().clone();
        let reader = std::thread::spawn(move || {
            wavelens_ide::Cancelled::catch(std::panic::AssertUnwindSafe(|| {
                loop {
                    snapshot.unwind_if_revision_cancelled();
                    std::thread::yield_now();
                }
            }))
        });
        assert!(store.claim(Duration::from_secs(60)));
        let ended: Result<(), _> = reader.join().expect("no other panic");
        assert!(ended.is_err());
    }
}
