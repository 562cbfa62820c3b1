//! The verifier: what must hold of a module so that every pass, the interpreter and the emitter can rely on it. It takes any module,
//! however broken, and says what is wrong. Each invariant has a number, which errors name.
//!
//! Of the module
//! 1. Types are made of earlier types, and name records and enumerations that exist; qualifiers are not empty and not nested; no type is too deep or too long to write.
//! 2. The members of a record have types that exist and lie inside it; alignments are powers of two; an enumeration has an integer type.
//! 3. A global has a type and an owner that exist; its initial bytes fit into it; addresses in them are in order, do not overlap, fit, and refer to what exists.
//! 4. A function has a function type whose parameters and result can be values; the arguments of its entry region are the parameters.
//! 5. A source place is unknown or in a file that exists.
//!
//! Of a body's structure
//! 6. Operands, results, arguments, instructions and regions are ones that exist.
//! 7. It is a tree: an instruction is in one region's list, a region is held by one instruction (the entry by none), and their parent links say so.
//! 8. A value is defined once, and its definition link says where; its C type, if it has one, has its type.
//! 9. A region has exactly one terminator: its last instruction.
//! 10. An operand is defined before its use, in the same region or in one around it.
//! 11. Attributes name globals, functions, C types, records and members that exist.
//!
//! Of operations
//! 12. The numbers of operands, results and regions are those of the op's row.
//! 13. The types of operands and results follow the type rule of the op's row.
//! 14. A constant is a value of its type.
//! 15. Stack objects and addresses: an object's size is known; the steps of an address fit the C path, and have their operands.
//! 16. Memory accesses have an address and a value of a fitting type; a bit-field access is that of its member; a copy has the size of its C type.
//! 17. A call has the operands and the result of its C signature; an MPI call also has those of the MPI table.
//!
//! Of control
//! 18. The condition of an `if` is a bool; the regions of `if` and `block` have no arguments.
//! 19. The bounds and the step of a `for` have one integer type, which its index has too; region arguments and results fit the carried values.
//! 20. The arguments of a `loop`'s region are its carried values.
//! 21. A `switch` is over an integer; each region has one case, whose ranges fit the type and are disjoint; exactly one is the default; each region takes the carried values.
//! 22. A `par` has the operands and region arguments of its clauses, and a region unless it stands alone; a section is directly in sections.
//! 23. A `yield` gives what the instruction that holds its region takes.
//! 24. `break`, `continue` and `fallthrough` name an enclosing instruction of a fitting kind, and give what it takes.
//! 25. Nothing but the end of its region leaves a `par`.
//! 26. A `return` gives what the function returns.

mod control;
mod module_level;
mod rules;
mod structure;

use crate::module::*;
use std::fmt;

/// The invariants in words; number 1 is the first.
pub const INVARIANTS: [&str; 26] = [
    "types are made of earlier types",
    "the layout of a record or enumeration makes sense",
    "a global's type, owner and initial bytes fit",
    "a function's type fits, and its entry region takes the parameters",
    "a source place is in a file that exists",
    "ids in a body exist",
    "a body is a tree",
    "a value is defined once, where its link says, and has the type of its C type",
    "a region has exactly one terminator, at its end",
    "an operand is defined before its use, in the same region or around it",
    "attributes name what exists",
    "operands, results and regions are as many as the op has",
    "operands and results have the types of the op's rule",
    "a constant is a value of its type",
    "stack objects have a size, and the steps of an address fit its C path",
    "memory accesses have fitting operands",
    "a call has the operands and the result of its signature",
    "an `if` is over a bool, and its regions have no arguments",
    "a `for` has one integer type, and carries what its region takes",
    "a `loop` carries what its region takes",
    "a `switch` has one disjoint case per region, and one default",
    "a `par` has the operands and arguments of its clauses",
    "a `yield` gives what the instruction around it takes",
    "an early exit names an enclosing instruction that it can leave, and gives what that takes",
    "no early exit leaves a `par`",
    "a `return` gives what the function returns",
];

/// Not more errors than this are reported.
const MAX_ERRORS: usize = 100;

/// A broken invariant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VerifyError {
    /// The function.
    pub func: Option<Func>,
    /// The instruction.
    pub inst: Option<Inst>,
    /// The number of the invariant; see the list above.
    pub invariant: u32,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = INVARIANTS.get(self.invariant as usize - 1).unwrap_or(&"");
        write!(
            f,
            "{} (invariant {}: {words})",
            self.message, self.invariant
        )
    }
}

impl std::error::Error for VerifyError {}

/// Checks a module.
pub fn verify_module(module: &Module) -> Result<(), Vec<VerifyError>> {
    let mut errors = Errors::default();
    module_level::check_types(module, &mut errors);
    if errors.list.is_empty() {
        module_level::check_globals(module, &mut errors);
        for func in module.funcs.keys() {
            check_function(module, func, &mut errors);
        }
    }
    errors.result()
}

/// Checks a function, and the types of its module.
pub fn verify_function(module: &Module, func: Func) -> Result<(), Vec<VerifyError>> {
    let mut errors = Errors::default();
    module_level::check_types(module, &mut errors);
    if errors.list.is_empty() {
        check_function(module, func, &mut errors);
    }
    errors.result()
}

fn check_function(module: &Module, func: Func, errors: &mut Errors) {
    errors.func = Some(func);
    errors.inst = None;
    let Some(function) = module.funcs.get(func) else {
        return errors.report(6, "no such function");
    };
    errors.place = format!("function `{}`", function.name);
    if let Some(signature) = module_level::check_function_head(module, function, errors)
        && let Some(body) = &function.body
    {
        structure::check_body(module, &signature, body, errors);
    }
    errors.func = None;
    errors.inst = None;
    errors.place.clear();
}

/// The errors so far, and what is being looked at.
#[derive(Default)]
struct Errors {
    list: Vec<VerifyError>,
    func: Option<Func>,
    inst: Option<Inst>,
    place: String,
}

impl Errors {
    fn report(&mut self, invariant: u32, message: impl fmt::Display) {
        if self.list.len() < MAX_ERRORS {
            let place = if self.place.is_empty() {
                String::new()
            } else {
                format!("{}: ", self.place)
            };
            let inst = self.inst.map_or(String::new(), |i| format!("{i}: "));
            let message = format!("{place}{inst}{message}");
            self.list.push(VerifyError {
                func: self.func,
                inst: self.inst,
                invariant,
                message,
            });
        }
    }

    /// Reports unless `holds`; returns it.
    fn check(&mut self, holds: bool, invariant: u32, message: impl fmt::Display) -> bool {
        if !holds {
            self.report(invariant, message);
        }
        holds
    }

    fn result(self) -> Result<(), Vec<VerifyError>> {
        if self.list.is_empty() {
            Ok(())
        } else {
            Err(self.list)
        }
    }
}

#[cfg(test)]
mod tests {
    /// The numbers in the module's documentation and the table go together.
    #[test]
    fn invariants_are_numbered() {
        let documented = include_str!("mod.rs")
            .lines()
            .filter_map(|l| {
                l.strip_prefix("//! ")?
                    .split_once(". ")?
                    .0
                    .parse::<usize>()
                    .ok()
            })
            .collect::<Vec<_>>();
        assert_eq!(
            documented,
            (1..=super::INVARIANTS.len()).collect::<Vec<_>>()
        );
    }
}
