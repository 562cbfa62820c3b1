//! Random modules: what the builder makes round-trips through the text form, and the verifier copes with
//! whatever is done to it.

mod common;

use adjoin_ir::ctype::{EnumData, Field, Record, RecordData, TagScope};
use adjoin_ir::*;
use common::{Random, count};

/// Random choices.
trait Choose {
    fn chance(&mut self, one_in: usize) -> bool;
    fn pick<T: Clone>(&mut self, list: &[T]) -> T;
    fn name(&mut self) -> String;
    fn optional_name(&mut self) -> Option<String>;
    fn span(&mut self) -> Span;
}

impl Choose for Random {
    fn chance(&mut self, one_in: usize) -> bool {
        self.below(one_in) == 0
    }
    fn pick<T: Clone>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())].clone()
    }
    /// Names that clash, are words of the text form, or are no words at all.
    fn name(&mut self) -> String {
        let odd = [
            "",
            "_",
            "int",
            "func",
            "v1",
            "as",
            "a b",
            "é\u{1F980}",
            "\"\\\n\0",
            "#1",
            "struct",
            "x.1",
            "align",
        ];
        if self.chance(3) {
            self.pick(&odd).to_string()
        } else {
            format!("x{}", self.below(6))
        }
    }
    fn optional_name(&mut self) -> Option<String> {
        if self.chance(2) {
            Some(self.name())
        } else {
            None
        }
    }
    fn span(&mut self) -> Span {
        if self.chance(2) {
            return Span::default();
        }
        Span {
            file: self.below(2) as u32,
            line: self.below(99) as u32,
            col: self.below(99) as u32,
        }
    }
}

struct Generator {
    random: Random,
    module: Module,
    /// Object types with a size, that a slot can have.
    types: Vec<CTy>,
    records: Vec<Record>,
}

impl Generator {
    fn module(seed: u64) -> Module {
        let mut g = Generator {
            random: Random(seed),
            module: Module::new(),
            types: vec![],
            records: vec![],
        };
        g.module.files = vec![g.random.name(), g.random.name()];
        g.make_types();
        g.make_symbols();
        for f in g.module.funcs.keys().collect::<Vec<_>>() {
            if g.random.chance(3) {
                continue;
            }
            let body = g.make_body(f);
            g.module.funcs[f].body = Some(body);
        }
        g.module
    }

    fn make_types(&mut self) {
        for b in Basic::ALL {
            self.types.push(self.module.types.basic(b));
        }
        for _ in 0..self.random.below(40) {
            let t = self.random.pick(&self.types);
            let types = &mut self.module.types;
            let new = match self.random.below(9) {
                0 => types.pointer(t),
                1 => {
                    let len = self.random.below(5) as u64;
                    types.array(t, Some(len))
                }
                2 => {
                    let q = self.random.below(15) + 1;
                    let bit = |k: usize| q & (1 << k) != 0;
                    let quals = Quals {
                        is_const: bit(0),
                        is_volatile: bit(1),
                        is_restrict: bit(2),
                        is_atomic: bit(3),
                    };
                    types.qualified(t, quals)
                }
                3 => {
                    let name = self.random.name();
                    types.intern(CTypeKind::Typedef { name, target: t })
                }
                4 => {
                    let params = (0..self.random.below(4))
                        .map(|_| self.random.pick(&self.types))
                        .collect();
                    let (variadic, prototyped) = (self.random.chance(3), !self.random.chance(4));
                    let f = types.intern(CTypeKind::Function {
                        ret: t,
                        params,
                        variadic,
                        prototyped,
                    });
                    types.pointer(f)
                }
                5 => {
                    let id = self.random.pick(&[0, 1, u32::MAX]);
                    let vla = types.intern(CTypeKind::Vla { elem: t, id });
                    types.pointer(vla)
                }
                6 => types.intern(CTypeKind::VaList),
                7 => {
                    let constants = (0..self.random.below(3))
                        .map(|k| (self.random.name(), k as i128 - 1))
                        .collect();
                    let e = types.enums.push(EnumData {
                        tag: self.random.optional_name(),
                        scope: self.random.pick(&[TagScope::File, TagScope::Block]),
                        typedef_name: self.random.optional_name(),
                        constants,
                        underlying: Basic::UInt,
                        complete: !self.random.chance(4),
                    });
                    types.intern(CTypeKind::Enum(e))
                }
                _ => self.make_record(),
            };
            self.types.push(new);
        }
    }

    fn make_record(&mut self) -> CTy {
        let r = self.module.types.records.push(RecordData {
            is_union: self.random.chance(3),
            tag: self.random.optional_name(),
            scope: self.random.pick(&[TagScope::File, TagScope::Block]),
            typedef_name: self.random.optional_name(),
            fields: None,
            size: 0,
            align: 8,
            packed: self.random.chance(4),
        });
        let t = self.module.types.intern(CTypeKind::Record(r));
        if self.random.chance(5) {
            // It stays incomplete: only pointers to it can be used.
            return self.module.types.pointer(t);
        }
        let own_pointer = self.module.types.pointer(t);
        let mut fields = vec![Field {
            name: Some("self".into()),
            ty: own_pointer,
            offset: 0,
            bits: None,
        }];
        let mut size = 8;
        for _ in 0..self.random.below(4) {
            let ty = self.random.pick(&self.types);
            let bits = self
                .module
                .types
                .arithmetic(ty)
                .filter(|b| b.is_integer() && b.size() > 1);
            let bits = bits
                .filter(|_| self.random.chance(3))
                .map(|_| (self.random.below(5) as u32, 3));
            fields.push(Field {
                name: self.random.optional_name(),
                ty,
                offset: size,
                bits,
            });
            size += self
                .module
                .types
                .size_of(ty)
                .unwrap_or(0)
                .next_multiple_of(8);
        }
        let data = &mut self.module.types.records[r];
        (data.fields, data.size) = (Some(fields), size);
        self.records.push(r);
        t
    }

    fn make_symbols(&mut self) {
        for _ in 0..1 + self.random.below(4) {
            let ret = self.random.pick(&self.types);
            let params: Vec<CTy> = (0..self.random.below(4))
                .map(|_| self.random.pick(&self.types))
                .collect();
            let param_names = params.iter().map(|_| self.random.optional_name()).collect();
            let (variadic, prototyped) = (self.random.chance(3), !self.random.chance(4));
            let kind = CTypeKind::Function {
                ret,
                params,
                variadic,
                prototyped,
            };
            self.module.funcs.push(Function {
                name: self.random.name(),
                ctype: self.module.types.intern(kind),
                param_names,
                linkage: self.random.pick(&[Linkage::External, Linkage::Static]),
                inline: self.random.chance(3),
                noreturn: self.random.chance(3),
                span: self.random.span(),
                body: None,
            });
        }
        let funcs: Vec<Func> = self.module.funcs.keys().collect();
        for k in 0..self.random.below(5) {
            let ctype = self.random.pick(&self.types);
            let size = self.module.types.size_of(ctype).unwrap_or(0) as usize;
            let shown = self.random.below(size.min(100) + 1);
            let mut bytes: Vec<u8> = (0..shown).map(|_| self.random.next() as u8).collect();
            if self.random.chance(2) {
                bytes
                    .iter_mut()
                    .for_each(|b| *b = b"ab \0\n\"\\"[*b as usize % 7]);
            }
            let mut relocs = Vec::new();
            if size >= 8 {
                let target = if k > 0 && self.random.chance(2) {
                    RelocTarget::Global(Global::from_u32(k as u32 - 1))
                } else {
                    RelocTarget::Func(self.random.pick(&funcs))
                };
                relocs.push(Reloc {
                    offset: self.random.below(size - 7) as u64,
                    target,
                    addend: -(k as i64),
                });
            }
            let linkage =
                self.random
                    .pick(&[Linkage::External, Linkage::StaticLocal, Linkage::Literal]);
            let owned = linkage == Linkage::StaticLocal || self.random.chance(2);
            let owner = owned.then(|| self.random.pick(&funcs));
            self.module.globals.push(GlobalData {
                name: self.random.name(),
                ctype,
                linkage,
                owner,
                init: if self.random.chance(3) {
                    None
                } else {
                    Some(Init { bytes, relocs })
                },
                thread_local: self.random.chance(3),
                align: self.random.pick(&[0, 8, 64]),
                span: self.random.span(),
            });
        }
    }

    fn make_body(&mut self, f: Func) -> Body {
        let function = self.module.funcs[f].clone();
        let types = self.module.types.clone();
        let mut body =
            Body::with_params(&types, function.ctype, &function.param_names).expect("a signature");
        let signature = Signature::of(&types, function.ctype).expect("a signature");
        let visible = body.regions[body.entry].args.clone();
        let mut b = Builder::new(&mut body);
        self.fill(&mut b, visible, 3);
        match signature.ret {
            Return::Void => b.ret(&[]),
            Return::Scalar(ty) => {
                let v = b.zero_of(ty);
                b.ret(&[v])
            }
            Return::Aggregate(t) => {
                let v = b.slot(t, None);
                b.ret(&[v])
            }
        };
        body
    }

    /// Adds instructions; the values that can be used are those visible so far.
    fn fill(&mut self, b: &mut Builder<'_>, mut visible: Vec<Value>, depth: usize) {
        for _ in 0..self.random.below(12) {
            b.span = self.random.span();
            let v = self.instruction(b, &visible, depth);
            visible.extend(v);
        }
        b.span = Span::default();
    }

    fn instruction(
        &mut self,
        b: &mut Builder<'_>,
        visible: &[Value],
        depth: usize,
    ) -> Option<Value> {
        let any = if visible.is_empty() {
            b.int(Type::I64, -1)
        } else {
            self.random.pick(visible)
        };
        let ty = b.body.ty(any);
        let condition = b.bool_(true);
        let v = match self.random.below(if depth > 0 { 16 } else { 9 }) {
            0 => {
                let bits = self.random.next();
                b.constant(Type::F64, Const::Float { bits, text: None })
            }
            1 => b.zero_of(ty),
            2 if !matches!(ty, Type::Ptr | Type::Bool) => b.mul(any, any),
            3 => b.eq(any, any),
            4 => b.select(condition, any, any),
            5 => {
                let (ctype, name) = (self.random.pick(&self.types), self.random.optional_name());
                b.slot(ctype, name.as_deref())
            }
            6 => {
                let address = b.null();
                b.store(address, any);
                b.load_with(
                    ty,
                    address,
                    MemAttr {
                        volatile: self.random.chance(2),
                    },
                )
            }
            7 => self.address(b)?,
            8 => {
                let func = self
                    .random
                    .pick(&self.module.funcs.keys().collect::<Vec<_>>());
                return self.call(b, func);
            }
            9 => {
                let (inst, then, otherwise) = b.if_(condition, &[ty]);
                for region in [then, otherwise] {
                    b.inside(region, |b| {
                        self.fill(b, visible.to_vec(), depth - 1);
                        b.yield_(&[any])
                    });
                }
                b.body.result(inst)
            }
            10 => {
                let (zero, one) = (b.int(Type::I32, 0), b.int(Type::I32, 1));
                let pred = self
                    .random
                    .pick(&[Pred::Lt, Pred::Le, Pred::Gt, Pred::Ge, Pred::Ne]);
                let (inst, region) = b.for_(pred, zero, one, one, &[any]);
                b.inside(region, |b| {
                    let inner = [visible, &b.body.regions[region].args].concat();
                    self.fill(b, inner, depth - 1);
                    if self.random.chance(2) {
                        b.continue_(inst, &[any])
                    } else {
                        b.break_(inst, &[any])
                    }
                });
                b.body.insts[inst].results[1]
            }
            11 => {
                let (inst, region) = b.loop_(&[any], &[ty]);
                b.inside(region, |b| {
                    self.fill(b, visible.to_vec(), depth - 1);
                    let (_, inner) = b.block(&[]);
                    b.inside(inner, |b| b.break_(inst, &[any]));
                    b.yield_(&[any])
                });
                b.body.result(inst)
            }
            12 => {
                let case = |low, high, default| Case {
                    values: vec![(low, high)],
                    default,
                };
                let cases = vec![case(1, 1, false), Case::default(), case(-5, 0, true)];
                let value = b.int(Type::I32, 3);
                let (inst, regions) = b.switch(value, &[any], cases, &[ty]);
                b.inside(regions[0], |b| b.fallthrough(inst, &[any]));
                b.inside(regions[1], |b| b.break_(inst, &[any]));
                b.inside(regions[2], |b| {
                    self.fill(b, visible.to_vec(), depth - 1);
                    b.unreachable()
                });
                b.body.result(inst)
            }
            13 => {
                let (ctype, name) = (self.random.pick(&self.types), self.random.name());
                let kinds = [
                    DataKind::Shared,
                    DataKind::Reduction(ReduceOp::LogOr),
                    DataKind::CopyIn,
                ];
                let (kind, section) = (self.random.pick(&kinds), self.random.chance(2));
                let data = Clause::Data {
                    kind,
                    ctype,
                    name,
                    section,
                };
                let modifier = self.random.optional_name();
                let chunk = self.random.chance(2);
                let schedule = Clause::Schedule {
                    kind: Schedule::Guided,
                    chunk,
                    modifier,
                };
                let clauses = vec![
                    data,
                    schedule,
                    Clause::Verbatim(self.random.name()),
                    Clause::If,
                ];
                let mut operands = vec![b.null()];
                if section {
                    operands.push(b.int(Type::U64, 4));
                }
                if chunk {
                    operands.push(b.int(Type::I32, 4));
                }
                operands.push(condition);
                let directive = Directive::Critical {
                    name: self.random.optional_name(),
                };
                let (_, region) = b.par(directive, clauses, operands);
                b.inside(region, |b| {
                    self.fill(b, visible.to_vec(), depth - 1);
                    b.yield_(&[])
                });
                return None;
            }
            _ => b.cast(Type::Bool, any),
        };
        if self.random.chance(3) {
            let name = self.random.name();
            b.set_name(v, &name);
        }
        let fitting = self
            .types
            .iter()
            .find(|&&t| Type::of_ctype(&self.module.types, t) == Some(b.body.ty(v)));
        if let Some(&t) = fitting.filter(|_| self.random.chance(2)) {
            b.set_ctype(v, t);
        }
        Some(v)
    }

    fn address(&mut self, b: &mut Builder<'_>) -> Option<Value> {
        let types = &self.module.types;
        let base = b.null();
        let index = b.int(Type::I8, 3);
        if self.records.is_empty() || self.random.chance(3) {
            let pointee = self.random.pick(&self.types);
            let stride = types.size_of(pointee)?;
            let steps = vec![
                Step::Index { stride },
                Step::Bytes(-4),
                Step::Index { stride: 77 },
            ];
            return Some(b.addr(base, pointee, steps, &[index, index]));
        }
        let record = self.random.pick(&self.records);
        let fields = types.records[record].fields.as_ref()?;
        let field = self.random.below(fields.len());
        let pointee = types
            .all()
            .find(|(_, k)| **k == CTypeKind::Record(record))?
            .0;
        let address = b.field(types, base, pointee, record, field as u32);
        if let Some((first, width)) = fields[field].bits {
            let attr = BitsAttr {
                first,
                width,
                volatile: self.random.chance(2),
                record,
                field: field as u32,
            };
            return Some(b.load_bits(Type::I32, address, attr));
        }
        let size = types.size_of(fields[field].ty)?;
        b.copy(address, address, size, Some(fields[field].ty));
        Some(address)
    }

    fn call(&mut self, b: &mut Builder<'_>, func: Func) -> Option<Value> {
        let types = &self.module.types;
        let ctype = self.module.funcs[func].ctype;
        let signature = Signature::of(types, ctype)?;
        let extra = if signature.variadic || !signature.prototyped {
            vec![self.types[6], self.types[16]]
        } else {
            vec![]
        };
        let operands = signature.operands(types, &extra)?;
        let mut args: Vec<Value> = operands.iter().map(|&ty| b.zero_of(ty)).collect();
        if self.random.chance(2) {
            return b.call(&signature, func, args, extra);
        }
        args.insert(0, b.null());
        b.call_indirect(&signature, ctype, args, extra)
    }
}

#[test]
fn random_modules_round_trip() {
    for seed in 0..count(150) {
        let module = Generator::module(seed);
        if let Err(errors) = verify_module(&module) {
            panic!("seed {seed}: {}\n{}", errors[0], print_module(&module));
        }
        let printed = print_module(&module);
        let again =
            parse_module(&printed).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{printed}"));
        assert!(
            module.canonical() == again.canonical(),
            "seed {seed}:\n{printed}"
        );
        assert_eq!(print_module(&again), printed, "seed {seed}");
    }
}

/// Does something wrong (or harmless) to a body.
fn damage(module: &mut Module, random: &mut Random) {
    let funcs: Vec<Func> = module
        .funcs
        .keys()
        .filter(|&f| module.funcs[f].body.is_some())
        .collect();
    if funcs.is_empty() {
        return;
    }
    let f = random.pick(&funcs);
    let Some(body) = &mut module.funcs[f].body else {
        return;
    };
    let id = |random: &mut Random, n: usize| random.below(n + 2) as u32;
    let (values, insts, regions) = (body.values.len(), body.insts.len(), body.regions.len());
    if insts == 0 {
        return;
    }
    let i = Inst::from_u32(random.below(insts) as u32);
    let r = Region::from_u32(random.below(regions) as u32);
    let value = Value::from_u32(id(random, values));
    let inst = Inst::from_u32(id(random, insts));
    let region = Region::from_u32(id(random, regions));
    let (ctype, small) = (
        CTy::from_u32(random.below(60) as u32),
        random.below(4) as u32,
    );
    let data = &mut body.insts[i];
    match random.below(12) {
        0 => data.args.push(value),
        1 => drop(data.args.pop()),
        2 => data.args.iter_mut().for_each(|v| *v = value),
        3 => data.results.push(value),
        4 => data.regions.push(region),
        5 => drop(data.regions.pop()),
        6 => data.parent = region,
        7 => body.regions[r].insts.push(inst),
        8 => drop(body.regions[r].insts.pop()),
        9 => body.regions[r].parent = Some(inst),
        10 => {
            data.op = random.pick(&[
                Op::Break(inst),
                Op::Continue(inst),
                Op::Fallthrough(inst),
                Op::Yield,
                Op::Loop,
                Op::Add,
                Op::Slot(SlotAttr {
                    ctype,
                    name: None,
                    align: 0,
                }),
                Op::Call(CallAttr {
                    func: Func::from_u32(small),
                    extra: vec![],
                }),
                Op::GlobalAddr(Global::from_u32(small)),
                Op::Switch(SwitchAttr { cases: vec![] }),
                Op::For(ForAttr {
                    pred: Pred::Lt,
                    independent: small % 2 == 1,
                    in_turn: small % 3 == 1,
                    on_demand: small % 5 == 1,
                }),
                Op::Par(ParAttr {
                    directive: Directive::Barrier,
                    clauses: vec![Clause::If],
                }),
                Op::Mpi(MpiAttr {
                    func: Func::from_u32(0),
                }),
            ]);
        }
        _ => {
            let v = Value::from_u32(random.below(values) as u32);
            if let Some(data) = body.values.get_mut(v) {
                data.ty = random.pick(&Type::ALL);
            }
        }
    }
}

/// The verifier never panics; what it accepts can be printed and read.
#[test]
fn damaged_modules_do_not_panic() {
    let mut random = Random(99);
    let mut accepted = 0;
    for seed in 0..count(150) {
        let original = Generator::module(seed);
        for _ in 0..10 {
            let mut module = original.clone();
            for _ in 0..1 + random.below(3) {
                damage(&mut module, &mut random);
            }
            match verify_module(&module) {
                Ok(()) => {
                    accepted += 1;
                    let printed = print_module(&module);
                    let again = parse_module(&printed)
                        .unwrap_or_else(|e| panic!("seed {seed}: {e}\n{printed}"));
                    assert!(
                        module.canonical() == again.canonical(),
                        "seed {seed}:\n{printed}"
                    );
                }
                Err(errors) => {
                    let tree = errors.iter().all(|e| !(6..=7).contains(&e.invariant));
                    for f in module.funcs.keys().filter(|_| tree) {
                        print_function(&module, f);
                    }
                }
            }
        }
    }
    println!("{accepted} damaged modules were still right");
}
