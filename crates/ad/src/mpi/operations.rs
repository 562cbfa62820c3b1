//! Reductions with operations of the program's own. The functions that `MPI_Op_create` is given anywhere in the program are differentiated as well, and a derivative that reduces
//! tells the runtime when it begins what their derivatives are. Of a function that has none the runtime is not told: it ends the program if such a reduction is made.

use super::{PREFIX, calling, communication, declare};
use crate::reverse::unused_name;
use crate::{Activity, Request, Session, forward, reverse};
use adjoin_ir::mpi::{Role, plain_name};
use adjoin_ir::{Builder, CTypeKind, CallAttr, Func, Module, Op, Type, Value};
use std::collections::BTreeSet;

/// The mode of a derivative.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Tangents.
    Forward,
    /// Adjoints.
    Reverse,
}

/// Has a function of the runtime's an operation among its operands?
fn reduces(name: &str) -> bool {
    let rest = name.strip_prefix("adjoin_").unwrap_or_default();
    let call = (rest.strip_suffix("_augmented")).or_else(|| rest.strip_suffix("_tangent"));
    let call = call.and_then(communication);
    call.is_some_and(|call| call.operands.contains(&Role::Op))
}

/// The functions that `MPI_Op_create` is given.
fn functions(m: &Module) -> BTreeSet<Func> {
    let mut all = BTreeSet::new();
    for function in m.funcs.values() {
        let Some(body) = &function.body else { continue };
        body.walk(|inst| {
            let data = &body.insts[inst];
            let Op::Call(attr) = &data.op else { return };
            if plain_name(&m.funcs[attr.func].name) != "MPI_Op_create"
                || m.funcs[attr.func].body.is_some()
            {
                return;
            }
            let mut at = data.args.first().and_then(|&v| body.def_inst(v));
            while let Some(inst) = at {
                match &body.insts[inst].op {
                    Op::FuncAddr(f) if m.funcs[*f].body.is_some() => {
                        all.insert(*f);
                        return;
                    }
                    Op::Cast => at = body.def_inst(body.insts[inst].args[0]),
                    _ => return,
                }
            }
        });
    }
    all
}

/// Lets a derivative that reduces tell the runtime of the derivatives of the program's own operations.
pub fn tell(session: &mut Session, m: &mut Module, func: Func, mode: Mode) {
    if !calling(m, reduces).contains(&func) {
        return;
    }
    for own in functions(m) {
        let two = [
            Activity::Dup,
            Activity::Dup,
            Activity::Const,
            Activity::Const,
        ];
        let fits = match m.types.shape(m.funcs[own].ctype) {
            CTypeKind::Function { params, .. } => params.len() == two.len(),
            _ => false,
        };
        if !fits {
            continue;
        }
        let before = (m.clone(), session.pairs.clone(), session.forward.clone());
        let suffix = match mode {
            Mode::Forward => "tangent",
            Mode::Reverse => "gradient",
        };
        let name = unused_name(m, &format!("{}_{suffix}", m.funcs[own].name));
        let request = Request::new(own, name, two.to_vec());
        let made = match mode {
            Mode::Forward => forward::differentiate(session, m, &request),
            Mode::Reverse => reverse::differentiate(session, m, &request),
        };
        match made {
            Ok(derivative) => tell_one(m, func, own, derivative, mode),
            Err(_) => (*m, session.pairs, session.forward) = before,
        }
    }
}

/// Puts a call at the beginning of a derivative.
fn tell_one(m: &mut Module, func: Func, own: Func, derivative: Func, mode: Mode) {
    let void = m.types.void();
    let anything = m.types.intern(CTypeKind::Function {
        ret: void,
        params: Vec::new(),
        variadic: false,
        prototyped: true,
    });
    let pointer = m.types.pointer(anything);
    let operation = declare(m, format!("{PREFIX}operation"), void, vec![pointer; 3]);
    let Some(body) = &mut m.funcs[func].body else {
        return;
    };
    let Some(&first) = body.regions[body.entry].insts.first() else {
        return;
    };
    let mut b = Builder::before(body, first);
    let address = |b: &mut Builder<'_>, f: Func| -> Value {
        let v = b.value(Op::FuncAddr(f), Vec::new(), Type::Ptr);
        let cast = b.value(Op::Cast, vec![v], Type::Ptr);
        b.body.values[cast].ctype = Some(pointer);
        cast
    };
    let (own, derivative) = (address(&mut b, own), address(&mut b, derivative));
    let null = b.null();
    let args = match mode {
        Mode::Forward => vec![own, derivative, null],
        Mode::Reverse => vec![own, null, derivative],
    };
    let extra = Vec::new();
    let op = Op::Call(CallAttr {
        func: operation,
        extra,
    });
    b.inst(op, args, &[]);
}
