//! Memory that was there before the call and that nobody gave a shadow: what pointers at file scope lead to. *Orphans* are pointers that may lead there. As long as no
//! active data goes through them, that memory is constant. Once some may, it is *open*: the global that stands for it (`Registry::outside`) is active, and every
//! pointer that is found without a shadow gets the one that belongs to its address.
//!
//! Different ways to the same memory must then agree: variables that pointers may lead to, and objects of the body that others know, have their shadows, too.

use super::super::{holds_data, is_stream, leads_to_data, may_be_data};
use super::{Kind, Known, Object, Param, Solver, holds_pointer, kind};
use adjoin_ir::{CTy, CTypeKind, Func, Global, Inst, InstData, Op, RelocTarget, Type, Value};
use std::collections::BTreeSet;

impl Solver<'_> {
    /// Finds the orphans, whatever is active.
    pub(super) fn find_orphans(&mut self, order: &[Inst], edges: &[(Value, Value)]) {
        if self.registry.outside.is_none() {
            return;
        }
        for (k, &v) in self.body.regions[self.body.entry].args.iter().enumerate() {
            if self.body.ty(v) == Type::Ptr && self.facts.params.get(k) == Some(&Param::Inactive) {
                self.orphans.insert(v);
            }
        }
        // Objects of the body that hold orphans.
        let mut holders: BTreeSet<Object> = BTreeSet::new();
        loop {
            let mut changed = false;
            for &inst in order {
                let data = &self.body.insts[inst];
                match &data.op {
                    Op::Store(_) if self.orphans.contains(data.args[1]) => {
                        let places = self.points.objects(data.args[0]);
                        for p in places.iter().filter(|p| p.object.is_local()) {
                            changed |= holders.insert(p.object);
                        }
                    }
                    Op::Copy(_) | Op::Call(_) if self.copies_orphans(data, &holders) => {
                        let places = self.points.objects(data.args[0]);
                        for p in places.iter().filter(|p| p.object.is_local()) {
                            changed |= holders.insert(p.object);
                        }
                    }
                    _ => {}
                }
                for &v in &data.results {
                    if self.body.ty(v) == Type::Ptr
                        && !self.orphans.contains(v)
                        && self.is_new_orphan(data, v, &holders)
                    {
                        self.orphans.insert(v);
                        changed = true;
                    }
                }
            }
            for &(from, to) in edges {
                changed |= self.orphans.contains(from) && self.orphans.insert(to);
            }
            if !changed {
                break;
            }
        }
        self.holders = holders;
    }

    /// Is there memory at an address that holds orphans?
    fn holds_orphans(&self, address: Value, holders: &BTreeSet<Object>) -> bool {
        self.orphans.contains(address)
            || (self.points.objects(address).iter()).any(|p| match p.object {
                Object::Global(_) => !self.is_inactive_global(p.object),
                Object::Behind(..) => true,
                object => holders.contains(&object),
            })
    }

    fn copies_orphans(&self, data: &InstData, holders: &BTreeSet<Object>) -> bool {
        let copies = match &data.op {
            Op::Copy(_) => true,
            op => kind(self.module, self.registry, op) == Kind::Known(Known::Copy),
        };
        copies && self.holds_orphans(data.args[1], holders)
    }

    fn is_new_orphan(&self, data: &InstData, v: Value, holders: &BTreeSet<Object>) -> bool {
        match &data.op {
            Op::Load(_) => {
                let outside = |v: Value| {
                    let places = self.points.objects(v);
                    places.iter().any(|p| match p.object {
                        Object::Behind(g, _) => self.registry.is_shared(g),
                        object => object == Object::Outside,
                    })
                };
                outside(v)
                    && leads_to_data(&self.module.types, self.body, v)
                    && self.holds_orphans(data.args[0], holders)
            }
            Op::Addr(_) => self.orphans.contains(data.args[0]),
            Op::Select => data.args[1..].iter().any(|&a| self.orphans.contains(a)),
            Op::Cast => self.orphans.contains(data.args[0]),
            Op::Call(attr) => {
                matches!(kind(self.module, self.registry, &data.op), Kind::Body(_))
                    && (self.names_outside(attr.func)
                        || data.args.iter().any(|&a| self.orphans.contains(a)))
            }
            _ => false,
        }
    }

    /// May a pointer lead to memory that nobody gave a shadow?
    pub(super) fn is_orphan(&self, v: Value) -> bool {
        self.orphans.contains(v)
    }

    /// Active data may go there.
    pub(super) fn open(&mut self) {
        if let Some(outside) = self.registry.outside {
            let object = Object::Global(outside);
            self.changed |= self.facts.shadowed.insert(object);
            self.changed |= self.facts.numbers.insert(object);
        }
    }

    pub(super) fn is_open(&self) -> bool {
        let outside = self.registry.outside.map(Object::Global);
        outside.is_some_and(|o| self.facts.shadowed.contains(&o))
    }

    /// Numbers are read where orphans lead: are there active ones that others have the address of?
    pub(super) fn reads_through_orphan(&mut self) {
        let exposed = self.facts.numbers.iter().any(|o| match *o {
            Object::Global(g) => self.registry.is_exposed(g),
            Object::Behind(g, _) => self.registry.is_shared(g),
            _ => false,
        });
        if exposed {
            self.open();
        }
    }

    /// A function of the program is called, and active data reaches it.
    pub(super) fn calls_with_orphans(&mut self, data: &InstData) {
        if !matches!(kind(self.module, self.registry, &data.op), Kind::Body(_)) {
            return;
        }
        for (k, &a) in data.args.iter().enumerate() {
            if self.passes_orphan(a) && !self.only_reads(data, k) {
                self.open();
            }
        }
    }

    /// Can a called function get at memory that nobody gave a shadow through an argument?
    fn passes_orphan(&self, argument: Value) -> bool {
        let types = &self.module.types;
        let declared = self.body.values[argument].ctype;
        let pointee = declared.and_then(|t| types.pointee(t));
        let leads = pointee.is_none_or(|t| holds_pointer(types, t));
        let mut places = self.points.objects(argument).iter();
        self.orphans.contains(argument)
            || places.any(|p| match p.object {
                Object::Behind(..) => leads,
                Object::Global(g) => leads && self.leads_outside(self.module.globals[g].ctype),
                object => self.holders.contains(&object),
            })
    }

    /// Does a function of the program name variables that lead to such memory?
    fn names_outside(&self, func: Func) -> bool {
        let leads = |g: &Global| {
            let t = self.module.globals[*g].ctype;
            self.registry.is_exposed(*g) || self.leads_outside(t)
        };
        let effects = self.summaries.get(func);
        effects.is_none_or(|e| e.globals.iter().any(leads))
    }

    /// Can a function of the program that is called get at memory that was there before the call?
    pub(super) fn reaches_outside(&self, data: &InstData) -> bool {
        let Op::Call(attr) = &data.op else {
            return false;
        };
        match kind(self.module, self.registry, &data.op) {
            Kind::Body(_) if self.registry.outside.is_some() => {
                let open = self.is_open();
                let is_pointer = |&a: &Value| self.body.ty(a) == Type::Ptr;
                let given = |a: &Value| match open {
                    true => is_pointer(a),
                    false => self.passes_orphan(*a),
                };
                self.names_outside(attr.func) || data.args.iter().any(given)
            }
            _ => false,
        }
    }

    /// Can an object of this type hold pointers to numbers?
    fn leads_outside(&self, t: CTy) -> bool {
        let types = &self.module.types;
        match types.shape(t) {
            CTypeKind::Pointer(p) => {
                let text = types.quals(*p).is_const && types.size_of(*p) == Some(1);
                !text && !is_stream(types, *p) && may_be_data(types, *p)
            }
            CTypeKind::Array { elem, .. } => self.leads_outside(*elem),
            CTypeKind::Record(r) => {
                let mut fields = types.records[*r].fields.iter().flatten();
                fields.any(|f| self.leads_outside(f.ty))
            }
            _ => false,
        }
    }

    /// What has a shadow because memory outside is open.
    pub(super) fn step_open(&mut self, inst: Inst) {
        let data = &self.body.insts[inst];
        let types = &self.module.types;
        match &data.op {
            Op::GlobalAddr(g) if Some(*g) != self.registry.outside => {
                let t = self.module.globals[*g].ctype;
                let exposed = self.registry.is_exposed(*g) && holds_data(types, t);
                if exposed || holds_pointer(types, t) {
                    self.shadow_object(Object::Global(*g), exposed);
                }
                self.step_open_initial(*g, &mut BTreeSet::new());
            }
            Op::Slot(attr) if !holds_data(types, attr.ctype) => {}
            Op::Slot(_) | Op::SlotVla(_) | Op::Alloca => self.step_open_object(Object::Stack(inst)),
            Op::Call(_) if kind(self.module, self.registry, &data.op) == Kind::Outside => {
                // What is noted is found by pointers.
                for &a in &data.args[1..] {
                    self.shadow_places(a, true);
                }
                for &v in &data.results {
                    self.some(v);
                }
            }
            Op::Call(_) => self.step_open_object(Object::Heap(inst)),
            Op::Load(_) if self.body.ty(data.results[0]) == Type::Ptr => {
                for p in self.points.objects(data.results[0]).to_vec() {
                    if matches!(p.object, Object::Behind(g, _) if self.registry.is_shared(g)) {
                        self.shadow_object(p.object, true);
                    }
                }
                if self.is_found(inst) {
                    self.some(data.results[0]);
                }
            }
            _ => {}
        }
    }

    /// Small variables that a variable leads to from the start: shadows of their own are cheaper than pages.
    fn step_open_initial(&mut self, g: Global, seen: &mut BTreeSet<Global>) {
        if !seen.insert(g) {
            return;
        }
        let module = self.module;
        for reloc in module.globals[g].init.iter().flat_map(|i| &i.relocs) {
            let RelocTarget::Global(target) = reloc.target else {
                continue;
            };
            let (types, t) = (&module.types, module.globals[target].ctype);
            if types.size_of(t).is_some_and(|n| n <= 65536) && holds_data(types, t) {
                self.shadow_object(Object::Global(target), true);
            }
            self.step_open_initial(target, seen);
        }
    }

    fn step_open_object(&mut self, object: Object) {
        if self.points.is_made(object) && self.points.escapes(object) {
            self.shadow_object(object, true);
        }
    }

    /// Does the pointer that a load finds get the shadow that belongs to its address, if it has no other?
    pub(super) fn is_found(&self, inst: Inst) -> bool {
        let data = &self.body.insts[inst];
        if !self.is_open() || !matches!(data.op, Op::Load(_)) {
            return false;
        }
        let (address, v) = (data.args[0], data.results[0]);
        let places = self.points.objects(address);
        // As the user says.
        let inactive = !places.is_empty()
            && places.iter().all(|p| match p.object {
                Object::Parameter(k) => self.facts.params.get(k as usize) == Some(&Param::Const),
                object => self.is_inactive_global(object),
            });
        let mut found = self.points.objects(v).iter();
        self.body.ty(v) == Type::Ptr
            && !inactive
            && found.any(|p| p.object == Object::Outside)
            && leads_to_data(&self.module.types, self.body, v)
    }
}
