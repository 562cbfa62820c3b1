// Names that the generated code would like to have.
// adjoin: check %s -f f --set n=4 --size x=n --size x_bar=n
// adjoin: grad %s -f f
// adjoin: vjp %s -f f -o clashes_vjp.c
// adjoin: jvp %s -f f
// adjoin: hessian %s -f f --size x=n --size x_bar=n --wrt x,x_bar
// adjoin: jacobian %s -f f --mode forward --size x=n --size x_bar=n
// adjoin: grad %s -f f --wrt x --wrt value,row -o two.c
// adjoin: grad %s -f f --name gradient_of_f
// adjoin: check %s -f turned
// adjoin: vjp %s -f turned -o turned.c
int f_grad = 3;
typedef double f_vjp;
enum { f_jvp = 2 };
static double seed(double calloc_) { return f_grad * calloc_; }
double f(int n, const double *x, const double *x_bar, double value, f_vjp row)
{
    double i = 0;
    for (int column = 0; column < n; column++)
        i += x[column] * x_bar[column] * seed(value) + row * row * x[column];
    return i;
}

/* Types that are called as variables of the program that checks would be. */
typedef struct { double x, y; } point;
typedef double size;
typedef double scale;
point turned(point p, size s, scale t)
{
    point q = {p.x * s - p.y * t, p.x * t + p.y * s};
    return q;
}
