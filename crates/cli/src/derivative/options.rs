//! The options of the commands that write derivatives, as clap sees them.

use super::Form;
use super::batch::Batch;
use crate::arguments::CompilerOptions;
use crate::failure::Failure;
use clap::{Args, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;

/// Which function, with respect to what: shared by all derivative commands.
#[derive(Args, Debug, Default)]
pub struct TargetOptions {
    /// C files (or preprocessed ones, .i); several are one program
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The function; repeat for several
    #[arg(short = 'f', long = "function", value_name = "NAME", required = true)]
    pub functions: Vec<String>,
    /// Parameters to differentiate with respect to [default: all that hold floating-point numbers]; repeat for several derivatives
    #[arg(long, value_name = "PARAMS")]
    pub wrt: Vec<String>,
    /// Outputs: parameters that are written, or `return` [default: the return value and all that is written]
    #[arg(long, value_name = "PARAMS", value_delimiter = ',')]
    pub of: Vec<String>,
    /// Parameters that hold nothing to differentiate (needed for `void *`)
    #[arg(long = "const", value_name = "PARAMS", value_delimiter = ',')]
    pub constant: Vec<String>,
    /// Number of elements behind a pointer, as a C expression of the parameters
    #[arg(long, value_name = "PARAM=EXPR")]
    pub size: Vec<String>,
    /// Reverse mode: the same derivative to the bit for any number of threads
    #[arg(long)]
    pub deterministic: bool,
    /// Reverse mode: checkpoint loops that would need more memory than this (with K, M or G: thousands, millions, billions)
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub memory_limit: Option<u64>,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub compiler: CompilerOptions,
    /// Further flags for the C compiler, after `--`
    #[arg(last = true, value_name = "FLAGS")]
    pub flags: Vec<OsString>,
}

/// Where the output goes.
#[derive(Args, Debug, Default)]
pub struct OutputOptions {
    /// The C file to write; the header goes beside it [default: NAME_grad.c and so on; `-` prints the C file]
    #[arg(short = 'o', value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// The name of the new function
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// Copy global variables into the output, so that it does not need the original file at all
    #[arg(long)]
    pub standalone: bool,
}

/// A derivative at many points.
#[derive(Args, Debug, Default)]
pub struct BatchOptions {
    /// Also write NAME_batch, which computes the derivative at many points on all threads
    #[arg(long)]
    pub batch: bool,
    /// With --batch: parameters that are the same for all points; their adjoints are summed [default: integers, and what holds no numbers]
    #[arg(long, value_name = "PARAMS", value_delimiter = ',')]
    pub shared: Vec<String>,
    /// With --batch: parameters that each point has its own of [default: what holds floating-point numbers]
    #[arg(long, value_name = "PARAMS", value_delimiter = ',')]
    pub each: Vec<String>,
    /// Also write NAME_batch_mpi, which spreads the points over the ranks of MPI
    #[arg(long)]
    pub mpi: bool,
    /// Also write a program that calls the batch function at made-up points, as a beginning
    #[arg(long, value_name = "FILE")]
    pub driver: Option<PathBuf>,
}

impl BatchOptions {
    /// What the user chose, if it is a batch at all.
    pub fn chosen(&self) -> Result<Option<Batch>, Failure> {
        if !self.batch && !self.mpi {
            if self.driver.is_some() {
                return Err(Failure::new("`--driver` needs --batch or --mpi"));
            }
            return match self.shared.first().or(self.each.first()) {
                Some(name) => Err(Failure::new(format!(
                    "`{name}` is said to be shared or not, but without --batch there is one point"
                ))),
                None => Ok(None),
            };
        }
        if let Some(name) = self.shared.iter().find(|name| self.each.contains(name)) {
            return Err(Failure::new(format!(
                "`{name}` is both in --shared and in --each"
            )));
        }
        Ok(Some(Batch {
            shared: self.shared.clone(),
            each: self.each.clone(),
            mpi: self.mpi,
            driver: self.driver.is_some(),
        }))
    }
}

/// Options of `grad`, `vjp` and `hvp`.
#[derive(Args, Debug, Default)]
pub struct ProductOptions {
    #[command(flatten)]
    #[allow(missing_docs)]
    pub common: DerivativeOptions,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub batch: BatchOptions,
    /// Also write NAME_workspace, which keeps what the reverse sweep needs in memory of the caller, and NAME_workspace_size
    #[arg(long)]
    pub workspace: bool,
}

impl ProductOptions {
    /// What the derivative looks like.
    pub fn form(&self) -> Form {
        Form {
            workspace: self.workspace,
            ..Form::default()
        }
    }
}

/// Options that all commands have that write derivatives.
#[derive(Args, Debug, Default)]
pub struct DerivativeOptions {
    #[command(flatten)]
    #[allow(missing_docs)]
    pub target: TargetOptions,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub output: OutputOptions,
}

/// Options of `jvp`.
#[derive(Args, Debug)]
pub struct JvpOptions {
    #[command(flatten)]
    #[allow(missing_docs)]
    pub common: DerivativeOptions,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub batch: BatchOptions,
    /// How many directions at once
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=64))]
    pub width: u32,
}

/// How a Jacobian is computed.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Column by column
    Forward,
    /// Row by row
    Reverse,
}

/// Options of `jacobian`.
#[derive(Args, Debug)]
pub struct JacobianOptions {
    #[command(flatten)]
    #[allow(missing_docs)]
    pub common: DerivativeOptions,
    /// Compute columns (forward) or rows (reverse) [default: whichever are fewer]
    #[arg(long, value_enum)]
    pub mode: Option<Mode>,
    /// Spread the columns or rows over the threads of OpenMP
    #[arg(long)]
    pub parallel: bool,
    /// Only entries that can be other than zero, in compressed rows: NAME_pattern finds them, NAME computes them
    #[arg(long, conflicts_with = "parallel")]
    pub sparse: bool,
}

/// Options of `hessian`.
#[derive(Args, Debug)]
pub struct HessianOptions {
    #[command(flatten)]
    #[allow(missing_docs)]
    pub common: DerivativeOptions,
    /// Spread the rows over the threads of OpenMP
    #[arg(long)]
    pub parallel: bool,
    /// Only entries that can be other than zero, in compressed rows: NAME_pattern finds them, NAME computes them
    #[arg(long, conflicts_with = "parallel")]
    pub sparse: bool,
}

/// Options of `check`.
#[derive(Args, Debug)]
pub struct CheckOptions {
    #[command(flatten)]
    #[allow(missing_docs)]
    pub target: TargetOptions,
    /// The value of an integer parameter
    #[arg(long, value_name = "PARAM=VALUE")]
    pub set: Vec<String>,
    /// Where the random numbers of a parameter lie [default: 0.5:1.5]
    #[arg(long, value_name = "PARAM=LO:HI")]
    pub range: Vec<String>,
    /// How many random points
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub points: u32,
    /// Where the random numbers start
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// The largest relative error that is accepted [default: 1e-6, for float 1e-2]
    #[arg(long, value_name = "ERROR")]
    pub tolerance: Option<f64>,
    /// Keep the generated program here
    #[arg(long, value_name = "FILE")]
    pub keep: Option<PathBuf>,
}

/// Options of `explain`.
#[derive(Args, Debug)]
pub struct ExplainOptions {
    #[command(flatten)]
    #[allow(missing_docs)]
    pub target: TargetOptions,
    /// As JSON
    #[arg(long, conflicts_with = "html")]
    pub json: bool,
    /// As one page of HTML
    #[arg(long)]
    pub html: bool,
}

/// Reads a number of bytes: `2000000`, `2M`.
pub fn bytes(text: &str) -> Result<u64, String> {
    let text = text.trim();
    let (digits, factor) = match text.char_indices().last() {
        Some((at, 'K' | 'k')) => (&text[..at], 1_000),
        Some((at, 'M' | 'm')) => (&text[..at], 1_000_000),
        Some((at, 'G' | 'g')) => (&text[..at], 1_000_000_000),
        _ => (text, 1),
    };
    let number: Option<u64> = digits.parse().ok();
    (number
        .and_then(|n| n.checked_mul(factor))
        .filter(|&n| n > 0))
    .ok_or_else(|| "a number of bytes is expected, such as 2000000 or 2M".to_string())
}
