/* The numbers in a buffer of an MPI datatype: where they lie, and as what they travel between shadows.
 *
 * A datatype is taken apart once per call into runs of equal numbers. So structs of numbers and integers, columns and blocks of
 * matrices and complex numbers need no rules of their own, and a datatype may be freed before the reverse sweep. */

/* What a run holds, and what a message of adjoints is made of. */
enum {
    ADJOIN_MPI_NO_NUMBER, /* integers: nothing to do */
    ADJOIN_MPI_FLOAT,
    ADJOIN_MPI_DOUBLE,
    ADJOIN_MPI_LONG_DOUBLE,
    ADJOIN_MPI_PACK /* bytes of MPI_PACKED: see pack */
};

struct adjoin_mpi_run {
    MPI_Aint offset; /* in bytes, from the beginning of an element */
    int number;
    long count;
};

struct adjoin_mpi_layout {
    int number;      /* the numbers travel as this; mixed ones as the widest */
    int untyped;     /* has bytes that may be anything */
    int complex;     /* a complex number is two numbers */
    int pair;        /* a value and an index */
    long numbers;    /* in one element */
    MPI_Aint extent; /* from one element to the next */
    int runs;        /* of numbers; of bytes, if there are none */
    int room;
    struct adjoin_mpi_run one;  /* the only run, or: */
    struct adjoin_mpi_run *run; /* all of them */
};

/* Its runs. */
static const struct adjoin_mpi_run *adjoin_mpi_runs(const struct adjoin_mpi_layout *layout)
{
    return layout->run != NULL ? layout->run : &layout->one;
}

/* Ends the program on all ranks: what the call asks for has no derivative here. */
static void adjoin_mpi_fail(const char *call, const char *what)
{
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    dprintf(2, "adjoin: %s on rank %d: %s\n", call, rank, what);
    MPI_Abort(MPI_COMM_WORLD, 1);
    abort();
}

/* A call of the program's failed, and MPI was told to return (MPI_ERRORS_RETURN). Nobody knows what the others have done: a derivative would wait for them, or be wrong. */
static int adjoin_mpi_checked(const char *call, int code)
{
    if (code != MPI_SUCCESS) {
        char text[MPI_MAX_ERROR_STRING] = "";
        int length = 0;
        MPI_Error_string(code, text, &length);
        adjoin_mpi_fail(call, text);
    }
    return code;
}

static void *adjoin_mpi_allocate(size_t bytes)
{
    /* Small blocks come faster from malloc, large ones are zero already. */
    int small = bytes <= 1024;
    void *memory = small ? malloc(bytes > 0 ? bytes : 1) : calloc(bytes, 1);
    if (memory == NULL)
        adjoin_mpi_fail("derivative of an MPI call", "out of memory");
    else if (small)
        memset(memory, 0, bytes);
    return memory;
}

/* Memory for messages, whose contents come later. Large blocks are kept for the next ones: fresh pages cost more than to send them. Their size is in front of them. */
enum { ADJOIN_MPI_KEPT = 8, ADJOIN_MPI_LARGE = 32768, ADJOIN_MPI_FRONT = 64 };
static size_t *adjoin_mpi_kept[ADJOIN_MPI_KEPT];

static char *adjoin_mpi_block(size_t bytes)
{
    size_t *front = NULL;
    adjoin_mpi_enter();
    for (int k = 0; bytes >= ADJOIN_MPI_LARGE && front == NULL && k < ADJOIN_MPI_KEPT; k++)
        if (adjoin_mpi_kept[k] != NULL && *adjoin_mpi_kept[k] >= bytes && *adjoin_mpi_kept[k] / 4 <= bytes) {
            front = adjoin_mpi_kept[k];
            adjoin_mpi_kept[k] = NULL;
        }
    adjoin_mpi_leave();
    if (front == NULL) {
        front = malloc(bytes + ADJOIN_MPI_FRONT);
        if (front == NULL)
            adjoin_mpi_fail("derivative of an MPI call", "out of memory");
        else
            *front = bytes;
    }
    return (char *)front + ADJOIN_MPI_FRONT;
}

static void adjoin_mpi_block_free(char *block)
{
    if (block == NULL)
        return;
    size_t *front = (size_t *)(block - ADJOIN_MPI_FRONT);
    adjoin_mpi_enter();
    for (int k = 0; front != NULL && *front >= ADJOIN_MPI_LARGE && k < ADJOIN_MPI_KEPT; k++)
        if (adjoin_mpi_kept[k] == NULL || *adjoin_mpi_kept[k] < *front) {
            size_t *other = adjoin_mpi_kept[k];
            adjoin_mpi_kept[k] = front;
            front = other;
        }
    adjoin_mpi_leave();
    free(front);
}

static size_t adjoin_mpi_number_size(int number)
{
    if (number == ADJOIN_MPI_FLOAT)
        return sizeof(float);
    if (number == ADJOIN_MPI_DOUBLE)
        return sizeof(double);
    if (number == ADJOIN_MPI_PACK)
        return 1;
    return number == ADJOIN_MPI_LONG_DOUBLE ? sizeof(long double) : 0;
}

static MPI_Datatype adjoin_mpi_number_type(int number)
{
    if (number == ADJOIN_MPI_FLOAT)
        return MPI_FLOAT;
    if (number == ADJOIN_MPI_PACK)
        return MPI_BYTE;
    return number == ADJOIN_MPI_LONG_DOUBLE ? MPI_LONG_DOUBLE : MPI_DOUBLE;
}

static void adjoin_mpi_layout_free(struct adjoin_mpi_layout *layout)
{
    free(layout->run);
    layout->run = NULL;
    layout->runs = 0;
}

/* The blocks of a datatype stay apart, even if they lie behind one another: see addresses. */
static int adjoin_mpi_blocks_apart;

/* Appends numbers that lie behind one another. */
static void adjoin_mpi_layout_append(struct adjoin_mpi_layout *layout, MPI_Aint offset, int number, long count)
{
    if (count <= 0)
        return;
    if (number > layout->number)
        layout->number = number;
    layout->numbers += count;
    if (layout->runs > 0 && !adjoin_mpi_blocks_apart) {
        struct adjoin_mpi_run *last = layout->run != NULL ? &layout->run[layout->runs - 1] : &layout->one;
        if (last->number == number
            && last->offset + last->count * (MPI_Aint)adjoin_mpi_number_size(number) == offset) {
            last->count += count;
            return;
        }
    }
    if (layout->runs == 0) {
        layout->one.offset = offset;
        layout->one.number = number;
        layout->one.count = count;
        layout->runs = 1;
        return;
    }
    if (layout->runs >= layout->room) {
        int room = layout->room > 0 ? 2 * layout->room : 4;
        struct adjoin_mpi_run *run = adjoin_mpi_allocate((size_t)room * sizeof *run);
        for (int k = 0; k < layout->runs; k++)
            run[k] = adjoin_mpi_runs(layout)[k];
        free(layout->run);
        layout->run = run;
        layout->room = room;
    }
    layout->run[layout->runs].offset = offset;
    layout->run[layout->runs].number = number;
    layout->run[layout->runs].count = count;
    layout->runs++;
}

/* All elements are one row of equal numbers. */
static int adjoin_mpi_layout_dense(const struct adjoin_mpi_layout *layout)
{
    return layout->runs == 1 && layout->one.number == layout->number
        && layout->one.count * (MPI_Aint)adjoin_mpi_number_size(layout->number) == layout->extent;
}

/* Appends some elements of a type that has been taken apart. */
static void adjoin_mpi_layout_repeat(struct adjoin_mpi_layout *layout, const struct adjoin_mpi_layout *part,
                                     MPI_Aint offset, long times)
{
    if (times > 0) {
        layout->untyped |= part->untyped;
        layout->complex |= part->complex;
        layout->pair |= part->pair;
    }
    if (adjoin_mpi_layout_dense(part)) {
        adjoin_mpi_layout_append(layout, offset + part->one.offset, part->number, part->numbers * times);
        return;
    }
    const struct adjoin_mpi_run *run = adjoin_mpi_runs(part);
    for (long i = 0; i < times; i++)
        for (int k = 0; k < part->runs; k++)
            adjoin_mpi_layout_append(layout, offset + i * part->extent + run[k].offset, run[k].number, run[k].count);
}

/* What a complex number is made of, in any of the languages that MPI has types of: C programs use them all. */
static int adjoin_mpi_complex_of(MPI_Datatype type)
{
    if (type == MPI_C_DOUBLE_COMPLEX || type == MPI_DOUBLE_COMPLEX || type == MPI_COMPLEX16 || type == MPI_CXX_DOUBLE_COMPLEX)
        return ADJOIN_MPI_DOUBLE;
    if (type == MPI_C_FLOAT_COMPLEX || type == MPI_C_COMPLEX || type == MPI_COMPLEX || type == MPI_COMPLEX8 || type == MPI_CXX_FLOAT_COMPLEX)
        return ADJOIN_MPI_FLOAT;
    return type == MPI_C_LONG_DOUBLE_COMPLEX || type == MPI_CXX_LONG_DOUBLE_COMPLEX ? ADJOIN_MPI_LONG_DOUBLE : ADJOIN_MPI_NO_NUMBER;
}

/* A type that MPI defines. */
static void adjoin_mpi_layout_named(struct adjoin_mpi_layout *layout, MPI_Datatype type)
{
    int twice = adjoin_mpi_complex_of(type);
    if (type == MPI_DOUBLE || type == MPI_DOUBLE_PRECISION || type == MPI_REAL8)
        adjoin_mpi_layout_append(layout, 0, ADJOIN_MPI_DOUBLE, 1);
    else if (type == MPI_FLOAT || type == MPI_REAL || type == MPI_REAL4)
        adjoin_mpi_layout_append(layout, 0, ADJOIN_MPI_FLOAT, 1);
    else if (type == MPI_LONG_DOUBLE)
        adjoin_mpi_layout_append(layout, 0, ADJOIN_MPI_LONG_DOUBLE, 1);
    else if (twice != ADJOIN_MPI_NO_NUMBER) {
        layout->complex = 1;
        adjoin_mpi_layout_append(layout, 0, twice, 2);
    } else if (type == MPI_DOUBLE_INT || type == MPI_FLOAT_INT || type == MPI_LONG_DOUBLE_INT) {
        layout->pair = 1;
        adjoin_mpi_layout_append(layout, 0,
                                 type == MPI_DOUBLE_INT  ? ADJOIN_MPI_DOUBLE
                                 : type == MPI_FLOAT_INT ? ADJOIN_MPI_FLOAT
                                                         : ADJOIN_MPI_LONG_DOUBLE,
                                 1);
    } else if (type == MPI_BYTE || type == MPI_PACKED)
        layout->untyped = 1;
}

/* A block of an array of several dimensions: one row after the other. */
static void adjoin_mpi_layout_subarray(struct adjoin_mpi_layout *layout, const struct adjoin_mpi_layout *part,
                                       const int *numbers)
{
    int dimensions = numbers[0];
    const int *sizes = numbers + 1, *block = sizes + dimensions, *starts = block + dimensions;
    int by_rows = starts[dimensions] == MPI_ORDER_C;
    int inner = by_rows ? dimensions - 1 : 0;
    long rows = 1;
    for (int d = 0; d < dimensions; d++)
        if (d != inner)
            rows *= block[d];
    for (long row = 0; row < rows; row++) {
        long left = row, stride = 1, at = 0;
        for (int k = 0; k < dimensions; k++) {
            int d = by_rows ? dimensions - 1 - k : k;
            long index = starts[d];
            if (d != inner) {
                index += left % block[d];
                left /= block[d];
            }
            at += index * stride;
            stride *= sizes[d];
        }
        adjoin_mpi_layout_repeat(layout, part, at * part->extent, block[inner]);
    }
}

/* A process's share of an array that is spread over a grid of processes, by blocks that are dealt out in turn. */
static void adjoin_mpi_layout_darray(struct adjoin_mpi_layout *layout, const struct adjoin_mpi_layout *part,
                                     const int *numbers)
{
    int dimensions = numbers[2];
    const int *sizes = numbers + 3, *kinds = sizes + dimensions, *blocks = kinds + dimensions, *processes = blocks + dimensions;
    int by_rows = processes[dimensions] == MPI_ORDER_C;
    long *block = adjoin_mpi_allocate((size_t)dimensions * sizeof *block), *index = adjoin_mpi_allocate((size_t)dimensions * sizeof *index);
    long *place = adjoin_mpi_allocate((size_t)dimensions * sizeof *place);
    for (int d = dimensions - 1, left = numbers[1]; d >= 0; d--) {
        place[d] = left % processes[d];
        left /= processes[d];
        block[d] = kinds[d] == MPI_DISTRIBUTE_NONE          ? sizes[d]
                 : blocks[d] != MPI_DISTRIBUTE_DFLT_DARG    ? blocks[d]
                 : kinds[d] == MPI_DISTRIBUTE_BLOCK         ? (sizes[d] + processes[d] - 1) / processes[d]
                                                            : 1;
        index[d] = place[d] * block[d];
    }
    for (int d = 0; d < dimensions; d++)
        if (index[d] >= sizes[d])
            dimensions = 0; /* nothing is left for it */
    for (int more = dimensions > 0; more;) {
        long at = 0;
        for (int k = 0; k < dimensions; k++) {
            int d = by_rows ? k : dimensions - 1 - k;
            at = at * sizes[d] + index[d];
        }
        adjoin_mpi_layout_repeat(layout, part, at * part->extent, 1);
        more = 0;
        for (int k = 0; k < dimensions && !more; k++) {
            int d = by_rows ? dimensions - 1 - k : k;
            index[d]++;
            if (index[d] % block[d] == 0)
                index[d] += (processes[d] - 1) * block[d];
            more = index[d] < sizes[d];
            if (!more)
                index[d] = place[d] * block[d];
        }
    }
    free(place);
    free(index);
    free(block);
}

/* The numbers of a datatype, or all of its bytes. */
static struct adjoin_mpi_layout adjoin_mpi_layout_walk(MPI_Datatype type, int bytes)
{
    struct adjoin_mpi_layout layout;
    memset(&layout, 0, sizeof layout);
    int numbers, addresses, types, combiner;
    MPI_Aint lower, extent;
    MPI_Type_get_extent(type, &lower, &layout.extent);
    MPI_Type_get_envelope(type, &numbers, &addresses, &types, &combiner);
    if (combiner == MPI_COMBINER_NAMED && bytes) {
        int size;
        MPI_Type_size(type, &size);
        adjoin_mpi_layout_append(&layout, 0, ADJOIN_MPI_PACK, size);
        return layout;
    }
    if (combiner == MPI_COMBINER_NAMED) {
        adjoin_mpi_layout_named(&layout, type);
        return layout;
    }
    int *number = adjoin_mpi_allocate((size_t)numbers * sizeof *number);
    MPI_Aint *address = adjoin_mpi_allocate((size_t)addresses * sizeof *address);
    MPI_Datatype *inner = adjoin_mpi_allocate((size_t)types * sizeof *inner);
    MPI_Type_get_contents(type, numbers, addresses, types, number, address, inner);
    struct adjoin_mpi_layout *part = adjoin_mpi_allocate((size_t)types * sizeof *part);
    for (int k = 0; k < types; k++)
        part[k] = adjoin_mpi_layout_walk(inner[k], bytes);
    switch (combiner) {
    case MPI_COMBINER_DUP:
    case MPI_COMBINER_RESIZED:
        adjoin_mpi_layout_repeat(&layout, part, 0, 1);
        break;
    case MPI_COMBINER_CONTIGUOUS:
        adjoin_mpi_layout_repeat(&layout, part, 0, number[0]);
        break;
    case MPI_COMBINER_VECTOR:
        for (int i = 0; i < number[0]; i++)
            adjoin_mpi_layout_repeat(&layout, part, (MPI_Aint)i * number[2] * part->extent, number[1]);
        break;
    case MPI_COMBINER_HVECTOR:
        for (int i = 0; i < number[0]; i++)
            adjoin_mpi_layout_repeat(&layout, part, i * address[0], number[1]);
        break;
    case MPI_COMBINER_INDEXED:
        for (int i = 0; i < number[0]; i++)
            adjoin_mpi_layout_repeat(&layout, part, number[1 + number[0] + i] * part->extent, number[1 + i]);
        break;
    case MPI_COMBINER_HINDEXED:
        for (int i = 0; i < number[0]; i++)
            adjoin_mpi_layout_repeat(&layout, part, address[i], number[1 + i]);
        break;
    case MPI_COMBINER_INDEXED_BLOCK:
        for (int i = 0; i < number[0]; i++)
            adjoin_mpi_layout_repeat(&layout, part, number[2 + i] * part->extent, number[1]);
        break;
    case MPI_COMBINER_HINDEXED_BLOCK:
        for (int i = 0; i < number[0]; i++)
            adjoin_mpi_layout_repeat(&layout, part, address[i], number[1]);
        break;
    case MPI_COMBINER_STRUCT:
        for (int i = 0; i < number[0]; i++)
            adjoin_mpi_layout_repeat(&layout, &part[i], address[i], number[1 + i]);
        break;
    case MPI_COMBINER_SUBARRAY:
        adjoin_mpi_layout_subarray(&layout, part, number);
        break;
    case MPI_COMBINER_DARRAY:
        adjoin_mpi_layout_darray(&layout, part, number);
        break;
    default:
        layout.untyped = 1;
        MPI_Type_get_true_extent(type, &lower, &extent);
        if (bytes)
            adjoin_mpi_layout_append(&layout, lower, ADJOIN_MPI_PACK, extent);
    }
    for (int k = 0; k < types; k++) {
        adjoin_mpi_layout_free(&part[k]);
        int n, a, t;
        MPI_Type_get_envelope(inner[k], &n, &a, &t, &combiner);
        if (combiner != MPI_COMBINER_NAMED)
            MPI_Type_free(&inner[k]);
    }
    free(part);
    free(inner);
    free(address);
    free(number);
    return layout;
}

/* Takes a datatype apart. */
static struct adjoin_mpi_layout adjoin_mpi_layout_of(MPI_Datatype type)
{
    struct adjoin_mpi_layout layout;
    memset(&layout, 0, sizeof layout);
    if (type == MPI_DATATYPE_NULL) { /* only with nothing to send */
        layout.number = ADJOIN_MPI_DOUBLE;
        return layout;
    }
    if (type == MPI_DOUBLE) { /* most are */
        layout.extent = sizeof(double);
        adjoin_mpi_layout_append(&layout, 0, ADJOIN_MPI_DOUBLE, 1);
        return layout;
    }
    layout = adjoin_mpi_layout_walk(type, 0);
    if (layout.numbers > 0)
        return layout;
    struct adjoin_mpi_layout all = adjoin_mpi_layout_walk(type, 1);
    all.untyped = layout.untyped;
    all.number = ADJOIN_MPI_NO_NUMBER;
    all.numbers = 0;
    return all;
}

/* Memory for elements has room for their extents only: those that reach beyond end the program. */
static void adjoin_mpi_check_bounds(const char *call, MPI_Datatype type)
{
    MPI_Aint lower, extent, first, length;
    MPI_Type_get_extent(type, &lower, &extent);
    MPI_Type_get_true_extent(type, &first, &length);
    if (first < 0 || first + length > extent)
        adjoin_mpi_fail(call, "a datatype whose elements reach beyond their extent");
}

/* The bytes of a type that is nothing but bytes, or characters, behind one another: it may hold anything (`MPI_Type_contiguous(sizeof(struct particle), MPI_BYTE, …)`). 0: it is not. */
static long adjoin_mpi_bytes_in(MPI_Datatype type)
{
    if (type == MPI_DOUBLE || type == MPI_DATATYPE_NULL)
        return 0;
    if (type == MPI_BYTE || type == MPI_CHAR || type == MPI_SIGNED_CHAR || type == MPI_UNSIGNED_CHAR || type == MPI_INT8_T || type == MPI_UINT8_T)
        return 1;
    int numbers, addresses, types, combiner, number;
    MPI_Type_get_envelope(type, &numbers, &addresses, &types, &combiner);
    if (combiner != MPI_COMBINER_CONTIGUOUS && combiner != MPI_COMBINER_DUP)
        return 0;
    MPI_Aint address;
    MPI_Datatype inner;
    MPI_Type_get_contents(type, numbers, addresses, types, &number, &address, &inner);
    long bytes = adjoin_mpi_bytes_in(inner) * (combiner == MPI_COMBINER_DUP ? 1 : number);
    MPI_Type_get_envelope(inner, &numbers, &addresses, &types, &combiner);
    if (combiner != MPI_COMBINER_NAMED)
        MPI_Type_free(&inner);
    return bytes;
}

/* The layout of bytes. */
static struct adjoin_mpi_layout adjoin_mpi_layout_of_bytes(void)
{
    struct adjoin_mpi_layout layout;
    memset(&layout, 0, sizeof layout);
    layout.extent = 1;
    adjoin_mpi_layout_append(&layout, 0, ADJOIN_MPI_PACK, 1);
    return layout;
}

/* What happens to the numbers of a buffer and those of a message. */
enum {
    ADJOIN_MPI_READ, /* buffer to message */
    ADJOIN_MPI_TAKE, /* buffer to message, and the buffer is zero afterwards */
    ADJOIN_MPI_ADD,  /* message is added to the buffer */
    ADJOIN_MPI_PUT   /* message to buffer */
};

#define ADJOIN_MPI_MOVE(BUFFER, MESSAGE, ADD) \
    { \
        BUFFER *x = (BUFFER *)at; \
        MESSAGE *m = (MESSAGE *)message + done; \
        if (how == ADJOIN_MPI_ADD && adjoin_mpi_several_threads()) { \
            for (long j = 0; j < n; j++) \
                ADD(&x[j], (BUFFER)m[j]); \
        } else if (how == ADJOIN_MPI_ADD) { \
            for (long j = 0; j < n; j++) \
                x[j] += (BUFFER)m[j]; \
        } else if (how == ADJOIN_MPI_PUT) { \
            for (long j = 0; j < n; j++) \
                x[j] = (BUFFER)m[j]; \
        } else { \
            for (long j = 0; j < n; j++) \
                m[j] = (MESSAGE)x[j]; \
            if (how == ADJOIN_MPI_TAKE) \
                for (long j = 0; j < n; j++) \
                    x[j] = 0; \
        } \
    }

/* Moves one run between a buffer and a message, whose numbers may be wider. */
static void adjoin_mpi_move_run(int how, int number, int wide, char *at, char *message, long done, long n)
{
    if (number == ADJOIN_MPI_PACK) {
        if (how == ADJOIN_MPI_PUT)
            memcpy(at, message + done, (size_t)n);
        else
            memcpy(message + done, at, (size_t)n);
        if (how == ADJOIN_MPI_TAKE)
            memset(at, 0, (size_t)n);
    } else if (number == ADJOIN_MPI_DOUBLE && wide == ADJOIN_MPI_DOUBLE)
        ADJOIN_MPI_MOVE(double, double, adjoin_mpi_add_double)
    else if (number == ADJOIN_MPI_FLOAT && wide == ADJOIN_MPI_FLOAT)
        ADJOIN_MPI_MOVE(float, float, adjoin_mpi_add_float)
    else if (number == ADJOIN_MPI_FLOAT && wide == ADJOIN_MPI_DOUBLE)
        ADJOIN_MPI_MOVE(float, double, adjoin_mpi_add_float)
    else if (number == ADJOIN_MPI_FLOAT)
        ADJOIN_MPI_MOVE(float, long double, adjoin_mpi_add_float)
    else if (number == ADJOIN_MPI_DOUBLE)
        ADJOIN_MPI_MOVE(double, long double, adjoin_mpi_add_double)
    else
        ADJOIN_MPI_MOVE(long double, long double, adjoin_mpi_add_long_double)
}

/* Moves the numbers of some elements. */
static void adjoin_mpi_move(int how, const struct adjoin_mpi_layout *layout, long count, char *buffer, char *message)
{
    if (buffer == NULL || layout->numbers == 0)
        return;
    if (adjoin_mpi_layout_dense(layout)) {
        adjoin_mpi_move_run(how, layout->number, layout->number, buffer + layout->one.offset, message, 0,
                            count * layout->numbers);
        return;
    }
    long done = 0;
    for (long i = 0; i < count; i++)
        for (int k = 0; k < layout->runs; k++) {
            const struct adjoin_mpi_run *run = &adjoin_mpi_runs(layout)[k];
            adjoin_mpi_move_run(how, run->number, layout->number, buffer + i * layout->extent + run->offset, message,
                                done, run->count);
            done += run->count;
        }
}

/* Makes the numbers of some elements zero, or the bytes of those that have none. */
static void adjoin_mpi_layout_clear(const struct adjoin_mpi_layout *layout, long count, char *buffer)
{
    if (buffer == NULL)
        return;
    if (adjoin_mpi_layout_dense(layout)) {
        memset(buffer + layout->one.offset, 0, (size_t)(count * layout->extent));
        return;
    }
    const struct adjoin_mpi_run *run = adjoin_mpi_runs(layout);
    for (long i = 0; i < count; i++)
        for (int k = 0; k < layout->runs; k++)
            memset(buffer + i * layout->extent + run[k].offset, 0, (size_t)run[k].count * adjoin_mpi_number_size(run[k].number));
}

/* Are they zero? */
static int adjoin_mpi_layout_is_zero(const struct adjoin_mpi_layout *layout, long count, const char *buffer)
{
    const struct adjoin_mpi_run *run = adjoin_mpi_runs(layout);
    for (long i = 0; buffer != NULL && i < count; i++)
        for (int k = 0; k < layout->runs; k++) {
            const char *at = buffer + i * layout->extent + run[k].offset;
            long bytes = run[k].count * (long)adjoin_mpi_number_size(run[k].number);
            for (long j = 0; j < bytes; j++)
                if (at[j] != 0)
                    return 0;
        }
    return 1;
}
