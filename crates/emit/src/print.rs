//! The tree as text: precedence, statements, and the C form of exits.

use crate::ast::{
    BinaryOp, Expr, ExprKind, InitItem, Initial, JumpKind, LoopHead, Piece, Stmt, StmtKind,
    UnaryOp, Var, VarData, body_diverges,
};
use crate::consts::integer_text;
use crate::decl::Declarer;
use crate::writer::Writer;
use adjoin_ir::{Basic, CTy, Inst};
use cranelift_entity::PrimaryMap;
use std::collections::{BTreeMap, BTreeSet};

/// In front of a loop whose iterations may run in lanes.
pub(crate) const IN_LANES: [&str; 2] = [
    "#pragma clang loop vectorize(assume_safety) interleave_count(1)",
    "#pragma GCC ivdep",
];

/// In front of a loop that lanes would slow down.
pub(crate) const IN_TURN: &str = "#pragma clang loop vectorize(disable)";

/// What `break` and `continue` could mean.
#[derive(Clone, Copy)]
enum Context {
    Loop(Inst),
    Switch(Inst),
}

pub(crate) struct Printer<'a, 'w> {
    pub vars: &'a PrimaryMap<Var, VarData>,
    pub declarer: Declarer<'a>,
    pub writer: &'w mut Writer<'a>,
    contexts: Vec<Context>,
    labels: BTreeMap<(Inst, u8), String>,
    used_labels: BTreeSet<String>,
}

const UNARY: u8 = 14;
const POSTFIX: u8 = 15;
const COND: u8 = 2;

fn precedence(op: BinaryOp) -> u8 {
    use BinaryOp::*;
    match op {
        Mul | Div | Rem => 12,
        Add | Sub => 11,
        Shl | Shr => 10,
        Lt | Gt | Le | Ge => 9,
        Eq | Ne => 8,
        And => 7,
        Xor => 6,
        Or => 5,
        LogAnd => 4,
        LogOr => 3,
    }
}

/// What a type is called that may be another's memory.
fn pun_name(name: &str) -> String {
    let word: String = (name.chars())
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    format!("adjoin_any_{word}")
}

impl<'a, 'w> Printer<'a, 'w> {
    pub fn new(
        vars: &'a PrimaryMap<Var, VarData>,
        declarer: Declarer<'a>,
        writer: &'w mut Writer<'a>,
    ) -> Self {
        Printer {
            vars,
            declarer,
            writer,
            contexts: Vec::new(),
            labels: BTreeMap::new(),
            used_labels: BTreeSet::new(),
        }
    }

    /// An expression with parentheses if it binds less than `level`.
    fn expr(&self, e: &Expr, level: u8) -> String {
        let (text, own) = self.render(e);
        if own < level {
            format!("({text})")
        } else {
            text
        }
    }

    fn render(&self, e: &Expr) -> (String, u8) {
        match &e.kind {
            ExprKind::Var(v) => (self.vars[*v].name.clone(), 16),
            ExprKind::Name(n) | ExprKind::Literal(n) => (n.clone(), 16),
            ExprKind::Int(n, b) => {
                let (text, negative) = integer_text(*n, *b);
                (text, if negative { UNARY } else { 16 })
            }
            ExprKind::TypeName => (self.declarer.type_name(e.ty), 16),
            ExprKind::Zero => (format!("({}){{0}}", self.declarer.type_name(e.ty)), POSTFIX),
            ExprKind::Unary(op, inner) => (self.unary(*op, inner), UNARY),
            ExprKind::Binary(op, a, b) => (self.binary(*op, a, b), precedence(*op)),
            ExprKind::Cast(inner) => {
                let text = self.expr(inner, UNARY);
                (format!("({}){text}", self.declarer.type_name(e.ty)), UNARY)
            }
            ExprKind::Call(f, args) => {
                let args: Vec<String> = args.iter().map(|a| self.expr(a, 1)).collect();
                (
                    format!("{}({})", self.expr(f, POSTFIX), args.join(", ")),
                    POSTFIX,
                )
            }
            ExprKind::Index(a, i) => {
                let base = match self.punned(a) {
                    Some(text) => format!("({text})"),
                    None => self.expr(a, POSTFIX),
                };
                (format!("{base}[{}]", self.expr(i, 0)), POSTFIX)
            }
            ExprKind::Member(a, name) => (format!("{}.{name}", self.expr(a, POSTFIX)), POSTFIX),
            ExprKind::Arrow(a, name) => (format!("{}->{name}", self.expr(a, POSTFIX)), POSTFIX),
            ExprKind::Cond(c, a, b) => {
                let c = self.expr(c, COND + 1);
                let a = self.expr(a, COND + 1);
                let b = self.expr(b, COND);
                (format!("{c} ? {a} : {b}"), COND)
            }
        }
    }

    /// A pointer to a number of one type, for an access as another.
    fn punned(&self, pointer: &Expr) -> Option<String> {
        let (to, inner) = self.pun(pointer)?;
        let name = pun_name(&self.declarer.type_name(to));
        Some(format!("({name} *){}", self.expr(inner, UNARY)))
    }

    /// The type that a cast pointer is accessed as, where memory has another: compilers take such accesses for independent unless told.
    fn pun<'e>(&self, pointer: &'e Expr) -> Option<(CTy, &'e Expr)> {
        let ExprKind::Cast(inner) = &pointer.kind else {
            return None;
        };
        let types = self.declarer.types;
        let to = types.pointee(pointer.ty)?;
        let from = types.pointee(inner.ty);
        let from = from.or_else(|| types.array_element(inner.ty))?;
        let (number, other) = (types.arithmetic(to)?, types.arithmetic(from));
        let bytes = |t| types.value_type(t).is_some_and(|t| t.size() == 1);
        let differs = match other {
            // A variable of bytes is one to compilers, whatever is put there.
            Some(_) if bytes(from) => self.is_variable(inner),
            Some(other) => number != other && !other.is_complex(),
            None => types.is_pointer(from) || !self.may_hold(from, number),
        };
        (differs && !bytes(to)).then_some((to, &**inner))
    }

    /// May a type have numbers of another one in it, as far as its declaration says?
    fn may_hold(&self, t: CTy, number: Basic) -> bool {
        let types = self.declarer.types;
        if let Some(element) = types.array_element(t).or_else(|| types.vector_element(t)) {
            return self.may_hold(element, number);
        }
        if let Some(own) = types.arithmetic(t) {
            return own == number || own.is_complex();
        }
        match types.record_of(t).and_then(|r| types.record(r).fields) {
            Some(fields) => fields.iter().any(|f| self.may_hold(f.ty, number)),
            // Functions, nothing, and what is only declared.
            None => !types.is_pointer(t),
        }
    }

    /// Does a pointer lead into an array that is declared, as a variable or as a member?
    fn is_variable(&self, pointer: &Expr) -> bool {
        let types = self.declarer.types;
        let is_array = |t: CTy| types.array_element(t).is_some();
        match &pointer.kind {
            ExprKind::Var(v) => is_array(self.vars[*v].ty),
            ExprKind::Unary(UnaryOp::AddrOf, e) | ExprKind::Cast(e) => self.is_variable(e),
            ExprKind::Binary(_, e, _) | ExprKind::Index(e, _) => self.is_variable(e),
            ExprKind::Member(of, name) | ExprKind::Arrow(of, name) => {
                let holder = types.pointee(of.ty).unwrap_or(of.ty);
                let record = types.record_of(holder).map(|r| types.record(r));
                let fields = record.and_then(|r| r.fields).unwrap_or_default();
                (fields.iter()).any(|f| f.name.as_deref() == Some(name) && is_array(f.ty))
            }
            _ => false,
        }
    }

    /// Declares the types for accesses to memory of another type.
    pub fn declare_puns(&mut self, body: &[Stmt]) {
        let mut names = BTreeSet::new();
        self.find_puns(body, &mut names);
        for name in names {
            let alias = pun_name(&name);
            self.writer.line(&format!(
                "typedef {name} {alias} __attribute__((__may_alias__));"
            ));
        }
    }

    fn find_puns(&self, body: &[Stmt], names: &mut BTreeSet<String>) {
        for s in body {
            s.each_expr(&mut |e| self.find_puns_in(e, names));
            for b in s.bodies() {
                self.find_puns(b, names);
            }
        }
    }

    fn find_puns_in(&self, e: &Expr, names: &mut BTreeSet<String>) {
        if let ExprKind::Index(p, _) | ExprKind::Unary(UnaryOp::Deref, p) = &e.kind
            && let Some((to, _)) = self.pun(p)
        {
            names.insert(self.declarer.type_name(to));
        }
        for child in e.children() {
            self.find_puns_in(child, names);
        }
    }

    fn unary(&self, op: UnaryOp, inner: &Expr) -> String {
        let punned = (op == UnaryOp::Deref).then(|| self.punned(inner)).flatten();
        let text = punned.unwrap_or_else(|| self.expr(inner, UNARY));
        let sign = match op {
            UnaryOp::Neg => "-",
            UnaryOp::BitNot => "~",
            UnaryOp::LogNot => "!",
            UnaryOp::Deref => "*",
            UnaryOp::AddrOf => "&",
            UnaryOp::Real => "__real__ ",
            UnaryOp::Imag => "__imag__ ",
            UnaryOp::Extension => "__extension__ ",
        };
        if (op == UnaryOp::Neg && text.starts_with('-'))
            || (op == UnaryOp::AddrOf && text.starts_with('&'))
        {
            return format!("{sign}({text})");
        }
        format!("{sign}{text}")
    }

    fn binary(&self, op: BinaryOp, a: &Expr, b: &Expr) -> String {
        let own = precedence(op);
        let left = self.operand(op, a, own);
        let right = self.operand(op, b, own + 1);
        format!("{left} {} {right}", op.text())
    }

    /// An operand, with the parentheses that C needs and those that readers and compilers ask for.
    fn operand(&self, parent: BinaryOp, e: &Expr, level: u8) -> String {
        use BinaryOp::*;
        let asked = match (&e.kind, parent) {
            (ExprKind::Binary(LogAnd, ..), LogOr) => true,
            (ExprKind::Binary(child, ..), And | Or | Xor) => *child != parent,
            (ExprKind::Binary(..), Shl | Shr) => true,
            (ExprKind::Binary(child, ..), p) if p.is_comparison() => {
                child.is_comparison() || matches!(child, And | Or | Xor)
            }
            (ExprKind::Binary(Rem, ..), Mul | Div) => true,
            (ExprKind::Unary(UnaryOp::LogNot, _), p) => {
                p.is_comparison() || matches!(p, And | Or | Xor)
            }
            _ => false,
        };
        if asked {
            format!("({})", self.expr(e, 0))
        } else {
            self.expr(e, level)
        }
    }

    /// The statements of a body.
    pub fn body(&mut self, body: &[Stmt]) {
        for s in body {
            self.stmt(s);
        }
    }

    /// A statement without control flow, and without its semicolon.
    fn simple(&self, s: &Stmt) -> Option<String> {
        Some(match &s.kind {
            StmtKind::Expr(e) => self.expr(e, 0),
            StmtKind::Assign(a, b) => format!("{} = {}", self.expr(a, UNARY), self.expr(b, COND)),
            StmtKind::Update(op, a, b) => format!(
                "{} {}= {}",
                self.expr(a, UNARY),
                op.text(),
                self.expr(b, COND)
            ),
            StmtKind::Bump(up, e) => {
                let sign = if *up { "++" } else { "--" };
                let text = self.expr(e, POSTFIX);
                format!("{text}{sign}")
            }
            StmtKind::Return(None) => "return".into(),
            StmtKind::Return(Some(e)) => format!("return {}", self.expr(e, 0)),
            StmtKind::Unreachable => "__builtin_unreachable()".into(),
            _ => return None,
        })
    }

    fn declaration(&self, v: Var, initial: &Initial) -> String {
        let data = &self.vars[v];
        let mut text = match initial {
            Initial::Length(n) => {
                let elem = self
                    .declarer
                    .types
                    .array_element(data.ty)
                    .unwrap_or(data.ty);
                let length = self.expr(n, 0);
                self.declarer.declare_vla(elem, &data.name, &length)
            }
            _ => self.declarer.declare(data.ty, &data.name),
        };
        if data.align > 0 {
            text.insert_str(0, &format!("_Alignas({}) ", data.align));
        }
        if self.declarer.is_extension(data.ty) {
            text.insert_str(0, "__extension__ ");
        }
        match initial {
            Initial::None | Initial::Length(_) => {}
            Initial::Zero => text.push_str(" = {0}"),
            Initial::List(list) => text.push_str(&format!(" = {}", self.init_list(list))),
            Initial::Value(e) => text.push_str(&format!(" = {}", self.expr(e, COND))),
        }
        text
    }

    fn init_list(&self, list: &[InitItem]) -> String {
        if list.is_empty() {
            return "{0}".into();
        }
        let parts: Vec<String> = list
            .iter()
            .map(|item| {
                let value = match &item.value {
                    Ok(e) => self.expr(e, COND),
                    Err(inner) => self.init_list(inner),
                };
                match &item.designator {
                    Some(d) => format!("{d} = {value}"),
                    None => value,
                }
            })
            .collect();
        format!("{{{}}}", parts.join(", "))
    }

    fn jump(&mut self, kind: JumpKind, target: Inst) -> String {
        match kind {
            JumpKind::Break => match self.contexts.last() {
                Some(Context::Loop(id) | Context::Switch(id)) if *id == target => {
                    return "break".into();
                }
                _ => {}
            },
            JumpKind::Continue => {
                let inner = self.contexts.iter().rev().find_map(|c| match c {
                    Context::Loop(id) => Some(*id),
                    Context::Switch(_) => None,
                });
                if inner == Some(target) {
                    return "continue".into();
                }
            }
            JumpKind::Fallthrough => {}
        }
        format!("goto {}", self.label(kind, target))
    }

    fn label(&mut self, kind: JumpKind, target: Inst) -> String {
        if let Some(name) = self.labels.get(&(target, kind as u8)) {
            return name.clone();
        }
        let word = match kind {
            JumpKind::Break => "done",
            JumpKind::Continue => "next",
            JumpKind::Fallthrough => "next_case",
        };
        let mut name = word.to_string();
        let mut n = 1;
        while !self.used_labels.insert(name.clone()) {
            name = format!("{word}_{n}");
            n += 1;
        }
        self.labels.insert((target, kind as u8), name.clone());
        name
    }

    /// The label of a place that some jump needs.
    fn place_label(&mut self, kind: JumpKind, target: Inst) {
        if let Some(name) = self.labels.remove(&(target, kind as u8)) {
            self.writer.line(&format!("{name}:;"));
        }
    }

    fn stmt(&mut self, s: &Stmt) {
        self.writer.mark(s.span);
        if let Some(text) = self.simple(s) {
            self.writer.line(&format!("{text};"));
            return;
        }
        match &s.kind {
            StmtKind::Decl(v, initial) => {
                let text = self.declaration(*v, initial);
                self.writer.line(&format!("{text};"));
            }
            StmtKind::Copies(list) => {
                for (v, e) in list {
                    let text = format!("{} = {};", self.vars[*v].name, self.expr(e, COND));
                    self.writer.line(&text);
                }
            }
            StmtKind::Jump(kind, target) => {
                let text = self.jump(*kind, *target);
                self.writer.line(&format!("{text};"));
            }
            StmtKind::If(c, a, b) => self.if_stmt(c, a, b, s, ""),
            StmtKind::Loop { id, head, body } => self.loop_stmt(*id, head, body, s),
            StmtKind::Block { id, body } => {
                let vla = body
                    .iter()
                    .any(|s| matches!(s.kind, StmtKind::Decl(_, Initial::Length(_))));
                if vla {
                    self.writer.line("{");
                    self.writer.indent();
                }
                self.body(body);
                if vla {
                    self.writer.dedent();
                    self.writer.line("}");
                }
                self.place_label(JumpKind::Break, *id);
            }
            StmtKind::Switch { .. } => self.switch_stmt(s),
            StmtKind::Pragma {
                pieces, body, bare, ..
            } => self.pragma(pieces, body.as_deref(), *bare),
            _ => {}
        }
    }

    /// A body after a header: one plain statement goes without braces.
    fn short(&mut self, body: &[Stmt]) -> Option<String> {
        let [s] = body else { return None };
        if let StmtKind::Jump(kind, target) = s.kind {
            return Some(self.jump(kind, target));
        }
        self.simple(s)
    }

    fn if_stmt(&mut self, c: &Expr, a: &[Stmt], b: &[Stmt], s: &Stmt, lead: &str) {
        let head = format!("{lead}if ({})", self.expr(c, 0));
        let comment = String::new();
        let _ = s;
        if b.is_empty() {
            if let Some(text) = self.short(a) {
                let exits = body_diverges(a);
                if exits && lead.is_empty() && head.len() + text.len() < 72 {
                    self.writer.line(&format!("{head} {text};"));
                    return;
                }
                if lead.is_empty() {
                    self.writer.line(&format!("{head}{comment}"));
                    self.indented(&text, a[0].span);
                    return;
                }
            }
        } else if lead.is_empty() {
            if let (Some(x), Some(y)) = (self.short(a), self.short(b)) {
                self.writer.line(&format!("{head}{comment}"));
                self.indented(&x, a[0].span);
                self.writer.line("else");
                self.indented(&y, b[0].span);
                return;
            }
        }
        self.writer.line(&format!("{head} {{{comment}"));
        self.inner(a);
        match b {
            [] => self.writer.line("}"),
            [only] if matches!(only.kind, StmtKind::If(..)) => {
                if let StmtKind::If(c, x, y) = &only.kind {
                    self.if_stmt(c, x, y, only, "} else ");
                }
            }
            _ => {
                self.writer.line("} else {");
                self.inner(b);
                self.writer.line("}");
            }
        }
    }

    fn indented(&mut self, text: &str, span: adjoin_ir::Span) {
        self.writer.indent();
        self.writer.mark(span);
        self.writer.line(&format!("{text};"));
        self.writer.dedent();
    }

    fn inner(&mut self, body: &[Stmt]) {
        self.writer.indent();
        self.body(body);
        self.writer.dedent();
    }

    /// Each compiler has its own word for loops in lanes, and ignores the other's.
    fn in_lanes(&mut self, starts: bool, lanes: Option<u32>, body: &[Stmt]) {
        match lanes {
            Some(n) => (self.writer).raw(&format!("{} vectorize_width({n})", IN_LANES[0])),
            None => self.writer.raw(IN_LANES[0]),
        }
        let sums = crate::sums::of(body);
        // A loop without a first part is none to OpenMP.
        let said = self.writer.says_sums() && starts;
        if sums.is_empty() {
            self.writer.raw(IN_LANES[1]);
        } else if said {
            let names: Vec<&str> = sums.iter().map(|&v| self.vars[v].name.as_str()).collect();
            let line = format!("#pragma omp simd reduction(+:{})", names.join(", "));
            self.writer.raw(&line);
        }
        // Where gcc is not told what is a sum, it adds up one lane after the other, which costs more than lanes gain.
    }

    fn loop_stmt(&mut self, id: Inst, head: &LoopHead, body: &[Stmt], s: &Stmt) {
        let header = match head {
            LoopHead::Forever => "for (;;)".to_string(),
            LoopHead::While(c) => format!("while ({})", self.expr(c, 0)),
            LoopHead::DoWhile(_) => "do".to_string(),
            LoopHead::For {
                init,
                cond,
                step,
                independent,
                lanes,
                in_turn,
            } => {
                if *in_turn {
                    self.writer.raw(IN_TURN);
                }
                if *independent {
                    self.in_lanes(init.is_some(), *lanes, body);
                }
                let init = init
                    .as_ref()
                    .map(|s| self.header_part(s))
                    .unwrap_or_default();
                let step = step
                    .as_ref()
                    .map(|s| format!(" {}", self.header_part(s)))
                    .unwrap_or_default();
                format!("for ({init}; {};{step})", self.expr(cond, 0))
            }
        };
        let comment = self.writer.comment(s.span);
        self.contexts.push(Context::Loop(id));
        let plain = !matches!(head, LoopHead::DoWhile(_));
        let short = if plain { self.short(body) } else { None };
        match short {
            Some(text) => {
                self.writer.line(&format!("{header}{comment}"));
                self.indented(&text, body[0].span);
            }
            None => {
                self.writer.line(&format!("{header} {{{comment}"));
                self.inner(body);
                self.writer.indent();
                self.place_label(JumpKind::Continue, id);
                self.writer.dedent();
                match head {
                    LoopHead::DoWhile(c) => {
                        let text = format!("}} while ({});", self.expr(c, 0));
                        self.writer.line(&text);
                    }
                    _ => self.writer.line("}"),
                }
            }
        }
        self.contexts.pop();
        self.place_label(JumpKind::Break, id);
    }

    fn header_part(&self, s: &Stmt) -> String {
        match &s.kind {
            StmtKind::Decl(v, initial) => self.declaration(*v, initial),
            _ => self.simple(s).unwrap_or_default(),
        }
    }

    fn switch_stmt(&mut self, s: &Stmt) {
        let StmtKind::Switch { id, value, arms } = &s.kind else {
            return;
        };
        let id = *id;
        let comment = self.writer.comment(s.span);
        let text = format!("switch ({}) {{{comment}", self.expr(value, 0));
        self.writer.line(&text);
        self.contexts.push(Context::Switch(id));
        for (k, arm) in arms.iter().enumerate() {
            let last = k + 1 == arms.len();
            let mut heads = Vec::new();
            for &(low, high) in &arm.values {
                // Ranges are an extension; short ones are spelt out.
                if high - low < 64 {
                    heads.extend((low..=high).map(|n| format!("case {}:", case_text(n))));
                } else {
                    heads.push(format!("case {} ... {}:", case_text(low), case_text(high)));
                }
            }
            if arm.default {
                heads.push("default:".into());
            }
            let falls = matches!(arm.body.as_slice(), [s] if matches!(s.kind,
                StmtKind::Jump(JumpKind::Fallthrough, t) if t == id));
            let declares = arm
                .body
                .iter()
                .any(|s| matches!(s.kind, StmtKind::Decl(..)))
                || arm.body.iter().any(|s| {
                    matches!(&s.kind, StmtKind::Block { body, .. }
                    if body.iter().any(|s| matches!(s.kind, StmtKind::Decl(..))))
                });
            // A directive that stands alone must be in a compound statement of its own.
            let directive = (arm.body.first())
                .is_some_and(|s| matches!(s.kind, StmtKind::Pragma { body: None, .. }));
            let braced = declares || directive;
            let brace = if braced { " {" } else { "" };
            let count = heads.len();
            for (n, head) in heads.iter().enumerate() {
                let brace = if n + 1 == count { brace } else { "" };
                self.writer.line(&format!("{head}{brace}"));
            }
            if falls && !last && !self.labels.contains_key(&(id, JumpKind::Fallthrough as u8)) {
                continue;
            }
            self.writer.indent();
            self.place_label(JumpKind::Fallthrough, id);
            let (end, before) = match arm.body.split_last() {
                Some((s, rest)) if matches!(s.kind, StmtKind::Jump(JumpKind::Fallthrough, t) if t == id) => {
                    (true, rest)
                }
                _ => (false, arm.body.as_slice()),
            };
            self.body(before);
            if end && !last {
                self.writer.line("__attribute__((fallthrough));");
            } else if !body_diverges(&arm.body) || (last && arm.body.is_empty()) {
                self.writer.line("break;");
            }
            self.writer.dedent();
            if braced {
                self.writer.line("}");
            }
        }
        self.contexts.pop();
        self.writer.line("}");
        self.place_label(JumpKind::Break, id);
    }

    fn pragma(&mut self, pieces: &[Piece], body: Option<&[Stmt]>, bare: bool) {
        let mut text = String::new();
        for p in pieces {
            match p {
                Piece::Text(t) => text.push_str(t),
                Piece::Expr(e) => text.push_str(&self.expr(e, 0)),
            }
        }
        // In preprocessed text a directive starts in the first column.
        self.writer.raw(&text);
        let Some(body) = body else { return };
        if bare && body.len() == 1 {
            self.body(body);
            return;
        }
        self.writer.line("{");
        self.inner(body);
        self.writer.line("}");
    }
}

fn case_text(n: i128) -> String {
    let basic = if i32::try_from(n).is_ok() {
        adjoin_ir::Basic::Int
    } else if i64::try_from(n).is_ok() {
        adjoin_ir::Basic::Long
    } else {
        adjoin_ir::Basic::ULong
    };
    integer_text(n, basic).0
}
