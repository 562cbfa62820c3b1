/* Numbers that travel as MPI_BYTE. In front of such a call the derivative says what the types of its buffers tell of their elements.
 *
 * What travels as MPI_BYTE is always mirrored, as bytes: only who adds to adjoints must know where the numbers are. */
struct adjoin_mpi_elements {
    const void *buffer;
    struct adjoin_mpi_layout layout;
};

struct adjoin_mpi_bytes {
    int count;
    struct adjoin_mpi_elements of[2];
};
static _Thread_local struct adjoin_mpi_bytes adjoin_mpi_bytes;

static void adjoin_MPI_bytes(int which, void *buffer, long size)
{
    struct adjoin_mpi_bytes *all = &adjoin_mpi_bytes;
    while (which <= 0 && all->count > 0)
        adjoin_mpi_layout_free(&all->of[--all->count].layout);
    if (which < 0 || all->count == 2)
        return;
    memset(&all->of[all->count], 0, sizeof all->of[0]);
    all->of[all->count].buffer = buffer;
    all->of[all->count++].layout.extent = size;
}

static void adjoin_MPI_bytes_run(long offset, int number, long count)
{
    adjoin_mpi_layout_append(&adjoin_mpi_bytes.of[adjoin_mpi_bytes.count - 1].layout, offset, number, count);
}

/* The elements of a buffer, if anything is known of them. */
static const struct adjoin_mpi_layout *adjoin_mpi_elements_of(const void *buffer)
{
    for (int k = 0; k < adjoin_mpi_bytes.count; k++)
        if (adjoin_mpi_bytes.of[k].buffer == buffer)
            return &adjoin_mpi_bytes.of[k].layout;
    return NULL;
}

/* The numbers in the shadow of so many bytes. */
static struct adjoin_mpi_segments adjoin_mpi_segments_of(const void *buffer, char *shadow, long bytes)
{
    struct adjoin_mpi_segments found = {0, 0, NULL};
    const struct adjoin_mpi_layout *layout = adjoin_mpi_elements_of(buffer);
    if (layout == NULL || shadow == NULL)
        return found;
    const struct adjoin_mpi_run *run = adjoin_mpi_runs(layout);
    if (adjoin_mpi_layout_dense(layout)) {
        struct adjoin_mpi_segment all = {shadow, layout->number, bytes / (long)adjoin_mpi_number_size(layout->number)};
        adjoin_mpi_segment_append(&found, all);
        return found;
    }
    for (long at = 0; at < bytes; at += layout->extent)
        for (int k = 0; k < layout->runs; k++) {
            struct adjoin_mpi_segment one = {shadow + at + run[k].offset, run[k].number, run[k].count};
            long size = (long)adjoin_mpi_number_size(one.number), room = bytes - at - run[k].offset;
            if (one.count * size > room)
                one.count = room > 0 ? room / size : 0;
            if (one.count > 0)
                adjoin_mpi_segment_append(&found, one);
        }
    return found;
}
