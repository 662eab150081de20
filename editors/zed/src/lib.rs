//! Starts the server that is on PATH.

use zed_extension_api::{self as zed, LanguageServerId, Result, Worktree};

struct Wavelens;

impl zed::Extension for Wavelens {
    fn new() -> Self {
        Wavelens
    }

    fn language_server_command(&mut self, _: &LanguageServerId, worktree: &Worktree) -> Result<zed::Command> {
        let command = worktree
            .which("wavelens")
            .ok_or("`wavelens` is not on PATH: see https://github.com/wavelens/wavelens")?;
        Ok(zed::Command { command, args: vec!["lsp".to_owned()], env: worktree.shell_env() })
    }
}

zed::register_extension!(Wavelens);
