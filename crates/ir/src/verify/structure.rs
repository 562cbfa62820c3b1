//! The structure of bodies: invariants 4 (entry arguments) and 6 to 12; then each instruction by `rules` and `control`.

use super::{Errors, control, module_level, rules};
use crate::ctype::{CTy, Record};
use crate::module::*;
use crate::signature::Signature;
use crate::text::IdMap;
use crate::types::Type;
use cranelift_entity::SecondaryMap;

/// What checks of an instruction look at.
pub struct Context<'a> {
    pub module: &'a Module,
    pub signature: &'a Signature,
    pub body: &'a Body,
}

impl Context<'_> {
    /// The types of values.
    pub fn types(&self, values: &[Value]) -> Vec<Type> {
        values.iter().map(|&v| self.body.ty(v)).collect()
    }
}

pub fn check_body(module: &Module, signature: &Signature, body: &Body, errors: &mut Errors) {
    let context = Context {
        module,
        signature,
        body,
    };
    // Each of these relies on the ones before it.
    let before = errors.list.len();
    check_ids(body, errors);
    if errors.list.len() == before {
        check_tree(body, errors);
    }
    if errors.list.len() != before {
        return;
    }
    let entry = context.types(&body.regions[body.entry].args);
    if entry != signature.params {
        errors.report(
            4,
            format_args!(
                "the entry region takes {entry:?}, the parameters are {:?}",
                signature.params
            ),
        );
    }
    check_values(&context, errors);
    check_order(&context, errors);
}

fn check_ids(body: &Body, errors: &mut Errors) {
    errors.check(
        body.regions.is_valid(body.entry),
        6,
        "the entry region does not exist",
    );
    for (r, region) in &body.regions {
        let args = region.args.iter().all(|&v| body.values.is_valid(v));
        let insts = region.insts.iter().all(|&i| body.insts.is_valid(i));
        let parent = region.parent.is_none_or(|i| body.insts.is_valid(i));
        errors.check(
            args && insts && parent,
            6,
            format_args!("{r} holds an id that does not exist"),
        );
    }
    for (i, inst) in &body.insts {
        let values = inst
            .args
            .iter()
            .chain(&inst.results)
            .all(|&v| body.values.is_valid(v));
        let regions = inst.regions.iter().all(|&r| body.regions.is_valid(r));
        let parent = body.regions.is_valid(inst.parent);
        errors.check(
            values && regions && parent,
            6,
            format_args!("{i} holds an id that does not exist"),
        );
    }
}

fn check_tree(body: &Body, errors: &mut Errors) {
    let mut seen_region: SecondaryMap<Region, bool> = SecondaryMap::new();
    let mut seen_inst: SecondaryMap<Inst, bool> = SecondaryMap::new();
    errors.check(
        body.regions[body.entry].parent.is_none(),
        7,
        "the entry region has a parent",
    );
    let mut todo = vec![body.entry];
    while let Some(region) = todo.pop() {
        if std::mem::replace(&mut seen_region[region], true) {
            errors.report(7, format_args!("{region} is held twice"));
            continue;
        }
        for &inst in &body.regions[region].insts {
            let data = &body.insts[inst];
            if std::mem::replace(&mut seen_inst[inst], true) {
                errors.report(
                    7,
                    format_args!("{inst} ({}) is in two places", data.op.name()),
                );
                continue;
            }
            let linked = data.parent == region;
            errors.check(
                linked,
                7,
                format_args!(
                    "{inst} ({}) is in {region}, but not by its link",
                    data.op.name()
                ),
            );
            for &inner in &data.regions {
                let linked = body.regions[inner].parent == Some(inst);
                errors.check(
                    linked,
                    7,
                    format_args!("{inner} is held by {inst}, but not by its link"),
                );
                todo.push(inner);
            }
        }
    }
}

/// Definition links and C types of the values that are defined.
fn check_values(context: &Context<'_>, errors: &mut Errors) {
    let body = context.body;
    let mut check = |v: Value, def: ValueDef| {
        let data = &body.values[v];
        errors.check(
            data.def == def,
            8,
            format_args!("{v} is defined in another place than its link says"),
        );
        let Some(t) = data.ctype else { return };
        let types = &context.module.types;
        let fits = types.contains(t) && Type::of_ctype(types, t) == Some(data.ty);
        errors.check(
            fits,
            8,
            format_args!("{v} of type {} has a C type of another", data.ty.name()),
        );
    };
    let region_args = |r: Region, check: &mut dyn FnMut(Value, ValueDef)| {
        for (k, &v) in body.regions[r].args.iter().enumerate() {
            check(v, ValueDef::Arg(r, k as u32));
        }
    };
    region_args(body.entry, &mut check);
    body.walk(|i| {
        for (k, &v) in body.insts[i].results.iter().enumerate() {
            check(v, ValueDef::Result(i, k as u32));
        }
        for &r in &body.insts[i].regions {
            region_args(r, &mut check);
        }
    });
}

struct Frame {
    region: Region,
    /// The instruction that is being checked.
    position: usize,
    /// How many of its regions have been entered.
    inner: usize,
}

/// Goes through the body in program order with the values that are visible.
fn check_order(context: &Context<'_>, errors: &mut Errors) {
    let body = context.body;
    let mut visible: SecondaryMap<Value, bool> = SecondaryMap::new();
    let mut stack: Vec<Frame> = Vec::new();
    enter(context, body.entry, &mut visible, &mut stack, errors);
    while let Some(frame) = stack.last_mut() {
        let region = &body.regions[frame.region];
        let Some(&inst) = region.insts.get(frame.position) else {
            for v in region
                .args
                .iter()
                .chain(region.insts.iter().flat_map(|&i| &body.insts[i].results))
            {
                visible[*v] = false;
            }
            stack.pop();
            continue;
        };
        let data = &body.insts[inst];
        errors.inst = Some(inst);
        if frame.inner == 0 {
            let last = frame.position + 1 == region.insts.len();
            errors.check(
                data.op.is_terminator() == last,
                9,
                if last {
                    "the last instruction is not a terminator"
                } else {
                    "a terminator before the end"
                },
            );
            for &v in &data.args {
                errors.check(
                    visible[v],
                    10,
                    format_args!("{v} is used where it is not visible"),
                );
            }
            check_inst(context, inst, errors);
        }
        if let Some(&inner) = data.regions.get(frame.inner) {
            frame.inner += 1;
            enter(context, inner, &mut visible, &mut stack, errors);
            continue;
        }
        for &v in &data.results {
            visible[v] = true;
        }
        frame.position += 1;
        frame.inner = 0;
    }
    errors.inst = None;
}

fn enter(
    context: &Context<'_>,
    region: Region,
    visible: &mut SecondaryMap<Value, bool>,
    stack: &mut Vec<Frame>,
    errors: &mut Errors,
) {
    let data = &context.body.regions[region];
    errors.inst = data.parent;
    errors.check(!data.insts.is_empty(), 9, format_args!("{region} is empty"));
    for &v in &data.args {
        visible[v] = true;
    }
    stack.push(Frame {
        region,
        position: 0,
        inner: 0,
    });
}

fn check_inst(context: &Context<'_>, inst: Inst, errors: &mut Errors) {
    let data = &context.body.insts[inst];
    let info = data.op.info();
    module_level::check_span(context.module, data.span, errors);
    let mut attributes = AttributeIds {
        module: context.module,
        body: context.body,
        fine: true,
    };
    data.op.clone().map_ids(&mut attributes);
    if !errors.check(
        attributes.fine,
        11,
        format_args!("`{}` names what does not exist", info.name),
    ) {
        return;
    }
    let counts = [
        ("operands", info.args, data.args.len()),
        ("results", info.results, data.results.len()),
        ("regions", info.regions, data.regions.len()),
    ];
    for (what, count, found) in counts {
        let fits = count.admits(found);
        if !errors.check(
            fits,
            12,
            format_args!("`{}` with {found} {what}", info.name),
        ) {
            return;
        }
    }
    rules::check(context, data, errors);
    control::check(context, inst, data, errors);
}

/// Are the ids of an attribute in range?
struct AttributeIds<'a> {
    module: &'a Module,
    body: &'a Body,
    fine: bool,
}

impl IdMap for AttributeIds<'_> {
    fn ctype(&mut self, t: &mut CTy) {
        self.fine &= self.module.types.contains(*t);
    }
    fn record(&mut self, r: &mut Record) {
        self.fine &= self.module.types.records.is_valid(*r);
    }
    fn global(&mut self, g: &mut Global) {
        self.fine &= self.module.globals.is_valid(*g);
    }
    fn func(&mut self, f: &mut Func) {
        self.fine &= self.module.funcs.is_valid(*f);
    }
    fn inst(&mut self, i: &mut Inst) {
        self.fine &= self.body.insts.is_valid(*i);
    }
}
