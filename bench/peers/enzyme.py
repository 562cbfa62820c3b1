"""Enzyme (PyPI: enzyme-ad, jax): the same C text, compiled as C++ by the clang in the package and differentiated by its LLVM pass.

The package hands the tape from the forward to the reverse call through a buffer of XLA, so forward and reverse are two functions; that and some 20 µs for each
call are part of what is measured. LLVM's code generation is that of the package, for the machine's own processor where clang says what it is."""

import os
import re
import subprocess

os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false"
import jax
import jax.numpy as jnp
from enzyme_ad.jax import cpp_call

import kernels

jax.config.update("jax_enable_x64", True)

# System headers need a C library of the package's clang: prototypes are enough.
HEAD = """
typedef unsigned long size_t;
extern "C" {
double exp(double); double log(double); double sqrt(double); double sin(double); double cos(double); double tanh(double); double erfc(double);
double pow(double, double); double fabs(double); double log1p(double); double fmin(double, double);
void *malloc(size_t); void free(void *); void *memcpy(void *, const void *, size_t); void *memset(void *, int, size_t);
}
#define INFINITY __builtin_inf()
#define NULL 0
/* C converts what malloc returns. */
struct any_pointer { void *p; template <class T> operator T *() const { return (T *)p; } };
static inline any_pointer any_malloc(size_t n) { any_pointer a = {malloc(n)}; return a; }
#define malloc(n) any_malloc(n)
"""


def processor():
    """The flags with which clang would compile for this machine."""
    for compiler in ("clang-19", "clang"):
        try:
            words = subprocess.run([compiler, "-march=native", "-###", "-c", "-xc", "/dev/null"], capture_output=True, text=True).stderr
        except OSError:
            continue
        found = re.search(r'"-target-cpu" "([^"]*)"', words)
        if found:
            return ("-target-cpu", found.group(1))
    return ()


def run(name, size, inputs):
    work, call = kernels.CALLS[name]
    parameters = ", ".join(f"const enzyme::tensor<double, {len(x)}> &a{k}" for k, x in enumerate(inputs.arrays))
    call = call.format(*[f"((const double *)&a{k}[0])" for k in range(len(inputs.arrays))], size=size, work="work")
    room = eval(str(work), {"size": size})
    body = f"    out() = {call};\n"
    if room:
        body = f"    double *work = malloc({room} * sizeof(double));\n{body}    free(work);\n"
    text = HEAD + kernels.source(name) + f"\nvoid peer_entry(enzyme::tensor<double> &out, {parameters})\n{{\n{body}}}\n"
    arrays = [jnp.asarray(x) for x in inputs.arrays]

    def function(*arguments):
        shapes = [jax.core.ShapedArray([], jnp.float64)]
        return cpp_call(*arguments, out_shapes=shapes, source=text, fn="peer_entry", argv=("-O3",) + processor())[0]

    primal = jax.jit(function)
    gradient = jax.jit(jax.grad(function, argnums=tuple(inputs.active)))
    error = inputs.error(float(primal(*arrays)), gradient(*arrays))
    kernels.report(
        kernels.median_time(lambda: jax.block_until_ready(primal(*arrays))),
        kernels.median_time(lambda: jax.block_until_ready(gradient(*arrays))),
        error,
    )


kernels.main(kernels.CALLS, run)
