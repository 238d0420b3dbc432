//! Boards as serde sees them: a list of rows, each a list of tiles, as of `Vec<Vec<i32>>`; in formats like JSON an
//! array `[[i32; COLS]; ROWS]` looks the same.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
#[cfg(feature = "alloc")]
use serde::{Deserialize, Deserializer, de::Error};
use serde::{Serialize, Serializer};

use crate::board::Board;

impl<S: AsRef<[i32]>> Serialize for Board<S> {
    fn serialize<T: Serializer>(&self, serializer: T) -> Result<T::Ok, T::Error> {
        serializer.collect_seq((0..self.rows()).map(|row| self.row(row)))
    }
}

#[cfg(feature = "alloc")]
impl<'de> Deserialize<'de> for Board {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let rows = Vec::<Vec<i32>>::deserialize(deserializer)?;
        let cols = rows.first().map_or(0, Vec::len);
        if rows.iter().any(|row| row.len() != cols) {
            return Err(D::Error::custom("the rows of a board are of one length"));
        }
        Self::over(rows.len(), cols, rows.concat()).map_err(D::Error::custom)
    }
}
