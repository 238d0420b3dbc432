//! The clairvoyant player of this process: what it may do, and the games that it remembers, from whatever thread.

use crate::board::GameBoard;
use crate::clairvoyant::play::{Clairvoyant, Options, Players};
use crate::direction::Direction;
use crate::interruption::Shielded;
use crate::player::settings;

static OPTIONS: Shielded<Option<Options>> = Shielded::new(None);
static PLAYERS: Players = Players::new();

/// Sets what the player of games that begin from now on may do. Games that have begun are forgotten and go on as fair
/// games.
pub fn configure(options: Options) {
    let old = OPTIONS.with(|current| current.replace(options));
    drop(old);
    PLAYERS.forget();
}

/// Forgets all games, and the networks that they were played with.
pub fn forget() {
    PLAYERS.forget();
}

/// The move for this board, or `None` if no direction changes it.
#[must_use]
pub fn choose(board: &GameBoard) -> Option<Direction> {
    PLAYERS.choose(board, new_player)
}

/// Plays with the network of the computer player. Without a network it plays fair.
fn new_player() -> Clairvoyant {
    let options = OPTIONS.with(|options| options.clone());
    Clairvoyant::new(settings::network(), options.unwrap_or_default())
}
