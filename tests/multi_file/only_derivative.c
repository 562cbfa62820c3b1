// Nothing but a derivative needs the function of the other file: an archive is searched for it all the same.
#include <math.h>
#include "model.h"
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
extern int enzyme_const;
int main(void)
{
    struct params p = {2.0, 0.5};
    double reverse = __enzyme_autodiff((void *)model, 1.5, enzyme_const, &p);
    double forward = __enzyme_fwddiff((void *)model, 1.5, 1.0, enzyme_const, &p);
    return !(fabs(reverse - forward) < 1e-12 * fabs(forward));
}
