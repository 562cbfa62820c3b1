//! Which functions that programs differentiate in reverse mode are refused in forward mode: `forward_scan FILE.c…`. What is made
//! goes to the directory `FORWARD_SCAN_OUT`, if that is set.

use adjoin_ad::{Activity, Request, Session};
use adjoin_harness::derivative;
use adjoin_ir::{CTypeKind, Func, Module, Op, Type};
use std::collections::BTreeSet;

fn targets(module: &Module) -> BTreeSet<Func> {
    let mut found = BTreeSet::new();
    for function in module.funcs.values() {
        let Some(body) = &function.body else { continue };
        body.walk(|inst| {
            let data = &body.insts[inst];
            if let Op::Call(attr) = &data.op
                && module.funcs[attr.func].name.contains("__enzyme_")
                && let Some(&first) = data.args.first()
            {
                let mut v = first;
                while let Some(def) = body.def_inst(v) {
                    match &body.insts[def].op {
                        Op::FuncAddr(f) => {
                            found.insert(*f);
                            break;
                        }
                        Op::Cast => v = body.insts[def].args[0],
                        _ => break,
                    }
                }
            }
        });
    }
    found
}

fn main() {
    for file in std::env::args().skip(1) {
        let out = std::process::Command::new("cc")
            .args(["-E", &file])
            .output()
            .expect("cc runs");
        let parsed = adjoin_front::parse(out.stdout);
        let mut module = adjoin::pipeline::lower_user_functions(&parsed).module;
        adjoin_passes::run_pipeline(&mut module, None).expect("passes");
        for func in targets(&module) {
            let CTypeKind::Function { ret, params, .. } =
                module.types.shape(module.funcs[func].ctype).clone()
            else {
                continue;
            };
            let active = |t| {
                Type::of_ctype(&module.types, t)
                    .is_none_or(|ty| ty == Type::Ptr || ty.is_float() || ty.is_complex())
            };
            let void = matches!(module.types.shape(ret), CTypeKind::Void);
            let activities = params
                .iter()
                .map(|&t| match active(t) {
                    true => Activity::Dup,
                    false => Activity::Const,
                })
                .collect();
            let request = Request {
                active_return: active(ret) && !void,
                ..Request::new(func, "the_derivative", activities)
            };
            let mut copy = module.clone();
            let name = &module.funcs[func].name;
            match Session::default().forward(&mut copy, &request) {
                Err(e) => println!("{file}:{}: {name}: {}", e.span.line, e.message),
                Ok(_) => match derivative::finish(&mut copy) {
                    Ok(()) => {
                        let text =
                            adjoin_emit::emit_module(&copy, &adjoin_emit::Options::default());
                        if let Ok(directory) = std::env::var("FORWARD_SCAN_OUT") {
                            let stem = file.replace(['/', '.'], "_");
                            let path = format!("{directory}/{stem}_{name}.c");
                            std::fs::write(path, text).expect("writes");
                        }
                    }
                    Err(e) => println!("{file}: {name}: {}", e.lines().next().unwrap_or("")),
                },
            }
        }
    }
}
