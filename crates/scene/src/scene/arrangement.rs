//! Several panes in one picture: modes side by side or on either side of a line, or a storyboard of scenes that
//! differ in any flags.

use std::fmt;
use std::str::FromStr;

use glam::DVec2;

use super::{Change, Framing, Scene};
use crate::camera::Viewpoint;
use crate::overlay::Caption;
use sinew_skinning::SkinningMode;

/// The largest number of modes side by side.
pub const MAX_BESIDE: usize = SkinningMode::ALL.len();

/// The largest number of panes in a storyboard.
pub const MAX_PANES: usize = 256;

/// The parts of a picture besides its own scene.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Arrangement {
    /// No other parts.
    #[default]
    Single,
    /// Modes beside the first: at least one, and fewer than [`MAX_BESIDE`].
    Split(Vec<SkinningMode>),
    /// A second mode, to the right of a line.
    Wipe(Wipe),
    /// The other file, to the right of a line at this position.
    WipeOther(f64),
    /// A pane for each change, and no others: at least one, and at most [`MAX_PANES`].
    Storyboard(Vec<Change>),
}

/// The right side of a wipe.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wipe {
    /// The mode shown there.
    pub mode: SkinningMode,
    /// The line's position: 0 is the left edge of the picture, 1 the right one.
    pub at: f64,
}

/// Error for text that is no [`Wipe`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected MODE, MODE@X or other@X with X from 0 to 1, such as dqs@0.5")]
pub struct NoWipe;

impl FromStr for Wipe {
    type Err = NoWipe;

    fn from_str(text: &str) -> Result<Self, NoWipe> {
        let (mode, at) = text.split_once('@').unwrap_or((text, "0.5"));
        let at = at.parse().ok().filter(|at| (0.0..=1.0).contains(at)).ok_or(NoWipe)?;
        Ok(Self { mode: mode.parse().map_err(|_| NoWipe)?, at })
    }
}

impl fmt::Display for Wipe {
    /// Writes the text that [`Wipe::from_str`] reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.mode, self.at)
    }
}

/// A part of an arrangement.
#[derive(Clone, Debug, PartialEq)]
pub struct Pane {
    /// The scene that it shows, as a single picture.
    pub scene: Scene,
    /// True if it shows the other file.
    pub is_other: bool,
    /// The upper left pixel of that picture, in the whole.
    pub origin: [u32; 2],
    /// The upper left pixel of its visible part, in the whole.
    pub corner: [u32; 2],
    /// Width and height of its visible part.
    pub size: [u32; 2],
    /// The caption on it.
    pub caption: Caption,
}

/// A pixel in the picture of a pane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Located {
    /// The index of the pane; a single picture is pane 0.
    pub pane: usize,
    /// The pixel in that pane's picture.
    pub pixel: DVec2,
    /// The mode that the pane shows.
    pub mode: SkinningMode,
    /// True if the pane shows the other file.
    pub is_other: bool,
}

impl Scene {
    /// Returns the panes, from left to right and top to bottom; a single picture has none.
    pub fn panes(&self) -> Vec<Pane> {
        match &self.arrangement {
            Arrangement::Single => Vec::new(),
            Arrangement::Split(others) => {
                let others = others.iter().map(|mode| self.in_mode(*mode));
                let panes = [self.clone()].into_iter().chain(others).take(MAX_BESIDE);
                let panel = |scene: Self| {
                    let caption = scene.drawn().name().to_owned();
                    (scene, false, caption)
                };
                self.panels(panes.map(panel).collect())
            }
            Arrangement::Storyboard(changes) => {
                let changes = changes.iter().take(MAX_PANES);
                let panel = |change: &Change| (self.changed(change), change.other, change.caption.clone());
                let mut panes: Vec<(Self, bool, String)> = changes.map(panel).collect();
                share_framing(&mut panes);
                self.panels(panes)
            }
            Arrangement::Wipe(wipe) => {
                let right = self.in_mode(wipe.mode);
                let captions = [self.drawn().name().to_owned(), wipe.mode.to_string()];
                self.sides(wipe.at, [(self.clone(), false), (right, false)], captions).to_vec()
            }
            Arrangement::WipeOther(at) => {
                let captions =
                    names_of_two(&self.files.model, self.files.other.as_deref().unwrap_or_default());
                self.sides(*at, [(self.clone(), false), (self.clone(), true)], captions).to_vec()
            }
        }
    }

    /// Returns the scenes of a storyboard's panes that share one camera: those of the first file that set no other.
    pub fn sharing(&self) -> Vec<Self> {
        let is_free = matches!(&self.camera, Viewpoint::Orbit(orbit) if orbit.distance.is_none());
        if !is_free || !matches!(self.arrangement, Arrangement::Storyboard(_)) {
            return Vec::new();
        }
        let panes = self.panes().into_iter().filter(|pane| !pane.is_other && self.is_shared(pane));
        panes.map(|pane| pane.scene).collect()
    }

    /// Returns true if a pane of the storyboard has the camera of the whole.
    pub fn is_shared(&self, pane: &Pane) -> bool {
        pane.scene.camera == self.camera
    }

    /// Returns width and height of each pane's picture.
    pub fn pane_size(&self) -> [u32; 2] {
        match &self.arrangement {
            Arrangement::Single | Arrangement::Wipe(_) | Arrangement::WipeOther(_) => self.size,
            Arrangement::Split(_) | Arrangement::Storyboard(_) => {
                let [columns, rows] = self.grid();
                [self.size[0].div_ceil(columns), self.size[1].div_ceil(rows)]
            }
        }
    }

    /// Returns the number of columns and of rows.
    fn grid(&self) -> [u32; 2] {
        match &self.arrangement {
            Arrangement::Single | Arrangement::Wipe(_) | Arrangement::WipeOther(_) => [1, 1],
            Arrangement::Split(others) => grid(others.len() + 1, self.size),
            Arrangement::Storyboard(changes) => board(changes.len(), self.size),
        }
    }

    /// Returns corners and sizes of the cells without a pane.
    pub fn bare_cells(&self) -> Vec<([u32; 2], [u32; 2])> {
        let count = match &self.arrangement {
            Arrangement::Single | Arrangement::Wipe(_) | Arrangement::WipeOther(_) => return Vec::new(),
            Arrangement::Split(others) => (others.len() + 1).min(MAX_BESIDE),
            Arrangement::Storyboard(changes) => changes.len().min(MAX_PANES),
        };
        let [columns, rows] = self.grid();
        let cells = (count as u32..columns.saturating_mul(rows)).map(|number| self.cell(number));
        cells.filter(|(_, size)| size.iter().all(|side| *side > 0)).collect()
    }

    /// Returns the corner of a cell, and the size of its visible part.
    fn cell(&self, number: u32) -> ([u32; 2], [u32; 2]) {
        let ([columns, _], size) = (self.grid(), self.pane_size());
        let corner = [number % columns * size[0], number / columns * size[1]];
        (corner, [0, 1].map(|axis| size[axis].min(self.size[axis].saturating_sub(corner[axis]))))
    }

    /// Finds a pixel of the whole in the picture of its pane.
    pub fn locate(&self, pixel: DVec2) -> Located {
        let panes = self.panes();
        let is_in = |(_, pane): &(usize, &Pane)| {
            let [x, y] = [pixel.x, pixel.y].map(|at| at.floor());
            let within =
                |at: f64, from: u32, by: u32| at >= f64::from(from) && at < f64::from(from) + f64::from(by);
            within(x, pane.corner[0], pane.size[0]) && within(y, pane.corner[1], pane.size[1])
        };
        match panes.iter().enumerate().find(is_in).or(panes.first().map(|pane| (0, pane))) {
            Some((number, pane)) => {
                let [x, y] = pane.origin.map(f64::from);
                let (mode, is_other) = (pane.scene.mode, pane.is_other);
                Located { pane: number, pixel: pixel - DVec2::new(x, y), mode, is_other }
            }
            None => Located { pane: 0, pixel, mode: self.mode, is_other: false },
        }
    }

    /// Returns the column of a wipe's line, in pixels.
    pub fn wipe_column(&self) -> Option<f64> {
        match &self.arrangement {
            Arrangement::Wipe(Wipe { at, .. }) | Arrangement::WipeOther(at) => {
                Some(column(*at, self.size[0]))
            }
            Arrangement::Single | Arrangement::Split(_) | Arrangement::Storyboard(_) => None,
        }
    }

    fn panels(&self, panes: Vec<(Self, bool, String)>) -> Vec<Pane> {
        let [columns, _] = self.grid();
        let size = self.pane_size();
        let panel = |(number, (scene, is_other, caption)): (u32, (Self, bool, String))| {
            let place = [number % columns, number / columns];
            let (corner, visible) = self.cell(number);
            Pane {
                scene: Self { size, arrangement: Arrangement::Single, ..scene },
                is_other,
                origin: corner,
                corner,
                size: visible,
                caption: Caption {
                    text: caption,
                    column: f64::from(visible[0]),
                    ends: true,
                    line: (place[0] > 0).then_some(0.0),
                    top: place[1] > 0,
                },
            }
        };
        (0..).zip(panes).map(panel).collect()
    }

    fn sides(&self, at: f64, scenes: [(Self, bool); 2], captions: [String; 2]) -> [Pane; 2] {
        let [width, height] = self.size;
        let column = column(at, width);
        let line = (column as u32).min(width);
        let side = |(scene, is_other), text, x, width, ends| Pane {
            scene: Self { arrangement: Arrangement::Single, ..scene },
            is_other,
            origin: [0, 0],
            corner: [x, 0],
            size: [width, height],
            caption: Caption { text, column, ends, line: Some(column), top: false },
        };
        let ([left, right], [left_text, right_text]) = (scenes, captions);
        [side(left, left_text, 0, line, true), side(right, right_text, line, width - line, false)]
    }
}

/// Frames panes of different times by the whole motion, so that they can be compared.
fn share_framing(panes: &mut [(Scene, bool, String)]) {
    let is_apart = |(scene, ..): &(Scene, bool, String)| {
        let others = panes.iter().map(|(other, ..)| &other.pose);
        others.into_iter().any(|other| *other != scene.pose && other.is_same_motion(&scene.pose))
    };
    let apart: Vec<bool> = panes.iter().map(is_apart).collect();
    for ((scene, ..), is_apart) in panes.iter_mut().zip(apart) {
        if is_apart {
            scene.framing = Framing::Clip;
        }
    }
}

/// Returns the column of a wipe's line in a picture of this width.
fn column(at: f64, width: u32) -> f64 {
    (at.clamp(0.0, 1.0) * f64::from(width)).round()
}

/// Returns distinct labels for two files: their names, with their folders if the names are equal.
pub fn names_of_two(first: &str, other: &str) -> [String; 2] {
    let [short, other_short] = [first, other].map(file_name);
    match (short == other_short, first == other) {
        (false, _) => [short.to_owned(), other_short.to_owned()],
        (true, false) => [first.to_owned(), other.to_owned()],
        (true, true) => [short.to_owned(), format!("{short} (other)")],
    }
}

/// Returns a file's name without its folder.
pub fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// Returns columns and rows for modes side by side: the most nearly square panes without empty cells.
fn grid(count: usize, size: [u32; 2]) -> [u32; 2] {
    squarest(count.clamp(1, MAX_BESIDE) as u32, size, |empty| if empty == 0 { 0.0 } else { f64::INFINITY })
}

/// Returns columns and rows for a storyboard: the most nearly square panes with few empty cells. Up to four panes
/// leave none.
fn board(count: usize, size: [u32; 2]) -> [u32; 2] {
    let count = count.clamp(1, MAX_PANES) as u32;
    squarest(count, size, |empty| match empty {
        0 => 0.0,
        _ if count <= 4 => f64::INFINITY,
        _ => 0.2 * f64::from(empty),
    })
}

/// Returns the columns and rows of the lowest cost: a pane's deviation from a square, plus `cost` of the empty cells.
fn squarest(count: u32, [width, height]: [u32; 2], cost: impl Fn(u32) -> f64) -> [u32; 2] {
    let of = |columns: u32| {
        let rows = count.div_ceil(columns);
        let aspect = f64::from(width) / f64::from(columns) / (f64::from(height) / f64::from(rows));
        aspect.ln().abs() + cost(columns * rows - count)
    };
    let best = (1..=count).min_by(|a, b| of(*a).total_cmp(&of(*b))).unwrap_or(1);
    [best, count.div_ceil(best)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_files_of_one_name_are_told_apart() {
        assert_eq!(names_of_two("new/x.glb", "old.glb"), ["x.glb", "old.glb"]);
        assert_eq!(names_of_two("new/x.glb", "old/x.glb"), ["new/x.glb", "old/x.glb"]);
        assert_eq!(names_of_two("x.glb", "x.glb"), ["x.glb", "x.glb (other)"]);
    }

    #[test]
    fn panes_of_a_storyboard_are_nearly_square() {
        for (count, size, grid) in [
            (1, [960, 720], [1, 1]),
            (4, [960, 720], [2, 2]),
            (4, [1600, 400], [4, 1]),
            (6, [800, 1200], [2, 3]),
            (3, [900, 300], [3, 1]),
            (5, [960, 720], [3, 2]),
        ] {
            assert_eq!(board(count, size), grid, "{count} panes in {size:?}");
        }
    }

    #[test]
    fn panes_of_several_times_share_their_framing() {
        use sinew_skinning::pose::PoseChoice;
        let board = |poses: &[PoseChoice]| {
            let change = |pose: &PoseChoice| Change { pose: Some(pose.clone()), ..Change::default() };
            let arrangement = Arrangement::Storyboard(poses.iter().map(change).collect());
            let panes = Scene { arrangement, ..Scene::new("x") }.panes();
            panes.into_iter().map(|pane| pane.scene.framing).collect::<Vec<_>>()
        };
        let [clip, time] = [Framing::Clip, Framing::Time];
        let at = |secs| PoseChoice::clip(0, secs);
        assert_eq!(board(&[at(0.1), PoseChoice::Rest, at(0.2)]), [clip, time, clip]);
        assert_eq!(board(&[at(0.1), PoseChoice::Rest, at(0.1), PoseChoice::clip(1, 0.3)]), [time; 4]);
    }

    #[test]
    fn few_panes_leave_no_cell_empty() {
        let sizes = [[960, 720], [720, 960], [400, 400], [1600, 400], [200, 1000], [1, 1], [3, 4000]];
        for size in sizes {
            for count in 1..=4 {
                let [columns, rows] = board(count, size);
                assert_eq!((columns * rows) as usize, count, "{count} panes in {size:?}");
            }
            for count in 1..=MAX_BESIDE {
                let [columns, rows] = grid(count, size);
                assert_eq!((columns * rows) as usize, count, "{count} modes in {size:?}");
            }
        }
        assert_eq!((board(3, [960, 720]), board(3, [400, 1200])), ([3, 1], [1, 3]));
        assert_eq!(
            (grid(4, [960, 720]), grid(4, [1700, 800]), grid(3, [300, 900])),
            ([2, 2], [4, 1], [1, 3])
        );
    }
}
