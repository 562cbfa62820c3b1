//! How parallel constructs are written and read:
//! `par parallel_for [reduction add "sum" double v1, schedule static v2, nowait] (v3: ptr) { … }`.

use crate::attr::*;
use crate::lex::Token;
use crate::module::Value;
use crate::parse::Reader;
use crate::print::Writer;
use crate::text::{Attribute, IdMap, TextResult, Words};

impl Words for Directive {
    const WORDS: &'static [(Self, &'static str)] = &[
        (Directive::Parallel, "parallel"),
        (Directive::For, "for"),
        (Directive::ParallelFor, "parallel_for"),
        (Directive::Simd, "simd"),
        (Directive::ForSimd, "for_simd"),
        (Directive::ParallelForSimd, "parallel_for_simd"),
        (Directive::Sections, "sections"),
        (Directive::ParallelSections, "parallel_sections"),
        (Directive::Section, "section"),
        (Directive::Single, "single"),
        (Directive::Master, "master"),
        (Directive::Masked, "masked"),
        (Directive::Critical { name: None }, "critical"),
        (Directive::Atomic(AtomicKind::Read), "atomic_read"),
        (Directive::Atomic(AtomicKind::Write), "atomic_write"),
        (Directive::Atomic(AtomicKind::Update), "atomic_update"),
        (Directive::Atomic(AtomicKind::Capture), "atomic_capture"),
        (Directive::Task, "task"),
        (Directive::Taskgroup, "taskgroup"),
        (Directive::Taskloop, "taskloop"),
        (Directive::TaskloopSimd, "taskloop_simd"),
        (Directive::Ordered, "ordered"),
        (Directive::Barrier, "barrier"),
        (Directive::Taskwait, "taskwait"),
        (Directive::Taskyield, "taskyield"),
        (Directive::Flush, "flush"),
    ];
}

impl Words for ReduceOp {
    const WORDS: &'static [(Self, &'static str)] = &[
        (ReduceOp::Add, "add"),
        (ReduceOp::Sub, "sub"),
        (ReduceOp::Mul, "mul"),
        (ReduceOp::Min, "min"),
        (ReduceOp::Max, "max"),
        (ReduceOp::BitAnd, "and"),
        (ReduceOp::BitOr, "or"),
        (ReduceOp::BitXor, "xor"),
        (ReduceOp::LogAnd, "logical_and"),
        (ReduceOp::LogOr, "logical_or"),
    ];
}

impl Words for Schedule {
    const WORDS: &'static [(Self, &'static str)] = &[
        (Schedule::Static, "static"),
        (Schedule::Dynamic, "dynamic"),
        (Schedule::Guided, "guided"),
        (Schedule::Auto, "auto"),
        (Schedule::Runtime, "runtime"),
    ];
}

/// The data clauses without `reduction`, which names an operator.
impl Words for DataKind {
    const WORDS: &'static [(Self, &'static str)] = &[
        (DataKind::Shared, "shared"),
        (DataKind::Private, "private"),
        (DataKind::FirstPrivate, "firstprivate"),
        (DataKind::LastPrivate, "lastprivate"),
        (DataKind::FirstLastPrivate, "firstlastprivate"),
        (DataKind::Linear, "linear"),
        (DataKind::CopyPrivate, "copyprivate"),
        (DataKind::CopyIn, "copyin"),
    ];
}

/// The clauses that are one word; those with an operand have it behind.
impl Words for Clause {
    const WORDS: &'static [(Self, &'static str)] = &[
        (Clause::NumThreads, "num_threads"),
        (Clause::If, "if"),
        (Clause::Nowait, "nowait"),
        (Clause::Ordered, "ordered"),
        (Clause::Final, "final"),
        (Clause::Priority, "priority"),
        (Clause::Grainsize, "grainsize"),
        (Clause::NumTasks, "num_tasks"),
        (Clause::Untied, "untied"),
        (Clause::Mergeable, "mergeable"),
        (Clause::Nogroup, "nogroup"),
        (Clause::Filter, "filter"),
        (Clause::DependIn, "depend_in"),
        (Clause::DependOut, "depend_out"),
    ];
}

impl Attribute for ParAttr {
    fn print(&self, out: &mut Writer<'_>, operands: &[Value]) {
        match &self.directive {
            Directive::Critical { name: Some(name) } => {
                out.word("critical");
                out.string(name);
            }
            other => out.word(other.word()),
        }
        let mut operands = operands.iter();
        for (k, clause) in self.clauses.iter().enumerate() {
            out.push(if k == 0 { " [" } else { ", " });
            print_clause(clause, out, &mut operands);
        }
        out.push(if self.clauses.is_empty() { "" } else { "]" });
        out.operands(operands.as_slice());
    }

    fn parse(input: &mut Reader<'_>, operands: &mut Vec<Value>) -> TextResult<Self> {
        let mut directive = input.choice::<Directive>("a parallel construct")?.clone();
        if let Directive::Critical { name } = &mut directive {
            *name = input.optional_string()?;
        }
        let mut clauses = Vec::new();
        if input.accept(b'[') {
            loop {
                clauses.push(parse_clause(input, operands)?);
                if !input.accept(b',') {
                    break;
                }
            }
            input.mark(b']')?;
        }
        input.operands(operands)?;
        Ok(ParAttr { directive, clauses })
    }

    fn map_ids(&mut self, map: &mut dyn IdMap) {
        for clause in &mut self.clauses {
            if let Clause::Data { ctype, .. } = clause {
                map.ctype(ctype);
            }
        }
    }
}

/// Writes a clause without a space before it, with its operands.
fn print_clause(clause: &Clause, out: &mut Writer<'_>, operands: &mut std::slice::Iter<'_, Value>) {
    match clause {
        Clause::Data {
            kind,
            ctype,
            name,
            section,
        } => {
            match kind {
                DataKind::Reduction(op) => out.push(&format!("reduction {}", op.word())),
                other => out.push(other.word()),
            }
            out.string(name);
            out.push(" ");
            out.ctype(*ctype);
            out.push(" ");
            out.value(operands.next());
            if *section {
                out.word("count ");
                out.value(operands.next());
            }
            return;
        }
        Clause::Schedule { kind, modifier, .. } => {
            out.push(&format!("schedule {}", kind.word()));
            if let Some(modifier) = modifier {
                out.string(modifier);
            }
        }
        Clause::Collapse(n) => out.push(&format!("collapse {n}")),
        Clause::Safelen(n) => out.push(&format!("safelen {n}")),
        Clause::Simdlen(n) => out.push(&format!("simdlen {n}")),
        Clause::Verbatim(text) => {
            out.push("verbatim");
            out.string(text);
        }
        other => out.push(other.word()),
    }
    for _ in 0..clause.operands() {
        out.push(" ");
        out.value(operands.next());
    }
}

fn parse_clause(input: &mut Reader<'_>, operands: &mut Vec<Value>) -> TextResult<Clause> {
    let word = input.any_word("a clause")?;
    let data = match word {
        "reduction" => Some(DataKind::Reduction(
            *input.choice::<ReduceOp>("a reduction operator")?,
        )),
        _ => DataKind::from_word(word).copied(),
    };
    if let Some(kind) = data {
        let name = input.string()?;
        let ctype = input.ctype()?;
        operands.push(input.value()?);
        let section = input.accept_word("count");
        if section {
            operands.push(input.value()?);
        }
        return Ok(Clause::Data {
            kind,
            ctype,
            name,
            section,
        });
    }
    let clause = match word {
        "schedule" => {
            let kind = *input.choice::<Schedule>("a schedule")?;
            let modifier = input.optional_string()?;
            let chunk = matches!(input.peek(), Token::Word(_));
            Clause::Schedule {
                kind,
                chunk,
                modifier,
            }
        }
        "collapse" => Clause::Collapse(input.small()?),
        "safelen" => Clause::Safelen(input.small()?),
        "simdlen" => Clause::Simdlen(input.small()?),
        "verbatim" => Clause::Verbatim(input.string()?),
        _ => match Clause::from_word(word) {
            Some(clause) => clause.clone(),
            None => return input.error_before(format!("`{word}` is no clause")),
        },
    };
    for _ in 0..clause.operands() {
        operands.push(input.value()?);
    }
    Ok(clause)
}
