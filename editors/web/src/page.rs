//! What only WebAssembly needs: memory for texts, the message of a panic, and the language server.
//!
//! A panic ends the module, which has no unwinding: whoever runs it reads the message and starts another.

use std::cell::RefCell;
use std::ffi::{CString, c_char};
use std::time::Duration;

use wavelens::lsp::Session;

use super::{given, taken};

/// Memory for a text of so many bytes; zero bytes follow it.
#[unsafe(no_mangle)]
extern "C" fn wavelens_text(size: usize) -> *mut c_char {
    // Spaces, so that the text has this length when it is given back.
    CString::new(vec![b' '; size]).unwrap_or_default().into_raw()
}

thread_local! {
    static PANIC: RefCell<CString> = RefCell::default();
    static SESSION: RefCell<Option<Session>> = const { RefCell::new(None) };
}

/// Must be called once, before everything else.
#[unsafe(no_mangle)]
extern "C" fn wavelens_start() {
    std::panic::set_hook(Box::new(|panic| {
        let message = CString::new(panic.to_string()).unwrap_or_default();
        // A second panic keeps the message of the first.
        PANIC.with(|kept| kept.try_borrow_mut().map(|mut kept| *kept = message).ok());
    }));
}

/// The message of the panic that ended the module; empty without one.
#[unsafe(no_mangle)]
extern "C" fn wavelens_panic() -> *const c_char {
    PANIC.with_borrow(|message| message.as_ptr())
}

fn with_session<R>(work: impl FnOnce(&mut Session) -> R) -> R {
    SESSION.with_borrow_mut(|session| work(session.get_or_insert_default()))
}

/// Gives the language server a message of its client.
///
/// # Safety
/// `message` is the address of a text that ends with a zero byte.
#[unsafe(no_mangle)]
unsafe extern "C" fn wavelens_receive(message: *const c_char) {
    // SAFETY: the caller's promise.
    if let Ok(message) = unsafe { taken(message) } {
        with_session(|session| session.receive(message.as_bytes().to_vec()));
    }
}

/// Lets the language server work. `now`: milliseconds since any moment. The milliseconds after which there is more to do, or -1 when
/// nothing is to do before the next message.
#[unsafe(no_mangle)]
extern "C" fn wavelens_turn(now: f64) -> f64 {
    wavelens::set_now(Duration::from_secs_f64(now.max(0.0) / 1000.0));
    with_session(Session::turn).map_or(-1.0, |pause| pause.as_secs_f64() * 1000.0)
}

/// The next message of the language server for its client, to be given back; null without one.
#[unsafe(no_mangle)]
extern "C" fn wavelens_message() -> *mut c_char {
    with_session(Session::next_message).map_or(std::ptr::null_mut(), given)
}
