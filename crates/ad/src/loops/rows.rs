//! Which values of a loop that is taken apart must be kept from one piece to the next.

use super::nest::{Node, Plan, is_index};
use adjoin_ir::{Body, Inst, Op, Value};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The rows of a plan.
#[derive(Debug, Default)]
pub struct Rows {
    /// The row of each value that has one; what inner loops carry has one for argument and result.
    rows: HashMap<Value, usize>,
    examples: Vec<Value>,
    /// The sum that a value belongs to.
    sums: HashMap<Value, usize>,
    /// Rows of carried values that are written where the next value is computed: the group and the value.
    direct: BTreeMap<usize, (usize, Value)>,
}

impl Rows {
    /// How many.
    pub fn count(&self) -> usize {
        self.examples.len()
    }

    /// A value that a row holds.
    pub fn example(&self, row: usize) -> Value {
        self.examples[row]
    }

    /// The row of a value.
    pub fn row(&self, v: Value) -> Option<usize> {
        self.rows.get(&v).copied()
    }

    /// The sum of the loop that a value belongs to.
    pub fn sum_of(&self, v: Value) -> Option<usize> {
        self.sums.get(&v).copied()
    }

    /// Is a row written where the value is computed?
    pub fn is_direct(&self, row: usize) -> bool {
        self.direct.contains_key(&row)
    }

    /// The rows that a group writes this way, and the values.
    pub fn direct_in(&self, group: usize) -> Vec<(usize, Value)> {
        self.direct
            .iter()
            .filter(|(_, (g, _))| *g == group)
            .map(|(&row, &(_, v))| (row, v))
            .collect()
    }

    fn add(&mut self, v: Value) -> usize {
        let row = self.examples.len();
        self.examples.push(v);
        self.rows.insert(v, row);
        row
    }
}

/// No group: what initialises or ends an iteration of an inner loop.
const NOWHERE: usize = usize::MAX;

struct Finder<'a> {
    body: &'a Body,
    plan: &'a Plan,
    /// The group of each instruction in lanes.
    home: HashMap<Inst, usize>,
    groups: usize,
    /// Inner loops.
    loops: Vec<Inst>,
    rows: Rows,
}

/// Finds the rows of a plan.
pub fn find(body: &Body, plan: &Plan) -> Option<Rows> {
    let mut finder = Finder {
        body,
        plan,
        home: HashMap::new(),
        groups: 0,
        loops: Vec::new(),
        rows: Rows::default(),
    };
    for (c, chain) in plan.chains.iter().enumerate() {
        finder
            .rows
            .sums
            .extend(chain.values.iter().map(|&v| (v, c)));
    }
    finder.number(&plan.nodes);
    finder.carried()?;
    let mut placed: Vec<(Inst, usize)> = finder.home.iter().map(|(&i, &g)| (i, g)).collect();
    placed.sort_unstable();
    for (inst, group) in placed {
        for &v in &body.insts[inst].results {
            if finder.rows.sum_of(v).is_some() || finder.rows.row(v).is_some() {
                continue;
            }
            let mut users = BTreeSet::new();
            finder.users(v, &mut users);
            if users.iter().any(|&g| g != group) {
                finder.rows.add(v);
            }
        }
    }
    Some(finder.rows)
}

impl Finder<'_> {
    fn number(&mut self, nodes: &[Node]) {
        for node in nodes {
            match node {
                Node::Uniform(_) => {}
                Node::Leaves(groups) => {
                    for group in groups {
                        let number = self.groups;
                        self.groups += 1;
                        for &inst in &group.insts {
                            self.home.insert(inst, number);
                        }
                        for store in &group.sums {
                            let i = self.plan.increments[store];
                            for inst in [i.load, i.add, *store] {
                                self.home.insert(inst, number);
                            }
                        }
                    }
                }
                Node::Loop(inst, inner) => {
                    self.loops.push(*inst);
                    self.number(inner);
                }
            }
        }
    }

    /// The group of an instruction in lanes: its own, or that of the branch around it.
    fn group_of(&self, mut inst: Inst) -> Option<usize> {
        loop {
            if let Some(&g) = self.home.get(&inst) {
                return Some(g);
            }
            inst = self.body.regions[self.body.insts[inst].parent].parent?;
            if inst == self.plan.holder || !matches!(self.body.insts[inst].op, Op::If) {
                return None;
            }
        }
    }

    /// The groups that use a value, also through what is computed again.
    fn users(&self, v: Value, all: &mut BTreeSet<usize>) {
        for &(user, operand) in self.plan.uses.get(&v).into_iter().flatten() {
            let data = &self.body.insts[user];
            if let Some(g) = self.group_of(user) {
                all.insert(g);
                continue;
            }
            match &data.op {
                Op::Yield => {
                    let holder = self.body.regions[data.parent].parent;
                    let arg = self.body.regions[data.parent].args.get(operand + 1);
                    let row = arg.and_then(|&a| self.rows.row(a));
                    match row.and_then(|r| self.rows.direct.get(&r)) {
                        Some(&(group, next)) if next == v => {
                            all.insert(group);
                        }
                        _ if holder == Some(self.plan.holder) => {}
                        _ => {
                            all.insert(NOWHERE);
                        }
                    }
                }
                _ if is_index(self.body, user) => {
                    for &r in &data.results {
                        self.users(r, all);
                    }
                }
                _ => {
                    all.insert(NOWHERE);
                }
            }
        }
    }

    /// Gives what inner loops carry its rows.
    fn carried(&mut self) -> Option<()> {
        for inst in self.loops.clone() {
            let data = &self.body.insts[inst];
            let region = data.regions[0];
            let args = self.body.regions[region].args.clone();
            let end = self.body.terminator(region)?;
            let next = self.body.insts[end].args.clone();
            for k in 1..args.len() {
                let varies = self.plan.varying.contains(&args[k]);
                if !varies || self.rows.sum_of(args[k]).is_some() {
                    continue;
                }
                let row = self.rows.add(args[k]);
                self.rows.rows.insert(data.results[k], row);
                let value = next[k - 1];
                let home = self.body.def_inst(value).and_then(|i| self.home.get(&i));
                let Some(&home) = home else { continue };
                // It is written early only if nobody wants the old value after that.
                let mut users = BTreeSet::new();
                self.users(args[k], &mut users);
                if users.iter().all(|&g| g <= home) && !self.rows.rows.contains_key(&value) {
                    self.rows.direct.insert(row, (home, value));
                }
            }
        }
        Some(())
    }
}
