//! The project file `wavelens.toml`: what holds for the files of a folder.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use globset::{Glob, GlobMatcher};
use serde::Deserialize;
use wavelens_isa::Target;
use wavelens_syntax::{closest, wording};

use crate::dialect;
use wavelens_base::configuration::{DeviceFeature, Env, Known, Origin};
use wavelens_base::{LLVM_VERSIONS, Options, Severity, TextRange, TextSize};

/// Name of the file, searched in the folder of a document and its parents.
pub const FILE_NAME: &str = "wavelens.toml";

/// A project file.
#[derive(Debug, Clone)]
pub struct Project {
    /// Its own path.
    path: PathBuf,
    all: Values,
    files: Vec<(GlobMatcher, Values)>,
    exclude: Globs,
    follows_installed: bool,
}

/// Globs that leave out files of folders, as in `.gitignore`: one without a slash is for a name at any depth, and one for a folder is for all in it.
#[derive(Debug, Clone, Default)]
pub struct Globs(Vec<(GlobMatcher, bool)>);

impl Globs {
    /// Adds a glob.
    ///
    /// # Errors
    /// What is wrong with it, as a phrase.
    pub fn add(&mut self, glob: &str) -> Result<(), String> {
        let plain = glob.trim_end_matches('/').trim_start_matches("./");
        let is_name = !plain.contains('/');
        let matcher = Glob::new(plain.trim_start_matches('/')).map_err(|error| error.kind().to_string())?;
        self.0.push((matcher.compile_matcher(), is_name));
        Ok(())
    }

    /// Whether a path, relative to the folder of the globs, is left out.
    pub fn is_match(&self, path: &Path) -> bool {
        path.ancestors().any(|path| {
            let name = path.file_name().unwrap_or_default();
            self.0
                .iter()
                .any(|(glob, is_name)| if *is_name { glob.is_match(name) } else { glob.is_match(path) })
        })
    }
}

/// A mistake in a project file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake {
    /// In the project file.
    pub range: TextRange,
    /// One sentence without a full stop.
    pub message: String,
    /// What the file says holds all the same.
    pub(crate) is_warning: bool,
}

impl Mistake {
    /// A warning at the first place of some text in the file.
    pub fn warning(file: &str, text: &str, message: impl Into<String>) -> Mistake {
        let start = file.find(text).unwrap_or(0);
        Mistake { range: range(start..start + text.len()), message: message.into(), is_warning: true }
    }
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Written {
    #[serde(rename = "$schema")]
    _schema: Option<String>,
    target: Option<toml::Spanned<String>>,
    target_env: Option<toml::Spanned<String>>,
    #[serde(default)]
    device_features: Vec<toml::Spanned<String>>,
    #[serde(default)]
    include_paths: Vec<PathBuf>,
    #[serde(default)]
    defines: toml::Table,
    #[serde(default)]
    exclude: Vec<toml::Spanned<String>>,
    #[serde(default, alias = "disabled-rules")]
    allow: Vec<toml::Spanned<String>>,
    #[serde(default)]
    severity: std::collections::BTreeMap<toml::Spanned<String>, toml::Spanned<String>>,
    #[serde(alias = "llvm-version")]
    llvm_level: Option<toml::Spanned<WrittenLevel>>,
    #[serde(default)]
    files: Vec<WrittenFiles>,
}

/// A version of LLVM, or [`INSTALLED`].
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
enum WrittenLevel {
    Version(u8),
    Word(String),
}

/// The level that follows the installed LLVM.
pub const INSTALLED: &str = "installed";

/// `[[files]]`: what holds for some files.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct WrittenFiles {
    glob: toml::Spanned<String>,
    target: Option<toml::Spanned<String>>,
    target_env: Option<toml::Spanned<String>>,
    #[serde(default)]
    device_features: Vec<toml::Spanned<String>>,
    #[serde(default, alias = "disabled-rules")]
    allow: Vec<toml::Spanned<String>>,
}

#[derive(Debug, Clone, Default)]
struct Values {
    target: Option<String>,
    target_env: Option<String>,
    device_features: Vec<String>,
    include_paths: Vec<PathBuf>,
    defines: Vec<(String, String)>,
    disabled: Vec<String>,
    severities: Vec<(String, Severity)>,
    llvm_level: Option<u8>,
}

impl Project {
    /// Reads the text of a project file. A file with syntax errors or unknown keys is not used; wrong values are left out.
    pub fn read(path: &Path, text: &str) -> (Option<Project>, Vec<Mistake>) {
        let written: Written = match toml::from_str(text) {
            Ok(written) => written,
            Err(error) => {
                let range = error.span().map_or(TextRange::default(), range);
                let message = error.message().lines().next().unwrap_or("").to_owned();
                return (None, vec![Mistake { range, message, is_warning: false }]);
            }
        };
        let mut reader = Reader { mistakes: Vec::new() };
        let all = Values {
            target: reader.target(written.target),
            target_env: reader.environment(written.target_env),
            device_features: reader.device_features(written.device_features),
            include_paths: written.include_paths,
            defines: written.defines.iter().map(|(name, value)| (name.clone(), plain(value))).collect(),
            disabled: reader.codes(written.allow),
            severities: Vec::new(),
            llvm_level: None,
        };
        let level = written.llvm_level.and_then(|level| reader.level(level));
        let follows_installed = matches!(level, Some(WrittenLevel::Word(_)));
        let all = match level {
            Some(WrittenLevel::Version(version)) => Values { llvm_level: Some(version), ..all },
            _ => all,
        };
        let all = written.severity.into_iter().fold(all, |mut all, (code, severity)| {
            match reader.severity(code, severity) {
                Some((code, Some(severity))) => all.severities.push((code, severity)),
                Some((code, None)) => all.disabled.push(code),
                None => {}
            }
            all
        });
        let mut exclude = Globs::default();
        for glob in written.exclude {
            if let Err(problem) = exclude.add(glob.get_ref()) {
                reader.mistake(glob.span(), problem);
            }
        }
        let files = written.files.into_iter().filter_map(|files| {
            let values = Values {
                target: reader.target(files.target),
                target_env: reader.environment(files.target_env),
                device_features: reader.device_features(files.device_features),
                disabled: reader.codes(files.allow),
                ..Values::default()
            };
            Some((reader.glob(files.glob)?, values))
        });
        let files = files.collect();
        (Some(Project { path: path.to_owned(), all, files, exclude, follows_installed }), reader.mistakes)
    }

    /// Whether the level is that of the installed LLVM, which [`Project::set_level`] tells.
    pub fn follows_installed(&self) -> bool {
        self.follows_installed
    }

    /// Sets the version of LLVM whose rules apply.
    pub fn set_level(&mut self, level: u8) {
        self.all.llvm_level = Some(level);
    }

    /// What holds for a file. What the options say already stays; a later `[[files]]` goes before an earlier one.
    pub fn apply(&self, file: &Path, options: &Options) -> Options {
        let mut options = options.clone();
        let origin = Origin::Project(Arc::from(self.path.to_string_lossy()));
        let folder = self.path.parent().unwrap_or(Path::new(""));
        let relative = file.strip_prefix(folder).unwrap_or(file);
        let own =
            self.files.iter().rev().filter(|(glob, _)| glob.is_match(relative)).map(|(_, values)| values);
        let own: Vec<&Values> = own.chain([&self.all]).collect();
        let known = |value: &String| Known::new(value.clone(), origin.clone());
        if let Some(target) = own.iter().find_map(|v| v.target.as_ref()) {
            options.fallback.target = Some(known(target));
        }
        if let Some(environment) = own.iter().find_map(|v| v.target_env.as_ref()) {
            options.fallback.target_env = Some(known(environment));
        }
        for (name, value) in &self.all.defines {
            if !options.defines.iter().any(|(n, _)| n == name) {
                options.defines.push((name.clone(), value.clone()));
            }
        }
        options.device_features.extend(own.iter().flat_map(|v| v.device_features.iter().cloned()));
        options.disabled.extend(own.iter().flat_map(|v| v.disabled.iter().cloned()));
        options.severities.extend(self.all.severities.iter().cloned());
        options.llvm_level = options.llvm_level.or(self.all.llvm_level);
        options
    }

    /// Whether a file is left out when its folder is checked.
    pub fn excludes(&self, file: &Path) -> bool {
        self.exclude.is_match(file.strip_prefix(self.folder()).unwrap_or(file))
    }

    /// The folder of the project file.
    pub fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new(""))
    }

    /// Folders in which included assembly is looked for.
    pub fn include_paths(&self) -> impl Iterator<Item = PathBuf> {
        let folder = self.folder();
        self.all.include_paths.iter().map(move |path| folder.join(path))
    }
}

struct Reader {
    mistakes: Vec<Mistake>,
}

impl Reader {
    fn mistake(&mut self, span: std::ops::Range<usize>, message: String) {
        self.mistakes.push(Mistake { range: range(span), message, is_warning: true });
    }

    fn target(&mut self, name: Option<toml::Spanned<String>>) -> Option<String> {
        let name = name?;
        if Target::of_id(name.get_ref()).is_none() {
            let message = wording::unknown("processor", name.get_ref(), Target::names());
            self.mistake(name.span(), message);
            return None;
        }
        Some(name.into_inner())
    }

    fn environment(&mut self, name: Option<toml::Spanned<String>>) -> Option<String> {
        let name = name?;
        if Env::from_name(name.get_ref()).is_none() {
            self.mistake(name.span(), wording::unknown("environment", name.get_ref(), Env::names()));
            return None;
        }
        Some(name.into_inner())
    }

    fn device_features(&mut self, names: Vec<toml::Spanned<String>>) -> Vec<String> {
        let mut known = Vec::new();
        for name in names {
            match DeviceFeature::from_name(name.get_ref()) {
                Some(_) => known.push(name.into_inner()),
                None => {
                    let message = wording::unknown("device feature", name.get_ref(), DeviceFeature::names());
                    self.mistake(name.span(), message);
                }
            }
        }
        known
    }

    fn codes(&mut self, codes: Vec<toml::Spanned<String>>) -> Vec<String> {
        let known = codes.into_iter().filter(|code| self.is_code(code));
        known.map(toml::Spanned::into_inner).collect()
    }

    fn is_code(&mut self, code: &toml::Spanned<String>) -> bool {
        let is_known = dialect::rule(code.get_ref()).is_some();
        if !is_known {
            let all = wavelens_base::Dialect::ALL.into_iter().flat_map(dialect::rules).map(|rule| rule.code);
            self.mistake(code.span(), wording::unknown("rule", code.get_ref(), all));
        }
        is_known
    }

    fn severity(
        &mut self,
        code: toml::Spanned<String>,
        severity: toml::Spanned<String>,
    ) -> Option<(String, Option<Severity>)> {
        if !self.is_code(&code) {
            return None;
        }
        let found = level(severity.get_ref());
        if found.is_none() {
            let near = closest(severity.get_ref(), LEVELS.iter().map(|(word, _)| *word));
            let near = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
            let message =
                format!("a level is error, warning, info, hint or off, found `{}`{near}", severity.get_ref());
            self.mistake(severity.span(), message);
        }
        found.map(|severity| (code.into_inner(), severity))
    }

    fn level(&mut self, level: toml::Spanned<WrittenLevel>) -> Option<WrittenLevel> {
        match level.get_ref() {
            WrittenLevel::Version(version) if !LLVM_VERSIONS.contains(version) => {
                let (oldest, newest) = LLVM_VERSIONS.into_inner();
                self.mistake(level.span(), wording::out_of_range("llvm-level", oldest, newest, version));
                return None;
            }
            WrittenLevel::Word(word) if word != INSTALLED => {
                let message =
                    format!("`llvm-level` is a version of LLVM or \"{INSTALLED}\", found \"{word}\"");
                self.mistake(level.span(), message);
                return None;
            }
            _ => {}
        }
        Some(level.into_inner())
    }

    fn glob(&mut self, glob: toml::Spanned<String>) -> Option<GlobMatcher> {
        match Glob::new(glob.get_ref()) {
            Ok(glob) => Some(glob.compile_matcher()),
            Err(error) => {
                self.mistake(glob.span(), error.kind().to_string());
                None
            }
        }
    }
}

/// The levels of a code by their words; `None` is off.
pub const LEVELS: [(&str, Option<Severity>); 6] = [
    ("error", Some(Severity::Error)),
    ("warning", Some(Severity::Warning)),
    ("info", Some(Severity::Info)),
    ("hint", Some(Severity::Hint)),
    ("off", None),
    ("information", Some(Severity::Info)),
];

/// The level that a word stands for.
pub fn level(word: &str) -> Option<Option<Severity>> {
    LEVELS.iter().find(|(known, _)| *known == word).map(|(_, severity)| *severity)
}

/// A number or a text, as a build would define it.
fn plain(value: &toml::Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn range(span: std::ops::Range<usize>) -> TextRange {
    let offset = |at: usize| TextSize::new(u32::try_from(at).unwrap_or(u32::MAX));
    TextRange::new(offset(span.start), offset(span.end))
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(text: &str, expected: Expect) {
        let (_, mistakes) = Project::read(Path::new("/p/wavelens.toml"), text);
        let shown = mistakes.iter().map(|m| format!("`{}`: {}\n", &text[m.range], m.message));
        expected.assert_eq(&shown.collect::<String>());
    }

    #[test]
    fn mistakes_are_at_their_places() {
        check(
            "target = \"gfx9421\"\ntarget-env = \"vulkan1.9\"\nllvm-version = 3\n",
            expect![[r#"
            `"gfx9421"`: unknown processor `gfx9421`; did you mean `gfx942`?
            `"vulkan1.9"`: unknown environment `vulkan1.9`
            `3`: `llvm-level` must be between 15 and 24, is 3
        "#]],
        );
        check(
            "disabled-rules = [\"no-procesor\"]\n[severity]\nmissing-wait = \"loud\"\n[[files]]\nglob = \"a[\"\n",
            expect![[r#"
            `"no-procesor"`: unknown rule `no-procesor`; did you mean `no-processor`?
            `"loud"`: a level is error, warning, info, hint or off, found `loud`
            `"a["`: unclosed character class; missing ']'
        "#]],
        );
        check(
            "tarhet = \"gfx942\"\n",
            expect![[r#"
                `tarhet`: unknown field `tarhet`, expected one of `$schema`, `target`, `target-env`, `device-features`, `include-paths`, `defines`, `exclude`, `allow`, `disabled-rules`, `severity`, `llvm-level`, `llvm-version`, `files`
            "#]],
        );
        check(
            "target = \n",
            expect![[r#"
            ``: string values must be quoted, expected literal string
        "#]],
        );
    }

    #[test]
    fn files_have_what_their_globs_say_and_options_stay() {
        let text = "target = \"gfx942\"\ndefines = { N = 4, M = \"x\" }\n[severity]\nmissing-wait = \"error\"\n\
            [[files]]\nglob = \"rdna/**\"\ntarget = \"gfx1100\"\ndisabled-rules = [\"missing-wait\"]\n";
        let (project, mistakes) = Project::read(Path::new("/p/wavelens.toml"), text);
        assert_eq!(mistakes, []);
        let project = project.expect("a project");
        let of = |path: &str| {
            let defines = vec![("N".to_owned(), "1".to_owned())];
            let options = project.apply(Path::new(path), &Options { defines, ..Options::default() });
            let target = options.fallback.target.map(|t| format!("{} ({})", t.value, t.origin));
            format!("{} {:?} {:?}", target.unwrap_or_default(), options.defines, options.disabled)
        };
        expect![[r#"gfx942 (/p/wavelens.toml) [("N", "1"), ("M", "x")] []"#]].assert_eq(&of("/p/a.s"));
        expect![[r#"gfx1100 (/p/wavelens.toml) [("N", "1"), ("M", "x")] ["missing-wait"]"#]]
            .assert_eq(&of("/p/rdna/b/a.s"));
    }

    #[test]
    fn a_code_can_be_off_and_paths_left_out() {
        let text = "exclude = [\"build/\", \"*.gen.ll\", \"a/*/c.s\"]\nallow = [\"no-processor\"]\nseverity.missing-wait = \"off\"\n";
        let (project, mistakes) = Project::read(Path::new("/p/wavelens.toml"), text);
        assert_eq!(mistakes, []);
        let project = project.expect("a project");
        let options = project.apply(Path::new("/p/a.s"), &Options::default());
        assert_eq!(options.disabled, ["no-processor", "missing-wait"]);
        let excluded = ["/p/x/build/y/z.s", "/p/q/x.gen.ll", "/p/a/b/c.s"];
        assert!(excluded.iter().all(|path| project.excludes(Path::new(path))));
        assert!(
            ["/p/x.ll", "/p/builder/a.ll", "/p/z/a/b/c.s"].iter().all(|p| !project.excludes(Path::new(p)))
        );
    }

    #[test]
    fn a_severity_can_be_changed() {
        let text = "[severity]\nunknown-instruction = \"warning\"\n";
        let (project, _) = Project::read(Path::new("/p/wavelens.toml"), text);
        let options = project.expect("a project").apply(Path::new("/p/a.s"), &Options::default());
        let found = crate::check_text(
            wavelens_base::Dialect::Amdgpu,
            ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\nfoo_bar v1\n",
            &options,
        );
        let shown: Vec<_> = found.iter().map(|f| (f.rule.code, f.severity)).collect();
        assert_eq!(shown, [("unknown-instruction", Severity::Warning)]);
    }

    #[test]
    fn the_level_can_follow_the_installed_llvm() {
        let read =
            |level: &str| Project::read(Path::new("/w/wavelens.toml"), &format!("llvm-level = {level}\n"));
        let level = |project: &Project| project.apply(Path::new("/w/a.ll"), &Options::default()).llvm_level;
        let (project, mistakes) = read("\"installed\"");
        let mut project = project.expect("the file can be read");
        assert_eq!((mistakes.len(), project.follows_installed(), level(&project)), (0, true, None));
        project.set_level(22);
        assert_eq!(level(&project), Some(22));
        let (project, mistakes) = read("\"newest\"");
        let project = project.expect("the file can be read");
        assert_eq!((mistakes.len(), project.follows_installed(), level(&project)), (1, false, None));
    }

    #[test]
    fn every_value_of_a_file_holds() {
        let text = "target = \"gfx942\"\ntarget-env = \"vulkan1.2\"\nllvm-version = 23\ninclude-paths = [\"inc\", \"/abs\"]\n\
            device-features = [\"scalarBlockLayout\", \"scalarBlokLayout\"]\n\
            [[files]]\nglob = \"gl/**\"\ntarget-env = \"opengl4.5\"\ndevice-features = [\"shaderInt64\"]\n";
        let (project, mistakes) = Project::read(Path::new("/p/wavelens.toml"), text);
        let shown: Vec<String> =
            mistakes.iter().map(|m| format!("`{}`: {}", &text[m.range], m.message)).collect();
        expect![[r#"
            `"scalarBlokLayout"`: unknown device feature `scalarBlokLayout`
            `"shaderInt64"`: unknown device feature `shaderInt64`"#]]
        .assert_eq(&shown.join("\n"));
        let project = project.expect("a project");
        let of = |path: &str, llvm_level| {
            let options = project.apply(Path::new(path), &Options { llvm_level, ..Options::default() });
            let value = |known: Option<Known<String>>| known.map_or_else(String::new, |known| known.value);
            format!(
                "{path}: {} {} {:?} {:?}\n",
                value(options.fallback.target),
                value(options.fallback.target_env),
                options.llvm_level,
                options.device_features
            )
        };
        expect![[r#"
            /p/a.ll: gfx942 vulkan1.2 Some(23) ["scalarBlockLayout"]
            /p/gl/a.spvasm: gfx942 opengl4.5 Some(23) ["scalarBlockLayout"]
            /p/b.ll: gfx942 vulkan1.2 Some(22) ["scalarBlockLayout"]
        "#]]
        .assert_eq(&[of("/p/a.ll", None), of("/p/gl/a.spvasm", None), of("/p/b.ll", Some(22))].concat());
        let paths: Vec<PathBuf> = project.include_paths().collect();
        assert_eq!(paths, [Path::new("/p/inc"), Path::new("/abs")]);
        let warning = Mistake::warning(text, "vulkan1.2", "a message");
        assert_eq!((&text[warning.range], warning.is_warning), ("vulkan1.2", true));
        assert_eq!(Mistake::warning(text, "missing", "a message").range.start(), 0.into());
    }
}
