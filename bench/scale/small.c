// A few operations on four numbers: little more than the call itself.
double small(const double x[4])
{
    double sum = 0.0;
    for (int i = 0; i < 3; i++) {
        double a = x[i + 1] - x[i] * x[i], b = 1.0 - x[i];
        sum += 100.0 * a * a + b * b;
    }
    return sum;
}
