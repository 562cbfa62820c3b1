//! Flattens function bodies into [`Code`]. Values become registers; regions become stretches of code; early exits become moves, the ends of
//! the objects whose scope is left, and a jump. Which objects those are is known here, because a slot lives until the end of its
//! region and an exit comes after the slots before it.

mod control;
mod ops;

use crate::arith::Relation;
use crate::code::*;
use crate::error::{ErrorKind, Fault, Run};
use crate::libc;
use crate::memory::{FUNCTION_BASE, Name};
use crate::value::Raw;
use adjoin_ir::signature::{Return, Signature};
use adjoin_ir::{Body, CTy, CTypeKind, Inst, Module, Op, Region, Span, Value};
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
            if body.values.values().any(|v| v.ty.is_vector()) {
                let name = &function.name;
                return Err(invalid(format!("`{name}` computes with vectors: not here")));
            }
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
