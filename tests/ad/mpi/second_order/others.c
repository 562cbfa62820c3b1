/* Second order through what is rarer: neighbourhoods, MPI_Alltoallw, MPI_Waitsome, MPI_Testany, MPI_Reduce_local, MPI_Pack, products, persistent
 * requests; the tangent of each gradient against differences of it. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>

double __enzyme_autodiff(void *, ...);
void __enzyme_fwddiff(void *, ...);

enum { N = 4, RANKS = 8 };
static int rank, size, next, last;
static MPI_Comm ring;

static double neighbours(double *x)
{
    double sent[2] = {x[0] * x[1], x[2] * x[2]}, received[2] = {0, 0}, gathered[4] = {0};
    MPI_Request request;
    MPI_Neighbor_alltoall(sent, 1, MPI_DOUBLE, received, 1, MPI_DOUBLE, ring);
    MPI_Ineighbor_allgather(received, 2, MPI_DOUBLE, gathered, 2, MPI_DOUBLE, ring, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return received[0] * received[1] * x[3] + sin(gathered[0] * gathered[3]);
}

static double some(double *x)
{
    double in[2] = {0}, out[2] = {x[0] * x[1], sin(x[2])};
    MPI_Request requests[4];
    int done = 0, count, indices[4], flag;
    MPI_Irecv(&in[0], 1, MPI_DOUBLE, next, 3, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&in[1], 1, MPI_DOUBLE, last, 4, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(&out[0], 1, MPI_DOUBLE, last, 3, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(&out[1], 1, MPI_DOUBLE, next, 4, MPI_COMM_WORLD, &requests[3]);
    while (done < 3) {
        MPI_Waitsome(4, requests, &count, indices, MPI_STATUSES_IGNORE);
        done += count;
    }
    for (flag = 0; done < 4 && !flag;)
        MPI_Testany(4, requests, indices, &flag, MPI_STATUS_IGNORE);
    return in[0] * in[1] * x[3] + x[0] * x[0];
}

static double all_to_all(double *x)
{
    double out[RANKS] = {0}, in[RANKS] = {0}, s = 0;
    int counts[RANKS] = {0}, places[RANKS] = {0};
    MPI_Datatype types[RANKS] = {0};
    for (int r = 0; r < size; r++) {
        out[r] = x[r % N] * x[(r + 1) % N];
        counts[r] = 1;
        places[r] = r * (int)sizeof(double);
        types[r] = MPI_DOUBLE;
    }
    MPI_Alltoallw(out, counts, places, types, in, counts, places, types, MPI_COMM_WORLD);
    for (int r = 0; r < size; r++)
        s += sin(in[r]) * x[0];
    return s;
}

static double local(double *x)
{
    double a[2] = {x[0] * x[1], x[2]}, b[2] = {x[3] * x[3], x[1]}, out[3] = {0};
    char packed[64];
    int at = 0;
    MPI_Reduce_local(a, b, 2, MPI_DOUBLE, MPI_SUM);
    MPI_Reduce_local(a, b, 1, MPI_DOUBLE, MPI_MAX);
    MPI_Reduce_local(a, b, 2, MPI_DOUBLE, MPI_PROD);
    MPI_Pack(b, 2, MPI_DOUBLE, packed, 64, &at, MPI_COMM_WORLD);
    MPI_Pack(a, 1, MPI_DOUBLE, packed, 64, &at, MPI_COMM_WORLD);
    MPI_Sendrecv_replace(packed, at, MPI_PACKED, next, 5, last, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    at = 0;
    MPI_Unpack(packed, 64, &at, out, 3, MPI_DOUBLE, MPI_COMM_WORLD);
    return out[0] * out[1] * out[2];
}

static double products(double *x)
{
    double a[2] = {x[0] * x[1], sin(x[2])}, all[2], before[2], mine[RANKS], one, last[2] = {0};
    MPI_Request request;
    MPI_Allreduce(a, all, 2, MPI_DOUBLE, MPI_PROD, MPI_COMM_WORLD);
    MPI_Scan(a, before, 2, MPI_DOUBLE, MPI_PROD, MPI_COMM_WORLD);
    for (int r = 0; r < size; r++)
        mine[r] = x[r % N] + 0.1 * r;
    MPI_Reduce_scatter_block(mine, &one, 1, MPI_DOUBLE, MPI_PROD, MPI_COMM_WORLD);
    MPI_Ireduce(a, last, 2, MPI_DOUBLE, MPI_PROD, size - 1, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Allreduce(MPI_IN_PLACE, &a[1], 1, MPI_DOUBLE, MPI_PROD, MPI_COMM_WORLD);
    return all[0] * all[1] * x[3] + before[0] * before[1] + one * one + last[0] * last[1] + a[1] * x[0];
}

static double persistent(double *x)
{
    double in[2] = {0}, out[2] = {x[0], x[1]}, s = 0;
    MPI_Request requests[2];
    MPI_Recv_init(in, 2, MPI_DOUBLE, next, 6, MPI_COMM_WORLD, &requests[0]);
    MPI_Send_init(out, 2, MPI_DOUBLE, last, 6, MPI_COMM_WORLD, &requests[1]);
    for (int k = 0; k < 3; k++) {
        if (k == 1) {
            MPI_Start(&requests[0]);
            MPI_Start(&requests[1]);
        } else
            MPI_Startall(2, requests);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        s += in[0] * in[1] * x[2];
        out[0] = sin(in[0]) * x[3];
        out[1] = in[1] * in[1];
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
    return s;
}

/* Requests of variables, made at the first call if nobody has made them. */
static double sent, received;
static MPI_Request kept[2];
static int is_ready;
static double prepared_before(double *x)
{
    if (!is_ready) {
        MPI_Recv_init(&received, 1, MPI_DOUBLE, last, 6, MPI_COMM_WORLD, &kept[0]);
        MPI_Send_init(&sent, 1, MPI_DOUBLE, next, 6, MPI_COMM_WORLD, &kept[1]);
        is_ready = 1;
    }
    sent = x[0] * x[1];
    for (int step = 0; step < 2; step++) {
        MPI_Startall(2, kept);
        MPI_Waitall(2, kept, MPI_STATUSES_IGNORE);
        sent = received * received * x[2];
    }
    MPI_Request_free(&kept[0]);
    MPI_Request_free(&kept[1]);
    is_ready = 0;
    return sent * x[3];
}

#define GRADIENT(NAME) \
    static void NAME##_gradient(double *x, double *bar) \
    { \
        __enzyme_autodiff((void *)NAME, x, bar); \
    } \
    static void NAME##_second(double *x, double *dot, double *bar, double *bar_dot) \
    { \
        __enzyme_fwddiff((void *)NAME##_gradient, x, dot, bar, bar_dot); \
    }
GRADIENT(neighbours)
GRADIENT(some)
GRADIENT(all_to_all)
GRADIENT(local)
GRADIENT(products)
GRADIENT(persistent)
GRADIENT(prepared_before)

static int check(const char *name, void gradient(double *, double *), void second(double *, double *, double *, double *))
{
    double x[N], dot[N], bar[N] = {0}, bar_dot[N] = {0}, up[N] = {0}, down[N] = {0}, h = 1e-5;
    int bad = 0;
    for (int i = 0; i < N; i++) {
        x[i] = 0.8 + 0.3 * sin(1.7 * i + 2.3 * rank);
        dot[i] = cos(i + rank);
    }
    second(x, dot, bar, bar_dot);
    for (int i = 0; i < N; i++)
        x[i] += h * dot[i];
    gradient(x, up);
    for (int i = 0; i < N; i++)
        x[i] -= 2 * h * dot[i];
    gradient(x, down);
    for (int i = 0; i < N; i++) {
        double numeric = (up[i] - down[i]) / (2 * h);
        if (!(fabs(bar_dot[i] - numeric) <= 1e-6 * (1 + fabs(numeric)))) {
            printf("%s, rank %d: %d is %.10g, not %.10g\n", name, rank, i, bar_dot[i], numeric);
            bad = 1;
        }
    }
    return bad;
}

int main(int argc, char **argv)
{
    int bad = 0, any, periodic = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    next = (rank + 1) % size;
    last = (rank + size - 1) % size;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &ring);
    bad |= check("neighbours", neighbours_gradient, neighbours_second);
    bad |= check("some", some_gradient, some_second);
    bad |= check("all_to_all", all_to_all_gradient, all_to_all_second);
    bad |= check("local", local_gradient, local_second);
    bad |= check("products", products_gradient, products_second);
    bad |= check("persistent", persistent_gradient, persistent_second);
    bad |= check("prepared_before", prepared_before_gradient, prepared_before_second);
    MPI_Allreduce(&bad, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Comm_free(&ring);
    MPI_Finalize();
    return any;
}
