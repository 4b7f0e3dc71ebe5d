use super::*;

/// The words that a run with a config of these lines is made of.
fn told(config: &str, typed: &[&str]) -> Result<String, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("config.toml");
    std::fs::write(&path, config).unwrap();
    let words: Vec<OsString> = ["sinew"].iter().chain(typed).map(OsString::from).collect();
    let mut cli = Cli::command();
    cli.build();
    let Some(run) = Run::of(&cli, &words) else { return Ok(typed.join(" ")) };
    let given = file::read(&path, &cli, &mut Inputs::none()).map_err(|error| error.to_string())?;
    let added = run.heeds(given).into_iter().map(|given| {
        let words = flags::words(run.command, &given.key, &given.value).unwrap();
        (given, words)
    });
    let settled =
        run.settle(words, added.collect()).map_err(|(given, error)| format!("{}: {error}", given.line))?;
    Ok(settled[1..].iter().map(|word| word.to_str().unwrap()).collect::<Vec<_>>().join(" "))
}

#[test]
fn flags_come_before_what_is_typed() {
    let config = "size = '64x64'\nmode = 'dqs'\njoint = ['a=0,0,1', 'b=0,0,2']\northo = true\n";
    let all = "--size=64x64 --mode=dqs --joint=a=0,0,1 --joint=b=0,0,2 --ortho";
    for (typed, words) in [
        (&["fox.glb", "--screenshot", "a.png"][..], format!("{all} fox.glb --screenshot a.png")),
        (&["fox.glb", "-m", "lbs"], format!("{} fox.glb -m lbs", all.replace(" --mode=dqs", ""))),
        // What a command has no flag for is not its business.
        (&["export", "-o", "a.obj"], "export --mode=dqs --joint=a=0,0,1 --joint=b=0,0,2 -o a.obj".to_owned()),
        (&["verify", "fox.glb"], "verify fox.glb".to_owned()),
        // A size where nothing is drawn, and a joint where another is asked for.
        (&["compare", "fox.glb"], "compare --joint=a=0,0,1 --joint=b=0,0,2 --ortho fox.glb".to_owned()),
        (&["sweep", "--joint", "x"], "sweep --ortho --joint x".to_owned()),
        // What is typed does not go with some of it.
        (&["--pose", "bind"], "--size=64x64 --mode=dqs --ortho --pose bind".to_owned()),
        // Nothing counts here.
        (&["golden", "tests"], "golden tests".to_owned()),
        (&["--no-config"], "--no-config".to_owned()),
        (&["export", "--no-config", "-o", "a.obj"], "export --no-config -o a.obj".to_owned()),
        // Wrong whatever the file says.
        (&["--frobnicate"], "--frobnicate".to_owned()),
    ] {
        assert_eq!(told(config, typed), Ok(words), "{typed:?}");
    }
}

#[test]
fn tables_are_for_one_command() {
    let config = "mode = 'dqs'\n[export]\nmode = 'cor'\n[bake]\nmode = false\n[picture]\nframes = 2\n[window]\nspeed = 2\n";
    for (typed, words) in [
        (&["export", "-o", "a.obj"][..], "export --mode=cor -o a.obj"),
        (&["bake", "-o", "a.glb"], "bake -o a.glb"),
        (&["--screenshot", "a.gif"], "--mode=dqs --frames=2 --screenshot a.gif"),
        (&["fox.glb"], "--mode=dqs --speed=2 fox.glb"),
    ] {
        assert_eq!(told(config, typed).as_deref(), Ok(words), "{typed:?}");
    }
    // What says how many pictures there are is not for a window, wherever it stands.
    assert_eq!(told("turntable = true\n", &["fox.glb"]).as_deref(), Ok("fox.glb"));
    assert_eq!(
        told("turntable = true\n", &["--screenshot=a.gif"]).as_deref(),
        Ok("--turntable --screenshot=a.gif")
    );
}

#[test]
fn values_are_checked_with_their_line() {
    let wrong = |config: &str, typed: &[&str]| told(config, typed).unwrap_err();
    let error = wrong("size = '64x64'\nmode = 'dqz'\n", &["fox.glb"]);
    assert!(error.starts_with("2: ") && error.contains("'dqs'"), "{error}");
    let error = wrong("size = '64'\n", &["fox.glb"]);
    assert!(error.starts_with("1: ") && error.contains("WIDTHxHEIGHT"), "{error}");
    // Two that do not go together.
    let error = wrong("split = 'dqs'\nwipe = 'dqs'\n", &["fox.glb"]);
    assert!(error.contains("cannot be used with"), "{error}");
    // A flag that needs another is left out where that is not.
    assert_eq!(told("seed = 3\nmode = 'dqs'\n", &["a.glb"]).as_deref(), Ok("--mode=dqs a.glb"));
    assert_eq!(told("seed = 3\n", &["--crowd", "4"]).as_deref(), Ok("--seed=3 --crowd 4"));
    assert_eq!(told("crowd = 4\n", &["--seed", "3"]).as_deref(), Ok("--crowd=4 --seed 3"));
}
