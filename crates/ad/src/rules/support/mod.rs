//! The functions that derivatives call and the math library lacks. They are written in C (`support.c`), and kept as IR (`support.ir`), so that nothing but the
//! IR is needed to give a module their bodies.
//!
//! While differentiation goes on they are declarations, known by their names: they have rows in the table, or carry no derivative. [`complete`]
//! gives them bodies at the end.
//!
//! After a change of the C file: `BLESS=1 cargo test -p adjoin-harness --test support`.

use crate::known::{
    GIVE, GIVE_TAPE, GROW, KEEP, LEND, TAKE, TAKE_BLOCK, TAKE_TAPE, TAKE_ZEROED, again, outside,
};
use adjoin_ir::{Func, Linkage, Module, parse_module};

/// The functions, in the text form of the IR.
const TEXT: &str = include_str!("support.ir");

/// The functions that run checkpointed loops: they take part in derivatives as the program's own do, so they have bodies from the start.
const CHECKPOINTS: &str = include_str!("checkpoint.ir");

/// The functions that find shadows of memory that was there before the call.
const OUTSIDE: &str = include_str!("outside.ir");

/// The functions that add up what threads added to copies.
const COPIES: &str = include_str!("copies.ir");

/// The functions that note what a function overwrites.
const AGAIN: &str = include_str!("again.ir");

/// Gives a module the functions that run checkpointed loops.
pub fn add_checkpoints(module: &mut Module) {
    if module.find_func("adjoin_checkpoint_new").is_some() {
        return;
    }
    let support = parse_module(CHECKPOINTS).expect("the functions are valid IR (tested)");
    let known = module.funcs.len();
    module.absorb(&support, "adjoin");
    for function in module.funcs.values_mut().skip(known) {
        if function.body.is_some() {
            function.linkage = Linkage::Static;
        }
    }
}

/// Is it a name of a function that is written here?
fn is_ours(name: &str) -> bool {
    let stem = |s: &str| {
        name.strip_prefix(s)
            .is_some_and(|rest| ["", "f", "l"].contains(&rest))
    };
    [
        "adjoin_polygamma",
        "adjoin_exponent",
        "adjoin_quotient",
        "adjoin_gamma_sign",
    ]
    .into_iter()
    .any(stem)
        || [
            "adjoin_sort_order",
            "adjoin_search",
            "adjoin_lowest",
            "adjoin_highest",
            "adjoin_widest",
            "adjoin_is_apart",
            "adjoin_way",
            "adjoin_chunk_that_is_set",
            "adjoin_ask_schedule",
            "adjoin_complain",
            "adjoin_find_memory",
            "adjoin_fresh_memory",
            "adjoin_use_pages",
            "adjoin_release_memory",
            "adjoin_count_memory",
            "adjoin_size_of",
            "adjoin_size_step",
            "adjoin_small_list",
            "adjoin_small_memory",
            "adjoin_keep_small",
            "adjoin_most_memory",
            "adjoin_add_block",
            "adjoin_drop_block",
            "adjoin_keep_block",
            "adjoin_lend",
            LEND,
            TAKE,
            GROW,
            GIVE,
            TAKE_BLOCK,
            TAKE_TAPE,
            GIVE_TAPE,
            TAKE_ZEROED,
            KEEP,
        ]
        .contains(&name)
}

/// Is it a name of a function that finds shadows?
fn finds_shadows(name: &str) -> bool {
    let own = [
        "adjoin_outside_of",
        "adjoin_open_window",
        "adjoin_clear_window",
    ];
    outside::ALL.contains(&name) || own.contains(&name)
}

/// Is it a name of a function that notes what is overwritten?
fn notes(name: &str) -> bool {
    let own = [
        "adjoin_find_line",
        "adjoin_more_lines",
        "adjoin_check_notes",
    ];
    again::ALL.contains(&name) || own.contains(&name)
}

/// Is it a name of a function that adds up copies?
fn sums_copies(name: &str) -> bool {
    [
        "adjoin_sum_copies_",
        "adjoin_sum_reached_",
        "adjoin_sum_rows_",
    ]
    .iter()
    .any(|s| name.starts_with(s))
        || name == "adjoin_start_of_part"
}

/// Gives the functions bodies, if a module declares any of them.
pub fn complete(module: &mut Module) {
    adjoin_passes::registry::optional("lend", || crate::reverse::lend(module));
    adjoin_passes::registry::optional("rooms", || crate::reverse::gather_rooms(module));
    complete_with(module, TEXT, is_ours);
    complete_with(module, OUTSIDE, finds_shadows);
    complete_with(module, COPIES, sums_copies);
    complete_with(module, AGAIN, notes);
    let all: Vec<Func> = module.funcs.keys().collect();
    for func in all {
        super::tidy::tidy(module, func);
    }
}

fn complete_with(module: &mut Module, text: &str, is_ours: fn(&str) -> bool) {
    let mut all = module.funcs.values();
    if !all.any(|f| f.body.is_none() && is_ours(&f.name)) {
        return;
    }
    let support = parse_module(text).expect("the support functions are valid IR (tested)");
    module.absorb(&support, "adjoin");
    for function in module.funcs.values_mut() {
        if function.body.is_some() && is_ours(&function.name) {
            function.linkage = Linkage::Static;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_is_valid() {
        type Test = fn(&str) -> bool;
        let all = [
            (TEXT, is_ours as Test),
            (OUTSIDE, finds_shadows),
            (COPIES, sums_copies),
            (AGAIN, notes),
        ];
        for (text, is_ours) in all {
            let module = parse_module(text).expect("it is read");
            adjoin_ir::verify_module(&module).expect("it is valid");
            for function in module.funcs.values().filter(|f| f.body.is_some()) {
                assert!(is_ours(&function.name), "{}", function.name);
            }
        }
    }
}
