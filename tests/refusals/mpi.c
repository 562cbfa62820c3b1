// MPI functions whose derivatives are not known, with active data.
typedef struct communicator *MPI_Comm;
typedef struct datatype *MPI_Datatype;
typedef struct window *MPI_Win;
typedef struct file *MPI_File;
typedef struct status { int source; } MPI_Status;
int MPI_Win_lock(int, int, int, MPI_Win);
int MPI_Fetch_and_op(const void *, void *, MPI_Datatype, int, long, int, MPI_Win);
int MPI_File_write(MPI_File, const void *, int, MPI_Datatype, MPI_Status *);
int MPI_File_read(MPI_File, void *, int, MPI_Datatype, MPI_Status *);
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

MPI_Comm comm;
MPI_Datatype type;
MPI_Win window;
MPI_File file;

static double locks(double *x) {
    MPI_Win_lock(0, 0, 0, window);                                 // error: MPI_Win_lock
    return x[0];
}
static double fetches(double *x) {
    double old;
    MPI_Fetch_and_op(x, &old, type, 0, 0, 0, window);              // error: MPI_Fetch_and_op
    return x[0] + old;
}

// Numbers go to a file in one function, and come back in another; neither is inlined.
static void leave(double *v, int n) {
    if (n > 1)
        leave(v, n - 1);
    else
        MPI_File_write(file, v, n, type, 0);
}
static void come_back(double *v, int n) {
    if (n > 1)
        come_back(v, n - 1);
    else
        MPI_File_read(file, v, n, type, 0);
}
static double trip(double *x) {
    double y = x[0] * x[0], z = 0;
    leave(&y, 1);
    come_back(&z, 1);                                              // error: their derivatives do not come back
    return z * x[1];
}

int main(void) {
    double x[2] = {1, 2}, d[2] = {0, 0};
    __enzyme_autodiff((void *)locks, x, d);
    __enzyme_fwddiff((void *)fetches, x, d);
    __enzyme_autodiff((void *)trip, x, d);
    return 0;
}
