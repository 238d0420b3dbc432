//! Exports as the systems write them, clumsy hand-ins, and hand-ins that speak for others.

use std::io::Write;

use zip::write::SimpleFileOptions;

use super::*;

/// Writes a zip of these files in memory.
fn zipped(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, bytes) in entries {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// A folder of files; the names may have folders in them.
fn folder(entries: &[(&str, &[u8])]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in entries {
        let path = folder.path().join("class").join(name);
        if name.ends_with('/') {
            fs::create_dir_all(path).unwrap();
            continue;
        }
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    folder
}

fn found(folder: &tempfile::TempDir, known: Known<'_>) -> Class {
    collect(&[folder.path().join("class")], &folder.path().join("work"), known).unwrap()
}

fn get<'a>(class: &'a Class, id: &str) -> &'a Submission {
    class
        .submissions
        .iter()
        .find(|submission| submission.id == id)
        .unwrap_or_else(|| panic!("{id} is missing: {class:#?}"))
}

fn source(submission: &Submission) -> String {
    fs::read_to_string(submission.source.as_ref().expect("a source")).unwrap()
}

const A: &str = "1155000001";
const B: &str = "1155000002";

#[test]
fn submissions_are_found_in_folders_and_zips() {
    let zip = zipped(&[("sub/aiplayer_1155000003.c", b""), ("__MACOSX/._x", b"")]);
    let folder = folder(&[
        ("aiplayer_1155000001.c", b""),
        ("aiplayer_1155000001.h", b""),
        ("student_1155000002/AIplayer.c", b""),
        ("upload_77.zip", &zip),
        ("broken_1155000004.zip", b"no zip"),
    ]);
    let class = found(&folder, Known::default());
    let ids: Vec<_> = class.submissions.iter().map(|submission| submission.id.as_str()).collect();
    assert_eq!(ids, [A, B, "1155000003", "1155000004"]);
    assert!(get(&class, A).source.is_some() && get(&class, A).header.is_some());
    assert!(get(&class, B).misnamed[0].starts_with("AIplayer.c"));
    assert!(get(&class, "1155000003").source.is_some());
    assert!(get(&class, "1155000004").trouble[0].contains("not a zip"));
}

#[test]
fn a_submission_speaks_only_for_its_sender() {
    let evil = zipped(&[
        ("aiplayer_1155000001.c", b"mine"),
        ("aiplayer_1155000002.c", b"evil"),
        ("aiplayer_1155000002.h", b"evil"),
        ("basic_1155000002.zip", b"evil"),
    ]);
    let good = zipped(&[("aiplayer_1155000002.c", b"good")]);
    // Named by the number, named by nothing, and in a folder: the classmate's work stays the classmate's.
    for (evil_name, good_name) in [
        ("1155000001.zip", "1155000002.zip"),
        ("zz_upload.zip", "a_upload.zip"),
        ("a_upload.zip", "zz_upload.zip"),
        ("zz_upload.zip", "Bob/upload.zip"),
    ] {
        let folder = folder(&[(evil_name, &evil), (good_name, &good)]);
        let class = found(&folder, Known::default());
        assert_eq!(source(get(&class, A)), "mine");
        let b = get(&class, B);
        assert_eq!((source(b).as_str(), b.header.is_some(), b.basic.is_some()), ("good", false, false), "{evil_name}");
        assert!(class.odd.iter().any(|odd| odd.place.contains(evil_name) && odd.what.contains(B)), "{:?}", class.odd);
    }
    let folder = folder(&[("1155000001.zip", &evil), ("aiplayer_1155000002.c", b"good")]);
    assert_eq!(source(get(&found(&folder, Known::default()), B)), "good");
}

#[test]
fn two_sources_for_one_number_are_a_conflict_that_names_both() {
    let zips = [zipped(&[("aiplayer_1155000001.c", b"x")]), zipped(&[("aiplayer_1155000001.c", b"y")])];
    let folder1 = folder(&[("one.zip", &zips[0]), ("two.zip", &zips[1])]);
    let class = found(&folder1, Known::default());
    let submission = get(&class, A);
    assert!(submission.source.is_none() && submission.conflict.is_some());
    assert!(submission.for_staff[0].contains("one.zip") && submission.for_staff[0].contains("two.zip"));
    // The same file twice is none.
    let folder2 = folder(&[("one.zip", &zips[0]), ("two.zip", &zips[0])]);
    assert_eq!(source(get(&found(&folder2, Known::default()), A)), "x");
    // Nor does one part come from one stranger and the next from another.
    let header = zipped(&[("aiplayer_1155000001.h", b"h")]);
    let folder3 = folder(&[("one.zip", &zips[0]), ("two.zip", &header)]);
    assert!(get(&found(&folder3, Known::default()), A).conflict.is_some());
    let twice = zipped(&[("a/aiplayer_1155000001.c", b"x"), ("b/aiplayer_1155000001.c", b"y")]);
    let folder4 = folder(&[("1155000001.zip", &twice)]);
    assert!(get(&found(&folder4, Known::default()), A).for_staff[0].contains("a/aiplayer_1155000001.c"));
}

#[test]
fn everything_odd_is_named_and_ends_nothing() {
    let deep = format!("{}aiplayer_1155000009.c", "d/".repeat(40));
    let colon = zipped(&[("a:b.txt", b""), ("aiplayer_1155000003.c", b"x")]);
    let folder = folder(&[
        ("aiplayer_1155000001.c", b"x"),
        ("picture.png", b""),
        ("empty_1155000005/", b""),
        ("aiplayer_1155000006.rar", b""),
        ("1155000007.7z", b""),
        ("1155000008/report.docx", b""),
        (&deep, b""),
        ("aiplayer_1155000010 (1).c", b""),
        ("aiplayer_1155000011.cpp", b""),
        ("basic-1155000012.zip", b""),
        ("mac_1155000003.zip", &colon),
    ]);
    std::os::unix::fs::symlink("/etc/passwd", folder.path().join("class/aiplayer_1155000013.c")).unwrap();
    let class = found(&folder, Known::default());
    for (id, why) in [
        ("1155000005", "empty"),
        ("1155000006", "archive"),
        ("1155000007", "archive"),
        ("1155000008", "document"),
        ("1155000010", "numbered"),
        ("1155000011", "C++"),
        ("1155000012", "underscore"),
        ("1155000013", "link"),
    ] {
        let submission = get(&class, id);
        let told = submission.misnamed.iter().chain(&submission.trouble).any(|text| text.contains(why));
        assert!(told, "{id}: {submission:?}");
    }
    for (place, what) in [("picture.png", "picture"), ("d/d", "deep"), ("mac_1155000003.zip", "colon")] {
        assert!(
            class.odd.iter().any(|odd| odd.place.contains(place) && odd.what.contains(what)),
            "{place}: {:?}",
            class.odd
        );
    }
    assert_eq!((source(get(&class, A)).as_str(), source(get(&class, "1155000003")).as_str()), ("x", "x"));
}

#[test]
fn zips_in_zips_share_one_budget() {
    let inner = zipped(&[("big.h", &vec![0; 30 << 20])]);
    let outer = zipped(&[("1.zip", &inner), ("2.zip", &inner), ("3.zip", &inner), ("aiplayer_1155000001.c", b"x")]);
    let wide = zipped(&[("1.zip", &outer), ("2.zip", &outer)]);
    assert!(wide.len() < 1 << 20);
    let folder = folder(&[("bomb_1155000001.zip", &wide)]);
    let class = found(&folder, Known::default());
    let size = |path: &Path| -> u64 {
        let mut stack = vec![path.to_path_buf()];
        let mut total = 0;
        while let Some(path) = stack.pop() {
            for entry in fs::read_dir(path).unwrap().flatten() {
                let about = entry.metadata().unwrap();
                if about.is_dir() { stack.push(entry.path()) } else { total += about.len() }
            }
        }
        total
    };
    assert!(size(&folder.path().join("work")) < 60 << 20);
    assert!(get(&class, A).trouble.iter().any(|text| text.contains("more than allowed")), "{class:?}");
}

#[test]
fn nobodys_zips_use_up_the_room_of_a_class() {
    let bomb = zipped(&[("big.h", &vec![0; 45 << 20])]);
    let names: Vec<String> = (0..60).map(|number| format!("1155000001/{number}.zip")).collect();
    let good = zipped(&[("aiplayer_1155000002.c", b"good"), ("table.h", &vec![b'0'; 3 << 20])]);
    let mut entries: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &bomb[..])).collect();
    entries.extend([("1155000001/aiplayer_1155000001.c", &b"x"[..]), ("1155000002.zip", &good)]);
    let folder = folder(&[("class.zip", &zipped(&entries))]);
    let path = folder.path().join("class/class.zip");
    let class = collect(&[path], &folder.path().join("work"), Known::default()).unwrap();
    assert_eq!((source(get(&class, A)).as_str(), source(get(&class, B)).as_str()), ("x", "good"));
    assert_eq!(class.odd.iter().filter(|odd| odd.what.contains("more than allowed")).count(), 60, "{:?}", class.odd);
}

#[test]
fn a_students_folder_that_looks_like_an_export_is_not_believed() {
    let yaml = b"---\nsubmission_7:\n  :submitters:\n  - :name: B\n    :sid: '1155000002'\n";
    let attempt = format!("P_{B}_attempt_2099-01-01-00-00-00_aiplayer_{B}.c");
    for evil in ["1155000001", "doe_jane"] {
        let name = |file: &str| format!("{evil}/{file}");
        let own = name("aiplayer_1155000001.c");
        for fakes in [
            vec![name("submission_metadata.yml"), name(&format!("submission_7/aiplayer_{B}.c"))],
            vec![name(&attempt), name(&format!("P_{B}_attempt_2099-01-01-00-00-00_aiplayer_{B}.h"))],
            vec![name(&format!("x/{B}/aiplayer_{B}.c")), name(&format!("x/{B}/aiplayer_{B}.h"))],
            vec![name("x/submission_metadata.yml"), name(&format!("x/submission_7/aiplayer_{B}.c"))],
        ] {
            let mut entries: Vec<(&str, &[u8])> = fakes.iter().map(|name| (name.as_str(), &yaml[..])).collect();
            entries.extend([(own.as_str(), &b"mine"[..]), ("1155000002/aiplayer_1155000002.c", b"good")]);
            let folder = folder(&entries);
            let class = found(&folder, Known::default());
            assert_eq!(
                (source(get(&class, A)).as_str(), source(get(&class, B)).as_str()),
                ("mine", "good"),
                "{fakes:?}"
            );
            assert!(
                class.odd.iter().any(|odd| odd.place.contains(B) || odd.what.contains(B)),
                "{fakes:?}: {:?}",
                class.odd
            );
        }
    }
    // Nor is a file among others, of which nobody knows who sent it.
    let folder = folder(&[("aiplayer_1155000001.c", b"x"), ("aiplayer_1155000002.c", b"good"), (&attempt, b"evil")]);
    assert_eq!(source(get(&found(&folder, Known::default()), B)), "good");
}

#[test]
fn a_file_larger_than_any_hand_in_is_not_read() {
    let folder = folder(&[("aiplayer_1155000001.c", b"x"), ("basic_1155000001.zip", b"")]);
    let zip = fs::File::options().write(true).open(folder.path().join("class/basic_1155000001.zip")).unwrap();
    zip.set_len(1 << 40).unwrap();
    let class = found(&folder, Known::default());
    assert!(get(&class, A).basic.is_none() && get(&class, A).source.is_some());
    assert!(class.odd.iter().any(|odd| odd.what.contains("at most 50")), "{:?}", class.odd);
    let named = ["aiplayer_1155000001.c", "basic_1155000001.zip"].map(|name| folder.path().join("class").join(name));
    let class = collect(&named, &folder.path().join("work2"), Known::default()).unwrap();
    assert!(get(&class, A).basic.is_none() && get(&class, A).source.is_some());
}

#[test]
fn blackboards_last_attempt_counts() {
    let name = |time: &str, file: &str| format!("Course_Project_{A}_attempt_{time}{file}");
    let entries = [
        (name("2026-11-19-10-00-00", ".txt"), "receipt"),
        (name("2026-11-19-10-00-00", "_aiplayer_1155000001.c"), "old"),
        (name("2026-11-20-23-58-00", "_aiplayer_1155000001.c"), "new"),
        (name("2026-11-20-23-58-00", "_aiplayer_1155000001.h"), "h"),
        (name("2026-11-20-23-58-00", "_basic_1155000001.zip"), "zip"),
        (name("2026-11-20-23-58-00", "_aiplayer_1155000002.c"), "evil"),
        (format!("Course_Project_{B}_attempt_2026-11-21-08-00-00_aiplayer_{B}.c"), "late"),
    ];
    let entries: Vec<(&str, &[u8])> = entries.iter().map(|(name, text)| (name.as_str(), text.as_bytes())).collect();
    let due: Due = "2026-11-20 23:59".parse().unwrap();
    let folder = folder(&entries);
    let class = found(&folder, Known { due: Some(&due), ..Known::default() });
    assert_eq!(class.submissions.len(), 2, "{class:?}");
    let a = get(&class, A);
    assert_eq!((source(a).as_str(), a.header.is_some(), a.basic.is_some(), a.late), ("new", true, true, false));
    assert_eq!((source(get(&class, B)).as_str(), get(&class, B).late), ("late", true));
    assert!(class.odd.iter().any(|odd| odd.what.contains("earlier attempt")));
}

#[test]
fn gradescope_canvas_and_moodle_are_read() {
    let yaml = "---\nsubmission_71:\n  :submitters:\n  - :name: Jane Doe\n    :sid: '1155000001'\n  :created_at: 2026-11-20 \
                16:30:00.5 Z\nsubmission_72:\n  :submitters:\n  - :name: Bob\n    :sid: '1155000002'\n  :created_at: \
                2026-11-20 12:00:00 Z\n";
    let due: Due = "2026-11-20T23:59+08:00".parse().unwrap();
    let gradescope = folder(&[
        ("submission_metadata.yml", yaml.as_bytes()),
        ("submission_71/aiplayer_1155000001.c", b"a"),
        ("submission_71/aiplayer_1155000002.c", b"evil"),
        ("submission_72/aiplayer_1155000002.c", b"b"),
    ]);
    let class = found(&gradescope, Known { due: Some(&due), ..Known::default() });
    assert_eq!((source(get(&class, A)).as_str(), get(&class, A).late), ("a", true));
    assert_eq!((source(get(&class, B)).as_str(), get(&class, B).late), ("b", false));

    let text = "Student ID,First Name,Last Name\n1155000001,Jane,Doe\n1155000002,Bob,Roe\n1155000003,Absent,Student\n";
    let list = folder(&[("roster.csv", text.as_bytes())]);
    let roster = Roster::read(&list.path().join("class/roster.csv")).unwrap();
    let known = Known { roster: Some(&roster), ..Known::default() };
    let canvas = folder(&[
        ("doejane_LATE_12_90_aiplayer_1155000001-1.c", b"a"),
        ("roebob_13_91_aiplayer_1155000002.c", b"b"),
        ("doejane_LATE_12_92_aiplayer_1155000002.h", b"evil"),
    ]);
    let moodle = folder(&[
        ("Jane Doe_7000001_assignsubmission_file_/aiplayer_1155000001.c", b"a"),
        ("Jane Doe_7000001_assignsubmission_file_/aiplayer_1155000002.h", b"evil"),
        ("Bob Roe_7000002_assignsubmission_file_/x.zip", &zipped(&[("aiplayer_1155000002.c", b"b")])),
    ]);
    for (folder, late) in [(canvas, true), (moodle, false)] {
        let class = found(&folder, known);
        assert_eq!(class.submissions.len(), 3, "everybody on the roster, once: {class:?}");
        assert_eq!((source(get(&class, A)).as_str(), get(&class, A).late), ("a", late));
        assert_eq!((source(get(&class, B)).as_str(), get(&class, B).header.is_some()), ("b", false));
        assert!(get(&class, "1155000003").trouble[0].contains("nothing was handed in"));
    }
}

#[test]
fn a_whole_class_in_one_zip_is_a_class() {
    let inner = zipped(&[("aiplayer_1155000002.c", b"b")]);
    let bytes = zipped(&[("tut1/aiplayer_1155000001.c", b"a"), ("tut1/upload.zip", &inner)]);
    let folder = folder(&[("export.zip", &bytes)]);
    let path = folder.path().join("class/export.zip");
    let class = collect(&[path], &folder.path().join("work"), Known::default()).unwrap();
    assert_eq!((source(get(&class, A)).as_str(), source(get(&class, B)).as_str()), ("a", "b"));
}

#[test]
fn results_are_no_submissions() {
    let folder = folder(&[
        ("aiplayer_1155000001.c", b"a"),
        ("graded/journal.jsonl", b""),
        ("graded/repro/repro_1155000001.c", b""),
        ("out/repro/repro_1155000001.c", b""),
    ]);
    let skip = folder.path().join("class/out");
    let class = found(&folder, Known { skip: Some(&skip), ..Known::default() });
    assert_eq!(class.submissions.len(), 1, "{class:?}");
}
