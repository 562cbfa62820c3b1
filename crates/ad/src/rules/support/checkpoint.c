/* The reverse sweep of a loop that is checkpointed. `checkpoint.ir` is made from this file: see `mod.rs`.

   The state of the loop is a list of pieces of memory. The forward sweep runs the loop and keeps snapshots of the state; the reverse sweep takes
   segments of iterations from the last to the first: it restores the nearest snapshot before the segment, runs the iterations between them again, and
   calls the gradient of the segment. Where there are fewer snapshots than segments they are placed binomially, so that the fewest iterations run again. */

struct adjoin_piece {
    char *address;
    long bytes;
    long constant; /* the loop only reads it */
};

struct adjoin_checkpoints {
    long kind;    /* 0: as many segments as each has iterations, 1: segments of `number` iterations, 2: `number` snapshots, 3: `number` bytes */
    long number;
    long steps;   /* iterations of the loop */
    long segment; /* iterations of a segment */
    long room;    /* how many snapshots may be kept */
    long count;   /* how many are */
    long *positions;
    char **snapshots;
    struct adjoin_piece *pieces;
    long pieces_count;
    long pieces_room;
    long bytes;   /* of a snapshot */
    long constant_bytes;
    char *constants;
};

void *adjoin_take_memory(unsigned long bytes);
void *adjoin_grow_memory(void *memory, unsigned long bytes);
void adjoin_give_memory(void *memory);
unsigned long adjoin_most_memory(int again);

static void *adjoin_checkpoint_memory(void *old, long bytes)
{
    void *memory = old ? adjoin_grow_memory(old, (unsigned long)bytes) : adjoin_take_memory((unsigned long)bytes);
    if (!memory && bytes) {
        __builtin_printf("adjoin: no memory for checkpoints\n");
        __builtin_abort();
    }
    return memory;
}

/* Nothing is known yet but how it is to be done. */
void *adjoin_checkpoint_new(long kind, long number)
{
    struct adjoin_checkpoints *c = adjoin_checkpoint_memory((void *)0, sizeof *c);
    __builtin_memset(c, 0, sizeof *c);
    c->kind = kind;
    c->number = number;
    return c;
}

/* A piece of the state. What the loop only reads is kept once. */
void adjoin_checkpoint_piece(void *checkpoints, void *address, long bytes, long constant)
{
    struct adjoin_checkpoints *c = checkpoints;
    if (!address || bytes <= 0)
        return;
    if (c->pieces_count == c->pieces_room) {
        c->pieces_room = 2 * c->pieces_room + 8;
        c->pieces = adjoin_checkpoint_memory(c->pieces, c->pieces_room * (long)sizeof *c->pieces);
    }
    c->pieces[c->pieces_count].address = address;
    c->pieces[c->pieces_count].bytes = bytes;
    c->pieces[c->pieces_count].constant = constant;
    c->pieces_count++;
    if (constant)
        c->constant_bytes += bytes;
    else
        c->bytes += bytes;
}

static void adjoin_checkpoint_copy(struct adjoin_checkpoints *c, char *snapshot, long constant, int restores)
{
    for (long k = 0; k < c->pieces_count; k++) {
        struct adjoin_piece *piece = &c->pieces[k];
        if (piece->constant != constant)
            continue;
        if (restores)
            __builtin_memcpy(piece->address, snapshot, (unsigned long)piece->bytes);
        else
            __builtin_memcpy(snapshot, piece->address, (unsigned long)piece->bytes);
        snapshot += piece->bytes;
    }
}

/* How many iterations there are decides how many snapshots. */
static void adjoin_checkpoint_plan(struct adjoin_checkpoints *c, long steps)
{
    long segments;
    c->steps = steps;
    c->segment = c->kind == 1 ? c->number : 1;
    if (c->kind == 0)
        while (c->segment < steps / c->segment)
            c->segment++;
    if (c->kind == 3) {
        /* Half of the memory is for snapshots, of which a few are left for the reverse sweep. With less than some it would take too long. */
        long most = c->bytes > 0 ? c->number / 2 / c->bytes : steps;
        most = most - most / 4 > 10 ? most - most / 4 : 10;
        c->segment = steps > 0 ? (steps - 1) / most + 1 : 1;
    }
    segments = steps > 0 ? (steps - 1) / c->segment + 1 : 0;
    c->room = c->kind == 2 && c->number < segments ? c->number : segments;
    if (c->kind == 3)
        c->room += c->room / 3 > 4 ? c->room / 3 : 4;
    c->positions = adjoin_checkpoint_memory(c->positions, (c->room + 1) * (long)sizeof *c->positions);
    c->snapshots = adjoin_checkpoint_memory(c->snapshots, (c->room + 1) * (long)sizeof *c->snapshots);
}

static void adjoin_checkpoint_save(struct adjoin_checkpoints *c, long position)
{
    char *snapshot = adjoin_checkpoint_memory((void *)0, c->bytes);
    adjoin_checkpoint_copy(c, snapshot, 0, 0);
    c->positions[c->count] = position;
    c->snapshots[c->count] = snapshot;
    c->count++;
}

/* How many ways there are to choose a of a + b, or a large number. */
static long adjoin_checkpoint_choose(long a, long b)
{
    long ways = 1;
    for (long k = 1; k <= b; k++) {
        if (ways > 1000000000000L / (a + k))
            return 1000000000000L;
        ways = ways * (a + k) / k;
    }
    return ways;
}

/* How many of `length` segments come before the next snapshot, if one more than `left` snapshots are left and the first is at the start. With s snapshots of
   which each segment is passed at most t times, choose(s, t) segments can be reversed. */
static long adjoin_checkpoint_split(long length, long left)
{
    long snapshots = left + 1, passes = 1, least, most;
    while (adjoin_checkpoint_choose(snapshots, passes) < length)
        passes++;
    most = adjoin_checkpoint_choose(snapshots, passes - 1);
    least = length - adjoin_checkpoint_choose(snapshots - 1, passes);
    if (passes > 1 && least < adjoin_checkpoint_choose(snapshots, passes - 2))
        least = adjoin_checkpoint_choose(snapshots, passes - 2);
    if (least > most)
        least = most;
    if (least > length - 1)
        least = length - 1;
    return least > 1 ? least : 1;
}

/* Where the next snapshot behind `start` goes; `end` if there is no need for it or no room. */
static long adjoin_checkpoint_next(struct adjoin_checkpoints *c, long start, long end)
{
    long length = (end - start - 1) / c->segment + 1, left = c->room - c->count;
    if (length <= 1 || left <= 0)
        return end;
    return start + c->segment * adjoin_checkpoint_split(length, left);
}

/* Keeps what the loop only reads. */
static void adjoin_checkpoint_keep(struct adjoin_checkpoints *c)
{
    c->constants = adjoin_checkpoint_memory((void *)0, c->constant_bytes);
    adjoin_checkpoint_copy(c, c->constants, 1, 0);
}

/* The forward sweep of a loop whose number of iterations is known. */
void adjoin_checkpoint_forward(void *checkpoints, long steps, void *context, void (*advance)(void *, long, long))
{
    struct adjoin_checkpoints *c = checkpoints;
    long start = 0;
    adjoin_checkpoint_keep(c);
    adjoin_checkpoint_plan(c, steps);
    while (start < steps) {
        long next;
        adjoin_checkpoint_save(c, start);
        next = adjoin_checkpoint_next(c, start, steps);
        advance(context, start, next);
        start = next;
    }
}

/* The forward sweep of a loop that may end sooner than after `most` iterations: how many there were is known afterwards. */
void adjoin_checkpoint_forward_open(void *checkpoints, long most, long *ran, void *context, void (*advance)(void *, long, long))
{
    struct adjoin_checkpoints *c = checkpoints;
    adjoin_checkpoint_keep(c);
    adjoin_checkpoint_plan(c, 1);
    adjoin_checkpoint_save(c, 0);
    advance(context, 0, most);
    adjoin_checkpoint_plan(c, *ran);
}

/* The reverse sweep; at its end the state is what it was before. */
void adjoin_checkpoint_reverse(void *checkpoints, void *context, void (*advance)(void *, long, long), void (*gradient)(void *, long, long))
{
    struct adjoin_checkpoints *c = checkpoints;
    char *current = adjoin_checkpoint_memory((void *)0, c->bytes), *constants = adjoin_checkpoint_memory((void *)0, c->constant_bytes);
    long end = c->steps, longest = c->segment, before = 0;
    adjoin_checkpoint_copy(c, current, 0, 0);
    adjoin_checkpoint_copy(c, constants, 1, 0);
    adjoin_checkpoint_copy(c, c->constants, 1, 1);
    if (c->kind == 3) {
        /* The last iteration tells how much memory one needs. */
        c->segment = 1;
        before = (long)adjoin_most_memory(1);
    }
    while (end > 0) {
        long start = c->positions[c->count - 1];
        adjoin_checkpoint_copy(c, c->snapshots[c->count - 1], 0, 1);
        while (end - start > c->segment) {
            long next = adjoin_checkpoint_next(c, start, end);
            if (next < end) {
                advance(context, start, next);
                adjoin_checkpoint_save(c, next);
            } else {
                next = start + (end - start - 1) / c->segment * c->segment;
                advance(context, start, next);
            }
            start = next;
        }
        gradient(context, start, end);
        if (c->kind == 3 && end == c->steps) {
            long needed = (long)adjoin_most_memory(0) - before;
            c->segment = needed > 0 ? c->number / 2 / needed : longest;
            c->segment = c->segment < 1 ? 1 : c->segment < longest ? c->segment : longest;
        }
        end = start;
        while (c->count > 0 && c->positions[c->count - 1] >= end) {
            c->count--;
            adjoin_give_memory(c->snapshots[c->count]);
        }
    }
    while (c->count > 0) {
        c->count--;
        adjoin_give_memory(c->snapshots[c->count]);
    }
    adjoin_checkpoint_copy(c, constants, 1, 1);
    adjoin_checkpoint_copy(c, current, 0, 1);
    adjoin_give_memory(current);
    adjoin_give_memory(constants);
    adjoin_give_memory(c->constants);
    adjoin_give_memory(c->positions);
    adjoin_give_memory(c->snapshots);
    adjoin_give_memory(c->pieces);
    adjoin_give_memory(c);
}
