//! The plot: a line for each benchmark, a mark for each compiler and each other tool, at gradient over primal on a logarithmic axis.

use super::rows::Table;
use adjoin::svg::{self, escaped, text};
use std::fmt::Write;

/// The width of the page, where the axis begins, and the space right of it.
const WIDTH: f64 = 860.0;
const LEFT: f64 = 170.0;
const RIGHT: f64 = 24.0;
/// The title and the legend; a line of the table.
const HEAD: f64 = 76.0;
const LINE: f64 = 19.0;

/// Colours that everybody can tell apart, in the order of the variants and then of the tools.
const COLOURS: [&str; 8] = [
    "#0072b2", "#d55e00", "#56b4e9", "#e69f00", "#009e73", "#cc79a7", "#000000", "#999999",
];

/// One kind of marks.
struct Series {
    label: String,
    /// Drawn as a diamond.
    other_tool: bool,
    /// The benchmark and the ratio.
    marks: Vec<(String, f64)>,
}

/// The whole plot.
pub(crate) fn svg(table: &Table) -> String {
    let names = table.names();
    let series = series(table);
    let ratios = || series.iter().flat_map(|s| &s.marks).map(|(_, r)| *r);
    let low = ratios().fold(0.5, f64::min).log2().floor();
    let high = ratios().fold(4.0, f64::max).log2().ceil();
    let x = |ratio: f64| LEFT + (WIDTH - LEFT - RIGHT) * (ratio.log2() - low) / (high - low);
    let height = HEAD + LINE * names.len() as f64 + 44.0;
    let bottom = height - 36.0;
    let mut out = svg::open(WIDTH, height);
    let title = "Time of the gradient over time of the function";
    text(&mut out, 14.0, 24.0, "start", title, "font-size=\"15\"");
    legend(&mut out, &series);
    for power in low as i32..=high as i32 {
        let ratio = f64::from(power).exp2();
        let at = x(ratio);
        let colour = if power == 0 { "#888888" } else { "#e4e4e4" };
        let _ = writeln!(
            out,
            "<line x1=\"{at:.1}\" y1=\"{}\" x2=\"{at:.1}\" y2=\"{bottom}\" stroke=\"{colour}\"/>",
            HEAD - 6.0
        );
        text(
            &mut out,
            at,
            bottom + 18.0,
            "middle",
            &format!("{ratio}"),
            "",
        );
    }
    for (k, (name, collection)) in names.iter().enumerate() {
        let y = HEAD + LINE * (k as f64 + 0.5);
        let weight = if *collection == "ADBench" {
            "font-weight=\"bold\""
        } else {
            ""
        };
        text(
            &mut out,
            LEFT - 10.0,
            y + 4.0,
            "end",
            &escaped(name),
            weight,
        );
        let _ = writeln!(
            out,
            "<line x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{}\" y2=\"{y:.1}\" stroke=\"#f0f0f0\"/>",
            WIDTH - RIGHT
        );
        for (s, colour) in series.iter().zip(COLOURS.iter().cycle()) {
            for (_, ratio) in s.marks.iter().filter(|(n, _)| n == name) {
                let label = format!("{name}, {}: {ratio:.2}", s.label);
                mark(&mut out, (x(*ratio), y), colour, s.other_tool, &label);
            }
        }
    }
    out.push_str("</svg>\n");
    out
}

fn series(table: &Table) -> Vec<Series> {
    let mut list: Vec<Series> = table
        .variants()
        .into_iter()
        .map(|variant| Series {
            label: variant.to_string(),
            other_tool: false,
            marks: table
                .rows
                .iter()
                .filter(|r| r.variant == variant)
                .filter_map(|r| Some((r.name.clone(), r.ratio()?)))
                .collect(),
        })
        .collect();
    for peer in table.peers.iter().filter(|p| p.agrees) {
        let mark = (peer.benchmark.clone(), peer.gradient / peer.primal);
        match list
            .iter_mut()
            .find(|s| s.other_tool && s.label == peer.tool)
        {
            Some(series) => series.marks.push(mark),
            None => list.push(Series {
                label: peer.tool.clone(),
                other_tool: true,
                marks: vec![mark],
            }),
        }
    }
    list
}

fn legend(out: &mut String, series: &[Series]) {
    let mut x = 20.0;
    for (s, colour) in series.iter().zip(COLOURS.iter().cycle()) {
        mark(out, (x, 46.0), colour, s.other_tool, &s.label);
        text(out, x + 9.0, 50.0, "start", &escaped(&s.label), "");
        x += 30.0 + 7.0 * s.label.len() as f64;
    }
}

/// A circle for ours, a diamond for others.
fn mark(out: &mut String, (x, y): (f64, f64), colour: &str, diamond: bool, label: &str) {
    let label = escaped(label);
    let _ = if diamond {
        writeln!(
            out,
            "<path d=\"M{x:.1} {:.1}l5 5l-5 5l-5 -5z\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\"><title>{label}</title></path>",
            y - 5.0
        )
    } else {
        writeln!(
            out,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"{colour}\" fill-opacity=\"0.85\"><title>{label}</title></circle>"
        )
    };
}
