//! Shadows of globals: one for each direction, made once for a module.
//!
//! Numbers in them start at zero in each call of the outermost derivative. Shadow pointers live on, as the memory does that the global itself points to (a
//! workspace that is allocated on first use), but only while the global is what the last call left there: a copy tells.

use super::{Forward, Result, lane_name, unused_name};
use crate::activity::is_number;
use adjoin_ir::{
    AddrAttr, Body, CTy, CTypeKind, CTypes, Clause, Directive, Global, GlobalData, Init, Linkage,
    Op, Pred, Step, Type, Value,
};

/// Arrays up to this many elements are taken element by element.
const UNROLL: u64 = 4;

impl Forward<'_> {
    pub(super) fn shadow_globals(&mut self, g: Global) -> Vec<Global> {
        let place = (self.key.level, g);
        let mut shadows = self
            .session
            .forward
            .globals
            .get(&place)
            .cloned()
            .unwrap_or_default();
        while shadows.len() < self.width {
            let name = lane_name(
                &self.m.globals[g].name,
                shadows.len() as u32,
                self.key.width,
            );
            let shadow = self.companion(g, &name);
            shadows.push(shadow);
        }
        self.session.forward.globals.insert(place, shadows.clone());
        shadows.truncate(self.width);
        shadows
    }

    /// A static global of the same type, all zero.
    fn companion(&mut self, g: Global, name: &str) -> Global {
        let data = self.m.globals[g].clone();
        let ctype = self.unqualified_elements(data.ctype);
        let name = unused_name(self.m, name);
        self.m.globals.push(GlobalData {
            name,
            ctype,
            linkage: Linkage::Static,
            owner: None,
            init: Some(Init::default()),
            ..data
        })
    }

    fn unqualified_elements(&mut self, t: CTy) -> CTy {
        match self.m.types.shape(t).clone() {
            CTypeKind::Array { elem, len } => {
                let elem = self.unqualified_elements(elem);
                self.m.types.array(elem, len)
            }
            _ => self.m.types.unqualified(t),
        }
    }

    /// What a global was when the last outermost derivative returned, if it holds pointers.
    fn copy_of(&mut self, g: Global) -> Option<Global> {
        if !holds_pointer(&self.m.types, self.m.globals[g].ctype) {
            return None;
        }
        let place = (self.key.level, g);
        if let Some(&copy) = self.session.forward.copies.get(&place) {
            return Some(copy);
        }
        let name = format!("{}_seen", self.m.globals[g].name);
        let copy = self.companion(g, &name);
        self.session.forward.copies.insert(place, copy);
        Some(copy)
    }

    /// At the start of the outermost derivative.
    pub(super) fn restart_shadow_globals(&mut self) -> Result<()> {
        let (own, shared) = self.globals_of_threads();
        self.restart_all(shared)?;
        if own.is_empty() {
            return Ok(());
        }
        self.in_all_threads(&own, |me| me.restart_all(own.clone()))
    }

    /// The globals with shadows of which each thread of a team has its own, and the others.
    fn globals_of_threads(&self) -> (Vec<Global>, Vec<Global>) {
        let teams = super::reachable(self.session, self.m, &self.p)
            .into_iter()
            .any(starts_teams);
        let own = |g: &Global| teams && self.m.globals[*g].thread_local;
        self.key.globals.iter().copied().partition(own)
    }

    fn restart_all(&mut self, globals: Vec<Global>) -> Result<()> {
        for g in globals {
            let copy = self.copy_of(g);
            for shadow in self.shadow_globals(g) {
                let ctype = self.m.globals[shadow].ctype;
                let address = self.b().global(shadow);
                match copy {
                    None => {
                        if let Some(bytes) = self.m.types.size_of(ctype) {
                            self.b().zero(address, bytes, Some(ctype));
                        }
                    }
                    Some(copy) => {
                        let now = self.b().global(g);
                        let seen = self.b().global(copy);
                        self.restart(ctype, [address, now, seen])?;
                    }
                }
            }
        }
        Ok(())
    }

    /// At its end.
    pub(super) fn note_globals(&mut self) -> Result<()> {
        let (own, shared) = self.globals_of_threads();
        self.note_all(shared);
        let own: Vec<Global> = (own.into_iter())
            .filter(|&g| holds_pointer(&self.m.types, self.m.globals[g].ctype))
            .collect();
        if own.is_empty() {
            return Ok(());
        }
        self.in_all_threads(&own, |me| {
            me.note_all(own.clone());
            Ok(())
        })
    }

    fn note_all(&mut self, globals: Vec<Global>) {
        for g in globals {
            let Some(copy) = self.copy_of(g) else {
                continue;
            };
            let ctype = self.m.globals[copy].ctype;
            let (to, from) = (self.b().global(copy), self.b().global(g));
            if let Some(ty) = Type::of_ctype(&self.m.types, ctype) {
                let v = self.b().load(ty, from);
                self.b().store(to, v);
            } else if let Some(bytes) = self.m.types.size_of(ctype) {
                self.b().copy(to, from, bytes, Some(ctype));
            }
        }
    }

    /// Runs code in every thread that a team of the primal may have.
    fn in_all_threads(
        &mut self,
        globals: &[Global],
        fill: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        let mut most = 0;
        let mut unknown = None;
        for body in super::reachable(self.session, self.m, &self.p) {
            body.walk(|inst| {
                let data = &body.insts[inst];
                if let Op::Par(attr) = &data.op {
                    let mut operand = 0;
                    for clause in &attr.clauses {
                        if *clause == Clause::NumThreads {
                            match body.const_int(data.args[operand]) {
                                Some(n) => most = most.max(n),
                                None => unknown = Some(data.span),
                            }
                        }
                        operand += clause.operands();
                    }
                }
            });
        }
        if let Some(span) = unknown {
            let name = &self.m.globals[globals[0]].name;
            return Err(crate::AdError::new(
                span,
                format!(
                    "'{name}', which is threadprivate and active, in a team whose number of threads is computed"
                ),
            ));
        }
        let int = self.m.types.basic(adjoin_ir::Basic::Int);
        let query = crate::known::external(self.m, adjoin_passes::openmp::MOST_THREADS, int, &[]);
        let (mut clauses, mut operands) = (Vec::new(), Vec::new());
        if most > 0
            && let Some(usual) = self.call(query, Vec::new())
        {
            let most = self.b().int(Type::I32, most);
            let more = self.b().gt(most, usual);
            operands.push(self.b().select(more, most, usual));
            clauses.push(Clause::NumThreads);
        }
        let (_, region) = self.b().par(Directive::Parallel, clauses, operands);
        self.inside(region, |me| {
            fill(me)?;
            me.b().yield_(&[]);
            Ok(())
        })
    }

    /// Part of a shadow, of the global and of its copy.
    fn restart(&mut self, t: CTy, [shadow, now, seen]: [Value; 3]) -> Result<()> {
        match Type::of_ctype(&self.m.types, t) {
            Some(Type::Ptr) => {
                let (a, b) = (
                    self.b().load(Type::Ptr, now),
                    self.b().load(Type::Ptr, seen),
                );
                let changed = self.b().ne(a, b);
                return self.when(changed, |me| {
                    let null = me.b().null();
                    me.b().store(shadow, null);
                    Ok(())
                });
            }
            Some(ty) if is_number(ty) => {
                let zero = self.zero(ty);
                self.b().store(shadow, zero);
                return Ok(());
            }
            Some(_) => return Ok(()),
            None => {}
        }
        let step = |me: &mut Self, step: Step, pointee: CTy, index: Option<Value>| {
            [shadow, now, seen].map(|base| {
                let mut args = vec![base];
                args.extend(index);
                let op = Op::Addr(AddrAttr {
                    pointee,
                    steps: vec![step.clone()],
                });
                me.b().value(op, args, Type::Ptr)
            })
        };
        match self.m.types.shape(t).clone() {
            CTypeKind::Array {
                elem,
                len: Some(len),
            } => {
                let Some(stride) = self.m.types.size_of(elem) else {
                    return Ok(());
                };
                let one = |me: &mut Self, index: Value| {
                    let places = step(me, Step::Index { stride }, elem, Some(index));
                    me.restart(elem, places)
                };
                if len <= UNROLL {
                    for k in 0..len {
                        let index = self.int(k.into());
                        one(self, index)?;
                    }
                    return Ok(());
                }
                let (zero, count, by) = (self.int(0), self.int(len.into()), self.int(1));
                let (_, region) = self.b().for_(Pred::Lt, zero, count, by, &[]);
                let index = self.d.regions[region].args[0];
                self.inside(region, |me| {
                    one(me, index)?;
                    me.b().yield_(&[]);
                    Ok(())
                })
            }
            CTypeKind::Record(record) => {
                let data = self.m.types.records[record].clone();
                if data.is_union {
                    self.b().zero(shadow, data.size, Some(t));
                    return Ok(());
                }
                for (k, field) in data.fields.iter().flatten().enumerate() {
                    if field.bits.is_some() {
                        continue;
                    }
                    let to = Step::Field {
                        record,
                        field: k as u32,
                        offset: field.offset,
                    };
                    let places = step(self, to, t, None);
                    self.restart(field.ty, places)?;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

fn starts_teams(body: &Body) -> bool {
    let mut found = false;
    body.walk(|inst| {
        found |= matches!(&body.insts[inst].op, Op::Par(attr)
            if adjoin_passes::openmp::starts_team(&attr.directive));
    });
    found
}

fn holds_pointer(types: &CTypes, t: CTy) -> bool {
    match types.shape(t) {
        CTypeKind::Pointer(p) => !matches!(types.shape(*p), CTypeKind::Function { .. }),
        CTypeKind::Array { elem, .. } => holds_pointer(types, *elem),
        CTypeKind::Record(r) => types.records[*r]
            .fields
            .iter()
            .flatten()
            .any(|f| holds_pointer(types, f.ty)),
        _ => false,
    }
}
