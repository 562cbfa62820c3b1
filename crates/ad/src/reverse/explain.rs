//! The plan of a derivative in words: see `plan::report`.

use super::Reverse;
use super::caches::{self, Cache};
use super::needed::Key;
use crate::activity::root;
use crate::plan::polynomial::{Atom, Polynomial};
use crate::plan::report::{
    Active, ActiveKind, Cached, Increment, Layout, Recomputed, Report, Reread,
};
use adjoin_ir::ctype_print::CPrinter;
use adjoin_ir::{CTy, Inst, Op, Pred, Span, Step, Type, Value, ValueDef};
use std::collections::BTreeSet;

/// Expressions deeper than this are not spelled out.
const DEEPEST: usize = 5;

impl Reverse<'_> {
    /// Adds the plan to the session's, if it is asked for.
    pub(super) fn explain(&mut self, function: &str) {
        if self.session.explaining.is_some() {
            let report = self.report(function);
            self.session
                .explaining
                .iter_mut()
                .for_each(|all| all.push(report.clone()));
        }
    }

    /// What was decided, for the function of a name.
    fn report(&self, function: &str) -> Report {
        let mut report = Report {
            function: function.to_string(),
            span: self.span,
            active: self.active_things(),
            ..Report::default()
        };
        for (&key, cache) in &self.caches.all {
            if self.pushed.contains(&key) || !matches!(key, Key::Value(_) | Key::Shadow(_)) {
                report.cached.push(self.cached_entry(key, cache));
            }
        }
        for &key in &self.had_again {
            let Key::Value(v) = key else { continue };
            let Some(inst) = self.p.def_inst(v) else {
                continue;
            };
            let data = &self.p.insts[inst];
            let span = data.span;
            if let Some(store) = self.read_where_left(v) {
                report.reread.push(Reread {
                    value: self.path(self.p.insts[store].args[0]),
                    span: self.p.insts[store].span,
                    reason: "the program leaves it there".to_string(),
                });
                continue;
            }
            match data.op {
                Op::Load(_) | Op::LoadBits(_) => report.reread.push(Reread {
                    value: self.path(data.args[0]),
                    span,
                    reason: self.reread_reason(inst),
                }),
                Op::Const(_) | Op::Addr(_) | Op::GlobalAddr(_) | Op::FuncAddr(_) => {}
                _ => {
                    let value = match &self.p.values[v].name {
                        Some(name) => name.clone(),
                        None if !crate::activity::is_number(self.p.ty(v)) => continue,
                        None => self.expression(v, DEEPEST),
                    };
                    report.recomputed.push(Recomputed { value, span });
                }
            }
        }
        let loops = self.fused.loops.iter();
        report.fused = loops.map(|&l| self.p.insts[l].span).collect();
        report.fused.sort();
        report.cached.sort_by_key(|c| (c.span, c.name.clone()));
        report
            .reread
            .sort_by(|a, b| (a.span, &a.value).cmp(&(b.span, &b.value)));
        report.reread.dedup();
        report
            .recomputed
            .sort_by(|a, b| (a.span, &a.value).cmp(&(b.span, &b.value)));
        report.recomputed.dedup();
        for (inst, class) in self.increments.all() {
            let data = &self.p.insts[inst];
            let value = match data.op {
                Op::Load(_) => self.path(data.args[0]),
                Op::Copy(_) => self.path(data.args[1]),
                _ => crate::activity::callee(self.m, &data.op)
                    .unwrap_or("memory")
                    .to_string(),
            };
            report.increments.push(Increment {
                value,
                span: data.span,
                how: class.words(),
            });
        }
        report
            .increments
            .sort_by(|a, b| (a.span, &a.value, &a.how).cmp(&(b.span, &b.value, &b.how)));
        report.increments.dedup();
        report
    }

    fn type_name(&self, t: Option<CTy>, ty: Type) -> String {
        match (t, ty.default_basic()) {
            (Some(t), _) => CPrinter::new(&self.m.types).name(t),
            (None, Some(basic)) => basic.c_name().to_string(),
            (None, None) => "void *".to_string(),
        }
    }

    fn active_things(&self) -> Vec<Active> {
        let mut all: Vec<Active> = Vec::new();
        let mut seen: BTreeSet<(ActiveKind, String)> = BTreeSet::new();
        let mut add = |name: Option<String>, kind, ctype: String, span| {
            if let Some(name) = name
                && seen.insert((kind, name.clone()))
            {
                all.push(Active {
                    name,
                    kind,
                    ctype,
                    span,
                });
            }
        };
        let parameters = &self.p.regions[self.p.entry].args;
        for &v in parameters {
            let data = &self.p.values[v];
            if self.facts.varied.contains(v) || self.has_shadow(v) {
                let t = self.type_name(data.ctype, data.ty);
                add(data.name.clone(), ActiveKind::Parameter, t, self.span);
            }
        }
        for &g in self.globals.iter() {
            if Some(g) == self.session.registry.outside {
                let name = Some("what was set up before".to_string());
                add(name, ActiveKind::Heap, "memory".to_string(), self.span);
                continue;
            }
            let data = &self.m.globals[g];
            let t = self.type_name(Some(data.ctype), Type::Ptr);
            add(Some(data.name.clone()), ActiveKind::Global, t, data.span);
        }
        self.p.walk(|inst| {
            let data = &self.p.insts[inst];
            for &v in &data.results {
                let value = &self.p.values[v];
                match &data.op {
                    Op::Slot(attr) | Op::SlotVla(attr) if self.has_shadow(v) => {
                        let t = self.type_name(Some(attr.ctype), Type::Ptr);
                        add(attr.name.clone(), ActiveKind::Object, t, data.span);
                    }
                    Op::Call(_) if self.has_shadow(v) => {
                        let t = self.type_name(value.ctype, value.ty);
                        add(value.name.clone(), ActiveKind::Heap, t, data.span);
                    }
                    _ if self.facts.varied.contains(v) => {
                        let t = self.type_name(value.ctype, value.ty);
                        add(value.name.clone(), ActiveKind::Variable, t, data.span);
                    }
                    _ => {}
                }
            }
        });
        all
    }

    fn span_of(&self, key: Key) -> Span {
        match key {
            Key::Value(v) | Key::Shadow(v) => match self.p.values[v].def {
                ValueDef::Result(inst, _) => self.p.insts[inst].span,
                ValueDef::Arg(region, _) => self.p.regions[region]
                    .parent
                    .map_or(self.span, |i| self.p.insts[i].span),
            },
            Key::Count(inst)
            | Key::Code(inst)
            | Key::Back(inst)
            | Key::Ran(inst, _)
            | Key::Tape(inst)
            | Key::Team(inst)
            | Key::Frames(inst)
            | Key::Reached(inst)
            | Key::Ticket(inst)
            | Key::Room(inst)
            | Key::Old(inst) => self.p.insts[inst].span,
            Key::Kept(k) | Key::Start(k) => self.p.insts[self.kept[k as usize].point].span,
        }
    }

    fn cached_entry(&self, key: Key, cache: &Cache) -> Cached {
        let (reason, blocked_by) = self.cached_reason(key);
        let value = match key {
            Key::Value(v) => self.described(v),
            Key::Shadow(v) => format!("the shadow of {}", self.described(v)),
            Key::Count(_) => "how often the loop ran".to_string(),
            Key::Code(_) => "through which exit it was left".to_string(),
            Key::Back(_) => "how the iteration ended".to_string(),
            Key::Ran(..) => "whether the case ran".to_string(),
            Key::Tape(_) => "what the called function keeps".to_string(),
            Key::Team(_) => "how many threads ran the region".to_string(),
            Key::Frames(_) => "what the threads of the region keep".to_string(),
            Key::Reached(_) => "which places the threads of the region read".to_string(),
            Key::Ticket(_) => "when the thread's turn was".to_string(),
            Key::Room(_) => "how large the block was".to_string(),
            Key::Start(k) => format!("where the copy of {} begins", self.kept_path(k)),
            Key::Kept(k) => {
                format!("a copy of {}", self.kept_path(k))
            }
            Key::Old(store) => format!(
                "{} before it is overwritten",
                self.path(self.p.insts[store].args[0])
            ),
        };
        let (layout, elements) = match &cache.layout {
            caches::Layout::Variable => (Layout::Variable, "1".to_string()),
            caches::Layout::Indexed { loops, .. } => {
                let mut factors: Vec<String> = loops.iter().map(|&l| self.trips_text(l)).collect();
                if let Key::Kept(k) = key {
                    factors.push(self.kept_text(k));
                }
                (Layout::Indexed, factors.join(" * "))
            }
            caches::Layout::Rows { inner, .. } => (
                Layout::Growing,
                format!("{} for each run of the loop", self.trips_text(*inner)),
            ),
            caches::Layout::Copies { .. } => {
                let each = match key {
                    Key::Kept(k) => self.kept_text(k),
                    _ => "1".to_string(),
                };
                (Layout::Growing, format!("{each} for each copy"))
            }
            caches::Layout::Growing { .. } => {
                (Layout::Growing, "one each time it is computed".to_string())
            }
        };
        Cached {
            name: self.cache_name(key),
            value,
            span: self.span_of(key),
            reason,
            blocked_by: blocked_by.map(|i| self.p.insts[i].span),
            element: self.type_name(Some(cache.element), cache.stored),
            element_bytes: match key {
                Key::Kept(_) => self.m.types.size_of(cache.element).unwrap_or(8),
                _ => cache.stored.size(),
            },
            elements,
            layout,
            around: self.outermost_loop(self.home(key)),
        }
    }

    fn outermost_loop(&self, mut region: adjoin_ir::Region) -> Option<Span> {
        let mut outermost = None;
        while let Some(holder) = self.p.regions[region].parent {
            let data = &self.p.insts[holder];
            if matches!(data.op, Op::For(_) | Op::Loop) {
                outermost = Some(data.span);
            }
            region = data.parent;
        }
        outermost
    }

    fn cached_reason(&self, key: Key) -> (String, Option<Inst>) {
        let plain = |text: &str| (text.to_string(), None);
        let v = match key {
            Key::Value(v) | Key::Shadow(v) => v,
            Key::Count(_) => return plain("it is not known before the loop ends"),
            Key::Code(_) | Key::Back(_) | Key::Ran(..) => {
                return plain("the reverse sweep must go the same way back");
            }
            Key::Tape(_) => return plain("the reverse sweep of the called function needs it"),
            Key::Team(_) => return plain("the reverse sweep runs with as many threads"),
            Key::Frames(_) => return plain("each thread undoes what it did"),
            Key::Reached(_) => return plain("how threads add to shadows depends on it"),
            Key::Ticket(_) => return plain("the reverse sweep takes turns in the opposite order"),
            Key::Room(_) => return plain("the reverse sweep moves adjoints back to the old block"),
            Key::Start(_) => return plain("copies have not all the same length"),
            Key::Kept(_) => {
                return plain("the loops behind read it at many places before it is overwritten");
            }
            Key::Old(store) if self.rereads.outer.contains(&store) => {
                return plain(
                    "the reverse sweep puts it back, so that what was read before the store can be read again, and in the end what the function left",
                );
            }
            Key::Old(_) => {
                return plain(
                    "the reverse sweep puts it back, so that what was read before the store can be read again",
                );
            }
        };
        let ValueDef::Result(inst, _) = self.p.values[v].def else {
            return plain("a loop carries it from one iteration to the next");
        };
        let data = &self.p.insts[inst];
        match &data.op {
            Op::Load(_) | Op::LoadBits(_) => match self.rereads.blocker(inst) {
                Some(writer) if self.undoable.contains_key(&inst) => (
                    "storing it costs less than undoing the store that overwrites it".to_string(),
                    Some(writer),
                ),
                Some(writer) => (
                    "memory there may be overwritten afterwards".to_string(),
                    Some(writer),
                ),
                None if self.rereads.can(inst) => {
                    plain("storing it costs less than finding its address again")
                }
                None => plain("memory there may change at any time"),
            },
            Op::If | Op::Switch(_) | Op::Block => plain("it depends on the way that control took"),
            Op::For(_) | Op::Loop => plain("it is the result of a loop"),
            Op::Call(_) if self.recipe(key).is_none() => plain("it is the result of a call"),
            _ => plain("storing it costs less than computing it again"),
        }
    }

    fn reread_reason(&self, load: Inst) -> String {
        if self.rereads.can(load) {
            return "nothing that runs afterwards writes there".to_string();
        }
        if self.kept_loads.contains_key(&load) {
            return "from the copy that the forward sweep keeps".to_string();
        }
        let lines: BTreeSet<u32> = self
            .rereads
            .stores(load)
            .iter()
            .map(|&s| self.p.insts[s].span.line)
            .collect();
        let lines: Vec<String> = lines.iter().map(u32::to_string).collect();
        format!(
            "what the store in line {} overwrites is put back in the reverse sweep",
            lines.join(", ")
        )
    }

    /// The name of the array that a copy is of.
    pub(super) fn kept_path(&self, k: u32) -> String {
        let base = self.kept[k as usize].base;
        let path = self.path(base);
        let start = usize::from(path.starts_with('*'));
        let mut name = path[start..].to_string();
        for step in self.kept[k as usize].fields() {
            if let Step::Field { record, field, .. } = step
                && let Some(fields) = &self.m.types.records[*record].fields
                && let Some(member) = &fields[*field as usize].name
            {
                let pointer = name == path[start..] && self.p.def_inst(base).is_none();
                name.push_str(if pointer { "->" } else { "." });
                name.push_str(member);
            }
        }
        name
    }

    /// How many elements a copy has.
    fn kept_text(&self, k: u32) -> String {
        let kept = &self.kept[k as usize];
        let text = match kept.all_of() {
            Some((count, bytes)) if bytes == kept.element_size() => self.expression(count, DEEPEST),
            Some((bytes, _)) => format!(
                "{} / {}",
                self.expression(bytes, DEEPEST),
                kept.element_size()
            ),
            None => self.polynomial_text(&kept.count),
        };
        let simple = text.chars().all(|c| c.is_alphanumeric() || c == '_');
        if simple { text } else { format!("({text})") }
    }

    fn polynomial_text(&self, p: &Polynomial) -> String {
        let mut text = String::new();
        for (atoms, c) in p.terms() {
            let mut factors = Vec::new();
            if c.abs() != 1 || atoms.is_empty() {
                factors.push(c.abs().to_string());
            }
            for atom in atoms {
                match atom {
                    Atom::Value(v) => factors.push(self.expression(*v, DEEPEST)),
                    Atom::Last(l) => {
                        let counter = self.p.regions[self.p.insts[*l].regions[0]].args[0];
                        factors.push(format!("last {}", self.described(counter)));
                    }
                    Atom::Threads(_) => factors.push("threads".to_string()),
                    _ => {}
                }
            }
            text.push_str(match (text.is_empty(), c < 0) {
                (true, false) => "",
                (true, true) => "-",
                (false, false) => " + ",
                (false, true) => " - ",
            });
            text.push_str(&factors.join(" * "));
        }
        if text.is_empty() {
            "0".to_string()
        } else {
            text
        }
    }

    fn described(&self, v: Value) -> String {
        match &self.p.values[v].name {
            Some(name) => name.clone(),
            None => self.expression(v, DEEPEST),
        }
    }

    /// How often a loop runs, as a factor of a product.
    fn trips_text(&self, inst: Inst) -> String {
        if let Some(n) = self.constant_trips(inst) {
            return n.to_string();
        }
        let data = &self.p.insts[inst];
        let Op::For(attr) = &data.op else {
            return "?".to_string();
        };
        let (mut low, mut high) = (data.args[0], data.args[1]);
        if matches!(attr.pred, Pred::Gt | Pred::Ge) {
            std::mem::swap(&mut low, &mut high);
        }
        let mut text = self.expression(high, DEEPEST);
        if self.p.const_int(low) != Some(0) {
            text = format!("{text} - {}", self.expression(low, DEEPEST));
        }
        if matches!(attr.pred, Pred::Le | Pred::Ge) {
            text = format!("{text} + 1");
        }
        let simple = text.chars().all(|c| c.is_alphanumeric() || c == '_');
        if !simple {
            text = format!("({text})");
        }
        match self.p.const_int(data.args[2]) {
            Some(1 | -1) => text,
            _ => format!("{text} / {}", self.expression(data.args[2], DEEPEST)),
        }
    }

    /// A value as C, roughly: for people.
    fn expression(&self, v: Value, depth: usize) -> String {
        if let Some(n) = self.p.const_int(v) {
            return n.to_string();
        }
        if let Some(name) = &self.p.values[v].name {
            return name.clone();
        }
        let Some(inst) = self.p.def_inst(v).filter(|_| depth > 0) else {
            return "…".to_string();
        };
        let data = &self.p.insts[inst];
        let arg = |k: usize| self.expression(data.args[k], depth - 1);
        let infix = |sign: &str| {
            let side = |k: usize| {
                let text = arg(k);
                let weaker = matches!(sign, "*" | "/" | "%" | "-")
                    && (text.contains(" + ")
                        || text.contains(" - ")
                        || (k == 1 && text.contains(' ')));
                if weaker { format!("({text})") } else { text }
            };
            format!("{} {sign} {}", side(0), side(1))
        };
        match &data.op {
            Op::Add => infix("+"),
            Op::Sub => infix("-"),
            Op::Mul => infix("*"),
            Op::Div => infix("/"),
            Op::Rem => infix("%"),
            Op::Lt => infix("<"),
            Op::Le => infix("<="),
            Op::Gt => infix(">"),
            Op::Ge => infix(">="),
            Op::Eq => infix("=="),
            Op::Ne => infix("!="),
            Op::Neg => format!("-{}", arg(0)),
            Op::Cast => arg(0),
            Op::Load(_) | Op::LoadBits(_) => self.path(data.args[0]),
            Op::Select => format!("{} ? {} : {}", arg(0), arg(1), arg(2)),
            Op::Const(adjoin_ir::Const::Float { bits, .. }) => f64::from_bits(*bits).to_string(),
            Op::Call(attr) => {
                let args: Vec<String> = (0..data.args.len()).map(arg).collect();
                format!("{}({})", self.m.funcs[attr.func].name, args.join(", "))
            }
            op => format!("the result of '{}'", op.name()),
        }
    }

    /// What is at an address, as C.
    fn path(&self, address: Value) -> String {
        let base = root(&self.p, address);
        let name = match self.p.def_inst(base).map(|i| &self.p.insts[i].op) {
            Some(Op::Slot(attr) | Op::SlotVla(attr)) => attr.name.clone(),
            Some(Op::GlobalAddr(g)) => Some(self.m.globals[*g].name.clone()),
            _ => self.p.values[base].name.clone(),
        };
        let name = name.unwrap_or_else(|| match self.p.def_inst(base) {
            Some(i) if matches!(self.p.insts[i].op, Op::Load(_)) => {
                self.path(self.p.insts[i].args[0])
            }
            _ => "memory".to_string(),
        });
        let mut steps = Vec::new();
        let mut v = address;
        while let Some(inst) = self.p.def_inst(v).filter(|_| v != base) {
            let data = &self.p.insts[inst];
            if let Op::Addr(attr) = &data.op {
                let mut next = 1;
                let mut text = String::new();
                for step in &attr.steps {
                    match step {
                        Step::Index { .. } | Step::IndexDyn => {
                            let index = self.expression(data.args[next], DEEPEST);
                            text.push_str(&format!("[{index}]"));
                            next += if matches!(step, Step::IndexDyn) { 2 } else { 1 };
                        }
                        Step::Field { record, field, .. } => {
                            let fields = &self.m.types.records[*record].fields;
                            let name = fields
                                .as_ref()
                                .and_then(|f| f.get(*field as usize))
                                .and_then(|f| f.name.clone());
                            let sign = if text.is_empty() { "->" } else { "." };
                            text.push_str(&format!("{sign}{}", name.unwrap_or_default()));
                        }
                        Step::Bytes(_) => {}
                    }
                }
                steps.push(text);
            }
            v = data.args[0];
        }
        if steps.is_empty() {
            return format!("*{name}");
        }
        steps.reverse();
        format!("{name}{}", steps.concat())
    }
}
