//! Formats values for display.

use super::data::{Found, Location, LocationKind, Report};
use crate::metric::{Better, Metric, Scale, Unit};
use sinew_text::length;
use sinew_text::words::{fixed, form};

/// Formats a value with its unit.
pub fn value(metric: Metric, value: f64) -> String {
    match metric.facts().unit {
        Unit::Ratio => percent(value),
        Unit::Metres => length::shown(value),
        Unit::Triangles | Unit::Vertices => count(value),
    }
}

/// Formats a share in percent with one digit after the point; large ones with three significant digits.
pub fn percent(share: f64) -> String {
    let percent = share * 100.0;
    match percent.abs() < 1e5 {
        true => format!("{} %", fixed(percent, 1)),
        false => format!("{percent:.2e} %"),
    }
}

/// Formats a whole number in groups of three digits.
pub fn count(number: f64) -> String {
    let digits = format!("{:.0}", number.abs());
    let mut text = String::from(if number < 0.0 { "−" } else { "" });
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Formats a number with its noun.
pub fn number_of(number: u64, noun: &str) -> String {
    format!("{} {}", count(number as f64), form(number, noun))
}

/// Describes the number of a report's frames and clips.
pub fn measured_frames(report: &Report) -> String {
    let frames = number_of(report.counts.frames as u64, "frame");
    match report.clips.iter().any(|clip| clip.clip.is_some()) {
        true => format!("{frames} of {}", number_of(report.clips.len() as u64, "clip")),
        false => "rest pose".to_owned(),
    }
}

/// Formats a time to the hundredth of a second, which distinguishes frames.
pub fn seconds(time: f64) -> String {
    format!("{time:.2} s")
}

/// Formats the clip and the time: `clip Run at 0.35 s`; the rest pose has no time.
pub fn when(found: &Found) -> String {
    match found.clip {
        Some(_) => format!("{} at {}", found.name, seconds(found.time)),
        None => found.name.clone(),
    }
}

/// Describes a place in a few words.
pub fn place(location: &Location) -> String {
    let joint = location.joint.as_deref();
    match (location.kind, joint) {
        (LocationKind::Joint, Some(joint)) => joint.to_owned(),
        (LocationKind::Part, _) => {
            let number = location.number.map_or(String::new(), |number| format!(" {number}"));
            format!("part{number}{}", joint.map_or(String::new(), |joint| format!(" near {joint}")))
        }
        (LocationKind::Vertex, Some(joint)) => format!("near {joint}"),
        (LocationKind::Joint | LocationKind::Vertex, None) => location.vertex.clone(),
    }
}

/// Describes the good values in a few words; `None` for a metric that is not a fault.
pub fn limit(metric: Metric, scale: &Scale) -> Option<String> {
    let last = metric.last_good(scale)?;
    Some(match (metric.facts().unit, metric.facts().better) {
        (Unit::Triangles | Unit::Vertices, _) if last < 1.0 => "0".to_owned(),
        (Unit::Ratio, Better::Higher) => format!("≥ {} %", whole_percent(last)),
        (Unit::Ratio, Better::Lower | Better::NearOne) => format!("≤ {} %", whole_percent(last)),
        (Unit::Metres, _) => format!("≤ {}", length::shown(last)),
        (Unit::Triangles | Unit::Vertices, _) => format!("≤ {}", count(last.floor())),
    })
}

/// Describes the values that are problems; `None` for a metric that is not a fault.
pub fn limit_in_words(metric: Metric) -> Option<String> {
    let share = metric.facts().limit?;
    let percent = length::digits(100.0 * share);
    Some(match (metric.facts().unit, metric.facts().better) {
        (Unit::Ratio, Better::Higher) => format!("less than {} %", whole_percent(1.0 - share)),
        (Unit::Ratio, Better::Lower) => format!("more than {} %", whole_percent(1.0 + share)),
        (Unit::Ratio, Better::NearOne) => format!("more than {percent} % away from 100 %"),
        (_, _) if share == 0.0 => "any".to_owned(),
        (Unit::Metres, _) => format!("more than {percent} % of the bind pose\u{2019}s diagonal"),
        (Unit::Triangles, _) => format!("more than {percent} % of all triangles"),
        (Unit::Vertices, _) => format!("more than {percent} % of all vertices"),
    })
}

fn whole_percent(share: f64) -> String {
    format!("{:.0}", 100.0 * share)
}
