//! Buffers that surely hold no numbers: what travels in them has no derivative. The datatype says so if it is one of MPI's own; else the type of the buffer, and what it is a part of: a datatype may begin at one
//! member of a struct and go on to others.

use adjoin_ir::mpi::{MpiCall, Role};
use adjoin_ir::{Body, CTy, CTypeKind, CTypes, Const, Module, Op, Step, Type, Value};

/// What a datatype of MPI's own is made of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Integers,
    Numbers,
    /// Bytes may be anything.
    Bytes,
}

/// The last part of the names of MPI's own datatypes of numbers, as Open MPI spells them; all others are integers or bytes.
const NUMBERS: [&str; 12] = [
    "double",
    "float",
    "cplex",
    "complex",
    "dblprec",
    "double_int",
    "float_int",
    "longdbl_int",
    "real",
    "real4",
    "real8",
    "real16",
];

/// The last byte of MPICH's datatypes of integers, which are numbers themselves.
const INTEGERS: [i128; 20] = [
    0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0e, 0x16, 0x19, 0x38, 0x39, 0x3a, 0x3c, 0x3d, 0x3e,
    0x3f, 0x43, 0x44, 0x45,
];
const DOUBLES: [i128; 7] = [0x0a, 0x0b, 0x0c, 0x1f, 0x40, 0x41, 0x42];

/// Does a buffer of a call surely hold no numbers? Then there is nothing to mirror, and the datatype says so to the other side as well.
pub fn holds_integers(
    module: &Module,
    body: &Body,
    call: &'static MpiCall,
    args: &[Value],
    buffer: Value,
) -> bool {
    let named = datatype_of(call, args, buffer).and_then(|v| named(module, body, v));
    if named == Some(Kind::Numbers) {
        return false;
    }
    let types = &module.types;
    let mut v = buffer;
    loop {
        let pointee = body.values[v].ctype.and_then(|t| types.pointee(t));
        if let Some(mut t) = pointee {
            while let Some(e) = types.element(t) {
                t = e;
            }
            match types.shape(t) {
                CTypeKind::Void => {}
                // Bytes may be anything.
                CTypeKind::Basic(b) if b.is_integer() && b.size() == 1 => {}
                _ => {
                    return is_integers(types, t)
                        && (named == Some(Kind::Integers) || !is_part_of_more(types, body, v));
                }
            }
        }
        let Some(inst) = body.def_inst(v) else {
            return false;
        };
        let data = &body.insts[inst];
        match data.op {
            Op::Cast if body.ty(data.args[0]) == Type::Ptr => v = data.args[0],
            _ => return false,
        }
    }
}

/// Does the datatype of a buffer say that integers travel? If they are numbers all the same, whoever has their derivatives finds that out when the program runs.
pub fn names_integers(
    module: &Module,
    body: &Body,
    call: &'static MpiCall,
    args: &[Value],
    buffer: Value,
) -> bool {
    let named = datatype_of(call, args, buffer).and_then(|v| named(module, body, v));
    named == Some(Kind::Integers)
}

/// May a call receive into other variables than its buffers, by a datatype that holds addresses?
pub fn may_scatter(module: &Module, body: &Body, call: &'static MpiCall, args: &[Value]) -> bool {
    let receives = |role: &Role| matches!(role, Role::ReceiveBuffer | Role::InOutBuffer);
    if !call.operands.iter().any(receives) {
        return false;
    }
    let types = || {
        let all = args.iter().zip(call.operands);
        all.filter(|(_, role)| **role == Role::Datatype)
    };
    let own = types().any(|(&v, _)| named(module, body, v).is_none());
    (own || types().next().is_none())
        && (module.find_func("MPI_Get_address").is_some()
            || module.find_func("MPI_Address").is_some())
}

/// The datatype of a buffer: the next one among the operands.
fn datatype_of(call: &'static MpiCall, args: &[Value], buffer: Value) -> Option<Value> {
    let at = args.iter().position(|&v| v == buffer)?;
    let rest = args.iter().zip(call.operands).skip(at);
    rest.clone()
        .find(|(_, role)| **role == Role::Datatype)
        .map(|(&v, _)| v)
}

/// What a datatype is, if it is one of MPI's own.
fn named(module: &Module, body: &Body, mut datatype: Value) -> Option<Kind> {
    loop {
        let data = &body.insts[body.def_inst(datatype)?];
        match &data.op {
            Op::Cast => datatype = data.args[0],
            Op::GlobalAddr(g) => {
                let name = module.globals[*g].name.strip_prefix("ompi_mpi_")?;
                return Some(kind_of_name(name));
            }
            Op::Const(Const::Int(n)) if n & !0xff_ffff == 0x4c00_0000 => {
                let last = n & 0xff;
                return match (INTEGERS.contains(&last), DOUBLES.contains(&last)) {
                    (true, _) => Some(Kind::Integers),
                    (_, true) => Some(Kind::Numbers),
                    _ => None,
                };
            }
            _ => return None,
        }
    }
}

fn kind_of_name(name: &str) -> Kind {
    let ends = |list: &[&str]| list.iter().any(|end| name.ends_with(end));
    if ends(&NUMBERS) {
        Kind::Numbers
    } else if ends(&["byte", "packed", "char", "character", "int8_t"]) {
        Kind::Bytes
    } else {
        Kind::Integers
    }
}

/// Is a type made of integers, and of more than bytes?
fn is_integers(types: &CTypes, t: CTy) -> bool {
    match types.shape(t) {
        CTypeKind::Basic(b) => b.is_integer(),
        CTypeKind::Enum(_) => true,
        CTypeKind::Array { elem, .. } => match types.shape(*elem) {
            // Room for anything.
            CTypeKind::Basic(b) if b.size() == 1 => false,
            _ => is_integers(types, *elem),
        },
        CTypeKind::Record(r) => {
            let fields = types.records[*r].fields.as_ref();
            fields.is_some_and(|all| all.iter().all(|f| is_integers(types, f.ty)))
        }
        _ => false,
    }
}

/// Is it a record, or an array of records, with integers in it?
pub fn has_integers(types: &CTypes, t: CTy) -> bool {
    match types.shape(t) {
        CTypeKind::Array { elem, .. } => has_integers(types, *elem),
        CTypeKind::Record(r) => {
            let fields = types.records[*r].fields.as_ref();
            let holds = |t: CTy| is_integers(types, t) || has_integers(types, t);
            fields.is_some_and(|all| all.iter().any(|f| holds(f.ty)))
        }
        _ => false,
    }
}

/// Is an address that of a member of a record that holds other things as well?
fn is_part_of_more(types: &CTypes, body: &Body, mut v: Value) -> bool {
    while let Some(inst) = body.def_inst(v) {
        let data = &body.insts[inst];
        match &data.op {
            Op::Addr(attr) => {
                let more = attr.steps.iter().any(|step| match step {
                    Step::Field { record, .. } => {
                        let fields = types.records[*record].fields.as_ref();
                        fields.is_none_or(|all| !all.iter().all(|f| is_integers(types, f.ty)))
                    }
                    _ => false,
                });
                if more {
                    return true;
                }
                v = data.args[0];
            }
            Op::Cast if body.ty(data.args[0]) == Type::Ptr => v = data.args[0],
            _ => return false,
        }
    }
    false
}
