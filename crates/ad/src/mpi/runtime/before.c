/* Persistent requests that were made where nothing is differentiated. Their buffers are in a table, where the derivative reads them like pointers of the program's own; in front of a start it says what the shadow is.
 *
 * Shadows of memory from before belong to addresses, but those of arguments are the caller's: a buffer that may be part of an argument, or lie behind one, must be told apart from others. */
static double *adjoin_mpi_first_buffers[1024];
static double **adjoin_mpi_buffers = adjoin_mpi_first_buffers;
static long adjoin_mpi_places, adjoin_mpi_places_room;

/* What is noted when a derivative begins: variables of the program, and arguments. */
struct adjoin_mpi_object {
    char *start, *shadow;
    unsigned long bytes;
    int is_argument, leads;
};
static _Thread_local struct adjoin_mpi_object *adjoin_mpi_objects;
static _Thread_local long adjoin_mpi_object_count, adjoin_mpi_object_room;

static void adjoin_MPI_objects(void)
{
    adjoin_mpi_object_count = 0;
}

static void adjoin_MPI_object(void *start, unsigned long bytes, void *shadow, int kind)
{
    if (adjoin_mpi_object_count == adjoin_mpi_object_room) {
        long room = adjoin_mpi_object_room > 0 ? 2 * adjoin_mpi_object_room : 16;
        struct adjoin_mpi_object *all = adjoin_mpi_allocate((size_t)room * sizeof *all);
        for (long k = 0; k < adjoin_mpi_object_count; k++)
            all[k] = adjoin_mpi_objects[k];
        free(adjoin_mpi_objects);
        adjoin_mpi_objects = all;
        adjoin_mpi_object_room = room;
    }
    struct adjoin_mpi_object *o = &adjoin_mpi_objects[adjoin_mpi_object_count++];
    o->start = start;
    o->bytes = bytes;
    o->shadow = shadow;
    o->is_argument = kind > 0;
    o->leads = kind > 1;
}

/* The size of a block of the heap, as glibc notes it in front of it; 0: it does not look like one. */
extern int mincore(void *, size_t, unsigned char *);
__attribute__((no_sanitize("address"))) static size_t adjoin_mpi_heap_block(const char *start)
{
    size_t address = (size_t)start, limit = (size_t)1 << 40;
    unsigned char there;
    if (address % 16 != 0 || address % 4096 < 16)
        return 0;
    size_t word = ((const size_t *)start)[-1], size = word & ~(size_t)7;
    if (word & 2)
        return address % 4096 == 16 && size % 4096 == 0 && size > 0 && size < limit ? size - 16 : 0;
    if (size < 32 || size % 16 != 0 || size >= limit)
        return 0;
    const char *next = start + size - sizeof size;
    if (mincore((void *)((size_t)next & ~(size_t)4095), 1, &there) != 0)
        return 0;
    size_t behind = *(const size_t *)next;
    return (behind & 1) && !(behind & 2) && (behind & ~(size_t)7) % 16 == 0 && (behind & ~(size_t)7) >= 16 ? size - sizeof size : 0;
}

/* The shadow of a buffer: the caller's, if it is part of an argument, else the one that was found. */
static char *adjoin_mpi_shadow_before(const char *buffer, char *found)
{
    static const char *why = "the request was made before the derivative was called, and its buffer may be part of an argument, or lie behind one: make the request in what is differentiated";
    const struct adjoin_mpi_object *variable = NULL;
    for (long k = 0; k < adjoin_mpi_object_count && variable == NULL; k++)
        if (!adjoin_mpi_objects[k].is_argument && (size_t)(buffer - adjoin_mpi_objects[k].start) < adjoin_mpi_objects[k].bytes)
            variable = &adjoin_mpi_objects[k];
    for (long k = 0; k < adjoin_mpi_object_count; k++) {
        const struct adjoin_mpi_object *o = &adjoin_mpi_objects[k];
        size_t offset = (size_t)(buffer - o->start);
        if (!o->is_argument)
            continue;
        if (offset < o->bytes)
            return o->shadow + offset;
        if (variable != NULL && (size_t)(o->start - variable->start) >= variable->bytes)
            continue;
        if (variable != NULL && buffer >= o->start)
            return o->shadow + offset;
        if (variable != NULL || o->leads)
            adjoin_mpi_fail("MPI_Start", why);
        size_t size = buffer < o->start ? 1 : adjoin_mpi_heap_block(o->start);
        if (size > 0 && offset < size)
            return o->shadow + offset;
        if (size == 0 && offset < (size_t)1 << 30)
            adjoin_mpi_fail("MPI_Start", why);
    }
    return found;
}

/* A request that was made elsewhere. */
static void adjoin_mpi_prepare_before(const char *call, int receives, const void *buffer, int count, MPI_Datatype type, int peer, int tag,
                                      MPI_Comm comm, MPI_Request request)
{
    adjoin_mpi_prepare(call, receives, 0, buffer, NULL, count, type, peer, tag, comm, request, NULL);
    adjoin_mpi_enter();
    long room = adjoin_mpi_places_room > 0 ? adjoin_mpi_places_room : 1024;
    if (++adjoin_mpi_places == room) {
        /* Somebody may be reading the old table. */
        double **all = adjoin_mpi_allocate(2 * (size_t)room * sizeof *all);
        for (long k = 0; k < room; k++)
            all[k] = adjoin_mpi_buffers[k];
        adjoin_mpi_buffers = all;
        adjoin_mpi_places_room = 2 * room;
    }
    adjoin_mpi_buffers[adjoin_mpi_places] = (double *)buffer;
    adjoin_mpi_find(request)->persistent->place = adjoin_mpi_places;
    adjoin_mpi_leave();
}

#define ADJOIN_MPI_SEND_INITS_BEFORE(MPI_X) \
    ADJOIN_WEAK int MPI_X(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request) \
    { \
        int code = P##MPI_X(buffer, count, type, to, tag, comm, request); \
        if (code == MPI_SUCCESS) \
            adjoin_mpi_prepare_before(#MPI_X, 0, buffer, count, type, to, tag, comm, *request); \
        return code; \
    }
ADJOIN_MPI_SEND_INITS_BEFORE(MPI_Send_init)
ADJOIN_MPI_SEND_INITS_BEFORE(MPI_Ssend_init)
ADJOIN_MPI_SEND_INITS_BEFORE(MPI_Bsend_init)
ADJOIN_MPI_SEND_INITS_BEFORE(MPI_Rsend_init)

ADJOIN_WEAK int MPI_Recv_init(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request *request)
{
    int code = PMPI_Recv_init(buffer, count, type, from, tag, comm, request);
    if (code == MPI_SUCCESS)
        adjoin_mpi_prepare_before("MPI_Recv_init", 1, buffer, count, type, from, tag, comm, *request);
    return code;
}

/* Where its buffer is in the table; 0: a derivative made it, and knows its shadow. */
static int adjoin_MPI_place(MPI_Request *request)
{
    adjoin_mpi_enter();
    struct adjoin_mpi_tracked *t = adjoin_mpi_find(*request);
    int place = t != NULL && t->persistent != NULL ? (int)t->persistent->place : 0;
    adjoin_mpi_leave();
    return place;
}

static void adjoin_mpi_note_buffer(char *buffer, char *shadow, int along, MPI_Request request)
{
    adjoin_mpi_enter();
    struct adjoin_mpi_tracked *t = adjoin_mpi_find(request);
    if (t != NULL && t->persistent != NULL && t->persistent->place > 0) {
        struct adjoin_mpi_persistent *p = t->persistent;
        p->shadow = shadow != NULL ? adjoin_mpi_shadow_before(buffer, shadow) : NULL;
        p->along = along;
        p->is_noted = 1;
        p->is_second = 0;
        p->others = adjoin_mpi_other_directions();
        free(p->other);
        p->other = adjoin_mpi_tangents(shadow);
        if (p->shadow != shadow && p->others > 0)
            adjoin_mpi_fail("MPI_Start", "the request was made before the derivative was called, of an argument, and there are several directions");
    }
    adjoin_mpi_leave();
}

static int MPI_Adjoin_buffer(void *buffer, MPI_Request *request)
{
    (void)buffer;
    (void)request;
    return MPI_SUCCESS;
}

static int adjoin_MPI_Adjoin_buffer_augmented(void *buffer, void *shadow, MPI_Request *request, void **tape)
{
    adjoin_mpi_note_buffer(buffer, shadow, 0, *request);
    *tape = NULL;
    return MPI_SUCCESS;
}

static void adjoin_MPI_Adjoin_buffer_reverse(void *tape)
{
    (void)tape;
}

static int adjoin_MPI_Adjoin_buffer_tangent(void *buffer, void *shadow, MPI_Request *request)
{
    adjoin_mpi_note_buffer(buffer, shadow, 1, *request);
    return MPI_SUCCESS;
}
