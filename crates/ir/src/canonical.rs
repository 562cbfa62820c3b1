//! The canonical form of a module: what it says, without how it was built. Values, instructions and regions are numbered in
//! program order and dead ones are gone; only the types that are used are there, in the order of their first
//! use. Two modules are the same program text if and only if their canonical forms are equal.

use crate::ctype::{CTy, CTypeKind, CTypes, Enum, Record};
use crate::link::LinkTypes;
use crate::module::*;
use crate::text::IdMap;
use cranelift_entity::PrimaryMap;
use std::collections::HashMap;

impl Module {
    /// The canonical form. Its ids must be in range.
    pub fn canonical(&self) -> Module {
        let mut types = TypeMap::new(&self.types);
        let mut out = Module {
            files: self.files.clone(),
            checkpoints: self.checkpoints.clone(),
            ..Module::default()
        };
        for data in self.globals.values() {
            out.globals.push(GlobalData {
                ctype: types.map(data.ctype),
                ..data.clone()
            });
        }
        for data in self.funcs.values() {
            let ctype = types.map(data.ctype);
            let body = data.body.as_ref().map(|b| canonical_body(b, &mut types));
            out.funcs.push(Function {
                ctype,
                body,
                ..data.clone_head()
            });
        }
        out.types = types.finish();
        out
    }
}

impl Function {
    fn clone_head(&self) -> Function {
        Function {
            name: self.name.clone(),
            ctype: self.ctype,
            param_names: self.param_names.clone(),
            linkage: self.linkage,
            inline: self.inline,
            noreturn: self.noreturn,
            span: self.span,
            body: None,
        }
    }
}

/// Types of one table as types of a new one.
pub(crate) struct TypeMap<'a> {
    pub(crate) old: &'a CTypes,
    pub(crate) new: CTypes,
    types: HashMap<CTy, CTy>,
    records: HashMap<Record, Record>,
    /// In the order of the new table; members are mapped at the end.
    pending: Vec<Record>,
    enums: HashMap<Enum, Enum>,
    /// When the new table is that of a program that grows.
    pub(crate) link: Option<LinkTypes>,
}

impl<'a> TypeMap<'a> {
    pub(crate) fn new(old: &'a CTypes) -> Self {
        TypeMap {
            old,
            new: CTypes::new(),
            types: HashMap::new(),
            records: HashMap::new(),
            pending: Vec::new(),
            enums: HashMap::new(),
            link: None,
        }
    }

    /// Maps a type, its parts first. On a stack of its own, as types can be nested deeply.
    pub(crate) fn map(&mut self, t: CTy) -> CTy {
        let mut stack = vec![t];
        while let Some(&top) = stack.last() {
            if !self.types.contains_key(&top) {
                let parts = self.old.kind(top).parts();
                let missing = parts.iter().rev().filter(|p| !self.types.contains_key(p));
                let before = stack.len();
                stack.extend(missing);
                if stack.len() > before {
                    continue;
                }
                let kind = self.map_kind(self.old.kind(top));
                let new = self.new.intern(kind);
                self.types.insert(top, new);
            }
            stack.pop();
        }
        self.types[&t]
    }

    /// The shape with its parts mapped, which must have been done.
    fn map_kind(&mut self, kind: &CTypeKind) -> CTypeKind {
        let map = |t: &CTy| self.types[t];
        match kind {
            CTypeKind::Void | CTypeKind::Basic(_) | CTypeKind::VaList => kind.clone(),
            CTypeKind::Pointer(p) => CTypeKind::Pointer(map(p)),
            CTypeKind::Array { elem, len } => CTypeKind::Array {
                elem: map(elem),
                len: *len,
            },
            CTypeKind::Vla { elem, id } => CTypeKind::Vla {
                elem: map(elem),
                id: *id,
            },
            CTypeKind::Function {
                ret,
                params,
                variadic,
                prototyped,
            } => CTypeKind::Function {
                ret: map(ret),
                params: params.iter().map(map).collect(),
                variadic: *variadic,
                prototyped: *prototyped,
            },
            CTypeKind::Typedef { name, target } => {
                let target = map(target);
                let clash = self.link.as_ref().is_some_and(|link| {
                    link.typedefs.get(name).is_some_and(|&t| {
                        !matches!(self.new.kind(t), CTypeKind::Typedef { target: other, .. } if *other == target)
                    })
                });
                if clash {
                    // The name means something else already: the type goes without it.
                    return self.new.kind(target).clone();
                }
                CTypeKind::Typedef {
                    name: name.clone(),
                    target,
                }
            }
            CTypeKind::Qualified { quals, inner } => CTypeKind::Qualified {
                quals: *quals,
                inner: map(inner),
            },
            CTypeKind::Vector { elem, lanes } => CTypeKind::Vector {
                elem: map(elem),
                lanes: *lanes,
            },
            CTypeKind::Record(r) => CTypeKind::Record(self.map_record(*r)),
            CTypeKind::Enum(e) => CTypeKind::Enum(self.map_enum(*e)),
        }
    }

    pub(crate) fn map_record(&mut self, r: Record) -> Record {
        if let Some(&new) = self.records.get(&r) {
            return new;
        }
        let data = &self.old.records[r];
        let same = self.link.as_ref().and_then(|_| self.same_record(data));
        let new = match same {
            // A declaration meets its definition.
            Some(new) if self.new.records[new].fields.is_none() && data.fields.is_some() => {
                self.new.records[new] = data.clone();
                self.pending.push(r);
                new
            }
            Some(new) => new,
            None => {
                self.pending.push(r);
                self.add_record(data.clone())
            }
        };
        self.records.insert(r, new);
        new
    }

    /// Two records are the same. Not news: they were said to be already.
    pub(crate) fn pair_records(&mut self, old: Record, new: Record) -> bool {
        self.records.insert(old, new).is_none()
    }

    fn map_enum(&mut self, e: Enum) -> Enum {
        if let Some(&new) = self.enums.get(&e) {
            return new;
        }
        let data = &self.old.enums[e];
        let same = self.link.as_ref().and_then(|_| self.same_enum(data));
        let data = data.clone();
        let new = same.unwrap_or_else(|| self.add_enum(data));
        self.enums.insert(e, new);
        new
    }

    /// Maps the types of members, which may bring in more records.
    pub(crate) fn finish(mut self) -> CTypes {
        let mut done = 0;
        while let Some(&r) = self.pending.get(done) {
            done += 1;
            let Some(mut fields) = self.old.records[r].fields.clone() else {
                continue;
            };
            for field in &mut fields {
                field.ty = self.map(field.ty);
            }
            let new = self.records[&r];
            self.new.records[new].fields = Some(fields);
        }
        self.new
    }
}

impl CTypeKind {
    /// The types that it is made of, in order.
    pub fn parts(&self) -> Vec<CTy> {
        match self {
            CTypeKind::Pointer(t)
            | CTypeKind::Array { elem: t, .. }
            | CTypeKind::Vla { elem: t, .. }
            | CTypeKind::Typedef { target: t, .. }
            | CTypeKind::Qualified { inner: t, .. }
            | CTypeKind::Vector { elem: t, .. } => vec![*t],
            CTypeKind::Function { ret, params, .. } => params
                .iter()
                .copied()
                .chain(std::iter::once(*ret))
                .collect(),
            CTypeKind::Void
            | CTypeKind::Basic(_)
            | CTypeKind::Record(_)
            | CTypeKind::Enum(_)
            | CTypeKind::VaList => Vec::new(),
        }
    }
}

/// The ids of a body in program order.
struct BodyMap<'a, 'b> {
    types: &'b mut TypeMap<'a>,
    insts: HashMap<Inst, Inst>,
}

impl IdMap for BodyMap<'_, '_> {
    fn ctype(&mut self, t: &mut CTy) {
        *t = self.types.map(*t);
    }
    fn record(&mut self, r: &mut Record) {
        *r = self.types.map_record(*r);
    }
    fn inst(&mut self, i: &mut Inst) {
        // A terminator names an instruction around it, which has been numbered; a broken one keeps its number.
        *i = self.insts.get(i).copied().unwrap_or(*i);
    }
}

fn canonical_body(body: &Body, types: &mut TypeMap<'_>) -> Body {
    let mut out = Body {
        values: PrimaryMap::new(),
        insts: PrimaryMap::new(),
        regions: PrimaryMap::new(),
        entry: body.entry,
    };
    let mut values: HashMap<Value, Value> = HashMap::new();
    let mut map = BodyMap {
        types,
        insts: HashMap::new(),
    };
    out.entry = out.regions.push(RegionData::default());
    // Regions to do: the old one, the new one, the next instruction.
    let mut stack = vec![(body.entry, out.entry, 0)];
    while let Some((old_region, region, k)) = stack.pop() {
        if k == 0 {
            for &v in &body.regions[old_region].args {
                let ctype = body.values[v].ctype.map(|t| map.types.map(t));
                let new = out.add_arg(region, body.values[v].ty);
                out.values[new].ctype = ctype;
                out.values[new].name = body.values[v].name.clone();
                values.insert(v, new);
            }
        }
        let Some(&old) = body.regions[old_region].insts.get(k) else {
            continue;
        };
        let data = &body.insts[old];
        // An operand that is defined nowhere before (in a broken body) becomes an argument of no region.
        let args = data.args.iter().map(|v| {
            values.get(v).copied().unwrap_or_else(|| {
                let def = ValueDef::Arg(out.entry, u32::MAX);
                out.values.push(ValueData {
                    def,
                    ctype: None,
                    ..body.values[*v].clone()
                })
            })
        });
        let args = args.collect();
        let inst = out.append(region, data.op.clone(), args, data.span);
        map.insts.insert(old, inst);
        for &v in &data.results {
            let ctype = body.values[v].ctype.map(|t| map.types.map(t));
            let new = out.add_result(inst, body.values[v].ty);
            out.values[new].ctype = ctype;
            out.values[new].name = body.values[v].name.clone();
            values.insert(v, new);
        }
        let mut op = data.op.clone();
        op.map_ids(&mut map);
        out.insts[inst].op = op;
        stack.push((old_region, region, k + 1));
        let inner: Vec<_> = data
            .regions
            .iter()
            .map(|&r| (r, out.add_region(inst), 0))
            .collect();
        stack.extend(inner.into_iter().rev());
    }
    out
}
