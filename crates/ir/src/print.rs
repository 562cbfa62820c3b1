//! The printer of the text form (see [`text`](crate::text)).
//!
//! [`print_module`] takes a module whose ids are in range (a verified one, say). [`print_function`] and [`print_inst`] are also for
//! looking at broken bodies, as long as they are trees (invariants 6 and 7 of the verifier): what is missing comes out as `?`.

use crate::ctype::{CTypeKind, Enum, Field, Record, TagScope};
use crate::module::*;
use crate::op::{Effect, Op};
use crate::text::{Names, Words, is_word, quote};
use cranelift_entity::SecondaryMap;
use std::collections::HashMap;
use std::fmt;

/// Deeper nesting is not indented further: the text stays proportional to the module.
const MAX_INDENT: usize = 30;

/// The text of a module.
pub fn print_module(module: &Module) -> String {
    let module = module.canonical();
    let names = Names::new(&module);
    let mut out = Writer::new(&module, &names);
    out.items();
    out.out
}

/// The text of one function.
pub fn print_function(module: &Module, func: Func) -> String {
    let names = Names::new(module);
    let mut out = Writer::new(module, &names);
    out.function(func);
    out.out
}

/// The text of one instruction, values numbered as in the whole function, with `…` for its regions.
pub fn print_inst(module: &Module, func: Func, inst: Inst) -> String {
    let names = Names::new(module);
    let mut out = Writer::new(module, &names);
    if let Some(body) = &module.funcs[func].body {
        out.number(body);
        out.inst_head(body, inst);
        if !body.insts[inst].regions.is_empty() {
            out.push(" { … }");
        }
    }
    out.out
}

impl fmt::Display for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&print_module(self))
    }
}

impl Words for Linkage {
    const WORDS: &'static [(Self, &'static str)] = &[
        (Linkage::External, "external"),
        (Linkage::Static, "static"),
        (Linkage::StaticLocal, "static_local"),
        (Linkage::Literal, "literal"),
    ];
}

/// Writes the text form of a module's parts. Attributes are given one to write themselves.
#[derive(Debug)]
pub struct Writer<'a> {
    /// The module.
    pub module: &'a Module,
    pub(crate) names: &'a Names,
    out: String,
    /// One more than the number of each value of the current function; 0 for those that are not defined in it.
    values: SecondaryMap<Value, u32>,
    labels: HashMap<Inst, u32>,
}

/// The pieces that attributes use.
impl<'a> Writer<'a> {
    fn new(module: &'a Module, names: &'a Names) -> Self {
        Writer {
            module,
            names,
            out: String::new(),
            values: SecondaryMap::new(),
            labels: HashMap::new(),
        }
    }

    /// Text as it is.
    pub fn push(&mut self, s: &str) {
        self.out.push_str(s);
    }
    /// A space and a word (or number).
    pub fn word(&mut self, s: impl fmt::Display) {
        self.out.push_str(&format!(" {s}"));
    }
    /// A space and a quoted string.
    pub fn string(&mut self, s: &str) {
        self.out.push(' ');
        quote(s.as_bytes(), &mut self.out);
    }
    /// A word, quoted if it is not a plain one.
    pub fn name(&mut self, s: &str) {
        if is_word(s) {
            self.push(s)
        } else {
            quote(s.as_bytes(), &mut self.out)
        }
    }
    /// A value.
    pub fn value(&mut self, v: Option<&Value>) {
        match v.map_or(0, |&v| self.values[v]) {
            0 => self.push("v?"),
            n => self.push(&format!("v{}", n - 1)),
        }
    }
    /// A space and a list of values, unless it is empty.
    pub fn operands(&mut self, values: &[Value]) {
        for (k, v) in values.iter().enumerate() {
            self.push(if k == 0 { " " } else { ", " });
            self.value(Some(v));
        }
    }
    /// A record.
    pub fn record(&mut self, r: Record) {
        self.push(self.names.record(r));
    }
    /// A member of a record.
    pub fn member(&mut self, r: Record, field: u32) {
        let fields = self
            .module
            .types
            .records
            .get(r)
            .and_then(|r| r.fields.as_ref());
        match fields.and_then(|f| field_name(f, field)) {
            Some(name) => self.name(name),
            None => self.push(&format!("#{field}")),
        }
    }
    /// A global.
    pub fn global(&mut self, g: Global) {
        self.push(self.names.global(g));
    }
    /// A function.
    pub fn func(&mut self, f: Func) {
        self.push(self.names.func(f));
    }
    /// The label of an instruction.
    pub fn label(&mut self, inst: Inst) {
        match self.labels.get(&inst) {
            Some(n) => self.push(&format!("^L{n}")),
            None => self.push("^?"),
        }
    }
}

/// The name that finds a member again: the first of that name.
fn field_name(fields: &[Field], field: u32) -> Option<&str> {
    let name = fields.get(field as usize)?.name.as_deref()?;
    let first = fields.iter().position(|f| f.name.as_deref() == Some(name));
    (first == Some(field as usize)).then_some(name)
}

/// The items of a module.
impl Writer<'_> {
    fn items(&mut self) {
        let module = self.module;
        for name in &module.files {
            self.push("file");
            self.string(name);
            self.push("\n");
        }
        for (t, kind) in module.types.all() {
            if let CTypeKind::Typedef { target, .. } = kind {
                self.push("typedef ");
                self.push(self.names.typedef(t));
                self.push(" = ");
                self.ctype(*target);
                self.push("\n");
            }
        }
        for (e, _) in &module.types.enums {
            self.enumeration_item(e);
        }
        for (r, _) in &module.types.records {
            self.record_item(r);
        }
        for (g, _) in &module.globals {
            self.global_item(g);
        }
        for (f, _) in &module.funcs {
            self.function(f);
        }
        for (&span, how) in &module.checkpoints {
            self.push("checkpoint");
            self.string(&how.to_string());
            self.span(span);
            self.push("\n");
        }
    }

    fn tag_flags(&mut self, scope: TagScope, typedef_name: Option<&str>) {
        if scope == TagScope::Block {
            self.word("block");
        }
        if let Some(name) = typedef_name {
            self.word("named");
            self.string(name);
        }
    }

    fn enumeration_item(&mut self, e: Enum) {
        let data = &self.module.types.enums[e];
        self.push(self.names.enumeration(e));
        self.push(": ");
        self.push(data.underlying.c_name());
        self.tag_flags(data.scope, data.typedef_name.as_deref());
        if !data.complete {
            self.word("incomplete");
        }
        self.push(" {\n");
        for (name, value) in &data.constants {
            self.push("  ");
            self.name(name);
            self.push(&format!(" = {value}\n"));
        }
        self.push("}\n");
    }

    fn record_item(&mut self, r: Record) {
        let data = &self.module.types.records[r];
        self.record(r);
        self.push(&format!(" size {} align {}", data.size, data.align));
        if data.packed {
            self.word("packed");
        }
        self.tag_flags(data.scope, data.typedef_name.as_deref());
        let Some(fields) = &data.fields else {
            return self.push(" incomplete\n");
        };
        self.push(" {\n");
        for field in fields {
            self.push(&format!("  +{}", field.offset));
            if let Some(name) = &field.name {
                self.push(" ");
                self.name(name);
            }
            self.push(": ");
            self.ctype(field.ty);
            if let Some((first, width)) = field.bits {
                self.push(&format!(" bits {first}:{width}"));
            }
            self.push("\n");
        }
        self.push("}\n");
    }

    fn global_item(&mut self, g: Global) {
        let data = &self.module.globals[g];
        self.push("global ");
        self.global(g);
        self.push(": ");
        self.ctype(data.ctype);
        if data.linkage != Linkage::External {
            self.word(data.linkage.word());
        }
        if let Some(owner) = data.owner {
            self.word("owner ");
            self.func(owner);
        }
        if data.thread_local {
            self.word("thread_local");
        }
        if data.align != 0 {
            self.word(format_args!("align {}", data.align));
        }
        if let Some(init) = &data.init {
            self.init(init);
        }
        self.span(data.span);
        self.push("\n");
    }

    fn init(&mut self, init: &Init) {
        self.push(" =");
        let readable = |b: &u8| matches!(b, b' '..=b'~' | b'\n' | b'\t' | 0);
        if init.bytes.iter().all(readable) && !init.bytes.iter().all(|&b| b == 0) {
            self.word("bytes ");
            quote(&init.bytes, &mut self.out);
        } else {
            self.word("hex");
            for line in init.bytes.chunks(32) {
                self.push(if init.bytes.len() > 32 {
                    "\n  \""
                } else {
                    " \""
                });
                for (k, byte) in line.iter().enumerate() {
                    let space = if k > 0 && k % 4 == 0 { " " } else { "" };
                    self.push(&format!("{space}{byte:02x}"));
                }
                self.push("\"");
            }
        }
        for reloc in &init.relocs {
            self.word(format_args!("reloc {} ", reloc.offset));
            match reloc.target {
                RelocTarget::Global(g) => self.global(g),
                RelocTarget::Func(f) => self.func(f),
            }
            if reloc.addend != 0 {
                self.push(&format!(" + {}", reloc.addend));
            }
        }
    }
}

/// Functions.
impl Writer<'_> {
    fn function(&mut self, f: Func) {
        let data = &self.module.funcs[f];
        self.push("func ");
        self.func(f);
        self.push("(");
        for (k, name) in data.param_names.iter().enumerate() {
            self.push(if k > 0 { ", " } else { "" });
            match name {
                Some(s) if s == "_" => self.push("\"_\""),
                Some(s) => self.name(s),
                None => self.push("_"),
            }
        }
        self.push("): ");
        self.ctype(data.ctype);
        if data.linkage != Linkage::External {
            self.word(data.linkage.word());
        }
        if data.inline {
            self.word("inline");
        }
        if data.noreturn {
            self.word("noreturn");
        }
        self.span(data.span);
        self.push("\n");
        if let Some(body) = &data.body {
            self.number(body);
            self.body(body);
        }
    }

    /// Numbers the values and labels of a body in program order.
    fn number(&mut self, body: &Body) {
        self.values.clear();
        self.labels.clear();
        let mut targets = HashMap::new();
        body.walk(|i| {
            if let Some(target) = body.insts[i].op.target() {
                targets.insert(target, ());
            }
        });
        let mut next = 0;
        let mut define = |values: &mut SecondaryMap<Value, u32>, list: &[Value]| {
            for &v in list {
                next += 1;
                values[v] = next;
            }
        };
        define(&mut self.values, &body.regions[body.entry].args);
        let mut stack = vec![(body.entry, 0)];
        while let Some((region, k)) = stack.pop() {
            if k == 0 && region != body.entry {
                define(&mut self.values, &body.regions[region].args);
            }
            let Some(&inst) = body.regions[region].insts.get(k) else {
                continue;
            };
            let data = &body.insts[inst];
            if targets.contains_key(&inst) && data.op.info().effect == Effect::Region {
                let label = self.labels.len() as u32;
                self.labels.insert(inst, label);
            }
            define(&mut self.values, &data.results);
            stack.push((region, k + 1));
            stack.extend(data.regions.iter().rev().map(|&r| (r, 0)));
        }
    }

    fn body(&mut self, body: &Body) {
        // Regions that are open: the region, the next instruction, and which region of its holder it is.
        let mut stack: Vec<(Region, usize, usize)> = Vec::new();
        let entry_args = &body.regions[body.entry].args;
        if !entry_args.is_empty() {
            self.definitions(body, entry_args, true);
            self.push(" ");
        }
        self.push("{\n");
        stack.push((body.entry, 0, 0));
        while let Some((region, k, index)) = stack.pop() {
            if let Some(&inst) = body.regions[region].insts.get(k) {
                stack.push((region, k + 1, index));
                self.indent(stack.len());
                self.inst_head(body, inst);
                match body.insts[inst].regions.first() {
                    Some(&first) => {
                        self.region_head(body, inst, 0);
                        stack.push((first, 0, 0));
                    }
                    None => self.inst_end(body, inst),
                }
                continue;
            }
            self.indent(stack.len());
            self.push("}");
            match body.regions[region].parent {
                Some(holder) if !stack.is_empty() => {
                    match body.insts[holder].regions.get(index + 1) {
                        Some(&next) => {
                            self.region_head(body, holder, index + 1);
                            stack.push((next, 0, index + 1));
                        }
                        None => self.inst_end(body, holder),
                    }
                }
                _ => self.push("\n"),
            }
        }
    }

    fn indent(&mut self, depth: usize) {
        for _ in 0..depth.min(MAX_INDENT) {
            self.push("  ");
        }
    }

    /// The instruction up to its regions.
    fn inst_head(&mut self, body: &Body, inst: Inst) {
        let data = &body.insts[inst];
        if !data.results.is_empty() {
            self.definitions(body, &data.results, false);
            self.push(" = ");
        }
        self.push(data.op.name());
        if self.labels.contains_key(&inst) {
            self.push(" ");
            self.label(inst);
        }
        data.op.print_attr(self, &data.args);
    }

    fn inst_end(&mut self, body: &Body, inst: Inst) {
        self.span(body.insts[inst].span);
        self.push("\n");
    }

    /// What comes before the instructions of a region.
    fn region_head(&mut self, body: &Body, inst: Inst, index: usize) {
        let data = &body.insts[inst];
        match &data.op {
            Op::If if index > 0 => self.push(" else"),
            Op::Switch(attr) => {
                if index == 0 {
                    self.push("\n");
                    let depth = self.depth_of(body, inst);
                    self.indent(depth);
                } else {
                    self.push(" ");
                }
                match attr.cases.get(index) {
                    Some(case) => self.case(case),
                    None => self.push("case ?"),
                }
            }
            _ => {}
        }
        let args = &body.regions[data.regions[index]].args;
        if !args.is_empty() {
            self.push(" ");
            self.definitions(body, args, true);
        }
        self.push(" {\n");
    }

    fn depth_of(&self, body: &Body, inst: Inst) -> usize {
        let mut depth = 1;
        let mut region = body.insts[inst].parent;
        while let Some(parent) = body.parent_region(region) {
            region = parent;
            depth += 1;
            if depth > MAX_INDENT {
                break;
            }
        }
        depth
    }

    fn case(&mut self, case: &crate::attr::Case) {
        if case.values.is_empty() && case.default {
            return self.push("default");
        }
        self.push("case");
        for (k, (low, high)) in case.values.iter().enumerate() {
            self.push(if k > 0 { ", " } else { " " });
            self.push(&if low == high {
                format!("{low}")
            } else {
                format!("{low}..{high}")
            });
        }
        if case.default {
            self.push(", default");
        }
    }

    fn definitions(&mut self, body: &Body, values: &[Value], parentheses: bool) {
        self.push(if parentheses { "(" } else { "" });
        for (k, v) in values.iter().enumerate() {
            self.push(if k > 0 { ", " } else { "" });
            self.value(Some(v));
            let Some(data) = body.values.get(*v) else {
                continue;
            };
            if let Some(name) = &data.name {
                self.string(name);
            }
            self.push(": ");
            self.push(data.ty.name());
            if let Some(t) = data.ctype {
                self.push(" as ");
                self.ctype(t);
            }
        }
        self.push(if parentheses { ")" } else { "" });
    }

    fn span(&mut self, span: Span) {
        if span != Span::default() {
            self.push(&format!(" !{}:{}:{}", span.file, span.line, span.col));
        }
    }
}
