//! The state of lowering one function, and the small operations that everything else is built from: making
//! instructions at the current place, entering and leaving regions, stack slots, jumps.

use crate::address::Place;
use crate::globals::{ModuleLowerer, Threads};
use crate::goto::Graph;
use crate::omp::Section;
use crate::scan::Scan;
use crate::visit::has_effects;
use crate::{Lower, Refused, refuse};
use adjoin_front::ast::{self, FuncBody, FuncDecl, FuncId, LabelId, Storage, Unit, VarId};
use adjoin_ir::{
    Body, CTy, CTypeKind, Const, Inst, Op, Region, RegionData, SlotAttr, Span, Type, Value,
};
use std::collections::{BTreeSet, HashMap, HashSet};

/// Where a jump goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Target {
    /// Out of an instruction with regions.
    Break(Inst),
    /// To the next iteration of a loop.
    Continue(Inst),
    /// To a node of a flow graph that is being structured: which graph, which node.
    Node(usize, usize),
}

/// What `break` and `continue` mean at a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Jumps {
    pub on_break: Option<Target>,
    pub on_continue: Option<Target>,
    /// How many variables with cleanup functions are alive where they lead.
    pub alive_at_break: usize,
    pub alive_at_continue: usize,
}

/// Where instructions go: see [`FunctionLowerer::enter`].
#[derive(Clone, Copy)]
pub(crate) struct Position {
    cur: Region,
    dead: bool,
    slot_region: Region,
}

/// Lowers one function.
pub(crate) struct FunctionLowerer<'m, 'a> {
    pub m: &'m mut ModuleLowerer<'a>,
    pub unit: &'a Unit,
    pub decl: &'a FuncDecl,
    pub definition: &'a FuncBody,
    pub body: Body,
    /// The region that instructions are appended to. Where control cannot get, a region that nothing holds, so that the rest of an
    /// expression after a call that never returns still has a place to go.
    pub cur: Region,
    pub dead: bool,
    /// The region of the statement being lowered. Objects that an expression makes live as long as the statement's block, also if they
    /// are made inside an arm of `?:`, so their slots go here.
    slot_region: Region,
    /// Where slots go whose declaration control jumps over: the body, or the innermost parallel region.
    pub hoist_region: Region,
    nowhere: Option<Region>,
    /// The place in the source of what is being lowered.
    pub at: ast::Span,
    last_place: Option<(u32, Span)>,
    /// The address of each automatic variable.
    pub slots: HashMap<VarId, Value>,
    /// Variables whose slot was made before control reaches the declaration, because jumps can pass it.
    pub predeclared: HashSet<VarId>,
    /// The lengths of variable-length types, once evaluated.
    pub vla_lengths: HashMap<u32, Value>,
    pub jumps: Jumps,
    /// Variables that are alive and have cleanup functions, in order.
    pub cleanups: Vec<(VarId, FuncId)>,
    /// Labels whose address is taken.
    pub label_addresses: BTreeSet<LabelId>,
    pub labels: HashMap<LabelId, Target>,
    /// Instructions that some jump leaves (or a region of which ends normally): control can come out of them.
    completes: HashSet<Inst>,
    /// Blocks that some `break` names.
    broken: HashSet<Inst>,
    pub scan: Scan<'a>,
    pub graphs: Vec<Graph<'a>>,
    /// Inside a parallel construct?
    pub parallel: u32,
    /// The variables that all threads of the innermost team around share.
    pub shared: BTreeSet<VarId>,
    /// Array sections that the construct just entered makes private.
    pub sections: Vec<Section>,
    /// Values and addresses that were evaluated before the region of an `atomic`, by their expressions.
    pub prepared_values: HashMap<*const ast::Expr, Value>,
    pub prepared_places: HashMap<*const ast::Expr, Place>,
    /// What is lowered is one access to an atomic object.
    pub in_one_access: bool,
    /// Something that went wrong where nothing could be returned.
    pub trouble: Option<Refused>,
}

impl<'m, 'a> FunctionLowerer<'m, 'a> {
    /// Lowers a definition to a body.
    pub fn lower(
        m: &'m mut ModuleLowerer<'a>,
        decl: &'a FuncDecl,
        definition: &'a FuncBody,
    ) -> Lower<Body> {
        let body = Body::new();
        let entry = body.entry;
        let unit = m.unit;
        let label_addresses = crate::computed::label_addresses(unit, decl, definition);
        let mut this = FunctionLowerer {
            m,
            unit,
            decl,
            definition,
            body,
            cur: entry,
            dead: false,
            slot_region: entry,
            hoist_region: entry,
            nowhere: None,
            at: decl.span,
            last_place: None,
            slots: HashMap::new(),
            predeclared: HashSet::new(),
            vla_lengths: HashMap::new(),
            jumps: Jumps::default(),
            cleanups: Vec::new(),
            labels: HashMap::new(),
            completes: HashSet::new(),
            broken: HashSet::new(),
            scan: Scan::of(unit, &definition.block, &label_addresses),
            label_addresses,
            graphs: Vec::new(),
            parallel: 0,
            shared: BTreeSet::new(),
            sections: Vec::new(),
            prepared_values: HashMap::new(),
            prepared_places: HashMap::new(),
            in_one_access: false,
            trouble: None,
        };
        this.parameters()?;
        this.label_tables()?;
        this.list(&definition.block)?;
        this.fall_off_the_end()?;
        match this.trouble {
            Some(r) => Err(r),
            None => Ok(this.body),
        }
    }

    /// The return type.
    pub fn return_type(&self) -> CTy {
        match *self.m.types().shape(self.decl.ty) {
            CTypeKind::Function { ret, .. } => ret,
            _ => unreachable!("a function's type is a function type"),
        }
    }

    fn parameters(&mut self) -> Lower<()> {
        let ret = self.return_type();
        if !matches!(self.m.types().shape(ret), CTypeKind::Void) {
            self.value_type(ret, self.decl.span)?;
        }
        let entry = self.body.entry;
        let mut incoming = Vec::new();
        let declared = match self.m.types().shape(self.decl.ty) {
            CTypeKind::Function { params, .. } => params.clone(),
            _ => Vec::new(),
        };
        if declared.len() != self.decl.params.len() {
            return refuse(
                self.decl.span,
                "a definition whose parameters are not those of its declaration",
            );
        }
        for (k, &var) in self.decl.params.iter().enumerate() {
            let v = &self.unit.vars[var];
            self.at = v.span;
            self.check_variable(var)?;
            // In an old-style definition the argument arrives promoted, as the function's type says.
            let types = self.m.types();
            let arriving = declared
                .get(k)
                .copied()
                .filter(|&t| Type::of_ctype(types, t) != Type::of_ctype(types, v.ty))
                .unwrap_or(v.ty);
            let (ty, ctype) = match self.value_type(arriving, v.span)? {
                Some(ty) => (ty, self.m.types().unqualified(arriving)),
                None => (Type::Ptr, self.m.pointer(v.ty)),
            };
            let arg = self.body.add_arg(entry, ty);
            self.body.values[arg].ctype = Some(ctype);
            self.body.values[arg].name = Some(v.name.clone()).filter(|n| !n.is_empty());
            incoming.push((var, arg));
        }
        for (var, arg) in incoming {
            let v = &self.unit.vars[var];
            self.at = v.span;
            if self.m.types().is_aggregate(v.ty) {
                self.slots.insert(var, arg);
            } else {
                let slot = self.new_slot(v.ty, Some(v.name.clone()), v.align);
                self.slots.insert(var, slot);
                self.store_to(slot, v.ty, arg)?;
            }
        }
        let ids = self.definition.param_vlas.clone();
        for (_, length) in self
            .definition
            .vlas
            .iter()
            .filter(|(id, _)| ids.contains(id))
        {
            // The signature stays the user's, and evaluates the length itself.
            if has_effects(length) {
                return refuse(
                    length.span,
                    "an array parameter whose length has side effects",
                );
            }
        }
        self.evaluate_vlas(&ids)
    }

    /// The end of the body without a `return`: fine for `void` and `main`; else only if the caller does not look at the value, so that any value will do.
    fn fall_off_the_end(&mut self) -> Lower<()> {
        if self.dead {
            return Ok(());
        }
        let range = self.definition.range;
        self.at = ast::Span {
            start: range.end.saturating_sub(1),
            end: range.end,
        };
        let ret = self.return_type();
        if matches!(self.m.types().shape(ret), CTypeKind::Void) {
            self.terminate(Op::Return, vec![]);
        } else if self.m.types().is_aggregate(ret) {
            let slot = self.temporary(ret);
            self.terminate(Op::Return, vec![slot]);
        } else {
            let ty = self.scalar_type(ret, self.at)?;
            let zero = self.zero(ty, ret);
            self.terminate(Op::Return, vec![zero]);
        }
        Ok(())
    }

    // Types

    /// The IR type of a C type: `None` for records and arrays. Refuses what has no IR type.
    pub fn value_type(&self, ty: CTy, span: ast::Span) -> Lower<Option<Type>> {
        let types = self.m.types();
        match types.shape(ty) {
            _ if types.quals(ty).is_atomic && self.m.threads == Threads::Unknown => refuse(
                span,
                "an _Atomic object that threads may use: the IR has no atomic objects",
            ),
            _ => Ok(Type::of_ctype(types, ty)),
        }
    }

    /// The IR type of a scalar.
    pub fn scalar_type(&self, ty: CTy, span: ast::Span) -> Lower<Type> {
        match self.value_type(ty, span)? {
            Some(t) => Ok(t),
            None => refuse(span, "this expression: its value is not a scalar"),
        }
    }

    // Instructions

    /// The current place in the user's file.
    pub fn span(&mut self) -> Span {
        match self.last_place {
            Some((start, span)) if start == self.at.start => span,
            _ => {
                let span = self.m.place(self.at);
                self.last_place = Some((self.at.start, span));
                span
            }
        }
    }

    /// Appends an instruction.
    pub fn emit(&mut self, op: Op, args: Vec<Value>) -> Inst {
        let span = self.span();
        self.body.append(self.cur, op, args, span)
    }

    /// Appends an instruction with one result.
    pub fn value(&mut self, op: Op, args: Vec<Value>, ty: Type, ctype: Option<CTy>) -> Value {
        let inst = self.emit(op, args);
        self.result(inst, ty, ctype)
    }

    /// Adds a result to an instruction.
    pub fn result(&mut self, inst: Inst, ty: Type, ctype: Option<CTy>) -> Value {
        let v = self.body.add_result(inst, ty);
        self.body.values[v].ctype = ctype.map(|t| self.m.types().unqualified(t));
        v
    }

    /// An integer constant.
    pub fn int(&mut self, n: i128, ty: Type) -> Value {
        self.value(Op::Const(Const::Int(n)), vec![], ty, None)
    }

    /// The zero of a type.
    pub fn zero(&mut self, ty: Type, ctype: CTy) -> Value {
        if let Some(part) = ty.part() {
            let zero = self.value(Op::Const(Const::float(0.0)), vec![], part, None);
            self.value(Op::Cast, vec![zero], ty, Some(ctype))
        } else if ty.is_float() {
            self.value(Op::Const(Const::float(0.0)), vec![], ty, Some(ctype))
        } else {
            self.value(Op::Const(Const::Int(0)), vec![], ty, Some(ctype))
        }
    }

    /// Ends the current region.
    pub fn terminate(&mut self, op: Op, args: Vec<Value>) {
        if self.dead {
            return;
        }
        self.emit(op, args);
        self.go_dead();
    }

    fn go_dead(&mut self) {
        let nowhere = match self.nowhere {
            Some(r) => r,
            None => self.body.regions.push(RegionData::default()),
        };
        self.nowhere = Some(nowhere);
        self.cur = nowhere;
        self.dead = true;
    }

    // Regions

    /// Continues in a region that belongs to a statement; objects made there live in it.
    pub fn enter(&mut self, region: Region) -> Position {
        let old = Position {
            cur: self.cur,
            dead: self.dead,
            slot_region: self.slot_region,
        };
        self.cur = region;
        self.dead = false;
        self.slot_region = region;
        old
    }

    /// Continues in a region that belongs to an expression; objects made there live as long as the statement's.
    pub fn enter_expression(&mut self, region: Region) -> Position {
        let slot_region = self.slot_region;
        let old = self.enter(region);
        self.slot_region = slot_region;
        old
    }

    /// Changes where the objects that expressions make live; returns where they lived before.
    pub fn replace_slot_region(&mut self, region: Region) -> Region {
        std::mem::replace(&mut self.slot_region, region)
    }

    /// Back to where `enter` was called.
    pub fn leave(&mut self, old: Position) {
        self.cur = old.cur;
        self.dead = old.dead;
        self.slot_region = old.slot_region;
    }

    /// Ends a region normally, if control gets there.
    pub fn end_region(&mut self, holder: Inst, results: Vec<Value>) {
        if !self.dead {
            self.completes.insert(holder);
            self.terminate(Op::Yield, results);
        }
    }

    /// After an instruction with regions: if control never comes out of it, say so.
    pub fn after(&mut self, inst: Inst) {
        if !self.completes.contains(&inst) {
            self.terminate(Op::Unreachable, vec![]);
        }
    }

    /// Starts a `block`. It must be closed with [`Self::close_block`].
    pub fn open_block(&mut self) -> (Inst, Position) {
        let inst = self.emit(Op::Block, vec![]);
        let region = self.body.add_region(inst);
        (inst, self.enter(region))
    }

    /// Ends a `block`. If nothing breaks out of it, its instructions move into the region around it and it disappears.
    pub fn close_block(&mut self, inst: Inst, old: Position) {
        if self.broken.contains(&inst) {
            self.end_region(inst, vec![]);
            self.leave(old);
            self.after(inst);
            return;
        }
        let region = self.body.insts[inst].regions[0];
        let mut dead = self.dead;
        self.leave(old);
        let outer = self.cur;
        let mut moved = std::mem::take(&mut self.body.regions[region].insts);
        if moved
            .last()
            .is_some_and(|&i| self.body.insts[i].op == Op::Yield)
        {
            moved.pop();
            dead = false;
        }
        let popped = self.body.regions[outer].insts.pop();
        debug_assert_eq!(popped, Some(inst), "a block is closed where it was opened");
        for &i in &moved {
            self.body.insts[i].parent = outer;
        }
        self.body.regions[outer].insts.extend(moved);
        if dead {
            // A block is entered alive, so the instructions that moved end with a terminator.
            self.go_dead();
        }
    }

    /// Jumps.
    pub fn jump(&mut self, target: Target) {
        if self.dead {
            return;
        }
        match target {
            Target::Break(inst) => {
                self.completes.insert(inst);
                let holder = self.body.regions[self.cur].parent;
                let ends_there = matches!(self.body.insts[inst].op, Op::Block | Op::Switch(_));
                if holder == Some(inst) && ends_there {
                    self.terminate(Op::Yield, vec![]);
                } else {
                    self.broken.insert(inst);
                    self.terminate(Op::Break(inst), vec![]);
                }
            }
            Target::Continue(inst) => {
                let holder = self.body.regions[self.cur].parent;
                let op = if holder == Some(inst) {
                    Op::Yield
                } else {
                    Op::Continue(inst)
                };
                self.terminate(op, vec![]);
            }
            Target::Node(graph, node) => match self.reach(graph, node) {
                Some(reached) => self.jump(reached),
                None => self.terminate(Op::Unreachable, vec![]),
            },
        }
    }

    // Slots

    /// A slot in the current statement's region.
    pub fn new_slot(&mut self, ctype: CTy, name: Option<String>, align: u64) -> Value {
        let name = name.filter(|n| !n.is_empty());
        let op = Op::Slot(SlotAttr {
            ctype,
            name: name.clone(),
            align,
        });
        let slot = if self.dead || self.cur == self.slot_region {
            self.value(op, vec![], Type::Ptr, None)
        } else {
            // The last instruction of the statement's region is the one whose regions we are in.
            let at = self.body.regions[self.slot_region]
                .insts
                .len()
                .saturating_sub(1);
            self.insert_slot(self.slot_region, at, op)
        };
        self.body.values[slot].ctype = Some(self.m.pointer(ctype));
        slot
    }

    fn insert_slot(&mut self, region: Region, at: usize, op: Op) -> Value {
        let span = self.span();
        let inst = self.body.make(region, op, vec![], span);
        self.body.regions[region].insts.insert(at, inst);
        self.body.add_result(inst, Type::Ptr)
    }

    /// A slot for an unnamed object.
    pub fn temporary(&mut self, ctype: CTy) -> Value {
        let ctype = self.m.types().unqualified(ctype);
        self.new_slot(ctype, None, 0)
    }

    /// Refuses variables that are more than memory.
    pub fn check_variable(&mut self, var: VarId) -> Lower<()> {
        let v = &self.unit.vars[var];
        if v.asm_name.is_some() {
            return refuse(
                v.span,
                format!("'{}': it is bound to a machine register", v.name),
            );
        }
        if self.m.types().quals(v.ty).is_atomic {
            self.read_atomics_plainly(v.span);
        }
        self.value_type(v.ty, v.span).map(|_| ())
    }

    /// Atomic objects are read as plain ones, where nothing in the file makes threads, or as such that are accessed in turn: the function itself stays as written.
    pub fn read_atomics_plainly(&mut self, span: ast::Span) {
        self.m.reading.get_or_insert_with(|| Refused {
            span,
            reason: "cannot lower an _Atomic object: the IR has no atomic objects".into(),
        });
    }

    /// Makes the slot of a variable at its declaration, unless it already has one there.
    pub fn declare(&mut self, var: VarId) -> Lower<Value> {
        self.check_variable(var)?;
        let v = &self.unit.vars[var];
        let slot = if self.is_variable_length(v.ty) {
            self.variable_length_slot(var)?
        } else {
            self.new_slot(v.ty, Some(v.name.clone()), v.align)
        };
        self.slots.insert(var, slot);
        Ok(slot)
    }

    /// The address of a variable.
    pub fn variable(&mut self, var: VarId, span: ast::Span) -> Lower<Value> {
        if let Some(&slot) = self.slots.get(&var) {
            return Ok(slot);
        }
        let v = &self.unit.vars[var];
        match v.storage {
            Storage::Global { .. } | Storage::StaticLocal(_) => {
                if matches!(self.m.types().shape(v.ty), CTypeKind::Void) {
                    return refuse(span, format!("'{}': it has type void", v.name));
                }
                if self.m.types().quals(v.ty).is_atomic {
                    if self.m.threads == Threads::Unknown {
                        let name = &v.name;
                        return refuse(
                            span,
                            format!("'{name}': it is an _Atomic object that threads may use"),
                        );
                    }
                    self.read_atomics_plainly(span);
                }
                let global = self.m.global(var);
                let ctype = self.m.pointer(v.ty);
                Ok(self.value(Op::GlobalAddr(global), vec![], Type::Ptr, Some(ctype)))
            }
            Storage::Auto | Storage::Param(_) => {
                // Control cannot have passed its declaration: it exists nevertheless, uninitialised, from the start.
                self.check_variable(var)?;
                if self.is_variable_length(v.ty) {
                    return refuse(
                        span,
                        format!("'{}': its length is not evaluated here", v.name),
                    );
                }
                let op = Op::Slot(SlotAttr {
                    ctype: v.ty,
                    name: Some(v.name.clone()).filter(|n| !n.is_empty()),
                    align: v.align,
                });
                let slot = self.insert_slot(self.hoist_region, 0, op);
                self.body.values[slot].ctype = Some(self.m.pointer(v.ty));
                self.slots.insert(var, slot);
                Ok(slot)
            }
        }
    }
}
