//! The C library: functions by name. Mathematical functions of the rule table are data; the others are native functions that get the machine and
//! the arguments. A name with `__builtin_` in front means the same function.

mod atomic;
mod bits;
mod ctype;
pub(crate) mod math;
mod misc;
mod openmp;
mod scan;
mod signals;
mod stdio;
mod stdlib;
mod string;
pub(crate) mod wide;

pub(crate) use string::error_text;

use crate::error::{Fault, Run};
use crate::machine::Machine;
use crate::memory::{Memory, NO_NAME};
use crate::tangent::{self, Binary, Holomorphic, Magnitude, Unary};
use crate::value::{Raw, Tangent, to_float};
use adjoin_ir::Type;
use std::collections::BTreeMap;

/// Which form of a mathematical function: `sinf`, `sin` or `sinl`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Precision {
    Single,
    Double,
    Extended,
}

/// A native function.
pub type Native = fn(&mut Machine, &Invocation) -> Run<Raw>;

/// What a function without body does.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub enum External {
    Unary(&'static Unary, Precision),
    Binary(&'static Binary, Precision),
    Holomorphic(&'static Holomorphic, Precision),
    Magnitude(&'static Magnitude, Precision),
    Native(Native),
}

/// A call of a library function.
#[derive(Debug)]
pub struct Invocation<'a> {
    /// Arguments.
    pub args: &'a [Raw],
    /// Their tangents.
    pub tangents: &'a [Tangent],
    /// Their types.
    pub types: &'a [Type],
    /// What they point to, where that is a scalar of known type.
    pub pointees: &'a [Option<Type>],
    /// Where an aggregate result goes.
    pub result_address: u64,
    /// Type of the result.
    pub result_type: Option<Type>,
}

impl Invocation<'_> {
    /// An argument; a missing one is zero (only a call against its prototype misses one).
    pub fn raw(&self, k: usize) -> Raw {
        self.args.get(k).copied().unwrap_or_default()
    }
    /// An address, size or other 64-bit number.
    pub fn address(&self, k: usize) -> u64 {
        self.raw(k).lo
    }
    /// An `int`.
    pub fn int(&self, k: usize) -> i32 {
        self.raw(k).lo as i32
    }
    /// A real number (an integer is converted).
    pub fn real(&self, k: usize) -> f64 {
        let ty = self.type_of(k);
        if ty.is_float() {
            to_float(ty, self.raw(k).lo)
        } else {
            self.raw(k).lo as i64 as f64
        }
    }
    /// The type of an argument.
    pub fn type_of(&self, k: usize) -> Type {
        self.types.get(k).copied().unwrap_or(Type::F64)
    }
    /// The type of the parts of a complex argument.
    pub fn part(&self, k: usize) -> Type {
        self.type_of(k).part().unwrap_or(Type::F64)
    }
    /// The tangent of an argument.
    pub fn tangent(&self, k: usize) -> Tangent {
        self.tangents.get(k).copied().unwrap_or_default()
    }
    /// The type of the result.
    pub fn result(&self, otherwise: Type) -> Type {
        self.result_type.unwrap_or(otherwise)
    }
}

/// The function of that name.
pub fn find(name: &str) -> Option<External> {
    let plain = name.strip_prefix("__builtin_").unwrap_or(name);
    if let Some(external) = find_rule(plain) {
        return Some(external);
    }
    let find_in = [
        math::find,
        stdio::find,
        stdlib::find,
        string::find,
        ctype::find,
        bits::find,
        atomic::find,
        openmp::find,
        signals::find,
        wide::find,
        misc::find,
    ];
    let by_name = |name: &str| find_in.iter().find_map(|find| find(name));
    by_name(plain)
        .or_else(|| by_name(name))
        .map(External::Native)
}

fn find_rule(name: &str) -> Option<External> {
    let exactly = |name: &str, precision: Precision| {
        None.or_else(|| {
            tangent::UNARY
                .iter()
                .find(|r| r.name == name)
                .map(|r| External::Unary(r, precision))
        })
        .or_else(|| {
            tangent::BINARY
                .iter()
                .find(|r| r.name == name)
                .map(|r| External::Binary(r, precision))
        })
        .or_else(|| {
            let row = tangent::HOLOMORPHIC.iter().find(|r| r.name == name);
            row.map(|r| External::Holomorphic(r, precision))
        })
        .or_else(|| {
            let row = tangent::MAGNITUDE.iter().find(|r| r.name == name);
            row.map(|r| External::Magnitude(r, precision))
        })
    };
    exactly(name, Precision::Double)
        .or_else(|| exactly(name.strip_suffix('f')?, Precision::Single))
        .or_else(|| exactly(name.strip_suffix('l')?, Precision::Extended))
}

/// The library's own state.
#[derive(Debug)]
pub struct Library {
    pub(crate) random: stdlib::Random,
    pub(crate) random48: u64,
    pub(crate) tokens: u64,
    pub(crate) at_exit: Vec<u64>,
    /// Handlers by signal.
    pub(crate) handlers: BTreeMap<i32, u64>,
    pub(crate) errno: u64,
    /// The `FILE` objects of stdin, stdout and stderr.
    pub(crate) files: [u64; 3],
    pub(crate) stdin_position: usize,
    /// Objects made on demand, by a name of our own.
    pub(crate) tables: Vec<(&'static str, u64)>,
}

impl Library {
    /// The state at the start of a program.
    pub(crate) fn new(memory: &mut Memory) -> Run<Library> {
        let name = memory.add_names(["errno".to_string()]);
        let errno = memory.new_static(4, 16, name)?;
        let mut files = [0; 3];
        for (file, name) in files.iter_mut().zip(["stdin", "stdout", "stderr"]) {
            let name = memory.add_names([format!("*{name}")]);
            *file = memory.new_static(216, 16, name)?;
        }
        Ok(Library {
            random: stdlib::Random::new(1),
            random48: 0,
            tokens: 0,
            at_exit: Vec::new(),
            handlers: BTreeMap::new(),
            errno,
            files,
            stdin_position: 0,
            tables: Vec::new(),
        })
    }

    /// Contents of a global that the C library defines; those that nobody knows are uninitialised.
    pub(crate) fn external_global(
        &mut self,
        memory: &mut Memory,
        name: &str,
        address: u64,
    ) -> Run<()> {
        let file = match name {
            "stdin" => self.files[0],
            "stdout" => self.files[1],
            "stderr" => self.files[2],
            // Zero is what they start with.
            "signgam" | "optind" | "environ" | "__environ" => return Ok(()),
            _ => {
                memory.make_uninitialised(address);
                return Ok(());
            }
        };
        memory.store(&mut 0, address, file.to_le_bytes())
    }
}

impl Machine {
    /// Sets the program's `errno`.
    pub(crate) fn set_errno(&mut self, code: i32) -> Run<()> {
        self.memory
            .store(&mut 0, self.library.errno, code.to_le_bytes())
    }

    /// Bytes that live as long as the program, made once per name.
    pub(crate) fn static_bytes(&mut self, name: &'static str, bytes: &[u8]) -> Run<u64> {
        if let Some((_, address)) = self.library.tables.iter().find(|(n, _)| *n == name) {
            return Ok(*address);
        }
        let address = self.memory.new_static(bytes.len() as u64, 16, NO_NAME)?;
        self.memory
            .bytes_mut(address, bytes.len() as u64)?
            .copy_from_slice(bytes);
        self.library.tables.push((name, address));
        Ok(address)
    }
}

/// Ends the program.
pub(crate) fn exit(code: i32) -> Fault {
    Fault::Exit(code)
}
