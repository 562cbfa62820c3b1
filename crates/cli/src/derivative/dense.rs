//! The public functions of `jacobian` and `hessian`: loops over directions or seeds, with arrays of their own.

use super::options::Mode;
use super::public::{Public, What};
use super::request::{Writer, by_value};
use super::sizes::Sizes;
use super::target::{Holds, Returns};
use adjoin_front::diag::Diagnostic;
use adjoin_ir::{Basic, CTy};

/// An array in the generated function: `COUNT` numbers of a type.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// The parameter; `None` for the result.
    pub param: Option<usize>,
    /// The variable that holds its size.
    pub count: String,
    /// The type of its numbers.
    pub number: CTy,
}

/// So many times a number, as text.
fn times(lanes: u32, count: &str) -> String {
    match (lanes, count) {
        (1, _) => count.to_string(),
        (_, "1") => lanes.to_string(),
        _ => format!("{lanes} * {count}"),
    }
}

/// How many columns or rows are computed at once, if there are not fewer. More rows mean more code: each seed has its own, where vectors do not fit.
const COLUMNS_AT_ONCE: u32 = 8;
const ROWS_AT_ONCE: u32 = 4;

fn at_once(all: Option<u64>, wide: bool, most: u32) -> u32 {
    match all {
        _ if !wide => 1,
        Some(all) => u32::try_from(all).unwrap_or(most).clamp(1, most),
        None => most,
    }
}

/// A row in reverse mode costs about as much as two columns in forward mode.
fn cheaper(columns: u64, rows: u64) -> Mode {
    match rows.saturating_mul(2) < columns {
        true => Mode::Reverse,
        false => Mode::Forward,
    }
}

pub(super) fn indented(text: &str) -> String {
    text.lines().map(|line| format!("    {line}\n")).collect()
}

/// What a matrix function is made of.
#[derive(Debug, Default)]
pub(super) struct Dense {
    /// Sizes.
    pub begin: String,
    /// Copies of what the function overwrites.
    copies: String,
    /// Frees them.
    end: String,
    /// Zeroes the shadows, restores what the function overwrites: before each call.
    pub clear: String,
    pub inputs: Vec<Part>,
    pub outputs: Vec<Part>,
    /// The names that stand for the parameters in the calls.
    own: Vec<String>,
    /// The variables that hold the sizes of the parameters.
    counts: Vec<String>,
    /// Static sizes, where they are numbers.
    input_size: Option<u64>,
    output_size: Option<u64>,
    input_text: String,
    output_text: String,
}

/// Names of the generated function.
pub(super) struct Local {
    pub row: String,
    pub column: String,
    pub rows: String,
    pub columns: String,
    pub i: String,
    pub j: String,
    /// One of the rows or columns that are computed at once.
    pub lane: String,
    pub matrix: String,
    /// With `--parallel`: the part of the matrix that a call computes, and of how many.
    part: Option<PartOfMatrix>,
}

/// Names of the function that computes a part of a matrix.
struct PartOfMatrix {
    name: String,
    part: String,
    parts: String,
    first: String,
    last: String,
}

impl Local {
    /// The first row or column that a call computes, and the one behind the last; `all` is how many there are.
    pub fn bounds<'a>(&'a self, all: &'a str) -> (&'a str, &'a str) {
        match &self.part {
            Some(part) => (&part.first, &part.last),
            None => ("0", all),
        }
    }
}

/// A parallel matrix is computed in this many parts: more than there are threads, and with many divisors.
const PARTS: u32 = 240;

impl Writer<'_> {
    /// `jacobian`: a dense matrix, by columns or by rows; `wide`: several at once.
    pub fn jacobian(
        &mut self,
        name: &str,
        mode: Option<Mode>,
        sizes: &mut Sizes,
        (parallel, wide): (bool, bool),
    ) -> Result<Public, Box<Diagnostic>> {
        let local = self.locals("jacobian", parallel);
        let dense = self.dense(sizes, parallel)?;
        let fewer = fewer(&dense.input_text, &dense.output_text);
        let (mode, reason) = match (mode, dense.input_size, dense.output_size) {
            (Some(mode), _, _) => (Some(mode), "as --mode says"),
            (None, _, Some(1)) => (Some(Mode::Reverse), "there is one row"),
            (None, Some(columns), Some(rows)) => match cheaper(columns, rows) {
                Mode::Forward => (
                    Some(Mode::Forward),
                    "a row costs about as much as two columns",
                ),
                Mode::Reverse => (Some(Mode::Reverse), "there are many more columns than rows"),
            },
            (None, Some(1), None) => (Some(Mode::Forward), "there is one column"),
            _ => (fewer, "there are never fewer of the others"),
        };
        let mut public = self.matrix_function(name, &local, &dense);
        let (mut forward, mut reverse) = (String::new(), String::new());
        let [columns, rows] = [
            at_once(dense.input_size, wide, COLUMNS_AT_ONCE),
            at_once(dense.output_size, wide, ROWS_AT_ONCE),
        ];
        if mode != Some(Mode::Reverse) {
            let lines = self.columns(&dense, columns);
            forward = self.all_lines(&lines, &dense, &local);
        }
        if mode != Some(Mode::Forward) {
            let lines = self.rows(&dense, rows);
            reverse = self.all_lines(&lines, &dense, &local);
        }
        let by = |what: &str, width: u32| match width {
            1 => format!("by {what}, one at a time"),
            _ => format!("by {what}, {width} at a time"),
        };
        let (body, how) = match mode {
            Some(Mode::Forward) => (forward, by("columns", columns) + ": " + reason),
            Some(Mode::Reverse) => (reverse, by("rows", rows) + ": " + reason),
            None => (
                format!(
                    "    if ({} <= 2 * {}) {{\n{}    }} else {{\n{}    }}\n",
                    local.columns,
                    local.rows,
                    indented(&forward),
                    indented(&reverse)
                ),
                format!(
                    "{}, if there are at most twice as many as rows; else {}",
                    by("columns", columns),
                    by("rows", rows)
                ),
            ),
        };
        public.note = Some(format!("Computed {how}."));
        self.finish_matrix(&mut public, &dense, &local, &body);
        Ok(public)
    }

    /// `hessian`: one Hessian-vector product for each input.
    pub fn hessian(
        &mut self,
        name: &str,
        sizes: &mut Sizes,
        (parallel, wide): (bool, bool),
    ) -> Result<Public, Box<Diagnostic>> {
        let local = self.locals("hessian", parallel);
        let mut dense = self.dense(sizes, parallel)?;
        dense.output_text = dense.input_text.clone();
        let mut public = self.matrix_function(name, &local, &dense);
        let width = at_once(dense.input_size, wide, ROWS_AT_ONCE);
        let lines = self.second_rows(&dense, width);
        let body = self.all_lines(&lines, &dense, &local);
        self.finish_matrix(&mut public, &dense, &local, &body);
        Ok(public)
    }

    fn locals(&mut self, matrix: &str, parallel: bool) -> Local {
        Local {
            part: parallel.then(|| PartOfMatrix {
                name: self
                    .names
                    .fresh(&format!("{}_{matrix}_part", self.target.name)),
                part: self.local.fresh("part"),
                parts: self.local.fresh("parts"),
                first: self.local.fresh("first"),
                last: self.local.fresh("last"),
            }),
            matrix: self.local.fresh(matrix),
            row: self.local.fresh("row"),
            column: self.local.fresh("column"),
            rows: self.local.fresh("rows"),
            columns: self.local.fresh("columns"),
            i: self.local.fresh("i"),
            j: self.local.fresh("j"),
            lane: self.local.fresh("lane"),
        }
    }

    /// The public function, without its body.
    fn matrix_function(&mut self, name: &str, local: &Local, dense: &Dense) -> Public {
        let mut public = Public::new(name);
        self.own_parameters(&mut public);
        let basics = dense
            .inputs
            .iter()
            .chain(&dense.outputs)
            .filter_map(|p| self.target.basic(p.number));
        let basic = basics.max().unwrap_or(Basic::Double);
        let number = self.target.types.basic(basic);
        let pointer = self.target.pointer(number);
        let (rows, columns) = self.row_and_column_names(dense, local.matrix.starts_with("hessian"));
        let declared = self.target.declare(pointer, &local.matrix);
        public.add(declared, &local.matrix, What::Matrix { rows, columns });
        let ret = self.return_type();
        public.returns = self.target.declare(ret, "");
        public.returns_value = self.target.returns != Returns::Void;
        public
    }

    /// What rows and columns stand for, in words.
    pub(super) fn row_and_column_names(&self, dense: &Dense, hessian: bool) -> (String, String) {
        let names = |parts: &[Part]| {
            let names: Vec<String> = parts
                .iter()
                .map(|p| match p.param {
                    Some(k) => format!("`{}`", self.target.params[k].name),
                    None => "the result".to_string(),
                })
                .collect();
            names.join(", then ")
        };
        let columns = names(&dense.inputs);
        let rows = if hessian {
            columns.clone()
        } else {
            names(&dense.outputs)
        };
        (rows, columns)
    }

    /// Sizes of all parts.
    pub(super) fn dense(
        &mut self,
        sizes: &mut Sizes,
        parallel: bool,
    ) -> Result<Dense, Box<Diagnostic>> {
        let mut dense = Dense::default();
        let mut input_terms = Vec::new();
        let mut output_terms = Vec::new();
        for k in 0..self.target.params.len() {
            let p = self.target.params[k].clone();
            let role = self.roles.params[k];
            // Threads must not write to the same memory, not even the same numbers.
            let again = p.access.read || parallel;
            let rewritten = !by_value(&p) && !p.is_const && again && p.access.written;
            if rewritten && parallel {
                self.can_be_copied(k)?;
            }
            if !role.active() && !rewritten {
                dense.own.push(p.name.clone());
                dense.counts.push("1".into());
                continue;
            }
            if role.active() {
                let real = p
                    .number
                    .and_then(|t| self.target.basic(t))
                    .is_some_and(|b| b.is_float());
                if !matches!(p.holds, Holds::Number | Holds::Array) || !real {
                    let what = self.target.declare(p.ctype, &p.name);
                    let message = format!(
                        "a matrix has rows and columns of real numbers, and `{what}` does not hold just those"
                    );
                    let help =
                        "use `adjoin vjp` or `adjoin jvp`, or leave it out with --wrt and --of";
                    return Err(Box::new(Diagnostic::error(p.span, message).help(help)));
                }
            }
            let size = sizes.of(&self.target, k)?;
            let count = self.local.fresh(&format!("{}_size", p.name));
            dense.begin.push_str(&format!(
                "    const unsigned long {count} = (unsigned long)({size});\n"
            ));
            dense.counts.push(count.clone());
            let number = p.number.unwrap_or(p.ctype);
            let part = Part {
                param: Some(k),
                count,
                number,
            };
            if role.is_input() {
                input_terms.push(size.clone());
                dense.inputs.push(part.clone());
            }
            if role.is_output() {
                output_terms.push(size);
                dense.outputs.push(part.clone());
            }
            let own = if rewritten {
                self.scratch_copy(&mut dense, k, &part)
            } else {
                p.name.clone()
            };
            dense.own.push(own);
        }
        if let Some(t) = self.active_result() {
            if !self.target.basic(t).is_some_and(|b| b.is_float()) {
                let message =
                    "a matrix has rows and columns of real numbers, and the result is not one";
                return Err(Box::new(Diagnostic::error(self.target.span, message)));
            }
            output_terms.push("1".into());
            dense.outputs.push(Part {
                param: None,
                count: "1".into(),
                number: t,
            });
        }
        let total = |terms: &[String]| {
            terms
                .iter()
                .map(|t| t.parse::<u64>().ok())
                .sum::<Option<u64>>()
        };
        dense.input_size = total(&input_terms);
        dense.output_size = total(&output_terms);
        dense.input_text = input_terms.join(" + ");
        dense.output_text = output_terms.join(" + ");
        Ok(dense)
    }

    /// What the function reads and overwrites is restored before each call: it works on a copy.
    fn scratch_copy(&mut self, dense: &mut Dense, k: usize, part: &Part) -> String {
        let p = self.target.params[k].clone();
        let name = self.local.fresh(&format!("{}_copy", p.name));
        let zeros = "adjoin_zeros";
        let declared = self.target.declare(p.shadow, &name);
        let count = &part.count;
        dense.copies.push_str(&format!(
            "    {declared} = {zeros}({count}, sizeof *{name});\n"
        ));
        if p.access.read {
            dense.clear.push_str(&format!(
                "        memcpy({name}, {}, {count} * sizeof *{name});\n",
                p.name
            ));
        }
        dense.end.push_str(&format!("    free({name});\n"));
        name
    }

    /// The name of a shadow.
    pub(super) fn shadow(&self, param: Option<usize>, kind: &str) -> String {
        let s = param.map_or(&self.result, |k| &self.shadows[k]);
        match kind {
            "dot" => s.dot.clone(),
            "bar" => s.bar.clone(),
            _ => s.bar_dot.clone(),
        }
    }

    /// Loops with the shadows that they need around them.
    pub(super) fn frame(
        &mut self,
        dense: &Dense,
        kinds: &[(&str, u32)],
        loops: String,
        depth: usize,
    ) -> String {
        let indent = "    ".repeat(depth);
        let mut text = dense.copies.clone();
        let mut end = dense.end.clone();
        for k in 0..self.target.params.len() {
            if !self.roles.params[k].active() {
                continue;
            }
            let p = self.target.params[k].clone();
            let number = p.number.unwrap_or(p.ctype);
            let pointer = self.target.pointer(number);
            for (kind, lanes) in kinds {
                let name = self.shadow(Some(k), kind);
                if by_value(&p) {
                    let declared = self.target.declare(number, &format!("{name}[{lanes}]"));
                    text.push_str(&format!("{indent}{declared};\n"));
                } else {
                    let declared = self.target.declare(pointer, &name);
                    let count = times(*lanes, &dense.counts[k]);
                    text.push_str(&format!(
                        "{indent}{declared} = adjoin_zeros({count}, sizeof *{name});\n"
                    ));
                    end.push_str(&format!("{indent}free({name});\n"));
                }
            }
        }
        if let Some(t) = self.active_result() {
            let mut names = vec![(self.value.clone(), 1)];
            let shadows = kinds.iter();
            names.extend(shadows.map(|(kind, lanes)| (self.shadow(None, kind), *lanes)));
            for (name, lanes) in names {
                let declared = self.target.declare(t, &format!("{name}[{lanes}]"));
                text.push_str(&format!("{indent}{declared} = {{0}};\n"));
                text.push_str(&format!("{indent}(void){name};\n"));
            }
        }
        let extra = "    ".repeat(depth - 1);
        let loops: String = loops
            .lines()
            .map(|line| format!("{extra}{line}\n"))
            .collect();
        format!("{text}{loops}{end}")
    }

    /// Zeroes shadows of all active parameters.
    pub(super) fn zero(&self, dense: &Dense, kinds: &[(&str, u32)], i: &str) -> String {
        let mut text = String::new();
        for k in 0..self.target.params.len() {
            if !self.roles.params[k].active() {
                continue;
            }
            let count = if by_value(&self.target.params[k]) {
                "1".to_string()
            } else {
                dense.counts[k].clone()
            };
            for (kind, lanes) in kinds {
                let name = self.shadow(Some(k), kind);
                let count = times(*lanes, &count);
                text.push_str(&format!(
                    "        for (unsigned long {i} = 0; {i} < {count}; {i}++)\n            {name}[{i}] = 0;\n"
                ));
            }
        }
        text
    }

    /// The arguments of a call: each parameter with its shadows of these kinds.
    pub(super) fn arguments(&self, dense: &Dense, kinds: &[(&str, u32)]) -> Vec<String> {
        let mut args = Vec::new();
        for k in 0..self.target.params.len() {
            let own = &dense.own[k];
            args.push(if self.by_address(k) {
                format!("&{own}")
            } else {
                own.clone()
            });
            if self.roles.params[k].active() {
                let count = match by_value(&self.target.params[k]) {
                    true => "1",
                    false => &dense.counts[k],
                };
                for (kind, lanes) in kinds {
                    let name = self.shadow(Some(k), kind);
                    args.extend((0..*lanes).map(|lane| match lane {
                        0 => name.clone(),
                        _ => format!("{name} + {}", times(lane, count)),
                    }));
                }
            }
        }
        args
    }

    /// Puts the parts together. The function itself runs last, so that its outputs are as if it had been called.
    fn finish_matrix(&mut self, public: &mut Public, dense: &Dense, local: &Local, body: &str) {
        let sum = |parts: &[Part]| {
            let counts: Vec<&str> = parts.iter().map(|p| &*p.count).collect();
            counts.join(" + ")
        };
        let mut text = dense.begin.clone();
        text.push_str(&format!(
            "    const unsigned long {} = {};\n    const unsigned long {} = {};\n    (void){};\n",
            local.columns,
            sum(&dense.inputs),
            local.rows,
            sum(&dense.outputs),
            local.rows
        ));
        text.push_str(body);
        if let Some(part) = &local.part {
            self.finish_parallel(public, local, part, &text);
            return;
        }
        let call = self.primal_call(|k| self.target.params[k].name.clone());
        text.push_str(&if self.target.returns == Returns::Void {
            format!("    {call};\n")
        } else {
            format!("    return {call};\n")
        });
        self.define(public, &text);
    }

    /// Is it memory that a copy holds all of?
    fn can_be_copied(&self, k: usize) -> Result<(), Box<Diagnostic>> {
        let p = &self.target.params[k];
        let plain = self
            .target
            .types
            .pointee(p.ctype)
            .is_some_and(|t| is_plain(&self.target.types, t));
        if plain {
            return Ok(());
        }
        let message = format!(
            "`{}` writes to what `{}` points to, and threads need copies of it, which cannot be made",
            self.target.name, p.name
        );
        let help = "without --parallel the matrix is computed all the same";
        Err(Box::new(Diagnostic::error(p.span, message).help(help)))
    }

    /// A function that computes a part of the matrix, one that calls the original, and the public one, which hands out the parts to threads.
    fn finish_parallel(&mut self, public: &Public, local: &Local, part: &PartOfMatrix, body: &str) {
        let mut one = public.clone();
        one.name = part.name.clone();
        one.returns = "void".into();
        for name in [&part.part, &part.parts] {
            one.add(
                format!("unsigned long {name}"),
                name,
                What::Text(String::new()),
            );
        }
        self.define(&one, body);
        let value = format!("{}_value", self.target.name);
        let value = self.names.fresh(&value);
        self.primal(&value);
        let arguments: Vec<&str> = public.params.iter().map(|p| &*p.name).collect();
        let own = &arguments[..self.target.params.len()];
        let part_name = &part.part;
        let word = if public.returns_value { "return " } else { "" };
        self.tail.push_str(&format!(
            "\n{}\n{{\n{}    for (unsigned long {part_name} = 0; {part_name} < {PARTS}; {part_name}++)\n        {}({}, {part_name}, {PARTS});\n    {word}{value}({});\n}}\n",
            public.definition(),
            super::batch::pragma("parallel for schedule(dynamic)"),
            part.name,
            arguments.join(", "),
            own.join(", ")
        ));
        debug_assert_eq!(arguments.last(), Some(&&*local.matrix));
        self.internal.extend([part.name.clone(), value]);
    }
}

/// The cheaper mode, where sizes with common terms (`n + 1` and `n`) tell which it is.
fn fewer(inputs: &str, outputs: &str) -> Option<Mode> {
    let mut columns: Vec<&str> = inputs.split(" + ").collect();
    let mut rows = Vec::new();
    for term in outputs.split(" + ") {
        match columns.iter().position(|c| *c == term) {
            Some(k) => drop(columns.remove(k)),
            None => rows.push(term),
        }
    }
    match (columns.is_empty(), rows.is_empty()) {
        (true, _) => Some(Mode::Forward),
        (false, true) => Some(Mode::Reverse),
        _ => None,
    }
}

/// Around the loops of a parallel matrix: which rows or columns this part has, if any; `width` of them are computed at once.
pub(super) fn range(local: &Local, (lines, width): (&str, u32), frame: String) -> String {
    let Some(PartOfMatrix {
        part,
        parts,
        first,
        last,
        ..
    }) = &local.part
    else {
        return frame;
    };
    let bounds = match width {
        1 => format!(
            "    const unsigned long {first} = {lines} * {part} / {parts};\n    const unsigned long {last} = {lines} * ({part} + 1) / {parts};\n"
        ),
        _ => {
            let groups = format!("({lines} + {}) / {width}", width - 1);
            let end = format!("{groups} * ({part} + 1) / {parts} * {width}");
            format!(
                "    const unsigned long {first} = {groups} * {part} / {parts} * {width};\n    const unsigned long {last} = {end} < {lines} ? {end} : {lines};\n"
            )
        }
    };
    format!(
        "{bounds}    if ({first} < {last}) {{\n{}    }}\n",
        indented(&frame)
    )
}

/// Without pointers?
fn is_plain(types: &adjoin_ir::CTypes, t: CTy) -> bool {
    match types.shape(t) {
        adjoin_ir::CTypeKind::Pointer(_) | adjoin_ir::CTypeKind::Void => false,
        adjoin_ir::CTypeKind::Record(r) => match &types.records[*r].fields {
            Some(fields) => fields.iter().all(|f| is_plain(types, f.ty)),
            None => false,
        },
        _ => types.element(t).is_none_or(|e| is_plain(types, e)),
    }
}
