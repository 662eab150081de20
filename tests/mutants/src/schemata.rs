//! A file with many mutants; an environment variable chooses one.

use std::fmt::Write;
use std::ops::Range;

use crate::mutant::Mutant;
use crate::sites::{self, Guard, Shape, Site};

/// A place and the mutants that were drawn for it.
struct Place {
    site: Site,
    mutants: Vec<(u32, String)>,
}

/// The text with the mutants, and those that no place takes: constants, conditions with `let`.
pub(crate) fn write(text: &str, drawn: &[(u32, &Mutant)]) -> syn::Result<(String, Vec<u32>)> {
    let mut left: Vec<(u32, &Mutant)> = drawn.to_vec();
    let mut places = Vec::new();
    for site in sites::find(text)? {
        let is_here = |m: &Mutant| m.start == site.start && m.genre == site.shape.genre();
        let mutants: Vec<(u32, String)> = left
            .extract_if(.., |(_, mutant)| is_here(mutant))
            .map(|(number, mutant)| (number, mutant.replacement.clone()))
            .collect();
        if !mutants.is_empty() {
            places.push(Place { site, mutants });
        }
    }
    // A body of one expression begins and ends with it.
    places.sort_by_key(|place| {
        let region = &place.site.region;
        (region.start, std::cmp::Reverse(region.end), !matches!(place.site.shape, Shape::Body { .. }))
    });
    let written = Writer { text, places: &places }.text(0..text.len(), 0);
    Ok((written, left.into_iter().map(|(number, _)| number).collect()))
}

struct Writer<'a> {
    text: &'a str,
    places: &'a [Place],
}

impl Writer<'_> {
    /// A range in which the places from one on are written anew.
    fn text(&self, range: Range<usize>, from: usize) -> String {
        let (mut out, mut at) = (String::new(), range.start);
        for (index, place) in self.places.iter().enumerate().skip(from) {
            let region = &place.site.region;
            if region.start >= at && region.end <= range.end {
                out += &self.text[at..region.start];
                // Where an error of the compiler belongs is found by these comments.
                let numbers: Vec<String> =
                    place.mutants.iter().map(|(number, _)| number.to_string()).collect();
                _ = write!(out, "/*<{}*/{}/*>*/", numbers.join(","), self.place(place, index + 1));
                at = region.end;
            }
        }
        out + &self.text[at..range.end]
    }

    fn place(&self, place: &Place, next: usize) -> String {
        let region = place.site.region.clone();
        let part = |range: &Range<usize>| self.text(range.clone(), next);
        match &place.site.shape {
            Shape::Body { returns_impl: false } => {
                let mut out = String::new();
                for (number, value) in &place.mutants {
                    _ = write!(out, "if {} {{ return {value}; }} ", on(*number));
                }
                out + &part(&region)
            }
            // All results have one type.
            Shape::Body { returns_impl: true } => {
                place.mutants.iter().fold(format!("{{ {} }}", part(&region)), |body, (number, value)| {
                    let either = "::mutant_switch::Either";
                    format!(
                        "if {} {{ {either}::Left({value}) }} else {{ {either}::Right({body}) }}",
                        on(*number)
                    )
                })
            }
            Shape::Field { field } => {
                let without = part(&(region.start..field.start)) + &part(&(field.end..region.end));
                choice(place, part(&region), |_| without.clone())
            }
            Shape::Binary { left, right } => {
                choice(place, part(&region), |operator| match is_assignment(operator) {
                    true => format!("{} {operator} {}", part(left), part(right)),
                    false => format!("({}) {operator} ({})", part(left), part(right)),
                })
            }
            Shape::Unary { operand } => choice(place, part(&region), |_| part(operand)),
            Shape::Integer { .. } => choice(place, part(&region), str::to_owned),
            Shape::Arm { pattern, guard } => {
                let off = place.mutants.iter().map(|(number, _)| format!("!{}", on(*number)));
                let off = off.collect::<Vec<_>>().join(" && ");
                match guard {
                    Some(guard) => format!("{} if {off} && {}", part(pattern), self.guard(guard, next)),
                    None => format!("{} if {off}", part(pattern)),
                }
            }
            Shape::Guard(guard) => {
                let written = self.guard(guard, next);
                place.mutants.iter().fold(written, |guard, (number, value)| match value.as_str() {
                    "true" => format!("({} || {guard})", on(*number)),
                    _ => format!("!{} && {guard}", on(*number)),
                })
            }
        }
    }

    fn guard(&self, guard: &Guard, next: usize) -> String {
        let condition = self.text(guard.range.clone(), next);
        if guard.has_let { condition } else { format!("({condition})") }
    }
}

fn choice(place: &Place, original: String, replacement: impl Fn(&str) -> String) -> String {
    let mut out = String::from("(");
    for (number, value) in &place.mutants {
        _ = write!(out, "if {} {{ {} }} else ", on(*number), replacement(value));
    }
    out + "{ " + &original + " })"
}

fn is_assignment(operator: &str) -> bool {
    operator.ends_with('=') && !matches!(operator, "==" | "!=" | "<=" | ">=")
}

fn on(number: u32) -> String {
    format!("::mutant_switch::on({number})")
}

/// The mutants at the innermost place around an error in a text that was written here, or else those within it.
pub(crate) fn mutants_at(text: &str, error: Range<usize>) -> Vec<u32> {
    let (mut open, mut within): (Vec<(usize, Vec<u32>)>, Vec<u32>) = (Vec::new(), Vec::new());
    let mut at = 0;
    while let Some(found) = text[at..error.end].find("/*").map(|found| at + found) {
        let comment = &text[found + 2..];
        if comment.starts_with(">*/") && found < error.start {
            open.pop();
        } else if let Some(numbers) = comment.strip_prefix('<')
            && let Some((numbers, _)) = numbers.split_once("*/")
            && let Ok(numbers) = numbers.split(',').map(str::parse).collect::<Result<Vec<u32>, _>>()
        {
            match found <= error.start {
                true => open.push((found, numbers)),
                false => within.extend(numbers),
            }
        }
        at = found + 2;
    }
    let Some((start, numbers)) = open.pop() else {
        return if within.is_empty() { next(text, error.end) } else { within };
    };
    // Of several mutants at the place the one whose code it is.
    let before = &text[start..error.start];
    let last = numbers.iter().copied().max_by_key(|number| before.rfind(&on(*number)));
    match last.filter(|last| before.contains(&on(*last))) {
        Some(last) => vec![last],
        None => numbers,
    }
}

/// The next mutants after an offset: an arm that a match needs is after the error.
fn next(text: &str, offset: usize) -> Vec<u32> {
    let numbers = text[offset..].split_once("/*<").and_then(|(_, rest)| rest.split_once("*/"));
    numbers.and_then(|(numbers, _)| numbers.split(',').map(|n| n.parse().ok()).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text with every mutant of these kinds and replacements.
    fn written(text: &str, replacements: &[(&str, &str)]) -> String {
        let sites = sites::find(text).expect("it parses");
        let mutants: Vec<Mutant> = sites
            .iter()
            .flat_map(|site| {
                let of_site = replacements.iter().filter(|(genre, _)| *genre == site.shape.genre());
                of_site.map(|(genre, replacement)| Mutant {
                    package: String::new(),
                    file: String::new(),
                    name: String::new(),
                    genre: (*genre).to_owned(),
                    replacement: (*replacement).to_owned(),
                    start: site.start,
                })
            })
            .collect();
        let drawn: Vec<(u32, &Mutant)> = (0..).zip(&mutants).collect();
        let (text, left) = write(text, &drawn).expect("it parses");
        assert!(left.is_empty());
        text.replace("::mutant_switch::on", "on")
    }

    #[test]
    fn places_in_one_another() {
        assert_eq!(
            written(
                "fn f() -> bool { a < 8 }",
                &[("FnValue", "true"), ("BinaryOperator", "<="), ("Integer", "9")]
            ),
            "fn f() -> bool { /*<0*/if on(0) { return true; } /*<1*/(if on(1) { (a) <= (/*<2*/(if on(2) { 9 } \
             else { 8 })/*>*/) } else { a < /*<2*/(if on(2) { 9 } else { 8 })/*>*/ })/*>*//*>*/ }"
        );
    }

    #[test]
    fn arms_and_their_conditions() {
        assert_eq!(
            written("fn f() { match x { 1 if c => a(), _ => {} } }", &[("MatchArmGuard", "false")]),
            "fn f() { match x { 1 if /*<0*/!on(0) && (c)/*>*/ => a(), _ => {} } }"
        );
        assert_eq!(
            written("fn f() { match x { 1 => a() } }", &[("MatchArm", "")]),
            "fn f() { match x { /*<0*/1 if !on(0)/*>*/ => a() } }"
        );
    }

    #[test]
    fn constants_and_conditions_with_let_have_no_place() {
        let text = "const N: u32 = 8 + 1;\nfn f() { if let Some(a) = b && c {} let d = [0; 4]; }";
        let kinds: Vec<&str> =
            sites::find(text).expect("it parses").iter().map(|s| s.shape.genre()).collect();
        assert_eq!(kinds, ["FnValue", "Integer"]);
    }

    #[test]
    fn errors_belong_to_the_innermost_place() {
        let text = written("fn f() -> bool { a < 8 }", &[("BinaryOperator", "<="), ("Integer", "9")]);
        let at = |part: &str| text.find(part).map(|start| mutants_at(&text, start..start + 1));
        assert_eq!((at("9 }"), at("<= (")), (Some(vec![1]), Some(vec![0])));
    }
}
