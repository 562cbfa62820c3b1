//! Decides, for every value, whether it becomes part of the expression that uses it or a C variable of its own.
//!
//! A region is read forwards with a list of *pending* values: computed, not yet used. An instruction takes what it
//! uses out of the list; what conflicts with its effects must have been evaluated before, so it becomes a variable
//! at its definition. Addresses, constants and reads of plain variables may be repeated; other values are folded only
//! into their one use, and never into a nested region, since that could be a loop or a branch not taken.

use crate::facts::{Effects, Facts};
use adjoin_ir::{Directive, Effect, Inst, Op, Region, Step, Type, Value};
use cranelift_entity::{EntitySet, SecondaryMap};

/// What becomes of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Plan {
    /// A C variable.
    #[default]
    Variable,
    /// Part of the expressions that use it.
    Inline,
}

/// What is known of an inline value's expression.
#[derive(Clone, Default, Debug)]
struct Tree {
    effects: Effects,
    size: u32,
    /// Costs nothing: may be repeated and moved into branches and loops.
    cheap: bool,
}

/// The decisions for a body.
pub(crate) struct Folding {
    pub plan: SecondaryMap<Value, Plan>,
    /// `if`s that are printed as `?:`, `&&` or `||`.
    pub expressions: EntitySet<Inst>,
}

/// Expressions beyond this many nodes get a variable.
const MAX_SIZE: u32 = 40;
/// The limit for `?:`.
const MAX_CONDITIONAL: u32 = 24;

pub(crate) fn fold(facts: &Facts) -> Folding {
    let mut folder = Folder {
        facts,
        out: Folding {
            plan: SecondaryMap::new(),
            expressions: EntitySet::new(),
        },
        trees: SecondaryMap::new(),
    };
    folder.region(facts.body.entry);
    folder.out
}

struct Folder<'a> {
    facts: &'a Facts<'a>,
    out: Folding,
    trees: SecondaryMap<Value, Tree>,
}

impl Folder<'_> {
    /// Folds a region; is everything in it part of its terminator's operands?
    fn region(&mut self, region: Region) -> bool {
        let facts = self.facts;
        let body = facts.body;
        let mut pending: Vec<Value> = Vec::new();
        for &inst in &body.regions[region].insts {
            if facts.dead.contains(inst) {
                continue;
            }
            let data = &body.insts[inst];
            let mut inner_expression = true;
            for &r in &data.regions {
                inner_expression &= self.region(r);
            }
            let is_expression = inner_expression && self.is_conditional(inst);
            if is_expression {
                self.out.expressions.insert(inst);
            }
            self.settle(region, inst, &mut pending);
            if data.op.is_terminator() {
                continue;
            }
            if matches!(
                data.op,
                Op::Const(_) | Op::GlobalAddr(_) | Op::FuncAddr(_) | Op::Slot(_)
            ) {
                let v = data.results[0];
                self.out.plan[v] = Plan::Inline;
                self.trees[v] = Tree {
                    size: 1,
                    cheap: true,
                    ..Default::default()
                };
                continue;
            }
            if matches!(data.op, Op::SlotVla(_)) {
                self.out.plan[data.results[0]] = Plan::Inline;
                self.trees[data.results[0]] = Tree {
                    size: 1,
                    cheap: true,
                    ..Default::default()
                };
                continue;
            }
            // What does nothing to memory conflicts with nothing: it can wait for its use as long as it takes.
            if self.consider(region, inst, is_expression)
                && !self.trees[data.results[0]].effects.is_empty()
            {
                pending.push(data.results[0]);
            }
        }
        // Only now is it settled what got a variable.
        body.regions[region].insts.iter().all(|&inst| {
            let data = &body.insts[inst];
            facts.dead.contains(inst)
                || data.op.is_terminator()
                || (!matches!(data.op, Op::Slot(_) | Op::SlotVla(_))
                    && data.results.len() == 1
                    && self.out.plan[data.results[0]] == Plan::Inline)
        })
    }

    /// Makes variables of pending values that cannot wait until after `inst`, and drops those that are used up.
    fn settle(&mut self, region: Region, inst: Inst, pending: &mut Vec<Value>) {
        let facts = self.facts;
        let effects = facts.effects(inst);
        let is_loop = matches!(facts.body.insts[inst].op, Op::For(_));
        let is_par = matches!(facts.body.insts[inst].op, Op::Par(_));
        if effects.is_empty() && !is_par {
            return;
        }
        let mut kept = Vec::new();
        for &v in pending.iter() {
            let mut nested = false;
            let mut later = false;
            for &user in &facts.uses[v] {
                match facts.ancestor_in(region, user) {
                    Some(at) if at == inst => {
                        if user == inst {
                            // Bound and step are evaluated again in every iteration.
                            nested |= is_loop && facts.body.insts[inst].args[1..3].contains(&v);
                        } else {
                            nested = true;
                        }
                    }
                    Some(at) => later |= facts.position[at] > facts.position[inst],
                    None => {}
                }
            }
            // What a parallel construct captures is read at its start.
            let captured = nested && is_par && !self.trees[v].effects.reads.is_empty();
            let conflicts = (nested || later) && facts.conflict(effects, &self.trees[v].effects);
            if conflicts || captured {
                self.out.plan[v] = Plan::Variable;
                continue;
            }
            if later {
                kept.push(v);
            }
        }
        *pending = kept;
    }

    /// The expression of an instruction over what is folded into it.
    fn tree_of(&self, inst: Inst, is_expression: bool) -> Tree {
        let data = &self.facts.body.insts[inst];
        let mut tree = Tree {
            effects: Effects::default(),
            size: 1,
            cheap: true,
        };
        let mut add = |v: Value| {
            if self.out.plan[v] == Plan::Inline {
                let t = &self.trees[v];
                tree.effects.merge(&t.effects);
                tree.size += t.size;
                tree.cheap &= t.cheap;
            } else {
                tree.size += 1;
            }
        };
        data.args.iter().for_each(|&a| add(a));
        if is_expression {
            for &r in &data.regions {
                if let Some(end) = self.facts.body.terminator(r) {
                    self.facts.body.insts[end].args.iter().for_each(|&a| add(a));
                }
            }
        }
        tree.effects.merge(self.facts.effects(inst));
        tree.cheap &= match &data.op {
            Op::Addr(_) => tree.size <= 12,
            Op::Cast => tree.size <= 3,
            Op::Add | Op::Sub | Op::Mul => {
                tree.size <= 5 && self.facts.body.ty(data.results[0]).is_int()
            }
            // Reading a plain variable is as good as its name.
            Op::Load(m) => {
                !m.volatile
                    && self
                        .facts
                        .body
                        .def_inst(data.args[0])
                        .is_some_and(|d| matches!(self.facts.body.insts[d].op, Op::Slot(_)))
            }
            _ => false,
        };
        tree
    }

    /// Is the result to be part of its user's expression?
    fn consider(&mut self, region: Region, inst: Inst, is_expression: bool) -> bool {
        let facts = self.facts;
        let data = &facts.body.insts[inst];
        if data.results.len() != 1 {
            return false;
        }
        let atomic = self.is_atomic(region);
        let foldable = match &data.op {
            Op::Load(m) => !m.volatile || atomic,
            Op::LoadBits(b) => !b.volatile || atomic,
            Op::Call(_) | Op::CallIndirect(_) | Op::Mpi(_) | Op::VaArg(_) => true,
            Op::If => is_expression,
            op => op.info().effect == Effect::Pure,
        };
        let v = data.results[0];
        let uses = &facts.uses[v];
        if !foldable || uses.is_empty() {
            return false;
        }
        let mut tree = self.tree_of(inst, is_expression);
        let direct = uses.len() == 1 && facts.body.insts[uses[0]].parent == region;
        if matches!(data.op, Op::Addr(_))
            && !direct
            && !tree.cheap
            && !self.is_update(region, inst, &tree)
        {
            // Keep the address printable as a path everywhere by giving names to what is costly in it.
            self.name_costly_parts(inst);
            tree = self.tree_of(inst, is_expression);
        }
        let calls = tree.effects.ordered && !tree.effects.writes.is_empty();
        if atomic && !calls {
            // The statement of an atomic access has a fixed form, without temporaries.
            self.out.plan[v] = Plan::Inline;
            self.trees[v] = tree;
            return false;
        }
        let slot_read = tree.cheap && matches!(data.op, Op::Load(_));
        let address = matches!(data.op, Op::Addr(_))
            && (tree.cheap || self.is_update(region, inst, &tree))
            && !self.starts_row(region, inst);
        let cheap_cast = tree.cheap && matches!(data.op, Op::Cast) && !self.keeps_name(inst);
        let inline = if slot_read || address || cheap_cast {
            true
        } else {
            direct
                && (tree.cheap || !self.bounds_lanes(uses[0], v))
                && !self.is_handed_on(uses[0], v)
                && (tree.size <= MAX_SIZE || self.ends_in(uses[0], v, &tree))
                && (!self.keeps_name(inst) || self.must_sink(region, inst))
        };
        if inline {
            self.out.plan[v] = Plan::Inline;
            self.trees[v] = tree;
        }
        inline
    }

    /// Does a loop inside index from this address, as in `row = a + i * n; … row[k]`? Said in one expression, compilers add `i * n` to every index anew.
    fn starts_row(&self, region: Region, inst: Inst) -> bool {
        let body = self.facts.body;
        let moves = |i: Inst, place: usize| {
            let index = body.insts[i].args.get(place);
            index.is_some_and(|&v| body.const_int(v).is_none())
        };
        let data = &body.insts[inst];
        let Op::Addr(row) = &data.op else {
            return false;
        };
        let [step @ Step::Index { .. }] = &row.steps[..] else {
            return false;
        };
        if !moves(inst, 1) {
            return false;
        }
        let v = data.results[0];
        self.facts.uses[v].iter().any(|&user| {
            let Op::Addr(element) = &body.insts[user].op else {
                return false;
            };
            element.steps.first() == Some(step) && moves(user, 1) && self.in_loop(region, user)
        })
    }

    /// Is there a loop around an instruction inside a region?
    fn in_loop(&self, region: Region, mut inst: Inst) -> bool {
        let body = self.facts.body;
        while body.insts[inst].parent != region {
            let Some(holder) = body.regions[body.insts[inst].parent].parent else {
                return false;
            };
            if matches!(body.insts[holder].op, Op::For(_) | Op::Loop) {
                return true;
            }
            inst = holder;
        }
        false
    }

    /// Is it the bound of a loop in lanes? Some compilers do not understand the permission if there is a choice in the loop's test.
    fn bounds_lanes(&self, user: Inst, v: Value) -> bool {
        let data = &self.facts.body.insts[user];
        matches!(&data.op, Op::For(attr) if attr.independent) && data.args[1] == v
    }

    /// Does an iteration that runs in lanes hand it on to the next, other than as a sum? Compilers want it computed before anything is stored.
    fn is_handed_on(&self, user: Inst, v: Value) -> bool {
        let body = self.facts.body;
        let data = &body.insts[user];
        let holder = body.regions[data.parent].parent.map(|h| &body.insts[h].op);
        let lanes = matches!(holder, Some(Op::For(attr)) if attr.independent);
        let place = data.args.iter().position(|&a| a == v);
        let (true, Op::Yield, Some(k)) = (lanes, &data.op, place) else {
            return false;
        };
        let old = body.regions[data.parent].args[k + 1];
        let made = body.def_inst(v).map(|i| &body.insts[i]);
        body.ty(v).is_float()
            && made.is_some_and(|m| !(matches!(m.op, Op::Add | Op::Sub) && m.args.contains(&old)))
    }

    /// Is the user a statement that does nothing but keep the value? A variable in between would not make it shorter.
    fn ends_in(&self, user: Inst, v: Value, tree: &Tree) -> bool {
        let data = &self.facts.body.insts[user];
        let keeps = match data.op {
            Op::Store(_) => data.args[1] == v && data.args[0] != v,
            Op::Return => true,
            _ => false,
        };
        keeps && tree.size <= 2 * MAX_SIZE
    }

    fn is_atomic(&self, region: Region) -> bool {
        let body = self.facts.body;
        body.regions[region].parent.is_some_and(|p| {
            matches!(&body.insts[p].op, Op::Par(a) if matches!(a.directive, Directive::Atomic(_)))
        })
    }

    /// The address of `a[f[i]] += x`: read and written by one statement, which evaluates it once.
    fn is_update(&self, region: Region, inst: Inst, tree: &Tree) -> bool {
        let body = self.facts.body;
        let address = body.insts[inst].results[0];
        let [load, store] = self.facts.uses[address][..] else {
            return false;
        };
        let here = |i: Inst| body.insts[i].parent == region;
        if tree.effects.ordered || tree.size > 12 || !here(load) || !here(store) {
            return false;
        }
        let (Op::Load(_), Op::Store(_)) = (&body.insts[load].op, &body.insts[store].op) else {
            return false;
        };
        if body.insts[store].args[1] == address {
            return false;
        }
        let only_user = |v: Value| match self.facts.uses[v][..] {
            [user] if here(user) => Some(user),
            _ => None,
        };
        // Through one operation, and conversions.
        let mut v = body.result(load);
        let mut operations = 0;
        while let Some(user) = only_user(v) {
            if user == store {
                return operations == 1;
            }
            let data = &body.insts[user];
            match data.op {
                Op::Cast => {}
                Op::Add | Op::Mul | Op::And | Op::Or | Op::Xor => operations += 1,
                Op::Sub | Op::Div | Op::Rem | Op::Shl | Op::Shr if data.args[0] == v => {
                    operations += 1;
                }
                _ => return false,
            }
            if data.results.len() != 1 || self.keeps_name(user) {
                return false;
            }
            v = data.results[0];
        }
        false
    }

    fn name_costly_parts(&mut self, inst: Inst) {
        for &a in &self.facts.body.insts[inst].args {
            if self.out.plan[a] == Plan::Inline && !self.trees[a].cheap {
                self.out.plan[a] = Plan::Variable;
            }
        }
    }

    /// A variable of the source stays a variable, for readers and debuggers.
    fn keeps_name(&self, inst: Inst) -> bool {
        let v = self.facts.body.insts[inst].results[0];
        self.facts.body.values[v].name.is_some()
    }

    /// The next value of a loop's variable waits for the end of the body if the old value is still used: `a[i] = 0; i++`.
    fn must_sink(&self, region: Region, inst: Inst) -> bool {
        let body = self.facts.body;
        let v = body.insts[inst].results[0];
        let user = self.facts.uses[v][0];
        if !matches!(body.insts[user].op, Op::Yield | Op::Continue(_)) {
            return false;
        }
        let owner = match body.insts[user].op {
            Op::Continue(t) => Some(t),
            _ => body.regions[region].parent,
        };
        let Some(owner) = owner else { return false };
        let offset = match body.insts[owner].op {
            Op::For(_) => 1,
            Op::Loop => 0,
            _ => return false,
        };
        let args = &body.regions[body.insts[owner].regions[0]].args;
        body.insts[user].args.iter().enumerate().any(|(k, &a)| {
            a == v
                && args.get(k + offset).is_some_and(|&old| {
                    self.facts.uses[old].iter().any(|&u| {
                        u != user
                            && self.facts.ancestor_in(region, u).is_some_and(|at| {
                                self.facts.position[at] > self.facts.position[inst]
                            })
                    })
                })
        })
    }

    /// Can the `if` be printed as an expression (its arms are known to hold nothing else)?
    fn is_conditional(&self, inst: Inst) -> bool {
        let body = self.facts.body;
        let data = &body.insts[inst];
        if !matches!(data.op, Op::If) || data.results.len() != 1 {
            return false;
        }
        let mut size = 1;
        let name = body.values[data.results[0]].name.as_ref();
        let boolean = body.ty(data.results[0]) == Type::Bool;
        for &r in &data.regions {
            let Some(end) = body.terminator(r) else {
                return false;
            };
            if body.insts[end].op != Op::Yield {
                return false;
            }
            let v = body.insts[end].args[0];
            if self.out.plan[v] == Plan::Inline {
                size += self.trees[v].size;
            } else if name.is_some() && body.values[v].name.as_ref() == name {
                // `if (x > max) max = x;` rather than `max = x > max ? x : max;`
                return false;
            }
        }
        size <= if boolean { MAX_SIZE } else { MAX_CONDITIONAL }
    }
}
