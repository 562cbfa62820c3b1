//! Constant evaluation over the typed tree: the values of static initialisers. Integers wrap to their type, addresses are a base plus bytes.

use crate::extended::Extended;
use adjoin_front::ast::{
    BinaryOp, Expr, ExprKind, FuncId, Init, InitStep, Storage, StrId, UnaryOp, Unit, VarId,
};
use adjoin_ir::{Basic, CTy, CTypeKind, CTypes, Type};

/// A constant.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Constant {
    Int(i128),
    Float(f64),
    /// A `long double` that need not be a double.
    Extended(Extended),
    Complex(f64, f64),
    /// An address: of what, plus bytes.
    Address(Base, i64),
}

/// What an address is relative to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Base {
    Var(VarId),
    Func(FuncId),
    Str(StrId),
}

/// Evaluates constants of a unit.
pub(crate) struct Evaluator<'a> {
    pub unit: &'a Unit,
}

use Constant::*;

impl<'a> Evaluator<'a> {
    fn types(&self) -> &'a CTypes {
        &self.unit.types
    }

    /// The value of a constant expression.
    pub fn value(&self, e: &'a Expr) -> Option<Constant> {
        match &e.kind {
            ExprKind::Int(n) => Some(Int(*n)),
            ExprKind::Float {
                value,
                text: Some(text),
            } => self.wide(*value, text, e.ty),
            ExprKind::Float { value, .. } => Some(Float(*value)),
            ExprKind::Imaginary(x) => Some(Complex(0.0, *x)),
            ExprKind::Func(f) => Some(Address(Base::Func(*f), 0)),
            ExprKind::Decay(x) | ExprKind::AddrOf(x) => self.address(x),
            ExprKind::Load(x) => self.load(x),
            ExprKind::Cast { operand, .. } => {
                let v = self.value(operand)?;
                self.convert(v, e.ty)
            }
            ExprKind::Unary(op, x) => self.unary(*op, self.value(x)?, e.ty),
            ExprKind::Binary(op, a, b) => {
                let operand_type = a.ty;
                let v = binary(*op, self.value(a)?, self.value(b)?, self.of(operand_type))?;
                self.convert(v, e.ty)
            }
            ExprKind::PtrAdd { ptr, index, negate } => {
                let p = self.value(ptr)?;
                let n = self.integer(index)?;
                let size = self.step(self.types().pointee(ptr.ty)?)?;
                self.advance(p, if *negate { -n } else { n }, size)
            }
            ExprKind::PtrDiff(a, b) => {
                let size = self.step(self.types().pointee(a.ty)?)?.max(1);
                match (self.value(a)?, self.value(b)?) {
                    (Address(x, i), Address(y, j)) if x == y => Some(Int((i - j) as i128 / size)),
                    (Int(i), Int(j)) => Some(Int((i - j) / size)),
                    _ => None,
                }
            }
            ExprKind::LogAnd(a, b) => {
                Some(Int((truth(self.value(a)?) && truth(self.value(b)?)) as i128))
            }
            ExprKind::LogOr(a, b) => {
                Some(Int((truth(self.value(a)?) || truth(self.value(b)?)) as i128))
            }
            ExprKind::Cond(c, a, b) => {
                if truth(self.value(c)?) {
                    self.value(a)
                } else {
                    self.value(b)
                }
            }
            ExprKind::Elvis(a, b) => {
                let v = self.value(a)?;
                if truth(v) {
                    self.convert(v, e.ty)
                } else {
                    self.value(b)
                }
            }
            ExprKind::Comma(_, b) => self.value(b),
            ExprKind::MakeComplex(re, im) => match (self.value(re)?, self.value(im)?) {
                (Float(re), Float(im)) => Some(Complex(re, im)),
                _ => None,
            },
            _ => None,
        }
    }

    /// A literal of a type wider than double.
    fn wide(&self, value: f64, text: &str, ty: CTy) -> Option<Constant> {
        let extended = Extended::parse(text)?;
        if self.of(ty) == Some(Type::F80) {
            return Some(Constant::Extended(extended));
        }
        // Of other types only what a double holds is known.
        (adjoin_front::literal_is_exact(text, value)).then_some(Float(value))
    }

    fn integer(&self, e: &'a Expr) -> Option<i128> {
        match self.value(e)? {
            Int(n) => Some(n),
            _ => None,
        }
    }

    /// The address of an object of static storage, or of a function.
    fn address(&self, e: &'a Expr) -> Option<Constant> {
        match &e.kind {
            ExprKind::Var(v) | ExprKind::CompoundLit(v) => match self.unit.vars[*v].storage {
                Storage::Global { .. } | Storage::StaticLocal(_) => Some(Address(Base::Var(*v), 0)),
                _ => None,
            },
            ExprKind::Str(s) => Some(Address(Base::Str(*s), 0)),
            ExprKind::Func(f) => Some(Address(Base::Func(*f), 0)),
            ExprKind::Deref(p) => self.value(p),
            ExprKind::Index { base, index } => {
                let p = self.value(base)?;
                let n = self.integer(index)?;
                self.advance(p, n, self.step(self.types().pointee(base.ty)?)?)
            }
            ExprKind::Member {
                base,
                record,
                field,
            } => {
                let p = self.address(base)?;
                let fields = self.types().records[*record].fields.as_ref()?;
                self.advance(p, fields.get(*field as usize)?.offset as i128, 1)
            }
            ExprKind::Load(inner) => self.address(inner),
            _ => None,
        }
    }

    /// The value of a constant variable with a constant initialiser (gcc takes these for constants).
    fn load(&self, e: &'a Expr) -> Option<Constant> {
        let ExprKind::Var(v) = e.kind else {
            return None;
        };
        let var = &self.unit.vars[v];
        if !self.types().quals(var.ty).is_const {
            return None;
        }
        match &var.init {
            Some(Init::Expr(init)) => self.value(init),
            Some(Init::List(items)) => match items.as_slice() {
                [item] if item.path.is_empty() => self.value(&item.value),
                _ => None,
            },
            None => None,
        }
    }

    fn step(&self, elem: CTy) -> Option<i128> {
        match self.types().shape(elem) {
            CTypeKind::Function { .. } => Some(1),
            _ => self.types().size_of(elem).map(|n| n as i128),
        }
    }

    fn advance(&self, p: Constant, count: i128, size: i128) -> Option<Constant> {
        let bytes = count.checked_mul(size)?;
        match p {
            Address(base, offset) => Some(Address(
                base,
                offset.wrapping_add(i64::try_from(bytes).ok()?),
            )),
            Int(n) => Some(Int(n.wrapping_add(bytes))),
            _ => None,
        }
    }

    fn of(&self, ty: CTy) -> Option<Type> {
        Type::of_ctype(self.types(), ty)
    }

    /// C's conversion to a scalar type.
    pub fn convert(&self, v: Constant, ty: CTy) -> Option<Constant> {
        let target = self.of(ty)?;
        if target == Type::Bool {
            return Some(Int(truth(v) as i128));
        }
        if let Constant::Extended(x) = v {
            return match target {
                Type::F80 => Some(v),
                Type::F64 => x.to_double(false).map(Float),
                Type::F32 => x.to_double(true).map(Float),
                _ if target.is_int() => x.to_int().map(|n| Int(wrap(n, target))),
                _ => None,
            };
        }
        if let (Int(n), Type::F80) = (v, target)
            && n as f64 as i128 != n
        {
            return Extended::from_int(n).map(Constant::Extended);
        }
        let re = match v {
            Int(n) if target.is_float() || target.is_complex() => {
                // A `u128` beyond `i128` is stored as its negative counterpart; no constant of the wild is that big.
                n as f64
            }
            Int(n) => return Some(Int(wrap(n, target))),
            Address(..) if target.size() == 8 && !target.is_float() && !target.is_complex() => {
                return Some(v);
            }
            Address(..) => return None,
            Complex(re, im) if target.is_complex() => {
                return Some(Complex(
                    round(re, target.part()?),
                    round(im, target.part()?),
                ));
            }
            Complex(re, _) => re,
            Float(x) => x,
            Constant::Extended(_) => return None,
        };
        Some(match target.part() {
            Some(part) => Complex(round(re, part), 0.0),
            None if target.is_float() => Float(round(re, target)),
            None => Int(wrap(re as i128, target)),
        })
    }

    fn unary(&self, op: UnaryOp, v: Constant, ty: CTy) -> Option<Constant> {
        let result = match (op, v) {
            (UnaryOp::LogNot, v) => Int(!truth(v) as i128),
            (UnaryOp::Neg, Int(n)) => Int(n.wrapping_neg()),
            (UnaryOp::Neg, Float(x)) => Float(-x),
            (UnaryOp::Neg | UnaryOp::Real, Constant::Extended(x)) => {
                Constant::Extended(if op == UnaryOp::Neg { x.negated() } else { x })
            }
            (UnaryOp::Neg, Complex(re, im)) => Complex(-re, -im),
            (UnaryOp::BitNot, Int(n)) => Int(!n),
            (UnaryOp::Conj, Complex(re, im)) => Complex(re, -im),
            (UnaryOp::Real, Complex(re, _)) => Float(re),
            (UnaryOp::Imag, Complex(_, im)) => Float(im),
            (UnaryOp::Real | UnaryOp::Conj, v) => v,
            (UnaryOp::Imag, Float(_)) => Float(0.0),
            _ => return None,
        };
        self.convert(result, ty)
    }

    /// The byte offset of a part of an object, and the bit-field it is, if it is one.
    pub fn offset(&self, mut ty: CTy, path: &[InitStep]) -> Option<(u64, Option<(u32, u32)>)> {
        let mut offset = 0u64;
        let mut bits = None;
        for step in path {
            match *step {
                InitStep::Index(k) => {
                    let elem = self.types().element(ty)?;
                    offset = offset.checked_add(k.checked_mul(self.types().size_of(elem)?)?)?;
                    ty = elem;
                }
                InitStep::Field(record, field) => {
                    let f = self.types().records[record]
                        .fields
                        .as_ref()?
                        .get(field as usize)?;
                    offset = offset.checked_add(f.offset)?;
                    ty = f.ty;
                    bits = f.bits;
                }
            }
        }
        Some((offset, bits))
    }

    /// The basic type of an arithmetic type.
    pub fn basic(&self, ty: CTy) -> Option<Basic> {
        self.types().arithmetic(ty)
    }
}

fn truth(v: Constant) -> bool {
    match v {
        Int(n) => n != 0,
        Float(x) => x != 0.0,
        Constant::Extended(x) => !x.is_zero(),
        Complex(re, im) => re != 0.0 || im != 0.0,
        Address(..) => true,
    }
}

/// An integer reduced to the range of a type.
pub(crate) fn wrap(n: i128, ty: Type) -> i128 {
    let bits = if ty == Type::Ptr { 64 } else { ty.bits() };
    if bits >= 128 {
        return n;
    }
    let low = n & ((1i128 << bits) - 1);
    if ty.is_signed() && low >> (bits - 1) & 1 == 1 {
        low - (1i128 << bits)
    } else {
        low
    }
}

fn round(x: f64, ty: Type) -> f64 {
    if ty == Type::F32 { x as f32 as f64 } else { x }
}

fn binary(op: BinaryOp, a: Constant, b: Constant, ty: Option<Type>) -> Option<Constant> {
    match (a, b) {
        (Int(a), Int(b)) => integers(op, a, b, ty?),
        (Float(_) | Constant::Extended(_), Float(_) | Constant::Extended(_))
            if ty == Some(Type::F80) =>
        {
            extendeds(op, extended(a)?, extended(b)?)
        }
        (Float(a), Float(b)) => floats(op, a, b, ty?),
        (Complex(a, b), Complex(c, d)) => complexes(op, (a, b), (c, d)),
        (Address(x, i), Address(y, j)) => {
            let same = x == y;
            match op {
                BinaryOp::Eq => Some(Int((same && i == j) as i128)),
                BinaryOp::Ne => Some(Int(!(same && i == j) as i128)),
                BinaryOp::Sub if same => Some(Int((i - j) as i128)),
                _ => None,
            }
        }
        (Address(x, i), Int(n)) => match op {
            BinaryOp::Eq if n == 0 => Some(Int(0)),
            BinaryOp::Ne if n == 0 => Some(Int(1)),
            BinaryOp::Add => Some(Address(x, i.wrapping_add(n as i64))),
            BinaryOp::Sub => Some(Address(x, i.wrapping_sub(n as i64))),
            _ => None,
        },
        (Int(n), Address(x, i)) => match op {
            BinaryOp::Eq if n == 0 => Some(Int(0)),
            BinaryOp::Ne if n == 0 => Some(Int(1)),
            BinaryOp::Add => Some(Address(x, i.wrapping_add(n as i64))),
            _ => None,
        },
        _ => None,
    }
}

fn extended(v: Constant) -> Option<Extended> {
    match v {
        Constant::Extended(x) => Some(x),
        Float(x) => Extended::from_double(x),
        _ => None,
    }
}

fn extendeds(op: BinaryOp, a: Extended, b: Extended) -> Option<Constant> {
    let order = a.compare(b);
    let holds = match op {
        BinaryOp::Eq => order.is_eq(),
        BinaryOp::Ne => order.is_ne(),
        BinaryOp::Lt => order.is_lt(),
        BinaryOp::Le => order.is_le(),
        BinaryOp::Gt => order.is_gt(),
        BinaryOp::Ge => order.is_ge(),
        _ => return Extended::arithmetic(op, a, b).map(Constant::Extended),
    };
    Some(Int(holds.into()))
}

fn integers(op: BinaryOp, a: i128, b: i128, ty: Type) -> Option<Constant> {
    let unsigned_wide = ty == Type::U128;
    let n = match op {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Sub => a.wrapping_sub(b),
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::Div | BinaryOp::Rem if b == 0 => return None,
        BinaryOp::Div if unsigned_wide => (a as u128 / b as u128) as i128,
        BinaryOp::Rem if unsigned_wide => (a as u128 % b as u128) as i128,
        BinaryOp::Div => a.wrapping_div(b),
        BinaryOp::Rem => a.wrapping_rem(b),
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
        BinaryOp::Shl => a.wrapping_shl(b as u32),
        BinaryOp::Shr if unsigned_wide => (a as u128).wrapping_shr(b as u32) as i128,
        BinaryOp::Shr => a.wrapping_shr(b as u32),
        BinaryOp::Eq => return Some(Int((a == b) as i128)),
        BinaryOp::Ne => return Some(Int((a != b) as i128)),
        BinaryOp::Lt if unsigned_wide => return Some(Int(((a as u128) < b as u128) as i128)),
        BinaryOp::Le if unsigned_wide => return Some(Int((a as u128 <= b as u128) as i128)),
        BinaryOp::Gt if unsigned_wide => return Some(Int((a as u128 > b as u128) as i128)),
        BinaryOp::Ge if unsigned_wide => return Some(Int((a as u128 >= b as u128) as i128)),
        BinaryOp::Lt => return Some(Int((a < b) as i128)),
        BinaryOp::Le => return Some(Int((a <= b) as i128)),
        BinaryOp::Gt => return Some(Int((a > b) as i128)),
        BinaryOp::Ge => return Some(Int((a >= b) as i128)),
    };
    Some(Int(wrap(n, ty)))
}

fn floats(op: BinaryOp, a: f64, b: f64, ty: Type) -> Option<Constant> {
    Some(match op {
        BinaryOp::Add => Float(round(a + b, ty)),
        BinaryOp::Sub => Float(round(a - b, ty)),
        BinaryOp::Mul => Float(round(a * b, ty)),
        BinaryOp::Div => Float(round(a / b, ty)),
        BinaryOp::Eq => Int((a == b) as i128),
        BinaryOp::Ne => Int((a != b) as i128),
        BinaryOp::Lt => Int((a < b) as i128),
        BinaryOp::Le => Int((a <= b) as i128),
        BinaryOp::Gt => Int((a > b) as i128),
        BinaryOp::Ge => Int((a >= b) as i128),
        _ => return None,
    })
}

fn complexes(op: BinaryOp, (a, b): (f64, f64), (c, d): (f64, f64)) -> Option<Constant> {
    Some(match op {
        BinaryOp::Add => Complex(a + c, b + d),
        BinaryOp::Sub => Complex(a - c, b - d),
        BinaryOp::Mul => Complex(a * c - b * d, a * d + b * c),
        BinaryOp::Div => {
            let n = c * c + d * d;
            Complex((a * c + b * d) / n, (b * c - a * d) / n)
        }
        BinaryOp::Eq => Int((a == c && b == d) as i128),
        BinaryOp::Ne => Int((a != c || b != d) as i128),
        _ => return None,
    })
}
