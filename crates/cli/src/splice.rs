//! Puts emitted bodies into the preprocessed text, and line markers after them, so that everything behind a replaced
//! body still claims the file and line that it had.

use std::ops::Range;

/// A piece of the text and what comes in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replacement {
    /// Bytes of the original text.
    pub range: Range<usize>,
    /// The new text; it may contain line markers of its own.
    pub text: Vec<u8>,
}

/// Where the preprocessor said that a byte comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Position {
    line: u64,
    /// The file name with its quotes and escapes, as written in the marker.
    file: Option<Vec<u8>>,
    /// The flags that say what kind of file it is (3: system header, 4: extern "C"); not those that enter or leave a file.
    flags: Vec<u8>,
}

/// Applies replacements, which must be in order and disjoint (nested or overlapping ones are skipped).
pub fn splice(text: &[u8], replacements: &[Replacement]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len() * 2);
    let mut reader = Reader {
        text,
        at: 0,
        position: Position {
            line: 1,
            file: None,
            flags: Vec::new(),
        },
    };
    let mut copied = 0;
    for replacement in replacements {
        let Range { start, end } = replacement.range;
        if start < copied || end > text.len() || start > end {
            continue;
        }
        out.extend_from_slice(&text[copied..start]);
        out.extend_from_slice(&replacement.text);
        let position = reader.advance(end);
        if out.last() != Some(&b'\n') {
            out.push(b'\n');
        }
        out.extend_from_slice(&marker(position));
        copied = end;
    }
    out.extend_from_slice(&text[copied..]);
    out
}

fn marker(position: &Position) -> Vec<u8> {
    let mut marker = format!("# {}", position.line).into_bytes();
    if let Some(file) = &position.file {
        marker.push(b' ');
        marker.extend_from_slice(file);
        for flag in &position.flags {
            marker.extend_from_slice(&[b' ', *flag]);
        }
    }
    marker.push(b'\n');
    marker
}

/// Follows line markers through the text.
struct Reader<'a> {
    text: &'a [u8],
    at: usize,
    position: Position,
}

impl Reader<'_> {
    /// The position at a byte behind the last one asked for.
    fn advance(&mut self, target: usize) -> &Position {
        while let Some(length) = self.text[self.at..target]
            .iter()
            .position(|&byte| byte == b'\n')
        {
            let line = &self.text[self.at..self.at + length];
            self.at += length + 1;
            self.position.line += 1;
            if let Some(position) = parse_marker(line) {
                self.position = Position {
                    file: position.file.or(self.position.file.take()),
                    ..position
                };
            }
        }
        &self.position
    }
}

/// Reads `# 12 "file" 1 3` or `#line 12 "file"`; the position is that of the line after it.
fn parse_marker(line: &[u8]) -> Option<Position> {
    let rest = line
        .trim_ascii_start()
        .strip_prefix(b"#")?
        .trim_ascii_start();
    let rest = rest.strip_prefix(b"line").unwrap_or(rest).trim_ascii();
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let number = std::str::from_utf8(&rest[..digits]).ok()?.parse().ok()?;
    let rest = rest[digits..].trim_ascii_start();
    if rest.is_empty() {
        return Some(Position {
            line: number,
            file: None,
            flags: Vec::new(),
        });
    }
    let quoted = rest.strip_prefix(b"\"")?;
    let mut escaped = false;
    let close = quoted.iter().position(|&byte| {
        let closes = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        closes
    })?;
    let flags = quoted[close + 1..]
        .iter()
        .copied()
        .filter(|flag| matches!(flag, b'3' | b'4'))
        .collect();
    Some(Position {
        line: number,
        file: Some(rest[..close + 2].to_vec()),
        flags,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replace(text: &str, bodies: &[(&str, &str)]) -> String {
        let replacements: Vec<Replacement> = bodies
            .iter()
            .map(|(old, new)| {
                let start = text.find(old).expect("the old text is there");
                Replacement {
                    range: start..start + old.len(),
                    text: new.as_bytes().to_vec(),
                }
            })
            .collect();
        String::from_utf8(splice(text.as_bytes(), &replacements)).expect("stays text")
    }

    #[test]
    fn a_marker_restores_the_line_after_a_body() {
        let text = "# 1 \"a.c\"\nint f(void)\n{\n  return 1;\n}\nint g;\n";
        let out = replace(text, &[("{\n  return 1;\n}", "{ return 1; }")]);
        assert_eq!(
            out,
            "# 1 \"a.c\"\nint f(void)\n{ return 1; }\n# 4 \"a.c\"\n\nint g;\n"
        );
    }

    #[test]
    fn system_header_flags_stay_and_entering_flags_do_not() {
        let text = "# 7 \"/x/\\\"y\\\".h\" 1 3 4\nint f(void) {} int g(void) {;}\n";
        let out = replace(text, &[("{}", "{ }"), ("{;}", "{ ; }")]);
        assert_eq!(
            out,
            "# 7 \"/x/\\\"y\\\".h\" 1 3 4\nint f(void) { }\n# 7 \"/x/\\\"y\\\".h\" 3 4\n int g(void) { ; }\n# 7 \"/x/\\\"y\\\".h\" 3 4\n\n"
        );
    }

    #[test]
    fn text_without_markers_counts_lines() {
        assert_eq!(
            replace("\n\nint f() {0}", &[("{0}", "{1}")]),
            "\n\nint f() {1}\n# 3\n"
        );
    }

    #[test]
    fn line_directives_count_too_and_keep_the_file() {
        let text = "# 1 \"a.c\"\n#line 40\nint f() {0}\n";
        assert_eq!(
            replace(text, &[("{0}", "{1}")]),
            "# 1 \"a.c\"\n#line 40\nint f() {1}\n# 40 \"a.c\"\n\n"
        );
    }

    #[test]
    fn overlapping_replacements_are_skipped() {
        let inner = [
            Replacement {
                range: 0..5,
                text: b"AAAAA".to_vec(),
            },
            Replacement {
                range: 2..3,
                text: b"B".to_vec(),
            },
        ];
        assert_eq!(splice(b"hello", &inner), b"AAAAA\n# 1\n");
    }
}
