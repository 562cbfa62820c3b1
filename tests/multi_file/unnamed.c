#include "unnamed.h"
#include <stdlib.h>
figure *figure_new(const double *x)
{
    figure *f = malloc(sizeof *f);
    f->kind = 1;
    f->form = SQUARE;
    f->shape.box.width = x[0] * x[1];
    f->shape.box.height = x[2];
    f->frame = malloc(sizeof *f->frame);
    f->frame->corner[0].at[0] = x[0];
    f->frame->corner[0].at[1] = x[1];
    f->frame->corner[1].at[0] = x[2] * x[2];
    f->frame->corner[1].at[1] = settings.origin.x;
    return f;
}
