/* Calls a function, or its derivatives, very often on many threads or ranks, and says how long that took.
 *
 *   ./scale SCALING MODE THREADS CALLS REPETITIONS [WORKERS]
 *
 * SCALING  strong: CALLS in total; weak: CALLS times the number of workers
 * MODE     primal, forward or reverse; machine: arithmetic in registers, which shares nothing at all
 * WORKERS  how many of the threads, or of the ranks, make calls. They are others in each repetition, and the median of the
 *          repetitions is what counts. Without it all make calls, and the fastest repetition counts
 *
 * Prints one line: function,scaling,mode,kind,workers,calls,seconds,checksum. Compiled with -DADJOIN_MPI for ranks.
 * The function with its inputs is in functions.c; every thread has inputs, results and caches of its own. The threads and
 * ranks of a machine take their calls in blocks, large ones first, so that cores need not be equally fast; several machines
 * have fixed shares.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef _OPENMP
#include <omp.h>
#endif
#ifdef ADJOIN_MPI
#include <mpi.h>
static MPI_Comm machine, first_ranks;
static MPI_Win window;
#endif

extern const char adjoin_function[];
double adjoin_calls(int mode);
int adjoin_block(long *first, long *last);
void *adjoin_memory(unsigned long bytes);
void adjoin_start(void);
void adjoin_stop(void);

enum { MACHINE = 3, MOST_REPETITIONS = 200 };
static const double enough_seconds = 0.3;
static double began, ended;
/* What the workers of this machine have to do: the calls from dealt[0] to dealt[1]; after `period` of them come the same again. */
static long own_calls[2], *dealt = own_calls, period, sharing = 1;
/* Threads of this rank, and how many of them make calls. */
static int team = 1, working = 1;

static void fail(int rank, const char *message)
{
    if (rank == 0)
        fprintf(stderr, "scale: %s\n", message);
#ifdef ADJOIN_MPI
    MPI_Finalize();
#endif
    exit(3);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Zeros on cache lines that no other thread has a part of. */
void *adjoin_memory(unsigned long bytes)
{
    const unsigned long line = 128;
    const unsigned long size = (bytes + line - 1) / line * line + line;
    void *memory = aligned_alloc(line, size);
    if (!memory) {
        perror("scale: inputs and results of a thread");
        exit(3);
    }
    return memset(memory, 0, size);
}

/* All threads of all ranks wait for each other, then the clock starts. */
void adjoin_start(void)
{
#ifdef _OPENMP
#pragma omp barrier
#pragma omp master
#endif
    {
#ifdef ADJOIN_MPI
        MPI_Barrier(MPI_COMM_WORLD);
#endif
        began = now();
    }
#ifdef _OPENMP
#pragma omp barrier
#endif
}

void adjoin_stop(void)
{
#ifdef _OPENMP
#pragma omp barrier
#pragma omp master
#endif
    {
#ifdef ADJOIN_MPI
        MPI_Barrier(MPI_COMM_WORLD);
#endif
        ended = now();
    }
}

/* The next calls for the worker that asks; 0 if none are left. A block is half of a worker's share of what is left. */
int adjoin_block(long *first, long *last)
{
    const long smallest = period / (128 * sharing) + 1;
    long begin = __atomic_load_n(dealt, __ATOMIC_RELAXED), end;
    do {
        const long left = dealt[1] - begin, same = period - begin % period;
        if (left <= 0)
            return 0;
        long size = sharing == 1 ? left : left / (2 * sharing);
        size = size < smallest ? smallest : size;
        size = size > same ? same : size;
        end = begin + (size < left ? size : left);
    } while (!__atomic_compare_exchange_n(dealt, &begin, end, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    *first = begin % period;
    *last = *first + (end - begin);
    return 1;
}

/* Deals the calls out to the machines, by the workers that each has; `active` of them are on this rank. */
static void deal(long workers, long calls, long active)
{
    long before = 0;
    sharing = active;
#ifdef ADJOIN_MPI
    MPI_Allreduce(&active, &sharing, 1, MPI_LONG, MPI_SUM, machine);
    if (first_ranks != MPI_COMM_NULL) {
        MPI_Scan(&sharing, &before, 1, MPI_LONG, MPI_SUM, first_ranks);
        before -= sharing;
    }
    const int deals = first_ranks != MPI_COMM_NULL;
#else
    const int deals = 1;
#endif
    if (deals) {
        const long each = calls / workers, more = calls % workers, end = before + sharing;
        dealt[0] = before * each + (before < more ? before : more);
        dealt[1] = end * each + (end < more ? end : more);
    }
#ifdef ADJOIN_MPI
    MPI_Win_sync(window);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_sync(window);
#endif
}

/* A thousand operations that need no memory. */
static double arithmetic(double x)
{
    double a[10];
    for (int i = 0; i < 10; i++)
        a[i] = x + i;
    for (int k = 0; k < 50; k++)
        for (int i = 0; i < 10; i++)
            a[i] = a[i] * 0.999 + 0.001;
    double sum = 0;
    for (int i = 0; i < 10; i++)
        sum += a[i];
    return sum;
}

/* As adjoin_calls: what the machine can do where nothing is shared. */
static double machine_calls(void)
{
    double sum = 0;
    volatile double sink = 0;
    long first, last;
    adjoin_start();
    while (adjoin_block(&first, &last)) {
        double x = 0;
        for (long call = first; call < last; call++)
            x = arithmetic(x * 0x1p-10);
        sink = sink + x;
        sum += (double)(last - first);
    }
    adjoin_stop();
    return sum;
}

/* One measurement: the seconds of the slowest rank, and what was computed. The workers are those behind `shift`. */
static double measure(int mode, int rank, long workers, long everybody, long calls, long shift, double *checksum)
{
    double sum = 0;
    const long ranks = everybody / team, ranks_working = (workers + team - 1) / team;
    deal(workers, calls, (rank + shift) % ranks < ranks_working ? working : 0);
#ifdef _OPENMP
#pragma omp parallel num_threads(team) reduction(+ : sum)
#endif
    {
        long thread = 0;
#ifdef _OPENMP
        thread = (omp_get_thread_num() + shift) % team;
#endif
        if (thread >= working || (rank + shift) % ranks >= ranks_working) {
            adjoin_start();
            adjoin_stop();
        } else {
            sum += mode == MACHINE ? machine_calls() : adjoin_calls(mode);
        }
    }
    double seconds = ended - began;
    *checksum = sum;
#ifdef ADJOIN_MPI
    MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, checksum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
#endif
    return seconds;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    int rank = 0, ranks = 1;
    const char *kind = "threads";
#ifdef ADJOIN_MPI
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    kind = "ranks";
    int local;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &machine);
    MPI_Comm_rank(machine, &local);
    MPI_Comm_split(MPI_COMM_WORLD, local == 0 ? 0 : MPI_UNDEFINED, rank, &first_ranks);
    MPI_Aint bytes = local == 0 ? (MPI_Aint)sizeof own_calls : 0;
    int unit;
    MPI_Win_allocate_shared(bytes, sizeof(long), MPI_INFO_NULL, machine, &dealt, &window);
    MPI_Win_shared_query(window, 0, &bytes, &unit, &dealt);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, window);
#endif
    static const char *const modes[] = {"primal", "forward", "reverse", "machine"};
    const int typical = argc == 7;
    int mode = 0;
    if (argc == 6 || argc == 7)
        while (mode < 4 && strcmp(argv[2], modes[mode]))
            mode++;
    if ((argc != 6 && argc != 7) || mode == 4)
        fail(rank, "usage: scale strong|weak primal|forward|reverse|machine THREADS CALLS REPETITIONS [WORKERS]");
    const int weak = strcmp(argv[1], "weak") == 0;
    const int threads = atoi(argv[3]);
    int repetitions = atoi(argv[5]);
    const long calls = atol(argv[4]), everybody = (long)ranks * threads;
    const long workers = typical ? atol(argv[6]) : everybody;
    if (threads < 1 || calls < 1 || repetitions < 1 || workers < 1)
        fail(rank, "the numbers of threads, calls, repetitions and workers must be positive");
    if (workers > everybody || (ranks > 1 && workers % threads))
        fail(rank, "there are fewer threads and ranks than workers, or not all threads of a rank would work");
#ifdef _OPENMP
    omp_set_dynamic(0);
#pragma omp parallel num_threads(threads)
#pragma omp single
    team = omp_get_num_threads();
#endif
    if (team != threads) {
        char message[120];
        snprintf(message, sizeof message, "%d threads were asked for, and there are %d; is OMP_THREAD_LIMIT set, or -fopenmp missing?", threads, team);
        fail(rank, message);
    }
    working = workers < team ? (int)workers : team;
    period = calls;
    if (typical && repetitions < everybody)
        repetitions = everybody < MOST_REPETITIONS ? (int)everybody : MOST_REPETITIONS;
    double took[MOST_REPETITIONS], total = 0, checksum = 0;
    const long all_calls = weak ? calls * workers : calls;
    int k = 0;
    while (k < MOST_REPETITIONS && (k < repetitions || total < enough_seconds)) {
        took[k] = measure(mode, rank, workers, everybody, all_calls, typical ? k : 0, &checksum);
        total += took[k++];
    }
    qsort(took, (size_t)k, sizeof *took, by_size);
    if (rank == 0)
        printf("%s,%s,%s,%s,%ld,%ld,%.9e,%.17e\n", adjoin_function, weak ? "weak" : "strong", modes[mode], kind, workers, all_calls,
               took[typical ? k / 2 : 0], checksum);
#ifdef ADJOIN_MPI
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    MPI_Finalize();
#endif
    return 0;
}
