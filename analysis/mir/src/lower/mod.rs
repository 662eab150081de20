//! From a chunk's flat tree to a [`Function`].
//!
//! `body`, `operand` and `memory` import each other because they nest, as the grammar does.

mod body;
pub use body::bare;
pub mod keys;
pub(super) use keys::key_since;
mod memory;
mod operand;
pub(super) mod rules;
mod yaml;
mod yaml_keys;

use std::borrow::Cow;

use wavelens_isa::mir::Machine;
use wavelens_syntax::machine::{Node, Token};
use wavelens_syntax::mir::MirKind;

pub(super) use rules::UNREAD;

use super::model::{
    CallSite, Constant, FrameObject, Function, FunctionLiveIn, JumpTable, Properties, RegisterDecl, Text,
    VirtualName,
};
use wavelens_base::{Diagnostic, TextRange, TextSize};

type N<'t> = Node<'t, MirKind>;
type T<'t> = Token<'t, MirKind>;

/// A lowered document that should be a machine function.
#[derive(Debug, Default)]
pub(super) struct Document {
    pub function: Option<Function>,
    pub diagnostics: Vec<Diagnostic>,
    /// Findings in `machineFunctionInfo`, for the targets that each holds for.
    pub target: Vec<(&'static [Machine], Diagnostic)>,
}

/// Lowers the last machine function document of a chunk; there is at most one in files that LLVM reads. `error` is where the
/// YAML stops making sense.
pub(super) fn lower(root: N<'_>, error: Option<TextSize>) -> Document {
    let mut result = Document::default();
    for document in root.children().filter(|n| n.kind() == MirKind::DOCUMENT) {
        let Some(value) = document.children().next() else { continue };
        let starts_document = document.token(MirKind::DOC_START).is_some();
        let is_ir = value.kind() == MirKind::BLOCK_SCALAR
            && value.token(MirKind::BLOCK_TEXT).is_none()
            && (starts_document || value.token(MirKind::IR_TEXT).is_some());
        if is_ir || value.kind() == MirKind::NULL {
            continue;
        }
        yaml_keys::repeated_keys(value, error, &mut result.diagnostics);
        let complete = error.is_none() || document.child(MirKind::LEFTOVER).is_some();
        if complete {
            yaml_keys::check(value, &mut result.diagnostics);
        }
        let mut function = head(value);
        function.properties.has_unknown_key |= error.is_some();
        if let Some(info) = yaml::value(value, "machineFunctionInfo").filter(|_| complete) {
            for (machines, fields) in keys::INFOS {
                let mut found = Vec::new();
                yaml_keys::check_target(fields, info, &mut found);
                result.target.extend(found.into_iter().map(|d| (machines, d)));
            }
        }
        if let Some(node) = yaml::value(value, "body").filter(|n| n.kind() == MirKind::BODY) {
            body::lower(node, &mut function);
        }
        result.function = Some(function);
    }
    result
}

/// A function as far as its YAML describes it, without its body.
fn head(mapping: N<'_>) -> Function {
    let mut function = Function::default();
    properties(mapping, &mut function);
    if let Some(info) = yaml::value(mapping, "machineFunctionInfo") {
        target_values(info, &mut function);
    }
    function
}

/// The name of the machine function in a chunk.
pub fn function_name(root: N<'_>) -> Option<String> {
    let documents = root.children().filter(|n| n.kind() == MirKind::DOCUMENT);
    let names = documents.filter_map(|d| yaml::scalar_text(yaml::value(d.children().next()?, "name")?));
    names.last().map(Cow::into_owned)
}

fn text(node: N<'_>) -> Text {
    Text { text: yaml::scalar_text(node).unwrap_or_default().into(), range: yaml::inner_range(node) }
}

fn text_of(mapping: N<'_>, key: &str) -> Text {
    yaml::value(mapping, key).map(text).unwrap_or_default()
}

fn unsigned(mapping: N<'_>, key: &str) -> Option<(u64, TextRange)> {
    yaml::value(mapping, key).and_then(number)
}

fn number(node: N<'_>) -> Option<(u64, TextRange)> {
    Some((yaml::unsigned(&yaml::scalar_text(node)?)?, node.range()))
}

fn flag(mapping: N<'_>, key: &str) -> Option<bool> {
    yaml::boolean(&yaml::scalar_text(yaml::value(mapping, key)?)?)
}

fn list<'t>(mapping: N<'t>, key: &str) -> Vec<N<'t>> {
    yaml::value(mapping, key).map(|n| yaml::items(n).collect()).unwrap_or_default()
}

fn properties(root: N<'_>, function: &mut Function) {
    let p = &mut function.properties;
    p.range = root.range();
    flags(root, p);
    if let Some(frame) = yaml::value(root, "frameInfo") {
        frame_info(frame, p);
    }
    p.callee_saved_registers.extend(list(root, "calleeSavedRegisters").into_iter().map(text));
    p.machine_metadata = list(root, "machineMetadataNodes").into_iter().map(text).collect();
    for entry in list(root, "entry_values") {
        p.entry_value_registers.push(text_of(entry, "entry-value-register"));
        p.entry_value_debug.push(debug_texts(entry));
    }
    register_decls(root, function);
    for entry in list(root, "liveins") {
        let (register, virtual_register) = (text_of(entry, "reg"), text_of(entry, "virtual-reg"));
        function.live_ins.push(FunctionLiveIn { register, virtual_register });
    }
    frame_objects(root, function);
    for entry in list(root, "constants") {
        let Some((id, id_range)) = unsigned(entry, "id") else { continue };
        function.constants.push(Constant {
            id: id as u32,
            id_range,
            value: text_of(entry, "value"),
            target_specific: flag(entry, "isTargetSpecific") == Some(true),
        });
    }
    if let Some(tables) = yaml::value(root, "jumpTable") {
        for entry in list(tables, "entries") {
            let Some((id, id_range)) = unsigned(entry, "id") else { continue };
            let blocks = list(entry, "blocks").into_iter().map(text).collect();
            function.jump_tables.push(JumpTable { id: id as u32, id_range, blocks });
        }
    }
    for entry in list(root, "callSites") {
        let registers = list(entry, "fwdArgRegs").into_iter().map(|r| text_of(r, "reg")).collect();
        function.call_sites.extend(call_site(entry, registers));
    }
    for entry in list(root, "calledGlobals") {
        function.called_globals.extend(call_site(entry, Vec::new()));
    }
}

/// The keys whose values are true or false, and the name.
fn flags(root: N<'_>, p: &mut Properties) {
    for (key, value) in yaml::entries(root) {
        let name = yaml::scalar_text(key).unwrap_or_default();
        let is_known = || keys::FUNCTION.iter().any(|known| known.name == name);
        p.has_unknown_key |= value.kind() != MirKind::NULL && !is_known();
        let on = yaml::scalar_text(value).and_then(|t| yaml::boolean(&t));
        let slot: Option<&'static str> = match name.as_ref() {
            "name" => {
                p.name = text(value);
                None
            }
            "legalized" => {
                p.legalized = on == Some(true);
                Some("legalized")
            }
            "regBankSelected" => {
                p.reg_bank_selected = on == Some(true);
                Some("regBankSelected")
            }
            "selected" => {
                p.selected = on == Some(true);
                Some("selected")
            }
            "failedISel" => {
                p.failed_isel = on == Some(true);
                None
            }
            "tracksRegLiveness" => {
                p.tracks_liveness = on == Some(true);
                Some("tracksRegLiveness")
            }
            "tracksDebugUserValues" => {
                p.tracks_debug_user_values = on == Some(true);
                None
            }
            "hasEHFunclets" => {
                p.may_need_base_pointer |= on == Some(true);
                None
            }
            "noPhis" => {
                p.no_phis = on;
                Some("noPhis")
            }
            "isSSA" => {
                p.is_ssa = on;
                Some("isSSA")
            }
            "noVRegs" => {
                p.no_vregs = on;
                Some("noVRegs")
            }
            "hasFakeUses" => {
                p.has_fake_uses = on;
                Some("hasFakeUses")
            }
            _ => None,
        };
        if let Some(slot) = slot {
            p.ranges.insert(slot, key.range().cover(value.range()));
        }
    }
}

fn frame_info(frame: N<'_>, p: &mut Properties) {
    p.adjusts_stack = flag(frame, "adjustsStack") == Some(true);
    p.has_calls = flag(frame, "hasCalls") == Some(true);
    p.callee_saved_valid = flag(frame, "isCalleeSavedInfoValid") == Some(true);
    p.may_need_base_pointer |= flag(frame, "hasOpaqueSPAdjustment") == Some(true);
    p.stack_size = unsigned(frame, "stackSize").map_or(0, |v| v.0);
    for key in ["stackProtector", "functionContext"] {
        p.stack_refs.push(text_of(frame, key));
    }
    for key in ["savePoint", "restorePoint"] {
        for point in list(frame, key) {
            p.block_refs.push(text_of(point, "point"));
            p.callee_saved_registers.extend(list(point, "registers").into_iter().map(text));
        }
    }
}

fn register_decls(root: N<'_>, function: &mut Function) {
    for entry in list(root, "registers") {
        // A function may have thousands: each is read once.
        let [mut id, mut class, mut preferred, mut flags, mut assigned, mut split_from] = [None; 6];
        for (key, value) in yaml::entries(entry) {
            let slot = match yaml::scalar_text(key).as_deref() {
                Some("id") => &mut id,
                Some("class") => &mut class,
                Some("preferred-register") => &mut preferred,
                Some("flags") => &mut flags,
                Some("assigned-phys") => &mut assigned,
                Some("split-from") => &mut split_from,
                _ => continue,
            };
            slot.get_or_insert(value);
        }
        let Some((id, id_range)) = id.and_then(number) else { continue };
        let id = id as u32;
        let class = class.map(text).unwrap_or_default();
        let register = function.register(VirtualName::Number(id), id_range);
        let decl = RegisterDecl {
            register,
            id_range,
            id,
            class: function.names.add(&class.text),
            class_range: class.range,
            preferred: preferred.map(text).unwrap_or_default(),
            assigned: assigned.map(text).unwrap_or_default(),
            split_from: split_from.map(text).unwrap_or_default(),
            flags: flags.map(|flags| yaml::items(flags).map(text).collect()).unwrap_or_default(),
        };
        function.register_decls.push(decl);
    }
}

fn frame_objects(root: N<'_>, function: &mut Function) {
    for (key, fixed) in [("fixedStack", true), ("stack", false)] {
        for entry in list(root, key) {
            let Some((id, id_range)) = unsigned(entry, "id") else { continue };
            let offset =
                yaml::value(entry, "offset").and_then(yaml::scalar_text).and_then(|t| yaml::signed(&t));
            function.frame.push(FrameObject {
                id: id as u32,
                id_range,
                fixed,
                name: text_of(entry, "name"),
                kind: text_of(entry, "type"),
                offset: offset.unwrap_or(0),
                size: unsigned(entry, "size").map_or(0, |v| v.0),
                stack_id: text_of(entry, "stack-id"),
                callee_saved: text_of(entry, "callee-saved-register"),
                debug: debug_texts(entry),
            });
        }
    }
}

fn debug_texts(entry: N<'_>) -> [Text; 3] {
    ["debug-info-variable", "debug-info-expression", "debug-info-location"].map(|key| text_of(entry, key))
}

fn call_site(entry: N<'_>, registers: Vec<Text>) -> Option<CallSite> {
    Some(CallSite {
        block: unsigned(entry, "bb")?.0 as u32,
        offset: unsigned(entry, "offset")?.0 as u32,
        range: entry.range(),
        registers,
        callee: text_of(entry, "callee"),
    })
}

/// Every value in the target's section, with its key; arguments have their own key in front (`workItemIDX.reg`).
fn target_values(info: N<'_>, function: &mut Function) {
    let values = &mut function.properties.target_values;
    for (key, value) in yaml::entries(info) {
        let Some(key) = yaml::scalar_text(key) else { continue };
        if yaml::scalar_text(value).is_some() {
            values.push((key.into(), text(value)));
            continue;
        }
        for item in yaml::items(value) {
            values.push((key.as_ref().into(), text(item)));
        }
        for (argument, value) in yaml::entries(value) {
            let Some(argument) = yaml::scalar_text(argument) else { continue };
            if let Some(register) = yaml::value(value, "reg") {
                values.push((format!("{argument}.reg").into(), text(register)));
            }
        }
    }
}
