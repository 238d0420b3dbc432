//! Hand-ins, outputs and journals that nobody wrote by hand: whatever they hold, the readers come to an end. The same
//! readers have fuzz targets in fuzz/.

use std::io::{Cursor, Write};

use estr2048_grading::basic::reader;
use estr2048_grading::collect::{Known, collect, export};
use estr2048_grading::journal;
use proptest::prelude::*;

fn zipped(entries: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in entries {
        if zip.start_file(name.as_str(), zip::write::SimpleFileOptions::default()).is_ok() {
            zip.write_all(bytes).unwrap();
        }
    }
    zip.finish().unwrap().into_inner()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn any_zip_is_walked(
        entries in prop::collection::vec(
            ("(a{0,3}/){0,4}(aiplayer_|aplayer_|basic_|\\.\\./|C:|/|x)(1155000001|1155000002)?\\.(c|h|zip|rar|png)", prop::collection::vec(any::<u8>(), 0..40)),
            0..8,
        ),
        harm in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
        cut in any::<prop::sample::Index>(),
    ) {
        let mut bytes = zipped(&[("inner.zip".into(), zipped(&entries))].into_iter().chain(entries).collect::<Vec<_>>());
        for (at, byte) in &harm {
            let at = at.index(bytes.len());
            bytes[at] = *byte;
        }
        if harm.len() > 2 {
            bytes.truncate(cut.index(bytes.len()));
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("upload_1155000001.zip");
        std::fs::write(&path, bytes).unwrap();
        let class = collect(&[path], &folder.path().join("work"), Known::default()).unwrap();
        // A zip that is called by one student's number speaks for that one only.
        prop_assert!(class.submissions.iter().all(|one| one.id == "1155000001"), "{class:?}");
        prop_assert!(!folder.path().join("x.c").exists());
    }

    #[test]
    fn any_output_is_read(text in "[ \\t\\n0-9|+\\-_\\[\\],.:a-dU\\x1b\\[mHJ│得]{0,400}") {
        for reading in reader::readings(&text) {
            prop_assert!(!reading.boards.is_empty());
        }
    }

    #[test]
    fn any_journal_is_read_or_refused(mut bytes in prop::collection::vec(any::<u8>(), 0..200), at in any::<prop::sample::Index>()) {
        let _ = journal::parse(&bytes);
        let line = b"{\"event\":\"redo\",\"id\":\"1155000001\"}\n";
        bytes.splice(0..0, line.iter().copied());
        let at = at.index(line.len());
        let (lines, whole) = journal::parse(&line[..at]).unwrap();
        prop_assert_eq!((lines.len(), whole), (0, 0));
        let _ = journal::parse(&bytes);
    }

    #[test]
    fn any_list_of_senders_is_read_or_refused(text in "(---\n)?(submission_[0-9]:\n|  :submitters:\n|  - :sid: '?[0-9]{0,10}'?\n|  [\\[{&*!|>]{1,3}\n){0,20}") {
        let _ = export::gradescope(&text);
    }
}
