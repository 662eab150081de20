//! The inputs in `tests/data/inputs`: small texts, chosen because each takes a branch, or a comparison to its limit, that those before it do
//! not, or because a small change of the source changes what is found in it alone.

use wavelens_base::includes::Included;
use wavelens_base::{Dialect, Options};
use wavelens_check::dialect as dialects;
use wavelens_ide::{Database, Document, features};
use wavelens_test_support::texts::Text;

/// What a text is checked with, for a processor or an environment; `-` is what it says itself. Files that it includes are missing.
pub fn options(dialect: Dialect, machine: &str, text: &str) -> Options {
    let names = dialects::included_names(dialect, text).into_iter();
    let includes = names.map(|n| (n.name, Included::Missing)).collect();
    let machine = (machine != "-").then(|| machine.to_owned());
    let (target, target_env) = if dialect == Dialect::Spirv { (None, machine) } else { (machine, None) };
    Options { includes, target, target_env, pedantic: true, ..Options::default() }
}

/// The dialect of files with an extension.
pub fn dialect(extension: &str) -> Dialect {
    Dialect::from_file_name(&format!("a.{extension}")).expect("a dialect's extension")
}

/// The dialect of a text, and what it is checked with.
pub fn settings(text: &Text) -> (Dialect, Options) {
    let dialect = dialect(text.extension);
    (dialect, options(dialect, &text.machine, &text.text))
}

/// A text as an editor has it after a pause.
pub fn open(db: &mut Database, dialect: Dialect, text: &str, options: &Options) -> Document {
    let mut document = Document::new(db, dialect, text, options.clone());
    if dialect == Dialect::Amdgpu {
        document.set_assembled(db, features::check_whole(dialect, text, options).1);
    }
    document
}
