//! Where it may show who runs which iteration of a worksharing loop.
//!
//! It does where a thread keeps something in memory of its own from one iteration to the next, or for what comes after the loop: then iterations go to whom OpenMP says.
//! Sums do not count if all that is made of them is the sum over all threads, nor do products of which a product is made.

use super::inside;
use super::loops::the_loop;
use super::team::Team;
use crate::edit::is_inside;
use adjoin_ir::{Body, Global, GlobalData, Inst, Module, Op, Value};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Memory that each thread has for itself.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Own {
    /// A local object, by its address.
    Local(Value),
    /// A variable with an instance for each thread.
    Variable(Global),
}

/// What is combined.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Sum,
    Product,
}

/// What a worksharing loop does to memory of its thread that is made outside of it.
#[derive(Default)]
struct State {
    /// What an iteration may read that it has not written.
    read: BTreeSet<Own>,
    written: BTreeSet<Own>,
    /// What each iteration writes before it reads it.
    fresh: BTreeSet<Own>,
    /// Functions that it calls may use variables of the thread.
    calls: bool,
}

/// A team's region, and who uses what in it.
struct Region<'a> {
    module: &'a Module,
    body: &'a Body,
    par: Inst,
    insts: Vec<Inst>,
    users: HashMap<Value, Vec<Inst>>,
    has_thread_variables: bool,
}

/// Is it a variable of each thread that the program has? (Derivatives have some, too: in these nothing is kept from one iteration to the next.)
pub(super) fn is_the_programs(variable: &GlobalData) -> bool {
    variable.thread_local && !variable.name.starts_with("adjoin_")
}

impl Team<'_> {
    /// The worksharing loops in which it may show who runs which iteration.
    pub(super) fn where_it_shows(&self, constructs: &[Inst]) -> BTreeSet<Inst> {
        let mut region = Region {
            module: self.module,
            body: self.body,
            par: self.par,
            insts: Vec::new(),
            users: HashMap::new(),
            has_thread_variables: self.module.globals.values().any(is_the_programs),
        };
        inside(self.body, self.par, &mut |inst| {
            region.insts.push(inst);
            for &v in &self.body.insts[inst].args {
                region.users.entry(v).or_default().push(inst);
            }
        });
        let combined = region.combined();
        let loops = constructs.iter().filter_map(|&par| {
            let outer = the_loop(self.body, par)?;
            let nest = self.collapsed(par, outer).unwrap_or(vec![outer]);
            Some((par, region.state(par, nest[nest.len() - 1], &combined)))
        });
        let loops: Vec<(Inst, State)> = loops.collect();
        let left = region.left(&loops, &combined);
        let shows = loops.iter().filter(|(par, state)| {
            state.calls
                || !state.read.is_disjoint(&state.written)
                || state.written.iter().any(|&own| left.contains(&(*par, own)))
        });
        shows.map(|(par, _)| *par).collect()
    }
}

impl Region<'_> {
    /// The objects of a thread that are used for nothing but sums, which are then added to something else; products likewise.
    fn combined(&self) -> BTreeSet<Own> {
        let mut kinds: BTreeMap<Own, BTreeSet<Option<Kind>>> = BTreeMap::new();
        let mut note = |own: Option<Own>, kind: Option<Kind>| {
            if let Some(own) = own {
                kinds.entry(own).or_default().insert(kind);
            }
        };
        for &inst in &self.insts {
            let data = &self.body.insts[inst];
            match data.op {
                Op::Load(_) => {
                    let kind = self.updates(inst).or_else(|| self.is_amount(inst));
                    note(self.own(data.args[0], None), kind);
                }
                // What is set in a loop is no sum; it may start anywhere else.
                Op::Store(_) if self.is_in_loop(inst) => {
                    note(self.own(data.args[0], None), self.is_update(inst));
                }
                Op::Call(_) | Op::CallIndirect(_) | Op::Copy(_) => {
                    for &v in &data.args {
                        note(self.own(v, None), None);
                    }
                }
                _ => {}
            }
        }
        let one = |kinds: &BTreeSet<_>| kinds.len() == 1 && !kinds.contains(&None);
        kinds
            .into_iter()
            .filter(|(own, kinds)| matches!(own, Own::Local(_)) && one(kinds))
            .map(|(own, _)| own)
            .collect()
    }

    /// What the iterations of a loop do to memory of their thread.
    fn state(&self, par: Inst, innermost: Inst, combined: &BTreeSet<Own>) -> State {
        let mut state = State::default();
        let State {
            read,
            written,
            fresh,
            calls,
        } = &mut state;
        let iteration = self.body.insts[innermost].regions[0];
        inside(self.body, par, &mut |inst| {
            let data = &self.body.insts[inst];
            match data.op {
                Op::Load(_) => {
                    let own = self.own(data.args[0], Some(par));
                    read.extend(own.filter(|o| !fresh.contains(o) && !combined.contains(o)));
                }
                Op::Store(_) => {
                    let own = self.own(data.args[0], Some(par));
                    if let Some(Own::Local(v)) = own
                        && v == data.args[0]
                        && !read.contains(&Own::Local(v))
                        && self.body.insts[inst].parent == iteration
                    {
                        fresh.insert(Own::Local(v));
                    }
                    written.extend(own);
                }
                Op::Call(_) | Op::CallIndirect(_) | Op::Copy(_) => {
                    for own in data.args.iter().filter_map(|&v| self.own(v, Some(par))) {
                        read.insert(own);
                        written.insert(own);
                    }
                    // Functions that are not inlined may use variables of the thread.
                    *calls |= !matches!(data.op, Op::Copy(_)) && self.has_thread_variables;
                }
                _ => {}
            }
        });
        state
    }

    /// What loops write and something outside of them reads.
    fn left(&self, loops: &[(Inst, State)], combined: &BTreeSet<Own>) -> BTreeSet<(Inst, Own)> {
        let mut left = BTreeSet::new();
        let mut note = |inst: Inst, own: Own| {
            // A loop may write it anew in every iteration.
            let around = |l: Inst| is_inside(self.body, inst, l);
            let anew = (loops.iter()).any(|(l, state)| around(*l) && state.fresh.contains(&own));
            if anew || combined.contains(&own) {
                return;
            }
            let writers = loops
                .iter()
                .filter(|(_, state)| state.written.contains(&own));
            left.extend(writers.filter(|(l, _)| !around(*l)).map(|(l, _)| (*l, own)));
        };
        for &inst in &self.insts {
            let data = &self.body.insts[inst];
            let places = match data.op {
                Op::Load(_) => &data.args[..1],
                Op::Call(_) | Op::CallIndirect(_) | Op::Copy(_) => &data.args[..],
                _ => continue,
            };
            for own in places.iter().filter_map(|&v| self.own(v, None)) {
                note(inst, own);
            }
        }
        // Other regions may read variables of the thread.
        for (l, state) in loops {
            let variables = state
                .written
                .iter()
                .filter(|o| matches!(o, Own::Variable(_)));
            left.extend(variables.map(|&own| (*l, own)));
        }
        left
    }

    /// The object of the thread, made outside of a construct if one is named, that an address is in.
    fn own(&self, mut address: Value, par: Option<Inst>) -> Option<Own> {
        loop {
            let Some(def) = self.body.def_inst(address) else {
                // The address of a private copy, or a pointer from somewhere.
                let region = self.body.def_region(address);
                let own = self.body.insts[self.par].regions.contains(&region);
                return own.then_some(Own::Local(address));
            };
            let data = &self.body.insts[def];
            match &data.op {
                Op::Slot(_) | Op::SlotVla(_) | Op::Alloca => {
                    let outside = par.is_none_or(|par| !is_inside(self.body, def, par));
                    let own = outside && is_inside(self.body, def, self.par);
                    return own.then_some(Own::Local(address));
                }
                Op::GlobalAddr(g) => {
                    return (self.module.globals[*g].thread_local).then_some(Own::Variable(*g));
                }
                _ => address = *data.args.first()?,
            }
        }
    }

    /// Is it in a loop, whoever runs that?
    fn is_in_loop(&self, inst: Inst) -> bool {
        let mut region = self.body.insts[inst].parent;
        while let Some(holder) = self.body.regions[region].parent
            && holder != self.par
        {
            if matches!(self.body.insts[holder].op, Op::For(_) | Op::Loop) {
                return true;
            }
            region = self.body.insts[holder].parent;
        }
        false
    }

    fn only_user(&self, v: Value) -> Option<Inst> {
        match self.users.get(&v)?[..] {
            [only] => Some(only),
            _ => None,
        }
    }

    /// Is a load part of `place += amount`, `place -= amount` or `place *= amount`?
    fn updates(&self, load: Inst) -> Option<Kind> {
        let (place, loaded) = (self.body.insts[load].args[0], self.body.result(load));
        let made = self.only_user(loaded)?;
        let data = &self.body.insts[made];
        let kind = match data.op {
            Op::Add => Kind::Sum,
            Op::Sub if data.args[0] == loaded => Kind::Sum,
            Op::Mul => Kind::Product,
            _ => return None,
        };
        (data.args[0] != data.args[1] && self.goes_only_to(self.body.result(made), place))
            .then_some(kind)
    }

    /// Is a store that of an update?
    fn is_update(&self, store: Inst) -> Option<Kind> {
        let data = &self.body.insts[store];
        let made = &self.body.insts[self.body.def_inst(data.args[1])?];
        let loads = made.args.iter().filter_map(|&v| self.body.def_inst(v));
        let mut loads = loads.filter(|&i| {
            let load = &self.body.insts[i];
            matches!(load.op, Op::Load(_)) && load.args[0] == data.args[0]
        });
        self.updates(loads.next()?)
    }

    /// Is what is loaded only the amount of an update of another place?
    fn is_amount(&self, load: Inst) -> Option<Kind> {
        let v = self.body.result(load);
        let made = &self.body.insts[self.only_user(v)?];
        let other = made.args.iter().copied().find(|&a| a != v)?;
        let updated = self.body.def_inst(other)?;
        matches!(self.body.insts[updated].op, Op::Load(_))
            .then(|| self.updates(updated))
            .flatten()
    }

    /// Is a value used for nothing but to be stored to a place?
    fn goes_only_to(&self, v: Value, place: Value) -> bool {
        let users = self.users.get(&v).map_or(&[][..], |u| &u[..]);
        users.iter().all(|&user| {
            let data = &self.body.insts[user];
            matches!(data.op, Op::Store(_)) && data.args[0] == place && data.args[1] == v
        })
    }
}
