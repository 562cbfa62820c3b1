//! The loops of matrix functions: rows or columns, several at once.
//!
//! The shadows of one row or column after the other lie behind each other: those of `x` in lane `l` begin at `x_bar + l * x_size`.

use super::dense::{Dense, Local, Part, range};
use super::request::Writer;

/// How the rows or columns of a matrix are computed.
pub(super) struct Lines<'a> {
    /// By columns; otherwise by rows.
    columns: bool,
    /// How many at once.
    width: u32,
    /// All shadows that a call takes, and how many of each.
    kinds: Vec<(&'static str, u32)>,
    /// What is seeded: a kind of shadow of these parts.
    seeds: (&'static str, &'a [Part]),
    /// What is read.
    results: (&'static str, &'a [Part]),
    /// Declarations in front of the call, and the call.
    before: String,
    call: String,
}

impl Writer<'_> {
    /// Columns of a Jacobian, in forward mode.
    pub(super) fn columns<'a>(&mut self, dense: &'a Dense, width: u32) -> Lines<'a> {
        let kinds = vec![("dot", width)];
        let wish = self.ask_forward(width);
        let mut args = self.arguments(dense, &kinds);
        if self.active_result().is_some() {
            args.push(self.value.clone());
            args.extend(lanes(&self.shadow(None, "dot"), width));
        }
        Lines {
            columns: true,
            width,
            kinds,
            seeds: ("dot", &dense.inputs),
            results: ("dot", &dense.outputs),
            before: String::new(),
            call: format!("{}({})", wish.declared, args.join(", ")),
        }
    }

    /// Rows of a Jacobian, in reverse mode.
    pub(super) fn rows<'a>(&mut self, dense: &'a Dense, width: u32) -> Lines<'a> {
        let kinds = vec![("bar", width)];
        let wish = self.ask_reverse(width);
        let mut args = self.arguments(dense, &kinds);
        if self.active_result().is_some() {
            let seed = self.shadow(None, "bar");
            args.extend((0..width).map(|lane| format!("{seed}[{lane}]")));
        }
        Lines {
            columns: false,
            width,
            kinds,
            seeds: ("bar", &dense.outputs),
            results: ("bar", &dense.inputs),
            before: String::new(),
            call: format!("{}({})", wish.declared, args.join(", ")),
        }
    }

    /// Rows of a Hessian, in forward mode over reverse mode.
    pub(super) fn second_rows<'a>(&mut self, dense: &'a Dense, width: u32) -> Lines<'a> {
        let kinds = vec![("dot", width), ("bar", 1), ("bar_dot", width)];
        let wish = self.ask_forward_over_reverse(width);
        let mut args = self.arguments(dense, &kinds);
        let passage = self.passage("1", true);
        args.extend(passage.args);
        let mut before = String::new();
        if let Some(k) = self.roles.scalar_output() {
            before.push_str(&format!("        {}[0] = 1;\n", self.shadows[k].bar));
        }
        before.extend(passage.before.lines().map(|line| format!("    {line}\n")));
        Lines {
            columns: false,
            width,
            kinds,
            seeds: ("dot", &dense.inputs),
            results: ("bar_dot", &dense.inputs),
            before,
            call: format!("{}({})", wish.declared, args.join(", ")),
        }
    }

    /// The loop over all rows or columns, with the shadows that it needs around it.
    pub(super) fn all_lines(&mut self, lines: &Lines<'_>, dense: &Dense, local: &Local) -> String {
        // A Hessian has as many rows as columns.
        let (line, all) = match (lines.columns, lines.seeds.0) {
            (true, _) => (&local.column, &local.columns),
            (false, "dot") => (&local.row, &local.columns),
            (false, _) => (&local.row, &local.rows),
        };
        let (first, last) = local.bounds(all);
        let width = lines.width;
        let step = match width {
            1 => format!("{line}++"),
            _ => format!("{line} += {width}"),
        };
        let mut text =
            format!("    for (unsigned long {line} = {first}; {line} < {last}; {step}) {{\n");
        text.push_str(&self.zero(dense, &lines.kinds, &local.j));
        text.push_str(&dense.clear);
        text.push_str(&self.seeds(lines, local, (line, last)));
        text.push_str(&lines.before);
        text.push_str(&format!("        {};\n", lines.call));
        text.push_str(&self.results(lines, local, (line, last)));
        text.push_str("    }\n");
        let frame = self.frame(dense, &lines.kinds, text, 1);
        range(local, (all, width), frame)
    }

    /// Sets one seed for each lane.
    fn seeds(&self, lines: &Lines<'_>, local: &Local, (line, last): (&str, &str)) -> String {
        let (i, lane) = (&local.i, &local.lane);
        let (kind, parts) = lines.seeds;
        let mut text = String::new();
        if parts.iter().any(|p| p.param.is_none()) {
            // The result has no parameter whose shadow is cleared.
            let name = self.shadow(None, kind);
            text.push_str(&format!(
                "        for (unsigned long {i} = 0; {i} < {}; {i}++)\n            {name}[{i}] = 0;\n",
                lines.width
            ));
        }
        let mut indent = "        ".to_string();
        let mut at = line.to_string();
        if lines.width > 1 {
            text.push_str(&format!(
                "        for (unsigned long {lane} = 0; {lane} < {} && {line} + {lane} < {last}; {lane}++) {{\n",
                lines.width
            ));
            indent.push_str("    ");
            at = i.clone();
            text.push_str(&format!(
                "{indent}const unsigned long {i} = {line} + {lane};\n"
            ));
        }
        let mut before = String::new();
        for (k, part) in parts.iter().enumerate() {
            let name = self.shadow(part.param, kind);
            let own = match before.is_empty() {
                true => at.clone(),
                false => format!("{at} - ({before})"),
            };
            let place = self.place(part, lines.width, lane, &own);
            before = match before.is_empty() {
                true => part.count.clone(),
                false => format!("{before} + {}", part.count),
            };
            let word = if k == 0 { "" } else { "else " };
            if parts.len() == 1 {
                text.push_str(&format!("{indent}{name}[{place}] = 1;\n"));
            } else if k + 1 == parts.len() {
                text.push_str(&format!("{indent}else\n{indent}    {name}[{place}] = 1;\n"));
            } else {
                text.push_str(&format!(
                    "{indent}{word}if ({at} < {before})\n{indent}    {name}[{place}] = 1;\n"
                ));
            }
        }
        if lines.width > 1 {
            text.push_str("        }\n");
        }
        text
    }

    /// Copies what was computed into the matrix.
    fn results(&self, lines: &Lines<'_>, local: &Local, (line, last): (&str, &str)) -> String {
        let Local {
            j, lane, matrix, ..
        } = local;
        let (kind, parts) = lines.results;
        let several = lines.width > 1;
        let lanes = format!(
            "for (unsigned long {lane} = 0; {lane} < {} && {line} + {lane} < {last}; {lane}++)",
            lines.width
        );
        let here = match several {
            true => format!("({line} + {lane})"),
            false => line.to_string(),
        };
        let columns = &local.columns;
        let mut text = String::new();
        if lines.columns {
            let row = &local.row;
            text.push_str(&format!("        unsigned long {row} = 0;\n"));
            let here = here.trim_matches(['(', ')']);
            for part in parts {
                let name = self.shadow(part.param, kind);
                let place = self.place(part, lines.width, lane, j);
                let copy = format!("{matrix}[{row} * {columns} + {here}] = {name}[{place}];");
                let inner = match several {
                    true => format!("            {lanes}\n                {copy}\n"),
                    false => format!("            {copy}\n"),
                };
                text.push_str(&format!(
                    "        for (unsigned long {j} = 0; {j} < {}; {j}++, {row}++)\n{inner}",
                    part.count
                ));
            }
            return text;
        }
        let column = &local.column;
        let indent = match several {
            true => "            ",
            false => "        ",
        };
        if several {
            text.push_str(&format!("        {lanes} {{\n"));
        }
        text.push_str(&format!("{indent}unsigned long {column} = 0;\n"));
        for part in parts {
            let name = self.shadow(part.param, kind);
            let place = self.place(part, lines.width, lane, j);
            text.push_str(&format!(
                "{indent}for (unsigned long {j} = 0; {j} < {}; {j}++, {column}++)\n{indent}    {matrix}[{here} * {columns} + {column}] = {name}[{place}];\n",
                part.count
            ));
        }
        if several {
            text.push_str("        }\n");
        }
        text
    }

    /// Where an element of a part is in its shadow.
    fn place(&self, part: &Part, width: u32, lane: &str, element: &str) -> String {
        match (width, &*part.count) {
            (1, _) => element.to_string(),
            (_, "1") => lane.to_string(),
            (_, count) => format!("{lane} * {count} + {element}"),
        }
    }
}

/// The addresses of the lanes of a number.
fn lanes(name: &str, width: u32) -> impl Iterator<Item = String> + '_ {
    (0..width).map(move |lane| match lane {
        0 => name.to_string(),
        _ => format!("{name} + {lane}"),
    })
}
