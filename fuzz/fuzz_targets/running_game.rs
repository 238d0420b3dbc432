//! A game of any course under any calls: boards stay whole, and undo leads back to the first one.
#![no_main]

use estr2048::{Course, Direction, Game};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u8, u8, u8, i64, Vec<(u8, i32)>)| {
    let (course, rows, cols, seed, calls) = input;
    let course = Course::ALL[usize::from(course) % Course::ALL.len()];
    let Ok(mut game) = Game::new(course, rows.into(), cols.into(), seed) else {
        return;
    };
    let start = game.to_string();
    for (call, tile) in calls {
        let before = (game.to_string(), game.history_len());
        let size = game.board().cells().len();
        let changed = match call % 8 {
            0..=3 => game.make_move(Direction::ALL[usize::from(call % 8)]) == Ok(true),
            4 => matches!(game.add_tile(), Ok(Some(_))),
            5 => game.set_cells(&vec![tile; size]).is_ok(),
            _ => {
                game.undo();
                continue;
            }
        };
        assert_eq!(game.board().cells().len(), size);
        assert_eq!(game.history_len(), before.1 + usize::from(changed));
        assert!(changed || game.to_string() == before.0);
    }
    while game.undo() {}
    assert_eq!(game.to_string(), start);
});
