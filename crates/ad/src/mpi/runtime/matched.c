/* Matched probes, in both modes: a probe takes a message out of the sequence of messages, and is told apart from then on by a handle; it may be received long after others that came
 * later. So its place in the sequence is kept when it is probed. */
struct adjoin_mpi_matched {
    MPI_Message handle;
    struct adjoin_mpi_message *message;
    struct adjoin_mpi_matched *next;
};
static struct adjoin_mpi_matched *adjoin_mpi_matched;

/* A probe has found a message. */
static void adjoin_mpi_match(MPI_Message handle, const MPI_Status *status, MPI_Comm comm)
{
    if (handle == MPI_MESSAGE_NO_PROC)
        return;
    struct adjoin_mpi_matched *found = adjoin_mpi_allocate(sizeof *found);
    struct adjoin_mpi_message *m = adjoin_mpi_allocate(sizeof *m);
    m->receives = 1;
    m->is_probed = 1;
    m->peer = status->MPI_SOURCE;
    m->tag = status->MPI_TAG;
    m->channel = adjoin_mpi_hold(comm);
    found->handle = handle;
    found->message = m;
    adjoin_mpi_enter();
    if (!m->channel->own)
        adjoin_mpi_fail("MPI_Mprobe", "a communicator that was made where Adjoin could not accompany it");
    found->next = adjoin_mpi_matched;
    adjoin_mpi_matched = found;
    adjoin_mpi_line_up(m);
    adjoin_mpi_leave();
}

/* A message that was found is received: what is mirrored of it, or NULL. */
static struct adjoin_mpi_message *adjoin_mpi_matched_take(const char *call, int along, MPI_Message handle, const void *buffer,
                                                          void *shadow, int count, MPI_Datatype type)
{
    if (handle == MPI_MESSAGE_NO_PROC)
        return NULL;
    adjoin_mpi_enter();
    struct adjoin_mpi_matched **link = &adjoin_mpi_matched;
    while (*link != NULL && (*link)->handle != handle)
        link = &(*link)->next;
    struct adjoin_mpi_matched *found = *link;
    if (found == NULL)
        adjoin_mpi_fail(call, "the message was probed outside of what is differentiated");
    struct adjoin_mpi_message *m = found->message;
    struct adjoin_mpi_channel *channel = m->channel;
    *link = found->next;
    free(found);
    int mirrored = adjoin_mpi_message_describe(m, call, 1, along, buffer, shadow, count, type);
    m->is_known = 1;
    m->is_probed = 0;
    if (!adjoin_mpi_travels(m)) {
        /* Messages without numbers have no place. */
        struct adjoin_mpi_message **place = &channel->first;
        while (*place != m)
            place = &(*place)->next;
        *place = m->next;
        m->channel = NULL;
    }
    adjoin_mpi_number_receives(channel);
    if (m->channel == NULL)
        adjoin_mpi_release(channel);
    adjoin_mpi_leave();
    if (mirrored)
        return m;
    adjoin_mpi_message_free(m);
    return NULL;
}

/* Probes are alike in both modes. Several threads ask again and again, so that nobody holds the lock while waiting. */
static int adjoin_mpi_matched_probe(int from, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status)
{
    MPI_Status own, *s = status == MPI_STATUS_IGNORE ? &own : status;
    int code, flag = 0;
    if (!adjoin_mpi_several_threads())
        code = adjoin_mpi_checked("MPI_Mprobe", MPI_Mprobe(from, tag, comm, message, s));
    else
        for (;;) {
            adjoin_mpi_enter();
            code = adjoin_mpi_checked("MPI_Improbe", MPI_Improbe(from, tag, comm, &flag, message, s));
            if (code != MPI_SUCCESS || flag)
                break;
            adjoin_mpi_leave();
            sched_yield();
        }
    if (code == MPI_SUCCESS)
        adjoin_mpi_match(*message, s, comm);
    adjoin_mpi_leave();
    return code;
}

static int adjoin_MPI_Mprobe_augmented(int from, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status, void **tape)
{
    *tape = NULL;
    return adjoin_mpi_matched_probe(from, tag, comm, message, status);
}

static void adjoin_MPI_Mprobe_reverse(void *tape)
{
    (void)tape;
}

static int adjoin_MPI_Mprobe_tangent(int from, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status)
{
    return adjoin_mpi_matched_probe(from, tag, comm, message, status);
}

static int adjoin_MPI_Improbe_tangent(int from, int tag, MPI_Comm comm, int *flag, MPI_Message *message, MPI_Status *status)
{
    MPI_Status own, *s = status == MPI_STATUS_IGNORE ? &own : status;
    adjoin_mpi_enter();
    int code = adjoin_mpi_checked("MPI_Improbe", MPI_Improbe(from, tag, comm, flag, message, s));
    if (code == MPI_SUCCESS && *flag)
        adjoin_mpi_match(*message, s, comm);
    adjoin_mpi_leave();
    return code;
}

static int adjoin_MPI_Improbe_augmented(int from, int tag, MPI_Comm comm, int *flag, MPI_Message *message, MPI_Status *status,
                                        void **tape)
{
    *tape = NULL;
    return adjoin_MPI_Improbe_tangent(from, tag, comm, flag, message, status);
}

static void adjoin_MPI_Improbe_reverse(void *tape)
{
    (void)tape;
}

static int adjoin_MPI_Mrecv_augmented(void *buffer, void *shadow, int count, MPI_Datatype type, MPI_Message *message,
                                      MPI_Status *status, void **tape)
{
    MPI_Status own, *s = status == MPI_STATUS_IGNORE ? &own : status;
    struct adjoin_mpi_message *m = adjoin_mpi_matched_take("MPI_Mrecv", 0, *message, buffer, shadow, count, type);
    int code = adjoin_mpi_checked("MPI_Mrecv", MPI_Mrecv(buffer, count, type, message, s));
    if (m != NULL)
        adjoin_mpi_message_completed(m, s);
    *tape = m;
    return code;
}

static void adjoin_MPI_Mrecv_reverse(void *tape)
{
    adjoin_mpi_message_finish(tape);
}

static int adjoin_MPI_Mrecv_tangent(void *buffer, void *tangent, int count, MPI_Datatype type, MPI_Message *message,
                                    MPI_Status *status)
{
    MPI_Status own, *s = status == MPI_STATUS_IGNORE ? &own : status;
    struct adjoin_mpi_message *m = adjoin_mpi_matched_take("MPI_Mrecv", 1, *message, buffer, tangent, count, type);
    int code = adjoin_mpi_checked("MPI_Mrecv", MPI_Mrecv(buffer, count, type, message, s));
    if (m != NULL)
        adjoin_mpi_message_completed(m, s);
    adjoin_mpi_message_finish(m);
    return code;
}

static int adjoin_MPI_Imrecv_augmented(void *buffer, void *shadow, int count, MPI_Datatype type, MPI_Message *message,
                                       MPI_Request *request, void **tape)
{
    adjoin_mpi_enter();
    struct adjoin_mpi_message *m = adjoin_mpi_matched_take("MPI_Imrecv", 0, *message, buffer, shadow, count, type);
    int code = adjoin_mpi_checked("MPI_Imrecv", MPI_Imrecv(buffer, count, type, message, request));
    adjoin_mpi_request_message(*request, m);
    adjoin_mpi_leave();
    *tape = m;
    return code;
}

static void adjoin_MPI_Imrecv_reverse(void *tape)
{
    adjoin_mpi_message_finish(tape);
}

static int adjoin_MPI_Imrecv_tangent(void *buffer, void *tangent, int count, MPI_Datatype type, MPI_Message *message,
                                     MPI_Request *request)
{
    adjoin_mpi_enter();
    struct adjoin_mpi_message *m = adjoin_mpi_matched_take("MPI_Imrecv", 1, *message, buffer, tangent, count, type);
    int code = adjoin_mpi_checked("MPI_Imrecv", MPI_Imrecv(buffer, count, type, message, request));
    if (m != NULL)
        adjoin_mpi_message_start(m);
    adjoin_mpi_request_message(*request, m);
    adjoin_mpi_leave();
    return code;
}
