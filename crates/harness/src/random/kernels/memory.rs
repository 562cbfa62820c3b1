//! Arrays, matrices and index lists of kernels, in the forms that C has for them.

use super::{CAPACITY, Matrix, ROWS, Scope, Writer};

impl Writer {
    /// Memory of the function's own.
    pub(super) fn array(&mut self, scope: &mut Scope, freed: &mut Vec<String>) {
        let a = self.name("a");
        match self.below(10) {
            0 => self.line(&format!("double {a}[{CAPACITY}];")),
            1 => self.line(&format!("double {a}[n + 3];")),
            2 => self.line(&format!("static double {a}[{CAPACITY}];")),
            3 => {
                self.line(&format!("double *{a} = calloc(n + 3, sizeof *{a});"));
                freed.push(format!("free({a});"));
            }
            4 if !self.out.contains("= table;") => self.line(&format!("double *{a} = table;")),
            // Not an element too many, and none at all where there is nothing to do.
            7 | 8 => {
                self.line(&format!(
                    "double *{a} = n > 0 ? malloc((size_t)n * sizeof *{a}) : NULL;"
                ));
                freed.push(format!("free({a});"));
                let value = self.formula(&["x[i]".into(), "y[i]".into()], 2);
                self.line(&format!("for (int i = 0; i < n; i++) {a}[i] = {value};"));
                scope.arrays.push(a);
                return;
            }
            9 if !self.openmp => {
                // Two halves of one block.
                let both = self.name("both");
                self.line(&format!(
                    "double {both}[2 * n + 1], *{a} = {both}, *{a}b = {both} + n;"
                ));
                self.line(&format!(
                    "for (int i = 0; i < 2 * n; i++) {both}[i] = 0.6 * sin(x[i / 2] + i);"
                ));
                scope.arrays.push(a.clone());
                scope.arrays.push(format!("{a}b"));
                return;
            }
            5 if self.overlap => {
                let from = self.pick(&["x", "y"]);
                let by = self.below(3);
                self.line(&format!("double *{a} = {from} + {by};"));
                scope.arrays.push(a);
                return;
            }
            _ => {
                self.line(&format!(
                    "double *{a} = malloc((size_t)(n + 3) * sizeof *{a});"
                ));
                freed.push(format!("free({a});"));
            }
        }
        let value = self.formula(&["x[i]".into(), "y[i]".into()], 2);
        self.line(&format!(
            "for (int i = 0; i < n + 3; i++) {a}[i] = {value};"
        ));
        scope.arrays.push(a);
    }

    pub(super) fn matrix(&mut self, scope: &mut Scope, freed: &mut Vec<String>) {
        let m = self.name("m");
        let kind = match self.below(5) {
            0 if !self.large => {
                self.line(&format!("double {m}[{ROWS}][{ROWS}];"));
                Matrix::Rows
            }
            1 if !self.large => {
                self.line(&format!(
                    "double (*{m})[{ROWS}] = malloc({ROWS} * sizeof *{m});"
                ));
                freed.push(format!("free({m});"));
                Matrix::Rows
            }
            2 => {
                self.line(&format!(
                    "double **{m} = malloc((size_t)(n + 1) * sizeof *{m});"
                ));
                self.line(&format!(
                    "for (int i = 0; i < n; i++) {m}[i] = malloc((size_t)n * sizeof **{m});"
                ));
                freed.push(format!("for (int i = 0; i < n; i++) free({m}[i]);"));
                freed.push(format!("free({m});"));
                Matrix::Rows
            }
            3 => {
                self.line(&format!("double {m}[n + 1][n + 1];"));
                Matrix::Rows
            }
            _ => {
                self.line(&format!(
                    "double *{m} = malloc((size_t)(n * n + 1) * sizeof *{m});"
                ));
                freed.push(format!("free({m});"));
                Matrix::Flat
            }
        };
        let matrix = (m, kind);
        let at = self.element(&matrix, "i", "j");
        let value = self.formula(&["x[i]".into(), "y[j]".into()], 2);
        self.line("for (int i = 0; i < n; i++)");
        self.line("    for (int j = 0; j < n; j++)");
        self.line(&format!("        {at} = {value} + (i == j);"));
        scope.matrices.push(matrix);
    }

    pub(super) fn indices(&mut self, scope: &mut Scope) {
        if self.chance(30) {
            scope.indices.push("links".into());
            return;
        }
        let k = self.name("k");
        self.line(&format!("int {k}[{CAPACITY}];"));
        let text = match self.below(4) {
            0 => "(i * 5 + 2) % n",
            1 => "n - 1 - i",
            2 => "(i * i) % n",
            _ => "x[i] > 0.6 ? i : i / 2",
        };
        self.line(&format!("for (int i = 0; i < n; i++) {k}[i] = {text};"));
        scope.indices.push(k);
    }
}
