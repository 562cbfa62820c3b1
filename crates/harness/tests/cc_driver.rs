//! `adjoin cc` as build systems use it: flags, names of outputs, dependency files, exit statuses, debug information.

use adjoin_harness::process::{End, Job, Run, job};
use adjoin_harness::workspace;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A directory with the sources of a small program.
struct Project(TempDir);

impl Project {
    fn new() -> Project {
        let project = Project(tempfile::tempdir().expect("a temporary directory"));
        project.write("inc/config.h", "#define FACTOR 3\nint scale(int);\n");
        project.write(
            "main.c",
            "#include <stdio.h>\n#include \"config.h\"\n#ifndef EXTRA\n#define EXTRA 0\n#endif\nint main(void)\n{\n    printf(\"%d\\n\", scale(7) + EXTRA);\n    return 0;\n}\n",
        );
        project.write("scale.c", "#include \"config.h\"\nint scale(int x)\n{\n    int sum = 0;\n    for (int i = 0; i < FACTOR; i++)\n        sum += x;\n    return sum;\n}\n");
        project
    }
    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
    fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("has a parent")).expect("creates");
        std::fs::write(path, text).expect("writes");
    }
    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }
    fn has(&self, name: &str) -> bool {
        self.path(name).exists()
    }
    fn job(&self, program: impl AsRef<std::ffi::OsStr>) -> Job {
        job(program).directory(self.0.path())
    }
    /// `adjoin cc ARGS`
    fn cc(&self, arguments: &str) -> Run {
        self.job(workspace::adjoin())
            .arg("cc")
            .words(arguments)
            .run()
            .expect("starts")
    }
    /// `adjoin cc ARGS`, which must succeed.
    fn builds(&self, arguments: &str) -> Run {
        let run = self.cc(arguments);
        assert!(run.success(), "{run}");
        run
    }
    fn prints(&self, program: &str, expected: &str) {
        let run = self.job(self.path(program)).run().expect("starts");
        assert!(run.success() && run.stdout() == expected, "{run}");
    }
    fn files(&self) -> Vec<String> {
        let mut names: Vec<String> = std::fs::read_dir(self.0.path())
            .expect("is a directory")
            .flatten()
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }
}

const BOTH: [&str; 2] = ["", "--through-ir"];

#[test]
fn several_files_to_a_program() {
    for mode in BOTH {
        let project = Project::new();
        project.builds(&format!(
            "{mode} -Iinc -O1 -DEXTRA=1 main.c scale.c -o prog"
        ));
        project.prints("prog", "22\n");
        assert_eq!(
            project.files(),
            ["inc", "main.c", "prog", "scale.c"],
            "nothing else is left behind"
        );
    }
}

#[test]
fn objects_and_a_link_step() {
    for mode in BOTH {
        let project = Project::new();
        project.builds(&format!("{mode} -I inc -D EXTRA=2 -c main.c scale.c"));
        assert_eq!(
            project.files(),
            ["inc", "main.c", "main.o", "scale.c", "scale.o"]
        );
        project.builds(&format!("{mode} main.o scale.o -lm -o prog"));
        project.prints("prog", "23\n");
        project.builds(&format!("{mode} -Iinc main.c scale.o"));
        project.prints("a.out", "21\n");
        std::fs::create_dir(project.path("build")).expect("creates");
        project.builds(&format!("{mode} -Iinc -c scale.c -o build/x.o"));
        assert!(project.has("build/x.o"));
    }
}

#[test]
fn the_c_library_is_no_other_file() {
    let project = Project::new();
    project.write(
        "known.c",
        "#define _GNU_SOURCE\n#include <complex.h>\n#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n\
         static double f(double x)\n{\n    int e;\n    double whole, s, c, *p = malloc(sizeof *p);\n    sincos(x, &s, &c);\n    *p = modf(x, &whole) + frexp(x, &e) * s;\n    \
         double complex z = conj(x + *p * I);\n    free(p);\n    return creal(z) * cabs(z) + cimag(z) * carg(z);\n}\n\
         double __enzyme_autodiff(void *, double);\n\
         int main(void)\n{\n    double h = 1e-6, d = __enzyme_autodiff((void *)f, 1.3) - (f(1.3 + h) - f(1.3 - h)) / (2 * h);\n    printf(\"%d\\n\", fabs(d) < 1e-7);\n    return 0;\n}\n",
    );
    project.builds("-O1 -c known.c");
    // Nothing is left to Adjoin's link step.
    let job = project.job("cc").words("known.o -o known -lm");
    let linked = job.run().expect("starts");
    assert!(linked.success(), "{linked}");
    project.prints("known", "1\n");
}

#[test]
fn clang_does_not_complain_of_unused_options() {
    if !workspace::is_installed("clang") {
        return;
    }
    let project = Project::new();
    let run = project.builds("--cc clang --through-ir -Werror -Wall -Iinc -std=c11 -include config.h -pthread main.c scale.c -lm -Wl,-O1 -o prog");
    assert_eq!(run.stderr(), "");
    project.prints("prog", "21\n");
}

#[test]
fn dependency_files_are_those_of_the_compiler() {
    for compiler in ["gcc", "clang"]
        .into_iter()
        .filter(|compiler| workspace::is_installed(compiler))
    {
        for flags in [
            "-MD -c main.c",
            "-MMD -c main.c",
            "-MMD -MP -c main.c -o obj/m.o",
            "-MD -MF deps.d -c main.c",
            "-MD -MF deps.d -MT target -c main.c",
            "-MMD -MQ a$b -c main.c -o obj/m.o",
            "-MMD -MFobj/x.d -c main.c -o obj/m.o",
            "-MMD main.c scale.o -o prog",
            "-MM main.c",
            "-Wp,-MMD,wp.d -c main.c",
        ] {
            let outputs = ["", "--through-ir "].map(|mode| {
                let project = Project::new();
                std::fs::create_dir(project.path("obj")).expect("creates");
                project.builds(&format!("--cc {compiler} -Iinc -c scale.c"));
                let run = project.builds(&format!("--cc {compiler} {mode}-Iinc {flags}"));
                let mut files = workspace::files_below(project.0.path(), &["d"]);
                files.sort();
                let written: Vec<(String, String)> = files
                    .iter()
                    .map(|path| {
                        (
                            path.strip_prefix(project.0.path())
                                .expect("below")
                                .display()
                                .to_string(),
                            std::fs::read_to_string(path).expect("text"),
                        )
                    })
                    .collect();
                (run.stdout(), written, project.files())
            });
            assert_eq!(outputs[0], outputs[1], "{compiler} {flags}");
        }
    }
}

#[test]
fn the_compiler_can_be_chosen() {
    let project = Project::new();
    let wrapper = project.path("mycc");
    std::fs::write(
        &wrapper,
        "#!/bin/sh\necho \"mycc $*\" >> log\nexec cc \"$@\"\n",
    )
    .expect("writes");
    let mut permissions = std::fs::metadata(&wrapper).expect("exists").permissions();
    std::os::unix::fs::PermissionsExt::set_mode(&mut permissions, 0o755);
    std::fs::set_permissions(&wrapper, permissions).expect("sets");
    let mycc = wrapper.display().to_string();
    let calls = |arguments: &str, variables: &[(&str, &str)]| {
        let _ = std::fs::remove_file(project.path("log"));
        let start = project.job(workspace::adjoin()).arg("cc").words(arguments);
        let run = variables
            .iter()
            .fold(start, |job, (name, value)| job.env(name, value))
            .run()
            .expect("starts");
        assert!(run.success(), "{run}");
        project.has("log")
    };
    assert!(!calls("-Iinc -c scale.c", &[]));
    assert!(calls(&format!("--cc {mycc} -Iinc -c scale.c"), &[]));
    assert!(calls(
        &format!("--cc={mycc} --through-ir -Iinc -c scale.c"),
        &[]
    ));
    assert!(calls("-Iinc -c scale.c", &[("CC", &mycc)]));
    assert!(calls(
        "-Iinc -c scale.c",
        &[("ADJOIN_CC", &mycc), ("CC", "false")]
    ));
    assert!(
        calls("-c scale.c", &[("CC", &format!("{mycc} -Iinc"))]),
        "a command of several words"
    );
    assert!(
        !calls("-Iinc -c scale.c", &[("CC", "adjoin cc --through-ir")]),
        "CC naming us is not the compiler"
    );
}

#[test]
fn a_missing_compiler_is_a_clear_error() {
    let project = Project::new();
    for mode in BOTH {
        let run = project.cc(&format!("{mode} --cc no-such-compiler -c scale.c"));
        assert_eq!(run.end, End::Exit(1));
        assert!(run.stderr().contains("no-such-compiler"), "{run}");
    }
}

#[test]
fn exit_statuses_and_messages_are_passed_on() {
    let project = Project::new();
    project.write("bad.c", "int f(void) { return undeclared; }\n");
    project.write(
        "unused.c",
        "int f(void)\n{\n    return 1;\n}\nstatic int g(void)\n{\n    return 2;\n}\n",
    );
    for mode in BOTH {
        let run = project.cc(&format!("{mode} -c bad.c -o bad.o"));
        assert_eq!(run.end, End::Exit(1), "{run}");
        assert!(run.stderr().contains("undeclared"), "{run}");
        assert!(!project.has("bad.o"));
        let run = project.cc(&format!("{mode} scale.c -Iinc -o nomain"));
        assert_eq!(run.end, End::Exit(1), "the linker fails");
        assert!(!project.has("nomain"));
        let run = project.cc(&format!("{mode} -Wall -c unused.c"));
        assert!(
            run.success() && run.stderr().contains("unused.c:5:"),
            "{run}"
        );
    }
    project.write("exit7", "#!/bin/sh\nexit 7\n");
    project.write("killed", "#!/bin/sh\nkill -KILL $$\n");
    for (script, end) in [("exit7", End::Exit(7)), ("killed", End::Signal(9))] {
        for mode in BOTH {
            let cc = format!("--cc sh {mode} {script} scale.c");
            let run = project.cc(&cc);
            assert!(run.end == end || !mode.is_empty(), "{run}");
        }
    }
}

#[test]
fn errors_in_one_of_several_files_leave_no_output() {
    let project = Project::new();
    project.write("bad.c", "int f(void)\n{\n    int x = ;\n    return y;\n}\n");
    let run = project.cc("--through-ir -Iinc -MMD -c main.c bad.c scale.c");
    assert_eq!(run.end, End::Exit(1));
    assert!(run.stderr().contains("bad.c:3"), "{run}");
    assert!(!project.has("main.o") && !project.has("bad.o") && !project.has("bad.d"));
}

#[test]
fn response_files() {
    for mode in BOTH {
        let project = Project::new();
        project.write(
            "args",
            "-Iinc \"-DEXTRA=4 + 1\"\n main.c 'scale.c'\n-o prog",
        );
        project.builds(&format!("{mode} @args"));
        project.prints("prog", "26\n");
    }
}

#[test]
fn very_long_command_lines() {
    let project = Project::new();
    project.builds("--through-ir -Iinc -c scale.c");
    assert!(
        project
            .job("ar")
            .words("rcs scale.a scale.o")
            .run()
            .expect("starts")
            .success()
    );
    project.write("args", &"scale.a\n".repeat(20_000));
    project.builds("--through-ir -Iinc main.c @args -o prog");
    project.prints("prog", "21\n");
}

#[test]
fn standard_input_preprocessed_input_and_foreign_input() {
    let project = Project::new();
    let source = "int main(void) { return 5; }\n";
    for mode in BOTH {
        let run = project
            .job(workspace::adjoin())
            .arg("cc")
            .words(&format!("{mode} -x c - -o five"))
            .stdin(source)
            .run()
            .expect("starts");
        assert!(run.success(), "{run}");
        assert_eq!(
            project.job(project.path("five")).run().expect("starts").end,
            End::Exit(5)
        );
    }
    project.write("five.i", source);
    project.builds("--through-ir five.i -o five2");
    assert_eq!(
        project
            .job(project.path("five2"))
            .run()
            .expect("starts")
            .end,
        End::Exit(5)
    );
    project.write("asm.s", ".globl answer\nanswer:\n    movl $42, %eax\n    ret\n.section .note.GNU-stack,\"\",@progbits\n");
    project.write(
        "pre.S",
        "#ifndef ONE\n#error missing\n#endif\n.section .note.GNU-stack,\"\",@progbits\n",
    );
    project.write("user.c", "#ifndef ONE\n#error missing\n#endif\nint answer(void);\nint main(void) { return answer() - 42; }\n");
    project.builds("--through-ir -DONE user.c asm.s pre.S -o mixed");
    project.prints("mixed", "");
    project.builds("--through-ir -DONE -x c user.c -x none asm.s -o mixed2");
    project.prints("mixed2", "");
}

#[test]
fn libraries_shared_objects_and_archives() {
    let project = Project::new();
    project.builds("--through-ir -Iinc -fPIC -shared scale.c -o libscale.so");
    project.builds("--through-ir -Iinc main.c -L. -lscale -Wl,-rpath,. -o prog");
    project.prints("prog", "21\n");
    project.builds("--through-ir -Iinc -c scale.c");
    assert!(
        project
            .job("ar")
            .words("rcs libarchive.a scale.o")
            .run()
            .expect("starts")
            .success()
    );
    project.builds("--through-ir -Iinc main.c libarchive.a -static -o prog2");
    project.prints("prog2", "21\n");
}

#[test]
fn sources_of_the_same_name() {
    let project = Project::new();
    project.write("a/x.c", "int a(void) { return 1; }\n");
    project.write(
        "b/x.c",
        "int a(void);\nint main(void) { return a() - 1; }\n",
    );
    project.builds("--through-ir a/x.c b/x.c -o prog");
    project.prints("prog", "");
}

#[test]
fn preprocessing_and_information_pass_through() {
    let project = Project::new();
    let plain = |arguments: &str| project.job("cc").words(arguments).run().expect("starts");
    for arguments in [
        "-E -Iinc main.c",
        "-M -Iinc main.c",
        "-dumpmachine",
        "--version",
        "-E -dM -x c /dev/null",
        "-print-prog-name=ld",
    ] {
        let run = project.cc(&format!("--through-ir {arguments}"));
        assert_eq!(
            (run.stdout, run.end),
            (plain(arguments).stdout, End::Exit(0)),
            "{arguments}"
        );
    }
    project.builds("--through-ir -Iinc -S scale.c");
    assert!(project.read("scale.s").contains("scale"));
    project.builds("--through-ir -Iinc -fsyntax-only scale.c");
}

#[test]
fn verbose_and_report_say_what_happened() {
    let project = Project::new();
    project.write(
        "odd.c",
        "int plain(int x) { return x + 1; }\nint odd(int x)\n{\n    __asm__ volatile(\"\" : \"+r\"(x));\n    return x;\n}\n",
    );
    let run = project.builds("--through-ir -v --through-ir-report report.txt -c odd.c");
    let said = run.stderr();
    assert!(said.contains("adjoin: plain: lowered (odd.c:1)"), "{said}");
    assert!(
        said.contains("adjoin: odd: kept: ") && said.contains("(odd.c:"),
        "{said}"
    );
    assert!(
        said.lines()
            .any(|line| line.starts_with("adjoin: ") && line.contains("-E")),
        "{said}"
    );
    let report = project.read("report.txt");
    assert!(report.contains("plain\todd.c:1\tlowered\t"), "{report}");
    assert!(report.contains("odd\todd.c:2\trefused\t"), "{report}");
}

#[test]
fn intermediate_files_are_kept_when_asked_for() {
    let project = Project::new();
    project.builds("--through-ir -Iinc -save-temps -c scale.c");
    assert!(project.read("scale.i").contains("scale.c"));
    assert!(project.has("scale.s") && project.has("scale.o"));
}

#[test]
fn the_name_adjoin_cc_is_a_command() {
    let project = Project::new();
    std::os::unix::fs::symlink(workspace::adjoin(), project.path("adjoin-cc")).expect("links");
    let run = project
        .job(project.path("adjoin-cc"))
        .words("--through-ir -Iinc main.c scale.c -o prog")
        .run()
        .expect("starts");
    assert!(run.success(), "{run}");
    project.prints("prog", "21\n");
}

#[test]
fn warnings_in_system_headers_stay_silent() {
    let project = Project::new();
    project.write("headers.c", "#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <complex.h>\nint main(void)\n{\n    return 0;\n}\n");
    for compiler in ["gcc", "clang"]
        .into_iter()
        .filter(|compiler| workspace::is_installed(compiler))
    {
        let run = project.builds(&format!(
            "--cc {compiler} --through-ir -Wall -Wextra -pedantic -Werror -c headers.c"
        ));
        assert_eq!(run.stderr(), "");
    }
}

#[test]
fn debug_information_points_at_the_users_file() {
    for compiler in ["gcc", "clang"]
        .into_iter()
        .filter(|compiler| workspace::is_installed(compiler))
    {
        let project = Project::new();
        project.builds(&format!(
            "--cc {compiler} --through-ir -g -O0 -Iinc main.c scale.c -o prog"
        ));
        let lines = project
            .job("objdump")
            .words("--dwarf=decodedline prog")
            .run()
            .expect("starts")
            .stdout();
        for (file, wanted) in [("scale.c", [5, 6, 7]), ("main.c", [8, 8, 9])] {
            let numbers: Vec<u32> = lines
                .lines()
                .filter(|line| line.starts_with(file))
                .filter_map(|line| line.split_whitespace().nth(1)?.parse().ok())
                .collect();
            for line in wanted {
                assert!(
                    numbers.contains(&line),
                    "{compiler}: line {line} of {file} is missing in {numbers:?}"
                );
            }
        }
        assert!(
            !lines.contains("adjoin-"),
            "a temporary file shows:\n{lines}"
        );
        debugger_stops(&project);
    }
}

fn debugger_stops(project: &Project) {
    if !workspace::is_installed("gdb") {
        return;
    }
    let run = project
        .job("gdb")
        .args([
            "-batch",
            "-nx",
            "-ex",
            "break scale.c:7",
            "-ex",
            "run",
            "-ex",
            "backtrace",
            "-ex",
            "print x",
            "prog",
        ])
        .run()
        .expect("starts");
    // Some sandboxes forbid tracing; the line table was checked above.
    if run.stderr().contains("ptrace") || run.stderr().contains("Operation not permitted") {
        return;
    }
    let said = run.stdout();
    assert!(
        said.contains("scale.c:7") && said.contains("main.c:8"),
        "{run}"
    );
    assert!(said.contains("$1 = 7"), "the parameter has its name: {run}");
}

#[test]
fn compilers_warnings_point_at_the_users_file() {
    let project = Project::new();
    project.write("warn.c", "#include <stdio.h>\n\nint f(int x)\n{\n    return x + 1;\n}\n\n\n\nstatic int unused_function(void)\n{\n    return 1;\n}\n");
    let run = project.builds("--through-ir -Wall -c warn.c");
    assert!(run.stderr().contains("warn.c:10:"), "{run}");
    let _ = Path::new("warn.c");
}
