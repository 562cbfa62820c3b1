//! Makes functions of loops that are to be checkpointed.

use super::super::pairs::{Prepared, parameter_type, unused_name};
use super::state::{self, Around};
use super::{FIRST_ITEM, Item, Kind, Outlined, Result};
use crate::activity::is_number;
use crate::effects::Summaries;
use crate::plan::report::{Layout, Report};
use crate::points_to::{Disjoint, PointsTo};
use crate::{AdError, Session};
use adjoin_ir::ctype::TagScope;
use adjoin_ir::signature::Signature;
use adjoin_ir::{
    Basic, Body, Builder, CTy, CTypeKind, CallAttr, Checkpoint, Cursor, ForAttr, Func, Function,
    Inst, Linkage, Module, Op, Pred, RegionData, Span, Type, Value, ValueDef,
};
use adjoin_passes::edit::{Replacements, is_inside, set_region_args, set_results, unlink};
use std::collections::BTreeSet;
use std::rc::Rc;

/// The function whose loops are looked at.
pub(in crate::reverse) struct Home<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its type.
    pub ctype: CTy,
    /// Others may write memory between its forward and its reverse sweep.
    pub split: bool,
    /// Loops may also be checkpointed because of the memory limit.
    pub automatic: bool,
    /// What is known of the memory of its parameters.
    pub known: Disjoint,
}

/// Makes functions of all loops of a body that are to be checkpointed, outer ones first.
pub(in crate::reverse) fn outline(
    session: &mut Session,
    m: &mut Module,
    home: &Home<'_>,
    body: &mut Body,
) -> Result<()> {
    let automatic = match home.automatic {
        true => session.pairs.automatic.clone(),
        false => Default::default(),
    };
    if m.checkpoints.is_empty() && automatic.is_empty() {
        return Ok(());
    }
    let mut done = BTreeSet::new();
    loop {
        let mut found = None;
        body.walk(|inst| {
            let data = &body.insts[inst];
            if found.is_none() && matches!(data.op, Op::For(_) | Op::Loop) && !done.contains(&inst)
            {
                let asked = m.checkpoints.get(&data.span);
                let how = asked.or(automatic.get(&data.span));
                found = how.map(|&how| (inst, how, asked.is_some()));
            }
        });
        let Some((inst, how, asked)) = found else {
            return Ok(());
        };
        done.insert(inst);
        if asked {
            one(session, m, home, body, inst, how)?;
            continue;
        }
        // Without it there is more memory in use than there should be, but the derivative is right.
        let before = (m.clone(), session.pairs.clone(), body.clone());
        let span = body.insts[inst].span;
        if let Err(error) = one(session, m, home, body, inst, how) {
            (*m, session.pairs, *body) = before;
            session.pairs.not_checkpointed.push((span, error.message));
        }
    }
}

/// Which loops a memory limit is about: the outermost ones around arrays that the reverse sweep would need.
pub(in crate::reverse) fn loops_with_caches(reports: &[Report]) -> BTreeSet<Span> {
    let caches = reports.iter().flat_map(|r| &r.cached);
    let arrays = caches.filter(|c| c.layout != Layout::Variable);
    arrays.filter_map(|c| c.around).collect()
}

fn refuse<T>(span: Span, reason: impl Into<String>) -> Result<T> {
    let reason = reason.into();
    Err(AdError::new(
        span,
        format!("this loop with checkpoints: {reason}"),
    ))
}

/// What a loop has to do with the code around it.
struct Border {
    /// Values from outside that it uses, constants apart.
    used: Vec<Value>,
    /// Constants that it uses.
    constants: Vec<Value>,
    /// What it carries at first.
    initial: Vec<Value>,
    /// It may be left before its condition fails.
    open: bool,
}

impl Border {
    fn of(body: &Body, holder: Inst) -> Result<Border> {
        let data = &body.insts[holder];
        let counted = matches!(data.op, Op::For(_));
        let initial = data.args[if counted { 3 } else { 0 }..].to_vec();
        let mut border = Border {
            used: Vec::new(),
            constants: Vec::new(),
            initial,
            open: !counted,
        };
        let mut error = None;
        let mut visit = |inst: Inst| {
            let data = &body.insts[inst];
            let leaves = |target: Inst| !is_inside(body, target, holder);
            match data.op {
                Op::Return => error = Some((data.span, "a return leaves it")),
                Op::Break(t) if t == holder => border.open = true,
                Op::Break(t) | Op::Continue(t) if t != holder && leaves(t) => {
                    error = Some((data.span, "a jump leaves it and what is around it"))
                }
                _ => {}
            }
            for &v in &data.args {
                border.mention(body, holder, v);
            }
        };
        body.walk(|inst| {
            if is_inside(body, inst, holder) {
                visit(inst);
            }
        });
        if let Some((span, reason)) = error {
            return refuse(span, reason);
        }
        if counted && !is_plain(body, holder) {
            border.mention(body, holder, data.args[0]);
            border.mention(body, holder, data.args[2]);
        }
        Ok(border)
    }

    fn mention(&mut self, body: &Body, holder: Inst, v: Value) {
        let inside = match body.values[v].def {
            ValueDef::Result(i, _) => i == holder || is_inside(body, i, holder),
            ValueDef::Arg(r, _) => {
                let around = body.regions[r].parent;
                around.is_some_and(|i| i == holder || is_inside(body, i, holder))
            }
        };
        let constant = body.def_inst(v).is_some_and(|i| {
            matches!(
                body.insts[i].op,
                Op::Const(_) | Op::GlobalAddr(_) | Op::FuncAddr(_)
            )
        });
        let list = match constant {
            true => &mut self.constants,
            false => &mut self.used,
        };
        if !inside && !list.contains(&v) {
            list.push(v);
        }
    }
}

/// The parameters of the two functions, while they are put together.
#[derive(Default)]
struct Parameters {
    types: Vec<CTy>,
    names: Vec<Option<String>>,
}

impl Parameters {
    fn add(&mut self, m: &mut Module, name: &str, t: CTy) -> usize {
        let t = parameter_type(m, t);
        self.types.push(m.types.unqualified(t));
        let taken = |n: &str| self.names.iter().flatten().any(|other| other == n);
        let name = (1..)
            .map(|k| match k {
                1 => name.to_string(),
                k => format!("{name}_{k}"),
            })
            .find(|n| !taken(n));
        self.names.push(name);
        self.types.len() - 1
    }

    fn function(self, m: &mut Module, name: &str, span: Span) -> Function {
        let void = m.types.void();
        let ctype = m.types.intern(CTypeKind::Function {
            ret: void,
            params: self.types,
            variadic: false,
            prototyped: true,
        });
        Function {
            name: unused_name(m, name),
            ctype,
            param_names: self.names,
            linkage: Linkage::Static,
            inline: false,
            noreturn: false,
            span,
            body: None,
        }
    }
}

/// Can a type be named at file scope?
fn has_name(m: &Module, t: CTy) -> bool {
    match m.types.shape(t) {
        CTypeKind::Record(r) => {
            let record = &m.types.records[*r];
            let named = record.tag.is_some() || record.typedef_name.is_some();
            named && record.scope == TagScope::File
        }
        CTypeKind::Enum(e) => {
            let data = &m.types.enums[*e];
            (data.tag.is_some() || data.typedef_name.is_some()) && data.scope == TagScope::File
        }
        CTypeKind::Pointer(t) => has_name(m, *t),
        CTypeKind::Array { elem, .. } => has_name(m, *elem),
        CTypeKind::Function { ret, params, .. } => {
            has_name(m, *ret) && params.iter().all(|&p| has_name(m, p))
        }
        _ => true,
    }
}

/// How C declares a value.
fn declared(m: &mut Module, body: &Body, v: Value) -> CTy {
    let ty = body.ty(v);
    if let Some(t) = body.values[v].ctype
        && has_name(m, t)
    {
        return m.types.unqualified(t);
    }
    match ty.default_basic() {
        Some(basic) => m.types.basic(basic),
        None => {
            let void = m.types.void();
            m.types.pointer(void)
        }
    }
}

fn one(
    session: &mut Session,
    m: &mut Module,
    home: &Home<'_>,
    body: &mut Body,
    holder: Inst,
    how: Checkpoint,
) -> Result<()> {
    let span = body.insts[holder].span;
    let mut region = body.insts[holder].parent;
    while let Some(around) = body.regions[region].parent {
        if matches!(body.insts[around].op, Op::Par(_)) {
            return refuse(span, "it is inside a parallel region");
        }
        region = body.insts[around].parent;
    }
    let border = Border::of(body, holder)?;
    let plain = is_plain(body, holder);
    let index = match (plain, body.insts[holder].args.first()) {
        (true, Some(&lower)) => body.ty(lower),
        _ => Type::I64,
    };
    let long = m.types.basic(Basic::Long);
    let basic = index.default_basic().unwrap_or(Basic::Long);
    let index_type = m.types.basic(basic);
    let mut inner = Parameters::default();
    let mut outer = Parameters::default();
    inner.add(m, "first", index_type);
    inner.add(m, "last", index_type);
    if border.open {
        let t = m.types.pointer(long);
        inner.add(m, "ran", t);
        inner.add(m, "left", t);
    }
    outer.add(m, "trips", long);
    outer.add(m, "lower", index_type);
    debug_assert_eq!(outer.types.len(), FIRST_ITEM);
    let mut items = Vec::new();
    let data = body.insts[holder].clone();
    let results: &[Value] = match data.op {
        Op::Loop => &data.results,
        _ => &[],
    };
    let arguments = body.regions[data.regions[0]].args.clone();
    let carried_arguments = &arguments[arguments.len() - border.initial.len()..];
    let kinds = (border.used.iter().map(|&v| match is_number(body.ty(v)) {
        true => (v, Kind::UsedNumber),
        false => (v, Kind::Used),
    }))
    .chain(
        carried_arguments
            .iter()
            .map(|&v| match is_number(body.ty(v)) {
                true => (v, Kind::CarriedNumber),
                false => (v, Kind::Carried),
            }),
    )
    .chain(results.iter().map(|&v| (v, Kind::Result)));
    for (v, kind) in kinds.collect::<Vec<_>>() {
        let ty = body.ty(v);
        let ctype = declared(m, body, v);
        let ctype = parameter_type(m, ctype);
        let name = body.values[v].name.clone();
        let name = name.unwrap_or_else(|| "value".to_string());
        let pointer = m.types.pointer(ctype);
        let first = match kind {
            Kind::Used | Kind::Carried => ctype,
            _ => pointer,
        };
        let at = (outer.add(m, &name, first), inner.add(m, &name, first));
        if kind == Kind::Carried {
            let name = format!("{name}_after");
            outer.add(m, &name, pointer);
            inner.add(m, &name, pointer);
        }
        items.push(Item {
            kind,
            ty,
            ctype,
            name,
            outer: at.0,
            inner: at.1,
        });
    }
    if border.open
        && matches!(data.op, Op::For(_))
        && let Some(&end) = data.results.first()
    {
        // The index at which it was left.
        let ctype = declared(m, body, end);
        let pointer = m.types.pointer(ctype);
        items.push(Item {
            kind: Kind::Result,
            ty: body.ty(end),
            ctype,
            name: "end".to_string(),
            outer: outer.add(m, "end", pointer),
            inner: inner.add(m, "end", pointer),
        });
    }
    let function = inner.function(m, &format!("{}_steps", home.name), span);
    let (ctype, names) = (function.ctype, function.param_names.clone());
    let steps = m.funcs.push(function);
    let run = steps_body(m, body, holder, &border, &items, (ctype, &names), plain)?;

    let mut inside = Vec::new();
    run.walk(|inst| inside.push(inst));
    let output = super::repeats::output(m, &run, &inside)?;

    // What a snapshot holds is found before anything inside is taken apart further.
    let around = Around {
        body,
        points: &PointsTo::of_type(m, &session.registry, home.ctype, body).assuming(&home.known),
        holder,
        split: home.split,
    };
    let inner_points = PointsTo::of_type(m, &session.registry, ctype, &run);
    let initial = &border.initial;
    let values = (border.used.iter().chain(initial))
        .copied()
        .collect::<Vec<_>>();
    let found = state::find(
        m,
        &session.pairs.summaries,
        &around,
        &run,
        &inner_points,
        &items,
        &values,
    )?;

    let mut blocks = Vec::new();
    let mut given = Vec::new();
    for piece in &found.pieces {
        let block = piece.block(m, &mut outer, &items, &mut given);
        blocks.push(block);
    }
    let void = m.types.void();
    let address = m.types.pointer(void);
    let mut cells = Vec::new();
    for cell in &found.cells {
        cells.push(outer.add(m, "cell", address));
        given.push(cell.clone());
    }
    let disjoint = found.disjoint;
    let function = outer.function(m, &format!("{}_loop", home.name), span);
    let loop_type = function.ctype;
    let loop_names = function.param_names.clone();
    let whole = m.funcs.push(function);

    let nested = Home {
        name: home.name,
        ctype,
        split: false,
        automatic: false,
        known: Disjoint::default(),
    };
    let again = match output.is_empty() {
        true => steps,
        false => {
            let name = unused_name(m, &format!("{}_again", m.funcs[steps].name));
            let function = Function {
                name,
                ..m.funcs[steps].clone()
            };
            m.funcs.push(function)
        }
    };
    let outlined = Outlined {
        steps,
        again,
        how,
        span,
        open: border.open,
        index,
        items,
        blocks,
        cells,
        disjoint,
    };
    let caller = loop_body(m, &outlined, (loop_type, &loop_names))?;
    replace(m, body, holder, &border, &outlined, whole, &given)?;
    // The loop itself is not taken apart again.
    let this = m.checkpoints.remove(&span);
    let mut forms = vec![(steps, run)];
    if !output.is_empty() {
        let mut quiet = forms[0].1.clone();
        for inst in output {
            unlink(&mut quiet, inst);
        }
        forms.push((again, quiet));
    }
    let mut inside = Ok(());
    for (_, run) in &mut forms {
        inside = inside.and_then(|()| outline(session, m, &nested, run));
    }
    if let Some(how) = this {
        m.checkpoints.insert(span, how);
    }
    inside?;
    m.funcs[whole].body = Some(caller.clone());
    for (func, run) in forms {
        m.funcs[func].body = Some(run.clone());
        let prepared = Prepared {
            ctype,
            names: names.clone(),
            body: Rc::new(run),
        };
        session.add_prepared(func, prepared);
    }
    session.add_prepared(
        whole,
        Prepared {
            ctype: loop_type,
            names: loop_names,
            body: Rc::new(caller),
        },
    );
    session.add_outlined(whole, outlined);
    session.pairs.summaries = Rc::new(Summaries::of(m));
    Ok(())
}

impl Parameters {
    /// Two more parameters of the loop function: an address and a number of bytes.
    pub(super) fn add_block(&mut self, m: &mut Module, name: &str) -> (usize, usize) {
        let void = m.types.void();
        let address = m.types.pointer(void);
        let bytes = m.types.basic(Basic::Long);
        (
            self.add(m, name, address),
            self.add(m, &format!("{name}_bytes"), bytes),
        )
    }
}

impl state::Piece {
    fn block(
        &self,
        m: &mut Module,
        outer: &mut Parameters,
        items: &[Item],
        given: &mut Vec<state::Given>,
    ) -> super::Block {
        let extent = match &self.bytes {
            state::Bytes::Accessed { inner, footprint } => {
                let item = items.iter().find(|i| i.inner == *inner);
                super::Extent::Accessed {
                    address: item.map_or(0, |i| i.outer),
                    low: footprint.low.clone(),
                    high: footprint.high.clone(),
                    conditions: footprint.conditions.clone(),
                }
            }
            state::Bytes::Whole {
                address,
                bytes,
                text,
            } => {
                let (a, b) = outer.add_block(m, &self.name);
                given.push(address.clone());
                given.push(bytes.clone());
                super::Extent::Given {
                    address: a,
                    bytes: b,
                    text: text.clone(),
                }
            }
        };
        super::Block {
            name: self.name.clone(),
            constant: self.constant,
            extent,
        }
    }
}

/// Does a loop count up by one, in its own index?
fn is_plain(body: &Body, holder: Inst) -> bool {
    let data = &body.insts[holder];
    match data.op {
        Op::For(ForAttr { pred, .. }) => {
            body.const_int(data.args[2]) == Some(1)
                && matches!(pred, Pred::Lt | Pred::Le | Pred::Ne)
        }
        _ => false,
    }
}

/// The function that runs some iterations: the loop with other bounds.
fn steps_body(
    m: &Module,
    body: &Body,
    holder: Inst,
    border: &Border,
    items: &[Item],
    (ctype, names): (CTy, &[Option<String>]),
    plain: bool,
) -> Result<Body> {
    let span = body.insts[holder].span;
    let mut s = body.clone();
    let entry = s.regions.push(RegionData::default());
    s.entry = entry;
    let signature = Signature::of(&m.types, ctype);
    let CTypeKind::Function { params, .. } = m.types.shape(ctype) else {
        return refuse(span, "its function has no type");
    };
    let Some(signature) = signature else {
        return refuse(span, "what it uses has no value type");
    };
    for (k, &ty) in signature.params.iter().enumerate() {
        let v = s.add_arg(entry, ty);
        s.values[v].name = names.get(k).cloned().flatten();
        s.values[v].ctype = params.get(k).copied();
    }
    let parameters = s.regions[entry].args.clone();
    let mut replaced = Replacements::default();
    let mut b = Builder::new(&mut s);
    b.span = span;
    for &v in &border.constants {
        let data = b.body.def_inst(v).map(|i| b.body.insts[i].op.clone());
        if let Some(op) = data {
            let ty = b.body.ty(v);
            let copy = b.value(op, vec![], ty);
            b.body.values[copy].ctype = b.body.values[v].ctype;
            replaced.set(v, copy);
        }
    }
    let mut used = border.used.iter();
    let mut carried = Vec::new();
    for item in items {
        let parameter = parameters[item.inner];
        let v = match item.kind {
            Kind::Used | Kind::Carried => parameter,
            Kind::Result => continue,
            _ => {
                let v = b.load(item.ty, parameter);
                b.set_ctype(v, item.ctype);
                b.set_name(v, &item.name)
            }
        };
        match item.kind {
            Kind::Used | Kind::UsedNumber => {
                if let Some(&old) = used.next() {
                    replaced.set(old, v);
                }
            }
            _ => carried.push(v),
        }
    }
    let counter = b.body.ty(parameters[0]);
    let one = b.int(counter, 1);
    let mut operands = vec![parameters[0], parameters[1], one];
    operands.extend(&carried);

    // The loop moves here.
    let data = s.insts[holder].clone();
    let region = data.regions[0];
    let lower_step = match data.op {
        Op::For(_) => Some((data.args[0], data.args[2])),
        _ => None,
    };
    unlink(&mut s, holder);
    s.regions[entry].insts.push(holder);
    s.insts[holder].parent = entry;
    s.insts[holder].op = Op::For(ForAttr {
        pred: Pred::Lt,
        independent: false,
    });
    s.insts[holder].args.clone_from(&operands);
    let carried_arguments = match lower_step {
        Some(_) => s.regions[region].args[1..].to_vec(),
        None => s.regions[region].args.clone(),
    };
    if !plain {
        // Iterations are counted from zero; the index follows.
        let k = s.add_arg(region, Type::I64);
        s.values[k].name = Some("k".to_string());
        let mut arguments = vec![k];
        arguments.extend(&carried_arguments);
        let old = s.regions[region].args[0];
        set_region_args(&mut s, region, arguments);
        if let Some((lower, step)) = lower_step {
            let ty = s.ty(lower);
            let mut b = Builder {
                body: &mut s,
                cursor: Cursor {
                    region,
                    before: Some(0),
                },
                span,
            };
            let count = b.cast(ty, k);
            let distance = b.mul(count, step);
            let index = b.add(lower, distance);
            b.body.values[index].name = b.body.values[old].name.clone();
            b.body.values[index].ctype = b.body.values[old].ctype;
            replaced.set(old, index);
        }
    }
    if lower_step.is_none() {
        let slots: Vec<Value> = items
            .iter()
            .filter(|i| i.kind == Kind::Result)
            .map(|i| parameters[i.inner])
            .collect();
        leave_through_memory(&mut s, holder, &slots, &carried_arguments);
    }
    let types: Vec<Type> = operands.iter().map(|&v| s.ty(v)).collect();
    if !plain || lower_step.is_none() {
        set_results(&mut s, holder, Vec::new());
        s.add_result(holder, counter);
        for &ty in &types[3..] {
            s.add_result(holder, ty);
        }
    }
    let results = s.insts[holder].results.clone();
    let mut b = Builder::new(&mut s);
    b.span = span;
    if border.open {
        // The iteration in which the loop was left counts.
        let end = b.cast(Type::I64, results[0]);
        let start = b.cast(Type::I64, parameters[0]);
        let whole = b.sub(end, start);
        let left = b.lt(results[0], parameters[1]);
        let left = b.cast(Type::I64, left);
        let ran = b.add(whole, left);
        b.store(parameters[2], ran);
        b.store(parameters[3], left);
    }
    if let (true, Some((lower, step))) = (border.open, lower_step)
        && let Some(item) = items.last()
    {
        let index = match plain {
            true => results[0],
            false => {
                let count = b.cast(item.ty, results[0]);
                let distance = b.mul(count, step);
                b.add(lower, distance)
            }
        };
        b.store(parameters[item.inner], index);
    }
    let mut finals = results[1..].iter();
    for item in items {
        let place = match item.kind {
            Kind::CarriedNumber => parameters[item.inner],
            Kind::Carried => parameters[item.inner + 1],
            _ => continue,
        };
        if let Some(&v) = finals.next() {
            b.store(place, v);
        }
    }
    b.ret(&[]);
    replaced.apply(&mut s);
    Ok(s)
}

/// What `break` hands over goes to memory instead.
fn leave_through_memory(s: &mut Body, holder: Inst, slots: &[Value], carried: &[Value]) {
    let mut breaks = Vec::new();
    s.walk(|inst| {
        if matches!(s.insts[inst].op, Op::Break(t) if t == holder) {
            breaks.push(inst);
        }
    });
    for inst in breaks {
        let values = std::mem::replace(&mut s.insts[inst].args, carried.to_vec());
        let mut b = Builder::before(s, inst);
        for (&slot, v) in slots.iter().zip(values) {
            b.store(slot, v);
        }
    }
}

/// The function that runs all iterations.
fn loop_body(
    m: &mut Module,
    outlined: &Outlined,
    (ctype, names): (CTy, &[Option<String>]),
) -> Result<Body> {
    let Some(mut body) = Body::with_params(&m.types, ctype, names) else {
        return refuse(outlined.span, "what it uses has no value type");
    };
    let arguments = body.regions[body.entry].args.clone();
    let long = m.types.basic(Basic::Long);
    let mut b = Builder::new(&mut body);
    b.span = outlined.span;
    let first = arguments[super::LOWER];
    let trips = b.cast(outlined.index, arguments[super::TRIPS]);
    let last = b.add(first, trips);
    let mut args = vec![first, last];
    if outlined.open {
        args.push(b.slot(long, Some("ran")));
        args.push(b.slot(long, Some("left")));
    }
    for item in &outlined.items {
        for k in 0..item.kind.parameters() {
            args.push(arguments[item.outer + k]);
        }
    }
    let op = Op::Call(CallAttr {
        func: outlined.steps,
        extra: Vec::new(),
    });
    b.inst(op, args, &[]);
    b.ret(&[]);
    Ok(body)
}

/// How often a counted loop runs.
fn trips(b: &mut Builder<'_>, pred: Pred, bounds: [Value; 3]) -> Value {
    let [lower, upper, step] = bounds.map(|v| b.cast(Type::I64, v));
    let zero = b.int(Type::I64, 0);
    let one = b.int(Type::I64, 1);
    let (distance, stride) = match pred {
        Pred::Gt | Pred::Ge => (b.sub(lower, upper), b.neg(step)),
        _ => (b.sub(upper, lower), step),
    };
    let count = match pred {
        Pred::Ne => return b.div(distance, stride),
        Pred::Lt | Pred::Gt => b.sub(distance, one),
        Pred::Le | Pred::Ge => distance,
    };
    // The quotient of a negative distance is not rounded down: it is not used.
    let runs = b.ge(count, zero);
    let count = b.div(count, stride);
    let count = b.add(count, one);
    b.select(runs, count, zero)
}

/// Puts a call in the place of the loop.
fn replace(
    m: &mut Module,
    body: &mut Body,
    holder: Inst,
    border: &Border,
    outlined: &Outlined,
    whole: Func,
    given: &[state::Given],
) -> Result<()> {
    let data = body.insts[holder].clone();
    let entry = body.entry;
    // Objects are those of the function.
    let mut slots = Vec::new();
    let types: Vec<(CTy, Kind, String)> = outlined
        .items
        .iter()
        .map(|i| (i.ctype, i.kind, i.name.clone()))
        .collect();
    let mut b = Builder::at_end(body, entry);
    b.cursor.before = Some(0);
    b.span = data.span;
    for (t, kind, name) in types {
        let slot = match kind {
            Kind::Used => None,
            _ => {
                let slot = b.slot(t, Some(&name));
                let pointer = m.types.pointer(t);
                b.set_ctype(slot, pointer);
                Some(slot)
            }
        };
        slots.push(slot);
    }
    let mut b = Builder::before(body, holder);
    let (count, lower) = match &data.op {
        Op::For(attr) => {
            let bounds = [data.args[0], data.args[1], data.args[2]];
            let lower = match outlined.index == b.body.ty(data.args[0]) && is_plain(b.body, holder)
            {
                true => data.args[0],
                false => b.int(outlined.index, 0),
            };
            (trips(&mut b, attr.pred, bounds), lower)
        }
        _ => (b.int(Type::I64, i64::MAX.into()), b.int(outlined.index, 0)),
    };
    b.set_name(count, "trips");
    let mut args = vec![count, lower];
    let mut used = border.used.iter().copied();
    let mut initial = border.initial.iter().copied();
    for (item, slot) in outlined.items.iter().zip(&slots) {
        let v = match item.kind {
            Kind::Used | Kind::UsedNumber => used.next(),
            Kind::CarriedNumber | Kind::Carried => initial.next(),
            Kind::Result => None,
        };
        match (item.kind, v, *slot) {
            (Kind::Used, Some(v), _) => args.push(v),
            (Kind::Carried, Some(v), Some(slot)) => args.extend([v, slot]),
            (_, Some(v), Some(slot)) => {
                b.store(slot, v);
                args.push(slot);
            }
            (_, None, Some(slot)) => {
                // What leaves the loop is written there: until then it is nothing.
                let zero = b.zero_of(item.ty);
                b.store(slot, zero);
                args.push(slot);
            }
            _ => {}
        }
    }
    for one in given {
        let v = one.value(m, &mut b);
        args.push(v);
    }
    let op = Op::Call(CallAttr {
        func: whole,
        extra: Vec::new(),
    });
    b.inst(op, args, &[]);
    let mut replaced = Replacements::default();
    let mut results = data.results.iter().copied();
    if matches!(data.op, Op::For(_))
        && let Some(end) = results.next()
    {
        if let (true, Some(&Some(slot))) = (outlined.open, slots.last()) {
            let ty = b.body.ty(end);
            let index = b.load(ty, slot);
            replaced.set(end, index);
        } else {
            let ty = b.body.ty(end);
            let count = b.cast(ty, count);
            let distance = b.mul(count, data.args[2]);
            let index = b.add(data.args[0], distance);
            replaced.set(end, index);
        }
    }
    let counted = matches!(data.op, Op::For(_));
    for (item, slot) in outlined.items.iter().zip(&slots) {
        let comes_out = match item.kind {
            Kind::CarriedNumber | Kind::Carried => counted,
            Kind::Result => true,
            _ => false,
        };
        if let (true, Some(slot)) = (comes_out, *slot)
            && let Some(old) = results.next()
        {
            let v = b.load(item.ty, slot);
            b.body.values[v].name = b.body.values[old].name.clone();
            b.body.values[v].ctype = b.body.values[old].ctype;
            replaced.set(old, v);
        }
    }
    unlink(body, holder);
    replaced.apply(body);
    Ok(())
}
