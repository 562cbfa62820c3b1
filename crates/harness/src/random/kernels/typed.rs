//! Arrays of other types than `double`: `float`, `long double`, complex numbers.

use super::{CAPACITY, Scope, Writer};

/// What an array holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Float,
    Long,
    Complex,
}

impl Writer {
    /// Declares one, and fills it.
    pub(super) fn typed_array(&mut self, scope: &mut Scope, freed: &mut Vec<String>) {
        let a = self.name("other");
        let kind = self.pick(&[Kind::Float, Kind::Float, Kind::Long, Kind::Complex]);
        let ty = match kind {
            Kind::Float => "float",
            Kind::Long => "long double",
            Kind::Complex => "double complex",
        };
        match self.below(3) {
            0 => self.line(&format!("{ty} {a}[{CAPACITY}];")),
            1 => self.line(&format!("{ty} {a}[n + 3];")),
            _ => {
                self.line(&format!(
                    "{ty} *{a} = malloc((size_t)(n + 3) * sizeof *{a});"
                ));
                freed.push(format!("free({a});"));
            }
        }
        let value = self.formula(&["x[i]".into(), "y[i]".into()], 1);
        let value = match kind {
            Kind::Complex => format!("{value} + I * 0.5 * y[i]"),
            Kind::Float => format!("(float)({value})"),
            Kind::Long => value,
        };
        self.line(&format!(
            "for (int i = 0; i < n + 3; i++) {a}[i] = {value};"
        ));
        scope.typed.push((a, kind));
    }

    /// A number that is read from one.
    pub(super) fn typed_read(&mut self, a: &str, kind: Kind, i: &str) -> String {
        match kind {
            Kind::Float => format!("{a}[{i}]"),
            Kind::Long => format!("(double){a}[{i}]"),
            Kind::Complex => match self.below(4) {
                0 => format!("creal({a}[{i}])"),
                1 => format!("cimag({a}[{i}])"),
                2 => format!("0.4 * creal({a}[{i}] * conj({a}[{i}]))"),
                _ => format!("0.5 * cabs(3.0 + {a}[{i}])"),
            },
        }
    }

    /// A loop that changes one.
    pub(super) fn typed_shape(&mut self, scope: &Scope) {
        let (a, kind) = self.pick(&scope.typed);
        let index = self.head(false);
        let at = [index.clone()];
        let reads = self.reads(scope, &at, &[]);
        let value = self.formula(&reads, 2);
        let i = match self.chance(75) {
            true => index.name.clone(),
            false => self.near(scope, &index),
        };
        let other = self.near(scope, &index);
        let text = match (kind, self.below(3)) {
            (Kind::Float, 0) => format!("{a}[{i}] = (float)({value});"),
            (Kind::Float, 1) => {
                format!("{a}[{i}] = 0.5f * {a}[{other}] + 0.2f * (float)({value});")
            }
            (Kind::Float, _) => format!("{a}[{i}] *= cosf((float)({value}));"),
            (Kind::Long, 0) => format!("{a}[{i}] = sinl({value} + {a}[{other}]);"),
            (Kind::Long, _) => format!("{a}[{i}] = 0.5L * {a}[{i}] + 0.3L * ({value});"),
            (Kind::Complex, 0) => format!("{a}[{i}] = 0.5 * {a}[{other}] + I * 0.4 * ({value});"),
            (Kind::Complex, 1) => format!("{a}[{i}] *= cexp(I * ({value}));"),
            (Kind::Complex, _) => {
                format!("{a}[{i}] = {a}[{other}] / (2.5 + {a}[{i}] * 0.2) + 0.3 * ({value});")
            }
        };
        self.line(&text);
        self.close();
    }

    /// What is in them reaches the results.
    pub(super) fn collect_typed(&mut self, scope: &Scope) {
        for (a, kind) in scope.typed.clone() {
            let value = self.typed_read(&a, kind, "i");
            self.line(&format!(
                "for (int i = 0; i < n; i++) y[i] += 0.2 * {value};"
            ));
        }
    }
}
