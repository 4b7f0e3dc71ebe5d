//! Flags of `sinew diff`.

use std::path::PathBuf;

use crate::image::Tolerance;
use clap::Args;

use super::check::CheckArgs;

/// `sinew diff`
#[derive(Debug, Args)]
pub struct DiffArgs {
    /// The expected picture
    #[arg(value_name = "EXPECTED.png")]
    pub expected: PathBuf,

    /// The actual picture
    #[arg(value_name = "ACTUAL.png")]
    pub actual: PathBuf,

    /// Write a picture of the difference, brighter where it is more visible; - is standard output
    #[arg(long, short, value_name = "DIFF.png")]
    pub output: Option<PathBuf>,

    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub tolerance: ToleranceArgs,

    #[command(flatten)]
    pub check: CheckArgs,
}

/// The tolerances for comparing two pictures.
#[derive(Clone, Copy, Debug, Args)]
pub struct ToleranceArgs {
    /// Largest difference allowed in a channel, out of 255
    #[arg(long, value_name = "STEPS", default_value_t = 0, conflicts_with = "flip")]
    pub channel: u8,

    /// Number of pixels that may differ by more than --channel
    #[arg(long, value_name = "PIXELS", default_value_t = 0, conflicts_with = "flip")]
    pub outliers: usize,

    /// Compare by FLIP instead, with limits for the mean and the worst 16x16 tile, such as 0.01,0.25
    #[arg(long, value_name = "MEAN,TILE", value_parser = flip_limits)]
    pub flip: Option<[f64; 2]>,
}

impl From<ToleranceArgs> for Tolerance {
    fn from(ToleranceArgs { channel, outliers, flip }: ToleranceArgs) -> Self {
        Self { channel, outliers, flip }
    }
}

fn flip_limits(text: &str) -> Result<[f64; 2], String> {
    let limit = |text: &str| text.trim().parse::<f64>().ok().filter(|limit| (0.0..=1.0).contains(limit));
    text.split_once(',')
        .and_then(|(mean, tile)| Some([limit(mean)?, limit(tile)?]))
        .ok_or_else(|| "expected two numbers from 0 to 1, such as 0.01,0.25".to_owned())
}
