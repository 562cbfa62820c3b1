/* Shadows of memory that was there before a derivative was called, and that nobody gave a shadow: what pointers at file scope lead to. `outside.ir` is made from this
   file: see `mod.rs`.

   Where such a shadow lies depends on the address alone, so that all ways to the same memory find the same shadow. A window is a range of addresses for whose shadow
   a range of the same size is reserved; the system provides the pages that are used. Variables with shadows of their own, and memory that the caller gave a
   shadow, are noted. Each thread has its own table for each set of shadows, and in a team that of the thread that started it; look-ups of such a program take turns. */

void *mmap(void *, unsigned long, int, int, int, long);
int madvise(void *, unsigned long, int);
void abort(void);
int dprintf(int file, const char *format, ...);

enum { adjoin_most_windows = 16 };

struct adjoin_range {
    char *start, *shadow;
    unsigned long bytes;
    /* Of windows: between which distances from the start shadows were asked for, and whether any was. */
    unsigned long low, high;
    int used;
};

struct adjoin_outside {
    struct adjoin_range windows[adjoin_most_windows], *notes;
    int opened, noted, room;
};

static struct adjoin_outside *adjoin_outside_of(void **table)
{
    if (!*table)
        *table = __builtin_calloc(1, sizeof(struct adjoin_outside));
    if (!*table) {
        dprintf(2, "adjoin: out of memory\n");
        abort();
    }
    return *table;
}

/* The shadow of a window is zero again. Where little of it was asked for, those pages stay: new ones cost more than clearing them. */
static void adjoin_clear_window(struct adjoin_range *window)
{
    unsigned long low = window->low & ~4095UL, high = (window->high | 4095UL) + (1UL << 16) + 1;
    if (high > window->bytes)
        high = window->bytes;
    if (high - low > 1UL << 19)
        high = low;
    __builtin_memset(window->shadow + low, 0, high - low);
    /* MADV_DONTNEED */
    if (low > 0)
        madvise(window->shadow, low, 4);
    if (high < window->bytes)
        madvise(window->shadow + high, window->bytes - high, 4);
}

/* All shadows are zero again, and nothing is noted. */
void adjoin_clear_outside(void **table)
{
    struct adjoin_outside *all = adjoin_outside_of(table);
    all->noted = 0;
    for (int k = 0; k < all->opened; k++) {
        struct adjoin_range *window = &all->windows[k];
        if (window->used)
            adjoin_clear_window(window);
        window->used = 0;
    }
}

/* In a derivative of a derivative: the shadows of all that another table has for shadows are zero. */
void adjoin_clear_within(void **table, void **other)
{
    struct adjoin_outside *all = adjoin_outside_of(table), *inner = adjoin_outside_of(other);
    for (int k = 0; k < all->opened; k++)
        for (int j = 0; j < inner->opened; j++) {
            unsigned long start = (unsigned long)all->windows[k].start, end = start + all->windows[k].bytes;
            unsigned long low = (unsigned long)inner->windows[j].shadow, high = low + inner->windows[j].bytes;
            if (low < start)
                low = start;
            if (high > end)
                high = end;
            if (low < high)
                madvise(all->windows[k].shadow + (low - start), high - low, 4);
        }
}

/* Memory that has a shadow of its own; none: its shadow is as that of other memory, but it is another object than those beside it. */
void adjoin_note_outside(void **table, const void *start, unsigned long bytes, void *shadow)
{
    struct adjoin_outside *all = adjoin_outside_of(table);
    struct adjoin_range note;
    if (all->noted == all->room) {
        all->room = all->room ? 2 * all->room : 16;
        all->notes = __builtin_realloc(all->notes, all->room * sizeof(struct adjoin_range));
        if (!all->notes) {
            dprintf(2, "adjoin: out of memory\n");
            abort();
        }
    }
    note.start = (char *)start;
    note.shadow = shadow;
    note.bytes = bytes;
    note.low = note.high = 0;
    note.used = 0;
    all->notes[all->noted++] = note;
}

/* Reserves the shadow of the addresses around one, of as many as there is room for, up to those of other windows. */
static char *adjoin_open_window(struct adjoin_outside *all, char *p)
{
    unsigned long address = (unsigned long)p;
    for (unsigned long bytes = 1UL << 36; bytes >= 1UL << 22 && all->opened < adjoin_most_windows; bytes /= 2) {
        struct adjoin_range *window = &all->windows[all->opened];
        unsigned long low = address > bytes / 2 ? (address - bytes / 2) & ~4095UL : 0, high = low + bytes;
        void *shadow;
        for (int k = 0; k < all->opened; k++) {
            unsigned long start = (unsigned long)all->windows[k].start, end = start + all->windows[k].bytes;
            if (end <= address && end > low)
                low = end;
            if (start > address && start < high)
                high = start;
        }
        /* PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE */
        shadow = mmap((void *)0, high - low, 3, 0x4022, -1, 0);
        if (shadow == (void *)-1)
            continue;
        /* MADV_NOHUGEPAGE: what is used may be far apart. */
        madvise(shadow, high - low, 15);
        window->start = (char *)low;
        window->shadow = shadow;
        window->bytes = high - low;
        window->low = window->high = address - low;
        window->used = 1;
        all->opened++;
        return window->shadow + (address - low);
    }
    dprintf(2, "adjoin: no memory can be reserved for shadows of memory that was set up before the call\n");
    abort();
}

/* The shadow of memory. */
void *adjoin_shadow_outside(void **table, void *p)
{
    struct adjoin_outside *all = adjoin_outside_of(table);
    unsigned long address = (unsigned long)p;
    struct adjoin_range *end = (void *)0;
    for (int k = 0; k < all->noted; k++) {
        struct adjoin_range *note = &all->notes[k];
        unsigned long offset = address - (unsigned long)note->start;
        if (offset < note->bytes && note->shadow)
            return note->shadow + offset;
        if (offset < note->bytes) {
            end = (void *)0;
            break;
        }
        if (offset == note->bytes && note->shadow)
            end = note;
    }
    /* Behind the last element. */
    if (end)
        return end->shadow + end->bytes;
    for (int k = 0; k < all->opened; k++) {
        struct adjoin_range *window = &all->windows[k];
        unsigned long offset = address - (unsigned long)window->start;
        if (offset < window->bytes) {
            if (!window->used || offset < window->low)
                window->low = offset;
            if (!window->used || offset > window->high)
                window->high = offset;
            window->used = 1;
            return window->shadow + offset;
        }
    }
    return adjoin_open_window(all, p);
}

/* A shadow that can be freed: NULL if it is part of something else. */
void *adjoin_free_outside(void **table, void *shadow)
{
    struct adjoin_outside *all = adjoin_outside_of(table);
    unsigned long address = (unsigned long)shadow;
    for (int k = 0; k < all->noted; k++) {
        struct adjoin_range *note = &all->notes[k];
        if (note->shadow && address - (unsigned long)note->shadow < note->bytes)
            return (void *)0;
    }
    for (int k = 0; k < all->opened; k++) {
        struct adjoin_range *window = &all->windows[k];
        if (address - (unsigned long)window->shadow < window->bytes)
            return (void *)0;
    }
    return shadow;
}

/* The table that a thread has, for the threads of a team. */
unsigned long adjoin_table_outside(void **table)
{
    return (unsigned long)adjoin_outside_of(table);
}

/* The thread has another table from now on. The one that it had. */
unsigned long adjoin_join_outside(void **table, unsigned long other)
{
    unsigned long own = (unsigned long)*table;
    *table = (void *)other;
    return own;
}
