//! What memory and matrix instructions do, from the parts of their mnemonics.

use super::formula::Description;

/// `dwordx4`, `b96`, `sshort`: how much one lane moves. Empty for words that are not sizes.
fn size(word: &str) -> &'static str {
    match word {
        "dword" | "b32" => "4 bytes",
        "dwordx2" | "b64" => "8 bytes",
        "dwordx3" | "b96" => "12 bytes",
        "dwordx4" | "b128" => "16 bytes",
        "dwordx8" | "b256" => "32 bytes",
        "dwordx16" | "b512" => "64 bytes",
        "ubyte" | "u8" => "one byte, zero-extended",
        "sbyte" | "i8" => "one byte, sign-extended",
        "ushort" | "u16" => "2 bytes, zero-extended",
        "sshort" | "i16" => "2 bytes, sign-extended",
        "byte" | "b8" => "one byte",
        "short" | "b16" => "2 bytes",
        "block" => "a block of registers, selected by `m0`",
        "x" => "one component",
        "xy" => "two components",
        "xyz" => "three components",
        "xyzw" => "four components",
        _ => "",
    }
}

/// What an access moves, from all words after `load` or `store`.
fn moved(words: &[&str]) -> String {
    let what = words.iter().map(|w| size(w)).find(|s| !s.is_empty()).unwrap_or("data");
    let mut text = what.to_owned();
    if words.contains(&"format") {
        text.push_str(" converted by the format");
    }
    if words.contains(&"hi") {
        text.push_str(" in the high half of the register");
    } else if words.contains(&"d16") {
        text.push_str(" in 16-bit halves");
    }
    if words.iter().any(|w| w.starts_with("tr") && w.len() <= 4) {
        text.push_str(", transposed across lanes");
    }
    if words.contains(&"addtid") {
        text.push_str(", at an address that includes the lane's number,");
    }
    text
}

/// What an atomic operation does with the old value.
fn atomic(words: &[&str]) -> Option<(&'static str, &'static str)> {
    let has = |word: &str| words.contains(&word);
    Some(match *words.first()? {
        "swap" | "wrxchg" | "storexchg" => ("Exchanges", "memory = data"),
        "cmpswap" | "fcmpswap" => ("Exchanges if equal", "if memory == compare: memory = data"),
        "cmpst" | "cmpstore" => ("Stores if equal", "if memory == compare: memory = data"),
        "pk" => ("Adds two elements", "memory[i] += data[i]"),
        "sub" if has("clamp") => ("Subtracts, not below 0", "memory = memory >= data ? memory - data : 0"),
        "csub" => ("Subtracts, not below 0", "memory = memory >= data ? memory - data : 0"),
        "cond" => ("Subtracts if not less", "if memory >= data: memory -= data"),
        "ordered" => ("Adds in the order of the waves", "memory += data"),
        "add" => ("Adds", "memory += data"),
        "sub" => ("Subtracts", "memory -= data"),
        "rsub" => ("Subtracts from the data", "memory = data - memory"),
        "inc" => ("Increments up to the data", "memory = memory >= data ? 0 : memory + 1"),
        "dec" => ("Decrements down to 0", "memory = memory == 0 || memory > data ? data : memory - 1"),
        "smin" | "umin" | "fmin" | "min" => ("Minimum", "memory = min(memory, data)"),
        "smax" | "umax" | "fmax" | "max" => ("Maximum", "memory = max(memory, data)"),
        "and" => ("Bitwise and", "memory &= data"),
        "or" => ("Bitwise or", "memory |= data"),
        "xor" => ("Bitwise exclusive or", "memory ^= data"),
        "mskor" => ("Masked or", "memory = (memory & ~mask) | data"),
        "wrap" => ("Wraps", "memory = memory >= data ? memory - data : memory + data2"),
        "condxchg32" => ("Exchanges dwords whose top bit is set", ""),
        _ => return None,
    })
}

/// The type at the end of an atomic, as ` (u32)`.
fn on_type(words: &[&str]) -> String {
    match words.last() {
        Some(&"x2") => " (64 bits)".to_owned(),
        Some(last) if last.len() <= 4 && last.bytes().any(|b| b.is_ascii_digit()) => {
            match last.strip_prefix('b') {
                Some(bits) if bits.bytes().all(|b| b.is_ascii_digit()) => format!(" ({bits} bits)"),
                _ => format!(" ({last})"),
            }
        }
        _ => String::new(),
    }
}

fn atomic_line(words: &[&str], place: &str) -> Option<Description> {
    let (verb, formula) = atomic(words)?;
    let returns = if words.contains(&"rtn") { "; returns the old value" } else { "" };
    Some(Description {
        summary: format!("{verb} atomically in {place}{}{returns}", on_type(words)),
        formula: formula.to_owned(),
    })
}

/// Vector memory, LDS, images and exports.
pub(super) fn memory(mnemonic: &str) -> Option<Description> {
    let words: Vec<&str> = mnemonic.split('_').collect();
    let (space, rest) = words.split_first()?;
    let place = match *space {
        "global" => "global memory",
        "flat" => "memory at a flat address (global, LDS or scratch)",
        "scratch" => "the lane's scratch memory",
        "buffer" => "a buffer",
        "tbuffer" => "a typed buffer",
        "cluster" => "global memory for all workgroups of a cluster",
        "ds" => return lds(rest),
        "image" => return image(rest),
        "lds" => {
            return Description::line(match rest.first()? {
                &"direct" => "Loads a value from LDS at the address in `m0`",
                _ => "Loads an attribute's parameters from LDS",
            });
        }
        "tensor" => {
            return Description::line(match *rest.first()? {
                "load" => "Loads a tile of a tensor into LDS",
                "store" => "Stores a tile of a tensor from LDS",
                "save" => "Saves the state of the tensor unit",
                _ => "Stops the tensor unit",
            });
        }
        "exp" | "export" => {
            return Description::line("Exports up to four values to a target such as a render target");
        }
        _ => return None,
    };
    match *rest.first()? {
        "load" => {
            let to = match () {
                () if rest.contains(&"async") => " into LDS, asynchronously",
                () if rest.contains(&"lds") => " into LDS",
                () if rest.contains(&"monitor") => " and watches the address",
                () => "",
            };
            Description::line(format!("Loads {} from {place}{to}", moved(rest)))
        }
        "store" if rest.contains(&"lds") => {
            Description::line(format!("Stores {} from LDS to {place}", moved(rest)))
        }
        "store" => Description::line(format!("Stores {} to {place}", moved(rest))),
        "atomic" => atomic_line(rest.get(1..)?, place),
        "prefetch" => Description::line(format!("Fetches {place} into the cache")),
        "wb" | "wbl2" => Description::line("Writes back caches up to the scope"),
        "inv" | "invl2" => Description::line("Invalidates caches up to the scope"),
        "wbinv" | "wbinvl1" => Description::line("Writes back and invalidates the vector cache"),
        "gl0" | "gl1" => Description::line(format!("Invalidates the {} cache", rest.first()?.to_uppercase())),
        _ => None,
    }
}

/// LDS and GDS.
fn lds(words: &[&str]) -> Option<Description> {
    let (first, rest) = words.split_first()?;
    let pair = "two values at two offsets";
    let far = ", counted in 64 elements";
    let two = |verb: &str, by: &str| {
        let ty = on_type(words);
        Description::line(format!("{verb} {pair}{by}{}", ty.replace(" on ", ", each ")))
    };
    match *first {
        "read2" => two("Loads", ""),
        "read2st64" => two("Loads", far),
        "write2" => two("Stores", ""),
        "write2st64" => two("Stores", far),
        "wrxchg2" => two("Exchanges", ""),
        "wrxchg2st64" => two("Exchanges", far),
        "load" | "store" | "storexchg" if rest.first() == Some(&"2addr") => {
            let verb = match *first {
                "load" => "Loads",
                "store" => "Stores",
                _ => "Exchanges",
            };
            two(verb, if rest.contains(&"stride64") { far } else { "" })
        }
        "read" | "load" => Description::line(format!("Loads {} from LDS", moved(rest))),
        "write" | "store" => Description::line(format!("Stores {} to LDS", moved(rest))),
        "append" => {
            Description::line("Adds the number of active lanes to a counter in LDS and returns the old value")
        }
        "consume" => Description::line(
            "Subtracts the number of active lanes from a counter in LDS and returns the old value",
        ),
        "permute" => Description::line("Sends a value to the lane whose number times 4 is the address"),
        "bpermute" => Description::line("Reads a value from the lane whose number times 4 is the address"),
        "swizzle" => Description::line("Exchanges values between lanes by the pattern in `offset`"),
        "nop" => Description::line("Does nothing"),
        "ordered" => Description::line("Counts in the order of the waves, in GDS"),
        "gws" => Description::line(match rest.last() {
            Some(&"init") => "Initializes a global wave sync resource",
            Some(&"barrier") => "Waits at a barrier of global wave sync",
            _ => "Changes a semaphore of global wave sync",
        }),
        "direct" => Description::line("Loads a value from LDS at the address in `m0`"),
        "param" => Description::line("Loads an attribute's parameters from LDS"),
        "bvh" => Description::line("Pushes and pops nodes of the traversal stack in LDS"),
        "atomic" => Description::line("Arrives at a barrier object in LDS"),
        "add" | "sub" if rest.first() == Some(&"gs") => {
            Description::line("Changes a geometry register of GDS and returns the old value")
        }
        _ => atomic_line(words, "LDS"),
    }
}

fn image(words: &[&str]) -> Option<Description> {
    let (first, rest) = words.split_first()?;
    if words.contains(&"intersect") {
        return Description::line("Intersects a ray with a node of a bounding volume hierarchy");
    }
    let mut how = Vec::new();
    for (index, word) in rest.iter().enumerate() {
        how.push(match *word {
            "c" => "depth compare",
            "b" => "LOD bias",
            "l" => "given LOD",
            "lz" => "LOD 0",
            "d" => "given derivatives",
            "cd" => "given coarse derivatives",
            "cl" => "LOD clamp",
            "o" => "texel offsets",
            "g16" => "16-bit derivatives",
            "mip" => "given mip level",
            "pck" if rest.get(index + 1) == Some(&"sgn") => "raw texels, sign-extended",
            "pck" => "raw texels",
            _ => continue,
        });
    }
    let how = if how.is_empty() { String::new() } else { format!(" with {}", how.join(", ")) };
    match *first {
        "load" => Description::line(format!("Loads a texel{how}")),
        "store" => Description::line(format!("Stores a texel{how}")),
        "msaa" => Description::line("Loads a sample of a multisampled image"),
        "sample" => Description::line(format!("Samples an image{how}")),
        "gather4" | "gather4h" => Description::line(format!("Gathers one component of four texels{how}")),
        "get" if rest.first() == Some(&"lod") => Description::line("Returns the level of detail of a sample"),
        "get" => Description::line("Returns the size and the number of mip levels of an image"),
        "atomic" => atomic_line(rest, "an image"),
        _ => None,
    }
}

/// `s_load_dwordx4`, `s_buffer_load_b32`, `s_atomic_add`.
pub(super) fn scalar_memory(rest: &str) -> Option<Description> {
    let (place, rest) = match rest.split_once('_') {
        Some(("buffer", rest)) => ("a buffer", rest),
        Some(("scratch", rest)) => ("scratch memory", rest),
        _ => ("memory", rest),
    };
    let words: Vec<&str> = rest.split('_').collect();
    match *words.first()? {
        "load" => Description::line(format!("Loads {} from {place} into scalar registers", moved(&words))),
        "store" => Description::line(format!("Stores {} from scalar registers to {place}", moved(&words))),
        "atomic" => atomic_line(words.get(1..)?, place),
        _ => None,
    }
}

/// Matrix instructions: `mfma_f32_32x32x8_f16`.
pub(super) fn matrix(rest: &str) -> Option<Description> {
    let words: Vec<&str> = rest.split('_').collect();
    let kind = ["mfma", "smfmac", "wmma", "swmmac"].into_iter().find(|k| words.contains(k))?;
    let is_shape = |w: &&&str| w.contains('x') && w.starts_with(|c: char| c.is_ascii_digit());
    let shape = words.iter().find(is_shape)?;
    let digits = |c: char| c.is_ascii_digit() || c == 'x';
    let size = shape.trim_end_matches(|c: char| !digits(c));
    // `32x32x1f32`: the type follows the size.
    let end = shape.find(|c| !digits(c)).unwrap_or(shape.len());
    let (size, glued) = (shape.get(..end).unwrap_or(size), shape.get(end..).unwrap_or(""));
    let mut sizes = size.split('x');
    let (m, n, k) = (sizes.next()?, sizes.next()?, sizes.next()?);
    let result = words.iter().skip_while(|w| **w != kind).skip(1).find(|w| !w.starts_with("scale"));
    let result = result.filter(|w| !is_shape(w)).copied();
    let sources: Vec<&str> = words
        .iter()
        .skip_while(|w| *w != shape)
        .skip(1)
        .copied()
        .chain([glued])
        // `bf16_1k` is the second kind of instructions of `bf16`.
        .filter(|w| !w.is_empty() && *w != "1k")
        .collect();
    let sparse = matches!(kind, "smfmac" | "swmmac");
    let mut summary = format!(
        "{}Multiplies a {m}x{k} matrix by a {k}x{n} matrix and adds, over the lanes of a wave",
        if words.contains(&"scale") { "With block scales: " } else { "" }
    );
    if let Some(result) = result {
        summary.push_str(&format!("; the result is {result}"));
    }
    if !sources.is_empty() {
        summary.push_str(&format!(", the sources are {}", sources.join(" and ")));
    }
    let (c, a) = if sparse { ("D", "sparse A") } else { ("C", "A") };
    Some(Description { summary, formula: format!("D = {a} * B + {c}") })
}
