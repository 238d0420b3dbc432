//! The signature of the player: what it decides on fifty positions. A change here belongs into the message of its commit;
//! CONTRIBUTING.md says more.
#![cfg(feature = "weights")]

use std::sync::Arc;

use estr2048::Bitboard;
use estr2048::network::weights;
use estr2048::player::signature::{POSITIONS, Signature};

/// For the network inside the library.
const SIGNATURE: &str = "874187 evaluations, moves 082bfb1174c8bd94";

/// Without the bit-extract instruction, and with more threads, it is the same; and so it is twice in a row.
#[test]
fn the_signature_is_the_pinned_one() {
    let network = weights::embedded().unwrap().unwrap();
    assert_eq!(Signature::of(network.clone(), 1).to_string(), SIGNATURE);
    assert_eq!(Signature::of(network.clone(), 3).to_string(), SIGNATURE, "with three threads");
    let portable = Arc::new(Arc::into_inner(network).unwrap().portable());
    assert_eq!(Signature::of(portable, 1).to_string(), SIGNATURE, "without the processor's help");
}

#[test]
fn the_positions_are_boards_with_a_choice() {
    for board in &POSITIONS {
        let packed = Bitboard::from_board(board).expect("every tile is a power of two");
        assert!(packed.moves().count() > 1, "{board:?}");
    }
}
