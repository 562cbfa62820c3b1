//! One derivative in four ways: forward mode, reverse mode, the interpreter's dual numbers, and central differences of the primal; they have to
//! agree, and forward against reverse has to satisfy ⟨Jv, w⟩ = ⟨v, Jᵀw⟩. Everything runs in the interpreter, so memory errors of generated code are found too.
//!
//! The function is given as C text. Its parameters are, in any order that makes sense to it: the first pointer to `double` is the input, the second the
//! output; an `int` is the number of inputs. What it returns, if that is a `double`, is an output as well.

use adjoin_ad::{Activity, Request, Session};
use adjoin_interp::{HostValue, Interp, Options};
use adjoin_ir::{CTypeKind, Func, Module, Type};

/// What to check.
#[derive(Clone, Copy, Debug)]
pub struct Check<'a> {
    /// C text, preprocessed.
    pub text: &'a str,
    /// The function.
    pub function: &'a str,
    /// Where: the inputs.
    pub at: &'a [f64],
    /// How many outputs are written through the second pointer.
    pub outputs: usize,
    /// Also in reverse mode.
    pub reverse: bool,
    /// Also with dual numbers, which do not follow the bits of numbers through integers.
    pub duals: bool,
    /// How far the ways may differ, relative to one plus the value.
    pub tolerance: f64,
}

impl<'a> Check<'a> {
    /// A function `f` of inputs that returns its only output.
    pub fn new(text: &'a str, at: &'a [f64]) -> Check<'a> {
        Check {
            text,
            function: "f",
            at,
            outputs: 0,
            reverse: false,
            duals: true,
            tolerance: 1e-7,
        }
    }
}

/// The roles of the parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Role {
    Input,
    Output,
    Count,
    Constant,
}

struct Prepared {
    module: Module,
    func: Func,
    roles: Vec<Role>,
    returns: bool,
}

type Outcome<T> = Result<T, String>;

/// The IR of a C text.
pub fn lower(text: &str) -> Outcome<Module> {
    let parsed = adjoin_front::parse(text.as_bytes().to_vec());
    let error = adjoin_front::diag::Severity::Error;
    if let Some(found) = parsed.diagnostics.iter().find(|d| d.severity == error) {
        return Err(found.message.clone());
    }
    let lowered = adjoin_lower::lower(&parsed.unit, &parsed.source, |f| {
        let function = parsed.unit.funcs.get(f);
        function.is_some_and(adjoin::pipeline::is_user_definition)
    });
    if let Some(refusal) = lowered.refusals.first() {
        return Err(format!("refused: {refusal:?}"));
    }
    let mut module = lowered.module;
    adjoin_passes::run_pipeline(&mut module, None)?;
    valid(&module)?;
    Ok(module)
}

fn valid(module: &Module) -> Outcome<()> {
    adjoin_ir::verify_module(module).map_err(|errors| {
        let text = adjoin_ir::print_module(module);
        format!("not valid: {}\n{text}", errors[0])
    })
}

fn prepare(check: &Check<'_>) -> Outcome<Prepared> {
    let module = lower(check.text)?;
    let func = module
        .find_func(check.function)
        .ok_or("there is no such function")?;
    let CTypeKind::Function { ret, params, .. } = module.types.shape(module.funcs[func].ctype)
    else {
        return Err("not a function".into());
    };
    let returns = Type::of_ctype(&module.types, *ret) == Some(Type::F64);
    let mut pointers = 0;
    let roles = params
        .iter()
        .map(|&t| match Type::of_ctype(&module.types, t) {
            Some(Type::Ptr) => {
                pointers += 1;
                [Role::Input, Role::Output]
                    .get(pointers - 1)
                    .copied()
                    .unwrap_or(Role::Constant)
            }
            _ => Role::Count,
        })
        .collect();
    Ok(Prepared {
        module,
        func,
        roles,
        returns,
    })
}

fn say<T>(result: Result<T, adjoin_interp::InterpError>) -> Outcome<T> {
    result.map_err(|e| e.to_string())
}

fn machine(module: &Module, tangents: bool) -> Outcome<Interp> {
    let options = Options {
        tangents,
        step_limit: 100_000_000,
        ..Options::default()
    };
    say(Interp::with_options(module, options))
}

/// The outputs of the primal: what is returned, then what is written.
fn primal(p: &Prepared, check: &Check<'_>, at: &[f64]) -> Outcome<Vec<f64>> {
    let mut machine = self::machine(&p.module, false)?;
    let x = say(machine.alloc_f64s(at))?;
    let y = say(machine.alloc_f64s(&vec![0.0; check.outputs]))?;
    let args: Vec<HostValue> = p
        .roles
        .iter()
        .map(|role| match role {
            Role::Input => HostValue::Ptr(x),
            Role::Output => HostValue::Ptr(y),
            Role::Count => HostValue::Int(at.len() as i128),
            Role::Constant => HostValue::Ptr(0),
        })
        .collect();
    let returned = say(machine.call(check.function, &args))?;
    let mut all: Vec<f64> = Vec::new();
    if p.returns {
        all.extend(returned.map(|v| v.as_f64()));
    }
    all.extend(say(machine.read_f64s(y, check.outputs))?);
    Ok(all)
}

fn central_difference(p: &Prepared, check: &Check<'_>, v: &[f64]) -> Outcome<Vec<f64>> {
    let moved = |h: f64| {
        let at: Vec<f64> = check.at.iter().zip(v).map(|(x, t)| x + h * t).collect();
        primal(p, check, &at)
    };
    let h = 1e-4;
    let [a, b, c, d] = [moved(h)?, moved(-h)?, moved(2.0 * h)?, moved(-2.0 * h)?];
    Ok((0..a.len())
        .map(|k| (8.0 * (a[k] - b[k]) - (c[k] - d[k])) / (12.0 * h))
        .collect())
}

fn duals(p: &Prepared, check: &Check<'_>, v: &[f64]) -> Outcome<Vec<f64>> {
    let mut machine = self::machine(&p.module, true)?;
    let x = say(machine.alloc_f64s(check.at))?;
    let y = say(machine.alloc_f64s(&vec![0.0; check.outputs]))?;
    for (k, &t) in v.iter().enumerate() {
        say(machine.seed(x + 8 * k as u64, t))?;
    }
    let args: Vec<(HostValue, f64)> = p
        .roles
        .iter()
        .map(|role| match role {
            Role::Input => (HostValue::Ptr(x), 0.0),
            Role::Output => (HostValue::Ptr(y), 0.0),
            Role::Count => (HostValue::Int(check.at.len() as i128), 0.0),
            Role::Constant => (HostValue::Ptr(0), 0.0),
        })
        .collect();
    let returned = say(machine.call_with_tangents(check.function, &args))?;
    let mut all = Vec::new();
    if p.returns {
        all.extend(returned.map(|(_, t)| t));
    }
    all.extend(machine.tangents_at(y, check.outputs));
    Ok(all)
}

fn request(p: &Prepared, name: &str) -> Request {
    let params = p
        .roles
        .iter()
        .map(|role| match role {
            Role::Input | Role::Output => Activity::Dup,
            _ => Activity::Const,
        })
        .collect();
    Request {
        active_return: p.returns,
        ..Request::new(p.func, name, params)
    }
}

/// The passes after differentiation; the module is verified before and after.
pub fn finish(module: &mut Module) -> Outcome<()> {
    adjoin_ad::complete(module);
    valid(module)?;
    adjoin_passes::run_pipeline(module, None)?;
    valid(module)
}

/// Forward mode in some directions at once: for each the tangents of the outputs; and the outputs.
fn forward(p: &Prepared, check: &Check<'_>, directions: &[Vec<f64>]) -> Outcome<Vec<Vec<f64>>> {
    let mut module = p.module.clone();
    let width = directions.len();
    let request = Request {
        width: width as u32,
        primal_return: p.returns,
        ..request(p, "derivative")
    };
    let mut session = Session::default();
    session
        .forward(&mut module, &request)
        .map_err(|e| e.message)?;
    finish(&mut module)?;
    let mut machine = self::machine(&module, false)?;
    let x = say(machine.alloc_f64s(check.at))?;
    let y = say(machine.alloc_f64s(&vec![0.0; check.outputs]))?;
    let mut args = Vec::new();
    let mut shadows = Vec::new();
    for role in &p.roles {
        args.push(match role {
            Role::Input => HostValue::Ptr(x),
            Role::Output => HostValue::Ptr(y),
            Role::Count => HostValue::Int(check.at.len() as i128),
            Role::Constant => HostValue::Ptr(0),
        });
        for v in directions {
            match role {
                Role::Input => args.push(HostValue::Ptr(say(machine.alloc_f64s(v))?)),
                Role::Output => {
                    let shadow = say(machine.alloc_f64s(&vec![0.0; check.outputs]))?;
                    shadows.push(shadow);
                    args.push(HostValue::Ptr(shadow));
                }
                _ => {}
            }
        }
    }
    let mut all: Vec<Vec<f64>> = vec![Vec::new(); width + 1];
    if p.returns {
        let place = say(machine.alloc(8 * (width as u64 + 1)))?;
        say(machine.call_into("derivative", place, &args))?;
        let returned = say(machine.read_f64s(place, width + 1))?;
        all[width].push(returned[0]);
        for k in 0..width {
            all[k].push(returned[k + 1]);
        }
    } else {
        say(machine.call("derivative", &args))?;
    }
    all[width].extend(say(machine.read_f64s(y, check.outputs))?);
    for (k, &shadow) in shadows.iter().enumerate() {
        all[k].extend(say(machine.read_f64s(shadow, check.outputs))?);
    }
    Ok(all)
}

/// The gradient of the outputs weighed by `w`, in reverse mode.
fn reverse(p: &Prepared, check: &Check<'_>, w: &[f64]) -> Outcome<Vec<f64>> {
    let mut module = p.module.clone();
    let request = Request {
        seed_argument: p.returns,
        ..request(p, "gradient")
    };
    let mut session = Session::default();
    session
        .reverse(&mut module, &request)
        .map_err(|e| e.message)?;
    finish(&mut module)?;
    let mut machine = self::machine(&module, false)?;
    let x = say(machine.alloc_f64s(check.at))?;
    let bar = say(machine.alloc_f64s(&vec![0.0; check.at.len()]))?;
    let y = say(machine.alloc_f64s(&vec![0.0; check.outputs]))?;
    let seeds = say(machine.alloc_f64s(&w[w.len() - check.outputs..]))?;
    let mut args = Vec::new();
    for role in &p.roles {
        match role {
            Role::Input => args.extend([HostValue::Ptr(x), HostValue::Ptr(bar)]),
            Role::Output => args.extend([HostValue::Ptr(y), HostValue::Ptr(seeds)]),
            Role::Count => args.push(HostValue::Int(check.at.len() as i128)),
            Role::Constant => args.push(HostValue::Ptr(0)),
        }
    }
    if p.returns {
        args.push(HostValue::Float(w[0]));
    }
    say(machine.call("gradient", &args))?;
    say(machine.read_f64s(bar, check.at.len()))
}

/// Numbers between -1 and 1 that look random.
fn noise(n: usize, seed: u64) -> Vec<f64> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    (0..n)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
        })
        .collect()
}

fn compare(what: &str, a: &[f64], b: &[f64], tolerance: f64) -> Outcome<()> {
    if a.len() != b.len() {
        return Err(format!("{what}: {} against {} numbers", a.len(), b.len()));
    }
    for (k, (x, y)) in a.iter().zip(b).enumerate() {
        let near = (x - y).abs() <= tolerance * (1.0 + y.abs());
        if !(near || x.is_nan() && y.is_nan()) {
            return Err(format!("{what}: output {k} is {x:.12e}, not {y:.12e}"));
        }
    }
    Ok(())
}

/// Computes the derivative in every way and compares.
pub fn check(check: &Check<'_>) -> Outcome<()> {
    let p = prepare(check)?;
    let directions: Vec<Vec<f64>> = (1..=3).map(|k| noise(check.at.len(), k)).collect();
    let value = primal(&p, check, check.at)?;
    let together = forward(&p, check, &directions)?;
    compare("the primal in forward mode", &together[3], &value, 1e-14)?;
    for (k, v) in directions.iter().enumerate() {
        let alone = forward(&p, check, std::slice::from_ref(v))?;
        if check.duals {
            let exact = duals(&p, check, v)?;
            compare("forward against duals", &alone[0], &exact, 1e-11)?;
        }
        compare(
            "several directions against one",
            &together[k],
            &alone[0],
            1e-12,
        )?;
        let numeric = central_difference(&p, check, v)?;
        compare(
            "forward against differences",
            &alone[0],
            &numeric,
            check.tolerance,
        )?;
        if check.reverse {
            let w = noise(value.len(), 17);
            let gradient = reverse(&p, check, &w)?;
            let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
            let (left, right) = (dot(&alone[0], &w), dot(v, &gradient));
            compare("forward against reverse", &[left], &[right], 1e-11)?;
        }
    }
    Ok(())
}

/// The Hessian of a function that returns its only output, times a direction: forward over reverse against forward over forward and central
/// differences of the gradient from dual numbers.
pub fn check_second_order(check: &Check<'_>) -> Outcome<()> {
    let p = prepare(check)?;
    let n = check.at.len();
    let v = noise(n, 5);
    let basis = |k: usize| -> Vec<f64> { (0..n).map(|j| f64::from(u8::from(j == k))).collect() };
    let gradient = |at: &[f64]| -> Outcome<Vec<f64>> {
        let moved = Check { at, ..*check };
        let mut all = Vec::new();
        for k in 0..n {
            all.extend(duals(&p, &moved, &basis(k))?);
        }
        Ok(all)
    };
    let at = |h: f64| -> Vec<f64> { check.at.iter().zip(&v).map(|(x, t)| x + h * t).collect() };
    let h = 1e-4;
    let [a, b, c, d] = [
        gradient(&at(h))?,
        gradient(&at(-h))?,
        gradient(&at(2.0 * h))?,
        gradient(&at(-2.0 * h))?,
    ];
    let numeric: Vec<f64> = (0..n)
        .map(|k| (8.0 * (a[k] - b[k]) - (c[k] - d[k])) / (12.0 * h))
        .collect();
    let twice = forward_over(&p, check, &v, &basis, Session::forward)?;
    compare("forward over forward", &twice, &numeric, check.tolerance)?;
    if check.reverse {
        let product = forward_over(&p, check, &v, &basis, Session::reverse)?;
        compare("forward over reverse", &product, &numeric, check.tolerance)?;
    }
    Ok(())
}

type Mode = fn(&mut Session, &mut Module, &Request) -> Result<Func, adjoin_ad::AdError>;

/// The Hessian times `v`, by forward mode over a first derivative.
fn forward_over(
    p: &Prepared,
    check: &Check<'_>,
    v: &[f64],
    basis: &dyn Fn(usize) -> Vec<f64>,
    mode: Mode,
) -> Outcome<Vec<f64>> {
    let mut module = p.module.clone();
    let mut session = Session::default();
    let first = mode(&mut session, &mut module, &request(p, "first")).map_err(|e| e.message)?;
    finish(&mut module)?;
    let CTypeKind::Function { ret, params, .. } = module.types.shape(module.funcs[first].ctype)
    else {
        return Err("not a function".into());
    };
    let returns = Type::of_ctype(&module.types, *ret) == Some(Type::F64);
    let activities = params
        .iter()
        .map(|&t| match module.types.pointee(t) {
            Some(_) => Activity::Dup,
            None => Activity::Const,
        })
        .collect();
    let request = Request {
        active_return: returns,
        ..Request::new(first, "second", activities)
    };
    session
        .forward(&mut module, &request)
        .map_err(|e| format!("over the first derivative: {}", e.message))?;
    finish(&mut module)?;
    let n = check.at.len();
    let run = |direction: &[f64]| -> Outcome<(Option<f64>, Vec<f64>)> {
        let mut machine = self::machine(&module, false)?;
        let mut block = |values: &[f64]| say(machine.alloc_f64s(values)).map(HostValue::Ptr);
        // The input and its tangent, then its shadow and the tangent of that.
        let x = [block(check.at)?, block(v)?];
        let shadow = [block(direction)?, block(&vec![0.0; n])?];
        let mut args = Vec::new();
        for role in &p.roles {
            match role {
                Role::Input => args.extend(x.iter().chain(&shadow).copied()),
                _ => args.push(HostValue::Int(n as i128)),
            }
        }
        let returned = say(machine.call("second", &args))?;
        let HostValue::Ptr(address) = shadow[1] else {
            return Err("not an address".into());
        };
        Ok((
            returned.map(|r| r.as_f64()),
            say(machine.read_f64s(address, n))?,
        ))
    };
    if !returns {
        return Ok(run(&vec![0.0; n])?.1);
    }
    (0..n)
        .map(|k| run(&basis(k)).map(|r| r.0.unwrap_or(f64::NAN)))
        .collect()
}
