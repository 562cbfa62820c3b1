/* The non-blocking collectives, in both modes. Their tapes also belong to their requests. */

static int adjoin_MPI_Ibcast_augmented(void *buffer, void *buffer_bar, int count, MPI_Datatype type, int root,
                                       MPI_Comm comm, MPI_Request *request, void **tape)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_parts_bcast("MPI_Ibcast", buffer, buffer_bar, count, type, root,
                                                             comm);
    int code = adjoin_mpi_checked("MPI_Ibcast", MPI_Ibcast(buffer, count, type, root, comm, request));
    c->nonblocking = 1;
    *tape = adjoin_mpi_collective_called(c);
    adjoin_mpi_request_collective(*request, *tape);
    return code;
}

static void adjoin_MPI_Ibcast_reverse(void *tape)
{
    adjoin_mpi_collective_reverse(tape);
}

static int adjoin_MPI_Ibcast_tangent(void *buffer, void *buffer_bar, int count, MPI_Datatype type, int root,
                                     MPI_Comm comm, MPI_Request *request)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_parts_bcast("MPI_Ibcast", buffer, buffer_bar, count, type, root,
                                                             comm);
    int code = adjoin_mpi_checked("MPI_Ibcast", MPI_Ibcast(buffer, count, type, root, comm, request));
    adjoin_mpi_request_collective(*request, adjoin_mpi_collective_tangents_start(c));
    return code;
}

static int adjoin_MPI_Ireduce_augmented(const void *send, void *send_bar, void *receive, void *receive_bar,
                                        int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm,
                                        MPI_Request *request, void **tape)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_parts_reduce("MPI_Ireduce", 1, send, send_bar, receive, receive_bar,
                                                              count, type, op, root, comm);
    int code = adjoin_mpi_checked("MPI_Ireduce", MPI_Ireduce(send, receive, count, type, op, root, comm, request));
    c->nonblocking = 1;
    *tape = adjoin_mpi_collective_called(c);
    adjoin_mpi_request_collective(*request, *tape);
    return code;
}

static void adjoin_MPI_Ireduce_reverse(void *tape)
{
    adjoin_mpi_collective_reverse(tape);
}

static int adjoin_MPI_Ireduce_tangent(const void *send, void *send_bar, void *receive, void *receive_bar, int count,
                                      MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm, MPI_Request *request)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_parts_reduce("MPI_Ireduce", 1, send, send_bar, receive, receive_bar,
                                                              count, type, op, root, comm);
    int code = adjoin_mpi_checked("MPI_Ireduce", MPI_Ireduce(send, receive, count, type, op, root, comm, request));
    adjoin_mpi_request_collective(*request, adjoin_mpi_collective_tangents_start(c));
    return code;
}

static int adjoin_MPI_Iallreduce_augmented(const void *send, void *send_bar, void *receive, void *receive_bar,
                                           int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                                           MPI_Request *request, void **tape)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_parts_allreduce("MPI_Iallreduce", 1, send, send_bar, receive,
                                                                 receive_bar, count, type, op, comm);
    int code = adjoin_mpi_checked("MPI_Iallreduce", MPI_Iallreduce(send, receive, count, type, op, comm, request));
    c->nonblocking = 1;
    *tape = adjoin_mpi_collective_called(c);
    adjoin_mpi_request_collective(*request, *tape);
    return code;
}

static void adjoin_MPI_Iallreduce_reverse(void *tape)
{
    adjoin_mpi_collective_reverse(tape);
}

static int adjoin_MPI_Iallreduce_tangent(const void *send, void *send_bar, void *receive, void *receive_bar,
                                         int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                                         MPI_Request *request)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_parts_allreduce("MPI_Iallreduce", 1, send, send_bar, receive,
                                                                 receive_bar, count, type, op, comm);
    int code = adjoin_mpi_checked("MPI_Iallreduce", MPI_Iallreduce(send, receive, count, type, op, comm, request));
    adjoin_mpi_request_collective(*request, adjoin_mpi_collective_tangents_start(c));
    return code;
}

static int adjoin_MPI_Iscan_augmented(const void *send, void *send_bar, void *receive, void *receive_bar, int count,
                                      MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Request *request, void **tape)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_parts_scan("MPI_Iscan", 1, 0, send, send_bar, receive, receive_bar,
                                                            count, type, op, comm);
    int code = adjoin_mpi_checked("MPI_Iscan", MPI_Iscan(send, receive, count, type, op, comm, request));
    c->nonblocking = 1;
    *tape = adjoin_mpi_collective_called(c);
    adjoin_mpi_request_collective(*request, *tape);
    return code;
}

static void adjoin_MPI_Iscan_reverse(void *tape)
{
    adjoin_mpi_collective_reverse(tape);
}

static int adjoin_MPI_Iscan_tangent(const void *send, void *send_bar, void *receive, void *receive_bar, int count,
                                    MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Request *request)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_parts_scan("MPI_Iscan", 1, 0, send, send_bar, receive, receive_bar,
                                                            count, type, op, comm);
    int code = adjoin_mpi_checked("MPI_Iscan", MPI_Iscan(send, receive, count, type, op, comm, request));
    adjoin_mpi_request_collective(*request, adjoin_mpi_collective_tangents_start(c));
    return code;
}

static int adjoin_MPI_Iexscan_augmented(const void *send, void *send_bar, void *receive, void *receive_bar,
                                        int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Request *request,
                                        void **tape)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_parts_scan("MPI_Iexscan", 1, 1, send, send_bar, receive,
                                                            receive_bar, count, type, op, comm);
    int code = adjoin_mpi_checked("MPI_Iexscan", MPI_Iexscan(send, receive, count, type, op, comm, request));
    c->nonblocking = 1;
    *tape = adjoin_mpi_collective_called(c);
    adjoin_mpi_request_collective(*request, *tape);
    return code;
}

static void adjoin_MPI_Iexscan_reverse(void *tape)
{
    adjoin_mpi_collective_reverse(tape);
}

static int adjoin_MPI_Iexscan_tangent(const void *send, void *send_bar, void *receive, void *receive_bar, int count,
                                      MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Request *request)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_parts_scan("MPI_Iexscan", 1, 1, send, send_bar, receive,
                                                            receive_bar, count, type, op, comm);
    int code = adjoin_mpi_checked("MPI_Iexscan", MPI_Iexscan(send, receive, count, type, op, comm, request));
    adjoin_mpi_request_collective(*request, adjoin_mpi_collective_tangents_start(c));
    return code;
}

static int adjoin_MPI_Igather_augmented(const void *send, void *send_bar, int send_count, MPI_Datatype send_type,
                                        void *receive, void *receive_bar, int receive_count,
                                        MPI_Datatype receive_type, int root, MPI_Comm comm, MPI_Request *request,
                                        void **tape)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_parts_gather("MPI_Igather", send, send_bar, send_count, send_type,
                                                              receive, receive_bar, receive_count, NULL, NULL,
                                                              receive_type, root, comm);
    int code = adjoin_mpi_checked("MPI_Igather", MPI_Igather(send, send_count, send_type, receive, receive_count, receive_type, root, comm, request));
    c->nonblocking = 1;
    *tape = adjoin_mpi_collective_called(c);
    adjoin_mpi_request_collective(*request, *tape);
    return code;
}

static void adjoin_MPI_Igather_reverse(void *tape)
{
    adjoin_mpi_collective_reverse(tape);
}

static int adjoin_MPI_Igather_tangent(const void *send, void *send_bar, int send_count, MPI_Datatype send_type,
                                      void *receive, void *receive_bar, int receive_count, MPI_Datatype receive_type,
                                      int root, MPI_Comm comm, MPI_Request *request)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_parts_gather("MPI_Igather", send, send_bar, send_count, send_type,
                                                              receive, receive_bar, receive_count, NULL, NULL,
                                                              receive_type, root, comm);
    int code = adjoin_mpi_checked("MPI_Igather", MPI_Igather(send, send_count, send_type, receive, receive_count, receive_type, root, comm, request));
    adjoin_mpi_request_collective(*request, adjoin_mpi_collective_tangents_start(c));
    return code;
}

static int adjoin_MPI_Igatherv_augmented(const void *send, void *send_bar, int send_count, MPI_Datatype send_type,
                                         void *receive, void *receive_bar, const int *receive_counts,
                                         const int *displacements, MPI_Datatype receive_type, int root,
                                         MPI_Comm comm, MPI_Request *request, void **tape)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_parts_gather("MPI_Igatherv", send, send_bar, send_count, send_type,
                                                              receive, receive_bar, 0, receive_counts, displacements,
                                                              receive_type, root, comm);
    int code = adjoin_mpi_checked("MPI_Igatherv", MPI_Igatherv(send, send_count, send_type, receive, receive_counts, displacements, receive_type, root,
                            comm, request));
    c->nonblocking = 1;
    *tape = adjoin_mpi_collective_called(c);
    adjoin_mpi_request_collective(*request, *tape);
    return code;
}

static void adjoin_MPI_Igatherv_reverse(void *tape)
{
    adjoin_mpi_collective_reverse(tape);
}

static int adjoin_MPI_Igatherv_tangent(const void *send, void *send_bar, int send_count, MPI_Datatype send_type,
                                       void *receive, void *receive_bar, const int *receive_counts,
                                       const int *displacements, MPI_Datatype receive_type, int root, MPI_Comm comm,
                                       MPI_Request *request)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_parts_gather("MPI_Igatherv", send, send_bar, send_count, send_type,
                                                              receive, receive_bar, 0, receive_counts, displacements,
                                                              receive_type, root, comm);
    int code = adjoin_mpi_checked("MPI_Igatherv", MPI_Igatherv(send, send_count, send_type, receive, receive_counts, displacements, receive_type, root,
                            comm, request));
    adjoin_mpi_request_collective(*request, adjoin_mpi_collective_tangents_start(c));
    return code;
}

static int adjoin_MPI_Iscatter_augmented(const void *send, void *send_bar, int send_count, MPI_Datatype send_type,
                                         void *receive, void *receive_bar, int receive_count,
                                         MPI_Datatype receive_type, int root, MPI_Comm comm, MPI_Request *request,
                                         void **tape)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_parts_scatter("MPI_Iscatter", send, send_bar, send_count, NULL,
                                                               NULL, send_type, receive, receive_bar, receive_count,
                                                               receive_type, root, comm);
    int code = adjoin_mpi_checked("MPI_Iscatter", MPI_Iscatter(send, send_count, send_type, receive, receive_count, receive_type, root, comm, request));
    c->nonblocking = 1;
    *tape = adjoin_mpi_collective_called(c);
    adjoin_mpi_request_collective(*request, *tape);
    return code;
}

static void adjoin_MPI_Iscatter_reverse(void *tape)
{
    adjoin_mpi_collective_reverse(tape);
}

static int adjoin_MPI_Iscatter_tangent(const void *send, void *send_bar, int send_count, MPI_Datatype send_type,
                                       void *receive, void *receive_bar, int receive_count,
                                       MPI_Datatype receive_type, int root, MPI_Comm comm, MPI_Request *request)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_parts_scatter("MPI_Iscatter", send, send_bar, send_count, NULL,
                                                               NULL, send_type, receive, receive_bar, receive_count,
                                                               receive_type, root, comm);
    int code = adjoin_mpi_checked("MPI_Iscatter", MPI_Iscatter(send, send_count, send_type, receive, receive_count, receive_type, root, comm, request));
    adjoin_mpi_request_collective(*request, adjoin_mpi_collective_tangents_start(c));
    return code;
}

static int adjoin_MPI_Iscatterv_augmented(const void *send, void *send_bar, const int *send_counts,
                                          const int *displacements, MPI_Datatype send_type, void *receive,
                                          void *receive_bar, int receive_count, MPI_Datatype receive_type, int root,
                                          MPI_Comm comm, MPI_Request *request, void **tape)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_parts_scatter("MPI_Iscatterv", send, send_bar, 0, send_counts,
                                                               displacements, send_type, receive, receive_bar,
                                                               receive_count, receive_type, root, comm);
    int code = adjoin_mpi_checked("MPI_Iscatterv", MPI_Iscatterv(send, send_counts, displacements, send_type, receive, receive_count, receive_type, root,
                             comm, request));
    c->nonblocking = 1;
    *tape = adjoin_mpi_collective_called(c);
    adjoin_mpi_request_collective(*request, *tape);
    return code;
}

static void adjoin_MPI_Iscatterv_reverse(void *tape)
{
    adjoin_mpi_collective_reverse(tape);
}

static int adjoin_MPI_Iscatterv_tangent(const void *send, void *send_bar, const int *send_counts,
                                        const int *displacements, MPI_Datatype send_type, void *receive,
                                        void *receive_bar, int receive_count, MPI_Datatype receive_type, int root,
                                        MPI_Comm comm, MPI_Request *request)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_parts_scatter("MPI_Iscatterv", send, send_bar, 0, send_counts,
                                                               displacements, send_type, receive, receive_bar,
                                                               receive_count, receive_type, root, comm);
    int code = adjoin_mpi_checked("MPI_Iscatterv", MPI_Iscatterv(send, send_counts, displacements, send_type, receive, receive_count, receive_type, root,
                             comm, request));
    adjoin_mpi_request_collective(*request, adjoin_mpi_collective_tangents_start(c));
    return code;
}

static int adjoin_MPI_Iallgather_augmented(const void *send, void *send_bar, int send_count, MPI_Datatype send_type,
                                           void *receive, void *receive_bar, int receive_count,
                                           MPI_Datatype receive_type, MPI_Comm comm, MPI_Request *request,
                                           void **tape)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_parts_allgather("MPI_Iallgather", send, send_bar, send_count,
                                                                 send_type, receive, receive_bar, receive_count,
                                                                 NULL, NULL, receive_type, comm);
    int code = adjoin_mpi_checked("MPI_Iallgather", MPI_Iallgather(send, send_count, send_type, receive, receive_count, receive_type, comm, request));
    c->nonblocking = 1;
    *tape = adjoin_mpi_collective_called(c);
    adjoin_mpi_request_collective(*request, *tape);
    return code;
}

static void adjoin_MPI_Iallgather_reverse(void *tape)
{
    adjoin_mpi_collective_reverse(tape);
}

static int adjoin_MPI_Iallgather_tangent(const void *send, void *send_bar, int send_count, MPI_Datatype send_type,
                                         void *receive, void *receive_bar, int receive_count,
                                         MPI_Datatype receive_type, MPI_Comm comm, MPI_Request *request)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_parts_allgather("MPI_Iallgather", send, send_bar, send_count,
                                                                 send_type, receive, receive_bar, receive_count,
                                                                 NULL, NULL, receive_type, comm);
    int code = adjoin_mpi_checked("MPI_Iallgather", MPI_Iallgather(send, send_count, send_type, receive, receive_count, receive_type, comm, request));
    adjoin_mpi_request_collective(*request, adjoin_mpi_collective_tangents_start(c));
    return code;
}

static int adjoin_MPI_Iallgatherv_augmented(const void *send, void *send_bar, int send_count, MPI_Datatype send_type,
                                            void *receive, void *receive_bar, const int *receive_counts,
                                            const int *displacements, MPI_Datatype receive_type, MPI_Comm comm,
                                            MPI_Request *request, void **tape)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_parts_allgather("MPI_Iallgatherv", send, send_bar, send_count,
                                                                 send_type, receive, receive_bar, 0, receive_counts,
                                                                 displacements, receive_type, comm);
    int code = adjoin_mpi_checked("MPI_Iallgatherv", MPI_Iallgatherv(send, send_count, send_type, receive, receive_counts, displacements, receive_type,
                               comm, request));
    c->nonblocking = 1;
    *tape = adjoin_mpi_collective_called(c);
    adjoin_mpi_request_collective(*request, *tape);
    return code;
}

static void adjoin_MPI_Iallgatherv_reverse(void *tape)
{
    adjoin_mpi_collective_reverse(tape);
}

static int adjoin_MPI_Iallgatherv_tangent(const void *send, void *send_bar, int send_count, MPI_Datatype send_type,
                                          void *receive, void *receive_bar, const int *receive_counts,
                                          const int *displacements, MPI_Datatype receive_type, MPI_Comm comm,
                                          MPI_Request *request)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_parts_allgather("MPI_Iallgatherv", send, send_bar, send_count,
                                                                 send_type, receive, receive_bar, 0, receive_counts,
                                                                 displacements, receive_type, comm);
    int code = adjoin_mpi_checked("MPI_Iallgatherv", MPI_Iallgatherv(send, send_count, send_type, receive, receive_counts, displacements, receive_type,
                               comm, request));
    adjoin_mpi_request_collective(*request, adjoin_mpi_collective_tangents_start(c));
    return code;
}

static int adjoin_MPI_Ialltoall_augmented(const void *send, void *send_bar, int send_count, MPI_Datatype send_type,
                                          void *receive, void *receive_bar, int receive_count,
                                          MPI_Datatype receive_type, MPI_Comm comm, MPI_Request *request,
                                          void **tape)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_parts_alltoall("MPI_Ialltoall", send, send_bar, send_count,
                                                                send_type, receive, receive_bar, receive_count,
                                                                receive_type, comm);
    int code = adjoin_mpi_checked("MPI_Ialltoall", MPI_Ialltoall(send, send_count, send_type, receive, receive_count, receive_type, comm, request));
    c->nonblocking = 1;
    *tape = adjoin_mpi_collective_called(c);
    adjoin_mpi_request_collective(*request, *tape);
    return code;
}

static void adjoin_MPI_Ialltoall_reverse(void *tape)
{
    adjoin_mpi_collective_reverse(tape);
}

static int adjoin_MPI_Ialltoall_tangent(const void *send, void *send_bar, int send_count, MPI_Datatype send_type,
                                        void *receive, void *receive_bar, int receive_count,
                                        MPI_Datatype receive_type, MPI_Comm comm, MPI_Request *request)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_parts_alltoall("MPI_Ialltoall", send, send_bar, send_count,
                                                                send_type, receive, receive_bar, receive_count,
                                                                receive_type, comm);
    int code = adjoin_mpi_checked("MPI_Ialltoall", MPI_Ialltoall(send, send_count, send_type, receive, receive_count, receive_type, comm, request));
    adjoin_mpi_request_collective(*request, adjoin_mpi_collective_tangents_start(c));
    return code;
}

static int adjoin_MPI_Ialltoallv_augmented(const void *send, void *send_bar, const int *send_counts,
                                           const int *send_displacements, MPI_Datatype send_type, void *receive,
                                           void *receive_bar, const int *receive_counts,
                                           const int *receive_displacements, MPI_Datatype receive_type,
                                           MPI_Comm comm, MPI_Request *request, void **tape)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_parts_alltoallv("MPI_Ialltoallv", send, send_bar, send_counts,
                                                                 send_displacements, send_type, receive, receive_bar,
                                                                 receive_counts, receive_displacements, receive_type,
                                                                 comm);
    int code = adjoin_mpi_checked("MPI_Ialltoallv", MPI_Ialltoallv(send, send_counts, send_displacements, send_type, receive, receive_counts,
                              receive_displacements, receive_type, comm, request));
    c->nonblocking = 1;
    *tape = adjoin_mpi_collective_called(c);
    adjoin_mpi_request_collective(*request, *tape);
    return code;
}

static void adjoin_MPI_Ialltoallv_reverse(void *tape)
{
    adjoin_mpi_collective_reverse(tape);
}

static int adjoin_MPI_Ialltoallv_tangent(const void *send, void *send_bar, const int *send_counts,
                                         const int *send_displacements, MPI_Datatype send_type, void *receive,
                                         void *receive_bar, const int *receive_counts,
                                         const int *receive_displacements, MPI_Datatype receive_type, MPI_Comm comm,
                                         MPI_Request *request)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_parts_alltoallv("MPI_Ialltoallv", send, send_bar, send_counts,
                                                                 send_displacements, send_type, receive, receive_bar,
                                                                 receive_counts, receive_displacements, receive_type,
                                                                 comm);
    int code = adjoin_mpi_checked("MPI_Ialltoallv", MPI_Ialltoallv(send, send_counts, send_displacements, send_type, receive, receive_counts,
                              receive_displacements, receive_type, comm, request));
    adjoin_mpi_request_collective(*request, adjoin_mpi_collective_tangents_start(c));
    return code;
}

static int adjoin_MPI_Ireduce_scatter_augmented(const void *send, void *send_bar, void *receive, void *receive_bar,
                                                const int *counts, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                                                MPI_Request *request, void **tape)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_parts_reduce_scatter("MPI_Ireduce_scatter", 1, send, send_bar,
                                                                      receive, receive_bar, 0, counts, type, op,
                                                                      comm);
    int code = adjoin_mpi_checked("MPI_Ireduce_scatter", MPI_Ireduce_scatter(send, receive, counts, type, op, comm, request));
    c->nonblocking = 1;
    *tape = adjoin_mpi_collective_called(c);
    adjoin_mpi_request_collective(*request, *tape);
    return code;
}

static void adjoin_MPI_Ireduce_scatter_reverse(void *tape)
{
    adjoin_mpi_collective_reverse(tape);
}

static int adjoin_MPI_Ireduce_scatter_tangent(const void *send, void *send_bar, void *receive, void *receive_bar,
                                              const int *counts, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                                              MPI_Request *request)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_parts_reduce_scatter("MPI_Ireduce_scatter", 1, send, send_bar,
                                                                      receive, receive_bar, 0, counts, type, op,
                                                                      comm);
    int code = adjoin_mpi_checked("MPI_Ireduce_scatter", MPI_Ireduce_scatter(send, receive, counts, type, op, comm, request));
    adjoin_mpi_request_collective(*request, adjoin_mpi_collective_tangents_start(c));
    return code;
}

static int adjoin_MPI_Ireduce_scatter_block_augmented(const void *send, void *send_bar, void *receive,
                                                      void *receive_bar, int count, MPI_Datatype type, MPI_Op op,
                                                      MPI_Comm comm, MPI_Request *request, void **tape)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_parts_reduce_scatter("MPI_Ireduce_scatter_block", 1, send, send_bar,
                                                                      receive, receive_bar, count, NULL, type, op,
                                                                      comm);
    int code = adjoin_mpi_checked("MPI_Ireduce_scatter_block", MPI_Ireduce_scatter_block(send, receive, count, type, op, comm, request));
    c->nonblocking = 1;
    *tape = adjoin_mpi_collective_called(c);
    adjoin_mpi_request_collective(*request, *tape);
    return code;
}

static void adjoin_MPI_Ireduce_scatter_block_reverse(void *tape)
{
    adjoin_mpi_collective_reverse(tape);
}

static int adjoin_MPI_Ireduce_scatter_block_tangent(const void *send, void *send_bar, void *receive,
                                                    void *receive_bar, int count, MPI_Datatype type, MPI_Op op,
                                                    MPI_Comm comm, MPI_Request *request)
{
    struct adjoin_mpi_collective *c = adjoin_mpi_parts_reduce_scatter("MPI_Ireduce_scatter_block", 1, send, send_bar,
                                                                      receive, receive_bar, count, NULL, type, op,
                                                                      comm);
    int code = adjoin_mpi_checked("MPI_Ireduce_scatter_block", MPI_Ireduce_scatter_block(send, receive, count, type, op, comm, request));
    adjoin_mpi_request_collective(*request, adjoin_mpi_collective_tangents_start(c));
    return code;
}

