/* Packed numbers: what is known of them. A packed buffer is bytes, and so is its shadow, which has an adjoint where the buffer has a number. Messages of MPI_PACKED carry these bytes; to add
 * to them one must know where there are numbers: the sender's calls of MPI_Pack say so. */
struct adjoin_mpi_segment {
    char *at; /* in the shadow */
    int number;
    long count;
};

struct adjoin_mpi_segments {
    long count, room;
    struct adjoin_mpi_segment *segment;
};
static struct adjoin_mpi_segments adjoin_mpi_packed;

static void adjoin_mpi_segment_append(struct adjoin_mpi_segments *all, struct adjoin_mpi_segment segment)
{
    if (all->count == all->room) {
        long room = all->room > 0 ? 2 * all->room : 8;
        struct adjoin_mpi_segment *more = adjoin_mpi_allocate((size_t)room * sizeof *more);
        for (long k = 0; k < all->count; k++)
            more[k] = all->segment[k];
        free(all->segment);
        all->segment = more;
        all->room = room;
    }
    all->segment[all->count++] = segment;
}

/* Bytes of a shadow are written anew: what was known of them is no more. */
static void adjoin_mpi_segments_forget(char *at, long bytes)
{
    long kept = 0;
    for (long k = 0; k < adjoin_mpi_packed.count; k++) {
        struct adjoin_mpi_segment s = adjoin_mpi_packed.segment[k];
        long length = s.count * (long)adjoin_mpi_number_size(s.number);
        if (s.at + length <= at || s.at >= at + bytes)
            adjoin_mpi_packed.segment[kept++] = s;
    }
    adjoin_mpi_packed.count = kept;
}

/* Numbers are packed there. */
static void adjoin_mpi_segments_note(char *at, long bytes, int number, long count)
{
    if (at == NULL || bytes == 0)
        return;
    struct adjoin_mpi_segment segment = {at, number, count};
    adjoin_mpi_enter();
    adjoin_mpi_segments_forget(at, bytes);
    if (count > 0)
        adjoin_mpi_segment_append(&adjoin_mpi_packed, segment);
    adjoin_mpi_leave();
}

/* What is known of a message that is sent. */
static struct adjoin_mpi_segments adjoin_mpi_segments_in(char *at, long bytes)
{
    struct adjoin_mpi_segments found = {0, 0, NULL};
    adjoin_mpi_enter();
    for (long k = 0; at != NULL && k < adjoin_mpi_packed.count; k++) {
        struct adjoin_mpi_segment s = adjoin_mpi_packed.segment[k];
        if (s.at >= at && s.at + s.count * (long)adjoin_mpi_number_size(s.number) <= at + bytes)
            adjoin_mpi_segment_append(&found, s);
    }
    adjoin_mpi_leave();
    return found;
}

/* Adds numbers to some that may lie anywhere in memory. */
static void adjoin_mpi_add_unaligned(int number, char *at, const char *more, long count)
{
    size_t size = adjoin_mpi_number_size(number);
    for (long k = 0; k < count; k++) {
        long double sum[2];
        memcpy(&sum[0], at + (size_t)k * size, size);
        memcpy(&sum[1], more + (size_t)k * size, size);
        adjoin_mpi_set(number, (char *)&sum[0], 0, adjoin_mpi_get(number, (char *)&sum[0], 0) + adjoin_mpi_get(number, (char *)&sum[1], 0));
        memcpy(at + (size_t)k * size, &sum[0], size);
    }
}

/* Adds bytes of which nobody says what they are. Where there was nothing, what has come is the sum; so it is for buffers that are only made to be sent. Words are compared without their signs:
 * a negative zero is nothing, and every other number has a word that is not zero then, be it of four, eight or sixteen bytes. */
static void adjoin_mpi_add_bytes(char *shadow, const char *message, long bytes)
{
    const unsigned long long signs = 0x8000000080000000u;
    for (long k = 0; k < bytes; k += 8) {
        size_t n = bytes - k < 8 ? (size_t)(bytes - k) : 8;
        unsigned long long old = 0, more = 0;
        memcpy(&old, shadow + k, n);
        memcpy(&more, message + k, n);
        if ((old & ~signs) == 0) {
            if (more != 0)
                memcpy(shadow + k, message + k, n);
        } else if ((more & ~signs) != 0)
            adjoin_mpi_fail("the reverse of a message", "active numbers travel as MPI_PACKED or MPI_BYTE, and nothing says where they are");
    }
}

/* Adds adjoints to the shadow of what was sent; `start` is where that was when the numbers in it were noted. */
static void adjoin_mpi_segments_add(const struct adjoin_mpi_segments *all, int aligned, const char *start, char *shadow, char *message, long bytes)
{
    if (shadow == NULL)
        return;
    for (long k = 0; k < all->count; k++) {
        struct adjoin_mpi_segment s = all->segment[k];
        char *from = message + (s.at - start), *to = shadow + (s.at - start);
        if (aligned)
            adjoin_mpi_move_run(ADJOIN_MPI_ADD, s.number, s.number, to, from, 0, s.count);
        else
            adjoin_mpi_add_unaligned(s.number, to, from, s.count);
        memset(from, 0, (size_t)s.count * adjoin_mpi_number_size(s.number));
    }
    adjoin_mpi_add_bytes(shadow, message, bytes);
}
