//! Which instructions of a team's region can run at the same time in two threads.
//!
//! All threads pass the same barriers, so two instructions run at the same time only between the same two of them: there is a barrier (or the start of the region) from which both can be reached without
//! passing another, and one (or the end) that both reach in the same way. So what an iteration of a loop does in front of its barrier is not done at the same time as what is behind the loop: who leaves the
//! loop comes to another barrier next.

use super::team::is_barrier;
use adjoin_ir::{Body, Inst, Op, Region};
use std::collections::HashMap;

/// A set of barriers.
type Bits = Vec<u64>;

/// What is known of a region.
#[derive(Default)]
pub struct Phases {
    index: HashMap<Inst, usize>,
    barriers: Vec<Inst>,
    /// The barriers from which an instruction is reached.
    from: Vec<Bits>,
    /// Those that it reaches.
    to: Vec<Bits>,
}

/// The ways that control can take.
struct Ways<'a> {
    body: &'a Body,
    index: &'a HashMap<Inst, usize>,
    next: Vec<Vec<usize>>,
    /// The number of the end of the region.
    end: usize,
}

impl Phases {
    /// Looks at a region whose instructions are given, in program order.
    pub fn of(body: &Body, region: Region, insts: &[Inst]) -> Phases {
        let index: HashMap<Inst, usize> =
            (insts.iter().enumerate()).map(|(k, &i)| (i, k)).collect();
        let end = insts.len();
        let mut ways = Ways {
            body,
            index: &index,
            next: vec![Vec::new(); end],
            end,
        };
        ways.list(region, &[end]);
        let next = ways.next;
        let mut before = vec![Vec::new(); end + 1];
        for (k, list) in next.iter().enumerate() {
            for &n in list {
                before[n].push(k);
            }
        }
        // The start and the end of the region are barriers as well.
        let barriers: Vec<Inst> = (insts.iter().copied())
            .filter(|&i| is_barrier(body, i))
            .collect();
        let mut numbers: Vec<Option<usize>> = insts.iter().map(|_| None).collect();
        for (n, barrier) in barriers.iter().enumerate() {
            numbers[index[barrier]] = Some(n + 1);
        }
        let words = (barriers.len() + 1).div_ceil(64);
        let only = |n: usize| {
            let mut bits = vec![0; words];
            bits[n / 64] |= 1 << (n % 64);
            bits
        };
        let mut from = vec![vec![0; words]; end];
        if let Some(first) = from.first_mut() {
            *first = only(0);
        }
        let all: Vec<usize> = (0..end).collect();
        spread(&mut from, &all, &before, &numbers, &only);
        let mut to = vec![vec![0; words]; end];
        for &k in &before[end] {
            if numbers[k].is_none() {
                to[k] = only(0);
            }
        }
        let all: Vec<usize> = (0..end).rev().collect();
        spread(&mut to, &all, &next, &numbers, &only);
        Phases {
            index,
            barriers,
            from,
            to,
        }
    }

    /// The barriers behind which an instruction may run.
    pub fn behind(&self, inst: Inst) -> Vec<Inst> {
        let from = &self.from[self.index[&inst]];
        let is_in = |n: usize| from[n / 64] >> (n % 64) & 1 == 1;
        let all = self.barriers.iter().enumerate();
        all.filter(|(n, _)| is_in(n + 1)).map(|(_, &b)| b).collect()
    }

    /// Can two instructions run at the same time?
    pub fn meet(&self, a: Inst, b: Inst) -> bool {
        let (a, b) = (self.index[&a], self.index[&b]);
        let common = |x: &Bits, y: &Bits| x.iter().zip(y).any(|(x, y)| x & y != 0);
        common(&self.from[a], &self.from[b]) && common(&self.to[a], &self.to[b])
    }
}

/// Lets each instruction have what its neighbours on one side have; of a barrier there it has only that.
fn spread(
    sets: &mut [Bits],
    order: &[usize],
    neighbours: &[Vec<usize>],
    numbers: &[Option<usize>],
    only: &dyn Fn(usize) -> Bits,
) {
    let mut changed = true;
    while changed {
        changed = false;
        for &k in order {
            for &n in &neighbours[k] {
                let Some(number) = numbers.get(n) else {
                    continue;
                };
                let theirs = match number {
                    Some(barrier) => only(*barrier),
                    None => sets[n].clone(),
                };
                for (mine, theirs) in sets[k].iter_mut().zip(theirs) {
                    changed |= theirs & !*mine != 0;
                    *mine |= theirs;
                }
            }
        }
    }
}

impl Ways<'_> {
    /// Where a region begins, or where it leads to if nothing is in it.
    fn start(&self, region: Region, behind: &[usize]) -> Vec<usize> {
        match self.body.regions[region].insts.first() {
            Some(first) => vec![self.index[first]],
            None => behind.to_vec(),
        }
    }

    /// The ways inside a region, which leads to what is behind it.
    fn list(&mut self, region: Region, behind: &[usize]) {
        let list = &self.body.regions[region].insts;
        for (k, &inst) in list.iter().enumerate() {
            let after = match list.get(k + 1) {
                Some(next) => vec![self.index[next]],
                None => behind.to_vec(),
            };
            self.inst(inst, &after, behind);
        }
    }

    fn inst(&mut self, inst: Inst, after: &[usize], behind: &[usize]) {
        let data = &self.body.insts[inst];
        let regions = &data.regions;
        let at = self.index[&inst];
        let starts: Vec<usize> = (regions.iter())
            .flat_map(|&r| self.start(r, after))
            .collect();
        let (mut leads, mut inside) = (starts.clone(), after.to_vec());
        match data.op {
            Op::If | Op::Block => {}
            Op::Loop => inside = starts,
            _ if regions.is_empty() => leads = after.to_vec(),
            Op::Par(_) => {}
            // Other regions may be left out, run again, or run one after the other.
            _ => {
                leads.extend(after);
                inside.extend(starts);
            }
        }
        match data.op {
            Op::Break(target) => leads = self.behind(target),
            Op::Continue(target) | Op::Fallthrough(target) => leads = self.again(target),
            Op::Return | Op::Unreachable => leads = vec![self.end],
            ref op if op.is_terminator() => leads = behind.to_vec(),
            _ => {}
        }
        self.next[at] = leads;
        for &region in regions {
            self.list(region, &inside);
        }
    }

    /// What is behind an instruction around.
    fn behind(&self, holder: Inst) -> Vec<usize> {
        let list = &self.body.regions[self.body.insts[holder].parent].insts;
        let place = list.iter().position(|&i| i == holder);
        let next = place.and_then(|k| list.get(k + 1));
        // A region ends by a terminator.
        next.map_or(vec![self.end], |next| vec![self.index[next]])
    }

    /// The regions of an instruction around, and what is behind it.
    fn again(&self, holder: Inst) -> Vec<usize> {
        let mut leads = self.behind(holder);
        for &region in &self.body.insts[holder].regions {
            leads.extend(self.start(region, &[]));
        }
        leads
    }
}
