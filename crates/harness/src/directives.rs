//! What a test program asks for in the comment lines at its top: `// flags: -lm`, `// exit: 3`, `// stdin: 1 2`, …

/// The wishes of one program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Directives {
    /// Compiler and linker flags.
    pub flags: Vec<String>,
    /// Arguments of the program.
    pub args: Vec<String>,
    /// Expected exit status.
    pub exit: i32,
    /// Standard input; `\n` stands for a newline.
    pub stdin: String,
    /// Why the interpreter cannot run it.
    pub skip_interpreter: Option<String>,
    /// Why its output may differ in the last digits (long double): the interpreter is only asked for the exit status.
    pub inexact: Option<String>,
    /// Only for these compilers; empty: for all.
    pub compilers: Vec<String>,
    /// Built with `mpicc` and run on so many ranks.
    pub mpi: Option<u32>,
    /// Functions that are expected to be refused.
    pub refuses: Vec<String>,
}

/// Reads the leading `//` lines of a program. An unknown directive is an error, so that a typing mistake does not hide.
pub fn parse(source: &str) -> Result<Directives, String> {
    let mut directives = Directives::default();
    let words = |text: &str| {
        text.split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let comments = source
        .lines()
        .map_while(|line| line.trim_start().strip_prefix("//"));
    for line in comments {
        let Some((name, value)) = line.split_once(':') else {
            continue;
        };
        let value = value.trim();
        match name.trim() {
            "flags" => directives.flags.extend(words(value)),
            "args" => directives.args.extend(words(value)),
            "exit" => {
                directives.exit = value
                    .parse()
                    .map_err(|_| format!("bad exit status `{value}`"))?
            }
            "stdin" => directives.stdin = value.replace("\\n", "\n"),
            "interp" => match value
                .split_once(char::is_whitespace)
                .unwrap_or((value, "no reason given"))
            {
                ("skip", reason) => directives.skip_interpreter = Some(reason.to_owned()),
                ("inexact", reason) => directives.inexact = Some(reason.to_owned()),
                _ => return Err(format!("bad directive `interp: {value}`")),
            },
            "mpi" => {
                directives.mpi = Some(
                    value
                        .parse()
                        .map_err(|_| format!("bad number of ranks `{value}`"))?,
                )
            }
            "compilers" => directives.compilers.extend(words(value)),
            "refuses" => directives.refuses.extend(words(value)),
            // Prose with a colon.
            _ => {}
        }
    }
    Ok(directives)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_are_read_from_the_top_only() {
        let source = "// Sums: a test.\n// flags: -lm -fopenmp\n// exit: 3\n// stdin: 1\\n2\n// interp: skip uses fork\nint x;\n// exit: 4\n";
        let got = parse(source).expect("fine");
        assert_eq!(got.flags, ["-lm", "-fopenmp"]);
        assert_eq!(got.exit, 3);
        assert_eq!(got.stdin, "1\n2");
        assert_eq!(got.skip_interpreter.as_deref(), Some("uses fork"));
    }

    #[test]
    fn mistakes_are_errors() {
        assert!(parse("// exit: three\n").is_err());
        assert!(parse("// interp: maybe\n").is_err());
    }
}
