//! Programs that ask for derivatives, and those that must be refused.

use adjoin_harness::process::{End, job};
use adjoin_harness::workspace;
use std::path::Path;

/// Every program of `tests/ad`, with the sanitizers and at another level, under both compilers; all combinations with `ADJOIN_THOROUGH=1`.
#[test]
fn programs() {
    let place = workspace::root().join("tests/ad");
    let mut all = workspace::files_below(&place, &["c"]);
    // Those below `programs` have a test of their own.
    all.retain(|file| file.parent() == Some(&place));
    const SANITIZED: &str = "-O1 -g -fsanitize=address,undefined -fno-sanitize-recover";
    let levels = ["-O0", "-O2", "-O3 -ffast-math", SANITIZED];
    let every = std::env::var_os("ADJOIN_THOROUGH").is_some();
    let mut builds = Vec::new();
    for (number, file) in all.iter().enumerate() {
        for (k, flags) in levels.into_iter().enumerate() {
            for (j, compiler) in ["gcc", "clang"].into_iter().enumerate() {
                let chosen = flags == SANITIZED || k == number % 3;
                if every || chosen && k % 2 == j {
                    builds.push((file, compiler, flags));
                }
            }
        }
    }
    let workers = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for part in builds.chunks(builds.len().div_ceil(workers).max(1)) {
            scope.spawn(move || {
                let directory = tempfile::tempdir().expect("a temporary directory");
                let binary = directory.path().join("a.out");
                for (file, compiler, flags) in part {
                    check(file, compiler, flags, &binary);
                }
            });
        }
    });
}

fn check(file: &Path, compiler: &str, flags: &str, binary: &Path) {
    let build = job(workspace::adjoin())
        .words(&format!("cc --cc {compiler} -w {flags} -o"))
        .arg(binary)
        .arg(file)
        .arg("-lm")
        .limit(120)
        .run()
        .expect("starts");
    let place = file.display();
    assert!(build.success(), "{place} {compiler} {flags}:\n{build}");
    let run = job(binary).limit(60).run().expect("starts");
    assert!(run.success(), "{place} {compiler} {flags}:\n{run}");
}

/// What would be silently wrong is an error that says so.
#[test]
fn refusals() {
    let cases = [
        (
            "double f(double *x) { double y[2] = {0}; char *d = (char *)y, *s = (char *)x; for (int i = 0; i < 8; i++) d[i] = s[i]; return y[0] * y[0]; }",
            "bits of an active number",
        ),
        (
            "float f(float *x) { union { float f; unsigned i; } v; v.f = x[0]; float y = v.i; return y * 1.2e-7f; }",
            "computed from the bits of an active number",
        ),
        (
            "double f(double *x) { long i = *(long *)x; i = 0x5fe6eb50c7b537a9 - (i >> 1); double y = *(double *)&i; return y; }",
            "bits of an active number",
        ),
        (
            "double f(double *x) { unsigned char b[8], *s = (unsigned char *)x; double y = 0; for (int i = 0; i < 8; i++) b[i] = s[i] ^ 1; __builtin_memcpy(&y, b, 8); return y; }",
            "bits of an active number",
        ),
        (
            "union u { float f; double *p; }; double f(double *x) { union u a[2], b; a[0].f = x[0]; a[1].p = x; b = a[x[1] > 0]; return b.f; }",
            "share their place in a union",
        ),
        (
            "union u { float f; long double d; }; struct s { int t; union u u; }; double f(double *x) { struct s a[2], b[2]; a[0].u.d = x[0]; a[1].t = 1; b[a[1].t] = a[0]; return b[1].u.d; }",
            "numbers in several members",
        ),
        (
            "double g; void h(void); double f(double *x) { g = x[0] * x[0]; h(); return g; }",
            "globals are active",
        ),
        (
            "void *memccpy(void *, const void *, int, unsigned long); double f(double *x) { double y[2] = {0}; memccpy(y, x, 0, 8); return y[0]; }",
            "a call of 'memccpy'",
        ),
        (
            "double f(double *x) { union { double d; long l; } u; u.d = x[0]; u.l ^= 1; return u.d; }",
            "bits of an active number",
        ),
        (
            "double g(double); double f(double *x) { return g(x[0]); }",
            "a call of 'g'",
        ),
        (
            "unsigned long key; double f(double *x) { double *p = (double *)((unsigned long)x ^ key); return *p; }",
            "made from an integer",
        ),
    ];
    let directory = tempfile::tempdir().expect("a temporary directory");
    for (function, message) in cases {
        let file = directory.path().join("a.c");
        let text = format!(
            "void __enzyme_autodiff(void *, ...);\n{function}\nint main(void) {{ double x[4] = {{1}}, g[4] = {{0}}; __enzyme_autodiff((void *)f, x, g); return 0; }}\n"
        );
        std::fs::write(&file, text).expect("writes");
        let run = job(workspace::adjoin())
            .words("cc -w -o a.out a.c -lm")
            .directory(directory.path())
            .run()
            .expect("starts");
        assert_eq!(run.end, End::Exit(1), "{function}\n{run}");
        assert!(run.stderr().contains(message), "{function}\n{run}");
        assert!(
            !directory.path().join("a.out").exists(),
            "{function}\n{run}"
        );
    }
}

/// What only the run can see to be wrong ends with a message: a pointer at file scope that is an argument.
#[test]
fn an_argument_reached_twice() {
    let text = "#include <stdio.h>
void __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
static double *state, other[3] = {4, 5, 6};
static double f(double *x) { double s = 0; for (int i = 0; i < 3; i++) s += state[i] * x[i]; return s; }
int main(int count, char **arguments)
{
    double x[3] = {1, 2, 3}, b[3] = {0};
    (void)arguments;
    state = count > 1 ? x : other;
    if (count != 2)
        b[0] = __enzyme_fwddiff((void *)f, x, (double[]){1, 0, 0}), b[1] = 5, b[2] = 6;
    if (count != 3)
        b[0] = 0, b[1] = 0, b[2] = 0, __enzyme_autodiff((void *)f, x, b);
    return !(b[0] == 4 && b[1] == 5 && b[2] == 6);
}
";
    let directory = tempfile::tempdir().expect("a temporary directory");
    std::fs::write(directory.path().join("a.c"), text).expect("writes");
    let build = job(workspace::adjoin())
        .words("cc -O1 -o a.out a.c -lm")
        .directory(directory.path())
        .run()
        .expect("starts");
    assert!(build.success(), "{build}");
    let program = directory.path().join("a.out");
    let run = job(&program).run().expect("starts");
    assert!(run.success(), "{run}");
    for arguments in ["reverse", "forward mode"] {
        let run = job(&program).words(arguments).run().expect("starts");
        assert!(!run.success(), "{run}");
        assert!(
            run.stderr().contains("'state' leads to an argument"),
            "{run}"
        );
    }
}

/// So does one that leads into the middle of what is accessed of an argument; what lies behind that, also in the same block, is other memory.
#[test]
fn an_argument_reached_in_its_middle() {
    let text = "#include <stdio.h>
#include <stdlib.h>
void __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
static double *weight;
static double f(double *x, int n) { double s = 0; for (int i = 0; i < n; i++) s += x[i] * x[i]; return s * *weight; }
static double g(double *x, int n) { double s = 0; for (int i = n - 1; i >= 0; i--) for (int j = 0; j < 2; j++) s += x[2 * i + j]; return s * *weight; }
int main(int count, char **arguments)
{
    int n = 4, at = count > 1 ? atoi(arguments[1]) : 8;
    double *x = malloc(9 * sizeof *x), b[8] = {0}, c[8] = {0}, d;
    for (int i = 0; i < 9; i++)
        x[i] = i + 1;
    weight = x + at;
    if (count == 3)
        d = __enzyme_fwddiff((void *)g, x, (double[8]){0, 1}, n);
    else
        __enzyme_autodiff((void *)g, x, c, n), d = c[1];
    __enzyme_autodiff((void *)f, x, b, n);
    return !(d == *weight && b[1] == 4 * *weight && b[3] == 8 * *weight && b[4] == 0);
}
";
    let directory = tempfile::tempdir().expect("a temporary directory");
    std::fs::write(directory.path().join("a.c"), text).expect("writes");
    let build = job(workspace::adjoin())
        .words("cc -O1 -o a.out a.c -lm")
        .directory(directory.path())
        .run()
        .expect("starts");
    assert!(build.success(), "{build}");
    let program = directory.path().join("a.out");
    for (arguments, fails) in [
        ("8", false),
        ("8 forward", false),
        ("7", true),
        ("7 forward", true),
        ("1", true),
    ] {
        let run = job(&program).words(arguments).run().expect("starts");
        assert_eq!(!run.success(), fails, "{arguments}\n{run}");
        let said = run.stderr().contains("'weight' leads to an argument");
        assert_eq!(said, fails, "{arguments}\n{run}");
    }
}

/// So does one that leads to where nothing is accessed through the argument, if the shadow has room for that: in arrays and blocks, and through structs at file scope.
#[test]
fn a_part_of_an_argument_that_only_another_pointer_reaches() {
    let text = "#include <stdlib.h>
void __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
static double *weights;
static struct model { int n; double *weights; } model, *current;
static double f(double *x) { return x[0] * weights[0] * weights[1]; }
static double g(double *x)
{
    double s = 0;
    for (int i = 0; i < current->n; i++)
        s += x[i] * current->weights[i];
    return s;
}
int main(int count, char **arguments)
{
    double x[4] = {1, 2, 3, 4}, b[4] = {0}, c[2] = {0}, other[2] = {3, 4}, d;
    double *y = malloc((count + 4) * sizeof *y), *z = calloc(count + 4, sizeof *z);
    for (int i = 0; i < 4; i++)
        y[i] = x[i];
    current = &model;
    model.n = 2;
    weights = model.weights = count == 3 ? other : arguments[1][0] == 'h' ? y + 2 : x + 2;
    switch (arguments[1][0]) {
    case 'a': __enzyme_autodiff((void *)f, x, b), d = b[0]; break;
    case 'f': b[0] = 1, d = __enzyme_fwddiff((void *)f, x, b); break;
    case 'g': __enzyme_autodiff((void *)g, x, b), d = 4 * b[0]; break;
    case 'h': __enzyme_autodiff((void *)f, y, z), d = z[0]; break;
    default: __enzyme_autodiff((void *)f, x, c), d = c[0]; break;
    }
    return d != 12;
}
";
    let directory = tempfile::tempdir().expect("a temporary directory");
    std::fs::write(directory.path().join("a.c"), text).expect("writes");
    let build = job(workspace::adjoin())
        .words("cc -O1 -o a.out a.c -lm")
        .directory(directory.path())
        .run()
        .expect("starts");
    assert!(build.success(), "{build}");
    let program = directory.path().join("a.out");
    // Behind what the shadow has room for there is other memory.
    for (what, fails) in [
        ("a", true),
        ("f", true),
        ("g", true),
        ("h", true),
        ("c", false),
    ] {
        let run = job(&program).words(what).run().expect("starts");
        assert_eq!(!run.success(), fails, "{what}\n{run}");
        let said = run.stderr().contains("leads to an argument");
        assert_eq!(said, fails, "{what}\n{run}");
        let words = format!("{what} other");
        let run = job(&program).words(&words).run().expect("starts");
        assert!(run.success(), "{words}\n{run}");
    }
}
