//! Conditions of `REQUIRES:`, `UNSUPPORTED:`, `XFAIL:` and `%if`: features with `!`, `&&`, `||` and parentheses.

/// Whether a condition holds.
///
/// # Errors
/// When it is not one.
pub(super) fn is_met(condition: &str, features: &[&str]) -> Result<bool, String> {
    let mut reader = Reader { condition, rest: condition.trim(), features, depth: 0 };
    let met = reader.any()?;
    match reader.rest.is_empty() {
        true => Ok(met),
        false => Err(format!("unexpected `{}` in `{condition}`", reader.rest)),
    }
}

/// Parentheses inside each other, and `!` in a row.
const MAX_DEPTH: u32 = 100;

struct Reader<'r> {
    condition: &'r str,
    rest: &'r str,
    features: &'r [&'r str],
    depth: u32,
}

impl Reader<'_> {
    fn take(&mut self, text: &str) -> bool {
        match self.rest.strip_prefix(text) {
            Some(rest) => {
                self.rest = rest.trim_start();
                true
            }
            None => false,
        }
    }

    fn any(&mut self) -> Result<bool, String> {
        let mut met = self.all()?;
        while self.take("||") {
            met |= self.all()?;
        }
        Ok(met)
    }

    fn all(&mut self) -> Result<bool, String> {
        let mut met = self.not()?;
        while self.take("&&") {
            met &= self.not()?;
        }
        Ok(met)
    }

    fn not(&mut self) -> Result<bool, String> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err("the condition is nested too deeply".to_owned());
        }
        let met = if self.take("!") {
            !self.not()?
        } else if self.take("(") {
            let met = self.any()?;
            if !self.take(")") {
                return Err(format!("expected `)` in `{}`", self.condition));
            }
            met
        } else {
            self.feature()?
        };
        self.depth -= 1;
        Ok(met)
    }

    fn feature(&mut self) -> Result<bool, String> {
        if self.take("*") {
            return Ok(true);
        }
        let mut end = 0;
        let mut has_pattern = false;
        while let Some(c) = self.rest.get(end..).and_then(|rest| rest.chars().next()) {
            let rest = self.rest.get(end..).unwrap_or("");
            if rest.starts_with("{{") {
                has_pattern = true;
                end += rest.find("}}").map_or(rest.len(), |at| at + 2);
            } else if c.is_ascii_alphanumeric() || "-+=._".contains(c) {
                end += 1;
            } else {
                break;
            }
        }
        let (name, rest) = self.rest.split_at(end);
        if name.is_empty() {
            return Err(format!("expected a feature in `{}`", self.condition));
        }
        self.rest = rest.trim_start();
        // Patterns describe targets that are not known here.
        Ok(!has_pattern && (name == "true" || self.features.contains(&name)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_hold_for_some_features() {
        let met = |condition: &str| is_met(condition, &["asserts", "amdgpu-registered-target", "x+y_1.0="]);
        for holds in [
            "asserts",
            " asserts ",
            "true",
            "*",
            "!x86",
            "!!asserts",
            "x86 || asserts",
            "asserts || x86 && x86",
            "(x86 || asserts) && asserts",
            "!(x86 || windows) && x+y_1.0=",
            "!{{.*}}-windows",
        ] {
            assert_eq!(met(holds), Ok(true), "{holds}");
        }
        for does_not in
            ["x86", "!asserts", "false", "asserts && x86", "x86 && x86 || x86", "asserts{{.*}}", "!*"]
        {
            assert_eq!(met(does_not), Ok(false), "{does_not}");
        }
        for (wrong, message) in [
            ("", "expected a feature in ``"),
            ("asserts &&", "expected a feature in `asserts &&`"),
            ("(asserts || x86", "expected `)` in `(asserts || x86`"),
            ("asserts) x", "unexpected `) x` in `asserts) x`"),
            ("a{{b", "the condition holds"),
        ] {
            let found = met(wrong).map_or_else(|message| message, |_| "the condition holds".to_owned());
            assert_eq!(found, message);
        }
    }

    #[test]
    fn depth_has_a_limit() {
        let nested = |count: u32| "!".repeat(count as usize) + "true";
        assert_eq!(is_met(&nested(MAX_DEPTH - 1), &[]), Ok(false));
        assert_eq!(is_met(&nested(MAX_DEPTH), &[]), Err("the condition is nested too deeply".to_owned()));
        // What is next to each other is not nested.
        let many = vec!["true"; 300].join(" && ");
        assert_eq!(is_met(&many, &[]), Ok(true));
    }
}
