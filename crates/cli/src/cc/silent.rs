//! Pragmas of OpenMP that mean nothing to a compiler without `-fopenmp`, taken out of a source.
//!
//! What gcc is told of our loops are such pragmas, too, for which it gets `-fopenmp-simd`. The user's own must not begin to mean anything by that: their lines become empty.

/// Empties the lines of pragmas of OpenMP. Says whether none is left.
pub fn silence(text: &mut Vec<u8>) -> bool {
    let mut out = Vec::with_capacity(text.len());
    let mut all = true;
    for line in text.split_inclusive(|&c| c == b'\n') {
        if is_pragma(line) {
            // One that goes on in the next line stays as it is, and so does the end of a comment.
            let whole =
                !line.trim_ascii_end().ends_with(b"\\") && !line.windows(2).any(|w| w == b"*/");
            all &= whole;
            if whole {
                out.extend(line.iter().filter(|&&c| c == b'\n'));
                continue;
            }
        }
        let operator = b"_Pragma";
        all &= !line.windows(operator.len()).any(|w| w == operator);
        out.extend_from_slice(line);
    }
    *text = out;
    all
}

fn is_pragma(line: &[u8]) -> bool {
    let rest = line.trim_ascii_start().strip_prefix(b"#");
    let rest = rest.and_then(|r| r.trim_ascii_start().strip_prefix(b"pragma"));
    let words = rest.filter(|r| r.first().is_some_and(u8::is_ascii_whitespace));
    let name = words.and_then(|r| r.trim_ascii_start().strip_prefix(b"omp"));
    name.is_some_and(|r| r.first().is_none_or(u8::is_ascii_whitespace))
}

#[cfg(test)]
mod tests {
    #[test]
    fn lines_of_openmp_are_empty() {
        let mut text =
            b"int a;\n  # pragma omp simd\n#pragma GCC ivdep\n#pragma omp\nb\n#pragma ompx c\n"
                .to_vec();
        assert!(super::silence(&mut text));
        assert_eq!(text, b"int a;\n\n#pragma GCC ivdep\n\nb\n#pragma ompx c\n");
        let mut text = b"#pragma omp \\\nsimd\n".to_vec();
        assert!(!super::silence(&mut text));
    }
}
