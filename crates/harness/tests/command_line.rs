//! The other commands, as a user meets them.

use adjoin_harness::process::{End, Run, job};
use adjoin_harness::workspace;
use std::path::Path;

fn adjoin(directory: &Path, arguments: &[&str]) -> Run {
    job(workspace::adjoin())
        .args(arguments)
        .directory(directory)
        .run()
        .expect("starts")
}

fn project() -> tempfile::TempDir {
    let directory = tempfile::tempdir().expect("a temporary directory");
    std::fs::write(
        directory.path().join("a.c"),
        "#include <stdio.h>\nstatic int twice(int x) { return 2 * x; }\nint main(int argc, char **argv)\n{\n    for (int i = 1; i < argc; i++)\n        printf(\"%s \", argv[i]);\n    printf(\"%d\\n\", twice(N));\n    return N;\n}\n",
    )
    .expect("writes");
    directory
}

#[test]
fn help_has_examples_everywhere() {
    let directory = project();
    for command in [
        &["--help"][..],
        &["ir", "--help"],
        &["cc", "--help"],
        &["run", "--help"],
        &["passes", "--help"],
        &["completions", "--help"],
    ] {
        let run = adjoin(directory.path(), command);
        assert!(run.success() && run.stdout().contains("Example"), "{run}");
        assert!(!run.stdout().contains('\x1b'), "colour without a terminal");
    }
    assert_eq!(adjoin(directory.path(), &["nonsense"]).end, End::Exit(2));
}

#[test]
fn ir_prints_what_it_is_asked_for() {
    let directory = project();
    let all = adjoin(directory.path(), &["ir", "-DN=3", "a.c"]);
    assert!(
        all.success() && all.stdout().contains("twice") && all.stdout().contains("main"),
        "{all}"
    );
    let one = adjoin(directory.path(), &["ir", "-DN=3", "a.c", "-f", "twice"]);
    assert!(
        one.success() && one.stdout().contains("twice") && !one.stdout().contains("argv"),
        "{one}"
    );
    let flags = adjoin(directory.path(), &["ir", "a.c", "--", "-DN=3", "-std=c11"]);
    assert!(flags.success(), "{flags}");
    let early = adjoin(
        directory.path(),
        &["ir", "-DN=3", "a.c", "--after", "lower"],
    );
    assert!(early.success() && early.stdout() != all.stdout(), "{early}");
    let missing = adjoin(directory.path(), &["ir", "-DN=3", "a.c", "-f", "thrice"]);
    assert_eq!(missing.end, End::Exit(1));
    assert!(
        missing.stderr().contains("thrice") && missing.stderr().contains("twice"),
        "{missing}"
    );
    let wrong = adjoin(
        directory.path(),
        &["ir", "-DN=3", "a.c", "--after", "nothing"],
    );
    assert_eq!(wrong.end, End::Exit(1));
    assert!(wrong.stderr().contains("lower"), "{wrong}");
    let errors = adjoin(directory.path(), &["ir", "a.c"]);
    assert_eq!(errors.end, End::Exit(1));
    assert!(
        errors.stderr().contains("a.c:7:") && errors.stdout.is_empty(),
        "{errors}"
    );
    let stdin = job(workspace::adjoin())
        .words("ir -")
        .stdin("int f(void) { return 1; }")
        .run()
        .expect("starts");
    assert!(stdin.success() && stdin.stdout().contains('f'), "{stdin}");
}

#[test]
fn passes_are_listed() {
    let run = adjoin(Path::new("/"), &["passes"]);
    assert!(run.success(), "{run}");
    for pass in adjoin_passes::PASSES {
        assert!(run.stdout().contains(pass.name), "{run}");
    }
}

#[test]
fn run_interprets() {
    let directory = project();
    let run = adjoin(directory.path(), &["run", "-DN=3", "a.c", "-x", "y"]);
    assert_eq!(
        (run.stdout(), run.end),
        ("-x y 6\n".to_owned(), End::Exit(3)),
        "{run}"
    );
}

#[test]
fn completions_are_scripts() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let run = adjoin(Path::new("/"), &["completions", shell]);
        assert!(
            run.success() && run.stdout().contains("through-ir"),
            "{run}"
        );
    }
}

#[test]
fn a_closed_pipe_is_no_error() {
    let directory = project();
    let adjoin = workspace::adjoin();
    let script = format!(
        "for i in 1 2 3; do '{}' ir -DN=1 a.c; done 2>err | head -c 1 >/dev/null; cat err",
        adjoin.display()
    );
    let run = job("sh")
        .args(["-c", &script])
        .directory(directory.path())
        .run()
        .expect("starts");
    assert_eq!(run.stdout(), "", "{run}");
}
