//! The builder: makes instructions at a cursor in a [`Body`], with the current source place and with result types
//! inferred from the op. It keeps the body's links (parents, results, region arguments) right; whether operands have
//! the right types is the verifier's business.
//!
//! ```
//! use adjoin_ir::{Body, Builder, Type};
//! let mut body = Body::new();
//! let x = body.add_arg(body.entry, Type::F64);
//! let mut b = Builder::new(&mut body);
//! let square = b.mul(x, x);
//! b.ret(&[square]);
//! ```

use crate::attr::*;
use crate::ctype::{CTy, CTypes, Record};
use crate::module::*;
use crate::op::Op;
use crate::signature::Signature;
use crate::types::Type;

/// A place between instructions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cursor {
    /// The region.
    pub region: Region,
    /// Before the instruction at this position of the region's list; `None`: at the end.
    pub before: Option<usize>,
}

/// Makes instructions at a cursor.
#[derive(Debug)]
pub struct Builder<'a> {
    /// The body that it adds to.
    pub body: &'a mut Body,
    /// Where the next instruction goes.
    pub cursor: Cursor,
    /// The source place of the next instruction.
    pub span: Span,
}

macro_rules! binary {
    ($( $(#[doc = $doc:literal])+ $method:ident $variant:ident; )+) => { $(
        $(#[doc = $doc])+
        pub fn $method(&mut self, a: Value, b: Value) -> Value {
            let ty = self.body.ty(a);
            self.value(Op::$variant, vec![a, b], ty)
        }
    )+ };
}

macro_rules! compare {
    ($( $(#[doc = $doc:literal])+ $method:ident $variant:ident; )+) => { $(
        $(#[doc = $doc])+
        pub fn $method(&mut self, a: Value, b: Value) -> Value {
            self.value(Op::$variant, vec![a, b], Type::Bool)
        }
    )+ };
}

/// The cursor, and instructions in general.
impl<'a> Builder<'a> {
    /// A builder at the end of the body's entry region.
    pub fn new(body: &'a mut Body) -> Self {
        let entry = body.entry;
        Builder::at_end(body, entry)
    }

    /// A builder at the end of a region.
    pub fn at_end(body: &'a mut Body, region: Region) -> Self {
        Builder {
            body,
            cursor: Cursor {
                region,
                before: None,
            },
            span: Span::default(),
        }
    }

    /// A builder just before an instruction, with its source place. (At the end of its region if it is not in the list.)
    pub fn before(body: &'a mut Body, inst: Inst) -> Self {
        let region = body.insts[inst].parent;
        let before = body.regions[region].insts.iter().position(|&i| i == inst);
        let span = body.insts[inst].span;
        Builder {
            body,
            cursor: Cursor { region, before },
            span,
        }
    }

    /// Goes to the end of a region; returns where it was.
    pub fn enter(&mut self, region: Region) -> Cursor {
        std::mem::replace(
            &mut self.cursor,
            Cursor {
                region,
                before: None,
            },
        )
    }

    /// Goes back to a place that `enter` returned.
    pub fn leave(&mut self, cursor: Cursor) {
        self.cursor = cursor;
    }

    /// Runs `fill` at the end of a region and comes back.
    pub fn inside<T>(&mut self, region: Region, fill: impl FnOnce(&mut Self) -> T) -> T {
        let back = self.enter(region);
        let result = fill(self);
        self.leave(back);
        result
    }

    /// Is there a terminator at the end of the current region?
    pub fn terminated(&self) -> bool {
        let last = self.body.terminator(self.cursor.region);
        last.is_some_and(|i| self.body.insts[i].op.is_terminator())
    }

    /// Any instruction, with results of the given types.
    pub fn inst(&mut self, op: Op, args: Vec<Value>, results: &[Type]) -> Inst {
        let Cursor { region, before } = self.cursor;
        let inst = match before {
            None => self.body.append(region, op, args, self.span),
            Some(k) => {
                let inst = self.body.make(region, op, args, self.span);
                self.body.regions[region].insts.insert(k, inst);
                self.cursor.before = Some(k + 1);
                inst
            }
        };
        for &ty in results {
            self.body.add_result(inst, ty);
        }
        inst
    }

    /// An instruction with one result.
    pub fn value(&mut self, op: Op, args: Vec<Value>, ty: Type) -> Value {
        let inst = self.inst(op, args, &[ty]);
        self.body.result(inst)
    }

    /// Gives a value the name of a variable.
    pub fn set_name(&mut self, v: Value, name: &str) -> Value {
        self.body.values[v].name = Some(name.to_string());
        v
    }

    /// Says how C declares a value.
    pub fn set_ctype(&mut self, v: Value, ctype: CTy) -> Value {
        self.body.values[v].ctype = Some(ctype);
        v
    }
}

/// Constants and addresses.
impl Builder<'_> {
    /// An integer, bool or pointer constant; the value must be in the type's range.
    pub fn int(&mut self, ty: Type, value: i128) -> Value {
        self.value(Op::Const(Const::Int(value)), vec![], ty)
    }
    /// A real constant: the number of its type that is nearest.
    pub fn float(&mut self, ty: Type, value: f64) -> Value {
        let value = match ty {
            Type::F32 => f64::from(value as f32),
            _ => value,
        };
        self.value(Op::Const(Const::float(value)), vec![], ty)
    }
    /// `true` or `false`.
    pub fn bool_(&mut self, value: bool) -> Value {
        self.int(Type::Bool, value as i128)
    }
    /// The null pointer.
    pub fn null(&mut self) -> Value {
        self.int(Type::Ptr, 0)
    }
    /// Zero of any type (for a pointer: null).
    pub fn zero_of(&mut self, ty: Type) -> Value {
        if let Some(part) = ty.part() {
            let zero = self.float(part, 0.0);
            self.complex(zero, zero)
        } else if ty.is_vector() {
            let zero = self.float(ty.element(), 0.0);
            self.cast(ty, zero)
        } else if ty.is_float() {
            self.float(ty, 0.0)
        } else {
            self.int(ty, 0)
        }
    }
    /// Any constant.
    pub fn constant(&mut self, ty: Type, value: Const) -> Value {
        self.value(Op::Const(value), vec![], ty)
    }
    /// The address of a global.
    pub fn global(&mut self, global: Global) -> Value {
        self.value(Op::GlobalAddr(global), vec![], Type::Ptr)
    }
    /// The address of a function.
    pub fn func(&mut self, func: Func) -> Value {
        self.value(Op::FuncAddr(func), vec![], Type::Ptr)
    }
    /// A stack object.
    pub fn slot(&mut self, ctype: CTy, name: Option<&str>) -> Value {
        let attr = SlotAttr {
            ctype,
            name: name.map(str::to_string),
            align: 0,
        };
        self.value(Op::Slot(attr), vec![], Type::Ptr)
    }
    /// A variable-length stack object of `count` elements.
    pub fn slot_vla(&mut self, element: CTy, name: Option<&str>, count: Value) -> Value {
        let attr = SlotAttr {
            ctype: element,
            name: name.map(str::to_string),
            align: 0,
        };
        self.value(Op::SlotVla(attr), vec![count], Type::Ptr)
    }
    /// `alloca`
    pub fn alloca(&mut self, bytes: Value) -> Value {
        self.value(Op::Alloca, vec![bytes], Type::Ptr)
    }
    /// Address arithmetic: `operands` are those of the steps, in order.
    pub fn addr(
        &mut self,
        base: Value,
        pointee: CTy,
        steps: Vec<Step>,
        operands: &[Value],
    ) -> Value {
        let mut args = vec![base];
        args.extend(operands);
        self.value(Op::Addr(AddrAttr { pointee, steps }), args, Type::Ptr)
    }
    /// `&base[index]` over elements of a C type of constant size `stride`.
    pub fn element(&mut self, base: Value, pointee: CTy, stride: u64, index: Value) -> Value {
        self.addr(base, pointee, vec![Step::Index { stride }], &[index])
    }
    /// `&base->field` of a record with a definition.
    pub fn field(
        &mut self,
        types: &CTypes,
        base: Value,
        pointee: CTy,
        record: Record,
        field: u32,
    ) -> Value {
        let offset = types.records[record]
            .fields
            .as_ref()
            .and_then(|f| f.get(field as usize))
            .map_or(0, |f| f.offset);
        self.addr(
            base,
            pointee,
            vec![Step::Field {
                record,
                field,
                offset,
            }],
            &[],
        )
    }
    /// The distance of two pointers in units of `size` bytes.
    pub fn ptrdiff(&mut self, size: u64, a: Value, b: Value) -> Value {
        self.value(Op::PtrDiff(size), vec![a, b], Type::I64)
    }
}

/// Arithmetic.
impl Builder<'_> {
    binary! {
        /// Sum.
        add Add;
        /// Difference.
        sub Sub;
        /// Product.
        mul Mul;
        /// Quotient.
        div Div;
        /// Remainder.
        rem Rem;
        /// Bitwise (for bools: logical) and.
        and And;
        /// Bitwise (for bools: logical) or.
        or Or;
        /// Bitwise (for bools: logical) exclusive or.
        xor Xor;
        /// Left shift.
        shl Shl;
        /// Right shift.
        shr Shr;
    }
    compare! {
        /// `a == b`
        eq Eq;
        /// `a != b`
        ne Ne;
        /// `a < b`
        lt Lt;
        /// `a <= b`
        le Le;
        /// `a > b`
        gt Gt;
        /// `a >= b`
        ge Ge;
    }
    /// Negation.
    pub fn neg(&mut self, a: Value) -> Value {
        let ty = self.body.ty(a);
        self.value(Op::Neg, vec![a], ty)
    }
    /// Bitwise complement; for a bool logical not.
    pub fn not(&mut self, a: Value) -> Value {
        let ty = self.body.ty(a);
        self.value(Op::Not, vec![a], ty)
    }
    /// `c ? a : b`, both computed.
    pub fn select(&mut self, c: Value, a: Value, b: Value) -> Value {
        let ty = self.body.ty(a);
        self.value(Op::Select, vec![c, a, b], ty)
    }
    /// Conversion; nothing if it has the type already.
    pub fn cast(&mut self, ty: Type, a: Value) -> Value {
        if self.body.ty(a) == ty {
            a
        } else {
            self.value(Op::Cast, vec![a], ty)
        }
    }
    /// A complex number (the parts' type if there is no complex type of it, which the verifier rejects).
    pub fn complex(&mut self, re: Value, im: Value) -> Value {
        let part = self.body.ty(re);
        self.value(Op::Complex, vec![re, im], part.complex().unwrap_or(part))
    }
    /// Real part.
    pub fn real(&mut self, z: Value) -> Value {
        let ty = self.body.ty(z);
        self.value(Op::Real, vec![z], ty.part().unwrap_or(ty))
    }
    /// Imaginary part.
    pub fn imag(&mut self, z: Value) -> Value {
        let ty = self.body.ty(z);
        self.value(Op::Imag, vec![z], ty.part().unwrap_or(ty))
    }
}

/// Memory.
impl Builder<'_> {
    /// Reads a scalar.
    pub fn load(&mut self, ty: Type, address: Value) -> Value {
        self.value(Op::Load(MemAttr::default()), vec![address], ty)
    }
    /// Writes a scalar.
    pub fn store(&mut self, address: Value, value: Value) -> Inst {
        self.inst(Op::Store(MemAttr::default()), vec![address, value], &[])
    }
    /// Reads a scalar through a lvalue that may be volatile.
    pub fn load_with(&mut self, ty: Type, address: Value, attr: MemAttr) -> Value {
        self.value(Op::Load(attr), vec![address], ty)
    }
    /// Writes a scalar through a lvalue that may be volatile.
    pub fn store_with(&mut self, address: Value, value: Value, attr: MemAttr) -> Inst {
        self.inst(Op::Store(attr), vec![address, value], &[])
    }
    /// Reads a bit-field.
    pub fn load_bits(&mut self, ty: Type, address: Value, attr: BitsAttr) -> Value {
        self.value(Op::LoadBits(attr), vec![address], ty)
    }
    /// Writes a bit-field.
    pub fn store_bits(&mut self, address: Value, value: Value, attr: BitsAttr) -> Inst {
        self.inst(Op::StoreBits(attr), vec![address, value], &[])
    }
    /// Copies an object.
    pub fn copy(&mut self, to: Value, from: Value, bytes: u64, ctype: Option<CTy>) -> Inst {
        self.inst(Op::Copy(CopyAttr { bytes, ctype }), vec![to, from], &[])
    }
    /// Clears an object.
    pub fn zero(&mut self, address: Value, bytes: u64, ctype: Option<CTy>) -> Inst {
        self.inst(Op::Zero(CopyAttr { bytes, ctype }), vec![address], &[])
    }
}

/// Calls. The signature says whether there is a result; see [`Signature::of`].
impl Builder<'_> {
    /// A direct call; `args` as `call` in the op table says.
    pub fn call(
        &mut self,
        signature: &Signature,
        func: Func,
        args: Vec<Value>,
        extra: Vec<CTy>,
    ) -> Option<Value> {
        self.any_call(Op::Call(CallAttr { func, extra }), args, signature.result())
    }
    /// A call through a pointer, which is the first of `args`.
    pub fn call_indirect(
        &mut self,
        signature: &Signature,
        ctype: CTy,
        args: Vec<Value>,
        extra: Vec<CTy>,
    ) -> Option<Value> {
        self.any_call(
            Op::CallIndirect(IndirectAttr { ctype, extra }),
            args,
            signature.result(),
        )
    }
    /// An MPI call.
    pub fn mpi(&mut self, signature: &Signature, func: Func, args: Vec<Value>) -> Option<Value> {
        self.any_call(Op::Mpi(MpiAttr { func }), args, signature.result())
    }
    fn any_call(&mut self, op: Op, args: Vec<Value>, result: Option<Type>) -> Option<Value> {
        let inst = self.inst(op, args, result.as_slice());
        result.map(|_| self.body.result(inst))
    }
    /// `va_start`
    pub fn va_start(&mut self, list: Value) -> Inst {
        self.inst(Op::VaStart, vec![list], &[])
    }
    /// `va_arg` of a scalar C type whose value type is `ty`.
    pub fn va_arg(&mut self, ctype: CTy, ty: Type, list: Value) -> Value {
        self.value(Op::VaArg(ctype), vec![list], ty)
    }
    /// `va_end`
    pub fn va_end(&mut self, list: Value) -> Inst {
        self.inst(Op::VaEnd, vec![list], &[])
    }
    /// `va_copy`
    pub fn va_copy(&mut self, to: Value, from: Value) -> Inst {
        self.inst(Op::VaCopy, vec![to, from], &[])
    }
}

/// Control. These return the instruction and its regions, which have their arguments and are otherwise empty: fill
/// them with [`Builder::inside`]. Results are those of the instruction (`body.insts[inst].results`).
impl Builder<'_> {
    /// `if`: the regions are then and else.
    pub fn if_(&mut self, condition: Value, results: &[Type]) -> (Inst, Region, Region) {
        let inst = self.inst(Op::If, vec![condition], results);
        let then = self.body.add_region(inst);
        let otherwise = self.body.add_region(inst);
        (inst, then, otherwise)
    }

    /// `for`: region arguments are the index and the carried values; results are the final index and the carried
    /// values.
    pub fn for_(
        &mut self,
        pred: Pred,
        lower: Value,
        upper: Value,
        step: Value,
        carried: &[Value],
    ) -> (Inst, Region) {
        let mut types = vec![self.body.ty(lower)];
        types.extend(carried.iter().map(|&v| self.body.ty(v)));
        let mut args = vec![lower, upper, step];
        args.extend(carried);
        let inst = self.inst(Op::For(ForAttr::plain(pred)), args, &types);
        (inst, self.region_with(inst, &types))
    }

    /// `loop`: the region's arguments are the carried values; `break` gives the results.
    pub fn loop_(&mut self, carried: &[Value], results: &[Type]) -> (Inst, Region) {
        let types: Vec<Type> = carried.iter().map(|&v| self.body.ty(v)).collect();
        let inst = self.inst(Op::Loop, carried.to_vec(), results);
        (inst, self.region_with(inst, &types))
    }

    /// `block`
    pub fn block(&mut self, results: &[Type]) -> (Inst, Region) {
        let inst = self.inst(Op::Block, vec![], results);
        (inst, self.body.add_region(inst))
    }

    /// `switch`: one region per case, each with arguments for the carried values.
    pub fn switch(
        &mut self,
        value: Value,
        carried: &[Value],
        cases: Vec<Case>,
        results: &[Type],
    ) -> (Inst, Vec<Region>) {
        let types: Vec<Type> = carried.iter().map(|&v| self.body.ty(v)).collect();
        let mut args = vec![value];
        args.extend(carried);
        let count = cases.len();
        let inst = self.inst(Op::Switch(SwitchAttr { cases }), args, results);
        let regions = (0..count).map(|_| self.region_with(inst, &types)).collect();
        (inst, regions)
    }

    /// `par` with a region, whose arguments are the addresses that the data clauses give, in order. `operands` are
    /// those of the clauses.
    pub fn par(
        &mut self,
        directive: Directive,
        clauses: Vec<Clause>,
        operands: Vec<Value>,
    ) -> (Inst, Region) {
        let arguments: usize = clauses.iter().map(Clause::region_args).sum();
        let inst = self.inst(Op::Par(ParAttr { directive, clauses }), operands, &[]);
        (inst, self.region_with(inst, &vec![Type::Ptr; arguments]))
    }

    /// A stand-alone `par` (barrier, taskwait, taskyield, flush).
    pub fn par_alone(
        &mut self,
        directive: Directive,
        clauses: Vec<Clause>,
        operands: Vec<Value>,
    ) -> Inst {
        self.inst(Op::Par(ParAttr { directive, clauses }), operands, &[])
    }

    fn region_with(&mut self, inst: Inst, arguments: &[Type]) -> Region {
        let region = self.body.add_region(inst);
        for &ty in arguments {
            self.body.add_arg(region, ty);
        }
        region
    }
}

/// Terminators.
impl Builder<'_> {
    /// Ends a region normally.
    pub fn yield_(&mut self, values: &[Value]) -> Inst {
        self.inst(Op::Yield, values.to_vec(), &[])
    }
    /// Leaves an enclosing `for`, `loop`, `block` or `switch`.
    pub fn break_(&mut self, target: Inst, values: &[Value]) -> Inst {
        self.inst(Op::Break(target), values.to_vec(), &[])
    }
    /// Starts the next iteration of an enclosing `for` or `loop`.
    pub fn continue_(&mut self, target: Inst, values: &[Value]) -> Inst {
        self.inst(Op::Continue(target), values.to_vec(), &[])
    }
    /// Enters the next region of an enclosing `switch`.
    pub fn fallthrough(&mut self, target: Inst, values: &[Value]) -> Inst {
        self.inst(Op::Fallthrough(target), values.to_vec(), &[])
    }
    /// Returns from the function.
    pub fn ret(&mut self, values: &[Value]) -> Inst {
        self.inst(Op::Return, values.to_vec(), &[])
    }
    /// Control does not get here.
    pub fn unreachable(&mut self) -> Inst {
        self.inst(Op::Unreachable, vec![], &[])
    }
}

impl Body {
    /// A body whose entry region has the arguments of a function type, named and typed as C declares them (an aggregate
    /// parameter is an address, and has no C type here). `None` if some parameter has no value type.
    pub fn with_params(types: &CTypes, function: CTy, names: &[Option<String>]) -> Option<Body> {
        let signature = Signature::of(types, function)?;
        let crate::ctype::CTypeKind::Function { params, .. } = types.shape(function) else {
            return None;
        };
        let mut body = Body::new();
        for (k, (&ty, &ctype)) in signature.params.iter().zip(params).enumerate() {
            let v = body.add_arg(body.entry, ty);
            body.values[v].name = names.get(k).cloned().flatten();
            body.values[v].ctype = Some(ctype).filter(|&t| !types.is_aggregate(t));
        }
        Some(body)
    }
}
