//! Which processors of AMDGPU have an intrinsic, and at which types: what LLVM selects for each of them, from
//! `amdgpu_selection.txt`.
//!
//! A line of the table has a name and groups of processors, as bits of a number, for types or for all of them: `rcp f16:7fffffc f32:7ffffff`,
//! `buffer.wbinvl1 *:7ff`; where GlobalISel selects for others than SelectionDAG, a second number. `#4` stands for a size that an immediate
//! names, `f32~` for an atomic operation whose result nothing uses. The first lines list the groups, and the features of each one's first
//! processor.

use wavelens_isa::{Target, WaveSize};

static TABLE: &str = include_str!("amdgpu_selection.txt");

/// Groups of processors, as bits.
pub type Groups = u32;

/// An intrinsic of the table.
#[derive(Debug, Clone, Copy)]
pub struct Selection {
    /// Name and entries.
    line: &'static str,
    by: Selector,
}

/// What selects instructions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Selector {
    /// SelectionDAG, which llc takes by default.
    Dag,
    /// With `-global-isel`.
    Global,
}

/// The names that stand for one mask: types, or a size.
pub type Form = &'static str;

impl Selection {
    /// Looks up a name without `llvm.amdgcn.` and without types.
    pub fn of(name: &str, by: Selector) -> Option<Selection> {
        let asked = asked_as(name);
        let rows = rows();
        let at = rows.binary_search_by(|line| name_of(line).cmp(asked.as_str())).ok()?;
        rows.get(at).map(|line| Selection { line, by })
    }

    /// The forms that some processor has, each with the groups that have it.
    pub fn forms(self) -> impl Iterator<Item = (Form, Groups)> {
        let entries = self.line.split(' ').skip(1).filter_map(|entry| entry.split_once(':'));
        entries.flat_map(move |(forms, groups)| {
            let (dag, global) = groups.split_once('/').unwrap_or((groups, groups));
            let groups = if self.by == Selector::Dag { dag } else { global };
            let groups = Groups::from_str_radix(groups, 16).unwrap_or(Groups::MAX);
            forms.split(',').map(move |form| (form, groups))
        })
    }

    /// All groups that have some form of it.
    pub fn any(self) -> Groups {
        self.forms().fold(0, |all, (_, groups)| all | groups)
    }

    /// The groups that have a form. Of matrices all forms are known: one that the table lacks nothing has, but that immediates name the size
    /// of `f8f6f4` operands, and that the index of a sparse matrix, the last type, has more types in newer versions of LLVM. Of others some
    /// types were not asked for: where one is, what has any form may have it.
    pub fn groups(self, form: &str) -> Groups {
        let known = self.forms().find(|(known, _)| *known == form || *known == "*");
        let is_matrix = ["wmma.", "swmmac.", "mfma."].iter().any(|family| self.line.starts_with(family));
        let is_complete = is_matrix && !name_of(self.line).ends_with(".f8f6f4") || form.starts_with('#');
        match known {
            Some((_, groups)) => groups,
            None if self.line.starts_with("swmmac.") => {
                let same = self.forms().filter(|(known, _)| without_index(known) == without_index(form));
                same.fold(0, |all, (_, groups)| all | groups)
            }
            None if is_complete => 0,
            None => self.any(),
        }
    }
}

/// The types of a sparse matrix but for that of its index.
fn without_index(form: &str) -> Option<&str> {
    form.rsplit_once('.').map(|(operands, _)| operands)
}

/// The intrinsic that stands for one: buffer accesses are selected alike whatever the descriptor's type and whether it is structured, and
/// image instructions alike in all dimensions. As `asked_as` of the generator.
fn asked_as(name: &str) -> String {
    let buffer = name.strip_prefix("struct.").or_else(|| name.strip_prefix("raw."));
    if let Some(rest) = buffer {
        let rest = rest.strip_prefix("ptr.").unwrap_or(rest);
        if ["buffer", "tbuffer", "atomic.buffer"].iter().any(|family| rest.starts_with(family)) {
            return format!("raw.ptr.{rest}");
        }
    }
    if !name.starts_with("image.") || name.starts_with("image.msaa") || name.starts_with("image.bvh") {
        return name.to_owned();
    }
    let (stem, end) = match name.strip_suffix(".nortn") {
        Some(stem) => (stem, ".nortn"),
        None => (name, ""),
    };
    match stem.rsplit_once('.') {
        Some((family, "1d" | "1darray" | "2d" | "2darray" | "2dmsaa" | "2darraymsaa" | "3d" | "cube")) => {
            format!("{family}.2d{end}")
        }
        _ => name.to_owned(),
    }
}

/// How lines that are not about an intrinsic begin.
const HEADER: [&str; 3] = ["#", "processors ", "features "];

fn name_of(line: &'static str) -> &'static str {
    line.split(' ').next().unwrap_or("")
}

fn rows() -> &'static [&'static str] {
    static ROWS: std::sync::OnceLock<Vec<&'static str>> = std::sync::OnceLock::new();
    ROWS.get_or_init(|| TABLE.lines().filter(|line| !HEADER.iter().any(|h| line.starts_with(h))).collect())
}

/// The processors of each group; a name that ends with `/64` is one with waves of 64 lanes.
fn members() -> impl Iterator<Item = std::str::Split<'static, char>> {
    let lines = TABLE.lines().skip_while(|line| line.starts_with('#'));
    lines.map_while(|line| Some(line.strip_prefix("processors ")?.split(' ')))
}

/// The group of a processor, and those of its generation with waves of 32 and of 64 lanes, if it has waves of 64 by choice.
fn group(target: Target) -> Option<(u32, Option<(u32, u32)>)> {
    let find = |name: &str| members().position(|mut group| group.any(|n| n == name)).map(|n| n as u32);
    let own = find(target.name())?;
    let is_chosen = target.wave_size() == WaveSize::W64 && target.facts().has_wave32;
    let of_generation = match target.major() {
        10 => ("gfx1030", "gfx1030/64"),
        11 => ("gfx1100", "gfx1100/64"),
        _ => ("gfx1200", "gfx1200/64"),
    };
    if !is_chosen {
        return Some((own, None));
    }
    Some((own, Some((find(of_generation.0)?, find(of_generation.1)?))))
}

/// Whether clang writes a feature for each function of a processor.
pub fn has_feature(target: Target, name: &str) -> bool {
    let Some((own, _)) = group(target) else { return false };
    let line = TABLE.lines().filter_map(|line| line.strip_prefix("features ")).nth(own as usize);
    line.is_some_and(|features| features.split(' ').any(|feature| feature == name))
}

/// Whether groups include a processor with its wave size; `None` for a processor that the table does not know.
pub fn includes(groups: Groups, target: Target) -> Option<bool> {
    let has = |group: u32| groups >> group & 1 == 1;
    let (own, pair) = group(target)?;
    Some(match pair {
        // It depends on the number of lanes.
        Some((of_32, of_64)) if has(of_32) != has(of_64) => has(of_64),
        _ => has(own),
    })
}

/// The first processor of each group, oldest first; generic ones last.
pub fn leaders(groups: Groups) -> Vec<&'static str> {
    let names =
        members().enumerate().filter(|(n, _)| groups >> n & 1 == 1).filter_map(|(_, mut names)| names.next());
    let mut names: Vec<&'static str> = names.filter(|name| !name.contains('/')).collect();
    let place = |name: &str| Target::names().position(|known| known == name);
    names.sort_by_key(|name| (name.contains("generic"), place(name)));
    names
}
