#include "series.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static series_handler *the_handler;
FILE *series_stream;

void series_set_handler(series_handler *handler)
{
    the_handler = handler;
}

int series_is_bad(float x)
{
    return isnan(x);
}

void series_error(const char *reason)
{
    if (the_handler) {
        the_handler(reason);
        return;
    }
    if (!series_stream)
        series_stream = stderr;
    fprintf(series_stream, "%s\n", reason);
    abort();
}
