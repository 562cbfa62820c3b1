// One-sided communication has no second derivative; the error names the function that the program calls.
typedef struct communicator *MPI_Comm;
typedef struct datatype *MPI_Datatype;
typedef struct window *MPI_Win;
typedef struct info *MPI_Info;
int MPI_Win_create(void *, long, int, MPI_Info, MPI_Comm, MPI_Win *);
int MPI_Win_fence(int, MPI_Win);
int MPI_Put(const void *, int, MPI_Datatype, int, long, int, MPI_Datatype, MPI_Win);
int MPI_Win_free(MPI_Win *);
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

MPI_Comm comm;
MPI_Datatype type;

static double puts_it(double *x) {
    double got = 0;
    MPI_Win window;
    MPI_Win_create(&got, 8, 8, 0, comm, &window);                  // error: 'MPI_Win_create' twice
    MPI_Win_fence(0, window);
    MPI_Put(x, 1, type, 0, 0, 1, type, window);
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
    return got * got;
}
static void gradient(double *x, double *bar) { __enzyme_autodiff((void *)puts_it, x, bar); }
void second(double *x, double *dx, double *bar, double *dbar) {
    __enzyme_fwddiff((void *)gradient, x, dx, bar, dbar);
}
