//! Linking: several translation units become one module, as a linker would make one program of them.
//!
//! What has external linkage is one thing wherever it is declared; a definition wins over declarations. What is `static`, and literals, stay apart,
//! under a name of their own if theirs is taken. Types are one where they look alike: C asks for that of a program whose
//! files share objects of these types.

use crate::attr::{CallAttr, IndirectAttr};
use crate::builder::Builder;
use crate::canonical::TypeMap;
use crate::ctype::{CTy, CTypeKind, CTypes, Enum, EnumData, Record, RecordData};
use crate::module::*;
use crate::op::Op;
use crate::signature::Signature;
use crate::text::IdMap;
use crate::types::Type;
use std::collections::{HashMap, HashSet};

impl Module {
    /// Takes in another unit. `unit` distinguishes names that clash; it must be a part of a C identifier.
    pub fn absorb(&mut self, other: &Module, unit: &str) {
        let files = self.files.len() as u32;
        self.files.extend(other.files.iter().cloned());
        let checkpoints = other.checkpoints.iter();
        let checkpoints = checkpoints.map(|(&span, &how)| (moved(span, files), how));
        self.checkpoints.extend(checkpoints);
        let mut taken: HashSet<String> = self
            .funcs
            .values()
            .map(|f| f.name.clone())
            .chain(self.globals.values().map(|g| g.name.clone()))
            .collect();
        let types = std::mem::take(&mut self.types);
        let mut map = LinkMap {
            types: TypeMap::onto(&other.types, types, unit),
            globals: HashMap::new(),
            funcs: HashMap::new(),
        };
        let mut known_globals: HashMap<String, Global> = HashMap::new();
        for (g, data) in self.globals.iter() {
            if data.linkage == Linkage::External {
                known_globals.entry(data.name.clone()).or_insert(g);
            }
        }
        let mut known_funcs: HashMap<String, Vec<Func>> = HashMap::new();
        for (f, data) in self.funcs.iter() {
            if data.linkage == Linkage::External {
                known_funcs.entry(data.name.clone()).or_default().push(f);
            }
        }
        for (_, data) in other.globals.iter() {
            let shared = data.linkage == Linkage::External;
            if let Some(&known) = known_globals.get(&data.name).filter(|_| shared) {
                map.types.pair(data.ctype, self.globals[known].ctype);
            }
        }
        // Names first, since bodies and initialisers refer to each other.
        for (id, data) in other.globals.iter() {
            let shared = data.linkage == Linkage::External;
            let found = known_globals.get(&data.name).copied().filter(|_| shared);
            let new = found.unwrap_or_else(|| {
                self.globals.push(GlobalData {
                    name: fresh(&mut taken, &data.name, unit, shared),
                    ctype: map.types.map(data.ctype),
                    init: None,
                    owner: None,
                    span: moved(data.span, files),
                    ..data.clone()
                })
            });
            map.globals.insert(id, new);
        }
        for (id, data) in other.funcs.iter() {
            let shared = data.linkage == Linkage::External;
            let ctype = map.types.map(data.ctype);
            // A generic function of the compiler is another one for each type.
            let generic = data.name.starts_with("__builtin_");
            let fits = |f: &Func| shared && (!generic || self.funcs[*f].ctype == ctype);
            let of_name = known_funcs.get(&data.name).into_iter().flatten();
            let found = of_name.copied().find(fits);
            let new = found.unwrap_or_else(|| {
                self.funcs.push(Function {
                    name: fresh(&mut taken, &data.name, unit, shared),
                    ctype,
                    span: moved(data.span, files),
                    param_names: data.param_names.clone(),
                    linkage: data.linkage,
                    inline: data.inline,
                    noreturn: data.noreturn,
                    body: None,
                })
            });
            map.funcs.insert(id, new);
        }
        for (id, data) in other.globals.iter() {
            let new = map.globals[&id];
            self.globals[new].owner = data.owner.map(|f| map.funcs[&f]);
            if let (Some(init), None) = (&data.init, &self.globals[new].init) {
                let mut init = init.clone();
                for reloc in &mut init.relocs {
                    match &mut reloc.target {
                        RelocTarget::Global(g) => *g = map.globals[g],
                        RelocTarget::Func(f) => *f = map.funcs[f],
                    }
                }
                self.globals[new].init = Some(init);
                // The definition knows the length of the array.
                self.globals[new].ctype = map.types.map(data.ctype);
            }
        }
        let before: HashMap<Func, CTy> = self.funcs.iter().map(|(f, d)| (f, d.ctype)).collect();
        let mut declared = HashMap::new();
        let mut arrived = HashSet::new();
        for (id, data) in other.funcs.iter() {
            let new = map.funcs[&id];
            let ctype = map.types.map(data.ctype);
            declared.insert(new, ctype);
            if let (Some(body), None) = (&data.body, &self.funcs[new].body) {
                let body = map.body(body, files);
                let function = &mut self.funcs[new];
                function.body = Some(body);
                function.ctype = ctype;
                function.param_names = data.param_names.clone();
                function.span = moved(data.span, files);
                arrived.insert(new);
            }
        }
        self.types = map.types.finish();
        // Most units change no type of what was there.
        let changed = before.iter().any(|(&f, &t)| self.funcs[f].ctype != t);
        let callers = self.funcs.keys();
        let callers: Vec<Func> = callers.filter(|f| changed || arrived.contains(f)).collect();
        for caller in callers {
            let then = if arrived.contains(&caller) {
                &declared
            } else {
                &before
            };
            self.agree(caller, then);
        }
    }
}

impl Module {
    /// Makes the calls in a function fit the types of their callees, which were `then` in its unit. They differ where one file has a prototype and another
    /// the definition in the old style, or none. A call that cannot fit stays what it was, through a pointer.
    pub fn agree(&mut self, caller: Func, then: &HashMap<Func, CTy>) {
        let Some(mut body) = self.funcs[caller].body.take() else {
            return;
        };
        let mut calls = Vec::new();
        body.walk(|inst| {
            if let Op::Call(attr) = &body.insts[inst].op
                && let Some(&from) = then.get(&attr.func)
                && from != self.funcs[attr.func].ctype
            {
                calls.push((inst, attr.clone(), from));
            }
        });
        for (inst, attr, from) in calls {
            let args: Vec<Type> = body.insts[inst].args.iter().map(|&v| body.ty(v)).collect();
            let result = body.insts[inst].results.first().map(|&v| body.ty(v));
            match self.as_called(&attr, from, &args, result) {
                Some(extra) => body.insts[inst].op = Op::Call(CallAttr { extra, ..attr }),
                None => {
                    let callee = Builder::before(&mut body, inst).func(attr.func);
                    body.insts[inst].args.insert(0, callee);
                    body.insts[inst].op = Op::CallIndirect(IndirectAttr {
                        ctype: from,
                        extra: attr.extra,
                    });
                }
            }
        }
        self.funcs[caller].body = Some(body);
    }

    /// The extra arguments of a call under the callee's type of today, if it fits.
    fn as_called(
        &self,
        attr: &CallAttr,
        from: CTy,
        args: &[Type],
        result: Option<Type>,
    ) -> Option<Vec<CTy>> {
        let CTypeKind::Function {
            params, prototyped, ..
        } = self.types.shape(from)
        else {
            return None;
        };
        let mut extra = attr.extra.clone();
        if *prototyped {
            extra.splice(0..0, params.iter().copied());
        }
        let to = Signature::of(&self.types, self.funcs[attr.func].ctype)?;
        if to.prototyped {
            extra = extra.get(to.params.len()..)?.to_vec();
        }
        let fits = (extra.is_empty() || to.variadic || !to.prototyped)
            && to.operands(&self.types, &extra)? == args
            && to.result() == result;
        fits.then_some(extra)
    }
}

fn moved(span: Span, files: u32) -> Span {
    Span {
        file: span.file + files,
        ..span
    }
}

/// A name that nothing else has; what is shared keeps its own.
fn fresh(taken: &mut HashSet<String>, name: &str, unit: &str, shared: bool) -> String {
    if shared || taken.insert(name.to_string()) {
        taken.insert(name.to_string());
        return name.to_string();
    }
    let mut number = 0;
    loop {
        let new = match number {
            0 => format!("{name}_{unit}"),
            n => format!("{name}_{unit}_{n}"),
        };
        if taken.insert(new.clone()) {
            return new;
        }
        number += 1;
    }
}

/// Ids of one module as ids of another.
struct LinkMap<'a> {
    types: TypeMap<'a>,
    globals: HashMap<Global, Global>,
    funcs: HashMap<Func, Func>,
}

impl IdMap for LinkMap<'_> {
    fn ctype(&mut self, t: &mut CTy) {
        *t = self.types.map(*t);
    }
    fn record(&mut self, r: &mut Record) {
        *r = self.types.map_record(*r);
    }
    fn global(&mut self, g: &mut Global) {
        *g = self.globals[g];
    }
    fn func(&mut self, f: &mut Func) {
        *f = self.funcs[f];
    }
}

impl LinkMap<'_> {
    /// A body with its types, globals and functions mapped; values and instructions keep their numbers.
    fn body(&mut self, body: &Body, files: u32) -> Body {
        let mut body = body.clone();
        for data in body.values.values_mut() {
            data.ctype = data.ctype.map(|t| self.types.map(t));
        }
        for data in body.insts.values_mut() {
            data.op.map_ids(self);
            data.span = moved(data.span, files);
        }
        body
    }
}

impl<'a> TypeMap<'a> {
    /// Maps into a table that has types already; what looks alike is one type.
    pub(crate) fn onto(old: &'a CTypes, new: CTypes, unit: &str) -> Self {
        let typedefs = new
            .all()
            .filter_map(|(t, kind)| match kind {
                CTypeKind::Typedef { name, .. } => Some((name.clone(), t)),
                _ => None,
            })
            .collect();
        let mut map = TypeMap::new(old);
        map.link = Some(LinkTypes {
            unit: unit.to_string(),
            typedefs,
            records: new.records.len(),
        });
        map.new = new;
        for (r, data) in old.records.iter() {
            if let Some(same) = map.same_record(data) {
                map.pair_members(r, same);
            }
        }
        map
    }

    /// Records without names inside of two types that are the same are the same, too.
    pub(crate) fn pair(&mut self, old: CTy, new: CTy) {
        match (self.old.shape(old).clone(), self.new.shape(new).clone()) {
            (CTypeKind::Pointer(a), CTypeKind::Pointer(b)) => self.pair(a, b),
            (CTypeKind::Array { elem: a, .. }, CTypeKind::Array { elem: b, .. }) => self.pair(a, b),
            (CTypeKind::Record(a), CTypeKind::Record(b)) => {
                let (x, y) = (&self.old.records[a], &self.new.records[b]);
                if !is_named(x)
                    && !is_named(y)
                    && x.is_union == y.is_union
                    && self.same_fields(x, y)
                    && self.pair_records(a, b)
                {
                    self.pair_members(a, b);
                }
            }
            _ => {}
        }
    }

    fn pair_members(&mut self, old: Record, new: Record) {
        let (a, b) = (&self.old.records[old], &self.new.records[new]);
        let (Some(a), Some(b)) = (&a.fields, &b.fields) else {
            return;
        };
        let types: Vec<(CTy, CTy)> = a.iter().zip(b).map(|(a, b)| (a.ty, b.ty)).collect();
        for (a, b) in types {
            self.pair(a, b);
        }
    }

    /// A record of the new table that is the same type.
    pub(crate) fn same_record(&self, old: &RecordData) -> Option<Record> {
        if !is_named(old) {
            return None;
        }
        let others = self.link.as_ref().map_or(0, |link| link.records);
        self.new
            .records
            .iter()
            .take(others)
            .find(|(_, new)| {
                new.tag == old.tag
                    && (old.tag.is_some() || new.typedef_name == old.typedef_name)
                    && new.is_union == old.is_union
                    && self.same_fields(old, new)
            })
            .map(|(r, _)| r)
    }

    fn same_fields(&self, old: &RecordData, new: &RecordData) -> bool {
        let (Some(a), Some(b)) = (&old.fields, &new.fields) else {
            return true;
        };
        old.size == new.size
            && a.len() == b.len()
            && a.iter().zip(b).all(|(a, b)| {
                a.name == b.name
                    && a.offset == b.offset
                    && a.bits == b.bits
                    && self.same_shape(a.ty, b.ty)
            })
    }

    /// Alike as far as layout and kind go; `a` is of the old table, `b` of the new.
    fn same_shape(&self, a: CTy, b: CTy) -> bool {
        match (self.old.shape(a), self.new.shape(b)) {
            (CTypeKind::Basic(a), CTypeKind::Basic(b)) => a == b,
            (CTypeKind::Pointer(_), CTypeKind::Pointer(_)) => true,
            (CTypeKind::Array { elem: a, len: m }, CTypeKind::Array { elem: b, len: n }) => {
                m == n && self.same_shape(*a, *b)
            }
            (CTypeKind::Record(a), CTypeKind::Record(b)) => {
                let (a, b) = (&self.old.records[*a], &self.new.records[*b]);
                a.tag == b.tag
                    && a.size == b.size
                    && a.is_union == b.is_union
                    && (a.tag.is_some()
                        || a.typedef_name == b.typedef_name && self.same_fields(a, b))
            }
            (a, b) => std::mem::discriminant(a) == std::mem::discriminant(b),
        }
    }

    /// A record that is new to the table, under a tag that is free in it.
    pub(crate) fn add_record(&mut self, mut data: RecordData) -> Record {
        if let Some(link) = &self.link {
            let clash = |r: &RecordData| {
                (r.tag.is_some() && r.tag == data.tag)
                    || (r.typedef_name.is_some() && r.typedef_name == data.typedef_name)
            };
            if self.new.records.values().any(clash) {
                data.tag = data
                    .tag
                    .or(data.typedef_name.take())
                    .map(|t| format!("{t}_{}", link.unit));
                data.typedef_name = None;
            }
        }
        self.new.records.push(data)
    }

    /// An enumeration of the new table that is the same type. What has a tag may have a typedef name in one file only.
    pub(crate) fn same_enum(&self, old: &EnumData) -> Option<Enum> {
        let same = |new: &EnumData| {
            new.tag == old.tag
                && (old.tag.is_some() || new.typedef_name == old.typedef_name)
                && new.constants == old.constants
                && new.underlying == old.underlying
        };
        let mut all = self.new.enums.iter();
        all.find(|(_, new)| same(new)).map(|(e, _)| e)
    }

    /// An enumeration that is new to the table, under names that are free in it.
    pub(crate) fn add_enum(&mut self, mut data: EnumData) -> Enum {
        if let Some(link) = &self.link {
            let others = || self.new.enums.values();
            let named = |tag: &Option<String>| tag.is_some() && others().any(|e| e.tag == *tag);
            if named(&data.tag) {
                data.tag = data.tag.map(|t| format!("{t}_{}", link.unit));
            }
            let typedef = &data.typedef_name;
            if typedef.is_some() && others().any(|e| e.typedef_name == *typedef) {
                let name = data.typedef_name.take();
                data.tag = data.tag.or(name.map(|t| format!("{t}_{}", link.unit)));
            }
            let taken = |name: &str| {
                let mut constants = others().flat_map(|e| &e.constants);
                constants.any(|(other, _)| other == name)
            };
            for (name, _) in &mut data.constants {
                if taken(name) {
                    *name = format!("{name}_{}", link.unit);
                }
            }
        }
        self.new.enums.push(data)
    }
}

fn is_named(record: &RecordData) -> bool {
    record.tag.is_some() || record.typedef_name.is_some()
}

/// What linking adds to a map of types.
pub(crate) struct LinkTypes {
    unit: String,
    /// How many records there were before this unit.
    records: usize,
    /// The typedef names that mean something already.
    pub typedefs: HashMap<String, CTy>,
}

#[cfg(test)]
mod tests {
    use crate::{parse_module, print_module, verify_module};

    #[test]
    fn declarations_meet_definitions_and_statics_stay_apart() {
        let mut a = parse_module(
            "file \"a.c\"\nstruct p size 8 align 8 {\n  +0 x: double\n}\nfunc @f(q): (*struct p) -> double\nfunc @help(x): (double) -> double static\n(v0 \"x\": f64 as double) {\n  return v0\n}\nfunc @main(): () -> int\n() {\n  v0: i32 = const 0\n  return v0\n}\n",
        )
        .expect("well formed");
        let b = parse_module(
            "file \"b.c\"\nstruct p size 8 align 8 {\n  +0 x: double\n}\nfunc @help(x): (double) -> double static !0:3:1\n(v0 \"x\": f64 as double) {\n  v1: f64 = mul v0, v0\n  return v1\n}\nfunc @f(q): (*struct p) -> double\n(v0 \"q\": ptr as *struct p) {\n  v1: f64 = load v0\n  v2: f64 = call @help(v1)\n  return v2\n}\n",
        )
        .expect("well formed");
        a.absorb(&b, "b");
        assert!(verify_module(&a).is_ok());
        let text = print_module(&a);
        assert_eq!(text.matches("struct p size").count(), 1, "{text}");
        assert!(text.contains("call @help_b("), "{text}");
        assert!(text.contains("!1:3:1"), "{text}");
    }

    #[test]
    fn calls_agree_with_definitions_in_the_old_style() {
        let caller = "file \"a.c\"\nfunc @f(x): (double) -> double\nfunc @g(x): (double) -> double\n(v0 \"x\": f64 as double) {\n  v1: f64 = call @f(v0)\n  return v1\n}\n";
        let old = "file \"b.c\"\nfunc @f(x): ?(double) -> double\n(v0 \"x\": f64 as double) {\n  return v0\n}\nfunc @h(x): (double) -> double\n(v0 \"x\": f64 as double) {\n  v1: f64 = call @f(v0: double)\n  return v1\n}\n";
        let other = "file \"c.c\"\nfunc @f(): ?() -> double\nfunc @k(x): (int) -> double\n(v0 \"x\": i32 as int) {\n  v1: f64 = call @f(v0: int)\n  return v1\n}\n";
        for order in [
            [caller, old, other],
            [old, other, caller],
            [other, caller, old],
        ] {
            let [mut a, b, c] = order.map(|text| parse_module(text).expect("well formed"));
            a.absorb(&b, "b");
            a.absorb(&c, "c");
            if let Err(errors) = verify_module(&a) {
                panic!("{errors:?}\n{}", print_module(&a));
            }
        }
    }
}
