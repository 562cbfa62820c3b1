// MPI functions whose derivatives are not known, with active data.
typedef struct communicator *MPI_Comm;
typedef struct datatype *MPI_Datatype;
typedef struct window *MPI_Win;
typedef struct request *MPI_Request;
typedef struct file *MPI_File;
typedef struct status { int source; } MPI_Status;
int MPI_Win_lock(int, int, int, MPI_Win);
int MPI_Ibarrier(MPI_Comm, MPI_Request *);
int MPI_Win_unlock(int, MPI_Win);
int MPI_Win_allocate_shared(long, int, void *, MPI_Comm, void *, MPI_Win *);
int MPI_File_write(MPI_File, const void *, int, MPI_Datatype, MPI_Status *);
int MPI_File_read(MPI_File, void *, int, MPI_Datatype, MPI_Status *);
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

MPI_Comm comm;
MPI_Datatype type;
MPI_Win window;
MPI_File file;
MPI_Request request;

static double locks(double *x) {
    MPI_Win_lock(0, 0, 0, window);
    MPI_Ibarrier(comm, &request);                                  // error: MPI_Ibarrier
    MPI_Win_unlock(0, window);
    return x[0] * x[0];
}
static double shares(double *x) {
    double *memory;
    MPI_Win_allocate_shared(8, 8, 0, comm, &memory, &window);      // error: MPI_Win_allocate_shared
    memory[0] = x[0] * x[0];
    return memory[0];
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
    __enzyme_fwddiff((void *)shares, x, d);
    __enzyme_autodiff((void *)trip, x, d);
    return 0;
}
