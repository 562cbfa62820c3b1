//! The functions that generated code calls: memory for caches and shadows, with a message where there is none. They are ordinary functions of the module
//! with bodies, so that whatever can be done to a program can be done to them.

use crate::known::{GIVE, GROW, KEEP, TAKE, TAKE_BLOCK, TAKE_ZEROED, external};
use adjoin_ir::ctype::{Field, RecordData, TagScope};
use adjoin_ir::{
    Basic, Body, Builder, CTy, CTypeKind, Func, Function, GlobalData, Init, Linkage, Module, Span,
    Type, Value,
};
use std::collections::BTreeMap;

/// What happens in a helper when there is no memory.
const MESSAGE: &str = "adjoin: no memory for a cache";

/// The functions of a module that generated code calls.
#[derive(Clone, Debug)]
pub(super) struct Runtime {
    /// `void *adjoin_zeroed(unsigned long bytes)`: memory for a shadow.
    pub calloc: Func,
    /// `void free(void *)`
    pub free: Func,
    /// `void adjoin_give_memory(void *)`, for what the helpers below allocated.
    pub give: Func,
    allocate: BTreeMap<CTy, Func>,
    resize: BTreeMap<CTy, Func>,
    stop: BTreeMap<String, Func>,
}

/// Puts what one list holds into another.
pub(super) const FREE_TOGETHER: &str = "adjoin_free_together";

/// `struct adjoin_freed`: a list of what is freed at the end.
pub(super) fn freed_type(m: &mut Module) -> CTy {
    const TAG: &str = "adjoin_freed";
    let existing = m
        .types
        .records
        .iter()
        .find(|(_, r)| r.tag.as_deref() == Some(TAG))
        .map(|(id, _)| id);
    let record = existing.unwrap_or_else(|| {
        let void = m.types.void();
        let address = m.types.pointer(void);
        let list = m.types.pointer(address);
        let (long, ulong) = (m.types.basic(Basic::Long), m.types.basic(Basic::ULong));
        let char_ = m.types.basic(Basic::Char);
        let bytes = m.types.pointer(char_);
        let field = |name: &str, ty, offset| Field {
            name: Some(name.to_string()),
            ty,
            offset,
            bits: None,
        };
        m.types.records.push(RecordData {
            is_union: false,
            tag: Some(TAG.to_string()),
            scope: TagScope::File,
            typedef_name: None,
            fields: Some(vec![
                field("data", list, 0),
                field("size", long, 8),
                field("room", long, 16),
                field("block", bytes, 24),
                field("left", ulong, 32),
            ]),
            size: 40,
            align: 8,
            packed: false,
        })
    });
    m.types.intern(CTypeKind::Record(record))
}

impl Runtime {
    /// Declares what is always there.
    pub fn declare(m: &mut Module) -> Runtime {
        let ulong = m.types.basic(Basic::ULong);
        let void = m.types.void();
        let address = m.types.pointer(void);
        let free = external(m, "free", void, &[address]);
        Runtime {
            calloc: zeroed(m, address, ulong),
            free,
            give: external(m, GIVE, void, &[address]),
            allocate: BTreeMap::new(),
            resize: BTreeMap::new(),
            stop: BTreeMap::new(),
        }
    }

    /// `void adjoin_stop(void)`: says what is wrong and ends the program.
    pub fn stop(&mut self, m: &mut Module, message: &str) -> Func {
        if let Some(&f) = self.stop.get(message) {
            return f;
        }
        let void = m.types.void();
        let name = (1..)
            .map(|k| match k {
                1 => "adjoin_stop".to_string(),
                k => format!("adjoin_stop_{k}"),
            })
            .find(|n| m.find_func(n).is_none())
            .expect("some number is free");
        let f = helper(m, &name, void, &[], |m, func, body| {
            let yes = Builder::new(body).bool_(true);
            check(m, func, body, yes, message);
            Builder::new(body).ret(&[]);
        });
        self.stop.insert(message.to_string(), f);
        f
    }

    /// `T *adjoin_allocate_T(long count)`
    pub fn allocate(&mut self, m: &mut Module, element: CTy) -> Func {
        if let Some(&f) = self.allocate.get(&element) {
            return f;
        }
        let f = typed(m, element, false);
        self.allocate.insert(element, f);
        f
    }

    /// `void adjoin_free_later(struct adjoin_freed *list, void *memory)`
    pub fn free_later(&mut self, m: &mut Module) -> Func {
        let t = freed_type(m);
        let void = m.types.void();
        let address = m.types.pointer(void);
        let list = m.types.pointer(t);
        let resize = self.resize(m, address);
        let params = [("list", list), ("memory", address)];
        helper(m, crate::known::FREE_LATER, void, &params, |m, _, body| {
            let args = body.regions[body.entry].args.clone();
            let mut b = Builder::new(body);
            let [data, size, room] = members(m, &mut b, args[0], t);
            let count = b.load(Type::I64, size);
            let capacity = b.load(Type::I64, room);
            let full = b.eq(count, capacity);
            let (_, then, otherwise) = b.if_(full, &[]);
            b.inside(then, |b| {
                let two = b.int(Type::I64, 2);
                let more = b.int(Type::I64, 14);
                let larger = b.mul(two, count);
                let larger = b.add(larger, more);
                b.store(room, larger);
                let old = b.load(Type::Ptr, data);
                b.set_ctype(old, m.types.pointer(address));
                let new = call(b, resize, vec![old, larger]);
                b.store(data, new);
                b.yield_(&[]);
            });
            b.inside(otherwise, |b| {
                b.yield_(&[]);
            });
            let array = b.load(Type::Ptr, data);
            b.set_ctype(array, m.types.pointer(address));
            let place = b.element(array, address, 8, count);
            b.store(place, args[1]);
            let one = b.int(Type::I64, 1);
            let count = b.add(count, one);
            b.store(size, count);
            b.ret(&[]);
        })
    }

    /// `void adjoin_free_all(struct adjoin_freed *list)`
    pub fn free_all(&mut self, m: &mut Module) -> Func {
        let t = freed_type(m);
        let void = m.types.void();
        let address = m.types.pointer(void);
        let list = m.types.pointer(t);
        let free = external(m, KEEP, void, &[address]);
        helper(
            m,
            crate::known::FREE_ALL,
            void,
            &[("list", list)],
            |m, _, body| {
                let args = body.regions[body.entry].args.clone();
                let mut b = Builder::new(body);
                let [data, size, _] = members(m, &mut b, args[0], t);
                let count = b.load(Type::I64, size);
                let array = b.load(Type::Ptr, data);
                b.set_ctype(array, m.types.pointer(address));
                let zero = b.int(Type::I64, 0);
                let one = b.int(Type::I64, 1);
                let op = || {
                    adjoin_ir::Op::Call(adjoin_ir::CallAttr {
                        func: free,
                        extra: Vec::new(),
                    })
                };
                let (_, region) = b.for_(adjoin_ir::Pred::Lt, zero, count, one, &[]);
                let index = b.body.regions[region].args[0];
                b.inside(region, |b| {
                    let place = b.element(array, address, 8, index);
                    let memory = b.load(Type::Ptr, place);
                    b.set_ctype(memory, address);
                    b.inst(op(), vec![memory], &[]);
                    b.yield_(&[]);
                });
                b.inst(op(), vec![array], &[]);
                b.ret(&[]);
            },
        )
    }

    /// `void adjoin_free_together(struct adjoin_freed *list, struct adjoin_freed *other)`: what the other list holds goes to the first.
    pub fn free_together(&mut self, m: &mut Module) -> Func {
        let t = freed_type(m);
        let void = m.types.void();
        let address = m.types.pointer(void);
        let list = m.types.pointer(t);
        let later = self.free_later(m);
        let keep = external(m, KEEP, void, &[address]);
        let params = [("list", list), ("other", list)];
        helper(m, FREE_TOGETHER, void, &params, |m, _, body| {
            let args = body.regions[body.entry].args.clone();
            let mut b = Builder::new(body);
            let [data, size, _] = members(m, &mut b, args[1], t);
            let count = b.load(Type::I64, size);
            let array = b.load(Type::Ptr, data);
            b.set_ctype(array, m.types.pointer(address));
            let zero = b.int(Type::I64, 0);
            let one = b.int(Type::I64, 1);
            let op = |func| {
                let extra = Vec::new();
                adjoin_ir::Op::Call(adjoin_ir::CallAttr { func, extra })
            };
            let (_, region) = b.for_(adjoin_ir::Pred::Lt, zero, count, one, &[]);
            let index = b.body.regions[region].args[0];
            b.inside(region, |b| {
                let place = b.element(array, address, 8, index);
                let memory = b.load(Type::Ptr, place);
                b.set_ctype(memory, address);
                b.inst(op(later), vec![args[0], memory], &[]);
                b.yield_(&[]);
            });
            b.inst(op(keep), vec![array], &[]);
            b.ret(&[]);
        })
    }

    /// `T *adjoin_resize_T(T *old, long count)`
    pub fn resize(&mut self, m: &mut Module, element: CTy) -> Func {
        if let Some(&f) = self.resize.get(&element) {
            return f;
        }
        let f = typed(m, element, true);
        self.resize.insert(element, f);
        f
    }
}

/// Blocks that are shared have so many bytes, of which no one gets more than an eighth.
const SHARED: i128 = 131_072;

/// `void *adjoin_zeroed_until_end(struct adjoin_freed *list, unsigned long bytes)`: memory that is freed with the list, a part of a larger block if it is small.
pub(super) fn room(m: &mut Module, runtime: &mut Runtime) -> Func {
    let t = freed_type(m);
    let void = m.types.void();
    let address = m.types.pointer(void);
    let list = m.types.pointer(t);
    let (int, ulong) = (m.types.basic(Basic::Int), m.types.basic(Basic::ULong));
    let later = runtime.free_later(m);
    let zeroed = runtime.calloc;
    let memset = external(m, "memset", address, &[address, int, ulong]);
    let take = external(m, TAKE_BLOCK, address, &[ulong]);
    let params = [("list", list), ("bytes", ulong)];
    helper(
        m,
        "adjoin_zeroed_until_end",
        address,
        &params,
        |m, _, body| {
            let args = body.regions[body.entry].args.clone();
            let mut b = Builder::new(body);
            let most = b.int(Type::U64, SHARED / 8);
            let large = b.gt(args[1], most);
            let (_, then, otherwise) = b.if_(large, &[]);
            b.inside(then, |b| {
                let memory = call(b, zeroed, vec![args[1]]);
                b.set_ctype(memory, address);
                note(b, later, args[0], memory);
                b.ret(&[memory]);
            });
            b.inside(otherwise, |b| {
                b.yield_(&[]);
            });
            let record = m.types.record(t).expect("the list is a struct");
            let [block, left] = [3, 4].map(|k| b.field(&m.types, args[0], t, record, k));
            let more = b.int(Type::U64, ALIGNMENT - 1);
            let bytes = b.add(args[1], more);
            let unit = b.int(Type::U64, ALIGNMENT);
            let units = b.div(bytes, unit);
            let size = b.mul(units, unit);
            let rest = b.load(Type::U64, left);
            let full = b.gt(size, rest);
            let (_, then, otherwise) = b.if_(full, &[]);
            b.inside(otherwise, |b| {
                b.yield_(&[]);
            });
            b.inside(then, |b| {
                let whole = b.int(Type::U64, SHARED);
                let fresh = call(b, take, vec![whole]);
                b.set_ctype(fresh, address);
                note(b, later, args[0], fresh);
                b.store(block, fresh);
                b.store(left, whole);
                b.yield_(&[]);
            });
            let memory = b.load(Type::Ptr, block);
            let character = m.types.basic(Basic::Char);
            b.set_ctype(memory, m.types.pointer(character));
            b.set_name(memory, "memory");
            let next = b.element(memory, character, 1, size);
            b.store(block, next);
            let rest = b.load(Type::U64, left);
            let rest = b.sub(rest, size);
            b.store(left, rest);
            let memory = b.cast(Type::Ptr, memory);
            b.set_ctype(memory, address);
            let zero = b.int(Type::I32, 0);
            call(&mut b, memset, vec![memory, zero, args[1]]);
            b.ret(&[memory]);
        },
    )
}

/// Notes memory to be freed.
fn note(b: &mut Builder<'_>, later: Func, list: Value, memory: Value) {
    let op = adjoin_ir::Op::Call(adjoin_ir::CallAttr {
        func: later,
        extra: Vec::new(),
    });
    b.inst(op, vec![list, memory], &[]);
}

fn function_type(m: &mut Module, ret: CTy, params: &[CTy]) -> CTy {
    m.types.intern(CTypeKind::Function {
        ret,
        params: params.to_vec(),
        variadic: false,
        prototyped: true,
    })
}

/// A static function of the module, made once.
pub(super) fn helper(
    m: &mut Module,
    name: &str,
    ret: CTy,
    params: &[(&str, CTy)],
    fill: impl FnOnce(&mut Module, Func, &mut Body),
) -> Func {
    if let Some(f) = m.find_func(name) {
        return f;
    }
    let types: Vec<CTy> = params.iter().map(|&(_, t)| t).collect();
    let ctype = function_type(m, ret, &types);
    let names: Vec<Option<String>> = params.iter().map(|&(n, _)| Some(n.to_string())).collect();
    let func = m.funcs.push(Function {
        name: name.to_string(),
        ctype,
        param_names: names.clone(),
        linkage: Linkage::Static,
        inline: true,
        noreturn: false,
        span: Span::default(),
        body: None,
    });
    let mut body = Body::with_params(&m.types, ctype, &names)
        .expect("the parameters of a helper are numbers and pointers");
    fill(m, func, &mut body);
    m.funcs[func].body = Some(body);
    func
}

/// Says that there is no memory and ends the program, if a condition holds.
fn check(m: &mut Module, func: Func, body: &mut Body, fails: Value, message: &str) {
    let char_ = m.types.basic(Basic::Char);
    let void = m.types.void();
    let quals = adjoin_ir::Quals {
        is_const: true,
        ..Default::default()
    };
    let constant = m.types.qualified(char_, quals);
    let text = m.types.pointer(constant);
    let complain = external(m, "adjoin_complain", void, &[text]);
    let abort = external(m, "abort", void, &[]);
    let mut bytes = message.as_bytes().to_vec();
    bytes.push(0);
    let ctype = m.types.array(char_, Some(bytes.len() as u64));
    let number = m.globals.len();
    let message = m.globals.push(GlobalData {
        name: format!("adjoin_message_{number}"),
        ctype,
        linkage: Linkage::Literal,
        owner: Some(func),
        init: Some(Init {
            bytes,
            relocs: Vec::new(),
        }),
        thread_local: false,
        align: 0,
        span: Span::default(),
    });
    let mut b = Builder::new(body);
    let (_, then, otherwise) = b.if_(fails, &[]);
    b.inside(then, |b| {
        let text = b.global(message);
        let call = |func| {
            adjoin_ir::Op::Call(adjoin_ir::CallAttr {
                func,
                extra: Vec::new(),
            })
        };
        b.inst(call(complain), vec![text], &[]);
        b.inst(call(abort), vec![], &[]);
        b.yield_(&[]);
    });
    b.inside(otherwise, |b| {
        b.yield_(&[]);
    });
}

/// `void adjoin_require(_Bool holds)`: says what is wrong and ends the program, unless something holds.
pub(crate) fn require(m: &mut Module, message: &str) -> Func {
    let void = m.types.void();
    let truth = m.types.basic(Basic::Bool);
    helper(
        m,
        "adjoin_require",
        void,
        &[("holds", truth)],
        |m, func, body| {
            let holds = body.regions[body.entry].args[0];
            let fails = Builder::new(body).not(holds);
            check(m, func, body, fails, message);
            Builder::new(body).ret(&[]);
        },
    )
}

/// Pieces of a workspace begin at multiples of so many bytes.
const ALIGNMENT: i128 = 16;

/// `unsigned long adjoin_piece(long count, unsigned long size)`: the bytes that elements take in a workspace.
pub(crate) fn piece(m: &mut Module) -> Func {
    let long = m.types.basic(Basic::Long);
    let ulong = m.types.basic(Basic::ULong);
    let params = [("count", long), ("size", ulong)];
    helper(m, "adjoin_piece", ulong, &params, |_, _, body| {
        let args = body.regions[body.entry].args.clone();
        let mut b = Builder::new(body);
        let zero = b.int(Type::I64, 0);
        let some = b.gt(args[0], zero);
        let count = b.select(some, args[0], zero);
        let count = b.cast(Type::U64, count);
        let bytes = b.mul(count, args[1]);
        let more = b.int(Type::U64, ALIGNMENT - 1);
        let bytes = b.add(bytes, more);
        let unit = b.int(Type::U64, ALIGNMENT);
        let units = b.div(bytes, unit);
        let whole = b.mul(units, unit);
        b.ret(&[whole]);
    })
}

fn call(b: &mut Builder<'_>, func: Func, args: Vec<Value>) -> Value {
    let op = adjoin_ir::Op::Call(adjoin_ir::CallAttr {
        func,
        extra: Vec::new(),
    });
    b.value(op, args, Type::Ptr)
}

/// Memory for an array of a type, new or larger than before.
fn typed(m: &mut Module, element: CTy, again: bool) -> Func {
    let size = m.types.size_of(element).unwrap_or(8);
    let ulong = m.types.basic(Basic::ULong);
    let long = m.types.basic(Basic::Long);
    let void = m.types.void();
    let address = m.types.pointer(void);
    let pointer = m.types.pointer(element);
    let name = format!(
        "adjoin_{}_{}",
        if again { "resize" } else { "allocate" },
        suffix(m, element)
    );
    let mut params = vec![("count", long)];
    if again {
        params.insert(0, ("old", pointer));
    }
    let source = match again {
        true => external(m, GROW, address, &[address, ulong]),
        false => external(m, TAKE, address, &[ulong]),
    };
    helper(m, &name, pointer, &params, |m, func, body| {
        let args = body.regions[body.entry].args.clone();
        let count = args[args.len() - 1];
        let mut b = Builder::new(body);
        let bytes = b.cast(Type::U64, count);
        let width = b.int(Type::U64, size.into());
        let bytes = b.mul(bytes, width);
        let mut operands = vec![bytes];
        if again {
            let old = b.cast(Type::Ptr, args[0]);
            b.set_ctype(old, address);
            operands.insert(0, old);
        }
        let raw = call(&mut b, source, operands);
        b.set_ctype(raw, address);
        let memory = b.cast(Type::Ptr, raw);
        b.set_ctype(memory, pointer);
        b.set_name(memory, "memory");
        let null = b.null();
        let nothing = b.eq(memory, null);
        let zero = b.int(Type::I64, 0);
        let some = b.ne(count, zero);
        let fails = b.and(nothing, some);
        check(m, func, body, fails, MESSAGE);
        Builder::new(body).ret(&[memory]);
    })
}

/// Memory for a shadow: all zero.
fn zeroed(m: &mut Module, address: CTy, ulong: CTy) -> Func {
    let calloc = external(m, TAKE_ZEROED, address, &[ulong, ulong]);
    helper(
        m,
        "adjoin_zeroed",
        address,
        &[("bytes", ulong)],
        |m, func, body| {
            let bytes = body.regions[body.entry].args[0];
            let mut b = Builder::new(body);
            let one = b.int(Type::U64, 1);
            let memory = call(&mut b, calloc, vec![bytes, one]);
            b.set_ctype(memory, address);
            b.set_name(memory, "memory");
            let null = b.null();
            let nothing = b.eq(memory, null);
            let zero = b.int(Type::U64, 0);
            let some = b.ne(bytes, zero);
            let fails = b.and(nothing, some);
            check(m, func, body, fails, MESSAGE);
            Builder::new(body).ret(&[memory]);
        },
    )
}

/// The addresses of the members of a list.
fn members(m: &Module, b: &mut Builder<'_>, list: Value, t: CTy) -> [Value; 3] {
    let record = m.types.record(t).expect("the list is a struct");
    [0, 1, 2].map(|k| b.field(&m.types, list, t, record, k))
}

/// A word for a type, that no other type has.
fn suffix(m: &Module, t: CTy) -> String {
    match m.types.shape(t) {
        CTypeKind::Basic(b) => b
            .c_name()
            .to_lowercase()
            .replace(" _", "_")
            .replace(' ', "_"),
        CTypeKind::Pointer(p) if matches!(m.types.shape(*p), CTypeKind::Void) => "pointer".into(),
        CTypeKind::Pointer(p) if m.types.quals(*p) == Default::default() => {
            format!("{}_pointer", suffix(m, *p))
        }
        CTypeKind::Array { elem, len: Some(n) } if m.types.quals(*elem) == Default::default() => {
            format!("{}_{n}", suffix(m, *elem))
        }
        CTypeKind::Record(r) => {
            // Only the tags of records of caches are unique.
            let tag = m.types.records[*r].tag.as_deref();
            match tag.filter(|t| t.starts_with("adjoin_record")) {
                Some(tag) => tag.to_string(),
                None => format!("t{}", t.as_u32()),
            }
        }
        _ => format!("t{}", t.as_u32()),
    }
}
