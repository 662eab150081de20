//! Vulkan SPIR-V to AMDGPU ISA through Mesa's RADV driver, with no GPU and no Vulkan loader.
//!
//! The driver's null winsys (`RADV_FORCE_FAMILY`) compiles pipelines for a chip that is not there. Drivers crash on what they do
//! not expect, so a worker process of ours holds the driver ([`worker`]), one for each family, and may die at any time
//! ([`client`]). Only modules that the checker accepts are handed over.

#[cfg(not(target_family = "wasm"))]
mod capabilities;
pub mod client;
#[cfg(not(target_family = "wasm"))]
mod device;
pub mod driver;
mod lines;
#[cfg(not(target_family = "wasm"))]
mod passthrough;
#[cfg(not(target_family = "wasm"))]
mod pipeline;
#[cfg(not(target_family = "wasm"))]
mod reflect;
mod report;
mod twins;
#[cfg(not(target_family = "wasm"))]
pub mod worker;

pub use report::compile;

use serde::{Deserialize, Serialize};

/// One pipeline to compile.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PipelineRequest {
    /// The module's words, header first.
    pub words: Vec<u32>,
    /// The entry points to compile; empty: all.
    pub entry_points: Vec<String>,
}

/// A compiled pipeline, or why there is none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum PipelineReply {
    /// The stages.
    Compiled(Vec<Executable>),
    /// The driver says why.
    Refused(String),
}

/// What the driver made of one stage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Executable {
    /// The driver's name of the stage (`Compute Shader`).
    pub name: String,
    /// Name of the entry point.
    pub entry: String,
    /// Lanes in a wave: 32 or 64.
    pub subgroup_size: u32,
    /// As the driver names and counts them.
    pub statistics: Vec<(String, u64)>,
    /// The disassembly, with encodings as comments.
    pub assembly: String,
}

impl Executable {
    /// A statistic by the driver's name; 0 where it gives none.
    pub fn statistic(&self, name: &str) -> u64 {
        self.statistics.iter().find(|(n, _)| n == name).map_or(0, |(_, v)| *v)
    }
}

/// Names that `RADV_FORCE_FAMILY` takes for a processor, newest spelling first; empty if the driver does not know it.
pub fn families(target: &str) -> &'static [&'static str] {
    match target {
        "gfx600" => &["tahiti"],
        "gfx601" => &["pitcairn", "verde"],
        "gfx602" => &["oland", "hainan"],
        "gfx700" => &["kaveri"],
        "gfx701" => &["hawaii"],
        "gfx703" => &["kabini"],
        "gfx704" => &["bonaire"],
        "gfx801" => &["carrizo"],
        "gfx802" => &["tonga", "iceland"],
        "gfx803" => &["polaris10", "fiji"],
        "gfx810" => &["stoney"],
        "gfx900" => &["vega10"],
        "gfx902" => &["raven"],
        "gfx904" => &["vega12"],
        "gfx906" => &["vega20"],
        "gfx908" => &["mi100", "arcturus"],
        "gfx909" => &["raven2"],
        "gfx90a" => &["mi200", "aldebaran"],
        "gfx90c" => &["renoir"],
        "gfx1010" => &["navi10"],
        "gfx1011" => &["navi12"],
        "gfx1012" => &["navi14"],
        "gfx1030" => &["navi21"],
        "gfx1031" => &["navi22"],
        "gfx1032" => &["navi23"],
        "gfx1033" => &["vangogh"],
        "gfx1034" => &["navi24"],
        "gfx1035" => &["rembrandt"],
        "gfx1036" => &["raphael_mendocino"],
        "gfx1100" => &["navi31", "gfx1100"],
        "gfx1101" => &["navi32", "gfx1101"],
        "gfx1102" => &["navi33", "gfx1102"],
        "gfx1103" => &["phoenix", "gfx1103_r1"],
        "gfx1200" => &["navi44"],
        "gfx1201" => &["navi48"],
        _ => &[],
    }
}
