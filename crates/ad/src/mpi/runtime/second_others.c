/* Second derivatives of what is rarer: neighbourhoods, MPI_Alltoallw, MPI_Reduce_local, packing, persistent requests, and completions of some requests. */

/* A collective whose parts are `PARTS(call, shadow of what is sent, shadow of what is received)`. */
#define ADJOIN_SECOND_COLLECTIVE(MPI_X, PARTS, ARGUMENTS, ...) \
    ADJOIN_SHARED int adjoin_second_##MPI_X##_augmented(__VA_ARGS__, void **tape, void **tape_dot) \
    { \
        struct adjoin_mpi_collective *tangents = PARTS(#MPI_X, s_dot, r_dot), *adjoints = PARTS(#MPI_X, s_bar, r_bar); \
        struct adjoin_mpi_collective *both = PARTS(#MPI_X, s_bar_dot, r_bar_dot); \
        int code = MPI_X ARGUMENTS; \
        adjoin_mpi_collective_tangents(tangents); \
        *tape = adjoin_mpi_second_called(adjoints); \
        *tape_dot = adjoin_mpi_second_called(both); \
        return code; \
    } \
    ADJOIN_SECOND_REVERSE(MPI_X)
#define ADJOIN_SECOND_ICOLLECTIVE(MPI_X, PARTS, ARGUMENTS, ...) \
    ADJOIN_SHARED int adjoin_second_##MPI_X##_augmented(__VA_ARGS__, MPI_Request *request, void **tape, void **tape_dot) \
    { \
        struct adjoin_mpi_collective *tangents = PARTS(#MPI_X, s_dot, r_dot), *adjoints = PARTS(#MPI_X, s_bar, r_bar); \
        struct adjoin_mpi_collective *both = PARTS(#MPI_X, s_bar_dot, r_bar_dot); \
        int code = MPI_X ARGUMENTS; \
        adjoints->nonblocking = both->nonblocking = 1; \
        tangents = adjoin_mpi_collective_tangents_start(tangents); \
        *tape = adjoin_mpi_second_called(adjoints); \
        *tape_dot = adjoin_mpi_second_called(both); \
        adjoin_mpi_second_request(*request, tangents, *tape, *tape_dot); \
        return code; \
    } \
    ADJOIN_SECOND_REVERSE(MPI_X)

/* What is sent and received, each with its tangent, its adjoint and the tangent of that. */
#define ADJOIN_SENT const void *s, void *s_dot, void *s_bar, void *s_bar_dot
#define ADJOIN_RECEIVED void *r, void *r_dot, void *r_bar, void *r_bar_dot
#define ADJOIN_GATHERED(CALL, S, R) adjoin_mpi_parts_neighbours(CALL, 1, s, S, n, NULL, NULL, t, r, R, m, NULL, NULL, u, comm)
#define ADJOIN_GATHERED_V(CALL, S, R) adjoin_mpi_parts_neighbours(CALL, 1, s, S, n, NULL, NULL, t, r, R, 0, m, at, u, comm)
#define ADJOIN_EXCHANGED(CALL, S, R) adjoin_mpi_parts_neighbours(CALL, 0, s, S, n, NULL, NULL, t, r, R, m, NULL, NULL, u, comm)
#define ADJOIN_EXCHANGED_V(CALL, S, R) adjoin_mpi_parts_neighbours(CALL, 0, s, S, 0, n, from, t, r, R, 0, m, at, u, comm)
#define ADJOIN_EXCHANGED_W(CALL, S, R) adjoin_mpi_parts_alltoallw(CALL, s, S, n, from, t, r, R, m, at, u, comm)
#define ADJOIN_EXCHANGED_EACH(CALL, S, R) adjoin_mpi_parts_neighbours_each(CALL, s, S, n, from, t, r, R, m, at, u, comm)
ADJOIN_SECOND_COLLECTIVE(MPI_Neighbor_allgather, ADJOIN_GATHERED, (s, n, t, r, m, u, comm), ADJOIN_SENT, int n, MPI_Datatype t,
                         ADJOIN_RECEIVED, int m, MPI_Datatype u, MPI_Comm comm)
ADJOIN_SECOND_COLLECTIVE(MPI_Neighbor_allgatherv, ADJOIN_GATHERED_V, (s, n, t, r, m, at, u, comm), ADJOIN_SENT, int n, MPI_Datatype t,
                         ADJOIN_RECEIVED, const int *m, const int *at, MPI_Datatype u, MPI_Comm comm)
ADJOIN_SECOND_COLLECTIVE(MPI_Neighbor_alltoall, ADJOIN_EXCHANGED, (s, n, t, r, m, u, comm), ADJOIN_SENT, int n, MPI_Datatype t,
                         ADJOIN_RECEIVED, int m, MPI_Datatype u, MPI_Comm comm)
ADJOIN_SECOND_COLLECTIVE(MPI_Neighbor_alltoallv, ADJOIN_EXCHANGED_V, (s, n, from, t, r, m, at, u, comm), ADJOIN_SENT, const int *n,
                         const int *from, MPI_Datatype t, ADJOIN_RECEIVED, const int *m, const int *at, MPI_Datatype u, MPI_Comm comm)
ADJOIN_SECOND_COLLECTIVE(MPI_Alltoallw, ADJOIN_EXCHANGED_W, (s, n, from, t, r, m, at, u, comm), ADJOIN_SENT, const int *n,
                         const int *from, const MPI_Datatype *t, ADJOIN_RECEIVED, const int *m, const int *at, const MPI_Datatype *u,
                         MPI_Comm comm)
ADJOIN_SECOND_COLLECTIVE(MPI_Neighbor_alltoallw, ADJOIN_EXCHANGED_EACH, (s, n, from, t, r, m, at, u, comm), ADJOIN_SENT, const int *n,
                         const MPI_Aint *from, const MPI_Datatype *t, ADJOIN_RECEIVED, const int *m, const MPI_Aint *at,
                         const MPI_Datatype *u, MPI_Comm comm)
ADJOIN_SECOND_ICOLLECTIVE(MPI_Ineighbor_allgather, ADJOIN_GATHERED, (s, n, t, r, m, u, comm, request), ADJOIN_SENT, int n,
                          MPI_Datatype t, ADJOIN_RECEIVED, int m, MPI_Datatype u, MPI_Comm comm)
ADJOIN_SECOND_ICOLLECTIVE(MPI_Ineighbor_allgatherv, ADJOIN_GATHERED_V, (s, n, t, r, m, at, u, comm, request), ADJOIN_SENT, int n,
                          MPI_Datatype t, ADJOIN_RECEIVED, const int *m, const int *at, MPI_Datatype u, MPI_Comm comm)
ADJOIN_SECOND_ICOLLECTIVE(MPI_Ineighbor_alltoall, ADJOIN_EXCHANGED, (s, n, t, r, m, u, comm, request), ADJOIN_SENT, int n,
                          MPI_Datatype t, ADJOIN_RECEIVED, int m, MPI_Datatype u, MPI_Comm comm)
ADJOIN_SECOND_ICOLLECTIVE(MPI_Ineighbor_alltoallv, ADJOIN_EXCHANGED_V, (s, n, from, t, r, m, at, u, comm, request), ADJOIN_SENT,
                          const int *n, const int *from, MPI_Datatype t, ADJOIN_RECEIVED, const int *m, const int *at, MPI_Datatype u,
                          MPI_Comm comm)
ADJOIN_SECOND_ICOLLECTIVE(MPI_Ialltoallw, ADJOIN_EXCHANGED_W, (s, n, from, t, r, m, at, u, comm, request), ADJOIN_SENT, const int *n,
                          const int *from, const MPI_Datatype *t, ADJOIN_RECEIVED, const int *m, const int *at, const MPI_Datatype *u,
                          MPI_Comm comm)

static int adjoin_second_MPI_Get_address_augmented(const void *location, void *dot, void *bar, void *bar_dot, MPI_Aint *address,
                                                   void **tape, void **tape_dot)
{
    adjoin_mpi_locate(location, dot, bar, bar_dot);
    *tape = *tape_dot = NULL;
    return MPI_Get_address(location, address);
}
ADJOIN_SECOND_REVERSE(MPI_Get_address)

static int adjoin_second_MPI_Reduce_local_augmented(const void *in, void *in_dot, void *in_bar, void *in_bar_dot, void *inout,
                                                    void *dot, void *bar, void *bar_dot, int count, MPI_Datatype type, MPI_Op op,
                                                    void **tape, void **tape_dot)
{
    struct adjoin_mpi_local *l = adjoin_mpi_local_new(in, in_bar_dot, inout, bar_dot, count, type, op);
    *tape = adjoin_mpi_local_new(in, in_bar, inout, bar, count, type, op);
    *tape_dot = l;
    if (l != NULL && l->reduction == ADJOIN_MPI_PROD) {
        /* What one is multiplied with is the other. */
        size_t bytes = (size_t)(l->count * l->layout.numbers) * adjoin_mpi_number_size(l->layout.number);
        l->dots = adjoin_mpi_allocate(2 * bytes);
        adjoin_mpi_move(ADJOIN_MPI_READ, &l->layout, count, dot, l->dots);
        adjoin_mpi_move(ADJOIN_MPI_READ, &l->layout, count, in_dot, l->dots + bytes);
        l->adjoints = bar;
    }
    return adjoin_MPI_Reduce_local_tangent(in, in_dot, inout, dot, count, type, op);
}
ADJOIN_SECOND_REVERSE(MPI_Reduce_local)

static int adjoin_second_MPI_Pack_augmented(const void *in, void *in_dot, void *in_bar, void *in_bar_dot, int count, MPI_Datatype type,
                                            void *out, void *out_dot, void *out_bar, void *out_bar_dot, int size, int *position,
                                            MPI_Comm comm, void **tape, void **tape_dot)
{
    int from = *position, code = adjoin_MPI_Pack_tangent(in, in_dot, count, type, out, out_dot, size, position, comm);
    void *bars[2] = {in_bar, in_bar_dot}, *outs[2] = {out_bar, out_bar_dot}, **tapes[2] = {tape, tape_dot};
    for (int k = 0; k < 2; k++) {
        struct adjoin_mpi_packing *p = adjoin_mpi_packing_new("MPI_Pack", bars[k], outs[k], from, count, type);
        adjoin_mpi_segments_note(p->packed, p->bytes, p->layout.number, p->count * p->layout.numbers);
        *tapes[k] = p;
    }
    return code;
}
ADJOIN_SECOND_REVERSE(MPI_Pack)

static int adjoin_second_MPI_Unpack_augmented(const void *in, void *in_dot, void *in_bar, void *in_bar_dot, int size, int *position,
                                              void *out, void *out_dot, void *out_bar, void *out_bar_dot, int count, MPI_Datatype type,
                                              MPI_Comm comm, void **tape, void **tape_dot)
{
    int from = *position, code = adjoin_MPI_Unpack_tangent(in, in_dot, size, position, out, out_dot, count, type, comm);
    *tape = adjoin_mpi_packing_new("MPI_Unpack", out_bar, in_bar, from, count, type);
    *tape_dot = adjoin_mpi_packing_new("MPI_Unpack", out_bar_dot, in_bar_dot, from, count, type);
    return code;
}
ADJOIN_SECOND_REVERSE(MPI_Unpack)

ADJOIN_SECOND_COMPLETION(MPI_Waitsome, (int count, MPI_Request *requests, int *done, int *indices, MPI_Status *statuses, void **tape,
                                        void **tape_dot),
                         (count, requests, done, indices, statuses, tape))
ADJOIN_SECOND_COMPLETION(MPI_Testany, (int count, MPI_Request *requests, int *index, int *flag, MPI_Status *status, void **tape,
                                       void **tape_dot),
                         (count, requests, index, flag, status, tape))
ADJOIN_SECOND_COMPLETION(MPI_Testsome, (int count, MPI_Request *requests, int *done, int *indices, MPI_Status *statuses, void **tape,
                                        void **tape_dot),
                         (count, requests, done, indices, statuses, tape))

/* Persistent requests: a start makes three messages. */
static void adjoin_mpi_second_prepared(MPI_Request request, void *bar, void *bar_dot)
{
    struct adjoin_mpi_persistent *p = adjoin_mpi_find(request)->persistent;
    p->is_second = 1;
    p->bars[0] = bar;
    p->bars[1] = bar_dot;
}

#define ADJOIN_SECOND_SEND_INIT(MPI_X) \
    ADJOIN_SHARED int adjoin_second_##MPI_X##_augmented(const void *buffer, void *dot, void *bar, void *bar_dot, int count, \
                                                        MPI_Datatype type, int to, int tag, MPI_Comm comm, \
                                                        MPI_Request *request, void **tape, void **tape_dot) \
    { \
        int code = adjoin_mpi_checked(#MPI_X, MPI_X(buffer, count, type, to, tag, comm, request)); \
        adjoin_mpi_prepare(#MPI_X, 0, 1, buffer, dot, count, type, to, tag, comm, *request, tape); \
        adjoin_mpi_second_prepared(*request, bar, bar_dot); \
        *tape_dot = NULL; \
        return code; \
    } \
    ADJOIN_SECOND_REVERSE_ONCE(MPI_X)
ADJOIN_SECOND_SEND_INIT(MPI_Send_init)
ADJOIN_SECOND_SEND_INIT(MPI_Ssend_init)
ADJOIN_SECOND_SEND_INIT(MPI_Bsend_init)
ADJOIN_SECOND_SEND_INIT(MPI_Rsend_init)

static int adjoin_second_MPI_Recv_init_augmented(void *buffer, void *dot, void *bar, void *bar_dot, int count, MPI_Datatype type,
                                                 int from, int tag, MPI_Comm comm, MPI_Request *request, void **tape, void **tape_dot)
{
    int code = PMPI_Recv_init(buffer, count, type, from, tag, comm, request);
    adjoin_mpi_prepare("MPI_Recv_init", 1, 1, buffer, dot, count, type, from, tag, comm, *request, tape);
    adjoin_mpi_second_prepared(*request, bar, bar_dot);
    *tape_dot = NULL;
    return code;
}
ADJOIN_SECOND_REVERSE_ONCE(MPI_Recv_init)

/* A request that was made before: of a variable, whose shadows are known. */
static int adjoin_second_MPI_Adjoin_buffer_augmented(void *buffer, void *dot, void *bar, void *bar_dot, MPI_Request *request,
                                                     void **tape, void **tape_dot)
{
    *tape = *tape_dot = NULL;
    if (adjoin_MPI_place(request) == 0)
        return MPI_SUCCESS;
    if (bar != NULL && adjoin_mpi_shadow_before(buffer, bar) != (char *)bar)
        adjoin_mpi_fail("MPI_Start", "the second derivative of a request that was made before the derivative was called, of an argument");
    adjoin_mpi_note_buffer(buffer, NULL, 1, *request);
    adjoin_mpi_second_prepared(*request, bar, bar_dot);
    adjoin_mpi_find(*request)->persistent->shadow = dot;
    return MPI_SUCCESS;
}
ADJOIN_SECOND_REVERSE(MPI_Adjoin_buffer)

/* The messages of adjoints and of their tangents are left in `back`. */
static void adjoin_mpi_second_started(MPI_Request request, struct adjoin_mpi_message **back)
{
    struct adjoin_mpi_message *first = adjoin_mpi_started(request, 1, 1), *tangents = first;
    struct adjoin_mpi_tracked *t = adjoin_mpi_find(request);
    struct adjoin_mpi_persistent *p = t->persistent;
    for (int k = 0; k < 2; k++)
        back[k] = adjoin_mpi_message_new(p->call, p->receives, 0, p->buffer, p->bars[k], p->count, p->type, p->peer, p->tag, p->comm);
    first = NULL;
    for (int k = 2; k >= 0; k--) {
        struct adjoin_mpi_message *m = k > 0 ? back[k - 1] : tangents;
        if (m != NULL) {
            m->beside = first;
            first = m;
        }
    }
    t->message = first;
}

static int adjoin_second_MPI_Start_augmented(MPI_Request *request, void **tape, void **tape_dot)
{
    struct adjoin_mpi_message *back[2];
    adjoin_mpi_second_started(*request, back);
    *tape = back[0];
    *tape_dot = back[1];
    return MPI_Start(request);
}
ADJOIN_SECOND_REVERSE(MPI_Start)

static int adjoin_second_MPI_Startall_augmented(int count, MPI_Request *requests, void **tape, void **tape_dot)
{
    struct adjoin_mpi_completed *lists[2] = {NULL, NULL};
    for (int k = 0; k < count; k++) {
        struct adjoin_mpi_message *back[2];
        adjoin_mpi_second_started(requests[k], back);
        adjoin_mpi_note(&lists[0], back[0], NULL);
        adjoin_mpi_note(&lists[1], back[1], NULL);
    }
    *tape = lists[0];
    *tape_dot = lists[1];
    return MPI_Startall(count, requests);
}
ADJOIN_SECOND_REVERSE(MPI_Startall)

static int adjoin_second_MPI_Request_free_augmented(MPI_Request *request, void **tape, void **tape_dot)
{
    const struct adjoin_mpi_tracked *t = adjoin_mpi_find(*request);
    if (t != NULL && t->message != NULL)
        adjoin_mpi_fail("MPI_Request_free", "the second derivative of a message that is still on its way");
    *tape_dot = NULL;
    return adjoin_MPI_Request_free_augmented(request, tape);
}
ADJOIN_SECOND_REVERSE_ONCE(MPI_Request_free)
