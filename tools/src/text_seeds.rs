//! Seeds of the fuzz targets of texts: pose files, joint maps, lists of goldens, config files and lines of `sinew serve`.

fn named(texts: &[(&str, &str)]) -> Vec<(String, Vec<u8>)> {
    texts.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec())).collect()
}

/// Poses of the built-in strip with two morph targets, and joint maps.
pub fn poses() -> Vec<(String, Vec<u8>)> {
    named(&[
        (
            "all.json",
            r##"{"sinew-pose": 2, "over": {"clips": ["#0"], "blends": [{"clip": "0", "weight": 0.25}], "time": 0.5},
            "joints": {"upper": {"rotation": [0, 0, 0.6, 0.8], "translation": [0, 1.5, -2e-3], "scale": [1, 1.2, 1]},
            "#1": {"scale": [1, 1, 1]}}, "morphs": {"#0": {"smile": 0.5, "#1": -1}},
            "blend": {"all": 0.5, "joints": {"upper": 0.2}}}"##,
        ),
        ("first.json", r#"{"sinew-pose": 1, "joints": {"upper": {"rotation": [0, 0, 0, 1]}}}"#),
        ("rest.json", r#"{"sinew-pose": 2}"#),
        (
            "turns.json",
            r##"{"sinew-pose": 2, "joints": {"#0": {"rotation": [0.5, 0.5, 0.5, -0.5]}, "2": {"scale": [0, 0, 0]}}}"##,
        ),
        (
            "map.toml",
            "# left is the clip's\n\"mixamorig:LeftArm\" = \"upper_arm.L\"\nHips = 'pelvis'\nIk = \"\"\n",
        ),
        ("map-2.toml", "\"a b\" = \"\"\"long\"\"\"\n'\u{5de6}' = \"\\u00e9\"\n"),
    ])
}

/// Lists of goldens.
pub fn golden_lists() -> Vec<(String, Vec<u8>)> {
    named(&[
        (
            "whole.toml",
            "[defaults]\nsize = \"64x64\"\nmode = [\"lbs\", \"dqs\"]\n\n[defaults.tolerance.swiftshader]\nflip_mean = 0.01\n\
             flip_tile = 0.25\n\n[[case]]\nname = \"figure\"\nmodel = \"builtin:character\"\nclip = \"wave\"\ntime = 1.2\n\
             view = [\"shaded\", \"joint:forearm.L\"]\n\n[[case]]\nname = \"rod\"\nmodel = [\"builtin:twist\", \"m/*.glb\"]\n\
             camera = \"15,10\"\northo = true\nmode = false\ntolerance = { channel = 2, outliers = 3 }\n",
        ),
        (
            "poses.toml",
            "[[case]]\nname = \"a\"\nmodel = \"a.glb\"\npose = \"rest\"\njoint = [\"upper=0,0,45\", \"#1=0,0,0,1\"]\n\
             morph = [\"smile=0.5\"]\nsplit = [\"lbs\", \"dqs\"]\nbackground = \"#203040\"\n",
        ),
        (
            "looks.toml",
            "[[case]]\nname = \"b\"\nmodel = \"a.glb\"\nblend-clip = [\"idle@0.3\"]\noverlay = [\"skeleton\", \"grid\"]\n\
             target = \"0,1,0\"\nwipe = \"dqs@0.5\"\nonion = \"2@0.18\"\ninject = \"wrong-pad\"\nmsaa = 4\n",
        ),
    ])
}

/// Config files, and lines for `sinew serve`.
pub fn configs() -> Vec<(String, Vec<u8>)> {
    named(&[
        (
            "all.toml",
            "mode = \"dqs\"\nbackground = \"#203040\"\noverlay = [\"skeleton\", \"grid\"]\ndevice = \"llvmpipe\"\n\
             joint = ['a=0,0,1', 'b=0,0,2']\northo = true\n\n[window]\nsize = \"1600x900\"\n\n[picture]\n\
             size = \"640x480\"\nframes = 2\n\n[compare]\nfail-above = \"5mm\"\nmode = false\n",
        ),
        ("pose.toml", "pose = \"rest\"\ntime = 0.5\nclip = ['walk', 2]\n[export]\nmode = 'cor'\n"),
        (
            "lines",
            "{\"set\": {\"mode\": \"dqs\", \"clip\": \"Run\", \"time\": 0.35, \"size\": \"320x240\"}}\n\
             {\"screenshot\": \"fox.png\"}\n{\"verify\": {\"samples\": 2}}\n\
             {\"export\": {\"output\": \"small.glb\", \"rigged\": true, \"max-influences\": 4}}\n",
        ),
        (
            "lines-2",
            "{\"set\": {\"joint\": [\"a=0,0,9\", \"b=1,2,3\"], \"ortho\": true, \"mode\": null}}\n\
             {\"explain\": \"0:0:331\"}\n{\"palette\": true}\n{\"inspect\": {\"weights\": true}}\n",
        ),
        ("set", "{\"set\": {\"camera\": \"-30,15\", \"view\": \"joint:a\", \"overlay\": [\"grid\"]}}"),
        ("bake", "{\"bake\": {\"output\": \"a.glb\", \"fps\": 30}}"),
        ("compare", "{\"compare\": {\"fail-above\": \"5mm\", \"modes\": [\"lbs\", \"dqs\"]}}"),
    ])
}
