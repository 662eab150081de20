//! Reserved registers: the register allocator does not use them, and their liveness is not checked.

use wavelens_isa::mir::{Machine, Register};

use crate::mir::context::RuleContext;
use crate::mir::model::FrameObject;

/// Whether a register is reserved.
pub(super) fn is_reserved(cx: &RuleContext<'_>, register: Register) -> bool {
    let units = cx.reserved.get_or_init(|| reserved_units(cx));
    let reserved = |u: u16| units.get(usize::from(u)).copied().unwrap_or(false);
    match cx.machine {
        // A tuple with a reserved part is reserved.
        Machine::Amdgpu => cx.t.units(register).any(reserved),
        _ => cx.t.units(register).all(reserved),
    }
}

fn reserved_units(cx: &RuleContext<'_>) -> Vec<bool> {
    let mut reserved: Vec<bool> = cx.t.reserved_units(cx.cpu_rows).collect();
    reserved.push(false);
    let mut set = |name: &str, value: bool| {
        if let Some(register) = cx.t.register(name) {
            for unit in cx.t.units(register) {
                if let Some(slot) = reserved.get_mut(usize::from(unit)) {
                    *slot = value;
                }
            }
        }
    };
    // Reserved in functions that need a base pointer.
    let is_variable = |object: &FrameObject| object.kind.text == "variable-sized";
    if cx.f.properties.may_need_base_pointer || cx.f.frame.iter().any(is_variable) {
        match cx.machine {
            Machine::X86 => set("rbx", true),
            Machine::Aarch64 => set("x19", true),
            _ => {}
        }
    }
    if cx.machine == Machine::Powerpc && may_reserve_toc(cx) {
        set("r2", true);
        set("x2", true);
    }
    // Frame pointers are reserved in functions that need them, some others on some systems.
    let frame: &[&str] = match cx.machine {
        Machine::X86 => &["rbp"],
        // The last two where there is SVE or SME.
        Machine::Aarch64 => &["x18", "fp", "ffr", "za"],
        Machine::Arm => &["r6", "r7", "r9", "r11"],
        Machine::Avr => &["r28", "r29"],
        Machine::Hexagon => &["r19", "r30", "r31"],
        Machine::Loongarch64 => &["r22", "r31"],
        Machine::Mips => &["fp", "fp_64", "s7", "s7_64", "gp", "gp_64", "ra", "ra_64"],
        Machine::Powerpc => &["r13", "r29", "r30", "r31", "x13", "x29", "x30", "x31", "vrsave"],
        Machine::Riscv32 | Machine::Riscv64 => &["x3", "x4", "x8", "x9", "x18", "x27"],
        Machine::Systemz => &["r11d", "r13d", "r14d", "r15d"],
        Machine::Amdgpu | Machine::Nvptx | Machine::Wasm => &[],
    };
    for name in frame {
        set(name, true);
    }
    if cx.machine != Machine::Amdgpu {
        return reserved;
    }
    // The table is that of a plain function; here the function itself says which registers hold its frame.
    for name in ["sgpr0_sgpr1_sgpr2_sgpr3", "sgpr32", "sgpr33"] {
        set(name, false);
    }
    for name in ["private_rsrc_reg", "fp_reg", "sp_reg"] {
        set(name, true);
    }
    for (key, text) in &cx.f.properties.target_values {
        if !key.contains('.') {
            set(text.text.trim().strip_prefix('$').unwrap_or(""), true);
        }
    }
    reserved
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
        crate::testing::findings(crate::Dialect::Mir, &text)
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
    fn the_table_of_contents_of_powerpc() {
        let body = "    BLR8 implicit $lr8, implicit $rm, implicit $x2\n";
        assert!(findings("powerpc64-unknown-aix-xcoff", body).contains("`$x2`"));
        assert!(!findings("powerpc-unknown-linux-gnu", body).contains("`$x2`"));
    }
}
