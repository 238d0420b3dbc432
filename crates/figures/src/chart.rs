//! A picture of one or more panels, one below the other, over the same horizontal axis.

use plotters::chart::SeriesLabelPosition;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::axis::Axis;
use crate::theme::{self, Colour, GRID, GROUND, LINES, TEXT};

/// The width of a picture, and the height of a panel, in the unit of its texts.
const WIDTH: u32 = 720;
const PANEL_HEIGHT: u32 = 300;
const TITLE_HEIGHT: u32 = 34;

/// The library draws at whole numbers: it draws so many times larger.
const FINE: u32 = 4;

/// How the values of a series are shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Form {
    Line,
    Dots,
}

/// Values that belong together.
#[derive(Clone, Debug)]
pub struct Series {
    /// Its name in the legend, which a panel has if it shows more than one series.
    pub label: String,
    pub points: Vec<(f64, f64)>,
    pub form: Form,
}

/// Where the legend stands in a panel.
#[derive(Clone, Copy, Debug)]
pub enum Legend {
    AboveRight,
    BelowRight,
}

/// One panel: a vertical axis with its unit, and what is shown against it.
#[derive(Clone, Debug)]
pub struct Panel {
    pub y: Axis,
    pub series: Vec<Series>,
    pub legend: Legend,
}

/// Draws the panels.
pub fn draw(title: &str, x: &Axis, panels: &[Panel]) -> String {
    let height = TITLE_HEIGHT + PANEL_HEIGHT * panels.len() as u32;
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, (WIDTH * FINE, height * FINE)).into_drawing_area();
        let drawn = draw_on(&area, title, x, panels).and_then(|()| area.present());
        drawn.expect("a text takes all that is drawn");
    }
    finish(&svg, title, height)
}

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Drawn<'a> = Result<(), DrawingAreaErrorKind<<SVGBackend<'a> as DrawingBackend>::ErrorType>>;

fn draw_on<'a>(area: &Area<'a>, title: &str, x: &Axis, panels: &[Panel]) -> Drawn<'a> {
    area.fill(&GROUND.light)?;
    let (head, body) = area.split_vertically(TITLE_HEIGHT * FINE);
    let middle = text(15).pos(Pos::new(HPos::Center, VPos::Center));
    head.draw_text(title, &middle, ((WIDTH * FINE / 2) as i32, (TITLE_HEIGHT * FINE * 6 / 10) as i32))?;
    for (panel, area) in panels.iter().zip(body.split_evenly((panels.len(), 1))) {
        draw_panel(&area, x, panel)?;
    }
    Ok(())
}

fn draw_panel<'a>(area: &Area<'a>, x: &Axis, panel: &Panel) -> Drawn<'a> {
    let y = &panel.y;
    let mut chart = ChartBuilder::on(area)
        .margin_top(8 * FINE)
        .margin_right(28 * FINE)
        .margin_bottom(6 * FINE)
        .margin_left(6 * FINE)
        .x_label_area_size(46 * FINE)
        .y_label_area_size(76 * FINE)
        .build_cartesian_2d(x.clone(), y.clone())?;
    chart
        .configure_mesh()
        .x_desc(&x.label)
        .y_desc(&y.label)
        .axis_desc_style(text(13))
        .label_style(text(12))
        .axis_style(stroke(TEXT, 1))
        .bold_line_style(stroke(GRID, 1))
        .light_line_style(TRANSPARENT)
        .set_all_tick_mark_size(4 * FINE)
        .draw()?;
    for (series, &colour) in panel.series.iter().zip(LINES.iter().cycle()) {
        let points = apart(&series.points, x, y);
        let drawn = match series.form {
            Form::Line => chart.draw_series(LineSeries::new(points, stroke(colour, 2)))?,
            Form::Dots => {
                let dots = points.into_iter().map(|point| Circle::new(point, 3 * FINE, colour.light.filled()));
                chart.draw_series(dots)?
            }
        };
        drawn
            .label(&series.label)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + (18 * FINE) as i32, y)], stroke(colour, 2)));
    }
    if panel.series.len() > 1 {
        chart
            .configure_series_labels()
            .position(match panel.legend {
                Legend::AboveRight => SeriesLabelPosition::UpperRight,
                Legend::BelowRight => SeriesLabelPosition::LowerRight,
            })
            .legend_area_size(26 * FINE)
            .margin(10 * FINE)
            .label_font(text(12))
            .background_style(GROUND.light.filled())
            .border_style(stroke(GRID, 1))
            .draw()?;
    }
    Ok(())
}

/// The points without those that would be drawn where the one before is.
fn apart(points: &[(f64, f64)], x: &Axis, y: &Axis) -> Vec<(f64, f64)> {
    let whole = |length: u32| (0, (length * FINE) as i32);
    let mut points = points.to_vec();
    points.dedup_by_key(|&mut (at, value)| (x.map(&at, whole(WIDTH)), y.map(&value, whole(PANEL_HEIGHT))));
    points
}

fn text(size: u32) -> TextStyle<'static> {
    // The library makes its texts smaller than it is told, by the height of a line.
    const LINE: f64 = 1.24;
    ("sans-serif", f64::from(size * FINE) * LINE).into_font().color(&TEXT.light)
}

fn stroke(colour: Colour, width: u32) -> ShapeStyle {
    colour.light.stroke_width(width * FINE)
}

/// The file: what was drawn, in its right size, with a title for those who cannot see it and a dark form.
fn finish(svg: &str, title: &str, height: u32) -> String {
    let (_, body) = svg.split_once('>').unwrap_or_default();
    let title = title.replace('&', "&amp;").replace('<', "&lt;");
    let (fine_width, fine_height) = (WIDTH * FINE, height * FINE);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{WIDTH}\" height=\"{height}\" \
         viewBox=\"0 0 {fine_width} {fine_height}\">\n<title>{title}</title>\n{}{body}",
        theme::style()
    )
}
