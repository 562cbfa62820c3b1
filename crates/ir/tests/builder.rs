//! The builder keeps a body's links right.

use adjoin_ir::*;

fn verified(module: &Module) -> String {
    if let Err(errors) = verify_module(module) {
        panic!("{}", errors[0]);
    }
    print_module(module)
}

/// `double sum(int n, double *x)`, with a loop and an early exit.
#[test]
fn a_loop() {
    let mut module = Module::new();
    let types = &mut module.types;
    let (int, double) = (types.basic(Basic::Int), types.basic(Basic::Double));
    let pointer = types.pointer(double);
    let params = vec![int, pointer];
    let ctype = types.intern(CTypeKind::Function {
        ret: double,
        params,
        variadic: false,
        prototyped: true,
    });
    let param_names = vec![Some("n".to_string()), Some("x".to_string())];
    let mut body = Body::with_params(types, ctype, &param_names).expect("values");
    let [n, x] = body.regions[body.entry].args[..] else {
        panic!("two parameters")
    };

    let mut b = Builder::new(&mut body);
    let (zero, one, start) = (
        b.int(Type::I32, 0),
        b.int(Type::I32, 1),
        b.float(Type::F64, 0.0),
    );
    let (sum, region) = b.for_(Pred::Lt, zero, n, one, &[start]);
    let [index, total] = b.body.regions[region].args[..] else {
        panic!("index and sum")
    };
    b.inside(region, |b| {
        let address = b.element(x, double, 8, index);
        let value = b.load(Type::F64, address);
        let negative = b.lt(value, start);
        let (_, then, otherwise) = b.if_(negative, &[]);
        b.inside(then, |b| b.break_(sum, &[total]));
        b.inside(otherwise, |b| b.yield_(&[]));
        let next = b.add(total, value);
        b.yield_(&[next]);
        assert!(b.terminated());
    });
    assert!(!b.terminated());
    let result = b.body.insts[sum].results[1];
    b.ret(&[result]);

    let (linkage, span) = (Linkage::External, Span::default());
    let name = "sum".to_string();
    let body = Some(body);
    module.funcs.push(Function {
        name,
        ctype,
        param_names,
        linkage,
        inline: false,
        noreturn: false,
        span,
        body,
    });
    let expected = r#"func @sum(n, x): (int, *double) -> double
(v0 "n": i32 as int, v1 "x": ptr as *double) {
  v2: i32 = const 0
  v3: i32 = const 1
  v4: f64 = const 0.0
  v5: i32, v6: f64 = for ^L0 v2 lt v0 step v3 with v4 (v7: i32, v8: f64) {
    v9: ptr = addr v1 as double [v7]
    v10: f64 = load v9
    v11: bool = lt v10, v4
    if v11 {
      break ^L0 v8
    } else {
      yield
    }
    v12: f64 = add v8, v10
    yield v12
  }
  return v6
}
"#;
    assert_eq!(verified(&module), expected);
}

/// Instructions before another one come in the order they are made, with its place.
#[test]
fn before_an_instruction() {
    let text =
        "file \"a.c\" func @f(): (int) -> int (v0: i32) { v1: i32 = neg v0 !0:7:3 return v1 }";
    let mut module = parse_module(text).unwrap_or_else(|e| panic!("{e}"));
    let f = module.find_func("f").expect("f");
    let body = module.funcs[f].body.as_mut().expect("a body");
    let parameter = body.regions[body.entry].args[0];
    let neg = body.regions[body.entry].insts[0];
    let mut b = Builder::before(body, neg);
    let one = b.int(Type::I32, 1);
    let sum = b.add(parameter, one);
    b.body.insts[neg].args[0] = sum;
    let expected = "file \"a.c\"
func @f(): (int) -> int
(v0: i32) {
  v1: i32 = const 1 !0:7:3
  v2: i32 = add v0, v1 !0:7:3
  v3: i32 = neg v2 !0:7:3
  return v3
}
";
    assert_eq!(verified(&module), expected);
}
