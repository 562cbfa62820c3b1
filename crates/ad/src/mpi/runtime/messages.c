
/* What a call leaves for later. `completed`: its request is complete in the forward sweep. `start` and `finish`: what
   the reverse of the completion and the reverse of the call do. `finish` frees it. */
struct adjoin_mpi_record {
    void (*completed)(struct adjoin_mpi_record *, MPI_Status *);
    void (*start)(struct adjoin_mpi_record *);
    void (*finish)(struct adjoin_mpi_record *);
};

/* One message: the reverse message goes the other way. */
struct adjoin_mpi_message {
    struct adjoin_mpi_record record;
    int receives;         /* it was received */
    int peer, tag;
    long items;
    struct adjoin_mpi_layout layout;
    struct adjoin_mpi_channel *channel;
    struct adjoin_mpi_message *next;
    unsigned long sequence;
    unsigned long posted;
    int is_known;         /* from whom, with which tag */
    int has_place;        /* in the sequence */
    int has_started;
    void *shadow;
    void *packed;         /* NULL: the shadow itself is sent */
    MPI_Request request;
};

ADJOIN_SHARED int adjoin_mpi_route(const struct adjoin_mpi_message *m)
{
    unsigned long place = (unsigned long)m->tag * 1000003u + m->sequence;
    return m->channel->base + (int)(place % m->channel->tags);
}

/* Messages of one tag between two ranks keep their order, so both sides number them alike: a send when it is posted; a receive when it and all that
   were posted before it are known. */
ADJOIN_SHARED void adjoin_mpi_number(struct adjoin_mpi_channel *channel)
{
    while (channel->first && channel->first->is_known) {
        struct adjoin_mpi_message *m = channel->first;
        channel->first = m->next;
        m->sequence = adjoin_mpi_counter(channel, m->peer, m->tag, 1)->count++;
        m->has_place = 1;
    }
}

/* How many items came. */
ADJOIN_SHARED long adjoin_mpi_items(MPI_Status *status, int size)
{
    MPI_Count bytes = 0;
    PMPI_Get_elements_x(status, MPI_BYTE, &bytes);
    if (size > 0 && bytes % size)
        adjoin_mpi_stop("a receive", "a message that ends within an item");
    return size > 0 ? (long)(bytes / size) : 0;
}

ADJOIN_SHARED void adjoin_mpi_received(struct adjoin_mpi_record *record, MPI_Status *status)
{
    struct adjoin_mpi_message *m = (struct adjoin_mpi_message *)record;
    if (!m->receives)
        return;
    m->peer = status->MPI_SOURCE;
    m->tag = status->MPI_TAG;
    m->items = adjoin_mpi_items(status, m->layout.size);
    if (!m->is_known) {
        m->is_known = 1;
        adjoin_mpi_number(m->channel);
    }
}

/* The reverse message begins: the shadow of what was received goes back. */
ADJOIN_SHARED void adjoin_mpi_start_back(struct adjoin_mpi_record *record)
{
    struct adjoin_mpi_message *m = (struct adjoin_mpi_message *)record;
    size_t bytes = m->layout.bytes * (size_t)m->items;
    void *memory = m->shadow;
    int units = adjoin_mpi_units(&m->layout, m->items);
    if (m->has_started)
        return;
    m->has_started = 1;
    if (!m->has_place)
        adjoin_mpi_stop("the reverse of a receive", "the receive was not completed, or one before it");
    if (!m->receives || !m->shadow || !m->layout.dense)
        memory = m->packed = adjoin_mpi_zeroed(bytes);
    if (m->receives && m->shadow && !m->layout.dense)
        adjoin_mpi_move(&m->layout, m->items, m->shadow, m->packed, ADJOIN_GATHER);
    if (m->receives)
        PMPI_Isend(memory, units, m->layout.unit, m->peer, adjoin_mpi_route(m), m->channel->comm, &m->request);
    else
        PMPI_Irecv(memory, units, m->layout.unit, m->peer, adjoin_mpi_route(m), m->channel->comm, &m->request);
}

ADJOIN_SHARED void adjoin_mpi_discard(struct adjoin_mpi_message *m)
{
    adjoin_mpi_release(&m->layout);
    free(m->packed);
    free(m);
}

/* The reverse message ends: the shadow of what was received is zero, what came is added to the shadow of what was sent. */
ADJOIN_SHARED void adjoin_mpi_finish_back(struct adjoin_mpi_record *record)
{
    struct adjoin_mpi_message *m = (struct adjoin_mpi_message *)record;
    adjoin_mpi_start_back(record);
    PMPI_Wait(&m->request, MPI_STATUS_IGNORE);
    if (m->shadow)
        adjoin_mpi_move(&m->layout, m->items, m->shadow, m->packed, m->receives ? ADJOIN_CLEAR : ADJOIN_ADD);
    adjoin_mpi_discard(m);
}

/* A message without numbers: that nothing active travels in it is checked. */
struct adjoin_mpi_bytes {
    struct adjoin_mpi_record record;
    char *shadow;
    long items;
    int size;
    MPI_Aint extent;
};

ADJOIN_SHARED void adjoin_mpi_received_bytes(struct adjoin_mpi_record *record, MPI_Status *status)
{
    struct adjoin_mpi_bytes *b = (struct adjoin_mpi_bytes *)record;
    b->items = adjoin_mpi_items(status, b->size);
}

ADJOIN_SHARED void adjoin_mpi_no_start(struct adjoin_mpi_record *record)
{
    (void)record;
}

ADJOIN_SHARED void adjoin_mpi_check_bytes(struct adjoin_mpi_record *record)
{
    struct adjoin_mpi_bytes *b = (struct adjoin_mpi_bytes *)record;
    MPI_Aint k, end = b->items * b->extent;
    for (k = 0; k < end; k++)
        if (b->shadow[k])
            adjoin_mpi_stop("the reverse of a receive", "active numbers were received as bytes or integers; use a floating datatype");
    free(b);
}

/* A record for a message; NULL: there is nothing to mirror. */
ADJOIN_SHARED struct adjoin_mpi_message *adjoin_mpi_post(int receives, void *shadow, long items, const struct adjoin_mpi_layout *layout, int peer, int tag, MPI_Comm comm)
{
    struct adjoin_mpi_message *m;
    if (peer == MPI_PROC_NULL || !layout->runs)
        return NULL;
    m = (struct adjoin_mpi_message *)adjoin_mpi_zeroed(sizeof *m);
    m->record.completed = adjoin_mpi_received;
    m->record.start = adjoin_mpi_start_back;
    m->record.finish = adjoin_mpi_finish_back;
    m->receives = receives;
    m->shadow = shadow;
    m->items = items;
    adjoin_mpi_copy_layout(&m->layout, layout);
    m->peer = peer;
    m->tag = tag;
    m->posted = ++adjoin_mpi.posted;
    m->channel = adjoin_mpi_channel_of(comm, 0);
    m->request = MPI_REQUEST_NULL;
    m->is_known = !receives || (peer != MPI_ANY_SOURCE && tag != MPI_ANY_TAG);
    if (receives) {
        struct adjoin_mpi_channel *channel = m->channel;
        if (tag == MPI_ANY_TAG && !channel->own)
            adjoin_mpi_stop("a receive", "MPI_ANY_TAG on a communicator that was made before Adjoin could accompany it");
        if (channel->first)
            channel->last->next = m;
        else
            channel->first = m;
        channel->last = m;
        adjoin_mpi_number(channel);
    } else {
        m->sequence = adjoin_mpi_counter(m->channel, peer, tag, 0)->count++;
        m->has_place = 1;
    }
    return m;
}

/* A record for a call that sends. */
ADJOIN_SHARED struct adjoin_mpi_record *adjoin_mpi_sends(void *shadow, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm)
{
    struct adjoin_mpi_layout layout;
    struct adjoin_mpi_message *m;
    adjoin_mpi_lay_out(&layout, type);
    m = adjoin_mpi_post(0, shadow, count, &layout, peer, tag, comm);
    adjoin_mpi_release(&layout);
    return (struct adjoin_mpi_record *)m;
}

/* A record for a call that receives. */
ADJOIN_SHARED struct adjoin_mpi_record *adjoin_mpi_receives(void *shadow, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm)
{
    struct adjoin_mpi_layout layout;
    struct adjoin_mpi_record *record;
    adjoin_mpi_lay_out(&layout, type);
    record = (struct adjoin_mpi_record *)adjoin_mpi_post(1, shadow, count, &layout, peer, tag, comm);
    if (!layout.runs && shadow && peer != MPI_PROC_NULL) {
        struct adjoin_mpi_bytes *b = (struct adjoin_mpi_bytes *)adjoin_mpi_zeroed(sizeof *b);
        b->record.completed = adjoin_mpi_received_bytes;
        b->record.start = adjoin_mpi_no_start;
        b->record.finish = adjoin_mpi_check_bytes;
        b->shadow = (char *)shadow;
        b->items = count;
        b->size = layout.size;
        b->extent = layout.extent;
        record = &b->record;
    }
    adjoin_mpi_release(&layout);
    return record;
}

/* Forward mode: the tangent goes the way of the message, beside it. */
ADJOIN_SHARED void adjoin_mpi_start_along(struct adjoin_mpi_record *record)
{
    struct adjoin_mpi_message *m = (struct adjoin_mpi_message *)record;
    int units = adjoin_mpi_units(&m->layout, m->items);
    void *memory = m->shadow;
    if (m->has_started || !m->has_place)
        return;
    m->has_started = 1;
    if (m->receives || !m->shadow || !m->layout.dense)
        memory = m->packed = adjoin_mpi_zeroed(m->layout.bytes * (size_t)m->items);
    if (!m->receives && m->shadow && !m->layout.dense)
        adjoin_mpi_move(&m->layout, m->items, m->shadow, m->packed, ADJOIN_GATHER);
    if (m->receives)
        PMPI_Irecv(memory, units, m->layout.unit, m->peer, adjoin_mpi_route(m), m->channel->comm, &m->request);
    else
        PMPI_Isend(memory, units, m->layout.unit, m->peer, adjoin_mpi_route(m), m->channel->comm, &m->request);
}

ADJOIN_SHARED void adjoin_mpi_finish_along(struct adjoin_mpi_record *record)
{
    struct adjoin_mpi_message *m = (struct adjoin_mpi_message *)record;
    adjoin_mpi_start_along(record);
    if (!m->has_started)
        adjoin_mpi_stop("a receive", "one that was posted before it is not complete, and may be from anywhere");
    PMPI_Wait(&m->request, MPI_STATUS_IGNORE);
    if (m->receives && m->shadow)
        adjoin_mpi_move(&m->layout, m->items, m->shadow, m->packed, ADJOIN_PUT);
    adjoin_mpi_discard(m);
}

/* Bytes and integers that are received have no tangent. */
ADJOIN_SHARED void adjoin_mpi_clear_bytes(struct adjoin_mpi_record *record)
{
    struct adjoin_mpi_bytes *b = (struct adjoin_mpi_bytes *)record;
    memset(b->shadow, 0, (size_t)(b->items * b->extent));
    free(b);
}

ADJOIN_SHARED struct adjoin_mpi_record *adjoin_mpi_along(struct adjoin_mpi_record *record)
{
    if (!record)
        return NULL;
    if (record->finish == adjoin_mpi_check_bytes) {
        record->finish = adjoin_mpi_clear_bytes;
        return record;
    }
    record->start = adjoin_mpi_start_along;
    record->finish = adjoin_mpi_finish_along;
    record->start(record);
    return record;
}

/* A record for the tangent of a call that sends. */
ADJOIN_SHARED struct adjoin_mpi_record *adjoin_mpi_sends_along(const char *call, void *tangent, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm)
{
    struct adjoin_mpi_record *record = adjoin_mpi_sends(tangent, count, type, peer, tag, comm);
    if (!record && tangent && peer != MPI_PROC_NULL) {
        MPI_Aint low, extent, k;
        PMPI_Type_get_extent(type, &low, &extent);
        for (k = 0; k < count * extent; k++)
            if (((char *)tangent)[k])
                adjoin_mpi_stop(call, "active numbers are sent as bytes or integers; use a floating datatype");
    }
    return adjoin_mpi_along(record);
}
