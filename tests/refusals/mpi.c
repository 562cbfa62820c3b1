// MPI functions whose derivatives are not known, with active data.
typedef struct communicator *MPI_Comm;
typedef struct datatype *MPI_Datatype;
typedef struct window *MPI_Win;
typedef struct file *MPI_File;
typedef struct status { int source; } MPI_Status;
int MPI_Put(const void *, int, MPI_Datatype, int, long, int, MPI_Datatype, MPI_Win);
int MPI_Neighbor_allgather(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm);
int MPI_File_write(MPI_File, const void *, int, MPI_Datatype, MPI_Status *);
int MPI_Pack(const void *, int, MPI_Datatype, void *, int, int *, MPI_Comm);
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
static double neighbours(double *x) {
    double y[4];
    MPI_Neighbor_allgather(x, 1, type, y, 1, type, comm);          // error: MPI_Neighbor_allgather
    return y[0];
}
static double packs(double *x) {
    char y[64];
    int at = 0;
    MPI_Pack(x, 1, type, y, 64, &at, comm);                        // error: MPI_Pack
    return x[0] * y[0];
}

int main(void) {
    double x[2] = {1, 2}, d[2] = {0, 0};
    __enzyme_autodiff((void *)puts_, x, d);
    __enzyme_autodiff((void *)neighbours, x, d);
    __enzyme_fwddiff((void *)packs, x, d);
    return 0;
}
