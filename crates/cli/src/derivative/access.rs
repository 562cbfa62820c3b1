//! What a function does with the memory behind its pointer parameters: does it read it, write it, and how far does it reach?
//!
//! Interprocedural and conservative: a pointer that escapes (is stored where this analysis does not follow, or handed to unknown code) counts as
//! read, written and unbounded.

use adjoin_ir::{Body, CTypeKind, Func, Inst, Module, Op, Step, Type, Value};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// What happens to the memory behind one parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Access {
    /// It is read.
    pub read: bool,
    /// It is written.
    pub written: bool,
    /// Accessed beyond a constant number of bytes.
    pub unbounded: bool,
    /// As many bytes from the pointer are accessed, where that is constant.
    pub bytes: u64,
}

impl Access {
    const ANYTHING: Access = Access {
        read: true,
        written: true,
        unbounded: true,
        bytes: 0,
    };

    fn join(&mut self, other: Access) {
        self.read |= other.read;
        self.written |= other.written;
        self.unbounded |= other.unbounded;
        self.bytes = self.bytes.max(other.bytes);
    }
}

/// The accesses of a function, one for each parameter.
pub fn of(module: &Module, func: Func) -> Vec<Access> {
    Analysis {
        module,
        known: BTreeMap::new(),
    }
    .function(func)
}

struct Analysis<'m> {
    module: &'m Module,
    /// Finished functions, and `None` for those in progress.
    known: BTreeMap<Func, Option<Vec<Access>>>,
}

/// Which parameters a pointer may come from, and its constant offset from them if it has one.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
struct Origin {
    params: BTreeSet<usize>,
    /// `None`: not constant.
    offset: Option<i64>,
}

impl Analysis<'_> {
    fn function(&mut self, func: Func) -> Vec<Access> {
        let function = &self.module.funcs[func];
        let CTypeKind::Function { params, .. } = self.module.types.shape(function.ctype) else {
            return Vec::new();
        };
        match self.known.get(&func) {
            Some(Some(known)) => return known.clone(),
            // A recursive call: whatever it does.
            Some(None) => return vec![Access::ANYTHING; params.len()],
            None => {}
        }
        let Some(body) = &function.body else {
            let types = &self.module.types;
            let result: Vec<Access> = params
                .iter()
                .map(|&t| Access {
                    written: types.pointee(t).is_none_or(|p| !types.quals(p).is_const),
                    ..Access::ANYTHING
                })
                .collect();
            return result;
        };
        self.known.insert(func, None);
        let result = self.body(body);
        self.known.insert(func, Some(result.clone()));
        result
    }

    fn body(&mut self, body: &Body) -> Vec<Access> {
        let args = body.regions[body.entry].args.clone();
        let mut origins: HashMap<Value, Origin> = HashMap::new();
        for (k, &v) in args.iter().enumerate() {
            if body.ty(v) == Type::Ptr {
                let params = BTreeSet::from([k]);
                let offset = Some(0);
                origins.insert(v, Origin { params, offset });
            }
        }
        let edges = flows(body);
        // Pointers that lie in local variables.
        let mut held: HashMap<Value, BTreeSet<usize>> = HashMap::new();
        let mut order = Vec::new();
        body.walk(|inst| order.push(inst));
        loop {
            let mut changed = false;
            for &inst in &order {
                changed |= self.step(body, inst, &mut origins, &mut held);
            }
            for &(from, to) in &edges {
                if let Some(origin) = origins.get(&from).cloned() {
                    changed |= widen(&mut origins, to, origin);
                }
            }
            if !changed {
                break;
            }
        }
        let mut result = vec![Access::default(); args.len()];
        for &inst in &order {
            self.count(body, inst, &origins, &mut result);
        }
        result
    }

    fn step(
        &self,
        body: &Body,
        inst: Inst,
        origins: &mut HashMap<Value, Origin>,
        held: &mut HashMap<Value, BTreeSet<usize>>,
    ) -> bool {
        let data = &body.insts[inst];
        if let Op::Store(_) = data.op
            && let Some(origin) = origins.get(&data.args[1]).cloned()
            && let Some(slot) = local(body, data.args[0])
        {
            let set = held.entry(slot).or_default();
            let before = set.len();
            set.extend(origin.params);
            return set.len() != before;
        }
        let Some(&v) = data.results.first() else {
            return false;
        };
        if body.ty(v) != Type::Ptr || !data.regions.is_empty() {
            return false;
        }
        let origin = match &data.op {
            Op::Addr(attr) => origins.get(&data.args[0]).map(|base| Origin {
                params: base.params.clone(),
                offset: base
                    .offset
                    .and_then(|o| Some(o + constant_offset(body, &attr.steps, &data.args[1..])?)),
            }),
            Op::Cast => origins.get(&data.args[0]).cloned(),
            Op::Select => {
                let mut changed = false;
                for &a in &data.args[1..] {
                    if let Some(origin) = origins.get(&a).cloned() {
                        changed |= widen(origins, v, origin);
                    }
                }
                return changed;
            }
            Op::Load(_) => {
                let mut params = origins
                    .get(&data.args[0])
                    .map(|o| o.params.clone())
                    .unwrap_or_default();
                if let Some(slot) = local(body, data.args[0]) {
                    params.extend(held.get(&slot).into_iter().flatten());
                }
                (!params.is_empty()).then_some(Origin {
                    params,
                    offset: None,
                })
            }
            Op::Call(_) | Op::CallIndirect(_) => {
                let params: BTreeSet<usize> = data
                    .args
                    .iter()
                    .filter_map(|a| origins.get(a))
                    .flat_map(|o| o.params.iter().copied())
                    .collect();
                (!params.is_empty()).then_some(Origin {
                    params,
                    offset: None,
                })
            }
            _ => None,
        };
        origin.is_some_and(|origin| widen(origins, v, origin))
    }

    fn count(
        &mut self,
        body: &Body,
        inst: Inst,
        origins: &HashMap<Value, Origin>,
        result: &mut [Access],
    ) {
        let data = &body.insts[inst];
        let touch =
            |result: &mut [Access], address: Value, bytes: u64, read: bool, written: bool| {
                let Some(origin) = origins.get(&address) else {
                    return;
                };
                let end = origin.offset.filter(|o| *o >= 0).map(|o| o as u64 + bytes);
                for &k in &origin.params {
                    result[k].join(Access {
                        read,
                        written,
                        unbounded: end.is_none(),
                        bytes: end.unwrap_or(0),
                    });
                }
            };
        match &data.op {
            Op::Load(_) => {
                let bytes = body.ty(data.results[0]).size();
                let fresh = stored_before(body, inst);
                touch(result, data.args[0], bytes, !fresh, false);
            }
            Op::LoadBits(_) => touch(result, data.args[0], 16, true, false),
            Op::Store(_) => {
                touch(
                    result,
                    data.args[0],
                    body.ty(data.args[1]).size(),
                    false,
                    true,
                );
                if let Some(origin) = origins.get(&data.args[1])
                    && local(body, data.args[0]).is_none()
                {
                    for &k in &origin.params {
                        result[k].join(Access::ANYTHING);
                    }
                }
            }
            Op::StoreBits(_) => touch(result, data.args[0], 16, true, true),
            Op::Copy(attr) => {
                touch(result, data.args[0], attr.bytes, false, true);
                touch(result, data.args[1], attr.bytes, true, false);
            }
            Op::Zero(attr) => touch(result, data.args[0], attr.bytes, false, true),
            Op::Call(attr) => self.call(data.args.as_slice(), attr.func, origins, result),
            Op::CallIndirect(_) | Op::Mpi(_) | Op::Par(_) | Op::Return => {
                for origin in data.args.iter().filter_map(|a| origins.get(a)) {
                    for &k in &origin.params {
                        result[k].join(Access::ANYTHING);
                    }
                }
            }
            _ => {}
        }
    }

    fn call(
        &mut self,
        args: &[Value],
        func: Func,
        origins: &HashMap<Value, Origin>,
        result: &mut [Access],
    ) {
        let function = &self.module.funcs[func];
        let CTypeKind::Function { ret, .. } = self.module.types.shape(function.ctype) else {
            return;
        };
        let first = usize::from(self.module.types.is_aggregate(*ret));
        let written_only = matches!(&*function.name, "memcpy" | "memmove" | "memset")
            || function.name.starts_with("__builtin_mem");
        let known = match &*function.name {
            "free" | "__builtin_free" => return,
            _ => self.function(func),
        };
        for (position, a) in args.iter().enumerate() {
            let Some(origin) = origins.get(a) else {
                continue;
            };
            let mut access = match position.checked_sub(first) {
                // The object that receives an aggregate result.
                None => Access {
                    read: false,
                    ..Access::ANYTHING
                },
                Some(k) => known.get(k).copied().unwrap_or(Access::ANYTHING),
            };
            if written_only && position == 0 {
                access.read = false;
            }
            match origin.offset.filter(|o| *o >= 0) {
                Some(o) if access.bytes > 0 => access.bytes += o as u64,
                None if access.read || access.written => access.unbounded = true,
                _ => {}
            }
            for &k in &origin.params {
                result[k].join(access);
            }
        }
    }
}

fn widen(origins: &mut HashMap<Value, Origin>, v: Value, origin: Origin) -> bool {
    let Some(old) = origins.get_mut(&v) else {
        origins.insert(v, origin);
        return true;
    };
    let mut joined = old.clone();
    joined.params.extend(&origin.params);
    if joined.offset != origin.offset {
        joined.offset = None;
    }
    let changed = joined != *old;
    *old = joined;
    changed
}

/// The local variable that an address lies in.
fn local(body: &Body, mut v: Value) -> Option<Value> {
    loop {
        let data = &body.insts[body.def_inst(v)?];
        match data.op {
            Op::Addr(_) => v = data.args[0],
            Op::Cast if body.ty(data.args[0]) == Type::Ptr => v = data.args[0],
            Op::Slot(_) | Op::SlotVla(_) | Op::Alloca => return Some(v),
            _ => return None,
        }
    }
}

fn constant_offset(body: &Body, steps: &[Step], operands: &[Value]) -> Option<i64> {
    let mut operands = operands.iter();
    let mut total = 0i64;
    for step in steps {
        total += match step {
            Step::Field { offset, .. } => *offset as i64,
            Step::Bytes(n) => *n,
            Step::Index { stride } => {
                let index = i64::try_from(body.const_int(*operands.next()?)?).ok()?;
                index.checked_mul(*stride as i64)?
            }
            Step::IndexDyn => return None,
        };
    }
    Some(total)
}

/// Did the function itself store what a load reads, on every way to it? Found where a store to the same expression stands before the load, in its region
/// or one around it.
fn stored_before(body: &Body, load: Inst) -> bool {
    let address = body.insts[load].args[0];
    let mut at = load;
    loop {
        let region = body.insts[at].parent;
        for &before in body.regions[region].insts.iter().take_while(|&&i| i != at) {
            let data = &body.insts[before];
            if matches!(data.op, Op::Store(_)) && same_address(body, data.args[0], address) {
                return true;
            }
        }
        match body.regions[region].parent {
            Some(holder) => at = holder,
            None => return false,
        }
    }
}

fn same_address(body: &Body, a: Value, b: Value) -> bool {
    if a == b {
        return true;
    }
    let (Some(a), Some(b)) = (body.def_inst(a), body.def_inst(b)) else {
        return false;
    };
    let (a, b) = (&body.insts[a], &body.insts[b]);
    a.op.is_pure()
        && a.op == b.op
        && a.args.len() == b.args.len()
        && a.args
            .iter()
            .zip(&b.args)
            .all(|(&a, &b)| same_address(body, a, b))
}

/// Which values become which arguments and results of regions.
fn flows(body: &Body) -> Vec<(Value, Value)> {
    let mut edges = Vec::new();
    body.walk(|inst| {
        let data = &body.insts[inst];
        let args_of = |k: usize| &body.regions[data.regions[k]].args[..];
        match &data.op {
            Op::For(_) => {
                pair(&mut edges, &data.args[3..], &args_of(0)[1..]);
                pair(&mut edges, &data.args[3..], &data.results[1..]);
            }
            Op::Loop => pair(&mut edges, &data.args, args_of(0)),
            Op::Switch(_) => {
                for k in 0..data.regions.len() {
                    pair(&mut edges, &data.args[1..], args_of(k));
                }
            }
            op if op.is_terminator() => terminator(body, inst, &mut edges),
            _ => {}
        }
    });
    edges
}

fn pair(edges: &mut Vec<(Value, Value)>, from: &[Value], to: &[Value]) {
    edges.extend(from.iter().copied().zip(to.iter().copied()));
}

fn terminator(body: &Body, inst: Inst, edges: &mut Vec<(Value, Value)>) {
    let data = &body.insts[inst];
    let holder = match data.op.target() {
        Some(target) => target,
        None => match body.regions[data.parent].parent {
            Some(holder) if matches!(data.op, Op::Yield) => holder,
            _ => return,
        },
    };
    let held = &body.insts[holder];
    let region_args = |k: usize| &body.regions[held.regions[k]].args[..];
    match (&held.op, &data.op) {
        (Op::For(_), Op::Break(_)) => pair(edges, &data.args, &held.results[1..]),
        (Op::For(_), _) => {
            pair(edges, &data.args, &region_args(0)[1..]);
            pair(edges, &data.args, &held.results[1..]);
        }
        (Op::Loop, Op::Yield | Op::Continue(_)) => pair(edges, &data.args, region_args(0)),
        (Op::Switch(_), Op::Fallthrough(_)) => {
            for k in 0..held.regions.len() {
                pair(edges, &data.args, region_args(k));
            }
        }
        _ => pair(edges, &data.args, &held.results),
    }
}
