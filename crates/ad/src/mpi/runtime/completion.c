/* Calls that complete requests, in both modes.
 *
 * A request that is complete is no more, and another thread may be given its handle at once. So with several threads what a request stands for is taken under the lock that all who make
 * requests hold, and nobody holds that lock while waiting: they test, again and again. */

/* The requests of a call before it makes them MPI_REQUEST_NULL, statuses if the program wants none, and what the requests that are complete stood for. */
struct adjoin_mpi_waiting {
    int count;
    MPI_Request *requests;
    MPI_Status *statuses, *own;
    struct adjoin_mpi_completed **found;
};

static struct adjoin_mpi_waiting adjoin_mpi_waiting_for(int count, const MPI_Request *requests, MPI_Status *statuses)
{
    struct adjoin_mpi_waiting w = {count, NULL, statuses, NULL, NULL};
    w.requests = adjoin_mpi_allocate((size_t)count * sizeof *w.requests);
    w.found = adjoin_mpi_allocate((size_t)count * sizeof *w.found);
    for (int k = 0; k < count; k++)
        w.requests[k] = requests[k];
    if (statuses == MPI_STATUSES_IGNORE)
        w.statuses = w.own = adjoin_mpi_allocate((size_t)count * sizeof *w.own);
    return w;
}

/* The one at an index is complete, and has the k-th status. */
static void adjoin_mpi_waiting_take(struct adjoin_mpi_waiting *w, int k, int index)
{
    w->found[k] = adjoin_mpi_take(w->requests[index]);
}

/* The lock is left: what was taken is complete. */
static struct adjoin_mpi_completed *adjoin_mpi_waited(struct adjoin_mpi_waiting *w)
{
    struct adjoin_mpi_completed *list = NULL;
    for (int k = 0; k < w->count; k++)
        if (w->found[k] != NULL)
            adjoin_mpi_complete(w->found[k], &w->statuses[k], &list);
    free(w->requests);
    free(w->found);
    free(w->own);
    return list;
}

/* Does a call that waits, or the one that tests until it says that it is done. On the way out the lock is held. */
#define ADJOIN_MPI_WAIT(WAIT, TEST, DONE) \
    if (!adjoin_mpi_several_threads()) \
        code = adjoin_mpi_checked("a call that waits", WAIT); \
    else \
        for (;;) { \
            adjoin_mpi_enter(); \
            code = adjoin_mpi_checked("a call that waits", TEST); \
            if (DONE) \
                break; \
            adjoin_mpi_leave(); \
            sched_yield(); \
        }

static int adjoin_MPI_Wait_augmented(MPI_Request *request, MPI_Status *status, void **tape)
{
    MPI_Status own, *s = status == MPI_STATUS_IGNORE ? &own : status;
    MPI_Request before = *request;
    struct adjoin_mpi_completed *list = NULL;
    int code, flag = 0;
    ADJOIN_MPI_WAIT(MPI_Wait(request, s), MPI_Test(request, &flag, s), flag)
    struct adjoin_mpi_completed *found = adjoin_mpi_take(before);
    adjoin_mpi_leave();
    adjoin_mpi_complete(found, s, &list);
    *tape = list;
    return code;
}

static int adjoin_MPI_Waitall_augmented(int count, MPI_Request *requests, MPI_Status *statuses, void **tape)
{
    struct adjoin_mpi_waiting w = adjoin_mpi_waiting_for(count, requests, statuses);
    int code, flag = 0;
    ADJOIN_MPI_WAIT(MPI_Waitall(count, requests, w.statuses), MPI_Testall(count, requests, &flag, w.statuses), flag)
    for (int k = 0; k < count; k++)
        adjoin_mpi_waiting_take(&w, k, k);
    adjoin_mpi_leave();
    *tape = adjoin_mpi_waited(&w);
    return code;
}

static int adjoin_MPI_Waitany_augmented(int count, MPI_Request *requests, int *index, MPI_Status *status, void **tape)
{
    MPI_Status own, *s = status == MPI_STATUS_IGNORE ? &own : status;
    struct adjoin_mpi_waiting w = adjoin_mpi_waiting_for(count, requests, s);
    int code, flag = 0;
    ADJOIN_MPI_WAIT(MPI_Waitany(count, requests, index, s), MPI_Testany(count, requests, index, &flag, s), flag)
    if (*index != MPI_UNDEFINED)
        adjoin_mpi_waiting_take(&w, 0, *index);
    adjoin_mpi_leave();
    *tape = adjoin_mpi_waited(&w);
    return code;
}

static int adjoin_MPI_Waitsome_augmented(int count, MPI_Request *requests, int *done, int *indices, MPI_Status *statuses,
                                         void **tape)
{
    struct adjoin_mpi_waiting w = adjoin_mpi_waiting_for(count, requests, statuses);
    int code;
    ADJOIN_MPI_WAIT(MPI_Waitsome(count, requests, done, indices, w.statuses),
                    MPI_Testsome(count, requests, done, indices, w.statuses), *done != 0)
    for (int k = 0; *done != MPI_UNDEFINED && k < *done; k++)
        adjoin_mpi_waiting_take(&w, k, indices[k]);
    adjoin_mpi_leave();
    *tape = adjoin_mpi_waited(&w);
    return code;
}

static int adjoin_MPI_Test_augmented(MPI_Request *request, int *flag, MPI_Status *status, void **tape)
{
    MPI_Status own, *s = status == MPI_STATUS_IGNORE ? &own : status;
    MPI_Request before = *request;
    struct adjoin_mpi_completed *list = NULL, *found = NULL;
    adjoin_mpi_enter();
    int code = adjoin_mpi_checked("MPI_Test", MPI_Test(request, flag, s));
    if (*flag)
        found = adjoin_mpi_take(before);
    adjoin_mpi_leave();
    adjoin_mpi_complete(found, s, &list);
    *tape = list;
    return code;
}

static int adjoin_MPI_Testall_augmented(int count, MPI_Request *requests, int *flag, MPI_Status *statuses, void **tape)
{
    struct adjoin_mpi_waiting w = adjoin_mpi_waiting_for(count, requests, statuses);
    adjoin_mpi_enter();
    int code = adjoin_mpi_checked("MPI_Testall", MPI_Testall(count, requests, flag, w.statuses));
    for (int k = 0; *flag && k < count; k++)
        adjoin_mpi_waiting_take(&w, k, k);
    adjoin_mpi_leave();
    *tape = adjoin_mpi_waited(&w);
    return code;
}

static int adjoin_MPI_Testany_augmented(int count, MPI_Request *requests, int *index, int *flag, MPI_Status *status,
                                        void **tape)
{
    MPI_Status own, *s = status == MPI_STATUS_IGNORE ? &own : status;
    struct adjoin_mpi_waiting w = adjoin_mpi_waiting_for(count, requests, s);
    adjoin_mpi_enter();
    int code = adjoin_mpi_checked("MPI_Testany", MPI_Testany(count, requests, index, flag, s));
    if (*flag && *index != MPI_UNDEFINED)
        adjoin_mpi_waiting_take(&w, 0, *index);
    adjoin_mpi_leave();
    *tape = adjoin_mpi_waited(&w);
    return code;
}

static int adjoin_MPI_Testsome_augmented(int count, MPI_Request *requests, int *done, int *indices, MPI_Status *statuses,
                                         void **tape)
{
    struct adjoin_mpi_waiting w = adjoin_mpi_waiting_for(count, requests, statuses);
    adjoin_mpi_enter();
    int code = adjoin_mpi_checked("MPI_Testsome", MPI_Testsome(count, requests, done, indices, w.statuses));
    for (int k = 0; *done != MPI_UNDEFINED && k < *done; k++)
        adjoin_mpi_waiting_take(&w, k, indices[k]);
    adjoin_mpi_leave();
    *tape = adjoin_mpi_waited(&w);
    return code;
}

/* Their reverses are one, and in forward mode nothing is left on the tape. */
#define ADJOIN_MPI_COMPLETES(MPI_X, PARAMETERS, ARGUMENTS) \
    ADJOIN_SHARED void adjoin_##MPI_X##_reverse(void *tape) \
    { \
        adjoin_mpi_completed_reverse(tape); \
    } \
    ADJOIN_SHARED int adjoin_##MPI_X##_tangent PARAMETERS \
    { \
        void *tape = NULL; \
        int code = adjoin_##MPI_X##_augmented ARGUMENTS; \
        adjoin_mpi_completed_free(tape); \
        return code; \
    }
ADJOIN_MPI_COMPLETES(MPI_Wait, (MPI_Request *r, MPI_Status *s), (r, s, &tape))
ADJOIN_MPI_COMPLETES(MPI_Waitall, (int n, MPI_Request *r, MPI_Status *s), (n, r, s, &tape))
ADJOIN_MPI_COMPLETES(MPI_Waitany, (int n, MPI_Request *r, int *k, MPI_Status *s), (n, r, k, s, &tape))
ADJOIN_MPI_COMPLETES(MPI_Waitsome, (int n, MPI_Request *r, int *m, int *k, MPI_Status *s), (n, r, m, k, s, &tape))
ADJOIN_MPI_COMPLETES(MPI_Test, (MPI_Request *r, int *flag, MPI_Status *s), (r, flag, s, &tape))
ADJOIN_MPI_COMPLETES(MPI_Testall, (int n, MPI_Request *r, int *flag, MPI_Status *s), (n, r, flag, s, &tape))
ADJOIN_MPI_COMPLETES(MPI_Testany, (int n, MPI_Request *r, int *k, int *flag, MPI_Status *s), (n, r, k, flag, s, &tape))
ADJOIN_MPI_COMPLETES(MPI_Testsome, (int n, MPI_Request *r, int *m, int *k, MPI_Status *s), (n, r, m, k, s, &tape))
