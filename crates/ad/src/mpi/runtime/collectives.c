
/* Collectives: all ranks do the reverse of each, on the companion of the communicator. */
struct adjoin_mpi_reduction {
    struct adjoin_mpi_layout layout;
    struct adjoin_mpi_channel *channel;
    long items;
    void *sent, *received; /* shadows; what is reduced in place is only received */
};

ADJOIN_SHARED int adjoin_MPI_Allreduce_augmented(const void *from, void *from_shadow, void *to, void *to_shadow, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm, void **tape)
{
    struct adjoin_mpi_layout layout;
    *tape = NULL;
    adjoin_mpi_lay_out(&layout, type);
    if (layout.runs) {
        struct adjoin_mpi_reduction *r = (struct adjoin_mpi_reduction *)adjoin_mpi_zeroed(sizeof *r);
        if (op != MPI_SUM)
            adjoin_mpi_stop("MPI_Allreduce", "an operation other than MPI_SUM");
        adjoin_mpi_copy_layout(&r->layout, &layout);
        r->channel = adjoin_mpi_channel_of(comm, 0);
        r->items = count;
        r->sent = from == MPI_IN_PLACE ? to_shadow : from_shadow;
        r->received = to_shadow;
        *tape = r;
    }
    adjoin_mpi_release(&layout);
    return MPI_Allreduce(from, to, count, type, op, comm);
}

ADJOIN_SHARED void adjoin_MPI_Allreduce_reverse(void *tape)
{
    struct adjoin_mpi_reduction *r = (struct adjoin_mpi_reduction *)tape;
    void *packed;
    if (!r)
        return;
    packed = adjoin_mpi_zeroed(r->layout.bytes * (size_t)r->items);
    if (r->received) {
        adjoin_mpi_move(&r->layout, r->items, r->received, packed, ADJOIN_GATHER);
        adjoin_mpi_move(&r->layout, r->items, r->received, NULL, ADJOIN_CLEAR);
    }
    PMPI_Allreduce(MPI_IN_PLACE, packed, adjoin_mpi_units(&r->layout, r->items), r->layout.unit, MPI_SUM, r->channel->comm);
    if (r->sent)
        adjoin_mpi_move(&r->layout, r->items, r->sent, packed, ADJOIN_ADD);
    adjoin_mpi_release(&r->layout);
    free(packed);
    free(r);
}

ADJOIN_SHARED int adjoin_MPI_Allreduce_tangent(const void *from, void *from_tangent, void *to, void *to_tangent, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    struct adjoin_mpi_layout layout;
    int result = MPI_Allreduce(from, to, count, type, op, comm);
    adjoin_mpi_lay_out(&layout, type);
    if (layout.runs) {
        void *sent = from == MPI_IN_PLACE ? to_tangent : from_tangent;
        void *packed = adjoin_mpi_zeroed(layout.bytes * (size_t)count);
        if (op != MPI_SUM)
            adjoin_mpi_stop("MPI_Allreduce", "an operation other than MPI_SUM");
        if (sent)
            adjoin_mpi_move(&layout, count, sent, packed, ADJOIN_GATHER);
        PMPI_Allreduce(MPI_IN_PLACE, packed, adjoin_mpi_units(&layout, count), layout.unit, MPI_SUM, adjoin_mpi_channel_of(comm, 0)->comm);
        if (to_tangent)
            adjoin_mpi_move(&layout, count, to_tangent, packed, ADJOIN_PUT);
        free(packed);
    }
    adjoin_mpi_release(&layout);
    return result;
}
