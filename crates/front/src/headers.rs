//! The standard headers by the names they declare, for advice about names that are not declared.

/// Headers with names that programs forget to include them for.
const HEADERS: &[(&str, &str)] = &[
    ("assert.h", "assert static_assert"),
    (
        "complex.h",
        "I cabs carg cexp clog conj cpow creal cimag csqrt",
    ),
    (
        "ctype.h",
        "isalnum isalpha isdigit islower isprint ispunct isspace isupper isxdigit tolower toupper",
    ),
    ("errno.h", "errno EINVAL ENOENT ENOMEM ERANGE EDOM"),
    (
        "float.h",
        "DBL_EPSILON DBL_MAX DBL_MIN FLT_EPSILON FLT_MAX FLT_MIN",
    ),
    (
        "limits.h",
        "CHAR_BIT CHAR_MAX CHAR_MIN INT_MAX INT_MIN LONG_MAX LONG_MIN LLONG_MAX LLONG_MIN SHRT_MAX SHRT_MIN UCHAR_MAX UINT_MAX ULONG_MAX",
    ),
    (
        "math.h",
        "acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 expm1 fabs fabsf floor fma fmax fmin fmod frexp \
         hypot isfinite isinf isnan ldexp lgamma log log10 log1p log2 lround modf nan pow powf remainder rint round signbit sin sinf sinh sqrt sqrtf tan tanh \
         tgamma trunc HUGE_VAL INFINITY M_E M_PI M_PI_2 M_PI_4 M_SQRT2 NAN",
    ),
    (
        "mpi.h",
        "MPI_Allreduce MPI_Barrier MPI_Bcast MPI_Comm MPI_Comm_rank MPI_Comm_size MPI_Finalize MPI_Init MPI_Recv MPI_Reduce MPI_Send MPI_COMM_WORLD MPI_DOUBLE MPI_INT MPI_SUM MPI_Status MPI_Request",
    ),
    (
        "omp.h",
        "omp_get_max_threads omp_get_num_procs omp_get_num_threads omp_get_thread_num omp_get_wtime omp_lock_t omp_set_num_threads",
    ),
    ("setjmp.h", "jmp_buf longjmp setjmp"),
    ("signal.h", "SIGINT SIGSEGV SIGTERM raise signal"),
    ("stdarg.h", "va_arg va_copy va_end va_list va_start"),
    ("stdbool.h", "bool false true"),
    (
        "stddef.h",
        "NULL max_align_t offsetof ptrdiff_t size_t wchar_t",
    ),
    (
        "stdint.h",
        "INT16_MAX INT32_MAX INT32_MIN INT64_MAX INT64_MIN INT8_MAX SIZE_MAX UINT16_MAX UINT32_MAX UINT64_MAX UINT8_MAX int16_t int32_t int64_t \
         int8_t intmax_t intptr_t uint16_t uint32_t uint64_t uint8_t uintmax_t uintptr_t",
    ),
    (
        "stdio.h",
        "BUFSIZ EOF FILE SEEK_CUR SEEK_END SEEK_SET fclose feof fflush fgetc fgets fopen fprintf fputc fputs fread fscanf fseek ftell fwrite getchar \
         perror printf putchar puts remove rewind scanf snprintf sprintf sscanf stderr stdin stdout ungetc vfprintf vprintf vsnprintf",
    ),
    (
        "stdlib.h",
        "EXIT_FAILURE EXIT_SUCCESS RAND_MAX abort abs aligned_alloc atexit atof atoi atol bsearch calloc exit free getenv labs malloc qsort rand realloc \
         srand strtod strtol strtoul system",
    ),
    (
        "string.h",
        "memchr memcmp memcpy memmove memset strcat strchr strcmp strcpy strdup strerror strlen strncat strncmp strncpy strrchr strstr strtok",
    ),
    (
        "time.h",
        "CLOCKS_PER_SEC clock clock_t difftime localtime strftime time time_t",
    ),
];

/// The header that declares a name.
pub(crate) fn header_of(name: &str) -> Option<&'static str> {
    let declares = |names: &str| names.split_ascii_whitespace().any(|n| n == name);
    HEADERS
        .iter()
        .find(|(_, names)| declares(names))
        .map(|&(header, _)| header)
}
