/* Tangents of what the reverse sweep does: second derivatives, forward over reverse.
 *
 * adjoin_second_MPI_X_augmented does the call on numbers and tangents, and keeps two tapes: one for the adjoints, one for their tangents, which go the same way.
 * (All but products are linear in what they exchange, or select: see `adjoin_mpi_second_product`.) So each buffer comes with its tangent, its adjoint and the tangent of that. */

static void *adjoin_mpi_second_called(struct adjoin_mpi_collective *c)
{
    if (c->inputs != NULL && c->inputs->own != NULL)
        adjoin_mpi_fail(c->call, "the second derivative of a reduction with an operation of the program's own");
    return adjoin_mpi_collective_called(c);
}

/* A product is not linear: what the tangents of adjoints get depends on the tangents of what all ranks gave, which are collected before the call. */
static void adjoin_mpi_second_product(struct adjoin_mpi_collective *adjoints, const struct adjoin_mpi_collective *both, int nonblocking,
                                      void *in_dot, MPI_Comm comm)
{
    struct adjoin_mpi_inputs *inputs = adjoints->inputs;
    struct adjoin_mpi_part *in = &adjoints->in;
    if (inputs == NULL || inputs->reduction != ADJOIN_MPI_PROD)
        return;
    size_t size = adjoin_mpi_number_size(inputs->number);
    MPI_Datatype number = adjoin_mpi_number_type(inputs->number);
    int count = (int)inputs->count;
    inputs->dots = adjoin_mpi_allocate((size_t)adjoints->size * (size_t)count * size);
    char *own = inputs->dots + (size_t)adjoints->rank * (size_t)count * size;
    for (int k = 0; in_dot != NULL && k < in->blocks; k++)
        adjoin_mpi_move(ADJOIN_MPI_READ, adjoin_mpi_part_layout(in, k), in->counts[k], (char *)in_dot + in->places[k],
                        own + (size_t)in->starts[k] * size);
    if (nonblocking)
        MPI_Iallgather(MPI_IN_PLACE, 0, number, inputs->dots, count, number, comm, &inputs->requests[1]);
    else
        MPI_Allgather(MPI_IN_PLACE, 0, number, inputs->dots, count, number, comm);
    adjoints->product_bar = both->in.bar;
}

/* Of a non-blocking collective: whoever completes the request finishes tangents, and notes both reverses. */
static void adjoin_mpi_second_request(MPI_Request request, struct adjoin_mpi_collective *tangents,
                                      struct adjoin_mpi_collective *adjoints, struct adjoin_mpi_collective *both)
{
    if (tangents == NULL)
        return;
    tangents->beside = adjoints;
    adjoints->beside = both;
    adjoin_mpi_request_collective(request, tangents);
}

#define ADJOIN_SECOND_REVERSE(MPI_X) \
    ADJOIN_SHARED void adjoin_second_##MPI_X##_reverse(void *tape, void *tape_dot) \
    { \
        adjoin_##MPI_X##_reverse(tape_dot); \
        adjoin_##MPI_X##_reverse(tape); \
    }

/* One tape has all; what looks like the tangent of it says nothing: memory outside may lend it one. */
#define ADJOIN_SECOND_REVERSE_ONCE(MPI_X) \
    ADJOIN_SHARED void adjoin_second_##MPI_X##_reverse(void *tape, void *tape_dot) \
    { \
        (void)tape_dot; \
        adjoin_##MPI_X##_reverse(tape); \
    }

#define ADJOIN_SECOND_SEND(MPI_X) \
    ADJOIN_SHARED int adjoin_second_##MPI_X##_augmented(const void *buffer, void *dot, void *bar, void *bar_dot, int count, \
                                                        MPI_Datatype type, int to, int tag, MPI_Comm comm, void **tape, \
                                                        void **tape_dot) \
    { \
        int code = adjoin_##MPI_X##_tangent(buffer, dot, count, type, to, tag, comm); \
        *tape = adjoin_mpi_message_new(#MPI_X, 0, 0, buffer, bar, count, type, to, tag, comm); \
        *tape_dot = adjoin_mpi_message_new(#MPI_X, 0, 0, buffer, bar_dot, count, type, to, tag, comm); \
        return code; \
    } \
    ADJOIN_SECOND_REVERSE(MPI_X)
ADJOIN_SECOND_SEND(MPI_Send)
ADJOIN_SECOND_SEND(MPI_Ssend)
ADJOIN_SECOND_SEND(MPI_Bsend)
ADJOIN_SECOND_SEND(MPI_Rsend)

/* A message that was received: its adjoint goes back. */
static struct adjoin_mpi_message *adjoin_mpi_second_received(const char *call, const void *buffer, void *bar, int count,
                                                             MPI_Datatype type, int from, int tag, MPI_Comm comm, const MPI_Status *status)
{
    struct adjoin_mpi_message *m = adjoin_mpi_message_new(call, 1, 0, buffer, bar, count, type, from, tag, comm);
    if (m != NULL)
        adjoin_mpi_message_completed(m, status);
    return m;
}

static int adjoin_second_MPI_Recv_augmented(void *buffer, void *dot, void *bar, void *bar_dot, int count, MPI_Datatype type,
                                            int from, int tag, MPI_Comm comm, MPI_Status *status, void **tape,
                                            void **tape_dot)
{
    MPI_Status own, *s = status == MPI_STATUS_IGNORE ? &own : status;
    int code = adjoin_MPI_Recv_tangent(buffer, dot, count, type, from, tag, comm, s);
    *tape = adjoin_mpi_second_received("MPI_Recv", buffer, bar, count, type, from, tag, comm, s);
    *tape_dot = adjoin_mpi_second_received("MPI_Recv", buffer, bar_dot, count, type, from, tag, comm, s);
    return code;
}
ADJOIN_SECOND_REVERSE(MPI_Recv)

static int adjoin_second_MPI_Sendrecv_augmented(const void *send, void *send_dot, void *send_bar, void *send_bar_dot,
                                                int send_count, MPI_Datatype send_type, int to, int send_tag,
                                                void *receive, void *receive_dot, void *receive_bar,
                                                void *receive_bar_dot, int count, MPI_Datatype type, int from, int tag,
                                                MPI_Comm comm, MPI_Status *status, void **tape, void **tape_dot)
{
    const char *call = "MPI_Sendrecv";
    MPI_Status own, *s = status == MPI_STATUS_IGNORE ? &own : status;
    int code = adjoin_MPI_Sendrecv_tangent(send, send_dot, send_count, send_type, to, send_tag, receive, receive_dot,
                                           count, type, from, tag, comm, s);
    void *bars[2] = {send_bar, send_bar_dot}, *back[2] = {receive_bar, receive_bar_dot};
    void **tapes[2] = {tape, tape_dot};
    for (int k = 0; k < 2; k++) {
        struct adjoin_mpi_message *sent = adjoin_mpi_message_new(call, 0, 0, send, bars[k], send_count, send_type, to, send_tag, comm);
        *tapes[k] = adjoin_mpi_exchanged_new(sent, adjoin_mpi_second_received(call, receive, back[k], count, type, from, tag, comm, s));
    }
    return code;
}
ADJOIN_SECOND_REVERSE(MPI_Sendrecv)

static int adjoin_second_MPI_Sendrecv_replace_augmented(void *buffer, void *dot, void *bar, void *bar_dot, int count,
                                                        MPI_Datatype type, int to, int send_tag, int from, int tag,
                                                        MPI_Comm comm, MPI_Status *status, void **tape, void **tape_dot)
{
    const char *call = "MPI_Sendrecv_replace";
    MPI_Status own, *s = status == MPI_STATUS_IGNORE ? &own : status;
    int code = adjoin_MPI_Sendrecv_replace_tangent(buffer, dot, count, type, to, send_tag, from, tag, comm, s);
    void *bars[2] = {bar, bar_dot}, **tapes[2] = {tape, tape_dot};
    for (int k = 0; k < 2; k++) {
        struct adjoin_mpi_message *sent = adjoin_mpi_message_new(call, 0, 0, buffer, bars[k], count, type, to, send_tag, comm);
        *tapes[k] = adjoin_mpi_exchanged_new(sent, adjoin_mpi_second_received(call, buffer, bars[k], count, type, from, tag, comm, s));
    }
    return code;
}
ADJOIN_SECOND_REVERSE(MPI_Sendrecv_replace)

/* Non-blocking messages: the request stands for the tangents and both reverse messages. */
static void adjoin_mpi_second_message(MPI_Request request, struct adjoin_mpi_message *tangents, struct adjoin_mpi_message *adjoints,
                                      struct adjoin_mpi_message *both)
{
    struct adjoin_mpi_message *all[3] = {tangents, adjoints, both}, *first = NULL;
    for (int k = 2; k >= 0; k--)
        if (all[k] != NULL) {
            all[k]->beside = first;
            first = all[k];
        }
    if (tangents != NULL)
        adjoin_mpi_message_start(tangents);
    adjoin_mpi_request_message(request, first);
}

#define ADJOIN_SECOND_ISEND(MPI_X) \
    ADJOIN_SHARED int adjoin_second_##MPI_X##_augmented(const void *buffer, void *dot, void *bar, void *bar_dot, int count, \
                                                        MPI_Datatype type, int to, int tag, MPI_Comm comm, \
                                                        MPI_Request *request, void **tape, void **tape_dot) \
    { \
        struct adjoin_mpi_message *tangents = adjoin_mpi_message_new(#MPI_X, 0, 1, buffer, dot, count, type, to, tag, comm); \
        *tape = adjoin_mpi_message_new(#MPI_X, 0, 0, buffer, bar, count, type, to, tag, comm); \
        *tape_dot = adjoin_mpi_message_new(#MPI_X, 0, 0, buffer, bar_dot, count, type, to, tag, comm); \
        int code = adjoin_mpi_checked(#MPI_X, MPI_X(buffer, count, type, to, tag, comm, request)); \
        adjoin_mpi_second_message(*request, tangents, *tape, *tape_dot); \
        return code; \
    } \
    ADJOIN_SECOND_REVERSE(MPI_X)
ADJOIN_SECOND_ISEND(MPI_Isend)
ADJOIN_SECOND_ISEND(MPI_Issend)
ADJOIN_SECOND_ISEND(MPI_Ibsend)
ADJOIN_SECOND_ISEND(MPI_Irsend)

static int adjoin_second_MPI_Irecv_augmented(void *buffer, void *dot, void *bar, void *bar_dot, int count, MPI_Datatype type,
                                             int from, int tag, MPI_Comm comm, MPI_Request *request, void **tape,
                                             void **tape_dot)
{
    struct adjoin_mpi_message *tangents = adjoin_mpi_message_new("MPI_Irecv", 1, 1, buffer, dot, count, type, from, tag, comm);
    *tape = adjoin_mpi_message_new("MPI_Irecv", 1, 0, buffer, bar, count, type, from, tag, comm);
    *tape_dot = adjoin_mpi_message_new("MPI_Irecv", 1, 0, buffer, bar_dot, count, type, from, tag, comm);
    int code = adjoin_mpi_checked("MPI_Irecv", MPI_Irecv(buffer, count, type, from, tag, comm, request));
    adjoin_mpi_second_message(*request, tangents, *tape, *tape_dot);
    return code;
}
ADJOIN_SECOND_REVERSE(MPI_Irecv)

/* Completion: one tape has all. */
#define ADJOIN_SECOND_COMPLETION(MPI_X, PARAMETERS, ARGUMENTS) \
    ADJOIN_SHARED int adjoin_second_##MPI_X##_augmented PARAMETERS \
    { \
        *tape_dot = NULL; \
        return adjoin_##MPI_X##_augmented ARGUMENTS; \
    } \
    ADJOIN_SECOND_REVERSE_ONCE(MPI_X)
ADJOIN_SECOND_COMPLETION(MPI_Wait, (MPI_Request *request, MPI_Status *status, void **tape, void **tape_dot),
                         (request, status, tape))
ADJOIN_SECOND_COMPLETION(MPI_Waitall,
                         (int count, MPI_Request *requests, MPI_Status *statuses, void **tape, void **tape_dot),
                         (count, requests, statuses, tape))
ADJOIN_SECOND_COMPLETION(MPI_Waitany, (int count, MPI_Request *requests, int *index, MPI_Status *status, void **tape,
                                       void **tape_dot),
                         (count, requests, index, status, tape))
ADJOIN_SECOND_COMPLETION(MPI_Test, (MPI_Request *request, int *flag, MPI_Status *status, void **tape, void **tape_dot),
                         (request, flag, status, tape))
ADJOIN_SECOND_COMPLETION(MPI_Testall, (int count, MPI_Request *requests, int *flag, MPI_Status *statuses, void **tape,
                                       void **tape_dot),
                         (count, requests, flag, statuses, tape))
