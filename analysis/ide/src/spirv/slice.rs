//! Cutting a module down to the entry points that some functions are part of: compilers make no code for what no entry point reaches.

use rustc_hash::{FxHashMap, FxHashSet};
use wavelens_spirv::binary::string;
use wavelens_spirv::encode::Encoded;
use wavelens_syntax::spirv::tables::Op;

/// Leaves out the entry points that do not reach a function of these names: those of entry points, `OpName`s, or ids. When none
/// does, all stay.
pub(crate) fn keep_entry_points(module: &mut Encoded, text: &str, functions: &[String]) {
    let wanted: FxHashSet<&str> = functions.iter().map(|f| f.trim_start_matches('%')).collect();
    let is_wanted = |words: &[u32]| string(words).is_some_and(|(name, _)| wanted.contains(&*name));
    let mut targets: FxHashSet<u32> = FxHashSet::default();
    let mut calls: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
    let mut entries: Vec<u32> = Vec::new();
    let mut function = 0;
    for inst in &module.insts {
        match (inst.opcode(), &inst.words[..]) {
            (Op::Name, [_, id, name @ ..]) if is_wanted(name) => drop(targets.insert(*id)),
            (Op::EntryPoint, [_, _, id, name @ ..]) => {
                entries.push(*id);
                if is_wanted(name) {
                    targets.insert(*id);
                }
            }
            (Op::Function, [_, _, id, ..]) => {
                function = *id;
                let inst = text.get(std::ops::Range::<usize>::from(inst.range)).unwrap_or("");
                if inst
                    .split('=')
                    .next()
                    .is_some_and(|name| wanted.contains(name.trim().trim_start_matches('%')))
                {
                    targets.insert(*id);
                }
            }
            (Op::FunctionCall, [_, _, _, callee, ..]) => calls.entry(function).or_default().push(*callee),
            _ => {}
        }
    }
    let reaches = |entry: &u32| {
        let (mut seen, mut open) = (FxHashSet::default(), vec![*entry]);
        while let Some(function) = open.pop() {
            if targets.contains(&function) {
                return true;
            }
            if seen.insert(function) {
                open.extend(calls.get(&function).into_iter().flatten());
            }
        }
        false
    };
    let kept: FxHashSet<u32> = entries.into_iter().filter(reaches).collect();
    if kept.is_empty() {
        return;
    }
    module.insts.retain(|inst| match (inst.opcode(), &inst.words[..]) {
        (Op::EntryPoint, [_, _, id, ..]) | (Op::ExecutionMode | Op::ExecutionModeId, [_, id, ..]) => {
            kept.contains(id)
        }
        _ => true,
    });
}

/// The result id of the function that holds a line, counted from 0, as it is written.
pub fn function_at(text: &str, line: u32) -> Option<String> {
    let mut found = None;
    for (number, text) in (0..).zip(text.lines()).take_while(|(number, _)| *number <= line) {
        if let Some((name, rest)) = text.split_once('=')
            && rest.trim_start().starts_with("OpFunction ")
        {
            found = Some(name.trim().to_owned());
        } else if text.trim_start().starts_with("OpFunctionEnd") && number < line {
            found = None;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use wavelens_base::Options;
    use wavelens_spirv::encode;

    use super::*;

    const MODULE: &str = "OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %a \"first\"
OpEntryPoint GLCompute %b \"second\"
OpExecutionMode %a LocalSize 1 1 1
OpExecutionMode %b LocalSize 1 1 1
OpName %help \"help(\"
%void = OpTypeVoid
%fn = OpTypeFunction %void
%help = OpFunction %void None %fn
%1 = OpLabel
OpReturn
OpFunctionEnd
%a = OpFunction %void None %fn
%2 = OpLabel
OpReturn
OpFunctionEnd

%b = OpFunction %void None %fn
%3 = OpLabel
%4 = OpFunctionCall %void %help
OpReturn
OpFunctionEnd
";

    fn entry_points(functions: &[&str]) -> Vec<String> {
        let mut module = encode(MODULE, &Options::default());
        let functions: Vec<String> = functions.iter().map(|f| (*f).to_owned()).collect();
        keep_entry_points(&mut module, MODULE, &functions);
        let count = |op| module.insts.iter().filter(|i| i.opcode() == op).count();
        assert_eq!(count(Op::EntryPoint), count(Op::ExecutionMode));
        module
            .insts
            .iter()
            .filter(|i| i.opcode() == Op::EntryPoint)
            .map(|i| string(&i.words[3..]).expect("a name").0)
            .collect()
    }

    #[test]
    fn entry_points_stay_that_reach_what_is_asked_for() {
        assert_eq!(entry_points(&["first"]), ["first"]);
        assert_eq!(entry_points(&["%b"]), ["second"]);
        assert_eq!(entry_points(&["%help"]), ["second"]);
        assert_eq!(entry_points(&["help("]), ["second"]);
        assert_eq!(entry_points(&["x"]), ["first", "second"]);
    }

    #[test]
    fn lines_belong_to_functions() {
        let at = |line| function_at(MODULE, line);
        assert_eq!((at(2), at(10).as_deref(), at(12).as_deref()), (None, Some("%help"), Some("%help")));
        assert_eq!((at(13).as_deref(), at(17), at(20).as_deref()), (Some("%a"), None, Some("%b")));
    }
}
