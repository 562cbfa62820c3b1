// Ten sorting algorithms on the same input.
#include "../check.h"
#include <string.h>

#define N 64
static void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }
static void bubble(int *v, int n) { for (int s = 1; s;) { s = 0; for (int i = 1; i < n; i++) if (v[i - 1] > v[i]) { swap(v + i, v + i - 1); s = 1; } } }
static void insertion(int *v, int n)
{
    for (int i = 1; i < n; i++) {
        int x = v[i], j = i;
        for (; j > 0 && v[j - 1] > x; j--)
            v[j] = v[j - 1];
        v[j] = x;
    }
}
static void selection(int *v, int n) { for (int i = 0; i < n; i++) { int m = i; for (int j = i + 1; j < n; j++) if (v[j] < v[m]) m = j; swap(&v[i], &v[m]); } }
static void shell(int *v, int n)
{
    for (int gap = n / 2; gap > 0; gap /= 2)
        for (int i = gap; i < n; i++)
            for (int j = i - gap; j >= 0 && v[j] > v[j + gap]; j -= gap)
                swap(v + j, v + j + gap);
}
static void quick(int *v, int n)
{
    if (n < 2)
        return;
    int pivot = v[n / 2], i = 0, j = n - 1;
    while (i <= j) {
        while (v[i] < pivot) i++;
        while (v[j] > pivot) j--;
        if (i <= j)
            swap(&v[i++], &v[j--]);
    }
    quick(v, j + 1);
    quick(v + i, n - i);
}
static void merge_sort(int *v, int n)
{
    if (n < 2)
        return;
    int h = n / 2, t[n], i = 0, j = h, k = 0;
    merge_sort(v, h);
    merge_sort(v + h, n - h);
    while (i < h && j < n)
        t[k++] = v[j] < v[i] ? v[j++] : v[i++];
    while (i < h) t[k++] = v[i++];
    while (j < n) t[k++] = v[j++];
    memcpy(v, t, sizeof t);
}
static void sift(int *v, int i, int n)
{
    for (int c; (c = 2 * i + 1) < n; i = c) {
        if (c + 1 < n && v[c + 1] > v[c]) c++;
        if (v[i] >= v[c]) return;
        swap(v + i, v + c);
    }
}
static void heap_sort(int *v, int n)
{
    for (int i = n / 2; i-- > 0;) sift(v, i, n);
    while (n-- > 1) { swap(v, v + n); sift(v, 0, n); }
}
static void counting(int *v, int n)
{
    int c[256] = {0}, k = 0;
    for (int i = 0; i < n; i++) c[v[i] + 128]++;
    for (int b = 0; b < 256; b++) while (c[b]-- > 0) v[k++] = b - 128;
}
static void radix(int *v, int n)
{
    int t[N];
    for (int shift = 0; shift < 32; shift += 8) {
        int start[257] = {0};
        for (int i = 0; i < n; i++) start[(((unsigned)v[i] ^ 0x80000000u) >> shift & 255) + 1]++;
        for (int b = 0; b < 256; b++) start[b + 1] += start[b];
        for (int i = 0; i < n; i++) t[start[((unsigned)v[i] ^ 0x80000000u) >> shift & 255]++] = v[i];
        memcpy(v, t, (size_t)n * sizeof *v);
    }
}
static void comb(int *v, int n)
{
    for (int gap = n, s = 1; gap > 1 || s;) {
        gap = gap * 10 / 13 > 1 ? gap * 10 / 13 : 1;
        s = 0;
        for (int i = 0; i + gap < n; i++) if (v[i] > v[i + gap]) { swap(v + i, v + i + gap); s = 1; }
    }
}

int main(void)
{
    void (*sorts[])(int *, int) = {bubble, insertion, selection, shell, quick, merge_sort, heap_sort, counting, radix, comb};
    int input[N], reference[N], v[N];
    unsigned r = 9;
    for (int i = 0; i < N; i++) {
        r = r * 1664525u + 1013904223u;
        input[i] = (int)(r >> 24) - 128;
    }
    memcpy(reference, input, sizeof input);
    insertion(reference, N);
    for (int i = 1; i < N; i++)
        CHECK(reference[i - 1] <= reference[i]);
    for (unsigned s = 0; s < sizeof sorts / sizeof *sorts; s++) {
        memcpy(v, input, sizeof v);
        sorts[s](v, N);
        CHECK(memcmp(v, reference, sizeof v) == 0);
    }
    printf("%d %d %d\n", reference[0], reference[N / 2], reference[N - 1]);
    return check_done();
}
