//! Integers are kept in the narrowest type that holds what they can be: masks, remainders, choices between constants, counters of short loops and what is computed from such.

use super::super::Reverse;
use adjoin_ir::{Op, Pred, Type, Value, ValueDef};

/// How far back is looked.
const DEPTH: u32 = 10;

/// From the smallest to the largest; `None`: nothing yet, since it follows from what is being looked at.
type Range = Option<(i128, i128)>;

/// The types to keep integers in, the narrowest first.
const TYPES: [Type; 6] = [
    Type::I8,
    Type::U8,
    Type::I16,
    Type::U16,
    Type::I32,
    Type::U32,
];

/// What a type holds.
fn whole(ty: Type) -> (i128, i128) {
    let bits = ty.bits().min(126);
    match ty {
        Type::Bool => (0, 1),
        ty if ty.is_signed() => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
        _ => (0, (1i128 << bits) - 1),
    }
}

fn is_within((low, high): (i128, i128), ty: Type) -> bool {
    let (least, most) = whole(ty);
    least <= low && high <= most
}

fn union(a: Range, b: Range) -> Range {
    match (a, b) {
        (Some((a, b)), Some((c, d))) => Some((a.min(c), b.max(d))),
        (a, b) => a.or(b),
    }
}

impl Reverse<'_> {
    /// The type to keep a value in.
    pub(in crate::reverse) fn narrow_type(&self, v: Value) -> Type {
        let ty = self.p.ty(v);
        if !ty.is_int() || ty.size() > 8 {
            return ty;
        }
        let Some(range) = self.integer_range(v, DEPTH, &mut Vec::new(), false) else {
            return ty;
        };
        let mut fit = TYPES.iter().copied().filter(|&t| is_within(range, t));
        fit.next().filter(|t| t.size() < ty.size()).unwrap_or(ty)
    }

    /// What an integer can be. Cycles through loops that hand values on as they are add nothing; where something is done to it on the way (`changed`), it can be anything.
    fn integer_range(&self, v: Value, depth: u32, open: &mut Vec<Value>, changed: bool) -> Range {
        let ty = self.p.ty(v);
        let all = Some(whole(ty));
        if open.contains(&v) {
            return all.filter(|_| changed);
        }
        if depth == 0 || !(ty.is_int() || ty == Type::Bool) {
            return all;
        }
        open.push(v);
        let found = match self.p.values[v].def {
            ValueDef::Arg(region, k) => {
                self.range_of_argument((region, k as usize), depth, open, changed)
            }
            ValueDef::Result(inst, k) => {
                self.range_of_result((inst, k as usize), depth, open, changed)
            }
        };
        open.pop();
        match found {
            Some(Some(range)) if is_within(range, ty) => Some(range),
            Some(None) => None,
            _ => all,
        }
    }

    /// `None`: it is not known.
    fn range_of_argument(
        &self,
        (region, k): (adjoin_ir::Region, usize),
        depth: u32,
        open: &mut Vec<Value>,
        changed: bool,
    ) -> Option<Range> {
        let holder = self.p.regions[region].parent?;
        let data = &self.p.insts[holder];
        if let Op::For(attr) = &data.op
            && k == 0
        {
            // One that waits for its bound may miss it and wrap around.
            if attr.pred == Pred::Ne {
                return None;
            }
            let [from, to] = [0, 1].map(|k| self.p.const_int(data.args[k]));
            let (from, to) = from.zip(to)?;
            return Some(Some((from.min(to), from.max(to))));
        }
        let (next, initial) = self.carried_operands(region, k)?;
        let first = self.integer_range(initial, depth - 1, open, changed);
        let later = self.integer_range(next, depth - 1, open, changed);
        Some(union(first, later))
    }

    fn range_of_result(
        &self,
        (inst, k): (adjoin_ir::Inst, usize),
        depth: u32,
        open: &mut Vec<Value>,
        changed: bool,
    ) -> Option<Range> {
        let data = &self.p.insts[inst];
        let constant = |k: usize| self.p.const_int(data.args[k]);
        let hands_on = match data.op {
            Op::Select => true,
            Op::Cast => is_within(whole(self.p.ty(data.args[0])), self.p.ty(data.results[0])),
            _ => false,
        };
        let mut of =
            |k: usize| self.integer_range(data.args[k], depth - 1, open, changed || !hands_on);
        Some(match &data.op {
            Op::Const(_) => {
                let n = self.p.const_int(self.p.insts[inst].results[k])?;
                Some((n, n))
            }
            Op::Cast => {
                let from = self.p.ty(data.args[0]);
                (from.is_int() || from == Type::Bool).then(|| of(0))?
            }
            Op::Select => union(of(1), of(2)),
            Op::And => {
                let mask = constant(0).or(constant(1)).filter(|&m| m >= 0)?;
                Some((0, mask))
            }
            Op::Rem => {
                let by = constant(1).filter(|&n| n > 0)?;
                let (low, high) = of(0)?;
                let least = if low >= 0 { 0 } else { 1 - by };
                Some((least, high.min(by - 1).max(0)))
            }
            Op::Div => {
                let by = constant(1).filter(|&n| n > 0)?;
                let (low, high) = of(0)?;
                Some((low / by, high / by))
            }
            Op::Shr => {
                let by = constant(1).filter(|n| (0..64).contains(n))?;
                let (low, high) = of(0).filter(|r| r.0 >= 0)?;
                Some((low >> by, high >> by))
            }
            Op::Add => {
                let ((a, b), (c, d)) = of(0).zip(of(1))?;
                Some((a + c, b + d))
            }
            Op::Sub => {
                let ((a, b), (c, d)) = of(0).zip(of(1))?;
                Some((a - d, b - c))
            }
            Op::Mul => {
                let ((a, b), (c, d)) = of(0).zip(of(1))?;
                let all = [
                    a.checked_mul(c)?,
                    a.checked_mul(d)?,
                    b.checked_mul(c)?,
                    b.checked_mul(d)?,
                ];
                let low = all.iter().copied().min()?;
                Some((low, all.into_iter().max()?))
            }
            Op::If => {
                let mut range = None;
                for &region in &data.regions {
                    let from = adjoin_passes::edit::yielded(&self.p, region, k)?;
                    range = union(range, self.integer_range(from, depth - 1, open, changed));
                }
                range
            }
            _ => return None,
        })
    }
}
