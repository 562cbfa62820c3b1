// Globals initialised with addresses of others, tentative definitions.
#include "../check.h"

int tentative;
int tentative;
extern int defined_later;
static int array[5] = {1, 2, 3, 4, 5};
static int *middle = &array[2];
static int *past = array + 5;
static int **indirect = &middle;
static double cell = 2.5;
struct node { int value; struct node *next; double *data; };
static struct node third = {3, 0, &cell}, second = {2, &third, 0};
static struct node first = {1, &second, &cell};
static const char *names[] = {"zero", "one", "two"};
static const char **name_cursor = names + 1;
static int add(int a, int b) { return a + b; }
static int (*operation)(int, int) = add;
static char *inside = (char *)&array[1];
extern struct node loop_a, loop_b;
struct node loop_a = {10, &loop_b, 0}, loop_b = {20, &loop_a, 0};
int scratch[];

int defined_later = 77;

int main(void)
{
    CHECK(tentative == 0 && defined_later == 77);
    tentative = 4;
    CHECK(*middle == 3 && past[-1] == 5 && **indirect == 3);
    *indirect = &array[4];
    CHECK(*middle == 5);
    int sum = 0;
    for (struct node *n = &first; n; n = n->next)
        sum = sum * 10 + n->value;
    CHECK(sum == 123);
    *first.data *= 2;
    CHECK(*third.data == 5.0);
    CHECK(name_cursor[0][0] == 'o' && (*++name_cursor)[0] == 't');
    CHECK(operation(2, 3) == 5 && *(int *)inside == 2);
    CHECK(loop_a.next->next == &loop_a && loop_b.next->value == 10);
    scratch[0] = tentative;
    CHECK(scratch[0] == 4);
    printf("%d %s\n", sum, *name_cursor);
    return check_done();
}

int scratch[3];
