//! Files that are read and not open: the client is asked to report their changes.

use std::collections::BTreeSet;

use lsp_types::{Registration, Unregistration};
use serde_json::{Value, json};
use wavelens_base::Dialect;

use super::outbox::Outbox;

const METHOD: &str = "workspace/didChangeWatchedFiles";

/// What the client watches for us.
#[derive(Debug, Default)]
pub(super) struct Watch {
    /// The client lets the server register for changes of files.
    pub(super) is_possible: bool,
    names: BTreeSet<String>,
    /// The workspace's files are watched for the index.
    has_index: bool,
    /// How often the names have changed: tells registrations apart.
    number: u32,
}

impl Watch {
    /// Has files of these names watched, in whatever folder, and no others.
    pub(super) fn set(&mut self, names: BTreeSet<String>, outbox: &Outbox) {
        if !self.is_possible || names == self.names {
            return;
        }
        let id = |number: u32| format!("included-files-{number}");
        let method = METHOD.to_owned();
        let old = (!self.names.is_empty()).then(|| Unregistration { id: id(self.number), method });
        self.names = names;
        self.number += 1;
        let watchers: Vec<_> = self.names.iter().map(|n| json!({ "globPattern": pattern(n) })).collect();
        let new = (!watchers.is_empty()).then(|| Registration {
            id: id(self.number),
            method: METHOD.to_owned(),
            register_options: Some(json!({ "watchers": watchers })),
        });
        outbox.spawn(|client| async move {
            // A client that refuses reports no changes.
            if let Some(new) = new {
                let _ = client.register_capability(vec![new]).await;
            }
            if let Some(old) = old {
                let _ = client.unregister_capability(vec![old]).await;
            }
        });
    }

    /// Has the files watched that the index reads.
    pub(super) fn set_index(&mut self, wanted: bool, outbox: &Outbox) {
        if !self.is_possible || !wanted || std::mem::replace(&mut self.has_index, true) {
            return;
        }
        let registration = Registration {
            id: "index".to_owned(),
            method: METHOD.to_owned(),
            register_options: Some(json!({ "watchers": endings() })),
        };
        // A client that refuses reports no changes.
        outbox.spawn(|client| async move { drop(client.register_capability(vec![registration]).await) });
    }
}

/// Endings of the files that the index reads.
fn endings() -> Value {
    let endings = Dialect::ALL.into_iter().flat_map(|d| d.extensions());
    json!([{ "globPattern": format!("**/*.{{{}}}", endings.copied().collect::<Vec<_>>().join(",")) }])
}

/// A glob for a file's name in any folder.
fn pattern(name: &str) -> String {
    let plain = |c: char| if matches!(c, '*' | '[' | ']' | '{' | '}' | ',' | '!' | '\\') { '?' } else { c };
    format!("**/{}", name.chars().map(plain).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_signs_of_globs_match() {
        assert_eq!(pattern("a.inc"), "**/a.inc");
        assert_eq!(pattern("a[1]{x}.inc"), "**/a?1??x?.inc");
    }
}
