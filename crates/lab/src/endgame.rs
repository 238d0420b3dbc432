//! The end of the game on 4×4, with its largest tiles taken to be alike.
//!
//! Behind some fills the tiles from 65536 down lie there once each and never combine again: *walls*, which no play can tell
//! apart, and which move like other tiles. With n free cells besides, the smaller tiles are at most 2^(n+1) - 2 points, and
//! where a tile 2^n is made, it is one wall more. So the end of the game, a board that is full of walls, is the same for any
//! number of them, and from it the chances are solved backwards, sum by sum, as far as there is memory and patience.
//!
//! The same before a fill: the largest tiles, from 32768 down, do not combine before the smallest of them is made a second time.

pub mod backwards;
pub mod best_play;
pub mod ends;
pub mod files;
pub mod goal;
pub mod walled;
