/* Blocking messages, in both modes. */

/* The kinds of sends differ only in the call. Where several threads communicate, messages are numbered in the order in which they are posted: they are posted first, and then waited for. */
#define ADJOIN_MPI_SENDS(MPI_X, MPI_IX) \
    ADJOIN_SHARED int adjoin_##MPI_X##_augmented(const void *buffer, void *shadow, int count, MPI_Datatype type, int to, \
                                                 int tag, MPI_Comm comm, void **tape) \
    { \
        int several = adjoin_mpi_several_threads(); \
        MPI_Request request = MPI_REQUEST_NULL; \
        adjoin_mpi_enter(); \
        *tape = adjoin_mpi_message_new(#MPI_X, 0, 0, buffer, shadow, count, type, to, tag, comm); \
        if (several) \
            MPI_IX(buffer, count, type, to, tag, comm, &request); \
        adjoin_mpi_leave(); \
        return adjoin_mpi_checked(#MPI_X, several ? MPI_Wait(&request, MPI_STATUS_IGNORE) : MPI_X(buffer, count, type, to, tag, comm)); \
    } \
    ADJOIN_SHARED void adjoin_##MPI_X##_reverse(void *tape) \
    { \
        adjoin_mpi_message_finish(tape); \
    } \
    ADJOIN_SHARED int adjoin_##MPI_X##_tangent(const void *buffer, void *tangent, int count, MPI_Datatype type, int to, \
                                               int tag, MPI_Comm comm) \
    { \
        int several = adjoin_mpi_several_threads(); \
        MPI_Request request = MPI_REQUEST_NULL; \
        adjoin_mpi_enter(); \
        struct adjoin_mpi_message *m = adjoin_mpi_message_new(#MPI_X, 0, 1, buffer, tangent, count, type, to, tag, comm); \
        if (m != NULL) \
            adjoin_mpi_message_start(m); \
        if (several) \
            MPI_IX(buffer, count, type, to, tag, comm, &request); \
        adjoin_mpi_leave(); \
        int code = adjoin_mpi_checked(#MPI_X, several ? MPI_Wait(&request, MPI_STATUS_IGNORE) : MPI_X(buffer, count, type, to, tag, comm)); \
        adjoin_mpi_message_finish(m); \
        return code; \
    }
ADJOIN_MPI_SENDS(MPI_Send, MPI_Isend)
ADJOIN_MPI_SENDS(MPI_Ssend, MPI_Issend)
ADJOIN_MPI_SENDS(MPI_Bsend, MPI_Ibsend)
ADJOIN_MPI_SENDS(MPI_Rsend, MPI_Irsend)

/* Receives, and posts first where several threads do. */
static int adjoin_mpi_receive(struct adjoin_mpi_message **m, int along, void *buffer, void *shadow, int count, MPI_Datatype type,
                              int from, int tag, MPI_Comm comm, MPI_Status *status)
{
    if (!adjoin_mpi_several_threads()) {
        *m = adjoin_mpi_message_new("MPI_Recv", 1, along, buffer, shadow, count, type, from, tag, comm);
        return adjoin_mpi_checked("MPI_Recv", MPI_Recv(buffer, count, type, from, tag, comm, status));
    }
    MPI_Request request;
    adjoin_mpi_enter();
    *m = adjoin_mpi_message_new("MPI_Recv", 1, along, buffer, shadow, count, type, from, tag, comm);
    MPI_Irecv(buffer, count, type, from, tag, comm, &request);
    adjoin_mpi_leave();
    return adjoin_mpi_checked("MPI_Recv", MPI_Wait(&request, status));
}

static int adjoin_MPI_Recv_augmented(void *buffer, void *shadow, int count, MPI_Datatype type, int from, int tag,
                                     MPI_Comm comm, MPI_Status *status, void **tape)
{
    MPI_Status own, *s = status == MPI_STATUS_IGNORE ? &own : status;
    struct adjoin_mpi_message *m;
    int code = adjoin_mpi_receive(&m, 0, buffer, shadow, count, type, from, tag, comm, s);
    if (m != NULL)
        adjoin_mpi_message_completed(m, s);
    *tape = m;
    return code;
}

static void adjoin_MPI_Recv_reverse(void *tape)
{
    adjoin_mpi_message_finish(tape);
}

static int adjoin_MPI_Recv_tangent(void *buffer, void *tangent, int count, MPI_Datatype type, int from, int tag,
                                   MPI_Comm comm, MPI_Status *status)
{
    MPI_Status own, *s = status == MPI_STATUS_IGNORE ? &own : status;
    struct adjoin_mpi_message *m;
    int code = adjoin_mpi_receive(&m, 1, buffer, tangent, count, type, from, tag, comm, s);
    if (m != NULL)
        adjoin_mpi_message_completed(m, s);
    adjoin_mpi_message_finish(m);
    return code;
}

/* A send and a receive at once. */
struct adjoin_mpi_exchanged {
    struct adjoin_mpi_message *sent, *received;
};

static struct adjoin_mpi_exchanged *adjoin_mpi_exchanged_new(struct adjoin_mpi_message *sent, struct adjoin_mpi_message *received)
{
    if (sent == NULL && received == NULL)
        return NULL;
    struct adjoin_mpi_exchanged *both = adjoin_mpi_allocate(sizeof *both);
    both->sent = sent;
    both->received = received;
    return both;
}

/* What was received is cleared before anything is added: it may be the same memory. */
static void adjoin_mpi_exchanged_reverse(struct adjoin_mpi_exchanged *both)
{
    if (both == NULL)
        return;
    if (both->sent != NULL)
        adjoin_mpi_message_start(both->sent);
    adjoin_mpi_message_finish(both->received);
    adjoin_mpi_message_finish(both->sent);
    free(both);
}

/* The two messages are numbered: they are posted, the lock is left, and they are waited for. */
static int adjoin_mpi_send_and_receive(const void *send, int send_count, MPI_Datatype send_type, int to, int send_tag, void *receive,
                                       int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status *status)
{
    if (!adjoin_mpi_several_threads())
        return adjoin_mpi_checked("MPI_Sendrecv", MPI_Sendrecv(send, send_count, send_type, to, send_tag, receive, count, type, from,
                                                               tag, comm, status));
    MPI_Request sends, receives;
    MPI_Irecv(receive, count, type, from, tag, comm, &receives);
    MPI_Isend(send, send_count, send_type, to, send_tag, comm, &sends);
    adjoin_mpi_leave();
    int code = MPI_Wait(&sends, MPI_STATUS_IGNORE), other = MPI_Wait(&receives, status);
    return adjoin_mpi_checked("MPI_Sendrecv", code != MPI_SUCCESS ? code : other);
}

/* The same with one buffer. */
static int adjoin_mpi_send_and_replace(void *buffer, int count, MPI_Datatype type, int to, int send_tag, int from, int tag,
                                       MPI_Comm comm, MPI_Status *status)
{
    if (!adjoin_mpi_several_threads())
        return adjoin_mpi_checked("MPI_Sendrecv_replace",
                                  MPI_Sendrecv_replace(buffer, count, type, to, send_tag, from, tag, comm, status));
    int bytes = 0, used = 0;
    MPI_Pack_size(count, type, comm, &bytes);
    char *packed = adjoin_mpi_allocate((size_t)bytes);
    MPI_Pack(buffer, count, type, packed, bytes, &used, comm);
    int code = adjoin_mpi_send_and_receive(packed, used, MPI_PACKED, to, send_tag, buffer, count, type, from, tag, comm, status);
    free(packed);
    return code;
}

static int adjoin_MPI_Sendrecv_augmented(const void *send, void *send_bar, int send_count, MPI_Datatype send_type, int to,
                                         int send_tag, void *receive, void *receive_bar, int count, MPI_Datatype type,
                                         int from, int tag, MPI_Comm comm, MPI_Status *status, void **tape)
{
    const char *call = "MPI_Sendrecv";
    MPI_Status own, *s = status == MPI_STATUS_IGNORE ? &own : status;
    adjoin_mpi_enter();
    struct adjoin_mpi_message *sent = adjoin_mpi_message_new(call, 0, 0, send, send_bar, send_count, send_type, to, send_tag, comm);
    struct adjoin_mpi_message *received = adjoin_mpi_message_new(call, 1, 0, receive, receive_bar, count, type, from, tag, comm);
    int code = adjoin_mpi_send_and_receive(send, send_count, send_type, to, send_tag, receive, count, type, from, tag, comm, s);
    if (received != NULL)
        adjoin_mpi_message_completed(received, s);
    *tape = adjoin_mpi_exchanged_new(sent, received);
    return code;
}

static void adjoin_MPI_Sendrecv_reverse(void *tape)
{
    adjoin_mpi_exchanged_reverse(tape);
}

static int adjoin_MPI_Sendrecv_tangent(const void *send, void *send_dot, int send_count, MPI_Datatype send_type, int to,
                                       int send_tag, void *receive, void *receive_dot, int count, MPI_Datatype type,
                                       int from, int tag, MPI_Comm comm, MPI_Status *status)
{
    const char *call = "MPI_Sendrecv";
    MPI_Status own, *s = status == MPI_STATUS_IGNORE ? &own : status;
    adjoin_mpi_enter();
    struct adjoin_mpi_message *sent = adjoin_mpi_message_new(call, 0, 1, send, send_dot, send_count, send_type, to, send_tag, comm);
    struct adjoin_mpi_message *received = adjoin_mpi_message_new(call, 1, 1, receive, receive_dot, count, type, from, tag, comm);
    if (sent != NULL)
        adjoin_mpi_message_start(sent);
    int code = adjoin_mpi_send_and_receive(send, send_count, send_type, to, send_tag, receive, count, type, from, tag, comm, s);
    if (received != NULL) {
        adjoin_mpi_message_completed(received, s);
        adjoin_mpi_message_start(received);
    }
    adjoin_mpi_message_finish(sent);
    adjoin_mpi_message_finish(received);
    return code;
}

static int adjoin_MPI_Sendrecv_replace_augmented(void *buffer, void *shadow, int count, MPI_Datatype type, int to, int send_tag,
                                                 int from, int tag, MPI_Comm comm, MPI_Status *status, void **tape)
{
    const char *call = "MPI_Sendrecv_replace";
    MPI_Status own, *s = status == MPI_STATUS_IGNORE ? &own : status;
    adjoin_mpi_enter();
    struct adjoin_mpi_message *sent = adjoin_mpi_message_new(call, 0, 0, buffer, shadow, count, type, to, send_tag, comm);
    struct adjoin_mpi_message *received = adjoin_mpi_message_new(call, 1, 0, buffer, shadow, count, type, from, tag, comm);
    int code = adjoin_mpi_send_and_replace(buffer, count, type, to, send_tag, from, tag, comm, s);
    if (received != NULL)
        adjoin_mpi_message_completed(received, s);
    *tape = adjoin_mpi_exchanged_new(sent, received);
    return code;
}

static void adjoin_MPI_Sendrecv_replace_reverse(void *tape)
{
    adjoin_mpi_exchanged_reverse(tape);
}

static int adjoin_MPI_Sendrecv_replace_tangent(void *buffer, void *tangent, int count, MPI_Datatype type, int to, int send_tag,
                                               int from, int tag, MPI_Comm comm, MPI_Status *status)
{
    const char *call = "MPI_Sendrecv_replace";
    MPI_Status own, *s = status == MPI_STATUS_IGNORE ? &own : status;
    adjoin_mpi_enter();
    struct adjoin_mpi_message *sent = adjoin_mpi_message_new(call, 0, 1, buffer, tangent, count, type, to, send_tag, comm);
    struct adjoin_mpi_message *received = adjoin_mpi_message_new(call, 1, 1, buffer, tangent, count, type, from, tag, comm);
    if (sent != NULL)
        adjoin_mpi_message_start(sent);
    int code = adjoin_mpi_send_and_replace(buffer, count, type, to, send_tag, from, tag, comm, s);
    if (received != NULL) {
        adjoin_mpi_message_completed(received, s);
        adjoin_mpi_message_start(received);
    }
    adjoin_mpi_message_finish(sent);
    adjoin_mpi_message_finish(received);
    return code;
}
