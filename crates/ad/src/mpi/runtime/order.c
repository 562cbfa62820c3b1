/* Programs that lock windows (window_locks): there a rank reads and writes the memory of another one that does not take part, and whatever orders the ranks says when. So all of that orders
 * their reverses as well: barriers, and messages and collectives of integers, which are otherwise left alone. All ranks know: their derivatives say so when they begin. */
static int adjoin_mpi_ordered;

static void adjoin_MPI_ordered(void)
{
    adjoin_mpi_ordered = 1;
}

static void adjoin_mpi_windows_merge(void);
