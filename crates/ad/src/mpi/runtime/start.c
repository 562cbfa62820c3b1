/* Derivatives of MPI calls, as Adjoin uses them. Each MPI_X has three functions: adjoin_MPI_X_augmented does the call in
 * the forward sweep and keeps on a tape what the reverse sweep needs, adjoin_MPI_X_reverse does the adjoint of the
 * call, adjoin_MPI_X_tangent does the call on numbers and tangents. Everything is weak: several files of a program may have it. */
#include <mpi.h>
#include <stddef.h>
typedef int adjoin_mpi_starts_here;

extern void *calloc(size_t, size_t);
extern void *malloc(size_t);
extern void free(void *);
extern void *memcpy(void *, const void *, size_t);
extern void *memset(void *, int, size_t);
extern int memcmp(const void *, const void *, size_t);
extern int dprintf(int, const char *, ...);
extern _Noreturn void abort(void);
extern int sched_yield(void);
extern int atexit(void (*)(void));

#define ADJOIN_SHARED __attribute__((weak, visibility("hidden")))
