//! Statement lists that jumps enter: `goto` to a label in them, a `switch` whose cases are inside loops. Such a list becomes a flow graph, which
//! `structure` turns into regions.
//!
//! Only what must be taken apart is: a nested statement that is entered at its start alone stays whole, as one node, and the jumps out of it become
//! breaks. So the loops of a function that says `goto fail` stay loops.

use crate::function::{FunctionLowerer, Jumps, Target};
use crate::scan::Scan;
use crate::visit::operands;
use crate::{Lower, Refused, refuse};
use adjoin_front::ast::{Expr, ExprKind, LabelId, Span, Stmt, StmtKind, VarId};
use adjoin_ir::Value;
use std::collections::{BTreeMap, HashMap};

/// A flow graph of statements. Node 0 is the entry, node [`EXIT`] stands for the end of the list.
pub(crate) struct Graph<'a> {
    pub nodes: Vec<Node<'a>>,
    pub labels: BTreeMap<LabelId, usize>,
    /// Variables declared at the levels that were taken apart.
    pub declared: Vec<VarId>,
    /// Lengths or objects of variable length are among the code: values that later nodes use.
    pub has_values: bool,
    /// Jumps by name, from a node to a node, that go through a dispatcher: the stub to jump to instead.
    pub alias: HashMap<(usize, usize), usize>,
    /// The node whose statement is being lowered.
    pub current: usize,
    /// The state of each dispatcher.
    pub states: Vec<Value>,
    /// How a jump reaches a node, at the place where code is being made.
    pub reached: Vec<Option<Target>>,
}

/// The node after the list.
pub(crate) const EXIT: usize = 1;

/// Straight-line code and what comes after it.
pub(crate) struct Node<'a> {
    pub pieces: Vec<Piece<'a>>,
    pub end: End<'a>,
}

/// A piece of straight-line code.
#[derive(Clone, Copy)]
pub(crate) enum Piece<'a> {
    /// A statement that control enters at its start and leaves at its end, or leaves the list from.
    Stmt(&'a Stmt, Jumps),
    /// An expression.
    Effect(&'a Expr),
}

/// What comes after a node.
pub(crate) enum End<'a> {
    Jump(usize),
    Branch(&'a Expr, usize, usize),
    /// Value, ranges with their nodes, default.
    Switch(&'a Expr, Vec<(i128, i128, usize)>, usize),
    /// A statement that jumps to nodes from its inside: the statement, its environment, the node after it, the nodes it jumps to.
    Whole(&'a Stmt, Jumps, usize, Vec<usize>),
    /// To one of these nodes by the state of the n-th dispatcher: node k for state k.
    Dispatch(usize, Vec<usize>),
    /// Not a node of its own but an action of the jumps to it: sets the state of the n-th dispatcher and goes on to the node of the dispatcher. (As a
    /// node it would be one more entry of the cycle.)
    Stub {
        dispatcher: usize,
        state: i128,
        center: usize,
    },
    /// Control has left the list.
    Leave,
}

impl Graph<'_> {
    /// The successors of a node, each once (but both sides of a branch), stubs replaced by where they lead.
    pub fn successors(&self, n: usize) -> Vec<usize> {
        self.edges(n)
            .into_iter()
            .map(|s| self.through_stubs(s))
            .collect()
    }

    /// The node that a jump to a stub leads to.
    pub fn through_stubs(&self, mut n: usize) -> usize {
        while let End::Stub { center, .. } = self.nodes[n].end {
            n = center;
        }
        n
    }

    fn edges(&self, n: usize) -> Vec<usize> {
        match &self.nodes[n].end {
            End::Jump(s) => vec![*s],
            End::Branch(_, a, b) => vec![*a, *b],
            End::Switch(_, cases, default) => {
                let mut all: Vec<usize> = Vec::new();
                for s in cases.iter().map(|c| c.2).chain([*default]) {
                    if !all.contains(&s) {
                        all.push(s);
                    }
                }
                all
            }
            End::Whole(_, _, next, targets) => {
                let mut all = targets.clone();
                all.push(*next);
                all
            }
            End::Dispatch(_, targets) => targets.clone(),
            End::Leave | End::Stub { .. } => vec![],
        }
    }

    /// Sends edges to `from` to `to`: those of the nodes that `applies` accepts.
    pub fn redirect(&mut self, from: usize, to: usize, applies: impl Fn(usize) -> bool) {
        let change = |n: &mut usize| {
            if *n == from {
                *n = to;
            }
        };
        for (k, node) in self.nodes.iter_mut().enumerate() {
            match &mut node.end {
                End::Stub { center, .. } => change(center),
                _ if !applies(k) => {}
                End::Jump(s) => change(s),
                End::Branch(_, a, b) => {
                    change(a);
                    change(b);
                }
                End::Switch(_, cases, default) => {
                    cases.iter_mut().for_each(|c| change(&mut c.2));
                    change(default);
                }
                End::Whole(_, _, next, targets) => {
                    change(next);
                    if targets.contains(&from) {
                        self.alias.insert((k, from), to);
                    }
                    targets.iter_mut().for_each(change);
                }
                End::Dispatch(_, targets) => targets.iter_mut().for_each(change),
                End::Leave => {}
            }
        }
    }

    /// The node (or stub) that a jump by name to `n` goes to.
    pub fn resolve(&self, mut n: usize) -> usize {
        while let Some(&m) = self.alias.get(&(self.current, n)) {
            n = m;
        }
        n
    }
}

impl<'a> FunctionLowerer<'_, 'a> {
    /// Does a list have to become a graph? If something jumps to a label at its level, or into one of its statements past the start.
    pub fn needs_graph(&self, stmts: &[Stmt]) -> bool {
        stmts.iter().any(|s| match &s.kind {
            StmtKind::Label(l) => self.scan.is_used(*l),
            _ => self.scan.is_entered(s),
        })
    }

    /// Lowers a list as a graph.
    pub fn graph(&mut self, stmts: &'a [Stmt]) -> Lower<()> {
        let number = self.graphs.len();
        let opens_switch = |s: &'a StmtKind| match s {
            StmtKind::Switch { body, .. } => self.switch_groups(body).is_none(),
            _ => false,
        };
        let builder = Builder {
            scan: &self.scan,
            number,
            opens_switch: &opens_switch,
            graph: Graph {
                nodes: Vec::new(),
                labels: BTreeMap::new(),
                declared: Vec::new(),
                has_values: false,
                alias: HashMap::new(),
                current: 0,
                states: Vec::new(),
                reached: Vec::new(),
            },
            current: 0,
            jumps: self.jumps,
            alive: self.cleanups.len(),
            switches: Vec::new(),
            refused: None,
        };
        let graph = builder.build(stmts)?;
        self.structure(graph)
    }
}

/// The cases found so far of a `switch` that is being taken apart.
#[derive(Default)]
struct Cases {
    ranges: Vec<(i128, i128, usize)>,
    default: Option<usize>,
}

struct Builder<'s, 'a> {
    scan: &'s Scan<'a>,
    number: usize,
    /// Is it a `switch` that has to be taken apart?
    opens_switch: &'s dyn Fn(&'a StmtKind) -> bool,
    graph: Graph<'a>,
    current: usize,
    jumps: Jumps,
    /// Variables with cleanup functions around the list.
    alive: usize,
    switches: Vec<Cases>,
    refused: Option<Refused>,
}

impl<'a> Builder<'_, 'a> {
    fn build(mut self, stmts: &'a [Stmt]) -> Lower<Graph<'a>> {
        self.new_node();
        self.new_node();
        self.find_labels(stmts, false);
        self.list(stmts);
        self.jump_to(EXIT);
        match self.refused {
            Some(r) => Err(r),
            None => Ok(self.graph),
        }
    }

    fn new_node(&mut self) -> usize {
        self.graph.nodes.push(Node {
            pieces: Vec::new(),
            end: End::Leave,
        });
        self.graph.nodes.len() - 1
    }

    fn node_target(&self, n: usize) -> Option<Target> {
        Some(Target::Node(self.number, n))
    }

    /// Must a statement be taken apart?
    fn opens(&self, s: &'a Stmt, in_switch: bool) -> bool {
        (in_switch && self.scan.summary(s).cases)
            || self.scan.is_entered(s)
            || self.scan.is_crossed(s)
            || (self.opens_switch)(&s.kind)
    }

    /// Makes nodes for the labels at the levels that will be taken apart.
    fn find_labels(&mut self, stmts: &'a [Stmt], in_switch: bool) {
        for s in stmts {
            if let StmtKind::Label(l) = s.kind {
                if self.scan.is_used(l) {
                    let n = self.new_node();
                    self.graph.labels.insert(l, n);
                }
                continue;
            }
            if !self.opens(s, in_switch) {
                continue;
            }
            let one = std::slice::from_ref::<Stmt>;
            match &s.kind {
                StmtKind::Block(list) => self.find_labels(list, in_switch),
                StmtKind::If {
                    then, otherwise, ..
                } => {
                    self.find_labels(one(then), in_switch);
                    if let Some(s) = otherwise {
                        self.find_labels(one(s), in_switch);
                    }
                }
                StmtKind::While { body, .. }
                | StmtKind::DoWhile { body, .. }
                | StmtKind::For { body, .. } => self.find_labels(one(body), in_switch),
                StmtKind::Switch { body, .. } => self.find_labels(one(body), true),
                _ => {}
            }
        }
    }

    /// Ends the current node with a jump.
    fn jump_to(&mut self, n: usize) {
        self.graph.nodes[self.current].end = End::Jump(n);
    }

    /// Continues at a node.
    fn at(&mut self, n: usize) {
        self.current = n;
    }

    /// Continues where nothing gets, until a label.
    fn at_nothing(&mut self) {
        self.current = self.new_node();
    }

    fn piece(&mut self, piece: Piece<'a>) {
        self.graph.nodes[self.current].pieces.push(piece);
    }

    fn list(&mut self, stmts: &'a [Stmt]) {
        for s in stmts {
            self.stmt(s);
        }
    }

    fn stmt(&mut self, s: &'a Stmt) {
        match &s.kind {
            StmtKind::Null => {}
            StmtKind::Label(l) => {
                if let Some(&n) = self.graph.labels.get(l) {
                    self.jump_to(n);
                    self.at(n);
                }
            }
            StmtKind::Case(..) | StmtKind::Default => self.case(s),
            StmtKind::Goto(l) if self.graph.labels.contains_key(l) => {
                self.jump_to(self.graph.labels[l]);
                self.at_nothing();
            }
            StmtKind::Break => self.leave(s, self.jumps.on_break),
            StmtKind::Continue => self.leave(s, self.jumps.on_continue),
            StmtKind::GotoComputed(_) => {
                self.plain(s);
                self.at_nothing();
            }
            StmtKind::Goto(_) | StmtKind::Return(_) => self.leave(s, None),
            StmtKind::Decl(v) => {
                self.graph.declared.push(*v);
                self.plain(s);
            }
            StmtKind::Expr(e) => {
                self.literals(e);
                self.plain(s);
            }
            StmtKind::EvalVla(_) => {
                self.graph.has_values = true;
                self.piece(Piece::Stmt(s, self.jumps));
            }
            _ if self.opens(s, !self.switches.is_empty()) => self.open(s),
            _ => self.plain(s),
        }
    }

    /// A statement that stays whole.
    fn plain(&mut self, s: &'a Stmt) {
        let summary = self.scan.summary(s);
        let mut targets: Vec<usize> = summary
            .gotos
            .keys()
            .filter_map(|l| self.graph.labels.get(l).copied())
            .collect();
        let escapes = [
            (summary.breaks, self.jumps.on_break),
            (summary.continues, self.jumps.on_continue),
        ];
        for (happens, target) in escapes {
            if let (true, Some(Target::Node(g, n))) = (happens, target)
                && g == self.number
            {
                targets.push(n);
            }
        }
        if targets.is_empty() {
            self.piece(Piece::Stmt(s, self.jumps));
        } else {
            let next = self.new_node();
            self.graph.nodes[self.current].end = End::Whole(s, self.jumps, next, targets);
            self.at(next);
        }
    }

    /// Compound literals whose address an expression takes live as long as the variables declared at its level.
    fn literals(&mut self, e: &'a Expr) {
        if let ExprKind::AddrOf(x) | ExprKind::Decay(x) = &e.kind {
            let mut object: &Expr = x;
            while let ExprKind::Member { base, .. } = &object.kind {
                object = base;
            }
            if let ExprKind::CompoundLit(v) = object.kind {
                self.graph.declared.push(v);
            }
        }
        operands(e, &mut |x| self.literals(x));
    }

    fn leave(&mut self, s: &'a Stmt, target: Option<Target>) {
        match target {
            Some(Target::Node(g, n)) if g == self.number => self.jump_to(n),
            _ => self.piece(Piece::Stmt(s, self.jumps)),
        }
        self.at_nothing();
    }

    fn case(&mut self, s: &'a Stmt) {
        let n = self.new_node();
        if let Some(cases) = self.switches.last_mut() {
            match s.kind {
                StmtKind::Case(lo, hi) => cases.ranges.push((lo, hi, n)),
                _ => cases.default = Some(n),
            }
        }
        self.jump_to(n);
        self.at(n);
    }

    fn branch(&mut self, cond: &'a Expr, yes: usize, no: usize) {
        self.graph.nodes[self.current].end = match cond.kind {
            ExprKind::Int(0) => End::Jump(no),
            ExprKind::Int(_) => End::Jump(yes),
            _ => End::Branch(cond, yes, no),
        };
    }

    fn open(&mut self, s: &'a Stmt) {
        match &s.kind {
            StmtKind::Block(list) => self.list(list),
            StmtKind::If {
                cond,
                then,
                otherwise,
            } => {
                let (yes, no, join) = (self.new_node(), self.new_node(), self.new_node());
                self.branch(cond, yes, no);
                self.at(yes);
                self.stmt(then);
                self.jump_to(join);
                self.at(no);
                if let Some(s) = otherwise {
                    self.stmt(s);
                }
                self.jump_to(join);
                self.at(join);
            }
            StmtKind::While { cond, body } => self.open_loop(Some(cond), None, body),
            StmtKind::For {
                init,
                cond,
                step,
                body,
            } => {
                self.list(init);
                self.open_loop(cond.as_ref(), step.as_ref(), body);
            }
            StmtKind::DoWhile { body, cond } => {
                let (first, test, exit) = (self.new_node(), self.new_node(), self.new_node());
                self.jump_to(first);
                self.at(first);
                self.loop_body(body, exit, test);
                self.jump_to(test);
                self.at(test);
                self.branch(cond, first, exit);
                self.at(exit);
            }
            StmtKind::Switch { value, body } => self.open_switch(value, body),
            StmtKind::Omp(_) => self.refuse(s.span, "a jump into a parallel construct"),
            _ => self.refuse(s.span, "a jump into a statement expression"),
        }
    }

    fn refuse(&mut self, span: Span, reason: &str) {
        if let Err(r) = refuse::<()>(span, reason) {
            self.refused.get_or_insert(r);
        }
    }

    fn open_loop(&mut self, cond: Option<&'a Expr>, step: Option<&'a Expr>, body: &'a Stmt) {
        let (head, first, next, exit) = (
            self.new_node(),
            self.new_node(),
            self.new_node(),
            self.new_node(),
        );
        self.jump_to(head);
        self.at(head);
        match cond {
            Some(cond) => self.branch(cond, first, exit),
            None => self.jump_to(first),
        }
        self.at(first);
        self.loop_body(body, exit, next);
        self.jump_to(next);
        self.at(next);
        if let Some(step) = step {
            self.piece(Piece::Effect(step));
        }
        self.jump_to(head);
        self.at(exit);
    }

    fn loop_body(&mut self, body: &'a Stmt, exit: usize, next: usize) {
        let jumps = Jumps {
            on_break: self.node_target(exit),
            on_continue: self.node_target(next),
            alive_at_break: self.alive,
            alive_at_continue: self.alive,
        };
        let outer = std::mem::replace(&mut self.jumps, jumps);
        self.stmt(body);
        self.jumps = outer;
    }

    fn open_switch(&mut self, value: &'a Expr, body: &'a Stmt) {
        let head = self.current;
        let exit = self.new_node();
        let outer = self.jumps;
        self.jumps.on_break = self.node_target(exit);
        self.jumps.alive_at_break = self.alive;
        self.switches.push(Cases::default());
        self.at_nothing();
        match &body.kind {
            StmtKind::Block(list) => self.list(list),
            _ => self.stmt(body),
        }
        self.jump_to(exit);
        self.jumps = outer;
        if let Some(cases) = self.switches.pop() {
            let default = cases.default.unwrap_or(exit);
            self.graph.nodes[head].end = End::Switch(value, cases.ranges, default);
        }
        self.at(exit);
    }
}
