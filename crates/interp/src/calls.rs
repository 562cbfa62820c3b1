//! Calls: frames, arguments, results, variable arguments, and calls from library functions back into the program.

use crate::code::{CallSite, Callee, NONE, Program, Reg};
use crate::error::{ErrorKind, Fault, Run};
use crate::exec::Transfer;
use crate::libc::{External, Invocation};
use crate::machine::{Frame, Machine, VarArg};
use crate::memory::{FUNCTION_BASE, NO_NAME};
use crate::tangent;
use crate::value::{Raw, Tangent, canonical};
use adjoin_ir::Type;
use std::rc::Rc;

/// Registers of all frames together.
const REGISTER_LIMIT: usize = 1 << 25;
/// Callbacks from native code nest natively.
const NESTING_LIMIT: u32 = 128;
const VA_MAGIC: u64 = 0x7661_0000_0000_0000;

/// An argument.
pub(crate) struct Argument {
    pub raw: Raw,
    pub tangent: Tangent,
    pub ty: Type,
    /// Size if it is an aggregate's address.
    pub aggregate: u64,
}

/// What the caller expects.
pub(crate) struct Return {
    pub pc: usize,
    pub base: usize,
    pub result: Reg,
    pub address: u64,
}

impl Machine {
    /// The function at an address.
    pub(crate) fn function_at(&self, program: &Program, address: u64) -> Run<u32> {
        let index = address.wrapping_sub(FUNCTION_BASE) / 16;
        if address >= FUNCTION_BASE
            && address % 16 == FUNCTION_BASE % 16
            && index < program.functions.len() as u64
        {
            return Ok(index as u32);
        }
        let what = if address == 0 {
            "a null pointer".into()
        } else {
            format!("{address:#x}")
        };
        Err(Fault::new(
            if address == 0 {
                ErrorKind::NullDereference
            } else {
                ErrorKind::InvalidCall
            },
            format!("call through {what}, which is not the address of a function"),
        ))
    }

    pub(crate) fn call<const TANGENTS: bool>(
        &mut self,
        program: &Program,
        site: &CallSite,
        base: usize,
    ) -> Run<Transfer> {
        let function = match site.callee {
            Callee::Direct(function) => function,
            Callee::Indirect(reg) => {
                let address = self.registers[base + reg as usize].lo;
                self.function_at(program, address)?
            }
        };
        let address = site
            .result_address
            .map_or(0, |r| self.registers[base + r as usize].lo);
        let info = &program.functions[function as usize];
        let Some(entry) = info.entry else {
            self.call_external::<TANGENTS>(program, function, site, base, address)?;
            return Ok(Transfer::Done);
        };
        let back = Return {
            pc: self.pc + 1,
            base,
            result: site.result,
            address,
        };
        let new_base = base + self.frame_size(program);
        let count = site.args.len();
        if count == info.params.len() && !info.variadic && site.aggregates.iter().all(|&n| n == 0) {
            // The usual case, without lists of arguments.
            self.push_frame(program, function, new_base, &back, None)?;
            for (&param, &arg) in info.params.iter().zip(&site.args) {
                self.registers[new_base + param as usize] = self.registers[base + arg as usize];
                if TANGENTS {
                    self.tangents[new_base + param as usize] = self.tangents[base + arg as usize];
                }
            }
            return Ok(Transfer::Enter(entry as usize, new_base));
        }
        let args: Vec<Argument> = (0..count)
            .map(|k| Argument {
                raw: self.registers[base + site.args[k] as usize],
                tangent: match TANGENTS {
                    true => self.tangents[base + site.args[k] as usize],
                    false => [0.0; 2],
                },
                ty: site.types[k],
                aggregate: site.aggregates[k],
            })
            .collect();
        self.enter(program, function, new_base, &args, &back)?;
        Ok(Transfer::Enter(entry as usize, new_base))
    }

    /// Number of registers of the current function.
    fn frame_size(&self, program: &Program) -> usize {
        match self.frames.last() {
            Some(frame) => program.functions[frame.function as usize].image.len(),
            None => 0,
        }
    }

    fn push_frame(
        &mut self,
        program: &Program,
        function: u32,
        base: usize,
        back: &Return,
        va_list: Option<usize>,
    ) -> Run<()> {
        let image = &program.functions[function as usize].image;
        let end = base + image.len();
        if self.frames.len() >= self.options.depth_limit || end > REGISTER_LIMIT {
            return Err(Fault::new(
                ErrorKind::DepthLimit,
                format!("calls are nested deeper than {} levels", self.frames.len()),
            ));
        }
        if self.registers.len() < end {
            self.registers
                .resize(end.next_power_of_two().max(1 << 12), Raw::default());
        }
        self.registers[base..end].copy_from_slice(image);
        if self.options.tangents {
            if self.tangents.len() < self.registers.len() {
                self.tangents.resize(self.registers.len(), [0.0; 2]);
            }
            self.tangents[base..end].fill([0.0; 2]);
        }
        self.frames.push(Frame {
            function,
            call_pc: self.pc,
            return_pc: back.pc,
            return_base: back.base,
            result: back.result,
            result_address: back.address,
            stack_height: self.memory.stack_height(),
            va_list,
        });
        Ok(())
    }

    /// Makes the frame of a call with any arguments.
    fn enter(
        &mut self,
        program: &Program,
        function: u32,
        base: usize,
        args: &[Argument],
        back: &Return,
    ) -> Run<()> {
        let info = &program.functions[function as usize];
        let fixed = info.params.len();
        if args.len() < fixed || (args.len() > fixed && !info.variadic && fixed > 0) {
            return Err(Fault::new(
                ErrorKind::InvalidCall,
                format!(
                    "`{}` takes {fixed} arguments but gets {}",
                    info.name,
                    args.len()
                ),
            ));
        }
        self.push_frame(program, function, base, back, None)?;
        let mut extra = Vec::new();
        for (k, arg) in args.iter().enumerate() {
            let mut raw = arg.raw;
            let size = info
                .param_sizes
                .get(k)
                .copied()
                .unwrap_or(0)
                .max(arg.aggregate);
            if size > 0 {
                raw = Raw::new(self.memory.new_stack(size, 16, NO_NAME)?);
                self.memory.copy(raw.lo, arg.raw.lo, size)?;
            }
            if let Some(&param) = info.params.get(k) {
                self.registers[base + param as usize] = raw;
                if self.options.tangents {
                    self.tangents[base + param as usize] = arg.tangent;
                }
            } else {
                extra.push(VarArg {
                    raw,
                    ty: arg.ty,
                    tangent: arg.tangent,
                });
            }
        }
        if info.variadic {
            let index = self.va_lists.len();
            self.va_lists.push(Some(Rc::new(extra)));
            if let Some(frame) = self.frames.last_mut() {
                frame.va_list = Some(index);
            }
        }
        Ok(())
    }

    /// `return`: the result goes to the caller, the function's objects end.
    #[inline]
    pub(crate) fn leave<const TANGENTS: bool>(
        &mut self,
        program: &Program,
        value: Reg,
        pc: &mut usize,
        base: &mut usize,
    ) -> Run<()> {
        let Some(frame) = self.frames.pop() else {
            return Err(Fault::new(
                ErrorKind::InvalidModule,
                "`return` outside of a function",
            ));
        };
        if value != NONE {
            let raw = self.registers[*base + value as usize];
            let size = program.functions[frame.function as usize].result_size;
            if let Some(size) = size {
                if let Err(fault) = self.memory.copy(frame.result_address, raw.lo, size) {
                    self.frames.push(frame);
                    return Err(fault);
                }
            }
            self.result = raw;
            if TANGENTS {
                self.result_tangent = self.tangents[*base + value as usize];
            }
        }
        self.memory.pop_stack(frame.stack_height);
        if let Some(index) = frame.va_list {
            self.va_lists.truncate(index);
        }
        *pc = frame.return_pc;
        *base = frame.return_base;
        if frame.result != NONE {
            if value == NONE {
                // Falling off the end of a function whose value is used; C leaves it undefined.
                self.result = Raw::default();
                self.result_tangent = [0.0; 2];
            }
            self.registers[*base + frame.result as usize] = self.result;
            if TANGENTS {
                self.tangents[*base + frame.result as usize] = self.result_tangent;
            }
        }
        Ok(())
    }

    /// Calls a function of the program from native code, and waits for its end.
    pub(crate) fn call_back(
        &mut self,
        function: u32,
        args: &[Argument],
        result_address: u64,
    ) -> Run<(Raw, Tangent)> {
        let program = Rc::clone(&self.program);
        let info = &program.functions[function as usize];
        if self.nesting >= NESTING_LIMIT {
            return Err(Fault::new(
                ErrorKind::DepthLimit,
                format!("callbacks from library functions are nested deeper than {NESTING_LIMIT}"),
            ));
        }
        let Some(entry) = info.entry else {
            let raws: Vec<Raw> = args.iter().map(|a| a.raw).collect();
            let tangents: Vec<Tangent> = args.iter().map(|a| a.tangent).collect();
            let types: Vec<Type> = args.iter().map(|a| a.ty).collect();
            let invocation = Invocation {
                args: &raws,
                tangents: &tangents,
                types: &types,
                pointees: &[],
                result_address,
                result_type: info.result_type,
            };
            let raw = self.invoke(&program, function, &invocation)?;
            return Ok((raw, self.result_tangent));
        };
        let saved = self.pc;
        let frame_base: usize = self.frames_size(&program);
        let stop = self.frames.len();
        let back = Return {
            pc: saved,
            base: 0,
            result: NONE,
            address: result_address,
        };
        self.result = Raw::default();
        self.result_tangent = [0.0; 2];
        self.enter(&program, function, frame_base, args, &back)?;
        self.nesting += 1;
        self.run(entry as usize, frame_base, stop)?;
        self.nesting -= 1;
        self.pc = saved;
        Ok((self.result, self.result_tangent))
    }

    /// Registers in use by all frames.
    fn frames_size(&self, program: &Program) -> usize {
        let sizes = self
            .frames
            .iter()
            .map(|f| program.functions[f.function as usize].image.len());
        sizes.sum()
    }

    fn call_external<const TANGENTS: bool>(
        &mut self,
        program: &Program,
        function: u32,
        site: &CallSite,
        base: usize,
        result_address: u64,
    ) -> Run<()> {
        // On the stack where there are few arguments: calls of `sin` should not allocate.
        let count = site.args.len();
        let mut few = [Raw::default(); 6];
        let mut few_tangents = [[0.0; 2]; 6];
        let (many, many_tangents): (Vec<Raw>, Vec<Tangent>);
        let (args, tangents): (&[Raw], &[Tangent]) = if count <= few.len() {
            for (k, &arg) in site.args.iter().enumerate() {
                few[k] = self.registers[base + arg as usize];
                if TANGENTS {
                    few_tangents[k] = self.tangents[base + arg as usize];
                }
            }
            (&few[..count], &few_tangents[..count])
        } else {
            many = site
                .args
                .iter()
                .map(|&a| self.registers[base + a as usize])
                .collect();
            many_tangents = match TANGENTS {
                true => site
                    .args
                    .iter()
                    .map(|&a| self.tangents[base + a as usize])
                    .collect(),
                false => vec![[0.0; 2]; count],
            };
            (&many, &many_tangents)
        };
        let invocation = Invocation {
            args,
            tangents,
            types: &site.types,
            pointees: &site.pointees,
            result_address,
            result_type: site.result_type,
        };
        let raw = self.invoke(program, function, &invocation)?;
        if site.result != NONE {
            self.registers[base + site.result as usize] = raw;
            if TANGENTS {
                self.tangents[base + site.result as usize] = self.result_tangent;
            }
        }
        Ok(())
    }

    /// Runs a library function; leaves the tangent of its result in `result_tangent`.
    fn invoke(&mut self, program: &Program, function: u32, call: &Invocation) -> Run<Raw> {
        let info = &program.functions[function as usize];
        let Some(external) = info.external else {
            return Err(Fault::new(
                ErrorKind::UnsupportedExternal,
                format!("unsupported external function `{}`", info.name),
            ));
        };
        self.result_tangent = [0.0; 2];
        if let External::Native(native) = external {
            return native(self, call);
        }
        let (raw, tangent) =
            tangent::apply(&external, call).ok_or_else(|| bad_arguments(&info.name))?;
        self.result_tangent = tangent;
        Ok(raw)
    }

    // Variable arguments: a `va_list` holds a mark, the index of the list and the position in it

    pub(crate) fn va_start(&mut self, list: u64) -> Run<()> {
        let Some(index) = self.frames.last().and_then(|f| f.va_list) else {
            return Err(Fault::new(
                ErrorKind::InvalidCall,
                "`va_start` in a function without variable arguments",
            ));
        };
        self.memory.fill(list, 0, 24)?;
        self.memory
            .store(&mut 0, list, (VA_MAGIC + index as u64).to_le_bytes())
    }

    /// The arguments of a `va_list` that are still to come.
    pub(crate) fn va_rest(&mut self, list: u64) -> Run<(Rc<Vec<VarArg>>, u64)> {
        let mark = u64::from_le_bytes(self.memory.load(&mut 0, list)?);
        let position = u64::from_le_bytes(self.memory.load(&mut 0, list.wrapping_add(8))?);
        let index = mark.wrapping_sub(VA_MAGIC) as usize;
        match self.va_lists.get(index) {
            Some(Some(args)) => Ok((Rc::clone(args), position)),
            _ => Err(Fault::new(
                ErrorKind::InvalidCall,
                "use of a `va_list` that is not started",
            )),
        }
    }

    pub(crate) fn va_arg(&mut self, list: u64, ty: Type) -> Run<(Raw, Tangent)> {
        let (args, position) = self.va_rest(list)?;
        let Some(arg) = args.get(position as usize) else {
            return Err(Fault::new(
                ErrorKind::InvalidCall,
                format!(
                    "`va_arg` number {} of a list of {}",
                    position + 1,
                    args.len()
                ),
            ));
        };
        self.memory
            .store(&mut 0, list.wrapping_add(8), (position + 1).to_le_bytes())?;
        let raw = if ty.is_float() || ty.is_complex() || ty.size() == 16 {
            arg.raw
        } else {
            Raw::new(canonical(ty, arg.raw.lo))
        };
        Ok((raw, arg.tangent))
    }
}

#[cold]
fn bad_arguments(name: &str) -> Fault {
    Fault::new(
        ErrorKind::InvalidCall,
        format!("wrong arguments for `{name}`"),
    )
}
