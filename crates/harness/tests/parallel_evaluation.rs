//! Derivatives at many points: batches on threads and across ranks give what single calls give, and `adjoin scale` measures them.

use adjoin_harness::process::{End, Job, Run, job};
use adjoin_harness::workspace;
use std::path::Path;

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(String::from).collect()
}

fn run(job: Job) -> Run {
    job.limit(120).run().expect("the program starts")
}

fn adjoin(directory: &Path, command: &str) -> Run {
    run(job(workspace::adjoin())
        .args(words(command))
        .directory(directory)
        .env("RUST_BACKTRACE", "0"))
}

fn mpirun(ranks: u32, directory: &Path) -> Job {
    job("mpirun")
        .words("--allow-run-as-root --oversubscribe --bind-to none -n")
        .arg(ranks.to_string())
        .directory(directory)
}

/// A directory with the programs of `tests/parallel_evaluation` and the derivatives that they call.
fn project(commands: &[&str]) -> tempfile::TempDir {
    let directory = tempfile::tempdir().expect("a temporary directory");
    for file in workspace::files_below(
        &workspace::root().join("tests/parallel_evaluation"),
        &["c", "h"],
    ) {
        let name = file.file_name().expect("a file has a name");
        std::fs::copy(&file, directory.path().join(name)).expect("the directory can be written");
    }
    for command in commands {
        let run = adjoin(directory.path(), command);
        assert!(run.success(), "{run}");
    }
    directory
}

/// Batches on 1 to 8 threads against single calls, with sanitizers and without OpenMP; sums have the same bits on all of them.
#[test]
fn batches_on_threads() {
    let directory = project(&[
        "grad model.c -f price --batch",
        "jvp model.c -f price --batch",
        "grad model.c -f chain --batch --size x=n",
        "hvp model.c -f chain --batch --size x=n",
        "grad model.c -f loss --batch --shared w,bias --each label --wrt w,bias --size w=n --size x=n",
        "vjp model.c -f rotate --batch",
        "jvp model.c -f rotate --batch",
        "vjp model.c -f step --batch --size u=n",
        "jvp model.c -f step --batch --size u=n",
        "grad model.c -f norm --batch",
    ]);
    let at = directory.path();
    let sources = workspace::files_below(at, &["c"]);
    let sources = sources
        .iter()
        .filter(|f| !f.ends_with("ranks.c") && !f.ends_with("matrices.c"));
    let mut bits = Vec::new();
    for (compiler, flags) in [
        ("gcc", "-O2"),
        ("gcc", "-O3 -fopenmp"),
        ("gcc", "-O3 -fopenmp -ffast-math"),
        ("clang", "-O3 -fopenmp"),
        (
            "gcc",
            "-O1 -g -fopenmp -fsanitize=address,undefined -fno-sanitize-recover",
        ),
        ("clang", "-O1 -g -fopenmp -fsanitize=thread"),
    ] {
        let build = run(job(compiler)
            .words("-Wall -Wextra -Werror")
            .words(flags)
            .args(sources.clone())
            .words("-o threads -lm")
            .directory(at));
        assert!(build.success(), "{build}");
        for threads in ["1", "2", "4", "8"] {
            let run = run(job(at.join("threads"))
                .env("OMP_NUM_THREADS", threads)
                .env("TSAN_OPTIONS", "ignore_noninstrumented_modules=1")
                .directory(at));
            assert!(
                run.success(),
                "{compiler} {flags}, {threads} threads:\n{run}"
            );
            if !flags.contains("fast-math") {
                bits.push(run.stdout());
            }
        }
    }
    bits.dedup();
    assert_eq!(bits.len(), 1, "sums depend on the number of threads");
}

/// Batches across 1 to 4 ranks; ranks that disagree are told so, and nobody waits for ever.
#[test]
fn batches_across_ranks() {
    let directory = project(&[
        "grad model.c -f chain --mpi --size x=n",
        "grad model.c -f loss --mpi --shared w,bias --each label --wrt w,bias --size w=n --size x=n",
        "vjp model.c -f step --mpi --size u=n",
    ]);
    let at = directory.path();
    let build = run(job("mpicc")
        .words("-Wall -Wextra -Werror -O2 -fopenmp ranks.c model.c chain_grad.c loss_grad.c step_vjp.c -o ranks -lm")
        .directory(at));
    assert!(build.success(), "{build}");
    for ranks in 1..=4 {
        let run = run(mpirun(ranks, at).arg("./ranks").env("OMP_NUM_THREADS", "2"));
        assert!(run.success(), "{ranks} ranks:\n{run}");
    }
    let run = run(mpirun(3, at).words("./ranks disagree"));
    assert!(!run.success() && run.end != End::Timeout, "{run}");
    assert!(run.stderr().contains("the ranks do not agree"), "{run}");
}

/// `--driver`: the program that it writes finds no difference to single calls.
#[test]
fn drivers_run() {
    for (command, sources) in [
        (
            "grad model.c -f loss --mpi --shared w --size w=n --size x=n",
            "loss_grad.c",
        ),
        ("vjp model.c -f rotate --batch", "rotate_vjp.c"),
        ("jvp model.c -f step --mpi --size u=n", "step_jvp.c"),
        ("vjp model.c -f rotate --mpi --shared shift", "rotate_vjp.c"),
        (
            "grad model.c -f gears --mpi --shared parts,whole --size parts=n",
            "gears_grad.c",
        ),
    ] {
        let directory = project(&[&format!("{command} --driver main.c")]);
        let at = directory.path();
        let build = run(job("mpicc")
            .words("-Wall -Wextra -Werror -O2 -fopenmp main.c model.c -o main -lm")
            .arg(sources)
            .directory(at));
        assert!(build.success(), "{build}");
        let run = run(mpirun(2, at)
            .words("./main 100")
            .env("OMP_NUM_THREADS", "2"));
        assert!(run.success(), "{command}:\n{run}");
        assert!(run.stdout().contains("worst difference"), "{run}");
    }
}

/// Matrices on several threads are those of one.
#[test]
fn matrices_on_threads() {
    let commands: Vec<String> = ["", "--parallel"]
        .iter()
        .flat_map(|parallel| {
            let suffix = if parallel.is_empty() { "one" } else { "many" };
            [
                format!("jacobian matrices.c -DADJOIN -f residuals --size x=n --size r=n --mode forward --name columns_{suffix} -o columns_{suffix}.c {parallel}"),
                format!("jacobian matrices.c -DADJOIN -f residuals --size x=n --size r=n --mode reverse --name rows_{suffix} -o rows_{suffix}.c {parallel}"),
                format!("jacobian matrices.c -DADJOIN -f residuals --size x=n --size r=2*n --name either_{suffix} -o either_{suffix}.c {parallel}"),
                format!("jacobian matrices.c -DADJOIN -f relax --wrt u,dt --of u --size u=n --name relax_{suffix} -o relax_{suffix}.c {parallel}"),
                format!("hessian matrices.c -DADJOIN -f energy --size x=n --name hessian_{suffix} -o hessian_{suffix}.c {parallel}"),
            ]
        })
        .collect();
    let commands: Vec<&str> = commands.iter().map(|c| &**c).collect();
    let directory = project(&commands);
    let at = directory.path();
    let sources: Vec<_> = workspace::files_below(at, &["c"])
        .into_iter()
        .filter(|f| {
            !["ranks.c", "threads.c", "model.c"]
                .iter()
                .any(|n| f.ends_with(n))
        })
        .collect();
    for (compiler, flags) in [
        ("gcc", "-O2"),
        ("gcc", "-O2 -fopenmp"),
        (
            "gcc",
            "-O1 -g -fopenmp -fsanitize=address,undefined -fno-sanitize-recover",
        ),
        ("clang", "-O1 -g -fopenmp -fsanitize=thread"),
    ] {
        let build = run(job(compiler)
            .words("-Wall -Wextra -Werror")
            .words(flags)
            .args(&sources)
            .words("-o matrices -lm")
            .directory(at));
        assert!(build.success(), "{build}");
        for threads in ["1", "4"] {
            let run = run(job(at.join("matrices"))
                .env("OMP_NUM_THREADS", threads)
                .env("TSAN_OPTIONS", "ignore_noninstrumented_modules=1"));
            assert!(
                run.success(),
                "{compiler} {flags}, {threads} threads:\n{run}"
            );
        }
    }
}

/// `adjoin scale`: a table, a CSV file and a plot, over threads and ranks; the same results for any number of workers.
#[test]
fn scaling_is_measured() {
    let directory = project(&[]);
    let at = directory.path();
    let run = adjoin(
        at,
        "scale model.c -f price -f step -n 2000 --threads 1,2 --ranks 1,3 --repetitions 1 -o out",
    );
    assert!(run.success(), "{run}");
    for function in ["price", "step"] {
        let csv = std::fs::read_to_string(at.join(format!("out/{function}_scale.csv")))
            .expect("a CSV file");
        // Two numbers of workers, of threads and ranks, strong and weak, in three modes and the machine; and the head.
        assert_eq!(csv.lines().count(), 2 * 2 * 2 * 4 + 1, "{csv}");
        assert!(!run.stdout().contains("other results"), "{run}");
        let svg =
            std::fs::read_to_string(at.join(format!("out/{function}_scale.svg"))).expect("a plot");
        assert!(
            svg.starts_with("<svg") && svg.ends_with("</svg>\n"),
            "{svg}"
        );
        assert_eq!(svg.matches("scaling over").count(), 4, "{svg}");
    }
    let typical = adjoin(
        at,
        "scale model.c -f step -n 2001 --threads 1,2,3 --ranks 1,3 --mode reverse --typical",
    );
    assert!(typical.success(), "{typical}");
    assert!(!typical.stdout().contains("other results"), "{typical}");
    let csv = at.join("out/price_scale.csv");
    std::fs::remove_file(at.join("out/price_scale.svg")).expect("it was just read");
    let again = adjoin(at, &format!("scale --plot {}", csv.display()));
    assert!(
        again.success() && at.join("out/price_scale.svg").is_file(),
        "{again}"
    );
}

/// What stands in the way is said: a limit on threads, variables that calls share, a missing `mpirun`, a function that aborts.
#[test]
fn scaling_that_cannot_be_measured() {
    let directory = project(&[]);
    let at = directory.path();
    std::fs::write(
        at.join("bad.c"),
        "#include <stdlib.h>\nstatic double last;\n\
         double stateful(double x) { last = last + x; return x * last; }\n\
         double aborts(double x) { if (x > 0) abort(); return x * x; }\n\
         double nowhere(double x) { return x / (x - x); }\n",
    )
    .expect("the directory can be written");
    let limited = run(job(workspace::adjoin())
        .args(words(
            "scale model.c -f price -n 100 --threads 1,2 --mode reverse --scaling strong",
        ))
        .directory(at)
        .env("OMP_THREAD_LIMIT", "1"));
    assert!(limited.end == End::Exit(1), "{limited}");
    assert!(
        limited.stderr().contains("is OMP_THREAD_LIMIT set"),
        "{limited}"
    );
    // The row before it is there.
    let csv = std::fs::read_to_string(at.join("price_scale.csv")).expect("a CSV file");
    assert_eq!(csv.lines().count(), 2, "{csv}");
    for (command, message) in [
        (
            "scale bad.c -f stateful -n 10 --threads 2",
            "it may write the variable `last`",
        ),
        (
            "scale bad.c -f aborts -n 10 --threads 1",
            "died of signal 6",
        ),
        (
            "scale model.c -f price -n 10 --ranks 2 --mpirun no-such-starter",
            "is MPI installed",
        ),
        (
            "scale model.c -f price -n 10 --ranks 2 --mpicc no-such-compiler",
            "cannot find the C compiler",
        ),
        (
            "scale model.c -f price -n 10 --set k=3",
            "has no parameter `k`",
        ),
        ("scale --plot model.c", "not a measurement"),
    ] {
        let run = adjoin(at, command);
        assert!(run.end == End::Exit(1), "{run}");
        assert!(run.stderr().contains(message), "no `{message}` in\n{run}");
    }
    let finite = adjoin(
        at,
        "scale bad.c -f nowhere -n 10 --threads 1 --mode primal --scaling strong",
    );
    assert!(finite.stderr().contains("not finite"), "{finite}");
}

/// `--emit-only`: what it writes runs without Adjoin.
#[test]
fn measuring_programs_stand_alone() {
    let directory = project(&[]);
    let at = directory.path();
    let emitted = adjoin(
        at,
        "scale model.c -f chain --size x=n --set n=20 -n 100 --emit-only measure",
    );
    assert!(emitted.success(), "{emitted}");
    for compiler in ["gcc", "clang"] {
        let build = run(job(compiler)
            .words("-std=c11 -Wall -Wextra -pedantic -Werror -fopenmp -c main.c functions.c")
            .directory(at.join("measure")));
        assert!(build.success(), "{build}");
    }
    let made = run(job("make")
        .words("-s run")
        .env("THREADS", "1 2")
        .env("RANKS", "1 2")
        .env("MODES", "reverse")
        .env("MPIRUN", "mpirun --oversubscribe")
        .directory(at.join("measure")));
    assert!(made.success(), "{made}");
    let plot = adjoin(at, "scale --plot measure/scale.csv");
    assert!(
        plot.success() && plot.stdout().lines().count() == 9,
        "{plot}"
    );
}

/// An interrupt leaves the rows that are finished, complete files, and no program running; that of a terminal goes to the program that measures as well.
#[test]
fn an_interrupt_leaves_finished_rows() {
    for (group, to) in [("", ""), ("setsid", "-")] {
        let directory = project(&[]);
        let at = directory.path();
        let run = run(job("sh")
            .arg("-c")
            .arg(format!(
                "{group} {} scale model.c -f price -n 20000000000 --threads 1 --mode primal,reverse --scaling strong --repetitions 1 & id=$!; sleep 4; kill -INT {to}$id; wait $id",
                workspace::adjoin().display()
            ))
            .directory(at));
        assert!(run.end == End::Exit(130), "{run}");
        assert!(run.stderr().contains("interrupted"), "{run}");
        assert!(!run.stderr().contains("error"), "{run}");
        let left = workspace::files_below(at, &["new"]);
        assert!(left.is_empty(), "{left:?}");
    }
}
