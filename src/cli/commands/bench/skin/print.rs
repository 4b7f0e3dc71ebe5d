//! The figures of `sinew bench --only skin` as a table and as JSON.

use std::io::{self, Write};

use crate::analysis::compare::Bits;
use crate::render::kernels::{Outputs, SlotsIn, Times, Traffic};
use crate::skinning::SkinningMode;
use crate::skinning::cpu::Exactness;
use crate::vulkan::PhysicalDevice;
use serde::Serialize;

use super::super::print::Spread;

/// Everything above the rows.
#[derive(Serialize)]
pub struct Head {
    only: &'static str,
    pub device: String,
    driver: String,
    /// The device's own copy between two buffers: bytes read and written a second, in 10⁹.
    copy_gb_per_s: f64,
    copy_ms: Spread,
    /// The clock that measured the copy.
    clock: &'static str,
}

/// The mesh of some rows.
pub struct Subject {
    pub figures: u32,
    /// The largest number of joints of a vertex; of a model, in whole spans of four.
    pub influences: u32,
    /// The order of made-up vertices.
    pub order: Option<&'static str>,
}

/// A kernel's cost.
#[derive(Serialize)]
pub struct Row {
    pub mode: &'static str,
    /// `exact`, or `fast` if the driver may fuse operations.
    pub exactness: &'static str,
    /// The last stream that the kernel writes.
    pub outputs: &'static str,
    pub influences: u32,
    pub order: Option<&'static str>,
    pub figures: u32,
    /// Number of vertices of all figures.
    pub vertices: u64,
    palette: &'static str,
    /// Number of measured runs.
    runs: usize,
    clock: &'static str,
    ms: Spread,
    vertices_per_s: f64,
    pub ns_per_vertex: f64,
    /// The CPU's fast path on one thread, as exact as the kernel.
    cpu_ns_per_vertex: f64,
    /// Bytes that must be moved at least once a run, for each vertex.
    bytes_per_vertex: f64,
    gb_per_s: f64,
    /// `gb_per_s`, relative to the device's own copy.
    share_of_copy: f64,
    /// Bytes of all figures' palettes.
    palette_bytes: u64,
    /// Numbers compared with the CPU twin, and those that differ.
    compared: u64,
    differing: u64,
}

impl Head {
    /// Summarises the device's own copy.
    pub fn new(physical: &PhysicalDevice, bytes: u64, copied: &Times) -> Self {
        let copy_ms = Spread::of(&copied.millis);
        Self {
            only: "skin",
            device: physical.name.clone(),
            driver: physical.driver.clone(),
            copy_gb_per_s: bytes as f64 / copy_ms.median.max(1e-9) / 1e6,
            copy_ms,
            clock: clock(copied),
        }
    }
}

impl Row {
    /// Summarises a kernel's runs.
    pub fn new(
        (mode, exactness, outputs, palette): (SkinningMode, Exactness, Outputs, SlotsIn),
        subject: &Subject,
        traffic: Traffic,
        (measured, bits, cpu_ns_per_vertex): (&Times, &Bits, f64),
        head: &Head,
    ) -> Self {
        let Traffic { vertices, source, palettes, result } = traffic;
        let ms = Spread::of(&measured.millis);
        let bytes = (source + palettes + result) as f64;
        let each = vertices.max(1) as f64;
        let gb_per_s = bytes / ms.median.max(1e-9) / 1e6;
        Self {
            mode: mode.name(),
            exactness: match exactness {
                Exactness::Twin => "exact",
                Exactness::Bounds => "fast",
            },
            outputs: outputs.name(),
            influences: subject.influences,
            order: subject.order,
            figures: subject.figures,
            vertices,
            palette: palette.name(),
            runs: measured.millis.len(),
            clock: clock(measured),
            ms,
            vertices_per_s: each * 1e3 / ms.median.max(1e-9),
            ns_per_vertex: ms.median * 1e6 / each,
            cpu_ns_per_vertex,
            bytes_per_vertex: bytes / each,
            gb_per_s,
            share_of_copy: gb_per_s / head.copy_gb_per_s.max(1e-9),
            palette_bytes: palettes,
            compared: bits.components,
            differing: bits.differing,
        }
    }

    /// Writes the row of the table.
    pub fn line(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(
            out,
            "{:<11} {:<5} {:<9} {:>10} {:<8} {:>7} {:>9} {:>9.3} {:>9.3} {:>9.1} {:>8.3} {:>7.3} {:>7.1} {:>7.2} {:>6.1} {:>11.1}",
            self.mode,
            self.exactness,
            self.outputs,
            self.influences,
            self.order.unwrap_or("-"),
            self.figures,
            self.vertices,
            self.ms.median,
            self.ms.p95,
            self.vertices_per_s / 1e6,
            self.ns_per_vertex,
            self.cpu_ns_per_vertex,
            self.bytes_per_vertex,
            self.gb_per_s,
            self.share_of_copy * 100.0,
            self.palette_bytes as f64 / 1024.0
        )
    }
}

/// Writes the names of the columns.
pub fn heading(head: &Head, out: &mut dyn Write) -> io::Result<()> {
    let Head { device, driver, copy_gb_per_s, clock, .. } = head;
    writeln!(
        out,
        "{device} ({driver}); vkCmdCopyBuffer moves {copy_gb_per_s:.1} GB/s; times by the {clock}'s clock\n"
    )?;
    writeln!(
        out,
        "{:<11} {:<5} {:<9} {:>10} {:<8} {:>7} {:>9} {:>9} {:>9} {:>9} {:>8} {:>7} {:>7} {:>7} {:>6} {:>11}",
        "mode",
        "code",
        "outputs",
        "influences",
        "order",
        "figures",
        "vertices",
        "ms",
        "p95",
        "Mvert/s",
        "ns/vert",
        "cpu ns",
        "B/vert",
        "GB/s",
        "copy %",
        "palette KiB"
    )
}

/// The lines below the table.
pub const FOOT: &str = "Medians of a kernel's runs, nothing drawn. outputs: the last of positions, normals and tangents. \
                        cpu ns: one thread\nof the CPU, as exact, per vertex. B/vert: the streams and palettes that a run \
                        must move once. Each kernel was compared with\nthe CPU twin before it was timed.";

fn clock(times: &Times) -> &'static str {
    if times.is_by_gpu { "gpu" } else { "host" }
}
