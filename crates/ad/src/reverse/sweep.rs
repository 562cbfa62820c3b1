//! The forward sweep: the primal, with shadows beside pointers, counters and exit codes where the reverse sweep will ask for them.

use super::exits::Exits;
use super::needed::Key;
use super::{Result, Reverse};
use crate::activity::holds_data;
use adjoin_ir::{
    CTy, Clause, Directive, Global, GlobalData, Init, Inst, Linkage, Op, Region, Type, Value,
};
use adjoin_passes::edit::exit_target;

impl Reverse<'_> {
    /// Makes F; returns the type of the primal's result.
    pub(super) fn forward_sweep(&mut self) -> Result<Option<Type>> {
        self.find_exclusive();
        self.find_tasks()?;
        let entry = self.p.entry;
        let mut returned = None;
        let mut returns = Vec::new();
        self.p.walk(|inst| {
            if matches!(self.p.insts[inst].op, Op::Return) {
                returns.push(inst);
                returned = self.p.insts[inst].args.first().map(|&v| self.p.ty(v));
            }
        });
        let single = matches!(returns[..], [only] if self.p.insts[only].parent == entry);
        if single {
            self.sweep_region(entry)?;
        } else {
            let mut types = vec![Type::I64];
            if self.keeps_result
                && let Some(ty) = returned
            {
                types.push(ty);
                if ty == Type::Ptr {
                    types.push(ty);
                }
            }
            let (block, region) = self.b().block(&types);
            self.wrapped = Some(block);
            self.inside(region, |me| me.sweep_region(entry))?;
            let results = self.d.insts[block].results.clone();
            self.return_code = Some(results[0]);
            self.result = results.get(1).map(|&v| (v, results.get(2).copied()));
        }
        Ok(returned)
    }

    pub(super) fn sweep_region(&mut self, region: Region) -> Result<()> {
        for inst in self.p.regions[region].insts.clone() {
            self.span = self.p.insts[inst].span;
            self.sweep(inst)?;
        }
        Ok(())
    }

    /// The shadow of a pointer in F.
    pub(super) fn shadow(&mut self, v: Value) -> Value {
        match self.s.get(&v) {
            Some(&s) => s,
            None => self.b().null(),
        }
    }

    pub(super) fn has_shadow(&self, v: Value) -> bool {
        self.p.ty(v) == Type::Ptr && self.facts.shadow[v].some
    }

    fn shadowed(&self, values: &[Value]) -> Vec<Value> {
        values
            .iter()
            .copied()
            .filter(|&v| self.has_shadow(v))
            .collect()
    }

    pub(super) fn operands(&self, inst: Inst) -> Vec<Value> {
        self.p.insts[inst].args.iter().map(|v| self.f[v]).collect()
    }

    /// A value of F has the name and C type of the primal's.
    pub(super) fn like(&mut self, old: Value, new: Value) {
        self.d.values[new].name.clone_from(&self.p.values[old].name);
        self.d.values[new].ctype = self.p.values[old].ctype;
        self.f.insert(old, new);
    }

    pub(super) fn shadow_like(&mut self, old: Value, new: Value) {
        let name = self.p.values[old].name.as_ref().map(|n| format!("{n}_bar"));
        self.d.values[new].name = name;
        let ctype = self.p.values[old]
            .ctype
            .and_then(|t| self.m.types.pointee(t));
        if let Some(e) = ctype {
            let e = self.m.types.unqualified(e);
            self.d.values[new].ctype = Some(self.m.types.pointer(e));
        }
        self.s.insert(old, new);
    }

    pub(super) fn sweep(&mut self, inst: Inst) -> Result<()> {
        let data = self.p.insts[inst].clone();
        if self.facts.stops.contains(&inst) {
            let name = crate::activity::variable(self.m, &self.p, data.args[0]).to_string();
            self.stop_lost(&name);
        }
        match &data.op {
            op if op.is_terminator() => self.sweep_exit(inst),
            Op::For(_) if self.fused.loops.contains(&inst) || self.is_late(inst) => {
                self.sweep_fused(inst)
            }
            Op::Store(_) if self.is_late(inst) => {}
            Op::If | Op::For(_) | Op::Loop | Op::Block | Op::Switch(_) => {
                self.note_loop(inst);
                self.sweep_control(inst)?
            }
            Op::Par(_) => return self.sweep_par(inst),
            Op::Slot(attr) => {
                let v = data.results[0];
                let entry = self.scope_of(data.parent);
                let attr = attr.clone();
                let slot =
                    self.in_header(entry, |me| me.b().slot(attr.ctype, attr.name.as_deref()));
                self.d.values[slot].ctype = self.p.values[v].ctype;
                self.f.insert(v, slot);
                if self.has_shadow(v) {
                    let bytes = self.size(attr.ctype, inst)?;
                    let name = attr.name.as_ref().map(|n| format!("{n}_bar"));
                    let scalar = Type::of_ctype(&self.m.types, attr.ctype);
                    let shadow = self.in_header(entry, |me| {
                        let s = me
                            .b()
                            .slot(attr.ctype, Some(name.as_deref().unwrap_or("bar")));
                        match scalar {
                            Some(ty) => {
                                let zero = me.zero(ty);
                                me.b().store(s, zero);
                            }
                            // Numbers in an object that declares none: compilers must not take its type for that of the zeros.
                            None => {
                                let declared = holds_data(&me.m.types, attr.ctype);
                                me.b().zero(s, bytes, declared.then_some(attr.ctype));
                            }
                        }
                        s
                    });
                    self.d.values[shadow].ctype = self.p.values[v].ctype;
                    self.s.insert(v, shadow);
                }
            }
            Op::SlotVla(_) | Op::Alloca => self.sweep_dynamic(inst)?,
            Op::Call(_) => self.sweep_call(inst)?,
            Op::Copy(_) | Op::Zero(_) => self.sweep_block(inst)?,
            Op::CallIndirect(_) | Op::Mpi(_) if self.facts.active.contains(inst) => {
                let what = "this call: what it does to active data is not known";
                return Err(crate::AdError {
                    elsewhere: true,
                    ..crate::AdError::new(data.span, what)
                });
            }
            op => {
                let args = self.operands(inst);
                let types: Vec<Type> = data.results.iter().map(|&v| self.p.ty(v)).collect();
                let new = self.b().inst(op.clone(), args.clone(), &types);
                if matches!(op, Op::Store(_)) {
                    self.targets.insert(inst, new);
                }
                for (k, &v) in data.results.iter().enumerate() {
                    let x = self.d.insts[new].results[k];
                    self.like(v, x);
                }
                self.sweep_shadow(inst, &args)?;
                self.note_reach(inst);
            }
        }
        Ok(())
    }

    /// What F does to shadows at an ordinary instruction.
    fn sweep_shadow(&mut self, inst: Inst, args: &[Value]) -> Result<()> {
        let data = self.p.insts[inst].clone();
        let result = data
            .results
            .first()
            .copied()
            .filter(|&v| self.has_shadow(v));
        match &data.op {
            Op::Addr(_) | Op::Cast | Op::Select | Op::Load(_) if result.is_some() => {
                let v = result.expect("just tested");
                let mut operands = args.to_vec();
                match data.op {
                    Op::Select => {
                        operands[1] = self.shadow(data.args[1]);
                        operands[2] = self.shadow(data.args[2]);
                    }
                    _ => operands[0] = self.shadow(data.args[0]),
                }
                let unsure = self.facts.shadow[data.args[0]].none;
                let new = if unsure && matches!(data.op, Op::Load(_)) {
                    self.load_if_some(operands[0])?
                } else if matches!(data.op, Op::Addr(_)) {
                    self.offset_shadow(data.op.clone(), operands, unsure)
                } else {
                    self.b().value(data.op.clone(), operands, Type::Ptr)
                };
                let new = match self.facts.renewed.contains_key(&inst) {
                    true => self.renew_shadow(inst, new)?,
                    false => new,
                };
                let new = match data.op {
                    Op::Load(_) => self.real_shadow(self.f[&v], new),
                    _ => new,
                };
                self.shadow_like(v, new);
            }
            Op::GlobalAddr(g) if result.is_some() => {
                let shadow = self.shadow_global(*g);
                let new = match shadow {
                    Some(g) => self.b().global(g),
                    None => self.b().null(),
                };
                self.shadow_like(data.results[0], new);
            }
            Op::Store(_)
                if self.p.ty(data.args[1]) == Type::Ptr && self.has_shadow(data.args[0]) =>
            {
                self.sweep_pointer_store(inst)?;
            }
            Op::Store(_) if self.has_shadow(data.args[1]) => {
                let function = self
                    .p
                    .def_inst(crate::activity::root(&self.p, data.args[0]));
                if !function.is_some_and(|i| matches!(self.p.insts[i].op, Op::GlobalAddr(_))) {
                    return self.error(
                        inst,
                        "this store: a pointer to active memory goes to memory without a shadow",
                    );
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// A pointer in shadow memory that may not be there.
    pub(super) fn load_if_some(&mut self, from: Value) -> Result<Value> {
        self.pointer_if_some(from, |me| me.b().load(Type::Ptr, from))
    }

    /// A pointer that is computed from a shadow, or NULL if that is not there.
    fn pointer_if_some(
        &mut self,
        shadow: Value,
        make: impl FnOnce(&mut Self) -> Value,
    ) -> Result<Value> {
        let is_some = self.is_some(shadow);
        let (inst, then, otherwise) = self.b().if_(is_some, &[Type::Ptr]);
        self.inside(then, |me| {
            let v = make(me);
            me.b().yield_(&[v]);
            Ok(())
        })?;
        self.inside(otherwise, |me| {
            let v = me.b().null();
            me.b().yield_(&[v]);
            Ok(())
        })?;
        Ok(self.d.result(inst))
    }

    /// Is a shadow there? An address inside an object is not NULL where the object's is, so that is asked.
    pub(super) fn is_some(&mut self, shadow: Value) -> Value {
        let base = crate::activity::root(&self.d, shadow);
        let null = self.b().null();
        self.b().ne(base, null)
    }

    /// Does something only if a shadow is there.
    pub(super) fn if_some(
        &mut self,
        shadow: Value,
        act: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        let is_some = self.is_some(shadow);
        self.if_true(is_some, act)
    }

    /// Does something where a condition holds.
    pub(super) fn if_true(
        &mut self,
        condition: Value,
        act: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        let (_, then, otherwise) = self.b().if_(condition, &[]);
        self.inside(then, |me| {
            act(me)?;
            me.b().yield_(&[]);
            Ok(())
        })?;
        self.inside(otherwise, |me| {
            me.b().yield_(&[]);
            Ok(())
        })
    }

    pub(super) fn size(&self, t: CTy, inst: Inst) -> Result<u64> {
        match self.m.types.size_of(t) {
            Some(n) => Ok(n),
            None => self.error(inst, "an object whose size is not known"),
        }
    }

    /// The shadow of an active global.
    pub(super) fn shadow_global(&mut self, g: Global) -> Option<Global> {
        if !self.facts.globals.contains(&g) {
            return None;
        }
        if let Some(&s) = self
            .session
            .pairs
            .shadow_globals
            .get(&(self.session.pairs.level, g))
        {
            return Some(s);
        }
        let data = self.m.globals[g].clone();
        let ctype = self.m.types.unqualified(data.ctype);
        let base = format!("{}_bar", data.name);
        let taken = |name: &str| self.m.globals.values().any(|g| g.name == name);
        let name = (0..)
            .map(|k| {
                if k == 0 {
                    base.clone()
                } else {
                    format!("{base}_{k}")
                }
            })
            .find(|n| !taken(n))
            .unwrap_or(base.clone());
        let s = self.m.globals.push(GlobalData {
            name,
            ctype,
            linkage: Linkage::Static,
            owner: None,
            init: Some(Init::default()),
            ..data
        });
        let level = self.session.pairs.level;
        self.session.pairs.shadow_globals.insert((level, g), s);
        if Some(g) == self.session.registry.outside {
            self.session.registry.inactive_globals.insert(s);
        }
        Some(s)
    }

    /// The shadows of globals start at zero in each call; at its start they also lead to blocks that variables have kept.
    pub(super) fn zero_shadow_globals(&mut self, starts: bool) {
        let all: Vec<Global> = self.globals.iter().copied().collect();
        let teams = crate::known::outside::has_teams(self.m);
        let outside = self.session.registry.outside;
        let of_threads =
            |me: &Self, g: Global| teams && me.m.globals[g].thread_local && Some(g) != outside;
        let (own, shared): (Vec<Global>, Vec<Global>) =
            all.into_iter().partition(|&g| of_threads(self, g));
        self.zero_shadows_of(shared, starts);
        if own.is_empty() {
            return;
        }
        // Each thread has one of its own, also those that only another call has had.
        let all = adjoin_passes::openmp::AllThreads::new(self.m);
        let threads = all.number(&mut self.b());
        let clauses = vec![Clause::NumThreads];
        let (_, region) = self.b().par(Directive::Parallel, clauses, vec![threads]);
        let place = (self.at, self.position);
        (self.at, self.position) = (region, None);
        self.zero_shadows_of(own, starts);
        self.b().yield_(&[]);
        (self.at, self.position) = place;
    }

    fn zero_shadows_of(&mut self, globals: Vec<Global>, starts: bool) {
        let mut kept = globals.clone();
        kept.retain(|&g| {
            let keeps = self.session.registry.keeps_blocks(g) && !self.m.globals[g].thread_local;
            starts && keeps && crate::known::outside::has_teams(self.m)
        });
        let kept = crate::points_to::written_first::read_first(self.m, &self.p, &kept);
        for g in globals {
            let Some(s) = self.shadow_global(g) else {
                continue;
            };
            if Some(g) == self.session.registry.outside {
                self.clear_outside(s);
                continue;
            }
            let ctype = self.m.globals[s].ctype;
            if let Some(bytes) = self.m.types.size_of(ctype) {
                let address = self.b().global(s);
                self.b().zero(address, bytes, Some(ctype));
            }
            if self.outside_table().is_none() {
                self.renew_all(g, s, kept.range((g, 0)..=(g, u64::MAX)).map(|p| p.1));
            }
        }
    }

    fn sweep_exit(&mut self, inst: Inst) {
        let data = self.p.insts[inst].clone();
        let args = self.operands(inst);
        for holder in Exits::left_of(&self.p, inst) {
            self.close(holder, true);
        }
        let code = self.exits.code.get(&inst).copied().unwrap_or(0);
        match data.op {
            Op::Return => {
                let mut results = Vec::new();
                if self.keeps_result
                    && let Some(&v) = data.args.first()
                {
                    results.push(self.f[&v]);
                    if self.p.ty(v) == Type::Ptr {
                        let s = self.shadow(v);
                        results.push(s);
                    }
                }
                if let Some(block) = self.wrapped {
                    let code = self.int(code);
                    results.insert(0, code);
                    self.b().break_(block, &results);
                } else {
                    self.result = results.first().map(|&v| (v, results.get(1).copied()));
                }
            }
            Op::Unreachable => {
                self.b().unreachable();
            }
            ref op => {
                let Some(target) = exit_target(&self.p, inst) else {
                    return;
                };
                let mut values = args;
                for v in self.shadowed(&self.linked(inst, target)) {
                    let s = self.shadow(self.operand_for(inst, target, v));
                    values.push(s);
                }
                if self.facts.active.contains(target) {
                    let is_loop = matches!(self.p.insts[target].op, Op::For(_) | Op::Loop);
                    if is_loop && !matches!(op, Op::Break(_)) {
                        if self.exits.continues.contains_key(&target) {
                            let code = self.int(code);
                            self.push(Key::Back(target), code);
                        }
                    } else if !matches!(op, Op::Fallthrough(_)) && self.records_code(target) {
                        self.set_cell(Key::Code(target), code);
                    }
                }
                let to = self.targets.get(&target).copied();
                let mut b = self.b();
                match (op, to) {
                    (Op::Break(_), Some(t)) => drop(b.break_(t, &values)),
                    (Op::Continue(_), Some(t)) => drop(b.continue_(t, &values)),
                    (Op::Fallthrough(_), Some(t)) => drop(b.fallthrough(t, &values)),
                    _ => drop(b.yield_(&values)),
                }
            }
        }
    }

    /// The values that an exit's operands become.
    fn linked(&self, inst: Inst, target: Inst) -> Vec<Value> {
        let holder = &self.p.insts[target];
        let region_args = |k: usize| self.p.regions[holder.regions[k]].args.clone();
        match (&self.p.insts[inst].op, &holder.op) {
            (Op::Break(_), Op::For(_)) => holder.results[1..].to_vec(),
            (Op::Break(_), _) => holder.results.clone(),
            (Op::Fallthrough(_), _) => region_args(0),
            (_, Op::For(_)) => region_args(0)[1..].to_vec(),
            (_, Op::Loop) => region_args(0),
            _ => holder.results.clone(),
        }
    }

    /// The operand that becomes one of the linked values.
    fn operand_for(&self, inst: Inst, target: Inst, linked: Value) -> Value {
        let at = self
            .linked(inst, target)
            .iter()
            .position(|&v| v == linked)
            .unwrap_or(0);
        self.p.insts[inst].args[at]
    }

    /// Must R know through which exit an instruction was left? Not if there is only one way.
    pub(super) fn records_code(&self, inst: Inst) -> bool {
        let own = |exit: &&Inst| self.p.regions[self.p.insts[**exit].parent].parent == Some(inst);
        let leaving = match (self.exits.leaving.get(&Some(inst)), &self.p.insts[inst].op) {
            // The last instruction of a case leaves it if the case ran.
            (Some(list), Op::Switch(_)) => list.iter().filter(|e| !own(e)).count(),
            (list, _) => list.map_or(0, Vec::len),
        };
        let through = self.exits.through.get(&inst).map_or(0, Vec::len);
        match self.p.insts[inst].op {
            Op::If => false,
            Op::Loop => leaving + through > 1,
            _ => leaving + through > 0,
        }
    }

    /// Must R be told how often a loop ran?
    pub(super) fn records_count(&self, inst: Inst) -> bool {
        let leaves = self
            .exits
            .leaving
            .get(&Some(inst))
            .is_some_and(|l| !l.is_empty());
        match self.p.insts[inst].op {
            Op::For(_) => leaves || self.exits.escapes(inst),
            Op::Loop => true,
            _ => false,
        }
    }

    pub(super) fn set_cell(&mut self, key: Key, n: i128) {
        let cell = self.cell(key);
        let v = self.int(n);
        self.b().store(cell, v);
    }

    /// Records how an active instruction with regions ended, when it ends or is left for an outer one.
    fn close(&mut self, inst: Inst, left: bool) {
        if !self.facts.active.contains(inst) {
            return;
        }
        if self.records_count(inst) {
            self.push_cell(Key::Count(inst));
        }
        if self.records_code(inst) {
            if left {
                let none = self.int(-1);
                self.push(Key::Code(inst), none);
            } else {
                self.push_cell(Key::Code(inst));
            }
        }
        if self.records_cases(inst) {
            for k in 0..self.p.insts[inst].regions.len() as u32 {
                self.push_cell(Key::Ran(inst, k));
            }
        }
    }

    pub(super) fn push_cell(&mut self, key: Key) {
        let cell = self.cell(key);
        let v = self.b().load(Type::I64, cell);
        self.push(key, v);
    }

    fn sweep_control(&mut self, inst: Inst) -> Result<()> {
        let data = self.p.insts[inst].clone();
        let active = self.facts.active.contains(inst);
        let fixed = match data.op {
            Op::For(_) => 3,
            Op::If | Op::Switch(_) => 1,
            _ => 0,
        };
        // Which arguments and results have shadows is a fact of the region's arguments and of the results.
        let first_args = match data.op {
            Op::For(_) => self.p.regions[data.regions[0]].args[1..].to_vec(),
            Op::Loop | Op::Switch(_) => self.p.regions[data.regions[0]].args.clone(),
            _ => Vec::new(),
        };
        let mut args = self.operands(inst);
        for (k, &arg) in first_args.iter().enumerate() {
            if self.has_shadow(arg) {
                let s = self.shadow(data.args[fixed + k]);
                args.push(s);
            }
        }
        let mut types: Vec<Type> = data.results.iter().map(|&v| self.p.ty(v)).collect();
        let shadowed_results = self.shadowed(&data.results);
        types.extend(shadowed_results.iter().map(|_| Type::Ptr));
        if active {
            if self.records_count(inst) {
                self.set_cell(Key::Count(inst), 0);
            }
            if self.records_code(inst) {
                self.set_cell(Key::Code(inst), 0);
            }
            if self.records_cases(inst) {
                for k in 0..data.regions.len() as u32 {
                    self.set_cell(Key::Ran(inst, k), 0);
                }
            }
        }
        let mut op = data.op.clone();
        if let Op::For(attr) = &mut op {
            // Its mirror must be run by the same threads.
            attr.on_demand = false;
        }
        let new = self.b().inst(op, args, &types);
        self.targets.insert(inst, new);
        for (k, &region) in data.regions.iter().enumerate() {
            let inner = self.d.add_region(new);
            let arguments = self.p.regions[region].args.clone();
            for &v in &arguments {
                let x = self.d.add_arg(inner, self.p.ty(v));
                self.like(v, x);
            }
            let carried = match data.op {
                Op::For(_) => &arguments[1..],
                _ => &arguments[..],
            };
            for v in self.shadowed(carried) {
                let x = self.d.add_arg(inner, Type::Ptr);
                self.shadow_like(v, x);
            }
            self.inside(inner, |me| {
                if active && me.records_count(inst) {
                    let cell = me.cell(Key::Count(inst));
                    let n = me.b().load(Type::I64, cell);
                    let one = me.int(1);
                    let n = me.b().add(n, one);
                    me.b().store(cell, n);
                }
                if active && me.records_cases(inst) {
                    me.set_cell(Key::Ran(inst, k as u32), 1);
                }
                me.sweep_region(region)
            })?;
        }
        let results = self.d.insts[new].results.clone();
        for (k, &v) in data.results.iter().enumerate() {
            self.like(v, results[k]);
        }
        for (k, v) in shadowed_results.into_iter().enumerate() {
            self.shadow_like(v, results[data.results.len() + k]);
        }
        self.span = data.span;
        self.close(inst, false);
        Ok(())
    }
}
