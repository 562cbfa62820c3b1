//! `adjoin-test`: the tests and measurements that take arguments. `cargo test` runs the fixed ones.

use adjoin_harness::program::{Program, expect_same};
use adjoin_harness::share::Share;
use adjoin_harness::{
    bench, compile_speed, csmith, fuzz, gradients, large, parallel, random, workspace,
};
use clap::{Parser, Subcommand};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Tests and measurements of Adjoin
#[derive(Parser)]
#[command(name = "adjoin-test")]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Compile every test program both ways and compare
    Programs {
        #[command(flatten)]
        matrix: Matrix,
    },
    /// The same, with address and undefined-behaviour sanitizers on the emitted programs
    Sanitize {
        #[command(flatten)]
        matrix: Matrix,
    },
    /// Compare random programs
    Csmith {
        /// How many
        #[arg(short, default_value_t = 20)]
        n: u64,
        /// First seed
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// C compiler
        #[arg(long, default_value = "gcc")]
        cc: String,
        /// Its flags
        #[arg(long, default_value = "-O1", allow_hyphen_values = true)]
        flags: String,
    },
    /// Feed mutated programs and mutated IR to every stage
    Fuzz {
        /// How many mutants of each kind
        #[arg(short, default_value_t = 10_000)]
        n: u64,
        /// Seed of the mutations
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// At most so many seconds for each kind
        #[arg(long, default_value_t = 600)]
        seconds: u64,
    },
    /// Time the kernels in bench/ both ways
    Bench {
        /// Compilers
        #[arg(long, value_delimiter = ',', default_value = "gcc,clang")]
        cc: Vec<String>,
        /// Their flags
        #[arg(long, default_value = "-O3 -march=native", allow_hyphen_values = true)]
        flags: String,
        /// How often each program runs
        #[arg(long, default_value_t = 5)]
        rounds: usize,
        /// Only kernels whose name contains this
        filter: Option<String>,
    },
    /// Time the gradients in bench/ad against their primals, check them, and double their sizes
    Gradients {
        /// Compilers
        #[arg(long, value_delimiter = ',', default_value = "gcc,clang")]
        cc: Vec<String>,
        /// Their flags
        #[arg(long, default_value = "-O3 -march=native", allow_hyphen_values = true)]
        flags: String,
        /// How often each program runs
        #[arg(long, default_value_t = 3)]
        rounds: usize,
        /// How often the size is doubled, to see how time and memory grow
        #[arg(long, default_value_t = 2)]
        doublings: u32,
        /// Divide the sizes by this
        #[arg(long, default_value_t = 1)]
        smaller: u64,
        /// Measure with -ffast-math as well
        #[arg(long)]
        fast_math: bool,
        /// Ask the other tools of bench/peers as well, where they are installed
        #[arg(long)]
        peers: bool,
        /// The Python that has them
        #[arg(long, default_value = "python3")]
        python: std::path::PathBuf,
        /// Write all numbers here
        #[arg(long)]
        csv: Option<std::path::PathBuf>,
        /// Write the plot here
        #[arg(long)]
        svg: Option<std::path::PathBuf>,
        /// Replace the measured tables in this document
        #[arg(long)]
        document: Option<std::path::PathBuf>,
        /// Only benchmarks whose name contains one of these
        filters: Vec<String>,
    },
    /// Time the gradients of the OpenMP kernels in bench/openmp at several thread counts, beside their serial form
    Parallel {
        /// C compiler
        #[arg(long, default_value = "gcc")]
        cc: String,
        /// Its flags
        #[arg(long, default_value = "-O3 -march=native", allow_hyphen_values = true)]
        flags: String,
        /// Thread counts; 1, 2, 4, … up to all cores if none is given
        #[arg(long, value_delimiter = ',')]
        threads: Vec<usize>,
        /// How often each program runs
        #[arg(long, default_value_t = 3)]
        rounds: usize,
        /// Divide the sizes by this
        #[arg(long, default_value_t = 1)]
        smaller: u64,
        /// Write the table here as well
        #[arg(long)]
        csv: Option<std::path::PathBuf>,
        /// Only kernels whose name contains this
        filter: Option<String>,
    },
    /// Time Adjoin on a generated C file
    CompileSpeed {
        /// Lines
        #[arg(long, default_value_t = 10_000)]
        lines: usize,
        /// How often
        #[arg(long, default_value_t = 5)]
        rounds: usize,
        /// Differentiate a function that calls all others, and time the passes
        #[arg(long)]
        derivative: bool,
        /// Differentiate files with something large in them: these, or `all`, at sizes that double up to the number of lines
        #[arg(long, value_delimiter = ',')]
        shapes: Vec<String>,
    },
    /// Differentiate random programs in both modes, and with the interpreter's dual numbers
    Derivatives {
        /// How many
        #[arg(short, default_value_t = 300)]
        n: u64,
        /// First seed
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// C compiler
        #[arg(long, default_value = "gcc")]
        cc: String,
        /// Its flags
        #[arg(long, default_value = "-O1 -w", allow_hyphen_values = true)]
        flags: String,
        /// At most so many seconds
        #[arg(long, default_value_t = 3600)]
        seconds: u64,
        /// With OpenMP constructs, run with teams of 1 to 8 threads, often
        #[arg(long)]
        openmp: bool,
        /// `random`: with a random choice of passes switched off for each program
        #[arg(long, value_parser = ["all", "random"], default_value = "all")]
        passes: String,
        /// Numerical kernels, run with several sizes
        #[arg(long)]
        kernels: bool,
        /// Print the program of the first seed instead
        #[arg(long)]
        print: bool,
    },
    /// Print a generated C file
    Generate {
        /// Lines
        lines: usize,
        /// Seed
        #[arg(default_value_t = 1)]
        seed: u64,
        /// With something large in it, and a gradient
        #[arg(long)]
        shape: Option<String>,
    },
}

#[derive(clap::Args)]
struct Matrix {
    /// Compilers
    #[arg(long, value_delimiter = ',', default_value = "gcc,clang")]
    cc: Vec<String>,
    /// Optimisation levels
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "-O0,-O2",
        allow_hyphen_values = true
    )]
    levels: Vec<String>,
    /// Only programs whose name contains this
    filter: Option<String>,
}

fn main() -> ExitCode {
    let command = CommandLine::parse().command;
    workspace::enter_root();
    let result = match command {
        Command::Programs { matrix } => programs(&matrix, &[]),
        Command::Sanitize { matrix } => programs(
            &matrix,
            &[
                "-g",
                "-fsanitize=address,undefined",
                "-fno-sanitize-recover=all",
            ],
        ),
        Command::Csmith { n, seed, cc, flags } => {
            let flags = flags.split_whitespace().map(str::to_owned).collect();
            csmith::run(&csmith::Options {
                count: n,
                seed,
                compiler: cc,
                flags,
            })
        }
        Command::Derivatives {
            seed,
            openmp,
            kernels,
            print: true,
            ..
        } => {
            let text = match kernels {
                true => random::kernels::program(seed, openmp).text,
                false => random::text::program(seed, openmp),
            };
            print!("{text}");
            Ok(true)
        }
        Command::Derivatives {
            n,
            seed,
            cc,
            flags,
            seconds,
            openmp,
            passes,
            kernels,
            ..
        } => random::run(&random::Options {
            count: n,
            seed,
            compiler: cc,
            flags: flags.split_whitespace().map(str::to_owned).collect(),
            seconds,
            openmp,
            passes: passes == "random",
            kernels,
        }),
        Command::Fuzz { n, seed, seconds } => fuzz::run(&fuzz::Options {
            count: n,
            seed,
            seconds,
        }),
        Command::Bench {
            cc,
            flags,
            rounds,
            filter,
        } => {
            let flags = flags.split_whitespace().map(str::to_owned).collect();
            bench::run(&bench::Options {
                compilers: cc,
                flags,
                rounds,
                filter,
            })
        }
        Command::Gradients {
            cc,
            flags,
            rounds,
            doublings,
            smaller,
            fast_math,
            peers,
            python,
            csv,
            svg,
            document,
            filters,
        } => gradients::run(&gradients::Options {
            compilers: cc,
            flags: flags.split_whitespace().map(str::to_owned).collect(),
            fast_math,
            rounds,
            doublings,
            smaller: smaller.max(1),
            peers,
            python,
            csv,
            svg,
            document,
            filters,
        }),
        Command::Parallel {
            cc,
            flags,
            threads,
            rounds,
            smaller,
            csv,
            filter,
        } => parallel::run(&parallel::Options {
            compiler: cc,
            flags: flags.split_whitespace().map(str::to_owned).collect(),
            threads,
            rounds,
            smaller: smaller.max(1),
            csv,
            filter,
        }),
        Command::CompileSpeed {
            lines,
            rounds,
            shapes,
            ..
        } if !shapes.is_empty() => compile_speed::shapes(&shapes, lines, rounds),
        Command::CompileSpeed {
            lines,
            rounds,
            derivative: true,
            ..
        } => compile_speed::derivative(lines, rounds).map(|()| true),
        Command::CompileSpeed { lines, rounds, .. } => {
            compile_speed::run(lines, rounds).map(|()| true)
        }
        Command::Generate { lines, seed, shape } => match shape {
            Some(name) => large::shape(&name)
                .ok_or_else(|| format!("no shape is called {name}"))
                .map(|shape| {
                    print!("{}", shape.program(lines));
                    true
                }),
            None => {
                print!("{}", adjoin_harness::generate::program(lines, seed));
                Ok(true)
            }
        },
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("adjoin-test: {message}");
            ExitCode::FAILURE
        }
    }
}

/// Every program, compiler and level; `extra` flags apply to the emitted program only.
fn programs(matrix: &Matrix, extra: &[&str]) -> Result<bool, String> {
    let programs: Vec<Program> = Program::all()?
        .into_iter()
        .filter(Program::is_possible)
        .collect();
    let mut work = Vec::new();
    for program in programs.iter().filter(|p| {
        matrix
            .filter
            .as_ref()
            .is_none_or(|filter| p.name.contains(filter))
    }) {
        for compiler in matrix.cc.iter().filter(|compiler| program.wants(compiler)) {
            work.extend(matrix.levels.iter().map(|level| (program, compiler, level)));
        }
    }
    let directory = tempfile::tempdir().map_err(|error| error.to_string())?;
    let next = AtomicUsize::new(0);
    let failures = AtomicUsize::new(0);
    let share = Mutex::new(Share::default());
    let worker = || {
        while let Some((index, (program, compiler, level))) =
            Some(next.fetch_add(1, Ordering::Relaxed))
                .and_then(|index| Some((index, *work.get(index)?)))
        {
            let original = directory.path().join(format!("{index}.original"));
            let emitted = directory.path().join(format!("{index}.emitted"));
            let result = (|| {
                program.compile(compiler, &["-w", level], &original)?;
                let mut flags = vec!["-w", level];
                flags.extend_from_slice(extra);
                let (_, report) = program.compile_through_ir(compiler, &flags, &emitted)?;
                if let Ok(mut share) = share.lock() {
                    share.add(&report);
                }
                let reference = program.run(&original)?;
                let result = expect_same(&reference, &program.run(&emitted)?);
                if result.is_ok() || extra.is_empty() {
                    return result;
                }
                // What the sanitizers find in the original as well (libgomp leaks) is not the emitter's doing.
                program.compile(compiler, &flags, &original)?;
                let found_there = expect_same(&reference, &program.run(&original)?).is_err();
                if found_there { Ok(()) } else { result }
            })();
            if let Err(message) = result {
                failures.fetch_add(1, Ordering::Relaxed);
                println!("FAILED {} ({compiler} {level}): {message}", program.name);
            }
            let _ = std::fs::remove_file(original);
            let _ = std::fs::remove_file(emitted);
        }
    };
    std::thread::scope(|scope| {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        (0..cores).for_each(|_| drop(scope.spawn(worker)));
    });
    if let Ok(share) = share.into_inner() {
        print!("{share}");
    }
    let failures = failures.into_inner();
    println!("{} combinations, {failures} failed", work.len());
    Ok(failures == 0)
}
