//! Training games that end where the tables begin.

use std::ops::RangeInclusive;
use std::path::Path;

use anyhow::{Result, ensure};
use estr2048::Bitboard;
use estr2048::network::known;
use estr2048_training::worker;

use super::files::Folder;
use super::table::Table;

/// The first layers of a table, as ends of games.
#[derive(Debug)]
pub struct Ends {
    table: Table,
    /// The sums of all tiles at which games end.
    sums: RangeInclusive<u32>,
}

impl Ends {
    /// Games end at the first of these sums at which the table knows them, and are lost behind them.
    ///
    /// # Errors
    /// If the table does not have these sums, or cannot be read.
    pub fn load(path: &Path, sums: RangeInclusive<u32>) -> Result<Self> {
        let folder = Folder::open(path)?;
        folder.check()?;
        let family = folder.family;
        let (first, last) = (family.walls_sum() + folder.lowest()? + 2, family.walls_sum() + family.most());
        ensure!(
            first <= *sums.start() && *sums.end() <= last,
            "{} has the sums from {first} to {last}, not {} to {}",
            path.display(),
            sums.start(),
            sums.end()
        );
        let mut table = folder.table()?;
        for sum in sums.clone().filter(|sum| sum.is_multiple_of(2)) {
            let sum = sum - family.walls_sum();
            table.keep(sum, folder.load(sum, table.size(sum))?);
        }
        Ok(Self { table, sums })
    }
}

impl worker::Ends for Ends {
    /// A board with a 65536 is seen one size smaller, at the sum that it has then.
    fn chance(&self, after: Bitboard, sum: u32) -> Option<f32> {
        let (cells, sum) = known(after, sum, None);
        worker::chance_at(&self.sums, sum, || {
            let family = self.table.family;
            let chance = self.table.open(family.walled(Bitboard::from_cells(cells))?, sum - family.walls_sum());
            Some(f32::from(chance) / 255.0)
        })
    }
}

#[cfg(test)]
mod tests {
    use estr2048::network::upgraded;
    use worker::Ends as _;

    use super::*;
    use crate::walls::family::{Family, Goal};

    #[test]
    fn a_game_ends_at_the_sums_that_were_named_and_is_lost_behind_them() {
        let folder = tempfile::tempdir().unwrap();
        let family = Family { walls: 12, slack: 4, goal: Goal::Second };
        let layers = Folder { path: folder.path(), family };
        for sum in (0..=family.most()).step_by(2) {
            layers.save(sum, &vec![sum as u8; Table::new(family).size(sum)]).unwrap();
        }
        let ends = Ends::load(folder.path(), 65524..=65526).unwrap();
        let rows = |small: [i32; 4]| {
            let large = [[32768, 16384, 8192, 4096], [256, 512, 1024, 2048], [128, 64, 32, 16]];
            Bitboard::from_board(&[large[0], large[1], large[2], small]).unwrap()
        };
        for (small, chance) in [
            ([2, 0, 0, 0], None),
            ([2, 2, 0, 0], Some(4.0 / 255.0)),
            ([2, 4, 0, 0], Some(6.0 / 255.0)),
            ([2, 4, 2, 0], Some(0.0)),
            ([4, 0, 0, 0], Some(4.0 / 255.0)),
        ] {
            let board = rows(small);
            assert_eq!(ends.chance(board, board.sum() as u32), chance, "{small:?}");
            // Behind a fill likewise, one size larger.
            let later = upgraded(board, 1).unwrap();
            assert_eq!(ends.chance(later, later.sum() as u32), chance, "{small:?}");
        }
        let missing = [[32768, 16384, 8192, 4096], [256, 512, 1024, 2048], [64, 64, 32, 16], [2, 2, 0, 0]];
        assert_eq!(ends.chance(Bitboard::from_board(&missing).unwrap(), 65524), None, "a wall is missing");
        for sums in [65520..=65524, 65524..=65542] {
            let error = Ends::load(folder.path(), sums).unwrap_err().to_string();
            assert!(error.contains("has the sums from 65522 to 65540"), "{error}");
        }
    }
}
