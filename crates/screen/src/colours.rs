//! The colours of tiles: with 16 million, 256 or 16 of them or none, and numbers that can be read on each.

use std::env;

use ratatui::style::{Color, Modifier, Style};

/// How many colours the terminal shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Depth {
    /// No colour at all: bold and reverse
    None,
    /// The sixteen of every terminal
    #[value(name = "16")]
    Ansi,
    /// xterm's 256
    #[value(name = "256")]
    Indexed,
    /// 24 bits
    True,
}

/// Which colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Palette {
    /// From sand by orange and gold to blue, as in the first 2048
    Classic,
    /// From dark blue to bright yellow, the larger the brighter: safe for colour-blind people
    Safe,
}

/// What lies behind the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Ground {
    /// A dark terminal
    Dark,
    /// A light one
    Light,
}

/// The colours of a screen.
#[derive(Clone, Copy, Debug)]
pub struct Colours {
    pub depth: Depth,
    pub palette: Palette,
    pub ground: Ground,
}

type Rgb = (u8, u8, u8);

const CLASSIC: [Rgb; 17] = [
    (238, 228, 218),
    (237, 214, 176),
    (242, 177, 121),
    (248, 160, 84),
    (246, 118, 78),
    (246, 94, 59),
    (237, 207, 114),
    (245, 205, 20),
    (225, 178, 25),
    (190, 205, 90),
    (120, 190, 100),
    (66, 168, 130),
    (52, 140, 170),
    (56, 104, 176),
    (112, 60, 205),
    (130, 60, 150),
    (60, 58, 50),
];

/// Points of the map "cividis" (Nuñez, Anderton, Renslow 2018), which looks nearly the same with any colour vision.
const CIVIDIS: [Rgb; 10] = [
    (0, 34, 78),
    (18, 53, 112),
    (59, 73, 108),
    (87, 93, 109),
    (112, 113, 115),
    (138, 134, 120),
    (165, 156, 116),
    (195, 179, 105),
    (225, 204, 85),
    (254, 232, 56),
];

/// The same way with xterm's colours: the nearest ones would give neighbouring tiles the same.
const INDEXED_SAFE: [u8; 17] = [17, 18, 24, 60, 242, 243, 245, 246, 247, 143, 144, 179, 180, 185, 186, 221, 227];

/// Background and text of the tiles 2, 4, 8 ... with sixteen colours. Their look is the terminal's own choice, so that
/// each pair is one that terminals keep apart.
const ANSI: [(Color, Color); 8] = [
    (Color::Gray, Color::Black),
    (Color::Cyan, Color::Black),
    (Color::Green, Color::Black),
    (Color::Yellow, Color::Black),
    (Color::LightRed, Color::Black),
    (Color::LightMagenta, Color::Black),
    (Color::Blue, Color::White),
    (Color::LightYellow, Color::Black),
];

impl Colours {
    /// What the environment tells of the terminal: `NO_COLOR`, `COLORTERM`, `TERM`, `COLORFGBG`.
    #[must_use]
    pub fn of_environment() -> Self {
        let variable = |name| env::var(name).unwrap_or_default();
        let (term, colorterm) = (variable("TERM"), variable("COLORTERM"));
        let depth = if !variable("NO_COLOR").is_empty() || matches!(&*term, "dumb" | "vt100" | "vt220") {
            Depth::None
        } else if matches!(&*colorterm, "truecolor" | "24bit") || term.ends_with("-direct") {
            Depth::True
        } else if term.contains("256color") {
            Depth::Indexed
        } else {
            Depth::Ansi
        };
        let behind = variable("COLORFGBG");
        let light = matches!(behind.rsplit(';').next(), Some("7" | "15"));
        Self { depth, palette: Palette::Classic, ground: if light { Ground::Light } else { Ground::Dark } }
    }

    /// How a tile is painted. 0 is an empty cell.
    #[must_use]
    pub fn tile(&self, tile: i32) -> Style {
        let step = tile.checked_ilog2().unwrap_or(0) as usize;
        let style = Style::new();
        match (self.depth, tile) {
            (Depth::None, 0) => style,
            (Depth::None, _) => style.add_modifier(Modifier::BOLD),
            (Depth::Ansi, 0) => style,
            (Depth::Ansi, _) => {
                let (ground, text) = ANSI[step.saturating_sub(1) % ANSI.len()];
                style.bg(ground).fg(text)
            }
            (_, 0) => style.bg(self.paint(self.empty())).fg(self.paint(self.empty())),
            _ => {
                let ground = self.tile_ground(tile);
                style.bg(self.paint(ground)).fg(self.paint(ink(self.shown(ground)))).add_modifier(Modifier::BOLD)
            }
        }
    }

    /// How the board between the tiles is painted.
    #[must_use]
    pub fn board(&self) -> Style {
        match (self.depth, self.ground) {
            (Depth::None | Depth::Ansi, _) => Style::new(),
            (_, Ground::Dark) => Style::new().bg(self.paint((38, 36, 34))),
            (_, Ground::Light) => Style::new().bg(self.paint((187, 173, 160))),
        }
    }

    /// How something that matters is painted on the terminal's own ground.
    #[must_use]
    pub fn accent(&self) -> Style {
        let style = Style::new().add_modifier(Modifier::BOLD);
        match (self.depth, self.ground) {
            (Depth::None, _) => style,
            (Depth::Ansi, Ground::Dark) => style.fg(Color::Yellow),
            (Depth::Ansi, Ground::Light) => style.fg(Color::Blue),
            (_, Ground::Dark) => style.fg(self.paint((240, 180, 70))),
            (_, Ground::Light) => style.fg(self.paint((150, 70, 0))),
        }
    }

    fn empty(&self) -> Rgb {
        match self.ground {
            Ground::Dark => (62, 58, 55),
            Ground::Light => (205, 193, 180),
        }
    }

    fn tile_ground(&self, tile: i32) -> Rgb {
        let step = tile.checked_ilog2().unwrap_or(0).clamp(1, 17) as usize - 1;
        match self.palette {
            Palette::Classic => CLASSIC[step],
            Palette::Safe if self.depth == Depth::Indexed => indexed(INDEXED_SAFE[step]),
            Palette::Safe => between(&CIVIDIS, step as f32 / 16.0),
        }
    }

    fn paint(&self, (red, green, blue): Rgb) -> Color {
        match self.depth {
            Depth::Indexed => Color::Indexed(nearest((red, green, blue))),
            _ => Color::Rgb(red, green, blue),
        }
    }

    /// The colour as the terminal shows it.
    fn shown(&self, colour: Rgb) -> Rgb {
        match self.depth {
            Depth::Indexed => indexed(nearest(colour)),
            _ => colour,
        }
    }
}

/// Black or white, whichever is read more easily on this.
fn ink(ground: Rgb) -> Rgb {
    const DARK: Rgb = (0, 0, 0);
    const LIGHT: Rgb = (255, 255, 255);
    if contrast(DARK, ground) >= contrast(LIGHT, ground) { DARK } else { LIGHT }
}

/// The ratio of WCAG 2.1, from 1 to 21.
fn contrast(one: Rgb, other: Rgb) -> f32 {
    let luminance = |(red, green, blue): Rgb| {
        let part = |value: u8| match f32::from(value) / 255.0 {
            dark if dark <= 0.040_45 => dark / 12.92,
            bright => ((bright + 0.055) / 1.055).powf(2.4),
        };
        0.2126 * part(red) + 0.7152 * part(green) + 0.0722 * part(blue)
    };
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

/// The colour at a part of the way, 0 to 1.
fn between(points: &[Rgb], part: f32) -> Rgb {
    let place = part * (points.len() - 1) as f32;
    let first = (place as usize).min(points.len() - 2);
    let rest = place - first as f32;
    let mix = |from: u8, to: u8| (f32::from(from) + (f32::from(to) - f32::from(from)) * rest).round() as u8;
    let (from, to) = (points[first], points[first + 1]);
    (mix(from.0, to.0), mix(from.1, to.1), mix(from.2, to.2))
}

/// The steps of xterm's colour cube.
const CUBE: [u8; 6] = [0, 95, 135, 175, 215, 255];

/// The nearest of xterm's 256 colours beyond the first sixteen, whose look is the user's choice.
fn nearest(colour: Rgb) -> u8 {
    let distance = |index: u8| {
        let (red, green, blue) = indexed(index);
        let part = |a: u8, b: u8| (i32::from(a) - i32::from(b)).pow(2);
        2 * part(red, colour.0) + 4 * part(green, colour.1) + 3 * part(blue, colour.2)
    };
    (16..=255).min_by_key(|&index| distance(index)).unwrap_or(16)
}

/// What one of xterm's colours from 16 on looks like.
fn indexed(index: u8) -> Rgb {
    match index.saturating_sub(16) {
        cube @ 0..216 => {
            let at = |step: u8| CUBE[usize::from(step % 6)];
            (at(cube / 36), at(cube / 6), at(cube))
        }
        gray => {
            let gray = 8 + 10 * (gray - 216);
            (gray, gray, gray)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every number can be read: WCAG asks for a contrast of 4.5.
    #[test]
    fn numbers_stand_out_from_their_tiles() {
        for depth in [Depth::True, Depth::Indexed] {
            for palette in [Palette::Classic, Palette::Safe] {
                let colours = Colours { depth, palette, ground: Ground::Dark };
                for exponent in 1..=17 {
                    let ground = colours.shown(colours.tile_ground(1 << exponent));
                    let contrast = contrast(colours.shown(ink(ground)), ground);
                    assert!(contrast >= 4.5, "{depth:?} {palette:?} {}: {contrast}", 1 << exponent);
                }
            }
        }
    }

    /// By brightness alone each tile of the safe palette differs from the next.
    #[test]
    fn the_safe_palette_grows_brighter() {
        for depth in [Depth::True, Depth::Indexed] {
            let colours = Colours { depth, palette: Palette::Safe, ground: Ground::Dark };
            let brightness = |exponent: u32| contrast((0, 0, 0), colours.shown(colours.tile_ground(1 << exponent)));
            assert!((1..17).all(|exponent| brightness(exponent) < brightness(exponent + 1)), "{depth:?}");
        }
    }

    #[test]
    fn no_two_neighbouring_tiles_look_the_same() {
        for depth in [Depth::True, Depth::Indexed, Depth::Ansi] {
            for palette in [Palette::Classic, Palette::Safe] {
                let colours = Colours { depth, palette, ground: Ground::Light };
                for exponent in 1..17 {
                    let (one, other) = (colours.tile(1 << exponent), colours.tile(2 << exponent));
                    assert_ne!(one.bg, other.bg, "{depth:?} {palette:?} {}", 1 << exponent);
                }
            }
        }
    }

    #[test]
    fn any_number_has_a_look() {
        let colours = Colours { depth: Depth::True, palette: Palette::Classic, ground: Ground::Dark };
        for tile in [i32::MIN, -2, 1, 3, i32::MAX] {
            assert!(colours.tile(tile).bg.is_some());
        }
    }
}
