/* Several directions at once, in forward mode: a buffer then has a tangent for each.
 *
 * A call is told that of the first direction, as always; in front of it the derivative says how many directions there are, and which tangents belong to those of the
 * first. Behind the call there is one direction again. A message carries the tangents of all directions, a collective is done to one after the other. */
struct adjoin_mpi_other {
    int direction;
    char *first, *tangent;
};

struct adjoin_mpi_directions {
    int width; /* 0 and 1: one direction */
    long others, room;
    struct adjoin_mpi_other *other;
};
static _Thread_local struct adjoin_mpi_directions adjoin_mpi_directions;

static void adjoin_MPI_directions(int width)
{
    adjoin_mpi_directions.width = width;
    adjoin_mpi_directions.others = 0;
    if (width == 1) {
        free(adjoin_mpi_directions.other);
        adjoin_mpi_directions.other = NULL;
        adjoin_mpi_directions.room = 0;
    }
}

static void adjoin_MPI_direction(int direction, void *first, void *tangent)
{
    struct adjoin_mpi_directions *all = &adjoin_mpi_directions;
    if (all->others == all->room) {
        long room = all->room > 0 ? 2 * all->room : 16;
        struct adjoin_mpi_other *other = adjoin_mpi_allocate((size_t)room * sizeof *other);
        for (long k = 0; k < all->others; k++)
            other[k] = all->other[k];
        free(all->other);
        all->other = other;
        all->room = room;
    }
    all->other[all->others].direction = direction;
    all->other[all->others].first = first;
    all->other[all->others++].tangent = tangent;
}

/* How many directions there are besides the first. */
static int adjoin_mpi_other_directions(void)
{
    return adjoin_mpi_directions.width > 1 ? adjoin_mpi_directions.width - 1 : 0;
}

/* The tangent in another direction, of which this is the tangent in the first; some bytes behind what the derivative told us. */
static char *adjoin_mpi_in_direction(int direction, char *first, MPI_Aint offset)
{
    const struct adjoin_mpi_directions *all = &adjoin_mpi_directions;
    if (first != NULL)
        for (long k = 0; k < all->others; k++)
            if (all->other[k].direction == direction && all->other[k].first == first - offset)
                return all->other[k].tangent != NULL ? all->other[k].tangent + offset : NULL;
    return NULL;
}

/* The tangents in all directions but the first; NULL if there is but one. */
static char **adjoin_mpi_tangents(char *first)
{
    int count = adjoin_mpi_other_directions();
    if (count == 0)
        return NULL;
    char **tangents = adjoin_mpi_allocate((size_t)count * sizeof *tangents);
    for (int d = 0; d < count; d++)
        tangents[d] = adjoin_mpi_in_direction(d + 1, first, 0);
    return tangents;
}
