// _Bool: conversion to 0/1, arithmetic, compound assignment, storage.
#include "../check.h"
#include <stdbool.h>

struct flags { bool a, b; _Bool c : 1; };

static bool nonzero(double x) { return x; }
static _Bool from_pointer(const void *p) { return p; }
static int add(bool a, bool b) { return a + b; }

int main(void)
{
    _Bool b = 256;
    CHECK(b == 1);
    CHECK((_Bool)0.25 == 1 && (_Bool)0.0 == 0 && (_Bool)-0.0 == 0);
    CHECK((unsigned char)256 == 0 && (bool)256 == 1);
    CHECK(nonzero(1e-300) && !nonzero(0));
    CHECK(from_pointer(&b) && !from_pointer(0));
    CHECK(add(true, true) == 2);
    b += 3;
    CHECK(b == 1);
    b -= 1;
    CHECK(b == 0);
    b |= 4;
    CHECK(b == 1);
    b ^= 1;
    CHECK(b == 0);
    b = b + 1;
    b += 5;
    CHECK(b == 1);
    b = !b;
    CHECK(b == false);
    struct flags f = {2, 0, 1};
    f.b = f.a & f.c;
    f.c = f.a ^ f.b;
    CHECK(f.a && f.b && !f.c);
    bool seen[16] = {false};
    int count = 0;
    for (int k = 0; k < 100; k++) {
        int v = k * k % 16;
        count += !seen[v];
        seen[v] = true;
    }
    CHECK(count == 4);
    printf("%d %zu %d\n", count, sizeof(bool), f.a + f.b);
    return check_done();
}
