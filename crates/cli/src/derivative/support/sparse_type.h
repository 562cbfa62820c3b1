#ifndef ADJOIN_SPARSE
#define ADJOIN_SPARSE
/* Where a sparse matrix has entries, in compressed rows: row i has those with the numbers row_start[i] up to (not including) row_start[i + 1],
 * entry k is in column[k], and columns ascend in each row. What comes behind says how the values are computed. */
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
