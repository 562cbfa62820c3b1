//! What other tools need for the same functions: each script in `bench/peers` is asked which benchmarks it knows, given the numbers that Adjoin's run
//! started from and its gradient to compare with, and times its own primal and gradient.

use super::rows::Table;
use super::{Options, compile, headline, programs};
use crate::process::job;
use crate::workspace;
use std::path::Path;

/// What another tool measured.
#[derive(Clone, Debug)]
pub(crate) struct Peer {
    /// The tool.
    pub tool: String,
    /// The benchmark.
    pub benchmark: String,
    /// At this size.
    pub size: u64,
    /// Seconds of its primal.
    pub primal: f64,
    /// Seconds of its gradient.
    pub gradient: f64,
    /// The largest difference to Adjoin's gradient, relative.
    pub error: f64,
    /// Is that small?
    pub agrees: bool,
    /// Seconds of Adjoin's gradient.
    pub ours: f64,
}

/// Two right gradients differ by rounding only.
const AGREES: f64 = 1e-6;

/// The scripts, and what their tools are called.
const SCRIPTS: [(&str, &str); 3] = [
    ("enzyme.py", "Enzyme"),
    ("adolc.py", "ADOL-C"),
    ("jax_peer.py", "JAX"),
];

/// Asks all tools that are installed; those that are not are said so.
pub(crate) fn run(options: &Options, table: &Table, directory: &Path) -> Result<Vec<Peer>, String> {
    let folder = workspace::root().join("bench/peers");
    let variant = table.variants().into_iter().rev().find(|v| !v.fast_math);
    let Some(variant) = variant else {
        return Ok(Vec::new());
    };
    let mut known = Vec::new();
    for (script, tool) in SCRIPTS {
        let script = folder.join(script);
        let answer = job(&options.python)
            .arg(&script)
            .arg("--list")
            .limit(120)
            .run()?;
        if answer.success() {
            let names: Vec<String> = answer.stdout().lines().map(str::to_owned).collect();
            known.push((script, tool, names));
        } else {
            let text = answer.stderr();
            let last = text.lines().last().unwrap_or_default();
            println!("{tool}: not here ({last})");
        }
    }
    let mut list = Vec::new();
    for program in programs(options)? {
        let askable: Vec<_> = known
            .iter()
            .filter(|(.., names)| names.contains(&program.name))
            .collect();
        let row = table.row(&program.name, &variant);
        let Some(ours) = row.and_then(|r| r.result.as_ref().ok()?.first()) else {
            continue;
        };
        if askable.is_empty() {
            continue;
        }
        let binary = directory.join("gradient");
        let numbers = directory.join("numbers");
        let mut flags = options.flags.clone();
        flags.push("-w".into());
        compile(&program.file, &variant.compiler, &flags, &binary)?;
        let size = program.size.to_string();
        let written = job(&binary).arg(&size).arg(&numbers).limit(120).run()?;
        written.expect_success()?;
        for (script, tool, _) in askable {
            let run = job(&options.python)
                .arg(script)
                .args([&program.name, &size])
                .arg(&numbers)
                .limit(300)
                .run()?;
            let text = run.stdout();
            let field = |name: &str| -> Option<f64> {
                let line = text.lines().find_map(|line| line.strip_prefix(name))?;
                line.trim().parse().ok()
            };
            let (Some(primal), Some(gradient), Some(error)) =
                (field("primal "), field("gradient "), field("error "))
            else {
                let said = run.stderr();
                println!(
                    "{:18} {tool}: FAILED ({}): {}",
                    program.name,
                    run.end,
                    headline(&said)
                );
                continue;
            };
            let peer = Peer {
                tool: (*tool).to_owned(),
                benchmark: program.name.clone(),
                size: program.size,
                primal,
                gradient,
                error,
                agrees: error <= AGREES,
                ours: ours.gradient,
            };
            println!(
                "{:18} {:14} {:>8} {:11.4} {:12.4} {:8.2} {:>11} {:9.1e}   {:.1} times Adjoin's gradient{}",
                peer.benchmark,
                peer.tool,
                peer.size,
                1e3 * primal,
                1e3 * gradient,
                gradient / primal,
                "",
                error,
                gradient / peer.ours,
                if peer.agrees { "" } else { "   DIFFERS" }
            );
            list.push(peer);
        }
    }
    Ok(list)
}
