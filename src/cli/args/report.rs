//! Flags of `sinew report`.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::analysis::report::Shard;
use clap::Args;

use super::check::CheckArgs;
use super::subject::LoadArgs;
use super::view_page::PlanArgs;
use super::vulkan::VulkanArgs;

/// `sinew report`
#[derive(Debug, Args)]
pub struct ReportArgs {
    /// Models to report on: files or builtin:NAME; several make a site with an index
    #[arg(value_name = "MODEL", required_unless_present = "merge")]
    pub models: Vec<OsString>,

    /// Folder for index.html, report.json, report.csv and pictures; it must be empty or hold an earlier report
    #[arg(long, short, value_name = "DIR")]
    pub output: PathBuf,

    /// Report only on share I of N, such as 3/8; a model's share depends on its path alone
    #[arg(long, value_name = "I/N", conflicts_with = "merge")]
    pub shard: Option<Shard>,

    /// Join the reports of several folders, such as all shares, into one site
    #[arg(long, value_name = "DIR", num_args = 1.., conflicts_with_all = ["models", "junit", "markdown", "fail_on", "clips", "modes", "frames"])]
    pub merge: Vec<PathBuf>,

    #[command(flatten)]
    pub plan: PlanArgs,

    /// Omit pictures, which need Vulkan
    #[arg(long)]
    pub no_pictures: bool,

    #[command(flatten)]
    pub check: CheckArgs,

    #[command(flatten)]
    pub load: LoadArgs,

    #[command(flatten)]
    pub vulkan: VulkanArgs,
}
