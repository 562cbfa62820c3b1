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
    /// What inner loops take over from the loop around, in its row: the loop and the slot.
    passed: BTreeSet<(Inst, usize)>,
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

    /// Does an inner loop use the row of the loop around?
    pub fn is_passed_on(&self, inst: Inst, slot: usize) -> bool {
        self.passed.contains(&(inst, slot))
    }

    /// Is a value at the end of an iteration already in its row?
    pub fn is_there(&self, row: usize, next: Value) -> bool {
        self.is_direct(row) || self.rows.get(&next) == Some(&row)
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
                Node::Uniform(_) | Node::Zero(_) => {}
                Node::Leaves(groups) => {
                    for group in groups {
                        let number = self.groups;
                        self.groups += 1;
                        for &inst in &group.insts {
                            self.home.insert(inst, number);
                        }
                        let handed_on = group.handed_on.iter().flatten();
                        let products = handed_on.clone().filter_map(|t| t.product);
                        self.home.extend(products.map(|p| (p, number)));
                        for store in group.sums.iter().chain(handed_on.map(|t| &t.store)) {
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
            let next = super::yielded(self.body, region)?.to_vec();
            for k in 1..args.len() {
                let varies = self.plan.varying.contains(&args[k]);
                if !varies || self.rows.sum_of(args[k]).is_some() {
                    continue;
                }
                if let Some(row) = self.passed_on(inst, k) {
                    self.rows.rows.insert(args[k], row);
                    self.rows.rows.insert(data.results[k], row);
                    self.rows.passed.insert((inst, k));
                    self.write_early(row, args[k], next[k - 1]);
                    continue;
                }
                let row = self.rows.add(args[k]);
                self.rows.rows.insert(data.results[k], row);
                self.write_early(row, args[k], next[k - 1]);
            }
        }
        Some(())
    }

    /// Lets a row be written where the next value is computed, if nobody wants the old one after that.
    fn write_early(&mut self, row: usize, old: Value, next: Value) {
        let home = self.body.def_inst(next).and_then(|i| self.home.get(&i));
        let Some(&home) = home else { return };
        let mut users = BTreeSet::new();
        self.users(old, &mut users);
        if users.iter().all(|&g| g <= home) && !self.rows.rows.contains_key(&next) {
            self.rows.direct.insert(row, (home, next));
        }
    }

    /// The row of the loop around, if a loop inside only takes its value over and hands it back.
    fn passed_on(&self, inst: Inst, slot: usize) -> Option<usize> {
        let data = &self.body.insts[inst];
        let first = data.args[slot + 2];
        let row = self.rows.row(first)?;
        let region = data.parent;
        let place = self.body.regions[region]
            .args
            .iter()
            .position(|&v| v == first)?;
        let once = |v: &Value| match self.plan.uses.get(v).map(Vec::as_slice) {
            Some([only]) => Some(*only),
            _ => None,
        };
        once(&first)?;
        let (user, operand) = once(&data.results[slot])?;
        let ends = self.body.terminator(region) == Some(user) && operand + 1 == place;
        ends.then_some(row)
    }
}
