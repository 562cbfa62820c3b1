//! The compiler's own functions as data: names with their types in a compact notation.
//!
//! A signature is `result(parameters)`: `v` void, `b` _Bool, `c` char, `i` int, `u` unsigned, `l` long, `m` unsigned long (also
//! `size_t`), `x` long long, `y` unsigned long long, `h` unsigned short, `w` unsigned __int128, `f` float, `d` double, `e` long double,
//! `q` _Float128, `F` `D` `E` the complex types, `p` `void *`, `P` `const void *`, `s` `char *`, `S` `const char *`, `V` va_list,
//! `*` pointer to the next, `.` at the end for `...`.

/// `__builtin_NAME` that means the library function `NAME`. With `true`, `d` and `D` stand for double, and there are also `NAMEf` and `NAMEl`.
pub(crate) const LIBRARY: &[(&str, bool, &str)] = &[
    (
        "d(d)",
        true,
        "acos acosh asin asinh atan atanh cbrt ceil cos cosh erf erfc exp exp10 exp2 expm1 fabs floor gamma j0 j1 \
         lgamma log log10 log1p log2 logb nearbyint pow10 rint round roundeven significand sin sinh sqrt tan tanh tgamma trunc y0 y1",
    ),
    (
        "d(dd)",
        true,
        "atan2 copysign drem fdim fmax fmin fmod hypot nextafter pow remainder scalb",
    ),
    ("d(ddd)", true, "fma"),
    ("d(de)", true, "nexttoward"),
    ("d(di)", true, "ldexp scalbn"),
    ("d(dl)", true, "scalbln"),
    ("d(d*i)", true, "frexp lgamma_r gamma_r"),
    ("d(d*d)", true, "modf"),
    ("d(dd*i)", true, "remquo"),
    ("d(id)", true, "jn yn"),
    ("i(d)", true, "ilogb finite"),
    ("l(d)", true, "lrint lround"),
    ("x(d)", true, "llrint llround"),
    ("v(d*d*d)", true, "sincos"),
    (
        "D(D)",
        true,
        "cacos cacosh casin casinh catan catanh ccos ccosh cexp clog conj cproj csin csinh csqrt ctan ctanh",
    ),
    ("D(DD)", true, "cpow"),
    ("d(D)", true, "cabs carg cimag creal"),
    (
        "i(i)",
        false,
        "abs isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit tolower toupper putchar isascii toascii putchar_unlocked",
    ),
    ("l(l)", false, "labs imaxabs"),
    ("x(x)", false, "llabs"),
    ("v()", false, "abort"),
    ("v(i)", false, "exit _exit _Exit"),
    ("p(m)", false, "malloc"),
    ("p(mm)", false, "calloc aligned_alloc"),
    ("p(pm)", false, "realloc"),
    ("v(p)", false, "free"),
    ("p(pPm)", false, "memcpy memmove mempcpy"),
    ("p(pim)", false, "memset"),
    ("i(PPm)", false, "memcmp bcmp"),
    ("p(Pim)", false, "memchr"),
    ("v(Ppm)", false, "bcopy"),
    ("v(pm)", false, "bzero"),
    ("m(S)", false, "strlen"),
    ("m(Sm)", false, "strnlen"),
    ("i(SS)", false, "strcmp strcasecmp"),
    ("i(SSm)", false, "strncmp strncasecmp"),
    ("s(sS)", false, "strcpy strcat stpcpy"),
    ("s(sSm)", false, "strncpy strncat stpncpy"),
    ("s(Si)", false, "strchr strrchr index rindex"),
    ("s(SS)", false, "strstr strpbrk"),
    ("m(SS)", false, "strspn strcspn"),
    ("s(S)", false, "strdup"),
    ("s(Sm)", false, "strndup"),
    ("i(S.)", false, "printf scanf printf_unlocked"),
    ("i(S)", false, "puts puts_unlocked"),
    ("i(pS.)", false, "fprintf fscanf fprintf_unlocked"),
    ("i(sS.)", false, "sprintf"),
    ("i(SS.)", false, "sscanf"),
    ("i(smS.)", false, "snprintf"),
    ("i(SV)", false, "vprintf vscanf"),
    ("i(pSV)", false, "vfprintf vfscanf"),
    ("i(sSV)", false, "vsprintf"),
    ("i(SSV)", false, "vsscanf"),
    ("i(smSV)", false, "vsnprintf"),
    ("i(ip)", false, "fputc putc fputc_unlocked"),
    ("i(Sp)", false, "fputs fputs_unlocked"),
    ("m(Pmmp)", false, "fwrite fwrite_unlocked"),
];

/// `__builtin_NAME` with a fixed type that is called by its own name.
pub(crate) const FIXED: &[(&str, &str)] = &[
    ("i(u)", "clz ctz popcount parity"),
    ("i(m)", "clzl ctzl popcountl parityl"),
    ("i(y)", "clzll ctzll popcountll parityll"),
    ("i(i)", "ffs clrsb eh_return_data_regno"),
    ("i(l)", "ffsl clrsbl"),
    ("i(x)", "ffsll clrsbll"),
    ("h(h)", "bswap16"),
    ("u(u)", "bswap32 bitreverse32"),
    ("m(m)", "bswap64 bitreverse64"),
    ("w(w)", "bswap128"),
    ("u(uu)", "rotateleft32 rotateright32"),
    ("m(mm)", "rotateleft64 rotateright64"),
    ("v()", "trap cpu_init debugtrap"),
    ("i(S)", "cpu_supports cpu_is"),
    ("p(u)", "frame_address return_address"),
    ("p(p)", "extract_return_addr frob_return_addr"),
    ("p(Pm.)", "assume_aligned"),
    ("v(P.)", "prefetch"),
    ("v(ss)", "__clear_cache"),
    ("p()", "dwarf_cfa thread_pointer stack_save"),
    ("v(p)", "stack_restore"),
    ("i(f)", "isnanf isinff finitef signbitf"),
    ("i(d)", "isnand signbitd"),
    ("i(e)", "isnanl isinfl finitel signbitl"),
    ("p(pPmm)", "__memcpy_chk __memmove_chk __mempcpy_chk"),
    ("p(pimm)", "__memset_chk"),
    ("s(sSm)", "__strcpy_chk __strcat_chk __stpcpy_chk"),
    ("s(sSmm)", "__strncpy_chk __strncat_chk __stpncpy_chk"),
    ("i(simS.)", "__sprintf_chk"),
    ("i(smimS.)", "__snprintf_chk"),
    ("i(simSV)", "__vsprintf_chk"),
    ("i(smimSV)", "__vsnprintf_chk"),
    ("i(iS.)", "__printf_chk"),
    ("i(iSV)", "__vprintf_chk"),
    ("i(piS.)", "__fprintf_chk"),
    ("i(piSV)", "__vfprintf_chk"),
    ("b(ii*i)", "sadd_overflow ssub_overflow smul_overflow"),
    ("b(ll*l)", "saddl_overflow ssubl_overflow smull_overflow"),
    ("b(xx*x)", "saddll_overflow ssubll_overflow smulll_overflow"),
    ("b(uu*u)", "uadd_overflow usub_overflow umul_overflow"),
    ("b(mm*m)", "uaddl_overflow usubl_overflow umull_overflow"),
    ("b(yy*y)", "uaddll_overflow usubll_overflow umulll_overflow"),
    ("q(q)", "fabsf128 fabsq"),
    ("q(qq)", "copysignf128 copysignq"),
    ("d(di)", "powi"),
    ("f(fi)", "powif"),
    ("e(ei)", "powil"),
    ("i()", "LINE FLT_ROUNDS flt_rounds"),
    ("S()", "FILE FUNCTION"),
];

/// `__builtin_NAME` whose calls are typed one by one.
pub(crate) const SPECIAL: &str = "expect expect_with_probability constant_p inf inff infl infd infq inff16 inff32 inff64 inff128 \
     huge_val huge_valf huge_vall huge_valq huge_valf16 huge_valf32 huge_valf64 huge_valf128 nan nanf nanl nanq nanf16 nanf32 nanf64 nanf128 \
     nans nansf nansl isnan isinf isinf_sign isfinite finite isnormal issignaling signbit isgreater isgreaterequal isless islessequal \
     islessgreater isunordered fpclassify unreachable alloca alloca_with_align alloca_with_align_and_max add_overflow sub_overflow mul_overflow \
     add_overflow_p sub_overflow_p mul_overflow_p object_size dynamic_object_size va_start va_end va_copy complex classify_type \
     tgmath assume assoc_barrier speculation_safe_value launder unpredictable clear_padding is_constant_evaluated";

/// Operations of `__sync_NAME` and `__atomic_NAME`.
pub(crate) const FETCH_OPERATIONS: &[&str] = &["add", "sub", "or", "and", "xor", "nand"];

/// `__builtin_NAME` that compilers know and that has no tree here: it reads, and lowering refuses it. Their types do not matter.
pub(crate) const NO_TREE: &str = "setjmp longjmp apply apply_args return va_arg_pack va_arg_pack_len saveregs next_arg eh_return \
     unwind_init init_dwarf_reg_size_table dwarf_sp_column update_setjmp_buf setjmp_setup setjmp_receiver call_with_static_chain cexpi cexpif cexpil convertvector bit_cast \
     has_attribute preserve_access_index shuffle shufflevector";
