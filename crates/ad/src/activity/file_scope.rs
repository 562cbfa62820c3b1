//! Pointers at file scope through which numbers are read that count as constant. If such a pointer leads to an argument of the derivative, or into one, they are not: both modes ask when the derivative starts.

use super::{is_number, root, variable};
use crate::plan::promote::spelled;
use crate::reverse::reached::Reached;
use adjoin_ir::{Body, Builder, Inst, Module, Op, Step, Type, Value, ValueDef};
use adjoin_passes::edit::yielded;
use std::collections::{BTreeSet, HashMap};

/// A pointer at file scope.
#[derive(Clone, Debug)]
pub struct Pointer {
    /// What makes its address, in order; loads are pointers in memory on the way.
    steps: Vec<Op>,
    /// What the user calls it.
    name: String,
}

impl Pointer {
    /// Does it lead to one of the arguments, or into what the function accesses of one? Computed where a derivative starts; `values` are the primal's there.
    pub fn leads_to_one(
        &self,
        p: &Body,
        mut b: Builder<'_>,
        values: &HashMap<Value, Value>,
        arguments: &[Reached],
    ) -> Value {
        let mut met = b.bool_(false);
        let mut ways = self.steps.split(|op| matches!(op, Op::Load(_)));
        let Some(way) = ways.next() else { return met };
        let mut pointer = follow(&mut b, None, way);
        for way in ways {
            let null = b.null();
            let some = b.ne(pointer, null);
            let (branch, yes, no) = b.if_(some, &[Type::Ptr]);
            b.inside(yes, |b| {
                let found = follow(b, Some(pointer), way);
                b.yield_(&[found]);
            });
            b.inside(no, |b| {
                let null = b.null();
                b.yield_(&[null]);
            });
            pointer = b.body.result(branch);
        }
        for argument in arguments {
            if let Some(holds) = argument.holds(p, &mut b, values, pointer) {
                met = b.or(met, holds);
            }
        }
        let null = b.null();
        let some = b.ne(pointer, null);
        b.and(some, met)
    }

    /// A name for the function that says so.
    pub fn function(&self) -> String {
        let plain = |c: char| if c.is_alphanumeric() { c } else { '_' };
        format!(
            "adjoin_stop_at_{}",
            self.name.chars().map(plain).collect::<String>()
        )
    }

    /// What is said then.
    pub fn message(&self) -> String {
        let name = &self.name;
        format!(
            "adjoin: '{name}' leads to an argument of the function: what is read through it would count as constant; read it through the argument"
        )
    }
}

/// The pointer that is found some steps from another, or at file scope.
fn follow(b: &mut Builder<'_>, from: Option<Value>, way: &[Op]) -> Value {
    let mut address = from;
    for op in way {
        address = Some(b.value(op.clone(), address.into_iter().collect(), Type::Ptr));
    }
    match address {
        Some(address) => b.load(Type::Ptr, address),
        None => b.null(),
    }
}

/// The pointers at file scope through which numbers are read that count as constant.
pub fn pointers(m: &Module, p: &Body, has_shadow: impl Fn(Value) -> bool) -> Vec<Pointer> {
    let mut read = BTreeSet::new();
    let mut pointers = Vec::new();
    p.walk(|inst| {
        let data = &p.insts[inst];
        let Op::Load(_) = data.op else { return };
        let v = data.results[0];
        if is_number(p.ty(v)) {
            sources(p, data.args[0], 8, &mut read);
        } else if p.ty(v) == Type::Ptr && !has_shadow(v) {
            pointers.push(inst);
        }
    });
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    for inst in pointers {
        let data = &p.insts[inst];
        if !read.contains(&data.results[0]) {
            continue;
        }
        let mut steps = Vec::new();
        let mut v = data.args[0];
        let at_file_scope = loop {
            let Some(made) = p.def_inst(v) else {
                break false;
            };
            steps.push(p.insts[made].op.clone());
            match &p.insts[made].op {
                Op::Load(_) if p.ty(v) == Type::Ptr && !has_shadow(v) && is_followed(m, p, v) => {
                    v = p.insts[made].args[0];
                }
                Op::GlobalAddr(_) => break true,
                Op::Addr(attr) if attr.steps.iter().all(|s| matches!(s, Step::Field { .. })) => {
                    v = p.insts[made].args[0];
                }
                _ => break false,
            }
        };
        if at_file_scope && seen.insert(spelled(p, data.args[0], 8)) {
            steps.reverse();
            let name = variable(m, p, data.args[0]).to_string();
            found.push(Pointer { steps, name });
        }
    }
    found
}

/// Is a pointer, which is found at file scope, one that the function certainly follows, and that nothing sets meanwhile? Then it can be followed when the derivative starts.
fn is_followed(m: &Module, p: &Body, pointer: Value) -> bool {
    let from = |v: Value| {
        let made = p.def_inst(v)?;
        matches!(p.insts[made].op, Op::Load(_)).then(|| spelled(p, p.insts[made].args[0], 8))
    };
    let place = from(pointer);
    let follows = |inst: &Inst| {
        let data = &p.insts[*inst];
        matches!(data.op, Op::Load(_)) && from(root(p, data.args[0])) == place
    };
    let mut sets = false;
    p.walk(|inst| {
        let data = &p.insts[inst];
        sets |= match &data.op {
            Op::Store(_) => p.ty(data.args[1]) == Type::Ptr,
            Op::Call(attr) => m.funcs[attr.func].body.is_some(),
            Op::CallIndirect(_) | Op::Copy(_) => true,
            _ => false,
        };
    });
    !sets && place.is_some() && p.regions[p.entry].insts.iter().any(follows)
}

/// The pointers that an address comes from, through branches.
fn sources(p: &Body, address: Value, depth: u32, found: &mut BTreeSet<Value>) {
    let v = root(p, address);
    if !found.insert(v) || depth == 0 {
        return;
    }
    let ValueDef::Result(inst, k) = p.values[v].def else {
        return;
    };
    let data = &p.insts[inst];
    match data.op {
        Op::Select => {
            for &v in &data.args[1..] {
                sources(p, v, depth - 1, found);
            }
        }
        Op::If => {
            for v in data
                .regions
                .iter()
                .filter_map(|&r| yielded(p, r, k as usize))
            {
                sources(p, v, depth - 1, found);
            }
        }
        _ => {}
    }
}
