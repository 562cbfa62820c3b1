#ifndef ADJOIN_SPARSE
#define ADJOIN_SPARSE
/* Where a sparse matrix has entries, in compressed rows: those of row i are entry[row_start[i]] up to entry[row_start[i + 1]], in columns
 * column[row_start[i]] and so on, ascending. What follows says how their values are computed. */
struct adjoin_sparse {
    size_t rows, columns, entries;
    size_t *row_start; /* rows + 1 of them */
    size_t *column;    /* one for each entry */
    size_t products;   /* how many directional derivatives the values take */
    size_t forward;    /* so many are products with the matrix, the others with its transpose */
    size_t *seed_start, *seed;
    size_t *read_start, *read_entry, *read_at;
};
#endif
