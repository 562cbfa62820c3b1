//! The operations, as one table. A row gives the variant, the name in the text form, how many
//! operands, results and regions it has, its type rule and its effect, and what it means. The enum, the names,
//! the arity check of the verifier and the attribute part of printer and parser come from the rows. A new op is a new
//! row; if it has an attribute of a new type, that type implements [`Attribute`].

use crate::attr::*;
use crate::module::{Func, Global, Inst, Value};
use crate::parse::Reader;
use crate::print::Writer;
use crate::text::{Attribute, IdMap, TextResult};

/// How many operands, results or regions an op has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Count {
    /// Exactly this many.
    Exactly(usize),
    /// At least this many.
    AtLeast(usize),
}

impl Count {
    /// Does `n` fit?
    pub fn admits(self, n: usize) -> bool {
        match self {
            Count::Exactly(k) => n == k,
            Count::AtLeast(k) => n >= k,
        }
    }
}

/// What an op does besides computing its results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Nothing: may be removed when unused, duplicated, moved where its operands are available. (Integer division
    /// and remainder trap on zero: pure, but not to be moved out from under a guard.)
    Pure,
    /// Creates a stack object that lives until the end of the enclosing region.
    Allocate,
    /// Reads memory.
    Read,
    /// Writes memory (and may read it).
    Write,
    /// May do anything a function can.
    Call,
    /// Holds regions; its effects are theirs.
    Region,
    /// Ends a region.
    Terminator,
}

/// The type rule of an op, checked by the verifier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rule {
    /// No rule beyond the counts; the op has a check of its own.
    Special,
    /// Operands and result have one arithmetic type (integer, real or complex; not `bool`).
    Arithmetic,
    /// Operands and result have one integer type; `bool` is allowed.
    Bitwise,
    /// Operands and result have one integer type.
    Integer,
    /// The first operand and the result have one integer type, the second is any integer.
    Shift,
    /// Operands have one type, real, integer, bool or pointer; the result is `bool`.
    Compare,
    /// As `Compare`, complex too.
    Equality,
    /// Scalar to scalar.
    Cast,
}

macro_rules! op_table {
    ($( $(#[doc = $doc:literal])+ $variant:ident $(($attr:ty))? = $name:literal,
        $args:expr, $results:expr, $regions:expr, $rule:ident, $effect:ident; )+) => {
        /// An operation with its attributes. Operands, results and regions are in the instruction.
        #[derive(Clone, PartialEq, Debug)]
        pub enum Op {
            $( $(#[doc = $doc])+ $variant $(($attr))?, )+
        }

        /// A row of the op table.
        #[derive(Debug)]
        pub struct OpInfo {
            /// Name in the text form.
            pub name: &'static str,
            /// Number of operands.
            pub args: Count,
            /// Number of results.
            pub results: Count,
            /// Number of regions.
            pub regions: Count,
            /// Type rule.
            pub rule: Rule,
            /// Effect.
            pub effect: Effect,
            /// Meaning.
            pub doc: &'static str,
        }

        /// The op table.
        pub static OPS: &[OpInfo] = { use Count::*; &[
            $( OpInfo { name: $name, args: $args, results: $results, regions: $regions,
                rule: Rule::$rule, effect: Effect::$effect, doc: concat!($($doc, "\n"),+) }, )+
        ]};

        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum Index { $($variant),+ }

        impl Op {
            /// The op's row in the table.
            pub fn info(&self) -> &'static OpInfo {
                match self { $( op_table!(@pat $variant _attr $(($attr))?) => &OPS[Index::$variant as usize], )+ }
            }

            /// Writes the attribute and the operands.
            pub(crate) fn print_attr(&self, out: &mut Writer<'_>, operands: &[Value]) {
                match self { $(
                    op_table!(@pat $variant attr $(($attr))?) => op_table!(@print attr out operands $(($attr))?),
                )+ }
            }

            /// Reads the attribute and the operands of the op of that name.
            pub(crate) fn parse_attr(name: &str, input: &mut Reader<'_>, operands: &mut Vec<Value>)
                -> TextResult<Option<Op>> {
                Ok(Some(match name {
                    $( $name => op_table!(@parse $variant input operands $(($attr))?), )+
                    _ => return Ok(None),
                }))
            }

            /// Visits the ids in the attribute.
            pub fn map_ids(&mut self, map: &mut dyn IdMap) {
                match self { $(
                    op_table!(@pat $variant attr $(($attr))?) => op_table!(@map attr map $(($attr))?),
                )+ }
            }
        }
    };
    (@pat $variant:ident $name:ident ($attr:ty)) => { Op::$variant($name) };
    (@pat $variant:ident $name:ident) => { Op::$variant };
    (@print $name:ident $out:ident $operands:ident ($attr:ty)) => { Attribute::print($name, $out, $operands) };
    (@print $name:ident $out:ident $operands:ident) => { $out.operands($operands) };
    (@parse $variant:ident $input:ident $operands:ident ($attr:ty)) => {
        Op::$variant(<$attr as Attribute>::parse($input, $operands)?)
    };
    (@parse $variant:ident $input:ident $operands:ident) => {{ $input.operands($operands)?; Op::$variant }};
    (@map $name:ident $map:ident ($attr:ty)) => { Attribute::map_ids($name, $map) };
    (@map $name:ident $map:ident) => { () };
}

op_table! {
    // Constants and addresses
    /// A constant of the result's type. A pointer constant is an address as an integer (0 is NULL).
    Const(Const) = "const", Exactly(0), Exactly(1), Exactly(0), Special, Pure;
    /// The address of a global variable (string literals and static locals are globals).
    GlobalAddr(Global) = "global", Exactly(0), Exactly(1), Exactly(0), Special, Pure;
    /// The address of a function.
    FuncAddr(Func) = "func", Exactly(0), Exactly(1), Exactly(0), Special, Pure;
    /// A stack object of a C type, uninitialised; a new one each time it is executed; alive until the end of the region that holds the op.
    Slot(SlotAttr) = "slot", Exactly(0), Exactly(1), Exactly(0), Special, Allocate;
    /// A variable-length stack object: operand is the number of elements (i64 or u64) of the attribute's element type.
    SlotVla(SlotAttr) = "slot_vla", Exactly(1), Exactly(1), Exactly(0), Special, Allocate;
    /// `alloca`: operand is the size in bytes (u64); alive until the function returns.
    Alloca = "alloca", Exactly(1), Exactly(1), Exactly(0), Special, Allocate;
    /// Address arithmetic: the base plus the sum of the steps, in bytes. Operands: base, then for each step its index and dynamic stride.
    Addr(AddrAttr) = "addr", AtLeast(1), Exactly(1), Exactly(0), Special, Pure;
    /// Distance between two pointers in units of the attribute's size in bytes: i64.
    PtrDiff(u64) = "ptrdiff", Exactly(2), Exactly(1), Exactly(0), Special, Pure;

    // Arithmetic
    /// Sum.
    Add = "add", Exactly(2), Exactly(1), Exactly(0), Arithmetic, Pure;
    /// Difference.
    Sub = "sub", Exactly(2), Exactly(1), Exactly(0), Arithmetic, Pure;
    /// Product.
    Mul = "mul", Exactly(2), Exactly(1), Exactly(0), Arithmetic, Pure;
    /// Quotient; integers truncate, and division by zero is an error.
    Div = "div", Exactly(2), Exactly(1), Exactly(0), Arithmetic, Pure;
    /// Integer remainder with the sign of the dividend.
    Rem = "rem", Exactly(2), Exactly(1), Exactly(0), Integer, Pure;
    /// Negation.
    Neg = "neg", Exactly(1), Exactly(1), Exactly(0), Arithmetic, Pure;
    /// Bitwise and; of bools, logical and (both sides evaluated).
    And = "and", Exactly(2), Exactly(1), Exactly(0), Bitwise, Pure;
    /// Bitwise or.
    Or = "or", Exactly(2), Exactly(1), Exactly(0), Bitwise, Pure;
    /// Bitwise exclusive or.
    Xor = "xor", Exactly(2), Exactly(1), Exactly(0), Bitwise, Pure;
    /// Bitwise complement; of a bool, logical not.
    Not = "not", Exactly(1), Exactly(1), Exactly(0), Bitwise, Pure;
    /// Left shift.
    Shl = "shl", Exactly(2), Exactly(1), Exactly(0), Shift, Pure;
    /// Right shift; arithmetic for signed types.
    Shr = "shr", Exactly(2), Exactly(1), Exactly(0), Shift, Pure;
    /// Equal.
    Eq = "eq", Exactly(2), Exactly(1), Exactly(0), Equality, Pure;
    /// Not equal (true for NaN).
    Ne = "ne", Exactly(2), Exactly(1), Exactly(0), Equality, Pure;
    /// Less than.
    Lt = "lt", Exactly(2), Exactly(1), Exactly(0), Compare, Pure;
    /// Less than or equal.
    Le = "le", Exactly(2), Exactly(1), Exactly(0), Compare, Pure;
    /// Greater than.
    Gt = "gt", Exactly(2), Exactly(1), Exactly(0), Compare, Pure;
    /// Greater than or equal.
    Ge = "ge", Exactly(2), Exactly(1), Exactly(0), Compare, Pure;
    /// `c ? a : b` with both sides already computed.
    Select = "select", Exactly(3), Exactly(1), Exactly(0), Special, Pure;
    /// C's conversion to the result's type: integer wrap or extension, int/float, float/float, real to complex (imaginary part zero), complex to
    /// real (imaginary part dropped), pointer/integer, anything to `bool` (compares unequal to zero).
    Cast = "cast", Exactly(1), Exactly(1), Exactly(0), Cast, Pure;
    /// A complex number from its real and imaginary part.
    Complex = "complex", Exactly(2), Exactly(1), Exactly(0), Special, Pure;
    /// Real part.
    Real = "real", Exactly(1), Exactly(1), Exactly(0), Special, Pure;
    /// Imaginary part.
    Imag = "imag", Exactly(1), Exactly(1), Exactly(0), Special, Pure;

    // Memory
    /// Reads a scalar of the result's type at an address.
    Load(MemAttr) = "load", Exactly(1), Exactly(1), Exactly(0), Special, Read;
    /// Writes a scalar: operands address, value.
    Store(MemAttr) = "store", Exactly(2), Exactly(0), Exactly(0), Special, Write;
    /// Reads a bit-field: the operand is the address of its storage unit; sign-extends if the result's type is signed.
    LoadBits(BitsAttr) = "load_bits", Exactly(1), Exactly(1), Exactly(0), Special, Read;
    /// Writes a bit-field: operands address of the storage unit, value; other bits are kept.
    StoreBits(BitsAttr) = "store_bits", Exactly(2), Exactly(0), Exactly(0), Special, Write;
    /// Copies an aggregate: operands destination, source (equal or disjoint).
    Copy(CopyAttr) = "copy", Exactly(2), Exactly(0), Exactly(0), Special, Write;
    /// Sets the bytes of an object to zero: operand address.
    Zero(CopyAttr) = "zero", Exactly(1), Exactly(0), Exactly(0), Special, Write;

    // Calls
    /// Calls a function. Operands are the arguments; an aggregate argument is the address of the caller's object, which the callee receives as a copy.
    /// If the function returns an aggregate, the first operand is the address that receives it.
    Call(CallAttr) = "call", AtLeast(0), AtLeast(0), Exactly(0), Special, Call;
    /// Calls through a pointer: the first operand; the rest as for `call`.
    CallIndirect(IndirectAttr) = "call_indirect", AtLeast(1), AtLeast(0), Exactly(0), Special, Call;
    /// An MPI call, with C's operands in C's order. The table in `mpi` gives each operand's role.
    Mpi(MpiAttr) = "mpi", AtLeast(0), AtLeast(0), Exactly(0), Special, Call;
    /// `va_start`: operand is the address of the `va_list`.
    VaStart = "va_start", Exactly(1), Exactly(0), Exactly(0), Special, Call;
    /// `va_arg` of a scalar: operand is the address of the `va_list`; the attribute is the C type.
    VaArg(crate::ctype::CTy) = "va_arg", Exactly(1), Exactly(1), Exactly(0), Special, Call;
    /// `va_arg` of a struct or union: operands the address that receives it, the address of the `va_list`; the attribute is the C type.
    VaArgInto(crate::ctype::CTy) = "va_arg_into", Exactly(2), Exactly(0), Exactly(0), Special, Call;
    /// `va_end`
    VaEnd = "va_end", Exactly(1), Exactly(0), Exactly(0), Special, Call;
    /// `va_copy`: operands destination, source.
    VaCopy = "va_copy", Exactly(2), Exactly(0), Exactly(0), Special, Call;

    // Control
    /// Two regions without arguments; the results are what the region taken yields.
    If = "if", Exactly(1), AtLeast(0), Exactly(2), Special, Region;
    /// Counted loop. Operands: lower, upper, step, initial carried values. Region arguments: the index and the carried values; it yields the next
    /// carried values. The index starts at `lower` and the body runs while `index pred upper`; then `index += step`. Bounds and step are
    /// evaluated once. Results: the index when the loop ended (the first that failed the test, or the one at which `break` left), and
    /// the carried values.
    For(ForAttr) = "for", AtLeast(3), AtLeast(1), Exactly(1), Special, Region;
    /// General loop. Operands: initial carried values, which are the region's arguments; `yield` and `continue` start the next iteration with new
    /// ones; only `break` leaves, and its operands are the results.
    Loop = "loop", AtLeast(0), AtLeast(0), Exactly(1), Special, Region;
    /// A region without arguments that `break` can leave; yields and breaks give the results.
    Block = "block", Exactly(0), AtLeast(0), Exactly(1), Special, Region;
    /// Operands: an integer, then initial values of the arguments that every region takes. The region whose case holds the integer is entered, else the
    /// default region (there is exactly one). `yield` and `break` give the results; `fallthrough` enters the next region.
    Switch(SwitchAttr) = "switch", AtLeast(1), AtLeast(0), AtLeast(1), Special, Region;
    /// A parallel construct; see [`ParAttr`]. Region arguments are the addresses of the private copies that data clauses make.
    Par(ParAttr) = "par", AtLeast(0), Exactly(0), AtLeast(0), Special, Region;

    // Terminators
    /// Ends a region normally.
    Yield = "yield", AtLeast(0), Exactly(0), Exactly(0), Special, Terminator;
    /// Leaves the enclosing `for`, `loop`, `block` or `switch` named by the attribute with these results. For a `for` they are the carried
    /// values; the index is the current one.
    Break(Inst) = "break", AtLeast(0), Exactly(0), Exactly(0), Special, Terminator;
    /// Starts the next iteration of the enclosing `for` or `loop` named by the attribute with these carried values.
    Continue(Inst) = "continue", AtLeast(0), Exactly(0), Exactly(0), Special, Terminator;
    /// Enters the next region of the `switch` that holds this region directly or through `if`s and `block`s.
    Fallthrough(Inst) = "fallthrough", AtLeast(0), Exactly(0), Exactly(0), Special, Terminator;
    /// Returns from the function. For an aggregate the operand is its address.
    Return = "return", AtLeast(0), Exactly(0), Exactly(0), Special, Terminator;
    /// Control does not get here.
    Unreachable = "unreachable", Exactly(0), Exactly(0), Exactly(0), Special, Terminator;
}

impl Op {
    /// The name in the text form.
    pub fn name(&self) -> &'static str {
        self.info().name
    }
    /// Ends a region?
    pub fn is_terminator(&self) -> bool {
        self.info().effect == Effect::Terminator
    }
    /// Without any effect?
    pub fn is_pure(&self) -> bool {
        self.info().effect == Effect::Pure
    }
    /// The enclosing op that a terminator names.
    pub fn target(&self) -> Option<Inst> {
        match *self {
            Op::Break(t) | Op::Continue(t) | Op::Fallthrough(t) => Some(t),
            _ => None,
        }
    }
}
