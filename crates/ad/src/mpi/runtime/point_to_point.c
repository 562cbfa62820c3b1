
/* Blocking messages. */
ADJOIN_SHARED void adjoin_mpi_finish(void *tape)
{
    struct adjoin_mpi_record *record = (struct adjoin_mpi_record *)tape;
    if (record)
        record->finish(record);
}

/* The kinds of sends differ only in the call. */
#define ADJOIN_SENDS(MPI_X)                                                                                              \
    ADJOIN_SHARED int adjoin_##MPI_X##_augmented(const void *buffer, void *shadow, int count, MPI_Datatype type, int to, \
                                                 int tag, MPI_Comm comm, void **tape)                                    \
    {                                                                                                                    \
        *tape = adjoin_mpi_sends(shadow, count, type, to, tag, comm);                                                    \
        return MPI_X(buffer, count, type, to, tag, comm);                                                                \
    }                                                                                                                    \
    ADJOIN_SHARED void adjoin_##MPI_X##_reverse(void *tape)                                                              \
    {                                                                                                                    \
        adjoin_mpi_finish(tape);                                                                                         \
    }                                                                                                                    \
    ADJOIN_SHARED int adjoin_##MPI_X##_tangent(const void *buffer, void *tangent, int count, MPI_Datatype type, int to,  \
                                               int tag, MPI_Comm comm)                                                   \
    {                                                                                                                    \
        struct adjoin_mpi_record *record = adjoin_mpi_sends_along(#MPI_X, tangent, count, type, to, tag, comm);          \
        int result = MPI_X(buffer, count, type, to, tag, comm);                                                          \
        adjoin_mpi_finish(record);                                                                                       \
        return result;                                                                                                   \
    }
ADJOIN_SENDS(MPI_Send)
ADJOIN_SENDS(MPI_Ssend)
ADJOIN_SENDS(MPI_Bsend)
ADJOIN_SENDS(MPI_Rsend)

ADJOIN_SHARED int adjoin_MPI_Recv_augmented(void *buffer, void *shadow, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status *status, void **tape)
{
    MPI_Status own, *s = status == MPI_STATUS_IGNORE ? &own : status;
    struct adjoin_mpi_record *record = adjoin_mpi_receives(shadow, count, type, from, tag, comm);
    int result = MPI_Recv(buffer, count, type, from, tag, comm, s);
    if (record)
        record->completed(record, s);
    *tape = record;
    return result;
}

ADJOIN_SHARED void adjoin_MPI_Recv_reverse(void *tape)
{
    adjoin_mpi_finish(tape);
}

ADJOIN_SHARED int adjoin_MPI_Recv_tangent(void *buffer, void *tangent, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status *status)
{
    MPI_Status own, *s = status == MPI_STATUS_IGNORE ? &own : status;
    struct adjoin_mpi_record *record = adjoin_mpi_receives(tangent, count, type, from, tag, comm);
    int result = MPI_Recv(buffer, count, type, from, tag, comm, s);
    if (record)
        record->completed(record, s);
    adjoin_mpi_finish(adjoin_mpi_along(record));
    return result;
}
