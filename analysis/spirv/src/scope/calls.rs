//! The call graph: which entry points reach which functions, and whether calls form cycles.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{EntryPoint, References, Scope};
use crate::code::Id;
use wavelens_base::cfg::Cfg;
use wavelens_base::cfg::sets::{self, Sets};

/// Numbers that the sets of a batch of entry points have, each of 64 bits.
const BATCH_WORDS: usize = 4 << 20;

/// Functions as the nodes of a graph. Node 0 calls what entry points name.
pub(super) struct CallGraph {
    functions: Vec<Id>,
    nodes: FxHashMap<Id, u32>,
    graph: Cfg,
    /// Nodes that an entry point reaches, callers first.
    order: Vec<u32>,
    /// Places of nodes in `order`.
    places: Vec<usize>,
    /// A number for each entry point: those of one model and with the same modes, which are alike for most rules, have the same.
    kinds: Vec<u32>,
}

impl CallGraph {
    fn new(scope: &Scope) -> Self {
        let mut functions: Vec<Id> = scope.functions.keys().copied().collect();
        functions.sort_unstable();
        let nodes: FxHashMap<Id, u32> = functions.iter().copied().zip(1..).collect();
        let starts = scope.entry_points.iter().filter_map(|entry| nodes.get(&entry.function).copied());
        let callees = functions.iter().map(|id| {
            let calls = scope.functions.get(id).map_or(&[][..], |f| &f.calls);
            calls.iter().filter_map(|callee| nodes.get(callee).copied()).collect::<Vec<u32>>()
        });
        let graph = Cfg::new([starts.collect()].into_iter().chain(callees));
        let order = graph.reverse_post_order();
        let mut places = vec![usize::MAX; graph.len()];
        for (place, node) in order.iter().enumerate() {
            if let Some(slot) = places.get_mut(*node as usize) {
                *slot = place;
            }
        }
        CallGraph { functions, nodes, graph, order, places, kinds: kinds(scope) }
    }

    fn place(&self, node: u32) -> usize {
        self.places.get(node as usize).copied().unwrap_or(usize::MAX)
    }

    /// Nodes from which calls lead into a cycle.
    fn recursive(&self) -> FxHashSet<u32> {
        let mut recursive = FxHashSet::default();
        for node in self.order.iter().rev() {
            // A call of what comes no later is one of a caller, direct or not.
            let is_back = |callee: &u32| self.place(*callee) <= self.place(*node);
            if self.graph.successors(*node).iter().any(|callee| is_back(callee) || recursive.contains(callee))
            {
                recursive.insert(*node);
            }
        }
        recursive
    }

    /// The entry points that reach each node, as places in `batch`, the nodes of their functions.
    fn reach(&self, batch: &[Option<u32>]) -> Sets {
        let mut reached = Sets::new(self.graph.len(), batch.len());
        for (number, node) in (0..).zip(batch) {
            if let Some(node) = node {
                reached.add(*node, number);
            }
        }
        let mut again = Vec::new();
        for node in self.order.iter().filter(|node| **node != 0) {
            for callee in self.graph.successors(*node) {
                if reached.add_all(*callee, *node) && self.place(*callee) <= self.place(*node) {
                    again.push(*callee);
                }
            }
        }
        while let Some(node) = again.pop() {
            for callee in self.graph.successors(node) {
                if reached.add_all(*callee, node) {
                    again.push(*callee);
                }
            }
        }
        reached
    }
}

/// [`CallGraph::kinds`].
fn kinds(scope: &Scope) -> Vec<u32> {
    let mut numbers: FxHashMap<(u32, Vec<u32>), u32> = FxHashMap::default();
    let kind = |entry: &EntryPoint| {
        let mut modes: Vec<u32> = scope.modes_of(entry.function).collect();
        modes.sort_unstable();
        let next = numbers.len() as u32;
        *numbers.entry((entry.model, modes)).or_insert(next)
    };
    scope.entry_points.iter().map(kind).collect()
}

impl Scope {
    /// Says of functions who calls them and which entry points reach them.
    pub(super) fn read_calls(&mut self) -> CallGraph {
        for (index, entry) in (0..).zip(&self.entry_points) {
            self.entry_points_of.entry(entry.function).or_default().push(index);
            let models = self.models_of.entry(entry.function).or_default();
            if !models.contains(&entry.model) {
                models.push(entry.model);
            }
        }
        let graph = CallGraph::new(self);
        let recursive = graph.recursive();
        let called: FxHashSet<Id> = self.functions.values().flat_map(|f| f.calls.iter().copied()).collect();
        for (id, function) in &mut self.functions {
            function.is_called = called.contains(id);
            function.is_recursive = graph.nodes.get(id).is_some_and(|node| recursive.contains(node));
        }
        let mut alike: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (index, kind) in (0..).zip(graph.kinds.iter().copied()) {
            alike.entry(kind).or_default().push(index);
        }
        let mut reached_by = vec![u32::MAX; graph.graph.len()];
        for (kind, entry_points) in alike {
            for index in entry_points {
                let entry = self.entry_points.get(index as usize);
                let mut work: Vec<u32> =
                    entry.and_then(|e| graph.nodes.get(&e.function)).copied().into_iter().collect();
                while let Some(node) = work.pop() {
                    let Some(by) = reached_by.get_mut(node as usize) else { continue };
                    if std::mem::replace(by, kind) == kind {
                        continue;
                    }
                    let id = graph.functions.get(node as usize - 1);
                    if let Some(function) = id.and_then(|id| self.functions.get_mut(id)) {
                        function.entry_points.push(index);
                    }
                    work.extend(graph.graph.successors(node));
                }
            }
        }
        self.functions.values_mut().for_each(|function| function.entry_points.sort_unstable());
        graph
    }

    /// Execution models that each function of an entry point has.
    pub(super) fn read_common_models(&mut self) {
        let models = |models: &Vec<u32>| -> FxHashSet<u32> { models.iter().copied().collect() };
        let common = self.models_of.values().map(models).reduce(|all, models| &all & &models);
        self.common_models = common.unwrap_or_default();
    }

    /// The entry points that reach those functions that use an id, for each of the ids.
    pub(super) fn read_references(&mut self, graph: &CallGraph, used: FxHashMap<Id, Vec<Id>>) {
        if used.is_empty() {
            return;
        }
        let used: Vec<(Id, Vec<u32>)> = used
            .into_iter()
            .map(|(id, functions)| {
                (id, functions.iter().filter_map(|function| graph.nodes.get(function).copied()).collect())
            })
            .collect();
        let starts: Vec<Option<u32>> =
            self.entry_points.iter().map(|entry| graph.nodes.get(&entry.function).copied()).collect();
        let words = (BATCH_WORDS / graph.graph.len().max(1)).max(1);
        let mut rows: Vec<Vec<u64>> = vec![Vec::new(); used.len()];
        for batch in starts.chunks(words * 64) {
            let reached = graph.reach(batch);
            for (row, (_, users)) in rows.iter_mut().zip(&used) {
                let first = row.len();
                row.resize(first + batch.len().div_ceil(64), 0);
                for user in users {
                    row.iter_mut().skip(first).zip(reached.row(*user)).for_each(|(word, more)| *word |= more);
                }
            }
        }
        // Most variables are used by the same entry points as others.
        let mut known: FxHashMap<Vec<u64>, Arc<References>> = FxHashMap::default();
        for (row, (id, _)) in rows.into_iter().zip(used) {
            let references = known.entry(row).or_insert_with_key(|row| {
                let mut seen = FxHashSet::default();
                let is_first =
                    |index: &u32| graph.kinds.get(*index as usize).is_some_and(|kind| seen.insert(kind));
                let kinds = sets::numbers(row).filter(is_first).collect();
                Arc::new(References { row: row.clone(), kinds })
            });
            self.references.insert(id, references.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use wavelens_base::Dialect;
    use wavelens_check::testing::findings;

    /// Functions without parameters, each with its instructions; `e0`, `e1` and so on are entry points.
    fn module(functions: &[(&str, &str)]) -> String {
        let mut text =
            "; target-env: vulkan1.3\nOpCapability Shader\nOpMemoryModel Logical GLSL450\n".to_owned();
        let entries = || functions.iter().map(|(name, _)| name).filter(|name| name.starts_with('e'));
        text.extend(entries().map(|name| format!("OpEntryPoint GLCompute %{name} \"{name}\"\n")));
        text.extend(entries().map(|name| format!("OpExecutionMode %{name} LocalSize 1 1 1\n")));
        text += "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%int = OpTypeInt 32 0\n";
        text += "%pointer = OpTypePointer Private %int\n%v = OpVariable %pointer Private\n";
        for (name, body) in functions {
            text += &format!(
                "%{name} = OpFunction %void None %fn\n%{name}_l = OpLabel\n{body}OpReturn\nOpFunctionEnd\n"
            );
        }
        text
    }

    fn call(from: &str, to: &str) -> String {
        format!("%{from}_{to} = OpFunctionCall %void %{to}\n")
    }

    #[test]
    fn every_entry_point_that_reaches_a_use_is_known() {
        let names: Vec<String> = (0..130).map(|i| format!("e{i}")).collect();
        let bodies: Vec<String> = names
            .iter()
            .zip(0..)
            .map(|(name, i)| if i % 64 == 1 { call(name, "f") } else { String::new() })
            .collect();
        let mut functions: Vec<(&str, &str)> =
            names.iter().zip(&bodies).map(|(name, body)| (name.as_str(), body.as_str())).collect();
        let to_g = call("f", "g");
        functions.extend([("f", to_g.as_str()), ("g", "%x = OpLoad %int %v\n")]);
        let found = findings(Dialect::Spirv, &module(&functions));
        let errors = found.lines().filter(|line| line.starts_with("error[interface]"));
        let names: Vec<&str> = errors.filter_map(|line| line.split('"').nth(1)).collect();
        assert_eq!(names, ["e1", "e65", "e129"]);
    }

    #[test]
    fn a_use_in_a_cycle_is_reached_from_everywhere_in_it() {
        let (a, b, c) = (call("f", "g"), call("g", "h"), call("h", "f") + "%x = OpLoad %int %v\n");
        let (e0, e1) = (call("e0", "f"), call("e1", "h"));
        let functions = [("e0", e0.as_str()), ("e1", &e1), ("e2", ""), ("f", &a), ("g", &b), ("h", &c)];
        expect![[r#"
            error[interface] 4:1 `OpEntryPoint GLCompute %e0 "e0"`: `%v` is used by this entry point but missing from its interface, which since SPIR-V 1.4 lists all global variables; this module is read as version 1.6
              14:1 `%v`: the variable
              fix: Add `%v`
              | OpEntryPoint GLCompute %e0 "e0" %v
            error[entry-point] 4:24 `%e0`: in Vulkan, the call graph of an entry point must not have a cycle [VUID-StandaloneSpirv-None-04634]
              15:1 `%e0`: defined here
            error[interface] 5:1 `OpEntryPoint GLCompute %e1 "e1"`: `%v` is used by this entry point but missing from its interface, which since SPIR-V 1.4 lists all global variables; this module is read as version 1.6
              14:1 `%v`: the variable
              fix: Add `%v`
              | OpEntryPoint GLCompute %e1 "e1" %v
            error[entry-point] 5:24 `%e1`: in Vulkan, the call graph of an entry point must not have a cycle [VUID-StandaloneSpirv-None-04634]
              20:1 `%e1`: defined here
        "#]].assert_eq(&findings(Dialect::Spirv, &module(&functions)));
    }
}
