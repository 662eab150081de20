//! Where the text of an instruction names a register.

use wavelens_isa::{Half, named_register, register_range};

use crate::flow::{Graph, dwords};
use wavelens_base::{TextRange, TextSize};

/// The operand of an instruction that names a dword: a source if it is read, else the first one. The whole instruction where the
/// text does not name it.
pub(super) fn range(graph: &Graph<'_>, text: &str, index: usize, dword: usize, is_read: bool) -> TextRange {
    let Some(instruction) = graph.instructions.get(index) else { return TextRange::default() };
    let whole = instruction.range;
    let Some(line) = text.get(std::ops::Range::<usize>::from(whole)).filter(|_| !instruction.nested) else {
        return whole;
    };
    let sources = line.find(',').unwrap_or(0);
    let named: Vec<(usize, &str)> = registers(line).filter(|(_, word)| names(word, dword)).collect();
    let source = named.iter().find(|(at, _)| is_read && *at > sources);
    source.or(named.first()).map_or(whole, |(at, word)| {
        TextRange::at(whole.start() + TextSize::new(*at as u32), TextSize::of(*word))
    })
}

/// The words of a line that may be registers, with their places: `v3`, `v[2:5]`.
fn registers(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$');
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = line.get(at..)?;
        let start = at + rest.find(is_part)?;
        let rest = line.get(start..)?;
        let mut length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        if rest.get(length..).is_some_and(|rest| rest.starts_with('[')) {
            length = rest.find(']').map_or(length, |end| end + 1);
        }
        at = start + length;
        Some((start, rest.get(..length)?))
    })
}

fn names(word: &str, dword: usize) -> bool {
    let reg = match word.split_once('[') {
        None => named_register(word),
        Some((file, rest)) => {
            let (low, high) = rest.split_once(':').unwrap_or((rest, rest));
            let number = |text: &str| text.trim_end_matches(']').trim().parse().ok();
            number(low)
                .zip(number(high))
                .and_then(|(low, high)| register_range(file, low, high, Half::Full)?.ok())
        }
    };
    reg.is_some_and(|reg| dwords(reg).contains(&dword))
}

#[cfg(test)]
mod tests {
    use wavelens_base::{Dialect, Options};
    use wavelens_check::check_text;

    /// What the first finding of a text on gfx900 marks.
    fn marked(text: &str) -> String {
        let options = Options { target: Some("gfx900".into()), ..Options::default() };
        let found = check_text(Dialect::Amdgpu, text, &options);
        found.first().map(|f| text[std::ops::Range::<usize>::from(f.range)].to_owned()).unwrap_or_default()
    }

    #[test]
    fn findings_mark_the_operand() {
        let after_load = |line: &str| marked(&format!("global_load_dwordx2 v[2:3], v[0:1], off\n{line}\n"));
        assert_eq!(after_load("v_add_u32 v3, v4, v3"), "v3");
        assert_eq!(after_load("v_fma_f64 v[6:7], v[4:5], v[2:3], 1.0"), "v[2:3]");
        assert_eq!(after_load("ds_write_b32 v3, v4"), "v3");
        assert_eq!(after_load("ds_read_b32 v2, v4"), "v2");
        assert_eq!(after_load("N = 1\nv_mov_b32 v4, v[N+1]"), "v_mov_b32 v4, v[N+1]");
        assert_eq!(marked("s_load_dwordx2 vcc, s[0:1], 0x0\nv_cndmask_b32 v0, v1, v2, vcc\n"), "vcc");
    }
}
