// The processor's own vectors (<immintrin.h>): comparisons and masks, lanes chosen by numbers, conversions, lanes from memory.
#include <math.h>
#include <stdio.h>
#ifdef __x86_64__
#include <immintrin.h>
#define LANES __attribute__((target("avx2,fma")))

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

enum { N = 8 };

LANES static double sum(__m256d v)
{
    __m128d half = _mm_add_pd(_mm256_castpd256_pd128(v), _mm256_extractf128_pd(v, 1));
    return _mm_cvtsd_f64(_mm_add_sd(half, _mm_unpackhi_pd(half, half)));
}

LANES static double masks(const double *x)
{
    __m256d a = _mm256_loadu_pd(x), b = _mm256_loadu_pd(x + 4), one = _mm256_set1_pd(1.0);
    __m256d large = _mm256_cmp_pd(a, one, _CMP_GT_OQ);
    __m256d chosen = _mm256_blendv_pd(_mm256_mul_pd(a, b), _mm256_fmaddsub_pd(a, a, b), large);
    __m256d never = _mm256_cmp_pd(a, b, _CMP_UNORD_Q);
    int bits = _mm256_movemask_pd(large) + 16 * _mm256_movemask_pd(never);
    __m256d whole = _mm256_sub_pd(_mm256_floor_pd(b), _mm256_round_pd(a, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC));
    return sum(chosen) * (1.0 + bits) + sum(_mm256_mul_pd(whole, a));
}

LANES static double moved(const double *x)
{
    __m256d a = _mm256_loadu_pd(x), b = _mm256_loadu_pd(x + 4);
    __m256d s = _mm256_mul_pd(a, _mm256_permute_pd(b, 5));
    s = _mm256_add_pd(s, _mm256_mul_pd(b, _mm256_permute2f128_pd(a, b, 0x83)));
    s = _mm256_mul_pd(s, _mm256_permute4x64_pd(a, 0x1b));
    s = _mm256_blend_pd(s, _mm256_mul_pd(s, b), 6);
    s = _mm256_addsub_pd(s, _mm256_shuffle_pd(a, b, 9));
    s = _mm256_insertf128_pd(_mm256_mul_pd(s, _mm256_movedup_pd(s)), _mm_loadu_pd(x + 1), 1);
    s = _mm256_mul_pd(s, _mm256_broadcast_sd(x + 2));
    double r[4];
    _mm256_storeu_pd(r, s);
    return r[0] + 2.0 * r[1] + 3.0 * r[2] + 4.0 * r[3];
}

LANES static double single(const double *x)
{
    __m128d a = _mm_loadl_pd(_mm_setzero_pd(), x), b = _mm_loadu_pd(x + 2);
    a = _mm_loadh_pd(a, x + 1);
    a = _mm_mul_pd(a, _mm_shuffle_pd(a, b, 1));
    if (_mm_comigt_sd(a, _mm_set_sd(0.1)))
        a = _mm_sqrt_sd(a, _mm_mul_sd(a, b));
    a = _mm_max_sd(a, b);
    __m256d wide = _mm256_cvtepi32_pd(_mm_set_epi32(4, 3, 2, 1));
    wide = _mm256_mul_pd(wide, _mm256_cvtps_pd(_mm_set1_ps(1.5f)));
    return sum(_mm256_mul_pd(wide, _mm256_set_m128d(a, _mm_move_sd(b, a))));
}

static int check(const char *name, double (*f)(const double *), const double *bar, double dot)
{
    double x[N], sum = 0;
    int bad = 0;
    for (int i = 0; i < N; i++)
        x[i] = 0.8 + 0.07 * i * i;
    for (int i = 0; i < N; i++) {
        double at = x[i], h = 1e-6, up, down;
        x[i] = at + h, up = f(x), x[i] = at - h, down = f(x), x[i] = at;
        sum += bar[i] * (i + 1);
        if (!(fabs(bar[i] - (up - down) / (2 * h)) < 1e-6 * (1 + fabs(bar[i])))) {
            printf("%s: d/dx[%d] is %.10g, not %.10g\n", name, i, bar[i], (up - down) / (2 * h));
            bad = 1;
        }
    }
    if (!(fabs(sum - dot) < 1e-9 * (1 + fabs(sum)))) {
        printf("%s: the tangent is %.10g, not %.10g\n", name, dot, sum);
        bad = 1;
    }
    return bad;
}
#define CHECK(F) \
    do { \
        double x[N], d[N], bar[N] = {0}; \
        for (int i = 0; i < N; i++) \
            x[i] = 0.8 + 0.07 * i * i, d[i] = i + 1; \
        __enzyme_autodiff((void *)F, x, bar); \
        bad |= check(#F, F, bar, __enzyme_fwddiff((void *)F, x, d)); \
    } while (0)

int main(void)
{
    int bad = 0;
    if (!__builtin_cpu_supports("avx2"))
        return 0;
    CHECK(masks);
    CHECK(moved);
    CHECK(single);
    return bad;
}
#else
int main(void) { return 0; }
#endif
