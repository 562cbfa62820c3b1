/* Collectives, in both modes.
 *
 * A collective takes numbers from one part of memory (`in`) on some ranks and writes to another (`out`). In the reverse sweep the
 * adjoints of what was written are taken, zero is left behind, they are exchanged the other way round, and what arrives is added to
 * the adjoints of what was read. In forward mode tangents go the way of the numbers. A part without a shadow on this rank
 * sends zeros and drops what arrives, so that all ranks take part.
 *
 * The reverse of a non-blocking collective begins at the reverse of its completion and ends at the reverse of the call. All
 * collectives on a communicator must start in the same order on all ranks, while completions come in any order: a
 * reverse that is ready starts when the reverses of all collectives that were called later on that communicator have started. */

/* How numbers are exchanged. The reverse of an exchange is another one. */
enum {
    ADJOIN_MPI_FROM_ROOT,     /* MPI_Bcast */
    ADJOIN_MPI_SUM_TO_ROOT,   /* MPI_Reduce */
    ADJOIN_MPI_GATHER,        /* MPI_Gather */
    ADJOIN_MPI_SCATTER,       /* MPI_Scatter */
    ADJOIN_MPI_GATHER_TO_ALL, /* MPI_Allgather */
    ADJOIN_MPI_SUM_SCATTER,   /* MPI_Reduce_scatter */
    ADJOIN_MPI_SUM_TO_ALL,    /* MPI_Allreduce */
    ADJOIN_MPI_ALL_TO_ALL,    /* MPI_Alltoall */
    ADJOIN_MPI_EACH_TO_ALL,   /* MPI_Scan: everybody gets everything, and sums up what counts */
    ADJOIN_MPI_NEIGHBOURS     /* MPI_Neighbor_alltoall: see neighbours */
};

static int adjoin_mpi_transposed(int exchange)
{
    return exchange < ADJOIN_MPI_SUM_TO_ALL ? exchange ^ 1 : exchange;
}

/* Shadow memory in blocks, one for each rank or one in all. */
struct adjoin_mpi_part {
    char *bar;
    MPI_Aint offset;  /* of that in the buffer of the call */
    struct adjoin_mpi_layout layout;
    struct adjoin_mpi_layout *each; /* of each block, if they differ */
    int blocks;
    long bytes;       /* in an element of the call, if it is of bytes: then those are what travels; or 1 */
    char *start;      /* the shadow, when it was noted where the numbers in the bytes are: */
    struct adjoin_mpi_segments *segments; /* of each block, or NULL */
    long *counts;     /* elements of each block */
    MPI_Aint *places; /* where each begins, in bytes */
    int *lengths;     /* numbers of each block */
    int *starts;      /* where its numbers begin in a message */
    int total;        /* numbers in all */
    struct {
        long count;
        MPI_Aint place;
        int length, start;
    } one;            /* of a single block */
};

struct adjoin_mpi_collective {
    const char *call;
    int exchange; /* of the call itself */
    struct adjoin_mpi_channel *channel;
    MPI_Comm comm; /* its companion */
    int root, rank, size;
    struct adjoin_mpi_part in, out;
    int number;                       /* what travels */
    int aligned;                      /* the numbers in bytes lie where numbers may */
    int untyped;                      /* bytes: nothing active may be in them */
    struct adjoin_mpi_inputs *inputs; /* what a reduction other than a sum depends on */
    char *product_bar;                /* the tangent of the adjoint of what is read: it depends on the adjoints, too, if this is a product */
    int scan, exclusive;              /* exclusive: a scan without the own rank */
    int forward;                      /* tangents, not adjoints */
    int nonblocking, ready, started;
    int borrows;                      /* all but the shadows belongs to another one: that of the first direction */
    char *sent, *received;
    int *lengths;                     /* of what comes from each rank, and where it goes: bytes that are summed up */
    MPI_Request request, *requests;   /* several in a neighbourhood */
    const int *origins;               /* in a neighbourhood: the numbers that blocks had at their sources */
    struct adjoin_mpi_collective *beside; /* of the same request: in second derivatives there are several */
    struct adjoin_mpi_collective *below; /* called before on the same communicator, its reverse has not started */
};

static void adjoin_mpi_neighbours_start(struct adjoin_mpi_collective *c, MPI_Datatype type);
static void adjoin_mpi_neighbours_wait(struct adjoin_mpi_collective *c);

static void adjoin_mpi_part_free(struct adjoin_mpi_part *part)
{
    adjoin_mpi_layout_free(&part->layout);
    for (int k = 0; part->segments != NULL && k < part->blocks; k++)
        free(part->segments[k].segment);
    free(part->segments);
    for (int k = 0; part->each != NULL && k < part->blocks; k++)
        adjoin_mpi_layout_free(&part->each[k]);
    free(part->each);
    if (part->blocks <= 1)
        return;
    free(part->counts);
    free(part->places);
    free(part->lengths);
    free(part->starts);
}

/* Are numbers only moved, not reduced? Then bytes can go that way, too. */
static int adjoin_mpi_only_moves(int exchange)
{
    return exchange == ADJOIN_MPI_FROM_ROOT || exchange == ADJOIN_MPI_GATHER || exchange == ADJOIN_MPI_SCATTER
        || exchange == ADJOIN_MPI_GATHER_TO_ALL || exchange == ADJOIN_MPI_ALL_TO_ALL;
}

/* Notes where the numbers in bytes are, as far as that is known: adjoints are added to them. */
static void adjoin_mpi_part_note(struct adjoin_mpi_part *part, const char *primal, int packed)
{
    part->start = part->bar;
    part->segments = adjoin_mpi_allocate((size_t)part->blocks * sizeof *part->segments);
    const struct adjoin_mpi_layout *elements = packed ? NULL : adjoin_mpi_elements_of(primal);
    for (int k = 0; part->bar != NULL && k < part->blocks; k++) {
        char *at = part->bar + part->places[k];
        if (packed)
            part->segments[k] = adjoin_mpi_segments_in(at, part->counts[k]);
        else if (elements != NULL && part->places[k] % elements->extent == 0)
            part->segments[k] = adjoin_mpi_segments_of(primal, at, part->counts[k]);
    }
}

/* Adds a block of bytes. */
static void adjoin_mpi_part_add_bytes(const struct adjoin_mpi_part *part, int k, int aligned, char *message)
{
    const struct adjoin_mpi_segments none = {0, 0, NULL};
    if (part->bar == NULL)
        return;
    adjoin_mpi_segments_add(part->segments != NULL ? &part->segments[k] : &none, aligned, part->start + part->places[k],
                            part->bar + part->places[k], message, part->counts[k]);
}

/* Blocks with given counts at given displacements; without displacements, behind one another. */
static void adjoin_mpi_part_blocks(struct adjoin_mpi_collective *c, struct adjoin_mpi_part *part, const void *primal,
                                   void *bar, int blocks, const int *counts, const int *displacements,
                                   MPI_Datatype type)
{
    int moves = adjoin_mpi_only_moves(c->exchange), packed = moves && type == MPI_PACKED;
    long bytes = packed ? 1 : moves ? adjoin_mpi_bytes_in(type) : 0;
    part->bytes = bytes > 0 ? bytes : 1;
    part->layout = bytes > 0 ? adjoin_mpi_layout_of_bytes() : adjoin_mpi_layout_of(type);
    part->bar = bar;
    part->blocks = blocks;
    long elements = 0;
    for (int k = 0; k < blocks; k++)
        elements += counts[k];
    if (bytes == 0)
        adjoin_mpi_layout_scatter(c->call, &part->layout, primal, &part->bar, elements, type);
    if (blocks <= 1) {
        part->counts = &part->one.count;
        part->places = &part->one.place;
        part->lengths = &part->one.length;
        part->starts = &part->one.start;
    } else {
        part->counts = adjoin_mpi_allocate((size_t)blocks * sizeof *part->counts);
        part->places = adjoin_mpi_allocate((size_t)blocks * sizeof *part->places);
        part->lengths = adjoin_mpi_allocate((size_t)blocks * sizeof *part->lengths);
        part->starts = adjoin_mpi_allocate((size_t)blocks * sizeof *part->starts);
    }
    long before = 0, numbers = 0;
    for (int k = 0; k < blocks; k++) {
        long count = counts[k] * part->bytes;
        part->counts[k] = count;
        part->places[k] = (displacements != NULL ? displacements[k] * part->bytes : before) * part->layout.extent;
        part->lengths[k] = (int)(count * part->layout.numbers);
        part->starts[k] = (int)numbers;
        before += count;
        numbers += count * part->layout.numbers;
        if (numbers > 2147483647)
            adjoin_mpi_fail(c->call, "more numbers than an int can count");
    }
    part->total = (int)numbers;
    if (part->layout.untyped && before > 0 && numbers > 0)
        adjoin_mpi_fail(c->call, "a datatype of numbers and bytes, or of a kind that is not known");
    /* Numbers must not travel as integers either. */
    c->untyped |= part->layout.untyped || (numbers == 0 && bar != NULL);
    if (primal == MPI_BOTTOM && part->bar == NULL && numbers > 0)
        adjoin_mpi_fail(c->call, "numbers behind MPI_BOTTOM have no shadow");
    c->aligned = !packed;
    if (bytes > 0 && part == &c->in)
        adjoin_mpi_part_note(part, primal, packed);
    if ((c->number == ADJOIN_MPI_PACK) != (bytes > 0) && c->number != ADJOIN_MPI_NO_NUMBER && part->layout.number != ADJOIN_MPI_NO_NUMBER)
        adjoin_mpi_fail(c->call, "numbers on one side, bytes on the other");
    c->number = part->layout.number;
}

static const struct adjoin_mpi_layout *adjoin_mpi_part_layout(const struct adjoin_mpi_part *part, int block)
{
    return part->each != NULL ? &part->each[block] : &part->layout;
}

/* Equal blocks behind one another. */
static void adjoin_mpi_part_equal(struct adjoin_mpi_collective *c, struct adjoin_mpi_part *part, const void *primal,
                                  void *bar, int blocks, int count, MPI_Datatype type)
{
    if (blocks == 1) {
        adjoin_mpi_part_blocks(c, part, primal, bar, 1, &count, NULL, type);
        return;
    }
    int *counts = adjoin_mpi_allocate((size_t)blocks * sizeof *counts);
    for (int k = 0; k < blocks; k++)
        counts[k] = count;
    adjoin_mpi_part_blocks(c, part, primal, bar, blocks, counts, NULL, type);
    free(counts);
}

/* This rank's own block of a part: with MPI_IN_PLACE it is read, or left, where it is. */
static void adjoin_mpi_part_own(struct adjoin_mpi_collective *c, struct adjoin_mpi_part *own,
                                const struct adjoin_mpi_part *all, const void *primal, MPI_Datatype type)
{
    char *bar = all->bar != NULL ? all->bar + all->places[c->rank] : NULL;
    adjoin_mpi_part_equal(c, own, primal, bar, 1, (int)(all->counts[c->rank] / all->bytes), type);
    own->offset = all->places[c->rank];
    /* Numbers were noted as if it began with an element. */
    const struct adjoin_mpi_layout *elements = own->segments != NULL ? adjoin_mpi_elements_of(primal) : NULL;
    if (elements != NULL && type != MPI_PACKED && own->offset % elements->extent != 0)
        own->segments[0].count = 0;
}

static struct adjoin_mpi_collective *adjoin_mpi_collective_new(const char *call, int exchange, int root, MPI_Comm comm)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_allocate(sizeof *c);
    c->call = call;
    c->exchange = exchange;
    c->channel = adjoin_mpi_hold(comm);
    if (c->channel->inter)
        adjoin_mpi_fail(call, "a collective on an intercommunicator");
    c->comm = c->channel->comm;
    c->root = root;
    c->request = MPI_REQUEST_NULL;
    c->rank = c->channel->rank;
    c->size = c->channel->size;
    return c;
}

static void adjoin_mpi_collective_free(struct adjoin_mpi_collective *c)
{
    if (!c->borrows) {
        adjoin_mpi_inputs_free(c->inputs);
        adjoin_mpi_part_free(&c->in);
        adjoin_mpi_part_free(&c->out);
        adjoin_mpi_release(c->channel);
    }
    free(c->lengths);
    adjoin_mpi_block_free(c->sent);
    adjoin_mpi_block_free(c->received);
    free(c);
}

/* Where the numbers in bytes are cannot be known: all that belongs to them must be zero. */
static void adjoin_mpi_collective_check(const struct adjoin_mpi_collective *c, const struct adjoin_mpi_part *part)
{
    for (int k = 0; k < part->blocks; k++)
        if (part->bar != NULL && !adjoin_mpi_layout_is_zero(&part->layout, part->counts[k], part->bar + part->places[k]))
            adjoin_mpi_fail(c->call, "active numbers travel as integers, MPI_BYTE, MPI_PACKED or a datatype that is not known");
}

/* The call has been made: what the reverse sweep needs, or nothing if no numbers travelled. */
static void *adjoin_mpi_collective_called(struct adjoin_mpi_collective *c)
{
    if (c->number == ADJOIN_MPI_NO_NUMBER && adjoin_mpi_ordered && c->nonblocking)
        adjoin_mpi_fail(c->call, "a non-blocking collective without numbers in a program that locks windows: it may order what is done to them");
    if (c->number == ADJOIN_MPI_NO_NUMBER && !c->untyped && !adjoin_mpi_ordered) {
        adjoin_mpi_collective_free(c);
        return NULL;
    }
    if (c->number == ADJOIN_MPI_NO_NUMBER)
        return c;
    adjoin_mpi_enter();
    c->below = c->channel->pending;
    c->channel->pending = c;
    adjoin_mpi_leave();
    return c;
}

/* The sum of bytes: everybody's go to who adds them up, and knows where there are numbers. */
static void adjoin_mpi_exchange_bytes(struct adjoin_mpi_collective *c, int exchange)
{
    struct adjoin_mpi_part *from = &c->out, *to = &c->in;
    if (exchange == ADJOIN_MPI_SUM_TO_ROOT) {
        MPI_Igather(c->sent, from->total, MPI_BYTE, c->received, from->total, MPI_BYTE, c->root, c->comm, &c->request);
        return;
    }
    c->lengths = adjoin_mpi_allocate(2 * (size_t)c->size * sizeof *c->lengths);
    for (int k = 0; k < c->size; k++) {
        c->lengths[k] = to->total;
        c->lengths[c->size + k] = k * to->total;
    }
    MPI_Ialltoallv(c->sent, from->lengths, from->starts, MPI_BYTE, c->received, c->lengths, c->lengths + c->size, MPI_BYTE, c->comm, &c->request);
}

/* Bytes come from all ranks, and are added up. */
static int adjoin_mpi_sums_bytes(const struct adjoin_mpi_collective *c, int exchange)
{
    return c->number == ADJOIN_MPI_PACK && (exchange == ADJOIN_MPI_SUM_TO_ROOT || exchange == ADJOIN_MPI_SUM_SCATTER);
}

/* Starts an exchange that goes on in the background. */
static void adjoin_mpi_exchange_start(struct adjoin_mpi_collective *c, int exchange, MPI_Datatype type)
{
    struct adjoin_mpi_part *from = c->forward ? &c->in : &c->out, *to = c->forward ? &c->out : &c->in;
    switch (exchange) {
    case ADJOIN_MPI_FROM_ROOT:
        MPI_Ibcast(c->received, to->total, type, c->root, c->comm, &c->request);
        break;
    case ADJOIN_MPI_SUM_TO_ROOT:
        MPI_Ireduce(c->sent, c->received, from->total, type, MPI_SUM, c->root, c->comm, &c->request);
        break;
    case ADJOIN_MPI_GATHER:
        MPI_Igatherv(c->sent, from->total, type, c->received, to->lengths, to->starts, type, c->root, c->comm,
                     &c->request);
        break;
    case ADJOIN_MPI_SCATTER:
        MPI_Iscatterv(c->sent, from->lengths, from->starts, type, c->received, to->total, type, c->root, c->comm,
                      &c->request);
        break;
    case ADJOIN_MPI_GATHER_TO_ALL:
        MPI_Iallgatherv(c->sent, from->total, type, c->received, to->lengths, to->starts, type, c->comm, &c->request);
        break;
    case ADJOIN_MPI_SUM_SCATTER:
        MPI_Ireduce_scatter(c->sent, c->received, from->lengths, type, MPI_SUM, c->comm, &c->request);
        break;
    case ADJOIN_MPI_SUM_TO_ALL:
        MPI_Iallreduce(c->sent, c->received, from->total, type, MPI_SUM, c->comm, &c->request);
        break;
    case ADJOIN_MPI_ALL_TO_ALL:
        MPI_Ialltoallv(c->sent, from->lengths, from->starts, type, c->received, to->lengths, to->starts, type, c->comm,
                       &c->request);
        break;
    default:
        MPI_Iallgather(c->sent, from->total, type, c->received, from->total, type, c->comm, &c->request);
    }
}

static void adjoin_mpi_exchange(struct adjoin_mpi_collective *c, int exchange, MPI_Datatype type)
{
    struct adjoin_mpi_part *from = c->forward ? &c->in : &c->out, *to = c->forward ? &c->out : &c->in;
    switch (exchange) {
    case ADJOIN_MPI_FROM_ROOT:
        MPI_Bcast(c->received, to->total, type, c->root, c->comm);
        break;
    case ADJOIN_MPI_SUM_TO_ROOT:
        MPI_Reduce(c->sent, c->received, from->total, type, MPI_SUM, c->root, c->comm);
        break;
    case ADJOIN_MPI_GATHER:
        MPI_Gatherv(c->sent, from->total, type, c->received, to->lengths, to->starts, type, c->root, c->comm);
        break;
    case ADJOIN_MPI_SCATTER:
        MPI_Scatterv(c->sent, from->lengths, from->starts, type, c->received, to->total, type, c->root, c->comm);
        break;
    case ADJOIN_MPI_GATHER_TO_ALL:
        MPI_Allgatherv(c->sent, from->total, type, c->received, to->lengths, to->starts, type, c->comm);
        break;
    case ADJOIN_MPI_SUM_SCATTER:
        MPI_Reduce_scatter(c->sent, c->received, from->lengths, type, MPI_SUM, c->comm);
        break;
    case ADJOIN_MPI_SUM_TO_ALL:
        MPI_Allreduce(c->sent, c->received, from->total, type, MPI_SUM, c->comm);
        break;
    case ADJOIN_MPI_ALL_TO_ALL:
        MPI_Alltoallv(c->sent, from->lengths, from->starts, type, c->received, to->lengths, to->starts, type, c->comm);
        break;
    default:
        MPI_Allgather(c->sent, from->total, type, c->received, from->total, type, c->comm);
    }
}

/* The exchange of tangents or adjoints. */
static int adjoin_mpi_collective_exchange(const struct adjoin_mpi_collective *c)
{
    if (!c->forward)
        return adjoin_mpi_transposed(c->exchange);
    /* Tangents can be weighed only once the inputs are there, and a non-blocking call must not wait for them. Operations of the program's own need those of all ranks. */
    return c->inputs != NULL && (c->nonblocking || c->inputs->own != NULL) ? ADJOIN_MPI_EACH_TO_ALL : c->exchange;
}

/* Takes tangents or adjoints and exchanges them, or starts to. */
static void adjoin_mpi_collective_start(struct adjoin_mpi_collective *c)
{
    if (!c->forward)
        adjoin_mpi_start_buffered();
    size_t size = adjoin_mpi_number_size(c->number);
    struct adjoin_mpi_part *from = c->forward ? &c->in : &c->out, *to = c->forward ? &c->out : &c->in;
    int exchange = adjoin_mpi_collective_exchange(c);
    size_t received = exchange == ADJOIN_MPI_EACH_TO_ALL ? (size_t)from->total * (size_t)c->size : (size_t)to->total;
    if (adjoin_mpi_sums_bytes(c, exchange))
        received *= (size_t)c->size;
    c->sent = adjoin_mpi_block((size_t)from->total * size);
    c->received = adjoin_mpi_block(received * size);
    if (from->bar == NULL)
        memset(c->sent, 0, (size_t)from->total * size);
    for (int k = 0; k < from->blocks; k++)
        if (from->bar != NULL)
            adjoin_mpi_move(c->forward ? ADJOIN_MPI_READ : ADJOIN_MPI_TAKE, adjoin_mpi_part_layout(from, k), from->counts[k],
                            from->bar + from->places[k], c->sent + (size_t)from->starts[k] * size);
    if (c->forward && c->inputs != NULL && exchange != ADJOIN_MPI_EACH_TO_ALL)
        adjoin_mpi_inputs_scale(c->inputs, c->rank, c->size, c->number, 0, c->sent);
    if (exchange == ADJOIN_MPI_FROM_ROOT && c->rank == c->root)
        memcpy(c->received, c->sent, (size_t)from->total * size);
    c->started = 1;
    if (exchange == ADJOIN_MPI_NEIGHBOURS)
        adjoin_mpi_neighbours_start(c, adjoin_mpi_number_type(c->number));
    else if (adjoin_mpi_sums_bytes(c, exchange))
        adjoin_mpi_exchange_bytes(c, exchange);
    else if (c->nonblocking)
        adjoin_mpi_exchange_start(c, exchange, adjoin_mpi_number_type(c->number));
    else
        adjoin_mpi_exchange(c, exchange, adjoin_mpi_number_type(c->number));
}

/* What has arrived goes to the tangents, or is added to the adjoints. */
static void adjoin_mpi_collective_finish(struct adjoin_mpi_collective *c)
{
    size_t size = adjoin_mpi_number_size(c->number);
    struct adjoin_mpi_part *to = c->forward ? &c->out : &c->in;
    MPI_Wait(&c->request, MPI_STATUS_IGNORE);
    if (c->requests != NULL)
        adjoin_mpi_neighbours_wait(c);
    if (!c->forward)
        adjoin_mpi_windows_merge();
    int all = c->forward && adjoin_mpi_collective_exchange(c) == ADJOIN_MPI_EACH_TO_ALL;
    if (all) {
        int ranks = c->scan ? c->rank + 1 - c->exclusive : c->size;
        long first = c->exchange == ADJOIN_MPI_SUM_SCATTER ? c->in.starts[c->rank] : 0;
        adjoin_mpi_sum_tangents(c->inputs, ranks, first, to->total, c->in.total, c->number, c->received);
    }
    if (c->product_bar != NULL) {
        char *more = adjoin_mpi_allocate((size_t)c->in.total * size);
        adjoin_mpi_product_second(c->inputs, c->rank, c->size, c->scan, c->exclusive, c->number, c->received, more);
        for (int k = 0; k < c->in.blocks; k++)
            adjoin_mpi_move(ADJOIN_MPI_ADD, adjoin_mpi_part_layout(&c->in, k), c->in.counts[k], c->product_bar + c->in.places[k],
                            more + (size_t)c->in.starts[k] * size);
        free(more);
    }
    if (c->scan && !all)
        adjoin_mpi_scan_adjoint(c->inputs, c->rank, c->size, c->exclusive, c->in.total, c->number, c->received);
    else if (!c->forward && c->inputs != NULL)
        adjoin_mpi_inputs_scale(c->inputs, c->rank, c->size, c->number, 1, c->received);
    if (!c->forward && c->number == ADJOIN_MPI_PACK) {
        int all_ranks = adjoin_mpi_sums_bytes(c, adjoin_mpi_collective_exchange(c)) ? c->size : 1;
        for (int j = 0; j < all_ranks; j++)
            for (int k = 0; k < to->blocks; k++)
                adjoin_mpi_part_add_bytes(to, k, c->aligned, c->received + (size_t)j * (size_t)to->total + to->starts[k]);
        adjoin_mpi_collective_free(c);
        return;
    }
    for (int k = 0; k < to->blocks; k++)
        if (to->bar != NULL)
            adjoin_mpi_move(c->forward ? ADJOIN_MPI_PUT : ADJOIN_MPI_ADD, adjoin_mpi_part_layout(to, k), to->counts[k],
                            to->bar + to->places[k], c->received + (size_t)to->starts[k] * size);
    adjoin_mpi_collective_free(c);
}

/* Takes a collective from those that are pending on its communicator. */
static void adjoin_mpi_collective_remove(struct adjoin_mpi_collective *c)
{
    struct adjoin_mpi_collective **link = &c->channel->pending;
    while (*link != NULL && *link != c)
        link = &(*link)->below;
    if (*link == c)
        *link = c->below;
}

/* Starts the reverses that are ready and whose turn it is. */
static void adjoin_mpi_collective_start_ready(struct adjoin_mpi_channel *channel)
{
    while (channel->pending != NULL && channel->pending->ready) {
        struct adjoin_mpi_collective *c = channel->pending;
        channel->pending = c->below;
        adjoin_mpi_collective_start(c);
    }
}

/* The reverse of the completion of a non-blocking collective. */
static void adjoin_mpi_collective_ready(struct adjoin_mpi_collective *c)
{
    if (c->number == ADJOIN_MPI_NO_NUMBER)
        return;
    adjoin_mpi_enter();
    c->ready = 1;
    adjoin_mpi_collective_start_ready(c->channel);
    adjoin_mpi_leave();
}

/* The reverse of a call of a collective, blocking or not. */
static void adjoin_mpi_collective_reverse(void *tape)
{
    struct adjoin_mpi_collective *c = tape;
    if (c == NULL)
        return;
    if (c->number == ADJOIN_MPI_NO_NUMBER) {
        if (c->untyped)
            adjoin_mpi_collective_check(c, &c->out);
        if (adjoin_mpi_ordered)
            MPI_Barrier(c->comm);
        adjoin_mpi_windows_merge();
        adjoin_mpi_collective_free(c);
        return;
    }
    if (!c->started) {
        adjoin_mpi_enter();
        adjoin_mpi_collective_remove(c);
        adjoin_mpi_leave();
        adjoin_mpi_collective_start(c);
        adjoin_mpi_enter();
        adjoin_mpi_collective_start_ready(c->channel);
        adjoin_mpi_leave();
    }
    adjoin_mpi_collective_finish(c);
}

/* The same collective for the tangents in another direction. */
static struct adjoin_mpi_collective *adjoin_mpi_collective_in_direction(const struct adjoin_mpi_collective *c, int direction)
{
    struct adjoin_mpi_collective *other = adjoin_mpi_allocate(sizeof *other);
    *other = *c;
    other->borrows = 1;
    other->in.bar = adjoin_mpi_in_direction(direction, c->in.bar, c->in.offset);
    other->out.bar = adjoin_mpi_in_direction(direction, c->out.bar, c->out.offset);
    return other;
}

/* No numbers travel; what travels as bytes or integers has no tangent. */
static int adjoin_mpi_collective_is_empty(struct adjoin_mpi_collective *c)
{
    if (c->number != ADJOIN_MPI_NO_NUMBER)
        return 0;
    for (int d = adjoin_mpi_other_directions(); c->untyped && d >= 0; d--) {
        struct adjoin_mpi_part part = c->in;
        part.bar = d > 0 ? adjoin_mpi_in_direction(d, c->in.bar, c->in.offset) : c->in.bar;
        adjoin_mpi_collective_check(c, &part);
        char *out = d > 0 ? adjoin_mpi_in_direction(d, c->out.bar, c->out.offset) : c->out.bar;
        for (int k = 0; out != NULL && k < c->out.blocks; k++)
            adjoin_mpi_layout_clear(&c->out.layout, c->out.counts[k], out + c->out.places[k]);
    }
    adjoin_mpi_collective_free(c);
    return 1;
}

/* The tangents of a blocking collective, behind the call. */
static void adjoin_mpi_collective_tangents(struct adjoin_mpi_collective *c)
{
    c->forward = 1;
    if (adjoin_mpi_collective_is_empty(c))
        return;
    for (int d = adjoin_mpi_other_directions(); d >= 0; d--) {
        struct adjoin_mpi_collective *each = d > 0 ? adjoin_mpi_collective_in_direction(c, d) : c;
        adjoin_mpi_collective_start(each);
        adjoin_mpi_collective_finish(each);
    }
}

/* The tangents of a non-blocking collective start with the call; whoever completes the request finishes them, that of the first direction last. */
static struct adjoin_mpi_collective *adjoin_mpi_collective_tangents_start(struct adjoin_mpi_collective *c)
{
    struct adjoin_mpi_collective *first = c;
    c->forward = 1;
    c->nonblocking = 1;
    if (adjoin_mpi_collective_is_empty(c))
        return NULL;
    for (int d = adjoin_mpi_other_directions(); d > 0; d--) {
        struct adjoin_mpi_collective *other = adjoin_mpi_collective_in_direction(c, d);
        adjoin_mpi_collective_start(other);
        other->beside = first;
        first = other;
    }
    adjoin_mpi_collective_start(c);
    return first;
}
