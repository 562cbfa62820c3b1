//! Several seeds at once: a derivative for one seed becomes one for several, which runs the forward sweep once.
//!
//! What comes in is a finished body, before loops are made fit for vectors. What depends on a seed or a shadow (`taint`) is done for each seed; everything else, that is F and
//! whatever R computes again of it, is done once. Adjoints are kept in vectors, one element for each seed, where there is more arithmetic than traffic with shadows that others see
//! (`weights`); otherwise each seed has its own statements, and loops are vectorised along the data as ever. A branch on a shadow (is it NULL?) stands there for each seed.

mod copy;
mod taint;
mod weights;

use super::Result;
use super::lanes::Outside;
use crate::points_to::PointsTo;
use crate::{AdError, Registry, Request, lanes, loops};
use adjoin_ir::{Body, Builder, Function, Global, Inst, Module, Region, Type, Value};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use taint::Taint;

/// A derivative for several seeds.
pub(super) struct Widened {
    pub function: Function,
    /// Its adjoints are vectors.
    pub vectors: bool,
    insts: HashMap<Inst, Inst>,
    values: HashMap<Value, Vec<Value>>,
}

impl Widened {
    /// The loop that a loop became.
    pub fn inst(&self, old: Inst) -> Option<Inst> {
        self.insts.get(&old).copied()
    }

    /// The values that a value became.
    pub fn values(&self, old: Value) -> Vec<Value> {
        self.values.get(&old).cloned().unwrap_or_default()
    }
}

/// Makes the derivative for several seeds from that for one. `globals` are the shadows of globals; `vectors`: there may be vectors.
pub(super) fn widen(
    m: &mut Module,
    registry: &Registry,
    request: &Request,
    function: &Function,
    outside: &Outside,
    (globals, vectors): (BTreeSet<Global>, bool),
) -> Result<Widened> {
    let fail = |what: &str| AdError::new(function.span, format!("'{}': {what}", function.name));
    let Some(body) = &function.body else {
        return Err(fail("it has no body"));
    };
    let each = each_seed(request, body);
    let entry = &body.regions[body.entry].args;
    let params = entry.iter().zip(&each).filter(|(_, e)| **e);
    let params: BTreeSet<Value> = params.map(|(&v, _)| v).collect();
    let registry = loops::with_own_allocators(m, registry);
    let taint = {
        let points = PointsTo::of_type(m, &registry, function.ctype, body);
        Taint::of(m, body, &points, params, globals)?
    };
    let d = Body::with_params(&m.types, outside.ctype, &outside.names)
        .ok_or_else(|| fail("a parameter has no value type"))?;
    let kept = weights::choose(&m.types, body, &taint, request.width, vectors);
    let mut me = Widen {
        at: d.entry,
        m,
        p: body,
        taint: &taint,
        d,
        width: request.width as usize,
        kept,
        f: HashMap::new(),
        t: HashMap::new(),
        targets: HashMap::new(),
        globals: BTreeMap::new(),
        outside,
    };
    let mut arguments = me.d.regions[me.d.entry].args.clone().into_iter();
    for (&v, &each) in entry.iter().zip(&each) {
        let own = if each { me.width } else { 1 };
        let new: Vec<Value> = arguments.by_ref().take(own).collect();
        match each {
            true => me.bind(v, new),
            false => drop(me.f.insert(v, new[0])),
        }
    }
    me.region(body.entry)?;
    let Widen {
        mut d,
        f,
        mut t,
        targets,
        kept,
        m,
        ..
    } = me;
    t.extend(f.into_iter().map(|(old, new)| (old, vec![new])));
    adjoin_passes::prune::run(&m.types, &mut d);
    Ok(Widened {
        function: Function {
            ctype: outside.ctype,
            param_names: outside.names.clone(),
            body: Some(d),
            ..function.clone()
        },
        vectors: kept.in_vectors(),
        insts: targets,
        values: t,
    })
}

/// Which parameters of a derivative there are several of.
fn each_seed(request: &Request, body: &Body) -> Vec<bool> {
    let mut each = Vec::new();
    for activity in &request.params {
        each.push(false);
        if activity.has_shadow() {
            each.push(true);
        }
    }
    // What is left are seeds of the result.
    each.resize(body.regions[body.entry].args.len(), true);
    each
}

/// The state while a body is copied.
struct Widen<'a> {
    m: &'a mut Module,
    /// The derivative for one seed.
    p: &'a Body,
    taint: &'a Taint,
    /// The one for several.
    d: Body,
    at: Region,
    width: usize,
    kept: weights::Kept,
    /// What there is once.
    f: HashMap<Value, Value>,
    /// What each seed has its own of: parts or single values.
    t: HashMap<Value, Vec<Value>>,
    targets: HashMap<Inst, Inst>,
    /// Shadows of globals, one for each seed.
    globals: BTreeMap<Global, Vec<Global>>,
    outside: &'a Outside,
}

impl Widen<'_> {
    fn b(&mut self) -> Builder<'_> {
        Builder::at_end(&mut self.d, self.at)
    }

    /// The types in which the values of all seeds are kept.
    fn types(&self, v: Value) -> Vec<Type> {
        let ty = self.p.ty(v);
        self.kept.parts(ty).unwrap_or_else(|| vec![ty; self.width])
    }

    /// Remembers single values, one for each seed, in the form in which they are kept.
    fn bind(&mut self, v: Value, lanes: Vec<Value>) {
        let parts = match self.kept.parts(self.p.ty(v)) {
            Some(types) => self.packed(&types, lanes),
            None => lanes,
        };
        self.set(v, parts);
    }

    fn packed(&mut self, types: &[Type], lanes: Vec<Value>) -> Vec<Value> {
        let mut lanes = lanes.into_iter();
        let mut parts = Vec::new();
        for &part in types {
            let own: Vec<Value> = lanes.by_ref().take(part.lanes() as usize).collect();
            parts.push(match part.is_vector() {
                true => {
                    let mut b = Builder::at_end(&mut self.d, self.at);
                    lanes::collected(&mut self.m.types, &mut b, part, &own)
                }
                false => own[0],
            });
        }
        parts
    }

    /// Remembers values in the form in which they are kept, with names.
    fn set(&mut self, v: Value, new: Vec<Value>) {
        let old = &self.p.values[v];
        for (k, &x) in new.iter().enumerate() {
            let data = &mut self.d.values[x];
            if data.name.is_none() {
                let several = new.len() > 1;
                let name = old.name.as_ref();
                data.name = name.map(|n| {
                    if several {
                        format!("{n}_{k}")
                    } else {
                        n.clone()
                    }
                });
            }
            if data.ctype.is_none() && data.ty == old.ty {
                data.ctype = old.ctype;
            }
        }
        self.t.insert(v, new);
    }

    /// A value for each seed.
    fn lanes(&mut self, v: Value) -> Vec<Value> {
        if !self.taint.has(v) {
            return vec![self.f[&v]; self.width];
        }
        let parts = self.t[&v].clone();
        let mut all = Vec::new();
        for x in parts {
            let mut b = Builder::at_end(&mut self.d, self.at);
            all.extend(lanes::spread(&mut self.m.types, &mut b, x));
        }
        all
    }

    /// A value in parts of these types, repeated if there is only one.
    fn parts(&mut self, v: Value, types: &[Type]) -> Vec<Value> {
        if !self.taint.has(v) {
            let x = self.f[&v];
            return types
                .iter()
                .map(|&ty| {
                    if self.d.ty(x) == ty {
                        x
                    } else {
                        self.b().cast(ty, x)
                    }
                })
                .collect();
        }
        let found = self.t[&v].clone();
        let same = found.len() == types.len()
            && found.iter().zip(types).all(|(&x, &ty)| self.d.ty(x) == ty);
        if same {
            return found;
        }
        let lanes = self.lanes(v);
        self.packed(types, lanes)
    }

    /// The shadow of a global for each seed.
    fn global(&mut self, g: Global) -> Vec<Global> {
        if let Some(all) = self.globals.get(&g) {
            return all.clone();
        }
        let data = self.m.globals[g].clone();
        let mut all = vec![g];
        for lane in 1..self.width {
            let name = (0..)
                .map(|k| format!("{}_{lane}{}", data.name, "_".repeat(k)))
                .find(|n| self.m.globals.values().all(|g| &g.name != n));
            all.push(self.m.globals.push(adjoin_ir::GlobalData {
                name: name.unwrap_or_default(),
                ..data.clone()
            }));
        }
        self.globals.insert(g, all.clone());
        all
    }
}
