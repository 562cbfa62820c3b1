// What shows how many threads there are and has no parallel derivative must not be read serially.
// flags: -fopenmp
int omp_get_thread_num(void);
int omp_get_level(void);
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
            s += x[0] * x[n - 1] * omp_get_level();
        }
    }
    return s * s;
}
double squares(double *x, int n)
{
    double s = 0, t = 0;
#pragma omp parallel // error: iterations wait for each other
    {
        double mine = 0;
#pragma omp for
        for (int i = 0; i < n; i++)
            mine += x[i];
#pragma omp atomic
        s += mine * mine;
#pragma omp for ordered
        for (int i = 0; i < n; i++) {
            mine = x[i];
#pragma omp ordered
            t = 0.5 * t + mine;
        }
    }
    return s * t;
}
double greatest(double *x, int n)
{
    double best = 0, t = 0;
#pragma omp parallel // error: iterations wait for each other
    {
        double mine = 0, old = 0;
#pragma omp for
        for (int i = 0; i < n; i++)
            mine += x[i];
#pragma omp critical
        if (mine > best)
            best = mine;
#pragma omp for ordered
        for (int i = 0; i < n; i++) {
            old = x[i];
#pragma omp ordered
            t = 0.5 * t + old;
        }
    }
    return best * t;
}
int main(void)
{
    double x[2] = {1, 2}, x_bar[2] = {0, 0};
    __enzyme_autodiff((void *)turns, x, x_bar, 2);
    __enzyme_autodiff((void *)teams, x, x_bar, 2);
    __enzyme_autodiff((void *)squares, x, x_bar, 2);
    __enzyme_autodiff((void *)greatest, x, x_bar, 2);
    return 0;
}
