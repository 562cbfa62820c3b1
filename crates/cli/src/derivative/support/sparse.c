
#if defined __FINITE_MATH_ONLY__ && __FINITE_MATH_ONLY__
#error "the pattern of a sparse matrix is found with NaN: compile this file with -fno-finite-math-only behind -ffast-math"
#endif

/* A matrix, or its transpose, times a vector. */
typedef void adjoin_product(const void *arguments, const double *direction, double *product);

/* Lists of numbers, one behind the other: list i is item[start[i]] up to item[start[i + 1]]. */
struct adjoin_lists {
    size_t count, *start, *item;
};

static const size_t adjoin_none = (size_t)-1;

static void *adjoin_sparse_memory(size_t count, size_t bytes)
{
    void *memory = calloc(count ? count : 1, bytes);
    if (!memory) {
        perror("adjoin: a sparse matrix of derivatives");
        abort();
    }
    return memory;
}

static size_t *adjoin_indices(size_t count)
{
    return adjoin_sparse_memory(count, sizeof(size_t));
}

static double *adjoin_numbers(size_t count)
{
    return adjoin_sparse_memory(count, sizeof(double));
}

/* NaN or infinite, also where the compiler thinks that there is no such thing. */
static int adjoin_not_finite(double x)
{
    unsigned long long bits;
    memcpy(&bits, &x, sizeof bits);
    return (bits >> 52 & 0x7ff) == 0x7ff;
}

static double adjoin_not_a_number(void)
{
    unsigned long long bits = 0x7ff8ULL << 48;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static void adjoin_lists_free(struct adjoin_lists *lists)
{
    free(lists->start);
    free(lists->item);
}

/* The lists of pairs (list, item), each sorted by item and without repetition, if the pairs are sorted by item. */
static struct adjoin_lists adjoin_lists_of(size_t count, size_t pairs, const size_t *list, const size_t *item)
{
    struct adjoin_lists lists = {count, adjoin_indices(count + 1), adjoin_indices(pairs)};
    size_t *last = adjoin_indices(count), at = 0;
    for (size_t k = 0; k < pairs; k++)
        lists.start[list[k] + 1]++;
    for (size_t i = 0; i < count; i++)
        lists.start[i + 1] += lists.start[i];
    for (size_t i = 0; i < count; i++)
        last[i] = lists.start[i];
    for (size_t k = 0; k < pairs; k++)
        lists.item[last[list[k]]++] = item[k];
    for (size_t i = 0, begin = 0; i < count; i++) {
        size_t end = lists.start[i + 1];
        lists.start[i] = at;
        for (size_t k = begin; k < end; k++)
            if (k == begin || lists.item[k] != lists.item[k - 1])
                lists.item[at++] = lists.item[k];
        begin = end;
    }
    lists.start[count] = at;
    free(last);
    return lists;
}

/* For each item the lists that have it. */
static struct adjoin_lists adjoin_transposed(const struct adjoin_lists *lists, size_t items)
{
    size_t pairs = lists->start[lists->count], *list = adjoin_indices(pairs);
    for (size_t i = 0; i < lists->count; i++)
        for (size_t k = lists->start[i]; k < lists->start[i + 1]; k++)
            list[k] = i;
    struct adjoin_lists result = adjoin_lists_of(items, pairs, lists->item, list);
    free(list);
    return result;
}

/* Colours items so that no list has two of a colour, except for lists that are left out; returns how many colours there are. */
static size_t adjoin_colour(const struct adjoin_lists *lists, const struct adjoin_lists *holders, const unsigned char *left_out, size_t *colour)
{
    size_t items = holders->count, colours = 0, *taken_by = adjoin_indices(items + 1);
    for (size_t j = 0; j < items; j++)
        colour[j] = adjoin_none;
    for (size_t j = 0; j < items; j++) {
        int needed = 0;
        for (size_t k = holders->start[j]; k < holders->start[j + 1]; k++) {
            size_t i = holders->item[k];
            if (left_out[i])
                continue;
            needed = 1;
            for (size_t m = lists->start[i]; m < lists->start[i + 1]; m++)
                if (colour[lists->item[m]] != adjoin_none)
                    taken_by[colour[lists->item[m]]] = j + 1;
        }
        if (!needed)
            continue;
        size_t c = 0;
        while (taken_by[c] == j + 1)
            c++;
        colour[j] = c;
        if (c == colours)
            colours++;
    }
    free(taken_by);
    return colours;
}

/* A list and its length, for sorting: longest first. */
struct adjoin_length {
    size_t list, length;
};

static int adjoin_longer(const void *a, const void *b)
{
    const struct adjoin_length *x = a, *y = b;
    if (x->length != y->length)
        return x->length < y->length ? 1 : -1;
    return x->list < y->list ? -1 : x->list > y->list;
}

/* Longest first. */
static struct adjoin_length *adjoin_lengths(const struct adjoin_lists *lists)
{
    struct adjoin_length *longest = adjoin_sparse_memory(lists->count, sizeof *longest);
    for (size_t i = 0; i < lists->count; i++) {
        longest[i].list = i;
        longest[i].length = lists->start[i + 1] - lists->start[i];
    }
    qsort(longest, lists->count, sizeof *longest, adjoin_longer);
    return longest;
}

/* The cheapest colouring of items where some of the longest lists may be left out, to be computed one by one: 0, 1, 2, 4, … or all of them, as their
 * price allows. (A price below zero: none.) Marks them, and returns what all costs. */
static double adjoin_cheapest(const struct adjoin_lists *lists, const struct adjoin_lists *holders, double price_of_colour, double price_of_list,
                              size_t *colour, unsigned char *left_out)
{
    enum { CHOICES = 20 };
    struct adjoin_length *longest = adjoin_lengths(lists);
    double best = -1.0, bound[CHOICES];
    size_t out[CHOICES], choices = 0, best_out = 0;
    for (size_t k = 0; choices < CHOICES;) {
        /* A list needs as many colours as it is long. */
        bound[choices] = price_of_list * (double)k + (k < lists->count ? price_of_colour * (double)longest[k].length : 0.0);
        out[choices++] = k;
        if (k == lists->count || price_of_list < 0.0)
            break;
        k = k ? 2 * k : 1;
        if (k > lists->count || choices == CHOICES - 1)
            k = lists->count;
    }
    for (;;) {
        size_t next = 0;
        for (size_t c = 1; c < choices; c++)
            if (bound[c] < bound[next])
                next = c;
        if (best >= 0.0 && bound[next] >= best)
            break;
        memset(left_out, 0, lists->count);
        for (size_t k = 0; k < out[next]; k++)
            left_out[longest[k].list] = 1;
        double price = price_of_colour * (double)adjoin_colour(lists, holders, left_out, colour) + price_of_list * (double)out[next];
        bound[next] = 1e300;
        if (best < 0.0 || price < best) {
            best = price;
            best_out = out[next];
        }
    }
    memset(left_out, 0, lists->count);
    for (size_t k = 0; k < best_out; k++)
        left_out[longest[k].list] = 1;
    adjoin_colour(lists, holders, left_out, colour);
    free(longest);
    return best;
}

/* Pairs that are collected one by one. */
struct adjoin_pairs {
    size_t count, room, *list, *item;
};

static void adjoin_pair(struct adjoin_pairs *pairs, size_t list, size_t item)
{
    if (pairs->count == pairs->room) {
        pairs->room = 2 * pairs->room + 64;
        pairs->list = realloc(pairs->list, pairs->room * sizeof *pairs->list);
        pairs->item = realloc(pairs->item, pairs->room * sizeof *pairs->item);
        if (!pairs->list || !pairs->item) {
            perror("adjoin: a sparse matrix of derivatives");
            abort();
        }
    }
    pairs->list[pairs->count] = list;
    pairs->item[pairs->count++] = item;
}

/* Sorted by item, so that lists of them are. */
static struct adjoin_lists adjoin_collected(struct adjoin_pairs *pairs, size_t lists, size_t items)
{
    struct adjoin_lists by_item = adjoin_lists_of(items, pairs->count, pairs->item, pairs->list);
    free(pairs->list);
    free(pairs->item);
    struct adjoin_lists result = adjoin_transposed(&by_item, lists);
    adjoin_lists_free(&by_item);
    return result;
}

/* For each of the `outputs` of a product which of its `inputs` it depends on. A direction that is NaN in some inputs makes NaN of all outputs that depend on
 * them, whatever the numbers are; so groups of inputs that share no output are tried at once, and halved until they are single. Outputs that
 * depend on many groups are found one by one by the transposed product, if there is one. */
static struct adjoin_lists adjoin_dependences(size_t inputs, size_t outputs, adjoin_product *product, adjoin_product *transposed, const void *arguments)
{
    double *direction = adjoin_numbers(inputs > outputs ? inputs : outputs), *result = adjoin_numbers(inputs > outputs ? inputs : outputs);
    const double nan = adjoin_not_a_number();
    struct adjoin_pairs found = {0, 0, NULL, NULL}, known = {0, 0, NULL, NULL};
    unsigned char *left_out = adjoin_sparse_memory(outputs, 1), *finished = adjoin_sparse_memory(outputs, 1);
    /* Group g is inputs first[g] up to first[g + 1]. */
    size_t groups = inputs ? 1 : 0, *first = adjoin_indices(inputs + 2), *next = adjoin_indices(inputs + 2), *colour = adjoin_indices(inputs + 1);
    /* Its halves, or itself again, are parts part[g] up to part[g + 1]. */
    size_t *part = adjoin_indices(inputs + 2), *group_of = adjoin_indices(outputs);
    first[1] = inputs;
    for (size_t i = 0; groups && i < outputs; i++)
        adjoin_pair(&found, i, 0);
    struct adjoin_lists lists = adjoin_collected(&found, outputs, groups);
    for (int tried = 0; groups && (!tried || groups < inputs); tried = 1) {
        struct adjoin_lists holders = adjoin_transposed(&lists, groups);
        size_t colours = 0, halved = 0;
        /* With few groups everything looks dense. */
        int may_leave = transposed && groups >= 16;
        adjoin_cheapest(&lists, &holders, 4.0, may_leave ? 3.0 : -1.0, colour, left_out);
        for (size_t i = 0; i < outputs; i++) {
            if (!left_out[i])
                continue;
            finished[i] = 1;
            memset(direction, 0, outputs * sizeof *direction);
            direction[i] = nan;
            transposed(arguments, direction, result);
            for (size_t j = 0; j < inputs; j++)
                if (adjoin_not_finite(result[j]))
                    adjoin_pair(&known, i, j);
        }
        for (size_t g = 0; g < groups; g++) {
            if (colour[g] != adjoin_none && colour[g] >= colours)
                colours = colour[g] + 1;
            part[g] = halved;
            next[halved++] = first[g];
            if (first[g + 1] - first[g] > 1)
                next[halved++] = first[g] + (first[g + 1] - first[g]) / 2;
        }
        part[groups] = halved;
        next[halved] = inputs;
        found.count = found.room = 0;
        found.list = found.item = NULL;
        for (size_t c = 0; c < colours; c++) {
            /* The group of the colour that each output depends on: there is one at most. */
            for (size_t i = 0; i < outputs; i++)
                group_of[i] = adjoin_none;
            for (size_t g = 0; g < groups; g++)
                for (size_t k = holders.start[g]; colour[g] == c && k < holders.start[g + 1]; k++)
                    group_of[holders.item[k]] = g;
            for (size_t half = 0; half < 2; half++) {
                memset(direction, 0, inputs * sizeof *direction);
                int any = 0;
                for (size_t g = 0; g < groups; g++) {
                    size_t h = part[g] + half;
                    if (colour[g] != c || h >= part[g + 1])
                        continue;
                    any = 1;
                    for (size_t j = next[h]; j < next[h + 1]; j++)
                        direction[j] = nan;
                }
                if (!any)
                    continue;
                product(arguments, direction, result);
                for (size_t i = 0; i < outputs; i++) {
                    if (finished[i] || !adjoin_not_finite(result[i]))
                        continue;
                    /* An output that depended on none of them before may depend on all of them: the function may have changed its way. */
                    size_t g = group_of[i] == adjoin_none ? 0 : group_of[i], end = group_of[i] == adjoin_none ? groups : g + 1;
                    for (; g < end; g++)
                        if (colour[g] == c && half < part[g + 1] - part[g])
                            adjoin_pair(&found, i, part[g] + half);
                }
            }
        }
        adjoin_lists_free(&lists);
        adjoin_lists_free(&holders);
        lists = adjoin_collected(&found, outputs, halved);
        groups = halved;
        size_t *other = first;
        first = next;
        next = other;
    }
    for (size_t i = 0; i < outputs; i++)
        for (size_t k = lists.start[i]; k < lists.start[i + 1]; k++)
            adjoin_pair(&known, i, lists.item[k]);
    adjoin_lists_free(&lists);
    free(direction);
    free(result);
    free(left_out);
    free(finished);
    free(first);
    free(next);
    free(colour);
    free(part);
    free(group_of);
    return adjoin_collected(&known, outputs, inputs);
}

/* Puts a pattern together: what each product is seeded with (pairs sorted by seed), and for each entry which product has it, and where. */
static void adjoin_sparse_store(struct adjoin_sparse *matrix, struct adjoin_lists *by_row, size_t columns, struct adjoin_pairs *seeds, size_t products,
                                size_t forward, size_t *product_of, size_t *at)
{
    size_t entries = by_row->start[by_row->count], *entry = adjoin_indices(entries);
    for (size_t k = 0; k < entries; k++)
        entry[k] = k;
    struct adjoin_lists seeded = adjoin_lists_of(products, seeds->count, seeds->list, seeds->item);
    struct adjoin_lists read = adjoin_lists_of(products, entries, product_of, entry);
    matrix->rows = by_row->count;
    matrix->columns = columns;
    matrix->entries = entries;
    matrix->row_start = by_row->start;
    matrix->column = by_row->item;
    matrix->products = products;
    matrix->forward = forward;
    matrix->seed_start = seeded.start;
    matrix->seed = seeded.item;
    matrix->read_start = read.start;
    matrix->read_entry = read.item;
    matrix->read_at = entry;
    for (size_t k = 0; k < entries; k++)
        matrix->read_at[k] = at[read.item[k]];
    free(seeds->list);
    free(seeds->item);
    free(product_of);
    free(at);
}

static void adjoin_sparse_free(struct adjoin_sparse *matrix)
{
    free(matrix->row_start);
    free(matrix->column);
    free(matrix->seed_start);
    free(matrix->seed);
    free(matrix->read_start);
    free(matrix->read_entry);
    free(matrix->read_at);
    memset(matrix, 0, sizeof *matrix);
}

/* One more product, in a direction without zeros, must be what the values say. */
static int adjoin_sparse_fits(const struct adjoin_sparse *matrix, adjoin_product *product, int transposed, const void *arguments, const double *values,
                              double tolerance, double *direction, double *result)
{
    size_t inputs = transposed ? matrix->rows : matrix->columns, outputs = transposed ? matrix->columns : matrix->rows;
    double *expected = adjoin_numbers(outputs), *size = adjoin_numbers(outputs), largest = 0.0;
    unsigned long long state = 88172645463325252ULL;
    int fits = 1;
    for (size_t j = 0; j < inputs; j++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        direction[j] = 0.5 + (double)(state >> 11) / 9007199254740992.0;
    }
    product(arguments, direction, result);
    for (size_t i = 0; i < matrix->rows; i++)
        for (size_t k = matrix->row_start[i]; k < matrix->row_start[i + 1]; k++) {
            size_t in = transposed ? i : matrix->column[k], out = transposed ? matrix->column[k] : i;
            double term = values[k] * direction[in];
            expected[out] += term;
            size[out] += term < 0.0 ? -term : term;
        }
    for (size_t i = 0; i < outputs; i++)
        if (!adjoin_not_finite(size[i]) && size[i] > largest)
            largest = size[i];
    for (size_t i = 0; i < outputs; i++) {
        double error = result[i] - expected[i];
        if (!adjoin_not_finite(expected[i]) && !((error < 0.0 ? -error : error) <= tolerance * (size[i] + 1e-6 * largest)))
            fits = 0;
    }
    free(expected);
    free(size);
    return fits;
}

static int adjoin_sparse_values(const struct adjoin_sparse *matrix, size_t rows, size_t columns, adjoin_product *forward, adjoin_product *reverse,
                                const void *arguments, double *values, double tolerance)
{
    size_t most = rows > columns ? rows : columns;
    if (matrix->rows != rows || matrix->columns != columns)
        return 1;
    double *direction = adjoin_numbers(most), *result = adjoin_numbers(most);
    for (size_t p = 0; p < matrix->products; p++) {
        for (size_t k = matrix->seed_start[p]; k < matrix->seed_start[p + 1]; k++)
            direction[matrix->seed[k]] = 1.0;
        (p < matrix->forward ? forward : reverse)(arguments, direction, result);
        for (size_t k = matrix->seed_start[p]; k < matrix->seed_start[p + 1]; k++)
            direction[matrix->seed[k]] = 0.0;
        for (size_t k = matrix->read_start[p]; k < matrix->read_start[p + 1]; k++)
            values[matrix->read_entry[k]] = result[matrix->read_at[k]];
    }
    int fits = adjoin_sparse_fits(matrix, forward ? forward : reverse, !forward, arguments, values, tolerance, direction, result);
    free(direction);
    free(result);
    return !fits;
}
