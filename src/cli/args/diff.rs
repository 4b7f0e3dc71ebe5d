//! What `sinew diff` takes: two pictures and how far apart they may be. It must not know how they are compared.

use std::path::PathBuf;

use clap::Args;
use sinew::image::Tolerance;

/// `sinew diff`
#[derive(Debug, Args)]
pub struct DiffArgs {
    /// The picture as it should be
    #[arg(value_name = "EXPECTED.png")]
    pub expected: PathBuf,

    /// The picture as it is
    #[arg(value_name = "ACTUAL.png")]
    pub actual: PathBuf,

    /// Write a picture of the difference: the brighter, the more it is seen; - is standard output
    #[arg(long, short, value_name = "DIFF.png")]
    pub output: Option<PathBuf>,

    /// Print the figures as JSON
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub tolerance: ToleranceArgs,
}

/// How much two pictures may differ.
#[derive(Clone, Copy, Debug, Args)]
pub struct ToleranceArgs {
    /// How far a channel may be off, of 255
    #[arg(long, value_name = "STEPS", default_value_t = 0, conflicts_with = "flip")]
    pub channel: u8,

    /// How many pixels may be further off than that
    #[arg(long, value_name = "PIXELS", default_value_t = 0, conflicts_with = "flip")]
    pub outliers: usize,

    /// Instead: how large the FLIP difference may be on average and in the worst 16x16 pixels, as 0.01,0.25
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
