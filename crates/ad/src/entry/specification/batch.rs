//! The arguments of `__enzyme_batch`: sets of arguments for one function.

use super::{
    Activity, Argument, CTy, Malformed, Module, Parameter, Reader, Role, Specification, describe,
    malformed, parameters, shadows,
};

/// The roles of a batch: a parameter has one value for all sets, or one for each.
pub(super) fn roles(
    module: &Module,
    spec: &mut Specification,
    params: &[CTy],
    arguments: &[Argument],
) -> Result<Vec<Role>, Malformed> {
    let mut reader = Reader {
        arguments,
        at: 0,
        roles: vec![Role::Dropped; arguments.len()],
        types: &module.types,
    };
    let mut each = true;
    while let Some(argument) = reader.peek() {
        let (at, k) = (reader.at, spec.params.len());
        if let Some(word) = argument.marker.clone() {
            reader.take(Role::Dropped);
            match &*word {
                "enzyme_vector" => each = true,
                "enzyme_scalar" => each = false,
                "enzyme_width" => {
                    reader.integer(Role::Dropped, &word, "the number of sets")?;
                }
                other => {
                    return malformed(Some(at), format!("'{other}' has no meaning in a batch"));
                }
            }
            continue;
        }
        if k == params.len() {
            let name = &module.funcs[spec.func].name;
            let message = format!("too many arguments: '{name}' has {}", parameters(k));
            return malformed(Some(at), message);
        }
        let parameter = Parameter {
            activity: Activity::Const,
            strided: false,
        };
        match each {
            true => shadows(&mut reader, module, spec, k, parameter)?,
            false => drop(reader.take(Role::Primal(k as u32))),
        }
        spec.params.push(parameter);
        each = true;
    }
    match spec.params.len() {
        k if k < params.len() => malformed(
            None,
            format!(
                "too few arguments: {} is missing",
                describe(module, spec.func, k)
            ),
        ),
        _ => Ok(reader.roles),
    }
}
