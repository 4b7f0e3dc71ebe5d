//! Joints on command lines: one rule for every flag (docs/reference/commands.md).

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use crate::cli::assert_fails;
use crate::common::{builtin, run_well, sinew};
use sinew::model::gltf::write_glb;

/// A name with every mark that flags divide at.
const ODD: &str = "a=b,c@2:d";

/// Flags that name the joint `NAME`, by command.
const FLAGS: [(&str, &[&str]); 16] = [
    ("weights", &["--fix", "--lock", "NAME"]),
    ("weights", &["--add", "NAME=+0.1"]),
    ("weights", &["--set", "NAME=0.5"]),
    ("weights", &["--smooth", "NAME@1"]),
    ("weights", &["--replace", "NAME=head"]),
    ("weights", &["--replace", "head=NAME"]),
    ("weights", &["--swap", "NAME,head"]),
    ("weights", &["--prune", "0.1", "--where", "part:NAME"]),
    ("weights", &["--prune", "0.1", "--where", "joint:NAME"]),
    ("", &["--only-joint", "NAME"]),
    ("", &["--only-joint", "NAME@1"]),
    ("", &["--view", "skin-space:NAME"]),
    ("", &["--view", "joint:NAME"]),
    ("", &["--view", "part:NAME"]),
    ("", &["--joint", "NAME=0,0,9"]),
    ("", &["--target", "NAME"]),
];

#[test]
fn every_flag_finds_a_joint_in_the_same_way() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let mut model = (*builtin("character")).clone();
    let node = |name: &str| model.rig.names.iter().position(|own| own == name).unwrap();
    let [left, right, odd, mesh] =
        [node("hand.L"), node("hand.R"), node("forearm.L"), model.instances[0].node];
    let shin = node("shin.L");
    // The written file has the nodes in this order.
    let number = |node: usize| format!("#{node}");
    let (numbers, of_odd) = ([number(left), number(right)], number(odd));
    for (node, name) in [(left, "hand"), (right, "hand"), (odd, ODD), (mesh, "shin.L")] {
        model.rig.names[node] = name.to_owned();
    }
    let file = path("odd.glb");
    std::fs::write(&file, write_glb(&model).unwrap()).unwrap();
    let command = |(command, flags): (&str, &[&str]), name: &str| {
        let flags = flags.iter().map(|flag| flag.replace("NAME", name));
        let (words, out) = match command {
            "" => {
                (vec![file.clone()], ["--size=16x16".to_owned(), format!("--screenshot={}", path("a.png"))])
            }
            _ => (vec![command.to_owned(), file.clone()], ["-o".to_owned(), path("new.glb")]),
        };
        sinew(words.into_iter().chain(flags).chain(out))
    };
    let [first, second] = &numbers;
    for flags in FLAGS {
        let cause = format!("more than one node is called 'hand'; use a number: '{first}' or '{second}'");
        assert_fails(&mut command(flags, "hand"), 1, &[&cause]);
        // A joint is meant, not the node of its name that draws the mesh.
        for name in [first, second, ODD, &of_odd, "shin.L"] {
            run_well(&mut command(flags, name));
        }
        assert_fails(&mut command(flags, "#9999"), 1, &["no node '#9999'"]);
    }
    // What a name finds, its number finds.
    for (flags, name, number) in
        [(FLAGS[4], ODD, &of_odd), (FLAGS[6], ODD, &of_odd), (FLAGS[3], "shin.L", &number(shin))]
    {
        let written = [name, number].map(|name| {
            run_well(&mut command(flags, name));
            std::fs::read(path("new.glb")).unwrap()
        });
        assert!(written[0] == written[1], "{flags:?} {name}");
    }
    let marked = |marks: &str| sinew(["weights", &file, "--replace", marks, "-o", &path("new.glb")]);
    assert_fails(&mut marked(&format!("{ODD}={of_odd}")), 1, &["are one joint"]);
    // Two nodes whose names make the text unclear.
    let mut unclear = model.clone();
    for (node, name) in [(left, "a"), (right, "b=c"), (odd, "a=b"), (shin, "c")] {
        unclear.rig.names[node] = name.to_owned();
    }
    std::fs::write(&file, write_glb(&unclear).unwrap()).unwrap();
    assert_fails(
        &mut marked("a=b=c"),
        1,
        &["'a=b=c' names two joints in more than one way; give their numbers"],
    );
    run_well(&mut marked(&format!("{first}=b=c")));
}
