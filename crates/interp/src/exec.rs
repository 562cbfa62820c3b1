//! The execution loop. It is compiled twice, with and without tangents, so that the plain form pays nothing for them.

use crate::arith::{self, BinaryOp, shift_amount};
use crate::code::{Code, Program, SwitchTable, Width};
use crate::error::{ErrorKind, Fault, Run};
use crate::machine::Machine;
use crate::memory::NO_NAME;
use crate::tangent;
use crate::value::{Raw, canonical, extend, wrap};
use adjoin_ir::Type;
use std::rc::Rc;

/// What a call did.
pub(crate) enum Transfer {
    /// A new frame was made: go on at this code with these registers.
    Enter(usize, usize),
    /// The call is over.
    Done,
}

impl Machine {
    /// Runs until there are only `stop` frames.
    pub(crate) fn run(&mut self, pc: usize, base: usize, stop: usize) -> Run<()> {
        if self.options.tangents {
            self.execute::<true>(pc, base, stop)
        } else {
            self.execute::<false>(pc, base, stop)
        }
    }

    fn execute<const TANGENTS: bool>(
        &mut self,
        mut pc: usize,
        mut base: usize,
        stop: usize,
    ) -> Run<()> {
        let program = Rc::clone(&self.program);
        let program: &Program = &program;
        let code = program.code.as_slice();
        let mut budget = self.budget;

        macro_rules! raw {
            ($r:expr) => {
                self.registers[base + $r as usize]
            };
        }
        macro_rules! lo {
            ($r:expr) => {
                self.registers[base + $r as usize].lo
            };
        }
        macro_rules! double {
            ($r:expr) => {
                f64::from_bits(lo!($r))
            };
        }
        macro_rules! single {
            ($r:expr) => {
                f32::from_bits(lo!($r) as u32)
            };
        }
        macro_rules! tan {
            ($r:expr) => {
                self.tangents[base + $r as usize]
            };
        }
        macro_rules! check {
            ($e:expr) => {
                match $e {
                    Ok(value) => value,
                    Err(fault) => {
                        self.pc = pc;
                        self.budget = budget;
                        return Err(fault);
                    }
                }
            };
        }
        macro_rules! load {
            ($n:literal, $a:expr) => {
                check!(self.memory.load::<$n>(&mut self.caches[pc], lo!($a)))
            };
        }
        macro_rules! store {
            ($a:expr, $bytes:expr) => {
                check!(self.memory.store(&mut self.caches[pc], lo!($a), $bytes))
            };
        }
        macro_rules! real64 {
            ($op:tt, $name:ident, $d:expr, $a:expr, $b:expr) => {{
                let (x, y) = (double!($a), double!($b));
                let result = x $op y;
                if TANGENTS {
                    let t = tangent::real(BinaryOp::$name, x, y, result, tan!($a)[0], tan!($b)[0]);
                    tan!($d) = [t, 0.0];
                }
                lo!($d) = result.to_bits();
            }};
        }
        macro_rules! real32 {
            ($op:tt, $name:ident, $d:expr, $a:expr, $b:expr) => {{
                let (x, y) = (single!($a), single!($b));
                let result = x $op y;
                if TANGENTS {
                    let (x, y, r) = (x as f64, y as f64, result as f64);
                    let t = tangent::real(BinaryOp::$name, x, y, r, tan!($a)[0], tan!($b)[0]);
                    tan!($d) = [t, 0.0];
                }
                lo!($d) = result.to_bits() as u64;
            }};
        }

        loop {
            if budget == 0 {
                check!(Err(step_limit(self.options.step_limit)))
            }
            budget -= 1;
            match code[pc] {
                Code::Move { d, a } => {
                    raw!(d) = raw!(a);
                    if TANGENTS {
                        tan!(d) = tan!(a);
                    }
                }
                Code::Jump { to } => {
                    pc = to as usize;
                    continue;
                }
                Code::JumpIfNot { a, to } => {
                    if lo!(a) == 0 {
                        pc = to as usize;
                        continue;
                    }
                }
                Code::JumpUnless { compare, a, b, to } => {
                    if !compare.test(raw!(a), raw!(b)) {
                        pc = to as usize;
                        continue;
                    }
                }
                Code::Next {
                    width,
                    compare,
                    index,
                    step,
                    upper,
                    to,
                } => {
                    let next = lo!(index).wrapping_add(lo!(step));
                    lo!(index) = match width {
                        Width::I32 => next as i32 as i64 as u64,
                        Width::U32 => next as u32 as u64,
                        Width::W64 => next,
                    };
                    if compare.test(raw!(index), raw!(upper)) {
                        pc = to as usize;
                        continue;
                    }
                }
                Code::Switch { a, table } => {
                    pc = find_case(&program.switches[table as usize], raw!(a));
                    continue;
                }
                Code::Return { a } => {
                    self.pc = pc;
                    check!(self.leave::<TANGENTS>(program, a, &mut pc, &mut base));
                    if self.frames.len() == stop {
                        self.budget = budget;
                        return Ok(());
                    }
                    continue;
                }
                Code::Unreachable => {
                    let message = "control reached a place marked unreachable";
                    check!(Err(Fault::new(ErrorKind::Unreachable, message)))
                }
                Code::Call { site } => {
                    self.pc = pc;
                    self.budget = budget;
                    let site = &program.sites[site as usize];
                    let transfer = self.call::<TANGENTS>(program, site, base);
                    budget = self.budget;
                    match transfer {
                        Ok(Transfer::Enter(new_pc, new_base)) => {
                            pc = new_pc;
                            base = new_base;
                            continue;
                        }
                        Ok(Transfer::Done) => {}
                        // `self.pc` already says where: a callback may have moved it further in.
                        Err(fault) => return Err(fault),
                    }
                }
                Code::Slot { d, slot } => {
                    let info = &program.slots[slot as usize];
                    let made = self.memory.new_stack(info.size, info.align, info.name);
                    lo!(d) = check!(made);
                }
                Code::SlotMany { d, a, slot } => {
                    let info = &program.slots[slot as usize];
                    let size = check!(many(lo!(a), info.size));
                    let made = self.memory.new_stack(size, info.align, info.name);
                    lo!(d) = check!(made);
                }
                Code::Alloca { d, a } => {
                    lo!(d) = check!(self.memory.new_stack(lo!(a), 16, NO_NAME));
                }
                Code::Kill { a } => self.memory.kill(lo!(a)),
                Code::Offset { d, a, bytes } => {
                    lo!(d) = lo!(a).wrapping_add_signed(bytes as i64);
                }
                Code::Index { d, a, b, stride } => {
                    lo!(d) = lo!(a).wrapping_add(lo!(b).wrapping_mul(stride as u64));
                }
                Code::IndexBy { d, a, b, stride } => {
                    lo!(d) = lo!(a).wrapping_add(lo!(b).wrapping_mul(lo!(stride)));
                }
                Code::Distance { d, a, b, size } => {
                    let bytes = lo!(a).wrapping_sub(lo!(b)) as i64;
                    lo!(d) = (bytes / size as i64) as u64;
                }

                Code::LoadI8 { d, a } => lo!(d) = load!(1, a)[0] as i8 as i64 as u64,
                Code::LoadU8 { d, a } => lo!(d) = load!(1, a)[0] as u64,
                Code::LoadI32 { d, a } => {
                    lo!(d) = i32::from_le_bytes(load!(4, a)) as i64 as u64;
                }
                Code::LoadU32 { d, a } => lo!(d) = u32::from_le_bytes(load!(4, a)) as u64,
                Code::LoadF32 { d, a } => {
                    let bits = u32::from_le_bytes(load!(4, a)) as u64;
                    if TANGENTS {
                        tan!(d) = [self.memory.tangent(lo!(a), 4), 0.0];
                    }
                    lo!(d) = bits;
                }
                Code::LoadW64 { d, a } => lo!(d) = u64::from_le_bytes(load!(8, a)),
                Code::LoadF64 { d, a } => {
                    let bits = u64::from_le_bytes(load!(8, a));
                    if TANGENTS {
                        tan!(d) = [self.memory.tangent(lo!(a), 8), 0.0];
                    }
                    lo!(d) = bits;
                }
                Code::LoadAny { d, a, ty } => {
                    let (value, t) = check!(self.load_value(lo!(a), ty));
                    raw!(d) = value;
                    if TANGENTS {
                        tan!(d) = t;
                    }
                }
                Code::Store8 { a, b } => {
                    store!(a, [lo!(b) as u8]);
                    if TANGENTS {
                        self.memory.clear_tangents(lo!(a), 1);
                    }
                }
                Code::Store32 { a, b } => {
                    store!(a, (lo!(b) as u32).to_le_bytes());
                    if TANGENTS {
                        self.memory.clear_tangents(lo!(a), 4);
                    }
                }
                Code::StoreF32 { a, b } => {
                    store!(a, (lo!(b) as u32).to_le_bytes());
                    if TANGENTS {
                        check!(self.memory.set_tangent(lo!(a), 4, tan!(b)[0]));
                    }
                }
                Code::Store64 { a, b } => {
                    store!(a, lo!(b).to_le_bytes());
                    if TANGENTS {
                        self.memory.clear_tangents(lo!(a), 8);
                    }
                }
                Code::StoreF64 { a, b } => {
                    store!(a, lo!(b).to_le_bytes());
                    if TANGENTS {
                        check!(self.memory.set_tangent(lo!(a), 8, tan!(b)[0]));
                    }
                }
                Code::StoreAny { a, b, ty } => {
                    let t = if TANGENTS { tan!(b) } else { [0.0; 2] };
                    check!(self.store_value(lo!(a), ty, raw!(b), t));
                }
                Code::LoadBits {
                    d,
                    a,
                    first,
                    width,
                    ty,
                } => {
                    let (first, width) = (first, width as u32);
                    raw!(d) = check!(self.load_bits(lo!(a), first, width, ty));
                }
                Code::StoreBits {
                    a,
                    b,
                    first,
                    width,
                    ty,
                } => {
                    let value = extend(ty, raw!(b));
                    check!(self.store_bits(lo!(a), first, width as u32, value));
                }
                Code::Copy { a, b, size } => {
                    let n = program.numbers[size as usize];
                    check!(self.memory.copy(lo!(a), lo!(b), n));
                }
                Code::Zero { a, size } => {
                    let n = program.numbers[size as usize];
                    check!(self.memory.fill(lo!(a), 0, n));
                }

                Code::AddI32 { d, a, b } => {
                    lo!(d) = (lo!(a) as i32).wrapping_add(lo!(b) as i32) as i64 as u64;
                }
                Code::SubI32 { d, a, b } => {
                    lo!(d) = (lo!(a) as i32).wrapping_sub(lo!(b) as i32) as i64 as u64;
                }
                Code::MulI32 { d, a, b } => {
                    lo!(d) = (lo!(a) as i32).wrapping_mul(lo!(b) as i32) as i64 as u64;
                }
                Code::AddU32 { d, a, b } => {
                    lo!(d) = (lo!(a) as u32).wrapping_add(lo!(b) as u32) as u64;
                }
                Code::SubU32 { d, a, b } => {
                    lo!(d) = (lo!(a) as u32).wrapping_sub(lo!(b) as u32) as u64;
                }
                Code::MulU32 { d, a, b } => {
                    lo!(d) = (lo!(a) as u32).wrapping_mul(lo!(b) as u32) as u64;
                }
                Code::Add64 { d, a, b } => lo!(d) = lo!(a).wrapping_add(lo!(b)),
                Code::Sub64 { d, a, b } => lo!(d) = lo!(a).wrapping_sub(lo!(b)),
                Code::Mul64 { d, a, b } => lo!(d) = lo!(a).wrapping_mul(lo!(b)),
                Code::And { d, a, b } => lo!(d) = lo!(a) & lo!(b),
                Code::Or { d, a, b } => lo!(d) = lo!(a) | lo!(b),
                Code::Xor { d, a, b } => lo!(d) = lo!(a) ^ lo!(b),
                Code::Shl { d, a, b, ty } => {
                    let amount = check!(shift_amount(ty, raw!(b)));
                    lo!(d) = canonical(ty, lo!(a) << amount);
                }
                Code::ShrSigned { d, a, b, ty } => {
                    let amount = check!(shift_amount(ty, raw!(b)));
                    lo!(d) = (lo!(a) as i64 >> amount) as u64;
                }
                Code::ShrUnsigned { d, a, b, ty } => {
                    let amount = check!(shift_amount(ty, raw!(b)));
                    lo!(d) = lo!(a) >> amount;
                }
                Code::AddF64 { d, a, b } => real64!(+, Add, d, a, b),
                Code::SubF64 { d, a, b } => real64!(-, Sub, d, a, b),
                Code::MulF64 { d, a, b } => real64!(*, Mul, d, a, b),
                Code::DivF64 { d, a, b } => real64!(/, Div, d, a, b),
                Code::AddF32 { d, a, b } => real32!(+, Add, d, a, b),
                Code::SubF32 { d, a, b } => real32!(-, Sub, d, a, b),
                Code::MulF32 { d, a, b } => real32!(*, Mul, d, a, b),
                Code::DivF32 { d, a, b } => real32!(/, Div, d, a, b),

                Code::Binary { op, ty, d, a, b } => {
                    let (x, y) = (raw!(a), raw!(b));
                    let checked = self.options.report_signed_overflow;
                    let result = check!(arith::binary(op, ty, x, y, checked));
                    if TANGENTS {
                        tan!(d) = tangent::binary(op, ty, x, y, result, tan!(a), tan!(b));
                    }
                    raw!(d) = result;
                }
                Code::Negate { d, a, ty } => {
                    let checked = self.options.report_signed_overflow;
                    raw!(d) = check!(arith::negate(ty, raw!(a), checked));
                    if TANGENTS {
                        let t = tan!(a);
                        tan!(d) = [-t[0], -t[1]];
                    }
                }
                Code::Complement { d, a, ty } => raw!(d) = arith::complement(ty, raw!(a)),
                Code::Compare { compare, d, a, b } => {
                    lo!(d) = compare.test(raw!(a), raw!(b)) as u64;
                }
                Code::Select { d, c, a, b } => {
                    let chosen = if lo!(c) != 0 { a } else { b };
                    raw!(d) = raw!(chosen);
                    if TANGENTS {
                        tan!(d) = tan!(chosen);
                    }
                }
                Code::CastInt { d, a, to } => lo!(d) = canonical(to, lo!(a)),
                Code::I32ToF64 { d, a } => {
                    lo!(d) = (lo!(a) as i32 as f64).to_bits();
                    if TANGENTS {
                        tan!(d) = [0.0; 2];
                    }
                }
                Code::Cast { d, a, from, to } => {
                    if TANGENTS {
                        tan!(d) = tangent::cast(from, to, tan!(a));
                    }
                    raw!(d) = arith::cast(from, to, raw!(a));
                }
                Code::MakeComplex { d, a, b } => {
                    if TANGENTS {
                        tan!(d) = [tan!(a)[0], tan!(b)[0]];
                    }
                    raw!(d) = Raw {
                        lo: lo!(a),
                        hi: lo!(b),
                    };
                }
                Code::RealPart { d, a } => {
                    if TANGENTS {
                        tan!(d) = [tan!(a)[0], 0.0];
                    }
                    lo!(d) = lo!(a);
                }
                Code::ImagPart { d, a } => {
                    if TANGENTS {
                        tan!(d) = [tan!(a)[1], 0.0];
                    }
                    lo!(d) = raw!(a).hi;
                }

                Code::ReduceStart { a, count, data } => {
                    let info = &program.data[data as usize];
                    check!(self.reduce_start(lo!(a), lo!(count), info));
                }
                Code::ReduceEnd { a, b, count, data } => {
                    let info = &program.data[data as usize];
                    check!(self.reduce_end(lo!(a), lo!(b), lo!(count), info));
                }
                Code::CopyMany {
                    a,
                    b,
                    count,
                    data,
                    initialised,
                } => {
                    let n = check!(many(lo!(count), program.data[data as usize].size));
                    let (to, from) = (lo!(a), lo!(b));
                    check!(match initialised {
                        true => self.memory.copy_initialised(to, from, n),
                        false => self.memory.copy(to, from, n),
                    });
                }

                Code::VaStart { a } => check!(self.va_start(lo!(a))),
                Code::VaArg { d, a, ty } => {
                    let (value, t) = check!(self.va_arg(lo!(a), ty));
                    raw!(d) = value;
                    if TANGENTS {
                        tan!(d) = t;
                    }
                }
                Code::VaArgInto { a, b, size } => {
                    let (from, _) = check!(self.va_arg(lo!(b), Type::Ptr));
                    let n = program.numbers[size as usize];
                    check!(self.memory.copy(lo!(a), from.lo, n));
                }
                Code::VaEnd { a } => check!(self.memory.fill(lo!(a), 0, 24)),
                Code::VaCopy { a, b } => check!(self.memory.copy(lo!(a), lo!(b), 24)),
            }
            pc += 1;
        }
    }

    fn load_bits(&mut self, address: u64, first: u32, width: u32, ty: Type) -> Run<Raw> {
        let (start, n, shift) = bit_range(address, first, width);
        let bytes = self.memory.bytes(start, n)?;
        let mut word = [0u8; 32];
        word[..bytes.len()].copy_from_slice(bytes);
        let low = u128::from_le_bytes(word[..16].try_into().unwrap_or_default()) >> shift;
        let high = match shift {
            0 => 0,
            _ => (word[16] as u128) << (128 - shift),
        };
        let unused = 128 - width.clamp(1, 128);
        let bits = (low | high) << unused;
        let value = if ty.is_signed() {
            ((bits as i128) >> unused) as u128
        } else {
            bits >> unused
        };
        Ok(wrap(ty, value))
    }

    fn store_bits(&mut self, address: u64, first: u32, width: u32, value: u128) -> Run<()> {
        let (start, _, shift) = bit_range(address, first, width);
        for bit in 0..width {
            let place = shift + bit;
            let mut cache = 0;
            let at = start + (place / 8) as u64;
            // Bits that share a byte with an uninitialised neighbour: the neighbour reads as zero from then on.
            let old = match self.memory.load::<1>(&mut cache, at) {
                Ok([byte]) => byte,
                Err(_) => 0,
            };
            let mask = 1u8 << (place % 8);
            let new = if value >> bit & 1 == 1 {
                old | mask
            } else {
                old & !mask
            };
            self.memory.store(&mut cache, at, [new])?;
        }
        if self.options.tangents {
            self.memory
                .clear_tangents(start, (shift + width).div_ceil(8) as u64);
        }
        Ok(())
    }
}

/// First byte, number of bytes, and shift of a bit-field.
fn bit_range(address: u64, first: u32, width: u32) -> (u64, u64, u32) {
    let shift = first % 8;
    let n = (shift + width.max(1)).div_ceil(8);
    (address.wrapping_add((first / 8) as u64), n as u64, shift)
}

fn find_case(table: &SwitchTable, selector: Raw) -> usize {
    let value = extend(table.ty, selector) as i128;
    let k = table.ranges.partition_point(|&(low, _, _)| low <= value);
    match k.checked_sub(1).map(|k| table.ranges[k]) {
        Some((_, high, target)) if value <= high => target as usize,
        _ => table.default as usize,
    }
}

fn many(count: u64, size: u64) -> Run<u64> {
    match count.checked_mul(size) {
        Some(n) if (count as i64) >= 0 => Ok(n),
        _ => Err(Fault::new(
            ErrorKind::MemoryLimit,
            format!("an array of {} elements is impossible", count as i64),
        )),
    }
}

#[cold]
fn step_limit(limit: u64) -> Fault {
    Fault::new(
        ErrorKind::StepLimit,
        format!("the program ran for more than {limit} steps"),
    )
}
