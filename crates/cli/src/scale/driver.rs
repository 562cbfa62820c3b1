//! The C file that `adjoin scale` measures: the function, its derivatives, and a loop that calls them on inputs of its own. The program around it is
//! `support/main.c`.

use crate::derivative::driver::{self, Inputs, Part};
use crate::derivative::roles::Roles;
use crate::derivative::target::{Returns, Target};

/// The names of the functions to call.
#[derive(Clone, Debug)]
pub struct Functions {
    /// The function itself.
    pub value: String,
    /// Forward mode.
    pub jvp: String,
    /// Reverse mode.
    pub vjp: String,
}

/// The points that a thread calls the function at in turn fill about this many bytes: they stay in its first-level cache.
const POOL_BYTES: u32 = 16384;
/// And are at most this many.
const MOST_POINTS: u32 = 64;

/// The text behind the functions.
pub fn text(target: &Target, roles: &Roles, functions: &Functions, inputs: &Inputs) -> String {
    let Inputs { begin, parts, own } = inputs;
    let mut out = format!(
        "\n/* The calls that are measured. */\nextern const char adjoin_function[];\nconst char adjoin_function[] = \"{}\";\nvoid *adjoin_memory(unsigned long bytes);\nvoid adjoin_start(void);\nvoid adjoin_stop(void);\nint adjoin_block(long *first, long *last);\ndouble adjoin_calls(int mode);\n{RANDOM}",
        target.name
    );
    for p in parts {
        out.push_str(&driver::accessors(p));
    }
    out.push_str("\ndouble adjoin_calls(int mode)\n{\n");
    out.push_str(begin);
    out.push_str(&memory(parts));
    out.push_str(
        "    double sum = 0;\n    long first, last;\n    adjoin_start();\n    switch (mode) {\n",
    );
    let mut forward = own.clone();
    let mut reverse = own.clone();
    for k in 0..target.params.len() {
        if roles.params[k].active() {
            let prefix = format!("p{k}_");
            forward.push(driver::shadow(target, k, &prefix, "_dot", false));
            reverse.push(driver::shadow(target, k, &prefix, "_bar", true));
        }
    }
    if roles.result {
        forward.push("(void *)result__dot".into());
        reverse.push(match target.returns {
            Returns::Number(t) => format!("*({})(void *)result__w", target.declare(t, "*")),
            _ => "(void *)result__w".into(),
        });
    }
    let cases = [
        (0, &functions.value, own, Shadow::None),
        (1, &functions.jvp, &forward, Shadow::Tangent),
        (2, &functions.vjp, &reverse, Shadow::Adjoint),
    ];
    for (mode, name, arguments, shadow) in cases {
        out.push_str(&format!(
            "    case {mode}:\n        while (adjoin_block(&first, &last)) {{\n            for (long call = first; call < last; call++) {{\n                const unsigned long adjoin_point = (unsigned long)call % adjoin_points;\n"
        ));
        for line in one_call(target, parts, name, arguments, shadow).lines() {
            out.push_str(&format!("    {line}\n"));
        }
        out.push_str("            }\n        }\n        break;\n");
    }
    out.push_str("    }\n    adjoin_stop();\n");
    for p in parts {
        for suffix in ["_pool", "_own", "_v", "_w", "_dot", "_bar"] {
            out.push_str(&format!("    __builtin_free({}{suffix});\n", p.prefix));
        }
    }
    for name in begin.lines().filter_map(allocated) {
        out.push_str(&format!("    __builtin_free({name});\n"));
    }
    out.push_str("    return sum;\n}\n");
    out
}

/// The variable that a declaration gives memory to.
fn allocated(line: &str) -> Option<&str> {
    let (declaration, _) = line.split_once(" = __builtin_calloc(")?;
    declaration.rsplit(['*', ' ']).next()
}

/// Memory of the thread: points to call at, a copy for what is overwritten, shadows and what they begin with.
fn memory(parts: &[Part]) -> String {
    let mut text = String::new();
    let mut total = vec!["1".to_string()];
    for p in parts {
        let Part {
            prefix,
            element,
            count,
            ..
        } = p;
        let (n, size) = (element.leaves.len(), element.size);
        text.push_str(&format!(
            "    const unsigned long {prefix}_n = {n} * {count};\n    const unsigned long {prefix}_bytes = ({count} * {size} + 31) / 32 * 32;\n"
        ));
        total.push(format!("{prefix}_bytes"));
    }
    text.push_str(&format!(
        "    const unsigned long fit = {POOL_BYTES} / ({});\n    const unsigned long adjoin_points = fit < 1 ? 1 : fit > {MOST_POINTS} ? {MOST_POINTS} : fit;\n",
        total.join(" + ")
    ));
    for p in parts {
        let prefix = &p.prefix;
        for suffix in ["_own", "_v", "_w", "_dot", "_bar"] {
            text.push_str(&format!(
                "    char *const {prefix}{suffix} = adjoin_memory({prefix}_bytes);\n"
            ));
        }
        text.push_str(&format!(
            "    char *const {prefix}_pool = adjoin_memory(adjoin_points * {prefix}_bytes);\n"
        ));
    }
    text.push_str("    unsigned long state = 88172645463325252ul;\n");
    for p in parts {
        text.push_str(&fill(p));
    }
    text
}

/// Random values, directions and seeds: the same for every thread.
fn fill(p: &Part) -> String {
    let Part {
        prefix,
        range: (low, high),
        ..
    } = p;
    let chosen = |yes: bool| {
        if yes {
            "adjoin_uniform(&state, 0.5, 1)"
        } else {
            "0"
        }
    };
    let values = if prefix == "result_" {
        String::new()
    } else {
        format!(
            "    for (unsigned long adjoin_point = 0; adjoin_point < adjoin_points; adjoin_point++)\n        for (unsigned long i = 0; i < {prefix}_n; i++)\n            {prefix}set({prefix}_pool + adjoin_point * {prefix}_bytes, i, adjoin_uniform(&state, {low:e}, {high:e}));\n"
        )
    };
    format!(
        "{values}    for (unsigned long i = 0; i < {prefix}_n; i++) {{\n        {prefix}set({prefix}_v, i, {});\n        {prefix}set({prefix}_w, i, {});\n    }}\n    __builtin_memcpy({prefix}_dot, {prefix}_v, {prefix}_bytes);\n",
        chosen(p.input),
        chosen(p.output)
    )
}

#[derive(Clone, Copy, PartialEq)]
enum Shadow {
    None,
    Tangent,
    Adjoint,
}

/// One call: what the last one overwrote is restored, and something of each result is added to the sum.
fn one_call(
    target: &Target,
    parts: &[Part],
    name: &str,
    arguments: &[String],
    shadow: Shadow,
) -> String {
    let mut text = String::new();
    let mut after = String::new();
    for p in parts {
        let prefix = &p.prefix;
        let result = prefix == "result_";
        let copy = |to: &str, from: &str| {
            format!("            __builtin_memcpy({prefix}{to}, {prefix}{from}, {prefix}_bytes);\n")
        };
        let at = format!("_pool + adjoin_point * {prefix}_bytes");
        if p.written {
            if !result {
                text.push_str(&copy("_own", &at));
            }
            text.push_str(&format!(
                "            char *const {prefix}_x = {prefix}_own;\n"
            ));
        } else {
            text.push_str(&format!(
                "            char *const {prefix}_x = {prefix}{at};\n"
            ));
        }
        let summed = match shadow {
            Shadow::None => p.output.then_some("_x"),
            Shadow::Tangent => p.output.then_some("_dot"),
            Shadow::Adjoint => p.input.then_some("_bar"),
        };
        if shadow == Shadow::Tangent && p.active && p.written && !result {
            text.push_str(&copy("_dot", "_v"));
        }
        if shadow == Shadow::Adjoint && p.active && !result {
            text.push_str(&copy("_bar", "_w"));
        }
        if let Some(suffix) = summed {
            after.push_str(&format!(
                "            sum += __builtin_fabs({prefix}get({prefix}{suffix}, (unsigned long)call % {prefix}_n));\n"
            ));
        }
    }
    let call = format!("{name}({})", arguments.join(", "));
    let returns = match (target.returns, parts.last().map(|p| &*p.prefix)) {
        (Returns::Number(t) | Returns::Record(t), Some("result_")) => {
            format!("*({})(void *)result__x = ", target.declare(t, "*"))
        }
        _ => String::new(),
    };
    format!("{text}            {returns}{call};\n{after}")
}

const RANDOM: &str = "
static double adjoin_uniform(unsigned long *state, double low, double high)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return low + (high - low) * (double)(*state >> 11) / 9007199254740992.0;
}
";
