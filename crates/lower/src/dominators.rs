//! Flow graphs as numbers: reverse postorder, dominators, loops, strongly connected components. Nodes are indices, node 0 is the entry.

/// What is known of a flow graph. Nodes that the entry does not reach have no order and no dominator.
pub(crate) struct Flow {
    /// Reachable nodes in reverse postorder.
    pub order: Vec<usize>,
    /// Immediate dominators (of the entry: itself).
    pub dominator: Vec<Option<usize>>,
    /// Predecessors among reachable nodes, with multiplicity.
    pub predecessors: Vec<Vec<usize>>,
    /// For each node, the headers of the loops that contain it, outermost first. A header is in its own loop.
    pub loops: Vec<Vec<usize>>,
}

impl Flow {
    /// Analyses a graph given by successors.
    pub fn new(successors: &[Vec<usize>]) -> Flow {
        let order = reverse_postorder(successors);
        let mut position = vec![None; successors.len()];
        for (k, &n) in order.iter().enumerate() {
            position[n] = Some(k);
        }
        let mut predecessors = vec![Vec::new(); successors.len()];
        for &n in &order {
            for &s in &successors[n] {
                predecessors[s].push(n);
            }
        }
        let dominator = dominators(&order, &position, &predecessors);
        let mut flow = Flow {
            order,
            dominator,
            predecessors,
            loops: vec![Vec::new(); successors.len()],
        };
        flow.find_loops();
        flow
    }

    /// Does `a` dominate `b`?
    pub fn dominates(&self, a: usize, mut b: usize) -> bool {
        loop {
            if a == b {
                return true;
            }
            match self.dominator[b] {
                Some(d) if d != b => b = d,
                _ => return false,
            }
        }
    }

    fn find_loops(&mut self) {
        // Headers in reverse postorder: an outer loop's header comes before an inner one's.
        for k in 0..self.order.len() {
            let header = self.order[k];
            let back: Vec<usize> = self.predecessors[header]
                .iter()
                .copied()
                .filter(|&p| self.dominates(header, p))
                .collect();
            if back.is_empty() {
                continue;
            }
            let mut inside = vec![false; self.loops.len()];
            inside[header] = true;
            let mut work = back;
            while let Some(n) = work.pop() {
                if !std::mem::replace(&mut inside[n], true) {
                    work.extend(&self.predecessors[n]);
                }
            }
            for (n, &is_inside) in inside.iter().enumerate() {
                if is_inside {
                    self.loops[n].push(header);
                }
            }
        }
    }
}

fn reverse_postorder(successors: &[Vec<usize>]) -> Vec<usize> {
    let mut seen = vec![false; successors.len()];
    let mut order = Vec::new();
    let mut stack = vec![(0, 0)];
    seen[0] = true;
    while let Some((n, k)) = stack.pop() {
        match successors[n].get(k) {
            Some(&s) => {
                stack.push((n, k + 1));
                if !std::mem::replace(&mut seen[s], true) {
                    stack.push((s, 0));
                }
            }
            None => order.push(n),
        }
    }
    order.reverse();
    order
}

fn dominators(
    order: &[usize],
    position: &[Option<usize>],
    predecessors: &[Vec<usize>],
) -> Vec<Option<usize>> {
    let mut dominator: Vec<Option<usize>> = vec![None; position.len()];
    let at = |n: usize| position[n].unwrap_or(usize::MAX);
    dominator[0] = Some(0);
    let mut changed = true;
    while changed {
        changed = false;
        for &n in order.iter().skip(1) {
            let mut new: Option<usize> = None;
            for &p in &predecessors[n] {
                if dominator[p].is_none() {
                    continue;
                }
                new = Some(match new {
                    None => p,
                    Some(mut a) => {
                        let mut b = p;
                        while a != b {
                            while at(a) > at(b) {
                                a = dominator[a].unwrap_or(0);
                            }
                            while at(b) > at(a) {
                                b = dominator[b].unwrap_or(0);
                            }
                        }
                        a
                    }
                });
            }
            if new.is_some() && dominator[n] != new {
                dominator[n] = new;
                changed = true;
            }
        }
    }
    dominator
}

/// A cycle with more than one entry: it cannot be written with structured loops.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Irreducible {
    /// Where control gets into the cycle.
    pub entries: Vec<usize>,
    /// Is a node in the cycle?
    pub inside: Vec<bool>,
    /// The position of each node in a reverse postorder.
    pub position: Vec<usize>,
}

/// Finds a cycle with more than one entry, if the graph has one.
pub(crate) fn irreducible(successors: &[Vec<usize>]) -> Option<Irreducible> {
    let reachable = reverse_postorder(successors);
    let mut position = vec![usize::MAX; successors.len()];
    for (k, &n) in reachable.iter().enumerate() {
        position[n] = k;
    }
    let mut active = vec![false; successors.len()];
    for &n in &reachable {
        active[n] = true;
    }
    let mut work = vec![(reachable, 0)];
    // Each round looks at the components of a subgraph; a component with one entry is a loop, whose inside without the header is the next subgraph.
    while let Some((nodes, entry)) = work.pop() {
        let mut member = vec![false; successors.len()];
        for &n in &nodes {
            member[n] = true;
        }
        for component in components(successors, &nodes, &member) {
            let cyclic = component.len() > 1 || successors[component[0]].contains(&component[0]);
            if !cyclic {
                continue;
            }
            let mut inside = vec![false; successors.len()];
            for &n in &component {
                inside[n] = true;
            }
            let mut entries: Vec<usize> = Vec::new();
            for p in 0..successors.len() {
                if !active[p] || inside[p] {
                    continue;
                }
                for &s in &successors[p] {
                    if inside[s] && !entries.contains(&s) {
                        entries.push(s);
                    }
                }
            }
            if inside.get(entry) == Some(&true) && !entries.contains(&entry) {
                entries.push(entry);
            }
            entries.sort_unstable();
            if entries.len() > 1 {
                return Some(Irreducible {
                    entries,
                    inside,
                    position,
                });
            }
            let Some(&header) = entries.first() else {
                continue;
            };
            let rest: Vec<usize> = component.into_iter().filter(|&n| n != header).collect();
            if !rest.is_empty() {
                work.push((rest, usize::MAX));
            }
        }
    }
    None
}

/// Strongly connected components of a subgraph (Tarjan's algorithm, without recursion).
fn components(successors: &[Vec<usize>], nodes: &[usize], member: &[bool]) -> Vec<Vec<usize>> {
    let mut index = vec![usize::MAX; successors.len()];
    let mut low = vec![0; successors.len()];
    let mut on_stack = vec![false; successors.len()];
    let mut stack = Vec::new();
    let mut next = 0;
    let mut result = Vec::new();
    for &root in nodes {
        if index[root] != usize::MAX {
            continue;
        }
        let mut calls = vec![(root, 0)];
        while let Some((n, k)) = calls.pop() {
            if k == 0 {
                index[n] = next;
                low[n] = next;
                next += 1;
                stack.push(n);
                on_stack[n] = true;
            } else {
                let child = successors[n][k - 1];
                if member[child] && on_stack[child] {
                    low[n] = low[n].min(low[child]);
                }
            }
            let mut k = k;
            let mut descended = false;
            while let Some(&s) = successors[n].get(k) {
                k += 1;
                if !member[s] {
                    continue;
                }
                if index[s] == usize::MAX {
                    calls.push((n, k));
                    calls.push((s, 0));
                    descended = true;
                    break;
                }
                if on_stack[s] {
                    low[n] = low[n].min(index[s]);
                }
            }
            if descended {
                continue;
            }
            if low[n] == index[n] {
                let mut component = Vec::new();
                while let Some(m) = stack.pop() {
                    on_stack[m] = false;
                    component.push(m);
                    if m == n {
                        break;
                    }
                }
                result.push(component);
            }
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loop_with_an_exit() {
        // 0 → 1 → 2 → 1, 2 → 3
        let flow = Flow::new(&[vec![1], vec![2], vec![1, 3], vec![]]);
        assert_eq!(flow.dominator, [Some(0), Some(0), Some(1), Some(2)]);
        assert_eq!(flow.loops, [vec![], vec![1], vec![1], vec![]]);
    }

    #[test]
    fn a_cycle_with_two_entries() {
        // 0 → 1, 0 → 2, 1 ⇄ 2
        let cycle = irreducible(&[vec![1, 2], vec![2], vec![1]]);
        assert_eq!(cycle.map(|c| c.entries), Some(vec![1, 2]));
        assert_eq!(irreducible(&[vec![1], vec![2], vec![1]]), None);
    }

    #[test]
    fn a_cycle_through_the_entry() {
        assert_eq!(irreducible(&[vec![1], vec![0]]), None);
        assert_eq!(irreducible(&[vec![1], vec![2, 0], vec![1]]), None);
    }
}
