//! Facts about a body that folding needs: who uses a value, which instructions matter at all, which stack objects
//! are reached only by name, and what each instruction reads and writes.

use adjoin_ir::{
    Body, Clause, DataKind, Directive, Effect, Func, Function, Global, Inst, Linkage, Module, Op,
    Region, Value, ValueDef,
};
use cranelift_entity::{EntitySet, SecondaryMap};

/// The object that an address points into.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Root {
    /// A stack object, by the value of its address.
    Object(Value),
    Global(Global),
    /// Anything whose address is known to somebody.
    Unknown,
}

/// A set of memory places.
#[derive(Clone, Default, Debug)]
pub(crate) struct Places {
    pub unknown: bool,
    pub objects: Vec<Value>,
    pub globals: Vec<Global>,
}

impl Places {
    pub fn add(&mut self, root: Root) {
        match root {
            Root::Unknown => self.unknown = true,
            Root::Object(o) => {
                if !self.objects.contains(&o) {
                    self.objects.push(o);
                }
            }
            Root::Global(g) => {
                if !self.globals.contains(&g) {
                    self.globals.push(g);
                }
            }
        }
    }

    pub fn merge(&mut self, other: &Places) {
        self.unknown |= other.unknown;
        for &o in &other.objects {
            self.add(Root::Object(o));
        }
        for &g in &other.globals {
            self.add(Root::Global(g));
        }
    }

    pub fn is_empty(&self) -> bool {
        !self.unknown && self.objects.is_empty() && self.globals.is_empty()
    }
}

/// What an instruction, or an expression, does to memory.
#[derive(Clone, Default, Debug)]
pub(crate) struct Effects {
    pub reads: Places,
    pub writes: Places,
    /// A call, a volatile access, a barrier: keeps its place among others of its kind.
    pub ordered: bool,
}

impl Effects {
    pub fn merge(&mut self, other: &Effects) {
        self.reads.merge(&other.reads);
        self.writes.merge(&other.writes);
        self.ordered |= other.ordered;
    }

    /// Is nothing read, written or ordered?
    pub fn is_empty(&self) -> bool {
        !self.ordered && self.reads.is_empty() && self.writes.is_empty()
    }

    fn anything() -> Self {
        let everything = Places {
            unknown: true,
            ..Default::default()
        };
        Effects {
            reads: everything.clone(),
            writes: everything,
            ordered: true,
        }
    }
}

/// Facts about a body.
pub(crate) struct Facts<'a> {
    pub body: &'a Body,
    /// The users of a value, once per operand.
    pub uses: SecondaryMap<Value, Vec<Inst>>,
    /// Position of an instruction in its region.
    pub position: SecondaryMap<Inst, u32>,
    /// Instructions that need not be printed.
    pub dead: EntitySet<Inst>,
    /// Stack objects whose address is known beyond loads and stores by name.
    pub escaping: EntitySet<Value>,
    effects: SecondaryMap<Inst, Effects>,
    /// Entry arguments that are aggregates: the argument is the address of the parameter.
    pub aggregate_params: EntitySet<Value>,
    /// Functions without effects (`sqrt`): their calls may change places with anything.
    pure_calls: EntitySet<Func>,
}

/// Functions of the math library, without the suffix of their type. They may set `errno`, which nobody reads between
/// the parts of one expression.
const PURE: &[&str] = &[
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cabs",
    "carg",
    "cbrt",
    "ccos",
    "ceil",
    "cexp",
    "cimag",
    "clog",
    "conj",
    "copysign",
    "cos",
    "cosh",
    "cpow",
    "creal",
    "csin",
    "csqrt",
    "erf",
    "erfc",
    "exp",
    "exp2",
    "expm1",
    "fabs",
    "fdim",
    "floor",
    "fma",
    "fmax",
    "fmin",
    "fmod",
    "hypot",
    "log",
    "log10",
    "log1p",
    "log2",
    "pow",
    "remainder",
    "round",
    "sin",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
    "tgamma",
    "trunc",
];

/// Is it a declared function of the math library?
pub(crate) fn is_pure(f: &Function) -> bool {
    let name = f.name.strip_prefix("__builtin_").unwrap_or(&f.name);
    let known = |n: &str| PURE.binary_search(&n).is_ok();
    let typed = name.strip_suffix(['f', 'l']);
    f.body.is_none() && f.linkage == Linkage::External && (known(name) || typed.is_some_and(known))
}

impl<'a> Facts<'a> {
    pub fn new(module: &Module, body: &'a Body, aggregate_params: EntitySet<Value>) -> Self {
        let mut pure_calls = EntitySet::new();
        body.walk(|inst| {
            if let Op::Call(c) = &body.insts[inst].op {
                if is_pure(&module.funcs[c.func]) {
                    pure_calls.insert(c.func);
                }
            }
        });
        let mut facts = Facts {
            body,
            uses: SecondaryMap::new(),
            position: SecondaryMap::new(),
            dead: EntitySet::new(),
            escaping: EntitySet::new(),
            effects: SecondaryMap::new(),
            aggregate_params,
            pure_calls,
        };
        let mut order = Vec::new();
        body.walk(|inst| order.push(inst));
        for (_, data) in body.regions.iter() {
            for (k, &inst) in data.insts.iter().enumerate() {
                facts.position[inst] = k as u32;
            }
        }
        facts.collect_uses(&order);
        facts.find_escapes();
        facts.find_dead(&order);
        for &inst in order.iter().rev() {
            facts.compute_effects(inst);
        }
        facts
    }

    fn collect_uses(&mut self, order: &[Inst]) {
        for list in self.uses.values_mut() {
            list.clear();
        }
        for &inst in order {
            if self.dead.contains(inst) {
                continue;
            }
            for &a in &self.body.insts[inst].args {
                self.uses[a].push(inst);
            }
        }
    }

    /// The object that an address points into.
    pub fn root(&self, mut v: Value) -> Root {
        loop {
            match self.body.values[v].def {
                ValueDef::Result(inst, _) => {
                    let data = &self.body.insts[inst];
                    match data.op {
                        Op::Slot(_) | Op::SlotVla(_) => return Root::Object(v),
                        Op::GlobalAddr(g) => return Root::Global(g),
                        Op::Addr(_) => v = data.args[0],
                        _ => return Root::Unknown,
                    }
                }
                ValueDef::Arg(..) => {
                    if self.aggregate_params.contains(v) {
                        return Root::Object(v);
                    }
                    match self.data_clause(v) {
                        Some((
                            DataKind::Shared | DataKind::CopyPrivate | DataKind::CopyIn,
                            outer,
                        )) => v = outer,
                        Some(_) => return Root::Object(v),
                        None => return Root::Unknown,
                    }
                }
            }
        }
    }

    /// For the region argument of a data clause: the kind and the address outside.
    pub fn data_clause(&self, v: Value) -> Option<(DataKind, Value)> {
        let ValueDef::Arg(region, index) = self.body.values[v].def else {
            return None;
        };
        let par = self.body.regions[region].parent?;
        let Op::Par(attr) = &self.body.insts[par].op else {
            return None;
        };
        let mut operand = 0;
        let mut arg = 0;
        for clause in &attr.clauses {
            if let Clause::Data { kind, .. } = clause {
                if arg == index {
                    return Some((*kind, self.body.insts[par].args[operand]));
                }
                arg += 1;
            }
            operand += clause.operands();
        }
        None
    }

    /// The innermost parallel construct around a region.
    pub fn construct_of(&self, mut r: Region) -> Option<Inst> {
        while let Some(parent) = self.body.regions[r].parent {
            if matches!(self.body.insts[parent].op, Op::Par(_)) {
                return Some(parent);
            }
            r = self.body.insts[parent].parent;
        }
        None
    }

    fn objects(&self) -> Vec<Value> {
        self.body
            .values
            .iter()
            .filter(|(v, data)| match data.def {
                ValueDef::Result(inst, _) => {
                    matches!(self.body.insts[inst].op, Op::Slot(_) | Op::SlotVla(_))
                }
                ValueDef::Arg(..) => {
                    self.aggregate_params.contains(*v)
                        || self
                            .data_clause(*v)
                            .is_some_and(|(k, _)| k != DataKind::Shared)
                }
            })
            .map(|(v, _)| v)
            .collect()
    }

    fn find_escapes(&mut self) {
        for object in self.objects() {
            let home = self.construct_of(self.body.def_region(object));
            let mut escapes = false;
            self.each_address_use(object, &mut |facts, inst, operand| {
                let data = &facts.body.insts[inst];
                escapes |= match data.op {
                    Op::Load(_) | Op::LoadBits(_) | Op::Zero(_) | Op::Copy(_) | Op::Return => false,
                    Op::Store(_) | Op::StoreBits(_) => operand != 0,
                    Op::Par(_) => false,
                    _ => true,
                };
                // Another thread may get at it.
                escapes |= facts.construct_of(data.parent) != home;
            });
            if escapes {
                self.escaping.insert(object);
            }
        }
    }

    /// Visits the uses of an address and of addresses derived from it by `addr`.
    fn each_address_use(&self, address: Value, visit: &mut dyn FnMut(&Self, Inst, usize)) {
        let mut list = vec![address];
        while let Some(v) = list.pop() {
            let mut seen: Option<Inst> = None;
            for &user in &self.uses[v] {
                if seen == Some(user) {
                    continue;
                }
                seen = Some(user);
                let data = &self.body.insts[user];
                for (k, &a) in data.args.iter().enumerate() {
                    if a != v {
                        continue;
                    }
                    if matches!(data.op, Op::Addr(_)) && k == 0 {
                        list.push(data.results[0]);
                    } else {
                        visit(self, user, k);
                    }
                }
            }
        }
    }

    fn find_dead(&mut self, order: &[Inst]) {
        // Objects that are written and never read.
        for object in self.objects() {
            if self.escaping.contains(object) || self.aggregate_params.contains(object) {
                continue;
            }
            let mut read = false;
            let mut writers = Vec::new();
            self.each_address_use(object, &mut |facts, inst, operand| {
                match &facts.body.insts[inst].op {
                    Op::Store(m) if operand == 0 && !m.volatile => writers.push(inst),
                    Op::StoreBits(b) if operand == 0 && !b.volatile => writers.push(inst),
                    Op::Zero(_) => writers.push(inst),
                    Op::Copy(_) if operand == 0 => writers.push(inst),
                    _ => read = true,
                };
            });
            let private = matches!(self.body.values[object].def, ValueDef::Arg(..));
            if !read && !private {
                for w in writers {
                    self.dead.insert(w);
                }
            }
        }
        let mut count: SecondaryMap<Value, u32> = SecondaryMap::new();
        for &inst in order {
            if !self.dead.contains(inst) {
                for &a in &self.body.insts[inst].args {
                    count[a] += 1;
                }
            }
        }
        // Users come after definitions, so one pass from the end is enough.
        for &inst in order.iter().rev() {
            let data = &self.body.insts[inst];
            if self.dead.contains(inst) {
                continue;
            }
            let removable = match &data.op {
                Op::Load(m) => !m.volatile,
                Op::LoadBits(b) => !b.volatile,
                Op::Slot(_) | Op::SlotVla(_) => true,
                op => op.info().effect == Effect::Pure,
            };
            if removable && data.results.iter().all(|&r| count[r] == 0) {
                self.dead.insert(inst);
                for &a in &data.args {
                    count[a] -= 1;
                }
            }
        }
        self.collect_uses(order);
    }

    fn compute_effects(&mut self, inst: Inst) {
        let data = &self.body.insts[inst];
        let mut effects = Effects::default();
        if !self.dead.contains(inst) {
            match &data.op {
                Op::Load(m) => {
                    effects.reads.add(self.root(data.args[0]));
                    effects.ordered = m.volatile;
                }
                Op::LoadBits(b) => {
                    effects.reads.add(self.root(data.args[0]));
                    effects.ordered = b.volatile;
                }
                Op::Store(m) => {
                    effects.writes.add(self.root(data.args[0]));
                    effects.ordered = m.volatile;
                }
                Op::StoreBits(b) => {
                    effects.writes.add(self.root(data.args[0]));
                    effects.ordered = b.volatile;
                }
                Op::Zero(_) => effects.writes.add(self.root(data.args[0])),
                Op::Copy(_) => {
                    effects.writes.add(self.root(data.args[0]));
                    effects.reads.add(self.root(data.args[1]));
                }
                Op::Par(attr) => {
                    for &r in &data.regions {
                        for &i in &self.body.regions[r].insts {
                            effects.merge(&self.effects[i]);
                        }
                    }
                    for &a in &data.args {
                        let root = self.root(a);
                        effects.writes.add(root);
                        effects.reads.add(root);
                    }
                    if !matches!(attr.directive, Directive::Simd | Directive::Atomic(_)) {
                        effects.merge(&Effects::anything());
                    }
                }
                Op::Call(c) if self.pure_calls.contains(c.func) => {}
                op => match op.info().effect {
                    Effect::Call => effects = Effects::anything(),
                    Effect::Region => {
                        for &r in &data.regions {
                            for &i in &self.body.regions[r].insts {
                                effects.merge(&self.effects[i]);
                            }
                        }
                    }
                    _ => {}
                },
            }
            // Calls may touch objects whose addresses they were given, by name too.
            let pure = matches!(&data.op, Op::Call(c) if self.pure_calls.contains(c.func));
            if data.op.info().effect == Effect::Call && !pure {
                for &a in &data.args {
                    let root = self.root(a);
                    if root != Root::Unknown {
                        effects.writes.add(root);
                        effects.reads.add(root);
                    }
                }
            }
        }
        self.effects[inst] = effects;
    }

    pub fn effects(&self, inst: Inst) -> &Effects {
        &self.effects[inst]
    }

    fn overlap(&self, a: &Places, b: &Places) -> bool {
        if a.objects.iter().any(|o| b.objects.contains(o))
            || a.globals.iter().any(|g| b.globals.contains(g))
        {
            return true;
        }
        let exposed = |p: &Places| {
            p.unknown
                || !p.globals.is_empty()
                || p.objects.iter().any(|&o| self.escaping.contains(o))
        };
        (a.unknown && exposed(b)) || (b.unknown && exposed(a))
    }

    /// May the two not change places?
    pub fn conflict(&self, a: &Effects, b: &Effects) -> bool {
        (a.ordered && b.ordered)
            || self.overlap(&a.writes, &b.reads)
            || self.overlap(&a.reads, &b.writes)
            || self.overlap(&a.writes, &b.writes)
    }

    /// The instruction directly in `region` that is or contains `inst`.
    pub fn ancestor_in(&self, region: Region, mut inst: Inst) -> Option<Inst> {
        loop {
            let parent = self.body.insts[inst].parent;
            if parent == region {
                return Some(inst);
            }
            inst = self.body.regions[parent].parent?;
        }
    }
}
