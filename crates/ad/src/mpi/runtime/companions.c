/* Communicators for adjoints and tangents.
 *
 * Reverse messages must not meet the program's own: another rank may still be receiving with MPI_ANY_TAG, and a communicator may be freed before the
 * reverse sweep. So every communicator has a companion, made together with it: that is collective, as making one at the first message would
 * not be. The profiling interface of MPI lets these definitions stand before the library's. A communicator from elsewhere (a library that
 * was linked without them) has none: its messages then use tags of the upper half, and MPI_ANY_TAG is refused.
 *
 * A companion is freed with its communicator, or, if tapes still need it then, with the last of them. That may be at different times on different ranks: MPI expects
 * MPI_Comm_free to be local. */
struct adjoin_mpi_counter {
    int peer, tag, receives, used;
    unsigned long count;
};

struct adjoin_mpi_message;
static void adjoin_mpi_start_buffered(void);
struct adjoin_mpi_neighbours;
struct adjoin_mpi_collective;
static void adjoin_mpi_neighbours_free(struct adjoin_mpi_neighbours *neighbours, int finalized);
static void adjoin_mpi_departed_tidy(int all);
static int adjoin_mpi_finalize(void);

struct adjoin_mpi_channel {
    MPI_Comm comm;        /* the companion, or the communicator itself if it has none */
    int base;             /* the first tag, and how many there are */
    unsigned long tags;
    int rank, size, inter; /* of the communicator */
    int own;              /* it has a companion */
    int freed;            /* the communicator is no more: the companion goes with what still needs it */
    long uses;            /* messages and collectives that hold it */
    struct adjoin_mpi_counter *counter;   /* messages so far, by peer, tag and direction: a hash table */
    size_t counters, room;
    struct adjoin_mpi_message *first, *last; /* receives whose place in the sequence of messages is not known yet */
    struct adjoin_mpi_collective *pending; /* collectives whose reverses have not started, last one first */
    struct adjoin_mpi_neighbours *neighbours; /* NULL before the first collective of a neighbourhood */
    struct adjoin_mpi_channel *next;
};

/* What the whole program shares. */
struct adjoin_mpi_tracked;
struct adjoin_mpi_shared {
    int keyval, has_keyval;
    struct adjoin_mpi_channel *channels;
    struct adjoin_mpi_tracked *tracked; /* requests that stand for something */
    long live, room;
    long uses;          /* of all channels */
    int tangents;       /* have tangents travelled in messages? */
    int should_finalize; /* the program has called MPI_Finalize in what is differentiated: its reverse sweep communicates first */
};
static struct adjoin_mpi_shared adjoin_mpi;

/* The channel of a communicator. To make one with a companion is collective. */
static struct adjoin_mpi_channel *adjoin_mpi_channel_of(MPI_Comm comm, int with_companion)
{
    void *found;
    int *bound, flag;
    struct adjoin_mpi_channel *channel;
    if (!adjoin_mpi.has_keyval) {
        PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &adjoin_mpi.keyval, NULL);
        adjoin_mpi.has_keyval = 1;
    }
    PMPI_Comm_get_attr(comm, adjoin_mpi.keyval, &found, &flag);
    if (flag && (!with_companion || ((struct adjoin_mpi_channel *)found)->own))
        return (struct adjoin_mpi_channel *)found;
    PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &bound, &flag);
    channel = (struct adjoin_mpi_channel *)adjoin_mpi_allocate(sizeof *channel);
    channel->next = adjoin_mpi.channels;
    adjoin_mpi.channels = channel;
    PMPI_Comm_rank(comm, &channel->rank);
    PMPI_Comm_size(comm, &channel->size);
    PMPI_Comm_test_inter(comm, &channel->inter);
    if (channel->size == 1 && !channel->inter)
        with_companion = 1; /* alone, one can make it at any time: MPI_COMM_SELF */
    channel->comm = comm;
    channel->own = with_companion;
    channel->tags = flag ? (unsigned long)*bound : 32767; /* the last one is for questions */
    if (with_companion) {
        PMPI_Comm_dup(comm, &channel->comm);
        PMPI_Comm_set_errhandler(channel->comm, MPI_ERRORS_ARE_FATAL); /* nobody would look */
    } else {
        channel->tags /= 2;
        channel->base = (int)channel->tags;
    }
    PMPI_Comm_set_attr(comm, adjoin_mpi.keyval, channel);
    return channel;
}

static void adjoin_mpi_channel_free(struct adjoin_mpi_channel *channel)
{
    struct adjoin_mpi_channel **link = &adjoin_mpi.channels;
    int finalized = 0;
    while (*link != NULL && *link != channel)
        link = &(*link)->next;
    if (*link != NULL)
        *link = channel->next;
    PMPI_Finalized(&finalized);
    if (channel->own && !finalized)
        PMPI_Comm_free(&channel->comm);
    adjoin_mpi_neighbours_free(channel->neighbours, finalized);
    free(channel->counter);
    free(channel);
}

/* Something that holds a channel begins, or ends. */
static struct adjoin_mpi_channel *adjoin_mpi_hold(MPI_Comm comm)
{
    adjoin_mpi_enter();
    struct adjoin_mpi_channel *channel = adjoin_mpi_channel_of(comm, 0);
    channel->uses++;
    adjoin_mpi.uses++;
    adjoin_mpi_leave();
    return channel;
}

/* At the end of the reverse sweep, or of the program if there was none. */
static void adjoin_mpi_finalize_late(void)
{
    if (!adjoin_mpi.should_finalize)
        return;
    adjoin_mpi.should_finalize = 0;
    adjoin_mpi_finalize();
}

static void adjoin_mpi_release(struct adjoin_mpi_channel *channel)
{
    if (channel == NULL)
        return;
    adjoin_mpi_enter();
    if (--channel->uses == 0 && channel->freed)
        adjoin_mpi_channel_free(channel);
    int is_last = --adjoin_mpi.uses == 0 && adjoin_mpi.should_finalize;
    adjoin_mpi_leave();
    if (is_last)
        adjoin_mpi_finalize_late();
}

/* Frees a communicator by a function of the library's. */
static int adjoin_mpi_part_from(MPI_Comm *comm, int (*release)(MPI_Comm *))
{
    void *found = NULL;
    int flag = 0;
    if (adjoin_mpi.has_keyval && *comm != MPI_COMM_NULL)
        PMPI_Comm_get_attr(*comm, adjoin_mpi.keyval, &found, &flag);
    int result = release(comm);
    struct adjoin_mpi_channel *channel = flag && result == MPI_SUCCESS ? (struct adjoin_mpi_channel *)found : NULL;
    if (channel != NULL) {
        channel->freed = 1;
        if (channel->uses == 0)
            adjoin_mpi_channel_free(channel);
    }
    return result;
}

static int adjoin_mpi_accompany(int result, const MPI_Comm *made)
{
    if (result == MPI_SUCCESS && *made != MPI_COMM_NULL)
        adjoin_mpi_channel_of(*made, 1);
    return result;
}

#define ADJOIN_WEAK __attribute__((weak))

ADJOIN_WEAK int MPI_Init(int *argc, char ***argv)
{
    MPI_Comm world = MPI_COMM_WORLD;
    return adjoin_mpi_accompany(PMPI_Init(argc, argv), &world);
}

ADJOIN_WEAK int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    MPI_Comm world = MPI_COMM_WORLD;
    return adjoin_mpi_accompany(PMPI_Init_thread(argc, argv, required, provided), &world);
}

ADJOIN_WEAK int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *made)
{
    return adjoin_mpi_accompany(PMPI_Comm_dup(comm, made), made);
}

ADJOIN_WEAK int MPI_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *made)
{
    return adjoin_mpi_accompany(PMPI_Comm_dup_with_info(comm, info, made), made);
}

/* Complete at once: a companion can only be made of what is there. */
ADJOIN_WEAK int MPI_Comm_idup(MPI_Comm comm, MPI_Comm *made, MPI_Request *request)
{
    *request = MPI_REQUEST_NULL;
    return adjoin_mpi_accompany(PMPI_Comm_dup(comm, made), made);
}

ADJOIN_WEAK int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *made)
{
    return adjoin_mpi_accompany(PMPI_Comm_split(comm, color, key, made), made);
}

ADJOIN_WEAK int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *made)
{
    return adjoin_mpi_accompany(PMPI_Comm_split_type(comm, type, key, info, made), made);
}

ADJOIN_WEAK int MPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm *made)
{
    return adjoin_mpi_accompany(PMPI_Comm_create(comm, group, made), made);
}

ADJOIN_WEAK int MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *made)
{
    return adjoin_mpi_accompany(PMPI_Comm_create_group(comm, group, tag, made), made);
}

ADJOIN_WEAK int MPI_Cart_create(MPI_Comm comm, int dimensions, const int *sizes, const int *periods, int reorder, MPI_Comm *made)
{
    return adjoin_mpi_accompany(PMPI_Cart_create(comm, dimensions, sizes, periods, reorder, made), made);
}

ADJOIN_WEAK int MPI_Cart_sub(MPI_Comm comm, const int *remain, MPI_Comm *made)
{
    return adjoin_mpi_accompany(PMPI_Cart_sub(comm, remain, made), made);
}

ADJOIN_WEAK int MPI_Graph_create(MPI_Comm comm, int nodes, const int *index, const int *edges, int reorder, MPI_Comm *made)
{
    return adjoin_mpi_accompany(PMPI_Graph_create(comm, nodes, index, edges, reorder, made), made);
}

ADJOIN_WEAK int MPI_Dist_graph_create(MPI_Comm comm, int count, const int *sources, const int *degrees, const int *targets,
                                      const int *weights, MPI_Info info, int reorder, MPI_Comm *made)
{
    return adjoin_mpi_accompany(PMPI_Dist_graph_create(comm, count, sources, degrees, targets, weights, info, reorder, made),
                                made);
}

ADJOIN_WEAK int MPI_Dist_graph_create_adjacent(MPI_Comm comm, int in, const int *sources, const int *source_weights, int out,
                                               const int *targets, const int *target_weights, MPI_Info info, int reorder,
                                               MPI_Comm *made)
{
    return adjoin_mpi_accompany(PMPI_Dist_graph_create_adjacent(comm, in, sources, source_weights, out, targets,
                                                                target_weights, info, reorder, made),
                                made);
}

ADJOIN_WEAK int MPI_Intercomm_create(MPI_Comm local, int leader, MPI_Comm peers, int remote, int tag, MPI_Comm *made)
{
    return adjoin_mpi_accompany(PMPI_Intercomm_create(local, leader, peers, remote, tag, made), made);
}

ADJOIN_WEAK int MPI_Intercomm_merge(MPI_Comm comm, int high, MPI_Comm *made)
{
    return adjoin_mpi_accompany(PMPI_Intercomm_merge(comm, high, made), made);
}

/* Tangents arrive before the end, and reverses of what has been exchanged are still to come. */
ADJOIN_WEAK int MPI_Finalize(void)
{
    adjoin_mpi_departed_tidy(1);
    if (adjoin_mpi.uses > 0) {
        adjoin_mpi.should_finalize = 1;
        atexit(adjoin_mpi_finalize_late);
        return MPI_SUCCESS;
    }
    return adjoin_mpi_finalize();
}

ADJOIN_WEAK int MPI_Comm_free(MPI_Comm *comm)
{
    return adjoin_mpi_part_from(comm, PMPI_Comm_free);
}

ADJOIN_WEAK int MPI_Comm_disconnect(MPI_Comm *comm)
{
    return adjoin_mpi_part_from(comm, PMPI_Comm_disconnect);
}

/* The counter of the messages of one kind between two ranks. */
static struct adjoin_mpi_counter *adjoin_mpi_counter(struct adjoin_mpi_channel *channel, int peer, int tag, int receives)
{
    size_t at, k;
    if (2 * channel->counters >= channel->room) {
        struct adjoin_mpi_counter *old = channel->counter;
        size_t room = channel->room;
        channel->room = room ? 2 * room : 16;
        channel->counter = (struct adjoin_mpi_counter *)adjoin_mpi_allocate(sizeof *old * channel->room);
        channel->counters = 0;
        for (k = 0; k < room; k++)
            if (old[k].used)
                adjoin_mpi_counter(channel, old[k].peer, old[k].tag, old[k].receives)->count = old[k].count;
        free(old);
    }
    at = ((size_t)peer * 2654435761u + (size_t)tag * 40503u + (size_t)receives) % channel->room;
    for (;; at = (at + 1) % channel->room) {
        struct adjoin_mpi_counter *c = channel->counter + at;
        if (!c->used) {
            c->used = 1;
            c->peer = peer;
            c->tag = tag;
            c->receives = receives;
            channel->counters++;
            return c;
        }
        if (c->peer == peer && c->tag == tag && c->receives == receives)
            return c;
    }
}
