/* What a function writes to memory of others, so that it can run again on the same numbers: a derivative for several seeds may be one for each of them. `again.ir` is made
   from this file: see `mod.rs`.

   In front of each write of a copy of the function, the bytes that were there are kept, the first time that they are written. They are kept by lines of 64 bytes in a table
   of the thread. Frames of the copy and of what it calls are left out: they lie between `top` and whoever asks. What is freed is left out again; it must be a block that the copy
   has made. */

void abort(void);
int dprintf(int file, const char *format, ...);
unsigned long malloc_usable_size(void *);

struct adjoin_line {
    unsigned long number, kept;
    unsigned char bytes[64];
};

struct adjoin_lines {
    struct adjoin_line *all;
    unsigned long room, used;
    char *top;
    /* Blocks that the copy has made and not freed. */
    void **blocks;
    unsigned long blocks_room, blocks_used;
};

static _Thread_local struct adjoin_lines adjoin_lines;

/* Where a line is in the table, or goes. */
static struct adjoin_line *adjoin_find_line(struct adjoin_line *all, unsigned long room, unsigned long number)
{
    unsigned long at = number * 11400714819323198485UL >> 20 & (room - 1);
    while (all[at].number && all[at].number != number)
        at = (at + 1) & (room - 1);
    return &all[at];
}

static void adjoin_check_notes(void *memory)
{
    if (memory)
        return;
    dprintf(2, "adjoin: no memory for what a function overwrites\n");
    abort();
}

static void adjoin_more_lines(void)
{
    struct adjoin_lines *lines = &adjoin_lines;
    unsigned long room = lines->room ? 2 * lines->room : 64;
    struct adjoin_line *all = __builtin_calloc(room, sizeof *all);
    adjoin_check_notes(all);
    for (unsigned long k = 0; k < lines->room; k++)
        if (lines->all[k].number)
            *adjoin_find_line(all, room, lines->all[k].number) = lines->all[k];
    __builtin_free(lines->all);
    lines->all = all;
    lines->room = room;
}

/* A copy of a function begins; `top` is above its frame. */
void adjoin_begin_notes(void *top)
{
    adjoin_lines.top = top;
}

/* These bytes will be written. */
void adjoin_framed_note(void *memory, unsigned long bytes)
{
    struct adjoin_lines *lines = &adjoin_lines;
    char here, *at = memory;
    /* As numbers: it need not be the same object. */
    unsigned long place = (unsigned long)memory;
    if (place > (unsigned long)&here && place < (unsigned long)lines->top)
        return;
    while (bytes > 0) {
        unsigned long number = (unsigned long)at >> 6, first = (unsigned long)at & 63;
        if (2 * lines->used >= lines->room)
            adjoin_more_lines();
        struct adjoin_line *line = adjoin_find_line(lines->all, lines->room, number);
        if (!line->number) {
            line->number = number;
            lines->used++;
        }
        unsigned long count = 64 - first < bytes ? 64 - first : bytes;
        unsigned long wanted = (count == 64 ? ~0UL : (1UL << count) - 1) << first, fresh = wanted & ~line->kept;
        if (fresh == wanted)
            __builtin_memcpy(line->bytes + first, at, count);
        else if (fresh)
            for (unsigned long k = 0; k < count; k++)
                if (fresh >> (first + k) & 1)
                    line->bytes[first + k] = (unsigned char)at[k];
        line->kept |= wanted;
        at += count;
        bytes -= count;
    }
}

/* A block was made. */
void adjoin_note_block(void *memory)
{
    struct adjoin_lines *lines = &adjoin_lines;
    if (lines->blocks_used == lines->blocks_room) {
        lines->blocks_room = lines->blocks_room ? 2 * lines->blocks_room : 16;
        lines->blocks = __builtin_realloc(lines->blocks, lines->blocks_room * sizeof *lines->blocks);
        adjoin_check_notes(lines->blocks);
    }
    lines->blocks[lines->blocks_used++] = memory;
}

/* A block will be freed. */
void adjoin_forget_block(void *memory)
{
    struct adjoin_lines *lines = &adjoin_lines;
    if (!memory)
        return;
    unsigned long k = lines->blocks_used;
    while (k > 0 && lines->blocks[k - 1] != memory)
        k--;
    if (!k) {
        dprintf(2, "adjoin: several seeds, and a function that frees memory that it did not make: ask for one seed at a time\n");
        abort();
    }
    lines->blocks[k - 1] = lines->blocks[--lines->blocks_used];
    if (!lines->used)
        return;
    unsigned long at = (unsigned long)memory, end = at + malloc_usable_size(memory);
    while (at < end) {
        struct adjoin_line *line = adjoin_find_line(lines->all, lines->room, at >> 6);
        unsigned long next = (at | 63) + 1;
        for (; at < next && at < end; at++)
            line->kept &= ~(1UL << (at & 63));
    }
}

/* Everything is as it was before the copy ran. */
void adjoin_write_back(void)
{
    struct adjoin_lines *lines = &adjoin_lines;
    for (unsigned long k = 0; k < lines->room; k++) {
        struct adjoin_line *line = &lines->all[k];
        char *at = (char *)(line->number << 6);
        for (unsigned long j = 0; line->kept >> j; j++) {
            if (line->kept >> j & 1)
                at[j] = (char)line->bytes[j];
            if (j == 63)
                break;
        }
    }
}

void adjoin_end_notes(void)
{
    struct adjoin_lines *lines = &adjoin_lines;
    __builtin_free(lines->all);
    __builtin_free(lines->blocks);
    lines->all = (void *)0;
    lines->blocks = (void *)0;
    lines->room = lines->used = lines->blocks_room = lines->blocks_used = 0;
}
