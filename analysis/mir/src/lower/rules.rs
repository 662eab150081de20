//! What reading a file reports: its YAML, and text that LLVM does not read.

wavelens_syntax::rules! {
    /// What is wrong with the YAML around a body.
    MIR_YAML {
        code: "mir-yaml",
        severity: wavelens_base::Severity::Error,
        title: "a machine function has only known keys, each once, with values of the right kind",
        explain: "A misspelt key would silently leave the default.",
        example: r#"---
name: f
tracksRegLivenes: true
body: |
  bb.0:
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    S_ENDPGM 0
...
"#,
        source: "LLVM MIRYamlMapping.h; YAML I/O: \"unknown key\", \"missing required key\"",
    }

    UNREAD {
        code: "unread-text",
        severity: wavelens_base::Severity::Warning,
        title: "a line that starts with `%` is a known YAML directive",
        explain: "LLVM stops reading the file at an unknown directive and does not report it. Indent a line of a body that starts with a register.",
        example: r#"---
name: f
body: |
  bb.0:
    S_ENDPGM 0
%0:vgpr_32 = IMPLICIT_DEF
...
"#,
        fixed: r#"---
name: f
body: |
  bb.0:
    %0:vgpr_32 = IMPLICIT_DEF
    S_ENDPGM 0
...
"#,
        source: "LLVM yaml::Scanner::scanDirective",
    }
}
