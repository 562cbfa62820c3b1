//! What is active: which numbers depend on an active input, which objects hold such numbers, which pointers have a shadow, which instructions the reverse sweep
//! must mirror.
//!
//! Facts are about values *and* objects (see `points_to`): a load is varied only if an object that it may read holds active numbers, and an object has a shadow only if active
//! numbers, or pointers to memory with a shadow, may be stored in it. `solve` finds the facts, `bits` follows the bits of numbers that travel as integers, `check` refuses
//! what would be silently wrong.

pub(crate) mod bits;
pub(crate) mod bytewise;
pub(crate) mod carriers;
mod check;
pub(crate) mod crossing;
mod evidence;
pub(crate) mod file_scope;
mod from_integers;
mod layout;
pub(crate) mod numbers;
pub mod retype;
pub(crate) mod round_trips;
mod solve;
mod useful;

use crate::effects::Summaries;
use crate::known::{self, Known};
use crate::points_to::{Object, PointsTo};
use crate::{Activity, AdError, Registry, rules};
use adjoin_ir::{Body, CTy, CTypeKind, CTypes, Func, Global, Inst, Module, Op, Type, Value};
pub(crate) use check::{clears_by_advice, inactive_writes, written_by_inactive};
use cranelift_entity::{EntitySet, SecondaryMap};
pub use layout::Layout;
pub(crate) use layout::declared;
pub(crate) use solve::{holds_pointer, pointer_offsets};
use std::collections::{BTreeMap, BTreeSet};

/// What a pointer may have as its shadow.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Shadow {
    /// A shadow.
    pub some: bool,
    /// None: inactive memory.
    pub none: bool,
    /// None, although nobody said that the memory is inactive: it was set up before the call, or by code that is not known. Active data must not go there.
    pub lost: bool,
}

/// How an integer store overwrites an active number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Overwrite {
    /// All of it: its adjoint dies.
    Whole,
    /// A part, or perhaps nothing: a number of that type lies so many bytes from the address. It must not be read as a number again.
    Part(Type, i64),
}

/// How a parameter of a prepared body takes part.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Param {
    /// Inactive, as the user says: what is stored through it does not matter.
    Const,
    /// Always NULL: what uses it as an address does not run.
    Null,
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
    /// What the user says about functions and globals.
    pub registry: &'a Registry,
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
    /// Globals that active data is stored in, here or in what is called.
    pub globals: BTreeSet<Global>,
    /// Objects that may hold active numbers.
    pub numbers: BTreeSet<Object>,
    /// Objects that have a shadow: those, and those with pointers to such.
    pub shadowed: BTreeSet<Object>,
    /// Heap objects whose shadow is freed at the end of R, whoever frees the object.
    pub owned: BTreeSet<Object>,
    /// Instructions that free nothing but such objects.
    pub owned_frees: BTreeSet<Inst>,
    /// Loads of pointer variables at file scope that make a shadow for the block that they find.
    pub renewed: BTreeMap<Inst, Global>,
    /// What the bytes are that instructions copy or fill without a type of their own.
    pub layouts: BTreeMap<Inst, Layout>,
    /// Instructions that would put active data where no shadow is, and so must not run ([`Registry::late`]).
    pub stops: BTreeSet<Inst>,
    /// Copies of active numbers to memory that may lack a shadow although nobody said that it is inactive.
    pub guarded: BTreeSet<Inst>,
    /// Integer stores that overwrite an active number.
    pub overwrites: BTreeMap<Inst, Overwrite>,
    /// Instructions that have something to do in the reverse sweep, or hold one that has.
    pub active: EntitySet<Inst>,
}

impl Facts {
    /// What a pointer points to, as it was declared.
    pub fn pointee(&self, types: &CTypes, body: &Body, v: Value) -> Option<CTy> {
        layout::declared(types, body, v)
    }
}

/// Is it a number with a derivative?
pub fn is_number(ty: Type) -> bool {
    ty.is_float() || ty.is_complex()
}

/// Is it the C library's `FILE`? Programs cannot keep numbers in it.
pub(crate) fn is_stream(types: &CTypes, t: CTy) -> bool {
    let tag = types
        .record(t)
        .and_then(|r| types.records[r].tag.as_deref());
    matches!(tag, Some("_IO_FILE" | "__sFILE"))
}

/// Does a type hold numbers or pointers?
pub fn holds_data(types: &CTypes, t: CTy) -> bool {
    match &*types.memory_shape(t) {
        CTypeKind::Basic(b) => b.is_float() || b.is_complex(),
        CTypeKind::Pointer(p) => {
            !matches!(types.shape(*p), CTypeKind::Function { .. }) && !is_stream(types, *p)
        }
        CTypeKind::Array { elem, .. } | CTypeKind::Vla { elem, .. } => holds_data(types, *elem),
        CTypeKind::Record(r) => match &types.records[*r].fields {
            Some(fields) => fields.iter().any(|f| holds_data(types, f.ty)),
            None => true,
        },
        CTypeKind::Void => true,
        _ => false,
    }
}

/// Can a pointer lead to numbers, as it is declared?
pub(crate) fn leads_to_data(types: &CTypes, body: &Body, v: Value) -> bool {
    let pointee = body.values[v].ctype.and_then(|t| types.pointee(t));
    pointee.is_none_or(|t| may_be_data(types, t))
}

/// Can memory of a declared type hold numbers, or pointers to such?
pub(crate) fn may_be_data(types: &CTypes, mut t: CTy) -> bool {
    while let Some(e) = types.element(t) {
        t = e;
    }
    match types.shape(t) {
        // Bytes may be anything.
        CTypeKind::Basic(b) => b.is_float() || b.is_complex() || b.size() == 1,
        CTypeKind::Function { .. } => false,
        _ => !is_stream(types, t),
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

/// The name of the variable behind an address, for messages: of the pointer's own, or of where it was found.
pub fn variable<'a>(module: &'a Module, body: &'a Body, address: Value) -> &'a str {
    let mut base = root(body, address);
    loop {
        let def = body.def_inst(base).map(|i| &body.insts[i]);
        let name = match def.map(|d| &d.op) {
            Some(Op::Slot(attr) | Op::SlotVla(attr)) => attr.name.as_deref(),
            Some(Op::GlobalAddr(g)) => Some(&*module.globals[*g].name),
            _ => body.values[base].name.as_deref(),
        };
        match (name, def) {
            (Some(name), _) => return name,
            (None, Some(d)) if matches!(d.op, Op::Load(_)) => base = root(body, d.args[0]),
            _ => return "memory",
        }
    }
}

/// The name of a called function, if it is called by name.
pub fn callee<'a>(module: &'a Module, op: &Op) -> Option<&'a str> {
    match op {
        Op::Call(attr) => Some(&module.funcs[attr.func].name),
        Op::Mpi(attr) => Some(&module.funcs[attr.func].name),
        _ => None,
    }
}

/// What a call is to differentiation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A library function with a meaning of its own.
    Known(Known),
    /// A function with a row in the table of rules.
    Rule,
    /// A function that the user says is inactive.
    Inactive,
    /// A function with a derivative of the user's.
    Custom,
    /// An MPI function that exchanges data.
    Mpi(&'static adjoin_ir::mpi::MpiCall),
    /// A function that finds shadows, in a derivative.
    Outside,
    /// A function with a body, which was not inlined.
    Body(Func),
    /// Nothing is known.
    Unknown,
}

/// What a call is to differentiation.
pub fn kind(module: &Module, registry: &Registry, op: &Op) -> Kind {
    let Op::Call(attr) = op else {
        return Kind::Unknown;
    };
    let function = &module.funcs[attr.func];
    if registry.inactive.contains(&attr.func) {
        return Kind::Inactive;
    }
    if registry.gradients.contains_key(&attr.func) || registry.derivatives.contains_key(&attr.func)
    {
        return Kind::Custom;
    }
    if let Some(allocator) = registry.allocators.get(&attr.func) {
        return Kind::Known(Known::Malloc(allocator.size));
    }
    if registry
        .allocators
        .values()
        .any(|a| a.free == Some(attr.func))
    {
        return Kind::Known(Known::Free);
    }
    let name = match registry.like.get(&attr.func) {
        Some(name) => name,
        None if function.body.is_some() => return Kind::Body(attr.func),
        None => &function.name,
    };
    if known::outside::ALL.contains(&name.as_str()) {
        return Kind::Outside;
    }
    if let Some(call) = crate::mpi::communication(name) {
        Kind::Mpi(call)
    } else if let Some((rule, _)) = rules::lookup(name) {
        match rule.is_constant() {
            true => Kind::Known(Known::Inactive),
            false => Kind::Rule,
        }
    } else if let Some(known) = known::lookup(name) {
        Kind::Known(known)
    } else {
        Kind::Unknown
    }
}

/// Computes the facts, and refuses what would be silently wrong.
pub fn analyse(module: &Module, body: &Body, inputs: Inputs<'_>) -> Result<Facts, AdError> {
    let points = PointsTo::of_body(module, inputs.registry, None, body);
    let solve = || solve::solve(module, body, inputs, &points);
    let mut facts = adjoin_passes::registry::step("activity", solve);
    layout::find(module, inputs.registry, body, &points, &mut facts);
    bits::check(module, body, &points, inputs.registry, &mut facts)?;
    check::check(module, inputs.registry, body, &points, &mut facts)?;
    Ok(facts)
}

/// Computes the facts, without looking for what must be refused.
pub fn solve(module: &Module, body: &Body, inputs: Inputs<'_>) -> Facts {
    let points = PointsTo::of_body(module, inputs.registry, None, body);
    let solve = || solve::solve(module, body, inputs, &points);
    adjoin_passes::registry::step("activity", solve)
}

/// The function with a body that an instruction calls.
pub fn defined_callee(module: &Module, op: &Op) -> Option<Func> {
    match op {
        Op::Call(attr) if module.funcs[attr.func].body.is_some() => Some(attr.func),
        _ => None,
    }
}
