//! Reserved registers: the register allocator does not use them, and their liveness is not checked.

use std::sync::LazyLock;

use wavelens_isa::mir::{Machine, Register};

use crate::context::RuleContext;
use crate::model::FrameObject;

/// Whether a register is reserved.
pub(super) fn is_reserved(cx: &RuleContext<'_>, register: Register) -> bool {
    let exceptions = cx.reserved.get_or_init(|| exceptions(cx));
    let reserved = |unit: u16| match exceptions.binary_search_by_key(&unit, |(unit, _)| *unit) {
        Ok(at) => exceptions.get(at).is_some_and(|(_, is_reserved)| *is_reserved),
        Err(_) => cx.t.is_reserved_unit(cx.cpu_rows, unit),
    };
    match cx.machine {
        // A tuple with a reserved part is reserved.
        Machine::Amdgpu => cx.t.units(register).any(reserved),
        _ => cx.t.units(register).all(reserved),
    }
}

/// Registers that some functions of a machine reserve: frame pointers, and others on some systems.
fn frame_registers(machine: Machine) -> &'static [&'static str] {
    match machine {
        Machine::X86 => &["rbp"],
        // The last two where there is SVE or SME.
        Machine::Aarch64 => &["x18", "fp", "ffr", "za"],
        Machine::Arm => &["r6", "r7", "r9", "r11"],
        Machine::Avr => &["r28", "r29"],
        Machine::Hexagon => &["r19", "r30", "r31"],
        Machine::Loongarch64 => &["r22", "r31"],
        Machine::M68k => &["a5", "a6"],
        Machine::Mips => &["fp", "fp_64", "s7", "s7_64", "gp", "gp_64", "ra", "ra_64"],
        Machine::Powerpc => &["r13", "r29", "r30", "r31", "x13", "x29", "x30", "x31", "vrsave"],
        Machine::Riscv32 | Machine::Riscv64 => &["x3", "x4", "x8", "x9", "x18", "x27"],
        Machine::Systemz => &["r11d", "r13d", "r14d", "r15d"],
        Machine::Amdgpu | Machine::Nvptx | Machine::Wasm => &[],
    }
}

/// The units of registers that the function reserves or not, sorted; of several statements about a unit the last holds.
fn exceptions(cx: &RuleContext<'_>) -> Vec<(u16, bool)> {
    let mut found: Vec<(u16, bool)> = Vec::new();
    let mut set = |register: Option<Register>, is_reserved: bool| {
        for unit in register.into_iter().flat_map(|register| cx.t.units(register)) {
            match found.binary_search_by_key(&unit, |(unit, _)| *unit) {
                Ok(at) => found[at].1 = is_reserved,
                Err(at) => found.insert(at, (unit, is_reserved)),
            }
        }
    };
    // Reserved in functions that need a base pointer.
    let is_variable = |object: &FrameObject| object.kind.text == "variable-sized";
    if cx.f.properties.may_need_base_pointer || cx.f.frame.iter().any(is_variable) {
        match cx.machine {
            Machine::X86 => set(cx.t.register("rbx"), true),
            Machine::Aarch64 => set(cx.t.register("x19"), true),
            _ => {}
        }
    }
    if cx.machine == Machine::Powerpc && may_reserve_toc(cx) {
        set(cx.t.register("r2"), true);
        set(cx.t.register("x2"), true);
    }
    for name in frame_registers(cx.machine) {
        set(cx.t.register(name), true);
    }
    if cx.machine != Machine::Amdgpu {
        return found;
    }
    // The table is that of a plain function; here the function itself says which registers hold its frame.
    static FRAME: LazyLock<[(Option<Register>, bool); 6]> = LazyLock::new(|| {
        let registers = [
            ("sgpr0_sgpr1_sgpr2_sgpr3", false),
            ("sgpr32", false),
            ("sgpr33", false),
            ("private_rsrc_reg", true),
            ("fp_reg", true),
            ("sp_reg", true),
        ];
        registers.map(|(name, is_reserved)| (Machine::Amdgpu.tables().register(name), is_reserved))
    });
    for number in cx.scope.vgprs_of(cx.ir).unwrap_or(256)..256 {
        set(cx.t.register(&format!("vgpr{number}")), true);
    }
    FRAME.iter().for_each(|(register, is_reserved)| set(*register, *is_reserved));
    for (key, text) in &cx.f.properties.target_values {
        if !key.contains('.') {
            set(cx.t.register(text.text.trim().strip_prefix('$').unwrap_or("")), true);
        }
    }
    found
}

/// Whether the register of the table of contents may be reserved: with 64 bits only inline assembly and instruction selection do so.
fn may_reserve_toc(cx: &RuleContext<'_>) -> bool {
    let arch = cx.scope.llvm.triple.as_deref().and_then(|triple| triple.split('-').next()).unwrap_or("");
    !arch.contains("64") || cx.f.instructions.iter().any(|i| cx.f.opcode_text(i).starts_with("INLINEASM"))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    fn findings(triple: &str, body: &str) -> String {
        let ir = format!("--- |\n  target triple = \"{triple}\"\n  define void @f() {{ ret void }}\n...\n");
        let text = format!("{ir}---\nname: f\ntracksRegLiveness: true\nbody: |\n  bb.0:\n{body}...\n");
        wavelens_check::testing::findings(wavelens_base::Dialect::Mir, &text)
    }

    #[test]
    fn base_pointers_are_reserved_only_where_needed() {
        let body = "    $eax = COPY $ebx\n";
        assert!(findings("x86_64-linux-gnu", body).contains("`$ebx`"));
        let body = "    $w0 = ORRWrs $wzr, $w19, 0\n";
        assert!(findings("aarch64-linux-gnu", body).contains("`$w19`"));
    }

    #[test]
    fn the_stack_pointer_is_not_renamable() {
        let body = "    $sp = SUBXri renamable $sp, 1, 0\n";
        expect![[r#"
            error[operand-class] 10:18 `renamable $sp`: reserved register `$sp` must not be `renamable`
        "#]]
        .assert_eq(&findings("aarch64-linux-gnu", body));
    }

    #[test]
    fn vgprs_beyond_the_limit_of_a_function() {
        let of = |attribute: &str| {
            let ir = format!("--- |\n  define void @f() {attribute} {{ ret void }}\n...\n");
            let body = "  bb.0:\n    $vgpr0 = COPY $vgpr31\n";
            let text = format!("{ir}---\nname: f\ntracksRegLiveness: true\nbody: |\n{body}...\n");
            wavelens_check::testing::findings(wavelens_base::Dialect::Mir, &text)
        };
        assert_eq!(of("\"amdgpu-waves-per-eu\"=\"10,10\""), "");
        assert_eq!(of("\"amdgpu-num-vgpr\"=\"24\""), "");
        assert!(of("\"amdgpu-waves-per-eu\"=\"1,10\"").contains("`$vgpr31`"));
    }

    #[test]
    fn the_table_of_contents_of_powerpc() {
        let body = "    BLR8 implicit $lr8, implicit $rm, implicit $x2\n";
        assert!(findings("powerpc64-unknown-aix-xcoff", body).contains("`$x2`"));
        assert!(!findings("powerpc-unknown-linux-gnu", body).contains("`$x2`"));
    }
}
