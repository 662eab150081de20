//! The declarations that come with a proposal: the capability and the extension that it needs and the module lacks.

use wavelens_base::TextEdit;
use wavelens_spirv::scope::Scope;
use wavelens_syntax::spirv::tables::{EXTENSIONS, Kind, Op};

use super::Cx;
use super::actions::insertion;

/// Where declarations go; found once, as there are hundreds of proposals.
pub(super) struct Needs<'a> {
    scope: &'a Scope,
    capability: Option<TextEdit>,
    extension: Option<TextEdit>,
}

/// Stands for the name in a declaration.
const NAME: &str = "\0";

impl<'a> Needs<'a> {
    pub(super) fn new(cx: &Cx<'a>) -> Needs<'a> {
        Needs {
            scope: cx.scope,
            capability: insertion(cx, Op::Capability, &format!("OpCapability {NAME}")),
            extension: insertion(cx, Op::Extension, &format!("OpExtension \"{NAME}\"")),
        }
    }

    /// The declarations for what needs one of these capabilities, or one of these extensions before a version.
    pub(super) fn of(&self, capabilities: &[u32], extensions: &[u16], version: u32) -> Vec<TextEdit> {
        let declare = |edit: &Option<TextEdit>, name: &str| {
            let edit = edit.as_ref()?;
            Some(TextEdit { text: edit.text.replace(NAME, name), ..edit.clone() })
        };
        let mut edits = Vec::new();
        if !capabilities.is_empty() && !capabilities.iter().any(|c| self.scope.has_capability(*c)) {
            // Of several alternatives the module's author chooses.
            let [capability] = capabilities else { return edits };
            let known = Kind::Capability.valued(*capability);
            edits.extend(known.and_then(|known| declare(&self.capability, known.name)));
            if let Some(known) = known {
                edits.extend(self.of(&[], known.extensions, known.first_version));
            }
        }
        let has_extension = extensions.iter().any(|e| self.scope.has_extension(*e));
        if self.scope.version < version
            && !has_extension
            && let Some(name) = extensions.first().and_then(|e| EXTENSIONS.get(usize::from(*e)))
        {
            let edit = declare(&self.extension, name);
            edits.extend(edit.filter(|edit| !edits.contains(edit)));
        }
        edits
    }
}
