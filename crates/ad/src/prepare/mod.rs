//! Makes one body out of a function and what it calls: direct calls of functions whose bodies are known are inlined as long as they are not
//! recursive, then aggregates are split and slots promoted again. What is left of calls is differentiated as calls.

mod by_reference;
pub(crate) mod choices;
pub mod constants;
mod fixed_lengths;
mod indirect;
mod inlining;
mod integers;
mod jumps;
pub(crate) mod kept_as;
mod present;
mod returns;
pub(crate) mod targets;
mod variadic;

use crate::{AdError, Registry};
use adjoin_ir::{Body, CTypeKind, CTypes, ForAttr, Func, Module, Op};
use adjoin_passes::openmp::Direction;
use adjoin_passes::registry::step;
use adjoin_passes::{mem2reg, prune, simplify, sroa};
pub use by_reference::by_reference;
pub use indirect::is_const;
pub use inlining::{SMALL_PART, SMALL_WHOLE};

/// How often calls through pointers are looked for again after inlining: each round removes a level of callbacks that call callbacks.
const MOST_ROUNDS: usize = 8;

/// What becomes of parallel constructs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Threads {
    /// They are read serially.
    One,
    /// They come into the normal form of `passes::openmp`, for code that runs in the program's direction.
    Forward,
    /// The same, for code that also runs backwards.
    Both,
}

impl Threads {
    fn run(self, module: &mut Module, body: &mut Body) {
        step("threads", || self.apply(module, body));
    }

    fn apply(self, module: &mut Module, body: &mut Body) {
        match self {
            Threads::One => adjoin_passes::serialise::run(module, body),
            Threads::Forward => adjoin_passes::openmp::normalise(module, body, Direction::Forward),
            Threads::Both => adjoin_passes::openmp::normalise(module, body, Direction::Both),
        }
    }
}

/// The body to differentiate.
pub fn prepare(
    module: &mut Module,
    registry: &Registry,
    func: Func,
    threads: Threads,
) -> Result<Body, AdError> {
    let function = &module.funcs[func];
    let Some(body) = &function.body else {
        return Err(AdError::new(
            function.span,
            format!("'{}': its body is not known", function.name),
        ));
    };
    let (body, name, span) = (body.clone(), function.name.clone(), function.span);
    let body = prepare_body(module, registry, func, body, SMALL_WHOLE, threads);
    if body.values.values().any(|v| v.ty.is_vector()) {
        return Err(AdError::new(
            span,
            format!("'{name}': it is a derivative in several directions already"),
        ));
    }
    Ok(body)
}

/// As [`prepare`], of a body that is the function's in another form, into which everything is inlined up to a size.
pub fn prepare_body(
    module: &mut Module,
    registry: &Registry,
    func: Func,
    body: Body,
    whole: usize,
    threads: Threads,
) -> Body {
    let apply = || apply(module, registry, func, body, whole, threads);
    step("prepare", apply)
}

/// Inlines, calls with variable arguments too.
fn inlined(policy: &inlining::Policy, module: &mut Module, body: &mut Body) {
    policy.run(module, body);
    for _ in 0..MOST_ROUNDS {
        if !variadic::run(module, body) {
            break;
        }
        policy.run(module, body);
    }
}

/// Calls of which is known what they stand for become that.
fn known_calls(module: &mut Module, body: &mut Body) {
    crate::mpi::as_calls(module, body);
    crate::rules::expand::run(module, body);
    jumps::run(module, body);
}

fn apply(
    module: &mut Module,
    registry: &Registry,
    func: Func,
    mut body: Body,
    whole: usize,
    threads: Threads,
) -> Body {
    let policy = inlining::Policy::of(module, registry, func, &body, whole);
    step("inline", || inlined(&policy, module, &mut body));
    threads.run(module, &mut body);
    known_calls(module, &mut body);
    settle(module, &mut body);
    if fixed_lengths::run(&mut module.types, &mut body) {
        settle(module, &mut body);
    }
    // A pointer to a function that was an argument may be a constant now; what it calls may bring more of them.
    for _ in 0..MOST_ROUNDS {
        if !indirect::resolve(module, &mut body) {
            break;
        }
        step("inline", || inlined(&policy, module, &mut body));
        threads.run(module, &mut body);
        known_calls(module, &mut body);
        settle(module, &mut body);
    }
    for _ in 0..MOST_ROUNDS {
        if !indirect::chains(module, registry, func, &mut body) {
            break;
        }
        step("inline", || inlined(&policy, module, &mut body));
        threads.run(module, &mut body);
        known_calls(module, &mut body);
        settle(module, &mut body);
    }
    integers::run(&mut module.types, &mut body);
    adjoin_passes::walks::begin(&module.types, &mut body);
    adjoin_passes::loop_tests::run(&module.types, &mut body);
    adjoin_passes::counted::run(&module.types, &mut body);
    adjoin_passes::walks::advance(&module.types, &mut body);
    adjoin_passes::inclusive::run(&module.types, &mut body);
    if adjoin_passes::unroll::run(&module.types, &mut body) {
        settle(module, &mut body);
    }
    choices::run(module, &mut body);
    // The address of an aggregate result is that of an object in the region that returns.
    let returns = match module.types.shape(module.funcs[func].ctype) {
        CTypeKind::Function { ret, .. } => !module.types.is_aggregate(*ret),
        _ => false,
    };
    returns::run(&mut body, returns);
    // Sizes that functions were given are constants once their blocks are gone: they tell what a copy moves.
    simplify::run(&module.types, &mut body);
    crate::activity::retype::run(module, registry, &mut body);
    simplify::run(&module.types, &mut body);
    prune::run(&module.types, &mut body);
    // What is proven of a function's loops need not hold with shadows.
    for data in body.insts.values_mut() {
        if let Op::For(attr) = &mut data.op {
            *attr = ForAttr {
                on_demand: attr.on_demand,
                ..ForAttr::plain(attr.pred)
            };
        }
    }
    body
}

/// Promotes, and decides what is decided by it.
fn settle(module: &Module, body: &mut Body) {
    promote(&module.types, body);
    if present::run(module, body) {
        promote(&module.types, body);
    }
}

/// Splitting of aggregates may need promoted pointers, and promotion split aggregates: twice is enough in practice, and harmless.
fn promote(types: &CTypes, body: &mut Body) {
    for _ in 0..2 {
        sroa::run(types, body);
        mem2reg::run(types, body);
        simplify::run(types, body);
        prune::run(types, body);
    }
}
