//! PSA3's board files: what is read is written so that it reads the same.
#![no_main]

use estr2048::JavaRandom;
use estr2048::courses::psa3::GameBoard;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|file: &[u8]| {
    match GameBoard::load(JavaRandom::new(1), file) {
        Ok(board) => {
            let saved = board.save_board();
            let again = GameBoard::load(JavaRandom::new(1), saved.as_bytes()).unwrap();
            assert_eq!(again, board);
            assert_eq!(again.save_board(), saved);
        }
        Err(error) => assert!(error.line >= 1 && error.column >= 1 && !error.to_string().is_empty()),
    }
});
