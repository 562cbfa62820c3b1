//! `adjoin explain`: what a derivative stores, reads again and computes again, and why; as text, as JSON and as a page of HTML.

use super::options::ExplainOptions;
use super::program::{self, Program};
use super::request::by_value;
use super::{Kind, Order};
use crate::failure::{Failure, Outcome};
use crate::output;
use adjoin_ad::plan::report::{ActiveKind, Cached, Layout, Report};
use adjoin_ad::{Activity, Request};
use adjoin_ir::Span;
use serde_json::{Value, json};
use std::fmt::Write;

/// A report, and the names of the files that its places are in.
struct Explained {
    report: Report,
    files: Vec<String>,
}

/// `adjoin explain`
pub fn run(options: &ExplainOptions) -> Result<Outcome, Failure> {
    let Some(program) = Program::read(&options.target)? else {
        return Ok(Outcome::FAILURE);
    };
    let mut all = Vec::new();
    for function in &options.target.functions {
        let wrt = options.target.wrt.iter().flat_map(|w| super::split(w));
        let wrt: Vec<String> = wrt.collect();
        let order = Order {
            kind: Kind::Vjp,
            function: function.clone(),
            wrt: (!wrt.is_empty()).then_some(wrt),
            name: None,
            batch: None,
            form: Default::default(),
        };
        match explain(&program, options, &order)? {
            Some(explained) => all.push(explained),
            None => return Ok(Outcome::FAILURE),
        }
    }
    let text = if options.json {
        let reports: Vec<Value> = all.iter().map(as_json).collect();
        let value = match &reports[..] {
            [one] => one.clone(),
            _ => Value::Array(reports),
        };
        format!("{value:#}\n")
    } else if options.html {
        page(&all)
    } else {
        let texts: Vec<String> = all.iter().map(as_text).collect();
        texts.join("\n")
    };
    output::print(text.as_bytes())
}

fn explain(
    program: &Program,
    options: &ExplainOptions,
    order: &Order,
) -> Result<Option<Explained>, Failure> {
    let (unit, _) = program.find(&order.function)?;
    let orders = std::slice::from_ref(order);
    let Some(described) = super::describe(program, unit, &options.target, orders)? else {
        return Ok(None);
    };
    let (target, roles) = &described[0];
    let Some((_, mut built)) = program.build(unit, "")? else {
        return Ok(None);
    };
    let Some(mut session) = built.session(program) else {
        return Ok(None);
    };
    let Some(func) = built.module.find_func(&order.function) else {
        return Ok(None);
    };
    let activity = target.params.iter().zip(&roles.params).map(|(p, role)| {
        if !role.active() {
            Activity::Const
        } else if by_value(p) {
            Activity::Out
        } else {
            Activity::Dup
        }
    });
    let request = Request {
        active_return: roles.result,
        seed_argument: roles.result,
        primal_return: true,
        ..Request::new(func, format!("{}_vjp", order.function), activity.collect())
    };
    match session.explain(&built.module, &request) {
        Ok(mut report) => Ok(Some(Explained {
            report: {
                // Parameters are declared where the function is, not where its body begins.
                let begin = std::mem::replace(&mut report.span, built.module.funcs[func].span);
                for a in &mut report.active {
                    if a.kind == ActiveKind::Parameter && a.span == begin {
                        a.span = report.span;
                    }
                }
                report
            },
            files: built.module.files.clone(),
        })),
        Err(error) => {
            program::report(program, unit, &built, &error, target);
            Ok(None)
        }
    }
}

impl Explained {
    fn place(&self, span: Span) -> String {
        match self.files.get(span.file as usize) {
            Some(file) if span.line > 0 => format!("{file}:{}", span.line),
            _ => "–".to_string(),
        }
    }

    /// The bytes of a cache.
    fn size(&self, c: &Cached) -> String {
        let bytes = |n: u64| match n {
            1 => "1 byte".to_string(),
            n => format!("{n} bytes"),
        };
        let simple = c
            .elements
            .chars()
            .all(|ch| ch.is_ascii_alphanumeric() || ch == '_');
        match (c.layout, c.elements.parse::<u64>()) {
            (Layout::Growing, _) => format!("{} each", bytes(c.element_bytes)),
            (_, Ok(n)) => bytes(n * c.element_bytes),
            (Layout::Variable, _) => bytes(c.element_bytes),
            _ if simple => format!("{} * {} bytes", c.element_bytes, c.elements),
            _ => format!("{} * ({}) bytes", c.element_bytes, c.elements),
        }
    }
}

/// Rows in columns.
fn table(out: &mut String, rows: &[Vec<String>]) {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns)
        .map(|c| {
            let cells = rows.iter().filter_map(|r| r.get(c));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        })
        .collect();
    for row in rows {
        let mut line = String::from(" ");
        for (cell, width) in row.iter().zip(&widths) {
            let _ = write!(line, " {cell:width$} ");
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
}

fn as_text(e: &Explained) -> String {
    let report = &e.report;
    let mut out = format!(
        "{} ({}), reverse mode\n",
        report.function,
        e.place(report.span)
    );
    let heading = |out: &mut String, title: &str, about: &str, empty: bool| {
        let none = if empty { ": nothing" } else { "" };
        let _ = writeln!(out, "\n{title} ({about}){none}");
    };
    heading(
        &mut out,
        "Active",
        "carries derivatives",
        report.active.is_empty(),
    );
    let rows = report.active.iter().map(|a| {
        vec![
            a.name.clone(),
            a.ctype.clone(),
            a.kind.word().to_string(),
            e.place(a.span),
        ]
    });
    table(&mut out, &rows.collect::<Vec<_>>());
    heading(
        &mut out,
        "Stored",
        "by the forward sweep for the reverse sweep",
        report.cached.is_empty(),
    );
    // Loops that were written out keep the same thing several times.
    let mut stored: Vec<(String, usize)> = Vec::new();
    for c in &report.cached {
        let how = match c.layout {
            Layout::Variable => "in a variable".to_string(),
            Layout::Indexed => format!("in an array of {} {}", c.elements, c.element),
            Layout::Growing => format!("in an array of {} that grows, {}", c.element, c.elements),
        };
        let blocked = c
            .blocked_by
            .map(|s| format!(" ({})", e.place(s)))
            .unwrap_or_default();
        let text = format!(
            "{}: {} ({}), {how}; {}\n      because {}{blocked}",
            c.name,
            c.value,
            e.place(c.span),
            e.size(c),
            c.reason
        );
        match stored.iter_mut().find(|(known, _)| *known == text) {
            Some((_, count)) => *count += 1,
            None => stored.push((text, 1)),
        }
    }
    for (text, count) in stored {
        let times = match count {
            1 => String::new(),
            n => format!("{n} times "),
        };
        let _ = writeln!(out, "  {times}{text}");
    }
    heading(
        &mut out,
        "Read again",
        "memory that is as it was",
        report.reread.is_empty(),
    );
    let rows = report
        .reread
        .iter()
        .map(|r| vec![r.value.clone(), e.place(r.span), r.reason.clone()]);
    table(&mut out, &rows.collect::<Vec<_>>());
    heading(
        &mut out,
        "Computed again",
        "from what is known",
        report.recomputed.is_empty(),
    );
    let rows = report
        .recomputed
        .iter()
        .map(|r| vec![r.value.clone(), e.place(r.span)]);
    table(&mut out, &rows.collect::<Vec<_>>());
    if !report.checkpoints.is_empty() {
        heading(
            &mut out,
            "Checkpointed",
            "loops that run again from snapshots",
            false,
        );
        for c in &report.checkpoints {
            let _ = writeln!(out, "  the loop at {}: {}", e.place(c.span), c.schedule());
            let _ = writeln!(out, "      a snapshot holds {}", c.contents());
            let _ = writeln!(out, "      {}", c.price());
        }
    }
    if !report.fused.is_empty() {
        heading(
            &mut out,
            "Fused",
            "loops that run once: each iteration is followed by its reverse",
            false,
        );
        let rows = report.fused.iter().map(|&span| vec![e.place(span)]);
        table(&mut out, &rows.collect::<Vec<_>>());
    }
    if !report.serial.is_empty() {
        heading(
            &mut out,
            "Read serially",
            "parallel constructs whose work one thread does in the derivative",
            false,
        );
        let rows = (report.serial.iter()).map(|(span, why)| vec![e.place(*span), why.clone()]);
        table(&mut out, &rows.collect::<Vec<_>>());
    }
    if !report.increments.is_empty() {
        heading(
            &mut out,
            "Added by threads",
            "how the adjoint of what a thread read is added to its shadow",
            false,
        );
        let rows = report
            .increments
            .iter()
            .map(|r| vec![r.value.clone(), e.place(r.span), r.how.clone()]);
        table(&mut out, &rows.collect::<Vec<_>>());
    }
    out
}

fn as_json(e: &Explained) -> Value {
    let place = |span: Span| match e.files.get(span.file as usize) {
        Some(file) if span.line > 0 => {
            json!({ "file": file, "line": span.line, "column": span.col })
        }
        _ => Value::Null,
    };
    let report = &e.report;
    let list = |values: Vec<Value>| Value::Array(values);
    json!({
        "function": report.function,
        "place": place(report.span),
        "mode": "reverse",
        "active": list(report.active.iter().map(|a| json!({
            "name": a.name, "kind": a.kind.word(), "type": a.ctype, "place": place(a.span),
        })).collect()),
        "stored": list(report.cached.iter().map(|c| json!({
            "name": c.name, "value": c.value, "place": place(c.span), "reason": c.reason,
            "blocked_by": c.blocked_by.map(place), "element_type": c.element,
            "element_bytes": c.element_bytes, "elements": c.elements, "layout": c.layout.word(),
        })).collect()),
        "read_again": list(report.reread.iter().map(|r| json!({
            "value": r.value, "place": place(r.span), "reason": r.reason,
        })).collect()),
        "computed_again": list(report.recomputed.iter().map(|r| json!({
            "value": r.value, "place": place(r.span),
        })).collect()),
        "fused": list(report.fused.iter().map(|&span| place(span)).collect()),
        "read_serially": list(report.serial.iter().map(|(span, why)| json!({
            "place": place(*span), "reason": why,
        })).collect()),
        "added_by_threads": list(report.increments.iter().map(|r| json!({
            "value": r.value, "place": place(r.span), "how": r.how,
        })).collect()),
        "checkpointed": list(report.checkpoints.iter().map(|c| json!({
            "place": place(c.span), "schedule": c.schedule(), "snapshot": c.holds, "price": c.price(),
        })).collect()),
    })
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// A table in HTML.
fn html_table(out: &mut String, heads: &[&str], rows: &[Vec<String>]) {
    if rows.is_empty() {
        out.push_str("<p>Nothing.</p>\n");
        return;
    }
    out.push_str("<table><thead><tr>");
    for head in heads {
        let _ = write!(out, "<th>{head}</th>");
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for row in rows {
        out.push_str("<tr>");
        for cell in row {
            let _ = write!(out, "<td>{}</td>", escape(cell));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table>\n");
}

fn page(all: &[Explained]) -> String {
    let names: Vec<&str> = all.iter().map(|e| &*e.report.function).collect();
    let title = escape(&format!("Derivative of {}", names.join(", ")));
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
    );
    for e in all {
        let report = &e.report;
        let _ = writeln!(
            out,
            "<h1><code>{}</code></h1>\n<p>{}, reverse mode.</p>",
            escape(&report.function),
            escape(&e.place(report.span))
        );
        out.push_str("<h2>Active</h2>\n<p>Carries derivatives.</p>\n");
        let rows: Vec<Vec<String>> = report
            .active
            .iter()
            .map(|a| {
                vec![
                    a.name.clone(),
                    a.ctype.clone(),
                    a.kind.word().into(),
                    e.place(a.span),
                ]
            })
            .collect();
        html_table(&mut out, &["name", "type", "kind", "where"], &rows);
        out.push_str("<h2>Stored</h2>\n<p>By the forward sweep, for the reverse sweep.</p>\n");
        let rows: Vec<Vec<String>> = report
            .cached
            .iter()
            .map(|c| {
                let blocked = c.blocked_by.map(|s| format!(" ({})", e.place(s)));
                vec![
                    c.name.clone(),
                    c.value.clone(),
                    e.place(c.span),
                    c.element.clone(),
                    c.layout.word().into(),
                    e.size(c),
                    format!("{}{}", c.reason, blocked.unwrap_or_default()),
                ]
            })
            .collect();
        let heads = ["cache", "value", "where", "type", "layout", "size", "why"];
        html_table(&mut out, &heads, &rows);
        out.push_str("<h2>Read again</h2>\n<p>Memory that is as it was.</p>\n");
        let rows: Vec<Vec<String>> = report
            .reread
            .iter()
            .map(|r| vec![r.value.clone(), e.place(r.span), r.reason.clone()])
            .collect();
        html_table(&mut out, &["value", "where", "why that is right"], &rows);
        out.push_str("<h2>Computed again</h2>\n<p>From what is known.</p>\n");
        let rows: Vec<Vec<String>> = report
            .recomputed
            .iter()
            .map(|r| vec![r.value.clone(), e.place(r.span)])
            .collect();
        html_table(&mut out, &["value", "where"], &rows);
        if !report.checkpoints.is_empty() {
            out.push_str("<h2>Checkpointed</h2>\n<p>Loops that run again from snapshots.</p>\n");
            let rows: Vec<Vec<String>> = report
                .checkpoints
                .iter()
                .map(|c| vec![e.place(c.span), c.schedule(), c.contents(), c.price()])
                .collect();
            let heads = ["loop", "snapshots", "a snapshot holds", "price"];
            html_table(&mut out, &heads, &rows);
        }
        if !report.fused.is_empty() {
            out.push_str("<h2>Fused</h2>\n<p>Loops that run once: each iteration is followed by its reverse.</p>\n");
            let rows: Vec<Vec<String>> = (report.fused.iter())
                .map(|&span| vec![e.place(span)])
                .collect();
            html_table(&mut out, &["where"], &rows);
        }
        if !report.serial.is_empty() {
            out.push_str("<h2>Read serially</h2>\n<p>Parallel constructs whose work one thread does in the derivative.</p>\n");
            let rows: Vec<Vec<String>> = (report.serial.iter())
                .map(|(span, why)| vec![e.place(*span), why.clone()])
                .collect();
            html_table(&mut out, &["where", "why"], &rows);
        }
        if !report.increments.is_empty() {
            out.push_str("<h2>Added by threads</h2>\n<p>How the adjoint of what a thread read is added to its shadow.</p>\n");
            let rows: Vec<Vec<String>> = report
                .increments
                .iter()
                .map(|r| vec![r.value.clone(), e.place(r.span), r.how.clone()])
                .collect();
            html_table(&mut out, &["value", "where", "how"], &rows);
        }
    }
    out.push_str("</body>\n</html>\n");
    out
}

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem;color:#1b1b1f;background:#fff}\
h1{font-size:1.6rem}h2{font-size:1.15rem;margin-top:2rem}\
table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.35rem .7rem;border-bottom:1px solid #ddd;vertical-align:top}\
th{font-weight:600;color:#555}td:first-child,td:nth-child(2){font-family:ui-monospace,monospace}\
@media(prefers-color-scheme:dark){body{color:#e6e6ea;background:#16161a}th{color:#aaa}th,td{border-color:#333}}";
