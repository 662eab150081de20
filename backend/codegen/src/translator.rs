//! Rewrites what older releases of `llvm-spirv` cannot read into what they can, with the same meaning.

mod module;
mod op;
mod replace;
#[cfg(test)]
mod tests;

use self::module::Module;

/// The newest version in a header that every release reads: 1.4.
const VERSION: u32 = 0x0001_0400;

/// Words of the header.
const HEADER: usize = 5;

/// The words of a module, header first.
pub(crate) fn readable(words: &[u32]) -> Vec<u32> {
    let Some((&[magic, version, generator, bound, schema], body)) = words.split_first_chunk::<HEADER>()
    else {
        return words.to_vec();
    };
    let mut module = Module::read(bound, instructions(body));
    for inst in instructions(body) {
        replace::replace(&mut module, inst);
    }
    let header = [magic, version.min(VERSION), generator, module.bound, schema];
    header.into_iter().chain(module.words()).collect()
}

/// The instructions after a header; none is empty.
fn instructions(mut words: &[u32]) -> impl Iterator<Item = &[u32]> {
    std::iter::from_fn(move || {
        let count = (*words.first()? >> 16) as usize;
        let (inst, rest) = words.split_at_checked(count).filter(|_| count > 0)?;
        words = rest;
        Some(inst)
    })
}
