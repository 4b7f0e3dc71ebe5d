//! Resident memory of a process over time.

/// The resident memory of a process now, in kilobytes; `self` is this process.
pub fn resident(process: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

/// As much of it as is both written to and run, in kilobytes: code that a driver makes while it draws.
fn made_code(process: &str) -> u64 {
    let maps = std::fs::read_to_string(format!("/proc/{process}/smaps")).unwrap();
    let (mut is_code, mut kilobytes) = (false, 0);
    for line in maps.lines() {
        let mut words = line.split_whitespace();
        match (words.next(), words.next()) {
            (Some("Rss:"), Some(size)) if is_code => kilobytes += size.parse::<u64>().unwrap(),
            (Some(name), _) if name.ends_with(':') => {}
            (_, rights) => is_code = rights.is_some_and(|rights| rights.starts_with("rwx")),
        }
    }
    kilobytes
}

/// Resident memory after each of many equal pieces of work.
#[derive(Default)]
pub struct Resident(Vec<u64>);

impl Resident {
    /// Adds what a process has now.
    pub fn note(&mut self, process: &str) {
        self.0.push(resident(process));
    }

    /// Adds what a process has now besides the code that drivers make while they draw. Mesa 22.3 forgets 17 kB of it with
    /// each device that is closed; Mesa 25 does not.
    pub fn note_but_made_code(&mut self, process: &str) {
        self.0.push(resident(process) - made_code(process));
    }

    /// The latest value, in kilobytes.
    pub fn last(&self) -> u64 {
        self.0.last().copied().unwrap_or(0)
    }

    /// By how much memory has grown from just after the first tenth to the end, in percent, by the straight line that is
    /// nearest to all values between; prints the figures. Memory goes up and down with what is drawn, and a few values at
    /// both ends would say more about those than about growth. Fewer than ten values all count.
    pub fn growth(&self, what: &str) -> f64 {
        let values: Vec<f64> = self.0.iter().map(|kilobytes| *kilobytes as f64 / 1024.0).collect();
        let tenth = values.len() / 10;
        let (early, end) = line(&values[tenth..]);
        let most = values.iter().fold(0.0, |most: f64, value| most.max(*value));
        let growth = (end / early - 1.0) * 100.0;
        println!(
            "{what}: {} values, {early:.1} MB after a tenth, {end:.1} MB at the end, {most:.1} MB at most: {growth:+.2} %",
            values.len(),
        );
        let means = values.chunks(tenth.max(1)).map(|tenth| format!("{:.1}", mean(tenth)));
        println!("{what}: MB in the mean, tenth by tenth: {}", means.collect::<Vec<_>>().join(", "));
        growth
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Both ends of the line with the least squares of distances to the values.
fn line(values: &[f64]) -> (f64, f64) {
    let last = values.len() as f64 - 1.0;
    let from_middle = |number: usize| number as f64 - last / 2.0;
    let weighted: f64 = values.iter().enumerate().map(|(number, value)| from_middle(number) * value).sum();
    let squares: f64 = (0..values.len()).map(|number| from_middle(number).powi(2)).sum();
    let half = weighted / squares * last / 2.0;
    (mean(values) - half, mean(values) + half)
}

#[test]
fn only_code_that_can_be_written_is_made_code() {
    // A test has none: all of its code comes from files.
    assert_eq!(made_code("self"), 0);
    assert!(resident("self") > 1000);
}

#[test]
fn a_line_through_values_has_their_ends() {
    assert_eq!(line(&[3.0, 4.0, 5.0, 6.0]), (3.0, 6.0));
    assert_eq!(line(&[4.0, 2.0, 2.0, 4.0]), (3.0, 3.0));
    let halved = Resident(vec![4 << 10, 3 << 10, 2 << 10]);
    assert_eq!(halved.growth("halved"), -50.0);
    let growing = Resident((0..100).map(|number| 100_000 + number * 50).collect());
    assert!((growing.growth("growing") - 4.45 / 1.005).abs() < 0.02, "a line is met exactly");
}

/// The most that memory may grow after the first tenth, in percent.
pub const MAX_GROWTH: f64 = 2.0;
