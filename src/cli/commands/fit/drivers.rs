//! Writes the tables of driven joints as JSON. Scripts depend on the names of the keys (docs/reference/json.md).

use std::io::{self, Write};

use serde::Serialize;

use crate::fit::{Driver, TERMS};
use crate::model::Model;
use crate::writing::write_json_pretty;

#[derive(Serialize)]
struct Document<'a> {
    /// Products of the numbers x, y and z; the first is 1.
    terms: Vec<String>,
    joints: Vec<Joint<'a>>,
}

#[derive(Serialize)]
struct Joint<'a> {
    name: &'a str,
    parent: Option<&'a str>,
    driver: &'a str,
    driver_rest: [f64; 4],
    driver_center: [f64; 3],
    rest: [f64; 4],
    translation: Vec<[f64; 3]>,
    rotation: Vec<[f64; 3]>,
}

/// Writes the tables.
pub fn json(model: &Model, drivers: &[Driver], out: &mut dyn Write) -> io::Result<()> {
    let rig = &model.rig;
    let name = |node: usize| rig.names.get(node).map_or("", String::as_str);
    let joint = |driver: &Driver| Joint {
        name: name(driver.helper),
        parent: rig.parents.get(driver.helper).copied().flatten().map(|parent| name(parent as usize)),
        driver: name(driver.joint),
        driver_rest: driver.joint_rest.to_array(),
        driver_center: driver.center.to_array(),
        rest: driver.rest.to_array(),
        translation: driver.translation.iter().map(|one| one.to_array()).collect(),
        rotation: driver.rotation.iter().map(|one| one.to_array()).collect(),
    };
    let term = |powers: &[u8; 3]| {
        let letters = ["x", "y", "z"].into_iter().zip(powers);
        letters.map(|(letter, power)| letter.repeat(usize::from(*power))).collect::<String>()
    };
    let named = |powers| Some(term(powers)).filter(|term| !term.is_empty()).unwrap_or_else(|| "1".to_owned());
    let terms = TERMS.iter().map(named).collect();
    let document = Document { terms, joints: drivers.iter().map(joint).collect() };
    write_json_pretty(out, &document)
}
