//! The last points before the fill of 65536 on 4×4, with the largest tiles taken to be alike.
//!
//! *Walls* never combine and cannot be told apart. With eight of them (32768 to 256) there are only 12 870 layouts,
//! 1674 up to symmetry, and everything else is exact: the greatest chance that a second 256 is made, out of the smaller
//! tiles. With seven the tile to be made is the first 256, which becomes the eighth wall, and the chance that of the
//! second one. With six the tile is the 512, which is made in two steps: a 256, and another one beside it.

pub mod arrangements;
pub mod best_play;
pub mod cells;
pub mod ends;
pub mod family;
pub mod files;
pub mod guide;
pub mod layouts;
pub mod play;
pub mod slides;
pub mod solve;
pub mod summary;
pub mod table;
