//! What a layer comes to, and its best layouts as pictures.

use super::layouts::Set;
use super::solve::SURE;

/// Layouts over these chances are counted.
pub const OVER: [f64; 4] = [0.4, 0.5, 0.7, 0.9];

/// The best chance of every layout of one sum, the best layouts first.
#[derive(Debug)]
pub struct Summary {
    best: Vec<(u16, usize)>,
}

impl Summary {
    /// Of the chances of all afterstates, layout by layout.
    pub fn new(chances: &[u16], layouts: usize) -> Self {
        let each = (chances.len() / layouts).max(1);
        let best = chances.chunks(each).map(|chances| chances.iter().max().copied().unwrap_or(0));
        let mut best: Vec<(u16, usize)> = best.zip(0..).collect();
        best.sort_unstable_by_key(|&(chance, layout)| (u16::MAX - chance, layout));
        Self { best }
    }

    /// The best chance of one layout.
    pub fn of(&self, layout: usize) -> f64 {
        self.best.iter().find(|&&(_, other)| other == layout).map_or(0.0, |&(chance, _)| share(chance))
    }

    /// The best chance of all.
    pub fn best(&self) -> f64 {
        self.best.first().map_or(0.0, |&(chance, _)| share(chance))
    }

    /// How many layouts have some arrangement with a chance over each of [`OVER`].
    pub fn over(&self) -> [usize; 4] {
        OVER.map(|over| self.best.iter().filter(|&&(chance, _)| share(chance) > over).count())
    }

    /// The best layouts, each with its best chance.
    pub fn first(&self, count: usize) -> impl Iterator<Item = (f64, usize)> {
        self.best.iter().take(count).map(|&(chance, layout)| (share(chance), layout))
    }
}

fn share(chance: u16) -> f64 {
    f64::from(chance) / f64::from(SURE)
}

/// Walls in these cells as four rows, with this between them: `W` for a wall, `h` for the half of one, `.` for a cell that
/// small tiles may take.
pub fn picture(set: Set, between: &str) -> String {
    let letter = |cell: u32| match (set >> cell & 1, set >> (16 + cell) & 1) {
        (1, _) => 'W',
        (_, 1) => 'h',
        _ => '.',
    };
    let row = |row: u32| (0..4).map(|col| letter(4 * row + col)).collect();
    (0..4).map(row).collect::<Vec<String>>().join(between)
}

/// The cells of the walls in a picture with a `/` between the rows, and that of the half, of which there may be one.
///
/// # Errors
/// If it is none.
pub fn parse_picture(text: &str) -> Result<Set, String> {
    let rows: Vec<&str> = text.split('/').collect();
    let is_row = |row: &&str| row.len() == 4 && row.chars().all(|cell| matches!(cell, 'W' | 'h' | '.'));
    if rows.len() != 4 || !rows.iter().all(is_row) || text.matches('h').count() > 1 {
        return Err("expected four rows of W and . like WWWW/WWW./..../....".to_owned());
    }
    let cells = rows.concat();
    let of =
        |letter: char| cells.chars().zip(0..).fold(0, |set, (cell, place)| set | Set::from(cell == letter) << place);
    Ok(of('W') | of('h') << 16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layouts_are_counted_by_their_best_chance() {
        let summary = Summary::new(&[0, 40000, 65535, 3, 26215, 26214], 3);
        assert_eq!(summary.over(), [3, 2, 1, 1]);
        assert_eq!(summary.first(2).map(|(_, layout)| layout).collect::<Vec<_>>(), [1, 0]);
        assert!((summary.best() - 1.0).abs() < f64::EPSILON && (summary.of(0) - 40000.0 / 65535.0).abs() < 1e-9);
        assert_eq!(Summary::new(&[], 3).over(), [0; 4]);
    }

    #[test]
    fn a_picture_shows_the_walls() {
        assert_eq!(picture(0x0fff, "\n"), "WWWW\nWWWW\nWWWW\n....");
        assert_eq!(picture(0x809f, "/"), "WWWW/W..W/..../...W");
        assert_eq!(parse_picture("WWWW/WWWW/WWWW/...."), Ok(0x0fff));
        assert_eq!(parse_picture("WWWW/W..W/..../...."), Ok(0x009f));
        assert_eq!(picture(0x0200_804f, "/"), "WWWW/..W./.h../...W");
        assert_eq!(parse_picture("WWWW/..W./.h../...W"), Ok(0x0200_804f));
        for wrong in [
            "",
            "WWWW",
            "WWWW/WWWW/WWWW",
            "WWWW/WWWW/WWWW/.../",
            "WWWW/WWWW/WWWw/....",
            "WWWW/hh../..../....",
            "WWWWW/WWW/WWWW/....",
        ] {
            assert!(parse_picture(wrong).is_err(), "{wrong}");
        }
    }
}
