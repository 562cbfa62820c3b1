//! The commands and options of `adjoin`, as clap sees them, with the help texts.

use crate::derivative::options::{
    CheckOptions, ExplainOptions, HessianOptions, JacobianOptions, JvpOptions, ProductOptions,
};
use crate::passes::PassOptions;
use crate::scale::options::ScaleOptions;
use clap::{Args, Parser, Subcommand};
use std::ffi::OsString;
use std::path::PathBuf;

/// Adjoin, a differentiating compiler for C.
#[derive(Parser, Debug)]
#[command(
    name = "adjoin",
    version,
    about = "Adjoin, a differentiating compiler for C",
    after_help = "Examples:
  adjoin grad energy.c -f energy      write energy_grad.c and energy_grad.h
  adjoin check energy.c -f energy     is the derivative right?
  adjoin cc -O2 solver.c -o solver    compile, as `cc` would
  adjoin cc --through-ir -O2 solver.c -o solver
                                      compile what Adjoin makes of the program
  adjoin ir solver.c -f step          print the IR of one function
  adjoin completions bash > ~/.local/share/bash-completion/completions/adjoin",
    arg_required_else_help = true,
    disable_help_subcommand = false
)]
pub struct CommandLine {
    /// The command.
    #[command(subcommand)]
    pub command: Command,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub passes: PassOptions,
}

/// A command.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Write the gradient of a function with one result (reverse mode)
    #[command(after_help = "Examples:
  adjoin grad energy.c -f energy             energy_grad.c and energy_grad.h
  adjoin grad energy.c -f energy --wrt x,k   with respect to these parameters only
  adjoin grad energy.c -f energy --wrt x --wrt k
                                             two gradients in one file
  adjoin grad main.c lib.c -f loss -o out/loss.c -- -Iinclude -DN=3
  adjoin grad price.c -f price --batch       price_grad_batch as well: many points, all threads
  adjoin grad loss.c -f loss --batch --shared weights --mpi
                                             and across ranks; the gradient of the weights is summed

The new function takes the parameters of the old one, then an array `x_bar` for each input x,
to which the derivative is added. It returns what the old one returns.")]
    Grad(ProductOptions),
    /// Write the vector-Jacobian product of a function (reverse mode)
    #[command(after_help = "Examples:
  adjoin vjp model.c -f step                 all inputs, all outputs
  adjoin vjp model.c -f step --wrt u --of r  some

`x_bar` of an input is added to; `y_bar` of an output holds the seed and is consumed.")]
    Vjp(ProductOptions),
    /// Write the Jacobian-vector product of a function (forward mode)
    #[command(after_help = "Examples:
  adjoin jvp model.c -f step                 one direction
  adjoin jvp model.c -f step --width 4       four at once

`x_dot` of an input is the direction; `y_dot` of an output is the tangent.")]
    Jvp(JvpOptions),
    /// Write the dense Jacobian of a function, by the cheaper mode
    #[command(after_help = "Examples:
  adjoin jacobian model.c -f residuals --size x=n --size r=2*n
  adjoin jacobian model.c -f residuals --mode reverse
  adjoin jacobian model.c -f residuals --parallel   its columns, or rows, on all threads
  adjoin jacobian model.c -f residuals --sparse     residuals_jacobian_pattern and residuals_jacobian

Sizes are found where they are declared (`double x[3]`) or constant, or if there is just one
integer parameter.")]
    Jacobian(JacobianOptions),
    /// Write the dense Hessian of a function with one result (forward over reverse)
    #[command(after_help = "Examples:
  adjoin hessian energy.c -f energy --size x=n
  adjoin hessian energy.c -f energy --sparse        energy_hessian_pattern and energy_hessian")]
    Hessian(HessianOptions),
    /// Write the Hessian-vector product of a function with one result (forward over reverse)
    #[command(after_help = "Examples:
  adjoin hvp energy.c -f energy              energy_hvp.c and energy_hvp.h")]
    Hvp(ProductOptions),
    /// Check the derivatives of a function against finite differences at random points
    #[command(after_help = "Examples:
  adjoin check energy.c -f energy --set n=10 --size x=n
  adjoin check energy.c -f energy --range x=0.1:2 --points 20

Compares forward mode with finite differences at several steps, and forward with reverse mode
by <Jv,w> = <v,J'w>. The exit status is 0 if all agree. Integers are 4 unless --set says otherwise.")]
    Check(CheckOptions),
    /// Measure how derivatives scale: a million calls on more and more threads or MPI ranks
    #[command(after_help = "Examples:
  adjoin scale price.c -f price                  threads: 1, 2, 4, … all cores
  adjoin scale price.c -f price --threads 1,8,16 --ranks 1,8,16 -o results
  adjoin scale energy.c -f energy --set n=100 --size x=n -n 10000 --mode reverse
  adjoin scale price.c -f price --emit-only measure    for a machine without Adjoin
  adjoin scale --plot measure/scale.csv

Strong scaling: N calls in total. Weak scaling: N calls of each worker. Every thread has inputs,
results and caches of its own. Prints a table, writes FUNCTION_scale.csv and FUNCTION_scale.svg;
an interrupt leaves the rows that are finished.")]
    Scale(ScaleOptions),
    /// Explain a derivative: what is active, what is stored and why
    #[command(after_help = "Examples:
  adjoin explain energy.c -f energy
  adjoin explain energy.c -f energy --html > energy.html
  adjoin explain energy.c -f energy --json")]
    Explain(ExplainOptions),
    /// Print the intermediate representation of a C file
    #[command(after_help = "Examples:
  adjoin ir heat.c                      every function, after all passes
  adjoin ir heat.c -f step              one function, and what it mentions
  adjoin ir heat.c --after lower        as lowered, before any pass
  adjoin ir heat.c -I include -DN=64 -- -fopenmp
                                        with options for the preprocessor
  adjoin ir heat.ir --after cleanup     the text form is read back, too

`adjoin passes` lists the names that --after takes.")]
    Ir(IrOptions),
    /// Print the C that the functions of a file become after their way through the IR
    #[command(
        hide = true,
        after_help = "Examples:
  adjoin emit heat.c                    every function
  adjoin emit heat.c -f step            one function
  adjoin emit heat.c --after lower      without any pass
  adjoin emit heat.ir                   a module from its text form, as a file that stands alone"
    )]
    Emit(IrOptions),
    /// List the passes, in the order in which they run
    #[command(after_help = "Example:
  adjoin passes

A pass is switched off by --no-pass NAME (`adjoin cc`: -fadjoin-no-pass=NAME); --time-passes
(-fadjoin-time-passes) says how long each takes.")]
    Passes,
    /// Compile C programs: takes the arguments of `cc`
    #[command(after_help = "Examples:
  adjoin cc -O2 -c a.c -o a.o           the same as `cc -O2 -c a.c -o a.o`
  adjoin cc --through-ir -O2 a.c b.c -lm -o prog
  adjoin cc --through-ir -v -c a.c      show the commands and every function's fate
  adjoin cc --cc clang -c a.c           choose the compiler
  adjoin cc -fopenmp -fadjoin-deterministic a.c -o prog
                                        gradients that do not depend on the number of threads
  make CC='adjoin cc --through-ir'      build a whole program
  ln -s $(command -v adjoin) adjoin-cc  a name of its own, for build systems that want one word

All other arguments are the C compiler's. The compiler is the one of --cc, else of the variables
ADJOIN_CC or CC, else `cc`. Its messages and exit status are passed on.")]
    Cc(CcOptions),
    /// Run a C program in the reference interpreter
    #[command(
        hide = true,
        after_help = "Examples:
  adjoin run sum.c
  adjoin run -DN=3 sum.c first second   arguments after the file are the program's"
    )]
    Run(RunOptions),
    /// Print a completion script for a shell
    #[command(after_help = "Examples:
  adjoin completions bash > ~/.local/share/bash-completion/completions/adjoin
  adjoin completions zsh > ~/.zfunc/_adjoin
  adjoin completions fish > ~/.config/fish/completions/adjoin.fish")]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

/// Options for the preprocessor and the compiler's target, in the compiler's own spelling.
#[derive(Args, Debug, Default)]
pub struct CompilerOptions {
    /// The C compiler that preprocesses [default: $ADJOIN_CC, $CC or cc]
    #[arg(long = "cc", value_name = "PROGRAM")]
    pub cc: Option<OsString>,
    /// Add a directory to search for headers
    #[arg(short = 'I', value_name = "DIR", action = clap::ArgAction::Append)]
    pub include_directories: Vec<OsString>,
    /// Define a macro
    #[arg(short = 'D', value_name = "NAME[=VALUE]", action = clap::ArgAction::Append)]
    pub define: Vec<OsString>,
    /// Undefine a macro
    #[arg(short = 'U', value_name = "NAME", action = clap::ArgAction::Append)]
    pub undefine: Vec<OsString>,
    /// The C standard, also as `-std=…`
    #[arg(long = "std", value_name = "STANDARD")]
    pub standard: Option<OsString>,
    /// Read this file first, also as `-include FILE`
    #[arg(long = "include", value_name = "FILE", action = clap::ArgAction::Append)]
    pub include: Vec<OsString>,
    /// Accept OpenMP, also as `-fopenmp`
    #[arg(long = "openmp")]
    pub openmp: bool,
}

impl CompilerOptions {
    /// The options as the compiler takes them.
    pub fn flags(&self) -> Vec<OsString> {
        let mut flags = Vec::new();
        let mut pair = |flag: &str, value: &OsString| flags.extend([flag.into(), value.clone()]);
        self.include_directories
            .iter()
            .for_each(|value| pair("-I", value));
        self.define.iter().for_each(|value| pair("-D", value));
        self.undefine.iter().for_each(|value| pair("-U", value));
        self.include
            .iter()
            .for_each(|value| pair("-include", value));
        if let Some(standard) = &self.standard {
            let mut flag = OsString::from("-std=");
            flag.push(standard);
            flags.push(flag);
        }
        if self.openmp {
            flags.push("-fopenmp".into());
        }
        flags
    }
}

/// Options of `adjoin ir`.
#[derive(Args, Debug)]
pub struct IrOptions {
    /// A C file, a preprocessed file (.i) or the IR's text form (.ir); `-` reads C from standard input
    pub file: PathBuf,
    /// Only this function
    #[arg(short = 'f', long = "function", value_name = "NAME")]
    pub function: Option<String>,
    /// Stop after this pass; `lower` stops before the first
    #[arg(long, value_name = "PASS")]
    pub after: Option<String>,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub compiler: CompilerOptions,
    /// Further flags for the C compiler, after `--`
    #[arg(last = true, value_name = "FLAGS")]
    pub flags: Vec<OsString>,
}

/// Options of `adjoin run`.
#[derive(Args, Debug)]
pub struct RunOptions {
    #[command(flatten)]
    #[allow(missing_docs)]
    pub compiler: CompilerOptions,
    /// Stop with an error after this many steps
    #[arg(long, value_name = "N")]
    pub steps: Option<u64>,
    /// Interpret the IR after this pass rather than after the last; `lower` for none
    #[arg(long, value_name = "PASS")]
    pub after: Option<String>,
    /// A C file, a preprocessed file (.i) or the IR's text form (.ir)
    pub file: PathBuf,
    /// Arguments of the program
    #[arg(
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "ARGS"
    )]
    pub arguments: Vec<OsString>,
}

/// Options of `adjoin cc`: here for help and completions only; [`crate::cc`] reads the arguments as gcc does.
#[derive(Args, Debug)]
pub struct CcOptions {
    /// Replace every function that Adjoin can lower by its form from the IR
    #[arg(long)]
    pub through_ir: bool,
    /// Append a line per function to FILE: name, place, `lowered` or `refused`, reason (tab-separated)
    #[arg(long, value_name = "FILE")]
    pub through_ir_report: Option<PathBuf>,
    /// The C compiler to use
    #[arg(long, value_name = "PROGRAM")]
    pub cc: Option<OsString>,
    /// Show each command and, with --through-ir, every function's fate (`--verbose` is the compiler's)
    #[arg(short)]
    pub verbose: bool,
    /// Arguments of the C compiler
    #[arg(
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "ARGS"
    )]
    pub arguments: Vec<OsString>,
}

/// Spells the compiler's long options with one dash (`-std=c11`, `-include x.h`, `-fopenmp`) as clap wants them.
pub fn normalise(arguments: Vec<OsString>) -> Vec<OsString> {
    let takes_compiler_flags = arguments
        .get(1)
        .is_some_and(|word| word != "cc" && word != "completions");
    if !takes_compiler_flags {
        return arguments;
    }
    let mut own = true;
    arguments
        .into_iter()
        .map(|word| {
            own &= word != "--";
            match word.to_str() {
                Some("-fopenmp") if own => "--openmp".into(),
                Some("-include") if own => "--include".into(),
                Some(text) if own && text.starts_with("-std=") => format!("-{text}").into(),
                _ => word,
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn definitions_are_consistent() {
        CommandLine::command().debug_assert();
    }

    #[test]
    fn compiler_spellings_are_understood() {
        let words = [
            "adjoin", "ir", "-std=c11", "-include", "x.h", "-fopenmp", "-DA=1", "-I", "inc", "a.c",
            "--", "-std=x",
        ];
        let parsed = CommandLine::try_parse_from(normalise(words.map(OsString::from).to_vec()))
            .expect("parses");
        let Command::Ir(options) = parsed.command else {
            unreachable!("the command is ir")
        };
        assert_eq!(
            options.compiler.flags(),
            [
                "-I", "inc", "-D", "A=1", "-include", "x.h", "-std=c11", "-fopenmp"
            ]
        );
        assert_eq!(options.flags, ["-std=x"]);
    }

    #[test]
    fn every_command_has_examples() {
        for command in CommandLine::command()
            .get_subcommands()
            .filter(|c| c.get_name() != "help")
        {
            let help = command
                .get_after_help()
                .map(ToString::to_string)
                .unwrap_or_default();
            assert!(
                help.contains("Example"),
                "{} has no examples",
                command.get_name()
            );
        }
    }
}
