// A rod that cools: in-place time steps, workspace, float.
// adjoin: check %s -f step --set n=6 --set steps=3 --size u=n --size work=n
// adjoin: check %s -f total --set n=6 --size u=n
// adjoin: check %s -f mixed --set n=5
// adjoin: grad %s -f total
// adjoin: vjp %s -f step --wrt u,k --of u
// adjoin: jvp %s -f step --width 2
// adjoin: jacobian %s -f step --wrt u --of u --size u=n --size work=n
// adjoin: hessian %s -f total --size u=n
// adjoin: hvp %s -f total --wrt u
void step(int n, int steps, double *u, double *work, double k)
{
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++) {
            double left = i > 0 ? u[i - 1] : 0.0;
            double right = i + 1 < n ? u[i + 1] : 0.0;
            work[i] = u[i] + k * (left - 2.0 * u[i] + right);
        }
        for (int i = 0; i < n; i++)
            u[i] = work[i] * work[i];
    }
}

double total(int n, const double *restrict u, double k)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += k * u[i] * u[i] * u[n - 1 - i];
    return sum;
}

float mixed(int n, const float *x, double scale, long double *out)
{
    float product = 1;
    for (int i = 0; i < n; i++)
        product *= x[i];
    *out = (long double)scale * product;
    return product * (float)scale;
}
