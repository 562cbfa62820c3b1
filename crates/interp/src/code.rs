//! The form in which functions are executed: the region trees of all functions flattened into one list of codes with jumps, and tables for
//! what does not fit in a code. Constants and addresses of globals cost nothing at run time: they are part of the register
//! image that a call copies.

use crate::arith::{BinaryOp, Compare};
use crate::libc::External;
use crate::memory::Name;
use crate::value::Raw;
use adjoin_ir::{ReduceOp, Span, Type};

/// A register of the current function.
pub type Reg = u32;

/// "No register".
pub const NONE: Reg = u32::MAX;

/// How a counted loop's index wraps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Width {
    I32,
    U32,
    W64,
}

/// One step of execution. `d` is the register written, `a` and `b` are those read, `to` is an index into the code.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub enum Code {
    Move {
        d: Reg,
        a: Reg,
    },
    // Control
    Jump {
        to: u32,
    },
    JumpIfNot {
        a: Reg,
        to: u32,
    },
    JumpUnless {
        compare: Compare,
        a: Reg,
        b: Reg,
        to: u32,
    },
    /// The end of a counted loop's iteration: steps the index and goes back if the test holds.
    Next {
        width: Width,
        compare: Compare,
        index: Reg,
        step: Reg,
        upper: Reg,
        to: u32,
    },
    Switch {
        a: Reg,
        table: u32,
    },
    Return {
        a: Reg,
    },
    Unreachable,
    Call {
        site: u32,
    },
    // Objects and addresses
    Slot {
        d: Reg,
        slot: u32,
    },
    SlotMany {
        d: Reg,
        a: Reg,
        slot: u32,
    },
    Alloca {
        d: Reg,
        a: Reg,
    },
    Kill {
        a: Reg,
    },
    Offset {
        d: Reg,
        a: Reg,
        bytes: i32,
    },
    Index {
        d: Reg,
        a: Reg,
        b: Reg,
        stride: u32,
    },
    IndexBy {
        d: Reg,
        a: Reg,
        b: Reg,
        stride: Reg,
    },
    Distance {
        d: Reg,
        a: Reg,
        b: Reg,
        size: u32,
    },
    // Memory
    LoadI8 {
        d: Reg,
        a: Reg,
    },
    LoadU8 {
        d: Reg,
        a: Reg,
    },
    LoadI32 {
        d: Reg,
        a: Reg,
    },
    LoadU32 {
        d: Reg,
        a: Reg,
    },
    LoadF32 {
        d: Reg,
        a: Reg,
    },
    LoadW64 {
        d: Reg,
        a: Reg,
    },
    LoadF64 {
        d: Reg,
        a: Reg,
    },
    LoadAny {
        d: Reg,
        a: Reg,
        ty: Type,
    },
    Store8 {
        a: Reg,
        b: Reg,
    },
    Store32 {
        a: Reg,
        b: Reg,
    },
    StoreF32 {
        a: Reg,
        b: Reg,
    },
    Store64 {
        a: Reg,
        b: Reg,
    },
    StoreF64 {
        a: Reg,
        b: Reg,
    },
    StoreAny {
        a: Reg,
        b: Reg,
        ty: Type,
    },
    LoadBits {
        d: Reg,
        a: Reg,
        first: u32,
        width: u16,
        ty: Type,
    },
    StoreBits {
        a: Reg,
        b: Reg,
        first: u32,
        width: u16,
        ty: Type,
    },
    /// `size` indexes the table of numbers.
    Copy {
        a: Reg,
        b: Reg,
        size: u32,
    },
    Zero {
        a: Reg,
        size: u32,
    },
    // Arithmetic: the frequent types
    AddI32 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    SubI32 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    MulI32 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    AddU32 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    SubU32 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    MulU32 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Add64 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Sub64 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Mul64 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    And {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Or {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Xor {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    ShrSigned {
        d: Reg,
        a: Reg,
        b: Reg,
        ty: Type,
    },
    ShrUnsigned {
        d: Reg,
        a: Reg,
        b: Reg,
        ty: Type,
    },
    Shl {
        d: Reg,
        a: Reg,
        b: Reg,
        ty: Type,
    },
    AddF64 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    SubF64 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    MulF64 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    DivF64 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    AddF32 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    SubF32 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    MulF32 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    DivF32 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    // Arithmetic: every type
    Binary {
        op: BinaryOp,
        ty: Type,
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Negate {
        d: Reg,
        a: Reg,
        ty: Type,
    },
    Complement {
        d: Reg,
        a: Reg,
        ty: Type,
    },
    Compare {
        compare: Compare,
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Select {
        d: Reg,
        c: Reg,
        a: Reg,
        b: Reg,
    },
    /// Between integers, pointers and bool of at most 64 bits: only the canonical form changes.
    CastInt {
        d: Reg,
        a: Reg,
        to: Type,
    },
    I32ToF64 {
        d: Reg,
        a: Reg,
    },
    Cast {
        d: Reg,
        a: Reg,
        from: Type,
        to: Type,
    },
    MakeComplex {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    RealPart {
        d: Reg,
        a: Reg,
    },
    ImagPart {
        d: Reg,
        a: Reg,
    },
    // Parallel data: `data` indexes the table
    ReduceStart {
        a: Reg,
        count: Reg,
        data: u32,
    },
    /// Combines the private copy `b` into the original `a`.
    ReduceEnd {
        a: Reg,
        b: Reg,
        count: Reg,
        data: u32,
    },
    /// Copies `count` elements of the data's size; with `initialised`, only initialised bytes.
    CopyMany {
        a: Reg,
        b: Reg,
        count: Reg,
        data: u32,
        initialised: bool,
    },
    // Variable arguments
    VaStart {
        a: Reg,
    },
    VaArg {
        d: Reg,
        a: Reg,
        ty: Type,
    },
    VaArgInto {
        a: Reg,
        b: Reg,
        size: u32,
    },
    VaEnd {
        a: Reg,
    },
    VaCopy {
        a: Reg,
        b: Reg,
    },
}

/// A stack object.
#[derive(Debug)]
pub struct SlotInfo {
    /// Size, or of the element of a variable-length one.
    pub size: u64,
    /// Alignment.
    pub align: u64,
    /// Variable's name.
    pub name: Name,
}

/// The data of a reduction or private copy.
#[derive(Debug)]
pub struct DataInfo {
    /// Reduction operator.
    pub op: ReduceOp,
    /// Scalar type; for copies without meaning.
    pub ty: Type,
    /// How many scalars an element of the clause's type holds.
    pub scalars: u64,
    /// Size of an element in bytes.
    pub size: u64,
}

/// What a call site calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Callee {
    /// A function by its index.
    Direct(u32),
    /// Through the pointer in a register.
    Indirect(Reg),
}

/// A call.
#[derive(Debug)]
pub struct CallSite {
    /// Who.
    pub callee: Callee,
    /// Where an aggregate result goes.
    pub result_address: Option<Reg>,
    /// Arguments.
    pub args: Vec<Reg>,
    /// Their types.
    pub types: Vec<Type>,
    /// Size of each aggregate argument; 0 for scalars.
    pub aggregates: Vec<u64>,
    /// For each argument that is a pointer to a scalar type of known shape: that type (atomic and overflow builtins need it).
    pub pointees: Vec<Option<Type>>,
    /// Result register, or [`NONE`].
    pub result: Reg,
    /// Its type.
    pub result_type: Option<Type>,
}

/// A `switch`: inclusive ranges in order, with their targets.
#[derive(Debug)]
pub struct SwitchTable {
    /// Type of the selector.
    pub ty: Type,
    /// Ranges.
    pub ranges: Vec<(i128, i128, u32)>,
    /// Otherwise.
    pub default: u32,
}

/// A function.
#[derive(Debug)]
pub struct FunctionInfo {
    /// Name in C.
    pub name: String,
    /// Its first code, if it has a body.
    pub entry: Option<u32>,
    /// What a call of a function without body does.
    pub external: Option<External>,
    /// The initial registers.
    pub image: Vec<Raw>,
    /// Registers of the parameters.
    pub params: Vec<Reg>,
    /// Their types.
    pub param_types: Vec<Type>,
    /// Size of each aggregate parameter; 0 for scalars.
    pub param_sizes: Vec<u64>,
    /// Takes more arguments.
    pub variadic: bool,
    /// Type of the result, if it is a scalar.
    pub result_type: Option<Type>,
    /// Size of the result, if it is an aggregate.
    pub result_size: Option<u64>,
}

/// A program.
#[derive(Debug, Default)]
pub struct Program {
    /// The codes of all functions.
    pub code: Vec<Code>,
    /// The source place of each code.
    pub spans: Vec<Span>,
    /// Functions, in the module's order.
    pub functions: Vec<FunctionInfo>,
    /// Addresses of the globals, in the module's order.
    pub globals: Vec<u64>,
    /// Names of the globals.
    pub global_names: Vec<String>,
    /// Source files.
    pub files: Vec<String>,
    /// Call sites.
    pub sites: Vec<CallSite>,
    /// Switches.
    pub switches: Vec<SwitchTable>,
    /// Stack objects.
    pub slots: Vec<SlotInfo>,
    /// Names of the slots' variables, until they are given to the memory.
    pub names: Vec<String>,
    /// Parallel data.
    pub data: Vec<DataInfo>,
    /// Sizes of copies.
    pub numbers: Vec<u64>,
}
