//! Real system headers, under gcc and clang where they are installed: no diagnostic, and every body can be read.

mod common;
use adjoin_front::{Options, parse_with};
use common::preprocess;

const HEADERS: &[&str] = &[
    "math",
    "stdio",
    "stdlib",
    "string",
    "complex",
    "stdint",
    "assert",
    "time",
    "omp",
    "mpi",
    "immintrin",
    "tgmath",
    "stdatomic",
    "pthread",
    "ctype",
    "limits",
    "float",
    "errno",
    "signal",
    "setjmp",
    "stdarg",
    "unistd",
    "wchar",
    "fenv",
    "inttypes",
    "sys/socket",
    "sys/wait",
    "threads",
    "uchar",
    "locale",
    "regex",
    "dlfcn",
    "fcntl",
    "sys/mman",
    "sys/stat",
    "stddef",
    "stdbool",
    "stdalign",
    "stdnoreturn",
    "iso646",
];

/// The directory of `mpi.h`, from the compiler wrapper.
fn mpi_flags() -> Vec<String> {
    let output = std::process::Command::new("mpicc")
        .arg("--showme:compile")
        .output();
    output
        .map(|o| {
            String::from_utf8_lossy(&o.stdout)
                .split_whitespace()
                .map(str::to_string)
                .collect()
        })
        .unwrap_or_default()
}

fn check(compiler: &str, flags: &[&str]) {
    let mpi = mpi_flags();
    let mut all: Vec<&str> = flags.to_vec();
    all.extend(mpi.iter().map(String::as_str));
    for header in HEADERS {
        let text = format!("#include <{header}.h>\nint main(void) {{ return 0; }}\n");
        // A header that this machine does not have is nothing to test.
        let Some(text) = preprocess(compiler, &all, &text) else {
            continue;
        };
        let parsed = parse_with(
            text,
            Options {
                all_bodies: true,
                ..Options::default()
            },
        );
        let messages: Vec<&str> = parsed
            .diagnostics
            .iter()
            .map(|d| d.message.as_str())
            .collect();
        assert!(
            messages.is_empty(),
            "{compiler} {flags:?} {header}: {messages:?}"
        );
        let unreadable: Vec<(&str, &str)> = parsed
            .unit
            .unreadable
            .iter()
            .map(|(f, d)| (parsed.unit.funcs[*f].name.as_str(), d.message.as_str()))
            .collect();
        assert!(
            unreadable.is_empty(),
            "{compiler} {flags:?} {header}: {unreadable:?}"
        );
        let main = parsed.unit.funcs.values().find(|f| f.name == "main");
        assert!(
            main.is_some_and(|m| m.body.is_some()),
            "{compiler} {header}: no main"
        );
    }
}

#[test]
fn gcc_plain() {
    check("gcc", &["-fopenmp"]);
}

#[test]
fn gcc_optimised() {
    check(
        "gcc",
        &[
            "-fopenmp",
            "-O2",
            "-march=native",
            "-D_GNU_SOURCE",
            "-D_FORTIFY_SOURCE=2",
        ],
    );
}

#[test]
fn clang_plain() {
    check("clang", &["-fopenmp"]);
}

#[test]
fn clang_optimised() {
    check(
        "clang",
        &[
            "-fopenmp",
            "-O2",
            "-march=native",
            "-D_GNU_SOURCE",
            "-D_FORTIFY_SOURCE=2",
        ],
    );
}

#[test]
fn headers_in_use() {
    let text = r#"
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tgmath.h>
#include <assert.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdarg.h>
#include <ctype.h>
#include <signal.h>
#include <setjmp.h>
#include <pthread.h>
#include <inttypes.h>
#include <sys/socket.h>
#include <sys/wait.h>
int sum(int n, ...) { va_list ap; va_start(ap, n); int s = 0; while (n--) s += va_arg(ap, int); va_end(ap); return s; }
int main(int argc, char **argv) {
  double x = atof(argv[1]); float y = x; double complex z = x + 2 * I; int st; jmp_buf jb; sigset_t ss;
  printf("%f %f %f %" PRId64 "\n", sin(x), (double)sqrt(y), creal(exp(z)), INT64_C(3));
  assert(argc > 1 && "arguments");
  if (isnan(x) || isinf(y) || signbit(x) || fpclassify(x) == FP_NAN || isgreater(x, y) || INFINITY == x || HUGE_VAL == NAN) abort();
  atomic_int a = 3; atomic_fetch_add(&a, 1); int expected = 4; errno = EINTR;
  atomic_compare_exchange_strong(&a, &expected, atomic_load(&a));
  struct sockaddr *address = 0; bind(1, address, 3); wait(&st); if (WIFEXITED(st)) return WEXITSTATUS(st);
  char buffer[10]; strcpy(buffer, "a"); memset(buffer, 0, sizeof buffer); if (isalpha(buffer[0]) || toupper('a') == 'A') putchar('c');
  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_mutex_lock(&m); sigemptyset(&ss);
  sigaction(SIGINT, &(struct sigaction){ .sa_handler = SIG_IGN }, NULL); if (setjmp(jb)) longjmp(jb, 1);
  return sum(2, 1, 2) ? EXIT_SUCCESS : EXIT_FAILURE;
}
"#;
    for compiler in ["gcc", "clang"] {
        for flags in [&["-O0"][..], &["-O2", "-D_FORTIFY_SOURCE=2"]] {
            let Some(text) = preprocess(compiler, flags, text) else {
                continue;
            };
            let parsed = parse_with(text, Options::default());
            let messages: Vec<&str> = parsed
                .diagnostics
                .iter()
                .map(|d| d.message.as_str())
                .collect();
            assert!(messages.is_empty(), "{compiler} {flags:?}: {messages:?}");
        }
    }
}
