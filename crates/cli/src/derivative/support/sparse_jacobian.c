
/* The pattern of a Jacobian, and the fewest products that have all of its entries: columns that share no row at once (forward), or rows that share no column
 * (reverse), and the few that share too much one by one the other way. A reverse sweep costs about half as much again as a forward sweep. */
static void adjoin_sparse_jacobian(struct adjoin_sparse *matrix, size_t rows, size_t columns, adjoin_product *forward, adjoin_product *reverse,
                                   const void *arguments)
{
    const double forward_price = 2.0, reverse_price = 3.0;
    struct adjoin_lists by_row, by_column;
    if (forward) {
        by_row = adjoin_dependences(columns, rows, forward, reverse, arguments);
        by_column = adjoin_transposed(&by_row, columns);
    } else {
        by_column = adjoin_dependences(rows, columns, reverse, NULL, arguments);
        by_row = adjoin_transposed(&by_column, rows);
    }
    size_t *column_colour = adjoin_indices(columns), *row_colour = adjoin_indices(rows), *product_of = adjoin_indices(by_row.start[rows]);
    size_t *at = adjoin_indices(by_row.start[rows]), forwards = 0, products = 0;
    unsigned char *single_row = adjoin_sparse_memory(rows, 1), *single_column = adjoin_sparse_memory(columns, 1);
    double by_columns = -1.0, by_rows = -1.0;
    struct adjoin_pairs seeds = {0, 0, NULL, NULL};
    if (forward)
        by_columns = adjoin_cheapest(&by_row, &by_column, forward_price, reverse ? reverse_price : -1.0, column_colour, single_row);
    if (reverse)
        by_rows = adjoin_cheapest(&by_column, &by_row, reverse_price, forward ? forward_price : -1.0, row_colour, single_column);
    if (!reverse || (forward && by_columns <= by_rows)) {
        for (size_t i = 0; i < rows; i++)
            row_colour[i] = adjoin_none;
        for (size_t j = 0; j < columns; j++)
            if (column_colour[j] != adjoin_none && column_colour[j] >= forwards)
                forwards = column_colour[j] + 1;
        products = forwards;
        for (size_t i = 0; i < rows; i++)
            if (single_row[i])
                row_colour[i] = products++;
    } else {
        for (size_t j = 0; j < columns; j++)
            column_colour[j] = single_column[j] ? forwards++ : adjoin_none;
        products = forwards;
        for (size_t i = 0; i < rows; i++)
            if (row_colour[i] != adjoin_none) {
                row_colour[i] += forwards;
                if (row_colour[i] >= products)
                    products = row_colour[i] + 1;
            }
        memset(single_row, 0, rows);
    }
    for (size_t j = 0; j < columns; j++)
        if (column_colour[j] != adjoin_none)
            adjoin_pair(&seeds, column_colour[j], j);
    for (size_t i = 0; i < rows; i++)
        if (row_colour[i] != adjoin_none)
            adjoin_pair(&seeds, row_colour[i], i);
    for (size_t i = 0; i < rows; i++)
        for (size_t k = by_row.start[i]; k < by_row.start[i + 1]; k++) {
            /* Rows that are computed one by one share their columns' products with others; so do columns. */
            int from_row = single_row[i] || column_colour[by_row.item[k]] == adjoin_none;
            product_of[k] = from_row ? row_colour[i] : column_colour[by_row.item[k]];
            at[k] = from_row ? by_row.item[k] : i;
        }
    adjoin_sparse_store(matrix, &by_row, columns, &seeds, products, forwards, product_of, at);
    adjoin_lists_free(&by_column);
    free(column_colour);
    free(row_colour);
    free(single_row);
    free(single_column);
}
