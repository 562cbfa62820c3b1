//! The options of `adjoin scale`, as clap sees them.

use crate::derivative::options::TargetOptions;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// What is kept the same when there are more workers.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scaling {
    /// The number of calls in total
    Strong,
    /// The number of calls of each worker
    Weak,
}

/// What is called.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// The function itself, to compare with
    Primal,
    /// Its derivative in forward mode
    Forward,
    /// Its derivative in reverse mode
    Reverse,
    /// Arithmetic in registers, which shares nothing: what the machine can do
    Machine,
}

/// Options of `scale`.
#[derive(Args, Debug)]
pub struct ScaleOptions {
    #[command(flatten)]
    #[allow(missing_docs)]
    pub target: TargetOptions,
    /// How many calls: in total (strong scaling), of each worker (weak scaling)
    #[arg(short = 'n', long = "calls", value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000_000))]
    pub calls: u64,
    /// Numbers of threads [default: 1, 2, 4, … up to the number of cores, unless --ranks is given]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub threads: Vec<u32>,
    /// Numbers of MPI ranks
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub ranks: Vec<u32>,
    /// What is measured [default: strong,weak]
    #[arg(long, value_enum, value_name = "LIST", value_delimiter = ',')]
    pub scaling: Vec<Scaling>,
    /// What is called [default: machine,primal,forward,reverse]
    #[arg(long, value_enum, value_name = "LIST", value_delimiter = ',')]
    pub mode: Vec<Mode>,
    /// Measure at least this often and take the fastest; short runs are repeated more often
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub repetitions: u32,
    /// For machines that others use too: take the median of the repetitions, and let the workers be on other cores in each of them
    #[arg(long)]
    pub typical: bool,
    /// The value of an integer parameter [default: 4]
    #[arg(long, value_name = "PARAM=VALUE")]
    pub set: Vec<String>,
    /// Where the random numbers of a parameter lie [default: 0.5:1.5]
    #[arg(long, value_name = "PARAM=LO:HI")]
    pub range: Vec<String>,
    /// Where FUNCTION_scale.csv and FUNCTION_scale.svg are written [default: here]
    #[arg(short = 'o', long = "output", value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Write the program that measures, with a Makefile and a script, and do not run it
    #[arg(long, value_name = "DIR")]
    pub emit_only: Option<PathBuf>,
    /// Print the table of a CSV file, and write its plot beside it
    #[arg(long, value_name = "CSV", exclusive = true)]
    pub plot: Option<PathBuf>,
    /// The compiler for MPI
    #[arg(long, value_name = "PROGRAM", default_value = "mpicc")]
    pub mpicc: String,
    /// The command that starts ranks, in front of `-n RANKS`
    #[arg(long, value_name = "COMMAND", default_value = "mpirun")]
    pub mpirun: String,
}
