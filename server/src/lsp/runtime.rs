//! Tasks, time and threads: those of the system, or the one thread of a browser.

pub(super) use surroundings::{Tasks, blocking, sleep, thread, timeout};

#[cfg(not(target_family = "wasm"))]
mod surroundings {
    use std::future::Future;
    use std::time::Duration;

    /// Starts tasks, from any thread.
    #[derive(Clone)]
    pub(in crate::lsp) struct Tasks(tokio::runtime::Handle);

    impl Tasks {
        /// Must be called within a tokio runtime.
        pub(in crate::lsp) fn current() -> Tasks {
            Tasks(tokio::runtime::Handle::current())
        }

        pub(in crate::lsp) fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
            self.0.spawn(task);
        }

        pub(in crate::lsp) fn spawn_blocking(&self, work: impl FnOnce() + Send + 'static) {
            self.0.spawn_blocking(work);
        }
    }

    pub(in crate::lsp) async fn sleep(pause: Duration) {
        tokio::time::sleep(pause).await;
    }

    /// `None` when the time is over.
    pub(in crate::lsp) async fn timeout<F: Future>(limit: Duration, work: F) -> Option<F::Output> {
        tokio::time::timeout(limit, work).await.ok()
    }

    /// Runs work that may wait on a thread for such work; `None` if it panics.
    pub(in crate::lsp) async fn blocking<R: Send + 'static>(
        work: impl FnOnce() -> R + Send + 'static,
    ) -> Option<R> {
        tokio::task::spawn_blocking(work).await.ok()
    }

    /// Runs work on a thread of its own; false if there is none.
    pub(in crate::lsp) fn thread(name: &str, work: impl FnOnce() + Send + 'static) -> bool {
        std::thread::Builder::new().name(name.to_owned()).spawn(work).is_ok()
    }
}

#[cfg(target_family = "wasm")]
pub(super) use surroundings::{run_tasks, wake};

#[cfg(target_family = "wasm")]
mod surroundings {
    use std::cell::RefCell;
    use std::future::Future;
    use std::pin::Pin;
    use std::time::Duration;

    use futures::executor::LocalPool;
    use futures::task::LocalSpawnExt;
    use tokio::sync::oneshot;

    use crate::clock::Instant;

    /// Starts tasks.
    #[derive(Clone)]
    pub(in crate::lsp) struct Tasks;

    impl Tasks {
        pub(in crate::lsp) fn current() -> Tasks {
            Tasks
        }

        pub(in crate::lsp) fn spawn(&self, task: impl Future<Output = ()> + 'static) {
            STARTED.with_borrow_mut(|started| started.push(Box::pin(task)));
        }

        pub(in crate::lsp) fn spawn_blocking(&self, work: impl FnOnce() + 'static) {
            work();
        }
    }

    type Task = Pin<Box<dyn Future<Output = ()>>>;

    thread_local! {
        /// Tasks that [`run_tasks`] takes up.
        static STARTED: RefCell<Vec<Task>> = const { RefCell::new(Vec::new()) };
        /// Who sleeps, and until when.
        static SLEEPERS: RefCell<Vec<(Instant, oneshot::Sender<()>)>> = const { RefCell::new(Vec::new()) };
    }

    /// Runs tasks, and those that they start, as far as they come.
    pub(in crate::lsp) fn run_tasks(pool: &mut LocalPool) {
        loop {
            let started = STARTED.take();
            let is_last = started.is_empty();
            for task in started {
                // It fails only for a pool that is gone.
                let _ = pool.spawner().spawn_local(task);
            }
            pool.run_until_stalled();
            if is_last && STARTED.with_borrow(Vec::is_empty) {
                return;
            }
        }
    }

    pub(in crate::lsp) async fn sleep(pause: Duration) {
        let (sender, wake) = oneshot::channel();
        SLEEPERS.with_borrow_mut(|sleepers| sleepers.push((Instant::now() + pause, sender)));
        let _ = wake.await;
    }

    /// Wakes those whose time has come. When the next one is to be woken.
    pub(in crate::lsp) fn wake() -> Option<Instant> {
        let now = Instant::now();
        let due = SLEEPERS.with_borrow_mut(|sleepers| {
            sleepers.retain(|(_, sender)| !sender.is_closed());
            sleepers.extract_if(.., |(at, _)| *at <= now).collect::<Vec<_>>()
        });
        due.into_iter().for_each(|(_, sender)| {
            // Nobody waits any more.
            let _ = sender.send(());
        });
        SLEEPERS.with_borrow(|sleepers| sleepers.iter().map(|(at, _)| *at).min())
    }

    /// `None` when the time is over.
    pub(in crate::lsp) async fn timeout<F: Future>(limit: Duration, work: F) -> Option<F::Output> {
        tokio::select! {
            biased;
            done = work => Some(done),
            () = sleep(limit) => None,
        }
    }

    /// Runs work at once.
    pub(in crate::lsp) async fn blocking<R>(work: impl FnOnce() -> R) -> Option<R> {
        Some(work())
    }

    /// Runs work at once.
    pub(in crate::lsp) fn thread(_: &str, work: impl FnOnce()) -> bool {
        work();
        true
    }
}
