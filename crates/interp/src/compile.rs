//! Flattens function bodies into [`Code`]. Values become registers; regions become stretches of code; early exits become moves, the ends of
//! the objects whose scope is left, and a jump. Which objects those are is known here, because a slot lives until the end of its
//! region and an exit comes after the slots before it.

use crate::arith::{BinaryOp, Compare, Relation};
use crate::code::*;
use crate::error::{ErrorKind, Fault, Run};
use crate::libc;
use crate::memory::{FUNCTION_BASE, NO_NAME, Name};
use crate::value::{Raw, constant, is_wide};
use adjoin_ir::signature::{Return, Signature};
use adjoin_ir::{Body, CTy, CTypeKind, Func, Inst, Module, Op, Region, Span, Step, Type, Value};
use cranelift_entity::{EntityRef, SecondaryMap};
use std::collections::HashMap;

/// The address of a function.
pub fn function_address(func: usize) -> u64 {
    FUNCTION_BASE + 16 * func as u64
}

/// Compiles all functions of a module whose globals have the given addresses; names are numbered from `first_name`. It follows the nesting of
/// regions natively, so it wants a large stack.
pub fn compile(
    module: &Module,
    globals: Vec<u64>,
    first_name: Name,
    check_overflow: bool,
) -> Run<Program> {
    let mut program = Program {
        globals,
        global_names: module.globals.values().map(|g| g.name.clone()).collect(),
        files: module.files.clone(),
        ..Program::default()
    };
    for function in module.funcs.values() {
        let Some(signature) = Signature::of(&module.types, function.ctype) else {
            return Err(invalid(format!(
                "`{}` has no usable function type",
                function.name
            )));
        };
        let external = match function.body {
            Some(_) => None,
            None => libc::find(&function.name),
        };
        let params = match module.types.shape(function.ctype) {
            CTypeKind::Function { params, .. } => params.as_slice(),
            _ => &[],
        };
        program.functions.push(FunctionInfo {
            name: function.name.clone(),
            entry: None,
            external,
            image: Vec::new(),
            params: Vec::new(),
            param_types: signature.params.clone(),
            param_sizes: params.iter().map(|&p| aggregate_size(module, p)).collect(),
            variadic: signature.variadic,
            result_type: signature.result(),
            result_size: match signature.ret {
                Return::Aggregate(t) => module.types.size_of(t),
                _ => None,
            },
        });
    }
    for (id, function) in module.funcs.iter() {
        if let Some(body) = &function.body {
            let entry = program.code.len() as u32;
            let mut compiler =
                Compiler::new(module, body, &mut program, first_name, check_overflow);
            let params = compiler.regs(&body.regions[body.entry].args);
            compiler.region(body.entry)?;
            let mut image = std::mem::take(&mut compiler.image);
            image.resize(compiler.count as usize, Raw::default());
            let info = &mut program.functions[id.index()];
            info.entry = Some(entry);
            info.image = image;
            info.params = params;
        }
    }
    Ok(program)
}

fn invalid(message: impl Into<String>) -> Fault {
    Fault::new(ErrorKind::InvalidModule, message)
}

/// Size of an aggregate type; 0 for scalars. A `va_list` is passed as a pointer.
fn aggregate_size(module: &Module, t: CTy) -> u64 {
    match module.types.shape(t) {
        CTypeKind::Record(_) | CTypeKind::Vector { .. } => module.types.size_of(t).unwrap_or(0),
        _ => 0,
    }
}

/// A jump whose target is not known yet is patched when the label is placed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Label(usize);

/// Where a label is, or which jumps wait to know.
#[derive(Default)]
struct LabelState {
    place: Option<u32>,
    waiting: Vec<u32>,
}

/// What an enclosing op offers to the terminators inside.
#[derive(Clone)]
struct Scope {
    inst: Inst,
    /// Slots that were live when the op began.
    live: usize,
    end: Label,
    /// Where `continue` (or for a `switch`: `fallthrough`, as of the current region) goes.
    next: Label,
    /// The registers that `continue` or `fallthrough` fills.
    next_regs: Vec<Reg>,
    results: Vec<Reg>,
    /// A counted loop's index.
    index: Option<Reg>,
}

pub(crate) struct Compiler<'a> {
    pub(crate) module: &'a Module,
    pub(crate) body: &'a Body,
    pub(crate) program: &'a mut Program,
    registers: SecondaryMap<Value, Reg>,
    uses: SecondaryMap<Value, u32>,
    pub(crate) image: Vec<Raw>,
    count: u32,
    /// Registers of numbers that codes need as operands.
    numbers: HashMap<u64, Reg>,
    /// Addresses (registers) of the slots that are live here.
    pub(crate) live: Vec<Reg>,
    scopes: Vec<Scope>,
    labels: Vec<LabelState>,
    /// The last place that a label was given.
    last_placed: u32,
    span: Span,
    first_name: Name,
    check_overflow: bool,
}

impl<'a> Compiler<'a> {
    fn new(
        module: &'a Module,
        body: &'a Body,
        program: &'a mut Program,
        first_name: Name,
        check_overflow: bool,
    ) -> Self {
        let mut uses: SecondaryMap<Value, u32> = SecondaryMap::new();
        body.walk(|inst| {
            for &v in &body.insts[inst].args {
                uses[v] += 1;
            }
        });
        Compiler {
            module,
            body,
            program,
            registers: SecondaryMap::with_default(NONE),
            uses,
            image: Vec::new(),
            count: 0,
            numbers: HashMap::new(),
            live: Vec::new(),
            scopes: Vec::new(),
            labels: Vec::new(),
            last_placed: 0,
            span: Span::default(),
            first_name,
            check_overflow,
        }
    }

    // Registers, labels and codes

    pub(crate) fn fresh(&mut self) -> Reg {
        self.count += 1;
        self.count - 1
    }

    pub(crate) fn reg(&mut self, v: Value) -> Reg {
        if self.registers[v] == NONE {
            self.registers[v] = self.fresh();
        }
        self.registers[v]
    }

    fn set_image(&mut self, reg: Reg, raw: Raw) {
        let index = reg as usize;
        if self.image.len() <= index {
            self.image.resize(index + 1, Raw::default());
        }
        self.image[index] = raw;
    }

    /// A register that always holds a number.
    pub(crate) fn number(&mut self, n: u64) -> Reg {
        if let Some(&reg) = self.numbers.get(&n) {
            return reg;
        }
        let reg = self.fresh();
        self.set_image(reg, Raw::new(n));
        self.numbers.insert(n, reg);
        reg
    }

    pub(crate) fn emit(&mut self, code: Code) {
        self.program.code.push(code);
        self.program.spans.push(self.span);
    }

    fn label(&mut self) -> Label {
        self.labels.push(LabelState::default());
        Label(self.labels.len() - 1)
    }

    fn place(&mut self, label: Label) {
        let here = self.program.code.len() as u32;
        self.last_placed = here;
        let state = &mut self.labels[label.0];
        state.place = Some(here);
        for at in state.waiting.drain(..) {
            set_target(&mut self.program.code[at as usize], here);
        }
    }

    /// Emits a jump to a label.
    fn jump(&mut self, mut code: Code, label: Label) {
        match self.labels[label.0].place {
            Some(here) => set_target(&mut code, here),
            None => self.labels[label.0]
                .waiting
                .push(self.program.code.len() as u32),
        }
        self.emit(code);
    }

    /// Moves at the same time.
    fn moves(&mut self, targets: &[Reg], sources: &[Reg]) {
        let pairs: Vec<(Reg, Reg)> = targets
            .iter()
            .copied()
            .zip(sources.iter().copied())
            .filter(|(d, a)| d != a)
            .collect();
        let hazard = pairs
            .iter()
            .enumerate()
            .any(|(k, (d, _))| pairs[k + 1..].iter().any(|(_, a)| a == d));
        if !hazard {
            for (d, a) in pairs {
                self.emit(Code::Move { d, a });
            }
            return;
        }
        let temporaries: Vec<Reg> = pairs.iter().map(|_| self.fresh()).collect();
        for (&(_, a), &d) in pairs.iter().zip(&temporaries) {
            self.emit(Code::Move { d, a });
        }
        for (&(d, _), &a) in pairs.iter().zip(&temporaries) {
            self.emit(Code::Move { d, a });
        }
    }

    /// Ends the slots made since there were `live` of them, on this path.
    pub(crate) fn kills(&mut self, live: usize) {
        for k in (live..self.live.len()).rev() {
            let a = self.live[k];
            self.emit(Code::Kill { a });
        }
    }

    fn regs(&mut self, values: &[Value]) -> Vec<Reg> {
        values.iter().map(|&v| self.reg(v)).collect()
    }

    // Regions

    pub(crate) fn region(&mut self, region: Region) -> Run<()> {
        let body = self.body;
        let live = self.live.len();
        let insts = &body.regions[region].insts;
        let mut fused = None;
        for (k, &inst) in insts.iter().enumerate() {
            let next = insts.get(k + 1).copied();
            if self.fuses_with(inst, next) {
                fused = Some(inst);
                continue;
            }
            self.span = body.insts[inst].span;
            self.inst(inst, fused.take())?;
        }
        self.live.truncate(live);
        Ok(())
    }

    /// A comparison that only the following `if` uses becomes part of its jump.
    fn fuses_with(&self, inst: Inst, next: Option<Inst>) -> bool {
        let data = &self.body.insts[inst];
        let Some(next) = next else { return false };
        let next = &self.body.insts[next];
        relation(&data.op).is_some()
            && matches!(next.op, Op::If)
            && next.args.first() == data.results.first()
            && data.results.first().is_some_and(|&v| self.uses[v] == 1)
    }

    fn inst(&mut self, inst: Inst, fused: Option<Inst>) -> Run<()> {
        let body = self.body;
        let data = &body.insts[inst];
        match &data.op {
            Op::If => self.if_(inst, fused),
            Op::For(attr) => self.for_(inst, Relation::of_pred(attr.pred)),
            Op::Loop => self.loop_(inst),
            Op::Block => self.block(inst),
            Op::Switch(_) => self.switch(inst),
            Op::Par(attr) => self.par(inst, attr),
            Op::Yield => self.yield_(inst),
            Op::Break(target) => {
                let scope = self.scope(*target)?;
                let sources = self.regs(&data.args);
                self.leave(&scope, &sources);
                Ok(())
            }
            Op::Continue(target) | Op::Fallthrough(target) => {
                let scope = self.scope(*target)?;
                let sources = self.regs(&data.args);
                self.moves(&scope.next_regs, &sources);
                self.kills(scope.live);
                self.jump(Code::Jump { to: 0 }, scope.next);
                Ok(())
            }
            Op::Return => {
                let a = data.args.first().map_or(NONE, |&v| self.reg(v));
                self.emit(Code::Return { a });
                Ok(())
            }
            Op::Unreachable => {
                self.emit(Code::Unreachable);
                Ok(())
            }
            Op::Call(attr) => self.call(inst, Some(attr.func), None, &attr.extra),
            Op::CallIndirect(attr) => self.call(inst, None, Some(attr.ctype), &attr.extra),
            Op::Mpi(attr) => self.call(inst, Some(attr.func), None, &[]),
            _ => self.simple(inst),
        }
    }

    fn scope(&self, inst: Inst) -> Run<Scope> {
        let found = self.scopes.iter().rev().find(|s| s.inst == inst);
        found
            .cloned()
            .ok_or_else(|| invalid("a terminator names an op that does not enclose it"))
    }

    /// Leaves an op with its results.
    fn leave(&mut self, scope: &Scope, sources: &[Reg]) {
        match scope.index {
            Some(index) if sources.len() + 1 == scope.results.len() => {
                let mut all = vec![index];
                all.extend_from_slice(sources);
                self.moves(&scope.results, &all);
            }
            _ => self.moves(&scope.results, sources),
        }
        self.kills(scope.live);
        self.jump(Code::Jump { to: 0 }, scope.end);
    }

    fn yield_(&mut self, inst: Inst) -> Run<()> {
        let body = self.body;
        let data = &body.insts[inst];
        let Some(holder) = body.regions[data.parent].parent else {
            return Err(invalid("`yield` at the end of a function"));
        };
        let sources = self.regs(&data.args);
        match body.insts[holder].op {
            Op::For(_) | Op::Loop => {
                let scope = self.scope(holder)?;
                self.moves(&scope.next_regs, &sources);
                self.kills(scope.live);
                self.jump(Code::Jump { to: 0 }, scope.next);
            }
            Op::Par(_) => {
                // The private copies die with the op, not with the region.
                let scope = self.scope(holder)?;
                self.kills(scope.live);
                self.jump(Code::Jump { to: 0 }, scope.end);
            }
            _ => {
                let scope = self.scope(holder)?;
                self.leave(&scope, &sources);
            }
        }
        Ok(())
    }

    fn push_scope(&mut self, inst: Inst, next_regs: Vec<Reg>, index: Option<Reg>) -> Scope {
        let body = self.body;
        let results = self.regs(&body.insts[inst].results);
        let scope = Scope {
            inst,
            live: self.live.len(),
            end: self.label(),
            next: self.label(),
            next_regs,
            results,
            index,
        };
        self.scopes.push(scope.clone());
        scope
    }

    fn pop_scope(&mut self) {
        if let Some(scope) = self.scopes.pop() {
            self.drop_last_jump(scope.end);
            self.place(scope.end);
        }
    }

    /// Drops a jump to the label that is about to be placed behind it. (Whatever leads to the jump then leads to the label.)
    fn drop_last_jump(&mut self, label: Label) {
        let here = self.program.code.len() as u32;
        let last = self.labels[label.0].waiting.last().copied();
        if last.is_some_and(|at| at + 1 == here)
            && self.last_placed < here
            && matches!(self.program.code.last(), Some(Code::Jump { .. }))
        {
            self.labels[label.0].waiting.pop();
            self.program.code.pop();
            self.program.spans.pop();
        }
    }

    fn if_(&mut self, inst: Inst, fused: Option<Inst>) -> Run<()> {
        let body = self.body;
        let data = &body.insts[inst];
        let otherwise = self.label();
        match fused.and_then(|c| relation(&body.insts[c].op).map(|r| (c, r))) {
            Some((c, relation)) => {
                let operands = &body.insts[c].args;
                let compare = Compare::of(relation, body.ty(operands[0]));
                let (a, b) = (self.reg(operands[0]), self.reg(operands[1]));
                self.jump(
                    Code::JumpUnless {
                        compare,
                        a,
                        b,
                        to: 0,
                    },
                    otherwise,
                );
            }
            None => {
                let a = self.reg(data.args[0]);
                self.jump(Code::JumpIfNot { a, to: 0 }, otherwise);
            }
        }
        self.push_scope(inst, Vec::new(), None);
        self.region(data.regions[0])?;
        if data.results.is_empty() && self.is_empty(data.regions[1]) {
            self.pop_scope();
            self.place(otherwise);
            return Ok(());
        }
        self.place(otherwise);
        self.region(data.regions[1])?;
        self.pop_scope();
        Ok(())
    }

    fn is_empty(&self, region: Region) -> bool {
        let insts = &self.body.regions[region].insts;
        insts.len() == 1 && matches!(self.body.insts[insts[0]].op, Op::Yield)
    }

    fn for_(&mut self, inst: Inst, relation: Relation) -> Run<()> {
        let body = self.body;
        let data = &body.insts[inst];
        let region = data.regions[0];
        let args = self.regs(&body.regions[region].args);
        let operands = self.regs(&data.args);
        let (index, upper, step) = (args[0], operands[1], operands[2]);
        let ty = body.ty(data.args[0]);
        let compare = Compare::of(relation, ty);
        let mut initial = vec![operands[0]];
        initial.extend_from_slice(&operands[3..]);
        self.moves(&args, &initial);
        let done = self.label();
        self.jump(
            Code::JumpUnless {
                compare,
                a: index,
                b: upper,
                to: 0,
            },
            done,
        );
        let begin = self.label();
        self.place(begin);
        let scope = self.push_scope(inst, args[1..].to_vec(), Some(index));
        self.region(region)?;
        self.span = data.span;
        self.drop_last_jump(scope.next);
        self.place(scope.next);
        let width = match ty {
            Type::I32 => Some(Width::I32),
            Type::U32 => Some(Width::U32),
            Type::I64 | Type::U64 | Type::Ptr => Some(Width::W64),
            _ => None,
        };
        match width {
            Some(width) if !self.check_overflow => {
                self.jump(
                    Code::Next {
                        width,
                        compare,
                        index,
                        step,
                        upper,
                        to: 0,
                    },
                    begin,
                );
            }
            _ => {
                let op = BinaryOp::Add;
                self.emit(Code::Binary {
                    op,
                    ty,
                    d: index,
                    a: index,
                    b: step,
                });
                self.jump(
                    Code::JumpUnless {
                        compare,
                        a: index,
                        b: upper,
                        to: 0,
                    },
                    done,
                );
                self.jump(Code::Jump { to: 0 }, begin);
            }
        }
        self.place(done);
        self.moves(&scope.results, &args);
        self.pop_scope();
        Ok(())
    }

    fn loop_(&mut self, inst: Inst) -> Run<()> {
        let body = self.body;
        let data = &body.insts[inst];
        let region = data.regions[0];
        let args = self.regs(&body.regions[region].args);
        let initial = self.regs(&data.args);
        self.moves(&args, &initial);
        let scope = self.push_scope(inst, args, None);
        self.place(scope.next);
        self.region(region)?;
        self.pop_scope();
        Ok(())
    }

    fn block(&mut self, inst: Inst) -> Run<()> {
        let body = self.body;
        self.push_scope(inst, Vec::new(), None);
        self.region(body.insts[inst].regions[0])?;
        self.pop_scope();
        Ok(())
    }

    fn switch(&mut self, inst: Inst) -> Run<()> {
        let body = self.body;
        let data = &body.insts[inst];
        let Op::Switch(attr) = &data.op else {
            return Err(invalid("not a switch"));
        };
        let a = self.reg(data.args[0]);
        let initial = self.regs(&data.args[1..]);
        let ty = body.ty(data.args[0]);
        let table = self.program.switches.len() as u32;
        self.program.switches.push(SwitchTable {
            ty,
            ranges: Vec::new(),
            default: 0,
        });
        self.emit(Code::Switch { a, table });
        self.push_scope(inst, Vec::new(), None);
        let scope_at = self.scopes.len() - 1;
        let mut ranges = Vec::new();
        let mut default = None;
        // `next` of the scope is the label of the region after the one being compiled.
        for (k, &region) in data.regions.iter().enumerate() {
            let entry = self.program.code.len() as u32;
            for &(low, high) in &attr.cases[k].values {
                ranges.push((low, high, entry));
            }
            if attr.cases[k].default {
                default = Some(entry);
            }
            let args = self.regs(&body.regions[region].args);
            self.moves(&args, &initial);
            let entered = self.scopes[scope_at].next;
            self.place(entered);
            let next = self.label();
            let next_args = match data.regions.get(k + 1) {
                Some(&r) => self.regs(&body.regions[r].args),
                None => Vec::new(),
            };
            self.scopes[scope_at].next = next;
            self.scopes[scope_at].next_regs = next_args;
            self.region(region)?;
        }
        ranges.sort_unstable();
        self.program.switches[table as usize].ranges = ranges;
        self.program.switches[table as usize].default =
            default.ok_or_else(|| invalid("a `switch` without default"))?;
        self.pop_scope();
        Ok(())
    }

    /// The region of a `par` op, between making and ending the private copies.
    pub(crate) fn par_region(&mut self, inst: Inst, region: Region) -> Run<()> {
        self.push_scope(inst, Vec::new(), None);
        self.region(region)?;
        self.pop_scope();
        Ok(())
    }

    // Calls

    fn call(
        &mut self,
        inst: Inst,
        func: Option<Func>,
        pointer_type: Option<CTy>,
        extra: &[CTy],
    ) -> Run<()> {
        let body = self.body;
        let module = self.module;
        let data = &body.insts[inst];
        let ctype = match (func, pointer_type) {
            (Some(func), _) => module.funcs[func].ctype,
            (None, Some(ctype)) => module.types.pointee(ctype).unwrap_or(ctype),
            (None, None) => return Err(invalid("a call of nothing")),
        };
        let CTypeKind::Function {
            ret,
            params,
            prototyped,
            ..
        } = module.types.shape(ctype)
        else {
            return Err(invalid("a call whose type is no function type"));
        };
        let mut operands = data.args.as_slice();
        let callee = match func {
            Some(func) => Callee::Direct(func.index() as u32),
            None => {
                let (&pointer, rest) = operands
                    .split_first()
                    .ok_or_else(|| invalid("a call of nothing"))?;
                operands = rest;
                Callee::Indirect(self.reg(pointer))
            }
        };
        let mut result_address = None;
        if module.types.is_aggregate(*ret) {
            let (&address, rest) = operands
                .split_first()
                .ok_or_else(|| invalid("a call without place for its result"))?;
            operands = rest;
            result_address = Some(self.reg(address));
        }
        let mut ctypes: Vec<CTy> = if *prototyped {
            params.clone()
        } else {
            Vec::new()
        };
        ctypes.extend_from_slice(extra);
        let pointees = operands
            .iter()
            .enumerate()
            .map(|(k, &v)| {
                let by_value = body.values[v].ctype.and_then(|t| self.scalar_pointee(t));
                by_value.or_else(|| self.scalar_pointee(*ctypes.get(k)?))
            })
            .collect();
        let aggregates = (0..operands.len())
            .map(|k| ctypes.get(k).map_or(0, |&t| aggregate_size(module, t)))
            .collect();
        let site = CallSite {
            callee,
            result_address,
            args: self.regs(operands),
            types: operands.iter().map(|&v| body.ty(v)).collect(),
            aggregates,
            pointees,
            result: data.results.first().map_or(NONE, |&v| self.reg(v)),
            result_type: data.results.first().map(|&v| body.ty(v)),
        };
        self.program.sites.push(site);
        let site = (self.program.sites.len() - 1) as u32;
        self.emit(Code::Call { site });
        Ok(())
    }

    fn scalar_pointee(&self, t: CTy) -> Option<Type> {
        let types = &self.module.types;
        Type::of_ctype(types, types.pointee(t)?)
    }

    // Everything without regions

    fn simple(&mut self, inst: Inst) -> Run<()> {
        let body = self.body;
        let data = &body.insts[inst];
        let args = self.regs(&data.args);
        let d = data.results.first().map_or(NONE, |&v| self.reg(v));
        let ty = data.results.first().map_or(Type::I32, |&v| body.ty(v));
        let arg_type = data.args.first().map_or(Type::I32, |&v| body.ty(v));
        if let Some(relation) = relation(&data.op) {
            let compare = Compare::of(relation, arg_type);
            self.emit(Code::Compare {
                compare,
                d,
                a: args[0],
                b: args[1],
            });
            return Ok(());
        }
        if let Some(op) = binary_op(&data.op) {
            self.binary(op, ty, d, args[0], args[1]);
            return Ok(());
        }
        match &data.op {
            Op::Const(c) => self.set_image(d, constant(ty, c)),
            Op::GlobalAddr(g) => {
                let address = *self
                    .program
                    .globals
                    .get(g.index())
                    .ok_or_else(|| invalid("an unknown global"))?;
                self.set_image(d, Raw::new(address));
            }
            Op::FuncAddr(f) => self.set_image(d, Raw::new(function_address(f.index()))),
            Op::Slot(attr) => {
                let Some(size) = self.module.types.size_of(attr.ctype) else {
                    return Err(invalid("a slot of incomplete type"));
                };
                let slot = self.slot(size, attr.ctype, attr.align, attr.name.as_deref());
                self.emit(Code::Slot { d, slot });
                self.live.push(d);
            }
            Op::SlotVla(attr) => {
                let Some(size) = self.module.types.size_of(attr.ctype) else {
                    return Err(invalid("a variable-length slot of incomplete elements"));
                };
                let slot = self.slot(size, attr.ctype, attr.align, attr.name.as_deref());
                self.emit(Code::SlotMany {
                    d,
                    a: args[0],
                    slot,
                });
                self.live.push(d);
            }
            Op::Alloca => self.emit(Code::Alloca { d, a: args[0] }),
            Op::Addr(attr) => self.address(d, &args, &attr.steps)?,
            Op::PtrDiff(size) => {
                let size = u32::try_from(*size)
                    .ok()
                    .filter(|&s| s > 0)
                    .ok_or_else(|| invalid("a pointer difference in units of this size"))?;
                self.emit(Code::Distance {
                    d,
                    a: args[0],
                    b: args[1],
                    size,
                });
            }
            Op::Neg => self.emit(Code::Negate { d, a: args[0], ty }),
            Op::Not => self.emit(Code::Complement { d, a: args[0], ty }),
            Op::Select => {
                self.emit(Code::Select {
                    d,
                    c: args[0],
                    a: args[1],
                    b: args[2],
                });
            }
            Op::Cast => self.cast(d, args[0], arg_type, ty),
            Op::Complex => self.emit(Code::MakeComplex {
                d,
                a: args[0],
                b: args[1],
            }),
            Op::Real => self.emit(Code::RealPart { d, a: args[0] }),
            Op::Imag => self.emit(Code::ImagPart { d, a: args[0] }),
            Op::Load(_) => self.load(d, args[0], ty),
            Op::Store(_) => self.store(args[0], args[1], body.ty(data.args[1])),
            Op::LoadBits(bits) => {
                let (first, width) = (bits.first, bits.width as u16);
                self.emit(Code::LoadBits {
                    d,
                    a: args[0],
                    first,
                    width,
                    ty,
                });
            }
            Op::StoreBits(bits) => {
                let (first, width) = (bits.first, bits.width as u16);
                let ty = body.ty(data.args[1]);
                self.emit(Code::StoreBits {
                    a: args[0],
                    b: args[1],
                    first,
                    width,
                    ty,
                });
            }
            Op::Copy(attr) => {
                let size = self.size(attr.bytes);
                self.emit(Code::Copy {
                    a: args[0],
                    b: args[1],
                    size,
                });
            }
            Op::Zero(attr) => {
                let size = self.size(attr.bytes);
                self.emit(Code::Zero { a: args[0], size });
            }
            Op::VaStart => self.emit(Code::VaStart { a: args[0] }),
            Op::VaArg(_) => self.emit(Code::VaArg { d, a: args[0], ty }),
            Op::VaEnd => self.emit(Code::VaEnd { a: args[0] }),
            Op::VaCopy => self.emit(Code::VaCopy {
                a: args[0],
                b: args[1],
            }),
            op => {
                return Err(Fault::new(
                    ErrorKind::Unsupported,
                    format!("the interpreter does not know `{}`", op.name()),
                ));
            }
        }
        Ok(())
    }

    fn size(&mut self, n: u64) -> u32 {
        self.program.numbers.push(n);
        (self.program.numbers.len() - 1) as u32
    }

    pub(crate) fn slot(&mut self, size: u64, ctype: CTy, align: u64, name: Option<&str>) -> u32 {
        let align = align.max(self.module.types.align_of(ctype));
        let name = match name {
            Some(name) => {
                self.program.names.push(name.to_string());
                self.first_name + self.program.names.len() as Name - 1
            }
            None => NO_NAME,
        };
        self.program.slots.push(SlotInfo { size, align, name });
        (self.program.slots.len() - 1) as u32
    }

    fn address(&mut self, d: Reg, args: &[Reg], steps: &[Step]) -> Run<()> {
        let mut base = args[0];
        let mut operands = args[1..].iter().copied();
        let mut operand = || {
            operands
                .next()
                .ok_or_else(|| invalid("`addr` with too few operands"))
        };
        let mut constant = 0i64;
        for step in steps {
            match step {
                Step::Index { stride } => {
                    let b = operand()?;
                    match u32::try_from(*stride) {
                        Ok(stride) => self.emit(Code::Index {
                            d,
                            a: base,
                            b,
                            stride,
                        }),
                        Err(_) => {
                            let stride = self.number(*stride);
                            self.emit(Code::IndexBy {
                                d,
                                a: base,
                                b,
                                stride,
                            });
                        }
                    }
                    base = d;
                }
                Step::IndexDyn => {
                    let (b, stride) = (operand()?, operand()?);
                    self.emit(Code::IndexBy {
                        d,
                        a: base,
                        b,
                        stride,
                    });
                    base = d;
                }
                Step::Field { offset, .. } => constant = constant.wrapping_add(*offset as i64),
                Step::Bytes(offset) => constant = constant.wrapping_add(*offset),
            }
        }
        match i32::try_from(constant) {
            Ok(0) if base == d => {}
            Ok(bytes) => self.emit(Code::Offset { d, a: base, bytes }),
            Err(_) => {
                let b = self.number(constant as u64);
                self.emit(Code::Index {
                    d,
                    a: base,
                    b,
                    stride: 1,
                });
            }
        }
        Ok(())
    }

    fn binary(&mut self, op: BinaryOp, ty: Type, d: Reg, a: Reg, b: Reg) {
        use BinaryOp::*;
        let quiet = !(self.check_overflow && ty.is_signed());
        let word = matches!(ty, Type::I64 | Type::U64 | Type::Ptr);
        let narrow = !is_wide(ty) && !ty.is_float() && !ty.is_complex();
        self.emit(match (op, ty) {
            (Add, Type::I32) if quiet => Code::AddI32 { d, a, b },
            (Sub, Type::I32) if quiet => Code::SubI32 { d, a, b },
            (Mul, Type::I32) if quiet => Code::MulI32 { d, a, b },
            (Add, Type::U32) => Code::AddU32 { d, a, b },
            (Sub, Type::U32) => Code::SubU32 { d, a, b },
            (Mul, Type::U32) => Code::MulU32 { d, a, b },
            (Add, _) if word && quiet => Code::Add64 { d, a, b },
            (Sub, _) if word && quiet => Code::Sub64 { d, a, b },
            (Mul, _) if word && quiet => Code::Mul64 { d, a, b },
            (And, _) if narrow => Code::And { d, a, b },
            (Or, _) if narrow => Code::Or { d, a, b },
            (Xor, _) if narrow => Code::Xor { d, a, b },
            (Shl, _) if narrow => Code::Shl { d, a, b, ty },
            (Shr, _) if narrow && ty.is_signed() => Code::ShrSigned { d, a, b, ty },
            (Shr, _) if narrow => Code::ShrUnsigned { d, a, b, ty },
            (Add, Type::F64) => Code::AddF64 { d, a, b },
            (Sub, Type::F64) => Code::SubF64 { d, a, b },
            (Mul, Type::F64) => Code::MulF64 { d, a, b },
            (Div, Type::F64) => Code::DivF64 { d, a, b },
            (Add, Type::F32) => Code::AddF32 { d, a, b },
            (Sub, Type::F32) => Code::SubF32 { d, a, b },
            (Mul, Type::F32) => Code::MulF32 { d, a, b },
            (Div, Type::F32) => Code::DivF32 { d, a, b },
            _ => Code::Binary { op, ty, d, a, b },
        });
    }

    fn cast(&mut self, d: Reg, a: Reg, from: Type, to: Type) {
        let plain = |t: Type| !t.is_float() && !t.is_complex() && !is_wide(t);
        self.emit(match (from, to) {
            (Type::I32, Type::F64) => Code::I32ToF64 { d, a },
            _ if plain(from) && plain(to) => Code::CastInt { d, a, to },
            _ => Code::Cast { d, a, from, to },
        });
    }

    pub(crate) fn load(&mut self, d: Reg, a: Reg, ty: Type) {
        self.emit(match ty {
            Type::I8 => Code::LoadI8 { d, a },
            Type::U8 => Code::LoadU8 { d, a },
            Type::I32 => Code::LoadI32 { d, a },
            Type::U32 => Code::LoadU32 { d, a },
            Type::I64 | Type::U64 | Type::Ptr => Code::LoadW64 { d, a },
            Type::F32 => Code::LoadF32 { d, a },
            Type::F64 => Code::LoadF64 { d, a },
            _ => Code::LoadAny { d, a, ty },
        });
    }

    fn store(&mut self, a: Reg, b: Reg, ty: Type) {
        self.emit(match ty {
            Type::Bool | Type::I8 | Type::U8 => Code::Store8 { a, b },
            Type::I32 | Type::U32 => Code::Store32 { a, b },
            Type::I64 | Type::U64 | Type::Ptr => Code::Store64 { a, b },
            Type::F32 => Code::StoreF32 { a, b },
            Type::F64 => Code::StoreF64 { a, b },
            _ => Code::StoreAny { a, b, ty },
        });
    }
}

fn set_target(code: &mut Code, target: u32) {
    match code {
        Code::Jump { to }
        | Code::JumpIfNot { to, .. }
        | Code::JumpUnless { to, .. }
        | Code::Next { to, .. } => *to = target,
        _ => {}
    }
}

fn relation(op: &Op) -> Option<Relation> {
    Some(match op {
        Op::Eq => Relation::Eq,
        Op::Ne => Relation::Ne,
        Op::Lt => Relation::Lt,
        Op::Le => Relation::Le,
        Op::Gt => Relation::Gt,
        Op::Ge => Relation::Ge,
        _ => return None,
    })
}

fn binary_op(op: &Op) -> Option<BinaryOp> {
    Some(match op {
        Op::Add => BinaryOp::Add,
        Op::Sub => BinaryOp::Sub,
        Op::Mul => BinaryOp::Mul,
        Op::Div => BinaryOp::Div,
        Op::Rem => BinaryOp::Rem,
        Op::And => BinaryOp::And,
        Op::Or => BinaryOp::Or,
        Op::Xor => BinaryOp::Xor,
        Op::Shl => BinaryOp::Shl,
        Op::Shr => BinaryOp::Shr,
        _ => return None,
    })
}
