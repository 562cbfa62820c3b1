// MPI functions whose derivatives are not known, with active data.
typedef struct communicator *MPI_Comm;
typedef struct datatype *MPI_Datatype;
typedef struct window *MPI_Win;
typedef struct file *MPI_File;
typedef struct status { int source; } MPI_Status;
int MPI_Win_lock(int, int, int, MPI_Win);
int MPI_Fetch_and_op(const void *, void *, MPI_Datatype, int, long, int, MPI_Win);
int MPI_File_write(MPI_File, const void *, int, MPI_Datatype, MPI_Status *);
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

int main(void) {
    double x[2] = {1, 2}, d[2] = {0, 0};
    __enzyme_autodiff((void *)locks, x, d);
    __enzyme_fwddiff((void *)fetches, x, d);
    return 0;
}
