//! What the tests of passes share: modules from C and from text, every order of the passes, results by the interpreter.
#![allow(dead_code)]

use adjoin_interp::{HostValue, Interp, Options, run_main};
use adjoin_ir::{Body, CTypes, Func, Inst, Module, Op, parse_module, print_module, verify_module};
use adjoin_passes::{PASSES, inline, mem2reg, sroa, unroll, unswitch};

/// Panics unless the module verifies and reads back as printed.
pub fn check(module: &Module, stage: &str) {
    let text = print_module(module);
    if let Err(errors) = verify_module(module) {
        let listed: String = errors.iter().map(|e| format!("{e}\n")).collect();
        panic!("after {stage}:\n{listed}{text}");
    }
    match parse_module(&text) {
        Ok(read) => assert_eq!(print_module(&read), text, "after {stage}"),
        Err(error) => panic!("after {stage}: {error}\n{text}"),
    }
}

/// A module from its text form.
pub fn from_text(text: &str) -> Module {
    let module = parse_module(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    check(&module, "parsing");
    module
}

/// A module from C without directives; nothing may be refused.
pub fn from_c(text: &str) -> Module {
    let parsed = adjoin_front::parse(text.as_bytes().to_vec());
    let messages: Vec<&str> = parsed
        .diagnostics
        .iter()
        .map(|d| d.message.as_str())
        .collect();
    assert!(messages.is_empty(), "{messages:?}\n{text}");
    let lowered = adjoin_lower::lower(&parsed.unit, &parsed.source, |_| true);
    assert!(lowered.refusals.is_empty(), "{:?}", lowered.refusals);
    check(&lowered.module, "lowering");
    lowered.module
}

/// The passes in the orders that the tests try: each alone, each prefix of the pipeline, the pipeline twice, and some unusual ones.
fn orders() -> Vec<Vec<usize>> {
    let all: Vec<usize> = (0..PASSES.len()).collect();
    let mut orders: Vec<Vec<usize>> = all.iter().map(|&k| vec![k]).collect();
    orders.extend((2..=all.len()).map(|n| all[..n].to_vec()));
    orders.push([all.clone(), all.clone()].concat());
    orders.push(all.iter().rev().copied().collect());
    // Mem2reg and the loop conversion without any clean-up between.
    orders.push(vec![0, 3]);
    orders.push(vec![0, 3, 0, 1, 3, 2]);
    orders
}

/// What a function gives for each list of integers; an error is a result too.
pub fn results(module: &Module, name: &str, inputs: &[Vec<i128>]) -> Vec<String> {
    let options = Options {
        step_limit: 10_000_000,
        ..Options::default()
    };
    let mut interp = Interp::with_options(module, options).unwrap_or_else(|e| panic!("{e}"));
    let call = |input: &Vec<i128>| {
        let args: Vec<HostValue> = input.iter().map(|&n| HostValue::Int(n)).collect();
        match interp.call(name, &args) {
            Ok(Some(value)) => format!("{}", value.as_int()),
            Ok(None) => "nothing".to_owned(),
            Err(error) => panic!("{name}{input:?}: {error}\n{}", print_module(module)),
        }
    };
    inputs.iter().map(call).collect()
}

/// Runs every order of the passes and checks that the function gives the same results as the module that came in.
pub fn preserved(module: &Module, name: &str, inputs: &[Vec<i128>]) -> Vec<String> {
    let expected = results(module, name, inputs);
    for order in orders() {
        let mut changed = module.clone();
        let mut stage = String::new();
        for k in order {
            PASSES[k].run(&mut changed);
            stage = format!("{stage} {}", PASSES[k].name);
            check(&changed, &stage);
        }
        let got = results(&changed, name, inputs);
        assert_eq!(got, expected, "after{stage}:\n{}", print_module(&changed));
    }
    let mut changed = module.clone();
    inline_everything(&mut changed, 1000);
    check(&changed, "inlining");
    assert_eq!(results(&changed, name, inputs), expected, "after inlining");
    split_and_promote(&mut changed);
    let got = results(&changed, name, inputs);
    assert_eq!(
        got,
        expected,
        "after splitting:\n{}",
        print_module(&changed)
    );
    expected
}

/// Inlines calls, also those that inlining brings, until a body has this many instructions.
pub fn inline_everything(module: &mut Module, limit: usize) -> usize {
    let mut done = 0;
    for func in module.funcs.keys().collect::<Vec<Func>>() {
        let Some(mut body) = module.funcs[func].body.take() else {
            continue;
        };
        while body.insts.len() < limit {
            let mut calls: Vec<(Inst, Func)> = Vec::new();
            body.walk(|inst| {
                if let Op::Call(attr) = &body.insts[inst].op
                    && attr.func != func
                {
                    calls.push((inst, attr.func));
                }
            });
            let next = calls.into_iter().find_map(|(inst, callee)| {
                let callee_data = &module.funcs[callee];
                let callee_body = callee_data.body.as_ref()?;
                inline::can_inline(callee_body).then_some((inst, callee_data.ctype, callee_body))
            });
            let Some((inst, ctype, callee)) = next else {
                break;
            };
            inline::inline_call(&module.types, &mut body, inst, ctype, callee);
            done += 1;
        }
        module.funcs[func].body = Some(body);
    }
    done
}

/// The pipeline for differentiation: aggregates into parts, parts into values.
pub fn split_and_promote(module: &mut Module) {
    for func in module.funcs.keys().collect::<Vec<Func>>() {
        if let Some(mut body) = module.funcs[func].body.take() {
            sroa::run(&module.types, &mut body);
            module.funcs[func].body = Some(body);
        }
    }
    check(module, "sroa");
    for func in module.funcs.keys().collect::<Vec<Func>>() {
        if let Some(mut body) = module.funcs[func].body.take() {
            mem2reg::run(&module.types, &mut body);
            module.funcs[func].body = Some(body);
        }
    }
    check(module, "sroa, mem2reg");
    for pass in PASSES {
        pass.run(module);
        check(module, pass.name);
    }
    type OnBody = fn(&CTypes, &mut Body);
    let of_loops: [(&str, OnBody); 4] = [
        ("unroll", |types, body| {
            unroll::run(types, body);
        }),
        ("unroll, sroa", sroa::run),
        ("unroll, sroa, mem2reg", mem2reg::run),
        ("unswitch", |types, body| {
            unswitch::run(types, body);
        }),
    ];
    for (name, run) in of_loops {
        for func in module.funcs.keys().collect::<Vec<Func>>() {
            if let Some(mut body) = module.funcs[func].body.take() {
                run(&module.types, &mut body);
                module.funcs[func].body = Some(body);
            }
        }
        check(module, name);
    }
}

/// What `main` prints and returns.
pub fn output(module: &Module) -> (String, i32) {
    let outcome = run_main(module, &[], &Options::default());
    if let Some(error) = outcome.error {
        panic!("{error}\n{}", print_module(module));
    }
    (
        String::from_utf8_lossy(&outcome.stdout).into_owned(),
        outcome.exit_code,
    )
}
