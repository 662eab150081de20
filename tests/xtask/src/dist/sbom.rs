//! Bills of materials: the crates inside the program, as CycloneDX 1.5.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use super::Release;
use crate::Outcome;
use crate::repository::{output, root, write};

/// `wavelens-VERSION-TARGET.cdx.json`.
pub(crate) fn make(release: &Release, out: &Path) -> Outcome<PathBuf> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(root()).args(["metadata", "--format-version", "1", "--locked"]);
    let printed = output(cargo.args(["--filter-platform", &release.target]))?;
    let metadata: Value = serde_json::from_slice(&printed).map_err(|e| format!("cargo metadata: {e}"))?;
    let bill = bill(&metadata, "wavelens").ok_or("cargo metadata does not name the program")?;
    let path = out.join(format!("wavelens-{}-{}.cdx.json", release.version, release.target));
    write(&path, format!("{bill:#}\n"))?;
    Ok(path)
}

/// The bill of a package of `cargo metadata`: what is linked into it, without what only builds or tests it.
pub(crate) fn bill(metadata: &Value, program: &str) -> Option<Value> {
    let packages: BTreeMap<&str, &Value> =
        metadata["packages"].as_array()?.iter().filter_map(|p| Some((p["id"].as_str()?, p))).collect();
    let needs: BTreeMap<&str, Vec<&str>> = metadata["resolve"]["nodes"]
        .as_array()?
        .iter()
        .filter_map(|node| {
            Some((node["id"].as_str()?, node["deps"].as_array()?.iter().filter_map(linked).collect()))
        })
        .collect();
    let (top, _) = packages.iter().find(|(_, package)| package["name"] == program)?;
    let (mut todo, mut inside) = (vec![*top], BTreeSet::new());
    while let Some(id) = todo.pop() {
        if inside.insert(id) {
            todo.extend(needs.get(id).into_iter().flatten());
        }
    }
    let reference = |id: &str| packages.get(id).map(|package| purl(package)).unwrap_or_default();
    let components: Vec<Value> = inside
        .iter()
        .filter(|id| *id != top)
        .filter_map(|id| Some(component(packages.get(id)?, "library")))
        .collect();
    let dependencies: Vec<Value> = inside
        .iter()
        .map(|id| {
            let on: BTreeSet<String> = needs.get(id).into_iter().flatten().map(|id| reference(id)).collect();
            json!({ "ref": reference(id), "dependsOn": on })
        })
        .collect();
    Some(json!({
        "$schema": "http://cyclonedx.org/schema/bom-1.5.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": { "component": component(packages.get(top)?, "application") },
        "components": components,
        "dependencies": dependencies,
    }))
}

/// The id of a dependency that becomes part of the program.
fn linked(dependency: &Value) -> Option<&str> {
    let kinds = dependency["dep_kinds"].as_array()?;
    kinds.iter().any(|kind| kind["kind"].is_null()).then(|| dependency["pkg"].as_str())?
}

fn purl(package: &Value) -> String {
    let text = |key: &str| package[key].as_str().unwrap_or_default().replace('+', "%2B");
    format!("pkg:cargo/{}@{}", text("name"), text("version"))
}

fn component(package: &Value, kind: &str) -> Value {
    let mut component = json!({
        "type": kind,
        "bom-ref": purl(package),
        "name": package["name"],
        "version": package["version"],
        "purl": purl(package),
    });
    if let Some(licence) = package["license"].as_str() {
        // Older crates separate licences by a slash.
        component["licenses"] = json!([{ "expression": licence.replace('/', " OR ").replace("  ", " ") }]);
    }
    component
}
