//! The program that measures: its files, and how it is compiled.

use super::driver::{self, Functions};
use super::options::ScaleOptions;
use super::rows;
use crate::derivative::driver::Choices;
use crate::derivative::program::Program;
use crate::derivative::roles::{self, Wishes};
use crate::derivative::sizes::Sizes;
use crate::derivative::{self, Kind, Order, check, files, independence};
use crate::failure::Failure;
use crate::{diagnostics, output};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The part of the program that is the same for all functions.
const MAIN: &str = include_str!("support/main.c");
const MAKEFILE: &str = include_str!("support/Makefile");
const SCRIPT: &str = include_str!("support/run.sh");

/// The file with the function, its derivatives and the loop that calls them.
#[derive(Clone, Debug)]
pub struct Source {
    /// The function.
    pub function: String,
    /// The text.
    pub text: String,
    /// Why it cannot run on several threads, if so.
    pub obstacle: Option<String>,
}

/// Makes the file of one function. `None`: errors have been printed.
pub fn source(
    program: &Program,
    options: &ScaleOptions,
    choices: &Choices,
    function: &str,
) -> Result<Option<Source>, Failure> {
    let lists = options.target.wrt.iter().flat_map(|w| w.split(','));
    let wrt: Vec<String> = lists.map(|w| w.trim().to_string()).collect();
    let wrt = (!wrt.is_empty()).then_some(wrt);
    let order = |kind| Order {
        kind,
        function: function.to_string(),
        wrt: wrt.clone(),
        name: None,
        batch: None,
        form: Default::default(),
    };
    let orders = [order(Kind::Value), order(Kind::Jvp(1)), order(Kind::Vjp)];
    let Some(answer) = derivative::answer(program, &options.target, &orders, true)? else {
        return Ok(None);
    };
    let target = &answer.made[0].target;
    check::known_names(target, choices)?;
    let names: Vec<String> = answer.made.iter().map(|m| m.public.name.clone()).collect();
    let functions = Functions {
        value: names[0].clone(),
        jvp: names[1].clone(),
        vjp: names[2].clone(),
    };
    let wishes = Wishes {
        wrt: wrt.as_deref(),
        of: &options.target.of,
        constant: &options.target.constant,
    };
    let mut sizes = Sizes::new(&options.target.size).map_err(Failure::new)?;
    let made = roles::assign(target, Kind::Vjp, wishes).and_then(|roles| {
        let inputs = derivative::driver::inputs(target, &roles, &mut sizes, choices)?;
        Ok(driver::text(target, &roles, &functions, &inputs))
    });
    let text = match made {
        Ok(text) => text,
        Err(error) => {
            let unit = program.find(&target.name)?.0;
            diagnostics::print(&program.units[unit].source, &[*error]);
            return Ok(None);
        }
    };
    for note in &sizes.assumed {
        output::eprint(&format!("note: {note} (--size says otherwise)"));
    }
    let obstacle = names.iter().find_map(|name| {
        let func = answer.module.find_func(name)?;
        independence::obstacle(&answer.module, func)
    });
    Ok(Some(Source {
        function: function.to_string(),
        text: format!("{}{text}", files::c_file(program, &answer)),
        obstacle,
    }))
}

/// Writes the C files into a directory.
pub fn write(source: &Source, directory: &Path) -> Result<(), Failure> {
    put(&directory.join("functions.c"), &source.text)?;
    put(&directory.join("main.c"), MAIN)
}

/// Writes everything that is needed where there is no Adjoin.
pub fn emit(source: &Source, directory: &Path, options: &ScaleOptions) -> Result<(), Failure> {
    std::fs::create_dir_all(directory).map_err(|e| cannot("make", directory, &e))?;
    write(source, directory)?;
    put(&directory.join("Makefile"), MAKEFILE)?;
    let script = SCRIPT
        .replace("@CALLS@", &options.calls.to_string())
        .replace("@REPETITIONS@", &options.repetitions.to_string())
        .replace("@COLUMNS@", rows::COLUMNS);
    let path = directory.join("run.sh");
    put(&path, &script)?;
    use std::os::unix::fs::PermissionsExt;
    let executable = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(&path, executable).map_err(|e| cannot("change", &path, &e))
}

/// Compiles for threads, or for ranks.
pub fn compile(
    program: &Program,
    options: &ScaleOptions,
    directory: &Path,
    ranks: bool,
) -> Result<PathBuf, Failure> {
    let binary = directory.join(if ranks { "scale-mpi" } else { "scale" });
    let mut arguments: Vec<OsString> = ["-O3", "-march=native", "-w", "-fopenmp"]
        .map(OsString::from)
        .to_vec();
    if ranks {
        arguments.push("-DADJOIN_MPI".into());
    }
    arguments.extend(["main.c", "functions.c"].map(|f| directory.join(f).into()));
    arguments.extend(["-o".into(), binary.clone().into()]);
    arguments.extend(program.flags.iter().cloned());
    arguments.push("-lm".into());
    let compiler = if ranks {
        crate::toolchain::Compiler::choose(Some(options.mpicc.as_ref()))
    } else {
        program.compiler.clone()
    };
    if compiler.run(&arguments)?.success() {
        return Ok(binary);
    }
    Err(
        Failure::new("the measuring program cannot be compiled: see the compiler's messages")
            .help("a function of another file or library may be missing: name the file, or the library as in `-- -lfoo`"),
    )
}

/// Writes a file as a whole: what is there is never half of it.
pub fn put(path: &Path, text: &str) -> Result<(), Failure> {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(".new");
    let new = path.with_file_name(name);
    std::fs::write(&new, text)
        .and_then(|()| std::fs::rename(&new, path))
        .map_err(|error| {
            let _ = std::fs::remove_file(&new);
            cannot("write", path, &error)
        })
}

fn cannot(what: &str, path: &Path, error: &std::io::Error) -> Failure {
    Failure::new(format!("cannot {what} `{}`: {error}", path.display()))
}
