//! Flattened initialisers.

use super::super::*;
use super::*;

fn list(entries: Vec<ParsedInit>) -> ParsedInit {
    ParsedInit::List(entries.into_iter().map(|e| (Vec::new(), e)).collect(), AT)
}

fn index(i: u64) -> Designator {
    Designator::Index(i, i, AT)
}

fn named(name: &str) -> Designator {
    Designator::Field(name.into(), AT)
}

/// The items as text: `[0].1=5`.
fn show(s: &Sema, init: &Init) -> String {
    let Init::List(items) = init else {
        return "expression".into();
    };
    let mut out = Vec::new();
    for item in items {
        let mut text = String::new();
        for step in &item.path {
            match step {
                InitStep::Index(i) => text += &format!("[{i}]"),
                InitStep::Field(_, f) => text += &format!(".{f}"),
            }
        }
        let value = match &item.value.kind {
            ExprKind::Str(id) => {
                String::from_utf8_lossy(&s.unit.strings[*id].bytes).replace('\0', "0")
            }
            _ => match s.const_value(&item.value) {
                Some(ConstValue::Int(v)) => v.to_string(),
                Some(ConstValue::Float(v)) => format!("{v:?}"),
                other => format!("{other:?}"),
            },
        };
        out.push(format!("{text}={value}"));
    }
    out.join(" ")
}

struct Types {
    s: Sema,
    int: CTy,
    /// `struct { int a, b; }`
    pair: CTy,
    /// `struct { struct pair p; int n[2]; }`
    outer: CTy,
}

fn types() -> Types {
    let mut s = Sema::default();
    let int = s.basic(Basic::Int);
    let (_, pair) = s.test_record(false, vec![field("a", int), field("b", int)]);
    let two = s.unit.types.array(int, Some(2));
    let (_, outer) = s.test_record(false, vec![field("p", pair), field("n", two)]);
    Types {
        s,
        int,
        pair,
        outer,
    }
}

impl Types {
    fn e(&mut self, v: i128) -> ParsedInit {
        ParsedInit::Expr(self.s.int(v))
    }
    fn ints(&mut self, range: std::ops::RangeInclusive<i128>) -> Vec<ParsedInit> {
        range.map(|v| self.e(v)).collect()
    }
    fn run(&mut self, ty: CTy, init: ParsedInit) -> (String, CTy) {
        let (init, ty) = self.s.initialiser(ty, init, false, AT);
        (show(&self.s, &init), ty)
    }
}

#[test]
fn braces_may_be_elided() {
    let mut t = types();
    let array = t.s.unit.types.array(t.outer, None);
    let init = list(t.ints(1..=6));
    let (text, ty) = t.run(array, init);
    assert_eq!(
        text,
        "[0].0.0=1 [0].0.1=2 [0].1[0]=3 [0].1[1]=4 [1].0.0=5 [1].0.1=6"
    );
    assert_eq!(t.s.unit.types.size_of(ty), Some(32));
    let inner = list(t.ints(1..=1));
    let mut entries = vec![inner];
    entries.extend(t.ints(2..=3));
    let (text, _) = t.run(t.outer, list(entries));
    assert_eq!(text, ".0.0=1 .1[0]=2 .1[1]=3");
    assert!(t.s.diags.is_empty());
    let init = list(t.ints(1..=3));
    assert_eq!(t.run(t.pair, init).0, ".0=1 .1=2");
    assert_eq!(t.s.diags[0].message, "excess elements in initialiser");
}

#[test]
fn designators_go_on_where_they_point() {
    let mut t = types();
    let entries = vec![
        (vec![named("p"), named("b")], t.e(1)),
        (vec![], t.e(2)),
        (vec![], t.e(3)),
        (vec![named("p")], list(t.ints(9..=9))),
    ];
    let (text, _) = t.run(t.outer, ParsedInit::List(entries, AT));
    assert_eq!(text, ".1[0]=2 .1[1]=3 .0.0=9");
    let array = t.s.unit.types.array(t.int, None);
    let entries = vec![
        (vec![Designator::Index(1, 3, AT)], t.e(7)),
        (vec![], t.e(8)),
        (vec![index(2)], t.e(5)),
    ];
    let (text, ty) = t.run(array, ParsedInit::List(entries, AT));
    assert_eq!(text, "[1]=7 [3]=7 [4]=8 [2]=5");
    assert_eq!(t.s.unit.types.size_of(ty), Some(20));
    let entries = vec![(vec![named("q")], t.e(7))];
    t.run(t.pair, ParsedInit::List(entries, AT));
    assert_eq!(t.s.errors(), ["'struct S' has no member named 'q'"]);
}

#[test]
fn unions_keep_the_last_member() {
    let mut t = types();
    let double = t.s.basic(Basic::Double);
    let (_, u) =
        t.s.test_record(true, vec![field("i", t.int), field("d", double)]);
    let (_, s) =
        t.s.test_record(false, vec![field("", u), field("z", t.int)]);
    let entries = vec![
        (vec![named("i")], t.e(1)),
        (vec![named("d")], t.e(2)),
        (vec![], t.e(3)),
    ];
    let (text, _) = t.run(s, ParsedInit::List(entries, AT));
    assert_eq!(text, ".0.1=2.0 .1=3");
    let init = list(t.ints(1..=2));
    assert_eq!(t.run(s, init).0, ".0.0=1 .1=2");
    assert!(t.s.diags.is_empty());
}

#[test]
fn strings_fill_character_arrays() {
    let mut t = types();
    let character = t.s.basic(Basic::Char);
    let open = t.s.unit.types.array(character, None);
    let text = t.s.string(&[b"\"abc\""], AT);
    let (init, ty) =
        t.s.initialiser(open, list(vec![ParsedInit::Expr(text.clone())]), true, AT);
    assert!(matches!(init, Init::Expr(_)));
    assert_eq!(t.s.unit.types.size_of(ty), Some(4));
    let three = t.s.unit.types.array(character, Some(3));
    let rows = t.s.unit.types.array(three, Some(2));
    let both = vec![
        ParsedInit::Expr(text.clone()),
        ParsedInit::Expr(text.clone()),
    ];
    assert_eq!(t.run(rows, list(both)).0, "[0]=abc [1]=abc");
    let (_, s) = t.s.test_record(false, vec![field("s", three)]);
    let entries = vec![
        (vec![named("s")], ParsedInit::Expr(text)),
        (vec![named("s"), index(1)], t.e(88)),
    ];
    let (text, _) = t.run(s, ParsedInit::List(entries, AT));
    assert_eq!(text, ".0[0]=97 .0[2]=99 .0[1]=88");
    assert!(t.s.diags.is_empty());
}

#[test]
fn static_values_must_be_constants() {
    let mut t = types();
    let v = t.s.test_var("v", t.int, Storage::Auto);
    t.s.initialiser(t.pair, list(vec![ParsedInit::Expr(v.clone())]), true, AT);
    assert_eq!(
        t.s.errors(),
        ["the initialiser of a static object is not a constant"]
    );
    t.s.initialiser(t.pair, list(vec![ParsedInit::Expr(v)]), false, AT);
    assert_eq!(t.s.errors().len(), 1);
    let third = t.s.number("3.0L", AT);
    let one = t.s.int(1);
    let e = t.s.binary(BinTok::Op(BinaryOp::Div), one, third, AT);
    let ty = e.ty;
    t.s.initialiser(ty, ParsedInit::Expr(e), true, AT);
    assert_eq!(t.s.errors().len(), 1, "long double arithmetic is constant");
}

#[test]
fn records_initialise_records() {
    let mut t = types();
    let v = t.s.test_var("v", t.pair, Storage::Auto);
    let mut entries = vec![ParsedInit::Expr(v)];
    entries.extend(t.ints(1..=2));
    let (init, _) = t.s.initialiser(t.outer, list(entries), false, AT);
    let Init::List(items) = init else { panic!() };
    assert_eq!(items.len(), 3);
    assert!(matches!(items[0].value.kind, ExprKind::Load(_)));
    // An empty struct takes nothing.
    let (_, empty) = t.s.test_record(false, vec![]);
    let (_, s) =
        t.s.test_record(false, vec![field("e", empty), field("x", t.int)]);
    let init = list(t.ints(4..=4));
    assert_eq!(t.run(s, init).0, ".1=4");
    assert!(t.s.diags.is_empty());
}

#[test]
fn a_million_elements_take_linear_time() {
    let mut t = types();
    let array = t.s.unit.types.array(t.int, None);
    let mut entries: Vec<(Vec<Designator>, ParsedInit)> =
        (0..1_000_000).map(|v| (Vec::new(), t.e(v))).collect();
    entries.push((vec![index(5)], t.e(0)));
    let (init, ty) =
        t.s.initialiser(array, ParsedInit::List(entries, AT), true, AT);
    let Init::List(items) = init else { panic!() };
    assert_eq!(items.len(), 1_000_000);
    assert_eq!(t.s.unit.types.size_of(ty), Some(4_000_000));
}
