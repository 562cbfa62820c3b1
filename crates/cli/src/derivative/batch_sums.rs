//! Sums of adjoints over points, where what all points share is a struct: its numbers are added up member by member.

use super::request::Writer;
use adjoin_ir::{Basic, CTy, CTypeKind, CTypes};

/// A number in a struct, or an array of such.
#[derive(Clone, Debug)]
struct Member {
    /// How C reaches it from the struct; the counters of its dimensions are in it already.
    path: String,
    /// The sizes of the arrays on the way to it.
    dimensions: Vec<u64>,
}

/// The numbers of a struct.
#[derive(Clone, Debug)]
pub struct Members {
    members: Vec<Member>,
    /// The counters of arrays in it, outermost first.
    counters: Vec<String>,
    /// The type in which all of them can travel together.
    pub basic: Basic,
    /// The variable that leads to all of them, one behind the other.
    pub packed: String,
    /// The variable that leads to the next of those.
    pub next: String,
}

impl Members {
    /// The numbers of a type, as long as it is made of numbers and integers alone.
    pub fn of(writer: &mut Writer<'_>, t: CTy) -> Option<Members> {
        let mut counters = Vec::new();
        for _ in 0..depth(&writer.target.types, t) {
            counters.push(writer.local.fresh("k"));
        }
        let mut found = Vec::new();
        let types = &writer.target.types;
        visit(types, t, String::new(), Vec::new(), &counters, &mut found)?;
        let basic = found.iter().map(|(_, basic)| *basic).max()?;
        let alike = found.iter().all(|(_, other)| *other == basic);
        let real = found.iter().all(|(_, other)| other.is_float());
        (alike || real).then(|| Members {
            packed: writer.local.fresh("packed"),
            next: writer.local.fresh("next"),
            members: found.into_iter().map(|(member, _)| member).collect(),
            counters,
            basic,
        })
    }

    /// How many numbers there are.
    pub fn count(&self) -> u64 {
        let sizes = self
            .members
            .iter()
            .map(|m| m.dimensions.iter().product::<u64>());
        sizes.sum()
    }

    /// A statement for each number, given the way to it.
    pub fn statements(&self, indent: usize, statement: impl Fn(&str) -> String) -> String {
        let mut text = String::new();
        for member in &self.members {
            let mut indent = indent;
            for (size, k) in member.dimensions.iter().zip(&self.counters) {
                let space = " ".repeat(indent);
                text.push_str(&format!(
                    "{space}for (size_t {k} = 0; {k} < {size}; {k}++)\n"
                ));
                indent += 4;
            }
            let space = " ".repeat(indent);
            text.push_str(&format!("{space}{};\n", statement(&member.path)));
        }
        text
    }
}

/// How many arrays lie within each other in a type.
fn depth(types: &CTypes, t: CTy) -> usize {
    match types.shape(t) {
        CTypeKind::Array { elem, .. } => 1 + depth(types, *elem),
        CTypeKind::Record(r) => {
            let fields = types.records[*r].fields.iter().flatten();
            fields.map(|f| depth(types, f.ty)).max().unwrap_or(0)
        }
        _ => 0,
    }
}

fn visit(
    types: &CTypes,
    t: CTy,
    path: String,
    dimensions: Vec<u64>,
    counters: &[String],
    found: &mut Vec<(Member, Basic)>,
) -> Option<()> {
    if let Some(basic) = types.arithmetic(t) {
        if !basic.is_integer() {
            found.push((Member { path, dimensions }, basic));
        }
        return Some(());
    }
    match types.shape(t) {
        CTypeKind::Array { elem, len } => {
            let path = format!("{path}[{}]", counters.get(dimensions.len())?);
            let mut dimensions = dimensions;
            dimensions.push((*len)?);
            visit(types, *elem, path, dimensions, counters, found)
        }
        CTypeKind::Record(r) if !types.records[*r].is_union => {
            for f in types.records[*r].fields.as_ref()? {
                // What an anonymous struct holds is reached as if it were this one's.
                let path = match &f.name {
                    Some(name) => format!("{path}.{name}"),
                    None => path.clone(),
                };
                visit(types, f.ty, path, dimensions.clone(), counters, found)?;
            }
            Some(())
        }
        _ => None,
    }
}
