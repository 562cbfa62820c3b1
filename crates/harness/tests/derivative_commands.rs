//! The commands that write derivatives: every command of `tests/commands/*.c`, a project that links what they write, and every command that the
//! documentation shows.

use adjoin_harness::process::{End, Run, job};
use adjoin_harness::workspace;
use std::path::{Path, PathBuf};

fn adjoin(directory: &Path, words: &[String]) -> Run {
    job(workspace::adjoin())
        .args(words)
        .directory(directory)
        .env("RUST_BACKTRACE", "0")
        .limit(120)
        .run()
        .expect("adjoin starts")
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(String::from).collect()
}

/// Every `.c` and `.h` that a command wrote compiles without a warning.
fn compiles_cleanly(directory: &Path, command: &str) {
    for file in workspace::files_below(directory, &["c"]) {
        let text = std::fs::read_to_string(&file).expect("the file was listed");
        let mpi = text.contains("<mpi.h>");
        let compile = |compiler: &str| {
            if mpi {
                job("mpicc")
                    .env("OMPI_CC", compiler)
                    .words("-DOMPI_SKIP_MPICXX")
            } else {
                job(compiler)
            }
        };
        let openmp = if text.contains("#pragma omp") {
            "-fopenmp"
        } else {
            ""
        };
        for (compiler, more) in [
            ("gcc", ""),
            ("clang", ""),
            ("gcc", openmp),
            ("clang", openmp),
        ] {
            let run = compile(compiler)
                .words("-std=c11 -Wall -Wextra -pedantic -Werror -O2 -c -o /dev/null")
                .words(more)
                .arg(&file)
                .limit(60)
                .run()
                .expect("the compiler starts");
            assert!(run.success(), "{command}:\n{run}");
            if openmp.is_empty() && compiler == "clang" {
                break;
            }
        }
        if !file.with_extension("h").is_file() {
            continue;
        }
        for language in ["c", "c++"] {
            let run = compile(if language == "c" { "gcc" } else { "g++" })
                .words("-Wall -Wextra -Werror -fsyntax-only -x")
                .arg(language)
                .arg(file.with_extension("h"))
                .limit(60)
                .run()
                .expect("the compiler starts");
            assert!(run.success(), "{command}:\n{run}");
        }
    }
}

/// Each `// adjoin:` line of a program is run in an empty directory; what it writes compiles. `// fails:` behind it: it fails, and says so.
#[test]
fn commands_of_programs() {
    let directory = workspace::root().join("tests/commands");
    let mut count = 0;
    for file in workspace::files_below(&directory, &["c"]) {
        let text = std::fs::read_to_string(&file).expect("the program was listed");
        let mut lines = text.lines().peekable();
        while let Some(line) = lines.next() {
            let Some(command) = line.strip_prefix("// adjoin: ") else {
                continue;
            };
            let fails = lines.peek().and_then(|l| l.strip_prefix("// fails: "));
            let arguments: Vec<String> = words(command)
                .into_iter()
                .map(|w| w.replace("%s", &file.display().to_string()))
                .collect();
            let empty = tempfile::tempdir().expect("a temporary directory");
            let run = adjoin(empty.path(), &arguments);
            let shown = format!("{}: adjoin {command}", file.display());
            count += 1;
            match fails {
                None => {
                    assert!(run.success(), "{shown}\n{run}");
                    compiles_cleanly(empty.path(), &shown);
                }
                Some(message) => {
                    let text = run.stdout() + &run.stderr();
                    assert!(run.end == End::Exit(1), "{shown}\n{run}");
                    assert!(text.contains(message), "{shown}: no `{message}` in\n{run}");
                    let written = workspace::files_below(empty.path(), &["c", "h"]);
                    assert!(
                        written.is_empty(),
                        "{shown}: it failed and wrote {written:?}"
                    );
                }
            }
        }
    }
    assert!(count > 40, "only {count} commands were found");
}

/// What the commands write links beside the original files, from C and from C++, and the numbers are right.
#[test]
fn a_project_of_several_files() {
    let project = workspace::root().join("tests/commands/project");
    let directory = tempfile::tempdir().expect("a temporary directory");
    let at = directory.path();
    for name in ["model.h", "model.c", "loss.c", "main.c"] {
        std::fs::copy(project.join(name), at.join(name)).expect("a file of the project");
    }
    for command in [
        "grad loss.c model.c -f loss",
        "hessian loss.c model.c -f loss --wrt x",
        "hvp loss.c model.c -f loss --wrt x",
        "jacobian loss.c -f outputs --size x=n --size y=n+1 --mode forward --name outputs_columns -o outputs_columns.c",
        "jacobian loss.c -f outputs --size x=n --size y=n+1 --mode reverse --name outputs_rows -o outputs_rows.c",
        "jacobian loss.c -f outputs --size x=n --size y=n+1 --name out_both -o out_both.c",
        "jvp loss.c -f outputs --width 2",
        "vjp loss.c -f outputs",
    ] {
        let run = adjoin(at, &words(command));
        assert!(run.success(), "{run}");
    }
    let sources: Vec<PathBuf> = workspace::files_below(at, &["c"])
        .into_iter()
        .filter(|f| !f.ends_with("main.c"))
        .collect();
    for flags in [
        "-O2",
        "-O3 -ffast-math",
        "-O1 -g -fsanitize=address,undefined -fno-sanitize-recover",
    ] {
        for (compiler, language) in [("gcc", "c"), ("clang", "c"), ("g++", "c++")] {
            let c_compiler = if compiler == "clang" { "clang" } else { "gcc" };
            let mut objects = Vec::new();
            for source in &sources {
                let object = source.with_extension("o");
                let run = job(c_compiler)
                    .words("-Wall -Wextra -pedantic -Werror -c -o")
                    .arg(&object)
                    .words(flags)
                    .arg(source)
                    .limit(60)
                    .run()
                    .expect("the compiler starts");
                assert!(run.success(), "{run}");
                objects.push(object);
            }
            // The model's own header is C: it says nothing of C++.
            let main = at.join(format!("main.{language}"));
            let text = std::fs::read_to_string(at.join("main.c")).expect("it was copied");
            let text = if language == "c++" {
                let own = "#include \"model.h\"";
                text.replace(own, &format!("extern \"C\" {{\n{own}\n}}"))
            } else {
                text
            };
            std::fs::write(&main, text).expect("the directory can be written");
            let binary = at.join("a.out");
            let run = job(compiler)
                .words("-Wall -Wextra -Werror -o")
                .arg(&binary)
                .words(flags)
                .arg("-x")
                .arg(language)
                .arg(&main)
                .words("-x none")
                .args(&objects)
                .arg("-lm")
                .limit(60)
                .run()
                .expect("the compiler starts");
            assert!(run.success(), "{run}");
            let run = job(&binary).limit(30).run().expect("the program starts");
            assert!(run.success(), "{compiler} {flags}:\n{run}");
        }
    }
}

/// A derivative that is wrong is found: the check fails, and says where.
/// Loops that would scatter are left alone by clang's vectoriser, others are not.
#[test]
fn loops_that_would_scatter() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let rows = "double f(double (*a)[16], const double *x, int n)\n{\n    double sum = 0;\n    for (int i = 0; i < n; i++)\n        \
                sum += x[i] * (a[i][1] * a[i][2] + a[i][7]);\n    return sum;\n}\n";
    for (text, expected) in [
        (rows.to_string(), true),
        (rows.replace("[16]", "[8]"), false),
    ] {
        std::fs::write(directory.path().join("rows.c"), text).expect("writes");
        let run = adjoin(directory.path(), &words("grad rows.c -f f -o g.c"));
        assert!(run.success(), "{run}");
        let written = std::fs::read_to_string(directory.path().join("g.c")).expect("was written");
        let found = written.contains("#pragma clang loop vectorize(disable)");
        assert_eq!(found, expected, "{written}");
        compiles_cleanly(directory.path(), "grad rows.c -f f -o g.c");
    }
}

#[test]
fn check_finds_what_is_wrong() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let at = directory.path();
    // A function that is not differentiable where it is checked.
    std::fs::write(
        at.join("jump.c"),
        "double f(double x) { return x + (double)(long)(1000 * x); }\n",
    )
    .expect("the directory can be written");
    let run = adjoin(at, &words("check jump.c -f f"));
    assert!(run.end == End::Exit(1), "{run}");
    assert!(run.stdout().contains("differs:"), "{run}");
}

/// The blocks of a page: language, text.
fn blocks(page: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut open: Option<(String, String)> = None;
    for line in page.lines() {
        match (line.strip_prefix("```"), &mut open) {
            (Some(language), None) => open = Some((language.trim().to_string(), String::new())),
            (Some(_), Some(_)) => found.extend(open.take()),
            (None, Some((_, text))) => {
                text.push_str(line);
                text.push('\n');
            }
            (None, None) => {}
        }
    }
    found
}

/// Every page of the documentation works as it stands: ```` ```c file=NAME ```` blocks are files, each `$ ` line of ```` ```sh ```` blocks is run, and the
/// lines behind it, up to the next command, must be in what it prints (`…` stands for anything).
#[test]
fn documentation() {
    let root = workspace::root();
    let mut commands = 0;
    let mut pages = workspace::files_below(&root.join("docs"), &["md"]);
    pages.push(root.join("README.md"));
    for path in pages {
        let page = std::fs::read_to_string(&path).expect("the page was listed");
        let directory = tempfile::tempdir().expect("a temporary directory");
        let bin = directory.path().join("bin");
        std::fs::create_dir(&bin).expect("the directory can be written");
        std::os::unix::fs::symlink(workspace::adjoin(), bin.join("adjoin")).expect("a link");
        let at = directory.path().join("work");
        std::fs::create_dir(&at).expect("the directory can be written");
        for (language, text) in blocks(&page) {
            if let Some((_, name)) = language.split_once("file=") {
                std::fs::write(at.join(name.trim()), text).expect("the directory can be written");
                continue;
            }
            if language != "sh" {
                continue;
            }
            for command in text.split("$ ").filter(|c| !c.trim().is_empty()) {
                let (command, expected) = command.split_once('\n').unwrap_or((command, ""));
                let path_variable = format!(
                    "{}:{}",
                    bin.display(),
                    std::env::var("PATH").unwrap_or_default()
                );
                let fails = expected.contains("error:") || expected.contains("FAILED");
                let run = job("sh")
                    .arg("-c")
                    .arg(format!("{{ {command}\n}} 2>&1"))
                    .env("PATH", path_variable)
                    .env("RUST_BACKTRACE", "0")
                    // More ranks than cores, and root in containers: for MPI as for everybody.
                    .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
                    .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
                    .env("OMPI_MCA_rmaps_base_oversubscribe", "1")
                    .directory(&at)
                    .limit(120)
                    .run()
                    .expect("the shell starts");
                commands += 1;
                let shown = format!("{}: {command}", path.display());
                assert!(run.success() != fails, "{shown}\n{run}");
                let printed = run.stdout();
                let squeeze = |t: &str| t.split_whitespace().collect::<Vec<_>>().join(" ");
                let printed = squeeze(&printed);
                let mut rest = &*printed;
                for piece in expected.split('…').map(squeeze).filter(|p| !p.is_empty()) {
                    let Some(found) = rest.find(&piece) else {
                        panic!("{shown}: expected\n{expected}\nfound\n{run}");
                    };
                    rest = &rest[found + piece.len()..];
                }
            }
        }
    }
    assert!(commands > 0, "no command was found");
}

/// Each example of the table of refusals is refused, with its message.
#[test]
fn documented_refusals_are_refused() {
    let path = workspace::root().join("docs/supported-c.md");
    let page = std::fs::read_to_string(&path).expect("the page is there");
    let (_, table) = page
        .split_once("## What is refused")
        .expect("the table of refusals");
    let directory = tempfile::tempdir().expect("a temporary directory");
    let mut count = 0;
    for row in table
        .lines()
        .filter(|l| l.starts_with("| ") && l.contains('`'))
    {
        let mut cells: Vec<&str> = row.trim_matches('|').split(" | ").collect();
        let message = cells.pop().unwrap_or_default().trim().trim_matches('`');
        let example = cells.pop().unwrap_or_default().trim().trim_matches('`');
        let text = format!("{}\n", example.replace('⏎', "\n"));
        std::fs::write(directory.path().join("f.c"), text).expect("the directory can be written");
        let run = adjoin(directory.path(), &words("grad f.c -f f"));
        assert!(run.end == End::Exit(1), "{example}\n{run}");
        assert!(run.stderr().contains(message), "no `{message}` in\n{run}");
        count += 1;
    }
    assert!(count > 8, "only {count} rows were found");
}

/// The table of singular points in the documentation is that of the rules; `BLESS=1` writes it.
#[test]
fn documented_rules_are_the_rules() {
    let path = workspace::root().join("docs/conventions.md");
    let page = std::fs::read_to_string(&path).expect("the page is there");
    let (begin, end) = ("<!-- rules: begin -->\n", "<!-- rules: end -->");
    let (before, rest) = page.split_once(begin).expect("the table's beginning");
    let (_, after) = rest.split_once(end).expect("the table's end");
    let table = adjoin_ad::rules::documentation();
    let wanted = format!("{before}{begin}{table}{end}{after}");
    if wanted != page && std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, wanted).expect("the page can be written");
        return;
    }
    assert!(
        wanted == page,
        "docs/conventions.md does not show the rules as they are; BLESS=1 writes them"
    );
}
