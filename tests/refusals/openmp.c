// What shows how many threads there are and has no parallel derivative must not be read serially.
// flags: -fopenmp
int omp_get_thread_num(void);
double __enzyme_autodiff(void *, ...);
double turns(double *x, int n)
{
    double s = 0;
    int turn = 0;
#pragma omp parallel // error: threads wait for each other in a loop
    {
        int me = omp_get_thread_num(), mine = 0;
        while (!mine) {
            int now;
#pragma omp atomic read
            now = turn;
            mine = now == me;
        }
#pragma omp flush
        s = s * 0.5 + x[0] * x[me % n];
#pragma omp flush
#pragma omp atomic write
        turn = me + 1;
    }
    return s;
}
double teams(double *x, int n)
{
    double s = 0;
#pragma omp parallel num_threads(2) // error: a team inside it does something once for each of its threads
    {
#pragma omp parallel num_threads(2)
        {
#pragma omp atomic
            s += x[0] * x[n - 1];
        }
    }
    return s * s;
}
int main(void)
{
    double x[2] = {1, 2}, x_bar[2] = {0, 0};
    __enzyme_autodiff((void *)turns, x, x_bar, 2);
    __enzyme_autodiff((void *)teams, x, x_bar, 2);
    return 0;
}
