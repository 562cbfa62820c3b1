/* Several threads that communicate (MPI_THREAD_MULTIPLE) share what this file and the next ones keep: a lock that nobody holds while waiting for another rank. */
struct adjoin_mpi_lock {
    int several; /* may several threads communicate? 0: not known yet, 1: no, 2: yes */
    char *owner;
    int depth;
};
static struct adjoin_mpi_lock adjoin_mpi_lock;

/* Its address tells threads apart. */
static _Thread_local char adjoin_mpi_self;

static int adjoin_mpi_several_threads(void)
{
    int several = __atomic_load_n(&adjoin_mpi_lock.several, __ATOMIC_RELAXED);
    if (several == 0) {
        int level = MPI_THREAD_SINGLE;
        PMPI_Query_thread(&level);
        several = level == MPI_THREAD_MULTIPLE ? 2 : 1;
        __atomic_store_n(&adjoin_mpi_lock.several, several, __ATOMIC_RELAXED);
    }
    return several == 2;
}

static void adjoin_mpi_enter(void)
{
    if (!adjoin_mpi_several_threads())
        return;
    char *nobody = NULL;
    while (__atomic_load_n(&adjoin_mpi_lock.owner, __ATOMIC_RELAXED) != &adjoin_mpi_self) {
        nobody = NULL;
        if (__atomic_compare_exchange_n(&adjoin_mpi_lock.owner, &nobody, &adjoin_mpi_self, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            break;
        sched_yield();
    }
    adjoin_mpi_lock.depth++;
}

static void adjoin_mpi_leave(void)
{
    if (!adjoin_mpi_several_threads())
        return;
    if (--adjoin_mpi_lock.depth == 0)
        __atomic_store_n(&adjoin_mpi_lock.owner, (char *)NULL, __ATOMIC_RELEASE);
}

/* Adds to a number that other threads may add to. */
#define ADJOIN_MPI_ADDS(NAME, NUMBER) \
    ADJOIN_SHARED void NAME(NUMBER *x, NUMBER more) \
    { \
        NUMBER old, sum; \
        __atomic_load(x, &old, __ATOMIC_RELAXED); \
        do \
            sum = old + more; \
        while (!__atomic_compare_exchange(x, &old, &sum, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED)); \
    }
ADJOIN_MPI_ADDS(adjoin_mpi_add_float, float)
ADJOIN_MPI_ADDS(adjoin_mpi_add_double, double)

static void adjoin_mpi_add_long_double(long double *x, long double more)
{
    adjoin_mpi_enter();
    *x += more;
    adjoin_mpi_leave();
}
