//! Signature help.

use wavelens_base::TextSize;
use wavelens_syntax::visible;

use super::ask;
use crate::answers::Signature;
use crate::db::View;
use crate::markdown;

/// The signature of the call or instruction around an offset of the file.
pub fn signature(view: View<'_>, offset: TextSize) -> Option<Signature> {
    let (index, _, at) = view.chunk_at(offset)?;
    let own = ask!(view, index, signature::signature(at)).flatten()?;
    // Escapes of one character do not depend on the others: a start of the label stays one.
    let moved = |offset: usize| own.label.get(..offset).map_or(offset, |start| visible::line(start).len());
    Some(Signature {
        parameters: own.parameters.iter().map(|range| moved(range.start)..moved(range.end)).collect(),
        label: visible::line(&own.label).into_owned(),
        documentation: markdown::safe(&own.documentation),
        ..own
    })
}
