//! The program that `adjoin check` compiles and runs: random inputs, finite differences, forward against reverse mode, a table.

use super::request::by_value;
use super::roles::{Role, Roles};
use super::sizes::Sizes;
use super::target::{Holds, Param, Returns, Target};
use adjoin_front::diag::Diagnostic;
use adjoin_ir::{Basic, CTy, CTypeKind, CTypes};
use std::collections::BTreeMap;

/// What the user chose about a check.
#[derive(Clone, Debug, Default)]
pub struct Choices {
    /// `--set`
    pub set: BTreeMap<String, String>,
    /// `--range`
    pub range: BTreeMap<String, (f64, f64)>,
    /// How many points.
    pub points: u32,
    /// Where the random numbers start.
    pub seed: u64,
    /// The largest error.
    pub tolerance: Option<f64>,
    /// The command that needs the inputs, for messages.
    pub command: &'static str,
    /// The program uses MPI.
    pub mpi: bool,
}

/// The names of the functions to compare.
#[derive(Clone, Debug)]
pub struct Functions {
    /// The function itself.
    pub value: String,
    /// Forward mode.
    pub jvp: String,
    /// Reverse mode.
    pub vjp: String,
}

/// A parameter, or the result, as numbers in memory.
#[derive(Clone, Debug)]
pub struct Part {
    /// Its name, for the table.
    pub name: String,
    /// The prefix of its variables.
    pub prefix: String,
    /// Where the numbers of one element lie.
    pub element: Element,
    /// How many elements, as a C expression.
    pub count: String,
    /// Where its values lie.
    pub range: (f64, f64),
    /// Differentiated with respect to.
    pub input: bool,
    /// Differentiated.
    pub output: bool,
    /// It has a shadow.
    pub active: bool,
    /// The function may write to it.
    pub written: bool,
}

/// The numbers of one element: of an array, of a struct.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Element {
    /// Bytes.
    pub size: u64,
    /// Offsets and types.
    pub leaves: Vec<(u64, Basic)>,
}

/// More numbers than these in a struct are not listed.
const MOST_LEAVES: usize = 4096;

/// The text of the program, behind the functions.
pub fn text(
    target: &Target,
    roles: &Roles,
    functions: &Functions,
    sizes: &mut Sizes,
    choices: &Choices,
) -> Result<String, Box<Diagnostic>> {
    let Inputs { begin, parts, own } = inputs(target, roles, sizes, choices)?;
    let float = parts
        .iter()
        .filter(|p| p.active)
        .flat_map(|p| &p.element.leaves)
        .any(|(_, b)| matches!(b, Basic::Float | Basic::Float16));
    let tolerance = choices.tolerance.unwrap_or(if float { 1e-2 } else { 1e-6 });
    let exact = if float { 1e-3 } else { 1e-8_f64.min(tolerance) };
    // Differences are no better than the rounding of the values allows: the power 2/3 of the precision, in units of what `compare` takes for the scale.
    let precision: f64 = if float { 1.5e-5 } else { 3.7e-11 };
    let noise = 6e3 * precision / tolerance;
    // Sizes are expressions of the integers, which stand first.
    let mut out = String::from(SUPPORT);
    for p in &parts {
        out.push_str(&accessors(p));
    }
    if choices.mpi {
        out.push_str("int MPI_Init(int *, char ***);\nint MPI_Finalize(void);\n");
    }
    out.push_str("\nint main(void)\n{\n");
    if choices.mpi {
        out.push_str("    MPI_Init((void *)0, (void *)0);\n");
    }
    out.push_str(&begin);
    for p in &parts {
        out.push_str(&arrays(p));
    }
    out.push_str(&format!(
        "    {{\n    const double adjoin_tolerance = {tolerance:e}, adjoin_exact = {exact:e}, adjoin_noise = {noise:e};\n    adjoin_random_state = {}ul * 2685821657736338717ul + 88172645463325252ul;\n    for (int adjoin_point = 1; adjoin_point <= {}; adjoin_point++) {{\n",
        choices.seed, choices.points
    ));
    for p in &parts {
        out.push_str(&random(p));
    }
    let first = if float { 0.1 } else { 0.02 };
    out.push_str(&differences(target, &parts, functions, &own, first));
    out.push_str(&forward(target, roles, &parts, functions, &own));
    out.push_str(&reverse(target, roles, &parts, functions, &own));
    out.push_str("    }\n    }\n");
    out.push_str("    adjoin_report();\n");
    for p in &parts {
        for suffix in SUFFIXES {
            out.push_str(&format!("    __builtin_free({}{suffix});\n", p.prefix));
        }
    }
    if choices.mpi {
        out.push_str("    MPI_Finalize();\n");
    }
    out.push_str("    return adjoin_failures != 0;\n}\n");
    Ok(out)
}

/// What a program needs to call a function: its parameters as numbers in memory.
#[derive(Clone, Debug)]
pub struct Inputs {
    /// Declarations of the parameters without numbers.
    pub begin: String,
    /// Parameters with numbers, and the result.
    pub parts: Vec<Part>,
    /// The arguments of a call.
    pub own: Vec<String>,
}

/// Makes up inputs of a function.
pub fn inputs(
    target: &Target,
    roles: &Roles,
    sizes: &mut Sizes,
    choices: &Choices,
) -> Result<Inputs, Box<Diagnostic>> {
    let mut begin = String::new();
    let mut parts = Vec::new();
    let mut own = Vec::new();
    for (k, p) in target.params.iter().enumerate() {
        if let Some(kind) = numbers(&target.types, p) {
            let part = part(target, roles.params[k], k, kind, sizes, choices)?;
            own.push(match p.holds {
                Holds::Number | Holds::Record => {
                    let pointer = target.declare(p.ctype, "*");
                    format!("*({pointer})(void *){}_x", part.prefix)
                }
                _ => format!("(void *){}_x", part.prefix),
            });
            parts.push(part);
        } else {
            own.push(passive(target, k, sizes, choices, &mut begin)?);
        }
    }
    if let (Returns::Number(t) | Returns::Record(t), true) = (target.returns, roles.result) {
        let Some(element) = element(&target.types, t) else {
            let message = "what it returns does not consist of numbers, which is what is compared";
            return Err(Box::new(Diagnostic::error(target.span, message)));
        };
        parts.push(Part {
            name: "return".into(),
            prefix: "result_".into(),
            element,
            count: "1".into(),
            range: (0.0, 0.0),
            input: false,
            output: true,
            active: true,
            written: true,
        });
    }
    Ok(Inputs { begin, parts, own })
}

const SUFFIXES: &[&str] = &[
    "_x", "_start", "_v", "_w", "_dot", "_bar", "_table", "_fd", "_error",
];

/// The numbers of a parameter's elements, if it has any that can be filled.
fn numbers(types: &CTypes, p: &Param) -> Option<Element> {
    match p.holds {
        Holds::Number | Holds::Array => element(types, p.number?),
        Holds::Record => element(types, p.ctype),
        Holds::Structure => element(types, types.pointee(p.ctype)?),
        _ => None,
    }
}

/// The numbers in a type without pointers and unions. Integers in it stay zero.
pub fn element(types: &CTypes, t: CTy) -> Option<Element> {
    fn visit(types: &CTypes, t: CTy, at: u64, leaves: &mut Vec<(u64, Basic)>) -> Option<()> {
        if leaves.len() > MOST_LEAVES {
            return None;
        }
        if let Some(b) = types.arithmetic(t) {
            match b {
                Basic::ComplexFloat => leaves.extend([(at, Basic::Float), (at + 4, Basic::Float)]),
                Basic::ComplexDouble => {
                    leaves.extend([(at, Basic::Double), (at + 8, Basic::Double)]);
                }
                Basic::ComplexLongDouble => {
                    leaves.extend([(at, Basic::LongDouble), (at + 16, Basic::LongDouble)]);
                }
                b if b.is_float() => leaves.push((at, b)),
                _ => {}
            }
            return Some(());
        }
        match types.shape(t) {
            CTypeKind::Array { elem, len } => {
                let size = types.size_of(*elem)?;
                for k in 0..(*len)? {
                    visit(types, *elem, at + k * size, leaves)?;
                }
                Some(())
            }
            CTypeKind::Record(r) if !types.records[*r].is_union => {
                for f in types.records[*r].fields.as_ref()? {
                    visit(types, f.ty, at + f.offset, leaves)?;
                }
                Some(())
            }
            _ => None,
        }
    }
    let mut leaves = Vec::new();
    visit(types, t, 0, &mut leaves)?;
    let size = types.size_of(t)?;
    (!leaves.is_empty()).then_some(Element { size, leaves })
}

/// The functions that read and write the i-th number of a part.
pub fn accessors(p: &Part) -> String {
    let Part {
        prefix, element, ..
    } = p;
    let n = element.leaves.len();
    let size = element.size;
    let mut get = String::new();
    let mut set = String::new();
    for (k, (offset, basic)) in element.leaves.iter().enumerate() {
        let t = basic.c_name();
        let word = if k + 1 == n {
            "default".to_string()
        } else {
            format!("case {k}")
        };
        get.push_str(&format!(
            "    {word}: return (double)*(const {t} *)(e + {offset});\n"
        ));
        set.push_str(&format!(
            "    {word}: *({t} *)(e + {offset}) = ({t})v; break;\n"
        ));
    }
    format!(
        "__attribute__((unused)) static double {prefix}get(const void *a, unsigned long i)\n{{\n    const char *e = (const char *)a + i / {n} * {size};\n    switch (i % {n}) {{\n{get}    }}\n}}\n\
         __attribute__((unused)) static void {prefix}set(void *a, unsigned long i, double v)\n{{\n    char *e = (char *)a + i / {n} * {size};\n    switch (i % {n}) {{\n{set}    }}\n}}\n"
    )
}

fn part(
    target: &Target,
    role: Role,
    k: usize,
    element: Element,
    sizes: &mut Sizes,
    choices: &Choices,
) -> Result<Part, Box<Diagnostic>> {
    let p = &target.params[k];
    let size = if by_value(p) {
        "1".to_string()
    } else {
        sizes.of(target, k)?
    };
    let count = format!("(unsigned long)({size})");
    Ok(Part {
        name: p.name.clone(),
        prefix: format!("p{k}_"),
        element,
        count,
        range: choices.range.get(&p.name).copied().unwrap_or((0.5, 1.5)),
        input: role.is_input(),
        output: role.is_output(),
        active: role.active(),
        written: !by_value(p) && !p.is_const && p.access.written,
    })
}

/// A parameter without derivative: an integer, an array of integers, a file.
fn passive(
    target: &Target,
    k: usize,
    sizes: &mut Sizes,
    choices: &Choices,
    begin: &mut String,
) -> Result<String, Box<Diagnostic>> {
    let p = &target.params[k];
    let set = choices.set.get(&p.name);
    if p.integer {
        let value = set.map_or("4", |s| s);
        let declared = target.declare(p.ctype, &p.name);
        // Loops of the program have names of their own, which may be this one's.
        let copy = target.declare(p.ctype, &format!("p{k}_integer"));
        begin.push_str(&format!(
            "    {declared} = {value};\n    const {copy} = {};\n",
            p.name
        ));
        return Ok(format!("p{k}_integer"));
    }
    let pointee = target.types.pointee(p.ctype);
    let integers = pointee
        .and_then(|t| target.types.arithmetic(t))
        .is_some_and(Basic::is_integer);
    if integers {
        let t = pointee
            .map(|t| target.types.unqualified(t))
            .unwrap_or(p.ctype);
        let size = sizes.of(target, k)?;
        let name = format!("p{k}_integers");
        let declared = target.declare(t, &format!("*{name}"));
        begin.push_str(&format!(
            "    {declared} = __builtin_calloc((unsigned long)({size}) + 1, sizeof *{name});\n"
        ));
        let values: Vec<&str> = set.map(|s| s.split(',').collect()).unwrap_or_default();
        let value = if values.is_empty() {
            "i".to_string()
        } else {
            begin.push_str(&format!(
                "    static const long {name}_values[] = {{{}}};\n",
                values.join(", ")
            ));
            format!("{name}_values[i % {}]", values.len())
        };
        let plain = target.declare(t, "");
        begin.push_str(&format!(
            "    for (unsigned long i = 0; i < (unsigned long)({size}); i++)\n        {name}[i] = ({plain}){value};\n"
        ));
        return Ok(name);
    }
    if p.holds != Holds::Unknown && p.holds != Holds::Nothing || p.access.read || p.access.written {
        let what = target.declare(p.ctype, &p.name);
        let message = format!("{} cannot fill `{what}`", choices.command);
        let help = "it fills numbers, integers, arrays of them, and structs without pointers and unions; \
                    for others write a function that takes those and calls this one";
        return Err(Box::new(Diagnostic::error(p.span, message).help(help)));
    }
    Ok("0".into())
}

/// The arrays of a part: images of the parameter, and numbers that go with it.
fn arrays(p: &Part) -> String {
    let Part {
        prefix,
        element,
        count,
        ..
    } = p;
    let (n, size) = (element.leaves.len(), element.size);
    let mut text = format!("    const unsigned long {prefix}_n = {n} * {count};\n");
    for suffix in SUFFIXES {
        let (kind, bytes) = match *suffix {
            "_table" => (
                "double",
                format!("({prefix}_n * ADJOIN_STEPS * 2 + 1) * sizeof(double)"),
            ),
            "_fd" | "_error" => ("double", format!("({prefix}_n + 1) * sizeof(double)")),
            _ => ("void", format!("({count} + 1) * {size}")),
        };
        text.push_str(&format!(
            "    {kind} *{prefix}{suffix} = __builtin_calloc(1, {bytes});\n"
        ));
    }
    text
}

/// Random values, directions and seeds.
fn random(p: &Part) -> String {
    let Part {
        prefix,
        range: (low, high),
        ..
    } = p;
    let v = if p.input { "adjoin_direction()" } else { "0" };
    let w = if p.output { "adjoin_direction()" } else { "0" };
    format!(
        "        for (unsigned long i = 0; i < {prefix}_n; i++) {{\n            {prefix}set({prefix}_start, i, adjoin_uniform({low:e}, {high:e}));\n            {prefix}set({prefix}_v, i, {v});\n            {prefix}set({prefix}_w, i, {w});\n        }}\n"
    )
}

/// Sets the parameters to their start, plus a step along the direction.
fn restore(parts: &[Part], step: &str) -> String {
    let mut text = String::new();
    for p in parts {
        let Part { prefix, .. } = p;
        text.push_str(&format!(
            "            for (unsigned long i = 0; i < {prefix}_n; i++)\n                {prefix}set({prefix}_x, i, {prefix}get({prefix}_start, i) + {step} * {prefix}get({prefix}_v, i));\n"
        ));
    }
    text
}

/// A call whose result goes to the image of the result.
fn call(target: &Target, parts: &[Part], name: &str, args: &[String]) -> String {
    let call = format!("{name}({})", args.join(", "));
    match (target.returns, parts.last().map(|p| &*p.prefix)) {
        (Returns::Number(t) | Returns::Record(t), Some("result_")) => {
            let pointer = target.declare(t, "*");
            format!("            *({pointer})result__x = {call};\n")
        }
        _ => format!("            {call};\n"),
    }
}

/// Central differences at several steps, extrapolated.
fn differences(
    target: &Target,
    parts: &[Part],
    functions: &Functions,
    own: &[String],
    first: f64,
) -> String {
    let mut text = format!(
        "        double h = {first:e};\n        for (int k = 0; k < ADJOIN_STEPS; k++, h /= 2)\n            for (int side = 0; side < 2; side++) {{\n"
    );
    let mut inner = restore(parts, "(side ? -h : h)");
    inner.push_str(&call(target, parts, &functions.value, own));
    for p in parts.iter().filter(|p| p.output) {
        let Part { prefix, .. } = p;
        inner.push_str(&format!(
            "            for (unsigned long i = 0; i < {prefix}_n; i++)\n                {prefix}_table[(i * ADJOIN_STEPS + k) * 2 + side] = {prefix}get({prefix}_x, i);\n"
        ));
    }
    text.push_str(&deeper(&inner));
    text.push_str("            }\n");
    for p in parts.iter().filter(|p| p.output) {
        let Part { prefix, .. } = p;
        text.push_str(&format!(
            "        for (unsigned long i = 0; i < {prefix}_n; i++)\n            {prefix}_fd[i] = adjoin_extrapolate(&{prefix}_table[i * ADJOIN_STEPS * 2], {first:e}, &{prefix}_error[i]);\n"
        ));
    }
    // The value itself, to compare with.
    text.push_str("        {\n");
    text.push_str(&restore(parts, "0"));
    text.push_str(&call(target, parts, &functions.value, own));
    for p in parts.iter().filter(|p| p.output) {
        let Part { prefix, .. } = p;
        text.push_str(&format!(
            "            for (unsigned long i = 0; i < {prefix}_n; i++)\n                {prefix}_table[i] = {prefix}get({prefix}_x, i);\n"
        ));
    }
    text.push_str("        }\n");
    text
}

fn deeper(text: &str) -> String {
    text.lines().map(|l| format!("    {l}\n")).collect()
}

/// The shadow of a parameter as an argument.
pub fn shadow(target: &Target, k: usize, prefix: &str, suffix: &str, reverse: bool) -> String {
    let p = &target.params[k];
    match p.holds {
        Holds::Number if !reverse => format!(
            "*({})(void *){prefix}{suffix}",
            target.declare(p.ctype, "*")
        ),
        Holds::Record if !reverse => {
            format!(
                "*({})(void *){prefix}{suffix}",
                target.declare(p.ctype, "*")
            )
        }
        _ => format!("(void *){prefix}{suffix}"),
    }
}

/// Forward mode, against the differences.
fn forward(
    target: &Target,
    roles: &Roles,
    parts: &[Part],
    functions: &Functions,
    own: &[String],
) -> String {
    let mut args = own.to_vec();
    for k in 0..target.params.len() {
        if roles.params[k].active() {
            args.push(shadow(target, k, &format!("p{k}_"), "_dot", false));
        }
    }
    if roles.result {
        args.push("(void *)result__dot".into());
    }
    let mut text = String::from(
        "        double adjoin_left = 0, adjoin_right = 0, adjoin_size = 0;\n        {\n",
    );
    text.push_str(&restore(parts, "0"));
    for p in parts {
        let Part { prefix, .. } = p;
        text.push_str(&format!(
            "            for (unsigned long i = 0; i < {prefix}_n; i++)\n                {prefix}set({prefix}_dot, i, {prefix}get({prefix}_v, i));\n"
        ));
    }
    text.push_str(&call(target, parts, &functions.jvp, &args));
    text.push_str(&same_values(parts, "ADJOIN_VALUE_FORWARD"));
    text.push_str("            double adjoin_scale = 0;\n");
    for p in parts.iter().filter(|p| p.output) {
        let Part { prefix, .. } = p;
        text.push_str(&format!(
            "            for (unsigned long i = 0; i < {prefix}_n; i++)\n                adjoin_scale = __builtin_fmax(adjoin_scale, __builtin_fabs({prefix}get({prefix}_dot, i)));\n"
        ));
    }
    for p in parts.iter().filter(|p| p.output) {
        let Part { prefix, name, .. } = p;
        text.push_str(&format!(
            "            for (unsigned long i = 0; i < {prefix}_n; i++) {{\n                adjoin_compare(ADJOIN_DIFFERENCES, \"{name}\", i, adjoin_point, {prefix}get({prefix}_dot, i), {prefix}_fd[i], __builtin_fmax(adjoin_scale, adjoin_noise * __builtin_fabs({prefix}_table[i])), {prefix}_error[i], adjoin_tolerance);\n                adjoin_left += {prefix}get({prefix}_dot, i) * {prefix}get({prefix}_w, i);\n                adjoin_size += __builtin_fabs({prefix}get({prefix}_dot, i) * {prefix}get({prefix}_w, i));\n            }}\n"
        ));
    }
    text.push_str("        }\n");
    text
}

/// Reverse mode, against forward mode.
fn reverse(
    target: &Target,
    roles: &Roles,
    parts: &[Part],
    functions: &Functions,
    own: &[String],
) -> String {
    let mut args = own.to_vec();
    for k in 0..target.params.len() {
        if roles.params[k].active() {
            args.push(shadow(target, k, &format!("p{k}_"), "_bar", true));
        }
    }
    if roles.result {
        args.push(match target.returns {
            Returns::Number(t) => format!("*({})(void *)result__bar", target.declare(t, "*")),
            _ => "(void *)result__bar".into(),
        });
    }
    let mut text = String::from("        {\n");
    text.push_str(&restore(parts, "0"));
    for p in parts {
        let Part { prefix, .. } = p;
        text.push_str(&format!(
            "            for (unsigned long i = 0; i < {prefix}_n; i++)\n                {prefix}set({prefix}_bar, i, {prefix}get({prefix}_w, i));\n"
        ));
    }
    text.push_str(&call(target, parts, &functions.vjp, &args));
    text.push_str(&same_values(parts, "ADJOIN_VALUE_REVERSE"));
    for p in parts.iter().filter(|p| p.input) {
        let Part { prefix, .. } = p;
        text.push_str(&format!(
            "            for (unsigned long i = 0; i < {prefix}_n; i++) {{\n                adjoin_right += {prefix}get({prefix}_bar, i) * {prefix}get({prefix}_v, i);\n                adjoin_size += __builtin_fabs({prefix}get({prefix}_bar, i) * {prefix}get({prefix}_v, i));\n            }}\n"
        ));
    }
    text.push_str(
        "            adjoin_compare(ADJOIN_PRODUCT, \"\", 0, adjoin_point, adjoin_right, adjoin_left, adjoin_size, 0, adjoin_exact);\n        }\n",
    );
    text
}

fn same_values(parts: &[Part], row: &str) -> String {
    let mut text = String::new();
    for p in parts.iter().filter(|p| p.output) {
        let Part { prefix, name, .. } = p;
        text.push_str(&format!(
            "            for (unsigned long i = 0; i < {prefix}_n; i++)\n                adjoin_compare({row}, \"{name}\", i, adjoin_point, {prefix}get({prefix}_x, i), {prefix}_table[i], 0, 0, adjoin_exact);\n"
        ));
    }
    text
}

/// What every such program has.
const SUPPORT: &str = r#"
enum { ADJOIN_STEPS = 10 };
enum { ADJOIN_VALUE_FORWARD, ADJOIN_VALUE_REVERSE, ADJOIN_DIFFERENCES, ADJOIN_PRODUCT, ADJOIN_ROWS };

static unsigned long adjoin_random_state;
static int adjoin_failures;

static double adjoin_uniform(double low, double high)
{
    adjoin_random_state ^= adjoin_random_state << 13;
    adjoin_random_state ^= adjoin_random_state >> 7;
    adjoin_random_state ^= adjoin_random_state << 17;
    return low + (high - low) * (double)(adjoin_random_state >> 11) / 9007199254740992.0;
}

/* Not close to zero, where the step would drown in rounding. */
static double adjoin_direction(void)
{
    double size = adjoin_uniform(0.5, 1);
    return adjoin_uniform(-1, 1) < 0 ? -size : size;
}

/* Central differences at steps h, h/2, h/4, ..., extrapolated to h = 0; the error is how much the best two estimates differ. */
static double adjoin_extrapolate(const double *values, double h, double *error)
{
    double table[ADJOIN_STEPS][ADJOIN_STEPS];
    double best = 0;
    *error = __builtin_huge_val();
    for (int i = 0; i < ADJOIN_STEPS; i++, h /= 2) {
        table[i][0] = (values[2 * i] - values[2 * i + 1]) / (2 * h);
        double factor = 4;
        for (int j = 1; j <= i; j++, factor *= 4) {
            table[i][j] = table[i][j - 1] + (table[i][j - 1] - table[i - 1][j - 1]) / (factor - 1);
            double found = __builtin_fmax(__builtin_fabs(table[i][j] - table[i][j - 1]), __builtin_fabs(table[i][j] - table[i - 1][j - 1]));
            if (found <= *error) {
                *error = found;
                best = table[i][j];
            }
        }
    }
    return best;
}

static struct adjoin_row {
    long count;
    double worst, tolerance, derivative, expected;
    char where[80];
    int undefined;
} adjoin_rows[ADJOIN_ROWS];

static void adjoin_compare(int kind, const char *name, unsigned long index, int point, double derivative, double expected,
                    double scale, double uncertain, double tolerance)
{
    struct adjoin_row *row = &adjoin_rows[kind];
    double size = __builtin_fmax(__builtin_fmax(__builtin_fabs(derivative), __builtin_fabs(expected)), 1e-3 * scale);
    double error = derivative == expected ? 0 : __builtin_fabs(derivative - expected) / size;
    row->count++;
    row->tolerance = tolerance;
    if (!__builtin_isfinite(derivative) || !__builtin_isfinite(expected))
        row->undefined++;
    /* What differences cannot tell is not held against the derivative. */
    if (__builtin_isfinite(uncertain) && uncertain <= 1e-3 * size && __builtin_fabs(derivative - expected) <= 2 * uncertain)
        error = __builtin_fmin(error, tolerance);
    if (!(error <= tolerance))
        adjoin_failures++;
    if (!(error <= row->worst) || row->count == 1) {
        row->worst = error;
        row->derivative = derivative;
        row->expected = expected;
        if (*name)
            __builtin_snprintf(row->where, sizeof row->where, "%s[%lu], point %d", name, index, point);
        else
            __builtin_snprintf(row->where, sizeof row->where, "point %d", point);
    }
}

static void adjoin_report(void)
{
    static const char *const titles[] = {
        "value with forward mode   = value", "value with reverse mode   = value",
        "forward mode              = differences", "reverse <v,J'w>           = forward <Jv,w>",
    };
    int undefined = 0;
    __builtin_printf("%-42s %9s %12s %11s  %s\n", "compared", "numbers", "worst error", "accepted", "where it is worst");
    for (int k = 0; k < ADJOIN_ROWS; k++) {
        __builtin_printf("%-42s %9ld %12.2e %11.1e  %s\n", titles[k], adjoin_rows[k].count, adjoin_rows[k].worst, adjoin_rows[k].tolerance, adjoin_rows[k].where);
        undefined += adjoin_rows[k].undefined;
    }
    for (int k = 0; k < ADJOIN_ROWS; k++)
        if (!(adjoin_rows[k].worst <= adjoin_rows[k].tolerance))
            __builtin_printf("differs: %s at %s: %.15g against %.15g\n", titles[k], adjoin_rows[k].where, adjoin_rows[k].derivative, adjoin_rows[k].expected);
    if (undefined)
        __builtin_printf("%d numbers are not finite: the function may not be defined there; choose other points with --range\n", undefined);
    __builtin_printf(adjoin_failures ? "%d of the comparisons FAILED\n" : "all agree\n", adjoin_failures);
}
"#;
