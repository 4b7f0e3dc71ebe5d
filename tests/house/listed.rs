//! Holds lists of pictures and tables of documentation, which no compiler reads, to the modes and views that exist.

use crate::root;
use sinew::skinning::SkinningMode;
use sinew::view::View;

#[test]
fn every_mode_and_view_has_goldens_and_a_line_in_the_docs() {
    let read = |file: &str| std::fs::read_to_string(root().join(file)).unwrap();
    let goldens = read("tests/golden/golden.toml");
    let (modes, pictures) = (read("docs/concepts/modes.md"), read("docs/reference/pictures.md"));
    let views = pictures.split_once("\n## Views of data\n").unwrap().1;
    let views = views.split("\n## ").next().unwrap();
    let makefile = read("Makefile");
    let drawn = makefile.split_once("\n\tfor mode in ").unwrap().1.split("; do").next().unwrap();
    let mut objections = Vec::new();
    let mut object = |is_there: bool, objection: String| {
        objections.extend((!is_there).then_some(objection));
    };
    for mode in SkinningMode::ALL.map(SkinningMode::name) {
        object(is_drawn(&goldens, "mode", mode, false), to_do("a golden", &format!("mode = \"{mode}\"")));
        object(
            has_row(&modes, mode),
            format!("docs/concepts/modes.md has no row `{mode}` in its table of modes"),
        );
        object(
            drawn.split([' ', '"']).any(|word| word == mode),
            format!("Makefile, pictures: `for mode in {drawn}` lacks {mode}"),
        );
        for model in ["twist", "bend"] {
            let picture = format!("](../pictures/{model}-{mode}.png)");
            let objection = format!("docs/concepts/modes.md has no {picture}, which `make pictures` draws");
            object(modes.contains(&picture), objection);
        }
    }
    for (file, list) in [
        ("docs/concepts/glossary.md", format!(": {} |", SkinningMode::names(", "))),
        ("examples/contact_sheet.py", format!("[\"{}\"]", SkinningMode::names("\", \""))),
    ] {
        object(read(file).contains(&list), format!("{file} lacks `{list}`"));
    }
    for view in View::table() {
        let is_drawn = is_drawn(&goldens, "view", view.name, view.has_parameter());
        object(is_drawn, to_do("a golden", &format!("view = \"{}\"", view.form)));
        let form = view.form;
        object(
            has_row(views, form),
            format!("docs/reference/pictures.md has no row `{form}` in its table of views"),
        );
        // The sentence about light names the views that it falls on.
        let sentence = views.split_once("\nViews that colour each vertex (").unwrap().1;
        let is_named = sentence.split_once(')').unwrap().0.contains(&format!("`{}", view.name));
        let objection = format!(
            "docs/reference/pictures.md, *Views that colour each vertex*: {form} is missing, or too much"
        );
        object(view.form != view.name || is_named == view.surface.is_by_vertex(), objection);
    }
    assert!(objections.is_empty(), "{}", objections.join("\n"));
}

/// Returns the objection to a mode or view without a golden, with what to add.
fn to_do(what: &str, case: &str) -> String {
    format!(
        "{what} is missing: add a case with {case} to tests/golden/golden.toml, and \
         `UPDATE_GOLDEN=NAME cargo test --test program golden` draws it"
    )
}

/// True if the first cell of a table's row has the word.
fn has_row(page: &str, word: &str) -> bool {
    let cells = page.lines().filter_map(|line| line.strip_prefix("| `")?.split_once(" |"));
    cells.map(|(cell, _)| format!("`{cell}")).any(|cell| cell.contains(&format!("`{word}`")))
}

/// True if a case of the list, or a pane of one, has this value of a key; if it has a parameter, with any.
fn is_drawn(list: &str, key: &str, value: &str, has_parameter: bool) -> bool {
    let [in_case, in_pane] = [format!("\n{key} = "), format!("{key}=")];
    let of_cases = list.split(&in_case).skip(1).flat_map(|rest| {
        let end = if rest.starts_with('[') { ']' } else { '\n' };
        rest.split(end).next().unwrap_or_default().split('"').skip(1).step_by(2)
    });
    let of_panes = list.split(&in_pane).skip(1).filter_map(|rest| rest.split([' ', '"']).next());
    let mut values = of_cases.chain(of_panes);
    match has_parameter {
        false => values.any(|found| found == value),
        true => values.any(|found| found.strip_prefix(value).is_some_and(|rest| rest.starts_with(':'))),
    }
}

#[test]
fn missing_goldens_and_rows_are_noticed() {
    let list = "[[case]]\nmode = [\"a\", \"b\"]\noverlay = \"c\"\nview = \"d:e\"\nsplit = [\"f=1 view=g\"]\n";
    let is_there = |key, value, has_parameter| is_drawn(list, key, value, has_parameter);
    assert!(is_there("mode", "b", false) && is_there("view", "d", true) && is_there("view", "g", false));
    assert!(!is_there("mode", "c", false) && !is_there("view", "d", false) && !is_there("view", "g", true));
    let page = "`c` in a sentence\n| `a`, `b:X` | about `d` |\n";
    assert!(has_row(page, "a") && has_row(page, "b:X"));
    assert!(!has_row(page, "b") && !has_row(page, "c") && !has_row(page, "d"));
}
