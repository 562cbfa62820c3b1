// flags: -lm
// A small state-vector simulator: Hadamard, phase, controlled-not, QFT.
#include "../check.h"
#include <complex.h>
#include <math.h>
#include <string.h>

#define QUBITS 4
#define SIZE (1 << QUBITS)
typedef double complex amplitude;

static void gate(amplitude *s, int q, const amplitude u[2][2])
{
    for (int i = 0; i < SIZE; i++)
        if (!(i >> q & 1)) {
            int j = i | 1 << q;
            amplitude a = s[i], b = s[j];
            s[i] = u[0][0] * a + u[0][1] * b;
            s[j] = u[1][0] * a + u[1][1] * b;
        }
}
static void controlled_phase(amplitude *s, int a, int b, double angle)
{
    amplitude w = cexp(I * angle);
    for (int i = 0; i < SIZE; i++)
        if (i >> a & i >> b & 1)
            s[i] *= w;
}
static void controlled_not(amplitude *s, int c, int t)
{
    for (int i = 0; i < SIZE; i++)
        if ((i >> c & 1) && !(i >> t & 1)) {
            amplitude x = s[i];
            s[i] = s[i | 1 << t];
            s[i | 1 << t] = x;
        }
}
static double norm(const amplitude *s)
{
    double n = 0;
    for (int i = 0; i < SIZE; i++)
        n += creal(s[i]) * creal(s[i]) + cimag(s[i]) * cimag(s[i]);
    return n;
}

int main(void)
{
    const double h = sqrt(0.5);
    const amplitude hadamard[2][2] = {{h, h}, {h, -h}}, y[2][2] = {{0, -I}, {I, 0}};
    amplitude s[SIZE] = {[0] = 1};
    gate(s, 0, hadamard);
    for (int q = 1; q < QUBITS; q++)
        controlled_not(s, 0, q);
    CHECK_NEAR(creal(s[SIZE - 1]), h, 1e-15);
    CHECK_NEAR(norm(s), 1, 1e-14);
    memset(s, 0, sizeof s);
    s[5] = 1;
    for (int q = QUBITS - 1; q >= 0; q--) {
        gate(s, q, hadamard);
        for (int k = q - 1; k >= 0; k--)
            controlled_phase(s, q, k, M_PI / (1 << (q - k)));
    }
    gate(s, 2, y);
    CHECK_NEAR(norm(s), 1, 1e-14);
    for (int i = 0; i < SIZE; i += 3)
        printf("%.8f %.8f\n", creal(s[i]) + 0.0, cimag(s[i]) + 0.0);
    return check_done();
}
