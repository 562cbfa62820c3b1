//! What a host does with the interpreter: run a program, or load a module, put data into its memory, call its functions and look at
//! the results and their tangents.

use crate::calls::Argument;
use crate::code::Program;
use crate::error::{ErrorKind, Fault, InterpError, Run};
use crate::machine::{Machine, on_large_stack};
use crate::memory::NO_NAME;
use crate::value::{HostValue, Raw, encode};
use crate::{Options, tangent};
use adjoin_ir::{Module, Type};
use std::io::Write;
use std::rc::Rc;

/// What a program did.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// What it wrote to standard output.
    pub stdout: Vec<u8>,
    /// What it wrote to standard error.
    pub stderr: Vec<u8>,
    /// Its exit code; of a fatal signal, 128 and its number. -1 after an error.
    pub exit_code: i32,
    /// The error that stopped it.
    pub error: Option<InterpError>,
    /// How many steps it took.
    pub steps: u64,
}

/// Runs a module's `main` with these arguments (after the program's name).
pub fn run_main(module: &Module, args: &[String], options: &Options) -> Outcome {
    // Callbacks from library functions nest natively.
    on_large_stack(|| run_main_here(module, args, options))
}

fn failed(error: InterpError) -> Outcome {
    Outcome {
        stdout: Vec::new(),
        stderr: Vec::new(),
        exit_code: -1,
        error: Some(error),
        steps: 0,
    }
}

fn run_main_here(module: &Module, args: &[String], options: &Options) -> Outcome {
    let mut interp = match Interp::with_options(module, options.clone()) {
        Ok(interp) => interp,
        Err(error) => return failed(error),
    };
    let result = interp.machine.main(args);
    let result = match result {
        Err(Fault::Exit(code)) => interp.machine.run_at_exit(code),
        Ok(code) => interp.machine.run_at_exit(code),
        Err(error) => Err(error),
    };
    let (exit_code, error) = match result {
        Ok(code) | Err(Fault::Exit(code)) => (code, None),
        Err(Fault::Error(error)) => (-1, Some(interp.machine.error(error.0, error.1))),
    };
    let machine = interp.machine;
    if machine.options.echo {
        // Nobody is left to tell if the real stream fails.
        let _ = std::io::stdout().flush();
    }
    Outcome {
        steps: machine.options.step_limit - machine.budget,
        stdout: machine.stdout,
        stderr: machine.stderr,
        exit_code,
        error,
    }
}

fn find_function(program: &Program, name: &str) -> Run<u32> {
    let candidates = program
        .functions
        .iter()
        .enumerate()
        .filter(|(_, f)| f.name == name);
    let best = candidates.max_by_key(|(_, f)| f.entry.is_some());
    best.map(|(k, _)| k as u32)
        .ok_or_else(|| Fault::new(ErrorKind::Host, format!("there is no function `{name}`")))
}

impl Machine {
    fn main(&mut self, args: &[String]) -> Run<i32> {
        let program = Rc::clone(&self.program);
        let main = find_function(&program, "main")?;
        let mut addresses = Vec::new();
        let name = self.options.program_name.clone();
        for text in std::iter::once(&name).chain(args) {
            let mut bytes = text.clone().into_bytes();
            bytes.push(0);
            let address = self.memory.new_static(bytes.len() as u64, 16, NO_NAME)?;
            self.memory
                .bytes_mut(address, bytes.len() as u64)?
                .copy_from_slice(&bytes);
            addresses.push(address);
        }
        let count = addresses.len() as u64;
        addresses.push(0);
        let name = self.memory.add_names(["argv".to_string()]);
        let table = self
            .memory
            .new_static(8 * addresses.len() as u64, 16, name)?;
        for (k, address) in addresses.iter().enumerate() {
            self.memory
                .store(&mut 0, table + 8 * k as u64, address.to_le_bytes())?;
        }
        // The environment is empty: it is the null pointer at the end of the arguments.
        let environment = table + 8 * count;
        let values = [Raw::new(count), Raw::new(table), Raw::new(environment)];
        let types = [Type::I32, Type::Ptr, Type::Ptr];
        let wanted = program.functions[main as usize].params.len().min(3);
        let arguments: Vec<Argument> = (0..wanted)
            .map(|k| Argument {
                raw: values[k],
                tangent: [0.0; 2],
                ty: types[k],
                aggregate: 0,
            })
            .collect();
        let (raw, _) = self.call_back(main, &arguments, 0)?;
        Ok(raw.lo as i32 & 0xff)
    }

    /// The functions given to `atexit`, last first; one of them may end the program with another code.
    fn run_at_exit(&mut self, mut code: i32) -> Run<i32> {
        while let Some(address) = self.library.at_exit.pop() {
            self.unwind();
            let program = Rc::clone(&self.program);
            let function = self.function_at(&program, address)?;
            match self.call_back(function, &[], 0) {
                Ok(_) => {}
                Err(Fault::Exit(other)) => code = other,
                Err(error) => return Err(error),
            }
        }
        Ok(code)
    }
}

/// A loaded module whose functions a host can call.
#[derive(Debug)]
pub struct Interp {
    machine: Machine,
}

type Host<T> = Result<T, InterpError>;

impl Interp {
    /// Loads a module.
    pub fn new(module: &Module) -> Host<Interp> {
        Interp::with_options(module, Options::default())
    }

    /// Loads a module that carries tangents.
    pub fn with_tangents(module: &Module) -> Host<Interp> {
        Interp::with_options(
            module,
            Options {
                tangents: true,
                ..Options::default()
            },
        )
    }

    /// Loads a module.
    pub fn with_options(module: &Module, options: Options) -> Host<Interp> {
        Ok(Interp {
            machine: Machine::new(module, options)?,
        })
    }

    fn done<T>(&mut self, result: Run<T>) -> Host<T> {
        result.map_err(|fault| {
            let (kind, message) = match fault {
                Fault::Error(error) => *error,
                Fault::Exit(code) => (
                    ErrorKind::Host,
                    format!("the program ended with exit code {code}"),
                ),
            };
            let error = self.machine.error(kind, message);
            self.machine.unwind();
            error
        })
    }

    // Memory

    /// An uninitialised block on the program's heap (the program may free it).
    pub fn alloc(&mut self, bytes: u64) -> Host<u64> {
        let block = self.machine.memory.new_heap(bytes, 16, false);
        let block = block.ok_or_else(|| {
            Fault::new(
                ErrorKind::MemoryLimit,
                format!("no memory for {bytes} bytes"),
            )
        });
        self.done(block)
    }

    /// A block that holds these numbers.
    pub fn alloc_f64s(&mut self, values: &[f64]) -> Host<u64> {
        let block = self.alloc(8 * values.len() as u64)?;
        self.write_f64s(block, values)?;
        Ok(block)
    }

    /// Frees a block.
    pub fn free(&mut self, address: u64) -> Host<()> {
        let result = self.machine.memory.free(address);
        self.done(result)
    }

    /// Initialised bytes.
    pub fn read_bytes(&mut self, address: u64, n: u64) -> Host<Vec<u8>> {
        let result = self.machine.memory.bytes(address, n).map(<[u8]>::to_vec);
        self.done(result)
    }

    /// Writes bytes; their tangents become zero.
    pub fn write_bytes(&mut self, address: u64, bytes: &[u8]) -> Host<()> {
        let to = self.machine.memory.bytes_mut(address, bytes.len() as u64);
        let result = to.map(|to| to.copy_from_slice(bytes));
        self.done(result)
    }

    /// Reads a scalar.
    pub fn read(&mut self, address: u64, ty: Type) -> Host<HostValue> {
        let result = self.machine.load_value(address, ty);
        self.done(result)
            .map(|(raw, _)| HostValue::from_raw(ty, raw))
    }

    /// Writes a scalar; its tangent becomes zero.
    pub fn write(&mut self, address: u64, ty: Type, value: HostValue) -> Host<()> {
        let bytes = encode(ty, value.to_raw(ty));
        self.write_bytes(address, &bytes[..ty.size() as usize])
    }

    /// Reads `n` scalars of a type that lie one behind the other.
    pub fn read_array(&mut self, address: u64, ty: Type, n: usize) -> Host<Vec<HostValue>> {
        (0..n as u64)
            .map(|k| self.read(address + k * ty.size(), ty))
            .collect()
    }

    /// Writes scalars of a type one behind the other.
    pub fn write_array(&mut self, address: u64, ty: Type, values: &[HostValue]) -> Host<()> {
        for (k, &value) in values.iter().enumerate() {
            self.write(address + k as u64 * ty.size(), ty, value)?;
        }
        Ok(())
    }

    /// Reads doubles.
    pub fn read_f64s(&mut self, address: u64, n: usize) -> Host<Vec<f64>> {
        let bytes = self.read_bytes(address, 8 * n as u64)?;
        let numbers = bytes.chunks_exact(8);
        Ok(numbers
            .map(|c| f64::from_le_bytes(c.try_into().unwrap_or_default()))
            .collect())
    }

    /// Writes doubles.
    pub fn write_f64s(&mut self, address: u64, values: &[f64]) -> Host<()> {
        let bytes: Vec<u8> = values.iter().flat_map(|x| x.to_le_bytes()).collect();
        self.write_bytes(address, &bytes)
    }

    /// The address of the global of that name.
    pub fn global(&self, name: &str) -> Option<u64> {
        let program = &self.machine.program;
        let index = program.global_names.iter().position(|n| n == name)?;
        Some(program.globals[index])
    }

    /// The address of the function of that name.
    pub fn function(&self, name: &str) -> Option<u64> {
        let index = find_function(&self.machine.program, name).ok()?;
        Some(crate::compile::function_address(index as usize))
    }

    // Tangents

    /// Sets the tangent of the double at an address.
    pub fn seed(&mut self, address: u64, value: f64) -> Host<()> {
        self.seed_scalar(address, Type::F64, [value, 0.0])
    }

    /// Sets the tangent of a float or complex number of a type at an address.
    pub fn seed_scalar(&mut self, address: u64, ty: Type, value: [f64; 2]) -> Host<()> {
        let result = self.machine.store_tangent(address, ty, value);
        self.done(result)
    }

    /// The tangent of the float at an address, whatever its size; zero if it has none.
    pub fn tangent_at(&self, address: u64) -> f64 {
        self.machine.memory.tangent(address, 0)
    }

    /// The tangents of doubles that lie one behind the other.
    pub fn tangents_at(&self, address: u64, n: usize) -> Vec<f64> {
        let size = tangent::cell_size(Type::F64);
        (0..n as u64)
            .map(|k| self.tangent_at(address + k * size))
            .collect()
    }

    // Calls

    /// Calls a function. An aggregate argument is given by its address.
    pub fn call(&mut self, name: &str, args: &[HostValue]) -> Host<Option<HostValue>> {
        let args: Vec<_> = args.iter().map(|&a| (a, [0.0; 2])).collect();
        Ok(self.invoke(name, &args, 0)?.map(|(value, _)| value))
    }

    /// Calls a function that returns an aggregate, which is written to an address.
    pub fn call_into(&mut self, name: &str, result: u64, args: &[HostValue]) -> Host<()> {
        let args: Vec<_> = args.iter().map(|&a| (a, [0.0; 2])).collect();
        self.invoke(name, &args, result).map(|_| ())
    }

    /// Calls a function with the tangents of its real arguments; returns the result with its tangent.
    pub fn call_with_tangents(
        &mut self,
        name: &str,
        args: &[(HostValue, f64)],
    ) -> Host<Option<(HostValue, f64)>> {
        let args: Vec<_> = args.iter().map(|&(a, t)| (a, [t, 0.0])).collect();
        Ok(self.invoke(name, &args, 0)?.map(|(value, t)| (value, t[0])))
    }

    /// Calls a function with the tangents of real and complex arguments.
    pub fn call_with_complex_tangents(
        &mut self,
        name: &str,
        args: &[(HostValue, [f64; 2])],
    ) -> Host<Option<(HostValue, [f64; 2])>> {
        self.invoke(name, args, 0)
    }

    fn invoke(
        &mut self,
        name: &str,
        args: &[(HostValue, [f64; 2])],
        result_address: u64,
    ) -> Host<Option<(HostValue, [f64; 2])>> {
        let result = self.try_invoke(name, args, result_address);
        self.done(result)
    }

    fn try_invoke(
        &mut self,
        name: &str,
        args: &[(HostValue, [f64; 2])],
        result_address: u64,
    ) -> Run<Option<(HostValue, [f64; 2])>> {
        let program = Rc::clone(&self.machine.program);
        let function = find_function(&program, name)?;
        let info = &program.functions[function as usize];
        let arguments: Vec<Argument> = args
            .iter()
            .enumerate()
            .map(|(k, &(value, tangent))| {
                let natural = match value {
                    HostValue::Int(_) => Type::I64,
                    HostValue::Float(_) => Type::F64,
                    HostValue::Complex(..) => Type::C64,
                    HostValue::Ptr(_) => Type::Ptr,
                };
                let ty = info.param_types.get(k).copied().unwrap_or(natural);
                Argument {
                    raw: value.to_raw(ty),
                    tangent,
                    ty,
                    aggregate: 0,
                }
            })
            .collect();
        let (raw, tangent) = self
            .machine
            .call_back(function, &arguments, result_address)?;
        Ok(info.result_type.map(|ty| {
            let differentiable = ty.is_float() || ty.is_complex();
            let tangent = if differentiable { tangent } else { [0.0; 2] };
            (HostValue::from_raw(ty, raw), tangent)
        }))
    }

    // Output

    /// What the program wrote to standard output so far.
    pub fn stdout(&self) -> &[u8] {
        &self.machine.stdout
    }

    /// What it wrote to standard error so far.
    pub fn stderr(&self) -> &[u8] {
        &self.machine.stderr
    }
}
