//! Generates C files for measurements and robustness tests. Everything is determined by the arguments.

use std::fmt::Write;

/// A small generator of numbers (xorshift), so that files do not depend on anything but a seed.
#[derive(Clone, Debug)]
pub struct Numbers(u64);

impl Numbers {
    /// Starts from a seed.
    pub fn new(seed: u64) -> Self {
        Numbers(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }
    /// The next number below a bound.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % bound.max(1)
    }
}

/// The same, with the gradient of a function that calls all others.
pub fn differentiated(lines: usize, seed: u64) -> String {
    let (mut text, functions) = functions(lines, seed);
    text.push_str(
        "static double loss(double *x, int n, struct particle *p)\n{\n    double sum = 0;\n",
    );
    for k in 0..functions {
        let _ = writeln!(text, "    sum += f{k}(x, n, p);");
    }
    text.push_str(
        "    return sum;\n}\n\nint enzyme_dup, enzyme_const;\nvoid __enzyme_autodiff(void *, ...);\n\n\
         int main(void)\n{\n    double x[64] = {0}, x_bar[64] = {0};\n    \
         struct particle p = {{1, 2, 3}, {0, 0, 0}, 1, 0, NULL}, p_bar = {{0}, {0}, 0, 0, NULL};\n    \
         __enzyme_autodiff((void *)loss, enzyme_dup, x, x_bar, enzyme_const, 64, enzyme_dup, &p, &p_bar);\n    \
         printf(\"%g\\n\", x_bar[0]);\n    return 0;\n}\n",
    );
    text
}

/// A C program of about `lines` lines that looks like numerical code: structs, loops, branches, pointers, calls.
pub fn program(lines: usize, seed: u64) -> String {
    let (mut text, functions) = functions(lines, seed);
    text.push_str("int main(void)\n{\n    double sum = 0;\n    struct particle p = {{1, 2, 3}, {0, 0, 0}, 1, 0, NULL};\n    double x[64] = {0};\n");
    for k in 0..functions.min(4) {
        let _ = writeln!(text, "    sum += f{k}(x, 64, &p);");
    }
    text.push_str("    printf(\"%g\\n\", sum);\n    return 0;\n}\n");
    text
}

/// The functions, and how many there are.
fn functions(lines: usize, seed: u64) -> (String, usize) {
    let mut numbers = Numbers::new(seed);
    let mut text = String::from(
        "#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n\n\
         struct particle {\n    double position[3], velocity[3];\n    double mass;\n    int kind;\n    struct particle *next;\n};\n\n\
         static double grid[64][64];\n\n",
    );
    let mut count = text.lines().count();
    let mut functions = 0;
    while count + 12 < lines {
        let function = function(functions, &mut numbers);
        count += function.lines().count();
        text.push_str(&function);
        functions += 1;
    }
    (text, functions)
}

fn function(index: usize, numbers: &mut Numbers) -> String {
    let mut text = format!(
        "static double f{index}(double *x, int n, struct particle *p)\n{{\n    double sum = 0.0;\n    int count = 0;\n"
    );
    for k in 0..4 + numbers.below(6) {
        let constant = numbers.below(1000) as f64 / 64.0;
        let shape = match numbers.below(8) {
            0 => format!(
                "    for (int i = 0; i < n; i++) {{\n        x[i] = x[i] * {constant} + sin(x[i]);\n        sum += x[i];\n    }}\n"
            ),
            1 => format!(
                "    if (sum > {constant}) {{\n        sum = sqrt(sum);\n        count++;\n    }} else if (count < {k}) {{\n        sum -= {constant} / (1 + fabs(sum));\n    }}\n"
            ),
            2 => format!(
                "    for (int i = 1; i < 63; i++)\n        for (int j = 1; j < 63; j++)\n            grid[i][j] = 0.25 * (grid[i - 1][j] + grid[i + 1][j] + grid[i][j - 1] + grid[i][j + 1]) + {constant};\n"
            ),
            3 => format!(
                "    for (struct particle *q = p; q; q = q->next) {{\n        for (int d = 0; d < 3; d++)\n            q->position[d] += {constant} * q->velocity[d];\n        sum += q->mass * q->position[{}];\n    }}\n",
                k % 3
            ),
            4 => format!(
                "    switch (count % 4) {{\n    case 0:\n        sum += {constant};\n        break;\n    case 1:\n        sum *= 0.5;\n        /* fall through */\n    case 2:\n        count += {k};\n        break;\n    default:\n        return sum;\n    }}\n"
            ),
            5 => format!(
                "    while (count < {}) {{\n        if (x[count & 63] > {constant})\n            break;\n        x[count & 63] += 1.0 / (1 + count);\n        count++;\n    }}\n",
                k + 3
            ),
            6 if index > 0 => format!(
                "    if (n > 1)\n        sum += f{}(x, n / 2, p);\n",
                numbers.below(index as u64)
            ),
            _ => format!(
                "    p->velocity[{}] = p->velocity[0] * {constant} - (p->kind ? sum : -sum);\n    p->kind ^= (int)(sum > {constant}) << 1;\n",
                k % 3
            ),
        };
        text.push_str(&shape);
    }
    text.push_str("    return sum + count;\n}\n\n");
    text
}

/// `length` bytes of anything, zero bytes and broken UTF-8 included.
pub fn garbage(length: usize, seed: u64) -> Vec<u8> {
    let mut numbers = Numbers::new(seed);
    (0..length).map(|_| numbers.below(256) as u8).collect()
}

/// `length` bytes of C-like tokens in no order.
pub fn token_soup(length: usize, seed: u64) -> String {
    const TOKENS: &[&str] = &[
        "int",
        "double",
        "struct",
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        ";",
        ",",
        "*",
        "&",
        "x",
        "y",
        "f",
        "1",
        "2.5",
        "\"s\"",
        "'c'",
        "if",
        "else",
        "for",
        "while",
        "switch",
        "case",
        "default",
        ":",
        "return",
        "=",
        "+",
        "-",
        "->",
        ".",
        "...",
        "typedef",
        "enum",
        "union",
        "sizeof",
        "_Generic",
        "__attribute__",
        "goto",
        "?",
        "static",
        "const",
        "\n",
        "asm",
        "_Complex",
        "__extension__",
        "#pragma omp parallel for\n",
        "void",
        "unsigned",
        "_Alignas",
        "do",
        "break",
    ];
    let mut numbers = Numbers::new(seed);
    let mut text = String::with_capacity(length + 16);
    while text.len() < length {
        text.push_str(TOKENS[numbers.below(TOKENS.len() as u64) as usize]);
        text.push(' ');
    }
    text
}
