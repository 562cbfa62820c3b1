/* Second derivatives of non-blocking collectives. */

static int adjoin_second_MPI_Ibcast_augmented(void *buffer, void *buffer_dot, void *buffer_bar, void *buffer_bar_dot,
                                              int count, MPI_Datatype type, int root, MPI_Comm comm,
                                              MPI_Request *request, void **tape, void **tape_dot)
{
    struct adjoin_mpi_collective *tangents = adjoin_mpi_parts_bcast("MPI_Ibcast", buffer, buffer_dot, count, type,
                                                                    root, comm);
    struct adjoin_mpi_collective *adjoints = adjoin_mpi_parts_bcast("MPI_Ibcast", buffer, buffer_bar, count, type,
                                                                    root, comm);
    struct adjoin_mpi_collective *both = adjoin_mpi_parts_bcast("MPI_Ibcast", buffer, buffer_bar_dot, count, type,
                                                                root, comm);
    int code = adjoin_mpi_checked("MPI_Ibcast", MPI_Ibcast(buffer, count, type, root, comm, request));
    adjoints->nonblocking = both->nonblocking = 1;
    tangents = adjoin_mpi_collective_tangents_start(tangents);
    *tape = adjoin_mpi_second_called(adjoints);
    *tape_dot = adjoin_mpi_second_called(both);
    adjoin_mpi_second_request(*request, tangents, *tape, *tape_dot);
    return code;
}

ADJOIN_SECOND_REVERSE(MPI_Ibcast)

static int adjoin_second_MPI_Ireduce_augmented(const void *send, void *send_dot, void *send_bar, void *send_bar_dot,
                                               void *receive, void *receive_dot, void *receive_bar,
                                               void *receive_bar_dot, int count, MPI_Datatype type, MPI_Op op,
                                               int root, MPI_Comm comm, MPI_Request *request, void **tape,
                                               void **tape_dot)
{
    struct adjoin_mpi_collective *tangents = adjoin_mpi_parts_reduce("MPI_Ireduce", 1, send, send_dot, receive,
                                                                     receive_dot, count, type, op, root, comm);
    struct adjoin_mpi_collective *adjoints = adjoin_mpi_parts_reduce("MPI_Ireduce", 1, send, send_bar, receive,
                                                                     receive_bar, count, type, op, root, comm);
    struct adjoin_mpi_collective *both = adjoin_mpi_parts_reduce("MPI_Ireduce", 1, send, send_bar_dot, receive,
                                                                 receive_bar_dot, count, type, op, root, comm);
    adjoin_mpi_second_product(adjoints, both, 1, send == MPI_IN_PLACE ? receive_dot : send_dot, comm);
    int code = adjoin_mpi_checked("MPI_Ireduce", MPI_Ireduce(send, receive, count, type, op, root, comm, request));
    adjoints->nonblocking = both->nonblocking = 1;
    tangents = adjoin_mpi_collective_tangents_start(tangents);
    *tape = adjoin_mpi_second_called(adjoints);
    *tape_dot = adjoin_mpi_second_called(both);
    adjoin_mpi_second_request(*request, tangents, *tape, *tape_dot);
    return code;
}

ADJOIN_SECOND_REVERSE(MPI_Ireduce)

static int adjoin_second_MPI_Iallreduce_augmented(const void *send, void *send_dot, void *send_bar,
                                                  void *send_bar_dot, void *receive, void *receive_dot,
                                                  void *receive_bar, void *receive_bar_dot, int count,
                                                  MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Request *request,
                                                  void **tape, void **tape_dot)
{
    struct adjoin_mpi_collective *tangents = adjoin_mpi_parts_allreduce("MPI_Iallreduce", 1, send, send_dot, receive,
                                                                        receive_dot, count, type, op, comm);
    struct adjoin_mpi_collective *adjoints = adjoin_mpi_parts_allreduce("MPI_Iallreduce", 1, send, send_bar, receive,
                                                                        receive_bar, count, type, op, comm);
    struct adjoin_mpi_collective *both = adjoin_mpi_parts_allreduce("MPI_Iallreduce", 1, send, send_bar_dot, receive,
                                                                    receive_bar_dot, count, type, op, comm);
    adjoin_mpi_second_product(adjoints, both, 1, send == MPI_IN_PLACE ? receive_dot : send_dot, comm);
    int code = adjoin_mpi_checked("MPI_Iallreduce", MPI_Iallreduce(send, receive, count, type, op, comm, request));
    adjoints->nonblocking = both->nonblocking = 1;
    tangents = adjoin_mpi_collective_tangents_start(tangents);
    *tape = adjoin_mpi_second_called(adjoints);
    *tape_dot = adjoin_mpi_second_called(both);
    adjoin_mpi_second_request(*request, tangents, *tape, *tape_dot);
    return code;
}

ADJOIN_SECOND_REVERSE(MPI_Iallreduce)

static int adjoin_second_MPI_Iscan_augmented(const void *send, void *send_dot, void *send_bar, void *send_bar_dot,
                                             void *receive, void *receive_dot, void *receive_bar,
                                             void *receive_bar_dot, int count, MPI_Datatype type, MPI_Op op,
                                             MPI_Comm comm, MPI_Request *request, void **tape, void **tape_dot)
{
    struct adjoin_mpi_collective *tangents = adjoin_mpi_parts_scan("MPI_Iscan", 1, 0, send, send_dot, receive,
                                                                   receive_dot, count, type, op, comm);
    struct adjoin_mpi_collective *adjoints = adjoin_mpi_parts_scan("MPI_Iscan", 1, 0, send, send_bar, receive,
                                                                   receive_bar, count, type, op, comm);
    struct adjoin_mpi_collective *both = adjoin_mpi_parts_scan("MPI_Iscan", 1, 0, send, send_bar_dot, receive,
                                                               receive_bar_dot, count, type, op, comm);
    adjoin_mpi_second_product(adjoints, both, 1, send == MPI_IN_PLACE ? receive_dot : send_dot, comm);
    int code = adjoin_mpi_checked("MPI_Iscan", MPI_Iscan(send, receive, count, type, op, comm, request));
    adjoints->nonblocking = both->nonblocking = 1;
    tangents = adjoin_mpi_collective_tangents_start(tangents);
    *tape = adjoin_mpi_second_called(adjoints);
    *tape_dot = adjoin_mpi_second_called(both);
    adjoin_mpi_second_request(*request, tangents, *tape, *tape_dot);
    return code;
}

ADJOIN_SECOND_REVERSE(MPI_Iscan)

static int adjoin_second_MPI_Iexscan_augmented(const void *send, void *send_dot, void *send_bar, void *send_bar_dot,
                                               void *receive, void *receive_dot, void *receive_bar,
                                               void *receive_bar_dot, int count, MPI_Datatype type, MPI_Op op,
                                               MPI_Comm comm, MPI_Request *request, void **tape, void **tape_dot)
{
    struct adjoin_mpi_collective *tangents = adjoin_mpi_parts_scan("MPI_Iexscan", 1, 1, send, send_dot, receive,
                                                                   receive_dot, count, type, op, comm);
    struct adjoin_mpi_collective *adjoints = adjoin_mpi_parts_scan("MPI_Iexscan", 1, 1, send, send_bar, receive,
                                                                   receive_bar, count, type, op, comm);
    struct adjoin_mpi_collective *both = adjoin_mpi_parts_scan("MPI_Iexscan", 1, 1, send, send_bar_dot, receive,
                                                               receive_bar_dot, count, type, op, comm);
    adjoin_mpi_second_product(adjoints, both, 1, send == MPI_IN_PLACE ? receive_dot : send_dot, comm);
    int code = adjoin_mpi_checked("MPI_Iexscan", MPI_Iexscan(send, receive, count, type, op, comm, request));
    adjoints->nonblocking = both->nonblocking = 1;
    tangents = adjoin_mpi_collective_tangents_start(tangents);
    *tape = adjoin_mpi_second_called(adjoints);
    *tape_dot = adjoin_mpi_second_called(both);
    adjoin_mpi_second_request(*request, tangents, *tape, *tape_dot);
    return code;
}

ADJOIN_SECOND_REVERSE(MPI_Iexscan)

static int adjoin_second_MPI_Igather_augmented(const void *send, void *send_dot, void *send_bar, void *send_bar_dot,
                                               int send_count, MPI_Datatype send_type, void *receive,
                                               void *receive_dot, void *receive_bar, void *receive_bar_dot,
                                               int receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm,
                                               MPI_Request *request, void **tape, void **tape_dot)
{
    struct adjoin_mpi_collective *tangents = adjoin_mpi_parts_gather("MPI_Igather", send, send_dot, send_count,
                                                                     send_type, receive, receive_dot, receive_count,
                                                                     NULL, NULL, receive_type, root, comm);
    struct adjoin_mpi_collective *adjoints = adjoin_mpi_parts_gather("MPI_Igather", send, send_bar, send_count,
                                                                     send_type, receive, receive_bar, receive_count,
                                                                     NULL, NULL, receive_type, root, comm);
    struct adjoin_mpi_collective *both = adjoin_mpi_parts_gather("MPI_Igather", send, send_bar_dot, send_count,
                                                                 send_type, receive, receive_bar_dot, receive_count,
                                                                 NULL, NULL, receive_type, root, comm);
    int code = adjoin_mpi_checked("MPI_Igather", MPI_Igather(send, send_count, send_type, receive, receive_count, receive_type, root, comm, request));
    adjoints->nonblocking = both->nonblocking = 1;
    tangents = adjoin_mpi_collective_tangents_start(tangents);
    *tape = adjoin_mpi_second_called(adjoints);
    *tape_dot = adjoin_mpi_second_called(both);
    adjoin_mpi_second_request(*request, tangents, *tape, *tape_dot);
    return code;
}

ADJOIN_SECOND_REVERSE(MPI_Igather)

static int adjoin_second_MPI_Igatherv_augmented(const void *send, void *send_dot, void *send_bar, void *send_bar_dot,
                                                int send_count, MPI_Datatype send_type, void *receive,
                                                void *receive_dot, void *receive_bar, void *receive_bar_dot,
                                                const int *receive_counts, const int *displacements,
                                                MPI_Datatype receive_type, int root, MPI_Comm comm,
                                                MPI_Request *request, void **tape, void **tape_dot)
{
    struct adjoin_mpi_collective *tangents = adjoin_mpi_parts_gather("MPI_Igatherv", send, send_dot, send_count,
                                                                     send_type, receive, receive_dot, 0,
                                                                     receive_counts, displacements, receive_type,
                                                                     root, comm);
    struct adjoin_mpi_collective *adjoints = adjoin_mpi_parts_gather("MPI_Igatherv", send, send_bar, send_count,
                                                                     send_type, receive, receive_bar, 0,
                                                                     receive_counts, displacements, receive_type,
                                                                     root, comm);
    struct adjoin_mpi_collective *both = adjoin_mpi_parts_gather("MPI_Igatherv", send, send_bar_dot, send_count,
                                                                 send_type, receive, receive_bar_dot, 0,
                                                                 receive_counts, displacements, receive_type, root,
                                                                 comm);
    int code = adjoin_mpi_checked("MPI_Igatherv", MPI_Igatherv(send, send_count, send_type, receive, receive_counts, displacements, receive_type, root,
                            comm, request));
    adjoints->nonblocking = both->nonblocking = 1;
    tangents = adjoin_mpi_collective_tangents_start(tangents);
    *tape = adjoin_mpi_second_called(adjoints);
    *tape_dot = adjoin_mpi_second_called(both);
    adjoin_mpi_second_request(*request, tangents, *tape, *tape_dot);
    return code;
}

ADJOIN_SECOND_REVERSE(MPI_Igatherv)

static int adjoin_second_MPI_Iscatter_augmented(const void *send, void *send_dot, void *send_bar, void *send_bar_dot,
                                                int send_count, MPI_Datatype send_type, void *receive,
                                                void *receive_dot, void *receive_bar, void *receive_bar_dot,
                                                int receive_count, MPI_Datatype receive_type, int root,
                                                MPI_Comm comm, MPI_Request *request, void **tape, void **tape_dot)
{
    struct adjoin_mpi_collective *tangents = adjoin_mpi_parts_scatter("MPI_Iscatter", send, send_dot, send_count,
                                                                      NULL, NULL, send_type, receive, receive_dot,
                                                                      receive_count, receive_type, root, comm);
    struct adjoin_mpi_collective *adjoints = adjoin_mpi_parts_scatter("MPI_Iscatter", send, send_bar, send_count,
                                                                      NULL, NULL, send_type, receive, receive_bar,
                                                                      receive_count, receive_type, root, comm);
    struct adjoin_mpi_collective *both = adjoin_mpi_parts_scatter("MPI_Iscatter", send, send_bar_dot, send_count,
                                                                  NULL, NULL, send_type, receive, receive_bar_dot,
                                                                  receive_count, receive_type, root, comm);
    int code = adjoin_mpi_checked("MPI_Iscatter", MPI_Iscatter(send, send_count, send_type, receive, receive_count, receive_type, root, comm, request));
    adjoints->nonblocking = both->nonblocking = 1;
    tangents = adjoin_mpi_collective_tangents_start(tangents);
    *tape = adjoin_mpi_second_called(adjoints);
    *tape_dot = adjoin_mpi_second_called(both);
    adjoin_mpi_second_request(*request, tangents, *tape, *tape_dot);
    return code;
}

ADJOIN_SECOND_REVERSE(MPI_Iscatter)

static int adjoin_second_MPI_Iscatterv_augmented(const void *send, void *send_dot, void *send_bar,
                                                 void *send_bar_dot, const int *send_counts,
                                                 const int *displacements, MPI_Datatype send_type, void *receive,
                                                 void *receive_dot, void *receive_bar, void *receive_bar_dot,
                                                 int receive_count, MPI_Datatype receive_type, int root,
                                                 MPI_Comm comm, MPI_Request *request, void **tape, void **tape_dot)
{
    struct adjoin_mpi_collective *tangents = adjoin_mpi_parts_scatter("MPI_Iscatterv", send, send_dot, 0,
                                                                      send_counts, displacements, send_type, receive,
                                                                      receive_dot, receive_count, receive_type, root,
                                                                      comm);
    struct adjoin_mpi_collective *adjoints = adjoin_mpi_parts_scatter("MPI_Iscatterv", send, send_bar, 0,
                                                                      send_counts, displacements, send_type, receive,
                                                                      receive_bar, receive_count, receive_type, root,
                                                                      comm);
    struct adjoin_mpi_collective *both = adjoin_mpi_parts_scatter("MPI_Iscatterv", send, send_bar_dot, 0,
                                                                  send_counts, displacements, send_type, receive,
                                                                  receive_bar_dot, receive_count, receive_type, root,
                                                                  comm);
    int code = adjoin_mpi_checked("MPI_Iscatterv", MPI_Iscatterv(send, send_counts, displacements, send_type, receive, receive_count, receive_type, root,
                             comm, request));
    adjoints->nonblocking = both->nonblocking = 1;
    tangents = adjoin_mpi_collective_tangents_start(tangents);
    *tape = adjoin_mpi_second_called(adjoints);
    *tape_dot = adjoin_mpi_second_called(both);
    adjoin_mpi_second_request(*request, tangents, *tape, *tape_dot);
    return code;
}

ADJOIN_SECOND_REVERSE(MPI_Iscatterv)

static int adjoin_second_MPI_Iallgather_augmented(const void *send, void *send_dot, void *send_bar,
                                                  void *send_bar_dot, int send_count, MPI_Datatype send_type,
                                                  void *receive, void *receive_dot, void *receive_bar,
                                                  void *receive_bar_dot, int receive_count,
                                                  MPI_Datatype receive_type, MPI_Comm comm, MPI_Request *request,
                                                  void **tape, void **tape_dot)
{
    struct adjoin_mpi_collective *tangents = adjoin_mpi_parts_allgather("MPI_Iallgather", send, send_dot, send_count,
                                                                        send_type, receive, receive_dot,
                                                                        receive_count, NULL, NULL, receive_type,
                                                                        comm);
    struct adjoin_mpi_collective *adjoints = adjoin_mpi_parts_allgather("MPI_Iallgather", send, send_bar, send_count,
                                                                        send_type, receive, receive_bar,
                                                                        receive_count, NULL, NULL, receive_type,
                                                                        comm);
    struct adjoin_mpi_collective *both = adjoin_mpi_parts_allgather("MPI_Iallgather", send, send_bar_dot, send_count,
                                                                    send_type, receive, receive_bar_dot,
                                                                    receive_count, NULL, NULL, receive_type, comm);
    int code = adjoin_mpi_checked("MPI_Iallgather", MPI_Iallgather(send, send_count, send_type, receive, receive_count, receive_type, comm, request));
    adjoints->nonblocking = both->nonblocking = 1;
    tangents = adjoin_mpi_collective_tangents_start(tangents);
    *tape = adjoin_mpi_second_called(adjoints);
    *tape_dot = adjoin_mpi_second_called(both);
    adjoin_mpi_second_request(*request, tangents, *tape, *tape_dot);
    return code;
}

ADJOIN_SECOND_REVERSE(MPI_Iallgather)

static int adjoin_second_MPI_Iallgatherv_augmented(const void *send, void *send_dot, void *send_bar,
                                                   void *send_bar_dot, int send_count, MPI_Datatype send_type,
                                                   void *receive, void *receive_dot, void *receive_bar,
                                                   void *receive_bar_dot, const int *receive_counts,
                                                   const int *displacements, MPI_Datatype receive_type,
                                                   MPI_Comm comm, MPI_Request *request, void **tape, void **tape_dot)
{
    struct adjoin_mpi_collective *tangents = adjoin_mpi_parts_allgather("MPI_Iallgatherv", send, send_dot,
                                                                        send_count, send_type, receive, receive_dot,
                                                                        0, receive_counts, displacements,
                                                                        receive_type, comm);
    struct adjoin_mpi_collective *adjoints = adjoin_mpi_parts_allgather("MPI_Iallgatherv", send, send_bar,
                                                                        send_count, send_type, receive, receive_bar,
                                                                        0, receive_counts, displacements,
                                                                        receive_type, comm);
    struct adjoin_mpi_collective *both = adjoin_mpi_parts_allgather("MPI_Iallgatherv", send, send_bar_dot,
                                                                    send_count, send_type, receive, receive_bar_dot,
                                                                    0, receive_counts, displacements, receive_type,
                                                                    comm);
    int code = adjoin_mpi_checked("MPI_Iallgatherv", MPI_Iallgatherv(send, send_count, send_type, receive, receive_counts, displacements, receive_type,
                               comm, request));
    adjoints->nonblocking = both->nonblocking = 1;
    tangents = adjoin_mpi_collective_tangents_start(tangents);
    *tape = adjoin_mpi_second_called(adjoints);
    *tape_dot = adjoin_mpi_second_called(both);
    adjoin_mpi_second_request(*request, tangents, *tape, *tape_dot);
    return code;
}

ADJOIN_SECOND_REVERSE(MPI_Iallgatherv)

static int adjoin_second_MPI_Ialltoall_augmented(const void *send, void *send_dot, void *send_bar,
                                                 void *send_bar_dot, int send_count, MPI_Datatype send_type,
                                                 void *receive, void *receive_dot, void *receive_bar,
                                                 void *receive_bar_dot, int receive_count, MPI_Datatype receive_type,
                                                 MPI_Comm comm, MPI_Request *request, void **tape, void **tape_dot)
{
    struct adjoin_mpi_collective *tangents = adjoin_mpi_parts_alltoall("MPI_Ialltoall", send, send_dot, send_count,
                                                                       send_type, receive, receive_dot,
                                                                       receive_count, receive_type, comm);
    struct adjoin_mpi_collective *adjoints = adjoin_mpi_parts_alltoall("MPI_Ialltoall", send, send_bar, send_count,
                                                                       send_type, receive, receive_bar,
                                                                       receive_count, receive_type, comm);
    struct adjoin_mpi_collective *both = adjoin_mpi_parts_alltoall("MPI_Ialltoall", send, send_bar_dot, send_count,
                                                                   send_type, receive, receive_bar_dot,
                                                                   receive_count, receive_type, comm);
    int code = adjoin_mpi_checked("MPI_Ialltoall", MPI_Ialltoall(send, send_count, send_type, receive, receive_count, receive_type, comm, request));
    adjoints->nonblocking = both->nonblocking = 1;
    tangents = adjoin_mpi_collective_tangents_start(tangents);
    *tape = adjoin_mpi_second_called(adjoints);
    *tape_dot = adjoin_mpi_second_called(both);
    adjoin_mpi_second_request(*request, tangents, *tape, *tape_dot);
    return code;
}

ADJOIN_SECOND_REVERSE(MPI_Ialltoall)

static int adjoin_second_MPI_Ialltoallv_augmented(const void *send, void *send_dot, void *send_bar,
                                                  void *send_bar_dot, const int *send_counts,
                                                  const int *send_displacements, MPI_Datatype send_type,
                                                  void *receive, void *receive_dot, void *receive_bar,
                                                  void *receive_bar_dot, const int *receive_counts,
                                                  const int *receive_displacements, MPI_Datatype receive_type,
                                                  MPI_Comm comm, MPI_Request *request, void **tape, void **tape_dot)
{
    struct adjoin_mpi_collective *tangents = adjoin_mpi_parts_alltoallv("MPI_Ialltoallv", send, send_dot,
                                                                        send_counts, send_displacements, send_type,
                                                                        receive, receive_dot, receive_counts,
                                                                        receive_displacements, receive_type, comm);
    struct adjoin_mpi_collective *adjoints = adjoin_mpi_parts_alltoallv("MPI_Ialltoallv", send, send_bar,
                                                                        send_counts, send_displacements, send_type,
                                                                        receive, receive_bar, receive_counts,
                                                                        receive_displacements, receive_type, comm);
    struct adjoin_mpi_collective *both = adjoin_mpi_parts_alltoallv("MPI_Ialltoallv", send, send_bar_dot,
                                                                    send_counts, send_displacements, send_type,
                                                                    receive, receive_bar_dot, receive_counts,
                                                                    receive_displacements, receive_type, comm);
    int code = adjoin_mpi_checked("MPI_Ialltoallv", MPI_Ialltoallv(send, send_counts, send_displacements, send_type, receive, receive_counts,
                              receive_displacements, receive_type, comm, request));
    adjoints->nonblocking = both->nonblocking = 1;
    tangents = adjoin_mpi_collective_tangents_start(tangents);
    *tape = adjoin_mpi_second_called(adjoints);
    *tape_dot = adjoin_mpi_second_called(both);
    adjoin_mpi_second_request(*request, tangents, *tape, *tape_dot);
    return code;
}

ADJOIN_SECOND_REVERSE(MPI_Ialltoallv)

static int adjoin_second_MPI_Ireduce_scatter_augmented(const void *send, void *send_dot, void *send_bar,
                                                       void *send_bar_dot, void *receive, void *receive_dot,
                                                       void *receive_bar, void *receive_bar_dot, const int *counts,
                                                       MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                                                       MPI_Request *request, void **tape, void **tape_dot)
{
    struct adjoin_mpi_collective *tangents = adjoin_mpi_parts_reduce_scatter("MPI_Ireduce_scatter", 1, send,
                                                                             send_dot, receive, receive_dot, 0,
                                                                             counts, type, op, comm);
    struct adjoin_mpi_collective *adjoints = adjoin_mpi_parts_reduce_scatter("MPI_Ireduce_scatter", 1, send,
                                                                             send_bar, receive, receive_bar, 0,
                                                                             counts, type, op, comm);
    struct adjoin_mpi_collective *both = adjoin_mpi_parts_reduce_scatter("MPI_Ireduce_scatter", 1, send,
                                                                         send_bar_dot, receive, receive_bar_dot, 0,
                                                                         counts, type, op, comm);
    adjoin_mpi_second_product(adjoints, both, 1, send == MPI_IN_PLACE ? receive_dot : send_dot, comm);
    int code = adjoin_mpi_checked("MPI_Ireduce_scatter", MPI_Ireduce_scatter(send, receive, counts, type, op, comm, request));
    adjoints->nonblocking = both->nonblocking = 1;
    tangents = adjoin_mpi_collective_tangents_start(tangents);
    *tape = adjoin_mpi_second_called(adjoints);
    *tape_dot = adjoin_mpi_second_called(both);
    adjoin_mpi_second_request(*request, tangents, *tape, *tape_dot);
    return code;
}

ADJOIN_SECOND_REVERSE(MPI_Ireduce_scatter)

static int adjoin_second_MPI_Ireduce_scatter_block_augmented(const void *send, void *send_dot, void *send_bar,
                                                             void *send_bar_dot, void *receive, void *receive_dot,
                                                             void *receive_bar, void *receive_bar_dot, int count,
                                                             MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                                                             MPI_Request *request, void **tape, void **tape_dot)
{
    struct adjoin_mpi_collective *tangents = adjoin_mpi_parts_reduce_scatter("MPI_Ireduce_scatter_block", 1, send,
                                                                             send_dot, receive, receive_dot, count,
                                                                             NULL, type, op, comm);
    struct adjoin_mpi_collective *adjoints = adjoin_mpi_parts_reduce_scatter("MPI_Ireduce_scatter_block", 1, send,
                                                                             send_bar, receive, receive_bar, count,
                                                                             NULL, type, op, comm);
    struct adjoin_mpi_collective *both = adjoin_mpi_parts_reduce_scatter("MPI_Ireduce_scatter_block", 1, send,
                                                                         send_bar_dot, receive, receive_bar_dot,
                                                                         count, NULL, type, op, comm);
    adjoin_mpi_second_product(adjoints, both, 1, send == MPI_IN_PLACE ? receive_dot : send_dot, comm);
    int code = adjoin_mpi_checked("MPI_Ireduce_scatter_block", MPI_Ireduce_scatter_block(send, receive, count, type, op, comm, request));
    adjoints->nonblocking = both->nonblocking = 1;
    tangents = adjoin_mpi_collective_tangents_start(tangents);
    *tape = adjoin_mpi_second_called(adjoints);
    *tape_dot = adjoin_mpi_second_called(both);
    adjoin_mpi_second_request(*request, tangents, *tape, *tape_dot);
    return code;
}

ADJOIN_SECOND_REVERSE(MPI_Ireduce_scatter_block)

