/* How the threads of a team add up what they added to copies of an array. `copies.ir` is made from this file: see `support.rs`. They run at the end of a region of a reverse sweep that is never differentiated. */

/* A thread's part of so many elements: whole cache lines, `line` elements each. */
static long adjoin_start_of_part(long count, long line, long thread, long threads)
{
    long first = (count + line - 1) / line * thread / threads * line;
    return first < count ? first : count;
}

/* The copies lie `each` elements apart. Each thread does a part, strip by strip, over all copies, and begins with its own: if all began with the first, that thread's cache would have to serve all of them.
   Where the sum is zero there may be no array. */
#define ADJOIN_SUM_COPIES(name, type) \
    void name(type *array, const type *copies, long each, long count, long thread, long threads) \
    { \
        const long line = 64 / (long)sizeof(type); \
        long last = adjoin_start_of_part(count, line, thread + 1, threads); \
        for (long start = adjoin_start_of_part(count, line, thread, threads); start < last; start += 256) { \
            long length = last - start < 256 ? last - start : 256; \
            type sums[256]; \
            for (long i = 0; i < length; i++) \
                sums[i] = 0; \
            for (long turn = 0; turn < threads; turn++) { \
                long other = thread + turn < threads ? thread + turn : thread + turn - threads; \
                const type *copy = copies + (each * other + start); \
                for (long i = 0; i < length; i++) \
                    sums[i] += copy[i]; \
            } \
            for (long i = 0; i < length; i++) \
                if (sums[i] != 0) \
                    array[start + i] += sums[i]; \
        } \
    }

/* The same where each copy is only of what its thread reached (`adjoin_way`); the array begins at the byte `lowest`, and an access has `size` bytes. */
#define ADJOIN_SUM_REACHED(name, type) \
    void name(type *array, const type *copies, long each, long count, const long *reached, long step, long size, long lowest, long thread, long threads) \
    { \
        const long line = 64 / (long)sizeof(type); \
        long last = adjoin_start_of_part(count, line, thread + 1, threads); \
        for (long start = adjoin_start_of_part(count, line, thread, threads); start < last; start += 256) { \
            long end = last - start < 256 ? last : start + 256; \
            type sums[256]; \
            for (long i = 0; i < end - start; i++) \
                sums[i] = 0; \
            for (long turn = 0; turn < threads; turn++) { \
                long other = thread + turn < threads ? thread + turn : thread + turn - threads; \
                const long *its = reached + step * other; \
                if (its[2] > 0) { \
                    long from = (its[0] - lowest) / (long)sizeof(type), to = (its[1] + size - lowest) / (long)sizeof(type); \
                    const type *copy = copies + each * other; \
                    long i = from < start ? start : from; \
                    for (; i < to && i < end; i++) \
                        sums[i - start] += copy[i - from]; \
                } \
            } \
            for (long i = start; i < end; i++) \
                if (sums[i - start] != 0) \
                    array[i] += sums[i - start]; \
        } \
    }

/* The same of rows of an array of pointers: `count` of them, from the one of number `first` on, `width` elements of each, from the one of number `from` on. A pointer that nobody came to may be anything. */
#define ADJOIN_SUM_ROWS(name, type) \
    void name(type **rows, const type *copies, long each, long first, long count, long width, long from, long thread, long threads) \
    { \
        const long line = 64 / (long)sizeof(type); \
        long all = rows ? count * width : 0; \
        long last = adjoin_start_of_part(all, line, thread + 1, threads); \
        for (long start = adjoin_start_of_part(all, line, thread, threads); start < last;) { \
            long row = start / width, behind = (row + 1) * width; \
            long end = behind < last ? behind : last; \
            long length = end - start < 256 ? end - start : 256; \
            type sums[256]; \
            for (long i = 0; i < length; i++) \
                sums[i] = 0; \
            for (long turn = 0; turn < threads; turn++) { \
                long other = thread + turn < threads ? thread + turn : thread + turn - threads; \
                const type *copy = copies + (each * other + start); \
                for (long i = 0; i < length; i++) \
                    sums[i] += copy[i]; \
            } \
            for (long i = 0; i < length; i++) \
                if (sums[i] != 0 && rows[first + row]) \
                    rows[first + row][start - row * width + from + i] += sums[i]; \
            start += length; \
        } \
    }

ADJOIN_SUM_COPIES(adjoin_sum_copies_float, float)
ADJOIN_SUM_COPIES(adjoin_sum_copies_double, double)
ADJOIN_SUM_COPIES(adjoin_sum_copies_long_double, long double)
ADJOIN_SUM_COPIES(adjoin_sum_copies_complex_float, float _Complex)
ADJOIN_SUM_COPIES(adjoin_sum_copies_complex_double, double _Complex)
ADJOIN_SUM_COPIES(adjoin_sum_copies_complex_long_double, long double _Complex)
ADJOIN_SUM_REACHED(adjoin_sum_reached_float, float)
ADJOIN_SUM_REACHED(adjoin_sum_reached_double, double)
ADJOIN_SUM_REACHED(adjoin_sum_reached_long_double, long double)
ADJOIN_SUM_REACHED(adjoin_sum_reached_complex_float, float _Complex)
ADJOIN_SUM_REACHED(adjoin_sum_reached_complex_double, double _Complex)
ADJOIN_SUM_REACHED(adjoin_sum_reached_complex_long_double, long double _Complex)
ADJOIN_SUM_ROWS(adjoin_sum_rows_float, float)
ADJOIN_SUM_ROWS(adjoin_sum_rows_double, double)
ADJOIN_SUM_ROWS(adjoin_sum_rows_long_double, long double)
ADJOIN_SUM_ROWS(adjoin_sum_rows_complex_float, float _Complex)
ADJOIN_SUM_ROWS(adjoin_sum_rows_complex_double, double _Complex)
ADJOIN_SUM_ROWS(adjoin_sum_rows_complex_long_double, long double _Complex)
