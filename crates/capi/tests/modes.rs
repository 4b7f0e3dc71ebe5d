//! `include/sinew_modes.h` against the twins: the same bits, in every mode.

#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

mod compilers;

use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use compilers::{Language, compile, compilers, run};
use glam::{DMat4, DQuat, DVec3, EulerRot};
use sinew_skinning::affine::{transform_normal, transform_position, transform_tangent};
use sinew_skinning::{SkinningMode, Slot, VertexSkin};

const JOINTS: usize = 5;
/// Sets of four influences.
const SETS: usize = 2;

/// Numbers that look random and are the same everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn within(&mut self, most: f64) -> f64 {
        (self.next() * 2.0 - 1.0) * most
    }
}

struct Case {
    matrices: [DMat4; JOINTS],
    joints: [[i32; 4]; SETS],
    weights: [[f32; 4]; SETS],
    share: f32,
    center: [f32; 3],
    position: [f32; 3],
    normal: [f32; 3],
    tangent: [f32; 4],
}

/// A matrix of every kind that joints have: turned, scaled alike, stretched, sheared, mirrored, flat, a line, nothing.
fn matrix(random: &mut Random) -> DMat4 {
    let turn = |random: &mut Random| {
        let [x, y, z] = [0; 3].map(|_| random.within(4.0));
        DQuat::from_euler(EulerRot::XYZ, x, y, z)
    };
    let turned = DMat4::from_quat(turn(random));
    let stretch = DVec3::from([0; 3].map(|_| 0.2 + random.next() * 3.0));
    let other = DMat4::from_quat(turn(random));
    let linear = match (random.next() * 10.0) as u32 {
        0 | 1 => turned,
        2 => turned * DMat4::from_scale(DVec3::splat(stretch.x)),
        3 => turned * DMat4::from_scale(stretch),
        4 | 5 => turned * DMat4::from_scale(stretch) * other,
        6 => turned * DMat4::from_scale(stretch * DVec3::new(-1.0, 1.0, 1.0)) * other,
        7 => turned * DMat4::from_scale(stretch * DVec3::new(1.0, 0.0, 1.0)) * other,
        8 => turned * DMat4::from_scale(stretch * DVec3::new(1.0, 0.0, 0.0)) * other,
        _ => DMat4::from_scale(DVec3::splat(if random.next() < 0.5 { 0.0 } else { 1.0 })),
    };
    DMat4::from_translation(DVec3::from([0; 3].map(|_| random.within(5.0)))) * linear
}

fn case(random: &mut Random) -> Case {
    let raw = [0; 4 * SETS].map(|_| random.next());
    let sum: f64 = raw.iter().sum();
    let mut weights = raw.map(|weight| (weight / sum) as f32);
    weights.sort_by(|a, b| b.total_cmp(a));
    Case {
        matrices: [0; JOINTS].map(|_| matrix(random)),
        joints: [[0; 4]; SETS].map(|set| set.map(|_| (random.next() * (JOINTS as f64 + 1.0)) as i32 - 1)),
        weights: [0, 1].map(|set| [0, 1, 2, 3].map(|slot| weights[4 * set + slot])),
        share: random.next() as f32,
        center: [0; 3].map(|_| random.within(2.0) as f32),
        position: [0; 3].map(|_| random.within(2.0) as f32),
        normal: DVec3::from([0; 3].map(|_| random.within(1.0))).normalize_or(DVec3::X).as_vec3().to_array(),
        tangent: DVec3::from([0; 3].map(|_| random.within(1.0)))
            .normalize_or(DVec3::X)
            .as_vec3()
            .extend(-1.0)
            .to_array(),
    }
}

fn bytes(case: &Case, mode: usize) -> Vec<u8> {
    let doubles = case.matrices.iter().flat_map(|matrix| matrix.to_cols_array());
    let mut bytes: Vec<u8> = doubles.flat_map(f64::to_ne_bytes).collect();
    bytes.extend(case.joints.as_flattened().iter().flat_map(|joint| joint.to_ne_bytes()));
    let floats =
        case.weights.as_flattened().iter().chain([&case.share]).chain(&case.center).chain(&case.position);
    bytes.extend(floats.chain(&case.normal).chain(&case.tangent).flat_map(|number| number.to_ne_bytes()));
    bytes.extend([mode as i32, 0].map(i32::to_ne_bytes).as_flattened());
    bytes
}

/// The same by the twins.
fn expected(case: &Case, mode: SkinningMode) -> Vec<f32> {
    let slots: Vec<Slot> = case.matrices.iter().map(|matrix| mode.slot(matrix)).collect();
    let vertex = VertexSkin {
        joints: &case.joints,
        weights: &case.weights,
        share: case.share,
        center: case.center,
        position: case.position,
        ddm: None,
    };
    let b = mode.blend(&slots, &vertex);
    let normal = transform_normal(&b, case.normal);
    let mut numbers: Vec<f32> = slots.iter().flat_map(|slot| slot.columns.as_flattened().to_vec()).collect();
    numbers.extend(transform_position(&b, case.position));
    numbers.extend(normal);
    numbers.extend(transform_tangent(&b, case.tangent, normal));
    numbers
}

/// The folder of this crate.
fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn all(cases: &[Case]) -> impl Iterator<Item = (&Case, usize, SkinningMode)> {
    // The header has no triangles, from which the surroundings of vertices come.
    let has_all = |(_, mode): &(usize, SkinningMode)| !mode.facts().needs_ddm;
    let modes = move || SkinningMode::ALL.into_iter().enumerate().filter(has_all);
    cases.iter().flat_map(move |case| modes().map(move |(number, mode)| (case, number, mode)))
}

/// Skins all cases by a program, and returns its numbers for each.
fn skinned(program: &Path, cases: &[Case]) -> Vec<Vec<f32>> {
    let mut child = run(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let input: Vec<u8> = all(cases).flat_map(|(case, number, _)| bytes(case, number)).collect();
    let mut stdin = child.stdin.take().unwrap();
    let feeding = std::thread::spawn(move || stdin.write_all(&input).unwrap());
    let output = child.wait_with_output().unwrap();
    feeding.join().unwrap();
    assert!(output.status.success());
    let size = 4 * (JOINTS * 16 + 10);
    assert_eq!(output.stdout.len(), size * all(cases).count());
    let numbers = |bytes: &[u8]| bytes.as_chunks().0.iter().map(|bytes| f32::from_ne_bytes(*bytes)).collect();
    output.stdout.chunks(size).map(numbers).collect()
}

#[test]
fn every_mode_has_the_bits_of_its_twin() {
    let folder = tempfile::tempdir().unwrap();
    let mut random = Random(7);
    let cases: Vec<Case> = (0..3000).map(|_| case(&mut random)).collect();
    for (language, level) in [(Language::C99, "-O0"), (Language::C99, "-O3"), (Language::Cpp11, "-O2")] {
        for compiler in compilers(language) {
            let program = folder.path().join(compiler);
            let words = [level, "-ffp-contract=off", "-lm", "-o", program.to_str().unwrap()];
            compile(compiler, language, &here().join("tests/modes.c"), &words);
            let skinned = skinned(&program, &cases);
            for ((case, _, mode), theirs) in all(&cases).zip(&skinned) {
                let ours = expected(case, mode);
                let same = |(a, b): (&f32, &f32)| a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan());
                let is_same = ours.iter().zip(theirs).all(same);
                assert!(is_same, "{compiler}, {mode}, {:?}\n{ours:?}\n{theirs:?}", case.matrices);
            }
        }
    }
}

/// The enumerations of both headers have every mode, in the order of [`SkinningMode::ALL`]; without triangles, every mode
/// that needs none.
#[test]
fn every_mode_has_its_name_in_c() {
    let read = |file: &str| std::fs::read_to_string(here().join(file)).unwrap();
    let (library, modes) = (read("include/sinew.h"), read("../../include/sinew_modes.h"));
    let list = modes.split_once("typedef enum sinew_skinning_mode {").unwrap().1.split_once('}').unwrap().0;
    let listed: Vec<&str> = list.split(',').map(str::trim).collect();
    for (number, mode) in SkinningMode::ALL.into_iter().enumerate() {
        let name = mode.name().to_uppercase().replace('-', "_");
        assert!(library.contains(&format!(" SINEW_{name} = {number},")), "sinew.h lacks {name}");
        if mode.facts().needs_ddm {
            continue;
        }
        assert_eq!(listed.get(number), Some(&format!("SINEW_MODE_{name}").as_str()));
    }
    let without_triangles = SkinningMode::ALL.into_iter().filter(|mode| !mode.facts().needs_ddm);
    assert_eq!(listed.len(), without_triangles.count());
}

/// The guide's programs compile, beside each other's header, and the header's own example is the guide's.
#[test]
fn the_examples_of_the_pages_compile() {
    let folder = tempfile::tempdir().unwrap();
    let read = |file: &str| std::fs::read_to_string(here().join(file)).unwrap();
    let (guide, header) = (read("../../docs/guides/c.md"), read("../../include/sinew_modes.h"));
    let blocks: Vec<&str> =
        guide.split("```c\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert!(!blocks.is_empty());
    for block in &blocks {
        let source = folder.path().join("page.c");
        std::fs::write(&source, format!("#include \"sinew.h\"\n#include \"sinew_modes.h\"\n{block}"))
            .unwrap();
        for compiler in compilers(Language::C99) {
            compile(
                compiler,
                Language::C99,
                &source,
                &["-c", "-o", folder.path().join("page.o").to_str().unwrap()],
            );
        }
    }
    let example = header.lines().filter_map(|line| line.strip_prefix(" *     "));
    let code: Vec<&str> = example.map(str::trim).filter(|line| line.ends_with([';', ')'])).collect();
    assert!(code.len() > 8);
    for line in code {
        assert!(blocks.iter().any(|block| block.contains(line)), "docs/guides/c.md lacks `{line}`");
    }
    let licence = read("../../LICENSE-MIT");
    let notice: Vec<&str> = header.lines().map(|line| line.trim_start_matches(" *").trim()).collect();
    assert!(notice.join("\n").contains(licence.trim()), "the header lacks the licence");
    assert!(header.is_ascii(), "some compilers read a header in another encoding");
}
