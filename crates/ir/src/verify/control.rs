//! Instructions that hold regions, and terminators: invariants 18 to 26.

use super::Errors;
use super::rules::int_fits;
use super::structure::Context;
use crate::attr::*;
use crate::module::*;
use crate::op::Op;
use crate::signature::Return;
use crate::types::Type;

pub fn check(context: &Context<'_>, inst: Inst, data: &InstData, errors: &mut Errors) {
    let args = context.types(&data.args);
    match &data.op {
        Op::If => {
            errors.check(args[0] == Type::Bool, 18, "the condition is no bool");
            check_arguments(context, data, &[], 18, errors);
        }
        Op::Block => check_arguments(context, data, &[], 18, errors),
        Op::For(_) => check_for(context, data, &args, errors),
        Op::Loop => check_arguments(context, data, &args, 20, errors),
        Op::Switch(attr) => check_switch(context, data, attr, &args, errors),
        Op::Par(attr) => check_par(context, inst, data, attr, &args, errors),
        Op::Yield => check_yield(context, data, &args, errors),
        Op::Break(target) | Op::Continue(target) | Op::Fallthrough(target) => {
            check_exit(context, data, *target, &args, errors);
        }
        Op::Return => check_return(context, data, &args, errors),
        _ => {}
    }
}

/// Every region takes arguments of these types.
fn check_arguments(
    context: &Context<'_>,
    data: &InstData,
    expected: &[Type],
    invariant: u32,
    errors: &mut Errors,
) {
    for &region in &data.regions {
        let found = context.types(&context.body.regions[region].args);
        errors.check(
            found == expected,
            invariant,
            format_args!(
                "{region} of `{}` takes {found:?} instead of {expected:?}",
                data.op.name()
            ),
        );
    }
}

fn check_for(context: &Context<'_>, data: &InstData, args: &[Type], errors: &mut Errors) {
    let index = args[0];
    let bounds = index.is_int() && args[1] == index && args[2] == index;
    errors.check(
        bounds,
        19,
        format_args!("bounds and step of types {:?}", &args[..3]),
    );
    let mut expected = vec![index];
    expected.extend(&args[3..]);
    check_arguments(context, data, &expected, 19, errors);
    let results = context.types(&data.results);
    errors.check(
        results == expected,
        19,
        format_args!("gives {results:?} instead of {expected:?}"),
    );
}

fn check_switch(
    context: &Context<'_>,
    data: &InstData,
    attr: &SwitchAttr,
    args: &[Type],
    errors: &mut Errors,
) {
    errors.check(args[0].is_int(), 21, "the value is no integer");
    check_arguments(context, data, &args[1..], 21, errors);
    let one_each = attr.cases.len() == data.regions.len();
    errors.check(
        one_each,
        21,
        format_args!("{} cases, {} regions", attr.cases.len(), data.regions.len()),
    );
    let defaults = attr.cases.iter().filter(|c| c.default).count();
    errors.check(
        defaults == 1,
        21,
        format_args!("{defaults} regions are the default"),
    );
    let mut ranges: Vec<(i128, i128)> = attr
        .cases
        .iter()
        .flat_map(|c| c.values.iter().copied())
        .collect();
    ranges.sort_unstable();
    for (k, &(low, high)) in ranges.iter().enumerate() {
        let fits = low <= high && int_fits(low, args[0]) && int_fits(high, args[0]);
        errors.check(
            fits,
            21,
            format_args!("case {low}..{high} does not fit {}", args[0].name()),
        );
        let disjoint = k == 0 || ranges[k - 1].1 < low;
        errors.check(
            disjoint,
            21,
            format_args!("case {low}..{high} overlaps another"),
        );
    }
}

fn check_par(
    context: &Context<'_>,
    inst: Inst,
    data: &InstData,
    attr: &ParAttr,
    args: &[Type],
    errors: &mut Errors,
) {
    let mut operands = args.iter().copied();
    let mut arguments = 0;
    for clause in &attr.clauses {
        arguments += clause.region_args();
        for k in 0..clause.operands() {
            let fits = operands.next().is_some_and(|t| clause_takes(clause, k, t));
            errors.check(fits, 22, format_args!("{clause:?} lacks its operand {k}"));
        }
    }
    errors.check(
        operands.next().is_none(),
        22,
        "more operands than the clauses have",
    );
    let expected = !attr.directive.stands_alone() as usize;
    let regions = data.regions.len();
    errors.check(
        regions == expected,
        22,
        format_args!("{regions} regions instead of {expected}"),
    );
    check_arguments(context, data, &vec![Type::Ptr; arguments], 22, errors);
    if attr.directive == Directive::Section {
        let holder = context.body.regions[context.body.insts[inst].parent].parent;
        let around = holder.map(|i| &context.body.insts[i].op);
        let sections = |op: &Op| matches!(op, Op::Par(p) if matches!(p.directive, Directive::Sections | Directive::ParallelSections));
        errors.check(
            around.is_some_and(sections),
            22,
            "a section is not directly in sections",
        );
    }
}

/// Can operand `k` of the clause have the type?
fn clause_takes(clause: &Clause, k: usize, ty: Type) -> bool {
    match clause {
        Clause::Data { .. } => ty == if k == 0 { Type::Ptr } else { Type::U64 },
        Clause::DependIn | Clause::DependOut => ty == Type::Ptr,
        Clause::If | Clause::Final => ty == Type::Bool,
        _ => ty.is_int(),
    }
}

impl Directive {
    /// Has it no region?
    pub fn stands_alone(&self) -> bool {
        matches!(
            self,
            Directive::Barrier | Directive::Taskwait | Directive::Taskyield | Directive::Flush
        )
    }
}

/// What leaving an instruction gives: its results, for a `for` without the index.
fn leaving(context: &Context<'_>, holder: &InstData) -> Vec<Type> {
    let results = context.types(&holder.results);
    match holder.op {
        Op::For(_) => results.get(1..).unwrap_or(&[]).to_vec(),
        _ => results,
    }
}

/// What the next iteration takes.
fn carried(context: &Context<'_>, holder: &InstData) -> Vec<Type> {
    let args = context.types(&holder.args);
    match holder.op {
        Op::For(_) => args.get(3..).unwrap_or(&[]).to_vec(),
        Op::Switch(_) => args.get(1..).unwrap_or(&[]).to_vec(),
        _ => args,
    }
}

fn check_yield(context: &Context<'_>, data: &InstData, args: &[Type], errors: &mut Errors) {
    let Some(holder) = context.body.regions[data.parent].parent else {
        return errors.report(23, "the entry region ends in `yield`");
    };
    let holder = &context.body.insts[holder];
    let expected = match holder.op {
        Op::For(_) | Op::Loop => carried(context, holder),
        Op::Par(_) => Vec::new(),
        _ => leaving(context, holder),
    };
    errors.check(
        args == expected,
        23,
        format_args!("yields {args:?} instead of {expected:?}"),
    );
}

fn check_exit(
    context: &Context<'_>,
    data: &InstData,
    target: Inst,
    args: &[Type],
    errors: &mut Errors,
) {
    let body = context.body;
    let name = data.op.name();
    let target_data = &body.insts[target];
    let (fits, expected) = match data.op {
        Op::Break(_) => (
            matches!(
                target_data.op,
                Op::For(_) | Op::Loop | Op::Block | Op::Switch(_)
            ),
            leaving(context, target_data),
        ),
        Op::Continue(_) => (
            matches!(target_data.op, Op::For(_) | Op::Loop),
            carried(context, target_data),
        ),
        _ => (
            matches!(target_data.op, Op::Switch(_)),
            carried(context, target_data),
        ),
    };
    if !errors.check(
        fits,
        24,
        format_args!("`{name}` names a `{}`", target_data.op.name()),
    ) {
        return;
    }
    errors.check(
        args == expected,
        24,
        format_args!("`{name}` gives {args:?} instead of {expected:?}"),
    );
    let mut region = data.parent;
    loop {
        let Some(holder) = body.regions[region].parent else {
            return errors.report(
                24,
                format_args!("`{name}` names an instruction that is not around it"),
            );
        };
        if holder == target {
            break;
        }
        let through = &body.insts[holder].op;
        errors.check(
            !matches!(through, Op::Par(_)),
            25,
            format_args!("`{name}` leaves a `par`"),
        );
        if let Op::Fallthrough(_) = data.op {
            let direct = matches!(through, Op::If | Op::Block);
            errors.check(
                direct,
                24,
                format_args!("`fallthrough` out of a `{}`", through.name()),
            );
        }
        region = body.insts[holder].parent;
    }
    if let Op::Fallthrough(_) = data.op {
        errors.check(
            target_data.regions.last() != Some(&region),
            24,
            "`fallthrough` from the last region",
        );
    }
}

fn check_return(context: &Context<'_>, data: &InstData, args: &[Type], errors: &mut Errors) {
    let expected = match context.signature.ret {
        Return::Void => None,
        Return::Scalar(ty) => Some(ty),
        Return::Aggregate(_) => Some(Type::Ptr),
    };
    errors.check(
        args == expected.as_slice(),
        26,
        format_args!("returns {args:?} instead of {expected:?}"),
    );
    let mut region = data.parent;
    while let Some(holder) = context.body.regions[region].parent {
        let par = matches!(context.body.insts[holder].op, Op::Par(_));
        errors.check(!par, 25, "`return` leaves a `par`");
        region = context.body.insts[holder].parent;
    }
}
