//! Reads a preprocessed file and prints its diagnostics and, with `--dump`, its typed tree. `--all` reads all bodies of system headers.

use adjoin_front::{Options, dump, on_big_stack, parse_with};
use std::time::Instant;

fn main() {
    on_big_stack(run);
}

fn run() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |flag: &str| arguments.iter().any(|a| a == flag);
    let options = Options {
        all_bodies: has("--all"),
        ..Options::default()
    };
    for path in arguments.iter().filter(|a| !a.starts_with("--")) {
        let text = match std::fs::read(path) {
            Ok(text) => text,
            Err(error) => {
                eprintln!("{path}: {error}");
                continue;
            }
        };
        let start = Instant::now();
        let parsed = parse_with(text, options);
        let time = start.elapsed();
        for d in &parsed.diagnostics {
            let place = parsed.source.place(d.span);
            let file = &parsed.source.files[place.file as usize];
            let in_macro = place
                .in_macro
                .map_or(String::new(), |m| format!(" (in macro {m})"));
            println!(
                "{file}:{}:{}: {:?}: {} [{}]{in_macro}",
                place.line, place.col, d.severity, d.message, d.label
            );
            if let Some(line) = parsed.source.line_text(place.file, place.line) {
                println!(
                    "  {line}\n  {}{}",
                    " ".repeat(place.col as usize - 1),
                    "^".repeat(place.width as usize)
                );
            }
            for (span, text) in &d.related {
                let place = parsed.source.place(*span);
                println!(
                    "  {}:{}:{}: {text}",
                    parsed.source.files[place.file as usize], place.line, place.col
                );
            }
            if let Some(help) = &d.help {
                println!("  help: {help}");
            }
        }
        for (function, reason) in &parsed.unit.unreadable {
            let place = parsed.source.place(reason.span);
            let name = &parsed.unit.funcs[*function].name;
            println!(
                "unreadable {name}: {}:{}: {}",
                parsed.source.files[place.file as usize], place.line, reason.message
            );
        }
        if has("--dump") {
            print!("{}", dump::unit(&parsed.unit));
        }
        let functions = parsed
            .unit
            .funcs
            .values()
            .filter(|f| f.body.is_some())
            .count();
        eprintln!(
            "{path}: {} diagnostics, {} functions, {functions} bodies, {time:?}",
            parsed.diagnostics.len(),
            parsed.unit.funcs.len()
        );
    }
}
