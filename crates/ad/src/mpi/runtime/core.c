/* Derivatives of MPI calls, as Adjoin uses them. Each MPI_X has three functions:
   adjoin_MPI_X_augmented does the call in the forward sweep and keeps on a tape what the reverse sweep needs,
   adjoin_MPI_X_reverse does the adjoint of the call, adjoin_MPI_X_tangent does the call on numbers and tangents.
   Everything is weak, so that several files of a program can have it. */
#include <mpi.h>
#include <stddef.h>
typedef int adjoin_mpi_starts_here;

extern void *malloc(size_t);
extern void *realloc(void *, size_t);
extern void free(void *);
extern void *memcpy(void *, const void *, size_t);
extern void *memset(void *, int, size_t);
extern int memcmp(const void *, const void *, size_t);
extern int dprintf(int, const char *, ...);

#define ADJOIN_SHARED __attribute__((weak, visibility("hidden")))

/* Ends the program on all ranks. */
ADJOIN_SHARED void adjoin_mpi_stop(const char *call, const char *what)
{
    int rank = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    dprintf(2, "adjoin: %s on rank %d: %s\n", call, rank, what);
    PMPI_Abort(MPI_COMM_WORLD, 1);
}

ADJOIN_SHARED void *adjoin_mpi_allocate(size_t bytes)
{
    void *memory = malloc(bytes ? bytes : 1);
    if (!memory)
        adjoin_mpi_stop("a derivative", "no memory for a message");
    return memory;
}

ADJOIN_SHARED void *adjoin_mpi_zeroed(size_t bytes)
{
    return memset(adjoin_mpi_allocate(bytes), 0, bytes);
}

/* The numbers in one item of a datatype: runs of equal elements. */
enum adjoin_mpi_kind { ADJOIN_FLOAT, ADJOIN_DOUBLE, ADJOIN_LONG_DOUBLE };

struct adjoin_mpi_run {
    MPI_Aint offset;
    long length;
    enum adjoin_mpi_kind kind;
};

struct adjoin_mpi_layout {
    long runs;            /* none: the datatype holds no numbers */
    long room;
    struct adjoin_mpi_run *run;
    struct adjoin_mpi_run first;
    MPI_Aint extent;
    int size;             /* of one item in a message, whatever it holds */
    size_t bytes;         /* of the numbers of one item, packed */
    long numbers;         /* of one item */
    int dense;            /* items are nothing but numbers of one kind, without gaps */
    MPI_Datatype unit;    /* what packed numbers are sent as */
    int per_unit;         /* how many bytes that is */
};

ADJOIN_SHARED size_t adjoin_mpi_size(enum adjoin_mpi_kind kind)
{
    switch (kind) {
    case ADJOIN_FLOAT: return sizeof(float);
    case ADJOIN_DOUBLE: return sizeof(double);
    default: return sizeof(long double);
    }
}

ADJOIN_SHARED void adjoin_mpi_append(struct adjoin_mpi_layout *layout, MPI_Aint offset, enum adjoin_mpi_kind kind, long length)
{
    struct adjoin_mpi_run *last = layout->run + layout->runs - 1;
    size_t size = adjoin_mpi_size(kind);
    if (length <= 0)
        return;
    layout->bytes += size * (size_t)length;
    layout->numbers += length;
    if (layout->runs && last->kind == kind && last->offset + (MPI_Aint)size * last->length == offset) {
        last->length += length;
        return;
    }
    if (layout->runs == layout->room) {
        long room = 2 * layout->room;
        struct adjoin_mpi_run *run = (struct adjoin_mpi_run *)adjoin_mpi_allocate(sizeof *run * (size_t)room);
        memcpy(run, layout->run, sizeof *run * (size_t)layout->runs);
        if (layout->run != &layout->first)
            free(layout->run);
        layout->run = run;
        layout->room = room;
    }
    last = layout->run + layout->runs++;
    last->offset = offset;
    last->kind = kind;
    last->length = length;
}

/* The numbers of a datatype that MPI defines; 0: it has none. */
ADJOIN_SHARED int adjoin_mpi_named(MPI_Datatype type, enum adjoin_mpi_kind *kind)
{
    *kind = ADJOIN_DOUBLE;
    if (type == MPI_DOUBLE || type == MPI_DOUBLE_INT)
        return 1;
    if (type == MPI_C_DOUBLE_COMPLEX)
        return 2;
    *kind = ADJOIN_FLOAT;
    if (type == MPI_FLOAT || type == MPI_FLOAT_INT)
        return 1;
    if (type == MPI_C_FLOAT_COMPLEX || type == MPI_C_COMPLEX)
        return 2;
    *kind = ADJOIN_LONG_DOUBLE;
    if (type == MPI_LONG_DOUBLE || type == MPI_LONG_DOUBLE_INT)
        return 1;
    if (type == MPI_C_LONG_DOUBLE_COMPLEX)
        return 2;
    return 0;
}

ADJOIN_SHARED void adjoin_mpi_walk(struct adjoin_mpi_layout *layout, MPI_Datatype type, MPI_Aint offset);

/* A number of items, one after the other. */
ADJOIN_SHARED void adjoin_mpi_walk_block(struct adjoin_mpi_layout *layout, MPI_Datatype type, MPI_Aint offset, long items)
{
    enum adjoin_mpi_kind kind;
    MPI_Aint low, extent;
    int numbers = adjoin_mpi_named(type, &kind);
    long k;
    PMPI_Type_get_extent(type, &low, &extent);
    if (numbers && extent == (MPI_Aint)(adjoin_mpi_size(kind) * (size_t)numbers)) {
        adjoin_mpi_append(layout, offset, kind, items * numbers);
        return;
    }
    for (k = 0; k < items; k++)
        adjoin_mpi_walk(layout, type, offset + k * extent);
}

/* A box of an array of several dimensions, from the outermost dimension on. */
ADJOIN_SHARED void adjoin_mpi_walk_box(struct adjoin_mpi_layout *layout, MPI_Datatype type, MPI_Aint offset, const int *of, int dimensions, int k, int fortran)
{
    /* of: the number of dimensions, sizes, box sizes, starts, order */
    const int *sizes = of + 1, *box = sizes + dimensions, *starts = box + dimensions;
    MPI_Aint low, stride;
    int d = fortran ? dimensions - 1 - k : k, j;
    PMPI_Type_get_extent(type, &low, &stride);
    for (j = k + 1; j < dimensions; j++)
        stride *= sizes[fortran ? dimensions - 1 - j : j];
    if (k == dimensions - 1) {
        adjoin_mpi_walk_block(layout, type, offset + starts[d] * stride, box[d]);
        return;
    }
    for (j = 0; j < box[d]; j++)
        adjoin_mpi_walk_box(layout, type, offset + (starts[d] + j) * stride, of, dimensions, k + 1, fortran);
}

ADJOIN_SHARED void adjoin_mpi_walk(struct adjoin_mpi_layout *layout, MPI_Datatype type, MPI_Aint offset)
{
    int integers, addresses, types, combiner, k;
    enum adjoin_mpi_kind kind;
    MPI_Aint low, extent;
    PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
    if (combiner == MPI_COMBINER_NAMED) {
        k = adjoin_mpi_named(type, &kind);
        adjoin_mpi_append(layout, offset, kind, k);
        return;
    }
    int *n = (int *)adjoin_mpi_allocate(sizeof *n * (size_t)(integers + 1));
    MPI_Aint *a = (MPI_Aint *)adjoin_mpi_allocate(sizeof *a * (size_t)(addresses + 1));
    MPI_Datatype *t = (MPI_Datatype *)adjoin_mpi_allocate(sizeof *t * (size_t)(types + 1));
    PMPI_Type_get_contents(type, integers, addresses, types, n, a, t);
    PMPI_Type_get_extent(t[0], &low, &extent);
    switch (combiner) {
    case MPI_COMBINER_DUP:
    case MPI_COMBINER_RESIZED:
        adjoin_mpi_walk(layout, t[0], offset);
        break;
    case MPI_COMBINER_CONTIGUOUS:
        adjoin_mpi_walk_block(layout, t[0], offset, n[0]);
        break;
    case MPI_COMBINER_VECTOR:
        for (k = 0; k < n[0]; k++)
            adjoin_mpi_walk_block(layout, t[0], offset + (MPI_Aint)k * n[2] * extent, n[1]);
        break;
    case MPI_COMBINER_HVECTOR:
        for (k = 0; k < n[0]; k++)
            adjoin_mpi_walk_block(layout, t[0], offset + k * a[0], n[1]);
        break;
    case MPI_COMBINER_INDEXED:
        for (k = 0; k < n[0]; k++)
            adjoin_mpi_walk_block(layout, t[0], offset + n[1 + n[0] + k] * extent, n[1 + k]);
        break;
    case MPI_COMBINER_HINDEXED:
        for (k = 0; k < n[0]; k++)
            adjoin_mpi_walk_block(layout, t[0], offset + a[k], n[1 + k]);
        break;
    case MPI_COMBINER_INDEXED_BLOCK:
        for (k = 0; k < n[0]; k++)
            adjoin_mpi_walk_block(layout, t[0], offset + n[2 + k] * extent, n[1]);
        break;
    case MPI_COMBINER_HINDEXED_BLOCK:
        for (k = 0; k < n[0]; k++)
            adjoin_mpi_walk_block(layout, t[0], offset + a[k], n[1]);
        break;
    case MPI_COMBINER_STRUCT:
        for (k = 0; k < n[0]; k++)
            adjoin_mpi_walk_block(layout, t[k], offset + a[k], n[1 + k]);
        break;
    case MPI_COMBINER_SUBARRAY:
        adjoin_mpi_walk_box(layout, t[0], offset, n, n[0], 0, n[1 + 3 * n[0]] == MPI_ORDER_FORTRAN);
        break;
    default:
        adjoin_mpi_stop("a derivative", "a datatype of a kind that it does not know");
    }
    for (k = 0; k < types; k++) {
        int unused;
        PMPI_Type_get_envelope(t[k], &integers, &addresses, &unused, &combiner);
        if (combiner != MPI_COMBINER_NAMED)
            PMPI_Type_free(&t[k]);
    }
    free(n);
    free(a);
    free(t);
}

/* Finds the numbers of a datatype. */
ADJOIN_SHARED void adjoin_mpi_lay_out(struct adjoin_mpi_layout *layout, MPI_Datatype type)
{
    MPI_Aint low;
    long k;
    memset(layout, 0, sizeof *layout);
    layout->run = &layout->first;
    layout->room = 1;
    adjoin_mpi_walk(layout, type, 0);
    PMPI_Type_get_extent(type, &low, &layout->extent);
    PMPI_Type_size(type, &layout->size);
    layout->dense = layout->runs == 1 && layout->run->offset == 0 && (MPI_Aint)layout->bytes == layout->extent;
    layout->unit = MPI_BYTE;
    layout->per_unit = 1;
    for (k = 1; k < layout->runs && layout->run[k].kind == layout->run->kind; k++)
        ;
    if (layout->runs && k >= layout->runs) {
        enum adjoin_mpi_kind kind = layout->run->kind;
        layout->unit = kind == ADJOIN_FLOAT ? MPI_FLOAT : kind == ADJOIN_DOUBLE ? MPI_DOUBLE : MPI_LONG_DOUBLE;
        layout->per_unit = (int)adjoin_mpi_size(kind);
    }
}

ADJOIN_SHARED void adjoin_mpi_release(struct adjoin_mpi_layout *layout)
{
    if (layout->run != &layout->first)
        free(layout->run);
    layout->run = &layout->first;
}

/* A layout is moved with its runs. */
ADJOIN_SHARED void adjoin_mpi_copy_layout(struct adjoin_mpi_layout *to, const struct adjoin_mpi_layout *from)
{
    *to = *from;
    if (from->run == &from->first) {
        to->run = &to->first;
        return;
    }
    to->run = (struct adjoin_mpi_run *)adjoin_mpi_allocate(sizeof *to->run * (size_t)from->room);
    memcpy(to->run, from->run, sizeof *to->run * (size_t)from->runs);
}

/* How many units a number of packed items is. */
ADJOIN_SHARED int adjoin_mpi_units(const struct adjoin_mpi_layout *layout, long items)
{
    size_t units = layout->bytes * (size_t)items / (size_t)layout->per_unit;
    if (units > 0x7fffffff)
        adjoin_mpi_stop("a derivative", "a message of more than 2147483647 elements");
    return (int)units;
}

enum adjoin_mpi_move { ADJOIN_GATHER, ADJOIN_PUT, ADJOIN_ADD, ADJOIN_CLEAR };

/* Moves the numbers of items to (GATHER) or from packed memory. */
ADJOIN_SHARED void adjoin_mpi_move(const struct adjoin_mpi_layout *layout, long items, void *memory, void *packed, enum adjoin_mpi_move move)
{
    char *from = (char *)packed;
    long item, r, k;
    for (item = 0; item < items; item++) {
        char *base = (char *)memory + item * layout->extent;
        for (r = 0; r < layout->runs; r++) {
            const struct adjoin_mpi_run *run = layout->run + r;
            size_t bytes = adjoin_mpi_size(run->kind) * (size_t)run->length;
            char *at = base + run->offset;
            if (move == ADJOIN_GATHER)
                memcpy(from, at, bytes);
            else if (move == ADJOIN_PUT)
                memcpy(at, from, bytes);
            else if (move == ADJOIN_CLEAR)
                memset(at, 0, bytes);
            else if (run->kind == ADJOIN_FLOAT)
                for (k = 0; k < run->length; k++)
                    ((float *)(void *)at)[k] += ((float *)(void *)from)[k];
            else if (run->kind == ADJOIN_DOUBLE)
                for (k = 0; k < run->length; k++)
                    ((double *)(void *)at)[k] += ((double *)(void *)from)[k];
            else
                for (k = 0; k < run->length; k++)
                    ((long double *)(void *)at)[k] += ((long double *)(void *)from)[k];
            if (move != ADJOIN_CLEAR)
                from += bytes;
        }
    }
}
