use expect_test::{Expect, expect};

use super::*;

fn check(dialect: Dialect, text: &str, options: Options, expected: Expect) {
    let configuration = Configuration::decide(dialect, &Stated::of(dialect, text), &options);
    // The newest version of LLVM is a number that changes.
    let is_shown = |name: &str, origin: &str| (name, origin) != ("LLVM version", "default");
    let rows = configuration.rows().into_iter().skip(1).filter(|(name, _, origin)| is_shown(name, origin));
    let shown: Vec<_> = rows.map(|(name, value, origin)| format!("{name}: {value} ({origin})\n")).collect();
    expected.assert_eq(&shown.concat());
}

fn target(name: &str) -> Options {
    Options { target: Some(name.to_owned()), ..Options::default() }
}

fn setting(target: &str, environment: &str) -> Options {
    let known = |name: &str| Some(Known::new(name.to_owned(), Origin::Setting));
    Options {
        fallback: Fallback { target: known(target), target_env: known(environment) },
        ..Options::default()
    }
}

#[test]
fn the_command_line_is_before_the_file_and_the_file_before_a_setting() {
    let text = "// RUN: llvm-mc -triple=amdgcn--amdpal -mcpu=gfx1030 -mattr=+wavefrontsize64 %s\ns_nop 0\n";
    let of_run = expect![[r#"
            triple: amdgcn--amdpal (RUN line 1)
            processor: gfx1030 (RUN line 1)
            feature: +wavefrontsize64 (RUN line 1)
            wave size: 64 (RUN line 1)
            command: llvm-mc -triple=amdgcn--amdpal -mcpu=gfx1030 -mattr=+wavefrontsize64 %s (RUN line 1)
        "#]];
    check(Dialect::Amdgpu, text, setting("gfx900", "spv1.0"), of_run);
    check(
        Dialect::Amdgpu,
        text,
        target("gfx90a:xnack+"),
        expect![[r#"
                triple: amdgcn--amdpal (RUN line 1)
                processor: gfx90a (command line)
                feature: +xnack (command line)
                wave size: 64 (default)
                command: llvm-mc -triple=amdgcn--amdpal -mcpu=gfx1030 -mattr=+wavefrontsize64 %s (RUN line 1)
            "#]],
    );
    check(
        Dialect::Amdgpu,
        "s_nop 0\n",
        setting("gfx900", "spv1.0"),
        expect![[r#"
                triple: amdgcn-amd-amdhsa (default)
                processor: gfx900 (editor setting)
                wave size: 64 (default)
            "#]],
    );
    check(
        Dialect::Amdgpu,
        "\t.amdgcn_target \"amdgcn-amd-amdhsa--gfx942:sramecc-\"\n",
        Options::default(),
        expect![[r#"
                triple: amdgcn-amd-amdhsa (`.amdgcn_target`)
                processor: gfx942 (`.amdgcn_target`)
                feature: -sramecc (`.amdgcn_target`)
                wave size: 64 (default)
            "#]],
    );
}

#[test]
fn the_run_line_of_the_processor_that_was_asked_for_is_used() {
    let text =
        "; RUN: llc -mtriple=amdgcn -mcpu=gfx900 %s\n; RUN: llc -mtriple=amdgcn--mesa3d -mcpu=gfx1100 %s\n";
    check(
        Dialect::Llvm,
        text,
        target("gfx1100"),
        expect![[r#"
                triple: amdgcn--mesa3d (RUN line 2)
                processor: gfx1100 (command line)
                wave size: 32 (default)
                command: llc -mtriple=amdgcn--mesa3d -mcpu=gfx1100 %s (RUN line 2)
            "#]],
    );
}

#[test]
fn a_setting_for_amdgpu_does_not_reach_other_targets() {
    check(
        Dialect::Llvm,
        "target triple = \"x86_64-unknown-linux-gnu\"\n",
        setting("gfx900", "spv1.0"),
        expect![[r#"
                triple: x86_64-unknown-linux-gnu (`target triple`)
            "#]],
    );
}

#[test]
fn a_version_comment_is_the_version_of_the_module_and_the_weakest_environment() {
    let text = "; SPIR-V\n; Version: 1.3\nOpCapability Shader\n";
    let vulkan = Options { target_env: Some("vulkan1.2".to_owned()), ..Options::default() };
    check(
        Dialect::Spirv,
        text,
        vulkan.clone(),
        expect![[r#"
                environment: vulkan1.2 (command line)
                module version: 1.3 (`; Version:`)
            "#]],
    );
    check(
        Dialect::Spirv,
        text,
        setting("gfx900", "vulkan1.1"),
        expect![[r#"
                processor: gfx900 (editor setting)
                wave size: 64 (default)
                environment: vulkan1.1 (editor setting)
                module version: 1.3 (`; Version:`)
            "#]],
    );
    check(
        Dialect::Spirv,
        text,
        Options::default(),
        expect![[r#"
                environment: spv1.3 (`; Version:`)
                module version: 1.3 (`; Version:`)
            "#]],
    );
    check(
        Dialect::Spirv,
        "; target-env: vulkan1.0\n",
        vulkan.clone(),
        expect![[r#"
                environment: vulkan1.2 (command line)
                module version: 1.5 (command line)
            "#]],
    );
    let run = "; RUN: spirv-as --target-env spv1.1 -o %t.spv %s\n; Version: 1.3\n";
    check(
        Dialect::Spirv,
        run,
        vulkan,
        expect![[r#"
                environment: vulkan1.2 (command line)
                module version: 1.3 (`; Version:`)
                command: spirv-as --target-env spv1.1 -o %t.spv %s (RUN line 1)
            "#]],
    );
    check(
        Dialect::Spirv,
        run,
        setting("gfx900", "vulkan1.1"),
        expect![[r#"
                processor: gfx900 (editor setting)
                wave size: 64 (default)
                environment: spv1.1 (RUN line 1)
                module version: 1.1 (RUN line 1)
                command: spirv-as --target-env spv1.1 -o %t.spv %s (RUN line 1)
            "#]],
    );
}

#[test]
fn a_listing_of_a_shader_names_a_processor_and_a_wave_size() {
    check(
        Dialect::Amdgpu,
        "shader main\n  asic(GFX11)\n  type(PS)\n  wave_size(64)\n  s_endpgm\nend\n",
        setting("gfx900", "spv1.0"),
        expect![[r#"
                triple: amdgcn-amd-amdhsa (default)
                processor: gfx1100 (`asic`)
                feature: +wavefrontsize64 (`asic`)
                wave size: 64 (`asic`)
            "#]],
    );
}

#[test]
fn a_command_in_the_first_comments_names_a_processor() {
    let of = |comment: &str, options: Options| {
        let text = format!("; To reproduce it, run:\n{comment}\n\ntarget triple = \"amdgcn-amd-amdhsa\"\n");
        let stated = Stated::of(Dialect::Llvm, &text);
        let processor = Configuration::decide(Dialect::Llvm, &stated, &options).processor;
        processor.map(|p| format!("{} ({})", p.value, p.origin))
    };
    let command = "; llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx942 -O3 <.optimized.ll> -o <out.rocmasm>";
    assert_eq!(of(command, setting("gfx900", "spv1.0")).as_deref(), Some("gfx942 (`-mcpu`)"));
    assert_eq!(of(command, target("gfx1100")).as_deref(), Some("gfx1100 (command line)"));
    assert_eq!(of("; the option -mcpu=gfx942", Options::default()), None);
    assert_eq!(of("; llc -mcpu=znver4", Options::default()), None);
}

#[test]
fn features_count_without_a_processor() {
    check(
        Dialect::Mir,
        "# RUN: llc -mtriple=x86_64-unknown -mattr=+ndd,+egpr -run-pass=none %s\n",
        Options::default(),
        expect![[r#"
                triple: x86_64-unknown (RUN line 1)
                feature: +ndd (RUN line 1)
                feature: +egpr (RUN line 1)
                command: llc -mtriple=x86_64-unknown -mattr=+ndd,+egpr -run-pass=none %s (RUN line 1)
            "#]],
    );
}

#[test]
fn a_removed_processor_is_ignored_as_llvm_ignores_it() {
    let of = |processor: &str, level| {
        let text = format!("// RUN: llvm-mc -triple=amdgcn -mcpu={processor} %s\n");
        let stated = Stated::of(Dialect::Amdgpu, &text);
        let options = Options { llvm_level: level, ..Options::default() };
        let target = Configuration::decide(Dialect::Amdgpu, &stated, &options).target();
        target.map(Target::name)
    };
    assert_eq!(of("gfx800", None), Some("generic"));
    assert_eq!(of("gfx940", None), Some("generic"));
    assert_eq!(of("gfx940", Some(19)), None);
    assert_eq!(of("gfx1399", None), None);
    assert_eq!(of("gfx942", None), Some("gfx942"));
}

#[test]
fn a_function_has_a_processor_of_its_own_unless_the_user_asks_for_another() {
    let text = "; RUN: llc -mtriple=amdgcn -mcpu=gfx1030 -mattr=+wavefrontsize64 %s\n";
    let of = |options| Configuration::decide(Dialect::Mir, &Stated::of(Dialect::Mir, text), &options);
    let configuration = of(Options::default());
    assert_eq!(configuration.processor_of(Some("gfx900")), Some("gfx900"));
    assert_eq!(configuration.processor_of(None), Some("gfx1030"));
    assert_eq!(configuration.wave_size_of("+wavefrontsize32"), Some(WaveSize::W64));
    let asked = of(target("gfx1100"));
    assert_eq!(asked.processor_of(Some("gfx900")), Some("gfx1100"));
    assert_eq!(asked.wave_size_of("+wavefrontsize64"), None);
}

#[test]
fn features_that_no_table_has_are_known() {
    let of = |mcpu: &str, mattr: &str| {
        let text = format!("# RUN: llvm-mc -triple=amdgcn -mcpu={mcpu} -mattr={mattr} %s\n");
        let stated = Stated::of(Dialect::Amdgpu, &text);
        let configuration = Configuration::decide(Dialect::Amdgpu, &stated, &Options::default());
        configuration.other_features().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(of("gfx1030", "+wavefrontsize64,-wavefrontsize32,+xnack"), "");
    // LLVM 24 takes the operands of both.
    assert_eq!(of("gfx1010", "+wavefrontsize64,+wavefrontsize32"), "");
    assert_eq!(of("gfx900", "-mad-mix-insts"), "-mad-mix-insts");
    assert_eq!(of("gfx1100", "-real-true16"), "");
    assert_eq!(of("gfx1200", "+real-true16"), "");
    assert_eq!(of("gfx1030", "+real-true16"), "+real-true16");
    // Not even a sign can be cut off.
    assert_eq!(of("gfx1030", "\u{feff}+wavefrontsize32"), "");
}
