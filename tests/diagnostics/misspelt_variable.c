// run: ir %s
double mean(const double *values, int count)
{
    double total = 0;
    for (int i = 0; i < cuont; i++)
        totla += values[i];
    return total / count;
}
