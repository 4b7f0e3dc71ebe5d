//! Tests of volumes, welds, turned triangles and stretch on meshes with vertices moved by hand.

use super::*;

#[test]
fn volumes_follow_scale_and_mirroring_far_from_the_origin() {
    let model = model(vec![cube(&SIDES)], &[]);
    let shape = Shape::new(&model).unwrap();
    let [part] = shape.parts() else { panic!("{:?}", shape.parts()) };
    assert_eq!((part.points, part.triangles, part.primitives.as_slice()), (8, 12, &[0][..]));
    close(part.volume, 1.0);
    for (scale, volume) in
        [([2.0, 1.0, 1.0], 2.0), ([-1.0, 1.0, 1.0], -1.0), ([1.0, 0.0, 1.0], 0.0), ([0.5; 3], 0.125)]
    {
        let found = moved(&model, |p| p * DVec3::from_array(scale) + DVec3::splat(1e9)).volume.unwrap();
        close(found.smallest, volume);
        close(found.largest, volume);
    }
    // A second cube, half the size of the first in a pose.
    let mut two = model.clone();
    let apart: Vec<_> = cube(&SIDES).positions.iter().map(|[x, y, z]| [x + 5.0, *y, *z]).collect();
    two.meshes[0].primitives.push(Primitive { positions: apart, ..cube(&SIDES) });
    let found = moved(&two, |p| if p.x > 4.0 { p * 0.5 } else { p }).volume.unwrap();
    assert_eq!((found.smallest_at, found.largest_at), (1, 0));
    close(found.smallest, 0.125);
    close(found.largest, 1.0);
}

#[test]
fn primitives_of_an_instance_are_welded() {
    let halves = model(vec![cube(&SIDES[..3]), cube(&SIDES[3..])], &[]);
    let shape = Shape::new(&halves).unwrap();
    let [part] = shape.parts() else { panic!("{:?}", shape.parts()) };
    assert_eq!(part.primitives, [0, 1]);
    let expected = Counts { vertices: 24, points: 8, triangles: 12, edges: 18, skipped_sections: 0 };
    assert_eq!(shape.counts(), expected);
    close(moved(&halves, |p| p * 2.0).volume.unwrap().largest, 8.0);
    // A cube without a side, and one with a side turned over, are not closed.
    assert_eq!(Shape::new(&model(vec![cube(&SIDES[..5])], &[])).unwrap().parts(), []);
    let mut over = SIDES;
    over[0].reverse();
    assert_eq!(Shape::new(&model(vec![cube(&over)], &[])).unwrap().parts(), []);
    // A triangle and its back are closed, but enclose nothing.
    let flat = primitive(vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], &[0, 1, 2, 0, 2, 1]);
    assert_eq!(Shape::new(&model(vec![flat], &[])).unwrap().parts(), []);
    // Instances are not welded: two halves of a cube are not closed.
    let mut apart = model(vec![cube(&SIDES[..3])], &[]);
    apart.meshes.push(Mesh { primitives: vec![cube(&SIDES[3..])], ..Mesh::default() });
    apart.instances.push(Instance { node: 0, mesh: 1, skin: None });
    assert_eq!(Shape::new(&apart).unwrap().parts(), []);
}

#[test]
fn vertices_without_a_place_are_not_welded() {
    let mut lost = grid(1);
    lost.positions.insert(0, [f32::NAN; 3]);
    lost.indices.iter_mut().for_each(|vertex| *vertex += 1);
    lost.indices.extend([0, 1, 2]);
    let counts = Shape::new(&model(vec![lost], &[])).unwrap().counts();
    assert_eq!((counts.points, counts.triangles, counts.edges), (5, 2, 5));
}

#[test]
fn triangles_turned_over_are_found() {
    let follow = |[x, ..]: [f32; 3]| ([i32::from(x > 1.5), i32::from(x < 1.5), 0, 0], [0.75, 0.25, 0.0, 0.0]);
    let mut sheet = model(vec![with_joints(grid(4), follow)], &[0.0, 1.0]);
    let corner =
        |to: [f64; 3]| moved(&sheet, |p| if p == DVec3::ZERO { DVec3::from_array(to) } else { p }).turned;
    let vertex = |vertex| Some(Place { instance: 0, primitive: 0, vertex });
    assert_eq!(corner([1.5, 1.2, 0.0]), Turned { count: 1, largest: vertex(0) });
    // On the line between its other corners it has no area, and before that line it is fine.
    assert_eq!(corner([0.5, 0.5, 0.0]), Turned::default());
    assert_eq!(corner([0.4, 0.4, 0.0]), Turned::default());
    // Rounding does not turn a triangle that has no area or stands upright.
    assert_eq!(corner([0.5, 0.5 + 1e-12, 0.0]), Turned::default());
    assert_eq!(corner([0.5, 0.5 + 1e-9, 1.0]), Turned::default());
    // A column of cells that folds back over the next one turns over as a whole; the last row becomes the highest.
    sheet.meshes[0].primitives[0].positions.iter_mut().for_each(|p| p[1] *= p[1]);
    let folded = moved(&sheet, |p| DVec3::new(3.0 - (3.0 - p.x).abs(), p.y, p.z)).turned;
    assert_eq!((folded.count, folded.largest), (8, vertex(18)));
    // Triangles moved by no skin, or by one joint alone, cannot be turned, wherever they are.
    let alone = with_joints(grid(4), |_| ([1; 4], [1.0, 0.0, 0.0, 0.0]));
    for fixed in [model(vec![grid(4)], &[]), model(vec![alone], &[0.0, 1.0])] {
        assert_eq!(moved(&fixed, |p| DVec3::new(-p.x, p.y, p.z)).turned.count, 0);
    }

    // One joint that explains it is enough, even if it is not the heaviest. "No joint" stays in place.
    let mirrored = |model: &Model, degrees: f64| {
        let pose = turned_by(model, &[(2, DQuat::from_rotation_x(degrees.to_radians()))]);
        let mut skinned = skin(model, SkinningMode::Rigid, &Pose::rest(&model.rig));
        skinned[0].positions.iter_mut().for_each(|p| p[1] = -p[1]);
        let shape = Shape::new(model).unwrap();
        measure(&shape, model, &pose, 0.0, &skinned, &mut Scratch::default()).turned.count
    };
    assert_eq!([0.0, 180.0].map(|degrees| mirrored(&sheet, degrees)), [32, 0]);
    let none = with_joints(grid(4), |_| ([-1, 99, 0, 0], [0.75, 0.25, 0.0, 0.0]));
    assert_eq!(mirrored(&model(vec![none], &[0.0, 1.0]), 180.0), 32);

    // Triangles that all joints turn, or mirror, alike are not turned over.
    for mode in SkinningMode::ALL {
        let turned = |scale: f64, degrees: f64| {
            let mut pose = turned_by(&sheet, &[(1, DQuat::from_rotation_x(degrees.to_radians()))]);
            pose.world_from_node.iter_mut().for_each(|node| node.x_axis *= scale);
            after(&sheet, mode, [&pose, &pose]).turned.count
        };
        assert_eq!([turned(1.0, 0.0), turned(1.0, 180.0), turned(-1.0, 75.0)], [0; 3], "{mode}");
    }
    // The right half slides left, past the left half: the column between them turns over.
    let mut pose = Pose::rest(&sheet.rig);
    pose.world_from_node[2].w_axis.x = -3.0;
    assert_eq!(after(&sheet, SkinningMode::Linear, [&pose, &pose]).turned.count, 8);
}

#[test]
fn stretch_is_by_nearest_rank() {
    // 20 edges along x, 20 along y, 16 diagonals.
    let grid = model(vec![grid(4)], &[]);
    let found = moved(&grid, |p| DVec3::new(2.0 * p.x, p.y, p.z)).stretch.unwrap();
    assert_eq!((found.p1, found.p99), (1.0, 2.0));
    close(found.p50, 2.5f64.sqrt());
    let found = moved(&grid, |p| DVec3::new(p.x, 0.25 * p.y, p.z)).stretch.unwrap();
    assert_eq!((found.p1, found.p99), (0.25, 1.0));
    close(found.p50, (1.0625f64 / 2.0).sqrt());
}
