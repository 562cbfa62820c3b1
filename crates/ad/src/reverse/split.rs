//! Calls that stay calls, and derivatives in two halves.
//!
//! The derivative of a called function is first made as one body, F and then R, as for the outermost one, and then cut in two: what R uses of F becomes
//! a member of a struct, the tape, which F allocates and R frees; objects of F that R may reach live in it.

use super::pairs::{Pair, PairKey, Prepared, unused_name};
use super::{Key, Result, Reverse, tapes};
use crate::activity::{Param, is_number};
use crate::points_to::Disjoint;
use crate::{AdError, Request, Session, Split};
use adjoin_ir::ctype::{Field, Record, RecordData, TagScope};
use adjoin_ir::{
    Body, Builder, CTy, CTypeKind, CTypes, CallAttr, Func, Inst, Module, Op, Type, Value, ValueDef,
};
use adjoin_passes::edit::{Replacements, position};
use std::collections::{BTreeMap, BTreeSet};

/// Makes the two halves of a derivative for the user.
pub(crate) fn halves(session: &mut Session, m: &mut Module, request: &Request) -> Result<Split> {
    super::pairs::with_threads(session, m, |session, m| attempt(session, m, request))
}

fn attempt(session: &mut Session, m: &mut Module, request: &Request) -> Result<Split> {
    let span = m.funcs[request.func].span;
    session.begin(m, request.func);
    session.pairs.apart = true;
    let prepared = session.prepared(m, request.func)?;
    if prepared.ctype != m.funcs[request.func].ctype {
        return Err(AdError::new(
            span,
            "in two halves a function that takes or returns structs by value: not yet",
        ));
    }
    let params: Vec<Param> = request.params.iter().map(|&a| a.into()).collect();
    let globals = session.active_globals(m, request.func, &params)?;
    if session
        .registry
        .outside
        .is_some_and(|g| globals.contains(&g))
    {
        return Err(AdError::new(
            span,
            "in two halves a function that stores active data in memory which was set up before the call: give that memory as an argument with a shadow",
        ));
    }
    let key = PairKey {
        func: request.func,
        params,
        active_result: request.active_return,
        globals,
        public: true,
        parallel: false,
        facts: Default::default(),
        pooled: false,
        outermost: session.options.outermost,
        level: session.pairs.level,
    };
    let pair = session.pair(m, key.clone())?;
    session.fill(m)?;
    Ok(Split {
        tape: session.tape_of(&key).unwrap_or(pair.split.tape),
        ..pair.split
    })
}

/// Fills the two functions of a pair.
pub(super) fn generate(
    session: &mut Session,
    m: &mut Module,
    key: &PairKey,
    pair: &Pair,
    prepared: &Prepared,
    disjoint: &Disjoint,
) -> Result<()> {
    let function = m.funcs[key.func].clone();
    let augmented = m.funcs[pair.split.augmented].clone();
    let mut d =
        Body::with_params(&m.types, augmented.ctype, &augmented.param_names).ok_or_else(|| {
            AdError::new(
                function.span,
                format!("'{}': a parameter has no value type", function.name),
            )
        })?;
    let entry = d.entry;
    let forward_params = d.regions[entry].args.clone();
    // The parameters of R stand behind those of F until the two are cut apart.
    let reverse = m.funcs[pair.split.reverse].clone();
    let r = Body::with_params(&m.types, reverse.ctype, &reverse.param_names);
    let mut back: Vec<(Type, Option<String>, Option<CTy>)> = r
        .iter()
        .flat_map(|r| r.regions[r.entry].args.iter().map(|&v| &r.values[v]))
        .map(|v| (v.ty, v.name.clone(), v.ctype))
        .collect();
    back.pop();
    let mut back_values = Vec::new();
    for (ty, name, ctype) in back {
        let v = d.add_arg(entry, ty);
        d.values[v].name = name;
        d.values[v].ctype = ctype;
        back_values.push(v);
    }
    let mut me = Reverse::new(
        session,
        m,
        (&prepared.body, prepared.ctype),
        (&key.params, &key.globals),
        d,
        super::Assumed {
            disjoint,
            split: Some(&key.facts),
            fused: &Default::default(),
        },
        function.span,
    )?;
    me.keeps_result = true;
    me.parallel.called |= key.parallel;
    me.parallel.only_inside &= !key.parallel;
    let mut next = forward_params.iter().copied();
    for (k, v) in me.p.regions[me.p.entry]
        .args
        .clone()
        .into_iter()
        .enumerate()
    {
        if let Some(a) = next.next() {
            me.f.insert(v, a);
        }
        if key.params.get(k).is_some_and(|a| a.has_shadow())
            && let Some(a) = next.next()
        {
            me.s.insert(v, a);
        }
    }
    if pair.frees
        && let Some(list) = next.next()
    {
        me.borrowed_freed = true;
        me.freed.insert(None, list);
    }
    let tape = next.next();
    let result_bar = next.next();
    // Nobody else does it around halves that the user calls.
    if key.public {
        me.zero_shadow_globals(true);
    }
    let returned = adjoin_passes::registry::step("sweep", || me.forward_sweep())?;
    let skipped = first_of_reverse(back_values.len(), key, returned);
    let mut bars = back_values[skipped..].iter().copied();
    if key.active_result && returned.is_some_and(is_number) {
        me.seed = bars.next();
    }
    let outs = me.number_outs(&key.params);
    let block = me.reverse_sweep(&outs, None)?;
    // R adds to the adjoints of the numbers.
    let adjoints = me.d.insts[block].results.clone();
    for ((bar, adjoint), v) in bars.zip(adjoints).zip(outs) {
        let ty = me.p.ty(v);
        let old = me.b().load(ty, bar);
        let sum = me.b().add(old, adjoint);
        me.b().store(bar, sum);
    }
    if key.public {
        me.zero_shadow_globals(false);
    }
    let cut = Cut {
        key,
        ctype: augmented.ctype,
        block,
        forward_params,
        back_values,
        tape,
        result_bar,
    };
    me.explain(&function.name);
    let (mut forward, mut backward, tape_type) = me.cut(cut, &function.name)?;
    for half in [&mut forward, &mut backward] {
        super::tidy::tidy(m, half);
        crate::loops::order::run(half);
    }
    m.funcs[pair.split.augmented].body = Some(forward);
    m.funcs[pair.split.reverse].body = Some(backward);
    if let Some(t) = tape_type {
        session.set_tape(key, t);
    }
    Ok(())
}

/// How many parameters of the user's reverse half come before the seed.
fn first_of_reverse(count: usize, key: &PairKey, returned: Option<Type>) -> usize {
    let seed = (key.active_result && returned.is_some_and(is_number)) as usize;
    let outs = key.params.iter().filter(|&&p| p == Param::Out).count();
    count.saturating_sub(seed + outs)
}

/// Where a body is cut, and what the halves receive.
struct Cut<'a> {
    /// What for.
    key: &'a PairKey,
    /// The type of the augmented function.
    ctype: CTy,
    /// R.
    block: Inst,
    /// The parameters of the augmented function.
    forward_params: Vec<Value>,
    /// The parameters of the reverse function, without the tape.
    back_values: Vec<Value>,
    /// Where the tape goes.
    tape: Option<Value>,
    /// Where the shadow of the result goes.
    result_bar: Option<Value>,
}

/// A member of a tape.
pub(super) enum Member {
    /// An object of F.
    Slot(Inst),
    /// A value of F.
    Value(Value),
}

impl Reverse<'_> {
    /// F of a call of a function with a body.
    pub(super) fn sweep_split(&mut self, inst: Inst) -> Result<()> {
        let pair = self.pair_for(inst)?;
        let data = self.p.insts[inst].clone();
        let params = super::pairs::arguments(&self.p, &self.facts, inst);
        let mut args = Vec::new();
        for (&v, param) in data.args.iter().zip(params) {
            args.push(self.f[&v]);
            if param.has_shadow() {
                let s = self.shadow(v);
                args.push(s);
            }
        }
        if pair.frees {
            let list = self.freed();
            args.push(list);
        }
        let name = self.m.funcs[pair.split.augmented].name.clone();
        let base = name.trim_end_matches("_augmented");
        let address = self.m.types.void();
        let address = self.m.types.pointer(address);
        let tape_name = format!("{base}_tape");
        let tape = self.temporary(address, &tape_name);
        args.push(tape);
        let shadow = data
            .results
            .first()
            .copied()
            .filter(|&v| self.has_shadow(v));
        let shadow_slot = shadow.map(|v| {
            let t = self.p.values[v].ctype.unwrap_or(address);
            let t = super::pairs::shadow_type(self.m, t);
            (v, t, self.temporary(t, "result_bar"))
        });
        args.extend(shadow_slot.map(|(.., slot)| slot));
        let result = self.call(pair.split.augmented, args);
        if let (Some(&v), Some(x)) = (data.results.first(), result) {
            self.d.values[x].name.clone_from(&self.p.values[v].name);
            self.d.values[x].ctype = self.p.values[v].ctype;
            self.f.insert(v, x);
        }
        let tape = self.b().load(Type::Ptr, tape);
        self.d.values[tape].name = Some(tape_name);
        self.d.values[tape].ctype = Some(address);
        if let Some((v, t, slot)) = shadow_slot {
            let s = self.b().load(Type::Ptr, slot);
            self.d.values[s].name = self.p.values[v].name.as_ref().map(|n| format!("{n}_bar"));
            self.d.values[s].ctype = Some(t);
            self.s.insert(v, s);
        }
        self.keep_tape(inst, tape);
        Ok(())
    }

    /// F has the tape of a call: R will ask for it.
    pub(super) fn keep_tape(&mut self, inst: Inst, tape: Value) {
        if self.is_visible(self.p.insts[inst].parent) {
            self.tapes.insert(inst, tape);
        } else {
            self.push(Key::Tape(inst), tape);
        }
    }

    /// The tape of a call, in R.
    pub(super) fn tape_of_call(&mut self, inst: Inst) -> Value {
        if let Some(&tape) = self.tapes.get(&inst) {
            return tape;
        }
        let key = Key::Tape(inst);
        self.top(key, Type::Ptr)
    }

    /// An object at the entry that a call writes and that is read at once.
    pub(super) fn temporary(&mut self, t: CTy, name: &str) -> Value {
        let entry = self.team_scope(self.parallel.team);
        let slot = self.in_header(entry, |me| me.b().slot(t, Some(name)));
        self.temporaries.insert(slot);
        slot
    }

    /// R of a call of a function with a body.
    pub(super) fn mirror_split(&mut self, inst: Inst) -> Result<()> {
        let pair = self.pair_for(inst)?;
        let data = self.p.insts[inst].clone();
        let params = super::pairs::arguments(&self.p, &self.facts, inst);
        let mut args = Vec::new();
        if let Some(&v) = data.results.first()
            && is_number(self.p.ty(v))
            && self.facts.varied.contains(v)
        {
            let seed = self.adjoint(v);
            args.push(seed);
        }
        let mut outs = Vec::new();
        for (&v, param) in data.args.iter().zip(&params) {
            if *param != Param::Out {
                continue;
            }
            let ty = self.p.ty(v);
            let ctype = self.number_type(ty);
            let name = self.p.values[v].name.as_ref().map(|n| format!("{n}_bar"));
            let slot = self.b().slot(ctype, Some(name.as_deref().unwrap_or("bar")));
            let zero = self.zero(ty);
            self.b().store(slot, zero);
            args.push(slot);
            outs.push((v, ty, slot));
        }
        let tape = self.tape_of_call(inst);
        args.push(tape);
        self.call(pair.split.reverse, args);
        for (v, ty, slot) in outs {
            let adjoint = self.b().load(ty, slot);
            self.contribute(v, adjoint);
        }
        Ok(())
    }

    pub(super) fn number_type(&mut self, ty: Type) -> CTy {
        let basic = ty.default_basic().unwrap_or(adjoin_ir::Basic::Double);
        self.m.types.basic(basic)
    }

    /// Cuts the derivative in two.
    fn cut(mut self, cut: Cut<'_>, name: &str) -> Result<(Body, Body, Option<CTy>)> {
        // Positions and array pointers of caches become values, so that only what they are at the end of F goes to the tape. What F returns is an operand
        // meanwhile, so that it follows.
        let returned: Vec<Value> = match self.result {
            Some((v, shadow)) => std::iter::once(v).chain(shadow).collect(),
            None => Vec::new(),
        };
        let last = self.b().ret(&returned);
        adjoin_passes::mem2reg::promote(&self.m.types, &mut self.d);
        self.halves_in_lanes(cut.block, cut.ctype, cut.key);
        if cut.key.pooled && !self.has_teams() {
            tapes::pool_caches(self.m, &mut self.d);
        }
        let returned = self.d.insts[last].args.clone();
        self.result = returned.first().map(|&v| (v, returned.get(1).copied()));
        adjoin_passes::edit::unlink(&mut self.d, last);
        let sunk = tapes::sink_addresses(&mut self.d, cut.block);
        let entry = self.d.entry;
        let list = self.d.regions[entry].insts.clone();
        let at = position(&self.d, cut.block) - sunk;
        let (first, second) = (&list[..at], &list[at..]);
        let members = self.members(first, second, &cut);
        let (allocate, free) = match cut.key.pooled {
            true => tapes::functions(self.m),
            false => (self.runtime.calloc, free_function(self.m)),
        };
        let record = (!members.is_empty())
            .then(|| tape_record(self.m, &self.d, &members, &format!("{name}_tape")));
        let tape_type = record.map(|r| self.m.types.intern(CTypeKind::Record(r)));
        let span = self.span;
        let types = &mut self.m.types;
        let result = self.result;

        // F: objects are members, values are stored at the end.
        let mut forward = self.d.clone();
        forward.regions[entry]
            .args
            .truncate(cut.forward_params.len());
        forward.regions[entry].insts.clear();
        let mut b = Builder::at_end(&mut forward, entry);
        b.span = span;
        let tape = match (tape_type, cut.tape) {
            (Some(t), Some(place)) => {
                let bytes = b.int(Type::U64, types.size_of(t).unwrap_or(0).into());
                let object = b.value(call(allocate), vec![bytes], Type::Ptr);
                b.set_name(object, "t");
                b.set_ctype(object, types.pointer(t));
                b.store(place, object);
                Some((object, t))
            }
            (_, Some(place)) => {
                let null = b.null();
                b.store(place, null);
                None
            }
            _ => None,
        };
        b.body.regions[entry].insts.extend_from_slice(first);
        if let (Some((object, t)), Some(record)) = (tape, record) {
            for (k, member) in members.iter().enumerate() {
                let address = field(types, t, record, k);
                match member {
                    Member::Slot(inst) => {
                        b.body.insts[*inst].op = address;
                        b.body.insts[*inst].args = vec![object];
                    }
                    Member::Value(v) => {
                        let a = b.value(address, vec![object], Type::Ptr);
                        b.store(a, *v);
                    }
                }
            }
        }
        if let (Some(place), Some((_, Some(shadow)))) = (cut.result_bar, result) {
            b.store(place, shadow);
        }
        let values: Vec<Value> = result.iter().map(|&(v, _)| v).collect();
        b.ret(&values);

        // R: what it uses of F comes from the tape.
        let mut backward = self.d;
        backward.regions[entry].args.clear();
        backward.regions[entry].insts.clear();
        let mut args = cut.back_values;
        let tape = backward.add_arg(entry, Type::Ptr);
        backward.values[tape].name = Some("tape".to_string());
        let void = types.void();
        backward.values[tape].ctype = Some(types.pointer(void));
        args.push(tape);
        adjoin_passes::edit::set_region_args(&mut backward, entry, args);
        let mut replacements = Replacements::default();
        let mut used = BTreeSet::new();
        for &inst in second {
            uses(&backward, inst, &mut |v| {
                used.insert(v);
            });
        }
        let mut b = Builder::at_end(&mut backward, entry);
        b.span = span;
        let constants: Vec<(Value, Op)> = used
            .iter()
            .filter_map(|&v| {
                let inst = b.body.def_inst(v).filter(|i| first.contains(i))?;
                let op = &b.body.insts[inst].op;
                is_constant(op).then(|| (v, op.clone()))
            })
            .collect();
        for (old, op) in constants {
            let ty = b.body.ty(old);
            let new = b.value(op, Vec::new(), ty);
            copy_name(b.body, old, new);
            replacements.set(old, new);
        }
        if let (Some(t), Some(record)) = (tape_type, record) {
            let object = b.value(Op::Cast, vec![tape], Type::Ptr);
            b.set_name(object, "t");
            b.set_ctype(object, types.pointer(t));
            for (k, member) in members.iter().enumerate() {
                let old = match member {
                    Member::Slot(inst) => b.body.result(*inst),
                    Member::Value(v) => *v,
                };
                if !used.contains(&old) {
                    continue;
                }
                let a = b.value(field(types, t, record, k), vec![object], Type::Ptr);
                let new = match member {
                    Member::Slot(_) => a,
                    Member::Value(_) => {
                        let ty = b.body.ty(old);
                        b.load(ty, a)
                    }
                };
                copy_name(b.body, old, new);
                replacements.set(old, new);
            }
        }
        b.body.regions[entry].insts.extend_from_slice(second);
        if tape_type.is_some() {
            b.inst(call(free), vec![tape], &[]);
        }
        b.ret(&[]);
        replacements.apply(&mut backward);
        Ok((forward, backward, tape_type))
    }

    /// What must be in the tape: objects that R may reach, and values that R uses.
    fn members(&self, first: &[Inst], second: &[Inst], cut: &Cut<'_>) -> Vec<Member> {
        let d = &self.d;
        let of_first: BTreeSet<Inst> = first.iter().copied().collect();
        let mut used = BTreeSet::new();
        for &inst in second {
            uses(d, inst, &mut |v| {
                used.insert(v);
            });
        }
        let reached = self.reached_slots(first, &used);
        let mut members = Vec::new();
        for &inst in first {
            if matches!(d.insts[inst].op, Op::Slot(_)) && reached.contains(&d.result(inst)) {
                members.push(Member::Slot(inst));
            }
        }
        for &v in &used {
            let is_member = match d.values[v].def {
                ValueDef::Arg(region, _) => region == d.entry && cut.forward_params.contains(&v),
                ValueDef::Result(inst, _) => {
                    of_first.contains(&inst)
                        && !matches!(d.insts[inst].op, Op::Slot(_))
                        && !is_constant(&d.insts[inst].op)
                }
            };
            if is_member {
                members.push(Member::Value(v));
            }
        }
        members
    }

    /// The objects of F that R uses, or whose address goes where it is not followed.
    pub(super) fn reached_slots(&self, first: &[Inst], used: &BTreeSet<Value>) -> BTreeSet<Value> {
        let d = &self.d;
        let mut slot_of: BTreeMap<Value, Value> = BTreeMap::new();
        for &inst in first {
            if matches!(d.insts[inst].op, Op::Slot(_)) {
                let v = d.result(inst);
                slot_of.insert(v, v);
            }
        }
        let mut reached: BTreeSet<Value> = BTreeSet::new();
        for &inst in first {
            visit(d, inst, &mut |inst| {
                let data = &d.insts[inst];
                for (k, v) in data.args.iter().enumerate() {
                    let Some(&slot) = slot_of.get(v) else {
                        continue;
                    };
                    match &data.op {
                        Op::Addr(_) if k == 0 => drop(slot_of.insert(data.results[0], slot)),
                        Op::Cast if d.ty(data.results[0]) == Type::Ptr => {
                            slot_of.insert(data.results[0], slot);
                        }
                        Op::Load(_) | Op::LoadBits(_) | Op::Copy(_) | Op::Zero(_) => {}
                        Op::Store(_) | Op::StoreBits(_) if k == 0 => {}
                        Op::Call(_) if self.temporaries.contains(&slot) => {}
                        op @ Op::Call(_) if self.only_accesses(op) => {
                            if let Some(&v) = data.results.first().filter(|_| k == 0) {
                                slot_of.insert(v, slot);
                            }
                        }
                        _ => drop(reached.insert(slot)),
                    }
                }
            });
        }
        reached.extend(used.iter().filter_map(|v| slot_of.get(v)));
        reached
    }
}

impl Reverse<'_> {
    /// Is it a function of the library that accesses what its arguments point to, and keeps no pointer? It may return the first.
    fn only_accesses(&self, op: &Op) -> bool {
        let Op::Call(attr) = op else { return false };
        let function = &self.m.funcs[attr.func];
        let name = function.name.as_str();
        let copies = matches!(name, "memcpy" | "memmove" | "memset");
        function.body.is_none() && (copies || crate::rules::lookup(name).is_some())
    }
}

pub(super) fn call(func: Func) -> Op {
    Op::Call(CallAttr {
        func,
        extra: Vec::new(),
    })
}

pub(super) fn is_constant(op: &Op) -> bool {
    matches!(op, Op::Const(_) | Op::GlobalAddr(_) | Op::FuncAddr(_))
}

pub(super) fn copy_name(body: &mut Body, old: Value, new: Value) {
    let (name, ctype) = (body.values[old].name.clone(), body.values[old].ctype);
    body.values[new].name = name;
    body.values[new].ctype = ctype;
}

/// Visits an instruction and all that it holds, outer before inner.
pub(super) fn visit(body: &Body, inst: Inst, act: &mut impl FnMut(Inst)) {
    act(inst);
    for &region in &body.insts[inst].regions {
        for &inner in &body.regions[region].insts {
            visit(body, inner, act);
        }
    }
}

/// Visits the operands of an instruction and of all that it holds.
pub(super) fn uses(body: &Body, inst: Inst, act: &mut impl FnMut(Value)) {
    visit(body, inst, &mut |inst| {
        body.insts[inst].args.iter().for_each(|&v| act(v));
    });
}

pub(super) fn field(types: &CTypes, t: CTy, record: Record, k: usize) -> Op {
    let offset = types.records[record]
        .fields
        .as_ref()
        .map_or(0, |f| f[k].offset);
    Op::Addr(adjoin_ir::AddrAttr {
        pointee: t,
        steps: vec![adjoin_ir::Step::Field {
            record,
            field: k as u32,
            offset,
        }],
    })
}

/// The struct of a tape, or of what a thread keeps.
pub(super) fn tape_record(m: &mut Module, d: &Body, members: &[Member], name: &str) -> Record {
    let mut taken = BTreeSet::new();
    let mut fields = Vec::new();
    let mut offset: u64 = 0;
    let mut align = 1;
    for member in members {
        let (base, ty) = match member {
            Member::Slot(inst) => match &d.insts[*inst].op {
                Op::Slot(attr) => (attr.name.clone(), m.types.unqualified(attr.ctype)),
                _ => continue,
            },
            Member::Value(v) => (d.values[*v].name.clone(), value_type(m, d, *v)),
        };
        let base = base.unwrap_or_else(|| "v".to_string());
        let mut unique = base.clone();
        let mut k = 2;
        while !taken.insert(unique.clone()) {
            unique = format!("{base}_{k}");
            k += 1;
        }
        let a = m.types.align_of(ty).max(1);
        align = align.max(a);
        offset = offset.next_multiple_of(a);
        fields.push(Field {
            name: Some(unique),
            ty,
            offset,
            bits: None,
        });
        offset += m.types.size_of(ty).unwrap_or(0);
    }
    let tag = unused_name(m, name);
    m.types.records.push(RecordData {
        is_union: false,
        tag: Some(tag),
        scope: TagScope::File,
        typedef_name: None,
        fields: Some(fields),
        size: offset.next_multiple_of(align),
        align,
        packed: false,
    })
}

/// How a member that holds a value is declared.
fn value_type(m: &mut Module, d: &Body, v: Value) -> CTy {
    let ty = d.ty(v);
    let declared = d.values[v].ctype.filter(|&t| {
        Type::of_ctype(&m.types, t) == Some(ty)
            && m.types.size_of(t).is_some()
            && !is_variable(&m.types, t)
    });
    match (declared, ty.default_basic()) {
        (Some(t), _) => m.types.unqualified(t),
        (None, Some(basic)) => m.types.basic(basic),
        (None, None) => {
            let void = m.types.void();
            m.types.pointer(void)
        }
    }
}

/// Does a type mention an array of variable length?
pub(super) fn is_variable(types: &CTypes, t: CTy) -> bool {
    match types.shape(t) {
        CTypeKind::Pointer(p) => is_variable(types, *p),
        CTypeKind::Array { elem, .. } => is_variable(types, *elem),
        CTypeKind::Vla { .. } => true,
        _ => false,
    }
}

fn free_function(m: &mut Module) -> Func {
    let void = m.types.void();
    let address = m.types.pointer(void);
    crate::known::external(m, "free", void, &[address])
}
