/* Datatypes that name variables by their addresses: relative to one of them (`MPI_Bcast(&a, 1, type_of_a_and_b, …)`), or absolute, behind MPI_BOTTOM.
 *
 * The shadows of variables lie elsewhere, not in the same distances. MPI_Get_address is what a program asks for addresses, so a derivative notes at its calls where
 * the shadow is. What a message takes from or puts to the shadow is then looked up by the address of each number. */
struct adjoin_mpi_located {
    const char *at;
    char *shadow[3]; /* in second derivatives there are several */
};
enum { ADJOIN_MPI_LOCATED = 512 };
static struct adjoin_mpi_located adjoin_mpi_located[ADJOIN_MPI_LOCATED];
static unsigned adjoin_mpi_locations;

static void adjoin_mpi_locate(const void *at, void *shadow, void *second, void *third)
{
    unsigned k = 0;
    adjoin_mpi_enter();
    while (k < adjoin_mpi_locations && k < ADJOIN_MPI_LOCATED && adjoin_mpi_located[k].at != at)
        k++;
    if (k == adjoin_mpi_locations || k == ADJOIN_MPI_LOCATED)
        k = adjoin_mpi_locations++ % ADJOIN_MPI_LOCATED;
    adjoin_mpi_located[k].at = at;
    adjoin_mpi_located[k].shadow[0] = shadow;
    adjoin_mpi_located[k].shadow[1] = second;
    adjoin_mpi_located[k].shadow[2] = third;
    adjoin_mpi_leave();
}

/* What is noted of an address. */
static const struct adjoin_mpi_located *adjoin_mpi_location(const char *at)
{
    unsigned n = adjoin_mpi_locations < ADJOIN_MPI_LOCATED ? adjoin_mpi_locations : ADJOIN_MPI_LOCATED;
    for (unsigned k = 0; k < n; k++)
        if (adjoin_mpi_located[k].at == at)
            return &adjoin_mpi_located[k];
    return NULL;
}

/* The layout of a datatype, with one run for each block. */
static struct adjoin_mpi_layout adjoin_mpi_layout_in_blocks(MPI_Datatype type)
{
    adjoin_mpi_enter();
    adjoin_mpi_blocks_apart = 1;
    struct adjoin_mpi_layout layout = adjoin_mpi_layout_of(type);
    adjoin_mpi_blocks_apart = 0;
    adjoin_mpi_leave();
    return layout;
}

/* Numbers that lie in several variables: the layout of their shadows, relative to that of the buffer, or to the first one's behind MPI_BOTTOM. */
static void adjoin_mpi_layout_scatter(const char *call, struct adjoin_mpi_layout *layout, const void *buffer, char **shadow, long count, MPI_Datatype type)
{
    int numbers, addresses, types, combiner;
    if (adjoin_mpi_locations == 0 || layout->numbers == 0 || count <= 0 || type == MPI_DOUBLE || (*shadow == NULL && buffer != MPI_BOTTOM))
        return;
    MPI_Type_get_envelope(type, &numbers, &addresses, &types, &combiner);
    if (combiner == MPI_COMBINER_NAMED)
        return;
    /* Who names others by their distance has asked for the address of the first. What is noted of memory that is another object's now does not matter. */
    const struct adjoin_mpi_located *start = adjoin_mpi_location(buffer);
    int which = 0, apart = 0, unknown = 0;
    while (buffer != MPI_BOTTOM && start != NULL && which < 3 && start->shadow[which] != *shadow)
        which++;
    if (buffer != MPI_BOTTOM && (start == NULL || which == 3))
        return;
    char *base = *shadow;
    struct adjoin_mpi_layout blocks = adjoin_mpi_layout_in_blocks(type), made;
    memset(&made, 0, sizeof made);
    for (int k = 0; k < blocks.runs; k++) {
        struct adjoin_mpi_run run = adjoin_mpi_runs(&blocks)[k];
        const struct adjoin_mpi_located *l = adjoin_mpi_location((const char *)buffer + run.offset);
        MPI_Aint offset = run.offset;
        if (l != NULL && l->shadow[which] != NULL) {
            if (base == NULL)
                base = l->shadow[which];
            offset = l->shadow[which] - base;
            unknown |= buffer == MPI_BOTTOM && l->shadow[1] != NULL; /* which of them is not said */
        } else
            unknown |= run.offset != 0 || buffer == MPI_BOTTOM;
        apart |= offset != run.offset;
        adjoin_mpi_layout_append(&made, offset, run.number, run.count);
    }
    adjoin_mpi_layout_free(&blocks);
    if (!apart && buffer != MPI_BOTTOM) {
        adjoin_mpi_layout_free(&made);
        return;
    }
    if (unknown || count > 1)
        adjoin_mpi_fail(call, "a datatype of several variables, whose shadows are not known: the derivative did not see their addresses being asked for (MPI_Get_address)");
    if (adjoin_mpi_other_directions() > 0)
        adjoin_mpi_fail(call, "several directions at once, with a datatype of several variables");
    made.extent = layout->extent;
    made.number = layout->number;
    made.untyped = layout->untyped;
    made.complex = layout->complex;
    made.pair = layout->pair;
    adjoin_mpi_layout_free(layout);
    *layout = made;
    *shadow = base;
}

static int adjoin_MPI_Get_address_augmented(const void *location, void *bar, MPI_Aint *address, void **tape)
{
    adjoin_mpi_locate(location, bar, NULL, NULL);
    *tape = NULL;
    return MPI_Get_address(location, address);
}

static void adjoin_MPI_Get_address_reverse(void *tape)
{
    (void)tape;
}

static int adjoin_MPI_Get_address_tangent(const void *location, void *dot, MPI_Aint *address)
{
    adjoin_mpi_locate(location, dot, NULL, NULL);
    return MPI_Get_address(location, address);
}

static int adjoin_MPI_Address_augmented(void *location, void *bar, MPI_Aint *address, void **tape)
{
    return adjoin_MPI_Get_address_augmented(location, bar, address, tape);
}

static void adjoin_MPI_Address_reverse(void *tape)
{
    (void)tape;
}

static int adjoin_MPI_Address_tangent(void *location, void *dot, MPI_Aint *address)
{
    return adjoin_MPI_Get_address_tangent(location, dot, address);
}
