//! Bodies for those of OpenCL's built-in functions that the hardware has instructions for: where a work-item is, barriers,
//! arithmetic. Functions that need a library (`sin`, `pow`) do not have one.

/// A function's declaration.
struct Declaration<'t> {
    /// Mangled.
    name: &'t str,
    result: &'t str,
    /// Types alone.
    parameters: Vec<&'t str>,
}

/// The definition that goes in place of a declaration, which is given without `declare`.
pub(crate) fn definition(declaration: &str) -> Option<String> {
    let function = Declaration::read(declaration)?;
    work_item_function(&function).or_else(|| barrier(&function)).or_else(|| arithmetic(&function))
}

impl<'t> Declaration<'t> {
    /// `spir_func <2 x float> @_Z3fmaDv2_fS_S_(<2 x float>, <2 x float>, <2 x float> noundef) #1`.
    fn read(declaration: &'t str) -> Option<Self> {
        let (head, rest) = declaration.split_once('@')?;
        let (name, rest) = rest.split_once('(')?;
        let parameters = rest.rsplit_once(')')?.0;
        // Attributes precede a result's type and follow a parameter's.
        let head = head.trim_end();
        let result = match head.rfind('<') {
            Some(at) if head.ends_with('>') => head.get(at..)?,
            _ => head.rsplit(' ').next()?,
        };
        let parameters = parameters.split(", ").filter(|p| !p.is_empty());
        let parameters = parameters.map(|p| match p.find('>') {
            Some(end) if p.starts_with('<') => p.get(..=end).unwrap_or(p),
            _ => p.split(' ').next().unwrap_or(p),
        });
        Some(Declaration { name, result, parameters: parameters.collect() })
    }

    /// The name as it is written in OpenCL, and the first mangled type.
    fn unmangled(&self) -> Option<(&'t str, &'t str)> {
        let rest = self.name.strip_prefix("_Z")?;
        let (length, rest) = rest.split_at(rest.bytes().take_while(u8::is_ascii_digit).count());
        rest.split_at_checked(length.parse().ok()?)
    }

    /// With instructions and what they return, if anything.
    fn define(&self, body: &str, value: &str) -> String {
        let parameters: Vec<String> =
            self.parameters.iter().enumerate().map(|(n, ty)| format!("{ty} %{n}")).collect();
        let (name, result, parameters) = (self.name, self.result, parameters.join(", "));
        let value = if value.is_empty() { String::new() } else { format!(" {value}") };
        format!(
            "define internal {result} @{name}({parameters}) alwaysinline {{\n{body}  ret {result}{value}\n}}\n"
        )
    }
}

/// All of a work-group meet, and see each other's memory.
fn barrier(function: &Declaration<'_>) -> Option<String> {
    let (name, _) = function.unmangled()?;
    let release = "  fence syncscope(\"workgroup\") release\n";
    let acquire = "  fence syncscope(\"workgroup\") acquire\n";
    let meet = match name {
        "barrier" | "work_group_barrier" => "  call void @llvm.amdgcn.s.barrier()\n",
        "mem_fence" | "read_mem_fence" | "write_mem_fence" => "",
        _ => return None,
    };
    (function.result == "void").then(|| function.define(&format!("{release}{meet}{acquire}"), ""))
}

/// Functions of floating-point numbers, and LLVM's intrinsics that are the same.
const OF_FLOATS: &[(&str, &str)] = &[
    ("ceil", "ceil"),
    ("copysign", "copysign"),
    ("exp", "exp"),
    ("exp2", "exp2"),
    ("fabs", "fabs"),
    ("floor", "floor"),
    ("fma", "fma"),
    ("fmax", "maxnum"),
    ("fmin", "minnum"),
    ("log", "log"),
    ("log2", "log2"),
    ("mad", "fmuladd"),
    ("native_cos", "cos"),
    ("native_exp2", "exp2"),
    ("native_log2", "log2"),
    ("native_sin", "sin"),
    ("native_sqrt", "sqrt"),
    ("rint", "rint"),
    ("round", "round"),
    ("sqrt", "sqrt"),
    ("trunc", "trunc"),
];

/// What is one intrinsic of operands of the result's type.
fn arithmetic(function: &Declaration<'_>) -> Option<String> {
    let (name, mangled) = function.unmangled()?;
    let ty = function.result;
    let (count, scalar) = match ty.strip_prefix('<').and_then(|t| t.strip_suffix('>')?.split_once(" x ")) {
        Some((count, scalar)) => (format!("v{count}"), scalar),
        None => (String::new(), ty),
    };
    let (suffix, is_float) = match scalar {
        "half" => ("f16", true),
        "float" => ("f32", true),
        "double" => ("f64", true),
        "i8" | "i16" | "i32" | "i64" => (scalar, false),
        _ => return None,
    };
    // `c`, `s`, `i` and `l` are signed; the type of a vector follows `Dv4_`.
    let element = mangled.strip_prefix("Dv").and_then(|m| Some(m.split_once('_')?.1)).unwrap_or(mangled);
    let is_signed = element.starts_with(['c', 's', 'i', 'l']);
    let intrinsic = match (name, is_float, is_signed) {
        (_, true, _) => OF_FLOATS.iter().find(|(own, _)| *own == name)?.1,
        ("popcount", ..) => "ctpop",
        ("max", _, true) => "smax",
        ("max", ..) => "umax",
        ("min", _, true) => "smin",
        ("min", ..) => "umin",
        _ => return None,
    };
    if function.parameters.iter().any(|parameter| *parameter != ty) {
        return None;
    }
    let operands: Vec<String> = (0..function.parameters.len()).map(|n| format!("{ty} %{n}")).collect();
    let call = format!("  %value = call {ty} @llvm.{intrinsic}.{count}{suffix}({})\n", operands.join(", "));
    Some(function.define(&call, "%value"))
}

/// A body for a function that asks where a work-item is. Sizes come from the hidden
/// arguments of code object version 5 (source: LLVM's AMDGPU usage guide, "Kernel Argument Metadata").
fn work_item_function(function: &Declaration<'_>) -> Option<String> {
    let (name, ty) = (function.name, function.result);
    if !matches!(ty, "i32" | "i64") {
        return None;
    }
    let mut body = String::new();
    let value = match name {
        "_Z12get_local_idj" => of_dimension(&mut body, "local", "call i32 @llvm.amdgcn.workitem.id"),
        "_Z12get_group_idj" => of_dimension(&mut body, "group", "call i32 @llvm.amdgcn.workgroup.id"),
        "_Z14get_local_sizej" => hidden(&mut body, "size", 12, 2, "i16"),
        "_Z14get_num_groupsj" => hidden(&mut body, "count", 0, 4, "i32"),
        "_Z15get_global_sizej" => {
            let (count, size) =
                (hidden(&mut body, "count", 0, 4, "i32"), hidden(&mut body, "size", 12, 2, "i16"));
            body.push_str(&format!("  %global = mul i32 {count}, {size}\n"));
            "%global".to_owned()
        }
        "_Z13get_global_idj" => {
            let group = of_dimension(&mut body, "group", "call i32 @llvm.amdgcn.workgroup.id");
            let size = hidden(&mut body, "size", 12, 2, "i16");
            let local = of_dimension(&mut body, "local", "call i32 @llvm.amdgcn.workitem.id");
            body.push_str(&format!("  %first = mul i32 {group}, {size}\n  %id = add i32 %first, {local}\n"));
            "%id".to_owned()
        }
        _ => return None,
    };
    let result = match ty {
        "i64" => {
            body.push_str(&format!("  %wide = zext i32 {value} to i64\n"));
            "%wide".to_owned()
        }
        _ => value,
    };
    Some(function.define(&body, &result))
}

/// The value of an intrinsic that there is one of for each dimension `%0`.
fn of_dimension(body: &mut String, name: &str, call: &str) -> String {
    for axis in ["x", "y", "z"] {
        body.push_str(&format!("  %{name}.{axis} = {call}.{axis}()\n"));
    }
    body.push_str(&format!(
        "  %{name}.is.x = icmp eq i32 %0, 0\n  %{name}.is.y = icmp eq i32 %0, 1\n\
         \x20 %{name}.yz = select i1 %{name}.is.y, i32 %{name}.y, i32 %{name}.z\n\
         \x20 %{name} = select i1 %{name}.is.x, i32 %{name}.x, i32 %{name}.yz\n"
    ));
    format!("%{name}")
}

/// A hidden argument of each dimension `%0`: the first at an offset, each a number of bytes further.
fn hidden(body: &mut String, name: &str, offset: u32, step: u32, ty: &str) -> String {
    body.push_str(&format!(
        "  %{name}.arguments = call ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()\n\
         \x20 %{name}.steps = mul i32 %0, {step}\n  %{name}.offset = add i32 %{name}.steps, {offset}\n\
         \x20 %{name}.at = getelementptr i8, ptr addrspace(4) %{name}.arguments, i32 %{name}.offset\n\
         \x20 %{name}.raw = load {ty}, ptr addrspace(4) %{name}.at\n"
    ));
    if ty == "i32" {
        return format!("%{name}.raw");
    }
    body.push_str(&format!("  %{name} = zext {ty} %{name}.raw to i32\n"));
    format!("%{name}")
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn what_is_an_instruction_has_a_body() {
        let declarations = [
            "spir_func void @_Z7barrierj(i32) local_unnamed_addr #1",
            "spir_func <2 x float> @_Z3fmaDv2_fS_S_(<2 x float>, <2 x float>, <2 x float> noundef) #1",
            "spir_func noundef i32 @_Z3maxjj(i32, i32)",
            "spir_func <4 x i16> @_Z3minDv4_sS_(<4 x i16>, <4 x i16>)",
        ];
        expect![[r#"
            define internal void @_Z7barrierj(i32 %0) alwaysinline {
              fence syncscope("workgroup") release
              call void @llvm.amdgcn.s.barrier()
              fence syncscope("workgroup") acquire
              ret void
            }
            define internal <2 x float> @_Z3fmaDv2_fS_S_(<2 x float> %0, <2 x float> %1, <2 x float> %2) alwaysinline {
              %value = call <2 x float> @llvm.fma.v2f32(<2 x float> %0, <2 x float> %1, <2 x float> %2)
              ret <2 x float> %value
            }
            define internal i32 @_Z3maxjj(i32 %0, i32 %1) alwaysinline {
              %value = call i32 @llvm.umax.i32(i32 %0, i32 %1)
              ret i32 %value
            }
            define internal <4 x i16> @_Z3minDv4_sS_(<4 x i16> %0, <4 x i16> %1) alwaysinline {
              %value = call <4 x i16> @llvm.smin.v4i16(<4 x i16> %0, <4 x i16> %1)
              ret <4 x i16> %value
            }
        "#]]
        .assert_eq(&declarations.iter().filter_map(|d| definition(d)).collect::<String>());
    }

    #[test]
    fn others_stay_calls() {
        let declarations = [
            "spir_func float @_Z3sinf(float)",
            "spir_func <4 x float> @_Z4fminDv4_ff(<4 x float>, float)",
            "spir_func i32 @_Z4sqrti(i32)",
            "spir_func i32 @_Z7barrierj(i32)",
            "spir_func void @mine(i32)",
            "i32 @llvm.ctpop.i32(i32) #3",
        ];
        assert!(declarations.iter().all(|d| definition(d).is_none()));
    }
}
