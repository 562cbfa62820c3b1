//! Calls, and the ops without regions.

use super::{Compiler, aggregate_size, function_address, invalid, relation};
use crate::arith::{BinaryOp, Compare};
use crate::code::*;
use crate::error::{ErrorKind, Fault, Run};
use crate::memory::{NO_NAME, Name};
use crate::value::{Raw, constant, is_wide};
use adjoin_ir::{CTy, CTypeKind, Func, Inst, Op, Step, Type};
use cranelift_entity::EntityRef;

impl Compiler<'_> {
    // Calls

    pub(super) fn call(
        &mut self,
        inst: Inst,
        func: Option<Func>,
        pointer_type: Option<CTy>,
        extra: &[CTy],
    ) -> Run<()> {
        let body = self.body;
        let module = self.module;
        let data = &body.insts[inst];
        let ctype = match (func, pointer_type) {
            (Some(func), _) => module.funcs[func].ctype,
            (None, Some(ctype)) => module.types.pointee(ctype).unwrap_or(ctype),
            (None, None) => return Err(invalid("a call of nothing")),
        };
        let CTypeKind::Function {
            ret,
            params,
            prototyped,
            ..
        } = module.types.shape(ctype)
        else {
            return Err(invalid("a call whose type is no function type"));
        };
        let mut operands = data.args.as_slice();
        let callee = match func {
            Some(func) => Callee::Direct(func.index() as u32),
            None => {
                let (&pointer, rest) = operands
                    .split_first()
                    .ok_or_else(|| invalid("a call of nothing"))?;
                operands = rest;
                Callee::Indirect(self.reg(pointer))
            }
        };
        let mut result_address = None;
        if module.types.is_aggregate(*ret) {
            let (&address, rest) = operands
                .split_first()
                .ok_or_else(|| invalid("a call without place for its result"))?;
            operands = rest;
            result_address = Some(self.reg(address));
        }
        let mut ctypes: Vec<CTy> = if *prototyped {
            params.clone()
        } else {
            Vec::new()
        };
        ctypes.extend_from_slice(extra);
        let pointees = operands
            .iter()
            .enumerate()
            .map(|(k, &v)| {
                let by_value = body.values[v].ctype.and_then(|t| self.scalar_pointee(t));
                by_value.or_else(|| self.scalar_pointee(*ctypes.get(k)?))
            })
            .collect();
        let aggregates = (0..operands.len())
            .map(|k| ctypes.get(k).map_or(0, |&t| aggregate_size(module, t)))
            .collect();
        let site = CallSite {
            callee,
            result_address,
            args: self.regs(operands),
            types: operands.iter().map(|&v| body.ty(v)).collect(),
            aggregates,
            pointees,
            result: data.results.first().map_or(NONE, |&v| self.reg(v)),
            result_type: data.results.first().map(|&v| body.ty(v)),
        };
        self.program.sites.push(site);
        let site = (self.program.sites.len() - 1) as u32;
        self.emit(Code::Call { site });
        Ok(())
    }

    fn scalar_pointee(&self, t: CTy) -> Option<Type> {
        let types = &self.module.types;
        Type::of_ctype(types, types.pointee(t)?)
    }

    // Everything without regions

    pub(super) fn simple(&mut self, inst: Inst) -> Run<()> {
        let body = self.body;
        let data = &body.insts[inst];
        let args = self.regs(&data.args);
        let d = data.results.first().map_or(NONE, |&v| self.reg(v));
        let ty = data.results.first().map_or(Type::I32, |&v| body.ty(v));
        let arg_type = data.args.first().map_or(Type::I32, |&v| body.ty(v));
        if let Some(relation) = relation(&data.op) {
            let compare = Compare::of(relation, arg_type);
            self.emit(Code::Compare {
                compare,
                d,
                a: args[0],
                b: args[1],
            });
            return Ok(());
        }
        if let Some(op) = binary_op(&data.op) {
            self.binary(op, ty, d, args[0], args[1]);
            return Ok(());
        }
        match &data.op {
            Op::Const(c) => self.set_image(d, constant(ty, c)),
            Op::GlobalAddr(g) => {
                let address = *self
                    .program
                    .globals
                    .get(g.index())
                    .ok_or_else(|| invalid("an unknown global"))?;
                self.set_image(d, Raw::new(address));
            }
            Op::FuncAddr(f) => self.set_image(d, Raw::new(function_address(f.index()))),
            Op::Slot(attr) => {
                let Some(size) = self.module.types.size_of(attr.ctype) else {
                    return Err(invalid("a slot of incomplete type"));
                };
                let slot = self.slot(size, attr.ctype, attr.align, attr.name.as_deref());
                self.emit(Code::Slot { d, slot });
                self.live.push(d);
            }
            Op::SlotVla(attr) => {
                let Some(size) = self.module.types.size_of(attr.ctype) else {
                    return Err(invalid("a variable-length slot of incomplete elements"));
                };
                let slot = self.slot(size, attr.ctype, attr.align, attr.name.as_deref());
                self.emit(Code::SlotMany {
                    d,
                    a: args[0],
                    slot,
                });
                self.live.push(d);
            }
            Op::Alloca => self.emit(Code::Alloca { d, a: args[0] }),
            Op::Addr(attr) => self.address(d, &args, &attr.steps)?,
            Op::PtrDiff(size) => {
                let size = u32::try_from(*size)
                    .ok()
                    .filter(|&s| s > 0)
                    .ok_or_else(|| invalid("a pointer difference in units of this size"))?;
                self.emit(Code::Distance {
                    d,
                    a: args[0],
                    b: args[1],
                    size,
                });
            }
            Op::Neg => self.emit(Code::Negate { d, a: args[0], ty }),
            Op::Not => self.emit(Code::Complement { d, a: args[0], ty }),
            Op::Select => {
                self.emit(Code::Select {
                    d,
                    c: args[0],
                    a: args[1],
                    b: args[2],
                });
            }
            Op::Cast => self.cast(d, args[0], arg_type, ty),
            Op::Complex => self.emit(Code::MakeComplex {
                d,
                a: args[0],
                b: args[1],
            }),
            Op::Real => self.emit(Code::RealPart { d, a: args[0] }),
            Op::Imag => self.emit(Code::ImagPart { d, a: args[0] }),
            Op::Load(_) => self.load(d, args[0], ty),
            Op::Store(_) => self.store(args[0], args[1], body.ty(data.args[1])),
            Op::LoadBits(bits) => {
                let (first, width) = (bits.first, bits.width as u16);
                self.emit(Code::LoadBits {
                    d,
                    a: args[0],
                    first,
                    width,
                    ty,
                });
            }
            Op::StoreBits(bits) => {
                let (first, width) = (bits.first, bits.width as u16);
                let ty = body.ty(data.args[1]);
                self.emit(Code::StoreBits {
                    a: args[0],
                    b: args[1],
                    first,
                    width,
                    ty,
                });
            }
            Op::Copy(attr) => {
                let size = self.size(attr.bytes);
                self.emit(Code::Copy {
                    a: args[0],
                    b: args[1],
                    size,
                });
            }
            Op::Zero(attr) => {
                let size = self.size(attr.bytes);
                self.emit(Code::Zero { a: args[0], size });
            }
            Op::VaStart => self.emit(Code::VaStart { a: args[0] }),
            Op::VaArg(_) => self.emit(Code::VaArg { d, a: args[0], ty }),
            Op::VaArgInto(t) => {
                let size = self.size(aggregate_size(self.module, *t));
                self.emit(Code::VaArgInto {
                    a: args[0],
                    b: args[1],
                    size,
                });
            }
            Op::VaEnd => self.emit(Code::VaEnd { a: args[0] }),
            Op::VaCopy => self.emit(Code::VaCopy {
                a: args[0],
                b: args[1],
            }),
            op => {
                return Err(Fault::new(
                    ErrorKind::Unsupported,
                    format!("the interpreter does not know `{}`", op.name()),
                ));
            }
        }
        Ok(())
    }

    fn size(&mut self, n: u64) -> u32 {
        self.program.numbers.push(n);
        (self.program.numbers.len() - 1) as u32
    }

    pub(crate) fn slot(&mut self, size: u64, ctype: CTy, align: u64, name: Option<&str>) -> u32 {
        let align = align.max(self.module.types.align_of(ctype));
        let name = match name {
            Some(name) => {
                self.program.names.push(name.to_string());
                self.first_name + self.program.names.len() as Name - 1
            }
            None => NO_NAME,
        };
        self.program.slots.push(SlotInfo { size, align, name });
        (self.program.slots.len() - 1) as u32
    }

    fn address(&mut self, d: Reg, args: &[Reg], steps: &[Step]) -> Run<()> {
        let mut base = args[0];
        let mut operands = args[1..].iter().copied();
        let mut operand = || {
            operands
                .next()
                .ok_or_else(|| invalid("`addr` with too few operands"))
        };
        let mut constant = 0i64;
        for step in steps {
            match step {
                Step::Index { stride } => {
                    let b = operand()?;
                    match u32::try_from(*stride) {
                        Ok(stride) => self.emit(Code::Index {
                            d,
                            a: base,
                            b,
                            stride,
                        }),
                        Err(_) => {
                            let stride = self.number(*stride);
                            self.emit(Code::IndexBy {
                                d,
                                a: base,
                                b,
                                stride,
                            });
                        }
                    }
                    base = d;
                }
                Step::IndexDyn => {
                    let (b, stride) = (operand()?, operand()?);
                    self.emit(Code::IndexBy {
                        d,
                        a: base,
                        b,
                        stride,
                    });
                    base = d;
                }
                Step::Field { offset, .. } => constant = constant.wrapping_add(*offset as i64),
                Step::Bytes(offset) => constant = constant.wrapping_add(*offset),
            }
        }
        match i32::try_from(constant) {
            Ok(0) if base == d => {}
            Ok(bytes) => self.emit(Code::Offset { d, a: base, bytes }),
            Err(_) => {
                let b = self.number(constant as u64);
                self.emit(Code::Index {
                    d,
                    a: base,
                    b,
                    stride: 1,
                });
            }
        }
        Ok(())
    }

    fn binary(&mut self, op: BinaryOp, ty: Type, d: Reg, a: Reg, b: Reg) {
        use BinaryOp::*;
        let quiet = !(self.check_overflow && ty.is_signed());
        let word = matches!(ty, Type::I64 | Type::U64 | Type::Ptr);
        let narrow = !is_wide(ty) && !ty.is_float() && !ty.is_complex();
        self.emit(match (op, ty) {
            (Add, Type::I32) if quiet => Code::AddI32 { d, a, b },
            (Sub, Type::I32) if quiet => Code::SubI32 { d, a, b },
            (Mul, Type::I32) if quiet => Code::MulI32 { d, a, b },
            (Add, Type::U32) => Code::AddU32 { d, a, b },
            (Sub, Type::U32) => Code::SubU32 { d, a, b },
            (Mul, Type::U32) => Code::MulU32 { d, a, b },
            (Add, _) if word && quiet => Code::Add64 { d, a, b },
            (Sub, _) if word && quiet => Code::Sub64 { d, a, b },
            (Mul, _) if word && quiet => Code::Mul64 { d, a, b },
            (And, _) if narrow => Code::And { d, a, b },
            (Or, _) if narrow => Code::Or { d, a, b },
            (Xor, _) if narrow => Code::Xor { d, a, b },
            (Shl, _) if narrow => Code::Shl { d, a, b, ty },
            (Shr, _) if narrow && ty.is_signed() => Code::ShrSigned { d, a, b, ty },
            (Shr, _) if narrow => Code::ShrUnsigned { d, a, b, ty },
            (Add, Type::F64) => Code::AddF64 { d, a, b },
            (Sub, Type::F64) => Code::SubF64 { d, a, b },
            (Mul, Type::F64) => Code::MulF64 { d, a, b },
            (Div, Type::F64) => Code::DivF64 { d, a, b },
            (Add, Type::F32) => Code::AddF32 { d, a, b },
            (Sub, Type::F32) => Code::SubF32 { d, a, b },
            (Mul, Type::F32) => Code::MulF32 { d, a, b },
            (Div, Type::F32) => Code::DivF32 { d, a, b },
            _ => Code::Binary { op, ty, d, a, b },
        });
    }

    fn cast(&mut self, d: Reg, a: Reg, from: Type, to: Type) {
        let plain = |t: Type| !t.is_float() && !t.is_complex() && !is_wide(t);
        self.emit(match (from, to) {
            (Type::I32, Type::F64) => Code::I32ToF64 { d, a },
            _ if plain(from) && plain(to) => Code::CastInt { d, a, to },
            _ => Code::Cast { d, a, from, to },
        });
    }

    pub(crate) fn load(&mut self, d: Reg, a: Reg, ty: Type) {
        self.emit(match ty {
            Type::I8 => Code::LoadI8 { d, a },
            Type::U8 => Code::LoadU8 { d, a },
            Type::I32 => Code::LoadI32 { d, a },
            Type::U32 => Code::LoadU32 { d, a },
            Type::I64 | Type::U64 | Type::Ptr => Code::LoadW64 { d, a },
            Type::F32 => Code::LoadF32 { d, a },
            Type::F64 => Code::LoadF64 { d, a },
            _ => Code::LoadAny { d, a, ty },
        });
    }

    fn store(&mut self, a: Reg, b: Reg, ty: Type) {
        self.emit(match ty {
            Type::Bool | Type::I8 | Type::U8 => Code::Store8 { a, b },
            Type::I32 | Type::U32 => Code::Store32 { a, b },
            Type::I64 | Type::U64 | Type::Ptr => Code::Store64 { a, b },
            Type::F32 => Code::StoreF32 { a, b },
            Type::F64 => Code::StoreF64 { a, b },
            _ => Code::StoreAny { a, b, ty },
        });
    }
}

fn binary_op(op: &Op) -> Option<BinaryOp> {
    Some(match op {
        Op::Add => BinaryOp::Add,
        Op::Sub => BinaryOp::Sub,
        Op::Mul => BinaryOp::Mul,
        Op::Div => BinaryOp::Div,
        Op::Rem => BinaryOp::Rem,
        Op::And => BinaryOp::And,
        Op::Or => BinaryOp::Or,
        Op::Xor => BinaryOp::Xor,
        Op::Shl => BinaryOp::Shl,
        Op::Shr => BinaryOp::Shr,
        _ => return None,
    })
}
