//! Numbers that travel as `MPI_BYTE` or characters: the datatype does not say where they are, but the type of the buffer may. In front of such a call the derivative tells the runtime.

use super::{PREFIX, buffers, declare};
use adjoin_ir::mpi::{MpiCall, Role};
use adjoin_ir::{
    Basic, Body, Builder, CTy, CTypeKind, CTypes, Const, Func, Module, Op, Step, Type, Value,
};

/// `MPI_BYTE`, `MPI_PACKED` and the characters of MPICH and its kin, where datatypes are integers.
const UNTYPED: [i128; 7] = [
    0x4c00_010d,
    0x4c00_010f,
    0x4c00_0101,
    0x4c00_0102,
    0x4c00_0118,
    0x4c00_0137,
    0x4c00_013b,
];

/// An element with more runs than this is not described.
const MOST_RUNS: u64 = 64;

/// Elements of numbers and other things: what the runtime calls a layout.
struct Layout {
    /// Bytes from one element to the next.
    size: u64,
    /// Numbers behind one another: where, the kind of number (as the runtime counts them), how many.
    runs: Vec<(u64, i32, u64)>,
}

/// May the data of a call travel as bytes?
pub fn may_be_bytes(module: &Module, body: &Body, call: &'static MpiCall, args: &[Value]) -> bool {
    let types = args.iter().zip(call.operands);
    (types.filter(|(_, role)| **role == Role::Datatype)).any(|(&v, _)| is_untyped(module, body, v))
}

fn is_untyped(module: &Module, body: &Body, mut datatype: Value) -> bool {
    loop {
        let Some(inst) = body.def_inst(datatype) else {
            return true;
        };
        let data = &body.insts[inst];
        match &data.op {
            Op::Cast => datatype = data.args[0],
            Op::GlobalAddr(g) => {
                let name = &module.globals[*g].name;
                let kinds = ["byte", "packed", "char", "int8_t"];
                return kinds.into_iter().any(|kind| name.ends_with(kind));
            }
            Op::Const(Const::Int(n)) => return UNTYPED.contains(n),
            _ => return true,
        }
    }
}

/// The record that a buffer begins at a member of, and where that is.
fn member_of(body: &Body, mut v: Value) -> Option<(adjoin_ir::ctype::Record, u64)> {
    loop {
        let data = &body.insts[body.def_inst(v)?];
        match &data.op {
            Op::Cast if body.ty(data.args[0]) == Type::Ptr => v = data.args[0],
            Op::Addr(attr) => {
                return match attr.steps.last() {
                    Some(&Step::Field { record, offset, .. }) => Some((record, offset)),
                    _ => None,
                };
            }
            _ => return None,
        }
    }
}

/// What the type of a buffer says of its elements, if it says anything.
fn layout(module: &Module, body: &Body, buffer: Value) -> Option<Layout> {
    let types = &module.types;
    // What begins at the first member may go on to the others.
    if let Some((record, 0)) = member_of(body, buffer)
        && !types.records[record].is_union
    {
        let size = types.records[record].size;
        let mut runs = Vec::new();
        for field in types.records[record].fields.as_ref()? {
            if field.bits.is_none() {
                numbers(types, field.ty, field.offset, &mut runs)?;
            }
        }
        return Some(Layout { size, runs });
    }
    let mut v = buffer;
    loop {
        if let Some(mut t) = body.values[v].ctype.and_then(|t| types.pointee(t)) {
            while let Some(e) = types.element(t) {
                t = e;
            }
            let bytes = match types.shape(t) {
                CTypeKind::Void => true,
                CTypeKind::Basic(b) => b.is_integer() && b.size() == 1,
                _ => false,
            };
            if !bytes {
                let mut runs = Vec::new();
                numbers(types, t, 0, &mut runs)?;
                let size = types.size_of(t)?;
                let unsure = runs.is_empty() && member_of(body, buffer).is_some();
                return (!unsure).then_some(Layout { size, runs });
            }
        }
        let data = &body.insts[body.def_inst(v)?];
        match data.op {
            Op::Cast if body.ty(data.args[0]) == Type::Ptr => v = data.args[0],
            _ => return None,
        }
    }
}

/// The numbers of a type; `None` where one byte may be of several things.
fn numbers(types: &CTypes, t: CTy, at: u64, runs: &mut Vec<(u64, i32, u64)>) -> Option<()> {
    match &*types.memory_shape(t) {
        CTypeKind::Basic(b) => {
            let (kind, count) = match b {
                Basic::Float => (1, 1),
                Basic::Double => (2, 1),
                Basic::LongDouble => (3, 1),
                Basic::ComplexFloat => (1, 2),
                Basic::ComplexDouble => (2, 2),
                Basic::ComplexLongDouble => (3, 2),
                _ => return Some(()),
            };
            push(runs, (at, kind, count), b.size() / count);
            Some(())
        }
        CTypeKind::Array { elem, len } => {
            let (size, len) = (types.size_of(*elem)?, (*len)?);
            let mut one = Vec::new();
            numbers(types, *elem, 0, &mut one)?;
            match one.as_slice() {
                [] => {}
                &[(0, kind, n)] if is_dense(kind, n, size) => {
                    push(runs, (at, kind, n * len), size / n);
                }
                list if list.len() as u64 * len <= MOST_RUNS => {
                    for k in 0..len {
                        runs.extend(
                            list.iter()
                                .map(|&(from, kind, n)| (at + k * size + from, kind, n)),
                        );
                    }
                }
                _ => return None,
            }
            Some(())
        }
        CTypeKind::Record(r) => {
            let record = &types.records[*r];
            if record.is_union {
                return None;
            }
            for field in record.fields.as_ref()? {
                if field.bits.is_none() {
                    numbers(types, field.ty, at + field.offset, runs)?;
                }
            }
            Some(())
        }
        CTypeKind::Pointer(_) | CTypeKind::Enum(_) => Some(()),
        _ => None,
    }
}

/// Are that many numbers all of so many bytes?
fn is_dense(kind: i32, count: u64, size: u64) -> bool {
    count * [0, 4, 8, 16][kind as usize] == size
}

/// Appends numbers of some size, to the last ones if they lie behind those.
fn push(runs: &mut Vec<(u64, i32, u64)>, run: (u64, i32, u64), size: u64) {
    match runs.last_mut() {
        Some((from, kind, n)) if *kind == run.1 && *from + *n * size == run.0 => *n += run.2,
        _ => runs.push(run),
    }
}

/// An operand of a call of the runtime's.
pub enum Operand {
    /// A value of the derivative.
    Given(Value),
    /// A number of a type.
    Number(Type, i128),
    /// No address.
    Null,
}

impl Operand {
    /// The value.
    pub fn value(self, b: &mut Builder<'_>) -> Value {
        match self {
            Operand::Given(v) => v,
            Operand::Number(ty, n) => b.int(ty, n),
            Operand::Null => b.null(),
        }
    }
}

/// Calls that tell the runtime of the elements of the buffers of a call that may be of bytes. If nothing is known, that is told too: what was said before is void.
/// `given` is a value of the function in the derivative.
pub fn calls(
    m: &mut Module,
    body: &Body,
    call: &'static MpiCall,
    args: &[Value],
    given: impl Fn(Value) -> Value,
) -> Vec<(Func, Vec<Operand>)> {
    let mut all = Vec::new();
    if !may_be_bytes(m, body, call, args) {
        return all;
    }
    let layouts: Vec<(Value, Layout)> = buffers(call, args)
        .filter_map(|(v, _)| Some((v, layout(m, body, v)?)))
        .collect();
    let void = m.types.void();
    let address = m.types.pointer(void);
    let int = m.types.basic(Basic::Int);
    let long = m.types.basic(Basic::Long);
    let element = declare(m, format!("{PREFIX}bytes"), void, vec![int, address, long]);
    let run = declare(m, format!("{PREFIX}bytes_run"), void, vec![long, int, long]);
    let (int, long) = (
        |n: i32| Operand::Number(Type::I32, n.into()),
        |n: u64| Operand::Number(Type::I64, n.into()),
    );
    if layouts.is_empty() {
        all.push((element, vec![int(-1), Operand::Null, long(0)]));
    }
    for (which, (buffer, layout)) in layouts.into_iter().enumerate() {
        let operands = vec![
            int(which as i32),
            Operand::Given(given(buffer)),
            long(layout.size),
        ];
        all.push((element, operands));
        for (at, kind, count) in layout.runs {
            all.push((run, vec![long(at), int(kind), long(count)]));
        }
    }
    all
}
