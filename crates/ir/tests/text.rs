//! The text form: what is printed reads back as the same module, and garbage is an error.

mod common;

use adjoin_ir::{
    Body, Builder, CTypeKind, Function, Linkage, Module, OPS, Span, Type, parse_module,
    print_module, verify_module,
};
use common::{Random, count};

const ALL_OPS: &str = include_str!("data/all_ops.ir");

fn parse(text: &str) -> Module {
    parse_module(text).unwrap_or_else(|e| panic!("{e}"))
}

/// Print and parse give the same module, and print again the same text, which is returned.
fn round_trip(module: &Module) -> String {
    if let Err(errors) = verify_module(module) {
        panic!(
            "{}",
            errors.iter().map(|e| format!("{e}\n")).collect::<String>()
        );
    }
    let printed = print_module(module);
    let again = parse_module(&printed).unwrap_or_else(|e| panic!("{e}\n{printed}"));
    assert!(
        module.canonical() == again.canonical(),
        "not the same module:\n{printed}"
    );
    assert_eq!(print_module(&again), printed);
    printed
}

#[test]
fn every_op_is_in_the_test() {
    for op in OPS {
        let found = ALL_OPS
            .lines()
            .any(|line| line.split_whitespace().any(|w| w == op.name));
        assert!(found, "{} is missing", op.name);
    }
}

/// The file is written as the printer prints it. `BLESS=1` rewrites it.
#[test]
fn all_ops_round_trip() {
    let printed = round_trip(&parse(ALL_OPS));
    if std::env::var_os("BLESS").is_some() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/all_ops.ir");
        std::fs::write(path, printed).expect("the test data can be written");
        return;
    }
    for (expected, found) in ALL_OPS.lines().zip(printed.lines()) {
        assert_eq!(expected, found);
    }
    assert_eq!(ALL_OPS, printed);
}

/// The example in the documentation is right.
#[test]
fn documented_example() {
    let source = include_str!("../src/text.rs");
    let example = source
        .split("```text\n")
        .nth(1)
        .and_then(|s| s.split("//! ```").next())
        .expect("an example");
    let text: String = example
        .lines()
        .map(|l| l.trim_start_matches("//! ").to_string() + "\n")
        .collect();
    let module = parse(&text);
    round_trip(&module);
    // Only the types that are used show.
    let used = text.replace(
        "struct point size 16 align 8 {\n  +0 x: double\n  +8 y: double\n}\n",
        "",
    );
    assert_eq!(print_module(&module), used);
}

/// Reads a module that is not written as the printer does, and compares.
#[test]
fn printing_numbers_in_program_order() {
    let text = "func @f(x): (double) -> double
        (v7 \"x\": f64) { // a comment
          v9: f64 = add v7, v7
          v8: f64 = mul v9, v7 return v8 }";
    let printed = round_trip(&parse(text));
    let expected = "func @f(x): (double) -> double
(v0 \"x\": f64) {
  v1: f64 = add v0, v0
  v2: f64 = mul v1, v0
  return v2
}
";
    assert_eq!(printed, expected);
}

fn module_with(body: Body) -> Module {
    let mut module = Module::new();
    let ret = module.types.void();
    let kind = CTypeKind::Function {
        ret,
        params: vec![],
        variadic: false,
        prototyped: true,
    };
    let ctype = module.types.intern(kind);
    module.funcs.push(Function {
        name: "f".into(),
        ctype,
        param_names: vec![],
        linkage: Linkage::External,
        inline: false,
        noreturn: false,
        span: Span::default(),
        body: Some(body),
    });
    module
}

/// A chain of `else if` is as deep as it is long: neither printer, parser nor verifier may recurse into it.
#[test]
fn deep_nesting() {
    let mut body = Body::new();
    let mut b = Builder::new(&mut body);
    let condition = b.bool_(true);
    for _ in 0..20_000 {
        let (_, then, otherwise) = b.if_(condition, &[]);
        b.inside(then, |b| b.yield_(&[]));
        if b.cursor.region == b.body.entry {
            b.ret(&[]);
        } else {
            b.yield_(&[]);
        }
        b.enter(otherwise);
    }
    b.yield_(&[]);
    round_trip(&module_with(body));
}

#[test]
fn floats_are_exact() {
    let mut random = Random(7);
    let mut body = Body::new();
    let mut b = Builder::new(&mut body);
    for _ in 0..5_000 {
        b.float(Type::F64, f64::from_bits(random.next()));
    }
    for value in [
        0.0,
        -0.0,
        f64::MIN_POSITIVE,
        5e-324,
        f64::MAX,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
    ] {
        b.float(Type::F64, value);
    }
    b.ret(&[]);
    round_trip(&module_with(body));
}

/// Dead instructions and unused types do not show.
#[test]
fn canonical_forgets_how_it_was_built() {
    let build = |detour: bool| {
        let mut body = Body::new();
        if detour {
            let entry = body.entry;
            body.make(entry, adjoin_ir::Op::Return, vec![], Span::default());
        }
        let mut b = Builder::new(&mut body);
        let x = b.int(Type::I32, 1);
        if detour {
            let y = b.int(Type::I32, 2);
            let dead = b.body.def_inst(y).expect("an instruction");
            b.body.regions[b.cursor.region].insts.retain(|&i| i != dead);
        }
        b.add(x, x);
        b.ret(&[]);
        let mut module = module_with(body);
        if detour {
            module.types.basic(adjoin_ir::Basic::Float);
        }
        module
    };
    assert!(build(true) != build(false));
    assert!(build(true).canonical() == build(false).canonical());
    assert_eq!(print_module(&build(true)), print_module(&build(false)));
}

#[test]
fn errors_have_places() {
    let cases = [
        (
            "func @f(): () -> void {\n  v0: i32 = nothing\n}",
            "2:13: `nothing` is no operation",
        ),
        (
            "func @f(): () -> void {\n  return v3\n}",
            "2:10: `v3` is not defined before this",
        ),
        (
            "func @f(): () -> void {\n  v0: i32 = const 1 v0: i32 = const 2\n}",
            "2:21: `v0` is defined twice",
        ),
        (
            "func @f(): () -> void {\n",
            "2:1: an operation or `}` is expected, not the end of the text",
        ),
        (
            "func @f(): () -> void {\n  break ^L0\n}",
            "2:10: no enclosing instruction has the label `L0`",
        ),
        (
            "global @g: nowhere",
            "1:12: no typedef of that name comes before this",
        ),
        (
            "global @g: struct s",
            "1:12: this struct, union or enum is nowhere defined",
        ),
        (
            "global @g: int\nglobal @g: int",
            "2:9: a second declaration of this name",
        ),
        (
            "global @g: int = hex \"0g\"",
            "1:22: pairs of hexadecimal digits are expected",
        ),
        ("global @g: long int", "1:17: `long int` is no C type"),
        (
            "typedef t = int typedef t = int",
            "1:25: a second typedef of this name",
        ),
        (
            "struct s size 1 align 1 { } struct s size 1 align 1 { }",
            "1:29: a second definition of this name",
        ),
        (
            "global @g: int = bytes \"\\xq0\"",
            "1:27: `\\x` needs two hexadecimal digits",
        ),
        (
            "hello",
            "1:1: file, typedef, struct, union, enum, global, func or checkpoint is expected, not `hello`",
        ),
    ];
    for (text, message) in cases {
        let error = parse_module(text).expect_err(text);
        assert_eq!(error.to_string(), message);
    }
}

#[test]
fn garbage_is_an_error() {
    let long = |s: &str| s.repeat(200_000);
    let texts = [
        format!("global @g: {}int", long("*")),
        format!("global @g: {}", long("(")),
        format!("global @g: {}", long("[1]")),
        format!("func @f(): () -> void {{ {}", long("loop { ")),
        format!("func @f(): () -> void {{ {}", long("if ")),
        long("{"),
        long("}"),
        format!("file \"{}", long("x")),
        "global @g: __vector[18446744073709551615] double global @h: [18446744073709551615][3]int"
            .to_string(),
        "func @f(): () -> void { v0: ptr = slot __vector[99999999999999999] double return }"
            .to_string(),
        "\u{0}".to_string(),
    ];
    for text in texts {
        if let Ok(module) = parse_module(&text) {
            let _ = verify_module(&module);
            print_module(&module);
        }
    }
}

/// Changes a text in a few places: bytes, and whole words replaced by others of the text.
fn mutate(text: &str, random: &mut Random) -> String {
    let words: Vec<&str> = text.split(' ').collect();
    let mut out: Vec<String> = words.iter().map(|w| w.to_string()).collect();
    for _ in 0..1 + random.below(4) {
        let at = random.below(out.len());
        match random.below(5) {
            0 => out[at] = words[random.below(words.len())].to_string(),
            1 => out[at].clear(),
            2 => {
                let other = random.below(out.len());
                out.swap(at, other);
            }
            3 => {
                let mut bytes = std::mem::take(&mut out[at]).into_bytes();
                let k = random.below(bytes.len());
                if let Some(byte) = bytes.get_mut(k) {
                    *byte = b" \"#()*+,-.0123456789:=?@[]^abvxz{}\n"[random.below(35)];
                }
                out[at] = String::from_utf8_lossy(&bytes).into_owned();
            }
            _ => {
                out[at] = [
                    "18446744073709551615",
                    "-1",
                    "v0",
                    "^L0",
                    "0x",
                    "\"",
                    "{",
                    "}",
                ][random.below(8)]
                .into()
            }
        }
    }
    out.join(" ")
}

/// Changed texts are errors, or modules that print, verify and, if they are fine, round-trip; never a panic. `FUZZ=n` does n of them.
#[test]
fn mutations_do_not_panic() {
    let count = count(3_000);
    let mut random = Random(1);
    let (mut parsed, mut verified) = (0, 0);
    for _ in 0..count {
        let text = mutate(ALL_OPS, &mut random);
        let Ok(module) = parse_module(&text) else {
            continue;
        };
        parsed += 1;
        if verify_module(&module).is_ok() {
            verified += 1;
            round_trip(&module);
        } else {
            print_module(&module);
        }
    }
    println!("{count} texts, {parsed} parsed, {verified} verified");
    assert!(parsed > 0 && verified > 0);
}
