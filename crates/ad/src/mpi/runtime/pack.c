/* MPI_Pack and MPI_Unpack, in both modes: numbers go to, or come from, bytes of a buffer. */
struct adjoin_mpi_packing {
    struct adjoin_mpi_layout layout;
    long count, bytes;
    char *shadow, *packed; /* of the numbers, and of the bytes */
};

/* What is packed or unpacked from some byte on. Numbers and integers in one datatype would have to be told apart in the bytes. */
static struct adjoin_mpi_packing *adjoin_mpi_packing_new(const char *call, void *shadow, void *packed, int from, int count, MPI_Datatype type)
{
    struct adjoin_mpi_packing *p = adjoin_mpi_allocate(sizeof *p);
    int size;
    MPI_Type_size(type, &size);
    p->layout = adjoin_mpi_layout_of(type);
    p->count = count;
    p->bytes = (long)size * count;
    p->shadow = shadow;
    p->packed = packed != NULL ? (char *)packed + from : NULL;
    if (p->layout.numbers > 0 && p->layout.numbers * (long)adjoin_mpi_number_size(p->layout.number) != size)
        adjoin_mpi_fail(call, "a datatype of numbers and others");
    return p;
}

static void adjoin_mpi_packing_free(struct adjoin_mpi_packing *p)
{
    adjoin_mpi_layout_free(&p->layout);
    free(p);
}

static int adjoin_MPI_Pack_augmented(const void *in, void *in_bar, int count, MPI_Datatype type, void *out, void *out_bar, int size,
                                     int *position, MPI_Comm comm, void **tape)
{
    int from = *position, code = MPI_Pack(in, count, type, out, size, position, comm);
    struct adjoin_mpi_packing *p = adjoin_mpi_packing_new("MPI_Pack", in_bar, out_bar, from, count, type);
    adjoin_mpi_segments_note(p->packed, p->bytes, p->layout.number, p->count * p->layout.numbers);
    *tape = p;
    return code;
}

static void adjoin_MPI_Pack_reverse(void *tape)
{
    struct adjoin_mpi_packing *p = tape;
    if (p->packed != NULL && p->layout.numbers > 0) {
        char *numbers = adjoin_mpi_block((size_t)p->bytes);
        memcpy(numbers, p->packed, (size_t)p->bytes);
        adjoin_mpi_move(ADJOIN_MPI_ADD, &p->layout, p->count, p->shadow, numbers);
        adjoin_mpi_block_free(numbers);
    }
    if (p->packed != NULL)
        memset(p->packed, 0, (size_t)p->bytes);
    adjoin_mpi_packing_free(p);
}

static int adjoin_MPI_Pack_tangent(const void *in, void *in_dot, int count, MPI_Datatype type, void *out, void *out_dot, int size,
                                   int *position, MPI_Comm comm)
{
    int from = *position, code = MPI_Pack(in, count, type, out, size, position, comm);
    for (int d = adjoin_mpi_other_directions(); d >= 0; d--) {
        struct adjoin_mpi_packing *p = adjoin_mpi_packing_new("MPI_Pack", d > 0 ? adjoin_mpi_in_direction(d, in_dot, 0) : in_dot,
                                                              d > 0 ? adjoin_mpi_in_direction(d, out_dot, 0) : out_dot, from, count, type);
        if (p->packed != NULL) {
            char *numbers = adjoin_mpi_block((size_t)p->bytes);
            memset(numbers, 0, (size_t)p->bytes);
            if (p->layout.numbers > 0)
                adjoin_mpi_move(ADJOIN_MPI_READ, &p->layout, p->count, p->shadow, numbers);
            memcpy(p->packed, numbers, (size_t)p->bytes);
            adjoin_mpi_block_free(numbers);
        }
        adjoin_mpi_packing_free(p);
    }
    return code;
}

static int adjoin_MPI_Unpack_augmented(const void *in, void *in_bar, int size, int *position, void *out, void *out_bar, int count,
                                       MPI_Datatype type, MPI_Comm comm, void **tape)
{
    int from = *position, code = MPI_Unpack(in, size, position, out, count, type, comm);
    *tape = adjoin_mpi_packing_new("MPI_Unpack", out_bar, in_bar, from, count, type);
    return code;
}

static void adjoin_MPI_Unpack_reverse(void *tape)
{
    struct adjoin_mpi_packing *p = tape;
    if (p->layout.numbers > 0 && p->shadow != NULL) {
        char *numbers = adjoin_mpi_block((size_t)p->bytes);
        adjoin_mpi_move(ADJOIN_MPI_TAKE, &p->layout, p->count, p->shadow, numbers);
        if (p->packed != NULL)
            adjoin_mpi_add_unaligned(p->layout.number, p->packed, numbers, p->count * p->layout.numbers);
        adjoin_mpi_block_free(numbers);
    }
    adjoin_mpi_packing_free(p);
}

static int adjoin_MPI_Unpack_tangent(const void *in, void *in_dot, int size, int *position, void *out, void *out_dot, int count,
                                     MPI_Datatype type, MPI_Comm comm)
{
    int from = *position, code = MPI_Unpack(in, size, position, out, count, type, comm);
    for (int d = adjoin_mpi_other_directions(); d >= 0; d--) {
        struct adjoin_mpi_packing *p = adjoin_mpi_packing_new("MPI_Unpack", d > 0 ? adjoin_mpi_in_direction(d, out_dot, 0) : out_dot,
                                                              d > 0 ? adjoin_mpi_in_direction(d, in_dot, 0) : in_dot, from, count, type);
        if (p->layout.numbers > 0 && p->shadow != NULL) {
            char *numbers = adjoin_mpi_block((size_t)p->bytes);
            if (p->packed != NULL)
                memcpy(numbers, p->packed, (size_t)p->bytes);
            else
                memset(numbers, 0, (size_t)p->bytes);
            adjoin_mpi_move(ADJOIN_MPI_PUT, &p->layout, p->count, p->shadow, numbers);
            adjoin_mpi_block_free(numbers);
        }
        adjoin_mpi_packing_free(p);
    }
    return code;
}
