//! From a flow graph to regions: blocks for places where paths meet, loops for the headers of cycles, by the dominator tree.
//!
//! A node is followed by what it dominates. A node where paths meet is placed after a `block` that holds what dominates it, and a jump to it is a
//! `break` out of that block. A header opens a `loop`, and a jump to it is a `continue`; what the loop leads to is placed after the loop. A cycle with several
//! entries first gets a dispatcher: a node that all jumps to the entries go through, with a state that says to which.

use crate::dominators::{Flow, Irreducible, irreducible};
use crate::function::{FunctionLowerer, Target};
use crate::goto::{EXIT, End, Graph, Node, Piece};
use crate::{Lower, Refused, refuse};
use adjoin_ir::{Basic, Case, MemAttr, Op, SwitchAttr, Type, Value};

/// Where each node of a graph goes.
struct Plan {
    /// A cycle's header.
    header: Vec<bool>,
    /// In place of the only jump to it.
    inline: Vec<bool>,
    /// After a block around the end of this node, in order.
    merges: Vec<Vec<usize>>,
    /// After the loop of this header, in order.
    exits: Vec<Vec<usize>>,
}

impl Plan {
    fn new(graph: &Graph<'_>) -> Plan {
        let count = graph.nodes.len();
        let successors: Vec<Vec<usize>> = (0..count).map(|n| graph.successors(n)).collect();
        let flow = Flow::new(&successors);
        let mut plan = Plan {
            header: vec![false; count],
            inline: vec![false; count],
            merges: vec![Vec::new(); count],
            exits: vec![Vec::new(); count],
        };
        let mut jumped_to = vec![false; count];
        for node in &graph.nodes {
            if let End::Whole(_, _, _, targets) = &node.end {
                targets
                    .iter()
                    .for_each(|&t| jumped_to[graph.through_stubs(t)] = true);
            }
        }
        for &n in &flow.order {
            plan.header[n] = flow.loops[n].contains(&n);
            let Some(d) = flow.dominator[n] else { continue };
            if n == 0 || n == EXIT {
                continue;
            }
            let left = flow.loops[d].iter().find(|h| !flow.loops[n].contains(h));
            let entries = flow.predecessors[n]
                .iter()
                .filter(|&&p| !flow.dominates(n, p))
                .count();
            match left {
                // Values of the loop's body would not be visible after the loop, so then everything stays inside.
                Some(&header) if !graph.has_values => plan.exits[header].push(n),
                _ if entries > 1 || jumped_to[n] => plan.merges[d].push(n),
                _ => plan.inline[n] = true,
            }
        }
        plan
    }
}

impl<'a> FunctionLowerer<'_, 'a> {
    /// Makes the code of a graph, in the current region.
    pub fn structure(&mut self, mut graph: Graph<'a>) -> Lower<()> {
        for k in 0..graph.declared.len() {
            let var = graph.declared[k];
            if self.has_cleanup(var) {
                return refuse(
                    self.unit.vars[var].span,
                    "a variable with a cleanup function that jumps may pass",
                );
            }
            if self.is_variable_length(self.unit.vars[var].ty) {
                graph.has_values = true;
            } else {
                self.declare(var)?;
                self.predeclared.insert(var);
            }
        }
        loop {
            let successors: Vec<Vec<usize>> = (0..graph.nodes.len())
                .map(|n| graph.successors(n))
                .collect();
            let Some(cycle) = irreducible(&successors) else {
                break;
            };
            let int = self.m.basic(Basic::Int);
            let slot = self.new_slot(int, None, 0);
            graph.states.push(slot);
            dispatch(&mut graph, &cycle);
        }
        let plan = Plan::new(&graph);
        let number = self.graphs.len();
        for (&label, &node) in &graph.labels {
            self.labels.insert(label, Target::Node(number, node));
        }
        graph.reached = vec![None; graph.nodes.len()];
        self.graphs.push(graph);
        let at = self.at;
        let (block, old) = self.open_block();
        self.graphs[number].reached[EXIT] = Some(Target::Break(block));
        self.node(number, &plan, 0)?;
        self.at = at;
        self.close_block(block, old);
        self.graphs.pop();
        Ok(())
    }

    /// How a jump reaches a node. That the graph has an edge for every jump makes it known; where it is not, the jump comes from a place that the
    /// graph does not see, and the function is refused.
    pub fn reach(&mut self, graph: usize, node: usize) -> Option<Target> {
        let node = self.graphs[graph].resolve(node);
        let node = self.pass_stubs(graph, node);
        let reached = self.graphs[graph].reached[node];
        if reached.is_none() {
            self.trouble.get_or_insert(Refused {
                span: self.at,
                reason: "cannot lower a jump out of an expression here".into(),
            });
        }
        reached
    }

    /// Does what the stubs on the way to a node do; gives the node.
    fn pass_stubs(&mut self, graph: usize, mut node: usize) -> usize {
        while let End::Stub {
            dispatcher,
            state,
            center,
        } = self.graphs[graph].nodes[node].end
        {
            let state = self.int(state, Type::I32);
            let slot = self.graphs[graph].states[dispatcher];
            self.emit(Op::Store(MemAttr::default()), vec![slot, state]);
            node = center;
        }
        node
    }

    /// A node and all that it dominates.
    fn node(&mut self, g: usize, plan: &Plan, n: usize) -> Lower<()> {
        if !plan.header[n] {
            return self.straight(g, plan, n);
        }
        let exits = &plan.exits[n];
        let blocks = self.open_blocks(g, exits.get(1..).unwrap_or(&[]));
        let inst = self.emit(Op::Loop, vec![]);
        let region = self.body.add_region(inst);
        // What comes right after the loop is reached by leaving the loop. Without a node of its own there, that is the node after the block
        // that the loop ends.
        let holder = self.body.regions[self.cur].parent;
        let after = match exits.first() {
            Some(&exit) => Some(exit),
            None => self.graphs[g]
                .reached
                .iter()
                .position(|r| holder.is_some() && *r == holder.map(Target::Break)),
        };
        let outer = after.and_then(|t| self.graphs[g].reached[t].replace(Target::Break(inst)));
        let outer_header = self.graphs[g].reached[n].replace(Target::Continue(inst));
        let old = self.enter(region);
        self.straight(g, plan, n)?;
        self.leave(old);
        self.graphs[g].reached[n] = outer_header;
        self.after(inst);
        if let Some(t) = after {
            self.graphs[g].reached[t] = outer;
        }
        match exits.first() {
            Some(&exit) if !self.dead => self.node(g, plan, exit)?,
            None if !self.dead => {
                if let Some(target) = outer {
                    self.jump(target);
                }
            }
            _ => {}
        }
        self.close_blocks(g, plan, exits.get(1..).unwrap_or(&[]), blocks)
    }

    /// Opens a block before each of these nodes, the first innermost.
    fn open_blocks(
        &mut self,
        g: usize,
        nodes: &[usize],
    ) -> Vec<(adjoin_ir::Inst, crate::function::Position)> {
        let mut blocks = Vec::new();
        for &n in nodes.iter().rev() {
            let (block, old) = self.open_block();
            self.graphs[g].reached[n] = Some(Target::Break(block));
            blocks.push((block, old));
        }
        blocks
    }

    fn close_blocks(
        &mut self,
        g: usize,
        plan: &Plan,
        nodes: &[usize],
        mut blocks: Vec<(adjoin_ir::Inst, crate::function::Position)>,
    ) -> Lower<()> {
        for &n in nodes {
            if let Some((block, old)) = blocks.pop() {
                self.close_block(block, old);
            }
            self.graphs[g].reached[n] = None;
            if !self.dead {
                self.node(g, plan, n)?;
            }
        }
        Ok(())
    }

    /// A node's code, then what it leads to.
    fn straight(&mut self, g: usize, plan: &Plan, n: usize) -> Lower<()> {
        for k in 0..self.graphs[g].nodes[n].pieces.len() {
            if self.dead {
                return Ok(());
            }
            let outer = self.jumps;
            match self.graphs[g].nodes[n].pieces[k] {
                Piece::Stmt(s, jumps) => {
                    self.jumps = jumps;
                    self.stmt(s)?;
                }
                Piece::Effect(e) => self.effect(e)?,
            }
            self.jumps = outer;
        }
        if self.dead {
            return Ok(());
        }
        let blocks = self.open_blocks(g, &plan.merges[n]);
        self.end(g, plan, n)?;
        self.close_blocks(g, plan, &plan.merges[n], blocks)
    }

    /// What comes after a node.
    fn end(&mut self, g: usize, plan: &Plan, n: usize) -> Lower<()> {
        let end = std::mem::replace(&mut self.graphs[g].nodes[n].end, End::Leave);
        match end {
            End::Jump(s) => self.go(g, plan, s),
            End::Branch(cond, yes, no) => {
                let c = self.condition(cond)?;
                if self.dead {
                    return Ok(());
                }
                let inst = self.emit(Op::If, vec![c]);
                for s in [yes, no] {
                    let region = self.body.add_region(inst);
                    let old = self.enter(region);
                    self.go(g, plan, s)?;
                    self.leave(old);
                }
                self.after(inst);
                Ok(())
            }
            End::Switch(value, ranges, default) => {
                let v = self.rvalue(value)?;
                if self.dead {
                    return Ok(());
                }
                let mut arms: Vec<(usize, Case)> = Vec::new();
                for (lo, hi, s) in ranges {
                    arm(&mut arms, s).values.push((lo, hi));
                }
                arm(&mut arms, default).default = true;
                self.switch_to(g, plan, v, arms)
            }
            End::Whole(s, jumps, next, _) => {
                let outer = std::mem::replace(&mut self.jumps, jumps);
                self.graphs[g].current = n;
                self.stmt(s)?;
                self.jumps = outer;
                if self.dead {
                    Ok(())
                } else {
                    self.go(g, plan, next)
                }
            }
            End::Dispatch(dispatcher, targets) => {
                let state = self.graphs[g].states[dispatcher];
                let v = self.value(Op::Load(MemAttr::default()), vec![state], Type::I32, None);
                let mut arms: Vec<(usize, Case)> = Vec::new();
                let last = targets.len() - 1;
                for (k, s) in targets.into_iter().enumerate() {
                    let case = arm(&mut arms, s);
                    case.values.push((k as i128, k as i128));
                    case.default |= k == last;
                }
                self.switch_to(g, plan, v, arms)
            }
            End::Leave | End::Stub { .. } => {
                self.terminate(Op::Unreachable, vec![]);
                Ok(())
            }
        }
    }

    fn switch_to(
        &mut self,
        g: usize,
        plan: &Plan,
        v: Value,
        arms: Vec<(usize, Case)>,
    ) -> Lower<()> {
        let (targets, cases): (Vec<usize>, Vec<Case>) = arms.into_iter().unzip();
        let inst = self.emit(Op::Switch(SwitchAttr { cases }), vec![v]);
        for s in targets {
            let region = self.body.add_region(inst);
            let old = self.enter(region);
            self.go(g, plan, s)?;
            self.leave(old);
        }
        self.after(inst);
        Ok(())
    }

    /// To a node: its code, or a jump to it.
    fn go(&mut self, g: usize, plan: &Plan, n: usize) -> Lower<()> {
        let n = self.pass_stubs(g, n);
        match self.graphs[g].reached[n] {
            Some(target) => self.jump(target),
            None if plan.inline[n] => return self.node(g, plan, n),
            None => self.jump(Target::Node(g, n)),
        }
        Ok(())
    }
}

/// The case that leads to a node.
fn arm(arms: &mut Vec<(usize, Case)>, node: usize) -> &mut Case {
    let k = match arms.iter().position(|(n, _)| *n == node) {
        Some(k) => k,
        None => {
            arms.push((node, Case::default()));
            arms.len() - 1
        }
    };
    &mut arms[k].1
}

/// Gives a cycle one entry instead of several: a dispatcher, which jumps from outside and jumps back go through. Jumps forward inside the cycle stay, so that
/// each round leaves fewer jumps back, and Duff's device falls from case to case.
fn dispatch(graph: &mut Graph<'_>, cycle: &Irreducible) {
    let dispatcher = graph.states.len() - 1;
    let center = graph.nodes.len() + cycle.entries.len();
    for (k, &entry) in cycle.entries.iter().enumerate() {
        let stub = graph.nodes.len();
        let forward = |n: usize| {
            let inside = cycle.inside.get(n) == Some(&true);
            inside && cycle.position[n] < cycle.position[entry]
        };
        graph.redirect(entry, stub, |n| !forward(n));
        let end = End::Stub {
            dispatcher,
            state: k as i128,
            center,
        };
        graph.nodes.push(Node {
            pieces: Vec::new(),
            end,
        });
    }
    let end = End::Dispatch(dispatcher, cycle.entries.clone());
    graph.nodes.push(Node {
        pieces: Vec::new(),
        end,
    });
}
