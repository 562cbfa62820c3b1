/* Messages that nobody receives: the library lets a small one pass, but its adjoint never comes.
 *
 * Whoever waits for an adjoint for long tells the rank that it sent to. That rank may be busy, but if it waits in its own reverse sweep or has come to MPI_Finalize, and has not received the message,
 * it never will: then the program ends with a message, instead of waiting forever.
 *
 * The other way round, an adjoint may come to a rank that does not know of the message: one that was sent as integers, say, or by a rank that computes no derivative. At MPI_Finalize nobody will
 * take it any more: the user is told. */

enum { ADJOIN_MPI_PATIENCE = 1, ADJOIN_MPI_SILENCE = 5 }; /* seconds until it tells the other rank, and until it tells the user */

/* Behind the tags of messages. */
static int adjoin_mpi_question(const struct adjoin_mpi_channel *channel)
{
    return channel->base + (int)channel->tags;
}

static void adjoin_mpi_ask(const struct adjoin_mpi_message *m)
{
    MPI_Request sent;
    int *text = (int *)malloc(2 * sizeof *text); /* on its way until the end */
    if (text == NULL || !m->channel->own)
        return;
    text[0] = m->tag;
    text[1] = (int)(m->number & 0x7fffffff);
    PMPI_Isend(text, 2, MPI_INT, m->peer, adjoin_mpi_question(m->channel), m->channel->comm, &sent);
    PMPI_Request_free(&sent);
}

/* Somebody waits for the adjoint of a message that has not been received, and never will be. */
static void adjoin_mpi_answer(struct adjoin_mpi_channel *channel)
{
    int asks = 0, text[2];
    MPI_Status from;
    PMPI_Iprobe(MPI_ANY_SOURCE, adjoin_mpi_question(channel), channel->comm, &asks, &from);
    if (!asks)
        return;
    PMPI_Recv(text, 2, MPI_INT, from.MPI_SOURCE, from.MPI_TAG, channel->comm, MPI_STATUS_IGNORE);
    unsigned long received = adjoin_mpi_counter(channel, from.MPI_SOURCE, text[0], 1)->count;
    if ((int)(received & 0x7fffffff) > text[1])
        return; /* its adjoint has come meanwhile */
    dprintf(2, "adjoin: a message from rank %d to rank %d with tag %d was never received in a derivative: its adjoint does not come\n", from.MPI_SOURCE,
            channel->rank, text[0]);
    MPI_Abort(MPI_COMM_WORLD, 1);
    abort();
}

static void adjoin_mpi_answer_all(void)
{
    adjoin_mpi_enter();
    for (struct adjoin_mpi_channel *c = adjoin_mpi.channels; c != NULL; c = c->next)
        if (c->own && c->size + c->inter > 1)
            adjoin_mpi_answer(c);
    adjoin_mpi_leave();
}

/* Waits for an adjoint, or until the other side takes one. */
static void adjoin_mpi_message_wait(struct adjoin_mpi_message *m)
{
    static int told;
    int there = 0, seconds = ADJOIN_MPI_PATIENCE;
    double begin = MPI_Wtime();
    if (m->along || m->channel == NULL || m->channel->size == 1) {
        MPI_Wait(&m->request, MPI_STATUS_IGNORE);
        return;
    }
    for (long k = 1; MPI_Test(&m->request, &there, MPI_STATUS_IGNORE) == MPI_SUCCESS && !there; k++) {
        if (k % 256 != 0 || MPI_Wtime() - begin < seconds)
            continue;
        if (seconds == ADJOIN_MPI_PATIENCE && !m->receives)
            adjoin_mpi_ask(m);
        if (seconds == ADJOIN_MPI_SILENCE && !__atomic_exchange_n(&told, 1, __ATOMIC_RELAXED))
            dprintf(2, "adjoin: rank %d has waited %d seconds for the reverse of a message with tag %d %s rank %d: was it %s there, and does that rank compute a derivative?\n",
                    m->channel->rank, seconds, m->tag, m->receives ? "from" : "to", m->peer, m->receives ? "sent" : "received");
        seconds++;
        if (!adjoin_mpi_several_threads()) /* another thread may still receive it */
            adjoin_mpi_answer_all();
    }
}

/* Adjoints that nobody expected. (Tangents of a message that was never received harm nobody.) */
static void adjoin_mpi_look_for_strays(struct adjoin_mpi_channel *channel)
{
    int found = 0, bytes, lost = 0;
    MPI_Status from;
    for (;;) {
        PMPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, channel->comm, &found, &from);
        if (!found)
            return;
        PMPI_Get_count(&from, MPI_BYTE, &bytes);
        char *stray = adjoin_mpi_allocate((size_t)bytes);
        PMPI_Recv(stray, bytes, MPI_BYTE, from.MPI_SOURCE, from.MPI_TAG, channel->comm, MPI_STATUS_IGNORE);
        for (int k = 0; k < bytes && from.MPI_TAG != adjoin_mpi_question(channel); k++)
            lost |= stray[k] != 0;
        free(stray);
        if (lost) {
            dprintf(2, "adjoin: rank %d got an adjoint from rank %d for a message that it sent outside of a derivative, or not as numbers: that adjoint is lost\n",
                    channel->rank, from.MPI_SOURCE);
            return;
        }
    }
}

/* At the end of the program this waits for all ranks, as MPI_Finalize does, and listens meanwhile. */
static int adjoin_mpi_finalize(void)
{
    void *found = NULL;
    int flag = 0, over = 0, tangents = 0;
    if (adjoin_mpi.has_keyval)
        PMPI_Comm_get_attr(MPI_COMM_WORLD, adjoin_mpi.keyval, &found, &flag);
    struct adjoin_mpi_channel *world = flag ? (struct adjoin_mpi_channel *)found : NULL;
    if (world != NULL && world->own && world->size > 1) {
        MPI_Request end;
        PMPI_Iallreduce(&adjoin_mpi.tangents, &tangents, 1, MPI_INT, MPI_MAX, world->comm, &end);
        for (PMPI_Test(&end, &over, MPI_STATUS_IGNORE); !over; PMPI_Test(&end, &over, MPI_STATUS_IGNORE))
            adjoin_mpi_answer_all();
        for (struct adjoin_mpi_channel *c = adjoin_mpi.channels; c != NULL && !tangents; c = c->next)
            if (c->own)
                adjoin_mpi_look_for_strays(c);
    }
    return PMPI_Finalize();
}
