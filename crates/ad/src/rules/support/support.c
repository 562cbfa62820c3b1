/* The functions that derivatives call and the math library lacks. `support.ir` is made from this file: see `support.rs`. They are
   differentiated by rows of the table, or carry no derivative. */

/* The polygamma function of order n, the (n + 1)-th derivative of the logarithm of the gamma function: by the recurrence up to where the
   asymptotic series is exact, and by reflection below zero, where the derivatives of the cotangent are polynomials in it. 0 at its poles. */
long double adjoin_polygammal(int n, long double x)
{
    const long double pi = 3.141592653589793238462643383280L, sign = n % 2 ? 1.0L : -1.0L;
    long double factorial = 1.0L, power = 1.0L, sum = 0.0L, total, term;
    if (x <= 0.0L) {
        long double p[64], angle = pi * (x - __builtin_roundl(x)), cotangent;
        if (x == __builtin_floorl(x) || n > 60)
            return 0.0L;
        for (int j = 0; j < 64; j++)
            p[j] = j == 1 ? 1.0L : 0.0L;
        cotangent = __builtin_cosl(angle) / __builtin_sinl(angle);
        for (int k = 0; k < n; k++) {
            long double below = 0.0L;
            for (int j = 0; j <= k + 2; j++) {
                long double next = -((j + 1) * p[j + 1] + (j - 1) * below);
                below = p[j];
                p[j] = next;
            }
        }
        for (int j = n + 1; j >= 0; j--)
            sum = sum * cotangent + p[j];
        for (int k = 0; k <= n; k++)
            sum *= pi;
        return -sign * adjoin_polygammal(n, 1.0L - x) - sum;
    }
    for (int k = 2; k <= n; k++)
        factorial *= k;
    for (; x < n + 15; x += 1.0L) {
        long double inverse = 1.0L / x;
        for (int k = 0; k < n; k++)
            inverse /= x;
        sum += inverse;
    }
    for (int k = 0; k < n; k++)
        power /= x;
    total = n == 0 ? -__builtin_logl(x) : factorial / n * power;
    total += factorial * power / (2 * x);
    term = factorial * (n + 1) / 2 * power / (x * x);
    for (int k = 1; k <= 11; k++) {
        /* The Bernoulli number of index 2 k. */
        long double bernoulli = 1.0L / 6;
        switch (k) {
        case 2: case 4: bernoulli = -1.0L / 30; break;
        case 3: bernoulli = 1.0L / 42; break;
        case 5: bernoulli = 5.0L / 66; break;
        case 6: bernoulli = -691.0L / 2730; break;
        case 7: bernoulli = 7.0L / 6; break;
        case 8: bernoulli = -3617.0L / 510; break;
        case 9: bernoulli = 43867.0L / 798; break;
        case 10: bernoulli = -174611.0L / 330; break;
        case 11: bernoulli = 854513.0L / 138; break;
        }
        total += bernoulli * term;
        term *= (long double)(2 * k + n) * (2 * k + n + 1) / ((long double)(2 * k + 1) * (2 * k + 2) * x * x);
    }
    return sign * (total + factorial * sum);
}

/* In the other precisions it is rounded from long double: exact to the last bit also where terms cancel. */
double adjoin_polygamma(int n, double x) { return (double)adjoin_polygammal(n, x); }
float adjoin_polygammaf(int n, float x) { return (float)adjoin_polygammal(n, x); }

/* The exponent that frexp finds. */
int adjoin_exponent(double x)
{
    int exponent = 0;
    (void)__builtin_frexp(x, &exponent);
    return exponent;
}
int adjoin_exponentf(float x)
{
    int exponent = 0;
    (void)__builtin_frexpf(x, &exponent);
    return exponent;
}
int adjoin_exponentl(long double x)
{
    int exponent = 0;
    (void)__builtin_frexpl(x, &exponent);
    return exponent;
}

/* The last bits of the quotient that remquo finds. */
int adjoin_quotient(double x, double y)
{
    int quotient = 0;
    (void)__builtin_remquo(x, y, &quotient);
    return quotient;
}
int adjoin_quotientf(float x, float y)
{
    int quotient = 0;
    (void)__builtin_remquof(x, y, &quotient);
    return quotient;
}
int adjoin_quotientl(long double x, long double y)
{
    int quotient = 0;
    (void)__builtin_remquol(x, y, &quotient);
    return quotient;
}

/* The sign of the gamma function. */
int adjoin_gamma_signl(long double x)
{
    if (x == 0)
        return __builtin_signbitl(x) ? -1 : 1;
    return x < 0 && __builtin_fmodl(__builtin_floorl(x), 2) != 0 ? -1 : 1;
}
int adjoin_gamma_sign(double x) { return adjoin_gamma_signl(x); }
int adjoin_gamma_signf(float x) { return adjoin_gamma_signl(x); }

/* The order that sorts `count` objects of `size` bytes: the caller frees it. Equal objects keep theirs. */
long *adjoin_sort_order(void *data, unsigned long count, unsigned long size, int (*compare)(const void *, const void *))
{
    const char *base = (const char *)data;
    long n = (long)count, *order = (long *)__builtin_malloc(2 * (count + 1) * sizeof(long)), *from = order, *to;
    if (!order) {
        __builtin_printf("adjoin: no memory for the order of %lu objects\n", count);
        __builtin_abort();
    }
    to = order + n;
    for (long i = 0; i < n; i++)
        from[i] = i;
    for (long width = 1; width < n; width *= 2) {
        for (long start = 0; start < n; start += 2 * width) {
            long middle = start + width < n ? start + width : n, end = start + 2 * width < n ? start + 2 * width : n, i = start, j = middle;
            for (long k = start; k < end; k++) {
                if (i >= middle || (j < end && compare(base + (unsigned long)from[j] * size, base + (unsigned long)from[i] * size) < 0))
                    to[k] = from[j++];
                else
                    to[k] = from[i++];
            }
        }
        long *other = from;
        from = to;
        to = other;
    }
    if (from != order)
        for (long i = 0; i < n; i++)
            order[i] = from[i];
    return order;
}

/* The index that bsearch finds, or -1. */
long adjoin_search(const void *key, const void *data, unsigned long count, unsigned long size, int (*compare)(const void *, const void *))
{
    unsigned long low = 0, high = count;
    while (low < high) {
        unsigned long middle = (low + high) / 2;
        int side = compare(key, (const char *)data + middle * size);
        if (side == 0)
            return (long)middle;
        if (side < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return -1;
}

/* What each thread of a team reached in memory: the first place and the last, in bytes from some pointer, and how often it was there (less than zero: it has no copy of the shadow), `step` numbers
   apart. The first that any of them with a copy reached, and the one behind the last; 0 if none reached any. */
long adjoin_lowest(const long *reached, long step, long threads)
{
    long low = __LONG_MAX__;
    for (long t = 0; t < threads; t++)
        if (reached[step * t + 2] >= 0 && reached[step * t] < low)
            low = reached[step * t];
    return low == __LONG_MAX__ ? 0 : low;
}
long adjoin_highest(const long *reached, long step, long threads, long size)
{
    long high = -__LONG_MAX__;
    for (long t = 0; t < threads; t++)
        if (reached[step * t + 2] >= 0 && reached[step * t + 1] > high)
            high = reached[step * t + 1];
    return high == -__LONG_MAX__ ? 0 : high + size;
}

/* From the first to behind the last, of the thread for which that is most. */
long adjoin_widest(const long *reached, long step, long threads, long size)
{
    long widest = 0;
    for (long t = 0; t < threads; t++)
        if (reached[step * t + 2] > 0 && reached[step * t + 1] - reached[step * t] + size > widest)
            widest = reached[step * t + 1] - reached[step * t] + size;
    return widest;
}

/* Does a thread stay away from those before it? `direct`: from those of them that have no copies. */
static int adjoin_is_apart(const long *reached, long step, long thread, long size, int direct)
{
    const long *mine = reached + step * thread;
    for (long t = 0; t < thread; t++) {
        const long *other = reached + step * t;
        if (mine[2] != 0 && (direct ? other[2] < 0 : other[2] != 0) && other[1] + size > mine[0] && mine[1] + size > other[0])
            return 0;
    }
    return 1;
}

/* How the threads add to the shadow of what they reached. 0: at once, if they stay apart; 1: each to a copy, if that costs less than atomic additions (a few dozen
   elements to clear and sum up take as long as one) and little memory; 2: atomically. Of copies, threads need none that meet only others with a copy. */
long adjoin_way(long *reached, long step, long threads, long size, int plain, int copies)
{
    long elements = (adjoin_highest(reached, step, threads, size) - adjoin_lowest(reached, step, threads)) / size, count = 0;
    int apart = plain;
    if (threads <= 1)
        return 0;
    for (long t = 0; t < threads; t++) {
        count += reached[step * t + 2];
        apart = apart && adjoin_is_apart(reached, step, t, size, 0);
    }
    if (apart || count == 0)
        return 0;
    if (!copies || elements / 16 > count / threads || elements > (1L << 25) / size || elements > (1L << 30) / size / threads)
        return 2;
    for (long t = 0; t < threads && plain; t++)
        if (adjoin_is_apart(reached, step, t, size, 1))
            reached[step * t + 2] = -reached[step * t + 2];
    return 1;
}

/* The size of the chunks of a static schedule that is set for loops that leave it to the run, else 0. (Only the header has a name for the type of the kind.) */
void omp_get_schedule(void *kind, void *chunk);
static void adjoin_ask_schedule(void *kind, void *chunk)
{
    omp_get_schedule(kind, chunk);
}
long adjoin_chunk_that_is_set(void)
{
    int kind = 0, chunk = 0;
    adjoin_ask_schedule(&kind, &chunk);
    return (kind & __INT_MAX__) == 1 ? chunk : 0;
}

/* Says on standard error what is wrong. */
int dprintf(int file, const char *format, ...);
void adjoin_complain(const char *text)
{
    dprintf(2, "%s\n", text);
}

/* Memory of caches is kept from one call to the next, since fresh pages cost more than what is done with them: each thread keeps a few large blocks of
   its own, which are ordinary blocks of malloc, with their sizes. Those in use come first; behind them is the place for the block of tapes, and the lists of small blocks, with the bytes
   in each. */
enum { adjoin_blocks = 272, adjoin_of_tapes = 191, adjoin_of_small = 192 };
struct adjoin_kept_block {
    void *memory;
    unsigned long size;
};
static _Thread_local struct adjoin_kept_block adjoin_kept[adjoin_blocks];

unsigned long malloc_usable_size(void *);

/* How much memory of caches the calling thread has in use, and the most since somebody asked. */
static _Thread_local long adjoin_in_use, adjoin_most_in_use;

static void adjoin_count_memory(unsigned long more, unsigned long less)
{
    adjoin_in_use += (long)(more - less);
    if (adjoin_in_use > adjoin_most_in_use)
        adjoin_most_in_use = adjoin_in_use;
}

static unsigned long adjoin_size_of(void *memory)
{
    return memory ? malloc_usable_size(memory) : 0;
}

/* The most memory that was in use since this was called with 1. */
unsigned long adjoin_most_memory(int again)
{
    if (again)
        adjoin_most_in_use = adjoin_in_use;
    return adjoin_most_in_use > 0 ? (unsigned long)adjoin_most_in_use : 0;
}

/* The kept block that fits `bytes` best; the largest one if it is to grow. NULL if none is large enough, or all would waste too much. */
static void *adjoin_find_memory(unsigned long bytes, int grows)
{
    unsigned long most = grows ? ~0UL : 4 * bytes, best = 0;
    int chosen = -1, count = 0;
    void *memory;
    for (; count < adjoin_of_tapes && adjoin_kept[count].memory; count++) {
        unsigned long size = adjoin_kept[count].size;
        if (size >= bytes && size <= most && (chosen < 0 || (grows ? size > best : size < best))) {
            best = size;
            chosen = count;
        }
    }
    if (chosen < 0)
        return (void *)0;
    memory = adjoin_kept[chosen].memory;
    adjoin_kept[chosen] = adjoin_kept[count - 1];
    adjoin_kept[count - 1].memory = (void *)0;
    return memory;
}

/* Large blocks lie on pages of two megabytes, where the system has such: a sweep through a cache is otherwise as long about its addresses as about its numbers. Advice that the system
   does not know it does not follow. */
int madvise(void *, unsigned long, int);
int posix_memalign(void **, unsigned long, unsigned long);
enum { adjoin_large_page = 2097152, adjoin_use_large_pages = 14 };

/* The whole pages in a large block. */
static void adjoin_use_pages(void *memory, unsigned long bytes)
{
    unsigned long before = -(unsigned long)memory % adjoin_large_page;
    if (memory && bytes >= before + adjoin_large_page)
        madvise((char *)memory + before, (bytes - before) / adjoin_large_page * adjoin_large_page, adjoin_use_large_pages);
}

/* Loops go through many caches at once, at the same index in each. Blocks of the system's own pages all begin at the same distance from a page, and then all of them share a few lines of
   the processor's first cache: so each block begins somewhere else, either by how it is aligned or behind one of an odd length. */
static _Thread_local unsigned long adjoin_fresh;

static void *adjoin_fresh_memory(unsigned long bytes)
{
    unsigned long number = adjoin_fresh++, size = bytes + 64 * (number * 25 % 64);
    void *memory = (void *)0;
    if (bytes < 16384 || size < bytes)
        return __builtin_malloc(bytes);
    if (posix_memalign(&memory, 64UL << number % 6, size))
        return (void *)0;
    adjoin_use_pages(memory, size);
    return memory;
}

/* Small blocks are kept by their sizes, a megabyte of each: derivatives of programs of many small functions take and give back thousands of them in each call, and malloc takes more time for
   that than the derivatives for theirs. Sizes are 16 bytes apart, from a kilobyte on a quarter of a power of two. The first word of a block is the next one. */
enum { adjoin_small = 16384, adjoin_small_bytes = 1048576 };

/* How far apart the sizes of small blocks are here. */
static unsigned long adjoin_size_step(unsigned long bytes)
{
    unsigned long step = bytes < 1024 ? 16 : 256;
    while (step > 16 && bytes >= 8 * step)
        step *= 2;
    return step;
}

/* The list of blocks of one of these sizes. */
static struct adjoin_kept_block *adjoin_small_list(unsigned long size, unsigned long step)
{
    unsigned long number = size / step + (step > 16 ? 60 : 0);
    for (; step > 256; step /= 2)
        number += 4;
    return &adjoin_kept[adjoin_of_small + number];
}

static void *adjoin_small_memory(unsigned long bytes)
{
    unsigned long step = adjoin_size_step(bytes), size = bytes ? (bytes + step - 1) / step * step : step;
    struct adjoin_kept_block *list;
    void **block;
    if (size >= adjoin_small)
        return __builtin_malloc(size);
    list = adjoin_small_list(size, adjoin_size_step(size));
    block = (void **)list->memory;
    if (!block)
        return __builtin_malloc(size);
    list->memory = *block;
    list->size -= size;
    return block;
}

/* `size`: of the block, which is less than that of a large one. */
static void adjoin_keep_small(void *memory, unsigned long size)
{
    unsigned long step = adjoin_size_step(size), least = size / step * step;
    struct adjoin_kept_block *list = adjoin_small_list(least, step);
    void **block = (void **)memory;
    if (least == 0 || list->size + least > adjoin_small_bytes) {
        __builtin_free(memory);
        return;
    }
    *block = list->memory;
    list->memory = memory;
    list->size += least;
}

void *adjoin_take_memory(unsigned long bytes)
{
    void *memory;
    if (bytes < adjoin_small) {
        memory = adjoin_small_memory(bytes);
    } else {
        memory = adjoin_find_memory(bytes, 0);
        if (!memory)
            memory = adjoin_fresh_memory(bytes);
    }
    adjoin_count_memory(adjoin_size_of(memory), 0);
    return memory;
}

/* What grows is small at first and moves to the largest kept block when it is not any more. */
void *adjoin_grow_memory(void *memory, unsigned long bytes)
{
    unsigned long size = adjoin_size_of(memory);
    void *larger;
    if (memory && size >= bytes)
        return memory;
    larger = bytes < adjoin_small ? adjoin_small_memory(bytes) : adjoin_find_memory(bytes, 1);
    if (!larger && bytes >= adjoin_small && size < 262144)
        larger = adjoin_fresh_memory(bytes);
    if (!larger) {
        /* The system moves the pages of a large block, which stays where it is within them. */
        larger = __builtin_realloc(memory, bytes);
        adjoin_use_pages(larger, bytes);
    } else {
        if (memory) {
            __builtin_memcpy(larger, memory, size);
            if (size < adjoin_small)
                adjoin_keep_small(memory, size);
            else
                __builtin_free(memory);
        }
    }
    adjoin_count_memory(adjoin_size_of(larger), size);
    return larger;
}

/* Blocks over 256 MiB are not kept, and of the others the largest. */
static void adjoin_keep_block(void *memory, unsigned long size)
{
    unsigned long least = size;
    if (size <= 268435456) {
        int chosen = -1, k = 0;
        for (; k < adjoin_of_tapes && adjoin_kept[k].memory; k++)
            if (adjoin_kept[k].size < least) {
                least = adjoin_kept[k].size;
                chosen = k;
            }
        if (k < adjoin_of_tapes)
            chosen = k;
        if (chosen >= 0) {
            void *smaller = adjoin_kept[chosen].memory;
            adjoin_kept[chosen].memory = memory;
            adjoin_kept[chosen].size = size;
            memory = smaller;
        }
    }
    __builtin_free(memory);
}

void adjoin_give_memory(void *memory)
{
    unsigned long size = adjoin_size_of(memory);
    adjoin_count_memory(0, size);
    if (size >= adjoin_small)
        adjoin_keep_block(memory, size);
    else if (memory)
        adjoin_keep_small(memory, size);
}

/* How much of its own memory, in large blocks, the calling thread has lent to derivatives. */
static _Thread_local unsigned long adjoin_lent;

static void *adjoin_lend(void *memory)
{
    unsigned long size = adjoin_size_of(memory);
    if (size >= 131072)
        adjoin_lent += size;
    return memory;
}

/* Memory that malloc would give back to the system, where fresh pages come from: malloc, calloc and free for shadows, and for what the program allocates and frees. No more is kept than
   was lent: of a program that allocates by itself what only derivatives free, one block for each call would be left over. */
void adjoin_keep_memory(void *memory)
{
    unsigned long size = adjoin_size_of(memory);
    if (size >= 131072 && size <= adjoin_lent) {
        adjoin_lent -= size;
        adjoin_keep_block(memory, size);
    } else if (memory && size < adjoin_small)
        adjoin_keep_small(memory, size);
    else
        __builtin_free(memory);
}

void *adjoin_lend_memory(unsigned long bytes)
{
    void *memory;
    if (bytes < 131072)
        return bytes < adjoin_small ? adjoin_small_memory(bytes) : __builtin_malloc(bytes);
    memory = adjoin_find_memory(bytes, 0);
    return adjoin_lend(memory ? memory : adjoin_fresh_memory(bytes));
}

void *adjoin_take_zeroed(unsigned long count, unsigned long size)
{
    unsigned long bytes = count * size;
    /* More than there can be. (Compilers warn where they see that calloc would be asked for it.) */
    if (size > 0 && count > 4611686018427387904UL / size)
        return (void *)0;
    void *memory = bytes >= 131072 ? adjoin_find_memory(bytes, 0) : (void *)0;
    /* Blocks that are not kept are zero when they are fresh. */
    if (bytes < adjoin_small) {
        memory = adjoin_small_memory(bytes);
        /* All of it: who asks for its size later gets that of the block. */
        bytes = adjoin_size_of(memory);
    } else if (!memory && bytes >= 131072 && bytes <= 268435456) {
        memory = adjoin_fresh_memory(bytes);
    } else if (!memory) {
        return adjoin_lend(__builtin_calloc(count, size));
    }
    if (memory)
        __builtin_memset(memory, 0, bytes);
    return adjoin_lend(memory);
}

/* A block for what lives until the end of a derivative and is small. */
void *adjoin_take_block(unsigned long bytes)
{
    void *memory = adjoin_find_memory(bytes, 0);
    if (!memory)
        memory = __builtin_malloc(bytes);
    if (!memory) {
        adjoin_complain("adjoin: no memory for a shadow");
        __builtin_abort();
    }
    return adjoin_lend(memory);
}

/* What called functions keep for their reverse lies one behind the other in blocks of the thread, in front of each its block and its size: it is mostly given back in the
   opposite order, but any order will do. Blocks that are empty go back to what the thread keeps. */
struct adjoin_block {
    struct adjoin_block *below;
    unsigned long size, used, count;
};
struct adjoin_piece {
    struct adjoin_block *block;
    unsigned long size;
};
static _Thread_local struct adjoin_block *adjoin_top;

static void adjoin_add_block(unsigned long bytes)
{
    struct adjoin_block *top = adjoin_top, *block = (struct adjoin_block *)adjoin_kept[adjoin_of_tapes].memory;
    unsigned long size = top ? 2 * top->size : 65536, room = block && !top ? adjoin_kept[adjoin_of_tapes].size : 0;
    if (size > 67108864)
        size = 67108864;
    if (size < bytes + sizeof *block)
        size = bytes + sizeof *block;
    if (room >= bytes + sizeof *block) {
        /* The block that was the last one before. */
        size = room;
        adjoin_kept[adjoin_of_tapes].memory = (void *)0;
        adjoin_count_memory(adjoin_size_of(block), 0);
    } else {
        block = (struct adjoin_block *)adjoin_take_memory(size);
    }
    if (!block) {
        adjoin_complain("adjoin: no memory for what a function keeps");
        __builtin_abort();
    }
    block->below = top;
    block->size = size;
    block->used = sizeof *block;
    block->count = 0;
    adjoin_top = block;
}

void *adjoin_take_tape(unsigned long bytes)
{
    struct adjoin_block *block = adjoin_top;
    struct adjoin_piece *piece;
    unsigned long size = (bytes + sizeof *piece + 15) / 16 * 16;
    if (!block || block->size - block->used < size) {
        adjoin_add_block(size);
        block = adjoin_top;
    }
    piece = (struct adjoin_piece *)((char *)block + block->used);
    piece->block = block;
    piece->size = size;
    block->used += size;
    block->count++;
    return piece + 1;
}

static void adjoin_drop_block(struct adjoin_block *block)
{
    struct adjoin_block *above = adjoin_top;
    if (above == block) {
        adjoin_top = block->below;
    } else {
        while (above->below != block)
            above = above->below;
        above->below = block->below;
    }
    if (adjoin_kept[adjoin_of_tapes].memory || adjoin_top) {
        adjoin_give_memory(block);
    } else {
        adjoin_kept[adjoin_of_tapes].memory = block;
        adjoin_kept[adjoin_of_tapes].size = adjoin_size_of(block);
        adjoin_count_memory(0, adjoin_kept[adjoin_of_tapes].size);
    }
}

void adjoin_give_tape(void *memory)
{
    struct adjoin_piece *piece;
    struct adjoin_block *block;
    if (!memory)
        return;
    piece = (struct adjoin_piece *)memory - 1;
    block = piece->block;
    if ((char *)piece + piece->size == (char *)block + block->used)
        block->used -= piece->size;
    if (--block->count == 0)
        adjoin_drop_block(block);
}

/* Gives back what the calling thread keeps. */
void adjoin_release_memory(void)
{
    for (int k = 0; k < adjoin_blocks; k++) {
        __builtin_free(adjoin_kept[k].memory);
        adjoin_kept[k].memory = (void *)0;
    }
}
