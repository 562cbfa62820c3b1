/* Requests, in both modes: what a request stands for is found again when it is completed.
 *
 * The reverse of a completion starts the reverse messages of what it completed, the reverse of the call that made the request ends them. In forward
 * mode tangents are there when the request is complete. */

/* The arguments of a persistent request; each start makes a message of them. */
struct adjoin_mpi_persistent {
    long number;  /* it is the so-many-th */
    int is_stale; /* the derivative that made it is over */
    long place;   /* of its buffer in the table, if it was made where nothing is differentiated: each start then needs a shadow that was noted */
    int is_noted;
    int stays;    /* its shadow is a variable of the derivative, with static storage: it is the next one's, too */
    const char *call;
    int receives, along, count, peer, tag;
    const void *buffer;
    void *shadow;
    int others; /* other directions than the first, and their tangents */
    char **other;
    int is_second; /* the shadow is a tangent, and there are an adjoint and the tangent of that, too */
    void *bars[2];
    MPI_Datatype type;
    MPI_Comm comm;
};

struct adjoin_mpi_tracked {
    MPI_Request request;
    char *owner; /* the thread that made it */
    struct adjoin_mpi_message *message;
    struct adjoin_mpi_collective *collective;
    struct adjoin_mpi_persistent *persistent;
};

/* Whose calls are meant by a request: those of this thread if it has any, else those of the only other thread that has. NULL: nobody can tell. Calls that are complete at once may have
 * the same handle in all threads. */
static char *adjoin_mpi_owner(MPI_Request request)
{
    char *owner = NULL;
    int several = 0;
    for (long k = adjoin_mpi.live - 1; k >= 0; k--) {
        const struct adjoin_mpi_tracked *t = &adjoin_mpi.tracked[k];
        if (t->request != request)
            continue;
        if (t->owner == &adjoin_mpi_self)
            return t->owner;
        several |= owner != NULL && owner != t->owner;
        owner = t->owner;
    }
    return several ? NULL : owner;
}

static struct adjoin_mpi_tracked *adjoin_mpi_find(MPI_Request request)
{
    const char *owner = adjoin_mpi_owner(request);
    for (long k = adjoin_mpi.live - 1; owner != NULL && k >= 0; k--)
        if (adjoin_mpi.tracked[k].request == request && adjoin_mpi.tracked[k].owner == owner)
            return &adjoin_mpi.tracked[k];
    return NULL;
}

/* A place for a new request. Handles need not be unique: all calls that are complete at once may have the same; and a handle that was completed elsewhere may be used
 * again, so that the newest is meant. */
static struct adjoin_mpi_tracked *adjoin_mpi_track(MPI_Request request)
{
    if (adjoin_mpi.live == adjoin_mpi.room) {
        long room = adjoin_mpi.room > 0 ? 2 * adjoin_mpi.room : 16;
        struct adjoin_mpi_tracked *all = adjoin_mpi_allocate((size_t)room * sizeof *all);
        for (long k = 0; k < adjoin_mpi.live; k++)
            all[k] = adjoin_mpi.tracked[k];
        free(adjoin_mpi.tracked);
        adjoin_mpi.tracked = all;
        adjoin_mpi.room = room;
    }
    struct adjoin_mpi_tracked *t = &adjoin_mpi.tracked[adjoin_mpi.live++];
    t->request = request;
    t->owner = &adjoin_mpi_self;
    t->message = NULL;
    t->collective = NULL;
    t->persistent = NULL;
    return t;
}

static void adjoin_mpi_forget(struct adjoin_mpi_tracked *t)
{
    if (t->persistent != NULL)
        free(t->persistent->other);
    free(t->persistent);
    adjoin_mpi.live--;
    for (; t < adjoin_mpi.tracked + adjoin_mpi.live; t++)
        t[0] = t[1];
    if (adjoin_mpi.live == 0) {
        free(adjoin_mpi.tracked);
        adjoin_mpi.tracked = NULL;
        adjoin_mpi.room = 0;
    }
}

static void adjoin_mpi_request_message(MPI_Request request, struct adjoin_mpi_message *m)
{
    if (m == NULL)
        return;
    m->is_tracked = 1;
    adjoin_mpi_track(request)->message = m;
}

/* A message is done with whose request was completed elsewhere. */
static void adjoin_mpi_untrack(struct adjoin_mpi_message *m)
{
    adjoin_mpi_enter();
    for (long k = adjoin_mpi.live - 1; k >= 0; k--)
        if (adjoin_mpi.tracked[k].message == m) {
            adjoin_mpi_forget(&adjoin_mpi.tracked[k]);
            break;
        }
    adjoin_mpi_leave();
}

static void adjoin_mpi_request_collective(MPI_Request request, void *tape)
{
    if (tape == NULL)
        return;
    adjoin_mpi_enter();
    adjoin_mpi_track(request)->collective = tape;
    adjoin_mpi_leave();
}

/* Asks the request of a receive whose message it is. Can that be known, now or later? */
static int adjoin_mpi_look_at(struct adjoin_mpi_message *m)
{
    for (long k = adjoin_mpi.live - 1; k >= 0; k--)
        for (const struct adjoin_mpi_message *of = adjoin_mpi.tracked[k].message; of != NULL; of = of->beside)
            if (of == m) {
                MPI_Status status;
                int flag = 0;
                MPI_Request_get_status(adjoin_mpi.tracked[k].request, &flag, &status);
                if (flag) {
                    m->peer = status.MPI_SOURCE;
                    m->tag = status.MPI_TAG;
                    m->is_known = 1;
                }
                return 1;
            }
    return adjoin_mpi_several_threads(); /* another thread waits for it */
}

/* What a call completed, or started: the tape of the call. */
struct adjoin_mpi_item {
    struct adjoin_mpi_message *message;
    struct adjoin_mpi_collective *collective;
};

struct adjoin_mpi_completed {
    int count, room;
    struct adjoin_mpi_item *item;
};

static void adjoin_mpi_note(struct adjoin_mpi_completed **list, struct adjoin_mpi_message *m, struct adjoin_mpi_collective *c)
{
    if (m == NULL && c == NULL)
        return;
    if (*list == NULL)
        *list = adjoin_mpi_allocate(sizeof **list);
    struct adjoin_mpi_completed *l = *list;
    if (l->count == l->room) {
        int room = l->room > 0 ? 2 * l->room : 2;
        struct adjoin_mpi_item *item = adjoin_mpi_allocate((size_t)room * sizeof *item);
        for (int k = 0; k < l->count; k++)
            item[k] = l->item[k];
        free(l->item);
        l->item = item;
        l->room = room;
    }
    l->item[l->count].message = m;
    l->item[l->count++].collective = c;
}

static void adjoin_mpi_completed_free(struct adjoin_mpi_completed *list)
{
    if (list != NULL)
        free(list->item);
    free(list);
}

/* Notes what stood for a request that is complete. */
static void adjoin_mpi_complete_one(struct adjoin_mpi_tracked *t, struct adjoin_mpi_completed **found)
{
    struct adjoin_mpi_message *m = t->message;
    struct adjoin_mpi_collective *c = t->collective;
    t->message = NULL;
    t->collective = NULL;
    if (m != NULL)
        m->is_tracked = 0;
    if (t->persistent == NULL)
        adjoin_mpi_forget(t);
    for (; m != NULL; m = m->beside)
        adjoin_mpi_note(found, m, NULL);
    for (; c != NULL; c = c->beside)
        adjoin_mpi_note(found, NULL, c);
}

/* Finds what a request stands for that is complete, and all that has the same handle. (A receive with that handle was completed elsewhere, nobody knows from whom.) */
static struct adjoin_mpi_completed *adjoin_mpi_take(MPI_Request request)
{
    struct adjoin_mpi_completed *found = NULL;
    struct adjoin_mpi_tracked *t = request == MPI_REQUEST_NULL ? NULL : adjoin_mpi_find(request);
    if (t == NULL)
        return NULL;
    const char *owner = t->owner;
    adjoin_mpi_complete_one(t, &found);
    for (long k = adjoin_mpi.live - 1; k >= 0; k--) {
        t = &adjoin_mpi.tracked[k];
        if (t->request == request && t->owner == owner && t->persistent == NULL && (t->message == NULL || !t->message->receives))
            adjoin_mpi_complete_one(t, &found);
        if (k > adjoin_mpi.live)
            k = adjoin_mpi.live;
    }
    return found;
}

/* What has been taken is complete. Tangents are finished at once: the lock is not held, since that may mean to wait. */
static void adjoin_mpi_complete(struct adjoin_mpi_completed *found, const MPI_Status *status, struct adjoin_mpi_completed **list)
{
    for (int k = 0; found != NULL && k < found->count; k++) {
        struct adjoin_mpi_message *m = found->item[k].message;
        struct adjoin_mpi_collective *c = found->item[k].collective;
        if (m != NULL)
            adjoin_mpi_message_completed(m, status);
        if (m != NULL && m->along)
            adjoin_mpi_message_finish(m);
        else if (c != NULL && c->forward)
            adjoin_mpi_collective_finish(c);
        else
            adjoin_mpi_note(list, m, c);
    }
    adjoin_mpi_completed_free(found);
}

/* The reverse of a completion: the last that was completed first. */
static void adjoin_mpi_completed_reverse(void *tape)
{
    struct adjoin_mpi_completed *list = tape;
    if (list == NULL)
        return;
    for (int k = list->count - 1; k >= 0; k--) {
        if (list->item[k].message != NULL)
            adjoin_mpi_message_start(list->item[k].message);
        if (list->item[k].collective != NULL)
            adjoin_mpi_collective_ready(list->item[k].collective);
    }
    adjoin_mpi_completed_free(list);
}

#define ADJOIN_MPI_ISENDS(MPI_X) \
    ADJOIN_SHARED int adjoin_##MPI_X##_augmented(const void *buffer, void *shadow, int count, MPI_Datatype type, int to, \
                                                 int tag, MPI_Comm comm, MPI_Request *request, void **tape) \
    { \
        adjoin_mpi_enter(); \
        struct adjoin_mpi_message *m = adjoin_mpi_message_new(#MPI_X, 0, 0, buffer, shadow, count, type, to, tag, comm); \
        int code = adjoin_mpi_checked(#MPI_X, MPI_X(buffer, count, type, to, tag, comm, request)); \
        adjoin_mpi_request_message(*request, m); \
        adjoin_mpi_leave(); \
        *tape = m; \
        return code; \
    } \
    ADJOIN_SHARED void adjoin_##MPI_X##_reverse(void *tape) \
    { \
        adjoin_mpi_message_finish(tape); \
    } \
    ADJOIN_SHARED int adjoin_##MPI_X##_tangent(const void *buffer, void *tangent, int count, MPI_Datatype type, int to, \
                                               int tag, MPI_Comm comm, MPI_Request *request) \
    { \
        adjoin_mpi_enter(); \
        struct adjoin_mpi_message *m = adjoin_mpi_message_new(#MPI_X, 0, 1, buffer, tangent, count, type, to, tag, comm); \
        int code = adjoin_mpi_checked(#MPI_X, MPI_X(buffer, count, type, to, tag, comm, request)); \
        if (m != NULL) \
            adjoin_mpi_message_start(m); \
        adjoin_mpi_request_message(*request, m); \
        adjoin_mpi_leave(); \
        return code; \
    }
ADJOIN_MPI_ISENDS(MPI_Isend)
ADJOIN_MPI_ISENDS(MPI_Issend)
ADJOIN_MPI_ISENDS(MPI_Ibsend)
ADJOIN_MPI_ISENDS(MPI_Irsend)

static int adjoin_MPI_Irecv_augmented(void *buffer, void *shadow, int count, MPI_Datatype type, int from, int tag,
                                      MPI_Comm comm, MPI_Request *request, void **tape)
{
    adjoin_mpi_enter();
    struct adjoin_mpi_message *m = adjoin_mpi_message_new("MPI_Irecv", 1, 0, buffer, shadow, count, type, from, tag, comm);
    int code = adjoin_mpi_checked("MPI_Irecv", MPI_Irecv(buffer, count, type, from, tag, comm, request));
    adjoin_mpi_request_message(*request, m);
    adjoin_mpi_leave();
    *tape = m;
    return code;
}

static void adjoin_MPI_Irecv_reverse(void *tape)
{
    adjoin_mpi_message_finish(tape);
}

static int adjoin_MPI_Irecv_tangent(void *buffer, void *tangent, int count, MPI_Datatype type, int from, int tag,
                                    MPI_Comm comm, MPI_Request *request)
{
    adjoin_mpi_enter();
    struct adjoin_mpi_message *m = adjoin_mpi_message_new("MPI_Irecv", 1, 1, buffer, tangent, count, type, from, tag, comm);
    int code = adjoin_mpi_checked("MPI_Irecv", MPI_Irecv(buffer, count, type, from, tag, comm, request));
    if (m != NULL)
        adjoin_mpi_message_start(m);
    adjoin_mpi_request_message(*request, m);
    adjoin_mpi_leave();
    return code;
}
