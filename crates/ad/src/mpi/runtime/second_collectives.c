/* Second derivatives of blocking collectives. */

static int adjoin_second_MPI_Bcast_augmented(void *buffer, void *buffer_dot, void *buffer_bar, void *buffer_bar_dot,
                                             int count, MPI_Datatype type, int root, MPI_Comm comm, void **tape,
                                             void **tape_dot)
{
    struct adjoin_mpi_collective *adjoints = adjoin_mpi_parts_bcast("MPI_Bcast", buffer, buffer_bar, count, type,
                                                                    root, comm);
    struct adjoin_mpi_collective *both = adjoin_mpi_parts_bcast("MPI_Bcast", buffer, buffer_bar_dot, count, type,
                                                                root, comm);
    int code = adjoin_MPI_Bcast_tangent(buffer, buffer_dot, count, type, root, comm);
    *tape = adjoin_mpi_second_called(adjoints);
    *tape_dot = adjoin_mpi_second_called(both);
    return code;
}

ADJOIN_SECOND_REVERSE(MPI_Bcast)

static int adjoin_second_MPI_Reduce_augmented(const void *send, void *send_dot, void *send_bar, void *send_bar_dot,
                                              void *receive, void *receive_dot, void *receive_bar,
                                              void *receive_bar_dot, int count, MPI_Datatype type, MPI_Op op,
                                              int root, MPI_Comm comm, void **tape, void **tape_dot)
{
    struct adjoin_mpi_collective *adjoints = adjoin_mpi_parts_reduce("MPI_Reduce", 0, send, send_bar, receive,
                                                                     receive_bar, count, type, op, root, comm);
    struct adjoin_mpi_collective *both = adjoin_mpi_parts_reduce("MPI_Reduce", 0, send, send_bar_dot, receive,
                                                                 receive_bar_dot, count, type, op, root, comm);
    adjoin_mpi_second_product(adjoints, both, 0, send == MPI_IN_PLACE ? receive_dot : send_dot, comm);
    int code = adjoin_MPI_Reduce_tangent(send, send_dot, receive, receive_dot, count, type, op, root, comm);
    *tape = adjoin_mpi_second_called(adjoints);
    *tape_dot = adjoin_mpi_second_called(both);
    return code;
}

ADJOIN_SECOND_REVERSE(MPI_Reduce)

static int adjoin_second_MPI_Allreduce_augmented(const void *send, void *send_dot, void *send_bar,
                                                 void *send_bar_dot, void *receive, void *receive_dot,
                                                 void *receive_bar, void *receive_bar_dot, int count,
                                                 MPI_Datatype type, MPI_Op op, MPI_Comm comm, void **tape,
                                                 void **tape_dot)
{
    struct adjoin_mpi_collective *adjoints = adjoin_mpi_parts_allreduce("MPI_Allreduce", 0, send, send_bar, receive,
                                                                        receive_bar, count, type, op, comm);
    struct adjoin_mpi_collective *both = adjoin_mpi_parts_allreduce("MPI_Allreduce", 0, send, send_bar_dot, receive,
                                                                    receive_bar_dot, count, type, op, comm);
    adjoin_mpi_second_product(adjoints, both, 0, send == MPI_IN_PLACE ? receive_dot : send_dot, comm);
    int code = adjoin_MPI_Allreduce_tangent(send, send_dot, receive, receive_dot, count, type, op, comm);
    *tape = adjoin_mpi_second_called(adjoints);
    *tape_dot = adjoin_mpi_second_called(both);
    return code;
}

ADJOIN_SECOND_REVERSE(MPI_Allreduce)

static int adjoin_second_MPI_Scan_augmented(const void *send, void *send_dot, void *send_bar, void *send_bar_dot,
                                            void *receive, void *receive_dot, void *receive_bar,
                                            void *receive_bar_dot, int count, MPI_Datatype type, MPI_Op op,
                                            MPI_Comm comm, void **tape, void **tape_dot)
{
    struct adjoin_mpi_collective *adjoints = adjoin_mpi_parts_scan("MPI_Scan", 0, 0, send, send_bar, receive,
                                                                   receive_bar, count, type, op, comm);
    struct adjoin_mpi_collective *both = adjoin_mpi_parts_scan("MPI_Scan", 0, 0, send, send_bar_dot, receive,
                                                               receive_bar_dot, count, type, op, comm);
    adjoin_mpi_second_product(adjoints, both, 0, send == MPI_IN_PLACE ? receive_dot : send_dot, comm);
    int code = adjoin_MPI_Scan_tangent(send, send_dot, receive, receive_dot, count, type, op, comm);
    *tape = adjoin_mpi_second_called(adjoints);
    *tape_dot = adjoin_mpi_second_called(both);
    return code;
}

ADJOIN_SECOND_REVERSE(MPI_Scan)

static int adjoin_second_MPI_Exscan_augmented(const void *send, void *send_dot, void *send_bar, void *send_bar_dot,
                                              void *receive, void *receive_dot, void *receive_bar,
                                              void *receive_bar_dot, int count, MPI_Datatype type, MPI_Op op,
                                              MPI_Comm comm, void **tape, void **tape_dot)
{
    struct adjoin_mpi_collective *adjoints = adjoin_mpi_parts_scan("MPI_Exscan", 0, 1, send, send_bar, receive,
                                                                   receive_bar, count, type, op, comm);
    struct adjoin_mpi_collective *both = adjoin_mpi_parts_scan("MPI_Exscan", 0, 1, send, send_bar_dot, receive,
                                                               receive_bar_dot, count, type, op, comm);
    adjoin_mpi_second_product(adjoints, both, 0, send == MPI_IN_PLACE ? receive_dot : send_dot, comm);
    int code = adjoin_MPI_Exscan_tangent(send, send_dot, receive, receive_dot, count, type, op, comm);
    *tape = adjoin_mpi_second_called(adjoints);
    *tape_dot = adjoin_mpi_second_called(both);
    return code;
}

ADJOIN_SECOND_REVERSE(MPI_Exscan)

static int adjoin_second_MPI_Gather_augmented(const void *send, void *send_dot, void *send_bar, void *send_bar_dot,
                                              int send_count, MPI_Datatype send_type, void *receive,
                                              void *receive_dot, void *receive_bar, void *receive_bar_dot,
                                              int receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm,
                                              void **tape, void **tape_dot)
{
    struct adjoin_mpi_collective *adjoints = adjoin_mpi_parts_gather("MPI_Gather", send, send_bar, send_count,
                                                                     send_type, receive, receive_bar, receive_count,
                                                                     NULL, NULL, receive_type, root, comm);
    struct adjoin_mpi_collective *both = adjoin_mpi_parts_gather("MPI_Gather", send, send_bar_dot, send_count,
                                                                 send_type, receive, receive_bar_dot, receive_count,
                                                                 NULL, NULL, receive_type, root, comm);
    int code = adjoin_MPI_Gather_tangent(send, send_dot, send_count, send_type, receive, receive_dot, receive_count,
                                         receive_type, root, comm);
    *tape = adjoin_mpi_second_called(adjoints);
    *tape_dot = adjoin_mpi_second_called(both);
    return code;
}

ADJOIN_SECOND_REVERSE(MPI_Gather)

static int adjoin_second_MPI_Gatherv_augmented(const void *send, void *send_dot, void *send_bar, void *send_bar_dot,
                                               int send_count, MPI_Datatype send_type, void *receive,
                                               void *receive_dot, void *receive_bar, void *receive_bar_dot,
                                               const int *receive_counts, const int *displacements,
                                               MPI_Datatype receive_type, int root, MPI_Comm comm, void **tape,
                                               void **tape_dot)
{
    struct adjoin_mpi_collective *adjoints = adjoin_mpi_parts_gather("MPI_Gatherv", send, send_bar, send_count,
                                                                     send_type, receive, receive_bar, 0,
                                                                     receive_counts, displacements, receive_type,
                                                                     root, comm);
    struct adjoin_mpi_collective *both = adjoin_mpi_parts_gather("MPI_Gatherv", send, send_bar_dot, send_count,
                                                                 send_type, receive, receive_bar_dot, 0,
                                                                 receive_counts, displacements, receive_type, root,
                                                                 comm);
    int code = adjoin_MPI_Gatherv_tangent(send, send_dot, send_count, send_type, receive, receive_dot,
                                          receive_counts, displacements, receive_type, root, comm);
    *tape = adjoin_mpi_second_called(adjoints);
    *tape_dot = adjoin_mpi_second_called(both);
    return code;
}

ADJOIN_SECOND_REVERSE(MPI_Gatherv)

static int adjoin_second_MPI_Scatter_augmented(const void *send, void *send_dot, void *send_bar, void *send_bar_dot,
                                               int send_count, MPI_Datatype send_type, void *receive,
                                               void *receive_dot, void *receive_bar, void *receive_bar_dot,
                                               int receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm,
                                               void **tape, void **tape_dot)
{
    struct adjoin_mpi_collective *adjoints = adjoin_mpi_parts_scatter("MPI_Scatter", send, send_bar, send_count,
                                                                      NULL, NULL, send_type, receive, receive_bar,
                                                                      receive_count, receive_type, root, comm);
    struct adjoin_mpi_collective *both = adjoin_mpi_parts_scatter("MPI_Scatter", send, send_bar_dot, send_count,
                                                                  NULL, NULL, send_type, receive, receive_bar_dot,
                                                                  receive_count, receive_type, root, comm);
    int code = adjoin_MPI_Scatter_tangent(send, send_dot, send_count, send_type, receive, receive_dot, receive_count,
                                          receive_type, root, comm);
    *tape = adjoin_mpi_second_called(adjoints);
    *tape_dot = adjoin_mpi_second_called(both);
    return code;
}

ADJOIN_SECOND_REVERSE(MPI_Scatter)

static int adjoin_second_MPI_Scatterv_augmented(const void *send, void *send_dot, void *send_bar, void *send_bar_dot,
                                                const int *send_counts, const int *displacements,
                                                MPI_Datatype send_type, void *receive, void *receive_dot,
                                                void *receive_bar, void *receive_bar_dot, int receive_count,
                                                MPI_Datatype receive_type, int root, MPI_Comm comm, void **tape,
                                                void **tape_dot)
{
    struct adjoin_mpi_collective *adjoints = adjoin_mpi_parts_scatter("MPI_Scatterv", send, send_bar, 0, send_counts,
                                                                      displacements, send_type, receive, receive_bar,
                                                                      receive_count, receive_type, root, comm);
    struct adjoin_mpi_collective *both = adjoin_mpi_parts_scatter("MPI_Scatterv", send, send_bar_dot, 0, send_counts,
                                                                  displacements, send_type, receive, receive_bar_dot,
                                                                  receive_count, receive_type, root, comm);
    int code = adjoin_MPI_Scatterv_tangent(send, send_dot, send_counts, displacements, send_type, receive,
                                           receive_dot, receive_count, receive_type, root, comm);
    *tape = adjoin_mpi_second_called(adjoints);
    *tape_dot = adjoin_mpi_second_called(both);
    return code;
}

ADJOIN_SECOND_REVERSE(MPI_Scatterv)

static int adjoin_second_MPI_Allgather_augmented(const void *send, void *send_dot, void *send_bar,
                                                 void *send_bar_dot, int send_count, MPI_Datatype send_type,
                                                 void *receive, void *receive_dot, void *receive_bar,
                                                 void *receive_bar_dot, int receive_count, MPI_Datatype receive_type,
                                                 MPI_Comm comm, void **tape, void **tape_dot)
{
    struct adjoin_mpi_collective *adjoints = adjoin_mpi_parts_allgather("MPI_Allgather", send, send_bar, send_count,
                                                                        send_type, receive, receive_bar,
                                                                        receive_count, NULL, NULL, receive_type,
                                                                        comm);
    struct adjoin_mpi_collective *both = adjoin_mpi_parts_allgather("MPI_Allgather", send, send_bar_dot, send_count,
                                                                    send_type, receive, receive_bar_dot,
                                                                    receive_count, NULL, NULL, receive_type, comm);
    int code = adjoin_MPI_Allgather_tangent(send, send_dot, send_count, send_type, receive, receive_dot,
                                            receive_count, receive_type, comm);
    *tape = adjoin_mpi_second_called(adjoints);
    *tape_dot = adjoin_mpi_second_called(both);
    return code;
}

ADJOIN_SECOND_REVERSE(MPI_Allgather)

static int adjoin_second_MPI_Allgatherv_augmented(const void *send, void *send_dot, void *send_bar,
                                                  void *send_bar_dot, int send_count, MPI_Datatype send_type,
                                                  void *receive, void *receive_dot, void *receive_bar,
                                                  void *receive_bar_dot, const int *receive_counts,
                                                  const int *displacements, MPI_Datatype receive_type, MPI_Comm comm,
                                                  void **tape, void **tape_dot)
{
    struct adjoin_mpi_collective *adjoints = adjoin_mpi_parts_allgather("MPI_Allgatherv", send, send_bar, send_count,
                                                                        send_type, receive, receive_bar, 0,
                                                                        receive_counts, displacements, receive_type,
                                                                        comm);
    struct adjoin_mpi_collective *both = adjoin_mpi_parts_allgather("MPI_Allgatherv", send, send_bar_dot, send_count,
                                                                    send_type, receive, receive_bar_dot, 0,
                                                                    receive_counts, displacements, receive_type,
                                                                    comm);
    int code = adjoin_MPI_Allgatherv_tangent(send, send_dot, send_count, send_type, receive, receive_dot,
                                             receive_counts, displacements, receive_type, comm);
    *tape = adjoin_mpi_second_called(adjoints);
    *tape_dot = adjoin_mpi_second_called(both);
    return code;
}

ADJOIN_SECOND_REVERSE(MPI_Allgatherv)

static int adjoin_second_MPI_Alltoall_augmented(const void *send, void *send_dot, void *send_bar, void *send_bar_dot,
                                                int send_count, MPI_Datatype send_type, void *receive,
                                                void *receive_dot, void *receive_bar, void *receive_bar_dot,
                                                int receive_count, MPI_Datatype receive_type, MPI_Comm comm,
                                                void **tape, void **tape_dot)
{
    struct adjoin_mpi_collective *adjoints = adjoin_mpi_parts_alltoall("MPI_Alltoall", send, send_bar, send_count,
                                                                       send_type, receive, receive_bar,
                                                                       receive_count, receive_type, comm);
    struct adjoin_mpi_collective *both = adjoin_mpi_parts_alltoall("MPI_Alltoall", send, send_bar_dot, send_count,
                                                                   send_type, receive, receive_bar_dot,
                                                                   receive_count, receive_type, comm);
    int code = adjoin_MPI_Alltoall_tangent(send, send_dot, send_count, send_type, receive, receive_dot,
                                           receive_count, receive_type, comm);
    *tape = adjoin_mpi_second_called(adjoints);
    *tape_dot = adjoin_mpi_second_called(both);
    return code;
}

ADJOIN_SECOND_REVERSE(MPI_Alltoall)

static int adjoin_second_MPI_Alltoallv_augmented(const void *send, void *send_dot, void *send_bar,
                                                 void *send_bar_dot, const int *send_counts,
                                                 const int *send_displacements, MPI_Datatype send_type,
                                                 void *receive, void *receive_dot, void *receive_bar,
                                                 void *receive_bar_dot, const int *receive_counts,
                                                 const int *receive_displacements, MPI_Datatype receive_type,
                                                 MPI_Comm comm, void **tape, void **tape_dot)
{
    struct adjoin_mpi_collective *adjoints = adjoin_mpi_parts_alltoallv("MPI_Alltoallv", send, send_bar, send_counts,
                                                                        send_displacements, send_type, receive,
                                                                        receive_bar, receive_counts,
                                                                        receive_displacements, receive_type, comm);
    struct adjoin_mpi_collective *both = adjoin_mpi_parts_alltoallv("MPI_Alltoallv", send, send_bar_dot, send_counts,
                                                                    send_displacements, send_type, receive,
                                                                    receive_bar_dot, receive_counts,
                                                                    receive_displacements, receive_type, comm);
    int code = adjoin_MPI_Alltoallv_tangent(send, send_dot, send_counts, send_displacements, send_type, receive,
                                            receive_dot, receive_counts, receive_displacements, receive_type, comm);
    *tape = adjoin_mpi_second_called(adjoints);
    *tape_dot = adjoin_mpi_second_called(both);
    return code;
}

ADJOIN_SECOND_REVERSE(MPI_Alltoallv)

static int adjoin_second_MPI_Reduce_scatter_augmented(const void *send, void *send_dot, void *send_bar,
                                                      void *send_bar_dot, void *receive, void *receive_dot,
                                                      void *receive_bar, void *receive_bar_dot, const int *counts,
                                                      MPI_Datatype type, MPI_Op op, MPI_Comm comm, void **tape,
                                                      void **tape_dot)
{
    struct adjoin_mpi_collective *adjoints = adjoin_mpi_parts_reduce_scatter("MPI_Reduce_scatter", 0, send, send_bar,
                                                                             receive, receive_bar, 0, counts, type,
                                                                             op, comm);
    struct adjoin_mpi_collective *both = adjoin_mpi_parts_reduce_scatter("MPI_Reduce_scatter", 0, send, send_bar_dot,
                                                                         receive, receive_bar_dot, 0, counts, type,
                                                                         op, comm);
    adjoin_mpi_second_product(adjoints, both, 0, send == MPI_IN_PLACE ? receive_dot : send_dot, comm);
    int code = adjoin_MPI_Reduce_scatter_tangent(send, send_dot, receive, receive_dot, counts, type, op, comm);
    *tape = adjoin_mpi_second_called(adjoints);
    *tape_dot = adjoin_mpi_second_called(both);
    return code;
}

ADJOIN_SECOND_REVERSE(MPI_Reduce_scatter)

static int adjoin_second_MPI_Reduce_scatter_block_augmented(const void *send, void *send_dot, void *send_bar,
                                                            void *send_bar_dot, void *receive, void *receive_dot,
                                                            void *receive_bar, void *receive_bar_dot, int count,
                                                            MPI_Datatype type, MPI_Op op, MPI_Comm comm, void **tape,
                                                            void **tape_dot)
{
    struct adjoin_mpi_collective *adjoints = adjoin_mpi_parts_reduce_scatter("MPI_Reduce_scatter_block", 0, send,
                                                                             send_bar, receive, receive_bar, count,
                                                                             NULL, type, op, comm);
    struct adjoin_mpi_collective *both = adjoin_mpi_parts_reduce_scatter("MPI_Reduce_scatter_block", 0, send,
                                                                         send_bar_dot, receive, receive_bar_dot,
                                                                         count, NULL, type, op, comm);
    adjoin_mpi_second_product(adjoints, both, 0, send == MPI_IN_PLACE ? receive_dot : send_dot, comm);
    int code = adjoin_MPI_Reduce_scatter_block_tangent(send, send_dot, receive, receive_dot, count, type, op, comm);
    *tape = adjoin_mpi_second_called(adjoints);
    *tape_dot = adjoin_mpi_second_called(both);
    return code;
}

ADJOIN_SECOND_REVERSE(MPI_Reduce_scatter_block)

