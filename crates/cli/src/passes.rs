//! `adjoin passes`, and the options that switch passes off and time them.

use crate::failure::{Failure, Outcome};
use crate::output;
use crate::pipeline::LOWER;
use adjoin_passes::registry::{self, Kind, Listed, NotSwitched, Stage};
use clap::Args;

/// Options that all commands have.
#[derive(Args, Debug, Default, Clone, PartialEq, Eq)]
pub struct PassOptions {
    /// Leave a pass out; repeat for several (`adjoin passes` lists them)
    #[arg(
        long = "no-pass",
        value_name = "NAME",
        value_delimiter = ',',
        global = true,
        hide_short_help = true
    )]
    pub no_pass: Vec<String>,
    /// Print how long each stage and pass took, on standard error
    #[arg(long, global = true, hide_short_help = true)]
    pub time_passes: bool,
}

impl PassOptions {
    /// Makes them hold for what this thread does from now on.
    pub fn apply(&self) -> Result<(), Failure> {
        for name in &self.no_pass {
            registry::switch_off(name).map_err(|reason| refused(name, reason))?;
        }
        if self.time_passes {
            registry::measure_times();
        }
        Ok(())
    }

    /// Takes an argument of `adjoin cc`, if it is one of these options.
    pub fn take(&mut self, word: &str) -> bool {
        let names = ["-fadjoin-no-pass=", "--no-pass="].iter();
        if let Some(names) = names.filter_map(|start| word.strip_prefix(start)).next() {
            self.no_pass.extend(names.split(',').map(str::to_owned));
        } else if word == "-fadjoin-time-passes" || word == "--time-passes" {
            self.time_passes = true;
        } else {
            return false;
        }
        true
    }
}

fn refused(name: &str, reason: NotSwitched) -> Failure {
    match reason {
        NotSwitched::Unknown => {
            let names: Vec<&str> = registry::optional_names().collect();
            Failure::new(format!("there is no pass `{name}`"))
                .help(format!("these can be left out: {}", names.join(", ")))
        }
        NotSwitched::Required => Failure::new(format!("`{name}` cannot be left out"))
            .help("what comes later relies on it"),
    }
}

/// Prints the table of times, if they were asked for.
pub fn print_times() {
    if let Some(table) = registry::time_table() {
        eprint!("{table}");
    }
}

/// `adjoin passes`
pub fn list() -> Result<Outcome, Failure> {
    let names = registry::LISTED.iter().map(|listed| listed.name.len());
    let width = names.max().unwrap_or(0);
    let mut text = String::new();
    for (stage, title) in [
        (Stage::Front, "front: on every function, as it comes from C"),
        (
            Stage::Before,
            "before: on a function that is to be differentiated",
        ),
        (
            Stage::Planning,
            "planning: while its derivative is planned and made",
        ),
        (Stage::After, "after: on the derivative"),
    ] {
        text.push_str(&format!("{title}\n"));
        let here = |listed: &&Listed| listed.stages.contains(&stage);
        for listed in registry::LISTED.iter().filter(here) {
            let again = listed.stages.first() != Some(&stage);
            let about = match (listed.kind, again) {
                (_, true) => "again".to_string(),
                (Kind::Optional, _) => listed.about.to_string(),
                (Kind::Required, _) => format!("{} (always)", listed.about),
            };
            text.push_str(&format!("  {:width$}  {about}\n", listed.name));
        }
    }
    let stops: Vec<&str> = adjoin_passes::PASSES.iter().map(|p| p.name).collect();
    text.push_str(&format!(
        "`--after` of `adjoin ir` takes: {LOWER}, {}\n",
        stops.join(", ")
    ));
    output::print(text.as_bytes())
}
