//! Pages in a browser: `view-page`, `report` and `corpus` work at three widths, by mouse and keys, with and without WebGL.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::common::{run_well, sinew};

/// Returns the browser's driver, if `make peers` has installed it and there is a browser.
fn driver() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let driver = root.join(".deps/peers/node_modules/playwright-core/index.js");
    let browser = std::env::var_os("CHROMIUM").map_or("/usr/bin/chromium".into(), PathBuf::from);
    (driver.exists() && browser.exists()).then_some(driver)
}

/// Uses a page as a reader would, and returns what the browser saw.
fn used(page: &Path) -> Option<Value> {
    let Some(driver) = driver() else {
        println!("no browser with its driver is there: make peers");
        return None;
    };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/program/pages/click.mjs");
    let folder = tempfile::tempdir().unwrap();
    let kept = std::env::var_os("SINEW_KEEP_PAGES").map(PathBuf::from);
    let pictures = kept.as_deref().unwrap_or(folder.path());
    let program = "node";
    let output = Command::new(program).arg(script).arg(driver).arg(page).arg(pictures).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {errors}", page.display());
    Some(serde_json::from_slice(&output.stdout).unwrap())
}

/// Checks what holds on every page, and returns what the widest one had.
#[track_caller]
fn sound(seen: &Value) -> &Value {
    assert_eq!(seen["errors"], Value::Array(vec![]), "{seen}");
    assert_eq!(seen["requests"], Value::Array(vec![]), "the page needs a network");
    for width in ["1280", "768", "390"] {
        let facts = &seen["widths"][width];
        assert!(facts["cut"].as_f64().unwrap() <= 0.0, "{width}: cut off by {}", facts["cut"]);
    }
    &seen["widths"]["1280"]
}

/// Checks a page with a model.
#[track_caller]
fn sound_view(seen: &Value) -> &Value {
    for width in ["1280", "768", "390"] {
        let facts = &seen["widths"][width];
        let share = facts["share"].as_f64().unwrap();
        assert!((0.01..0.9).contains(&share), "{width}: the model covers {share}");
        for (step, changes) in facts["changes"].as_object().unwrap() {
            assert_eq!(changes, &Value::Bool(true), "{width}: {step} changes nothing in {facts}");
        }
        assert!(facts["tip"].as_str().unwrap().starts_with("node"), "{width}: {facts}");
        assert_eq!((&facts["joints"], &facts["plays"]), (&Value::Bool(true), &Value::Bool(true)), "{facts}");
    }
    assert_eq!(seen["without"]["hidden"], Value::Bool(true));
    assert!(seen["without"]["says"].as_str().unwrap().contains("cannot draw"), "{}", seen["without"]);
    sound(seen)
}

#[test]
fn a_model_can_be_turned_and_played_on_its_page() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("bend.html");
    run_well(sinew(["view-page", "builtin:bend", "-o"]).arg(&page));
    let text = fs::read_to_string(&page).unwrap();
    assert!(
        text.contains("data:image/png;base64,") && !text.contains("src=\"worst"),
        "pictures are in the page"
    );
    let Some(seen) = used(&page) else { return };
    let facts = sound_view(&seen);
    assert_eq!(facts["names"]["motion"], serde_json::json!(["bind pose", "clip bend"]));
    assert!(facts["far"].as_str().unwrap().contains(" from "), "{facts}");
    // The worst place of the JSON is that of the first button.
    let report = folder.path().join("report");
    run_well(sinew(["report", "builtin:bend", "--no-pictures", "-o"]).arg(&report));
    let json: Value = serde_json::from_slice(&fs::read(report.join("report.json")).unwrap()).unwrap();
    let worst = &json["worst"][0];
    assert_eq!(facts["spot"]["motion"], worst["name"], "{facts}");
    let time = format!("{:.3} s", worst["time"].as_f64().unwrap());
    assert_eq!(facts["spot"]["time"], Value::String(time));
    assert_eq!(facts["buttons"].as_u64().unwrap() as usize, json["worst"].as_array().unwrap().len());
    // The folder's page shows the same.
    let facts = used(&report.join("index.html")).unwrap();
    assert_eq!(sound_view(&facts)["spot"], sound_view(&seen)["spot"]);
}

#[test]
fn two_exports_are_compared_on_one_page() {
    let folder = tempfile::tempdir().unwrap();
    let new = folder.path().join("new.glb");
    run_well(sinew(["weights", "builtin:bend", "--add", "upper=+0.2", "-o"]).arg(&new));
    let page = folder.path().join("pair.html");
    run_well(sinew(["view-page", "builtin:bend"]).arg(&new).arg("-o").arg(&page));
    let text = fs::read_to_string(&page).unwrap();
    assert!(text.contains("<b class=\"bad\">weights</b>"), "the weights differ");
    assert_eq!(
        text.matches("<figcaption>difference</figcaption>").count(),
        text.matches("data-spot=").count()
    );
    let Some(seen) = used(&page) else { return };
    let facts = sound_view(&seen);
    assert_eq!(facts["names"]["first"], serde_json::json!(["old", "new"]));
    assert!(facts["far"].as_str().unwrap().contains(" from "), "{facts}");
    assert!(facts["buttons"].as_u64().unwrap() > 0);
}

#[test]
fn findings_of_a_corpus_are_on_the_pages_of_models() {
    let folder = tempfile::tempdir().unwrap();
    let (model, out) = (folder.path().join("bend.glb"), folder.path().join("out"));
    run_well(
        sinew(["weights", "builtin:bend", "--set", "upper=0.7", "--where", "vertex:node0:0:5", "-o"])
            .arg(&model),
    );
    run_well(sinew(["corpus", "check", "--pages", "1", "-o"]).args([&out, &model]));
    let ledger = fs::read_to_string(out.join("corpus.jsonl")).unwrap();
    let line: Value = ledger
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .find(|line: &Value| line["asset"].is_string())
        .unwrap();
    let findings = line["result"]["findings"].as_array().unwrap();
    let page = fs::read_dir(out.join("pages")).unwrap().next().unwrap().unwrap().path();
    let text = fs::read_to_string(&page).unwrap();
    let (_, section) = text.split_once("<h2>Findings, worst first</h2>").unwrap();
    let (section, _) = section.split_once("</section>").unwrap();
    let items: Vec<&str> = section.split("<li>").skip(1).collect();
    assert!(!findings.is_empty() && items.len() == findings.len(), "{section}");
    for (item, finding) in items.iter().zip(findings) {
        let kind = finding["kind"].as_str().unwrap();
        let words = finding["words"].as_str().unwrap().replace('&', "&amp;").replace('\'', "&#39;");
        assert!(item.contains(&format!(">{kind}</b> {words}</h3>")), "{item}");
        let vertex = finding["place"]["vertex"].as_str();
        assert_eq!(item.contains("data-spot="), vertex.is_some());
        assert!(vertex.is_none_or(|vertex| item.contains(&format!("vertex {vertex}"))), "{item}");
    }
    assert!(items[0].contains("<figcaption>bind pose</figcaption>"), "{section}");
    let Some(seen) = used(&page) else { return };
    let facts = sound_view(&seen);
    assert_eq!(facts["spot"]["motion"], "bind pose", "the first button is that of a finding: {facts}");
}
