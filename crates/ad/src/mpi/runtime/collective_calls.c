/* The blocking collectives, in both modes: the call itself, and what is kept for the reverse sweep or done to tangents. */

static int adjoin_MPI_Bcast_augmented(void *buffer, void *buffer_bar, int count, MPI_Datatype type, int root,
                                      MPI_Comm comm, void **tape)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_parts_bcast("MPI_Bcast", buffer, buffer_bar, count, type, root,
                                                             comm);
    int code = adjoin_mpi_checked("MPI_Bcast", MPI_Bcast(buffer, count, type, root, comm));
    *tape = adjoin_mpi_collective_called(c);
    return code;
}

static void adjoin_MPI_Bcast_reverse(void *tape)
{
    adjoin_mpi_collective_reverse(tape);
}

static int adjoin_MPI_Bcast_tangent(void *buffer, void *buffer_bar, int count, MPI_Datatype type, int root,
                                    MPI_Comm comm)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_parts_bcast("MPI_Bcast", buffer, buffer_bar, count, type, root,
                                                             comm);
    int code = adjoin_mpi_checked("MPI_Bcast", MPI_Bcast(buffer, count, type, root, comm));
    adjoin_mpi_collective_tangents(c);
    return code;
}

static int adjoin_MPI_Reduce_augmented(const void *send, void *send_bar, void *receive, void *receive_bar, int count,
                                       MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm, void **tape)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_parts_reduce("MPI_Reduce", 0, send, send_bar, receive, receive_bar,
                                                              count, type, op, root, comm);
    int code = adjoin_mpi_checked("MPI_Reduce", MPI_Reduce(send, receive, count, type, op, root, comm));
    *tape = adjoin_mpi_collective_called(c);
    return code;
}

static void adjoin_MPI_Reduce_reverse(void *tape)
{
    adjoin_mpi_collective_reverse(tape);
}

static int adjoin_MPI_Reduce_tangent(const void *send, void *send_bar, void *receive, void *receive_bar, int count,
                                     MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_parts_reduce("MPI_Reduce", 0, send, send_bar, receive, receive_bar,
                                                              count, type, op, root, comm);
    int code = adjoin_mpi_checked("MPI_Reduce", MPI_Reduce(send, receive, count, type, op, root, comm));
    adjoin_mpi_collective_tangents(c);
    return code;
}

static int adjoin_MPI_Allreduce_augmented(const void *send, void *send_bar, void *receive, void *receive_bar,
                                          int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm, void **tape)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_parts_allreduce("MPI_Allreduce", 0, send, send_bar, receive,
                                                                 receive_bar, count, type, op, comm);
    int code = adjoin_mpi_checked("MPI_Allreduce", MPI_Allreduce(send, receive, count, type, op, comm));
    *tape = adjoin_mpi_collective_called(c);
    return code;
}

static void adjoin_MPI_Allreduce_reverse(void *tape)
{
    adjoin_mpi_collective_reverse(tape);
}

static int adjoin_MPI_Allreduce_tangent(const void *send, void *send_bar, void *receive, void *receive_bar,
                                        int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_parts_allreduce("MPI_Allreduce", 0, send, send_bar, receive,
                                                                 receive_bar, count, type, op, comm);
    int code = adjoin_mpi_checked("MPI_Allreduce", MPI_Allreduce(send, receive, count, type, op, comm));
    adjoin_mpi_collective_tangents(c);
    return code;
}

static int adjoin_MPI_Scan_augmented(const void *send, void *send_bar, void *receive, void *receive_bar, int count,
                                     MPI_Datatype type, MPI_Op op, MPI_Comm comm, void **tape)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_parts_scan("MPI_Scan", 0, 0, send, send_bar, receive, receive_bar,
                                                            count, type, op, comm);
    int code = adjoin_mpi_checked("MPI_Scan", MPI_Scan(send, receive, count, type, op, comm));
    *tape = adjoin_mpi_collective_called(c);
    return code;
}

static void adjoin_MPI_Scan_reverse(void *tape)
{
    adjoin_mpi_collective_reverse(tape);
}

static int adjoin_MPI_Scan_tangent(const void *send, void *send_bar, void *receive, void *receive_bar, int count,
                                   MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_parts_scan("MPI_Scan", 0, 0, send, send_bar, receive, receive_bar,
                                                            count, type, op, comm);
    int code = adjoin_mpi_checked("MPI_Scan", MPI_Scan(send, receive, count, type, op, comm));
    adjoin_mpi_collective_tangents(c);
    return code;
}

static int adjoin_MPI_Exscan_augmented(const void *send, void *send_bar, void *receive, void *receive_bar, int count,
                                       MPI_Datatype type, MPI_Op op, MPI_Comm comm, void **tape)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_parts_scan("MPI_Exscan", 0, 1, send, send_bar, receive, receive_bar,
                                                            count, type, op, comm);
    int code = adjoin_mpi_checked("MPI_Exscan", MPI_Exscan(send, receive, count, type, op, comm));
    *tape = adjoin_mpi_collective_called(c);
    return code;
}

static void adjoin_MPI_Exscan_reverse(void *tape)
{
    adjoin_mpi_collective_reverse(tape);
}

static int adjoin_MPI_Exscan_tangent(const void *send, void *send_bar, void *receive, void *receive_bar, int count,
                                     MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_parts_scan("MPI_Exscan", 0, 1, send, send_bar, receive, receive_bar,
                                                            count, type, op, comm);
    int code = adjoin_mpi_checked("MPI_Exscan", MPI_Exscan(send, receive, count, type, op, comm));
    adjoin_mpi_collective_tangents(c);
    return code;
}

static int adjoin_MPI_Gather_augmented(const void *send, void *send_bar, int send_count, MPI_Datatype send_type,
                                       void *receive, void *receive_bar, int receive_count,
                                       MPI_Datatype receive_type, int root, MPI_Comm comm, void **tape)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_parts_gather("MPI_Gather", send, send_bar, send_count, send_type,
                                                              receive, receive_bar, receive_count, NULL, NULL,
                                                              receive_type, root, comm);
    int code = adjoin_mpi_checked("MPI_Gather", MPI_Gather(send, send_count, send_type, receive, receive_count, receive_type, root, comm));
    *tape = adjoin_mpi_collective_called(c);
    return code;
}

static void adjoin_MPI_Gather_reverse(void *tape)
{
    adjoin_mpi_collective_reverse(tape);
}

static int adjoin_MPI_Gather_tangent(const void *send, void *send_bar, int send_count, MPI_Datatype send_type,
                                     void *receive, void *receive_bar, int receive_count, MPI_Datatype receive_type,
                                     int root, MPI_Comm comm)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_parts_gather("MPI_Gather", send, send_bar, send_count, send_type,
                                                              receive, receive_bar, receive_count, NULL, NULL,
                                                              receive_type, root, comm);
    int code = adjoin_mpi_checked("MPI_Gather", MPI_Gather(send, send_count, send_type, receive, receive_count, receive_type, root, comm));
    adjoin_mpi_collective_tangents(c);
    return code;
}

static int adjoin_MPI_Gatherv_augmented(const void *send, void *send_bar, int send_count, MPI_Datatype send_type,
                                        void *receive, void *receive_bar, const int *receive_counts,
                                        const int *displacements, MPI_Datatype receive_type, int root, MPI_Comm comm,
                                        void **tape)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_parts_gather("MPI_Gatherv", send, send_bar, send_count, send_type,
                                                              receive, receive_bar, 0, receive_counts, displacements,
                                                              receive_type, root, comm);
    int code = adjoin_mpi_checked("MPI_Gatherv", MPI_Gatherv(send, send_count, send_type, receive, receive_counts, displacements, receive_type, root,
                           comm));
    *tape = adjoin_mpi_collective_called(c);
    return code;
}

static void adjoin_MPI_Gatherv_reverse(void *tape)
{
    adjoin_mpi_collective_reverse(tape);
}

static int adjoin_MPI_Gatherv_tangent(const void *send, void *send_bar, int send_count, MPI_Datatype send_type,
                                      void *receive, void *receive_bar, const int *receive_counts,
                                      const int *displacements, MPI_Datatype receive_type, int root, MPI_Comm comm)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_parts_gather("MPI_Gatherv", send, send_bar, send_count, send_type,
                                                              receive, receive_bar, 0, receive_counts, displacements,
                                                              receive_type, root, comm);
    int code = adjoin_mpi_checked("MPI_Gatherv", MPI_Gatherv(send, send_count, send_type, receive, receive_counts, displacements, receive_type, root,
                           comm));
    adjoin_mpi_collective_tangents(c);
    return code;
}

static int adjoin_MPI_Scatter_augmented(const void *send, void *send_bar, int send_count, MPI_Datatype send_type,
                                        void *receive, void *receive_bar, int receive_count,
                                        MPI_Datatype receive_type, int root, MPI_Comm comm, void **tape)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_parts_scatter("MPI_Scatter", send, send_bar, send_count, NULL, NULL,
                                                               send_type, receive, receive_bar, receive_count,
                                                               receive_type, root, comm);
    int code = adjoin_mpi_checked("MPI_Scatter", MPI_Scatter(send, send_count, send_type, receive, receive_count, receive_type, root, comm));
    *tape = adjoin_mpi_collective_called(c);
    return code;
}

static void adjoin_MPI_Scatter_reverse(void *tape)
{
    adjoin_mpi_collective_reverse(tape);
}

static int adjoin_MPI_Scatter_tangent(const void *send, void *send_bar, int send_count, MPI_Datatype send_type,
                                      void *receive, void *receive_bar, int receive_count, MPI_Datatype receive_type,
                                      int root, MPI_Comm comm)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_parts_scatter("MPI_Scatter", send, send_bar, send_count, NULL, NULL,
                                                               send_type, receive, receive_bar, receive_count,
                                                               receive_type, root, comm);
    int code = adjoin_mpi_checked("MPI_Scatter", MPI_Scatter(send, send_count, send_type, receive, receive_count, receive_type, root, comm));
    adjoin_mpi_collective_tangents(c);
    return code;
}

static int adjoin_MPI_Scatterv_augmented(const void *send, void *send_bar, const int *send_counts,
                                         const int *displacements, MPI_Datatype send_type, void *receive,
                                         void *receive_bar, int receive_count, MPI_Datatype receive_type, int root,
                                         MPI_Comm comm, void **tape)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_parts_scatter("MPI_Scatterv", send, send_bar, 0, send_counts,
                                                               displacements, send_type, receive, receive_bar,
                                                               receive_count, receive_type, root, comm);
    int code = adjoin_mpi_checked("MPI_Scatterv", MPI_Scatterv(send, send_counts, displacements, send_type, receive, receive_count, receive_type, root,
                            comm));
    *tape = adjoin_mpi_collective_called(c);
    return code;
}

static void adjoin_MPI_Scatterv_reverse(void *tape)
{
    adjoin_mpi_collective_reverse(tape);
}

static int adjoin_MPI_Scatterv_tangent(const void *send, void *send_bar, const int *send_counts,
                                       const int *displacements, MPI_Datatype send_type, void *receive,
                                       void *receive_bar, int receive_count, MPI_Datatype receive_type, int root,
                                       MPI_Comm comm)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_parts_scatter("MPI_Scatterv", send, send_bar, 0, send_counts,
                                                               displacements, send_type, receive, receive_bar,
                                                               receive_count, receive_type, root, comm);
    int code = adjoin_mpi_checked("MPI_Scatterv", MPI_Scatterv(send, send_counts, displacements, send_type, receive, receive_count, receive_type, root,
                            comm));
    adjoin_mpi_collective_tangents(c);
    return code;
}

static int adjoin_MPI_Allgather_augmented(const void *send, void *send_bar, int send_count, MPI_Datatype send_type,
                                          void *receive, void *receive_bar, int receive_count,
                                          MPI_Datatype receive_type, MPI_Comm comm, void **tape)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_parts_allgather("MPI_Allgather", send, send_bar, send_count,
                                                                 send_type, receive, receive_bar, receive_count,
                                                                 NULL, NULL, receive_type, comm);
    int code = adjoin_mpi_checked("MPI_Allgather", MPI_Allgather(send, send_count, send_type, receive, receive_count, receive_type, comm));
    *tape = adjoin_mpi_collective_called(c);
    return code;
}

static void adjoin_MPI_Allgather_reverse(void *tape)
{
    adjoin_mpi_collective_reverse(tape);
}

static int adjoin_MPI_Allgather_tangent(const void *send, void *send_bar, int send_count, MPI_Datatype send_type,
                                        void *receive, void *receive_bar, int receive_count,
                                        MPI_Datatype receive_type, MPI_Comm comm)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_parts_allgather("MPI_Allgather", send, send_bar, send_count,
                                                                 send_type, receive, receive_bar, receive_count,
                                                                 NULL, NULL, receive_type, comm);
    int code = adjoin_mpi_checked("MPI_Allgather", MPI_Allgather(send, send_count, send_type, receive, receive_count, receive_type, comm));
    adjoin_mpi_collective_tangents(c);
    return code;
}

static int adjoin_MPI_Allgatherv_augmented(const void *send, void *send_bar, int send_count, MPI_Datatype send_type,
                                           void *receive, void *receive_bar, const int *receive_counts,
                                           const int *displacements, MPI_Datatype receive_type, MPI_Comm comm,
                                           void **tape)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_parts_allgather("MPI_Allgatherv", send, send_bar, send_count,
                                                                 send_type, receive, receive_bar, 0, receive_counts,
                                                                 displacements, receive_type, comm);
    int code = adjoin_mpi_checked("MPI_Allgatherv", MPI_Allgatherv(send, send_count, send_type, receive, receive_counts, displacements, receive_type,
                              comm));
    *tape = adjoin_mpi_collective_called(c);
    return code;
}

static void adjoin_MPI_Allgatherv_reverse(void *tape)
{
    adjoin_mpi_collective_reverse(tape);
}

static int adjoin_MPI_Allgatherv_tangent(const void *send, void *send_bar, int send_count, MPI_Datatype send_type,
                                         void *receive, void *receive_bar, const int *receive_counts,
                                         const int *displacements, MPI_Datatype receive_type, MPI_Comm comm)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_parts_allgather("MPI_Allgatherv", send, send_bar, send_count,
                                                                 send_type, receive, receive_bar, 0, receive_counts,
                                                                 displacements, receive_type, comm);
    int code = adjoin_mpi_checked("MPI_Allgatherv", MPI_Allgatherv(send, send_count, send_type, receive, receive_counts, displacements, receive_type,
                              comm));
    adjoin_mpi_collective_tangents(c);
    return code;
}

static int adjoin_MPI_Alltoall_augmented(const void *send, void *send_bar, int send_count, MPI_Datatype send_type,
                                         void *receive, void *receive_bar, int receive_count,
                                         MPI_Datatype receive_type, MPI_Comm comm, void **tape)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_parts_alltoall("MPI_Alltoall", send, send_bar, send_count,
                                                                send_type, receive, receive_bar, receive_count,
                                                                receive_type, comm);
    int code = adjoin_mpi_checked("MPI_Alltoall", MPI_Alltoall(send, send_count, send_type, receive, receive_count, receive_type, comm));
    *tape = adjoin_mpi_collective_called(c);
    return code;
}

static void adjoin_MPI_Alltoall_reverse(void *tape)
{
    adjoin_mpi_collective_reverse(tape);
}

static int adjoin_MPI_Alltoall_tangent(const void *send, void *send_bar, int send_count, MPI_Datatype send_type,
                                       void *receive, void *receive_bar, int receive_count,
                                       MPI_Datatype receive_type, MPI_Comm comm)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_parts_alltoall("MPI_Alltoall", send, send_bar, send_count,
                                                                send_type, receive, receive_bar, receive_count,
                                                                receive_type, comm);
    int code = adjoin_mpi_checked("MPI_Alltoall", MPI_Alltoall(send, send_count, send_type, receive, receive_count, receive_type, comm));
    adjoin_mpi_collective_tangents(c);
    return code;
}

static int adjoin_MPI_Alltoallv_augmented(const void *send, void *send_bar, const int *send_counts,
                                          const int *send_displacements, MPI_Datatype send_type, void *receive,
                                          void *receive_bar, const int *receive_counts,
                                          const int *receive_displacements, MPI_Datatype receive_type, MPI_Comm comm,
                                          void **tape)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_parts_alltoallv("MPI_Alltoallv", send, send_bar, send_counts,
                                                                 send_displacements, send_type, receive, receive_bar,
                                                                 receive_counts, receive_displacements, receive_type,
                                                                 comm);
    int code = adjoin_mpi_checked("MPI_Alltoallv", MPI_Alltoallv(send, send_counts, send_displacements, send_type, receive, receive_counts,
                             receive_displacements, receive_type, comm));
    *tape = adjoin_mpi_collective_called(c);
    return code;
}

static void adjoin_MPI_Alltoallv_reverse(void *tape)
{
    adjoin_mpi_collective_reverse(tape);
}

static int adjoin_MPI_Alltoallv_tangent(const void *send, void *send_bar, const int *send_counts,
                                        const int *send_displacements, MPI_Datatype send_type, void *receive,
                                        void *receive_bar, const int *receive_counts,
                                        const int *receive_displacements, MPI_Datatype receive_type, MPI_Comm comm)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_parts_alltoallv("MPI_Alltoallv", send, send_bar, send_counts,
                                                                 send_displacements, send_type, receive, receive_bar,
                                                                 receive_counts, receive_displacements, receive_type,
                                                                 comm);
    int code = adjoin_mpi_checked("MPI_Alltoallv", MPI_Alltoallv(send, send_counts, send_displacements, send_type, receive, receive_counts,
                             receive_displacements, receive_type, comm));
    adjoin_mpi_collective_tangents(c);
    return code;
}

static int adjoin_MPI_Reduce_scatter_augmented(const void *send, void *send_bar, void *receive, void *receive_bar,
                                               const int *counts, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                                               void **tape)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_parts_reduce_scatter("MPI_Reduce_scatter", 0, send, send_bar,
                                                                      receive, receive_bar, 0, counts, type, op,
                                                                      comm);
    int code = adjoin_mpi_checked("MPI_Reduce_scatter", MPI_Reduce_scatter(send, receive, counts, type, op, comm));
    *tape = adjoin_mpi_collective_called(c);
    return code;
}

static void adjoin_MPI_Reduce_scatter_reverse(void *tape)
{
    adjoin_mpi_collective_reverse(tape);
}

static int adjoin_MPI_Reduce_scatter_tangent(const void *send, void *send_bar, void *receive, void *receive_bar,
                                             const int *counts, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_parts_reduce_scatter("MPI_Reduce_scatter", 0, send, send_bar,
                                                                      receive, receive_bar, 0, counts, type, op,
                                                                      comm);
    int code = adjoin_mpi_checked("MPI_Reduce_scatter", MPI_Reduce_scatter(send, receive, counts, type, op, comm));
    adjoin_mpi_collective_tangents(c);
    return code;
}

static int adjoin_MPI_Reduce_scatter_block_augmented(const void *send, void *send_bar, void *receive,
                                                     void *receive_bar, int count, MPI_Datatype type, MPI_Op op,
                                                     MPI_Comm comm, void **tape)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_parts_reduce_scatter("MPI_Reduce_scatter_block", 0, send, send_bar,
                                                                      receive, receive_bar, count, NULL, type, op,
                                                                      comm);
    int code = adjoin_mpi_checked("MPI_Reduce_scatter_block", MPI_Reduce_scatter_block(send, receive, count, type, op, comm));
    *tape = adjoin_mpi_collective_called(c);
    return code;
}

static void adjoin_MPI_Reduce_scatter_block_reverse(void *tape)
{
    adjoin_mpi_collective_reverse(tape);
}

static int adjoin_MPI_Reduce_scatter_block_tangent(const void *send, void *send_bar, void *receive,
                                                   void *receive_bar, int count, MPI_Datatype type, MPI_Op op,
                                                   MPI_Comm comm)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_parts_reduce_scatter("MPI_Reduce_scatter_block", 0, send, send_bar,
                                                                      receive, receive_bar, count, NULL, type, op,
                                                                      comm);
    int code = adjoin_mpi_checked("MPI_Reduce_scatter_block", MPI_Reduce_scatter_block(send, receive, count, type, op, comm));
    adjoin_mpi_collective_tangents(c);
    return code;
}

