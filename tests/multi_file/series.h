#ifndef SERIES_H
#define SERIES_H
/* A library as they are written: tables that nobody declared const, an error handler that may be set, messages to a stream. */
double series_even(double x);
double series_odd(double x);
int series_is_bad(float x);
void series_error(const char *reason);
typedef void series_handler(const char *reason);
void series_set_handler(series_handler *handler);
#endif
