/* One-sided communication under locks: MPI_Win_lock, MPI_Win_lock_all, and MPI_Win_flush between them. The target does not take part, so its memory is the concern of whatever orders the
 * ranks (order). In forward mode the lock of the program's window protects its tangents, too. In the reverse sweep:
 *
 * - The reverse of what was accessed up to a flush or an unlock happens at the reverse of that.
 * - A rank adds to its own shadow as if it were alone, while others may add to it as well (all may read at the same time). What others add goes to an inbox beside the shadow, which the rank
 *   empties behind everything that orders it after others. Who fetches an adjoint takes that in the inbox, too.
 * - Epochs under exclusive locks are reversed in the opposite order, with those under shared locks between them: a count at the target tells an epoch in the forward sweep which one it is,
 *   and its reverse waits until the count is back.
 *
 * The counts and the inbox of a rank are looked at under an exclusive lock of a window that the program does not know, never while waiting for others. */
enum { ADJOIN_MPI_EPOCHS, ADJOIN_MPI_READERS, ADJOIN_MPI_NUMBERS, ADJOIN_MPI_FULL, ADJOIN_MPI_EVENTS, ADJOIN_MPI_SLOTS };

struct adjoin_mpi_order {
    MPI_Win shadow, inbox, counts; /* the shadow once more: these stay open */
    struct adjoin_mpi_channel *channel;
    MPI_Aint size;
    char *bar, *received;
    long *slots;
    struct adjoin_mpi_turn *held; /* of the locks that this rank has */
};

/* The place of an epoch among others at a target; of MPI_Win_lock_all at each of them. */
struct adjoin_mpi_turn {
    struct adjoin_mpi_order *order;
    int rank, exclusive, all;
    long number, readers; /* how many exclusive ones came before it, and how many shared ones since the last of them */
    struct adjoin_mpi_turn *next, *below;
};

static struct adjoin_mpi_order *adjoin_mpi_order_new(char *bar, MPI_Aint size, int unit, MPI_Comm comm)
{
    struct adjoin_mpi_order *order = adjoin_mpi_allocate(sizeof *order);
    order->channel = adjoin_mpi_hold(comm);
    order->size = size;
    order->bar = bar;
    order->received = adjoin_mpi_allocate((size_t)size);
    order->slots = adjoin_mpi_allocate(ADJOIN_MPI_SLOTS * sizeof *order->slots);
    MPI_Win_create(bar, size, unit, MPI_INFO_NULL, comm, &order->shadow);
    MPI_Win_create(order->received, size, unit, MPI_INFO_NULL, comm, &order->inbox);
    MPI_Win_create(order->slots, ADJOIN_MPI_SLOTS * sizeof *order->slots, sizeof *order->slots, MPI_INFO_NULL, comm, &order->counts);
    MPI_Win_lock_all(0, order->shadow);
    MPI_Win_lock_all(0, order->inbox);
    MPI_Barrier(order->channel->comm);
    return order;
}

static void adjoin_mpi_order_free(struct adjoin_mpi_order *order)
{
    if (order == NULL)
        return;
    MPI_Win_unlock_all(order->shadow);
    MPI_Win_unlock_all(order->inbox);
    MPI_Win_free(&order->shadow);
    MPI_Win_free(&order->inbox);
    MPI_Win_free(&order->counts);
    adjoin_mpi_release(order->channel);
    free(order->received);
    free(order->slots);
    free(order);
}

/* Nobody else looks at what a rank keeps until this one leaves it. */
static void adjoin_mpi_order_enter(struct adjoin_mpi_order *order, int rank, long *slots)
{
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, order->counts);
    MPI_Get(slots, ADJOIN_MPI_SLOTS, MPI_LONG, rank, 0, ADJOIN_MPI_SLOTS, MPI_LONG, order->counts);
    MPI_Win_flush(rank, order->counts);
}

static void adjoin_mpi_order_leave(struct adjoin_mpi_order *order, int rank, const long *slots)
{
    if (slots != NULL)
        MPI_Put(slots, ADJOIN_MPI_SLOTS, MPI_LONG, rank, 0, ADJOIN_MPI_SLOTS, MPI_LONG, order->counts);
    MPI_Win_unlock(rank, order->counts);
}

/* What has come to the inbox goes to the shadow. */
static void adjoin_mpi_order_merge(struct adjoin_mpi_order *order)
{
    long slots[ADJOIN_MPI_SLOTS];
    int own = order->channel->rank;
    adjoin_mpi_order_enter(order, own, slots);
    if (!slots[ADJOIN_MPI_FULL]) {
        adjoin_mpi_order_leave(order, own, NULL);
        return;
    }
    int number = (int)slots[ADJOIN_MPI_NUMBERS];
    MPI_Win_sync(order->inbox);
    MPI_Win_sync(order->shadow);
    MPI_Aint each = (MPI_Aint)adjoin_mpi_number_size(number);
    const char none[sizeof(long double)] = {0};
    for (MPI_Aint at = 0; at + each <= order->size; at += each) /* there may be other things than numbers */
        if (memcmp(order->received + at, none, (size_t)each) != 0)
            adjoin_mpi_move_run(ADJOIN_MPI_ADD, number, number, order->bar + at, order->received + at, 0, 1);
    memset(order->received, 0, (size_t)order->size);
    MPI_Win_sync(order->inbox);
    MPI_Win_sync(order->shadow);
    slots[ADJOIN_MPI_FULL] = 0;
    adjoin_mpi_order_leave(order, own, slots);
}

/* Something has ordered this rank behind others. */
static void adjoin_mpi_windows_merge(void)
{
    for (struct adjoin_mpi_window *w = adjoin_mpi_windows; w != NULL; w = w->next)
        if (w->order != NULL)
            adjoin_mpi_order_merge(w->order);
}

/* All ranks of a window wait for each other. */
static void adjoin_mpi_order_meet(struct adjoin_mpi_window *w)
{
    if (w->order == NULL)
        return;
    MPI_Barrier(w->order->channel->comm);
    adjoin_mpi_windows_merge();
    MPI_Barrier(w->order->channel->comm);
}

/* The adjoints at the target of an access, and what is in the inbox; zero is left behind if they are taken. */
static void adjoin_mpi_order_fetch(struct adjoin_mpi_order *order, struct adjoin_mpi_access *a, int takes)
{
    int n = (int)(a->count * a->layout.numbers);
    size_t bytes = (size_t)n * adjoin_mpi_number_size(a->layout.number);
    MPI_Datatype type = adjoin_mpi_number_type(a->layout.number);
    MPI_Win both[2] = {order->shadow, order->inbox};
    char *more = adjoin_mpi_block(bytes), *to[2] = {a->message, more}, *zeros = adjoin_mpi_allocate(bytes);
    for (int k = 0; k < 2; k++) {
        MPI_Get(to[k], n, type, a->rank, a->place, a->target_count, a->target, both[k]);
        MPI_Win_flush(a->rank, both[k]);
        if (takes) {
            MPI_Put(zeros, n, type, a->rank, a->place, a->target_count, a->target, both[k]);
            MPI_Win_flush(a->rank, both[k]);
        }
    }
    adjoin_mpi_move_run(ADJOIN_MPI_ADD, a->layout.number, a->layout.number, a->message, more, 0, n);
    adjoin_mpi_block_free(more);
    free(zeros);
}

/* Adds to the inbox of the target. */
static void adjoin_mpi_order_give(struct adjoin_mpi_order *order, const struct adjoin_mpi_access *a, const char *message, long *slots)
{
    int n = (int)(a->count * a->layout.numbers);
    if (slots[ADJOIN_MPI_NUMBERS] != 0 && slots[ADJOIN_MPI_NUMBERS] != a->layout.number)
        adjoin_mpi_fail("one-sided communication", "numbers of several types in a window that is locked");
    slots[ADJOIN_MPI_NUMBERS] = a->layout.number;
    slots[ADJOIN_MPI_FULL] = 1;
    MPI_Accumulate(message, n, adjoin_mpi_number_type(a->layout.number), a->rank, a->place, a->target_count, a->target, MPI_SUM, order->inbox);
    MPI_Win_flush(a->rank, order->inbox);
}

/* The reverse of one access under a lock. */
static void adjoin_mpi_order_reverse(struct adjoin_mpi_order *order, struct adjoin_mpi_access *a)
{
    size_t bytes = (size_t)a->count * (size_t)a->layout.numbers * adjoin_mpi_number_size(a->layout.number);
    long slots[ADJOIN_MPI_SLOTS];
    a->message = adjoin_mpi_block(bytes);
    memset(a->message, 0, bytes);
    adjoin_mpi_order_enter(order, a->rank, slots);
    if (a->kind == ADJOIN_MPI_GETS) {
        adjoin_mpi_move(ADJOIN_MPI_TAKE, &a->layout, a->count, a->bar, a->message);
        adjoin_mpi_order_give(order, a, a->message, slots);
    } else
        adjoin_mpi_order_fetch(order, a, a->kind == ADJOIN_MPI_PUTS);
    adjoin_mpi_order_leave(order, a->rank, slots);
}

/* Lets others go on, at whose targets this rank may be: some libraries serve them only here. */
static void adjoin_mpi_order_yield(const struct adjoin_mpi_order *order)
{
    int found;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, order->channel->comm, &found, MPI_STATUS_IGNORE);
    sched_yield();
}

/* A lock is there: which epoch does it begin? */
static struct adjoin_mpi_turn *adjoin_mpi_turn_take(struct adjoin_mpi_order *order, int rank, int exclusive, struct adjoin_mpi_turn *next)
{
    struct adjoin_mpi_turn *turn = adjoin_mpi_allocate(sizeof *turn);
    long slots[ADJOIN_MPI_SLOTS];
    turn->order = order;
    turn->rank = rank;
    turn->exclusive = exclusive;
    turn->next = next;
    adjoin_mpi_order_enter(order, rank, slots);
    turn->number = slots[ADJOIN_MPI_EPOCHS];
    turn->readers = slots[ADJOIN_MPI_READERS];
    slots[ADJOIN_MPI_EPOCHS] += exclusive;
    slots[ADJOIN_MPI_READERS] = exclusive ? 0 : turn->readers + 1;
    adjoin_mpi_order_leave(order, rank, slots);
    return turn;
}

/* The reverse of its end: all that came later are reversed. */
static void adjoin_mpi_turn_wait(const struct adjoin_mpi_turn *turn)
{
    long slots[ADJOIN_MPI_SLOTS];
    for (int waits = 1; waits;) {
        adjoin_mpi_order_enter(turn->order, turn->rank, slots);
        waits = slots[ADJOIN_MPI_EPOCHS] != turn->number + turn->exclusive || (turn->exclusive && slots[ADJOIN_MPI_READERS] != 0);
        adjoin_mpi_order_leave(turn->order, turn->rank, NULL);
        if (waits)
            adjoin_mpi_order_yield(turn->order);
    }
}

/* The reverse of its beginning. */
static void adjoin_mpi_turn_end(struct adjoin_mpi_turn *turn)
{
    long slots[ADJOIN_MPI_SLOTS];
    adjoin_mpi_order_enter(turn->order, turn->rank, slots);
    slots[ADJOIN_MPI_EPOCHS] = turn->number;
    slots[ADJOIN_MPI_READERS] = turn->exclusive ? turn->readers : slots[ADJOIN_MPI_READERS] - 1;
    adjoin_mpi_order_leave(turn->order, turn->rank, slots);
    free(turn);
}

/* A lock that this rank has is noted, or given back. */
static void *adjoin_mpi_hold_turn(struct adjoin_mpi_turn *turn)
{
    if (turn != NULL) {
        turn->below = turn->order->held;
        turn->order->held = turn;
    }
    return turn;
}

static struct adjoin_mpi_turn *adjoin_mpi_drop_turn(struct adjoin_mpi_window *w, int rank, int all)
{
    if (w == NULL || w->order == NULL)
        return NULL;
    struct adjoin_mpi_turn **link = &w->order->held;
    while (*link != NULL && (all ? !(*link)->all : (*link)->all || (*link)->rank != rank))
        link = &(*link)->below;
    struct adjoin_mpi_turn *found = *link;
    if (found != NULL)
        *link = found->below;
    return found;
}

/* Has this rank locked the memory of another? */
static int adjoin_mpi_has_lock(const struct adjoin_mpi_order *order, int rank)
{
    for (const struct adjoin_mpi_turn *turn = order->held; turn != NULL; turn = turn->below)
        if (turn->all || turn->rank == rank)
            return 1;
    return 0;
}

/* Accesses to a rank, or to all of them, are complete. */
static struct adjoin_mpi_epoch *adjoin_mpi_accesses_end(struct adjoin_mpi_window *w, int rank, int all)
{
    if (w == NULL)
        return NULL;
    struct adjoin_mpi_epoch *epoch = adjoin_mpi_allocate(sizeof *epoch);
    epoch->window = w;
    struct adjoin_mpi_access **link = &w->accesses, **last = &epoch->accesses;
    while (*link != NULL) {
        struct adjoin_mpi_access *a = *link;
        if (!all && a->rank != rank) {
            link = &a->next;
            continue;
        }
        *link = a->next;
        a->next = NULL;
        *last = a;
        last = &a->next;
    }
    return epoch;
}

/* Their reverse, and that of the end of a lock if it was one. */
static void adjoin_mpi_accesses_reverse(struct adjoin_mpi_epoch *epoch)
{
    if (epoch == NULL)
        return;
    struct adjoin_mpi_window *w = epoch->window;
    for (struct adjoin_mpi_turn *turn = epoch->turn; turn != NULL; turn = turn->next)
        adjoin_mpi_turn_wait(turn);
    if (w->order != NULL && epoch->turn != NULL)
        adjoin_mpi_order_merge(w->order);
    for (struct adjoin_mpi_access *a = epoch->accesses; a != NULL; a = a->next)
        if (w->alone)
            adjoin_mpi_access_reverse(a, w);
        else
            adjoin_mpi_order_reverse(w->order, a);
    free(epoch);
}

static int adjoin_MPI_Win_lock_augmented(int type, int rank, int assertion, MPI_Win win, void **tape)
{
    int code = MPI_Win_lock(type, rank, assertion, win);
    struct adjoin_mpi_window *w = adjoin_mpi_window_of(win);
    *tape = NULL;
    if (w == NULL || w->order == NULL || rank == MPI_PROC_NULL)
        return code;
    MPI_Win_flush(rank, win); /* some libraries only now lock it */
    *tape = adjoin_mpi_hold_turn(adjoin_mpi_turn_take(w->order, rank, type == MPI_LOCK_EXCLUSIVE, NULL));
    return code;
}

static void adjoin_MPI_Win_lock_reverse(void *tape)
{
    for (struct adjoin_mpi_turn *turn = tape, *next; turn != NULL; turn = next) {
        next = turn->next;
        adjoin_mpi_turn_end(turn);
    }
}

static int adjoin_MPI_Win_lock_tangent(int type, int rank, int assertion, MPI_Win win)
{
    int code = MPI_Win_lock(type, rank, assertion, win);
    if (adjoin_mpi_shadows(win) == NULL)
        return code;
    /* The one lock protects all: ranks that had one of two each would wait for ever. */
    if (rank != MPI_PROC_NULL)
        MPI_Win_flush(rank, win); /* some libraries only now lock it */
    for (struct adjoin_mpi_window *s = adjoin_mpi_shadows(win); s != NULL; s = s->beside)
        MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, s->shadow);
    return code;
}

static int adjoin_MPI_Win_lock_all_augmented(int assertion, MPI_Win win, void **tape)
{
    int code = MPI_Win_lock_all(assertion, win);
    struct adjoin_mpi_window *w = adjoin_mpi_window_of(win);
    struct adjoin_mpi_turn *all = NULL;
    if (w != NULL && w->order != NULL)
        for (int rank = w->order->channel->size - 1; rank >= 0; rank--)
            all = adjoin_mpi_turn_take(w->order, rank, 0, all);
    if (all != NULL)
        all->all = 1;
    *tape = adjoin_mpi_hold_turn(all);
    return code;
}

static void adjoin_MPI_Win_lock_all_reverse(void *tape)
{
    adjoin_MPI_Win_lock_reverse(tape);
}

static int adjoin_MPI_Win_lock_all_tangent(int assertion, MPI_Win win)
{
    int code = MPI_Win_lock_all(assertion, win);
    for (struct adjoin_mpi_window *s = adjoin_mpi_shadows(win); s != NULL; s = s->beside)
        MPI_Win_lock_all(0, s->shadow);
    return code;
}

static int adjoin_MPI_Win_unlock_augmented(int rank, MPI_Win win, void **tape)
{
    int code = MPI_Win_unlock(rank, win);
    struct adjoin_mpi_window *w = adjoin_mpi_window_of(win);
    struct adjoin_mpi_epoch *epoch = adjoin_mpi_accesses_end(w, rank, 0);
    if (epoch != NULL)
        epoch->turn = adjoin_mpi_drop_turn(w, rank, 0);
    *tape = epoch;
    return code;
}

static void adjoin_MPI_Win_unlock_reverse(void *tape)
{
    adjoin_mpi_accesses_reverse(tape);
}

static int adjoin_MPI_Win_unlock_tangent(int rank, MPI_Win win)
{
    for (struct adjoin_mpi_window *s = adjoin_mpi_shadows(win); s != NULL; s = s->beside)
        MPI_Win_unlock(rank, s->shadow);
    adjoin_mpi_epoch_free(adjoin_mpi_accesses_end(adjoin_mpi_window_of(win), rank, 0));
    return MPI_Win_unlock(rank, win);
}

static int adjoin_MPI_Win_unlock_all_augmented(MPI_Win win, void **tape)
{
    int code = MPI_Win_unlock_all(win);
    struct adjoin_mpi_window *w = adjoin_mpi_window_of(win);
    struct adjoin_mpi_epoch *epoch = adjoin_mpi_accesses_end(w, 0, 1);
    if (epoch != NULL)
        epoch->turn = adjoin_mpi_drop_turn(w, 0, 1);
    *tape = epoch;
    return code;
}

static void adjoin_MPI_Win_unlock_all_reverse(void *tape)
{
    adjoin_mpi_accesses_reverse(tape);
}

static int adjoin_MPI_Win_unlock_all_tangent(MPI_Win win)
{
    for (struct adjoin_mpi_window *s = adjoin_mpi_shadows(win); s != NULL; s = s->beside)
        MPI_Win_unlock_all(s->shadow);
    adjoin_mpi_epoch_free(adjoin_mpi_accesses_end(adjoin_mpi_window_of(win), 0, 1));
    return MPI_Win_unlock_all(win);
}

/* What is complete only here cannot be told from what is complete, in the reverse sweep. */
#define ADJOIN_MPI_FLUSHES(NAME, PARAMETERS, ARGUMENTS, SHADOW, RANK, ALL) \
    ADJOIN_SHARED int adjoin_##NAME##_augmented(PARAMETERS, void **tape) \
    { \
        int code = NAME(ARGUMENTS); \
        *tape = adjoin_mpi_accesses_end(adjoin_mpi_window_of(win), RANK, ALL); \
        return code; \
    } \
    ADJOIN_SHARED void adjoin_##NAME##_reverse(void *tape) \
    { \
        adjoin_mpi_accesses_reverse(tape); \
    } \
    ADJOIN_SHARED int adjoin_##NAME##_tangent(PARAMETERS) \
    { \
        for (struct adjoin_mpi_window *s = adjoin_mpi_shadows(win); s != NULL; s = s->beside) \
            NAME(SHADOW); \
        adjoin_mpi_epoch_free(adjoin_mpi_accesses_end(adjoin_mpi_window_of(win), RANK, ALL)); \
        return NAME(ARGUMENTS); \
    }
#define ADJOIN_MPI_TWO(A, B) A, B
#define ADJOIN_FLUSHES_ONE(NAME) ADJOIN_MPI_FLUSHES(NAME, ADJOIN_MPI_TWO(int rank, MPI_Win win), ADJOIN_MPI_TWO(rank, win), ADJOIN_MPI_TWO(rank, s->shadow), rank, 0)
#define ADJOIN_FLUSHES_ALL(NAME) ADJOIN_MPI_FLUSHES(NAME, MPI_Win win, win, s->shadow, 0, 1)
ADJOIN_FLUSHES_ONE(MPI_Win_flush)
ADJOIN_FLUSHES_ONE(MPI_Win_flush_local)
ADJOIN_FLUSHES_ALL(MPI_Win_flush_all)
ADJOIN_FLUSHES_ALL(MPI_Win_flush_local_all)

static int adjoin_MPI_Win_sync_augmented(MPI_Win win, void **tape)
{
    *tape = NULL;
    return MPI_Win_sync(win);
}

static void adjoin_MPI_Win_sync_reverse(void *tape)
{
    (void)tape;
}

static int adjoin_MPI_Win_sync_tangent(MPI_Win win)
{
    for (struct adjoin_mpi_window *s = adjoin_mpi_shadows(win); s != NULL; s = s->beside)
        MPI_Win_sync(s->shadow);
    return MPI_Win_sync(win);
}

/* A barrier of a program that locks windows. */
static int MPI_Adjoin_barrier(MPI_Comm comm)
{
    return MPI_Barrier(comm);
}

static int adjoin_MPI_Adjoin_barrier_augmented(MPI_Comm comm, void **tape)
{
    *tape = adjoin_mpi_hold(comm);
    return MPI_Barrier(comm);
}

static void adjoin_MPI_Adjoin_barrier_reverse(void *tape)
{
    struct adjoin_mpi_channel *channel = tape;
    MPI_Barrier(channel->comm);
    adjoin_mpi_windows_merge();
    MPI_Barrier(channel->comm);
    adjoin_mpi_release(channel);
}

static int adjoin_MPI_Adjoin_barrier_tangent(MPI_Comm comm)
{
    return MPI_Barrier(comm);
}
