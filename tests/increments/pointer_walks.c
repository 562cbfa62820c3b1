// grad: energy
// Loops inside that walk with pointers: all of the bodies, those behind, those before, and a row.
// no: atomic
// no: recorded
typedef struct {
    double m, q;
} body;
double energy(const body *all, const double *rows, int n)
{
    double e = 0;
    const body *end = all + n;
#pragma omp parallel for reduction(+ : e)
    for (const body *p = all; p < end; p++) {
        const double *row = rows + (p - all) * n;
        for (const body *q = all; q != end; q++)
            e += p->m * q->q * *row++;
        for (const body *q = p + 1; q < end; q++)
            e += p->q * q->m;
        for (const body *q = all; q < p; q++)
            e += p->q * p->q * q->m;
    }
    return e;
}
