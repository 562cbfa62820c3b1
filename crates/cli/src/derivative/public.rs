//! The public face of a derivative: its parameters in C, and what the header says about each.

use super::request::by_value;
use super::roles::Role;
use super::target::{Holds, Param};

/// What a parameter of a public function is for, as the header tells it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum What {
    /// A parameter of the original function.
    Own {
        /// It is read.
        read: bool,
        /// It is written.
        written: bool,
        /// It is active.
        role: Role,
        /// By value.
        value: bool,
    },
    /// An adjoint that is added to.
    Accumulated(String),
    /// An adjoint that holds a seed and is consumed.
    Consumed(String),
    /// An adjoint of a parameter that is overwritten: seed in, adjoint out.
    Exchanged(String),
    /// An adjoint of workspace.
    Scratch(String),
    /// The seed of the result.
    Seed,
    /// The seed of a struct as the result.
    SeedAt,
    /// A tangent that is read.
    TangentIn(String, u32),
    /// A tangent that is written.
    TangentOut(String, u32),
    /// A tangent that is read and written.
    TangentBoth(String, u32),
    /// Tangents of the result, written.
    ResultTangent(u32),
    /// The product of the Hessian with the direction.
    Second(String),
    /// A matrix, written.
    Matrix {
        /// What the rows are.
        rows: String,
        /// What the columns are.
        columns: String,
    },
    /// In words.
    Text(String),
}

impl What {
    /// A parameter of the original function.
    pub fn of(p: &Param, role: Role) -> What {
        What::Own {
            read: p.access.read || !p.access.written,
            written: p.access.written && !p.is_const,
            role,
            value: p.holds == Holds::Number || p.holds == Holds::Record || p.integer,
        }
    }

    /// The adjoint of a parameter.
    pub fn adjoint(p: &Param, role: Role) -> What {
        let name = p.name.clone();
        match role {
            Role::Work => What::Scratch(name),
            Role::Output if !p.access.read => What::Consumed(name),
            _ if by_value(p) || p.is_const || !p.access.written => What::Accumulated(name),
            _ => What::Exchanged(name),
        }
    }

    /// The tangent of a parameter.
    pub fn tangent(p: &Param, role: Role, width: u32) -> What {
        let name = p.name.clone();
        match role {
            Role::Input if by_value(p) || !p.access.written => What::TangentIn(name, width),
            Role::Output if !p.access.read => What::TangentOut(name, width),
            _ => What::TangentBoth(name, width),
        }
    }

    /// The tangent of an adjoint.
    pub fn second(p: &Param, role: Role) -> What {
        match role {
            Role::Work => What::Scratch(format!("{}_bar", p.name)),
            _ => What::Second(p.name.clone()),
        }
    }

    /// One line for the header.
    pub fn line(&self, function: &str) -> String {
        let many = |width: &u32| match width {
            1 => String::new(),
            n => format!("{n} directions; "),
        };
        match self {
            What::Own {
                read,
                written,
                role,
                value,
            } => {
                let how = match (value, read, written) {
                    (true, ..) => "in",
                    (_, _, false) => "in: read, not written",
                    (_, false, true) => "out: written",
                    (_, true, true) => "in and out: read and written",
                };
                let what = match role {
                    Role::Inactive => "not differentiated",
                    Role::Input => "differentiated with respect to it",
                    Role::Output => "differentiated",
                    Role::Both => "differentiated, and with respect to it",
                    Role::Work => "workspace",
                };
                format!("{how}; {what}")
            }
            What::Accumulated(x) => {
                format!("accumulated: the derivative with respect to `{x}` is added to it")
            }
            What::Consumed(x) => {
                format!(
                    "consumed: the seed of `{x}` on entry, zero where `{x}` was written on return"
                )
            }
            What::Exchanged(x) => format!(
                "in and out: on entry the adjoint of the final `{x}` (zero if nothing depends on it), on return that of the initial `{x}`"
            ),
            What::Scratch(x) => format!("workspace for `{x}`, of the same shape: zero on entry"),
            What::Seed => format!("in: the seed, that is the adjoint of what `{function}` returns"),
            What::SeedAt => format!(
                "in: read, not written; the seed, that is the adjoint of what `{function}` returns"
            ),
            What::TangentIn(x, w) => {
                format!("in: {}the direction of `{x}`; not written", many(w))
            }
            What::TangentOut(x, w) => format!("out: {}the tangent of `{x}`", many(w)),
            What::TangentBoth(x, w) => format!(
                "in and out: {}the tangent of `{x}`, of its initial value on entry, of its final value on return",
                many(w)
            ),
            What::ResultTangent(w) => {
                format!("out: {}the tangent of what `{function}` returns", many(w))
            }
            What::Second(x) => format!(
                "accumulated: the part of `{x}` of the Hessian times the direction is added to it"
            ),
            What::Text(text) => text.clone(),
            What::Matrix { rows, columns } => format!(
                "out: written, row by row; one row for each element of {rows}, one column for each element of {columns}"
            ),
        }
    }
}

/// A parameter of a public function.
#[derive(Clone, Debug)]
pub struct PublicParam {
    /// As C declares it.
    pub declaration: String,
    /// Its name.
    pub name: String,
    /// What it is for.
    pub what: What,
}

/// A public function.
#[derive(Clone, Debug)]
pub struct Public {
    /// Its name.
    pub name: String,
    /// Its parameters.
    pub params: Vec<PublicParam>,
    /// The type that it returns.
    pub returns: String,
    /// It returns what the original function returns (or its one output).
    pub returns_value: bool,
    /// What it returns otherwise, for the header.
    pub note: Option<String>,
}

impl Public {
    /// Without parameters yet.
    pub fn new(name: &str) -> Public {
        Public {
            name: name.to_string(),
            params: Vec::new(),
            returns: "void".into(),
            returns_value: false,
            note: None,
        }
    }

    /// Adds a parameter.
    pub fn add(&mut self, declaration: String, name: &str, what: What) {
        self.params.push(PublicParam {
            declaration,
            name: name.to_string(),
            what,
        });
    }

    /// The prototype, broken after commas where it is long.
    pub fn prototype(&self) -> String {
        self.definition() + ";"
    }

    /// The head of the definition: the prototype without its end.
    pub fn definition(&self) -> String {
        let head = format!("{} {}(", self.returns, self.name).replace("* ", "*");
        let params: Vec<&str> = self.params.iter().map(|p| &*p.declaration).collect();
        if params.is_empty() {
            return format!("{head}void)");
        }
        let mut text = head.clone();
        let mut column = text.len();
        for (k, p) in params.iter().enumerate() {
            let more = if k + 1 < params.len() { "," } else { ")" };
            if k > 0 {
                if column + 1 + p.len() + more.len() > 100 {
                    text.push('\n');
                    text.push_str(&" ".repeat(head.len().min(24)));
                    column = head.len().min(24);
                } else {
                    text.push(' ');
                    column += 1;
                }
            }
            text.push_str(p);
            text.push_str(more);
            column += p.len() + more.len();
        }
        text
    }
}
