//! Hostile inputs: too deep, too long, cut off, garbage. Each ends quickly with success or a clear error.

mod common;
use adjoin_front::{Options, on_big_stack, parse_with};
use common::{accept, errors, read};

/// A deterministic generator (xorshift).
struct Random(u64);

impl Random {
    fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % below.max(1) as u64) as usize
    }
}

fn nested(before: &str, open: &str, middle: &str, close: &str, after: &str, n: usize) -> String {
    format!(
        "{before}{}{middle}{}{after}",
        open.repeat(n),
        close.repeat(n)
    )
}

#[test]
fn nesting_has_a_limit() {
    let shapes = [
        ("int x = ", "(", "1", ")", ";"),
        ("int f(void) { return ", "(", "1", ")", "; }"),
        ("int f(void) {", "{", "", "}", "}"),
        ("int x = ", "{", "1", "}", ";"),
        ("int f(int a) { return ", "!", "a", "", "; }"),
        ("int f(int a) { return ", "(int)", "a", "", "; }"),
        ("int f(int a) { return ", "a = ", "1", "", "; }"),
        ("int f(int a) { return ", "a ? 1 : ", "1", "", "; }"),
        ("int f(int a) { return ", "sizeof ", "a", "", "; }"),
        ("int f(int a) { return ", "f(", "a", ")", "; }"),
        ("int f(int *a) { return ", "a[", "0", "]", "; }"),
        ("int f(int a) { return ", "({ ", "a;", "});", "; }"),
        ("int f(int a) { ", "if (a) ", "a = 1;", "", " return a; }"),
        (
            "int f(int a) { ",
            "while (a) ",
            "a = 1;",
            "",
            " return a; }",
        ),
        ("int f(int a) { ", "for (;;) ", "a = 1;", "", " return a; }"),
        (
            "int f(int a) { ",
            "switch (a) ",
            "a = 1;",
            "",
            " return a; }",
        ),
        ("int f(int a) { ", "do ", ";", " while (a);", " return a; }"),
        ("int ", "*", "p", "", ";"),
        ("int ", "(", "p", ")", ";"),
        ("int a", "[1]", ";", "", ""),
        ("int f(", "int (*)(", "int", ")", ");"),
        ("", "struct { ", "int x;", "} y;", ""),
        (
            "int f(int a) { return ",
            "_Generic(a, int: ",
            "1",
            ")",
            "; }",
        ),
        ("", "typeof(", "int", ")", " x;"),
        ("int x __attribute__((", "aligned(", "1", ")", "));"),
        ("int f(void) {\n", "#pragma omp parallel\n", ";", "", "}"),
    ];
    for (before, open, middle, close, after) in shapes {
        let text = nested(before, open, middle, close, after, 10_000);
        let parsed = read(&text);
        let messages = errors(&parsed);
        assert!(!messages.is_empty(), "{open:?} is read 10,000 deep");
        assert!(messages.len() <= 2, "{open:?}: {messages:?}");
    }
    on_big_stack(|| {
        accept(&nested("int f(void) { return ", "(", "1", ")", "; }", 1000));
        accept(&nested("int f(void) {", "{", "", "}", "}", 1000));
    });
}

#[test]
fn long_chains() {
    let sum = |n: usize| format!("int f(int a) {{ return {}; }}", vec!["a"; n].join(" + "));
    on_big_stack(|| {
        accept(&sum(9_000));
        let parsed = read(&sum(100_000));
        assert_eq!(
            errors(&parsed),
            ["chain is too long: more than 10000 links"]
        );
        let arms: String = (0..5000)
            .map(|i| format!("if (a == {i}) return {i}; else "))
            .collect();
        accept(&format!("int f(int a) {{ {arms} return 1; }}"));
        accept(&format!(
            "int f(int a) {{ return {}; }}",
            vec!["a"; 5000].join(", ")
        ));
    });
}

#[test]
fn large_things_are_linear() {
    let numbers: Vec<String> = (0..300_000).map(|i| i.to_string()).collect();
    let parsed = accept(&format!("int a[] = {{ {} }};", numbers.join(",")));
    let ty = parsed.unit.vars.values().next().map(|v| v.ty);
    assert_eq!(
        ty.and_then(|t| parsed.unit.types.size_of(t)),
        Some(1_200_000)
    );
    let cases: String = (0..20_000).map(|i| format!("case {i}: a++;")).collect();
    accept(&format!(
        "int f(int a) {{ switch (a) {{ {cases} }} return a; }}"
    ));
    let strings = "\"abcdefgh\" ".repeat(50_000);
    accept(&format!("char *s = {strings};"));
}

#[test]
fn garbage_ends_quickly() {
    let mut random = Random(42);
    let bytes: Vec<u8> = (0..1_000_000).map(|_| random.next(256) as u8).collect();
    let parsed = adjoin_front::parse(bytes);
    assert!((1..=50).contains(&errors(&parsed).len()));
    let words: Vec<&str> = "int char struct x y z ( ) { } [ ] ; , * & + - = == 1 2.0 \"s\" 'c' if else for while return typedef static extern union enum sizeof goto switch case default : ? ... -> . __attribute__ _Generic typeof".split(' ').collect();
    let text: String = (0..200_000)
        .map(|_| words[random.next(words.len())].to_string() + " ")
        .collect();
    assert!((1..=50).contains(&errors(&read(&text)).len()));
}

#[test]
fn files_cut_off_anywhere() {
    let text = SAMPLE;
    for end in 0..text.len() {
        if text.is_char_boundary(end) {
            read(&text[..end]);
        }
    }
}

/// Deletes, duplicates, swaps and replaces tokens and bytes of a valid text: whatever comes of it, nothing panics or hangs.
fn mutate_and_read(text: &str, rounds: usize, random: &mut Random) {
    let separators = [' ', '\n', ';', '(', ')', '{', '}', ',', '[', ']'];
    let tokens: Vec<&str> = text.split_inclusive(separators).collect();
    for round in 0..rounds {
        let mut mutated = tokens.clone();
        for _ in 0..1 + random.next(6) {
            let (i, j) = (random.next(mutated.len()), random.next(mutated.len()));
            match random.next(6) {
                0 => {
                    mutated.remove(i);
                }
                1 => mutated.insert(i, tokens[j % tokens.len()]),
                2 => mutated.swap(i, j),
                3 => mutated[i] = tokens[random.next(tokens.len())],
                4 if random.next(4) == 0 => mutated.truncate(i.max(1)),
                _ => {
                    let copy = mutated[i.min(j)..(i.min(j) + 8).min(mutated.len())].to_vec();
                    mutated.splice(i..i, copy);
                }
            }
            if mutated.is_empty() {
                mutated.push(";");
            }
        }
        let mut bytes = mutated.concat().into_bytes();
        if random.next(3) == 0 {
            let at = random.next(bytes.len());
            bytes[at] = random.next(256) as u8;
        }
        if let Ok(path) = std::env::var("ADJOIN_KEEP") {
            std::fs::write(path, &bytes).expect("the last text can be kept");
        }
        let options = Options {
            all_bodies: round % 2 == 0,
            ..Options::default()
        };
        let parsed = parse_with(bytes, options);
        for d in &parsed.diagnostics {
            parsed.source.place(d.span);
        }
        on_big_stack(|| adjoin_front::dump::unit(&parsed.unit));
    }
}

#[test]
fn mutations() {
    let rounds = if cfg!(debug_assertions) { 1500 } else { 5000 };
    mutate_and_read(SAMPLE, rounds, &mut Random(7));
}

/// Longer runs: `ADJOIN_FUZZ="a.i b.i" ADJOIN_ROUNDS=1000 cargo test --release --test robust -- --ignored`.
#[test]
#[ignore = "for longer runs over given files"]
fn mutations_of_files() {
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    let rounds = variable("ADJOIN_ROUNDS").parse().unwrap_or(100);
    let mut random = Random(variable("ADJOIN_SEED").parse().unwrap_or(11));
    for path in variable("ADJOIN_FUZZ").split_whitespace() {
        let text = std::fs::read(path).unwrap_or_default();
        mutate_and_read(&String::from_utf8_lossy(&text), rounds, &mut random);
    }
}

const SAMPLE: &str = r#"# 1 "sample.c"
typedef unsigned long size_t; typedef struct node { struct node *next; union { int i; double d; }; int bits : 3; } node;
enum color { RED, GREEN = 5, BLUE }; extern int printf(const char *, ...); static const double table[] = { 1.0, [3] = 2.5, 0x1p3 };
int (*handlers[2])(int, node *); _Static_assert(sizeof(int) == 4, "int");
# 20 "sample.c" 3
static inline __attribute__((always_inline)) double sq(double x) { return x * x; }
int old(a, b) double b; { return a + b; }
double work(int n, double a[n][n], const node *restrict p) {
  double s = 0, *q = &s; int i, j = 3; char *str = "text" "more"; node local = { .next = 0, .d = 1.5 };
#pragma omp parallel for reduction(+:s) schedule(dynamic, 4) private(j) if(n > 10)
  for (int i = 0; i < n; i++) { s += a[i][i % 2] * (p ? p->d : sq(s)); if (i == 3) continue; else break; }
  do { s -= 1; } while (s > 10 && !(n & 1) || n >> 2);
  switch (n) { case 1: case 2 ... 5: s++; break; default: goto out; }
  double vla[n + 1]; vla[0] = ({ int t = n; t ? t : -t; }); i = sizeof(double[n]) + sizeof vla;
  *q = (double)(int)s + _Generic(s, double: 1, default: 2) + ((struct node){ .i = 3 }).i;
  __builtin_va_list ap; asm volatile ("nop" : "=r"(j) : "r"(n) : "memory"); __auto_type z = 1.0 + 2.0i;
#pragma omp critical (name)
  { printf("%d %f\n", old(1, 2), s); }
out: return s + __real__ z + 'c' + RED;
}
"#;
