//! A minimum cut that decides what to store: own small maximum flow (Dinic's).
//!
//! Nodes are the values that the reverse sweep needs, directly or to compute others. Each has the price of storing it and, if it can be computed again, the
//! price of that and what it is computed from. The cheapest set of values to store is the minimum cut between what cannot be computed again and what is
//! needed, with a value's two prices as capacities.

/// What is known of one value.
#[derive(Clone, Debug, Default)]
pub struct Node {
    /// The price of storing it.
    pub store: u64,
    /// The price of computing it again, and from which nodes; `None`: it cannot be.
    pub again: Option<(u64, Vec<usize>)>,
    /// The reverse sweep uses it.
    pub demanded: bool,
}

const INFINITE: u64 = u64::MAX / 4;

struct Edge {
    to: usize,
    room: u64,
}

/// Edges in pairs: number `k ^ 1` is the way back of `k`.
#[derive(Default)]
struct Network {
    edges: Vec<Edge>,
    from: Vec<Vec<usize>>,
}

impl Network {
    fn new(nodes: usize) -> Network {
        Network {
            edges: Vec::new(),
            from: vec![Vec::new(); nodes],
        }
    }

    fn connect(&mut self, a: usize, b: usize, room: u64) {
        for (x, y, room) in [(a, b, room), (b, a, 0)] {
            self.from[x].push(self.edges.len());
            self.edges.push(Edge { to: y, room });
        }
    }

    /// Distances from a node along edges with room.
    fn levels(&self, source: usize) -> Vec<Option<u32>> {
        let mut level = vec![None; self.from.len()];
        level[source] = Some(0);
        let mut queue = std::collections::VecDeque::from([source]);
        while let Some(x) = queue.pop_front() {
            for &e in &self.from[x] {
                let edge = &self.edges[e];
                if edge.room > 0 && level[edge.to].is_none() {
                    level[edge.to] = level[x].map(|l: u32| l + 1);
                    queue.push_back(edge.to);
                }
            }
        }
        level
    }

    /// Sends flow along one path of growing levels; returns how much.
    fn send(
        &mut self,
        source: usize,
        sink: usize,
        level: &[Option<u32>],
        next: &mut [usize],
    ) -> u64 {
        // The path as edges: depth is not limited by the machine's stack.
        let mut path: Vec<usize> = Vec::new();
        let mut at = source;
        loop {
            if at == sink {
                let flow = path.iter().map(|&e| self.edges[e].room).min().unwrap_or(0);
                for &e in &path {
                    self.edges[e].room -= flow;
                    self.edges[e ^ 1].room = self.edges[e ^ 1].room.saturating_add(flow);
                }
                return flow;
            }
            let step = self.from[at][next[at]..].iter().position(|&e| {
                let edge = &self.edges[e];
                edge.room > 0 && level[edge.to] == level[at].map(|l| l + 1)
            });
            match step {
                Some(k) => {
                    next[at] += k;
                    let e = self.from[at][next[at]];
                    path.push(e);
                    at = self.edges[e].to;
                }
                None => {
                    next[at] = self.from[at].len();
                    let Some(e) = path.pop() else { return 0 };
                    at = self.edges[e ^ 1].to;
                    next[at] += 1;
                }
            }
        }
    }

    fn maximum_flow(&mut self, source: usize, sink: usize) -> u64 {
        let mut all = 0u64;
        loop {
            let level = self.levels(source);
            if level[sink].is_none() {
                return all;
            }
            let mut next = vec![0; self.from.len()];
            loop {
                let flow = self.send(source, sink, &level, &mut next);
                if flow == 0 {
                    break;
                }
                all = all.saturating_add(flow);
            }
        }
    }
}

/// Which nodes to store, and what all costs together.
pub fn minimum_cut(nodes: &[Node]) -> (Vec<bool>, u64) {
    let (source, sink) = (2 * nodes.len(), 2 * nodes.len() + 1);
    let mut network = Network::new(2 * nodes.len() + 2);
    for (k, node) in nodes.iter().enumerate() {
        network.connect(2 * k, 2 * k + 1, node.store.min(INFINITE - 1));
        if node.demanded {
            network.connect(2 * k + 1, sink, INFINITE);
        }
        match &node.again {
            None => network.connect(source, 2 * k, INFINITE),
            Some((price, operands)) => {
                network.connect(source, 2 * k, (*price).min(INFINITE - 1));
                for &o in operands {
                    network.connect(2 * o + 1, 2 * k, INFINITE);
                }
            }
        }
    }
    let price = network.maximum_flow(source, sink);
    let level = network.levels(source);
    let stored = (0..nodes.len())
        .map(|k| level[2 * k].is_some() && level[2 * k + 1].is_none())
        .collect();
    (stored, price)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(store: u64, again: Option<(u64, &[usize])>, demanded: bool) -> Node {
        Node {
            store,
            again: again.map(|(p, o)| (p, o.to_vec())),
            demanded,
        }
    }

    #[test]
    fn one_value_feeds_many() {
        // Three cheap functions of one value that cannot be computed again: store that value.
        let nodes = [
            node(8, None, false),
            node(8, Some((1, &[0])), true),
            node(8, Some((1, &[0])), true),
            node(8, Some((1, &[1])), true),
        ];
        assert_eq!(minimum_cut(&nodes), (vec![true, false, false, false], 11));
    }

    #[test]
    fn many_values_feed_one() {
        let nodes = [
            node(8, None, false),
            node(8, None, false),
            node(8, Some((1, &[0, 1])), true),
        ];
        assert_eq!(minimum_cut(&nodes), (vec![false, false, true], 8));
    }

    #[test]
    fn what_is_dear_to_compute_is_stored() {
        let nodes = [
            node(8, Some((1, &[])), true),
            node(8, Some((50, &[0])), true),
            node(8, Some((2, &[1])), true),
        ];
        assert_eq!(minimum_cut(&nodes), (vec![false, true, false], 11));
    }
}
