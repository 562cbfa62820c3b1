struct node;
struct node {
    struct node *next;
    int key;
};

struct node *find(struct node *list, int key);
int pairs(int n, const int *a, int sum);
int main(void);

struct node *find(struct node *list, int key)
{
    struct node *p = list;
    for (;;) { /* search.c:2 */
        if (!p) {
            p = (void *)0;
            break;
        }
        if (p->key == key) break;
        p = p->next;
    }
    return p;
}

int pairs(int n, const int *a, int sum)
{
    int i;
    for (i = 0; i < n; i++) { /* search.c:10 */
        for (int j = i + 1; j < n; j++) {
            int t = a[i];
            if (t < 0) goto next;
            if (t + a[j] == sum) goto done;
        }
        next:;
    }
    done:;
    return i;
}

int main(void)
{
    int a[4] = {4, 1, 2, 4};
    struct node last = {(void *)0, 3};
    struct node first = {&last, 1};
    _Bool t = find(&first, 3) != &last;
    _Bool t1 = pairs(4, a, 3) != 1;
    return t || t1;
}
