//! Numbers and indices of kernels.

use super::{Index, Matrix, Scope, Writer};

impl Writer {
    fn constant(&mut self) -> String {
        format!("{}.{}", self.below(2), 1 + self.below(9))
    }

    fn atom(&mut self, reads: &[String]) -> String {
        match reads.is_empty() || self.chance(12) {
            true => self.constant(),
            false => self.pick(reads),
        }
    }

    /// An expression whose value is bounded by about 2 if what it reads is.
    pub(super) fn formula(&mut self, reads: &[String], depth: u32) -> String {
        if depth == 0 {
            return self.atom(reads);
        }
        let a = self.formula(reads, depth - 1);
        let b = self.atom(reads);
        match self.below(18) {
            0 => format!("sin({a})"),
            1 => format!("cos({a} * {b})"),
            2 => format!("tanh({a} - {b})"),
            3 => format!("exp(-({a}) * ({a}))"),
            4 => format!("{a} / (1.5 + {b} * {b})"),
            5 => format!("sqrt(0.2 + {a} * {a})"),
            6 => format!("({a} > {b} ? 0.8 * ({a}) : {b})"),
            7 => {
                let c = self.formula(reads, depth - 1);
                format!("(0.4 * {a} * {b} + 0.3 * {c})")
            }
            8 => {
                let c = self.atom(reads);
                format!("(0.25 * {a} - 0.5 * {b} + 0.25 * {c})")
            }
            9 if !self.pure.is_empty() => {
                let name = self.pick(&self.pure.clone());
                format!("{name}({a}, {b})")
            }
            10 => format!("fmax({a}, {b})"),
            11 => format!("({a} - {b}) * ({a} - {b}) * 0.25"),
            12 => format!("atan2({a}, 1.5 + {b} * {b})"),
            13 if self.chance(30) => format!("(double)(float)({a})"),
            _ => format!("(0.5 * {a} + 0.4 * {b})"),
        }
    }

    /// An index near or far from a given one, in range.
    pub(super) fn near(&mut self, scope: &Scope, index: &Index) -> String {
        let i = &index.name;
        match self.below(20) {
            0 | 1 if index.low > 0 => format!("{i} - 1"),
            2 | 3 if index.high > 0 => format!("{i} + 1"),
            4 if index.low > 1 => format!("{i} - 2"),
            5 => format!("({i} + 1) % n"),
            6 => format!("({i} + n - 1) % n"),
            7 => format!("{i} > 0 ? {i} - 1 : n - 1"),
            8 => format!("{i} < n - 1 ? {i} + 1 : 0"),
            9 => format!("n - 1 - {i}"),
            10 => format!("{i} / 2"),
            11 => format!("({i} * 3 + 1) % n"),
            12 => format!("{i} & ~1"),
            13 => format!("(unsigned)({i} * 7 - 3) % (unsigned)n"),
            14 if !scope.indices.is_empty() => {
                let array = self.pick(&scope.indices);
                format!("{array}[{i}]")
            }
            15 => format!("{i} >> 1"),
            16 => "0".into(),
            17 => "n - 1".into(),
            _ => i.clone(),
        }
    }

    /// An element of a matrix.
    pub(super) fn element(&self, matrix: &(String, Matrix), i: &str, j: &str) -> String {
        let name = &matrix.0;
        match matrix.1 {
            Matrix::Flat if i.contains(' ') => format!("{name}[({i}) * n + {j}]"),
            Matrix::Flat => format!("{name}[{i} * n + {j}]"),
            Matrix::Rows => format!("{name}[{i}][{j}]"),
        }
    }

    /// What can be read at some indices, a few of them.
    pub(super) fn reads(&mut self, scope: &Scope, at: &[Index], without: &[&str]) -> Vec<String> {
        let arrays: Vec<String> = (scope.arrays.iter())
            .filter(|a| !without.contains(&a.as_str()))
            .cloned()
            .collect();
        let matrices: Vec<_> = (scope.matrices.iter())
            .filter(|m| !without.contains(&m.0.as_str()))
            .cloned()
            .collect();
        let mut list = Vec::new();
        for _ in 0..2 + self.below(4) {
            let index = self.pick(at);
            if !matrices.is_empty() && self.chance(35) {
                let m = self.pick(&matrices);
                let other = self.pick(at);
                let (i, j) = (self.near(scope, &index), self.near(scope, &other));
                let (i, j) = (parenthesised(&i), parenthesised(&j));
                list.push(self.element(&m, &i, &j));
            } else if !arrays.is_empty() {
                let array = self.pick(&arrays);
                let i = self.near(scope, &index);
                list.push(format!("{array}[{i}]"));
            }
        }
        if !scope.typed.is_empty() && self.chance(50) {
            let (a, kind) = self.pick(&scope.typed);
            let index = self.pick(at);
            let i = self.near(scope, &index);
            list.push(self.typed_read(&a, kind, &i));
        }
        for _ in 0..self.below(3) {
            if let Some(k) = (!scope.numbers.is_empty()).then(|| self.pick(&scope.numbers)) {
                list.push(k);
            }
        }
        if self.chance(15) {
            list.push(format!("0.01 * {}", at[0].name));
        }
        list
    }

    /// A condition, of integers or of numbers.
    pub(super) fn condition(&mut self, reads: &[String], at: &[Index]) -> String {
        if let Some(index) = at.first().filter(|_| self.numbers.below(2) == 0).cloned() {
            let i = index.name;
            return match self.below(6) {
                0 => format!("{i} % 3 == 1"),
                1 => format!("{i} == 0 || {i} == n - 1"),
                2 => format!("{i} < n / 2"),
                3 => format!("({i} & 1) != 0"),
                4 => format!("{i} > 1"),
                _ => format!("{i} != 2"),
            };
        }
        let (a, b) = (self.atom(reads), self.atom(reads));
        let relation = self.pick(&["<", ">"]);
        format!("{a} {relation} {b}")
    }

    /// Assigns to a place that holds a bounded number.
    pub(super) fn assign(&mut self, place: &str, reads: &[String]) {
        let depth = 1 + self.below(3) as u32;
        let value = self.formula(reads, depth);
        let text = match self.below(8) {
            0 | 1 => format!("{place} += 0.1 * ({value});"),
            2 => format!("{place} *= cos({value});"),
            3 => format!("{place} -= 0.05 * ({value});"),
            4 => format!("{place} = 0.5 * {place} + 0.4 * ({value});"),
            _ => format!("{place} = {value};"),
        };
        self.line(&text);
    }
}

fn parenthesised(i: &str) -> String {
    match i.contains(' ') {
        true => format!("({i})"),
        false => i.to_string(),
    }
}
