//! The functions that the normal form calls: the queries of OpenMP's library, and the partition of iterations.

use adjoin_ir::{
    Basic, Body, Builder, CTy, CTypeKind, CallAttr, Func, Function, GlobalData, Init, Linkage,
    Module, Op, Quals, Span, Type, Value,
};

/// The number of a thread in its team.
pub const THREAD: &str = "omp_get_thread_num";
/// The number of threads of a team.
pub const THREADS: &str = "omp_get_num_threads";
/// How many threads a team that starts now may have.
pub const MOST_THREADS: &str = "omp_get_max_threads";
/// Where the iterations of a thread begin.
pub const PART: &str = "adjoin_part";

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

/// `long adjoin_part(long count, long threads, long thread)`: the first of `count` iterations that a thread runs; the next thread's first is the end of
/// them. Of a negative count no thread has any.
pub(super) fn part(module: &mut Module) -> Func {
    if let Some(found) = module.find_func(PART) {
        return found;
    }
    let long = module.types.basic(Basic::Long);
    let ctype = function_type(module, long, &[long; 3]);
    let names: Vec<Option<String>> = ["count", "threads", "thread"]
        .map(|n| Some(n.to_string()))
        .to_vec();
    let mut body =
        Body::with_params(&module.types, ctype, &names).expect("the parameters are numbers");
    let args = body.regions[body.entry].args.clone();
    let mut b = Builder::new(&mut body);
    let each = b.div(args[0], args[1]);
    let rest = b.rem(args[0], args[1]);
    let before = b.mul(each, args[2]);
    let fewer = b.lt(args[2], rest);
    let extra = b.select(fewer, args[2], rest);
    let first = b.add(before, extra);
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
    const NAME: &str = "adjoin_no_memory";
    if let Some(found) = module.find_func(NAME) {
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
        name: NAME.to_string(),
        ctype,
        param_names: Vec::new(),
        linkage: Linkage::Static,
        inline: true,
        noreturn: false,
        span: Span::default(),
        body: None,
    });
    let bytes = b"adjoin: no memory for a reduction\0".to_vec();
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
