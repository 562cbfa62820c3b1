//! Addresses as sums of products, as far as they are written so. What an index loses where it wraps around is not seen: this is for guesses, not for proofs.

use crate::{Body, Op, Step, Value};
use std::collections::BTreeMap;

/// An address: where it starts, the bytes that each value adds, and a number of bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Linear {
    /// The pointer that all steps start from.
    pub base: Value,
    /// What each value is multiplied by; none is zero.
    pub factors: BTreeMap<Value, i128>,
    /// The rest.
    pub constant: i128,
}

impl Linear {
    /// An address. `None`: an element has no known size, or numbers become too large.
    pub fn of(body: &Body, address: Value) -> Option<Linear> {
        let mut sum = Linear {
            base: address,
            factors: BTreeMap::new(),
            constant: 0,
        };
        while let Some(inst) = body.def_inst(sum.base) {
            let data = &body.insts[inst];
            let Op::Addr(attr) = &data.op else { break };
            let mut operands = data.args[1..].iter();
            for step in &attr.steps {
                match step {
                    Step::Index { stride } => {
                        sum.add(body, *operands.next()?, i128::from(*stride))?;
                    }
                    Step::Field { offset, .. } => sum.constant += i128::from(*offset),
                    Step::Bytes(n) => sum.constant += i128::from(*n),
                    Step::IndexDyn => return None,
                }
            }
            sum.base = data.args[0];
        }
        sum.factors.retain(|_, n| *n != 0);
        Some(sum)
    }

    fn add(&mut self, body: &Body, v: Value, times: i128) -> Option<()> {
        if let Some(n) = body.const_int(v) {
            self.constant = self.constant.checked_add(n.checked_mul(times)?)?;
            return Some(());
        }
        let made = body.def_inst(v).map(|inst| &body.insts[inst]);
        let Some(data) = made else {
            return self.add_value(v, times);
        };
        let constant = |k: usize| body.const_int(data.args[k]);
        match data.op {
            Op::Cast if body.ty(data.args[0]).is_int() => self.add(body, data.args[0], times),
            Op::Add | Op::Sub => {
                self.add(body, data.args[0], times)?;
                let sign = if data.op == Op::Add { 1 } else { -1 };
                self.add(body, data.args[1], times.checked_mul(sign)?)
            }
            Op::Mul => match (constant(0), constant(1)) {
                (Some(n), _) => self.add(body, data.args[1], times.checked_mul(n)?),
                (_, Some(n)) => self.add(body, data.args[0], times.checked_mul(n)?),
                _ => self.add_value(v, times),
            },
            _ => self.add_value(v, times),
        }
    }

    fn add_value(&mut self, v: Value, times: i128) -> Option<()> {
        let factor = self.factors.entry(v).or_default();
        *factor = factor.checked_add(times)?;
        Some(())
    }

    /// How many bytes this is behind another, if that is a number.
    pub fn behind(&self, other: &Linear) -> Option<i128> {
        let same = self.base == other.base && self.factors == other.factors;
        same.then(|| self.constant - other.constant)
    }
}
