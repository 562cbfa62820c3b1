// run: emit %s
// Pointers that go through all rows of a matrix, or all members of a record, as the program does: an index of a row, or of a member, would have to stay in it.
struct quaternion {
    double w, x, y, z;
};

static double m[3][3];

double all_rows(int n)
{
    double *p = m[0], s = 0;
    for (int i = 0; i < n; i++)
        s += p[i];
    return s + p[5] + p[2];
}

double one_row(int k)
{
    double *p = m[k], s = 0;
    for (int i = 0; i < 3; i++)
        s += p[i];
    return s;
}

double all_members(struct quaternion *q, int n)
{
    double *p = &q->w, s = 0;
    for (int i = 0; i < n; i++)
        s += p[i];
    return s;
}
