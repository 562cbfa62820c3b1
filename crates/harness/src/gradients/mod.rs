//! What a gradient costs: the benchmarks in `bench/ad` (and two of `bench/openmp` on two threads), as ratios of gradient to primal in one process, each
//! checked against differences, with how time and memory grow as the sizes double; beside them what other tools need for the same functions
//! (`peers`). Printed as a table, and written as CSV, SVG and the table of `docs/performance.md`.

mod measure;
mod peers;
mod plot;
mod rows;

pub(crate) use measure::{Measured, compile, headline, measure, size_of};

use crate::workspace;
use measure::collection_of;
use rows::{Row, Table, Variant};
use std::path::{Path, PathBuf};

/// What to do.
#[derive(Clone, Debug)]
pub struct Options {
    /// Compilers.
    pub compilers: Vec<String>,
    /// Flags.
    pub flags: Vec<String>,
    /// Once more with `-ffast-math`.
    pub fast_math: bool,
    /// How often each program runs.
    pub rounds: usize,
    /// How often the size is doubled.
    pub doublings: u32,
    /// Divides the sizes.
    pub smaller: u64,
    /// Other tools are asked as well.
    pub peers: bool,
    /// The Python that knows them.
    pub python: PathBuf,
    /// Where the table goes as CSV.
    pub csv: Option<PathBuf>,
    /// Where the plot goes.
    pub svg: Option<PathBuf>,
    /// A document in which the table is replaced.
    pub document: Option<PathBuf>,
    /// Only benchmarks whose name contains one of these.
    pub filters: Vec<String>,
}

/// The OpenMP kernels that belong to the benchmark, and their threads.
const PARALLEL: [&str; 2] = ["black_scholes", "nbody"];
const THREADS: usize = 2;

/// Prints the table; true if every gradient was made, and is right.
pub fn run(options: &Options) -> Result<bool, String> {
    let directory = tempfile::tempdir().map_err(|error| error.to_string())?;
    let variants = variants(options);
    let mut table = Table::default();
    println!("{}", rows::HEAD);
    for program in programs(options)? {
        for variant in &variants {
            let row = measured(&program, variant, options, directory.path());
            println!("{row}");
            table.rows.push(row);
            // An interrupt leaves what is measured.
            write(&options.csv, &|| Ok(table.csv()))?;
        }
    }
    if options.peers {
        table.peers = peers::run(options, &table, directory.path())?;
    }
    print!("{}", table.means());
    write(&options.csv, &|| Ok(table.csv()))?;
    write(&options.svg, &|| Ok(plot::svg(&table)))?;
    write(&options.document, &|| {
        let path = options.document.clone().unwrap_or_default();
        let old = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        table.in_document(&old)
    })?;
    // That another tool is wrong is in the table; it is not our failure.
    Ok(table.rows.iter().all(Row::right))
}

/// Writes a file, if it is wanted.
fn write(path: &Option<PathBuf>, text: &dyn Fn() -> Result<String, String>) -> Result<(), String> {
    match path {
        Some(path) => std::fs::write(path, text()?).map_err(|e| format!("{}: {e}", path.display())),
        None => Ok(()),
    }
}

/// A benchmark.
#[derive(Clone, Debug)]
struct Benchmark {
    file: PathBuf,
    name: String,
    collection: String,
    size: u64,
    threads: Option<usize>,
}

/// Every compiler, with and without `-ffast-math`.
fn variants(options: &Options) -> Vec<Variant> {
    let mut list = Vec::new();
    for fast_math in [false, true] {
        if fast_math && !options.fast_math {
            continue;
        }
        list.extend(options.compilers.iter().map(|compiler| Variant {
            compiler: compiler.clone(),
            fast_math,
        }));
    }
    list
}

/// The four problems of ADBench first, then the kernels, then those with OpenMP.
fn programs(options: &Options) -> Result<Vec<Benchmark>, String> {
    let root = workspace::root();
    let mut list = Vec::new();
    for (folder, threads) in [("bench/ad", None), ("bench/openmp", Some(THREADS))] {
        for file in workspace::files_below(&root.join(folder), &["c"]) {
            let stem = file.file_stem().unwrap_or_default().to_string_lossy();
            if threads.is_some() && !PARALLEL.contains(&&*stem) {
                continue;
            }
            let (name, collection) = match threads {
                Some(count) => (
                    format!("{stem}_omp{count}"),
                    format!("OpenMP, {count} threads"),
                ),
                None => (stem.into_owned(), collection_of(&file)?),
            };
            if !options.filters.is_empty() && !options.filters.iter().any(|f| name.contains(f)) {
                continue;
            }
            list.push(Benchmark {
                size: (size_of(&file)? / options.smaller).max(2),
                file,
                name,
                collection,
                threads,
            });
        }
    }
    let place = |b: &Benchmark| (b.threads, b.collection != "ADBench");
    list.sort_by_key(place);
    Ok(list)
}

/// At the size and its doubles.
fn measured(program: &Benchmark, variant: &Variant, options: &Options, directory: &Path) -> Row {
    let binary = directory.join("gradient");
    let mut flags = options.flags.clone();
    flags.push("-w".into());
    if variant.fast_math {
        flags.push("-ffast-math".into());
    }
    let mut environment = Vec::new();
    let threads = program.threads.map(|count| count.to_string());
    if let Some(threads) = &threads {
        flags.push("-fopenmp".into());
        flags.extend(openmp_library(&variant.compiler));
        environment.extend([("OMP_NUM_THREADS", &**threads), ("OMP_PROC_BIND", "true")]);
    }
    let sizes = || {
        (0..=options.doublings)
            .map(|k| measure(&binary, program.size << k, options.rounds, &environment))
            .collect()
    };
    Row {
        name: program.name.clone(),
        collection: program.collection.clone(),
        variant: variant.clone(),
        size: program.size,
        result: compile(&program.file, &variant.compiler, &flags, &binary)
            .and_then(|()| sizes())
            .map_err(|message| headline(&message).to_owned()),
    }
}

/// Where clang's OpenMP library is, should it be that of another version: clang looks for its own only.
fn openmp_library(compiler: &str) -> Vec<String> {
    let versions = std::fs::read_dir("/usr/lib").into_iter().flatten();
    let mut folders: Vec<PathBuf> = versions
        .flatten()
        .filter(|entry| entry.file_name().to_string_lossy().starts_with("llvm-"))
        .map(|entry| entry.path().join("lib"))
        .filter(|folder| folder.join("libomp.so").exists())
        .collect();
    folders.sort();
    match folders.pop() {
        Some(folder) if compiler.contains("clang") => {
            let folder = folder.display();
            vec![format!("-L{folder}"), format!("-Wl,-rpath,{folder}")]
        }
        _ => Vec::new(),
    }
}
