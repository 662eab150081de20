//! All attributes at one place, those of its groups included.

use super::arena::Tables;
use super::attribute::{self, Attr, AttrKind, AttrValue, Word};
use super::scope::Scope;
use super::types::{Span, TypeId};
use wavelens_base::Place;

/// The attributes of a function, a parameter, a result or a call.
#[derive(Debug, Default)]
pub(crate) struct AttributeSet<'s> {
    kinds: u128,
    entries: Vec<Entry<'s>>,
}

/// One attribute of a set.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry<'s> {
    pub(crate) attr: Attr,
    /// That the attribute's ids point into.
    pub tables: &'s Tables,
    /// The canonical type of its value, if that is one.
    pub ty: TypeId,
    /// Index of what was written in place (of the group, for a group's attribute) in the tables of the place.
    pub index: u32,
    /// The group that it is from.
    pub group: Option<Place>,
}

impl<'s> Entry<'s> {
    /// The key of a string.
    fn key(&self) -> Option<&'s str> {
        match self.attr.value {
            AttrValue::String { key, .. } => Some(self.tables.name(key)),
            _ => None,
        }
    }
}

impl<'s> AttributeSet<'s> {
    /// Gathers what a span of `tables` says; `canonical` is for the types of those tables.
    pub(crate) fn new(
        scope: &'s Scope,
        tables: &'s Tables,
        span: Span,
        canonical: impl Fn(TypeId) -> TypeId,
    ) -> AttributeSet<'s> {
        let mut set = AttributeSet::default();
        let written = (span.start..).zip(tables.attrs(span));
        let is_group = |attr: &Attr| matches!(attr.value, AttrValue::Group(_));
        for (index, attr) in written.clone().filter(|(_, attr)| !is_group(attr)) {
            set.add(*attr, tables, index, None, &canonical);
        }
        // LLVM adds the groups when it has read the module: they replace what is written in place.
        for (index, attr) in written {
            let AttrValue::Group(number) = attr.value else { continue };
            let Some((summary, of, group)) = scope.attr_group(number) else { continue };
            let place = Some(scope.place(summary, group.item));
            for attr in &group.ruled {
                set.add(*attr, &of.tables, index, place, |ty| scope.canonical(summary, ty));
            }
        }
        set
    }

    fn add(
        &mut self,
        attr: Attr,
        tables: &'s Tables,
        index: u32,
        group: Option<Place>,
        canonical: impl Fn(TypeId) -> TypeId,
    ) {
        // The last of those that replace each other counts.
        match Word::of(&attr) {
            Some(Word::Key(key)) => {
                let key = tables.name(key);
                if !attribute::is_ruled(key) {
                    return;
                }
                self.entries.retain(|earlier| earlier.key() != Some(key));
            }
            Some(Word::Kind(kind)) if self.has(kind) => {
                self.entries.retain(|earlier| earlier.attr.kind != kind);
            }
            _ => {}
        }
        self.kinds |= 1 << (attr.kind as u32);
        let ty = match attr.value {
            AttrValue::Type(ty) | AttrValue::Range(ty, _) => canonical(ty),
            _ => TypeId::ERROR,
        };
        self.entries.push(Entry { attr, tables, ty, index, group });
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Entry<'s>> {
        self.entries.iter()
    }

    #[inline]
    pub(crate) fn has(&self, kind: AttrKind) -> bool {
        self.kinds >> (kind as u32) & 1 != 0
    }

    /// The last one of a kind: that is the one that counts.
    pub(crate) fn get(&self, kind: AttrKind) -> Option<&Entry<'s>> {
        if self.has(kind) { self.entries.iter().rev().find(|e| e.attr.kind == kind) } else { None }
    }

    pub(crate) fn int(&self, kind: AttrKind) -> Option<u64> {
        match self.get(kind)?.attr.value {
            AttrValue::Int(value) => Some(value),
            _ => None,
        }
    }

    /// The value of a string attribute; `""` without one.
    pub(crate) fn string(&self, key: &str) -> Option<&'s str> {
        self.string_entry(key).map(|(_, value)| value)
    }

    pub(crate) fn string_entry(&self, wanted: &str) -> Option<(&Entry<'s>, &'s str)> {
        debug_assert!(attribute::is_ruled(wanted), "groups leave {wanted} out");
        if !self.has(AttrKind::String) {
            return None;
        }
        self.strings().find(|(_, key, _)| *key == wanted).map(|(entry, _, value)| (entry, value))
    }

    /// Entry, key and value of each string attribute with a rule; of those with the same key the last.
    pub(crate) fn strings(&self) -> impl Iterator<Item = (&Entry<'s>, &'s str, &'s str)> {
        self.entries.iter().filter_map(|e| match e.attr.value {
            AttrValue::String { key, value } => {
                Some((e, e.tables.name(key), value.map_or("", |v| e.tables.name(v))))
            }
            _ => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::lower::lower;
    use crate::rules::findings;

    /// As LLVM reads it: the groups of one number are not merged.
    #[test]
    fn the_last_group_of_a_number_counts() {
        let text = "define void @f(ptr %p) {\n  call void %p() #0\n  ret void\n}\n";
        let groups = ["attributes #0 = { cold speculatable }\n", "attributes #0 = { cold nounwind }\n"]
            .map(String::from);
        assert!(findings(&format!("{text}{}{}", groups[0], groups[1])).is_empty());
        assert!(!findings(&format!("{text}{}{}", groups[1], groups[0])).is_empty());
    }

    /// As LLVM reads it: an attribute that a later one replaces is not looked at.
    #[test]
    fn the_last_of_attributes_that_replace_each_other_counts() {
        let lists = [
            r#""frame-pointer"="bad" "frame-pointer"="all""#,
            r#""warn-stack-size"="x" "warn-stack-size"="1""#,
            r#""patchable-function-prefix"="x" "patchable-function-prefix"="1""#,
        ];
        for list in lists {
            let texts = |list: &str| {
                [
                    format!("declare void @f() {list}\n"),
                    format!("declare void @f() #0\nattributes #0 = {{ {list} }}\n"),
                ]
            };
            let errors = |text: &str| findings(text).matches("attribute-value").count();
            let reversed: Vec<&str> = list.rsplit(' ').collect();
            for (text, reversed) in texts(list).iter().zip(texts(&reversed.join(" "))) {
                assert_eq!((errors(text), errors(&reversed)), (0, 1), "{text}");
            }
        }
        let text = "declare void @p(i32 range(i64 0, 4) range(i32 0, 8))\n";
        assert!(!findings(text).contains("attribute-type"));
    }

    /// Functions share groups, so a group keeps few of its attributes for them.
    #[test]
    fn a_group_keeps_one_attribute_of_each_rule() {
        let strings: String =
            (0..1000).map(|n| format!("\"a{n}\" \"thunk\" align={} ", 1 << (n % 8))).collect();
        let text = format!("declare void @f() #0\nattributes #0 = {{ {strings}}}\n");
        let summary = lower(&text).summary;
        assert_eq!(summary.cold.attr_groups[0].ruled.len(), 2);
    }
}
