//! A compact S-expression form of the typed tree, for tests and for looking at what the front end understood.

use crate::ast::*;
use adjoin_ir::ctype::{Basic, CTy, CTypeKind, CTypes, Quals};
use std::fmt::Write;

/// The functions (bodies of system headers left out) and variables of a unit.
pub fn unit(unit: &Unit) -> String {
    let mut dump = Dump {
        unit,
        out: String::new(),
    };
    for (id, var) in unit.vars.iter() {
        if matches!(
            var.storage,
            Storage::Global { .. } | Storage::StaticLocal(_)
        ) && (var.defined || var.init.is_some())
        {
            dump.variable("var", id, 0);
        }
    }
    for (id, decl) in unit.funcs.iter() {
        if decl.body.as_ref().is_some_and(|b| !b.in_system_header) {
            dump.function(id);
        }
    }
    dump.out
}

/// One function.
pub fn function(unit: &Unit, id: FuncId) -> String {
    let mut dump = Dump {
        unit,
        out: String::new(),
    };
    dump.function(id);
    dump.out
}

/// An expression.
pub fn expression(unit: &Unit, e: &Expr) -> String {
    Dump {
        unit,
        out: String::new(),
    }
    .expr(e)
}

/// A type, from the outside in: `ptr(const(char))`, `fn(int,double)->void`.
pub fn type_text(types: &CTypes, ty: CTy) -> String {
    match types.kind(ty) {
        CTypeKind::Void => "void".to_string(),
        CTypeKind::Basic(b) => basic_text(*b).to_string(),
        CTypeKind::Pointer(to) => format!("ptr({})", type_text(types, *to)),
        CTypeKind::Array { elem, len } => {
            let len = len.map_or("?".to_string(), |n| n.to_string());
            format!("array({},{len})", type_text(types, *elem))
        }
        CTypeKind::Vla { elem, id } => {
            let id = if *id == u32::MAX {
                "*".to_string()
            } else {
                format!("#{id}")
            };
            format!("vla({},{id})", type_text(types, *elem))
        }
        CTypeKind::Record(r) => {
            let record = &types.records[*r];
            let keyword = if record.is_union { "union" } else { "struct" };
            match (&record.tag, &record.typedef_name) {
                (Some(tag), _) => format!("{keyword} {tag}"),
                (None, Some(name)) => name.clone(),
                (None, None) => format!("{keyword} {r:?}"),
            }
        }
        CTypeKind::Enum(e) => match &types.enums[*e].tag {
            Some(tag) => format!("enum {tag}"),
            None => format!("{e:?}"),
        },
        CTypeKind::Function {
            ret,
            params,
            variadic,
            prototyped,
        } => {
            let mut list: Vec<String> = params.iter().map(|&p| type_text(types, p)).collect();
            if *variadic {
                list.push("...".to_string());
            }
            if !prototyped {
                list.push("?".to_string());
            }
            format!("fn({})->{}", list.join(","), type_text(types, *ret))
        }
        CTypeKind::Typedef { name, .. } => name.clone(),
        CTypeKind::Qualified { quals, inner } => {
            format!("{}({})", quals_text(*quals), type_text(types, *inner))
        }
        CTypeKind::Vector { elem, lanes } => format!("vector({},{lanes})", type_text(types, *elem)),
        CTypeKind::VaList => "va_list".to_string(),
    }
}

fn basic_text(basic: Basic) -> &'static str {
    match basic {
        Basic::Bool => "bool",
        Basic::Char => "char",
        Basic::SChar => "schar",
        Basic::UChar => "uchar",
        Basic::Short => "short",
        Basic::UShort => "ushort",
        Basic::Int => "int",
        Basic::UInt => "uint",
        Basic::Long => "long",
        Basic::ULong => "ulong",
        Basic::LongLong => "llong",
        Basic::ULongLong => "ullong",
        Basic::Int128 => "int128",
        Basic::UInt128 => "uint128",
        Basic::Float16 => "float16",
        Basic::Float => "float",
        Basic::Double => "double",
        Basic::LongDouble => "ldouble",
        Basic::Float128 => "float128",
        Basic::ComplexFloat => "cfloat",
        Basic::ComplexDouble => "cdouble",
        Basic::ComplexLongDouble => "cldouble",
    }
}

fn quals_text(quals: Quals) -> String {
    let words = [
        (quals.is_const, "const"),
        (quals.is_volatile, "volatile"),
        (quals.is_restrict, "restrict"),
        (quals.is_atomic, "atomic"),
    ];
    words
        .iter()
        .filter(|w| w.0)
        .map(|w| w.1)
        .collect::<Vec<_>>()
        .join(" ")
}

struct Dump<'u> {
    unit: &'u Unit,
    out: String,
}

impl Dump<'_> {
    fn ty(&self, ty: CTy) -> String {
        type_text(&self.unit.types, ty)
    }

    fn line(&mut self, depth: usize, text: &str) {
        let _ = writeln!(self.out, "{:indent$}{text}", "", indent = 2 * depth);
    }

    fn var_name(&self, id: VarId) -> String {
        let name = &self.unit.vars[id].name;
        if name.is_empty() {
            format!("{id:?}")
        } else {
            name.clone()
        }
    }

    fn variable(&mut self, word: &str, id: VarId, depth: usize) {
        let var = &self.unit.vars[id];
        let mut text = format!("({word} {} {}", self.var_name(id), self.ty(var.ty));
        match var.storage {
            Storage::Global { is_static: true } | Storage::StaticLocal(_) => {
                text.push_str(" static")
            }
            _ => {}
        }
        if var.thread_local {
            text.push_str(" thread");
        }
        if var.align > 0 {
            let _ = write!(text, " align={}", var.align);
        }
        match &var.init {
            None => {}
            Some(Init::Expr(e)) => {
                let _ = write!(text, " {}", self.expr(e));
            }
            Some(Init::List(items)) => {
                text.push_str(" {");
                for item in items.iter().take(100) {
                    for step in &item.path {
                        match step {
                            InitStep::Index(i) => {
                                let _ = write!(text, "[{i}]");
                            }
                            InitStep::Field(r, f) => {
                                let field = self.unit.types.records[*r]
                                    .fields
                                    .as_ref()
                                    .and_then(|fs| fs.get(*f as usize));
                                let name = field
                                    .and_then(|f| f.name.clone())
                                    .unwrap_or_else(|| format!("#{f}"));
                                let _ = write!(text, ".{name}");
                            }
                        }
                    }
                    let _ = write!(text, "={} ", self.expr(&item.value));
                }
                if items.len() > 100 {
                    let _ = write!(text, "… {} more", items.len() - 100);
                }
                text = text.trim_end().to_string();
                text.push('}');
            }
        }
        text.push(')');
        self.line(depth, &text);
    }

    fn function(&mut self, id: FuncId) {
        let decl = &self.unit.funcs[id];
        let params: Vec<String> = decl
            .params
            .iter()
            .map(|&p| format!("{}:{}", self.var_name(p), self.ty(self.unit.vars[p].ty)))
            .collect();
        let mut text = format!(
            "(func {} {} ({})",
            decl.name,
            self.ty(decl.ty),
            params.join(" ")
        );
        for (on, word) in [
            (decl.is_static, "static"),
            (decl.inline, "inline"),
            (decl.noreturn, "noreturn"),
        ] {
            if on {
                text.push(' ');
                text.push_str(word);
            }
        }
        for attr in &decl.attrs {
            let _ = write!(text, " @{}", attr.name);
            if !attr.args.is_empty() {
                let _ = write!(text, "({})", attr.args.join(","));
            }
        }
        let Some(body) = &decl.body else {
            text.push(')');
            return self.line(0, &text);
        };
        self.line(0, &text);
        if !body.param_vlas.is_empty() {
            let ids = self.lengths(&body.param_vlas, body);
            self.line(1, &format!("(param-lengths{ids})"));
        }
        for statement in &body.block {
            self.statement(statement, 1, body);
        }
        self.close();
    }

    /// A closing parenthesis at the end of the last line.
    fn close(&mut self) {
        while self.out.ends_with('\n') {
            self.out.pop();
        }
        self.out.push_str(")\n");
    }

    fn lengths(&self, ids: &[u32], body: &FuncBody) -> String {
        let mut text = String::new();
        for id in ids {
            let length = body
                .vlas
                .iter()
                .find(|v| v.0 == *id)
                .map_or("?".to_string(), |v| self.expr(&v.1));
            let _ = write!(text, " #{id}={length}");
        }
        text
    }

    fn label(&self, label: LabelId, body: &FuncBody) -> String {
        body.labels
            .get(label as usize)
            .map_or(format!("L{label}"), |l| l.0.clone())
    }

    fn statement(&mut self, statement: &Stmt, depth: usize, body: &FuncBody) {
        match &statement.kind {
            StmtKind::Expr(e) => {
                let text = self.expr(e);
                self.line(depth, &text);
            }
            StmtKind::Null => self.line(depth, "(null)"),
            StmtKind::Block(statements) => {
                self.line(depth, "(block");
                self.nested(statements, depth, body);
            }
            StmtKind::Decl(var) => self.variable("decl", *var, depth),
            StmtKind::EvalVla(ids) => {
                let text = format!("(lengths{})", self.lengths(ids, body));
                self.line(depth, &text);
            }
            StmtKind::If {
                cond,
                then,
                otherwise,
            } => {
                let text = format!("(if {}", self.expr(cond));
                self.line(depth, &text);
                self.statement(then, depth + 1, body);
                if let Some(otherwise) = otherwise {
                    self.line(depth + 1, "else");
                    self.statement(otherwise, depth + 1, body);
                }
                self.close();
            }
            StmtKind::While { cond, body: inner } => {
                let text = format!("(while {}", self.expr(cond));
                self.line(depth, &text);
                self.statement(inner, depth + 1, body);
                self.close();
            }
            StmtKind::DoWhile { body: inner, cond } => {
                self.line(depth, "(do");
                self.statement(inner, depth + 1, body);
                let text = format!("while {})", self.expr(cond));
                self.line(depth + 1, &text);
            }
            StmtKind::For {
                init,
                cond,
                step,
                body: inner,
            } => {
                self.line(depth, "(for");
                for statement in init {
                    self.statement(statement, depth + 2, body);
                }
                let cond = cond.as_ref().map_or("()".to_string(), |e| self.expr(e));
                let step = step.as_ref().map_or("()".to_string(), |e| self.expr(e));
                self.line(depth + 2, &format!("{cond} {step}"));
                self.statement(inner, depth + 1, body);
                self.close();
            }
            StmtKind::Switch { value, body: inner } => {
                let text = format!("(switch {}", self.expr(value));
                self.line(depth, &text);
                self.statement(inner, depth + 1, body);
                self.close();
            }
            StmtKind::Case(low, high) if low == high => self.line(depth, &format!("(case {low})")),
            StmtKind::Case(low, high) => self.line(depth, &format!("(case {low} {high})")),
            StmtKind::Default => self.line(depth, "(default)"),
            StmtKind::Label(label) => {
                let text = format!("(label {})", self.label(*label, body));
                self.line(depth, &text);
            }
            StmtKind::Goto(label) => {
                let text = format!("(goto {})", self.label(*label, body));
                self.line(depth, &text);
            }
            StmtKind::GotoComputed(e) => {
                let text = format!("(goto* {})", self.expr(e));
                self.line(depth, &text);
            }
            StmtKind::Break => self.line(depth, "(break)"),
            StmtKind::Continue => self.line(depth, "(continue)"),
            StmtKind::Return(None) => self.line(depth, "(return)"),
            StmtKind::Return(Some(e)) => {
                let text = format!("(return {})", self.expr(e));
                self.line(depth, &text);
            }
            StmtKind::Asm { empty } => {
                self.line(depth, if *empty { "(asm empty)" } else { "(asm)" })
            }
            StmtKind::Omp(omp) => self.omp(omp, depth, body),
        }
    }

    fn nested(&mut self, statements: &[Stmt], depth: usize, body: &FuncBody) {
        for statement in statements {
            self.statement(statement, depth + 1, body);
        }
        self.close();
    }

    fn omp(&mut self, omp: &Omp, depth: usize, body: &FuncBody) {
        let mut text = format!("(omp \"{}\"", omp.directive);
        for clause in &omp.clauses {
            let _ = write!(text, " ({}", clause.name);
            if !clause.modifiers.is_empty() {
                let _ = write!(text, " [{}]", clause.modifiers.join(","));
            }
            for arg in &clause.args {
                text.push(' ');
                match arg {
                    OmpArg::Word(word) => text.push_str(word),
                    OmpArg::Var(var, _) => {
                        let _ = write!(text, "${}", self.var_name(*var));
                    }
                    OmpArg::Expr(e) => text.push_str(&self.expr(e)),
                    OmpArg::Section(base, dimensions) => {
                        let _ = write!(text, "(section {}", self.expr(base));
                        for (lower, length) in dimensions {
                            let show = |e: &Option<Expr>| {
                                e.as_ref().map_or("()".to_string(), |e| self.expr(e))
                            };
                            let _ = write!(text, " [{}:{}]", show(lower), show(length));
                        }
                        text.push(')');
                    }
                }
            }
            if let Some(tail) = &clause.tail {
                let _ = write!(text, " : {}", self.expr(tail));
            }
            text.push(')');
        }
        self.line(depth, &text);
        if let Some(inner) = &omp.body {
            self.statement(inner, depth + 1, body);
        }
        self.close();
    }

    fn expr(&self, e: &Expr) -> String {
        let ty = || self.ty(e.ty);
        let one = |word: &str, a: &Expr| format!("({word} {})", self.expr(a));
        let two =
            |word: &str, a: &Expr, b: &Expr| format!("({word} {} {})", self.expr(a), self.expr(b));
        match &e.kind {
            ExprKind::Int(n) => format!("{n}:{}", ty()),
            ExprKind::Float { value, text } => match text {
                Some(text) => format!("{text}:{}", ty()),
                None => format!("{value:?}:{}", ty()),
            },
            ExprKind::Imaginary(value) => format!("{value:?}i:{}", ty()),
            ExprKind::Str(s) => {
                let bytes = &self.unit.strings[*s].bytes;
                format!(
                    "{:?}",
                    String::from_utf8_lossy(bytes.strip_suffix(b"\0").unwrap_or(bytes))
                )
            }
            ExprKind::Var(v) => self.var_name(*v),
            ExprKind::Func(f) => self.unit.funcs[*f].name.clone(),
            ExprKind::Deref(a) => one("deref", a),
            ExprKind::Index { base, index } => two("index", base, index),
            ExprKind::Member {
                base,
                record,
                field,
            } => {
                let field_data = self.unit.types.records[*record]
                    .fields
                    .as_ref()
                    .and_then(|f| f.get(*field as usize));
                let name = field_data
                    .and_then(|f| f.name.clone())
                    .unwrap_or_else(|| format!("#{field}"));
                one(&format!(".{name}"), base)
            }
            ExprKind::CompoundLit(v) => match &self.unit.vars[*v].init {
                Some(Init::List(items)) => {
                    let items: Vec<String> =
                        items.iter().take(20).map(|i| self.expr(&i.value)).collect();
                    format!("(literal {} {})", ty(), items.join(" "))
                }
                Some(Init::Expr(e)) => format!("(literal {} {})", ty(), self.expr(e)),
                None => format!("(literal {})", ty()),
            },
            ExprKind::StmtExpr { stmts, value } => {
                let mut inner = Dump {
                    unit: self.unit,
                    out: String::new(),
                };
                let body = empty_body();
                for statement in stmts {
                    inner.statement(statement, 0, &body);
                }
                let text = inner.out.split_whitespace().collect::<Vec<_>>().join(" ");
                let value = value
                    .as_ref()
                    .map_or(String::new(), |v| format!(" {}", self.expr(v)));
                format!("(stmts {text}{value})")
            }
            ExprKind::Load(a) => one("load", a),
            ExprKind::Decay(a) => one("decay", a),
            ExprKind::AddrOf(a) => one("addr", a),
            ExprKind::Unary(op, a) => one(&format!("{op:?}").to_lowercase(), a),
            ExprKind::Binary(op, a, b) => two(&format!("{op:?}").to_lowercase(), a, b),
            ExprKind::PtrAdd { ptr, index, negate } => {
                two(if *negate { "ptrsub" } else { "ptradd" }, ptr, index)
            }
            ExprKind::PtrDiff(a, b) => two("ptrdiff", a, b),
            ExprKind::LogAnd(a, b) => two("&&", a, b),
            ExprKind::LogOr(a, b) => two("||", a, b),
            ExprKind::Cond(c, a, b) => {
                format!("(? {} {} {})", self.expr(c), self.expr(a), self.expr(b))
            }
            ExprKind::Elvis(a, b) => two("?:", a, b),
            ExprKind::Comma(a, b) => two(",", a, b),
            ExprKind::Assign(a, b) => two("=", a, b),
            ExprKind::AssignOp {
                op,
                lhs,
                rhs,
                compute,
            } => two(
                &format!(
                    "{}=:{}",
                    format!("{op:?}").to_lowercase(),
                    self.ty(*compute)
                ),
                lhs,
                rhs,
            ),
            ExprKind::AssignPtrAdd { lhs, index, negate } => {
                two(if *negate { "ptrsub=" } else { "ptradd=" }, lhs, index)
            }
            ExprKind::IncDec {
                lhs,
                increment,
                prefix,
            } => {
                let word = match (increment, prefix) {
                    (true, true) => "preinc",
                    (true, false) => "postinc",
                    (false, true) => "predec",
                    (false, false) => "postdec",
                };
                one(word, lhs)
            }
            ExprKind::Cast { operand, explicit } => {
                let word = if *explicit { "cast" } else { "conv" };
                format!("({word} {} {})", ty(), self.expr(operand))
            }
            ExprKind::Call { callee, args } => {
                let callee = match &callee.kind {
                    ExprKind::Decay(inner) if matches!(inner.kind, ExprKind::Func(_)) => {
                        self.expr(inner)
                    }
                    _ => self.expr(callee),
                };
                let args: Vec<String> = args.iter().map(|a| format!(" {}", self.expr(a))).collect();
                format!("(call {callee}{})", args.concat())
            }
            ExprKind::VaStart(a) => one("va_start", a),
            ExprKind::VaArg(a) => format!("(va_arg {} {})", ty(), self.expr(a)),
            ExprKind::VaEnd(a) => one("va_end", a),
            ExprKind::VaCopy(a, b) => two("va_copy", a, b),
            ExprKind::Alloca(a) => one("alloca", a),
            ExprKind::Unreachable => "(unreachable)".to_string(),
            ExprKind::MakeComplex(a, b) => two("complex", a, b),
            ExprKind::SizeofVla(t) => format!("(sizeof {})", self.ty(*t)),
            ExprKind::LabelAddr(label) => format!("(label-address {label})"),
            ExprKind::Vector(op, args) => {
                let args: Vec<String> = args.iter().map(|a| format!(" {}", self.expr(a))).collect();
                format!("(vector {op:?}{})", args.concat())
            }
            ExprKind::Unsupported(reason, args) => {
                let args: Vec<String> = args.iter().map(|a| format!(" {}", self.expr(a))).collect();
                format!("(unsupported {reason:?}{})", args.concat())
            }
        }
    }
}

fn empty_body() -> FuncBody {
    FuncBody {
        block: Vec::new(),
        range: Span::default(),
        whole: Span::default(),
        labels: Vec::new(),
        vlas: Vec::new(),
        param_vlas: Vec::new(),
        in_system_header: false,
    }
}
