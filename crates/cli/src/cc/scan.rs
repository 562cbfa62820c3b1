//! Reads an argument list as gcc and clang do: which words are inputs, which options take the next word, and which step
//! (preprocessing, compiling, linking) an option is for.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// How far the compiler is asked to go.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs)]
pub enum Goal {
    /// `-E`, `-M`, `-MM`
    Preprocess,
    /// `-S`, `-fsyntax-only`
    Assembly,
    /// `-c`
    Object,
    #[default]
    Program,
}

/// What an option is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Role {
    /// Only for the preprocessor: not wanted once the text is preprocessed.
    Preprocessor,
    /// For the compiler, and perhaps the others too.
    Everything,
    /// Not for the preprocessor: assembler, linker, debug information.
    Later,
    /// `-o`, `-c`, `-S`: only for the final command.
    Goal,
    /// `-v`: when Adjoin does the work, it tells what it does. (`--verbose` makes the compiler talk as well.)
    Ours,
    /// `-M…`: handled by [`super::dependencies`].
    Dependencies,
}

/// An element of the command line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Item {
    /// A file, with the language that `-x` gives it.
    Input(Input),
    /// An option with its value.
    Option(Role, Vec<OsString>),
}

/// An input file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Input {
    /// As written; `-` is standard input.
    pub path: OsString,
    /// The language of the `-x` in force.
    pub language: Option<OsString>,
}

/// What a source is to us.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SourceKind {
    /// C that needs preprocessing.
    C,
    /// C already preprocessed.
    PreprocessedC,
    /// Something that the compiler must compile or assemble itself.
    Foreign,
    /// An object, a library, a linker script.
    Object,
}

impl Input {
    /// What it is.
    pub fn kind(&self) -> SourceKind {
        if let Some(language) = &self.language {
            return match language.as_bytes() {
                b"c" => SourceKind::C,
                b"cpp-output" => SourceKind::PreprocessedC,
                _ => SourceKind::Foreign,
            };
        }
        // The extensions are gcc's; `.C` is C++.
        match Path::new(&self.path).extension().map(OsStr::as_bytes) {
            Some(b"c") => SourceKind::C,
            Some(b"i") => SourceKind::PreprocessedC,
            Some(
                b"s" | b"S" | b"sx" | b"cc" | b"cp" | b"cxx" | b"cpp" | b"c++" | b"C" | b"CPP"
                | b"ii" | b"m" | b"mi" | b"mm" | b"M" | b"mii" | b"h" | b"hh" | b"H" | b"hp"
                | b"hxx" | b"hpp" | b"HPP" | b"h++" | b"tcc" | b"f" | b"for" | b"ftn" | b"F"
                | b"f90" | b"F90" | b"go" | b"d" | b"adb" | b"ads" | b"cu" | b"ll" | b"bc",
            ) => SourceKind::Foreign,
            _ => SourceKind::Object,
        }
    }

    /// The file name without directory and extension: what outputs are named after.
    pub fn stem(&self) -> &OsStr {
        Path::new(&self.path)
            .file_stem()
            .unwrap_or(OsStr::new("input"))
    }

    /// Is it C, preprocessed or not?
    pub fn is_c(&self) -> bool {
        matches!(self.kind(), SourceKind::C | SourceKind::PreprocessedC)
    }
}

/// A command line, understood.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Scan {
    /// Everything in order, except `-x`, which is kept with each input.
    pub items: Vec<Item>,
    /// How far to go.
    pub goal: Goal,
    /// The value of the last `-o`.
    pub output: Option<OsString>,
    /// `-v`
    pub verbose: bool,
    /// `-fopenmp`
    pub openmp: bool,
    /// `-fadjoin-deterministic`, `-fadjoin-memory-limit=BYTES`
    pub options: adjoin_ad::Options,
    /// `-save-temps`
    pub save_temps: bool,
    /// `-###`: only print the commands.
    pub dry_run: bool,
    /// `-fsyntax-only`
    pub syntax_only: bool,
    /// `-flto` in one of its forms.
    pub link_time_optimisation: bool,
}

/// Options whose value is the next word when it is not joined to them, and what they are for. An option with `true` may
/// also be joined (`-Idir`, `-I dir`); the others (`-include`) are only recognised as a whole word.
const WITH_VALUE: &[(&str, bool, Role)] = &[
    ("-o", true, Role::Goal),
    ("-x", true, Role::Goal),
    ("-I", true, Role::Preprocessor),
    ("-D", true, Role::Preprocessor),
    ("-U", true, Role::Preprocessor),
    ("-A", true, Role::Preprocessor),
    ("-include", false, Role::Preprocessor),
    ("-imacros", false, Role::Preprocessor),
    ("-isystem", true, Role::Preprocessor),
    ("-iquote", true, Role::Preprocessor),
    ("-idirafter", true, Role::Preprocessor),
    ("-iprefix", true, Role::Preprocessor),
    ("-iwithprefixbefore", true, Role::Preprocessor),
    ("-iwithprefix", true, Role::Preprocessor),
    ("-imultilib", false, Role::Preprocessor),
    ("-Xpreprocessor", false, Role::Preprocessor),
    ("-isysroot", false, Role::Everything),
    ("--sysroot", false, Role::Everything),
    ("-MF", true, Role::Dependencies),
    ("-MT", true, Role::Dependencies),
    ("-MQ", true, Role::Dependencies),
    ("-L", true, Role::Later),
    ("-l", true, Role::Later),
    ("-Xlinker", false, Role::Later),
    ("-Xassembler", false, Role::Later),
    ("-Tbss", false, Role::Later),
    ("-Tdata", false, Role::Later),
    ("-Ttext", false, Role::Later),
    ("-T", true, Role::Later),
    ("-u", true, Role::Later),
    ("-z", true, Role::Later),
    ("-e", false, Role::Later),
    ("--entry", false, Role::Later),
    ("-framework", false, Role::Later),
    ("-rpath", false, Role::Later),
    ("-aux-info", false, Role::Later),
    ("-dumpbase", false, Role::Later),
    ("-dumpbase-ext", false, Role::Later),
    ("-dumpdir", false, Role::Later),
    ("-mllvm", false, Role::Later),
    ("-B", true, Role::Everything),
    ("-G", true, Role::Everything),
    ("--param", false, Role::Everything),
    ("-target", false, Role::Everything),
    ("-arch", false, Role::Everything),
    ("-Xclang", false, Role::Everything),
    ("-wrapper", false, Role::Everything),
    ("-specs", false, Role::Everything),
];

/// Options without a separate value that are not for every step, by prefix. The first match counts.
const BY_PREFIX: &[(&str, Role)] = &[
    ("-Wp,", Role::Preprocessor),
    ("-Wl,", Role::Later),
    ("-Wa,", Role::Later),
    ("-nostdinc", Role::Preprocessor),
    ("-fuse-ld=", Role::Later),
    // With -g3 the preprocessor would print the macros' definitions, which are not C.
    ("-g", Role::Later),
    ("-fdirectives-only", Role::Preprocessor),
    ("-fworking-directory", Role::Preprocessor),
    ("-traditional-cpp", Role::Preprocessor),
    ("-static", Role::Later),
];

/// Options that are whole words and not for every step.
const BY_WORD: &[(&str, Role)] = &[
    ("-undef", Role::Preprocessor),
    ("-trigraphs", Role::Preprocessor),
    ("-remap", Role::Preprocessor),
    ("-H", Role::Preprocessor),
    ("-shared", Role::Later),
    ("-pie", Role::Later),
    ("-no-pie", Role::Later),
    ("-rdynamic", Role::Later),
    ("-s", Role::Later),
    ("-r", Role::Later),
    ("-symbolic", Role::Later),
    ("-nostdlib", Role::Later),
    ("-nostartfiles", Role::Later),
    ("-nodefaultlibs", Role::Later),
    ("-nolibc", Role::Later),
];

impl Scan {
    /// Reads arguments in which response files are already expanded.
    pub fn new(arguments: &[OsString]) -> Scan {
        let mut scan = Scan::default();
        let mut language = None;
        let mut words = arguments.iter();
        let mut goal = Goal::Program;
        while let Some(word) = words.next() {
            let bytes = word.as_bytes();
            if bytes == b"-" || !bytes.starts_with(b"-") {
                scan.items.push(Item::Input(Input {
                    path: word.clone(),
                    language: language.clone(),
                }));
                continue;
            }
            if let Some((name, role, value, separate)) = with_value(word) {
                let value = if separate {
                    words.next().cloned()
                } else {
                    value
                };
                let mut parts = vec![word.clone()];
                if separate {
                    parts.extend(value.clone());
                }
                match (name, value) {
                    ("-x", Some(value)) => language = Some(value).filter(|value| value != "none"),
                    ("-o", Some(value)) => scan.output = Some(value),
                    _ => scan.items.push(Item::Option(role, parts)),
                }
                continue;
            }
            match bytes {
                b"-E" | b"-M" | b"-MM" => goal = lowest(goal, Goal::Preprocess),
                b"-S" => goal = lowest(goal, Goal::Assembly),
                b"-c" => goal = lowest(goal, Goal::Object),
                b"-v" => scan.verbose = true,
                b"-###" => scan.dry_run = true,
                // With `-fopenmp-simd` alone there are no teams.
                b"-fopenmp" => scan.openmp = true,
                _ if bytes.starts_with(b"-fopenmp=") => scan.openmp = true,
                b"-fno-openmp" => scan.openmp = false,
                b"-fsyntax-only" => {
                    scan.syntax_only = true;
                    goal = lowest(goal, Goal::Assembly);
                }
                b"-fno-lto" => scan.link_time_optimisation = false,
                b"-flto" => scan.link_time_optimisation = true,
                _ if bytes.starts_with(b"-flto=") => scan.link_time_optimisation = true,
                _ if bytes.starts_with(b"-save-temps") || bytes.starts_with(b"--save-temps") => {
                    scan.save_temps = true
                }
                _ => {}
            }
            scan.items
                .push(Item::Option(role_of(word), vec![word.clone()]));
        }
        scan.goal = goal;
        scan
    }

    /// The inputs in order.
    pub fn inputs(&self) -> impl Iterator<Item = &Input> {
        self.items.iter().filter_map(|item| match item {
            Item::Input(input) => Some(input),
            Item::Option(..) => None,
        })
    }

    /// Is an option among the arguments?
    pub fn asks_for(&self, option: &str) -> bool {
        let option = std::ffi::OsStr::new(option);
        (self.items.iter())
            .any(|item| matches!(item, Item::Option(_, words) if words.iter().any(|w| w == option)))
    }

    /// Is there C to compile? (Otherwise the whole command is the compiler's.)
    pub fn compiles_c(&self) -> bool {
        self.goal != Goal::Preprocess && !self.dry_run && self.inputs().any(Input::is_c)
    }
}

/// The compiler stops at the earliest step that any option asks for.
fn lowest(a: Goal, b: Goal) -> Goal {
    if (a as u8) < (b as u8) { a } else { b }
}

/// An option of [`WITH_VALUE`]: its name, role, joined value, and whether its value is the next word.
fn with_value(word: &OsStr) -> Option<(&'static str, Role, Option<OsString>, bool)> {
    let bytes = word.as_bytes();
    let whole = WITH_VALUE
        .iter()
        .find(|(name, ..)| name.as_bytes() == bytes);
    if let Some(&(name, _, role)) = whole {
        return Some((name, role, None, true));
    }
    WITH_VALUE.iter().find_map(|&(name, joinable, role)| {
        let rest = bytes.strip_prefix(name.as_bytes()).filter(|_| joinable)?;
        Some((name, role, Some(OsStr::from_bytes(rest).to_owned()), false))
    })
}

/// The role of an option that has no separate value.
fn role_of(word: &OsStr) -> Role {
    let bytes = word.as_bytes();
    let known = BY_WORD.iter().find(|(name, _)| name.as_bytes() == bytes);
    let known = known.or_else(|| {
        BY_PREFIX
            .iter()
            .find(|(prefix, _)| bytes.starts_with(prefix.as_bytes()))
    });
    match bytes {
        b"-c" | b"-S" | b"-E" | b"-fsyntax-only" => Role::Goal,
        b"-v" => Role::Ours,
        b"-M" | b"-MM" | b"-MD" | b"-MMD" | b"-MP" | b"-MG" => Role::Dependencies,
        // Comments and line markers: they would change what we read.
        b"-C" | b"-CC" | b"-P" => Role::Later,
        _ if bytes.starts_with(b"-save-temps") || bytes.starts_with(b"--save-temps") => Role::Later,
        _ => known.map_or(Role::Everything, |&(_, role)| role),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scan(text: &str) -> Scan {
        Scan::new(
            &text
                .split_whitespace()
                .map(OsString::from)
                .collect::<Vec<_>>(),
        )
    }

    fn option(role: Role, words: &[&str]) -> Item {
        Item::Option(role, words.iter().map(OsString::from).collect())
    }

    #[test]
    fn joined_and_separate_values() {
        let got = scan(
            "-Iinc -I inc2 -DX=1 -D Y -o out -oout2 -lm -l pthread -L. -isystem sys -include h.h",
        );
        assert_eq!(got.output, Some("out2".into()));
        assert_eq!(
            got.items,
            [
                option(Role::Preprocessor, &["-Iinc"]),
                option(Role::Preprocessor, &["-I", "inc2"]),
                option(Role::Preprocessor, &["-DX=1"]),
                option(Role::Preprocessor, &["-D", "Y"]),
                option(Role::Later, &["-lm"]),
                option(Role::Later, &["-l", "pthread"]),
                option(Role::Later, &["-L."]),
                option(Role::Preprocessor, &["-isystem", "sys"]),
                option(Role::Preprocessor, &["-include", "h.h"]),
            ]
        );
    }

    #[test]
    fn values_that_look_like_inputs_are_not_inputs() {
        let got = scan("-MF a.c -MT b.c -Xlinker c.c -T d.c -include e.c -x c f.c");
        let inputs: Vec<_> = got.inputs().map(|input| input.path.clone()).collect();
        assert_eq!(inputs, ["f.c"]);
    }

    #[test]
    fn languages_follow_the_inputs() {
        let got = scan("a.c -x c++ b.c -x none c.cc -xc - d");
        let kinds: Vec<_> = got.inputs().map(Input::kind).collect();
        use SourceKind::*;
        assert_eq!(kinds, [C, Foreign, Foreign, C, C]);
    }

    #[test]
    fn extensions_decide() {
        let kinds: Vec<_> = scan("a.c a.i a.s a.S a.o a.a a.so a.so.1 a.cc a.h a")
            .inputs()
            .map(Input::kind)
            .collect();
        use SourceKind::*;
        assert_eq!(
            kinds,
            [
                C,
                PreprocessedC,
                Foreign,
                Foreign,
                Object,
                Object,
                Object,
                Object,
                Foreign,
                Foreign,
                Object
            ]
        );
    }

    #[test]
    fn the_earliest_goal_wins() {
        assert_eq!(scan("-c -S a.c").goal, Goal::Assembly);
        assert_eq!(scan("-c -E a.c").goal, Goal::Preprocess);
        assert_eq!(scan("-M a.c").goal, Goal::Preprocess);
        assert_eq!(scan("-MD a.c").goal, Goal::Program);
        assert!(!scan("-E a.c").compiles_c());
        assert!(!scan("a.o -lm").compiles_c());
        assert!(scan("a.o b.c").compiles_c());
    }

    #[test]
    fn openmp() {
        assert!(scan("-fopenmp a.c").openmp);
        assert!(scan("-fopenmp=libomp a.c").openmp);
        assert!(!scan("-fopenmp-simd a.c").openmp);
        assert!(!scan("-fopenmp -fno-openmp a.c").openmp);
    }

    #[test]
    fn roles() {
        let roles = |text| match scan(text).items.remove(0) {
            Item::Option(role, _) => role,
            Item::Input(_) => unreachable!("an option"),
        };
        assert_eq!(roles("-Wp,-MD,x.d"), Role::Preprocessor);
        assert_eq!(roles("-Wl,-rpath,."), Role::Later);
        assert_eq!(roles("-Wall"), Role::Everything);
        assert_eq!(roles("-fopenmp"), Role::Everything);
        assert_eq!(roles("-march=native"), Role::Everything);
        assert_eq!(roles("-pthread"), Role::Everything);
        assert_eq!(roles("-ggdb3"), Role::Later);
        assert_eq!(roles("-static"), Role::Later);
        assert_eq!(roles("-shared"), Role::Later);
        assert_eq!(roles("-std=c11"), Role::Everything);
        assert_eq!(roles("-MMD"), Role::Dependencies);
        assert_eq!(roles("-MFx.d"), Role::Dependencies);
        assert_eq!(roles("-isystemfoo"), Role::Preprocessor);
    }
}
