//! Input that nobody should write: a clear error or success within seconds, never a panic, a signal or a hang.

use adjoin_harness::process::{End, Run, job};
use adjoin_harness::{generate, workspace};
use std::path::Path;

/// Runs the commands that read C on a file, each from a clean start, and checks how they end.
fn survives(name: &str, content: &[u8]) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    // As a C file, through the preprocessor, and as preprocessed text, straight into our lexer.
    for file in [format!("{name}.c"), format!("{name}.i")] {
        let file = directory.path().join(file);
        std::fs::write(&file, content).expect("writes");
        let _ = std::fs::remove_file(directory.path().join("out.o"));
        for command in [
            "ir",
            "cc --through-ir -w -c -o out.o",
            "run --steps 1000000",
        ] {
            let run = adjoin(directory.path(), command, Some(&file));
            check(&run);
            if command.starts_with("cc") && !run.success() {
                assert!(
                    !directory.path().join("out.o").exists(),
                    "a partial output is left behind:\n{run}"
                );
            }
        }
    }
}

fn adjoin(directory: &Path, command: &str, file: Option<&Path>) -> Run {
    let job = job(workspace::adjoin())
        .words(command)
        .directory(directory)
        .limit(20);
    file.into_iter()
        .fold(job, |job, file| job.arg(file))
        .run()
        .expect("adjoin starts")
}

fn check(run: &Run) {
    let shown = run.to_string();
    assert!(matches!(run.end, End::Exit(0 | 1 | 125)), "{shown}");
    assert!(!run.stderr().contains("internal error"), "{shown}");
    assert!(
        run.success() || !run.stderr.is_empty(),
        "fails without a word:\n{shown}"
    );
}

#[test]
fn a_megabyte_of_garbage() {
    survives("garbage", &generate::garbage(1 << 20, 1));
}

#[test]
fn a_megabyte_of_tokens() {
    survives("soup", generate::token_soup(1 << 20, 2).as_bytes());
}

#[test]
fn many_small_soups() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    for seed in 0..60 {
        let file = directory.path().join(format!("soup{seed}.i"));
        std::fs::write(&file, generate::token_soup(400, seed)).expect("writes");
        check(&adjoin(directory.path(), "ir", Some(&file)));
    }
}

#[test]
fn ten_thousand_parentheses() {
    let (open, close) = ("(".repeat(10_000), ")".repeat(10_000));
    survives(
        "parens",
        format!("int f(int x) {{ return {open}x{close}; }}\nint main(void) {{ return f(0); }}\n")
            .as_bytes(),
    );
    survives(
        "open",
        format!("int f(int x) {{ return {open}x; }}\n").as_bytes(),
    );
}

#[test]
fn deep_nesting_of_everything() {
    const DEPTH: usize = 10_000;
    let nest = |open: &str, inner: &str, close: &str| {
        format!("{}{inner}{}", open.repeat(DEPTH), close.repeat(DEPTH))
    };
    survives(
        "blocks",
        format!("int main(void) {{ {} return 0; }}", nest("{", "", "}")).as_bytes(),
    );
    survives(
        "ifs",
        format!(
            "int main(int c, char **v) {{ (void)v; {} return 0; }}",
            nest("if (c) {", "c++;", "}")
        )
        .as_bytes(),
    );
    survives(
        "unary",
        format!("int f(int x) {{ return {}x; }}", "- ".repeat(DEPTH)).as_bytes(),
    );
    survives(
        "pointers",
        format!("int {}x;", "*".repeat(DEPTH)).as_bytes(),
    );
    survives(
        "arrays",
        format!("int x{};", "[1]".repeat(DEPTH)).as_bytes(),
    );
    survives(
        "declarators",
        format!("int {};", nest("(", "x", ")")).as_bytes(),
    );
    survives(
        "braces",
        format!("int x = {};", nest("{", "1", "}")).as_bytes(),
    );
    survives(
        "sums",
        format!("int f(int x) {{ return x{}; }}", " + x".repeat(DEPTH)).as_bytes(),
    );
    survives(
        "conditionals",
        format!("int f(int x) {{ return {} 0; }}", "x ? 1 :".repeat(DEPTH)).as_bytes(),
    );
    survives("structs", nest("struct {", "int x;", "} y;").as_bytes());
}

#[test]
fn a_huge_initialiser() {
    let list: Vec<String> = (0..200_000).map(|k| (k % 251).to_string()).collect();
    survives(
        "initialiser",
        format!(
            "int x[] = {{{}}};\nint main(void) {{ return x[0]; }}\n",
            list.join(", ")
        )
        .as_bytes(),
    );
    let functions: String = (0..5_000)
        .map(|k| format!("int f{k}(int x) {{ return x + {k}; }}\n"))
        .collect();
    survives("functions", functions.as_bytes());
}

#[test]
fn files_that_end_too_early() {
    for (index, text) in [
        "int f(void) { ret",
        "char *s = \"abc",
        "int x; /* comm",
        "int x; // comm",
        "char c = 'a",
        "char c = '\\",
        "char *s = \"\\",
        "int f(",
        "int f(void) {",
        "struct s {",
        "int x = ",
        "int x[",
        "#",
        "#pragma omp",
        "# 1 \"",
        "int f(void) { switch (1) { case",
        "double d = 1e",
        "int x = 0x",
        "typedef",
        "enum e { a =",
        "_Generic(",
        "int f(void) { return (int",
        "L\"",
        "u8",
        "..",
        "int a[] = { [0",
        "int main(void) { asm(",
        "__attribute__((",
        "\\",
        "int x;\\",
    ]
    .iter()
    .enumerate()
    {
        survives(&format!("early{index}"), text.as_bytes());
    }
}

#[test]
fn every_prefix_of_a_program() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let text = "typedef struct s { int a : 3; union { double d; char c[4]; }; } s;\nstatic s g[] = {{1, {.d = 2.5}}, [2] = {.c = \"ab\"}};\n\
                int main(void)\n{\n    for (int i = 0; i < 3; i++) {\n        switch (g[i].a) { case 1 ... 2: g[i].d += 0x1p3; break; default: goto out; }\n    }\nout:\n    return sizeof(s) > 4 ? 0 : _Generic(1, int: 2, default: 3);\n}\n";
    for end in (0..text.len()).step_by(3) {
        let file = directory.path().join("prefix.i");
        std::fs::write(&file, &text[..end]).expect("writes");
        check(&adjoin(directory.path(), "ir", Some(&file)));
    }
}

#[test]
fn bytes_that_are_not_utf8() {
    survives("latin1", b"/* caf\xe9 */\nconst char *s = \"\xff\xfe\xe9\";\nint main(void) { return s[0] == '\\377' ? 0 : 0; } // \x80\n");
    survives(
        "names",
        b"int caf\xe9 = 1;\nint main(void) { return caf\xe9 - 1; }\n",
    );
    survives("nul", b"int x;\0int y;\nint main(void) { return 0; }\n");
}

#[test]
fn empty_files_directories_and_missing_files() {
    survives("empty", b"");
    survives("newline", b"\n");
    survives("spaces", b" \t\r\n\x0c\x0b");
    let directory = tempfile::tempdir().expect("a temporary directory");
    let missing = [
        directory.path().join("missing.c"),
        directory.path().join("missing.i"),
    ];
    // A directory given to `cc` is the compiler's affair: it takes it for something to link.
    let with_directory = [&missing[..], &[directory.path().to_owned()]].concat();
    for (command, files) in [
        ("ir", &with_directory),
        ("run", &with_directory),
        ("cc --through-ir -c", &missing.to_vec()),
        ("cc -c", &missing.to_vec()),
    ] {
        for file in files {
            let run = adjoin(directory.path(), command, Some(file));
            assert!(matches!(run.end, End::Exit(1)), "{run}");
            assert!(!run.stderr.is_empty(), "{run}");
        }
    }
}

#[test]
fn the_text_form_is_checked_too() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let source = directory.path().join("a.c");
    std::fs::write(&source, "int g[3] = {1, 2};\nint f(int n) { int s = 0; for (int i = 0; i < n; i++) s += g[i % 3]; return s; }\n").expect("writes");
    let run = adjoin(directory.path(), "ir", Some(&source));
    assert!(run.success(), "{run}");
    let printed = run.stdout();
    let file = directory.path().join("b.ir");
    std::fs::write(&file, &printed).expect("writes");
    let again = adjoin(directory.path(), "ir --after lower", Some(&file));
    assert!(again.success(), "{again}");
    assert_eq!(printed, again.stdout());
    let mut numbers = generate::Numbers::new(7);
    for round in 0..60 {
        // A prefix, or the whole with one byte changed.
        let mut bytes = printed.clone().into_bytes();
        let at = numbers.below(bytes.len() as u64) as usize;
        if round % 2 == 0 {
            bytes.truncate(at);
        } else {
            bytes[at] = b" (){}:,=%0x\"\xff"[numbers.below(13) as usize];
        }
        std::fs::write(&file, &bytes).expect("writes");
        let run = adjoin(directory.path(), "ir", Some(&file));
        check(&run);
    }
    std::fs::write(&file, generate::garbage(100_000, 3)).expect("writes");
    check(&adjoin(directory.path(), "ir", Some(&file)));
}
