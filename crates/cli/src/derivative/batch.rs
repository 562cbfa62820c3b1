//! `--batch`: a derivative at many points, as a C function behind the one for a point. Blocks of points go to the threads of OpenMP; each call has its own
//! caches, so threads share nothing. What all points have in common (`--shared`) gets the sum of its adjoints, added up block by block in
//! the order of the points: the same for any number of threads.

use super::batch_sums::Members;
use super::public::{Public, What};
use super::request::Writer;
use super::sizes::Sizes;
use super::target::{Holds, Returns, Target};
use super::{Companion, Made, batch_mpi, independence};
use crate::failure::Failure;
use adjoin_front::diag::Diagnostic;
use adjoin_ir::{Basic, CTy, CTypeKind, Module};

/// What the user says about a batch.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    /// Parameters that are the same for all points.
    pub shared: Vec<String>,
    /// Parameters that each point has its own of.
    pub each: Vec<String>,
    /// Across the ranks of MPI, too.
    pub mpi: bool,
    /// A program that calls it is wanted.
    pub driver: bool,
}

/// How an argument of the function for one point comes from those of the batch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Passing {
    /// The same for all points.
    Shared,
    /// One number or struct per point, read.
    Value,
    /// An array per point.
    Array,
    /// All points add to it.
    Sum,
}

/// An argument of the batch.
#[derive(Clone, Debug)]
pub struct Argument {
    /// Its name.
    pub name: String,
    /// How it is passed on.
    pub passing: Passing,
    /// The variable that holds how many elements it has for one point; `None`: one.
    pub size: Option<String>,
    /// It is written, so that the other ranks must hear of it.
    pub written: bool,
    /// The type of its elements, and of the numbers in them: of sums.
    pub number: Option<(CTy, Basic)>,
    /// What is summed up in each element, if that is a struct.
    pub members: Option<Members>,
    /// The variable in which a block of points is summed up.
    pub sum: String,
    /// What it is for the function of one point.
    pub what: What,
    /// That function takes it by value.
    pub by_value: bool,
    /// The type of its elements, or its own; `None` if that is not known.
    pub element: Option<CTy>,
    /// How many elements all points share, where it is an array.
    pub shared_size: Option<String>,
}

/// A derivative at many points.
#[derive(Clone, Debug)]
pub struct Batched {
    /// Its public face.
    pub public: Public,
    /// The function for one point.
    pub point: String,
    /// The arguments of that function.
    pub arguments: Vec<Argument>,
    /// Where the values of the function go.
    pub value: Option<String>,
    /// The type of those values.
    pub value_type: Option<CTy>,
    /// Declarations of the sizes.
    pub sizes: String,
    /// Names of the variables: points, first, last, point, chunk, i.
    pub local: Local,
    /// Across ranks, too: names of variables there.
    pub mpi: Option<batch_mpi::Local>,
    /// The function.
    pub target: Target,
}

/// Names of variables of the batch function.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Local {
    pub points: String,
    pub begin: String,
    pub end: String,
    pub chunk: String,
    pub point: String,
    pub i: String,
}

/// Points are handed out in at most this many blocks: many more than there are threads, so that all have the same to do, and many divisors.
const BLOCKS: u32 = 960;
/// With sums: each block costs an addition of the whole sum.
const BLOCKS_WITH_SUMS: u32 = 240;
/// Blocks of functions that are vectorised hold a multiple of this many points.
const VECTOR: u32 = 8;

/// Describes the batch function for the function of one point.
pub fn describe(
    writer: &mut Writer<'_>,
    point: &Public,
    name: &str,
    batch: &Batch,
    sizes: &mut Sizes,
) -> Result<Batched, Box<Diagnostic>> {
    let target = writer.target.clone();
    let shared = shared(&target, batch)?;
    let local = Local {
        points: writer.local.fresh("points"),
        begin: writer.local.fresh("begin"),
        end: writer.local.fresh("end"),
        chunk: writer.local.fresh("chunk"),
        point: writer.local.fresh("point"),
        i: writer.local.fresh("i"),
    };
    let mut public = Public::new(name);
    let count = format!("size_t {}", local.points);
    public.add(
        count,
        &local.points,
        What::Text("in: how many points".into()),
    );
    let mut declarations: Vec<(String, String)> = Vec::new();
    let mut size_of: Vec<Option<String>> = vec![None; target.params.len()];
    for (k, p) in target.params.iter().enumerate() {
        let summed = shared[k] && writer.roles.params[k].active();
        let value = target.types.pointee(p.ctype).is_none();
        if value || (shared[k] && !summed) {
            continue;
        }
        let size = expression(&target, k, &sizes.of(&target, k)?, &shared)?;
        if size == "1" {
            continue;
        }
        let variable = writer.local.fresh(&format!("{}_size", p.name));
        let simple = size.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let size = match size.parse::<u64>() {
            Ok(number) => number.to_string(),
            Err(_) if simple => format!("(size_t){size}"),
            Err(_) => format!("(size_t)({size})"),
        };
        declarations.push((variable.clone(), size));
        size_of[k] = Some(variable);
    }
    let mut arguments = Vec::new();
    for p in &point.params {
        let (k, mut argument, declaration) =
            argument(writer, &shared, &size_of, &p.name, &p.declaration, &p.what);
        if let (Some(k), true, Passing::Shared) = (k, batch.driver, &argument.passing)
            && !argument.by_value
            && argument.element.is_some()
        {
            argument.shared_size = Some(expression(&target, k, &sizes.of(&target, k)?, &shared)?);
        }
        let what = layout(
            &p.what,
            &argument,
            k.map(|k| &target.params[k].name),
            &target,
        );
        public.add(declaration, &p.name, What::Text(what));
        arguments.push(argument);
    }
    let mut value = None;
    if point.returns_value && point.returns != "void" {
        let name = writer.value.clone();
        let text = format!("out: one per point, what `{}` returns", target.name);
        let pointer = format!("{} *{name}", point.returns.trim_end());
        public.add(pointer.replace("* *", "**"), &name, What::Text(text));
        value = Some(name);
    }
    // What all points share is not indexed by them.
    let used = |variable: &String| {
        let indexed = arguments.iter().filter(|a| a.passing != Passing::Shared);
        indexed
            .filter_map(|a| a.size.as_ref())
            .any(|s| s == variable)
    };
    let declarations: String = declarations
        .iter()
        .filter(|(variable, _)| used(variable))
        .map(|(variable, size)| format!("    const size_t {variable} = {size};\n"))
        .collect();
    let value_type = match (target.returns, writer.roles.scalar_output()) {
        (Returns::Number(t) | Returns::Record(t) | Returns::Passive(t), _) => Some(t),
        (Returns::Void, Some(k)) => target.params[k].number,
        (Returns::Void, None) => None,
    };
    let mpi = batch.mpi.then(|| batch_mpi::Local {
        comm: writer.local.fresh("comm"),
        shares: writer.local.fresh("shares"),
        first: writer.local.fresh("first"),
    });
    let batched = Batched {
        mpi,
        public,
        point: point.name.clone(),
        arguments,
        value,
        value_type,
        sizes: declarations,
        local,
        target,
    };
    match batched.refused() {
        Some(error) => Err(error),
        None => Ok(batched),
    }
}

/// Which parameters are the same for all points: integers and what holds no numbers, unless the user says otherwise.
fn shared(target: &Target, batch: &Batch) -> Result<Vec<bool>, Box<Diagnostic>> {
    for name in batch.shared.iter().chain(&batch.each) {
        if target.find(name).is_none() {
            let message = format!("`{}` has no parameter `{name}`", target.name);
            let names: Vec<&str> = target.params.iter().map(|p| &*p.name).collect();
            let help = format!("its parameters are {}", names.join(", "));
            return Err(Box::new(Diagnostic::error(target.span, message).help(help)));
        }
    }
    let mut shared = Vec::new();
    for p in &target.params {
        let numbers = matches!(
            p.holds,
            Holds::Number | Holds::Record | Holds::Array | Holds::Structure
        );
        let is_shared = if batch.shared.contains(&p.name) {
            true
        } else {
            !numbers && !batch.each.contains(&p.name)
        };
        let pointer = target.types.pointee(p.ctype).is_some();
        if is_shared && pointer && p.access.written && !p.is_const {
            let message = format!(
                "`{}` writes `{}`: it cannot be the same for all points",
                target.name, p.name
            );
            let help = format!("give each point its own with `--each {}`", p.name);
            return Err(Box::new(Diagnostic::error(p.span, message).help(help)));
        }
        let function = target.types.pointee(p.ctype).map(|t| target.types.shape(t));
        let function = matches!(function, Some(CTypeKind::Function { .. }));
        if !is_shared && (p.holds == Holds::Unknown || function) {
            let message = format!("`--each {}`: what one point has of it is not known", p.name);
            return Err(Box::new(Diagnostic::error(p.span, message)));
        }
        shared.push(is_shared);
    }
    Ok(shared)
}

/// A size as an expression of the batch function: of shared parameters and constants.
fn expression(
    target: &Target,
    k: usize,
    size: &str,
    shared: &[bool],
) -> Result<String, Box<Diagnostic>> {
    let mut out = String::new();
    let mut word = String::new();
    for c in size.chars().chain([' ']) {
        if c.is_ascii_alphanumeric() || c == '_' {
            word.push(c);
            continue;
        }
        if !word.is_empty() {
            out.push_str(&known(target, k, &word, shared)?);
            word.clear();
        }
        out.push(c);
    }
    Ok(out.trim().to_string())
}

/// A word of a size: a number, or a parameter that all points share.
fn known(
    target: &Target,
    k: usize,
    word: &str,
    shared: &[bool],
) -> Result<String, Box<Diagnostic>> {
    let size_of = target.params[k].name.clone();
    let span = target.params[k].span;
    if word.starts_with(|c: char| c.is_ascii_digit()) {
        return Ok(word.to_string());
    }
    match target.find(word) {
        Some(n) if shared[n] => return Ok(word.to_string()),
        Some(_) => {
            let message = format!(
                "the size of `{size_of}` depends on `{word}`, which each point has its own of"
            );
            let help = format!(
                "the layout needs one size: say `--shared {word}`, or another size with `--size {size_of}=EXPR`"
            );
            return Err(Box::new(Diagnostic::error(span, message).help(help)));
        }
        None => {}
    }
    let message =
        format!("the size of `{size_of}` mentions `{word}`, which is no parameter and no constant");
    let help = format!("say `--size {size_of}=EXPR`, an expression of the parameters");
    Err(Box::new(Diagnostic::error(span, message).help(help)))
}

/// How an argument of the function for one point becomes one of the batch, and its declaration.
fn argument(
    writer: &mut Writer<'_>,
    shared: &[bool],
    size_of: &[Option<String>],
    name: &str,
    declaration: &str,
    what: &What,
) -> (Option<usize>, Argument, String) {
    let params = writer.target.params.clone();
    let own = params.iter().position(|p| p.name == *name);
    let owner = own.or_else(|| {
        let shadows = writer.shadows.iter();
        let mut shadows = shadows.map(|s| [&s.dot, &s.bar, &s.bar_dot]);
        shadows.position(|s| s.iter().any(|s| *s == name))
    });
    let tangent = owner.is_some_and(|k| writer.shadows[k].dot == name);
    let adjoint = owner.is_some() && own.is_none() && !tangent;
    let mut argument = Argument {
        name: name.to_string(),
        passing: Passing::Array,
        size: owner.and_then(|k| size_of[k].clone()),
        written: match what {
            What::Own { written, value, .. } => *written && !value,
            What::Seed | What::SeedAt | What::TangentIn(..) => false,
            _ => true,
        },
        number: None,
        members: None,
        sum: String::new(),
        what: what.clone(),
        by_value: false,
        element: None,
        shared_size: None,
    };
    let types = &writer.target.types;
    argument.element = match owner {
        Some(k) => match types.pointee(params[k].ctype) {
            Some(t) => params[k].number.or(types.size_of(t).map(|_| t)),
            None => Some(params[k].ctype),
        },
        None => writer.active_result(),
    };
    argument.element = argument.element.map(|t| writer.target.types.unqualified(t));
    let value_type = match (owner, what) {
        (Some(k), _) if (own.is_some() || tangent) => {
            let t = params[k].ctype;
            writer.target.types.pointee(t).is_none().then_some(t)
        }
        (None, What::Seed) => writer.active_result(),
        _ => None,
    };
    argument.by_value = value_type.is_some();
    if let Some(k) = owner
        && shared[k]
    {
        argument.passing = Passing::Shared;
        argument.written = false;
        if adjoint {
            argument.passing = Passing::Sum;
            argument.sum = writer.local.fresh(&format!("{name}_sum"));
            let element = params[k].number.or(argument.element);
            let basic = element.and_then(|t| writer.target.basic(t));
            if let (Some(t), None) = (element, basic) {
                argument.members = Members::of(writer, t);
            }
            let basic = basic.or(argument.members.as_ref().map(|m| m.basic));
            argument.number = element.zip(basic);
        }
        return (owner, argument, declaration.to_string());
    }
    let Some(t) = value_type else {
        return (owner, argument, declaration.to_string());
    };
    argument.passing = Passing::Value;
    argument.size = None;
    let pointer = writer.target.const_pointer(t);
    let declaration = writer.target.declare(pointer, name);
    (owner, argument, declaration)
}

/// What the header says about an argument.
fn layout(what: &What, argument: &Argument, of: Option<&String>, target: &Target) -> String {
    let text = what.line(&target.name);
    match (&argument.passing, &argument.size) {
        (Passing::Shared, _) => format!("{text}; the same for all points"),
        (Passing::Sum, _) => format!(
            "accumulated: the sum over all points of the derivatives with respect to `{}` is added to it",
            of.map_or("", |n| n)
        ),
        (_, None) => format!("one per point; {text}"),
        (_, Some(_)) => format!("an array per point, one behind the other; {text}"),
    }
}

impl Argument {
    /// A statement for each number of a sum, given the way from the sum to it.
    pub fn elements(&self, i: &str, indent: usize, statement: impl Fn(&str) -> String) -> String {
        let size = self.size.as_deref().unwrap_or("1");
        let space = " ".repeat(indent);
        let head = format!("{space}for (size_t {i} = 0; {i} < {size}; {i}++)");
        match &self.members {
            None => format!("{head}\n{space}    {};\n", statement(&format!("[{i}]"))),
            Some(members) => {
                let inside =
                    members.statements(indent + 4, |path| statement(&format!("[{i}]{path}")));
                format!("{head} {{\n{inside}{space}}}\n")
            }
        }
    }
}

impl Batched {
    /// The sums that points add to.
    pub fn sums(&self) -> impl Iterator<Item = &Argument> {
        self.arguments.iter().filter(|a| a.passing == Passing::Sum)
    }

    /// Cannot be added up?
    pub fn refused(&self) -> Option<Box<Diagnostic>> {
        let argument = self.sums().find(|a| a.number.is_none())?;
        let owner = argument
            .name
            .trim_end_matches("_dot")
            .trim_end_matches("_bar");
        let span = self.target.find(owner).map(|k| self.target.params[k].span);
        let message = format!(
            "the adjoints of `{owner}` cannot be summed over the points: it holds more than numbers and integers"
        );
        let help = format!("give each point its own: leave `{owner}` out of --shared");
        let span = span.unwrap_or(self.target.span);
        Some(Box::new(Diagnostic::error(span, message).help(help)))
    }

    /// The text of the function. `simd`: the function for one point is small and straight.
    pub fn text(&self, simd: bool) -> String {
        let Local {
            points,
            begin,
            end,
            chunk,
            point,
            ..
        } = &self.local;
        let sums: Vec<&Argument> = self.sums().collect();
        let blocks = if sums.is_empty() {
            BLOCKS
        } else {
            BLOCKS_WITH_SUMS
        };
        let mut text = format!("\n{}\n{{\n", self.public.definition());
        text.push_str(&self.sizes);
        text.push_str(&if simd {
            format!("    const size_t {chunk} = ({points} / {blocks} / {VECTOR} + 1) * {VECTOR};\n")
        } else {
            format!("    const size_t {chunk} = {points} / {blocks} + 1;\n")
        });
        let call = self.call();
        let vector = if simd { pragma("simd") } else { String::new() };
        let inner = format!(
            "        const size_t {end} = {points} - {begin} < {chunk} ? {points} : {begin} + {chunk};\n{vector}        for (size_t {point} = {begin}; {point} < {end}; {point}++)\n            {call};\n"
        );
        let head =
            format!("    for (size_t {begin} = 0; {begin} < {points}; {begin} += {chunk}) {{\n");
        if sums.is_empty() {
            text.push_str(&pragma("parallel for schedule(dynamic)"));
            text.push_str(&format!("{head}{inner}    }}\n}}\n"));
            return text;
        }
        text.push_str(&self.summing(&head, &inner));
        text.push_str("}\n");
        text
    }

    /// The function for all threads.
    fn companion(&self, title: &str, simd: bool) -> Companion {
        let mut notes = vec![
            "Compiled with OpenMP (-fopenmp) the points are shared out among its threads, else one does all. Each call has".to_string(),
            "caches of its own: threads share nothing that is written. Arrays of different points must not overlap.".to_string(),
        ];
        let mut includes = vec!["stddef.h"];
        if self.sums().next().is_some() {
            notes.push("The sums are the same, bit by bit, for any number of threads.".to_string());
            includes.extend(["stdio.h", "stdlib.h"]);
        }
        Companion {
            public: self.public.clone(),
            title: format!(
                "{title} of `{}` at many points, on many threads.",
                self.target.name
            ),
            notes,
            text: broken(&self.text(simd)),
            includes,
        }
    }

    /// The call for one point.
    fn call(&self) -> String {
        let point = &self.local.point;
        let args: Vec<String> = self
            .arguments
            .iter()
            .map(|a| match (&a.passing, &a.size) {
                (Passing::Shared, _) => a.name.clone(),
                (Passing::Sum, _) => a.sum.clone(),
                (Passing::Value, _) => format!("{}[{point}]", a.name),
                (Passing::Array, None) => format!("{} + {point}", a.name),
                (Passing::Array, Some(size)) => format!("{} + {point} * {size}", a.name),
            })
            .collect();
        let call = format!("{}({})", self.point, args.join(", "));
        match &self.value {
            Some(value) => format!("{value}[{point}] = {call}"),
            None => call,
        }
    }

    /// The loop over blocks where points add to sums: every thread has a sum of its own, and adds it in the order of the blocks.
    fn summing(&self, head: &str, inner: &str) -> String {
        let i = &self.local.i;
        let mut begin = String::new();
        let mut clear = String::new();
        let mut add = String::new();
        let mut end = String::new();
        for a in self.sums() {
            let Some((number, _)) = a.number else {
                continue;
            };
            let sum = &a.sum;
            let size = a.size.as_deref().unwrap_or("1");
            let declared = self.target.declare(number, &format!("*{sum}"));
            begin.push_str(&format!(
                "        {declared} = adjoin_sums({size}, sizeof *{sum});\n"
            ));
            clear.push_str(&a.elements(i, 12, |at| format!("{sum}{at} = 0")));
            add.push_str(&a.elements(i, 16, |at| format!("{}{at} += {sum}{at}", a.name)));
            end.push_str(&format!("        free({sum});\n"));
        }
        let deeper = |text: &str| -> String {
            text.lines()
                .map(|l| {
                    if l.starts_with('#') {
                        format!("{l}\n")
                    } else {
                        format!("    {l}\n")
                    }
                })
                .collect()
        };
        format!(
            "{}    {{\n{begin}{}{}{clear}{}{}            {{\n{add}            }}\n        }}\n{end}    }}\n",
            pragma("parallel"),
            pragma("for ordered schedule(dynamic)"),
            deeper(head),
            deeper(inner),
            pragma("ordered"),
        )
    }
}

/// Breaks long statements between arguments.
pub fn broken(text: &str) -> String {
    const LONGEST: usize = 110;
    let mut out = String::new();
    for line in text.lines() {
        let indent = line.len() - line.trim_start().len();
        let statement = line.ends_with(';') && line.contains('(') && !line.contains('"');
        if line.len() <= LONGEST || !statement || line.trim_start().starts_with("for (") {
            out.push_str(line);
            out.push('\n');
            continue;
        }
        let mut column = 0;
        for (k, piece) in line.split(", ").enumerate() {
            if k > 0 && column + piece.len() + 3 > LONGEST {
                out.push_str(",\n");
                out.push_str(&" ".repeat(indent + 4));
                column = indent + 4;
            } else if k > 0 {
                out.push_str(", ");
                column += 2;
            }
            out.push_str(piece);
            column += piece.len();
        }
        out.push('\n');
    }
    out
}

/// A directive, for compilers that were told to follow it.
pub fn pragma(directive: &str) -> String {
    format!("#ifdef _OPENMP\n#pragma omp {directive}\n#endif\n")
}

/// Memory for sums, in files that need it.
pub const SUMS: &str = "
static void *adjoin_sums(size_t count, size_t bytes)
{
    void *sums = calloc(count ? count : 1, bytes);
    if (!sums) {
        perror(\"adjoin: sums of derivatives\");
        abort();
    }
    return sums;
}
";

/// The functions to write, and those that they inline; or why there can be none.
pub fn companions(
    module: &Module,
    batches: &[Batched],
    made: &[Made],
) -> Result<(Vec<Companion>, Vec<String>), Failure> {
    let mut companions = Vec::new();
    let mut inlined = Vec::new();
    for batched in batches {
        let Some(func) = module.find_func(&batched.point) else {
            continue;
        };
        if let Some(reason) = independence::obstacle(module, func) {
            return Err(Failure::new(format!(
                "the points of `{}` cannot be computed at the same time: {reason}",
                batched.point
            ))
            .help("without --batch it is differentiated all the same"));
        }
        // Points that add to one sum depend on each other.
        let simd = batched.sums().next().is_none() && independence::vectorisable(module, func);
        if simd {
            inlined.push(batched.point.clone());
        }
        let kind = made.iter().find(|m| m.public.name == batched.point);
        let title = kind.map_or("the derivative", |m| m.kind.title());
        companions.push(batched.companion(title, simd));
        if let Some(local) = &batched.mpi {
            companions.push(batched.across_ranks(title, local));
        }
    }
    Ok((companions, inlined))
}
