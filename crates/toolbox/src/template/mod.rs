//! A computer player that compiles, to start from; `@ID@` stands for the student's number.

/// Names and texts of the files.
pub const FILES: [(&str, &str); 4] = [
    ("aiplayer_@ID@.c", include_str!("player.c.in")),
    ("aiplayer_@ID@.h", include_str!("player.h.in")),
    ("test_@ID@.c", include_str!("test.c.in")),
    ("cheat_sheet.md", include_str!("cheat_sheet.md.in")),
];
