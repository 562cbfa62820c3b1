//! What is active: which numbers depend on an active input, which pointers have a shadow, which instructions the reverse sweep must mirror.

use crate::known::{self, Known};
use crate::effects::Summaries;
use crate::{Activity, AdError, rules};
use adjoin_ir::{Body, CTy, CTypeKind, CTypes, Func, Global, Inst, Module, Op, Type, Value};
use cranelift_entity::{EntitySet, SecondaryMap};
use std::collections::BTreeSet;

/// What a pointer may have as its shadow.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Shadow {
    /// A shadow.
    pub some: bool,
    /// None: inactive memory.
    pub none: bool,
}

impl Shadow {
    fn join(self, other: Shadow) -> Shadow {
        Shadow {
            some: self.some | other.some,
            none: self.none | other.none,
        }
    }
}

const ACTIVE: Shadow = Shadow {
    some: true,
    none: false,
};
const INACTIVE: Shadow = Shadow {
    some: false,
    none: true,
};
const UNSURE: Shadow = Shadow {
    some: true,
    none: true,
};

/// How a parameter of a prepared body takes part.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Param {
    /// Inactive, as the user says: what is stored through it does not matter.
    Const,
    /// Without a shadow: active data must not be stored through it.
    Inactive,
    /// A pointer with a shadow.
    Dup,
    /// A pointer whose shadow may be NULL, for memory that is inactive.
    Unsure,
    /// A number whose adjoint is asked for.
    Out,
}

impl Param {
    /// Does a shadow follow it?
    pub fn has_shadow(self) -> bool {
        matches!(self, Param::Dup | Param::Unsure)
    }
}

impl From<Activity> for Param {
    fn from(activity: Activity) -> Param {
        match activity {
            Activity::Const => Param::Const,
            Activity::Dup | Activity::DupNoNeed => Param::Dup,
            Activity::Out => Param::Out,
        }
    }
}

/// What is known before a body is looked at.
#[derive(Clone, Copy, Debug)]
pub struct Inputs<'a> {
    /// One per parameter.
    pub params: &'a [Param],
    /// Globals that are active because of other functions.
    pub globals: &'a BTreeSet<Global>,
    /// What called functions do.
    pub summaries: &'a Summaries,
}

/// The facts about a body.
#[derive(Clone, Debug)]
pub struct Facts {
    /// One per parameter.
    pub params: Vec<Param>,
    /// Numbers that depend on an active input.
    pub varied: EntitySet<Value>,
    /// Shadows of pointers.
    pub shadow: SecondaryMap<Value, Shadow>,
    /// Globals that active data is stored in.
    pub globals: BTreeSet<Global>,
    /// Instructions that have something to do in the reverse sweep, or hold one that has.
    pub active: EntitySet<Inst>,
}

/// Is it a number with a derivative?
pub fn is_number(ty: Type) -> bool {
    ty.is_float() || ty.is_complex()
}

/// Does a type hold numbers or pointers?
pub fn holds_data(types: &CTypes, t: CTy) -> bool {
    match types.shape(t) {
        CTypeKind::Basic(b) => b.is_float() || b.is_complex(),
        CTypeKind::Pointer(p) => !matches!(types.shape(*p), CTypeKind::Function { .. }),
        CTypeKind::Array { elem, .. } | CTypeKind::Vla { elem, .. } => holds_data(types, *elem),
        CTypeKind::Record(r) => match &types.records[*r].fields {
            Some(fields) => fields.iter().any(|f| holds_data(types, f.ty)),
            None => true,
        },
        CTypeKind::Void => true,
        _ => false,
    }
}

/// The copies that control flow makes: from an operand of an instruction with regions or of an exit to a region argument or result.
pub fn flows(body: &Body) -> Vec<(Value, Value)> {
    let mut edges = Vec::new();
    body.walk(|inst| {
        let data = &body.insts[inst];
        match data.op {
            Op::For(_) => {
                let args = &body.regions[data.regions[0]].args;
                for (j, &arg) in args.iter().enumerate().skip(1) {
                    edges.push((data.args[j + 2], arg));
                    edges.push((arg, data.results[j]));
                }
            }
            Op::Loop => {
                let args = &body.regions[data.regions[0]].args;
                edges.extend(data.args.iter().copied().zip(args.iter().copied()));
            }
            Op::Switch(_) => {
                for &region in &data.regions {
                    edges.extend(
                        data.args[1..]
                            .iter()
                            .copied()
                            .zip(body.regions[region].args.iter().copied()),
                    );
                }
                // All regions take the same arguments, so facts about one are facts about all.
                for pair in data.regions.windows(2) {
                    for (&a, &b) in body.regions[pair[0]]
                        .args
                        .iter()
                        .zip(&body.regions[pair[1]].args)
                    {
                        edges.extend([(a, b), (b, a)]);
                    }
                }
            }
            Op::Par(ref attr) => {
                // Region arguments are the addresses inside; a section's length is one more operand.
                let mut operand = 0;
                let mut argument = 0;
                for clause in &attr.clauses {
                    if clause.region_args() == 1 {
                        edges.push((
                            data.args[operand],
                            body.regions[data.regions[0]].args[argument],
                        ));
                        argument += 1;
                    }
                    operand += clause.operands();
                }
            }
            Op::Yield | Op::Break(_) | Op::Continue(_) | Op::Fallthrough(_) => {
                let Some(target) = adjoin_passes::edit::exit_target(body, inst) else {
                    return;
                };
                let holder = &body.insts[target];
                let to: Vec<Value> = match (&data.op, &holder.op) {
                    (Op::Break(_), Op::For(_)) => holder.results[1..].to_vec(),
                    (Op::Break(_), _) => holder.results.clone(),
                    (Op::Fallthrough(_), _) => {
                        let here = holder
                            .regions
                            .iter()
                            .position(|&r| body.encloses(r, data.parent));
                        match here.and_then(|k| holder.regions.get(k + 1)) {
                            Some(&next) => body.regions[next].args.clone(),
                            None => Vec::new(),
                        }
                    }
                    (_, Op::For(_)) => body.regions[holder.regions[0]].args[1..].to_vec(),
                    (_, Op::Loop) => body.regions[holder.regions[0]].args.clone(),
                    _ => holder.results.clone(),
                };
                edges.extend(data.args.iter().copied().zip(to));
            }
            _ => {}
        }
    });
    edges
}

/// The pointer that an address is computed from.
pub fn root(body: &Body, mut v: Value) -> Value {
    while let Some(inst) = body.def_inst(v) {
        let data = &body.insts[inst];
        match data.op {
            Op::Addr(_) => v = data.args[0],
            Op::Cast if body.ty(data.args[0]) == Type::Ptr => v = data.args[0],
            _ => break,
        }
    }
    v
}

/// Computes the facts, and refuses what would be silently wrong.
pub fn analyse(module: &Module, body: &Body, inputs: Inputs<'_>) -> Result<Facts, AdError> {
    let facts = solve(module, body, inputs);
    let edges = flows(body);
    let mut order = Vec::new();
    body.walk(|inst| order.push(inst));
    check_bits(module, body, &facts, &order, &edges)?;
    order
        .iter()
        .try_for_each(|&inst| check(module, body, &facts, inst))?;
    Ok(facts)
}

/// Computes the facts.
pub fn solve(module: &Module, body: &Body, inputs: Inputs<'_>) -> Facts {
    let mut facts = Facts {
        params: inputs.params.to_vec(),
        varied: EntitySet::new(),
        shadow: SecondaryMap::new(),
        globals: inputs.globals.clone(),
        active: EntitySet::new(),
    };
    for (k, &v) in body.regions[body.entry].args.iter().enumerate() {
        let param = inputs.params.get(k).copied().unwrap_or(Param::Const);
        match body.ty(v) {
            Type::Ptr => {
                facts.shadow[v] = match param {
                    Param::Dup => ACTIVE,
                    Param::Unsure => UNSURE,
                    _ => INACTIVE,
                }
            }
            ty if is_number(ty) && param == Param::Out => drop(facts.varied.insert(v)),
            _ => {}
        }
    }
    let edges = flows(body);
    let mut order = Vec::new();
    body.walk(|inst| order.push(inst));
    loop {
        let mut changed = false;
        for &inst in &order {
            changed |= step(module, body, &mut facts, inputs.summaries, inst);
        }
        for &(from, to) in &edges {
            let shadow = facts.shadow[from];
            changed |= widen(&mut facts, to, shadow);
            if facts.varied.contains(from) {
                changed |= facts.varied.insert(to);
            }
        }
        if !changed {
            break;
        }
    }
    mark_active(module, body, &mut facts, inputs.summaries, &order);
    facts
}

/// The function with a body that an instruction calls.
pub fn defined_callee(module: &Module, op: &Op) -> Option<Func> {
    match op {
        Op::Call(attr) if module.funcs[attr.func].body.is_some() => Some(attr.func),
        _ => None,
    }
}

/// Does active data reach a called function with a body, through arguments or globals?
fn reaches(
    body: &Body,
    facts: &Facts,
    summaries: &Summaries,
    inst: Inst,
    callee: Func,
) -> bool {
    let data = &body.insts[inst];
    if summaries.is_inactive(callee) {
        return false;
    }
    data.args
        .iter()
        .any(|&a| facts.varied.contains(a) || facts.shadow[a].some)
        || summaries
            .get(callee)
            .is_none_or(|e| e.globals.iter().any(|g| facts.globals.contains(g)))
}

/// Can the result of a called function with a body point to memory with a shadow?
fn returns_shadow(
    module: &Module,
    body: &Body,
    facts: &Facts,
    summaries: &Summaries,
    inst: Inst,
    callee: Func,
) -> bool {
    let points_to_data = match module.types.shape(module.funcs[callee].ctype) {
        CTypeKind::Function { ret, .. } => module
            .types
            .pointee(*ret)
            .is_some_and(|t| holds_data(&module.types, t)),
        _ => false,
    };
    points_to_data
        && !summaries.is_inactive(callee)
        && (reaches(body, facts, summaries, inst, callee)
            || summaries.get(callee).is_none_or(|e| e.allocates))
}

/// Integers that hold the bits of active numbers (read through a union, or through a pointer to an integer type) have no derivative: copying them is
/// not followed yet, and arithmetic on them cannot be.
fn check_bits(
    module: &Module,
    body: &Body,
    facts: &Facts,
    order: &[Inst],
    edges: &[(Value, Value)],
) -> Result<(), AdError> {
    let types = &module.types;
    let mut bits: EntitySet<Value> = EntitySet::new();
    loop {
        let mut changed = false;
        for &inst in order {
            let data = &body.insts[inst];
            let Some(&v) = data.results.first() else {
                continue;
            };
            if !body.ty(v).is_int() || !data.regions.is_empty() {
                continue;
            }
            let found = match &data.op {
                Op::Load(_) => {
                    facts.shadow[data.args[0]].some && reinterprets(types, body, data.args[0])
                }
                op => op.is_pure() && data.args.iter().any(|&a| bits.contains(a)),
            };
            changed |= found && bits.insert(v);
        }
        for &(from, to) in edges {
            changed |= bits.contains(from) && bits.insert(to);
        }
        if !changed {
            break;
        }
    }
    for &inst in order {
        let data = &body.insts[inst];
        if let Op::Store(_) = data.op
            && bits.contains(data.args[1])
            && facts.shadow[data.args[0]].some
        {
            let name = variable(module, body, data.args[0]);
            return Err(AdError::new(
                data.span,
                format!("'{name}': the bits of an active number are stored as an integer"),
            ));
        }
    }
    Ok(())
}

/// Does an address of an integer point where a number lies?
fn reinterprets(types: &CTypes, body: &Body, address: Value) -> bool {
    let mut v = address;
    while let Some(inst) = body.def_inst(v) {
        let data = &body.insts[inst];
        match &data.op {
            Op::Addr(attr) => {
                let through_union = attr.steps.iter().any(|s| match s {
                    adjoin_ir::Step::Field { record, .. } => {
                        let data = &types.records[*record];
                        data.is_union
                            && data
                                .fields
                                .iter()
                                .flatten()
                                .any(|f| holds_data(types, f.ty))
                    }
                    _ => false,
                });
                if through_union {
                    return true;
                }
                v = data.args[0];
            }
            Op::Cast if body.ty(data.args[0]) == Type::Ptr => {
                let pointee = body.values[data.args[0]]
                    .ctype
                    .and_then(|t| types.pointee(t));
                let number = |t: CTy| {
                    types
                        .arithmetic(t)
                        .is_some_and(|b| b.is_float() || b.is_complex())
                };
                if pointee.is_some_and(number) {
                    return true;
                }
                v = data.args[0];
            }
            // An object that is declared as a number.
            Op::Slot(attr) => {
                return types
                    .arithmetic(attr.ctype)
                    .is_some_and(|b| b.is_float() || b.is_complex());
            }
            _ => return false,
        }
    }
    let pointee = body.values[v].ctype.and_then(|t| types.pointee(t));
    pointee
        .and_then(|t| types.arithmetic(t))
        .is_some_and(|b| b.is_float() || b.is_complex())
}

/// The name of the variable behind an address, for messages.
fn variable<'a>(module: &'a Module, body: &'a Body, address: Value) -> &'a str {
    let base = root(body, address);
    let slot = body.def_inst(base).map(|i| &body.insts[i].op);
    match slot {
        Some(Op::Slot(attr) | Op::SlotVla(attr)) => attr.name.as_deref(),
        Some(Op::GlobalAddr(g)) => Some(&*module.globals[*g].name),
        _ => body.values[base].name.as_deref(),
    }
    .unwrap_or("memory")
}

/// What would be silently wrong is an error.
fn check(module: &Module, body: &Body, facts: &Facts, inst: Inst) -> Result<(), AdError> {
    let data = &body.insts[inst];
    let fail = |what: String| Err(AdError::new(data.span, what));
    match &data.op {
        Op::Load(_) | Op::Store(_) => {
            let base = root(body, data.args[0]);
            let value = if data.results.is_empty() {
                data.args[1]
            } else {
                data.results[0]
            };
            if !is_number(body.ty(value)) {
                return Ok(());
            }
            let def = body.def_inst(base).map(|i| &body.insts[i]);
            if def.is_some_and(|d| matches!(d.op, Op::Cast)) {
                return fail(
                    "an access through a pointer that was made from an integer".to_string(),
                );
            }
            let is_parameter = body.regions[body.entry]
                .args
                .iter()
                .position(|&v| v == base)
                .is_some_and(|k| facts.params.get(k) != Some(&Param::Inactive));
            let stores = matches!(data.op, Op::Store(_));
            if stores
                && facts.varied.contains(value)
                && !facts.shadow[data.args[0]].some
                && !is_parameter
            {
                let name = variable(module, body, data.args[0]);
                return fail(format!(
                    "a store of active data to '{name}': it has no shadow"
                ));
            }
        }
        Op::Call(attr) => {
            let function = &module.funcs[attr.func];
            if function.body.is_some() {
                return Ok(());
            }
            // What is not known may read and write any global that it can see.
            let known = known::lookup(&function.name).is_some()
                || rules::lookup(&function.name).is_some();
            if !known && !facts.globals.is_empty() {
                return fail(format!(
                    "a call of '{}': its body is not known, and globals are active",
                    function.name
                ));
            }
        }
        Op::CallIndirect(_) if !facts.globals.is_empty() => {
            return fail("a call through a pointer while globals are active".to_string());
        }
        _ => {}
    }
    Ok(())
}

fn widen(facts: &mut Facts, v: Value, shadow: Shadow) -> bool {
    let joined = facts.shadow[v].join(shadow);
    let changed = joined != facts.shadow[v];
    facts.shadow[v] = joined;
    changed
}

/// The name of a called function, if it is called by name.
pub fn callee<'a>(module: &'a Module, op: &Op) -> Option<&'a str> {
    match op {
        Op::Call(attr) => Some(&module.funcs[attr.func].name),
        Op::Mpi(attr) => Some(&module.funcs[attr.func].name),
        _ => None,
    }
}

fn step(
    module: &Module,
    body: &Body,
    facts: &mut Facts,
    summaries: &Summaries,
    inst: Inst,
) -> bool {
    let data = &body.insts[inst];
    let types = &module.types;
    let any_varied = data.args.iter().any(|&a| facts.varied.contains(a));
    let mut changed = false;
    if let Some(callee) = defined_callee(module, &data.op) {
        for &v in &data.results {
            if body.ty(v) == Type::Ptr {
                let shadow = match returns_shadow(module, body, facts, summaries, inst, callee) {
                    true => UNSURE,
                    false => INACTIVE,
                };
                changed |= widen(facts, v, shadow);
            } else if is_number(body.ty(v)) && reaches(body, facts, summaries, inst, callee) {
                changed |= facts.varied.insert(v);
            }
        }
        return changed;
    }
    if let Op::Store(_) = data.op {
        // Active data in a global makes it active.
        let carries = facts.varied.contains(data.args[1]) || facts.shadow[data.args[1]].some;
        let base = root(body, data.args[0]);
        if carries
            && let Some(def) = body.def_inst(base)
            && let Op::GlobalAddr(g) = body.insts[def].op
        {
            changed |= facts.globals.insert(g);
        }
    }
    for &v in &data.results {
        let ty = body.ty(v);
        if ty == Type::Ptr {
            let shadow = match &data.op {
                Op::Const(_) => Shadow::default(),
                Op::Slot(attr) | Op::SlotVla(attr) => {
                    if holds_data(types, attr.ctype) {
                        ACTIVE
                    } else {
                        INACTIVE
                    }
                }
                Op::Alloca => ACTIVE,
                Op::GlobalAddr(g) => {
                    if facts.globals.contains(g) {
                        ACTIVE
                    } else {
                        INACTIVE
                    }
                }
                Op::FuncAddr(_) => INACTIVE,
                Op::Addr(_) => facts.shadow[data.args[0]],
                Op::Cast if body.ty(data.args[0]) == Type::Ptr => facts.shadow[data.args[0]],
                Op::Cast => INACTIVE,
                Op::Select => facts.shadow[data.args[1]].join(facts.shadow[data.args[2]]),
                Op::Load(_) => match facts.shadow[data.args[0]] {
                    Shadow { some: true, .. } => UNSURE,
                    other => other,
                },
                Op::Call(_) => match callee(module, &data.op).and_then(known::lookup) {
                    Some(Known::Malloc(_) | Known::Calloc | Known::Realloc) => ACTIVE,
                    Some(Known::Copy | Known::Fill) => facts.shadow[data.args[0]],
                    _ => INACTIVE,
                },
                _ => Shadow::default(),
            };
            changed |= widen(facts, v, shadow);
        } else if is_number(ty) && data.regions.is_empty() {
            let varied = match &data.op {
                Op::Load(_) => facts.shadow[data.args[0]].some,
                Op::Call(_) => {
                    any_varied
                        && callee(module, &data.op).is_none_or(|n| {
                            rules::lookup(n).is_some()
                                || known::lookup(n).is_none()
                        })
                }
                _ => any_varied,
            };
            if varied {
                changed |= facts.varied.insert(v);
            }
        }
    }
    changed
}

/// An instruction is active if it computes a varied number, or writes numbers to memory with a shadow.
fn mark_active(
    module: &Module,
    body: &Body,
    facts: &mut Facts,
    summaries: &Summaries,
    order: &[Inst],
) {
    for &inst in order {
        let data = &body.insts[inst];
        let own = match &data.op {
            Op::Store(_) => is_number(body.ty(data.args[1])) && facts.shadow[data.args[0]].some,
            Op::Copy(_) | Op::Zero(_) => facts.shadow[data.args[0]].some,
            Op::Slot(_) | Op::SlotVla(_) | Op::Alloca => facts.shadow[data.results[0]].some,
            Op::Call(attr) if module.funcs[attr.func].body.is_some() => {
                reaches(body, facts, summaries, inst, attr.func)
                    || data.results.iter().any(|&v| facts.shadow[v].some)
            }
            Op::Call(_) => {
                let known = callee(module, &data.op).and_then(known::lookup);
                match known {
                    Some(Known::Inactive) => false,
                    Some(_) => data
                        .args
                        .iter()
                        .chain(&data.results)
                        .any(|&v| facts.shadow[v].some),
                    None => data
                        .results
                        .iter()
                        .chain(&data.args)
                        .any(|&v| facts.varied.contains(v) || facts.shadow[v].some),
                }
            }
            Op::CallIndirect(_) | Op::Mpi(_) => data
                .results
                .iter()
                .chain(&data.args)
                .any(|&v| facts.varied.contains(v) || facts.shadow[v].some),
            op if op.is_terminator() => data.args.iter().any(|&v| facts.varied.contains(v)),
            _ => data.results.iter().any(|&v| facts.varied.contains(v)),
        };
        if own {
            let mut at = Some(inst);
            while let Some(inst) = at {
                if !facts.active.insert(inst) {
                    break;
                }
                at = body.regions[body.insts[inst].parent].parent;
            }
        }
    }
}
