/* MPI_Reduce_local, in both modes: no other rank takes part. */
struct adjoin_mpi_local {
    struct adjoin_mpi_layout layout;
    int reduction;
    long count;
    char *in_bar, *bar;
    int complex;          /* numbers in pairs */
    char *partials;       /* of the result, with respect to what is read and to what was there; not of sums */
    char *dots;           /* of a product, in the second derivative: their tangents; and the adjoints of what `bar` has the tangents of */
    char *adjoints;
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
    struct adjoin_mpi_inputs inputs = {.reduction = l->reduction, .number = l->layout.number, .complex = l->layout.complex, .count = count * l->layout.numbers};
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
    l->complex = inputs.complex;
    for (long k = 0; k < inputs.count; k += 1 + l->complex)
        for (int which = 0; which < 2; which++)
            adjoin_mpi_value_put(inputs.number, l->complex, l->partials, which * inputs.count + k, adjoin_mpi_partial(&inputs, 2, which, k));
    free(inputs.values);
    free(inputs.indices);
    return l;
}

static void adjoin_mpi_local_free(struct adjoin_mpi_local *l)
{
    free(l->partials);
    free(l->dots);
    adjoin_mpi_layout_free(&l->layout);
    free(l);
}

/* One of the partial derivatives, or of their tangents, as a tangent or an adjoint is multiplied with it. */
static struct adjoin_mpi_value adjoin_mpi_local_factor(const struct adjoin_mpi_local *l, const char *factors, int which, long k, int adjoint)
{
    struct adjoin_mpi_value factor = {1, 0};
    if (factors != NULL)
        factor = adjoin_mpi_value_at(l->layout.number, l->complex, factors, which * l->count * l->layout.numbers + k);
    return adjoint ? adjoin_mpi_conjugate(factor) : factor;
}

/* Adds what the adjoints of the result contribute to those of what was read, or was there. */
static void adjoin_mpi_local_adjoints(const struct adjoin_mpi_local *l, const char *factors, int which, const char *adjoints, char *sums)
{
    int number = l->layout.number;
    for (long k = 0; k < l->count * l->layout.numbers; k += 1 + l->complex) {
        struct adjoin_mpi_value sum = adjoin_mpi_value_at(number, l->complex, sums, k);
        adjoin_mpi_value_add(&sum, adjoin_mpi_local_factor(l, factors, which, k, 1), adjoin_mpi_value_at(number, l->complex, adjoints, k));
        adjoin_mpi_value_put(number, l->complex, sums, k, sum);
    }
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
    char *adjoints = adjoin_mpi_allocate((size_t)numbers * size);
    adjoin_mpi_move(ADJOIN_MPI_TAKE, &l->layout, l->count, l->bar, adjoints);
    adjoin_mpi_local_adjoints(l, l->partials, 0, adjoints, given);
    adjoin_mpi_local_adjoints(l, l->partials, 1, adjoints, there);
    if (l->dots != NULL) {
        memset(adjoints, 0, (size_t)numbers * size);
        adjoin_mpi_move(ADJOIN_MPI_READ, &l->layout, l->count, l->adjoints, adjoints);
        adjoin_mpi_local_adjoints(l, l->dots, 0, adjoints, given);
        adjoin_mpi_local_adjoints(l, l->dots, 1, adjoints, there);
    }
    adjoin_mpi_move(ADJOIN_MPI_ADD, &l->layout, l->count, l->in_bar, given);
    adjoin_mpi_move(ADJOIN_MPI_ADD, &l->layout, l->count, l->bar, there);
    free(adjoints);
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
        for (long k = 0; k < numbers; k += 1 + l->complex) {
            struct adjoin_mpi_value sum = {0, 0};
            adjoin_mpi_value_add(&sum, adjoin_mpi_local_factor(l, l->partials, 0, k, 0), adjoin_mpi_value_at(l->layout.number, l->complex, given, k));
            adjoin_mpi_value_add(&sum, adjoin_mpi_local_factor(l, l->partials, 1, k, 0), adjoin_mpi_value_at(l->layout.number, l->complex, there, k));
            adjoin_mpi_value_put(l->layout.number, l->complex, there, k, sum);
        }
        adjoin_mpi_move(ADJOIN_MPI_PUT, &l->layout, l->count, to, there);
        free(given);
        free(there);
    }
    if (l != NULL)
        adjoin_mpi_local_free(l);
    return MPI_Reduce_local(in, inout, count, type, op);
}
