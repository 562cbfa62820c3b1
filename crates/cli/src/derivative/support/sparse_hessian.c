
/* Both halves of a symmetric pattern, should only one have been found, without rows and columns that are computed one by one. */
static struct adjoin_lists adjoin_symmetric(const struct adjoin_lists *lists)
{
    struct adjoin_pairs pairs = {0, 0, NULL, NULL};
    for (size_t i = 0; i < lists->count; i++)
        for (size_t k = lists->start[i]; k < lists->start[i + 1]; k++) {
            adjoin_pair(&pairs, i, lists->item[k]);
            adjoin_pair(&pairs, lists->item[k], i);
        }
    return adjoin_collected(&pairs, lists->count, lists->count);
}

/* Is there a neighbour of i with a colour, other than one? */
static int adjoin_another(const struct adjoin_lists *lists, const size_t *colour, size_t i, size_t wanted, size_t except)
{
    for (size_t k = lists->start[i]; k < lists->start[i + 1]; k++)
        if (lists->item[k] != except && colour[lists->item[k]] == wanted)
            return 1;
    return 0;
}

/* Colours indices so that each entry (i, j) stands alone in row i of the colour of j, or in row j of the colour of i: neighbours differ, and no way over four
 * indices has two colours only. Those with very many neighbours have a colour of their own. */
static size_t adjoin_star_colour(const struct adjoin_lists *lists, size_t *colour)
{
    size_t count = lists->count, colours = 0, entries = lists->start[count], *taken_by = adjoin_indices(count + 1);
    size_t many = count ? 8 * (entries / count) + 32 : 0;
    int dense = count && entries / count > count / 4;
    for (size_t i = 0; i < count; i++)
        colour[i] = dense || lists->start[i + 1] - lists->start[i] > many ? colours++ : adjoin_none;
    size_t own = colours;
    for (size_t v = 0; v < count; v++) {
        if (colour[v] != adjoin_none || lists->start[v] == lists->start[v + 1])
            continue;
        for (size_t k = lists->start[v]; k < lists->start[v + 1]; k++) {
            size_t w = lists->item[k];
            if (w == v || (colour[w] != adjoin_none && colour[w] < own))
                continue;
            if (colour[w] != adjoin_none)
                taken_by[colour[w]] = v + 1;
            for (size_t m = lists->start[w]; m < lists->start[w + 1]; m++) {
                size_t x = lists->item[m];
                if (x == v || x == w || colour[x] == adjoin_none || colour[x] < own)
                    continue;
                /* v - w - x: v may have the colour of x only if nothing goes on from either end in the colour of w. */
                if (colour[w] == adjoin_none || adjoin_another(lists, colour, x, colour[w], w) || adjoin_another(lists, colour, v, colour[w], w))
                    taken_by[colour[x]] = v + 1;
            }
        }
        size_t c = own;
        while (taken_by[c] == v + 1)
            c++;
        colour[v] = c;
        if (c >= colours)
            colours = c + 1;
    }
    free(taken_by);
    return colours;
}

/* The pattern of a Hessian, and few products that have all of its entries. */
static void adjoin_sparse_hessian(struct adjoin_sparse *matrix, size_t size, adjoin_product *product, const void *arguments)
{
    struct adjoin_lists half = adjoin_dependences(size, size, product, product, arguments), lists = adjoin_symmetric(&half);
    size_t *colour = adjoin_indices(size), products = adjoin_star_colour(&lists, colour);
    size_t *product_of = adjoin_indices(lists.start[size]), *at = adjoin_indices(lists.start[size]), *single = adjoin_indices(size);
    struct adjoin_pairs seeds = {0, 0, NULL, NULL};
    for (size_t i = 0; i < size; i++) {
        single[i] = adjoin_none;
        if (colour[i] != adjoin_none)
            adjoin_pair(&seeds, colour[i], i);
    }
    for (size_t i = 0; i < size; i++)
        for (size_t k = lists.start[i]; k < lists.start[i + 1]; k++) {
            size_t j = lists.item[k];
            if (!adjoin_another(&lists, colour, i, colour[j], j)) {
                product_of[k] = colour[j];
                at[k] = i;
            } else if (!adjoin_another(&lists, colour, j, colour[i], i)) {
                product_of[k] = colour[i];
                at[k] = j;
            } else {
                /* Stands alone in neither: a product for this column only. */
                if (single[j] == adjoin_none) {
                    single[j] = products++;
                    adjoin_pair(&seeds, single[j], j);
                }
                product_of[k] = single[j];
                at[k] = i;
            }
        }
    adjoin_sparse_store(matrix, &lists, size, &seeds, products, products, product_of, at);
    adjoin_lists_free(&half);
    free(colour);
    free(single);
}
