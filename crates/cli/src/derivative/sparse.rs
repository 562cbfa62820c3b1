//! `jacobian --sparse` and `hessian --sparse`: a function that finds the pattern and one that computes the values, in compressed rows.
//!
//! What becomes IR are products: the matrix, or its transpose, times a vector. Everything else is C text around them (`support/sparse*.c`). *The pattern* is
//! found with NaN: a tangent that is NaN makes NaN of every tangent that depends on it, whatever the partial derivatives are (also if they are zero), so
//! what is not NaN does not depend on it, on the way that control takes at this point. Groups of inputs are tried at once and halved. *The values* come from
//! few products: columns that share no row have one direction (rows: one seed), Hessians use their symmetry. Where control
//! takes another way than it did for the pattern, entries could be missing: each evaluation checks one more product, and says so.

use super::Companion;
use super::dense::Dense;
use super::options::Mode;
use super::public::{Public, What};
use super::request::{Wish, Writer};
use super::sizes::Sizes;
use adjoin_front::diag::Diagnostic;
use adjoin_ir::Basic;

/// The type of patterns, for the header and the C file.
pub const TYPE: &str = include_str!("support/sparse_type.h");
const SUPPORT: &str = include_str!("support/sparse.c");
const JACOBIAN: &str = include_str!("support/sparse_jacobian.c");
const HESSIAN: &str = include_str!("support/sparse_hessian.c");

/// The text that the functions around a sparse matrix call, in front of them.
pub fn support(mentions: impl Fn(&str) -> bool) -> String {
    let mut text = String::new();
    let parts = [
        ("struct adjoin_sparse", SUPPORT),
        ("adjoin_sparse_jacobian(", JACOBIAN),
        ("adjoin_sparse_hessian(", HESSIAN),
    ];
    for (word, part) in parts {
        if mentions(word) {
            text.push_str(part);
        }
    }
    text
}

/// Which matrix, and how its products are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Which {
    /// By columns, by rows, or both.
    Jacobian(Option<Mode>),
    /// By its columns, which are its rows.
    Hessian,
}

/// A product with the matrix or its transpose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Product {
    Forward,
    Reverse,
    Second,
}

impl Product {
    fn word(self) -> &'static str {
        match self {
            Product::Reverse => "transposed_product",
            _ => "product",
        }
    }
}

impl Writer<'_> {
    /// The function that computes the values, and those around it.
    pub fn sparse(
        &mut self,
        name: &str,
        which: Which,
        sizes: &mut Sizes,
    ) -> Result<(Public, Vec<Companion>), Box<Diagnostic>> {
        let dense = self.dense(sizes, false)?;
        let tolerance = self.tolerance(&dense)?;
        let products: &[Product] = match which {
            Which::Hessian => &[Product::Second],
            Which::Jacobian(Some(Mode::Forward)) => &[Product::Forward],
            Which::Jacobian(Some(Mode::Reverse)) => &[Product::Reverse],
            Which::Jacobian(None) => &[Product::Forward, Product::Reverse],
        };
        let mut made = Vec::new();
        for &product in products {
            made.push((product, self.product(name, product, &dense)));
        }
        let value = format!("{}_value", self.target.name);
        let value = self.names.fresh(&value);
        self.primal(&value);
        self.internal.push(value.clone());
        Ok(self.glue(name, which, &dense, &made, &value, tolerance))
    }

    /// How exactly the check of the values can be: as the numbers are.
    fn tolerance(&self, dense: &Dense) -> Result<&'static str, Box<Diagnostic>> {
        let parts = dense.inputs.iter().chain(&dense.outputs);
        let basics: Vec<Basic> = parts.filter_map(|p| self.target.basic(p.number)).collect();
        if basics.iter().any(|b| *b > Basic::Double) {
            let message =
                "the values of a sparse matrix are of type double, and there is a long double";
            let help = "without --sparse the matrix has the type of the numbers";
            return Err(Box::new(
                Diagnostic::error(self.target.span, message).help(help),
            ));
        }
        Ok(if basics.contains(&Basic::Float) {
            "1e-2"
        } else {
            "1e-6"
        })
    }

    /// A function for a product: its name.
    fn product(&mut self, name: &str, product: Product, dense: &Dense) -> String {
        let function = self.names.fresh(&format!("{name}_{}", product.word()));
        let [direction, result, at, i] =
            ["direction", "product", "at", "i"].map(|n| self.local.fresh(n));
        let mut public = Public::new(&function);
        self.own_parameters(&mut public);
        for (declaration, name) in [
            (format!("const double *{direction}"), &direction),
            (format!("double *{result}"), &result),
        ] {
            public.add(declaration, name, What::Text(String::new()));
        }
        let (kinds, from, to): (&[(&str, u32)], _, _) = match product {
            Product::Forward => (
                &[("dot", 1)],
                ("dot", &dense.inputs),
                ("dot", &dense.outputs),
            ),
            Product::Reverse => (
                &[("bar", 1)],
                ("bar", &dense.outputs),
                ("bar", &dense.inputs),
            ),
            Product::Second => (
                &[("dot", 1), ("bar", 1), ("bar_dot", 1)],
                ("dot", &dense.inputs),
                ("bar_dot", &dense.inputs),
            ),
        };
        let (before, call) = self.product_call(product, dense, kinds);
        let mut text = format!("    unsigned long {at} = 0;\n");
        text.push_str(&self.zero(dense, kinds, &i));
        text.push_str(&dense.clear);
        for part in from.1 {
            let shadow = self.shadow(part.param, from.0);
            text.push_str(&format!(
                "    for (unsigned long {i} = 0; {i} < {}; {i}++)\n        {shadow}[{i}] = {direction}[{at}++];\n",
                part.count
            ));
        }
        if let (Product::Second, Some(k)) = (product, self.roles.scalar_output()) {
            text.push_str(&format!("    {}[0] = 1;\n", self.shadows[k].bar));
        }
        text.push_str(&format!("{before}    {call};\n    {at} = 0;\n"));
        for part in to.1 {
            let shadow = self.shadow(part.param, to.0);
            text.push_str(&format!(
                "    for (unsigned long {i} = 0; {i} < {}; {i}++)\n        {result}[{at}++] = {shadow}[{i}];\n",
                part.count
            ));
        }
        let body = dense.begin.clone() + &self.frame(dense, kinds, text, 1);
        self.define(&public, &body);
        self.internal.push(function.clone());
        function
    }

    /// The call of the derivative, and what comes in front of it.
    fn product_call(
        &mut self,
        product: Product,
        dense: &Dense,
        kinds: &[(&str, u32)],
    ) -> (String, String) {
        let wish: Wish = match product {
            Product::Forward => self.ask_forward(1),
            Product::Reverse => self.ask_reverse(1),
            Product::Second => self.ask_forward_over_reverse(1),
        };
        let mut args = self.arguments(dense, kinds);
        let mut before = String::new();
        match product {
            Product::Forward if self.active_result().is_some() => {
                args.extend([self.value.clone(), self.shadow(None, "dot")]);
            }
            Product::Forward => {}
            Product::Reverse | Product::Second => {
                let seed = match product {
                    Product::Second => "1".to_string(),
                    _ => format!("{}[0]", self.shadow(None, "bar")),
                };
                let passage = self.passage(&seed, product == Product::Second);
                before = passage.before;
                args.extend(passage.args);
            }
        }
        (before, format!("{}({})", wish.declared, args.join(", ")))
    }

    /// The text around the products.
    fn glue(
        &mut self,
        name: &str,
        which: Which,
        dense: &Dense,
        products: &[(Product, String)],
        value: &str,
        tolerance: &str,
    ) -> (Public, Vec<Companion>) {
        let [pattern, values, rows, columns, arguments, status] = [
            "pattern",
            "values",
            "rows",
            "columns",
            "arguments",
            "status",
        ]
        .map(|n| self.local.fresh(n));
        let hessian = which == Which::Hessian;
        let finder = Finder {
            structure: self.names.fresh(&format!("{name}_arguments")),
            own: self.target.params.iter().map(|p| p.name.clone()).collect(),
            declared: (0..self.target.params.len())
                .map(|k| self.parameter(k))
                .collect(),
            arguments: &arguments,
        };
        let mut text = finder.structure();
        let mut callbacks = [String::from("NULL"), String::from("NULL")];
        for (product, function) in products {
            let at = self.names.fresh(&format!("{function}_at"));
            text.push_str(&finder.callback(&at, function));
            callbacks[usize::from(*product == Product::Reverse)] = at;
        }
        let sizes = matrix_sizes(dense, hessian, &rows, &columns);
        let [forward, reverse] = &callbacks;
        let mut find = Public::new(&self.names.fresh(&format!("{name}_pattern")));
        self.own_parameters(&mut find);
        let what = "out: where the matrix has entries; to be freed";
        let declared = format!("struct adjoin_sparse *{pattern}");
        find.add(declared, &pattern, What::Text(what.into()));
        let found = match which {
            Which::Hessian => {
                format!("adjoin_sparse_hessian({pattern}, {rows}, {forward}, &{arguments})")
            }
            Which::Jacobian(_) => format!(
                "adjoin_sparse_jacobian({pattern}, {rows}, {columns}, {forward}, {reverse}, &{arguments})"
            ),
        };
        let unused = if hessian {
            format!("    (void){columns};\n")
        } else {
            String::new()
        };
        text.push_str(&format!(
            "\n{}\n{{\n{}{sizes}{unused}    {found};\n}}\n",
            find.definition(),
            finder.variable()
        ));
        let mut release = Public::new(&self.names.fresh(&format!("{name}_free")));
        release.add(
            format!("struct adjoin_sparse *{pattern}"),
            &pattern,
            What::Text("in and out: what it holds is freed".into()),
        );
        text.push_str(&format!(
            "\n{}\n{{\n    adjoin_sparse_free({pattern});\n}}\n",
            release.definition()
        ));
        let mut public = Public::new(name);
        self.own_parameters(&mut public);
        let declared = format!("const struct adjoin_sparse *{pattern}");
        let what = format!("in: the pattern, from {}", find.name);
        public.add(declared, &pattern, What::Text(what));
        let (of_rows, of_columns) = self.row_and_column_names(dense, hessian);
        let what = format!(
            "out: the value of each entry; one row for each element of {of_rows}, one column for each element of {of_columns}"
        );
        public.add(format!("double *{values}"), &values, What::Text(what));
        public.returns = "int".into();
        public.note = Some(format!(
            "Returns 0, or 1 if the pattern does not fit: sizes differ, or control takes another way than where the pattern was found, so that\n * entries are missing. Then find it again with {}. What the function itself writes is as if it had been called.",
            find.name
        ));
        text.push_str(&format!(
            "\n{}\n{{\n{}{sizes}    const int {status} = adjoin_sparse_values({pattern}, {rows}, {columns}, {forward}, {reverse}, &{arguments}, {values}, {tolerance});\n    {value}({});\n    return {status};\n}}\n",
            public.definition(),
            finder.variable(),
            finder.own.join(", ")
        ));
        let companion =
            |public: Public, title: String, notes: Vec<String>, text: String| Companion {
                public,
                title,
                notes,
                text,
                includes: vec!["stddef.h", "stdio.h", "stdlib.h", "string.h"],
            };
        let of = &self.target.name;
        let matrix = if hessian { "Hessian" } else { "Jacobian" };
        let companions = vec![
            companion(
                find,
                format!("where the {matrix} of `{of}` can have entries that are not zero."),
                vec![
                    "Finds all entries that the function has on the way that control takes at this point, whatever their values; and how to".into(),
                    "compute them with few directional derivatives. It takes several times as many itself: call it once, the other many times.".into(),
                ],
                text,
            ),
            companion(release, "frees a pattern.".into(), Vec::new(), String::new()),
        ];
        (public, companions)
    }
}

/// How the arguments travel through the functions that know nothing of them.
struct Finder<'a> {
    structure: String,
    own: Vec<String>,
    declared: Vec<String>,
    arguments: &'a str,
}

impl Finder<'_> {
    /// The type that holds them.
    fn structure(&self) -> String {
        let fields: String = self
            .declared
            .iter()
            .map(|d| format!("    {d};\n"))
            .collect();
        format!("\nstruct {} {{\n{fields}}};\n", self.structure)
    }

    /// A variable with them.
    fn variable(&self) -> String {
        format!(
            "    const struct {} {} = {{{}}};\n",
            self.structure,
            self.arguments,
            self.own.join(", ")
        )
    }

    /// A product as the support calls it.
    fn callback(&self, name: &str, product: &str) -> String {
        let own: Vec<String> = self.own.iter().map(|p| format!("at->{p}")).collect();
        format!(
            "\nstatic void {name}(const void *arguments, const double *direction, double *product)\n{{\n    const struct {} *at = arguments;\n    {product}({}, direction, product);\n}}\n",
            self.structure,
            own.join(", ")
        )
    }
}

/// Declares the numbers of rows and columns, and the sizes that they are sums of.
fn matrix_sizes(dense: &Dense, hessian: bool, rows: &str, columns: &str) -> String {
    let outputs = if hessian {
        &dense.inputs
    } else {
        &dense.outputs
    };
    let sum = |parts: &[super::dense::Part]| {
        let counts: Vec<&str> = parts.iter().map(|p| &*p.count).collect();
        counts.join(" + ")
    };
    let parts = || dense.inputs.iter().chain(outputs);
    let lines: String = dense
        .begin
        .lines()
        .filter(|line| parts().any(|p| line.contains(&format!(" {} = ", p.count))))
        .map(|line| format!("{line}\n"))
        .collect();
    format!(
        "{lines}    const size_t {rows} = {}, {columns} = {};\n",
        sum(outputs),
        sum(&dense.inputs)
    )
}
