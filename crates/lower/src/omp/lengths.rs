//! Private copies of arrays whose length varies: each thread makes its own ([`super::own_copies`]). A reduction of such an array is one of all its elements.

use super::clauses::{Bound, Clauses};
use super::own_copies::Copy;
use crate::function::FunctionLowerer;
use crate::{Lower, refuse};
use adjoin_front::ast::{Omp, OmpClause, Span, VarId};
use adjoin_ir::{Clause, CopyAttr, DataKind, Directive, ForAttr, MemAttr, Op, Pred, Type, Value};

/// A variable of which each thread makes a copy.
#[derive(Clone, Copy)]
pub(super) struct Copied {
    pub var: VarId,
    pub how: Copy,
}

impl<'a> FunctionLowerer<'_, 'a> {
    /// A data clause of an array whose length varies.
    pub(super) fn variable_clause(
        &mut self,
        kind: DataKind,
        var: VarId,
        span: Span,
        out: &mut Clauses,
    ) -> Lower<()> {
        let v = &self.unit.vars[var];
        let how = match kind {
            DataKind::Private => Copy::Fresh,
            DataKind::FirstPrivate => Copy::First,
            DataKind::Reduction(_) => return self.whole_section(kind, var, span, out),
            _ => {
                return refuse(
                    span,
                    format!("a private copy of '{}': its length varies", v.name),
                );
            }
        };
        self.read_as(span, &format!("a private copy of '{}'", v.name));
        out.copied.push(Copied { var, how });
        Ok(())
    }

    /// All elements of an array, as a section.
    fn whole_section(
        &mut self,
        kind: DataKind,
        var: VarId,
        span: Span,
        out: &mut Clauses,
    ) -> Lower<()> {
        let v = &self.unit.vars[var];
        self.read_as(span, &format!("a reduction of '{}'", v.name));
        let (count, element) = self.count_elements(v.ty, span)?;
        let (Some(count), address) = (count, self.variable(var, span)?) else {
            return refuse(span, format!("a reduction of '{}'", v.name));
        };
        out.list.push(Clause::Data {
            kind,
            ctype: element,
            name: v.name.clone(),
            section: true,
        });
        out.operands.extend([address, count]);
        let lower = self.int(0, Type::I32);
        out.bound.push(Bound {
            var,
            section: Some((lower, element)),
        });
        Ok(())
    }

    /// Copies for the thread that comes here, and the addresses that they take the place of.
    pub(super) fn variable_copies(
        &mut self,
        copied: &[Copied],
        span: Span,
    ) -> Lower<Vec<(VarId, Option<Value>)>> {
        let mut old = Vec::new();
        for &copied in copied {
            let var = copied.var;
            let original = self.variable(var, span)?;
            let copy = match copied.how {
                Copy::Fresh | Copy::First => self.variable_length_slot(var)?,
                _ => self.reduced_copy(copied, original, span)?,
            };
            if matches!(copied.how, Copy::First) {
                self.copy_elements(var, copy, original, span)?;
            }
            self.shared.remove(&var);
            old.push((var, self.slots.insert(var, copy)));
        }
        // Nobody combines before everybody has read the original.
        if copied.iter().any(|c| self.reads_original(c)) {
            self.barrier_here();
        }
        Ok(old)
    }

    fn copy_elements(&mut self, var: VarId, to: Value, from: Value, span: Span) -> Lower<()> {
        let (count, element) = self.count_elements(self.unit.vars[var].ty, span)?;
        let Some(count) = count else { return Ok(()) };
        let upper = self.cast(count, Type::I64, None);
        let (zero, one) = (self.int(0, Type::I64), self.int(1, Type::I64));
        let attr = ForAttr::plain(Pred::Lt);
        let inst = self.emit(Op::For(attr), vec![zero, upper, one]);
        self.result(inst, Type::I64, None);
        let region = self.body.add_region(inst);
        let index = self.body.add_arg(region, Type::I64);
        let old = self.enter(region);
        let mut places = [to, from];
        for place in &mut places {
            let mut path = crate::address::Path::new(*place, element, false);
            self.push_index_of(&mut path, element, index, span)?;
            let pointer = self.m.pointer(element);
            *place = self.finish(path, pointer);
        }
        let [to, from] = places;
        match Type::of_ctype(self.m.types(), element) {
            Some(ty) => {
                let v = self.value(Op::Load(MemAttr::default()), vec![from], ty, Some(element));
                self.emit(Op::Store(MemAttr::default()), vec![to, v]);
            }
            None => {
                let Some(bytes) = self.m.types().size_of(element) else {
                    return refuse(span, "a private copy of an incomplete type");
                };
                let ctype = Some(element);
                self.emit(Op::Copy(CopyAttr { bytes, ctype }), vec![to, from]);
            }
        }
        self.end_region(inst, vec![]);
        self.leave(old);
        Ok(())
    }

    /// A combined construct with such copies: its parts one in the other, so that each thread makes its copies between them. `None`: it has only one part.
    pub(super) fn in_parts(
        &mut self,
        omp: &'a Omp,
        directive: &Directive,
        in_order: bool,
        span: Span,
        wanted: &dyn Fn(&OmpClause) -> bool,
    ) -> Option<Lower<()>> {
        let inner = match directive {
            Directive::ParallelFor => "for",
            Directive::ParallelForSimd => "for simd",
            Directive::ParallelSections => "sections",
            _ => return None,
        };
        let is_for_team = |c: &OmpClause| super::is_for_team(c) || c.name == "if";
        let mut clauses = Clauses::default();
        let done = self
            .some_clauses(omp, &Directive::Parallel, &mut clauses, &|c| {
                wanted(c) && is_for_team(c)
            })
            .and_then(|()| {
                self.at = span;
                self.construct(Directive::Parallel, clauses, |this| {
                    this.construct_of(omp, inner, in_order, span, &|c| {
                        wanted(c) && !is_for_team(c)
                    })
                })
            });
        Some(done)
    }
}
