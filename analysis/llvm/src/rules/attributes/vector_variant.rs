//! Names of vector variants of a function: `_ZGV<isa><mask><lanes><parameters>_<name>(<redirection>)`.
//!
//! Source: LLVM's `VFABIDemangler`; the vector function ABIs of x86 and AArch64.

/// Why a name is not that of a variant of a function with so many parameters.
pub(super) fn check(name: &str, parameters: usize) -> Result<(), String> {
    let rest = name.strip_prefix("_ZGV").ok_or("it must begin with `_ZGV`")?;
    let is_internal = rest.starts_with("_LLVM_");
    let mut letters = rest.chars();
    let isa = letters.next().ok_or("missing letter of the instruction set")?;
    let rest = if is_internal { &rest["_LLVM_".len()..] } else { letters.as_str() };
    let rest = rest.strip_prefix(['M', 'N']).ok_or("expected `M` or `N` after the instruction set")?;
    let mut rest = match rest.strip_prefix('x') {
        Some(_) if is_internal || !matches!(isa, 's' | 'r') => {
            return Err("`x` lanes exist only for `s` and `r`".into());
        }
        Some(rest) => rest,
        None => match number(rest) {
            Some((lanes, rest)) if lanes > 0 => rest,
            _ => return Err("missing number of lanes".into()),
        },
    };
    let mut count = 0;
    while let Some(after) = parameter(rest)? {
        rest = after;
        count += 1;
    }
    if count != parameters {
        return Err(format!("expected {parameters} parameters, found {count}"));
    }
    let rest =
        rest.strip_prefix('_').ok_or("expected `_` and the name of the function after the parameters")?;
    let (scalar, redirection) = match rest.split_once('(') {
        Some((scalar, rest)) => (scalar, Some(rest.strip_suffix(')').ok_or("missing `)` at the end")?)),
        None => (rest, None),
    };
    match redirection {
        _ if scalar.is_empty() => Err("missing name of the function".into()),
        Some("") => Err("missing name in the parentheses".into()),
        None if is_internal => Err("`_LLVM_` requires a name in parentheses".into()),
        _ => Ok(()),
    }
}

/// What follows the next parameter; `None` if there is none.
fn parameter(text: &str) -> Result<Option<&str>, String> {
    let linear_by_parameter = ["ls", "Rs", "Ls", "Us"].iter().find_map(|word| text.strip_prefix(word));
    let rest = if let Some(rest) = text.strip_prefix(['v', 'u']) {
        rest
    } else if let Some(rest) = linear_by_parameter {
        number(rest).ok_or("missing number of the parameter with the step")?.1
    } else if let Some(rest) = text.strip_prefix(['l', 'R', 'L', 'U']) {
        let step = rest.strip_prefix('n').unwrap_or(rest);
        number(step).map_or(step, |(_, rest)| rest)
    } else {
        return Ok(None);
    };
    match rest.strip_prefix('a') {
        None => Ok(Some(rest)),
        Some(align) => match number(align) {
            Some((align, rest)) if align.is_power_of_two() => Ok(Some(rest)),
            _ => Err("the alignment must be a power of two".into()),
        },
    }
}

fn number(text: &str) -> Option<(u64, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    Some((text[..end].parse().ok()?, &text[end..]))
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn names_of_variants() {
        for right in [
            "_ZGVnN2v_f",
            "_ZGVsMxv_f(g)",
            "_ZGV_LLVM_N4v_f(g)",
            "_ZGVbN4ln16a8_f",
            "_ZGVeN4ls0_f",
            "_ZGVdM8u_f",
        ] {
            assert_eq!(check(right, 1), Ok(()), "{right}");
        }
        for wrong in [
            "",
            "_ZGV",
            "_ZGVn",
            "_ZGVnN",
            "_ZGVnN0v_f",
            "_ZGVnNxv_f",
            "_ZGVnN2_f",
            "_ZGVnN2vv_f",
            "_ZGVnN2v",
            "_ZGVnN2v_",
            "_ZGVnN2v_f(",
            "_ZGVnN2v_f()",
            "_ZGV_LLVM_N4v_f",
            "_ZGVbN4va3_f",
            "_ZGVbN4ls_f",
            "_ZGVbK4v_f",
        ] {
            assert!(check(wrong, 1).is_err(), "{wrong}");
        }
    }
}
