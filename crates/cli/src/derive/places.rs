//! From a place in the IR's terms (file, line, column) back to the text.

use adjoin_front::Parsed;
use adjoin_front::ast::{Span, Stmt, StmtKind};
use adjoin_ir::Span as Place;
use std::collections::BTreeMap;

/// The place of a span in the IR's terms.
pub fn ir_span(parsed: &Parsed, span: Span) -> Place {
    let place = parsed.source.place(span);
    Place {
        file: place.file,
        line: place.line,
        col: place.col,
    }
}

/// The spans of everything that lowered code can point at, by file and line.
pub struct Places<'a> {
    parsed: &'a Parsed,
    lines: BTreeMap<(u32, u32), Vec<Span>>,
}

impl<'a> Places<'a> {
    /// Of a unit.
    pub fn of(parsed: &'a Parsed) -> Self {
        let mut places = Places {
            parsed,
            lines: BTreeMap::new(),
        };
        let unit = &parsed.unit;
        for function in unit.funcs.values() {
            places.add(function.span);
            let Some(body) = function.body.as_ref().filter(|b| !b.in_system_header) else {
                continue;
            };
            adjoin_front::walk::expressions(unit, body, &mut |e| places.add(e.span));
            places.statements(&body.block);
        }
        for variable in unit.vars.values() {
            places.add(variable.span);
        }
        places
    }

    fn statements(&mut self, list: &[Stmt]) {
        for statement in list {
            self.add(statement.span);
            match &statement.kind {
                StmtKind::Block(list) => self.statements(list),
                StmtKind::If {
                    then, otherwise, ..
                } => {
                    self.statements(std::slice::from_ref(then));
                    if let Some(s) = otherwise {
                        self.statements(std::slice::from_ref(s));
                    }
                }
                StmtKind::While { body, .. }
                | StmtKind::DoWhile { body, .. }
                | StmtKind::For { body, .. }
                | StmtKind::Switch { body, .. } => self.statements(std::slice::from_ref(body)),
                StmtKind::Omp(omp) => {
                    if let Some(s) = &omp.body {
                        self.statements(std::slice::from_ref(s));
                    }
                }
                _ => {}
            }
        }
    }

    fn add(&mut self, span: Span) {
        if span.end > span.start {
            let line = self.parsed.source.line(span.start);
            self.lines.entry(line).or_default().push(span);
        }
    }

    /// What is at a place: of several, the largest that fits on its line.
    pub fn find(&self, place: Place) -> Option<Span> {
        if place.line == 0 {
            return None;
        }
        let candidates = self.lines.get(&(place.file, place.line))?;
        let text = &self.parsed.source.text;
        let on_one_line = |span: &Span| {
            let bytes = text.get(span.start as usize..span.end as usize);
            bytes.is_some_and(|b| !b.contains(&b'\n'))
        };
        let fits = |span: &&Span| ir_span(self.parsed, **span) == place;
        let found: Vec<&Span> = candidates.iter().filter(fits).collect();
        let lengths = |span: &&&Span| span.end - span.start;
        found
            .iter()
            .filter(|span| on_one_line(span))
            .max_by_key(lengths)
            .or_else(|| found.iter().min_by_key(lengths))
            .map(|span| **span)
    }
}
