//! The board, as large as its window allows.

use estr2048::Board;
use estr2048_session::slide::Way;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Modifier, Style};

use crate::colours::{Colours, Depth};
use crate::digits;

/// How the board is drawn beside its colours.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    pub colours: Colours,
    /// Nothing but ASCII.
    pub ascii: bool,
}

/// Where the cells are: the distance from one to the next, and what of it is left free between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    left: u16,
    top: u16,
    wide: u16,
    high: u16,
    gap_wide: u16,
    gap_high: u16,
    /// What stands left of and above the first cells: as much as between two of them, if there is room.
    edge_wide: u16,
    edge_high: u16,
    rows: u16,
    cols: u16,
}

/// The least columns of a tile: `^16` is read as 2 to the power of 16.
const LEAST_TILE: u16 = 3;
/// A tile looks square if it is about so many times wider than high.
const SHAPE: u16 = 2;

impl Grid {
    /// The largest grid for this area, in its middle; `None` if even the smallest does not fit.
    pub fn fit(area: Rect, board: &Board, look: Look) -> Option<Self> {
        let (rows, cols) = (board.rows() as u16, board.cols() as u16);
        let longest = board.cells().iter().map(|tile| tile.to_string().len() as u16).max().unwrap_or(1).max(4);
        let lined = look.colours.depth == Depth::None;
        let most_wide = area.width.saturating_sub(u16::from(lined)) / cols;
        let most_high = area.height.saturating_sub(u16::from(lined)) / rows;
        let (high, wide) = if lined {
            let high = most_high.min(most_wide / SHAPE).max(most_high.min(2));
            (high, most_wide.min((SHAPE * high + 3).max(longest + 1)))
        } else {
            let high = most_high.min((most_wide / SHAPE).max(1));
            (high, most_wide.min((SHAPE * high + 2).max(longest + 1)))
        };
        let gap_high = u16::from(if lined { high >= 2 } else { high >= 3 });
        let gap_wide = if !lined && high >= 4 && wide >= longest + 4 { 2 } else { 1 };
        if high == 0 || wide < LEAST_TILE + gap_wide {
            return None;
        }
        let edge = |cells: u16, gap: u16, room: u16| if cells + gap <= room { gap } else { 0 };
        let edge_wide = edge(wide * cols, gap_wide, area.width);
        let edge_high = edge(high * rows, gap_high, area.height);
        let (full_wide, full_high) = (wide * cols + edge_wide, high * rows + edge_high);
        let left = area.x + area.width.saturating_sub(full_wide) / 2;
        let top = area.y + area.height.saturating_sub(full_high) / 2;
        Some(Self { left, top, wide, high, gap_wide, gap_high, edge_wide, edge_high, rows, cols })
    }

    /// The least columns and lines that a board needs.
    pub fn least(board: &Board, look: Look) -> (usize, usize) {
        let lined = usize::from(look.colours.depth == Depth::None);
        (board.cols() * usize::from(LEAST_TILE + 1) + lined, board.rows() + lined)
    }

    fn area(&self) -> Rect {
        let (wide, high) = (self.wide * self.cols + self.edge_wide, self.high * self.rows + self.edge_high);
        Rect::new(self.left, self.top, wide, high)
    }

    fn tile(&self, cell: usize) -> Rect {
        self.between(cell, cell, 1.0)
    }

    /// A tile on its way: `part` of it, from 0 to 1, is done.
    fn between(&self, from: usize, to: usize, part: f32) -> Rect {
        let cols = usize::from(self.cols);
        let place = |cell: usize, along: fn(usize, usize) -> usize, step: u16| (along(cell, cols) as u16 * step) as f32;
        let mix = |from: f32, to: f32| (from + (to - from) * part).round() as u16;
        let column = |cell, cols| cell % cols;
        let row = |cell, cols| cell / cols;
        let x = mix(place(from, column, self.wide), place(to, column, self.wide));
        let y = mix(place(from, row, self.high), place(to, row, self.high));
        let (left, top) = (self.left + self.edge_wide + x, self.top + self.edge_high + y);
        Rect::new(left, top, self.wide - self.gap_wide, self.high - self.gap_high)
    }
}

/// A moment of a move.
#[derive(Clone, Copy, Debug)]
pub struct Moment<'a> {
    /// The ways of all tiles.
    pub ways: &'a [Way],
    /// How much of them is done, from 0 to 1.
    pub part: f32,
}

/// Draws the board, or a moment of a move on it. `fresh` is the cell of a tile that has just come.
pub fn draw(buffer: &mut Buffer, grid: &Grid, board: &Board, moment: Option<Moment>, fresh: Option<usize>, look: Look) {
    let lined = look.colours.depth == Depth::None;
    if lined {
        draw_lines(buffer, grid, look);
    } else {
        buffer.set_style(grid.area().intersection(buffer.area), look.colours.board());
    }
    for cell in 0..board.cells().len() {
        draw_tile(buffer, grid.tile(cell), 0, look);
    }
    if let Some(Moment { ways, part }) = moment {
        // Those that combine come last: they end above the tile that they meet.
        for combines in [false, true] {
            for way in ways.iter().filter(|way| way.combines == combines) {
                draw_tile(buffer, grid.between(way.from, way.to, part), way.tile, look);
            }
        }
        return;
    }
    for (cell, &tile) in board.cells().iter().enumerate().filter(|&(_, &tile)| tile != 0) {
        let mut area = grid.tile(cell);
        if fresh == Some(cell) && area.width > 6 && area.height > 2 {
            area = Rect::new(area.x + 2, area.y + 1, area.width - 4, area.height - 2);
        }
        draw_tile(buffer, area, tile, look);
        if fresh == Some(cell) && lined {
            buffer.set_style(area.intersection(buffer.area), Style::new().add_modifier(Modifier::REVERSED));
        }
    }
}

fn draw_tile(buffer: &mut Buffer, area: Rect, tile: i32, look: Look) {
    let style = look.colours.tile(tile);
    let area = area.intersection(buffer.area);
    for position in area.positions() {
        buffer[position].set_symbol(" ").set_style(style);
    }
    if area.is_empty() {
        return;
    }
    if tile == 0 {
        if matches!(look.colours.depth, Depth::Ansi | Depth::None) && area.height < 3 {
            let middle = Position::new(area.x + area.width / 2, area.y + area.height / 2);
            buffer[middle].set_symbol(if look.ascii { "." } else { "·" });
        }
        return;
    }
    let text = text(tile, area.width.into());
    let lines = large(&text, area, look).unwrap_or_else(|| vec![text]);
    let top = area.y + area.height.saturating_sub(lines.len() as u16) / 2;
    for (line, y) in lines.iter().zip(top..area.bottom()) {
        let columns = line.chars().count() as u16;
        // With an odd column left, to the right: numbers stand nearer to the next tile on their right.
        let left = area.x + (area.width.saturating_sub(columns)).div_ceil(2);
        buffer.set_stringn(left, y, line, area.width.into(), style);
    }
}

/// The number in large digits, as large as the tile has room for.
fn large(text: &str, area: Rect, look: Look) -> Option<Vec<String>> {
    if look.ascii {
        return None;
    }
    // All tiles of a board have digits of one size: that of the longest number that will ever be.
    let digits = text.len().max(4);
    let fits = |scale: usize| {
        digits::width(digits, scale) + 2 <= area.width.into() && digits::height(scale) + 2 <= area.height.into()
    };
    let scale = (1..=3).rev().find(|&scale| fits(scale))?;
    digits::lines(text, scale)
}

/// A number that takes at most so many columns: 65536 as `2^16` or `^16`.
fn text(tile: i32, columns: usize) -> String {
    let whole = tile.to_string();
    if whole.len() <= columns {
        return whole;
    }
    let power = tile.checked_ilog2().filter(|_| tile.count_ones() == 1);
    let shorter = power.map(|power| [format!("2^{power}"), format!("^{power}")]);
    shorter.into_iter().flatten().find(|text| text.len() <= columns).unwrap_or_else(|| "#".repeat(columns))
}

fn draw_lines(buffer: &mut Buffer, grid: &Grid, look: Look) {
    let [across, along, corner] = if look.ascii { ["-", "|", "+"] } else { ["─", "│", "┼"] };
    let area = grid.area();
    let is_line = |offset: u16, step: u16, gap: u16| gap > 0 && offset.is_multiple_of(step);
    for y in 0..area.height {
        for x in 0..area.width {
            let (on_column, on_row) = (is_line(x, grid.wide, grid.gap_wide), is_line(y, grid.high, grid.gap_high));
            let symbol = match (on_column, on_row) {
                (true, true) if look.ascii => corner,
                (true, true) => joint(x, y, area),
                (true, false) => along,
                (false, true) => across,
                (false, false) => " ",
            };
            let place = Position::new(area.x + x, area.y + y);
            if buffer.area.contains(place) {
                buffer[place].set_symbol(symbol).set_style(Style::new());
            }
        }
    }
}

fn joint(x: u16, y: u16, area: Rect) -> &'static str {
    let end = |at: u16, size: u16| match at {
        0 => 0,
        at if at + 1 >= size => 2,
        _ => 1,
    };
    [["┌", "┬", "┐"], ["├", "┼", "┤"], ["└", "┴", "┘"]][end(y, area.height)][end(x, area.width)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::colours::{Ground, Palette};

    fn look(depth: Depth, ascii: bool) -> Look {
        Look { colours: Colours { depth, palette: Palette::Classic, ground: Ground::Dark }, ascii }
    }

    fn picture(width: u16, height: u16, board: &Board, look: Look) -> Option<Vec<String>> {
        let area = Rect::new(0, 0, width, height);
        let mut buffer = Buffer::empty(area);
        draw(&mut buffer, &Grid::fit(area, board, look)?, board, None, None, look);
        let line = |y| (0..width).map(|x| buffer[(x, y)].symbol()).collect::<String>();
        Some((0..height).map(line).collect())
    }

    #[test]
    fn without_colour_a_board_has_lines() {
        let board = Board::over(2, 2, vec![2, 0, 1024, 65536]).unwrap();
        let lines = picture(17, 5, &board, look(Depth::None, true)).unwrap();
        let expected =
            [" +------+------+ ", " |   2  |   .  | ", " +------+------+ ", " | 1024 | 65536| ", " +------+------+ "];
        assert_eq!(lines, expected);
    }

    /// Every number of any board is somewhere on the screen, whatever the window, or the board is refused as a whole.
    #[test]
    fn every_tile_is_shown_at_every_size() {
        let tiles: Vec<i32> = (1..=16).map(|exponent| 1 << exponent).collect();
        let board = Board::over(4, 4, tiles.clone()).unwrap();
        for depth in [Depth::None, Depth::Ansi, Depth::True] {
            for (width, height) in [(16, 4), (17, 5), (20, 4), (24, 8), (40, 12), (48, 22), (79, 23)] {
                let look = look(depth, true);
                let Some(lines) = picture(width, height, &board, look) else {
                    let (wide, high) = Grid::least(&board, look);
                    assert!(usize::from(width) < wide || usize::from(height) < high, "{depth:?} {width} x {height}");
                    continue;
                };
                let all = lines.join("\n");
                for tile in &tiles {
                    let power = format!("^{}", tile.ilog2());
                    assert!(all.contains(&tile.to_string()) || all.contains(&power), "{tile} in\n{all}");
                }
            }
        }
    }

    #[test]
    fn what_is_too_small_is_refused() {
        let board = Board::empty(4, 4).unwrap();
        for (width, height) in [(0, 0), (15, 10), (40, 3), (1, 1)] {
            assert_eq!(Grid::fit(Rect::new(0, 0, width, height), &board, look(Depth::True, false)), None);
        }
    }

    #[test]
    fn long_numbers_get_shorter() {
        assert_eq!(text(65536, 5), "65536");
        assert_eq!(text(65536, 4), "2^16");
        assert_eq!(text(65536, 3), "^16");
        assert_eq!(text(-12345, 3), "###");
    }
}
