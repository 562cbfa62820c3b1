//! The functions of C's libraries that never carry a derivative: their results have none, and what they write through pointers has none either.
//!
//! Not in the list: functions with callbacks (`qsort`, `bsearch`: see `expand`), allocation and copying (see `known`), and whatever moves numbers that
//! may be active (`mempcpy`, `bcopy`, `swab`) or returns a pointer to them (`memchr`): a call of those with active data is refused. Neither are
//! names that a program may well use for functions of its own in another file (`index`, `select`; `system_calls` knows some of them by their types).

use super::stem;
use crate::known::{Extent, Write, write};
use std::collections::HashSet;
use std::sync::OnceLock;

/// Names by header, separated by blanks. A `*` stands for the empty suffix, `f` and `l` (the three precisions).
static NAMES: Names = Names::new(&[
    // stdio.h
    "printf fprintf sprintf snprintf dprintf vprintf vfprintf vsprintf vsnprintf vdprintf asprintf vasprintf
     scanf fscanf sscanf
     puts putchar putc fputs fputc putchar_unlocked putc_unlocked fputc_unlocked putw fwrite fwrite_unlocked fflush perror
     fgets fgetc getc getchar getchar_unlocked getc_unlocked fgetc_unlocked gets getw ungetc fread fread_unlocked getline getdelim
     fopen fdopen freopen fclose feof ferror clearerr fileno feof_unlocked ferror_unlocked fseek fseeko ftell ftello rewind fgetpos fsetpos
     setbuf setvbuf setlinebuf remove rename tmpfile tmpnam mkstemp popen pclose flockfile funlockfile open_memstream fmemopen
     __printf_chk __fprintf_chk __sprintf_chk __snprintf_chk __dprintf_chk __vprintf_chk __vfprintf_chk __vsprintf_chk __vsnprintf_chk
     __asprintf_chk __fgets_chk __fread_chk __gets_chk
     __isoc99_scanf __isoc99_fscanf __isoc99_sscanf
     __isoc23_scanf __isoc23_fscanf __isoc23_sscanf
     _IO_getc _IO_putc __overflow __uflow __srget __swbuf",
    // assert.h, under several C libraries
    "__assert_fail __assert_perror_fail __assert __assert_rtn __assert_func _assert __assert2 _wassert __assert13",
    // stdlib.h
    "abort exit _exit _Exit quick_exit atexit at_quick_exit on_exit getenv secure_getenv setenv putenv unsetenv system
     abs labs llabs imaxabs div ldiv lldiv
     atoi atol atoll atof strtol strtoul strtoll strtoull strtod strtof strtold strtoimax strtoumax
     __isoc23_strtol __isoc23_strtoul __isoc23_strtoll __isoc23_strtoull __strtol_internal __strtod_internal
     rand srand rand_r random srandom initstate setstate drand48 erand48 lrand48 nrand48 mrand48 jrand48 srand48 seed48 lcong48
     drand48_r erand48_r lrand48_r nrand48_r mrand48_r jrand48_r srand48_r seed48_r lcong48_r random_r srandom_r initstate_r setstate_r
     arc4random arc4random_uniform arc4random_buf getrandom getentropy
     mblen mbtowc wctomb mbstowcs wcstombs ecvt fcvt gcvt realpath malloc_usable_size malloc_trim",
    // sys/mman.h; `activity/check` looks at the advice
    "madvise posix_madvise mlock munlock",
    // string.h, strings.h
    "strlen strnlen strcmp strncmp strcasecmp strncasecmp strcoll strxfrm strchr strrchr strchrnul strstr strcasestr strspn strcspn strpbrk strtok
     strtok_r strsep strcpy strncpy stpcpy stpncpy strcat strncat strlcpy strlcat strdup strndup strerror strerror_r __xpg_strerror_r strsignal memcmp
     ffs ffsl ffsll
     __strcpy_chk __strncpy_chk __strcat_chk __strncat_chk __stpcpy_chk __strdup __strtok_r",
    // ctype.h, wctype.h, wchar.h, locale.h
    "toupper tolower isalpha isdigit isspace isalnum isupper islower ispunct isprint isgraph iscntrl isxdigit isblank isascii toascii
     __ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc __ctype_get_mb_cur_max
     iswalpha iswdigit iswspace iswalnum iswupper iswlower towupper towlower wcslen wcscmp wprintf fwprintf swprintf fputws fputwc fgetws
     setlocale localeconv newlocale uselocale freelocale nl_langinfo",
    // time.h, sys/time.h, sys/resource.h
    "clock time difftime mktime timegm gmtime localtime gmtime_r localtime_r asctime asctime_r ctime ctime_r strftime strptime timespec_get
     clock_gettime clock_getres clock_settime nanosleep clock_nanosleep gettimeofday settimeofday getrusage getitimer setitimer ualarm
     sleep usleep tzset",
    // signal.h, errno.h, fenv.h
    "sigaction sigemptyset sigfillset sigaddset sigdelset sigismember sigprocmask __sysv_signal
     __errno_location __errno ___errno _errno __error
     feclearexcept feraiseexcept fetestexcept fegetround fesetround fegetexceptflag fesetexceptflag fegetenv fesetenv feholdexcept feupdateenv
     feenableexcept fedisableexcept fegetexcept fegetmode fesetmode",
    // unistd.h, fcntl.h, sys/stat.h and other system calls that only exchange bytes with files
    "open openat creat close write pwrite writev lseek fsync fdatasync ftruncate unlink rmdir mkdir chdir getcwd fstat
     lstat isatty dup dup2 getpid getppid gettid getuid geteuid gethostname sysconf getpagesize getopt getopt_long getlogin uname
     opendir readdir closedir fcntl ioctl sched_yield sched_getcpu backtrace backtrace_symbols backtrace_symbols_fd",
    // support functions
    "adjoin_sort_order adjoin_search adjoin_complain adjoin_lowest adjoin_highest adjoin_widest adjoin_is_apart adjoin_way adjoin_chunk_that_is_set",
    // omp.h: queries, settings, clocks
    "omp_get_thread_num omp_get_num_threads omp_get_max_threads omp_get_num_procs omp_set_num_threads omp_in_parallel omp_get_wtime omp_get_wtick
     omp_set_dynamic omp_get_dynamic omp_set_nested omp_get_nested omp_set_schedule omp_get_schedule omp_get_thread_limit omp_set_max_active_levels
     omp_get_max_active_levels omp_get_supported_active_levels omp_get_level omp_get_active_level omp_get_ancestor_thread_num omp_get_team_size
     omp_in_final omp_get_cancellation omp_get_proc_bind omp_get_num_places omp_get_place_num_procs omp_get_place_proc_ids omp_get_place_num
     omp_get_default_device omp_set_default_device omp_get_num_devices omp_get_device_num omp_get_initial_device omp_is_initial_device omp_get_num_teams
     omp_get_team_num omp_get_max_task_priority omp_init_lock omp_destroy_lock omp_init_nest_lock omp_destroy_nest_lock
     omp_set_lock omp_unset_lock omp_test_lock omp_set_nest_lock omp_unset_nest_lock omp_test_nest_lock omp_display_env omp_display_affinity",
    // mpi.h: the environment, errors, what only looks
    "MPI_Init MPI_Init_thread MPI_Initialized MPI_Finalize MPI_Finalized MPI_Abort MPI_Wtime MPI_Wtick MPI_Pcontrol MPI_Get_processor_name MPI_Get_version
     MPI_Get_library_version MPI_Query_thread MPI_Is_thread_main MPI_Error_string MPI_Error_class MPI_Add_error_class MPI_Add_error_code MPI_Add_error_string
     MPI_Errhandler_create MPI_Errhandler_set MPI_Errhandler_get MPI_Errhandler_free MPI_Barrier MPI_Ibarrier MPI_Probe MPI_Iprobe
     MPI_Get_count MPI_Get_elements MPI_Get_elements_x MPI_Test_cancelled MPI_Request_get_status MPI_Status_set_elements MPI_Status_set_cancelled
     MPI_Aint_add MPI_Aint_diff MPI_Buffer_attach MPI_Buffer_detach MPI_Pack_size MPI_Op_create MPI_Op_free MPI_Op_commutative
     MPI_Info_create MPI_Info_set MPI_Info_get MPI_Info_dup MPI_Info_free MPI_Info_delete MPI_Info_get_nkeys MPI_Info_get_nthkey MPI_Info_get_valuelen",
    // mpi.h: communicators, groups, topologies
    "MPI_Comm_rank MPI_Comm_size MPI_Comm_dup MPI_Comm_dup_with_info MPI_Comm_idup MPI_Comm_split MPI_Comm_split_type MPI_Comm_create MPI_Comm_create_group MPI_Comm_free
     MPI_Comm_disconnect MPI_Comm_group MPI_Comm_compare MPI_Comm_test_inter MPI_Comm_remote_size MPI_Comm_remote_group MPI_Comm_get_name MPI_Comm_set_name
     MPI_Comm_set_errhandler MPI_Comm_get_errhandler MPI_Comm_create_errhandler MPI_Comm_call_errhandler MPI_Comm_get_attr MPI_Comm_set_attr
     MPI_Comm_delete_attr MPI_Comm_create_keyval MPI_Comm_free_keyval MPI_Comm_get_info MPI_Comm_set_info MPI_Attr_get MPI_Attr_put MPI_Attr_delete
     MPI_Intercomm_create MPI_Intercomm_merge MPI_Group_rank MPI_Group_size MPI_Group_incl MPI_Group_excl MPI_Group_range_incl MPI_Group_range_excl
     MPI_Group_union MPI_Group_intersection MPI_Group_difference MPI_Group_translate_ranks MPI_Group_compare MPI_Group_free
     MPI_Cart_create MPI_Cart_coords MPI_Cart_rank MPI_Cart_shift MPI_Cart_get MPI_Cart_sub MPI_Cart_map MPI_Cartdim_get MPI_Dims_create MPI_Topo_test
     MPI_Graph_create MPI_Graph_get MPI_Graph_map MPI_Graph_neighbors MPI_Graph_neighbors_count MPI_Graphdims_get MPI_Dist_graph_create
     MPI_Dist_graph_create_adjacent MPI_Dist_graph_neighbors MPI_Dist_graph_neighbors_count
     MPI_Win_set_name MPI_Win_get_name MPI_Win_set_errhandler MPI_Win_get_errhandler MPI_Win_get_group",
    // mpi.h: datatypes
    "MPI_Type_size MPI_Type_size_x MPI_Type_extent MPI_Type_get_extent MPI_Type_get_extent_x MPI_Type_get_true_extent MPI_Type_get_true_extent_x MPI_Type_lb
     MPI_Type_ub MPI_Type_commit MPI_Type_free MPI_Type_dup MPI_Type_contiguous MPI_Type_vector MPI_Type_hvector MPI_Type_create_hvector MPI_Type_indexed
     MPI_Type_hindexed MPI_Type_create_hindexed MPI_Type_create_indexed_block MPI_Type_create_hindexed_block MPI_Type_struct MPI_Type_create_struct
     MPI_Type_create_resized MPI_Type_create_subarray MPI_Type_create_darray MPI_Type_get_envelope MPI_Type_get_contents MPI_Type_get_name MPI_Type_set_name
     MPI_Type_match_size adjoin_MPI_bytes adjoin_MPI_bytes_run adjoin_MPI_shadow_stays adjoin_MPI_forward_begins adjoin_MPI_ordered adjoin_MPI_operation
     adjoin_MPI_place adjoin_MPI_object adjoin_MPI_objects",
    // mpi.h: files, as far as they are written
    "MPI_File_open MPI_File_close MPI_File_delete MPI_File_sync MPI_File_seek MPI_File_set_size MPI_File_get_size MPI_File_preallocate MPI_File_set_view
     MPI_File_get_position MPI_File_set_atomicity MPI_File_write MPI_File_write_all MPI_File_write_at MPI_File_write_at_all MPI_File_write_ordered
     MPI_File_write_shared MPI_File_read MPI_File_read_all MPI_File_read_at MPI_File_read_at_all MPI_File_read_ordered MPI_File_read_shared
     MPI_File_get_view MPI_File_get_info MPI_File_set_info MPI_File_get_amode MPI_File_get_group MPI_File_get_byte_offset MPI_File_get_type_extent
     MPI_File_set_errhandler MPI_File_get_errhandler",
]);

/// What compilers spell `__builtin_` and nothing else: integers, hints, traps. Without that prefix the names are the program's.
static BUILTINS: Names = Names::new(&[
    "popcount popcountl popcountll clz clzl clzll clzg ctz ctzl ctzll ctzg clrsb clrsbl clrsbll parity parityl parityll bswap16 bswap32 bswap64 bswap128
     bitreverse8 bitreverse16 bitreverse32 bitreverse64 rotateleft8 rotateleft16 rotateleft32 rotateleft64 rotateright32 rotateright64
     expect expect_with_probability prefetch trap unreachable debugtrap assume constant_p object_size dynamic_object_size
     choose_expr types_compatible_p cpu_init cpu_supports cpu_is return_address frame_address extract_return_addr LINE FILE FUNCTION
     add_overflow sub_overflow mul_overflow sadd_overflow saddl_overflow saddll_overflow uadd_overflow uaddl_overflow uaddll_overflow
     ssub_overflow ssubl_overflow ssubll_overflow usub_overflow usubl_overflow usubll_overflow
     smul_overflow smull_overflow smulll_overflow umul_overflow umull_overflow umulll_overflow add_overflow_p sub_overflow_p mul_overflow_p
     ia32_pause flt_rounds is_constant_evaluated clear_padding stack_save",
]);

/// Classification of numbers that is spelled `__builtin_`, and only computes.
static PURE_BUILTINS: Names = Names::new(&[
    "isnan* isinf* isfinite* isnormal* fpclassify signbit* isinf_sign issignaling issubnormal iszero iscanonical isgreater isgreaterequal isless
     islessequal islessgreater isunordered iseqsig nan* nans* inf* huge_val*",
]);

/// Functions that only compute: classification, and results that are integers.
static PURE: Names = Names::new(&[
    "isnan* isinf* finite* __isnan* __isinf* __finite* __fpclassify* __signbit* __issignaling* __iseqsig*
     ilogb* llogb* lrint* llrint* lround* llround* nan* totalorder* totalordermag*
     adjoin_exponent* adjoin_quotient* adjoin_gamma_sign*",
]);

/// What those that write through their arguments write, beyond the list in `known`. (Of a function that returns a struct, the first argument is
/// its address.) Those with many output arguments are taken to write through all of them.
pub const WRITING: &[(&str, &[Write])] = &[
    ("asprintf", &[write(0, Extent::One)]),
    ("vasprintf", &[write(0, Extent::One)]),
    ("__asprintf_chk", &[write(0, Extent::One)]),
    ("getdelim", &[write(0, Extent::One), write(1, Extent::One)]),
    ("read", &[write(1, Extent::Bytes(2))]),
    ("pread", &[write(1, Extent::Bytes(2))]),
    ("fread_unlocked", &[write(0, Extent::Product(1, 2))]),
    (
        "MPI_File_read",
        &[write(1, Extent::Unbounded), write(4, Extent::One)],
    ),
    (
        "MPI_File_read_all",
        &[write(1, Extent::Unbounded), write(4, Extent::One)],
    ),
    (
        "MPI_File_read_ordered",
        &[write(1, Extent::Unbounded), write(4, Extent::One)],
    ),
    (
        "MPI_File_read_shared",
        &[write(1, Extent::Unbounded), write(4, Extent::One)],
    ),
    (
        "MPI_File_read_at",
        &[write(2, Extent::Unbounded), write(5, Extent::One)],
    ),
    (
        "MPI_File_read_at_all",
        &[write(2, Extent::Unbounded), write(5, Extent::One)],
    ),
    ("__fread_chk", &[write(0, Extent::Product(2, 3))]),
    ("__fgets_chk", &[write(0, Extent::Bytes(2))]),
    ("gets", &[write(0, Extent::Unbounded)]),
    ("__gets_chk", &[write(0, Extent::Unbounded)]),
    ("fgetws", &[write(0, Extent::Unbounded)]),
    ("swprintf", &[write(0, Extent::Unbounded)]),
    ("wcstombs", &[write(0, Extent::Unbounded)]),
    ("mbstowcs", &[write(0, Extent::Unbounded)]),
    ("mbtowc", &[write(0, Extent::Unbounded)]),
    ("wctomb", &[write(0, Extent::Unbounded)]),
    ("strxfrm", &[write(0, Extent::Bytes(2))]),
    ("strtok", &[write(0, Extent::Unbounded)]),
    ("stpcpy", &[write(0, Extent::Unbounded)]),
    ("stpncpy", &[write(0, Extent::Unbounded)]),
    ("strlcpy", &[write(0, Extent::Unbounded)]),
    ("strlcat", &[write(0, Extent::Unbounded)]),
    ("__strcpy_chk", &[write(0, Extent::Unbounded)]),
    ("__strncpy_chk", &[write(0, Extent::Unbounded)]),
    ("__strcat_chk", &[write(0, Extent::Unbounded)]),
    ("__strncat_chk", &[write(0, Extent::Unbounded)]),
    ("__stpcpy_chk", &[write(0, Extent::Unbounded)]),
    (
        "strtok_r",
        &[write(0, Extent::Unbounded), write(2, Extent::One)],
    ),
    (
        "__strtok_r",
        &[write(0, Extent::Unbounded), write(2, Extent::One)],
    ),
    ("strsep", &[write(0, Extent::One)]),
    ("strerror_r", &[write(1, Extent::Bytes(2))]),
    ("__xpg_strerror_r", &[write(1, Extent::Bytes(2))]),
    ("__vsprintf_chk", &[write(0, Extent::Unbounded)]),
    ("__vsnprintf_chk", &[write(0, Extent::Unbounded)]),
    ("strtoimax", &[write(1, Extent::One)]),
    ("strtoumax", &[write(1, Extent::One)]),
    ("__isoc23_strtoll", &[write(1, Extent::One)]),
    ("__isoc23_strtoull", &[write(1, Extent::One)]),
    ("__strtol_internal", &[write(1, Extent::One)]),
    ("__strtod_internal", &[write(1, Extent::One)]),
    ("gmtime_r", &[write(1, Extent::One)]),
    ("localtime_r", &[write(1, Extent::One)]),
    ("asctime_r", &[write(1, Extent::Unbounded)]),
    ("ctime_r", &[write(1, Extent::Unbounded)]),
    ("strftime", &[write(0, Extent::Bytes(1))]),
    ("strptime", &[write(2, Extent::One)]),
    ("timespec_get", &[write(0, Extent::One)]),
    ("mktime", &[write(0, Extent::One)]),
    ("timegm", &[write(0, Extent::One)]),
    ("times", &[write(0, Extent::One)]),
    ("uname", &[write(0, Extent::One)]),
    ("clock_getres", &[write(1, Extent::One)]),
    ("nanosleep", &[write(1, Extent::One)]),
    ("getrusage", &[write(1, Extent::One)]),
    ("getitimer", &[write(1, Extent::One)]),
    ("stat", &[write(1, Extent::One)]),
    ("fstat", &[write(1, Extent::One)]),
    ("lstat", &[write(1, Extent::One)]),
    ("fgetpos", &[write(1, Extent::One)]),
    ("setitimer", &[write(2, Extent::One)]),
    ("sigaction", &[write(2, Extent::One)]),
    ("sigprocmask", &[write(2, Extent::One)]),
    ("clock_nanosleep", &[write(3, Extent::One)]),
    ("sigemptyset", &[write(0, Extent::One)]),
    ("sigfillset", &[write(0, Extent::One)]),
    ("sigaddset", &[write(0, Extent::One)]),
    ("sigdelset", &[write(0, Extent::One)]),
    ("fegetenv", &[write(0, Extent::One)]),
    ("feholdexcept", &[write(0, Extent::One)]),
    ("fegetexceptflag", &[write(0, Extent::One)]),
    ("fegetmode", &[write(0, Extent::One)]),
    ("drand48_r", &[write(0, Extent::One), write(1, Extent::One)]),
    ("lrand48_r", &[write(0, Extent::One), write(1, Extent::One)]),
    ("mrand48_r", &[write(0, Extent::One), write(1, Extent::One)]),
    ("random_r", &[write(0, Extent::One), write(1, Extent::One)]),
    (
        "erand48_r",
        &[
            write(0, Extent::Unbounded),
            write(1, Extent::One),
            write(2, Extent::One),
        ],
    ),
    (
        "nrand48_r",
        &[
            write(0, Extent::Unbounded),
            write(1, Extent::One),
            write(2, Extent::One),
        ],
    ),
    (
        "jrand48_r",
        &[
            write(0, Extent::Unbounded),
            write(1, Extent::One),
            write(2, Extent::One),
        ],
    ),
    ("srand48_r", &[write(1, Extent::One)]),
    ("srandom_r", &[write(1, Extent::One)]),
    ("seed48_r", &[write(1, Extent::One)]),
    ("lcong48_r", &[write(1, Extent::One)]),
    ("setstate_r", &[write(1, Extent::One)]),
    (
        "initstate_r",
        &[write(1, Extent::Unbounded), write(3, Extent::One)],
    ),
    ("jrand48", &[write(0, Extent::Unbounded)]),
    ("initstate", &[write(1, Extent::Unbounded)]),
    ("arc4random_buf", &[write(0, Extent::Bytes(1))]),
    ("getrandom", &[write(0, Extent::Bytes(1))]),
    ("getentropy", &[write(0, Extent::Bytes(1))]),
    ("getcwd", &[write(0, Extent::Bytes(1))]),
    ("gethostname", &[write(0, Extent::Bytes(1))]),
    ("pipe", &[write(0, Extent::Unbounded)]),
    ("poll", &[write(0, Extent::Unbounded)]),
    (
        "select",
        &[
            write(1, Extent::Unbounded),
            write(2, Extent::Unbounded),
            write(3, Extent::Unbounded),
            write(4, Extent::Unbounded),
        ],
    ),
    ("ioctl", &[write(2, Extent::Unbounded)]),
    ("fcntl", &[write(2, Extent::Unbounded)]),
    ("realpath", &[write(1, Extent::Unbounded)]),
    ("ecvt", &[write(2, Extent::One), write(3, Extent::One)]),
    ("fcvt", &[write(2, Extent::One), write(3, Extent::One)]),
    ("gcvt", &[write(2, Extent::Unbounded)]),
    ("getopt_long", &[write(4, Extent::One)]),
    (
        "open_memstream",
        &[write(0, Extent::One), write(1, Extent::One)],
    ),
    ("backtrace", &[write(0, Extent::Unbounded)]),
    ("mkstemp", &[write(0, Extent::Unbounded)]),
    ("div", &[write(0, Extent::One)]),
    ("ldiv", &[write(0, Extent::One)]),
    ("lldiv", &[write(0, Extent::One)]),
    ("omp_get_place_proc_ids", &[write(1, Extent::Unbounded)]),
    (
        "omp_get_schedule",
        &[write(0, Extent::One), write(1, Extent::One)],
    ),
    ("omp_init_lock", &[write(0, Extent::One)]),
    ("omp_destroy_lock", &[write(0, Extent::One)]),
    ("omp_init_nest_lock", &[write(0, Extent::One)]),
    ("omp_destroy_nest_lock", &[write(0, Extent::One)]),
    ("omp_set_lock", &[write(0, Extent::One)]),
    ("omp_unset_lock", &[write(0, Extent::One)]),
    ("omp_test_lock", &[write(0, Extent::One)]),
    ("omp_set_nest_lock", &[write(0, Extent::One)]),
    ("omp_unset_nest_lock", &[write(0, Extent::One)]),
    ("omp_test_nest_lock", &[write(0, Extent::One)]),
    ("add_overflow", &[write(2, Extent::One)]),
    ("sub_overflow", &[write(2, Extent::One)]),
    ("mul_overflow", &[write(2, Extent::One)]),
    ("sadd_overflow", &[write(2, Extent::One)]),
    ("saddl_overflow", &[write(2, Extent::One)]),
    ("saddll_overflow", &[write(2, Extent::One)]),
    ("uadd_overflow", &[write(2, Extent::One)]),
    ("uaddl_overflow", &[write(2, Extent::One)]),
    ("uaddll_overflow", &[write(2, Extent::One)]),
    ("ssub_overflow", &[write(2, Extent::One)]),
    ("ssubl_overflow", &[write(2, Extent::One)]),
    ("ssubll_overflow", &[write(2, Extent::One)]),
    ("usub_overflow", &[write(2, Extent::One)]),
    ("usubl_overflow", &[write(2, Extent::One)]),
    ("usubll_overflow", &[write(2, Extent::One)]),
    ("smul_overflow", &[write(2, Extent::One)]),
    ("smull_overflow", &[write(2, Extent::One)]),
    ("smulll_overflow", &[write(2, Extent::One)]),
    ("umul_overflow", &[write(2, Extent::One)]),
    ("umull_overflow", &[write(2, Extent::One)]),
    ("umulll_overflow", &[write(2, Extent::One)]),
];

/// A list of names as they are written above, and the set that they stand for: every call of a program is looked up, many times.
struct Names {
    groups: &'static [&'static str],
    set: OnceLock<HashSet<String>>,
}

impl Names {
    const fn new(groups: &'static [&'static str]) -> Names {
        Names {
            groups,
            set: OnceLock::new(),
        }
    }

    fn contains(&self, name: &str) -> bool {
        let set = self.set.get_or_init(|| {
            let entries = self.groups.iter().flat_map(|g| g.split_whitespace());
            let mut set = HashSet::new();
            for entry in entries {
                match entry.strip_suffix('*') {
                    Some(stem) => {
                        set.extend(["", "f", "l"].map(|suffix| format!("{stem}{suffix}")))
                    }
                    None => drop(set.insert(entry.to_string())),
                }
            }
            set
        });
        set.contains(name)
    }
}

/// Is it in a list under the name that the compilers spell `__builtin_`?
fn listed_builtin(names: &Names, name: &str) -> bool {
    name.strip_prefix("__builtin_")
        .is_some_and(|rest| names.contains(rest))
}

/// Does a function only compute an inactive result?
pub fn is_pure(name: &str) -> bool {
    PURE.contains(name) || PURE.contains(stem(name)) || listed_builtin(&PURE_BUILTINS, name)
}

/// Does a function never carry a derivative?
pub fn contains(name: &str) -> bool {
    is_pure(name)
        || NAMES.contains(name)
        || NAMES.contains(stem(name))
        || listed_builtin(&BUILTINS, name)
}
