//! `target`, `teams` and `distribute`, as the host runs them: the device is the host, so that all memory is shared, and there is one team. That is one of the ways in which such
//! constructs may run, so what is lowered is a reading.
//!
//! A combined construct is what is left of it without those words; variables that `target` copies are new variables around it.

use crate::function::FunctionLowerer;
use crate::visit::Mentioned;
use crate::{Lower, refuse};
use adjoin_front::ast::{Omp, OmpArg, OmpClause, Span, VarId};
use adjoin_ir::{Type, Value};
use std::collections::BTreeSet;

/// What is left of a construct.
struct Rest<'n> {
    target: bool,
    /// The construct that is left, if any.
    name: &'n str,
    /// Its iterations may be those of different teams: one thread runs them all, and teams inside it are teams of their own.
    in_order: bool,
}

/// What a directive is on the host. `None`: it is none of these.
fn rest(directive: &str) -> Option<Rest<'_>> {
    let without = |text: &str, word: &str| match text.strip_prefix(word) {
        Some("") => Some(0),
        Some(rest) if rest.starts_with(' ') => Some(text.len() - rest.len() + 1),
        _ => None,
    };
    let mut name = directive;
    let mut found = [false; 3];
    for (k, word) in ["target", "teams", "distribute"].into_iter().enumerate() {
        if let Some(at) = without(name, word) {
            found[k] = true;
            name = if at == 0 { "" } else { &name[at..] };
        }
    }
    let [target, teams, distribute] = found;
    if !found.contains(&true) {
        return None;
    }
    let serial = distribute && !name.starts_with("parallel");
    let name = match name {
        "" | "simd" if distribute => "parallel for",
        "loop" if teams => "parallel loop",
        other => other,
    };
    Some(Rest {
        target,
        name,
        in_order: serial,
    })
}

/// Clauses that say where and by how many teams something runs, or what memory a device needs.
fn is_for_device(clause: &OmpClause, target: bool) -> bool {
    match clause.name.as_str() {
        "num_teams" | "thread_limit" | "dist_schedule" | "map" | "device" | "is_device_ptr"
        | "has_device_addr" | "use_device_ptr" | "use_device_addr" | "defaultmap"
        | "uses_allocators" | "to" | "from" => true,
        "nowait" | "depend" => target,
        "if" => clause.modifiers.iter().any(|m| m.starts_with("target")),
        _ => false,
    }
}

impl<'a> FunctionLowerer<'_, 'a> {
    /// A construct for devices or teams. `None`: it is another one.
    pub(super) fn of_teams(&mut self, omp: &'a Omp, span: Span) -> Option<Lower<()>> {
        let Rest {
            target,
            name,
            in_order,
        } = rest(&omp.directive)?;
        self.read_as(span, &format!("'#pragma omp {}'", omp.directive));
        // Nothing has to be moved.
        if matches!(name, "enter data" | "exit data" | "update") {
            return Some(Ok(()));
        }
        let alone = matches!(name, "" | "data");
        let copied = match self.copies(omp, target && name != "data", alone) {
            Ok(copied) => copied,
            Err(refused) => return Some(Err(refused)),
        };
        let done = match (&omp.body, alone) {
            (Some(body), true) => self.stmt(body),
            (None, true) => refuse(span, format!("'#pragma omp {}'", omp.directive)),
            (_, false) => self.construct_of(omp, name, in_order, span, &|clause| {
                !is_for_device(clause, target)
            }),
        };
        self.without_copies(copied);
        Some(done)
    }

    /// `scope`: all threads run it, with variables of their own, and wait for each other at its end.
    pub(super) fn scope_of_team(&mut self, omp: &'a Omp, span: Span) -> Lower<()> {
        let waits = !omp.clauses.iter().any(|c| c.name == "nowait");
        self.read_as(span, "'#pragma omp scope'");
        let reduced = self.scope_reductions(omp)?;
        let copied = self.copies(omp, false, true)?;
        let old = self.variable_copies(&reduced, span)?;
        let parts = self.parts(&reduced);
        let done = match &omp.body {
            Some(body) => self.stmt(body),
            None => Ok(()),
        };
        self.without_copies(old);
        self.without_copies(copied);
        done?;
        self.combine(&parts, span)?;
        if waits {
            self.barrier_here();
        }
        Ok(())
    }

    /// Variables are the originals again.
    pub(super) fn without_copies(&mut self, copied: Vec<(VarId, Option<Value>)>) {
        for (var, address) in copied.into_iter().rev() {
            match address {
                Some(a) => self.slots.insert(var, a),
                None => self.slots.remove(&var),
            };
        }
    }

    /// New variables for those that the construct has copies of. `own`: it has data clauses of its own.
    fn copies(
        &mut self,
        omp: &'a Omp,
        target: bool,
        own: bool,
    ) -> Lower<Vec<(VarId, Option<Value>)>> {
        let mut named = BTreeSet::new();
        let mut wanted: Vec<(VarId, bool)> = Vec::new();
        let mut keeps = false;
        for clause in &omp.clauses {
            keeps |= clause.name == "defaultmap"
                && (clause.modifiers.iter().any(|m| m.starts_with("tofrom"))
                    || (clause.args.iter()).any(|a| matches!(a, OmpArg::Word(w) if w == "tofrom")));
            for arg in &clause.args {
                let var = match arg {
                    OmpArg::Var(var, _) => Some(*var),
                    OmpArg::Section(base, _) => super::clauses::variable_of(base),
                    _ => None,
                };
                let Some(var) = var else { continue };
                named.insert(var);
                match clause.name.as_str() {
                    "private" if own => wanted.push((var, false)),
                    "firstprivate" if own => wanted.push((var, true)),
                    _ => {}
                }
            }
        }
        // What no clause of a `target` names, if it is a number or a pointer, is copied.
        if target
            && !keeps
            && let Some(body) = omp.body.as_deref()
        {
            let mut mentioned = Mentioned::new(self.unit);
            mentioned.stmt(body);
            let outside = |var: &VarId| self.slots.contains_key(var) && !named.contains(var);
            let vars = mentioned.vars.iter().copied().filter(outside);
            let scalars = vars.filter(|&var| {
                let v = &self.unit.vars[var];
                Type::of_ctype(self.m.types(), v.ty).is_some() && !self.is_variable_length(v.ty)
            });
            wanted.extend(scalars.map(|var| (var, true)));
        }
        let mut copied = Vec::new();
        for (var, first) in wanted {
            let v = &self.unit.vars[var];
            let (ty, span) = (v.ty, v.span);
            if Type::of_ctype(self.m.types(), ty).is_none() || self.is_variable_length(ty) {
                return refuse(
                    omp.body.as_ref().map_or(span, |b| b.span),
                    format!("a private copy of '{}'", v.name),
                );
            }
            let slot = self.new_slot(ty, Some(v.name.clone()), v.align);
            if first {
                let addr = self.variable(var, span)?;
                let place = crate::address::Place::Memory { addr, ty };
                let value = self.load(&place, span)?;
                self.store_to(slot, ty, value)?;
            }
            copied.push((var, self.slots.insert(var, slot)));
        }
        Ok(copied)
    }
}
