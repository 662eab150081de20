//! Signature help.

use wavelens_semantics::TextSize;

use super::ask;
use crate::answers::Signature;
use crate::db::View;

/// The signature of the call or instruction around an offset of the file.
pub fn signature(view: View<'_>, offset: TextSize) -> Option<Signature> {
    let (index, _, at) = view.chunk_at(offset)?;
    ask!(view, index, signature::signature(at)).flatten()
}
