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

    /// By how much memory has grown from just after the first tenth to the last tenth, in percent; prints the figures.
    /// Both are means, because memory goes up and down with what is drawn. Of fewer than ten values, it is the first and the
    /// last.
    pub fn growth(&self, what: &str) -> f64 {
        let tenth = self.0.len() / 10;
        let mean = |part: &[u64]| part.iter().sum::<u64>() as f64 / part.len() as f64 / 1024.0;
        let (begin, length) = (tenth, tenth.max(1));
        let (early, end) = (mean(&self.0[begin..begin + length]), mean(&self.0[self.0.len() - length..]));
        let most = *self.0.iter().max().unwrap() as f64 / 1024.0;
        let growth = (end / early - 1.0) * 100.0;
        println!(
            "{what}: {} values, {early:.1} MB after a tenth, {end:.1} MB at the end, {most:.1} MB at most: {growth:+.2} %",
            self.0.len(),
        );
        let means: Vec<String> = self.0.chunks(length).map(|tenth| format!("{:.1}", mean(tenth))).collect();
        println!("{what}: MB in the mean, tenth by tenth: {}", means.join(", "));
        growth
    }
}

/// The most that memory may grow after the first tenth, in percent.
pub const MOST_GROWTH: f64 = 2.0;
