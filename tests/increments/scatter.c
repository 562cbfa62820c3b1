// grad: gather
// some: atomic
// how: x[index[i]]: recorded: plain if the threads stay apart
// deterministic some: if(0)
double gather(const double *x, const int *index, int n)
{
    double s = 0.0;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++)
        s += x[index[i]] * x[index[i]];
    return s;
}
