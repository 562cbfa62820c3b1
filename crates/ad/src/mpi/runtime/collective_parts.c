/* What each collective reads and writes: its parts in shadow memory. Called before the collective itself, whose buffers may be the
 * same memory. Arguments that are significant at the root only are looked at only there. */

static struct adjoin_mpi_collective *adjoin_mpi_parts_bcast(const char *call, void *buffer, void *buffer_bar, int count,
                                                            MPI_Datatype type, int root, MPI_Comm comm)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_collective_new(call, ADJOIN_MPI_FROM_ROOT, root, comm);
    if (c->rank == root)
        adjoin_mpi_part_equal(c, &c->in, buffer, buffer_bar, 1, count, type);
    adjoin_mpi_part_equal(c, &c->out, buffer, c->rank == root ? NULL : buffer_bar, 1, count, type);
    return c;
}

static struct adjoin_mpi_collective *adjoin_mpi_parts_reduce(const char *call, int nonblocking, const void *send,
                                                             void *send_bar, void *receive, void *receive_bar,
                                                             int count, MPI_Datatype type, MPI_Op op, int root,
                                                             MPI_Comm comm)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_collective_new(call, ADJOIN_MPI_SUM_TO_ROOT, root, comm);
    int in_place = send == MPI_IN_PLACE;
    adjoin_mpi_part_equal(c, &c->in, in_place ? receive : send, in_place ? receive_bar : send_bar, 1, count, type);
    if (c->rank == root)
        adjoin_mpi_part_equal(c, &c->out, receive, receive_bar, 1, count, type);
    c->inputs = adjoin_mpi_inputs_new(call, in_place ? receive : send, count, type, op, 0, nonblocking, comm);
    return c;
}

static struct adjoin_mpi_collective *adjoin_mpi_parts_allreduce(const char *call, int nonblocking, const void *send,
                                                                void *send_bar, void *receive, void *receive_bar,
                                                                int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_collective_new(call, ADJOIN_MPI_SUM_TO_ALL, 0, comm);
    int in_place = send == MPI_IN_PLACE;
    adjoin_mpi_part_equal(c, &c->in, in_place ? receive : send, in_place ? receive_bar : send_bar, 1, count, type);
    adjoin_mpi_part_equal(c, &c->out, receive, receive_bar, 1, count, type);
    c->inputs = adjoin_mpi_inputs_new(call, in_place ? receive : send, count, type, op, 0, nonblocking, comm);
    return c;
}

/* MPI_Scan and MPI_Exscan; the first rank's result of the latter is not written. */
static struct adjoin_mpi_collective *adjoin_mpi_parts_scan(const char *call, int nonblocking, int exclusive,
                                                           const void *send, void *send_bar, void *receive,
                                                           void *receive_bar, int count, MPI_Datatype type, MPI_Op op,
                                                           MPI_Comm comm)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_collective_new(call, ADJOIN_MPI_EACH_TO_ALL, 0, comm);
    int in_place = send == MPI_IN_PLACE, written = !exclusive || c->rank > 0;
    adjoin_mpi_part_equal(c, &c->in, in_place ? receive : send, in_place ? receive_bar : send_bar, 1, count, type);
    adjoin_mpi_part_equal(c, &c->out, written ? receive : &written, written ? receive_bar : NULL, 1, count, type);
    c->scan = 1;
    c->exclusive = exclusive;
    c->inputs = adjoin_mpi_inputs_new(call, in_place ? receive : send, count, type, op, 1, nonblocking, comm);
    return c;
}

/* MPI_Gather, and MPI_Gatherv with arrays of counts and displacements. */
static struct adjoin_mpi_collective *adjoin_mpi_parts_gather(const char *call, const void *send, void *send_bar,
                                                             int send_count, MPI_Datatype send_type, void *receive,
                                                             void *receive_bar, int receive_count,
                                                             const int *receive_counts, const int *displacements,
                                                             MPI_Datatype receive_type, int root, MPI_Comm comm)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_collective_new(call, ADJOIN_MPI_GATHER, root, comm);
    if (c->rank == root && receive_counts != NULL)
        adjoin_mpi_part_blocks(c, &c->out, receive, receive_bar, c->size, receive_counts, displacements, receive_type);
    else if (c->rank == root)
        adjoin_mpi_part_equal(c, &c->out, receive, receive_bar, c->size, receive_count, receive_type);
    if (c->rank == root && send == MPI_IN_PLACE)
        adjoin_mpi_part_own(c, &c->in, &c->out, receive, receive_type);
    else
        adjoin_mpi_part_equal(c, &c->in, send, send_bar, 1, send_count, send_type);
    return c;
}

/* MPI_Scatter, and MPI_Scatterv with arrays of counts and displacements. */
static struct adjoin_mpi_collective *adjoin_mpi_parts_scatter(const char *call, const void *send, void *send_bar,
                                                              int send_count, const int *send_counts,
                                                              const int *displacements, MPI_Datatype send_type,
                                                              void *receive, void *receive_bar, int receive_count,
                                                              MPI_Datatype receive_type, int root, MPI_Comm comm)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_collective_new(call, ADJOIN_MPI_SCATTER, root, comm);
    if (c->rank == root && send_counts != NULL)
        adjoin_mpi_part_blocks(c, &c->in, send, send_bar, c->size, send_counts, displacements, send_type);
    else if (c->rank == root)
        adjoin_mpi_part_equal(c, &c->in, send, send_bar, c->size, send_count, send_type);
    if (c->rank == root && receive == MPI_IN_PLACE) {
        adjoin_mpi_part_own(c, &c->out, &c->in, send, send_type);
        c->out.bar = NULL;
    } else
        adjoin_mpi_part_equal(c, &c->out, receive, receive_bar, 1, receive_count, receive_type);
    return c;
}

/* MPI_Allgather, and MPI_Allgatherv with arrays of counts and displacements. */
static struct adjoin_mpi_collective *adjoin_mpi_parts_allgather(const char *call, const void *send, void *send_bar,
                                                                int send_count, MPI_Datatype send_type, void *receive,
                                                                void *receive_bar, int receive_count,
                                                                const int *receive_counts, const int *displacements,
                                                                MPI_Datatype receive_type, MPI_Comm comm)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_collective_new(call, ADJOIN_MPI_GATHER_TO_ALL, 0, comm);
    if (receive_counts != NULL)
        adjoin_mpi_part_blocks(c, &c->out, receive, receive_bar, c->size, receive_counts, displacements, receive_type);
    else
        adjoin_mpi_part_equal(c, &c->out, receive, receive_bar, c->size, receive_count, receive_type);
    if (send == MPI_IN_PLACE)
        adjoin_mpi_part_own(c, &c->in, &c->out, receive, receive_type);
    else
        adjoin_mpi_part_equal(c, &c->in, send, send_bar, 1, send_count, send_type);
    return c;
}

static struct adjoin_mpi_collective *adjoin_mpi_parts_alltoall(const char *call, const void *send, void *send_bar,
                                                               int send_count, MPI_Datatype send_type, void *receive,
                                                               void *receive_bar, int receive_count,
                                                               MPI_Datatype receive_type, MPI_Comm comm)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_collective_new(call, ADJOIN_MPI_ALL_TO_ALL, 0, comm);
    if (send == MPI_IN_PLACE)
        adjoin_mpi_part_equal(c, &c->in, receive, receive_bar, c->size, receive_count, receive_type);
    else
        adjoin_mpi_part_equal(c, &c->in, send, send_bar, c->size, send_count, send_type);
    adjoin_mpi_part_equal(c, &c->out, receive, receive_bar, c->size, receive_count, receive_type);
    return c;
}

static struct adjoin_mpi_collective *adjoin_mpi_parts_alltoallv(const char *call, const void *send, void *send_bar,
                                                                const int *send_counts, const int *send_displacements,
                                                                MPI_Datatype send_type, void *receive,
                                                                void *receive_bar, const int *receive_counts,
                                                                const int *receive_displacements,
                                                                MPI_Datatype receive_type, MPI_Comm comm)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_collective_new(call, ADJOIN_MPI_ALL_TO_ALL, 0, comm);
    if (send == MPI_IN_PLACE)
        adjoin_mpi_part_blocks(c, &c->in, receive, receive_bar, c->size, receive_counts, receive_displacements,
                               receive_type);
    else
        adjoin_mpi_part_blocks(c, &c->in, send, send_bar, c->size, send_counts, send_displacements, send_type);
    adjoin_mpi_part_blocks(c, &c->out, receive, receive_bar, c->size, receive_counts, receive_displacements,
                           receive_type);
    return c;
}

/* MPI_Reduce_scatter, and MPI_Reduce_scatter_block without an array of counts. */
static struct adjoin_mpi_collective *adjoin_mpi_parts_reduce_scatter(const char *call, int nonblocking,
                                                                     const void *send, void *send_bar, void *receive,
                                                                     void *receive_bar, int count, const int *counts,
                                                                     MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_collective_new(call, ADJOIN_MPI_SUM_SCATTER, 0, comm);
    int in_place = send == MPI_IN_PLACE;
    const void *primal = in_place ? receive : send;
    void *bar = in_place ? receive_bar : send_bar;
    if (counts != NULL)
        adjoin_mpi_part_blocks(c, &c->in, primal, bar, c->size, counts, NULL, type);
    else
        adjoin_mpi_part_equal(c, &c->in, primal, bar, c->size, count, type);
    long all = 0;
    for (int k = 0; k < c->size; k++)
        all += c->in.counts[k];
    adjoin_mpi_part_equal(c, &c->out, receive, receive_bar, 1, (int)c->in.counts[c->rank], type);
    c->inputs = adjoin_mpi_inputs_new(call, primal, all, type, op, 0, nonblocking, comm);
    return c;
}
