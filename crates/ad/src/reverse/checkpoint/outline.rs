//! Makes functions of loops that are to be checkpointed.

use super::super::pairs::{Prepared, parameter_type, unused_name};
use super::bodies::{loop_body, replace, steps_body};
use super::border::{Border, Parameters, declared, is_plain, refuse};
use super::state::{self, Around};
use super::{FIRST_ITEM, Item, Kind, Outlined, Result};
use crate::Session;
use crate::activity::is_number;
use crate::effects::Summaries;
use crate::plan::report::{Layout, Report};
use crate::points_to::{Disjoint, PointsTo};
use adjoin_ir::{Basic, Body, CTy, Checkpoint, Function, Inst, Module, Op, Span, Type, Value};
use adjoin_passes::edit::unlink;
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
