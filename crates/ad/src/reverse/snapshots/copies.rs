//! Makes the copies: their memory, the copying in F, and the loads in R.

use super::super::Reverse;
use super::super::caches::{Cache, Layout, Row};
use super::super::needed::Key;
use super::{Kept, Less};
use crate::known::memcpy;
use crate::plan::polynomial::{Atom, Polynomial};
use crate::points_to::Extent;
use adjoin_ir::{Inst, Op, Pred, Step, Type, Value};

impl Reverse<'_> {
    /// The memory for copies: rows of elements.
    pub(in crate::reverse) fn kept_cache(&mut self, k: u32) -> Cache {
        let kept = self.kept[k as usize].clone();
        let name = self.cache_name(Key::Kept(k));
        if kept.grows {
            return self.growing_copies(k, &kept, &name);
        }
        let (loops, _) = self.nest(kept.home);
        let before = match loops.is_empty() {
            true => kept.point,
            false => self.made_before(&loops),
        };
        let scope = self.p.insts[before].parent;
        let low = match kept.low.as_constant() {
            Some(n) => Row::Constant(n),
            None => Row::Variable(self.counter_variable(scope, "first")),
        };
        let fixed = kept.limit.is_none() && (kept.is_safe || kept.guard.is_empty());
        let count = match kept.count.as_constant() {
            Some(n) if fixed => Row::Constant(n),
            _ => Row::Variable(self.counter_variable(scope, "row")),
        };
        self.before_in_f(before, |me| {
            if let Row::Variable(slot) = low {
                let first = me.hoisted_polynomial(&kept.low, before);
                me.b().store(slot, first);
            }
            if let Row::Variable(slot) = count {
                let elements = me.row_elements(&kept, before);
                me.b().store(slot, elements);
            }
        });
        self.caches.firsts.insert(k, low);
        let pointer = self.m.types.pointer(kept.element);
        let data = self.variable(scope, pointer, &name);
        let total = match loops.is_empty() {
            true => None,
            false => Some(self.total(&loops)),
        };
        let allocate = self.runtime.allocate(self.m, kept.element);
        self.before_in_f(before, |me| {
            let row = me.row_length(count);
            let total = match total {
                Some(t) => me.b().mul(t, row),
                None => row,
            };
            let array = me
                .call(allocate, vec![total])
                .expect("it returns the memory");
            me.d.values[array].ctype = Some(pointer);
            me.b().store(data, array);
        });
        Cache {
            element: kept.element,
            stored: Type::Ptr,
            data,
            layout: Layout::Indexed {
                loops,
                on_stack: false,
            },
            row: Some(count),
            member: None,
        }
    }

    /// The memory for copies of any length: an array that grows.
    fn growing_copies(&mut self, k: u32, kept: &Kept, name: &str) -> Cache {
        let fixed = kept.limit.is_none() && (kept.is_safe || kept.guard.is_empty());
        let count = match kept.count.as_constant() {
            Some(n) if fixed => Row::Constant(n),
            _ => Row::Variable(self.counter_variable(kept.home, "row")),
        };
        let low = kept.low.as_constant().unwrap_or(0);
        self.caches.firsts.insert(k, Row::Constant(low));
        let position = self.counter_variable(kept.home, "cache_size");
        let room = self.counter_variable(kept.home, "cache_room");
        let group = self.before_in_f(kept.point, |me| {
            if let Row::Variable(slot) = count {
                let elements = me.row_elements(kept, kept.point);
                me.b().store(slot, elements);
            }
            let elements = me.row_length(count);
            me.take_places(position, room, elements)
        });
        Cache {
            element: kept.element,
            stored: Type::Ptr,
            data: self.growing_array(kept.home, &group, kept.element, name),
            layout: Layout::Copies { start: group.place },
            row: Some(count),
            member: None,
        }
    }

    /// How many elements a copy has, in front of the loops around it in F.
    fn row_elements(&mut self, kept: &Kept, before: Inst) -> Value {
        let all = kept.is_all();
        let mut count = match all {
            true => None,
            false => Some(self.hoisted_polynomial(&kept.count, before)),
        };
        if let Some(limit) = kept.limit {
            let bytes = match limit {
                Extent::Bytes(n) => self.int(n.into()),
                Extent::Value(v) => {
                    let v = self.hoist(v, before);
                    self.cast(Type::I64, v)
                }
                Extent::Elements(v, size) => {
                    let v = self.hoist(v, before);
                    let v = self.cast(Type::I64, v);
                    let size = self.int(size.into());
                    self.b().mul(v, size)
                }
                Extent::Product(v, w) => {
                    let (v, w) = (self.hoist(v, before), self.hoist(w, before));
                    let (v, w) = (self.cast(Type::I64, v), self.cast(Type::I64, w));
                    self.b().mul(v, w)
                }
            };
            let size = self.int(kept.size.into());
            let most = self.b().div(bytes, size);
            count = Some(match count {
                None => most,
                Some(n) => {
                    let fewer = self.b().lt(n, most);
                    self.b().select(fewer, n, most)
                }
            });
        }
        let mut count = count.expect("a copy has an end");
        if !kept.is_exact && !all {
            let zero = self.int(0);
            let some = self.b().gt(count, zero);
            count = self.b().select(some, count, zero);
        }
        for b in &kept.guard {
            let lower = self.hoisted_polynomial(&b.lower, before);
            let upper = self.hoisted_polynomial(&b.upper, before);
            let runs = match b.order {
                Less::Lt => self.b().lt(lower, upper),
                Less::Le => self.b().le(lower, upper),
                Less::Gt => self.b().gt(lower, upper),
                Less::Ge => self.b().ge(lower, upper),
            };
            let zero = self.int(0);
            count = self.b().select(runs, count, zero);
        }
        count
    }

    pub(super) fn hoisted_polynomial(&mut self, p: &Polynomial, before: Inst) -> Value {
        let mut sum: Option<Value> = None;
        for (atoms, c) in p.terms() {
            let mut term: Option<Value> = None;
            for atom in atoms {
                let v = match atom {
                    Atom::Value(v) => {
                        let v = self.hoist(*v, before);
                        self.cast(Type::I64, v)
                    }
                    Atom::Last(l) => self.last_counter(*l, before),
                    _ => continue,
                };
                term = Some(match term {
                    Some(t) => self.b().mul(t, v),
                    None => v,
                });
            }
            let magnitude = i128::from(c.unsigned_abs());
            let term = match term {
                None => self.int(magnitude),
                Some(t) if magnitude == 1 => t,
                Some(t) => {
                    let factor = self.int(magnitude);
                    self.b().mul(factor, t)
                }
            };
            sum = Some(match (sum, c < 0) {
                (Some(s), false) => self.b().add(s, term),
                (Some(s), true) => self.b().sub(s, term),
                (None, false) => term,
                (None, true) => self.b().neg(term),
            });
        }
        sum.unwrap_or_else(|| self.int(0))
    }

    /// The counter of a loop in its last iteration, if it runs.
    fn last_counter(&mut self, l: Inst, before: Inst) -> Value {
        let bounds = [0, 1, 2].map(|k| self.p.insts[l].args[k]);
        let closed = matches!(&self.p.insts[l].op, Op::For(attr) if matches!(attr.pred, Pred::Le | Pred::Ge));
        let [first, end, step] = bounds.map(|v| {
            let v = self.hoist(v, before);
            self.cast(Type::I64, v)
        });
        let mut distance = self.b().sub(end, first);
        if !closed {
            let up = self.p.const_int(bounds[2]).is_some_and(|n| n > 0);
            let one = self.int(1);
            distance = match up {
                true => self.b().sub(distance, one),
                false => self.b().add(distance, one),
            };
        }
        let trips = self.b().div(distance, step);
        let way = self.b().mul(trips, step);
        self.b().add(first, way)
    }

    /// Copies, in F.
    pub(in crate::reverse) fn save_kept(&mut self, k: u32) {
        let key = Key::Kept(k);
        let kept = self.kept[k as usize].clone();
        self.prepare_push(key);
        let cache = self.cache(key);
        let low = self.caches.firsts[&k];
        let pointer = self.m.types.pointer(kept.element);
        let memcpy = memcpy(self.m);
        self.before_in_f(kept.point, |me| {
            if let Layout::Copies { start } = cache.layout {
                me.push(Key::Start(k), start);
            }
            let mut from = me.f[&kept.base];
            if let Some(member) = &kept.member {
                from = me.b().addr(from, member.pointee, member.steps.clone(), &[]);
                me.d.values[from].ctype = Some(pointer);
            }
            if !matches!(low, Row::Constant(0)) {
                let first = me.row_length(low);
                from = me.element(kept.element, from, first);
            }
            let row = cache.row.expect("a copy is a row");
            let count = me.row_length(row);
            let copy = |me: &mut Self| {
                let to = match cache.layout {
                    Layout::Copies { start } => {
                        let data = me.b().load(Type::Ptr, cache.data);
                        me.element(cache.element, data, start)
                    }
                    _ => me.row_place(&cache, false),
                };
                let count = me.cast(Type::U64, count);
                let size = me.b().int(Type::U64, kept.size.into());
                let bytes = me.b().mul(count, size);
                me.call(memcpy, vec![to, from, bytes]);
            };
            match row {
                // If nothing is read, a pointer may be NULL.
                Row::Variable(_) if !kept.is_safe || kept.grows => {
                    let zero = me.int(0);
                    let some = me.b().gt(count, zero);
                    let (_, then, otherwise) = me.b().if_(some, &[]);
                    for (region, copies) in [(then, true), (otherwise, false)] {
                        let here = (me.at, me.position);
                        (me.at, me.position) = (region, None);
                        if copies {
                            copy(me);
                        }
                        me.b().yield_(&[]);
                        (me.at, me.position) = here;
                    }
                }
                _ => copy(me),
            }
        });
    }

    /// The copy of this iteration, in R.
    pub(in crate::reverse) fn kept_row(&mut self, k: u32) -> Value {
        let key = Key::Kept(k);
        self.pushed.insert(key);
        let cache = self.cache(key);
        if let Layout::Copies { .. } = cache.layout {
            let start = self.top(Key::Start(k), Type::I64);
            let data = self.b().load(Type::Ptr, cache.data);
            return self.element(cache.element, data, start);
        }
        let row = self.row_place(&cache, true);
        if matches!(&cache.layout, Layout::Indexed { loops, .. } if !loops.is_empty()) {
            let name = self.cache_name(key);
            self.b().set_name(row, &format!("{name}_row"));
        }
        row
    }

    /// What a load read, from a copy, here in R.
    pub(in crate::reverse) fn load_kept(
        &mut self,
        load: Inst,
        k: u32,
        args: &[Value],
        ty: Type,
    ) -> Value {
        let base = self.kept[k as usize].base;
        let path = (self.path_of(load, Some(base))).expect("it was taken apart before");
        let low = self.caches.firsts[&k];
        if let [(attr, _)] = &path.rest[..]
            && matches!(attr.steps.first(), Some(Step::IndexDyn))
            && !matches!(low, Row::Constant(0))
        {
            let index = self.index_in_kept_rows(&args[1..], path.size, low);
            let place = self.element(path.element, args[0], index);
            return self.b().load(ty, place);
        }
        let mut address = args[0];
        let mut next = 1;
        for (number, (attr, operands)) in path.rest.iter().enumerate() {
            let mut given = args[next..next + operands.len()].to_vec();
            next += operands.len();
            if number == 0 && !matches!(low, Row::Constant(0)) {
                let first = self.row_length(low);
                let index = self.cast(Type::I64, given[0]);
                given[0] = self.b().sub(index, first);
            }
            address = self
                .b()
                .addr(address, attr.pointee, attr.steps.clone(), &given);
        }
        self.b().load(ty, address)
    }

    /// Which element of a copy that does not begin with the first row is meant, of rows of variable size: indices, each but the last with the size of its rows in bytes.
    fn index_in_kept_rows(&mut self, operands: &[Value], size: u64, low: Row) -> Value {
        let (last, rows) = operands.split_last().expect("an index");
        let mut index = self.cast(Type::I64, *last);
        for row in rows.chunks_exact(2) {
            let (at, bytes) = (self.cast(Type::I64, row[0]), self.cast(Type::I64, row[1]));
            let size = self.int(size.into());
            let length = self.b().div(bytes, size);
            let before = self.b().mul(at, length);
            index = self.b().add(before, index);
        }
        let first = self.row_length(low);
        self.b().sub(index, first)
    }

    /// What must be had to read a load from a copy.
    pub(in crate::reverse) fn kept_needs(&self, load: Inst, k: u32) -> Option<Vec<Key>> {
        let path = self.path_of(load, Some(self.kept[k as usize].base))?;
        let mut needs = vec![Key::Kept(k)];
        let operands = path.rest.iter().flat_map(|(_, o)| o);
        needs.extend(operands.map(|&v| Key::Value(v)));
        Some(needs)
    }
}
