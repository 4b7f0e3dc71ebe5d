//! The settings of direct delta mush, and of delta mush itself.

use crate::model::DdmSettings;
use crate::skinning::Yardstick;
use crate::skinning::delta_mush::Settings;
use clap::Args;

/// The settings of delta mush.
#[derive(Clone, Copy, Debug, Default, Args)]
#[command(next_help_heading = "Mode")]
pub struct MushArgs {
    /// Settings of delta mush (mush), such as iterations=20,weights=lengths
    ///
    /// iterations (10) smooth the mesh, each by factor (0.5) of the way to the mean of a vertex's neighbours. weights are
    /// uniform, or lengths: then far neighbours count more. Blender's Corrective Smooth calls these Simple and Length
    /// Weight.
    #[arg(long, hide_short_help = true, value_name = "NAME=VALUE,…")]
    pub mush_settings: Option<Settings>,
}

impl MushArgs {
    /// Returns the settings.
    pub fn settings(&self) -> Settings {
        self.mush_settings.unwrap_or_default()
    }

    /// Gives delta mush its settings.
    pub fn with_settings(&self, yardstick: Yardstick) -> Yardstick {
        match yardstick {
            Yardstick::Mode(mode) => Yardstick::Mode(mode),
            Yardstick::Mush(_) => Yardstick::Mush(self.settings()),
        }
    }
}

/// Parses settings such as `lambda=5,alpha=0.5`; the others keep their defaults.
pub fn mush(text: &str) -> Result<DdmSettings, String> {
    let mut settings = DdmSettings::default();
    let mut kappa = None;
    for setting in text.split(',') {
        let (name, value) = setting.split_once('=').ok_or_else(expected)?;
        let number: f64 = value.trim().parse().map_err(|_| expected())?;
        let whole =
            || value.trim().parse().ok().filter(|count| (1..=DdmSettings::MAX_ITERATIONS).contains(count));
        let within = |low: f64, high: f64| match (low..=high).contains(&number) {
            true => Ok(number),
            false => Err(format!("{} is from {low} to {high}", name.trim())),
        };
        match name.trim() {
            "iterations" | "p" => {
                let said =
                    || format!("iterations is a whole number from 1 to {}", DdmSettings::MAX_ITERATIONS);
                settings.iterations = whole().ok_or_else(said)?;
            }
            "lambda" => settings.lambda = within(0.0, DdmSettings::MAX_STRENGTH)?,
            "kappa" => kappa = Some(within(0.0, DdmSettings::MAX_STRENGTH)?),
            "alpha" => settings.alpha = within(0.0, DdmSettings::MAX_ALPHA)?,
            "least" => settings.least = within(0.0, 0.1)?,
            _ => return Err(expected()),
        }
    }
    settings.kappa = kappa.unwrap_or(settings.kappa.min(settings.lambda));
    if settings.kappa > settings.lambda {
        return Err("kappa is at most lambda".to_owned());
    }
    Ok(settings)
}

fn expected() -> String {
    "expected settings such as lambda=3,kappa=1,alpha=0.8,iterations=20,least=1e-4".to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_have_names_and_limits() {
        let settings = DdmSettings::default();
        let given = "lambda=3,kappa=1,alpha=0.8,iterations=20,least=1e-4";
        assert_eq!(mush(given), Ok(settings));
        let odd = DdmSettings {
            iterations: 7,
            lambda: 0.1,
            kappa: 0.05,
            alpha: 1.0 / 3.0,
            least: 1e-9,
            within: None,
        };
        assert_eq!(mush(&odd.to_string()), Ok(odd));
        assert_eq!(
            mush("p=5, lambda=0.5,kappa=0"),
            Ok(DdmSettings { iterations: 5, lambda: 0.5, kappa: 0.0, ..settings })
        );
        assert_eq!(mush("lambda=0.5"), Ok(DdmSettings { lambda: 0.5, kappa: 0.5, ..settings }));
        for wrong in [
            "",
            "lambda",
            "lambda=",
            "lambda=x",
            "beta=1",
            "lambda=-1",
            "lambda=NaN",
            "lambda=51",
            "alpha=1",
            "p=0",
            "lambda=0.5,kappa=1",
            "iterations=101",
            "iterations=2.5",
            "least=1",
        ] {
            assert!(mush(wrong).is_err(), "{wrong}");
        }
    }
}
