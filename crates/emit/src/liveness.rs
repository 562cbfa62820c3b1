//! Which variables are live where, on the C that is going to be printed (so that folding, which moves uses, is
//! accounted for). All jumps go forwards or to a loop's head, so one backward walk is enough between two visits of the
//! loop heads; walks are repeated until those no longer change.

use crate::ast::{
    Expr, ExprKind, Initial, JumpKind, LoopHead, Stmt, StmtKind, Var, VarData, VarKind,
};
use crate::types::Types;
use adjoin_ir::Inst;
use cranelift_entity::{EntityRef, PrimaryMap};
use std::collections::HashMap;

/// A set of variables.
#[derive(Clone, PartialEq, Default, Debug)]
pub(crate) struct Set {
    words: Vec<u64>,
}

impl Set {
    pub fn insert(&mut self, n: usize) {
        let word = n / 64;
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (n % 64);
    }
    pub fn remove(&mut self, n: usize) {
        if let Some(w) = self.words.get_mut(n / 64) {
            *w &= !(1 << (n % 64));
        }
    }
    pub fn contains(&self, n: usize) -> bool {
        self.words
            .get(n / 64)
            .is_some_and(|w| w >> (n % 64) & 1 == 1)
    }
    /// Adds all of another set; has anything changed?
    pub fn union(&mut self, other: &Set) -> bool {
        if other.words.len() > self.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        let mut changed = false;
        for (a, b) in self.words.iter_mut().zip(&other.words) {
            changed |= *b & !*a != 0;
            *a |= b;
        }
        changed
    }
    pub fn intersects(&self, other: &Set) -> bool {
        self.words.iter().zip(&other.words).any(|(a, b)| a & b != 0)
    }
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        let words = self.words.iter().enumerate();
        words.flat_map(|(k, &w)| bits(k, w))
    }

    /// What is in both sets.
    fn iter_common<'s>(&'s self, other: &'s Set) -> impl Iterator<Item = usize> + 's {
        let words = self.words.iter().zip(&other.words).enumerate();
        words.flat_map(|(k, (&a, &b))| bits(k, a & b))
    }
}

/// The numbers that word `k` of a set stands for, from the lowest. Live sets of long functions are long and nearly empty.
fn bits(k: usize, word: u64) -> impl Iterator<Item = usize> {
    let mut rest = word;
    std::iter::from_fn(move || {
        let bit = rest.trailing_zeros() as usize;
        (rest != 0).then(|| {
            rest &= rest - 1;
            k * 64 + bit
        })
    })
}

/// Which variables may not share one.
#[derive(Default)]
pub(crate) struct Interference {
    pub rows: Vec<Set>,
    /// Only these take part.
    pub relevant: Set,
}

impl Interference {
    fn add(&mut self, a: usize, b: usize) {
        let highest = a.max(b);
        if highest >= self.rows.len() {
            self.rows.resize(highest + 1, Set::default());
        }
        self.rows[a].insert(b);
        self.rows[b].insert(a);
    }

    fn define(&mut self, var: usize, live: &Set, except: Option<usize>) {
        if !self.relevant.contains(var) {
            return;
        }
        let relevant = std::mem::take(&mut self.relevant);
        for other in live.iter_common(&relevant) {
            if other != var && Some(other) != except {
                self.add(var, other);
            }
        }
        self.relevant = relevant;
    }
}

/// The backward walk.
pub(crate) struct Liveness<'a> {
    types: &'a Types,
    tracked: Set,
    heads: HashMap<Inst, Set>,
    targets: HashMap<(Inst, u8), Set>,
    changed: bool,
    prune: bool,
    graph: Option<Interference>,
}

/// Does the variable hold SSA values (as opposed to being memory)?
pub(crate) fn holds_values(data: &VarData) -> bool {
    match data.kind {
        VarKind::Value => true,
        VarKind::Parameter => data.assignable,
        VarKind::Object => false,
    }
}

impl<'a> Liveness<'a> {
    pub fn new(types: &'a Types, vars: &PrimaryMap<Var, VarData>) -> Self {
        let mut tracked = Set::default();
        for (v, data) in vars.iter() {
            if holds_values(data) {
                tracked.insert(v.index());
            }
        }
        Liveness {
            types,
            tracked,
            heads: HashMap::new(),
            targets: HashMap::new(),
            changed: false,
            prune: false,
            graph: None,
        }
    }

    fn solve(&mut self, body: &mut Vec<Stmt>) {
        loop {
            self.changed = false;
            let mut live = Set::default();
            self.body(body, &mut live);
            if !self.changed {
                return;
            }
        }
    }

    /// Removes assignments to variables that nobody reads afterwards.
    pub fn remove_dead(mut self, body: &mut Vec<Stmt>) {
        self.solve(body);
        self.prune = true;
        self.body(body, &mut Set::default());
    }

    /// Which of the relevant variables interfere; parameters are all defined at entry.
    pub fn interference(
        mut self,
        body: &mut Vec<Stmt>,
        relevant: Set,
        params: &[Var],
    ) -> Interference {
        self.solve(body);
        self.graph = Some(Interference {
            rows: Vec::new(),
            relevant,
        });
        let mut live = Set::default();
        self.body(body, &mut live);
        let mut graph = self.graph.take().unwrap_or_default();
        for p in params {
            graph.define(p.index(), &live, None);
            for q in params {
                if p != q {
                    graph.add(p.index(), q.index());
                }
            }
        }
        graph
    }

    fn uses(&self, e: &Expr, live: &mut Set) {
        e.each_var(&mut |v| {
            if self.tracked.contains(v.index()) {
                live.insert(v.index());
            }
        });
    }

    fn body(&mut self, body: &mut Vec<Stmt>, live: &mut Set) {
        let mut k = body.len();
        while k > 0 {
            k -= 1;
            if !self.stmt(&mut body[k], live) {
                body.remove(k);
            }
        }
    }

    fn effect(&self, e: &Expr) -> bool {
        matches!(e.kind, ExprKind::Call(..))
            || self.types.quals(e.ty).is_volatile
            || e.children().iter().any(|c| self.effect(c))
    }

    fn set_target(&mut self, id: Inst, kind: JumpKind, live: &Set) {
        self.targets.insert((id, kind as u8), live.clone());
    }

    /// Goes back over a statement; `false` if it is to be removed.
    fn stmt(&mut self, s: &mut Stmt, live: &mut Set) -> bool {
        match &mut s.kind {
            StmtKind::Assign(lhs, rhs) => {
                if let Some(v) = lhs.as_var().filter(|v| self.tracked.contains(v.index())) {
                    if !live.contains(v.index()) && self.prune {
                        if !self.effect(rhs) {
                            return false;
                        }
                        let rhs = rhs.clone();
                        self.uses(&rhs, live);
                        let call = matches!(rhs.kind, ExprKind::Call(..));
                        let e = if call {
                            rhs
                        } else {
                            Expr::new(ExprKind::Cast(Box::new(rhs)), self.types.void)
                        };
                        s.kind = StmtKind::Expr(e);
                        return true;
                    }
                    if let Some(g) = &mut self.graph {
                        g.define(v.index(), live, rhs.as_var().map(|v| v.index()));
                    }
                    live.remove(v.index());
                } else {
                    self.uses(lhs, live);
                }
                self.uses(rhs, live);
            }
            StmtKind::Copies(list) => {
                if self.prune {
                    list.retain(|(v, e)| live.contains(v.index()) || e.has_call());
                    if list.is_empty() {
                        return false;
                    }
                }
                if let Some(g) = &mut self.graph {
                    for (v, e) in list.iter() {
                        let source = e.as_var().filter(|s| list.iter().all(|(d, _)| d != s));
                        g.define(v.index(), live, source.map(|s| s.index()));
                        // All are written at once.
                        for (other, _) in list.iter() {
                            if other != v
                                && g.relevant.contains(v.index())
                                && g.relevant.contains(other.index())
                            {
                                g.add(v.index(), other.index());
                            }
                        }
                    }
                }
                for (v, _) in list.iter() {
                    live.remove(v.index());
                }
                for (_, e) in list.iter() {
                    self.uses(e, live);
                }
            }
            StmtKind::Expr(e) | StmtKind::Bump(_, e) => self.uses(e, live),
            StmtKind::Update(_, a, b) => {
                self.uses(a, live);
                self.uses(b, live);
            }
            // The length of a variable-length array is read where it is declared.
            StmtKind::Decl(_, Initial::Value(e) | Initial::Length(e)) => self.uses(e, live),
            StmtKind::Decl(..) => {}
            StmtKind::If(c, a, b) => {
                let mut other = live.clone();
                self.body(a, live);
                self.body(b, &mut other);
                live.union(&other);
                self.uses(c, live);
            }
            StmtKind::Block { id, body } => {
                let id = *id;
                self.set_target(id, JumpKind::Break, live);
                self.body(body, live);
            }
            StmtKind::Loop { id, head, body } => {
                let id = *id;
                self.loop_stmt(id, head, body, live);
            }
            StmtKind::Switch { id, value, arms } => {
                let id = *id;
                self.set_target(id, JumpKind::Break, live);
                let mut entry = Set::default();
                let after = live.clone();
                let mut next = after.clone();
                for arm in arms.iter_mut().rev() {
                    self.set_target(id, JumpKind::Fallthrough, &next);
                    let mut here = after.clone();
                    self.body(&mut arm.body, &mut here);
                    entry.union(&here);
                    next = here;
                }
                *live = entry;
                self.uses(value, live);
            }
            StmtKind::Jump(kind, id) => {
                *live = self
                    .targets
                    .get(&(*id, *kind as u8))
                    .cloned()
                    .unwrap_or_default();
            }
            StmtKind::Return(e) => {
                *live = Set::default();
                if let Some(e) = e {
                    self.uses(e, live);
                }
            }
            StmtKind::Pragma { pieces, body, .. } => {
                if let Some(b) = body {
                    self.body(b, live);
                }
                for p in pieces {
                    if let crate::ast::Piece::Expr(e) = p {
                        self.uses(e, live);
                    }
                }
            }
            StmtKind::Unreachable => *live = Set::default(),
        }
        true
    }

    fn loop_stmt(&mut self, id: Inst, head: &mut LoopHead, body: &mut Vec<Stmt>, live: &mut Set) {
        let after = live.clone();
        self.set_target(id, JumpKind::Break, &after);
        let mut at_head = self.heads.get(&id).cloned().unwrap_or_default();
        let new_head = match head {
            LoopHead::Forever => {
                self.set_target(id, JumpKind::Continue, &at_head);
                let mut here = at_head.clone();
                self.body(body, &mut here);
                here
            }
            LoopHead::While(c) => {
                self.set_target(id, JumpKind::Continue, &at_head);
                let mut here = at_head.clone();
                self.body(body, &mut here);
                here.union(&after);
                self.uses(c, &mut here);
                here
            }
            LoopHead::DoWhile(c) => {
                let mut here = at_head.clone();
                here.union(&after);
                self.uses(c, &mut here);
                self.set_target(id, JumpKind::Continue, &here);
                self.body(body, &mut here);
                here
            }
            LoopHead::For { cond, step, .. } => {
                let mut here = at_head.clone();
                if let Some(s) = step {
                    let prune = std::mem::replace(&mut self.prune, false);
                    self.stmt(s, &mut here);
                    self.prune = prune;
                }
                self.set_target(id, JumpKind::Continue, &here);
                self.body(body, &mut here);
                here.union(&after);
                self.uses(cond, &mut here);
                here
            }
        };
        if at_head.union(&new_head) {
            self.changed = true;
            self.heads.insert(id, at_head.clone());
        }
        *live = at_head;
        if let LoopHead::For { init: Some(s), .. } = head {
            let prune = std::mem::replace(&mut self.prune, false);
            self.stmt(s, live);
            self.prune = prune;
        }
    }
}
