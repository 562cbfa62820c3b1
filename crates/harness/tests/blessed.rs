//! Files with an expected output beside them. The first line of `tests/{ir,emit,diagnostics}/NAME.{c,ir}` says what to run
//! (`// run: ir %s -f f --after lower`, in the comments of its language); the output is compared with `NAME.EXT.expected`.
//! `BLESS=1 cargo test --test blessed` rewrites the expected files; read the difference before you commit it.

use adjoin_harness::process::{End, job};
use adjoin_harness::{text_form, workspace};
use libtest_mimic::{Arguments, Failed, Trial};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let tests = workspace::root().join("tests");
    let files = ["ir", "emit", "diagnostics"]
        .into_iter()
        .flat_map(|topic| workspace::files_below(&tests.join(topic), &["c", "ir"]));
    let trials = files
        .map(|path| {
            let name = path
                .strip_prefix(&tests)
                .unwrap_or(&path)
                .to_string_lossy()
                .into_owned();
            Trial::test(name, move || check(&path).map_err(Failed::from))
        })
        .collect();
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn check(path: &Path) -> Result<(), String> {
    let source = std::fs::read(path).map_err(|error| error.to_string())?;
    let source = String::from_utf8_lossy(&source);
    let first = source.lines().next().unwrap_or("");
    let command = first
        .split_once("run:")
        .map(|(_, command)| command.trim().trim_end_matches("*/"))
        .ok_or("the first line does not say `run: COMMAND`")?;
    let directory = path.parent().unwrap_or(Path::new("."));
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    // Relative to the file's directory, so that no path of this machine gets into the output.
    let run = job(workspace::adjoin())
        .words(&command.replace("%s", &file))
        .directory(directory)
        .limit(20)
        .run()?;
    let mut actual = run.stdout();
    if !run.stderr.is_empty() {
        actual.push_str(&format!("---- standard error ----\n{}", run.stderr()));
    }
    if run.end != End::Exit(0) {
        actual.push_str(&format!("---- {} ----\n", run.end));
    }
    let expected_file = PathBuf::from(format!("{}.expected", path.display()));
    if std::env::var_os("BLESS").is_some_and(|value| value != "0") {
        return std::fs::write(&expected_file, actual).map_err(|error| error.to_string());
    }
    let expected = std::fs::read_to_string(&expected_file).unwrap_or_default();
    match text_form::first_difference(&expected, &actual) {
        None => Ok(()),
        Some(difference) => Err(format!(
            "{difference}\n{}\nBLESS=1 accepts the new output:\n{actual}",
            run.command
        )),
    }
}
