//! `--driver`: a program that calls a batch function at made-up points, alone or under `mpirun`, compares it with single calls, and says how long it took.
//! It is meant to be changed: the inputs are at its beginning.

use super::batch::{Argument, Batched, Passing};
use super::driver::{self, Part};
use super::public::What;
use adjoin_front::diag::Diagnostic;
use adjoin_ir::{Basic, CTy};

/// More points than these are not compared with single calls.
const MOST_COMPARED: u32 = 10000;

/// An array of the program.
struct Array {
    name: String,
    /// The copy that single calls work on, where they write.
    copy: Option<String>,
    element: CTy,
    /// How many elements, in C.
    count: String,
    /// Its numbers; `None`: integers.
    part: Option<Part>,
    /// Begins with zeros.
    zero: bool,
}

impl Batched {
    /// The text of the program.
    pub fn driver(&self, header: &str) -> Result<String, Box<Diagnostic>> {
        let mut integers = String::new();
        let mut arrays = Vec::new();
        let mut batch = vec![self.local.points.clone()];
        let mut single = Vec::new();
        for a in &self.arguments {
            if let Some(t) = self.integer(a) {
                let declared = self.target.declare(t, &a.name);
                integers.push_str(&format!("    const {declared} = 4;\n"));
                batch.push(a.name.clone());
                single.push(a.name.clone());
                continue;
            }
            let Some(array) = self.array(a)? else {
                batch.push("0".into());
                single.push("0".into());
                continue;
            };
            let value = a.by_value;
            let own = array.copy.clone().unwrap_or_else(|| a.name.clone());
            batch.push(match (&a.passing, value) {
                (Passing::Shared, true) => format!("{}[0]", a.name),
                _ => a.name.clone(),
            });
            single.push(match (&a.passing, value) {
                (Passing::Shared, true) => format!("{own}[0]"),
                (Passing::Shared | Passing::Sum, _) => own,
                (Passing::Value, _) => format!("{own}[{}]", self.local.point),
                (Passing::Array, _) => match &a.size {
                    Some(size) => format!("{own} + {} * {size}", self.local.point),
                    None => format!("{own} + {}", self.local.point),
                },
            });
            arrays.push(array);
        }
        let mut call = format!("{}({})", self.point, single.join(", "));
        if let (Some(value), Some(t)) = (&self.value, self.value_type) {
            let part = self.part(value, t);
            let copy = format!("{value}_one");
            call = format!("{copy}[{}] = {call}", self.local.point);
            batch.push(value.clone());
            arrays.push(Array {
                name: value.clone(),
                copy: Some(copy),
                element: t,
                count: self.local.points.clone(),
                part,
                zero: true,
            });
        }
        let text = self.program(header, &integers, &arrays, &batch, &call);
        Ok(super::batch::broken(&text))
    }

    /// The type of a shared integer.
    fn integer(&self, a: &Argument) -> Option<CTy> {
        let t = a.element?;
        let integer = self
            .target
            .types
            .arithmetic(t)
            .is_some_and(Basic::is_integer);
        (integer && a.by_value && a.passing == Passing::Shared).then_some(t)
    }

    fn part(&self, name: &str, t: CTy) -> Option<Part> {
        Some(Part {
            name: name.to_string(),
            prefix: format!("adjoin_{name}_"),
            element: driver::element(&self.target.types, t)?,
            count: String::new(),
            range: (0.5, 1.5),
            input: false,
            output: false,
            active: false,
            written: false,
        })
    }

    /// The memory for an argument. `None`: a pointer that nobody follows.
    fn array(&self, a: &Argument) -> Result<Option<Array>, Box<Diagnostic>> {
        let refuse = || {
            let k = self.target.find(&a.name);
            let span = k.map_or(self.target.span, |k| self.target.params[k].span);
            let message = format!("the driver cannot fill `{}`", a.name);
            let help = "it fills numbers, integers, arrays of them, and structs without pointers and unions";
            Box::new(Diagnostic::error(span, message).help(help))
        };
        let k = self.target.find(&a.name);
        let unused = k.is_some_and(|k| {
            let access = &self.target.params[k].access;
            !access.read && !access.written && !a.by_value
        });
        let element = match a.element {
            Some(t) => t,
            None if unused => return Ok(None),
            None => return Err(refuse()),
        };
        let part = self.part(&a.name, element);
        let integers = self.target.types.arithmetic(element).is_some();
        if part.is_none() && !integers {
            return if unused { Ok(None) } else { Err(refuse()) };
        }
        let points = &self.local.points;
        let count = match (&a.passing, &a.size) {
            (Passing::Shared, _) => match &a.shared_size {
                Some(size) => format!("(size_t)({size})"),
                None => "1".into(),
            },
            (Passing::Sum, size) => size.clone().unwrap_or("1".into()),
            (_, Some(size)) => format!("{points} * {size}"),
            (_, None) => points.clone(),
        };
        let zero = matches!(
            a.what,
            What::Accumulated(_)
                | What::Scratch(_)
                | What::Second(_)
                | What::TangentOut(..)
                | What::ResultTangent(_)
        );
        let written = a.written || a.passing == Passing::Sum;
        Ok(Some(Array {
            name: a.name.clone(),
            copy: written.then(|| format!("{}_one", a.name)),
            element,
            count,
            part,
            zero,
        }))
    }

    fn program(
        &self,
        header: &str,
        integers: &str,
        arrays: &[Array],
        batch: &[String],
        call: &str,
    ) -> String {
        let mpi = self.mpi.is_some();
        let name = if mpi {
            format!("{}_mpi", self.public.name)
        } else {
            self.public.name.clone()
        };
        let mut batch = batch.to_vec();
        if mpi {
            batch.push("MPI_COMM_WORLD".into());
        }
        let points = &self.local.points;
        let (point, i) = (&self.local.point, &self.local.i);
        let mut out = format!(
            "/* Generated by Adjoin {} as a beginning: calls {name} at made-up points.\n * Replace the inputs by your own.\n */\n#include \"{header}\"\n{}#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <time.h>\n{SUPPORT}",
            env!("CARGO_PKG_VERSION"),
            if mpi { "#include <mpi.h>\n" } else { "" },
        );
        // Numbers are plain elements; only those in structs are reached by functions.
        for a in arrays {
            if let Some(part) = a.part.as_ref().filter(|_| !self.is_plain(a)) {
                out.push('\n');
                out.push_str(&driver::accessors(part));
            }
        }
        out.push_str("\nint main(int argc, char **argv)\n{\n");
        out.push_str(if mpi {
            "    int rank, ranks;\n    MPI_Init(&argc, &argv);\n    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n    MPI_Comm_size(MPI_COMM_WORLD, &ranks);\n"
        } else {
            "    const int rank = 0, ranks = 1;\n"
        });
        out.push_str(&format!(
            "    const size_t {points} = argc > 1 ? strtoul(argv[1], 0, 10) : 1000;\n\n    /* Inputs: the same on every rank. */\n{integers}{}",
            self.sizes
        ));
        for a in arrays {
            out.push_str(&self.filled(a, i));
        }
        out.push_str(&format!(
            "\n    const double start = adjoin_now();\n    {name}({});\n    const double seconds = adjoin_now() - start;\n",
            batch.join(", ")
        ));
        out.push_str(&format!(
            "\n    /* The same, point by point. */\n    double worst = 0;\n    const int compared = {points} <= {MOST_COMPARED};\n    for (size_t {point} = 0; compared && {point} < {points}; {point}++)\n        {call};\n"
        ));
        for a in arrays {
            let (Some(copy), Some(part)) = (&a.copy, &a.part) else {
                continue;
            };
            let n = part.element.leaves.len();
            let (count, found, expected) = if self.is_plain(a) {
                let at = |name: &str| format!("(double){name}[{i}]");
                (a.count.clone(), at(&a.name), at(copy))
            } else {
                let at = |name: &str| format!("{}get({name}, {i})", part.prefix);
                (format!("{n} * ({})", a.count), at(&a.name), at(copy))
            };
            let casts = part.element.leaves[0].1 != Basic::Double;
            let plain = |text: String| {
                if casts {
                    text
                } else {
                    text.replace("(double)", "")
                }
            };
            out.push_str(&format!(
                "    for (size_t {i} = 0; compared && {i} < {count}; {i}++)\n        worst = adjoin_worse(worst, {}, {});\n",
                plain(found),
                plain(expected)
            ));
        }
        out.push_str(&format!(
            "    if (rank == 0) {{\n        printf(\"%zu points, %d rank%s: %.3g seconds\\n\", {points}, ranks, ranks == 1 ? \"\" : \"s\", seconds);\n        if (compared)\n            printf(\"worst difference to single calls: %.1e\\n\", worst);\n    }}\n"
        ));
        for a in arrays {
            for name in std::iter::once(&a.name).chain(&a.copy) {
                out.push_str(&format!("    free({name});\n"));
            }
        }
        if mpi {
            out.push_str("    MPI_Finalize();\n");
        }
        // Sums over other blocks round otherwise.
        let floats = arrays.iter().filter_map(|a| a.part.as_ref()).any(|p| {
            let mut basics = p.element.leaves.iter().map(|(_, basic)| *basic);
            basics.any(|b| b == Basic::Float)
        });
        let most = if floats { "1e-3" } else { "1e-9" };
        out.push_str(&format!("    return !(worst <= {most});\n}}\n"));
        out
    }

    /// Are the elements of an array single numbers, not structs with numbers, or complex ones?
    fn is_plain(&self, a: &Array) -> bool {
        let one = |part: &Part| part.element.leaves.len() == 1;
        self.target.types.arithmetic(a.element).is_some() && a.part.as_ref().is_none_or(one)
    }

    /// Declares an array and fills it.
    fn filled(&self, a: &Array, i: &str) -> String {
        let Array { name, count, .. } = a;
        let declared = |n: &str| self.target.declare(a.element, &format!("*{n}"));
        let mut text = format!(
            "    {} = adjoin_memory({count}, sizeof *{name});\n",
            declared(name)
        );
        match &a.part {
            _ if a.zero => {}
            Some(part) => {
                let value = "adjoin_uniform(0.5, 1.5)";
                let (all, set) = match &part.element.leaves[..] {
                    [(_, Basic::Double)] if self.is_plain(a) => {
                        (count.clone(), format!("{name}[{i}] = {value}"))
                    }
                    [(_, basic)] if self.is_plain(a) => {
                        let t = basic.c_name();
                        (count.clone(), format!("{name}[{i}] = ({t}){value}"))
                    }
                    many => (
                        format!("{} * ({count})", many.len()),
                        format!("{}set({name}, {i}, {value})", part.prefix),
                    ),
                };
                text.push_str(&format!(
                    "    for (size_t {i} = 0; {i} < {all}; {i}++)\n        {set};\n"
                ));
            }
            None => {}
        }
        if let Some(copy) = &a.copy {
            text.push_str(&format!(
                "    {} = adjoin_memory({count}, sizeof *{copy});\n",
                declared(copy)
            ));
            if !a.zero {
                text.push_str(&format!(
                    "    memcpy({copy}, {name}, {count} * sizeof *{copy});\n"
                ));
            }
        }
        text
    }
}

const SUPPORT: &str = r#"
static double adjoin_now(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double adjoin_uniform(double low, double high)
{
    static unsigned long state = 88172645463325252ul;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return low + (high - low) * (double)(state >> 11) / 9007199254740992.0;
}

static void *adjoin_memory(size_t count, size_t bytes)
{
    void *memory = calloc(count ? count : 1, bytes);
    if (!memory) {
        perror("inputs and results");
        exit(1);
    }
    return memory;
}

/* The larger of an error so far and that of a number; a number that is not finite on both sides is none. */
static double adjoin_worse(double worst, double found, double expected)
{
    const double error = fabs(found - expected) / (1 + fabs(expected));
    if (found == expected || (!isfinite(found) && !isfinite(expected)))
        return worst;
    return error > worst || isnan(error) ? error : worst;
}
"#;
