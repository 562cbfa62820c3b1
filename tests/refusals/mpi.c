// MPI functions whose derivatives are not known, with active data.
typedef struct communicator *MPI_Comm;
typedef struct datatype *MPI_Datatype;
typedef struct window *MPI_Win;
typedef struct file *MPI_File;
typedef struct status { int source; } MPI_Status;
int MPI_Put(const void *, int, MPI_Datatype, int, long, int, MPI_Datatype, MPI_Win);
int MPI_Accumulate(const void *, int, MPI_Datatype, int, long, int, MPI_Datatype, int, MPI_Win);
int MPI_File_write(MPI_File, const void *, int, MPI_Datatype, MPI_Status *);
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

MPI_Comm comm;
MPI_Datatype type;
MPI_Win window;
MPI_File file;

static double puts_(double *x) {
    MPI_Put(x, 1, type, 0, 0, 1, type, window);                    // error: MPI_Put
    return x[0];
}
static double accumulates(double *x) {
    MPI_Accumulate(x, 1, type, 0, 0, 1, type, 0, window);          // error: MPI_Accumulate
    return x[0];
}

int main(void) {
    double x[2] = {1, 2}, d[2] = {0, 0};
    __enzyme_autodiff((void *)puts_, x, d);
    __enzyme_fwddiff((void *)accumulates, x, d);
    return 0;
}
