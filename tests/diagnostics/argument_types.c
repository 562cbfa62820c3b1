// run: ir %s
struct vector { double x, y; };
double length(struct vector v);
double norm(const double *a, int n);

double f(struct vector v, int n)
{
    double d = length(3.0);
    d += norm(v, n);
    d += length(&v);
    return d + norm(&d, v);
}
