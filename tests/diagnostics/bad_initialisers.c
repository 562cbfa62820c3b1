// run: ir %s
int n;
int table[2] = {1, 2, 3};
int length[n];
static int start = n + 1;
struct point { int x, y; };
struct point p = {.x = 1, .z = 3};
int q = {1, 2};
char text[3] = "too long";
int wrong[] = 5;
