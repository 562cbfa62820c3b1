/* Control flow that does not follow the nesting of statements. */
#include <stdio.h>
#include <stdlib.h>

static int cleanup(int n)
{
    int r = -1;
    char *a = malloc(8), *b = NULL;
    if (!a) goto out;
    for (int i = 0; i < n; i++) {
        if (i == 5) goto free_a;
        r += i;
    }
    b = malloc(4);
    if (!b) goto free_a;
    r *= 10;
    free(b);
free_a:
    free(a);
out:
    return r;
}

static int duff(int count)
{
    int n = (count + 3) / 4, sum = 0;
    switch (count % 4) {
    case 0: do { sum += 1;
    case 3:      sum += 10;
    case 2:      sum += 100;
    case 1:      sum += 1000;
            } while (--n > 0);
    }
    return sum;
}

static int into_loop(int i)
{
    int sum = 0;
    if (i > 2) goto inside;
    for (i = 0; i < 5; i++) {
        sum += 100;
    inside:
        if (i == 4) continue;
        sum += i;
        if (sum > 400) break;
    }
    return sum + i;
}

static int two_entries(int x)
{
    int steps = 0;
    if (x & 1) goto b;
a:  steps += 1;
    x += 3;
b:  steps += 10;
    if (x < 20) { x += 2; goto a; }
    if (x < 30) { x += 5; goto b; }
    return steps;
}

static int between_arms(int x)
{
    int r = 0;
again:
    if (x > 3) {
        r += 1;
        if (x == 5) goto other;
        x--;
        goto again;
    } else {
        r += 10;
    other:
        r += 100;
    }
    return r;
}

static int with_vla(int n)
{
    int sum = 0;
again:;
    int a[n + 1];
    for (int i = 0; i <= n; i++) a[i] = i;
    sum += a[n];
    if (--n > 0) goto again;
    return sum + a[0];
}

static int cases(int x)
{
    int r = 0;
    switch (x) {
        int local;
    case 0: r = 1;
    case 1: r += 2; break;
    case 2 ... 4: local = x * 2; r = local; if (x == 3) goto six; break;
    case 5: for (;;) { if (++r > 3) break; } r += 20; break;
    default: r = -1; break;
    six:
    case 6: local = 7; r += local;
    }
    switch (x) case 3: r++;
    switch (r & 1) { default: r += 1000; }
    return r;
}

static int leaves(int n)
{
    for (;;) {
        do {
            if (n > 100) return n;
            if (n % 7 == 0) goto next;
            n++;
            continue;
        } while (0);
        while (1) { if (n % 5 == 0) goto next; n += 3; }
    next:
        n += 11;
    }
}

static int expression(int n)
{
    int r = 0;
again:
    r += ({ int t = n--; if (t <= 0) goto done; t; });
    goto again;
done:
    return r;
}

int main(void)
{
    for (int i = 0; i < 9; i++)
        printf("%d %d %d %d %d %d %d %d %d\n", cleanup(i), duff(i + 1), into_loop(i), two_entries(i), between_arms(i),
               with_vla(i), cases(i), leaves(i), expression(i));
    if (cleanup(2) < 0) exit(3);
    return 0;
}
