"""What the peers share: how each benchmark is called, its C text, the numbers that Adjoin's run wrote, and how times and results are reported."""

import pathlib
import re
import struct
import sys
import time

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent / "ad"

# For each benchmark: numbers of work space, and the call. `{0}` is the first array that its `setup` makes, `{size}` the size, `{work}` the work space.
CALLS = {
    "gmm": (0, "mixture(10, 25, {size}, {0}, {1}, {2}, {3}, 1.0, 0)"),
    "gmm_large": (0, "mixture(32, 50, {size}, {0}, {1}, {2}, {3}, 1.0, 0)"),
    "lstm": (0, "loss({size}, 1000, 14, {0}, {1}, {2}, {3})"),
    "lstm_4": (0, "loss({size}, 1000, 14, {0}, {1}, {2}, {3})"),
    "matmul": ("size * size", "product({0}, {1}, {work}, {size})"),
    "heat2d": (0, "heated({0}, *{1}, {size})"),
    "wave3d": (0, "waved({0}, {1}, {size})"),
    "black_scholes": (0, "portfolio({0}, {3}, {1}, {4}, *{2}, {size})"),
    "cholesky": ("size * size", "log_determinant({0}, {work}, {size})"),
    "conv2d": ("size * size", "convolved({0}, {1}, {work}, {size})"),
    "normalise": ("size", "normalised({0}, {work}, {size})"),
    "runge_kutta": (0, "integrated({0}, {1}, {size})"),
    "nbody": (0, "potential((const struct body *){0}, {size})"),
    "kmeans": (0, "cost({size}, 16, 8, {0}, {1})"),
    "kalman": (0, "filtered({0}, {1}, {2}, {3}, {size})"),
    "burgers": (0, "distance({0}, {1}, 0.002, {size})"),
    "tridiagonal": (0, "diffused({size}, {0}, {1})"),
    "lu_solve": (0, "solved({size}, {0}, {1})"),
    "attention": (0, "attend({size}, {0}, {1}, {2}, {3}, {4})"),
    "batch_norm": (0, "loss({size}, {0}, {1}, {2}, {3})"),
    "lorenz": (0, "mean_height({0}, {1}, {size})"),
    "epidemic": (0, "misfit({0}, {1}, {2}, {size})"),
    "shallow_water": (0, "distance({0}, {1}, {size})"),
}


def source(name):
    """The C text of a benchmark's function, without what drives it."""
    text = (ROOT / (name + ".c")).read_text()
    included = re.search(r'#include "(\w+)\.c"', text)
    if included:
        text = text.replace(included.group(0), source(included.group(1)))
    text = text.split("static struct array")[0]
    return re.sub(r"#include.*", "", text)


class Inputs:
    """The value, the arrays and the adjoints that Adjoin's run wrote."""

    def __init__(self, path):
        data = pathlib.Path(path).read_bytes()
        self.value, count = struct.unpack_from("<dq", data)
        at = 16
        self.arrays, self.adjoints = [], []

        def numbers(n):
            nonlocal at
            at += 8 * n
            return np.frombuffer(data, dtype=np.float64, count=n, offset=at - 8 * n).copy()

        for _ in range(count):
            length, active = struct.unpack_from("<qq", data, at)
            at += 16
            self.arrays.append(numbers(length))
            self.adjoints.append(numbers(length) if active else None)

    @property
    def active(self):
        return [k for k, bar in enumerate(self.adjoints) if bar is not None]

    def error(self, value, gradients):
        """The largest difference to Adjoin's value and gradient, relative to the largest number of each."""
        worst = abs(value - self.value) / (abs(self.value) + 1e-300)
        for k, theirs in zip(self.active, gradients):
            ours = self.adjoints[k]
            theirs = np.asarray(theirs).ravel()
            scale = np.max(np.abs(ours)) if len(ours) else 0.0
            worst = max(worst, float(np.max(np.abs(theirs - ours), initial=0.0)) / (scale + 1e-300))
        return worst


def median_time(call, least=0.4, most=100):
    """The median time of the processor of a call, after one to warm up."""
    call()
    times = []
    begin = time.process_time()
    while len(times) < most and (len(times) < 5 or time.process_time() - begin < least):
        start = time.process_time()
        call()
        times.append(time.process_time() - start)
    return float(np.median(times))


def report(primal, gradient, error):
    print(f"primal {primal:.9f}\ngradient {gradient:.9f}\nerror {error:.3g}")


def main(names, run):
    """`PEER.py --list` names what the peer can do; `PEER.py NAME SIZE FILE` measures one."""
    if sys.argv[1:] == ["--list"]:
        print("\n".join(names))
    else:
        name, size, path = sys.argv[1:4]
        run(name, int(size), Inputs(path))
