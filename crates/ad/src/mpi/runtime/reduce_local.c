/* MPI_Reduce_local, in both modes: no other rank takes part. */
struct adjoin_mpi_local {
    struct adjoin_mpi_layout layout;
    int reduction;
    long count;
    char *in_bar, *bar;
    char *partials; /* of the result, with respect to what is read and to what was there; not of sums */
};

/* What the derivative needs, before the call; NULL: nothing has one. */
static struct adjoin_mpi_local *adjoin_mpi_local_new(const void *in, void *in_bar, const void *inout, void *bar, int count,
                                                     MPI_Datatype type, MPI_Op op)
{
    struct adjoin_mpi_local *l = adjoin_mpi_allocate(sizeof *l);
    l->layout = adjoin_mpi_layout_of(type);
    if (l->layout.numbers == 0) {
        free(l);
        return NULL;
    }
    l->reduction = adjoin_mpi_reduction("MPI_Reduce_local", op, &l->layout);
    if (l->reduction == ADJOIN_MPI_OWN)
        adjoin_mpi_fail("MPI_Reduce_local", "an operation of the program's own: call its function");
    l->count = count;
    l->in_bar = in_bar;
    l->bar = bar;
    if (l->reduction == ADJOIN_MPI_SUM)
        return l;
    size_t size = adjoin_mpi_number_size(l->layout.number);
    struct adjoin_mpi_inputs inputs = {l->reduction, l->layout.number, count * l->layout.numbers, NULL, NULL, NULL, NULL, NULL,
                                       {MPI_REQUEST_NULL, MPI_REQUEST_NULL}};
    inputs.values = adjoin_mpi_allocate(2 * (size_t)inputs.count * size);
    adjoin_mpi_move(ADJOIN_MPI_READ, &l->layout, count, (char *)in, inputs.values);
    adjoin_mpi_move(ADJOIN_MPI_READ, &l->layout, count, (char *)inout, inputs.values + (size_t)inputs.count * size);
    if (l->layout.pair) {
        inputs.indices = adjoin_mpi_allocate(2 * (size_t)count * sizeof *inputs.indices);
        for (long k = 0; k < count; k++) {
            inputs.indices[k] = *(const int *)((const char *)in + k * l->layout.extent + (MPI_Aint)size);
            inputs.indices[count + k] = *(const int *)((const char *)inout + k * l->layout.extent + (MPI_Aint)size);
        }
    }
    l->partials = adjoin_mpi_allocate(2 * (size_t)inputs.count * size);
    for (long k = 0; k < inputs.count; k++)
        for (int which = 0; which < 2; which++)
            adjoin_mpi_set(inputs.number, l->partials, which * inputs.count + k, adjoin_mpi_partial(&inputs, 2, which, k));
    free(inputs.values);
    free(inputs.indices);
    return l;
}

static void adjoin_mpi_local_free(struct adjoin_mpi_local *l)
{
    free(l->partials);
    adjoin_mpi_layout_free(&l->layout);
    free(l);
}

/* A number times one of the partial derivatives. */
static long double adjoin_mpi_local_times(const struct adjoin_mpi_local *l, int which, long k, long double number)
{
    long numbers = l->count * l->layout.numbers;
    if (l->partials == NULL)
        return number;
    long double partial = adjoin_mpi_get(l->layout.number, l->partials, which * numbers + k);
    return partial != 0 ? partial * number : 0;
}

static int adjoin_MPI_Reduce_local_augmented(const void *in, void *in_bar, void *inout, void *bar, int count, MPI_Datatype type,
                                             MPI_Op op, void **tape)
{
    *tape = adjoin_mpi_local_new(in, in_bar, inout, bar, count, type, op);
    return MPI_Reduce_local(in, inout, count, type, op);
}

static void adjoin_MPI_Reduce_local_reverse(void *tape)
{
    struct adjoin_mpi_local *l = tape;
    if (l == NULL)
        return;
    long numbers = l->count * l->layout.numbers;
    size_t size = adjoin_mpi_number_size(l->layout.number);
    char *given = adjoin_mpi_allocate((size_t)numbers * size), *there = adjoin_mpi_allocate((size_t)numbers * size);
    adjoin_mpi_move(ADJOIN_MPI_TAKE, &l->layout, l->count, l->bar, there);
    for (long k = 0; k < numbers; k++) {
        long double adjoint = adjoin_mpi_get(l->layout.number, there, k);
        adjoin_mpi_set(l->layout.number, given, k, adjoin_mpi_local_times(l, 0, k, adjoint));
        adjoin_mpi_set(l->layout.number, there, k, adjoin_mpi_local_times(l, 1, k, adjoint));
    }
    adjoin_mpi_move(ADJOIN_MPI_ADD, &l->layout, l->count, l->in_bar, given);
    adjoin_mpi_move(ADJOIN_MPI_ADD, &l->layout, l->count, l->bar, there);
    free(given);
    free(there);
    adjoin_mpi_local_free(l);
}

static int adjoin_MPI_Reduce_local_tangent(const void *in, void *in_dot, void *inout, void *dot, int count, MPI_Datatype type,
                                           MPI_Op op)
{
    struct adjoin_mpi_local *l = adjoin_mpi_local_new(in, in_dot, inout, dot, count, type, op);
    for (int d = adjoin_mpi_other_directions(); l != NULL && d >= 0; d--) {
        long numbers = l->count * l->layout.numbers;
        size_t size = adjoin_mpi_number_size(l->layout.number);
        char *given = adjoin_mpi_allocate((size_t)numbers * size), *there = adjoin_mpi_allocate((size_t)numbers * size);
        char *to = d > 0 ? adjoin_mpi_in_direction(d, dot, 0) : dot;
        adjoin_mpi_move(ADJOIN_MPI_READ, &l->layout, l->count, d > 0 ? adjoin_mpi_in_direction(d, in_dot, 0) : in_dot, given);
        adjoin_mpi_move(ADJOIN_MPI_READ, &l->layout, l->count, to, there);
        for (long k = 0; k < numbers; k++)
            adjoin_mpi_set(l->layout.number, there, k,
                           adjoin_mpi_local_times(l, 0, k, adjoin_mpi_get(l->layout.number, given, k))
                               + adjoin_mpi_local_times(l, 1, k, adjoin_mpi_get(l->layout.number, there, k)));
        adjoin_mpi_move(ADJOIN_MPI_PUT, &l->layout, l->count, to, there);
        free(given);
        free(there);
    }
    if (l != NULL)
        adjoin_mpi_local_free(l);
    return MPI_Reduce_local(in, inout, count, type, op);
}
