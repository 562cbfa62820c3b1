//! What the caller may choose about the text.

/// How the output points back at the source.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Lines {
    /// Not at all.
    #[default]
    None,
    /// `# 12 "f.c"` where the line changes, so that compilers and debuggers name the user's file.
    Markers,
    /// `/* f.c:12 */` at loops and other headers, for readers.
    Comments,
}

/// Options of the emitter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// How the output points back at the source.
    pub lines: Lines,
    /// Spaces per level of indentation.
    pub indent: usize,
    /// Column beyond which a line is broken at an operator or comma.
    pub width: usize,
    /// Say in OpenMP's words which numbers a loop in lanes sums up: gcc takes no other.
    pub simd_sums: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            lines: Lines::None,
            indent: 4,
            width: 100,
            simd_sums: false,
        }
    }
}
