//! Parallel constructs, read sequentially: one thread, iterations in order, tasks at once. What remains is what the data
//! clauses do: private copies, their first and last values, and reductions.

use crate::arith::{reduction_combine, reduction_identity};
use crate::code::{Code, DataInfo, Reg};
use crate::compile::Compiler;
use crate::error::{ErrorKind, Fault, Run};
use crate::machine::Machine;
use adjoin_ir::{CTy, CTypeKind, CTypes, Clause, DataKind, Inst, ParAttr, ReduceOp, Type};

/// A private copy and what happens to it at the end.
struct Private {
    original: Reg,
    copy: Reg,
    count: Reg,
    data: u32,
    end: End,
}

enum End {
    Nothing,
    CopyBack,
    Reduce,
}

/// The scalar type and number of scalars in a type of scalars or arrays of them.
fn scalars(types: &CTypes, t: CTy) -> Option<(Type, u64)> {
    match *types.memory_shape(t) {
        CTypeKind::Array { elem, len } => {
            let (ty, n) = scalars(types, elem)?;
            Some((ty, n.checked_mul(len?)?))
        }
        _ => Type::of_ctype(types, t).map(|ty| (ty, 1)),
    }
}

impl Compiler<'_> {
    /// A `par` op: each region runs once, in order.
    pub(crate) fn par(&mut self, inst: Inst, attr: &ParAttr) -> Run<()> {
        let body = self.body;
        let data = &body.insts[inst];
        let live = self.live.len();
        let mut next_operand = 0;
        let mut addresses = Vec::new();
        let mut privates = Vec::new();
        for clause in &attr.clauses {
            let operands: Vec<Reg> = data.args[next_operand..next_operand + clause.operands()]
                .iter()
                .map(|&v| self.reg(v))
                .collect();
            next_operand += clause.operands();
            if let Clause::Data {
                kind, ctype, name, ..
            } = clause
            {
                let count = match operands.get(1) {
                    Some(&count) => count,
                    None => self.number(1),
                };
                let private = self.private(*kind, *ctype, name, operands[0], count)?;
                addresses.push(private.as_ref().map_or(operands[0], |p| p.copy));
                privates.extend(private);
            }
        }
        for &region in &data.regions {
            let args = body.regions[region].args.clone();
            for (&arg, &address) in args.iter().zip(&addresses) {
                let d = self.reg(arg);
                self.emit(Code::Move { d, a: address });
            }
            self.par_region(inst, region)?;
        }
        for p in &privates {
            let Private {
                original: a,
                copy: b,
                count,
                data,
                ..
            } = *p;
            match p.end {
                End::Nothing => {}
                End::CopyBack => {
                    self.emit(Code::CopyMany {
                        a,
                        b,
                        count,
                        data,
                        initialised: true,
                    });
                }
                End::Reduce => self.emit(Code::ReduceEnd { a, b, count, data }),
            }
        }
        self.kills(live);
        self.live.truncate(live);
        Ok(())
    }

    /// The copy that a data clause makes; `None` where the original is used.
    fn private(
        &mut self,
        kind: DataKind,
        ctype: CTy,
        name: &str,
        original: Reg,
        count: Reg,
    ) -> Run<Option<Private>> {
        let (starts_with_value, end) = match kind {
            DataKind::Shared | DataKind::CopyPrivate | DataKind::CopyIn => return Ok(None),
            DataKind::Private => (false, End::Nothing),
            DataKind::FirstPrivate => (true, End::Nothing),
            DataKind::LastPrivate => (false, End::CopyBack),
            DataKind::FirstLastPrivate | DataKind::Linear => (true, End::CopyBack),
            DataKind::Reduction(_) => (false, End::Reduce),
        };
        let types = &self.module.types;
        let Some(size) = types.size_of(ctype) else {
            return Err(Fault::new(
                ErrorKind::Unsupported,
                format!("a private copy of `{name}`, whose size is not constant"),
            ));
        };
        let mut info = DataInfo {
            op: ReduceOp::Add,
            ty: Type::U8,
            scalars: size,
            size,
        };
        if let DataKind::Reduction(op) = kind {
            let Some((ty, scalars)) = scalars(types, ctype) else {
                return Err(Fault::new(
                    ErrorKind::Unsupported,
                    format!("a reduction of `{name}`, which is no array of numbers"),
                ));
            };
            info = DataInfo {
                op,
                ty,
                scalars,
                size,
            };
        }
        self.program.data.push(info);
        let data = (self.program.data.len() - 1) as u32;
        let slot = self.slot(size, ctype, 0, Some(name));
        let copy = self.fresh();
        self.emit(Code::SlotMany {
            d: copy,
            a: count,
            slot,
        });
        self.live.push(copy);
        if starts_with_value {
            let (a, b) = (copy, original);
            self.emit(Code::CopyMany {
                a,
                b,
                count,
                data,
                initialised: false,
            });
        }
        if let DataKind::Reduction(_) = kind {
            self.emit(Code::ReduceStart {
                a: copy,
                count,
                data,
            });
        }
        Ok(Some(Private {
            original,
            copy,
            count,
            data,
            end,
        }))
    }
}

impl Machine {
    /// Fills a private copy with the identity of its reduction.
    pub(crate) fn reduce_start(&mut self, address: u64, count: u64, info: &DataInfo) -> Run<()> {
        let identity = reduction_identity(info.op, info.ty);
        for k in 0..info.scalars.saturating_mul(count) {
            let place = address.wrapping_add(k * info.ty.size());
            self.store_value(place, info.ty, identity, [0.0; 2])?;
        }
        Ok(())
    }

    /// Combines a private copy into the original.
    pub(crate) fn reduce_end(
        &mut self,
        original: u64,
        copy: u64,
        count: u64,
        info: &DataInfo,
    ) -> Run<()> {
        for k in 0..info.scalars.saturating_mul(count) {
            let offset = k * info.ty.size();
            let to = original.wrapping_add(offset);
            let (a, ta) = self.load_value(to, info.ty)?;
            let (b, tb) = self.load_value(copy.wrapping_add(offset), info.ty)?;
            let result = reduction_combine(info.op, info.ty, a, b)?;
            let tangent = crate::tangent::reduction(info.op, info.ty, a, b, result, ta, tb);
            self.store_value(to, info.ty, result, tangent)?;
        }
        Ok(())
    }
}
