//! Low-level types.

/// A low-level type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Type {
    /// `s0`
    Token,
    /// Bits.
    Scalar(u32),
    /// Address space.
    Pointer(u32),
    /// `<4 x s32>` or `<vscale x 4 x s32>`.
    Vector {
        /// Whether `lanes` is multiplied by `vscale`.
        scalable: bool,
        /// Number of elements, or their minimum.
        lanes: u16,
        /// Type of each element.
        element: Element,
    },
}

impl Type {
    /// Whether it is a vector, fixed or scalable.
    pub fn is_vector(self) -> bool {
        matches!(self, Type::Vector { .. })
    }

    /// Whether it is a scalable vector.
    pub fn is_scalable(self) -> bool {
        matches!(self, Type::Vector { scalable: true, .. })
    }

    pub(crate) fn is_scalar(self) -> bool {
        matches!(self, Type::Scalar(_))
    }

    pub(crate) fn is_pointer(self) -> bool {
        matches!(self, Type::Pointer(_))
    }

    pub(crate) fn is_pointer_or_pointers(self) -> bool {
        self.element().is_pointer()
    }

    /// Of a vector its element, otherwise itself.
    pub fn element(self) -> Type {
        match self {
            Type::Vector { element: Element::Scalar(bits), .. } => Type::Scalar(bits),
            Type::Vector { element: Element::Pointer(space), .. } => Type::Pointer(space),
            other => other,
        }
    }

    /// Number of lanes and whether they are scalable; 1 for scalars and pointers.
    pub fn lanes(self) -> (u64, bool) {
        match self {
            Type::Vector { scalable, lanes, .. } => (lanes.into(), scalable),
            _ => (1, false),
        }
    }
}

impl std::fmt::Display for Type {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            Type::Token => f.write_str("s0"),
            Type::Scalar(bits) => write!(f, "s{bits}"),
            Type::Pointer(space) => write!(f, "p{space}"),
            Type::Vector { scalable, lanes, .. } => {
                let prefix = if scalable { "vscale x " } else { "" };
                write!(f, "<{prefix}{lanes} x {}>", self.element())
            }
        }
    }
}

/// What a vector holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Element {
    /// Bits.
    Scalar(u32),
    /// Address space.
    Pointer(u32),
}
