/* Persistent requests, in both modes: they are prepared once, and each start is a message.
 *
 * A request may be kept from one derivative to the next, which may have other shadows for the same memory; those of variables
 * with static storage that belong to the derivatives stay. */
static long adjoin_mpi_prepared;

/* The derivative says so of the shadow of the request that it makes next. */
static _Thread_local int adjoin_mpi_stays;

static void adjoin_MPI_shadow_stays(void)
{
    adjoin_mpi_stays = 1;
}

/* A derivative in forward mode begins: those before it are over. What other threads made is theirs. */
static void adjoin_MPI_forward_begins(void)
{
    adjoin_mpi_enter();
    for (long k = 0; k < adjoin_mpi.live; k++) {
        const struct adjoin_mpi_tracked *t = &adjoin_mpi.tracked[k];
        if (t->persistent != NULL && t->persistent->along && t->persistent->place == 0 && (t->owner == &adjoin_mpi_self || !adjoin_mpi_several_threads()))
            t->persistent->is_stale = 1;
    }
    adjoin_mpi_leave();
}

/* The number of the request is left in `number`, if somebody asks for it. */
static void adjoin_mpi_prepare(const char *call, int receives, int along, const void *buffer, void *shadow, int count, MPI_Datatype type, int peer,
                               int tag, MPI_Comm comm, MPI_Request request, void **number)
{
    struct adjoin_mpi_persistent *p = adjoin_mpi_allocate(sizeof *p);
    int numbers, addresses, types, combiner;
    p->call = call;
    p->receives = receives;
    p->along = along;
    p->buffer = buffer;
    p->shadow = shadow;
    p->others = adjoin_mpi_other_directions();
    p->other = adjoin_mpi_tangents(shadow);
    p->count = count;
    p->peer = peer;
    p->tag = tag;
    p->comm = comm;
    p->type = type;
    p->stays = adjoin_mpi_stays;
    adjoin_mpi_stays = 0;
    /* The program may free its datatype as soon as it is used. */
    MPI_Type_get_envelope(type, &numbers, &addresses, &types, &combiner);
    if (combiner != MPI_COMBINER_NAMED)
        MPI_Type_dup(type, &p->type);
    adjoin_mpi_enter();
    p->number = ++adjoin_mpi_prepared;
    if (number != NULL)
        *(long *)(*number = adjoin_mpi_allocate(sizeof p->number)) = p->number;
    adjoin_mpi_track(request)->persistent = p;
    adjoin_mpi_leave();
}

/* The derivative that made a request is over. */
static void adjoin_mpi_outlives(void *tape)
{
    if (tape == NULL)
        return;
    adjoin_mpi_enter();
    for (long k = 0; k < adjoin_mpi.live; k++) {
        struct adjoin_mpi_persistent *p = adjoin_mpi.tracked[k].persistent;
        if (p != NULL && p->number == *(long *)tape)
            p->is_stale = 1;
    }
    adjoin_mpi_leave();
    free(tape);
}

#define ADJOIN_MPI_SEND_INITS(MPI_X) \
    ADJOIN_SHARED int adjoin_##MPI_X##_augmented(const void *buffer, void *shadow, int count, MPI_Datatype type, int to, \
                                                 int tag, MPI_Comm comm, MPI_Request *request, void **tape) \
    { \
        int code = P##MPI_X(buffer, count, type, to, tag, comm, request); \
        adjoin_mpi_prepare(#MPI_X, 0, 0, buffer, shadow, count, type, to, tag, comm, *request, tape); \
        return code; \
    } \
    ADJOIN_SHARED void adjoin_##MPI_X##_reverse(void *tape) \
    { \
        adjoin_mpi_outlives(tape); \
    } \
    ADJOIN_SHARED int adjoin_##MPI_X##_tangent(const void *buffer, void *tangent, int count, MPI_Datatype type, int to, \
                                               int tag, MPI_Comm comm, MPI_Request *request) \
    { \
        int code = P##MPI_X(buffer, count, type, to, tag, comm, request); \
        adjoin_mpi_prepare(#MPI_X, 0, 1, buffer, tangent, count, type, to, tag, comm, *request, NULL); \
        return code; \
    }
ADJOIN_MPI_SEND_INITS(MPI_Send_init)
ADJOIN_MPI_SEND_INITS(MPI_Ssend_init)
ADJOIN_MPI_SEND_INITS(MPI_Bsend_init)
ADJOIN_MPI_SEND_INITS(MPI_Rsend_init)

static int adjoin_MPI_Recv_init_augmented(void *buffer, void *shadow, int count, MPI_Datatype type, int from, int tag,
                                          MPI_Comm comm, MPI_Request *request, void **tape)
{
    int code = PMPI_Recv_init(buffer, count, type, from, tag, comm, request);
    adjoin_mpi_prepare("MPI_Recv_init", 1, 0, buffer, shadow, count, type, from, tag, comm, *request, tape);
    return code;
}

static void adjoin_MPI_Recv_init_reverse(void *tape)
{
    adjoin_mpi_outlives(tape);
}

static int adjoin_MPI_Recv_init_tangent(void *buffer, void *tangent, int count, MPI_Datatype type, int from, int tag,
                                        MPI_Comm comm, MPI_Request *request)
{
    int code = PMPI_Recv_init(buffer, count, type, from, tag, comm, request);
    adjoin_mpi_prepare("MPI_Recv_init", 1, 1, buffer, tangent, count, type, from, tag, comm, *request, NULL);
    return code;
}

/* A request starts: a message of its own. */
static struct adjoin_mpi_message *adjoin_mpi_started(MPI_Request request, int along, int is_second)
{
    struct adjoin_mpi_tracked *t = adjoin_mpi_find(request);
    if (t == NULL || t->persistent == NULL || (t->persistent->place > 0 && !t->persistent->is_noted))
        adjoin_mpi_fail("MPI_Start", "the request was made outside of what is differentiated: its buffer has no shadow that is known");
    struct adjoin_mpi_persistent *p = t->persistent;
    if (p->along != along || p->is_second != is_second)
        adjoin_mpi_fail("MPI_Start", "the request was made by a derivative of the other mode");
    p->is_noted = 0;
    if (p->place == 0 && p->is_stale && p->shadow != NULL && !p->stays)
        adjoin_mpi_fail("MPI_Start", "the request was made by a derivative that is over: its buffer may have another shadow now");
    if (p->others > 0)
        adjoin_MPI_directions(1 + p->others);
    for (int d = 1; d <= p->others; d++)
        adjoin_MPI_direction(d, p->shadow, p->other[d - 1]);
    t->message = adjoin_mpi_message_new(p->call, p->receives, p->along, p->buffer, p->shadow, p->count, p->type, p->peer, p->tag, p->comm);
    if (p->others > 0)
        adjoin_MPI_directions(1);
    if (t->message != NULL && p->along)
        adjoin_mpi_message_start(t->message);
    return t->message;
}

static int adjoin_MPI_Start_augmented(MPI_Request *request, void **tape)
{
    adjoin_mpi_enter();
    *tape = adjoin_mpi_started(*request, 0, 0);
    int code = MPI_Start(request);
    adjoin_mpi_leave();
    return code;
}

static void adjoin_MPI_Start_reverse(void *tape)
{
    adjoin_mpi_message_finish(tape);
}

static int adjoin_MPI_Start_tangent(MPI_Request *request)
{
    adjoin_mpi_enter();
    adjoin_mpi_started(*request, 1, 0);
    int code = MPI_Start(request);
    adjoin_mpi_leave();
    return code;
}

static int adjoin_MPI_Startall_augmented(int count, MPI_Request *requests, void **tape)
{
    struct adjoin_mpi_completed *list = NULL;
    adjoin_mpi_enter();
    for (int k = 0; k < count; k++)
        adjoin_mpi_note(&list, adjoin_mpi_started(requests[k], 0, 0), NULL);
    *tape = list;
    int code = MPI_Startall(count, requests);
    adjoin_mpi_leave();
    return code;
}

static void adjoin_MPI_Startall_reverse(void *tape)
{
    struct adjoin_mpi_completed *list = tape;
    for (int k = list != NULL ? list->count - 1 : -1; k >= 0; k--)
        adjoin_mpi_message_finish(list->item[k].message);
    adjoin_mpi_completed_free(list);
}

static int adjoin_MPI_Startall_tangent(int count, MPI_Request *requests)
{
    adjoin_mpi_enter();
    for (int k = 0; k < count; k++)
        adjoin_mpi_started(requests[k], 1, 0);
    int code = MPI_Startall(count, requests);
    adjoin_mpi_leave();
    return code;
}

/* What was started and never completed is a send that nobody waits for: its reverse is complete. */
static int adjoin_MPI_Request_free_augmented(MPI_Request *request, void **tape)
{
    adjoin_mpi_enter();
    struct adjoin_mpi_tracked *t = adjoin_mpi_find(*request);
    *tape = NULL;
    if (t != NULL) {
        if (t->message != NULL)
            t->message->is_tracked = 0;
        if (t->message != NULL && t->message->along)
            adjoin_mpi_message_finish(t->message);
        else if (t->message != NULL && !t->message->receives && !t->message->buffered && adjoin_mpi_travels(t->message)) {
            t->message->buffered = 1;
            adjoin_mpi_buffer(t->message);
        }
        if (t->persistent != NULL) {
            int numbers, addresses, types, combiner;
            MPI_Type_get_envelope(t->persistent->type, &numbers, &addresses, &types, &combiner);
            if (combiner != MPI_COMBINER_NAMED)
                MPI_Type_free(&t->persistent->type);
        }
        adjoin_mpi_forget(t);
    }
    int code = MPI_Request_free(request);
    adjoin_mpi_leave();
    return code;
}

static void adjoin_MPI_Request_free_reverse(void *tape)
{
    (void)tape;
}

static int adjoin_MPI_Request_free_tangent(MPI_Request *request)
{
    void *tape;
    return adjoin_MPI_Request_free_augmented(request, &tape);
}

/* Freed where nothing is differentiated: its handle may be another request's soon. */
ADJOIN_WEAK int MPI_Request_free(MPI_Request *request)
{
    adjoin_mpi_enter();
    for (long k = adjoin_mpi.live - 1; k >= 0; k--)
        if (adjoin_mpi.tracked[k].request == *request && adjoin_mpi.tracked[k].persistent != NULL) {
            adjoin_mpi_forget(&adjoin_mpi.tracked[k]);
            break;
        }
    int code = PMPI_Request_free(request);
    adjoin_mpi_leave();
    return code;
}
