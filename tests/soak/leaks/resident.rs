//! Resident memory of a process over time.

/// The resident memory of a process now, in kilobytes; `self` is this process.
pub fn resident(process: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

/// Resident memory after each of many equal pieces of work.
#[derive(Default)]
pub struct Resident(Vec<u64>);

impl Resident {
    /// Adds what a process has now.
    pub fn note(&mut self, process: &str) {
        self.0.push(resident(process));
    }

    /// What it had last, in kilobytes.
    pub fn last(&self) -> u64 {
        self.0.last().copied().unwrap_or(0)
    }

    /// By how much memory has grown after the first tenth, in percent; prints the figures.
    pub fn growth(&self, what: &str) -> f64 {
        let (first, rest) = self.0.split_at(self.0.len() / 10);
        let most = |part: &[u64]| part.iter().copied().max().unwrap();
        let (early, late, end) = (most(first), most(rest), *rest.last().unwrap());
        let growth = (late as f64 / early as f64 - 1.0) * 100.0;
        let mb = |kilobytes: u64| kilobytes as f64 / 1024.0;
        println!(
            "{what}: {} times, {:.1} MB at most in the first tenth, {:.1} MB at most later, {:.1} MB at the end: {growth:+.2} %",
            self.0.len(),
            mb(early),
            mb(late),
            mb(end),
        );
        let tenths: Vec<String> =
            self.0.chunks(self.0.len().div_ceil(10)).map(|tenth| format!("{:.1}", mb(most(tenth)))).collect();
        println!("{what}: MB at most in each tenth: {}", tenths.join(", "));
        growth
    }
}

/// The most that memory may grow after the first tenth, in percent.
pub const MOST_GROWTH: f64 = 2.0;
