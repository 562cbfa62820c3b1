//! What a call of an entry point asks for, from its name and its arguments.
//!
//! The same words mean the same in C text and in the IR: a caller describes each argument as a [`Marker`](Argument::marker) or as a value of a C type, and gets a
//! [`Specification`], in which every argument has its [`Role`].

mod batch;

use crate::{Activity, Extent, Request};
use adjoin_ir::ctype_print::CPrinter;
use adjoin_ir::{Basic, CTy, CTypeKind, CTypes, Func, Module};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The entry points.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Entry {
    /// `__enzyme_autodiff`: reverse mode, both sweeps.
    Gradient,
    /// `__enzyme_fwddiff`: forward mode.
    Tangent,
    /// `__enzyme_error_estimate`: forward mode, for errors instead of tangents.
    Errors,
    /// `__enzyme_augmentsize`: the bytes that a tape needs.
    TapeSize,
    /// `__enzyme_augmentfwd`: the forward sweep.
    Augmented,
    /// `__enzyme_reverse`: the reverse sweep.
    Reverse,
    /// `__enzyme_virtualreverse`: the shadow of a function pointer.
    Shadow,
    /// `__enzyme_batch`: the function itself, for several sets of arguments.
    Batch,
    /// `__enzyme_iter`: its first argument.
    Identity,
    /// `__enzyme_ptr_size_hint`, `__enzyme_set_checkpointing`, …: says how to differentiate, and changes no derivative.
    Hint,
    /// `__enzyme_truncate_op_func`, `__enzyme_truncate_mem_func`: the function in lower precision.
    Truncated,
    /// `__enzyme_truncate_mem_value`: a number in lower precision.
    Rounded,
    /// A name that looks like an entry point and is none.
    Unknown,
}

impl Entry {
    /// Is it forward mode?
    pub fn is_forward(self) -> bool {
        matches!(self, Entry::Tangent | Entry::Errors)
    }
}

/// The entry point that a function without a body is, by its name.
pub fn entry_point(name: &str) -> Option<Entry> {
    const WORDS: &[(&str, Entry)] = &[
        ("__enzyme_autodiff", Entry::Gradient),
        ("__enzyme_fwddiff", Entry::Tangent),
        ("__enzyme_augmentsize", Entry::TapeSize),
        ("__enzyme_augmentfwd", Entry::Augmented),
        ("__enzyme_reverse", Entry::Reverse),
        ("__enzyme_virtualreverse", Entry::Shadow),
        ("__enzyme_iter", Entry::Identity),
        ("__enzyme_ptr_size_hint", Entry::Hint),
        ("__enzyme_set_checkpointing", Entry::Hint),
        ("__enzyme_set_fixed_point", Entry::Hint),
        ("__enzyme_set_mincut", Entry::Hint),
        ("__enzyme_batch", Entry::Batch),
        ("__enzyme_error_estimate", Entry::Errors),
        ("__enzyme_truncate_op_func", Entry::Truncated),
        ("__enzyme_truncate_mem_func", Entry::Truncated),
        ("__enzyme_truncate_mem_value", Entry::Rounded),
        ("__enzyme_expand_mem_value", Entry::Identity),
        ("__enzyme_", Entry::Unknown),
    ];
    WORDS
        .iter()
        .find(|(word, _)| name.contains(word))
        .map(|&(_, entry)| entry)
}

/// An argument of a call, the function aside.
#[derive(Clone, Debug)]
pub struct Argument {
    /// The name of the marker that it is.
    pub marker: Option<String>,
    /// Its value, if it is a constant integer.
    pub constant: Option<i128>,
    /// Its C type.
    pub ctype: CTy,
}

/// What an argument is for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Role {
    /// It has been understood, and is not passed on.
    Dropped,
    /// The value of a parameter.
    Primal(u32),
    /// A shadow of a parameter, by direction; in a batch, its value in one of the sets.
    Shadow(u32, u32),
    /// The bytes between the shadows of a parameter.
    Stride(u32),
    /// A seed of the result, by direction.
    Seed(u32),
    /// The tape.
    Tape,
    /// The size of memory that the caller provides for the tape.
    Allocated,
}

/// How one parameter takes part.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Parameter {
    /// Its activity.
    pub activity: Activity,
    /// One shadow pointer stands for all directions, at a stride.
    pub strided: bool,
}

/// What a call asks for.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Specification {
    /// The entry point.
    pub entry: Entry,
    /// The function to differentiate.
    pub func: Func,
    /// One per parameter.
    pub params: Vec<Parameter>,
    /// How many directions at once.
    pub width: u32,
    /// The result is active.
    pub active_return: bool,
    /// The primal result is returned as well.
    pub primal_return: bool,
    /// 0 times anything is 0.
    pub strong_zero: bool,
    /// Shadows that equal their primals are inactive.
    pub runtime_activity: bool,
    /// The tape's memory is the caller's.
    pub caller_tape: bool,
    /// The reverse sweep does not free the tape.
    pub no_free: bool,
    /// What the call returns.
    pub result: CTy,
    /// One per argument.
    pub roles: Vec<Role>,
    /// Pairs of parameters that the call gives pointers to different objects.
    pub disjoint: BTreeSet<(u32, u32)>,
    /// Integers that the call passes as constants, by parameter.
    pub constants: BTreeMap<u32, i128>,
    /// How far the memory of arguments reaches, by parameter.
    pub extents: BTreeMap<u32, Extent>,
}

/// Why a call is malformed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Malformed {
    /// The argument, if one is to blame (counted without the function).
    pub argument: Option<usize>,
    /// What was expected.
    pub message: String,
}

fn malformed<T>(argument: Option<usize>, message: impl Into<String>) -> Result<T, Malformed> {
    Err(Malformed {
        argument,
        message: message.into(),
    })
}

/// Does a type hold numbers, and does it hold pointers?
pub fn contents(types: &CTypes, t: CTy) -> (bool, bool) {
    match types.shape(t) {
        CTypeKind::Basic(b) => (b.is_float() || b.is_complex(), false),
        CTypeKind::Pointer(_) => (false, true),
        CTypeKind::Array { elem, .. } | CTypeKind::Vector { elem, .. } => contents(types, *elem),
        CTypeKind::Record(r) => types.records[*r].fields.iter().flatten().fold(
            (false, false),
            |(numbers, pointers), field| {
                let (n, p) = contents(types, field.ty);
                (numbers | n, pointers | p)
            },
        ),
        _ => (false, false),
    }
}

/// The scalars that a type consists of, in order.
pub fn leaves(types: &CTypes, t: CTy) -> Vec<CTy> {
    match &*types.memory_shape(t) {
        CTypeKind::Void => Vec::new(),
        CTypeKind::Array {
            elem,
            len: Some(len),
        } => {
            let one = leaves(types, *elem);
            (0..*len).flat_map(|_| one.iter().copied()).collect()
        }
        CTypeKind::Record(r) => {
            let record = &types.records[*r];
            let members = if record.is_union { 1 } else { usize::MAX };
            let fields = record.fields.iter().flatten().take(members);
            fields.flat_map(|f| leaves(types, f.ty)).collect()
        }
        _ => vec![t],
    }
}

/// Reads the arguments of a call.
struct Reader<'a> {
    arguments: &'a [Argument],
    at: usize,
    roles: Vec<Role>,
    types: &'a CTypes,
}

impl Reader<'_> {
    fn peek(&self) -> Option<&Argument> {
        self.arguments.get(self.at)
    }

    fn take(&mut self, role: Role) -> Option<usize> {
        let at = self.at;
        self.arguments.get(at)?;
        self.at += 1;
        self.roles[at] = role;
        Some(at)
    }

    /// The argument that a marker announces.
    fn value(&mut self, role: Role, after: &str, what: &str) -> Result<usize, Malformed> {
        match self.peek() {
            Some(a) if a.marker.is_none() => {}
            _ => {
                return malformed(
                    self.at.checked_sub(1),
                    format!("'{after}' must be followed by {what}"),
                );
            }
        }
        self.take(role).map_or_else(|| malformed(None, after), Ok)
    }

    fn integer(&mut self, role: Role, after: &str, what: &str) -> Result<usize, Malformed> {
        let at = self.value(role, after, what)?;
        let basic = self.types.arithmetic(self.arguments[at].ctype);
        if basic.is_none_or(|b| !b.is_integer()) {
            return malformed(
                Some(at),
                format!("'{after}' must be followed by {what}, an integer"),
            );
        }
        Ok(at)
    }
}

/// What has been said about the next parameter.
#[derive(Default)]
struct Pending {
    activity: Option<Activity>,
    strided: bool,
}

/// Understands a call of an entry point for a function of the module. `result` is what the call is declared to return.
pub fn specify(
    module: &Module,
    entry: Entry,
    func: Func,
    arguments: &[Argument],
    result: CTy,
) -> Result<Specification, Malformed> {
    let types = &module.types;
    let function = &module.funcs[func];
    let name = &function.name;
    let CTypeKind::Function {
        ret,
        params,
        variadic,
        ..
    } = types.shape(function.ctype)
    else {
        return malformed(None, format!("'{name}' is not a function"));
    };
    if *variadic && entry != Entry::Shadow {
        return malformed(
            None,
            format!("cannot differentiate '{name}': it has variable arguments"),
        );
    }
    let forward = entry.is_forward();
    let (numbers, pointers) = contents(types, *ret);
    let mut spec = Specification {
        entry,
        func,
        params: Vec::new(),
        width: 1,
        active_return: if entry == Entry::Gradient {
            numbers && !pointers
        } else {
            numbers || pointers
        },
        primal_return: false,
        strong_zero: false,
        runtime_activity: false,
        caller_tape: false,
        no_free: false,
        result: types.unqualified(result),
        roles: Vec::new(),
        disjoint: BTreeSet::new(),
        constants: BTreeMap::new(),
        extents: BTreeMap::new(),
    };
    if entry == Entry::Shadow {
        spec.roles = vec![Role::Dropped; arguments.len()];
        return Ok(spec);
    }
    spec.width = width(arguments)?;
    if entry == Entry::Batch {
        spec.roles = batch::roles(module, &mut spec, params, arguments)?;
        check_result(module, &spec, *ret)?;
        return Ok(spec);
    }
    let interleaved = arguments
        .iter()
        .any(|a| a.marker.as_deref() == Some("enzyme_interleave"));
    let mut reader = Reader {
        arguments,
        at: 0,
        roles: vec![Role::Dropped; arguments.len()],
        types,
    };
    let mut pending = Pending::default();
    let mut shadows_to_come = Vec::new();
    let mut seeds = 0;
    let seeded = numbers && !pointers;
    while let Some(argument) = reader.peek() {
        if let Some(word) = argument.marker.clone() {
            if word == "enzyme_interleave" {
                reader.take(Role::Dropped);
                break;
            }
            marker(&mut reader, &mut spec, &mut pending, &word)?;
            if entry == Entry::TapeSize
                && let Some(activity) = pending.activity.take()
            {
                spec.params.push(Parameter {
                    activity,
                    strided: false,
                });
            }
            continue;
        }
        let k = spec.params.len();
        let Some(&t) = params.get(k) else {
            extra(&mut reader, &spec, &mut seeds, seeded, name)?;
            continue;
        };
        let parameter = parameter(types, t, forward, &mut pending);
        check_activity(module, &spec, reader.at, k, t, parameter)?;
        spec.params.push(parameter);
        reader.take(Role::Primal(k as u32));
        if parameter.activity.has_shadow() {
            if interleaved {
                shadows_to_come.push(k);
            } else {
                shadows(&mut reader, module, &spec, k, parameter)?;
            }
        }
    }
    for k in shadows_to_come {
        let parameter = spec.params[k];
        shadows(&mut reader, module, &spec, k, parameter)?;
    }
    if interleaved {
        while let Some(argument) = reader.peek() {
            match argument.marker.clone() {
                Some(word) => marker(&mut reader, &mut spec, &mut pending, &word)?,
                None => extra(&mut reader, &spec, &mut seeds, seeded, name)?,
            }
        }
    }
    if entry == Entry::TapeSize {
        // What is not said is as usual.
        for &t in params.iter().skip(spec.params.len()) {
            spec.params
                .push(parameter(types, t, false, &mut Pending::default()));
        }
        if spec.params.len() > params.len() {
            return malformed(
                None,
                format!(
                    "too many markers: '{name}' has {}",
                    parameters(params.len())
                ),
            );
        }
    }
    if let Some(&t) = params.get(spec.params.len()) {
        let k = spec.params.len();
        let kind = parameter(types, t, forward, &mut pending).activity;
        let expected = if kind.has_shadow() {
            "its value and its shadow"
        } else {
            "its value"
        };
        return malformed(
            None,
            format!(
                "too few arguments: {} is missing, expected {expected}",
                describe(module, func, k)
            ),
        );
    }
    if entry == Entry::Reverse && !reader.roles.contains(&Role::Tape) {
        return malformed(
            None,
            "too few arguments: the tape of the forward sweep is missing",
        );
    }
    if seeds > 0 && seeds < spec.width {
        return malformed(None, "too few arguments: a seed of the result is missing");
    }
    // As in a gradient, a number is seeded with 1.
    let scalar = types.arithmetic(*ret).is_some();
    if seeds == 0 && entry == Entry::Reverse && spec.active_return && seeded && !scalar {
        return malformed(None, "too few arguments: the seed of the result is missing");
    }
    if entry == Entry::Reverse && spec.no_free {
        return malformed(
            None,
            "'enzyme_nofree' for a reverse sweep is not supported yet",
        );
    }
    if entry == Entry::Augmented && reader.roles.contains(&Role::Tape) && !spec.caller_tape {
        return malformed(
            None,
            "'enzyme_tape' for a forward sweep needs 'enzyme_allocated' with the size of its memory",
        );
    }
    spec.roles = reader.roles;
    check_result(module, &spec, *ret)?;
    Ok(spec)
}

/// The width is needed before anything else.
fn width(arguments: &[Argument]) -> Result<u32, Malformed> {
    const MOST: i128 = 1024;
    let Some(at) = arguments
        .iter()
        .position(|a| a.marker.as_deref() == Some("enzyme_width"))
    else {
        return Ok(1);
    };
    let n = arguments.get(at + 1).and_then(|a| a.constant);
    match n {
        Some(n) if (1..=MOST).contains(&n) => Ok(n as u32),
        _ => malformed(
            Some((at + 1).min(arguments.len() - 1)),
            format!("'enzyme_width' must be followed by a constant from 1 to {MOST}"),
        ),
    }
}

fn marker(
    reader: &mut Reader<'_>,
    spec: &mut Specification,
    pending: &mut Pending,
    word: &str,
) -> Result<(), Malformed> {
    let at = reader.at;
    reader.take(Role::Dropped);
    let activity = match word {
        "enzyme_const" => Some(Activity::Const),
        "enzyme_dup" | "enzyme_dupv" => Some(Activity::Dup),
        "enzyme_dupnoneed" | "enzyme_dupnoneedv" => Some(Activity::DupNoNeed),
        "enzyme_out" => Some(Activity::Out),
        _ => None,
    };
    if activity.is_some() {
        pending.activity = activity;
        if word.ends_with('v') {
            pending.strided = true;
            let k = spec.params.len() as u32;
            reader.integer(Role::Stride(k), word, "the bytes between shadows")?;
        }
        return Ok(());
    }
    match word {
        // Which the next argument is without it, too.
        "enzyme_not_overwritten" => {}
        "enzyme_width" => drop(reader.integer(Role::Dropped, word, "the number of directions")?),
        "enzyme_primal_return" => spec.primal_return = true,
        "enzyme_noret" => {}
        "enzyme_const_return" => spec.active_return = false,
        "enzyme_active_return" => {}
        "enzyme_dup_return" if spec.entry == Entry::Gradient => spec.active_return = false,
        "enzyme_dup_return" => {}
        "enzyme_strong_zero" => spec.strong_zero = true,
        "enzyme_runtime_activity" => spec.runtime_activity = true,
        "enzyme_nofree" => spec.no_free = true,
        "enzyme_allocated" => {
            spec.caller_tape = true;
            reader.integer(Role::Allocated, word, "the size of the tape's memory")?;
        }
        "enzyme_tape" => drop(reader.value(Role::Tape, word, "the tape")?),
        other => return malformed(Some(at), format!("unknown marker '{other}'")),
    }
    Ok(())
}

/// How a parameter takes part: as it was said, or as usual for its type.
fn parameter(types: &CTypes, t: CTy, forward: bool, pending: &mut Pending) -> Parameter {
    let said = std::mem::take(pending);
    let usual = || match contents(types, t) {
        (_, true) => Activity::Dup,
        (true, false) if forward => Activity::Dup,
        (true, false) => Activity::Out,
        (false, false) => Activity::Const,
    };
    Parameter {
        activity: said.activity.unwrap_or_else(usual),
        strided: said.strided,
    }
}

fn check_activity(
    module: &Module,
    spec: &Specification,
    at: usize,
    k: usize,
    t: CTy,
    parameter: Parameter,
) -> Result<(), Malformed> {
    let (numbers, pointers) = contents(&module.types, t);
    let what = describe(module, spec.func, k);
    match parameter.activity {
        Activity::Out if spec.entry.is_forward() => malformed(
            Some(at),
            format!(
                "'enzyme_out' for {what}: in forward mode it is 'enzyme_dup', followed by its tangent"
            ),
        ),
        Activity::Out if pointers || !numbers => malformed(
            Some(at),
            format!(
                "'enzyme_out' for {what}: only numbers and structs of numbers by value have a derivative that can be returned"
            ),
        ),
        Activity::Dup | Activity::DupNoNeed if !spec.entry.is_forward() && !pointers && numbers => {
            malformed(
                Some(at),
                format!(
                    "'enzyme_dup' for {what}: in reverse mode a number by value is 'enzyme_out' or 'enzyme_const'"
                ),
            )
        }
        _ if parameter.strided && module.types.pointee(t).is_none() => malformed(
            Some(at),
            format!("shadows at a stride for {what}: it is not a pointer"),
        ),
        _ => Ok(()),
    }
}

fn shadows(
    reader: &mut Reader<'_>,
    module: &Module,
    spec: &Specification,
    k: usize,
    parameter: Parameter,
) -> Result<(), Malformed> {
    let count = if parameter.strided { 1 } else { spec.width };
    for lane in 0..count {
        let fits = reader.peek().is_some_and(|a| a.marker.is_none());
        if !fits {
            let which = match spec.width {
                n if spec.entry == Entry::Batch => format!("value {} of {n}", lane + 1),
                1 => "the shadow".to_string(),
                n => format!("shadow {} of {n}", lane + 1),
            };
            return malformed(
                Some(reader.at).filter(|&at| at < reader.arguments.len()),
                format!(
                    "expected {which} of {} here",
                    describe(module, spec.func, k)
                ),
            );
        }
        reader.take(Role::Shadow(k as u32, lane));
    }
    Ok(())
}

/// An argument beyond those of the parameters: seeds, then the tape.
fn extra(
    reader: &mut Reader<'_>,
    spec: &Specification,
    seeds: &mut u32,
    seeded: bool,
    name: &str,
) -> Result<(), Malformed> {
    let at = reader.at;
    let count = spec.params.len();
    if spec.entry == Entry::Reverse {
        let has_tape = reader.roles.contains(&Role::Tape);
        // A last argument that is a pointer is the tape.
        let pointer = reader.types.pointee(reader.arguments[at].ctype).is_some();
        let last = at + 1 == reader.arguments.len() && !has_tape && pointer;
        if spec.active_return && seeded && *seeds < spec.width && !last {
            reader.take(Role::Seed(*seeds));
            *seeds += 1;
            return Ok(());
        }
        if !has_tape {
            reader.take(Role::Tape);
            return Ok(());
        }
    }
    malformed(
        Some(at),
        format!("too many arguments: '{name}' has {}", parameters(count)),
    )
}

fn parameters(n: usize) -> String {
    match n {
        0 => "no parameters".to_string(),
        1 => "one parameter".to_string(),
        n => format!("{n} parameters"),
    }
}

/// A parameter in words.
fn describe(module: &Module, func: Func, k: usize) -> String {
    let function = &module.funcs[func];
    let CTypeKind::Function { params, .. } = module.types.shape(function.ctype) else {
        return format!("parameter {}", k + 1);
    };
    let name = function
        .param_names
        .get(k)
        .and_then(Option::as_deref)
        .unwrap_or("");
    let declared = params.get(k).map_or(String::new(), |&t| {
        CPrinter::new(&module.types).declare(t, name)
    });
    format!(
        "parameter {} of '{}', '{}'",
        k + 1,
        function.name,
        declared.trim()
    )
}

/// What is to be returned must fit into what the call is declared to return.
fn check_result(module: &Module, spec: &Specification, ret: CTy) -> Result<(), Malformed> {
    let types = &module.types;
    if matches!(types.shape(spec.result), CTypeKind::Void) {
        return Ok(());
    }
    let wanted = returned(module, spec, ret);
    let offered = leaves(types, spec.result);
    let needed: Vec<CTy> = wanted.iter().flat_map(|&t| leaves(types, t)).collect();
    let printer = CPrinter::new(types);
    if needed.len() > offered.len() {
        let list: Vec<String> = wanted.iter().map(|&t| printer.name(t)).collect();
        return malformed(
            None,
            format!(
                "the declared result '{}' cannot hold what is returned: {}",
                printer.name(spec.result),
                list.join(", ")
            ),
        );
    }
    let is_number = |t: CTy| {
        types
            .arithmetic(t)
            .is_some_and(|b: Basic| b.is_float() || b.is_complex())
    };
    for (&n, &o) in needed.iter().zip(&offered) {
        if is_number(n) != is_number(o) {
            return malformed(
                None,
                format!(
                    "the declared result '{}' has '{}' where '{}' is returned",
                    printer.name(spec.result),
                    printer.name(o),
                    printer.name(n)
                ),
            );
        }
    }
    Ok(())
}

/// What a call returns, by the rules.
fn returned(module: &Module, spec: &Specification, ret: CTy) -> Vec<CTy> {
    let types = &module.types;
    let mut list = Vec::new();
    let void = matches!(types.shape(ret), CTypeKind::Void);
    if spec.primal_return && !void {
        list.push(ret);
    }
    let CTypeKind::Function { params, .. } = types.shape(module.funcs[spec.func].ctype) else {
        return list;
    };
    match spec.entry {
        Entry::Batch if void => {}
        Entry::Batch => list.extend((0..spec.width).map(|_| ret)),
        Entry::Tangent | Entry::Errors if spec.active_return && !void => {
            list.extend((0..spec.width).map(|_| ret));
        }
        Entry::Gradient | Entry::Reverse => {
            for (&t, p) in params.iter().zip(&spec.params) {
                if p.activity == Activity::Out {
                    list.extend((0..spec.width).map(|_| t));
                }
            }
        }
        // What a tape comes with is looked at where it is made.
        _ => list.clear(),
    }
    list
}

impl Specification {
    /// The request behind it.
    pub fn request(&self, name: String) -> Request {
        Request {
            active_return: self.active_return,
            primal_return: self.primal_return,
            width: self.width,
            result: Some(self.result),
            disjoint: self.disjoint.clone(),
            constants: self.constants.clone(),
            extents: self.extents.clone(),
            ..Request::new(
                self.func,
                name,
                self.params.iter().map(|p| p.activity).collect(),
            )
        }
    }
}
