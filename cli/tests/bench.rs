//! `estr2048 bench`: the library's signature, by the real program.

mod support;

use std::path::Path;

use estr2048::network::weights;
use estr2048::player::signature::Signature;
use support::{run, stderr, stdout};

#[test]
fn it_prints_the_signature_of_the_library() {
    let signature = Signature::of(weights::embedded().unwrap().unwrap(), 1);
    for options in [&["bench"][..], &["bench", "--threads", "2"], &["bench", "--portable"]] {
        let output = run(Path::new("."), options, "");
        assert!(output.status.success(), "{options:?}: {}", stderr(&output));
        assert_eq!(stdout(&output), format!("Bench: {signature}\n"), "{options:?}");
        assert!(stderr(&output).contains("50 positions"));
    }
    assert_eq!(run(Path::new("."), &["bench", "--threads", "0"], "").status.code(), Some(2));
}
