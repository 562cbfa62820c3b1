//! The two functions of a pair for a loop that is checkpointed.
//!
//! The augmented one puts everything that iterations need into a struct, the tape, says which memory is the state of the loop, and runs the forward sweep; the
//! reverse one runs the reverse sweep. Both are functions of `checkpoint.c`, which call two small functions with the tape: one that runs iterations, one that
//! runs their gradient.

use super::super::combined::{self, Part};
use super::super::pairs::{Pair, PairKey, unused_name};
use super::super::support::Runtime;
use super::super::versions::Emitter;
use super::{Extent, Item, Kind, LOWER, Outlined, Result, TRIPS};
use crate::activity::Param;
use crate::known::external;
use crate::plan::report::Checkpointed;
use crate::{AdError, Session};
use adjoin_ir::ctype::{Field, Record, RecordData, TagScope};
use adjoin_ir::signature::Signature;
use adjoin_ir::{
    Basic, Body, Builder, CTy, CTypeKind, CallAttr, Checkpoint, Func, Function, Linkage, Module,
    Op, Pred, Type, Value,
};
use std::collections::HashMap;

/// The struct that a tape is, and where things are in it.
struct Tape {
    record: Record,
    ctype: CTy,
    pointer: CTy,
    /// Parameters of the loop function.
    arguments: Vec<u32>,
    /// Their shadows.
    shadows: Vec<Option<u32>>,
    /// Carried pointers and integers, by item, and shadows of pointers.
    carried: Vec<Option<(u32, Option<u32>)>>,
    ran: u32,
    /// The loop was left.
    left: u32,
    checkpoints: u32,
}

/// Fills the two functions of a pair; the struct of the tape is returned.
pub(in crate::reverse) fn generate(
    session: &mut Session,
    m: &mut Module,
    key: &PairKey,
    pair: &Pair,
    outlined: &Outlined,
) -> Result<CTy> {
    let CTypeKind::Function { params, .. } = m.types.shape(m.funcs[key.func].ctype).clone() else {
        return Err(AdError::new(outlined.span, "what is not a function"));
    };
    crate::rules::support::add_checkpoints(m);
    let tape = tape(m, key, outlined, &params);
    let inner = inner_params(m, key, outlined);
    let base = m.funcs[key.func].name.clone();
    let made = |session: &mut Session, m: &mut Module, func: Func, suffix: &str, part: Part| {
        let name = unused_name(m, &format!("{}_{suffix}", m.funcs[func].name));
        let facts = (inner.clone(), key.globals.clone());
        combined::of_segment(
            session,
            m,
            func,
            name,
            facts,
            outlined.disjoint.clone(),
            part,
        )
    };
    let gradient = made(session, m, outlined.again, "grad", Part::Both)?;
    let run = |session: &mut Session, m: &mut Module, func: Func, word: &str| {
        let name = format!("{base}_{word}");
        match moves_shadows(key, outlined, &inner) {
            false => runner(m, outlined, &tape, &name, func, Run::Plain),
            true => {
                let func = made(session, m, func, "forward", Part::Forward)?;
                runner(m, outlined, &tape, &name, func, Run::WithShadows(&inner))
            }
        }
    };
    let advance = run(session, m, outlined.steps, "advance")?;
    let again = match outlined.again == outlined.steps {
        true => advance,
        false => run(session, m, outlined.again, "advance_again")?,
    };
    let name = format!("{base}_gradient");
    let back = runner(m, outlined, &tape, &name, gradient, Run::Gradient(&inner))?;
    let forward = augmented(session, m, key, pair, outlined, &tape, advance)?;
    let reverse = reverse(m, pair, &tape, [again, back])?;
    m.funcs[pair.split.augmented].body = Some(forward);
    m.funcs[pair.split.reverse].body = Some(reverse);
    explain(session, outlined);
    Ok(tape.ctype)
}

/// Does the loop change pointers whose shadows change alike?
fn moves_shadows(key: &PairKey, outlined: &Outlined, inner: &[Param]) -> bool {
    let carried = |i: &Item| i.kind == Kind::Carried && i.ty == Type::Ptr;
    let cell = |&k: &usize| key.params.get(k).is_some_and(|p| p.has_shadow());
    (outlined.items.iter()).any(|i| carried(i) && inner[i.inner].has_shadow())
        || outlined.cells.iter().any(cell)
}

/// How iterations are run.
#[derive(Clone, Copy)]
enum Run<'a> {
    /// By the function that runs them.
    Plain,
    /// With shadow pointers beside pointers, one iteration at a time: what it frees lives until its end.
    WithShadows(&'a [Param]),
    /// With their reverse.
    Gradient(&'a [Param]),
}

/// How the parameters of the function that runs iterations take part.
fn inner_params(m: &Module, key: &PairKey, outlined: &Outlined) -> Vec<Param> {
    let count = match m.types.shape(m.funcs[outlined.steps].ctype) {
        CTypeKind::Function { params, .. } => params.len(),
        _ => 0,
    };
    let mut all = vec![Param::Const; count];
    let of = |k: usize| key.params.get(k).copied().unwrap_or(Param::Const);
    for item in &outlined.items {
        all[item.inner] = of(item.outer);
        if item.kind == Kind::Carried {
            // Where the pointer goes has a shadow if the pointer has one.
            all[item.inner + 1] = match of(item.outer).has_shadow() {
                true => Param::Dup,
                false => of(item.outer + 1),
            };
        }
    }
    all
}

fn tape(m: &mut Module, key: &PairKey, outlined: &Outlined, params: &[CTy]) -> Tape {
    let void = m.types.void();
    let address = m.types.pointer(void);
    let long = m.types.basic(Basic::Long);
    let names = m.funcs[key.func].param_names.clone();
    let mut fields: Vec<Field> = Vec::new();
    let mut offset = 0u64;
    let mut add = |m: &Module, name: String, ty: CTy| {
        let align = m.types.align_of(ty).max(1);
        offset = offset.next_multiple_of(align);
        let taken = |n: &str| fields.iter().any(|f| f.name.as_deref() == Some(n));
        let name = (1..)
            .map(|k| match k {
                1 => name.clone(),
                k => format!("{name}_{k}"),
            })
            .find(|n| !taken(n));
        fields.push(Field {
            name,
            ty,
            offset,
            bits: None,
        });
        offset += m.types.size_of(ty).unwrap_or(8);
        fields.len() as u32 - 1
    };
    let mut arguments = Vec::new();
    let mut shadows = Vec::new();
    for (k, &t) in params.iter().enumerate() {
        let name = names.get(k).cloned().flatten();
        let name = name.unwrap_or_else(|| format!("p{k}"));
        arguments.push(add(m, name.clone(), m.types.unqualified(t)));
        let shadow = key.params.get(k).is_some_and(|p| p.has_shadow());
        shadows.push(shadow.then(|| add(m, format!("{name}_bar"), address)));
    }
    let carried = (outlined.items.iter())
        .map(|item| {
            (item.kind == Kind::Carried).then(|| {
                let name = format!("{}_now", names[item.outer].as_deref().unwrap_or("p"));
                let bar = (item.ty == Type::Ptr).then(|| format!("{name}_bar"));
                let now = add(m, name, m.types.unqualified(item.ctype));
                (now, bar.map(|name| add(m, name, address)))
            })
        })
        .collect();
    let ran = add(m, "iterations".to_string(), long);
    let left = add(m, "left".to_string(), long);
    let checkpoints = add(m, "checkpoints".to_string(), address);
    let tag = unused_name(m, &format!("{}_tape", m.funcs[key.func].name));
    let record = m.types.records.push(RecordData {
        is_union: false,
        tag: Some(tag),
        scope: TagScope::File,
        typedef_name: None,
        fields: Some(fields),
        size: offset.next_multiple_of(16),
        align: 16,
        packed: false,
    });
    let ctype = m.types.intern(CTypeKind::Record(record));
    Tape {
        record,
        ctype,
        pointer: m.types.pointer(ctype),
        arguments,
        shadows,
        carried,
        ran,
        left,
        checkpoints,
    }
}

/// Makes instructions that use a tape.
struct Writer<'a> {
    m: &'a Module,
    b: Builder<'a>,
    tape: &'a Tape,
    /// The address of the tape.
    at: Value,
}

impl Writer<'_> {
    fn field(&mut self, k: u32) -> Value {
        let t = self.tape;
        self.b.field(&self.m.types, self.at, t.ctype, t.record, k)
    }

    fn get(&mut self, k: u32, ty: Type) -> Value {
        let address = self.field(k);
        let v = self.b.load(ty, address);
        let fields = self.m.types.records[self.tape.record].fields.as_ref();
        if let Some(f) = fields.and_then(|f| f.get(k as usize)) {
            self.b.set_ctype(v, f.ty);
        }
        v
    }

    fn put(&mut self, k: u32, v: Value) {
        let address = self.field(k);
        self.b.store(address, v);
    }

    fn call(&mut self, func: Func, args: Vec<Value>) -> Option<Value> {
        let signature = Signature::of(&self.m.types, self.m.funcs[func].ctype)?;
        self.b.call(&signature, func, args, Vec::new())
    }
}

fn start(m: &Module, func: Func) -> Result<Body> {
    let function = &m.funcs[func];
    Body::with_params(&m.types, function.ctype, &function.param_names)
        .ok_or_else(|| AdError::new(function.span, "a parameter of this type"))
}

/// `void NAME(void *context, long from, long to)`: runs iterations, or their gradient.
fn runner(
    m: &mut Module,
    outlined: &Outlined,
    tape: &Tape,
    name: &str,
    callee: Func,
    how: Run<'_>,
) -> Result<Func> {
    let void = m.types.void();
    let address = m.types.pointer(void);
    let long = m.types.basic(Basic::Long);
    let ctype = m.types.intern(CTypeKind::Function {
        ret: void,
        params: vec![address, long, long],
        variadic: false,
        prototyped: true,
    });
    let names = ["context", "from", "to"].map(|n| Some(n.to_string()));
    let func = m.funcs.push(Function {
        name: unused_name(m, name),
        ctype,
        param_names: names.to_vec(),
        linkage: Linkage::Static,
        inline: false,
        noreturn: false,
        span: outlined.span,
        body: None,
    });
    let mut body = start(m, func)?;
    let arguments = body.regions[body.entry].args.clone();
    let mut b = Builder::new(&mut body);
    b.span = outlined.span;
    let at = b.cast(Type::Ptr, arguments[0]);
    let at = b.addr(at, tape.ctype, vec![], &[]);
    b.set_ctype(at, tape.pointer);
    b.set_name(at, "t");
    let mut w = Writer { m, b, tape, at };
    let [from, to] = [arguments[1], arguments[2]];
    match how {
        Run::Plain => w.run(outlined, callee, [from, to], None),
        Run::Gradient(params) => w.run(outlined, callee, [from, to], Some(params)),
        Run::WithShadows(params) => {
            let one = w.b.int(Type::I64, 1);
            let total = w.b.int(Type::I64, 0);
            let carried = match outlined.open {
                true => vec![total],
                false => vec![],
            };
            let (holder, region) = w.b.for_(Pred::Lt, from, to, one, &carried);
            let inside = w.b.body.regions[region].args.clone();
            w.b.set_name(inside[0], "k");
            let back = w.b.enter(region);
            let next = w.b.add(inside[0], one);
            w.run(outlined, callee, [inside[0], next], Some(params));
            match outlined.open {
                false => {
                    w.b.yield_(&[]);
                }
                true => {
                    // An iteration that leaves the loop is the last; of one that does not, as many iterations ran as were to.
                    let left = w.get(tape.left, Type::I64);
                    let sum = w.b.add(inside[1], one);
                    let zero = w.b.int(Type::I64, 0);
                    let leaves = w.b.ne(left, zero);
                    let (_, then, otherwise) = w.b.if_(leaves, &[]);
                    w.b.inside(then, |b| {
                        b.break_(holder, &[sum]);
                    });
                    w.b.inside(otherwise, |b| {
                        b.yield_(&[]);
                    });
                    w.b.yield_(&[sum]);
                }
            }
            w.b.leave(back);
            if outlined.open {
                let total = w.b.body.insts[holder].results[1];
                w.put(tape.ran, total);
            }
        }
    }
    w.b.ret(&[]);
    m.funcs[func].body = Some(body);
    Ok(func)
}

impl Writer<'_> {
    /// Calls a function that runs iterations with what is on the tape.
    fn run(
        &mut self,
        outlined: &Outlined,
        callee: Func,
        range: [Value; 2],
        shadows: Option<&[Param]>,
    ) {
        let tape = self.tape;
        let lower = self.get(tape.arguments[LOWER], outlined.index);
        let mut args = Vec::new();
        for end in range {
            let distance = self.b.cast(outlined.index, end);
            args.push(self.b.add(lower, distance));
        }
        if outlined.open {
            args.push(self.field(tape.ran));
            args.push(self.field(tape.left));
        }
        for (item, carried) in outlined.items.iter().zip(&tape.carried) {
            let has = |k: usize| shadows.is_some_and(|p| p[item.inner + k].has_shadow());
            match (*carried, item.kind) {
                (Some((now, bar)), _) => {
                    args.push(self.get(now, item.ty));
                    if has(0) {
                        args.push(match bar {
                            Some(bar) => self.get(bar, Type::Ptr),
                            None => self.b.null(),
                        });
                    }
                    args.push(self.field(now));
                    if has(1) {
                        args.push(match bar {
                            Some(bar) => self.field(bar),
                            None => self.b.null(),
                        });
                    }
                }
                (None, kind) => {
                    let ty = match kind {
                        Kind::Used => item.ty,
                        _ => Type::Ptr,
                    };
                    args.push(self.get(tape.arguments[item.outer], ty));
                    if has(0) {
                        args.push(match tape.shadows[item.outer] {
                            Some(shadow) => self.get(shadow, Type::Ptr),
                            None => self.b.null(),
                        });
                    }
                }
            }
        }
        self.call(callee, args);
    }
}

/// The functions of `checkpoint.c`.
struct Driver {
    new: Func,
    piece: Func,
    forward: Func,
    forward_open: Func,
    reverse: Func,
}

impl Driver {
    fn of(m: &Module, outlined_at: adjoin_ir::Span) -> Result<Driver> {
        let find = |name: &str| {
            m.find_func(&format!("adjoin_checkpoint_{name}"))
                .ok_or_else(|| AdError::new(outlined_at, format!("without the function '{name}'")))
        };
        Ok(Driver {
            new: find("new")?,
            piece: find("piece")?,
            forward: find("forward")?,
            forward_open: find("forward_open")?,
            reverse: find("reverse")?,
        })
    }
}

fn augmented(
    session: &mut Session,
    m: &mut Module,
    key: &PairKey,
    pair: &Pair,
    outlined: &Outlined,
    tape: &Tape,
    advance: Func,
) -> Result<Body> {
    let mut runtime = Runtime::declare(m);
    let stop = runtime.stop(
        m,
        "adjoin: the memory that a checkpointed loop writes has no known extent",
    );
    let driver = Driver::of(m, outlined.span)?;
    let mut body = start(m, pair.split.augmented)?;
    let mut given = body.regions[body.entry].args.clone().into_iter();
    let mut primal = Vec::new();
    let mut shadow = Vec::new();
    for k in 0..tape.arguments.len() {
        primal.extend(given.next());
        shadow.push(match tape.shadows[k] {
            Some(_) => given.next(),
            None => None,
        });
    }
    if pair.frees {
        given.next();
    }
    let place = given.next();
    let _ = key;
    let mut b = Builder::new(&mut body);
    b.span = outlined.span;
    let size = m.types.size_of(tape.ctype).unwrap_or(0);
    let bytes = b.int(Type::U64, size.into());
    let zeroed = Op::Call(CallAttr {
        func: runtime.calloc,
        extra: Vec::new(),
    });
    let at = b.value(zeroed, vec![bytes], Type::Ptr);
    b.set_ctype(at, tape.pointer);
    b.set_name(at, "t");
    let mut w = Writer { m, b, tape, at };
    for k in 0..tape.arguments.len() {
        w.put(tape.arguments[k], primal[k]);
        if let (Some(field), Some(s)) = (tape.shadows[k], shadow[k]) {
            w.put(field, s);
        }
    }
    for (item, carried) in outlined.items.iter().zip(&tape.carried) {
        if let Some((now, bar)) = *carried {
            w.put(now, primal[item.outer]);
            if let (Some(bar), Some(s)) = (bar, shadow[item.outer]) {
                w.put(bar, s);
            }
        }
    }
    let (kind, number) = match outlined.how {
        Checkpoint::Root => (0, 0),
        Checkpoint::Every(n) => (1, n),
        Checkpoint::Binomial(n) => (2, n),
        Checkpoint::Memory(n) => (3, n),
    };
    let kind = w.b.int(Type::I64, kind);
    let number =
        w.b.int(Type::I64, i64::try_from(number).unwrap_or(i64::MAX).into());
    let Some(checkpoints) = w.call(driver.new, vec![kind, number]) else {
        return Err(AdError::new(outlined.span, "without its checkpoints"));
    };
    w.put(tape.checkpoints, checkpoints);
    let put = |w: &mut Writer<'_>, address: Value, bytes: Value, constant: bool| {
        let constant = w.b.int(Type::I64, constant.into());
        w.call(driver.piece, vec![checkpoints, address, bytes, constant]);
    };
    let piece = |w: &mut Writer<'_>, address, bytes| put(w, address, bytes, false);
    for (item, carried) in outlined.items.iter().zip(&tape.carried) {
        let bytes = w.b.int(Type::I64, item.ty.size().into());
        match (*carried, item.kind) {
            (Some((now, bar)), _) => {
                let address = w.field(now);
                piece(&mut w, address, bytes);
                if let Some(bar) = bar {
                    let address = w.field(bar);
                    piece(&mut w, address, bytes);
                }
            }
            (None, Kind::CarriedNumber | Kind::Result) => {
                piece(&mut w, primal[item.outer], bytes);
            }
            _ => {}
        }
    }
    for block in &outlined.blocks {
        let (address, bytes) = match &block.extent {
            Extent::Given { address, bytes, .. } => (primal[*address], primal[*bytes]),
            Extent::Accessed { .. } => {
                accessed(session, &mut w, outlined, &block.extent, &primal, stop)?
            }
        };
        put(&mut w, address, bytes, block.constant);
    }
    for &cell in &outlined.cells {
        if let Some(s) = shadow[cell] {
            let bytes = w.b.int(Type::I64, 8);
            piece(&mut w, s, bytes);
        }
    }
    let function = w.b.func(advance);
    let at = w.at;
    match outlined.open {
        false => w.call(
            driver.forward,
            vec![checkpoints, primal[TRIPS], at, function],
        ),
        true => {
            let ran = w.field(tape.ran);
            w.call(
                driver.forward_open,
                vec![checkpoints, primal[TRIPS], ran, at, function],
            )
        }
    };
    for (item, carried) in outlined.items.iter().zip(&tape.carried) {
        if let Some((now, bar)) = *carried {
            let v = w.get(now, item.ty);
            w.b.store(primal[item.outer + 1], v);
            if let (Some(bar), Some(s)) = (bar, shadow[item.outer + 1]) {
                let v = w.get(bar, Type::Ptr);
                w.b.store(s, v);
            }
        }
    }
    if let Some(place) = place {
        w.b.store(place, at);
    }
    w.b.ret(&[]);
    Ok(body)
}

/// The address and the number of the bytes that the loop accesses behind a parameter.
fn accessed(
    session: &mut Session,
    w: &mut Writer<'_>,
    outlined: &Outlined,
    extent: &Extent,
    primal: &[Value],
    stop: Func,
) -> Result<(Value, Value)> {
    let Extent::Accessed {
        address,
        low,
        high,
        conditions,
        ..
    } = extent
    else {
        return Err(AdError::new(outlined.span, "this memory"));
    };
    let prepared = session.pairs_prepared(outlined.steps);
    let Some(prepared) = prepared else {
        return Err(AdError::new(outlined.span, "this loop"));
    };
    let p = &*prepared.body;
    let formals = &p.regions[p.entry].args;
    let mut values = HashMap::new();
    let trips = w.b.cast(outlined.index, primal[TRIPS]);
    let last = w.b.add(primal[LOWER], trips);
    values.insert(formals[0], primal[LOWER]);
    values.insert(formals[1], last);
    for item in &outlined.items {
        for k in 0..item.kind.parameters() {
            values.insert(formals[item.inner + k], primal[item.outer + k]);
        }
    }
    let mut emitter = Emitter::new(p, &mut w.b, values);
    let (begin, bytes, holds) = emitter.extent(primal[*address], [low, high], conditions);
    // Arguments for which the extent does not hold. A loop that does not run needs none.
    let zero = w.b.int(Type::I64, 0);
    let nothing = w.b.le(primal[TRIPS], zero);
    let holds = w.b.or(nothing, holds);
    let bytes = w.b.select(nothing, zero, bytes);
    let (_, then, otherwise) = w.b.if_(holds, &[]);
    w.b.inside(then, |b| {
        b.yield_(&[]);
    });
    let signature = Signature::of(&w.m.types, w.m.funcs[stop].ctype);
    w.b.inside(otherwise, |b| {
        if let Some(signature) = &signature {
            b.call(signature, stop, vec![], vec![]);
        }
        b.yield_(&[]);
    });
    Ok((begin, bytes))
}

fn reverse(m: &mut Module, pair: &Pair, tape: &Tape, [again, back]: [Func; 2]) -> Result<Body> {
    let void = m.types.void();
    let address = m.types.pointer(void);
    let free = external(m, "free", void, &[address]);
    let span = m.funcs[pair.split.reverse].span;
    let driver = Driver::of(m, span)?;
    let mut body = start(m, pair.split.reverse)?;
    let Some(&context) = body.regions[body.entry].args.last() else {
        return Err(AdError::new(span, "a reverse function without a tape"));
    };
    let mut b = Builder::new(&mut body);
    b.span = span;
    let at = b.addr(context, tape.ctype, vec![], &[]);
    b.set_ctype(at, tape.pointer);
    b.set_name(at, "t");
    let mut w = Writer { m, b, tape, at };
    let checkpoints = w.get(tape.checkpoints, Type::Ptr);
    let [again, back] = [again, back].map(|f| w.b.func(f));
    w.call(driver.reverse, vec![checkpoints, context, again, back]);
    w.call(free, vec![context]);
    w.b.ret(&[]);
    Ok(body)
}

/// Puts it into words.
fn explain(session: &mut Session, outlined: &Outlined) {
    let Some(reports) = &mut session.explaining else {
        return;
    };
    let once = |block: &super::Block| match block.constant {
        true => ", once for all",
        false => "",
    };
    let carried = |item: &&Item| item.kind != Kind::Used && item.kind != Kind::UsedNumber;
    let mut holds: Vec<String> = (outlined.items.iter().filter(carried))
        .map(|item| format!("{} ({} bytes)", item.name, item.ty.size()))
        .collect();
    holds.extend(outlined.blocks.iter().map(|block| match &block.extent {
        Extent::Given { text, .. } => format!("{} ({text}{})", block.name, once(block)),
        Extent::Accessed { .. } => {
            format!("{} (what the loop accesses{})", block.name, once(block))
        }
    }));
    if let Some(report) = reports.first_mut() {
        report.checkpoints.push(Checkpointed {
            span: outlined.span,
            how: outlined.how,
            open: outlined.open,
            holds,
            refused: None,
        });
    }
}
