#include "said.h"
#include <math.h>

__attribute__((enzyme_function_like("log1p"))) static double mine(double x);
INACTIVE static double table[2] = {1.0, 2.0};
double gain = 3.0;

static double wave(double v) { return sin(v); }
struct model model_of_other_file(double k) { struct model m = {k, wave}; return m; }
double with_noise(double x) { return x * x + noise(x) * x; }
static double scaled(double x, INACTIVE double by) { return x * by; }
double with_gain(double x) { return scaled(x, gain + 0 * x); }
static double mine(double x) { return x > 0 ? floor(x) + 1 : 0; }
double with_table(double x) { table[0] = x * x; return mine(x) + x * table[1] / 2 + table[0] * 0; }
