//! What a compiler says of SPIR-V by number, by name.

use wavelens_codegen::{Failure, Input, Message, Request};
use wavelens_syntax::spirv::tables::Op;

/// The version whose instructions every release of the translator knows.
const OLDEST: u32 = 0x0001_0000;

/// A refusal with names of instructions in place of their numbers, or of none.
pub fn named(failure: Failure, request: &Request) -> Failure {
    match (failure, &request.input) {
        (Failure::Rejected(messages), Input::Words(words)) => {
            let named = |m: Message| Message { text: with_names(&m.text, words), ..m };
            Failure::Rejected(messages.into_iter().map(named).collect())
        }
        (other, _) => other,
    }
}

fn with_names(text: &str, words: &[u32]) -> String {
    const UNIMPLEMENTED: &str = "Unimplemented opcode ";
    if let Some((before, rest)) = text.split_once(UNIMPLEMENTED) {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let (number, after) = rest.split_at(digits);
        return match number.parse() {
            Ok(number) => format!("{before}{} is not implemented{after}", Op(number).name()),
            Err(_) => text.to_owned(),
        };
    }
    let which = match &newer_instructions(words)[..] {
        [] => return text.to_owned(),
        [one] => (*one).to_owned(),
        several => format!("one of {}", several.join(", ")),
    };
    text.replace("Not implemented", &format!("{which} is not implemented"))
}

/// The instructions of a module that the first version of SPIR-V did not have, each once.
fn newer_instructions(words: &[u32]) -> Vec<&'static str> {
    let mut found = Vec::new();
    let mut rest = words.get(5..).unwrap_or(&[]);
    while let Some(first) = rest.first() {
        let info = Op(*first as u16).info().filter(|info| info.first_version > OLDEST);
        if let Some(name) = info.map(|info| info.name).filter(|name| !found.contains(name)) {
            found.push(name);
        }
        rest = rest.get((*first >> 16).max(1) as usize..).unwrap_or(&[]);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opcodes_have_names() {
        let module = [0x0723_0203, 0x0001_0400, 0, 9, 0, 4 << 16 | 321, 1, 2, 3, 1 << 16];
        assert_eq!(
            with_names("15: Unimplemented opcode 68; sorry", &[]),
            "15: OpArrayLength is not implemented; sorry"
        );
        assert_eq!(
            with_names("15: Not implemented; sorry", &module),
            "15: OpSizeOf is not implemented; sorry"
        );
        assert_eq!(with_names("Not implemented", &[]), "Not implemented");
    }
}
