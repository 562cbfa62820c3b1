//! The state of a running program, and typed access to its memory.

use crate::code::{Program, Reg};
use crate::compile::{compile, function_address};
use crate::error::{ErrorKind, Fault, InterpError, Run, TraceEntry};
use crate::libc::Library;
use crate::memory::{Memory, NO_NAME};
use crate::value::{Raw, Tangent, decode, encode};
use crate::{Options, tangent};
use adjoin_ir::{Linkage, Module, RelocTarget, Span, Type};
use cranelift_entity::EntityRef;
use std::rc::Rc;

/// An argument beyond the parameters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct VarArg {
    pub raw: Raw,
    pub ty: Type,
    pub tangent: Tangent,
}

/// An active function.
#[derive(Debug)]
pub(crate) struct Frame {
    pub function: u32,
    /// The code of the call, for traces.
    pub call_pc: usize,
    /// Where the caller goes on.
    pub return_pc: usize,
    /// The caller's registers.
    pub return_base: usize,
    /// The caller's register for the result.
    pub result: Reg,
    /// Where an aggregate result goes.
    pub result_address: u64,
    /// Stack objects below this are the callers'.
    pub stack_height: usize,
    /// Index of the variable arguments.
    pub va_list: Option<usize>,
}

/// A running program.
#[derive(Debug)]
pub struct Machine {
    pub(crate) program: Rc<Program>,
    pub(crate) memory: Memory,
    pub(crate) options: Options,
    pub(crate) registers: Vec<Raw>,
    /// Parallel to `registers` if tangents are on, else empty.
    pub(crate) tangents: Vec<Tangent>,
    pub(crate) frames: Vec<Frame>,
    /// For each code, the object that its last memory access met.
    pub(crate) caches: Vec<u32>,
    /// The code that is executed (set before anything that can fail).
    pub(crate) pc: usize,
    pub(crate) budget: u64,
    /// What the last function returned.
    pub(crate) result: Raw,
    pub(crate) result_tangent: Tangent,
    /// How many levels of native calls (callbacks from `qsort` and the like) there are.
    pub(crate) nesting: u32,
    pub(crate) va_lists: Vec<Option<Rc<Vec<VarArg>>>>,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: Vec<u8>,
    pub(crate) library: Library,
}

impl Machine {
    /// Loads a module: globals get addresses and contents, functions are compiled.
    pub(crate) fn new(module: &Module, options: Options) -> Result<Machine, InterpError> {
        Machine::load(module, options).map_err(plain_error)
    }

    fn load(module: &Module, options: Options) -> Run<Machine> {
        let mut memory = Memory::new(options.memory_limit);
        let mut addresses = Vec::new();
        let mut externals = Vec::new();
        for global in module.globals.values() {
            let declared = module.types.size_of(global.ctype).unwrap_or(0);
            let size = declared.max(global.init.as_ref().map_or(0, |i| i.bytes.len() as u64));
            let align = module.types.align_of(global.ctype).max(global.align);
            let name = match global.linkage {
                Linkage::Literal => NO_NAME,
                _ => memory.add_names([global.name.clone()]),
            };
            let address = memory.new_static(size, align, name)?;
            if global.init.is_none() && global.linkage == Linkage::External {
                externals.push((global.name.clone(), address));
            }
            addresses.push(address);
        }
        for (global, &address) in module.globals.values().zip(&addresses) {
            let Some(init) = &global.init else { continue };
            let bytes = memory.bytes_mut(address, init.bytes.len() as u64)?;
            bytes.copy_from_slice(&init.bytes);
            for reloc in &init.relocs {
                let target = match reloc.target {
                    RelocTarget::Global(g) => addresses.get(g.index()).copied(),
                    RelocTarget::Func(f) => Some(function_address(f.index())),
                };
                let Some(target) = target else {
                    return Err(Fault::new(ErrorKind::InvalidModule, "an unknown global"));
                };
                let value = target.wrapping_add_signed(reloc.addend);
                memory.store(&mut 0, address + reloc.offset, value.to_le_bytes())?;
            }
        }
        let mut library = Library::new(&mut memory)?;
        for (name, address) in externals {
            library.external_global(&mut memory, &name, address)?;
        }
        let first_name = memory.add_names([]);
        let overflow = options.report_signed_overflow;
        let mut program =
            on_large_stack(|| compile(module, addresses.clone(), first_name, overflow))?;
        memory.add_names(std::mem::take(&mut program.names));
        Ok(Machine {
            caches: vec![0; program.code.len()],
            program: Rc::new(program),
            memory,
            registers: Vec::new(),
            tangents: Vec::new(),
            frames: Vec::new(),
            pc: 0,
            budget: options.step_limit,
            options,
            result: Raw::default(),
            result_tangent: [0.0; 2],
            nesting: 0,
            va_lists: Vec::new(),
            stdout: Vec::new(),
            stderr: Vec::new(),
            library,
        })
    }

    /// A scalar in memory, with its tangent.
    pub(crate) fn load_value(&mut self, address: u64, ty: Type) -> Run<(Raw, Tangent)> {
        let bytes = self.memory.bytes(address, value_bytes(ty))?;
        let mut whole = [0; 32];
        whole[..bytes.len()].copy_from_slice(bytes);
        let raw = decode(ty, &whole);
        let tangent = if self.options.tangents {
            self.load_tangent(address, ty)
        } else {
            [0.0; 2]
        };
        Ok((raw, tangent))
    }

    /// Writes a scalar and its tangent.
    pub(crate) fn store_value(
        &mut self,
        address: u64,
        ty: Type,
        raw: Raw,
        tangent: Tangent,
    ) -> Run<()> {
        let bytes = encode(ty, raw);
        let size = ty.size();
        self.memory
            .bytes_mut(address, size)?
            .copy_from_slice(&bytes[..size as usize]);
        if self.options.tangents {
            self.store_tangent(address, ty, tangent)?;
        }
        Ok(())
    }

    /// The tangent of a scalar in memory.
    pub(crate) fn load_tangent(&self, address: u64, ty: Type) -> Tangent {
        let cell = tangent::cell_size(ty);
        match ty.is_complex() {
            true => [
                self.memory.tangent(address, cell),
                self.memory.tangent(address.wrapping_add(cell), cell),
            ],
            false if ty.is_float() => [self.memory.tangent(address, cell), 0.0],
            false => [0.0; 2],
        }
    }

    /// Sets the tangent of a scalar in memory whose bytes were just written.
    pub(crate) fn store_tangent(&mut self, address: u64, ty: Type, t: Tangent) -> Run<()> {
        let cell = tangent::cell_size(ty);
        if ty.is_complex() {
            self.memory.set_tangent(address, cell, t[0])?;
            self.memory
                .set_tangent(address.wrapping_add(cell), cell, t[1])
        } else if ty.is_float() {
            self.memory.set_tangent(address, cell, t[0])
        } else {
            self.memory.clear_tangents(address, ty.size());
            Ok(())
        }
    }

    /// Where execution is, with the calls that led there.
    pub(crate) fn error(&self, kind: ErrorKind, message: String) -> InterpError {
        let span_at = |pc: usize| self.program.spans.get(pc).copied().unwrap_or_default();
        let mut pc = self.pc;
        let mut trace = Vec::new();
        for frame in self.frames.iter().rev() {
            let function = self.program.functions[frame.function as usize].name.clone();
            trace.push(TraceEntry {
                function,
                span: span_at(pc),
            });
            pc = frame.call_pc;
        }
        let span = if self.frames.is_empty() {
            Span::default()
        } else {
            span_at(self.pc)
        };
        let location = self.program.files.get(span.file as usize);
        let location = location
            .filter(|_| span.line != 0)
            .map(|file| format!("{file}:{}:{}", span.line, span.col));
        InterpError {
            kind,
            message,
            span,
            location,
            trace,
        }
    }

    /// Forgets the active functions after an error, so that the host can call again.
    pub(crate) fn unwind(&mut self) {
        self.frames.clear();
        self.registers.clear();
        self.tangents.clear();
        self.va_lists.clear();
        self.memory.pop_stack(0);
        self.nesting = 0;
    }
}

/// How many bytes of a scalar must be initialised: of a long double its ten, not its padding.
fn value_bytes(ty: Type) -> u64 {
    if ty == Type::F80 { 10 } else { ty.size() }
}

/// Runs something on a thread with a large stack, or here if there is none to be had.
pub(crate) fn on_large_stack<T: Send>(run: impl Fn() -> T + Sync) -> T {
    const STACK: usize = 512 << 20;
    std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().stack_size(STACK);
        match builder
            .spawn_scoped(scope, &run)
            .map(|thread| thread.join())
        {
            Ok(Ok(result)) => result,
            _ => run(),
        }
    })
}

fn plain_error(fault: Fault) -> InterpError {
    let (kind, message) = match fault {
        Fault::Error(error) => *error,
        Fault::Exit(_) => (
            ErrorKind::Host,
            "the program ended before it began".to_string(),
        ),
    };
    InterpError {
        kind,
        message,
        span: Span::default(),
        location: None,
        trace: Vec::new(),
    }
}
