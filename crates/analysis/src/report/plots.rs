//! The plots of a clip; related metrics share one.

use super::data::{ClipSeries, ModeSeries, Report};
use super::svg::{Line, Plot, svg};
use crate::metric::{Metric, Unit};
use sinew_skinning::SkinningMode;

/// Ratios this close to one are not worth a plot.
const STILL: f64 = 0.005;

/// Returns the plots of a clip as SVG, and the titles of the empty ones.
pub fn plots(report: &Report, clip: &ClipSeries) -> (Vec<String>, Vec<&'static str>) {
    let (mut drawn, mut empty) = (Vec::new(), Vec::new());
    for (shared, metrics) in shared(Metric::ALL.map(|metric| (metric, metric.facts().plot))) {
        let happens = metrics.iter().any(|metric| happens(clip, *metric));
        match happens.then(|| svg(&plot(report, clip, shared, &metrics))).flatten() {
            Some(text) => drawn.push(text),
            None => empty.push(shared),
        }
    }
    (drawn, empty)
}

/// Returns the titles of plots in the order of their first metrics, each with all its metrics.
fn shared(
    metrics: impl IntoIterator<Item = (Metric, Option<&'static str>)>,
) -> Vec<(&'static str, Vec<Metric>)> {
    let mut plots: Vec<(&str, Vec<Metric>)> = Vec::new();
    for (metric, title) in metrics {
        let Some(title) = title else { continue };
        match plots.iter_mut().find(|(known, _)| *known == title) {
            Some((_, metrics)) => metrics.push(metric),
            None => plots.push((title, vec![metric])),
        }
    }
    plots
}

fn plot<'a>(report: &Report, clip: &'a ClipSeries, title: &'a str, metrics: &[Metric]) -> Plot<'a> {
    let scale = report.scale();
    let is_own = |mode: &&ModeSeries| {
        report.summary.iter().all(|summary| summary.mode != mode.mode || summary.same_as.is_none())
    };
    // A mode has the same colour on all pages, whichever modes are beside it.
    let style = |mode: &str| SkinningMode::ALL.iter().position(|known| known.name() == mode);
    let line = |(number, mode): (usize, &'a ModeSeries)| {
        let series = metrics.iter().filter_map(|metric| mode.series.get(metric).map(Vec::as_slice));
        let series: Vec<&[Option<f64>]> =
            series.filter(|series| series.iter().any(Option::is_some)).collect();
        let style = style(&mode.mode).unwrap_or(number);
        (!series.is_empty()).then(|| Line { label: report.label(&mode.mode), style, series })
    };
    Plot {
        title,
        unit: metrics.first().map_or(Unit::Ratio, |metric| metric.facts().unit),
        times: &clip.times,
        lines: clip.modes.iter().filter(is_own).enumerate().filter_map(line).collect(),
        limits: metrics.iter().filter_map(|metric| metric.last_good(&scale)).collect(),
    }
}

/// Returns true if a metric is ever off its best value.
fn happens(clip: &ClipSeries, metric: Metric) -> bool {
    let least = match metric.facts().unit {
        Unit::Ratio => STILL,
        Unit::Metres | Unit::Triangles | Unit::Vertices => 0.0,
    };
    let series = clip.modes.iter().filter_map(|mode| mode.series.get(&metric));
    series.flatten().flatten().any(|&value| metric.deviation(value) > least)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metrics_share_a_plot_wherever_they_are_in_the_table() {
        let [a, b, c, d] = [Metric::StretchP1, Metric::Jump, Metric::StretchP50, Metric::StretchP99];
        let table = [(a, Some("edges")), (b, Some("jump")), (c, None), (d, Some("edges"))];
        assert_eq!(shared(table), [("edges", vec![a, d]), ("jump", vec![b])]);
    }
}
