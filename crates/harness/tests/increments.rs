//! How threads add to shadows: `tests/increments/*.c`. A file says what it is about at its top: `// grad: FUNCTION`; `// no: TEXT` and `// some: TEXT`, what its
//! vector-Jacobian product must not and must hold (with `deterministic` in front: that with `--deterministic`, which may be `refused`); `// how: READ: WORDS`, what `explain` says of a read.

use adjoin_harness::process::job;
use adjoin_harness::workspace;
use std::path::Path;

fn adjoin(words: &[&str], file: &Path) -> String {
    let run = job(workspace::adjoin())
        .args(words)
        .arg(file)
        .limit(120)
        .run()
        .expect("adjoin starts");
    assert!(run.success(), "{words:?} {}:\n{run}", file.display());
    String::from_utf8_lossy(&run.stdout).into_owned()
}

/// Does a table say this of a read?
fn says(table: &str, read: &str, words: &str) -> bool {
    table.lines().any(|line| {
        let line = line.trim_start();
        line.strip_prefix(read)
            .is_some_and(|rest| rest.starts_with(' ') && rest.contains(words))
    })
}

#[test]
fn as_the_files_say() {
    let files = workspace::files_below(&workspace::root().join("tests/increments"), &["c"]);
    assert!(!files.is_empty());
    for file in files {
        let source = std::fs::read_to_string(&file).expect("the file was listed");
        let wishes: Vec<(&str, &str)> = source
            .lines()
            .map_while(|line| line.strip_prefix("// "))
            .filter_map(|line| line.split_once(": "))
            .collect();
        let (_, function) = wishes.iter().find(|w| w.0 == "grad").expect("a function");
        let usual = ["vjp", "-f", *function, "--openmp", "-o", "-"];
        let made = adjoin(&usual, &file);
        let mut fixed = usual.to_vec();
        fixed.push("--deterministic");
        let fixed = match wishes.contains(&("deterministic", "refused")) {
            true => String::new(),
            false => adjoin(&fixed, &file),
        };
        let table = adjoin(&["explain", "-f", *function, "--openmp"], &file);
        for (wish, text) in &wishes {
            let fine = match *wish {
                "no" => !made.contains(text),
                "some" => made.contains(text),
                "deterministic no" => !fixed.contains(text),
                "deterministic some" => fixed.contains(text),
                "how" => {
                    let (read, words) = text.split_once(": ").expect("a read and words");
                    says(&table, read, words)
                }
                _ => true,
            };
            assert!(fine, "{}: {wish}: {text}\n{made}\n{table}", file.display());
        }
    }
}

/// The same to the bit for any number of threads, where threads add to the same places.
#[test]
fn deterministic() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file = workspace::root().join("tests/ad/openmp_deterministic/sums.c");
    let binary = directory.path().join("sums");
    let run = job(workspace::adjoin())
        .words("cc -fopenmp -O2 -fadjoin-deterministic -o")
        .arg(&binary)
        .arg(&file)
        .arg("-lm")
        .limit(120)
        .run()
        .expect("adjoin starts");
    assert!(run.success(), "{run}");
    let outputs: Vec<Vec<u8>> = ["1", "2", "5"]
        .iter()
        .map(|threads| {
            let run = job(&binary)
                .env("OMP_NUM_THREADS", threads)
                .limit(60)
                .run()
                .expect("the program starts");
            assert!(run.success(), "{run}");
            run.stdout
        })
        .collect();
    assert!(!outputs[0].is_empty());
    assert!(outputs.windows(2).all(|w| w[0] == w[1]));
}
