/* One-sided calls that are complete when they return, or when a request is: MPI_Fetch_and_op, MPI_Get_accumulate, MPI_Compare_and_swap, and MPI_Rput, MPI_Rget and MPI_Raccumulate.
 *
 * Under a lock those that fetch are done at once, one after the other at each target, and counted there: their reverses happen in the opposite order. So locks and queues that a program makes of them
 * order its reverse sweep as well. Without a lock they are for integers only: then fences order everything. */
struct adjoin_mpi_atomic {
    struct adjoin_mpi_window *window;
    struct adjoin_mpi_access access; /* its adjoint is that of what is sent */
    struct adjoin_mpi_layout result;
    long result_count;
    char *result_bar;
    int reads, takes; /* of the target's adjoint: with MPI_SUM it stays */
    long event;
};

/* The operands of such a call. */
struct adjoin_mpi_fetch {
    const char *call;
    const void *from, *compare;
    void *bar, *to, *to_bar;
    int count, to_count, rank, target_count;
    MPI_Aint place;
    MPI_Datatype type, to_type, target;
    MPI_Op op;
    MPI_Win win;
};

static int adjoin_mpi_fetch_call(const struct adjoin_mpi_fetch *f)
{
    if (f->compare != NULL)
        return MPI_Compare_and_swap(f->from, f->compare, f->to, f->to_type, f->rank, f->place, f->win);
    return MPI_Get_accumulate(f->from, f->count, f->type, f->to, f->to_count, f->to_type, f->rank, f->place, f->target_count, f->target, f->op, f->win);
}

/* The call itself, if this rank is alone. */
static int adjoin_mpi_fetch_alone(const struct adjoin_mpi_fetch *f, const struct adjoin_mpi_window *w)
{
    int size;
    MPI_Type_size(f->to_type, &size);
    adjoin_mpi_alone(w, ADJOIN_MPI_GETS, f->to, f->to_count, f->to_type, f->place, f->target_count, f->target, MPI_REPLACE);
    if (f->compare == NULL || memcmp(f->compare, f->to, (size_t)size) == 0)
        adjoin_mpi_alone(w, ADJOIN_MPI_PUTS, (void *)f->from, f->count, f->type, f->place, f->target_count, f->target, f->op);
    return MPI_SUCCESS;
}

/* Are there numbers in it? Those need a window that is known, a lock, and an operation with a derivative. */
static int adjoin_mpi_fetch_numbers(const struct adjoin_mpi_fetch *f, const struct adjoin_mpi_window *w)
{
    struct adjoin_mpi_layout layout = adjoin_mpi_layout_of(f->to_type);
    int numbers = layout.numbers > 0;
    if (!numbers && (layout.untyped || adjoin_mpi_bytes_in(f->to_type) > 0) && (f->bar != NULL || f->to_bar != NULL))
        adjoin_mpi_fail(f->call, "active memory that travels as bytes");
    adjoin_mpi_layout_free(&layout);
    if (!numbers || f->rank == MPI_PROC_NULL)
        return 0;
    if (w == NULL)
        adjoin_mpi_fail(f->call, "the window was made outside of what is differentiated: its memory has no shadow that is known");
    if (f->compare != NULL || (f->op != MPI_SUM && f->op != MPI_REPLACE && f->op != MPI_NO_OP))
        adjoin_mpi_fail(f->call, "another operation on numbers than MPI_SUM, MPI_REPLACE and MPI_NO_OP");
    return 1;
}

static struct adjoin_mpi_atomic *adjoin_mpi_atomic_new(const struct adjoin_mpi_fetch *f, struct adjoin_mpi_window *w, int numbers)
{
    struct adjoin_mpi_atomic *atomic = adjoin_mpi_allocate(sizeof *atomic);
    struct adjoin_mpi_access *a = &atomic->access;
    atomic->window = w;
    a->rank = f->rank;
    a->target = MPI_DATATYPE_NULL;
    if (!numbers)
        return atomic;
    int none = f->op == MPI_NO_OP; /* then nothing of what is sent is looked at */
    a->layout = adjoin_mpi_layout_of(none ? f->to_type : f->type);
    a->there = adjoin_mpi_layout_of(f->target);
    a->count = none ? f->to_count : f->count;
    a->place = f->place;
    a->target_count = f->target_count;
    a->bar = f->bar;
    MPI_Type_dup(f->target, &a->target);
    atomic->result = adjoin_mpi_layout_of(f->to_type);
    atomic->result_count = f->to_count;
    atomic->result_bar = f->to_bar;
    atomic->reads = !none;
    atomic->takes = f->op == MPI_REPLACE;
    return atomic;
}

static void adjoin_mpi_atomic_free(struct adjoin_mpi_atomic *atomic)
{
    adjoin_mpi_layout_free(&atomic->access.layout);
    adjoin_mpi_layout_free(&atomic->access.there);
    adjoin_mpi_layout_free(&atomic->result);
    adjoin_mpi_block_free(atomic->access.message);
    if (atomic->access.target != MPI_DATATYPE_NULL)
        MPI_Type_free(&atomic->access.target);
    free(atomic);
}

static int adjoin_mpi_fetch_augmented(const struct adjoin_mpi_fetch *f, void **tape)
{
    struct adjoin_mpi_window *w = adjoin_mpi_window_of(f->win);
    int numbers = adjoin_mpi_fetch_numbers(f, w);
    *tape = NULL;
    if (w == NULL || f->rank == MPI_PROC_NULL)
        return adjoin_mpi_fetch_call(f);
    if (w->alone) {
        *tape = numbers ? adjoin_mpi_atomic_new(f, w, numbers) : NULL;
        return adjoin_mpi_fetch_alone(f, w);
    }
    if (w->order == NULL || !adjoin_mpi_has_lock(w->order, f->rank)) {
        if (numbers)
            adjoin_mpi_fail(f->call, "numbers, without a lock");
        return adjoin_mpi_fetch_call(f);
    }
    long slots[ADJOIN_MPI_SLOTS];
    struct adjoin_mpi_atomic *atomic = adjoin_mpi_atomic_new(f, w, numbers);
    adjoin_mpi_order_enter(w->order, f->rank, slots);
    int code = adjoin_mpi_fetch_call(f);
    MPI_Win_flush(f->rank, f->win);
    atomic->event = slots[ADJOIN_MPI_EVENTS]++;
    adjoin_mpi_order_leave(w->order, f->rank, slots);
    *tape = atomic;
    return code;
}

/* The target's adjoint goes to that of what was sent, the adjoint of what was fetched to the target's. */
static void adjoin_mpi_atomic_numbers(struct adjoin_mpi_atomic *atomic, long *slots)
{
    struct adjoin_mpi_access *a = &atomic->access;
    struct adjoin_mpi_window *w = atomic->window;
    size_t bytes = (size_t)a->count * (size_t)a->layout.numbers * adjoin_mpi_number_size(a->layout.number);
    char *given = adjoin_mpi_block(bytes), *there = w->bar + a->place * w->unit;
    a->message = adjoin_mpi_block(bytes);
    memset(given, 0, bytes);
    memset(a->message, 0, bytes);
    adjoin_mpi_move(ADJOIN_MPI_TAKE, &atomic->result, atomic->result_count, atomic->result_bar, given);
    if (atomic->reads && w->alone)
        adjoin_mpi_move(atomic->takes ? ADJOIN_MPI_TAKE : ADJOIN_MPI_READ, &a->there, a->target_count, there, a->message);
    else if (atomic->reads)
        adjoin_mpi_order_fetch(w->order, a, atomic->takes);
    if (w->alone)
        adjoin_mpi_move(ADJOIN_MPI_ADD, &a->there, a->target_count, there, given);
    else
        adjoin_mpi_order_give(w->order, a, given, slots);
    if (atomic->reads)
        adjoin_mpi_move(ADJOIN_MPI_ADD, &a->layout, a->count, a->bar, a->message);
    adjoin_mpi_block_free(given);
}

static void adjoin_mpi_fetch_reverse(struct adjoin_mpi_atomic *atomic)
{
    if (atomic == NULL)
        return;
    struct adjoin_mpi_order *order = atomic->window->order;
    long slots[ADJOIN_MPI_SLOTS];
    int rank = atomic->access.rank;
    for (int waits = order != NULL; waits;) {
        adjoin_mpi_order_enter(order, rank, slots);
        waits = slots[ADJOIN_MPI_EVENTS] != atomic->event + 1;
        if (waits) {
            adjoin_mpi_order_leave(order, rank, NULL);
            adjoin_mpi_order_yield(order);
        }
    }
    if (atomic->access.layout.numbers > 0)
        adjoin_mpi_atomic_numbers(atomic, slots);
    if (order != NULL) {
        slots[ADJOIN_MPI_EVENTS] = atomic->event;
        adjoin_mpi_order_leave(order, rank, slots);
        adjoin_mpi_order_merge(order);
    }
    adjoin_mpi_atomic_free(atomic);
}

/* The same with tangents in a direction, for which there is memory where they are missing. */
static void adjoin_mpi_fetch_dot(const struct adjoin_mpi_fetch *f, const struct adjoin_mpi_window *w, int direction, char *zeros, char *unused)
{
    struct adjoin_mpi_fetch dot = *f;
    char *from = direction == 0 ? f->bar : adjoin_mpi_in_direction(direction, f->bar, 0);
    char *to = direction == 0 ? f->to_bar : adjoin_mpi_in_direction(direction, f->to_bar, 0);
    dot.from = from != NULL || f->op == MPI_NO_OP ? from : zeros;
    dot.to = to != NULL ? to : unused;
    dot.win = w->shadow;
    if (w->alone) {
        struct adjoin_mpi_window shadow = *w;
        shadow.base = w->bar;
        adjoin_mpi_fetch_alone(&dot, &shadow);
    } else {
        adjoin_mpi_fetch_call(&dot);
        MPI_Win_flush(f->rank, w->shadow);
    }
}

/* Numbers and tangents at the target change together. */
static int adjoin_mpi_fetch_tangent(const struct adjoin_mpi_fetch *f)
{
    struct adjoin_mpi_window *w = adjoin_mpi_window_of(f->win);
    int numbers = adjoin_mpi_fetch_numbers(f, w), code, direction = 0;
    if (w == NULL || f->rank == MPI_PROC_NULL)
        return adjoin_mpi_fetch_call(f);
    if (!numbers)
        return w->alone ? adjoin_mpi_fetch_alone(f, w) : adjoin_mpi_fetch_call(f);
    adjoin_mpi_check_bounds(f->call, f->type);
    adjoin_mpi_check_bounds(f->call, f->to_type);
    MPI_Aint gap, extent, to_gap, to_extent;
    MPI_Type_get_extent(f->type, &gap, &extent);
    MPI_Type_get_extent(f->to_type, &to_gap, &to_extent);
    char *zeros = adjoin_mpi_allocate((size_t)(f->count * extent)), *unused = adjoin_mpi_allocate((size_t)(f->to_count * to_extent));
    long slots[ADJOIN_MPI_SLOTS];
    if (!w->alone && w->order == NULL)
        adjoin_mpi_fail(f->call, "numbers, without a lock");
    if (!w->alone)
        adjoin_mpi_order_enter(w->order, f->rank, slots);
    for (const struct adjoin_mpi_window *s = w; s != NULL; s = s->beside)
        adjoin_mpi_fetch_dot(f, s, direction++, zeros, unused);
    if (w->alone)
        code = adjoin_mpi_fetch_alone(f, w);
    else {
        code = adjoin_mpi_fetch_call(f);
        MPI_Win_flush(f->rank, f->win);
        adjoin_mpi_order_leave(w->order, f->rank, NULL);
    }
    free(zeros);
    free(unused);
    return code;
}

static int adjoin_MPI_Fetch_and_op_augmented(const void *from, void *bar, void *to, void *to_bar, MPI_Datatype type, int rank, MPI_Aint place, MPI_Op op,
                                             MPI_Win win, void **tape)
{
    struct adjoin_mpi_fetch f = {"MPI_Fetch_and_op", from, NULL, bar, to, to_bar, 1, 1, rank, 1, place, type, type, type, op, win};
    return adjoin_mpi_fetch_augmented(&f, tape);
}

static void adjoin_MPI_Fetch_and_op_reverse(void *tape)
{
    adjoin_mpi_fetch_reverse(tape);
}

static int adjoin_MPI_Fetch_and_op_tangent(const void *from, void *bar, void *to, void *to_bar, MPI_Datatype type, int rank, MPI_Aint place, MPI_Op op,
                                           MPI_Win win)
{
    struct adjoin_mpi_fetch f = {"MPI_Fetch_and_op", from, NULL, bar, to, to_bar, 1, 1, rank, 1, place, type, type, type, op, win};
    return adjoin_mpi_fetch_tangent(&f);
}

static int adjoin_MPI_Compare_and_swap_augmented(const void *from, void *bar, const void *compare, void *compare_bar, void *to, void *to_bar,
                                                 MPI_Datatype type, int rank, MPI_Aint place, MPI_Win win, void **tape)
{
    struct adjoin_mpi_fetch f = {"MPI_Compare_and_swap", from, compare, bar, to, to_bar, 1, 1, rank, 1, place, type, type, type, MPI_REPLACE, win};
    (void)compare_bar;
    return adjoin_mpi_fetch_augmented(&f, tape);
}

static void adjoin_MPI_Compare_and_swap_reverse(void *tape)
{
    adjoin_mpi_fetch_reverse(tape);
}

static int adjoin_MPI_Compare_and_swap_tangent(const void *from, void *bar, const void *compare, void *compare_bar, void *to, void *to_bar,
                                               MPI_Datatype type, int rank, MPI_Aint place, MPI_Win win)
{
    struct adjoin_mpi_fetch f = {"MPI_Compare_and_swap", from, compare, bar, to, to_bar, 1, 1, rank, 1, place, type, type, type, MPI_REPLACE, win};
    (void)compare_bar;
    return adjoin_mpi_fetch_tangent(&f);
}

static int adjoin_MPI_Get_accumulate_augmented(const void *from, void *bar, int count, MPI_Datatype type, void *to, void *to_bar, int to_count,
                                               MPI_Datatype to_type, int rank, MPI_Aint place, int target_count, MPI_Datatype target, MPI_Op op,
                                               MPI_Win win, void **tape)
{
    struct adjoin_mpi_fetch f = {"MPI_Get_accumulate", from, NULL, bar, to, to_bar, count, to_count, rank, target_count, place, type, to_type,
                                 target, op, win};
    return adjoin_mpi_fetch_augmented(&f, tape);
}

static void adjoin_MPI_Get_accumulate_reverse(void *tape)
{
    adjoin_mpi_fetch_reverse(tape);
}

static int adjoin_MPI_Get_accumulate_tangent(const void *from, void *bar, int count, MPI_Datatype type, void *to, void *to_bar, int to_count,
                                             MPI_Datatype to_type, int rank, MPI_Aint place, int target_count, MPI_Datatype target, MPI_Op op,
                                             MPI_Win win)
{
    struct adjoin_mpi_fetch f = {"MPI_Get_accumulate", from, NULL, bar, to, to_bar, count, to_count, rank, target_count, place, type, to_type,
                                 target, op, win};
    return adjoin_mpi_fetch_tangent(&f);
}

/* The request of something that is complete. */
static int adjoin_mpi_complete_request(int code, int rank, MPI_Win win, MPI_Request *request)
{
    if (rank != MPI_PROC_NULL)
        MPI_Win_flush(rank, win);
    MPI_Irecv(NULL, 0, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_SELF, request);
    return code;
}

static int adjoin_MPI_Rput_augmented(const void *from, void *bar, int count, MPI_Datatype type, int rank, MPI_Aint place, int target_count,
                                     MPI_Datatype target, MPI_Win win, MPI_Request *request, void **tape)
{
    int code = adjoin_MPI_Put_augmented(from, bar, count, type, rank, place, target_count, target, win, tape);
    return adjoin_mpi_complete_request(code, rank, win, request);
}

static void adjoin_MPI_Rput_reverse(void *tape)
{
    adjoin_mpi_access_ends(tape);
}

static int adjoin_MPI_Rput_tangent(const void *from, void *dot, int count, MPI_Datatype type, int rank, MPI_Aint place, int target_count,
                                   MPI_Datatype target, MPI_Win win, MPI_Request *request)
{
    int code = adjoin_MPI_Put_tangent(from, dot, count, type, rank, place, target_count, target, win);
    for (struct adjoin_mpi_window *s = adjoin_mpi_shadows(win); rank != MPI_PROC_NULL && s != NULL; s = s->beside)
        MPI_Win_flush(rank, s->shadow);
    return adjoin_mpi_complete_request(code, rank, win, request);
}

static int adjoin_MPI_Raccumulate_augmented(const void *from, void *bar, int count, MPI_Datatype type, int rank, MPI_Aint place, int target_count,
                                            MPI_Datatype target, MPI_Op op, MPI_Win win, MPI_Request *request, void **tape)
{
    int code = adjoin_MPI_Accumulate_augmented(from, bar, count, type, rank, place, target_count, target, op, win, tape);
    return adjoin_mpi_complete_request(code, rank, win, request);
}

static void adjoin_MPI_Raccumulate_reverse(void *tape)
{
    adjoin_mpi_access_ends(tape);
}

static int adjoin_MPI_Raccumulate_tangent(const void *from, void *dot, int count, MPI_Datatype type, int rank, MPI_Aint place, int target_count,
                                          MPI_Datatype target, MPI_Op op, MPI_Win win, MPI_Request *request)
{
    int code = adjoin_MPI_Accumulate_tangent(from, dot, count, type, rank, place, target_count, target, op, win);
    for (struct adjoin_mpi_window *s = adjoin_mpi_shadows(win); rank != MPI_PROC_NULL && s != NULL; s = s->beside)
        MPI_Win_flush(rank, s->shadow);
    return adjoin_mpi_complete_request(code, rank, win, request);
}

/* Complete at once: its reverse, too. */
static int adjoin_MPI_Rget_augmented(void *to, void *bar, int count, MPI_Datatype type, int rank, MPI_Aint place, int target_count,
                                     MPI_Datatype target, MPI_Win win, MPI_Request *request, void **tape)
{
    struct adjoin_mpi_fetch f = {"MPI_Rget", NULL, NULL, NULL, to, bar, 0, count, rank, target_count, place, type, type, target, MPI_NO_OP, win};
    int code = adjoin_mpi_fetch_augmented(&f, tape);
    return adjoin_mpi_complete_request(code, rank, win, request);
}

static void adjoin_MPI_Rget_reverse(void *tape)
{
    adjoin_mpi_fetch_reverse(tape);
}

static int adjoin_MPI_Rget_tangent(void *to, void *dot, int count, MPI_Datatype type, int rank, MPI_Aint place, int target_count,
                                   MPI_Datatype target, MPI_Win win, MPI_Request *request)
{
    struct adjoin_mpi_fetch f = {"MPI_Rget", NULL, NULL, NULL, to, dot, 0, count, rank, target_count, place, type, type, target, MPI_NO_OP, win};
    int code = adjoin_mpi_fetch_tangent(&f);
    return adjoin_mpi_complete_request(code, rank, win, request);
}
