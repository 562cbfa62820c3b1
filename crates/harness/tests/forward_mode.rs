//! Forward mode against dual numbers, central differences and (where it can) reverse mode, on small C functions.

use adjoin_harness::derivative::{self, Check};

const MATH: &str = "double sin(double); double cos(double); double exp(double); double log(double); double sqrt(double); double pow(double, double); double fabs(double); double fmax(double, double); double fmin(double, double); double tanh(double); double atan2(double, double); float sinf(float); void *malloc(unsigned long); void *calloc(unsigned long, unsigned long); void *realloc(void *, unsigned long); void free(void *); void *memcpy(void *, const void *, unsigned long); void *memmove(void *, const void *, unsigned long); void *memset(void *, int, unsigned long);\n";

const AT: [f64; 5] = [0.7, 1.3, -0.4, 2.1, 0.9];

fn run(text: &str, outputs: usize) {
    run_with(text, outputs, true);
}

fn run_with(text: &str, outputs: usize, duals: bool) {
    let text = format!("{MATH}{text}");
    let check = Check {
        outputs,
        duals,
        ..Check::new(&text, &AT)
    };
    if let Err(error) = derivative::check(&check) {
        panic!("{error}\n{text}");
    }
}

#[test]
fn numbers() {
    run(
        "double f(double *x) { return sin(x[0]) * x[1] - exp(x[2]) / x[3] + -x[4]; }",
        0,
    );
    run(
        "double f(double *x) { double a = x[0] > 0 ? x[1] * x[1] : x[2]; return a + pow(x[3], x[0]) + sqrt(x[3]) + log(x[1]); }",
        0,
    );
    run(
        "double f(double *x) { return fabs(x[2]) + fmax(x[0], x[1]) * fmin(x[2], x[3]) + tanh(x[4]) + atan2(x[0], x[1]); }",
        0,
    );
    run(
        "double f(double *x) { int i = (int)x[3]; return i * x[0] + (double)(long)x[1]; }",
        0,
    );
}

#[test]
fn loops() {
    run(
        "double f(double *x, int n) { double s = 0; for (int i = 0; i < n; i++) { if (x[i] < 0) continue; s += x[i] * x[i]; if (s > 5) break; } return s; }",
        0,
    );
    run(
        "double f(double *x, int n) { double a = x[0], b = x[1]; while (a < 100) { double t = a + b * x[4]; b = a; a = t * 1.5; } return a * b; }",
        0,
    );
    run(
        "double f(double *x, int n) { double s = 1; int i = 0; do { switch (i) { case 0: s *= x[0]; case 1: s += x[1]; break; case 2: s = s * s; break; default: s -= x[3]; } } while (++i < n); return s; }",
        0,
    );
    run(
        "double f(double *x, int n) { int i = 0; double s = 0; again: s += x[i] * i; if (++i < n) goto again; if (s > 1e9) return x[0]; return s * s; }",
        0,
    );
}

#[test]
fn memory() {
    run(
        "void f(const double *x, double *y, int n) { for (int i = 0; i < n; i++) y[i] = x[i] * x[(i + 1) % n]; for (int i = 1; i < n; i++) y[i] += y[i - 1] * x[0]; }",
        5,
    );
    run(
        "struct v { double a[3]; int k; double *p; }; static struct v make(double *x) { struct v r; r.a[0] = x[0]; r.a[1] = x[1] * x[2]; r.a[2] = 3; r.k = 2; r.p = x + 3; return r; } double f(double *x) { struct v s = make(x), t = s; t.a[s.k] *= s.a[1]; double *q = &t.a[0]; q[1] += *s.p * q[0]; return t.a[0] + t.a[1] * t.a[2] + t.p[1]; }",
        0,
    );
    run(
        "double f(double *x, int n) { double *y = malloc(n * sizeof *y), *z = calloc(n, sizeof *z); for (int i = 0; i < n; i++) { y[i] = x[i] * x[i]; z[n - 1 - i] += y[i] * x[0]; } y = realloc(y, 2 * n * sizeof *y); memcpy(y + n, z, n * sizeof *z); memmove(y + 1, y, n * sizeof *y); memset(z, 0, 8); double s = z[0] + z[1]; for (int i = 0; i < 2 * n; i++) s += y[i] * i; free(y); free(z); return s; }",
        0,
    );
    run(
        "double f(double *x, int n) { double t[n]; for (int i = 0; i < n; i++) t[i] = sin(x[i]); double *p = t, s = 0; for (; p < t + n; p++) s += *p * *p; return s; }",
        0,
    );
    run(
        "double f(double *x, int n) { double a[5] = {0}, b[5], *p = a, *q = b; for (int i = 0; i < n; i++) q[i] = x[i]; for (int k = 0; k < 3; k++) { for (int i = 0; i < n; i++) p[i] = q[i] * q[(i + 1) % n] * 0.5; double *t = p; p = q; q = t; } return q[0] + q[3]; }",
        0,
    );
    run(
        "static double g[3]; double h; double f(double *x) { g[1] = x[0] * x[1]; h = g[1] + x[2]; double *p = x[0] > 0 ? &h : g; *p *= 2; return h * g[1] + g[2]; }",
        0,
    );
}

#[test]
fn bits() {
    run_with(
        "double f(double *x) { union { double d; unsigned long u; } a, b; a.d = x[0] * x[1]; b.u = a.u; return b.d * x[2]; }",
        0,
        false,
    );
    run_with(
        "double f(double *x) { unsigned long u; double y = x[0] * x[0], z; memcpy(&u, &y, 8); memcpy(&z, &u, 8); return z * x[1]; }",
        0,
        false,
    );
    run_with(
        "double f(double *x) { double y[2] = {x[0] * 2, x[1]}, z[2]; char *d = (char *)z, *s = (char *)y; for (int i = 0; i < 16; i++) d[i] = s[i]; return z[0] * z[1]; }",
        0,
        false,
    );
    run_with(
        "double f(double *x) { unsigned char buffer[16]; double a = x[0] * x[1], b; memcpy(buffer + 3, &a, 8); memcpy(&b, buffer + 3, 8); return b * b; }",
        0,
        false,
    );
}

#[test]
fn calls() {
    run(
        "static double power(double x, int n) { if (n == 0) return 1; if (n % 2) return x * power(x, n - 1); double h = power(x, n / 2); return h * h; } double f(double *x, int n) { return power(x[0], 5) * x[1] + power(x[1], n); }",
        0,
    );
    run(
        "static double sum(const double *x, int n) { return n == 1 ? x[0] * x[0] : sum(x, n / 2) * 0.5 + sum(x + n / 2, n - n / 2); } double f(double *x, int n) { return sum(x, n); }",
        0,
    );
    run(
        "struct node { double v; struct node *next; }; static struct node *build(const double *x, int n) { if (n == 0) return 0; struct node *p = malloc(sizeof *p); p->v = x[0] * x[0]; p->next = build(x + 1, n - 1); return p; } static double total(struct node *p) { if (!p) return 0; double s = p->v + 0.5 * total(p->next); free(p); return s; } double f(double *x, int n) { return total(build(x, n)); }",
        0,
    );
    run(
        "struct c { double re, im; }; static struct c step(struct c z, struct c k, int n) { if (n == 0) return z; struct c w = {z.re * z.re - z.im * z.im + k.re, 2 * z.re * z.im + k.im}; return step(w, k, n - 1); } double f(double *x) { struct c z = {0, 0}, k = {x[0] * 0.1, x[2]}; struct c r = step(z, k, 4); return r.re * 3 + r.im; }",
        0,
    );
    run(
        "static double total; static void visit(double *x, int n) { if (n == 0) return; total += x[0] * x[0]; visit(x + 1, n - 1); } double f(double *x, int n) { total = 0; visit(x, n); return total * x[0]; }",
        0,
    );
    run(
        "static double odd(double x, int n); static double even(double x, int n) { return n == 0 ? x : odd(x * x, n - 1); } static double odd(double x, int n) { return n == 0 ? 1 : sin(even(x, n - 1)); } double f(double *x) { return even(x[0], 6) + odd(x[1], 3); }",
        0,
    );
}

fn run_twice(text: &str, reverse: bool) {
    let text = format!("{MATH}{text}");
    let check = Check {
        reverse,
        tolerance: 1e-6,
        ..Check::new(&text, &AT)
    };
    if let Err(error) = derivative::check_second_order(&check) {
        panic!("{error}\n{text}");
    }
}

const SMOOTH: &[&str] = &[
    "double f(double *x) { return sin(x[0]) * x[1] - exp(x[2]) / x[3] + x[4] * x[4] * x[4]; }",
    "double f(double *x, int n) { double s = 1; for (int i = 0; i < n; i++) s = s * sin(x[i]) + x[i] * x[0]; return s; }",
    "double f(double *x, int n) { double a = x[0], b = x[1]; while (a < 100) { double t = a + b * x[4]; b = a; a = t * 1.5; } return a * b; }",
    "double f(double *x, int n) { double *y = malloc(n * sizeof *y); for (int i = 0; i < n; i++) y[i] = x[i] * x[i]; for (int k = 0; k < 3; k++) for (int i = 0; i < n; i++) y[i] = y[i] * y[(i + 1) % n] * 0.5; double s = 0; for (int i = 0; i < n; i++) s += y[i]; free(y); return s; }",
    "static double g; double f(double *x) { g = x[0] * x[1]; g *= g * x[2]; return g + x[3] * g; }",
    "struct v { double a[3]; }; static double dot(struct v p, struct v q) { double s = 0; for (int i = 0; i < 3; i++) s += p.a[i] * q.a[i] * q.a[i]; return s; } double f(double *x) { struct v p = {{x[0], x[1], x[2]}}, q = {{x[3], x[4], x[0]}}; return dot(p, q) * dot(q, p); }",
];

#[test]
fn forward_over_forward() {
    for text in SMOOTH {
        run_twice(text, false);
    }
    run_twice(
        "static double power(double x, int n) { if (n == 0) return 1; if (n % 2) return x * power(x, n - 1); double h = power(x, n / 2); return h * h; } double f(double *x, int n) { return power(x[0], 5) * x[1] + power(x[1], n); }",
        false,
    );
}

#[test]
fn forward_over_reverse() {
    let mut bad = String::new();
    for text in SMOOTH {
        let text = format!("{MATH}{text}");
        let check = Check {
            reverse: true,
            tolerance: 1e-6,
            ..Check::new(&text, &AT)
        };
        if let Err(error) = derivative::check(&check) {
            bad += &format!("first order: {error}\n{text}\n");
        }
        if let Err(error) = derivative::check_second_order(&check) {
            bad += &format!("{error}\n{text}\n");
        }
    }
    assert!(bad.is_empty(), "{bad}");
}

/// Value and tangent of `double f(double)` at a point, in direction one, with what is said about functions.
fn with_registry(
    text: &str,
    at: f64,
    say: impl FnOnce(&adjoin_ir::Module, &mut adjoin_ad::Registry),
) -> Result<(f64, f64), String> {
    let mut module = derivative::lower(&format!("{MATH}{text}"))?;
    let func = module.find_func("f").ok_or("no f")?;
    let mut session = adjoin_ad::Session::default();
    say(&module, &mut session.registry);
    let request = adjoin_ad::Request {
        active_return: true,
        primal_return: true,
        ..adjoin_ad::Request::new(func, "f_dot", vec![adjoin_ad::Activity::Dup])
    };
    session
        .forward(&mut module, &request)
        .map_err(|e| e.message)?;
    derivative::finish(&mut module)?;
    let mut machine = adjoin_interp::Interp::new(&module).map_err(|e| e.to_string())?;
    let run = |machine: &mut adjoin_interp::Interp| {
        let place = machine.alloc(16)?;
        let (x, t) = (
            adjoin_interp::HostValue::Float(at),
            adjoin_interp::HostValue::Float(1.0),
        );
        machine.call_into("f_dot", place, &[x, t])?;
        machine.read_f64s(place, 2)
    };
    let got = run(&mut machine).map_err(|e| e.to_string())?;
    Ok((got[0], got[1]))
}

#[test]
fn custom_derivatives() {
    let text = "struct pair { double v, d; }; static double own(double x) { return x * x; } static double own_d(double x, double d) { return 100 * x * d; } static void put(const double *x, double *y) { *y = *x * *x; } static void put_d(const double *x, const double *dx, double *y, double *dy) { *dy = 1000 * *x * *dx; } static void scale(double *x) { *x *= 2; } static void scale_d(double *x, double *dx) { *dx *= 20; *x *= 2; } static double both(double x, int n) { return x * n; } static struct pair both_d(double x, double d, int n) { struct pair p = {x * n, d * n * 10}; return p; } double f(double x) { double y, z = x; put(&x, &y); scale(&z); return own(x) + y + both(x, 3) + z; }";
    let got = with_registry(text, 2.0, |m, registry| {
        for name in ["own", "put", "scale", "both"] {
            let find = |n: &str| m.find_func(n).expect("it is there");
            registry
                .derivatives
                .insert(find(name), find(&format!("{name}_d")));
        }
    });
    assert_eq!(
        got,
        Ok((4.0 + 4.0 + 6.0 + 4.0, 200.0 + 2000.0 + 30.0 + 20.0))
    );
}

#[test]
fn annotations() {
    let text = "double my_log(double); static double seen; static void note(double x) { seen = x; } static double table(int k) { return k * 0.5; } static char pool[256]; static int used; static void *take(unsigned long n) { void *p = pool + used; used += n; return p; } static void give(void *p) { } double f(double x) { note(x); double *p = take(16); p[0] = x * x; p[1] = p[0] * table(3); double s = p[1]; give(p); return s; }";
    let got = with_registry(text, 2.0, |m, registry| {
        let find = |n: &str| m.find_func(n).expect("it is there");
        registry.inactive.insert(find("note"));
        registry.inactive.insert(find("table"));
        registry.allocators.insert(
            find("take"),
            adjoin_ad::Allocator {
                size: 0,
                free_arguments: vec![-1],
                free: Some(find("give")),
            },
        );
    });
    assert_eq!(got, Ok((6.0, 6.0)));
}

/// Functions in which numbers travel as integers: the interpreter's dual numbers do not follow them there (both modes do, which the programs
/// themselves check against differences).
const CARRIED_AS_INTEGERS: &[&str] = &["moved", "words"];

/// Every function that a program in tests/ad differentiates, to second order, every way. A refusal is fine, a difference is not.
#[test]
fn programs_to_second_order() {
    let mut at = [0.0; 6];
    for (i, x) in at.iter_mut().enumerate() {
        *x = 0.9 + 0.3 * (1.7 * i as f64 + 0.4).sin();
    }
    let directory = adjoin_harness::workspace::root().join("tests/ad");
    let mut bad = String::new();
    let mut good = 0;
    for entry in std::fs::read_dir(directory).expect("reads").flatten() {
        let file = entry.path();
        if file.extension().is_none_or(|e| e != "c") {
            continue;
        }
        let source = std::fs::read_to_string(&file).expect("reads");
        let compiler = adjoin::toolchain::Compiler::choose(None);
        let text = adjoin::preprocess::preprocess(&compiler, &file, &[]).expect("preprocesses");
        let text = String::from_utf8_lossy(&text).into_owned();
        let functions = source
            .lines()
            .filter_map(|l| l.strip_prefix("GRADIENT(")?.strip_suffix(')'));
        for function in functions.filter(|f| !CARRIED_AS_INTEGERS.contains(f)) {
            let check = Check {
                function,
                reverse: true,
                tolerance: 1e-5,
                ..Check::new(&text, &at)
            };
            for outcome in [
                derivative::check(&check),
                derivative::check_second_order(&check),
            ] {
                match outcome {
                    Ok(()) => good += 1,
                    Err(error) => {
                        let line = error.lines().next().unwrap_or_default();
                        let about = format!("{} {function}: {line}\n", file.display());
                        if line.contains("cannot differentiate")
                            || line.contains("unsupported external function")
                        {
                            print!("{about}");
                        } else {
                            bad += &about;
                        }
                    }
                }
            }
        }
    }
    assert!(bad.is_empty(), "{bad}");
    assert!(good >= 50, "{good}");
}
