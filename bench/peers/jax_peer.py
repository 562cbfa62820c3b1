"""JAX (PyPI: jax): the same functions, written for arrays as its users write them, double precision, compiled, one thread.

Not the same program: XLA fuses and vectorises what is written for arrays, and time loops are `lax.scan`."""

import os

os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false"
os.environ["JAX_PLATFORMS"] = "cpu"
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.scipy.special import erfc, logsumexp

import kernels

jax.config.update("jax_enable_x64", True)


def mixture(d, k):
    def f(size, alphas, means, icf, points):
        icf, means, points = icf.reshape(k, -1), means.reshape(k, d), points.reshape(size, d)
        logs, lower = icf[:, :d], icf[:, d:]
        sums, diagonal = logs.sum(1), jnp.exp(logs)
        # The strict lower triangle, by columns.
        rows, columns = np.array([(j, i) for i in range(d) for j in range(i + 1, d)]).T
        factor = jnp.zeros((k, d, d)).at[:, rows, columns].set(lower) + jax.vmap(jnp.diag)(diagonal)
        centered = points[:, None, :] - means[None]
        norms = (jnp.einsum("kij,nkj->nki", factor, centered) ** 2).sum(-1)
        total = logsumexp(alphas + sums - 0.5 * norms, axis=1).sum()
        return total + 0.5 * ((diagonal**2).sum() + (lower**2).sum()) - size * logsumexp(alphas)

    return f


def lstm(layers, main, extra, start, sequence):
    b = 14
    w, w2 = main.reshape(layers, 2, 4, b), extra.reshape(3, b)
    sequence = sequence.reshape(1000, b)

    def step(state, pair):
        now, following = pair
        x = now * w2[0]
        new = []
        for l in range(layers):
            hidden, cell = state[l]
            weight, bias = w[l]
            forget = jax.nn.sigmoid(x * weight[0] + bias[0])
            into = jax.nn.sigmoid(hidden * weight[1] + bias[1])
            out = jax.nn.sigmoid(x * weight[2] + bias[2])
            change = jnp.tanh(hidden * weight[3] + bias[3])
            cell = cell * forget + into * change
            x = out * jnp.tanh(cell)
            new.append((x, cell))
        y = x * w2[1] + w2[2]
        return new, (following * (y - jnp.log(2 + jnp.exp(y).sum()))).sum()

    start = start.reshape(layers, 2, b)
    _, terms = lax.scan(step, [(start[l, 0], start[l, 1]) for l in range(layers)], (sequence[:-1], sequence[1:]))
    return -terms.sum() / (999 * b)


def heat(steps, start, conductivity):
    def step(u, _):
        inner = u[1:-1, 1:-1]
        flow = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - 4 * inner
        return u.at[1:-1, 1:-1].set(inner + conductivity[0] * (1 + 0.1 * inner) * flow), None

    u, _ = lax.scan(step, start.reshape(64, 64), length=steps)
    return (u * u).sum()


def options(_, spot, volatility, rate, strike, time):
    spread = volatility * jnp.sqrt(time)
    d1 = (jnp.log(spot / strike) + (rate[0] + 0.5 * volatility**2) * time) / spread
    normal = lambda x: 0.5 * erfc(-x * 0.70710678118654752440)
    return (spot * normal(d1) - strike * jnp.exp(-rate[0] * time) * normal(d1 - spread)).sum()


def potential(n, bodies):
    bodies = bodies.reshape(n, 4)
    first, second = np.triu_indices(n, 1)
    delta = bodies[first, :3] - bodies[second, :3]
    return -(bodies[first, 3] * bodies[second, 3] / jnp.sqrt((delta**2).sum(1) + 0.01)).sum()


def cost(n, points, centres):
    points, centres = points.reshape(n, 8), centres.reshape(16, 8)
    return ((points[:, None] - centres[None]) ** 2).sum(-1).min(1).sum()


def burgers(steps, start, wanted):
    n = 500
    dx = 1.0 / n
    dt = 0.2 * dx

    def step(u, _):
        left, right = jnp.roll(u, 1), jnp.roll(u, -1)
        slope = jnp.where(u > 0, u - left, right - u)
        return u - dt * u * slope / dx + dt * 0.002 * (left - 2 * u + right) / (dx * dx), None

    u, _ = lax.scan(step, start, length=steps)
    return ((u - wanted) ** 2).sum() * dx


def norm(n, x, scale, shift, target):
    x, target = x.reshape(n, 64), target.reshape(n, 64)
    mean = x.mean(0)
    variance = ((x - mean) ** 2).mean(0)
    return ((scale * (x - mean) / jnp.sqrt(variance + 1e-5) + shift - target) ** 2).sum() / n


def attend(n, x, wq, wk, wv, target):
    x, target = x.reshape(n, 32), target.reshape(n, 32)
    q, k, v = (x @ w.reshape(32, 32) for w in (wq, wk, wv))
    scores = jnp.where(np.tril(np.ones((n, n), bool)), q @ k.T / np.sqrt(32), -jnp.inf)
    return ((jax.nn.softmax(scores, axis=1) @ v - target) ** 2).sum() / n


FUNCTIONS = {
    "gmm": mixture(10, 25),
    "gmm_large": mixture(32, 50),
    "lstm": lstm,
    "lstm_4": lstm,
    "heat2d": heat,
    "black_scholes": options,
    "nbody": potential,
    "kmeans": cost,
    "burgers": burgers,
    "batch_norm": norm,
    "attention": attend,
}


def run(name, size, inputs):
    arrays = [jnp.asarray(x) for x in inputs.arrays]
    primal = jax.jit(lambda *a: FUNCTIONS[name](size, *a))
    gradient = jax.jit(jax.value_and_grad(primal, argnums=tuple(inputs.active)))
    value, gradients = gradient(*arrays)
    kernels.report(
        kernels.median_time(lambda: jax.block_until_ready(primal(*arrays))),
        kernels.median_time(lambda: jax.block_until_ready(gradient(*arrays))),
        inputs.error(float(value), gradients),
    )


kernels.main(FUNCTIONS, run)
