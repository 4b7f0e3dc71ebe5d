//! Reads `golden.toml`: defaults and cases. Every key keeps its line for errors, and a list of values unfolds into several
//! cases.

#![allow(clippy::disallowed_methods, reason = "reads files that its callers add to the inputs")]

use std::collections::{BTreeMap, HashMap};
use std::io::ErrorKind;
use std::path::Path;

use super::case::{Case, Setting, check_name, name_part};
use super::glob::{files, is_pattern};
use super::limits::Tolerances;
use sinew_model::gltf::read_file_of;
use sinew_text::document::{Document, Entry, LineError, Value};

/// The file name of the list.
pub const LIST_NAME: &str = "golden.toml";

/// The maximum size of a list in bytes.
const MAX_BYTES: u64 = 1 << 20;

/// The maximum number of cases that a list may unfold into.
const MAX_CASES: usize = 10_000;

/// The maximum memory of all cases together, in bytes.
const MAX_HELD: usize = 256 << 20;

/// Help for a folder without a list.
const SKELETON: &str = "'sinew golden DIR --init MODEL…' writes one; the shortest is: [[case]] name = \"run\" \
                        model = \"fox.glb\"";

/// The key of the model, which is not a flag.
const MODEL: &str = "model";

/// The values that a key takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// `true`.
    Switch,
    /// One value; a list of values makes one case per value.
    One,
    /// One or several values, all for the same case.
    Many,
}

/// A list of cases.
#[derive(Clone, Debug)]
pub struct List {
    /// Cases in the order of the file.
    pub cases: Vec<Case>,
    /// The default tolerances.
    pub tolerances: Tolerances,
}

/// A key of a case before unfolding.
#[derive(Clone)]
struct Given {
    line: usize,
    key: Takes,
    values: Vec<String>,
    /// True if a value is part of the case's name, because it stands in a list or matches a pattern. A list of one counts,
    /// too, so that no name depends on the list's other values.
    is_in_name: bool,
}

/// Replaces patterns by the files that match them.
fn expand(keys: &mut Keys, find: Find) -> Result<(), LineError> {
    let Some(Some(models)) = keys.get_mut(MODEL) else { return Ok(()) };
    if !models.values.iter().any(|model| is_pattern(model)) {
        return Ok(());
    }
    let mut values = Vec::new();
    for model in &models.values {
        match is_pattern(model) {
            true => values.extend(find(model).map_err(|message| LineError { line: models.line, message })?),
            false => values.push(model.clone()),
        }
    }
    (models.values, models.is_in_name) = (values, true);
    Ok(())
}

/// Keys of a case; `None` removes a default.
type Keys = BTreeMap<String, Option<Given>>;

/// Returns the values that a key takes, or the expected keys as an error.
type Kinds<'a> = &'a dyn Fn(&str) -> Result<Takes, String>;

/// Finds the files that match a pattern.
type Find<'a> = &'a dyn Fn(&str) -> Result<Vec<String>, String>;

impl List {
    /// Reads the list in a folder.
    ///
    /// # Errors
    /// If the file cannot be read, or has an error in a line.
    pub fn read(folder: &Path, kinds: Kinds) -> Result<Self, LineError> {
        let path = folder.join(LIST_NAME);
        let unread = |message: String| LineError { line: 0, message };
        let metadata = std::fs::metadata(&path).map_err(|error| match error.kind() {
            ErrorKind::NotFound => unread(format!("{error}; {SKELETON}")),
            _ => unread(error.to_string()),
        })?;
        if !metadata.is_file() || metadata.len() > MAX_BYTES {
            return Err(unread(format!("expected a file of at most {MAX_BYTES} bytes")));
        }
        // The file may be larger than its reported size.
        let bytes = read_file_of(&path, MAX_BYTES).map_err(|error| unread(error.to_string()))?;
        let text = String::from_utf8(bytes).map_err(|error| unread(error.to_string()))?;
        Self::of(folder, &text, kinds)
    }

    /// Reads the text of a list for a folder.
    ///
    /// # Errors
    /// The first error in the list.
    pub fn of(folder: &Path, text: &str, kinds: Kinds) -> Result<Self, LineError> {
        Self::parse(text, kinds, &|pattern| files(folder, pattern))
    }

    /// Reads a list.
    ///
    /// # Errors
    /// The first error in the list.
    pub fn parse(text: &str, kinds: Kinds, find: Find) -> Result<Self, LineError> {
        let document = Document::new(text);
        let table = document.parse()?;
        let (mut defaults, mut tolerances, mut tables) = (Keys::new(), Tolerances::default(), Vec::new());
        for entry in document.entries(&table) {
            match entry.key {
                "defaults" => {
                    let table = entry.value.table().ok_or_else(|| entry.value.expected("[defaults]"))?;
                    for entry in document.entries(table) {
                        match entry.key {
                            "tolerance" => tolerances = Tolerances::read(&document, entry.value)?,
                            "name" => {
                                let message = "the defaults cannot have a name; each case has its own";
                                return Err(LineError { line: entry.line, message: message.to_owned() });
                            }
                            _ => insert(&document, &entry, kinds, &mut defaults)?,
                        }
                    }
                }
                "case" => {
                    tables = document.items(entry.value).ok_or_else(|| entry.value.expected("[[case]]"))?;
                }
                other => {
                    let message = format!("expected [defaults] or [[case]], found '{other}'");
                    return Err(LineError { line: entry.line, message });
                }
            }
        }
        let mut list = Self { cases: Vec::new(), tolerances };
        let mut lines = HashMap::new();
        // Memory left for unfolded lists, and for defaults copied into every case.
        let mut room = MAX_HELD;
        expand(&mut defaults, find)?;
        for value in tables {
            if list.cases.len() >= MAX_CASES {
                let message = format!("the list has more than {MAX_CASES} cases");
                return Err(LineError { line: value.line, message });
            }
            for case in unfold(&document, value, &defaults, (kinds, find), list.cases.len(), &mut room)? {
                // Some file systems ignore the case of letters.
                if let Some(line) = lines.insert(case.name.to_ascii_lowercase(), case.line) {
                    let message = format!("case '{}' is already on line {line}", case.name);
                    return Err(LineError { line: case.line, message });
                }
                list.cases.push(case);
            }
        }
        if list.cases.is_empty() {
            let message = "expected at least one [[case]]".to_owned();
            return Err(LineError { line: 1, message });
        }
        Ok(list)
    }
}

/// Unfolds one table into its cases, in addition to the `before` cases so far.
fn unfold(
    document: &Document,
    value: Value,
    defaults: &Keys,
    (kinds, find): (Kinds, Find),
    before: usize,
    room: &mut usize,
) -> Result<Vec<Case>, LineError> {
    let (keys, case) = read_case(document, value, defaults, (kinds, find))?;
    // The values end a name in this order, whatever the order in the file.
    let rank = |key: &str| ["model", "mode"].iter().position(|first| *first == key).unwrap_or(2);
    let mut given: Vec<_> = keys.iter().filter_map(|(key, given)| Some((key, given.as_ref()?))).collect();
    given.sort_by_key(|(key, _)| (rank(key), *key));
    let (mut cases, mut per_case) = (vec![case], 200_usize);
    for (key, given) in given {
        let Given { line, key: kind, values, is_in_name } = given;
        let too_much = |message: String| LineError { line: *line, message };
        let unfolds = *kind == Takes::One && *is_in_name;
        let count = if unfolds { values.len() } else { 1 };
        if unfolds && cases.len().saturating_mul(count) > MAX_CASES.saturating_sub(before) {
            return Err(too_much(format!("this list of values makes more than {MAX_CASES} cases")));
        }
        per_case = per_case.saturating_add(bytes_in_a_case(values, unfolds));
        if per_case.saturating_mul(cases.len()).saturating_mul(count) > *room {
            let most = MAX_HELD >> 20;
            return Err(too_much(format!("with '{key}' all cases together take more than {most} MiB")));
        }
        cases = match unfolds {
            true => one_each(&cases, key, given),
            false => cases.iter().map(|case| add(case, key, *line, values, false)).collect(),
        };
    }
    *room = room.saturating_sub(per_case.saturating_mul(cases.len()));
    for case in &cases {
        check_name(&case.name, value.line)?;
    }
    Ok(cases)
}

/// Reads the keys of one table, including those of `defaults`, and a case without any of them.
fn read_case(
    document: &Document,
    value: Value,
    defaults: &Keys,
    (kinds, find): (Kinds, Find),
) -> Result<(Keys, Case), LineError> {
    let line = value.line;
    let table = value.table().ok_or_else(|| value.expected("[[case]]"))?;
    let (mut keys, mut name, mut tolerances) = (defaults.clone(), None, Tolerances::default());
    for entry in document.entries(table) {
        match entry.key {
            "name" => {
                let text = entry.value.text().ok_or_else(|| entry.value.expected("a name in quotes"))?;
                check_name(text, entry.line)?;
                name = Some(text);
            }
            "tolerance" => tolerances = Tolerances::read(document, entry.value)?,
            _ => insert(document, &entry, kinds, &mut keys)?,
        }
    }
    expand(&mut keys, find)?;
    let lacks = |what: &str| LineError { line, message: format!("a case without {what}") };
    let group = name.ok_or_else(|| lacks("a name"))?.to_owned();
    if !matches!(keys.get(MODEL), Some(Some(_))) {
        return Err(lacks("a model"));
    }
    let (name, model, settings) = (group.clone(), String::new(), Vec::new());
    Ok((keys, Case { name, group, line, model, settings, tolerances, stand_in: None }))
}

/// Returns the bytes that a key adds to a case: one value of an unfolded list, which also goes into the name, or else all
/// values.
fn bytes_in_a_case(values: &[String], unfolds: bool) -> usize {
    let bytes = match unfolds {
        true => values.iter().map(String::len).max().unwrap_or(0).saturating_mul(2),
        false => values.iter().map(|value| value.len().saturating_add(32)).sum(),
    };
    bytes.saturating_add(200)
}

/// Combines each case with each of the values; the first list varies slowest.
fn one_each(cases: &[Case], key: &str, given: &Given) -> Vec<Case> {
    let with = |case: &Case, value| add(case, key, given.line, std::slice::from_ref(value), true);
    let each = cases.iter().flat_map(|case| given.values.iter().map(move |value| (case, value)));
    each.map(|(case, value)| with(case, value)).collect()
}

/// Returns the case with one more key.
fn add(case: &Case, key: &str, line: usize, values: &[String], is_in_name: bool) -> Case {
    let mut case = case.clone();
    let first = values.first().map_or("", String::as_str);
    if is_in_name {
        case.name = format!("{}-{}", case.name, name_part(key, first));
    }
    match key {
        MODEL => first.clone_into(&mut case.model),
        _ => case.settings.push(Setting { key: key.to_owned(), line, values: values.to_vec() }),
    }
    case
}

/// Adds a key and its value to the keys of a case.
fn insert(document: &Document, entry: &Entry, kinds: Kinds, keys: &mut Keys) -> Result<(), LineError> {
    let Entry { key, line, value } = *entry;
    let kind = match key {
        MODEL => Takes::One,
        _ => kinds(key).map_err(|message| LineError { line, message })?,
    };
    let items = document.items(value);
    let values = match (kind, value.switch(), &items) {
        (_, Some(false), _) => {
            keys.insert(key.to_owned(), None);
            return Ok(());
        }
        (Takes::Switch, Some(true), _) => Vec::new(),
        (Takes::Switch, ..) => return Err(value.expected(&format!("true or false for {key}"))),
        (Takes::One | Takes::Many, _, Some(items)) if items.is_empty() => {
            let message = format!("expected a value for {key}, found an empty list");
            return Err(LineError { line, message });
        }
        (Takes::One | Takes::Many, _, items) => {
            let items = items.as_deref().unwrap_or(std::slice::from_ref(&value));
            let word = |item: &Value| {
                item.word().ok_or_else(|| item.expected(&format!("text or a number for {key}")))
            };
            items.iter().map(word).collect::<Result<_, _>>()?
        }
    };
    keys.insert(key.to_owned(), Some(Given { line, key: kind, values, is_in_name: items.is_some() }));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(key: &str) -> Result<Takes, String> {
        match key {
            "strict" => Ok(Takes::Switch),
            "clip" => Ok(Takes::Many),
            "mode" | "time" | "camera" | "size" => Ok(Takes::One),
            _ => Err(format!("expected a flag, found '{key}'")),
        }
    }

    fn found(pattern: &str) -> Result<Vec<String>, String> {
        match pattern.contains("nothing") {
            true => Err(format!("no file matches '{pattern}'")),
            false => Ok(vec![pattern.replace('*', "a"), pattern.replace('*', "b")]),
        }
    }

    #[test]
    fn patterns_name_models() {
        let names = |text: &str| {
            let list = parse(text)?;
            Ok::<_, String>(list.cases.into_iter().map(|case| (case.name, case.model)).collect::<Vec<_>>())
        };
        let pair = |name: &str, model: &str| (name.to_owned(), model.to_owned());
        let both = vec![pair("x-a", "m/a.glb"), pair("x-b", "m/b.glb")];
        assert_eq!(names("[[case]]\nname = \"x\"\nmodel = \"m/*.glb\""), Ok(both.clone()));
        assert_eq!(names("[defaults]\nmodel = \"m/*.glb\"\n[[case]]\nname = \"x\""), Ok(both));
        let mixed = names("[[case]]\nname = \"x\"\nmodel = [\"c.glb\", \"m/*.glb\"]").unwrap();
        assert_eq!(mixed.len(), 3);
        assert!(
            names("[[case]]\nname = \"x\"\nmodel = \"nothing*\"").unwrap_err().contains("no file matches")
        );
    }

    fn parse(text: &str) -> Result<List, String> {
        List::parse(text, &kinds, &found).map_err(|error| error.to_string())
    }

    #[test]
    fn lists_make_cases_and_defaults_give_way() {
        let list = parse(
            r#"
            [defaults]
            size = "64x48"
            camera = "front"
            strict = true
            [[case]]
            name = "walk"
            model = "models/fox.glb"
            clip = ["walk", "wave"]
            time = [0, 0.5]
            mode = ["lbs", "dqs"]
            [[case]]
            name = "still"
            model = ["builtin:twist", "builtin:bend"]
            camera = "-30,10"
            strict = false
            "#,
        )
        .unwrap();
        let names: Vec<&str> = list.cases.iter().map(|case| case.name.as_str()).collect();
        let expected =
            ["walk-lbs-0", "walk-lbs-0.5", "walk-dqs-0", "walk-dqs-0.5", "still-twist", "still-bend"];
        assert_eq!(names, expected);
        let words =
            |case: &Case| -> Vec<String> { case.settings.iter().flat_map(Setting::arguments).collect() };
        let walk = &list.cases[1];
        assert_eq!((walk.group.as_str(), walk.line, walk.model.as_str()), ("walk", 6, "models/fox.glb"));
        let expected = [
            "--mode=lbs",
            "--camera=front",
            "--clip=walk",
            "--clip=wave",
            "--size=64x48",
            "--strict",
            "--time=0.5",
        ];
        assert_eq!(words(walk), expected);
        assert_eq!(words(&list.cases[5]), ["--camera=-30,10", "--size=64x48"]);
        assert_eq!(list.cases[5].model, "builtin:bend");
        assert_eq!(walk.settings[4].line, 5, "a default keeps its line");
    }

    /// A golden belongs to the values of its case and does not depend on the list's other values.
    #[test]
    fn a_name_does_not_depend_on_what_else_a_list_holds() {
        let names = |modes: &str, models: &str| -> Vec<String> {
            let case = format!("[[case]]\nname = 'run'\nmodel = {models}\nmode = {modes}\ntime = 1\n");
            parse(&case).unwrap().cases.into_iter().map(|case| case.name).collect()
        };
        let both = names("['lbs', 'dqs']", "['fox.glb', 'cat.glb']");
        assert_eq!(both, ["run-fox-lbs", "run-fox-dqs", "run-cat-lbs", "run-cat-dqs"]);
        assert_eq!(names("['lbs']", "['fox.glb', 'cat.glb']"), ["run-fox-lbs", "run-cat-lbs"]);
        assert_eq!(names("['lbs', 'dqs']", "['cat.glb']"), ["run-cat-lbs", "run-cat-dqs"]);
        assert_eq!(names("['dqs']", "['cat.glb']"), ["run-cat-dqs"]);
        // A name without a list is unambiguous.
        assert_eq!(names("'dqs'", "'cat.glb'"), ["run"]);
        assert_eq!(names("['dqs']", "'cat.glb'"), ["run-dqs"]);
    }

    /// A list from an untrusted source cannot make too many cases or take too much memory.
    #[test]
    fn lists_stay_bearable() {
        let cases = |count: usize| -> String {
            (0..count).map(|number| format!("[[case]]\nname = 'a{number}'\nmodel = 'm'\n")).collect()
        };
        assert_eq!(parse(&cases(MAX_CASES)).unwrap().cases.len(), MAX_CASES);
        let error = parse(&cases(MAX_CASES + 1)).map(|list| list.cases.len()).unwrap_err();
        assert!(error.contains("more than 10000 cases"), "{error}");
        let long = "x".repeat(200_000);
        let shared = format!("[defaults]\nclip = '{long}'\n{}", cases(5_000));
        let error = parse(&shared).map(|list| list.cases.len()).unwrap_err();
        assert!(error.contains("'clip'") && error.contains("256 MiB"), "{error:.200}");
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        let case = "[[case]]\nname = 'a'\nmodel = 'm'\n";
        for (text, line, says) in [
            ("", 1, "at least one [[case]]"),
            ("x = 1", 1, "expected [defaults] or [[case]], found 'x'"),
            ("[case]\nname = 'a'", 1, "[[case]]"),
            ("defaults = 3", 1, "expected [defaults], found 3"),
            ("[defaults]\nname = 'x'", 2, "each case has its own"),
            ("[[case]]\nmodel = 'm'", 1, "without a name"),
            ("\n[[case]]\nname = 'a'", 2, "without a model"),
            ("[[case]]\nname = 3", 2, "a name in quotes"),
            ("[[case]]\nname = '../a'", 2, "letters a to z"),
            (&format!("{case}clam = 3"), 4, "expected a flag, found 'clam'"),
            (&format!("{case}time = true"), 4, "expected text or a number for time, found true"),
            (&format!("{case}time = [[1]]"), 4, "found a list"),
            (&format!("{case}time = []"), 4, "an empty list"),
            (&format!("{case}strict = 'yes'"), 4, "expected true or false for strict, found 'yes'"),
            (&format!("{case}{case}"), 4, "case 'a' is already on line 1"),
            (&format!("{case}[[case]]\nname = 'A'\nmodel = 'm'"), 4, "already on line 1"),
            (&format!("{case}mode = ['x/y', 'x_y']"), 1, "case 'a-x_y' is already on line 1"),
            (&format!("{case}time = "), 4, "expected"),
            (&format!("{case}time = 1\ntime = 2"), 5, "duplicate key"),
            (&format!("{case}time = [{}]\nmode = [{0}]\ncamera = [{0}]", "1, ".repeat(99)), 4, "10000 cases"),
        ] {
            let error = parse(text).unwrap_err();
            assert!(error.starts_with(&format!("line {line}: ")) && error.contains(says), "{text}: {error}");
        }
    }

    #[test]
    fn deep_and_long_lists_end() {
        for text in ["[".repeat(100_000), format!("a = {}", "[".repeat(100_000)), "a.".repeat(100_000)] {
            assert!(parse(&text).is_err());
        }
    }
}
