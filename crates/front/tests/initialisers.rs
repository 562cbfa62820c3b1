//! Flattened initialisers against gcc: random types with random braces, elided braces, designators and strings; the bytes
//! of each object must be those that gcc lays down.

use adjoin_front::ast::{Expr, ExprKind, Init, InitItem, InitStep, Unit};
use adjoin_front::diag::Severity;
use adjoin_front::sema::{ConstValue, Sema};
use adjoin_ir::ctype::{Basic, CTy, CTypeKind};
use std::fmt::Write as _;
use std::process::Command;

struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % n
    }
    fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }
}

enum Shape {
    Scalar(&'static str),
    Bits(u64),
    Text(u64),
    Array(Box<Shape>, u64),
    /// Union or not, and the members; `None` for an anonymous one.
    Record(bool, Vec<(Option<String>, Shape)>),
}

fn shape(random: &mut Random, depth: u32, names: &mut u32) -> Shape {
    match random.below(if depth == 0 { 4 } else { 9 }) {
        0 | 1 => Shape::Scalar(["int", "char", "short", "long"][random.below(4) as usize]),
        2 => Shape::Scalar(["double", "float", "_Bool"][random.below(3) as usize]),
        3 => Shape::Text(1 + random.below(6)),
        4 | 5 => Shape::Array(
            Box::new(shape(random, depth - 1, names)),
            1 + random.below(4),
        ),
        _ => record(random, depth, names),
    }
}

fn record(random: &mut Random, depth: u32, names: &mut u32) -> Shape {
    let is_union = random.chance(25);
    let mut members = Vec::new();
    for _ in 0..1 + random.below(4) {
        *names += 1;
        let name = format!("m{names}");
        if random.chance(15) {
            members.push((Some(name), Shape::Bits(1 + random.below(20))));
            continue;
        }
        let inner = shape(random, depth - 1, names);
        let anonymous = matches!(inner, Shape::Record(..)) && random.chance(30);
        members.push(((!anonymous).then_some(name), inner));
    }
    Shape::Record(is_union, members)
}

fn declare(s: &Shape, name: &str) -> String {
    match s {
        Shape::Scalar(ty) => format!("{ty} {name}"),
        Shape::Bits(width) => format!("int {name} : {width}"),
        Shape::Text(n) => format!("char {name}[{n}]"),
        Shape::Array(elem, n) => declare(elem, &format!("{name}[{n}]")),
        Shape::Record(is_union, members) => {
            let word = if *is_union { "union" } else { "struct" };
            let body: Vec<String> = members
                .iter()
                .map(|(n, s)| declare(s, n.as_deref().unwrap_or("")) + ";")
                .collect();
            format!("{word} {{ {} }} {name}", body.join(" "))
        }
    }
}

fn number(random: &mut Random) -> String {
    (random.below(255) as i64 - 100).to_string()
}

fn string(random: &mut Random, n: u64) -> String {
    let len = random.below(n + 1);
    let text: String = (0..len)
        .map(|_| (b'a' + random.below(26) as u8) as char)
        .collect();
    format!("\"{text}\"")
}

/// An initialiser for a part; `braces`: it must stand alone (not rely on the entries that follow).
fn initialiser(random: &mut Random, s: &Shape) -> String {
    match s {
        Shape::Scalar(_) | Shape::Bits(_) => number(random),
        Shape::Text(n) if random.chance(60) => string(random, *n),
        _ => format!("{{ {} }}", list(random, s)),
    }
}

/// A way down from an aggregate, as designators, and where it leads.
fn designator<'s>(random: &mut Random, s: &'s Shape) -> (String, &'s Shape) {
    match s {
        Shape::Array(elem, n) => {
            let i = random.below(*n);
            let text = if random.chance(15) && i + 1 < *n {
                format!("[{i} ... {}]", i + 1)
            } else {
                format!("[{i}]")
            };
            (text, elem)
        }
        Shape::Record(_, members) => {
            let (name, inner) = &members[random.below(members.len() as u64) as usize];
            match name {
                Some(name) => (format!(".{name}"), inner),
                // Through an anonymous record, by a member of it.
                None => designator(random, inner),
            }
        }
        Shape::Text(n) => (format!("[{}]", random.below(*n)), &Shape::Scalar("char")),
        Shape::Scalar(_) | Shape::Bits(_) => (String::new(), s),
    }
}

fn list(random: &mut Random, s: &Shape) -> String {
    let mut entries = Vec::new();
    match random.below(3) {
        // Numbers only: braces are elided all the way down.
        0 => {
            for _ in 0..random.below(8) + 1 {
                entries.push(number(random));
            }
        }
        1 => match s {
            Shape::Array(elem, n) => {
                for _ in 0..1 + random.below(*n) {
                    entries.push(initialiser(random, elem));
                }
            }
            Shape::Record(is_union, members) => {
                let count = if *is_union {
                    1
                } else {
                    1 + random.below(members.len() as u64)
                };
                for (_, inner) in members.iter().take(count as usize) {
                    entries.push(initialiser(random, inner));
                }
            }
            _ => entries.push(number(random)),
        },
        _ => {
            for _ in 0..1 + random.below(5) {
                let (mut text, mut part) = designator(random, s);
                while random.chance(40) {
                    let (more, inner) = designator(random, part);
                    if more.is_empty() {
                        break;
                    }
                    text += &more;
                    part = inner;
                }
                let value = initialiser(random, part);
                entries.push(if text.is_empty() {
                    value
                } else {
                    format!("{text} = {value}")
                });
                for _ in 0..random.below(3) {
                    entries.push(number(random));
                }
            }
        }
    }
    entries.join(", ")
}

/// Lays a value down.
fn store(sema: &Sema, bytes: &mut [u8], at: usize, ty: CTy, bits: Option<(u32, u32)>, e: &Expr) {
    if let ExprKind::Str(id) = e.kind {
        let text = &sema.unit.strings[id].bytes;
        bytes[at..at + text.len()].copy_from_slice(text);
        return;
    }
    let value = sema.const_value(e).expect("a constant");
    let raw = match (value, sema.unit.types.arithmetic(ty)) {
        (ConstValue::Int(v), _) => v as u128,
        (ConstValue::Float(v), Some(Basic::Float)) => (v as f32).to_bits().into(),
        (ConstValue::Float(v), _) => v.to_bits().into(),
        other => panic!("{other:?}"),
    };
    let size = sema.unit.types.size_of(ty).expect("a size") as usize;
    let (first, width) = bits.unwrap_or((0, size as u32 * 8));
    for bit in 0..width {
        let place = (first + bit) as usize;
        let mask = 1 << (place % 8);
        bytes[at + place / 8] &= !mask;
        if raw >> bit & 1 == 1 {
            bytes[at + place / 8] |= mask;
        }
    }
}

fn store_item(sema: &Sema, bytes: &mut [u8], ty: CTy, item: &InitItem) {
    let types = &sema.unit.types;
    let (mut at, mut ty, mut bits) = (0, ty, None);
    for step in &item.path {
        match (*step, types.shape(ty)) {
            (InitStep::Index(i), CTypeKind::Array { elem, .. }) => {
                ty = *elem;
                at += (i * types.size_of(ty).expect("a size")) as usize;
            }
            (InitStep::Field(r, f), _) => {
                let field = &types.records[r].fields.as_ref().expect("complete")[f as usize];
                ty = field.ty;
                bits = field.bits;
                at += field.offset as usize;
            }
            other => panic!("{other:?}"),
        }
    }
    store(sema, bytes, at, ty, bits, &item.value);
}

fn images(unit: Unit) -> Vec<(String, String)> {
    let mut sema = Sema {
        unit,
        ..Sema::default()
    };
    let mut out = Vec::new();
    let vars: Vec<_> = sema.unit.vars.keys().collect();
    for v in vars {
        let Some(init) = sema.unit.vars[v].init.take() else {
            continue;
        };
        let (name, ty) = (sema.unit.vars[v].name.clone(), sema.unit.vars[v].ty);
        let mut bytes = vec![0; sema.unit.types.size_of(ty).expect("complete") as usize];
        match &init {
            Init::Expr(e) => store(&sema, &mut bytes, 0, ty, None, e),
            Init::List(items) => {
                for item in items {
                    store_item(&sema, &mut bytes, ty, item);
                }
            }
        }
        out.push((name, bytes.iter().map(|b| format!("{b:02x}")).collect()));
    }
    out
}

#[test]
fn initialisers_lay_down_the_bytes_of_gcc() {
    let seed = std::env::var("SEED").ok().and_then(|s| s.parse().ok());
    let mut random = Random(seed.unwrap_or(0x1234_5678_9abc_def1));
    let (mut text, mut prints) = (String::new(), String::new());
    for i in 0..1000 {
        let mut names = 0;
        let s = record(&mut random, 3, &mut names);
        let s = if random.chance(30) {
            Shape::Array(Box::new(s), 3)
        } else {
            s
        };
        let _ = writeln!(
            text,
            "{} = {{ {} }};",
            declare(&s, &format!("v{i}")),
            list(&mut random, &s)
        );
        let _ = writeln!(prints, "  show(\"v{i}\", &v{i}, sizeof v{i});");
    }
    let parsed = adjoin_front::parse(text.clone().into_bytes());
    let error = parsed
        .diagnostics
        .iter()
        .find(|d| d.severity == Severity::Error);
    if let Some(d) = error {
        let rest = text[d.span.start as usize..]
            .lines()
            .next()
            .unwrap_or_default();
        panic!("{}: {rest}", d.message);
    }
    let ours = images(parsed.unit);
    let program = format!(
        "#include <stdio.h>\n{text}static void show(const char *name, const void *p, unsigned long n) {{\n\
         \x20 printf(\"%s \", name);\n\
         \x20 for (unsigned long i = 0; i < n; i++) printf(\"%02x\", ((const unsigned char *)p)[i]);\n\
         \x20 printf(\"\\n\");\n}}\nint main(void) {{\n{prints}}}\n"
    );
    let folder = std::env::temp_dir().join(format!("adjoin-initialisers-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for temporary files");
    let (source, binary) = (folder.join("i.c"), folder.join("i"));
    std::fs::write(&source, program).expect("the program is written");
    match Command::new("gcc")
        .args(["-w", "-o"])
        .arg(&binary)
        .arg(&source)
        .output()
    {
        Ok(c) if c.status.success() => {}
        Ok(c) => panic!("{}", String::from_utf8_lossy(&c.stderr)),
        Err(_) => {
            println!("skipped: no gcc on this machine");
            return;
        }
    }
    let run = Command::new(&binary).output().expect("the program runs");
    let _ = std::fs::remove_dir_all(&folder);
    let theirs = String::from_utf8_lossy(&run.stdout).into_owned();
    let mut wrong = 0;
    for ((name, bytes), line) in ours.iter().zip(theirs.lines()) {
        if format!("{name} {bytes}") != line {
            wrong += 1;
            if wrong <= 3 {
                let declared = text
                    .lines()
                    .find(|l| l.contains(&format!(" {name} ")) || l.contains(&format!(" {name}[")))
                    .unwrap_or_default();
                println!("{declared}\n  ours   {name} {bytes}\n  theirs {line}");
            }
        }
    }
    assert_eq!(wrong, 0, "objects differ");
    assert_eq!(ours.len(), theirs.lines().count());
}
