/* MPI_Alltoallw, in both modes: every block has a datatype of its own. On their way all numbers are doubles, so that the ranks need not agree. */

/* Blocks with given counts, at given bytes: `places`, or `far` for those of neighbours. */
static void adjoin_mpi_part_each(struct adjoin_mpi_collective *c, struct adjoin_mpi_part *part, const void *primal, void *bar, int blocks,
                                 const int *counts, const int *places, const MPI_Aint *far, const MPI_Datatype *types)
{
    long numbers = 0;
    adjoin_mpi_part_blocks(c, part, primal, bar, blocks, counts, NULL, MPI_DOUBLE);
    part->each = adjoin_mpi_allocate((size_t)blocks * sizeof *part->each);
    for (int k = 0; k < blocks; k++) {
        struct adjoin_mpi_layout layout = adjoin_mpi_layout_of(types[k]);
        if (layout.number == ADJOIN_MPI_LONG_DOUBLE && counts[k] > 0)
            adjoin_mpi_fail(c->call, "numbers of type long double");
        if (layout.untyped && counts[k] > 0 && bar != NULL)
            adjoin_mpi_fail(c->call, "active memory that travels as bytes");
        layout.number = ADJOIN_MPI_DOUBLE;
        part->each[k] = layout;
        part->places[k] = far != NULL ? far[k] : places[k];
        part->lengths[k] = (int)(counts[k] * layout.numbers);
        part->starts[k] = (int)numbers;
        numbers += counts[k] * layout.numbers;
        if (numbers > 2147483647)
            adjoin_mpi_fail(c->call, "more numbers than an int can count");
    }
    part->total = (int)numbers;
}

static struct adjoin_mpi_collective *adjoin_mpi_parts_alltoallw(const char *call, const void *send, void *send_bar, const int *n,
                                                                const int *from, const MPI_Datatype *t, void *receive,
                                                                void *receive_bar, const int *m, const int *at,
                                                                const MPI_Datatype *u, MPI_Comm comm)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_collective_new(call, ADJOIN_MPI_ALL_TO_ALL, 0, comm);
    int in_place = send == MPI_IN_PLACE;
    adjoin_mpi_part_each(c, &c->in, in_place ? receive : send, in_place ? receive_bar : send_bar, c->size, in_place ? m : n,
                         in_place ? at : from, NULL, in_place ? u : t);
    adjoin_mpi_part_each(c, &c->out, receive, receive_bar, c->size, m, at, NULL, u);
    return c;
}

static int adjoin_MPI_Alltoallw_augmented(const void *send, void *send_bar, const int *n, const int *from, const MPI_Datatype *t,
                                          void *receive, void *receive_bar, const int *m, const int *at, const MPI_Datatype *u,
                                          MPI_Comm comm, void **tape)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_parts_alltoallw("MPI_Alltoallw", send, send_bar, n, from, t, receive, receive_bar, m, at, u, comm);
    int code = adjoin_mpi_checked("MPI_Alltoallw", MPI_Alltoallw(send, n, from, t, receive, m, at, u, comm));
    *tape = adjoin_mpi_collective_called(c);
    return code;
}

static void adjoin_MPI_Alltoallw_reverse(void *tape)
{
    adjoin_mpi_collective_reverse(tape);
}

static int adjoin_MPI_Alltoallw_tangent(const void *send, void *send_bar, const int *n, const int *from, const MPI_Datatype *t,
                                        void *receive, void *receive_bar, const int *m, const int *at, const MPI_Datatype *u, MPI_Comm comm)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_parts_alltoallw("MPI_Alltoallw", send, send_bar, n, from, t, receive, receive_bar, m, at, u, comm);
    int code = adjoin_mpi_checked("MPI_Alltoallw", MPI_Alltoallw(send, n, from, t, receive, m, at, u, comm));
    adjoin_mpi_collective_tangents(c);
    return code;
}

static int adjoin_MPI_Ialltoallw_augmented(const void *send, void *send_bar, const int *n, const int *from, const MPI_Datatype *t,
                                           void *receive, void *receive_bar, const int *m, const int *at, const MPI_Datatype *u,
                                           MPI_Comm comm, MPI_Request *request, void **tape)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_parts_alltoallw("MPI_Ialltoallw", send, send_bar, n, from, t, receive, receive_bar, m, at, u, comm);
    int code = adjoin_mpi_checked("MPI_Ialltoallw", MPI_Ialltoallw(send, n, from, t, receive, m, at, u, comm, request));
    c->nonblocking = 1;
    *tape = adjoin_mpi_collective_called(c);
    adjoin_mpi_request_collective(*request, *tape);
    return code;
}

static void adjoin_MPI_Ialltoallw_reverse(void *tape)
{
    adjoin_mpi_collective_reverse(tape);
}

static int adjoin_MPI_Ialltoallw_tangent(const void *send, void *send_bar, const int *n, const int *from, const MPI_Datatype *t,
                                         void *receive, void *receive_bar, const int *m, const int *at, const MPI_Datatype *u,
                                         MPI_Comm comm, MPI_Request *request)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_parts_alltoallw("MPI_Ialltoallw", send, send_bar, n, from, t, receive, receive_bar, m, at, u, comm);
    int code = adjoin_mpi_checked("MPI_Ialltoallw", MPI_Ialltoallw(send, n, from, t, receive, m, at, u, comm, request));
    adjoin_mpi_request_collective(*request, adjoin_mpi_collective_tangents_start(c));
    return code;
}
