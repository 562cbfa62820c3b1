//! Forward mode against the interpreter's dual numbers on random programs: `forward_random FIRST COUNT`.

use adjoin_ad::{Activity, Request, Session};
use adjoin_harness::{derivative, random};
use adjoin_interp::{HostValue, Interp, Options};
use std::collections::BTreeMap;

fn one(seed: u64) -> Result<(), String> {
    let text = random::text::program(seed, false);
    let dir = std::env::temp_dir().join(format!("forward-random-{}.c", std::process::id()));
    std::fs::write(&dir, &text).map_err(|e| e.to_string())?;
    let out = std::process::Command::new("cc")
        .arg("-E")
        .arg(&dir)
        .output()
        .map_err(|e| e.to_string())?;
    let parsed = adjoin_front::parse(out.stdout);
    let mut module = adjoin::pipeline::lower_user_functions(&parsed).module;
    adjoin_passes::run_pipeline(&mut module, None)?;
    let primal = module.clone();
    let func = module.find_func("f").ok_or("no f")?;
    let request = Request::new(
        func,
        "f_dot",
        vec![Activity::Dup, Activity::Dup, Activity::Const],
    );
    Session::default()
        .forward(&mut module, &request)
        .map_err(|e| format!("refused {}", e.message))?;
    derivative::finish(&mut module)
        .map_err(|e| e.lines().next().unwrap_or_default().to_string())?;
    let n = random::text::SIZE;
    let options = |tangents| Options {
        tangents,
        step_limit: 500_000_000,
        ..Options::default()
    };
    for j in 0..2 * n {
        let run = || -> Result<_, adjoin_interp::InterpError> {
            let mut interp = Interp::with_options(&primal, options(true))?;
            let x = interp.alloc_f64s(&vec![0.0; n])?;
            let y = interp.alloc_f64s(&vec![0.0; n])?;
            interp.call("start", &[HostValue::Ptr(x), HostValue::Ptr(y)])?;
            interp.seed(
                if j < n {
                    x + 8 * j as u64
                } else {
                    y + 8 * (j - n) as u64
                },
                1.0,
            )?;
            interp.call(
                "f",
                &[
                    HostValue::Ptr(x),
                    HostValue::Ptr(y),
                    HostValue::Int(n as i128),
                ],
            )?;
            Ok([
                interp.tangents_at(x, n),
                interp.tangents_at(y, n),
                interp.read_f64s(x, n)?,
                interp.read_f64s(y, n)?,
            ]
            .concat())
        };
        let exact = run().map_err(|e| format!("primal {e}"))?;
        let run = || -> Result<_, adjoin_interp::InterpError> {
            let mut interp = Interp::with_options(&module, options(false))?;
            let x = interp.alloc_f64s(&vec![0.0; n])?;
            let y = interp.alloc_f64s(&vec![0.0; n])?;
            interp.call("start", &[HostValue::Ptr(x), HostValue::Ptr(y)])?;
            let dx =
                interp.alloc_f64s(&(0..n).map(|k| (k == j) as u8 as f64).collect::<Vec<_>>())?;
            let dy = interp.alloc_f64s(
                &(0..n)
                    .map(|k| (k + n == j) as u8 as f64)
                    .collect::<Vec<_>>(),
            )?;
            interp.call(
                "f_dot",
                &[
                    HostValue::Ptr(x),
                    HostValue::Ptr(dx),
                    HostValue::Ptr(y),
                    HostValue::Ptr(dy),
                    HostValue::Int(n as i128),
                ],
            )?;
            Ok([
                interp.read_f64s(dx, n)?,
                interp.read_f64s(dy, n)?,
                interp.read_f64s(x, n)?,
                interp.read_f64s(y, n)?,
            ]
            .concat())
        };
        let got = run().map_err(|e| format!("derivative {e}"))?;
        for (k, (a, b)) in got.iter().zip(&exact).enumerate() {
            if (a - b).abs() > 2e-6 * (1.0 + b.abs()) || a.is_nan() != b.is_nan() {
                return Err(format!("differs: input {j} output {k}: {a} not {b}"));
            }
        }
    }
    Ok(())
}

fn main() {
    let args: Vec<u64> = std::env::args()
        .skip(1)
        .filter_map(|a| a.parse().ok())
        .collect();
    let mut reasons: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    for seed in args[0]..args[0] + args[1] {
        let outcome = one(seed).err().unwrap_or("ok".to_string());
        if outcome.starts_with("differs")
            || outcome.starts_with("derivative")
            || outcome.starts_with("not")
        {
            println!("seed {seed}: {outcome}");
        }
        reasons.entry(outcome).or_default().push(seed);
    }
    for (why, seeds) in &reasons {
        println!("{} times, as with {}: {why}", seeds.len(), seeds[0]);
    }
}
