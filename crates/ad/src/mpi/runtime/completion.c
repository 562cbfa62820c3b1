/* Calls that complete requests, in both modes. */

/* The requests of a call before it makes them MPI_REQUEST_NULL, and statuses if the program wants none. */
struct adjoin_mpi_waiting {
    MPI_Request *requests;
    MPI_Status *statuses, *own;
};

static struct adjoin_mpi_waiting adjoin_mpi_waiting_for(int count, const MPI_Request *requests, MPI_Status *statuses)
{
    struct adjoin_mpi_waiting w = {NULL, statuses, NULL};
    w.requests = adjoin_mpi_allocate((size_t)count * sizeof *w.requests);
    for (int k = 0; k < count; k++)
        w.requests[k] = requests[k];
    if (statuses == MPI_STATUSES_IGNORE)
        w.statuses = w.own = adjoin_mpi_allocate((size_t)count * sizeof *w.own);
    return w;
}

static void adjoin_mpi_waited(struct adjoin_mpi_waiting *w)
{
    free(w->requests);
    free(w->own);
}

static int adjoin_MPI_Wait_augmented(MPI_Request *request, MPI_Status *status, void **tape)
{
    MPI_Status own, *s = status == MPI_STATUS_IGNORE ? &own : status;
    MPI_Request before = *request;
    struct adjoin_mpi_completed *list = NULL;
    int code = MPI_Wait(request, s);
    adjoin_mpi_complete(before, s, &list);
    *tape = list;
    return code;
}

static int adjoin_MPI_Waitall_augmented(int count, MPI_Request *requests, MPI_Status *statuses, void **tape)
{
    struct adjoin_mpi_waiting w = adjoin_mpi_waiting_for(count, requests, statuses);
    struct adjoin_mpi_completed *list = NULL;
    int code = MPI_Waitall(count, requests, w.statuses);
    for (int k = 0; k < count; k++)
        adjoin_mpi_complete(w.requests[k], &w.statuses[k], &list);
    adjoin_mpi_waited(&w);
    *tape = list;
    return code;
}

static int adjoin_MPI_Waitany_augmented(int count, MPI_Request *requests, int *index, MPI_Status *status, void **tape)
{
    MPI_Status own, *s = status == MPI_STATUS_IGNORE ? &own : status;
    struct adjoin_mpi_waiting w = adjoin_mpi_waiting_for(count, requests, s);
    struct adjoin_mpi_completed *list = NULL;
    int code = MPI_Waitany(count, requests, index, s);
    if (*index != MPI_UNDEFINED)
        adjoin_mpi_complete(w.requests[*index], s, &list);
    adjoin_mpi_waited(&w);
    *tape = list;
    return code;
}

static int adjoin_MPI_Waitsome_augmented(int count, MPI_Request *requests, int *done, int *indices, MPI_Status *statuses,
                                         void **tape)
{
    struct adjoin_mpi_waiting w = adjoin_mpi_waiting_for(count, requests, statuses);
    struct adjoin_mpi_completed *list = NULL;
    int code = MPI_Waitsome(count, requests, done, indices, w.statuses);
    for (int k = 0; *done != MPI_UNDEFINED && k < *done; k++)
        adjoin_mpi_complete(w.requests[indices[k]], &w.statuses[k], &list);
    adjoin_mpi_waited(&w);
    *tape = list;
    return code;
}

static int adjoin_MPI_Test_augmented(MPI_Request *request, int *flag, MPI_Status *status, void **tape)
{
    MPI_Status own, *s = status == MPI_STATUS_IGNORE ? &own : status;
    MPI_Request before = *request;
    struct adjoin_mpi_completed *list = NULL;
    int code = MPI_Test(request, flag, s);
    if (*flag)
        adjoin_mpi_complete(before, s, &list);
    *tape = list;
    return code;
}

static int adjoin_MPI_Testall_augmented(int count, MPI_Request *requests, int *flag, MPI_Status *statuses, void **tape)
{
    struct adjoin_mpi_waiting w = adjoin_mpi_waiting_for(count, requests, statuses);
    struct adjoin_mpi_completed *list = NULL;
    int code = MPI_Testall(count, requests, flag, w.statuses);
    for (int k = 0; *flag && k < count; k++)
        adjoin_mpi_complete(w.requests[k], &w.statuses[k], &list);
    adjoin_mpi_waited(&w);
    *tape = list;
    return code;
}

static int adjoin_MPI_Testany_augmented(int count, MPI_Request *requests, int *index, int *flag, MPI_Status *status,
                                        void **tape)
{
    MPI_Status own, *s = status == MPI_STATUS_IGNORE ? &own : status;
    struct adjoin_mpi_waiting w = adjoin_mpi_waiting_for(count, requests, s);
    struct adjoin_mpi_completed *list = NULL;
    int code = MPI_Testany(count, requests, index, flag, s);
    if (*flag && *index != MPI_UNDEFINED)
        adjoin_mpi_complete(w.requests[*index], s, &list);
    adjoin_mpi_waited(&w);
    *tape = list;
    return code;
}

static int adjoin_MPI_Testsome_augmented(int count, MPI_Request *requests, int *done, int *indices, MPI_Status *statuses,
                                         void **tape)
{
    struct adjoin_mpi_waiting w = adjoin_mpi_waiting_for(count, requests, statuses);
    struct adjoin_mpi_completed *list = NULL;
    int code = MPI_Testsome(count, requests, done, indices, w.statuses);
    for (int k = 0; *done != MPI_UNDEFINED && k < *done; k++)
        adjoin_mpi_complete(w.requests[indices[k]], &w.statuses[k], &list);
    adjoin_mpi_waited(&w);
    *tape = list;
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
