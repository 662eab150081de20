//! A protocol client that talks with a server in the same process.

use std::ops::{Deref, DerefMut};
use std::path::Path;

use serde_json::{Value, json};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use wavelens_test_support::client;
pub use wavelens_test_support::client::{at, framed};

/// One end of a session.
pub struct Client {
    session: client::Client,
    /// Ends with what [`wavelens::lsp::serve`] says.
    pub server: JoinHandle<bool>,
    /// The process that holds the server: this one, or that of a program.
    pub process: u32,
}

impl Deref for Client {
    type Target = client::Client;

    fn deref(&self) -> &client::Client {
        &self.session
    }
}

impl DerefMut for Client {
    fn deref_mut(&mut self) -> &mut client::Client {
        &mut self.session
    }
}

impl Client {
    /// A server that was initialized with some options and position encodings. Findings are computed without delay.
    pub async fn start(encodings: &[&str], options: Value) -> Client {
        let capabilities = json!({
            "general": { "positionEncodings": encodings },
            "textDocument": { "publishDiagnostics": { "versionSupport": true } },
        });
        Client::start_with(capabilities, options).await
    }

    /// A server that was initialized by a client of some capabilities.
    pub async fn start_with(capabilities: Value, options: Value) -> Client {
        Client::start_in(Value::Null, capabilities, options).await
    }

    /// The same in the folder of a workspace, by its URI.
    pub async fn start_in(root: Value, capabilities: Value, options: Value) -> Client {
        let (to, input) = tokio::io::duplex(1 << 16);
        let (output, from) = tokio::io::duplex(1 << 16);
        let server = tokio::spawn(wavelens::lsp::serve(input, output));
        let mut client =
            Client { session: client::Client::over(to, from), server, process: std::process::id() };
        client.initialize_in(root, capabilities, options).await;
        client
    }

    /// A program's server, as [`Client::start`].
    pub async fn of_program(program: &Path, encodings: &[&str], options: Value) -> Client {
        let (session, mut child) = client::Client::of_process(program).expect("the program starts");
        let process = child.id().unwrap_or_default();
        let server = tokio::spawn(async move { child.wait().await.is_ok_and(|status| status.success()) });
        let mut client = Client { session, server, process };
        client.initialize(json!({ "general": { "positionEncodings": encodings } }), options).await;
        client
    }

    /// Shuts down and exits, leaving the pipe open; what the server says about it.
    pub async fn stop(mut self) -> bool {
        self.shut_down().await;
        timeout(client::PATIENCE, self.server).await.expect("the server ends").expect("without a panic")
    }
}
