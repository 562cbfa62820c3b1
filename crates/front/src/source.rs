//! Where a byte of the preprocessed text comes from.
//!
//! Built once from the line markers of `cc -E` (`# 12 "f.c" 1 3 4`); a place is then found by binary search. Columns are those
//! of the user's file where it can be read: see [`crate::realign`].

use crate::ast::Span;
use crate::realign::{self, Origin};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

/// A resolved place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// File index into [`SourceMap::files`].
    pub file: u32,
    /// Line, from 1.
    pub line: u32,
    /// Column in the user's file in bytes, from 1; of the macro's name if the text is from a macro; in the preprocessed line if the file
    /// cannot be read or does not match.
    pub col: u32,
    /// How many bytes of that line the span covers, at least 1 (of the macro's name if the text is from a macro).
    pub width: u32,
    /// The macro whose expansion the text belongs to, where that can be told.
    pub in_macro: Option<String>,
    /// In a system header?
    pub system: bool,
}

#[derive(Clone, Copy, Debug)]
struct Marker {
    /// Where its first line starts in the text.
    offset: u32,
    /// Number of that line in the text, from 0.
    text_line: u32,
    file: u32,
    line: u32,
}

/// The lines of a user's file.
type Lines = Arc<Vec<Vec<u8>>>;

/// The preprocessed text and its line markers.
#[derive(Debug, Default)]
pub struct SourceMap {
    /// The text.
    pub text: Vec<u8>,
    /// File names as the line markers give them; at least one.
    pub files: Vec<String>,
    system: Vec<bool>,
    markers: Vec<Marker>,
    /// Where each line of the text starts.
    lines: Vec<u32>,
    originals: Mutex<HashMap<u32, Option<Lines>>>,
    /// The alignment asked for last, by the number of its line in the text.
    last: Mutex<Option<(u32, Option<Arc<Alignment>>)>>,
}

/// How the words of a preprocessed line come from those of a line of the user's file.
#[derive(Debug)]
struct Alignment {
    /// Offset and length of each word of the preprocessed line.
    preprocessed: Vec<(u32, u32)>,
    original: Vec<OriginalWord>,
    /// One for each preprocessed word.
    origins: Vec<Origin>,
}

#[derive(Debug)]
struct OriginalWord {
    /// Column, from 1.
    at: u32,
    line: u32,
    text: Vec<u8>,
}

impl Alignment {
    /// The word that an offset of the text comes from, how far into it, and the macro that brought it.
    fn find(&self, offset: u32) -> Option<(&OriginalWord, u32, Option<&[u8]>)> {
        let index = self
            .preprocessed
            .partition_point(|(at, _)| *at <= offset)
            .checked_sub(1)?;
        let (at, length) = self.preprocessed[index];
        let within = (offset - at).min(length);
        let original = &self.original;
        Some(match self.origins[index] {
            Origin::Same(i) => (&original[i], within, None),
            Origin::Macro(i) => (&original[i], 0, Some(&*original[i].text)),
            Origin::Argument(i, name) => (&original[i], within, Some(&*original[name].text)),
            Origin::Nowhere => return None,
        })
    }
}

impl SourceMap {
    /// Reads the markers of a text.
    pub fn new(text: Vec<u8>) -> SourceMap {
        let mut map = SourceMap {
            text,
            ..Default::default()
        };
        let mut numbers: HashMap<String, u32> = HashMap::new();
        let text = std::mem::take(&mut map.text);
        let mut at = 0;
        while at <= text.len() {
            let end = text[at..]
                .iter()
                .position(|&b| b == b'\n')
                .map_or(text.len(), |n| at + n);
            map.lines.push(at as u32);
            let line = &text[at..end];
            if let Some(first) = line.iter().position(|b| !matches!(b, b' ' | b'\t'))
                && line[first] == b'#'
            {
                map.directive(&line[first + 1..], end, &mut numbers);
            }
            at = end + 1;
        }
        if map.files.is_empty() {
            map.files.push("<input>".to_string());
            map.system.push(false);
        }
        map.text = text;
        map
    }

    fn directive(&mut self, line: &[u8], end: usize, numbers: &mut HashMap<String, u32>) {
        let line = String::from_utf8_lossy(line);
        let line = line.trim();
        if line.starts_with("pragma") && line.contains("system_header") {
            // `#pragma GCC system_header`: the rest of the file counts as a system header.
            if let Some(marker) = self.markers.last() {
                self.system[marker.file as usize] = true;
            }
            return;
        }
        let line = line.strip_prefix("line").unwrap_or(line).trim_start();
        let digits = line
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(line.len());
        let Ok(number) = line[..digits].parse::<u32>() else {
            return;
        };
        let rest = line[digits..].trim_start();
        let mut file = self.markers.last().map_or(0, |m| m.file);
        if let Some(quoted) = rest.strip_prefix('"') {
            let Some((name, flags)) = unquote(quoted) else {
                return;
            };
            file = match numbers.get(&name) {
                Some(&number) => {
                    // A marker that enters the file says what it is; one with flag 3 inside it only says
                    // that the text on this line comes from a macro of a system header.
                    if flags.split_whitespace().next() == Some("1") {
                        self.system[number as usize] = has_flag(flags, "3");
                    }
                    number
                }
                None => {
                    let number = self.files.len() as u32;
                    self.files.push(name.clone());
                    self.system.push(has_flag(flags, "3"));
                    numbers.insert(name, number);
                    number
                }
            };
        }
        if self.files.is_empty() {
            self.files.push("<input>".to_string());
            self.system.push(false);
        }
        self.markers.push(Marker {
            offset: end as u32 + 1,
            text_line: self.lines.len() as u32,
            file,
            line: number,
        });
    }

    /// Number of the line in the text that holds an offset, from 0.
    fn text_line(&self, offset: u32) -> u32 {
        self.lines
            .partition_point(|&start| start <= offset)
            .saturating_sub(1) as u32
    }

    fn marker(&self, offset: u32) -> Marker {
        let index = self.markers.partition_point(|m| m.offset <= offset);
        match index.checked_sub(1) {
            Some(i) => self.markers[i],
            None => Marker {
                offset: 0,
                text_line: 0,
                file: 0,
                line: 1,
            },
        }
    }

    /// Is this offset in a system header? (Text from a system header's macro in a user's file is not.)
    pub fn in_system_header(&self, offset: u32) -> bool {
        let file = self.marker(offset).file;
        self.system.get(file as usize).copied().unwrap_or(false)
    }

    /// File number and line of an offset, without realigning: fast.
    pub fn line(&self, offset: u32) -> (u32, u32) {
        let marker = self.marker(offset);
        (
            marker.file,
            marker.line + self.text_line(offset).saturating_sub(marker.text_line),
        )
    }

    /// Resolves the start of a span.
    pub fn place(&self, span: Span) -> Place {
        let (file, line) = self.line(span.start);
        let text_line = self.text_line(span.start);
        let range = self.line_range(text_line);
        let width = span.end.min(range.end).saturating_sub(span.start).max(1);
        let system = self.system.get(file as usize).copied().unwrap_or(false);
        let plain = Place {
            file,
            line,
            col: span.start - range.start + 1,
            width,
            in_macro: None,
            system,
        };
        self.realigned(span, text_line, &plain).unwrap_or(plain)
    }

    /// A line of a user's file, if it can be read (lossily).
    pub fn line_text(&self, file: u32, line: u32) -> Option<String> {
        let lines = self.original(file)?;
        let text = lines.get(line.checked_sub(1)? as usize)?;
        Some(String::from_utf8_lossy(text).into_owned())
    }

    /// A line of the preprocessed text that holds an offset: what to show where the file cannot be read.
    pub fn preprocessed_line(&self, offset: u32) -> String {
        let range = self.line_range(self.text_line(offset));
        String::from_utf8_lossy(self.slice(range)).into_owned()
    }

    fn line_range(&self, text_line: u32) -> Span {
        let start = self.lines.get(text_line as usize).copied().unwrap_or(0);
        let end = self
            .lines
            .get(text_line as usize + 1)
            .map_or(self.text.len() as u32, |&next| next - 1);
        Span {
            start,
            end: end.max(start),
        }
    }

    fn slice(&self, span: Span) -> &[u8] {
        self.text
            .get(span.start as usize..span.end as usize)
            .unwrap_or(&[])
    }

    fn original(&self, file: u32) -> Option<Lines> {
        let mut cache = self
            .originals
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner());
        cache
            .entry(file)
            .or_insert_with(|| {
                let name = self.files.get(file as usize)?;
                if name.starts_with('<') || !std::path::Path::new(name).is_file() {
                    return None;
                }
                let bytes = std::fs::read(name).ok()?;
                Some(Arc::new(
                    bytes.split(|&b| b == b'\n').map(<[u8]>::to_vec).collect(),
                ))
            })
            .clone()
    }

    fn realigned(&self, span: Span, text_line: u32, plain: &Place) -> Option<Place> {
        let alignment = self.alignment(text_line, plain)?;
        let (word, within, in_macro) = alignment.find(span.start)?;
        let col = word.at + within;
        let mut end = word.at + word.text.len() as u32;
        if let Some((last, within, last_macro)) =
            alignment.find(span.end.saturating_sub(1).max(span.start))
            && last.line == word.line
        {
            let whole = last_macro.is_some() && within == 0;
            end = last.at
                + if whole {
                    last.text.len() as u32
                } else {
                    within + 1
                };
        }
        Some(Place {
            line: word.line,
            col,
            width: end.saturating_sub(col).max(1),
            in_macro: in_macro.map(|name| String::from_utf8_lossy(name).into_owned()),
            ..plain.clone()
        })
    }

    /// How a line compares with the file. The last answer is kept: places are mostly asked for line by line.
    fn alignment(&self, text_line: u32, plain: &Place) -> Option<Arc<Alignment>> {
        let mut last = self
            .last
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner());
        match &*last {
            Some((line, alignment)) if *line == text_line => alignment.clone(),
            _ => {
                let alignment = self.align(text_line, plain).map(Arc::new);
                *last = Some((text_line, alignment.clone()));
                alignment
            }
        }
    }

    /// Compares the line with the one in the file. A logical line may be in pieces, since gcc switches markers around text from
    /// system headers' macros; and a macro call over several lines comes out as one line.
    fn align(&self, text_line: u32, plain: &Place) -> Option<Alignment> {
        let originals = self.original(plain.file)?;
        let mut pieces = Vec::new();
        let mut before = text_line;
        for _ in 0..200 {
            let Some(previous) = before.checked_sub(1) else {
                break;
            };
            let range = self.line_range(previous);
            if !self.is_marker_line(range) && self.line(range.start) != (plain.file, plain.line) {
                break;
            }
            before = previous;
            if !self.is_marker_line(range) {
                pieces.push(range);
            }
        }
        pieces.reverse();
        pieces.push(self.line_range(text_line));
        let mut original = Vec::new();
        let mut last_line = plain.line;
        while last_line <= plain.line + 50 {
            let Some(text) = originals.get(last_line.checked_sub(1)? as usize) else {
                break;
            };
            realign::words(text, last_line, 1, &mut original);
            if !realign::is_open(&original) {
                break;
            }
            last_line += 1;
        }
        for after in text_line + 1..text_line + 200 {
            let range = self.line_range(after);
            if after as usize >= self.lines.len() {
                break;
            }
            if self.is_marker_line(range) {
                continue;
            }
            let (file, line) = self.line(range.start);
            if file != plain.file || line < plain.line || line > last_line {
                break;
            }
            pieces.push(range);
        }
        let mut preprocessed = Vec::new();
        for piece in pieces {
            realign::words(self.slice(piece), 0, piece.start, &mut preprocessed);
        }
        let origins = realign::align(&preprocessed, &original)?;
        Some(Alignment {
            preprocessed: preprocessed
                .iter()
                .map(|w| (w.at, w.text.len() as u32))
                .collect(),
            original: original
                .iter()
                .map(|w| OriginalWord {
                    at: w.at,
                    line: w.line,
                    text: w.text.to_vec(),
                })
                .collect(),
            origins,
        })
    }

    fn is_marker_line(&self, range: Span) -> bool {
        let line = self.slice(range);
        line.iter().find(|b| !matches!(b, b' ' | b'\t')) == Some(&b'#')
    }
}

fn has_flag(flags: &str, flag: &str) -> bool {
    flags.split_whitespace().any(|f| f == flag)
}

/// A file name up to its closing quote, and what follows.
fn unquote(text: &str) -> Option<(String, &str)> {
    let mut name = String::new();
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Some((name, &text[at + 1..])),
            '\\' => name.push(chars.next()?.1),
            _ => name.push(c),
        }
    }
    None
}
