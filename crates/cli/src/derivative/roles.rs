//! What each parameter is to a derivative: input, output, both, workspace or nothing. From `--wrt`, `--of` and `--const`, or from what the function does.

use super::Kind;
use super::target::{Holds, Param, Returns, Target};
use adjoin_front::diag::Diagnostic;

/// What a parameter is to a derivative.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Passed through.
    Inactive,
    /// Differentiated with respect to.
    Input,
    /// Differentiated.
    Output,
    /// Both.
    Both,
    /// Neither, but active data passes through it: it needs a shadow.
    Work,
}

impl Role {
    /// Does it have a shadow?
    pub fn active(self) -> bool {
        self != Role::Inactive
    }
    /// Is it differentiated with respect to?
    pub fn is_input(self) -> bool {
        matches!(self, Role::Input | Role::Both)
    }
    /// Is it differentiated?
    pub fn is_output(self) -> bool {
        matches!(self, Role::Output | Role::Both)
    }
}

/// The roles of all parameters and of the result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Roles {
    /// One per parameter.
    pub params: Vec<Role>,
    /// The returned number, or struct, is differentiated.
    pub result: bool,
}

impl Roles {
    /// The one output parameter, where the result is none.
    pub fn scalar_output(&self) -> Option<usize> {
        if self.result {
            return None;
        }
        self.params.iter().position(|r| r.is_output())
    }
}

/// What the user says about activity.
#[derive(Clone, Copy, Debug)]
pub struct Wishes<'a> {
    /// `--wrt`
    pub wrt: Option<&'a [String]>,
    /// `--of`
    pub of: &'a [String],
    /// `--const`
    pub constant: &'a [String],
}

/// Finds the roles.
pub fn assign(target: &Target, kind: Kind, wishes: Wishes<'_>) -> Result<Roles, Box<Diagnostic>> {
    for name in wishes.constant {
        position(target, name)?;
    }
    let inputs = inputs(target, kind, &wishes)?;
    let (outputs, result) = outputs(target, kind, &wishes, &inputs)?;
    let mut params = Vec::new();
    for (k, p) in target.params.iter().enumerate() {
        params.push(match (inputs[k], outputs[k]) {
            (true, true) => Role::Both,
            (true, false) => Role::Input,
            (false, true) => Role::Output,
            (false, false) => neither(p, &wishes),
        });
    }
    if !params.iter().any(|r| r.is_input()) {
        return Err(fail(
            target,
            "nothing to differentiate with respect to".into(),
        ));
    }
    Ok(Roles { params, result })
}

fn neither(p: &Param, wishes: &Wishes<'_>) -> Role {
    let carries = p.access.read && p.access.written && !p.is_const;
    let may = matches!(p.holds, Holds::Array | Holds::Structure);
    if carries && may && !wishes.constant.contains(&p.name) {
        Role::Work
    } else {
        Role::Inactive
    }
}

fn by_value(p: &Param) -> bool {
    matches!(p.holds, Holds::Number | Holds::Record)
}

fn inputs(target: &Target, kind: Kind, wishes: &Wishes<'_>) -> Result<Vec<bool>, Box<Diagnostic>> {
    let mut inputs = vec![false; target.params.len()];
    if let Some(names) = wishes.wrt {
        for name in names {
            let k = position(target, name)?;
            if target.params[k].holds == Holds::Nothing {
                let p = &target.params[k];
                let what = target.declare(p.ctype, &p.name);
                let message = format!("`{what}` holds no floating-point number");
                return Err(Box::new(
                    Diagnostic::error(p.span, message).label("named in --wrt"),
                ));
            }
            inputs[k] = true;
        }
        return Ok(inputs);
    }
    for (k, p) in target.params.iter().enumerate() {
        if wishes.constant.contains(&p.name) {
            continue;
        }
        let used = p.access.read || p.access.written;
        inputs[k] = match p.holds {
            Holds::Nothing => false,
            Holds::Number | Holds::Record => true,
            Holds::Unknown if !used || wishes.of.contains(&p.name) => false,
            Holds::Unknown => {
                let what = target.declare(p.ctype, &p.name);
                let message = format!(
                    "what `{what}` points to is not known: is it to be differentiated or not?"
                );
                return Err(Box::new(Diagnostic::error(p.span, message).help(format!(
                    "say `--const {}` if it holds nothing active, or name the parameters with --wrt",
                    p.name
                ))));
            }
            Holds::Array | Holds::Structure => p.is_const || !p.access.written || p.access.read,
        };
    }
    if kind.is_dense() {
        dense_inputs(target, wishes, &mut inputs)?;
    }
    Ok(inputs)
}

/// In a matrix every input has its columns. What is read and written may be an input, or a result that is built up: only the user knows, unless
/// there is no other.
fn dense_inputs(
    target: &Target,
    wishes: &Wishes<'_>,
    inputs: &mut [bool],
) -> Result<(), Box<Diagnostic>> {
    let unsure = |p: &Param| !by_value(p) && !p.is_const && p.access.written && p.access.read;
    let sure = target
        .params
        .iter()
        .zip(inputs.iter())
        .any(|(p, &input)| input && !unsure(p));
    for (p, input) in target.params.iter().zip(inputs) {
        if *input && sure && unsure(p) {
            if wishes.of.contains(&p.name) {
                *input = false;
                continue;
            }
            let message = format!(
                "`{}` is read and written: it may be an input or only an output",
                p.name
            );
            let help = "name the inputs with --wrt and the outputs with --of";
            return Err(Box::new(Diagnostic::error(p.span, message).help(help)));
        }
    }
    Ok(())
}

fn outputs(
    target: &Target,
    kind: Kind,
    wishes: &Wishes<'_>,
    inputs: &[bool],
) -> Result<(Vec<bool>, bool), Box<Diagnostic>> {
    let mut outputs = vec![false; target.params.len()];
    let active_result = matches!(target.returns, Returns::Number(_) | Returns::Record(_));
    let mut result = false;
    for name in wishes.of {
        if name == "return" || *name == target.name {
            if !active_result {
                return Err(fail(
                    target,
                    format!("`{}` returns no floating-point number", target.name),
                ));
            }
            result = true;
            continue;
        }
        let k = position(target, name)?;
        let p = &target.params[k];
        if p.is_const || by_value(p) || p.holds == Holds::Nothing {
            let what = target.declare(p.ctype, &p.name);
            return Err(Box::new(
                Diagnostic::error(p.span, format!("`{what}` is no output")).label("named in --of"),
            ));
        }
        outputs[k] = true;
    }
    let written = |p: &Param| {
        matches!(p.holds, Holds::Array | Holds::Structure)
            && !p.is_const
            && p.access.written
            && !wishes.constant.contains(&p.name)
    };
    if wishes.of.is_empty() {
        result = active_result;
        if !kind.is_scalar() || !result {
            for (k, p) in target.params.iter().enumerate() {
                // With --wrt, an input that is overwritten is not at once an output of a scalar derivative.
                outputs[k] = written(p) && !(kind.is_scalar() && inputs[k]);
            }
        }
    }
    let none = !result && !outputs.iter().any(|&o| o);
    if none && !target.params.iter().any(written) {
        return Err(fail(
            target,
            format!(
                "`{}` returns no floating-point number and writes none through a pointer",
                target.name
            ),
        ));
    }
    if none {
        // What is read and written is a result that is built up, should there be no other.
        outputs = target.params.iter().map(written).collect();
    }
    if kind.is_scalar() {
        scalar(target, kind, &outputs, result)?;
    }
    Ok((outputs, result))
}

/// A gradient is that of one real number.
fn scalar(
    target: &Target,
    kind: Kind,
    outputs: &[bool],
    result: bool,
) -> Result<(), Box<Diagnostic>> {
    let chosen: Vec<&Param> = target
        .params
        .iter()
        .zip(outputs)
        .filter(|(_, o)| **o)
        .map(|(p, _)| p)
        .collect();
    let real = |t| target.basic(t).is_some_and(|b| b.is_float());
    let instead = "use `adjoin vjp` with a seed for each output, or name one number with --of";
    let word = kind.word();
    match (result, &chosen[..]) {
        (true, []) => match target.returns {
            Returns::Number(t) if real(t) => Ok(()),
            _ => Err(with_help(
                fail(
                    target,
                    format!("`{word}` needs one real number as the result"),
                ),
                instead,
            )),
        },
        (false, [p]) => {
            let size = p.number.and_then(|t| target.types.size_of(t)).unwrap_or(1);
            let one = p.holds == Holds::Array
                && p.number.is_some_and(real)
                && !p.access.unbounded
                && p.access.bytes <= size
                && p.declared.as_deref().is_none_or(|d| d == "1");
            if one {
                return Ok(());
            }
            let message = format!(
                "`{word}` needs one real number as the result, and `{}` is more than that",
                p.name
            );
            Err(Box::new(Diagnostic::error(p.span, message).help(instead)))
        }
        (_, some) => {
            let mut names: Vec<&str> = some.iter().map(|p| &*p.name).collect();
            if result {
                names.push("the return value");
            }
            let found = if names.is_empty() {
                "there is none".to_string()
            } else {
                format!("there are {}", names.join(", "))
            };
            Err(with_help(
                fail(
                    target,
                    format!("`{word}` needs one number as the result; {found}"),
                ),
                instead,
            ))
        }
    }
}

fn with_help(mut diagnostic: Box<Diagnostic>, help: &str) -> Box<Diagnostic> {
    diagnostic.help = Some(help.into());
    diagnostic
}

fn position(target: &Target, name: &str) -> Result<usize, Box<Diagnostic>> {
    target.find(name).ok_or_else(|| {
        let names: Vec<&str> = target.params.iter().map(|p| &*p.name).collect();
        let help = if names.is_empty() {
            "it has no parameters".to_string()
        } else {
            format!("its parameters are {}", names.join(", "))
        };
        let message = format!("`{}` has no parameter `{name}`", target.name);
        with_help(Box::new(Diagnostic::error(target.span, message)), &help)
    })
}

fn fail(target: &Target, message: String) -> Box<Diagnostic> {
    Box::new(Diagnostic::error(target.span, message).label(format!("of `{}`", target.name)))
}
