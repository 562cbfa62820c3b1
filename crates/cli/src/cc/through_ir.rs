//! `adjoin cc --through-ir`: preprocess each C source, take it through the IR, and run the user's command on the results.

use super::carry::Carried;
use super::scan::{Goal, Input, Item, Role, Scan, SourceKind};
use super::{carry, comments, dependencies, link_time, response, silent, standards};
use crate::derive::{said, statics};
use crate::failure::{Failure, Outcome};
use crate::pipeline::{self, Fate, Left};

use crate::toolchain::Compiler;
use crate::{diagnostics, mpi, output, preprocess};
use adjoin_ad::Registry;
use std::cell::Cell;
use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Command lines longer than this go through a response file, as the system limits their length.
const LONGEST_COMMAND: usize = 100_000;

/// Compiles through the IR.
pub fn run(
    compiler: &Compiler,
    scan: &Scan,
    through_ir: bool,
    report: Option<&Path>,
) -> Result<Outcome, Failure> {
    let directory = tempfile::Builder::new()
        .prefix("adjoin-")
        .tempdir()
        .map_err(|error| Failure::new(format!("cannot create a temporary directory: {error}")))?;
    remove_on_interrupt(directory.path());
    let session = Session {
        compiler,
        scan,
        through_ir,
        report,
        directory: directory.path(),
        pragmas: Cell::new(false),
        asks: Cell::new(false),
    };

    let mut outcome = Outcome::SUCCESS;
    let mut replaced = Vec::new();
    let mut units = Vec::new();
    for (index, input) in scan.inputs().enumerate().filter(|(_, input)| input.is_c()) {
        // Go on after an error, so that one run reports those of all files.
        match session.source(index, input)? {
            Ok((file, unit)) => {
                replaced.push((index, file));
                units.extend(unit);
            }
            Err(failed) => outcome = failed,
        }
    }
    if !outcome.success() {
        return Ok(outcome);
    }
    let mut arguments = session.final_command(&replaced);
    if super::links_units(scan) {
        let sources = scan.inputs().filter(|input| input.is_c()).count();
        let others = link_time::carried(scan, &units)?;
        let whole = units.len() == sources && others.complete && !scan.items.iter().any(is_shared);
        units.extend(others.units);
        if let Some(made) = link_time::make(&units, whole, scan.options)? {
            // In front, so that the libraries behind serve it, too.
            match session.compile(&made)? {
                Ok(object) => arguments.insert(0, object.into()),
                Err(failed) => return Ok(failed),
            }
        }
    }
    compiler.run(&session.shorten("link", arguments)?)
}

/// What all sources of one command share.
struct Session<'a> {
    compiler: &'a Compiler,
    scan: &'a Scan,
    /// Replace every function by what the IR makes of it; else only calls of the entry points of differentiation.
    through_ir: bool,
    report: Option<&'a Path>,
    directory: &'a Path,
    /// Some source has pragmas of OpenMP.
    pragmas: Cell<bool>,
    /// Some source asks for derivatives.
    asks: Cell<bool>,
}

impl Session<'_> {
    /// Takes one source through the IR; gives the temporary file, or how it failed (everything is printed).
    fn source(
        &self,
        index: usize,
        input: &Input,
    ) -> Result<Result<(PathBuf, Option<Carried>), Outcome>, Failure> {
        let dependencies =
            dependencies::of(self.scan, input).filter(|_| input.kind() == SourceKind::C);
        let mut text = if input.kind() == SourceKind::C {
            let mut arguments = self.preprocessor_flags();
            arguments.extend(dependencies.iter().flat_map(|d| d.flags.iter().cloned()));
            arguments.push("-E".into());
            let comments = comments::matter(&self.final_command(&[]));
            if comments {
                arguments.push("-C".into());
            }
            if let Some(language) = &input.language {
                arguments.extend(["-x".into(), language.clone()]);
            }
            arguments.push(input.path.clone());
            let name = format!("preprocess-{index}");
            let (outcome, mut text) = self.compiler.capture(&self.shorten(&name, arguments)?)?;
            if !outcome.success() {
                return Ok(Err(outcome));
            }
            if comments {
                comments::blank_others(&mut text);
            }
            text
        } else {
            preprocess::read(Path::new(&input.path))?
        };
        let openmp = b"#pragma omp";
        if text.windows(openmp.len()).any(|w| w == openmp) {
            let may = self.sums_are_told() && !self.scan.asks_for("-fopenmp-simd");
            if !(may && silent::silence(&mut text)) {
                self.pragmas.set(true);
            }
        }
        let entry_points = b"__enzyme_";
        if text.windows(entry_points.len()).any(|w| w == entry_points) {
            self.asks.set(true);
        }
        let unit = carry::unit_name(&input.path.to_string_lossy(), &text);
        let part = super::is_part(self.scan);
        let derived = pipeline::derive(
            text,
            self.scan.openmp,
            part.then_some(&*unit),
            !part && self.scan.goal == Goal::Program && !self.scan.items.iter().any(is_shared),
            self.scan.options,
        );
        let mut left = Left::default();
        let result = match derived {
            Some((mut text, later)) => {
                left = later;
                // Derivatives that are made at link time use what the objects bring along.
                if mpi::calls_runtime(&text) || part && mpi::knows_mpi(&text) {
                    let flags = self.preprocessor_flags();
                    let second_order = part || mpi::second_order(&text);
                    match mpi::preprocessed(self.compiler, &flags, self.directory, second_order)? {
                        Some(runtime) => text.extend_from_slice(&runtime),
                        None => return Ok(Err(Outcome::FAILURE)),
                    }
                }
                match self.through_ir {
                    true => pipeline::through_ir(text, self.scan.openmp)?,
                    false => Some(pipeline::ThroughIr {
                        text,
                        fates: Vec::new(),
                    }),
                }
            }
            None => None,
        };
        let Some(result) = result else {
            // A compiler leaves no dependency file for a source with errors.
            if let Some(dependencies) = dependencies {
                let _ = std::fs::remove_file(dependencies.file);
            }
            return Ok(Err(Outcome::FAILURE));
        };
        self.tell(&result.fates)?;
        let (text, carried) = match part {
            true => self.carry(index, unit, left, result.text)?,
            false => (result.text, None),
        };
        let file = self.write(index, input, &text)?;
        Ok(Ok((file, carried)))
    }

    /// Adds to a source what lets derivatives made elsewhere use its functions. An object carries its IR in a section; what is linked at once is kept.
    fn carry(
        &self,
        index: usize,
        unit: String,
        left: Left,
        mut text: Vec<u8>,
    ) -> Result<(Vec<u8>, Option<Carried>), Failure> {
        let parsed = pipeline::parse(text, self.scan.openmp);
        if diagnostics::has_errors(&parsed.diagnostics) {
            // The compiler may understand what we do not; then this object has no IR.
            return Ok((parsed.source.text, None));
        }
        let mut lowered = pipeline::lower_for_others(&parsed);
        pipeline::keep_what_is_invalid(&parsed, &mut lowered);
        let refusals = lowered.refusals.iter().map(|refusal| {
            let function = &parsed.unit.funcs[refusal.func];
            (function.name.clone(), refusal.reason.clone())
        });
        let mut refusals: Vec<(String, String)> = refusals.collect();
        let lifted = statics::lift_all(&parsed, &mut lowered.module);
        let mut registry = Registry::default();
        let wrong = said::apply(&left.said, &mut lowered.module, &mut registry);
        if let Some(first) = wrong.first() {
            return Err(Failure::new(first.message.clone()));
        }
        let mut pending = left.pending;
        let aliases =
            carry::export_statics(&mut lowered.module, &unit, &mut pending, &mut refusals);
        said::register(&mut lowered.module, &registry, &unit);
        let carried = Carried {
            header: carry::Header {
                unit,
                flags: self.code_flags(),
                pending,
                refusals,
            },
            module: lowered.module,
        };
        text = lifted.unwrap_or(parsed.source.text);
        text.extend_from_slice(b"\n# 1 \"<adjoin>\" 3\n");
        text.extend_from_slice(aliases.as_bytes());
        if !super::carries(self.scan) {
            return Ok((text, Some(carried)));
        }
        let file = self.directory.join(format!("{index}.ir"));
        write(&file, &carried.to_bytes()?)?;
        text.extend_from_slice(carry::include_text(&file).as_bytes());
        Ok((text, None))
    }

    /// Compiles what was made at link time.
    fn compile(&self, made: &link_time::Made) -> Result<Result<PathBuf, Outcome>, Failure> {
        let source = self.directory.join("adjoin-derivatives.c");
        write(&source, made.text.as_bytes())?;
        if self.scan.save_temps {
            write(Path::new("adjoin-derivatives.c"), made.text.as_bytes())?;
        }
        let object = source.with_extension("o");
        let mut arguments: Vec<OsString> = made.flags.iter().map(OsString::from).collect();
        if self.scan.items.iter().any(is_shared) {
            arguments.push("-fPIC".into());
        }
        arguments.extend(["-w".into(), "-c".into(), source.into(), "-o".into()]);
        arguments.push(object.clone().into());
        let outcome = self.compiler.run(&arguments)?;
        Ok(if outcome.success() {
            Ok(object)
        } else {
            Err(outcome)
        })
    }

    /// The options that code made at link time is compiled with: those of the compiler proper.
    fn code_flags(&self) -> Vec<String> {
        let options = self.scan.items.iter().filter_map(|item| match item {
            Item::Option(Role::Everything, words) => Some(words),
            _ => None,
        });
        options
            .flatten()
            .flat_map(|word| match standards::of_derivatives(word) {
                Some(words) => words.iter().map(|w| w.to_string()).collect(),
                None => vec![word.to_string_lossy().into_owned()],
            })
            .collect()
    }

    /// Writes the text to a directory of its own: the file's stem must be the source's, because outputs are named after it.
    fn write(&self, index: usize, input: &Input, text: &[u8]) -> Result<PathBuf, Failure> {
        let mut name = input.stem().to_owned();
        name.push(".i");
        if self.scan.save_temps {
            write(Path::new(&name), text)?;
        }
        let directory = self.directory.join(index.to_string());
        std::fs::create_dir(&directory).map_err(|error| cannot_write(&directory, &error))?;
        let path = directory.join(name);
        write(&path, text)?;
        Ok(path)
    }

    fn tell(&self, fates: &[Fate]) -> Result<(), Failure> {
        if self.compiler.verbose {
            fates
                .iter()
                .for_each(|fate| output::eprint(&fate.verbose_line()));
        }
        let Some(path) = self.report else {
            return Ok(());
        };
        let lines: String = fates.iter().map(Fate::report_line).collect();
        std::fs::OpenOptions::new()
            .append(true)
            .create(true)
            .open(path)
            .and_then(|mut file| file.write_all(lines.as_bytes()))
            .map_err(|error| cannot_write(path, &error))
    }

    /// The options that matter to the preprocessor.
    fn preprocessor_flags(&self) -> Vec<OsString> {
        let options = self.scan.items.iter().filter_map(|item| match item {
            Item::Option(Role::Preprocessor | Role::Everything, words) => Some(words),
            _ => None,
        });
        options.flatten().cloned().collect()
    }

    /// Is gcc told in OpenMP's words what loops sum up, without teams?
    fn sums_are_told(&self) -> bool {
        self.scan.options.for_gcc && !self.scan.openmp
    }

    /// The user's command with temporary files for sources.
    fn final_command(&self, replaced: &[(usize, PathBuf)]) -> Vec<OsString> {
        // clang warns of options that no input makes use of; with only preprocessed sources those of the
        // preprocessor are of no use.
        let foreign = self
            .scan
            .inputs()
            .any(|input| input.kind() == SourceKind::Foreign);
        let mut arguments: Vec<OsString> = Vec::new();
        let mut language: Option<OsString> = None;
        let mut index = 0;
        for item in &self.scan.items {
            match item {
                Item::Option(Role::Dependencies, _) if !foreign => {}
                Item::Option(Role::Preprocessor, _) if !foreign => {}
                Item::Option(Role::Ours, _) => {}
                Item::Option(_, words) => match standards::of_derivatives(&words[0]) {
                    Some(words) if self.asks.get() => {
                        arguments.extend(words.iter().map(OsString::from));
                    }
                    _ => arguments.extend(words.iter().cloned()),
                },
                Item::Input(input) => {
                    let file = replaced
                        .iter()
                        .find(|(at, _)| *at == index)
                        .map(|(_, file)| file);
                    let wanted = match file {
                        Some(_) => Some("cpp-output".into()),
                        None => input.language.clone(),
                    };
                    if wanted != language {
                        arguments
                            .extend(["-x".into(), wanted.clone().unwrap_or_else(|| "none".into())]);
                        language = wanted;
                    }
                    arguments.push(file.map_or_else(|| input.path.clone(), |file| file.into()));
                    index += 1;
                }
            }
        }
        if foreign {
            arguments.push("-Wno-unused-command-line-argument".into());
        }
        if super::carries(self.scan) && self.scan.link_time_optimisation {
            arguments.push("-fno-lto".into());
        }
        // So that gcc knows what loops in lanes sum up. The user's own pragmas must not begin to mean anything by it.
        if self.sums_are_told() && !foreign && !self.pragmas.get() {
            arguments.push("-fopenmp-simd".into());
        }
        if !replaced.is_empty() && self.compiler.is_clang() {
            // Loops that it need not vectorise, where functions of ours went into the user's; and line markers, which a preprocessed file has.
            arguments.push("-Wno-pass-failed".into());
            let pedantic = |word: &OsString| {
                ["-pedantic", "-Wpedantic", "-Weverything"]
                    .map(OsString::from)
                    .contains(word)
            };
            if arguments.iter().any(pedantic) {
                let quiet = ["-Wno-unknown-warning-option", "-Wno-gnu-line-marker"];
                arguments.extend(quiet.map(OsString::from));
            }
        }
        // `-l` and the like may follow; they are options and `-x` does not touch them.
        if let Some(file) = &self.scan.output {
            arguments.extend(["-o".into(), file.clone()]);
        }
        arguments
    }

    /// Puts a very long argument list into a response file.
    fn shorten(&self, name: &str, arguments: Vec<OsString>) -> Result<Vec<OsString>, Failure> {
        if arguments
            .iter()
            .map(|argument| argument.len() + 1)
            .sum::<usize>()
            <= LONGEST_COMMAND
        {
            return Ok(arguments);
        }
        let path = self.directory.join(name).with_extension("rsp");
        write(&path, &response::quote(&arguments))?;
        let mut argument = OsString::from("@");
        argument.push(path);
        Ok(vec![argument])
    }
}

fn is_shared(item: &Item) -> bool {
    matches!(item, Item::Option(_, words) if words[0] == "-shared")
}

fn write(path: &Path, text: &[u8]) -> Result<(), Failure> {
    std::fs::write(path, text).map_err(|error| cannot_write(path, &error))
}

fn cannot_write(path: &Path, error: &std::io::Error) -> Failure {
    Failure::new(format!("cannot write `{}`: {error}", path.display()))
}

/// Removes the temporary directory when the user interrupts us; otherwise its owner removes it.
fn remove_on_interrupt(directory: &Path) {
    let directory = directory.to_owned();
    // If there can be no handler, an interrupt leaves the directory behind, which is no reason not to compile.
    let _ = ctrlc::set_handler(move || {
        let _ = std::fs::remove_dir_all(&directory);
        std::process::exit(128 + libc::SIGINT);
    });
}
