//! The plot, as SVG: for threads and for ranks, the speed-up of strong scaling and the efficiency of weak scaling, each with the ideal line.

use super::rows::{Row, efficiency, speed_up};
use crate::svg::{self, escaped, text};
use std::fmt::Write;

/// The size of a panel with its axes, in pixels.
const PANEL: (f64, f64) = (400.0, 300.0);
/// Space for the axis on the left, above and below the curves.
const LEFT: f64 = 62.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = 46.0;
const RIGHT: f64 = 18.0;
/// The title and the legend above all panels.
const HEAD: f64 = 62.0;

/// Modes with their colours, in the order of the legend. The colours are told apart by everybody.
const MODES: &[(&str, &str, &str)] = &[
    ("machine", "#bbbbbb", "arithmetic alone"),
    ("primal", "#555555", "function"),
    ("forward", "#0072b2", "forward mode"),
    ("reverse", "#d55e00", "reverse mode"),
];

/// The whole plot.
pub fn svg(rows: &[Row], machine: &str) -> String {
    let mut lines: Vec<(String, String)> = Vec::new();
    for row in rows {
        let line = (row.function.clone(), row.kind.clone());
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    let scalings: Vec<&str> = ["strong", "weak"]
        .into_iter()
        .filter(|s| rows.iter().any(|r| r.scaling == *s))
        .collect();
    let width = PANEL.0 * scalings.len().max(1) as f64;
    let height = HEAD + PANEL.1 * lines.len().max(1) as f64;
    let mut out = svg::open(width, height);
    head(&mut out, rows, machine);
    for (k, (function, kind)) in lines.iter().enumerate() {
        for (j, scaling) in scalings.iter().enumerate() {
            let own: Vec<Row> = rows
                .iter()
                .filter(|r| r.function == *function && r.kind == *kind && r.scaling == *scaling)
                .cloned()
                .collect();
            if own.is_empty() {
                continue;
            }
            let several = lines.iter().any(|(f, _)| f != function);
            let title = if several {
                format!("{function}: {scaling} scaling over {kind}")
            } else {
                format!("{scaling} scaling over {kind}")
            };
            let at = (PANEL.0 * j as f64, HEAD + PANEL.1 * k as f64);
            let _ = writeln!(out, "<g transform=\"translate({} {})\">", at.0, at.1);
            panel(&mut out, &own, &title, kind, *scaling == "strong");
            out.push_str("</g>\n");
        }
    }
    out.push_str("</svg>\n");
    out
}

/// Title and legend.
fn head(out: &mut String, rows: &[Row], machine: &str) {
    let mut functions: Vec<&str> = rows.iter().map(|r| &*r.function).collect();
    functions.dedup();
    let calls = rows.iter().map(|r| r.calls / per_worker(r)).max();
    let mut title = functions.join(", ");
    if let Some(calls) = calls {
        let _ = write!(title, ": {calls} calls");
    }
    if !machine.is_empty() {
        let _ = write!(title, ", {machine}");
    }
    text(
        out,
        LEFT,
        22.0,
        "start",
        &escaped(&title),
        "font-size=\"15\"",
    );
    let mut x = LEFT;
    let present = |mode: &str| rows.iter().any(|r| r.mode == mode);
    for (_, colour, label) in MODES.iter().filter(|(mode, ..)| present(mode)) {
        let _ = writeln!(
            out,
            "<line x1=\"{x}\" y1=\"42\" x2=\"{}\" y2=\"42\" stroke=\"{colour}\" stroke-width=\"2\"/><circle cx=\"{}\" cy=\"42\" r=\"3.5\" fill=\"{colour}\"/>",
            x + 24.0,
            x + 12.0
        );
        text(out, x + 30.0, 46.0, "start", label, "");
        x += 44.0 + 7.0 * label.len() as f64;
    }
    let _ = writeln!(
        out,
        "<line x1=\"{x}\" y1=\"42\" x2=\"{}\" y2=\"42\" stroke=\"#999999\" stroke-dasharray=\"5 4\"/>",
        x + 24.0
    );
    text(out, x + 30.0, 46.0, "start", "ideal", "");
}

/// Weak scaling makes more calls with more workers.
fn per_worker(r: &Row) -> u64 {
    if r.scaling == "weak" {
        u64::from(r.workers)
    } else {
        1
    }
}

/// Where a panel's numbers lie on the page.
struct Axes {
    most: f64,
    top: f64,
    logarithmic: bool,
}

impl Axes {
    fn x(&self, workers: f64) -> f64 {
        LEFT + (PANEL.0 - LEFT - RIGHT) * workers.max(1.0).log2() / self.most.log2()
    }
    fn y(&self, value: f64) -> f64 {
        let part = if self.logarithmic {
            value.max(1.0).log2() / self.top.log2()
        } else {
            value / self.top
        };
        PANEL.1 - BOTTOM - (PANEL.1 - TOP - BOTTOM) * part.clamp(0.0, 1.0)
    }
}

fn panel(out: &mut String, rows: &[Row], title: &str, kind: &str, strong: bool) {
    let workers = |r: &Row| f64::from(r.workers);
    let most = rows.iter().map(workers).fold(2.0, f64::max);
    let highest = rows
        .iter()
        .map(|r| value(rows, r, strong))
        .fold(0.0, f64::max);
    let axes = Axes {
        most,
        top: if strong {
            most.max(highest)
        } else {
            (10.0 * highest).ceil().max(11.0) / 10.0
        },
        logarithmic: strong,
    };
    text(
        out,
        LEFT,
        20.0,
        "start",
        &escaped(title),
        "font-size=\"13\" font-weight=\"bold\"",
    );
    grid(out, &axes, strong);
    let (left, right) = (axes.x(1.0), axes.x(most));
    let middle = (left + right) / 2.0;
    text(out, middle, PANEL.1 - 10.0, "middle", kind, "");
    let label = if strong { "speed-up" } else { "efficiency" };
    let height = (TOP + PANEL.1 - BOTTOM) / 2.0;
    let turned = format!("transform=\"rotate(-90 13 {height})\"");
    text(out, 13.0, height, "middle", label, &turned);
    let ideal = if strong { most } else { 1.0 };
    let _ = writeln!(
        out,
        "<line x1=\"{left:.1}\" y1=\"{:.1}\" x2=\"{right:.1}\" y2=\"{:.1}\" stroke=\"#999999\" stroke-dasharray=\"5 4\"/>",
        axes.y(1.0),
        axes.y(ideal)
    );
    for (mode, colour, _) in MODES {
        let mut curve: Vec<&Row> = rows.iter().filter(|r| r.mode == *mode).collect();
        curve.sort_by_key(|r| r.workers);
        let points: Vec<(f64, f64)> = curve
            .iter()
            .map(|r| (axes.x(workers(r)), axes.y(value(rows, r, strong))))
            .collect();
        let path: Vec<String> = points
            .iter()
            .map(|(x, y)| format!("{x:.1},{y:.1}"))
            .collect();
        if path.len() > 1 {
            let _ = writeln!(
                out,
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
                path.join(" ")
            );
        }
        for ((x, y), row) in points.iter().zip(&curve) {
            let _ = writeln!(
                out,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\" fill=\"{colour}\"><title>{mode}, {} {kind}: speed-up {:.2}, efficiency {:.1} %</title></circle>",
                row.workers,
                speed_up(rows, row),
                100.0 * efficiency(rows, row)
            );
        }
    }
}

fn value(rows: &[Row], row: &Row, strong: bool) -> f64 {
    if strong {
        speed_up(rows, row)
    } else {
        efficiency(rows, row)
    }
}

/// Axes with ticks: powers of two, or per cent.
fn grid(out: &mut String, axes: &Axes, strong: bool) {
    let bottom = PANEL.1 - BOTTOM;
    let powers = |top: f64| {
        let mut ticks: Vec<f64> = (0..20)
            .map(|k| f64::from(1u32 << k))
            .take_while(|t| *t <= top)
            .collect();
        // The last number of workers need not be a power of two.
        if ticks.last().is_some_and(|t| top / t > 1.25) {
            ticks.push(top.floor());
        }
        ticks
    };
    for tick in powers(axes.most) {
        let x = axes.x(tick);
        let _ = writeln!(
            out,
            "<line x1=\"{x:.1}\" y1=\"{TOP}\" x2=\"{x:.1}\" y2=\"{bottom}\" stroke=\"#eeeeee\"/><line x1=\"{x:.1}\" y1=\"{bottom}\" x2=\"{x:.1}\" y2=\"{}\" stroke=\"black\"/>",
            bottom + 5.0
        );
        text(out, x, bottom + 19.0, "middle", &tick.to_string(), "");
    }
    let ticks: Vec<(f64, String)> = if strong {
        let ticks = powers(axes.top).into_iter();
        ticks.map(|t| (t, t.to_string())).collect()
    } else {
        let tenths = 0..=((axes.top * 5.0 + 1e-9).floor() as u32);
        tenths
            .map(|k| (f64::from(k) / 5.0, format!("{} %", k * 20)))
            .collect()
    };
    let right = axes.x(axes.most);
    for (tick, label) in ticks {
        let y = axes.y(tick);
        let _ = writeln!(
            out,
            "<line x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{right:.1}\" y2=\"{y:.1}\" stroke=\"#eeeeee\"/><line x1=\"{}\" y1=\"{y:.1}\" x2=\"{LEFT}\" y2=\"{y:.1}\" stroke=\"black\"/>",
            LEFT - 5.0
        );
        text(out, LEFT - 9.0, y + 4.0, "end", &label, "");
    }
    let _ = writeln!(
        out,
        "<polyline points=\"{LEFT},{TOP} {LEFT},{bottom} {right:.1},{bottom}\" fill=\"none\" stroke=\"black\"/>"
    );
}
