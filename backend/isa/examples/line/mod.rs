//! A throwaway reader of instruction lines, just enough to drive the table from examples. The real one is in
//! `wavelens-syntax`.

use wavelens_isa::{Half, Line, Mods, Sep, Term, TermRange, Value, named_register, register_range};

struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn space(&mut self) {
        let r = self.rest();
        self.at += r.len() - r.trim_start_matches([' ', '\t']).len();
    }

    fn peek(&self) -> u8 {
        self.rest().bytes().next().unwrap_or(0)
    }

    fn eat(&mut self, s: &str) -> bool {
        self.space();
        let yes = self.rest().starts_with(s);
        if yes {
            self.at += s.len();
        }
        yes
    }

    fn word(&mut self) -> &'a str {
        let r = self.rest();
        let n =
            r.len() - r.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || "_.$@".contains(c)).len();
        self.at += n;
        r.get(..n).unwrap_or("")
    }
}

fn number(text: &str) -> Option<Value<'static>> {
    let (negative, t) = match text.strip_prefix('-') {
        Some(t) => (true, t),
        None => (false, text),
    };
    let int = if let Some(h) = t.strip_prefix("0x").or_else(|| t.strip_prefix("0X")) {
        u64::from_str_radix(h, 16).ok()
    } else if let Some(b) = t.strip_prefix("0b") {
        u64::from_str_radix(b, 2).ok()
    } else if t.len() > 1 && t.starts_with('0') && t.bytes().all(|b| b.is_ascii_digit()) {
        u64::from_str_radix(t, 8).ok()
    } else {
        t.parse().ok()
    };
    if let Some(v) = int {
        let v = v as i64;
        return Some(Value::Int(if negative { v.wrapping_neg() } else { v }));
    }
    let f: f64 = t.parse().ok()?;
    Some(Value::Float((if negative { -f } else { f }).to_bits()))
}

fn numeric(c: &mut Cursor<'_>) -> Option<Value<'static>> {
    let start = c.at;
    if c.peek() == b'-' {
        c.at += 1;
    }
    let r = c.rest();
    if !r.starts_with(|x: char| x.is_ascii_digit()) {
        c.at = start;
        return None;
    }
    let hex = r.starts_with("0x");
    let mut n = 0;
    for (i, b) in r.bytes().enumerate() {
        let exponent_sign =
            !hex && i > 0 && matches!(r.as_bytes()[i - 1], b'e' | b'E') && matches!(b, b'+' | b'-');
        if b.is_ascii_alphanumeric() || b == b'.' || exponent_sign {
            n = i + 1;
        } else {
            break;
        }
    }
    c.at += n;
    number(c.text.get(start..c.at)?)
}

fn term<'a>(c: &mut Cursor<'a>, line: &mut Line<'a>) -> Option<Term<'a>> {
    c.space();
    match c.peek() {
        b'[' => {
            c.at += 1;
            let items = list(c, line, "]")?;
            Some(Term::List(items))
        }
        b'"' => {
            let r = c.text.get(c.at + 1..)?;
            let n = r.find('"')?;
            c.at += n + 2;
            Some(Term::Str(r.get(..n)?))
        }
        b'0'..=b'9' | b'-' => {
            let start = c.at;
            match numeric(c) {
                Some(Value::Int(v)) => Some(Term::Int(v)),
                _ => {
                    c.at = start;
                    let w = c.word();
                    (!w.is_empty()).then_some(Term::Word(w))
                }
            }
        }
        _ => {
            let w = c.word();
            if w.is_empty() {
                return None;
            }
            if c.peek() == b'(' {
                c.at += 1;
                let args = list(c, line, ")")?;
                return Some(Term::Call { name: w, args });
            }
            if c.peek() == b'[' {
                return match range(c, w)? {
                    Value::Reg(r) => Some(Term::Reg(r)),
                    _ => None,
                };
            }
            Some(named_register(w).map_or(Term::Word(w), Term::Reg))
        }
    }
}

fn list<'a>(c: &mut Cursor<'a>, line: &mut Line<'a>, end: &str) -> Option<TermRange> {
    let mut items = Vec::new();
    if !c.eat(end) {
        loop {
            items.push(term(c, line)?);
            if c.eat(end) {
                break;
            }
            if !c.eat(",") {
                return None;
            }
        }
    }
    Some(line.store(&items))
}

fn range(c: &mut Cursor<'_>, prefix: &str) -> Option<Value<'static>> {
    c.at += 1;
    c.space();
    let Some(Value::Int(lo)) = numeric(c) else { return None };
    let hi = if c.eat(":") {
        c.space();
        match numeric(c) {
            Some(Value::Int(hi)) => hi,
            _ => return None,
        }
    } else {
        lo
    };
    if !c.eat("]") {
        return None;
    }
    register_range(prefix, lo, hi, Half::Full)?.ok().map(Value::Reg)
}

fn operand<'a>(c: &mut Cursor<'a>, line: &mut Line<'a>) -> Option<(Mods, Value<'a>)> {
    let mut mods = Mods::NONE;
    c.space();
    if c.peek() == b'-' && !c.text.as_bytes().get(c.at + 1).is_some_and(u8::is_ascii_digit) {
        c.at += 1;
        mods.neg = true;
        c.space();
    }
    let mut closers: Vec<&str> = Vec::new();
    loop {
        let start = c.at;
        if c.peek() == b'|' {
            c.at += 1;
            mods.abs = true;
            closers.push("|");
            continue;
        }
        let w = c.word();
        if matches!(w, "neg" | "abs" | "sext" | "lit" | "lit64") && c.peek() == b'(' {
            c.at += 1;
            closers.push(")");
            match w {
                "neg" => mods.neg = true,
                "abs" => mods.abs = true,
                "sext" => mods.sext = true,
                "lit" => mods.lit = true,
                _ => mods.lit64 = true,
            }
            continue;
        }
        c.at = start;
        break;
    }
    c.space();
    let value = match c.peek() {
        b'[' => {
            c.at += 1;
            let items = list(c, line, "]")?;
            Value::RegList(items)
        }
        b'0'..=b'9' | b'-' => numeric(c)?,
        _ => {
            let w = c.word();
            if w.is_empty() {
                return None;
            }
            match c.peek() {
                b':' if c.text.as_bytes().get(c.at + 1) != Some(&b':') => {
                    c.at += 1;
                    let t = term(c, line)?;
                    let value = line.store(&[t]);
                    Value::Named { name: w, value }
                }
                b'(' => {
                    c.at += 1;
                    let args = list(c, line, ")")?;
                    Value::Call { name: w, args }
                }
                b'[' => range(c, w)?,
                _ => named_register(w).map_or(Value::Word(w), Value::Reg),
            }
        }
    };
    for close in closers.iter().rev() {
        if !c.eat(close) {
            return None;
        }
    }
    Some((mods, value))
}

/// Reads one line; `None` if it is not an instruction.
pub(crate) fn read<'a>(text: &'a str, line: &mut Line<'a>) -> Option<()> {
    let text = text.split(';').next().unwrap_or("").split("//").next().unwrap_or("").trim();
    let mut c = Cursor { text, at: 0 };
    let mnemonic = c.word();
    line.clear(mnemonic);
    let mut sep = Sep::Space;
    loop {
        c.space();
        if c.at >= text.len() {
            return if sep == Sep::Space || sep == Sep::Comma { Some(()) } else { None };
        }
        let (mods, value) = operand(&mut c, line)?;
        line.push(sep, mods, value);
        sep = if c.eat("::") {
            Sep::DoubleColon
        } else if c.eat(",") {
            Sep::Comma
        } else if c.eat("&") {
            Sep::Amp
        } else if c.eat("|") {
            Sep::Pipe
        } else {
            Sep::Space
        };
    }
}
