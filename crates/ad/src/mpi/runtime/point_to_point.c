/* Blocking messages, in both modes. */

/* The kinds of sends differ only in the call. */
#define ADJOIN_MPI_SENDS(MPI_X) \
    ADJOIN_SHARED int adjoin_##MPI_X##_augmented(const void *buffer, void *shadow, int count, MPI_Datatype type, int to, \
                                                 int tag, MPI_Comm comm, void **tape) \
    { \
        *tape = adjoin_mpi_message_new(#MPI_X, 0, 0, shadow, count, type, to, tag, comm); \
        return MPI_X(buffer, count, type, to, tag, comm); \
    } \
    ADJOIN_SHARED void adjoin_##MPI_X##_reverse(void *tape) \
    { \
        adjoin_mpi_message_finish(tape); \
    } \
    ADJOIN_SHARED int adjoin_##MPI_X##_tangent(const void *buffer, void *tangent, int count, MPI_Datatype type, int to, \
                                               int tag, MPI_Comm comm) \
    { \
        struct adjoin_mpi_message *m = adjoin_mpi_message_new(#MPI_X, 0, 1, tangent, count, type, to, tag, comm); \
        if (m != NULL) \
            adjoin_mpi_message_start(m); \
        int code = MPI_X(buffer, count, type, to, tag, comm); \
        adjoin_mpi_message_finish(m); \
        return code; \
    }
ADJOIN_MPI_SENDS(MPI_Send)
ADJOIN_MPI_SENDS(MPI_Ssend)
ADJOIN_MPI_SENDS(MPI_Bsend)
ADJOIN_MPI_SENDS(MPI_Rsend)

static int adjoin_MPI_Recv_augmented(void *buffer, void *shadow, int count, MPI_Datatype type, int from, int tag,
                                     MPI_Comm comm, MPI_Status *status, void **tape)
{
    MPI_Status own, *s = status == MPI_STATUS_IGNORE ? &own : status;
    struct adjoin_mpi_message *m = adjoin_mpi_message_new("MPI_Recv", 1, 0, shadow, count, type, from, tag, comm);
    int code = MPI_Recv(buffer, count, type, from, tag, comm, s);
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
    struct adjoin_mpi_message *m = adjoin_mpi_message_new("MPI_Recv", 1, 1, tangent, count, type, from, tag, comm);
    int code = MPI_Recv(buffer, count, type, from, tag, comm, s);
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

static int adjoin_MPI_Sendrecv_augmented(const void *send, void *send_bar, int send_count, MPI_Datatype send_type, int to,
                                         int send_tag, void *receive, void *receive_bar, int count, MPI_Datatype type,
                                         int from, int tag, MPI_Comm comm, MPI_Status *status, void **tape)
{
    const char *call = "MPI_Sendrecv";
    MPI_Status own, *s = status == MPI_STATUS_IGNORE ? &own : status;
    struct adjoin_mpi_message *sent = adjoin_mpi_message_new(call, 0, 0, send_bar, send_count, send_type, to, send_tag, comm);
    struct adjoin_mpi_message *received = adjoin_mpi_message_new(call, 1, 0, receive_bar, count, type, from, tag, comm);
    int code = MPI_Sendrecv(send, send_count, send_type, to, send_tag, receive, count, type, from, tag, comm, s);
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
    struct adjoin_mpi_message *sent = adjoin_mpi_message_new(call, 0, 1, send_dot, send_count, send_type, to, send_tag, comm);
    struct adjoin_mpi_message *received = adjoin_mpi_message_new(call, 1, 1, receive_dot, count, type, from, tag, comm);
    if (sent != NULL)
        adjoin_mpi_message_start(sent);
    int code = MPI_Sendrecv(send, send_count, send_type, to, send_tag, receive, count, type, from, tag, comm, s);
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
    struct adjoin_mpi_message *sent = adjoin_mpi_message_new(call, 0, 0, shadow, count, type, to, send_tag, comm);
    struct adjoin_mpi_message *received = adjoin_mpi_message_new(call, 1, 0, shadow, count, type, from, tag, comm);
    int code = MPI_Sendrecv_replace(buffer, count, type, to, send_tag, from, tag, comm, s);
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
    struct adjoin_mpi_message *sent = adjoin_mpi_message_new(call, 0, 1, tangent, count, type, to, send_tag, comm);
    struct adjoin_mpi_message *received = adjoin_mpi_message_new(call, 1, 1, tangent, count, type, from, tag, comm);
    if (sent != NULL)
        adjoin_mpi_message_start(sent);
    int code = MPI_Sendrecv_replace(buffer, count, type, to, send_tag, from, tag, comm, s);
    if (received != NULL) {
        adjoin_mpi_message_completed(received, s);
        adjoin_mpi_message_start(received);
    }
    adjoin_mpi_message_finish(sent);
    adjoin_mpi_message_finish(received);
    return code;
}
