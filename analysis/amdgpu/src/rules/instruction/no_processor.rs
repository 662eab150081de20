//! Instructions of a file that names no processor.

wavelens_syntax::rules! {
    NO_PROCESSOR {
        code: "no-processor",
        severity: wavelens_base::Severity::Info,
        title: "a file, the command line or a setting must name the processor",
        explain: "Without a processor, only instructions that exist on no processor are reported. A file names it with `.amdgcn_target` \
or in a RUN line; the command line with `--mcpu`; a project in `wavelens.toml`; an editor with the setting `wavelens.target`.",
        example: r#"v_mov_b32_e32 v0, v1
"#,
        fixed: r#".amdgcn_target "amdgcn-amd-amdhsa--gfx900"
v_mov_b32_e32 v0, v1
"#,
        source: "LLVM uses a generic processor of gfx6 where `llvm-mc` is given none",
    }
}

/// What is reported at the first instruction.
pub(crate) const MESSAGE: &str = "missing processor: operands and encodings are not checked; write \
    `.amdgcn_target \"amdgcn-amd-amdhsa--gfx1100\"`, use `--mcpu gfx1100`, or set a target in the editor or in wavelens.toml";
