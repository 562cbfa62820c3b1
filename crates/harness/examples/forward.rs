//! Prints a C file with the forward-mode derivative of a function: `forward FILE.c FUNCTION [WIDTH]`. All pointers and numbers are active.

use adjoin_ad::{Activity, Request, Session};
use adjoin_harness::derivative;
use adjoin_ir::{CTypeKind, Type};

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let out = std::process::Command::new("cc")
        .args(["-E", &args[1]])
        .output()
        .expect("cc runs");
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    let mut module = derivative::lower(&text).unwrap_or_else(|e| panic!("{e}"));
    let func = module
        .find_func(&args[2])
        .expect("there is such a function");
    let CTypeKind::Function { ret, params, .. } = module.types.shape(module.funcs[func].ctype)
    else {
        return;
    };
    let active = |t| {
        Type::of_ctype(&module.types, t)
            .is_none_or(|ty| ty == Type::Ptr || ty.is_float() || ty.is_complex())
    };
    let activities = params
        .iter()
        .map(|&t| match active(t) {
            true => Activity::Dup,
            false => Activity::Const,
        })
        .collect();
    let request = Request {
        active_return: active(*ret) && !matches!(module.types.shape(*ret), CTypeKind::Void),
        width: args.get(3).and_then(|w| w.parse().ok()).unwrap_or(1),
        ..Request::new(func, format!("{}_dot", args[2]), activities)
    };
    match Session::default().forward(&mut module, &request) {
        Err(error) => eprintln!("{}: {}", error.span.line, error.message),
        Ok(_) => {
            derivative::finish(&mut module).unwrap_or_else(|e| panic!("{e}"));
            print!(
                "{}",
                adjoin_emit::emit_module(&module, &adjoin_emit::Options::default())
            );
        }
    }
}
