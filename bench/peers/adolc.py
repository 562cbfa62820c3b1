"""ADOL-C (Debian: libadolc-dev): the same C text as C++ with `adouble` for `double`.

The tape is made once and evaluated many times, which is what the tool is fastest at, and is right only while no branch changes; making it takes several times
as long. The primal is the C text with plain numbers, compiled by the same compiler."""

import pathlib
import subprocess
import tempfile

import kernels

# Those whose functions ADOL-C has (it has no `erfc`), and whose text is C++ as well.
NAMES = ["gmm", "lstm", "lstm_4", "heat2d", "wave3d", "runge_kutta", "matmul", "cholesky", "tridiagonal", "nbody", "kalman", "normalise"]

TEXT = """
#include <adolc/adolc.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <algorithm>
#include <vector>
static double seconds() {{ timespec t; clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t); return t.tv_sec + 1e-9 * t.tv_nsec; }}
template <class F> static double median(F f)
{{
    std::vector<double> times;
    double begin = seconds();
    f();
    while (times.size() < 100 && (times.size() < 5 || seconds() - begin < 0.4)) {{ double t = seconds(); f(); times.push_back(seconds() - t); }}
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}}
namespace plain {{
struct memory {{ void *p; template <class T> operator T *() const {{ return (T *)p; }} }};
static inline memory take(size_t n) {{ return memory{{std::malloc(n)}}; }}
#define malloc(n) take(n)
{source}
#undef malloc
}}
namespace taped {{
struct memory {{ size_t n; operator adouble *() const {{ return new adouble[n / sizeof(adouble)]; }} }};
static inline memory take(size_t n) {{ return memory{{n}}; }}
static inline void free(adouble *p) {{ delete[] p; }}
#define malloc(n) take(n)
#define double adouble
{source}
#undef double
#undef malloc
}}
int main(int, char **arguments)
{{
    std::vector<double> in({total}), out({total});
    FILE *file = std::fopen(arguments[1], "rb");
    if (!file || std::fread(in.data(), sizeof(double), in.size(), file) != in.size()) return 1;
    std::fclose(file);
    std::vector<double> work({room} + 1);
    double value = 0;
    auto primal = [&] {{ const double *x = in.data(); (void)x; value = plain::{plain}; }};
    double primal_time = median(primal);
    {{
        /* Only what is differentiated by is independent. */
        std::vector<adouble> a({total}), work({room} + 1);
        trace_on(1);
        adouble *x = a.data();
        {independents}
        adouble y = taped::{taped};
        double result;
        y >>= result;
        trace_off();
    }}
    std::vector<double> point, bar;
    {points}
    bar.resize(point.size());
    double gradient_time = median([&] {{ ::gradient(1, (int)point.size(), point.data(), bar.data()); }});
    file = std::fopen(arguments[1], "wb");
    std::fwrite(&value, sizeof value, 1, file);
    std::fwrite(bar.data(), sizeof(double), bar.size(), file);
    std::fclose(file);
    std::printf("%.9f %.9f\\n", primal_time, gradient_time);
}}
"""


def run(name, size, inputs):
    import numpy as np

    work, call = kernels.CALLS[name]
    starts = np.concatenate([[0], np.cumsum([len(x) for x in inputs.arrays])]).astype(int)
    arguments = [f"(x + {start})" for start in starts[:-1]]
    expression = call.format(*arguments, size=size, work="work.data()")
    independents, points = [], []
    for k, x in enumerate(inputs.arrays):
        first, last = starts[k], starts[k + 1]
        active = inputs.adjoints[k] is not None
        independents.append(f"for (int i = {first}; i < {last}; i++) x[i] {'<<=' if active else '='} in[i];")
        if active:
            points.append(f"point.insert(point.end(), in.begin() + {first}, in.begin() + {last});")
    # Structures and constants of the text are made twice, in two namespaces: its macros and enumerators do no harm.
    text = TEXT.format(
        source=kernels.source(name),
        total=starts[-1],
        room=eval(str(work), {"size": size}),
        plain=expression,
        taped=expression.replace("const struct body", "const struct taped::body"),
        independents="\n        ".join(independents),
        points="\n    ".join(points),
    ).replace("plain::potential((const struct body", "plain::potential((const struct plain::body")
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "peer.cpp").write_text(text)
        subprocess.run(
            ["g++", "-O3", "-march=native", "-w", "-fpermissive", "-std=c++17", str(folder / "peer.cpp"), "-o", str(folder / "peer"), "-ladolc"], check=True
        )
        np.concatenate(inputs.arrays).tofile(folder / "numbers")
        words = subprocess.run([str(folder / "peer"), str(folder / "numbers")], check=True, capture_output=True, text=True, cwd=folder).stdout.split()
        result = np.fromfile(folder / "numbers")
    gradients, at = [], 1
    for k in inputs.active:
        gradients.append(result[at : at + len(inputs.arrays[k])])
        at += len(inputs.arrays[k])
    kernels.report(float(words[0]), float(words[1]), inputs.error(result[0], gradients))


if __name__ == "__main__":
    if not pathlib.Path("/usr/include/adolc/adolc.h").exists():
        raise SystemExit("libadolc-dev is not installed")
    kernels.main(NAMES, run)
