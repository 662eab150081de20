//! Features of a Vulkan device that make modules valid which are not valid without: layouts of blocks, and maintenance features.

/// One feature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeviceFeature {
    /// As on the command line and in the project file.
    pub name: &'static str,
    /// The member of a Vulkan structure that enables it, or its extension.
    pub vulkan: &'static str,
    bit: u8,
}

macro_rules! features {
    ($($(#[$doc:meta])* $constant:ident $bit:literal $name:literal $vulkan:literal)*) => {
        impl DeviceFeature {
            $($(#[$doc])* pub const $constant: DeviceFeature =
                DeviceFeature { name: $name, vulkan: $vulkan, bit: 1 << $bit };)*

            /// All of them.
            pub const ALL: &'static [DeviceFeature] = &[$(DeviceFeature::$constant),*];
        }
    };
}

features! {
    /// Vectors in blocks are aligned to their components; part of Vulkan 1.1.
    RELAXED_BLOCK_LAYOUT 0 "relaxed-block-layout" "VK_KHR_relaxed_block_layout"
    /// Uniform blocks follow the rules of storage buffers.
    UNIFORM_BUFFER_STANDARD_LAYOUT 1 "uniform-buffer-standard-layout" "uniformBufferStandardLayout"
    /// Members of blocks are aligned to their scalars.
    SCALAR_BLOCK_LAYOUT 2 "scalar-block-layout" "scalarBlockLayout"
    /// The same for blocks in workgroup memory.
    WORKGROUP_SCALAR_BLOCK_LAYOUT 3 "workgroup-scalar-block-layout" "workgroupMemoryExplicitLayoutScalarBlockLayout"
    /// The execution mode LocalSizeId; part of Vulkan 1.3.
    MAINTENANCE4 4 "maintenance4" "maintenance4"
    /// The image operand Offset outside of gather instructions.
    MAINTENANCE8 5 "maintenance8" "maintenance8"
    /// Bit instructions of other widths than 32.
    MAINTENANCE9 6 "maintenance9" "maintenance9"
}

impl DeviceFeature {
    /// The feature of a name: its own or Vulkan's, whatever its case and its hyphens.
    pub fn from_name(name: &str) -> Option<DeviceFeature> {
        let plain = |name: &str| -> String {
            name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
        };
        let wanted = plain(name);
        Self::ALL.iter().find(|f| plain(f.name) == wanted || plain(f.vulkan) == wanted).copied()
    }

    /// The names of all.
    pub fn names() -> impl Iterator<Item = &'static str> + Clone {
        Self::ALL.iter().map(|feature| feature.name)
    }
}

/// Some features.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DeviceFeatures(u8);

impl DeviceFeatures {
    /// Those that are named; names that are not known are left out.
    pub fn named<'n>(names: impl IntoIterator<Item = &'n String>) -> DeviceFeatures {
        let features = names.into_iter().filter_map(|name| DeviceFeature::from_name(name));
        DeviceFeatures(features.fold(0, |all, feature| all | feature.bit))
    }

    /// Whether it is one of them.
    pub fn has(self, feature: DeviceFeature) -> bool {
        self.0 & feature.bit != 0
    }

    /// These and one more.
    #[must_use]
    pub fn with(self, feature: DeviceFeature) -> DeviceFeatures {
        DeviceFeatures(self.0 | feature.bit)
    }

    /// Each of them.
    pub fn iter(self) -> impl Iterator<Item = DeviceFeature> {
        DeviceFeature::ALL.iter().copied().filter(move |feature| self.has(*feature))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_are_known_by_both_names() {
        let scalar = Some(DeviceFeature::SCALAR_BLOCK_LAYOUT);
        for name in ["scalar-block-layout", "scalarBlockLayout", "Scalar_Block_Layout"] {
            assert_eq!(DeviceFeature::from_name(name), scalar);
        }
        assert_eq!(
            DeviceFeature::from_name("VK_KHR_relaxed_block_layout").map(|f| f.name),
            Some("relaxed-block-layout")
        );
        assert_eq!(DeviceFeature::from_name("scalar"), None);
        let some = DeviceFeatures::named(&["maintenance4".to_owned(), "unknown".to_owned()]);
        assert_eq!(some.iter().map(|f| f.name).collect::<Vec<_>>(), ["maintenance4"]);
    }
}
