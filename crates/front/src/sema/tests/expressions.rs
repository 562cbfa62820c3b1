//! Literals, conversions, operators, calls and constants.

use super::super::*;
use super::*;
use adjoin_ir::Quals;

fn number_type(text: &str) -> (Basic, ExprKind) {
    let mut s = Sema::default();
    let e = s.number(text, AT);
    assert!(s.errors().is_empty(), "{text}: {:?}", s.errors());
    (s.arithmetic(e.ty).expect("a number"), e.kind)
}

#[test]
fn integer_literals_have_the_types_of_c() {
    use Basic::*;
    let cases = [
        ("0", Int, 0),
        ("2147483647", Int, 2147483647),
        ("2147483648", Long, 2147483648),
        ("0x7fffffff", Int, 0x7fff_ffff),
        ("0xffffffff", UInt, 0xffff_ffff),
        ("0x100000000", Long, 0x1_0000_0000),
        ("0xffffffffffffffff", ULong, u64::MAX.into()),
        ("9223372036854775808", Int128, 9223372036854775808),
        ("10u", UInt, 10),
        ("4294967296U", ULong, 4294967296),
        ("1L", Long, 1),
        ("1ll", LongLong, 1),
        ("1uLL", ULongLong, 1),
        ("1LLu", ULongLong, 1),
        ("017", Int, 15),
        ("0b101", Int, 5),
        ("1'000'000", Int, 1_000_000),
        ("0x1e", Int, 30),
    ];
    for (text, ty, value) in cases {
        let (b, kind) = number_type(text);
        assert_eq!(b, ty, "{text}");
        assert!(
            matches!(kind, ExprKind::Int(v) if v == value),
            "{text}: {kind:?}"
        );
    }
    let mut s = Sema::default();
    s.number("1lul", AT);
    s.number("089", AT);
    s.number("0x", AT);
    assert_eq!(s.errors().len(), 3);
}

#[test]
fn floating_literals_are_rounded_once() {
    let value = |text: &str| match number_type(text) {
        (b, ExprKind::Float { value, .. }) => (b, value),
        other => panic!("{text}: {other:?}"),
    };
    assert_eq!(value("1.5"), (Basic::Double, 1.5));
    assert_eq!(value("1e3f"), (Basic::Float, 1000.0));
    assert_eq!(value(".5L").0, Basic::LongDouble);
    assert_eq!(value("0x1.8p1"), (Basic::Double, 3.0));
    assert_eq!(value("0x.8p-1f"), (Basic::Float, 0.25));
    assert_eq!(value("0x1p-1074"), (Basic::Double, f64::from_bits(1)));
    assert_eq!(value("0x1p-1075"), (Basic::Double, 0.0));
    assert_eq!(value("0x1.8p-1074"), (Basic::Double, f64::from_bits(2)));
    assert_eq!(
        value("0x1p-149f"),
        (Basic::Float, f64::from(f32::from_bits(1)))
    );
    assert_eq!(
        value("0x1.fffffffffffff8p1023"),
        (Basic::Double, f64::INFINITY)
    );
    assert_eq!(value("0x1.fffffffffffff7p1023").1, f64::MAX);
    assert_eq!(value("1.0F128").0, Basic::Float128);
    assert_eq!(value("1.0q").0, Basic::Float128);
    assert_eq!(value("1.1f16"), (Basic::Float16, 1.099609375));
    assert_eq!(value("1.f"), (Basic::Float, 1.0));
    // Halfway between two floats but for a bit far below double precision.
    let exact = "1.00000005960464477539062500000000000000000001f";
    assert_eq!(value(exact).1, f64::from(1.0f32 + f32::EPSILON));
    assert!(matches!(
        number_type("2.0i"),
        (Basic::ComplexDouble, ExprKind::Imaginary(2.0))
    ));
    assert!(matches!(number_type("2.0fi").0, Basic::ComplexFloat));
    assert!(matches!(number_type("3i").0, Basic::ComplexDouble));
}

#[test]
fn characters_and_strings() {
    let mut s = Sema::default();
    let mut value = |text: &[u8]| match s.character(text, AT).kind {
        ExprKind::Int(v) => v,
        other => panic!("{other:?}"),
    };
    assert_eq!(value(b"'a'"), 97);
    assert_eq!(value(b"'\\n'"), 10);
    assert_eq!(value(b"'\\377'"), -1);
    assert_eq!(value(b"'\\x41'"), 65);
    assert_eq!(value(b"'ab'"), 0x6162);
    assert_eq!(value(b"L'\\xffff'"), 0xffff);
    assert_eq!(value("L'é'".as_bytes()), 0xe9);
    assert_eq!(value(b"u'\\u20ac'"), 0x20ac);
    let e = s.string(&[b"\"a\\0\"", b"\"b\""], AT);
    let ExprKind::Str(first) = e.kind else {
        panic!()
    };
    assert_eq!(s.unit.strings[first].bytes, b"a\0b\0");
    let again = s.string(&[b"\"a\\000b\""], AT);
    assert!(matches!(again.kind, ExprKind::Str(id) if id == first));
    let wide = s.string(&[b"L\"a\"", b"\"b\""], AT);
    assert_eq!(s.unit.types.size_of(wide.ty), Some(12));
    let sixteen = s.string(&["u\"😀\"".as_bytes()], AT);
    assert_eq!(s.unit.types.size_of(sixteen.ty), Some(6));
    let utf8 = s.string(&[b"\"\\u20ac\""], AT);
    assert_eq!(s.unit.types.size_of(utf8.ty), Some(4));
    assert!(s.errors().is_empty());
}

#[test]
fn usual_arithmetic_conversions() {
    use Basic::*;
    let cases = [
        (Char, Short, Int),
        (UInt, Int, UInt),
        (UInt, Long, Long),
        (ULong, Int, ULong),
        (ULong, LongLong, ULongLong),
        (Int128, ULong, Int128),
        (Float, Int, Float),
        (Float, Double, Double),
        (LongDouble, Double, LongDouble),
        (ComplexFloat, Double, ComplexDouble),
        (ComplexFloat, Long, ComplexFloat),
        (Bool, Bool, Int),
        (Float16, Int, Float16),
    ];
    for (a, b, common) in cases {
        assert_eq!(convert::usual(a, b), common, "{a:?} {b:?}");
        assert_eq!(convert::usual(b, a), common, "{b:?} {a:?}");
    }
}

#[test]
fn bit_fields_promote_by_width() {
    let mut s = Sema::default();
    let (uint, int) = (s.basic(Basic::UInt), s.basic(Basic::Int));
    let (_, ty) = s.test_record(false, vec![bits("a", uint, 3), bits("b", uint, 32)]);
    let object = s.test_var("s", ty, Storage::Auto);
    let a = s.member(object.clone(), "a", false, AT);
    let b = s.member(object, "b", false, AT);
    let plus_a = s.unary(UnTok::Plus, a.clone(), AT);
    assert_eq!(plus_a.ty, int);
    let one = s.int(1);
    let assigned = s.assign(None, a, one, AT);
    let plus = s.unary(UnTok::Plus, assigned, AT);
    assert_eq!(plus.ty, int);
    assert_eq!(s.unary(UnTok::Plus, b.clone(), AT).ty, uint);
    s.unary(UnTok::AddrOf, b, AT);
    assert_eq!(s.errors(), ["cannot take the address of bit-field 'b'"]);
}

#[test]
fn constants_fold_as_c_does() {
    let mut s = Sema::default();
    let op = |s: &mut Sema, op, a: &str, b: &str| {
        let (a, b) = (s.number(a, AT), s.number(b, AT));
        let e = s.binary(BinTok::Op(op), a, b, AT);
        s.const_value(&e)
    };
    use BinaryOp::*;
    use ConstValue::{Float as F, Int as I};
    // Overflow wraps in an initialiser, and is no integer constant expression.
    assert_eq!(op(&mut s, Add, "2147483647", "1"), Some(I(i32::MIN.into())));
    let (max, one) = (s.int(i32::MAX.into()), s.int(1));
    let overflow = s.binary(BinTok::Op(Add), max, one, AT);
    assert_eq!(s.const_int(&overflow), None);
    assert_eq!(op(&mut s, Add, "4294967295u", "1"), Some(I(0)));
    assert_eq!(op(&mut s, Sub, "0u", "1"), Some(I(u32::MAX.into())));
    assert_eq!(op(&mut s, Shl, "1", "31"), Some(I(i32::MIN.into())));
    assert_eq!(op(&mut s, Shl, "1", "32"), None);
    assert_eq!(op(&mut s, Div, "1", "0"), None);
    assert_eq!(
        op(
            &mut s,
            Mul,
            "18446744073709551615u",
            "18446744073709551615u"
        ),
        Some(I(1))
    );
    assert_eq!(
        op(&mut s, Div, "1.0f", "3.0f"),
        Some(F(f64::from(1f32 / 3f32)))
    );
    assert_eq!(op(&mut s, Div, "1.0", "0.0"), Some(F(f64::INFINITY)));
    assert_eq!(op(&mut s, Div, "1.0L", "3.0L"), None);
    assert_eq!(op(&mut s, Div, "1.0L", "4.0L"), Some(F(0.25)));
    let minus = s.number("1", AT);
    let minus = s.unary(UnTok::Minus, minus, AT);
    let one = s.number("1u", AT);
    let less = s.binary(BinTok::Op(Lt), minus, one, AT);
    assert_eq!(s.const_int(&less), Some(0));
    let (double, int) = (s.basic(Basic::Double), s.basic(Basic::Int));
    let big = s.number("1e30", AT);
    let cast = s.cast(int, big, AT);
    assert_eq!(s.const_value(&cast), None);
    let third = s.number("3.99", AT);
    let cast = s.cast(int, third, AT);
    assert_eq!(s.const_int(&cast), Some(3));
    let constant = Quals {
        is_const: true,
        ..Default::default()
    };
    let ty = s.unit.types.qualified(double, constant);
    let v = s.test_var("k", ty, Storage::Global { is_static: true });
    let ExprKind::Var(id) = v.kind else { panic!() };
    let value = s.number("2.5", AT);
    s.unit.vars[id].init = Some(Init::Expr(value));
    let read = s.rvalue(v);
    assert_eq!(s.const_value(&read), Some(F(2.5)));
}

#[test]
fn addresses_are_constants() {
    let mut s = Sema::default();
    let (int, long) = (s.basic(Basic::Int), s.basic(Basic::Long));
    let (_, ty) = s.test_record(false, vec![field("a", int), field("b", long)]);
    let array = s.unit.types.array(ty, Some(5));
    let a = s.test_var("a", array, Storage::Global { is_static: false });
    let ExprKind::Var(id) = a.kind else { panic!() };
    let three = s.int(3);
    let element = s.index(a, three, AT);
    let b = s.member(element, "b", false, AT);
    let address = s.unary(UnTok::AddrOf, b, AT);
    assert_eq!(
        s.const_value(&address),
        Some(ConstValue::Address(ConstBase::Var(id), 56))
    );
    let cast = s.cast(long, address, AT);
    assert_eq!(
        s.const_value(&cast),
        Some(ConstValue::Address(ConstBase::Var(id), 56))
    );
    assert!(s.unit.vars[id].address_taken);
    // The offsetof idiom.
    let pointer = s.unit.types.pointer(ty);
    let zero = s.int(0);
    let null = s.cast(pointer, zero, AT);
    let b = s.member(null, "b", true, AT);
    let address = s.unary(UnTok::AddrOf, b, AT);
    let offset = s.cast(long, address, AT);
    assert_eq!(s.const_int(&offset), Some(8));
    assert!(s.errors().is_empty());
}

#[test]
fn conditional_types() {
    let mut s = Sema::default();
    let int = s.basic(Basic::Int);
    let void = s.unit.types.void();
    let (pi, pv) = (s.unit.types.pointer(int), s.unit.types.pointer(void));
    let constant = Quals {
        is_const: true,
        ..Default::default()
    };
    let ci = s.unit.types.qualified(int, constant);
    let pci = s.unit.types.pointer(ci);
    let c = s.test_var("c", int, Storage::Auto);
    let p = s.test_var("p", pi, Storage::Auto);
    let q = s.test_var("q", pci, Storage::Auto);
    let v = s.test_var("v", pv, Storage::Auto);
    let zero = s.int(0);
    assert_eq!(s.conditional(c.clone(), Some(p.clone()), zero, AT).ty, pi);
    assert_eq!(s.conditional(c.clone(), Some(p.clone()), q, AT).ty, pci);
    assert_eq!(s.conditional(c.clone(), Some(p.clone()), v, AT).ty, pv);
    let zero = s.int(0);
    let null = s.cast(pv, zero, AT);
    assert_eq!(s.conditional(c.clone(), Some(null), p.clone(), AT).ty, pi);
    let one = s.int(1);
    let e = s.conditional(c, None, one, AT);
    assert!(matches!(e.kind, ExprKind::Elvis(..)));
    assert!(s.diags.is_empty(), "{:?}", s.diags);
}

#[test]
fn calls_are_checked() {
    let mut s = Sema::default();
    let (double, int) = (s.basic(Basic::Double), s.basic(Basic::Int));
    let f = s.test_func("f", double, vec![double, int]);
    let one = s.int(1);
    let bad = s.call(f.clone(), vec![one], AT);
    assert!(s.is_error(&bad));
    assert_eq!(s.errors(), ["too few arguments to function 'f'"]);
    assert_eq!(
        s.diags[0].related,
        vec![(Span { start: 7, end: 8 }, "declared here".into())]
    );
    let args = vec![s.int(1), s.number("2.0", AT)];
    let pointer = s.unary(UnTok::AddrOf, f.clone(), AT);
    let again = s.unary(UnTok::Deref, pointer, AT);
    let call = s.call(again, args, AT);
    let ExprKind::Call { callee, args } = &call.kind else {
        panic!("{call:?}")
    };
    assert!(matches!(&callee.kind, ExprKind::Decay(f) if matches!(f.kind, ExprKind::Func(_))));
    assert!(matches!(args[0].kind, ExprKind::Float { value: 1.0, .. }));
    assert!(matches!(
        args[1].kind,
        ExprKind::Cast {
            explicit: false,
            ..
        }
    ));
    assert_eq!(call.ty, double);
    let sum = s.binary(BinTok::Op(BinaryOp::Add), bad, call, AT);
    assert!(s.is_error(&sum));
    assert_eq!(s.errors().len(), 1, "no further errors follow");
}

#[test]
fn members_are_found_and_suggested() {
    let mut s = Sema::default();
    let int = s.basic(Basic::Int);
    let (_, inner) = s.test_record(true, vec![field("x", int), field("length", int)]);
    let (_, outer) = s.test_record(false, vec![field("a", int), field("", inner)]);
    let v = s.test_var("v", outer, Storage::Auto);
    let x = s.member(v.clone(), "length", false, AT);
    let ExprKind::Member { base, field: 1, .. } = x.kind else {
        panic!()
    };
    assert!(matches!(base.kind, ExprKind::Member { field: 1, .. }));
    s.member(v.clone(), "lenght", false, AT);
    assert_eq!(s.diags[0].help.as_deref(), Some("did you mean 'length'?"));
    s.member(v, "a", true, AT);
    assert_eq!(s.diags[1].help.as_deref(), Some("use '.a'"));
}

#[test]
fn builtins_are_typed() {
    let mut s = Sema::default();
    let f = s.builtin_function("__builtin_sqrtf", AT).expect("known");
    assert_eq!(s.unit.funcs[f].name, "sqrtf");
    assert_eq!(s.type_name(s.unit.funcs[f].ty), "float (float)");
    let call = |s: &mut Sema, name: &str, args: Vec<Expr>| {
        let f = s.builtin_function(name, AT).expect("known");
        let callee = s.func(f, AT);
        s.call(callee, args, AT)
    };
    let e = call(&mut s, "__builtin_inff", vec![]);
    assert!(matches!(
        e.kind,
        ExprKind::Float {
            value: f64::INFINITY,
            ..
        }
    ));
    assert_eq!(s.arithmetic(e.ty), Some(Basic::Float));
    let empty = s.string(&[b"\"\""], AT);
    let e = call(&mut s, "__builtin_nan", vec![empty]);
    assert!(matches!(e.kind, ExprKind::Float { value, .. } if value.is_nan()));
    let x = s.number("1.0L", AT);
    let e = call(&mut s, "__builtin_isnan", vec![x]);
    let ExprKind::Call { callee, .. } = &e.kind else {
        panic!()
    };
    assert_eq!(s.type_name(callee.ty), "int (*)(long double)");
    let int = s.basic(Basic::Int);
    let pointer = s.unit.types.pointer(int);
    let p = s.test_var("p", pointer, Storage::Auto);
    let five = s.number("5L", AT);
    let e = call(&mut s, "__sync_fetch_and_add", vec![p.clone(), five]);
    assert_eq!(e.ty, int);
    let order = s.int(5);
    let e = call(&mut s, "__atomic_load_n", vec![p, order]);
    assert_eq!(e.ty, int);
    let e = call(&mut s, "__builtin_ia32_rdtsc", vec![]);
    let five = s.int(5);
    let plus = s.binary(BinTok::Op(BinaryOp::Add), e, five, AT);
    let long = s.basic(Basic::Long);
    assert_eq!(s.convert(plus, long, "x").ty, long);
    assert!(s.diags.is_empty(), "{:?}", s.diags);
    call(&mut s, "__builtin_frobnicate", vec![]);
    assert!(s.errors().is_empty());
    let last = s.diags.last().map(|d| d.message.as_str());
    assert_eq!(
        last,
        Some("the builtin '__builtin_frobnicate' is not known")
    );
}
