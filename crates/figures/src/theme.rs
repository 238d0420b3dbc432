//! The colours of a picture: dark on light, and light on dark where the page is dark.

use std::fmt::Write;

use plotters::style::RGBColor;

/// A colour on a light page, and what it is on a dark one.
#[derive(Clone, Copy, Debug)]
pub struct Colour {
    pub light: RGBColor,
    dark: RGBColor,
}

const fn colour(light: u32, dark: u32) -> Colour {
    const fn rgb(code: u32) -> RGBColor {
        RGBColor((code >> 16) as u8, (code >> 8) as u8, code as u8)
    }
    Colour { light: rgb(light), dark: rgb(dark) }
}

pub const GROUND: Colour = colour(0xfffffe, 0x0d1117);
pub const TEXT: Colour = colour(0x24292f, 0xe6edf3);
pub const GRID: Colour = colour(0xd8dee4, 0x30363d);

/// Lines that can be told apart by everybody: the colours of Okabe and Ito, lighter on a dark page.
pub const LINES: [Colour; 6] = [
    colour(0x0072b2, 0x56b4e9),
    colour(0xd55e00, 0xff8f3f),
    colour(0x009e73, 0x2fd6a4),
    colour(0xaa4499, 0xe58fd0),
    colour(0x8a6d00, 0xe69f00),
    colour(0x555e68, 0xaab4be),
];

/// The style sheet that gives each colour its dark form. It wins over the colours that stand at the lines themselves.
pub fn style() -> String {
    let mut rules = String::new();
    for Colour { light, dark } in [GROUND, TEXT, GRID].iter().chain(&LINES) {
        let code = |RGBColor(red, green, blue): &RGBColor| format!("#{red:02X}{green:02X}{blue:02X}");
        let (light, dark) = (code(light), code(dark));
        let _ = write!(rules, "[fill=\"{light}\"]{{fill:{dark}}}[stroke=\"{light}\"]{{stroke:{dark}}}");
    }
    format!("<style>@media (prefers-color-scheme: dark) {{{rules}}}</style>")
}
