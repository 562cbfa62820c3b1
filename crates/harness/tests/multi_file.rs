//! Programs of several files: one command line, objects and archives, Makefiles and CMake. The program in `tests/multi_file` checks its derivatives itself.

use adjoin_harness::process::{Run, job};
use adjoin_harness::workspace;
use std::path::{Path, PathBuf};

/// A copy of the program's files.
struct Project(tempfile::TempDir);

impl Project {
    fn new() -> Project {
        let directory = tempfile::tempdir().expect("a temporary directory");
        for entry in
            std::fs::read_dir(workspace::root().join("tests/multi_file")).expect("it exists")
        {
            let path = entry.expect("readable").path();
            let name = path.file_name().expect("a file").to_owned();
            std::fs::copy(&path, directory.path().join(name)).expect("copied");
        }
        Project(directory)
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn cc(&self, arguments: &str) -> Run {
        job(adjoin())
            .arg("cc")
            .words(arguments)
            .directory(self.path())
            .run()
            .expect("runs")
    }

    fn build(&self, commands: &[&str]) {
        for command in commands {
            let run = self.cc(command);
            assert!(run.success(), "{run}");
            assert!(run.stderr.is_empty(), "{run}");
        }
    }

    fn run(&self, program: &str) {
        let run = job(self.path().join(program)).run().expect("runs");
        assert!(run.success(), "{run}");
    }
}

fn adjoin() -> PathBuf {
    workspace::adjoin()
}

#[test]
fn one_command_line() {
    for cc in ["gcc", "clang"] {
        let project = Project::new();
        project.build(&[&format!(
            "--cc {cc} -O2 -Wall -Wextra -pedantic main.c model.c -o program -lm"
        )]);
        project.run("program");
    }
}

#[test]
fn objects_carry_their_ir() {
    for cc in ["gcc", "clang"] {
        let project = Project::new();
        project.build(&[
            &format!("--cc {cc} -O2 -Wall -Wextra -pedantic -c main.c"),
            &format!("--cc {cc} -O2 -Wall -Wextra -pedantic -c model.c"),
            &format!("--cc {cc} main.o model.o -o program -lm"),
        ]);
        project.run("program");
        // A source and an object.
        project.build(&[&format!("--cc {cc} main.c model.o -o mixed -lm")]);
        project.run("mixed");
    }
}

#[test]
fn workspaces_of_other_files() {
    for cc in ["gcc", "clang"] {
        let project = Project::new();
        project.build(&[
            &format!(
                "--cc {cc} -O1 -fsanitize=address workspace_main.c workspace.c -o program -lm"
            ),
            &format!("--cc {cc} -O2 -Wall -Wextra -pedantic -c workspace_main.c"),
            &format!("--cc {cc} -O2 -Wall -Wextra -pedantic -c workspace.c"),
            &format!("--cc {cc} workspace_main.o workspace.o -o linked -lm"),
        ]);
        project.run("program");
        project.run("linked");
    }
}

#[test]
fn archives_carry_it_too() {
    let project = Project::new();
    project.build(&[
        "-O1 -c model.c",
        "-O1 -c main.c",
        "-O1 -c only_derivative.c",
    ]);
    let archived = job("ar")
        .words("rcs libmodel.a model.o")
        .directory(project.path())
        .run();
    assert!(archived.expect("runs").success());
    project.build(&[
        "main.o libmodel.a -o named -lm",
        "main.o -L. -lmodel -lm -o found",
        "main.c -L. -lmodel -lm -o source",
        "only_derivative.o libmodel.a -o only -lm",
        "only_derivative.o -L. -lmodel -lm -o only_found",
    ]);
    for program in ["named", "found", "source", "only", "only_found"] {
        project.run(program);
    }
}

#[test]
fn the_final_program_does_not_hold_the_ir() {
    let project = Project::new();
    project.build(&["-O1 main.c model.c -c", "main.o model.o -o program -lm"]);
    let bytes = std::fs::read(project.path().join("program")).expect("it is there");
    let section = b".adjoin.ir";
    assert!(!bytes.windows(section.len()).any(|w| w == section));
}

#[test]
fn what_is_missing_is_named() {
    let project = Project::new();
    project.build(&["-c main.c"]);
    let run = project.cc("main.o -o program -lm");
    assert!(!run.success());
    let wanted = ["cannot differentiate", "'model'", "main.c:"];
    let says = |text: &&str| run.stderr().contains(*text);
    assert!(wanted.iter().all(says), "{run}");
}

#[test]
fn a_makefile() {
    let project = Project::new();
    let run = job("make")
        .arg(format!("CC={} cc", adjoin().display()))
        .directory(project.path())
        .run()
        .expect("runs");
    assert!(run.success(), "{run}");
    project.run("program");
}

#[test]
fn cmake() {
    if !workspace::is_installed("cmake") {
        eprintln!("cmake is not installed");
        return;
    }
    let project = Project::new();
    let configure = job("cmake")
        .words("-S . -B build -DCMAKE_BUILD_TYPE=Release")
        .env("CC", format!("{} cc", adjoin().display()))
        .directory(project.path())
        .run()
        .expect("runs");
    assert!(configure.success(), "{configure}");
    let build = job("cmake")
        .words("--build build")
        .directory(project.path())
        .run()
        .expect("runs");
    assert!(build.success(), "{build}");
    project.run("build/program");
}

/// Attributes and pragmas reach derivatives that are made at link time, and functions that only another file has the address of.
#[test]
fn what_attributes_say_and_pointers_from_elsewhere() {
    for cc in ["gcc", "clang"] {
        let project = Project::new();
        project.build(&[
            &format!(
                "--cc {cc} -O1 -Wall -Wextra -Werror -Wno-unknown-pragmas said_main.c said.c -o program -lm"
            ),
            &format!("--cc {cc} -O1 -Wall -Wextra -Werror -c said.c -o said.o"),
            &format!("--cc {cc} -O1 -Wall -Wextra -Werror -c said_main.c -o said_main.o"),
            &format!("--cc {cc} said_main.o said.o -o linked -lm"),
        ]);
        project.run("program");
        project.run("linked");
    }
}

/// Old standards, and warnings that nobody can ask of generated code.
#[test]
fn old_standards_and_strict_warnings() {
    for (cc, strict) in [
        ("gcc", "-Wfloat-equal -Wcast-qual -Wdouble-promotion"),
        ("clang", "-Wmissing-variable-declarations -Wcast-qual"),
    ] {
        let project = Project::new();
        for flags in [
            "-std=c89",
            "-ansi -pedantic",
            "-std=gnu89",
            "-std=c99 -pedantic",
        ] {
            project.build(&[
                &format!("--cc {cc} {flags} -O1 -Wall -Werror {strict} ansi.c -o program -lm"),
                &format!("--cc {cc} {flags} -O1 -Wall -Werror -c ansi.c"),
                &format!("--cc {cc} {flags} ansi.o -o linked -lm"),
            ]);
            project.run("program");
            project.run("linked");
        }
    }
}

/// Ways to build in which the text or the IR comes another way.
#[test]
fn other_ways_to_build() {
    for cc in ["gcc", "clang"] {
        let project = Project::new();
        let lto = format!("--cc {cc} -O2 -flto");
        project.build(&[
            &format!("{lto} -c main.c"),
            &format!("{lto} -c model.c"),
            &format!("--cc {cc} -fsyntax-only main.c"),
        ]);
        let archived = job("ar")
            .words("rcsT libthin.a model.o")
            .directory(project.path())
            .run();
        assert!(archived.expect("runs").success());
        let mut ways = vec!["main.c libthin.a", "main.c -L. -l:libthin.a"];
        if cc == "gcc" {
            ways.push("-flto main.o model.o");
        }
        for way in ways {
            project.build(&[&format!("--cc {cc} {way} -o program -lm")]);
            project.run("program");
        }
        let text = std::fs::read(project.path().join("main.c")).expect("readable");
        let run = job(adjoin())
            .arg("cc")
            .words(&format!("--cc {cc} -x c - model.c -o piped -lm"))
            .stdin(text)
            .directory(project.path())
            .run()
            .expect("runs");
        assert!(run.success(), "{run}");
        project.run("piped");
    }
}

/// A library with tables that only it reads, an error handler that nobody sets, and a member that the program does not need.
#[test]
fn a_library_with_tables_and_an_error_handler() {
    for cc in ["gcc", "clang"] {
        let project = Project::new();
        for file in ["series", "series_error", "series_extra"] {
            project.build(&[&format!(
                "--cc {cc} -O1 -Wall -Wextra -pedantic -c {file}.c -o {file}.o"
            )]);
        }
        let archived = job("ar")
            .words("rcs libseries.a series_extra.o series_error.o series.o")
            .directory(project.path())
            .run()
            .expect("runs");
        assert!(archived.success(), "{archived}");
        project.build(&[&format!(
            "--cc {cc} -O1 -Wall -Wextra -pedantic series_main.c libseries.a -o program -lm"
        )]);
        project.run("program");
    }
}

/// Structs and unions without names, inside of what two files share.
#[test]
fn unnamed_parts_of_shared_structs() {
    for cc in ["gcc", "clang"] {
        let project = Project::new();
        project.build(&[
            &format!("--cc {cc} -O1 unnamed.c unnamed_main.c -o program -lm"),
            &format!("--cc {cc} -O1 -c unnamed.c -o unnamed.o"),
            &format!("--cc {cc} -O1 unnamed_main.c unnamed.o -o program2 -lm"),
        ]);
        project.run("program");
        project.run("program2");
    }
}

/// Functions behind a table of another file, which only a pointer leads to.
#[test]
fn a_table_of_functions_in_another_file() {
    for cc in ["gcc", "clang"] {
        let project = Project::new();
        project.build(&[
            &format!("--cc {cc} -O1 table.c table_main.c -o program -lm"),
            &format!("--cc {cc} -O1 -c table.c -o table.o"),
            &format!("--cc {cc} -O1 table_main.c table.o -o program2 -lm"),
        ]);
        project.run("program");
        project.run("program2");
    }
}
