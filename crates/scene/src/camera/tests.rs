//! Compares cameras with numbers computed by hand.

use super::*;

#[test]
fn a_pixels_sight_goes_through_what_it_shows() {
    let points = [DVec3::new(-0.4, 0.0, -0.3), DVec3::new(0.5, 1.8, 0.2)];
    let size = [300, 200];
    let parallel = Lens { parallel: true, ..Lens::default() };
    for lens in [Lens::default(), parallel] {
        let camera = Camera::new(&Orbit { lens, ..Orbit::default() }, &points, size);
        let place = DVec3::new(0.2, 1.1, -0.1);
        let clip = camera.clip_from_view * camera.view_from_world * place.extend(1.0);
        let pixel = DVec2::new(clip.x, clip.y) / clip.w * 0.5 + 0.5;
        let (origin, direction) = camera.sight(pixel * DVec2::new(300.0, 200.0), size);
        let direction = direction.normalize();
        let beside = (place - origin).cross(direction).length();
        assert!(beside < 1e-9 && (place - origin).dot(direction) > 0.0, "{beside}");
    }
}

#[test]
fn viewpoints_print_what_they_read() {
    for text in ["auto", "0,0", "-90,0", "12.5,-30,4", "180,0"] {
        assert_eq!(text.parse::<Orbit>().unwrap().to_string(), text);
    }
    assert_eq!("front".parse::<Orbit>(), "0,0".parse::<Orbit>());
    for text in ["", "1", "nan,0", "1,2,3,4", "0,91", "0,0,0", "0,0,-1", "inf,0", "sideways"] {
        assert_eq!(text.parse::<Orbit>(), Err(NoViewpoint), "{text}");
    }
}

#[test]
fn everything_is_in_the_picture_and_no_more_than_needed() {
    let corner = |n: u8, bit: u8, low: f64, high: f64| if n >> bit & 1 == 0 { low } else { high };
    let corners: Vec<DVec3> = (0..8)
        .map(|n| DVec3::new(corner(n, 0, -1.0, 1.0), corner(n, 1, 0.0, 5.0), corner(n, 2, -0.2, 0.3)))
        .collect();
    let lenses = [
        Lens::default(),
        Lens { fov_degrees: 90.0, ..Lens::default() },
        Lens { parallel: true, ..Lens::default() },
    ];
    for (yaw, pitch) in [(0.0, 0.0), (30.0, 10.0), (90.0, -20.0), (180.0, 90.0), (17.0, -90.0)] {
        for (size, lens) in
            [[800, 600], [100, 900], [900, 100]].into_iter().flat_map(|size| lenses.map(|lens| (size, lens)))
        {
            let orbit = Orbit { yaw_degrees: yaw, pitch_degrees: pitch, lens, ..Orbit::default() };
            let camera = Camera::new(&orbit, &corners, size);
            let clip_from_world = camera.clip_from_view * camera.view_from_world;
            let (mut least, mut most) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
            for corner in &corners {
                let clip = clip_from_world * corner.extend(1.0);
                let (x, y, z) = (clip.x / clip.w, clip.y / clip.w, clip.z / clip.w);
                assert!(clip.w > 0.0 && (0.0..=1.0).contains(&z), "depth {z}");
                least = least.min(DVec3::new(x, y, z));
                most = most.max(DVec3::new(x, y, z));
            }
            let reach = most.max(-least).truncate().max_element();
            assert!((0.9..=0.95).contains(&reach), "{yaw} {pitch} {size:?}: reaches {reach}");
            // The tighter direction is centred.
            let off = (most + least).truncate();
            let off = if most.x - least.x > most.y - least.y { off.x } else { off.y };
            assert!(off.abs() < 1e-9, "{yaw} {pitch} {size:?}: {off} off the middle");
        }
    }
}

/// Three points in a plane two metres in front of the target, seen from six; values computed by hand.
#[test]
fn targets_and_lenses_are_where_they_should_be() {
    let target = DVec3::new(1.0, 2.0, 3.0);
    let lens = Lens { fov_degrees: 2.0 * 0.5_f64.atan().to_degrees(), parallel: false };
    let orbit = Orbit { distance: Some(6.0), target: Some(target), lens, ..front() };
    let points = [target, DVec3::new(2.0, 2.0, 5.0), DVec3::new(1.0, 3.0, 5.0)];
    let seen = |orbit: &Orbit, point: DVec3| {
        let camera = Camera::new(orbit, &points, [200, 100]);
        let clip = camera.clip_from_view * camera.view_from_world * point.extend(1.0);
        (clip.x / clip.w, clip.y / clip.w)
    };
    let near = |(x, y): (f64, f64), wanted: (f64, f64)| {
        assert!((x - wanted.0).abs() < 1e-9 && (y - wanted.1).abs() < 1e-9, "{x},{y} not {wanted:?}");
    };
    // At four metres, the picture is four metres high and eight wide; y is down.
    near(seen(&orbit, points[0]), (0.0, 0.0));
    near(seen(&orbit, points[1]), (0.25, 0.0));
    near(seen(&orbit, points[2]), (0.0, -0.5));
    // Parallel projection has the height at the target's distance, six metres, everywhere.
    let parallel = Orbit { lens: Lens { parallel: true, ..lens }, ..orbit };
    near(seen(&parallel, points[0]), (0.0, 0.0));
    near(seen(&parallel, points[1]), (1.0 / 6.0, 0.0));
    near(seen(&parallel, points[2]), (0.0, -1.0 / 3.0));
    // Everything fits around the target if there is no distance.
    for orbit in [orbit, parallel] {
        let fitting = Orbit { distance: None, ..orbit };
        let reach = points.map(|point| seen(&fitting, point)).map(|(x, y)| x.abs().max(y.abs()));
        let furthest = reach.into_iter().fold(0.0, f64::max);
        assert!((0.9..0.95).contains(&furthest), "{furthest}");
        near(seen(&fitting, target), (0.0, 0.0));
    }
}

fn front() -> Orbit {
    "front".parse().unwrap()
}

/// Returns a point's position in the picture of a camera at the origin.
fn seen(projection: Projection, size: [u32; 2], point: [f64; 3]) -> DVec3 {
    let camera = Camera::through(&projection, &DMat4::IDENTITY, size);
    let clip = camera.clip_from_view * camera.view_from_world * DVec3::from(point).extend(1.0);
    (clip / clip.w).truncate()
}

fn assert_near(found: DVec3, expected: [f64; 3]) {
    assert!(found.abs_diff_eq(DVec3::from(expected), 1e-12), "{found}, not {expected:?}");
}

#[test]
fn a_perspective_of_a_file_opens_as_it_says() {
    // tan(yfov / 2) = 0.5: three metres ahead the picture is three metres high.
    let eye =
        |aspect, far| Projection::Perspective { yfov_radians: 2.0 * 0.5_f64.atan(), aspect, near: 1.0, far };
    // Half the height up is halfway to the upper edge, for any width.
    for size in [[100, 100], [300, 100], [100, 300]] {
        let width = f64::from(size[0]) / f64::from(size[1]);
        let point = [0.75 * width, 0.75, -3.0];
        assert_near(seen(eye(None, None), size, point), [0.5, -0.5, 1.0 / 3.0]);
    }
    // Depth is 1 at the near plane and 0 at the far plane; for an infinite one it is near / distance.
    assert_near(seen(eye(None, Some(5.0)), [9, 9], [0.0, 0.0, -1.0]), [0.0, 0.0, 1.0]);
    assert_near(seen(eye(None, Some(5.0)), [9, 9], [0.0, 0.0, -5.0]), [0.0, 0.0, 0.0]);
    // 1 · (5 - 2) / ((5 - 1) · 2)
    assert_near(seen(eye(None, Some(5.0)), [9, 9], [0.0, 0.0, -2.0]), [0.0, 0.0, 0.375]);
    // A picture wider than the file's keeps the height; a narrower one keeps the width.
    let corner = [2.0 * 1.5, 1.5, -3.0];
    assert_near(seen(eye(Some(2.0), None), [400, 100], corner), [0.5, -1.0, 1.0 / 3.0]);
    assert_near(seen(eye(Some(2.0), None), [200, 100], corner), [1.0, -1.0, 1.0 / 3.0]);
    assert_near(seen(eye(Some(2.0), None), [100, 100], corner), [1.0, -0.5, 1.0 / 3.0]);
}

#[test]
fn an_orthographic_view_of_a_file_keeps_sizes() {
    let flat = Projection::Orthographic { half_width: 2.0, half_height: 1.0, near: 1.0, far: 5.0 };
    for (distance, depth) in [(1.0, 1.0), (2.0, 0.75), (5.0, 0.0)] {
        let corner = [2.0, 1.0, -distance];
        assert_near(seen(flat, [200, 100], corner), [1.0, -1.0, depth]);
        assert_near(seen(flat, [400, 100], corner), [0.5, -1.0, depth]);
        assert_near(seen(flat, [100, 100], corner), [1.0, -0.5, depth]);
    }
    let camera = Camera::through(&flat, &DMat4::from_translation(DVec3::X), [9, 9]);
    assert_eq!(camera.eye_in_world, DVec4::Z, "infinitely far behind the picture");
}

#[test]
fn a_camera_stands_where_its_node_is_and_scale_does_not_matter() {
    let eye = Projection::Perspective { yfov_radians: 1.0, aspect: None, near: 0.1, far: None };
    let turned = DMat4::from_translation(DVec3::new(1.0, 2.0, 3.0)) * DMat4::from_rotation_y(0.7);
    let plain = Camera::through(&eye, &turned, [100, 100]);
    assert!(plain.eye_in_world.abs_diff_eq(DVec4::new(1.0, 2.0, 3.0, 1.0), 1e-15));
    // A point ahead of the node is at the centre of the picture.
    let ahead = turned * DVec4::new(0.0, 0.0, -2.0, 1.0);
    let clip = plain.clip_from_view * plain.view_from_world * ahead;
    assert!(clip.truncate().truncate().length() < 1e-12 && (clip.w - 2.0).abs() < 1e-12, "{clip}");
    for scale in [DVec3::new(2.0, 3.0, 0.5), DVec3::splat(1e-3), DVec3::new(-1.0, 1.0, 1.0)] {
        let scaled = Camera::through(&eye, &(turned * DMat4::from_scale(scale)), [100, 100]);
        assert!(scaled.view_from_world.abs_diff_eq(plain.view_from_world, 1e-12), "{scale}");
    }
    let flattened = Camera::through(&eye, &(turned * DMat4::from_scale(DVec3::ZERO)), [100, 100]);
    assert!(flattened.view_from_world.is_finite());
}

#[test]
fn up_is_up_and_right_is_right() {
    let points = [DVec3::splat(-1.0), DVec3::splat(1.0)];
    let camera = Camera::new(&"front".parse().unwrap(), &points, [100, 100]);
    let clip = camera.clip_from_view * camera.view_from_world * DVec3::new(0.5, 0.5, 0.0).extend(1.0);
    assert!(clip.x > 0.0, "+x is on the right from the front");
    assert!(clip.y < 0.0, "+y is up, which in Vulkan is negative");
}
