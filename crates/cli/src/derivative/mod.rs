//! The commands that write derivatives: `grad`, `vjp`, `jvp`, `jacobian`, `hessian`, `hvp`; and `check` and `explain`, which look at them.
//!
//! [`program`] reads the sources, [`target`] describes the function (with [`access`]), [`roles`] says what each parameter is, [`request`], [`products`], [`dense`] and [`sparse`]
//! write the public functions as C text, [`make`] has the derivatives made and folds them in, [`extract`] takes what the output needs, [`files`] writes it.

pub mod access;
pub mod batch;
pub mod batch_driver;
pub mod batch_mpi;
pub mod batch_sums;
pub mod check;
pub mod dense;
pub mod driver;
pub mod explain;
pub mod extract;
pub mod files;
pub mod header;
pub mod independence;
pub mod lines;
pub mod make;
pub mod names;
pub mod options;
pub mod products;
pub mod program;
pub mod public;
pub mod request;
pub mod roles;
pub mod sizes;
pub mod sparse;
pub mod target;
pub mod workspace;

use crate::failure::{Failure, Outcome};
use crate::{diagnostics, output};
use adjoin_front::Parsed;
use adjoin_front::diag::Diagnostic;
use adjoin_ir::Module;
use batch::{Batch, Batched};
use names::Names;
use options::{BatchOptions, DerivativeOptions, Mode, TargetOptions};
use program::{Built, Program};
use public::Public;
use request::{Wish, Writer};
use roles::{Roles, Wishes};
use sizes::Sizes;
use sparse::Which;
use target::Target;

/// A kind of derivative.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Kind {
    Grad,
    Vjp,
    Jvp(u32),
    Jacobian(Option<Mode>),
    Hessian,
    Hvp,
    /// The function itself, for comparison.
    Value,
}

impl Kind {
    /// The command, which is also the suffix of the function.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Grad => "grad",
            Kind::Vjp => "vjp",
            Kind::Jvp(_) => "jvp",
            Kind::Jacobian(_) => "jacobian",
            Kind::Hessian => "hessian",
            Kind::Hvp => "hvp",
            Kind::Value => "value",
        }
    }

    /// What it is, for comments.
    pub fn title(self) -> &'static str {
        match self {
            Kind::Grad => "the gradient",
            Kind::Vjp => "the vector-Jacobian product",
            Kind::Jvp(_) => "the Jacobian-vector product",
            Kind::Jacobian(_) => "the Jacobian",
            Kind::Hessian => "the Hessian",
            Kind::Hvp => "the Hessian-vector product",
            Kind::Value => "the value",
        }
    }

    /// Of one number only?
    pub fn is_scalar(self) -> bool {
        matches!(self, Kind::Grad | Kind::Hessian | Kind::Hvp)
    }

    /// Is the result a matrix?
    pub fn is_dense(self) -> bool {
        matches!(self, Kind::Jacobian(_) | Kind::Hessian)
    }
}

/// A derivative that was asked for, in C.
#[derive(Clone, Debug)]
pub struct Made {
    /// The function that it is of.
    pub target: Target,
    /// The kind.
    pub kind: Kind,
    /// Its public face.
    pub public: Public,
}

/// A function that is written around a derivative, as text: for many points, for many threads.
#[derive(Clone, Debug)]
pub struct Companion {
    /// Its public face.
    pub public: Public,
    /// What it is, in one line.
    pub title: String,
    /// What else to know, line by line.
    pub notes: Vec<String>,
    /// Its definition.
    pub text: String,
    /// The headers that the definition needs.
    pub includes: Vec<&'static str>,
}

/// Derivatives of functions of one unit, as a module.
#[derive(Debug)]
pub struct Answer {
    /// The derivatives.
    pub made: Vec<Made>,
    /// What is written around them.
    pub companions: Vec<Companion>,
    /// Text behind everything else.
    pub tail: String,
    /// The batch functions, described.
    pub batches: Vec<Batched>,
    /// Functions that are to be inlined wherever they are called.
    pub inlined: Vec<String>,
    /// The module with only what they need.
    pub module: Module,
    /// The unit that they belong to.
    pub parsed: Parsed,
}

/// A derivative to make.
#[derive(Clone, Debug)]
pub struct Order {
    /// The kind.
    pub kind: Kind,
    /// The function.
    pub function: String,
    /// With respect to what.
    pub wrt: Option<Vec<String>>,
    /// The name that is wanted.
    pub name: Option<String>,
    /// At many points, too.
    pub batch: Option<Batch>,
    /// What it looks like.
    pub form: Form,
}

/// What a derivative looks like.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Form {
    /// The form of a matrix.
    pub matrix: Matrix,
    /// There is a function with memory of the caller, too.
    pub workspace: bool,
}

impl Form {
    /// Of a matrix.
    pub fn of(matrix: Matrix) -> Form {
        Form {
            matrix,
            workspace: false,
        }
    }
}

/// The form of a matrix.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Matrix {
    /// All of its elements.
    #[default]
    Dense,
    /// All of its elements, on many threads.
    Parallel,
    /// Only those that can be other than zero.
    Sparse,
}

impl Matrix {
    /// From the options of a command.
    pub fn chosen(parallel: bool, sparse: bool) -> Matrix {
        match (parallel, sparse) {
            (_, true) => Matrix::Sparse,
            (true, false) => Matrix::Parallel,
            (false, false) => Matrix::Dense,
        }
    }
}

/// One of the commands `grad` to `hvp`.
pub fn write(
    kind: Kind,
    options: &DerivativeOptions,
    batch: &BatchOptions,
    form: Form,
) -> Result<Outcome, Failure> {
    if form.workspace && kind == Kind::Hvp {
        return Err(Failure::new(
            "`--workspace` is for `grad` and `vjp`: the tangents of caches need memory, too",
        ));
    }
    let target = &options.target;
    let mut orders = orders(kind, options, batch.chosen()?.as_ref())?;
    orders.iter_mut().for_each(|o| o.form = form);
    let Some(program) = Program::read(target)? else {
        return Ok(Outcome::FAILURE);
    };
    let paths = files::Paths::new(&options.output, &orders[0])?;
    let Some(answer) = answer(&program, target, &orders, options.output.standalone)? else {
        return Ok(Outcome::FAILURE);
    };
    let Some(driver) = &batch.driver else {
        return files::write(&program, &answer, &paths);
    };
    let [batched] = &answer.batches[..] else {
        return Err(Failure::new(
            "`--driver` calls one function, and several are asked for",
        ));
    };
    let header = paths.h.file_name().unwrap_or_default().to_string_lossy();
    match batched.driver(&header) {
        Ok(text) => {
            let outcome = files::write(&program, &answer, &paths)?;
            files::put(driver, &text)?;
            output::eprint(&format!("wrote {}", driver.display()));
            Ok(outcome)
        }
        Err(error) => {
            let unit = program.find(&orders[0].function)?.0;
            diagnostics::print(&program.units[unit].source, &[*error]);
            Ok(Outcome::FAILURE)
        }
    }
}

/// Every function with every `--wrt`.
fn orders(
    kind: Kind,
    options: &DerivativeOptions,
    batch: Option<&Batch>,
) -> Result<Vec<Order>, Failure> {
    let target = &options.target;
    let mut orders = Vec::new();
    for function in &target.functions {
        let several = target.wrt.len() > 1;
        let lists: Vec<Option<Vec<String>>> = match target.wrt.len() {
            0 => vec![None],
            _ => target.wrt.iter().map(|w| Some(split(w))).collect(),
        };
        for wrt in lists {
            let suffix = wrt
                .as_ref()
                .filter(|_| several)
                .map(|names| format!("_{}", names.join("_")))
                .unwrap_or_default();
            orders.push(Order {
                kind,
                function: function.clone(),
                name: Some(format!("{function}_{}{suffix}", kind.word())),
                wrt,
                batch: batch.cloned(),
                form: Form::default(),
            });
        }
    }
    if let Some(name) = &options.output.name {
        let identifier = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            && name.chars().next().is_some_and(|c| !c.is_ascii_digit());
        if !identifier {
            return Err(Failure::new(format!("`--name {name}` is not a name in C")));
        }
        match &mut orders[..] {
            [one] => one.name = Some(name.clone()),
            _ => {
                return Err(Failure::new(
                    "`--name` can name one derivative, and several are asked for",
                ));
            }
        }
    }
    Ok(orders)
}

fn split(list: &str) -> Vec<String> {
    list.split(',')
        .map(|w| w.trim().to_string())
        .filter(|w| !w.is_empty())
        .collect()
}

/// Makes derivatives. `None`: errors have been printed.
pub fn answer(
    program: &Program,
    options: &TargetOptions,
    orders: &[Order],
    standalone: bool,
) -> Result<Option<Answer>, Failure> {
    // Several rows or columns of a matrix at once, if that is possible.
    let matrices = orders.iter().any(|o| o.kind.is_dense());
    match attempt(program, options, orders, (standalone, matrices))? {
        Tried::Made(answer) => Ok(Some(*answer)),
        Tried::Failed => Ok(None),
        Tried::TooWide => match attempt(program, options, orders, (standalone, false))? {
            Tried::Made(answer) => Ok(Some(*answer)),
            _ => Ok(None),
        },
    }
}

/// What became of an attempt.
enum Tried {
    Made(Box<Answer>),
    /// Errors have been printed.
    Failed,
    /// It cannot be done for several rows or columns at once.
    TooWide,
}

fn attempt(
    program: &Program,
    options: &TargetOptions,
    orders: &[Order],
    (standalone, wide): (bool, bool),
) -> Result<Tried, Failure> {
    let (unit, _) = program.find(&orders[0].function)?;
    for order in orders {
        if program.find(&order.function)?.0 != unit {
            return Err(Failure::new(format!(
                "`{}` and `{}` are in different files: ask for them one by one",
                orders[0].function, order.function
            )));
        }
    }
    let Some(described) = describe(program, unit, options, orders)? else {
        return Ok(Tried::Failed);
    };
    let mut names = Names::default();
    for unit in &program.units {
        names.add_text(&unit.source.text);
    }
    let mut sizes = Sizes::new(&options.size).map_err(Failure::new)?;
    let targets: Vec<&Target> = described.iter().map(|(t, _)| t).collect();
    if let Some(name) = sizes.unknown(&targets) {
        return Err(Failure::new(format!(
            "`--size {name}=…`: there is no parameter `{name}`"
        )));
    }
    let publics: Vec<String> = orders
        .iter()
        .map(|o| names.fresh(&public_name(o)))
        .collect();
    let mut text = PRELUDE.to_string();
    let mut made = Vec::new();
    let mut batches: Vec<Batched> = Vec::new();
    let mut around: Vec<Companion> = Vec::new();
    let mut internal: Vec<String> = Vec::new();
    let mut tail = String::new();
    let mut wishes: Vec<(usize, Wish)> = Vec::new();
    for (k, (order, (target, roles))) in orders.iter().zip(&described).enumerate() {
        let mut writer = Writer::new(target, roles, &mut names);
        let result = public_function(
            &mut writer,
            (order, wide),
            &publics[k],
            &mut sizes,
            &mut around,
        );
        let result = result.and_then(|public| {
            if let Some(batch) = &order.batch {
                if order.kind != Kind::Jvp(1) && matches!(order.kind, Kind::Jvp(_)) {
                    let message = "`--batch` takes one direction per point: leave out --width";
                    return Err(Box::new(Diagnostic::error(target.span, message)));
                }
                let name = writer.names.fresh(&format!("{}_batch", public.name));
                let described = batch::describe(&mut writer, &public, &name, batch, &mut sizes)?;
                batches.push(described);
            }
            Ok(public)
        });
        match result {
            Ok(public) => made.push(Made {
                target: target.clone(),
                kind: order.kind,
                public,
            }),
            Err(error) => {
                diagnostics::print(&program.units[unit].source, &[*error]);
                return Ok(Tried::Failed);
            }
        }
        text.push_str(&writer.text);
        tail.push_str(&writer.tail);
        internal.append(&mut writer.internal);
        wishes.extend(writer.wishes.into_iter().map(|w| (k, w)));
    }
    let Some((parsed, mut built)) = program.build(unit, &text)? else {
        return Err(
            Failure::new("the generated functions have errors, see above")
                .help("an expression of --size may not fit the function's parameters"),
        );
    };
    if let Some((variable, function)) = make::shared_state(program, &built, &orders[0].function) {
        return Err(Failure::new(format!(
            "`{variable}` is a static variable that `{function}` sets: the derivative would have a copy of its own"
        ))
        .help(format!("declare `{variable}` without `static`, or use `adjoin cc`, which shares it")));
    }
    let Some(mut session) = built.session(program) else {
        return Ok(Tried::Failed);
    };
    let mut all = Vec::new();
    for (k, (target, _)) in described.iter().enumerate() {
        let own: Vec<Wish> = wishes
            .iter()
            .filter(|(n, _)| *n == k)
            .map(|(_, w)| w.clone())
            .collect();
        match make::fulfil(&mut session, &mut built.module, &own) {
            Ok(made) => all.extend(made),
            Err(_) if wide => return Ok(Tried::TooWide),
            Err(error) => {
                program::report(program, unit, &built, &error, target);
                return Ok(Tried::Failed);
            }
        }
    }
    for note in &sizes.assumed {
        output::eprint(&format!("note: {note} (--size says otherwise)"));
    }
    let mut workspaces: Vec<Companion> = Vec::new();
    for (order, made) in orders.iter().zip(&made).filter(|(o, _)| o.form.workspace) {
        match workspace::add(&mut built.module, &session, &mut names, &made.public) {
            Ok(companions) => workspaces.extend(companions),
            Err(error) => {
                let target = &made.target;
                debug_assert_eq!(order.function, target.name);
                program::report(program, unit, &built, &error, target);
                return Ok(Tried::Failed);
            }
        }
    }
    let public: Vec<adjoin_ir::Func> = publics
        .iter()
        .chain(workspaces.iter().map(|c| &c.public.name))
        .chain(&internal)
        .filter_map(|name| built.module.find_func(name))
        .collect();
    adjoin_ad::complete(&mut built.module);
    make::fold(&mut built, &public, &all)?;
    let mut module = extract::extract(&built.module, &public, standalone);
    for name in &internal {
        let Some(func) = module.find_func(name) else {
            continue;
        };
        module.funcs[func].linkage = adjoin_ir::Linkage::Static;
        let parallel = orders.iter().any(|o| o.form.matrix == Matrix::Parallel);
        if let Some(reason) = independence::obstacle(&module, func).filter(|_| parallel) {
            return Err(Failure::new(format!(
                "the matrix cannot be computed on several threads: {reason}"
            ))
            .help("without --parallel it is computed all the same"));
        }
    }
    let (mut companions, inlined) = batch::companions(&module, &batches, &made)?;
    companions.extend(workspaces);
    companions.extend(around);
    companions.extend(release(&module, &made));
    Ok(Tried::Made(Box::new(Answer {
        made,
        companions,
        tail,
        batches,
        inlined,
        module,
        parsed,
    })))
}

/// The function that gives back the memory which derivatives keep for their next call, if they keep any.
fn release(module: &Module, made: &[Made]) -> Option<Companion> {
    module.globals.values().find(|g| g.name == KEPT)?;
    let public = Public::new(&format!("{}_release", made.first()?.public.name));
    let text = format!(
        "\n{}\n{{\n{}}}\n",
        public.definition(),
        crate::derive::free_kept("free")
    );
    Some(Companion {
        public,
        title: "frees the memory that the calling thread keeps for its next call.".into(),
        notes: Vec::new(),
        text,
        includes: Vec::new(),
    })
}

/// The blocks of memory that a thread keeps.
const KEPT: &str = "adjoin_kept";

/// What generated functions call, should they need it.
const PRELUDE: &str = "\
void *calloc(unsigned long, unsigned long);
void free(void *);
void *memcpy(void *restrict, const void *restrict, unsigned long);
void perror(const char *);
void abort(void);
static void *adjoin_zeros(unsigned long count, unsigned long bytes)
{
    void *zeros = calloc(count ? count : 1, bytes);
    if (!zeros) {
        perror(\"adjoin: a matrix of derivatives\");
        abort();
    }
    return zeros;
}
";

fn public_name(order: &Order) -> String {
    order
        .name
        .clone()
        .unwrap_or_else(|| format!("{}_{}", order.function, order.kind.word()))
}

fn public_function(
    writer: &mut Writer<'_>,
    (order, wide): (&Order, bool),
    name: &str,
    sizes: &mut Sizes,
    around: &mut Vec<Companion>,
) -> Result<Public, Box<Diagnostic>> {
    let parallel = order.form.matrix == Matrix::Parallel;
    let which = match order.kind {
        Kind::Jacobian(mode) => Some(Which::Jacobian(mode)),
        Kind::Hessian => Some(Which::Hessian),
        _ => None,
    };
    if let (Matrix::Sparse, Some(which)) = (order.form.matrix, which) {
        let (public, companions) = writer.sparse(name, which, sizes)?;
        around.extend(companions);
        return Ok(public);
    }
    Ok(match order.kind {
        Kind::Grad => writer.grad(name),
        Kind::Vjp => writer.vjp(name),
        Kind::Jvp(width) => writer.jvp(name, width),
        Kind::Hvp => writer.hvp(name),
        Kind::Value => writer.primal(name),
        Kind::Jacobian(mode) => writer.jacobian(name, mode, sizes, (parallel, wide))?,
        Kind::Hessian => writer.hessian(name, sizes, (parallel, wide))?,
    })
}

/// The targets and roles of all orders. `None`: errors have been printed.
fn describe(
    program: &Program,
    unit: usize,
    options: &TargetOptions,
    orders: &[Order],
) -> Result<Option<Vec<(Target, Roles)>>, Failure> {
    let Some((_, built)) = program.build(unit, "")? else {
        return Ok(None);
    };
    let parsed = &program.units[unit];
    let mut described = Vec::new();
    for order in orders {
        let (_, function) = program.find(&order.function)?;
        if let Some(error) = refused(program, unit, &built, &order.function) {
            diagnostics::print(&parsed.source, &[error]);
            return Ok(None);
        }
        let target = match Target::new(parsed, function, &built.module) {
            Ok(target) => target,
            Err(reason) => {
                let message = format!("cannot differentiate '{}': {reason}", order.function);
                diagnostics::print(&parsed.source, &[Diagnostic::error(function.span, message)]);
                return Ok(None);
            }
        };
        let wishes = Wishes {
            wrt: order.wrt.as_deref(),
            of: &options.of,
            constant: &options.constant,
        };
        match roles::assign(&target, order.kind, wishes) {
            Ok(roles) => described.push((target, roles)),
            Err(error) => {
                diagnostics::print(&parsed.source, &[*error]);
                return Ok(None);
            }
        }
    }
    Ok(Some(described))
}

fn refused(program: &Program, unit: usize, built: &Built, name: &str) -> Option<Diagnostic> {
    let parsed = &program.units[unit];
    built
        .refusals
        .iter()
        .filter(|(u, r)| *u == unit && parsed.unit.funcs[r.func].name == name)
        .map(|(_, r)| crate::pipeline::refusal_diagnostic(parsed, r))
        .next()
}
