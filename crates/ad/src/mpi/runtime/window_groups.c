/* One-sided communication without fences, between MPI_Win_start and MPI_Win_complete, and MPI_Win_post and MPI_Win_wait at the target.
 *
 * What was accessed is reversed at the reverse of MPI_Win_complete, in an epoch of its own. The reverse of MPI_Win_wait exposes the shadow, that of MPI_Win_post waits. */

/* The accesses so far are complete. */
static struct adjoin_mpi_epoch *adjoin_mpi_epoch_ends(struct adjoin_mpi_window *w)
{
    if (w == NULL)
        return NULL;
    struct adjoin_mpi_epoch *epoch = adjoin_mpi_allocate(sizeof *epoch);
    epoch->window = w;
    epoch->accesses = w->accesses;
    w->accesses = NULL;
    return epoch;
}

static void adjoin_mpi_epoch_free(struct adjoin_mpi_epoch *epoch)
{
    while (epoch != NULL && epoch->accesses != NULL) {
        struct adjoin_mpi_access *a = epoch->accesses;
        epoch->accesses = a->next;
        adjoin_mpi_access_free(a);
    }
    free(epoch);
}

/* The program may free its group. */
static MPI_Group adjoin_mpi_group(MPI_Group group)
{
    MPI_Group copy;
    MPI_Group_union(group, MPI_GROUP_EMPTY, &copy);
    return copy;
}

static int adjoin_MPI_Win_start_augmented(MPI_Group group, int assertion, MPI_Win win, void **tape)
{
    struct adjoin_mpi_window *w = adjoin_mpi_window_of(win);
    if (w != NULL)
        w->started = adjoin_mpi_group(group);
    *tape = NULL;
    return MPI_Win_start(group, assertion, win);
}

static void adjoin_MPI_Win_start_reverse(void *tape)
{
    (void)tape;
}

static int adjoin_MPI_Win_start_tangent(MPI_Group group, int assertion, MPI_Win win)
{
    int code = MPI_Win_start(group, assertion, win);
    for (struct adjoin_mpi_window *s = adjoin_mpi_shadows(win); s != NULL; s = s->beside)
        MPI_Win_start(group, 0, s->shadow);
    return code;
}

static int adjoin_MPI_Win_complete_augmented(MPI_Win win, void **tape)
{
    struct adjoin_mpi_window *w = adjoin_mpi_window_of(win);
    struct adjoin_mpi_epoch *epoch = adjoin_mpi_epoch_ends(w);
    if (epoch != NULL)
        epoch->group = w->started;
    *tape = epoch;
    return MPI_Win_complete(win);
}

static void adjoin_MPI_Win_complete_reverse(void *tape)
{
    struct adjoin_mpi_epoch *epoch = tape;
    if (epoch == NULL)
        return;
    struct adjoin_mpi_window *w = epoch->window;
    if (!w->alone)
        MPI_Win_start(epoch->group, 0, w->shadow);
    for (struct adjoin_mpi_access *a = epoch->accesses; a != NULL; a = a->next)
        adjoin_mpi_access_reverse(a, w);
    if (!w->alone)
        MPI_Win_complete(w->shadow);
    MPI_Group_free(&epoch->group);
    free(epoch);
}

static int adjoin_MPI_Win_complete_tangent(MPI_Win win)
{
    for (struct adjoin_mpi_window *s = adjoin_mpi_shadows(win); s != NULL; s = s->beside)
        MPI_Win_complete(s->shadow);
    adjoin_mpi_epoch_free(adjoin_mpi_epoch_ends(adjoin_mpi_window_of(win)));
    return MPI_Win_complete(win);
}

static int adjoin_MPI_Win_post_augmented(MPI_Group group, int assertion, MPI_Win win, void **tape)
{
    struct adjoin_mpi_window *w = adjoin_mpi_window_of(win);
    if (w != NULL)
        w->posted = adjoin_mpi_group(group);
    *tape = w;
    return MPI_Win_post(group, assertion, win);
}

static void adjoin_MPI_Win_post_reverse(void *tape)
{
    struct adjoin_mpi_window *w = tape;
    if (w != NULL && !w->alone)
        MPI_Win_wait(w->shadow);
}

static int adjoin_MPI_Win_post_tangent(MPI_Group group, int assertion, MPI_Win win)
{
    for (struct adjoin_mpi_window *s = adjoin_mpi_shadows(win); s != NULL; s = s->beside)
        MPI_Win_post(group, 0, s->shadow);
    return MPI_Win_post(group, assertion, win);
}

static int adjoin_MPI_Win_wait_augmented(MPI_Win win, void **tape)
{
    struct adjoin_mpi_window *w = adjoin_mpi_window_of(win);
    struct adjoin_mpi_epoch *epoch = w != NULL ? adjoin_mpi_allocate(sizeof *epoch) : NULL;
    if (epoch != NULL) {
        epoch->window = w;
        epoch->group = w->posted;
    }
    *tape = epoch;
    return MPI_Win_wait(win);
}

static void adjoin_MPI_Win_wait_reverse(void *tape)
{
    struct adjoin_mpi_epoch *epoch = tape;
    if (epoch == NULL)
        return;
    if (!epoch->window->alone)
        MPI_Win_post(epoch->group, 0, epoch->window->shadow);
    MPI_Group_free(&epoch->group);
    free(epoch);
}

static int adjoin_MPI_Win_wait_tangent(MPI_Win win)
{
    for (struct adjoin_mpi_window *s = adjoin_mpi_shadows(win); s != NULL; s = s->beside)
        MPI_Win_wait(s->shadow);
    return MPI_Win_wait(win);
}
