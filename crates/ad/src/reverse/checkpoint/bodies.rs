//! The code of the two functions that a loop becomes, and the call in its place.

use super::border::{Border, is_plain, refuse};
use super::{Item, Kind, Outlined, Result, state};
use adjoin_ir::signature::Signature;
use adjoin_ir::{
    Basic, Body, Builder, CTy, CTypeKind, CallAttr, Cursor, ForAttr, Func, Inst, Module, Op, Pred,
    RegionData, Type, Value,
};
use adjoin_passes::edit::{Replacements, set_region_args, set_results, unlink};

/// The function that runs some iterations: the loop with other bounds.
pub(super) fn steps_body(
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
    s.insts[holder].op = Op::For(ForAttr::plain(Pred::Lt));
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
pub(super) fn loop_body(
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
pub(super) fn replace(
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
