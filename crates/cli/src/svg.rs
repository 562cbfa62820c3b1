//! The few things that all plots need: the page, lines of text, and characters that SVG reserves.

use std::fmt::Write;

/// The beginning of a page of a size in pixels, white.
pub fn open(width: f64, height: f64) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n"
    )
}

/// A line of text; `anchor` is `start`, `middle` or `end`, `more` are further attributes.
pub fn text(out: &mut String, x: f64, y: f64, anchor: &str, words: &str, more: &str) {
    let space = if more.is_empty() { "" } else { " " };
    let _ = writeln!(
        out,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\"{space}{more}>{words}</text>"
    );
}

/// Text that cannot be mistaken for markup.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
