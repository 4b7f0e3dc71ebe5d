//! Reads, checks and repairs key times and values.

use glam::DQuat;

use super::accessor::Accessors;
use super::transform::{QuaternionRepair, unit_quaternion};
use crate::clip::{Interpolation, Property};
use crate::gltf::component::Component;
use crate::gltf::json::{Animation, Document, Sampler};
use crate::reading::error::LoadError;
use crate::reading::message::{counted, quoted};
use crate::reading::warnings::Warnings;

/// The keys of a channel.
pub struct Keys {
    /// Interpolation between keys.
    pub interpolation: Interpolation,
    /// Key times, strictly increasing, at least one.
    pub times: Vec<f32>,
    /// Values, key after key.
    pub values: Vec<f32>,
}

/// A channel's requirements for its sampler.
pub struct Wanted<'a> {
    /// The channel's animation, and its path.
    pub animation: (&'a Animation, &'a str),
    /// The channel's path.
    pub channel: &'a str,
    /// The sampler's number in the animation.
    pub sampler: usize,
    /// The animated property.
    pub property: Property,
    /// Numbers a value.
    pub components: usize,
    /// True if integers may be used unnormalised, as for the target of a pointer.
    pub plain_integers: bool,
}

/// Reads a sampler; `None` for one without keys.
pub fn read(
    wanted: &Wanted<'_>,
    document: &Document,
    accessors: &mut Accessors<'_>,
    warnings: &mut Warnings,
) -> Result<Option<Keys>, LoadError> {
    let &Wanted { animation: (animation, animation_path), channel, property, components, .. } = wanted;
    let sampler = animation.samplers.get(wanted.sampler).ok_or_else(|| {
        let samplers = animation.samplers.len();
        let message = format!("there is no sampler {} (the animation has {samplers})", wanted.sampler);
        LoadError::broken("UNRESOLVED_REFERENCE", format!("{channel}.sampler"), message)
    })?;
    let path = format!("{animation_path}.samplers[{}]", wanted.sampler);
    let interpolation = interpolation(sampler).unwrap_or(Interpolation::Linear);

    let input_path = format!("{path}.input");
    let times = accessors.floats::<1>(sampler.input, &input_path)?.into_flattened();
    check_times(&times, &input_path, warnings)?;
    if times.is_empty() {
        warnings.add(
            "ANIMATION_SAMPLER_INPUT_ACCESSOR_TOO_FEW_ELEMENTS",
            channel,
            "has no keys and was left out",
        );
        return Ok(None);
    }
    if times.len() == 1 && interpolation == Interpolation::CubicSpline {
        warnings.add(
            "ANIMATION_SAMPLER_INPUT_ACCESSOR_TOO_FEW_ELEMENTS",
            &input_path,
            "has one key, but a spline needs two; its value is constant",
        );
    }
    if format(document, sampler.input) != Some((Component::F32, false)) {
        warnings.add(
            "ANIMATION_SAMPLER_INPUT_ACCESSOR_INVALID_FORMAT",
            &input_path,
            "key times should be floats; read in the accessor's type",
        );
    }

    let path = format!("{path}.output");
    let values = read_values(wanted, document, sampler.output, &path, accessors, warnings)?;
    let mut keys = Keys { interpolation, times, values };
    check_values(&mut keys, property, components, &path, warnings)?;
    Ok(Some(keys))
}

/// Reads a sampler's values as stored, with a warning if they should be floats.
fn read_values(
    wanted: &Wanted<'_>,
    document: &Document,
    output: usize,
    path: &str,
    accessors: &mut Accessors<'_>,
    warnings: &mut Warnings,
) -> Result<Vec<f32>, LoadError> {
    let values = match wanted.property {
        Property::Translation | Property::Scale => accessors.floats::<3>(output, path)?.into_flattened(),
        Property::Rotation => accessors.floats::<4>(output, path)?.into_flattened(),
        Property::Weights | Property::Weight(_) => accessors.floats::<1>(output, path)?.into_flattened(),
    };
    let fits = match (wanted.property, format(document, output)) {
        (_, Some((Component::F32, _))) => true,
        (Property::Translation | Property::Scale, _) => wanted.plain_integers,
        (_, Some((_, normalized))) => normalized || wanted.plain_integers,
        (_, None) => true,
    };
    if !fits {
        warnings.add(
            "ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_FORMAT",
            path,
            "these numbers should be floats; read in the accessor's type",
        );
    }
    Ok(values)
}

/// Warns of samplers with an unknown interpolation, used or not: they are read as LINEAR.
pub fn check_interpolations(animation: &Animation, path: &str, warnings: &mut Warnings) {
    for (number, sampler) in animation.samplers.iter().enumerate() {
        if interpolation(sampler).is_none() {
            let word = quoted(sampler.interpolation.as_deref().unwrap_or_default());
            let path = format!("{path}.samplers[{number}].interpolation");
            warnings.add(
                "VALUE_NOT_IN_LIST",
                &path,
                format!("{word} is not an interpolation; read as LINEAR"),
            );
        }
    }
}

/// Returns a sampler's interpolation, or the default; `None` if the name is unknown.
fn interpolation(sampler: &Sampler) -> Option<Interpolation> {
    match sampler.interpolation.as_deref() {
        None | Some("LINEAR") => Some(Interpolation::Linear),
        Some("STEP") => Some(Interpolation::Step),
        Some("CUBICSPLINE") => Some(Interpolation::CubicSpline),
        Some(_) => None,
    }
}

/// Returns an accessor's component type, and whether it is normalised.
fn format(document: &Document, accessor: usize) -> Option<(Component, bool)> {
    let accessor = document.accessors.get(accessor)?;
    Some((Component::from_code(accessor.component_type)?, accessor.normalized))
}

/// Key times must be finite and strictly increasing.
pub fn check_times(times: &[f32], path: &str, warnings: &mut Warnings) -> Result<(), LoadError> {
    if let Some(key) = times.iter().position(|time| !time.is_finite()) {
        return Err(LoadError::broken(
            "ACCESSOR_INVALID_FLOAT",
            path,
            format!("the time of key {key} is not finite"),
        ));
    }
    let step = times.windows(2).position(|pair| !matches!(pair, [a, b] if a < b));
    if let Some(key) = step {
        let message = format!("the time of key {} is not after that of key {key}", key.saturating_add(1));
        return Err(LoadError::broken("ACCESSOR_ANIMATION_INPUT_NON_INCREASING", path, message));
    }
    if times.first().is_some_and(|first| *first < 0.0) {
        // Kept, because cutting them off would change how the clip starts.
        warnings.add("ACCESSOR_ANIMATION_INPUT_NEGATIVE", path, "has keys before time 0");
    }
    Ok(())
}

/// Checks that there are enough values for the keys, that they are finite, and that rotations have length one.
pub fn check_values(
    keys: &mut Keys,
    property: Property,
    components: usize,
    path: &str,
    warnings: &mut Warnings,
) -> Result<(), LoadError> {
    let Keys { interpolation, times, values } = keys;
    let numbers_per_key = match interpolation {
        Interpolation::Step | Interpolation::Linear => components,
        Interpolation::CubicSpline => components.saturating_mul(3),
    };
    let needed = times.len().saturating_mul(numbers_per_key);
    if values.len() < needed {
        let message = format!("{} numbers, but {} keys need {needed}", values.len(), times.len());
        return Err(LoadError::broken("ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_COUNT", path, message));
    }
    if values.len() > needed {
        let message = format!("{} numbers, but {} keys use only {needed}", values.len(), times.len());
        warnings.add("ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_COUNT", path, message);
        values.truncate(needed);
    }
    if let Some(at) = values.iter().position(|value| !value.is_finite()) {
        let key = at.checked_div(numbers_per_key).unwrap_or(0);
        return Err(LoadError::broken(
            "ACCESSOR_INVALID_FLOAT",
            path,
            format!("the value of key {key} is not finite"),
        ));
    }
    match (property, interpolation) {
        (Property::Rotation, Interpolation::Step | Interpolation::Linear) => {
            normalize_rotations(values, path, warnings);
        }
        // Splines are normalised after interpolation, because their tangents fit the values as
        // they are.
        (Property::Rotation, Interpolation::CubicSpline) => count_odd_rotations(values, path, warnings),
        (Property::Translation | Property::Scale | Property::Weights | Property::Weight(_), _) => {}
    }
    Ok(())
}

/// Warns of spline keys that are no rotations, each between its two tangents.
fn count_odd_rotations(values: &[f32], path: &str, warnings: &mut Warnings) {
    let is_odd = |[_, value, _]: &[[f32; 4]; 3]| {
        unit_quaternion(DQuat::from_array(value.map(f64::from))).1 != QuaternionRepair::None
    };
    let odd = values.as_chunks::<4>().0.as_chunks::<3>().0.iter().filter(|key| is_odd(key)).count();
    if odd > 0 {
        warnings.add(
            "ACCESSOR_ANIMATION_SAMPLER_OUTPUT_NON_NORMALIZED_QUATERNION",
            path,
            format!(
                "{} with a non-unit quaternion; the spline's result is normalised",
                counted(odd, "key", "keys")
            ),
        );
    }
}

/// Normalises clearly wrong rotations. All others stay as stored: they are normalised at each time, and a written file gets
/// the same bits.
fn normalize_rotations(values: &mut [f32], path: &str, warnings: &mut Warnings) {
    let mut normalized = 0_usize;
    let mut replaced = 0_usize;
    for key in values.as_chunks_mut::<4>().0 {
        let (unit, repair) = unit_quaternion(DQuat::from_array(key.map(f64::from)));
        match repair {
            QuaternionRepair::None => continue,
            QuaternionRepair::Normalized => normalized = normalized.saturating_add(1),
            QuaternionRepair::Replaced => replaced = replaced.saturating_add(1),
        }
        *key = unit.to_array().map(|number| number as f32);
    }
    if normalized > 0 {
        warnings.add(
            "ACCESSOR_ANIMATION_SAMPLER_OUTPUT_NON_NORMALIZED_QUATERNION",
            path,
            format!("{} with a non-unit quaternion, normalised", counted(normalized, "key", "keys")),
        );
    }
    if replaced > 0 {
        warnings.add(
            "ACCESSOR_ANIMATION_SAMPLER_OUTPUT_NON_NORMALIZED_QUATERNION",
            path,
            format!("{} with a zero quaternion, read as no rotation", counted(replaced, "key", "keys")),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rotations_keep_their_bits_unless_they_are_clearly_wrong() {
        let unit = [0.182_574_18_f32, 0.365_148_37, 0.547_722_6, 0.730_296_7];
        let short = [0.0, 0.0, 0.707, 0.707];
        let wrong = [0.0, 0.0, 0.5, 0.5];
        let mut values = [unit, short, wrong, [0.0; 4]].concat();
        let mut warnings = Warnings::default();
        normalize_rotations(&mut values, "x", &mut warnings);
        let half = std::f32::consts::FRAC_1_SQRT_2;
        assert_eq!(values, [unit, short, [0.0, 0.0, half, half], [0.0, 0.0, 0.0, 1.0]].concat());
        let again = values.clone();
        normalize_rotations(&mut values, "x", &mut warnings);
        assert_eq!(values, again, "a written file is read alike");
    }
}
