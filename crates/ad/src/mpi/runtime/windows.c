/* One-sided communication, in both modes, here between fences: MPI_Put, MPI_Get, and MPI_Accumulate with MPI_SUM or MPI_REPLACE.
 *
 * A window has another one, of its shadow, made together with it. In forward mode tangents do what the numbers do. What is accessed between two fences happens at the second: its reverse does the
 * reverses of all accesses, between two fences of its own. The adjoint of what was put is fetched, and zero is left behind; of what was added it is fetched; the adjoint of what was got is taken, and added
 * at the target. What was fetched is added to the adjoint of what was sent at the reverse of the call.
 *
 * With one rank nothing is communicated: some libraries make no windows then, of memory that they have not allocated themselves. The program's handle is that of a window that nobody uses. */
enum { ADJOIN_MPI_PUTS, ADJOIN_MPI_ADDS, ADJOIN_MPI_GETS };

struct adjoin_mpi_access {
    int kind;
    char *bar;
    struct adjoin_mpi_layout layout;
    long count;
    int rank, target_count;
    MPI_Aint place;
    MPI_Datatype target;
    struct adjoin_mpi_layout there; /* of the target, if this rank is alone */
    char *message, *zeros;
    struct adjoin_mpi_access *next;
};

struct adjoin_mpi_window {
    MPI_Win win, shadow;
    void *memory; /* in place of a shadow that is missing */
    int alone, unit;
    char *base, *bar; /* if it is alone */
    struct adjoin_mpi_access *accesses; /* that are not complete */
    MPI_Group started, posted;          /* of the epochs */
    struct adjoin_mpi_order *order;     /* if windows are locked: see window_locks */
    struct adjoin_mpi_window *beside;   /* the same for the next direction: only its shadow counts */
    struct adjoin_mpi_window *next;
};
static struct adjoin_mpi_window *adjoin_mpi_windows;

static struct adjoin_mpi_order *adjoin_mpi_order_new(char *bar, MPI_Aint size, int unit, MPI_Comm comm);
static void adjoin_mpi_order_meet(struct adjoin_mpi_window *w);
static void adjoin_mpi_order_free(struct adjoin_mpi_order *order);

struct adjoin_mpi_epoch {
    struct adjoin_mpi_window *window;
    struct adjoin_mpi_access *accesses;
    struct adjoin_mpi_turn *turn; /* if the window was locked */
    MPI_Group group; /* if there are no fences */
};

static struct adjoin_mpi_window *adjoin_mpi_window_of(MPI_Win win)
{
    struct adjoin_mpi_window *w = adjoin_mpi_windows;
    while (w != NULL && w->win != win)
        w = w->next;
    return w;
}

/* The window of a shadow. */
static struct adjoin_mpi_window *adjoin_mpi_window_of_shadow(void *base, void *bar, MPI_Aint size, int unit, MPI_Comm comm)
{
    struct adjoin_mpi_window *w = adjoin_mpi_allocate(sizeof *w);
    int ranks;
    MPI_Comm_size(comm, &ranks);
    w->alone = ranks == 1;
    if (bar == NULL)
        bar = w->memory = adjoin_mpi_allocate((size_t)size);
    w->unit = unit;
    w->base = base;
    w->bar = bar;
    w->win = MPI_WIN_NULL;
    if (!w->alone)
        MPI_Win_create(bar, size, unit, MPI_INFO_NULL, comm, &w->shadow);
    return w;
}

/* Makes a window and those of its shadows. */
static int adjoin_mpi_window_new(void *base, void *bar, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, MPI_Win *win)
{
    struct adjoin_mpi_window *w = adjoin_mpi_window_of_shadow(base, bar, size, unit, comm);
    void *unused;
    int code = w->alone ? MPI_Win_allocate(1, 1, info, comm, &unused, win) : MPI_Win_create(base, size, unit, info, comm, win);
    for (int d = adjoin_mpi_other_directions(); d > 0; d--) {
        struct adjoin_mpi_window *other = adjoin_mpi_window_of_shadow(base, adjoin_mpi_in_direction(d, bar, 0), size, unit, comm);
        other->beside = w->beside;
        w->beside = other;
    }
    if (adjoin_mpi_ordered && !w->alone)
        w->order = adjoin_mpi_order_new(w->bar, size, unit, comm);
    w->win = *win;
    w->next = adjoin_mpi_windows;
    adjoin_mpi_windows = w;
    return code;
}

static void adjoin_mpi_window_forget(struct adjoin_mpi_window *w)
{
    struct adjoin_mpi_window **link = &adjoin_mpi_windows;
    while (*link != NULL && *link != w)
        link = &(*link)->next;
    if (*link != NULL)
        *link = w->next;
}

static void adjoin_mpi_window_free(struct adjoin_mpi_window *w)
{
    adjoin_mpi_order_meet(w);
    adjoin_mpi_window_forget(w);
    adjoin_mpi_order_free(w->order);
    while (w != NULL) {
        struct adjoin_mpi_window *other = w->beside;
        if (!w->alone)
            MPI_Win_free(&w->shadow);
        free(w->memory);
        free(w);
        w = other;
    }
}

/* The first of the windows of shadows, if there are other ones: each leads to the next direction's. */
static struct adjoin_mpi_window *adjoin_mpi_shadows(MPI_Win win)
{
    struct adjoin_mpi_window *w = adjoin_mpi_window_of(win);
    return w == NULL || w->alone ? NULL : w;
}

static int adjoin_MPI_Win_create_augmented(void *base, void *base_bar, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, MPI_Win *win,
                                           void **tape)
{
    int code = adjoin_mpi_window_new(base, base_bar, size, unit, info, comm, win);
    *tape = adjoin_mpi_windows;
    return code;
}

static void adjoin_MPI_Win_create_reverse(void *tape)
{
    adjoin_mpi_window_free(tape);
}

static int adjoin_MPI_Win_create_tangent(void *base, void *base_dot, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, MPI_Win *win)
{
    return adjoin_mpi_window_new(base, base_dot, size, unit, info, comm, win);
}

static int adjoin_MPI_Win_free_augmented(MPI_Win *win, void **tape)
{
    struct adjoin_mpi_window *w = adjoin_mpi_window_of(*win);
    if (w != NULL)
        w->win = MPI_WIN_NULL;
    *tape = w;
    return MPI_Win_free(win);
}

/* Nobody frees a window before all are done with it. */
static void adjoin_MPI_Win_free_reverse(void *tape)
{
    if (tape != NULL)
        adjoin_mpi_order_meet(tape);
}

static int adjoin_MPI_Win_free_tangent(MPI_Win *win)
{
    struct adjoin_mpi_window *w = adjoin_mpi_window_of(*win);
    if (w != NULL)
        adjoin_mpi_window_free(w);
    return MPI_Win_free(win);
}

static void adjoin_mpi_access_free(struct adjoin_mpi_access *a)
{
    adjoin_mpi_layout_free(&a->layout);
    adjoin_mpi_layout_free(&a->there);
    MPI_Type_free(&a->target);
    adjoin_mpi_block_free(a->message);
    free(a->zeros);
    free(a);
}

static int adjoin_MPI_Win_fence_augmented(int assertion, MPI_Win win, void **tape)
{
    int code = MPI_Win_fence(assertion, win);
    struct adjoin_mpi_window *w = adjoin_mpi_window_of(win);
    struct adjoin_mpi_epoch *epoch = w != NULL ? adjoin_mpi_allocate(sizeof *epoch) : NULL;
    if (w != NULL) {
        epoch->window = w;
        epoch->accesses = w->accesses;
        w->accesses = NULL;
    }
    *tape = epoch;
    return code;
}

/* An access to the memory of the only rank, or to that of its shadow. */
static void adjoin_mpi_access_here(struct adjoin_mpi_access *a, char *own, char *there)
{
    size_t bytes = (size_t)a->count * (size_t)a->layout.numbers * adjoin_mpi_number_size(a->layout.number);
    char *message = adjoin_mpi_block(bytes);
    memset(message, 0, bytes);
    if (a->kind == ADJOIN_MPI_GETS) {
        adjoin_mpi_move(ADJOIN_MPI_READ, &a->there, a->target_count, there, message);
        adjoin_mpi_move(ADJOIN_MPI_PUT, &a->layout, a->count, own, message);
    } else {
        adjoin_mpi_move(ADJOIN_MPI_READ, &a->layout, a->count, own, message);
        adjoin_mpi_move(a->kind == ADJOIN_MPI_ADDS ? ADJOIN_MPI_ADD : ADJOIN_MPI_PUT, &a->there, a->target_count, there, message);
    }
    adjoin_mpi_block_free(message);
}

/* The reverse of one access. */
static void adjoin_mpi_access_reverse(struct adjoin_mpi_access *a, const struct adjoin_mpi_window *w)
{
    int n = (int)(a->count * a->layout.numbers);
    size_t bytes = (size_t)n * adjoin_mpi_number_size(a->layout.number);
    MPI_Datatype type = adjoin_mpi_number_type(a->layout.number);
    MPI_Win shadow = w->shadow;
    char *there = w->bar + a->place * w->unit;
    a->message = adjoin_mpi_block(bytes);
    memset(a->message, 0, bytes);
    if (w->alone && a->kind == ADJOIN_MPI_GETS) {
        adjoin_mpi_move(ADJOIN_MPI_TAKE, &a->layout, a->count, a->bar, a->message);
        adjoin_mpi_move(ADJOIN_MPI_ADD, &a->there, a->target_count, there, a->message);
    } else if (w->alone)
        adjoin_mpi_move(a->kind == ADJOIN_MPI_ADDS ? ADJOIN_MPI_READ : ADJOIN_MPI_TAKE, &a->there, a->target_count, there, a->message);
    else if (a->kind == ADJOIN_MPI_GETS) {
        adjoin_mpi_move(ADJOIN_MPI_TAKE, &a->layout, a->count, a->bar, a->message);
        MPI_Accumulate(a->message, n, type, a->rank, a->place, a->target_count, a->target, MPI_SUM, shadow);
    } else if (a->kind == ADJOIN_MPI_ADDS)
        MPI_Get(a->message, n, type, a->rank, a->place, a->target_count, a->target, shadow);
    else {
        a->zeros = adjoin_mpi_allocate(bytes);
        MPI_Get_accumulate(a->zeros, n, type, a->message, n, type, a->rank, a->place, a->target_count, a->target, MPI_REPLACE, shadow);
    }
}

static void adjoin_MPI_Win_fence_reverse(void *tape)
{
    struct adjoin_mpi_epoch *epoch = tape;
    if (epoch == NULL)
        return;
    struct adjoin_mpi_window *w = epoch->window;
    adjoin_mpi_order_meet(w);
    if (!w->alone)
        MPI_Win_fence(0, w->shadow);
    for (struct adjoin_mpi_access *a = epoch->accesses; a != NULL; a = a->next)
        adjoin_mpi_access_reverse(a, w);
    if (!w->alone)
        MPI_Win_fence(0, w->shadow);
    free(epoch);
}

static int adjoin_MPI_Win_fence_tangent(int assertion, MPI_Win win)
{
    struct adjoin_mpi_window *w = adjoin_mpi_window_of(win);
    int code = MPI_Win_fence(assertion, win);
    if (w == NULL)
        return code;
    for (struct adjoin_mpi_window *s = adjoin_mpi_shadows(win); s != NULL; s = s->beside)
        MPI_Win_fence(0, s->shadow);
    while (w->accesses != NULL) {
        struct adjoin_mpi_access *a = w->accesses;
        w->accesses = a->next;
        adjoin_mpi_access_free(a);
    }
    return code;
}

/* An access of numbers; NULL: there are none. */
static struct adjoin_mpi_access *adjoin_mpi_access_new(const char *call, int kind, void *bar, int count, MPI_Datatype type, int rank, MPI_Aint place,
                                                       int target_count, MPI_Datatype target, MPI_Win win)
{
    struct adjoin_mpi_layout layout = adjoin_mpi_layout_of(type);
    int size;
    MPI_Type_size(type, &size);
    if (layout.numbers == 0 && (layout.untyped || adjoin_mpi_bytes_in(type) > 0) && bar != NULL)
        adjoin_mpi_fail(call, "active memory that travels as bytes");
    struct adjoin_mpi_window *w = adjoin_mpi_window_of(win);
    if (layout.numbers == 0 || rank == MPI_PROC_NULL) {
        adjoin_mpi_layout_free(&layout);
        return NULL;
    }
    if (layout.numbers * (long)adjoin_mpi_number_size(layout.number) != size)
        adjoin_mpi_fail(call, "a datatype of numbers and others");
    if (w == NULL)
        adjoin_mpi_fail(call, "the window was made outside of what is differentiated: its memory has no shadow that is known");
    struct adjoin_mpi_access *a = adjoin_mpi_allocate(sizeof *a);
    a->kind = kind;
    a->bar = bar;
    a->layout = layout;
    a->count = count;
    a->rank = rank;
    a->place = place;
    a->target_count = target_count;
    MPI_Type_dup(target, &a->target);
    if (w->alone)
        a->there = adjoin_mpi_layout_of(target);
    a->next = w->accesses;
    w->accesses = a;
    return a;
}

/* Its reverse, behind that of the fence: what was fetched is added. */
static void adjoin_mpi_access_ends(struct adjoin_mpi_access *a)
{
    if (a == NULL)
        return;
    if (a->message == NULL)
        adjoin_mpi_fail("one-sided communication", "nothing behind it says that it is complete");
    if (a->kind != ADJOIN_MPI_GETS)
        adjoin_mpi_move(ADJOIN_MPI_ADD, &a->layout, a->count, a->bar, a->message);
    adjoin_mpi_access_free(a);
}

/* Other things than numbers, if this rank is alone. */
static void adjoin_mpi_alone(const struct adjoin_mpi_window *w, int kind, void *own, int count, MPI_Datatype type, MPI_Aint place,
                             int target_count, MPI_Datatype target, MPI_Op op)
{
    char *there = w->base + place * w->unit;
    if (kind == ADJOIN_MPI_GETS)
        PMPI_Sendrecv(there, target_count, target, 0, 0, own, count, type, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    else if (op == MPI_REPLACE)
        PMPI_Sendrecv(own, count, type, 0, 0, there, target_count, target, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    else if (op != MPI_NO_OP)
        PMPI_Reduce_local(own, there, count, type, op);
}

/* The call itself, if this rank is alone: then it is done at once. Is it? */
static int adjoin_mpi_access_done(struct adjoin_mpi_access *a, int kind, const void *own, int count, MPI_Datatype type, int rank, MPI_Aint place,
                                  int target_count, MPI_Datatype target, MPI_Op op, MPI_Win win)
{
    struct adjoin_mpi_window *w = adjoin_mpi_window_of(win);
    if (w == NULL || !w->alone)
        return 0;
    if (a != NULL)
        adjoin_mpi_access_here(a, (char *)own, w->base + a->place * w->unit);
    else if (rank != MPI_PROC_NULL)
        adjoin_mpi_alone(w, kind, (void *)own, count, type, place, target_count, target, op);
    return 1;
}

/* Puts or adds; what is only put has no operation. */
static void adjoin_mpi_access_send(const struct adjoin_mpi_access *a, const void *from, int count, MPI_Datatype type, MPI_Op op, MPI_Win win)
{
    if (op == MPI_OP_NULL)
        MPI_Put(from, count, type, a->rank, a->place, a->target_count, a->target, win);
    else
        MPI_Accumulate(from, count, type, a->rank, a->place, a->target_count, a->target, op, win);
}

/* The same with tangents, in all directions. Where there are none, zeros are put, which last until the access is complete. */
static void adjoin_mpi_access_tangents(struct adjoin_mpi_access *a, int count, MPI_Datatype type, MPI_Op op, MPI_Win win)
{
    struct adjoin_mpi_window *w = a != NULL ? adjoin_mpi_window_of(win) : NULL;
    int numbers = a != NULL ? (int)(a->count * a->layout.numbers) : 0;
    for (int d = 0; w != NULL; w = w->beside, d++) {
        char *dot = d == 0 ? a->bar : adjoin_mpi_in_direction(d, a->bar, 0);
        if (w->alone)
            adjoin_mpi_access_here(a, dot, w->bar + a->place * w->unit);
        else if (a->kind == ADJOIN_MPI_GETS && dot != NULL)
            MPI_Get(dot, count, type, a->rank, a->place, a->target_count, a->target, w->shadow);
        else if (a->kind != ADJOIN_MPI_GETS && dot != NULL)
            adjoin_mpi_access_send(a, dot, count, type, op, w->shadow);
        else if (a->kind != ADJOIN_MPI_GETS) {
            if (a->zeros == NULL)
                a->zeros = adjoin_mpi_allocate((size_t)numbers * adjoin_mpi_number_size(a->layout.number));
            adjoin_mpi_access_send(a, a->zeros, numbers, adjoin_mpi_number_type(a->layout.number), op, w->shadow);
        }
    }
}

static int adjoin_MPI_Put_augmented(const void *from, void *bar, int count, MPI_Datatype type, int rank, MPI_Aint place, int target_count,
                                    MPI_Datatype target, MPI_Win win, void **tape)
{
    struct adjoin_mpi_access *a = adjoin_mpi_access_new("MPI_Put", ADJOIN_MPI_PUTS, bar, count, type, rank, place, target_count, target, win);
    *tape = a;
    if (adjoin_mpi_access_done(a, ADJOIN_MPI_PUTS, from, count, type, rank, place, target_count, target, MPI_REPLACE, win))
        return MPI_SUCCESS;
    return MPI_Put(from, count, type, rank, place, target_count, target, win);
}

static void adjoin_MPI_Put_reverse(void *tape)
{
    adjoin_mpi_access_ends(tape);
}

static int adjoin_MPI_Put_tangent(const void *from, void *dot, int count, MPI_Datatype type, int rank, MPI_Aint place, int target_count,
                                  MPI_Datatype target, MPI_Win win)
{
    struct adjoin_mpi_access *a = adjoin_mpi_access_new("MPI_Put", ADJOIN_MPI_PUTS, dot, count, type, rank, place, target_count, target, win);
    adjoin_mpi_access_tangents(a, count, type, MPI_OP_NULL, win);
    if (adjoin_mpi_access_done(a, ADJOIN_MPI_PUTS, from, count, type, rank, place, target_count, target, MPI_REPLACE, win))
        return MPI_SUCCESS;
    return MPI_Put(from, count, type, rank, place, target_count, target, win);
}

static int adjoin_MPI_Get_augmented(void *to, void *bar, int count, MPI_Datatype type, int rank, MPI_Aint place, int target_count,
                                    MPI_Datatype target, MPI_Win win, void **tape)
{
    struct adjoin_mpi_access *a = adjoin_mpi_access_new("MPI_Get", ADJOIN_MPI_GETS, bar, count, type, rank, place, target_count, target, win);
    *tape = a;
    if (adjoin_mpi_access_done(a, ADJOIN_MPI_GETS, to, count, type, rank, place, target_count, target, MPI_REPLACE, win))
        return MPI_SUCCESS;
    return MPI_Get(to, count, type, rank, place, target_count, target, win);
}

static void adjoin_MPI_Get_reverse(void *tape)
{
    adjoin_mpi_access_ends(tape);
}

static int adjoin_MPI_Get_tangent(void *to, void *dot, int count, MPI_Datatype type, int rank, MPI_Aint place, int target_count,
                                  MPI_Datatype target, MPI_Win win)
{
    struct adjoin_mpi_access *a = adjoin_mpi_access_new("MPI_Get", ADJOIN_MPI_GETS, dot, count, type, rank, place, target_count, target, win);
    adjoin_mpi_access_tangents(a, count, type, MPI_OP_NULL, win);
    if (adjoin_mpi_access_done(a, ADJOIN_MPI_GETS, to, count, type, rank, place, target_count, target, MPI_REPLACE, win))
        return MPI_SUCCESS;
    return MPI_Get(to, count, type, rank, place, target_count, target, win);
}

/* Sums and replacements are what is differentiated. */
static int adjoin_mpi_access_kind(MPI_Datatype type, MPI_Op op)
{
    struct adjoin_mpi_layout layout = adjoin_mpi_layout_of(type);
    int numbers = layout.numbers > 0;
    adjoin_mpi_layout_free(&layout);
    if (numbers && op != MPI_SUM && op != MPI_REPLACE)
        adjoin_mpi_fail("MPI_Accumulate", "another operation than MPI_SUM and MPI_REPLACE");
    return op == MPI_SUM ? ADJOIN_MPI_ADDS : ADJOIN_MPI_PUTS;
}

static int adjoin_MPI_Accumulate_augmented(const void *from, void *bar, int count, MPI_Datatype type, int rank, MPI_Aint place, int target_count,
                                           MPI_Datatype target, MPI_Op op, MPI_Win win, void **tape)
{
    int kind = adjoin_mpi_access_kind(type, op);
    struct adjoin_mpi_access *a = adjoin_mpi_access_new("MPI_Accumulate", kind, bar, count, type, rank, place, target_count, target, win);
    *tape = a;
    if (adjoin_mpi_access_done(a, kind, from, count, type, rank, place, target_count, target, op, win))
        return MPI_SUCCESS;
    return MPI_Accumulate(from, count, type, rank, place, target_count, target, op, win);
}

static void adjoin_MPI_Accumulate_reverse(void *tape)
{
    adjoin_mpi_access_ends(tape);
}

static int adjoin_MPI_Accumulate_tangent(const void *from, void *dot, int count, MPI_Datatype type, int rank, MPI_Aint place, int target_count,
                                         MPI_Datatype target, MPI_Op op, MPI_Win win)
{
    int kind = adjoin_mpi_access_kind(type, op);
    struct adjoin_mpi_access *a = adjoin_mpi_access_new("MPI_Accumulate", kind, dot, count, type, rank, place, target_count, target, win);
    adjoin_mpi_access_tangents(a, count, type, op, win);
    if (adjoin_mpi_access_done(a, kind, from, count, type, rank, place, target_count, target, op, win))
        return MPI_SUCCESS;
    return MPI_Accumulate(from, count, type, rank, place, target_count, target, op, win);
}
