# 0 "tests/ad/mathlib.c"
# 0 "<built-in>"
# 0 "<command-line>"
# 1 "/usr/include/stdc-predef.h" 1 3 4
# 0 "<command-line>" 2
# 1 "tests/ad/mathlib.c"



# 1 "tests/ad/check.h" 1

# 1 "/usr/include/math.h" 1 3 4
# 27 "/usr/include/math.h" 3 4
# 1 "/usr/include/x86_64-linux-gnu/bits/libc-header-start.h" 1 3 4
# 33 "/usr/include/x86_64-linux-gnu/bits/libc-header-start.h" 3 4
# 1 "/usr/include/features.h" 1 3 4
# 392 "/usr/include/features.h" 3 4
# 1 "/usr/include/features-time64.h" 1 3 4
# 20 "/usr/include/features-time64.h" 3 4
# 1 "/usr/include/x86_64-linux-gnu/bits/wordsize.h" 1 3 4
# 21 "/usr/include/features-time64.h" 2 3 4
# 1 "/usr/include/x86_64-linux-gnu/bits/timesize.h" 1 3 4
# 19 "/usr/include/x86_64-linux-gnu/bits/timesize.h" 3 4
# 1 "/usr/include/x86_64-linux-gnu/bits/wordsize.h" 1 3 4
# 20 "/usr/include/x86_64-linux-gnu/bits/timesize.h" 2 3 4
# 22 "/usr/include/features-time64.h" 2 3 4
# 393 "/usr/include/features.h" 2 3 4
# 489 "/usr/include/features.h" 3 4
# 1 "/usr/include/x86_64-linux-gnu/sys/cdefs.h" 1 3 4
# 561 "/usr/include/x86_64-linux-gnu/sys/cdefs.h" 3 4
# 1 "/usr/include/x86_64-linux-gnu/bits/wordsize.h" 1 3 4
# 562 "/usr/include/x86_64-linux-gnu/sys/cdefs.h" 2 3 4
# 1 "/usr/include/x86_64-linux-gnu/bits/long-double.h" 1 3 4
# 563 "/usr/include/x86_64-linux-gnu/sys/cdefs.h" 2 3 4
# 490 "/usr/include/features.h" 2 3 4
# 513 "/usr/include/features.h" 3 4
# 1 "/usr/include/x86_64-linux-gnu/gnu/stubs.h" 1 3 4
# 10 "/usr/include/x86_64-linux-gnu/gnu/stubs.h" 3 4
# 1 "/usr/include/x86_64-linux-gnu/gnu/stubs-64.h" 1 3 4
# 11 "/usr/include/x86_64-linux-gnu/gnu/stubs.h" 2 3 4
# 514 "/usr/include/features.h" 2 3 4
# 34 "/usr/include/x86_64-linux-gnu/bits/libc-header-start.h" 2 3 4
# 28 "/usr/include/math.h" 2 3 4









# 1 "/usr/include/x86_64-linux-gnu/bits/types.h" 1 3 4
# 27 "/usr/include/x86_64-linux-gnu/bits/types.h" 3 4
# 1 "/usr/include/x86_64-linux-gnu/bits/wordsize.h" 1 3 4
# 28 "/usr/include/x86_64-linux-gnu/bits/types.h" 2 3 4
# 1 "/usr/include/x86_64-linux-gnu/bits/timesize.h" 1 3 4
# 19 "/usr/include/x86_64-linux-gnu/bits/timesize.h" 3 4
# 1 "/usr/include/x86_64-linux-gnu/bits/wordsize.h" 1 3 4
# 20 "/usr/include/x86_64-linux-gnu/bits/timesize.h" 2 3 4
# 29 "/usr/include/x86_64-linux-gnu/bits/types.h" 2 3 4



# 31 "/usr/include/x86_64-linux-gnu/bits/types.h" 3 4
typedef unsigned char __u_char;
typedef unsigned short int __u_short;
typedef unsigned int __u_int;
typedef unsigned long int __u_long;


typedef signed char __int8_t;
typedef unsigned char __uint8_t;
typedef signed short int __int16_t;
typedef unsigned short int __uint16_t;
typedef signed int __int32_t;
typedef unsigned int __uint32_t;

typedef signed long int __int64_t;
typedef unsigned long int __uint64_t;






typedef __int8_t __int_least8_t;
typedef __uint8_t __uint_least8_t;
typedef __int16_t __int_least16_t;
typedef __uint16_t __uint_least16_t;
typedef __int32_t __int_least32_t;
typedef __uint32_t __uint_least32_t;
typedef __int64_t __int_least64_t;
typedef __uint64_t __uint_least64_t;



typedef long int __quad_t;
typedef unsigned long int __u_quad_t;







typedef long int __intmax_t;
typedef unsigned long int __uintmax_t;
# 141 "/usr/include/x86_64-linux-gnu/bits/types.h" 3 4
# 1 "/usr/include/x86_64-linux-gnu/bits/typesizes.h" 1 3 4
# 142 "/usr/include/x86_64-linux-gnu/bits/types.h" 2 3 4
# 1 "/usr/include/x86_64-linux-gnu/bits/time64.h" 1 3 4
# 143 "/usr/include/x86_64-linux-gnu/bits/types.h" 2 3 4


typedef unsigned long int __dev_t;
typedef unsigned int __uid_t;
typedef unsigned int __gid_t;
typedef unsigned long int __ino_t;
typedef unsigned long int __ino64_t;
typedef unsigned int __mode_t;
typedef unsigned long int __nlink_t;
typedef long int __off_t;
typedef long int __off64_t;
typedef int __pid_t;
typedef struct { int __val[2]; } __fsid_t;
typedef long int __clock_t;
typedef unsigned long int __rlim_t;
typedef unsigned long int __rlim64_t;
typedef unsigned int __id_t;
typedef long int __time_t;
typedef unsigned int __useconds_t;
typedef long int __suseconds_t;
typedef long int __suseconds64_t;

typedef int __daddr_t;
typedef int __key_t;


typedef int __clockid_t;


typedef void * __timer_t;


typedef long int __blksize_t;




typedef long int __blkcnt_t;
typedef long int __blkcnt64_t;


typedef unsigned long int __fsblkcnt_t;
typedef unsigned long int __fsblkcnt64_t;


typedef unsigned long int __fsfilcnt_t;
typedef unsigned long int __fsfilcnt64_t;


typedef long int __fsword_t;

typedef long int __ssize_t;


typedef long int __syscall_slong_t;

typedef unsigned long int __syscall_ulong_t;



typedef __off64_t __loff_t;
typedef char *__caddr_t;


typedef long int __intptr_t;


typedef unsigned int __socklen_t;




typedef int __sig_atomic_t;
# 38 "/usr/include/math.h" 2 3 4


# 1 "/usr/include/x86_64-linux-gnu/bits/math-vector.h" 1 3 4
# 25 "/usr/include/x86_64-linux-gnu/bits/math-vector.h" 3 4
# 1 "/usr/include/x86_64-linux-gnu/bits/libm-simd-decl-stubs.h" 1 3 4
# 26 "/usr/include/x86_64-linux-gnu/bits/math-vector.h" 2 3 4
# 41 "/usr/include/math.h" 2 3 4


# 1 "/usr/include/x86_64-linux-gnu/bits/floatn.h" 1 3 4
# 120 "/usr/include/x86_64-linux-gnu/bits/floatn.h" 3 4
# 1 "/usr/include/x86_64-linux-gnu/bits/floatn-common.h" 1 3 4
# 24 "/usr/include/x86_64-linux-gnu/bits/floatn-common.h" 3 4
# 1 "/usr/include/x86_64-linux-gnu/bits/long-double.h" 1 3 4
# 25 "/usr/include/x86_64-linux-gnu/bits/floatn-common.h" 2 3 4
# 121 "/usr/include/x86_64-linux-gnu/bits/floatn.h" 2 3 4
# 44 "/usr/include/math.h" 2 3 4
# 152 "/usr/include/math.h" 3 4
# 1 "/usr/include/x86_64-linux-gnu/bits/flt-eval-method.h" 1 3 4
# 153 "/usr/include/math.h" 2 3 4
# 163 "/usr/include/math.h" 3 4
typedef float float_t;
typedef double double_t;
# 204 "/usr/include/math.h" 3 4
# 1 "/usr/include/x86_64-linux-gnu/bits/fp-logb.h" 1 3 4
# 205 "/usr/include/math.h" 2 3 4
# 247 "/usr/include/math.h" 3 4
# 1 "/usr/include/x86_64-linux-gnu/bits/fp-fast.h" 1 3 4
# 248 "/usr/include/math.h" 2 3 4



enum
  {
    FP_INT_UPWARD =

      0,
    FP_INT_DOWNWARD =

      1,
    FP_INT_TOWARDZERO =

      2,
    FP_INT_TONEARESTFROMZERO =

      3,
    FP_INT_TONEAREST =

      4,
  };
# 312 "/usr/include/math.h" 3 4
# 1 "/usr/include/x86_64-linux-gnu/bits/mathcalls-helper-functions.h" 1 3 4
# 20 "/usr/include/x86_64-linux-gnu/bits/mathcalls-helper-functions.h" 3 4
extern int __fpclassify (double __value) __attribute__ ((__nothrow__ , __leaf__))
     __attribute__ ((__const__));


extern int __signbit (double __value) __attribute__ ((__nothrow__ , __leaf__))
     __attribute__ ((__const__));



extern int __isinf (double __value) __attribute__ ((__nothrow__ , __leaf__))
  __attribute__ ((__const__));


extern int __finite (double __value) __attribute__ ((__nothrow__ , __leaf__))
  __attribute__ ((__const__));


extern int __isnan (double __value) __attribute__ ((__nothrow__ , __leaf__))
  __attribute__ ((__const__));


extern int __iseqsig (double __x, double __y) __attribute__ ((__nothrow__ , __leaf__));


extern int __issignaling (double __value) __attribute__ ((__nothrow__ , __leaf__))
     __attribute__ ((__const__));
# 313 "/usr/include/math.h" 2 3 4
# 1 "/usr/include/x86_64-linux-gnu/bits/mathcalls.h" 1 3 4
# 53 "/usr/include/x86_64-linux-gnu/bits/mathcalls.h" 3 4
 extern double acos (double __x) __attribute__ ((__nothrow__ , __leaf__)); extern double __acos (double __x) __attribute__ ((__nothrow__ , __leaf__));

 extern double asin (double __x) __attribute__ ((__nothrow__ , __leaf__)); extern double __asin (double __x) __attribute__ ((__nothrow__ , __leaf__));

 extern double atan (double __x) __attribute__ ((__nothrow__ , __leaf__)); extern double __atan (double __x) __attribute__ ((__nothrow__ , __leaf__));

 extern double atan2 (double __y, double __x) __attribute__ ((__nothrow__ , __leaf__)); extern double __atan2 (double __y, double __x) __attribute__ ((__nothrow__ , __leaf__));


 extern double cos (double __x) __attribute__ ((__nothrow__ , __leaf__)); extern double __cos (double __x) __attribute__ ((__nothrow__ , __leaf__));

 extern double sin (double __x) __attribute__ ((__nothrow__ , __leaf__)); extern double __sin (double __x) __attribute__ ((__nothrow__ , __leaf__));

 extern double tan (double __x) __attribute__ ((__nothrow__ , __leaf__)); extern double __tan (double __x) __attribute__ ((__nothrow__ , __leaf__));




 extern double cosh (double __x) __attribute__ ((__nothrow__ , __leaf__)); extern double __cosh (double __x) __attribute__ ((__nothrow__ , __leaf__));

 extern double sinh (double __x) __attribute__ ((__nothrow__ , __leaf__)); extern double __sinh (double __x) __attribute__ ((__nothrow__ , __leaf__));

 extern double tanh (double __x) __attribute__ ((__nothrow__ , __leaf__)); extern double __tanh (double __x) __attribute__ ((__nothrow__ , __leaf__));



 extern void sincos (double __x, double *__sinx, double *__cosx) __attribute__ ((__nothrow__ , __leaf__)); extern void __sincos (double __x, double *__sinx, double *__cosx) __attribute__ ((__nothrow__ , __leaf__))
                                                        ;




 extern double acosh (double __x) __attribute__ ((__nothrow__ , __leaf__)); extern double __acosh (double __x) __attribute__ ((__nothrow__ , __leaf__));

 extern double asinh (double __x) __attribute__ ((__nothrow__ , __leaf__)); extern double __asinh (double __x) __attribute__ ((__nothrow__ , __leaf__));

 extern double atanh (double __x) __attribute__ ((__nothrow__ , __leaf__)); extern double __atanh (double __x) __attribute__ ((__nothrow__ , __leaf__));





 extern double exp (double __x) __attribute__ ((__nothrow__ , __leaf__)); extern double __exp (double __x) __attribute__ ((__nothrow__ , __leaf__));


extern double frexp (double __x, int *__exponent) __attribute__ ((__nothrow__ , __leaf__)); extern double __frexp (double __x, int *__exponent) __attribute__ ((__nothrow__ , __leaf__));


extern double ldexp (double __x, int __exponent) __attribute__ ((__nothrow__ , __leaf__)); extern double __ldexp (double __x, int __exponent) __attribute__ ((__nothrow__ , __leaf__));


 extern double log (double __x) __attribute__ ((__nothrow__ , __leaf__)); extern double __log (double __x) __attribute__ ((__nothrow__ , __leaf__));


 extern double log10 (double __x) __attribute__ ((__nothrow__ , __leaf__)); extern double __log10 (double __x) __attribute__ ((__nothrow__ , __leaf__));


extern double modf (double __x, double *__iptr) __attribute__ ((__nothrow__ , __leaf__)); extern double __modf (double __x, double *__iptr) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (2)));



 extern double exp10 (double __x) __attribute__ ((__nothrow__ , __leaf__)); extern double __exp10 (double __x) __attribute__ ((__nothrow__ , __leaf__));




 extern double expm1 (double __x) __attribute__ ((__nothrow__ , __leaf__)); extern double __expm1 (double __x) __attribute__ ((__nothrow__ , __leaf__));


 extern double log1p (double __x) __attribute__ ((__nothrow__ , __leaf__)); extern double __log1p (double __x) __attribute__ ((__nothrow__ , __leaf__));


extern double logb (double __x) __attribute__ ((__nothrow__ , __leaf__)); extern double __logb (double __x) __attribute__ ((__nothrow__ , __leaf__));




 extern double exp2 (double __x) __attribute__ ((__nothrow__ , __leaf__)); extern double __exp2 (double __x) __attribute__ ((__nothrow__ , __leaf__));


 extern double log2 (double __x) __attribute__ ((__nothrow__ , __leaf__)); extern double __log2 (double __x) __attribute__ ((__nothrow__ , __leaf__));






 extern double pow (double __x, double __y) __attribute__ ((__nothrow__ , __leaf__)); extern double __pow (double __x, double __y) __attribute__ ((__nothrow__ , __leaf__));


extern double sqrt (double __x) __attribute__ ((__nothrow__ , __leaf__)); extern double __sqrt (double __x) __attribute__ ((__nothrow__ , __leaf__));



 extern double hypot (double __x, double __y) __attribute__ ((__nothrow__ , __leaf__)); extern double __hypot (double __x, double __y) __attribute__ ((__nothrow__ , __leaf__));




 extern double cbrt (double __x) __attribute__ ((__nothrow__ , __leaf__)); extern double __cbrt (double __x) __attribute__ ((__nothrow__ , __leaf__));






extern double ceil (double __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern double __ceil (double __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern double fabs (double __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern double __fabs (double __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern double floor (double __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern double __floor (double __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern double fmod (double __x, double __y) __attribute__ ((__nothrow__ , __leaf__)); extern double __fmod (double __x, double __y) __attribute__ ((__nothrow__ , __leaf__));
# 177 "/usr/include/x86_64-linux-gnu/bits/mathcalls.h" 3 4
extern int isinf (double __value) __attribute__ ((__nothrow__ , __leaf__))
  __attribute__ ((__const__));




extern int finite (double __value) __attribute__ ((__nothrow__ , __leaf__))
  __attribute__ ((__const__));


extern double drem (double __x, double __y) __attribute__ ((__nothrow__ , __leaf__)); extern double __drem (double __x, double __y) __attribute__ ((__nothrow__ , __leaf__));



extern double significand (double __x) __attribute__ ((__nothrow__ , __leaf__)); extern double __significand (double __x) __attribute__ ((__nothrow__ , __leaf__));






extern double copysign (double __x, double __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern double __copysign (double __x, double __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));




extern double nan (const char *__tagb) __attribute__ ((__nothrow__ , __leaf__)); extern double __nan (const char *__tagb) __attribute__ ((__nothrow__ , __leaf__));
# 213 "/usr/include/x86_64-linux-gnu/bits/mathcalls.h" 3 4
extern int isnan (double __value) __attribute__ ((__nothrow__ , __leaf__))
  __attribute__ ((__const__));





extern double j0 (double) __attribute__ ((__nothrow__ , __leaf__)); extern double __j0 (double) __attribute__ ((__nothrow__ , __leaf__));
extern double j1 (double) __attribute__ ((__nothrow__ , __leaf__)); extern double __j1 (double) __attribute__ ((__nothrow__ , __leaf__));
extern double jn (int, double) __attribute__ ((__nothrow__ , __leaf__)); extern double __jn (int, double) __attribute__ ((__nothrow__ , __leaf__));
extern double y0 (double) __attribute__ ((__nothrow__ , __leaf__)); extern double __y0 (double) __attribute__ ((__nothrow__ , __leaf__));
extern double y1 (double) __attribute__ ((__nothrow__ , __leaf__)); extern double __y1 (double) __attribute__ ((__nothrow__ , __leaf__));
extern double yn (int, double) __attribute__ ((__nothrow__ , __leaf__)); extern double __yn (int, double) __attribute__ ((__nothrow__ , __leaf__));





 extern double erf (double) __attribute__ ((__nothrow__ , __leaf__)); extern double __erf (double) __attribute__ ((__nothrow__ , __leaf__));
 extern double erfc (double) __attribute__ ((__nothrow__ , __leaf__)); extern double __erfc (double) __attribute__ ((__nothrow__ , __leaf__));
extern double lgamma (double) __attribute__ ((__nothrow__ , __leaf__)); extern double __lgamma (double) __attribute__ ((__nothrow__ , __leaf__));




extern double tgamma (double) __attribute__ ((__nothrow__ , __leaf__)); extern double __tgamma (double) __attribute__ ((__nothrow__ , __leaf__));





extern double gamma (double) __attribute__ ((__nothrow__ , __leaf__)); extern double __gamma (double) __attribute__ ((__nothrow__ , __leaf__));







extern double lgamma_r (double, int *__signgamp) __attribute__ ((__nothrow__ , __leaf__)); extern double __lgamma_r (double, int *__signgamp) __attribute__ ((__nothrow__ , __leaf__));






extern double rint (double __x) __attribute__ ((__nothrow__ , __leaf__)); extern double __rint (double __x) __attribute__ ((__nothrow__ , __leaf__));


extern double nextafter (double __x, double __y) __attribute__ ((__nothrow__ , __leaf__)); extern double __nextafter (double __x, double __y) __attribute__ ((__nothrow__ , __leaf__));

extern double nexttoward (double __x, long double __y) __attribute__ ((__nothrow__ , __leaf__)); extern double __nexttoward (double __x, long double __y) __attribute__ ((__nothrow__ , __leaf__));




extern double nextdown (double __x) __attribute__ ((__nothrow__ , __leaf__)); extern double __nextdown (double __x) __attribute__ ((__nothrow__ , __leaf__));

extern double nextup (double __x) __attribute__ ((__nothrow__ , __leaf__)); extern double __nextup (double __x) __attribute__ ((__nothrow__ , __leaf__));



extern double remainder (double __x, double __y) __attribute__ ((__nothrow__ , __leaf__)); extern double __remainder (double __x, double __y) __attribute__ ((__nothrow__ , __leaf__));



extern double scalbn (double __x, int __n) __attribute__ ((__nothrow__ , __leaf__)); extern double __scalbn (double __x, int __n) __attribute__ ((__nothrow__ , __leaf__));



extern int ilogb (double __x) __attribute__ ((__nothrow__ , __leaf__)); extern int __ilogb (double __x) __attribute__ ((__nothrow__ , __leaf__));




extern long int llogb (double __x) __attribute__ ((__nothrow__ , __leaf__)); extern long int __llogb (double __x) __attribute__ ((__nothrow__ , __leaf__));




extern double scalbln (double __x, long int __n) __attribute__ ((__nothrow__ , __leaf__)); extern double __scalbln (double __x, long int __n) __attribute__ ((__nothrow__ , __leaf__));



extern double nearbyint (double __x) __attribute__ ((__nothrow__ , __leaf__)); extern double __nearbyint (double __x) __attribute__ ((__nothrow__ , __leaf__));



extern double round (double __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern double __round (double __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));



extern double trunc (double __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern double __trunc (double __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));




extern double remquo (double __x, double __y, int *__quo) __attribute__ ((__nothrow__ , __leaf__)); extern double __remquo (double __x, double __y, int *__quo) __attribute__ ((__nothrow__ , __leaf__));






extern long int lrint (double __x) __attribute__ ((__nothrow__ , __leaf__)); extern long int __lrint (double __x) __attribute__ ((__nothrow__ , __leaf__));
__extension__
extern long long int llrint (double __x) __attribute__ ((__nothrow__ , __leaf__)); extern long long int __llrint (double __x) __attribute__ ((__nothrow__ , __leaf__));



extern long int lround (double __x) __attribute__ ((__nothrow__ , __leaf__)); extern long int __lround (double __x) __attribute__ ((__nothrow__ , __leaf__));
__extension__
extern long long int llround (double __x) __attribute__ ((__nothrow__ , __leaf__)); extern long long int __llround (double __x) __attribute__ ((__nothrow__ , __leaf__));



extern double fdim (double __x, double __y) __attribute__ ((__nothrow__ , __leaf__)); extern double __fdim (double __x, double __y) __attribute__ ((__nothrow__ , __leaf__));



extern double fmax (double __x, double __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern double __fmax (double __x, double __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern double fmin (double __x, double __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern double __fmin (double __x, double __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));



extern double fma (double __x, double __y, double __z) __attribute__ ((__nothrow__ , __leaf__)); extern double __fma (double __x, double __y, double __z) __attribute__ ((__nothrow__ , __leaf__));




extern double roundeven (double __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern double __roundeven (double __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));



extern __intmax_t fromfp (double __x, int __round, unsigned int __width) __attribute__ ((__nothrow__ , __leaf__)); extern __intmax_t __fromfp (double __x, int __round, unsigned int __width) __attribute__ ((__nothrow__ , __leaf__))
                            ;



extern __uintmax_t ufromfp (double __x, int __round, unsigned int __width) __attribute__ ((__nothrow__ , __leaf__)); extern __uintmax_t __ufromfp (double __x, int __round, unsigned int __width) __attribute__ ((__nothrow__ , __leaf__))
                              ;




extern __intmax_t fromfpx (double __x, int __round, unsigned int __width) __attribute__ ((__nothrow__ , __leaf__)); extern __intmax_t __fromfpx (double __x, int __round, unsigned int __width) __attribute__ ((__nothrow__ , __leaf__))
                             ;




extern __uintmax_t ufromfpx (double __x, int __round, unsigned int __width) __attribute__ ((__nothrow__ , __leaf__)); extern __uintmax_t __ufromfpx (double __x, int __round, unsigned int __width) __attribute__ ((__nothrow__ , __leaf__))
                               ;


extern int canonicalize (double *__cx, const double *__x) __attribute__ ((__nothrow__ , __leaf__));






extern double fmaxmag (double __x, double __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern double __fmaxmag (double __x, double __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern double fminmag (double __x, double __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern double __fminmag (double __x, double __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));




extern double fmaximum (double __x, double __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern double __fmaximum (double __x, double __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern double fminimum (double __x, double __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern double __fminimum (double __x, double __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern double fmaximum_num (double __x, double __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern double __fmaximum_num (double __x, double __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern double fminimum_num (double __x, double __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern double __fminimum_num (double __x, double __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern double fmaximum_mag (double __x, double __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern double __fmaximum_mag (double __x, double __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern double fminimum_mag (double __x, double __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern double __fminimum_mag (double __x, double __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern double fmaximum_mag_num (double __x, double __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern double __fmaximum_mag_num (double __x, double __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern double fminimum_mag_num (double __x, double __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern double __fminimum_mag_num (double __x, double __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));




extern int totalorder (const double *__x, const double *__y) __attribute__ ((__nothrow__ , __leaf__))

     __attribute__ ((__pure__));


extern int totalordermag (const double *__x, const double *__y) __attribute__ ((__nothrow__ , __leaf__))

     __attribute__ ((__pure__));


extern double getpayload (const double *__x) __attribute__ ((__nothrow__ , __leaf__)); extern double __getpayload (const double *__x) __attribute__ ((__nothrow__ , __leaf__));


extern int setpayload (double *__x, double __payload) __attribute__ ((__nothrow__ , __leaf__));


extern int setpayloadsig (double *__x, double __payload) __attribute__ ((__nothrow__ , __leaf__));







extern double scalb (double __x, double __n) __attribute__ ((__nothrow__ , __leaf__)); extern double __scalb (double __x, double __n) __attribute__ ((__nothrow__ , __leaf__));
# 314 "/usr/include/math.h" 2 3 4
# 329 "/usr/include/math.h" 3 4
# 1 "/usr/include/x86_64-linux-gnu/bits/mathcalls-helper-functions.h" 1 3 4
# 20 "/usr/include/x86_64-linux-gnu/bits/mathcalls-helper-functions.h" 3 4
extern int __fpclassifyf (float __value) __attribute__ ((__nothrow__ , __leaf__))
     __attribute__ ((__const__));


extern int __signbitf (float __value) __attribute__ ((__nothrow__ , __leaf__))
     __attribute__ ((__const__));



extern int __isinff (float __value) __attribute__ ((__nothrow__ , __leaf__))
  __attribute__ ((__const__));


extern int __finitef (float __value) __attribute__ ((__nothrow__ , __leaf__))
  __attribute__ ((__const__));


extern int __isnanf (float __value) __attribute__ ((__nothrow__ , __leaf__))
  __attribute__ ((__const__));


extern int __iseqsigf (float __x, float __y) __attribute__ ((__nothrow__ , __leaf__));


extern int __issignalingf (float __value) __attribute__ ((__nothrow__ , __leaf__))
     __attribute__ ((__const__));
# 330 "/usr/include/math.h" 2 3 4
# 1 "/usr/include/x86_64-linux-gnu/bits/mathcalls.h" 1 3 4
# 53 "/usr/include/x86_64-linux-gnu/bits/mathcalls.h" 3 4
 extern float acosf (float __x) __attribute__ ((__nothrow__ , __leaf__)); extern float __acosf (float __x) __attribute__ ((__nothrow__ , __leaf__));

 extern float asinf (float __x) __attribute__ ((__nothrow__ , __leaf__)); extern float __asinf (float __x) __attribute__ ((__nothrow__ , __leaf__));

 extern float atanf (float __x) __attribute__ ((__nothrow__ , __leaf__)); extern float __atanf (float __x) __attribute__ ((__nothrow__ , __leaf__));

 extern float atan2f (float __y, float __x) __attribute__ ((__nothrow__ , __leaf__)); extern float __atan2f (float __y, float __x) __attribute__ ((__nothrow__ , __leaf__));


 extern float cosf (float __x) __attribute__ ((__nothrow__ , __leaf__)); extern float __cosf (float __x) __attribute__ ((__nothrow__ , __leaf__));

 extern float sinf (float __x) __attribute__ ((__nothrow__ , __leaf__)); extern float __sinf (float __x) __attribute__ ((__nothrow__ , __leaf__));

 extern float tanf (float __x) __attribute__ ((__nothrow__ , __leaf__)); extern float __tanf (float __x) __attribute__ ((__nothrow__ , __leaf__));




 extern float coshf (float __x) __attribute__ ((__nothrow__ , __leaf__)); extern float __coshf (float __x) __attribute__ ((__nothrow__ , __leaf__));

 extern float sinhf (float __x) __attribute__ ((__nothrow__ , __leaf__)); extern float __sinhf (float __x) __attribute__ ((__nothrow__ , __leaf__));

 extern float tanhf (float __x) __attribute__ ((__nothrow__ , __leaf__)); extern float __tanhf (float __x) __attribute__ ((__nothrow__ , __leaf__));



 extern void sincosf (float __x, float *__sinx, float *__cosx) __attribute__ ((__nothrow__ , __leaf__)); extern void __sincosf (float __x, float *__sinx, float *__cosx) __attribute__ ((__nothrow__ , __leaf__))
                                                        ;




 extern float acoshf (float __x) __attribute__ ((__nothrow__ , __leaf__)); extern float __acoshf (float __x) __attribute__ ((__nothrow__ , __leaf__));

 extern float asinhf (float __x) __attribute__ ((__nothrow__ , __leaf__)); extern float __asinhf (float __x) __attribute__ ((__nothrow__ , __leaf__));

 extern float atanhf (float __x) __attribute__ ((__nothrow__ , __leaf__)); extern float __atanhf (float __x) __attribute__ ((__nothrow__ , __leaf__));





 extern float expf (float __x) __attribute__ ((__nothrow__ , __leaf__)); extern float __expf (float __x) __attribute__ ((__nothrow__ , __leaf__));


extern float frexpf (float __x, int *__exponent) __attribute__ ((__nothrow__ , __leaf__)); extern float __frexpf (float __x, int *__exponent) __attribute__ ((__nothrow__ , __leaf__));


extern float ldexpf (float __x, int __exponent) __attribute__ ((__nothrow__ , __leaf__)); extern float __ldexpf (float __x, int __exponent) __attribute__ ((__nothrow__ , __leaf__));


 extern float logf (float __x) __attribute__ ((__nothrow__ , __leaf__)); extern float __logf (float __x) __attribute__ ((__nothrow__ , __leaf__));


 extern float log10f (float __x) __attribute__ ((__nothrow__ , __leaf__)); extern float __log10f (float __x) __attribute__ ((__nothrow__ , __leaf__));


extern float modff (float __x, float *__iptr) __attribute__ ((__nothrow__ , __leaf__)); extern float __modff (float __x, float *__iptr) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (2)));



 extern float exp10f (float __x) __attribute__ ((__nothrow__ , __leaf__)); extern float __exp10f (float __x) __attribute__ ((__nothrow__ , __leaf__));




 extern float expm1f (float __x) __attribute__ ((__nothrow__ , __leaf__)); extern float __expm1f (float __x) __attribute__ ((__nothrow__ , __leaf__));


 extern float log1pf (float __x) __attribute__ ((__nothrow__ , __leaf__)); extern float __log1pf (float __x) __attribute__ ((__nothrow__ , __leaf__));


extern float logbf (float __x) __attribute__ ((__nothrow__ , __leaf__)); extern float __logbf (float __x) __attribute__ ((__nothrow__ , __leaf__));




 extern float exp2f (float __x) __attribute__ ((__nothrow__ , __leaf__)); extern float __exp2f (float __x) __attribute__ ((__nothrow__ , __leaf__));


 extern float log2f (float __x) __attribute__ ((__nothrow__ , __leaf__)); extern float __log2f (float __x) __attribute__ ((__nothrow__ , __leaf__));






 extern float powf (float __x, float __y) __attribute__ ((__nothrow__ , __leaf__)); extern float __powf (float __x, float __y) __attribute__ ((__nothrow__ , __leaf__));


extern float sqrtf (float __x) __attribute__ ((__nothrow__ , __leaf__)); extern float __sqrtf (float __x) __attribute__ ((__nothrow__ , __leaf__));



 extern float hypotf (float __x, float __y) __attribute__ ((__nothrow__ , __leaf__)); extern float __hypotf (float __x, float __y) __attribute__ ((__nothrow__ , __leaf__));




 extern float cbrtf (float __x) __attribute__ ((__nothrow__ , __leaf__)); extern float __cbrtf (float __x) __attribute__ ((__nothrow__ , __leaf__));






extern float ceilf (float __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern float __ceilf (float __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern float fabsf (float __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern float __fabsf (float __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern float floorf (float __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern float __floorf (float __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern float fmodf (float __x, float __y) __attribute__ ((__nothrow__ , __leaf__)); extern float __fmodf (float __x, float __y) __attribute__ ((__nothrow__ , __leaf__));
# 177 "/usr/include/x86_64-linux-gnu/bits/mathcalls.h" 3 4
extern int isinff (float __value) __attribute__ ((__nothrow__ , __leaf__))
  __attribute__ ((__const__));




extern int finitef (float __value) __attribute__ ((__nothrow__ , __leaf__))
  __attribute__ ((__const__));


extern float dremf (float __x, float __y) __attribute__ ((__nothrow__ , __leaf__)); extern float __dremf (float __x, float __y) __attribute__ ((__nothrow__ , __leaf__));



extern float significandf (float __x) __attribute__ ((__nothrow__ , __leaf__)); extern float __significandf (float __x) __attribute__ ((__nothrow__ , __leaf__));






extern float copysignf (float __x, float __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern float __copysignf (float __x, float __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));




extern float nanf (const char *__tagb) __attribute__ ((__nothrow__ , __leaf__)); extern float __nanf (const char *__tagb) __attribute__ ((__nothrow__ , __leaf__));
# 213 "/usr/include/x86_64-linux-gnu/bits/mathcalls.h" 3 4
extern int isnanf (float __value) __attribute__ ((__nothrow__ , __leaf__))
  __attribute__ ((__const__));





extern float j0f (float) __attribute__ ((__nothrow__ , __leaf__)); extern float __j0f (float) __attribute__ ((__nothrow__ , __leaf__));
extern float j1f (float) __attribute__ ((__nothrow__ , __leaf__)); extern float __j1f (float) __attribute__ ((__nothrow__ , __leaf__));
extern float jnf (int, float) __attribute__ ((__nothrow__ , __leaf__)); extern float __jnf (int, float) __attribute__ ((__nothrow__ , __leaf__));
extern float y0f (float) __attribute__ ((__nothrow__ , __leaf__)); extern float __y0f (float) __attribute__ ((__nothrow__ , __leaf__));
extern float y1f (float) __attribute__ ((__nothrow__ , __leaf__)); extern float __y1f (float) __attribute__ ((__nothrow__ , __leaf__));
extern float ynf (int, float) __attribute__ ((__nothrow__ , __leaf__)); extern float __ynf (int, float) __attribute__ ((__nothrow__ , __leaf__));





 extern float erff (float) __attribute__ ((__nothrow__ , __leaf__)); extern float __erff (float) __attribute__ ((__nothrow__ , __leaf__));
 extern float erfcf (float) __attribute__ ((__nothrow__ , __leaf__)); extern float __erfcf (float) __attribute__ ((__nothrow__ , __leaf__));
extern float lgammaf (float) __attribute__ ((__nothrow__ , __leaf__)); extern float __lgammaf (float) __attribute__ ((__nothrow__ , __leaf__));




extern float tgammaf (float) __attribute__ ((__nothrow__ , __leaf__)); extern float __tgammaf (float) __attribute__ ((__nothrow__ , __leaf__));





extern float gammaf (float) __attribute__ ((__nothrow__ , __leaf__)); extern float __gammaf (float) __attribute__ ((__nothrow__ , __leaf__));







extern float lgammaf_r (float, int *__signgamp) __attribute__ ((__nothrow__ , __leaf__)); extern float __lgammaf_r (float, int *__signgamp) __attribute__ ((__nothrow__ , __leaf__));






extern float rintf (float __x) __attribute__ ((__nothrow__ , __leaf__)); extern float __rintf (float __x) __attribute__ ((__nothrow__ , __leaf__));


extern float nextafterf (float __x, float __y) __attribute__ ((__nothrow__ , __leaf__)); extern float __nextafterf (float __x, float __y) __attribute__ ((__nothrow__ , __leaf__));

extern float nexttowardf (float __x, long double __y) __attribute__ ((__nothrow__ , __leaf__)); extern float __nexttowardf (float __x, long double __y) __attribute__ ((__nothrow__ , __leaf__));




extern float nextdownf (float __x) __attribute__ ((__nothrow__ , __leaf__)); extern float __nextdownf (float __x) __attribute__ ((__nothrow__ , __leaf__));

extern float nextupf (float __x) __attribute__ ((__nothrow__ , __leaf__)); extern float __nextupf (float __x) __attribute__ ((__nothrow__ , __leaf__));



extern float remainderf (float __x, float __y) __attribute__ ((__nothrow__ , __leaf__)); extern float __remainderf (float __x, float __y) __attribute__ ((__nothrow__ , __leaf__));



extern float scalbnf (float __x, int __n) __attribute__ ((__nothrow__ , __leaf__)); extern float __scalbnf (float __x, int __n) __attribute__ ((__nothrow__ , __leaf__));



extern int ilogbf (float __x) __attribute__ ((__nothrow__ , __leaf__)); extern int __ilogbf (float __x) __attribute__ ((__nothrow__ , __leaf__));




extern long int llogbf (float __x) __attribute__ ((__nothrow__ , __leaf__)); extern long int __llogbf (float __x) __attribute__ ((__nothrow__ , __leaf__));




extern float scalblnf (float __x, long int __n) __attribute__ ((__nothrow__ , __leaf__)); extern float __scalblnf (float __x, long int __n) __attribute__ ((__nothrow__ , __leaf__));



extern float nearbyintf (float __x) __attribute__ ((__nothrow__ , __leaf__)); extern float __nearbyintf (float __x) __attribute__ ((__nothrow__ , __leaf__));



extern float roundf (float __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern float __roundf (float __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));



extern float truncf (float __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern float __truncf (float __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));




extern float remquof (float __x, float __y, int *__quo) __attribute__ ((__nothrow__ , __leaf__)); extern float __remquof (float __x, float __y, int *__quo) __attribute__ ((__nothrow__ , __leaf__));






extern long int lrintf (float __x) __attribute__ ((__nothrow__ , __leaf__)); extern long int __lrintf (float __x) __attribute__ ((__nothrow__ , __leaf__));
__extension__
extern long long int llrintf (float __x) __attribute__ ((__nothrow__ , __leaf__)); extern long long int __llrintf (float __x) __attribute__ ((__nothrow__ , __leaf__));



extern long int lroundf (float __x) __attribute__ ((__nothrow__ , __leaf__)); extern long int __lroundf (float __x) __attribute__ ((__nothrow__ , __leaf__));
__extension__
extern long long int llroundf (float __x) __attribute__ ((__nothrow__ , __leaf__)); extern long long int __llroundf (float __x) __attribute__ ((__nothrow__ , __leaf__));



extern float fdimf (float __x, float __y) __attribute__ ((__nothrow__ , __leaf__)); extern float __fdimf (float __x, float __y) __attribute__ ((__nothrow__ , __leaf__));



extern float fmaxf (float __x, float __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern float __fmaxf (float __x, float __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern float fminf (float __x, float __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern float __fminf (float __x, float __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));



extern float fmaf (float __x, float __y, float __z) __attribute__ ((__nothrow__ , __leaf__)); extern float __fmaf (float __x, float __y, float __z) __attribute__ ((__nothrow__ , __leaf__));




extern float roundevenf (float __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern float __roundevenf (float __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));



extern __intmax_t fromfpf (float __x, int __round, unsigned int __width) __attribute__ ((__nothrow__ , __leaf__)); extern __intmax_t __fromfpf (float __x, int __round, unsigned int __width) __attribute__ ((__nothrow__ , __leaf__))
                            ;



extern __uintmax_t ufromfpf (float __x, int __round, unsigned int __width) __attribute__ ((__nothrow__ , __leaf__)); extern __uintmax_t __ufromfpf (float __x, int __round, unsigned int __width) __attribute__ ((__nothrow__ , __leaf__))
                              ;




extern __intmax_t fromfpxf (float __x, int __round, unsigned int __width) __attribute__ ((__nothrow__ , __leaf__)); extern __intmax_t __fromfpxf (float __x, int __round, unsigned int __width) __attribute__ ((__nothrow__ , __leaf__))
                             ;




extern __uintmax_t ufromfpxf (float __x, int __round, unsigned int __width) __attribute__ ((__nothrow__ , __leaf__)); extern __uintmax_t __ufromfpxf (float __x, int __round, unsigned int __width) __attribute__ ((__nothrow__ , __leaf__))
                               ;


extern int canonicalizef (float *__cx, const float *__x) __attribute__ ((__nothrow__ , __leaf__));






extern float fmaxmagf (float __x, float __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern float __fmaxmagf (float __x, float __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern float fminmagf (float __x, float __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern float __fminmagf (float __x, float __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));




extern float fmaximumf (float __x, float __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern float __fmaximumf (float __x, float __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern float fminimumf (float __x, float __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern float __fminimumf (float __x, float __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern float fmaximum_numf (float __x, float __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern float __fmaximum_numf (float __x, float __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern float fminimum_numf (float __x, float __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern float __fminimum_numf (float __x, float __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern float fmaximum_magf (float __x, float __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern float __fmaximum_magf (float __x, float __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern float fminimum_magf (float __x, float __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern float __fminimum_magf (float __x, float __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern float fmaximum_mag_numf (float __x, float __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern float __fmaximum_mag_numf (float __x, float __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern float fminimum_mag_numf (float __x, float __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern float __fminimum_mag_numf (float __x, float __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));




extern int totalorderf (const float *__x, const float *__y) __attribute__ ((__nothrow__ , __leaf__))

     __attribute__ ((__pure__));


extern int totalordermagf (const float *__x, const float *__y) __attribute__ ((__nothrow__ , __leaf__))

     __attribute__ ((__pure__));


extern float getpayloadf (const float *__x) __attribute__ ((__nothrow__ , __leaf__)); extern float __getpayloadf (const float *__x) __attribute__ ((__nothrow__ , __leaf__));


extern int setpayloadf (float *__x, float __payload) __attribute__ ((__nothrow__ , __leaf__));


extern int setpayloadsigf (float *__x, float __payload) __attribute__ ((__nothrow__ , __leaf__));







extern float scalbf (float __x, float __n) __attribute__ ((__nothrow__ , __leaf__)); extern float __scalbf (float __x, float __n) __attribute__ ((__nothrow__ , __leaf__));
# 331 "/usr/include/math.h" 2 3 4
# 398 "/usr/include/math.h" 3 4
# 1 "/usr/include/x86_64-linux-gnu/bits/mathcalls-helper-functions.h" 1 3 4
# 20 "/usr/include/x86_64-linux-gnu/bits/mathcalls-helper-functions.h" 3 4
extern int __fpclassifyl (long double __value) __attribute__ ((__nothrow__ , __leaf__))
     __attribute__ ((__const__));


extern int __signbitl (long double __value) __attribute__ ((__nothrow__ , __leaf__))
     __attribute__ ((__const__));



extern int __isinfl (long double __value) __attribute__ ((__nothrow__ , __leaf__))
  __attribute__ ((__const__));


extern int __finitel (long double __value) __attribute__ ((__nothrow__ , __leaf__))
  __attribute__ ((__const__));


extern int __isnanl (long double __value) __attribute__ ((__nothrow__ , __leaf__))
  __attribute__ ((__const__));


extern int __iseqsigl (long double __x, long double __y) __attribute__ ((__nothrow__ , __leaf__));


extern int __issignalingl (long double __value) __attribute__ ((__nothrow__ , __leaf__))
     __attribute__ ((__const__));
# 399 "/usr/include/math.h" 2 3 4
# 1 "/usr/include/x86_64-linux-gnu/bits/mathcalls.h" 1 3 4
# 53 "/usr/include/x86_64-linux-gnu/bits/mathcalls.h" 3 4
 extern long double acosl (long double __x) __attribute__ ((__nothrow__ , __leaf__)); extern long double __acosl (long double __x) __attribute__ ((__nothrow__ , __leaf__));

 extern long double asinl (long double __x) __attribute__ ((__nothrow__ , __leaf__)); extern long double __asinl (long double __x) __attribute__ ((__nothrow__ , __leaf__));

 extern long double atanl (long double __x) __attribute__ ((__nothrow__ , __leaf__)); extern long double __atanl (long double __x) __attribute__ ((__nothrow__ , __leaf__));

 extern long double atan2l (long double __y, long double __x) __attribute__ ((__nothrow__ , __leaf__)); extern long double __atan2l (long double __y, long double __x) __attribute__ ((__nothrow__ , __leaf__));


 extern long double cosl (long double __x) __attribute__ ((__nothrow__ , __leaf__)); extern long double __cosl (long double __x) __attribute__ ((__nothrow__ , __leaf__));

 extern long double sinl (long double __x) __attribute__ ((__nothrow__ , __leaf__)); extern long double __sinl (long double __x) __attribute__ ((__nothrow__ , __leaf__));

 extern long double tanl (long double __x) __attribute__ ((__nothrow__ , __leaf__)); extern long double __tanl (long double __x) __attribute__ ((__nothrow__ , __leaf__));




 extern long double coshl (long double __x) __attribute__ ((__nothrow__ , __leaf__)); extern long double __coshl (long double __x) __attribute__ ((__nothrow__ , __leaf__));

 extern long double sinhl (long double __x) __attribute__ ((__nothrow__ , __leaf__)); extern long double __sinhl (long double __x) __attribute__ ((__nothrow__ , __leaf__));

 extern long double tanhl (long double __x) __attribute__ ((__nothrow__ , __leaf__)); extern long double __tanhl (long double __x) __attribute__ ((__nothrow__ , __leaf__));



 extern void sincosl (long double __x, long double *__sinx, long double *__cosx) __attribute__ ((__nothrow__ , __leaf__)); extern void __sincosl (long double __x, long double *__sinx, long double *__cosx) __attribute__ ((__nothrow__ , __leaf__))
                                                        ;




 extern long double acoshl (long double __x) __attribute__ ((__nothrow__ , __leaf__)); extern long double __acoshl (long double __x) __attribute__ ((__nothrow__ , __leaf__));

 extern long double asinhl (long double __x) __attribute__ ((__nothrow__ , __leaf__)); extern long double __asinhl (long double __x) __attribute__ ((__nothrow__ , __leaf__));

 extern long double atanhl (long double __x) __attribute__ ((__nothrow__ , __leaf__)); extern long double __atanhl (long double __x) __attribute__ ((__nothrow__ , __leaf__));





 extern long double expl (long double __x) __attribute__ ((__nothrow__ , __leaf__)); extern long double __expl (long double __x) __attribute__ ((__nothrow__ , __leaf__));


extern long double frexpl (long double __x, int *__exponent) __attribute__ ((__nothrow__ , __leaf__)); extern long double __frexpl (long double __x, int *__exponent) __attribute__ ((__nothrow__ , __leaf__));


extern long double ldexpl (long double __x, int __exponent) __attribute__ ((__nothrow__ , __leaf__)); extern long double __ldexpl (long double __x, int __exponent) __attribute__ ((__nothrow__ , __leaf__));


 extern long double logl (long double __x) __attribute__ ((__nothrow__ , __leaf__)); extern long double __logl (long double __x) __attribute__ ((__nothrow__ , __leaf__));


 extern long double log10l (long double __x) __attribute__ ((__nothrow__ , __leaf__)); extern long double __log10l (long double __x) __attribute__ ((__nothrow__ , __leaf__));


extern long double modfl (long double __x, long double *__iptr) __attribute__ ((__nothrow__ , __leaf__)); extern long double __modfl (long double __x, long double *__iptr) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (2)));



 extern long double exp10l (long double __x) __attribute__ ((__nothrow__ , __leaf__)); extern long double __exp10l (long double __x) __attribute__ ((__nothrow__ , __leaf__));




 extern long double expm1l (long double __x) __attribute__ ((__nothrow__ , __leaf__)); extern long double __expm1l (long double __x) __attribute__ ((__nothrow__ , __leaf__));


 extern long double log1pl (long double __x) __attribute__ ((__nothrow__ , __leaf__)); extern long double __log1pl (long double __x) __attribute__ ((__nothrow__ , __leaf__));


extern long double logbl (long double __x) __attribute__ ((__nothrow__ , __leaf__)); extern long double __logbl (long double __x) __attribute__ ((__nothrow__ , __leaf__));




 extern long double exp2l (long double __x) __attribute__ ((__nothrow__ , __leaf__)); extern long double __exp2l (long double __x) __attribute__ ((__nothrow__ , __leaf__));


 extern long double log2l (long double __x) __attribute__ ((__nothrow__ , __leaf__)); extern long double __log2l (long double __x) __attribute__ ((__nothrow__ , __leaf__));






 extern long double powl (long double __x, long double __y) __attribute__ ((__nothrow__ , __leaf__)); extern long double __powl (long double __x, long double __y) __attribute__ ((__nothrow__ , __leaf__));


extern long double sqrtl (long double __x) __attribute__ ((__nothrow__ , __leaf__)); extern long double __sqrtl (long double __x) __attribute__ ((__nothrow__ , __leaf__));



 extern long double hypotl (long double __x, long double __y) __attribute__ ((__nothrow__ , __leaf__)); extern long double __hypotl (long double __x, long double __y) __attribute__ ((__nothrow__ , __leaf__));




 extern long double cbrtl (long double __x) __attribute__ ((__nothrow__ , __leaf__)); extern long double __cbrtl (long double __x) __attribute__ ((__nothrow__ , __leaf__));






extern long double ceill (long double __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern long double __ceill (long double __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern long double fabsl (long double __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern long double __fabsl (long double __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern long double floorl (long double __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern long double __floorl (long double __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern long double fmodl (long double __x, long double __y) __attribute__ ((__nothrow__ , __leaf__)); extern long double __fmodl (long double __x, long double __y) __attribute__ ((__nothrow__ , __leaf__));
# 177 "/usr/include/x86_64-linux-gnu/bits/mathcalls.h" 3 4
extern int isinfl (long double __value) __attribute__ ((__nothrow__ , __leaf__))
  __attribute__ ((__const__));




extern int finitel (long double __value) __attribute__ ((__nothrow__ , __leaf__))
  __attribute__ ((__const__));


extern long double dreml (long double __x, long double __y) __attribute__ ((__nothrow__ , __leaf__)); extern long double __dreml (long double __x, long double __y) __attribute__ ((__nothrow__ , __leaf__));



extern long double significandl (long double __x) __attribute__ ((__nothrow__ , __leaf__)); extern long double __significandl (long double __x) __attribute__ ((__nothrow__ , __leaf__));






extern long double copysignl (long double __x, long double __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern long double __copysignl (long double __x, long double __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));




extern long double nanl (const char *__tagb) __attribute__ ((__nothrow__ , __leaf__)); extern long double __nanl (const char *__tagb) __attribute__ ((__nothrow__ , __leaf__));
# 213 "/usr/include/x86_64-linux-gnu/bits/mathcalls.h" 3 4
extern int isnanl (long double __value) __attribute__ ((__nothrow__ , __leaf__))
  __attribute__ ((__const__));





extern long double j0l (long double) __attribute__ ((__nothrow__ , __leaf__)); extern long double __j0l (long double) __attribute__ ((__nothrow__ , __leaf__));
extern long double j1l (long double) __attribute__ ((__nothrow__ , __leaf__)); extern long double __j1l (long double) __attribute__ ((__nothrow__ , __leaf__));
extern long double jnl (int, long double) __attribute__ ((__nothrow__ , __leaf__)); extern long double __jnl (int, long double) __attribute__ ((__nothrow__ , __leaf__));
extern long double y0l (long double) __attribute__ ((__nothrow__ , __leaf__)); extern long double __y0l (long double) __attribute__ ((__nothrow__ , __leaf__));
extern long double y1l (long double) __attribute__ ((__nothrow__ , __leaf__)); extern long double __y1l (long double) __attribute__ ((__nothrow__ , __leaf__));
extern long double ynl (int, long double) __attribute__ ((__nothrow__ , __leaf__)); extern long double __ynl (int, long double) __attribute__ ((__nothrow__ , __leaf__));





 extern long double erfl (long double) __attribute__ ((__nothrow__ , __leaf__)); extern long double __erfl (long double) __attribute__ ((__nothrow__ , __leaf__));
 extern long double erfcl (long double) __attribute__ ((__nothrow__ , __leaf__)); extern long double __erfcl (long double) __attribute__ ((__nothrow__ , __leaf__));
extern long double lgammal (long double) __attribute__ ((__nothrow__ , __leaf__)); extern long double __lgammal (long double) __attribute__ ((__nothrow__ , __leaf__));




extern long double tgammal (long double) __attribute__ ((__nothrow__ , __leaf__)); extern long double __tgammal (long double) __attribute__ ((__nothrow__ , __leaf__));





extern long double gammal (long double) __attribute__ ((__nothrow__ , __leaf__)); extern long double __gammal (long double) __attribute__ ((__nothrow__ , __leaf__));







extern long double lgammal_r (long double, int *__signgamp) __attribute__ ((__nothrow__ , __leaf__)); extern long double __lgammal_r (long double, int *__signgamp) __attribute__ ((__nothrow__ , __leaf__));






extern long double rintl (long double __x) __attribute__ ((__nothrow__ , __leaf__)); extern long double __rintl (long double __x) __attribute__ ((__nothrow__ , __leaf__));


extern long double nextafterl (long double __x, long double __y) __attribute__ ((__nothrow__ , __leaf__)); extern long double __nextafterl (long double __x, long double __y) __attribute__ ((__nothrow__ , __leaf__));

extern long double nexttowardl (long double __x, long double __y) __attribute__ ((__nothrow__ , __leaf__)); extern long double __nexttowardl (long double __x, long double __y) __attribute__ ((__nothrow__ , __leaf__));




extern long double nextdownl (long double __x) __attribute__ ((__nothrow__ , __leaf__)); extern long double __nextdownl (long double __x) __attribute__ ((__nothrow__ , __leaf__));

extern long double nextupl (long double __x) __attribute__ ((__nothrow__ , __leaf__)); extern long double __nextupl (long double __x) __attribute__ ((__nothrow__ , __leaf__));



extern long double remainderl (long double __x, long double __y) __attribute__ ((__nothrow__ , __leaf__)); extern long double __remainderl (long double __x, long double __y) __attribute__ ((__nothrow__ , __leaf__));



extern long double scalbnl (long double __x, int __n) __attribute__ ((__nothrow__ , __leaf__)); extern long double __scalbnl (long double __x, int __n) __attribute__ ((__nothrow__ , __leaf__));



extern int ilogbl (long double __x) __attribute__ ((__nothrow__ , __leaf__)); extern int __ilogbl (long double __x) __attribute__ ((__nothrow__ , __leaf__));




extern long int llogbl (long double __x) __attribute__ ((__nothrow__ , __leaf__)); extern long int __llogbl (long double __x) __attribute__ ((__nothrow__ , __leaf__));




extern long double scalblnl (long double __x, long int __n) __attribute__ ((__nothrow__ , __leaf__)); extern long double __scalblnl (long double __x, long int __n) __attribute__ ((__nothrow__ , __leaf__));



extern long double nearbyintl (long double __x) __attribute__ ((__nothrow__ , __leaf__)); extern long double __nearbyintl (long double __x) __attribute__ ((__nothrow__ , __leaf__));



extern long double roundl (long double __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern long double __roundl (long double __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));



extern long double truncl (long double __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern long double __truncl (long double __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));




extern long double remquol (long double __x, long double __y, int *__quo) __attribute__ ((__nothrow__ , __leaf__)); extern long double __remquol (long double __x, long double __y, int *__quo) __attribute__ ((__nothrow__ , __leaf__));






extern long int lrintl (long double __x) __attribute__ ((__nothrow__ , __leaf__)); extern long int __lrintl (long double __x) __attribute__ ((__nothrow__ , __leaf__));
__extension__
extern long long int llrintl (long double __x) __attribute__ ((__nothrow__ , __leaf__)); extern long long int __llrintl (long double __x) __attribute__ ((__nothrow__ , __leaf__));



extern long int lroundl (long double __x) __attribute__ ((__nothrow__ , __leaf__)); extern long int __lroundl (long double __x) __attribute__ ((__nothrow__ , __leaf__));
__extension__
extern long long int llroundl (long double __x) __attribute__ ((__nothrow__ , __leaf__)); extern long long int __llroundl (long double __x) __attribute__ ((__nothrow__ , __leaf__));



extern long double fdiml (long double __x, long double __y) __attribute__ ((__nothrow__ , __leaf__)); extern long double __fdiml (long double __x, long double __y) __attribute__ ((__nothrow__ , __leaf__));



extern long double fmaxl (long double __x, long double __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern long double __fmaxl (long double __x, long double __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern long double fminl (long double __x, long double __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern long double __fminl (long double __x, long double __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));



extern long double fmal (long double __x, long double __y, long double __z) __attribute__ ((__nothrow__ , __leaf__)); extern long double __fmal (long double __x, long double __y, long double __z) __attribute__ ((__nothrow__ , __leaf__));




extern long double roundevenl (long double __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern long double __roundevenl (long double __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));



extern __intmax_t fromfpl (long double __x, int __round, unsigned int __width) __attribute__ ((__nothrow__ , __leaf__)); extern __intmax_t __fromfpl (long double __x, int __round, unsigned int __width) __attribute__ ((__nothrow__ , __leaf__))
                            ;



extern __uintmax_t ufromfpl (long double __x, int __round, unsigned int __width) __attribute__ ((__nothrow__ , __leaf__)); extern __uintmax_t __ufromfpl (long double __x, int __round, unsigned int __width) __attribute__ ((__nothrow__ , __leaf__))
                              ;




extern __intmax_t fromfpxl (long double __x, int __round, unsigned int __width) __attribute__ ((__nothrow__ , __leaf__)); extern __intmax_t __fromfpxl (long double __x, int __round, unsigned int __width) __attribute__ ((__nothrow__ , __leaf__))
                             ;




extern __uintmax_t ufromfpxl (long double __x, int __round, unsigned int __width) __attribute__ ((__nothrow__ , __leaf__)); extern __uintmax_t __ufromfpxl (long double __x, int __round, unsigned int __width) __attribute__ ((__nothrow__ , __leaf__))
                               ;


extern int canonicalizel (long double *__cx, const long double *__x) __attribute__ ((__nothrow__ , __leaf__));






extern long double fmaxmagl (long double __x, long double __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern long double __fmaxmagl (long double __x, long double __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern long double fminmagl (long double __x, long double __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern long double __fminmagl (long double __x, long double __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));




extern long double fmaximuml (long double __x, long double __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern long double __fmaximuml (long double __x, long double __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern long double fminimuml (long double __x, long double __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern long double __fminimuml (long double __x, long double __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern long double fmaximum_numl (long double __x, long double __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern long double __fmaximum_numl (long double __x, long double __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern long double fminimum_numl (long double __x, long double __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern long double __fminimum_numl (long double __x, long double __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern long double fmaximum_magl (long double __x, long double __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern long double __fmaximum_magl (long double __x, long double __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern long double fminimum_magl (long double __x, long double __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern long double __fminimum_magl (long double __x, long double __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern long double fmaximum_mag_numl (long double __x, long double __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern long double __fmaximum_mag_numl (long double __x, long double __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern long double fminimum_mag_numl (long double __x, long double __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern long double __fminimum_mag_numl (long double __x, long double __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));




extern int totalorderl (const long double *__x, const long double *__y) __attribute__ ((__nothrow__ , __leaf__))

     __attribute__ ((__pure__));


extern int totalordermagl (const long double *__x, const long double *__y) __attribute__ ((__nothrow__ , __leaf__))

     __attribute__ ((__pure__));


extern long double getpayloadl (const long double *__x) __attribute__ ((__nothrow__ , __leaf__)); extern long double __getpayloadl (const long double *__x) __attribute__ ((__nothrow__ , __leaf__));


extern int setpayloadl (long double *__x, long double __payload) __attribute__ ((__nothrow__ , __leaf__));


extern int setpayloadsigl (long double *__x, long double __payload) __attribute__ ((__nothrow__ , __leaf__));







extern long double scalbl (long double __x, long double __n) __attribute__ ((__nothrow__ , __leaf__)); extern long double __scalbl (long double __x, long double __n) __attribute__ ((__nothrow__ , __leaf__));
# 400 "/usr/include/math.h" 2 3 4
# 450 "/usr/include/math.h" 3 4
# 1 "/usr/include/x86_64-linux-gnu/bits/mathcalls.h" 1 3 4
# 53 "/usr/include/x86_64-linux-gnu/bits/mathcalls.h" 3 4
 extern _Float32 acosf32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32 __acosf32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__));

 extern _Float32 asinf32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32 __asinf32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__));

 extern _Float32 atanf32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32 __atanf32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__));

 extern _Float32 atan2f32 (_Float32 __y, _Float32 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32 __atan2f32 (_Float32 __y, _Float32 __x) __attribute__ ((__nothrow__ , __leaf__));


 extern _Float32 cosf32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32 __cosf32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__));

 extern _Float32 sinf32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32 __sinf32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__));

 extern _Float32 tanf32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32 __tanf32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__));




 extern _Float32 coshf32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32 __coshf32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__));

 extern _Float32 sinhf32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32 __sinhf32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__));

 extern _Float32 tanhf32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32 __tanhf32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__));



 extern void sincosf32 (_Float32 __x, _Float32 *__sinx, _Float32 *__cosx) __attribute__ ((__nothrow__ , __leaf__)); extern void __sincosf32 (_Float32 __x, _Float32 *__sinx, _Float32 *__cosx) __attribute__ ((__nothrow__ , __leaf__))
                                                        ;




 extern _Float32 acoshf32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32 __acoshf32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__));

 extern _Float32 asinhf32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32 __asinhf32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__));

 extern _Float32 atanhf32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32 __atanhf32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__));





 extern _Float32 expf32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32 __expf32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__));


extern _Float32 frexpf32 (_Float32 __x, int *__exponent) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32 __frexpf32 (_Float32 __x, int *__exponent) __attribute__ ((__nothrow__ , __leaf__));


extern _Float32 ldexpf32 (_Float32 __x, int __exponent) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32 __ldexpf32 (_Float32 __x, int __exponent) __attribute__ ((__nothrow__ , __leaf__));


 extern _Float32 logf32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32 __logf32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__));


 extern _Float32 log10f32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32 __log10f32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__));


extern _Float32 modff32 (_Float32 __x, _Float32 *__iptr) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32 __modff32 (_Float32 __x, _Float32 *__iptr) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (2)));



 extern _Float32 exp10f32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32 __exp10f32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__));




 extern _Float32 expm1f32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32 __expm1f32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__));


 extern _Float32 log1pf32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32 __log1pf32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__));


extern _Float32 logbf32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32 __logbf32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__));




 extern _Float32 exp2f32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32 __exp2f32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__));


 extern _Float32 log2f32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32 __log2f32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__));






 extern _Float32 powf32 (_Float32 __x, _Float32 __y) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32 __powf32 (_Float32 __x, _Float32 __y) __attribute__ ((__nothrow__ , __leaf__));


extern _Float32 sqrtf32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32 __sqrtf32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__));



 extern _Float32 hypotf32 (_Float32 __x, _Float32 __y) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32 __hypotf32 (_Float32 __x, _Float32 __y) __attribute__ ((__nothrow__ , __leaf__));




 extern _Float32 cbrtf32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32 __cbrtf32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__));






extern _Float32 ceilf32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float32 __ceilf32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern _Float32 fabsf32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float32 __fabsf32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern _Float32 floorf32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float32 __floorf32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern _Float32 fmodf32 (_Float32 __x, _Float32 __y) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32 __fmodf32 (_Float32 __x, _Float32 __y) __attribute__ ((__nothrow__ , __leaf__));
# 198 "/usr/include/x86_64-linux-gnu/bits/mathcalls.h" 3 4
extern _Float32 copysignf32 (_Float32 __x, _Float32 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float32 __copysignf32 (_Float32 __x, _Float32 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));




extern _Float32 nanf32 (const char *__tagb) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32 __nanf32 (const char *__tagb) __attribute__ ((__nothrow__ , __leaf__));
# 220 "/usr/include/x86_64-linux-gnu/bits/mathcalls.h" 3 4
extern _Float32 j0f32 (_Float32) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32 __j0f32 (_Float32) __attribute__ ((__nothrow__ , __leaf__));
extern _Float32 j1f32 (_Float32) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32 __j1f32 (_Float32) __attribute__ ((__nothrow__ , __leaf__));
extern _Float32 jnf32 (int, _Float32) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32 __jnf32 (int, _Float32) __attribute__ ((__nothrow__ , __leaf__));
extern _Float32 y0f32 (_Float32) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32 __y0f32 (_Float32) __attribute__ ((__nothrow__ , __leaf__));
extern _Float32 y1f32 (_Float32) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32 __y1f32 (_Float32) __attribute__ ((__nothrow__ , __leaf__));
extern _Float32 ynf32 (int, _Float32) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32 __ynf32 (int, _Float32) __attribute__ ((__nothrow__ , __leaf__));





 extern _Float32 erff32 (_Float32) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32 __erff32 (_Float32) __attribute__ ((__nothrow__ , __leaf__));
 extern _Float32 erfcf32 (_Float32) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32 __erfcf32 (_Float32) __attribute__ ((__nothrow__ , __leaf__));
extern _Float32 lgammaf32 (_Float32) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32 __lgammaf32 (_Float32) __attribute__ ((__nothrow__ , __leaf__));




extern _Float32 tgammaf32 (_Float32) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32 __tgammaf32 (_Float32) __attribute__ ((__nothrow__ , __leaf__));
# 252 "/usr/include/x86_64-linux-gnu/bits/mathcalls.h" 3 4
extern _Float32 lgammaf32_r (_Float32, int *__signgamp) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32 __lgammaf32_r (_Float32, int *__signgamp) __attribute__ ((__nothrow__ , __leaf__));






extern _Float32 rintf32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32 __rintf32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__));


extern _Float32 nextafterf32 (_Float32 __x, _Float32 __y) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32 __nextafterf32 (_Float32 __x, _Float32 __y) __attribute__ ((__nothrow__ , __leaf__));






extern _Float32 nextdownf32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32 __nextdownf32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__));

extern _Float32 nextupf32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32 __nextupf32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__));



extern _Float32 remainderf32 (_Float32 __x, _Float32 __y) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32 __remainderf32 (_Float32 __x, _Float32 __y) __attribute__ ((__nothrow__ , __leaf__));



extern _Float32 scalbnf32 (_Float32 __x, int __n) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32 __scalbnf32 (_Float32 __x, int __n) __attribute__ ((__nothrow__ , __leaf__));



extern int ilogbf32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__)); extern int __ilogbf32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__));




extern long int llogbf32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__)); extern long int __llogbf32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__));




extern _Float32 scalblnf32 (_Float32 __x, long int __n) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32 __scalblnf32 (_Float32 __x, long int __n) __attribute__ ((__nothrow__ , __leaf__));



extern _Float32 nearbyintf32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32 __nearbyintf32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__));



extern _Float32 roundf32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float32 __roundf32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));



extern _Float32 truncf32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float32 __truncf32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));




extern _Float32 remquof32 (_Float32 __x, _Float32 __y, int *__quo) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32 __remquof32 (_Float32 __x, _Float32 __y, int *__quo) __attribute__ ((__nothrow__ , __leaf__));






extern long int lrintf32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__)); extern long int __lrintf32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__));
__extension__
extern long long int llrintf32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__)); extern long long int __llrintf32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__));



extern long int lroundf32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__)); extern long int __lroundf32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__));
__extension__
extern long long int llroundf32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__)); extern long long int __llroundf32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__));



extern _Float32 fdimf32 (_Float32 __x, _Float32 __y) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32 __fdimf32 (_Float32 __x, _Float32 __y) __attribute__ ((__nothrow__ , __leaf__));



extern _Float32 fmaxf32 (_Float32 __x, _Float32 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float32 __fmaxf32 (_Float32 __x, _Float32 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern _Float32 fminf32 (_Float32 __x, _Float32 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float32 __fminf32 (_Float32 __x, _Float32 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));



extern _Float32 fmaf32 (_Float32 __x, _Float32 __y, _Float32 __z) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32 __fmaf32 (_Float32 __x, _Float32 __y, _Float32 __z) __attribute__ ((__nothrow__ , __leaf__));




extern _Float32 roundevenf32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float32 __roundevenf32 (_Float32 __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));



extern __intmax_t fromfpf32 (_Float32 __x, int __round, unsigned int __width) __attribute__ ((__nothrow__ , __leaf__)); extern __intmax_t __fromfpf32 (_Float32 __x, int __round, unsigned int __width) __attribute__ ((__nothrow__ , __leaf__))
                            ;



extern __uintmax_t ufromfpf32 (_Float32 __x, int __round, unsigned int __width) __attribute__ ((__nothrow__ , __leaf__)); extern __uintmax_t __ufromfpf32 (_Float32 __x, int __round, unsigned int __width) __attribute__ ((__nothrow__ , __leaf__))
                              ;




extern __intmax_t fromfpxf32 (_Float32 __x, int __round, unsigned int __width) __attribute__ ((__nothrow__ , __leaf__)); extern __intmax_t __fromfpxf32 (_Float32 __x, int __round, unsigned int __width) __attribute__ ((__nothrow__ , __leaf__))
                             ;




extern __uintmax_t ufromfpxf32 (_Float32 __x, int __round, unsigned int __width) __attribute__ ((__nothrow__ , __leaf__)); extern __uintmax_t __ufromfpxf32 (_Float32 __x, int __round, unsigned int __width) __attribute__ ((__nothrow__ , __leaf__))
                               ;


extern int canonicalizef32 (_Float32 *__cx, const _Float32 *__x) __attribute__ ((__nothrow__ , __leaf__));






extern _Float32 fmaxmagf32 (_Float32 __x, _Float32 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float32 __fmaxmagf32 (_Float32 __x, _Float32 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern _Float32 fminmagf32 (_Float32 __x, _Float32 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float32 __fminmagf32 (_Float32 __x, _Float32 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));




extern _Float32 fmaximumf32 (_Float32 __x, _Float32 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float32 __fmaximumf32 (_Float32 __x, _Float32 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern _Float32 fminimumf32 (_Float32 __x, _Float32 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float32 __fminimumf32 (_Float32 __x, _Float32 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern _Float32 fmaximum_numf32 (_Float32 __x, _Float32 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float32 __fmaximum_numf32 (_Float32 __x, _Float32 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern _Float32 fminimum_numf32 (_Float32 __x, _Float32 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float32 __fminimum_numf32 (_Float32 __x, _Float32 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern _Float32 fmaximum_magf32 (_Float32 __x, _Float32 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float32 __fmaximum_magf32 (_Float32 __x, _Float32 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern _Float32 fminimum_magf32 (_Float32 __x, _Float32 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float32 __fminimum_magf32 (_Float32 __x, _Float32 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern _Float32 fmaximum_mag_numf32 (_Float32 __x, _Float32 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float32 __fmaximum_mag_numf32 (_Float32 __x, _Float32 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern _Float32 fminimum_mag_numf32 (_Float32 __x, _Float32 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float32 __fminimum_mag_numf32 (_Float32 __x, _Float32 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));




extern int totalorderf32 (const _Float32 *__x, const _Float32 *__y) __attribute__ ((__nothrow__ , __leaf__))

     __attribute__ ((__pure__));


extern int totalordermagf32 (const _Float32 *__x, const _Float32 *__y) __attribute__ ((__nothrow__ , __leaf__))

     __attribute__ ((__pure__));


extern _Float32 getpayloadf32 (const _Float32 *__x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32 __getpayloadf32 (const _Float32 *__x) __attribute__ ((__nothrow__ , __leaf__));


extern int setpayloadf32 (_Float32 *__x, _Float32 __payload) __attribute__ ((__nothrow__ , __leaf__));


extern int setpayloadsigf32 (_Float32 *__x, _Float32 __payload) __attribute__ ((__nothrow__ , __leaf__));
# 451 "/usr/include/math.h" 2 3 4
# 467 "/usr/include/math.h" 3 4
# 1 "/usr/include/x86_64-linux-gnu/bits/mathcalls.h" 1 3 4
# 53 "/usr/include/x86_64-linux-gnu/bits/mathcalls.h" 3 4
 extern _Float64 acosf64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64 __acosf64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__));

 extern _Float64 asinf64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64 __asinf64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__));

 extern _Float64 atanf64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64 __atanf64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__));

 extern _Float64 atan2f64 (_Float64 __y, _Float64 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64 __atan2f64 (_Float64 __y, _Float64 __x) __attribute__ ((__nothrow__ , __leaf__));


 extern _Float64 cosf64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64 __cosf64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__));

 extern _Float64 sinf64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64 __sinf64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__));

 extern _Float64 tanf64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64 __tanf64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__));




 extern _Float64 coshf64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64 __coshf64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__));

 extern _Float64 sinhf64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64 __sinhf64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__));

 extern _Float64 tanhf64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64 __tanhf64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__));



 extern void sincosf64 (_Float64 __x, _Float64 *__sinx, _Float64 *__cosx) __attribute__ ((__nothrow__ , __leaf__)); extern void __sincosf64 (_Float64 __x, _Float64 *__sinx, _Float64 *__cosx) __attribute__ ((__nothrow__ , __leaf__))
                                                        ;




 extern _Float64 acoshf64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64 __acoshf64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__));

 extern _Float64 asinhf64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64 __asinhf64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__));

 extern _Float64 atanhf64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64 __atanhf64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__));





 extern _Float64 expf64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64 __expf64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__));


extern _Float64 frexpf64 (_Float64 __x, int *__exponent) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64 __frexpf64 (_Float64 __x, int *__exponent) __attribute__ ((__nothrow__ , __leaf__));


extern _Float64 ldexpf64 (_Float64 __x, int __exponent) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64 __ldexpf64 (_Float64 __x, int __exponent) __attribute__ ((__nothrow__ , __leaf__));


 extern _Float64 logf64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64 __logf64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__));


 extern _Float64 log10f64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64 __log10f64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__));


extern _Float64 modff64 (_Float64 __x, _Float64 *__iptr) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64 __modff64 (_Float64 __x, _Float64 *__iptr) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (2)));



 extern _Float64 exp10f64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64 __exp10f64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__));




 extern _Float64 expm1f64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64 __expm1f64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__));


 extern _Float64 log1pf64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64 __log1pf64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__));


extern _Float64 logbf64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64 __logbf64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__));




 extern _Float64 exp2f64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64 __exp2f64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__));


 extern _Float64 log2f64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64 __log2f64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__));






 extern _Float64 powf64 (_Float64 __x, _Float64 __y) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64 __powf64 (_Float64 __x, _Float64 __y) __attribute__ ((__nothrow__ , __leaf__));


extern _Float64 sqrtf64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64 __sqrtf64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__));



 extern _Float64 hypotf64 (_Float64 __x, _Float64 __y) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64 __hypotf64 (_Float64 __x, _Float64 __y) __attribute__ ((__nothrow__ , __leaf__));




 extern _Float64 cbrtf64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64 __cbrtf64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__));






extern _Float64 ceilf64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float64 __ceilf64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern _Float64 fabsf64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float64 __fabsf64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern _Float64 floorf64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float64 __floorf64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern _Float64 fmodf64 (_Float64 __x, _Float64 __y) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64 __fmodf64 (_Float64 __x, _Float64 __y) __attribute__ ((__nothrow__ , __leaf__));
# 198 "/usr/include/x86_64-linux-gnu/bits/mathcalls.h" 3 4
extern _Float64 copysignf64 (_Float64 __x, _Float64 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float64 __copysignf64 (_Float64 __x, _Float64 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));




extern _Float64 nanf64 (const char *__tagb) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64 __nanf64 (const char *__tagb) __attribute__ ((__nothrow__ , __leaf__));
# 220 "/usr/include/x86_64-linux-gnu/bits/mathcalls.h" 3 4
extern _Float64 j0f64 (_Float64) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64 __j0f64 (_Float64) __attribute__ ((__nothrow__ , __leaf__));
extern _Float64 j1f64 (_Float64) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64 __j1f64 (_Float64) __attribute__ ((__nothrow__ , __leaf__));
extern _Float64 jnf64 (int, _Float64) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64 __jnf64 (int, _Float64) __attribute__ ((__nothrow__ , __leaf__));
extern _Float64 y0f64 (_Float64) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64 __y0f64 (_Float64) __attribute__ ((__nothrow__ , __leaf__));
extern _Float64 y1f64 (_Float64) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64 __y1f64 (_Float64) __attribute__ ((__nothrow__ , __leaf__));
extern _Float64 ynf64 (int, _Float64) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64 __ynf64 (int, _Float64) __attribute__ ((__nothrow__ , __leaf__));





 extern _Float64 erff64 (_Float64) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64 __erff64 (_Float64) __attribute__ ((__nothrow__ , __leaf__));
 extern _Float64 erfcf64 (_Float64) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64 __erfcf64 (_Float64) __attribute__ ((__nothrow__ , __leaf__));
extern _Float64 lgammaf64 (_Float64) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64 __lgammaf64 (_Float64) __attribute__ ((__nothrow__ , __leaf__));




extern _Float64 tgammaf64 (_Float64) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64 __tgammaf64 (_Float64) __attribute__ ((__nothrow__ , __leaf__));
# 252 "/usr/include/x86_64-linux-gnu/bits/mathcalls.h" 3 4
extern _Float64 lgammaf64_r (_Float64, int *__signgamp) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64 __lgammaf64_r (_Float64, int *__signgamp) __attribute__ ((__nothrow__ , __leaf__));






extern _Float64 rintf64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64 __rintf64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__));


extern _Float64 nextafterf64 (_Float64 __x, _Float64 __y) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64 __nextafterf64 (_Float64 __x, _Float64 __y) __attribute__ ((__nothrow__ , __leaf__));






extern _Float64 nextdownf64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64 __nextdownf64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__));

extern _Float64 nextupf64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64 __nextupf64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__));



extern _Float64 remainderf64 (_Float64 __x, _Float64 __y) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64 __remainderf64 (_Float64 __x, _Float64 __y) __attribute__ ((__nothrow__ , __leaf__));



extern _Float64 scalbnf64 (_Float64 __x, int __n) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64 __scalbnf64 (_Float64 __x, int __n) __attribute__ ((__nothrow__ , __leaf__));



extern int ilogbf64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__)); extern int __ilogbf64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__));




extern long int llogbf64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__)); extern long int __llogbf64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__));




extern _Float64 scalblnf64 (_Float64 __x, long int __n) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64 __scalblnf64 (_Float64 __x, long int __n) __attribute__ ((__nothrow__ , __leaf__));



extern _Float64 nearbyintf64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64 __nearbyintf64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__));



extern _Float64 roundf64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float64 __roundf64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));



extern _Float64 truncf64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float64 __truncf64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));




extern _Float64 remquof64 (_Float64 __x, _Float64 __y, int *__quo) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64 __remquof64 (_Float64 __x, _Float64 __y, int *__quo) __attribute__ ((__nothrow__ , __leaf__));






extern long int lrintf64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__)); extern long int __lrintf64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__));
__extension__
extern long long int llrintf64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__)); extern long long int __llrintf64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__));



extern long int lroundf64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__)); extern long int __lroundf64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__));
__extension__
extern long long int llroundf64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__)); extern long long int __llroundf64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__));



extern _Float64 fdimf64 (_Float64 __x, _Float64 __y) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64 __fdimf64 (_Float64 __x, _Float64 __y) __attribute__ ((__nothrow__ , __leaf__));



extern _Float64 fmaxf64 (_Float64 __x, _Float64 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float64 __fmaxf64 (_Float64 __x, _Float64 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern _Float64 fminf64 (_Float64 __x, _Float64 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float64 __fminf64 (_Float64 __x, _Float64 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));



extern _Float64 fmaf64 (_Float64 __x, _Float64 __y, _Float64 __z) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64 __fmaf64 (_Float64 __x, _Float64 __y, _Float64 __z) __attribute__ ((__nothrow__ , __leaf__));




extern _Float64 roundevenf64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float64 __roundevenf64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));



extern __intmax_t fromfpf64 (_Float64 __x, int __round, unsigned int __width) __attribute__ ((__nothrow__ , __leaf__)); extern __intmax_t __fromfpf64 (_Float64 __x, int __round, unsigned int __width) __attribute__ ((__nothrow__ , __leaf__))
                            ;



extern __uintmax_t ufromfpf64 (_Float64 __x, int __round, unsigned int __width) __attribute__ ((__nothrow__ , __leaf__)); extern __uintmax_t __ufromfpf64 (_Float64 __x, int __round, unsigned int __width) __attribute__ ((__nothrow__ , __leaf__))
                              ;




extern __intmax_t fromfpxf64 (_Float64 __x, int __round, unsigned int __width) __attribute__ ((__nothrow__ , __leaf__)); extern __intmax_t __fromfpxf64 (_Float64 __x, int __round, unsigned int __width) __attribute__ ((__nothrow__ , __leaf__))
                             ;




extern __uintmax_t ufromfpxf64 (_Float64 __x, int __round, unsigned int __width) __attribute__ ((__nothrow__ , __leaf__)); extern __uintmax_t __ufromfpxf64 (_Float64 __x, int __round, unsigned int __width) __attribute__ ((__nothrow__ , __leaf__))
                               ;


extern int canonicalizef64 (_Float64 *__cx, const _Float64 *__x) __attribute__ ((__nothrow__ , __leaf__));






extern _Float64 fmaxmagf64 (_Float64 __x, _Float64 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float64 __fmaxmagf64 (_Float64 __x, _Float64 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern _Float64 fminmagf64 (_Float64 __x, _Float64 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float64 __fminmagf64 (_Float64 __x, _Float64 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));




extern _Float64 fmaximumf64 (_Float64 __x, _Float64 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float64 __fmaximumf64 (_Float64 __x, _Float64 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern _Float64 fminimumf64 (_Float64 __x, _Float64 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float64 __fminimumf64 (_Float64 __x, _Float64 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern _Float64 fmaximum_numf64 (_Float64 __x, _Float64 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float64 __fmaximum_numf64 (_Float64 __x, _Float64 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern _Float64 fminimum_numf64 (_Float64 __x, _Float64 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float64 __fminimum_numf64 (_Float64 __x, _Float64 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern _Float64 fmaximum_magf64 (_Float64 __x, _Float64 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float64 __fmaximum_magf64 (_Float64 __x, _Float64 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern _Float64 fminimum_magf64 (_Float64 __x, _Float64 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float64 __fminimum_magf64 (_Float64 __x, _Float64 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern _Float64 fmaximum_mag_numf64 (_Float64 __x, _Float64 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float64 __fmaximum_mag_numf64 (_Float64 __x, _Float64 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern _Float64 fminimum_mag_numf64 (_Float64 __x, _Float64 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float64 __fminimum_mag_numf64 (_Float64 __x, _Float64 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));




extern int totalorderf64 (const _Float64 *__x, const _Float64 *__y) __attribute__ ((__nothrow__ , __leaf__))

     __attribute__ ((__pure__));


extern int totalordermagf64 (const _Float64 *__x, const _Float64 *__y) __attribute__ ((__nothrow__ , __leaf__))

     __attribute__ ((__pure__));


extern _Float64 getpayloadf64 (const _Float64 *__x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64 __getpayloadf64 (const _Float64 *__x) __attribute__ ((__nothrow__ , __leaf__));


extern int setpayloadf64 (_Float64 *__x, _Float64 __payload) __attribute__ ((__nothrow__ , __leaf__));


extern int setpayloadsigf64 (_Float64 *__x, _Float64 __payload) __attribute__ ((__nothrow__ , __leaf__));
# 468 "/usr/include/math.h" 2 3 4
# 481 "/usr/include/math.h" 3 4
# 1 "/usr/include/x86_64-linux-gnu/bits/mathcalls-helper-functions.h" 1 3 4
# 20 "/usr/include/x86_64-linux-gnu/bits/mathcalls-helper-functions.h" 3 4
extern int __fpclassifyf128 (_Float128 __value) __attribute__ ((__nothrow__ , __leaf__))
     __attribute__ ((__const__));


extern int __signbitf128 (_Float128 __value) __attribute__ ((__nothrow__ , __leaf__))
     __attribute__ ((__const__));



extern int __isinff128 (_Float128 __value) __attribute__ ((__nothrow__ , __leaf__))
  __attribute__ ((__const__));


extern int __finitef128 (_Float128 __value) __attribute__ ((__nothrow__ , __leaf__))
  __attribute__ ((__const__));


extern int __isnanf128 (_Float128 __value) __attribute__ ((__nothrow__ , __leaf__))
  __attribute__ ((__const__));


extern int __iseqsigf128 (_Float128 __x, _Float128 __y) __attribute__ ((__nothrow__ , __leaf__));


extern int __issignalingf128 (_Float128 __value) __attribute__ ((__nothrow__ , __leaf__))
     __attribute__ ((__const__));
# 482 "/usr/include/math.h" 2 3 4


# 1 "/usr/include/x86_64-linux-gnu/bits/mathcalls.h" 1 3 4
# 53 "/usr/include/x86_64-linux-gnu/bits/mathcalls.h" 3 4
 extern _Float128 acosf128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float128 __acosf128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__));

 extern _Float128 asinf128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float128 __asinf128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__));

 extern _Float128 atanf128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float128 __atanf128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__));

 extern _Float128 atan2f128 (_Float128 __y, _Float128 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float128 __atan2f128 (_Float128 __y, _Float128 __x) __attribute__ ((__nothrow__ , __leaf__));


 extern _Float128 cosf128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float128 __cosf128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__));

 extern _Float128 sinf128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float128 __sinf128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__));

 extern _Float128 tanf128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float128 __tanf128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__));




 extern _Float128 coshf128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float128 __coshf128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__));

 extern _Float128 sinhf128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float128 __sinhf128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__));

 extern _Float128 tanhf128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float128 __tanhf128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__));



 extern void sincosf128 (_Float128 __x, _Float128 *__sinx, _Float128 *__cosx) __attribute__ ((__nothrow__ , __leaf__)); extern void __sincosf128 (_Float128 __x, _Float128 *__sinx, _Float128 *__cosx) __attribute__ ((__nothrow__ , __leaf__))
                                                        ;




 extern _Float128 acoshf128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float128 __acoshf128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__));

 extern _Float128 asinhf128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float128 __asinhf128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__));

 extern _Float128 atanhf128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float128 __atanhf128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__));





 extern _Float128 expf128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float128 __expf128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__));


extern _Float128 frexpf128 (_Float128 __x, int *__exponent) __attribute__ ((__nothrow__ , __leaf__)); extern _Float128 __frexpf128 (_Float128 __x, int *__exponent) __attribute__ ((__nothrow__ , __leaf__));


extern _Float128 ldexpf128 (_Float128 __x, int __exponent) __attribute__ ((__nothrow__ , __leaf__)); extern _Float128 __ldexpf128 (_Float128 __x, int __exponent) __attribute__ ((__nothrow__ , __leaf__));


 extern _Float128 logf128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float128 __logf128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__));


 extern _Float128 log10f128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float128 __log10f128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__));


extern _Float128 modff128 (_Float128 __x, _Float128 *__iptr) __attribute__ ((__nothrow__ , __leaf__)); extern _Float128 __modff128 (_Float128 __x, _Float128 *__iptr) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (2)));



 extern _Float128 exp10f128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float128 __exp10f128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__));




 extern _Float128 expm1f128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float128 __expm1f128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__));


 extern _Float128 log1pf128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float128 __log1pf128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__));


extern _Float128 logbf128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float128 __logbf128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__));




 extern _Float128 exp2f128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float128 __exp2f128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__));


 extern _Float128 log2f128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float128 __log2f128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__));






 extern _Float128 powf128 (_Float128 __x, _Float128 __y) __attribute__ ((__nothrow__ , __leaf__)); extern _Float128 __powf128 (_Float128 __x, _Float128 __y) __attribute__ ((__nothrow__ , __leaf__));


extern _Float128 sqrtf128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float128 __sqrtf128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__));



 extern _Float128 hypotf128 (_Float128 __x, _Float128 __y) __attribute__ ((__nothrow__ , __leaf__)); extern _Float128 __hypotf128 (_Float128 __x, _Float128 __y) __attribute__ ((__nothrow__ , __leaf__));




 extern _Float128 cbrtf128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float128 __cbrtf128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__));






extern _Float128 ceilf128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float128 __ceilf128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern _Float128 fabsf128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float128 __fabsf128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern _Float128 floorf128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float128 __floorf128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern _Float128 fmodf128 (_Float128 __x, _Float128 __y) __attribute__ ((__nothrow__ , __leaf__)); extern _Float128 __fmodf128 (_Float128 __x, _Float128 __y) __attribute__ ((__nothrow__ , __leaf__));
# 198 "/usr/include/x86_64-linux-gnu/bits/mathcalls.h" 3 4
extern _Float128 copysignf128 (_Float128 __x, _Float128 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float128 __copysignf128 (_Float128 __x, _Float128 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));




extern _Float128 nanf128 (const char *__tagb) __attribute__ ((__nothrow__ , __leaf__)); extern _Float128 __nanf128 (const char *__tagb) __attribute__ ((__nothrow__ , __leaf__));
# 220 "/usr/include/x86_64-linux-gnu/bits/mathcalls.h" 3 4
extern _Float128 j0f128 (_Float128) __attribute__ ((__nothrow__ , __leaf__)); extern _Float128 __j0f128 (_Float128) __attribute__ ((__nothrow__ , __leaf__));
extern _Float128 j1f128 (_Float128) __attribute__ ((__nothrow__ , __leaf__)); extern _Float128 __j1f128 (_Float128) __attribute__ ((__nothrow__ , __leaf__));
extern _Float128 jnf128 (int, _Float128) __attribute__ ((__nothrow__ , __leaf__)); extern _Float128 __jnf128 (int, _Float128) __attribute__ ((__nothrow__ , __leaf__));
extern _Float128 y0f128 (_Float128) __attribute__ ((__nothrow__ , __leaf__)); extern _Float128 __y0f128 (_Float128) __attribute__ ((__nothrow__ , __leaf__));
extern _Float128 y1f128 (_Float128) __attribute__ ((__nothrow__ , __leaf__)); extern _Float128 __y1f128 (_Float128) __attribute__ ((__nothrow__ , __leaf__));
extern _Float128 ynf128 (int, _Float128) __attribute__ ((__nothrow__ , __leaf__)); extern _Float128 __ynf128 (int, _Float128) __attribute__ ((__nothrow__ , __leaf__));





 extern _Float128 erff128 (_Float128) __attribute__ ((__nothrow__ , __leaf__)); extern _Float128 __erff128 (_Float128) __attribute__ ((__nothrow__ , __leaf__));
 extern _Float128 erfcf128 (_Float128) __attribute__ ((__nothrow__ , __leaf__)); extern _Float128 __erfcf128 (_Float128) __attribute__ ((__nothrow__ , __leaf__));
extern _Float128 lgammaf128 (_Float128) __attribute__ ((__nothrow__ , __leaf__)); extern _Float128 __lgammaf128 (_Float128) __attribute__ ((__nothrow__ , __leaf__));




extern _Float128 tgammaf128 (_Float128) __attribute__ ((__nothrow__ , __leaf__)); extern _Float128 __tgammaf128 (_Float128) __attribute__ ((__nothrow__ , __leaf__));
# 252 "/usr/include/x86_64-linux-gnu/bits/mathcalls.h" 3 4
extern _Float128 lgammaf128_r (_Float128, int *__signgamp) __attribute__ ((__nothrow__ , __leaf__)); extern _Float128 __lgammaf128_r (_Float128, int *__signgamp) __attribute__ ((__nothrow__ , __leaf__));






extern _Float128 rintf128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float128 __rintf128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__));


extern _Float128 nextafterf128 (_Float128 __x, _Float128 __y) __attribute__ ((__nothrow__ , __leaf__)); extern _Float128 __nextafterf128 (_Float128 __x, _Float128 __y) __attribute__ ((__nothrow__ , __leaf__));






extern _Float128 nextdownf128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float128 __nextdownf128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__));

extern _Float128 nextupf128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float128 __nextupf128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__));



extern _Float128 remainderf128 (_Float128 __x, _Float128 __y) __attribute__ ((__nothrow__ , __leaf__)); extern _Float128 __remainderf128 (_Float128 __x, _Float128 __y) __attribute__ ((__nothrow__ , __leaf__));



extern _Float128 scalbnf128 (_Float128 __x, int __n) __attribute__ ((__nothrow__ , __leaf__)); extern _Float128 __scalbnf128 (_Float128 __x, int __n) __attribute__ ((__nothrow__ , __leaf__));



extern int ilogbf128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__)); extern int __ilogbf128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__));




extern long int llogbf128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__)); extern long int __llogbf128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__));




extern _Float128 scalblnf128 (_Float128 __x, long int __n) __attribute__ ((__nothrow__ , __leaf__)); extern _Float128 __scalblnf128 (_Float128 __x, long int __n) __attribute__ ((__nothrow__ , __leaf__));



extern _Float128 nearbyintf128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float128 __nearbyintf128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__));



extern _Float128 roundf128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float128 __roundf128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));



extern _Float128 truncf128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float128 __truncf128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));




extern _Float128 remquof128 (_Float128 __x, _Float128 __y, int *__quo) __attribute__ ((__nothrow__ , __leaf__)); extern _Float128 __remquof128 (_Float128 __x, _Float128 __y, int *__quo) __attribute__ ((__nothrow__ , __leaf__));






extern long int lrintf128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__)); extern long int __lrintf128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__));
__extension__
extern long long int llrintf128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__)); extern long long int __llrintf128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__));



extern long int lroundf128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__)); extern long int __lroundf128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__));
__extension__
extern long long int llroundf128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__)); extern long long int __llroundf128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__));



extern _Float128 fdimf128 (_Float128 __x, _Float128 __y) __attribute__ ((__nothrow__ , __leaf__)); extern _Float128 __fdimf128 (_Float128 __x, _Float128 __y) __attribute__ ((__nothrow__ , __leaf__));



extern _Float128 fmaxf128 (_Float128 __x, _Float128 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float128 __fmaxf128 (_Float128 __x, _Float128 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern _Float128 fminf128 (_Float128 __x, _Float128 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float128 __fminf128 (_Float128 __x, _Float128 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));



extern _Float128 fmaf128 (_Float128 __x, _Float128 __y, _Float128 __z) __attribute__ ((__nothrow__ , __leaf__)); extern _Float128 __fmaf128 (_Float128 __x, _Float128 __y, _Float128 __z) __attribute__ ((__nothrow__ , __leaf__));




extern _Float128 roundevenf128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float128 __roundevenf128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));



extern __intmax_t fromfpf128 (_Float128 __x, int __round, unsigned int __width) __attribute__ ((__nothrow__ , __leaf__)); extern __intmax_t __fromfpf128 (_Float128 __x, int __round, unsigned int __width) __attribute__ ((__nothrow__ , __leaf__))
                            ;



extern __uintmax_t ufromfpf128 (_Float128 __x, int __round, unsigned int __width) __attribute__ ((__nothrow__ , __leaf__)); extern __uintmax_t __ufromfpf128 (_Float128 __x, int __round, unsigned int __width) __attribute__ ((__nothrow__ , __leaf__))
                              ;




extern __intmax_t fromfpxf128 (_Float128 __x, int __round, unsigned int __width) __attribute__ ((__nothrow__ , __leaf__)); extern __intmax_t __fromfpxf128 (_Float128 __x, int __round, unsigned int __width) __attribute__ ((__nothrow__ , __leaf__))
                             ;




extern __uintmax_t ufromfpxf128 (_Float128 __x, int __round, unsigned int __width) __attribute__ ((__nothrow__ , __leaf__)); extern __uintmax_t __ufromfpxf128 (_Float128 __x, int __round, unsigned int __width) __attribute__ ((__nothrow__ , __leaf__))
                               ;


extern int canonicalizef128 (_Float128 *__cx, const _Float128 *__x) __attribute__ ((__nothrow__ , __leaf__));






extern _Float128 fmaxmagf128 (_Float128 __x, _Float128 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float128 __fmaxmagf128 (_Float128 __x, _Float128 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern _Float128 fminmagf128 (_Float128 __x, _Float128 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float128 __fminmagf128 (_Float128 __x, _Float128 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));




extern _Float128 fmaximumf128 (_Float128 __x, _Float128 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float128 __fmaximumf128 (_Float128 __x, _Float128 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern _Float128 fminimumf128 (_Float128 __x, _Float128 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float128 __fminimumf128 (_Float128 __x, _Float128 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern _Float128 fmaximum_numf128 (_Float128 __x, _Float128 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float128 __fmaximum_numf128 (_Float128 __x, _Float128 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern _Float128 fminimum_numf128 (_Float128 __x, _Float128 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float128 __fminimum_numf128 (_Float128 __x, _Float128 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern _Float128 fmaximum_magf128 (_Float128 __x, _Float128 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float128 __fmaximum_magf128 (_Float128 __x, _Float128 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern _Float128 fminimum_magf128 (_Float128 __x, _Float128 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float128 __fminimum_magf128 (_Float128 __x, _Float128 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern _Float128 fmaximum_mag_numf128 (_Float128 __x, _Float128 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float128 __fmaximum_mag_numf128 (_Float128 __x, _Float128 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern _Float128 fminimum_mag_numf128 (_Float128 __x, _Float128 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float128 __fminimum_mag_numf128 (_Float128 __x, _Float128 __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));




extern int totalorderf128 (const _Float128 *__x, const _Float128 *__y) __attribute__ ((__nothrow__ , __leaf__))

     __attribute__ ((__pure__));


extern int totalordermagf128 (const _Float128 *__x, const _Float128 *__y) __attribute__ ((__nothrow__ , __leaf__))

     __attribute__ ((__pure__));


extern _Float128 getpayloadf128 (const _Float128 *__x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float128 __getpayloadf128 (const _Float128 *__x) __attribute__ ((__nothrow__ , __leaf__));


extern int setpayloadf128 (_Float128 *__x, _Float128 __payload) __attribute__ ((__nothrow__ , __leaf__));


extern int setpayloadsigf128 (_Float128 *__x, _Float128 __payload) __attribute__ ((__nothrow__ , __leaf__));
# 485 "/usr/include/math.h" 2 3 4
# 501 "/usr/include/math.h" 3 4
# 1 "/usr/include/x86_64-linux-gnu/bits/mathcalls.h" 1 3 4
# 53 "/usr/include/x86_64-linux-gnu/bits/mathcalls.h" 3 4
 extern _Float32x acosf32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32x __acosf32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__));

 extern _Float32x asinf32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32x __asinf32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__));

 extern _Float32x atanf32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32x __atanf32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__));

 extern _Float32x atan2f32x (_Float32x __y, _Float32x __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32x __atan2f32x (_Float32x __y, _Float32x __x) __attribute__ ((__nothrow__ , __leaf__));


 extern _Float32x cosf32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32x __cosf32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__));

 extern _Float32x sinf32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32x __sinf32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__));

 extern _Float32x tanf32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32x __tanf32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__));




 extern _Float32x coshf32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32x __coshf32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__));

 extern _Float32x sinhf32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32x __sinhf32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__));

 extern _Float32x tanhf32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32x __tanhf32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__));



 extern void sincosf32x (_Float32x __x, _Float32x *__sinx, _Float32x *__cosx) __attribute__ ((__nothrow__ , __leaf__)); extern void __sincosf32x (_Float32x __x, _Float32x *__sinx, _Float32x *__cosx) __attribute__ ((__nothrow__ , __leaf__))
                                                        ;




 extern _Float32x acoshf32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32x __acoshf32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__));

 extern _Float32x asinhf32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32x __asinhf32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__));

 extern _Float32x atanhf32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32x __atanhf32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__));





 extern _Float32x expf32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32x __expf32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__));


extern _Float32x frexpf32x (_Float32x __x, int *__exponent) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32x __frexpf32x (_Float32x __x, int *__exponent) __attribute__ ((__nothrow__ , __leaf__));


extern _Float32x ldexpf32x (_Float32x __x, int __exponent) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32x __ldexpf32x (_Float32x __x, int __exponent) __attribute__ ((__nothrow__ , __leaf__));


 extern _Float32x logf32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32x __logf32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__));


 extern _Float32x log10f32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32x __log10f32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__));


extern _Float32x modff32x (_Float32x __x, _Float32x *__iptr) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32x __modff32x (_Float32x __x, _Float32x *__iptr) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (2)));



 extern _Float32x exp10f32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32x __exp10f32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__));




 extern _Float32x expm1f32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32x __expm1f32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__));


 extern _Float32x log1pf32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32x __log1pf32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__));


extern _Float32x logbf32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32x __logbf32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__));




 extern _Float32x exp2f32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32x __exp2f32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__));


 extern _Float32x log2f32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32x __log2f32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__));






 extern _Float32x powf32x (_Float32x __x, _Float32x __y) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32x __powf32x (_Float32x __x, _Float32x __y) __attribute__ ((__nothrow__ , __leaf__));


extern _Float32x sqrtf32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32x __sqrtf32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__));



 extern _Float32x hypotf32x (_Float32x __x, _Float32x __y) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32x __hypotf32x (_Float32x __x, _Float32x __y) __attribute__ ((__nothrow__ , __leaf__));




 extern _Float32x cbrtf32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32x __cbrtf32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__));






extern _Float32x ceilf32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float32x __ceilf32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern _Float32x fabsf32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float32x __fabsf32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern _Float32x floorf32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float32x __floorf32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern _Float32x fmodf32x (_Float32x __x, _Float32x __y) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32x __fmodf32x (_Float32x __x, _Float32x __y) __attribute__ ((__nothrow__ , __leaf__));
# 198 "/usr/include/x86_64-linux-gnu/bits/mathcalls.h" 3 4
extern _Float32x copysignf32x (_Float32x __x, _Float32x __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float32x __copysignf32x (_Float32x __x, _Float32x __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));




extern _Float32x nanf32x (const char *__tagb) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32x __nanf32x (const char *__tagb) __attribute__ ((__nothrow__ , __leaf__));
# 220 "/usr/include/x86_64-linux-gnu/bits/mathcalls.h" 3 4
extern _Float32x j0f32x (_Float32x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32x __j0f32x (_Float32x) __attribute__ ((__nothrow__ , __leaf__));
extern _Float32x j1f32x (_Float32x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32x __j1f32x (_Float32x) __attribute__ ((__nothrow__ , __leaf__));
extern _Float32x jnf32x (int, _Float32x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32x __jnf32x (int, _Float32x) __attribute__ ((__nothrow__ , __leaf__));
extern _Float32x y0f32x (_Float32x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32x __y0f32x (_Float32x) __attribute__ ((__nothrow__ , __leaf__));
extern _Float32x y1f32x (_Float32x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32x __y1f32x (_Float32x) __attribute__ ((__nothrow__ , __leaf__));
extern _Float32x ynf32x (int, _Float32x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32x __ynf32x (int, _Float32x) __attribute__ ((__nothrow__ , __leaf__));





 extern _Float32x erff32x (_Float32x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32x __erff32x (_Float32x) __attribute__ ((__nothrow__ , __leaf__));
 extern _Float32x erfcf32x (_Float32x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32x __erfcf32x (_Float32x) __attribute__ ((__nothrow__ , __leaf__));
extern _Float32x lgammaf32x (_Float32x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32x __lgammaf32x (_Float32x) __attribute__ ((__nothrow__ , __leaf__));




extern _Float32x tgammaf32x (_Float32x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32x __tgammaf32x (_Float32x) __attribute__ ((__nothrow__ , __leaf__));
# 252 "/usr/include/x86_64-linux-gnu/bits/mathcalls.h" 3 4
extern _Float32x lgammaf32x_r (_Float32x, int *__signgamp) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32x __lgammaf32x_r (_Float32x, int *__signgamp) __attribute__ ((__nothrow__ , __leaf__));






extern _Float32x rintf32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32x __rintf32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__));


extern _Float32x nextafterf32x (_Float32x __x, _Float32x __y) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32x __nextafterf32x (_Float32x __x, _Float32x __y) __attribute__ ((__nothrow__ , __leaf__));






extern _Float32x nextdownf32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32x __nextdownf32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__));

extern _Float32x nextupf32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32x __nextupf32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__));



extern _Float32x remainderf32x (_Float32x __x, _Float32x __y) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32x __remainderf32x (_Float32x __x, _Float32x __y) __attribute__ ((__nothrow__ , __leaf__));



extern _Float32x scalbnf32x (_Float32x __x, int __n) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32x __scalbnf32x (_Float32x __x, int __n) __attribute__ ((__nothrow__ , __leaf__));



extern int ilogbf32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__)); extern int __ilogbf32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__));




extern long int llogbf32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__)); extern long int __llogbf32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__));




extern _Float32x scalblnf32x (_Float32x __x, long int __n) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32x __scalblnf32x (_Float32x __x, long int __n) __attribute__ ((__nothrow__ , __leaf__));



extern _Float32x nearbyintf32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32x __nearbyintf32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__));



extern _Float32x roundf32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float32x __roundf32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));



extern _Float32x truncf32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float32x __truncf32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));




extern _Float32x remquof32x (_Float32x __x, _Float32x __y, int *__quo) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32x __remquof32x (_Float32x __x, _Float32x __y, int *__quo) __attribute__ ((__nothrow__ , __leaf__));






extern long int lrintf32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__)); extern long int __lrintf32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__));
__extension__
extern long long int llrintf32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__)); extern long long int __llrintf32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__));



extern long int lroundf32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__)); extern long int __lroundf32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__));
__extension__
extern long long int llroundf32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__)); extern long long int __llroundf32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__));



extern _Float32x fdimf32x (_Float32x __x, _Float32x __y) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32x __fdimf32x (_Float32x __x, _Float32x __y) __attribute__ ((__nothrow__ , __leaf__));



extern _Float32x fmaxf32x (_Float32x __x, _Float32x __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float32x __fmaxf32x (_Float32x __x, _Float32x __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern _Float32x fminf32x (_Float32x __x, _Float32x __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float32x __fminf32x (_Float32x __x, _Float32x __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));



extern _Float32x fmaf32x (_Float32x __x, _Float32x __y, _Float32x __z) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32x __fmaf32x (_Float32x __x, _Float32x __y, _Float32x __z) __attribute__ ((__nothrow__ , __leaf__));




extern _Float32x roundevenf32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float32x __roundevenf32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));



extern __intmax_t fromfpf32x (_Float32x __x, int __round, unsigned int __width) __attribute__ ((__nothrow__ , __leaf__)); extern __intmax_t __fromfpf32x (_Float32x __x, int __round, unsigned int __width) __attribute__ ((__nothrow__ , __leaf__))
                            ;



extern __uintmax_t ufromfpf32x (_Float32x __x, int __round, unsigned int __width) __attribute__ ((__nothrow__ , __leaf__)); extern __uintmax_t __ufromfpf32x (_Float32x __x, int __round, unsigned int __width) __attribute__ ((__nothrow__ , __leaf__))
                              ;




extern __intmax_t fromfpxf32x (_Float32x __x, int __round, unsigned int __width) __attribute__ ((__nothrow__ , __leaf__)); extern __intmax_t __fromfpxf32x (_Float32x __x, int __round, unsigned int __width) __attribute__ ((__nothrow__ , __leaf__))
                             ;




extern __uintmax_t ufromfpxf32x (_Float32x __x, int __round, unsigned int __width) __attribute__ ((__nothrow__ , __leaf__)); extern __uintmax_t __ufromfpxf32x (_Float32x __x, int __round, unsigned int __width) __attribute__ ((__nothrow__ , __leaf__))
                               ;


extern int canonicalizef32x (_Float32x *__cx, const _Float32x *__x) __attribute__ ((__nothrow__ , __leaf__));






extern _Float32x fmaxmagf32x (_Float32x __x, _Float32x __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float32x __fmaxmagf32x (_Float32x __x, _Float32x __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern _Float32x fminmagf32x (_Float32x __x, _Float32x __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float32x __fminmagf32x (_Float32x __x, _Float32x __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));




extern _Float32x fmaximumf32x (_Float32x __x, _Float32x __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float32x __fmaximumf32x (_Float32x __x, _Float32x __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern _Float32x fminimumf32x (_Float32x __x, _Float32x __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float32x __fminimumf32x (_Float32x __x, _Float32x __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern _Float32x fmaximum_numf32x (_Float32x __x, _Float32x __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float32x __fmaximum_numf32x (_Float32x __x, _Float32x __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern _Float32x fminimum_numf32x (_Float32x __x, _Float32x __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float32x __fminimum_numf32x (_Float32x __x, _Float32x __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern _Float32x fmaximum_magf32x (_Float32x __x, _Float32x __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float32x __fmaximum_magf32x (_Float32x __x, _Float32x __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern _Float32x fminimum_magf32x (_Float32x __x, _Float32x __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float32x __fminimum_magf32x (_Float32x __x, _Float32x __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern _Float32x fmaximum_mag_numf32x (_Float32x __x, _Float32x __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float32x __fmaximum_mag_numf32x (_Float32x __x, _Float32x __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern _Float32x fminimum_mag_numf32x (_Float32x __x, _Float32x __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float32x __fminimum_mag_numf32x (_Float32x __x, _Float32x __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));




extern int totalorderf32x (const _Float32x *__x, const _Float32x *__y) __attribute__ ((__nothrow__ , __leaf__))

     __attribute__ ((__pure__));


extern int totalordermagf32x (const _Float32x *__x, const _Float32x *__y) __attribute__ ((__nothrow__ , __leaf__))

     __attribute__ ((__pure__));


extern _Float32x getpayloadf32x (const _Float32x *__x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float32x __getpayloadf32x (const _Float32x *__x) __attribute__ ((__nothrow__ , __leaf__));


extern int setpayloadf32x (_Float32x *__x, _Float32x __payload) __attribute__ ((__nothrow__ , __leaf__));


extern int setpayloadsigf32x (_Float32x *__x, _Float32x __payload) __attribute__ ((__nothrow__ , __leaf__));
# 502 "/usr/include/math.h" 2 3 4
# 518 "/usr/include/math.h" 3 4
# 1 "/usr/include/x86_64-linux-gnu/bits/mathcalls.h" 1 3 4
# 53 "/usr/include/x86_64-linux-gnu/bits/mathcalls.h" 3 4
 extern _Float64x acosf64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64x __acosf64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__));

 extern _Float64x asinf64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64x __asinf64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__));

 extern _Float64x atanf64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64x __atanf64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__));

 extern _Float64x atan2f64x (_Float64x __y, _Float64x __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64x __atan2f64x (_Float64x __y, _Float64x __x) __attribute__ ((__nothrow__ , __leaf__));


 extern _Float64x cosf64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64x __cosf64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__));

 extern _Float64x sinf64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64x __sinf64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__));

 extern _Float64x tanf64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64x __tanf64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__));




 extern _Float64x coshf64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64x __coshf64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__));

 extern _Float64x sinhf64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64x __sinhf64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__));

 extern _Float64x tanhf64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64x __tanhf64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__));



 extern void sincosf64x (_Float64x __x, _Float64x *__sinx, _Float64x *__cosx) __attribute__ ((__nothrow__ , __leaf__)); extern void __sincosf64x (_Float64x __x, _Float64x *__sinx, _Float64x *__cosx) __attribute__ ((__nothrow__ , __leaf__))
                                                        ;




 extern _Float64x acoshf64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64x __acoshf64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__));

 extern _Float64x asinhf64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64x __asinhf64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__));

 extern _Float64x atanhf64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64x __atanhf64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__));





 extern _Float64x expf64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64x __expf64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__));


extern _Float64x frexpf64x (_Float64x __x, int *__exponent) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64x __frexpf64x (_Float64x __x, int *__exponent) __attribute__ ((__nothrow__ , __leaf__));


extern _Float64x ldexpf64x (_Float64x __x, int __exponent) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64x __ldexpf64x (_Float64x __x, int __exponent) __attribute__ ((__nothrow__ , __leaf__));


 extern _Float64x logf64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64x __logf64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__));


 extern _Float64x log10f64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64x __log10f64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__));


extern _Float64x modff64x (_Float64x __x, _Float64x *__iptr) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64x __modff64x (_Float64x __x, _Float64x *__iptr) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (2)));



 extern _Float64x exp10f64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64x __exp10f64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__));




 extern _Float64x expm1f64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64x __expm1f64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__));


 extern _Float64x log1pf64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64x __log1pf64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__));


extern _Float64x logbf64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64x __logbf64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__));




 extern _Float64x exp2f64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64x __exp2f64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__));


 extern _Float64x log2f64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64x __log2f64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__));






 extern _Float64x powf64x (_Float64x __x, _Float64x __y) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64x __powf64x (_Float64x __x, _Float64x __y) __attribute__ ((__nothrow__ , __leaf__));


extern _Float64x sqrtf64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64x __sqrtf64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__));



 extern _Float64x hypotf64x (_Float64x __x, _Float64x __y) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64x __hypotf64x (_Float64x __x, _Float64x __y) __attribute__ ((__nothrow__ , __leaf__));




 extern _Float64x cbrtf64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64x __cbrtf64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__));






extern _Float64x ceilf64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float64x __ceilf64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern _Float64x fabsf64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float64x __fabsf64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern _Float64x floorf64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float64x __floorf64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern _Float64x fmodf64x (_Float64x __x, _Float64x __y) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64x __fmodf64x (_Float64x __x, _Float64x __y) __attribute__ ((__nothrow__ , __leaf__));
# 198 "/usr/include/x86_64-linux-gnu/bits/mathcalls.h" 3 4
extern _Float64x copysignf64x (_Float64x __x, _Float64x __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float64x __copysignf64x (_Float64x __x, _Float64x __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));




extern _Float64x nanf64x (const char *__tagb) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64x __nanf64x (const char *__tagb) __attribute__ ((__nothrow__ , __leaf__));
# 220 "/usr/include/x86_64-linux-gnu/bits/mathcalls.h" 3 4
extern _Float64x j0f64x (_Float64x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64x __j0f64x (_Float64x) __attribute__ ((__nothrow__ , __leaf__));
extern _Float64x j1f64x (_Float64x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64x __j1f64x (_Float64x) __attribute__ ((__nothrow__ , __leaf__));
extern _Float64x jnf64x (int, _Float64x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64x __jnf64x (int, _Float64x) __attribute__ ((__nothrow__ , __leaf__));
extern _Float64x y0f64x (_Float64x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64x __y0f64x (_Float64x) __attribute__ ((__nothrow__ , __leaf__));
extern _Float64x y1f64x (_Float64x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64x __y1f64x (_Float64x) __attribute__ ((__nothrow__ , __leaf__));
extern _Float64x ynf64x (int, _Float64x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64x __ynf64x (int, _Float64x) __attribute__ ((__nothrow__ , __leaf__));





 extern _Float64x erff64x (_Float64x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64x __erff64x (_Float64x) __attribute__ ((__nothrow__ , __leaf__));
 extern _Float64x erfcf64x (_Float64x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64x __erfcf64x (_Float64x) __attribute__ ((__nothrow__ , __leaf__));
extern _Float64x lgammaf64x (_Float64x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64x __lgammaf64x (_Float64x) __attribute__ ((__nothrow__ , __leaf__));




extern _Float64x tgammaf64x (_Float64x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64x __tgammaf64x (_Float64x) __attribute__ ((__nothrow__ , __leaf__));
# 252 "/usr/include/x86_64-linux-gnu/bits/mathcalls.h" 3 4
extern _Float64x lgammaf64x_r (_Float64x, int *__signgamp) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64x __lgammaf64x_r (_Float64x, int *__signgamp) __attribute__ ((__nothrow__ , __leaf__));






extern _Float64x rintf64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64x __rintf64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__));


extern _Float64x nextafterf64x (_Float64x __x, _Float64x __y) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64x __nextafterf64x (_Float64x __x, _Float64x __y) __attribute__ ((__nothrow__ , __leaf__));






extern _Float64x nextdownf64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64x __nextdownf64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__));

extern _Float64x nextupf64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64x __nextupf64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__));



extern _Float64x remainderf64x (_Float64x __x, _Float64x __y) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64x __remainderf64x (_Float64x __x, _Float64x __y) __attribute__ ((__nothrow__ , __leaf__));



extern _Float64x scalbnf64x (_Float64x __x, int __n) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64x __scalbnf64x (_Float64x __x, int __n) __attribute__ ((__nothrow__ , __leaf__));



extern int ilogbf64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__)); extern int __ilogbf64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__));




extern long int llogbf64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__)); extern long int __llogbf64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__));




extern _Float64x scalblnf64x (_Float64x __x, long int __n) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64x __scalblnf64x (_Float64x __x, long int __n) __attribute__ ((__nothrow__ , __leaf__));



extern _Float64x nearbyintf64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64x __nearbyintf64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__));



extern _Float64x roundf64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float64x __roundf64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));



extern _Float64x truncf64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float64x __truncf64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));




extern _Float64x remquof64x (_Float64x __x, _Float64x __y, int *__quo) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64x __remquof64x (_Float64x __x, _Float64x __y, int *__quo) __attribute__ ((__nothrow__ , __leaf__));






extern long int lrintf64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__)); extern long int __lrintf64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__));
__extension__
extern long long int llrintf64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__)); extern long long int __llrintf64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__));



extern long int lroundf64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__)); extern long int __lroundf64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__));
__extension__
extern long long int llroundf64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__)); extern long long int __llroundf64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__));



extern _Float64x fdimf64x (_Float64x __x, _Float64x __y) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64x __fdimf64x (_Float64x __x, _Float64x __y) __attribute__ ((__nothrow__ , __leaf__));



extern _Float64x fmaxf64x (_Float64x __x, _Float64x __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float64x __fmaxf64x (_Float64x __x, _Float64x __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern _Float64x fminf64x (_Float64x __x, _Float64x __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float64x __fminf64x (_Float64x __x, _Float64x __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));



extern _Float64x fmaf64x (_Float64x __x, _Float64x __y, _Float64x __z) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64x __fmaf64x (_Float64x __x, _Float64x __y, _Float64x __z) __attribute__ ((__nothrow__ , __leaf__));




extern _Float64x roundevenf64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float64x __roundevenf64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));



extern __intmax_t fromfpf64x (_Float64x __x, int __round, unsigned int __width) __attribute__ ((__nothrow__ , __leaf__)); extern __intmax_t __fromfpf64x (_Float64x __x, int __round, unsigned int __width) __attribute__ ((__nothrow__ , __leaf__))
                            ;



extern __uintmax_t ufromfpf64x (_Float64x __x, int __round, unsigned int __width) __attribute__ ((__nothrow__ , __leaf__)); extern __uintmax_t __ufromfpf64x (_Float64x __x, int __round, unsigned int __width) __attribute__ ((__nothrow__ , __leaf__))
                              ;




extern __intmax_t fromfpxf64x (_Float64x __x, int __round, unsigned int __width) __attribute__ ((__nothrow__ , __leaf__)); extern __intmax_t __fromfpxf64x (_Float64x __x, int __round, unsigned int __width) __attribute__ ((__nothrow__ , __leaf__))
                             ;




extern __uintmax_t ufromfpxf64x (_Float64x __x, int __round, unsigned int __width) __attribute__ ((__nothrow__ , __leaf__)); extern __uintmax_t __ufromfpxf64x (_Float64x __x, int __round, unsigned int __width) __attribute__ ((__nothrow__ , __leaf__))
                               ;


extern int canonicalizef64x (_Float64x *__cx, const _Float64x *__x) __attribute__ ((__nothrow__ , __leaf__));






extern _Float64x fmaxmagf64x (_Float64x __x, _Float64x __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float64x __fmaxmagf64x (_Float64x __x, _Float64x __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern _Float64x fminmagf64x (_Float64x __x, _Float64x __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float64x __fminmagf64x (_Float64x __x, _Float64x __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));




extern _Float64x fmaximumf64x (_Float64x __x, _Float64x __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float64x __fmaximumf64x (_Float64x __x, _Float64x __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern _Float64x fminimumf64x (_Float64x __x, _Float64x __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float64x __fminimumf64x (_Float64x __x, _Float64x __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern _Float64x fmaximum_numf64x (_Float64x __x, _Float64x __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float64x __fmaximum_numf64x (_Float64x __x, _Float64x __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern _Float64x fminimum_numf64x (_Float64x __x, _Float64x __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float64x __fminimum_numf64x (_Float64x __x, _Float64x __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern _Float64x fmaximum_magf64x (_Float64x __x, _Float64x __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float64x __fmaximum_magf64x (_Float64x __x, _Float64x __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern _Float64x fminimum_magf64x (_Float64x __x, _Float64x __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float64x __fminimum_magf64x (_Float64x __x, _Float64x __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern _Float64x fmaximum_mag_numf64x (_Float64x __x, _Float64x __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float64x __fmaximum_mag_numf64x (_Float64x __x, _Float64x __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));


extern _Float64x fminimum_mag_numf64x (_Float64x __x, _Float64x __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)); extern _Float64x __fminimum_mag_numf64x (_Float64x __x, _Float64x __y) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));




extern int totalorderf64x (const _Float64x *__x, const _Float64x *__y) __attribute__ ((__nothrow__ , __leaf__))

     __attribute__ ((__pure__));


extern int totalordermagf64x (const _Float64x *__x, const _Float64x *__y) __attribute__ ((__nothrow__ , __leaf__))

     __attribute__ ((__pure__));


extern _Float64x getpayloadf64x (const _Float64x *__x) __attribute__ ((__nothrow__ , __leaf__)); extern _Float64x __getpayloadf64x (const _Float64x *__x) __attribute__ ((__nothrow__ , __leaf__));


extern int setpayloadf64x (_Float64x *__x, _Float64x __payload) __attribute__ ((__nothrow__ , __leaf__));


extern int setpayloadsigf64x (_Float64x *__x, _Float64x __payload) __attribute__ ((__nothrow__ , __leaf__));
# 519 "/usr/include/math.h" 2 3 4
# 566 "/usr/include/math.h" 3 4
# 1 "/usr/include/x86_64-linux-gnu/bits/mathcalls-narrow.h" 1 3 4
# 24 "/usr/include/x86_64-linux-gnu/bits/mathcalls-narrow.h" 3 4
extern float fadd (double __x, double __y) __attribute__ ((__nothrow__ , __leaf__));


extern float fdiv (double __x, double __y) __attribute__ ((__nothrow__ , __leaf__));


extern float ffma (double __x, double __y, double __z) __attribute__ ((__nothrow__ , __leaf__));


extern float fmul (double __x, double __y) __attribute__ ((__nothrow__ , __leaf__));


extern float fsqrt (double __x) __attribute__ ((__nothrow__ , __leaf__));


extern float fsub (double __x, double __y) __attribute__ ((__nothrow__ , __leaf__));
# 567 "/usr/include/math.h" 2 3 4
# 587 "/usr/include/math.h" 3 4
# 1 "/usr/include/x86_64-linux-gnu/bits/mathcalls-narrow.h" 1 3 4
# 24 "/usr/include/x86_64-linux-gnu/bits/mathcalls-narrow.h" 3 4
extern float faddl (long double __x, long double __y) __attribute__ ((__nothrow__ , __leaf__));


extern float fdivl (long double __x, long double __y) __attribute__ ((__nothrow__ , __leaf__));


extern float ffmal (long double __x, long double __y, long double __z) __attribute__ ((__nothrow__ , __leaf__));


extern float fmull (long double __x, long double __y) __attribute__ ((__nothrow__ , __leaf__));


extern float fsqrtl (long double __x) __attribute__ ((__nothrow__ , __leaf__));


extern float fsubl (long double __x, long double __y) __attribute__ ((__nothrow__ , __leaf__));
# 588 "/usr/include/math.h" 2 3 4
# 616 "/usr/include/math.h" 3 4
# 1 "/usr/include/x86_64-linux-gnu/bits/mathcalls-narrow.h" 1 3 4
# 24 "/usr/include/x86_64-linux-gnu/bits/mathcalls-narrow.h" 3 4
extern double daddl (long double __x, long double __y) __attribute__ ((__nothrow__ , __leaf__));


extern double ddivl (long double __x, long double __y) __attribute__ ((__nothrow__ , __leaf__));


extern double dfmal (long double __x, long double __y, long double __z) __attribute__ ((__nothrow__ , __leaf__));


extern double dmull (long double __x, long double __y) __attribute__ ((__nothrow__ , __leaf__));


extern double dsqrtl (long double __x) __attribute__ ((__nothrow__ , __leaf__));


extern double dsubl (long double __x, long double __y) __attribute__ ((__nothrow__ , __leaf__));
# 617 "/usr/include/math.h" 2 3 4
# 697 "/usr/include/math.h" 3 4
# 1 "/usr/include/x86_64-linux-gnu/bits/mathcalls-narrow.h" 1 3 4
# 24 "/usr/include/x86_64-linux-gnu/bits/mathcalls-narrow.h" 3 4
extern _Float32 f32addf32x (_Float32x __x, _Float32x __y) __attribute__ ((__nothrow__ , __leaf__));


extern _Float32 f32divf32x (_Float32x __x, _Float32x __y) __attribute__ ((__nothrow__ , __leaf__));


extern _Float32 f32fmaf32x (_Float32x __x, _Float32x __y, _Float32x __z) __attribute__ ((__nothrow__ , __leaf__));


extern _Float32 f32mulf32x (_Float32x __x, _Float32x __y) __attribute__ ((__nothrow__ , __leaf__));


extern _Float32 f32sqrtf32x (_Float32x __x) __attribute__ ((__nothrow__ , __leaf__));


extern _Float32 f32subf32x (_Float32x __x, _Float32x __y) __attribute__ ((__nothrow__ , __leaf__));
# 698 "/usr/include/math.h" 2 3 4
# 707 "/usr/include/math.h" 3 4
# 1 "/usr/include/x86_64-linux-gnu/bits/mathcalls-narrow.h" 1 3 4
# 24 "/usr/include/x86_64-linux-gnu/bits/mathcalls-narrow.h" 3 4
extern _Float32 f32addf64 (_Float64 __x, _Float64 __y) __attribute__ ((__nothrow__ , __leaf__));


extern _Float32 f32divf64 (_Float64 __x, _Float64 __y) __attribute__ ((__nothrow__ , __leaf__));


extern _Float32 f32fmaf64 (_Float64 __x, _Float64 __y, _Float64 __z) __attribute__ ((__nothrow__ , __leaf__));


extern _Float32 f32mulf64 (_Float64 __x, _Float64 __y) __attribute__ ((__nothrow__ , __leaf__));


extern _Float32 f32sqrtf64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__));


extern _Float32 f32subf64 (_Float64 __x, _Float64 __y) __attribute__ ((__nothrow__ , __leaf__));
# 708 "/usr/include/math.h" 2 3 4
# 717 "/usr/include/math.h" 3 4
# 1 "/usr/include/x86_64-linux-gnu/bits/mathcalls-narrow.h" 1 3 4
# 24 "/usr/include/x86_64-linux-gnu/bits/mathcalls-narrow.h" 3 4
extern _Float32 f32addf64x (_Float64x __x, _Float64x __y) __attribute__ ((__nothrow__ , __leaf__));


extern _Float32 f32divf64x (_Float64x __x, _Float64x __y) __attribute__ ((__nothrow__ , __leaf__));


extern _Float32 f32fmaf64x (_Float64x __x, _Float64x __y, _Float64x __z) __attribute__ ((__nothrow__ , __leaf__));


extern _Float32 f32mulf64x (_Float64x __x, _Float64x __y) __attribute__ ((__nothrow__ , __leaf__));


extern _Float32 f32sqrtf64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__));


extern _Float32 f32subf64x (_Float64x __x, _Float64x __y) __attribute__ ((__nothrow__ , __leaf__));
# 718 "/usr/include/math.h" 2 3 4
# 727 "/usr/include/math.h" 3 4
# 1 "/usr/include/x86_64-linux-gnu/bits/mathcalls-narrow.h" 1 3 4
# 24 "/usr/include/x86_64-linux-gnu/bits/mathcalls-narrow.h" 3 4
extern _Float32 f32addf128 (_Float128 __x, _Float128 __y) __attribute__ ((__nothrow__ , __leaf__));


extern _Float32 f32divf128 (_Float128 __x, _Float128 __y) __attribute__ ((__nothrow__ , __leaf__));


extern _Float32 f32fmaf128 (_Float128 __x, _Float128 __y, _Float128 __z) __attribute__ ((__nothrow__ , __leaf__));


extern _Float32 f32mulf128 (_Float128 __x, _Float128 __y) __attribute__ ((__nothrow__ , __leaf__));


extern _Float32 f32sqrtf128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__));


extern _Float32 f32subf128 (_Float128 __x, _Float128 __y) __attribute__ ((__nothrow__ , __leaf__));
# 728 "/usr/include/math.h" 2 3 4
# 747 "/usr/include/math.h" 3 4
# 1 "/usr/include/x86_64-linux-gnu/bits/mathcalls-narrow.h" 1 3 4
# 24 "/usr/include/x86_64-linux-gnu/bits/mathcalls-narrow.h" 3 4
extern _Float32x f32xaddf64 (_Float64 __x, _Float64 __y) __attribute__ ((__nothrow__ , __leaf__));


extern _Float32x f32xdivf64 (_Float64 __x, _Float64 __y) __attribute__ ((__nothrow__ , __leaf__));


extern _Float32x f32xfmaf64 (_Float64 __x, _Float64 __y, _Float64 __z) __attribute__ ((__nothrow__ , __leaf__));


extern _Float32x f32xmulf64 (_Float64 __x, _Float64 __y) __attribute__ ((__nothrow__ , __leaf__));


extern _Float32x f32xsqrtf64 (_Float64 __x) __attribute__ ((__nothrow__ , __leaf__));


extern _Float32x f32xsubf64 (_Float64 __x, _Float64 __y) __attribute__ ((__nothrow__ , __leaf__));
# 748 "/usr/include/math.h" 2 3 4
# 757 "/usr/include/math.h" 3 4
# 1 "/usr/include/x86_64-linux-gnu/bits/mathcalls-narrow.h" 1 3 4
# 24 "/usr/include/x86_64-linux-gnu/bits/mathcalls-narrow.h" 3 4
extern _Float32x f32xaddf64x (_Float64x __x, _Float64x __y) __attribute__ ((__nothrow__ , __leaf__));


extern _Float32x f32xdivf64x (_Float64x __x, _Float64x __y) __attribute__ ((__nothrow__ , __leaf__));


extern _Float32x f32xfmaf64x (_Float64x __x, _Float64x __y, _Float64x __z) __attribute__ ((__nothrow__ , __leaf__));


extern _Float32x f32xmulf64x (_Float64x __x, _Float64x __y) __attribute__ ((__nothrow__ , __leaf__));


extern _Float32x f32xsqrtf64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__));


extern _Float32x f32xsubf64x (_Float64x __x, _Float64x __y) __attribute__ ((__nothrow__ , __leaf__));
# 758 "/usr/include/math.h" 2 3 4
# 767 "/usr/include/math.h" 3 4
# 1 "/usr/include/x86_64-linux-gnu/bits/mathcalls-narrow.h" 1 3 4
# 24 "/usr/include/x86_64-linux-gnu/bits/mathcalls-narrow.h" 3 4
extern _Float32x f32xaddf128 (_Float128 __x, _Float128 __y) __attribute__ ((__nothrow__ , __leaf__));


extern _Float32x f32xdivf128 (_Float128 __x, _Float128 __y) __attribute__ ((__nothrow__ , __leaf__));


extern _Float32x f32xfmaf128 (_Float128 __x, _Float128 __y, _Float128 __z) __attribute__ ((__nothrow__ , __leaf__));


extern _Float32x f32xmulf128 (_Float128 __x, _Float128 __y) __attribute__ ((__nothrow__ , __leaf__));


extern _Float32x f32xsqrtf128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__));


extern _Float32x f32xsubf128 (_Float128 __x, _Float128 __y) __attribute__ ((__nothrow__ , __leaf__));
# 768 "/usr/include/math.h" 2 3 4
# 787 "/usr/include/math.h" 3 4
# 1 "/usr/include/x86_64-linux-gnu/bits/mathcalls-narrow.h" 1 3 4
# 24 "/usr/include/x86_64-linux-gnu/bits/mathcalls-narrow.h" 3 4
extern _Float64 f64addf64x (_Float64x __x, _Float64x __y) __attribute__ ((__nothrow__ , __leaf__));


extern _Float64 f64divf64x (_Float64x __x, _Float64x __y) __attribute__ ((__nothrow__ , __leaf__));


extern _Float64 f64fmaf64x (_Float64x __x, _Float64x __y, _Float64x __z) __attribute__ ((__nothrow__ , __leaf__));


extern _Float64 f64mulf64x (_Float64x __x, _Float64x __y) __attribute__ ((__nothrow__ , __leaf__));


extern _Float64 f64sqrtf64x (_Float64x __x) __attribute__ ((__nothrow__ , __leaf__));


extern _Float64 f64subf64x (_Float64x __x, _Float64x __y) __attribute__ ((__nothrow__ , __leaf__));
# 788 "/usr/include/math.h" 2 3 4
# 797 "/usr/include/math.h" 3 4
# 1 "/usr/include/x86_64-linux-gnu/bits/mathcalls-narrow.h" 1 3 4
# 24 "/usr/include/x86_64-linux-gnu/bits/mathcalls-narrow.h" 3 4
extern _Float64 f64addf128 (_Float128 __x, _Float128 __y) __attribute__ ((__nothrow__ , __leaf__));


extern _Float64 f64divf128 (_Float128 __x, _Float128 __y) __attribute__ ((__nothrow__ , __leaf__));


extern _Float64 f64fmaf128 (_Float128 __x, _Float128 __y, _Float128 __z) __attribute__ ((__nothrow__ , __leaf__));


extern _Float64 f64mulf128 (_Float128 __x, _Float128 __y) __attribute__ ((__nothrow__ , __leaf__));


extern _Float64 f64sqrtf128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__));


extern _Float64 f64subf128 (_Float128 __x, _Float128 __y) __attribute__ ((__nothrow__ , __leaf__));
# 798 "/usr/include/math.h" 2 3 4
# 817 "/usr/include/math.h" 3 4
# 1 "/usr/include/x86_64-linux-gnu/bits/mathcalls-narrow.h" 1 3 4
# 24 "/usr/include/x86_64-linux-gnu/bits/mathcalls-narrow.h" 3 4
extern _Float64x f64xaddf128 (_Float128 __x, _Float128 __y) __attribute__ ((__nothrow__ , __leaf__));


extern _Float64x f64xdivf128 (_Float128 __x, _Float128 __y) __attribute__ ((__nothrow__ , __leaf__));


extern _Float64x f64xfmaf128 (_Float128 __x, _Float128 __y, _Float128 __z) __attribute__ ((__nothrow__ , __leaf__));


extern _Float64x f64xmulf128 (_Float128 __x, _Float128 __y) __attribute__ ((__nothrow__ , __leaf__));


extern _Float64x f64xsqrtf128 (_Float128 __x) __attribute__ ((__nothrow__ , __leaf__));


extern _Float64x f64xsubf128 (_Float128 __x, _Float128 __y) __attribute__ ((__nothrow__ , __leaf__));
# 818 "/usr/include/math.h" 2 3 4
# 854 "/usr/include/math.h" 3 4
extern int signgam;
# 934 "/usr/include/math.h" 3 4
enum
  {
    FP_NAN =

      0,
    FP_INFINITE =

      1,
    FP_ZERO =

      2,
    FP_SUBNORMAL =

      3,
    FP_NORMAL =

      4
  };
# 1054 "/usr/include/math.h" 3 4
# 1 "/usr/include/x86_64-linux-gnu/bits/iscanonical.h" 1 3 4
# 23 "/usr/include/x86_64-linux-gnu/bits/iscanonical.h" 3 4
extern int __iscanonicall (long double __x)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));
# 1055 "/usr/include/math.h" 2 3 4
# 1471 "/usr/include/math.h" 3 4

# 3 "tests/ad/check.h" 2
# 1 "/usr/include/stdio.h" 1 3 4
# 27 "/usr/include/stdio.h" 3 4
# 1 "/usr/include/x86_64-linux-gnu/bits/libc-header-start.h" 1 3 4
# 28 "/usr/include/stdio.h" 2 3 4





# 1 "/usr/lib/gcc/x86_64-linux-gnu/12/include/stddef.h" 1 3 4
# 214 "/usr/lib/gcc/x86_64-linux-gnu/12/include/stddef.h" 3 4
typedef long unsigned int size_t;
# 34 "/usr/include/stdio.h" 2 3 4


# 1 "/usr/lib/gcc/x86_64-linux-gnu/12/include/stdarg.h" 1 3 4
# 40 "/usr/lib/gcc/x86_64-linux-gnu/12/include/stdarg.h" 3 4
typedef __builtin_va_list __gnuc_va_list;
# 37 "/usr/include/stdio.h" 2 3 4


# 1 "/usr/include/x86_64-linux-gnu/bits/types/__fpos_t.h" 1 3 4




# 1 "/usr/include/x86_64-linux-gnu/bits/types/__mbstate_t.h" 1 3 4
# 13 "/usr/include/x86_64-linux-gnu/bits/types/__mbstate_t.h" 3 4
typedef struct
{
  int __count;
  union
  {
    unsigned int __wch;
    char __wchb[4];
  } __value;
} __mbstate_t;
# 6 "/usr/include/x86_64-linux-gnu/bits/types/__fpos_t.h" 2 3 4




typedef struct _G_fpos_t
{
  __off_t __pos;
  __mbstate_t __state;
} __fpos_t;
# 40 "/usr/include/stdio.h" 2 3 4
# 1 "/usr/include/x86_64-linux-gnu/bits/types/__fpos64_t.h" 1 3 4
# 10 "/usr/include/x86_64-linux-gnu/bits/types/__fpos64_t.h" 3 4
typedef struct _G_fpos64_t
{
  __off64_t __pos;
  __mbstate_t __state;
} __fpos64_t;
# 41 "/usr/include/stdio.h" 2 3 4
# 1 "/usr/include/x86_64-linux-gnu/bits/types/__FILE.h" 1 3 4



struct _IO_FILE;
typedef struct _IO_FILE __FILE;
# 42 "/usr/include/stdio.h" 2 3 4
# 1 "/usr/include/x86_64-linux-gnu/bits/types/FILE.h" 1 3 4



struct _IO_FILE;


typedef struct _IO_FILE FILE;
# 43 "/usr/include/stdio.h" 2 3 4
# 1 "/usr/include/x86_64-linux-gnu/bits/types/struct_FILE.h" 1 3 4
# 35 "/usr/include/x86_64-linux-gnu/bits/types/struct_FILE.h" 3 4
struct _IO_FILE;
struct _IO_marker;
struct _IO_codecvt;
struct _IO_wide_data;




typedef void _IO_lock_t;





struct _IO_FILE
{
  int _flags;


  char *_IO_read_ptr;
  char *_IO_read_end;
  char *_IO_read_base;
  char *_IO_write_base;
  char *_IO_write_ptr;
  char *_IO_write_end;
  char *_IO_buf_base;
  char *_IO_buf_end;


  char *_IO_save_base;
  char *_IO_backup_base;
  char *_IO_save_end;

  struct _IO_marker *_markers;

  struct _IO_FILE *_chain;

  int _fileno;
  int _flags2;
  __off_t _old_offset;


  unsigned short _cur_column;
  signed char _vtable_offset;
  char _shortbuf[1];

  _IO_lock_t *_lock;







  __off64_t _offset;

  struct _IO_codecvt *_codecvt;
  struct _IO_wide_data *_wide_data;
  struct _IO_FILE *_freeres_list;
  void *_freeres_buf;
  size_t __pad5;
  int _mode;

  char _unused2[15 * sizeof (int) - 4 * sizeof (void *) - sizeof (size_t)];
};
# 44 "/usr/include/stdio.h" 2 3 4


# 1 "/usr/include/x86_64-linux-gnu/bits/types/cookie_io_functions_t.h" 1 3 4
# 27 "/usr/include/x86_64-linux-gnu/bits/types/cookie_io_functions_t.h" 3 4
typedef __ssize_t cookie_read_function_t (void *__cookie, char *__buf,
                                          size_t __nbytes);







typedef __ssize_t cookie_write_function_t (void *__cookie, const char *__buf,
                                           size_t __nbytes);







typedef int cookie_seek_function_t (void *__cookie, __off64_t *__pos, int __w);


typedef int cookie_close_function_t (void *__cookie);






typedef struct _IO_cookie_io_functions_t
{
  cookie_read_function_t *read;
  cookie_write_function_t *write;
  cookie_seek_function_t *seek;
  cookie_close_function_t *close;
} cookie_io_functions_t;
# 47 "/usr/include/stdio.h" 2 3 4





typedef __gnuc_va_list va_list;
# 63 "/usr/include/stdio.h" 3 4
typedef __off_t off_t;






typedef __off64_t off64_t;






typedef __ssize_t ssize_t;






typedef __fpos_t fpos_t;




typedef __fpos64_t fpos64_t;
# 133 "/usr/include/stdio.h" 3 4
# 1 "/usr/include/x86_64-linux-gnu/bits/stdio_lim.h" 1 3 4
# 134 "/usr/include/stdio.h" 2 3 4
# 143 "/usr/include/stdio.h" 3 4
extern FILE *stdin;
extern FILE *stdout;
extern FILE *stderr;






extern int remove (const char *__filename) __attribute__ ((__nothrow__ , __leaf__));

extern int rename (const char *__old, const char *__new) __attribute__ ((__nothrow__ , __leaf__));



extern int renameat (int __oldfd, const char *__old, int __newfd,
       const char *__new) __attribute__ ((__nothrow__ , __leaf__));
# 170 "/usr/include/stdio.h" 3 4
extern int renameat2 (int __oldfd, const char *__old, int __newfd,
        const char *__new, unsigned int __flags) __attribute__ ((__nothrow__ , __leaf__));






extern int fclose (FILE *__stream);
# 188 "/usr/include/stdio.h" 3 4
extern FILE *tmpfile (void)
  __attribute__ ((__malloc__)) __attribute__ ((__malloc__ (fclose, 1))) ;
# 200 "/usr/include/stdio.h" 3 4
extern FILE *tmpfile64 (void)
   __attribute__ ((__malloc__)) __attribute__ ((__malloc__ (fclose, 1))) ;



extern char *tmpnam (char[20]) __attribute__ ((__nothrow__ , __leaf__)) ;




extern char *tmpnam_r (char __s[20]) __attribute__ ((__nothrow__ , __leaf__)) ;
# 222 "/usr/include/stdio.h" 3 4
extern char *tempnam (const char *__dir, const char *__pfx)
   __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__malloc__)) __attribute__ ((__malloc__ (__builtin_free, 1)));






extern int fflush (FILE *__stream);
# 239 "/usr/include/stdio.h" 3 4
extern int fflush_unlocked (FILE *__stream);
# 249 "/usr/include/stdio.h" 3 4
extern int fcloseall (void);
# 258 "/usr/include/stdio.h" 3 4
extern FILE *fopen (const char *__restrict __filename,
      const char *__restrict __modes)
  __attribute__ ((__malloc__)) __attribute__ ((__malloc__ (fclose, 1))) ;




extern FILE *freopen (const char *__restrict __filename,
        const char *__restrict __modes,
        FILE *__restrict __stream) ;
# 283 "/usr/include/stdio.h" 3 4
extern FILE *fopen64 (const char *__restrict __filename,
        const char *__restrict __modes)
  __attribute__ ((__malloc__)) __attribute__ ((__malloc__ (fclose, 1))) ;
extern FILE *freopen64 (const char *__restrict __filename,
   const char *__restrict __modes,
   FILE *__restrict __stream) ;




extern FILE *fdopen (int __fd, const char *__modes) __attribute__ ((__nothrow__ , __leaf__))
  __attribute__ ((__malloc__)) __attribute__ ((__malloc__ (fclose, 1))) ;





extern FILE *fopencookie (void *__restrict __magic_cookie,
     const char *__restrict __modes,
     cookie_io_functions_t __io_funcs) __attribute__ ((__nothrow__ , __leaf__))
  __attribute__ ((__malloc__)) __attribute__ ((__malloc__ (fclose, 1))) ;




extern FILE *fmemopen (void *__s, size_t __len, const char *__modes)
  __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__malloc__)) __attribute__ ((__malloc__ (fclose, 1))) ;




extern FILE *open_memstream (char **__bufloc, size_t *__sizeloc) __attribute__ ((__nothrow__ , __leaf__))
  __attribute__ ((__malloc__)) __attribute__ ((__malloc__ (fclose, 1))) ;
# 328 "/usr/include/stdio.h" 3 4
extern void setbuf (FILE *__restrict __stream, char *__restrict __buf) __attribute__ ((__nothrow__ , __leaf__));



extern int setvbuf (FILE *__restrict __stream, char *__restrict __buf,
      int __modes, size_t __n) __attribute__ ((__nothrow__ , __leaf__));




extern void setbuffer (FILE *__restrict __stream, char *__restrict __buf,
         size_t __size) __attribute__ ((__nothrow__ , __leaf__));


extern void setlinebuf (FILE *__stream) __attribute__ ((__nothrow__ , __leaf__));







extern int fprintf (FILE *__restrict __stream,
      const char *__restrict __format, ...);




extern int printf (const char *__restrict __format, ...);

extern int sprintf (char *__restrict __s,
      const char *__restrict __format, ...) __attribute__ ((__nothrow__));





extern int vfprintf (FILE *__restrict __s, const char *__restrict __format,
       __gnuc_va_list __arg);




extern int vprintf (const char *__restrict __format, __gnuc_va_list __arg);

extern int vsprintf (char *__restrict __s, const char *__restrict __format,
       __gnuc_va_list __arg) __attribute__ ((__nothrow__));



extern int snprintf (char *__restrict __s, size_t __maxlen,
       const char *__restrict __format, ...)
     __attribute__ ((__nothrow__)) __attribute__ ((__format__ (__printf__, 3, 4)));

extern int vsnprintf (char *__restrict __s, size_t __maxlen,
        const char *__restrict __format, __gnuc_va_list __arg)
     __attribute__ ((__nothrow__)) __attribute__ ((__format__ (__printf__, 3, 0)));





extern int vasprintf (char **__restrict __ptr, const char *__restrict __f,
        __gnuc_va_list __arg)
     __attribute__ ((__nothrow__)) __attribute__ ((__format__ (__printf__, 2, 0))) ;
extern int __asprintf (char **__restrict __ptr,
         const char *__restrict __fmt, ...)
     __attribute__ ((__nothrow__)) __attribute__ ((__format__ (__printf__, 2, 3))) ;
extern int asprintf (char **__restrict __ptr,
       const char *__restrict __fmt, ...)
     __attribute__ ((__nothrow__)) __attribute__ ((__format__ (__printf__, 2, 3))) ;




extern int vdprintf (int __fd, const char *__restrict __fmt,
       __gnuc_va_list __arg)
     __attribute__ ((__format__ (__printf__, 2, 0)));
extern int dprintf (int __fd, const char *__restrict __fmt, ...)
     __attribute__ ((__format__ (__printf__, 2, 3)));







extern int fscanf (FILE *__restrict __stream,
     const char *__restrict __format, ...) ;




extern int scanf (const char *__restrict __format, ...) ;

extern int sscanf (const char *__restrict __s,
     const char *__restrict __format, ...) __attribute__ ((__nothrow__ , __leaf__));
# 434 "/usr/include/stdio.h" 3 4
extern int fscanf (FILE *__restrict __stream, const char *__restrict __format, ...) __asm__ ("" "__isoc99_fscanf")

                               ;
extern int scanf (const char *__restrict __format, ...) __asm__ ("" "__isoc99_scanf")
                              ;
extern int sscanf (const char *__restrict __s, const char *__restrict __format, ...) __asm__ ("" "__isoc99_sscanf") __attribute__ ((__nothrow__ , __leaf__))

                      ;
# 459 "/usr/include/stdio.h" 3 4
extern int vfscanf (FILE *__restrict __s, const char *__restrict __format,
      __gnuc_va_list __arg)
     __attribute__ ((__format__ (__scanf__, 2, 0))) ;





extern int vscanf (const char *__restrict __format, __gnuc_va_list __arg)
     __attribute__ ((__format__ (__scanf__, 1, 0))) ;


extern int vsscanf (const char *__restrict __s,
      const char *__restrict __format, __gnuc_va_list __arg)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__format__ (__scanf__, 2, 0)));





extern int vfscanf (FILE *__restrict __s, const char *__restrict __format, __gnuc_va_list __arg) __asm__ ("" "__isoc99_vfscanf")



     __attribute__ ((__format__ (__scanf__, 2, 0))) ;
extern int vscanf (const char *__restrict __format, __gnuc_va_list __arg) __asm__ ("" "__isoc99_vscanf")

     __attribute__ ((__format__ (__scanf__, 1, 0))) ;
extern int vsscanf (const char *__restrict __s, const char *__restrict __format, __gnuc_va_list __arg) __asm__ ("" "__isoc99_vsscanf") __attribute__ ((__nothrow__ , __leaf__))



     __attribute__ ((__format__ (__scanf__, 2, 0)));
# 513 "/usr/include/stdio.h" 3 4
extern int fgetc (FILE *__stream);
extern int getc (FILE *__stream);





extern int getchar (void);






extern int getc_unlocked (FILE *__stream);
extern int getchar_unlocked (void);
# 538 "/usr/include/stdio.h" 3 4
extern int fgetc_unlocked (FILE *__stream);
# 549 "/usr/include/stdio.h" 3 4
extern int fputc (int __c, FILE *__stream);
extern int putc (int __c, FILE *__stream);





extern int putchar (int __c);
# 565 "/usr/include/stdio.h" 3 4
extern int fputc_unlocked (int __c, FILE *__stream);







extern int putc_unlocked (int __c, FILE *__stream);
extern int putchar_unlocked (int __c);






extern int getw (FILE *__stream);


extern int putw (int __w, FILE *__stream);







extern char *fgets (char *__restrict __s, int __n, FILE *__restrict __stream)
     __attribute__ ((__access__ (__write_only__, 1, 2)));
# 615 "/usr/include/stdio.h" 3 4
extern char *fgets_unlocked (char *__restrict __s, int __n,
        FILE *__restrict __stream)
    __attribute__ ((__access__ (__write_only__, 1, 2)));
# 632 "/usr/include/stdio.h" 3 4
extern __ssize_t __getdelim (char **__restrict __lineptr,
                             size_t *__restrict __n, int __delimiter,
                             FILE *__restrict __stream) ;
extern __ssize_t getdelim (char **__restrict __lineptr,
                           size_t *__restrict __n, int __delimiter,
                           FILE *__restrict __stream) ;







extern __ssize_t getline (char **__restrict __lineptr,
                          size_t *__restrict __n,
                          FILE *__restrict __stream) ;







extern int fputs (const char *__restrict __s, FILE *__restrict __stream);





extern int puts (const char *__s);






extern int ungetc (int __c, FILE *__stream);






extern size_t fread (void *__restrict __ptr, size_t __size,
       size_t __n, FILE *__restrict __stream) ;




extern size_t fwrite (const void *__restrict __ptr, size_t __size,
        size_t __n, FILE *__restrict __s);
# 691 "/usr/include/stdio.h" 3 4
extern int fputs_unlocked (const char *__restrict __s,
      FILE *__restrict __stream);
# 702 "/usr/include/stdio.h" 3 4
extern size_t fread_unlocked (void *__restrict __ptr, size_t __size,
         size_t __n, FILE *__restrict __stream) ;
extern size_t fwrite_unlocked (const void *__restrict __ptr, size_t __size,
          size_t __n, FILE *__restrict __stream);







extern int fseek (FILE *__stream, long int __off, int __whence);




extern long int ftell (FILE *__stream) ;




extern void rewind (FILE *__stream);
# 736 "/usr/include/stdio.h" 3 4
extern int fseeko (FILE *__stream, __off_t __off, int __whence);




extern __off_t ftello (FILE *__stream) ;
# 760 "/usr/include/stdio.h" 3 4
extern int fgetpos (FILE *__restrict __stream, fpos_t *__restrict __pos);




extern int fsetpos (FILE *__stream, const fpos_t *__pos);
# 779 "/usr/include/stdio.h" 3 4
extern int fseeko64 (FILE *__stream, __off64_t __off, int __whence);
extern __off64_t ftello64 (FILE *__stream) ;
extern int fgetpos64 (FILE *__restrict __stream, fpos64_t *__restrict __pos);
extern int fsetpos64 (FILE *__stream, const fpos64_t *__pos);



extern void clearerr (FILE *__stream) __attribute__ ((__nothrow__ , __leaf__));

extern int feof (FILE *__stream) __attribute__ ((__nothrow__ , __leaf__)) ;

extern int ferror (FILE *__stream) __attribute__ ((__nothrow__ , __leaf__)) ;



extern void clearerr_unlocked (FILE *__stream) __attribute__ ((__nothrow__ , __leaf__));
extern int feof_unlocked (FILE *__stream) __attribute__ ((__nothrow__ , __leaf__)) ;
extern int ferror_unlocked (FILE *__stream) __attribute__ ((__nothrow__ , __leaf__)) ;







extern void perror (const char *__s);




extern int fileno (FILE *__stream) __attribute__ ((__nothrow__ , __leaf__)) ;




extern int fileno_unlocked (FILE *__stream) __attribute__ ((__nothrow__ , __leaf__)) ;
# 823 "/usr/include/stdio.h" 3 4
extern int pclose (FILE *__stream);





extern FILE *popen (const char *__command, const char *__modes)
  __attribute__ ((__malloc__)) __attribute__ ((__malloc__ (pclose, 1))) ;






extern char *ctermid (char *__s) __attribute__ ((__nothrow__ , __leaf__))
  __attribute__ ((__access__ (__write_only__, 1)));





extern char *cuserid (char *__s)
  __attribute__ ((__access__ (__write_only__, 1)));




struct obstack;


extern int obstack_printf (struct obstack *__restrict __obstack,
      const char *__restrict __format, ...)
     __attribute__ ((__nothrow__)) __attribute__ ((__format__ (__printf__, 2, 3)));
extern int obstack_vprintf (struct obstack *__restrict __obstack,
       const char *__restrict __format,
       __gnuc_va_list __args)
     __attribute__ ((__nothrow__)) __attribute__ ((__format__ (__printf__, 2, 0)));







extern void flockfile (FILE *__stream) __attribute__ ((__nothrow__ , __leaf__));



extern int ftrylockfile (FILE *__stream) __attribute__ ((__nothrow__ , __leaf__)) ;


extern void funlockfile (FILE *__stream) __attribute__ ((__nothrow__ , __leaf__));
# 885 "/usr/include/stdio.h" 3 4
extern int __uflow (FILE *);
extern int __overflow (FILE *, int);
# 902 "/usr/include/stdio.h" 3 4
# 1 "/usr/include/x86_64-linux-gnu/bits/stdio.h" 1 3 4
# 38 "/usr/include/x86_64-linux-gnu/bits/stdio.h" 3 4
extern __inline __attribute__ ((__gnu_inline__)) int
vprintf (const char *__restrict __fmt, __gnuc_va_list __arg)
{
  return vfprintf (stdout, __fmt, __arg);
}



extern __inline __attribute__ ((__gnu_inline__)) int
getchar (void)
{
  return getc (stdin);
}




extern __inline __attribute__ ((__gnu_inline__)) int
fgetc_unlocked (FILE *__fp)
{
  return (__builtin_expect (((__fp)->_IO_read_ptr >= (__fp)->_IO_read_end), 0) ? __uflow (__fp) : *(unsigned char *) (__fp)->_IO_read_ptr++);
}





extern __inline __attribute__ ((__gnu_inline__)) int
getc_unlocked (FILE *__fp)
{
  return (__builtin_expect (((__fp)->_IO_read_ptr >= (__fp)->_IO_read_end), 0) ? __uflow (__fp) : *(unsigned char *) (__fp)->_IO_read_ptr++);
}


extern __inline __attribute__ ((__gnu_inline__)) int
getchar_unlocked (void)
{
  return (__builtin_expect (((stdin)->_IO_read_ptr >= (stdin)->_IO_read_end), 0) ? __uflow (stdin) : *(unsigned char *) (stdin)->_IO_read_ptr++);
}




extern __inline __attribute__ ((__gnu_inline__)) int
putchar (int __c)
{
  return putc (__c, stdout);
}




extern __inline __attribute__ ((__gnu_inline__)) int
fputc_unlocked (int __c, FILE *__stream)
{
  return (__builtin_expect (((__stream)->_IO_write_ptr >= (__stream)->_IO_write_end), 0) ? __overflow (__stream, (unsigned char) (__c)) : (unsigned char) (*(__stream)->_IO_write_ptr++ = (__c)));
}





extern __inline __attribute__ ((__gnu_inline__)) int
putc_unlocked (int __c, FILE *__stream)
{
  return (__builtin_expect (((__stream)->_IO_write_ptr >= (__stream)->_IO_write_end), 0) ? __overflow (__stream, (unsigned char) (__c)) : (unsigned char) (*(__stream)->_IO_write_ptr++ = (__c)));
}


extern __inline __attribute__ ((__gnu_inline__)) int
putchar_unlocked (int __c)
{
  return (__builtin_expect (((stdout)->_IO_write_ptr >= (stdout)->_IO_write_end), 0) ? __overflow (stdout, (unsigned char) (__c)) : (unsigned char) (*(stdout)->_IO_write_ptr++ = (__c)));
}





extern __inline __attribute__ ((__gnu_inline__)) __ssize_t
getline (char **__lineptr, size_t *__n, FILE *__stream)
{
  return __getdelim (__lineptr, __n, '\n', __stream);
}





extern __inline __attribute__ ((__gnu_inline__)) int
__attribute__ ((__nothrow__ , __leaf__)) feof_unlocked (FILE *__stream)
{
  return (((__stream)->_flags & 0x0010) != 0);
}


extern __inline __attribute__ ((__gnu_inline__)) int
__attribute__ ((__nothrow__ , __leaf__)) ferror_unlocked (FILE *__stream)
{
  return (((__stream)->_flags & 0x0020) != 0);
}
# 903 "/usr/include/stdio.h" 2 3 4







# 4 "tests/ad/check.h" 2
# 1 "/usr/include/stdlib.h" 1 3 4
# 26 "/usr/include/stdlib.h" 3 4
# 1 "/usr/include/x86_64-linux-gnu/bits/libc-header-start.h" 1 3 4
# 27 "/usr/include/stdlib.h" 2 3 4





# 1 "/usr/lib/gcc/x86_64-linux-gnu/12/include/stddef.h" 1 3 4
# 329 "/usr/lib/gcc/x86_64-linux-gnu/12/include/stddef.h" 3 4
typedef int wchar_t;
# 33 "/usr/include/stdlib.h" 2 3 4







# 1 "/usr/include/x86_64-linux-gnu/bits/waitflags.h" 1 3 4
# 41 "/usr/include/stdlib.h" 2 3 4
# 1 "/usr/include/x86_64-linux-gnu/bits/waitstatus.h" 1 3 4
# 42 "/usr/include/stdlib.h" 2 3 4
# 59 "/usr/include/stdlib.h" 3 4
typedef struct
  {
    int quot;
    int rem;
  } div_t;



typedef struct
  {
    long int quot;
    long int rem;
  } ldiv_t;





__extension__ typedef struct
  {
    long long int quot;
    long long int rem;
  } lldiv_t;
# 98 "/usr/include/stdlib.h" 3 4
extern size_t __ctype_get_mb_cur_max (void) __attribute__ ((__nothrow__ , __leaf__)) ;



extern double atof (const char *__nptr)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__pure__)) __attribute__ ((__nonnull__ (1))) ;

extern int atoi (const char *__nptr)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__pure__)) __attribute__ ((__nonnull__ (1))) ;

extern long int atol (const char *__nptr)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__pure__)) __attribute__ ((__nonnull__ (1))) ;



__extension__ extern long long int atoll (const char *__nptr)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__pure__)) __attribute__ ((__nonnull__ (1))) ;



extern double strtod (const char *__restrict __nptr,
        char **__restrict __endptr)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1)));



extern float strtof (const char *__restrict __nptr,
       char **__restrict __endptr) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1)));

extern long double strtold (const char *__restrict __nptr,
       char **__restrict __endptr)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1)));
# 141 "/usr/include/stdlib.h" 3 4
extern _Float32 strtof32 (const char *__restrict __nptr,
     char **__restrict __endptr)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1)));



extern _Float64 strtof64 (const char *__restrict __nptr,
     char **__restrict __endptr)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1)));



extern _Float128 strtof128 (const char *__restrict __nptr,
       char **__restrict __endptr)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1)));



extern _Float32x strtof32x (const char *__restrict __nptr,
       char **__restrict __endptr)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1)));



extern _Float64x strtof64x (const char *__restrict __nptr,
       char **__restrict __endptr)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1)));
# 177 "/usr/include/stdlib.h" 3 4
extern long int strtol (const char *__restrict __nptr,
   char **__restrict __endptr, int __base)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1)));

extern unsigned long int strtoul (const char *__restrict __nptr,
      char **__restrict __endptr, int __base)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1)));



__extension__
extern long long int strtoq (const char *__restrict __nptr,
        char **__restrict __endptr, int __base)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1)));

__extension__
extern unsigned long long int strtouq (const char *__restrict __nptr,
           char **__restrict __endptr, int __base)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1)));




__extension__
extern long long int strtoll (const char *__restrict __nptr,
         char **__restrict __endptr, int __base)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1)));

__extension__
extern unsigned long long int strtoull (const char *__restrict __nptr,
     char **__restrict __endptr, int __base)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1)));




extern int strfromd (char *__dest, size_t __size, const char *__format,
       double __f)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (3)));

extern int strfromf (char *__dest, size_t __size, const char *__format,
       float __f)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (3)));

extern int strfroml (char *__dest, size_t __size, const char *__format,
       long double __f)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (3)));
# 233 "/usr/include/stdlib.h" 3 4
extern int strfromf32 (char *__dest, size_t __size, const char * __format,
         _Float32 __f)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (3)));



extern int strfromf64 (char *__dest, size_t __size, const char * __format,
         _Float64 __f)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (3)));



extern int strfromf128 (char *__dest, size_t __size, const char * __format,
   _Float128 __f)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (3)));



extern int strfromf32x (char *__dest, size_t __size, const char * __format,
   _Float32x __f)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (3)));



extern int strfromf64x (char *__dest, size_t __size, const char * __format,
   _Float64x __f)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (3)));
# 273 "/usr/include/stdlib.h" 3 4
# 1 "/usr/include/x86_64-linux-gnu/bits/types/locale_t.h" 1 3 4
# 22 "/usr/include/x86_64-linux-gnu/bits/types/locale_t.h" 3 4
# 1 "/usr/include/x86_64-linux-gnu/bits/types/__locale_t.h" 1 3 4
# 27 "/usr/include/x86_64-linux-gnu/bits/types/__locale_t.h" 3 4
struct __locale_struct
{

  struct __locale_data *__locales[13];


  const unsigned short int *__ctype_b;
  const int *__ctype_tolower;
  const int *__ctype_toupper;


  const char *__names[13];
};

typedef struct __locale_struct *__locale_t;
# 23 "/usr/include/x86_64-linux-gnu/bits/types/locale_t.h" 2 3 4

typedef __locale_t locale_t;
# 274 "/usr/include/stdlib.h" 2 3 4

extern long int strtol_l (const char *__restrict __nptr,
     char **__restrict __endptr, int __base,
     locale_t __loc) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1, 4)));

extern unsigned long int strtoul_l (const char *__restrict __nptr,
        char **__restrict __endptr,
        int __base, locale_t __loc)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1, 4)));

__extension__
extern long long int strtoll_l (const char *__restrict __nptr,
    char **__restrict __endptr, int __base,
    locale_t __loc)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1, 4)));

__extension__
extern unsigned long long int strtoull_l (const char *__restrict __nptr,
       char **__restrict __endptr,
       int __base, locale_t __loc)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1, 4)));

extern double strtod_l (const char *__restrict __nptr,
   char **__restrict __endptr, locale_t __loc)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1, 3)));

extern float strtof_l (const char *__restrict __nptr,
         char **__restrict __endptr, locale_t __loc)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1, 3)));

extern long double strtold_l (const char *__restrict __nptr,
         char **__restrict __endptr,
         locale_t __loc)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1, 3)));
# 317 "/usr/include/stdlib.h" 3 4
extern _Float32 strtof32_l (const char *__restrict __nptr,
       char **__restrict __endptr,
       locale_t __loc)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1, 3)));



extern _Float64 strtof64_l (const char *__restrict __nptr,
       char **__restrict __endptr,
       locale_t __loc)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1, 3)));



extern _Float128 strtof128_l (const char *__restrict __nptr,
         char **__restrict __endptr,
         locale_t __loc)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1, 3)));



extern _Float32x strtof32x_l (const char *__restrict __nptr,
         char **__restrict __endptr,
         locale_t __loc)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1, 3)));



extern _Float64x strtof64x_l (const char *__restrict __nptr,
         char **__restrict __endptr,
         locale_t __loc)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1, 3)));
# 361 "/usr/include/stdlib.h" 3 4
extern __inline __attribute__ ((__gnu_inline__)) int
__attribute__ ((__nothrow__ , __leaf__)) atoi (const char *__nptr)
{
  return (int) strtol (__nptr, (char **) ((void *)0), 10);
}
extern __inline __attribute__ ((__gnu_inline__)) long int
__attribute__ ((__nothrow__ , __leaf__)) atol (const char *__nptr)
{
  return strtol (__nptr, (char **) ((void *)0), 10);
}


__extension__ extern __inline __attribute__ ((__gnu_inline__)) long long int
__attribute__ ((__nothrow__ , __leaf__)) atoll (const char *__nptr)
{
  return strtoll (__nptr, (char **) ((void *)0), 10);
}
# 386 "/usr/include/stdlib.h" 3 4
extern char *l64a (long int __n) __attribute__ ((__nothrow__ , __leaf__)) ;


extern long int a64l (const char *__s)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__pure__)) __attribute__ ((__nonnull__ (1))) ;




# 1 "/usr/include/x86_64-linux-gnu/sys/types.h" 1 3 4
# 27 "/usr/include/x86_64-linux-gnu/sys/types.h" 3 4






typedef __u_char u_char;
typedef __u_short u_short;
typedef __u_int u_int;
typedef __u_long u_long;
typedef __quad_t quad_t;
typedef __u_quad_t u_quad_t;
typedef __fsid_t fsid_t;


typedef __loff_t loff_t;




typedef __ino_t ino_t;






typedef __ino64_t ino64_t;




typedef __dev_t dev_t;




typedef __gid_t gid_t;




typedef __mode_t mode_t;




typedef __nlink_t nlink_t;




typedef __uid_t uid_t;
# 97 "/usr/include/x86_64-linux-gnu/sys/types.h" 3 4
typedef __pid_t pid_t;





typedef __id_t id_t;
# 114 "/usr/include/x86_64-linux-gnu/sys/types.h" 3 4
typedef __daddr_t daddr_t;
typedef __caddr_t caddr_t;





typedef __key_t key_t;




# 1 "/usr/include/x86_64-linux-gnu/bits/types/clock_t.h" 1 3 4






typedef __clock_t clock_t;
# 127 "/usr/include/x86_64-linux-gnu/sys/types.h" 2 3 4

# 1 "/usr/include/x86_64-linux-gnu/bits/types/clockid_t.h" 1 3 4






typedef __clockid_t clockid_t;
# 129 "/usr/include/x86_64-linux-gnu/sys/types.h" 2 3 4
# 1 "/usr/include/x86_64-linux-gnu/bits/types/time_t.h" 1 3 4
# 10 "/usr/include/x86_64-linux-gnu/bits/types/time_t.h" 3 4
typedef __time_t time_t;
# 130 "/usr/include/x86_64-linux-gnu/sys/types.h" 2 3 4
# 1 "/usr/include/x86_64-linux-gnu/bits/types/timer_t.h" 1 3 4






typedef __timer_t timer_t;
# 131 "/usr/include/x86_64-linux-gnu/sys/types.h" 2 3 4



typedef __useconds_t useconds_t;



typedef __suseconds_t suseconds_t;





# 1 "/usr/lib/gcc/x86_64-linux-gnu/12/include/stddef.h" 1 3 4
# 145 "/usr/include/x86_64-linux-gnu/sys/types.h" 2 3 4



typedef unsigned long int ulong;
typedef unsigned short int ushort;
typedef unsigned int uint;




# 1 "/usr/include/x86_64-linux-gnu/bits/stdint-intn.h" 1 3 4
# 24 "/usr/include/x86_64-linux-gnu/bits/stdint-intn.h" 3 4
typedef __int8_t int8_t;
typedef __int16_t int16_t;
typedef __int32_t int32_t;
typedef __int64_t int64_t;
# 156 "/usr/include/x86_64-linux-gnu/sys/types.h" 2 3 4


typedef __uint8_t u_int8_t;
typedef __uint16_t u_int16_t;
typedef __uint32_t u_int32_t;
typedef __uint64_t u_int64_t;


typedef int register_t __attribute__ ((__mode__ (__word__)));
# 176 "/usr/include/x86_64-linux-gnu/sys/types.h" 3 4
# 1 "/usr/include/endian.h" 1 3 4
# 24 "/usr/include/endian.h" 3 4
# 1 "/usr/include/x86_64-linux-gnu/bits/endian.h" 1 3 4
# 35 "/usr/include/x86_64-linux-gnu/bits/endian.h" 3 4
# 1 "/usr/include/x86_64-linux-gnu/bits/endianness.h" 1 3 4
# 36 "/usr/include/x86_64-linux-gnu/bits/endian.h" 2 3 4
# 25 "/usr/include/endian.h" 2 3 4
# 35 "/usr/include/endian.h" 3 4
# 1 "/usr/include/x86_64-linux-gnu/bits/byteswap.h" 1 3 4
# 33 "/usr/include/x86_64-linux-gnu/bits/byteswap.h" 3 4
static __inline __uint16_t
__bswap_16 (__uint16_t __bsx)
{

  return __builtin_bswap16 (__bsx);



}






static __inline __uint32_t
__bswap_32 (__uint32_t __bsx)
{

  return __builtin_bswap32 (__bsx);



}
# 69 "/usr/include/x86_64-linux-gnu/bits/byteswap.h" 3 4
__extension__ static __inline __uint64_t
__bswap_64 (__uint64_t __bsx)
{

  return __builtin_bswap64 (__bsx);



}
# 36 "/usr/include/endian.h" 2 3 4
# 1 "/usr/include/x86_64-linux-gnu/bits/uintn-identity.h" 1 3 4
# 32 "/usr/include/x86_64-linux-gnu/bits/uintn-identity.h" 3 4
static __inline __uint16_t
__uint16_identity (__uint16_t __x)
{
  return __x;
}

static __inline __uint32_t
__uint32_identity (__uint32_t __x)
{
  return __x;
}

static __inline __uint64_t
__uint64_identity (__uint64_t __x)
{
  return __x;
}
# 37 "/usr/include/endian.h" 2 3 4
# 177 "/usr/include/x86_64-linux-gnu/sys/types.h" 2 3 4


# 1 "/usr/include/x86_64-linux-gnu/sys/select.h" 1 3 4
# 30 "/usr/include/x86_64-linux-gnu/sys/select.h" 3 4
# 1 "/usr/include/x86_64-linux-gnu/bits/select.h" 1 3 4
# 31 "/usr/include/x86_64-linux-gnu/sys/select.h" 2 3 4


# 1 "/usr/include/x86_64-linux-gnu/bits/types/sigset_t.h" 1 3 4



# 1 "/usr/include/x86_64-linux-gnu/bits/types/__sigset_t.h" 1 3 4




typedef struct
{
  unsigned long int __val[(1024 / (8 * sizeof (unsigned long int)))];
} __sigset_t;
# 5 "/usr/include/x86_64-linux-gnu/bits/types/sigset_t.h" 2 3 4


typedef __sigset_t sigset_t;
# 34 "/usr/include/x86_64-linux-gnu/sys/select.h" 2 3 4



# 1 "/usr/include/x86_64-linux-gnu/bits/types/struct_timeval.h" 1 3 4







struct timeval
{




  __time_t tv_sec;
  __suseconds_t tv_usec;

};
# 38 "/usr/include/x86_64-linux-gnu/sys/select.h" 2 3 4

# 1 "/usr/include/x86_64-linux-gnu/bits/types/struct_timespec.h" 1 3 4
# 11 "/usr/include/x86_64-linux-gnu/bits/types/struct_timespec.h" 3 4
struct timespec
{



  __time_t tv_sec;




  __syscall_slong_t tv_nsec;
# 31 "/usr/include/x86_64-linux-gnu/bits/types/struct_timespec.h" 3 4
};
# 40 "/usr/include/x86_64-linux-gnu/sys/select.h" 2 3 4
# 49 "/usr/include/x86_64-linux-gnu/sys/select.h" 3 4
typedef long int __fd_mask;
# 59 "/usr/include/x86_64-linux-gnu/sys/select.h" 3 4
typedef struct
  {



    __fd_mask fds_bits[1024 / (8 * (int) sizeof (__fd_mask))];





  } fd_set;






typedef __fd_mask fd_mask;
# 91 "/usr/include/x86_64-linux-gnu/sys/select.h" 3 4

# 102 "/usr/include/x86_64-linux-gnu/sys/select.h" 3 4
extern int select (int __nfds, fd_set *__restrict __readfds,
     fd_set *__restrict __writefds,
     fd_set *__restrict __exceptfds,
     struct timeval *__restrict __timeout);
# 127 "/usr/include/x86_64-linux-gnu/sys/select.h" 3 4
extern int pselect (int __nfds, fd_set *__restrict __readfds,
      fd_set *__restrict __writefds,
      fd_set *__restrict __exceptfds,
      const struct timespec *__restrict __timeout,
      const __sigset_t *__restrict __sigmask);
# 153 "/usr/include/x86_64-linux-gnu/sys/select.h" 3 4

# 180 "/usr/include/x86_64-linux-gnu/sys/types.h" 2 3 4





typedef __blksize_t blksize_t;






typedef __blkcnt_t blkcnt_t;



typedef __fsblkcnt_t fsblkcnt_t;



typedef __fsfilcnt_t fsfilcnt_t;
# 219 "/usr/include/x86_64-linux-gnu/sys/types.h" 3 4
typedef __blkcnt64_t blkcnt64_t;
typedef __fsblkcnt64_t fsblkcnt64_t;
typedef __fsfilcnt64_t fsfilcnt64_t;





# 1 "/usr/include/x86_64-linux-gnu/bits/pthreadtypes.h" 1 3 4
# 23 "/usr/include/x86_64-linux-gnu/bits/pthreadtypes.h" 3 4
# 1 "/usr/include/x86_64-linux-gnu/bits/thread-shared-types.h" 1 3 4
# 44 "/usr/include/x86_64-linux-gnu/bits/thread-shared-types.h" 3 4
# 1 "/usr/include/x86_64-linux-gnu/bits/pthreadtypes-arch.h" 1 3 4
# 21 "/usr/include/x86_64-linux-gnu/bits/pthreadtypes-arch.h" 3 4
# 1 "/usr/include/x86_64-linux-gnu/bits/wordsize.h" 1 3 4
# 22 "/usr/include/x86_64-linux-gnu/bits/pthreadtypes-arch.h" 2 3 4
# 45 "/usr/include/x86_64-linux-gnu/bits/thread-shared-types.h" 2 3 4

# 1 "/usr/include/x86_64-linux-gnu/bits/atomic_wide_counter.h" 1 3 4
# 25 "/usr/include/x86_64-linux-gnu/bits/atomic_wide_counter.h" 3 4
typedef union
{
  __extension__ unsigned long long int __value64;
  struct
  {
    unsigned int __low;
    unsigned int __high;
  } __value32;
} __atomic_wide_counter;
# 47 "/usr/include/x86_64-linux-gnu/bits/thread-shared-types.h" 2 3 4




typedef struct __pthread_internal_list
{
  struct __pthread_internal_list *__prev;
  struct __pthread_internal_list *__next;
} __pthread_list_t;

typedef struct __pthread_internal_slist
{
  struct __pthread_internal_slist *__next;
} __pthread_slist_t;
# 76 "/usr/include/x86_64-linux-gnu/bits/thread-shared-types.h" 3 4
# 1 "/usr/include/x86_64-linux-gnu/bits/struct_mutex.h" 1 3 4
# 22 "/usr/include/x86_64-linux-gnu/bits/struct_mutex.h" 3 4
struct __pthread_mutex_s
{
  int __lock;
  unsigned int __count;
  int __owner;

  unsigned int __nusers;



  int __kind;

  short __spins;
  short __elision;
  __pthread_list_t __list;
# 53 "/usr/include/x86_64-linux-gnu/bits/struct_mutex.h" 3 4
};
# 77 "/usr/include/x86_64-linux-gnu/bits/thread-shared-types.h" 2 3 4
# 89 "/usr/include/x86_64-linux-gnu/bits/thread-shared-types.h" 3 4
# 1 "/usr/include/x86_64-linux-gnu/bits/struct_rwlock.h" 1 3 4
# 23 "/usr/include/x86_64-linux-gnu/bits/struct_rwlock.h" 3 4
struct __pthread_rwlock_arch_t
{
  unsigned int __readers;
  unsigned int __writers;
  unsigned int __wrphase_futex;
  unsigned int __writers_futex;
  unsigned int __pad3;
  unsigned int __pad4;

  int __cur_writer;
  int __shared;
  signed char __rwelision;




  unsigned char __pad1[7];


  unsigned long int __pad2;


  unsigned int __flags;
# 55 "/usr/include/x86_64-linux-gnu/bits/struct_rwlock.h" 3 4
};
# 90 "/usr/include/x86_64-linux-gnu/bits/thread-shared-types.h" 2 3 4




struct __pthread_cond_s
{
  __atomic_wide_counter __wseq;
  __atomic_wide_counter __g1_start;
  unsigned int __g_refs[2] ;
  unsigned int __g_size[2];
  unsigned int __g1_orig_size;
  unsigned int __wrefs;
  unsigned int __g_signals[2];
};

typedef unsigned int __tss_t;
typedef unsigned long int __thrd_t;

typedef struct
{
  int __data ;
} __once_flag;
# 24 "/usr/include/x86_64-linux-gnu/bits/pthreadtypes.h" 2 3 4



typedef unsigned long int pthread_t;




typedef union
{
  char __size[4];
  int __align;
} pthread_mutexattr_t;




typedef union
{
  char __size[4];
  int __align;
} pthread_condattr_t;



typedef unsigned int pthread_key_t;



typedef int pthread_once_t;


union pthread_attr_t
{
  char __size[56];
  long int __align;
};

typedef union pthread_attr_t pthread_attr_t;




typedef union
{
  struct __pthread_mutex_s __data;
  char __size[40];
  long int __align;
} pthread_mutex_t;


typedef union
{
  struct __pthread_cond_s __data;
  char __size[48];
  __extension__ long long int __align;
} pthread_cond_t;





typedef union
{
  struct __pthread_rwlock_arch_t __data;
  char __size[56];
  long int __align;
} pthread_rwlock_t;

typedef union
{
  char __size[8];
  long int __align;
} pthread_rwlockattr_t;





typedef volatile int pthread_spinlock_t;




typedef union
{
  char __size[32];
  long int __align;
} pthread_barrier_t;

typedef union
{
  char __size[4];
  int __align;
} pthread_barrierattr_t;
# 228 "/usr/include/x86_64-linux-gnu/sys/types.h" 2 3 4



# 396 "/usr/include/stdlib.h" 2 3 4






extern long int random (void) __attribute__ ((__nothrow__ , __leaf__));


extern void srandom (unsigned int __seed) __attribute__ ((__nothrow__ , __leaf__));





extern char *initstate (unsigned int __seed, char *__statebuf,
   size_t __statelen) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (2)));



extern char *setstate (char *__statebuf) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1)));







struct random_data
  {
    int32_t *fptr;
    int32_t *rptr;
    int32_t *state;
    int rand_type;
    int rand_deg;
    int rand_sep;
    int32_t *end_ptr;
  };

extern int random_r (struct random_data *__restrict __buf,
       int32_t *__restrict __result) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1, 2)));

extern int srandom_r (unsigned int __seed, struct random_data *__buf)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (2)));

extern int initstate_r (unsigned int __seed, char *__restrict __statebuf,
   size_t __statelen,
   struct random_data *__restrict __buf)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (2, 4)));

extern int setstate_r (char *__restrict __statebuf,
         struct random_data *__restrict __buf)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1, 2)));





extern int rand (void) __attribute__ ((__nothrow__ , __leaf__));

extern void srand (unsigned int __seed) __attribute__ ((__nothrow__ , __leaf__));



extern int rand_r (unsigned int *__seed) __attribute__ ((__nothrow__ , __leaf__));







extern double drand48 (void) __attribute__ ((__nothrow__ , __leaf__));
extern double erand48 (unsigned short int __xsubi[3]) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1)));


extern long int lrand48 (void) __attribute__ ((__nothrow__ , __leaf__));
extern long int nrand48 (unsigned short int __xsubi[3])
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1)));


extern long int mrand48 (void) __attribute__ ((__nothrow__ , __leaf__));
extern long int jrand48 (unsigned short int __xsubi[3])
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1)));


extern void srand48 (long int __seedval) __attribute__ ((__nothrow__ , __leaf__));
extern unsigned short int *seed48 (unsigned short int __seed16v[3])
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1)));
extern void lcong48 (unsigned short int __param[7]) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1)));





struct drand48_data
  {
    unsigned short int __x[3];
    unsigned short int __old_x[3];
    unsigned short int __c;
    unsigned short int __init;
    __extension__ unsigned long long int __a;

  };


extern int drand48_r (struct drand48_data *__restrict __buffer,
        double *__restrict __result) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1, 2)));
extern int erand48_r (unsigned short int __xsubi[3],
        struct drand48_data *__restrict __buffer,
        double *__restrict __result) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1, 2)));


extern int lrand48_r (struct drand48_data *__restrict __buffer,
        long int *__restrict __result)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1, 2)));
extern int nrand48_r (unsigned short int __xsubi[3],
        struct drand48_data *__restrict __buffer,
        long int *__restrict __result)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1, 2)));


extern int mrand48_r (struct drand48_data *__restrict __buffer,
        long int *__restrict __result)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1, 2)));
extern int jrand48_r (unsigned short int __xsubi[3],
        struct drand48_data *__restrict __buffer,
        long int *__restrict __result)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1, 2)));


extern int srand48_r (long int __seedval, struct drand48_data *__buffer)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (2)));

extern int seed48_r (unsigned short int __seed16v[3],
       struct drand48_data *__buffer) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1, 2)));

extern int lcong48_r (unsigned short int __param[7],
        struct drand48_data *__buffer)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1, 2)));


extern __uint32_t arc4random (void)
     __attribute__ ((__nothrow__ , __leaf__)) ;


extern void arc4random_buf (void *__buf, size_t __size)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1)));



extern __uint32_t arc4random_uniform (__uint32_t __upper_bound)
     __attribute__ ((__nothrow__ , __leaf__)) ;




extern void *malloc (size_t __size) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__malloc__))
     __attribute__ ((__alloc_size__ (1))) ;

extern void *calloc (size_t __nmemb, size_t __size)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__malloc__)) __attribute__ ((__alloc_size__ (1, 2))) ;






extern void *realloc (void *__ptr, size_t __size)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__warn_unused_result__)) __attribute__ ((__alloc_size__ (2)));


extern void free (void *__ptr) __attribute__ ((__nothrow__ , __leaf__));







extern void *reallocarray (void *__ptr, size_t __nmemb, size_t __size)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__warn_unused_result__))
     __attribute__ ((__alloc_size__ (2, 3)))
    __attribute__ ((__malloc__ (__builtin_free, 1)));


extern void *reallocarray (void *__ptr, size_t __nmemb, size_t __size)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__malloc__ (reallocarray, 1)));



# 1 "/usr/include/alloca.h" 1 3 4
# 24 "/usr/include/alloca.h" 3 4
# 1 "/usr/lib/gcc/x86_64-linux-gnu/12/include/stddef.h" 1 3 4
# 25 "/usr/include/alloca.h" 2 3 4







extern void *alloca (size_t __size) __attribute__ ((__nothrow__ , __leaf__));






# 588 "/usr/include/stdlib.h" 2 3 4





extern void *valloc (size_t __size) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__malloc__))
     __attribute__ ((__alloc_size__ (1))) ;




extern int posix_memalign (void **__memptr, size_t __alignment, size_t __size)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1))) ;




extern void *aligned_alloc (size_t __alignment, size_t __size)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__malloc__)) __attribute__ ((__alloc_align__ (1)))
     __attribute__ ((__alloc_size__ (2))) ;



extern void abort (void) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__noreturn__));



extern int atexit (void (*__func) (void)) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1)));







extern int at_quick_exit (void (*__func) (void)) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1)));






extern int on_exit (void (*__func) (int __status, void *__arg), void *__arg)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1)));





extern void exit (int __status) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__noreturn__));





extern void quick_exit (int __status) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__noreturn__));





extern void _Exit (int __status) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__noreturn__));




extern char *getenv (const char *__name) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1))) ;




extern char *secure_getenv (const char *__name)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1))) ;






extern int putenv (char *__string) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1)));





extern int setenv (const char *__name, const char *__value, int __replace)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (2)));


extern int unsetenv (const char *__name) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1)));






extern int clearenv (void) __attribute__ ((__nothrow__ , __leaf__));
# 695 "/usr/include/stdlib.h" 3 4
extern char *mktemp (char *__template) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1)));
# 708 "/usr/include/stdlib.h" 3 4
extern int mkstemp (char *__template) __attribute__ ((__nonnull__ (1))) ;
# 718 "/usr/include/stdlib.h" 3 4
extern int mkstemp64 (char *__template) __attribute__ ((__nonnull__ (1))) ;
# 730 "/usr/include/stdlib.h" 3 4
extern int mkstemps (char *__template, int __suffixlen) __attribute__ ((__nonnull__ (1))) ;
# 740 "/usr/include/stdlib.h" 3 4
extern int mkstemps64 (char *__template, int __suffixlen)
     __attribute__ ((__nonnull__ (1))) ;
# 751 "/usr/include/stdlib.h" 3 4
extern char *mkdtemp (char *__template) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1))) ;
# 762 "/usr/include/stdlib.h" 3 4
extern int mkostemp (char *__template, int __flags) __attribute__ ((__nonnull__ (1))) ;
# 772 "/usr/include/stdlib.h" 3 4
extern int mkostemp64 (char *__template, int __flags) __attribute__ ((__nonnull__ (1))) ;
# 782 "/usr/include/stdlib.h" 3 4
extern int mkostemps (char *__template, int __suffixlen, int __flags)
     __attribute__ ((__nonnull__ (1))) ;
# 794 "/usr/include/stdlib.h" 3 4
extern int mkostemps64 (char *__template, int __suffixlen, int __flags)
     __attribute__ ((__nonnull__ (1))) ;
# 804 "/usr/include/stdlib.h" 3 4
extern int system (const char *__command) ;





extern char *canonicalize_file_name (const char *__name)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1))) __attribute__ ((__malloc__))
     __attribute__ ((__malloc__ (__builtin_free, 1))) ;
# 821 "/usr/include/stdlib.h" 3 4
extern char *realpath (const char *__restrict __name,
         char *__restrict __resolved) __attribute__ ((__nothrow__ , __leaf__)) ;






typedef int (*__compar_fn_t) (const void *, const void *);


typedef __compar_fn_t comparison_fn_t;



typedef int (*__compar_d_fn_t) (const void *, const void *, void *);




extern void *bsearch (const void *__key, const void *__base,
        size_t __nmemb, size_t __size, __compar_fn_t __compar)
     __attribute__ ((__nonnull__ (1, 2, 5))) ;


# 1 "/usr/include/x86_64-linux-gnu/bits/stdlib-bsearch.h" 1 3 4
# 19 "/usr/include/x86_64-linux-gnu/bits/stdlib-bsearch.h" 3 4
extern __inline __attribute__ ((__gnu_inline__)) void *
bsearch (const void *__key, const void *__base, size_t __nmemb, size_t __size,
  __compar_fn_t __compar)
{
  size_t __l, __u, __idx;
  const void *__p;
  int __comparison;

  __l = 0;
  __u = __nmemb;
  while (__l < __u)
    {
      __idx = (__l + __u) / 2;
      __p = (const void *) (((const char *) __base) + (__idx * __size));
      __comparison = (*__compar) (__key, __p);
      if (__comparison < 0)
 __u = __idx;
      else if (__comparison > 0)
 __l = __idx + 1;
      else
 {

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wcast-qual"

   return (void *) __p;

#pragma GCC diagnostic pop

 }
    }

  return ((void *)0);
}
# 847 "/usr/include/stdlib.h" 2 3 4




extern void qsort (void *__base, size_t __nmemb, size_t __size,
     __compar_fn_t __compar) __attribute__ ((__nonnull__ (1, 4)));

extern void qsort_r (void *__base, size_t __nmemb, size_t __size,
       __compar_d_fn_t __compar, void *__arg)
  __attribute__ ((__nonnull__ (1, 4)));




extern int abs (int __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)) ;
extern long int labs (long int __x) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)) ;


__extension__ extern long long int llabs (long long int __x)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)) ;






extern div_t div (int __numer, int __denom)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)) ;
extern ldiv_t ldiv (long int __numer, long int __denom)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)) ;


__extension__ extern lldiv_t lldiv (long long int __numer,
        long long int __denom)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__)) ;
# 893 "/usr/include/stdlib.h" 3 4
extern char *ecvt (double __value, int __ndigit, int *__restrict __decpt,
     int *__restrict __sign) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (3, 4))) ;




extern char *fcvt (double __value, int __ndigit, int *__restrict __decpt,
     int *__restrict __sign) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (3, 4))) ;




extern char *gcvt (double __value, int __ndigit, char *__buf)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (3))) ;




extern char *qecvt (long double __value, int __ndigit,
      int *__restrict __decpt, int *__restrict __sign)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (3, 4))) ;
extern char *qfcvt (long double __value, int __ndigit,
      int *__restrict __decpt, int *__restrict __sign)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (3, 4))) ;
extern char *qgcvt (long double __value, int __ndigit, char *__buf)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (3))) ;




extern int ecvt_r (double __value, int __ndigit, int *__restrict __decpt,
     int *__restrict __sign, char *__restrict __buf,
     size_t __len) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (3, 4, 5)));
extern int fcvt_r (double __value, int __ndigit, int *__restrict __decpt,
     int *__restrict __sign, char *__restrict __buf,
     size_t __len) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (3, 4, 5)));

extern int qecvt_r (long double __value, int __ndigit,
      int *__restrict __decpt, int *__restrict __sign,
      char *__restrict __buf, size_t __len)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (3, 4, 5)));
extern int qfcvt_r (long double __value, int __ndigit,
      int *__restrict __decpt, int *__restrict __sign,
      char *__restrict __buf, size_t __len)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (3, 4, 5)));





extern int mblen (const char *__s, size_t __n) __attribute__ ((__nothrow__ , __leaf__));


extern int mbtowc (wchar_t *__restrict __pwc,
     const char *__restrict __s, size_t __n) __attribute__ ((__nothrow__ , __leaf__));


extern int wctomb (char *__s, wchar_t __wchar) __attribute__ ((__nothrow__ , __leaf__));



extern size_t mbstowcs (wchar_t *__restrict __pwcs,
   const char *__restrict __s, size_t __n) __attribute__ ((__nothrow__ , __leaf__))
    __attribute__ ((__access__ (__read_only__, 2)));

extern size_t wcstombs (char *__restrict __s,
   const wchar_t *__restrict __pwcs, size_t __n)
     __attribute__ ((__nothrow__ , __leaf__))
  __attribute__ ((__access__ (__write_only__, 1, 3)))
  __attribute__ ((__access__ (__read_only__, 2)));






extern int rpmatch (const char *__response) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1))) ;
# 980 "/usr/include/stdlib.h" 3 4
extern int getsubopt (char **__restrict __optionp,
        char *const *__restrict __tokens,
        char **__restrict __valuep)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1, 2, 3))) ;







extern int posix_openpt (int __oflag) ;







extern int grantpt (int __fd) __attribute__ ((__nothrow__ , __leaf__));



extern int unlockpt (int __fd) __attribute__ ((__nothrow__ , __leaf__));




extern char *ptsname (int __fd) __attribute__ ((__nothrow__ , __leaf__)) ;






extern int ptsname_r (int __fd, char *__buf, size_t __buflen)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (2))) __attribute__ ((__access__ (__write_only__, 2, 3)));


extern int getpt (void);






extern int getloadavg (double __loadavg[], int __nelem)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1)));
# 1036 "/usr/include/stdlib.h" 3 4
# 1 "/usr/include/x86_64-linux-gnu/bits/stdlib-float.h" 1 3 4
# 24 "/usr/include/x86_64-linux-gnu/bits/stdlib-float.h" 3 4
extern __inline __attribute__ ((__gnu_inline__)) double
__attribute__ ((__nothrow__ , __leaf__)) atof (const char *__nptr)
{
  return strtod (__nptr, (char **) ((void *)0));
}
# 1037 "/usr/include/stdlib.h" 2 3 4
# 1048 "/usr/include/stdlib.h" 3 4

# 5 "tests/ad/check.h" 2
# 1 "/usr/include/string.h" 1 3 4
# 26 "/usr/include/string.h" 3 4
# 1 "/usr/include/x86_64-linux-gnu/bits/libc-header-start.h" 1 3 4
# 27 "/usr/include/string.h" 2 3 4






# 1 "/usr/lib/gcc/x86_64-linux-gnu/12/include/stddef.h" 1 3 4
# 34 "/usr/include/string.h" 2 3 4
# 43 "/usr/include/string.h" 3 4
extern void *memcpy (void *__restrict __dest, const void *__restrict __src,
       size_t __n) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1, 2)));


extern void *memmove (void *__dest, const void *__src, size_t __n)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1, 2)));





extern void *memccpy (void *__restrict __dest, const void *__restrict __src,
        int __c, size_t __n)
    __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1, 2))) __attribute__ ((__access__ (__write_only__, 1, 4)));




extern void *memset (void *__s, int __c, size_t __n) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1)));


extern int memcmp (const void *__s1, const void *__s2, size_t __n)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__pure__)) __attribute__ ((__nonnull__ (1, 2)));
# 80 "/usr/include/string.h" 3 4
extern int __memcmpeq (const void *__s1, const void *__s2, size_t __n)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__pure__)) __attribute__ ((__nonnull__ (1, 2)));
# 107 "/usr/include/string.h" 3 4
extern void *memchr (const void *__s, int __c, size_t __n)
      __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__pure__)) __attribute__ ((__nonnull__ (1)));
# 120 "/usr/include/string.h" 3 4
extern void *rawmemchr (const void *__s, int __c)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__pure__)) __attribute__ ((__nonnull__ (1)));
# 133 "/usr/include/string.h" 3 4
extern void *memrchr (const void *__s, int __c, size_t __n)
      __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__pure__)) __attribute__ ((__nonnull__ (1)))
      __attribute__ ((__access__ (__read_only__, 1, 3)));





extern char *strcpy (char *__restrict __dest, const char *__restrict __src)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1, 2)));

extern char *strncpy (char *__restrict __dest,
        const char *__restrict __src, size_t __n)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1, 2)));


extern char *strcat (char *__restrict __dest, const char *__restrict __src)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1, 2)));

extern char *strncat (char *__restrict __dest, const char *__restrict __src,
        size_t __n) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1, 2)));


extern int strcmp (const char *__s1, const char *__s2)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__pure__)) __attribute__ ((__nonnull__ (1, 2)));

extern int strncmp (const char *__s1, const char *__s2, size_t __n)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__pure__)) __attribute__ ((__nonnull__ (1, 2)));


extern int strcoll (const char *__s1, const char *__s2)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__pure__)) __attribute__ ((__nonnull__ (1, 2)));

extern size_t strxfrm (char *__restrict __dest,
         const char *__restrict __src, size_t __n)
    __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (2))) __attribute__ ((__access__ (__write_only__, 1, 3)));






extern int strcoll_l (const char *__s1, const char *__s2, locale_t __l)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__pure__)) __attribute__ ((__nonnull__ (1, 2, 3)));


extern size_t strxfrm_l (char *__dest, const char *__src, size_t __n,
    locale_t __l) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (2, 4)))
     __attribute__ ((__access__ (__write_only__, 1, 3)));





extern char *strdup (const char *__s)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__malloc__)) __attribute__ ((__nonnull__ (1)));






extern char *strndup (const char *__string, size_t __n)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__malloc__)) __attribute__ ((__nonnull__ (1)));
# 246 "/usr/include/string.h" 3 4
extern char *strchr (const char *__s, int __c)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__pure__)) __attribute__ ((__nonnull__ (1)));
# 273 "/usr/include/string.h" 3 4
extern char *strrchr (const char *__s, int __c)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__pure__)) __attribute__ ((__nonnull__ (1)));
# 286 "/usr/include/string.h" 3 4
extern char *strchrnul (const char *__s, int __c)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__pure__)) __attribute__ ((__nonnull__ (1)));





extern size_t strcspn (const char *__s, const char *__reject)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__pure__)) __attribute__ ((__nonnull__ (1, 2)));


extern size_t strspn (const char *__s, const char *__accept)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__pure__)) __attribute__ ((__nonnull__ (1, 2)));
# 323 "/usr/include/string.h" 3 4
extern char *strpbrk (const char *__s, const char *__accept)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__pure__)) __attribute__ ((__nonnull__ (1, 2)));
# 350 "/usr/include/string.h" 3 4
extern char *strstr (const char *__haystack, const char *__needle)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__pure__)) __attribute__ ((__nonnull__ (1, 2)));




extern char *strtok (char *__restrict __s, const char *__restrict __delim)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (2)));



extern char *__strtok_r (char *__restrict __s,
    const char *__restrict __delim,
    char **__restrict __save_ptr)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (2, 3)));

extern char *strtok_r (char *__restrict __s, const char *__restrict __delim,
         char **__restrict __save_ptr)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (2, 3)));
# 380 "/usr/include/string.h" 3 4
extern char *strcasestr (const char *__haystack, const char *__needle)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__pure__)) __attribute__ ((__nonnull__ (1, 2)));







extern void *memmem (const void *__haystack, size_t __haystacklen,
       const void *__needle, size_t __needlelen)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__pure__)) __attribute__ ((__nonnull__ (1, 3)))
    __attribute__ ((__access__ (__read_only__, 1, 2)))
    __attribute__ ((__access__ (__read_only__, 3, 4)));



extern void *__mempcpy (void *__restrict __dest,
   const void *__restrict __src, size_t __n)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1, 2)));
extern void *mempcpy (void *__restrict __dest,
        const void *__restrict __src, size_t __n)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1, 2)));




extern size_t strlen (const char *__s)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__pure__)) __attribute__ ((__nonnull__ (1)));




extern size_t strnlen (const char *__string, size_t __maxlen)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__pure__)) __attribute__ ((__nonnull__ (1)));




extern char *strerror (int __errnum) __attribute__ ((__nothrow__ , __leaf__));
# 444 "/usr/include/string.h" 3 4
extern char *strerror_r (int __errnum, char *__buf, size_t __buflen)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (2))) __attribute__ ((__access__ (__write_only__, 2, 3)));




extern const char *strerrordesc_np (int __err) __attribute__ ((__nothrow__ , __leaf__));

extern const char *strerrorname_np (int __err) __attribute__ ((__nothrow__ , __leaf__));





extern char *strerror_l (int __errnum, locale_t __l) __attribute__ ((__nothrow__ , __leaf__));



# 1 "/usr/include/strings.h" 1 3 4
# 23 "/usr/include/strings.h" 3 4
# 1 "/usr/lib/gcc/x86_64-linux-gnu/12/include/stddef.h" 1 3 4
# 24 "/usr/include/strings.h" 2 3 4










extern int bcmp (const void *__s1, const void *__s2, size_t __n)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__pure__)) __attribute__ ((__nonnull__ (1, 2)));


extern void bcopy (const void *__src, void *__dest, size_t __n)
  __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1, 2)));


extern void bzero (void *__s, size_t __n) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1)));
# 68 "/usr/include/strings.h" 3 4
extern char *index (const char *__s, int __c)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__pure__)) __attribute__ ((__nonnull__ (1)));
# 96 "/usr/include/strings.h" 3 4
extern char *rindex (const char *__s, int __c)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__pure__)) __attribute__ ((__nonnull__ (1)));






extern int ffs (int __i) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));





extern int ffsl (long int __l) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));
__extension__ extern int ffsll (long long int __ll)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));



extern int strcasecmp (const char *__s1, const char *__s2)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__pure__)) __attribute__ ((__nonnull__ (1, 2)));


extern int strncasecmp (const char *__s1, const char *__s2, size_t __n)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__pure__)) __attribute__ ((__nonnull__ (1, 2)));






extern int strcasecmp_l (const char *__s1, const char *__s2, locale_t __loc)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__pure__)) __attribute__ ((__nonnull__ (1, 2, 3)));



extern int strncasecmp_l (const char *__s1, const char *__s2,
     size_t __n, locale_t __loc)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__pure__)) __attribute__ ((__nonnull__ (1, 2, 4)));



# 463 "/usr/include/string.h" 2 3 4



extern void explicit_bzero (void *__s, size_t __n) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1)))
    __attribute__ ((__access__ (__write_only__, 1, 2)));



extern char *strsep (char **__restrict __stringp,
       const char *__restrict __delim)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1, 2)));




extern char *strsignal (int __sig) __attribute__ ((__nothrow__ , __leaf__));



extern const char *sigabbrev_np (int __sig) __attribute__ ((__nothrow__ , __leaf__));


extern const char *sigdescr_np (int __sig) __attribute__ ((__nothrow__ , __leaf__));



extern char *__stpcpy (char *__restrict __dest, const char *__restrict __src)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1, 2)));
extern char *stpcpy (char *__restrict __dest, const char *__restrict __src)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1, 2)));



extern char *__stpncpy (char *__restrict __dest,
   const char *__restrict __src, size_t __n)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1, 2)));
extern char *stpncpy (char *__restrict __dest,
        const char *__restrict __src, size_t __n)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1, 2)));




extern int strverscmp (const char *__s1, const char *__s2)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__pure__)) __attribute__ ((__nonnull__ (1, 2)));


extern char *strfry (char *__string) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1)));


extern void *memfrob (void *__s, size_t __n) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1)))
    __attribute__ ((__access__ (__read_write__, 1, 2)));
# 527 "/usr/include/string.h" 3 4
extern char *basename (const char *__filename) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1)));
# 539 "/usr/include/string.h" 3 4

# 6 "tests/ad/check.h" 2


# 7 "tests/ad/check.h"
double __enzyme_autodiff(void *, ...);

static int check(const char *name, double (*f)(double *, int), void (*gradient)(double *, double *, int), int n)
{
    double x[64], bar[64];
    int bad = 0;
    for (int i = 0; i < n; i++) {
        x[i] = 0.9 + 0.3 * sin(1.7 * i + 0.4);
        bar[i] = 0.0;
    }

    gradient(x, bar, n);
    gradient(x, bar, n);
    for (int i = 0; i < n; i++) {
        double h = 1e-5, at = x[i], d[4];
        for (int k = 0; k < 4; k++) {
            static const double step[4] = {1, -1, 2, -2};
            x[i] = at + step[k] * h;
            d[k] = f(x, n);
        }
        x[i] = at;
        double numeric = (8 * (d[0] - d[1]) - (d[2] - d[3])) / (12 * h);
        if (!(fabs(bar[i] / 2 - numeric) <= 1e-7 * (1 + fabs(numeric)))) {
            printf("%s: d/dx[%d] is %.12g, not %.12g\n", name, i, bar[i] / 2, numeric);
            bad = 1;
        }
    }
    return bad;
}
# 5 "tests/ad/mathlib.c" 2
# 1 "/usr/lib/gcc/x86_64-linux-gnu/12/include/float.h" 1 3 4
# 6 "tests/ad/mathlib.c" 2

float __enzyme_autodiff_float(void *, ...);
long double __enzyme_autodiff_long(void *, ...);

static int bad;

static void compare(const char *name, const char *width, double x, double exact, double numeric, double tolerance)
{
    if (!(fabs(exact - numeric) <= tolerance * (1 + fabs(numeric)))) {
        printf("%s%s at %g: %.15g, not %.15g\n", name, width, x, exact, numeric);
        bad = 1;
    }
}
# 40 "tests/ad/mathlib.c"
static double exp_d(double x) { return exp(x); } static float exp_f(float x) { return expf(x); } static long double exp_l(long double x) { return expl(x); } static double adjoin_exp_d_grad_0(double x); static float adjoin_exp_f_grad_1(float x); static long double adjoin_exp_l_grad_2(long double x); static void exp_test(double low, double high) { for (int k = 0; k < 5; k++) { double x = low + (high - low) * (k + 0.5) / 5; long double at = (long double)x, h = 1e-4L * (1 + fabsl(at)); long double numeric = (8 * (exp_l(at + h) - exp_l(at - h)) - (exp_l(at + 2 * h) - exp_l(at - 2 * h))) / (12 * h); compare("exp", "", x, adjoin_exp_d_grad_0(x), (double)numeric, 1e-10); compare("exp", "f", x, (double)adjoin_exp_f_grad_1((float)x), (double)numeric, 1e-4); compare("exp", "l", x, (double)adjoin_exp_l_grad_2((long double)x), (double)numeric, 1e-10); } } static double exp2_d(double x) { return exp2(x); } static float exp2_f(float x) { return exp2f(x); } static long double exp2_l(long double x) { return exp2l(x); } static double adjoin_exp2_d_grad_3(double x); static float adjoin_exp2_f_grad_4(float x); static long double adjoin_exp2_l_grad_5(long double x); static void exp2_test(double low, double high) { for (int k = 0; k < 5; k++) { double x = low + (high - low) * (k + 0.5) / 5; long double at = (long double)x, h = 1e-4L * (1 + fabsl(at)); long double numeric = (8 * (exp2_l(at + h) - exp2_l(at - h)) - (exp2_l(at + 2 * h) - exp2_l(at - 2 * h))) / (12 * h); compare("exp2", "", x, adjoin_exp2_d_grad_3(x), (double)numeric, 1e-10); compare("exp2", "f", x, (double)adjoin_exp2_f_grad_4((float)x), (double)numeric, 1e-4); compare("exp2", "l", x, (double)adjoin_exp2_l_grad_5((long double)x), (double)numeric, 1e-10); } } static double expm1_d(double x) { return expm1(x); } static float expm1_f(float x) { return expm1f(x); } static long double expm1_l(long double x) { return expm1l(x); } static double adjoin_expm1_d_grad_6(double x); static float adjoin_expm1_f_grad_7(float x); static long double adjoin_expm1_l_grad_8(long double x); static void expm1_test(double low, double high) { for (int k = 0; k < 5; k++) { double x = low + (high - low) * (k + 0.5) / 5; long double at = (long double)x, h = 1e-4L * (1 + fabsl(at)); long double numeric = (8 * (expm1_l(at + h) - expm1_l(at - h)) - (expm1_l(at + 2 * h) - expm1_l(at - 2 * h))) / (12 * h); compare("expm1", "", x, adjoin_expm1_d_grad_6(x), (double)numeric, 1e-10); compare("expm1", "f", x, (double)adjoin_expm1_f_grad_7((float)x), (double)numeric, 1e-4); compare("expm1", "l", x, (double)adjoin_expm1_l_grad_8((long double)x), (double)numeric, 1e-10); } } static double log_d(double x) { return log(x); } static float log_f(float x) { return logf(x); } static long double log_l(long double x) { return logl(x); } static double adjoin_log_d_grad_9(double x); static float adjoin_log_f_grad_10(float x); static long double adjoin_log_l_grad_11(long double x); static void log_test(double low, double high) { for (int k = 0; k < 5; k++) { double x = low + (high - low) * (k + 0.5) / 5; long double at = (long double)x, h = 1e-4L * (1 + fabsl(at)); long double numeric = (8 * (log_l(at + h) - log_l(at - h)) - (log_l(at + 2 * h) - log_l(at - 2 * h))) / (12 * h); compare("log", "", x, adjoin_log_d_grad_9(x), (double)numeric, 1e-10); compare("log", "f", x, (double)adjoin_log_f_grad_10((float)x), (double)numeric, 1e-4); compare("log", "l", x, (double)adjoin_log_l_grad_11((long double)x), (double)numeric, 1e-10); } } static double log2_d(double x) { return log2(x); } static float log2_f(float x) { return log2f(x); } static long double log2_l(long double x) { return log2l(x); } static double adjoin_log2_d_grad_12(double x); static float adjoin_log2_f_grad_13(float x); static long double adjoin_log2_l_grad_14(long double x); static void log2_test(double low, double high) { for (int k = 0; k < 5; k++) { double x = low + (high - low) * (k + 0.5) / 5; long double at = (long double)x, h = 1e-4L * (1 + fabsl(at)); long double numeric = (8 * (log2_l(at + h) - log2_l(at - h)) - (log2_l(at + 2 * h) - log2_l(at - 2 * h))) / (12 * h); compare("log2", "", x, adjoin_log2_d_grad_12(x), (double)numeric, 1e-10); compare("log2", "f", x, (double)adjoin_log2_f_grad_13((float)x), (double)numeric, 1e-4); compare("log2", "l", x, (double)adjoin_log2_l_grad_14((long double)x), (double)numeric, 1e-10); } } static double log10_d(double x) { return log10(x); } static float log10_f(float x) { return log10f(x); } static long double log10_l(long double x) { return log10l(x); } static double adjoin_log10_d_grad_15(double x); static float adjoin_log10_f_grad_16(float x); static long double adjoin_log10_l_grad_17(long double x); static void log10_test(double low, double high) { for (int k = 0; k < 5; k++) { double x = low + (high - low) * (k + 0.5) / 5; long double at = (long double)x, h = 1e-4L * (1 + fabsl(at)); long double numeric = (8 * (log10_l(at + h) - log10_l(at - h)) - (log10_l(at + 2 * h) - log10_l(at - 2 * h))) / (12 * h); compare("log10", "", x, adjoin_log10_d_grad_15(x), (double)numeric, 1e-10); compare("log10", "f", x, (double)adjoin_log10_f_grad_16((float)x), (double)numeric, 1e-4); compare("log10", "l", x, (double)adjoin_log10_l_grad_17((long double)x), (double)numeric, 1e-10); } } static double log1p_d(double x) { return log1p(x); } static float log1p_f(float x) { return log1pf(x); } static long double log1p_l(long double x) { return log1pl(x); } static double adjoin_log1p_d_grad_18(double x); static float adjoin_log1p_f_grad_19(float x); static long double adjoin_log1p_l_grad_20(long double x); static void log1p_test(double low, double high) { for (int k = 0; k < 5; k++) { double x = low + (high - low) * (k + 0.5) / 5; long double at = (long double)x, h = 1e-4L * (1 + fabsl(at)); long double numeric = (8 * (log1p_l(at + h) - log1p_l(at - h)) - (log1p_l(at + 2 * h) - log1p_l(at - 2 * h))) / (12 * h); compare("log1p", "", x, adjoin_log1p_d_grad_18(x), (double)numeric, 1e-10); compare("log1p", "f", x, (double)adjoin_log1p_f_grad_19((float)x), (double)numeric, 1e-4); compare("log1p", "l", x, (double)adjoin_log1p_l_grad_20((long double)x), (double)numeric, 1e-10); } } static double sqrt_d(double x) { return sqrt(x); } static float sqrt_f(float x) { return sqrtf(x); } static long double sqrt_l(long double x) { return sqrtl(x); } static double adjoin_sqrt_d_grad_21(double x); static float adjoin_sqrt_f_grad_22(float x); static long double adjoin_sqrt_l_grad_23(long double x); static void sqrt_test(double low, double high) { for (int k = 0; k < 5; k++) { double x = low + (high - low) * (k + 0.5) / 5; long double at = (long double)x, h = 1e-4L * (1 + fabsl(at)); long double numeric = (8 * (sqrt_l(at + h) - sqrt_l(at - h)) - (sqrt_l(at + 2 * h) - sqrt_l(at - 2 * h))) / (12 * h); compare("sqrt", "", x, adjoin_sqrt_d_grad_21(x), (double)numeric, 1e-10); compare("sqrt", "f", x, (double)adjoin_sqrt_f_grad_22((float)x), (double)numeric, 1e-4); compare("sqrt", "l", x, (double)adjoin_sqrt_l_grad_23((long double)x), (double)numeric, 1e-10); } } static double cbrt_d(double x) { return cbrt(x); } static float cbrt_f(float x) { return cbrtf(x); } static long double cbrt_l(long double x) { return cbrtl(x); } static double adjoin_cbrt_d_grad_24(double x); static float adjoin_cbrt_f_grad_25(float x); static long double adjoin_cbrt_l_grad_26(long double x); static void cbrt_test(double low, double high) { for (int k = 0; k < 5; k++) { double x = low + (high - low) * (k + 0.5) / 5; long double at = (long double)x, h = 1e-4L * (1 + fabsl(at)); long double numeric = (8 * (cbrt_l(at + h) - cbrt_l(at - h)) - (cbrt_l(at + 2 * h) - cbrt_l(at - 2 * h))) / (12 * h); compare("cbrt", "", x, adjoin_cbrt_d_grad_24(x), (double)numeric, 1e-10); compare("cbrt", "f", x, (double)adjoin_cbrt_f_grad_25((float)x), (double)numeric, 1e-4); compare("cbrt", "l", x, (double)adjoin_cbrt_l_grad_26((long double)x), (double)numeric, 1e-10); } }
static double sin_d(double x) { return sin(x); } static float sin_f(float x) { return sinf(x); } static long double sin_l(long double x) { return sinl(x); } static double adjoin_sin_d_grad_27(double x); static float adjoin_sin_f_grad_28(float x); static long double adjoin_sin_l_grad_29(long double x); static void sin_test(double low, double high) { for (int k = 0; k < 5; k++) { double x = low + (high - low) * (k + 0.5) / 5; long double at = (long double)x, h = 1e-4L * (1 + fabsl(at)); long double numeric = (8 * (sin_l(at + h) - sin_l(at - h)) - (sin_l(at + 2 * h) - sin_l(at - 2 * h))) / (12 * h); compare("sin", "", x, adjoin_sin_d_grad_27(x), (double)numeric, 1e-10); compare("sin", "f", x, (double)adjoin_sin_f_grad_28((float)x), (double)numeric, 1e-4); compare("sin", "l", x, (double)adjoin_sin_l_grad_29((long double)x), (double)numeric, 1e-10); } } static double cos_d(double x) { return cos(x); } static float cos_f(float x) { return cosf(x); } static long double cos_l(long double x) { return cosl(x); } static double adjoin_cos_d_grad_30(double x); static float adjoin_cos_f_grad_31(float x); static long double adjoin_cos_l_grad_32(long double x); static void cos_test(double low, double high) { for (int k = 0; k < 5; k++) { double x = low + (high - low) * (k + 0.5) / 5; long double at = (long double)x, h = 1e-4L * (1 + fabsl(at)); long double numeric = (8 * (cos_l(at + h) - cos_l(at - h)) - (cos_l(at + 2 * h) - cos_l(at - 2 * h))) / (12 * h); compare("cos", "", x, adjoin_cos_d_grad_30(x), (double)numeric, 1e-10); compare("cos", "f", x, (double)adjoin_cos_f_grad_31((float)x), (double)numeric, 1e-4); compare("cos", "l", x, (double)adjoin_cos_l_grad_32((long double)x), (double)numeric, 1e-10); } } static double tan_d(double x) { return tan(x); } static float tan_f(float x) { return tanf(x); } static long double tan_l(long double x) { return tanl(x); } static double adjoin_tan_d_grad_33(double x); static float adjoin_tan_f_grad_34(float x); static long double adjoin_tan_l_grad_35(long double x); static void tan_test(double low, double high) { for (int k = 0; k < 5; k++) { double x = low + (high - low) * (k + 0.5) / 5; long double at = (long double)x, h = 1e-4L * (1 + fabsl(at)); long double numeric = (8 * (tan_l(at + h) - tan_l(at - h)) - (tan_l(at + 2 * h) - tan_l(at - 2 * h))) / (12 * h); compare("tan", "", x, adjoin_tan_d_grad_33(x), (double)numeric, 1e-10); compare("tan", "f", x, (double)adjoin_tan_f_grad_34((float)x), (double)numeric, 1e-4); compare("tan", "l", x, (double)adjoin_tan_l_grad_35((long double)x), (double)numeric, 1e-10); } } static double asin_d(double x) { return asin(x); } static float asin_f(float x) { return asinf(x); } static long double asin_l(long double x) { return asinl(x); } static double adjoin_asin_d_grad_36(double x); static float adjoin_asin_f_grad_37(float x); static long double adjoin_asin_l_grad_38(long double x); static void asin_test(double low, double high) { for (int k = 0; k < 5; k++) { double x = low + (high - low) * (k + 0.5) / 5; long double at = (long double)x, h = 1e-4L * (1 + fabsl(at)); long double numeric = (8 * (asin_l(at + h) - asin_l(at - h)) - (asin_l(at + 2 * h) - asin_l(at - 2 * h))) / (12 * h); compare("asin", "", x, adjoin_asin_d_grad_36(x), (double)numeric, 1e-10); compare("asin", "f", x, (double)adjoin_asin_f_grad_37((float)x), (double)numeric, 1e-4); compare("asin", "l", x, (double)adjoin_asin_l_grad_38((long double)x), (double)numeric, 1e-10); } } static double acos_d(double x) { return acos(x); } static float acos_f(float x) { return acosf(x); } static long double acos_l(long double x) { return acosl(x); } static double adjoin_acos_d_grad_39(double x); static float adjoin_acos_f_grad_40(float x); static long double adjoin_acos_l_grad_41(long double x); static void acos_test(double low, double high) { for (int k = 0; k < 5; k++) { double x = low + (high - low) * (k + 0.5) / 5; long double at = (long double)x, h = 1e-4L * (1 + fabsl(at)); long double numeric = (8 * (acos_l(at + h) - acos_l(at - h)) - (acos_l(at + 2 * h) - acos_l(at - 2 * h))) / (12 * h); compare("acos", "", x, adjoin_acos_d_grad_39(x), (double)numeric, 1e-10); compare("acos", "f", x, (double)adjoin_acos_f_grad_40((float)x), (double)numeric, 1e-4); compare("acos", "l", x, (double)adjoin_acos_l_grad_41((long double)x), (double)numeric, 1e-10); } } static double atan_d(double x) { return atan(x); } static float atan_f(float x) { return atanf(x); } static long double atan_l(long double x) { return atanl(x); } static double adjoin_atan_d_grad_42(double x); static float adjoin_atan_f_grad_43(float x); static long double adjoin_atan_l_grad_44(long double x); static void atan_test(double low, double high) { for (int k = 0; k < 5; k++) { double x = low + (high - low) * (k + 0.5) / 5; long double at = (long double)x, h = 1e-4L * (1 + fabsl(at)); long double numeric = (8 * (atan_l(at + h) - atan_l(at - h)) - (atan_l(at + 2 * h) - atan_l(at - 2 * h))) / (12 * h); compare("atan", "", x, adjoin_atan_d_grad_42(x), (double)numeric, 1e-10); compare("atan", "f", x, (double)adjoin_atan_f_grad_43((float)x), (double)numeric, 1e-4); compare("atan", "l", x, (double)adjoin_atan_l_grad_44((long double)x), (double)numeric, 1e-10); } } static double sinh_d(double x) { return sinh(x); } static float sinh_f(float x) { return sinhf(x); } static long double sinh_l(long double x) { return sinhl(x); } static double adjoin_sinh_d_grad_45(double x); static float adjoin_sinh_f_grad_46(float x); static long double adjoin_sinh_l_grad_47(long double x); static void sinh_test(double low, double high) { for (int k = 0; k < 5; k++) { double x = low + (high - low) * (k + 0.5) / 5; long double at = (long double)x, h = 1e-4L * (1 + fabsl(at)); long double numeric = (8 * (sinh_l(at + h) - sinh_l(at - h)) - (sinh_l(at + 2 * h) - sinh_l(at - 2 * h))) / (12 * h); compare("sinh", "", x, adjoin_sinh_d_grad_45(x), (double)numeric, 1e-10); compare("sinh", "f", x, (double)adjoin_sinh_f_grad_46((float)x), (double)numeric, 1e-4); compare("sinh", "l", x, (double)adjoin_sinh_l_grad_47((long double)x), (double)numeric, 1e-10); } } static double cosh_d(double x) { return cosh(x); } static float cosh_f(float x) { return coshf(x); } static long double cosh_l(long double x) { return coshl(x); } static double adjoin_cosh_d_grad_48(double x); static float adjoin_cosh_f_grad_49(float x); static long double adjoin_cosh_l_grad_50(long double x); static void cosh_test(double low, double high) { for (int k = 0; k < 5; k++) { double x = low + (high - low) * (k + 0.5) / 5; long double at = (long double)x, h = 1e-4L * (1 + fabsl(at)); long double numeric = (8 * (cosh_l(at + h) - cosh_l(at - h)) - (cosh_l(at + 2 * h) - cosh_l(at - 2 * h))) / (12 * h); compare("cosh", "", x, adjoin_cosh_d_grad_48(x), (double)numeric, 1e-10); compare("cosh", "f", x, (double)adjoin_cosh_f_grad_49((float)x), (double)numeric, 1e-4); compare("cosh", "l", x, (double)adjoin_cosh_l_grad_50((long double)x), (double)numeric, 1e-10); } } static double tanh_d(double x) { return tanh(x); } static float tanh_f(float x) { return tanhf(x); } static long double tanh_l(long double x) { return tanhl(x); } static double adjoin_tanh_d_grad_51(double x); static float adjoin_tanh_f_grad_52(float x); static long double adjoin_tanh_l_grad_53(long double x); static void tanh_test(double low, double high) { for (int k = 0; k < 5; k++) { double x = low + (high - low) * (k + 0.5) / 5; long double at = (long double)x, h = 1e-4L * (1 + fabsl(at)); long double numeric = (8 * (tanh_l(at + h) - tanh_l(at - h)) - (tanh_l(at + 2 * h) - tanh_l(at - 2 * h))) / (12 * h); compare("tanh", "", x, adjoin_tanh_d_grad_51(x), (double)numeric, 1e-10); compare("tanh", "f", x, (double)adjoin_tanh_f_grad_52((float)x), (double)numeric, 1e-4); compare("tanh", "l", x, (double)adjoin_tanh_l_grad_53((long double)x), (double)numeric, 1e-10); } } static double asinh_d(double x) { return asinh(x); } static float asinh_f(float x) { return asinhf(x); } static long double asinh_l(long double x) { return asinhl(x); } static double adjoin_asinh_d_grad_54(double x); static float adjoin_asinh_f_grad_55(float x); static long double adjoin_asinh_l_grad_56(long double x); static void asinh_test(double low, double high) { for (int k = 0; k < 5; k++) { double x = low + (high - low) * (k + 0.5) / 5; long double at = (long double)x, h = 1e-4L * (1 + fabsl(at)); long double numeric = (8 * (asinh_l(at + h) - asinh_l(at - h)) - (asinh_l(at + 2 * h) - asinh_l(at - 2 * h))) / (12 * h); compare("asinh", "", x, adjoin_asinh_d_grad_54(x), (double)numeric, 1e-10); compare("asinh", "f", x, (double)adjoin_asinh_f_grad_55((float)x), (double)numeric, 1e-4); compare("asinh", "l", x, (double)adjoin_asinh_l_grad_56((long double)x), (double)numeric, 1e-10); } } static double acosh_d(double x) { return acosh(x); } static float acosh_f(float x) { return acoshf(x); } static long double acosh_l(long double x) { return acoshl(x); } static double adjoin_acosh_d_grad_57(double x); static float adjoin_acosh_f_grad_58(float x); static long double adjoin_acosh_l_grad_59(long double x); static void acosh_test(double low, double high) { for (int k = 0; k < 5; k++) { double x = low + (high - low) * (k + 0.5) / 5; long double at = (long double)x, h = 1e-4L * (1 + fabsl(at)); long double numeric = (8 * (acosh_l(at + h) - acosh_l(at - h)) - (acosh_l(at + 2 * h) - acosh_l(at - 2 * h))) / (12 * h); compare("acosh", "", x, adjoin_acosh_d_grad_57(x), (double)numeric, 1e-10); compare("acosh", "f", x, (double)adjoin_acosh_f_grad_58((float)x), (double)numeric, 1e-4); compare("acosh", "l", x, (double)adjoin_acosh_l_grad_59((long double)x), (double)numeric, 1e-10); } } static double atanh_d(double x) { return atanh(x); } static float atanh_f(float x) { return atanhf(x); } static long double atanh_l(long double x) { return atanhl(x); } static double adjoin_atanh_d_grad_60(double x); static float adjoin_atanh_f_grad_61(float x); static long double adjoin_atanh_l_grad_62(long double x); static void atanh_test(double low, double high) { for (int k = 0; k < 5; k++) { double x = low + (high - low) * (k + 0.5) / 5; long double at = (long double)x, h = 1e-4L * (1 + fabsl(at)); long double numeric = (8 * (atanh_l(at + h) - atanh_l(at - h)) - (atanh_l(at + 2 * h) - atanh_l(at - 2 * h))) / (12 * h); compare("atanh", "", x, adjoin_atanh_d_grad_60(x), (double)numeric, 1e-10); compare("atanh", "f", x, (double)adjoin_atanh_f_grad_61((float)x), (double)numeric, 1e-4); compare("atanh", "l", x, (double)adjoin_atanh_l_grad_62((long double)x), (double)numeric, 1e-10); } }
static double erf_d(double x) { return erf(x); } static float erf_f(float x) { return erff(x); } static long double erf_l(long double x) { return erfl(x); } static double adjoin_erf_d_grad_63(double x); static float adjoin_erf_f_grad_64(float x); static long double adjoin_erf_l_grad_65(long double x); static void erf_test(double low, double high) { for (int k = 0; k < 5; k++) { double x = low + (high - low) * (k + 0.5) / 5; long double at = (long double)x, h = 1e-4L * (1 + fabsl(at)); long double numeric = (8 * (erf_l(at + h) - erf_l(at - h)) - (erf_l(at + 2 * h) - erf_l(at - 2 * h))) / (12 * h); compare("erf", "", x, adjoin_erf_d_grad_63(x), (double)numeric, 1e-10); compare("erf", "f", x, (double)adjoin_erf_f_grad_64((float)x), (double)numeric, 1e-4); compare("erf", "l", x, (double)adjoin_erf_l_grad_65((long double)x), (double)numeric, 1e-10); } } static double erfc_d(double x) { return erfc(x); } static float erfc_f(float x) { return erfcf(x); } static long double erfc_l(long double x) { return erfcl(x); } static double adjoin_erfc_d_grad_66(double x); static float adjoin_erfc_f_grad_67(float x); static long double adjoin_erfc_l_grad_68(long double x); static void erfc_test(double low, double high) { for (int k = 0; k < 5; k++) { double x = low + (high - low) * (k + 0.5) / 5; long double at = (long double)x, h = 1e-4L * (1 + fabsl(at)); long double numeric = (8 * (erfc_l(at + h) - erfc_l(at - h)) - (erfc_l(at + 2 * h) - erfc_l(at - 2 * h))) / (12 * h); compare("erfc", "", x, adjoin_erfc_d_grad_66(x), (double)numeric, 1e-10); compare("erfc", "f", x, (double)adjoin_erfc_f_grad_67((float)x), (double)numeric, 1e-4); compare("erfc", "l", x, (double)adjoin_erfc_l_grad_68((long double)x), (double)numeric, 1e-10); } } static double tgamma_d(double x) { return tgamma(x); } static float tgamma_f(float x) { return tgammaf(x); } static long double tgamma_l(long double x) { return tgammal(x); } static double adjoin_tgamma_d_grad_69(double x); static float adjoin_tgamma_f_grad_70(float x); static long double adjoin_tgamma_l_grad_71(long double x); static void tgamma_test(double low, double high) { for (int k = 0; k < 5; k++) { double x = low + (high - low) * (k + 0.5) / 5; long double at = (long double)x, h = 1e-4L * (1 + fabsl(at)); long double numeric = (8 * (tgamma_l(at + h) - tgamma_l(at - h)) - (tgamma_l(at + 2 * h) - tgamma_l(at - 2 * h))) / (12 * h); compare("tgamma", "", x, adjoin_tgamma_d_grad_69(x), (double)numeric, 1e-10); compare("tgamma", "f", x, (double)adjoin_tgamma_f_grad_70((float)x), (double)numeric, 1e-4); compare("tgamma", "l", x, (double)adjoin_tgamma_l_grad_71((long double)x), (double)numeric, 1e-10); } } static double lgamma_d(double x) { return lgamma(x); } static float lgamma_f(float x) { return lgammaf(x); } static long double lgamma_l(long double x) { return lgammal(x); } static double adjoin_lgamma_d_grad_72(double x); static float adjoin_lgamma_f_grad_73(float x); static long double adjoin_lgamma_l_grad_74(long double x); static void lgamma_test(double low, double high) { for (int k = 0; k < 5; k++) { double x = low + (high - low) * (k + 0.5) / 5; long double at = (long double)x, h = 1e-4L * (1 + fabsl(at)); long double numeric = (8 * (lgamma_l(at + h) - lgamma_l(at - h)) - (lgamma_l(at + 2 * h) - lgamma_l(at - 2 * h))) / (12 * h); compare("lgamma", "", x, adjoin_lgamma_d_grad_72(x), (double)numeric, 1e-10); compare("lgamma", "f", x, (double)adjoin_lgamma_f_grad_73((float)x), (double)numeric, 1e-4); compare("lgamma", "l", x, (double)adjoin_lgamma_l_grad_74((long double)x), (double)numeric, 1e-10); } } static double fabs_d(double x) { return fabs(x); } static float fabs_f(float x) { return fabsf(x); } static long double fabs_l(long double x) { return fabsl(x); } static double adjoin_fabs_d_grad_75(double x); static float adjoin_fabs_f_grad_76(float x); static long double adjoin_fabs_l_grad_77(long double x); static void fabs_test(double low, double high) { for (int k = 0; k < 5; k++) { double x = low + (high - low) * (k + 0.5) / 5; long double at = (long double)x, h = 1e-4L * (1 + fabsl(at)); long double numeric = (8 * (fabs_l(at + h) - fabs_l(at - h)) - (fabs_l(at + 2 * h) - fabs_l(at - 2 * h))) / (12 * h); compare("fabs", "", x, adjoin_fabs_d_grad_75(x), (double)numeric, 1e-10); compare("fabs", "f", x, (double)adjoin_fabs_f_grad_76((float)x), (double)numeric, 1e-4); compare("fabs", "l", x, (double)adjoin_fabs_l_grad_77((long double)x), (double)numeric, 1e-10); } } static double floor_d(double x) { return floor(x); } static float floor_f(float x) { return floorf(x); } static long double floor_l(long double x) { return floorl(x); } static double adjoin_floor_d_grad_78(double x); static float adjoin_floor_f_grad_79(float x); static long double adjoin_floor_l_grad_80(long double x); static void floor_test(double low, double high) { for (int k = 0; k < 5; k++) { double x = low + (high - low) * (k + 0.5) / 5; long double at = (long double)x, h = 1e-4L * (1 + fabsl(at)); long double numeric = (8 * (floor_l(at + h) - floor_l(at - h)) - (floor_l(at + 2 * h) - floor_l(at - 2 * h))) / (12 * h); compare("floor", "", x, adjoin_floor_d_grad_78(x), (double)numeric, 1e-10); compare("floor", "f", x, (double)adjoin_floor_f_grad_79((float)x), (double)numeric, 1e-4); compare("floor", "l", x, (double)adjoin_floor_l_grad_80((long double)x), (double)numeric, 1e-10); } } static double ceil_d(double x) { return ceil(x); } static float ceil_f(float x) { return ceilf(x); } static long double ceil_l(long double x) { return ceill(x); } static double adjoin_ceil_d_grad_81(double x); static float adjoin_ceil_f_grad_82(float x); static long double adjoin_ceil_l_grad_83(long double x); static void ceil_test(double low, double high) { for (int k = 0; k < 5; k++) { double x = low + (high - low) * (k + 0.5) / 5; long double at = (long double)x, h = 1e-4L * (1 + fabsl(at)); long double numeric = (8 * (ceil_l(at + h) - ceil_l(at - h)) - (ceil_l(at + 2 * h) - ceil_l(at - 2 * h))) / (12 * h); compare("ceil", "", x, adjoin_ceil_d_grad_81(x), (double)numeric, 1e-10); compare("ceil", "f", x, (double)adjoin_ceil_f_grad_82((float)x), (double)numeric, 1e-4); compare("ceil", "l", x, (double)adjoin_ceil_l_grad_83((long double)x), (double)numeric, 1e-10); } } static double round_d(double x) { return round(x); } static float round_f(float x) { return roundf(x); } static long double round_l(long double x) { return roundl(x); } static double adjoin_round_d_grad_84(double x); static float adjoin_round_f_grad_85(float x); static long double adjoin_round_l_grad_86(long double x); static void round_test(double low, double high) { for (int k = 0; k < 5; k++) { double x = low + (high - low) * (k + 0.5) / 5; long double at = (long double)x, h = 1e-4L * (1 + fabsl(at)); long double numeric = (8 * (round_l(at + h) - round_l(at - h)) - (round_l(at + 2 * h) - round_l(at - 2 * h))) / (12 * h); compare("round", "", x, adjoin_round_d_grad_84(x), (double)numeric, 1e-10); compare("round", "f", x, (double)adjoin_round_f_grad_85((float)x), (double)numeric, 1e-4); compare("round", "l", x, (double)adjoin_round_l_grad_86((long double)x), (double)numeric, 1e-10); } } static double trunc_d(double x) { return trunc(x); } static float trunc_f(float x) { return truncf(x); } static long double trunc_l(long double x) { return truncl(x); } static double adjoin_trunc_d_grad_87(double x); static float adjoin_trunc_f_grad_88(float x); static long double adjoin_trunc_l_grad_89(long double x); static void trunc_test(double low, double high) { for (int k = 0; k < 5; k++) { double x = low + (high - low) * (k + 0.5) / 5; long double at = (long double)x, h = 1e-4L * (1 + fabsl(at)); long double numeric = (8 * (trunc_l(at + h) - trunc_l(at - h)) - (trunc_l(at + 2 * h) - trunc_l(at - 2 * h))) / (12 * h); compare("trunc", "", x, adjoin_trunc_d_grad_87(x), (double)numeric, 1e-10); compare("trunc", "f", x, (double)adjoin_trunc_f_grad_88((float)x), (double)numeric, 1e-4); compare("trunc", "l", x, (double)adjoin_trunc_l_grad_89((long double)x), (double)numeric, 1e-10); } } static double rint_d(double x) { return rint(x); } static float rint_f(float x) { return rintf(x); } static long double rint_l(long double x) { return rintl(x); } static double adjoin_rint_d_grad_90(double x); static float adjoin_rint_f_grad_91(float x); static long double adjoin_rint_l_grad_92(long double x); static void rint_test(double low, double high) { for (int k = 0; k < 5; k++) { double x = low + (high - low) * (k + 0.5) / 5; long double at = (long double)x, h = 1e-4L * (1 + fabsl(at)); long double numeric = (8 * (rint_l(at + h) - rint_l(at - h)) - (rint_l(at + 2 * h) - rint_l(at - 2 * h))) / (12 * h); compare("rint", "", x, adjoin_rint_d_grad_90(x), (double)numeric, 1e-10); compare("rint", "f", x, (double)adjoin_rint_f_grad_91((float)x), (double)numeric, 1e-4); compare("rint", "l", x, (double)adjoin_rint_l_grad_92((long double)x), (double)numeric, 1e-10); } } static double nearbyint_d(double x) { return nearbyint(x); } static float nearbyint_f(float x) { return nearbyintf(x); } static long double nearbyint_l(long double x) { return nearbyintl(x); } static double adjoin_nearbyint_d_grad_93(double x); static float adjoin_nearbyint_f_grad_94(float x); static long double adjoin_nearbyint_l_grad_95(long double x); static void nearbyint_test(double low, double high) { for (int k = 0; k < 5; k++) { double x = low + (high - low) * (k + 0.5) / 5; long double at = (long double)x, h = 1e-4L * (1 + fabsl(at)); long double numeric = (8 * (nearbyint_l(at + h) - nearbyint_l(at - h)) - (nearbyint_l(at + 2 * h) - nearbyint_l(at - 2 * h))) / (12 * h); compare("nearbyint", "", x, adjoin_nearbyint_d_grad_93(x), (double)numeric, 1e-10); compare("nearbyint", "f", x, (double)adjoin_nearbyint_f_grad_94((float)x), (double)numeric, 1e-4); compare("nearbyint", "l", x, (double)adjoin_nearbyint_l_grad_95((long double)x), (double)numeric, 1e-10); } } static double logb_d(double x) { return logb(x); } static float logb_f(float x) { return logbf(x); } static long double logb_l(long double x) { return logbl(x); } static double adjoin_logb_d_grad_96(double x); static float adjoin_logb_f_grad_97(float x); static long double adjoin_logb_l_grad_98(long double x); static void logb_test(double low, double high) { for (int k = 0; k < 5; k++) { double x = low + (high - low) * (k + 0.5) / 5; long double at = (long double)x, h = 1e-4L * (1 + fabsl(at)); long double numeric = (8 * (logb_l(at + h) - logb_l(at - h)) - (logb_l(at + 2 * h) - logb_l(at - 2 * h))) / (12 * h); compare("logb", "", x, adjoin_logb_d_grad_96(x), (double)numeric, 1e-10); compare("logb", "f", x, (double)adjoin_logb_f_grad_97((float)x), (double)numeric, 1e-4); compare("logb", "l", x, (double)adjoin_logb_l_grad_98((long double)x), (double)numeric, 1e-10); } }
static double pow_left_d(double x) { return pow(x, 0.7 + x * x); } static float pow_left_f(float x) { return powf(x, 0.7f + x * x); } static long double pow_left_l(long double x) { return powl(x, 0.7L + x * x); } static double adjoin_pow_left_d_grad_99(double x); static float adjoin_pow_left_f_grad_100(float x); static long double adjoin_pow_left_l_grad_101(long double x); static void pow_left_test(double low, double high) { for (int k = 0; k < 5; k++) { double x = low + (high - low) * (k + 0.5) / 5; long double at = (long double)x, h = 1e-4L * (1 + fabsl(at)); long double numeric = (8 * (pow_left_l(at + h) - pow_left_l(at - h)) - (pow_left_l(at + 2 * h) - pow_left_l(at - 2 * h))) / (12 * h); compare("pow_left", "", x, adjoin_pow_left_d_grad_99(x), (double)numeric, 1e-10); compare("pow_left", "f", x, (double)adjoin_pow_left_f_grad_100((float)x), (double)numeric, 1e-4); compare("pow_left", "l", x, (double)adjoin_pow_left_l_grad_101((long double)x), (double)numeric, 1e-10); } } static double pow_right_d(double x) { return pow(2.3 - x, x); } static float pow_right_f(float x) { return powf(2.3f - x, x); } static long double pow_right_l(long double x) { return powl(2.3L - x, x); } static double adjoin_pow_right_d_grad_102(double x); static float adjoin_pow_right_f_grad_103(float x); static long double adjoin_pow_right_l_grad_104(long double x); static void pow_right_test(double low, double high) { for (int k = 0; k < 5; k++) { double x = low + (high - low) * (k + 0.5) / 5; long double at = (long double)x, h = 1e-4L * (1 + fabsl(at)); long double numeric = (8 * (pow_right_l(at + h) - pow_right_l(at - h)) - (pow_right_l(at + 2 * h) - pow_right_l(at - 2 * h))) / (12 * h); compare("pow_right", "", x, adjoin_pow_right_d_grad_102(x), (double)numeric, 1e-10); compare("pow_right", "f", x, (double)adjoin_pow_right_f_grad_103((float)x), (double)numeric, 1e-4); compare("pow_right", "l", x, (double)adjoin_pow_right_l_grad_104((long double)x), (double)numeric, 1e-10); } } static double hypot_left_d(double x) { return hypot(x, 0.7 + x * x); } static float hypot_left_f(float x) { return hypotf(x, 0.7f + x * x); } static long double hypot_left_l(long double x) { return hypotl(x, 0.7L + x * x); } static double adjoin_hypot_left_d_grad_105(double x); static float adjoin_hypot_left_f_grad_106(float x); static long double adjoin_hypot_left_l_grad_107(long double x); static void hypot_left_test(double low, double high) { for (int k = 0; k < 5; k++) { double x = low + (high - low) * (k + 0.5) / 5; long double at = (long double)x, h = 1e-4L * (1 + fabsl(at)); long double numeric = (8 * (hypot_left_l(at + h) - hypot_left_l(at - h)) - (hypot_left_l(at + 2 * h) - hypot_left_l(at - 2 * h))) / (12 * h); compare("hypot_left", "", x, adjoin_hypot_left_d_grad_105(x), (double)numeric, 1e-10); compare("hypot_left", "f", x, (double)adjoin_hypot_left_f_grad_106((float)x), (double)numeric, 1e-4); compare("hypot_left", "l", x, (double)adjoin_hypot_left_l_grad_107((long double)x), (double)numeric, 1e-10); } } static double hypot_right_d(double x) { return hypot(2.3 - x, x); } static float hypot_right_f(float x) { return hypotf(2.3f - x, x); } static long double hypot_right_l(long double x) { return hypotl(2.3L - x, x); } static double adjoin_hypot_right_d_grad_108(double x); static float adjoin_hypot_right_f_grad_109(float x); static long double adjoin_hypot_right_l_grad_110(long double x); static void hypot_right_test(double low, double high) { for (int k = 0; k < 5; k++) { double x = low + (high - low) * (k + 0.5) / 5; long double at = (long double)x, h = 1e-4L * (1 + fabsl(at)); long double numeric = (8 * (hypot_right_l(at + h) - hypot_right_l(at - h)) - (hypot_right_l(at + 2 * h) - hypot_right_l(at - 2 * h))) / (12 * h); compare("hypot_right", "", x, adjoin_hypot_right_d_grad_108(x), (double)numeric, 1e-10); compare("hypot_right", "f", x, (double)adjoin_hypot_right_f_grad_109((float)x), (double)numeric, 1e-4); compare("hypot_right", "l", x, (double)adjoin_hypot_right_l_grad_110((long double)x), (double)numeric, 1e-10); } } static double atan2_left_d(double x) { return atan2(x, 0.7 + x * x); } static float atan2_left_f(float x) { return atan2f(x, 0.7f + x * x); } static long double atan2_left_l(long double x) { return atan2l(x, 0.7L + x * x); } static double adjoin_atan2_left_d_grad_111(double x); static float adjoin_atan2_left_f_grad_112(float x); static long double adjoin_atan2_left_l_grad_113(long double x); static void atan2_left_test(double low, double high) { for (int k = 0; k < 5; k++) { double x = low + (high - low) * (k + 0.5) / 5; long double at = (long double)x, h = 1e-4L * (1 + fabsl(at)); long double numeric = (8 * (atan2_left_l(at + h) - atan2_left_l(at - h)) - (atan2_left_l(at + 2 * h) - atan2_left_l(at - 2 * h))) / (12 * h); compare("atan2_left", "", x, adjoin_atan2_left_d_grad_111(x), (double)numeric, 1e-10); compare("atan2_left", "f", x, (double)adjoin_atan2_left_f_grad_112((float)x), (double)numeric, 1e-4); compare("atan2_left", "l", x, (double)adjoin_atan2_left_l_grad_113((long double)x), (double)numeric, 1e-10); } } static double atan2_right_d(double x) { return atan2(2.3 - x, x); } static float atan2_right_f(float x) { return atan2f(2.3f - x, x); } static long double atan2_right_l(long double x) { return atan2l(2.3L - x, x); } static double adjoin_atan2_right_d_grad_114(double x); static float adjoin_atan2_right_f_grad_115(float x); static long double adjoin_atan2_right_l_grad_116(long double x); static void atan2_right_test(double low, double high) { for (int k = 0; k < 5; k++) { double x = low + (high - low) * (k + 0.5) / 5; long double at = (long double)x, h = 1e-4L * (1 + fabsl(at)); long double numeric = (8 * (atan2_right_l(at + h) - atan2_right_l(at - h)) - (atan2_right_l(at + 2 * h) - atan2_right_l(at - 2 * h))) / (12 * h); compare("atan2_right", "", x, adjoin_atan2_right_d_grad_114(x), (double)numeric, 1e-10); compare("atan2_right", "f", x, (double)adjoin_atan2_right_f_grad_115((float)x), (double)numeric, 1e-4); compare("atan2_right", "l", x, (double)adjoin_atan2_right_l_grad_116((long double)x), (double)numeric, 1e-10); } } static double fmin_left_d(double x) { return fmin(x, 0.7 + x * x); } static float fmin_left_f(float x) { return fminf(x, 0.7f + x * x); } static long double fmin_left_l(long double x) { return fminl(x, 0.7L + x * x); } static double adjoin_fmin_left_d_grad_117(double x); static float adjoin_fmin_left_f_grad_118(float x); static long double adjoin_fmin_left_l_grad_119(long double x); static void fmin_left_test(double low, double high) { for (int k = 0; k < 5; k++) { double x = low + (high - low) * (k + 0.5) / 5; long double at = (long double)x, h = 1e-4L * (1 + fabsl(at)); long double numeric = (8 * (fmin_left_l(at + h) - fmin_left_l(at - h)) - (fmin_left_l(at + 2 * h) - fmin_left_l(at - 2 * h))) / (12 * h); compare("fmin_left", "", x, adjoin_fmin_left_d_grad_117(x), (double)numeric, 1e-10); compare("fmin_left", "f", x, (double)adjoin_fmin_left_f_grad_118((float)x), (double)numeric, 1e-4); compare("fmin_left", "l", x, (double)adjoin_fmin_left_l_grad_119((long double)x), (double)numeric, 1e-10); } } static double fmin_right_d(double x) { return fmin(2.3 - x, x); } static float fmin_right_f(float x) { return fminf(2.3f - x, x); } static long double fmin_right_l(long double x) { return fminl(2.3L - x, x); } static double adjoin_fmin_right_d_grad_120(double x); static float adjoin_fmin_right_f_grad_121(float x); static long double adjoin_fmin_right_l_grad_122(long double x); static void fmin_right_test(double low, double high) { for (int k = 0; k < 5; k++) { double x = low + (high - low) * (k + 0.5) / 5; long double at = (long double)x, h = 1e-4L * (1 + fabsl(at)); long double numeric = (8 * (fmin_right_l(at + h) - fmin_right_l(at - h)) - (fmin_right_l(at + 2 * h) - fmin_right_l(at - 2 * h))) / (12 * h); compare("fmin_right", "", x, adjoin_fmin_right_d_grad_120(x), (double)numeric, 1e-10); compare("fmin_right", "f", x, (double)adjoin_fmin_right_f_grad_121((float)x), (double)numeric, 1e-4); compare("fmin_right", "l", x, (double)adjoin_fmin_right_l_grad_122((long double)x), (double)numeric, 1e-10); } } static double fmax_left_d(double x) { return fmax(x, 0.7 + x * x); } static float fmax_left_f(float x) { return fmaxf(x, 0.7f + x * x); } static long double fmax_left_l(long double x) { return fmaxl(x, 0.7L + x * x); } static double adjoin_fmax_left_d_grad_123(double x); static float adjoin_fmax_left_f_grad_124(float x); static long double adjoin_fmax_left_l_grad_125(long double x); static void fmax_left_test(double low, double high) { for (int k = 0; k < 5; k++) { double x = low + (high - low) * (k + 0.5) / 5; long double at = (long double)x, h = 1e-4L * (1 + fabsl(at)); long double numeric = (8 * (fmax_left_l(at + h) - fmax_left_l(at - h)) - (fmax_left_l(at + 2 * h) - fmax_left_l(at - 2 * h))) / (12 * h); compare("fmax_left", "", x, adjoin_fmax_left_d_grad_123(x), (double)numeric, 1e-10); compare("fmax_left", "f", x, (double)adjoin_fmax_left_f_grad_124((float)x), (double)numeric, 1e-4); compare("fmax_left", "l", x, (double)adjoin_fmax_left_l_grad_125((long double)x), (double)numeric, 1e-10); } } static double fmax_right_d(double x) { return fmax(2.3 - x, x); } static float fmax_right_f(float x) { return fmaxf(2.3f - x, x); } static long double fmax_right_l(long double x) { return fmaxl(2.3L - x, x); } static double adjoin_fmax_right_d_grad_126(double x); static float adjoin_fmax_right_f_grad_127(float x); static long double adjoin_fmax_right_l_grad_128(long double x); static void fmax_right_test(double low, double high) { for (int k = 0; k < 5; k++) { double x = low + (high - low) * (k + 0.5) / 5; long double at = (long double)x, h = 1e-4L * (1 + fabsl(at)); long double numeric = (8 * (fmax_right_l(at + h) - fmax_right_l(at - h)) - (fmax_right_l(at + 2 * h) - fmax_right_l(at - 2 * h))) / (12 * h); compare("fmax_right", "", x, adjoin_fmax_right_d_grad_126(x), (double)numeric, 1e-10); compare("fmax_right", "f", x, (double)adjoin_fmax_right_f_grad_127((float)x), (double)numeric, 1e-4); compare("fmax_right", "l", x, (double)adjoin_fmax_right_l_grad_128((long double)x), (double)numeric, 1e-10); } } static double fdim_left_d(double x) { return fdim(x, 0.7 + x * x); } static float fdim_left_f(float x) { return fdimf(x, 0.7f + x * x); } static long double fdim_left_l(long double x) { return fdiml(x, 0.7L + x * x); } static double adjoin_fdim_left_d_grad_129(double x); static float adjoin_fdim_left_f_grad_130(float x); static long double adjoin_fdim_left_l_grad_131(long double x); static void fdim_left_test(double low, double high) { for (int k = 0; k < 5; k++) { double x = low + (high - low) * (k + 0.5) / 5; long double at = (long double)x, h = 1e-4L * (1 + fabsl(at)); long double numeric = (8 * (fdim_left_l(at + h) - fdim_left_l(at - h)) - (fdim_left_l(at + 2 * h) - fdim_left_l(at - 2 * h))) / (12 * h); compare("fdim_left", "", x, adjoin_fdim_left_d_grad_129(x), (double)numeric, 1e-10); compare("fdim_left", "f", x, (double)adjoin_fdim_left_f_grad_130((float)x), (double)numeric, 1e-4); compare("fdim_left", "l", x, (double)adjoin_fdim_left_l_grad_131((long double)x), (double)numeric, 1e-10); } } static double fdim_right_d(double x) { return fdim(2.3 - x, x); } static float fdim_right_f(float x) { return fdimf(2.3f - x, x); } static long double fdim_right_l(long double x) { return fdiml(2.3L - x, x); } static double adjoin_fdim_right_d_grad_132(double x); static float adjoin_fdim_right_f_grad_133(float x); static long double adjoin_fdim_right_l_grad_134(long double x); static void fdim_right_test(double low, double high) { for (int k = 0; k < 5; k++) { double x = low + (high - low) * (k + 0.5) / 5; long double at = (long double)x, h = 1e-4L * (1 + fabsl(at)); long double numeric = (8 * (fdim_right_l(at + h) - fdim_right_l(at - h)) - (fdim_right_l(at + 2 * h) - fdim_right_l(at - 2 * h))) / (12 * h); compare("fdim_right", "", x, adjoin_fdim_right_d_grad_132(x), (double)numeric, 1e-10); compare("fdim_right", "f", x, (double)adjoin_fdim_right_f_grad_133((float)x), (double)numeric, 1e-4); compare("fdim_right", "l", x, (double)adjoin_fdim_right_l_grad_134((long double)x), (double)numeric, 1e-10); } }
static double copysign_left_d(double x) { return copysign(x, 0.7 + x * x); } static float copysign_left_f(float x) { return copysignf(x, 0.7f + x * x); } static long double copysign_left_l(long double x) { return copysignl(x, 0.7L + x * x); } static double adjoin_copysign_left_d_grad_135(double x); static float adjoin_copysign_left_f_grad_136(float x); static long double adjoin_copysign_left_l_grad_137(long double x); static void copysign_left_test(double low, double high) { for (int k = 0; k < 5; k++) { double x = low + (high - low) * (k + 0.5) / 5; long double at = (long double)x, h = 1e-4L * (1 + fabsl(at)); long double numeric = (8 * (copysign_left_l(at + h) - copysign_left_l(at - h)) - (copysign_left_l(at + 2 * h) - copysign_left_l(at - 2 * h))) / (12 * h); compare("copysign_left", "", x, adjoin_copysign_left_d_grad_135(x), (double)numeric, 1e-10); compare("copysign_left", "f", x, (double)adjoin_copysign_left_f_grad_136((float)x), (double)numeric, 1e-4); compare("copysign_left", "l", x, (double)adjoin_copysign_left_l_grad_137((long double)x), (double)numeric, 1e-10); } } static double fmod_left_d(double x) { return fmod(x, 0.7 + x * x); } static float fmod_left_f(float x) { return fmodf(x, 0.7f + x * x); } static long double fmod_left_l(long double x) { return fmodl(x, 0.7L + x * x); } static double adjoin_fmod_left_d_grad_138(double x); static float adjoin_fmod_left_f_grad_139(float x); static long double adjoin_fmod_left_l_grad_140(long double x); static void fmod_left_test(double low, double high) { for (int k = 0; k < 5; k++) { double x = low + (high - low) * (k + 0.5) / 5; long double at = (long double)x, h = 1e-4L * (1 + fabsl(at)); long double numeric = (8 * (fmod_left_l(at + h) - fmod_left_l(at - h)) - (fmod_left_l(at + 2 * h) - fmod_left_l(at - 2 * h))) / (12 * h); compare("fmod_left", "", x, adjoin_fmod_left_d_grad_138(x), (double)numeric, 1e-10); compare("fmod_left", "f", x, (double)adjoin_fmod_left_f_grad_139((float)x), (double)numeric, 1e-4); compare("fmod_left", "l", x, (double)adjoin_fmod_left_l_grad_140((long double)x), (double)numeric, 1e-10); } } static double fmod_right_d(double x) { return fmod(2.3 - x, x); } static float fmod_right_f(float x) { return fmodf(2.3f - x, x); } static long double fmod_right_l(long double x) { return fmodl(2.3L - x, x); } static double adjoin_fmod_right_d_grad_141(double x); static float adjoin_fmod_right_f_grad_142(float x); static long double adjoin_fmod_right_l_grad_143(long double x); static void fmod_right_test(double low, double high) { for (int k = 0; k < 5; k++) { double x = low + (high - low) * (k + 0.5) / 5; long double at = (long double)x, h = 1e-4L * (1 + fabsl(at)); long double numeric = (8 * (fmod_right_l(at + h) - fmod_right_l(at - h)) - (fmod_right_l(at + 2 * h) - fmod_right_l(at - 2 * h))) / (12 * h); compare("fmod_right", "", x, adjoin_fmod_right_d_grad_141(x), (double)numeric, 1e-10); compare("fmod_right", "f", x, (double)adjoin_fmod_right_f_grad_142((float)x), (double)numeric, 1e-4); compare("fmod_right", "l", x, (double)adjoin_fmod_right_l_grad_143((long double)x), (double)numeric, 1e-10); } } static double remainder_left_d(double x) { return remainder(x, 0.7 + x * x); } static float remainder_left_f(float x) { return remainderf(x, 0.7f + x * x); } static long double remainder_left_l(long double x) { return remainderl(x, 0.7L + x * x); } static double adjoin_remainder_left_d_grad_144(double x); static float adjoin_remainder_left_f_grad_145(float x); static long double adjoin_remainder_left_l_grad_146(long double x); static void remainder_left_test(double low, double high) { for (int k = 0; k < 5; k++) { double x = low + (high - low) * (k + 0.5) / 5; long double at = (long double)x, h = 1e-4L * (1 + fabsl(at)); long double numeric = (8 * (remainder_left_l(at + h) - remainder_left_l(at - h)) - (remainder_left_l(at + 2 * h) - remainder_left_l(at - 2 * h))) / (12 * h); compare("remainder_left", "", x, adjoin_remainder_left_d_grad_144(x), (double)numeric, 1e-10); compare("remainder_left", "f", x, (double)adjoin_remainder_left_f_grad_145((float)x), (double)numeric, 1e-4); compare("remainder_left", "l", x, (double)adjoin_remainder_left_l_grad_146((long double)x), (double)numeric, 1e-10); } } static double nextafter_left_d(double x) { return nextafter(x, 0.7 + x * x); } static float nextafter_left_f(float x) { return nextafterf(x, 0.7f + x * x); } static long double nextafter_left_l(long double x) { return nextafterl(x, 0.7L + x * x); } static double adjoin_nextafter_left_d_grad_147(double x); static float adjoin_nextafter_left_f_grad_148(float x); static long double adjoin_nextafter_left_l_grad_149(long double x); static void nextafter_left_test(double low, double high) { for (int k = 0; k < 5; k++) { double x = low + (high - low) * (k + 0.5) / 5; long double at = (long double)x, h = 1e-4L * (1 + fabsl(at)); long double numeric = (8 * (nextafter_left_l(at + h) - nextafter_left_l(at - h)) - (nextafter_left_l(at + 2 * h) - nextafter_left_l(at - 2 * h))) / (12 * h); compare("nextafter_left", "", x, adjoin_nextafter_left_d_grad_147(x), (double)numeric, 1e-10); compare("nextafter_left", "f", x, (double)adjoin_nextafter_left_f_grad_148((float)x), (double)numeric, 1e-4); compare("nextafter_left", "l", x, (double)adjoin_nextafter_left_l_grad_149((long double)x), (double)numeric, 1e-10); } }
static double fma_d(double x) { return fma(x, x + 1, sin(x)); } static float fma_f(float x) { return fmaf(x, x + 1, sinf(x)); } static long double fma_l(long double x) { return fmal(x, x + 1, sinl(x)); } static double adjoin_fma_d_grad_150(double x); static float adjoin_fma_f_grad_151(float x); static long double adjoin_fma_l_grad_152(long double x); static void fma_test(double low, double high) { for (int k = 0; k < 5; k++) { double x = low + (high - low) * (k + 0.5) / 5; long double at = (long double)x, h = 1e-4L * (1 + fabsl(at)); long double numeric = (8 * (fma_l(at + h) - fma_l(at - h)) - (fma_l(at + 2 * h) - fma_l(at - 2 * h))) / (12 * h); compare("fma", "", x, adjoin_fma_d_grad_150(x), (double)numeric, 1e-10); compare("fma", "f", x, (double)adjoin_fma_f_grad_151((float)x), (double)numeric, 1e-4); compare("fma", "l", x, (double)adjoin_fma_l_grad_152((long double)x), (double)numeric, 1e-10); } }
static double ldexp_d(double x) { return ldexp(x, 3); } static float ldexp_f(float x) { return ldexpf(x, 3); } static long double ldexp_l(long double x) { return ldexpl(x, 3); } static double adjoin_ldexp_d_grad_153(double x); static float adjoin_ldexp_f_grad_154(float x); static long double adjoin_ldexp_l_grad_155(long double x); static void ldexp_test(double low, double high) { for (int k = 0; k < 5; k++) { double x = low + (high - low) * (k + 0.5) / 5; long double at = (long double)x, h = 1e-4L * (1 + fabsl(at)); long double numeric = (8 * (ldexp_l(at + h) - ldexp_l(at - h)) - (ldexp_l(at + 2 * h) - ldexp_l(at - 2 * h))) / (12 * h); compare("ldexp", "", x, adjoin_ldexp_d_grad_153(x), (double)numeric, 1e-10); compare("ldexp", "f", x, (double)adjoin_ldexp_f_grad_154((float)x), (double)numeric, 1e-4); compare("ldexp", "l", x, (double)adjoin_ldexp_l_grad_155((long double)x), (double)numeric, 1e-10); } }
static double scalbn_d(double x) { return scalbn(x * x, -2); } static float scalbn_f(float x) { return scalbnf(x * x, -2); } static long double scalbn_l(long double x) { return scalbnl(x * x, -2); } static double adjoin_scalbn_d_grad_156(double x); static float adjoin_scalbn_f_grad_157(float x); static long double adjoin_scalbn_l_grad_158(long double x); static void scalbn_test(double low, double high) { for (int k = 0; k < 5; k++) { double x = low + (high - low) * (k + 0.5) / 5; long double at = (long double)x, h = 1e-4L * (1 + fabsl(at)); long double numeric = (8 * (scalbn_l(at + h) - scalbn_l(at - h)) - (scalbn_l(at + 2 * h) - scalbn_l(at - 2 * h))) / (12 * h); compare("scalbn", "", x, adjoin_scalbn_d_grad_156(x), (double)numeric, 1e-10); compare("scalbn", "f", x, (double)adjoin_scalbn_f_grad_157((float)x), (double)numeric, 1e-4); compare("scalbn", "l", x, (double)adjoin_scalbn_l_grad_158((long double)x), (double)numeric, 1e-10); } }
static double scalbln_d(double x) { return scalbln(x * x, 2L); } static float scalbln_f(float x) { return scalblnf(x * x, 2L); } static long double scalbln_l(long double x) { return scalblnl(x * x, 2L); } static double adjoin_scalbln_d_grad_159(double x); static float adjoin_scalbln_f_grad_160(float x); static long double adjoin_scalbln_l_grad_161(long double x); static void scalbln_test(double low, double high) { for (int k = 0; k < 5; k++) { double x = low + (high - low) * (k + 0.5) / 5; long double at = (long double)x, h = 1e-4L * (1 + fabsl(at)); long double numeric = (8 * (scalbln_l(at + h) - scalbln_l(at - h)) - (scalbln_l(at + 2 * h) - scalbln_l(at - 2 * h))) / (12 * h); compare("scalbln", "", x, adjoin_scalbln_d_grad_159(x), (double)numeric, 1e-10); compare("scalbln", "f", x, (double)adjoin_scalbln_f_grad_160((float)x), (double)numeric, 1e-4); compare("scalbln", "l", x, (double)adjoin_scalbln_l_grad_161((long double)x), (double)numeric, 1e-10); } }
static double builtin_d(double x) { return __builtin_sin(x) * __builtin_powi(x, 3); } static float builtin_f(float x) { return __builtin_sinf(x) * __builtin_powif(x, 3); } static long double builtin_l(long double x) { return __builtin_sinl(x) * __builtin_powil(x, 3); } static double adjoin_builtin_d_grad_162(double x); static float adjoin_builtin_f_grad_163(float x); static long double adjoin_builtin_l_grad_164(long double x); static void builtin_test(double low, double high) { for (int k = 0; k < 5; k++) { double x = low + (high - low) * (k + 0.5) / 5; long double at = (long double)x, h = 1e-4L * (1 + fabsl(at)); long double numeric = (8 * (builtin_l(at + h) - builtin_l(at - h)) - (builtin_l(at + 2 * h) - builtin_l(at - 2 * h))) / (12 * h); compare("builtin", "", x, adjoin_builtin_d_grad_162(x), (double)numeric, 1e-10); compare("builtin", "f", x, (double)adjoin_builtin_f_grad_163((float)x), (double)numeric, 1e-4); compare("builtin", "l", x, (double)adjoin_builtin_l_grad_164((long double)x), (double)numeric, 1e-10); } }
static double power_of_negative_d(double x) { return pow(x - 9, 3); } static float power_of_negative_f(float x) { return powf(x - 9, 3); } static long double power_of_negative_l(long double x) { return powl(x - 9, 3); } static double adjoin_power_of_negative_d_grad_165(double x); static float adjoin_power_of_negative_f_grad_166(float x); static long double adjoin_power_of_negative_l_grad_167(long double x); static void power_of_negative_test(double low, double high) { for (int k = 0; k < 5; k++) { double x = low + (high - low) * (k + 0.5) / 5; long double at = (long double)x, h = 1e-4L * (1 + fabsl(at)); long double numeric = (8 * (power_of_negative_l(at + h) - power_of_negative_l(at - h)) - (power_of_negative_l(at + 2 * h) - power_of_negative_l(at - 2 * h))) / (12 * h); compare("power_of_negative", "", x, adjoin_power_of_negative_d_grad_165(x), (double)numeric, 1e-10); compare("power_of_negative", "f", x, (double)adjoin_power_of_negative_f_grad_166((float)x), (double)numeric, 1e-4); compare("power_of_negative", "l", x, (double)adjoin_power_of_negative_l_grad_167((long double)x), (double)numeric, 1e-10); } }


static double modf_part(double x) { double whole, part = modf(3 * x, &whole); return part * (1 + whole * x); }
static float modf_partf(float x) { float whole, part = modff(3 * x, &whole); return part * (1 + whole * x); }
static long double modf_partl(long double x) { long double whole, part = modfl(3 * x, &whole); return part * (1 + whole * x); }
static double modf_part_d(double x) { return modf_part(x); } static float modf_part_f(float x) { return modf_partf(x); } static long double modf_part_l(long double x) { return modf_partl(x); } static double adjoin_modf_part_d_grad_168(double x); static float adjoin_modf_part_f_grad_169(float x); static long double adjoin_modf_part_l_grad_170(long double x); static void modf_part_test(double low, double high) { for (int k = 0; k < 5; k++) { double x = low + (high - low) * (k + 0.5) / 5; long double at = (long double)x, h = 1e-4L * (1 + fabsl(at)); long double numeric = (8 * (modf_part_l(at + h) - modf_part_l(at - h)) - (modf_part_l(at + 2 * h) - modf_part_l(at - 2 * h))) / (12 * h); compare("modf_part", "", x, adjoin_modf_part_d_grad_168(x), (double)numeric, 1e-10); compare("modf_part", "f", x, (double)adjoin_modf_part_f_grad_169((float)x), (double)numeric, 1e-4); compare("modf_part", "l", x, (double)adjoin_modf_part_l_grad_170((long double)x), (double)numeric, 1e-10); } }
static double frexp_part(double x) { int e; double m = frexp(5 * x, &e); return m * m * e; }
static float frexp_partf(float x) { int e; float m = frexpf(5 * x, &e); return m * m * (float)e; }
static long double frexp_partl(long double x) { int e; long double m = frexpl(5 * x, &e); return m * m * e; }
static double frexp_part_d(double x) { return frexp_part(x); } static float frexp_part_f(float x) { return frexp_partf(x); } static long double frexp_part_l(long double x) { return frexp_partl(x); } static double adjoin_frexp_part_d_grad_171(double x); static float adjoin_frexp_part_f_grad_172(float x); static long double adjoin_frexp_part_l_grad_173(long double x); static void frexp_part_test(double low, double high) { for (int k = 0; k < 5; k++) { double x = low + (high - low) * (k + 0.5) / 5; long double at = (long double)x, h = 1e-4L * (1 + fabsl(at)); long double numeric = (8 * (frexp_part_l(at + h) - frexp_part_l(at - h)) - (frexp_part_l(at + 2 * h) - frexp_part_l(at - 2 * h))) / (12 * h); compare("frexp_part", "", x, adjoin_frexp_part_d_grad_171(x), (double)numeric, 1e-10); compare("frexp_part", "f", x, (double)adjoin_frexp_part_f_grad_172((float)x), (double)numeric, 1e-4); compare("frexp_part", "l", x, (double)adjoin_frexp_part_l_grad_173((long double)x), (double)numeric, 1e-10); } }
static double remquo_part(double x) { int q; double r = remquo(7 * x, 1.1 + x, &q); return r * r + q * x; }
static float remquo_partf(float x) { int q; float r = remquof(7 * x, 1.1f + x, &q); return r * r + (float)q * x; }
static long double remquo_partl(long double x) { int q; long double r = remquol(7 * x, 1.1L + x, &q); return r * r + q * x; }
static double remquo_part_d(double x) { return remquo_part(x); } static float remquo_part_f(float x) { return remquo_partf(x); } static long double remquo_part_l(long double x) { return remquo_partl(x); } static double adjoin_remquo_part_d_grad_174(double x); static float adjoin_remquo_part_f_grad_175(float x); static long double adjoin_remquo_part_l_grad_176(long double x); static void remquo_part_test(double low, double high) { for (int k = 0; k < 5; k++) { double x = low + (high - low) * (k + 0.5) / 5; long double at = (long double)x, h = 1e-4L * (1 + fabsl(at)); long double numeric = (8 * (remquo_part_l(at + h) - remquo_part_l(at - h)) - (remquo_part_l(at + 2 * h) - remquo_part_l(at - 2 * h))) / (12 * h); compare("remquo_part", "", x, adjoin_remquo_part_d_grad_174(x), (double)numeric, 1e-10); compare("remquo_part", "f", x, (double)adjoin_remquo_part_f_grad_175((float)x), (double)numeric, 1e-4); compare("remquo_part", "l", x, (double)adjoin_remquo_part_l_grad_176((long double)x), (double)numeric, 1e-10); } }
static double sincos_part(double x) { double s, c[2] = {x, x}; sincos(x * x, &s, &c[1]); return s * c[1] * c[0]; }
static float sincos_partf(float x) { float s, c[2] = {x, x}; sincosf(x * x, &s, &c[1]); return s * c[1] * c[0]; }
static long double sincos_partl(long double x) { long double s, c[2] = {x, x}; sincosl(x * x, &s, &c[1]); return s * c[1] * c[0]; }
static double sincos_part_d(double x) { return sincos_part(x); } static float sincos_part_f(float x) { return sincos_partf(x); } static long double sincos_part_l(long double x) { return sincos_partl(x); } static double adjoin_sincos_part_d_grad_177(double x); static float adjoin_sincos_part_f_grad_178(float x); static long double adjoin_sincos_part_l_grad_179(long double x); static void sincos_part_test(double low, double high) { for (int k = 0; k < 5; k++) { double x = low + (high - low) * (k + 0.5) / 5; long double at = (long double)x, h = 1e-4L * (1 + fabsl(at)); long double numeric = (8 * (sincos_part_l(at + h) - sincos_part_l(at - h)) - (sincos_part_l(at + 2 * h) - sincos_part_l(at - 2 * h))) / (12 * h); compare("sincos_part", "", x, adjoin_sincos_part_d_grad_177(x), (double)numeric, 1e-10); compare("sincos_part", "f", x, (double)adjoin_sincos_part_f_grad_178((float)x), (double)numeric, 1e-4); compare("sincos_part", "l", x, (double)adjoin_sincos_part_l_grad_179((long double)x), (double)numeric, 1e-10); } }
static double lgamma_r_part(double x) { int s; double g = lgamma_r(x - 2.5, &s); return g * g * s; }
# 82 "tests/ad/mathlib.c"
static double bessel(double x) { return j0(x) + 2 * j1(x) + 3 * jn(3, x) + y0(x) - 2 * y1(x) + 0.1 * yn(2, x); } static double adjoin_bessel_grad_180(double x); static void bessel_test(double low, double high) { for (int k = 0; k < 5; k++) { double x = low + (high - low) * (k + 0.5) / 5, h = 1e-4; double numeric = (8 * (bessel(x + h) - bessel(x - h)) - (bessel(x + 2 * h) - bessel(x - 2 * h))) / (12 * h); compare("bessel", "", x, adjoin_bessel_grad_180(x), numeric, 1e-9); } }
static double gamma_below_zero(double x) { return sin(x) * tgamma(x) + lgamma(x - 3); } static double adjoin_gamma_below_zero_grad_181(double x); static void gamma_below_zero_test(double low, double high) { for (int k = 0; k < 5; k++) { double x = low + (high - low) * (k + 0.5) / 5, h = 1e-4; double numeric = (8 * (gamma_below_zero(x + h) - gamma_below_zero(x - h)) - (gamma_below_zero(x + 2 * h) - gamma_below_zero(x - 2 * h))) / (12 * h); compare("gamma_below_zero", "", x, adjoin_gamma_below_zero_grad_181(x), numeric, 1e-9); } }
static double log_gamma_with_sign(double x) { return lgamma_r_part(x); } static double adjoin_log_gamma_with_sign_grad_182(double x); static void log_gamma_with_sign_test(double low, double high) { for (int k = 0; k < 5; k++) { double x = low + (high - low) * (k + 0.5) / 5, h = 1e-4; double numeric = (8 * (log_gamma_with_sign(x + h) - log_gamma_with_sign(x - h)) - (log_gamma_with_sign(x + 2 * h) - log_gamma_with_sign(x - 2 * h))) / (12 * h); compare("log_gamma_with_sign", "", x, adjoin_log_gamma_with_sign_grad_182(x), numeric, 1e-9); } }
static double float_in_double(double x) { return (double)sqrtf((float)1) * x + nexttoward(x, 9.0L) + significand(x) + drem(x, 0.4) + exp10(x) + scalb(x, 2.0); } static double adjoin_float_in_double_grad_183(double x); static void float_in_double_test(double low, double high) { for (int k = 0; k < 5; k++) { double x = low + (high - low) * (k + 0.5) / 5, h = 1e-4; double numeric = (8 * (float_in_double(x + h) - float_in_double(x - h)) - (float_in_double(x + 2 * h) - float_in_double(x - 2 * h))) / (12 * h); compare("float_in_double", "", x, adjoin_float_in_double_grad_183(x), numeric, 1e-9); } }


static double zero_times_sqrt(double x) { return 0.0 * sqrt(x) + fmax(log(x), -50.0) + x; }
static double norm(double x, double y) { return hypot(x, y) + atan2(y, x) + cbrt(x) + fabs(y); }
static double power(double x, double y) { return pow(x, y); }
static double arcs(double x) { return asin(x) + acos(x) * 2 + 0.0 * atanh(x * 0.5) + acosh(x); }
static double smaller(double x, double y) { return fmin(x, y) + 10 * fmax(x, y); }
struct two { double x, y; };
struct two __enzyme_autodiff_two(void *, ...);
static void point(const char *name, struct two got, double x, double y)
{
    if (!(got.x == x && got.y == y)) {
        printf("%s: (%g, %g), not (%g, %g)\n", name, got.x, got.y, x, y);
        bad = 1;
    }
}


struct item {
    int key;
    double value;
};
static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}
static int by_key(const void *a, const void *b)
{
    return ((const struct item *)a)->key - ((const struct item *)b)->key;
}
static double sorted(double *x, int n)
{
    double *y = malloc((size_t)n * sizeof *y), s = 0;
    struct item items[64], wanted = {5, 0};
    for (int i = 0; i < n; i++) {
        y[i] = x[i] * x[i];
        items[i].key = (i * 7) % n;
        items[i].value = sin(x[i]);
    }
    qsort(y, (size_t)n, sizeof *y, by_value);
    qsort(items, (size_t)n, sizeof items[0], by_key);
    for (int i = 0; i < n; i++)
        s += (i + 1) * y[i] * items[i].value;
    struct item *found = bsearch(&wanted, items, (size_t)n, sizeof items[0], by_key);
    if (found)
        s += found->value * found->value;
    wanted.key = 1000;
    if (bsearch(&wanted, items, (size_t)n, sizeof items[0], by_key))
        s = 0;
    free(y);
    return s;
}
static double adjoin_sorted_grad_184(double *x, double *x_bar, int n); static void sorted_gradient(double *x, double *bar, int n) { adjoin_sorted_grad_184(x, bar, n); }


static double adjoin_zero_times_sqrt_grad_185(double x); static double adjoin_arcs_grad_186(double x); static struct two adjoin_norm_grad_187(double x, double y); static struct two adjoin_power_grad_188(double x, double y); static struct two adjoin_power_grad_189(double x, double y); static struct two adjoin_power_grad_190(double x, double y); static struct two adjoin_power_grad_191(double x, double y); static struct two adjoin_power_grad_192(double x, double y); static struct two adjoin_power_grad_193(double x, double y); static struct two adjoin_smaller_grad_194(double x, double y); static struct two adjoin_smaller_grad_195(double x, double y); static struct two adjoin_smaller_grad_196(double x, double y); int main(void)
{
    exp_test(-3, 3); exp2_test(-3, 3); expm1_test(-2, 2); log_test(0.1, 5); log2_test(0.1, 5); log10_test(0.1, 5); log1p_test(-0.5, 3);
    sqrt_test(0.1, 5); cbrt_test(0.1, 5); cbrt_test(-5, -0.1); sin_test(-3, 3); cos_test(-3, 3); tan_test(-1, 1); asin_test(-0.8, 0.8);
    acos_test(-0.8, 0.8); atan_test(-3, 3); sinh_test(-2, 2); cosh_test(-2, 2); tanh_test(-2, 2); asinh_test(-3, 3); acosh_test(1.2, 4);
    atanh_test(-0.8, 0.8); erf_test(-2, 2); erfc_test(-2, 2); tgamma_test(0.3, 4); lgamma_test(0.3, 20); fabs_test(-3, -0.2); fabs_test(0.2, 3);
    floor_test(0.2, 0.8); ceil_test(0.2, 0.8); round_test(0.6, 0.9); trunc_test(0.2, 0.8); rint_test(0.6, 0.9); nearbyint_test(0.6, 0.9);
    logb_test(1.1, 1.9);
    pow_left_test(0.3, 2); pow_right_test(0.1, 2); hypot_left_test(-2, 2); hypot_right_test(-2, 2); atan2_left_test(-2, 2); atan2_right_test(-2, 2);
    fmin_left_test(0.1, 2); fmin_right_test(0.1, 1); fmax_left_test(0.1, 2); fmax_right_test(0.1, 1); fdim_left_test(0.1, 2); fdim_right_test(0.1, 1);
    copysign_left_test(0.1, 2); fmod_left_test(0.1, 2); fmod_right_test(0.56, 0.57); remainder_left_test(0.1, 0.3); nextafter_left_test(0.1, 2);
    fma_test(-2, 2); ldexp_test(1, 2); scalbn_test(1, 2); scalbln_test(1, 2); builtin_test(-2, 2); power_of_negative_test(-1, 1);
    modf_part_test(0.4, 0.6); modf_part_test(-0.6, -0.4); frexp_part_test(0.5, 0.7); remquo_part_test(0.5, 0.51); sincos_part_test(-1, 1);
    bessel_test(1, 8); gamma_below_zero_test(-1.9, -1.1); gamma_below_zero_test(0.1, 0.9); log_gamma_with_sign_test(0.1, 0.4); float_in_double_test(1.1, 1.15);

    if (adjoin_zero_times_sqrt_grad_185(0.0) != 1 || adjoin_arcs_grad_186(1.0) != 0)
        bad = 1, puts("singular points of one variable");

    point("hypot, atan2, cbrt, fabs at 0", adjoin_norm_grad_187(0.0, 0.0), 0, 0);
    point("pow(0, 2)", adjoin_power_grad_188(0.0, 2.0), 0, 0);
    point("pow(0, 1)", adjoin_power_grad_189(0.0, 1.0), 1, 0);
    point("pow(0, 0.5)", adjoin_power_grad_190(0.0, 0.5), 0, 0);
    point("pow(0, 0)", adjoin_power_grad_191(0.0, 0.0), 0, 0);
    point("pow(-2, 3)", adjoin_power_grad_192(-2.0, 3.0), 12, 0);
    point("pow(-2, 0)", adjoin_power_grad_193(-2.0, 0.0), 0, 0);
    point("fmin, fmax at a tie", adjoin_smaller_grad_194(1.0, 1.0), 11, 0);
    point("fmin, fmax", adjoin_smaller_grad_195(1.0, 2.0), 1, 10);

    point("fmin, fmax with NaN", adjoin_smaller_grad_196(1.0, (double)
# 170 "tests/ad/mathlib.c" 3 4
                                                                                    (__builtin_nanf (""))), 11, 0);

    return bad | check("sorted", sorted, sorted_gradient, 11);
}

# 1 "<adjoin>"
struct adjoin_stack {
    char *data;
    unsigned long size, room;
};
static void __attribute__((unused, noinline, cold)) adjoin_grow(struct adjoin_stack *s)
{
    unsigned long room = s->room ? 2 * s->room : 1024;
    char *data = (char *)__builtin_realloc(s->data, room);
    if (!data) {
        __builtin_printf("adjoin: out of memory: a cache of %lu bytes\n", room);
        __builtin_abort();
    }
    s->data = data;
    s->room = room;
}
static inline void __attribute__((unused)) adjoin_push_f64(struct adjoin_stack *s, double v)
{
    if (s->size + sizeof(v) > s->room)
        adjoin_grow(s);
    *(double *)(void *)(s->data + s->size) = v;
    s->size += sizeof(v);
}
static inline double __attribute__((unused)) adjoin_top_f64(const struct adjoin_stack *s)
{
    return *(double *)(void *)(s->data + s->size - sizeof(double));
}
static inline void __attribute__((unused)) adjoin_pop_f64(struct adjoin_stack *s)
{
    s->size -= sizeof(double);
}
static inline void __attribute__((unused)) adjoin_push_f32(struct adjoin_stack *s, float v)
{
    if (s->size + sizeof(v) > s->room)
        adjoin_grow(s);
    *(float *)(void *)(s->data + s->size) = v;
    s->size += sizeof(v);
}
static inline float __attribute__((unused)) adjoin_top_f32(const struct adjoin_stack *s)
{
    return *(float *)(void *)(s->data + s->size - sizeof(float));
}
static inline void __attribute__((unused)) adjoin_pop_f32(struct adjoin_stack *s)
{
    s->size -= sizeof(float);
}
static inline void __attribute__((unused)) adjoin_push_f80(struct adjoin_stack *s, long double v)
{
    if (s->size + sizeof(v) > s->room)
        adjoin_grow(s);
    *(long double *)(void *)(s->data + s->size) = v;
    s->size += sizeof(v);
}
static inline long double __attribute__((unused)) adjoin_top_f80(const struct adjoin_stack *s)
{
    return *(long double *)(void *)(s->data + s->size - sizeof(long double));
}
static inline void __attribute__((unused)) adjoin_pop_f80(struct adjoin_stack *s)
{
    s->size -= sizeof(long double);
}
static inline void __attribute__((unused)) adjoin_push_c64(struct adjoin_stack *s, double _Complex v)
{
    if (s->size + sizeof(v) > s->room)
        adjoin_grow(s);
    *(double _Complex *)(void *)(s->data + s->size) = v;
    s->size += sizeof(v);
}
static inline double _Complex __attribute__((unused)) adjoin_top_c64(const struct adjoin_stack *s)
{
    return *(double _Complex *)(void *)(s->data + s->size - sizeof(double _Complex));
}
static inline void __attribute__((unused)) adjoin_pop_c64(struct adjoin_stack *s)
{
    s->size -= sizeof(double _Complex);
}
static inline void __attribute__((unused)) adjoin_push_c32(struct adjoin_stack *s, float _Complex v)
{
    if (s->size + sizeof(v) > s->room)
        adjoin_grow(s);
    *(float _Complex *)(void *)(s->data + s->size) = v;
    s->size += sizeof(v);
}
static inline float _Complex __attribute__((unused)) adjoin_top_c32(const struct adjoin_stack *s)
{
    return *(float _Complex *)(void *)(s->data + s->size - sizeof(float _Complex));
}
static inline void __attribute__((unused)) adjoin_pop_c32(struct adjoin_stack *s)
{
    s->size -= sizeof(float _Complex);
}
static inline void __attribute__((unused)) adjoin_push_c80(struct adjoin_stack *s, long double _Complex v)
{
    if (s->size + sizeof(v) > s->room)
        adjoin_grow(s);
    *(long double _Complex *)(void *)(s->data + s->size) = v;
    s->size += sizeof(v);
}
static inline long double _Complex __attribute__((unused)) adjoin_top_c80(const struct adjoin_stack *s)
{
    return *(long double _Complex *)(void *)(s->data + s->size - sizeof(long double _Complex));
}
static inline void __attribute__((unused)) adjoin_pop_c80(struct adjoin_stack *s)
{
    s->size -= sizeof(long double _Complex);
}
static inline void __attribute__((unused)) adjoin_push_i64(struct adjoin_stack *s, long v)
{
    if (s->size + sizeof(v) > s->room)
        adjoin_grow(s);
    *(long *)(void *)(s->data + s->size) = v;
    s->size += sizeof(v);
}
static inline long __attribute__((unused)) adjoin_top_i64(const struct adjoin_stack *s)
{
    return *(long *)(void *)(s->data + s->size - sizeof(long));
}
static inline void __attribute__((unused)) adjoin_pop_i64(struct adjoin_stack *s)
{
    s->size -= sizeof(long);
}
static inline void __attribute__((unused)) adjoin_push_i32(struct adjoin_stack *s, int v)
{
    if (s->size + sizeof(v) > s->room)
        adjoin_grow(s);
    *(int *)(void *)(s->data + s->size) = v;
    s->size += sizeof(v);
}
static inline int __attribute__((unused)) adjoin_top_i32(const struct adjoin_stack *s)
{
    return *(int *)(void *)(s->data + s->size - sizeof(int));
}
static inline void __attribute__((unused)) adjoin_pop_i32(struct adjoin_stack *s)
{
    s->size -= sizeof(int);
}
static inline void __attribute__((unused)) adjoin_push_i8(struct adjoin_stack *s, signed char v)
{
    if (s->size + sizeof(v) > s->room)
        adjoin_grow(s);
    *(signed char *)(void *)(s->data + s->size) = v;
    s->size += sizeof(v);
}
static inline signed char __attribute__((unused)) adjoin_top_i8(const struct adjoin_stack *s)
{
    return *(signed char *)(void *)(s->data + s->size - sizeof(signed char));
}
static inline void __attribute__((unused)) adjoin_pop_i8(struct adjoin_stack *s)
{
    s->size -= sizeof(signed char);
}
static inline void __attribute__((unused)) adjoin_push_ptr(struct adjoin_stack *s, void * v)
{
    if (s->size + sizeof(v) > s->room)
        adjoin_grow(s);
    *(void * *)(void *)(s->data + s->size) = v;
    s->size += sizeof(v);
}
static inline void * __attribute__((unused)) adjoin_top_ptr(const struct adjoin_stack *s)
{
    return *(void * *)(void *)(s->data + s->size - sizeof(void *));
}
static inline void __attribute__((unused)) adjoin_pop_ptr(struct adjoin_stack *s)
{
    s->size -= sizeof(void *);
}
static inline void __attribute__((unused)) adjoin_release(struct adjoin_stack *s)
{
    __builtin_free(s->data);
}
static inline void * __attribute__((unused)) adjoin_calloc(unsigned long bytes)
{
    void *p = __builtin_calloc(1, bytes ? bytes : 1);
    if (!p) {
        __builtin_printf("adjoin: out of memory: a shadow of %lu bytes\n", bytes);
        __builtin_abort();
    }
    return p;
}
static inline void __attribute__((unused)) adjoin_free_later(struct adjoin_stack *s, void *p)
{
    adjoin_push_ptr(s, p);
}
static void __attribute__((unused)) adjoin_free_all(struct adjoin_stack *s)
{
    while (s->size) {
        __builtin_free(adjoin_top_ptr(s));
        adjoin_pop_ptr(s);
    }
    __builtin_free(s->data);
}

/* The exponent that frexp finds. */
static inline int __attribute__((unused)) adjoin_exponent(double x)
{
    int exponent = 0;
    (void)__builtin_frexp(x, &exponent);
    return exponent;
}

/* The exponent that frexp finds. */
static inline int __attribute__((unused)) adjoin_exponentf(float x)
{
    int exponent = 0;
    (void)__builtin_frexpf(x, &exponent);
    return exponent;
}

/* The exponent that frexp finds. */
static inline int __attribute__((unused)) adjoin_exponentl(long double x)
{
    int exponent = 0;
    (void)__builtin_frexpl(x, &exponent);
    return exponent;
}

/* The last bits of the quotient that remquo finds. */
static inline int __attribute__((unused)) adjoin_quotient(double x, double y)
{
    int quotient = 0;
    (void)__builtin_remquo(x, y, &quotient);
    return quotient;
}

/* The last bits of the quotient that remquo finds. */
static inline int __attribute__((unused)) adjoin_quotientf(float x, float y)
{
    int quotient = 0;
    (void)__builtin_remquof(x, y, &quotient);
    return quotient;
}

/* The last bits of the quotient that remquo finds. */
static inline int __attribute__((unused)) adjoin_quotientl(long double x, long double y)
{
    int quotient = 0;
    (void)__builtin_remquol(x, y, &quotient);
    return quotient;
}

/* The sign of the gamma function. */
static inline int __attribute__((unused)) adjoin_gamma_sign(double x)
{
    if (x == 0)
        return __builtin_signbit(x) ? -1 : 1;
    return x < 0 && __builtin_fmod(__builtin_floor(x), 2) != 0 ? -1 : 1;
}

/* The polygamma function of order n: the (n + 1)-th derivative of the logarithm of the gamma function. 0 at its poles. */
static double __attribute__((unused)) adjoin_polygamma(int n, double x)
{
    static const double bernoulli[11] = {
        1.0 / 6, -1.0 / 30, 1.0 / 42, -1.0 / 30, 5.0 / 66, -691.0 / 2730, 7.0 / 6, -3617.0 / 510,
        43867.0 / 798, -174611.0 / 330, 854513.0 / 138
    };
    const double sign = n % 2 ? 1.0 : -1.0, pi = 3.141592653589793238462643383280;
    double factorial = 1.0, power = 1.0, sum = 0.0, total, term;
    if (x <= 0.0) {
        double p[64] = {0.0, 1.0}, cotangent, angle = pi * (x - __builtin_round(x));
        if (x == __builtin_floor(x) || n > 60)
            return 0.0;
        cotangent = __builtin_cos(angle) / __builtin_sin(angle);
        for (int k = 0; k < n; k++) {
            double below = 0.0;
            for (int j = 0; j <= k + 2; j++) {
                double next = -((j + 1) * p[j + 1] + (j - 1) * below);
                below = p[j];
                p[j] = next;
            }
        }
        for (int j = n + 1; j >= 0; j--)
            sum = sum * cotangent + p[j];
        for (int k = 0; k <= n; k++)
            sum *= pi;
        return -sign * adjoin_polygamma(n, 1.0 - x) - sum;
    }
    for (int k = 2; k <= n; k++)
        factorial *= k;
    for (; x < n + 15; x += 1.0) {
        double inverse = 1.0 / x;
        for (int k = 0; k < n; k++)
            inverse /= x;
        sum += inverse;
    }
    for (int k = 0; k < n; k++)
        power /= x;
    total = n == 0 ? -__builtin_log(x) : factorial / n * power;
    total += factorial * power / (2 * x);
    term = factorial * (n + 1) / 2 * power / (x * x);
    for (int k = 1; k <= 11; k++) {
        total += bernoulli[k - 1] * term;
        term *= (double)(2 * k + n) * (2 * k + n + 1) / ((double)(2 * k + 1) * (2 * k + 2) * x * x);
    }
    return sign * (total + factorial * sum);
}

static float __attribute__((unused)) adjoin_polygammaf(int n, float x)
{
    return (float)adjoin_polygamma(n, (double)x);
}

/* The polygamma function of order n: the (n + 1)-th derivative of the logarithm of the gamma function. 0 at its poles. */
static long double __attribute__((unused)) adjoin_polygammal(int n, long double x)
{
    static const long double bernoulli[11] = {
        1.0L / 6, -1.0L / 30, 1.0L / 42, -1.0L / 30, 5.0L / 66, -691.0L / 2730, 7.0L / 6, -3617.0L / 510,
        43867.0L / 798, -174611.0L / 330, 854513.0L / 138
    };
    const long double sign = n % 2 ? 1.0L : -1.0L, pi = 3.141592653589793238462643383280L;
    long double factorial = 1.0L, power = 1.0L, sum = 0.0L, total, term;
    if (x <= 0.0L) {
        long double p[64] = {0.0L, 1.0L}, cotangent, angle = pi * (x - __builtin_roundl(x));
        if (x == __builtin_floorl(x) || n > 60)
            return 0.0L;
        cotangent = __builtin_cosl(angle) / __builtin_sinl(angle);
        for (int k = 0; k < n; k++) {
            long double below = 0.0L;
            for (int j = 0; j <= k + 2; j++) {
                long double next = -((j + 1) * p[j + 1] + (j - 1) * below);
                below = p[j];
                p[j] = next;
            }
        }
        for (int j = n + 1; j >= 0; j--)
            sum = sum * cotangent + p[j];
        for (int k = 0; k <= n; k++)
            sum *= pi;
        return -sign * adjoin_polygammal(n, 1.0L - x) - sum;
    }
    for (int k = 2; k <= n; k++)
        factorial *= k;
    for (; x < n + 15; x += 1.0L) {
        long double inverse = 1.0L / x;
        for (int k = 0; k < n; k++)
            inverse /= x;
        sum += inverse;
    }
    for (int k = 0; k < n; k++)
        power /= x;
    total = n == 0 ? -__builtin_logl(x) : factorial / n * power;
    total += factorial * power / (2 * x);
    term = factorial * (n + 1) / 2 * power / (x * x);
    for (int k = 1; k <= 11; k++) {
        total += bernoulli[k - 1] * term;
        term *= (long double)(2 * k + n) * (2 * k + n + 1) / ((long double)(2 * k + 1) * (2 * k + 2) * x * x);
    }
    return sign * (total + factorial * sum);
}

/* The order that sorts `count` objects of `size` bytes: the caller frees it. Equal objects keep theirs. */
static long *__attribute__((unused)) adjoin_sort_order(void *data, unsigned long count, unsigned long size, int (*compare)(const void *, const void *))
{
    const char *base = (const char *)data;
    long n = (long)count, *order = (long *)__builtin_malloc(2 * (count + 1) * sizeof(long)), *from = order, *to;
    if (!order) {
        __builtin_printf("adjoin: out of memory: the order of %lu objects\n", count);
        __builtin_abort();
    }
    to = order + n;
    for (long i = 0; i < n; i++)
        from[i] = i;
    for (long width = 1; width < n; width *= 2) {
        for (long start = 0; start < n; start += 2 * width) {
            long middle = start + width < n ? start + width : n, end = start + 2 * width < n ? start + 2 * width : n;
            long i = start, j = middle;
            for (long k = start; k < end; k++) {
                int second = i >= middle || (j < end && compare(base + (unsigned long)from[j] * size, base + (unsigned long)from[i] * size) < 0);
                to[k] = second ? from[j++] : from[i++];
            }
        }
        long *other = from;
        from = to;
        to = other;
    }
    if (from != order)
        for (long i = 0; i < n; i++)
            order[i] = from[i];
    return order;
}

/* The index that bsearch finds, or -1. */
static long __attribute__((unused)) adjoin_search(const void *key, const void *data, unsigned long count, unsigned long size, int (*compare)(const void *, const void *))
{
    unsigned long low = 0, high = count;
    while (low < high) {
        unsigned long middle = (low + high) / 2;
        int side = compare(key, (const char *)data + middle * size);
        if (side == 0)
            return (long)middle;
        if (side < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return -1;
}
static double adjoin_exp_d_grad_0(double x)
{
    double x_bar = 1.0 * exp(x);
    return x_bar;
}
static float adjoin_exp_f_grad_1(float x)
{
    float x_bar = 1.0f * expf(x);
    return x_bar;
}
static long double adjoin_exp_l_grad_2(long double x)
{
    long double x_bar = 1.0L * expl(x);
    return x_bar;
}
static double adjoin_exp2_d_grad_3(double x)
{
    double x_bar = 1.0 * (exp2(x) * 0.6931471805599453);
    return x_bar;
}
static float adjoin_exp2_f_grad_4(float x)
{
    float x_bar = 1.0f * (exp2f(x) * 0.6931472f);
    return x_bar;
}
static long double adjoin_exp2_l_grad_5(long double x)
{
    long double x_bar = 1.0L * (exp2l(x) * 0.693147180559945309417232121458L);
    return x_bar;
}
static double adjoin_expm1_d_grad_6(double x)
{
    double x_bar = 1.0 * (expm1(x) + 1.0);
    return x_bar;
}
static float adjoin_expm1_f_grad_7(float x)
{
    float x_bar = 1.0f * (expm1f(x) + 1.0f);
    return x_bar;
}
static long double adjoin_expm1_l_grad_8(long double x)
{
    long double x_bar = 1.0L * (expm1l(x) + 1.0L);
    return x_bar;
}
static double adjoin_log_d_grad_9(double x)
{
    double x_bar = 1.0 * ((x == 0.0 ? 0.0 : 1.0) / (x == 0.0 ? 1.0 : x));
    return x_bar;
}
static float adjoin_log_f_grad_10(float x)
{
    float x_bar = 1.0f * ((x == 0.0f ? 0.0f : 1.0f) / (x == 0.0f ? 1.0f : x));
    return x_bar;
}
static long double adjoin_log_l_grad_11(long double x)
{
    long double x_bar = 1.0L * ((x == 0.0L ? 0.0L : 1.0L) / (x == 0.0L ? 1.0L : x));
    return x_bar;
}
static double adjoin_log2_d_grad_12(double x)
{
    double x_bar = 1.0 * ((x == 0.0 ? 0.0 : 1.4426950408889634) / (x == 0.0 ? 1.0 : x));
    return x_bar;
}
static float adjoin_log2_f_grad_13(float x)
{
    float x_bar = 1.0f * ((x == 0.0f ? 0.0f : 1.442695f) / (x == 0.0f ? 1.0f : x));
    return x_bar;
}
static long double adjoin_log2_l_grad_14(long double x)
{
    long double x_bar = 1.0L
        * ((x == 0.0L ? 0.0L : 1.442695040888963407359924681002L) / (x == 0.0L ? 1.0L : x));
    return x_bar;
}
static double adjoin_log10_d_grad_15(double x)
{
    double x_bar = 1.0 * ((x == 0.0 ? 0.0 : 0.4342944819032518) / (x == 0.0 ? 1.0 : x));
    return x_bar;
}
static float adjoin_log10_f_grad_16(float x)
{
    float x_bar = 1.0f * ((x == 0.0f ? 0.0f : 0.4342945f) / (x == 0.0f ? 1.0f : x));
    return x_bar;
}
static long double adjoin_log10_l_grad_17(long double x)
{
    long double x_bar = 1.0L
        * ((x == 0.0L ? 0.0L : 0.434294481903251827651128918917L) / (x == 0.0L ? 1.0L : x));
    return x_bar;
}
static double adjoin_log1p_d_grad_18(double x)
{
    double x_bar = 1.0 * ((x == -1.0 ? 0.0 : 1.0) / (1.0 + x + (x == -1.0 ? 1.0 : 0.0)));
    return x_bar;
}
static float adjoin_log1p_f_grad_19(float x)
{
    float x_bar = 1.0f * ((x == -1.0f ? 0.0f : 1.0f) / (1.0f + x + (x == -1.0f ? 1.0f : 0.0f)));
    return x_bar;
}
static long double adjoin_log1p_l_grad_20(long double x)
{
    long double x_bar = 1.0L
        * ((x == -1.0L ? 0.0L : 1.0L) / (1.0L + x + (x == -1.0L ? 1.0L : 0.0L)));
    return x_bar;
}
static double adjoin_sqrt_d_grad_21(double x)
{
    double t = sqrt(x);
    double x_bar = 1.0 * ((t == 0.0 ? 0.0 : 0.5) / (t == 0.0 ? 1.0 : t));
    return x_bar;
}
static float adjoin_sqrt_f_grad_22(float x)
{
    float t = sqrtf(x);
    float x_bar = 1.0f * ((t == 0.0f ? 0.0f : 0.5f) / (t == 0.0f ? 1.0f : t));
    return x_bar;
}
static long double adjoin_sqrt_l_grad_23(long double x)
{
    long double t = sqrtl(x);
    long double x_bar = 1.0L * ((t == 0.0L ? 0.0L : 0.5L) / (t == 0.0L ? 1.0L : t));
    return x_bar;
}
static double adjoin_cbrt_d_grad_24(double x)
{
    double x_bar = 1.0 * (0.3333333333333333 * cbrt(x) / (x == 0.0 ? 1.0 : x));
    return x_bar;
}
static float adjoin_cbrt_f_grad_25(float x)
{
    float x_bar = 1.0f * (0.33333334f * cbrtf(x) / (x == 0.0f ? 1.0f : x));
    return x_bar;
}
static long double adjoin_cbrt_l_grad_26(long double x)
{
    long double x_bar = 1.0L
        * (0.333333333333333333333333333333L * cbrtl(x) / (x == 0.0L ? 1.0L : x));
    return x_bar;
}
static double adjoin_sin_d_grad_27(double x)
{
    double x_bar = 1.0 * cos(x);
    return x_bar;
}
static float adjoin_sin_f_grad_28(float x)
{
    float x_bar = 1.0f * cosf(x);
    return x_bar;
}
static long double adjoin_sin_l_grad_29(long double x)
{
    long double x_bar = 1.0L * cosl(x);
    return x_bar;
}
static double adjoin_cos_d_grad_30(double x)
{
    double x_bar = 1.0 * -sin(x);
    return x_bar;
}
static float adjoin_cos_f_grad_31(float x)
{
    float x_bar = 1.0f * -sinf(x);
    return x_bar;
}
static long double adjoin_cos_l_grad_32(long double x)
{
    long double x_bar = 1.0L * -sinl(x);
    return x_bar;
}
static double adjoin_tan_d_grad_33(double x)
{
    double t = tan(x);
    double x_bar = 1.0 * (1.0 + t * t);
    return x_bar;
}
static float adjoin_tan_f_grad_34(float x)
{
    float t = tanf(x);
    float x_bar = 1.0f * (1.0f + t * t);
    return x_bar;
}
static long double adjoin_tan_l_grad_35(long double x)
{
    long double t = tanl(x);
    long double x_bar = 1.0L * (1.0L + t * t);
    return x_bar;
}
static double adjoin_asin_d_grad_36(double x)
{
    double x_bar = 1.0 * (x * x == 1.0 ? 0.0 : 1.0 / sqrt((1.0 - x) * (1.0 + x)));
    return x_bar;
}
static float adjoin_asin_f_grad_37(float x)
{
    float x_bar = 1.0f * (x * x == 1.0f ? 0.0f : 1.0f / sqrtf((1.0f - x) * (1.0f + x)));
    return x_bar;
}
static long double adjoin_asin_l_grad_38(long double x)
{
    long double x_bar = 1.0L * (x * x == 1.0L ? 0.0L : 1.0L / sqrtl((1.0L - x) * (1.0L + x)));
    return x_bar;
}
static double adjoin_acos_d_grad_39(double x)
{
    double x_bar = 1.0 * (x * x == 1.0 ? 0.0 : -1.0 / sqrt((1.0 - x) * (1.0 + x)));
    return x_bar;
}
static float adjoin_acos_f_grad_40(float x)
{
    float x_bar = 1.0f * (x * x == 1.0f ? 0.0f : -1.0f / sqrtf((1.0f - x) * (1.0f + x)));
    return x_bar;
}
static long double adjoin_acos_l_grad_41(long double x)
{
    long double x_bar = 1.0L * (x * x == 1.0L ? 0.0L : -1.0L / sqrtl((1.0L - x) * (1.0L + x)));
    return x_bar;
}
static double adjoin_atan_d_grad_42(double x)
{
    double x_bar = 1.0 * (1.0 / (1.0 + x * x));
    return x_bar;
}
static float adjoin_atan_f_grad_43(float x)
{
    float x_bar = 1.0f * (1.0f / (1.0f + x * x));
    return x_bar;
}
static long double adjoin_atan_l_grad_44(long double x)
{
    long double x_bar = 1.0L * (1.0L / (1.0L + x * x));
    return x_bar;
}
static double adjoin_sinh_d_grad_45(double x)
{
    double x_bar = 1.0 * cosh(x);
    return x_bar;
}
static float adjoin_sinh_f_grad_46(float x)
{
    float x_bar = 1.0f * coshf(x);
    return x_bar;
}
static long double adjoin_sinh_l_grad_47(long double x)
{
    long double x_bar = 1.0L * coshl(x);
    return x_bar;
}
static double adjoin_cosh_d_grad_48(double x)
{
    double x_bar = 1.0 * sinh(x);
    return x_bar;
}
static float adjoin_cosh_f_grad_49(float x)
{
    float x_bar = 1.0f * sinhf(x);
    return x_bar;
}
static long double adjoin_cosh_l_grad_50(long double x)
{
    long double x_bar = 1.0L * sinhl(x);
    return x_bar;
}
static double adjoin_tanh_d_grad_51(double x)
{
    double t = tanh(x);
    double x_bar = 1.0 * (1.0 - t * t);
    return x_bar;
}
static float adjoin_tanh_f_grad_52(float x)
{
    float t = tanhf(x);
    float x_bar = 1.0f * (1.0f - t * t);
    return x_bar;
}
static long double adjoin_tanh_l_grad_53(long double x)
{
    long double t = tanhl(x);
    long double x_bar = 1.0L * (1.0L - t * t);
    return x_bar;
}
static double adjoin_asinh_d_grad_54(double x)
{
    double x_bar = 1.0 * (1.0 / sqrt(x * x + 1.0));
    return x_bar;
}
static float adjoin_asinh_f_grad_55(float x)
{
    float x_bar = 1.0f * (1.0f / sqrtf(x * x + 1.0f));
    return x_bar;
}
static long double adjoin_asinh_l_grad_56(long double x)
{
    long double x_bar = 1.0L * (1.0L / sqrtl(x * x + 1.0L));
    return x_bar;
}
static double adjoin_acosh_d_grad_57(double x)
{
    double x_bar = 1.0 * (x == 1.0 ? 0.0 : 1.0 / sqrt((x - 1.0) * (x + 1.0)));
    return x_bar;
}
static float adjoin_acosh_f_grad_58(float x)
{
    float x_bar = 1.0f * (x == 1.0f ? 0.0f : 1.0f / sqrtf((x - 1.0f) * (x + 1.0f)));
    return x_bar;
}
static long double adjoin_acosh_l_grad_59(long double x)
{
    long double x_bar = 1.0L * (x == 1.0L ? 0.0L : 1.0L / sqrtl((x - 1.0L) * (x + 1.0L)));
    return x_bar;
}
static double adjoin_atanh_d_grad_60(double x)
{
    double x_bar = 1.0 * (x * x == 1.0 ? 0.0 : 1.0 / ((1.0 - x) * (1.0 + x)));
    return x_bar;
}
static float adjoin_atanh_f_grad_61(float x)
{
    float x_bar = 1.0f * (x * x == 1.0f ? 0.0f : 1.0f / ((1.0f - x) * (1.0f + x)));
    return x_bar;
}
static long double adjoin_atanh_l_grad_62(long double x)
{
    long double x_bar = 1.0L * (x * x == 1.0L ? 0.0L : 1.0L / ((1.0L - x) * (1.0L + x)));
    return x_bar;
}
static double adjoin_erf_d_grad_63(double x)
{
    double x_bar = 1.0 * (1.1283791670955126 * exp(-(x * x)));
    return x_bar;
}
static float adjoin_erf_f_grad_64(float x)
{
    float x_bar = 1.0f * (1.1283792f * expf(-(x * x)));
    return x_bar;
}
static long double adjoin_erf_l_grad_65(long double x)
{
    long double x_bar = 1.0L * (1.128379167095512573896158903122L * expl(-(x * x)));
    return x_bar;
}
static double adjoin_erfc_d_grad_66(double x)
{
    double x_bar = 1.0 * (-1.1283791670955126 * exp(-(x * x)));
    return x_bar;
}
static float adjoin_erfc_f_grad_67(float x)
{
    float x_bar = 1.0f * (-1.1283792f * expf(-(x * x)));
    return x_bar;
}
static long double adjoin_erfc_l_grad_68(long double x)
{
    long double x_bar = 1.0L * (-1.128379167095512573896158903122L * expl(-(x * x)));
    return x_bar;
}
static double adjoin_tgamma_d_grad_69(double x)
{
    double x_bar = 1.0 * (tgamma(x) * adjoin_polygamma(0, x));
    return x_bar;
}
static float adjoin_tgamma_f_grad_70(float x)
{
    float x_bar = 1.0f * (tgammaf(x) * adjoin_polygammaf(0, x));
    return x_bar;
}
static long double adjoin_tgamma_l_grad_71(long double x)
{
    long double x_bar = 1.0L * (tgammal(x) * adjoin_polygammal(0, x));
    return x_bar;
}
static double adjoin_lgamma_d_grad_72(double x)
{
    double x_bar = 1.0 * adjoin_polygamma(0, x);
    return x_bar;
}
static float adjoin_lgamma_f_grad_73(float x)
{
    float x_bar = 1.0f * adjoin_polygammaf(0, x);
    return x_bar;
}
static long double adjoin_lgamma_l_grad_74(long double x)
{
    long double x_bar = 1.0L * adjoin_polygammal(0, x);
    return x_bar;
}
static double adjoin_fabs_d_grad_75(double x)
{
    double x_bar = 1.0 * (x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : 0.0);
    return x_bar;
}
static float adjoin_fabs_f_grad_76(float x)
{
    float x_bar = 1.0f * (x > 0.0f ? 1.0f : x < 0.0f ? -1.0f : 0.0f);
    return x_bar;
}
static long double adjoin_fabs_l_grad_77(long double x)
{
    long double x_bar = 1.0L * (x > 0.0L ? 1.0L : x < 0.0L ? -1.0L : 0.0L);
    return x_bar;
}
static double adjoin_floor_d_grad_78(double x)
{
    (void)x;
    return 0.0;
}
static float adjoin_floor_f_grad_79(float x)
{
    (void)x;
    return 0.0f;
}
static long double adjoin_floor_l_grad_80(long double x)
{
    (void)x;
    return 0.0L;
}
static double adjoin_ceil_d_grad_81(double x)
{
    (void)x;
    return 0.0;
}
static float adjoin_ceil_f_grad_82(float x)
{
    (void)x;
    return 0.0f;
}
static long double adjoin_ceil_l_grad_83(long double x)
{
    (void)x;
    return 0.0L;
}
static double adjoin_round_d_grad_84(double x)
{
    (void)x;
    return 0.0;
}
static float adjoin_round_f_grad_85(float x)
{
    (void)x;
    return 0.0f;
}
static long double adjoin_round_l_grad_86(long double x)
{
    (void)x;
    return 0.0L;
}
static double adjoin_trunc_d_grad_87(double x)
{
    (void)x;
    return 0.0;
}
static float adjoin_trunc_f_grad_88(float x)
{
    (void)x;
    return 0.0f;
}
static long double adjoin_trunc_l_grad_89(long double x)
{
    (void)x;
    return 0.0L;
}
static double adjoin_rint_d_grad_90(double x)
{
    (void)x;
    return 0.0;
}
static float adjoin_rint_f_grad_91(float x)
{
    (void)x;
    return 0.0f;
}
static long double adjoin_rint_l_grad_92(long double x)
{
    (void)x;
    return 0.0L;
}
static double adjoin_nearbyint_d_grad_93(double x)
{
    (void)x;
    return 0.0;
}
static float adjoin_nearbyint_f_grad_94(float x)
{
    (void)x;
    return 0.0f;
}
static long double adjoin_nearbyint_l_grad_95(long double x)
{
    (void)x;
    return 0.0L;
}
static double adjoin_logb_d_grad_96(double x)
{
    (void)x;
    return 0.0;
}
static float adjoin_logb_f_grad_97(float x)
{
    (void)x;
    return 0.0f;
}
static long double adjoin_logb_l_grad_98(long double x)
{
    (void)x;
    return 0.0L;
}
static double adjoin_pow_left_d_grad_99(double x)
{
    double t = 0.7 + x * x;
    double t1 = pow(x, t);
    double x_bar = 1.0 * (x == 0.0 && t < 1.0 ? 0.0 : t * pow(x, t - 1.0));
    double t2 = 1.0 * (x <= 0.0 ? 0.0 : t1 * log(x));
    x_bar += t2 * x;
    x_bar += t2 * x;
    return x_bar;
}
static float adjoin_pow_left_f_grad_100(float x)
{
    float t = 0.7f + x * x;
    float t1 = powf(x, t);
    float x_bar = 1.0f * (x == 0.0f && t < 1.0f ? 0.0f : t * powf(x, t - 1.0f));
    float t2 = 1.0f * (x <= 0.0f ? 0.0f : t1 * logf(x));
    x_bar += t2 * x;
    x_bar += t2 * x;
    return x_bar;
}
static long double adjoin_pow_left_l_grad_101(long double x)
{
    long double t = 0.7L + x * x;
    long double t1 = powl(x, t);
    long double x_bar = 1.0L * (x == 0.0L && t < 1.0L ? 0.0L : t * powl(x, t - 1.0L));
    long double t2 = 1.0L * (x <= 0.0L ? 0.0L : t1 * logl(x));
    x_bar += t2 * x;
    x_bar += t2 * x;
    return x_bar;
}
static double adjoin_pow_right_d_grad_102(double x)
{
    double t = 2.3 - x;
    double t1 = pow(t, x);
    double x_bar = 1.0 * (t <= 0.0 ? 0.0 : t1 * log(t));
    x_bar += -(1.0 * (t == 0.0 && x < 1.0 ? 0.0 : x * pow(t, x - 1.0)));
    return x_bar;
}
static float adjoin_pow_right_f_grad_103(float x)
{
    float t = 2.3f - x;
    float t1 = powf(t, x);
    float x_bar = 1.0f * (t <= 0.0f ? 0.0f : t1 * logf(t));
    x_bar += -(1.0f * (t == 0.0f && x < 1.0f ? 0.0f : x * powf(t, x - 1.0f)));
    return x_bar;
}
static long double adjoin_pow_right_l_grad_104(long double x)
{
    long double t = 2.3L - x;
    long double t1 = powl(t, x);
    long double x_bar = 1.0L * (t <= 0.0L ? 0.0L : t1 * logl(t));
    x_bar += -(1.0L * (t == 0.0L && x < 1.0L ? 0.0L : x * powl(t, x - 1.0L)));
    return x_bar;
}
static double adjoin_hypot_left_d_grad_105(double x)
{
    double t = 0.7 + x * x;
    double t1 = hypot(x, t);
    double x_bar = 1.0 * (x / (t1 == 0.0 ? 1.0 : t1));
    double t2 = 1.0 * (t / (t1 == 0.0 ? 1.0 : t1));
    x_bar += t2 * x;
    x_bar += t2 * x;
    return x_bar;
}
static float adjoin_hypot_left_f_grad_106(float x)
{
    float t = 0.7f + x * x;
    float t1 = hypotf(x, t);
    float x_bar = 1.0f * (x / (t1 == 0.0f ? 1.0f : t1));
    float t2 = 1.0f * (t / (t1 == 0.0f ? 1.0f : t1));
    x_bar += t2 * x;
    x_bar += t2 * x;
    return x_bar;
}
static long double adjoin_hypot_left_l_grad_107(long double x)
{
    long double t = 0.7L + x * x;
    long double t1 = hypotl(x, t);
    long double x_bar = 1.0L * (x / (t1 == 0.0L ? 1.0L : t1));
    long double t2 = 1.0L * (t / (t1 == 0.0L ? 1.0L : t1));
    x_bar += t2 * x;
    x_bar += t2 * x;
    return x_bar;
}
static double adjoin_hypot_right_d_grad_108(double x)
{
    double t = 2.3 - x;
    double t1 = hypot(t, x);
    double x_bar = 1.0 * (x / (t1 == 0.0 ? 1.0 : t1));
    x_bar += -(1.0 * (t / (t1 == 0.0 ? 1.0 : t1)));
    return x_bar;
}
static float adjoin_hypot_right_f_grad_109(float x)
{
    float t = 2.3f - x;
    float t1 = hypotf(t, x);
    float x_bar = 1.0f * (x / (t1 == 0.0f ? 1.0f : t1));
    x_bar += -(1.0f * (t / (t1 == 0.0f ? 1.0f : t1)));
    return x_bar;
}
static long double adjoin_hypot_right_l_grad_110(long double x)
{
    long double t = 2.3L - x;
    long double t1 = hypotl(t, x);
    long double x_bar = 1.0L * (x / (t1 == 0.0L ? 1.0L : t1));
    x_bar += -(1.0L * (t / (t1 == 0.0L ? 1.0L : t1)));
    return x_bar;
}
static double adjoin_atan2_left_d_grad_111(double x)
{
    double t = 0.7 + x * x;
    double x_bar = 1.0 * (t / (t * t + x * x + (t == 0.0 && x == 0.0 ? 1.0 : 0.0)));
    double t1 = 1.0 * (-x / (t * t + x * x + (t == 0.0 && x == 0.0 ? 1.0 : 0.0)));
    x_bar += t1 * x;
    x_bar += t1 * x;
    return x_bar;
}
static float adjoin_atan2_left_f_grad_112(float x)
{
    float t = 0.7f + x * x;
    float x_bar = 1.0f * (t / (t * t + x * x + (t == 0.0f && x == 0.0f ? 1.0f : 0.0f)));
    float t1 = 1.0f * (-x / (t * t + x * x + (t == 0.0f && x == 0.0f ? 1.0f : 0.0f)));
    x_bar += t1 * x;
    x_bar += t1 * x;
    return x_bar;
}
static long double adjoin_atan2_left_l_grad_113(long double x)
{
    long double t = 0.7L + x * x;
    long double x_bar = 1.0L * (t / (t * t + x * x + (t == 0.0L && x == 0.0L ? 1.0L : 0.0L)));
    long double t1 = 1.0L * (-x / (t * t + x * x + (t == 0.0L && x == 0.0L ? 1.0L : 0.0L)));
    x_bar += t1 * x;
    x_bar += t1 * x;
    return x_bar;
}
static double adjoin_atan2_right_d_grad_114(double x)
{
    double t = 2.3 - x;
    double x_bar = 1.0 * (-t / (x * x + t * t + (x == 0.0 && t == 0.0 ? 1.0 : 0.0)));
    x_bar += -(1.0 * (x / (x * x + t * t + (x == 0.0 && t == 0.0 ? 1.0 : 0.0))));
    return x_bar;
}
static float adjoin_atan2_right_f_grad_115(float x)
{
    float t = 2.3f - x;
    float x_bar = 1.0f * (-t / (x * x + t * t + (x == 0.0f && t == 0.0f ? 1.0f : 0.0f)));
    x_bar += -(1.0f * (x / (x * x + t * t + (x == 0.0f && t == 0.0f ? 1.0f : 0.0f))));
    return x_bar;
}
static long double adjoin_atan2_right_l_grad_116(long double x)
{
    long double t = 2.3L - x;
    long double x_bar = 1.0L * (-t / (x * x + t * t + (x == 0.0L && t == 0.0L ? 1.0L : 0.0L)));
    x_bar += -(1.0L * (x / (x * x + t * t + (x == 0.0L && t == 0.0L ? 1.0L : 0.0L))));
    return x_bar;
}
static double adjoin_fmin_left_d_grad_117(double x)
{
    double t = 0.7 + x * x;
    double x_bar = 1.0 * (x != x ? 0.0 : t != t ? 1.0 : x <= t ? 1.0 : 0.0);
    double t1 = 1.0 * (t != t ? 0.0 : x != x ? 1.0 : x <= t ? 0.0 : 1.0);
    x_bar += t1 * x;
    x_bar += t1 * x;
    return x_bar;
}
static float adjoin_fmin_left_f_grad_118(float x)
{
    float t = 0.7f + x * x;
    float x_bar = 1.0f * (x != x ? 0.0f : t != t ? 1.0f : x <= t ? 1.0f : 0.0f);
    float t1 = 1.0f * (t != t ? 0.0f : x != x ? 1.0f : x <= t ? 0.0f : 1.0f);
    x_bar += t1 * x;
    x_bar += t1 * x;
    return x_bar;
}
static long double adjoin_fmin_left_l_grad_119(long double x)
{
    long double t = 0.7L + x * x;
    long double x_bar = 1.0L * (x != x ? 0.0L : t != t ? 1.0L : x <= t ? 1.0L : 0.0L);
    long double t1 = 1.0L * (t != t ? 0.0L : x != x ? 1.0L : x <= t ? 0.0L : 1.0L);
    x_bar += t1 * x;
    x_bar += t1 * x;
    return x_bar;
}
static double adjoin_fmin_right_d_grad_120(double x)
{
    double t = 2.3 - x;
    double x_bar = 1.0 * (x != x ? 0.0 : t != t ? 1.0 : t <= x ? 0.0 : 1.0);
    x_bar += -(1.0 * (t != t ? 0.0 : x != x ? 1.0 : t <= x ? 1.0 : 0.0));
    return x_bar;
}
static float adjoin_fmin_right_f_grad_121(float x)
{
    float t = 2.3f - x;
    float x_bar = 1.0f * (x != x ? 0.0f : t != t ? 1.0f : t <= x ? 0.0f : 1.0f);
    x_bar += -(1.0f * (t != t ? 0.0f : x != x ? 1.0f : t <= x ? 1.0f : 0.0f));
    return x_bar;
}
static long double adjoin_fmin_right_l_grad_122(long double x)
{
    long double t = 2.3L - x;
    long double x_bar = 1.0L * (x != x ? 0.0L : t != t ? 1.0L : t <= x ? 0.0L : 1.0L);
    x_bar += -(1.0L * (t != t ? 0.0L : x != x ? 1.0L : t <= x ? 1.0L : 0.0L));
    return x_bar;
}
static double adjoin_fmax_left_d_grad_123(double x)
{
    double t = 0.7 + x * x;
    double x_bar = 1.0 * (x != x ? 0.0 : t != t ? 1.0 : x >= t ? 1.0 : 0.0);
    double t1 = 1.0 * (t != t ? 0.0 : x != x ? 1.0 : x >= t ? 0.0 : 1.0);
    x_bar += t1 * x;
    x_bar += t1 * x;
    return x_bar;
}
static float adjoin_fmax_left_f_grad_124(float x)
{
    float t = 0.7f + x * x;
    float x_bar = 1.0f * (x != x ? 0.0f : t != t ? 1.0f : x >= t ? 1.0f : 0.0f);
    float t1 = 1.0f * (t != t ? 0.0f : x != x ? 1.0f : x >= t ? 0.0f : 1.0f);
    x_bar += t1 * x;
    x_bar += t1 * x;
    return x_bar;
}
static long double adjoin_fmax_left_l_grad_125(long double x)
{
    long double t = 0.7L + x * x;
    long double x_bar = 1.0L * (x != x ? 0.0L : t != t ? 1.0L : x >= t ? 1.0L : 0.0L);
    long double t1 = 1.0L * (t != t ? 0.0L : x != x ? 1.0L : x >= t ? 0.0L : 1.0L);
    x_bar += t1 * x;
    x_bar += t1 * x;
    return x_bar;
}
static double adjoin_fmax_right_d_grad_126(double x)
{
    double t = 2.3 - x;
    double x_bar = 1.0 * (x != x ? 0.0 : t != t ? 1.0 : t >= x ? 0.0 : 1.0);
    x_bar += -(1.0 * (t != t ? 0.0 : x != x ? 1.0 : t >= x ? 1.0 : 0.0));
    return x_bar;
}
static float adjoin_fmax_right_f_grad_127(float x)
{
    float t = 2.3f - x;
    float x_bar = 1.0f * (x != x ? 0.0f : t != t ? 1.0f : t >= x ? 0.0f : 1.0f);
    x_bar += -(1.0f * (t != t ? 0.0f : x != x ? 1.0f : t >= x ? 1.0f : 0.0f));
    return x_bar;
}
static long double adjoin_fmax_right_l_grad_128(long double x)
{
    long double t = 2.3L - x;
    long double x_bar = 1.0L * (x != x ? 0.0L : t != t ? 1.0L : t >= x ? 0.0L : 1.0L);
    x_bar += -(1.0L * (t != t ? 0.0L : x != x ? 1.0L : t >= x ? 1.0L : 0.0L));
    return x_bar;
}
static double adjoin_fdim_left_d_grad_129(double x)
{
    double t = 0.7 + x * x;
    double x_bar = 1.0 * (x > t ? 1.0 : 0.0);
    double t1 = 1.0 * (x > t ? -1.0 : 0.0);
    x_bar += t1 * x;
    x_bar += t1 * x;
    return x_bar;
}
static float adjoin_fdim_left_f_grad_130(float x)
{
    float t = 0.7f + x * x;
    float x_bar = 1.0f * (x > t ? 1.0f : 0.0f);
    float t1 = 1.0f * (x > t ? -1.0f : 0.0f);
    x_bar += t1 * x;
    x_bar += t1 * x;
    return x_bar;
}
static long double adjoin_fdim_left_l_grad_131(long double x)
{
    long double t = 0.7L + x * x;
    long double x_bar = 1.0L * (x > t ? 1.0L : 0.0L);
    long double t1 = 1.0L * (x > t ? -1.0L : 0.0L);
    x_bar += t1 * x;
    x_bar += t1 * x;
    return x_bar;
}
static double adjoin_fdim_right_d_grad_132(double x)
{
    double t = 2.3 - x;
    double x_bar = 1.0 * (t > x ? -1.0 : 0.0);
    x_bar += -(1.0 * (t > x ? 1.0 : 0.0));
    return x_bar;
}
static float adjoin_fdim_right_f_grad_133(float x)
{
    float t = 2.3f - x;
    float x_bar = 1.0f * (t > x ? -1.0f : 0.0f);
    x_bar += -(1.0f * (t > x ? 1.0f : 0.0f));
    return x_bar;
}
static long double adjoin_fdim_right_l_grad_134(long double x)
{
    long double t = 2.3L - x;
    long double x_bar = 1.0L * (t > x ? -1.0L : 0.0L);
    x_bar += -(1.0L * (t > x ? 1.0L : 0.0L));
    return x_bar;
}
static double adjoin_copysign_left_d_grad_135(double x)
{
    int t = __builtin_signbit(x);
    double x_bar = 1.0 * (t == __builtin_signbit(0.7 + x * x) ? 1.0 : -1.0);
    return x_bar;
}
static float adjoin_copysign_left_f_grad_136(float x)
{
    int t = __builtin_signbitf(x);
    float x_bar = 1.0f * (t == __builtin_signbitf(0.7f + x * x) ? 1.0f : -1.0f);
    return x_bar;
}
static long double adjoin_copysign_left_l_grad_137(long double x)
{
    int t = __builtin_signbitl(x);
    long double x_bar = 1.0L * (t == __builtin_signbitl(0.7L + x * x) ? 1.0L : -1.0L);
    return x_bar;
}
static double adjoin_fmod_left_d_grad_138(double x)
{
    double t = 0.7 + x * x;
    double x_bar = 1.0 * 1.0;
    double t1 = 1.0 * -rint((x - fmod(x, t)) / t);
    x_bar += t1 * x;
    x_bar += t1 * x;
    return x_bar;
}
static float adjoin_fmod_left_f_grad_139(float x)
{
    float t = 0.7f + x * x;
    float x_bar = 1.0f * 1.0f;
    float t1 = 1.0f * -rintf((x - fmodf(x, t)) / t);
    x_bar += t1 * x;
    x_bar += t1 * x;
    return x_bar;
}
static long double adjoin_fmod_left_l_grad_140(long double x)
{
    long double t = 0.7L + x * x;
    long double x_bar = 1.0L * 1.0L;
    long double t1 = 1.0L * -rintl((x - fmodl(x, t)) / t);
    x_bar += t1 * x;
    x_bar += t1 * x;
    return x_bar;
}
static double adjoin_fmod_right_d_grad_141(double x)
{
    double t = 2.3 - x;
    double x_bar = 1.0 * -rint((t - fmod(t, x)) / x);
    x_bar += -(1.0 * 1.0);
    return x_bar;
}
static float adjoin_fmod_right_f_grad_142(float x)
{
    float t = 2.3f - x;
    float x_bar = 1.0f * -rintf((t - fmodf(t, x)) / x);
    x_bar += -(1.0f * 1.0f);
    return x_bar;
}
static long double adjoin_fmod_right_l_grad_143(long double x)
{
    long double t = 2.3L - x;
    long double x_bar = 1.0L * -rintl((t - fmodl(t, x)) / x);
    x_bar += -(1.0L * 1.0L);
    return x_bar;
}
static double adjoin_remainder_left_d_grad_144(double x)
{
    double t = 0.7 + x * x;
    double x_bar = 1.0 * 1.0;
    double t1 = 1.0 * -rint((x - remainder(x, t)) / t);
    x_bar += t1 * x;
    x_bar += t1 * x;
    return x_bar;
}
static float adjoin_remainder_left_f_grad_145(float x)
{
    float t = 0.7f + x * x;
    float x_bar = 1.0f * 1.0f;
    float t1 = 1.0f * -rintf((x - remainderf(x, t)) / t);
    x_bar += t1 * x;
    x_bar += t1 * x;
    return x_bar;
}
static long double adjoin_remainder_left_l_grad_146(long double x)
{
    long double t = 0.7L + x * x;
    long double x_bar = 1.0L * 1.0L;
    long double t1 = 1.0L * -rintl((x - remainderl(x, t)) / t);
    x_bar += t1 * x;
    x_bar += t1 * x;
    return x_bar;
}
static double adjoin_nextafter_left_d_grad_147(double x)
{
    (void)x;
    double x_bar = 1.0 * 1.0;
    return x_bar;
}
static float adjoin_nextafter_left_f_grad_148(float x)
{
    (void)x;
    float x_bar = 1.0f * 1.0f;
    return x_bar;
}
static long double adjoin_nextafter_left_l_grad_149(long double x)
{
    (void)x;
    long double x_bar = 1.0L * 1.0L;
    return x_bar;
}
static double adjoin_fma_d_grad_150(double x)
{
    double x_bar = 1.0 * (x + 1.0);
    x_bar += 1.0 * 1.0 * cos(x);
    x_bar += 1.0 * x;
    return x_bar;
}
static float adjoin_fma_f_grad_151(float x)
{
    float x_bar = 1.0f * (x + 1.0f);
    x_bar += 1.0f * 1.0f * cosf(x);
    x_bar += 1.0f * x;
    return x_bar;
}
static long double adjoin_fma_l_grad_152(long double x)
{
    long double x_bar = 1.0L * (x + 1.0L);
    x_bar += 1.0L * 1.0L * cosl(x);
    x_bar += 1.0L * x;
    return x_bar;
}
static double adjoin_ldexp_d_grad_153(double x)
{
    (void)x;
    double x_bar = 1.0 * ldexp(1.0, 3);
    return x_bar;
}
static float adjoin_ldexp_f_grad_154(float x)
{
    (void)x;
    float x_bar = 1.0f * ldexpf(1.0f, 3);
    return x_bar;
}
static long double adjoin_ldexp_l_grad_155(long double x)
{
    (void)x;
    long double x_bar = 1.0L * ldexpl(1.0L, 3);
    return x_bar;
}
static double adjoin_scalbn_d_grad_156(double x)
{
    double t = 1.0 * scalbn(1.0, -2);
    double x_bar = t * x;
    x_bar += t * x;
    return x_bar;
}
static float adjoin_scalbn_f_grad_157(float x)
{
    float t = 1.0f * scalbnf(1.0f, -2);
    float x_bar = t * x;
    x_bar += t * x;
    return x_bar;
}
static long double adjoin_scalbn_l_grad_158(long double x)
{
    long double t = 1.0L * scalbnl(1.0L, -2);
    long double x_bar = t * x;
    x_bar += t * x;
    return x_bar;
}
static double adjoin_scalbln_d_grad_159(double x)
{
    double t = 1.0 * scalbln(1.0, 2);
    double x_bar = t * x;
    x_bar += t * x;
    return x_bar;
}
static float adjoin_scalbln_f_grad_160(float x)
{
    float t = 1.0f * scalblnf(1.0f, 2);
    float x_bar = t * x;
    x_bar += t * x;
    return x_bar;
}
static long double adjoin_scalbln_l_grad_161(long double x)
{
    long double t = 1.0L * scalblnl(1.0L, 2);
    long double x_bar = t * x;
    x_bar += t * x;
    return x_bar;
}
static double adjoin_builtin_d_grad_162(double x)
{
    double t = 1.0 * __builtin_powi(x, 3);
    double x_bar = 1.0 * sin(x) * (x == 0.0 && 0 ? 0.0 : 3.0 * __builtin_powi(x, 2));
    x_bar += t * cos(x);
    return x_bar;
}
static float adjoin_builtin_f_grad_163(float x)
{
    float t = 1.0f * __builtin_powif(x, 3);
    float x_bar = 1.0f * sinf(x) * (x == 0.0f && 0 ? 0.0f : 3.0f * __builtin_powif(x, 2));
    x_bar += t * cosf(x);
    return x_bar;
}
static long double adjoin_builtin_l_grad_164(long double x)
{
    long double t = 1.0L * __builtin_powil(x, 3);
    long double x_bar = 1.0L * sinl(x) * (x == 0.0L && 0 ? 0.0L : 3 * __builtin_powil(x, 2));
    x_bar += t * cosl(x);
    return x_bar;
}
static double adjoin_power_of_negative_d_grad_165(double x)
{
    double t = x - 9.0;
    double x_bar = 1.0 * (t == 0.0 && 3.0 < 1.0 ? 0.0 : 3.0 * pow(t, 3.0 - 1.0));
    return x_bar;
}
static float adjoin_power_of_negative_f_grad_166(float x)
{
    float t = x - 9.0f;
    float x_bar = 1.0f * (t == 0.0f && 3.0f < 1.0f ? 0.0f : 3.0f * powf(t, 3.0f - 1.0f));
    return x_bar;
}
static long double adjoin_power_of_negative_l_grad_167(long double x)
{
    long double t = x - 9.0L;
    long double x_bar = 1.0L * (t == 0.0L && 3.0L < 1.0L ? 0.0L : 3.0L * powl(t, 3.0L - 1.0L));
    return x_bar;
}
static double adjoin_modf_part_d_grad_168(double x)
{
    struct adjoin_stack exit_cache = {0};
    struct adjoin_stack whole_cache = {0};
    struct adjoin_stack cache = {0};
    struct adjoin_stack cache_1 = {0};
    struct adjoin_stack cache_2 = {0};
    double t = 3.0 * x;
    double whole = trunc(t);
    adjoin_push_f64(&whole_cache, whole);
    adjoin_push_f64(&cache_2, fmod(t, 1.0));
    adjoin_push_f64(&cache_1, copysign(0.0, t));
    adjoin_push_f64(&cache, fabs(t));
    long exit = 1;
    adjoin_push_i64(&exit_cache, exit);
    adjoin_top_i64(&exit_cache);
    adjoin_pop_i64(&exit_cache);
    double t1 = adjoin_top_f64(&whole_cache);
    _Bool t2 = adjoin_top_f64(&cache) > 1.7976931348623157e308;
    double t3 = adjoin_top_f64(&cache_1);
    double part = t2 ? t3 : adjoin_top_f64(&cache_2);
    double part_bar = 1.0 * (1.0 + t1 * x);
    double x_bar = 0.0 + 1.0 * part * t1;
    adjoin_pop_f64(&cache);
    adjoin_pop_f64(&cache_1);
    adjoin_pop_f64(&cache_2);
    adjoin_pop_f64(&whole_cache);
    x_bar += (t2 ? 0.0 : part_bar) * 1.0 * 3.0;
    adjoin_release(&whole_cache);
    adjoin_release(&cache_2);
    adjoin_release(&cache_1);
    adjoin_release(&cache);
    adjoin_release(&exit_cache);
    return x_bar;
}
static float adjoin_modf_part_f_grad_169(float x)
{
    struct adjoin_stack exit_cache = {0};
    struct adjoin_stack whole_cache = {0};
    struct adjoin_stack cache = {0};
    struct adjoin_stack cache_1 = {0};
    struct adjoin_stack cache_2 = {0};
    float t = 3.0f * x;
    float whole = truncf(t);
    adjoin_push_f32(&whole_cache, whole);
    adjoin_push_f32(&cache_2, fmodf(t, 1.0f));
    adjoin_push_f32(&cache_1, copysignf(0.0f, t));
    adjoin_push_f32(&cache, fabsf(t));
    long exit = 1;
    adjoin_push_i64(&exit_cache, exit);
    adjoin_top_i64(&exit_cache);
    adjoin_pop_i64(&exit_cache);
    float t1 = adjoin_top_f32(&whole_cache);
    _Bool t2 = adjoin_top_f32(&cache) > 3.4028235e38f;
    float t3 = adjoin_top_f32(&cache_1);
    float part = t2 ? t3 : adjoin_top_f32(&cache_2);
    float part_bar = 1.0f * (1.0f + t1 * x);
    float x_bar = 0.0f + 1.0f * part * t1;
    adjoin_pop_f32(&cache);
    adjoin_pop_f32(&cache_1);
    adjoin_pop_f32(&cache_2);
    adjoin_pop_f32(&whole_cache);
    x_bar += (t2 ? 0.0f : part_bar) * 1.0f * 3.0f;
    adjoin_release(&whole_cache);
    adjoin_release(&cache_2);
    adjoin_release(&cache_1);
    adjoin_release(&cache);
    adjoin_release(&exit_cache);
    return x_bar;
}
static long double adjoin_modf_part_l_grad_170(long double x)
{
    struct adjoin_stack exit_cache = {0};
    struct adjoin_stack whole_cache = {0};
    struct adjoin_stack cache = {0};
    struct adjoin_stack cache_1 = {0};
    struct adjoin_stack cache_2 = {0};
    long double t = 3.0L * x;
    long double whole = truncl(t);
    adjoin_push_f80(&whole_cache, whole);
    adjoin_push_f80(&cache_2, fmodl(t, 1.0L));
    adjoin_push_f80(&cache_1, copysignl(0.0L, t));
    adjoin_push_f80(&cache, fabsl(t));
    long exit = 1;
    adjoin_push_i64(&exit_cache, exit);
    adjoin_top_i64(&exit_cache);
    adjoin_pop_i64(&exit_cache);
    long double t1 = adjoin_top_f80(&whole_cache);
    _Bool t2 = adjoin_top_f80(&cache) > 1.18973149535723176502e+4932L;
    long double t3 = adjoin_top_f80(&cache_1);
    long double part = t2 ? t3 : adjoin_top_f80(&cache_2);
    long double part_bar = 1.0L * (1.0L + t1 * x);
    long double x_bar = 0.0L + 1.0L * part * t1;
    adjoin_pop_f80(&cache);
    adjoin_pop_f80(&cache_1);
    adjoin_pop_f80(&cache_2);
    adjoin_pop_f80(&whole_cache);
    x_bar += (t2 ? 0.0L : part_bar) * 1.0L * 3.0L;
    adjoin_release(&whole_cache);
    adjoin_release(&cache_2);
    adjoin_release(&cache_1);
    adjoin_release(&cache);
    adjoin_release(&exit_cache);
    return x_bar;
}
static double adjoin_frexp_part_d_grad_171(double x)
{
    struct adjoin_stack exit_cache = {0};
    struct adjoin_stack e_cache = {0};
    struct adjoin_stack m_cache = {0};
    double t = 5.0 * x;
    int e = adjoin_exponent(t);
    adjoin_push_i32(&e_cache, e);
    double m = scalbn(t, -e);
    adjoin_push_f64(&m_cache, m);
    long exit = 1;
    adjoin_push_i64(&exit_cache, exit);
    adjoin_top_i64(&exit_cache);
    adjoin_pop_i64(&exit_cache);
    int t1 = adjoin_top_i32(&e_cache);
    double t2 = adjoin_top_f64(&m_cache);
    double t3 = 1.0 * t1;
    double m_bar = t3 * t2;
    m_bar += t3 * t2;
    double t4 = m_bar * scalbn(1.0, -t1);
    adjoin_pop_f64(&m_cache);
    adjoin_pop_i32(&e_cache);
    double x_bar = 0.0 + t4 * 5.0;
    adjoin_release(&e_cache);
    adjoin_release(&m_cache);
    adjoin_release(&exit_cache);
    return x_bar;
}
static float adjoin_frexp_part_f_grad_172(float x)
{
    struct adjoin_stack exit_cache = {0};
    struct adjoin_stack e_cache = {0};
    struct adjoin_stack m_cache = {0};
    float t = 5.0f * x;
    int e = adjoin_exponentf(t);
    adjoin_push_i32(&e_cache, e);
    float m = scalbnf(t, -e);
    adjoin_push_f32(&m_cache, m);
    long exit = 1;
    adjoin_push_i64(&exit_cache, exit);
    adjoin_top_i64(&exit_cache);
    adjoin_pop_i64(&exit_cache);
    int t1 = adjoin_top_i32(&e_cache);
    float t2 = adjoin_top_f32(&m_cache);
    float t3 = 1.0f * t1;
    float m_bar = t3 * t2;
    m_bar += t3 * t2;
    float t4 = m_bar * scalbnf(1.0f, -t1);
    adjoin_pop_f32(&m_cache);
    adjoin_pop_i32(&e_cache);
    float x_bar = 0.0f + t4 * 5.0f;
    adjoin_release(&e_cache);
    adjoin_release(&m_cache);
    adjoin_release(&exit_cache);
    return x_bar;
}
static long double adjoin_frexp_part_l_grad_173(long double x)
{
    struct adjoin_stack exit_cache = {0};
    struct adjoin_stack e_cache = {0};
    struct adjoin_stack m_cache = {0};
    long double t = 5.0L * x;
    int e = adjoin_exponentl(t);
    adjoin_push_i32(&e_cache, e);
    long double m = scalbnl(t, -e);
    adjoin_push_f80(&m_cache, m);
    long exit = 1;
    adjoin_push_i64(&exit_cache, exit);
    adjoin_top_i64(&exit_cache);
    adjoin_pop_i64(&exit_cache);
    int t1 = adjoin_top_i32(&e_cache);
    long double t2 = adjoin_top_f80(&m_cache);
    long double t3 = 1.0L * t1;
    long double m_bar = t3 * t2;
    m_bar += t3 * t2;
    long double t4 = m_bar * scalbnl(1.0L, -t1);
    adjoin_pop_f80(&m_cache);
    adjoin_pop_i32(&e_cache);
    long double x_bar = 0.0L + t4 * 5.0L;
    adjoin_release(&e_cache);
    adjoin_release(&m_cache);
    adjoin_release(&exit_cache);
    return x_bar;
}
static double adjoin_remquo_part_d_grad_174(double x)
{
    struct adjoin_stack exit_cache = {0};
    struct adjoin_stack q_cache = {0};
    struct adjoin_stack r_cache = {0};
    double t = 7.0 * x;
    double t1 = 1.1 + x;
    int q = adjoin_quotient(t, t1);
    adjoin_push_i32(&q_cache, q);
    double r = remainder(t, t1);
    adjoin_push_f64(&r_cache, r);
    long exit = 1;
    adjoin_push_i64(&exit_cache, exit);
    adjoin_top_i64(&exit_cache);
    adjoin_pop_i64(&exit_cache);
    double t2 = adjoin_top_i32(&q_cache);
    double t3 = adjoin_top_f64(&r_cache);
    double x_bar = 0.0 + 1.0 * t2;
    double r_bar = 1.0 * t3;
    r_bar += 1.0 * t3;
    double t4 = r_bar * -rint((7.0 * x - t3) / (1.1 + x));
    adjoin_pop_f64(&r_cache);
    adjoin_pop_i32(&q_cache);
    x_bar += t4;
    x_bar += r_bar * 1.0 * 7.0;
    adjoin_release(&q_cache);
    adjoin_release(&r_cache);
    adjoin_release(&exit_cache);
    return x_bar;
}
static float adjoin_remquo_part_f_grad_175(float x)
{
    struct adjoin_stack exit_cache = {0};
    struct adjoin_stack q_cache = {0};
    struct adjoin_stack r_cache = {0};
    float t = 7.0f * x;
    float t1 = 1.1f + x;
    int q = adjoin_quotientf(t, t1);
    adjoin_push_i32(&q_cache, q);
    float r = remainderf(t, t1);
    adjoin_push_f32(&r_cache, r);
    long exit = 1;
    adjoin_push_i64(&exit_cache, exit);
    adjoin_top_i64(&exit_cache);
    adjoin_pop_i64(&exit_cache);
    float t2 = adjoin_top_i32(&q_cache);
    float t3 = adjoin_top_f32(&r_cache);
    float x_bar = 0.0f + 1.0f * t2;
    float r_bar = 1.0f * t3;
    r_bar += 1.0f * t3;
    float t4 = r_bar * -rintf((7.0f * x - t3) / (1.1f + x));
    adjoin_pop_f32(&r_cache);
    adjoin_pop_i32(&q_cache);
    x_bar += t4;
    x_bar += r_bar * 1.0f * 7.0f;
    adjoin_release(&q_cache);
    adjoin_release(&r_cache);
    adjoin_release(&exit_cache);
    return x_bar;
}
static long double adjoin_remquo_part_l_grad_176(long double x)
{
    struct adjoin_stack exit_cache = {0};
    struct adjoin_stack q_cache = {0};
    struct adjoin_stack r_cache = {0};
    long double t = 7.0L * x;
    long double t1 = 1.1L + x;
    int q = adjoin_quotientl(t, t1);
    adjoin_push_i32(&q_cache, q);
    long double r = remainderl(t, t1);
    adjoin_push_f80(&r_cache, r);
    long exit = 1;
    adjoin_push_i64(&exit_cache, exit);
    adjoin_top_i64(&exit_cache);
    adjoin_pop_i64(&exit_cache);
    long double t2 = adjoin_top_i32(&q_cache);
    long double t3 = adjoin_top_f80(&r_cache);
    long double x_bar = 0.0L + 1.0L * t2;
    long double r_bar = 1.0L * t3;
    r_bar += 1.0L * t3;
    long double t4 = r_bar * -rintl((7.0L * x - t3) / (1.1L + x));
    adjoin_pop_f80(&r_cache);
    adjoin_pop_i32(&q_cache);
    x_bar += t4;
    x_bar += r_bar * 1.0L * 7.0L;
    adjoin_release(&q_cache);
    adjoin_release(&r_cache);
    adjoin_release(&exit_cache);
    return x_bar;
}
static double adjoin_sincos_part_d_grad_177(double x)
{
    struct adjoin_stack exit_cache = {0};
    struct adjoin_stack s_cache = {0};
    struct adjoin_stack c_1_cache = {0};
    double t = x * x;
    double s = sin(t);
    adjoin_push_f64(&s_cache, s);
    double c_1 = cos(t);
    adjoin_push_f64(&c_1_cache, c_1);
    long exit = 1;
    adjoin_push_i64(&exit_cache, exit);
    adjoin_top_i64(&exit_cache);
    adjoin_pop_i64(&exit_cache);
    double t1 = adjoin_top_f64(&s_cache);
    double t2 = adjoin_top_f64(&c_1_cache);
    double t3 = x * x;
    double t4 = 1.0 * x;
    double x_bar = 0.0 + 1.0 * (t1 * t2);
    double s_bar = t4 * t2;
    double c_1_bar = t4 * t1;
    adjoin_pop_f64(&c_1_cache);
    double t5 = c_1_bar * -sin(t3) + s_bar * cos(t3);
    adjoin_pop_f64(&s_cache);
    x_bar += t5 * x;
    x_bar += t5 * x;
    adjoin_release(&s_cache);
    adjoin_release(&c_1_cache);
    adjoin_release(&exit_cache);
    return x_bar;
}
static float adjoin_sincos_part_f_grad_178(float x)
{
    struct adjoin_stack exit_cache = {0};
    struct adjoin_stack s_cache = {0};
    struct adjoin_stack c_1_cache = {0};
    float t = x * x;
    float s = sinf(t);
    adjoin_push_f32(&s_cache, s);
    float c_1 = cosf(t);
    adjoin_push_f32(&c_1_cache, c_1);
    long exit = 1;
    adjoin_push_i64(&exit_cache, exit);
    adjoin_top_i64(&exit_cache);
    adjoin_pop_i64(&exit_cache);
    float t1 = adjoin_top_f32(&s_cache);
    float t2 = adjoin_top_f32(&c_1_cache);
    float t3 = x * x;
    float t4 = 1.0f * x;
    float x_bar = 0.0f + 1.0f * (t1 * t2);
    float s_bar = t4 * t2;
    float c_1_bar = t4 * t1;
    adjoin_pop_f32(&c_1_cache);
    float t5 = c_1_bar * -sinf(t3) + s_bar * cosf(t3);
    adjoin_pop_f32(&s_cache);
    x_bar += t5 * x;
    x_bar += t5 * x;
    adjoin_release(&s_cache);
    adjoin_release(&c_1_cache);
    adjoin_release(&exit_cache);
    return x_bar;
}
static long double adjoin_sincos_part_l_grad_179(long double x)
{
    struct adjoin_stack exit_cache = {0};
    struct adjoin_stack s_cache = {0};
    struct adjoin_stack c_1_cache = {0};
    long double t = x * x;
    long double s = sinl(t);
    adjoin_push_f80(&s_cache, s);
    long double c_1 = cosl(t);
    adjoin_push_f80(&c_1_cache, c_1);
    long exit = 1;
    adjoin_push_i64(&exit_cache, exit);
    adjoin_top_i64(&exit_cache);
    adjoin_pop_i64(&exit_cache);
    long double t1 = adjoin_top_f80(&s_cache);
    long double t2 = adjoin_top_f80(&c_1_cache);
    long double t3 = x * x;
    long double t4 = 1.0L * x;
    long double x_bar = 0.0L + 1.0L * (t1 * t2);
    long double s_bar = t4 * t2;
    long double c_1_bar = t4 * t1;
    adjoin_pop_f80(&c_1_cache);
    long double t5 = c_1_bar * -sinl(t3) + s_bar * cosl(t3);
    adjoin_pop_f80(&s_cache);
    x_bar += t5 * x;
    x_bar += t5 * x;
    adjoin_release(&s_cache);
    adjoin_release(&c_1_cache);
    adjoin_release(&exit_cache);
    return x_bar;
}
static double adjoin_bessel_grad_180(double x)
{
    double t;
    if (x == 0.0) {
        t = 0.0;
    } else {
        double t4 = yn(1, x);
        t = 0.5 * (t4 - yn(3, x));
    }
    double x_bar = 1.0 * 0.1 * t;
    double t1;
    if (x == 0.0) {
        t1 = 0.0;
    } else {
        double t4 = y0(x);
        t1 = 0.5 * (t4 - yn(2, x));
    }
    x_bar += -1.0 * 2.0 * t1;
    x_bar += 1.0 * (x == 0.0 ? 0.0 : -y1(x));
    double t2 = jn(2, x);
    x_bar += 1.0 * 3.0 * (0.5 * (t2 - jn(4, x)));
    double t3 = j0(x);
    x_bar += 1.0 * 2.0 * (0.5 * (t3 - jn(2, x)));
    x_bar += 1.0 * -j1(x);
    return x_bar;
}
static double adjoin_gamma_below_zero_grad_181(double x)
{
    double t = tgamma(x);
    double x_bar = 1.0 * adjoin_polygamma(0, x - 3.0);
    x_bar += 1.0 * sin(x) * (t * adjoin_polygamma(0, x));
    x_bar += 1.0 * t * cos(x);
    return x_bar;
}
static double adjoin_log_gamma_with_sign_grad_182(double x)
{
    struct adjoin_stack exit_cache = {0};
    struct adjoin_stack s_cache = {0};
    struct adjoin_stack g_cache = {0};
    double t = x - 2.5;
    int s = adjoin_gamma_sign(t);
    adjoin_push_i32(&s_cache, s);
    double g = lgamma(t);
    adjoin_push_f64(&g_cache, g);
    long exit = 1;
    adjoin_push_i64(&exit_cache, exit);
    adjoin_top_i64(&exit_cache);
    adjoin_pop_i64(&exit_cache);
    double t1 = adjoin_top_i32(&s_cache);
    double t2 = adjoin_top_f64(&g_cache);
    double t3 = 1.0 * t1;
    double g_bar = t3 * t2;
    g_bar += t3 * t2;
    double t4 = g_bar * adjoin_polygamma(0, x - 2.5);
    adjoin_pop_f64(&g_cache);
    adjoin_pop_i32(&s_cache);
    double x_bar = 0.0 + t4;
    adjoin_release(&s_cache);
    adjoin_release(&g_cache);
    adjoin_release(&exit_cache);
    return x_bar;
}
static double adjoin_float_in_double_grad_183(double x)
{
    double t = significand(x);
    double x_bar = 1.0 * exp2(2.0);
    x_bar += 1.0 * (exp10(x) * 2.302585092994046);
    x_bar += 1.0 * 1.0;
    x_bar += 1.0 * (t / (x == 0.0 ? 1.0 : x));
    x_bar += 1.0 * 1.0;
    x_bar += 1.0 * sqrtf(1.0f);
    return x_bar;
}
static double adjoin_sorted_grad_184(double *x, double *x_bar, int n)
{
    struct item items_bar[64] = {0};
    struct adjoin_stack freed = {0};
    struct adjoin_stack cache = {0};
    struct adjoin_stack cache_1 = {0};
    struct adjoin_stack cache_2 = {0};
    struct adjoin_stack cache_3 = {0};
    struct adjoin_stack cache_4 = {0};
    struct adjoin_stack cache_5 = {0};
    struct adjoin_stack cache_6 = {0};
    struct adjoin_stack cache_7 = {0};
    struct adjoin_stack cache_8 = {0};
    unsigned long t = (size_t)n * 8;
    double *y = malloc(t);
    double *y_bar = adjoin_calloc(t);
    struct item wanted = {5, 0.0};
    struct item items[64];
    for (int i = 0; i < n; i++) {
        double t5 = x[i];
        adjoin_push_f64(&cache_8, t5);
        double t6 = x[i];
        adjoin_push_f64(&cache_7, t6);
        y[i] = t5 * t6;
        items[i].key = i * 7 % n;
        double t7 = x[i];
        adjoin_push_f64(&cache_6, t7);
        items[i].value = sin(t7);
    }
    unsigned long t1 = (size_t)n * 8;
    double *unsorted = malloc(t1);
    double *unsorted_bar = adjoin_calloc(t1);
    for (long i = 0; i < n; i++)
        unsorted[i] = y[i];
    long *order = adjoin_sort_order(unsorted, n, 8, by_value);
    for (long i = 0; i < n; i++) {
        long t5 = order[i];
        adjoin_push_i64(&cache_5, t5);
        y[i] = unsorted[t5];
    }
    adjoin_free_later(&freed, order);
    adjoin_free_later(&freed, unsorted);
    adjoin_free_later(&freed, unsorted_bar);
    unsigned long t2 = (size_t)n * 16;
    struct item *unsorted_1 = malloc(t2);
    struct item *unsorted_bar_1 = adjoin_calloc(t2);
    for (long i = 0; i < n; i++)
        unsorted_1[i] = items[i];
    order = adjoin_sort_order(unsorted_1, n, 16, by_key);
    for (long i = 0; i < n; i++) {
        long t5 = order[i];
        adjoin_push_i64(&cache_4, t5);
        items[i] = unsorted_1[t5];
    }
    adjoin_free_later(&freed, order);
    adjoin_free_later(&freed, unsorted_1);
    adjoin_free_later(&freed, unsorted_bar_1);
    for (int i = 0; i < n; i++) {
        adjoin_push_f64(&cache_3, y[i]);
        adjoin_push_f64(&cache_2, items[i].value);
    }
    long t3 = adjoin_search(&wanted, items, n, 16, by_key);
    struct item *found;
    struct item *found_bar;
    if (t3 < 0) {
        found = (void *)0;
        found_bar = (void *)0;
    } else {
        found = &items[t3];
        found_bar = &items_bar[t3];
    }
    if (found) {
        adjoin_push_f64(&cache_1, found->value);
        adjoin_push_f64(&cache, found->value);
    }
    wanted.key = 1000;
    long t4 = adjoin_search(&wanted, items, n, 16, by_key);
    adjoin_free_later(&freed, y);
    adjoin_free_later(&freed, y_bar);
    double s_bar;
    if ((t4 < 0 ? (void *)0 : &items[t4]) != (void *)0)
        s_bar = 0.0;
    else
        s_bar = 0.0 + 1.0;
    double s_bar_1;
    if (found) {
        double t5 = adjoin_top_f64(&cache);
        s_bar_1 = 0.0 + s_bar;
        double t6 = s_bar * adjoin_top_f64(&cache_1);
        found_bar->value += t6;
        adjoin_pop_f64(&cache);
        found_bar->value += s_bar * t5;
        adjoin_pop_f64(&cache_1);
    } else {
        s_bar_1 = 0.0 + s_bar;
    }
    for (long i = (0 < n ? (long)n + 1 - 1 : 0) - 1; i >= 0; i--) {
        double t5 = adjoin_top_f64(&cache_2);
        double t6 = (int)i + 1;
        double t7 = s_bar_1 * (t6 * adjoin_top_f64(&cache_3));
        items_bar[(int)i].value += t7;
        adjoin_pop_f64(&cache_2);
        y_bar[(int)i] += s_bar_1 * t5 * t6;
        adjoin_pop_f64(&cache_3);
    }
    for (long i = (0L < n ? (long)n + 1 - 1 : 0) - 1; i >= 0; i--) {
        struct item *p = &unsorted_bar_1[adjoin_top_i64(&cache_4)];
        double value = items_bar[i].value;
        items_bar[i].value = 0.0;
        p->value += value;
        adjoin_pop_i64(&cache_4);
    }
    for (long i = (0L < n ? (long)n + 1 - 1 : 0) - 1; i >= 0; i--) {
        double value = unsorted_bar_1[i].value;
        unsorted_bar_1[i].value = 0.0;
        items_bar[i].value += value;
    }
    for (long i = (0L < n ? (long)n + 1 - 1 : 0) - 1; i >= 0; i--) {
        long t5 = adjoin_top_i64(&cache_5);
        double t6 = y_bar[i];
        y_bar[i] = 0.0;
        unsorted_bar[t5] += t6;
        adjoin_pop_i64(&cache_5);
    }
    for (long i = (0L < n ? (long)n + 1 - 1 : 0) - 1; i >= 0; i--) {
        double t5 = unsorted_bar[i];
        unsorted_bar[i] = 0.0;
        y_bar[i] += t5;
    }
    for (long i = (0 < n ? (long)n + 1 - 1 : 0) - 1; i >= 0; i--) {
        double t5 = adjoin_top_f64(&cache_6);
        double t6 = adjoin_top_f64(&cache_7);
        double t7 = adjoin_top_f64(&cache_8);
        double value = items_bar[(int)i].value;
        items_bar[(int)i].value = 0.0;
        x_bar[(int)i] += value * cos(t5);
        adjoin_pop_f64(&cache_6);
        double t8 = y_bar[(int)i];
        y_bar[(int)i] = 0.0;
        x_bar[(int)i] += t8 * t7;
        adjoin_pop_f64(&cache_7);
        x_bar[(int)i] += t8 * t6;
        adjoin_pop_f64(&cache_8);
    }
    adjoin_release(&cache_8);
    adjoin_release(&cache_7);
    adjoin_release(&cache_6);
    adjoin_release(&cache_3);
    adjoin_release(&cache_2);
    adjoin_release(&cache_1);
    adjoin_release(&cache);
    adjoin_release(&cache_5);
    adjoin_release(&cache_4);
    adjoin_free_all(&freed);
    return 0.0;
}
static double adjoin_zero_times_sqrt_grad_185(double x)
{
    double t = sqrt(x);
    double t1 = log(x);
    double x_bar = 1.0 + 1.0 * (t1 != t1 ? 0.0 : -50.0 != -50.0 ? 1.0 : t1 >= -50.0 ? 1.0 : 0.0)
        * ((x == 0.0 ? 0.0 : 1.0) / (x == 0.0 ? 1.0 : x));
    x_bar += 1.0 * 0.0 * ((t == 0.0 ? 0.0 : 0.5) / (t == 0.0 ? 1.0 : t));
    return x_bar;
}
static double adjoin_arcs_grad_186(double x)
{
    double t = x * 0.5;
    double x_bar = 1.0 * (x == 1.0 ? 0.0 : 1.0 / sqrt((x - 1.0) * (x + 1.0)));
    x_bar += 1.0 * 0.0 * (t * t == 1.0 ? 0.0 : 1.0 / ((1.0 - t) * (1.0 + t))) * 0.5;
    x_bar += 1.0 * 2.0 * (x * x == 1.0 ? 0.0 : -1.0 / sqrt((1.0 - x) * (1.0 + x)));
    x_bar += 1.0 * (x * x == 1.0 ? 0.0 : 1.0 / sqrt((1.0 - x) * (1.0 + x)));
    return x_bar;
}
static struct two adjoin_norm_grad_187(double x, double y)
{
    double t = hypot(x, y);
    double y_bar = 1.0 * (y > 0.0 ? 1.0 : y < 0.0 ? -1.0 : 0.0);
    double x_bar = 1.0 * (0.3333333333333333 * cbrt(x) / (x == 0.0 ? 1.0 : x));
    y_bar += 1.0 * (x / (x * x + y * y + (x == 0.0 && y == 0.0 ? 1.0 : 0.0)));
    x_bar += 1.0 * (-y / (x * x + y * y + (x == 0.0 && y == 0.0 ? 1.0 : 0.0)));
    x_bar += 1.0 * (x / (t == 0.0 ? 1.0 : t));
    y_bar += 1.0 * (y / (t == 0.0 ? 1.0 : t));
    struct two gradient = {x_bar, y_bar};
    return gradient;
}
static struct two adjoin_power_grad_188(double x, double y)
{
    double t = pow(x, y);
    double x_bar = 1.0 * (x == 0.0 && y < 1.0 ? 0.0 : y * pow(x, y - 1.0));
    double y_bar = 1.0 * (x <= 0.0 ? 0.0 : t * log(x));
    struct two gradient = {x_bar, y_bar};
    return gradient;
}
static struct two adjoin_power_grad_189(double x, double y)
{
    double t = pow(x, y);
    double x_bar = 1.0 * (x == 0.0 && y < 1.0 ? 0.0 : y * pow(x, y - 1.0));
    double y_bar = 1.0 * (x <= 0.0 ? 0.0 : t * log(x));
    struct two gradient = {x_bar, y_bar};
    return gradient;
}
static struct two adjoin_power_grad_190(double x, double y)
{
    double t = pow(x, y);
    double x_bar = 1.0 * (x == 0.0 && y < 1.0 ? 0.0 : y * pow(x, y - 1.0));
    double y_bar = 1.0 * (x <= 0.0 ? 0.0 : t * log(x));
    struct two gradient = {x_bar, y_bar};
    return gradient;
}
static struct two adjoin_power_grad_191(double x, double y)
{
    double t = pow(x, y);
    double x_bar = 1.0 * (x == 0.0 && y < 1.0 ? 0.0 : y * pow(x, y - 1.0));
    double y_bar = 1.0 * (x <= 0.0 ? 0.0 : t * log(x));
    struct two gradient = {x_bar, y_bar};
    return gradient;
}
static struct two adjoin_power_grad_192(double x, double y)
{
    double t = pow(x, y);
    double x_bar = 1.0 * (x == 0.0 && y < 1.0 ? 0.0 : y * pow(x, y - 1.0));
    double y_bar = 1.0 * (x <= 0.0 ? 0.0 : t * log(x));
    struct two gradient = {x_bar, y_bar};
    return gradient;
}
static struct two adjoin_power_grad_193(double x, double y)
{
    double t = pow(x, y);
    double x_bar = 1.0 * (x == 0.0 && y < 1.0 ? 0.0 : y * pow(x, y - 1.0));
    double y_bar = 1.0 * (x <= 0.0 ? 0.0 : t * log(x));
    struct two gradient = {x_bar, y_bar};
    return gradient;
}
static struct two adjoin_smaller_grad_194(double x, double y)
{
    double t = 1.0 * 10.0;
    double x_bar = t * (x != x ? 0.0 : y != y ? 1.0 : x >= y ? 1.0 : 0.0);
    double y_bar = t * (y != y ? 0.0 : x != x ? 1.0 : x >= y ? 0.0 : 1.0);
    x_bar += 1.0 * (x != x ? 0.0 : y != y ? 1.0 : x <= y ? 1.0 : 0.0);
    y_bar += 1.0 * (y != y ? 0.0 : x != x ? 1.0 : x <= y ? 0.0 : 1.0);
    struct two gradient = {x_bar, y_bar};
    return gradient;
}
static struct two adjoin_smaller_grad_195(double x, double y)
{
    double t = 1.0 * 10.0;
    double x_bar = t * (x != x ? 0.0 : y != y ? 1.0 : x >= y ? 1.0 : 0.0);
    double y_bar = t * (y != y ? 0.0 : x != x ? 1.0 : x >= y ? 0.0 : 1.0);
    x_bar += 1.0 * (x != x ? 0.0 : y != y ? 1.0 : x <= y ? 1.0 : 0.0);
    y_bar += 1.0 * (y != y ? 0.0 : x != x ? 1.0 : x <= y ? 0.0 : 1.0);
    struct two gradient = {x_bar, y_bar};
    return gradient;
}
static struct two adjoin_smaller_grad_196(double x, double y)
{
    double t = 1.0 * 10.0;
    double x_bar = t * (x != x ? 0.0 : y != y ? 1.0 : x >= y ? 1.0 : 0.0);
    double y_bar = t * (y != y ? 0.0 : x != x ? 1.0 : x >= y ? 0.0 : 1.0);
    x_bar += 1.0 * (x != x ? 0.0 : y != y ? 1.0 : x <= y ? 1.0 : 0.0);
    y_bar += 1.0 * (y != y ? 0.0 : x != x ? 1.0 : x <= y ? 0.0 : 1.0);
    struct two gradient = {x_bar, y_bar};
    return gradient;
}
