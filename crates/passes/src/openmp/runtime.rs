//! The functions that the normal form calls: the queries of OpenMP's library, and the partition of iterations.

use adjoin_ir::{
    Basic, Body, Builder, CTy, CTypeKind, CallAttr, Func, Function, GlobalData, Init, Inst,
    Linkage, Module, Op, Quals, Span, Type, Value,
};

/// The number of a thread in its team.
pub const THREAD: &str = "omp_get_thread_num";
/// The number of threads of a team.
pub const THREADS: &str = "omp_get_num_threads";
/// How many threads a team that starts now may have.
pub const MOST_THREADS: &str = "omp_get_max_threads";
/// Where the iterations of a thread begin.
pub const PART: &str = "adjoin_part";
/// Shares are multiples of so many iterations where it does not show who runs which: as many as run together in lanes, and whole lines of memory.
pub(super) const GRAIN: i128 = 16;

fn function_type(module: &mut Module, ret: CTy, params: &[CTy]) -> CTy {
    module.types.intern(CTypeKind::Function {
        ret,
        params: params.to_vec(),
        variadic: false,
        prototyped: true,
    })
}

/// A function without a body, declared if the module does not have it.
pub(super) fn external(module: &mut Module, name: &str, ret: CTy, params: &[CTy]) -> Func {
    if let Some(found) = module.find_func(name) {
        return found;
    }
    let ctype = function_type(module, ret, params);
    module.funcs.push(Function {
        name: name.to_string(),
        ctype,
        param_names: vec![None; params.len()],
        linkage: Linkage::External,
        inline: false,
        noreturn: name == "abort",
        span: Span::default(),
        body: None,
    })
}

/// `int omp_get_…(void)`
pub(super) fn query(module: &mut Module, name: &str) -> Func {
    let int = module.types.basic(Basic::Int);
    external(module, name, int, &[])
}

/// `long adjoin_part(long count, long threads, long thread, long grain)`: the first of `count` iterations that a thread runs; the next thread's first is the end of
/// them. Of a negative count no thread has any. Shares are multiples of the grain, the last aside, where they are at least four times as large, and the largest is
/// then at most a sixteenth larger than without.
pub(super) fn part(module: &mut Module) -> Func {
    if let Some(found) = module.find_func(PART) {
        return found;
    }
    let long = module.types.basic(Basic::Long);
    let ctype = function_type(module, long, &[long; 4]);
    let names: Vec<Option<String>> = ["count", "threads", "thread", "grain"]
        .map(|n| Some(n.to_string()))
        .to_vec();
    let mut body =
        Body::with_params(&module.types, ctype, &names).expect("the parameters are numbers");
    let args = body.regions[body.entry].args.clone();
    let (count, threads, thread, grain) = (args[0], args[1], args[2], args[3]);
    let mut b = Builder::new(&mut body);
    let b = &mut b;
    let number = |b: &mut Builder<'_>, n| b.int(Type::I64, n);
    let smaller = |b: &mut Builder<'_>, x, y| {
        let less = b.lt(x, y);
        b.select(less, x, y)
    };
    let start = |b: &mut Builder<'_>, of| {
        let each = b.div(of, threads);
        let rest = b.rem(of, threads);
        let before = b.mul(each, thread);
        let extra = smaller(b, thread, rest);
        b.add(before, extra)
    };
    let rounded_up = |b: &mut Builder<'_>, of, by| {
        let one = number(b, 1);
        let less = b.sub(by, one);
        let padded = b.add(of, less);
        b.div(padded, by)
    };
    let even = start(b, count);
    let blocks = rounded_up(b, count, grain);
    let most = rounded_up(b, blocks, threads);
    let most = b.mul(most, grain);
    let share = rounded_up(b, count, threads);
    let in_blocks = start(b, blocks);
    let in_blocks = b.mul(in_blocks, grain);
    let in_blocks = smaller(b, count, in_blocks);
    let each = b.div(count, threads);
    let four = number(b, 4);
    let least = b.mul(grain, four);
    let large = b.ge(each, least);
    let (sixteen, seventeen) = (number(b, 16), number(b, 17));
    let (most, share) = (b.mul(most, sixteen), b.mul(share, seventeen));
    let close = b.le(most, share);
    let fits = b.and(large, close);
    let first = b.select(fits, in_blocks, even);
    b.ret(&[first]);
    module.funcs.push(Function {
        name: PART.to_string(),
        ctype,
        param_names: names,
        linkage: Linkage::Static,
        inline: true,
        noreturn: false,
        span: Span::default(),
        body: Some(body),
    })
}

/// Memory for an array, made in front of `at`; without any the program ends.
pub(super) fn allocate(
    module: &mut Module,
    body: &mut Body,
    at: Inst,
    element: CTy,
    count: Value,
    name: &str,
) -> Value {
    let size = module.types.size_of(element).unwrap_or(8);
    let types = &mut module.types;
    let (ulong, void) = (types.basic(Basic::ULong), types.void());
    let address = types.pointer(void);
    let pointer = types.pointer(element);
    let malloc = external(module, "malloc", address, &[ulong]);
    let stop = no_memory(module);
    let b = &mut Builder::before(body, at);
    let bytes = b.cast(Type::U64, count);
    let size = b.int(Type::U64, size.into());
    let bytes = b.mul(bytes, size);
    let raw = call(b, malloc, vec![bytes], Type::Ptr);
    b.set_ctype(raw, address);
    let memory = b.value(Op::Cast, vec![raw], Type::Ptr);
    b.set_ctype(memory, pointer);
    b.set_name(memory, name);
    let null = b.null();
    let nothing = b.eq(raw, null);
    let (_, then, otherwise) = b.if_(nothing, &[]);
    b.inside(then, |b| {
        let (func, extra) = (stop, Vec::new());
        b.inst(Op::Call(CallAttr { func, extra }), vec![], &[]);
        b.yield_(&[]);
    });
    b.inside(otherwise, |b| b.yield_(&[]));
    memory
}

/// Frees memory in front of `at`.
pub(super) fn free(module: &mut Module, body: &mut Body, at: Inst, memory: Value) {
    let void = module.types.void();
    let address = module.types.pointer(void);
    let free = external(module, "free", void, &[address]);
    let b = &mut Builder::before(body, at);
    let raw = b.value(Op::Cast, vec![memory], Type::Ptr);
    b.set_ctype(raw, address);
    let (func, extra) = (free, Vec::new());
    b.inst(Op::Call(CallAttr { func, extra }), vec![raw], &[]);
}

/// A call with one result.
pub(super) fn call(b: &mut Builder<'_>, func: Func, args: Vec<Value>, ty: Type) -> Value {
    let extra = Vec::new();
    b.value(Op::Call(CallAttr { func, extra }), args, ty)
}

/// The name of the function that an instruction calls.
pub(super) fn callee<'m>(module: &'m Module, op: &Op) -> Option<&'m str> {
    match op {
        Op::Call(attr) => Some(&module.funcs[attr.func].name),
        _ => None,
    }
}

/// `void adjoin_no_memory(void)`: says so and ends the program.
pub(super) fn no_memory(module: &mut Module) -> Func {
    stop(
        module,
        "adjoin_no_memory",
        "adjoin: no memory for a reduction",
    )
}

/// A function that says something and ends the program.
pub(super) fn stop(module: &mut Module, name: &str, message: &str) -> Func {
    if let Some(found) = module.find_func(name) {
        return found;
    }
    let types = &mut module.types;
    let (void, char_) = (types.void(), types.basic(Basic::Char));
    let quals = Quals {
        is_const: true,
        ..Default::default()
    };
    let constant = types.qualified(char_, quals);
    let text = types.pointer(constant);
    let complain = external(module, "adjoin_complain", void, &[text]);
    let abort = external(module, "abort", void, &[]);
    let ctype = function_type(module, void, &[]);
    let func = module.funcs.push(Function {
        name: name.to_string(),
        ctype,
        param_names: Vec::new(),
        linkage: Linkage::Static,
        inline: true,
        noreturn: false,
        span: Span::default(),
        body: None,
    });
    let mut bytes = message.as_bytes().to_vec();
    bytes.push(0);
    let ctype = module.types.array(char_, Some(bytes.len() as u64));
    let number = module.globals.len();
    let message = module.globals.push(GlobalData {
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
    let mut body = Body::new();
    let mut b = Builder::new(&mut body);
    let text = b.global(message);
    for (func, args) in [(complain, vec![text]), (abort, Vec::new())] {
        let extra = Vec::new();
        b.inst(Op::Call(CallAttr { func, extra }), args, &[]);
    }
    b.ret(&[]);
    module.funcs[func].body = Some(body);
    func
}
