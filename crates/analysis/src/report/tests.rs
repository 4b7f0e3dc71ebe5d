//! Tests of whole reports: of built-in models, and of a hand-made one with hostile names.

use std::collections::BTreeMap;

use glam::{DQuat, DVec3};

use super::*;
use crate::deformation::{Scratch, Shape, measure};
use crate::measure::Frames;
use crate::metric::Metric;
use sinew_model::{LocalTransform, Model, builtin, gltf};
use sinew_skinning::SkinningMode;
use sinew_skinning::distinct::Distinct;
use sinew_skinning::pose::{Pose, PoseChoice, Shares};
use sinew_skinning::posed::reference_surfaces;

const EVIL: &str = "<script>alert('1')</script>\"&\u{202e}";

fn model(name: &str) -> Model {
    gltf::load_bytes(&builtin::glb(name).unwrap(), None).unwrap()
}

fn report(name: &str) -> Report {
    let model = model(name);
    collect(&model, &format!("builtin:{name}"), &Plan::all(&model), &mut |_, _| ()).unwrap()
}

fn found(value: f64, score: f64, name: &str) -> Found {
    let joint = Some(name.to_owned());
    let at = Location { kind: LocationKind::Joint, joint, number: Some(0), vertex: "node5:0:17".to_owned() };
    Found {
        value,
        score: Some(score),
        clip: Some(3),
        name: format!("clip {name}"),
        time: 0.125,
        at: Some(at),
    }
}

/// Makes a report with two modes: one without problems, one with one.
fn by_hand(name: &str) -> Report {
    let summary = |mode: &str, value: f64, score: f64| ModeSummary {
        mode: mode.to_owned(),
        same_as: None,
        problems: usize::from(score > 1.0),
        worst: BTreeMap::from([(Metric::SectionSmallest, found(value, score, name))]),
    };
    let series = |mode: &str, values: [Option<f64>; 3]| ModeSeries {
        mode: mode.to_owned(),
        series: BTreeMap::from([(Metric::SectionSmallest, values.to_vec())]),
    };
    let picture = |mode: &str| Picture {
        mode: mode.to_owned(),
        file: format!("a b/{name}.png"),
        width: 320,
        height: 200,
        digest: String::new(),
    };
    let worst = Worst {
        mode: "lbs".to_owned(),
        metric: Metric::SectionSmallest,
        found: found(0.3125, 3.4375, name),
        pictures: vec![picture("lbs"), picture("dqs")],
        command: format!("sinew show '{name}'"),
    };
    let mut report = Report {
        program: "sinew 0".to_owned(),
        model: format!("{name}.glb"),
        diagonal_m: 2.0,
        counts: Counts {
            vertices: 1234,
            skinned_vertices: 1234,
            triangles: 2000,
            frames: 3,
            ..Counts::default()
        },
        modes: vec!["lbs".to_owned(), "dqs".to_owned()],
        summary: vec![summary("lbs", 0.3125, 3.4375), summary("dqs", 0.88, 0.6)],
        worst: vec![worst],
        clips: vec![ClipSeries {
            clip: Some(3),
            name: format!("clip {name}"),
            seconds: 0.25,
            of_frames: 3,
            times: vec![0.0, 0.125, 0.25],
            modes: vec![
                series("lbs", [Some(1.0), Some(0.3125), None]),
                series("dqs", [Some(1.0), Some(0.88), Some(0.9)]),
            ],
        }],
        ..Report::default()
    };
    report.verdict = super::verdict::verdict(&report);
    report
}

#[test]
fn pages_show_the_numbers_and_names_are_text() {
    let report = by_hand(EVIL);
    for text in [page(&report), site(&[(EVIL.to_owned(), report.clone())], 0)] {
        assert!(!text.contains("<script>alert") && !text.contains('\u{202e}'), "{text}");
        assert!(text.contains("&lt;script&gt;alert(&#39;1&#39;)"));
        assert_eq!(text.replace("http://www.w3.org/2000/svg", "").find("://"), None);
    }
    let page = page(&by_hand("hand.L"));
    for shown in [
        "31.2 %",
        "88.0 %",
        "≥ 80 %",
        "1,234 vertices",
        "2,000 triangles",
        "diagonal 2 m",
        "score 3.4",
        "hand.L, 0.12\u{a0}s",
        // Beside the names, so that no screen cuts it off.
        "<th scope=\"col\">worst value</th><th scope=\"col\">limit</th><th scope=\"col\">lbs</th>",
        "clip hand.L at 0.12 s",
        "node5:0:17",
        "<b>lbs</b> narrows hand.L to 31.2 %",
        "<pre>sinew show &#39;hand.L&#39;</pre>",
        "<img src=\"a%20b/hand.L.png\" alt=\"dqs, clip hand.L at 0.12 s\" width=\"320\" height=\"200\" loading=\"lazy\">",
        "href=\"report.json\"",
        "href=\"report.csv\"",
    ] {
        assert!(page.contains(shown), "{shown} is not in {page}");
    }
    for metric in Metric::ALL {
        assert!(
            page.contains(&format!("id=\"{}\"", metric.name()))
                && page.contains(&sinew_text::html::escaped(metric.facts().help)),
            "{metric:?}"
        );
    }
    assert_eq!(page.matches("<svg").count(), 1);
}

#[test]
fn a_site_has_a_row_and_a_link_for_each_model() {
    let mut good = by_hand("good");
    good.summary.iter_mut().for_each(|mode| mode.problems = 0);
    let both = [("a/good one".to_owned(), good), ("b".to_owned(), by_hand("bad"))];
    let site = site(&both, 0);
    assert!(site.contains("href=\"a/good%20one/index.html\">good.glb</a>"), "{site}");
    assert!(site.find("bad.glb") < site.find("good.glb"), "most problems come first");
    assert!(site.contains("lbs in 1, dqs in none") && site.contains("2 models"), "{site}");
    assert!(super::site(&[], 0).contains("0 models") && !site.contains("Not complete"));
    let begun = super::site(&both, 3);
    assert!(begun.contains("<h1>2 of 5 models so far</h1>") && begun.contains("Not complete: "), "{begun}");
}

#[test]
fn verdicts_are_made_from_the_numbers() {
    let mut report = by_hand("hand.L");
    let verdict = super::verdict::verdict;
    assert_eq!(
        verdict(&report),
        "dqs keeps the cross-sections of joints within 12 % of the bind pose. \
         lbs narrows hand.L to 31.2 % (clip hand.L at 0.12 s)."
    );
    let mut jump = Found { clip: None, name: "rest pose".to_owned(), ..found(0.5, 25.0, "hand.R") };
    jump.at.as_mut().unwrap().kind = LocationKind::Vertex;
    report.summary[1].worst.insert(Metric::Jump, jump);
    assert_eq!(
        verdict(&report),
        "No mode stays within all limits. lbs narrows hand.L to 31.2 % (clip hand.L at 0.12 s); \
         dqs lets a vertex near hand.R jump by 500 mm (rest pose)."
    );
    let mut alike = report.clone();
    alike.summary[1].worst = alike.summary[0].worst.clone();
    assert_eq!(
        verdict(&alike),
        "No mode stays within all limits: each narrows hand.L to 31.2 % (clip hand.L at 0.12 s)."
    );
    report.summary.remove(0);
    report.summary[0].worst.clear();
    assert_eq!(verdict(&report), "dqs stays within all limits.");
    report.counts.skinned_vertices = 0;
    assert_eq!(verdict(&report), "No skin moves this model: all modes draw the same.");
    report.counts.vertices = 0;
    assert_eq!(verdict(&report), "The model draws nothing.");
}

#[test]
fn files_hold_every_number() {
    let report = by_hand("a \"b\", c");
    assert_eq!(from_json(&json(&report).unwrap()).unwrap(), report);
    assert!(from_json("{}").is_err() && from_json("").is_err());
    // A report with the earlier name of a metric is read.
    for metric in Metric::ALL {
        for old in metric.facts().old {
            let mut report = report.clone();
            report.worst[0].metric = metric;
            report.clips[0].modes[0].series.insert(metric, vec![Some(2.0); 3]);
            let text = json(&report).unwrap();
            let before = text.replace(&format!("\"{}\"", metric.name()), &format!("\"{old}\""));
            assert_ne!(before, text);
            assert_eq!(from_json(&before).unwrap(), report);
        }
    }
    let mut out = Vec::new();
    csv(&report, &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    let lines: Vec<&str> = text.split_terminator("\r\n").collect();
    let names = Metric::ALL.map(Metric::name).join(",");
    assert_eq!(lines[0], format!("clip,name,time_s,mode,{names}"));
    assert_eq!(lines.len(), 1 + 3 * 2);
    let commas = ",".repeat(Metric::ALL.len() - 1);
    assert_eq!(lines[3], format!("3,\"clip a \"\"b\"\", c\",0.125,lbs,0.3125{commas}"));
    assert_eq!(lines[5], format!("3,\"clip a \"\"b\"\", c\",0.25,lbs,{commas}"));
}

#[test]
fn a_twist_is_a_candy_wrapper_in_lbs_alone() {
    let model = model("twist");
    let report = report("twist");
    let worst = |mode: &str| {
        let summary = report.summary.iter().find(|summary| summary.mode == mode).unwrap();
        summary.worst[&Metric::SectionSmallest].clone()
    };
    let lbs = worst("lbs");
    assert!(lbs.value < 1e-3 && worst("dqs").value > 0.999, "{lbs:?}");
    assert_eq!((lbs.name.as_str(), lbs.clip, lbs.score), ("clip twist", Some(0), Some(5.0)));
    assert_eq!(lbs.at.unwrap().joint.as_deref(), Some("upper"));
    assert!(
        report.verdict.contains(". lbs narrows upper to 0.0 % (clip twist at 2.00 s); ddm lets a vertex "),
        "{}",
        report.verdict
    );
    let first = report.worst.iter().find(|worst| worst.metric == Metric::SectionSmallest).unwrap();
    assert_eq!(first.mode, "lbs");
    // After half a turn no rotation is nearest, and vertices of ddm fall back on their joints.
    assert_eq!((report.worst[0].mode.as_str(), report.worst[0].metric), ("ddm", Metric::Jump));

    // Two joints of equal weight, twisted against each other, leave the cosine of half the angle.
    let [clip] = report.clips.as_slice() else { panic!("{:?}", report.clips) };
    let mut pose = Pose::default();
    for (time, section) in clip.times.iter().zip(&clip.modes[1].series[&Metric::SectionSmallest]) {
        pose.set(&model, &PoseChoice::clip(0, *time));
        let turns = pose.locals.iter().filter_map(|local| match local {
            LocalTransform::Trs { rotation, .. } => Some(rotation.w.abs()),
            LocalTransform::Matrix(_) => None,
        });
        let half_cosine = turns.fold(1.0, f64::min);
        assert!((section.unwrap() - half_cosine).abs() < 1e-3, "{time}: {section:?} {half_cosine}");
    }
}

/// The names of all modes that are not the same as dqs without shares and scale.
fn distinct() -> Vec<&'static str> {
    Distinct::new(&Shares::default(), false).modes.into_iter().map(SkinningMode::name).collect()
}

#[test]
fn series_have_a_number_for_each_time_and_do_not_depend_on_threads() {
    let with_threads = |count| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(count).build().unwrap();
        pool.install(|| report("bend"))
    };
    let report = with_threads(1);
    assert_eq!(with_threads(3), report);
    assert_eq!(from_json(&json(&report).unwrap()).unwrap(), report);
    assert_eq!(report.modes, distinct());
    assert_eq!(report.counts.frames, report.clips.iter().map(|clip| clip.times.len()).sum::<usize>());
    for clip in &report.clips {
        assert!(clip.times.len() > 40 && clip.times.is_sorted());
        for mode in &clip.modes {
            assert_eq!(mode.series.len(), Metric::ALL.len());
            assert!(mode.series.values().all(|series| series.len() == clip.times.len()));
            assert_eq!(mode.series[&Metric::Jump].iter().position(Option::is_some), Some(1));
        }
    }

    // One track over the whole clip finds the same jumps.
    let (model, clip) = (model("bend"), &report.clips[0]);
    let shape = Shape::new(&model).unwrap();
    let (mut pose, mut skinned, mut scratch) = (Pose::default(), Vec::new(), Scratch::default());
    for (frame, &time) in clip.times.iter().enumerate() {
        pose.set(&model, &PoseChoice::clip(0, time));
        reference_surfaces(&model, SkinningMode::DualQuat, &pose, &mut skinned);
        let jump = measure(&shape, &model, &pose, time, &skinned, &mut scratch).jump;
        let expected = jump.map_or(0.0, |jump| format!("{:.5e}", jump.metres).parse().unwrap());
        let found = clip.modes[2].series[&Metric::Jump][frame];
        assert_eq!(found, (frame > 0).then_some(expected), "{time}");
    }
}

#[test]
fn progress_counts_to_the_end() {
    let mut steps = Vec::new();
    let strip = model("strip");
    let report = collect(&strip, "", &Plan::all(&strip), &mut |done, of| steps.push((done, of))).unwrap();
    let of = report.counts.frames as u64;
    assert_eq!(steps, (1..=of).map(|done| (done, of)).collect::<Vec<_>>());
}

#[test]
fn a_model_without_a_skin_has_no_problems() {
    let mut model = model("twist");
    for instance in &mut model.instances {
        instance.skin = None;
    }
    let stretched =
        LocalTransform::Trs { translation: DVec3::ZERO, rotation: DQuat::IDENTITY, scale: DVec3::X };
    model.rig.rest.iter_mut().for_each(|rest| *rest = stretched);
    model.clips.clear();
    let report = collect(&model, "still", &Plan::all(&model), &mut |_, _| ()).unwrap();
    assert_eq!(report.verdict, "No skin moves this model: all modes draw the same.");
    assert!(report.worst.is_empty() && report.summary.iter().all(|mode| mode.problems == 0));
    assert!(page(&report).contains("no skin moves this model, and other changes"));
}

#[test]
fn a_model_without_anything_has_a_report() {
    let empty = Model::default();
    let report = collect(&empty, "empty", &Plan::all(&empty), &mut |_, _| ()).unwrap();
    assert_eq!((report.verdict.as_str(), report.clips.len()), ("The model draws nothing.", 1));
    assert_eq!(from_json(&json(&report).unwrap()).unwrap(), report);
    assert!(page(&report).contains("rest pose"));
}

#[test]
fn a_mode_equal_to_another_is_one_row() {
    let model = model("twist");
    let modes = vec![SkinningMode::Linear, SkinningMode::DualQuat, SkinningMode::Blended];
    let plan = Plan { modes, frames: Frames::Evenly(5), ..Plan::all(&model) };
    let report = collect(&model, "twist", &plan, &mut |_, _| ()).unwrap();
    let same: Vec<Option<&str>> = report.summary.iter().map(|mode| mode.same_as.as_deref()).collect();
    assert_eq!(same, [None, None, Some("dqs")]);
    assert_eq!(report.clips[0].times.len(), 5);
    let page = page(&report);
    assert!(page.contains("<th scope=\"col\">dqs = blend</th>") && !page.contains(">blend<"), "{page}");
    assert!(report.worst.iter().all(|worst| worst.mode != "blend"));
    assert!(report.verdict.starts_with("dqs = blend keeps "), "{}", report.verdict);
    // The files still include the mode.
    assert_eq!(report.clips[0].modes.len(), 3);
    // Vertices that follow one joint each are the same in all modes but ddm, which looks at their surroundings.
    let mut stiff = model.clone();
    for primitive in stiff.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
        for span in &mut primitive.influences.as_mut().unwrap().spans {
            span.weights.fill([1.0, 0.0, 0.0, 0.0]);
        }
    }
    let plan = Plan { frames: Frames::Evenly(5), ..Plan::all(&stiff) };
    let report = collect(&stiff, "stiff", &plan, &mut |_, _| ()).unwrap();
    assert_eq!(report.own_modes().count(), 2, "{:?}", report.summary);
    let same: Vec<&str> = distinct().into_iter().filter(|mode| *mode != "ddm").collect();
    assert_eq!(report.label("rigid"), same.join(" = "));
}

#[test]
fn a_volume_problem_shows_where_the_volume_goes() {
    let model = model("twist");
    let report = report("twist");
    let lbs = report.summary.iter().find(|mode| mode.mode == "lbs").unwrap();
    let found = &lbs.worst[&Metric::VolumeSmallest];
    let place = found.at.as_ref().unwrap();
    assert_eq!(place.kind, LocationKind::Part);
    // The waist of the candy wrapper is in the middle of a rod two metres high.
    let vertex: sinew_model::VertexName = place.vertex.parse().unwrap();
    let index = vertex.find(&model).unwrap();
    let [_, y, _] = model.meshes[0].primitives[index.primitive].positions[index.vertex];
    assert!((y - 1.0).abs() < 0.2, "{y}");
    assert!(
        report
            .worst
            .iter()
            .any(|worst| worst.metric == Metric::VolumeSmallest && worst.found.at.as_ref() == Some(place))
    );
}
