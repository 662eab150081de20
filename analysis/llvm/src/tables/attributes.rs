//! The attributes of LLVM IR that have a name of their own: what value each takes and where it applies.

use super::attribute_data::ATTRIBUTES;

/// What follows an attribute's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Nothing.
    Enum,
    /// A number or a syntax of its own that is kept as one: `align 8`, `memory(read)`.
    Int,
    /// A type: `byval(i32)`.
    Type,
    /// A constant range: `range(i8 0, 4)`.
    Range,
    /// Constant ranges: `initializes((0, 4))`.
    RangeList,
}

/// An attribute of LLVM's `Attributes.td`.
#[derive(Debug, PartialEq, Eq)]
pub struct Attribute {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    /// On functions and calls.
    pub function: bool,
    /// Whether parameters can have it.
    pub parameter: bool,
    /// Whether results can have it.
    pub result: bool,
}

impl Attribute {
    pub(crate) fn find(name: &str) -> Option<&'static Attribute> {
        let known = ATTRIBUTES.binary_search_by(|a| a.name.cmp(name)).ok().and_then(|i| ATTRIBUTES.get(i));
        known.or_else(|| NEWER.iter().find(|attribute| attribute.name == name))
    }

    /// Sorted by name.
    pub fn all() -> &'static [Attribute] {
        ATTRIBUTES
    }
}

/// Attributes that LLVM 23 added, as LLVM 24's parser takes them.
static NEWER: &[Attribute] = &[
    Attribute { name: "denormal_fpenv", kind: Kind::Int, function: true, parameter: false, result: false },
    Attribute { name: "flatten", kind: Kind::Enum, function: true, parameter: false, result: false },
    Attribute { name: "nofreeobj", kind: Kind::Enum, function: false, parameter: true, result: true },
    Attribute { name: "noipa", kind: Kind::Enum, function: true, parameter: false, result: false },
    Attribute { name: "nooutline", kind: Kind::Enum, function: true, parameter: false, result: false },
    Attribute { name: "prefalign", kind: Kind::Int, function: true, parameter: false, result: false },
];

/// Words that LLVM still reads as attributes and replaces by newer ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Legacy {
    /// The former word.
    pub name: &'static str,
    /// What replaces it.
    pub now: &'static str,
    pub(crate) function: bool,
    pub(crate) parameter: bool,
}

/// Words that older versions of LLVM had.
pub static LEGACY: &[Legacy] = &[
    Legacy { name: "argmemonly", now: "memory(argmem: readwrite)", function: true, parameter: false },
    Legacy {
        name: "inaccessiblemem_or_argmemonly",
        now: "memory(argmem: readwrite, inaccessiblemem: readwrite)",
        function: true,
        parameter: false,
    },
    Legacy {
        name: "inaccessiblememonly",
        now: "memory(inaccessiblemem: readwrite)",
        function: true,
        parameter: false,
    },
    Legacy { name: "nocapture", now: "captures(none)", function: false, parameter: true },
    Legacy { name: "readnone", now: "memory(none)", function: true, parameter: false },
    Legacy { name: "readonly", now: "memory(read)", function: true, parameter: false },
    Legacy { name: "writeonly", now: "memory(write)", function: true, parameter: false },
];

/// String attributes whose value must be `""`, `"true"` or `"false"`.
pub(crate) static BOOLEAN_STRINGS: &[&str] = &[
    "allow_direct_access_in_hot_patch_function",
    "less-precise-fpmad",
    "loader-replaceable",
    "marked_for_windows_hot_patching",
    "no-infs-fp-math",
    "no-inline-line-tables",
    "no-jump-tables",
    "no-nans-fp-math",
    "no-signed-zeros-fp-math",
    "profile-sample-accurate",
    "use-sample-profile",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_by_name() {
        assert!(
            Attribute::find("nounwind").is_some_and(|a| a.function && !a.parameter && a.kind == Kind::Enum)
        );
        assert!(Attribute::find("byval").is_some_and(|a| a.parameter && a.kind == Kind::Type));
        assert!(Attribute::find("nope").is_none());
        assert!(Attribute::all().is_sorted_by_key(|a| a.name));
    }
}
