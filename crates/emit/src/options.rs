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
    /// Take square roots by functions that set no `errno`, as `ROOTS` declares them: gcc knows them, and runs no others in lanes.
    pub plain_roots: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            lines: Lines::None,
            indent: 4,
            width: 100,
            simd_sums: false,
            plain_roots: false,
        }
    }
}

/// Functions of the math library, the names that gcc knows them by as well, and declarations under which they only compute.
pub const ROOTS: [(&str, &str, &str); 2] = [
    (
        "sqrt",
        "(double)sqrtf64",
        "__extension__ extern __attribute__((const)) _Float64 sqrtf64(_Float64);",
    ),
    (
        "sqrtf",
        "(float)sqrtf32",
        "__extension__ extern __attribute__((const)) _Float32 sqrtf32(_Float32);",
    ),
];
