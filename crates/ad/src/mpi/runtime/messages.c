/* Messages between two ranks, in both modes.
 *
 * In the reverse sweep a message goes the other way: the adjoints of what was received are sent back, zero is left behind, and what arrives is added to the
 * adjoints of what was sent. In forward mode tangents go the way of the numbers. Memory without a shadow on this rank sends zeros and drops what arrives:
 * the other side cannot know.
 *
 * Messages of one tag between two ranks keep their order, so both sides number them alike: a send when it is posted; a receive as soon as it and all
 * that were posted before it are known. The number is part of the tag, so it does not matter in which order adjoints start on their way. */

struct adjoin_mpi_message {
    int receives;
    int along;       /* tangents, not adjoints */
    int peer, tag;
    int size;        /* of an element in the program's message */
    long count;
    struct adjoin_mpi_layout layout;
    struct adjoin_mpi_channel *channel;
    char *shadow;
    int others;      /* other directions than the first, and their tangents */
    char **other;
    struct adjoin_mpi_segments segments; /* of MPI_PACKED that is sent, and of MPI_BYTE */
    int is_bytes;    /* MPI_BYTE */
    unsigned long number;
    int buffered;    /* nobody waits for it: MPI_Bsend, and tangents that are sent */
    int is_known;    /* from whom, with which tag */
    int is_numbered;
    int has_started;
    int is_tracked;  /* a request still stands for it */
    int is_probed;   /* it has been found, and is not received yet */
    char *packed;    /* NULL: the shadow itself is sent */
    MPI_Request request;
    struct adjoin_mpi_message *next; /* the next receive that has no number; or buffered send */
    struct adjoin_mpi_message *beside; /* of the same request: in second derivatives there are several */
};

/* Does it travel in the reverse sweep, or with tangents? Without numbers only to keep the ranks in order. */
static int adjoin_mpi_travels(const struct adjoin_mpi_message *m)
{
    return m->layout.numbers > 0 || (adjoin_mpi_ordered && !m->along);
}

static int adjoin_mpi_route(const struct adjoin_mpi_message *m)
{
    unsigned long place = (unsigned long)m->tag * 1000003u + m->number;
    return m->channel->base + (int)(place % m->channel->tags);
}

/* A buffered send does not wait for its receiver, nor may the receiver's reverse wait for that of the send, which comes whenever the program let it: both may do the same. So
 * adjoints are received, into memory of their own, as soon as the reverse sweep communicates at all. */
static struct adjoin_mpi_message *adjoin_mpi_buffered;

/* Tangents that were sent and may be on their way, oldest first. Nobody waits for them either: a receive from anywhere asks for them only when it is complete, while the send may be
 * complete before. */
static struct adjoin_mpi_message *adjoin_mpi_departed, *adjoin_mpi_last_departed;

/* The reverse of a send may begin at any time. */
static void adjoin_mpi_buffer(struct adjoin_mpi_message *m)
{
    adjoin_mpi_enter();
    m->next = adjoin_mpi_buffered;
    adjoin_mpi_buffered = m;
    adjoin_mpi_leave();
}

/* May a receive that was posted before another, and has no number yet, take the next message of the same kind? */
static int adjoin_mpi_may_precede(const struct adjoin_mpi_message *before, const struct adjoin_mpi_message *m)
{
    return (before->peer == m->peer || before->peer == MPI_ANY_SOURCE) && (before->tag == m->tag || before->tag == MPI_ANY_TAG);
}

/* Gives receives their numbers. */
static void adjoin_mpi_number_receives(struct adjoin_mpi_channel *channel)
{
    struct adjoin_mpi_message **link = &channel->first;
    channel->last = NULL;
    while (*link != NULL) {
        struct adjoin_mpi_message *m = *link;
        int waits = !m->is_known;
        for (const struct adjoin_mpi_message *before = channel->first; !waits && before != m; before = before->next)
            waits = adjoin_mpi_may_precede(before, m);
        if (waits) {
            channel->last = m;
            link = &m->next;
            continue;
        }
        *link = m->next;
        m->number = adjoin_mpi_counter(channel, m->peer, m->tag, 1)->count++;
        m->is_numbered = 1;
    }
}

/* A receive is posted. */
static void adjoin_mpi_line_up(struct adjoin_mpi_message *m)
{
    struct adjoin_mpi_channel *channel = m->channel;
    m->next = NULL;
    if (channel->first != NULL)
        channel->last->next = m;
    else
        channel->first = m;
    channel->last = m;
    adjoin_mpi_number_receives(channel);
}

static void adjoin_mpi_untrack(struct adjoin_mpi_message *m);

static void adjoin_mpi_message_free(struct adjoin_mpi_message *m)
{
    if (m->is_tracked)
        adjoin_mpi_untrack(m);
    adjoin_mpi_layout_free(&m->layout);
    adjoin_mpi_release(m->channel);
    adjoin_mpi_block_free(m->packed);
    free(m->other);
    free(m->segments.segment);
    free(m);
}

/* The tangent of a message in a direction, or its adjoint. */
static char *adjoin_mpi_message_shadow(const struct adjoin_mpi_message *m, int direction)
{
    return direction == 0 ? m->shadow : m->other[direction - 1];
}

/* Bytes and integers that are sent have no tangent. */
static void adjoin_mpi_message_check(const struct adjoin_mpi_message *m, const char *call)
{
    for (int d = 0; d <= m->others; d++) {
        const char *shadow = adjoin_mpi_message_shadow(m, d);
        if (!adjoin_mpi_layout_is_zero(&m->layout, m->count, shadow))
            adjoin_mpi_fail(call, "active numbers travel as bytes or integers; use a floating datatype");
    }
}

/* What a message carries. Is there anything to mirror? */
static int adjoin_mpi_message_describe(struct adjoin_mpi_message *m, const char *call, int receives, int along, const void *buffer,
                                       void *shadow, int count, MPI_Datatype type)
{
    m->receives = receives;
    m->along = along;
    m->shadow = shadow;
    m->count = count;
    m->request = MPI_REQUEST_NULL;
    m->layout = adjoin_mpi_layout_of(type);
    long bytes = m->layout.numbers == 0 ? adjoin_mpi_bytes_in(type) : 0;
    if (type == MPI_PACKED) {
        adjoin_mpi_layout_free(&m->layout);
        m->layout = adjoin_mpi_layout_of_bytes();
        if (!receives && !along)
            m->segments = adjoin_mpi_segments_in(shadow, count);
    } else if (bytes > 0) {
        adjoin_mpi_layout_free(&m->layout);
        m->layout = adjoin_mpi_layout_of_bytes();
        m->count = count * bytes;
        m->segments = adjoin_mpi_segments_of(buffer, shadow, m->count);
        m->is_bytes = 1;
    }
    if (bytes == 0 && type != MPI_PACKED)
        adjoin_mpi_layout_scatter(call, &m->layout, buffer, &m->shadow, count, type);
    if (buffer == MPI_BOTTOM && m->shadow == NULL && count > 0 && m->layout.numbers > 0)
        adjoin_mpi_fail(call, "numbers behind MPI_BOTTOM have no shadow");
    if (along) {
        m->others = adjoin_mpi_other_directions();
        m->other = adjoin_mpi_tangents(shadow);
    }
    m->size = 1;
    if (bytes == 0)
        MPI_Type_size(type, &m->size);
    /* Bytes and integers that are received are looked at later: nothing active may have gone that way. */
    return adjoin_mpi_travels(m) || (shadow != NULL && receives);
}

/* A message that is about to be sent or received; NULL: nothing is mirrored. */
static struct adjoin_mpi_message *adjoin_mpi_message_new(const char *call, int receives, int along, const void *buffer, void *shadow,
                                                         int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm)
{
    if (peer == MPI_PROC_NULL)
        return NULL;
    struct adjoin_mpi_message *m = adjoin_mpi_allocate(sizeof *m);
    if (!adjoin_mpi_message_describe(m, call, receives, along, buffer, shadow, count, type)) {
        if (along)
            adjoin_mpi_message_check(m, call);
        adjoin_mpi_message_free(m);
        return NULL;
    }
    m->peer = peer;
    m->tag = tag;
    /* MPI_Bsend, MPI_Bsend_init, MPI_Ibsend */
    m->buffered = !receives && (along || call[4] == 'B' || (call[4] == 'I' && call[5] == 'b'));
    m->is_known = !receives || (peer != MPI_ANY_SOURCE && tag != MPI_ANY_TAG);
    if (!adjoin_mpi_travels(m))
        return m;
    m->channel = adjoin_mpi_hold(comm);
    adjoin_mpi_enter();
    adjoin_mpi.tangents |= along;
    if (!receives) {
        m->number = adjoin_mpi_counter(m->channel, peer, tag, 0)->count++;
        m->is_numbered = 1;
        if (m->buffered && !along)
            adjoin_mpi_buffer(m);
        adjoin_mpi_leave();
        return m;
    }
    if (tag == MPI_ANY_TAG && !m->channel->own)
        adjoin_mpi_fail(call, "MPI_ANY_TAG on a communicator that was made where Adjoin could not accompany it");
    adjoin_mpi_line_up(m);
    adjoin_mpi_leave();
    return m;
}

/* The program's message has come. */
static void adjoin_mpi_message_completed(struct adjoin_mpi_message *m, const MPI_Status *status)
{
    if (!m->receives)
        return;
    MPI_Count bytes = 0;
    MPI_Get_elements_x(status, MPI_BYTE, &bytes);
    if (m->size > 0 && bytes % m->size != 0)
        adjoin_mpi_fail("a receive", "a message that ends within an element of the datatype");
    m->count = m->size > 0 ? (long)(bytes / m->size) : 0;
    m->peer = status->MPI_SOURCE;
    m->tag = status->MPI_TAG;
    if (!m->is_known) {
        adjoin_mpi_enter();
        m->is_known = 1;
        if (m->channel != NULL)
            adjoin_mpi_number_receives(m->channel);
        adjoin_mpi_leave();
    }
}

/* Moves numbers between a shadow and what is sent or was received; of bytes only those that are known to be numbers, if any are. */
static void adjoin_mpi_message_move(const struct adjoin_mpi_message *m, int how, char *shadow, char *packed)
{
    if (shadow == NULL)
        return;
    if (!m->is_bytes || m->segments.count == 0) {
        adjoin_mpi_move(how, &m->layout, m->count, shadow, packed);
        return;
    }
    if (how == ADJOIN_MPI_READ)
        memset(packed, 0, (size_t)m->count);
    for (long k = 0; k < m->segments.count; k++) {
        struct adjoin_mpi_segment s = m->segments.segment[k];
        long at = s.at - m->shadow, size = (long)adjoin_mpi_number_size(s.number), room = (m->count - at) / size;
        if (room > 0) /* what came may be shorter */
            adjoin_mpi_move_run(how, s.number, s.number, shadow + at, packed + at, 0, s.count < room ? s.count : room);
    }
}

/* Adjoints or tangents start on their way; another thread may start a buffered send. */
static void adjoin_mpi_message_start_locked(struct adjoin_mpi_message *m)
{
    if (m->has_started || !adjoin_mpi_travels(m))
        return;
    if (!m->is_numbered) {
        if (m->along)
            return; /* later */
        adjoin_mpi_fail("the reverse of a receive", "it was never completed, or one that was posted before it");
    }
    m->has_started = 1;
    long each = m->count * m->layout.numbers, numbers = each * (1 + m->others);
    size_t size = adjoin_mpi_number_size(m->layout.number);
    if (numbers > 2147483647)
        adjoin_mpi_fail("a message", "more numbers than an int can count");
    int sends = m->receives != m->along;
    MPI_Datatype type = adjoin_mpi_number_type(m->layout.number);
    char *memory = m->shadow != NULL ? m->shadow + m->layout.one.offset : NULL; /* if they lie behind one another */
    if (m->layout.numbers == 0)
        memory = NULL;
    else if (!sends || memory == NULL || m->others > 0 || m->buffered || m->segments.count > 0 || !adjoin_mpi_layout_dense(&m->layout)) {
        memory = m->packed = adjoin_mpi_block((size_t)numbers * size);
        for (int d = 0; sends && d <= m->others; d++) {
            char *shadow = adjoin_mpi_message_shadow(m, d), *to = m->packed + (size_t)d * (size_t)each * size;
            if (shadow == NULL)
                memset(to, 0, (size_t)each * size);
            adjoin_mpi_message_move(m, ADJOIN_MPI_READ, shadow, to);
        }
    }
    if (sends)
        MPI_Isend(memory, (int)numbers, type, m->peer, adjoin_mpi_route(m), m->channel->comm, &m->request);
    else
        MPI_Irecv(memory, (int)numbers, type, m->peer, adjoin_mpi_route(m), m->channel->comm, &m->request);
}

static void adjoin_mpi_message_start(struct adjoin_mpi_message *m)
{
    adjoin_mpi_enter();
    if (!m->along)
        adjoin_mpi_start_buffered();
    adjoin_mpi_message_start_locked(m);
    adjoin_mpi_leave();
}

/* The reverses of all buffered sends begin. */
static void adjoin_mpi_start_buffered(void)
{
    adjoin_mpi_enter();
    while (adjoin_mpi_buffered != NULL) {
        struct adjoin_mpi_message *m = adjoin_mpi_buffered;
        adjoin_mpi_buffered = m->next;
        adjoin_mpi_message_start_locked(m);
    }
    adjoin_mpi_leave();
}

/* Tangents that have arrived, or all, are done with. */
static void adjoin_mpi_departed_tidy(int all)
{
    while (adjoin_mpi_departed != NULL) {
        struct adjoin_mpi_message *m = adjoin_mpi_departed;
        int arrived = all;
        if (all)
            MPI_Wait(&m->request, MPI_STATUS_IGNORE);
        else
            MPI_Test(&m->request, &arrived, MPI_STATUS_IGNORE);
        if (!arrived)
            return;
        adjoin_mpi_departed = m->next;
        adjoin_mpi_message_free(m);
    }
}

/* Bytes and integers that were received have no tangent, and their adjoint is zero. */
static void adjoin_mpi_message_without_numbers(struct adjoin_mpi_message *m)
{
    for (int d = 0; d <= m->others; d++) {
        char *shadow = adjoin_mpi_message_shadow(m, d);
        if (m->along)
            adjoin_mpi_layout_clear(&m->layout, m->count, shadow);
        else if (!adjoin_mpi_layout_is_zero(&m->layout, m->count, shadow))
            adjoin_mpi_fail("the reverse of a receive", "active numbers came as bytes or integers; use a floating datatype");
    }
}

static void adjoin_mpi_message_wait(struct adjoin_mpi_message *m);
static int adjoin_mpi_look_at(struct adjoin_mpi_message *m);

/* A receive is complete, and one that was posted before it, from anywhere, is not. That one has its message: it would have taken this one otherwise. So it is asked whose it is until it says so. */
static void adjoin_mpi_find_place(struct adjoin_mpi_message *m)
{
    while (!m->is_numbered) {
        adjoin_mpi_enter();
        for (struct adjoin_mpi_message *before = m->channel->first; before != NULL && before != m; before = before->next)
            if (!before->is_known && adjoin_mpi_may_precede(before, m) && (before->is_probed || !adjoin_mpi_look_at(before)))
                adjoin_mpi_fail("a receive", "one that was posted or probed before it is not complete, and may be of the same kind");
        adjoin_mpi_number_receives(m->channel);
        int found = m->is_numbered;
        adjoin_mpi_leave();
        if (!found)
            sched_yield();
    }
}

/* Adjoints or tangents have come; the message is done with. */
static void adjoin_mpi_message_finish(struct adjoin_mpi_message *m)
{
    if (m == NULL)
        return;
    if (m->layout.numbers == 0) {
        adjoin_mpi_message_without_numbers(m);
        adjoin_mpi_message_start(m);
        adjoin_mpi_message_wait(m);
        adjoin_mpi_windows_merge();
        adjoin_mpi_message_free(m);
        return;
    }
    if (m->along)
        adjoin_mpi_find_place(m);
    adjoin_mpi_message_start(m);
    if (m->along && m->buffered) {
        adjoin_mpi_enter();
        m->next = NULL;
        if (adjoin_mpi_departed == NULL)
            adjoin_mpi_departed = m;
        else
            adjoin_mpi_last_departed->next = m;
        adjoin_mpi_last_departed = m;
        adjoin_mpi_departed_tidy(0);
        adjoin_mpi_leave();
        return;
    }
    adjoin_mpi_message_wait(m);
    if (!m->along)
        adjoin_mpi_windows_merge();
    size_t bytes = (size_t)(m->count * m->layout.numbers) * adjoin_mpi_number_size(m->layout.number);
    for (int d = 0; m->along && m->receives && d <= m->others; d++)
        adjoin_mpi_message_move(m, ADJOIN_MPI_PUT, adjoin_mpi_message_shadow(m, d), m->packed + (size_t)d * bytes);
    if (!m->along && m->receives && m->segments.count > 0)
        adjoin_mpi_message_move(m, ADJOIN_MPI_TAKE, m->shadow, m->packed);
    else if (!m->along && m->receives)
        adjoin_mpi_layout_clear(&m->layout, m->count, m->shadow);
    else if (!m->along && m->layout.number == ADJOIN_MPI_PACK)
        adjoin_mpi_segments_add(&m->segments, m->is_bytes, m->shadow, m->shadow, m->packed, m->count);
    else if (!m->along)
        adjoin_mpi_move(ADJOIN_MPI_ADD, &m->layout, m->count, m->shadow, m->packed);
    adjoin_mpi_message_free(m);
}
