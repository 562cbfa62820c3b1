/* Calls a function, or its derivatives, very often on many threads or ranks, and says how long that took.
 *
 *   ./scale SCALING MODE THREADS CALLS REPETITIONS
 *
 * SCALING  strong: CALLS in total; weak: CALLS for each thread of each rank
 * MODE     primal, forward or reverse
 *
 * Prints one line: function,scaling,mode,kind,workers,calls,seconds,checksum. Compiled with -DADJOIN_MPI for ranks.
 * The function with its inputs is in functions.c; every thread has inputs, results and caches of its own.
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
#endif

extern const char adjoin_function[];
double adjoin_calls(int mode, long first, long last);
void *adjoin_memory(unsigned long bytes);
void adjoin_start(void);
void adjoin_stop(void);

enum { MOST_REPETITIONS = 200 };
static const double enough_seconds = 0.3;
static double began, ended;

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

/* One measurement: the seconds of the slowest rank, and what was computed. */
static double measure(int weak, int mode, int rank, int ranks, int threads, long calls, double *checksum)
{
    double sum = 0;
#ifdef _OPENMP
#pragma omp parallel num_threads(threads) reduction(+ : sum)
#endif
    {
#ifdef _OPENMP
        const long worker = (long)rank * threads + omp_get_thread_num();
#else
        const long worker = rank;
#endif
        const long workers = (long)ranks * threads;
        const long each = calls / workers, more = calls % workers;
        const long first = worker * each + (worker < more ? worker : more);
        sum += weak ? adjoin_calls(mode, 0, calls) : adjoin_calls(mode, first, first + each + (worker < more));
    }
    double seconds = ended - began;
    *checksum = sum;
#ifdef ADJOIN_MPI
    MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, checksum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
#endif
    return seconds;
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
#endif
    static const char *const modes[] = {"primal", "forward", "reverse"};
    int mode = 0;
    if (argc == 6)
        while (mode < 3 && strcmp(argv[2], modes[mode]))
            mode++;
    if (argc != 6 || mode == 3)
        fail(rank, "usage: scale strong|weak primal|forward|reverse THREADS CALLS REPETITIONS");
    const int weak = strcmp(argv[1], "weak") == 0;
    const int threads = atoi(argv[3]), repetitions = atoi(argv[5]);
    const long calls = atol(argv[4]);
    if (threads < 1 || calls < 1 || repetitions < 1)
        fail(rank, "the numbers of threads, calls and repetitions must be positive");
    int team = 1;
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
    double best = 0, total = 0, checksum = 0;
    for (int k = 0; k < repetitions || (total < enough_seconds && k < MOST_REPETITIONS); k++) {
        const double seconds = measure(weak, mode, rank, ranks, threads, calls, &checksum);
        if (k == 0 || seconds < best)
            best = seconds;
        total += seconds;
    }
    const long workers = (long)ranks * threads;
    if (rank == 0)
        printf("%s,%s,%s,%s,%ld,%ld,%.9e,%.17e\n", adjoin_function, weak ? "weak" : "strong", modes[mode], kind, workers,
               weak ? calls * workers : calls, best, checksum);
#ifdef ADJOIN_MPI
    MPI_Finalize();
#endif
    return 0;
}
