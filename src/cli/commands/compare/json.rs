//! Writes a comparison as JSON, frame by frame. Scripts depend on the names of the keys (docs/reference/json.md).

use crate::writing::write_json;
use std::collections::BTreeMap;
use std::io::{self, ErrorKind, Write};

use crate::analysis::measure::{
    Distance, Figures, Measured, MotionApart, NormalAngles, Place, Summary, place,
};
use crate::analysis::metric::Metric;
use crate::skinning::Normals;
use crate::skinning::pose::PoseChoice;
use serde::Serialize;

use crate::cli::subject::second::CacheOf;

use super::job::{Job, MAX_WORST, Other, Step};
use super::motions::Motion;
use super::table::command;

/// A mode in one frame.
#[derive(Serialize)]
struct Mode {
    mode: &'static str,
    #[serde(flatten)]
    distance: Distance,
    worst: Option<Place>,
    /// Omitted unless asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    recomputed: Option<Recomputed>,
    /// The number of lost vertices; omitted if none.
    #[serde(flatten)]
    lost: BTreeMap<Metric, usize>,
}

/// The angles between a mode's normals and recomputed ones.
#[derive(Serialize)]
struct Recomputed {
    #[serde(flatten)]
    angles: NormalAngles,
    worst: Option<Place>,
}

/// One of the worst places.
#[derive(Serialize)]
struct Worst {
    clip: Clips,
    name: String,
    time: f64,
    mode: &'static str,
    distance_m: f64,
    distance_percent: Option<f64>,
    worst: Option<Place>,
    /// Of two files.
    #[serde(flatten)]
    apart: Option<MotionApart>,
    command: String,
}

/// The angles between a mode's normals and recomputed ones over a motion.
#[derive(Serialize)]
struct Angles {
    clip: Clips,
    name: String,
    mode: &'static str,
    max_deg: f64,
    rms_deg: f64,
    time: Option<f64>,
    worst: Option<Place>,
    command: Option<String>,
}

/// `null`, one number, or several.
#[derive(Serialize)]
#[serde(untagged)]
enum Clips {
    None,
    One(usize),
    Several(Vec<usize>),
}

impl From<&PoseChoice> for Clips {
    fn from(choice: &PoseChoice) -> Self {
        let PoseChoice::Clips(mix) = choice else { return Self::None };
        let clips: Vec<usize> = mix.all().collect();
        match clips.as_slice() {
            [] => Self::None,
            [clip] => Self::One(*clip),
            _ => Self::Several(clips),
        }
    }
}

/// Writes the part before the first motion.
pub fn begin(job: &Job, out: &mut dyn Write) -> io::Result<()> {
    write!(out, "{{\"model\":")?;
    value(out, &job.given)?;
    write!(out, ",\"against\":")?;
    value(out, job.against())?;
    if let Some(settings) = job.plan.against.mush().filter(|_| job.other.is_none()) {
        write!(out, ",\"mush\":")?;
        value(out, &settings)?;
    }
    write!(out, ",\"diagonal_m\":")?;
    value(out, &job.diagonal_m)?;
    let vertices = job.other.as_ref().map_or_else(|| job.drawn.count(), |other| other.pairing.count());
    write!(out, ",\"vertices\":{vertices}")?;
    write!(out, ",\"equal_to_dqs\":")?;
    value(out, &job.measured.left_out())?;
    if let Some(Other { pairing, matched, clips_alone, cache, .. }) = &job.other {
        if let Some(CacheOf { facts, .. }) = cache {
            write!(out, ",\"cache\":")?;
            value(out, facts)?;
        }
        write!(out, ",\"primitives\":")?;
        value(out, &pairing.names)?;
        write!(out, ",\"only_in\":")?;
        value(out, &pairing.alone)?;
        write!(out, ",\"added\":")?;
        value(out, &pairing.added)?;
        write!(out, ",\"matched\":")?;
        value(out, matched)?;
        write!(out, ",\"clips_only_in\":")?;
        value(out, clips_alone)?;
    }
    write!(out, ",\"clips\":[")
}

/// Writes a step.
pub fn step(job: &Job, step: Step, out: &mut dyn Write) -> io::Result<()> {
    match step {
        Step::Motion(number, motion) => {
            let comma = if number == 0 { "" } else { "," };
            write!(out, "{comma}\n{{\"clip\":")?;
            value(out, &Clips::from(&motion.choice))?;
            write!(out, ",\"name\":")?;
            value(out, &motion.name)?;
            if let Some(name) = job.name_there(motion) {
                write!(out, ",\"name_in_new\":")?;
                value(out, &name)?;
            }
            write!(out, ",\"frames\":[")
        }
        Step::Frame { frame, is_first } => {
            let comma = if is_first { "" } else { "," };
            write!(out, "{comma}\n{{\"time\":")?;
            value(out, &frame.time)?;
            write!(out, ",\"modes\":")?;
            let modes: Vec<Mode> = frame.modes.iter().map(|measured| mode(job, measured)).collect();
            value(out, &modes)?;
            write!(out, "}}")
        }
        Step::MotionDone => write!(out, "]}}"),
    }
}

/// Writes the worst places and ends the document.
pub fn end(job: &Job, summary: &Summary, out: &mut dyn Write) -> io::Result<()> {
    write!(out, "],\n\"worst\":")?;
    let worst = summary.worst(MAX_WORST);
    let described: Vec<Worst> = worst
        .iter()
        .filter_map(|worst| {
            let motion = job.motions.get(worst.motion)?;
            Some(Worst {
                clip: (&motion.choice).into(),
                name: motion.name.clone(),
                time: worst.time,
                mode: worst.mode.name(),
                distance_m: worst.distance_m,
                distance_percent: (job.diagonal_m > 0.0).then(|| 100.0 * worst.distance_m / job.diagonal_m),
                worst: place(job.model, worst.vertex),
                apart: job.motion_apart(worst),
                command: command(job, worst),
            })
        })
        .collect();
    value(out, &described)?;
    if job.plan.normals == Normals::Recomputed {
        write!(out, ",\n\"normals\":")?;
        value(out, &normals(job, summary))?;
    }
    writeln!(out, "}}")
}

/// The angles of each motion and mode.
fn normals(job: &Job, summary: &Summary) -> Vec<Angles> {
    let all = job.motions.iter().zip(&summary.motions);
    let modes = all.flat_map(|(motion, figures)| figures.iter().map(move |figures| (motion, figures)));
    let described = |(motion, figures): (&Motion, &Figures)| {
        let normals = figures.normals.unwrap_or_default();
        let (time, vertex) = normals.worst.unzip();
        Angles {
            clip: (&motion.choice).into(),
            name: motion.name.clone(),
            mode: figures.mode.name(),
            max_deg: normals.max_deg,
            rms_deg: normals.rms_deg(),
            time,
            worst: vertex.and_then(|vertex| place(job.model, vertex)),
            command: normals.worst.map(|worst| super::normals::command(job, motion, figures.mode, worst)),
        }
    };
    modes.map(described).collect()
}

fn mode(job: &Job, measured: &Measured) -> Mode {
    let lost = measured.distance.lost;
    let recomputed = |angles: NormalAngles| Recomputed {
        angles,
        worst: angles.worst.and_then(|vertex| place(job.model, vertex)),
    };
    Mode {
        mode: measured.mode.name(),
        distance: measured.distance,
        worst: measured.distance.worst.and_then(|vertex| place(job.model, vertex)),
        recomputed: measured.normals.map(recomputed),
        lost: (lost > 0).then_some((Metric::LostVertices, lost)).into_iter().collect(),
    }
}

fn value<T: Serialize + ?Sized>(out: &mut dyn Write, value: &T) -> io::Result<()> {
    write_json(out, value)
}

/// A writer that ignores a closed pipe, so that the check still runs.
pub struct Patient<'a> {
    out: &'a mut dyn Write,
    has_reader: bool,
}

impl<'a> Patient<'a> {
    /// Wraps a writer.
    pub fn new(out: &'a mut dyn Write) -> Self {
        Self { out, has_reader: true }
    }
}

impl Write for Patient<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.has_reader {
            return Ok(bytes.len());
        }
        match self.out.write(bytes) {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                self.has_reader = false;
                Ok(bytes.len())
            }
            other => other,
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.has_reader { self.out.flush() } else { Ok(()) }
    }
}
