/* Reductions with operations of the program's own: MPI_Op_create says which function an operation is, and a derivative that reduces says, when it begins, what the derivatives of
 * such functions are. All ranks then know what everybody gave, and each does the whole chain of operations: x0 with x1, that with x2, and so on. */
typedef void adjoin_mpi_anything(void);
typedef void adjoin_mpi_with_shadows(void *in, void *in_shadow, void *inout, void *shadow, int *count, MPI_Datatype *type);

/* The derivatives of a function. */
struct adjoin_mpi_known {
    adjoin_mpi_anything *function;
    adjoin_mpi_with_shadows *tangent, *gradient;
    struct adjoin_mpi_known *next;
};

/* An operation. */
struct adjoin_mpi_operation {
    MPI_Op op;
    MPI_User_function *function;
    struct adjoin_mpi_operation *next;
};
static struct adjoin_mpi_known *adjoin_mpi_known;
static struct adjoin_mpi_operation *adjoin_mpi_operations;

/* A derivative begins that may use these; NULL: there is none in this mode. */
static void adjoin_MPI_operation(adjoin_mpi_anything *function, adjoin_mpi_anything *tangent, adjoin_mpi_anything *gradient)
{
    adjoin_mpi_enter();
    struct adjoin_mpi_known *known = adjoin_mpi_known;
    while (known != NULL && known->function != function)
        known = known->next;
    if (known == NULL) {
        known = adjoin_mpi_allocate(sizeof *known);
        known->function = function;
        known->next = adjoin_mpi_known;
        adjoin_mpi_known = known;
    }
    if (tangent != NULL)
        known->tangent = (adjoin_mpi_with_shadows *)tangent;
    if (gradient != NULL)
        known->gradient = (adjoin_mpi_with_shadows *)gradient;
    adjoin_mpi_leave();
}

__attribute__((weak)) int MPI_Op_create(MPI_User_function *function, int commute, MPI_Op *op)
{
    int code = PMPI_Op_create(function, commute, op);
    struct adjoin_mpi_operation *made = adjoin_mpi_allocate(sizeof *made);
    made->op = *op;
    made->function = function;
    adjoin_mpi_enter();
    made->next = adjoin_mpi_operations;
    adjoin_mpi_operations = made;
    adjoin_mpi_leave();
    return code;
}

__attribute__((weak)) int MPI_Op_free(MPI_Op *op)
{
    adjoin_mpi_enter();
    struct adjoin_mpi_operation **link = &adjoin_mpi_operations;
    while (*link != NULL && (*link)->op != *op)
        link = &(*link)->next;
    struct adjoin_mpi_operation *found = *link;
    if (found != NULL)
        *link = found->next;
    adjoin_mpi_leave();
    free(found);
    return PMPI_Op_free(op);
}

/* What a reduction depends on: all that was given, and the function. */
struct adjoin_mpi_own {
    MPI_User_function *function;
    const struct adjoin_mpi_known *known;
    MPI_Datatype type;
    struct adjoin_mpi_layout layout;
    int count;
    size_t bytes;   /* of what one rank gave */
    char *elements; /* of all ranks */
};

/* The function of an operation, if its derivatives are known; or NULL. */
static const struct adjoin_mpi_known *adjoin_mpi_known_of(MPI_Op op, MPI_User_function **function)
{
    adjoin_mpi_enter();
    struct adjoin_mpi_operation *made = adjoin_mpi_operations;
    while (made != NULL && made->op != op)
        made = made->next;
    struct adjoin_mpi_known *known = made != NULL ? adjoin_mpi_known : NULL;
    while (known != NULL && known->function != (adjoin_mpi_anything *)made->function)
        known = known->next;
    if (known != NULL)
        *function = made->function;
    adjoin_mpi_leave();
    return known;
}

/* Collects what all ranks give; a non-blocking call only starts to. */
static struct adjoin_mpi_own *adjoin_mpi_own_new(const void *primal, long count, MPI_Datatype type, MPI_Op op, MPI_Request *request, MPI_Comm comm)
{
    struct adjoin_mpi_own *own = adjoin_mpi_allocate(sizeof *own);
    int numbers, addresses, types, combiner, size;
    own->known = adjoin_mpi_known_of(op, &own->function);
    own->layout = adjoin_mpi_layout_of(type);
    adjoin_mpi_check_bounds("a reduction", type);
    own->type = type;
    /* The program may free it. */
    MPI_Type_get_envelope(type, &numbers, &addresses, &types, &combiner);
    if (combiner != MPI_COMBINER_NAMED)
        MPI_Type_dup(type, &own->type);
    own->count = (int)count;
    own->bytes = (size_t)count * (size_t)own->layout.extent;
    MPI_Comm_size(comm, &size);
    own->elements = adjoin_mpi_allocate((size_t)size * own->bytes);
    if (request != NULL)
        MPI_Iallgather(primal, own->count, type, own->elements, own->count, type, comm, request);
    else
        MPI_Allgather(primal, own->count, type, own->elements, own->count, type, comm);
    return own;
}

static void adjoin_mpi_own_free(struct adjoin_mpi_own *own)
{
    if (own == NULL)
        return;
    int numbers, addresses, types, combiner;
    MPI_Type_get_envelope(own->type, &numbers, &addresses, &types, &combiner);
    if (combiner != MPI_COMBINER_NAMED)
        MPI_Type_free(&own->type);
    adjoin_mpi_layout_free(&own->layout);
    free(own->elements);
    free(own);
}

/* Tangents of the reduction over the first ranks, from those of what all ranks gave, which lie behind one another. They go to `result`. */
static void adjoin_mpi_own_tangents(struct adjoin_mpi_own *own, int ranks, char *messages, char *result)
{
    size_t each = (size_t)own->count * (size_t)own->layout.numbers * adjoin_mpi_number_size(own->layout.number);
    char *state = adjoin_mpi_allocate(own->bytes), *next = adjoin_mpi_allocate(own->bytes);
    char *dot = adjoin_mpi_allocate(own->bytes), *next_dot = adjoin_mpi_allocate(own->bytes);
    if (own->known->tangent == NULL)
        adjoin_mpi_fail("a reduction", "the operation is not known in forward mode");
    for (int r = 0; r < ranks; r++) {
        char *other = state, *other_dot = dot;
        memcpy(next, own->elements + (size_t)r * own->bytes, own->bytes);
        adjoin_mpi_move(ADJOIN_MPI_PUT, &own->layout, own->count, next_dot, messages + (size_t)r * each);
        if (r > 0)
            own->known->tangent(state, dot, next, next_dot, &own->count, &own->type);
        state = next;
        dot = next_dot;
        next = other;
        next_dot = other_dot;
    }
    adjoin_mpi_move(ADJOIN_MPI_READ, &own->layout, own->count, dot, result);
    free(state);
    free(next);
    free(dot);
    free(next_dot);
}

/* The adjoint of what a rank gave, from those of all results: that over all ranks (`scan` is 0), or those over the first ones, for each rank, which lie behind one another.
 * It replaces the first of them. */
static void adjoin_mpi_own_adjoint(struct adjoin_mpi_own *own, int rank, int size, int scan, int exclusive, char *messages)
{
    size_t each = (size_t)own->count * (size_t)own->layout.numbers * adjoin_mpi_number_size(own->layout.number);
    int last = size - 1 - exclusive;
    char *states = adjoin_mpi_allocate((size_t)size * own->bytes), *given = adjoin_mpi_allocate(own->bytes);
    char *bar = adjoin_mpi_allocate(own->bytes), *before = adjoin_mpi_allocate(own->bytes);
    if (own->known->gradient == NULL)
        adjoin_mpi_fail("a reduction", "the operation is not known in reverse mode");
    memcpy(states, own->elements, (size_t)size * own->bytes);
    for (int r = 1; r <= last; r++)
        own->function(states + (size_t)(r - 1) * own->bytes, states + (size_t)r * own->bytes, &own->count, &own->type);
    for (int r = last; r >= rank; r--) {
        if (scan)
            adjoin_mpi_move(ADJOIN_MPI_ADD, &own->layout, own->count, bar, messages + (size_t)(r + exclusive) * each);
        else if (r == last)
            adjoin_mpi_move(ADJOIN_MPI_ADD, &own->layout, own->count, bar, messages);
        if (r == 0)
            break;
        memset(before, 0, own->bytes);
        memcpy(given, own->elements + (size_t)r * own->bytes, own->bytes);
        own->known->gradient(states + (size_t)(r - 1) * own->bytes, before, given, bar, &own->count, &own->type);
        if (r > rank) {
            char *other = bar;
            bar = before;
            before = other;
        }
    }
    adjoin_mpi_move(ADJOIN_MPI_READ, &own->layout, own->count, bar, messages);
    free(states);
    free(given);
    free(bar);
    free(before);
}
