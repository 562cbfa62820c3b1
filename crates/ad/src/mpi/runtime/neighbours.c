/* Collectives of a neighbourhood, in both modes: every rank exchanges blocks with its neighbours in a topology.
 *
 * Block k of what a rank sends goes to its k-th target, and arrives as some block of that rank: which one is the library's affair where two ranks are neighbours more than
 * once, so it is asked, once for each communicator and function: Open MPI's blocking and non-blocking ones differ. Then adjoints go back as messages that carry the number of the block that was sent. They have
 * a communicator of their own. */
struct adjoin_mpi_neighbours {
    MPI_Comm comm;
    int in, out;
    int *sources, *targets;
    int *origins[6]; /* of each block that is received: the number that it had at its source; by the function, NULL before its first call */
};

static void adjoin_mpi_neighbours_free(struct adjoin_mpi_neighbours *n, int finalized)
{
    if (n == NULL)
        return;
    if (!finalized)
        PMPI_Comm_free(&n->comm);
    free(n->sources);
    free(n->targets);
    for (int k = 0; k < 6; k++)
        free(n->origins[k]);
    free(n);
}

/* In a grid a rank has two neighbours for each dimension. */
static void adjoin_mpi_neighbours_in_grid(struct adjoin_mpi_neighbours *n, MPI_Comm comm)
{
    int dimensions = 0;
    MPI_Cartdim_get(comm, &dimensions);
    n->in = n->out = 2 * dimensions;
    n->sources = adjoin_mpi_allocate((size_t)n->in * sizeof *n->sources);
    n->targets = adjoin_mpi_allocate((size_t)n->in * sizeof *n->targets);
    for (int d = 0; d < dimensions; d++) {
        MPI_Cart_shift(comm, d, 1, &n->sources[2 * d], &n->sources[2 * d + 1]);
        n->targets[2 * d] = n->sources[2 * d];
        n->targets[2 * d + 1] = n->sources[2 * d + 1];
    }
}

static void adjoin_mpi_neighbours_in_graph(struct adjoin_mpi_neighbours *n, MPI_Comm comm, int distributed)
{
    int rank, weighted;
    MPI_Comm_rank(comm, &rank);
    if (distributed)
        MPI_Dist_graph_neighbors_count(comm, &n->in, &n->out, &weighted);
    else {
        MPI_Graph_neighbors_count(comm, rank, &n->in);
        n->out = n->in;
    }
    n->sources = adjoin_mpi_allocate((size_t)n->in * sizeof *n->sources);
    n->targets = adjoin_mpi_allocate((size_t)n->out * sizeof *n->targets);
    if (distributed) {
        int *weights = adjoin_mpi_allocate((size_t)(n->in + n->out) * sizeof *weights);
        MPI_Dist_graph_neighbors(comm, n->in, n->sources, weights, n->out, n->targets, weights + n->in);
        free(weights);
        return;
    }
    MPI_Graph_neighbors(comm, rank, n->in, n->sources);
    for (int k = 0; k < n->out; k++)
        n->targets[k] = n->sources[k];
}

/* The neighbours on a communicator. The first time all of its ranks take part. */
static struct adjoin_mpi_neighbours *adjoin_mpi_neighbours_of(const char *call, struct adjoin_mpi_channel *channel, MPI_Comm comm)
{
    if (channel->neighbours != NULL)
        return channel->neighbours;
    struct adjoin_mpi_neighbours *n = adjoin_mpi_allocate(sizeof *n);
    int topology;
    MPI_Topo_test(comm, &topology);
    if (topology == MPI_CART)
        adjoin_mpi_neighbours_in_grid(n, comm);
    else if (topology == MPI_GRAPH || topology == MPI_DIST_GRAPH)
        adjoin_mpi_neighbours_in_graph(n, comm, topology == MPI_DIST_GRAPH);
    else
        adjoin_mpi_fail(call, "a communicator without neighbours");
    for (int k = 0; k < 6; k++)
        n->origins[k] = NULL;
    PMPI_Comm_dup(comm, &n->comm);
    PMPI_Comm_set_errhandler(n->comm, MPI_ERRORS_ARE_FATAL);
    channel->neighbours = n;
    return n;
}

/* How the blocks of a function arrive: of MPI_Neighbor_alltoall (0), with `v` (1), with `w` (2), or of a non-blocking one. The first time all ranks take part. */
static const int *adjoin_mpi_neighbours_origins(const char *call, int kind, struct adjoin_mpi_neighbours *n)
{
    if (call[4] == 'I')
        kind += 3;
    if (n->origins[kind] != NULL)
        return n->origins[kind];
    size_t most = (size_t)(n->in > n->out ? n->in : n->out);
    int *numbers = adjoin_mpi_allocate(most * sizeof *numbers), *ones = adjoin_mpi_allocate(most * sizeof *ones);
    MPI_Datatype *types = adjoin_mpi_allocate(most * sizeof *types);
    MPI_Aint *far = adjoin_mpi_allocate(most * sizeof *far);
    int *origins = adjoin_mpi_allocate((size_t)n->in * sizeof *origins);
    MPI_Request request = MPI_REQUEST_NULL;
    for (size_t k = 0; k < most; k++) {
        numbers[k] = (int)k;
        ones[k] = 1;
        types[k] = MPI_INT;
        far[k] = (MPI_Aint)(k * sizeof *numbers);
    }
    switch (kind) {
    case 0: MPI_Neighbor_alltoall(numbers, 1, MPI_INT, origins, 1, MPI_INT, n->comm); break;
    case 1: MPI_Neighbor_alltoallv(numbers, ones, numbers, MPI_INT, origins, ones, numbers, MPI_INT, n->comm); break;
    case 2: MPI_Neighbor_alltoallw(numbers, ones, far, types, origins, ones, far, types, n->comm); break;
    case 3: MPI_Ineighbor_alltoall(numbers, 1, MPI_INT, origins, 1, MPI_INT, n->comm, &request); break;
    case 4: MPI_Ineighbor_alltoallv(numbers, ones, numbers, MPI_INT, origins, ones, numbers, MPI_INT, n->comm, &request); break;
    default: MPI_Ineighbor_alltoallw(numbers, ones, far, types, origins, ones, far, types, n->comm, &request);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    free(far);
    free(types);
    free(ones);
    free(numbers);
    n->origins[kind] = origins;
    return origins;
}

/* Blocks for neighbours, of which there may be none; without counts all are alike, without displacements one behind the other, and where all
 * neighbours get the same, there is but one. */
static void adjoin_mpi_part_neighbours(struct adjoin_mpi_collective *c, struct adjoin_mpi_part *part, const void *primal, void *bar,
                                       int blocks, const int *ranks, int same, int count, const int *counts,
                                       const int *displacements, MPI_Datatype type)
{
    int *numbers = adjoin_mpi_allocate((size_t)blocks * sizeof *numbers);
    int *places = adjoin_mpi_allocate((size_t)blocks * sizeof *places);
    int before = 0;
    for (int k = 0; k < blocks; k++) {
        int all = counts != NULL ? counts[k] : count;
        numbers[k] = ranks[k] == MPI_PROC_NULL ? 0 : all;
        places[k] = displacements != NULL ? displacements[k] : same ? 0 : before;
        before += all;
    }
    adjoin_mpi_part_blocks(c, part, primal, bar, blocks, numbers, places, type);
    free(places);
    free(numbers);
}

/* All of them: where all targets get the same (MPI_Neighbor_allgather), there are no arrays for what is sent. */
static struct adjoin_mpi_collective *adjoin_mpi_parts_neighbours(const char *call, int same, const void *send, void *send_bar,
                                                                 int send_count, const int *send_counts,
                                                                 const int *send_places, MPI_Datatype send_type, void *receive,
                                                                 void *receive_bar, int count, const int *counts,
                                                                 const int *places, MPI_Datatype type, MPI_Comm comm)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_collective_new(call, ADJOIN_MPI_NEIGHBOURS, 0, comm);
    struct adjoin_mpi_neighbours *n = adjoin_mpi_neighbours_of(call, c->channel, comm);
    c->origins = adjoin_mpi_neighbours_origins(call, send_counts != NULL, n);
    adjoin_mpi_part_neighbours(c, &c->in, send, send_bar, n->out, n->targets, same, send_count, send_counts, send_places, send_type);
    adjoin_mpi_part_neighbours(c, &c->out, receive, receive_bar, n->in, n->sources, 0, count, counts, places, type);
    return c;
}

/* Blocks of neighbours with datatypes of their own. Where there is no neighbour, there is no block. */
static void adjoin_mpi_part_neighbours_each(struct adjoin_mpi_collective *c, struct adjoin_mpi_part *part, const void *primal, void *bar,
                                            int blocks, const int *ranks, const int *counts, const MPI_Aint *places,
                                            const MPI_Datatype *types)
{
    int *numbers = adjoin_mpi_allocate((size_t)blocks * sizeof *numbers);
    for (int k = 0; k < blocks; k++)
        numbers[k] = ranks[k] == MPI_PROC_NULL ? 0 : counts[k];
    adjoin_mpi_part_each(c, part, primal, bar, blocks, numbers, NULL, places, types);
    free(numbers);
}

static struct adjoin_mpi_collective *adjoin_mpi_parts_neighbours_each(const char *call, const void *send, void *send_bar, const int *n,
                                                                      const MPI_Aint *from, const MPI_Datatype *t, void *receive,
                                                                      void *receive_bar, const int *m, const MPI_Aint *at,
                                                                      const MPI_Datatype *u, MPI_Comm comm)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_collective_new(call, ADJOIN_MPI_NEIGHBOURS, 0, comm);
    struct adjoin_mpi_neighbours *all = adjoin_mpi_neighbours_of(call, c->channel, comm);
    c->origins = adjoin_mpi_neighbours_origins(call, 2, all);
    adjoin_mpi_part_neighbours_each(c, &c->in, send, send_bar, all->out, all->targets, n, from, t);
    adjoin_mpi_part_neighbours_each(c, &c->out, receive, receive_bar, all->in, all->sources, m, at, u);
    return c;
}

/* Blocks start on their way, forwards or back. */
static void adjoin_mpi_neighbours_start(struct adjoin_mpi_collective *c, MPI_Datatype type)
{
    const struct adjoin_mpi_neighbours *n = c->channel->neighbours;
    size_t size = adjoin_mpi_number_size(c->number);
    c->requests = adjoin_mpi_allocate((size_t)(n->in + n->out) * sizeof *c->requests);
    for (int k = 0; k < n->out; k++) {
        char *block = (c->forward ? c->sent : c->received) + (size_t)c->in.starts[k] * size;
        if (c->forward)
            MPI_Isend(block, c->in.lengths[k], type, n->targets[k], k, n->comm, &c->requests[k]);
        else
            MPI_Irecv(block, c->in.lengths[k], type, n->targets[k], k, n->comm, &c->requests[k]);
    }
    for (int k = 0; k < n->in; k++) {
        char *block = (c->forward ? c->received : c->sent) + (size_t)c->out.starts[k] * size;
        if (c->forward)
            MPI_Irecv(block, c->out.lengths[k], type, n->sources[k], c->origins[k], n->comm, &c->requests[n->out + k]);
        else
            MPI_Isend(block, c->out.lengths[k], type, n->sources[k], c->origins[k], n->comm, &c->requests[n->out + k]);
    }
}

static void adjoin_mpi_neighbours_wait(struct adjoin_mpi_collective *c)
{
    const struct adjoin_mpi_neighbours *n = c->channel->neighbours;
    adjoin_mpi_wait_for(n->in + n->out, c->requests);
    free(c->requests);
    c->requests = NULL;
}

/* A call with its parameters: what it reads and writes, and the call itself. */
#define ADJOIN_MPI_NEIGHBORHOOD(MPI_X, PARTS, ARGUMENTS, ...) \
    ADJOIN_SHARED int adjoin_##MPI_X##_augmented(__VA_ARGS__, void **tape) \
    { \
        struct adjoin_mpi_collective *c = PARTS; \
        int code = adjoin_mpi_checked(#MPI_X, MPI_X ARGUMENTS); \
        *tape = adjoin_mpi_collective_called(c); \
        return code; \
    } \
    ADJOIN_SHARED void adjoin_##MPI_X##_reverse(void *tape) \
    { \
        adjoin_mpi_collective_reverse(tape); \
    } \
    ADJOIN_SHARED int adjoin_##MPI_X##_tangent(__VA_ARGS__) \
    { \
        struct adjoin_mpi_collective *c = PARTS; \
        int code = adjoin_mpi_checked(#MPI_X, MPI_X ARGUMENTS); \
        adjoin_mpi_collective_tangents(c); \
        return code; \
    }
#define ADJOIN_MPI_INEIGHBORHOOD(MPI_X, PARTS, ARGUMENTS, ...) \
    ADJOIN_SHARED int adjoin_##MPI_X##_augmented(__VA_ARGS__, MPI_Request *request, void **tape) \
    { \
        struct adjoin_mpi_collective *c = PARTS; \
        int code = adjoin_mpi_checked(#MPI_X, MPI_X ARGUMENTS); \
        c->nonblocking = 1; \
        *tape = adjoin_mpi_collective_called(c); \
        adjoin_mpi_request_collective(*request, *tape); \
        return code; \
    } \
    ADJOIN_SHARED void adjoin_##MPI_X##_reverse(void *tape) \
    { \
        adjoin_mpi_collective_reverse(tape); \
    } \
    ADJOIN_SHARED int adjoin_##MPI_X##_tangent(__VA_ARGS__, MPI_Request *request) \
    { \
        struct adjoin_mpi_collective *c = PARTS; \
        int code = adjoin_mpi_checked(#MPI_X, MPI_X ARGUMENTS); \
        adjoin_mpi_request_collective(*request, adjoin_mpi_collective_tangents_start(c)); \
        return code; \
    }
ADJOIN_MPI_NEIGHBORHOOD(MPI_Neighbor_allgather, adjoin_mpi_parts_neighbours("MPI_Neighbor_allgather", 1, s, s_bar, n, NULL, NULL, t, r, r_bar, m, NULL, NULL, u, comm),
                        (s, n, t, r, m, u, comm), const void *s, void *s_bar, int n, MPI_Datatype t, void *r, void *r_bar, int m,
                        MPI_Datatype u, MPI_Comm comm)
ADJOIN_MPI_NEIGHBORHOOD(MPI_Neighbor_allgatherv, adjoin_mpi_parts_neighbours("MPI_Neighbor_allgatherv", 1, s, s_bar, n, NULL, NULL, t, r, r_bar, 0, m, at, u, comm),
                        (s, n, t, r, m, at, u, comm), const void *s, void *s_bar, int n, MPI_Datatype t, void *r, void *r_bar,
                        const int *m, const int *at, MPI_Datatype u, MPI_Comm comm)
ADJOIN_MPI_NEIGHBORHOOD(MPI_Neighbor_alltoall, adjoin_mpi_parts_neighbours("MPI_Neighbor_alltoall", 0, s, s_bar, n, NULL, NULL, t, r, r_bar, m, NULL, NULL, u, comm),
                        (s, n, t, r, m, u, comm), const void *s, void *s_bar, int n, MPI_Datatype t, void *r, void *r_bar, int m,
                        MPI_Datatype u, MPI_Comm comm)
ADJOIN_MPI_NEIGHBORHOOD(MPI_Neighbor_alltoallv, adjoin_mpi_parts_neighbours("MPI_Neighbor_alltoallv", 0, s, s_bar, 0, n, from, t, r, r_bar, 0, m, at, u, comm),
                        (s, n, from, t, r, m, at, u, comm), const void *s, void *s_bar, const int *n, const int *from, MPI_Datatype t,
                        void *r, void *r_bar, const int *m, const int *at, MPI_Datatype u, MPI_Comm comm)
ADJOIN_MPI_INEIGHBORHOOD(MPI_Ineighbor_allgather, adjoin_mpi_parts_neighbours("MPI_Ineighbor_allgather", 1, s, s_bar, n, NULL, NULL, t, r, r_bar, m, NULL, NULL, u, comm),
                         (s, n, t, r, m, u, comm, request), const void *s, void *s_bar, int n, MPI_Datatype t, void *r, void *r_bar,
                         int m, MPI_Datatype u, MPI_Comm comm)
ADJOIN_MPI_INEIGHBORHOOD(MPI_Ineighbor_allgatherv, adjoin_mpi_parts_neighbours("MPI_Ineighbor_allgatherv", 1, s, s_bar, n, NULL, NULL, t, r, r_bar, 0, m, at, u, comm),
                         (s, n, t, r, m, at, u, comm, request), const void *s, void *s_bar, int n, MPI_Datatype t, void *r, void *r_bar,
                         const int *m, const int *at, MPI_Datatype u, MPI_Comm comm)
ADJOIN_MPI_INEIGHBORHOOD(MPI_Ineighbor_alltoall, adjoin_mpi_parts_neighbours("MPI_Ineighbor_alltoall", 0, s, s_bar, n, NULL, NULL, t, r, r_bar, m, NULL, NULL, u, comm),
                         (s, n, t, r, m, u, comm, request), const void *s, void *s_bar, int n, MPI_Datatype t, void *r, void *r_bar,
                         int m, MPI_Datatype u, MPI_Comm comm)
ADJOIN_MPI_INEIGHBORHOOD(MPI_Ineighbor_alltoallv, adjoin_mpi_parts_neighbours("MPI_Ineighbor_alltoallv", 0, s, s_bar, 0, n, from, t, r, r_bar, 0, m, at, u, comm),
                         (s, n, from, t, r, m, at, u, comm, request), const void *s, void *s_bar, const int *n, const int *from,
                         MPI_Datatype t, void *r, void *r_bar, const int *m, const int *at, MPI_Datatype u, MPI_Comm comm)
ADJOIN_MPI_NEIGHBORHOOD(MPI_Neighbor_alltoallw, adjoin_mpi_parts_neighbours_each("MPI_Neighbor_alltoallw", s, s_bar, n, from, t, r, r_bar, m, at, u, comm),
                        (s, n, from, t, r, m, at, u, comm), const void *s, void *s_bar, const int *n, const MPI_Aint *from,
                        const MPI_Datatype *t, void *r, void *r_bar, const int *m, const MPI_Aint *at, const MPI_Datatype *u, MPI_Comm comm)
ADJOIN_MPI_INEIGHBORHOOD(MPI_Ineighbor_alltoallw, adjoin_mpi_parts_neighbours_each("MPI_Ineighbor_alltoallw", s, s_bar, n, from, t, r, r_bar, m, at, u, comm),
                         (s, n, from, t, r, m, at, u, comm, request), const void *s, void *s_bar, const int *n, const MPI_Aint *from,
                         const MPI_Datatype *t, void *r, void *r_bar, const int *m, const MPI_Aint *at, const MPI_Datatype *u, MPI_Comm comm)
