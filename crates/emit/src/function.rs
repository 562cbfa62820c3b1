//! A function's body from IR to text.

use crate::Emitter;
use crate::ast::{Expr, ExprKind, Initial, LoopHead, Piece, Stmt, StmtKind, Var, VarData, VarKind};
use crate::build::{Build, string_literal};
use crate::coalesce::coalesce;
use crate::decl::{Declarer, TypeNames, mentioned, needs_local_name};
use crate::facts::Facts;
use crate::init::Initialiser;
use crate::jumps::Tidy;
use crate::print::Printer;
use crate::types::Types;
use crate::writer::Writer;
use crate::{fold, initlist, loops, names, scopes, tidy};
use adjoin_ir::ctype::Record;
use adjoin_ir::{CTy, CTypeKind, Directive, Func, Global, Linkage, Module, Op, RelocTarget, Value};
use cranelift_entity::{EntitySet, PrimaryMap, SecondaryMap};
use std::collections::{BTreeMap, BTreeSet};

/// The text of a function's body; `builtins` if it goes between the user's own declarations: the library functions that they
/// do not declare.
pub(crate) fn body_text(
    emitter: &Emitter,
    func: Func,
    outer: &TypeNames,
    builtins: Option<&BTreeSet<Func>>,
) -> String {
    let in_place = builtins.is_some();
    let module = emitter.module;
    let types = &emitter.types;
    let function = &module.funcs[func];
    let Some(body) = &function.body else {
        return String::new();
    };
    let signature = if in_place {
        function.ctype
    } else {
        types.without_vla(function.ctype)
    };
    let (return_type, param_types) = match types.shape(signature) {
        CTypeKind::Function { ret, params, .. } => (ret, params),
        _ => (types.int, Vec::new()),
    };
    let entry = body.regions[body.entry].args.clone();
    let mut aggregate_params = EntitySet::new();
    for (&v, &t) in entry.iter().zip(&param_types) {
        if types.is_aggregate(t) {
            aggregate_params.insert(v);
        }
    }
    let facts = Facts::new(module, body, aggregate_params);
    let folding = fold::fold(&facts);
    let mut build = Build {
        module,
        types,
        func,
        body,
        facts: &facts,
        folding: &folding,
        vars: PrimaryMap::new(),
        var_of: SecondaryMap::new(),
        return_type,
        in_place,
        skipped: EntitySet::new(),
        globals: BTreeSet::new(),
        funcs: BTreeSet::new(),
        builtins,
        plain_roots: emitter.options.plain_roots,
        global_names: BTreeMap::new(),
    };
    let mut params = Vec::new();
    for (k, &v) in entry.iter().enumerate() {
        let ty = param_types.get(k).copied().unwrap_or(types.int);
        params.push(parameter(&mut build, v, ty, k));
    }
    adopt_slots(&mut build, &entry);
    let mut stmts = build.region(body.entry);
    let statics = owned_globals(module, types, func, &build.globals);
    statics.iter().for_each(|&g| build.name_global(g));
    let Build {
        mut vars,
        globals,
        funcs,
        global_names,
        ..
    } = build;
    let value_params: Vec<Var> = params
        .iter()
        .copied()
        .filter(|&p| vars[p].assignable)
        .collect();
    coalesce(types, &mut vars, &value_params, &mut stmts);
    tidy::forward_aggregates(&vars, &mut stmts);
    tidy::drop_idle(types, &mut stmts);
    let nothing = types.is_void(return_type);
    Tidy { types }.function(&mut stmts, nothing);
    tidy::drop_unread(types, &vars, &mut stmts);
    tidy::compound(types, &mut stmts);
    loops::shape_loops(types, &mut stmts);
    Tidy { types }.function(&mut stmts, nothing);
    hoist_prefixes(&mut stmts);
    scopes::place(types, &vars, &mut stmts);
    initlist::collect(types, &vars, &mut stmts);
    let mut reserved: BTreeSet<String> = funcs
        .iter()
        .map(|&f| module.funcs[f].name.clone())
        .collect();
    reserved.extend(globals.iter().map(|g| {
        global_names
            .get(g)
            .cloned()
            .unwrap_or_else(|| module.globals[*g].name.clone())
    }));
    names::assign(types, &mut vars, &stmts, reserved);
    capture(&vars, body, &mut stmts);

    let options = &emitter.options;
    let mut writer = Writer::new(module, options, 0);
    let mut type_names = outer.clone();
    let mut used_types = BTreeSet::new();
    statics.iter().for_each(|g| {
        used_types.insert(module.globals[*g].ctype);
    });
    types_of(&vars, &stmts, &mut used_types);
    let local = local_types(module, types, &used_types, &mut type_names, in_place);
    writer.raw("{");
    writer.indent();
    {
        let declarer = Declarer {
            types,
            names: &type_names,
        };
        let pad = " ".repeat(options.indent);
        for r in local {
            let name = type_names.records[&r].clone();
            for line in format!("{};", declarer.record_definition(r, &name, &pad)).lines() {
                writer.unbroken(line);
            }
        }
        for g in statics {
            let text = static_text(module, &declarer, &global_names, g);
            writer.line(&text);
        }
        for (k, &p) in params.iter().enumerate() {
            let named = function.param_names.get(k).is_some_and(|n| n.is_some());
            if named && !mentions(&stmts, p) {
                writer.line(&format!("(void){};", vars[p].name));
            }
        }
    }
    let declarer = Declarer {
        types,
        names: &type_names,
    };
    let mut printer = Printer::new(&vars, declarer, &mut writer);
    printer.declare_puns(&stmts);
    printer.body(&stmts);
    writer.dedent();
    writer.raw("}");
    let mut text = writer.finish();
    text.pop();
    text
}

/// The variable of a parameter.
fn parameter(build: &mut Build, v: Value, ty: CTy, index: usize) -> Var {
    let name = build.module.funcs[build.func]
        .param_names
        .get(index)
        .cloned()
        .flatten();
    let aggregate = build.facts.aggregate_params.contains(v);
    let assignable = !aggregate && !build.types.quals(ty).is_const;
    let var = build.vars.push(VarData {
        ty,
        kind: VarKind::Parameter,
        hint: Some(name.unwrap_or_else(|| format!("arg{index}"))),
        from_source: true,
        name: String::new(),
        construct: None,
        is_vla: false,
        escapes: false,
        align: 0,
        assignable,
    });
    build.var_of[v] = Some(var);
    var
}

/// The slot of a parameter is the parameter itself: the store at entry is what the call did.
fn adopt_slots(build: &mut Build, entry: &[Value]) {
    let body = build.body;
    for &arg in entry {
        let Some(var) = build.var_of[arg] else {
            continue;
        };
        let [user] = build.facts.uses[arg][..] else {
            continue;
        };
        let data = &body.insts[user];
        if !matches!(data.op, Op::Store(_)) || data.parent != body.entry || data.args[1] != arg {
            continue;
        }
        let Some(slot_inst) = body.def_inst(data.args[0]) else {
            continue;
        };
        let Op::Slot(attr) = &body.insts[slot_inst].op else {
            continue;
        };
        let same_name = attr.name == build.vars[var].hint;
        let first = build.facts.uses[data.args[0]].iter().all(|&u| {
            u == user
                || build
                    .facts
                    .ancestor_in(body.entry, u)
                    .is_some_and(|at| build.facts.position[at] > build.facts.position[user])
        });
        if same_name && first && build.types.compatible(attr.ctype, build.vars[var].ty) {
            build.var_of[data.args[0]] = Some(var);
            build.vars[var].assignable = false;
            build.skipped.insert(user);
            build.skipped.insert(slot_inst);
        }
    }
}

/// Static locals and literals that need a declaration in the body, in an order in which initialisers can refer back.
fn owned_globals(
    module: &Module,
    types: &Types,
    func: Func,
    used: &BTreeSet<Global>,
) -> Vec<Global> {
    let mut needed: BTreeSet<Global> = BTreeSet::new();
    let mut out = Vec::new();
    fn visit(
        module: &Module,
        types: &Types,
        func: Func,
        g: Global,
        seen: &mut BTreeSet<Global>,
        out: &mut Vec<Global>,
    ) {
        let data = &module.globals[g];
        let local = data.owner == Some(func) || data.linkage == Linkage::Literal;
        if !local || !seen.insert(g) {
            return;
        }
        if data.linkage == Linkage::Literal && string_literal(module, types, g).is_some() {
            return;
        }
        for r in data.init.iter().flat_map(|i| &i.relocs) {
            if let RelocTarget::Global(target) = r.target {
                visit(module, types, func, target, seen, out);
            }
        }
        out.push(g);
    }
    for &g in used {
        visit(module, types, func, g, &mut needed, &mut out);
    }
    out
}

pub(crate) fn static_text(
    module: &Module,
    declarer: &Declarer,
    names: &BTreeMap<Global, String>,
    g: Global,
) -> String {
    let data = &module.globals[g];
    let name = names.get(&g).unwrap_or(&data.name);
    let mut text = String::new();
    if data.linkage != Linkage::External {
        text.push_str("static ");
    }
    if data.thread_local {
        text.push_str("_Thread_local ");
    }
    if data.align > 0 {
        text.push_str(&format!("_Alignas({}) ", data.align));
    }
    text.push_str(&declarer.declare(data.ctype, name));
    if declarer.is_extension(data.ctype) {
        text.insert_str(0, "__extension__ ");
    }
    let init = Initialiser {
        module,
        declarer,
        names,
    };
    if let Some(value) = data.init.as_ref().and_then(|i| init.text(data.ctype, i)) {
        text.push_str(&format!(" = {value}"));
    }
    text.push(';');
    text
}

fn mentions(body: &[Stmt], var: Var) -> bool {
    let mut found = false;
    for s in body {
        s.each_var(&mut |v| found |= v == var);
    }
    found
}

/// What has to happen before a loop pragma but stands between it and its loop is moved in front of it.
fn hoist_prefixes(body: &mut Vec<Stmt>) {
    let mut out = Vec::with_capacity(body.len());
    for mut s in std::mem::take(body) {
        for b in s.bodies_mut() {
            hoist_prefixes(b);
        }
        if let StmtKind::Pragma {
            body: Some(inner),
            bare: true,
            ..
        } = &mut s.kind
        {
            if let Some(last) = inner.pop() {
                out.append(inner);
                inner.push(last);
            }
        }
        out.push(s);
    }
    *body = out;
}

/// Tasks copy what they use of the values outside, and share the objects.
fn capture(vars: &PrimaryMap<Var, VarData>, ir: &adjoin_ir::Body, body: &mut [Stmt]) {
    for s in body {
        if let StmtKind::Pragma {
            id,
            pieces,
            body: Some(inner),
            ..
        } = &mut s.kind
        {
            let task = matches!(&ir.insts[*id].op, Op::Par(a)
                if matches!(a.directive, Directive::Task | Directive::Taskloop | Directive::TaskloopSimd));
            if task {
                let mut declared = BTreeSet::new();
                declared_in(inner, &mut declared);
                let mut names = true;
                for p in pieces.iter() {
                    match p {
                        // What these compute they have before the task is made.
                        Piece::Text(t) => {
                            names = ![" depend(", " if(", " final(", " priority("]
                                .iter()
                                .any(|word| t.starts_with(word));
                        }
                        Piece::Expr(e) if names => e.each_var(&mut |v| {
                            declared.insert(v);
                        }),
                        Piece::Expr(_) => {}
                    }
                }
                let mut copied = BTreeSet::new();
                let mut shared = BTreeSet::new();
                for s in inner.iter() {
                    s.each_var(&mut |v| {
                        if !declared.contains(&v) {
                            if vars[v].kind == VarKind::Object || !vars[v].assignable {
                                shared.insert(v);
                            } else {
                                copied.insert(v);
                            }
                        }
                    });
                }
                for (word, list) in [("firstprivate", copied), ("shared", shared)] {
                    if !list.is_empty() {
                        let names: Vec<&str> =
                            list.iter().map(|&v| vars[v].name.as_str()).collect();
                        pieces.push(Piece::Text(format!(" {word}({})", names.join(", "))));
                    }
                }
            }
        }
        for b in s.bodies_mut() {
            capture(vars, ir, b);
        }
    }
}

fn declared_in(body: &[Stmt], out: &mut BTreeSet<Var>) {
    for s in body {
        if let StmtKind::Decl(v, _) = s.kind {
            out.insert(v);
        }
        if let StmtKind::Loop {
            head: LoopHead::For {
                init: Some(init), ..
            },
            ..
        } = &s.kind
        {
            if let StmtKind::Decl(v, _) = init.kind {
                out.insert(v);
            }
        }
        for b in s.bodies() {
            declared_in(b, out);
        }
    }
}

/// The types that the statements spell out.
fn types_of(vars: &PrimaryMap<Var, VarData>, body: &[Stmt], out: &mut BTreeSet<CTy>) {
    fn in_expr(e: &Expr, out: &mut BTreeSet<CTy>) {
        if matches!(
            e.kind,
            ExprKind::Cast(_) | ExprKind::TypeName | ExprKind::Zero
        ) {
            out.insert(e.ty);
        }
        e.children().into_iter().for_each(|c| in_expr(c, out));
    }
    for s in body {
        if let StmtKind::Decl(v, initial) = &s.kind {
            out.insert(vars[*v].ty);
            if let Initial::Value(e) | Initial::Length(e) = initial {
                in_expr(e, out);
            }
        }
        if let StmtKind::Loop {
            head: LoopHead::For {
                init: Some(init), ..
            },
            ..
        } = &s.kind
        {
            if let StmtKind::Decl(v, _) = init.kind {
                out.insert(vars[v].ty);
            }
        }
        s.each_expr(&mut |e| in_expr(e, out));
        for b in s.bodies() {
            types_of(vars, b, out);
        }
    }
}

/// Finds names for records that have none here; those to be defined in the body are returned in order.
fn local_types(
    module: &Module,
    types: &Types,
    used: &BTreeSet<CTy>,
    names: &mut TypeNames,
    in_place: bool,
) -> Vec<Record> {
    let mut out = Vec::new();
    let mut seen = BTreeSet::new();
    let mut tags: BTreeSet<String> = BTreeSet::new();
    for &t in used {
        visit_type(
            module, types, t, names, in_place, &mut seen, &mut tags, &mut out,
        );
    }
    out
}

/// A record without a name, by an object at file scope that has it.
fn by_global(module: &Module, types: &Types, r: Record) -> Option<String> {
    module.globals.iter().find_map(|(_, g)| {
        if g.owner.is_some() {
            return None;
        }
        if types.record_of(g.ctype) == Some(r) {
            return Some(format!("__typeof__({})", g.name));
        }
        let elem = types.array_element(g.ctype)?;
        (types.record_of(elem) == Some(r)).then(|| format!("__typeof__({}[0])", g.name))
    })
}

/// The names of the records without one in the type of an object, as far as other objects at file scope have them.
pub(crate) fn names_in(module: &Module, types: &Types, t: CTy) -> TypeNames {
    let mut names = TypeNames::default();
    let (mut records, mut enums) = (BTreeSet::new(), BTreeSet::new());
    mentioned(types, t, &mut records, &mut enums);
    for r in records {
        if types.record(r).scope == adjoin_ir::ctype::TagScope::File
            && needs_local_name(types, r)
            && let Some(name) = by_global(module, types, r)
        {
            names.records.insert(r, name);
        }
    }
    names
}

/// The same for the members of a record. Enumerations of blocks are the integers that they are.
pub(crate) fn names_in_record(module: &Module, types: &Types, record: Record) -> TypeNames {
    let mut names = TypeNames::default();
    for field in types.record(record).fields.iter().flatten() {
        let inner = match types.record_of(field.ty) {
            Some(inner) if field.name.is_none() => names_in_record(module, types, inner),
            _ => names_in(module, types, field.ty),
        };
        names.records.extend(inner.records);
        names.enums.extend(inner.enums);
        let (mut records, mut enums) = (BTreeSet::new(), BTreeSet::new());
        mentioned(types, field.ty, &mut records, &mut enums);
        for e in enums {
            let data = types.enumeration(e);
            if data.scope == adjoin_ir::ctype::TagScope::Block {
                let integer = crate::decl::basic_name(data.underlying);
                names.enums.insert(e, integer.to_string());
            }
        }
    }
    names
}

#[allow(clippy::too_many_arguments)]
fn visit_type(
    module: &Module,
    types: &Types,
    t: CTy,
    names: &mut TypeNames,
    in_place: bool,
    seen: &mut BTreeSet<Record>,
    tags: &mut BTreeSet<String>,
    out: &mut Vec<Record>,
) {
    let mut records = BTreeSet::new();
    let mut enums = BTreeSet::new();
    mentioned(types, t, &mut records, &mut enums);
    for e in enums {
        let data = types.enumeration(e);
        if data.scope == adjoin_ir::ctype::TagScope::Block {
            names
                .enums
                .insert(e, crate::decl::basic_name(data.underlying).to_string());
        }
    }
    for r in records {
        if names.records.contains_key(&r) || !needs_local_name(types, r) || !seen.insert(r) {
            continue;
        }
        let data = types.record(r);
        if data.scope == adjoin_ir::ctype::TagScope::File && in_place {
            let found = by_global(module, types, r);
            if let Some(name) = found {
                names.records.insert(r, name);
                continue;
            }
        }
        let word = if data.is_union { "union" } else { "struct" };
        let base = data
            .tag
            .clone()
            .or(data.typedef_name.clone())
            .unwrap_or_else(|| "anonymous".into());
        let mut tag = base.clone();
        let mut n = 1;
        while !tags.insert(tag.clone()) {
            tag = format!("{base}_{n}");
            n += 1;
        }
        names.records.insert(r, format!("{word} {tag}"));
        for f in data.fields.iter().flatten() {
            visit_type(module, types, f.ty, names, in_place, seen, tags, out);
        }
        out.push(r);
    }
}
