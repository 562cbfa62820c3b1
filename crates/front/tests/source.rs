//! Places in the user's files: line markers, realigned columns, macros.

mod common;
use adjoin_front::ast::Span;
use adjoin_front::source::{Place, SourceMap};
use common::preprocess;

fn span_of(map: &SourceMap, word: &str, occurrence: usize) -> Span {
    let text = String::from_utf8_lossy(&map.text).into_owned();
    let start = text
        .match_indices(word)
        .nth(occurrence)
        .expect("the word is there")
        .0 as u32;
    Span {
        start,
        end: start + word.len() as u32,
    }
}

#[test]
fn markers() {
    let map = SourceMap::new(b"# 1 \"a.c\"\nint x;\n# 1 \"/usr/include/h.h\" 1 3 4\n\nint y;\n# 5 \"a.c\" 2\nint z;\n#line 30\nint w;\n".to_vec());
    let place = |word: &str| {
        let place = map.place(span_of(&map, word, 0));
        (
            map.files[place.file as usize].clone(),
            place.line,
            place.col,
            place.system,
        )
    };
    assert_eq!(place("x"), ("a.c".to_string(), 1, 5, false));
    assert_eq!(place("y"), ("/usr/include/h.h".to_string(), 2, 5, true));
    assert_eq!(place("z"), ("a.c".to_string(), 5, 5, false));
    assert_eq!(place("w"), ("a.c".to_string(), 30, 5, false));
}

#[test]
fn text_of_a_system_macro_in_a_users_file_is_the_users() {
    let map = SourceMap::new(
        b"# 1 \"a.c\"\nint *p =\n# 2 \"a.c\" 3 4\n ((void *)0)\n# 2 \"a.c\"\n ;\n".to_vec(),
    );
    assert!(!map.place(span_of(&map, "void", 0)).system);
    assert_eq!(map.place(span_of(&map, "void", 0)).line, 2);
}

#[test]
fn without_markers() {
    let map = SourceMap::new(b"int a;\nint b;".to_vec());
    let place = map.place(span_of(&map, "b", 0));
    assert_eq!(
        (
            map.files[place.file as usize].as_str(),
            place.line,
            place.col
        ),
        ("<input>", 2, 5)
    );
    let map = SourceMap::new(Vec::new());
    assert_eq!(map.place(Span::default()).line, 1);
}

/// Writes a file, preprocesses it, and gives the map.
fn preprocessed(name: &str, text: &str) -> Option<SourceMap> {
    let directory =
        std::env::temp_dir().join(format!("adjoin-source-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&directory).ok()?;
    let path = directory.join("f.c");
    std::fs::write(&path, text).ok()?;
    let include = format!("-include{}", path.display());
    // Through an empty main file, so that the markers name the real one.
    let bytes = preprocess("cc", &[&include], "")?;
    let map = SourceMap::new(bytes);
    // Load the lines while the file exists.
    for file in 0..map.files.len() as u32 {
        map.line_text(file, 1);
    }
    std::fs::remove_dir_all(&directory).ok()?;
    Some(map)
}

fn place_of(map: &SourceMap, word: &str, occurrence: usize) -> Place {
    map.place(span_of(map, word, occurrence))
}

#[test]
fn columns_are_those_of_the_file() {
    let text = "int   f ( int x )  /* spaces */ {\n\treturn    x  +   1 ;\n}\n";
    let Some(map) = preprocessed("columns", text) else {
        return;
    };
    let place = place_of(&map, "return", 0);
    assert_eq!((place.line, place.col, place.width), (2, 2, 6));
    let place = place_of(&map, "1 ;", 0);
    assert_eq!((place.line, place.col), (2, 19));
    let place = place_of(&map, "{", 0);
    assert_eq!((place.line, place.col), (1, 33));
}

#[test]
fn macros_are_named() {
    let text = "#define SQUARE(x) ((x) * (x))\n#define LIMIT 1000\n#define LOOP for (;;)\nint f(int value) {\n  int wide = SQUARE(value + 1) + LIMIT; int after;\n  LOOP { after = wide; }\n  return SQUARE(\n    after);\n}\n";
    let Some(map) = preprocessed("macros", text) else {
        return;
    };
    let place = place_of(&map, "1000", 0);
    assert_eq!(
        (
            place.line,
            place.col,
            place.width,
            place.in_macro.as_deref()
        ),
        (5, 34, 5, Some("LIMIT"))
    );
    let place = place_of(&map, "value + 1", 0);
    assert_eq!(
        (place.line, place.col, place.in_macro.as_deref()),
        (5, 21, Some("SQUARE"))
    );
    let place = place_of(&map, "*", 0);
    assert_eq!(
        (place.line, place.col, place.in_macro.as_deref()),
        (5, 14, Some("SQUARE"))
    );
    let place = place_of(&map, "after", 0);
    assert_eq!((place.line, place.col, place.in_macro), (5, 45, None));
    let place = place_of(&map, "wide", 1);
    assert_eq!((place.line, place.col, place.in_macro), (6, 18, None));
    let place = place_of(&map, "for", 0);
    assert_eq!(
        (
            place.line,
            place.col,
            place.width,
            place.in_macro.as_deref()
        ),
        (6, 3, 4, Some("LOOP"))
    );
    // An argument on a later line of the call.
    let place = place_of(&map, "after", 2);
    assert_eq!(
        (place.line, place.col, place.in_macro.as_deref()),
        (8, 5, Some("SQUARE"))
    );
}
