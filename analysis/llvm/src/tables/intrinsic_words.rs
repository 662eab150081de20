//! Signatures of intrinsics for people: overloaded types get letters, and what is asked of them is said once.

use super::Intrinsic;

/// Letters of overloaded types, in the order in which the signature names them.
const LETTERS: [char; 8] = ['T', 'U', 'V', 'W', 'X', 'Y', 'Z', 'S'];

impl Intrinsic {
    /// `T (T, i1)`: the result and the parameters.
    pub fn readable_signature(self) -> String {
        self.words().0
    }

    /// `` `T (T, i1)` where `T` is an integer or a vector of them ``.
    pub fn readable(self) -> String {
        let (signature, kinds) = self.words();
        let kinds: Vec<String> =
            kinds.into_iter().map(|(letter, kind)| format!("`{letter}` is {kind}")).collect();
        match kinds.as_slice() {
            [] => format!("`{signature}`"),
            kinds => format!("`{signature}` where {}", kinds.join(", ")),
        }
    }

    /// The signature, and the letters in it with what they stand for.
    fn words(self) -> (String, Vec<(char, &'static str)>) {
        let text = self.signature_text();
        let pointers: Vec<&str> = text.split("ptr*@").skip(1).filter_map(|rest| rest.get(..1)).collect();
        let mut out = String::new();
        let mut kinds: Vec<(char, &'static str)> = Vec::new();
        let mut order: Vec<&str> = Vec::new();
        let mut letter = |of| {
            let at = order.iter().position(|o| *o == of).unwrap_or_else(|| {
                order.push(of);
                order.len() - 1
            });
            LETTERS.get(at).copied().unwrap_or('T')
        };
        let mut rest = text;
        while !rest.is_empty() {
            let end = rest.find(['(', ')', ',', '>', '}', ' ', '{', '<']).unwrap_or(rest.len());
            let (word, after) = rest.split_at(end);
            match word.split_once('@') {
                Some((_, of)) if pointers.contains(&of) => out.push_str("ptr"),
                Some((kind, of)) => {
                    let name = letter(of);
                    if kind == "like"
                        && let Some((element, tail)) = after.strip_prefix('(').and_then(|a| a.split_once(')'))
                    {
                        let element = element.split('@').next().unwrap_or("");
                        out.push_str(&format!("{element} like {name}"));
                        rest = tail;
                        continue;
                    }
                    let says = match kind {
                        "any" => Some("any type"),
                        "int" => Some("an integer or a vector of them"),
                        "float*" => Some("a floating point number or a vector of them"),
                        "vec" => Some("a vector"),
                        _ => None,
                    };
                    kinds.extend(says.map(|says| (name, says)));
                    out.push_str(&match kind {
                        "extend" => format!("{name} of twice the width"),
                        "truncate" => format!("{name} of half the width"),
                        "like" => format!("like {name}"),
                        "element" => format!("element of {name}"),
                        "bits" => format!("bits of {name}"),
                        "split2" | "split4" => format!("{name} in smaller elements"),
                        _ if kind.starts_with("part") => format!("part of {name}"),
                        _ if kind.starts_with("pointers") => format!("pointers like {name}"),
                        _ => name.to_string(),
                    });
                }
                None if word == "svcount" => out.push_str("target(\"aarch64.svcount\")"),
                None => out.push_str(word),
            }
            let mut after = after.chars();
            match after.next() {
                Some(',') => out.push_str(", "),
                Some('(') if out.contains('(') => out.push_str(" addrspace("),
                Some('(') => out.push_str(" ("),
                Some(c) => out.push(c),
                None => {}
            }
            rest = after.as_str();
        }
        (out, kinds)
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn signatures_read_well() {
        let names = [
            "llvm.trap",
            "llvm.ctlz",
            "llvm.memcpy",
            "llvm.sadd.with.overflow",
            "llvm.masked.gather",
            "llvm.vector.reduce.add",
            "llvm.vp.load",
            "llvm.fptosi.sat",
            "llvm.amdgcn.raw.buffer.load",
            "llvm.amdgcn.make.buffer.rsrc",
            "llvm.experimental.gc.statepoint",
        ];
        let shown =
            names.map(|n| Intrinsic::lookup(n).map_or(String::new(), |i| format!("{n}: {}\n", i.readable())));
        expect![[r#"
            llvm.trap: `void ()`
            llvm.ctlz: `T (T, i1)` where `T` is an integer or a vector of them
            llvm.memcpy: `void (ptr, ptr, T, i1)` where `T` is an integer or a vector of them
            llvm.sadd.with.overflow: `{T, i1 like T} (T, T)` where `T` is an integer or a vector of them
            llvm.masked.gather: `T (pointers like T, i1 like T, T)` where `T` is a vector
            llvm.vector.reduce.add: `element of T (T)` where `T` is a vector
            llvm.vp.load: `T (ptr, i1 like T, i32)` where `T` is a vector
            llvm.fptosi.sat: `T (U)` where `T` is an integer or a vector of them, `U` is a floating point number or a vector of them
            llvm.amdgcn.raw.buffer.load: `T (<4 x i32>, i32, i32, i32)` where `T` is any type
            llvm.amdgcn.make.buffer.rsrc: `ptr (ptr, i16, i64, i32)`
            llvm.experimental.gc.statepoint: `token (i64, i32, ptr, i32, i32, ...)`
        "#]].assert_eq(&shown.concat());
    }
}
