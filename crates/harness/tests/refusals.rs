//! Programs of `tests/refusals`: each line that ends in `// error: TEXT` must be where an error with that text points, and there are no other errors. A line
//! `// flags: FLAGS` adds flags.

use adjoin_harness::process::{End, job};
use adjoin_harness::workspace;

#[test]
fn refusals() {
    let directory = workspace::root().join("tests/refusals");
    let mut wrong = Vec::new();
    for file in workspace::files_below(&directory, &["c"]) {
        let text = std::fs::read_to_string(&file).expect("reads");
        let name = file.file_name().map(|n| n.to_string_lossy().into_owned());
        let name = name.unwrap_or_default();
        let expected: Vec<(usize, &str)> = text
            .lines()
            .enumerate()
            .filter_map(|(k, line)| Some((k + 1, line.split_once("// error: ")?.1.trim())))
            .collect();
        assert!(!expected.is_empty(), "{name} expects nothing");
        let target = tempfile::tempdir().expect("a temporary directory");
        let binary = target.path().join("a.out");
        let flags = text.lines().find_map(|l| l.strip_prefix("// flags: "));
        let run = job(workspace::adjoin())
            .words("cc -w")
            .words(flags.unwrap_or(""))
            .arg("-o")
            .arg(&binary)
            .arg(&name)
            .arg("-lm")
            .directory(&directory)
            .run()
            .expect("starts");
        assert_eq!(run.end, End::Exit(1), "{name}\n{run}");
        assert!(!binary.exists(), "{name} was built\n{run}");
        // The source is shown, too, with the expectations in it.
        let shown = format!("\n{}", run.stderr());
        // An error is its message, then `--> file:line:column`.
        let errors: Vec<(usize, String)> = shown
            .split("\nerror: ")
            .skip(1)
            .filter_map(|error| {
                let place = error.split("--> ").nth(1)?;
                let line = place.split(':').nth(1)?.parse().ok()?;
                let message = error.split("-->").next()?;
                Some((
                    line,
                    message.split_whitespace().collect::<Vec<_>>().join(" "),
                ))
            })
            .collect();
        for (line, wanted) in &expected {
            if !errors.iter().any(|(l, m)| l == line && m.contains(wanted)) {
                wrong.push(format!("{name}:{line}: expected: {wanted}"));
            }
        }
        for (line, message) in &errors {
            if !expected
                .iter()
                .any(|(l, m)| l == line && message.contains(m))
            {
                wrong.push(format!("{name}:{line}: not expected: {message}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
