//! Transformations over the IR. A pass is a name, a sentence and a function; the pipeline is the list [`PASSES`].
//!
//! Every pass takes a verified module and leaves a verified module (debug builds check that after each).

pub mod algebra;
pub mod borders;
pub mod copy;
pub mod counted;
pub mod edit;
pub mod inclusive;
pub mod inline;
pub mod loop_tests;
pub mod mem2reg;
pub mod narrow;
pub mod openmp;
pub mod prototypes;
pub mod prune;
pub mod registry;
pub mod rows;
pub mod serialise;
pub mod simplify;
pub mod sroa;
pub mod unread;
pub mod unroll;
pub mod unswitch;
pub mod walks;

use adjoin_ir::{Body, CTypes, Module};

/// A transformation of one function body.
#[derive(Clone, Copy)]
pub struct Pass {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it does, in a sentence.
    pub about: &'static str,
    run: fn(&CTypes, &mut Body),
}

impl std::fmt::Debug for Pass {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// The pipeline, in order.
pub static PASSES: &[Pass] = &[
    Pass {
        name: "mem2reg",
        about: "turns scalar stack objects whose address is not taken into SSA values",
        run: mem2reg::run,
    },
    Pass {
        name: "simplify",
        about: "folds constants and casts, and removes control flow that decides nothing",
        run: simplify::run,
    },
    Pass {
        name: "prune",
        about: "removes what no effect and no result needs, carried values included",
        run: prune::run,
    },
    Pass {
        name: "counted",
        about: "turns loops with an index, an invariant bound and a constant step into `for`",
        run: counted::run,
    },
    Pass {
        name: "prune2",
        about: "removes what the loop conversion left unused",
        run: prune::run,
    },
];

impl Pass {
    /// Runs the pass over every function of a module.
    pub fn run(&self, module: &mut Module) {
        for func in module.funcs.keys().collect::<Vec<_>>() {
            if let Some(mut body) = module.funcs[func].body.take() {
                (self.run)(&module.types, &mut body);
                module.funcs[func].body = Some(body);
            }
        }
    }
}

/// Runs the pipeline, up to and including the pass called `until` if there is one. The error is the name that is no pass's.
pub fn run_pipeline(module: &mut Module, until: Option<&str>) -> Result<(), String> {
    if let Some(name) = until
        && !PASSES.iter().any(|p| p.name == name)
    {
        return Err(name.to_string());
    }
    prototypes::run(module);
    for pass in PASSES {
        pass.run(module);
        if Some(pass.name) == until {
            break;
        }
    }
    Ok(())
}
