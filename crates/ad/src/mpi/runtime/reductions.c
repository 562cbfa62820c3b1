/* Reductions other than sums: how the result depends on what each rank gave.
 *
 * The smallest or largest of several equal values is that of the lowest rank, for MPI_MINLOC and MPI_MAXLOC that of the lowest index
 * and then of the lowest rank. The derivative of a product is the product of the others, so zeros need no rule. */

enum {
    ADJOIN_MPI_SUM,
    ADJOIN_MPI_PROD,
    ADJOIN_MPI_MIN,
    ADJOIN_MPI_MAX,
    ADJOIN_MPI_MINLOC,
    ADJOIN_MPI_MAXLOC,
    ADJOIN_MPI_OWN /* one of the program's own: see own_operations */
};

struct adjoin_mpi_inputs {
    int reduction;
    int number;
    int complex;    /* two numbers are one: of a product */
    long count;     /* of numbers */
    int *winner;    /* of each element, where that is all that counts; otherwise: */
    char *values;   /* what each rank gave */
    int *indices;   /* and its indices */
    struct adjoin_mpi_own *own;
    char *dots;     /* tangents of the values, where the second derivative of a product needs them */
    MPI_Request requests[2];
};

static long double adjoin_mpi_get(int number, const char *numbers, long k)
{
    if (number == ADJOIN_MPI_DOUBLE)
        return ((const double *)numbers)[k];
    if (number == ADJOIN_MPI_FLOAT)
        return ((const float *)numbers)[k];
    return ((const long double *)numbers)[k];
}

static void adjoin_mpi_set(int number, char *numbers, long k, long double value)
{
    if (number == ADJOIN_MPI_DOUBLE)
        ((double *)numbers)[k] = (double)value;
    else if (number == ADJOIN_MPI_FLOAT)
        ((float *)numbers)[k] = (float)value;
    else
        ((long double *)numbers)[k] = value;
}

/* A number, or a complex one. */
struct adjoin_mpi_value {
    long double re, im;
};

static struct adjoin_mpi_value adjoin_mpi_value_at(int number, int complex, const char *numbers, long k)
{
    struct adjoin_mpi_value value = {adjoin_mpi_get(number, numbers, k), complex ? adjoin_mpi_get(number, numbers, k + 1) : 0};
    return value;
}

static void adjoin_mpi_value_put(int number, int complex, char *numbers, long k, struct adjoin_mpi_value value)
{
    adjoin_mpi_set(number, numbers, k, value.re);
    if (complex)
        adjoin_mpi_set(number, numbers, k + 1, value.im);
}

/* Adds a multiple. What zero is multiplied with does not matter. */
static void adjoin_mpi_value_add(struct adjoin_mpi_value *sum, struct adjoin_mpi_value factor, struct adjoin_mpi_value value)
{
    if (factor.re != 0) {
        sum->re += factor.re * value.re;
        sum->im += factor.re * value.im;
    }
    if (factor.im != 0) {
        sum->re -= factor.im * value.im;
        sum->im += factor.im * value.re;
    }
}

static struct adjoin_mpi_value adjoin_mpi_value_times(struct adjoin_mpi_value a, struct adjoin_mpi_value b)
{
    struct adjoin_mpi_value product = {a.re * b.re, 0};
    if (a.im != 0 || b.im != 0) { /* else infinite ones stay what they are */
        product.re -= a.im * b.im;
        product.im = a.re * b.im + a.im * b.re;
    }
    return product;
}

/* What an adjoint is multiplied with, where a tangent is multiplied with the factor. */
static struct adjoin_mpi_value adjoin_mpi_conjugate(struct adjoin_mpi_value factor)
{
    factor.im = -factor.im;
    return factor;
}

/* Which reduction this is; one without a derivative ends the program. */
static int adjoin_mpi_reduction(const char *call, MPI_Op op, const struct adjoin_mpi_layout *layout)
{
    if (op == MPI_SUM)
        return ADJOIN_MPI_SUM;
    if (op == MPI_PROD)
        return ADJOIN_MPI_PROD;
    if (op == MPI_MIN)
        return ADJOIN_MPI_MIN;
    if (op == MPI_MAX)
        return ADJOIN_MPI_MAX;
    if (op == MPI_MINLOC && layout->pair)
        return ADJOIN_MPI_MINLOC;
    if (op == MPI_MAXLOC && layout->pair)
        return ADJOIN_MPI_MAXLOC;
    MPI_User_function *function;
    if (adjoin_mpi_known_of(op, &function) != NULL)
        return ADJOIN_MPI_OWN;
    adjoin_mpi_fail(call, "the derivative of a reduction other than MPI_SUM, MPI_PROD, MPI_MIN, MPI_MAX, MPI_MINLOC and MPI_MAXLOC, whose function is not known");
    return 0;
}

static void adjoin_mpi_wait_for(int count, MPI_Request *requests)
{
    for (int k = 0; k < count; k++)
        MPI_Wait(&requests[k], MPI_STATUS_IGNORE);
}

static void adjoin_mpi_inputs_free(struct adjoin_mpi_inputs *inputs)
{
    if (inputs == NULL)
        return;
    adjoin_mpi_wait_for(2, inputs->requests);
    free(inputs->winner);
    free(inputs->values);
    free(inputs->indices);
    free(inputs->dots);
    adjoin_mpi_own_free(inputs->own);
    free(inputs);
}

/* The lowest rank with the smallest or largest value of each element: MPI has a reduction for that. */
#define ADJOIN_MPI_WINNERS(NUMBER, PAIR) \
    { \
        struct { \
            NUMBER value; \
            int rank; \
        } *pair = adjoin_mpi_allocate((size_t)count * sizeof *pair); \
        for (int k = 0; k < count; k++) { \
            pair[k].value = ((const NUMBER *)own)[k]; \
            pair[k].rank = rank; \
        } \
        MPI_Allreduce(MPI_IN_PLACE, pair, count, PAIR, op == MPI_MIN ? MPI_MINLOC : MPI_MAXLOC, comm); \
        for (int k = 0; k < count; k++) \
            inputs->winner[k] = pair[k].rank; \
        free(pair); \
    }

static void adjoin_mpi_inputs_winners(struct adjoin_mpi_inputs *inputs, const char *own, MPI_Op op, int rank, MPI_Comm comm)
{
    int count = (int)inputs->count;
    inputs->winner = adjoin_mpi_allocate((size_t)count * sizeof *inputs->winner);
    if (inputs->number == ADJOIN_MPI_DOUBLE)
        ADJOIN_MPI_WINNERS(double, MPI_DOUBLE_INT)
    else if (inputs->number == ADJOIN_MPI_FLOAT)
        ADJOIN_MPI_WINNERS(float, MPI_FLOAT_INT)
    else
        ADJOIN_MPI_WINNERS(long double, MPI_LONG_DOUBLE_INT)
}

/* Collects what the result depends on, before the call; nothing for a sum. All ranks take part.
 * A non-blocking call must not wait for others: it only starts to collect. */
static struct adjoin_mpi_inputs *adjoin_mpi_inputs_new(const char *call, const void *primal, long count,
                                                       MPI_Datatype type, MPI_Op op, int scan, int nonblocking,
                                                       MPI_Comm comm)
{
    struct adjoin_mpi_layout layout = adjoin_mpi_layout_of(type);
    int reduction = ADJOIN_MPI_SUM;
    if (layout.number != ADJOIN_MPI_NO_NUMBER)
        reduction = adjoin_mpi_reduction(call, op, &layout);
    if (reduction == ADJOIN_MPI_SUM) {
        adjoin_mpi_layout_free(&layout);
        return NULL;
    }
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    struct adjoin_mpi_inputs *inputs = adjoin_mpi_allocate(sizeof *inputs);
    inputs->reduction = reduction;
    inputs->number = layout.number;
    inputs->complex = layout.complex;
    inputs->count = count * layout.numbers;
    inputs->requests[0] = MPI_REQUEST_NULL;
    inputs->requests[1] = MPI_REQUEST_NULL;
    if (reduction == ADJOIN_MPI_OWN) {
        inputs->own = adjoin_mpi_own_new(primal, count, type, op, nonblocking ? &inputs->requests[0] : NULL, comm);
        adjoin_mpi_layout_free(&layout);
        return inputs;
    }
    size_t bytes = adjoin_mpi_number_size(layout.number);
    MPI_Datatype number = adjoin_mpi_number_type(layout.number);
    if (!scan && !nonblocking && (reduction == ADJOIN_MPI_MIN || reduction == ADJOIN_MPI_MAX)) {
        char *own = adjoin_mpi_allocate((size_t)count * bytes);
        adjoin_mpi_move(ADJOIN_MPI_READ, &layout, count, (char *)primal, own);
        adjoin_mpi_inputs_winners(inputs, own, op, rank, comm);
        free(own);
        adjoin_mpi_layout_free(&layout);
        return inputs;
    }
    inputs->values = adjoin_mpi_allocate((size_t)size * (size_t)inputs->count * bytes);
    char *own = inputs->values + (size_t)rank * (size_t)inputs->count * bytes;
    adjoin_mpi_move(ADJOIN_MPI_READ, &layout, count, (char *)primal, own);
    if (nonblocking)
        MPI_Iallgather(MPI_IN_PLACE, 0, number, inputs->values, (int)inputs->count, number, comm, &inputs->requests[0]);
    else
        MPI_Allgather(MPI_IN_PLACE, 0, number, inputs->values, (int)inputs->count, number, comm);
    if (layout.pair) {
        MPI_Aint behind = (MPI_Aint)bytes;
        inputs->indices = adjoin_mpi_allocate((size_t)size * (size_t)count * sizeof *inputs->indices);
        for (long k = 0; k < count; k++)
            inputs->indices[rank * count + k] = *(const int *)((const char *)primal + k * layout.extent + behind);
        if (nonblocking)
            MPI_Iallgather(MPI_IN_PLACE, 0, MPI_INT, inputs->indices, (int)count, MPI_INT, comm, &inputs->requests[1]);
        else
            MPI_Allgather(MPI_IN_PLACE, 0, MPI_INT, inputs->indices, (int)count, MPI_INT, comm);
    }
    adjoin_mpi_layout_free(&layout);
    return inputs;
}

/* Whether one rank's element comes before another's in the order of the reduction. */
static int adjoin_mpi_inputs_better(const struct adjoin_mpi_inputs *inputs, long a, long b)
{
    long double x = adjoin_mpi_get(inputs->number, inputs->values, a);
    long double y = adjoin_mpi_get(inputs->number, inputs->values, b);
    if (x == y)
        return inputs->indices != NULL && inputs->indices[a] < inputs->indices[b];
    return inputs->reduction == ADJOIN_MPI_MIN || inputs->reduction == ADJOIN_MPI_MINLOC ? x < y : x > y;
}

/* The product of what the first ranks gave, but two of them. */
static struct adjoin_mpi_value adjoin_mpi_others(const struct adjoin_mpi_inputs *inputs, int ranks, int one, int two, long k)
{
    struct adjoin_mpi_value others = {1, 0};
    for (int r = 0; r < ranks; r++)
        if (r != one && r != two)
            others = adjoin_mpi_value_times(others, adjoin_mpi_value_at(inputs->number, inputs->complex, inputs->values, r * inputs->count + k));
    return others;
}

/* The partial derivative of element k of the reduction over the first ranks with respect to that of one of them; sums have no inputs. */
static struct adjoin_mpi_value adjoin_mpi_partial(const struct adjoin_mpi_inputs *inputs, int ranks, int rank, long k)
{
    struct adjoin_mpi_value partial = {1, 0};
    if (inputs == NULL)
        return partial;
    if (inputs->reduction == ADJOIN_MPI_PROD)
        return adjoin_mpi_others(inputs, ranks, rank, rank, k);
    int best = 0;
    if (inputs->winner != NULL)
        best = inputs->winner[k];
    for (int r = 1; inputs->winner == NULL && r < ranks; r++)
        if (adjoin_mpi_inputs_better(inputs, r * inputs->count + k, best * inputs->count + k))
            best = r;
    partial.re = best == rank;
    return partial;
}

/* Complex numbers are taken in pairs. */
static int adjoin_mpi_pairs(const struct adjoin_mpi_inputs *inputs)
{
    return inputs != NULL && inputs->complex;
}

/* Multiplies a message with the partial derivatives with respect to what this rank gave: tangents, or adjoints. */
static void adjoin_mpi_inputs_scale(struct adjoin_mpi_inputs *inputs, int rank, int size, int number, int adjoints, char *message)
{
    adjoin_mpi_wait_for(2, inputs->requests);
    if (inputs->own != NULL) {
        adjoin_mpi_own_adjoint(inputs->own, rank, size, 0, 0, message);
        return;
    }
    int pairs = adjoin_mpi_pairs(inputs);
    for (long k = 0; k < inputs->count; k += 1 + pairs) {
        struct adjoin_mpi_value sum = {0, 0}, partial = adjoin_mpi_partial(inputs, size, rank, k);
        adjoin_mpi_value_add(&sum, adjoints ? adjoin_mpi_conjugate(partial) : partial, adjoin_mpi_value_at(number, pairs, message, k));
        adjoin_mpi_value_put(number, pairs, message, k, sum);
    }
}

/* The adjoint of what this rank gave to a scan, from the adjoints of all results; it replaces the first of them. */
static void adjoin_mpi_scan_adjoint(struct adjoin_mpi_inputs *inputs, int rank, int size, int exclusive, long count,
                                    int number, char *messages)
{
    if (inputs != NULL)
        adjoin_mpi_wait_for(2, inputs->requests);
    if (inputs != NULL && inputs->own != NULL) {
        adjoin_mpi_own_adjoint(inputs->own, rank, size, 1, exclusive, messages);
        return;
    }
    int pairs = adjoin_mpi_pairs(inputs);
    for (long k = 0; k < count; k += 1 + pairs) {
        struct adjoin_mpi_value sum = {0, 0};
        for (int r = rank + exclusive; r < size; r++)
            adjoin_mpi_value_add(&sum, adjoin_mpi_conjugate(adjoin_mpi_partial(inputs, r + 1 - exclusive, rank, k)),
                                 adjoin_mpi_value_at(number, pairs, messages, r * count + k));
        adjoin_mpi_value_put(number, pairs, messages, k, sum);
    }
}

/* Tangents of some elements of the reduction over the first ranks, from the tangents of what all ranks gave; they replace the first ones. */
static void adjoin_mpi_sum_tangents(struct adjoin_mpi_inputs *inputs, int ranks, long first, long count, long all,
                                    int number, char *messages)
{
    if (inputs != NULL)
        adjoin_mpi_wait_for(2, inputs->requests);
    if (inputs != NULL && inputs->own != NULL) {
        size_t size = adjoin_mpi_number_size(number);
        char *result = adjoin_mpi_allocate((size_t)all * size);
        if (count > 0)
            adjoin_mpi_own_tangents(inputs->own, ranks, messages, result);
        memcpy(messages, result + (size_t)first * size, (size_t)count * size);
        free(result);
        return;
    }
    int pairs = adjoin_mpi_pairs(inputs);
    for (long k = 0; k < count; k += 1 + pairs) {
        struct adjoin_mpi_value sum = {0, 0};
        for (int r = 0; r < ranks; r++)
            adjoin_mpi_value_add(&sum, adjoin_mpi_partial(inputs, ranks, r, first + k),
                                 adjoin_mpi_value_at(number, pairs, messages, r * all + first + k));
        adjoin_mpi_value_put(number, pairs, messages, k, sum);
    }
}

/* The tangent of a partial derivative of a product over the first ranks. */
static struct adjoin_mpi_value adjoin_mpi_partial_tangent(const struct adjoin_mpi_inputs *inputs, int ranks, int rank, long k)
{
    struct adjoin_mpi_value sum = {0, 0};
    for (int t = 0; t < ranks; t++)
        if (t != rank)
            adjoin_mpi_value_add(&sum, adjoin_mpi_value_at(inputs->number, inputs->complex, inputs->dots, t * inputs->count + k),
                                 adjoin_mpi_others(inputs, ranks, rank, t, k));
    return sum;
}

/* What the tangent of the adjoint of what this rank gave to a product gets from the adjoints of the results, of which there is one, or one for each rank. */
static void adjoin_mpi_product_second(struct adjoin_mpi_inputs *inputs, int rank, int size, int scan, int exclusive, int number,
                                      const char *messages, char *result)
{
    adjoin_mpi_wait_for(2, inputs->requests);
    int pairs = adjoin_mpi_pairs(inputs);
    for (long k = 0; k < inputs->count; k += 1 + pairs) {
        struct adjoin_mpi_value sum = {0, 0};
        for (int r = scan ? rank + exclusive : size - 1; r < size; r++)
            adjoin_mpi_value_add(&sum, adjoin_mpi_value_at(number, pairs, messages, (scan ? r * inputs->count : 0) + k),
                                 adjoin_mpi_conjugate(adjoin_mpi_partial_tangent(inputs, scan ? r + 1 - exclusive : size, rank, k)));
        adjoin_mpi_value_put(number, pairs, result, k, sum);
    }
}
