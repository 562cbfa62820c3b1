//! Small C functions whose results must stay the same under every pass alone, the pipeline, odd orders, and inlining with scalar replacement.

mod common;
use common::*;

/// All pairs of these numbers.
fn pairs() -> Vec<Vec<i128>> {
    let numbers = [-7i128, -1, 0, 1, 2, 3, 5, 8, 13];
    let mut pairs = Vec::new();
    for a in numbers {
        for b in numbers {
            pairs.push(vec![a, b]);
        }
    }
    pairs
}

/// Results of `f(int, int)` over all pairs are preserved, and are what the closure says.
fn same(text: &str, meaning: impl Fn(i64, i64) -> i64) {
    let module = from_c(text);
    let inputs = pairs();
    let got = preserved(&module, "f", &inputs);
    for (input, got) in inputs.iter().zip(got) {
        let expected = meaning(input[0] as i64, input[1] as i64);
        assert_eq!(got, expected.to_string(), "f{input:?}\n{text}");
    }
}

#[test]
fn counted_loops() {
    same(
        "int f(int a, int b) { int s = 0; for (int i = a; i < b; i++) s += i; return s; }",
        |a, b| (a..b).sum(),
    );
    same(
        "int f(int a, int b) { int s = 0, i; for (i = b; i > a; i -= 2) s += i; return s * 100 + i; }",
        |a, b| {
            let (mut s, mut i) = (0, b);
            while i > a {
                s += i;
                i -= 2;
            }
            s * 100 + i
        },
    );
    same(
        "int f(int a, int b) { int n = 0; int i; for (i = a; i != b && n < 50; i++) n++; return n * 7 + i; }",
        |a, b| {
            let (mut n, mut i) = (0, a);
            while i != b && n < 50 {
                n += 1;
                i += 1;
            }
            n * 7 + i
        },
    );
    same(
        "int f(int a, int b) { int n = 0; if (a > b) return -1; for (int i = a; i != b; i++) n += i * i; return n; }",
        |a, b| {
            if a > b {
                -1
            } else {
                (a..b).map(|i| i * i).sum()
            }
        },
    );
    // The bound on the left, and a bound that is computed in the head.
    same(
        "int f(int a, int b) { int n = 0; for (int i = 0; a * b + 2 > i; i++) n++; return n; }",
        |a, b| (a * b + 2).max(0),
    );
}

#[test]
fn unsigned_indices() {
    same(
        "int f(int a, int b) { unsigned n = a < 0 ? 0 : a; int s = b; for (unsigned i = n; i-- > 0;) s = s * 3 % 1001 + (int)i; return s; }",
        |a, b| {
            let mut s = b;
            for i in (0..a.max(0)).rev() {
                s = s * 3 % 1001 + i;
            }
            s
        },
    );
    // Counts down to one, in steps that wrap as additions.
    same(
        "int f(int a, int b) { int s = 0; unsigned i; for (i = (unsigned)(a + 7); i >= 1; i--) s += b; return s + (int)i; }",
        |a, b| (a + 7) * b,
    );
    same(
        "int f(int a, int b) { unsigned char c = (unsigned char)(a + 250); int n = 0; while (c != (unsigned char)b) { c++; n++; } return n; }",
        |a, b| (b - (a + 250)).rem_euclid(256),
    );
    // An unsigned index that begins below and wraps once.
    same(
        "int f(int a, int b) { int n = 0; for (unsigned i = (unsigned)-3; i != (unsigned)(b + 9); i++) n += a; return n; }",
        |a, b| a * (b + 9 + 3),
    );
}

#[test]
fn steps_at_the_edge() {
    // Subtracting the smallest number adds a number that the type cannot hold.
    same(
        "int f(int a, int b) { int n = 0; for (int i = -2147483647 + (a & 1); i < 0; i -= (-2147483647 - 1)) n += b; return n; }",
        |_, b| b,
    );
    same(
        "int f(int a, int b) { int n = 0; for (unsigned i = 5; i > 0 && n < 100; i -= 0) n++; return n + a + b; }",
        |a, b| 100 + a + b,
    );
    same(
        "int f(int a, int b) { long s = 0; for (long i = 9223372036854775807L - 3; i < 9223372036854775807L; i++) s += a; return (int)s + b; }",
        |a, b| 3 * a + b,
    );
    same(
        "int f(int a, int b) { int s = 0; for (int i = 2147483640; i <= 2147483645; i += 2) s += a; return s + b; }",
        |a, b| 3 * a + b,
    );
    // A step that is only known when the program runs.
    same(
        "int f(int a, int b) { int n = 0; int step = (b & 3) + 1; for (int i = a; i < 20; i += step) n++; return n; }",
        |a, b| {
            let step = (b & 3) + 1;
            (20 - a + step - 1) / step
        },
    );
}

#[test]
fn indices_changed_in_the_body() {
    same(
        "int f(int a, int b) { int n = 0; for (int i = 0; i < 20; i++) { if (i == a) i += 3; n += i ^ b; } return n; }",
        |a, b| {
            let (mut n, mut i) = (0, 0);
            while i < 20 {
                if i == a {
                    i += 3;
                }
                n += i ^ b;
                i += 1;
            }
            n
        },
    );
    // The bound changes.
    same(
        "int f(int a, int b) { int n = 0, end = a + 8; for (int i = 0; i < end; i++) { if (i % 3 == 0) end -= 1; n += b; } return n * 100 + end; }",
        |a, b| {
            let (mut n, mut end, mut i) = (0, a + 8, 0);
            while i < end {
                if i % 3 == 0 {
                    end -= 1;
                }
                n += b;
                i += 1;
            }
            n * 100 + end
        },
    );
    // The step changes.
    same(
        "int f(int a, int b) { int n = 0, step = 1; for (int i = 0; i < 30; i += step) { step = 1 + (i + a + 7) % 4; n += b; } return n; }",
        |a, b| {
            let (mut n, mut i) = (0, 0);
            while i < 30 {
                let step = 1 + (i + a + 7) % 4;
                n += b;
                i += step;
            }
            n
        },
    );
}

#[test]
fn breaks_hand_over_what_they_have() {
    same(
        "int f(int a, int b) { int last = -5, seen = 0, i; for (i = 0; i < 10; i++) { if (i == a) { last = 77; break; } if (i * 2 == b) { last = i; break; } seen += i; last = seen; } return last * 1000 + seen * 20 + i; }",
        |a, b| {
            let (mut last, mut seen, mut i) = (-5, 0, 0);
            while i < 10 {
                if i == a {
                    last = 77;
                    break;
                }
                if i * 2 == b {
                    last = i;
                    break;
                }
                seen += i;
                last = seen;
                i += 1;
            }
            last * 1000 + seen * 20 + i
        },
    );
    // The index itself differs between the exits.
    same(
        "int f(int a, int b) { int i, n = 0; for (i = 0; i < 10; i++) { n += i; if (n > b + 4) { i = -i - a; break; } } return i * 100 + n; }",
        |a, b| {
            let (mut i, mut n) = (0, 0);
            while i < 10 {
                n += i;
                if n > b + 4 {
                    i = -i - a;
                    break;
                }
                i += 1;
            }
            i * 100 + n
        },
    );
    // A value is used in the loop only; what the break hands over for it is not.
    same(
        "int f(int a, int b) { int r = 0, c = a; for (int i = 0; i < 6; i++) { if (c > b) { c = c * 3 - 1; r = i; break; } c += 2; } return r; }",
        |a, b| {
            let (mut r, mut c) = (0, a);
            for i in 0..6 {
                if c > b {
                    r = i;
                    break;
                }
                c += 2;
            }
            r
        },
    );
}

#[test]
fn exits_of_nests() {
    let reference = |a: i64, b: i64| {
        let mut s = 0;
        'outer: for i in 0..6 {
            for j in 0..6 {
                if i * j == a {
                    continue 'outer;
                }
                if i + j == b {
                    break 'outer;
                }
                if i * 7 + j == a + b {
                    return -s;
                }
                s = s * 2 % 997 + j;
            }
            s += 100 * i;
        }
        s
    };
    same(
        "int f(int a, int b) { int s = 0; for (int i = 0; i < 6; i++) { for (int j = 0; j < 6; j++) { if (i * j == a) goto next; if (i + j == b) goto out; if (i * 7 + j == a + b) return -s; s = s * 2 % 997 + j; } s += 100 * i; next:; } out: return s; }",
        reference,
    );
    // The same with flags and `while`.
    same(
        "int f(int a, int b) { int s = 0, i = 0, stop = 0; while (i < 6 && !stop) { int j = 0, skip = 0; do { if (i * j == a) { skip = 1; break; } if (i + j == b) { stop = 1; break; } if (i * 7 + j == a + b) return -s; s = s * 2 % 997 + j; } while (++j < 6); if (!skip && !stop) s += 100 * i; i++; } return s; }",
        reference,
    );
}

#[test]
fn switches_with_fallthrough() {
    same(
        "int f(int a, int b) { int x = 1, y = b; switch (a) { case 0: x = 2; case 1: y += x; x *= 3; case 2: if (y > 3) break; y = x; default: x += 10; break; case 3: { x = y; y = 5; } case 5: x += y; } return x * 1000 + y; }",
        |a, b| {
            let (mut x, mut y) = (1, b);
            let tail = |x: &mut i64, y: &mut i64| {
                if *y <= 3 {
                    *y = *x;
                    *x += 10;
                }
            };
            match a {
                0 | 1 => {
                    if a == 0 {
                        x = 2;
                    }
                    y += x;
                    x *= 3;
                    tail(&mut x, &mut y);
                }
                2 => tail(&mut x, &mut y),
                3 => {
                    x = y;
                    y = 5;
                    x += y;
                }
                5 => x += y,
                _ => x += 10,
            }
            x * 1000 + y
        },
    );
    // In a loop: `continue` leaves the switch for the loop's next round, `break` only the switch.
    same(
        "int f(int a, int b) { int s = 0; for (int i = 0; i < 12; i++) { switch ((i + a + 7) % 4) { case 0: s += 1; continue; case 1: s += 10; case 2: s += b; break; case 3: if (s > 60) return s; s += 5; } s += 100; } return s; }",
        |a, b| {
            let mut s = 0;
            for i in 0..12 {
                match (i + a + 7) % 4 {
                    0 => {
                        s += 1;
                        continue;
                    }
                    1 => s += 10 + b,
                    2 => s += b,
                    _ => {
                        if s > 60 {
                            return s;
                        }
                        s += 5;
                    }
                }
                s += 100;
            }
            s
        },
    );
}

#[test]
fn carried_values_are_swapped_at_once() {
    same(
        "int f(int a, int b) { int x = a, y = b, z = 1; for (int i = 0; i < 5; i++) { int t = x; x = y; y = z; z = t; } return x * 10000 + y * 100 + z; }",
        |a, b| {
            let (mut x, mut y, mut z) = (a, b, 1);
            for _ in 0..5 {
                (x, y, z) = (y, z, x);
            }
            x * 10000 + y * 100 + z
        },
    );
    same(
        "int f(int a, int b) { int x = a, y = b; while (y > 0) { int t = x % 5 - 1 + y; if (t > 40) break; x = y; y = t - 3; if (x == y) { y--; } if (x > 30) break; if (y > x + 1000) x = 0; if (t == x) return x; x ^= y; y ^= x; x ^= y; if (--y < 2) break; } return x * 3 - y; }",
        |a, b| {
            let (mut x, mut y) = (a, b);
            while y > 0 {
                let t = x % 5 - 1 + y;
                if t > 40 {
                    break;
                }
                x = y;
                y = t - 3;
                if x == y {
                    y -= 1;
                }
                if x > 30 {
                    break;
                }
                if t == x {
                    return x;
                }
                std::mem::swap(&mut x, &mut y);
                y -= 1;
                if y < 2 {
                    break;
                }
            }
            x * 3 - y
        },
    );
    // The index takes part in the exchange.
    same(
        "int f(int a, int b) { int previous = a, before = b, i; for (i = 0; i < 7; i++) { before = previous; previous = i; } return previous * 100 + before * 10 + i; }",
        |_, _| 600 + 50 + 7,
    );
}

#[test]
fn uninitialised_until_written() {
    same(
        "int f(int a, int b) { int x; if (a > 0) x = b; int y = 0; for (int i = 0; i < 4; i++) { int z; if (i == 0 && a > 0) y += x; z = i; y += z; } return y; }",
        |a, b| 6 + if a > 0 { b } else { 0 },
    );
    same(
        "int f(int a, int b) { int r; switch (a) { int inner; case 1: inner = b; r = inner; break; case 2: inner = b + 1; r = inner * 2; break; default: r = 9; } return r; }",
        |a, b| match a {
            1 => b,
            2 => 2 * (b + 1),
            _ => 9,
        },
    );
}

#[test]
fn objects_in_loops_and_volatile() {
    same(
        "static int get(int *p) { return *p; } int f(int a, int b) { int s = 0; for (int i = 0; i < 5; i++) { int x = i * a; int *p = &x; *p += b; s += get(&x); } return s; }",
        |a, b| 10 * a + 5 * b,
    );
    same(
        "int f(int a, int b) { volatile int v = a; int s = 0; while (v < b) { v = v + 1; s += v; } volatile double d = 0.5; d += s; return (int)(d * 2); }",
        |a, b| 2 * ((a + 1)..=b).sum::<i64>() + 1,
    );
    same(
        "int f(int a, int b) { int v[3] = {a, b}; int s = 0; for (int i = 0; i < 3; i++) { int w[2]; w[0] = v[i]; w[1] = v[(i + 1) % 3]; s = s * 3 + w[i & 1]; } return s; }",
        |a, _| 9 * a,
    );
}

#[test]
fn truth_values_and_conversions() {
    same(
        "int f(int a, int b) { _Bool p = a, q = !b; int n = p + (q != 0) * 2 + (!!a == 1) * 4 + !(a < b) * 8; unsigned char c = (unsigned char)(a * 100); signed char d = (signed char)(b * 100); return n + 16 * (c + d); }",
        |a, b| {
            let bit = |c: bool| c as i64;
            bit(a != 0)
                + 2 * bit(b == 0)
                + 4 * bit(a != 0)
                + 8 * bit(a >= b)
                + 16 * ((a * 100) as u8 as i64 + (b * 100) as i8 as i64)
        },
    );
    same(
        "int f(int a, int b) { double x = a / 2.0, nan = 0.0; nan = nan / nan; return !(x < b) + 2 * !(x < nan) + 4 * !(nan >= x) + 8 * !(x != x) + 16 * (nan != nan); }",
        |a, b| ((a as f64 / 2.0) >= b as f64) as i64 + 2 + 4 + 8 + 16,
    );
}

#[test]
fn aggregates_and_calls() {
    same(
        "struct p { int x; double y[2]; struct { char c; short s; } in; }; static struct p make(int a, int b) { struct p r = {a, {b, 2}, {(char)a, (short)b}}; if (a == b) { r.in.s = 3; return r; } r.y[1] = a; return r; } static int sum(struct p q) { q.x++; return q.x + (int)q.y[0] + (int)q.y[1] + q.in.c + q.in.s; } int f(int a, int b) { struct p u = make(a, b), v; v = u; v.x = 100; int n = sum(v) * 1000 + sum(u); u = make(b, a); v = u; return n + v.x; }",
        |a, b| {
            let make = |a: i64, b: i64| {
                if a == b {
                    (a, b, 2, a, 3)
                } else {
                    (a, b, a, a, b)
                }
            };
            let sum = |q: (i64, i64, i64, i64, i64)| q.0 + 1 + q.1 + q.2 + q.3 + q.4;
            let u = make(a, b);
            let mut v = u;
            v.0 = 100;
            sum(v) * 1000 + sum(u) + make(b, a).0
        },
    );
    // Arrays of structures with constant indices; the result overwrites an argument.
    same(
        "struct v { int a, b; }; static struct v swap(struct v *p) { struct v t = {p->b, p->a}; p->a = 1000; return t; } int f(int a, int b) { struct v w[2] = {{a, b}, {1, 2}}; w[0] = swap(&w[0]); struct v k[2]; k[0] = w[1]; k[1] = w[0]; k[0] = k[1]; return k[0].a * 100 + k[1].b; }",
        |a, b| b * 100 + a,
    );
    // A union that is used in two ways stays as it is.
    same(
        "union u { int i; unsigned char b[4]; float f; }; int f(int a, int b) { union u x; x.i = a; x.b[0] = (unsigned char)b; union u y = x; return y.i; }",
        |a, b| ((a as i32 & !0xff) | (b as i32 & 0xff)) as i64,
    );
    // Early returns, recursion, function pointers, loops in the callee.
    same(
        "static int g(int n, int k) { for (int i = 0; i < n; i++) { if (i * i == k) return i; if (i > 5) break; } if (n < 0) return -1; return n > 1 ? g(n / 2, k - 1) + 1 : 0; } static int twice(int (*h)(int, int), int n, int k) { return h(n, k) + h(k, n); } int f(int a, int b) { return twice(g, a, b); }",
        |a, b| {
            fn g(n: i64, k: i64) -> i64 {
                for i in 0..n {
                    if i * i == k {
                        return i;
                    }
                    if i > 5 {
                        break;
                    }
                }
                if n < 0 {
                    return -1;
                }
                if n > 1 { g(n / 2, k - 1) + 1 } else { 0 }
            }
            g(a, b) + g(b, a)
        },
    );
    // The copy of a parameter is the callee's own, in each round of a loop.
    same(
        "struct s { int v[3]; }; static int eat(struct s x) { for (int i = 0; i < 3; i++) x.v[0] += x.v[i]; return x.v[0]; } int f(int a, int b) { struct s t = {{a, b, 1}}; int n = 0; for (int i = 0; i < 3; i++) { n += eat(t); t.v[1]++; } return n; }",
        |a, b| 3 * (2 * a + b + 1) + 3,
    );
    // A part that is not initialised travels with the others.
    same(
        "struct s { int tag; double value; int other; }; static void fill(struct s *p, int a) { p->tag = a; } int f(int a, int b) { struct s x; fill(&x, a); struct s y = x; struct s z; z.tag = b; y.other = z.tag; struct s w = z; return y.tag * 10 + y.other + w.tag; }",
        |a, b| a * 10 + 2 * b,
    );
}

#[test]
fn functions_without_prototype_or_result() {
    // Fewer or other arguments than parameters: such a call is not to be inlined.
    same(
        "int odd(); int odd(int a) { return a + 1; } static int none(int a) { if (a > 100) return 3; } int f(int a, int b) { none(a); return odd(a) + b; }",
        |a, b| a + 1 + b,
    );
}

#[test]
fn short_loops_over_small_arrays() {
    same(
        "int f(int a, int b) {
            int d[3], s = 0, k;
            for (int c = 0; c < 3; c++) { d[c] = a * c - b; if (d[c] < 0) d[c] = -d[c]; }
            for (k = 2; k >= 0; k -= 2) s += d[k] * (k + 1);
            return s * 10 + k;
        }",
        |a, b| {
            let d: Vec<i64> = (0..3).map(|c| (a * c - b).abs()).collect();
            (d[2] * 3 + d[0]) * 10 - 2
        },
    );
    // Left early, cut short, nested, with other loops inside.
    same(
        "int f(int a, int b) {
            int m[2][3] = {{0}}, s = 0;
            for (int r = 0; r < 2; r++)
                for (int c = 0; c < 3; c++) {
                    for (int i = 0; i < b; i++) m[r][c] += a + i * r;
                    m[r][c] -= c;
                }
            for (int c = 0; c < 3; c++) { if (m[1][c] == 7) break; if (m[0][c] < 0) continue; s += m[0][c] * 3 + m[1][c]; }
            return s;
        }",
        |a, b| {
            let mut s = 0;
            let m = |r: i64, c: i64| (0..b.max(0)).map(|i| a + i * r).sum::<i64>() - c;
            for c in 0..3 {
                if m(1, c) == 7 {
                    break;
                }
                if m(0, c) >= 0 {
                    s += m(0, c) * 3 + m(1, c);
                }
            }
            s
        },
    );
}

#[test]
fn tests_that_do_not_change_in_a_loop() {
    same(
        "int f(int a, int b) {
            int s = 1, t = 0, odd = a % 2 != 0, i;
            for (i = 0; i < b; i++) {
                if (odd) s += i; else t -= s;
                if (a > 3) { t += 2; if (odd) s ^= 1; }
            }
            return s * 1000 + t * 10 + i;
        }",
        |a, b| {
            let (mut s, mut t) = (1, 0);
            for i in 0..b.max(0) {
                if a % 2 != 0 {
                    s += i;
                } else {
                    t -= s;
                }
                if a > 3 {
                    t += 2;
                    if a % 2 != 0 {
                        s ^= 1;
                    }
                }
            }
            s * 1000 + t * 10 + b.max(0)
        },
    );
}
