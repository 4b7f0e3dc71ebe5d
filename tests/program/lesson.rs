//! The lesson: each command runs in an empty folder, and makes the picture beside it.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::path::Path;

use sinew::image::{Image, Notes, read_png};

use crate::common::{run, run_well, sinew};

/// Share of pixels that may differ on another device than the one that drew the page's picture.
const MAX_SHARE: f64 = 0.02;

#[test]
fn commands_make_the_pictures_beside_them() {
    let pages = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/lesson");
    let mut names: Vec<_> = std::fs::read_dir(&pages).unwrap().map(|entry| entry.unwrap().path()).collect();
    names
        .retain(|name| name.extension().is_some_and(|ending| ending == "md") && !name.ends_with("README.md"));
    names.sort();
    assert_eq!(names.len(), 12);
    let contents = std::fs::read_to_string(pages.join("README.md")).unwrap();
    for page in names {
        let text = std::fs::read_to_string(&page).unwrap();
        let name = page.file_name().unwrap().to_str().unwrap();
        assert!(contents.contains(&format!("]({name})")), "README.md does not lead to {name}");
        for part in
            ["**Exercise.**", "<details><summary>Answer</summary>", "\nThe numbers: ", "\nIn the code: "]
        {
            assert!(text.contains(part), "{name} lacks {part}");
        }
        let folder = tempfile::tempdir().unwrap();
        let blocks: Vec<&str> =
            text.split("```sh\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
        for line in blocks.iter().flat_map(|block| lines(block)) {
            let words = shlex::split(&line).unwrap();
            assert_eq!(words[0], "sinew", "{line}");
            run_well(sinew(&words[1..]).current_dir(folder.path()));
        }
        let links = text.split("](").skip(1).map(|rest| rest.split(')').next().unwrap());
        let pictures: Vec<&str> = links.filter(|link| link.ends_with(".png")).collect();
        assert_eq!((pictures.len(), blocks.len()), (1, 1), "{name}");
        for picture in pictures {
            let [made, stored] = [folder.path().join(picture), pages.join(picture)].map(|file| {
                let device = Notes::read(&file).unwrap().get("Device").unwrap().to_owned();
                (read_png(&file).unwrap(), device)
            });
            let share = differing(&made.0, &stored.0);
            if made.1 == stored.1 {
                let [made, stored] =
                    [folder.path(), &pages].map(|at| std::fs::read(at.join(picture)).unwrap());
                assert!(made == stored, "{picture} is not the stored file; {share} of the pixels differ");
            }
            assert!(share <= MAX_SHARE, "{picture}: {share} of the pixels differ on {:?}", made.1);
        }
    }
}

/// The page has each step with its picture, and nothing of Markdown.
#[test]
fn the_lesson_is_a_page() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("lesson");
    let ended = run(sinew(["lesson", "--write"]).arg(&out));
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    let html = std::fs::read_to_string(out.join("index.html")).unwrap();
    let pages = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/lesson");
    assert_eq!((html.matches("<section").count(), html.matches("</details>").count()), (12, 12));
    for part in html.split("<img src=\"").skip(1) {
        let file = part.split('"').next().unwrap();
        let [made, stored] = [&out, &pages].map(|folder| read_png(&folder.join(file)).unwrap());
        assert_eq!((made.width, made.height), (stored.width, stored.height), "{file}");
    }
    assert_eq!(html.matches("<img").count(), 12);
    for mark in ["**", "](", "```", "|--"] {
        assert!(!html.contains(mark), "{mark}");
    }
    for (opens, closes) in
        [("<p>", "</p>"), ("<em>", "</em>"), ("<strong>", "</strong>"), ("<code>", "</code>")]
    {
        assert_eq!(html.matches(opens).count(), html.matches(closes).count(), "{opens}");
    }
}

#[test]
fn answers_and_steps_are_forgiving() {
    for answer in ["32,768", "32 KiB", "32768 bytes"] {
        let said = run(&mut sinew(["lesson", "10", "--answer", answer]));
        assert!(said.code == Some(0) && said.out.starts_with(b"Right."), "{answer}: {}", said.err);
    }
    for step in ["13", "0", "x"] {
        let said = run(&mut sinew(["lesson", step]));
        let wanted =
            format!("error: there is no step '{step}': steps are 1 to 12; 'sinew lesson' lists them\n");
        assert_eq!((said.code, said.err), (Some(2), wanted));
    }
}

/// The commands of a block; a backslash at the end of a line joins it to the next one.
fn lines(block: &str) -> Vec<String> {
    block.replace("\\\n", " ").lines().map(str::to_owned).collect()
}

fn differing(a: &Image, b: &Image) -> f64 {
    assert_eq!((a.width, a.height), (b.width, b.height));
    let (pixels, others) = (a.rgba.as_chunks::<4>().0, b.rgba.as_chunks::<4>().0);
    let apart = pixels.iter().zip(others).filter(|(a, b)| a != b).count();
    apart as f64 / pixels.len() as f64
}
