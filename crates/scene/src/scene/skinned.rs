//! A record of the processors that skinned a picture.

use std::collections::BTreeMap;
use std::fmt;

use super::Processor;
use sinew_skinning::SkinningMode;

/// The processors that skinned a picture.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Skinned {
    /// Each mode with each of its processors, in the order of drawing; never [`Processor::Auto`].
    pub by: Vec<(SkinningMode, Processor)>,
    /// True if the CPU was chosen because the driver is a software driver.
    pub is_for_software: bool,
}

impl Skinned {
    /// Adds a draw that a mode skinned.
    pub fn add(&mut self, mode: SkinningMode, processor: Processor) {
        if !self.by.contains(&(mode, processor)) {
            self.by.push((mode, processor));
        }
    }

    /// Returns the names of each mode's processors.
    pub fn names(&self) -> BTreeMap<&'static str, Vec<&'static str>> {
        let mut names: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for (mode, processor) in &self.by {
            names.entry(mode.name()).or_default().push(processor.name());
        }
        names
    }

    /// Describes the processors of a mode, as in "on the CPU"; empty if it skinned nothing.
    pub fn words_of(&self, mode: SkinningMode) -> String {
        let has = |processor| self.by.contains(&(mode, processor));
        let on_gpu = match [Processor::Gpu, Processor::Compute].map(has) {
            [false, false] => None,
            [true, false] => Some("the GPU"),
            [false, true] => Some("the GPU (compute shader)"),
            [true, true] => Some("the GPU (both shaders)"),
        };
        let on_cpu = has(Processor::Cpu).then_some(match self.is_for_software {
            true => "the CPU (software driver)",
            false => "the CPU",
        });
        match (on_cpu, on_gpu) {
            (None, None) => String::new(),
            (Some(on), None) | (None, Some(on)) => format!("on {on}"),
            (Some(on_cpu), Some(on_gpu)) => format!("on {on_cpu} and {on_gpu}"),
        }
    }
}

impl fmt::Display for Skinned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut groups: Vec<(Vec<&str>, String)> = Vec::new();
        for &(mode, _) in &self.by {
            let words = self.words_of(mode);
            match groups.iter_mut().find(|(_, known)| *known == words) {
                Some((modes, _)) if modes.contains(&mode.name()) => {}
                Some((modes, _)) => modes.push(mode.name()),
                None => groups.push((vec![mode.name()], words)),
            }
        }
        let groups = groups.iter().map(|(modes, words)| format!("{} {words}", modes.join(" and ")));
        f.write_str(&groups.collect::<Vec<_>>().join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes_are_named_with_their_processors() {
        let (lbs, dqs) = (SkinningMode::Linear, SkinningMode::DualQuat);
        let [cpu, gpu, compute] = [Processor::Cpu, Processor::Gpu, Processor::Compute];
        for (by, is_for_software, words) in [
            (&[][..], true, ""),
            (&[(dqs, cpu)], true, "dqs on the CPU (software driver)"),
            (&[(dqs, cpu)], false, "dqs on the CPU"),
            (&[(lbs, gpu), (dqs, gpu), (lbs, gpu)], true, "lbs and dqs on the GPU"),
            (&[(lbs, compute), (dqs, gpu)], false, "lbs on the GPU (compute shader), dqs on the GPU"),
            (&[(lbs, gpu), (lbs, cpu)], false, "lbs on the CPU and the GPU"),
            (&[(lbs, gpu), (lbs, compute)], false, "lbs on the GPU (both shaders)"),
        ] {
            let mut skinned = Skinned { is_for_software, ..Skinned::default() };
            by.iter().for_each(|&(mode, processor)| skinned.add(mode, processor));
            assert_eq!(skinned.to_string(), words);
        }
    }
}
