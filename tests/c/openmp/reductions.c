// flags: -fopenmp
// Reductions with every operator, on exact integers and exact doubles.
#include "../check.h"
#include <limits.h>

#define N 1000

int main(void)
{
    int v[N];
    for (int i = 0; i < N; i++)
        v[i] = (i * 7919) % 1009 - 500;
    long sum = 100;
    unsigned product = 3;
    int low = INT_MAX, high = INT_MIN, all = 1, any = 0;
    unsigned and_bits = ~0u, or_bits = 0, xor_bits = 5;
    double dsum = 0.5;
    int minus = 1000;
#pragma omp parallel for reduction(+ : sum) reduction(* : product) reduction(min : low) reduction(max : high)
    for (int i = 0; i < N; i++) {
        sum += v[i];
        product *= (unsigned)(v[i] | 1);
        if (v[i] < low)
            low = v[i];
        high = v[i] > high ? v[i] : high;
    }
#pragma omp parallel for reduction(&& : all) reduction(|| : any) reduction(& : and_bits) reduction(| : or_bits) reduction(^ : xor_bits)
    for (int i = 0; i < N; i++) {
        all = all && v[i] > -501;
        any = any || v[i] == 17;
        and_bits &= (unsigned)v[i] | 0xff;
        or_bits |= 1u << (i % 20);
        xor_bits ^= (unsigned)v[i] * 31u;
    }
#pragma omp parallel for reduction(+ : dsum) reduction(- : minus)
    for (int i = 0; i < N; i++) {
        dsum += v[i] * 0.25;
        minus -= i % 3;
    }
    long expected = 100;
    unsigned expected_product = 3, expected_xor = 5;
    for (int i = 0; i < N; i++) {
        expected += v[i];
        expected_product *= (unsigned)(v[i] | 1);
        expected_xor ^= (unsigned)v[i] * 31u;
    }
    CHECK(sum == expected && product == expected_product && xor_bits == expected_xor);
    CHECK(all == 1 && any == 1 && or_bits == 0xfffff && (and_bits & 0xff) == 0xff);
    CHECK(dsum == 0.5 + (expected - 100) * 0.25 && minus == 1 && low == -500 && high == 508);
    printf("%ld %u %d %d %u %.17g\n", sum, product, low, high, xor_bits, dsum);
    return check_done();
}
