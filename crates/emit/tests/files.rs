//! IR text in, C out: `tests/data/NAME.ir` is emitted as a module and compared with `NAME.c` (`BLESS=1` rewrites it); the C
//! must compile without warnings under gcc and clang, and exit with 0. The programs in `tests/programs` go from C
//! through the IR, with and without passes, and must print what the original prints.

use adjoin_emit::{Emitter, Lines, Options, emit_module};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn here(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests")
        .join(folder)
}

fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let mut list: Vec<PathBuf> = std::fs::read_dir(here(folder))
        .expect("test folder")
        .map(|e| e.expect("entry").path())
        .filter(|p| p.extension().is_some_and(|e| e == extension))
        .collect();
    list.sort();
    list
}

fn scratch(name: &str) -> PathBuf {
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    dir.join(name)
}

fn compilers() -> Vec<&'static str> {
    ["gcc", "clang"]
        .into_iter()
        .filter(|c| Command::new(c).arg("--version").output().is_ok())
        .collect()
}

fn run(command: &mut Command) -> Output {
    command
        .output()
        .unwrap_or_else(|e| panic!("{command:?}: {e}"))
}

const STRICT: &[&str] = &[
    "-std=gnu11",
    "-Wall",
    "-Wextra",
    "-pedantic",
    "-Werror",
    "-O2",
];

#[test]
fn ir_files_come_out_as_blessed() {
    for path in files("data", "ir") {
        let text = std::fs::read_to_string(&path).expect("readable");
        let module =
            adjoin_ir::parse_module(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        if let Err(errors) = adjoin_ir::verify_module(&module) {
            panic!("{}: {}", path.display(), errors[0]);
        }
        let emitted = emit_module(
            &module,
            &Options {
                lines: Lines::Comments,
                ..Options::default()
            },
        );
        let expected = path.with_extension("c");
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&expected, &emitted).expect("writable");
        }
        let blessed = std::fs::read_to_string(&expected).unwrap_or_default();
        assert_eq!(
            emitted,
            blessed,
            "{}: run with BLESS=1 if the change is meant",
            path.display()
        );
        let stem = path.file_stem().and_then(|s| s.to_str()).expect("name");
        for compiler in compilers() {
            let binary = scratch(&format!("{stem}-{compiler}"));
            let built = run(Command::new(compiler)
                .args(STRICT)
                .arg(&expected)
                .arg("-o")
                .arg(&binary)
                .arg("-lm"));
            assert!(
                built.status.success(),
                "{stem}: {}",
                String::from_utf8_lossy(&built.stderr)
            );
            let ran = run(&mut Command::new(&binary));
            assert!(
                ran.status.success(),
                "{stem} under {compiler}: {:?}",
                ran.status
            );
        }
    }
}

#[test]
fn programs_survive_the_round_trip() {
    for path in files("programs", "c") {
        let stem = path
            .file_stem()
            .and_then(|s| s.to_str())
            .expect("name")
            .to_string();
        let openmp = stem.starts_with("openmp");
        for compiler in compilers() {
            // Not every clang comes with the OpenMP library.
            let flags: &[&str] = if openmp { &["-fopenmp"] } else { &[] };
            if openmp && compiler == "clang" {
                continue;
            }
            let reference = scratch(&format!("{stem}-{compiler}-reference"));
            let built = run(Command::new(compiler)
                .args(flags)
                .arg("-w")
                .arg(&path)
                .arg("-o")
                .arg(&reference)
                .arg("-lm"));
            assert!(
                built.status.success(),
                "{stem}: {}",
                String::from_utf8_lossy(&built.stderr)
            );
            let expected = run(&mut Command::new(&reference));
            let preprocessed = run(Command::new(compiler).args(flags).arg("-E").arg(&path)).stdout;
            for passes in [false, true] {
                let text = round_trip(&preprocessed, passes);
                let emitted = scratch(&format!("{stem}-{compiler}-{passes}.i"));
                std::fs::write(&emitted, text).expect("writable");
                let binary = scratch(&format!("{stem}-{compiler}-{passes}"));
                let built = run(Command::new(compiler)
                    .args(STRICT)
                    .args(flags)
                    .arg(&emitted)
                    .arg("-o")
                    .arg(&binary)
                    .arg("-lm"));
                assert!(
                    built.status.success(),
                    "{stem}: {}",
                    String::from_utf8_lossy(&built.stderr)
                );
                let ran = run(&mut Command::new(&binary));
                assert_eq!(
                    ran.stdout, expected.stdout,
                    "{stem} under {compiler}, passes: {passes}"
                );
                assert_eq!(
                    ran.status, expected.status,
                    "{stem} under {compiler}, passes: {passes}"
                );
            }
        }
    }
}

fn round_trip(preprocessed: &[u8], passes: bool) -> Vec<u8> {
    let parsed = adjoin_front::parse(preprocessed.to_vec());
    let mut lowered = adjoin_lower::lower(&parsed.unit, &parsed.source, |f| {
        parsed.unit.funcs[f]
            .body
            .as_ref()
            .is_some_and(|b| !b.in_system_header)
    });
    if passes {
        adjoin_passes::run_pipeline(&mut lowered.module, None)
            .expect("the pipeline has no unknown passes");
    }
    let options = Options {
        lines: Lines::Markers,
        ..Options::default()
    };
    let emitter = Emitter::new(&lowered.module, &options);
    let mut edits: Vec<_> = parsed
        .unit
        .funcs
        .values()
        .filter_map(|f| {
            let body = f.body.as_ref().filter(|b| !b.in_system_header)?;
            let func = lowered.module.find_func(&f.name)?;
            lowered.module.funcs[func].body.as_ref()?;
            Some((body.range, emitter.body(func)))
        })
        .collect();
    edits.sort_by_key(|(range, _)| range.start);
    let mut out = Vec::new();
    let mut at = 0;
    for (range, body) in edits {
        out.extend_from_slice(&preprocessed[at..range.start as usize]);
        out.extend_from_slice(body.as_bytes());
        at = range.end as usize;
    }
    out.extend_from_slice(&preprocessed[at..]);
    out
}
